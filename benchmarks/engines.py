"""What engines add to a month of a portfolio: processor time of all processes there are.

Law: an engine and what it is held against take turns in one run, on the same leases, and the median
turn of each counts, because an engine compiles and collects its garbage in some turns and not in
others; processor time is that of this process and all below it, the engine's own included. Starting
an engine, loading the package in its workers, and its first turns are left out, as it is there for
longer than a run. The leases are those of `real_portfolios`, ideal and realistic, in a folder of
files of a batch each, and what each engine is held against is `bill_portfolio` over that folder.

`python -m benchmarks.engines [--write FILE]` takes a quarter of an hour of a quiet machine with two
cores. It needs Linux, the extra `engines`, and Java 17 or later for Spark; what is not installed is
said and left out.

- Dask: two workers read their files, bill them, and send the bills back.
- Spark: `mapInArrow` on two cores, which drops the bills; also held against `bill_portfolio` and a
  `mapInArrow` that gets the leases and returns bills made before, together.
- Ray: `map_batches` on two cores, which keeps the bills in its store.
- Polars, DuckDB: a frame of the leases becomes a frame of the bills, a relation a table.
"""

import argparse
import json
import logging
import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from platform import python_version
from statistics import median
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.page_blocks import write_block
from benchmarks.real_portfolios import INDEX, lease_batch
from benchmarks.report import Ratio, ratio_table
from rentbilling.adapters.file_runs.dask_runs import run_on_dask
from rentbilling.portfolio import BillRecordBatches, bill_portfolio

BILL: Final = BillRecordBatches("2026-06-01/2026-06-30", indices=INDEX, on_problem="table")
BATCH: Final = 4096
"""Leases of a batch, and of a file."""
FILES: Final = 24
WARMING: Final = 4
"""Turns that do not count: the compiler of an engine is busy then."""
ROUNDS: Final = 9
KINDS: Final = ("ideal", "realistic")
_MONTH: Final = "a month of {} leases"
_IDENTITY: Final = "over `bill_portfolio` and a `mapInArrow` that returns bills made before"

RATIOS: Final[Mapping[str, Ratio]] = MappingProxyType(
    {
        f"{name}_{kind}": Ratio(words.format(kind), at_most=at_most)
        for kind in KINDS
        for name, words, at_most in (
            ("dask_over_portfolio", f"{_MONTH} on Dask, two workers", 1.4),
            ("spark_over_identity_and_portfolio", f"{_MONTH} on Spark, {_IDENTITY}", 1.15),
            ("spark_over_portfolio", f"{_MONTH} on Spark", None),
            ("ray_over_portfolio", f"{_MONTH} on Ray", None),
            ("polars_over_portfolio", f"{_MONTH} in a frame of Polars", None),
            ("duckdb_over_portfolio", f"{_MONTH} in a relation of DuckDB", None),
        )
    }
)

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


def billed_file(path: str) -> Any:  # noqa: ANN401 - pyarrow has no types
    return pa.Table.from_batches(BILL.each(pq.ParquetFile(path).iter_batches(BATCH)), BILL.schema)


@dataclass(frozen=True)
class MadeBefore:
    """Returns bills that were made before of a batch, for each batch of as many leases."""

    path: str

    def each(self, batches: Iterable[Any]) -> Iterator[Any]:
        with pa.memory_map(self.path) as file:
            bills = pa.ipc.open_file(file).get_batch(0)
            for batch in batches:
                if batch.num_rows != BATCH:
                    raise ValueError(f"a batch has {BATCH} leases, not {batch.num_rows}")
                yield bills


@contextmanager
def on_dask(leases: Path, folder: Path) -> Generator[dict[str, Work]]:
    distributed, paths = import_module("distributed"), sorted(map(str, leases.iterdir()))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(folder)
    ) as cluster:
        address = cluster.scheduler_address
        yield {"dask": lambda: [*run_on_dask(billed_file, paths, address)]}


