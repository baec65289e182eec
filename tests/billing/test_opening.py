"""The opening period: a price for it where none was agreed, asked for and never silent (A14)."""

from decimal import Decimal
from typing import Any

import rentbilling as rb
from rentbilling.billing import opening_by_rule
from rentbilling.whatif import raise_rent
from tests.support.refusals import Call, refusal_text
from tests.support.rents import Terms, amount, day, lines_of, opening, price_from, rent
from tests.support.rows import rows

FIVE_MONTHS, QUARTER = (rb.BillingCycle(period_length=length) for length in (5, 3))
TEN_DAYS = rb.BillingCycle(time_unit="Day", period_length=10)
POINTS = rb.BillingPolicy(currencies={"POINTS": 1})


def weeks(length: int, start: int = 1) -> rb.BillingCycle:
    return rb.BillingCycle(time_unit="Week", period_length=length, start=start)


def years(start: int = 1, start_day: int = 1) -> rb.BillingCycle:
    """Return a cycle of two years."""
    return rb.BillingCycle(time_unit="Year", period_length=2, start=start, start_day=start_day)


def opened(
    price: str = "8500.00",
    moved_in: str = "2026-01-15",
    cycle: rb.BillingCycle | None = None,
    **options: Any,  # noqa: ANN401
) -> rb.FirstBillingPeriodBillItem:
    """Return an opening period of the plain rent, moved in on 15 January 2026."""
    return rb.first_billing_period(amount(price), cycle or rb.BillingCycle(), moved_in, **options)


def tenth(end: str | None = None) -> rb.Discount:
    """Return a discount of 10 %, to a last day where one is given."""
    return rb.Discount(percentage="10%", end_date=end)


def test_it_is_due_on_moving_in_or_when_the_caller_says() -> None:
    """17 of 31 days at 8,500 are 144,500 / 31 = 4,661.290… (A14, A20, A58)."""
    first = opened()

    assert ("4661.29 DKK", day("2026-01-15"), "2026-01-15/2026-01-31") == (
        str(first.amount),
        first.due_date,
        str(first.accounting_period),
    )
    for due in ("2026-01-10", day("2026-01-10")):
        assert day("2026-01-10") == opened(due_date=due).due_date


# Moved in, the cycle, and the last day, which is the one before the next possible start.
DAYS: list[tuple[str, rb.BillingCycle, str]] = [
    ("2026-01-01", rb.BillingCycle(), "2026-01-31"),
    ("2026-01-31", rb.BillingCycle(), "2026-01-31"),
    ("2026-01-15", rb.BillingCycle(start_day=15), "2026-02-14"),
    ("2026-01-10", rb.BillingCycle(start_day=15), "2026-01-14"),
    ("2026-01-15", rb.BillingCycle(period_length=3, start=2), "2026-01-31"),
    ("2026-01-15", QUARTER, "2026-03-31"),
    # Five months count from the first 1 January after moving in.
    ("2026-03-15", FIVE_MONTHS, "2026-12-31"),
    ("2026-01-01", FIVE_MONTHS, "2026-05-31"),
    ("2026-03-15", rb.BillingCycle(time_unit="Year", start=4), "2026-03-31"),
    # 15 January 2026 is a Thursday, the 19th a Monday.
    ("2026-01-15", weeks(1), "2026-01-18"),
    ("2026-01-19", weeks(1), "2026-01-25"),
    ("2026-01-15", TEN_DAYS, "2026-01-24"),
    # A day on which a cycle may start opens a whole one (A151): 27 April 2026 is a Monday.
    ("2026-04-27", weeks(2), "2026-05-10"),
    ("2026-04-29", weeks(2), "2026-05-03"),
    ("2026-04-29", weeks(2, start=3), "2026-05-12"),
    ("2026-04-26", weeks(4), "2026-04-26"),
    ("2025-12-31", years(), "2025-12-31"),
    ("2026-01-01", years(), "2027-12-31"),
    # 18 months from 31 August; two years from the last day of February.
    ("2026-08-31", rb.BillingCycle(period_length=18, start=8, start_day=31), "2028-02-28"),
    ("2024-02-29", years(start=2, start_day=31), "2026-02-27"),
    ("2024-02-28", years(start=2, start_day=29), "2024-02-28"),
    # The calendar's first and last days.
    ("0001-01-01", weeks(2), "0001-01-14"),
    ("9999-12-22", TEN_DAYS, "9999-12-31"),
]


