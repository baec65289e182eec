"""Limits: the least and the most by which one adjustment, or a year of them, may change an amount.

Law: a limit that is reached is exact; parts of a year are compounded to 50 digits.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Final, NamedTuple

from rentbilling.adjustments.rules.arithmetic import ONE, Array, Number, Reason, Where
from rentbilling.terms import IndexClause

_REACHED: Final = ("minimum", "maximum")
# A context of our own, so that the caller's changes no figure; no amount has as many digits.
_COMPOUND: Final = Context(50, ROUND_HALF_EVEN, -999_999, 999_999, 1, 0, [], [])


class Limits(NamedTuple):
    """Minimum and maximum of a rule, as fractions; None where there is none."""

    minimum: Fraction | None = None
    maximum: Fraction | None = None

    def hold(self, percentage: Number | Array) -> tuple[Number, Reason | None]:
        """Return a percentage within the limits, and which of them it reached (A35)."""
        least, most = self
        if not isinstance(percentage, Fraction):
            on_paths: tuple[Number, Reason | None] = percentage.within(least, most)
            return on_paths
        # By whole numbers, as every adjustment comes through here.
        over, below = percentage.as_integer_ratio()
        reached = None
        if most is not None:
            at, of = most.as_integer_ratio()
            if over * of > at * below:
                percentage, over, below, reached = most, at, of, "maximum"
        if least is not None:
            at, of = least.as_integer_ratio()
            if over * of < at * below:
                return least, "minimum"
        return percentage, reached


NO_LIMITS: Final = Limits()


def limits_over(limits: Limits, clause: IndexClause, months: int) -> Limits:
    """Return a rule's limits for the time that an adjustment covers (assumption A40).

    The clause says what the limits are for: an adjustment, or a year by simple or compound interest
    of the months since the amount was last set; parts of a year are compounded to 50 digits.

    Examples:
        >>> from rentbilling.adjustments.rules.arithmetic import rounded

        Two and four percent a year over five years, compounded: the collar is 10.4 percent.

        >>> clause = IndexClause(limit_per="year_compound")
        >>> collar, cap = limits_over(Limits(Fraction(2, 100), Fraction(4, 100)), clause, 60)
        >>> str(rounded(collar, Fraction(1, 10_000))), str(rounded(cap, Fraction(1, 10_000)))
        ('1041/10000', '2167/10000')
    """
    if clause.limit_per == "adjustment":
        return limits
    years = Fraction(months, clause.limit_months)
    if clause.limit_per == "year_simple":
        return Limits(*(None if each is None else each * years for each in limits))
    return Limits(*(None if each is None else _compounded(each, years) for each in limits))


def _compounded(rate: Fraction, years: Fraction) -> Fraction:
    """Return what a yearly rate makes in so many years."""
    whole, rest = divmod(years, 1)
    grown = (ONE + rate) ** int(whole)
    if rest and rate != 0:
        base = _COMPOUND.divide(Decimal((ONE + rate).numerator), Decimal((ONE + rate).denominator))
        part = _COMPOUND.divide(Decimal(rest.numerator), Decimal(rest.denominator))
        grown *= Fraction(_COMPOUND.power(base, part))
    return grown - ONE


def limit_reached(reasons: Sequence[Reason | Where]) -> Where:
    """Return whether one of the reasons is that a minimum or maximum was reached."""
    found = False
    for each in reasons:
        found = (each in _REACHED if isinstance(each, str) else each) | found
    return found
