"""Earlier adjustments: how an amount came to be what an adjustment met, back to what was agreed.

Law: each change begins with what the one before led to; where that does not hold, the amount is
told as it was in force, and nothing more.
What does not live here: how an adjustment itself came about (`adjustment_workings`).
"""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from rentbilling.adjusting import History
from rentbilling.reckoning import Coin, Inputs, difference, product, reached, stated
from rentbilling.references import Compared
from rentbilling.subjects import Adjusted, Subject
from rentbilling.working_texts import number_text
from rentbilling.workings import Working


def amount_before(history: History, adjusted: Adjusted, coin: Coin) -> Working:
    """Return the amount that an adjustment met, with a line for each adjustment before it (A38).

    Args:
        history: The history that it belongs to.
        adjusted: The adjustment.
        coin: The currency.

    Returns:
        The working; it leads to the agreed amount and says since when that holds.
    """
    quantity = history.subject.quantities.on(adjusted.day)
    if quantity == 1:
        before = _reached(history, adjusted, "amount before", coin)
    else:
        price = _reached(history, adjusted, "unit price before", coin)
        count = stated("quantity", quantity, "A38", "on the day of the adjustment")
        before = product("amount before", "A38", ("quantity", count), ("unit price", price))
    if adjusted.base == adjusted.before:
        return before
    note = f"the exact amount that is carried on before {_day(adjusted.day)}"
    base = coin.exact(adjusted.base)
    return stated("amount before", base, "A40", note, ("as it was billed", before))


def _reached(history: History, adjusted: Adjusted, label: str, coin: Coin) -> Working:
    """Return the price of a unit before an adjustment: what was agreed, and the changes since."""
    subject = history.subject
    changes = _unbroken(subject, history.until(adjusted.day - 1), adjusted)
    first = changes[0] if changes else adjusted
    found = coin.exact(_unit_before(subject, first))
    note = _agreed(subject, first)
    if not changes:
        return stated(label, found, "A18", f"in force before {_day(adjusted.day)}: {note}")
    told = [_change(subject, each, coin) for each in changes]
    agreed: Inputs = "agreed", stated("agreed amount", found, "A18", note)
    named = [("adjustment", each) for each in told]
    return reached(label, "A38", agreed, *named, note=f"in force before {_day(adjusted.day)}")


def _unbroken(subject: Subject, earlier: Sequence[Adjusted], adjusted: Adjusted) -> list[Adjusted]:
    """Return the adjustments since the amount was last agreed, oldest first."""
    found: list[Adjusted] = []
    after = adjusted
    for each in reversed(earlier):
        # A record of the day of an adjustment is that adjustment (A18).
        if subject.amounts.since(each.day, after.day - 1):
            break
        if each.unit != _unit_before(subject, after):
            break
        found.append(each)
        after = each
    return found[::-1]


def _unit_before(subject: Subject, adjusted: Adjusted) -> Fraction:
    """Return the price of a unit before an adjustment."""
    return adjusted.before / subject.quantities.on(adjusted.day)


def _agreed(subject: Subject, first: Adjusted) -> str:
    """Return where the amount before the first of some adjustments was agreed, and since when."""
    before = first.day - 1
    since = max(day for day in subject.amounts.days if day <= before)
    if subject.amounts.on(before) != _unit_before(subject, first):
        return "what this adjustment began with"
    if subject.is_balance:
        return "the balance as it was agreed"
    if since == subject.amounts.days[0]:
        return f"the item's own amount, since {_day(subject.start)}"
    return f"an amount record, since {_day(since)}"


def _change(subject: Subject, adjusted: Adjusted, coin: Coin) -> Working:
    """Return one earlier adjustment in a line: its day, from what to what, and by which index."""
    to: Inputs = "to", coin.exact(adjusted.unit)
    was: Inputs = "from", coin.exact(_unit_before(subject, adjusted))
    label = f"adjustment of {_day(adjusted.day)}"
    return difference(label, "A38", to, was, note=_by_what(adjusted))


def _by_what(adjusted: Adjusted) -> str:
    """Return what an earlier adjustment followed: index values, increments, or a list."""
    if adjusted.listed is not None:
        return "as listed by the service that made it"
    if not adjusted.effects:
        return "an amount record of the day"
    told: list[str] = []
    for effect in adjusted.effects:
        compared = effect.compared
        told.append(f"by {effect.rule.rule_id}" if compared is None else _by_index(compared))
    return ", ".join(dict.fromkeys(told))


def _by_index(compared: Compared) -> str:
    """Return the values of an index that were compared."""
    name, old, new = compared.series.name, compared.from_value, compared.to_value
    if old is None or new is None:
        return f"published change of {name} to {compared.to_point}"
    before, after = number_text(old, parts=False), number_text(new, parts=False)
    return f"{name} {before} ({compared.from_point}) → {after} ({compared.to_point})"


def _day(ordinal: int) -> date:
    """Return the date of an ordinal."""
    return date.fromordinal(ordinal)
