"""The least that billing can cost in Python: one loop over integers, without a package.

Law: the floor gives the very figures the package gives for the workload, and a test holds it to
that. It is what a programmer writes who knows the workload and needs nothing else: everything
that does not depend on the asked window is worked out beforehand into tuples of integers and a
few calendar tables; there are no classes, no checks, no choices, no records and no history of why
a figure is what it is. Days are ordinals, months are numbered from the first of the tables,
amounts are minor units.

It knows only what the workload has: positive prices, cycles of whole months that start on a 1st,
due days 1 and -1, discounts in percent, and items that never end.
"""

from bisect import bisect_right
from datetime import date
from typing import Final, TypeAlias

from benchmarks.workload import EXCLUSIVE, EXEMPT, PlainItem, PlainLease

Line: TypeAlias = tuple[int, int, int, int, int]
"""Product, first day, last day, net price (gross while an Inclusive bill is made), VAT code."""

Group: TypeAlias = tuple[int, int, int]
"""VAT code, base, VAT."""

Bill: TypeAlias = tuple[int, list[Line], list[Group], int, int]
"""Due day, lines, VAT groups, subtotal, total."""

Plan: TypeAlias = tuple[int, Line, int, int, int, int, int, int, list[int], list[int]]
"""One item: the opening's due day and line, product, VAT code (the rate in percent, negative when
Inclusive, 0 when Exempt), months of a cycle, remainder of the months in which cycles start, days
from a first day to the due day, first regular month, days on which the value changes, values."""

_YEARS: Final = range(2010, 2070)

_FIRST: Final = [date(year, month, 1).toordinal() for year in _YEARS for month in range(1, 13)]

_EPOCH: Final = _FIRST[0]

_MONTH: Final = [
    number for number in range(len(_FIRST) - 1) for _ in range(_FIRST[number], _FIRST[number + 1])
]
"""The month of each day from the epoch."""

_MONTH_PARTS: Final = 377_580
"""The least common multiple of 28, 29, 30 and 31, so that every day is a whole number of parts of
its own month, and a share of a period (A20) a whole number of parts of its months."""

_PARTS: Final = [
    month * _MONTH_PARTS
    + (_EPOCH + day - _FIRST[month]) * _MONTH_PARTS // (_FIRST[month + 1] - _FIRST[month])
    for day, month in enumerate(_MONTH)
]
"""The parts that lie before each day from the epoch."""

_SCALE: Final = 100 * 10_000
"""A value is price * hundredths of the quantity * (10,000 - basis points of the discount)."""

_NEVER: Final = 10**9


def plan(lease: PlainLease) -> tuple[Plan, ...]:
    return tuple(_item_plan(item) for item in lease.items)


def _item_plan(item: PlainItem) -> Plan:
    code = 0 if item.tax_mode == EXEMPT else item.percent
    if item.tax_mode not in {EXEMPT, EXCLUSIVE}:
        code = -code
    opening = item.opening
    line = (
        item.product,
        opening.start,
        opening.end,
        (opening.minor * item.hundredths + 50) // 100,
        code,
    )
    changes, values = _history(item)
    return (
        opening.due,
        line,
        item.product,
        code,
        item.months,
        # The tables start with a January, so a remainder is the same in both countings.
        (item.start - 1) % item.months,
        item.due_day - 1 if item.due_day > 0 else item.due_day,
        _MONTH[opening.end - _EPOCH] + 1,
        changes,
        values,
    )


def _history(item: PlainItem) -> tuple[list[int], list[int]]:
    """Return the days on which the value of an item changes, and the values around them."""
    prices = [(0, item.minor), *item.prices]
    ends = [] if item.discount is None else [item.discount.last_day + 1]
    changes: list[int] = []
    values: list[int] = []
    for day in sorted({0, *ends, *(start for start, _ in item.prices)}):
        minor = next(price for start, price in reversed(prices) if start <= day)
        value = minor * item.hundredths * 10_000
        if item.discount is not None and day < ends[0]:
            value = minor * item.hundredths * (10_000 - item.discount.basis_points)
        # A price equal to the one before it is no change (A19).
        if not values or value != values[-1]:
            changes.append(day)
            values.append(value)
    return [*changes[1:], _NEVER], values


