"""Leases of presets and of legal caps, worked out by hand in `tests/calls/presets.txt`."""

from typing import Any

import rentbilling as rb
from rentbilling.presets import cap_rules, preset
from rentbilling.presets.clause_preset import ClausePreset
from tests.support.rents import opening, rent

PROVEN: list[ClausePreset] = []
"""Presets that have a worked figure."""


def lease(price: str, since: str, *rules: rb.RentAdjustmentRule) -> rb.LeaseTerms:
    """Return a lease of one rent, by the month or by the year, adjusted by some rules."""
    days = rb.Period.parse(f"{since[:4]}-01-01/{since[:4]}-12-31")
    cycle = rb.BillingCycle(time_unit="Year")
    if "-" in since:
        days, cycle = days.months[int(since[5:]) - 1], rb.BillingCycle()
    first = opening(str(days), price=price)
    item = rent(price, first_billing_period_bill_item=first, billing_cycle=cycle)
    plan = rb.RentAdjustmentPlan(rent_adjustment_rules=rules)
    return rb.LeaseTerms(recurring_bill_items=(item,), rent_adjustment_plans=(plan,))


def series(values: str, **fields: Any) -> rb.IndexSeries:  # noqa: ANN401
    return rb.IndexSeries("index", dict(each.split() for each in values.split(", ")), **fields)


def due(terms: rb.LeaseTerms, days: str, index: Any) -> list[str]:  # noqa: ANN401
    """Return what is due from each adjustment on; the last one is explained."""
    found = rb.rent_adjustments(terms, days, indices=index)
    last = rb.explain(found, adjustment=len(found) - 1).result
    made = [each.to_period_amount for each in found]
    assert last == made[-1]
    return [str(each) for each in made]


def worked(title: str, price: str, since: str, values: str, on: str, **states: Any) -> str:  # noqa: ANN401
    """Return what is due from a day on by a preset, with what the lease states.

    The title is `country: name (region)`; `kind`, `base` and `known` are those of the series.
    """
    country, _, words = title.partition(": ")
    name, _, region = words.removesuffix(")").partition(" (")
    found = preset(country, name, region=region or None, on=on)
    PROVEN.append(found)
    of_series = {each: states.pop(each) for each in ("kind", "known") if each in states}
    index = series(values, base=states.get("base"), **of_series)
    terms = lease(price, since, found.rule(int(on[5:7]), **states))
    days = f"{since[:4]}-01-01/{on}"
    assert on == str(rb.rent_adjustments(terms, days, indices=index)[-1].adjusted_on)
    return due(terms, days, index)[-1]


def by_index(month: int, first_year: int, **clause: Any) -> rb.RentAdjustmentRule:  # noqa: ANN401
    """Return a rule that follows the index of three months before, from a year on."""
    fields: dict[str, Any] = {"adjustment_month": month, "first_year": str(first_year)}
    own = rb.IndexClause(lag_months=3, **clause)
    return rb.RentAdjustmentRule(adjustment_type="Index", index_clause=own, **fields)


def capped(place: str, price: str, since: str, values: str, on: str) -> list[str]:
    """Return what is due from a day on by an index, and what by the caps of a country as well."""
    country, _, scope = place.partition(": ")
    start, used = (rb.IndexPoint.parse(day[:7]).shifted(-3) for day in (since, on))
    before, then = values.split()
    index, month = series(f"{start} {before}, {used} {then}"), int(on[5:7])
    rule = by_index(month, int(on[:4]), start_point=start)
    ways = ((), cap_rules(country, month, scope=scope or None))
    return [due(lease(price, since, rule, *caps), f"{since}-01/{on}", index)[0] for caps in ways]
