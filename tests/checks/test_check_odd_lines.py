"""Lines that bill a thing twice are odd, those that take something back are not (A16, A19)."""

from pathlib import Path

import pytest

from rentbilling import PendingBillLineItem, check_bill
from rentbilling.testing import a_bill, a_line
from tests.support.sentences import Said, assert_said

YEAR = "2026-01-01/2026-12-31"
FEBRUARY = "2026-02-01/2026-02-28"
APRIL = "2026-04-01/2026-04-30"
QUARTER, TO_MAY = "2026-01-01/2026-03-31", "2026-02-01/2026-05-31"
HALF = a_line(period="2026-02-15/2026-03-14")
RENT = a_line(item_id="rent")
PRICES = ("400.00", "500.00")


def of(*lines: PendingBillLineItem) -> Said:
    return lambda: check_bill(a_bill(*lines))


def rent(*periods: str, item_id: str | None = "rent", amount: str = "8500.00") -> Said:
    return of(*(a_line(item_id=item_id, amount=amount, period=days) for days in periods))


CHECKED: dict[str, Said] = {
    # February and April are in the year, though they do not touch each other.
    "all lines within a longer one": rent(YEAR, FEBRUARY, APRIL),
    "all lines within a longer one, without ids": rent(YEAR, FEBRUARY, APRIL, item_id=None),
    "the line that ends last counts": rent(QUARTER, TO_MAY, APRIL),
    "a later line that begins after all": rent(APRIL, "2026-05-01/2026-05-31"),
    # Lines without ids are of one item where they are for the same.
    "lines without ids": of(a_line(), HALF),
    **{
        f"lines with another {next(iter(other))}": of(
            a_line(),
            a_line(**{"period": "2026-02-15/2026-03-14", **other}),  # type: ignore[arg-type]
        )
        for other in (
            {"product_key": "key:parking"},
            {"vat": "ReverseCharge"},
            {"description": "the second one"},
            {"item_id": "other"},
        )
    },
    # Without ids they may be of two items.
    "lines of the same days": of(*(a_line(amount=price) for price in PRICES)),
    "lines of the same days and item": of(
        *(a_line(amount=price, item_id="garage") for price in PRICES)
    ),
    # A line that takes another one back bills nothing again.
    **{
        f"lines of {', '.join(prices)} of {item_id or 'an item without id'}": of(
            *(a_line(amount=price, item_id=item_id) for price in prices)
        )
        for item_id in ("rent", None)
        for prices in (
            ("8500.00", "-8500.00", "8600.00"),
            ("8600.00", "8500.00", "-8500.00"),
            ("-8500.00", "8500.00", "8600.00"),
            ("8500.00", "8500.00", "-8500.00"),
            ("-500.00", "500.00", "-600.00"),
        )
    },
    # A credit for the days from the 19th on.
    "a line that is taken back in part": of(
        RENT, a_line(amount="-3035.71", item_id="rent", period="2026-02-19/2026-02-28")
    ),
    "a credit of other days takes nothing back": of(
        RENT, RENT, a_line(amount="-8500.00", item_id="rent", period="2026-03-01/2026-03-31")
    ),
    "a credit of another item takes nothing back": of(
        a_line(item_id="one"),
        a_line(item_id="one", amount="8600.00"),
        a_line(item_id="two", amount="-8500.00"),
    ),
    "the same credit twice": rent(FEBRUARY, FEBRUARY, amount="-500.00"),
    # The 15th is credited twice.
    "credits for days that overlap": rent(
        "2026-02-01/2026-02-15", "2026-02-15/2026-02-28", amount="-500.00"
    ),
}


def test_lines_that_bill_days_again_are_found(request: pytest.FixtureRequest) -> None:
    assert_said(request, Path(__file__), CHECKED)
