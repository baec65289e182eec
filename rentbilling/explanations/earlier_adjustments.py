"""Earlier adjustments: how an amount came to be what an adjustment met, back to what was agreed.

Laws: each change begins with what the one before led to; where that does not hold, the amount is
told as it was in force, and nothing more. An amount that the same explanation has explained is
referred to, and only the changes since are listed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from typing import Final

from rentbilling.adjustments import Adjusted, Adjustee, History, IndexChange
from rentbilling.explanations.operations import Coin, Inputs, difference, product, quotient, stated
from rentbilling.explanations.texts import Value, number_text
from rentbilling.explanations.working import Working

MOST_LISTED: Final = 1200
"""As many earlier adjustments are listed at once: those of every month of a hundred years."""

Explained = Callable[[str], tuple[Value, str] | None]
"""Gives the amount of a step that was explained, by its id, and where; None where it was not."""


def amount_before(
    history: History, adjusted: Adjusted, coin: Coin, plan_ids: Sequence[str]
) -> Working:
    """Return the amount that an adjustment met (A38)."""
    quantity = history.adjustee.quantities.on(adjusted.day)
    label = "amount before" if quantity == 1 else "unit price before"
    price = coin.exact(_unit_before(history.adjustee, adjusted))
    before: Working = EarlierAmount(
        label,
        "reached",
        (),
        price,
        "A38",
        history=history,
        adjusted=adjusted,
        coin=coin,
        plan_ids=plan_ids,
    )
    if quantity != 1:
        count = stated("quantity", quantity, "A38", "on the day of the adjustment")
        before = product("amount before", "A38", ("quantity", count), ("unit price", before))
    if adjusted.base == adjusted.before:
        return before
    note = f"the exact amount that is carried on before {_day(adjusted.day)}"
    base = coin.exact(adjusted.base)
    return stated("amount before", base, "A40", note, ("as it was billed", before))


def step_id_of(subject: Adjustee, adjusted: Adjusted, plan_ids: Sequence[str]) -> str:
    """Return the id of the step that leads to the amount after an adjustment."""
    return f"{subject.adjustee_id} {_day(adjusted.day)} {plan_ids[adjusted.plan]}"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class EarlierAmount(Working):
    """The price of a unit before an adjustment, whose earlier adjustments are not listed yet.

    How many are listed depends on what the explanation has explained so far.
    """

    history: History = field(kw_only=True)
    adjusted: Adjusted = field(kw_only=True)
    coin: Coin = field(kw_only=True)
    plan_ids: Sequence[str] = field(kw_only=True)

    def listed(self, explained: Explained) -> Working:
        """Return the price with what it comes from."""
        subject, found = self.history.adjustee, self.result
        earlier = self.history.until(self.adjusted.day - 1)
        changes: list[Adjusted] = []
        since = self._since(earlier, explained, changes)
        in_force = f"in force before {_day(self.adjusted.day)}"
        if not changes and since is not None:
            return since
        first = changes[0] if changes else self.adjusted
        if not changes:
            return stated(self.label, found, "A18", f"{in_force}: {_agreed(subject, first)}")
        left_out = len(changes) - MOST_LISTED
        if left_out > 0:
            changes = changes[left_out:]
            start: Inputs = "left out", self._left_out(changes[0], left_out)
        elif since is not None:
            start = "explained", since
        else:
            agreed = self.coin.exact(_unit_before(subject, first))
            start = "agreed", stated("agreed amount", agreed, "A18", _agreed(subject, first))
        named = [("adjustment", _change(subject, each, self.coin)) for each in changes]
        return Working(self.label, "reached", (start, *named), found, "A38", in_force)

    def _since(
        self, earlier: Sequence[Adjusted], explained: Explained, changes: list[Adjusted]
    ) -> Working | None:
        """Add the adjustments since the amount was agreed or explained, oldest first."""
        subject, after, since = self.history.adjustee, self.adjusted, None
        for each in reversed(earlier):
            # A record of the day of an adjustment is that adjustment (A18).
            if subject.amounts.since(each.day, after.day - 1):
                break
            if each.unit != _unit_before(subject, after):
                break
            step_id = step_id_of(subject, each, self.plan_ids)
            known = explained(step_id)
            if known is not None:
                label = "amount explained above" if changes else self.label
                since = self._referred(label, each, step_id, known)
                break
            changes.append(each)
            after = each
        changes.reverse()
        return since

    def _referred(
        self, label: str, adjusted: Adjusted, step_id: str, known: tuple[Value, str]
    ) -> Working:
        """Return the price of a unit after an adjustment that was explained."""
        amount, where = known
        quantity = self.history.adjustee.quantities.on(adjusted.day)
        own = label if quantity == 1 else "amount of that adjustment"
        note = f"after the adjustment of {_day(adjusted.day)}, {where}"
        found = Working(own, "referred", (("step", step_id),), amount, "A38", note)
        if quantity == 1:
            return found
        count = stated("quantity", quantity, "A38", "on the day of that adjustment")
        price = quotient(label, "A38", ("amount", found), ("quantity", count))
        return replace(price, result=self.coin.exact(adjusted.unit))

    def _left_out(self, first: Adjusted, count: int) -> Working:
        """Return the price before the first adjustment that is listed of too many."""
        price = self.coin.exact(_unit_before(self.history.adjustee, first))
        adjustments = "1 earlier adjustment is" if count == 1 else f"{count:,} earlier ones are"
        note = (
            f"{adjustments} left out, because at most {MOST_LISTED:,} are listed; "
            f"the explanation of the adjustment of {_day(first.day)} lists them"
        )
        return stated("amount before them", price, "A38", note, ("adjustments left out", count))


def _unit_before(subject: Adjustee, adjusted: Adjusted) -> Fraction:
    """Return the price of a unit before an adjustment."""
    return adjusted.before / subject.quantities.on(adjusted.day)


def _agreed(subject: Adjustee, first: Adjusted) -> str:
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


def _change(subject: Adjustee, adjusted: Adjusted, coin: Coin) -> Working:
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


def _by_index(compared: IndexChange) -> str:
    """Return the values of an index that were compared."""
    name, old, new = compared.series.name, compared.from_value, compared.to_value
    if old is None or new is None:
        return f"published change of {name} to {compared.to_point}"
    before, after = number_text(old, parts=False), number_text(new, parts=False)
    return f"{name} {before} ({compared.from_point}) → {after} ({compared.to_point})"


def _day(ordinal: int) -> date:
    return date.fromordinal(ordinal)
