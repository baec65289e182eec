"""What a month of a realistic portfolio costs, held against ideal ones and plain Python.

Law: files of Parquet in, files of Parquet out, taking turns in one process.
"""

from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import flat_tables
from benchmarks.plain_leases import plain_bills
from benchmarks.real_portfolios import INDEX, MAKERS, OCTOBERS, ideal, indexed, lease_batch
from benchmarks.timing import Piece, best_times
from rentbilling import BillingPolicy
from rentbilling.portfolio import (
    BillRecordBatches,
    TableLeases,
    bill_portfolio,
    leases_to_arrow,
)

FIRST: Final = date(2026, 6, 1)
LAST: Final = date(2026, 6, 30)
ASKED: Final = "2026-06-01/2026-06-30"
ONE_BY_ONE: Final = BillingPolicy(vat_rounding="per_line")
"""A policy that columns do not follow, so that every lease is billed alone."""


def _billed(leases: Path | TableLeases, bills: Path) -> object:
    run = bill_portfolio(leases, ASKED, indices=INDEX, on_problem="table")
    return run.write_parquet(bills)


def whole_leases(count: int) -> Any:  # noqa: ANN401 - a record batch
    """Return leases that plain Python knows, three of ten with an index plan."""
    made = (indexed if at % 10 < 3 else ideal for at in range(count))
    return leases_to_arrow(make(at, whole=True) for at, make in enumerate(made))


def plainly(leases: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the bills of leases by the loop in plain Python."""
    return plain_bills(leases, FIRST, LAST, OCTOBERS)


def one_by_one(leases: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the bills of leases, none of which is billed on columns."""
    return BillRecordBatches(ASKED, indices=INDEX, policy=ONE_BY_ONE)(leases)


def times(count: int, rounds: int) -> dict[str, float]:
    """Return the seconds of a lease in portfolios of so many, by the name of the work."""
    alone = whole_leases(count // 20)
    with TemporaryDirectory() as name:
        folder = Path(name)
        work: dict[str, list[Piece]] = {
            "one by one": [partial(one_by_one, alone)],
            "plainly": [partial(plainly, alone)],
        }
        for kind in MAKERS:
            leases = folder / f"{kind}.parquet"
            pq.write_table(pa.Table.from_batches([lease_batch(kind, count)]), leases)
            work[kind] = [partial(_billed, leases, folder / "bills.parquet")]
        flat_tables.write_csv(map(ideal, range(count)), folder / "ideal.csv")
        table = flat_tables.MAPPING.leases(folder / "ideal.csv")
        work["csv"] = [partial(_billed, table, folder / "bills.parquet")]
        found = best_times(work, rounds)
    few = {"one by one", "plainly"}
    return {each: took / (alone.num_rows if each in few else count) for each, took in found.items()}
