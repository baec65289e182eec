"""Dask: the page's examples on a cluster of two processes, and how runs on it go wrong."""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from rentbilling.adapters.file_runs.dask_runs import run_on_dask
from rentbilling.portfolio.runs.batch_runs import Output
from tests.engines.guide_page import run_examples

distributed = pytest.importorskip("distributed", reason="Dask is not installed: extra engines")


@pytest.fixture
def scheduler(folder: Path) -> Generator[str]:
    """Give the address of a cluster that works in the folder of the leases."""
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        dashboard_address=None,
        local_directory=str(folder / "dask"),
    ) as cluster:
        yield cluster.scheduler_address


def test_the_bills_of_dask_are_those_of_plain_pyarrow(scheduler: str, expected: Any) -> None:  # noqa: ANN401 - pyarrow has no types
    assert expected.equals(run_examples("Dask", scheduler)["bills"])


def test_the_realistic_mix_has_the_tables_of_bill_portfolio(
    scheduler: str, mix: dict[Output, Any]
) -> None:
    for output, expected in mix.items():
        assert expected.equals(run_examples("Dask", scheduler, output)["bills"]), output


def test_a_run_gives_its_parts_in_order_and_none_too_early(scheduler: str) -> None:
    """Of 50 parts only so many are taken as two workers have and wait for."""
    taken: list[int] = []

    def parts() -> Iterator[int]:
        for part in range(50):
            taken.append(part)
            yield part

    run = run_on_dask(_halved, parts(), scheduler)

    assert (0, [0, 1, 2, 3]) == (next(run), taken)
    assert [each // 2 for each in range(1, 50)] == list(run)


def test_a_run_of_bills_is_the_plain_one(scheduler: str, expected: Any) -> None:  # noqa: ANN401 - pyarrow has no types
    names = run_examples("Dask", scheduler)
    tables = run_on_dask(names["billed"], names["groups"], scheduler)

    assert expected.equals(pa.concat_tables(tables))


def test_what_a_task_raises_is_raised_here(scheduler: str) -> None:
    parts: list[Any] = [2, 4, "six", 8]
    run = run_on_dask(_halved, parts, scheduler)

    assert [1, 2] == [next(run), next(run)]
    with pytest.raises(TypeError, match="unsupported operand"):
        next(run)


def test_a_scheduler_without_workers_is_told() -> None:
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster,
        pytest.raises(TimeoutError, match="has no workers"),
    ):
        next(run_on_dask(_halved, [1], cluster.scheduler_address, patience=1))


def test_a_scheduler_that_is_not_there_is_told() -> None:
    with pytest.raises(OSError, match="Timed out"):
        next(run_on_dask(_halved, [1], "tcp://127.0.0.1:1", patience=1))


def _halved(part: int) -> int:
    return part // 2
