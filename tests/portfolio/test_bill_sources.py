"""Where earlier bills come from: several files, folders, tables, other types of columns (A53)."""

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rentbilling import BillingPolicy
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import BILL_SCHEMA, BillRecordBatches, bill_portfolio, leases_to_arrow
from rentbilling.portfolio.leases.ids import LeaseIds
from rentbilling.portfolio.runs.bill_sources import in_bill_form
from rentbilling.portfolio.runs.earlier_bills import EarlierBills
from rentbilling.testing import a_lease, a_rent, an_item
from tests.support.refusals import faults

FEBRUARY, MARCH = "2026-02-01/2026-02-28", "2026-03-01/2026-03-31"
BOTH, SPRING = "2026-02-01/2026-03-31", "2026-02-01/2026-04-30"
LEASES = [
    a_lease(
        a_rent(amount=8500 + at),
        an_item(product_key="key:heat", amount=400, vat="Exclusive 0.25", quantity="1.5"),
        lease_id=f"lease-{at}",
    )
    for at in range(3)
]
BATCH = leases_to_arrow(LEASES)


def bills(period: str, **choices: Any) -> Any:  # noqa: ANN401
    return bill_portfolio(BATCH, period, **choices).to_table()


def days_left(earlier: Any) -> list[str]:  # noqa: ANN401
    """Return on which days something of February to April is left beside earlier bills."""
    left = bills(SPRING, already_billed=earlier)
    assert {"opening", "regular"} >= {
        line["kind"] for row in left.to_pylist() for line in row["lines"]
    }
    return sorted({str(each) for each in left.column("due_date").to_pylist()})


class TestSeveral:
    """Earlier bills of several months."""

    def test_a_list_of_paths_and_tables_is_taken_together(self, tmp_path: Path) -> None:
        path = tmp_path / "february.parquet"
        bill_portfolio(BATCH, FEBRUARY).write_parquet(path)

        assert ["2026-04-01"] == days_left([str(path), bills(MARCH)])
        assert ["2026-04-01"] == days_left((bills(MARCH).to_batches()[0], path))
        assert ["2026-02-01", "2026-03-01", "2026-04-01"] == days_left([])

    def test_each_month_is_found_for_each_lease(self, tmp_path: Path) -> None:
        for name, period, batch in (
            ("1.parquet", FEBRUARY, BATCH),
            ("2.pq", MARCH, BATCH.take(pa.array([2, 0, 1]))),
        ):
            bill_portfolio(batch, period, batch_size=1).write_parquet(tmp_path / name)
        earlier = EarlierBills(tmp_path)
        found = earlier.of(["lease-2", "none", "lease-0"], BillingPolicy())

        assert {"lease-0", "lease-2"} == set(found)
        for each in found.values():
            assert isinstance(each, list)
            assert ["2026-02-01", "2026-03-01"] == [str(bill.due_date) for bill in each]

    def test_only_sources_with_the_lease_are_read(self) -> None:
        february = bills(FEBRUARY)
        tables = [february.slice(0, 1), february.slice(1, 2), bills(MARCH)]
        found = EarlierBills(tables).rows_of(["lease-0"])

        assert ["2026-02-01", "2026-03-01"] == [
            str(day) for day in found.column("due_date").to_pylist()
        ]

    def test_a_folder_is_all_its_bills_and_nothing_else(self, tmp_path: Path) -> None:
        for name, period in (("february", FEBRUARY), ("march", MARCH)):
            bill_portfolio(BATCH, period).write_parquet(
                tmp_path / f"{name}.parquet",
                others={
                    "notices": tmp_path / f"{name}.notices.parquet",
                    "adjustments": tmp_path / f"{name}.adjustments.parquet",
                },
            )
        (tmp_path / "read.me").write_text("bills")

        assert ["2026-04-01"] == days_left(tmp_path)

    def test_what_is_no_file_of_bills_is_refused(self, tmp_path: Path) -> None:
        """An empty folder, one of lines, and a file that is in the folder too."""
        sent, lines, empty = (tmp_path / each for each in ("sent", "lines", "empty"))
        for folder in (sent, lines, empty):
            folder.mkdir()
        path = sent / "february.parquet"
        bill_portfolio(BATCH, FEBRUARY).write_parquet(path)
        pq.write_table(bills(FEBRUARY, output="lines"), lines / "lines.parquet")

        assert ("already_billed.subtotal", "missing") == faults(lambda: EarlierBills(lines))[0]
        assert [("already_billed", "empty_folder")] == faults(lambda: EarlierBills([empty]))
        assert ["duplicate_path"] == [
            code for _, code in faults(lambda: EarlierBills([path, sent]))
        ]


