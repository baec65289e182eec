"""Bills of which one figure was changed by one minor unit."""

from collections.abc import Iterator
from dataclasses import replace

from rentbilling import PendingBill
from rentbilling.billing import RawLine
from rentbilling.values import decimal_of


def remade(
    bill: PendingBill,
    *,
    lines: list[RawLine] | None = None,
    totals: list[tuple[int, int, int]] | None = None,
    sums: tuple[int, int, int | None] | None = None,
) -> PendingBill:
    """Return a bill with some of its parts exchanged.

    Args:
        bill: The bill.
        lines: Other lines.
        totals: For some VAT totals the place, and what is added to the VAT and to its base.
        sums: Another subtotal, total and cash rounding.
    """
    raw = list(bill.raw_totals)
    for at, tax, base in totals or ():
        vat, units, net = raw[at]
        raw[at] = vat, units + tax, net + base
    made = list(bill.raw_lines) if lines is None else lines
    return PendingBill(bill.due, bill.currency, bill.places, made, raw, sums or bill.sums)


def changed(bill: PendingBill) -> Iterator[tuple[str, PendingBill]]:
    """Give every bill that differs from another in one figure, by one minor unit up or down.

    Args:
        bill: The bill.

    Yields:
        The figure's name, and the bill with it changed.
    """
    subtotal, total, cash = bill.sums
    for by in (1, -1):
        yield "subtotal", remade(bill, sums=(subtotal + by, total, cash))
        yield "total", remade(bill, sums=(subtotal, total + by, cash))
        for at in range(len(bill.raw_totals)):
            yield "VAT", remade(bill, totals=[(at, by, 0)])
            yield "base", remade(bill, totals=[(at, 0, by)])
        for at, (figures, first, last) in enumerate(bill.raw_lines):
            step = decimal_of(by, bill.places)
            for name, other in (
                ("net price", replace(figures, net=figures.net + by)),
                ("price", replace(figures, amount=figures.amount + step)),
                ("unit net price", replace(figures, unit_net=figures.unit_net + step)),
            ):
                lines = list(bill.raw_lines)
                lines[at] = other, first, last
                yield name, remade(bill, lines=lines)
