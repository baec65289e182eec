"""How a rent or a balance came to change, rule by rule, back to the agreed amount.

Laws: the workings lead to the amounts of the adjustment. Each earlier change begins with the amount
that the one before led to; where it does not, only the amount in force is given. An amount that the
same explanation has already explained is referred to, and only the changes since are listed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from typing import Final

from rentbilling.adjustments import (
    Adjusted,
    Adjustee,
    AmountScale,
    BalanceHistory,
    CompiledRule,
    Effect,
    History,
    IndexChange,
    LeaseHistories,
    Moved,
    MovesBy,
    RuleInputs,
    WithAdjustments,
    share_over,
)
from rentbilling.explanations import operations as op
from rentbilling.explanations.formatting import Value, number_text
from rentbilling.explanations.rule_amounts import limits_of, rounded_amount, within_limits
from rentbilling.explanations.rules import RuleExplainer
from rentbilling.explanations.working import Working, agreed
from rentbilling.terms import RentAdjustment
from rentbilling.values import Amount

_AS_LISTED: Final = "taken as listed by the service that made it"


def coin_of(scale: AmountScale) -> op.Coin:
    """Return the currency of an item or balance."""
    return op.Coin(scale.currency, scale.places)


class LeaseAdjustments:
    """Explains the adjustments of a lease."""

    __slots__ = ("_amounts_after", "_replayed", "histories")

    def __init__(self, histories: LeaseHistories) -> None:
        self.histories = histories
        self._replayed: dict[History, History] = {}
        self._amounts_after: dict[tuple[History, int, int], Working] = {}

    def unit_price(self, at: int, day: int) -> tuple[int, Working] | None:
        """Return the price of one unit that the last adjustment of an item led to (A38, A42)."""
        history = self.histories.items.get(at)
        done = () if history is None else history.until(day)
        if history is None or not done:
            return None
        adjusted = done[-1]
        amount = self.amount(history, adjusted)
        count = history.adjustee.quantities.on(adjusted.day)
        if count == 1:
            return adjusted.day, amount
        quantity = op.stated("quantity", count, "A38", "on the day of the adjustment")
        price = op.quotient("unit price", "A38", amount=amount, quantity=quantity)
        exact = coin_of(history.adjustee.scale).exact(op.number_of(price))
        return adjusted.day, replace(price, result=exact)

    def balance_change(self, history: BalanceHistory, moved: Moved) -> Working:
        """Return the change of a balance, as it is billed (A39)."""
        coin = coin_of(history.scale)
        new, old = self._balance_amounts(history, moved)
        change = op.difference("change of the balance", "A39", new=new, old=old)
        expected = coin.of_units(history.scale.units(moved.after - moved.before))
        if change.result != expected:
            exact = op.difference(
                "exact change",
                "A39",
                new=op.stated("new balance", coin.exact(moved.after), "A39"),
                old=op.stated("balance before", coin.exact(moved.before), "A39"),
            )
            mode = history.scale.mode
            change = coin.rounded("change of the balance", "A39", mode, change=exact)
        return agreed(change, expected, "a change of a balance")

    def adjustments(self, records: Sequence[RentAdjustment]) -> Iterator[Working]:
        """Give how adjustments of the lease came about."""
        if not records:
            return
        days = [each.adjusted_on.toordinal() for each in records]
        ids = self.histories.plan_ids
        made = {
            (day, ids[at]): (at, adjusted, moved)
            for day, at, adjusted, moved in self.histories.adjusted(min(days), max(days))
        }
        for record in records:
            at, adjusted, moved = made[record.adjusted_on.toordinal(), record.plan_id or ""]
            yield self._adjustment(record, at, adjusted, moved)

    def _adjustment(
        self, record: RentAdjustment, at: int, adjusted: Adjusted | None, moved: Moved | None
    ) -> Working:
        """Return how an adjustment of an item, a balance, or both came about."""
        listed = adjusted.listed if adjusted is not None else None
        if listed is None and moved is not None:
            listed = moved.listed
        label = f"adjustment of {record.adjusted_on}"
        if listed is not None:
            return self._listed(label, record, adjusted, at)
        inputs: list[op.NamedInput] = []
        if adjusted is not None:
            inputs += self._amounts(adjusted, at)
        if moved is not None:
            inputs += self._balance(moved, at)
        figure = record.to_period_amount or record.to_balance_amount
        found = op.together(
            label, "A32", *inputs, note=f"by {record.plan_id} on {record.adjustee_id}"
        )
        return found if figure is None else agreed(found, figure, "an adjustment")

    def _listed(
        self, label: str, record: RentAdjustment, adjusted: Adjusted | None, at: int
    ) -> Working:
        """Return a listed adjustment, with its rules where they lead to it (A38)."""
        figures = [
            (name.replace("_", " "), op.stated(name.replace("_", " "), value, "A38"))
            for name, value in record.amounts
        ]
        wanted = ("to period amount", "to balance amount", "to yearly amount")
        figures.sort(key=lambda each: wanted.index(each[0]) if each[0] in wanted else len(wanted))
        inputs: list[op.NamedInput] = [*figures]
        if adjusted is not None:
            item, _ = self.histories.places_of(at)
            history = None if item is None else self.histories.items[item]
            if not inputs:
                unsaid = "listed without its amounts"
                after = coin_of(self.histories.scale_of(at)).exact(adjusted.after)
                inputs.append(("amount", op.stated("amount", after, "A38", unsaid)))
            if adjusted.effects and history is not None:
                inputs.append(("by the rules", self.amount(history, adjusted)))
        return op.together(label, "A38", *inputs, note=_AS_LISTED)

    def _amounts(self, adjusted: Adjusted, at: int) -> list[op.NamedInput]:
        """Return the amounts of a billing period and of a year (A38)."""
        item, _ = self.histories.places_of(at)
        history = self.histories.items[0 if item is None else item]
        scale, coin = history.adjustee.scale, coin_of(history.adjustee.scale)
        mode = scale.mode
        after = self.amount(history, adjusted)
        since = f"in force before {date.fromordinal(adjusted.day)}"
        in_force = op.stated("amount in force", coin.exact(adjusted.before), "A38", since)
        new = after
        # An amount record may have more decimals than the currency.
        if not isinstance(after.result, Amount) or not coin.has_whole_units(op.number_of(after)):
            new = coin.rounded("new amount of a period", "A38", mode, amount=after)
        old = coin.rounded("old amount of a period", "A38", mode, was=in_force)
        period = [new, old]
        if scale.of_period != 1:
            times = op.stated("prices in a period", scale.of_period, "A65")
            period = [
                coin.rounded(
                    f"{word} amount of a period",
                    "A65",
                    mode,
                    amount=op.product("amount of a period, exact", "A65", price=each, prices=times),
                )
                for word, each in (("new", after), ("old", in_force))
            ]
        change = op.difference("change of a period", "A38", new=period[0], old=period[1])
        inputs: list[op.NamedInput] = [("new", period[0]), ("old", period[1]), ("change", change)]
        periods: op.NamedInput = "periods", op.stated("periods of a year", scale.per_year, "A38")
        years: list[op.NamedInput] = []
        for word, amount in (("new", new), ("old", old)):
            exact = op.product(f"{word} amount of a year, exact", "A38", (word, amount), periods)
            label = f"{word} amount of a year"
            year = coin.rounded(label, "A38", mode, amount=exact)
            years.append((word, year))
        inputs += [(f"{word} year", year) for word, year in years]
        inputs.append(("change of a year", op.difference("change of a year", "A38", *years)))
        return inputs

    def amount(self, history: History, adjusted: Adjusted) -> Working:
        """Return the amount of a billing period that an adjustment led to (A37)."""
        key = history, adjusted.day, adjusted.plan
        found = self._amounts_after.get(key)
        if found is None:
            step_id = step_id_of(history.adjustee, adjusted, self.histories.plan_ids)
            found = replace(self._amount(history, adjusted), step_id=step_id)
            self._amounts_after[key] = found
        return found

    def _amount(self, history: History, adjusted: Adjusted) -> Working:
        """Return the amount after an adjustment: listed, an amount record, or by its rules."""
        when, effects = date.fromordinal(adjusted.day), adjusted.effects
        # What was listed may differ by less than a minor unit from what the rules make.
        if adjusted.recorded or not effects or effects[-1].after != adjusted.after:
            said = "an amount record of the day" if adjusted.recorded else _AS_LISTED
            amount = coin_of(history.adjustee.scale).exact(adjusted.after)
            return op.stated("new amount", amount, "A18", f"{when}: {said}")
        inputs = self._rule_inputs(history, adjusted)
        coin = coin_of(history.adjustee.scale)
        before = now = amount_before(history, adjusted, coin, self.histories.plan_ids)
        for at, effect in enumerate(effects):
            carried = now
            if op.number_of(now) != effect.carried:
                exact = coin.exact(effect.carried)
                note, billed = "the exact amount that is carried on", ("as it was billed", now)
                carried = op.stated("amount carried on", exact, "A38", note, billed)
            found = self._after(effect, carried, before, inputs[effect.at], when.year)
            # A rule alone in its month competes with no other, unless its amount was replaced.
            competes = at > 0 or op.number_of(found) != effect.after
            if effect.rule.clause.combine == "lower_of" and competes:
                if "not_lower" in effect.reasons and op.number_of(now) != effect.after:
                    now = coin.rounded("amount so far", "A38", effect.rule.scale.mode, so_far=now)
                found = _lower(effect, now, carried, found)
            now = agreed(found, effect.after, "the amount after a rule")
            if len(effects) > 1:
                label = f"amount after {effect.rule.rule_id}"
                now = op.together(label, "A37", amount=now)
        return agreed(now, adjusted.after, "an adjusted amount")

    def _rule_inputs(self, history: History, adjusted: Adjusted) -> dict[int, RuleInputs]:
        """Return what each rule of an adjustment was computed from, replayed once per history."""
        replayed = self._replayed.get(history)
        if replayed is None:
            replayed = self._replayed[history] = history.replayed()
        replayed.until(adjusted.day)
        return replayed.inputs[adjusted.day, adjusted.plan]

    def _after(
        self, effect: Effect, carried: Working, before: Working, inputs: RuleInputs, year: int
    ) -> Working:
        """Return the amount that one rule led to (A37)."""
        if effect.step is None:
            return _limited(effect, carried, before, inputs)
        explainer, rule = RuleExplainer(effect, effect.step, inputs, carried), effect.rule
        if rule.is_index:
            return explainer.by_index()
        per_year = self.histories.policy.increment_amount == "per_year"
        return explainer.by_increment(rule.increment_of(year), per_year=per_year)

    def _balance(self, moved: Moved, at: int) -> list[op.NamedInput]:
        """Return the balances before and after, and the change (A39)."""
        _, place = self.histories.places_of(at)
        history = self.histories.balances[0 if place is None else place]
        new, old = self._balance_amounts(history, moved)
        change = op.difference("change of the balance", "A39", new=new, old=old)
        return [("new balance", new), ("balance before", old), ("change", change)]

    def _balance_amounts(self, history: BalanceHistory, moved: Moved) -> tuple[Working, Working]:
        """Return the balances after and before a change, in whole minor units."""
        scale, coin = history.scale, coin_of(history.scale)
        after = agreed(self._moved(history, moved), moved.after, "a balance")
        earlier = history.until(moved.day - 1)
        since = f"since {date.fromordinal(earlier[-1].day)}" if earlier else "as it was agreed"
        before = op.stated("balance in force", coin.exact(moved.before), "A39", since)
        new = coin.rounded("new balance", "A39", scale.mode, balance=after)
        old = coin.rounded("balance before", "A39", scale.mode, was=before)
        return new, old

    def _moved(self, history: BalanceHistory, moved: Moved) -> Working:
        if moved.listed is not None:
            return op.stated("balance", moved.after, "A39", _AS_LISTED)
        mover = next(each for each in history.moves_by if each.at == moved.plan)
        coin, mode = coin_of(history.scale), history.scale.mode
        if not isinstance(mover, WithAdjustments) or moved.adjusted is None:
            return self._of_rent(mover, moved, coin, history.scale)
        adjusted = moved.adjusted
        if mover.is_it(moved.before, adjusted):
            return self.amount(mover.history, adjusted)
        if mover.months is not None:
            amount = self.amount(mover.history, adjusted)
            months = op.stated("months of rent", mover.months, "A39")
            whole = op.product("months times amount", "A39", months=months, amount=amount)
            of = op.stated("months of a period", mover.monthly, "A38")
            exact = op.quotient("months of rent now", "A39", amount=whole, months_of_a_period=of)
            return op.rounded("balance", "A39", coin.step, mode, exact=exact)
        was = now = exact = op.stated("balance in force", coin.exact(moved.before), "A39")
        for at, effect in enumerate(adjusted.effects, 1):
            if effect.step is not None and "not_lower" not in effect.reasons:
                exact = _moved_with(effect, adjusted, was, now, exact)
                now = op.rounded("balance", "A39", coin.step, mode, exact=exact)
            for limits in (each for count, each in adjusted.limits if count == at):
                share = share_over(op.number_of(now), moved.before, limits)
                if share is not None:
                    change = op.stated(
                        "limited percentage", share, "A39", "of the balance of the day"
                    )
                    factor = op.total("factor", "A39", whole=1, percentage=change)
                    label = "balance limited"
                    exact = op.product(label, "A39", balance_before=was, factor=factor)
                    now = op.rounded("balance", "A39", coin.step, mode, exact=exact)
        return now

    def _of_rent(self, mover: MovesBy, moved: Moved, coin: op.Coin, scale: AmountScale) -> Working:
        """Return so many months of the rent in force on a day."""
        day = date.fromordinal(moved.day)
        rent = self.histories.monthly_rent(moved.day)
        note = f"in force on {day}, before discount"
        monthly = op.stated("monthly rent", coin.exact(rent), "A39", note)
        months = op.stated("months of rent", mover.months or Fraction(0), "A39")
        exact = op.product("months of rent now", "A39", months=months, monthly_rent=monthly)
        return op.rounded("balance", "A39", coin.step, scale.mode, exact=exact)


def _moved_with(
    effect: Effect, adjusted: Adjusted, was: Working, now: Working, exact: Working
) -> Working:
    """Return the balance that one rule leads to, before it is rounded (A39)."""
    combine, base = effect.rule.clause.combine, adjusted.base
    rent_before = effect.carried if combine == "in_turn" else base
    percentage = None if effect.step is None else effect.step.percentage
    if not rent_before and combine == "sum" and percentage is not None:
        note = "of the rule, whatever the rent"
        share = op.stated("percentage", percentage.applied, "A39", note)
        added = op.product("what is added", "A39", balance_before=was, percentage=share)
        return op.total("balance moved with the rent", "A39", so_far=exact, added=added)
    if not rent_before:
        note = "a rent of 0 has no factor"
        return op.together("balance moved with the rent", "A39", was=now, note=note)
    note = "the amount it began from"
    rent = op.stated("rent before", rent_before, "A38", note)
    note = "of the rent, before rounding"
    new = op.stated("exact new amount", effect.exact, "A38", note)
    if combine == "sum":
        so_far = op.stated("exact amount so far", effect.carried_exact, "A38", note)
        more = op.difference("what the rule adds", "A39", new=new, so_far=so_far)
        share = op.quotient("share of the rent", "A39", added=more, rent_before=rent)
        added = op.product("what is added", "A39", balance_before=was, share=share)
        return op.total("balance moved with the rent", "A39", so_far=exact, added=added)
    factor = op.quotient("factor of the rent", "A39", new=new, old=rent)
    old = now if combine == "in_turn" else was
    return op.product("balance moved with the rent", "A39", was=old, factor=factor)


def _limited(effect: Effect, now: Working, before: Working, inputs: RuleInputs) -> Working:
    """Return the amount so far, within the limits of another rule (A40)."""
    rule: CompiledRule = effect.rule
    ratio = op.quotient("ratio so far", "A40", amount=now, before=before)
    change = op.difference("earlier percentage", "A40", ratio=ratio, whole=1)
    least, most = limits_of(rule, inputs.elapsed.months)
    percentage = within_limits(change, least, most)
    factor = op.total("factor", "A40", whole=1, percentage=percentage)
    exact = op.product("exact amount", "A40", before=before, factor=factor)
    amount = rounded_amount(exact, before, rule.clause, rule.scale)
    return agreed(amount, effect.after, "a limited amount")


MOST_LISTED: Final = 1200
"""At most so many earlier adjustments are listed: those of every month of a hundred years."""

Explained = Callable[[str], tuple[Value, str] | None]
"""Returns the amount of a step by its id and where it is explained, None if it is not."""


def amount_before(
    history: History, adjusted: Adjusted, coin: op.Coin, plan_ids: Sequence[str]
) -> Working:
    """Return the amount before an adjustment (A38)."""
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
        count = op.stated("quantity", quantity, "A38", "on the day of the adjustment")
        before = op.product("amount before", "A38", quantity=count, unit_price=before)
    if adjusted.base == adjusted.before:
        return before
    note = f"the exact amount that is carried on before {_day(adjusted.day)}"
    base = coin.exact(adjusted.base)
    return op.stated("amount before", base, "A40", note, ("as it was billed", before))


def step_id_of(subject: Adjustee, adjusted: Adjusted, plan_ids: Sequence[str]) -> str:
    """Return the id of the step that leads to the amount after an adjustment."""
    return f"{subject.adjustee_id} {_day(adjusted.day)} {plan_ids[adjusted.plan]}"


def _lower(effect: Effect, now: Working, carried: Working, found: Working) -> Working:
    """Return the lower of the amount so far and the one that a rule led to (A37)."""
    note = "the lower of what the rules lead to"
    lower = op.smaller("lower amount", "A37", ("so far", now), ("rule", found), note=note)
    if op.number_of(lower) == effect.after:
        return lower
    # Exact amounts that are carried on compete as such, and not as they are billed (A38).
    note = "the lower of what is carried on"
    compared = op.smaller("lower amount", "A37", ("so far", carried), ("rule", found), note=note)
    billed = now if "not_lower" in effect.reasons else found
    return op.together("lower amount", "A37", ("billed", billed), ("compared", compared))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class EarlierAmount(Working):
    """The price of a unit before an adjustment, whose earlier adjustments are not listed yet.

    How many are listed depends on what the explanation has explained so far.
    """

    history: History = field(kw_only=True)
    adjusted: Adjusted = field(kw_only=True)
    coin: op.Coin = field(kw_only=True)
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
            return op.stated(self.label, found, "A18", f"{in_force}: {_agreed(subject, first)}")
        left_out = len(changes) - MOST_LISTED
        if left_out > 0:
            changes = changes[left_out:]
            start: op.NamedInput = "left out", self._left_out(changes[0], left_out)
        elif since is not None:
            start = "explained", since
        else:
            agreed = self.coin.exact(_unit_before(subject, first))
            start = "agreed", op.stated("agreed amount", agreed, "A18", _agreed(subject, first))
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
        count = op.stated("quantity", quantity, "A38", "on the day of that adjustment")
        price = op.quotient(label, "A38", amount=found, quantity=count)
        return replace(price, result=self.coin.exact(adjusted.unit))

    def _left_out(self, first: Adjusted, count: int) -> Working:
        """Return the price before the first adjustment that is listed of too many."""
        price = self.coin.exact(_unit_before(self.history.adjustee, first))
        adjustments = "1 earlier adjustment is" if count == 1 else f"{count:,} earlier ones are"
        note = (
            f"{adjustments} left out, because at most {MOST_LISTED:,} are listed; "
            f"the explanation of the adjustment of {_day(first.day)} lists them"
        )
        return op.stated("amount before them", price, "A38", note, ("adjustments left out", count))


def _unit_before(subject: Adjustee, adjusted: Adjusted) -> Fraction:
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


def _change(subject: Adjustee, adjusted: Adjusted, coin: op.Coin) -> Working:
    """Return one earlier adjustment in a line: its day, from what to what, and by which index."""
    to: op.NamedInput = "to", coin.exact(adjusted.unit)
    was: op.NamedInput = "from", coin.exact(_unit_before(subject, adjusted))
    label = f"adjustment of {_day(adjusted.day)}"
    return op.difference(label, "A38", to, was, note=_by_what(adjusted))


def _by_what(adjusted: Adjusted) -> str:
    """Return what an earlier adjustment followed: index values, increments, or a list."""
    if adjusted.listed is not None:
        return "as listed by the service that made it"
    if not adjusted.effects:
        return "an amount record of the day"
    causes: list[str] = []
    for effect in adjusted.effects:
        compared = effect.compared
        causes.append(f"by {effect.rule.rule_id}" if compared is None else _by_index(compared))
    return ", ".join(dict.fromkeys(causes))


def _by_index(compared: IndexChange) -> str:
    name, old, new = compared.series.name, compared.from_value, compared.to_value
    if compared.series.kind == "monthly_change":
        return f"changes of months of {name} up to {compared.to_point}"
    if old is None or new is None:
        return f"published change of {name} to {compared.to_point}"
    before, after = number_text(old, parts=False), number_text(new, parts=False)
    return f"{name} {before} ({compared.from_point}) → {after} ({compared.to_point})"


def _day(ordinal: int) -> date:
    return date.fromordinal(ordinal)
