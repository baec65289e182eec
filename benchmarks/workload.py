"""Which leases the measurements are taken on: plain integers, the same on every machine.

Law: a figure of the workload is a pure function of (seed, lease, item, field). Nothing is drawn
in turn, so any lease can be made alone, and a columnar generator reproduces the workload from
unsigned 64-bit arrays, one field at a time.

**The scheme.** All arithmetic is modulo 2**64, as numpy's uint64 does it::

    mix(z):   z ^= z >> 30;  z *= 0xBF58476D1CE4E5B9
              z ^= z >> 27;  z *= 0x94D049BB133111EB
              z ^= z >> 31
    counter = (lease * 4 + item) * 32 + field
    draw    = mix(mix(seed) + (counter + 1) * 0x9E3779B97F4A7C15)

This is the splitmix64 stream that starts at `mix(seed)`, read at position `counter`. Leases count
from 0, items are 0 rent, 1 heating on account and 2 parking, and item 3 stands for the lease
itself. A whole number from 0 to n - 1 is `draw % n`. The seed is 20261120.

**Fields of the lease** (item 3)::

    0  year moved in         2015 + draw % 11
    1  month moved in        1 + draw % 12
    2  on the first?         draw % 2 == 0: day 1, else the day of field 3
    3  another day           1 + draw % 28

**Fields of an item** (amounts in minor units, a month's number is year * 12 + month - 1)::

    0  price                 low + draw % (high - low + 1), see BANDS
    1  quantity is 1?        draw % 100 < 90, else field 2
    2  which other quantity  draw % 2 == 0: whole, field 3, else hundredths, field 4
    3  whole                 2 + draw % 9
    4  hundredths            101 + draw % 1100, divided by 100
    5  VAT mode              draw % 100: < 50 Exempt, < 80 Exclusive, else Inclusive
    6  VAT rate              RATES[draw % 5] percent, 0 for Exempt
    7  months in a cycle     draw % 100: < 70 one, < 95 three, else twelve
    8  month of the start    1 + draw % months in a cycle
    9  due day               draw % 10 < 7: 1, else -1
    10 discounted?           draw % 100 < 15
    11 discount              1 + draw % 5000, in hundredths of a percent
    12 month of its end      2024 * 12 + draw % 48
    13 end inside a month?   draw % 4 == 0: the day of field 14, else the month's last day
    14 day of its end        1 + draw % 28
    15 later prices          draw % 4
    16 + 4k  month of later price k of n: with s = months from the one after moving in to December
             2026 and the stratum from k * s // n to (k + 1) * s // n - 1, that many months after
             the one after moving in: k * s // n + draw % (width of the stratum)
    17 + 4k  inside a month? draw % 10 == 0: the day of field 18 + 4k, else day 1
    18 + 4k  day             1 + draw % 28
    19 + 4k  price           the price before * (1000000 + draw % 50001) // 1000000

**The opening period** runs from the day moved in to the day before the first regular cycle that
starts later. It falls due on the day moved in, at price * its days // the days of the regular
cycle it ends with.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

SEED: Final = 20261120
"""The seed of every published figure."""

BANDS: Final = ((500_000, 1_500_000), (20_000, 120_000), (10_000, 80_000))
"""Lowest and highest price of rent, heating on account and parking, in minor units."""

RATES: Final = (25, 21, 19, 9, 6)
"""VAT rates in percent."""

EXEMPT: Final = "Exempt"
EXCLUSIVE: Final = "Exclusive"
INCLUSIVE: Final = "Inclusive"

_MASK: Final = (1 << 64) - 1
_STEP: Final = 0x9E3779B97F4A7C15
_LEASE: Final = 3
_LAST_MONTH: Final = 2026 * 12 + 11


class PlainPrice(NamedTuple):
    """A later price of an item."""

    start: int
    """The first day it holds, as an ordinal."""
    minor: int


class PlainDiscount(NamedTuple):
    """A discount of an item in percent."""

    basis_points: int
    """Hundredths of a percent."""
    last_day: int
    """The last day it is given, as an ordinal."""


class PlainOpening(NamedTuple):
    """The stated opening period of an item; days as ordinals."""

    minor: int
    due: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlainItem:
    """One recurring item in plain integers."""

    product: int
    """0 rent, 1 heating on account, 2 parking."""
    minor: int
    """The price of one unit in minor units."""
    hundredths: int
    """The quantity in hundredths; 100 is one."""
    tax_mode: str
    percent: int
    """The VAT rate in percent, 0 for an exempt item."""
    months: int
    """The months of one billing cycle: 1, 3 or 12."""
    start: int
    """The calendar month, from 1, in which cycles start."""
    due_day: int
    """1 or -1."""
    opening: PlainOpening
    discount: PlainDiscount | None
    prices: tuple[PlainPrice, ...]


@dataclass(frozen=True, slots=True)
class PlainLease:
    """One lease of three items in plain integers."""

    number: int
    items: tuple[PlainItem, ...]


def mix(word: int) -> int:
    """Return the finishing function of splitmix64 for a 64-bit word."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)


