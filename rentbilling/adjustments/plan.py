"""Planned rules: the plans of one item or balance made ready, and the days on which they act.

Law: the events of a stretch of days do not depend on where another stretch ended; two plans never
act in one month (A37).
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from rentbilling.adjustments.adjustee import Subject
from rentbilling.adjustments.dates import RuleDates
from rentbilling.adjustments.listed import listed_until
from rentbilling.adjustments.notices import DatedNotice, Notices, two_plans
from rentbilling.adjustments.rule import CompiledRule
from rentbilling.adjustments.rule_memory import Memory
from rentbilling.errors import InvalidAdjustmentRuleError
from rentbilling.indices import IndexSeries
from rentbilling.terms.plans import RentAdjustment, RentAdjustmentPlan
from rentbilling.values.periods import NEVER, month_index, month_start


class PlanRules(NamedTuple):
    """A plan with its rules made ready."""

    at: int
    """Place of the plan in the lease."""
    plan_id: str
    """Its id, by position where absent (A57)."""
    plan: RentAdjustmentPlan
    rules: tuple[tuple[int, CompiledRule, RuleDates], ...]
    """Each with its place among all rules of the item or balance."""
    listed_until: int
    """Ordinal of the last day that listed adjustments speak for."""
    by_time: bool
    """Whether a rule asks how long ago the amount was set."""

    def due(self, month: int) -> list[tuple[int, CompiledRule]]:
        """Return the rules that adjust in a month, each with its place among all rules."""
        return [(at, rule) for at, rule, dates in self.rules if dates.has(month)]

    def path_of(self, at: int) -> str:
        """Return where a rule stands in the lease, by its place among all rules."""
        there = at - self.rules[0][0]
        return f"rentAdjustmentPlans[{self.at}].rentAdjustmentRules[{there}]"


Event = tuple[int, PlanRules, RentAdjustment | None]
"""The ordinal of a day, the plan that acts, and the adjustment that a service listed for it."""


class PlannedRules:
    """All plans of one item or balance."""

    __slots__ = ("_series", "first_memories", "plans", "stated")

    def __init__(
        self,
        subject: Subject,
        plans: Sequence[tuple[int, str, RentAdjustmentPlan]],
        indices: Mapping[str, IndexSeries],
        notices: Notices,
    ) -> None:
        """Make the rules ready.

        Raises:
            InvalidAdjustmentRuleError: A rule does not fit its series.
        """
        compiled: list[PlanRules] = []
        self.stated: list[DatedNotice] = []
        """What stands in the rules and should be looked at, with the day it concerns."""
        self.first_memories: list[Memory] = []
        """What each rule remembers from the beginning, in the order of all rules."""
        self._series: list[tuple[str, str] | None] = []
        for at, plan_id, plan in plans:
            rules: list[tuple[int, CompiledRule, RuleDates]] = []
            for rule, rule_id in zip(plan.rent_adjustment_rules, plan.rule_ids, strict=True):
                try:
                    ready = CompiledRule(rule, rule_id, indices, subject.scale)
                except InvalidAdjustmentRuleError as error:
                    place = f"rentAdjustmentPlans[{at}].rentAdjustmentRules[{len(rules)}]"
                    raise error.under(place) from None
                dates = RuleDates(rule, plan, subject.bounds)
                rules.append((len(self._series), ready, dates))
                self.stated += notices.of_rule(ready, dates)
                self.first_memories.append(ready.first_memory())
                points = ready.reference
                self._series.append(None if points is None else (points.series.name, points.unit))
            first = subject.bounds.after + 1
            days = [listed.adjusted_on.toordinal() for listed in plan.adjustments]
            self.stated += [notices.listed_before_start(day, first) for day in days if day < first]
            by_time = any(rule.by_time for _, rule, _ in rules)
            compiled.append(PlanRules(at, plan_id, plan, tuple(rules), listed_until(plan), by_time))
        self.plans = tuple(compiled)
        rules_and_days = [each[1:] for plan_rules in compiled for each in plan_rules.rules]
        self.stated += notices.of_zeros(_in_force(subject), rules_and_days)

    def events(self, after: int, until: int) -> list[Event]:
        """Return what happens after one day up to another, in order of days.

        Raises:
            InvalidAdjustmentRuleError: Two plans act in one month.
        """
        events: list[Event] = []
        by_month: dict[int, PlanRules] = {}
        first, last = month_index(after) + 1, month_index(until)
        for plan in self.plans:
            days: set[int] = set()
            for listed in plan.plan.adjustments:
                day = listed.adjusted_on.toordinal()
                if after < day <= until:
                    events.append((day, plan, listed))
                    days.add(day)
            months = {
                month
                for _, rule, dates in plan.rules
                if not rule.only_limits
                for month in dates.between(first, last)
            }
            for month in months:
                day = month_start(month)
                if day > plan.listed_until:
                    if month in by_month:
                        raise two_plans(by_month[month].at, plan.at, plan.plan_id, month)
                    by_month[month] = plan
                elif day not in days:
                    events.append((day, plan, None))
        events += [(month_start(month), plan, None) for month, plan in by_month.items()]
        return sorted(events, key=_day_of)

    def count(self, memories: list[Memory], at: int) -> None:
        """Let the other rules of a series know which point one of them has applied (A33)."""
        to, series = memories[at].last_point, self._series[at]
        for other, its in enumerate(self._series):
            if series is not None and to is not None and other != at and its == series:
                memories[other] = memories[other].counted(to)


def _in_force(subject: Subject) -> Iterator[tuple[int, Fraction]]:
    """Give the amounts of an item or balance, each with the first day that it is paid for."""
    days, values = subject.amounts
    for day, after, value in zip(days, (*days[1:], NEVER), values, strict=True):
        if after > subject.start:
            yield max(day, subject.start), value


def _day_of(event: Event) -> int:
    return event[0]