def pandas_of(table: Any) -> Any:  # noqa: ANN401
    return table.to_pandas(date_as_object=False)


def polars_of(table: Any) -> Any:  # noqa: ANN401
    return pytest.importorskip("polars").from_arrow(table)


def reader_of(table: Any) -> Any:  # noqa: ANN401
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches())


def turned(table: Any) -> Any:  # noqa: ANN401
    """Return a table whose columns stand in another order, with one that no bill has."""
    return table.select(table.column_names[::-1]).append_column("note", pa.nulls(len(table)))


def cast(name: str, kind: Any) -> Callable[[Any], Any]:  # noqa: ANN401
    def change(table: Any) -> Any:  # noqa: ANN401
        at = table.column_names.index(name)
        return table.set_column(at, name, table.column(name).cast(kind))

    return change


class TestForms:
    """Tables that say the same in other types."""

    @pytest.mark.parametrize(
        "form",
        [
            pandas_of,
            polars_of,
            reader_of,
            turned,
            cast("lease_id", pa.large_string()),
            cast("lease_id", pa.dictionary(pa.int32(), pa.string())),
            cast("lines", pa.large_list(BILL_SCHEMA.field("lines").type.value_type)),
            cast("total", pa.decimal128(20, 2)),
            cast("subtotal", pa.decimal256(60, 20)),
            cast("due_date", pa.date64()),
            cast("due_date", pa.timestamp("ns")),
            lambda table: table.drop_columns(["row", "cash_rounding"]),
        ],
    )
    def test_every_form_says_the_same(self, form: Any) -> None:  # noqa: ANN401
        february = bills(FEBRUARY)

        assert ["2026-03-01", "2026-04-01"] == days_left(form(february))
        ids = [f"lease-{at}" for at in range(3)]
        assert EarlierBills(february).of(ids, BillingPolicy()) == EarlierBills(form(february)).of(
            ids, BillingPolicy()
        )

    def test_a_file_is_brought_into_form_as_it_is_read(self, tmp_path: Path) -> None:
        path = tmp_path / "february.parquet"
        pandas_of(bills(FEBRUARY)).to_parquet(path)

        assert ["2026-03-01", "2026-04-01"] == days_left(path)

    @pytest.mark.parametrize(
        ("column", "values", "code"),
        [
            ("total", pa.array([8500.0] * 3), "wrong_type"),
            ("total", pa.array([Decimal("1e-18")] * 3, pa.decimal128(38, 18)), "not_exact"),
            ("total", pa.array([None] * 3, BILL_SCHEMA.field("total").type), "missing"),
            ("due_date", pa.array([1] * 3, pa.timestamp("s")), "not_exact"),
            ("due_date", pa.array([0] * 3, pa.timestamp("s", "UTC")), "wrong_type"),
            ("due_date", pa.array([1] * 3, pa.date64()), "not_exact"),
            ("lease_id", pa.array([1, 2, 3]), "wrong_type"),
            ("lines", pa.array(["rent"] * 3), "wrong_type"),
        ],
    )
    def test_what_would_lose_something_is_refused_by_column(
        self,
        column: str,
        values: Any,  # noqa: ANN401
        code: str,
    ) -> None:
        february = bills(FEBRUARY)
        table = february.set_column(february.column_names.index(column), column, values)

        assert [(f"already_billed.{column}", code)] == faults(
            lambda: in_bill_form(table), InvalidRecordError
        )

    def test_all_columns_that_are_wrong_are_told(self) -> None:
        with pytest.raises(InvalidRecordError) as refused:
            BillRecordBatches(MARCH, already_billed=pa.table({"total": ["8500"]}))

        assert 7 == len(refused.value.problems)
        assert re.search("already_billed.lines: is required", str(refused.value))


class TestGone:
    """Leases that were billed before, and are not in the source any more."""

    def test_those_that_a_run_did_not_meet_are_counted(self) -> None:
        met = LeaseIds()
        earlier = EarlierBills([bills(FEBRUARY), bills(MARCH)])

        assert 3 == earlier.gone_from(met)
        met.add(["lease-1", None, "other"], range(3))
        assert 2 == earlier.gone_from(met)
        met.add(["lease-0", "lease-2"], range(3, 5))
        assert 0 == earlier.gone_from(met)