@contextmanager
def on_spark(leases: Path, folder: Path) -> Generator[dict[str, Work]]:
    sql = import_module("pyspark.sql")
    if shutil.which("java") is None:
        raise ImportError("Spark needs Java 17 or later, and there is none")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = folder / "bills.arrow"
    with pa.ipc.new_file(str(made), BILL.schema) as writer:
        writer.write_batch(BILL(pq.read_table(min(leases.iterdir())).to_batches()[0]))
    size = max(path.stat().st_size for path in leases.iterdir())
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
    schema = import_module("pyspark.sql.pandas.types").from_arrow_schema(BILL.schema)
    given = session.read.parquet(str(leases))

    def run(each: Callable[[Iterable[Any]], Iterator[Any]]) -> None:
        given.mapInArrow(each, schema).write.format("noop").mode("overwrite").save()

    try:
        yield {
            "spark": partial(run, BILL.each),
            "identity": partial(run, MadeBefore(str(made)).each),
        }
    finally:
        session.stop()


@contextmanager
def on_ray(leases: Path, _folder: Path) -> Generator[dict[str, Work]]:
    ray, data = import_module("ray"), import_module("ray.data")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel("ERROR")

    def run() -> object:
        given = data.read_parquet(str(leases))
        return given.map_batches(BILL, batch_format="pyarrow", batch_size=BATCH).materialize()

    try:
        yield {"ray": run}
    finally:
        ray.shutdown()


@contextmanager
def in_polars(leases: Path, _folder: Path) -> Generator[dict[str, Work]]:
    polars = import_module("polars")

    def run() -> object:
        given = pa.RecordBatchReader.from_stream(polars.read_parquet(leases))
        return polars.from_arrow(pa.Table.from_batches(BILL.each(given), BILL.schema))

    yield {"polars": run}


@contextmanager
def in_duckdb(leases: Path, _folder: Path) -> Generator[dict[str, Work]]:
    duckdb = import_module("duckdb")

    def run() -> object:
        given = duckdb.sql(f"from '{leases}/*.parquet'").to_arrow_table().to_batches()
        bills = pa.RecordBatchReader.from_batches(BILL.schema, BILL.each(given))
        return duckdb.from_arrow(bills).to_arrow_table()

    yield {"duckdb": run}


def write_leases(kind: str, folder: Path) -> Path:
    """Return a folder of files of a batch each."""
    leases = folder / kind
    leases.mkdir()
    for at in range(FILES):
        table = pa.Table.from_batches([lease_batch(kind, BATCH, at * BATCH)])
        pq.write_table(table, leases / f"{at:02d}.parquet")
    return leases


def ratios() -> dict[str, float]:
    """Return what each engine that is here costs over what it is held against."""
    found: dict[str, float] = {}
    for kind in KINDS:
        with TemporaryDirectory() as name:
            folder = Path(name)
            leases = write_leases(kind, folder)
            portfolio: Work = partial(_billed, leases)
            for engine in (on_dask, on_spark, on_ray, in_polars, in_duckdb):
                try:
                    with engine(leases, folder) as work:
                        took = median_seconds({**work, "portfolio": portfolio})
                except ImportError as missing:
                    print(f"{missing}: extra engines", file=sys.stderr)
                    continue
                rounded = {each: round(one, 2) for each, one in took.items()}
                print(kind, json.dumps(rounded), file=sys.stderr)
                own, *_ = took
                found[f"{own}_over_portfolio_{kind}"] = took[own] / took["portfolio"]
                if "identity" in took:
                    held = took["identity"] + took["portfolio"]
                    found[f"{own}_over_identity_and_portfolio_{kind}"] = took[own] / held
    return found


def about() -> str:
    """Return which versions these are, in a sentence."""
    here = [
        each for each in ("distributed", "pyspark", "ray", "polars", "duckdb") if find_spec(each)
    ]
    names = ", ".join(f"{each} {version(each)}" for each in ("pyarrow", *here))
    return f"Taken on CPython {python_version()}, {os.cpu_count()} cores, with {names}."


def _billed(leases: Path) -> object:
    return bill_portfolio(leases, BILL.period, indices=INDEX, batch_size=BATCH).to_table()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines", description=__doc__)
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="rewrite the block of figures in a Markdown page"
    )
    asked = parser.parse_args(arguments)
    found = ratios()
    table = f"{ratio_table(found, RATIOS)}\n\n{about()}"
    print(table)
    if asked.write is not None:
        write_block(asked.write, "engines", table)
    return int(not all(RATIOS[name].kept(ratio) for name, ratio in found.items()))


if __name__ == "__main__":
    sys.exit(main())
