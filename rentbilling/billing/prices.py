"""Prices: the unit price of an item on each day, with its dated changes.

Law: a price is exact until a line is rounded.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from operator import itemgetter
from typing import Any, Final, NamedTuple

from rentbilling.billing.discounts import discounted
from rentbilling.terms import Discount, RecurringBillItem, discounts_in_force
from rentbilling.values import LAST_DAY, Vat

UNIT: Final = Decimal(1)
_ALWAYS: Final = 0
_Change = tuple[int, int, object]
# The places of what changes, in a price in force.
_AMOUNT, _VAT, _QUANTITY, _DISCOUNTS, _DESCRIPTION = range(5)
_OTHER_RECORDS: Final = (
    (_VAT, "vat_records"),
    (_QUANTITY, "quantity_records"),
    (_DESCRIPTION, "description_records"),
)
_day_of = itemgetter(0)


class PriceInForce(NamedTuple):
    """The price of an item on a day, before its discounts (A18, A25)."""

    amount: Decimal | Fraction
    vat: Vat
    quantity: Decimal
    discounts: tuple[Discount, ...]
    """Those in force, in the order in which they come off."""
    description: str | None

    def differs(self, other: "PriceInForce", *, vat: bool) -> bool:
        """Return whether a period is split between the two; a new text does not split (A19)."""
        return (
            self.amount != other.amount
            or (vat and self.vat is not other.vat and self.vat.category != other.vat.category)
            or self.quantity != other.quantity
        )

    def times(self, prices: Fraction) -> "PriceInForce":
        """Return the price of so many stated ones (A65)."""
        return self._replace(amount=Fraction(self.amount) * prices)

    def is_discounted_as(self, other: "PriceInForce") -> bool:
        """Return whether a change of discounts alone leaves the price of a unit as it is (A61)."""
        if self.discounts == other.discounts:
            return True
        if not (self.discounts and other.discounts):
            return False
        over, below, _ = discounted(self.amount, self.discounts)
        other_over, other_below, _ = discounted(other.amount, other.discounts)
        return over * other_below == other_over * below


# A class takes twice as long to make its tuple of named parts.
_price: Final[Callable[[Iterable[Any]], PriceInForce]] = partial(tuple.__new__, PriceInForce)


def dated_prices(
    item: RecurringBillItem, adjusted: Sequence[tuple[int, Decimal | Fraction]]
) -> tuple[tuple[int, ...], tuple[PriceInForce, ...]]:
    """Return the days on which an item's price changes, and the price from each day on (A18)."""
    # A record takes longer for a field than its dictionary, and here are ten of each item.
    fields = vars(item)
    discount, quantity = fields["discount"], fields["quantity"] or UNIT
    discounts = fields["discounts"] if discount is None else (discount,)
    first, dated = _over_time(discounts) if discounts else (discounts, ())
    base = _price((fields["amount"].amount, fields["vat"], quantity, first, fields["description"]))
    changes = _changes(fields)
    changes += dated
    if adjusted and not changes:
        # Most adjusted rents have no records of their own.
        others = base[1:]
        later = [_price((unit, *others)) for _, unit in adjusted]
        return (_ALWAYS, *[day for day, _ in adjusted]), (base, *later)
    # An adjustment holds from its day on (A42), also where an amount record begins on that day.
    changes += [(day, _AMOUNT, unit) for day, unit in adjusted]
    if not changes:
        return (_ALWAYS,), (base,)
    changes.sort(key=_day_of)
    starts, prices, values = [_ALWAYS], [base], list[Any](base)
    for day, place, value in changes:
        values[place] = value
        price = _price(values)
        if starts[-1] == day:
            prices[-1] = price
        else:
            starts.append(day)
            prices.append(price)
    return tuple(starts), tuple(prices)


def _changes(fields: Mapping[str, Any]) -> list[_Change]:
    """Return each dated change of an item's price: its day, what changes, and the new value."""
    changes: list[_Change] = [
        (each.start.toordinal(), _AMOUNT, each.value.amount) for each in fields["amount_records"]
    ]
    for place, name in _OTHER_RECORDS:
        if fields[name]:
            changes += [(each.start.toordinal(), place, each.value) for each in fields[name]]
    return changes


def _over_time(
    discounts: tuple[Discount, ...],
) -> tuple[tuple[Discount, ...], Sequence[_Change]]:
    """Return the discounts in force before all days, and their changes."""
    if len(discounts) == 1:
        first, last = discounts[0].days
        # One to the calendar's last day has no day after it.
        ends = ((last + 1, _DISCOUNTS, ()),) if last < LAST_DAY else ()
        # Most discounts begin with their item.
        if first <= _ALWAYS:
            return discounts, ends
        return (), ((first, _DISCOUNTS, discounts), *ends)
    days = {day for first, last in [each.days for each in discounts] for day in (first, last + 1)}
    changes = [
        (day, _DISCOUNTS, discounts_in_force(discounts, day))
        for day in days
        if _ALWAYS < day <= LAST_DAY
    ]
    return discounts_in_force(discounts, _ALWAYS), changes
