"""Path percentages: how the change of an index becomes the percentage applied, on every path.

Law: on each path it is what `percentages` makes of it there (A40).
What does not live here: the amounts (`path_steps`).
"""

from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np

from rentbilling.index_clause import IndexClause
from rentbilling.percentages import Elapsed, Limits, limits_over, part_that_counts
from rentbilling.portfolio.path_values import BeyondArraysError
from rentbilling.portfolio.ratios import Ratios
from rentbilling.portfolio.vector_rounding import Mask

NOWHERE: Final[Mask] = np.zeros((), dtype=np.bool_)
NOWHERE.flags.writeable = False
"""On no path."""


class Found(NamedTuple):
    """A percentage on its way to the rent."""

    applied: Ratios
    unlimited: Ratios
    limited: Mask


def held(value: Ratios, limits: Limits) -> tuple[Ratios, Mask]:
    """Return percentages within the limits, and where one of them was met (A35)."""
    met = NOWHERE
    least, most = limits
    if most is not None:
        above = value > most
        value, met = Ratios.of(most).where(above, value), above
    if least is not None:
        below = value < least
        value, met = Ratios.of(least).where(below, value), met | below
    return value, met


def rounded_changes(change: Ratios, clause: IndexClause) -> Ratios:
    """Return changes as the clause rounds them before anything else."""
    if clause.percentage_decimals is None or clause.percentage_rounded != "change":
        return change
    return in_percent(change, clause)


def in_percent(value: Ratios, clause: IndexClause) -> Ratios:
    """Return percentages with the clause's decimals."""
    step = Fraction(1, 10 ** ((clause.percentage_decimals or 0) + 2))
    return value.rounded(step, clause.percentage_rounding)


def passing(change: Ratios, points: Ratios | None, clause: IndexClause) -> Mask:
    """Return where a change is large enough to lead to anything (A40)."""
    if clause.threshold is None:
        return ~NOWHERE
    in_points = clause.threshold_unit == "points"
    if in_points and points is None:
        raise BeyondArraysError("threshold_points")
    moved = abs(points if in_points and points is not None else change)
    threshold = Fraction(clause.threshold)
    return ~(moved < threshold) if clause.threshold_inclusive else moved > threshold


def percentages(change: Ratios, clause: IndexClause, limits: Limits, elapsed: Elapsed) -> Found:
    """Return what `percentages.applied_percentage` does, on every path."""
    value = rounded_changes(change, clause)
    if clause.share_of == "change" and clause.share != 1:
        value *= Fraction(clause.share)
    if clause.excess_over is not None and clause.excess_share is not None:
        bound = Fraction(clause.excess_over)
        damped = (value - bound) * Fraction(clause.excess_share) + bound
        value = damped.where(value > bound, value)
    if clause.surcharge:
        value += Fraction(clause.surcharge)
    unlimited = value
    value, met = held(value, limits_over(limits, clause, elapsed.months))
    part = part_that_counts(clause, elapsed)
    if part != 1:
        value, unlimited = value * part, unlimited * part
    if clause.percentage_decimals is not None and clause.percentage_rounded == "applied":
        value, unlimited = in_percent(value, clause), in_percent(unlimited, clause)
    return Found(value, unlimited, met)
