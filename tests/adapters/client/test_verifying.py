"""The bills of a service are compared with our own."""

from typing import Any

import httpx
import pytest

from rentbilling import (
    Amount,
    BillingPolicy,
    Comparison,
    InvalidPeriodError,
    MissingIndexError,
    bill_period,
    dumps,
    pending_bills,
)
from rentbilling.testing import a_lease, a_plan, a_rent, an_index
from tests.adapters.client.callers import Caller, Service, always

TERMS = a_lease(a_rent(amount="8500.00", ended_on="2026-02-10"))
FEBRUARY = "2026-02-01/2026-02-28"


def billing(terms: Any = TERMS, **options: Any) -> Service:  # noqa: ANN401
    def service(request: httpx.Request) -> httpx.Response:
        period = request.url.params["period"]
        return httpx.Response(200, text=dumps(pending_bills(terms, period, **options)))

    return service


def test_a_service_that_bills_alike_is_equal(caller: Caller) -> None:
    found = caller.told(billing(), lambda client: client.verify("lease-1", TERMS, FEBRUARY))

    assert isinstance(found, Comparison)
    assert found.is_equal
    assert "lease-1" == caller.sent[0].url.params["leaseId"]


def test_a_service_that_bills_otherwise_is_told(caller: Caller) -> None:
    """10 of 28 days are 3,035.71; half a month is 4,250.00, which is 1,214.29 more."""
    halves = billing(policy=BillingPolicy(part_period="half_month"))
    found = caller.told(
        halves, lambda client: client.verify("lease-1", TERMS, FEBRUARY, diagnose=True)
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

    found = caller.told(service, lambda client: getattr(client, method)("lease-1", FEBRUARY))

    assert (1, lease_id) == (len(found), found.lease_id)
    assert {lease_id} == {row["lease_id"] for row in found.rows()}


def test_nothing_that_a_service_says_of_its_bills_is_lost(caller: Caller) -> None:
    """Bills in full with notices, period, fingerprint and adjustments, beside their lease (A56)."""
    indices = an_index({"2025-10": 100, "2026-10": 102})
    terms = a_lease(a_rent(amount="8500.00"), plans=[a_plan()])
    full = bill_period(terms, "2027-01-01/2027-02-28", indices=indices)
    found = caller.told(
        lambda _: httpx.Response(200, text=dumps(full, full=True)),
        lambda client: client.pending_bills("lease-1", "2027-01-01/2027-02-28"),
    )

    assert found.adjustments
    assert (full.bills, full.notices, full.period, full.adjustments) == (
        *(found.bills, found.notices, found.period, found.adjustments),
    )
    assert (full.policy_fingerprint, "lease-1") == (found.policy_fingerprint, found.lease_id)


def test_our_bills_follow_the_policy_that_is_given(caller: Caller) -> None:
    halved = BillingPolicy(part_period="half_month")
    found = caller.told(
        billing(policy=halved),
        lambda client: client.verify("lease-1", TERMS, FEBRUARY, policy=halved),
    )

    assert found.is_equal


def test_our_bills_follow_the_policy_of_the_client(caller: Caller) -> None:
    halved = BillingPolicy(part_period="half_month")
    found = caller.told(
        billing(policy=halved),
        lambda client: client.verify("lease-1", TERMS, FEBRUARY),
        policy=halved,
    )

    assert found.is_equal


def test_both_sides_are_of_the_same_days(caller: Caller) -> None:
    """Our half-open text is the service's text of both days included (A4)."""
    half_open = BillingPolicy(period_end="excluded")
    found = caller.told(
        billing(),
        lambda client: client.verify("lease-1", TERMS, "2026-02-01/2026-03-01", policy=half_open),
    )

    assert found.is_equal
    assert FEBRUARY == caller.sent[0].url.params["period"]


def test_our_bills_follow_the_indices_that_are_given(caller: Caller) -> None:
    """From 100 to 102 the rent rises by 2 % in January 2027: 8,500 × 1.02 = 8,670."""
    indices = an_index({"2025-10": 100, "2026-10": 102})
    terms = a_lease(a_rent(amount="8500.00"), plans=[a_plan()])
    period = "2027-02-01/2027-02-28"
    found = caller.told(
        billing(terms, indices=indices),
        lambda client: client.verify("lease-1", terms, period, indices=indices),
    )
    (bill,) = caller.told(
        billing(terms, indices=indices), lambda client: client.pending_bills("lease-1", period)
    )

    assert found.is_equal
    assert Amount(8670, "DKK") == bill.total


def test_an_index_that_is_missing_is_told_before_anybody_is_asked(caller: Caller) -> None:
    terms = a_lease(a_rent(amount="8500.00"), plans=[a_plan()])
    error = caller.refusal(
        always({"bills": []}),
        lambda client: client.verify("lease-1", terms, "2027-02-01/2027-02-28"),
    )

    assert isinstance(error, MissingIndexError)
    assert [] == caller.sent


def test_what_cannot_be_billed_is_refused_before_anybody_is_asked(caller: Caller) -> None:
    error = caller.refusal(
        always({"bills": []}),
        lambda client: client.verify("lease-1", TERMS, "2026-02-28/2026-02-01"),
    )

    assert isinstance(error, InvalidPeriodError)
    assert [] == caller.sent
