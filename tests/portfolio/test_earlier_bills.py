"""A portfolio that was billed before: nothing twice, corrections, and what was missed (A53)."""

import pickle
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given

from rentbilling import BillingPolicy, LeaseTerms, Period, bill_period
from rentbilling.errors import InvalidPeriodError, InvalidRecordError
from rentbilling.portfolio import (
    BILL_SCHEMA,
    BillRecordBatches,
    bill_portfolio,
    leases_from_arrow,
    leases_to_arrow,
)
from rentbilling.portfolio.runs.bill_sources import BillFile
from rentbilling.portfolio.runs.earlier_bills import EarlierBills
from rentbilling.testing import a_lease, a_one_time_item, a_rent, an_item, strategies
from tests.portfolio.bulk_rows import bills_in_full, bills_of_rows
from tests.support.refusals import faults
from tests.support.rows import rows

MONTH, QUARTER = "2026-02-01/2026-02-28", "2026-02-01/2026-04-30"


def table(leases: Sequence[LeaseTerms], period: Period | str, **choices: Any) -> Any:  # noqa: ANN401
    return bill_portfolio(leases_to_arrow(leases), period, **choices).to_table()


@given(strategies.portfolios(), strategies.asked_periods(), strategies.billing_policies())
def test_running_twice_bills_nothing_twice(
    leases: list[LeaseTerms], period: Period, policy: BillingPolicy
) -> None:
    """A53: the second run of the same leases and days has no bills."""
    first = table(leases, period, policy=policy)

    assert 0 == table(leases, period, policy=policy, already_billed=first).num_rows


@given(strategies.portfolios(), strategies.asked_periods())
def test_bills_are_read_as_they_were_written(leases: list[LeaseTerms], period: Period) -> None:
    read = list(leases_from_arrow(leases_to_arrow(leases)))
    results = [bill_period(lease, period) for lease in read]
    earlier = EarlierBills(table(leases, period)).of(
        [str(lease.lease_id) for lease in leases], BillingPolicy()
    )

    for result in results:
        found = earlier.get(str(result.lease_id), [])
        assert isinstance(found, list)
        assert list(result.bills) == found
        for bill, again in zip(result.bills, found, strict=True):
            assert (bill.due, bill.sums, bill.raw_totals) == (
                *(again.due, again.sums, again.raw_totals),
            )
            assert [
                (line.item_id, line.kind, line.share, line.regular_period, line.description)
                for line in bill.lines
            ] == [
                (line.item_id, line.kind, line.share, line.regular_period, line.description)
                for line in again.lines
            ]


def test_changes_are_corrected_as_for_a_lease_alone() -> None:
    """A rent that rose to 9,000, an item that is new, and a lease that was never billed."""
    before = [a_lease(lease_id="a"), a_lease(lease_id="b"), a_lease(an_item(), lease_id="c")]
    now = [
        a_lease(a_rent(amount=9000), lease_id="a"),
        a_lease(a_rent(), a_one_time_item(due_date="2026-03-05"), lease_id="b"),
        a_lease(an_item(), lease_id="c"),
        a_lease(lease_id="new"),
    ]
    sent = [bill_period(lease, MONTH) for lease in before]
    expected = [
        bill_period(lease, QUARTER, already_billed=result)
        for lease, result in zip(now, sent, strict=False)
    ]
    found = table(now, QUARTER, already_billed=table(before, MONTH))

    assert bills_in_full([*expected, bill_period(now[3], QUARTER)]) == bills_of_rows(found)
    corrections = [
        (bill["lease_id"], line["net_price"])
        for bill in found.to_pylist()
        for line in bill["lines"]
        if line["kind"] == "correction"
    ]
    assert [("a", Decimal(500))] == corrections


def test_leases_of_a_batch_are_billed_as_records_are() -> None:
    leases = [a_lease(lease_id=f"lease-{at}") for at in range(4)]
    earlier = table(leases[1:2], MONTH)
    bill = BillRecordBatches(MONTH, already_billed=earlier)
    found = bill.billed(leases_to_arrow(leases))

    assert [0, 2, 3] == found.bills.column("row").to_pylist()
    assert 0 == found.summary.scalar_leases
    assert 1 == found.summary.nothing_due
    assert found.bills == bill.billed(leases).bills


