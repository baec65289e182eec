"""One lease on every path, by arrays where they cover it, else path by path.

Law: the figures of a path do not depend on how it is computed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from rentbilling.adjustments import AmountScale, LeaseHistories
from rentbilling.billing import (
    BillingResult,
    CompiledItem,
    CompiledTerms,
    bill_period,
    compile_terms,
)
from rentbilling.errors import InvalidAdjustmentRuleError, MissingIndexError
from rentbilling.indices import IndexSeries
from rentbilling.policy import BillingPolicy
from rentbilling.simulation.bills import BillSums, bill_sums
from rentbilling.simulation.histories import Moment, PathHistory, limited_by
from rentbilling.simulation.ledger import Key, Ledger
from rentbilling.simulation.lines import ItemLines, PathLine, fixed_line
from rentbilling.simulation.ratios import Ratios
from rentbilling.simulation.values import BeyondArraysError, PathValues, refuse_too_large
from rentbilling.simulation.vector_rounding import Mask, Whole, divide_rounded, largest, times
from rentbilling.terms import RENT, LeaseTerms
from rentbilling.values import Period


@dataclass(frozen=True, slots=True)
class LeasePaths:
    """A lease, the series of all paths, and what is asked."""

    terms: LeaseTerms
    values: PathValues
    period: Period
    policy: BillingPolicy
    currency: str
    places: int

    def enter(self, ledger: Ledger, report: Callable[[int], object] | None) -> int:
        # The first path is billed whatever follows: it refuses what can be billed on none.
        pilot = compile_terms(self.terms, policy=self.policy, indices=self.values.pilot)
        result = bill_period(pilot, self.period)
        count = self.values.count
        alone: Sequence[int] = range(count)
        try:
            uneven = self._enter_all(ledger, pilot, result)
        except (BeyondArraysError, InvalidAdjustmentRuleError, MissingIndexError):
            # The scalar engine decides whether a missing value is refused or noticed (A41).
            pass
        else:
            alone = np.flatnonzero(uneven).tolist() if uneven.any() else range(0)
        for done, at in enumerate(alone, 1):
            self._enter_path(ledger, at)
            if report is not None:
                report(count - len(alone) + done)
        return len(alone)

    # ---------------------------------------------------------------------- path by path

    def _enter_path(self, ledger: Ledger, at: int) -> None:
        indices = self.values.on_path(at)
        compiled = compile_terms(self.terms, policy=self.policy, indices=indices)
        for bill in bill_period(compiled, self.period):
            net, total, cash = bill.sums
            ledger.enter_bill(bill.due, BillSums(net, total - net, cash or 0), at)
        histories = self._histories_of(compiled, indices)
        for place, history in histories.items.items():
            scale = history.adjustee.scale
            for each in history.until(self.period.last):
                if each.day >= self.period.first:
                    before, after = (
                        scale.units(amount * scale.of_period)
                        for amount in (each.before, each.after)
                    )
                    key = self._key(each.day, each.plan, place, histories)
                    limited = limited_by(each.effects)
                    ledger.enter_adjustment(key, before, after, True, limited, at)  # noqa: FBT003
        for place, day in self._rents(compiled):
            shown = histories.amount_on(self.terms.item_ids[place], day)
            units = int(shown.amount.scaleb(self.places))
            yearly = self._scale(compiled.billed_items[place]).yearly_units(units)
            ledger.enter_rent(date.fromordinal(day).year, yearly, at)

    def _histories_of(
        self, compiled: CompiledTerms, indices: Mapping[str, IndexSeries]
    ) -> LeaseHistories:
        """Return the adjustments that a lease was billed with; none where it has no plans."""
        found = compiled.histories
        return LeaseHistories(self.terms, indices, self.policy) if found is None else found

    def _key(self, day: int, plan: int, item: int, histories: LeaseHistories) -> Key:
        return day, plan, self.terms.item_ids[item], histories.plan_ids[plan]

    def _scale(self, item: CompiledItem) -> AmountScale:
        """Return how amounts of an item are counted and rounded."""
        per_year = item.item.prices_a_year
        return AmountScale(self.currency, self.places, item.policy.rounding, per_year)

    def _rents(self, compiled: CompiledTerms) -> list[tuple[int, int]]:
        """Return the places of the rents, each with the days on which it is in force."""
        first, last = self.period.first, self.period.last
        years = range(date.fromordinal(first).year, date.fromordinal(last).year + 1)
        days = [min(last, date(year, 12, 31).toordinal()) for year in years]
        found: list[tuple[int, int]] = []
        for place, item in enumerate(compiled.billed_items):
            if item.item.product_key == RENT:
                opening = item.item.first_billing_period_bill_item.accounting_period
                found += [(place, day) for day in days if opening.first <= day <= item.end]
        return found

    # ------------------------------------------------------------------------ on all paths

    def _enter_all(self, ledger: Ledger, pilot: CompiledTerms, result: BillingResult) -> Mask:
        """Enter what arrays give, and return the paths that the scalar engine must do."""
        policy, histories = self.policy, self._histories_of(pilot, self.values.pilot)
        if policy.balance_change != "not_billed" and histories.balances:
            raise BeyondArraysError("billed_balances")
        found = self._histories(pilot, histories)
        by_day: dict[int, list[PathLine]] = {}
        uneven: Mask = np.zeros((), dtype=np.bool_)
        for place, item in enumerate(pilot.billed_items):
            moments = found[place][1] if place in found else ()
            lines = ItemLines(place, item, moments, policy)
            for due, made in lines.by_day(self.period, policy).items():
                by_day.setdefault(due, []).extend(made)
            uneven = uneven | lines.uneven
        for bill in result.bills:
            once = [line for line in bill.raw_lines if line[0].kind == "one_time"]
            if once:
                by_day.setdefault(bill.due, []).extend(map(fixed_line, once))
        sums = self._sums(by_day)
        rents = self._rent_units(pilot, found, histories)
        adjusted = self._adjustments(found, histories)
        only = ~np.broadcast_to(uneven, (self.values.count,)) if uneven.any() else None
        if only is not None and not only.any():
            return uneven | ~only  # A bill that no path has would enter its month.
        # From here on nothing is refused, so that nothing is entered twice.
        for due, each in sums:
            ledger.enter_bill(due, each, only)
        for year, units in rents:
            ledger.enter_rent(year, units, only)
        for key, before, after, moment in adjusted:
            ledger.enter_adjustment(key, before, after, moment.made, moment.limited, only)
        return np.zeros((), dtype=np.bool_) if only is None else ~only

    def _histories(
        self, pilot: CompiledTerms, histories: LeaseHistories
    ) -> dict[int, tuple[PathHistory, list[Moment]]]:
        """Return the adjustments of every item that has plans, on all paths."""
        terms, first, last = self.terms, self.period.first, self.period.last
        found: dict[int, tuple[PathHistory, list[Moment]]] = {}
        for place, history in histories.items.items():
            plans = [
                (at, histories.plan_ids[at], plan)
                for at, plan in enumerate(terms.rent_adjustment_plans)
                if histories.places_of(at)[0] == place
            ]
            own = PathHistory(history.adjustee, plans, self.values, self.policy)
            reach = max(last, pilot.billed_items[place].last_day(first, last))
            moments = own.moments(reach)
            found[place] = own, moments
        return found

    def _sums(self, by_day: dict[int, list[PathLine]]) -> list[tuple[int, BillSums]]:
        """Return the sums of the bills by due date; bills of the same lines are computed once."""
        known: dict[tuple[object, ...], BillSums] = {}
        sums: list[tuple[int, BillSums]] = []
        for due in sorted(by_day):
            key = tuple(line.key for line in by_day[due])
            found = known.get(key)
            if found is None:
                found = bill_sums(by_day[due], self.policy, self.currency, self.places)
                known[key] = found
            sums.append((due, found))
        return sums

    def _rent_units(
        self,
        pilot: CompiledTerms,
        found: dict[int, tuple[PathHistory, list[Moment]]],
        histories: LeaseHistories,
    ) -> list[tuple[int, Whole]]:
        """Return the yearly rents in force at the end of each year."""
        rents: list[tuple[int, Whole]] = []
        for place, day in self._rents(pilot):
            scale = self._scale(pilot.billed_items[place])
            if place in found:
                history, moments = found[place]
                units = _units(history.amounts_on(moments, day), scale)
                over, below = scale.per_year.as_integer_ratio()
                yearly = divide_rounded(times(units, over), below, scale.mode)
            else:
                shown = histories.amount_on(self.terms.item_ids[place], day)
                yearly = scale.yearly_units(int(shown.amount.scaleb(self.places)))
            rents.append((date.fromordinal(day).year, yearly))
        return rents

    def _adjustments(
        self, found: dict[int, tuple[PathHistory, list[Moment]]], histories: LeaseHistories
    ) -> list[tuple[Key, Whole, Whole, Moment]]:
        """Return the adjustments of the period, with the amounts before and after.

        Raises:
            BeyondArraysError: An amount of a year has more than 15 digits (A38).
        """
        made: list[tuple[Key, Whole, Whole, Moment]] = []
        for place, (history, moments) in found.items():
            scale = history.adjustee.scale
            over, below = scale.per_year.as_integer_ratio()
            for each in moments:
                if not self.period.first <= each.day <= self.period.last:
                    continue
                before, after = _units(each.before, scale), _units(each.after, scale)
                refuse_too_large(max(largest(before), largest(after)) * over // below)
                key = self._key(each.day, each.plan, place, histories)
                made.append((key, before, after, each))
        return made


def _units(amounts: Ratios, scale: AmountScale) -> Whole:
    """Return amounts in minor units.

    Raises:
        BeyondArraysError: One has more than 15 digits.
    """
    found = amounts.rounded_to(10**scale.places, scale.mode)
    refuse_too_large(found)
    return found
