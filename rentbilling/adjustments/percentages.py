"""Percentages: how the change of an index becomes the percentage that is applied.

Law: fractions are exact until a field of the clause rounds them; the steps act in the order of
assumption A40: change, its rounding, threshold, share, excess, surcharge, limits, pro rata,
rounding of what is applied.
"""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Final, NamedTuple

from rentbilling.terms.index_clause import IndexClause
from rentbilling.values.money import Rounding, divide_rounded

_ONE: Final = Fraction(1)
_YEAR: Final = 12
# Of its own, so that a caller's context changes nothing; the digits are more than any amount has.
_COMPOUND: Final = Context(50, ROUND_HALF_EVEN, -999_999, 999_999, 1, 0, [], [])


class Elapsed(NamedTuple):
    """How long ago the amount was set, which limits and parts of a year count by."""

    months: int = _YEAR
    """Months since the amount was last set."""
    first_year: int | None = None
    """Whole months left in the calendar year of the start; None where they do not count."""


class Limits(NamedTuple):
    """Minimum and maximum of a rule, as fractions; None where there is none."""

    minimum: Fraction | None = None
    maximum: Fraction | None = None

    def hold(self, percentage: Fraction) -> tuple[Fraction, str | None]:
        """Return a percentage within the limits, and which of them it met (A35)."""
        least, most = self
        # By whole numbers, as every adjustment comes through here.
        over, below = percentage.as_integer_ratio()
        met = None
        if most is not None:
            at, of = most.as_integer_ratio()
            if over * of > at * below:
                percentage, over, below, met = most, at, of, "maximum"
        if least is not None:
            at, of = least.as_integer_ratio()
            if over * of < at * below:
                return least, "minimum"
        return percentage, met


NO_LIMITS: Final = Limits()
AT_ONCE: Final = Elapsed()
"""Where nothing counts by time."""


class Percentage(NamedTuple):
    """A percentage on its way from the change of an index to the rent."""

    change: Fraction
    """The raw change."""
    applied: Fraction
    """The percentage applied."""
    unlimited: Fraction
    """What would have been applied without limits."""
    reasons: tuple[str, ...] = ()
    """Steps of the clause that made a difference, in order."""


def rounded_fraction(value: Fraction, decimals: int, mode: Rounding = "half_up") -> Fraction:
    """Return a fraction rounded to so many decimals.

    Examples:
        >>> rounded_fraction(Fraction(27, 1066), 3)
        Fraction(1, 40)
    """
    scale = 10**decimals
    return Fraction(divide_rounded(value.numerator * scale, value.denominator, mode), scale)


def limits_over(limits: Limits, clause: IndexClause, months: int) -> Limits:
    """Return a rule's limits for the time that an adjustment covers (assumption A40).

    Examples:
        Two and four percent a year over five years, compounded: the collar is 10.4 percent.

        >>> clause = IndexClause(limit_per="year_compound")
        >>> collar, cap = limits_over(Limits(Fraction(2, 100), Fraction(4, 100)), clause, 60)
        >>> str(rounded_fraction(collar, 4)), str(rounded_fraction(cap, 4))
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
    grown = (_ONE + rate) ** int(whole)
    if rest and rate != 0:
        base = _COMPOUND.divide(
            Decimal((_ONE + rate).numerator), Decimal((_ONE + rate).denominator)
        )
        part = _COMPOUND.divide(Decimal(rest.numerator), Decimal(rest.denominator))
        grown *= Fraction(_COMPOUND.power(base, part))
    return grown - _ONE


def passes(change: Fraction, points: Fraction | None, clause: IndexClause) -> bool:
    """Return whether a change is large enough to lead to anything (assumption A40)."""
    if clause.threshold is None:
        return True
    in_points = clause.threshold_unit == "points" and points is not None
    moved = abs(points if in_points and points is not None else change)
    threshold = Fraction(clause.threshold)
    return moved >= threshold if clause.threshold_inclusive else moved > threshold


def applied_percentage(
    change: Fraction,
    clause: IndexClause,
    limits: Limits = NO_LIMITS,
    elapsed: Elapsed = AT_ONCE,
) -> Percentage:
    """Return the percentage that a change leads to, step by step (assumption A40).

    Examples:
        75 percent of 1.3 percent; and 3.824 percent of which the part above 3 counts half:

        >>> str(applied_percentage(Fraction(13, 1000), IndexClause(share=Decimal("0.75"))).applied)
        '39/4000'
        >>> clause = IndexClause(excess_over=Decimal("0.03"), excess_share=Decimal("0.5"))
        >>> str(applied_percentage(Fraction(3824, 100000), clause).applied)
        '853/25000'
    """
    reasons: list[str] = []
    value = rounded_change(change, clause)
    if value != change:
        reasons.append("rounded")
    for step, word in ((_shared, "share"), (_damped, "excess"), (_surcharged, "surcharge")):
        before, value = value, step(value, clause)
        if value != before:
            reasons.append(word)
    unlimited = value
    value, met = limits_over(limits, clause, elapsed.months).hold(value)
    if met is not None:
        reasons.append(met)
    part = part_that_counts(clause, elapsed)
    if part != 1:
        value, unlimited = value * part, unlimited * part
        reasons.append("pro_rata")
    if clause.percentage_decimals is not None and clause.percentage_rounded == "applied":
        before = value
        value, unlimited = (rounded_percentage(each, clause) for each in (value, unlimited))
        if value != before:
            reasons.append("rounded")
    return Percentage(change, value, unlimited, tuple(reasons))


def rounded_change(change: Fraction, clause: IndexClause) -> Fraction:
    """Return a change as the clause rounds it before anything else."""
    if clause.percentage_decimals is None or clause.percentage_rounded != "change":
        return change
    return rounded_percentage(change, clause)


def rounded_percentage(value: Fraction, clause: IndexClause) -> Fraction:
    """Return a fraction with the clause's decimals, which count the percentage in percent (A40)."""
    return rounded_fraction(
        value, (clause.percentage_decimals or 0) + 2, clause.percentage_rounding
    )


def _shared(value: Fraction, clause: IndexClause) -> Fraction:
    """Return the part that is passed on; a share of money waits for the amount."""
    return value * Fraction(clause.share) if clause.share_of == "change" else value


def _damped(value: Fraction, clause: IndexClause) -> Fraction:
    """Return a percentage of which only a part counts above a bound."""
    if clause.excess_over is None or clause.excess_share is None:
        return value
    bound = Fraction(clause.excess_over)
    return bound + (value - bound) * Fraction(clause.excess_share) if value > bound else value


def _surcharged(value: Fraction, clause: IndexClause) -> Fraction:
    return value + Fraction(clause.surcharge)


def part_that_counts(clause: IndexClause, elapsed: Elapsed) -> Fraction:
    """Return which part of the percentage counts (assumption A40)."""
    if clause.pro_rata == "elapsed":
        return Fraction(elapsed.months, clause.pro_rata_months)
    if clause.pro_rata == "first_year" and elapsed.first_year is not None:
        return Fraction(elapsed.first_year, _YEAR)
    return _ONE
