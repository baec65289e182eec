"""Lines over time: what holds on which day, and the parts of a split, which lose nothing."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import rentbilling as rb
from rentbilling.billing.lines import ItemPrices, opening_figures
from rentbilling.values import NEVER
from tests.support.rents import (
    EXEMPT,
    day,
    in_force,
    lines_of,
    maker,
    opening,
    ordinal,
    period,
    price_from,
    quantity_from,
    quarterly,
    rent,
    told,
    vat,
)
from tests.support.rows import rows

FIRST_QUARTER = "2026-01-01/2026-03-31"
ON_1_FEBRUARY, ON_1_MARCH = "2026-02-01", "2026-03-01"
ON_TOP = vat("Exclusive", "0.25")
INSIDE = vat("Inclusive", "0.25")
TENTH_IN_JANUARY = rb.Discount(percentage=Decimal("0.10"), end_date=day("2026-01-31"))


def vat_from(start: str, tax: rb.Vat) -> rb.VatRecord:
    return rb.VatRecord(value=tax, start=day(start))


def text_from(start: str, text: str) -> rb.DescriptionRecord:
    return rb.DescriptionRecord(value=text, start=day(start))


def prices_of(
    item: rb.RecurringBillItem, end: str | None = None, policy: rb.BillingPolicy | None = None
) -> ItemPrices:
    rules = policy or rb.BillingPolicy()
    last = NEVER if end is None else ordinal(end)
    return ItemPrices(item, maker(item.amount.currency, rules), rules, last)


def parts(
    item: rb.RecurringBillItem, policy: rb.BillingPolicy | None = None
) -> list[tuple[str, str]]:
    """Return the days and the net price of the lines of the first quarter."""
    return told(item, "2026-01-01/2026-01-01", policy)


def test_prices_hold_from_their_day_to_the_next() -> None:
    """In order of start, whatever the order given; the item's own before the first (A18)."""
    records = (price_from("2026-07-01", "9200"), price_from("2026-05-01", "9000"))
    prices = prices_of(rent(amount_records=records))
    days = ("2020-01-01", "2026-04-30", "2026-05-01", "2026-06-30", "2026-07-01", "2050-01-01")

    assert [8500, 8500, 9000, 9000, 9200, 9200] == [
        prices.price_on(ordinal(each)).amount for each in days
    ]


def test_amount_vat_quantity_and_text_change_apart() -> None:
    """What a record does not say stays; a discount ends with its last day (A18, A23)."""
    item = rent(
        amount_records=(price_from("2026-03-01", "9000"),),
        vat_records=(vat_from("2026-03-01", ON_TOP),),
        quantity_records=(quantity_from("2026-04-01", "2"),),
        description_records=(text_from("2026-05-01", "New"),),
        discount=TENTH_IN_JANUARY,
    )
    days = ("2026-01-31", "2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01")

    assert [
        in_force("8500", discount=TENTH_IN_JANUARY),
        in_force("8500"),
        in_force("9000", ON_TOP),
        in_force("9000", ON_TOP, "2"),
        in_force("9000", ON_TOP, "2", text="New"),
    ] == [prices_of(item).price_on(ordinal(each)) for each in days]


CHANGING = rent(
    amount_records=(price_from("2026-03-01", "9000"), price_from("2026-06-01", "9000")),
    description_records=(text_from("2026-04-01", "New"),),
    discount=TENTH_IN_JANUARY,
)


@rows(
    ("end", "choices", "days"),
    [
        (None, {}, ["2026-02-01", "2026-03-01"]),
        ("2026-02-28", {}, ["2026-02-01"]),
        (None, {"discount_end": "whole_period"}, ["2026-03-01"]),
        (None, {"mid_period_change": "next_period"}, []),
    ],
)
def test_a_period_is_split_on_the_days_of_real_changes(
    end: str | None, choices: dict[str, Any], days: list[str]
) -> None:
    """Not by a new text or an equal value, nor after the end (A19, A23)."""
    prices = prices_of(CHANGING, end, rb.BillingPolicy(**choices))

    assert [ordinal(each) for each in days] == list(
        prices.split_days_between(ordinal("2026-01-01"), ordinal("2026-12-31"))
    )


def test_the_figures_of_a_whole_period_are_made_once() -> None:
    prices = prices_of(rent(amount_records=(price_from("2026-03-01", "9000"),)))
    lines: list[Any] = []
    for month in period(FIRST_QUARTER).months:
        prices.add_lines(month.first, month.last, month.first, lines)
    (january, _, _), (february, _, _), (march, first, last) = lines
    starts, limits, ready = prices.table

    assert january is february
    assert (900_000, period("2026-03-01/2026-03-31")) == (
        march.net,
        rb.Period.unchecked(first, last),
    )
    assert ([0, ordinal("2026-03-01")], ordinal("2026-03-01"), [january, march]) == (
        list(starts),
        limits[0],
        list(ready),
    )


