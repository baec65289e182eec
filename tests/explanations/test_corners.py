"""Explanations of what is rare: each is replayed, and the step that tells most is shown."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.testing import a_rent
from rentbilling.values import plain_data
from tests.oracle.workings import replayed
from tests.support.explained import check
from tests.support.plans import (
    TO_2021,
    TO_2022,
    by_index,
    by_steps,
    deposit,
    home,
    lease,
    octobers,
    plan,
    ruled,
    series,
    step,
    whole,
    with_listed,
    years,
)
from tests.support.rents import YEAR, amount, day, fee, price_from, quarterly, rent, vat
from tests.support.rows import rows

TENTHS = octobers(100, 110, 121, "133.1", "146.41", "161.051")
ONCE = rb.BillingPolicy(balance_change="once")
IN_FEBRUARY: dict[str, Any] = {"bill": "2026-02-01"}
LINE: dict[str, Any] = {"bill": "2026-02-01", "line": 0}
FIRST_LINE: dict[str, Any] = {"bill": 0, "line": 0}


def first_of(
    terms: rb.LeaseTerms,
    values: Any = TENTHS,  # noqa: ANN401
    at: int = 0,
    days: str = TO_2022,
    **policy: Any,  # noqa: ANN401
) -> rb.Working:
    rules = rb.BillingPolicy(**policy)
    made = rb.rent_adjustments(terms, days, indices=values, policy=rules)
    found = rb.explain(made, adjustment=at)
    assert found.result == replayed(found)
    return found


def billed(items: Any, days: str = YEAR, **policy: Any) -> rb.BillingResult:  # noqa: ANN401
    found = rb.pending_bills(items, days, policy=rb.BillingPolicy(**policy))
    check(found)
    return found


def discounted(off: rb.Discount | str, later: str | None = None) -> rb.RecurringBillItem:
    """Return the rent with a discount, of an amount, and another price from February on."""
    records = () if later is None else (price_from("2026-02-01", later),)
    given = rb.Discount(amount=amount(off)) if isinstance(off, str) else off
    return rent(discount=given, amount_records=records)


def weekly(price: str = "8500.00", weeks: int = 1, **changes: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    cycle = rb.BillingCycle(time_unit="Week", period_length=weeks)
    return rent(price, billing_cycle=cycle, **changes)


def due(number: int, relative_to: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    return rent(due_date_rule=rb.DueDateRule(day_of_period=number, relative_to=relative_to))


TWO_WEEKS = weekly("140.00", 2, amount_records=(price_from("2026-02-05", "280.00"),))
CHANGED = quarterly("900.00", amount_records=(price_from("2026-02-15", "1800.00"),))
CHANGED_TWICE = quarterly(
    "300.00",
    amount_records=(price_from("2026-02-01", "600.00"), price_from("2026-03-01", "100.00")),
)
TWO_LATER = rent(
    description="Leje",
    quantity_records=(rb.QuantityRecord(value=Decimal(2), start=day("2026-02-01")),),
)
LOWERED = discounted(rb.Discount(amount=amount("500.00"), description="Rabat"))
OF_ITS_FIRST_DAY = quarterly(
    discount=rb.Discount(percentage=Decimal("0.1"), end_date=day("2026-01-31")),
    amount_records=(price_from("2026-02-10", "600.00"),),
    quantity_records=(rb.QuantityRecord(value=Decimal(2), start=day("2026-02-20")),),
    ended_on=day("2026-03-15"),
)
"""A quarter in which price and discount change and the item ends."""
SIXTY = rb.Discount(percentage=Decimal("0.6"))

# fmt: off
BILLS: list[tuple[str, Any, dict[str, Any]]] = [
    # A part of a period by every method (A20), 1 to 20 February 2026, of 28 days: 20/28, 20/30,
    # 20 × 12 / 365; more than 14 days are a whole month.
    *((f"share of the period: {share}", rent(ended_on=day("2026-02-20")),
       IN_FEBRUARY | {"part_period": method})
      for method, share in (
        ("actual_days", "5/7 (0.7142…) = 20 / 28"),
        ("period_days", "5/7 (0.7142…) = 20 / 28"),
        ("thirty_day", "2/3 (0.6666…) = 20 / 30"),
        ("year_365", "48/73 (0.6575…) = 240 / 365"),
        ("half_month", "1 = 20 of 28 days"),
        ("full", "1; a part counts as a whole period"))),
    # Fourteen days are half a month, and 8,500.00 becomes 4,250.00.
    *((told, rent(ended_on=day("2026-02-14")), IN_FEBRUARY | {"part_period": "half_month"})
      for told in ("total: 4,250.00 DKK",
                   "14 of 28 days, of which up to 14 count as half a month")),
    # A split of weeks counts days. Two weeks from Monday 2 February, changed on the 5th: 3 of 14
    # days, then 11 of 14.
    ("first start of the cycle: 2026-02-02 = the first Monday after", TWO_WEEKS,
     {"bill": "2026-02-02"}),
    ("share of the period: 3/14 (0.2142…) = 3 / 14 [A20]", TWO_WEEKS, {"bill": "2026-02-02"}),
    ("accounting period: 2026-02-16/2026-03-01 = 2 weeks, 1 period after", TWO_WEEKS,
     {"bill": "2026-02-16"}),
    # An end cuts a week.
    ("share of the period: 3/7 (0.4285…) = 3 / 7", weekly(ended_on=day("2026-02-04")),
     {"bill": "2026-02-02"}),
    # A split by thirty days weighs with them. A quarter changed on 15 February: 44 and 46 days of
    # 90, and an end cuts both.
    ("share of the period: 22/45 (0.4888…) = 44 / 90 [A20]", CHANGED,
     {"bill": 0, "part_period": "thirty_day"}),
    ("share of the part: 22/45 (0.4888…) = (5/6) × (44/75) [A20]",
     CHANGED.evolve(ended_on=day("2026-03-15")), {"bill": 0, "part_period": "thirty_day"}),
    # Cycles of thirty days follow an opening that ends on 31 January directly.
    ("first start of the cycle: 2026-02-01 = the day after 2026-01-31 [A8]",
     rent(billing_cycle=rb.BillingCycle(time_unit="Day", period_length=30)),
     {"bill": "2026-03-03"}),
    # So do cycles of five months an opening of one from a possible start (A151); another opening
    # waits for January.
    *((f"first start of the cycle: {told} [A8]",
       a_rent(months=5, moved_in=moved_in), {"bill": bill, "days": "2026-01-01/2027-12-31"})
      for moved_in, bill, told in (
        ("2026-01-01", "2026-11-01", "2026-06-01 = the day after 2026-05-31"),
        ("2026-08-01", "2027-06-01",
         "2027-01-01 = the first beginning of January after 2026-12-31"))),
    # 61 of the 62 days of July and August are 61 × 6 / 365 periods, so one (A20).
    ("share as year_365 counts: 366/365",
     a_rent(amount=1000, moved_in="2026-01-01", months=2, ended_on="2026-08-30"),
     FIRST_LINE | {"days": "2026-07", "part_period": "year_365"}),
    # January and 15 days of February are (1 + 15/30) / 3 of a quarter (A66).
    ("450.00", a_rent(amount=900, moved_in="2025-10-01", months=3, ended_on="2026-02-15"),
     FIRST_LINE | {"days": "2026-01", "part_period": "days_over_30"}),

    # Why a bill of February falls due when it does (A10, A51).
    ("due date: 2026-02-15 = 14 days after 2026-02-01", due(15, "start"), {"bill": "2026-02-15"}),
    ("day that there is: 28 = 31, at most 28; a day past", due(31, "start"),
     {"bill": "2026-02-28"}),
    ("due date: 2026-03-01 = 1 day after 2026-02-28", due(1, "end"), {"bill": "2026-03-01"}),
    ("due date: 2026-02-28; the last day of the period", due(-1, "end"), {"bill": "2026-02-28"}),
    ("day that there is: 31 = 40, at most 31", due(40, "end"), {"bill": "2026-03-31"}),
    # Friday 1 May 2026 is closed, Saturday and Sunday follow: Monday the 4th (A11).
    ("moved over holiday 2026-05-01, Saturday 2026-05-02, Sunday 2026-05-03 [A11]", rent(),
     {"bill": "2026-05-04", "business_day": "following", "holidays": {date(2026, 5, 1)}}),

    # Discounts, records and openings.
    # An opening may be discounted: 4,661.29 less half is 2,330.645 (A24).
    ("price after discount: 2,330.645 DKK = 4,661.29 − 2,330.645 [A24]",
     discounted(rb.Discount(percentage=Decimal("0.5"))), FIRST_LINE | {"discount_opening": True}),
    # 100.00 off 40.00 stop at zero (A22), and take nothing off a later price of −40.00.
    ("net price: 0.00 DKK = -60.00, at least 0; the discount is larger",
     discounted("100.00", "40.00"), LINE),
    ("takes nothing off a credit [A22]", discounted("100.00", "-40.00"), LINE),
    # 8,500.00 less 500.00 (A22).
    ("net price: 8,000.00 DKK = 8,500.00 − 500.00 [A22]", LOWERED, LINE),
    ("discount: 500.00 DKK; Rabat [A22]", LOWERED, LINE),
    # The first day of a period may decide (A19, A23).
    *(("to 2026-01-31 included", OF_ITS_FIRST_DAY, {"bill": 0, way: word})
      for way, word in (("discount_end", "whole_period"), ("mid_period_change", "next_period"))),
    # Three parts of a split: running totals of the parts before are told once (A21).
    ("exact parts before: 300.00 DKK = 100.00 + 200.00 [A21]", CHANGED_TWICE,
     {"bill": 0, "line": 2}),
    ("line 3 of 3: 33.33 DKK", CHANGED_TWICE, {"bill": 0, "line": 2}),
    # A line tells its text, and a quantity since when.
    ("line 1 of 1: 17,000.00 DKK; Leje (key:rent), whole period [A21]", TWO_LATER, LINE),
    ("quantity: 2, in force on 2026-02-01, since 2026-02-01 [A18]", TWO_LATER, LINE),
    # −1,000 less 60 % of it twice is 200, so that nothing is left (A22, A61).
    ("at most 0",
     a_rent(amount=-1000, moved_in="2026-01-01", discounts=[SIXTY, SIXTY.evolve(of="list")]),
     FIRST_LINE | {"days": "2026-02"}),
    # 17 of 31 days of January: 100 × 17/31 off a stated opening (A24).
    ("discount of the share",
     a_rent(amount=1000, moved_in="2026-01-15", discount=rb.Discount(amount=amount("100"))),
     FIRST_LINE | {"days": "2026-01", "discount_opening": True}),
    # 0.11 has 0.022 of VAT inside: 0.02, so 0.09 net (A29).
    ("net price: 0.09 DKK = 0.11 − 0.02 [A29]", [fee("0.11", vat=vat("Inclusive", "0.25"))],
     FIRST_LINE | {"vat_rounding": "per_line"}),
]
OCTOBER = {"2019-10": "100", "2020-10": "110"}
INDEXES: list[tuple[str, rb.RentAdjustmentRule, rb.IndexSeries]] = [
    # Where a change comes from (A33, A40, A41).
    ("raw percentage: 2 %; published change of NPI to 2020 [A33]",
     ruled(reference="year_mean"), series({"2020": "0.02"}, kind="change")),
    ("raw percentage: 10 %; mean of 2 yearly changes of NPI to 2020 [A33]",
     ruled(reference="year_mean", mean_of=2, mean_of_what="changes"),
     years(100, 110, 121, first=2018)),
    ("NPI of 2020: 115.6 = 115.55 rounded half up to 0.1 [A40]",
     ruled(reference="year_mean", mean_of=2, mean_decimals=1),
     years(100, 110, "121.1", first=2018)),
    ("NPI of 2019-12: 100.5; stated by the contract [A40]",
     ruled(lag_months=2, base="2015=100", start_point="2019-12", start_index="100.5"),
     series({"2020-11": 110, "2019-11": 100})),
    ("NPI of 2020-10: 110; base 2015=100, assumed [A33]", by_index(),
     octobers(100, 110, provisional=["2019-10"], assumed=["2020-10"])),
    ("X of 2020-10: 110; provisional [A33]", by_index(),
     rb.IndexSeries("X", OCTOBER, provisional=["2020-10"])),
    ("X of 2020-10: 110; assumed [A33]", by_index(),
     rb.IndexSeries("X", OCTOBER, assumed=["2020-10"])),
    ("base 2015=100, provisional", by_index(), octobers(100, 110, provisional=["2020-10"])),
    ("NPI of 2020: 107.5; base 2015=100 [A33]", ruled(reference="year_mean"),
     series({f"{y}-{m:02d}": 100 + m + y - 2019 for y in (2019, 2020) for m in range(1, 13)})),
    ("NPI of 2020: 115.55 = 231.1 / 2; base 2015=100 [A40]",
     ruled(reference="year_mean", mean_of=2), years(100, 110, "121.1", first=2018)),
]
LIMITED = [
    # Where the rule goes on from another amount, its step is held within 1 % (A35).
    by_index(most="0.01", **fields) for fields in (
        {"basis": "anchored", "correction_factor": "1.1"},
        {"basis": "last_indexed", "indexed_share": "0.6"},
        {"basis": "last_indexed", "indexed_amount": "1000 DKK"},
        {"basis": "anchored", "after_limit": "carry"})
]
IN_STEPS = by_steps(step(2021, "100.00"), step(2022, "100.00"))
EXACT = by_index(carried="exact", amount_quantum="5000", amount_rounded="change")
BY_A_RECORD = home(amount_records=(price_from("2021-01-01", "10500.00"),))
BY_A_FINE_RECORD = home(amount_records=(price_from("2021-01-01", "10500.005"),))
STATED = rb.RentAdjustment(
    adjusted_on=day("2021-01-01"),
    adjustment_rules_effects=(rb.AdjustmentEffect(rent_adjustment_rule_id="rule-1"),),
)
BOTH: dict[str, Any] = {"adjusts_recurring_bill_item": True, "adjusts_balance": True}
OWN = plan(by_index(), adjusts_balance=True)
FLOORED = lease(ruled(floor_amount="1000 DKK"), item=home("-450.00"))
ADDED = lease(plan(by_index(), by_steps(step(2021, "1200.00"), combine="sum")))
ADJUSTMENTS: list[tuple[str, rb.LeaseTerms | rb.RentAdjustmentRule, dict[str, Any]]] = [
    # Steps of the clause that the shorter examples do not take (A35, A40): 10,000 that follows an
    # index which rises by a tenth each October.
    ("damped percentage: 7 % = 4 % + 3 % [A40]", ruled(excess_over="0.04", excess_share="0.5"), {}),
    ("= 10,000.00 + 500 [A40]", ruled(basis="anchored", share_of="money", share="0.5"), {}),
    ("years elapsed: 1 = 12 / 12 [A40]",
     by_index(most="0.03", limit_per="year_simple", interval_months=12), {}),
    ("to the power of (2/3) [A40]",
     by_index(most="0.03", limit_per="year_compound", limit_months=18), {}),
    ("minimum percentage: 0 % = 1 − 1 [A40]",
     by_index(least="0", most="0.03", limit_per="year_compound", limit_months=18), {}),
    ("applied percentage: 3 % = 3.33 % rounded half up to 1 % [A40]",
     ruled(percentage_decimals=0, percentage_rounded="applied", share="0.333"), {}),
    ("new amount: 10,900.00 DKK = 900 + 10,000.00 [A40]",
     ruled(amount_rounded="change", amount_quantum="300"), {}),
    ("last indexed amount: 9,000.00 DKK; stated by the clause for the first day [A40]",
     ruled(basis="last_indexed", base_amount="9000 DKK"), {}),
    ("first amount: 9,000.00 DKK; stated by the clause for the first day [A34]",
     ruled(basis="anchored", base_amount="9000 DKK", start_point="2019-10"), {}),
    ("part that counts: 0.5 = 12 / 24 [A40]", ruled(pro_rata="elapsed", pro_rata_months=24), {}),
    ("carried amount: 11,000.00 DKK; where the rule alone would have led to",
     by_index(most="0.03", after_limit="carry"), {"at": 1}),
    ("first amount: 10,000.00 DKK; what the rule counts from [A34]",
     by_index(most="0.15", after_limit="carry", basis="anchored"), {"at": 1}),
    ("part that counts: 11/12 (0.9166…) = 11 / 12 [A40]",
     by_index(first_year="2021", pro_rata="first_year"), {}),
    ("the exact amount that is carried on", ruled(carried="exact", share="0.333333"), {"at": 1}),
    ("= the larger of 11,000.00 and 12,000.00 [A40]", ruled(floor_amount="12000 DKK"), {}),
    ("own percentage: 6 % = 0.6 × 10 % [A40]", ruled(indexed_share="0.6"), {}),
    # A floor stands on the side of a credit: 450.00 and a tenth are 495.00, below 1,000.
    ("adjustment of 2021-01-01: -1,000.00 DKK", FLOORED, {}),
    ("= the larger of -495.00 and -1,000.00 [A40]", FLOORED, {}),
    # A new agreement: 9,900 agreed is what the factor 0.9 made of 11,000 (A34, A40).
    ("first amount: 11,000 = 9,900.00 / 0.9 [A40]",
     lease(ruled(basis="anchored", correction_factor="0.9"),
           item=home(amount_records=(price_from("2021-06-15", "9900.00"),))), {"at": 1}),
    *(("limited percentage: 1 %", lease(plan(limit, IN_STEPS)), {"at": at})
      for limit in LIMITED for at in (0, 1)),
    # Increments that add up: 10 % and 1,200 a year, both of 10,000 (A37).
    ("adjustment of 2021-01-01: 11,100.00 DKK", ADDED, {}),
    ("11,000.00 + 100", ADDED, {}),
    # A decrease of a credit stops at zero from below: −100 a month, 12,000 a year more (A26, A36).
    ("new amount: 0.00 DKK = 900, at most 0; a decrease stops at zero [A36]",
     lease(by_steps(step(2021, "12000.00")), item=home("-100.00")), {}),
    # An increment may be for a billing period: 1,000 a month (A36).
    ("increment: 1,000.00 DKK; of 2021, for a billing period [A36]",
     by_steps(step(2021, "1000.00")), {"values": None, "increment_amount": "per_period"}),
    # Exact amounts compete as they are carried on: 10,000 × 1.1 = 11,000 is carried on, and 10,000
    # billed, for 1,000 is nearer to 0 than to 5,000. 10,000 × 1.08 = 10,800 is lower than 11,000,
    # and 10,000 × 1.12 = 11,200 is not (A37, A38).
    *((f"adjustment of 2021-01-01: {to} DKK",
       lease(plan(EXACT, by_steps(step(2021, percent), combine="lower_of"))), {})
      for percent, to in (("8 %", "10,800.00"), ("12 %", "10,000.00"))),
    # 10,000 of a base of 14,000 stand still, and 10,000 are in force: no step can be limited.
    # 10,000 + 4,000 × 110 / 100 = 14,400, whatever the maximum of 5 percent.
    ("adjustment of 2021-01-01: 14,400.00 DKK",
     by_index(most="0.05", basis="anchored", indexed_amount="4000 DKK", base_amount="14000 DKK"),
     {}),

    # Adjustments that were not computed (A18, A38).
    # An amount record of the day of an adjustment, and one with more decimals than the currency.
    ("2021-01-01: an amount record of the day [A18]", lease(by_index(), item=BY_A_RECORD), {}),
    ("adjustment of 2021-01-01: 10,500.00 DKK", lease(by_index(), item=BY_A_RECORD), {}),
    ("10,500.005 rounded half up to 0.01 [A38]", lease(by_index(), item=BY_A_FINE_RECORD), {}),
    ("adjustment of 2021-01-01: 10,500.01 DKK", lease(by_index(), item=BY_A_FINE_RECORD), {}),
    ("amount: 10,000.00 DKK; listed without its amounts [A38]",
     with_listed(lease(by_index()), [STATED]), {}),

    # Deposits (A39).
    # Three months of 10,000 where a plan only gives the dates.
    ("new balance: 30,000.00 DKK = 3 × 10,000.00 [A39]",
     lease(OWN, balances=(deposit(months="3"),)), {}),
    ("a rent of 0 has no factor [A39]",
     lease(plan(by_index(), **BOTH), balances=(deposit(),), item=home("0.00")), {}),
    # 30,000 and a tenth by rules of its own.
    ("new balance: 33,000.00 DKK = 30,000.00 × 1.1 [A34]",
     lease(OWN, balances=(deposit(),)), {}),
    ("adjustment of 2021-01-01: 33,000.00 DKK", lease(OWN, balances=(deposit(),)), {}),
]
# fmt: on


@rows(("told", "items", "asked"), BILLS)
def test_a_bill_tells(told: str, items: Any, asked: dict[str, Any]) -> None:  # noqa: ANN401
    policy = {name: asked[name] for name in asked.keys() - {"bill", "line", "days"}}
    result = billed(items, asked.get("days", YEAR), **policy)

    assert told in str(rb.explain(result, bill=asked["bill"], line=asked.get("line")))


def test_a_total_without_lines_is_stated() -> None:
    bill = billed(fee("1.00"))[0]
    totals = [*bill.raw_totals, (vat("Exclusive", "0.25"), 0, 0)]
    read = rb.PendingBill(bill.due, "DKK", 2, bill.raw_lines, totals, bill.sums)

    assert "no line has it" in str(rb.explain(read, vat=1))


@rows(("told", "rule", "values"), INDEXES)
def test_a_change_of_an_index_tells(
    told: str, rule: rb.RentAdjustmentRule, values: rb.IndexSeries
) -> None:
    assert told in str(first_of(lease(rule), values, days=TO_2021))


@rows(("told", "terms", "asked"), ADJUSTMENTS)
def test_an_adjustment_tells(
    told: str, terms: rb.LeaseTerms | rb.RentAdjustmentRule, asked: dict[str, Any]
) -> None:
    assert told in str(first_of(whole(terms), **asked))


def told_by_line(*plans: rb.RentAdjustmentPlan, days: str, **changes: Any) -> rb.BillingResult:  # noqa: ANN401
    """Return bills of changes of balances, each replayed."""
    result = rb.pending_bills(lease(*plans, **changes), days, indices=TENTHS, policy=ONCE)
    check(result)
    return result


def test_the_line_of_a_listed_adjustment() -> None:
    """10,777.00 since 1 January 2021, as listed."""
    told = rb.RentAdjustment(adjusted_on=day("2021-01-01"), to_period_amount=amount("10777.00"))
    given = plan(by_index(), adjustments=(told,))
    result = told_by_line(given, days="2021-02-01/2021-02-28")

    assert "2021-01-01: taken as listed by the service" in str(rb.explain(result))


def test_balances_that_are_listed() -> None:
    """Finer than a minor unit, each is rounded where it is billed (A39)."""
    listed = tuple(
        rb.RentAdjustment(adjusted_on=day(when), to_balance_amount=amount(price))
        for when, price in (("2021-01-01", "30000.005"), ("2022-01-01", "30000.010"))
    )
    own = OWN.evolve(adjustee_ref="balance-1", adjustments=listed)
    balances = (deposit(), deposit(id="other"))
    result = told_by_line(own, days="2021-01-01/2022-12-31", balances=balances)

    assert "taken as listed by the service" in str(rb.explain(result, bill="2021-01-01"))


def test_a_line_is_for_its_own_balance() -> None:
    plans = [OWN.evolve(adjustee_ref=name) for name in ("one", "two")]
    balances = (deposit(id="one"), deposit("600.00", id="two"))
    result = told_by_line(*plans, days="2021-01-01/2021-01-31", balances=balances)

    assert amount("60.00") == rb.explain(result, bill=0, line=-1).result


def test_a_line_that_no_change_leads_to_is_a_fault() -> None:
    result, other = (
        told_by_line(plan(by_index(), **BOTH), days=days, balances=(deposit(months="3"),))
        for days in ("2021-01-01/2021-01-31", "2022-01-01/2022-01-31")
    )
    figures, _, _ = result[0].raw_lines[1]
    _, first, last = other[0].raw_lines[1]
    bill = rb.PendingBill(
        other[0].due, "DKK", 2, [(figures, first, last)], other[0].raw_totals, other[0].sums
    )
    wrong = rb.BillingResult([bill], source=other.source)

    with pytest.raises(RuntimeError, match="no change of a balance leads to the line"):
        rb.explain(wrong, bill=0, line=0)


def test_a_change_of_nothing_has_no_instalments() -> None:
    """April has a third of February's 300.00 and of its own 1,212.00; March changed nothing.

    10,000 × 101 / 100 = 10,100 in February, × 105.04 / 101 = 10,504 in April.
    """
    both = plan(ruled(interval_months=1, lag_months=2), **BOTH)
    flat = series({"2019-11": 100, "2019-12": 101, "2020-01": 101, "2020-02": "105.04"})
    parts = rb.BillingPolicy(balance_change="instalments")
    terms = lease(both, balances=(deposit(months="3"),))
    result = rb.pending_bills(terms, "2020-02-01/2020-04-30", indices=flat, policy=parts)
    check(result)
    (bill,) = (each for each in result if each.due_date == day("2020-04-01"))

    assert ["10504.00", "100.00", "404.00"] == [f"{line.net_price.amount:f}" for line in bill.lines]


def test_a_line_as_data_has_its_discounts() -> None:
    item = a_rent(moved_in="2026-01-01", discount=rb.Discount(percentage=Decimal("0.1")))
    (bill,) = rb.pending_bills(item, "2026-02")

    assert len(plain_data(bill.lines[0])["discounts"]) == 1


def test_a_line_is_explained_although_another_of_its_bill_is_wrong() -> None:
    result = rb.pending_bills([fee("100.00"), fee("50.00")], YEAR)
    result[0].raw_lines[1][0].base += 1

    assert amount("100.00") == rb.explain(result, bill=0, line=0).result
    with pytest.raises(RuntimeError, match=r"leads to 50\.00 DKK, and the figure is 50\.01 DKK"):
        rb.explain(result, bill=0, line=1)
