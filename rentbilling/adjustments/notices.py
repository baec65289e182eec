"""The notices about rent adjustments: what a person should look at in rules and their effects.

Law: a notice never changes a figure.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from rentbilling.adjustments.dates import RuleDates
from rentbilling.adjustments.rules.index_comparison import IndexChange
from rentbilling.adjustments.rules.rule import CompiledRule, Effect
from rentbilling.errors import InvalidAdjustmentRuleError, MissingIndexError
from rentbilling.indices import IndexPoint
from rentbilling.terms import RentAdjustmentRule
from rentbilling.values import LAST_DAY, MONTHS_PER_YEAR, Amount, Notice, month_start


def missing_index(
    error: MissingIndexError, plan_id: str, rule_id: str, day: int
) -> MissingIndexError:
    """Return the error with the plan, rule and day that need the value (A41)."""
    when = date.fromordinal(day).isoformat()
    facts = {**error.facts, "plan": plan_id, "rule": rule_id, "adjusted_on": when}
    return MissingIndexError(error.code, **facts)


def two_plans(one: int, other: int, plan_id: str, month: int) -> InvalidAdjustmentRuleError:
    """Return the error of two plans that adjust one item in one month (A37)."""
    year, there = divmod(month, MONTHS_PER_YEAR)
    path, right = f"rentAdjustmentPlans[{other}]", "one plan with several rules, or another month"
    said = f"adjusts what rentAdjustmentPlans[{one}] adjusts in {year:04d}-{there + 1:02d}"
    return InvalidAdjustmentRuleError.of(path, "two_plans", said, plan_id, right)


OLD: Final = 12
"""Months after which an index value has a notice."""
_ALWAYS: Final = 10_000 * MONTHS_PER_YEAR
"""Number of a month after every date."""

_SAID: Final = MappingProxyType(
    {
        "adjusted_from_zero": "the amount is 0, and an index or a percentage leaves it at 0: give "
        "rent-free days as a discount of 100 percent with their first and last day (`discounts`)",
        "adjustment_stopped_at_zero": "the decrease is larger than the amount and stops at zero",
        "assumed_index": "the index value is an assumption, no published value",
        "change_of_a_year": "the published change of the year before lies between two adjustments, "
        "and does not count",
        "double_compounding": "the amount in force times the index since the start counts the same "
        "rises again every year",
        "increment_unused": "the rule makes no adjustment in the year of the increment",
        "index_fell": "the index fell, and only increases count",
        "index_below_threshold": "the change of the index is too small for an adjustment",
        "large_change": "the index more than doubled",
        "large_percentage": "the percentage is more than 100 percent",
        "listed_before_start": "a listed adjustment lies before the first day that can be "
        "adjusted, and changes nothing",
        "listed_from_differs": "a listed adjustment begins with another amount than is in force",
        "listed_without_amount": "a listed adjustment does not say what it led to, and changes "
        "nothing",
        "missing_index": "the index value is missing, and no adjustment is made",
        "old_index": "the index value used is more than twelve months old",
        "other_adjustment_type": "a word that is not known is read as Increment",
        "record_differs": "the amount recorded or listed for the day is not what the rules make of "
        "it, and counts as agreed anew",
        "provisional_index": "the index value is provisional",
    }
)

DatedNotice = tuple[int, Notice]
"""A notice with the ordinal of the day that it concerns."""


class Notices:
    """Makes the notices about one item or balance."""

    __slots__ = ("_subject",)

    def __init__(self, adjustee_id: str) -> None:
        self._subject = adjustee_id

    def _of(self, code: str, **facts: str) -> Notice:
        return Notice(code, _SAID[code], self._subject, tuple(facts.items()))

    def of_rule(self, rule: CompiledRule, dates: RuleDates) -> Iterator[DatedNotice]:
        """Give the notices about the terms of a rule, with the day they concern (A5, A36)."""
        yield from self._of_rule(rule.rule, rule.rule_id, month_start(dates.first))
        if rule.rule.increments:
            yield from self._unused(rule.rule, rule.rule_id, dates)

    def _of_rule(self, rule: RentAdjustmentRule, rule_id: str, day: int) -> Iterator[DatedNotice]:
        word = rule.adjustment_type or ""
        if not rule.by_index and not rule.only_limits and word.lower() != "increment":
            yield day, self._of("other_adjustment_type", rule=rule_id, adjustmentType=word)
        if rule.clause.basis == "mixed":
            yield day, self._of("double_compounding", rule=rule_id)
        for each in rule.increments:
            if each.percentage is not None and each.percentage > 1:
                when = month_start(int(each.of_year) * MONTHS_PER_YEAR + rule.month - 1)
                facts = {"year": each.of_year, "percentage": f"{each.percentage:f}"}
                yield when, self._of("large_percentage", rule=rule_id, **facts)

    def _unused(
        self, rule: RentAdjustmentRule, rule_id: str, dates: RuleDates
    ) -> Iterator[DatedNotice]:
        """Give a notice for each increment of a year in which the rule has no day (A32, A36)."""
        for each in rule.increments:
            january = int(each.of_year) * MONTHS_PER_YEAR
            last = _ALWAYS if each.recurs else january + MONTHS_PER_YEAR - 1
            if dates.between(january, last):
                continue
            when = month_start(january + rule.month - 1)
            yield when, self._of("increment_unused", rule=rule_id, year=each.of_year)

    def of_zeros(
        self,
        amounts: Iterable[tuple[int, Fraction]],
        rules: Sequence[tuple[CompiledRule, RuleDates]],
    ) -> Iterator[DatedNotice]:
        """Give a notice for each day from which rules would multiply an amount of 0 (A62)."""
        multiply = [dates for rule, dates in rules if _multiplies(rule)]
        for day, amount in amounts:
            if not amount and any(dates.next_after(day - 1) is not None for dates in multiply):
                when = date.fromordinal(day).isoformat()
                yield day, self._of("adjusted_from_zero", start=when)

    def missing(self, error: MissingIndexError, rule: CompiledRule, day: int) -> Notice:
        """Return the notice of a value that is missing (A41)."""
        facts = {name: str(value) for name, value in error.facts.items() if value is not None}
        when = date.fromordinal(day).isoformat()
        return self._of("missing_index", rule=rule.rule_id, adjustedOn=when, **facts)

    def listed_before_start(self, day: int, start: int) -> DatedNotice:
        """Return the notice of a listed adjustment that comes too early to count (A32, A38)."""
        days = {"adjustedOn": day, "firstDay": start}
        facts = {
            name: date.fromordinal(each).isoformat()
            for name, each in days.items()
            # After an opening period to 9999-12-31 there is no such day.
            if each <= LAST_DAY
        }
        return min(start, LAST_DAY), self._of("listed_before_start", **facts)

    def listed_from(self, listed: Amount, before: Amount, day: int) -> Notice:
        """Return the notice of a listed adjustment that begins at another amount (A38)."""
        when = date.fromordinal(day).isoformat()
        return self._of(
            "listed_from_differs", adjustedOn=when, told=str(listed), inForce=str(before)
        )

    def differs(self, day: int, agreed: Amount, made: Amount) -> Notice:
        """Return the notice of a recorded or listed amount that differs from the rules (A18)."""
        when = date.fromordinal(day).isoformat()
        facts = {"adjustedOn": when, "agreed": str(agreed), "byTheRules": str(made)}
        return self._of("record_differs", **facts)

    def listed_without_amount(self, day: int) -> Notice:
        """Return the notice of a listed adjustment that does not say what it led to (A38)."""
        return self._of("listed_without_amount", adjustedOn=date.fromordinal(day).isoformat())

    def of_effects(
        self, effects: Sequence[Effect], idle: Sequence[tuple[CompiledRule, str]], month: int
    ) -> Iterator[Notice]:
        """Give the notices about the effects of a day (A5, A33, A36, A41)."""
        for rule, code in idle:
            # Once a year, however often the index is looked at.
            yield self._of(code, rule=rule.rule_id, year=f"{month // MONTHS_PER_YEAR:04d}")
        for effect in effects:
            step, compared = effect.step, effect.compared
            if step is not None and "stopped_at_zero" in effect.reasons:
                scale = effect.rule.scale
                left = "" if step.unlimited is None else f"{-scale.shown(step.unlimited).amount:f}"
                facts = _facts(effect, month)
                yield self._of("adjustment_stopped_at_zero", **facts, left=left)
            if _from_zero(effect):
                yield self._of("adjusted_from_zero", **_facts(effect, month))
            if compared is not None:
                if abs(compared.change.numerator) > compared.change.denominator:
                    yield self._of("large_change", **_facts(effect, month))
                passed_over = _passed_over(effect, compared)
                if passed_over is not None:
                    facts = {**_facts(effect, month), "series": compared.series.name}
                    yield self._of("change_of_a_year", **facts, at=str(passed_over))
                yield from self._of_points(compared, month, effect)

    def _of_points(self, compared: IndexChange, month: int, effect: Effect) -> Iterator[Notice]:
        series = compared.series
        old = month - compared.to_point.last_month > OLD
        if not (old or series.provisional or series.assumed):
            return
        facts = {**_facts(effect, month), "series": series.name}
        if old:
            yield self._of("old_index", **facts, toYearMonth=str(compared.to_point))
        clause = effect.rule.clause
        ends = [compared.to_point]
        # An index value that the contract states is never provisional or assumed.
        own = clause.start_index if compared.from_point == clause.start_point else None
        stated = own is not None and compared.from_value == Fraction(own)
        if compared.from_point is not None and not stated:
            ends.insert(0, compared.from_point)
        points = compared.used or [
            end.shifted(-back) for end in ends for back in range(clause.mean_of)
        ]
        for code, marked in (
            ("provisional_index", series.is_provisional),
            ("assumed_index", series.is_assumed),
        ):
            for point in points:
                if marked(point):
                    yield self._of(code, **facts, at=str(point))


def are_quiet(effects: Iterable[Effect], month: int) -> bool:
    """Return whether no effect has a notice; quicker than collecting them."""
    for effect in effects:
        if _from_zero(effect):
            return False
        compared = effect.compared
        if compared is None:
            if "stopped_at_zero" in effect.reasons:
                return False
            continue
        series, change = compared.series, compared.change
        if (
            series.provisional
            or series.assumed
            or series.kind == "change"
            or abs(change.numerator) > change.denominator
            or month - compared.to_point.last_month > OLD
        ):
            return False
    return True


def _passed_over(effect: Effect, compared: IndexChange) -> IndexPoint | None:
    """Return the point of a published change that an interval of years leaves out, if any (A33)."""
    series = compared.series
    if series.kind != "change" or effect.rule.clause.interval <= MONTHS_PER_YEAR:
        return None
    point = compared.to_point.years_earlier(1)
    return point if point in series.values and point not in compared.used else None


def _multiplies(rule: CompiledRule) -> bool:
    """Return whether a rule multiplies the amount in force, and has no amount of its own."""
    clause = rule.clause
    stated = clause.base_amount, clause.indexed_amount, clause.floor_amount
    if rule.only_limits or clause.floor_at_start or any(each is not None for each in stated):
        return False
    return rule.is_index or any(each.percentage is not None for each in rule.rule.increments)


def _from_zero(effect: Effect) -> bool:
    """Return whether a percentage of 0 was added to 0 (A62)."""
    if effect.after or effect.before:
        return False
    return effect.step is not None and effect.step.percentage is not None


def _facts(effect: Effect, month: int) -> dict[str, str]:
    when = f"{month // MONTHS_PER_YEAR:04d}-{month % MONTHS_PER_YEAR + 1:02d}-01"
    return {"rule": effect.rule.rule_id, "adjustedOn": when}
