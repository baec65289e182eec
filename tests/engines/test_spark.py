"""Spark: the page's example on two cores of this machine."""

import os
import shutil
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from rentbilling.portfolio import BILL_SCHEMA
from rentbilling.portfolio.runs.batch_runs import Output
from tests.engines.guide_page import run_examples

pyspark_sql = pytest.importorskip("pyspark.sql", reason="Spark is not installed: extra engines")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java 17 or later, and there is none", allow_module_level=True)


@pytest.fixture
def spark(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Any]:
    """Give the session that the page's example finds: two cores, quiet, nothing left behind."""
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    session = (
        pyspark_sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.local.dir", str(folder / "spark"))
        # Several tasks for a small file, and several batches for each.
        .config("spark.sql.files.maxPartitionBytes", "100000")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "64")
        .getOrCreate()
    )
    context = type(session.sparkContext)
    yield session
    session.stop()
    # Its process of Java stays in the folder in which it was started.
    context._gateway.shutdown()
    context._gateway = context._jvm = None


def test_the_bills_of_spark_are_those_of_plain_pyarrow(
    spark: Any,  # noqa: ANN401 - the session
    folder: Path,
    expected: Any,  # noqa: ANN401 - pyarrow has no types
) -> None:
    bills = run_examples("Spark")["bills"]
    written = pq.read_table(folder / "bills").cast(BILL_SCHEMA)

    assert spark is bills.sparkSession
    assert expected.equals(written.sort_by("row"))


@pytest.mark.usefixtures("spark")
def test_the_realistic_mix_has_the_tables_of_bill_portfolio(
    folder: Path, mix: dict[Output, Any]
) -> None:
    for output, expected in mix.items():
        run_examples("Spark", output=output)
        written = pq.read_table(folder / output).cast(expected.schema)
        assert expected.equals(written.sort_by("row")), output
