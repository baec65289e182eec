"""The opening period: a price for it where none was agreed, asked for and never silent (A14)."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import rentbilling as rb
from rentbilling.billing import opening_by_rule, rent_free
from rentbilling.whatif import raise_rent
from tests.support.refusals import Call, refusal_text
from tests.support.rents import Terms, amount, day, lines_of, opening, rent
from tests.support.rows import rows

MOVED_IN = day("2026-01-15")


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
    return rb.first_billing_period(
        amount(price), cycle or rb.BillingCycle(), day(moved_in), **options
    )


def record(price: str, start: str) -> rb.AmountRecord:
    return rb.AmountRecord(value=amount(price), start=day(start))


def tenth(end: str | None = None) -> rb.Discount:
    """Return a discount of 10 %, to a last day where one is given."""
    return rb.Discount(percentage=Decimal("0.10"), end_date=None if end is None else day(end))


def test_it_has_the_share_of_the_regular_price() -> None:
    """17 of 31 days at 8,500 are 144,500 / 31 = 4,661.290…; due on moving in (A14, A20)."""
    opening = opened()

    assert (amount("4661.29"), MOVED_IN, "2026-01-15/2026-01-31") == (
        opening.amount,
        opening.due_date,
        str(opening.accounting_period),
    )


def test_it_is_due_when_the_caller_says() -> None:
    assert day("2026-01-10") == opened(due_date=day("2026-01-10")).due_date


@rows(
    ("cycle", "moved_in", "days"),
    [
        (rb.BillingCycle(), "2026-01-01", "2026-01-01/2026-01-31"),
        (rb.BillingCycle(), "2026-01-31", "2026-01-31/2026-01-31"),
        (rb.BillingCycle(start_day=15), "2026-01-15", "2026-01-15/2026-02-14"),
        (rb.BillingCycle(start_day=15), "2026-01-10", "2026-01-10/2026-01-14"),
        (rb.BillingCycle(period_length=3, start=2), "2026-01-15", "2026-01-15/2026-01-31"),
        (rb.BillingCycle(period_length=3), "2026-01-15", "2026-01-15/2026-03-31"),
        # Five months count from the first 1 January after moving in.
        (rb.BillingCycle(period_length=5), "2026-03-15", "2026-03-15/2026-12-31"),
        (rb.BillingCycle(time_unit="Year", start=4), "2026-03-15", "2026-03-15/2026-03-31"),
        # 15 January 2026 is a Thursday, the 19th a Monday.
        (rb.BillingCycle(time_unit="Week"), "2026-01-15", "2026-01-15/2026-01-18"),
        (rb.BillingCycle(time_unit="Week"), "2026-01-19", "2026-01-19/2026-01-25"),
        (rb.BillingCycle(time_unit="Day", period_length=10), "2026-01-15", "2026-01-15/2026-01-24"),
        # A day on which a cycle may start opens a whole one (A151): 27 April 2026 is a Monday.
        (weeks(2), "2026-04-27", "2026-04-27/2026-05-10"),
        (weeks(2), "2026-04-29", "2026-04-29/2026-05-03"),
        (weeks(2, start=3), "2026-04-29", "2026-04-29/2026-05-12"),
        (weeks(4), "2026-04-26", "2026-04-26/2026-04-26"),
        (weeks(4), "2026-04-27", "2026-04-27/2026-05-24"),
        (years(), "2025-12-31", "2025-12-31/2025-12-31"),
        (years(), "2026-01-01", "2026-01-01/2027-12-31"),
        (years(), "2026-01-02", "2026-01-02/2026-12-31"),
        (rb.BillingCycle(period_length=5), "2026-01-01", "2026-01-01/2026-05-31"),
        # 18 months from 31 August; two years from the last day of February.
        (
            rb.BillingCycle(period_length=18, start=8, start_day=31),
            "2026-08-31",
            "2026-08-31/2028-02-28",
        ),
        (years(start=2, start_day=31), "2024-02-29", "2024-02-29/2026-02-27"),
        (years(start=2, start_day=31), "2026-02-28", "2026-02-28/2028-02-28"),
        (years(start=2, start_day=29), "2024-02-28", "2024-02-28/2024-02-28"),
        # The calendar's first and last days.
        (weeks(2), "0001-01-01", "0001-01-01/0001-01-14"),
        (rb.BillingCycle(time_unit="Day", period_length=10), "9999-12-22", "9999-12-22/9999-12-31"),
    ],
)
def test_it_runs_to_the_day_before_the_next_possible_start(
    cycle: rb.BillingCycle, moved_in: str, days: str
) -> None:
    """From a possible start it is one whole cycle (A14, A151)."""
    assert days == str(opened(moved_in=moved_in, cycle=cycle).accounting_period)


@rows(
    ("ended_on", "days"),
    [
        ("2026-01-15", "2026-01-15/2026-01-15"),
        ("2026-01-30", "2026-01-15/2026-01-30"),
        ("2026-01-31", "2026-01-15/2026-01-31"),
        ("2026-02-01", "2026-01-15/2026-01-31"),
    ],
)
def test_an_end_cuts_it(ended_on: str, days: str) -> None:
    """The last day to pay for is in it, or after it (A14)."""
    assert days == str(opened(ended_on=ended_on).accounting_period)


def test_an_item_that_ends_in_its_opening_is_billed_to_its_end() -> None:
    """12 to 15 March are 4 of 31 days: 3,100 × 4/31 = 400."""
    item = rb.monthly_rent("3100 DKK", "2026-03-12", ended_on="2026-03-15")
    result = rb.bill_period(item, "2026")

    assert ["400.00"] == [str(bill.total.amount) for bill in result.bills]
    assert () == result.notices


def test_a_later_price_counts_in_the_first_year_as_in_others() -> None:
    """Half a year of 12,000 and half of 24,000 a year, in months."""
    for moved_in in ("2025-01-01", "2026-01-01"):
        item = rb.monthly_rent(
            "12000 DKK", moved_in, months=12, amounts={"2026-07-01": "24000 DKK"}
        )
        assert ["18000.00"] == [str(bill.total.amount) for bill in rb.pending_bills(item, "2026")]


FIVE_MONTHS = rb.BillingCycle(period_length=5)
QUARTER = rb.BillingCycle(period_length=3)
TEN_DAYS = rb.BillingCycle(time_unit="Day", period_length=10)

# What is given to `opened`, the policy, and the price.
PRICES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    # In the cycle's own months; above the regular price where it is longer (A14, A20).
    # A whole month.
    ({"moved_in": "2026-01-01"}, {}, "8500.00"),
    # From the 15th: 5 days of the 31 from 15 December: 3,100 × 5/31.
    (
        {"price": "3100.00", "moved_in": "2026-01-10", "cycle": rb.BillingCycle(start_day=15)},
        {},
        "500.00",
    ),
    # A quarter from 15 January: (17/31 + 2)/3 of 9,300 = 79/93 × 9,300.
    ({"price": "9300.00", "cycle": QUARTER}, {}, "7900.00"),
    # Nearly ten months of a cycle of five: (17/31 + 9)/5 of 15,500 = 296/155 × 15,500.
    ({"price": "15500.00", "moved_in": "2026-03-15", "cycle": FIVE_MONTHS}, {}, "29600.00"),
    # To 10 February: (17/31 + 10/28) × 3,100 = 1,700 + 1,107.142…
    ({"price": "9300.00", "cycle": QUARTER, "ended_on": "2026-02-10"}, {}, "2807.14"),
    # A fortnight from a Monday; 5 and 7 of its 14 days (A151).
    ({"price": "400.00", "moved_in": "2026-04-27", "cycle": weeks(2)}, {}, "400.00"),
    ({"price": "400.00", "moved_in": "2026-04-29", "cycle": weeks(2)}, {}, "142.86"),
    (
        {"price": "400.00", "moved_in": "2026-04-27", "cycle": weeks(2), "ended_on": "2026-05-03"},
        {},
        "200.00",
    ),
    # Two years; 6 and 12 of their 24 months, also by days of the year.
    ({"price": "24000.00", "moved_in": "2026-01-01", "cycle": years()}, {}, "24000.00"),
    ({"price": "24000.00", "moved_in": "2026-07-01", "cycle": years()}, {}, "6000.00"),
    *(
        (
            {
                "price": "24000.00",
                "moved_in": "2026-01-01",
                "cycle": years(),
                "ended_on": "2026-12-31",
            },
            {"part_period": word},
            "12000.00",
        )
        for word in ("actual_days", "year_365", "thirty_day")
    ),
    # 17 + 10 of the 90 days of the quarter, 26 of 30 + 10 of its 90 of 30/360; a whole one in full.
    *(
        (
            {"price": "9000.00", "cycle": QUARTER, "ended_on": "2026-02-10"},
            {"part_period": method},
            expected,
        )
        for method, expected in (
            ("period_days", "2700.00"),
            ("thirty_day", "2600.00"),
            ("full", "9000.00"),
        )
    ),
    # 10 % off the first of four days: 2,790/31 + 3 × 3,100/31.
    ({"price": "3100.00", "ended_on": "2026-01-18", "discount": tenth("2026-01-15")}, {}, "390.00"),
    # Later prices hold from their days: 17 of the 31 days, of which 10 are at 6,200: 700 + 2,000.
    # One of the first day or before is the price; after the end it does not count.
    *(
        ({"price": "3100.00", "amount_records": [record("6200.00", start)]}, choices, expected)
        for start, choices, expected in (
            ("2026-01-22", {}, "2700.00"),
            ("2026-01-15", {}, "3400.00"),
            ("2025-06-01", {}, "3400.00"),
            ("2026-02-01", {}, "1700.00"),
            # 7 of 17 parts of the whole opening month are at the old price.
            ("2026-01-22", {"part_period": "full"}, "4923.53"),
            # It waits for the next period (A19).
            ("2026-01-22", {"mid_period_change": "next_period"}, "1700.00"),
        )
    ),
    # Two of them, in any order, beside a discount: 7 days at 2,790, 3 at 5,580, 7 at 9,300.
    (
        {
            "price": "3100.00",
            "amount_records": [record("9300.00", "2026-01-25"), record("6200.00", "2026-01-22")],
            "discount": tenth("2026-01-24"),
        },
        {},
        "3270.00",
    ),
    # To 24 January: 7 days at 3,100, 3 at 6,200.
    (
        {
            "price": "3100.00",
            "amount_records": [record("6200.00", "2026-01-22")],
            "ended_on": "2026-01-24",
        },
        {},
        "1300.00",
    ),
    # 4 of 7 days.
    ({"price": "700.00", "cycle": rb.BillingCycle(time_unit="Week")}, {}, "400.00"),
    ({"price": "99.99", "cycle": TEN_DAYS}, {}, "99.99"),
    # A credit: 17/31 of −310.
    ({"price": "-310.00"}, {}, "-170.00"),
    # 46,612.903… yen; 138.72987… dinars, which have three decimals.
    ({"price": "85000 JPY"}, {}, "46613"),
    ({"price": "252.978 KWD"}, {}, "138.730"),
    # The policy says how its share is counted, by all six methods (A20).
    ({}, {"part_period": "actual_days"}, "4661.29"),
    ({}, {"part_period": "period_days"}, "4661.29"),
    # 16 of 30 days: 4,533.333…
    ({}, {"part_period": "thirty_day"}, "4533.33"),
    # 12 × 8,500 × 17 / 365 = 4,750.684…
    ({}, {"part_period": "year_365"}, "4750.68"),
    # 17 days are a whole month.
    ({}, {"part_period": "half_month"}, "8500.00"),
    ({}, {"part_period": "full"}, "8500.00"),
    # In full every cycle that was begun counts: 9 and 17/31 months are one cycle of five and a
    # second that has begun; 1 March to 31 December are ten months, two cycles and no third; from
    # 28 February they are ten months and a day (A14, A20).
    *(
        (
            {"price": "5000.00", "moved_in": moved_in, "cycle": FIVE_MONTHS},
            {"part_period": "full"},
            expected,
        )
        for moved_in, expected in (
            ("2026-03-15", "10000.00"),
            ("2026-03-01", "10000.00"),
            ("2026-02-28", "15000.00"),
        )
    ),
    # 4,661.290… is rounded as the policy says (A3).
    ({}, {"rounding": "half_up"}, "4661.29"),
    ({}, {"rounding": "up"}, "4661.30"),
    ({}, {"rounding": "down"}, "4661.29"),
    # Minus 3 at 310.00 for 17/31 are −510.00, so one unit is 170.00 (A21, A26).
    ({"price": "310.00", "quantity": Decimal(-3)}, {}, "170.00"),
    # The discount is in the price: a stated opening amount is final, so that nothing comes off
    # later (A14, A23, A24).
    ({"discount": None}, {}, "4661.29"),
    # 7,650 × 17/31 = 4,195.161…
    ({"discount": tenth()}, {}, "4195.16"),
    # 8,000 × 17/31 = 4,387.096…
    ({"discount": rb.Discount(amount=amount("500.00"))}, {}, "4387.10"),
    ({"discount": rb.Discount(amount=amount("8500.00"))}, {}, "0.00"),
    # It ended the day before.
    ({"discount": tenth("2026-01-14")}, {}, "4661.29"),
    # On its first day alone: (7,650 + 16 × 8,500)/31 = 143,650/31 = 4,633.870…
    ({"discount": tenth("2026-01-15")}, {}, "4633.87"),
    # 6 days with it, 11 without: (6 × 7,650 + 11 × 8,500)/31 = 139,400/31 = 4,496.774…
    ({"discount": tenth("2026-01-20")}, {}, "4496.77"),
    ({"discount": tenth("2026-01-31")}, {}, "4195.16"),
    ({"discount": tenth("2026-12-31")}, {}, "4195.16"),
    # It counts for the whole period where the policy decides by the first day (A23).
    ({"discount": tenth("2026-01-14")}, {"discount_end": "whole_period"}, "4661.29"),
    ({"discount": tenth("2026-01-15")}, {"discount_end": "whole_period"}, "4195.16"),
    # 16 of 30 days: 6 with it, 10 without: 7,650 × 6/30 + 8,500 × 10/30 = 4,363.333… (A20).
    ({"discount": tenth("2026-01-20")}, {"part_period": "thirty_day"}, "4363.33"),
]


@rows(("given", "choices", "expected"), PRICES)
def test_its_price_follows_its_days(
    given: dict[str, Any], choices: dict[str, Any], expected: str
) -> None:
    rules: dict[str, Any] = {"policy": rb.BillingPolicy(**choices)} if choices else {}

    assert expected == f"{opened(**given, **rules).amount.amount:f}"


def test_the_line_is_rounded_for_all_units_together() -> None:
    """100 m² at 8.50: 466.13, which 4.6613 a unit gives and 4.66 does not (A14, A21)."""
    opening = opened("8.50", quantity=100)
    item = rent("8.50", quantity=100, first_billing_period_bill_item=opening)
    line = lines_of(item, "2026-01-15/2026-01-15")[0]

    assert (amount("4.6613"), amount("466.13")) == (opening.amount, line.net_price)


def test_a_discount_in_the_price_does_not_come_off_again() -> None:
    """The item carries it too, and the opening bill asks for 4,195.16 (A12, A24)."""
    opening = opened(discount=tenth())
    item = rent(discount=tenth(), first_billing_period_bill_item=opening)

    assert [amount("4195.16"), amount("7650.00")] == [
        line.net_price for line in lines_of(item, "2026-01-15/2026-02-01")
    ]


def test_a_discount_comes_off_once_under_every_policy() -> None:
    """From the price, or from the opening bill: 4,661.29 less a tenth, 4,195.16 (A24).

    A bill takes off what is in force on its first day. Free from the 20th on, five days are paid
    for: 8,500 × 5/31 = 1,370.97.
    """
    for discount, total in (
        (tenth(), "4195.16"),
        (rent_free("2026-01-20", "2026-02-28"), "1370.97"),
    ):
        for policy in (None, OFF_THE_BILL):
            item = rb.monthly_rent("8500 DKK", "2026-01-15", discounts=[discount], policy=policy)
            result = rb.pending_bills(item, "2026-01", policy=policy)
            found = str(rb.explain(result, bill=0, line=0))

            assert amount(total) == result.bills[0].total
            assert "as actual_days counts" in found or "exact part" in found


def test_it_is_only_a_help() -> None:
    """What an item states is billed, also where the share would be another amount (A12, A14)."""
    stated = opened().evolve(amount=amount("1.00"))
    line = lines_of(rent(first_billing_period_bill_item=stated), "2026-01-15/2026-01-15")[0]

    assert (amount("1.00"), "opening", Fraction(1)) == (line.net_price, line.kind, line.share)


def test_of_two_later_prices_of_one_day_the_last_one_counts() -> None:
    """As in regular periods (A18): 14 days of 3,100 and 17 of 9,300, in 31."""
    found = opened(
        "3100.00",
        "2026-01-01",
        amount_records=[record("6200.00", "2026-01-15"), record("9300.00", "2026-01-15")],
    )

    assert amount("6500.00") == found.amount


POINTS = {"POINTS": 1}
OFF_THE_BILL = rb.BillingPolicy(discount_opening=True)
YEAR_365 = rb.BillingPolicy(part_period="year_365")
CUT: dict[str, Any] = {"first_billing_period_bill_item": opening("2026-01-15/2026-01-20")}
FORTNIGHT: dict[str, Any] = {
    "billing_cycle": weeks(2),
    "first_billing_period_bill_item": opening("2026-04-27/2026-05-10"),
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
        ({}, {"policy": YEAR_365}, "4750.68"),
        ({}, {"part_period": "year_365"}, "4750.68"),
        ({}, {"policy": rb.BillingPolicy(by_product={"key:rent": YEAR_365})}, "4750.68"),
        ({"part_period": {"first": "full"}}, {"policy": YEAR_365}, "8500.00"),
        ({"part_period": "full"}, {"part_period": "year_365"}, "4750.68"),
        # A discount in force, and the quantity and the price of the first day (A12, A14).
        ({"discount": tenth()}, {}, "4195.16"),
        ({"quantity_records": [{"value": 100, "start": "2026-01-15"}]}, {}, "4661.2903"),
        ({"amount_records": [record("3100.00", "2026-01-01")]}, {}, "1700.00"),
        (FORTNIGHT, {}, "8500.00"),
        # Cut by the end of the item or of the contract; not by one that cuts elsewhere.
        ({"ended_on": day("2026-01-31")}, {}, "4661.29"),
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


def test_a_private_currency_has_the_minor_units_of_the_policy() -> None:
    """17/31 of 100.0 points are 54.83…; with one decimal 54.8 (A2)."""
    policy = rb.BillingPolicy(currencies={"POINTS": 1})
    points = rb.Amount(100, "POINTS", currencies=policy.currencies)
    found = rb.first_billing_period(points, rb.BillingCycle(), MOVED_IN, policy=policy)

    assert Decimal("54.8") == found.amount.amount


def given(**fields: Any) -> Call:  # noqa: ANN401
    plain: dict[str, Any] = {
        "amount": amount("8500.00"),
        "cycle": rb.BillingCycle(),
        "moved_in": MOVED_IN,
    }
    return lambda: rb.first_billing_period(**(plain | fields))


REFUSED: dict[str, list[Call]] = {
    # A discount that an item could not have, as when the item is made (A2, A22).
    "InvalidDiscountError: discount.amount discount_above_amount": [
        given(discount=rb.Discount(amount=amount("8500.01")))
    ],
    "InvalidDiscountError: discount.amount discount_on_credit": [
        given(amount=amount("-8500.00"), discount=rb.Discount(amount=amount("1.00")))
    ],
    "CurrencyMismatchError: discount.amount.currency currency_mismatch": [
        given(discount=rb.Discount(amount=amount("1.00 EUR")))
    ],
    # A quantity of nothing or no number (A1, A21).
    "InvalidRecordError: quantity zero_quantity": [given(quantity=0)],
    "InvalidAmountError: quantity not_finite": [given(quantity=Decimal("NaN"))],
}


@rows("found", REFUSED)
def test_what_cannot_be_opened_is_refused_at_its_place(found: str) -> None:
    for call in REFUSED[found]:
        assert found == refusal_text(call)


def test_days_may_be_given_as_texts() -> None:
    """As dates are written (A58)."""
    found = rb.first_billing_period(
        amount("8500.00"), rb.BillingCycle(), "2026-01-15", due_date="2026-01-10"
    )

    assert (amount("4661.29"), day("2026-01-10")) == (found.amount, found.due_date)


POUNDS = rb.monthly_rent("1000 GBP", "2025-05-20")
LATER = (rb.AmountRecord(value=amount("6200"), start=day("2026-01-22")),)
CUT_AS_A14 = rent(first_billing_period_bill_item=opening("2026-01-15/2026-01-20", price="1645.16"))


def opened_at(price: str) -> rb.RecurringBillItem:
    first = POUNDS.first_billing_period_bill_item
    return POUNDS.evolve(first_billing_period_bill_item=first.evolve(amount=amount(price)))


# fmt: off
BY_RULE: list[tuple[Terms, rb.BillingPolicy, tuple[str, str] | None]] = [
    # 1,000 × 12/31 = 387.10; × 144/365 = 394.52. Agreed amounts are no matter of rules (A154).
    (POUNDS, YEAR_365, ("387.10", "394.52")),
    *((opened_at(price), YEAR_365, None) for price in ("390.00 GBP", "394.52 GBP")),
    (POUNDS, rb.BillingPolicy(), None),
    # The item's own word decides, but not that of its other end (A66).
    *((POUNDS.evolve(part_period={end: "actual_days"}), YEAR_365, said)
      for end, said in (("first", None), ("last", ("387.10", "394.52")))),
    # Only lines of the product have its policy (A54).
    *((POUNDS, rb.BillingPolicy(by_product={key: YEAR_365}), said)
      for key, said in (("key:rent", ("387.10", "394.52")), ("key:parking", None))),
    # 7 days at 3,100 and 10 at 6,200 are 2,700; 17 of 31 at 3,100 are 1,700 (A19).
    (rent("3100", amount_records=LATER,
          first_billing_period_bill_item=opening(price="2700.00")),
     rb.BillingPolicy(mid_period_change="next_period"), ("2700.00", "1700.00")),
    # The policy takes the discount off the bill, and it is in the price already (A24).
    (rent(discount=tenth(), first_billing_period_bill_item=opening(price="4195.16")),
     OFF_THE_BILL, ("4195.16", "4661.29")),
    # 6 of 31 days, 6 × 12/365; only where the end cuts there (A14).
    (rb.LeaseTerms.of(CUT_AS_A14, contract_end="2026-01-20"), YEAR_365, ("1645.16", "1676.71")),
    (CUT_AS_A14, YEAR_365, None),
    # A currency that only the policy knows: 9.3 × 17/31 = 5.1; × 204/365 = 5.2.
    (rb.monthly_rent(rb.Amount("9.3", "POINTS", currencies=POINTS), "2026-01-15",
                  policy=rb.BillingPolicy(currencies=POINTS)),
     YEAR_365.evolve(currencies=POINTS), ("5.1", "5.2")),
]
# fmt: on


@rows(("terms", "policy", "said"), BY_RULE)
def test_an_opening_by_the_default_under_another_policy(
    terms: rb.RecurringBillItem | rb.LeaseTerms,
    policy: rb.BillingPolicy,
    said: tuple[str, str] | None,
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
