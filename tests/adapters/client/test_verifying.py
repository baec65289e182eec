"""The bills of a service are compared with those computed here."""

from typing import Any

import httpx
import pytest

import rentbilling as rb
from rentbilling.checks import Comparison
from rentbilling.errors import InvalidPeriodError
from rentbilling.testing import a_lease, a_plan, a_rent, an_index
from tests.adapters.client.callers import Caller, Service, always

TERMS = a_lease(a_rent(amount="8500.00", ended_on="2026-02-10"))
PLANNED = a_lease(a_rent(amount="8500.00"), plans=[a_plan()])
INDICES = an_index({"2025-10": 100, "2026-10": 102})
FEBRUARY = "2026-02-01/2026-02-28"
IN_2027 = "2027-02-01/2027-02-28"
HALVED = rb.BillingPolicy(part_period="half_month")


def billing(terms: Any = TERMS, **options: Any) -> Service:  # noqa: ANN401
    def service(request: httpx.Request) -> httpx.Response:
        period = request.url.params["period"]
        return httpx.Response(200, text=rb.dumps(rb.pending_bills(terms, period, **options)))

    return service


@pytest.mark.parametrize(
    ("service", "client", "verify", "period"),
    [
        ({}, {}, {}, FEBRUARY),
        # The policy of the call, and that of the client.
        ({"policy": HALVED}, {}, {"policy": HALVED}, FEBRUARY),
        ({"policy": HALVED}, {"policy": HALVED}, {}, FEBRUARY),
        # A half-open text here is the service's text of both days included (A4).
        ({}, {}, {"policy": rb.BillingPolicy(period_end="excluded")}, "2026-02-01/2026-03-01"),
    ],
    ids=["none", "call", "client", "half-open"],
)
def test_bills_are_computed_as_the_caller_says(
    caller: Caller,
    service: dict[str, Any],
    client: dict[str, Any],
    verify: dict[str, Any],
    period: str,
) -> None:
    found = caller.result_of(
        billing(**service), lambda each: each.verify("lease-1", TERMS, period, **verify), **client
    )

    assert isinstance(found, Comparison)
    assert found.is_equal
    sent = caller.sent[0].url.params
    assert ("lease-1", FEBRUARY) == (sent["leaseId"], sent["period"])


def test_a_service_that_bills_otherwise_is_a_difference(caller: Caller) -> None:
    """10 of 28 days are 3,035.71; half a month is 4,250.00, which is 1,214.29 more."""
    found = caller.result_of(
        billing(policy=HALVED),
        lambda client: client.verify("lease-1", TERMS, FEBRUARY, diagnose=True),
    )

    assert not found.is_equal
    assert "1214.29" in str(found)
    assert ("the policy with part_period='half_month' gives the actual bills",) == found.causes


@pytest.mark.parametrize(("said", "lease_id"), [({}, "lease-1"), ({"leaseId": "theirs"}, "theirs")])
@pytest.mark.parametrize("method", ["pending_bills", "list_pending_bills"])
def test_bills_know_their_lease(
    caller: Caller, method: str, said: dict[str, str], lease_id: str
) -> None:
    def service(request: httpx.Request) -> httpx.Response:
        told = billing()(request).json()
        return httpx.Response(200, json={**told, **said})

    found = caller.result_of(service, lambda client: getattr(client, method)("lease-1", FEBRUARY))

    assert (1, lease_id) == (len(found), found.lease_id)
    assert {lease_id} == {row["lease_id"] for row in found.rows()}


def test_nothing_that_a_service_says_of_its_bills_is_lost(caller: Caller) -> None:
    """Bills in full with notices, period, fingerprint and adjustments, and their lease (A56)."""
    full = rb.bill_period(PLANNED, "2027-01-01/2027-02-28", indices=INDICES)
    found = caller.result_of(
        lambda _: httpx.Response(200, text=rb.dumps(full, full=True)),
        lambda client: client.pending_bills("lease-1", "2027-01-01/2027-02-28"),
    )

    assert found.adjustments
    assert (full.bills, full.notices, full.period, full.adjustments) == (
        *(found.bills, found.notices, found.period, found.adjustments),
    )
    assert (full.policy_fingerprint, "lease-1") == (found.policy_fingerprint, found.lease_id)


def test_bills_follow_the_indices_that_are_given(caller: Caller) -> None:
    """From 100 to 102 the rent rises by 2 % in January 2027: 8,500 × 1.02 = 8,670."""
    service = billing(PLANNED, indices=INDICES)
    found = caller.result_of(
        service, lambda client: client.verify("lease-1", PLANNED, IN_2027, indices=INDICES)
    )
    (bill,) = caller.result_of(service, lambda client: client.pending_bills("lease-1", IN_2027))

    assert found.is_equal
    assert rb.Amount(8670, "DKK") == bill.total


@pytest.mark.parametrize(
    ("terms", "period", "kind"),
    [
        (PLANNED, IN_2027, rb.MissingIndexError),
        (TERMS, "2026-02-28/2026-02-01", InvalidPeriodError),
    ],
    ids=["index", "period"],
)
def test_terms_that_cannot_be_billed_are_refused_before_any_call(
    caller: Caller, terms: rb.LeaseTerms, period: str, kind: type[Exception]
) -> None:
    error = caller.error_of(
        always({"bills": []}), lambda client: client.verify("lease-1", terms, period)
    )

    assert isinstance(error, kind)
    assert [] == caller.sent
