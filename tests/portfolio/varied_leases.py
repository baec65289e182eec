"""Varied leases: realistic ones, each with something on its first item that few items have."""

from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any, Final

from benchmarks.real_portfolios import realistic
from rentbilling import DescriptionRecord, Discount, DueDateRule, LeaseTerms, QuantityRecord
from rentbilling.testing.strategies.choices import Choices

_KINDS: Final = 7
_QUANTITIES: Final = ("87.5", "2", "3", "12.25", "0.5", "33.333", "110")
_AFTER: Final = (1, 1, 30, 365, 800, 2000)
"""Days after the opening period on which other quantities begin."""


def varied(number: int) -> LeaseTerms:
    """Return a lease by its number."""
    terms, choices = realistic(number), Choices(Random(number).randbytes(60))  # noqa: S311
    item, *others = terms.recurring_bill_items
    opened = item.first_billing_period_bill_item.accounting_period.end
    changed = item.evolve(**_changes(number % _KINDS, opened, choices))
    return terms.evolve(recurring_bill_items=(changed, *others))


def _changes(kind: int, opened: date, choices: Choices) -> dict[str, Any]:
    """Return what is changed of an item whose opening period ends on a day."""
    later = choices.day(900) + timedelta(days=500)
    if kind == 0:
        return {"description_records": [DescriptionRecord(value="Later", start=later)]}
    if kind == 1:
        words = ("actual_days", {"first": "full"}, "thirty_day")
        return {"part_period": choices.pick(words), "ended_on": max(later, opened)}
    if kind == 2:
        rule = DueDateRule(relative_to="end", day_of_period=choices.pick((1, 15, -1)))
        return {"cancelled_on": later, "due_date_rule": rule}
    if kind == 3:
        end = choices.pick((None, later + timedelta(days=choices.below(300))))
        one = Discount(percentage=Decimal("0.125"), start_date=later, end_date=end)
        listed = bool(choices.below(2))
        return {"discount": None if listed else one, "discounts": [one] if listed else []}
    days = {opened + timedelta(days=choices.pick(_AFTER)) for _ in range(kind - 4)}
    records = [QuantityRecord(value=choices.number(_QUANTITIES), start=day) for day in sorted(days)]
    return {"quantity": choices.number(_QUANTITIES), "quantity_records": records}
