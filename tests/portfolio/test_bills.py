"""Flat bills: figures worked out by hand, on columns and in Arrow."""

from datetime import date
from decimal import Decimal
from typing import Any

import rentbilling as rb
from rentbilling.policy import DEFAULT
from rentbilling.portfolio.kernel.bills import FlatBills, bill_flat
from rentbilling.portfolio.kernel.items import MODES, FlatItems
from rentbilling.portfolio.kernel.lines import KINDS
from rentbilling.portfolio.kernel.reading import read_flat
from rentbilling.portfolio.kernel.writing import bill_batch
from rentbilling.portfolio.leases.batches import leases_to_arrow
from tests.support.rents import YEAR, amount, day, fee, opening, period, quarterly, rent, vat
from tests.support.rows import rows

Line = tuple[str, int]
"""Accounting period and minor units in the line's own tax mode."""


def flat(*items: rb.RecurringBillItem, **changes: Any) -> FlatItems:  # noqa: ANN401
    terms = rb.LeaseTerms(recurring_bill_items=items, **changes)
    read = read_flat(leases_to_arrow([terms]))
    assert read is not None
    return read.items


def billed(*items: rb.RecurringBillItem, asked: str = YEAR, **changes: Any) -> FlatBills:  # noqa: ANN401
    found = bill_flat(flat(*items, **changes), asked)
    assert found.eligible.tolist() == [True]
    return found


def written(first: int, last: int) -> str:
    return f"{date.fromordinal(first)}/{date.fromordinal(last)}"


def lines(found: FlatBills) -> list[Line]:
    days = zip(found.line_start.tolist(), found.line_end.tolist(), strict=True)
    return [
        (written(*both), base) for both, base in zip(days, found.line_base.tolist(), strict=True)
    ]


def dues(found: FlatBills) -> list[str]:
    return [date.fromordinal(due).isoformat() for due in found.bill_due.tolist()]


def test_an_opening_and_two_months() -> None:
    """17 days of January as stated, 4,661.29, then 8,500.00 on the 1st of each month (A12, A13)."""
    found = billed(rent(), asked="2026-01-01/2026-03-31")

    assert ["2026-01-15", "2026-02-01", "2026-03-01"] == dues(found)
    assert [
        ("2026-01-15/2026-01-31", 466129),
        ("2026-02-01/2026-02-28", 850000),
        ("2026-03-01/2026-03-31", 850000),
    ] == lines(found)
    assert ["opening", "regular", "regular"] == [KINDS[kind] for kind in found.line_kind]
    assert [466129, 850000, 850000] == found.bill_total.tolist()


def test_a_quarter_in_arrears() -> None:
    """January to March falls due on the day after it, or on the fifth day after it (A51)."""
    for number, due in ((1, "2026-04-01"), (5, "2026-04-05"), (-1, "2026-03-31")):
        rule = rb.DueDateRule(day_of_period=number, relative_to="end")
        found = billed(quarterly("900.00", due_date_rule=rule), asked="2026-02-01/2026-06-29")

        assert ([due], [("2026-01-01/2026-03-31", 90000)]) == (dues(found), lines(found))


def test_four_weeks_with_a_change_after_two() -> None:
    """From Monday 2 February: 2,800.00 for 28 days, half of it and half of 3,500.00 (A8, A20)."""
    item = rent(
        "2800.00",
        billing_cycle=rb.BillingCycle(time_unit="Week", period_length=4),
        first_billing_period_bill_item=opening("2026-01-15/2026-02-01"),
        amount_records=(rb.AmountRecord(value=amount("3500.00"), start=day("2026-03-16")),),
    )
    found = billed(item, asked="2026-02-10/2026-03-30")

    assert ["2026-03-02", "2026-03-30"] == dues(found)
    assert [
        ("2026-03-02/2026-03-15", 140000),
        ("2026-03-16/2026-03-29", 175000),
        ("2026-03-30/2026-04-26", 350000),
    ] == lines(found)


