"""What is asked over HTTP is answered as the interface says, whatever carries it."""

from datetime import date

import pytest

from rentbilling import dumps, pending_bills
from rentbilling.adapters.http import Limits
from rentbilling.adapters.stores import MemoryStores
from rentbilling.codec import loads
from rentbilling.interface import ENDPOINTS
from rentbilling.policy import BillingPolicy
from rentbilling.service import key_text, stored_key
from rentbilling.service.keys import rights_of
from rentbilling.terms import LeaseTerms
from tests.adapters.http.served import (
    ADDRESS,
    BILLS_ALONE,
    KEY,
    NOON,
    READER,
    RENT,
    SECRET,
    STRANGER,
    TENANCY,
    ask,
    check_problem,
    data_of,
    keys,
    service,
    with_lease,
)
from tests.conformance.proving import proves
from tests.support.rows import rows

HALF_OPEN = {
    **RENT,
    "startedOn": "2026-01-15",
    "firstBillingPeriodBillItem": {
        **RENT["firstBillingPeriodBillItem"],  # type: ignore[dict-item]
        "accountingPeriod": "2026-01-15/2026-02-01",
    },
}
"""The same rent where periods end with the day before."""
BILLS = "/pending-bills?leaseId={}&period=2026-01-01/2026-03-31"


def test_pending_bills_are_the_very_bytes_of_the_core() -> None:
    asked = service()
    lease_id = with_lease(asked, RENT)
    terms = loads(ask(asked, "GET", f"/leases/{lease_id}/terms").body, LeaseTerms)

    answer = ask(asked, "GET", BILLS.format(lease_id))

    expected = dumps(pending_bills(terms, "2026-01-01/2026-03-31"))
    assert (200, expected.encode()) == (answer.status, answer.body)
    # Three bills: 4,661.29 for the opening period, then 8,500.00 for February and for March.
    totals = [f"{each['total']['amount']:f}" for each in data_of(answer)["bills"]]
    assert ["4661.29", "8500.00", "8500.00"] == totals


@rows(
    ("period", "due"),
    [
        ("2026-03", ["2026-03-01"]),
        ("2026", ["2026-01-15", *(f"2026-{month:02d}-01" for month in range(2, 13))]),
    ],
)
def test_a_month_and_a_year_are_periods(period: str, due: list[str]) -> None:
    """Under half-open periods, too (A4)."""
    for policy in (None, BillingPolicy(period_end="excluded")):
        asked = service(policy=policy or BillingPolicy())
        lease_id = with_lease(asked, RENT if policy is None else HALF_OPEN)

        answer = ask(asked, "GET", f"/pending-bills?leaseId={lease_id}&period={period}")

        assert due == [bill["dueDate"] for bill in data_of(answer)["bills"]]


def test_a_policy_rules_reading_and_writing_of_periods() -> None:
    """With half-open periods (A4) January is asked for, and written, up to 1 February."""
    asked = service(policy=BillingPolicy(period_end="excluded"))
    lease_id = with_lease(asked, HALF_OPEN)

    answer = ask(asked, "GET", f"/pending-bills?leaseId={lease_id}&period=2026-01-01/2026-02-01")

    (bill,) = data_of(answer)["bills"]
    (line,) = bill["pendingBillLineItems"]
    assert "2026-01-15/2026-02-01" == line["accountingPeriod"]


def test_private_currencies_of_a_policy_are_known_in_bodies() -> None:
    """An item in a currency that only the policy knows (A2) is taken."""
    asked = service(policy=BillingPolicy(currencies={"TOK": 2}))
    amount = {"currency": "TOK", "amount": 100}
    first = {**RENT["firstBillingPeriodBillItem"], "amount": amount}  # type: ignore[dict-item]

    lease_id = with_lease(asked, {**RENT, "amount": amount, "firstBillingPeriodBillItem": first})

    assert b'"TOK"' in ask(asked, "GET", BILLS.format(lease_id)).body


@rows("operation", ENDPOINTS)
def test_every_operation_has_its_route(operation: str) -> None:
    endpoint = ENDPOINTS[operation]
    path = endpoint.path.replace("{leaseId}", "none").replace("{tenancyId}", "none")

    answer = ask(service(), endpoint.method, path, {} if endpoint.has_body else None)

    # An unknown id in the path is a 404, required fields that are missing are a 400.
    has_fields = endpoint.method == "POST" and endpoint.has_body
    assert endpoint.path == answer.route
    assert answer.status in ({200, 404} if endpoint.in_path and not has_fields else {200, 400})