SPLIT = ["2026-01-01/2026-01-31", "2026-02-01/2026-03-31"]


@rows(
    ("item", "choices", "expected"),
    [
        # A third of 300, two thirds of 600.
        ({"amount_records": (price_from("2026-02-01", "600"),)}, {}, ["100.00", "400.00"]),
        ({"quantity_records": (quantity_from("2026-02-01", "2"),)}, {}, ["100.00", "400.00"]),
        ({"vat_records": (vat_from("2026-02-01", ON_TOP),)}, {}, ["100.00", "200.00"]),
        # Less 10 % for one month: 30 of 300.
        ({"discount": TENTH_IN_JANUARY}, {}, ["90.00", "200.00"]),
        # By thirty-day months it is the same.
        ({"discount": TENTH_IN_JANUARY}, {"part_period": "thirty_day"}, ["90.00", "200.00"]),
        # Decided by 1 January, also where another change splits.
        ({"discount": TENTH_IN_JANUARY}, {"discount_end": "whole_period"}, ["270.00"]),
        (
            {"discount": TENTH_IN_JANUARY, "amount_records": (price_from("2026-02-01", "600"),)},
            {"discount_end": "whole_period"},
            ["90.00", "360.00"],
        ),
        # Waiting for 1 April.
        (
            {"discount": TENTH_IN_JANUARY, "amount_records": (price_from("2026-02-01", "600"),)},
            {"mid_period_change": "next_period"},
            ["270.00"],
        ),
        # No change at all.
        ({"amount_records": (price_from("2026-02-01", "300.00"),)}, {}, ["300.00"]),
        ({"description_records": (text_from("2026-02-01", "New"),)}, {}, ["300.00"]),
        # On the first day it is the price of the whole.
        ({"amount_records": (price_from("2026-01-01", "600"),)}, {}, ["600.00"]),
    ],
)
def test_a_change_inside_a_quarter_splits_it(
    item: dict[str, Any], choices: dict[str, Any], expected: list[str]
) -> None:
    """300 a quarter, something else from 1 February (A19, A20, A23)."""
    found = parts(quarterly("300.00", **item), rb.BillingPolicy(**choices))
    days = SPLIT if len(expected) > 1 else [FIRST_QUARTER]

    assert list(zip(days, expected, strict=True)) == found


def test_a_part_knows_what_it_is_a_part_of() -> None:
    """Its share, its regular period, and the text of the period's first day (A19, A56)."""
    item = quarterly(
        description="Old",
        amount_records=(price_from("2026-02-01", "60000"),),
        description_records=(text_from("2026-02-01", "New"),),
    )
    share, whole = [Fraction(1, 3), Fraction(2, 3)], period(FIRST_QUARTER)

    assert [("part", each, whole, "Old") for each in share] == [
        (found.kind, found.share, found.regular_period, found.description)
        for found in lines_of(item, "2026-01-01/2026-01-01")
    ]


@rows(
    ("records", "expected"),
    [
        # Thirds of 100.00, 100.03 and 100.00: 33.333…, 66.676… and 100.01 so far.
        (
            {
                "amount_records": (
                    price_from(ON_1_FEBRUARY, "100.03"),
                    price_from(ON_1_MARCH, "100"),
                )
            },
            ["33.33", "33.35", "33.33"],
        ),
        # The Inclusive part, which is gross, has a running total of its own: 33.333… alone; the
        # others have 33.333… and 66.666…
        (
            {"vat_records": (vat_from(ON_1_FEBRUARY, INSIDE), vat_from(ON_1_MARCH, EXEMPT))},
            ["33.33", "33.33", "33.34"],
        ),
    ],
)
def test_the_parts_of_a_split_sum_to_the_rounded_whole(
    records: dict[str, Any], expected: list[str]
) -> None:
    """100 a quarter that changes on 1 February and on 1 March (A21)."""
    lines = lines_of(quarterly("100.00", **records), "2026-01-01/2026-01-01")

    assert expected == [f"{each.amount.amount:f}" for each in lines]


def test_a_change_on_the_last_day_splits_it_off() -> None:
    """(2 + 30/31)/3 of 300 are 296.774…; with 600 × 1/93 it is 303.225…, so 6.46 are left (A19)."""
    item = quarterly("300.00", amount_records=(price_from("2026-03-31", "600"),))

    assert [("2026-01-01/2026-03-30", "296.77"), ("2026-03-31/2026-03-31", "6.46")] == parts(item)


