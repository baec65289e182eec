"""Bills of adjusted rents: the amount in force, exact splits, balances billed (A19, A39, A42)."""

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import rentbilling as rb
from rentbilling.interface import schema_of
from tests.support import plans as plans_of
from tests.support.plans import IN_2023, by_index, by_steps, deposit, plan, step
from tests.support.refusals import faults, refusal_text, refused
from tests.support.rents import amount, day, opening, period, price_from, quantity_from, rent, vat
from tests.support.rows import rows

INDEX = rb.IndexSeries(
    "NPI", {"2023-10": 100, "2024-10": 102, "2025-10": 105, "2026-10": 105}, base="2015=100"
)
"""Rises of 2 percent, of 3/102, and of nothing."""


def lease(
    *plans: rb.RentAdjustmentPlan | rb.RentAdjustmentRule,
    **changes: Any,  # noqa: ANN401
) -> rb.LeaseTerms:
    """Return a lease of 10,000 a month from January 2024, with plans or one for each January."""
    return plans_of.lease(*(plans or (by_index(),)), **{"item": item(), **changes})


def item(price: str = "10000.00", **changes: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    """Return a monthly rent from January 2024."""
    first = opening("2024-01-01/2024-01-31", price=price)
    return rent(price, first_billing_period_bill_item=first, **changes)


def of(price: str = "10000.00", **changes: Any) -> rb.LeaseTerms:  # noqa: ANN401
    """Return a lease of one such rent, adjusted each January."""
    return lease(item=item(price, **changes))


def quarterly(start: int = 1, price: str = "30000.00", **changes: Any) -> rb.LeaseTerms:  # noqa: ANN401
    """Return a lease of 30,000 a quarter from January 2024, adjusted each February."""
    first = opening("2024-01-01/2024-03-31", price=price)
    cycle = rb.BillingCycle(period_length=3, start=start)
    paid = rent(price, first_billing_period_bill_item=first, billing_cycle=cycle)
    return lease(by_index(adjustment_month=2), item=paid, **changes)


def totals(terms: rb.LeaseTerms, days: str, **asked: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    return [
        (str(bill.due_date), str(bill.total.amount))
        for bill in rb.pending_bills(terms, days, **{"indices": INDEX, **asked})
    ]


@rows(
    ("code", "floor", "stated", "billed"),
    [
        # 15,000.01 × 30 / 31 = 14,516.138…; of 15,000.005 it would be 14,516.133….
        ("EUR", "15000.005", "15000.01", "14516.14"),
        ("EUR", "15000.004", "15000.00", "14516.13"),
        ("JPY", "15000.4", "15000", "14516"),
        ("KWD", "15000.0005", "15000.001", "14516.130"),
    ],
)
@pytest.mark.parametrize("at_start", [True, False])
def test_a_floor_finer_than_the_minor_unit_is_in_force_as_stated(
    code: str, floor: str, stated: str, billed: str, *, at_start: bool
) -> None:
    """The index fell by 10 percent, and 30 of 31 days are billed (A38, A40)."""
    least = rb.Amount(Decimal(floor), code)
    price = least if at_start else rb.Amount(16000, code)
    clause = rb.IndexClause(floor_at_start=True) if at_start else rb.IndexClause(floor_amount=least)
    first = item().first_billing_period_bill_item.evolve(amount=price)
    changes = {"first_billing_period_bill_item": first, "ended_on": day("2025-01-30")}
    paid = item().evolve(amount=price, **changes)
    terms = lease(by_index(index_clause=clause), item=paid)
    fallen = rb.IndexSeries("NPI", {"2023-10": 100, "2024-10": 90})

    made = rb.rent_adjustments(terms, IN_2025, indices=fallen)

    assert f"{stated} {code}" == str(made[0].to_period_amount)
    assert [billed] == [text for _, text in totals(terms, "2025-01", indices=fallen)]
    assert rb.explain(made, adjustment=0).result == made[0].to_period_amount


@rows(("carried", "later"), [("rounded", "24000.00"), ("exact", "24000.01")])
def test_a_price_finer_than_the_minor_unit_that_no_rule_lowers_is_in_force_as_stated(
    carried: str, later: str
) -> None:
    """16,000.0049 is stated as 16,000.00, and 30 of 31 days of that are billed (A38).

    The index rose by 2 percent, below its threshold, and 5 percent more are not lower than that.
    A year later it rose by half since: 24,000.00735 of the exact amount.
    """
    lower = by_steps(step(2025, "5 %"), step(2026, "60 %"), combine="lower_of", carried=carried)
    paid = item("16000.0049", ended_on=day("2025-01-30"))
    terms = lease(plan(by_index(threshold="0.1"), lower), item=paid)
    half_more = rb.IndexSeries("NPI", {"2023-10": 100, "2024-10": 102, "2025-10": 150})
    made = rb.rent_adjustments(terms, IN_2025, indices=half_more)
    goes_on = lease(*terms.rent_adjustment_plans, item=paid.evolve(ended_on=None))

    assert "16000.00 DKK" == str(made[0].to_period_amount)
    # Of 16,000.0049 it would be 15,483.876.
    assert [("2025-01-01", "15483.87")] == totals(terms, "2025-01", indices=half_more)
    assert rb.explain(made, adjustment=0).result == made[0].to_period_amount
    assert [("2026-01-01", later)] == totals(goes_on, "2026-01", indices=half_more)


IN_2025 = "2025-01-01/2025-12-31"
WAITING = rb.BillingPolicy(mid_period_change="next_period")
BY_START = rb.BillingPolicy(select="accounting_period")
NO_INDEX: dict[str, Any] = {"indices": None}
THREE_UNITS: dict[str, Any] = {"price": "1111.11", "quantity": Decimal(3)}
SIX_LATER = quantity_from("2025-02-01", "6")
# fmt: off
TOTALS: list[tuple[str, rb.LeaseTerms, str, dict[str, Any]]] = [
    # A change inside a quarter can wait for the next: the quarter from January stays at 30,000, the
    # next one has 30,600 (A19).
    ("2025-01-01 30000.00, 2025-04-01 30600.00", quarterly(), "2025-01-01/2025-06-30",
     {"policy": WAITING}),
    # It is not needed for this one then (A19, A41).
    ("2025-01-01 30000.00", quarterly(), "2025-01-01/2025-03-31", {"policy": WAITING, **NO_INDEX}),
    # December's bill does not ask for January's adjustment, whose index is missing (A41, A42).
    ("2024-12-01 10000.00", lease(), "2024-12-01/2024-12-31", NO_INDEX),
    # Nor by accounting period (A15, A41).
    ("2024-12-01 10000.00", lease(), "2024-12-01/2024-12-31", {"policy": BY_START, **NO_INDEX}),
    ("2025-01-01 10200.00", lease(), "2025-01-01/2025-01-31", {"policy": BY_START}),
    # After the contract's end nothing is billed, and nothing adjusted (A17, A32).
    ("", lease(contract_end=day("2024-12-31")), "2025-01-01/2026-12-31", NO_INDEX),
    ("", lease(contract_end=day("2024-12-31")), IN_2023, {"policy": BY_START, **NO_INDEX}),
    # 3,400.00 / 3 × 6 units is 6,800.00, not 6 × 1,133.33 (A38).
    ("2025-01-01 3400.00, 2025-02-01 6800.00", of(**THREE_UNITS, quantity_records=(SIX_LATER,)),
     "2025-01-01/2025-02-28", {}),
    # 12,000 recorded for 1 January 2025 is what was made of it, and not adjusted again (A18).
    ("2025-01-01 12000.00", of(amount_records=(price_from("2025-01-01", "12000.00"),)),
     "2025-01-01/2025-01-31", {}),
    # 10,200 less 10 percent is 9,180: the amount before discount is adjusted (A25).
    ("2025-01-01 9180.00", of(discount=rb.Discount(percentage=Decimal("0.1"))),
     "2025-01-01/2025-01-31", {}),
]
# fmt: on


@rows(("expected", "terms", "days", "asked"), TOTALS)
def test_bills_of_an_adjusted_rent_come_to(
    expected: str, terms: rb.LeaseTerms, days: str, asked: dict[str, Any]
) -> None:
    assert expected == ", ".join(map(" ".join, totals(terms, days, **asked)))


def test_a_bill_uses_the_amount_in_force() -> None:
    """10,000 × 102/100 from January 2025, × 105/102 = 10,500 from January 2026 (A42)."""
    found = totals(lease(), "2024-12-01/2026-02-28")
    assert [("2024-12-01", "10000.00"), ("2025-01-01", "10200.00")] == found[:2]
    assert [("2025-12-01", "10200.00"), ("2026-01-01", "10500.00")] == found[12:14]


def test_a_change_inside_a_quarter_splits_it() -> None:
    """January at 30,000/3, February and March at 30,600 × 2/3 = 20,400 (A19)."""
    (bill,) = rb.pending_bills(quarterly(), "2025-01-01/2025-01-31", indices=INDEX)
    assert [
        (period("2025-01-01/2025-01-31"), amount("10000.00")),
        (period("2025-02-01/2025-03-31"), amount("20400.00")),
    ] == [(line.accounting_period, line.net_price) for line in bill.lines]


def test_a_quarter_billed_in_advance_needs_the_index_inside_it() -> None:
    """The bill of 1 January pays for February too, which has another price (A19, A41)."""
    error = refused(
        lambda: rb.pending_bills(quarterly(), "2025-01-01/2025-01-31"), rb.MissingIndexError
    )
    assert ("missing_series", "2025-02-01") == (error.code, error.facts["adjusted_on"])


def test_a_quantity_keeps_the_exact_price_of_a_unit() -> None:
    """3 × 1,111.11 = 3,333.33; × 1.02 = 3,399.9966, carried on as 3,400.00 (A38)."""
    terms = of("1111.11", quantity=Decimal(3))
    (bill,) = rb.pending_bills(terms, "2025-01-01/2025-01-31", indices=INDEX)
    assert amount("3400.00") == bill.lines[0].net_price
    assert Decimal(3) == bill.lines[0].quantity


def test_an_agreed_amount_is_what_the_next_adjustment_multiplies() -> None:
    """12,000 from July 2025 (A18) × 105/102 is 12,352.94 from January 2026."""
    agreed = price_from("2025-07-01", "12000.00")
    found = dict(totals(of(amount_records=(agreed,)), "2025-01-01/2026-01-31"))
    assert "10200.00" == found["2025-01-01"]
    assert "12000.00" == found["2025-12-01"]
    assert "12352.94" == found["2026-01-01"]


def test_a_notice_about_an_exact_price_can_be_read() -> None:
    """10 / 3 of a unit less 5 stops at zero, and the notice shows the exact price (A22, A38)."""
    off = rb.Discount(amount=amount("3.00"))
    first = opening("2024-01-01/2024-01-31", price="10.00")
    three = rent("3.50", quantity=Decimal(3), discount=off, first_billing_period_bill_item=first)
    lower = by_steps(step(2025, "5.00", level=True))
    terms = lease(lower, item=three)
    policy = rb.BillingPolicy(increment_amount="per_period")
    found = rb.pending_bills(terms, "2025-01-01/2025-01-31", policy=policy)
    assert [("discount_stopped_at_zero", "5/3")] == [
        (notice.code, dict(notice.facts)["amount"]) for notice in found.notices
    ]


@rows("listed", [(), (rb.RentAdjustment(adjusted_on=date(2024, 6, 1)),)])
def test_a_notice_about_an_adjusted_price_shows_its_minor_units(
    listed: tuple[rb.RentAdjustment, ...],
) -> None:
    """100.00 × 0.9802 less 99.50 stops at zero (A22), with and without steps of the adjustment."""
    index = rb.IndexSeries("CPI", {"2023-10": "100.00", "2024-10": "98.02"})
    off, first = (
        rb.Discount(amount=amount("99.50")),
        opening("2024-01-01/2024-01-31", price="100.00"),
    )
    item = rent("100.00", discount=off, first_billing_period_bill_item=first)
    terms = lease(plan(by_index(), adjustments=listed), item=item)
    found = rb.pending_bills(terms, "2025-01-01/2025-01-31", indices=index)
    assert "98.02" == dict(found.notices[-1].facts)["amount"]


def test_bills_and_adjustments_come_together() -> None:
    """`bill_period` gives the bills of `pending_bills` and the adjustments (A42)."""
    days = IN_2025
    found = rb.bill_period(lease(), days, indices=INDEX)
    assert rb.pending_bills(lease(), days, indices=INDEX).bills == found.bills
    assert tuple(rb.rent_adjustments(lease(), days, indices=INDEX)) == found.adjustments
    assert 1 == len(found.adjustments)


def test_bills_and_adjustments_are_written_together_in_full() -> None:
    """`dumps(…, full=True)` has both, and reading it gives both again (A56)."""
    found = rb.bill_period(lease(), IN_2025, indices=INDEX)
    text = rb.dumps(found, full=True)
    again = rb.loads(text, rb.BillingResult)
    assert found.bills == again.bills
    assert found.adjustments == again.adjustments
    assert "recurring-1" == again.adjustments[0].adjustee_id
    assert text == rb.dumps(again, full=True)
    assert [] == list(
        Draft202012Validator(schema_of("BillingResultFull")).iter_errors(json.loads(text))
    )


def test_the_plain_form_of_bills_is_the_interfaces() -> None:
    found = rb.bill_period(lease(), "2025-01-01/2025-01-31", indices=INDEX)
    assert rb.dumps(rb.pending_bills(lease(), "2025-01-01/2025-01-31", indices=INDEX)) == rb.dumps(
        found
    )


def test_a_wrong_adjustment_beside_bills_is_refused_with_its_place() -> None:
    """What was written in full is read as strictly (A56)."""
    text = '{"bills": [], "adjustments": [{"adjustedOn": "soon"}]}'
    assert [("adjustments[0].adjustedOn", "not_a_date")] == faults(
        lambda: rb.loads(text, rb.BillingResult)
    )


def test_pending_bills_have_no_adjustments() -> None:
    found = rb.pending_bills(lease(), IN_2025, indices=INDEX)
    assert () == found.adjustments


def test_terms_without_plans_have_no_adjustments() -> None:
    assert () == rb.bill_period(rent(), "2026-01-01/2026-12-31").adjustments


def test_compiled_terms_bill_in_any_order() -> None:
    compiled = rb.compile_terms(lease(), indices=INDEX)
    for days in ("2026-01-01/2026-12-31", "2024-01-01/2024-12-31", IN_2025):
        assert rb.pending_bills(lease(), days, indices=INDEX) == rb.pending_bills(compiled, days)


def test_compiled_terms_have_their_indices() -> None:
    compiled = rb.compile_terms(lease(), indices=INDEX)
    assert "InvalidRecordError: indices contradiction" == refusal_text(
        lambda: rb.pending_bills(compiled, "2025-01-01/2025-01-31", indices=INDEX)
    )


def test_a_refusal_half_way_leaves_nothing_half_done() -> None:
    """A missing index of 2028 does not spoil the bills of 2025, asked for afterwards (A41)."""
    compiled = rb.compile_terms(lease(), indices=INDEX)
    with pytest.raises(rb.MissingIndexError):
        rb.pending_bills(compiled, "2028-01-01/2028-12-31")
    assert "10200.00" == str(rb.pending_bills(compiled, "2025-01-01/2025-01-31")[0].total.amount)


def test_a_missing_index_can_be_a_notice() -> None:
    """The bill goes on with the amount in force, and says so (A41)."""
    going_on = rb.BillingPolicy(missing_index="notice")
    found = rb.pending_bills(lease(), "2025-01-01/2025-01-31", policy=going_on)
    assert ["10000.00"] == [str(bill.total.amount) for bill in found]
    assert ["missing_index"] == [notice.code for notice in found.notices]


def test_two_vats_of_a_quarter_stay_apart() -> None:
    """Only the adjusted item is split; the other item of the bill is not (A19)."""
    (paid,) = quarterly().recurring_bill_items
    other = paid.evolve(product_key="key:heat", vat=vat("Exclusive", "0.25"))
    terms = quarterly().evolve(
        recurring_bill_items=(paid, other),
        rent_adjustment_plans=(plan(by_index(adjustment_month=2), adjustee_ref="recurring-1"),),
    )
    bills = rb.pending_bills(terms, "2026-01-01/2026-03-31", indices=INDEX)
    kinds = [(line.product_key, line.kind) for bill in bills for line in bill.lines]
    assert [("key:rent", "part"), ("key:rent", "part"), ("key:heat", "regular")] == kinds


def test_listed_adjustments_are_billed_without_an_index() -> None:
    """What a service made is taken as made: no index is needed for it (A38)."""
    made = rb.rent_adjustments(lease(), IN_2025, indices=INDEX)
    listed = rb.adjusted_terms(lease(), made)
    assert "10200.00" == dict(totals(listed, IN_2025, indices=None))["2025-12-01"]


def test_too_many_lines_are_refused_before_computing() -> None:
    """The lines of an adjusted lease count too (A60)."""
    few = rb.BillingPolicy(max_lines=13)
    assert "UnsupportedCaseError: too_many_lines" == refusal_text(
        lambda: rb.pending_bills(lease(), "2024-01-01/2025-12-31", indices=INDEX, policy=few)
    )


# ------------------------------------------------------------------------------------- balances


def with_deposit(
    balance: rb.Balance | None = None,
    rent: str = "10000.00",
    **plan_fields: Any,  # noqa: ANN401
) -> rb.LeaseTerms:
    """Return a lease whose plan adjusts its rent and a deposit of 30,000 for three months."""
    both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True, **plan_fields)
    there = balance or deposit(months="3")
    return of(rent).evolve(rent_adjustment_plans=(both,), balances=(there,))


# fmt: off
DEPOSITS: list[tuple[rb.LeaseTerms, str, str, list[tuple[str, str, str]]]] = [
    # The default policy bills no balance (A39).
    (with_deposit(), IN_2025, "not_billed", []),
    # 3 × 10,200 − 30,000 = 600 on 1 January 2025.
    (with_deposit(), IN_2025, "once", [("2025-01-01", "2025-01-01/2025-01-31", "600.00")]),
    # 600 over the deposit's three months: 200 on the first of each.
    (with_deposit(), IN_2025, "instalments",
     [("2025-01-01", "2025-01-01/2025-01-31", "200.00"),
      ("2025-02-01", "2025-02-01/2025-02-28", "200.00"),
      ("2025-03-01", "2025-03-01/2025-03-31", "200.00")]),
    (with_deposit(), "2025-02-01/2025-02-28", "instalments",
     [("2025-02-01", "2025-02-01/2025-02-28", "200.00")]),
    # Instalments lose no cent: 10,005 × 1.02 = 10,205.10; × 2.5 = 25,512.75, so that 4,487.25 are
    # given back, in three parts.
    (with_deposit(deposit(months="2.5"), "10005.00"), IN_2025, "instalments",
     [("2025-01-01", "2025-01-01/2025-01-31", "-1495.75"),
      ("2025-02-01", "2025-02-01/2025-02-28", "-1495.75"),
      ("2025-03-01", "2025-03-01/2025-03-31", "-1495.75")]),
    # Without months nobody knows how many instalments there would be.
    (with_deposit(deposit()), IN_2025, "instalments",
     [("2025-01-01", "2025-01-01/2025-01-31", "600.00")]),
    # The index of 2026 is that of 2025, so nothing is billed in January 2027.
    (with_deposit(), "2027-01-01/2027-12-31", "once", []),
]
# fmt: on


@rows(("terms", "days", "change", "expected"), DEPOSITS)
def test_changes_of_a_deposit_are_billed(
    terms: rb.LeaseTerms, days: str, change: str, expected: list[tuple[str, str, str]]
) -> None:
    policy = rb.BillingPolicy.from_data({"balanceChange": change})
    found = rb.pending_bills(terms, days, indices=INDEX, policy=policy)

    assert expected == [
        (str(bill.due_date), str(line.accounting_period), str(line.net_price.amount))
        for bill in found
        for line in bill.lines
        if line.kind == "balance"
    ]


@rows(
    ("mode", "parts"),
    [("half_up", ["233.33", "233.34", "233.33"]), ("down", ["233.33", "233.33", "233.34"])],
)
def test_instalments_are_rounded_by_the_policy(mode: Any, parts: list[str]) -> None:  # noqa: ANN401
    """700 in thirds: 233.33, and 466.66… is 466.67 or, cut down, 466.66 (A21, A39)."""
    policy = rb.BillingPolicy(balance_change="instalments", rounding=mode)
    found = rb.pending_bills(
        with_deposit(deposit("29900.00", "3")), IN_2025, indices=INDEX, policy=policy
    )
    lines = [(bill, at, line) for bill in found for at, line in enumerate(bill.lines)]
    changes = [each for each in lines if each[2].kind == "balance"]

    assert [amount(part) for part in parts] == [line.net_price for _, _, line in changes]
    for bill, at, line in changes:
        assert line.net_price == rb.explain(found, bill=bill, line=at).result


def test_the_lines_of_a_deposit_have_the_plans_vat_and_the_balances_product() -> None:
    """A deposit billed under a product of its own, with VAT (A39)."""
    terms = with_deposit(
        deposit(months="3", product_key="key:deposit"), vat=vat("Exclusive", "0.25")
    )
    policy = rb.BillingPolicy(balance_change="once")
    (bill,) = rb.pending_bills(terms, "2025-01-01/2025-01-31", indices=INDEX, policy=policy)
    assert ["key:rent", "key:deposit"] == [line.product_key for line in bill.lines]
    assert vat("Exclusive", "0.25") == bill.lines[1].vat
    assert amount("10950.00") == bill.total
