"""What Dask and Spark add to a month of a portfolio: processor time of all processes there are.

Law: an engine and what it is held against take turns in one run, on the same leases, and the median
turn of each counts, because an engine compiles and collects its garbage in some turns and not in
others; processor time is that of this process and all below it, the engine's own included. Starting
an engine, loading the package in its workers, and its first turns are left out, as it is there for
longer than a run.

`python -m benchmarks.engines [--write FILE]` needs Linux, the extra `engines`, and Java 17 or later
for Spark; what is not installed is said and left out.

- Dask: workers read their groups of rows, bill them, and send the bills back; held against the same
  function, called here group by group.
- Spark: `mapInArrow` with `BillRecordBatches`; held against a `mapInArrow` that gets the leases
  and returns their bills, made before, and the function called here for the same leases.

What does not live here: whether the bills agree (`tests/engines`).
"""

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import wire, workload
from benchmarks.page_blocks import write_block
from benchmarks.report import Ratio, ratio_table
from rentbilling.adapters.file_runs.dask_runs import run_on_dask
from rentbilling.portfolio import BillRecordBatches, leases_to_arrow

PERIOD: Final = "2026-06-01/2026-06-30"
BATCH: Final = 4096
"""Leases of a batch, of a group of rows, and of a file."""
BATCHES: Final = 8
"""Batches of a turn of Spark."""
GROUPS: Final = 24
"""Groups of rows of a turn of Dask, which needs little for each and something for a run."""
WARMING: Final = 4
"""FifoLock that do not count: the compiler of an engine is busy then."""
ROUNDS: Final = 15

RATIOS: Final[Mapping[str, Ratio]] = {
    "dask_cpu_over_plain": Ratio(
        "processor time of all processes for a month of 98,304 leases on Dask, two workers, over "
        "the same function in one process",
        at_most=1.4,
    ),
    "spark_cpu_over_identity_and_plain": Ratio(
        "the same of 32,768 leases on Spark, over a `mapInArrow` that returns bills made before "
        "and the function here, together",
        at_most=1.15,
    ),
}

Work = Callable[[], object]


