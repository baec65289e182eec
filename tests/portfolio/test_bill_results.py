"""Rows of bills back as results: what a run wrote is what the engine for single leases gives."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given

import rentbilling as rb
from rentbilling.checks import compare_portfolio
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import bill_portfolio, bills_from_arrow, leases_to_arrow
from rentbilling.portfolio.runs.bill_results import parquet_table
from rentbilling.records import JsonData, read_json
from rentbilling.testing import a_lease, a_rent, an_item, assert_bills_equal, bill_diff, strategies
from tests.portfolio.bulk_rows import INCLUDED, NPI, several_leases
from tests.support.refusals import faults

MONTHS = "2026-02-01/2026-03-31"


def in_full(result: rb.BillingResult) -> JsonData:
    return read_json(rb.dumps(result, full=True, policy=INCLUDED))["bills"]


@given(strategies.portfolios(), strategies.asked_periods(), strategies.billing_policies())
def test_bills_of_a_run_are_those_of_single_leases(
    leases: list[rb.LeaseTerms], period: rb.Period, policy: rb.BillingPolicy
) -> None:
    run = bill_portfolio(leases, period, policy=policy, batch_size=2)
    tables = run.to_tables()
    refused = set(tables["problems"].column("row").to_pylist())
    expected = [
        rb.bill_period(lease, period, policy=policy)
        for row, lease in enumerate(leases)
        if row not in refused
    ]
    found = [*bills_from_arrow(tables["bills"], policy=policy)]
    wanted = [each for each in expected if each.bills]

    assert [each.lease_id for each in wanted] == [each.lease_id for each in found]
    for one, other in zip(wanted, found, strict=True):
        assert_bills_equal(one, other)
        assert policy == other.policy
        assert in_full(one) == in_full(other)


def test_a_sample_is_verified() -> None:
    """By both engines, then with a rent of 8,600 in place of 8,500: 100 a month, two months."""
    leases = several_leases()
    table = bill_portfolio(leases_to_arrow(leases), MONTHS, indices=NPI).to_table()
    by_id = {lease.lease_id: lease for lease in leases}
    changed = {**by_id, "plain": a_lease(a_rent(amount=8600), lease_id="plain")}

    def pairs(terms: dict[str | None, rb.LeaseTerms]) -> list[tuple[str, Any, Any]]:
        return [
            (str(each.lease_id), rb.bill_period(terms[each.lease_id], MONTHS, indices=NPI), each)
            for each in bills_from_arrow(table)
        ]

    assert "5 of 5 leases equal, 10 bills" == str(compare_portfolio(pairs(by_id)))
    assert all(rb.check_bill(each).is_consistent for each in bills_from_arrow(table))
    found = compare_portfolio(pairs(changed))
    assert "4 of 5 leases equal, 10 bills" == str(found).splitlines()[0]
    assert "totals too low: 200.00 DKK" in str(found)
    (result,) = (each for each in bills_from_arrow(table) if each.lease_id == "plain")
    assert "subtotal, total (actual is 100.00 lower)" in str(
        bill_diff(rb.bill_period(changed["plain"], MONTHS), result)
    )


def test_numbers_have_their_value_and_not_their_notation() -> None:
    """A rate of 0.1 is written as 0.10, a quantity of 12.50 as 12.5; the bills are equal."""
    lease = a_lease(an_item(quantity="12.50", vat="Exclusive 0.1"))
    expected = rb.bill_period(lease, MONTHS)
    (found,) = bills_from_arrow(bill_portfolio([lease], MONTHS).to_table())

    assert_bills_equal(expected, found)
    assert '"quantity": 12.50, ' in rb.dumps(expected)
    assert '"taxRate": 0.1}' in rb.dumps(expected)
    assert '"quantity": 12.5, ' in rb.dumps(found)
    assert '"taxRate": 0.10}' in rb.dumps(found)
    assert rb.loads(rb.dumps(expected), rb.BillingResult) == rb.loads(
        rb.dumps(found), rb.BillingResult
    )


def forms(folder: Path) -> dict[str, Any]:
    leases = [a_lease(lease_id="a"), a_lease(lease_id="b")]
    table = bill_portfolio(leases, MONTHS).to_table().combine_chunks()
    pq.write_table(table, folder / "bills.parquet")
    return {
        "table": table,
        "chunks": pa.concat_tables([table.slice(0, 1), table.slice(1)]),
        "batch": table.to_batches()[0],
        "reader": table.to_reader(),
        "a run": bill_portfolio(leases, MONTHS, batch_size=1),
        "an iterator": iter(table.to_batches()),
        "pandas": table.to_pandas(),
        "polars": pl.from_arrow(table),
        "path": folder / "bills.parquet",
        "name": str(folder / "bills.parquet"),
        "folder": folder,
        "without rows": table.drop_columns(["row", "cash_rounding"]),
        "without ids": table.drop_columns(["lease_id"]),
    }


def test_bills_are_read_from_whatever_holds_them(tmp_path: Path) -> None:
    for name, given_ in forms(tmp_path).items():
        found = [*bills_from_arrow(given_)]

        ids = [None, None] if name == "without ids" else ["a", "b"]
        assert ids == [each.lease_id for each in found], name
        assert [Decimal(17000)] * 2 == [sum(bill.total.amount for bill in each) for each in found]


def test_bills_without_any_name_are_alone(tmp_path: Path) -> None:
    table = forms(tmp_path)["without ids"].drop_columns(["row"])

    assert [1, 1, 1, 1] == [len(each) for each in bills_from_arrow(table)]


def test_leases_without_an_id_are_told_apart_by_their_rows() -> None:
    table = bill_portfolio([a_lease(), a_lease()], MONTHS).to_table()

    assert [2, 2] == [len(each) for each in bills_from_arrow(table)]


@pytest.mark.parametrize(
    "given_", [None, 5, b"bills.parquet", {}, a_lease(), ["a"], [a_lease()]], ids=repr
)
def test_what_holds_no_bills_is_refused(given_: object) -> None:
    assert [("bills", "not_bills", "contains no bills")] == faults(
        lambda: list(bills_from_arrow(given_)), InvalidRecordError, "path code message"
    )


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    damaged = tmp_path / "bills.parquet"
    damaged.write_bytes(b"PAR1")

    (message,) = faults(lambda: list(bills_from_arrow(damaged)), InvalidRecordError, "message")[0]
    assert message.startswith("cannot be read, it is damaged")


def test_columns_that_are_missing_are_named() -> None:
    lines = bill_portfolio([a_lease()], MONTHS, output="lines").to_table()

    assert [(name, "missing") for name in ("subtotal", "total", "lines", "vat_totals")] == faults(
        lambda: list(bills_from_arrow(lines)), InvalidRecordError
    )


def test_binary_numbers_are_refused(tmp_path: Path) -> None:
    table = forms(tmp_path)["table"]
    columns = {name: table.column(name) for name in table.column_names}
    columns["total"] = columns["total"].cast(pa.float64())
    columns["vat_totals"] = pa.array(
        [[{"vat": {"tax_mode": "Exempt", "tax_rate": None}, "amount": 0, "base": 1.5}]] * 4,
        pa.large_list(
            pa.struct(
                [
                    ("vat", pa.struct([("tax_mode", pa.string()), ("tax_rate", pa.float32())])),
                    *(("amount", pa.decimal128(38, 15)), ("base", pa.float64())),
                ]
            )
        ),
    )

    assert [
        ("total", "not_exact"),
        ("vat_totals.vat.tax_rate", "not_exact"),
        ("vat_totals.base", "not_exact"),
    ] == faults(lambda: list(bills_from_arrow(pa.table(columns))), InvalidRecordError)


def test_a_bill_with_holes_is_refused_with_its_place(tmp_path: Path) -> None:
    rows = forms(tmp_path)["table"].to_pylist()
    rows[3]["lines"][0]["amount"] = None
    found = bills_from_arrow(pa.Table.from_pylist(rows, forms_schema(tmp_path)))

    assert "a" == next(found).lease_id
    with pytest.raises(InvalidRecordError, match=r"^\[3\]: is no whole bill"):
        next(found)


def forms_schema(folder: Path) -> Any:  # noqa: ANN401 - a schema
    return pq.read_schema(folder / "bills.parquet")


def test_a_policy_that_is_none_is_refused() -> None:
    with pytest.raises(TypeError, match="policy"):
        list(bills_from_arrow([], policy="per_line"))  # type: ignore[arg-type]


def test_no_bills_have_no_results() -> None:
    assert [] == [*bills_from_arrow(bill_portfolio([], MONTHS).to_table())]


def test_bytes_of_a_parquet_file_are_its_table(tmp_path: Path) -> None:
    bills = bill_portfolio([a_lease(lease_id="home")], "2026-02-01/2026-02-28").to_table()
    path = tmp_path / "bills.parquet"
    pq.write_table(bills, path)

    assert bills == parquet_table(path.read_bytes(), path)
    with pytest.raises(InvalidRecordError, match="damaged or cut short"):
        parquet_table(path.read_bytes()[:100], path)
