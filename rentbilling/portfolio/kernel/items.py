"""Items: the items of many leases as columns of whole numbers.

Laws: a row is an item; the rows of a lease adjoin, in the order of its items, those billed once
last; a lease with anything that the columns do not have is marked in `rare`.
"""

from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np

from rentbilling.portfolio.arrow.arrays import Column, Mask, offsets_of

EXCLUSIVE: Final = 0
INCLUSIVE: Final = 1
EXEMPT: Final = 2
REVERSE_CHARGE: Final = 3
MOST_UNITS: Final = 10**9
"""Units that are priced together at most, in steps of their scale."""
MODES: Final = ("Exclusive", "Inclusive", "Exempt", "ReverseCharge")
"""The tax modes by their numbers in `FlatItems.tax_mode`."""


def _no_days() -> Column:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FlatItems:
    """The items of many leases, a row each.

    Days are ordinals as `date.toordinal` counts them, and NEVER where there is none. Amounts are
    whole numbers of 10**-amount_scale of the main unit, quantities, percentages and rates of
    10**-their own scale: with scales of 2, 2, 4 and 4 a price of 8,500.00 is 850000, a quantity of
    12.5 is 1250, a discount of ten percent is 1000, and a rate of 25 percent 2500. There are no
    nulls.

    Raises:
        ValueError: A column is longer or shorter than the offsets say.
    """

    lease_offsets: Column
    """Where the items of each lease begin, and a last one where they end: from 0 to the rows."""
    contract_end: Column
    """For each lease: the last day paid for."""
    rare: Mask
    """For each lease: whether it has anything that these columns cannot say."""
    currency: Column
    """Number of the currency in `currencies`."""
    amount: Column
    """Price of one unit for one cycle, in the item's tax mode."""
    quantity: Column
    """Units, above 0."""
    tax_mode: Column
    """Number of the mode in MODES."""
    tax_rate: Column
    """Rate as a fraction; 0 for the untaxed modes."""
    months: Column
    """Months of one cycle, 1 to 12; of a cycle of days, the months that it may reach over."""
    start_month: Column
    """Calendar month, 1 to 12, in which a cycle starts; of a cycle of days its ISO weekday, or 8
    where it starts on any."""
    start_day: Column
    """Day of the month, 1 to 31, on which cycles start."""
    due_day: Column
    """Day of the period on which its bill falls due: 1 the first, −1 the day before (A10)."""
    started_on: Column
    opening_amount: Column
    """Price of one unit for the opening period."""
    opening_due: Column
    opening_start: Column
    opening_end: Column
    """Last day of the opening period, included."""
    discount_amount: Column
    """Taken off each unit; 0 where nothing is."""
    discount_percentage: Column
    """Fraction taken off; 0 where nothing is."""
    discount_end: Column
    """Last day with the discount; 0 where there is none, NEVER where it has no end."""
    ended_on: Column
    cancelled_on: Column
    price_offsets: Column
    """Where the later prices of each item begin, and a last one where they end."""
    price_start: Column
    """For each later price: its first day, rising within an item."""
    price_amount: Column
    """For each later price: the price of one unit."""
    currencies: tuple[str, ...]
    """Codes of the currencies, by their numbers."""
    amount_scale: int = 2
    quantity_scale: int = 2
    percentage_scale: int = 4
    rate_scale: int = 4
    days: Column = field(default_factory=_no_days)
    """Days of one cycle, 0 for one of months; of none where absent."""
    arrears: Mask
    """Whether the due day is counted from the day after the period (A51)."""
    discount_start: Column = field(default_factory=_no_days)
    """First day with the discount (A61), 0 where it begins with the item; of none where absent."""
    priced_units: Column = field(default_factory=_no_days)
    """Units that its prices are of together, shown in place of `quantity`, which is 1 then; 0 where
    prices are of one; of none where absent."""
    once: Mask
    """Whether it is billed once: the opening period is its only one, and no end cuts it (A55)."""

    def __post_init__(self) -> None:
        """Refuse columns of other lengths than the offsets say."""
        for name in ("days", "discount_start", "priced_units"):
            if not len(getattr(self, name)):
                object.__setattr__(self, name, np.zeros(len(self.amount), dtype=np.int64))
        leases, items, prices = (
            len(each) for each in (self.contract_end, self.amount, self.price_start)
        )
        lengths = {
            "lease_offsets": leases + 1,
            "rare": leases,
            **dict.fromkeys(PER_ITEM, items),
            "price_offsets": items + 1,
            "price_amount": prices,
        }
        wrong = [name for name, length in lengths.items() if len(getattr(self, name)) != length]
        if not wrong:
            ends = {"lease_offsets": items, "price_offsets": prices}
            wrong = [name for name, end in ends.items() if getattr(self, name)[-1] != end]
        if wrong:
            raise ValueError(f"columns of a portfolio do not fit together: {', '.join(wrong)}")

    @property
    def nbytes(self) -> int:
        """Bytes of all columns."""
        names = ("lease_offsets", "contract_end", "rare", *PER_ITEM, "price_offsets", *PER_PRICE)
        return sum(getattr(self, name).nbytes for name in names)

    def part(self, first: int, last: int) -> Self:
        """Return the leases from one number up to another, which is not included.

        Args:
            first: Number of the first lease, from 0.
            last: Number after the last one.

        Returns:
            Views of the columns, with offsets from 0.
        """
        rows = slice(int(self.lease_offsets[first]), int(self.lease_offsets[last]))
        prices = slice(int(self.price_offsets[rows.start]), int(self.price_offsets[rows.stop]))
        return replace(
            self,
            lease_offsets=self.lease_offsets[first : last + 1] - rows.start,
            contract_end=self.contract_end[first:last],
            rare=self.rare[first:last],
            price_offsets=self.price_offsets[rows.start : rows.stop + 1] - prices.start,
            **{name: getattr(self, name)[rows] for name in PER_ITEM},
            **{name: getattr(self, name)[prices] for name in PER_PRICE},
        )

    def only(self, leases: Mask) -> Self:
        """Return the leases of a mask; the others stay in their places, without items.

        Args:
            leases: A mask with an entry for each lease.
        """
        counts = np.diff(self.lease_offsets)
        items = np.repeat(leases, counts)
        prices = np.diff(self.price_offsets)
        each = np.repeat(items, prices)
        return replace(
            self,
            lease_offsets=offsets_of(counts * leases),
            price_offsets=offsets_of(prices[items]),
            **{name: getattr(self, name)[items] for name in PER_ITEM},
            **{name: getattr(self, name)[each] for name in PER_PRICE},
        )


PER_ITEM: Final = (
    *("once", "currency", "amount", "quantity", "priced_units", "tax_mode", "tax_rate"),
    *("months", "days", "start_month", "start_day", "due_day", "arrears", "started_on"),
    *("opening_amount", "opening_due", "opening_start", "opening_end"),
    *("discount_amount", "discount_percentage", "discount_start", "discount_end"),
    *("ended_on", "cancelled_on"),
)
"""The columns with a row for each item."""

PER_PRICE: Final = ("price_start", "price_amount")
"""The columns with a row for each later price."""
