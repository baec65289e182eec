"""Unbilled lines: the lines of a period that earlier bills leave to be billed (A53).

Laws: a line that was billed is not billed again. A missed line, or a correction, is put on the
first bill of the period that falls due on or after the line's own due date.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rentbilling.billing.corrections import (
    KnownSince,
    OverlapGroup,
    check_complete,
    corrections,
    counted_lines,
    days_of,
    is_correction,
    overlap_groups,
    touches,
    without_same,
)
from rentbilling.billing.due_lines import DueLine, DueLines
from rentbilling.billing.earlier_bills import EarlierLine
from rentbilling.billing.figures import RawLine
from rentbilling.billing.lines import VatGroups
from rentbilling.policy import BillingPolicy
from rentbilling.schedule import first_business_day


class AskedDays(NamedTuple):
    """The period to bill, and the day from which earlier bills are compared, as ordinals."""

    since: int
    """The first day from which lines due are compared with earlier bills; not after `first`."""
    first: int
    """The first day of the period."""
    last: int
    """Its last day."""
    said: bool = False
    """Whether the caller named `since`."""


class _Open(NamedTuple):
    """A line that is still to be billed."""

    order: tuple[int, int]
    """Its place among the lines of a bill."""
    due: int
    """Ordinal of its due date, which is in the past for a missed line."""
    raw: RawLine


def first_day(billed: Iterable[EarlierLine], policy: BillingPolicy) -> int | None:
    """Return the day from which bills were passed in; earlier lines were billed elsewhere."""
    if policy.select == "accounting_period":
        starts = (line.raw[1] for line in billed if not is_correction(line))
        return min(starts, default=None)
    return min((line.due for line in billed), default=None)


def _in_time(line: EarlierLine) -> tuple[object, ...]:
    figures, first, last = line.raw
    return line.due, first, last, figures.product_key, line.base, figures.description or ""


class _Item(NamedTuple):
    """An item with earlier bills."""

    item_id: str
    known_since: KnownSince
    once: bool
    """Whether it is a one-time item."""


class UnbilledLines:
    """Finds the unbilled lines of a period."""

    __slots__ = ("_asked", "_due_days", "_due_lines", "_groups", "_late", "_open", "_policy")

    def __init__(
        self, due: DueLines, asked: AskedDays, groups: VatGroups, policy: BillingPolicy
    ) -> None:
        self._due_lines = due
        self._asked = asked
        self._groups = groups
        self._policy = policy
        self._due_days: dict[str, list[int]] = {}
        self._open: list[_Open] = []
        self._late: list[_Open] = []

    def after(self, billed: Sequence[EarlierLine]) -> dict[int, list[RawLine]]:
        """Return the lines that earlier bills leave, by due date, in the order of bills."""
        since, first, last, _ = self._asked
        due: dict[str, list[DueLine]] = {}
        for item_id, line in self._due_lines.between(since, last):
            due.setdefault(item_id, []).append(line)
            if line.day >= first:
                self._due_days.setdefault(line.raw[0].currency, []).append(line.due)
        there: dict[str, list[EarlierLine]] = {}
        # Sorted, so that the order in which bills are given changes nothing.
        for each in sorted(billed, key=_in_time):
            there.setdefault(each.item_id, []).append(each)
        # Items that are gone are sorted by id, so that older bills do not change the order.
        for item_id in dict.fromkeys((*due, *sorted(there))):
            self._compare(item_id, there.get(item_id, ()), due.get(item_id, ()))
        return self._placed()

    def _compare(self, item_id: str, billed: Sequence[EarlierLine], due: Sequence[DueLine]) -> None:
        once, given = self._due_lines.is_once(item_id), billed
        known_since = self._known_since(billed)
        due = [line for line in due if line.day >= known_since.since]
        billed = counted_lines(billed, due, known_since, once=once)
        billed, due = without_same(billed, due)
        others: list[DueLine] = []
        if billed:
            billed, others = self._relevant(_Item(item_id, known_since, once), billed, due)
        if not billed:
            self._add(due)
            return
        for group in overlap_groups(billed, (*due, *others), once=once):
            if group.billed:
                check_complete(group.due, given, known_since, once=once)
                self._correct(item_id, group)
            else:
                self._add(group.due)

    def _known_since(self, billed: Iterable[EarlierLine]) -> KnownSince:
        """Return the day from which bills of an item were passed in.

        With `select="accounting_period"` each item has a day of its own, because a bill does not
        name the period that it was made for, and has missed lines of earlier periods too.
        """
        since, first, _, said = self._asked
        if self._policy.select != "accounting_period":
            return KnownSince(since, said=said, by_start=False)
        if not said:
            known = first_day(billed, self._policy)
            since = first if known is None else min(first, known)
        return KnownSince(since, said=said, by_start=True)

    def _add(self, due: Iterable[DueLine]) -> None:
        """Add unbilled lines: those of the period, and those missed before it."""
        for line in due:
            lines = self._open if line.day >= self._asked.first else self._late
            lines.append(_Open(line.order, line.due, line.raw))

    def _relevant(
        self, item: _Item, billed: Iterable[EarlierLine], due: Iterable[DueLine]
    ) -> tuple[list[EarlierLine], list[DueLine]]:
        """Return the billed lines to compare, and the lines due for their days outside the period.

        Bills due after the period are left to the period of their due date, unless the period bills
        the same days.
        """
        last, known_since, once = self._asked.last, item.known_since, item.once
        known = list(due)
        ours: list[EarlierLine] = []
        rest: list[EarlierLine] = []
        for each in billed:
            there = known_since.includes(each) and known_since.day_of(each) <= last
            (ours if there or touches(days_of(each), known, once=once) else rest).append(each)
        while True:
            others = self._due_outside(item, ours)
            known += others
            more = [line for line in rest if touches(days_of(line), known, once=once)]
            if not more:
                return without_same(ours, others)
            ours += more
            rest = [line for line in rest if not touches(days_of(line), known, once=once)]

    def _due_outside(self, item: _Item, billed: Sequence[EarlierLine]) -> list[DueLine]:
        """Return the lines due for the days of billed lines that do not belong to the period."""
        if not billed:
            return []
        first, last = min(line.raw[1] for line in billed), max(line.raw[2] for line in billed)
        return [
            line
            for line in self._due_lines.near(item.item_id, first, last)
            if not item.known_since.since <= line.day <= self._asked.last
            and touches(days_of(line), billed, once=item.once)
        ]

    def _correct(self, item_id: str, group: OverlapGroup) -> None:
        place = self._due_lines.place_of(item_id)
        for due, raw in corrections(group, self._asked.last, self._groups, self._policy):
            self._late.append(_Open((place, raw[1]), due, raw))

    def _placed(self) -> dict[int, list[RawLine]]:
        """Return all unbilled lines by the due dates of their bills, in the order of bills."""
        bills: dict[str, list[int]] = {}
        for line in self._open:
            bills.setdefault(line.raw[0].currency, []).append(line.due)
        late = [line._replace(due=self._bill_for(line, bills)) for line in self._late]
        by_day: dict[int, list[RawLine]] = {}
        for line in sorted((*self._open, *late), key=lambda each: each.order):
            by_day.setdefault(line.due, []).append(line.raw)
        return by_day

    def _bill_for(self, line: "_Open", bills: Mapping[str, Iterable[int]]) -> int:
        """Return the due date of the bill that a missed line or a correction is put on.

        The first bill of its currency in the period; else the first day on which the lease has
        anything due in it; else its first day, or the first business day after it where due dates
        move (A159). Never before the line's own due date.
        """
        for days in (bills, self._due_days):
            later = [day for day in days.get(line.raw[0].currency, ()) if day >= line.due]
            if later:
                return min(later)
        _, first, last, _ = self._asked
        if line.due > first:
            return line.due
        return first_business_day(first, last, self._policy.for_product(line.raw[0].product_key))
