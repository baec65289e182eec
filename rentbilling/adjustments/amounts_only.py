"""The amounts of a plain rule, without the steps that led to them, as most bills need them.

Law: what is found here is what the full history finds, with no notice; wherever that is not
certain, nothing is found, and the full history answers.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from operator import itemgetter
from typing import Final, NamedTuple

from rentbilling.adjustments.adjustee import Adjustee
from rentbilling.adjustments.dates import Bounds, RuleDates
from rentbilling.adjustments.notices import OLD
from rentbilling.adjustments.plan import PlannedRules
from rentbilling.adjustments.rules.amounts import rounded_amount
from rentbilling.adjustments.rules.limits import NO_LIMITS, Limits
from rentbilling.adjustments.rules.percentages import applied_percentage
from rentbilling.adjustments.rules.rule import CompiledRule
from rentbilling.errors import MissingIndexError, RentBillingError
from rentbilling.terms import IndexClause, RentAdjustmentPlan, RentAdjustmentRule, has_defaults
from rentbilling.values import MONTHS_PER_YEAR, decimal_of, divide_rounded, month_index, month_start

Unit = tuple[int, Decimal | Fraction]
"""The ordinal of a day, and the price of one unit from then on."""

Changes = Callable[[Sequence[int], int | None], Iterator[tuple[int, int, int, int] | None]]
"""The change in each of some months, as `Reference.published_changes` gives it."""

_OF_THE_POINTS: Final = frozenset(
    {
        "series",
        "base",
        "reference",
        "lag_months",
        "year_offset",
        "index_quarter",
        "from_lag_months",
        "interval_years",
        "interval_months",
    }
)
"""Fields of a clause that only say which points are compared, and when."""
_OF_THE_CHANGE: Final = (
    *("percentage_decimals", "percentage_rounding", "percentage_rounded"),
    *("share", "excess_over", "excess_share", "surcharge"),
)
"""Fields by which a percentage follows from a change alone, whatever the amount is."""
_OF_THE_AMOUNT: Final = ("amount_quantum", "amount_rounding", "amount_per")
"""Fields that only say how an amount is rounded."""
_NO_POINTS: Final = tuple(name for name in IndexClause.model_fields if name not in _OF_THE_POINTS)
_OTHERS: Final = tuple(
    name for name in _NO_POINTS if name not in ("basis", *_OF_THE_CHANGE, *_OF_THE_AMOUNT)
)
_day_of = itemgetter(0)

Factor = Callable[[tuple[int, int, int, int]], tuple[int, int, int] | None]
"""What an amount is multiplied by for a change of `Changes`, and the last month of its point."""


class _Reached(NamedTuple):
    """How far the amounts are known; replaced as a whole, so that no call sees half of one."""

    day: int
    over: int
    """The amount in force, as a fraction."""
    below: int
    end: int
    """Number of the last month of the last point applied; 0 before the first."""
    units: tuple[Unit, ...]
    first: int | None = None
    """Number of the month of the first adjustment, None before it."""


class AmountsOnly:
    """The dated prices that one plain rule makes of an item of one unit without records."""

    __slots__ = (
        "_base",
        "_changes",
        "_dates",
        "_factor",
        "_most",
        "_reached",
        "_rounds",
        "_rule",
        "_scale",
        "clause",
        "limits",
    )

    def __init__(
        self,
        adjustee: Adjustee,
        changes: Changes,
        limits: Limits,
        rule: tuple[RentAdjustmentRule, RentAdjustmentPlan],
        dates: RuleDates,
        most: int,
    ) -> None:
        self._scale, self._dates, self._most = adjustee.scale, dates, most
        self._rule = rule
        self._changes = changes
        self.clause = clause = rule[0].clause
        """What its rule says, of which the fields of points, change and amount may be others."""
        self.limits = limits
        """Its limits: of each change, or of the step from the amount in force where anchored."""
        of_change = NO_LIMITS if self.is_anchored else limits
        self._factor: Factor = partial(_stepped, clause, of_change)
        if has_defaults(clause, _OF_THE_CHANGE):
            ratios = [None if each is None else each.as_integer_ratio() for each in of_change]
            self._factor = partial(_limited, ratios)
        self._rounds = not has_defaults(clause, _OF_THE_AMOUNT)
        self._base = adjustee.amounts.values[0]
        over, below = self._base.as_integer_ratio()
        self._reached = _Reached(adjustee.bounds.after, over, below, 0, ())

    @property
    def day(self) -> int:
        """The last day up to which the amounts are known, and known to have no notice."""
        return self._reached.day

    def months(self, after: int, last: int) -> Sequence[int]:
        """Return the months up to another in which the rule adjusts an item that opens to a day."""
        return RuleDates(*self._rule, Bounds(after)).between(0, last)

    @property
    def is_anchored(self) -> bool:
        """Whether it multiplies the first amount by the change since the first point compared."""
        return self.clause.basis == "anchored"

    @property
    def counts_from_opening(self) -> bool:
        """Whether items that open on other days are adjusted in other months after that."""
        rule, _ = self._rule
        return rule.counts_from is None and MONTHS_PER_YEAR % rule.clause.interval > 0

    @property
    def rests_for_years(self) -> bool:
        """Whether a year at least lies between its adjustments, so that each has its own point."""
        return self._rule[0].clause.interval >= MONTHS_PER_YEAR

    @property
    def names_its_year(self) -> bool:
        """Whether it states its first year, so that the creation of the plan says nothing (A32)."""
        return self._rule[0].first_year is not None

    def stated(self, after: int) -> Iterator[tuple[int, Sequence[int]]]:
        """Give the months for which the rule states an increment, with those that it is used in.

        They are the first ones of an item that opens to a day. An increment that none of them lies
        in an item's days for may have a notice for its month; so may one that is used in none.
        """
        rule, _ = self._rule
        dates = RuleDates(*self._rule, Bounds(after))
        for each in rule.increments:
            january = int(each.of_year) * MONTHS_PER_YEAR
            more = rule.clause.interval if each.recurs else 0
            used = dates.between(january, january + more + MONTHS_PER_YEAR - 1)
            yield january + rule.month - 1, used

    def factor(
        self, month: int, since: int | None = None, *, noticed: bool = True
    ) -> tuple[int, int, int] | None:
        """Return by what an amount is multiplied in a month, and the last month of its point.

        A fraction, of the first amount for an anchored rule that adjusts first in the month
        `since`; None where the month is not plain. Where no notice of the month is asked for, one
        of an old value is none to mind.
        """
        try:
            (found,) = self._changes([month], since if self.is_anchored else None)
        except RentBillingError:
            return None
        if found is None or (noticed and month - found[1] > OLD):
            return None
        return self._factor(found)

    def lacks(self, month: int) -> bool:
        """Return whether a month has no factor for want of an index value alone."""
        try:
            return [*self._changes([month], None)] == [None]
        except MissingIndexError:
            return True
        except RentBillingError:
            return False

    def until(self, day: int) -> Sequence[Unit] | None:
        """Return the prices up to a day, oldest first; None where the full history is needed."""
        reached = self._reached
        if day > reached.day:
            try:
                found = self._extended(reached, day)
            except RentBillingError:
                # The full history says what is wrong, with all that it knows of it.
                return None
            if found is None:
                return None
            self._reached = reached = found
            return reached.units
        return reached.units[: bisect_right(reached.units, day, key=_day_of)]

    def _extended(self, reached: _Reached, day: int) -> _Reached | None:
        """Return how far the amounts are known on a later day; None where a month is not plain."""
        since, over, below, end, units, first = reached
        months = self._dates.between(month_index(since) + 1, month_index(day))
        if len(months) > self._most:
            return None
        factor_of, rounds = self._factor, self._rounds
        places, mode = self._scale.places, self._scale.mode
        hundredths = 10**places
        added: list[Unit] = []
        first, anchored = first or next(iter(months), None), self.is_anchored
        changes = self._changes(months, first if anchored else None)
        for month, found in zip(months, changes, strict=False):
            old = found is None or month - found[1] > OLD
            factor = None if found is None or old else factor_of(found)
            if factor is None or not over or end >= factor[2]:
                return None
            times, of, end = factor
            if rounds or anchored:
                before = Fraction(over, below)
                exact = (Fraction(self._base) if anchored else before) * Fraction(times, of)
                # What a limit cuts off of an anchored rule decides what follows.
                if anchored and self.limits.hold(exact / before - 1)[1] is not None:
                    return None
                amount = rounded_amount(exact, before, self.clause, self._scale)
                over = self._scale.units(amount)
            else:
                over = divide_rounded(over * times * hundredths, below * of, mode)
            below = hundredths
            added.append((month_start(month), decimal_of(over, places)))
        return _Reached(day, over, below, end, (*units, *added), first)


def _limited(
    limits: Sequence[tuple[int, int] | None], found: tuple[int, int, int, int]
) -> tuple[int, int, int] | None:
    """Return a factor within limits as a fraction, and the last month of its point."""
    start, to, rise, of = found
    if start >= to or of <= 0 or abs(rise) > of:
        return None
    least, most = limits
    if most is not None and rise * most[1] > most[0] * of:
        rise, of = most
    if least is not None and rise * least[1] < least[0] * of:
        rise, of = least
    return of + rise, of, to


def _stepped(
    clause: IndexClause, limits: Limits, found: tuple[int, int, int, int]
) -> tuple[int, int, int] | None:
    """Return the same of a clause that says how a percentage follows from the change (A40)."""
    start, to, rise, of = found
    if start >= to or of <= 0 or abs(rise) > of:
        return None
    applied = applied_percentage(Fraction(rise, of), clause, limits).applied
    # A percentage above 1 has a notice.
    if not isinstance(applied, Fraction) or abs(applied) > 1:
        return None
    over, below = applied.as_integer_ratio()
    return below + over, below, to


def amounts_only(adjustee: Adjustee, planned: PlannedRules, most: int) -> AmountsOnly | None:
    """Return the amounts of an item alone where one plain rule adjusts it, else None.

    Plain is one rule of an item of one unit without records, in a plan without listed adjustments:
    an Index rule with a series of final published levels, or without its series, whose clause only
    says which points are compared, which percentage follows from their change, how the amount is
    rounded, and that it is anchored; or increments by percentages. More than `most` adjustments are
    left to the full history.
    """
    if len(planned.plans) != 1 or planned.stated or adjustee.is_balance:
        return None
    plan = planned.plans[0]
    amounts, quantities = adjustee.amounts, adjustee.quantities
    if len(plan.rules) != 1 or plan.plan.adjustments or len(amounts.days) != 1:
        return None
    _, rule, dates = plan.rules[0]
    changes = _plain_changes(rule)
    if changes is None or len(quantities.days) != 1 or quantities.values[0] != 1:
        return None
    words = rule.rule, plan.plan
    return AmountsOnly(adjustee, changes, rule.limits, words, dates, most)


def _plain_changes(rule: CompiledRule) -> Changes | None:
    """Return the changes of a rule that only multiplies by them."""
    clause, reference = rule.rule.index_clause, rule.reference
    if clause is not None and (
        clause.reference == "last_published"
        or clause.basis not in ("chained", "anchored")
        or not has_defaults(clause, _OTHERS)
    ):
        return None
    if not rule.is_index:
        plain = clause is None or has_defaults(clause, _NO_POINTS)
        return partial(_increments, rule) if plain else None
    if reference is None:
        return _unknown
    # Limits of an anchored rule are of another amount than its change is.
    limited = rule.rule.clause.basis == "anchored" and rule.limits != NO_LIMITS
    if limited and not has_defaults(rule.rule.clause, _OF_THE_CHANGE):
        return None
    series = reference.series
    final = series.kind == "level" and not series.provisional and not series.assumed
    return reference.published_changes if final else None


def _unknown(months: Sequence[int], since: int | None) -> Iterator[None]:
    """Give no change of any month, for want of the series."""
    del since
    return iter([None] * len(months))


def _increments(
    rule: CompiledRule, months: Sequence[int], since: int | None
) -> Iterator[tuple[int, int, int, int] | None]:
    """Give the percentages of increments as changes; None for one of an amount."""
    del since
    for month in months:
        percentage = rule.increment_of(month // 12).percentage
        yield None if percentage is None else (month - 1, month, *percentage.as_integer_ratio())
