"""Rent adjustments as a table for people: what changed, by how much, and why.

Law: the table cuts no figure off, explains a change below its line, and has only figures that the
adjustment has.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from types import MappingProxyType
from typing import Final, NamedTuple

from rentbilling.errors import printable
from rentbilling.layout import PLAIN, Grid, GridColumn, Page, figure, html_table, short_day
from rentbilling.terms.plans import AdjustmentEffect, RentAdjustment
from rentbilling.values import Amount, percent_words, rounded

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


_Cells = tuple[list[str], tuple[str, ...]]
"""The cells of a change, and the lines below them."""


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


def adjustment_table(
    adjustments: Iterable[RentAdjustment], page: Page = PLAIN, *, full: bool = False
) -> str:
    """Return adjustments as a text.

    `full` also says the amounts of a year.
    """
    columns, rows = _cells(adjustments, full=full)
    grid = Grid(page, columns, [cells for cells, _ in rows])
    return page.printed(
        [*grid.head(), *(part for cells, why in rows for part in grid.row(cells, below=why))]
    )


def adjustment_html(adjustments: Iterable[RentAdjustment], notes: Iterable[str] = ()) -> str:
    """Return adjustments as a notebook shows them."""
    columns, rows = _cells(adjustments, full=False)
    heads = [*((each.heading, each.right) for each in columns), ("Why", False)]
    lines = [[*cells, "; ".join(why)] for cells, why in rows]
    return html_table(heads, lines, note="; ".join(notes))


def _cells(
    adjustments: Iterable[RentAdjustment], *, full: bool
) -> tuple[list[GridColumn], list[_Cells]]:
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
        GridColumn("Day"),
        GridColumn("Item", least=8),
        *(GridColumn(each, right=True) for each in figures),
    ]
    return columns, rows


def _rows(changes: Iterable[Change], *, alone: bool) -> Iterator[_Cells]:
    """Give the cells of an adjustment's changes; what one says like the one above is left out."""
    said = ("", "")
    for change in changes:
        names = short_day(change.day), change.what
        shown = ["" if names[0] == said[0] else names[0], "" if names == said else names[1]]
        amounts = (_amount(each, alone=alone) for each in (change.before, change.after, change.by))
        yield [*shown, *amounts, change.applied], change.why
        said = names


def _amount(amount: Amount | None, *, alone: bool) -> str:
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
    return "" if applied is None else percent_words(rounded(applied, _DECIMALS))


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
    change = "" if calculated is None else percent_words(calculated)
    so = f": {change}" if change else ""
    to_point = effect.to_point or effect.to_year_month
    from_point = effect.from_point or effect.from_year_month
    if effect.from_index is not None and effect.to_index is not None:
        before, after = figure(effect.from_index), figure(effect.to_index)
        yield f"index {before} ({from_point}) to {after} ({to_point}){so}"
    elif to_point is not None:
        since = "of" if from_point is None else f"{from_point} to"
        yield f"index {since} {to_point}{so}"
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
    return said if limit is None else f"{said} of {percent_words(limit)}"
