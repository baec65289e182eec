"""What a stated bill may have is compared, named as not compared, or refused (A50, A52, A56)."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.checks import compare_portfolio
from rentbilling.errors import UnknownWordError
from rentbilling.testing import (
    a_bill,
    a_lease,
    a_line,
    a_rent,
    an_item,
    assert_bills_equal,
    bill_diff,
)
from tests.support.rows import rows

POLICY = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.5")})
LEASE = a_lease(
    a_rent(amount="8500.30", discount=rb.Discount(percentage=Decimal("0.1"))),
    an_item(product_key="key:water", amount="121.90", vat="Exclusive 0.25"),
    lease_id="lease-1",
)
RESULT = rb.pending_bills(LEASE, "2026-02", policy=POLICY)
OTHER = {
    "dueDate": "2026-02-02",
    "accountingPeriod": "2026-02-01/2026-02-27",
    "regularPeriod": "2026-02-01/2026-02-27",
    "period": "2026-02-01/2026-02-27",
    "currency": "EUR",
    "kind": "part",
    "share": "1/2",
    "taxRate": 0.5,
}
NOT_COMPARED = {
    *("itemId", "kind", "discounts", "share", "regularPeriod", "base", "description"),
    *("payer", "number", "leaseId", "period", "policyFingerprint", "notices"),
}


def stated() -> dict[str, Any]:
    """Return all that the bills of a lease may state."""
    data: dict[str, Any] = json.loads(rb.dumps(RESULT, full=True))
    (bill,) = data["bills"]
    bill |= {"payer": "A", "number": "17", "taxSum": {"currency": "DKK", "amount": 30.48}}
    bill["pendingBillLineItems"][0]["description"] = "Rent"
    data["notices"] = [{"code": "x", "message": "y", "itemId": "z", "facts": {}}]
    return data


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
    if not isinstance(data, (dict, list)) or not data:
        yield path
        return
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield from leaves(value, (*path, key))


@pytest.mark.parametrize("path", [*leaves(stated())], ids=str)
def test_each_field_is_compared_or_named(path: tuple[Any, ...]) -> None:
    changed = part = stated()
    *parents, last = path
    for key in parents:
        part = part[key]
    value = part[last]
    part[last] = OTHER.get(last, value + 1 if isinstance(value, (int, float)) else "other")
    try:
        found = rb.compare_bills(stated(), changed, policy=POLICY)
    except rb.InvalidInputError:
        return

    assert found.is_equal is not NOT_COMPARED.isdisjoint(path)
    assert found.is_equal == (not bill_diff(stated(), changed, policy=POLICY))


def dkk(amount: float) -> dict[str, Any]:
    return {"currency": "DKK", "amount": amount}


# 8,500.00 are to pay, whatever a side states otherwise beside its total and rounding.
@rows(
    ("fields", "by"),
    [
        ({"cashRounding": dkk(0), "payable": dkk(7)}, "-8493.00"),
        ({"cashRounding": dkk(0), "payable": dkk(8500)}, None),
        ({"payable": dkk(8500)}, None),
    ],
)
def test_an_amount_to_pay_beside_its_rounding(fields: dict[str, Any], by: str | None) -> None:
    data: dict[str, Any] = json.loads(rb.dumps(a_bill())) | fields
    found, turned = rb.compare_bills(a_bill(), data), rb.compare_bills(data, a_bill())

    assert ([] if by is None else [by]) == [f"{each.by.amount:f}" for each in found if each.by]
    assert [each.code for each in found] == [each.code for each in turned]
    if by is not None:
        assert "* amount to pay" in bill_diff(a_bill(), data)


MONTHS = rb.pending_bills(a_rent(), "2026-02-01/2026-12-31")


def late(bill: rb.PendingBill, days: int) -> rb.PendingBill:
    return bill.again(bill.due + days, bill.raw_lines)


# A month late each bill has the day of the next one; half of them is fewer bills.
@rows("days", [1, 3, 28, 31, 200, -40])
def test_due_dates_may_be_left_out(days: int) -> None:
    actual = [late(bill, days) for bill in reversed(MONTHS.bills)]
    (wrong,) = rb.pending_bills(a_rent(amount=8400), "2026-06")
    with_one = [late(wrong, days) if bill.lines == MONTHS[4].lines else bill for bill in actual]
    found = rb.compare_bills(MONTHS, with_one, ignore=("due_date",), diagnose=True)
    run = compare_portfolio([("a", MONTHS, with_one[1:])], ignore=("due_date",))

    assert rb.compare_bills(MONTHS, actual, ignore=("due_date",)).is_equal
    assert not rb.compare_bills(MONTHS, actual).is_equal
    assert ["2026-06-01"] * 5 == [str(each.due_date) for each in found]
    assert {"missing_bill": 1, "amount": 1} == {
        code: count for code, count in run.counts.items() if code in ("missing_bill", "amount")
    }
    assert_bills_equal(MONTHS, iter(actual), ignore=("due_date",))
    with pytest.raises(AssertionError, match="5 differences") as shown:
        assert_bills_equal(MONTHS, with_one, ignore=("due_date",))
    assert "* due date" not in str(shown.value)


def test_a_cause_is_found_whenever_bills_fall_due() -> None:
    """17 of 31 days and of 30, a day late."""
    terms = a_rent(ended_on="2026-03-17")
    mine, theirs = (
        rb.pending_bills(terms, "2026-03", policy=rb.BillingPolicy(part_period=each))
        for each in ("actual_days", "days_over_30")
    )
    found = rb.compare_bills(
        mine, [late(bill, 1) for bill in theirs], ignore=("due_date",), diagnose=True
    )

    assert "the policy with part_period='days_over_30' gives the actual bills" in found.causes


def test_nothing_else_is_left_out() -> None:
    for given in (("total",), "due_date"):
        with pytest.raises(UnknownWordError, match="ignore: is not a known word"):
            rb.compare_bills(a_bill(), a_bill(), ignore=given)  # type: ignore[arg-type]
    with pytest.raises(UnknownWordError, match="ignore"):
        compare_portfolio([], ignore=("total",))  # type: ignore[arg-type]


def numbered(bill: rb.PendingBill, number: object) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(rb.dumps(bill))
    return data | {"number": number}


def test_the_number_of_a_bill_is_shown() -> None:
    cheap = rb.pending_bills(a_rent(amount=8400), "2026-02-01/2026-05-31")
    theirs = [numbered(bill, f"R-{at}") for at, bill in enumerate(cheap, 1)]
    mine = rb.pending_bills(a_rent(), "2026-02-01/2026-05-31")
    found = rb.compare_bills(mine, theirs)
    table = bill_diff(mine, theirs)
    lone = rb.compare_bills([numbered(a_bill(), "M-1")], [])
    plain = rb.compare_bills([a_bill()], [numbered(a_bill(a_line(amount=1)), 17)])

    assert str(found).startswith("2026-02-01, number R-1, price of key:rent")
    assert "3 more bills, 2026-03-01 to 2026-05-01 (numbers R-2, R-3, R-4)" in str(found)
    assert "R-4" == found.rows()[-1]["number"]
    assert "  due 2026-05-01 in DKK, number R-4\n" in table
    assert "\ndue 2026-02-01, number R-1, price" in table
    assert "2026-02-01, number R-1" in found._repr_html_()
    assert "2026-02-01, number M-1, bill: expected 8500.00 DKK, 1 line" in str(lone)
    # The bill's number is a text.
    assert str(plain).startswith("2026-02-01 price")


def test_one_more_bill_has_one_number() -> None:
    cheap = rb.pending_bills(a_rent(amount=8400), "2026-02-01/2026-03-31")
    found = rb.compare_bills(
        rb.pending_bills(a_rent(), "2026-02-01/2026-03-31"),
        [numbered(bill, str(at)) for at, bill in enumerate(cheap, 1)],
    )

    assert "the same in 1 more bill, 2026-03-01 (number 2)" in str(found)


FOREIGN = {"number": "17", "lease": "A", "dueOn": "2026-02-01", "positions": []}


@rows("form", [FOREIGN, [FOREIGN] * 12, {"bills": [FOREIGN]}, json.dumps([FOREIGN])])
def test_bills_of_another_form_are_one_problem(form: Any) -> None:  # noqa: ANN401
    for path, read in (
        ("actual.bills", lambda: rb.compare_bills(a_bill(), form)),
        ("bills", lambda: rb.check_bill(form)),
    ):
        with pytest.raises(rb.InvalidInputError) as caught:
            read()
        (problem,) = caught.value.problems

        assert (path, "'number', 'lease', 'dueOn', …") == (problem.path, problem.met)
