"""The lines of one item, found by asking of every single day what it costs.

Law: a day knows its price, VAT, quantity and discount; equal neighbouring days are one part. Sums
stay exact fractions until a line is rounded, as a difference of running totals (A21).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import groupby

import rentbilling as rb
from tests.oracle.answers import PASSED_ON, Texts, UnknownVat, told_vat
from tests.oracle.days import RegularPeriod, Stretch, due_day, regular_periods
from tests.oracle.rounding import minor_units, rounded
from tests.oracle.shares import opening_share, periods_in_a_year, shares_of_parts

SLACK = 20
"""Days that a business day rule could move a due date, with room to spare."""


@dataclass(frozen=True)
class Facts:
    """What is in force on one day (A18, A19)."""

    unit: Fraction
    """The amount of one unit, before the discount."""

    vat: UnknownVat
    quantity: Fraction
    discounts: tuple[rb.Discount, ...] = ()
    """Those in force, in the order in which they come off."""

    def costs(self) -> tuple[object, ...]:
        """Return what splits a period: two discounts of one effect do not (A19, A61)."""
        left = after_discounts(self.unit, self.discounts)
        return self.unit, self.vat, self.quantity, bool(self.discounts), left


@dataclass(frozen=True)
class RawLine:
    """A line before its bill is made: rounded in its own tax mode, VAT not yet reckoned."""

    order: int
    product_key: str
    due_date: date
    currency: str
    days: Stretch
    vat: UnknownVat
    quantity: Fraction
    exact_unit: Fraction
    """The price of one unit, after discount and share, in its own tax mode, never rounded."""

    money: Fraction
    """The rounded line: gross for an Inclusive line, net for every other."""

    kind: str
    share: Fraction | None
    texts: Texts


class ItemOracle:
    """One recurring item, with the policy that rules its lines."""

    def __init__(
        self,
        item: rb.RecurringBillItem,
        order: int,
        item_id: str,
        contract_end: date | None,
        policy: rb.BillingPolicy,
    ) -> None:
        """Take an item, its place and id in the lease, and the contract's last day."""
        self._item = item
        self._order = order
        self._id = item_id
        self._policy = policy
        ends = [end for end in (item.ended_on, contract_end) if end is not None]
        self._last_paid = min(ends, default=date.max)
        self._costs: tuple[object, ...] = ()
        self._running: dict[bool, Fraction] = {}
        self._quantum = Fraction(1, 10 ** minor_units(item.amount.currency, policy))

    def lines(self, window: rb.Period) -> Iterator[RawLine]:
        """Yield every line of the item that the asked period selects (A15)."""
        for line in [*self._opening(), *self._regular(window)]:
            if selected(line, window, self._policy):
                yield line

    def _opening(self) -> Iterator[RawLine]:
        """Yield the opening line, taken as given (A12, A17)."""
        opening = self._item.first_billing_period_bill_item
        days = Stretch(opening.accounting_period.start, opening.accounting_period.end)
        if days.first > self._last_paid or self._is_cancelled(opening.due_date, days.first):
            return
        facts = self._facts_on(days.first)
        decides = {"period_end": days.last, "due_date": opening.due_date}
        vat = self._facts_on(decides.get(self._policy.vat_day, days.first)).vat
        facts = replace(facts, vat=vat)
        unit = Fraction(opening.amount.amount)
        if self._policy.discount_opening:
            share = opening_share(self._item.billing_cycle, days, self._method("first"))
            facts = replace(facts, discounts=self._discounts_on(days.first))
            unit = after_discounts(unit, facts.discounts, share)
        yield self._line(days, days.first, opening.due_date, facts, unit, "opening", None)

    def _regular(self, window: rb.Period) -> Iterator[RawLine]:
        """Yield the lines of the regular periods (A13)."""
        rule = self._item.due_date_rule
        days = self._item.first_billing_period_bill_item.accounting_period
        opening = Stretch(days.start, days.end)
        until = window.end + timedelta(days=abs(rule.day_of_period) + SLACK)
        for period in regular_periods(self._item.billing_cycle, opening, until):
            due = due_day(rule, period, self._policy)
            lines: list[RawLine] = []
            if self._has_running_total and period.span.first <= self._last_paid:
                lines = [*self._lines_of(period, due)]
            if period.span.first > self._last_paid or self._is_cancelled(due, period.span.first):
                continue
            if self._policy.select == "accounting_period" or due in window:
                yield from lines or self._lines_of(period, due)

    @property
    def _has_running_total(self) -> bool:
        """Whether every period counts, because the price is for a month or a year (A65)."""
        return self._item.price_per != "cycle"

    def _is_cancelled(self, due: date, first: date) -> bool:
        """Return whether a cancellation stops a bill (A17)."""
        cancelled = self._item.cancelled_on
        if cancelled is None:
            return False
        in_arrears = self._item.due_date_rule.relative_to == "end"
        return (first if in_arrears else due) >= cancelled

    def _lines_of(self, period: RegularPeriod, due: date) -> Iterator[RawLine]:
        """Yield one line for each part of a regular period (A19, A21)."""
        billed = Stretch(period.span.first, min(period.span.last, self._last_paid))
        parts = [
            (Stretch(same[0][0], same[-1][0]), same[0][1])
            for same in (
                list(days)
                for _, days in groupby(self._days_of(billed, period, due), lambda d: d[1].costs())
            )
        ]
        shares = shares_of_parts(
            self._item.billing_cycle,
            period,
            billed,
            [days for days, _ in parts],
            self._method("last"),
        )
        whole = len(parts) == 1 and billed == period.span
        running: dict[bool, Fraction] = {True: Fraction(0), False: Fraction(0)}
        for (days, facts), share in zip(parts, shares, strict=True):
            unit = after_discounts(facts.unit, facts.discounts)
            inclusive = facts.vat.mode == "Inclusive"
            if self._has_running_total:
                running = self._since_change(facts)
            before = running[inclusive]
            running[inclusive] += unit * facts.quantity * share
            money = self._rounded(running[inclusive]) - self._rounded(before)
            kind = "regular" if whole else "part"
            start = period.span.first
            yield self._line(days, start, due, facts, unit * share, kind, share, money)

    def _since_change(self, facts: Facts) -> dict[bool, Fraction]:
        """Return the running totals since anything but the VAT's rate changed (A65)."""
        costs = replace(facts, vat=UnknownVat(facts.vat.mode, None)).costs()
        if costs != self._costs:
            self._costs, self._running = costs, {True: Fraction(0), False: Fraction(0)}
        return self._running

    def _method(self, end: str) -> str:
        """Return how a part period at an end of the item is counted (A66)."""
        own, words = self._item.part_period, self._policy.part_period
        word = None if own is None else getattr(own, end)
        return str(word or (words if isinstance(words, str) else getattr(words, end)))

    def _days_of(
        self, billed: Stretch, period: RegularPeriod, due: date
    ) -> list[tuple[date, Facts]]:
        waits = self._policy.mid_period_change == "next_period"
        by_period = self._policy.discount_end == "whole_period"
        start = period.span.first
        known = []
        vats = self._vats_of(billed.days(), due)
        for day in billed.days():
            facts = self._facts_on(start if waits else day)
            discounts = self._discounts_on(start if waits or by_period else day)
            known.append((day, Facts(facts.unit, vats[day], facts.quantity, discounts)))
        return known

    def _vats_of(self, days: list[date], due: date) -> dict[date, UnknownVat]:
        """Return the VAT of each billed day of a period (A19, A67)."""
        own = {day: self._facts_on(day).vat for day in days}
        waits = self._policy.mid_period_change == "next_period"
        sides: list[list[date]] = [[]]
        for day in days:
            if sides[-1] and not waits and own[day].mode != own[sides[-1][-1]].mode:
                sides.append([])
            sides[-1].append(day)
        found: dict[date, UnknownVat] = {}
        for side in sides:
            mode = own[side[0]].mode
            if self._policy.vat_day == "split":
                vat = own[side[0]]
                for day in side:
                    vat = own[day] if own[day].mode == mode else vat
                    found[day] = vat
                continue
            asked = {"period_start": side[0], "period_end": side[-1]}.get(self._policy.vat_day, due)
            if self._facts_on(asked).vat.mode != mode:
                in_force = [day for day in side if own[day].mode == mode]
                asked = min(in_force, key=lambda day: abs(day - asked))
            found |= dict.fromkeys(side, self._facts_on(asked).vat)
        return found

    def _facts_on(self, day: date) -> Facts:
        """Return amount, VAT and quantity in force on a day (A18)."""
        item = self._item
        amount, vat, quantity = item.amount, item.vat, item.quantity
        for a in sorted(item.amount_records, key=lambda record: record.start):
            amount = a.value if a.start <= day else amount
        for v in sorted(item.vat_records, key=lambda record: record.start):
            vat = v.value if v.start <= day else vat
        for q in sorted(item.quantity_records, key=lambda record: record.start):
            quantity = q.value if q.start <= day else quantity
        units = Fraction(1) if quantity is None else Fraction(quantity)
        unit = Fraction(amount.amount)
        if item.price_per != "cycle":
            in_a_year = 1 if item.price_per == "year" else 12
            unit *= in_a_year / periods_in_a_year(item.billing_cycle)
        return Facts(unit, told_vat(vat), units)

    def _discounts_on(self, day: date) -> tuple[rb.Discount, ...]:
        """Return the discounts in force on a day, in their order (A23, A61)."""
        one, several = self._item.discount, self._item.discounts
        return tuple(
            each
            for each in (several if one is None else [one])
            if (each.start_date is None or each.start_date <= day)
            and (each.end_date is None or day <= each.end_date)
        )

    def _rounded(self, value: Fraction) -> Fraction:
        return rounded(value, self._quantum, self._policy.rounding)

    def _line(
        self,
        days: Stretch,
        start: date,
        due: date,
        facts: Facts,
        unit: Fraction,
        kind: str,
        share: Fraction | None,
        money: Fraction | None = None,
    ) -> RawLine:
        return RawLine(
            order=self._order,
            product_key=self._item.product_key,
            due_date=due,
            currency=self._item.amount.currency,
            days=days,
            vat=facts.vat,
            quantity=facts.quantity,
            exact_unit=unit,
            money=self._rounded(unit * facts.quantity) if money is None else money,
            kind=kind,
            share=share,
            texts=texts_on(self._item, self._id, start, facts.discounts),
        )


