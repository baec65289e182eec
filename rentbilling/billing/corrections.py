"""Corrections: the difference between what was billed for an item and what is due now (A53).

Laws: earlier bills and their corrections sum to the amount due now, to the minor unit, for each
product and VAT. Lines that are equal on both sides are left alone. A correction on an earlier bill
counts if the bill that it corrects was passed in too; if only some of its days are covered, the
call is refused.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple

from rentbilling.billing.due_lines import DueLine
from rentbilling.billing.earlier_bills import EarlierLine
from rentbilling.billing.figures import CorrectionFigures, LineFigures, RawLine
from rentbilling.billing.lines import LineMaker, VatGroups
from rentbilling.billing.prices import PriceInForce
from rentbilling.errors import InvalidRecordError
from rentbilling.policy import BillingPolicy
from rentbilling.values import Period

_UNIT: Final = Decimal(1)
_IN_CYCLES: Final = ("regular", "part")

Days = tuple[int, int]
"""Ordinals of a first and a last day."""


class OverlapGroup(NamedTuple):
    """Lines of one item with common days: those billed earlier, and those due now."""

    billed: Sequence[EarlierLine]
    due: Sequence[DueLine]


class Correction(NamedTuple):
    """A correction."""

    due: int
    """Ordinal of the earliest day on which anything of it was or is due."""
    raw: RawLine
    """The line."""


def _both(billed: Sequence[EarlierLine], due: Sequence[DueLine]) -> list[EarlierLine | DueLine]:
    return [*billed, *due]


def days_of(line: EarlierLine | DueLine) -> Days:
    return line.raw[1:]


def period_of_line(line: EarlierLine | DueLine) -> Days:
    """Return the regular period of a line, or of the line that it corrects; else its own days."""
    figures, first, last = line.raw
    return figures.regular or (first, last)


def overlaps(one: Days, other: Days) -> bool:
    """Return whether two spans have a day in common.

    Examples:
        >>> overlaps((1, 31), (31, 59)), overlaps((1, 31), (32, 59))
        (True, False)
    """
    return one[0] <= other[1] and other[0] <= one[1]


def without_same(
    billed: Iterable[EarlierLine], due: Iterable[DueLine]
) -> tuple[list[EarlierLine], list[DueLine]]:
    """Return both sides without the lines that are equal: in days, product, VAT and amount."""
    there: dict[object, list[EarlierLine]] = {}
    for each in billed:
        there.setdefault((_kind(each), each.raw[1:], each.base), []).append(each)
    left: list[DueLine] = []
    for one in due:
        same = there.get((_kind(one), one.raw[1:], one.base))
        if same:
            # The line that was billed first is right; a second one was billed twice.
            same.pop(0)
        else:
            left.append(one)
    return [each for lines in there.values() for each in lines], left


def overlap_groups(
    billed: Sequence[EarlierLine], due: Sequence[DueLine], *, once: bool
) -> Iterator[OverlapGroup]:
    """Group the lines of an item by common days; those of a one-time item are one group."""
    lines = sorted(_both(billed, due), key=days_of)
    ended: list[int] = []
    furthest = lines[0].raw[2]
    for at, line in enumerate(lines):
        if line.raw[1] > furthest and not once:
            ended.append(at)
        furthest = max(furthest, line.raw[2])
    for start, stop in zip((0, *ended), (*ended, len(lines)), strict=True):
        part = lines[start:stop]
        yield OverlapGroup(
            [line for line in part if isinstance(line, EarlierLine)],
            [line for line in part if isinstance(line, DueLine)],
        )


def corrections(
    group: OverlapGroup, last: int, groups: VatGroups, policy: BillingPolicy
) -> Iterator[Correction]:
    """Give the differences between earlier bills and the amount due, for each product and VAT.

    A line that falls due after `last` is not charged yet, but no credit is given for its days.
    """
    kinds = dict.fromkeys(map(_kind, _both(*group)))
    for kind in kinds:
        billed = [line for line in group.billed if _kind(line) == kind]
        due = [line for line in group.due if _kind(line) == kind]
        before = sum(line.base for line in billed)
        whole = sum(line.base for line in due)
        so_far = sum(line.base for line in due if line.day <= last)
        now = min(max(before, min(so_far, whole)), max(so_far, whole))
        if now == before:
            continue
        figures = _figures(billed, due, (before, now), groups, policy)
        dues = (*(line.due for line in billed), *(line.due for line in due))
        yield Correction(min(dues), (figures, *_days_concerned(billed, due)))


def _kind(line: EarlierLine | DueLine) -> tuple[str, str, object]:
    """Return product, currency and VAT: only lines that agree in all three are summed."""
    figures = line.raw[0]
    return figures.product_key, figures.currency, figures.vat.category


def _figures(
    billed: Sequence[EarlierLine],
    due: Sequence[DueLine],
    sums: tuple[int, int],
    groups: VatGroups,
    policy: BillingPolicy,
) -> CorrectionFigures:
    """Return the figures of a correction: one unit of the difference, with the VAT as billed."""
    before, now = sums
    lines = _both(billed, due)
    first, text = lines[0].raw[0], lines[-1].raw[0].description
    own = policy.for_product(first.product_key)
    item_id = first.item_id or billed[0].item_id
    maker = LineMaker(first.product_key, item_id, first.currency, groups, own, policy)
    exact = Fraction(now - before, 10**first.places)
    price = PriceInForce(exact, first.vat, _UNIT, (), text)
    periods = list(map(period_of_line, lines))
    regular = min(each[0] for each in periods), max(each[1] for each in periods)
    plain = maker.figures(price, "correction", units=now - before, regular=regular)
    parts = {each.name: getattr(plain, each.name) for each in fields(LineFigures) if each.init}
    return CorrectionFigures(**parts, owed=now, billed=before)


def _days_concerned(billed: Sequence[EarlierLine], due: Sequence[DueLine]) -> Days:
    """Return the days of a correction: those of all lines, less those that cost the same before.

    A period that is cut or continued, or whose price changes inside it, begins or ends with days
    at the price that was billed.
    """
    lines = [*(line.raw for line in billed), *(line.raw for line in due)]
    first, last = min(line[1] for line in lines), max(line[2] for line in lines)
    if not billed or not due:
        return first, last
    begins, ends = first, last
    one, other = min(billed, key=days_of), min(due, key=days_of)
    if one.raw[1] == other.raw[1] and _same_price(one, other):
        begins = min(one.raw[2], other.raw[2]) + 1
    one, other = max(billed, key=_end_of), max(due, key=_end_of)
    if one.raw[2] == other.raw[2] and _same_price(one, other):
        ends = max(one.raw[1], other.raw[1]) - 1
    return (begins, ends) if begins <= ends else (first, last)


def _end_of(line: EarlierLine | DueLine) -> Days:
    return line.raw[2], line.raw[1]


def _same_price(one: EarlierLine, other: DueLine) -> bool:
    """Return whether two lines bill parts of one regular period at one price, but for rounding."""
    both = one, other
    if any(line.raw[0].kind not in _IN_CYCLES for line in both):
        return False
    if period_of_line(one) != period_of_line(other):
        return False
    mine, theirs = (Fraction(*line.raw[0].share) for line in both)
    # The parts of a split are differences of two rounded totals: each is off by less than a unit.
    return abs(one.base * theirs - other.base * mine) <= mine + theirs


# ------------------------------------------------------------- corrections on earlier bills


class KnownSince(NamedTuple):
    """The day from which all bills of an item were passed in."""

    since: int
    """Ordinal of the first day that counts."""
    said: bool
    """Whether the caller named the day, and so promised all bills from it on."""
    by_start: bool
    """Whether lines are selected by their first day, and not by their due date (A15)."""

    def day_of(self, line: EarlierLine) -> int:
        """Return the day that a billed line is selected by (A15)."""
        return line.raw[1] if self.by_start else line.due

    def includes(self, line: EarlierLine) -> bool:
        """Return whether a billed line is of that day or later."""
        return self.day_of(line) >= self.since


def is_correction(line: EarlierLine) -> bool:
    return line.raw[0].kind == "correction"


def counted_lines(
    billed: Sequence[EarlierLine], due: Sequence[DueLine], known_since: KnownSince, *, once: bool
) -> list[EarlierLine]:
    """Return the billed lines of an item, without corrections of bills that were not passed in.

    Raises:
        InvalidRecordError: Only a part of the days that a line corrects is covered by bills.
    """
    if not any(map(_may_correct, billed)):
        return list(billed)
    plain = [line for line in billed if not _may_correct(line)]
    # An item that is gone was a one-time item if its lines say so.
    once = once or any(line.raw[0].kind == "one_time" for line in plain)
    known = [
        line
        for line in plain
        if known_since.includes(line) or touches(days_of(line), due, once=once)
    ]
    counted: list[EarlierLine] = []
    for line in billed:
        days = period_of_line(line)
        if not _may_correct(line):
            counted.append(line)
        elif touches(days, (*known, *due), once=once):
            if is_correction(line) and not _from_its_beginning(days, known, known_since, once=once):
                raise _incomplete(line, "corrects bills that were not all passed in", days[0])
            counted.append(line)
    return counted


def check_complete(
    due: Iterable[DueLine], billed: Sequence[EarlierLine], known_since: KnownSince, *, once: bool
) -> None:
    """Check that no bill is missing among those that are compared with lines due.

    A line that was due before `known_since` may have been billed by a bill that was not passed in.
    If a given bill covers some of its days, it is the only one for them if it begins with the first
    day, or if nothing was billed before the bills that were passed in.

    Raises:
        InvalidRecordError: Bills for some of the days may be missing.
    """
    plain = [line for line in billed if not is_correction(line) and line.raw[0].item_id is not None]
    if once or _begins_with_opening(plain):
        return
    for line in due:
        first = line.raw[1]
        if line.day < known_since.since and not touches((first, first), plain):
            near = min(
                (each for each in billed if overlaps(days_of(each), days_of(line))),
                key=days_of,
                default=billed[0],
            )
            raise _incomplete(near, "is for days that other bills may be for too", first)


def _may_correct(line: EarlierLine) -> bool:
    """Return whether a line is a correction, or may be one: a credit without item and kind."""
    return is_correction(line) or (line.raw[0].item_id is None and line.base < 0)


def _from_its_beginning(
    days: Days, known: Sequence[EarlierLine], known_since: KnownSince, *, once: bool
) -> bool:
    """Return whether bills for the corrected days were passed in from the first day on.

    Bills for later days are later bills, and those were passed in.
    """
    if once or not known:
        return bool(known)
    # The bill that is corrected need not have the first day, but some day.
    first = days if _begins_with_opening(known) else (days[0], days[0])
    if any(overlaps(first, period_of_line(line)) for line in known):
        return True
    return known_since.said and known_since.since <= days[0]


def _begins_with_opening(plain: Sequence[EarlierLine]) -> bool:
    """Return whether an item's opening is the first of its lines, so that none was billed before.

    An opening that is due after another line may be due after lines that were not passed in, too.
    """
    opening = min((line.due for line in plain if line.raw[0].kind == "opening"), default=None)
    return opening is not None and opening == min(line.due for line in plain)


def touches(days: Days, lines: Iterable[EarlierLine | DueLine], *, once: bool = False) -> bool:
    """Return whether lines have some of the days; lines of a one-time item have all."""
    return any(once or overlaps(days, days_of(line)) for line in lines)


def _incomplete(line: EarlierLine, said: str, first: int) -> InvalidRecordError:
    day, (figures, begins, ends) = date.fromordinal(first), line.raw
    actual = f"{figures.product_key} {Period.unchecked(begins, ends)} of the bill due "
    expected = f"all bills for the days from {day} on, and billed_since={day} where they are all"
    return InvalidRecordError.of(
        "already_billed", "untold_bills", said, f"{actual}{date.fromordinal(line.due)}", expected
    )