@rows(("moved_in", "cycle", "last"), DAYS)
def test_it_runs_to_the_day_before_the_next_possible_start(
    moved_in: str, cycle: rb.BillingCycle, last: str
) -> None:
    """From a possible start it is one whole cycle (A14, A151)."""
    found = opened(moved_in=moved_in, cycle=cycle).accounting_period

    assert (moved_in, last) == (str(found.start), str(found.end))
    # Regular periods follow it.
    if last < "9999":
        item = rent(first_billing_period_bill_item=opening(str(found)), billing_cycle=cycle)
        assert not rb.pending_bills(item, (moved_in, last)).notices


LATER = {"price": "3100.00", "amount_records": [price_from("2026-01-22", "6200.00")]}
TO_FEBRUARY = {"price": "9000.00", "cycle": QUARTER, "ended_on": "2026-02-10"}
TWO_YEARS = {"price": "24000.00", "moved_in": "2026-01-01", "cycle": years()}
HALF_THEN_THREE_QUARTERS = [
    rb.Discount(percentage="50%", start_date="2026-01-20", end_date="2026-01-25"),
    rb.Discount(percentage="25%", start_date="2026-01-26"),
]
# fmt: off
# What is given to `opened`, the policy, and the price.
PRICES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    # In the cycle's own months; above the regular price where it is longer (A14, A20). From the
    # 15th: 5 days of the 31 from 15 December: 3,100 × 5/31.
    ({"price": "3100.00", "moved_in": "2026-01-10", "cycle": rb.BillingCycle(start_day=15)}, {},
     "500.00"),
    # Nearly ten months of a cycle of five: (17/31 + 9)/5 of 15,500 = 296/155 × 15,500.
    ({"price": "15500.00", "moved_in": "2026-03-15", "cycle": FIVE_MONTHS}, {}, "29600.00"),
    # A quarter to 10 February: (17/31 + 10/28) × 3,000 = 1,645.161… + 1,071.428…; 17 + 10 of its 90
    # days, 26 of 30 + 10 of its 90 of 30/360; a whole one in full.
    (TO_FEBRUARY, {}, "2716.59"),
    (TO_FEBRUARY, {"part_period": "period_days"}, "2700.00"),
    (TO_FEBRUARY, {"part_period": "thirty_day"}, "2600.00"),
    (TO_FEBRUARY, {"part_period": "full"}, "9000.00"),
    # An end after it cuts nothing; on its last day neither.
    ({"ended_on": "2026-01-31"}, {}, "4661.29"),
    ({"ended_on": "2026-02-01"}, {}, "4661.29"),
    # A fortnight from a Monday that ends after 7 of its 14 days (A151).
    ({"price": "400.00", "moved_in": "2026-04-27", "cycle": weeks(2), "ended_on": "2026-05-03"},
     {}, "200.00"),
    # Two years; 6 and 12 of their 24 months, also by days of the year.
    ({**TWO_YEARS, "moved_in": "2026-07-01"}, {}, "6000.00"),
    *(({**TWO_YEARS, "ended_on": "2026-12-31"}, {"part_period": word}, "12000.00")
      for word in ("actual_days", "year_365", "thirty_day")),
    # Later prices count from their days: 7 of 17 days at 3,100 and 10 at 6,200: 700 + 2,000. In
    # full, 7 of 17 parts of a month are at the old price. Or it waits for the next period (A19).
    (LATER, {}, "2700.00"),
    (LATER, {"part_period": "full"}, "4923.53"),
    (LATER, {"mid_period_change": "next_period"}, "1700.00"),
    ({**LATER, "ended_on": "2026-01-24"}, {}, "1300.00"),
    # One of the first day or before is the price; after the end it does not count. Of two of one
    # day the last one counts: 7 days at 3,100 and 10 at 9,300.
    ({**LATER, "amount_records": [price_from("2026-01-15", "6200.00")]}, {}, "3400.00"),
    ({**LATER, "amount_records": [price_from("2026-02-01", "6200.00")]}, {}, "1700.00"),
    ({**LATER, "amount_records": [price_from("2026-01-22", each) for each in ("6200", "9300")]},
     {}, "3700.00"),
    # Two of them, in any order, beside a discount: 7 days at 2,790, 3 at 5,580, 7 at 9,300.
    ({**LATER, "discount": tenth("2026-01-24"),
      "amount_records": [price_from("2026-01-25", "9300"), price_from("2026-01-22", "6200")]},
     {}, "3270.00"),
    # A credit: 17/31 of −310. 46,612.903… yen; 138.72987… dinars, which have three decimals.
    ({"price": "-310.00"}, {}, "-170.00"),
    ({"price": "85000 JPY"}, {}, "46613"),
    ({"price": "252.978 KWD"}, {}, "138.730"),
    # 16 of 30 days: 4,533.333…; 12 × 8,500 × 17 / 365 = 4,750.684…; 17 days are a whole month.
    ({}, {"part_period": "thirty_day"}, "4533.33"),
    ({}, {"part_period": "year_365"}, "4750.68"),
    ({}, {"part_period": "half_month"}, "8500.00"),
    # In full every cycle that was begun counts: 1 March to 31 December are ten months, two cycles;
    # from 28 February they are ten months and a day (A14, A20).
    *(({"price": "5000.00", "moved_in": moved_in, "cycle": FIVE_MONTHS}, {"part_period": "full"},
       price) for moved_in, price in (("2026-03-01", "10000.00"), ("2026-02-28", "15000.00"))),
    ({}, {"rounding": "up"}, "4661.30"),
    # Minus 3 at 310.00 for 17/31 are −510.00, so one unit is 170.00; 100 m² at 8.50 are 466.13,
    # which 4.6613 a unit gives (A21, A26).
    ({"price": "310.00", "quantity": Decimal(-3)}, {}, "170.00"),
    ({"price": "8.50", "quantity": 100}, {}, "4.6613"),
    # The discount is in the price (A24): 8,000 × 17/31; none is left; on its first days alone,
    # (6 × 7,650 + 11 × 8,500)/31, with thirty days to the month 7,650 × 6/30 + 8,500 × 10/30.
    ({"discount": rb.Discount(amount=amount("500.00"))}, {}, "4387.10"),
    ({"discount": rb.Discount(amount=amount("8500.00"))}, {}, "0.00"),
    *(({"discount": tenth(f"2026-01-{last}")}, {}, price) for last, price in (
        ("14", "4661.29"), ("15", "4633.87"), ("20", "4496.77"), ("31", "4195.16"))),
    ({"discount": tenth("2026-01-20")}, {"part_period": "thirty_day"}, "4363.33"),
    # It counts for the whole period where the policy decides by the first day (A23).
    ({"discount": tenth("2026-01-15")}, {"discount_end": "whole_period"}, "4195.16"),
    # Several: 9,300 are 300 a day: 5 days, 6 at half, 6 at 75 %: 1,500 + 900 + 1,350 (A61).
    ({"price": "9300.00", "discounts": HALF_THEN_THREE_QUARTERS}, {}, "3750.00"),
    # 17 of 31 days of 10,000 / 12 (A65).
    ({"price": "10000", "price_per": "year"}, {}, "456.99"),
]
# fmt: on


