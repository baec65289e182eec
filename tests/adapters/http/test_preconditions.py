"""An object is changed as the caller knows it, or not at all."""

from typing import Any

import pytest

from rentbilling.adapters.http import HttpAnswer, RentalService
from tests.adapters.http.served import RENT, ask, check_problem, data_of, service, with_lease

PRODUCT = {"productKey": "key:sauna", "productName": {"en": "Sauna"}}
FEE = {
    "productKey": "key:keys",
    "amount": {"currency": "DKK", "amount": 125},
    "vat": {"taxMode": "Exempt"},
    "dueDate": "2026-02-01",
    "accountingPeriod": "2026-02-01/2026-02-28",
}
PLAN = {
    "rentAdjustmentRules": [
        {
            "adjustmentType": "Increment",
            "adjustmentMonth": 1,
            "increments": [{"year": "2027", "percentage": 0.02}],
        }
    ]
}
PAYOUT = {
    "payoutReason": "Payment",
    "payoutDate": "2026-01-30",
    **{name: {"currency": "DKK", "amount": 100} for name in ("net", "gross")},
    "fees": {"currency": "DKK", "amount": 0},
}
CHANGED: dict[str, tuple[str, Any, Any]] = {
    "tenancy": ("/tenancies/id-1", {"unitType": "PARKING"}, {"unitType": "OTHER"}),
    "lease": ("/leases/id-2", {"purpose": "a"}, {"purpose": "b"}),
    "recurring item": ("/recurring-bill-items/id-3", {"description": "a"}, {"description": "b"}),
    "one-time item": ("/one-time-bill-items/id-4", {"description": "a"}, {"description": "b"}),
    "plan": ("/rent-adjustment-plans/id-5", {"endedOn": "2030-01-31"}, {"endedOn": "2031-01-31"}),
    "product": ("/products/key:sauna", {"archived": True}, {"archived": False}),
}
ENDED: dict[str, tuple[str, str]] = {
    "tenancy": ("/tenancies/id-1", "archive"),
    "lease": ("/leases/id-2", "archive"),
    "one-time item": ("/one-time-bill-items/id-4", "withdraw"),
    "payout": ("/payouts/id-7", "withdraw"),
}


@pytest.fixture
def of() -> RentalService:
    """A service with one object of each kind."""
    of = service()
    lease_id = with_lease(of, RENT)
    for path, body in (
        ("/one-time-bill-items", {"leaseId": lease_id, "oneTimeBillItem": FEE}),
        ("/rent-adjustment-plans", {"leaseId": lease_id, "rentAdjustmentPlan": PLAN}),
        ("/products", PRODUCT),
        ("/payouts", PAYOUT),
    ):
        created = ask(of, "POST", path, body)
        assert 201 == created.status, created.body
    return of


def tag(answer: HttpAnswer) -> str:
    return dict(answer.headers)["ETag"]


def change(of: RentalService, path: str, body: object, match: str) -> HttpAnswer:
    return ask(of, "PATCH", path, body, headers={"If-Match": match})


@pytest.mark.parametrize("name", CHANGED)
def test_the_first_of_two_changes_wins(of: RentalService, name: str) -> None:
    """The second caller knows the object as it was: nothing is lost. Then it looks again."""
    path, first, second = CHANGED[name]
    known = tag(ask(of, "GET", path))
    done = change(of, path, first, known)
    lost = change(of, path, second, known)
    now = ask(of, "GET", path)

    assert 200 == done.status, done.body
    check_problem(lost, 412, "changed_since")
    assert known != tag(done) == tag(now) == tag(lost)
    assert 200 == change(of, path, second, tag(now)).status


