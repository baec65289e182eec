"""Rent adjustments as CSV, and as a table for people: what changed, by how much, and why.

The CSV is a row for what each rule did, as RFC 4180 has it. Its columns, in this order:

    adjusted_on             day from which the new amount holds, YYYY-MM-DD
    adjustee_id             the item or balance adjusted
    plan_id                 the plan
    rule_id                 the rule; empty where an adjustment was listed without its rules
    currency                of all amounts in the row
    from_period_amount      amount of a billing period before, of the whole line, before discount
    to_period_amount        the same after
    period_amount_change    after less before
    from_yearly_amount      amount of a year before
    to_yearly_amount        the same after
    yearly_amount_change    after less before
    from_balance_amount     balance before, where one is adjusted
    to_balance_amount       the same after
    balance_amount_change   after less before
    calculated_percentage   the raw change, a fraction: 0.04 is 4 percent; empty without one
    applied_percentage      the percentage applied, a fraction
    minimum_percentage      the rule's minimum
    maximum_percentage      the rule's maximum
    from_index              index value compared with
    to_index                index value used
    from_point              its month, quarter or year: 2021-06, 2021-Q2 or 2021
    to_point                that of the value used
    reasons                 what changed percentage or amount on the way, words with blanks between

Laws: in the CSV the amount after one row of an adjustment is the one before the next; the table
cuts no figure off, explains a change below its line, and has only figures that the adjustment has.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from types import MappingProxyType
from typing import Final, NamedTuple

from rentbilling.adapters.cli.output.layout import Column, Grid, Layout
from rentbilling.adapters.cli.output.words import figure, percent, short_day
from rentbilling.adapters.cli.streams import printable
from rentbilling.adjustments import ADJUSTMENT_COLUMNS, adjustment_rows
from rentbilling.codec import csv_text
from rentbilling.terms import AdjustmentEffect, RentAdjustment
from rentbilling.values import Amount, rounded

_WHY: Final = MappingProxyType(
    {
        "excess": "what lies above a bound counts in part",
        "floor": "the amount stays at its floor",
        "maximum": "limited by the maximum",
        "minimum": "raised to the minimum",
        "not_lower": "another rule leads to less",
        "pro_rata": "only for a part of the time",
        "rounded": "the percentage is rounded",
        "share": "only a share of the change counts",
        "stopped_at_zero": "the decrease stops at zero",
        "surcharge": "a surcharge is added",
    }
)
"""Words for the reasons of an effect; any other reason is its own word."""

_DECIMALS: Final = 6
"""Of a fraction, as an adjustment states what was calculated."""

_OF_ITEM: Final = "period"
_OF_BALANCE: Final = "balance"
_OF_YEAR: Final = "yearly"


class Change(NamedTuple):
    """One change as it is shown: of an item or a balance, by one rule or by all of a plan."""

    day: date
    what: str
    """The item or balance."""
    before: Amount | None
    after: Amount | None
    by: Amount | None
    applied: str
    """The percentage applied; empty where none is stated."""
    why: tuple[str, ...]
    """The lines below it."""


def adjustments_csv(adjustments: Iterable[RentAdjustment]) -> str:
    r"""Return adjustments as CSV, with a row of names first.

    Examples:
        >>> adjustments_csv(())[:24]
        'adjusted_on,adjustee_id,'
    """
    names = [column.name for column in ADJUSTMENT_COLUMNS]
    return csv_text([names, *(row.values() for row in adjustment_rows(adjustments))])


def adjustment_table(adjustments: Iterable[RentAdjustment], *, full: bool) -> str:
    """Return adjustments as a text for the terminal that stdout is.

    `full` also says the amounts of a year.
    """
    layout = Layout()
    changes = [[*changes_of(each, full=full)] for each in adjustments]
    amounts = (
        amount
        for each in changes
        for change in each
        for amount in (change.before, change.after, change.by)
    )
    currencies = {amount.currency for amount in amounts if amount is not None}
    # One currency is in the headings, several are with each amount.
    currency = f" {printable(currencies.pop())}" if len(currencies) == 1 else ""
    rows = [row for each in changes for row in _rows(each, alone=bool(currency))]
    figures = (f"From{currency}", f"To{currency}", "Change", "Applied")
    columns = [
        Column("Day"),
        Column("Item", least=8),
        *(Column(each, right=True) for each in figures),
    ]
    grid = Grid(layout, columns, [cells for cells, _ in rows])
    return layout.printed(
        [*grid.head(), *(part for cells, why in rows for part in grid.row(cells, below=why))]
    )


def _rows(changes: Iterable[Change], *, alone: bool) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    """Give the cells of an adjustment's changes; what one says like the one above is left out."""
    said = ("", "")
    for change in changes:
        names = short_day(change.day), change.what
        shown = ["" if names[0] == said[0] else names[0], "" if names == said else names[1]]
        amounts = (_amount(each, alone=alone) for each in (change.before, change.after, change.by))
        yield [*shown, *amounts, change.applied], change.why
        said = names


