"""Open lines: what is still to be billed in an asked period, beside what was billed (A53).

Laws: what is asked for a second time is billed once; what was missed and what has changed stands on
the first bill of the asked period that does not fall due before it did itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rentbilling.billing.billed_corrections import Account, in_account, is_correction, refuse_untold
from rentbilling.billing.corrections import (
    Matter,
    corrections,
    days_of,
    matters,
    overlap,
    without_same,
)
from rentbilling.billing.due_lines import OwedLine, OwedLines
from rentbilling.billing.earlier_bills import BilledLine
from rentbilling.billing.figures import RawLine
from rentbilling.billing.lines import VatGroups
from rentbilling.policy import BillingPolicy


class Asked(NamedTuple):
    """The days that are asked for, and how far back earlier ones count, as ordinals."""

    since: int
    """The first day from which what is owed is held against what was billed; not after `first`."""
    first: int
    """The asked period's first day."""
    last: int
    """Its last day."""
    said: bool = False
    """Whether the caller said since when."""


class _Open(NamedTuple):
    """A line that is still to be billed."""

    order: tuple[int, int]
    """Its place among the lines of a bill."""
    due: int
    """Ordinal of the day on which it is due, or was, where it is made up for."""
    raw: RawLine


def first_day(billed: Iterable[BilledLine], policy: BillingPolicy) -> int | None:
    """Return the day from which bills are known: what was owed earlier was billed elsewhere."""
    if policy.select == "accounting_period":
        starts = (line.raw[1] for line in billed if not is_correction(line))
        return min(starts, default=None)
    return min((line.due for line in billed), default=None)


def _in_time(line: BilledLine) -> tuple[object, ...]:
    figures, first, last = line.raw
    return line.due, first, last, figures.product_key, line.base, figures.description or ""


class _Item(NamedTuple):
    """An item of which something was billed."""

    item_id: str
    account: Account
    """From when on its bills are known."""
    once: bool
    """Whether it is billed once, whatever its days."""


