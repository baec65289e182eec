"""Up to a million leases: what a run costs by its size, and whether all are billed as ever.

A size is measured in a process of its own, from a file of Parquet to a file of Parquet; memory is
the peak of that process, shown beside that of one that only reads the file, a batch at a time. The
leases are 8,192 of the workload again and again under other ids, because making a million costs
more than billing them.

A checksum is of every figure of ten thousand leases' bills of a year, in their order. Those that
are kept were taken one lease at a time.

`python -m benchmarks.million` takes a quarter of an hour on two quiet cores, `--check` half an
hour: all checksums are taken again, one by one and on columns. It needs Linux.
"""

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import wire, workload
from benchmarks.page_blocks import write_block
from benchmarks.report import Ratio, ratio_table
from rentbilling import LeaseTerms, pending_bills
from rentbilling.portfolio import leases_to_arrow
from rentbilling.portfolio.kernel.bills import bill_flat
from rentbilling.portfolio.kernel.items import MODES
from rentbilling.portfolio.kernel.lines import KINDS
from rentbilling.portfolio.kernel.reading import read_flat

PERIOD: Final = "2026-06-01/2026-06-30"
BATCH: Final = 8192
"""Different leases of a file, and of a group of its rows."""
SIZES: Final = (10_000, 30_000, 100_000, 300_000, 1_000_000)
QUICK_SIZES: Final = (1_000, 3_000)
_TRIES: Final = 5
"""Of a small file; of a large one, which takes as long as several turns, fewer."""
_FEW_TRIES: Final = 2
_LARGE: Final = 200_000
MEGABYTE: Final = 10**6

KEPT: Final = Path(__file__).with_suffix(".json")
YEAR: Final = "2026-01-01/2026-12-31"
BLOCK: Final = 10_000
"""Leases of a checksum."""
_RATE: Final = 10_000
"""A rate of 100 percent."""

_START: Final = """
import json, re, sys, time
from pathlib import Path
import pyarrow.parquet as pq
def tell(leases, began):
    seconds = time.process_time() - began
    # The highest water of this program alone, in kibibytes.
    status = Path("/proc/self/status").read_text()
    peak = 1024 * int(re.search("VmHWM:\\s*(\\d+)", status)[1])
    print(json.dumps({"leases": leases, "seconds": seconds, "peak": peak}))
def batches(size):
    with pq.ParquetFile(sys.argv[1], pre_buffer=False) as file:
        yield from file.iter_batches(size, use_threads=False)
"""
_TASKS: Final = {
    "read": f"""{_START}
began = time.process_time()
tell(sum(batch.num_rows for batch in batches(8192)), began)
""",
    "bill": f"""{_START}
from rentbilling.portfolio import bill_portfolio
# What is paid once: modules that are loaded when they are needed, tables of days.
few = batches(64)
bill_portfolio(next(few), "{PERIOD}").write_parquet(sys.argv[2])
del few
began = time.process_time()
tell(bill_portfolio(sys.argv[1], "{PERIOD}").write_parquet(sys.argv[2]).leases, began)
""",
}

RATIOS: Final[Mapping[str, Ratio]] = {
    "largest_over_smallest_per_lease": Ratio(
        "processor time for each lease of a run of Parquet to Parquet, the largest file over the "
        "smallest (1,000,000 and 10,000 leases in a full run)",
        at_most=1.15,
    ),
    "megabytes_above_reading": Ratio(
        "peak memory of the largest run over that of a process that only reads its file, in "
        "millions of bytes",
        at_most=100,
    ),
}


class Cost(NamedTuple):
    """What a process cost."""

    leases: int
    seconds: float
    """Of processor time, without starting and what is paid once."""
    peak: int
    """Bytes of memory at most, the interpreter and all packages included."""


def lease_batch(count: int = BATCH) -> Any:  # noqa: ANN401 - pyarrow has no types
    return leases_to_arrow([wire.lease_terms(each) for each in workload.leases(count)])


