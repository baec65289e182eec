"""What the tests of bill runs share: a file of leases, and a run over it.

Law: the file has leases with one item and with two, with nothing due, and a bad one.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling import LeaseTerms
from rentbilling.adapters.file_runs import RunReport, run_bills
from rentbilling.adapters.file_runs.engines import MadeParts, in_this_process
from rentbilling.adapters.file_runs.forms import PartMaker
from rentbilling.adapters.file_runs.part_tasks import PartTask
from rentbilling.portfolio import LEASE_SCHEMA, leases_to_arrow
from rentbilling.testing import a_lease, a_rent, an_item

PERIOD: Final = "2026-02-01/2026-03-31"
LEASES: Final = 24
PART_SIZE: Final = 4


def lease_table(*, has_bad: bool = True) -> Any:  # noqa: ANN401 - a table
    """Return leases by turns: rent of 8,500; rent and heating of 500 + 25 %; ended before.

    The sixth, which has ended, has no billing cycle where a bad one is asked for.
    """
    leases = [_lease(number) for number in range(LEASES)]
    table = pa.Table.from_batches([leases_to_arrow(leases)])
    if not has_bad:
        return table
    rows = table.to_pylist()
    rows[5]["recurring_bill_items"][0]["billing_cycle"] = None
    return pa.Table.from_pylist(rows, schema=LEASE_SCHEMA)


def _lease(number: int) -> LeaseTerms:
    kind, lease_id = number % 3, f"lease-{number}"
    if kind == 2:
        return a_lease(a_rent(ended_on="2026-01-31"), lease_id=lease_id)
    return a_lease(a_rent(), *([an_item()] * kind), lease_id=lease_id)


def lease_file(folder: Path, *, has_bad: bool = True) -> Path:
    path = folder / "leases.parquet"
    pq.write_table(lease_table(has_bad=has_bad), path)
    return path


def made(leases: Path, out: Path, **changes: Any) -> RunReport:  # noqa: ANN401 - options by name
    options: dict[str, Any] = {"period": PERIOD, "part_size": PART_SIZE, **changes}
    return run_bills(leases, out=out, **options)


def left_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def never(_make: PartMaker, _tasks: Iterator[PartTask]) -> MadeParts:
    """Bill nothing: what is refused before a lease is billed does not come here."""
    raise AssertionError
    yield


def stopped_after(count: int) -> Any:  # noqa: ANN401 - an engine
    """Return an engine that fails as a full disk does, after some parts."""

    def engine(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
        for number, part in in_this_process(make, tasks):
            if number == count:
                raise OSError(28, "No space left on device")
            yield number, part

    return engine


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def of_other_columns(path: Path) -> None:
    pq.write_table(pa.table({"rent": [8500]}), path)