@pytest.mark.parametrize("operation", ENDPOINTS, ids=str)
@proves("Authentication 3", "Errors 1")
def test_a_key_without_the_right_is_answered_403(operation: str) -> None:
    """Every operation asks for its own right, before it looks at anything else (A45)."""
    endpoint = ENDPOINTS[operation]
    key = BILLS_ALONE if endpoint.resource != "pending-bills" else STRANGER

    answer = ask(service(), endpoint.method, endpoint.path, {"x": 1}, key=key)

    if endpoint.resource != "pending-bills":
        data = check_problem(answer, 403, "missing_right")
        said = "rights" if endpoint.also else "right"
        assert f"the key lacks the {said} {', '.join(endpoint.rights)}" == data["detail"]
    else:
        assert 400 == answer.status


@rows(
    ("operation", "right"),
    [
        ("retrieve_lease_terms", "leases:read"),
        ("retrieve_lease_terms", "recurring-bill-items:read"),
        ("retrieve_lease_terms", "one-time-bill-items:read"),
        ("retrieve_lease_terms", "rent-adjustment-plans:read"),
        ("archive_tenancy", "tenancies:write"),
        ("archive_tenancy", "leases:write"),
    ],
)
def test_what_reads_or_changes_several_resources_needs_the_right_for_each(
    operation: str, right: str
) -> None:
    """With one right too few nothing is read or changed, and that one alone is named (A45)."""
    endpoint, ring, stores = ENDPOINTS[operation], keys(), MemoryStores()
    few, enough = (key_text(name, SECRET) for name in ("few", "enough"))
    for text, rights in (
        (few, [each for each in rights_of(["*"]) if each != right]),
        (enough, endpoint.rights),
    ):
        ring.add(stored_key(text, owner="acme", name="", rights=rights, created=NOON))
    of = service(keys=ring, stores=stores)
    lease_id = with_lease(of, RENT)
    path = endpoint.path.replace("{leaseId}", lease_id).replace("{tenancyId}", "id-1")

    data = check_problem(ask(of, endpoint.method, path, key=few), 403, "missing_right")
    assert f"the key lacks the right {right}" == data["detail"]
    assert "archivedAt" not in data_of(ask(of, "GET", "/tenancies/id-1"))
    assert 200 == ask(of, endpoint.method, path, key=enough).status


@pytest.mark.parametrize("operation", ENDPOINTS, ids=str)
@proves("Authentication 3")
def test_a_key_that_reads_cannot_write(operation: str) -> None:
    endpoint = ENDPOINTS[operation]

    answer = ask(service(), endpoint.method, endpoint.path, key=READER)

    assert (endpoint.right == "write") == (403 == answer.status)


@proves("Authentication 3")
def test_an_owner_sees_nothing_of_another() -> None:
    """A lease of acme is an unknown id to a stranger, and its lists are empty (A45)."""
    asked = service()
    lease_id = with_lease(asked, RENT)

    check_problem(ask(asked, "GET", f"/leases/{lease_id}", key=STRANGER), 404, "unknown_id")
    check_problem(ask(asked, "GET", BILLS.format(lease_id), key=STRANGER), 404, "unknown_id")
    assert {"leases": []} == data_of(ask(asked, "GET", "/leases", key=STRANGER))


@proves("Authentication 2")
def test_a_missing_key_is_answered_401_with_a_challenge() -> None:
    """Without the header nobody is asked for anything but it (A45)."""
    answer = service().answer("GET", "/leases")

    check_problem(answer, 401, "missing_key")
    assert 'ApiKey realm="rentbilling"' == dict(answer.headers)["WWW-Authenticate"]


@pytest.mark.parametrize(
    "key",
    [
        "x",
        "rent_all_" + "f" * 32,
        KEY[:-1],
        KEY + "0",
        KEY.upper(),
        "Bearer " + KEY,
        "Basic YWxsOmFsbA==",
        "rent_none_" + "0" * 32,
        "ÿ",
        "\udcff",
        "rent_" + "a" * 100_000,
    ],
    ids=lambda key: ascii(key)[:20],
)
@proves("Authentication 3")
def test_an_unknown_key_is_answered_401(key: str) -> None:
    data = check_problem(ask(service(), "GET", "/leases", key=key), 401, "unknown_key")

    assert key not in data["detail"]
    assert ("Bearer" in data["detail"]) == (" " in key)


@proves("Authentication 3")
def test_a_revoked_key_opens_nothing() -> None:
    ring = keys()
    asked = service(keys=ring)
    assert 200 == ask(asked, "GET", "/leases").status

    ring.revoke("all", NOON)

    check_problem(ask(asked, "GET", "/leases"), 401, "unknown_key")