def draw(seed: int, lease: int, item: int, field: int) -> int:
    """Return the unsigned 64-bit word that belongs to one field of one item."""
    counter = (lease * 4 + item) * 32 + field
    return mix((mix(seed & _MASK) + (counter + 1) * _STEP) & _MASK)


def first_day(month: int) -> int:
    """Return the ordinal of the first day of a month numbered year * 12 + month - 1."""
    return date(month // 12, month % 12 + 1, 1).toordinal()


def lease(number: int, *, seed: int = SEED) -> PlainLease:
    month = (2015 + draw(seed, number, _LEASE, 0) % 11) * 12 + draw(seed, number, _LEASE, 1) % 12
    day = 1
    if draw(seed, number, _LEASE, 2) % 2:
        day += draw(seed, number, _LEASE, 3) % 28
    return lease_from(number, first_day(month) + day - 1, seed=seed)


def lease_from(number: int, moved_in: int, *, seed: int = SEED) -> PlainLease:
    """Return one lease of the workload as if it had begun on another day."""
    items = tuple(_item(seed, number, product, moved_in) for product in range(len(BANDS)))
    return PlainLease(number, items)


def leases(count: int, *, seed: int = SEED) -> tuple[PlainLease, ...]:
    return tuple(lease(number, seed=seed) for number in range(count))


def _item(seed: int, number: int, product: int, moved_in: int) -> PlainItem:
    def field(index: int) -> int:
        return draw(seed, number, product, index)

    low, high = BANDS[product]
    minor = low + field(0) % (high - low + 1)
    hundredths = 100
    if field(1) % 100 >= 90:
        hundredths = 101 + field(4) % 1100 if field(2) % 2 else 100 * (2 + field(3) % 9)
    mode = field(5) % 100
    tax_mode = EXEMPT if mode < 50 else EXCLUSIVE if mode < 80 else INCLUSIVE
    length = field(7) % 100
    months = 1 if length < 70 else 3 if length < 95 else 12
    start = 1 + field(8) % months
    return PlainItem(
        product=product,
        minor=minor,
        hundredths=hundredths,
        tax_mode=tax_mode,
        percent=0 if tax_mode == EXEMPT else RATES[field(6) % 5],
        months=months,
        start=start,
        due_day=1 if field(9) % 10 < 7 else -1,
        opening=_opening(minor, months, start, moved_in),
        discount=_discount(seed, number, product),
        prices=_later_prices(seed, number, product, minor, moved_in),
    )


def _opening(minor: int, months: int, start: int, moved_in: int) -> PlainOpening:
    following = _month_of(moved_in) + 1
    regular = following + (start - 1 - following) % months
    end = first_day(regular) - 1
    whole = end - first_day(regular - months) + 1
    return PlainOpening(minor * (end - moved_in + 1) // whole, moved_in, moved_in, end)


def _discount(seed: int, number: int, product: int) -> PlainDiscount | None:
    if draw(seed, number, product, 10) % 100 >= 15:
        return None
    month = 2024 * 12 + draw(seed, number, product, 12) % 48
    last_day = first_day(month + 1) - 1
    if draw(seed, number, product, 13) % 4 == 0:
        last_day = first_day(month) + draw(seed, number, product, 14) % 28
    return PlainDiscount(1 + draw(seed, number, product, 11) % 5000, last_day)


def _later_prices(
    seed: int, number: int, product: int, minor: int, moved_in: int
) -> tuple[PlainPrice, ...]:
    count = draw(seed, number, product, 15) % 4
    following = _month_of(moved_in) + 1
    span = _LAST_MONTH - following + 1
    prices: list[PlainPrice] = []
    for k in range(count):
        # Strata keep the months apart, so no two prices of an item start on one day.
        low, high = k * span // count, (k + 1) * span // count
        start = first_day(following + low + draw(seed, number, product, 16 + 4 * k) % (high - low))
        if draw(seed, number, product, 17 + 4 * k) % 10 == 0:
            start += draw(seed, number, product, 18 + 4 * k) % 28
        minor = minor * (1_000_000 + draw(seed, number, product, 19 + 4 * k) % 50_001) // 1_000_000
        prices.append(PlainPrice(start, minor))
    return tuple(prices)


def _month_of(day: int) -> int:
    moved_in = date.fromordinal(day)
    return moved_in.year * 12 + moved_in.month - 1
