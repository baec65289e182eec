"""`rentbilling bill-run --engine dask`: the same bytes as on one machine."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.command_line import run
from tests.support.run_files import PERIOD, lease_file, left_in, made

distributed = pytest.importorskip("distributed", reason="Dask is not installed: extra engines")


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """Give the address of a cluster that works in another folder than the command."""
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        dashboard_address=None,
        local_directory=str(tmp_path_factory.mktemp("dask")),
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.parametrize("options", [("--part-size", "12"), ("--part-size", "4")])
def test_a_run_on_a_cluster_gives_the_same_bytes(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    leases, out = lease_file(tmp_path), tmp_path / "bills.parquet"
    made(leases, tmp_path / "plain.parquet", part_size=int(options[1]))
    monkeypatch.chdir(tmp_path)
    cluster = ("--engine", "dask", "--scheduler", scheduler)
    asked = ("--period", PERIOD, "--out", out.name, *cluster, *options)
    finished = run("bill-run", leases.name, *asked)

    assert (3, "") == (finished.exit_code, finished.stderr)
    assert (tmp_path / "plain.parquet").read_bytes() == out.read_bytes()
    assert "bills.parquet.parts" not in left_in(tmp_path)


def test_a_lease_that_is_refused_on_a_worker_is_told(scheduler: str, tmp_path: Path) -> None:
    leases, out = lease_file(tmp_path), tmp_path / "bills.parquet"
    cluster = ("--engine", "dask", "--scheduler", scheduler, "--part-size", "4")
    asked = ("--period", PERIOD, "--out", str(out), *cluster, "--on-problem", "raise")
    finished = run("bill-run", str(leases), *asked)

    assert 1 == finished.exit_code
    assert finished.stderr.startswith(f"Error: {leases}: [5].recurring_bill_items[0].billing_cycle")
    kept = f"1 part is kept in {out}.parts: the same command goes on from there."
    assert finished.stderr.endswith(f"       {kept}\n")
