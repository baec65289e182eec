"""Discounts: what they take off a unit price, one after the other (A22, A61).

Law: a price is exact until a line is rounded, and a discount never turns its sign.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from rentbilling.schedule import WHOLE, Share
from rentbilling.terms import Discount


def discounted(
    amount: Decimal | Fraction, discounts: Sequence[Discount], cycles: Share = WHOLE
) -> tuple[int, int, str | None]:
    """Return a unit price after discounts, exactly, and what to say of it (A22, A61).

    The price is for some cycles, of each of which an amount is taken off.
    """
    listed = amount.as_integer_ratio()
    over, below = listed
    said = None
    for each in discounts:
        over, below, warning = _less(over, below, each, listed, cycles)
        said = said or warning
    return over, below, said


def left_after(
    amount: Decimal | Fraction, discounts: Sequence[Discount], cycles: Share
) -> Iterator[tuple[int, int]]:
    """Give a unit price before discounts, and what each of them leaves of it (A61)."""
    over, below = listed = amount.as_integer_ratio()
    yield over, below
    for each in discounts:
        over, below, _ = _less(over, below, each, listed, cycles)
        yield over, below


def _less(
    over: int, below: int, discount: Discount, listed: tuple[int, int], cycles: Share
) -> tuple[int, int, str | None]:
    """Return what one more discount leaves of a list price; the sign never turns."""
    if discount.amount is None:
        assert discount.percentage is not None  # noqa: S101 - one of the two is given
        off, out_of = discount.percentage.as_integer_ratio()
        if discount.of != "list":
            return over * (out_of - off), below * out_of, None
        off, out_of = off * listed[0], out_of * listed[1]
    else:
        if listed[0] < 0:
            return over, below, "discount_on_negative_ignored"
        off, out_of = discount.amount.amount.as_integer_ratio()
        off, out_of = off * cycles[0], out_of * cycles[1]
    rest = over * out_of - off * below
    if rest > 0 if listed[0] < 0 else rest < 0:
        return 0, 1, "discount_stopped_at_zero"
    return rest, below * out_of, None