@rows(("given", "choices", "expected"), PRICES)
def test_its_price_follows_its_days(
    given: dict[str, Any], choices: dict[str, Any], expected: str
) -> None:
    rules: dict[str, Any] = {"policy": rb.BillingPolicy(**choices)} if choices else {}

    assert expected == f"{opened(**given, **rules).amount.amount:f}"


def test_it_is_only_a_help() -> None:
    """What an item states is billed, and no discount comes off again (A12, A14, A24).

    17/31 of 100.0 points are 54.83…; with one decimal 54.8 (A2).
    """
    stated = opened(discount=tenth()).evolve(amount=amount("1.00"))
    item = rent(first_billing_period_bill_item=stated, discount=tenth())
    (line,) = lines_of(item, "2026-01-15/2026-01-15")
    points = rb.Amount(100, "POINTS", currencies=POINTS.currencies)
    found = rb.first_billing_period(points, rb.BillingCycle(), "2026-01-15", policy=POINTS)

    assert (amount("1.00"), "opening", 1) == (line.net_price, line.kind, line.share)
    assert Decimal("54.8") == found.amount.amount


YEAR_365 = rb.BillingPolicy(part_period="year_365")
CUT: dict[str, Any] = {
    "first_billing_period_bill_item": opening("2026-01-15/2026-01-20", price="1645.16")
}
LATE_YEARS: dict[str, Any] = {
    "billing_cycle": years(),
    "first_billing_period_bill_item": opening("9999-01-01/9999-12-31"),
}


