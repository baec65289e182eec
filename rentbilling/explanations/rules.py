"""How one rule changes an amount, step by step (assumptions A33-A40).

Law: the steps come in the order of A40, and a step that changes nothing is left out; the result is
checked against the step of the adjustment.
"""

from decimal import Decimal
from fractions import Fraction

from rentbilling.adjustments import CompiledRule, Effect, RuleInputs, Step
from rentbilling.explanations import operations as op
from rentbilling.explanations.rule_amounts import (
    change_of,
    damped,
    grown,
    limits_of,
    rounded_amount,
    within_limits,
)
from rentbilling.explanations.working import Working, agreed
from rentbilling.terms import Increment
from rentbilling.values import MONTHS_PER_YEAR


class RuleExplainer:
    """Explains what one rule did on one day."""

    __slots__ = ("_before", "_clause", "_effect", "_inputs", "_rule", "_scale", "_step")

    def __init__(self, effect: Effect, step: Step, inputs: RuleInputs, before: Working) -> None:
        self._effect = effect
        self._step = step
        self._inputs = inputs
        self._rule: CompiledRule = effect.rule
        self._clause = effect.rule.clause
        self._scale = effect.rule.scale
        self._before = before

    def by_index(self) -> Working:
        """Return the amount that an index leads to."""
        compared = self._step.compared
        assert compared is not None  # noqa: S101 - an Index rule compares
        return self._stepped(change_of(compared, self._clause))

    def by_increment(self, increment: Increment, *, per_year: bool) -> Working:
        """Return the amount that an increment leads to (A36)."""
        if increment.percentage is not None:
            value = increment.percentage
            note = f"the increment of {increment.of_year}"
            return self._stepped(op.stated("increment percentage", value, "A36", note))
        clause = self._clause
        old = self._measured_from()
        so_far = self._so_far() if clause.combine == "sum" else old
        given = increment.amount if increment.level is None else increment.level
        assert given is not None  # noqa: S101 - one of the three is given
        kind = "increment" if increment.level is None else "level"
        note = f"of {increment.of_year}" + (
            ", for a year" if per_year else ", for a billing period"
        )
        added = op.stated(kind, given, "A36", note)
        times = self._scale.per_year if per_year else self._scale.of_period
        if times != 1:
            word, label = "periods of a year", f"{kind} of a billing period"
            if self._scale.of_period != 1:
                word, label = "prices in it", f"{kind} of a price"
            prices = op.stated(word, times, "A38")
            added = op.quotient(label, "A36", (kind, added), (word, prices))
        exact = added
        if increment.level is None:
            exact = op.total("exact amount", "A36", so_far=so_far, increment=added)
        side = op.number_of(old) or self._inputs.start or Fraction(1)
        if op.number_of(exact) * side < 0:
            note = "a decrease stops at zero"
            zero: op.NamedInput = "minimum" if side > 0 else "maximum", 0
            least, most = (zero, None) if side > 0 else (None, zero)
            label = "exact amount"
            exact = op.limited(label, "A36", amount=exact, minimum=least, maximum=most, note=note)
        return self._finished(exact, self._before if clause.combine == "sum" else old)

    def _stated(self, label: str, value: Fraction, rule: str, note: str | None) -> Working:
        """Return an amount as a fact, in its currency where its decimals end."""
        coin = op.Coin(self._scale.currency, self._scale.places)
        return op.stated(label, coin.exact(value), rule, note)

    def _measured_from(self) -> Working:
        """Return the amount that the rule's percentage is applied to (A37)."""
        before = self._inputs.before
        if self._clause.combine == "in_turn" or before == self._inputs.carried:
            return self._before
        return self._stated("amount before all rules", before, "A37", "of the day")

    def _so_far(self) -> Working:
        """Return the exact amount after the rules before this one (A37)."""
        exact = self._inputs.exact
        if exact == self._inputs.carried:
            return self._before
        return self._stated("exact amount so far", exact, "A37", "before it was rounded")

    def _stepped(self, change: Working) -> Working:
        """Return the amount that a change leads to (A35, A40)."""
        rule, clause = self._rule, self._clause
        if rule.is_plain:
            applied = within_limits(change, *self._limits(plain=True))
            exact = grown(self._before, applied, None, clause)
            amount = self._minor(exact)
            return self._checked(exact, amount)
        old = self._measured_from()
        if clause.combine == "sum":
            applied = self._applied(change, limits=True)
            more = op.product("what is added", "A37", amount_before=old, percentage=applied)
            exact = op.total("exact amount", "A37", so_far=self._so_far(), added=more)
            return self._finished(exact, self._before)
        base = self._base(old)
        # Limits bound the step from the amount in force, whatever the rule counts from.
        whole = op.number_of(base) != op.number_of(old) or clause.correction_factor is not None
        whole = whole or clause.share_of == "money"
        applied = self._applied(change, limits=not whole)
        part = self._part()
        exact = grown(base, applied, part, clause)
        if clause.share_of == "money":
            exact = self._share_of_money(exact, base, old)
        if whole:
            exact = self._limited_amount(exact, base, old, part)
        return self._finished(exact, base if clause.basis == "anchored" else old)

    def _base(self, old: Working) -> Working:
        """Return the amount that the change acts on (A34)."""
        clause, state = self._clause, self._inputs.state
        if clause.basis == "anchored":
            return self._first_amount(old)
        if clause.basis == "last_indexed" and state.last_amount is not None:
            note = "after the last adjustment by this rule"
            if state.is_new:
                note = "stated by the clause for the first day"
            return self._stated("last indexed amount", state.last_amount, "A40", note)
        if clause.basis == "chained" and state.own is not None:
            note = "where the rule alone would have led to, which it carries past its limits"
            return self._stated("carried amount", state.own, "A40", note)
        return old

    def _first_amount(self, old: Working) -> Working:
        """Return the amount that an anchored rule counts from (A34, A40)."""
        clause, state = self._clause, self._inputs.state
        if state.anchor_amount is not None:
            note = "what the rule counts from"
            if state.is_new:
                note = "stated by the clause for the first day"
            return self._stated("first amount", state.anchor_amount, "A34", note)
        if state.is_new or clause.correction_factor is None:
            return old
        factor = op.stated("correction factor", clause.correction_factor, "A40")
        return op.quotient("first amount", "A40", amount=old, factor=factor)

    def _applied(self, change: Working, *, limits: bool) -> Working:
        """Return the percentage that a change leads to (A40)."""
        clause = self._clause
        value = change
        if clause.percentage_decimals is not None and clause.percentage_rounded == "change":
            value = self._rounded_percentage("rounded percentage", value)
        if clause.share_of == "change" and clause.share != 1:
            share = op.stated("share", clause.share, "A40", "of the change that is passed on")
            value = op.product("shared percentage", "A40", percentage=value, share=share)
        bound = clause.excess_over
        if bound is not None and clause.excess_share is not None and op.number_of(value) > bound:
            value = damped(value, bound, clause.excess_share)
        if clause.surcharge:
            more = op.stated("surcharge percentage", clause.surcharge, "A40")
            label = "raised percentage"
            value = op.total(label, "A40", percentage=value, surcharge_percentage=more)
        if limits:
            value = within_limits(value, *self._limits())
        part = self._part_of_year()
        if part is not None:
            label = "pro rata percentage"
            value = op.product(label, "A40", percentage=value, part=part)
        if clause.percentage_decimals is not None and clause.percentage_rounded == "applied":
            value = self._rounded_percentage("applied percentage", value)
        return value

    def _rounded_percentage(self, label: str, value: Working) -> Working:
        step = Decimal((0, (1,), -(self._clause.percentage_decimals or 0) - 2))
        return op.rounded(label, "A40", step, self._clause.percentage_rounding, percentage=value)

    def _part_of_year(self) -> Working | None:
        """Return the part of the percentage that counts, None if all of it does."""
        clause, elapsed, state = self._clause, self._inputs.elapsed, self._inputs.state
        label = "part that counts"
        if clause.pro_rata == "elapsed":
            months = op.stated("months elapsed", elapsed.months, "A40", "since the amount was set")
            of = op.stated("months that count", clause.pro_rata_months, "A40")
            return op.quotient(label, "A40", months=months, of=of)
        first = elapsed.first_year if state.is_new else None
        if clause.pro_rata == "first_year" and first is not None:
            months = op.stated("whole months left in the year of the start", first, "A40")
            return op.quotient(label, "A40", months=months, of=MONTHS_PER_YEAR)
        return None

    def _limits(self, *, plain: bool = False) -> tuple[op.NamedInput | None, op.NamedInput | None]:
        """Return the limits of this adjustment (A35)."""
        rule, elapsed = self._rule, self._inputs.elapsed
        return limits_of(rule, None if plain else elapsed.months)

    def _part(self) -> Working | None:
        """Return the part of the amount that follows the index, if the clause names one."""
        part, clause = self._inputs.state.part, self._clause
        if part is not None:
            return self._stated("indexed part", part, "A40", "after its own adjustments")
        if clause.indexed_amount is None:
            return None
        return op.stated("indexed part", clause.indexed_amount, "A40", "stated by the clause")

    def _share_of_money(self, exact: Working, base: Working, old: Working) -> Working:
        """Return an amount after a share of the difference in money is passed on."""
        whole = rounded_amount(exact, base, self._clause, self._scale)
        share = op.stated("share", self._clause.share, "A40", "of the difference in money")
        more = op.difference("difference in money", "A40", new=whole, old=old)
        passed = op.product("difference passed on", "A40", difference=more, share=share)
        return op.total("exact amount", "A40", old=old, difference=passed)

    def _limited_amount(
        self, exact: Working, base: Working, old: Working, part: Working | None
    ) -> Working:
        """Return an amount whose step from the one in force is within the limits (A35)."""
        clause = self._clause
        least, most = (self._counting(each) for each in self._limits())
        if least is None and most is None:
            return exact
        moving = base
        if part is not None:
            moving = part
        elif clause.indexed_share is not None:
            share = op.stated("indexed share", clause.indexed_share, "A40")
            moving = op.product("indexed part", "A40", amount=base, share=share)
        still = op.difference("part that stands still", "A40", amount=base, indexed=moving)
        if clause.correction_factor is not None:
            factor = op.stated("correction factor", clause.correction_factor, "A40")
            still = op.product("part that stands still", "A40", part=still, factor=factor)
        if op.number_of(old) == op.number_of(still):
            return exact
        old_part = op.difference("indexed part in force", "A40", in_force=old, still=still)
        new_part = op.difference("indexed part now", "A40", amount=exact, still=still)
        ratio = op.quotient("ratio to what is in force", "A35", new=new_part, old=old_part)
        step = op.difference("step percentage", "A35", ratio=ratio, whole=1)
        limited_step = within_limits(step, least, most)
        if op.number_of(limited_step) == op.number_of(step):
            return exact
        factor = op.total("factor", "A35", whole=1, percentage=limited_step)
        grown = op.product("indexed part limited", "A35", in_force=old_part, factor=factor)
        if clause.percentage_decimals is not None and clause.percentage_rounded == "applied":
            grown = self._rounded_again(grown, base, still, old_part)
        return op.total("exact amount", "A35", still=still, indexed=grown)

    def _rounded_again(
        self, grown: Working, base: Working, still: Working, old_part: Working
    ) -> Working:
        """Return the indexed part within a limit, its percentage rounded once more (A40)."""
        clause, root = self._clause, old_part
        if clause.basis == "anchored":
            whole = base
            if clause.correction_factor is not None:
                times = op.stated("correction factor", clause.correction_factor, "A40")
                whole = op.product(
                    "amount with its factor", "A40", amount=base, correction_factor=times
                )
            of_base = op.difference("indexed part of the base", "A40", amount=whole, still=still)
            root = of_base if op.number_of(of_base) != 0 else old_part
        ratio = op.quotient("ratio to the base", "A40", limited=grown, base=root)
        step = op.difference("percentage from the base", "A40", ratio=ratio, whole=1)
        applied = self._rounded_percentage("applied percentage", step)
        factor = op.total("factor", "A40", whole=1, percentage=applied)
        return op.product("indexed part rounded", "A40", base=root, factor=factor)

    def _counting(self, limit: op.NamedInput | None) -> op.NamedInput | None:
        """Return a limit, reduced to the part of the percentage that counts (A40)."""
        part = self._part_of_year()
        if limit is None or part is None:
            return limit
        name, _ = limit
        return name, op.product(f"pro rata {name}", "A40", limit, ("part", part))

    def _floored(self, amount: Working) -> Working:
        """Return an amount that is not below the floors of the clause (A40)."""
        clause = self._clause
        floors: list[op.NamedInput] = []
        if clause.floor_at_start:
            start = self._stated("amount at the start", self._inputs.start, "A40", None)
            floors.append(("amount at the start", start))
        if clause.floor_amount is not None:
            # On the side that the item began on, whichever sign the clause gives its floor.
            size = abs(Fraction(clause.floor_amount.amount))
            floor = -size if self._inputs.start < 0 else size
            floors.append(("floor", self._stated("floor", floor, "A40", None)))
        if not floors:
            return amount
        found = op.larger("amount above the floor", "A40", ("amount", amount), *floors)
        whole = self._minor(found)
        # A step that changes nothing is left out.
        steps = amount, found, whole
        return next(each for each in steps if op.number_of(each) == op.number_of(whole))

    def _finished(self, exact: Working, since: Working) -> Working:
        """Return the amount rounded, and not below a floor (A38, A40)."""
        amount = self._floored(rounded_amount(exact, since, self._clause, self._scale))
        if "floor" in self._step.reasons:
            return agreed(amount, self._step.amount, "an adjusted amount")
        return self._checked(exact, amount)

    def _minor(self, exact: Working) -> Working:
        """Return an amount rounded to the minor unit (A38)."""
        coin, mode = op.Coin(self._scale.currency, self._scale.places), self._scale.mode
        return coin.rounded("new amount", "A38", mode, amount=exact)

    def _checked(self, exact: Working, amount: Working) -> Working:
        """Return the amount, checked against the result of the rule."""
        agreed(exact, self._step.exact, "an exact amount")
        return agreed(amount, self._step.amount, "an adjusted amount")
