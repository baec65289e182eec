"""How deposits and prepaid rents change with their plans (assumption A39).

Laws: a balance changes only by a plan; the rent is adjusted before the balance.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import NamedTuple, cast

from rentbilling.adjustments.adjustee import Adjusted
from rentbilling.adjustments.amount_history import History
from rentbilling.adjustments.dates import Bounds, RuleDates
from rentbilling.adjustments.rules.amounts import AmountScale, listed_until
from rentbilling.adjustments.rules.limits import Limits
from rentbilling.adjustments.rules.rule import Effect
from rentbilling.terms import Balance, RentAdjustment, RentAdjustmentPlan
from rentbilling.values import month_index, month_start


class Moved(NamedTuple):
    """One change of a balance."""

    day: int
    """Ordinal of the day from which the new balance is in force."""
    plan: int
    """Place of the plan in the lease."""
    before: Fraction
    after: Fraction
    effects: tuple[tuple[str, Fraction, Fraction], ...]
    """For each rule its id, and the balance before and after it."""
    adjusted: Adjusted | None = None
    """The adjustment that it comes from, of the rent or of the balance itself."""
    listed: RentAdjustment | None = None
    """As a service listed it, where it was not computed."""


class BalanceHistory:
    """The changes of one balance by its plans."""

    __slots__ = ("_known", "_start", "balance", "balance_id", "moves_by", "scale")

    def __init__(
        self, balance: Balance, balance_id: str, scale: AmountScale, moves_by: "Sequence[MovesBy]"
    ) -> None:
        self.balance = balance
        self.balance_id = balance_id
        self.scale = scale
        self.moves_by = tuple(moves_by)
        self._start = scale.rounded(Fraction(balance.amount.amount))
        self._known: tuple[int, tuple[Moved, ...]] = (0, ())

    def until(self, day: int) -> tuple[Moved, ...]:
        """Return all changes up to a day, oldest first.

        Raises:
            MissingIndexError: An index value is missing, and the policy does not go on without.
        """
        reached, moved = self._known
        if day > reached:
            now = moved[-1].after if moved else self._start
            moved = (*moved, *self._between(reached, day, now))
            self._known = day, moved
            return moved
        return moved[: bisect_right(moved, day, key=attrgetter("day"))]

    def _between(self, first: int, day: int, now: Fraction) -> list[Moved]:
        """Compute the changes after one day, up to another."""
        steps = sorted(
            (step for mover in self.moves_by for step in mover.steps(first, day)),
            key=lambda step: step[0],
        )
        moved: list[Moved] = []
        for when, mover, adjusted in steps:
            listed = mover.listed(when)
            if listed is not None and listed.to_balance_amount is not None:
                after = Fraction(listed.to_balance_amount.amount)
                made = Moved(when, mover.at, now, after, (), adjusted, listed)
            else:
                made = mover.moved(when, now, adjusted, self.scale)
            moved.append(made)
            now = made.after
        return moved

    def amount_on(self, day: int) -> Fraction:
        moved = self.until(day)
        return moved[-1].after if moved else self._start


class MovesBy(ABC):
    """How a balance changes under one plan: with the rent, by its factor, or by own rules."""

    __slots__ = ("_plan", "at", "months")

    def __init__(self, at: int, plan: RentAdjustmentPlan, months: Fraction | None) -> None:
        self.at = at
        self._plan = plan
        self.months = months

    def listed(self, day: int) -> RentAdjustment | None:
        """Return the adjustment that a service listed for a day."""
        for each in self._plan.adjustments:
            if each.adjusted_on.toordinal() == day:
                return each
        return None

    def steps(self, after: int, day: int) -> "list[tuple[int, MovesBy, Adjusted | None]]":
        """Return the days after one, up to another, on which the balance changes.

        Those that are listed are among them.
        """
        found = self.followed(after, day)
        there = {when for when, _, _ in found}
        for each in self._plan.adjustments:
            when = each.adjusted_on.toordinal()
            if after < when <= day and when not in there and each.to_balance_amount is not None:
                found.append((when, self, None))
        return found

    @abstractmethod
    def followed(self, after: int, day: int) -> "list[tuple[int, MovesBy, Adjusted | None]]":
        """Return the days after one, up to another, on which it follows the rent or its rules."""

    @abstractmethod
    def moved(
        self, day: int, before: Fraction, adjusted: Adjusted | None, scale: AmountScale
    ) -> Moved:
        """Return the change of the balance on a day."""


class WithAdjustments(MovesBy):
    """The plan adjusts an item, or the balance by its own rules: the balance changes with it."""

    __slots__ = ("history", "monthly")

    def __init__(
        self,
        at: int,
        plan: RentAdjustmentPlan,
        months: Fraction | None,
        history: History,
        monthly: Fraction,
    ) -> None:
        super().__init__(at, plan, months)
        self.history = history
        self.monthly = monthly

    def followed(self, after: int, day: int) -> list[tuple[int, MovesBy, Adjusted | None]]:
        done = self.history.until(day)
        return [
            (each.day, self, each) for each in done if each.day > after and each.plan == self.at
        ]

    def moved(
        self, day: int, before: Fraction, adjusted: Adjusted | None, scale: AmountScale
    ) -> Moved:
        """Return months times the new rent, or the balance times the same exact factor."""
        # Days that are only listed are handled by `BalanceHistory`.
        adjusted = cast("Adjusted", adjusted)
        chain = self.chain(before, adjusted, scale)
        after = chain[-1] if chain else before
        if self.is_it(before, adjusted):
            after = adjusted.after
        elif self.months is not None:
            after = self._of_months(adjusted.after, scale)
        effects: list[tuple[str, Fraction, Fraction]] = []
        now = before
        for effect, to in zip(adjusted.effects, chain, strict=True):
            effects.append((effect.rule.rule_id, now, to))
            now = to
        return Moved(
            day, self.at, before, after, () if adjusted.recorded else tuple(effects), adjusted
        )

    def chain(self, before: Fraction, adjusted: Adjusted, scale: AmountScale) -> list[Fraction]:
        """Return the balance after each rule of an adjustment (A39)."""
        effects = adjusted.effects
        if self.is_it(before, adjusted):
            # The rules are about the balance itself, and have rounded it.
            return [effect.after for effect in effects]
        if self.months is not None:
            return [self._of_months(effect.after, scale) for effect in effects]
        found: list[Fraction] = []
        now = exact = before
        for at, effect in enumerate(effects, 1):
            if effect.step is not None and "not_lower" not in effect.reasons:
                exact = moved_exactly(effect, before, adjusted.base, now, exact)
                now = scale.rounded(exact)
            found.append(now)
            for limits in (each for count, each in adjusted.limits if count == at):
                share = share_over(now, before, limits)
                if share is not None:
                    exact = before * (1 + share)
                    now = scale.rounded(exact)
            if not any(each.step is None for each in effects[at : at + 1]):
                # A limit that the rent did not reach has no effect of its own.
                found[-1] = now
        return found

    def is_it(self, before: Fraction, adjusted: Adjusted) -> bool:
        """Return whether the adjustment is of the balance itself, at the same amount."""
        return self.history.adjustee.is_balance and before == adjusted.before

    def _of_months(self, amount: Fraction, scale: AmountScale) -> Fraction:
        """Return so many months of an amount of a billing period."""
        return scale.rounded((self.months or Fraction(0)) * amount / self.monthly)


def share_over(balance: Fraction, first: Fraction, limits: Limits) -> Fraction | None:
    """Return the limit that the step of a balance exceeds, None where it exceeds none (A39)."""
    if first == 0:
        return None
    share, reached = limits.hold(balance / first - 1)
    return None if reached is None else share


def moved_exactly(
    effect: Effect, first: Fraction, rent: Fraction, now: Fraction, exact: Fraction
) -> Fraction:
    """Return the balance that one rule leads to, before it is rounded (A39)."""
    combine = effect.rule.clause.combine
    if combine == "in_turn":
        return now * effect.exact / effect.carried if effect.carried else now
    if rent == 0:
        percentage = None if effect.step is None else effect.step.percentage
        if combine == "sum" and percentage is not None:
            return exact + first * percentage.applied
        return now
    if combine == "sum":
        return exact + first * (effect.exact - effect.carried_exact) / rent
    return first * effect.exact / rent


class WithRent(MovesBy):
    """The plan only gives the dates: the balance is so many months of the rent in force."""

    __slots__ = ("_bounds", "_rent")

    def __init__(
        self,
        at: int,
        plan: RentAdjustmentPlan,
        months: Fraction,
        rent: Callable[[int], Fraction],
        bounds: Bounds,
    ) -> None:
        super().__init__(at, plan, months)
        self._rent = rent
        self._bounds = bounds

    def followed(self, after: int, day: int) -> list[tuple[int, MovesBy, Adjusted | None]]:
        """Return the days of the plan's rules."""
        months: set[int] = set()
        for rule in self._plan.rent_adjustment_rules:
            dates = RuleDates(rule, self._plan, self._bounds)
            months.update(dates.between(month_index(after) + 1 if after else 0, month_index(day)))
        days = [month_start(month) for month in sorted(months)]
        made = listed_until(self._plan)
        return [(each, self, None) for each in days if each > made or self.listed(each)]

    def moved(
        self, day: int, before: Fraction, adjusted: Adjusted | None, scale: AmountScale
    ) -> Moved:
        """Return months times the rent in force on the day."""
        after = scale.rounded((self.months or Fraction(0)) * self._rent(day))
        ids = self._plan.rule_ids[:1]
        effects = tuple((rule_id, before, after) for rule_id in ids)
        return Moved(day, self.at, before, after, effects, adjusted)