def texts_on(
    item: rb.RecurringBillItem | rb.OneTimeBillItem,
    item_id: str,
    day: date,
    discounts: Sequence[rb.Discount] = (),
) -> Texts:
    """Return what a line says: a text is the one in force on the first day of its period (A19)."""
    said = {name: getattr(item, name) for name in PASSED_ON}
    for name in PASSED_ON:
        for record in sorted(getattr(item, f"{name}_records", ()), key=lambda each: each.start):
            said[name] = record.value if record.start <= day else said[name]
    off = ", ".join(each.description for each in discounts if each.description is not None)
    return item_id, off or None, *said.values()


def after_discounts(
    unit: Fraction, discounts: Sequence[rb.Discount], cycles: Fraction = Fraction(1)
) -> Fraction:
    """Return the price of a unit for some cycles, after its discounts one by one (A22, A61).

    What is left is only ever made smaller, to nothing at most, whatever the sign of the price.
    """
    left = abs(unit)
    for each in discounts:
        if each.percentage is not None:
            whole = abs(unit) if each.of == "list" else left
            off = whole * Fraction(each.percentage)
        else:
            assert each.amount is not None
            off = Fraction(each.amount.amount) * cycles if unit >= 0 else Fraction(0)
        left = max(left - off, Fraction(0))
    return left if unit >= 0 else -left


def one_time_line(
    item: rb.OneTimeBillItem, order: int, item_id: str, policy: rb.BillingPolicy
) -> RawLine:
    """Return the line of a one-time item (A55)."""
    quantity = Fraction(1) if item.quantity is None else Fraction(item.quantity)
    unit = Fraction(item.amount.amount)
    quantum = Fraction(1, 10 ** minor_units(item.amount.currency, policy))
    vat: rb.Vat = item.vat
    return RawLine(
        order=order,
        product_key=item.product_key,
        due_date=item.due_date,
        currency=item.amount.currency,
        days=Stretch(item.accounting_period.start, item.accounting_period.end),
        vat=told_vat(vat),
        quantity=quantity,
        exact_unit=unit,
        money=rounded(unit * quantity, quantum, policy.rounding),
        kind="one_time",
        share=None,
        texts=texts_on(item, item_id, item.due_date),
    )


def selected(line: RawLine, window: rb.Period, policy: rb.BillingPolicy) -> bool:
    """Return whether a line belongs to the asked period (A15)."""
    by_start = policy.select == "accounting_period"
    return (line.days.first if by_start else line.due_date) in window