@rows(
    ("ended_on", "kind", "share"),
    [
        ("2026-02-27", "part", Fraction(27, 28)),
        ("2026-02-28", "regular", Fraction(1)),
        ("2026-03-01", "regular", Fraction(1)),
    ],
)
def test_an_end_on_the_last_day_cuts_nothing(ended_on: str, kind: str, share: Fraction) -> None:
    """The period is whole; a day earlier it is a part (A17)."""
    (line,) = lines_of(rent(ended_on=day(ended_on)), "2026-02-01/2026-02-28")

    assert (kind, share) == (line.kind, line.share)


@rows(
    ("ended_on", "choices", "expected"),
    [
        # (1 + 17/28)/3 of the quarter, January 1/3 and February 17/84.
        (
            "2026-02-17",
            {},
            [("2026-01-01/2026-01-31", "100.00"), ("2026-02-01/2026-02-17", "121.43")],
        ),
        # 47 of 90 days: 30 and 17.
        (
            "2026-02-17",
            {"part_period": "thirty_day"},
            [("2026-01-01/2026-01-31", "100.00"), ("2026-02-01/2026-02-17", "113.33")],
        ),
        # In full: 28/45 of 300 and 17/45 of 600.
        (
            "2026-02-17",
            {"part_period": "full"},
            [("2026-01-01/2026-01-31", "186.67"), ("2026-02-01/2026-02-17", "226.66")],
        ),
        # Before the change: 17/93.
        ("2026-01-17", {}, [("2026-01-01/2026-01-17", "54.84")]),
        # The change waits beyond the end: 45/84 of 300.
        ("2026-02-17", {"mid_period_change": "next_period"}, [("2026-01-01/2026-02-17", "160.71")]),
    ],
)
def test_an_end_cuts_what_a_change_splits(
    ended_on: str, choices: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    """300 a quarter, 600 from 1 February, ended inside it (A17, A19, A20)."""
    item = quarterly(
        "300.00", amount_records=(price_from("2026-02-01", "600"),), ended_on=day(ended_on)
    )

    assert expected == parts(item, rb.BillingPolicy(**choices))


def test_a_bill_charges_the_amount_in_force_in_its_period() -> None:
    """From 1 March 9,000: the bills due on 31 January and 28 February are before it (A42)."""
    before = rent(
        due_date_rule=rb.DueDateRule(day_of_period=-1),
        amount_records=(price_from("2026-03-01", "9000"), price_from("2026-03-15", "9310")),
    )
    after = before.evolve(due_date_rule=rb.DueDateRule(relative_to="end"))

    # 14 days of March at 9,000 and 17 at 9,310: 4,064.516… and 5,105.483…, in advance or not.
    march = [("2026-03-01/2026-03-14", "4064.52"), ("2026-03-15/2026-03-31", "5105.48")]
    assert ([("2026-02-01/2026-02-28", "8500.00"), *march], march) == (
        told(before, "2026-01-31/2026-02-28"),
        told(after, "2026-04-01/2026-04-01"),
    )


def test_the_opening_has_the_vat_quantity_and_text_of_its_first_day() -> None:
    """3 × 100.00, not split by what changes inside it (A12)."""
    item = rent(
        quantity=2,
        first_billing_period_bill_item=opening(price="100.00"),
        amount_records=(price_from("2026-01-15", "9000"),),
        quantity_records=(quantity_from("2026-01-15", "3"), quantity_from("2026-01-20", "4")),
        vat_records=(vat_from("2026-01-15", ON_TOP), vat_from("2026-01-20", EXEMPT)),
        description_records=(text_from("2026-01-15", "First"), text_from("2026-01-20", "Later")),
    )
    rules = rb.BillingPolicy()
    figures = opening_figures(item, prices_of(item), maker(), rules)

    assert ("opening", 30_000, Decimal(3), ON_TOP, "First", (1, 1), None) == (
        figures.kind,
        figures.net,
        figures.quantity,
        figures.vat,
        figures.description,
        figures.share,
        figures.regular,
    )


def test_a_discount_in_force_is_named_on_the_line() -> None:
    """Its text ends with it (A22, A23)."""
    discount = TENTH_IN_JANUARY.evolve(description="Loyal tenant")
    found = lines_of(quarterly(discount=discount), "2026-01-01/2026-01-01")

    assert ["Loyal tenant", None] == [each.discount_text for each in found]
