"""Polars and DuckDB: the realistic mix through a data frame, and through a relation."""

from typing import Any

import duckdb
import polars as pl
import pyarrow as pa

from rentbilling.portfolio import BillRecordBatches
from rentbilling.portfolio.runs.batch_runs import Output
from tests.engines.guide_page import MIX


def test_the_realistic_mix_has_the_tables_of_bill_portfolio(mix: dict[Output, Any]) -> None:
    frame = pl.read_parquet("leases.parquet")
    table = duckdb.from_parquet("leases.parquet").to_arrow_table()
    for output, expected in mix.items():
        bill = BillRecordBatches(**MIX, output=output)
        of_frame = bill.each(pa.RecordBatchReader.from_stream(frame))
        in_polars = pl.DataFrame(pa.Table.from_batches(of_frame, bill.schema))
        bills = pa.RecordBatchReader.from_batches(bill.schema, bill.each(table.to_batches()))
        in_duckdb = duckdb.from_arrow(bills).to_arrow_table()

        assert expected.equals(in_polars.to_arrow().cast(bill.schema)), output
        assert expected.equals(in_duckdb.cast(bill.schema)), output