def test_what_was_missed_is_made_up_since_a_day() -> None:
    """From January on, also for a lease without earlier bills: 8,500 each month."""
    leases = [a_lease(lease_id="a"), a_lease(lease_id="b")]
    found = table(
        leases, MONTH, already_billed=table(leases[:1], MONTH), billed_since="2026-01-01"
    ).to_pylist()

    assert [("a", Decimal(8500)), ("b", Decimal(17000))] == [
        (bill["lease_id"], bill["total"]) for bill in found
    ]


@pytest.mark.parametrize("batch_size", [1, 3])
def test_earlier_bills_are_found_in_any_part_of_a_file(batch_size: int, tmp_path: Path) -> None:
    leases = [a_lease(lease_id=f"lease-{at}") for at in range(6)]
    path = tmp_path / "bills.parquet"
    bill_portfolio(leases, MONTH, batch_size=2).write_parquet(path)
    again = bill_portfolio(
        [*leases[::-1], a_lease(lease_id="new")],
        MONTH,
        already_billed=path,
        batch_size=batch_size,
    )

    assert ["new"] == again.to_table().column("lease_id").to_pylist()
    assert 6 == again.summary.nothing_due


def test_only_the_parts_of_a_file_are_read_that_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bills.parquet"
    leases = [a_lease(lease_id=f"lease-{at}") for at in range(6)]
    bill_portfolio(leases, MONTH, batch_size=2).write_parquet(path)
    earlier = EarlierBills(path)
    assert earlier == pickle.loads(pickle.dumps(earlier))
    read: list[int] = []
    group = pq.ParquetFile.read_row_group

    def watched(self: Any, at: int, *rest: Any, **options: Any) -> Any:  # noqa: ANN401
        read.append(at)
        return group(self, at, *rest, **options)

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", watched)

    assert ["lease-3"] == list(earlier.of(["lease-3", "none"], BillingPolicy()))
    assert {} == earlier.of(["none"], BillingPolicy())
    assert [1] == read


def test_cash_rounding_and_private_currencies_are_read_again() -> None:
    """A2, A52: 8,500.3 points in steps of 0.5."""
    policy = BillingPolicy(currencies={"PTS": 1}, cash_rounding={"PTS": Decimal("0.5")})
    rows = leases_to_arrow([a_lease(lease_id="a")]).to_pylist()
    (item,) = rows[0]["recurring_bill_items"]
    for amount in (item["amount"], item["first_billing_period_bill_item"]["amount"]):
        amount |= {"currency": "PTS", "amount": Decimal("8500.3")}
    batch = pa.RecordBatch.from_pylist(rows, leases_to_arrow([]).schema)
    bills = BillRecordBatches(MONTH, policy=policy)(batch)
    earlier = EarlierBills(bills).of(["a"], policy)["a"]

    assert isinstance(earlier, list)
    (found,) = earlier
    assert (85_003, 85_003, 2) == found.sums
    assert 0 == BillRecordBatches(MONTH, policy=policy, already_billed=bills)(batch).num_rows


def test_a_lease_without_an_id_is_a_problem_beside_earlier_bills() -> None:
    earlier = table([a_lease(lease_id="a")], MONTH)
    bill = BillRecordBatches(MONTH, already_billed=earlier, on_problem="table")
    without = leases_to_arrow([a_lease()])
    for leases in (without, without.drop_columns(["lease_id"]), [a_lease()]):
        (problem,) = bill.billed(leases).problems.to_pylist()

        assert ("lease_id", "missing") == (problem["path"], problem["code"])


def test_it_goes_to_another_process_that_stands_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bills.parquet"
    lease = a_lease(lease_id="a")
    bill_portfolio([lease], MONTH).write_parquet(path)
    monkeypatch.chdir(tmp_path)
    bill = BillRecordBatches(QUARTER, already_billed="bills.parquet")
    monkeypatch.chdir("/")
    monkeypatch.setattr(BillFile, "bill_keys", None)
    again = pickle.loads(pickle.dumps(bill))

    assert 2 == again(leases_to_arrow([lease])).num_rows
    assert bill.already_billed == again.already_billed
    assert bill.already_billed != path
    assert hash(bill.already_billed) == hash(again.already_billed)