def write_leases(path: Path, batch: Any, count: int) -> None:  # noqa: ANN401 - pyarrow has no types
    """Write a file of so many leases, each with an id of its own."""
    place = batch.schema.get_field_index("lease_id")
    with pq.ParquetWriter(path, batch.schema) as writer:
        for at in range(0, count, BATCH):
            some = batch.slice(0, min(BATCH, count - at))
            ids = pa.array([f"lease-{at + number}" for number in range(some.num_rows)])
            writer.write_batch(some.set_column(place, batch.schema.field(place), ids))


def in_a_process(task: str, *paths: Path) -> Cost:
    command = [sys.executable, "-c", _TASKS[task], *map(str, paths)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    told = json.loads(done.stdout)
    return Cost(**told)


def _seconds(cost: Cost) -> float:
    return cost.seconds


def costs(folder: Path, batch: Any, sizes: Sequence[int]) -> Iterator[tuple[Cost, Cost]]:  # noqa: ANN401
    for size in sizes:
        leases = folder / f"{size}.parquet"
        write_leases(leases, batch, size)
        turns = _TRIES if size < _LARGE else _FEW_TRIES
        tries = [in_a_process("bill", leases, folder / "bills.parquet") for _ in range(turns)]
        yield min(tries, key=_seconds), in_a_process("read", leases)
        leases.unlink()


def ratios(costs_of_sizes: Sequence[tuple[Cost, Cost]]) -> dict[str, float]:
    first, (last, alone) = costs_of_sizes[0][0], costs_of_sizes[-1]
    return {
        "largest_over_smallest_per_lease": (last.seconds / last.leases)
        / (first.seconds / first.leases),
        "megabytes_above_reading": (last.peak - alone.peak) / MEGABYTE,
    }


def as_markdown(found: Mapping[str, float], of_sizes: Sequence[tuple[Cost, Cost]]) -> str:
    rows = [
        f"| {billed.leases:,} | {1e6 * billed.seconds / billed.leases:.1f}"
        f" | {billed.peak / MEGABYTE:.0f} | {alone.peak / MEGABYTE:.0f} |"
        for billed, alone in of_sizes
    ]
    head = "| leases | microseconds a lease | peak memory, MB | reading alone, MB |"
    return "\n".join([ratio_table(found, RATIOS), "", head, "|--:|--:|--:|--:|", *rows])


def draw(of_sizes: Sequence[tuple[Cost, Cost]], path: Path) -> None:
    sizes = [billed.leases for billed, _ in of_sizes]
    figure: Any = import_module("matplotlib.figure").Figure(figsize=(8, 3.2), layout="constrained")
    times, memory = figure.subplots(1, 2)
    times.plot(sizes, [1e6 * each.seconds / each.leases for each, _ in of_sizes], "o-", c="#1f5f8b")
    times.set_title("Microseconds a lease, Parquet to Parquet", fontsize=10, loc="left")
    for kind, at, colour in (("billing", 0, "#1f5f8b"), ("reading alone", 1, "#8a8f98")):
        peaks = [each[at].peak / MEGABYTE for each in of_sizes]
        memory.plot(sizes, peaks, "o-", c=colour)
        memory.annotate(
            kind, (sizes[-1], peaks[-1]), (0, 7), textcoords="offset points", ha="right", c=colour
        )
    memory.set_title("Peak memory, millions of bytes", fontsize=10, loc="left")
    for axes in (times, memory):
        axes.set_xscale("log")
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes], fontsize=8)
        axes.minorticks_off()
        axes.set_ylim(0, axes.get_ylim()[1] * 1.15)
        axes.set_xlabel("leases", fontsize=9)
        axes.grid(axis="y", color="#e3e5e8")
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})


