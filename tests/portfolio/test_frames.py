"""Frames of a run: flat, with the decimals of money, and with floats that plot."""

from decimal import Decimal
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import PortfolioRun, bill_portfolio, bills_from_arrow
from rentbilling.portfolio.arrow.column_types import NUMBER
from rentbilling.portfolio.runs.frames import frame_table
from rentbilling.tables import Table, columns
from rentbilling.testing import a_lease, a_plan, a_rent, an_index
from tests.support.rows import rows

MONTHS = "2026-02-01/2026-03-31"
NPI = an_index({"2025-10": "100.0", "2026-10": "103.0"}, name="NPI")
FLAT = ["row", "lease_id", "due_date", "currency", "subtotal", "total", "cash_rounding"]


def ran(amount: Any = "9731.50", period: str = MONTHS, **options: Any) -> PortfolioRun:  # noqa: ANN401
    """Return a run over one lease."""
    currency = options.pop("currency", "DKK")
    rent = a_rent(amount=amount, currency=currency, quantity=options.pop("quantity", None))
    lease = a_lease(rent, lease_id="a", plans=options.pop("plans", ()))
    return bill_portfolio([lease], period, **options)


def test_bills_are_a_flat_frame_with_the_decimals_of_their_currency() -> None:
    """9731.50 and not 9731.500000000000000; two months are 19463.00."""
    frame = ran().to_pandas()

    assert FLAT == [*frame.columns]
    assert ["9731.50", "9731.50"] == [str(each) for each in frame["total"]]
    assert Decimal("19463.00") == frame["total"].sum()
    assert "datetime64" in str(frame["due_date"].dtype)
    assert frame["cash_rounding"].isna().all()


def test_polars_has_the_same() -> None:
    frame = ran().to_polars()

    assert FLAT == frame.columns
    assert (pl.Decimal(38, 2), pl.Date) == (frame["total"].dtype, frame["due_date"].dtype)
    assert Decimal("19463.00") == frame["total"].sum()


@rows(
    ("amount", "currency", "total"),
    [
        (8500, "JPY", "8500"),
        ("1.234", "KWD", "1.234"),
    ],
)
def test_other_currencies_have_other_decimals(
    amount: Any,  # noqa: ANN401
    currency: str,
    total: str,
) -> None:
    frame = ran(amount, currency=currency).to_pandas()

    assert {total} == {str(each) for each in frame["total"]}


def test_lines_have_as_many_decimals_as_their_numbers_need() -> None:
    """1000.5 × 0.1234 = 123.4617, billed as 123.46, of which the unit price has four decimals."""
    (line, *_) = ran("0.1234", quantity="1000.5", output="lines").to_pandas().to_dict("records")

    assert ("1000.5", "0.1234", "123.46") == (
        *(str(line["quantity"]), str(line["amount"]), str(line["net_price"])),
    )


def test_the_parts_of_adjustments_are_columns() -> None:
    """12 × 8000 = 96000, and 3 % more is 98880 a year."""
    run = ran(8000, "2027", plans=[a_plan()], indices=NPI, output="adjustments")
    (row,) = run.to_pandas().to_dict("records")

    assert ("96000.00", "98880.00", "DKK") == (
        str(row["from_yearly_amount.amount"]),
        str(row["to_yearly_amount.amount"]),
        row["to_yearly_amount.currency"],
    )
    assert not any(isinstance(each, (dict, list)) for each in row.values())


@rows("name", ["to_pandas", "to_polars"])
def test_floats_plot(name: str) -> None:
    frame = getattr(ran(), name)(floats=True)
    table = Table(columns(text="product", money="net", number="rate", whole="bills"), TWO)
    other = getattr(table, name)(floats=True)

    assert "float64" == str(frame["total"].dtype).lower()
    assert 19463.0 == pytest.approx(frame["total"].sum())
    assert ["float64", "float64", "int64"] == [
        str(other[each].dtype).lower() for each in ("net", "rate", "bills")
    ]
    assert 8500.5 == pytest.approx(other["net"].sum())


TWO = [("rent", Decimal("8500.50"), Decimal("0.25"), 1), (None, None, None, 2)]


def test_decimals_are_the_default_of_tables() -> None:
    table = Table(columns(money="net"), [(Decimal("8500.5"),)])

    assert Decimal("8500.5") == table.to_pandas()["net"][0]
    assert Decimal("8500.50") == table.to_polars()["net"][0]


def test_a_nested_frame_is_read_again() -> None:
    """It has every column, and is taken where earlier bills are."""
    frame = ran().to_table().to_pandas()

    assert ["key:rent"] == [line["product_key"] for line in frame["lines"][0]]
    assert ["9731.50", "9731.50"] == [
        f"{bill.total.amount:.2f}" for result in bills_from_arrow(frame) for bill in result
    ]
    assert 0 == ran(already_billed=frame).to_table().num_rows


def test_a_flat_frame_is_no_earlier_bill() -> None:
    with pytest.raises(InvalidRecordError, match=r"lists, which run\.to_table\(\) has"):
        ran(already_billed=ran().to_pandas())


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_frame_needs_its_package(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)
    run = ran()

    with pytest.raises(ImportError, match=f"pip install {package}"):
        getattr(run, f"to_{package}")()

    assert 2 == run.to_table().num_rows


def test_a_number_of_fifteen_decimals_keeps_them() -> None:
    table = pa.table({"quantity": pa.array([Decimal("0.000000000000001")], NUMBER)})

    assert table.equals(frame_table(table, {}, floats=False))


def test_a_run_without_bills_is_an_empty_frame() -> None:
    frame = bill_portfolio([], MONTHS).to_pandas()

    assert (0, FLAT) == (len(frame), [*frame.columns])
    assert isinstance(frame, pd.DataFrame)
