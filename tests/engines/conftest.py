"""What the tests of the engines share: files of leases, and the bills of plain pyarrow."""

from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks import wire, workload
from benchmarks.real_portfolios import lease_batch
from rentbilling.portfolio import BillRecordBatches, bill_portfolio, leases_to_arrow
from rentbilling.portfolio.runs.batch_runs import SCHEMAS, Output
from tests.engines.guide_page import MIX
from tests.portfolio.bulk_rows import several_leases

PERIOD: Final = "2026-02-01/2026-02-28"
"""The period of the page."""
_GROUP: Final = 150
"""Leases that the file has in a group of rows, so that workers share them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the engines warn of what they like: nobody here can change it."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("default"))


@pytest.fixture(scope="session")
def leases() -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return leases of the workload, and some with something rare between them, numbered."""
    ordinary = [wire.lease_terms(each) for each in workload.leases(600)]
    many = [*ordinary[:250], *several_leases(), *ordinary[250:]]
    batch = leases_to_arrow(many)
    return batch.append_column("row", pa.array(range(len(many)), pa.int64()))


@pytest.fixture
def expected(leases: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    return pa.Table.from_batches([BillRecordBatches(PERIOD)(leases)])


@pytest.fixture
def folder(leases: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: ANN401 - pyarrow has no types
    """Return the folder, now the current one, that has the file of the page's examples."""
    _write(leases, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def mix(folder: Path) -> dict[Output, Any]:
    """Return the tables that `bill_portfolio` makes of the realistic mix, now in the page's file.

    The leases are 1,200, of which one cannot be billed and one has a notice.
    """
    leases = lease_batch("realistic", 1200)
    path = _write(leases.append_column("row", pa.array(range(1200), pa.int64())), folder)
    made: dict[Output, Any] = {
        each: bill_portfolio(path, **MIX, output=each).to_table() for each in SCHEMAS
    }
    assert all(each.num_rows for each in made.values())
    return made


def _write(leases: Any, folder: Path) -> Path:  # noqa: ANN401 - pyarrow has no types
    path = folder / "leases.parquet"
    pq.write_table(pa.Table.from_batches([leases]), path, row_group_size=_GROUP)
    return path
