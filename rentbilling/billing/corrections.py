"""Corrections: what was billed for an item held against what it owes now (assumption A53).

Laws: what was billed and its corrections sum to what is owed now, to the minor unit, for each
product and VAT; lines that are the same on both sides are never touched.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple

from rentbilling.billing.due_lines import OwedLine
from rentbilling.billing.earlier_bills import BilledLine
from rentbilling.billing.figures import CorrectionFigures, LineFigures, RawLine
from rentbilling.billing.lines import LineMaker, PriceInForce, VatGroups
from rentbilling.policy import BillingPolicy

_UNIT: Final = Decimal(1)
_IN_CYCLES: Final = ("regular", "part")

Days = tuple[int, int]
"""Ordinals of a first and a last day."""


class Matter(NamedTuple):
    """Lines of one item whose days belong together: those billed, and those owed instead."""

    billed: Sequence[BilledLine]
    owed: Sequence[OwedLine]


class Corrected(NamedTuple):
    """A correction."""

    due: int
    """Ordinal of the earliest day on which anything of it was or is due."""
    raw: RawLine
    """The line."""


def _both(billed: Sequence[BilledLine], owed: Sequence[OwedLine]) -> list[BilledLine | OwedLine]:
    """Return the lines of both sides, billed ones first."""
    return [*billed, *owed]


def days_of(line: BilledLine | OwedLine) -> Days:
    """Return the first and the last day of a line."""
    return line.raw[1:]


def period_of_line(line: BilledLine | OwedLine) -> Days:
    """Return the regular period that a line is of or about, or else its own days."""
    figures, first, last = line.raw
    return figures.regular or (first, last)


def overlap(one: Days, other: Days) -> bool:
    """Return whether two spans have a day in common.

    Examples:
        >>> overlap((1, 31), (31, 59)), overlap((1, 31), (32, 59))
        (True, False)
    """
    return one[0] <= other[1] and other[0] <= one[1]


def without_same(
    billed: Iterable[BilledLine], owed: Iterable[OwedLine]
) -> tuple[list[BilledLine], list[OwedLine]]:
    """Return what is left on both sides without the lines that are the same on both.

    Lines are the same that have the same days, product and VAT, and come to the same.
    """
    there: dict[object, list[BilledLine]] = {}
    for each in billed:
        there.setdefault((_kind(each), each.raw[1:], each.base), []).append(each)
    left: list[OwedLine] = []
    for one in owed:
        same = there.get((_kind(one), one.raw[1:], one.base))
        if same:
            # The one that was billed first is right, another one too much.
            same.pop(0)
        else:
            left.append(one)
    return [each for lines in there.values() for each in lines], left


def matters(
    billed: Sequence[BilledLine], owed: Sequence[OwedLine], *, once: bool
) -> Iterator[Matter]:
    """Give the lines of an item apart wherever their days are."""
    lines = sorted(_both(billed, owed), key=days_of)
    ended: list[int] = []
    furthest = lines[0].raw[2]
    for at, line in enumerate(lines):
        if line.raw[1] > furthest and not once:
            ended.append(at)
        furthest = max(furthest, line.raw[2])
    for start, stop in zip((0, *ended), (*ended, len(lines)), strict=True):
        part = lines[start:stop]
        yield Matter(
            [line for line in part if isinstance(line, BilledLine)],
            [line for line in part if isinstance(line, OwedLine)],
        )


def corrections(
    matter: Matter, last: int, groups: VatGroups, policy: BillingPolicy
) -> Iterator[Corrected]:
    """Give the differences between what was billed and what is owed now, for each product and VAT.

    A line that is owed later only keeps what was billed from being credited: it is not asked for
    before it is due.
    """
    kinds = dict.fromkeys(map(_kind, _both(*matter)))
    for kind in kinds:
        billed = [line for line in matter.billed if _kind(line) == kind]
        owed = [line for line in matter.owed if _kind(line) == kind]
        before = sum(line.base for line in billed)
        whole = sum(line.base for line in owed)
        due = sum(line.base for line in owed if line.day <= last)
        now = min(max(before, min(due, whole)), max(due, whole))
        if now == before:
            continue
        figures = _figures(billed, owed, (before, now), groups, policy)
        dues = (*(line.due for line in billed), *(line.due for line in owed))
        yield Corrected(min(dues), (figures, *_days_concerned(billed, owed)))


def _kind(line: BilledLine | OwedLine) -> tuple[str, str, object]:
    """Return what is never added up with anything else: product, currency, and mode with rate."""
    figures = line.raw[0]
    return figures.product_key, figures.currency, figures.vat.category


def _figures(
    billed: Sequence[BilledLine],
    owed: Sequence[OwedLine],
    sums: tuple[int, int],
    groups: VatGroups,
    policy: BillingPolicy,
) -> CorrectionFigures:
    """Return the figures of a correction: one unit of the difference, with the VAT as billed."""
    before, now = sums
    lines = _both(billed, owed)
    first, text = lines[0].raw[0], lines[-1].raw[0].description
    own = policy.for_product(first.product_key)
    item_id = first.item_id or billed[0].item_id
    maker = LineMaker(first.product_key, item_id, first.currency, groups, own, policy)
    exact = Fraction(now - before, 10**first.places)
    price = PriceInForce(exact, first.vat, _UNIT, None, text)
    periods = list(map(period_of_line, lines))
    regular = min(each[0] for each in periods), max(each[1] for each in periods)
    plain = maker.figures(price, "correction", units=now - before, regular=regular)
    parts = {each.name: getattr(plain, each.name) for each in fields(LineFigures)}
    return CorrectionFigures(**parts, owed=now, billed=before)


def _days_concerned(billed: Sequence[BilledLine], owed: Sequence[OwedLine]) -> Days:
    """Return the days that a difference is about: all, but those that cost the same before.

    A period that is cut or continued, or whose price changes inside it, begins or ends with days
    at the price that was billed.
    """
    lines = [*(line.raw for line in billed), *(line.raw for line in owed)]
    first, last = min(line[1] for line in lines), max(line[2] for line in lines)
    if not billed or not owed:
        return first, last
    begins, ends = first, last
    one, other = min(billed, key=days_of), min(owed, key=days_of)
    if one.raw[1] == other.raw[1] and _same_price(one, other):
        begins = min(one.raw[2], other.raw[2]) + 1
    one, other = max(billed, key=_end_of), max(owed, key=_end_of)
    if one.raw[2] == other.raw[2] and _same_price(one, other):
        ends = max(one.raw[1], other.raw[1]) - 1
    return (begins, ends) if begins <= ends else (first, last)


def _end_of(line: BilledLine | OwedLine) -> Days:
    """Return the last day of a line, then its first."""
    return line.raw[2], line.raw[1]


def _same_price(one: BilledLine, other: OwedLine) -> bool:
    """Return whether two lines bill parts of one regular period at one price, but for rounding."""
    both = one, other
    if any(line.raw[0].kind not in _IN_CYCLES for line in both):
        return False
    if period_of_line(one) != period_of_line(other):
        return False
    mine, theirs = (Fraction(*line.raw[0].share) for line in both)
    # The parts of a split are differences of two rounded totals: each is off by less than a unit.
    return abs(one.base * theirs - other.base * mine) <= mine + theirs
