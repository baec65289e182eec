"""Rent steps: what each item of a lease costs, and from which day on, as rows.

Law: an amount is what is in force for one billing period on that day, before discount and share.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from rentbilling.adapters.money_texts import number_text
from rentbilling.adjustments import amount_in_force
from rentbilling.billing import BillingResult, CompiledTerms
from rentbilling.errors import InvalidRecordError
from rentbilling.terms import BillingCycle, RecurringBillItem, RentAdjustment
from rentbilling.values import Amount, Period, rounded

Step = dict[str, Any]

_MONTHS_SAID: Final = MappingProxyType({1: "month", 3: "quarter", 6: "half-year", 12: "year"})
_DECIMALS: Final = 4
"""Decimals of a change as a fraction: hundredths of a percent."""
_INDEX_DECIMALS: Final = 3
"""Decimals that an index is published with at most; an assumed value may have many."""


def rent_steps(result: BillingResult, locale: str = "en") -> list[Step]:
    """Return what each recurring item costs in the period of a result, and when that changes.

    Args:
        result: Bills that were computed here, so that the terms behind them are known.
        locale: How index values are written.

    Returns:
        Rows by item and day: `item_id`, `product_key`, `name` (its description), `from_date`,
        `amount` (Decimal, of one billing period, before discount), `currency`, `per` (month,
        quarter, ...), `change` (a fraction with 4 decimals for a rent adjustment, else None),
        `assumed` (whether it follows from an unpublished index value) and `text` (the published
        index values of an adjustment). The last row of an item that ends in the period has the day
        after its end, and None for the amount.

    Raises:
        InvalidRecordError: The bills were read, or are those of no period.
        MissingIndexError: An index value is missing (A41).
    """
    source, period = result.source, result.period
    if not isinstance(source, CompiledTerms) or period is None:
        said, expected = "was not computed here", "a result of pending_bills or bill_period"
        raise InvalidRecordError.of("result", "wrong_value", said, result, expected)
    return [
        step
        for at, item in enumerate(source.terms.recurring_bill_items)
        for step in _of_item(source, item, source.terms.item_ids[at], period, locale)
    ]


def _of_item(
    source: CompiledTerms, item: RecurringBillItem, item_id: str, period: Period, locale: str
) -> Iterator[Step]:
    opening = item.first_billing_period_bill_item.accounting_period.start
    start, last = max(opening, period.start), _last_day(source, item, period)
    if last < start:
        return
    made = source.adjustments(Period(min(opening, period.start), last))
    adjusted = {each.adjusted_on: each for each in made if each.adjustee_id == item_id}
    since = min(
        (
            dict(notice.facts)["adjustedOn"]
            for notice in made.notices
            if notice.code == "assumed_index" and notice.item_id == item_id
        ),
        default=None,
    )
    amounts = (each.start for each in item.amount_records)
    quantities = (each.start for each in item.quantity_records)
    days = {start, *adjusted, *amounts, *quantities}
    before: Decimal | None = None
    fixed = {
        "item_id": item_id,
        "name": item.description or item.product_key,
        "product_key": item.product_key,
        "currency": item.amount.currency,
        "per": per_text(item.billing_cycle),
    }
    for day in sorted(day for day in days if start <= day <= last):
        amount = _in_force(source, item_id, day).amount
        made_here = adjusted.get(day)
        if amount == before and made_here is None:
            continue
        assumed = since is not None and day.isoformat() >= since
        yield {
            **fixed,
            "from_date": day,
            "amount": amount,
            "change": None if made_here is None else _change(before, amount),
            "assumed": assumed,
            # An assumed value is no published one, whatever its decimals are.
            "text": "" if made_here is None or assumed else _index_text(made_here, locale),
        }
        before = amount
    if last < period.end:
        after = date.fromordinal(last.toordinal() + 1)
        ended = {"amount": None, "change": None, "assumed": False, "text": ""}
        yield {**fixed, "from_date": after, **ended}


def _last_day(source: CompiledTerms, item: RecurringBillItem, period: Period) -> date:
    ends = (period.end, item.ended_on, source.terms.contract_end)
    return min(day for day in ends if day is not None)


def _in_force(source: CompiledTerms, item_id: str, day: date) -> Amount:
    if source.histories is not None:
        return source.histories.amount_on(item_id, day.toordinal())
    return amount_in_force(source.terms, item_id, day, policy=source.policy)


def _change(before: Decimal | None, after: Decimal) -> Decimal | None:
    """Return a change as a fraction; None where nothing can be said."""
    if not before:
        return None
    return rounded(Fraction(after) / Fraction(before) - 1, _DECIMALS)


def _index_text(made: RentAdjustment, locale: str) -> str:
    compared = [
        f"{_value(effect.from_index, locale)} → {_value(effect.to_index, locale)}"
        for effect in made.adjustment_rules_effects
        if effect.from_index is not None and effect.to_index is not None
    ]
    return ", ".join(compared)


def _value(index: Decimal, locale: str) -> str:
    """Return an index value with no more decimals than it needs, and three at most."""
    places = -int(index.as_tuple().exponent)
    if places > 1:
        index = rounded(index, min(places, _INDEX_DECIMALS))
        index = rounded(index, max(1, min(places, _INDEX_DECIMALS) - _closing_zeros(index)))
    return number_text(index, locale)


def _closing_zeros(number: Decimal) -> int:
    text = f"{number:f}"
    return len(text) - len(text.rstrip("0"))


def per_text(cycle: BillingCycle) -> str:
    """Return what a billing period is called.

    Examples:
        >>> per_text(BillingCycle()), per_text(BillingCycle(time_unit="Week", period_length=4))
        ('month', '4 weeks')
    """
    if cycle.months in _MONTHS_SAID:
        return _MONTHS_SAID[cycle.months]
    if cycle.months:
        return f"{cycle.months} months"
    unit = cycle.time_unit.lower()
    return unit if cycle.period_length == 1 else f"{cycle.period_length} {unit}s"