def leases_of(block: int) -> list[LeaseTerms]:
    numbers = range(block * BLOCK, (block + 1) * BLOCK)
    return [wire.lease_terms(workload.lease(number)) for number in numbers]


def one_by_one(leases: Sequence[LeaseTerms]) -> str:
    """Return the checksum of leases' bills, one lease at a time."""
    bills, lines, totals = list[tuple[int, ...]](), list[tuple[int, ...]](), list[tuple[int, ...]]()
    for lease, terms in enumerate(leases):
        for bill in pending_bills(terms, YEAR):
            subtotal, total, _ = bill.sums
            bills.append((lease, bill.due, subtotal, total))
            for figures, start, end in bill.raw_lines:
                item = 3 * lease + wire.PRODUCTS.index(figures.product_key)
                kind = KINDS.index(figures.kind)
                lines.append((lease, bill.due, item, start, end, kind, figures.base, figures.net))
            for vat, units, base in bill.raw_totals:
                mode, rate = MODES.index(vat.tax_mode), int(vat.charged_rate * _RATE)
                totals.append((lease, bill.due, mode, rate, base, units))
    return _digest(np.array(table, dtype=np.int64) for table in (bills, lines, totals))


def on_columns(leases: Sequence[LeaseTerms]) -> str:
    """Return the same on columns.

    Raises:
        ValueError: One of them is not billed on columns.
    """
    read = read_flat(leases_to_arrow(leases))
    if read is None or not (flat := bill_flat(read.items, YEAR)).eligible.all():
        raise ValueError("a lease of the workload is not eligible")
    bill = flat.total_bill
    of_lines = "lease", "due", "item", "start", "end", "kind", "base", "net"
    of_totals = flat.total_mode, flat.total_rate, flat.total_base, flat.total_vat
    tables = (
        (flat.bill_lease, flat.bill_due, flat.bill_subtotal, flat.bill_total),
        tuple(getattr(flat, f"line_{name}") for name in of_lines),
        (flat.bill_lease[bill], flat.bill_due[bill], *of_totals),
    )
    return _digest(np.stack(columns, 1) for columns in tables)


def _digest(tables: Iterable[Any]) -> str:
    found = hashlib.sha256()
    for table in tables:
        found.update(np.ascontiguousarray(table, dtype="<i8").tobytes())
    return found.hexdigest()


def kept() -> list[str]:
    """Return the checksums that are kept, of one block of leases after another."""
    sums: list[str] = json.loads(KEPT.read_text())["sha256"]
    return sums


def differs(block: int) -> bool:
    """Return whether a block of leases has other bills than those that are kept, in either way."""
    leases = leases_of(block)
    return {kept()[block]} != {one_by_one(leases), on_columns(leases)}


def check() -> int:
    blocks = range(len(kept()))
    with get_context("spawn").Pool() as pool:
        differing = [at for at, found in enumerate(pool.imap(differs, blocks)) if found]
    print(f"{len(blocks) * BLOCK} leases, differing blocks: {differing or 'none'}")
    return int(bool(differing))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.million", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small files, less exact")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="rewrite the block of figures in a Markdown page"
    )
    parser.add_argument("--chart", type=Path, metavar="FILE", help="draw the costs: SVG or PNG")
    parser.add_argument("--check", action="store_true", help="take all checksums again, no figures")
    asked = parser.parse_args(arguments)
    if asked.check:
        return check()
    batch = lease_batch()
    with TemporaryDirectory() as folder:
        sizes = QUICK_SIZES if asked.quick else SIZES
        of_sizes = list(costs(Path(folder), batch, sizes))
    found = ratios(of_sizes)
    print(as_markdown(found, of_sizes))
    if asked.write is not None:
        write_block(asked.write, "million", as_markdown(found, of_sizes))
    if asked.chart is not None:
        draw(of_sizes, asked.chart)
    return int(not all(RATIOS[name].kept(figure) for name, figure in found.items()))


if __name__ == "__main__":
    sys.exit(main())
