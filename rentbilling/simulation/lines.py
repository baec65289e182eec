"""The lines of an item, and their amounts on every path.

Laws: days, shares, quantities and VAT of lines come from billing one path, with a distinct price in
place of each adjusted one; the parts of a split sum to the rounded whole (A21).
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from rentbilling.billing import CompiledItem, RawLine, VatGroup
from rentbilling.policy import BillingPolicy
from rentbilling.simulation.histories import Moment
from rentbilling.simulation.ratios import ZERO, Ratios, mask_of
from rentbilling.simulation.values import BeyondArraysError
from rentbilling.simulation.vector_rounding import Mask, Whole, minus
from rentbilling.terms import Discount
from rentbilling.values import Period, minor_units

_APART: Final = Fraction(1, 10**40)
"""The distance between the distinct prices."""


class PathLine(NamedTuple):
    """A line on every path: equal keys mean equal figures."""

    key: tuple[object, ...]
    group: VatGroup
    base: Whole
    """Minor units that VAT is computed from: the gross if Inclusive, else the net."""


def fixed_line(line: RawLine) -> PathLine:
    """Return a line that is the same on all paths."""
    figures = line[0]
    return PathLine((figures.group.vat.category, figures.base), figures.group, figures.base)


class _Part(NamedTuple):
    """The facts of a line, apart from an adjusted price."""

    at: int | None
    """Which adjustment its price follows; None where no adjustment does."""
    amount: Fraction
    discounts: tuple[Discount, ...]
    quantity: Fraction
    share: Fraction
    inclusive: bool


class ItemLines:
    """The lines of one recurring item of an asked period, on all paths."""

    __slots__ = (
        "_adjusted_at",
        "_found",
        "_moments",
        "_place",
        "_places",
        "_strict",
        "item",
        "uneven",
    )

    def __init__(
        self, place: int, item: CompiledItem, moments: Sequence[Moment], policy: BillingPolicy
    ) -> None:
        discounts = item.item.all_discounts
        # Whether two of them leave the same price, so that they split nothing, is another question
        # on each path (A61).
        if moments and len(discounts) > 1 and any(each.amount is not None for each in discounts):
            raise BeyondArraysError("several_discounts")
        # Whether two of them are one price, so that no running total begins, is another (A65).
        if moments and item.item.price_per != "cycle":
            raise BeyondArraysError("running_totals")
        self._place = place
        self._moments = moments
        self._places = minor_units(item.currency, policy.currencies)
        prices = _distinct_prices(moments)
        # Otherwise a period costs the same, split between equal prices or not.
        per_line, started = policy.vat_rounding == "per_line", policy.select != "due_date"
        self._strict = per_line or started
        self._found: dict[tuple[object, ...], list[Whole]] = {}
        self._adjusted_at: Mapping[Fraction, int] = MappingProxyType(
            {price: at for at, (_, price) in enumerate(prices)}
        )
        self.item = item.adjusted(prices) if prices else item
        self.uneven: Mask = np.zeros((), dtype=np.bool_)
        """On which paths the scalar engine would not split a period that is split here."""

    def by_day(self, period: Period, policy: BillingPolicy) -> dict[int, list[PathLine]]:
        """Return the lines of an asked period, by due date."""
        raw: dict[int, list[RawLine]] = {}
        first, last = period.first, period.last
        if policy.select == "accounting_period":
            self.item.add_lines_started(first, last, raw)
        else:
            self.item.add_lines(first, last, raw)
        return {due: [*self._lines(lines)] for due, lines in raw.items()}

    def _lines(self, lines: Sequence[RawLine]) -> Iterator[PathLine]:
        """Give the lines of one due date: whole ones, and parts of a split together."""
        for regular, together in groupby(lines, key=_regular_days):
            if regular is None:
                for line in together:
                    yield self._whole(line)
            else:
                yield from self._parts([*together], *regular)

    def _whole(self, line: RawLine) -> PathLine:
        """Return a line that is no part of a split."""
        figures, start, _ = line
        part = None if figures.kind == "opening" else self._part(line, start)
        if part is None or part.at is None:
            return fixed_line(line)
        key = self._place, figures.group.vat.category, part
        return PathLine(key, figures.group, self._figures((part,))[0])

    def _parts(self, lines: Sequence[RawLine], first: int, last: int) -> Iterator[PathLine]:
        """Give the parts of a split; equal ones are computed once."""
        # Of a period asked by its start there may be some parts only, whose totals run on.
        whole, schedule = list[RawLine](), self.item.schedule
        due = schedule.due_of(schedule.number_from(first))
        self.item.prices.add_lines(first, last, due, whole)
        parts = tuple(self._part(line, line[1], first) for line in whole)
        if self._strict:
            self._watch(first, last)
        if all(part.at is None for part in parts):
            yield from map(fixed_line, lines)
            return
        found = self._figures(parts)
        wanted = {line[1] for line in lines}
        for at, (figures, start, _) in enumerate(whole):
            if start in wanted:
                key = self._place, figures.group.vat.category, at, *parts
                yield PathLine(key, figures.group, found[at])

    def _part(self, line: RawLine, day: int, opening: int | None = None) -> _Part:
        """Return the facts of a line; see `billing.lines`."""
        figures, prices, own = line[0], self.item.prices, self.item.policy
        price = prices.price_on(day)
        if opening is not None and own.mid_period_change == "next_period":
            price = prices.price_on(opening)
        discounts = price.discounts
        if opening is not None and own.discount_end == "whole_period":
            discounts = prices.price_on(opening).discounts
        amount = Fraction(price.amount)
        return _Part(
            self._adjusted_at.get(amount),
            amount,
            discounts,
            Fraction(figures.quantity),
            Fraction(*figures.share),
            figures.group.inclusive,
        )

    def _watch(self, first: int, last: int) -> None:
        """Note on which paths a price does not change where a period is split here."""
        if self.item.policy.mid_period_change == "next_period":
            return
        for moment in self._moments:
            if first < moment.day <= last:
                amount = Fraction(self.item.prices.price_on(moment.day - 1).amount)
                before = self._unit(self._adjusted_at.get(amount), amount)
                self.uneven = self.uneven | mask_of(before == moment.unit)

    def _unit(self, at: int | None, amount: Fraction) -> Ratios:
        """Return the prices of a unit: those of an adjustment, or one that no index moves."""
        return Ratios.of(amount) if at is None else self._moments[at].unit

    def _figures(self, parts: tuple[_Part, ...]) -> list[Whole]:
        """Return the parts of a period in minor units: differences of running totals (A21)."""
        found = self._found.get(parts)
        if found is None:
            totals: dict[bool, tuple[Ratios, Whole]] = {}
            found = []
            for part in parts:
                exact, reached = totals.get(part.inclusive, (ZERO, 0))
                exact += _discounted(self._unit(part.at, part.amount), part.discounts) * (
                    part.quantity * part.share
                )
                total = exact.rounded_to(10**self._places, self.item.policy.rounding)
                found.append(minus(total, reached) if len(parts) > 1 else total)
                totals[part.inclusive] = exact, total
            self._found[parts] = found
        return found


def _regular_days(line: RawLine) -> tuple[int, int] | None:
    return line[0].regular


def _distinct_prices(moments: Sequence[Moment]) -> list[tuple[int, Fraction]]:
    """Return a price for each adjustment, near the first path's own, and equal to no other.

    Amounts and quantities have 15 digits at most (A1), so that two prices that are not equal lie
    further from each other than all that is added here.
    """
    prices: list[tuple[int, Fraction]] = []
    for at, moment in enumerate(moments, 1):
        first = moment.unit.only(np.arange(1)).fractions()[0]
        prices.append((moment.day, first + at * _APART))
    return prices


def _discounted(price: Ratios, discounts: Sequence[Discount]) -> Ratios:
    """Return the prices of one unit after discounts, exactly (A22, A61)."""
    left, credit = price, mask_of(price < 0)
    for each in discounts:
        if each.percentage is not None:
            off = (price if each.of == "list" else left) * Fraction(each.percentage)
            rest = left - off
            left = ZERO.where(mask_of(rest > 0) & credit | mask_of(rest < 0) & ~credit, rest)
        else:
            assert each.amount is not None  # noqa: S101 - one of the two is given
            rest = left - Fraction(each.amount.amount)
            left = left.where(credit, ZERO.where(mask_of(rest < 0), rest))
    return left
