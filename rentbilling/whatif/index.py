"""Scenarios of rent adjustments: limits, clauses, assumed index values, no adjustments at all.

Law: a limit applies to all adjustments of a month together.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import MAXYEAR, date
from decimal import Decimal
from functools import lru_cache, partial
from itertools import zip_longest
from typing import Any, Final, Literal

from rentbilling.indices import AnyPoint, IndexSeries
from rentbilling.terms import IndexClause, RentAdjustmentPlan, RentAdjustmentRule
from rentbilling.values import Rate, percent_words, rate_of
from rentbilling.whatif import scenario

_Limit = Literal["minimum_percentage", "maximum_percentage"]
_MOST: Final = "maximum_percentage"

PlanChange = Callable[[RentAdjustmentPlan], RentAdjustmentPlan]


def cap(maximum: Rate, *, on: scenario.FromDay = None) -> scenario.Scenario:
    """Return the scenario of a maximum rise of rents in an adjustment: 0.04 is four percent (A35).

    It applies to adjustments on a day and later: by default the first day of the asked period, with
    `on="start"` to all, past ones too.

    Raises:
        InvalidAmountError: It is not a rate.
        InvalidAdjustmentRuleError: When it runs: it is below a rule's minimum, or out of range.

    Examples:
        >>> cap(0.04)
        <Scenario cap 4 %>
    """
    most = rate_of(maximum, "maximum")
    return _limit(f"cap {percent_words(most)}", "maximum_percentage", most, on)


def floor(minimum: Rate, *, on: scenario.FromDay = None) -> scenario.Scenario:
    """Return the scenario of a minimum rise of rents in an adjustment; with 0 the rent never falls.

    It applies to adjustments on a day and later: by default the first day of the asked period, with
    `on="start"` to all, past ones too.

    Raises:
        InvalidAmountError: It is not a rate.
        InvalidAdjustmentRuleError: When it runs: it is above a rule's maximum, or out of range.

    Examples:
        >>> floor(0) | cap("0.05")
        <Scenario floor 0 %, cap 5 %>
    """
    least = rate_of(minimum, "minimum")
    return _limit(f"floor {percent_words(least)}", "minimum_percentage", least, on)


def _limit(name: str, field: _Limit, value: Decimal, on: scenario.FromDay) -> scenario.Scenario:
    def limited(rule: RentAdjustmentRule) -> RentAdjustmentRule:
        own = getattr(rule, field)
        stricter = own is not None and (own <= value if field == _MOST else own >= value)
        return rule if stricter else rule.evolve(**{field: value})

    def change(plan: RentAdjustmentPlan, start: date | None) -> RentAdjustmentPlan:
        rules = plan.rent_adjustment_rules
        if start is None and not _in_one_month(rules) and not any(map(_adds_amounts, rules)):
            made = tuple(map(limited, rules))
        else:
            made = (*rules, *_together(rules, field, value, start))
        same = all(one is other for one, other in zip_longest(made, rules))
        return plan if same else plan.evolve(rent_adjustment_rules=made)

    return _from_day(name, on, change)


def _together(
    rules: Iterable[RentAdjustmentRule], field: _Limit, value: Decimal, start: date | None
) -> Iterator[RentAdjustmentRule]:
    clause = IndexClause(combine="limit")
    for month in sorted({month for rule in rules for month in rule.calendar_months}):
        values: dict[str, Any] = {"adjustment_month": month, field: value}
        if start is not None:
            first = start.year + ((start.month, start.day) > (month, 1))
            if first > MAXYEAR:
                continue
            values["first_year"] = f"{first:04d}"
        yield RentAdjustmentRule(adjustment_type="Index", index_clause=clause, **values)


def _in_one_month(rules: tuple[RentAdjustmentRule, ...]) -> bool:
    months = [month for rule in rules for month in rule.calendar_months]
    return len(months) != len(set(months))


def _adds_amounts(rule: RentAdjustmentRule) -> bool:
    """Return whether a rule has increments by amount or level, which cannot have a limit."""
    return any(each.percentage is None for each in rule.increments)


def use_clause(clause: IndexClause | None = None, /, **fields: Any) -> scenario.Scenario:  # noqa: ANN401
    """Return the scenario of rules that follow an index by another clause (A40).

    Args:
        clause: The new clause of all index rules.
        **fields: Or single fields to change; the others stay as they are.

    Raises:
        InvalidAdjustmentRuleError: When it runs: the clause contradicts itself or the rule.

    Examples:
        >>> use_clause(basis="anchored", increase_only=True)
        <Scenario basis anchored, increase_only True>
    """
    if clause is not None:
        scenario.refuse_unless(IndexClause, clause, "clause", "an IndexClause")

    def change(plan: RentAdjustmentPlan) -> RentAdjustmentPlan:
        rules = tuple(
            rule.evolve(index_clause=(clause or rule.clause).evolve(**fields))
            if rule.by_index and not rule.only_limits
            else rule
            for rule in plan.rent_adjustment_rules
        )
        if rules == plan.rent_adjustment_rules:
            return plan
        return plan.evolve(rent_adjustment_rules=rules)

    said = ", ".join(f"{name} {value}" for name, value in fields.items()) or "another clause"
    return of_plans(said, change)


def without_adjustments(*, on: scenario.FromDay = None) -> scenario.Scenario:
    """Return the scenario without adjustments by rules from a day on (A32); listed ones stay.

    By default from the first day of the asked period; with `on="start"` past adjustments are left
    out too.

    Examples:
        >>> without_adjustments(on="2027-01-01")
        <Scenario without adjustments from 2027-01-01>
    """

    def change(plan: RentAdjustmentPlan, start: date | None) -> RentAdjustmentPlan:
        if not plan.rent_adjustment_rules:
            return plan
        if start is None:
            return plan.evolve(rent_adjustment_rules=())
        if plan.cancelled_on is not None and plan.cancelled_on <= start:
            return plan
        return plan.evolve(cancelled_on=start)

    return _from_day("without adjustments", on, change)


def of_plans(name: str, change: PlanChange) -> scenario.Scenario:
    """Return a scenario that changes rent adjustment plans."""
    return scenario.Scenario(name, partial(_with_plans, change), turn="rules")


def _from_day(
    name: str,
    on: scenario.FromDay,
    change: Callable[[RentAdjustmentPlan, date | None], RentAdjustmentPlan],
) -> scenario.Scenario:
    """Return a scenario that changes plans from a day on; None is all of the past."""
    asked = scenario.ordinal_of(on)

    def changed(inputs: scenario.BillingInputs) -> scenario.BillingInputs:
        day = inputs.first_day(asked)
        start = None if day is None else date.fromordinal(day)
        return _with_plans(lambda plan: change(plan, start), inputs)

    said = f"{name}{scenario.since_words(asked)}"
    return scenario.Scenario(said, changed, turn="rules", from_period=asked is None)


def _with_plans(change: PlanChange, inputs: scenario.BillingInputs) -> scenario.BillingInputs:
    plans = inputs.terms.rent_adjustment_plans
    made = tuple(map(change, plans))
    if all(one is other for one, other in zip(made, plans, strict=True)):
        return inputs
    return inputs.evolve(terms=inputs.terms.evolve(rent_adjustment_plans=made))


def assume_index(
    rate: Rate | Mapping[int, Rate], *, until: AnyPoint = "2056-12", of: str | None = None
) -> scenario.Scenario:
    """Return the scenario of an index that changes at a rate after its last published value (A41).

    Values that were assumed before are assumed anew; published ones stay.

    Args:
        rate: Growth of a year, 0.02 or "2%", or one for each calendar year.
        until: The last point.
        of: Name of the series; all of them by default.

    Raises:
        InvalidAmountError: A rate is no number.
        InvalidInputError: When it runs: see `IndexSeries.extended`.

    Examples:
        >>> assume_index(0.02)
        <Scenario index +2 %>
    """
    if isinstance(rate, Mapping):
        for year, each in rate.items():
            rate_of(each, f"rate[{year}]")
        said = "by year"
    else:
        change = rate_of(rate, "rate")
        said = ("+" if change >= 0 else "") + percent_words(change)

    # The leases of a portfolio share their series.
    @lru_cache(maxsize=16)
    def extended(series: IndexSeries) -> IndexSeries:
        return published(series).extended(rate, until)

    def changed(inputs: scenario.BillingInputs) -> scenario.BillingInputs:
        indices = {
            name: extended(series) if of in (None, name) else series
            for name, series in inputs.indices.items()
        }
        return inputs if indices == dict(inputs.indices) else inputs.evolve(indices=indices)

    return scenario.Scenario(f"{of or 'index'} {said}", changed, turn="rules")


def published(series: IndexSeries) -> IndexSeries:
    """Return a series without its assumed values.

    Examples:
        >>> published(IndexSeries("NPI", {"2024": "118.0"}).extended(until="2026"))
        <IndexSeries NPI, 1 year 2024>
    """
    if not series.assumed:
        return series
    data = series.to_data()
    data["values"] = {at: each for at, each in data["values"].items() if at not in data["assumed"]}
    return IndexSeries.from_data({**data, "assumed": []})