@pytest.mark.parametrize("name", ENDED)
def test_an_object_is_archived_or_withdrawn_as_it_is_known(of: RentalService, name: str) -> None:
    path, verb = ENDED[name]
    known = tag(ask(of, "GET", path))
    lost = ask(of, "POST", f"{path}/{verb}", headers={"If-Match": '"other"'})

    check_problem(lost, 412, "changed_since")
    assert known == tag(ask(of, "GET", path))
    assert 200 == ask(of, "POST", f"{path}/{verb}", headers={"If-Match": known}).status


def test_the_tag_of_a_lease_covers_each_of_its_balances(of: RentalService) -> None:
    """Two deposits of 100 and 200 have the sum of two of 150, and another tag."""

    def balances(*amounts: int) -> str:
        given = [
            {"balanceChargeType": "deposit", "amount": {"currency": "DKK", "amount": each}}
            for each in amounts
        ]
        assert 200 == ask(of, "PATCH", "/leases/id-2", {"balances": given}).status
        return tag(ask(of, "GET", "/leases/id-2"))

    assert balances(100, 200) != balances(150, 150)


@pytest.mark.parametrize("match", ["*", '"other", {}', "{},"])
def test_any_tag_and_one_of_several_are_enough(of: RentalService, match: str) -> None:
    given = match.format(tag(ask(of, "GET", "/leases/id-2"))).rstrip(",")

    assert 200 == change(of, "/leases/id-2", {"purpose": "a"}, given).status


@pytest.mark.parametrize("match", ["nonsense", "", '"a" "b"', '"a",', "*, *", "'a'"])
def test_what_is_no_tag_is_refused(of: RentalService, match: str) -> None:
    refused = change(of, "/leases/id-2", {"purpose": "a"}, match)

    check_problem(refused, 400, "not_a_tag", "if-match")


def test_a_weak_tag_is_never_the_one(of: RentalService) -> None:
    """By RFC 9110, 13.1.1, tags are compared strongly."""
    known = tag(ask(of, "GET", "/leases/id-2"))
    check_problem(change(of, "/leases/id-2", {"purpose": "a"}, f"W/{known}"), 412, "changed_since")


def test_an_object_that_is_not_there_has_no_tag(of: RentalService) -> None:
    check_problem(change(of, "/leases/none", {"purpose": "a"}, "*"), 404, "unknown_id")


@pytest.mark.parametrize(
    ("method", "path", "body", "name"),
    [
        ("GET", "/leases/id-2", None, "If-Match"),
        ("POST", "/products", PRODUCT, "If-Match"),
        ("PATCH", "/leases/id-2", {"purpose": "a"}, "If-None-Match"),
        ("PATCH", "/leases/id-2", {"purpose": "a"}, "If-Unmodified-Since"),
        ("POST", "/leases/id-2/archive", None, "If-None-Match"),
    ],
)
def test_a_condition_that_has_no_meaning_is_refused(
    of: RentalService, method: str, path: str, body: object, name: str
) -> None:
    refused = ask(of, method, path, body, headers={name: '"a"'})

    check_problem(refused, 400, "unexpected_header", name.lower())


def test_a_change_with_a_key_is_given_again_although_the_tag_is_an_old_one(
    of: RentalService,
) -> None:
    """What was sent again was done; a 412 is not stored."""
    known = tag(ask(of, "GET", "/leases/id-2"))
    headers = {"If-Match": known, "Idempotency-Key": "one"}
    first, again = (
        ask(of, "PATCH", "/leases/id-2", {"purpose": "a"}, headers=headers) for _ in range(2)
    )
    assert (200, first.body) == (again.status, again.body)

    stale = {"If-Match": known, "Idempotency-Key": "two"}
    check_problem(
        ask(of, "PATCH", "/leases/id-2", {"purpose": "b"}, headers=stale), 412, "changed_since"
    )
    fresh = {"If-Match": tag(ask(of, "GET", "/leases/id-2")), "Idempotency-Key": "two"}
    answer = ask(of, "PATCH", "/leases/id-2", {"purpose": "b"}, headers=fresh)
    assert "b" == data_of(answer)["purpose"]