class OpenLines:
    """Finds the lines of an asked period that are still to be billed."""

    __slots__ = ("_asked", "_due", "_groups", "_late", "_open", "_owed", "_policy")

    def __init__(
        self, owed: OwedLines, asked: Asked, groups: VatGroups, policy: BillingPolicy
    ) -> None:
        self._owed = owed
        self._asked = asked
        self._groups = groups
        self._policy = policy
        self._due: dict[str, list[int]] = {}
        self._open: list[_Open] = []
        self._late: list[_Open] = []

    def beside(self, billed: Sequence[BilledLine]) -> dict[int, list[RawLine]]:
        """Return the lines that are still to be billed, by due date, in the order of bills."""
        since, first, last, _ = self._asked
        owed: dict[str, list[OwedLine]] = {}
        for item_id, line in self._owed.between(since, last):
            owed.setdefault(item_id, []).append(line)
            if line.day >= first:
                self._due.setdefault(line.raw[0].currency, []).append(line.due)
        there: dict[str, list[BilledLine]] = {}
        # In an order of their own, so that it does not matter in which order they were given.
        for each in sorted(billed, key=_in_time):
            there.setdefault(each.item_id, []).append(each)
        # Items that are gone by their ids: bills from before the days that count must not matter.
        for item_id in dict.fromkeys((*owed, *sorted(there))):
            self._settle(item_id, there.get(item_id, ()), owed.get(item_id, ()))
        return self._placed()

    def _settle(self, item_id: str, billed: Sequence[BilledLine], owed: Sequence[OwedLine]) -> None:
        once, told, account = self._owed.is_once(item_id), billed, self._account_of(billed)
        owed = [line for line in owed if line.day >= account.since]
        billed = in_account(billed, owed, account, once=once)
        billed, owed = without_same(billed, owed)
        beside: list[OwedLine] = []
        if billed:
            billed, beside = self._concerned(_Item(item_id, account, once), billed, owed)
        if not billed:
            self._add(owed)
            return
        for matter in matters(billed, (*owed, *beside), once=once):
            if matter.billed:
                refuse_untold(matter.owed, told, account, once=once)
                self._correct(item_id, matter)
            else:
                self._add(matter.owed)

    def _account_of(self, billed: Iterable[BilledLine]) -> Account:
        """Return from when on bills of an item are known.

        A bill by accounting periods does not tell which days it was asked for, and lines that were
        made up stand on it too: what it has of an item says nothing of other items.
        """
        since, first, _, said = self._asked
        if self._policy.select != "accounting_period":
            return Account(since, said=said, by_start=False)
        if not said:
            known = first_day(billed, self._policy)
            since = first if known is None else min(first, known)
        return Account(since, said=said, by_start=True)

    def _add(self, owed: Iterable[OwedLine]) -> None:
        """Add lines that were not billed: of the asked days, or missed before them."""
        for line in owed:
            lines = self._open if line.day >= self._asked.first else self._late
            lines.append(_Open(line.order, line.due, line.raw))

    def _concerned(
        self, item: _Item, billed: Iterable[BilledLine], owed: Iterable[OwedLine]
    ) -> tuple[list[BilledLine], list[OwedLine]]:
        """Return the billed lines that the asked days concern, and what else is owed for theirs.

        A bill that falls due after the asked period is a matter of the period that it falls due in,
        unless its days are owed in the asked one.
        """
        last, account, once = self._asked.last, item.account, item.once
        known = list(owed)
        ours: list[BilledLine] = []
        rest: list[BilledLine] = []
        for each in billed:
            there = account.holds(each) and account.day_of(each) <= last
            (ours if there or _meets(each, known, once=once) else rest).append(each)
        while True:
            beside = self._beside(item, ours)
            known += beside
            more = [line for line in rest if _meets(line, known, once=once)]
            if not more:
                return without_same(ours, beside)
            ours += more
            rest = [line for line in rest if not _meets(line, known, once=once)]

    def _beside(self, item: _Item, billed: Sequence[BilledLine]) -> list[OwedLine]:
        """Return what is owed for the days of some billed lines, and not in the asked ones."""
        if not billed:
            return []
        first, last = min(line.raw[1] for line in billed), max(line.raw[2] for line in billed)
        return [
            line
            for line in self._owed.near(item.item_id, first, last)
            if not item.account.since <= line.day <= self._asked.last
            and _meets(line, billed, once=item.once)
        ]

    def _correct(self, item_id: str, matter: Matter) -> None:
        """Add the corrections of lines whose days belong together."""
        place = self._owed.place_of(item_id)
        for due, raw in corrections(matter, self._asked.last, self._groups, self._policy):
            self._late.append(_Open((place, raw[1]), due, raw))

    def _placed(self) -> dict[int, list[RawLine]]:
        """Return all open lines by the due dates of their bills, in the order of bills."""
        bills: dict[str, list[int]] = {}
        for line in self._open:
            bills.setdefault(line.raw[0].currency, []).append(line.due)
        late = [line._replace(due=self._bill_for(line, bills)) for line in self._late]
        by_day: dict[int, list[RawLine]] = {}
        for line in sorted((*self._open, *late), key=lambda each: each.order):
            by_day.setdefault(line.due, []).append(line.raw)
        return by_day

    def _bill_for(self, line: "_Open", bills: Mapping[str, Iterable[int]]) -> int:
        """Return the due date of the bill that a line is made up on.

        The first open one of its currency, or else the first day on which the lease has anything
        due, or else the asked period's first day; in any case not before it was due itself.
        """
        for days in (bills, self._due):
            later = [day for day in days.get(line.raw[0].currency, ()) if day >= line.due]
            if later:
                return min(later)
        return max(line.due, self._asked.first)


def _meets(
    line: BilledLine | OwedLine, others: Iterable[BilledLine | OwedLine], *, once: bool
) -> bool:
    """Return whether a line has a day in common with others; of a one-time item all have."""
    days = days_of(line)
    return any(once or overlap(days, days_of(other)) for other in others)
