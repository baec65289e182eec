"""A slow reckoner of rent adjustments: it walks from month to month with a calculator.

Law: it is written from the assumptions alone (A18, A31-A38, A40) and reads the fields of records,
policies and series; nothing of the library's engine.

What it knows: rules by index on the bases chained and anchored, by increments of amounts and
percentages, in turn, in one plan or several; the clause's interval in years, rounding of the
percentage, threshold in percent, share, excess, surcharge, and rounding of the amount.
"""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from rentbilling import (
    AdjustmentResult,
    BillingPolicy,
    IndexSeries,
    LeaseTerms,
    RecurringBillItem,
    RentAdjustmentPlan,
    RentAdjustmentRule,
)
from tests.oracle.rounding import minor_units, rounded
from tests.oracle.shares import periods_in_a_year

Month = tuple[int, int]
ONE = Fraction(1)
JANUARY, DECEMBER = 1, 12
MONTHS_TO_PUBLISH = 2
SHOWN = Fraction(1, 10**6)


class ToldEffect(NamedTuple):
    """What one rule did: the amounts, and the raw change in six decimals."""

    rule: str
    before: Fraction
    after: Fraction
    calculated: Fraction | None


class ToldAdjustment(NamedTuple):
    """What the rent became on a day."""

    day: date
    plan: str
    before: Fraction
    after: Fraction
    yearly_change: Fraction
    effects: tuple[ToldEffect, ...]


@dataclass
class _Memory:
    """What a rule has to remember."""

    base: Fraction | None = None
    base_month: Month | None = None
    applied: Month | None = None
    kept: Month | None = None


@dataclass
class _Book:
    """The rent of an item as it stands."""

    unit: Fraction
    memories: dict[tuple[int, int], _Memory] = field(default_factory=dict)


class MissingValueError(Exception):
    """An index value is not there, and the policy refuses to go on."""


def adjustments_by_oracle(
    terms: LeaseTerms, series: IndexSeries, policy: BillingPolicy, last: date
) -> list[ToldAdjustment]:
    """Return every adjustment of the only item of a lease up to a day."""
    (item,) = terms.recurring_bill_items
    return _Walk(terms, item, series, policy).until(last)


def adjustments_told_by(found: AdjustmentResult) -> list[ToldAdjustment]:
    return [
        ToldAdjustment(
            each.adjusted_on,
            each.plan_id or "",
            _figure(each.from_period_amount),
            _figure(each.to_period_amount),
            _figure(each.yearly_amount_change),
            tuple(
                ToldEffect(
                    one.rent_adjustment_rule_id or "",
                    _figure(one.from_period_amount),
                    _figure(one.to_period_amount),
                    None
                    if one.calculated_percentage is None
                    else Fraction(one.calculated_percentage),
                )
                for one in each.adjustment_rules_effects
            ),
        )
        for each in found
    ]


def _figure(amount: object) -> Fraction:
    return Fraction(getattr(amount, "amount", Decimal("NaN")))


