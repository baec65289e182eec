"""Leases for a single question: old against new, and a bill of three lines.

Law: what is compared bills the same figures, so that only the question differs.
"""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final

from benchmarks.plain import PlainCharge
from benchmarks.wire import PRODUCTS
from benchmarks.workload import (
    EXCLUSIVE,
    PlainDiscount,
    PlainItem,
    PlainLease,
    PlainOpening,
    PlainPrice,
    lease_from,
)

PRICES: Final = (Decimal("8500.00"), Decimal("650.50"), Decimal("300.25"))
"""Unit prices of the bill of three lines, in kroner."""
VAT_RATE: Final = Decimal("0.25")
DISCOUNT: Final = PlainDiscount(1000, date(2027, 12, 31).toordinal())
"""Ten percent, past the end of any period that is billed in 2026."""

_PRICE_STARTS: Final = tuple(date(year, 7, 1).toordinal() for year in (2017, 2020, 2023))


def old_and_new(number: int) -> tuple[PlainLease, PlainLease]:
    """Return a lease of the workload as begun in 2015 and as begun in 2026.

    The old one has the up to three later prices of the workload, put on days long past; the new
    one begins with the last of them. Discounts run on past 2026, so that no period is split and
    both leases have the same regular lines in it.
    """
    old = lease_from(number, date(2015, 1, 1).toordinal())
    new = lease_from(number, date(2026, 1, 1).toordinal())
    aged = tuple(_with_past_prices(item) for item in old.items)
    fresh = tuple(
        replace(
            item,
            minor=before.prices[-1].minor if before.prices else before.minor,
            prices=(),
            discount=before.discount,
        )
        for item, before in zip(new.items, aged, strict=True)
    )
    return replace(old, items=aged), replace(new, items=fresh)


def _with_past_prices(item: PlainItem) -> PlainItem:
    prices = tuple(
        PlainPrice(start, price.minor)
        for start, price in zip(_PRICE_STARTS, item.prices, strict=False)
    )
    discount = item.discount
    if discount is not None:
        discount = PlainDiscount(discount.basis_points, DISCOUNT.last_day)
    return replace(item, prices=prices, discount=discount)


def three_lines() -> PlainLease:
    """Return a lease of three monthly items with 25 percent VAT, the rent discounted."""
    first, last = date(2025, 1, 1).toordinal(), date(2025, 1, 31).toordinal()
    items = tuple(
        PlainItem(
            product=product,
            minor=int(price.scaleb(2)),
            hundredths=100,
            tax_mode=EXCLUSIVE,
            percent=int(VAT_RATE.scaleb(2)),
            months=1,
            start=1,
            due_day=1,
            opening=PlainOpening(int(price.scaleb(2)), first, first, last),
            discount=DISCOUNT if product == 0 else None,
            prices=(),
        )
        for product, price in enumerate(PRICES)
    )
    return PlainLease(0, items)


def plain_charges() -> list[PlainCharge]:
    """Return the same lease, the rent discounted, for the biller in plain Python."""
    end = date.fromordinal(DISCOUNT.last_day)
    percentage = Decimal(DISCOUNT.basis_points).scaleb(-4)
    return [
        PlainCharge(key, price, Decimal(1), VAT_RATE, percentage if place == 0 else Decimal(0), end)
        for place, (key, price) in enumerate(zip(PRODUCTS, PRICES, strict=True))
    ]