def processor_seconds() -> float:
    """Return the seconds of processor time that this process and all below it have had."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        # A process may end while it is looked at.
        with suppress(ValueError, OSError):
            fields = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            parents[int(folder.name)] = int(fields[1])
            # Own time in the program and in the system, and that of those that have ended.
            ticks[int(folder.name)] = sum(map(int, fields[11:15]))
    return sum(ticks[each] for each in ticks if _is_below(each, parents)) / os.sysconf("SC_CLK_TCK")


def _is_below(process: int, parents: Mapping[int, int]) -> bool:
    while process and process != os.getpid():
        process = parents.get(process, 0)
    return process == os.getpid()


def median_seconds(work: Mapping[str, Work]) -> dict[str, float]:
    turns: dict[str, list[float]] = {name: [] for name in work}
    for turn in range(WARMING + ROUNDS):
        # There and back, so that what gets faster or slower weighs on all alike.
        for name in sorted(work, reverse=turn % 2 == 1):
            begun = processor_seconds()
            work[name]()
            turns[name].append(processor_seconds() - begun)
    return {name: median(took[WARMING:]) for name, took in turns.items()}


@dataclass(frozen=True)
class BillGroup:
    """Bills a group of rows of a file of leases."""

    path: str
    bill: BillRecordBatches

    def __call__(self, group: int) -> Any:  # noqa: ANN401 - pyarrow has no types
        leases = pq.ParquetFile(self.path).iter_batches(BATCH, row_groups=[group])
        return pa.Table.from_batches(self.bill.each(leases), self.bill.schema)


@dataclass(frozen=True)
class MadeBefore:
    """Returns bills that were made before, for batches that always hold the same leases."""

    path: str

    def each(self, batches: Iterable[Any]) -> Iterator[Any]:
        with pa.memory_map(self.path) as file:
            bills = pa.ipc.open_file(file).get_batch(0)
            for batch in batches:
                if batch.num_rows != BATCH:
                    raise ValueError(f"a batch has {BATCH} leases, not {batch.num_rows}")
                yield bills


def dask_seconds(distributed: Any, folder: Path, batch: Any) -> dict[str, float]:  # noqa: ANN401 - packages without types
    """Return what the same groups cost a cluster of two processes, and a loop."""
    path = str(folder / "groups.parquet")
    pq.write_table(pa.Table.from_batches([batch] * GROUPS), path, row_group_size=BATCH)
    task, groups = BillGroup(path, BillRecordBatches(PERIOD)), range(GROUPS)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(folder)
    ) as cluster:

        def on_dask() -> int:
            return sum(
                each.num_rows for each in run_on_dask(task, groups, cluster.scheduler_address)
            )

        def plain() -> int:
            return sum(task(group).num_rows for group in groups)

        return median_seconds({"dask": on_dask, "plain": plain})


def spark_seconds(sql: Any, folder: Path, batch: Any) -> dict[str, float]:  # noqa: ANN401 - packages without types
    """Return what the same batches cost Spark, with and without billing them, and a loop."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    bill = BillRecordBatches(PERIOD)
    bills = bill(batch)
    with pa.ipc.new_file(str(folder / "bills.arrow"), bill.schema) as writer:
        writer.write_batch(bills)
    (folder / "leases").mkdir()
    for number in range(BATCHES):
        pq.write_table(pa.Table.from_batches([batch]), folder / "leases" / f"{number}.parquet")
    size = max(path.stat().st_size for path in (folder / "leases").iterdir())
    session = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.local.dir", str(folder / "spark"))
        # A file is a task, and a task is a batch.
        .config("spark.sql.files.maxPartitionBytes", str(size + 1))
        .config("spark.sql.files.openCostInBytes", str(size))
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", str(BATCH))
        .getOrCreate()
    )
    schema = import_module("pyspark.sql.pandas.types").from_arrow_schema(bill.schema)
    leases = session.read.parquet(str(folder / "leases"))

    def on_spark(each: Callable[[Iterable[Any]], Iterator[Any]]) -> None:
        leases.mapInArrow(each, schema).write.format("noop").mode("overwrite").save()

    def plain() -> None:
        for _ in range(BATCHES):
            bill(batch)

    try:
        return median_seconds(
            {
                "spark": partial(on_spark, bill.each),
                "identity": partial(on_spark, MadeBefore(str(folder / "bills.arrow")).each),
                "kernel": plain,
            }
        )
    finally:
        session.stop()


def ratios() -> dict[str, float]:
    """Return what each engine that is here costs over what it is held against."""
    batch = leases_to_arrow([wire.lease_terms(each) for each in workload.leases(BATCH)])
    found: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        for name, package, seconds in (
            ("dask_cpu_over_plain", "distributed", dask_seconds),
            ("spark_cpu_over_identity_and_plain", "pyspark.sql", spark_seconds),
        ):
            print(f"measuring {package} ...", file=sys.stderr)
            try:
                engine = import_module(package)
            except ImportError:
                print(f"{package} is not installed: extra engines", file=sys.stderr)
                continue
            if engine.__name__ == "pyspark.sql" and shutil.which("java") is None:
                print("Spark needs Java 17 or later, and there is none", file=sys.stderr)
                continue
            took = seconds(engine, Path(folder), batch)
            print(json.dumps({each: round(one, 2) for each, one in took.items()}), file=sys.stderr)
            own, *others = took.values()
            found[name] = own / sum(others)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines", description=__doc__)
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="rewrite the block of figures in a Markdown page"
    )
    asked = parser.parse_args(arguments)
    found = ratios()
    table = ratio_table(found, RATIOS)
    print(table)
    if asked.write is not None:
        write_block(asked.write, "engines", table)
    return int(not all(RATIOS[name].kept(ratio) for name, ratio in found.items()))


if __name__ == "__main__":
    sys.exit(main())