def test_five_months_run_on_over_the_year() -> None:
    """From February 2026: July, December, and May of the next year (A7, A8)."""
    item = rent(billing_cycle=rb.BillingCycle(period_length=5, start=2))
    found = billed(item, asked="2026-02-02/2027-05-31")

    assert ["2026-07-01", "2026-12-01", "2027-05-01"] == dues(found)
    assert ("2026-12-01/2027-04-30", 850000) == lines(found)[1]


def test_what_is_billed_once_follows_the_rent() -> None:
    """A fee due with the rent of March is on its bill, and no end cuts it (A17, A55)."""
    ended = rb.LeaseTerms(
        recurring_bill_items=(rent(ended_on=day("2026-01-31")), rent()),
        one_time_bill_items=(fee("250.00", "2026-03-01", "2026-01-05/2026-04-20"),),
        contract_end=day("2026-03-31"),
    )
    found = bill_batch(leases_to_arrow([ended]), period("2026-03-01/2026-04-30"), DEFAULT)
    assert found is not None
    (bill,) = found.bills.to_pylist()

    assert [
        (
            "recurring-2",
            "regular",
            Decimal(8500),
            {"start": day("2026-03-01"), "end": day("2026-03-31")},
        ),
        ("one-time-1", "one_time", Decimal(250), None),
    ] == [
        (each["item_id"], each["kind"], each["net_price"], each["regular_period"])
        for each in bill["lines"]
    ]
    assert Decimal(8750) == bill["total"]


def test_a_quarter_with_a_change_after_one_month() -> None:
    """A quarter at 300 that becomes 600 after one month is 100 + 400 (A19, A20)."""
    found = billed(changed("300.00", ("600.00", "2026-02-01")), asked="2026-01-01/2026-01-31")

    assert [
        ("2026-01-01/2026-01-31", 10000),
        ("2026-02-01/2026-03-31", 40000),
    ] == lines(found)
    # In parts of a month, of which each of the quarter's three has 377,580.
    assert [377580, 2 * 377580] == found.line_share.tolist()
    assert [3 * 377580] * 2 == found.line_whole.tolist()
    assert [50000] == found.bill_total.tolist()