def _amount(amount: Amount | None, *, alone: bool) -> str:
    """Return an amount as a cell."""
    if amount is None:
        return ""
    return figure(amount.amount) + ("" if alone else f" {printable(amount.currency)}")


def changes_of(adjustment: RentAdjustment, *, full: bool) -> Iterator[Change]:
    """Give the changes that an adjustment consists of, that of an item before that of a balance."""
    parts = [each for each in (_OF_ITEM, _OF_BALANCE) if _says(adjustment, each)]
    for at, part in enumerate(parts or [_OF_YEAR]):
        yield from _changes(adjustment, part, is_first=at == 0, full=full)


def _changes(
    adjustment: RentAdjustment, part: str, *, is_first: bool, full: bool
) -> Iterator[Change]:
    """Give the changes of an item, or of a balance."""
    name = printable(adjustment.adjustee_id or "?")
    what = name if is_first else f"balance of {name}"
    effects = [
        each for each in adjustment.adjustment_rules_effects if _says(each, part) or is_first
    ]
    plan = f"plan {printable(adjustment.plan_id or '?')}"
    for effect in effects:
        # What led to the rent led to the balance that moves with it: it is said once.
        words = _words(effect) if is_first else ()
        rule = f"rule {printable(effect.rent_adjustment_rule_id or '?')}"
        years = _year_words(effect) if full else ()
        why = (f"{plan}, {rule}", *words, *years)
        yield Change(adjustment.adjusted_on, what, *_amounts(effect, part), _applied(effect), why)
    if len(effects) != 1 or not _says(effects[0], part):
        together = f"{plan}, all rules" if effects else plan
        why = (together, *(_year_words(adjustment) if full else ()))
        yield Change(adjustment.adjusted_on, what, *_amounts(adjustment, part), "", why)


def _applied(effect: AdjustmentEffect) -> str:
    """Return the percentage applied, as long as a calculated one."""
    applied = effect.applied_percentage
    return "" if applied is None else percent(rounded(applied, _DECIMALS))


def _says(outcome: RentAdjustment | AdjustmentEffect, part: str) -> bool:
    """Return whether an adjustment or effect has an amount of a period, balance or year."""
    return any(each is not None for each in _amounts(outcome, part))


def _amounts(
    outcome: RentAdjustment | AdjustmentEffect, part: str
) -> tuple[Amount | None, Amount | None, Amount | None]:
    """Return the amounts before and after, and the change."""
    if part == _OF_ITEM:
        return outcome.from_period_amount, outcome.to_period_amount, outcome.period_amount_change
    if part == _OF_BALANCE:
        return outcome.from_balance_amount, outcome.to_balance_amount, outcome.balance_amount_change
    return outcome.from_yearly_amount, outcome.to_yearly_amount, outcome.yearly_amount_change


def _year_words(outcome: RentAdjustment | AdjustmentEffect) -> Iterator[str]:
    before, after, by = _amounts(outcome, _OF_YEAR)
    if before is not None and after is not None and by is not None:
        amounts = f"{figure(before.amount)} to {figure(after.amount)}"
        yield f"in a year {amounts}, change {figure(by.amount)}"


def _words(effect: AdjustmentEffect) -> Iterator[str]:
    """Give what was compared, and what the clause and its limits made of it."""
    calculated = effect.calculated_percentage
    change = "" if calculated is None else percent(calculated)
    so = f": {change}" if change else ""
    to_point = effect.to_point or effect.to_year_month
    from_point = effect.from_point or effect.from_year_month
    if effect.from_index is not None and effect.to_index is not None:
        before, after = figure(effect.from_index), figure(effect.to_index)
        yield f"index {before} ({from_point}) to {after} ({to_point}){so}"
    elif to_point is not None:
        yield f"index of {to_point}{so}"
    elif change and change != _applied(effect):
        yield f"agreed: {change}"
    reasons = "; ".join(_reason(each, effect) for each in effect.reasons)
    if reasons:
        yield reasons
    if effect.unlimited_amount is not None:
        yield f"the next one goes on from {figure(effect.unlimited_amount.amount)}"


def _reason(word: str, effect: AdjustmentEffect) -> str:
    """Return why a percentage or an amount is not what the index alone would have made it."""
    limits = {"minimum": effect.minimum_percentage, "maximum": effect.maximum_percentage}
    limit = limits.get(word)
    said = _WHY.get(word) or printable(word.replace("_", " "))
    return said if limit is None else f"{said} of {percent(limit)}"