def bills(items: tuple[Plan, ...], low: int, high: int) -> list[Bill]:
    """Return the bills of one lease that fall due from one day to another, both included."""
    by_due: dict[int, list[Line]] = {}
    scale = _SCALE
    half = _SCALE // 2
    for item in items:
        opening_due, opening, product, code, months, phase, shift, regular, changes, values = item
        if low <= opening_due <= high:
            by_due.setdefault(opening_due, []).append(opening)
        month = _MONTH[low - shift - 1 - _EPOCH] + 1
        if month < regular:  # noqa: PLR1730 - a call of max() for each item would be seen.
            month = regular
        month += (phase - month) % months
        last = _MONTH[high - shift - _EPOCH]
        while month <= last:
            start = _FIRST[month]
            end = _FIRST[month + months] - 1
            due = start + shift
            lines = by_due.get(due)
            if lines is None:
                lines = by_due[due] = []
            held = bisect_right(changes, start)
            if changes[held] > end:
                price = (values[held] + half) // scale
                lines.append((product, start, end, price, code))
            else:
                lines += _split(item, start, end, held)
            month += months
    return [_bill(due, by_due[due]) for due in sorted(by_due)]


def _split(item: Plan, start: int, end: int, held: int) -> list[Line]:
    """Return a line for each part of a period in which the value changes (A19)."""
    _, _, product, code, months, *_, changes, values = item
    whole = _SCALE * _MONTH_PARTS * months
    exact = billed = 0
    lines: list[Line] = []
    while start <= end:
        until = min(changes[held] - 1, end)
        exact += values[held] * (_PARTS[until + 1 - _EPOCH] - _PARTS[start - _EPOCH])
        # A part is the difference of two rounded running totals, so no cent is lost (A21).
        total = (2 * exact + whole) // (2 * whole)
        lines.append((product, start, until, total - billed, code))
        billed = total
        start = until + 1
        held += 1
    return lines


def _bill(due: int, lines: list[Line]) -> Bill:
    sums: dict[int, int] = {}
    for line in lines:
        code = line[4]
        if code in sums:
            sums[code] += line[3]
        else:
            sums[code] = line[3]
    groups: list[Group] = []
    subtotal = total = 0
    for code, amount in sums.items():
        if code >= 0:
            vat = (amount * code + 50) // 100
            net = amount
        else:
            percent = 100 - code
            vat = (-2 * amount * code + percent) // (2 * percent)
            net = amount - vat
            _take_vat_out(lines, code, net)
        groups.append((code, net, vat))
        subtotal += net
        total += net + vat
    return due, lines, groups, subtotal, total


def _take_vat_out(lines: list[Line], code: int, net: int) -> None:
    """Turn the gross prices of an Inclusive group into nets that sum to the group's (A29)."""
    if len(lines) == 1:
        product, start, end, _, _ = lines[0]
        lines[0] = (product, start, end, net, code)
        return
    percent = 100 - code
    places = [place for place, line in enumerate(lines) if line[4] == code]
    nets = [(200 * lines[place][3] + percent) // (2 * percent) for place in places]
    missing = net - sum(nets)
    if missing:
        step = 1 if missing > 0 else -1
        residues = [
            step * (100 * lines[place][3] - percent * own)
            for place, own in zip(places, nets, strict=True)
        ]
        by_residue = sorted(range(len(places)), key=residues.__getitem__, reverse=True)
        for place in by_residue[: step * missing]:
            nets[place] += step
    for place, own in zip(places, nets, strict=True):
        product, start, end, _, _ = lines[place]
        lines[place] = (product, start, end, own, code)