def changed(first: str, *later: tuple[str, str], **changes: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    """Return a quarter of a price with later ones."""
    records = (rb.AmountRecord(value=amount(price), start=day(start)) for price, start in later)
    return quarterly(first, amount_records=tuple(records), **changes)


HALF = {"ended_on": day("2026-02-14")}
TENTH = rb.Discount(percentage=Decimal("0.1"), end_date=day("2026-01-31"))
OFF = rb.Discount(amount=amount("12.50"))
JANUARY, FEBRUARY = "2026-01-01/2026-01-31", "2026-02-01/2026-02-28"
THIRDS = ("100.03", "2026-02-01"), ("100.04", "2026-03-01")
CREDITS = ("-100.03", "2026-02-01"), ("-100.04", "2026-03-01")
WORKED: list[tuple[str, tuple[rb.RecurringBillItem, ...], str, list[int]]] = [
    # A third of each is 33.3367, 33.3433 and 33.3467; running totals are 33.34, 66.68 and 100.03.
    ("parts lose no cent (A21)", (changed("100.01", *THIRDS),), JANUARY, [3334, 3334, 3335]),
    ("a credit likewise (A26)", (changed("-100.01", *CREDITS),), JANUARY, [-3334, -3334, -3335]),
    # Half of February at 0.01 is half a cent: 0.01, and -0.01 of a credit.
    ("half a cent (A3)", (rent("0.01", **HALF), rent("-0.01", **HALF)), FEBRUARY, [1, -1]),
    # A quarter of 30,000 less 10 % ending 31 January loses 1,000: 9,000 and 20,000.
    (
        *("a discount that ends (A23)", (quarterly(discount=TENTH),)),
        *("2026-01-01/2026-04-30", [900000, 2000000, 3000000]),
    ),
    # Two units at 100.00 less 12.50 are 175.00.
    (
        *("a discount of each unit (A22)", (rent("100.00", quantity=Decimal(2), discount=OFF),)),
        *(FEBRUARY, [17500]),
    ),
]


@rows(("items", "asked", "expected"), [row[1:] for row in WORKED], ids=[row[0] for row in WORKED])
def test_lines_worked_by_hand(
    items: tuple[rb.RecurringBillItem, ...], asked: str, expected: list[int]
) -> None:
    assert expected == billed(*items, asked=asked).line_base.tolist()


def test_lines_with_a_discount_are_marked() -> None:
    found = billed(quarterly(discount=TENTH), asked="2026-01-01/2026-04-30")

    assert [1, 0, 0] == found.line_discounted.tolist()


@rows(
    ("item", "taken"),
    [
        # A tenth of a third of 30,000.00, in January alone; the rest of the quarter is the other.
        (quarterly(discount=TENTH), [100_000, 0, 0]),
        # 13,230.205 is 13,230.21, and half of it 6,615.1025, so 6,615.10 (A61).
        (rent("13230.205", discount=rb.Discount(percentage=Decimal("0.5"))), [0, 661_511, 661_511]),
        # 12.50 off each of two; not off the stated opening (A24).
        (rent("100.00", quantity=Decimal(2), discount=OFF), [0, 2_500, 2_500]),
    ],
)
def test_lines_say_what_was_taken_off(item: rb.RecurringBillItem, taken: list[int]) -> None:
    """As those of the scalar engine (A61)."""
    assert taken == billed(item, asked="2026-01-01/2026-04-30").line_taken.tolist()[:3]


def test_an_equal_price_splits_nothing() -> None:
    """A record of the same value is no change, and the next one still is (A19)."""
    item = changed("300.00", ("300.00", "2026-01-15"), ("600.00", "2026-03-01"))

    assert [
        ("2026-01-01/2026-02-28", 20000),
        ("2026-03-01/2026-03-31", 20000),
    ] == lines(billed(item, asked=JANUARY))


def test_an_end_cuts_a_period_and_leaves_out_the_next() -> None:
    """14 of February's 28 days are half of 8,500.00; March is not billed (A17)."""
    found = billed(rent(), asked="2026-02-01/2026-12-31", contract_end=day("2026-02-14"))

    assert [("2026-02-01/2026-02-14", 425000)] == lines(found)
    assert [written(*(day(each).toordinal() for each in ("2026-02-01", "2026-02-28")))] == [
        written(int(found.line_regular_start[0]), int(found.line_regular_end[0]))
    ]


@rows(
    ("due_day", "expected"),
    [
        (1, ["2026-03-01", "2026-04-01"]),
        (-1, ["2026-02-28", "2026-03-31"]),
        (15, ["2026-02-15", "2026-03-15"]),
        (31, ["2026-02-28", "2026-03-31"]),
        (100, ["2026-02-28", "2026-03-31"]),
    ],
)
def test_due_days(due_day: int, expected: list[str]) -> None:
    """Day 1 is the first, −1 the day before it, and past the end the last day (A10)."""
    item = rent(due_date_rule=rb.DueDateRule(day_of_period=due_day))

    assert expected == dues(billed(item, asked="2026-02-02/2026-04-01"))


def test_cycles_from_the_31st() -> None:
    """A month without the 31st uses its last day, and the next goes back to it (A9)."""
    item = rent(
        billing_cycle=rb.BillingCycle(start_day=31),
        first_billing_period_bill_item=opening("2026-01-15/2026-01-30"),
    )
    found = billed(item, asked="2026-01-31/2026-03-31")

    assert [
        "2026-01-31/2026-02-27",
        "2026-02-28/2026-03-30",
        "2026-03-31/2026-04-29",
    ] == [days for days, _ in lines(found)]


def test_inclusive_lines_are_corrected_where_the_residue_is_largest() -> None:
    """Three lines of 3.33 with 25 % inside: 9.99 of gross has 1.998, so 2.00 of VAT and 7.99 net.

    A line's own net is 2.664, rounded 2.66: the sum of 7.98 lacks a cent. All residues are equal,
    so that the first line gets it (A29).
    """
    item = rent("3.33", vat=vat("Inclusive", "0.25"))
    found = billed(item, item, item, asked="2026-02-01/2026-02-28")

    assert [333, 333, 333] == found.line_base.tolist()
    assert [267, 266, 266] == found.line_net.tolist()
    assert [(799, 200)] == [*zip(found.total_base, found.total_vat, strict=True)]
    assert ([799], [999]) == (found.bill_subtotal.tolist(), found.bill_total.tolist())


def test_all_tax_modes_in_order_of_first_appearance() -> None:
    """100.00 each: 25.00 on top, 20.00 inside of 25 %, and nothing for the other two (A27, A30)."""
    taxes = (
        vat("ReverseCharge"),
        vat("Inclusive", "0.25"),
        vat("Exclusive", "0.25"),
        vat("Exempt"),
        vat("Exclusive", "0.25"),
    )
    items = (rent("100.00", vat=tax) for tax in taxes)
    found = billed(*items, asked="2026-02-01/2026-02-28")

    modes = ["ReverseCharge", "Inclusive", "Exclusive", "Exempt"]
    assert modes == [MODES[mode] for mode in found.total_mode]
    assert [0, 2500, 2500, 0] == found.total_rate.tolist()
    assert [0, 2000, 5000, 0] == found.total_vat.tolist()
    assert [10000, 8000, 20000, 10000] == found.total_base.tolist()
    assert [0, 1, 2, 3, 2] == found.line_total.tolist()
    assert ([48000], [55000]) == (found.bill_subtotal.tolist(), found.bill_total.tolist())


def test_currencies_have_bills_of_their_own_by_their_codes() -> None:
    """JPY has no decimals and KWD has three; bills stand in the order of the codes (A2, A16)."""
    items = [
        rent(f"1234.5 {code}", first_billing_period_bill_item=opening(price=f"1 {code}"))
        for code in ("KWD", "JPY", "DKK")
    ]
    columns = flat(*items)
    found = bill_flat(columns, "2026-02-01/2026-02-28")

    codes = [columns.currencies[code] for code in found.bill_currency]
    assert ["DKK", "JPY", "KWD"] == codes
    # Half a yen goes up.
    assert [123450, 1235, 1234500] == found.bill_total.tolist()


def test_rows_and_numbers_run_through_all_leases() -> None:
    leases = [
        rb.LeaseTerms(recurring_bill_items=(rent(), rent("1.00"))),
        rb.LeaseTerms(recurring_bill_items=(rent(ended_on=day("2026-01-31")),)),
        rb.LeaseTerms(recurring_bill_items=(rent("2.00"),)),
    ]
    read = read_flat(leases_to_arrow(leases))
    assert read is not None
    found = bill_flat(read.items, "2026-02-01/2026-02-28", rows=1)

    assert [0, 2] == found.bill_lease.tolist()
    assert [0, 0, 1] == found.line_bill.tolist()
    assert [0, 0, 2] == found.line_lease.tolist()
    assert [0, 1, 3] == found.line_item.tolist()
    assert [0, 0, 1] == found.line_total.tolist()
    assert [0, 1] == found.total_bill.tolist()


def test_unit_prices_add_up_in_arrow() -> None:
    """100 m² at 8.50 for 17 of 31 days make 466.13, which 4.6613 gives (A21)."""
    item = rent(
        "8.50",
        quantity=Decimal(100),
        ended_on=day("2026-03-17"),
        first_billing_period_bill_item=opening("2026-01-15/2026-02-28", price="1.00"),
    )
    asked = period("2026-03-01/2026-03-31")
    found = bill_batch(
        leases_to_arrow([rb.LeaseTerms(recurring_bill_items=(item,))]), asked, DEFAULT
    )
    assert found is not None
    (line,) = found.bills.column("lines")[0].as_py()

    assert Decimal("466.13") == line["net_price"]
    assert Decimal("4.6613") == line["amount"] == line["unit_net_price"]
    assert ("17/31", "part", "recurring-1") == (line["share"], line["kind"], line["item_id"])


def test_an_asked_period_of_many_years_has_every_month() -> None:
    """From February 2026 to December 2055 there are 359 months, of 8,500.00 each."""
    found = billed(rent(), asked="2026-02-01/2055-12-31")

    assert (359, 359 * 850000) == (len(found.bill_due), int(found.bill_total.sum()))
    assert rb.Period(day("2055-12-01"), day("2055-12-31")) == rb.Period.unchecked(
        int(found.line_start[-1]), int(found.line_end[-1])
    )
