"""Checksums of a million leases: what the scalar engine bills, kept for engines that are faster.

Law: a checksum stands for every figure of ten thousand leases' bills of a year: their days, lines,
VAT totals and sums, in their order. The kept ones are the scalar engine's, lease by lease.

`python -m benchmarks.checksums write` takes them (ten minutes of two quiet cores; what is there
already is kept), `again` takes all of them again and says which differ, and `check` holds the
columns against all of them.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks import columns, wire, workload
from rentbilling import BillingResult, Period, compile_terms, pending_bills
from rentbilling.portfolio.kernel.bills import FlatBills, bill_flat
from rentbilling.portfolio.kernel.items import MODES
from rentbilling.portfolio.kernel.lines import KINDS

KEPT: Final = Path(__file__).with_name("checksums.json")
PERIOD: Final = Period.parse("2026-01-01/2026-12-31")
BLOCK: Final = 10_000
"""Leases of a checksum."""
BLOCKS: Final = 100
_RATE: Final = 10_000
"""A rate of 100 percent."""

Table = list[tuple[int, ...]]


def scalar_checksum(first: int, count: int, period: Period = PERIOD) -> str:
    tables: tuple[Table, Table, Table] = ([], [], [])
    for number in range(first, first + count):
        terms = wire.lease_terms(workload.lease(number))
        _add(tables, number - first, pending_bills(compile_terms(terms), period))
    return _digest(np.array(table, dtype=np.int64) for table in tables)


def _add(tables: tuple[Table, Table, Table], lease: int, result: BillingResult) -> None:
    bills, lines, totals = tables
    for bill in result.bills:
        subtotal, total, _ = bill.sums
        bills.append((lease, bill.due, subtotal, total))
        for figures, start, end in bill.raw_lines:
            item = 3 * lease + wire.PRODUCTS.index(figures.product_key)
            kind = KINDS.index(figures.kind)
            lines.append((lease, bill.due, item, start, end, kind, figures.base, figures.net))
        for vat, units, base in bill.raw_totals:
            mode, rate = MODES.index(vat.tax_mode), int(vat.charged_rate * _RATE)
            totals.append((lease, bill.due, mode, rate, base, units))


def flat_checksum(first: int, count: int, period: Period = PERIOD) -> str:
    """Return the checksum of some leases' bills by the kernel; none of them may be left to others.

    Raises:
        ValueError: One of them is not eligible.
    """
    flat = bill_flat(columns.flat_items(count, first), period)
    if not flat.eligible.all():
        raise ValueError("a lease of the workload is not eligible")
    return _digest(_tables(flat))


def _tables(flat: FlatBills) -> Iterable[Any]:
    yield np.stack([flat.bill_lease, flat.bill_due, flat.bill_subtotal, flat.bill_total], 1)
    of_lines = "lease", "due", "item", "start", "end", "kind", "base", "net"
    yield np.stack([getattr(flat, f"line_{name}") for name in of_lines], 1)
    bill = flat.total_bill
    of_totals = flat.total_mode, flat.total_rate, flat.total_base, flat.total_vat
    yield np.stack([flat.bill_lease[bill], flat.bill_due[bill], *of_totals], 1)


def _digest(tables: Iterable[Any]) -> str:
    found = hashlib.sha256()
    for table in tables:
        found.update(np.ascontiguousarray(table, dtype="<i8").tobytes())
    return found.hexdigest()


def kept() -> list[str]:
    """Return the checksums that are kept, of one block of leases after another."""
    if not KEPT.exists():
        return []
    sums: list[str] = json.loads(KEPT.read_text())["sha256"]
    return sums


def write() -> None:
    """Take the checksums that are not kept yet, and keep each at once."""
    sums = kept()
    about = {"seed": workload.SEED, "period": str(PERIOD), "leases_of_each": BLOCK}
    with get_context("spawn").Pool() as pool:
        for each in pool.imap(_scalar_block, range(len(sums), BLOCKS)):
            sums.append(each)
            KEPT.write_text(json.dumps({**about, "sha256": sums}, indent=1) + "\n")
            print(f"{len(sums)} of {BLOCKS}", file=sys.stderr)


def _scalar_block(block: int) -> str:
    return scalar_checksum(block * BLOCK, BLOCK)


def check(blocks: Iterable[int]) -> list[int]:
    """Return the blocks whose bills by the kernel are not those that are kept."""
    sums = kept()
    return [at for at in blocks if flat_checksum(at * BLOCK, BLOCK) != sums[at]]


def taken_again() -> list[int]:
    """Return the blocks whose bills by the scalar engine are no longer those that are kept."""
    sums, differing = kept(), list[int]()
    with get_context("spawn").Pool() as pool:
        for at, each in enumerate(pool.imap(_scalar_block, range(len(sums)))):
            differing += [at] if each != sums[at] else []
            print(f"{at + 1} of {len(sums)}, differing: {differing or 'none'}", file=sys.stderr)
    return differing


def main(arguments: Sequence[str]) -> int:
    if arguments == ["write"]:
        write()
        return 0
    if arguments not in (["check"], ["again"]):
        print("usage: python -m benchmarks.checksums write|again|check", file=sys.stderr)
        return 2
    count = len(kept())
    differing = check(range(count)) if arguments == ["check"] else taken_again()
    print(f"{count * BLOCK} leases, differing blocks: {differing or 'none'}")
    return 1 if differing or count < BLOCKS else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
