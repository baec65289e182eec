"""Billed corrections: which of them count, and which owed lines may be judged beside them (A53).

Laws: what is not told is not judged: a correction counts where the bill that it corrects is told
too, and is passed over where nothing of its days is in account; where only a part of its days is,
nobody can tell what was billed for the others, and that is refused, never guessed.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from rentbilling.billing.corrections import Days, days_of, overlap, period_of_line
from rentbilling.billing.due_lines import OwedLine
from rentbilling.billing.earlier_bills import BilledLine
from rentbilling.errors import InvalidRecordError
from rentbilling.values.periods import Period


class Account(NamedTuple):
    """From when on bills are known."""

    since: int
    """Ordinal of the first day that counts."""
    said: bool
    """Whether the caller said so: all bills from that day on are told then, whatever they tell."""
    by_start: bool
    """Whether lines are selected by their first day, and not by their due date (A15)."""

    def day_of(self, line: BilledLine) -> int:
        """Return the day that a billed line is selected by (A15)."""
        return line.raw[1] if self.by_start else line.due

    def holds(self, line: BilledLine) -> bool:
        """Return whether a billed line is one of the days that count."""
        return self.day_of(line) >= self.since


def is_correction(line: BilledLine) -> bool:
    """Return whether a billed line says that it is a correction."""
    return line.raw[0].kind == "correction"


def in_account(
    billed: Sequence[BilledLine], owed: Sequence[OwedLine], account: Account, *, once: bool
) -> list[BilledLine]:
    """Return the billed lines of an item that count.

    Raises:
        InvalidRecordError: Only a part of what a line corrects is told.
    """
    if not any(map(_may_correct, billed)):
        return list(billed)
    plain = [line for line in billed if not _may_correct(line)]
    # Of an item that is gone, its lines tell.
    once = once or any(line.raw[0].kind == "one_time" for line in plain)
    known = [
        line for line in plain if account.holds(line) or _meets(days_of(line), owed, once=once)
    ]
    counted: list[BilledLine] = []
    for line in billed:
        days = period_of_line(line)
        if not _may_correct(line):
            counted.append(line)
        elif _meets(days, (*known, *owed), once=once):
            if is_correction(line) and not _from_its_beginning(days, known, account, once=once):
                raise _untold(line, "corrects bills that are not all told", days[0])
            counted.append(line)
    return counted


def refuse_untold(
    owed: Iterable[OwedLine], billed: Sequence[BilledLine], account: Account, *, once: bool
) -> None:
    """Refuse to hold billed lines against owed ones that other bills may have been sent for.

    What was due before the days that count was billed elsewhere. Where some of its days are billed
    by a bill that is told, that bill is all there is only if it begins with the first of them.

    Raises:
        InvalidRecordError: Other bills may have been sent for the days.
    """
    plain = [line for line in billed if not is_correction(line) and line.raw[0].item_id is not None]
    if once or any(line.raw[0].kind == "opening" for line in plain):
        return
    for line in owed:
        first = line.raw[1]
        if line.day < account.since and not _meets((first, first), plain):
            near = min(
                (each for each in billed if overlap(days_of(each), days_of(line))),
                key=days_of,
                default=billed[0],
            )
            raise _untold(near, "is for days that other bills may be for too", first)


def _may_correct(line: BilledLine) -> bool:
    """Return whether a line is a correction, or may be one: a credit that tells no kind."""
    return is_correction(line) or (line.raw[0].item_id is None and line.base < 0)


def _from_its_beginning(
    days: Days, known: Sequence[BilledLine], account: Account, *, once: bool
) -> bool:
    """Return whether what a correction is about is known from its first day on.

    What was billed for later days was billed later, and is told then; before the opening of an item
    nothing was.
    """
    if any(line.raw[0].kind == "opening" for line in known):
        return True
    if once or not known:
        return bool(known)
    first = days[0], days[0]
    if any(overlap(first, period_of_line(line)) for line in known):
        return True
    return account.said and account.since <= days[0]


def _meets(days: Days, lines: Iterable[BilledLine | OwedLine], *, once: bool = False) -> bool:
    """Return whether some days are in the periods of lines; of a one-time item all are."""
    return any(once or overlap(days, days_of(line)) for line in lines)


def _untold(line: BilledLine, said: str, first: int) -> InvalidRecordError:
    """Return the refusal of a line that earlier bills stand behind which are not told."""
    day, (figures, begins, ends) = date.fromordinal(first), line.raw
    met = f"{figures.product_key} {Period.of(begins, ends)} of the bill due "
    expected = f"all bills for the days from {day} on, and billed_since={day} where they are all"
    return InvalidRecordError.of(
        "already_billed",
        "untold_bills",
        said,
        f"{met}{date.fromordinal(line.due)}",
        expected,
    )