@rows(
    ("fields", "choices", "expected"),
    [
        # 17/31 of 8,500; 17 × 12/365; a product's own policy (A54), and the word of the item (A66).
        ({}, {}, "4661.29"),
        ({}, {"part_period": "year_365"}, "4750.68"),
        ({}, {"policy": rb.BillingPolicy(by_product={"key:rent": YEAR_365})}, "4750.68"),
        ({"part_period": {"first": "full"}}, {"policy": YEAR_365}, "8500.00"),
        ({"part_period": "full"}, {"part_period": "year_365"}, "4750.68"),
        # A discount in force, and the quantity and the price of the first day (A12, A14).
        ({"discount": tenth()}, {}, "4195.16"),
        ({"quantity_records": [{"value": 100, "start": "2026-01-15"}]}, {}, "4661.2903"),
        ({"amount_records": [price_from("2026-01-01", "3100.00")]}, {}, "1700.00"),
        # Cut by the end of the item or of the contract; not by one that cuts elsewhere.
        ({"ended_on": day("2026-01-20")}, {}, "4661.29"),
        ({**CUT, "ended_on": day("2026-01-20")}, {}, "1645.16"),
        (CUT, {"contract_end": day("2026-01-20").toordinal()}, "1645.16"),
        (CUT, {"contract_end": day("2026-01-21").toordinal()}, None),
        (CUT, {}, None),
        # Longer than A14 has it; and none that the calendar has.
        ({"first_billing_period_bill_item": opening("2026-01-15/2026-02-28")}, {}, None),
        (LATE_YEARS, {}, None),
    ],
)
def test_the_amount_by_a_rule_is_known_for_the_days_of_a14(
    fields: dict[str, Any], choices: dict[str, Any], expected: str | None
) -> None:
    found = opening_by_rule(rent(**fields), **{"policy": rb.BillingPolicy(), **choices})

    assert expected == (None if found is None else f"{found.amount:f}")


def refused(**fields: Any) -> Call:  # noqa: ANN401
    return lambda: opened(**fields)


@rows(
    ("found", "call"),
    [
        # A discount that an item could not have, as when the item is made (A2, A22).
        (
            "InvalidDiscountError: discount.amount discount_above_amount",
            refused(discount=rb.Discount(amount=amount("8500.01"))),
        ),
        (
            "InvalidDiscountError: discount.amount discount_on_credit",
            refused(price="-8500.00", discount=rb.Discount(amount=amount("1.00"))),
        ),
        (
            "CurrencyMismatchError: discount.amount.currency currency_mismatch",
            refused(discount=rb.Discount(amount=amount("1.00 EUR"))),
        ),
        # A quantity of nothing or no number (A1, A21); an end before the beginning (A158).
        ("InvalidRecordError: quantity zero_quantity", refused(quantity=0)),
        ("InvalidAmountError: quantity not_finite", refused(quantity=Decimal("NaN"))),
        ("InvalidPeriodError: ended_on reversed_period", refused(ended_on="2026-01-14")),
        ("InvalidRecordError: price_per unknown_word", refused(price_per="week")),
    ],
)
def test_what_cannot_be_opened_is_refused_at_its_place(found: str, call: Call) -> None:
    assert found == refusal_text(call)