def test_head_is_get_without_its_body() -> None:
    asked = service()
    with_lease(asked, RENT)
    told = {"X-Request-Id": "one"}

    got = ask(asked, "GET", "/leases", headers=told)
    headed = ask(asked, "HEAD", "/leases", headers=told)

    assert (got.status, got.headers, b"") == (headed.status, headed.headers, headed.body)


def test_every_answer_says_that_it_is_for_this_caller_alone() -> None:
    asked = service()
    for answer in (
        ask(asked, "GET", "/leases"),
        ask(asked, "GET", "/none"),
        ask(asked, "GET", "/health"),
        ask(asked, "POST", "/tenancies", TENANCY),
    ):
        headers = dict(answer.headers)
        found = (headers["Cache-Control"], headers["X-Content-Type-Options"])
        assert ("no-store", "nosniff") == found


@rows(
    ("given", "is_taken"),
    [
        *((each, True) for each in ("abc-1", "A.b_c", "x" * 64)),
        *((each, False) for each in ("", "x" * 65, "a b", "a\r\nb", "é", "a;b", '{"a"}')),
    ],
)
def test_a_request_id_of_the_caller_is_taken_over_if_it_is_valid(
    given: str, is_taken: bool
) -> None:
    asked = service()
    one, two = (ask(asked, "GET", "/leases", headers={"X-Request-Id": given}) for _ in "ab")

    assert dict(one.headers)["X-Request-Id"] == one.request_id
    assert is_taken is (given == one.request_id) is (one.request_id == two.request_id)
    assert is_taken or 36 == len(one.request_id)


def test_a_refused_operation_changes_nothing() -> None:
    asked = service()
    lease_id = with_lease(asked, RENT)
    before = ask(asked, "GET", f"/leases/{lease_id}/terms").body

    body = {"leaseId": lease_id, "recurringBillItem": {**RENT, "startedOn": "yesterday"}}
    refused = ask(asked, "POST", "/recurring-bill-items", body)

    check_problem(refused, 400, "not_a_date", "recurringBillItem.startedOn")
    assert before == ask(asked, "GET", f"/leases/{lease_id}/terms").body


@rows("lease_id", ["none", "id-1", "a\u200bb", "é", "x" * 250])
def test_an_unknown_lease_in_a_body_is_answered_404(lease_id: str) -> None:
    asked = service()
    with_lease(asked)

    body = {"leaseId": lease_id, "recurringBillItem": RENT}
    answer = ask(asked, "POST", "/recurring-bill-items", body)

    check_problem(answer, 404, "unknown_id")


@proves("Errors 1")
def test_every_problem_of_a_body_is_told_at_once() -> None:
    """Paths stand in the caller's own spelling (A46), unknown fields among them (A50)."""
    address = {**ADDRESS, "city": None, "country": "dk", "zip": "1"}
    body = {"purpose": 1, "address": address, "x": 1}

    answer = ask(service(), "POST", "/tenancies", body)

    data = data_of(answer)
    found = {each["path"] for each in data["problems"]}
    assert {"purpose", "address.city", "address.country", "address.zip", "x"} == found
    assert data["detail"].startswith("5 problems, the first: ")


def test_no_more_problems_are_listed_than_the_limit() -> None:
    """Of 30 unknown fields three are listed, with the number of all."""
    body = {**TENANCY, **{f"x{at}": at for at in range(30)}}

    data = data_of(ask(service(Limits(most_problems=3)), "POST", "/tenancies", body))

    assert 3 == len(data["problems"])
    assert data["detail"].startswith("30 problems")


def test_an_empty_object_is_no_body() -> None:
    asked = service()
    lease_id = with_lease(asked)

    answer = ask(asked, "POST", f"/leases/{lease_id}/archive", {})

    assert (200, "Archived") == (answer.status, data_of(answer)["operationalState"])


def test_a_period_longer_than_the_limit_is_refused() -> None:
    """With 31 days at most, January may be asked for, and 32 days may not."""
    asked = service(Limits(most_days=31))
    lease_id = with_lease(asked, RENT)
    address = f"/pending-bills?leaseId={lease_id}&period=2026-01-01/2026-{{}}"

    assert 200 == ask(asked, "GET", address.format("01-31")).status
    check_problem(ask(asked, "GET", address.format("02-01")), 400, "too_many_days", "period")


def test_the_day_of_figures_may_be_set() -> None:
    """A contract from 1 February is Active where it is February already, as in Auckland at noon."""
    begun = {"operationalState": "Active", "contractStart": "2026-02-01"}
    here, there = service(), service(today=lambda: date(2026, 2, 1))
    found = []
    for asked in (here, there):
        lease_id = with_lease(asked)
        answer = ask(asked, "PATCH", f"/leases/{lease_id}", begun)
        found.append(data_of(answer)["contractPeriodState"])

    assert ["Upcoming", "Active"] == found