class _Walk:
    """One item, month by month."""

    def __init__(
        self, terms: LeaseTerms, item: RecurringBillItem, series: IndexSeries, policy: BillingPolicy
    ) -> None:
        self.terms = terms
        self.item = item
        self.policy = policy
        self.values = {str(point): Fraction(value) for point, value in series.values.items()}
        self.cent = Fraction(1, 10 ** minor_units(item.amount.currency, policy))
        cycles = periods_in_a_year(item.billing_cycle)
        per_year = {"month": Fraction(12), "year": ONE, "cycle": cycles}
        self.per_year = per_year[item.price_per]
        self.of_period = self.per_year / cycles
        self.book = _Book(Fraction(item.amount.amount))
        self.started = item.first_billing_period_bill_item.accounting_period.end

    def until(self, last: date) -> list[ToldAdjustment]:
        found: list[ToldAdjustment] = []
        year, month = self.started.year, self.started.month
        records = sorted(self.item.amount_records, key=lambda each: each.start)
        before = date.min
        while True:
            year, month = (year + 1, JANUARY) if month == DECEMBER else (year, month + 1)
            today = date(year, month, 1)
            if today > last:
                return found
            for record in records:
                if before < record.start <= today:
                    self.book.unit = Fraction(record.value.amount)
            before = today
            for at, plan in enumerate(self.terms.rent_adjustment_plans):
                told = self._plan(at, plan, today)
                if told is not None:
                    found.append(told)

    def _quantity(self, today: date) -> Fraction:
        quantity = Fraction(1 if self.item.quantity is None else self.item.quantity)
        for record in sorted(self.item.quantity_records, key=lambda each: each.start):
            if record.start <= today:
                quantity = Fraction(record.value)
        return quantity

    # ------------------------------------------------------------------------------------ a plan

    def _plan(self, at: int, plan: RentAdjustmentPlan, today: date) -> ToldAdjustment | None:
        """Let the rules of a plan act on a day, each on the result of the one before (A37)."""
        quantity = self._quantity(today)
        start = amount = self.book.unit * quantity
        effects: list[ToldEffect] = []
        for place, rule in enumerate(plan.rent_adjustment_rules):
            if not self._acts(plan, rule, today):
                continue
            key = (at, place)
            memory = self.book.memories.setdefault(key, _Memory())
            rule_id = rule.id or f"rule-{place + 1}"
            by_index = rule.adjustment_type == "Index"
            answer = (
                self._by_index(rule, memory, amount, today)
                if by_index
                else self._by_increment(rule, amount, today)
            )
            if answer is None:
                continue
            new, raw = answer
            effects.append(ToldEffect(rule_id, self._shown(amount), self._shown(new), raw))
            if not by_index and amount:
                self._scale(key, new / amount)
            amount = new
        if not effects:
            return None
        self.book.unit = amount / quantity
        year_before = rounded(self._cents(start) * self.per_year, self.cent, self.policy.rounding)
        year_after = rounded(amount * self.per_year, self.cent, self.policy.rounding)
        return ToldAdjustment(
            today,
            plan.id or f"plan-{at + 1}",
            self._shown(start),
            self._shown(amount),
            year_after - year_before,
            tuple(effects),
        )

    def _shown(self, amount: Fraction) -> Fraction:
        """Return a stated amount as that of a billing period (A38, A65)."""
        return self._cents(amount * self.of_period)

    def _scale(self, key: tuple[int, int], factor: Fraction) -> None:
        """Let the bases of other rules follow an increment, which changes the rent for good."""
        for other, memory in self.book.memories.items():
            if other != key and memory.base is not None:
                memory.base *= factor

    def _cents(self, amount: Fraction) -> Fraction:
        return rounded(amount, self.cent, self.policy.rounding)

    # ----------------------------------------------------------------------------------- the days

    def _acts(self, plan: RentAdjustmentPlan, rule: RentAdjustmentRule, today: date) -> bool:
        """Return whether a rule adjusts on a day (A32)."""
        if not self._may(plan, rule, today):
            return False
        every = rule.clause.interval
        if every < DECEMBER:
            return self._acts_within_a_year(rule, today, every)
        if today.month != rule.month:
            return False
        first = today.year
        if rule.first_year is not None:
            first = int(rule.first_year)
        elif rule.increments:
            first = min(int(each.of_year) for each in rule.increments)
        else:
            while self._may(plan, rule, date(first - 1, rule.month, 1), ends=False):
                first -= 1
        return (today.year - first) % (every // DECEMBER) == 0

    @staticmethod
    def _acts_within_a_year(rule: RentAdjustmentRule, today: date, every: int) -> bool:
        """Return whether increments more often than yearly act, one of a single year once."""
        begins = min(int(each.of_year) for each in rule.increments)
        begins = int(rule.first_year or begins)
        if today < date(begins, rule.month, 1) or (today.month - rule.month) % every:
            return False
        single = {int(each.of_year) for each in rule.increments if not each.recurs}
        earlier = range(today.month - every, 0, -every)
        begun = [
            month for month in earlier if date(today.year, month, 1) >= date(begins, rule.month, 1)
        ]
        return today.year not in single or not begun

    def _may(
        self, plan: RentAdjustmentPlan, rule: RentAdjustmentRule, day: date, *, ends: bool = True
    ) -> bool:
        """Return whether a day lies within all bounds; ends may be left aside."""
        created = None if plan.created is None else plan.created.date()
        if rule.first_year is not None:
            begun = day.year >= int(rule.first_year)
        else:
            begun = created is None or day >= created
        begun = begun and day > self.started
        return begun and not (ends and self._is_over(plan, rule, day))

    def _is_over(self, plan: RentAdjustmentPlan, rule: RentAdjustmentRule, day: date) -> bool:
        """Return whether a day lies after an end, or on or after a cancellation."""
        cancelled = plan.cancelled_on
        if cancelled is None and plan.ended_on is None:
            cancelled = plan.cancelled_or_ended_on
        stops = [plan.ended_on, self.item.ended_on, self.terms.contract_end]
        if rule.last_year is not None:
            stops.append(date(int(rule.last_year), DECEMBER, 31))
        is_cancelled = cancelled is not None and day >= cancelled
        return is_cancelled or any(stop is not None and day > stop for stop in stops)

    # -------------------------------------------------------------------------------- by an index

    def _by_index(
        self, rule: RentAdjustmentRule, memory: _Memory, amount: Fraction, today: date
    ) -> tuple[Fraction, Fraction | None] | None:
        clause = rule.clause
        wanted = rule.index_month or JANUARY
        to = self._latest(wanted, today)
        compared = memory.kept or (to[0] - (clause.interval_years or 1), wanted)
        if clause.basis == "anchored" and memory.base_month is not None:
            compared = memory.base_month
        new, old = self._value(to), self._value(compared)
        if new is None or old is None:
            if self.policy.missing_index != "notice":
                raise MissingValueError(str(today))
            memory.kept = memory.kept or memory.applied or compared
            return None
        raw = new / old - 1
        if not self._is_enough(rule, memory, raw, new):
            memory.kept = compared
            return None
        percentage = self._percentage(rule, self._percent_rounded(rule, raw))
        memory.kept, memory.applied = None, to
        if clause.basis == "anchored":
            if memory.base is None:
                memory.base, memory.base_month = amount, compared
            result = self._from_base(rule, memory, amount, percentage)
        else:
            held = self._held(rule, percentage)
            result = amount * (1 + self._percent_rounded(rule, held, of="applied"))
            result = self._amount_rounded(rule, result)
        return result, rounded(raw, SHOWN, "half_up")

    def _is_enough(
        self, rule: RentAdjustmentRule, memory: _Memory, raw: Fraction, new: Fraction
    ) -> bool:
        """Return whether a change passes the threshold, counted from the last point applied."""
        clause = rule.clause
        if clause.threshold is None:
            return True
        if clause.basis == "anchored" and memory.applied is not None:
            raw = new / (self._value(memory.applied) or new) - 1
        moved, threshold = abs(self._percent_rounded(rule, raw)), Fraction(clause.threshold)
        return moved >= threshold if clause.threshold_inclusive else moved > threshold

    @staticmethod
    def _percentage(rule: RentAdjustmentRule, change: Fraction) -> Fraction:
        """Return what share, excess and surcharge make of a change, in this order (A40)."""
        clause = rule.clause
        percentage = change * Fraction(clause.share)
        if clause.excess_over is not None and clause.excess_share is not None:
            above = percentage - Fraction(clause.excess_over)
            percentage -= max(above, Fraction(0)) * (1 - Fraction(clause.excess_share))
        return percentage + Fraction(clause.surcharge)

    def _from_base(
        self, rule: RentAdjustmentRule, memory: _Memory, amount: Fraction, percentage: Fraction
    ) -> Fraction:
        """Return the base grown by a percentage, the step from what is in force being limited."""
        base = memory.base or Fraction(0)
        result = base * (1 + percentage)
        # Nothing has no percentage, but the index of nothing has one.
        step = result / amount - 1 if amount else percentage
        held = self._held(rule, step) if amount or not base else step
        if held == step:
            return self._amount_rounded(rule, result)
        # What a limit cuts off is not caught up later (A35).
        memory.base_month = memory.applied
        memory.base = self._amount_rounded(rule, amount * (1 + held))
        return memory.base

    def _latest(self, wanted: int, today: date) -> Month:
        """Return the latest such month that lies at least two months before (A33)."""
        number = today.year * DECEMBER + today.month - MONTHS_TO_PUBLISH
        while (number - 1) % DECEMBER + 1 != wanted:
            number -= 1
        return (number - 1) // DECEMBER, wanted

    def _value(self, month: Month) -> Fraction | None:
        return self.values.get(f"{month[0]:04d}-{month[1]:02d}")

    @staticmethod
    def _percent_rounded(rule: RentAdjustmentRule, value: Fraction, of: str = "change") -> Fraction:
        """Return a percentage with the clause's decimals, if it is this one that is rounded."""
        clause = rule.clause
        if clause.percentage_decimals is None or clause.percentage_rounded != of:
            return value
        step = Fraction(1, 100 * 10**clause.percentage_decimals)
        return rounded(value, step, clause.percentage_rounding)

    @staticmethod
    def _held(rule: RentAdjustmentRule, percentage: Fraction) -> Fraction:
        """Return a percentage within the rule's limits (A35)."""
        if rule.maximum_percentage is not None:
            percentage = min(percentage, Fraction(rule.maximum_percentage))
        if rule.minimum_percentage is not None:
            percentage = max(percentage, Fraction(rule.minimum_percentage))
        return percentage

    def _amount_rounded(self, rule: RentAdjustmentRule, amount: Fraction) -> Fraction:
        """Return an amount as clause and policy round it (A38, A40)."""
        clause = rule.clause
        mode = clause.amount_rounding or self.policy.rounding
        step = self.cent if clause.amount_quantum is None else Fraction(clause.amount_quantum)
        times = {"period": ONE, "month": self.per_year / DECEMBER, "year": self.per_year}
        unit = times[clause.amount_per]
        return rounded(rounded(amount * unit, step, mode) / unit, self.cent, mode)

    # ------------------------------------------------------------------------------ by increments

    def _by_increment(
        self, rule: RentAdjustmentRule, amount: Fraction, today: date
    ) -> tuple[Fraction, Fraction | None] | None:
        """Return the new amount, and the percentage if it is one; None without an increment."""
        once = {int(each.of_year): each for each in rule.increments if not each.recurs}
        recurring = {int(each.of_year): each for each in rule.increments if each.recurs}
        years = [year for year in recurring if year <= today.year]
        if today.year in once:
            increment = once[today.year]
        elif years:
            increment = recurring[max(years)]
        else:
            return None
        if increment.percentage is not None:
            raw = Fraction(increment.percentage)
            return self._amount_rounded(rule, amount * (1 + self._held(rule, raw))), rounded(
                raw, SHOWN, "half_up"
            )
        stated = increment.level or increment.amount
        by_year = self.policy.increment_amount == "per_year"
        periods = self.per_year if by_year else self.of_period
        part = Fraction(stated.amount) / periods if stated is not None else Fraction(0)
        new = part if increment.level is not None else amount + part
        was = amount or Fraction(self.item.amount.amount)
        if (was < 0 < new) or (was >= 0 > new):
            new = Fraction(0)
        return self._amount_rounded(rule, new), None