POUNDS = rb.monthly_rent("1000 GBP", "2025-05-20")
CUT_AS_A14 = rent(**CUT)
TWICE = ("387.10", "394.52")
OFF_THE_BILL = rb.BillingPolicy(discount_opening=True)
WAITS = rb.BillingPolicy(mid_period_change="next_period")


def opened_at(price: str, item: rb.RecurringBillItem = POUNDS, **fields: Any) -> Terms:  # noqa: ANN401
    first = item.first_billing_period_bill_item.evolve(amount=amount(price))
    return item.evolve(first_billing_period_bill_item=first, **fields)


IN_POINTS = rb.monthly_rent(
    rb.Amount("9.3", "POINTS", currencies=POINTS.currencies), "2026-01-15", policy=POINTS
)
# fmt: off
BY_RULE: list[tuple[Terms, rb.BillingPolicy, tuple[str, str] | None]] = [
    # 1,000 × 12/31; × 144/365. Agreed amounts are no matter of rules (A154).
    (POUNDS, YEAR_365, TWICE),
    *((opened_at(price), YEAR_365, None) for price in ("390.00 GBP", "394.52 GBP")),
    (POUNDS, rb.BillingPolicy(), None),
    # The item's own word decides, but not that of its other end (A66).
    *((POUNDS.evolve(part_period={end: "actual_days"}), YEAR_365, said)
      for end, said in (("first", None), ("last", TWICE))),
    # Only lines of the product have its policy (A54).
    *((POUNDS, rb.BillingPolicy(by_product={key: YEAR_365}), said)
      for key, said in (("key:rent", TWICE), ("key:parking", None))),
    # 7 days at 3,100 and 10 at 6,200 are 2,700; 17 of 31 at 3,100 are 1,700 (A19).
    (opened_at("2700", rent("3100"), amount_records=LATER["amount_records"]), WAITS,
     ("2700.00", "1700.00")),
    # The policy takes the discount off the bill, and it is in the price already (A24).
    (opened_at("4195.16", rent(), discount=tenth()), OFF_THE_BILL, ("4195.16", "4661.29")),
    # 6 of 31 days, 6 × 12/365; only where the end cuts there (A14).
    (rb.LeaseTerms.of(CUT_AS_A14, contract_end="2026-01-20"), YEAR_365, ("1645.16", "1676.71")),
    (CUT_AS_A14, YEAR_365, None),
    # Its own end cut it before the contract was known to end earlier.
    (rb.LeaseTerms.of(CUT_AS_A14.evolve(ended_on=day("2026-01-20")), contract_end="2026-01-18"),
     YEAR_365, ("1645.16", "1676.71")),
    # A currency that only the policy knows: 9.3 × 17/31 = 5.1; × 204/365 = 5.2.
    (IN_POINTS, YEAR_365.evolve(currencies=POINTS.currencies), ("5.1", "5.2")),
]
# fmt: on


@rows(("terms", "policy", "said"), BY_RULE)
def test_an_opening_by_the_default_under_another_policy(
    terms: Terms, policy: rb.BillingPolicy, said: tuple[str, str] | None
) -> None:
    found = [
        tuple(dict(notice.facts).values())
        for notice in rb.bill_period(terms, "2025-01-01/2026-12-31", policy=policy).notices
        if notice.code == "opening_by_another_rule"
    ]

    assert found == ([] if said is None else [said])


def test_another_price_has_its_own_notice_of_the_opening() -> None:
    """3 % more: 8,755 × 17/31 = 4,801.13, × 204/365 = 4,893.21."""
    lease = rb.LeaseTerms.of(rent(), lease_id="L")
    answer = rb.what_if(
        lease, raise_rent("3%", on="start"), period="2025-01-01/2026-12-31", policy=YEAR_365
    )
    (base,), (raised,) = (run.results[0].notices for run in (answer.baseline, *answer.variants))

    assert ["4661.29", "4750.68", "4801.13", "4893.21"] == [
        *dict(base.facts).values(),
        *dict(raised.facts).values(),
    ]
