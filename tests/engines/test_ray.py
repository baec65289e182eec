"""Ray: the page's example on two processes of this machine."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from rentbilling.portfolio import BILL_SCHEMA
from rentbilling.portfolio.runs.batch_runs import Output
from tests.engines.guide_page import run_examples

ray = pytest.importorskip("ray", reason="Ray is not installed: extra engines")
pytest.importorskip("ray.data", reason="Ray has no data sets here: extra engines")


@pytest.fixture
def cluster(folder: Path) -> Generator[Path]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield folder
    ray.shutdown()


def test_the_bills_of_ray_are_those_of_plain_pyarrow(cluster: Path, expected: Any) -> None:  # noqa: ANN401 - pyarrow has no types
    run_examples("Ray")
    written = pq.read_table(cluster / "bills").cast(BILL_SCHEMA)

    assert expected.equals(written.sort_by("row").combine_chunks())


def test_the_realistic_mix_has_the_tables_of_bill_portfolio(
    cluster: Path, mix: dict[Output, Any]
) -> None:
    for output, expected in mix.items():
        run_examples("Ray", output=output)
        written = pq.read_table(cluster / output).cast(expected.schema)
        assert expected.equals(written.sort_by("row")), output