def test_an_earlier_bill_of_no_certain_item_is_a_problem_of_its_lease() -> None:
    earlier = table([a_lease(lease_id="a"), a_lease(lease_id="b")], MONTH).to_pylist()
    earlier[0]["lines"][0] |= {"item_id": None, "product_key": "key:other"}
    bills = pa.Table.from_pylist(earlier, BILL_SCHEMA)
    found = bill_portfolio(
        [a_lease(lease_id="a"), a_lease(lease_id="b")], MONTH, already_billed=bills
    ).to_tables()

    assert [0] == found["problems"].column("row").to_pylist()
    assert 0 == found["bills"].num_rows


@rows(
    ("change", "path", "code"),
    [
        (lambda bill: bill.update(currency="XXQ"), "already_billed.currency", "unknown_currency"),
        (
            lambda bill: bill["lines"][0].update(quantity=None),
            "already_billed",
            "not_a_bill",
        ),
    ],
    ids=["an unknown currency", "a hole"],
)
def test_an_earlier_bill_that_cannot_be_read_is_a_problem_of_its_lease(
    change: Any,  # noqa: ANN401 - a lambda
    path: str,
    code: str,
) -> None:
    leases = [a_lease(lease_id="a"), a_lease(lease_id="b")]
    rows = table(leases, "2026-01-01/2026-02-28").to_pylist()
    change(rows[0])
    bills = pa.Table.from_pylist(rows, BILL_SCHEMA)
    found = bill_portfolio(leases, QUARTER, already_billed=bills).to_tables()

    assert [(0, path, code)] == [
        (row["row"], row["path"], row["code"]) for row in found["problems"].to_pylist()
    ]
    assert {"b"} == set(found["bills"].column("lease_id").to_pylist())


@rows(
    ("change", "path", "code"),
    [
        (lambda bills: bills.drop_columns(["total"]), "already_billed.total", "missing"),
        (
            lambda bills: bills.set_column(5, "total", pa.array([8500.0])),
            "already_billed.total",
            "wrong_type",
        ),
        (
            lambda bills: bills.set_column(1, "lease_id", pa.array([None], pa.string())),
            "already_billed.lease_id",
            "missing",
        ),
    ],
    ids=["no such column", "another type", "a hole"],
)
def test_tables_that_are_no_bills_are_refused(change: Any, path: str, code: str) -> None:  # noqa: ANN401
    bills = change(table([a_lease(lease_id="a")], MONTH))

    assert [(path, code)] == faults(
        lambda: BillRecordBatches(MONTH, already_billed=bills, on_problem="table"),
        InvalidRecordError,
    )


def test_what_holds_no_bills_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecordError, match="already_billed: contains no bills"):
        BillRecordBatches(MONTH, already_billed=1)
    with pytest.raises(InvalidRecordError, match=r"already_billed\[1\]: contains no bills"):
        BillRecordBatches(MONTH, already_billed=[BILL_SCHEMA.empty_table(), b"bills"])
    with pytest.raises(InvalidRecordError, match=r"is a text.*expected the Parquet file of the"):
        BillRecordBatches(MONTH, already_billed=tmp_path / "bills.jsonl")
    (tmp_path / "bills.parquet").write_bytes(b"PAR1")
    with pytest.raises(InvalidRecordError, match="damaged or cut short"):
        BillRecordBatches(MONTH, already_billed=tmp_path / "bills.parquet")
    with pytest.raises(FileNotFoundError):
        BillRecordBatches(MONTH, already_billed=tmp_path / "none.parquet")


def test_a_first_day_needs_earlier_bills() -> None:
    with pytest.raises(InvalidRecordError, match="billed_since: has no effect"):
        bill_portfolio([], MONTH, billed_since="2026-01-01")
    with pytest.raises(InvalidPeriodError, match="billed_since"):
        bill_portfolio([], MONTH, billed_since="January")


def test_the_summary_tells_of_leases_that_are_gone() -> None:
    names = ("home", "flat", "shed")
    leases = [a_lease(lease_id=name) for name in names]
    earlier = table(leases, MONTH)
    said = {}
    for kept in (2, 1):
        run = bill_portfolio(leases[:kept], "2026-03-01/2026-03-31", already_billed=earlier)
        run.to_table()
        said[kept] = str(run.summary)

    assert "1 lease with earlier bills is not in the source" in said[2]
    assert "2 leases with earlier bills are not in the source" in said[1]
