"""Prices: the unit price of an item on each day, with its dated changes, and after its discount.

Law: a price is exact until a line is rounded.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from operator import itemgetter
from typing import Any, Final, NamedTuple

from rentbilling.terms import Discount, RecurringBillItem
from rentbilling.values import Vat

UNIT: Final = Decimal(1)
_ALWAYS: Final = 0
_Change = tuple[int, int, object]
# The places of what changes, in a price in force.
_AMOUNT, _VAT, _QUANTITY, _DISCOUNT, _DESCRIPTION = range(5)
_OTHER_RECORDS: Final = (
    (_VAT, "vat_records"),
    (_QUANTITY, "quantity_records"),
    (_DESCRIPTION, "description_records"),
)
_day_of = itemgetter(0)


class PriceInForce(NamedTuple):
    """What an item costs on a day, before its discount (A18, A25)."""

    amount: Decimal | Fraction
    vat: Vat
    quantity: Decimal
    discount: Discount | None
    description: str | None

    def differs(self, other: "PriceInForce", *, vat: bool = True) -> bool:
        """Return whether a period is split between the two; a new text does not split (A19)."""
        return (
            self.amount != other.amount
            or (vat and self.vat is not other.vat and self.vat.category != other.vat.category)
            or self.quantity != other.quantity
        )


def discounted(
    amount: Decimal | Fraction, discount: Discount | None
) -> tuple[int, int, str | None]:
    """Return a unit price after discount, exactly (assumption A22)."""
    over, below = amount.as_integer_ratio()
    if discount is not None and discount.percentage is not None:
        off, out_of = discount.percentage.as_integer_ratio()
        return over * (out_of - off), below * out_of, None
    if discount is None or discount.amount is None:
        return over, below, None
    if over < 0:
        return over, below, "discount_on_negative_ignored"
    off, out_of = discount.amount.amount.as_integer_ratio()
    left = over * out_of - off * below
    if left < 0:
        return 0, 1, "discount_stopped_at_zero"
    return left, below * out_of, None


def dated_prices(
    item: RecurringBillItem, adjusted: Sequence[tuple[int, Fraction]]
) -> tuple[tuple[int, ...], tuple[PriceInForce, ...]]:
    """Return the days on which an item's price changes, and the price from each day on (A18)."""
    # A record takes longer for a field than its dictionary, and here are ten of each item.
    fields = vars(item)
    discount, quantity = fields["discount"], fields["quantity"] or UNIT
    base = PriceInForce(
        fields["amount"].amount, fields["vat"], quantity, discount, fields["description"]
    )
    changes = _changes(fields, discount)
    if adjusted and not changes:
        # Most adjusted rents have no records of their own.
        later = [PriceInForce(unit, *base[1:]) for _, unit in adjusted]
        return (_ALWAYS, *(day for day, _ in adjusted)), (base, *later)
    # An adjustment holds from its day on (A42), also where an amount record begins on that day.
    changes += [(day, _AMOUNT, unit) for day, unit in adjusted]
    if not changes:
        return (_ALWAYS,), (base,)
    changes.sort(key=_day_of)
    starts, prices, values = [_ALWAYS], [base], list[Any](base)
    for day, place, value in changes:
        values[place] = value
        price = PriceInForce._make(values)
        if starts[-1] == day:
            prices[-1] = price
        else:
            starts.append(day)
            prices.append(price)
    return tuple(starts), tuple(prices)


def _changes(fields: Mapping[str, Any], discount: Discount | None) -> list[_Change]:
    """Return each dated change of an item's price: its day, what changes, and the new value."""
    changes: list[_Change] = [
        (each.start.toordinal(), _AMOUNT, each.value.amount) for each in fields["amount_records"]
    ]
    for place, name in _OTHER_RECORDS:
        if fields[name]:
            changes += [(each.start.toordinal(), place, each.value) for each in fields[name]]
    # A discount to the calendar's last day has no day after it.
    if discount is not None and discount.end_date is not None and discount.end_date < date.max:
        changes.append((discount.end_date.toordinal() + 1, _DISCOUNT, None))
    return changes
