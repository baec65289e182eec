"""`rentbilling bill-run --engine dask`: the same bytes as on one machine."""

from pathlib import Path

import pytest

from tests.adapters.command_line import run
from tests.adapters.run_files import PERIOD, lease_file, left_in, made

distributed = pytest.importorskip("distributed", reason="Dask is not installed: extra engines")


def test_a_run_on_a_cluster_gives_the_same_bytes(tmp_path: Path) -> None:
    """Bills and problems; the exit code tells of the bad lease."""
    leases, out = lease_file(tmp_path), tmp_path / "bills.parquet"
    made(leases, tmp_path / "plain.parquet", part_size=32_768)
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        dashboard_address=None,
        local_directory=str(tmp_path / "dask"),
    ) as cluster:
        options = ("--engine", "dask", "--scheduler", cluster.scheduler_address)
        finished = run("bill-run", str(leases), "--period", PERIOD, "--out", str(out), *options)

    assert (3, "") == (finished.exit_code, finished.stderr)
    assert (tmp_path / "plain.parquet").read_bytes() == out.read_bytes()
    assert "bills.parquet.parts" not in left_in(tmp_path)
