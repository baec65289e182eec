"""What a run over a file of leases costs by its size: time for each lease, memory, processes.

Law: every figure is that of a process of its own, from a file of Parquet to a file of Parquet;
memory is the peak of a process that bills less the peak of one that only reads the file in the
same way, a batch at a time, nothing read ahead. The leases are those of the workload, 8,192 of them
again and again under other ids, because making a million costs more than billing them. Two
processes and one take turns, and the median turn of each counts.

`python -m benchmarks.sizes [--quick] [--write FILE] [--chart FILE]`; a full run takes some fifteen
minutes of a quiet machine with two cores. It needs Linux, which tells the memory of a process.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import wire, workload
from benchmarks.page_blocks import write_block
from benchmarks.report import Ratio, ratio_table
from rentbilling.portfolio import leases_to_arrow

PERIOD: Final = "2026-06-01/2026-06-30"
BATCH: Final = 8192
"""Different leases of a file, and of a group of its rows."""
SIZES: Final = (10_000, 30_000, 100_000, 300_000, 1_000_000)
QUICK_SIZES: Final = (1_000, 3_000)
TURNS: Final = 5
"""Of one process, and of two."""
_TRIES: Final = 5
"""Of a small file; of a large one, which takes as long as several turns, fewer."""
_FEW_TRIES: Final = 2
_LARGE: Final = 200_000
_LEASES_OF_PROCESSES: Final = 1_000_000
MEGABYTE: Final = 10**6

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
    "megabytes_above_reading_of_a_tenth": Ratio(
        "the same of the run of a tenth of the leases, where there is one", at_most=100
    ),
    "two_processes_speedup": Ratio(
        "time of `bill-run` with one process over that with two, start and end included; median of "
        "five each",
        at_least=1.6,
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


def run_seconds(leases: Path, workers: int) -> float:
    out = leases.with_name(f"{workers}.parquet")
    asked = ["bill-run", str(leases), "--period", PERIOD, "--out", str(out)]
    command = [sys.executable, "-m", "rentbilling", *asked, "--workers", str(workers)]
    began = perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return perf_counter() - began


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


def speedup(folder: Path, batch: Any, count: int, turns: int) -> float:  # noqa: ANN401
    leases = folder / "leases.parquet"
    write_leases(leases, batch, count)
    took: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(turns):
        for workers, seconds in took.items():
            seconds.append(run_seconds(leases, workers))
    return median(took[1]) / median(took[2])


def ratios(costs_of_sizes: Sequence[tuple[Cost, Cost]]) -> dict[str, float]:
    first, last = costs_of_sizes[0][0], costs_of_sizes[-1][0]
    found = {
        "largest_over_smallest_per_lease": (last.seconds / last.leases)
        / (first.seconds / first.leases)
    }
    for name, count in (
        ("megabytes_above_reading", last.leases),
        ("megabytes_above_reading_of_a_tenth", last.leases // 10),
    ):
        for billed, alone in costs_of_sizes:
            if billed.leases == count:
                found[name] = (billed.peak - alone.peak) / MEGABYTE
    return found


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


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sizes", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small files, less exact")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="rewrite the block of figures in a Markdown page"
    )
    parser.add_argument("--chart", type=Path, metavar="FILE", help="draw the costs: SVG or PNG")
    asked = parser.parse_args(arguments)
    batch = lease_batch()
    with TemporaryDirectory() as folder:
        sizes = QUICK_SIZES if asked.quick else SIZES
        of_sizes = list(costs(Path(folder), batch, sizes))
        found = ratios(of_sizes)
        count, turns = (QUICK_SIZES[0], 1) if asked.quick else (_LEASES_OF_PROCESSES, TURNS)
        found["two_processes_speedup"] = speedup(Path(folder), batch, count, turns)
    print(as_markdown(found, of_sizes))
    if asked.write is not None:
        write_block(asked.write, "sizes", as_markdown(found, of_sizes))
    if asked.chart is not None:
        draw(of_sizes, asked.chart)
    return int(not all(RATIOS[name].kept(figure) for name, figure in found.items()))


if __name__ == "__main__":
    sys.exit(main())
