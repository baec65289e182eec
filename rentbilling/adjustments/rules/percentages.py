"""Percentages: the part of an index change that counts, with its rounding and share.

Laws: a percentage is exact until a field of the clause rounds it; the steps act in the order of
A40: change, its rounding, threshold, share, excess, surcharge, limits, pro rata, rounding of the
percentage applied.
"""

from fractions import Fraction
from typing import Final, NamedTuple

from rentbilling.adjustments.rules.arithmetic import ONE, Number, Reason, Where, rounded, where
from rentbilling.adjustments.rules.limits import NO_LIMITS, Limits, limits_over
from rentbilling.terms import IndexClause
from rentbilling.values import MONTHS_PER_YEAR


class Elapsed(NamedTuple):
    """How long ago the amount was set; limits and parts of a year depend on it."""

    months: int = MONTHS_PER_YEAR
    """Months since the amount was last set."""
    first_year: int | None = None
    """Whole months left in the calendar year of the start; None where they do not count."""


AT_ONCE: Final = Elapsed()
"""Where no limit or share depends on time."""


class Percentage(NamedTuple):
    """A percentage on its way from the change of an index to the rent."""

    change: Number
    """The raw change."""
    applied: Number
    """The percentage applied."""
    unlimited: Number
    """The percentage that would be applied without limits."""
    reasons: tuple[Reason, ...] = ()
    """Steps of the clause that made a difference, in order."""


def passes(change: Number, points: Number | None, clause: IndexClause) -> Where:
    """Return whether a change is large enough to lead to anything (assumption A40).

    The change is rounded where the clause rounds it; the points of the index are None where
    percentages are published. Where nothing happens, the point compared with stays.
    """
    if clause.threshold is None:
        return True
    in_points = clause.threshold_unit == "points" and points is not None
    moved = abs(points if in_points and points is not None else change)
    threshold = Fraction(clause.threshold)
    return moved >= threshold if clause.threshold_inclusive else moved > threshold


def applied_percentage(
    change: Number, clause: IndexClause, limits: Limits = NO_LIMITS, elapsed: Elapsed = AT_ONCE
) -> Percentage:
    """Return the percentage that a change leads to, step by step (assumption A40).

    Examples:
        >>> from decimal import Decimal

        75 percent of 1.3 percent; and 3.824 percent of which the part above 3 counts half:

        >>> str(applied_percentage(Fraction(13, 1000), IndexClause(share=Decimal("0.75"))).applied)
        '39/4000'
        >>> clause = IndexClause(excess_over=Decimal("0.03"), excess_share=Decimal("0.5"))
        >>> str(applied_percentage(Fraction(3824, 100000), clause).applied)
        '853/25000'
    """
    reasons: list[Reason] = []
    value = rounded_change(change, clause)
    if _differs(value, change):
        reasons.append("rounded")
    for step, word in ((_shared, "share"), (_damped, "excess"), (_surcharged, "surcharge")):
        before, value = value, step(value, clause)
        if _differs(value, before):
            reasons.append(word)
    unlimited = value
    value, reached = limits_over(limits, clause, elapsed.months).hold(value)
    if reached is not None:
        reasons.append(reached)
    part = part_that_counts(clause, elapsed)
    if part != 1:
        value, unlimited = value * part, unlimited * part
        reasons.append("pro_rata")
    if clause.percentage_decimals is not None and clause.percentage_rounded == "applied":
        before = value
        value, unlimited = (rounded_percentage(each, clause) for each in (value, unlimited))
        if _differs(value, before):
            reasons.append("rounded")
    return Percentage(change, value, unlimited, tuple(reasons))


def _differs(after: Number, before: Number) -> bool:
    """Return whether a step changed the percentage of one lease; on paths no reasons are shown."""
    return isinstance(after, Fraction) and after != before


def rounded_change(change: Number, clause: IndexClause) -> Number:
    """Return a change as the clause rounds it before anything else."""
    if clause.percentage_decimals is None or clause.percentage_rounded != "change":
        return change
    return rounded_percentage(change, clause)


def rounded_percentage(value: Number, clause: IndexClause) -> Number:
    """Return a fraction with the clause's decimals, which count the percentage in percent (A40)."""
    step = Fraction(1, 10 ** ((clause.percentage_decimals or 0) + 2))
    return rounded(value, step, clause.percentage_rounding)


def _shared(value: Number, clause: IndexClause) -> Number:
    """Return the share of a change that is passed on; a share of money is taken from the amount."""
    if clause.share_of != "change" or clause.share == 1:
        return value
    return value * Fraction(clause.share)


def _damped(value: Number, clause: IndexClause) -> Number:
    """Return a percentage of which only a part counts above a bound."""
    if clause.excess_over is None or clause.excess_share is None:
        return value
    bound = Fraction(clause.excess_over)
    return where(value > bound, bound + (value - bound) * Fraction(clause.excess_share), value)


def _surcharged(value: Number, clause: IndexClause) -> Number:
    return value + Fraction(clause.surcharge) if clause.surcharge else value


def part_that_counts(clause: IndexClause, elapsed: Elapsed) -> Fraction:
    """Return which part of the percentage counts (assumption A40)."""
    if clause.pro_rata == "elapsed":
        return Fraction(elapsed.months, clause.pro_rata_months)
    if clause.pro_rata == "first_year" and elapsed.first_year is not None:
        return Fraction(elapsed.first_year, MONTHS_PER_YEAR)
    return ONE
