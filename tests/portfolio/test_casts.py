"""Leases in other types of Arrow: the same bills, by the same engine, whatever wrote them."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from rentbilling import LeaseTerms, Period
from rentbilling.portfolio import LEASE_SCHEMA, BillRecordBatches, leases_to_arrow
from rentbilling.portfolio.leases.batches import LeaseForm, lease_form
from rentbilling.portfolio.runs import collected
from rentbilling.portfolio.runs.batch_runs import BilledBatch
from rentbilling.testing import a_lease, a_plan, a_rent, an_item, strategies
from tests.portfolio.bulk_rows import NPI, several_leases
from tests.portfolio.flat_portfolios import flat_portfolios, long_windows
from tests.portfolio.retyped import retyped

ITEMS, QUARTER = "recurring_bill_items", "2026-02-01/2026-04-30"
TABLES = ("bills", "lines", "adjustments", "notices", "problems")
randoms = st.randoms(use_true_random=False)


def form_of(batch: Any) -> LeaseForm:  # noqa: ANN401 - a record batch
    found = lease_form(batch)
    assert found is not None
    return found


def check_same(expected: BilledBatch, found: BilledBatch) -> None:
    """Hold what came of two batches against one another, with all that was done one by one."""
    for name in TABLES:
        assert getattr(expected, name).to_pylist() == getattr(found, name).to_pylist()
    assert expected.summary == found.summary


@given(flat_portfolios, long_windows, randoms)
def test_the_kernel_bills_leases_of_other_types(
    portfolio: Sequence[LeaseTerms], period: Period, random: Random
) -> None:
    batch = leases_to_arrow(portfolio)
    bill = BillRecordBatches(period, on_problem="table")

    check_same(bill.billed(batch), bill.billed(retyped(batch, random)))


@given(strategies.portfolios(), strategies.asked_periods(), randoms)
def test_leases_of_every_kind_come_in_other_types(
    portfolio: Sequence[LeaseTerms], period: Period, random: Random
) -> None:
    batch = leases_to_arrow([*portfolio, *several_leases()])
    bill = BillRecordBatches(period, indices=NPI, on_problem="table")

    check_same(bill.billed(batch), bill.billed(retyped(batch, random)))


@given(strategies.billing_runs(), randoms)
def test_plans_come_in_other_types(run: strategies.BillingRun, random: Random) -> None:
    terms, period, indices, policy = run
    batch = leases_to_arrow([a_lease(lease_id="plain"), terms])
    bill = BillRecordBatches(period, indices=indices, policy=policy, on_problem="table")

    check_same(bill.billed(batch), bill.billed(retyped(batch, random)))


@given(flat_portfolios, randoms)
def test_a_batch_in_its_form_is_the_batch(portfolio: Sequence[LeaseTerms], random: Random) -> None:
    batch = leases_to_arrow([*portfolio, *several_leases()])
    first = random.randrange(batch.num_rows)
    form = form_of(retyped(batch, random).slice(first))

    form.batch.validate(full=True)
    assert LEASE_SCHEMA.equals(form.batch.schema)
    assert not form.lost.any()
    expected = [*map(_lists_there, batch.slice(first).to_pylist())]
    assert expected == [*map(_lists_there, form.batch.to_pylist())]


def _lists_there(value: Any) -> Any:  # noqa: ANN401 - part of a row
    """Return part of a row with what says nothing as nothing: structs and lists of none."""
    if isinstance(value, dict):
        found = {name: _lists_there(each) for name, each in value.items()}
        return found if any(each is not None for each in found.values()) else None
    if isinstance(value, list):
        return [_lists_there(each) for each in value] or None
    return value


def with_column(name: str, array: Any, of: Sequence[LeaseTerms]) -> Any:  # noqa: ANN401 - Arrow
    """Return leases as a batch in which a column of the lease is another one."""
    batch = leases_to_arrow(of)
    at = batch.schema.names.index(name)
    return batch.set_column(at, name, array)


def test_a_part_of_a_day_leaves_its_lease_to_the_other_engine() -> None:
    days = pa.array([20_820 * 86_400_000, 86_400_001, None], pa.int64()).view(pa.date64())
    batch = with_column("contract_end", days, [a_lease(), a_lease(), a_lease()])
    form = form_of(batch)
    found = BillRecordBatches(QUARTER, on_problem="table").billed(batch)

    assert [False, True, False] == form.lost.tolist()
    assert [date(2027, 1, 2), None, None] == form.batch.column("contract_end").to_pylist()
    assert {0, 2} == set(found.bills.column("row").to_pylist())
    assert ["'1 days after 1970-01-01, and a part of one'"] == [
        row["met"] for row in found.problems.to_pylist()
    ]
    assert 1 == found.summary.scalar_leases


def test_a_day_beyond_a_column_of_days_is_not_wrapped() -> None:
    """2**31 days of 86,400,000 milliseconds are no day of 32 bits, and no earlier one either."""
    days = pa.array([2**31 * 86_400_000, -(2**31) * 86_400_000 - 86_400_000], pa.int64())
    form = form_of(with_column("contract_end", days.view(pa.date64()), [a_lease(), a_lease()]))

    assert [True, True] == form.lost.tolist()


@pytest.mark.parametrize(
    ("kind", "figure", "met"),
    [
        (pa.decimal256(60, 20), "8500.00000000000000000001", "8500.00000000000000000001"),
        (pa.decimal256(60, 0), "1E+50", f"1{'0' * 50}"),
        (pa.decimal128(38, 16), "0.0000000000000001", "1E-16"),
        # The zeros of its column are no digits of its own.
        (pa.decimal128(38, 30), "0.0000000000000001", "1E-16"),
        (pa.decimal128(38, 30), "1.000000000000000000001", "1.000000000000000000001"),
    ],
    ids=str,
)
def test_a_number_that_does_not_fit_leaves_its_lease_to_the_other_engine(
    kind: Any,  # noqa: ANN401 - an Arrow type
    figure: str,
    met: str,
) -> None:
    """More decimals or digits than the form has: that lease is refused, and not cut (A1)."""
    batch = leases_to_arrow([a_lease(a_rent(), an_item()), a_lease(a_rent(), an_item())])
    numbers = pa.array([Decimal(2), None, Decimal(3), Decimal(figure)], kind)
    found = BillRecordBatches(QUARTER, on_problem="table").billed(_with_quantity(batch, numbers))
    form = form_of(_with_quantity(batch, numbers))

    assert [False, True] == form.lost.tolist()
    assert [Decimal(2), None] == [each["quantity"] for each in form.batch.column(ITEMS)[0].as_py()]
    assert {0} == set(found.bills.column("row").to_pylist())
    assert [(f"{ITEMS}[1].quantity", met)] == [
        (row["path"], row["met"]) for row in found.problems.to_pylist()
    ]


def _with_quantity(batch: Any, numbers: Any) -> Any:  # noqa: ANN401 - Arrow
    items = batch.column(ITEMS)
    names = [each.name for each in items.type.value_type]
    columns = dict(zip(names, items.flatten().flatten(), strict=True)) | {"quantity": numbers}
    structs = pa.StructArray.from_arrays([*columns.values()], names=[*columns])
    listed = pa.ListArray.from_arrays(items.offsets, structs)
    return batch.set_column(batch.schema.names.index(ITEMS), ITEMS, listed)


def test_a_whole_number_without_a_sign_that_is_too_large_is_not_wrapped() -> None:
    """2**64 − 1 is not −1."""
    plans = [a_plan(created="2026-01-01T00:00:00Z")]
    batch = leases_to_arrow([a_lease(plans=plans), a_lease(plans=plans)])
    listed = batch.column("rent_adjustment_plans")
    rules = dict(zip(*_parts(listed.flatten()), strict=True))["rent_adjustment_rules"]
    names, columns = _parts(rules.flatten())
    months = pa.array([3, 2**64 - 1], pa.uint64())
    at = names.index("adjustment_month")
    inner = pa.StructArray.from_arrays([*columns[:at], months, *columns[at + 1 :]], names=names)
    rule = pa.ListArray.from_arrays(rules.offsets, inner)
    outer = pa.StructArray.from_arrays([rule], names=["rent_adjustment_rules"])
    plan = pa.ListArray.from_arrays(listed.offsets, outer)
    form = form_of(pa.RecordBatch.from_arrays([plan], names=["rent_adjustment_plans"]))

    assert [False, True] == form.lost.tolist()


def _parts(array: Any) -> tuple[list[str], list[Any]]:  # noqa: ANN401 - an Arrow array
    return [each.name for each in array.type], array.flatten()


def test_values_that_are_lost_in_a_dictionary_are_those_that_are_used() -> None:
    days = pa.array([86_400_001, 86_400_000], pa.int64()).view(pa.date64())
    encoded = pa.DictionaryArray.from_arrays(pa.array([0, None, 1, 0], pa.int8()), days)
    form = form_of(with_column("contract_end", encoded, [a_lease()] * 4))

    assert [True, False, False, True] == form.lost.tolist()


def test_date_times_are_written_with_their_offset() -> None:
    moments = pa.array([0, None, 10**15], pa.int64()).view(pa.timestamp("s", "Europe/Paris"))
    structs = pa.StructArray.from_arrays([moments], names=["created"])
    plans = pa.ListArray.from_arrays([0, 1, 2, 3], structs)
    form = form_of(pa.RecordBatch.from_arrays([plans], names=["rent_adjustment_plans"]))

    assert [
        "1970-01-01T00:00:00+00:00",
        None,
        "1000000000000000000000 microseconds after 1970-01-01",
    ] == [plan[0]["created"] for plan in form.batch.column("rent_adjustment_plans").to_pylist()]


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("lease_id", pa.array([1])),
        ("lease_id", pa.array([1]).view(pa.timestamp("s", "UTC"))),
        ("contract_end", pa.array(["2026-01-01"])),
        ("balances", pa.array([1.5])),
        ("balances", pa.array([[1]])),
        ("rent_adjustment_plans", pa.array([[{"created": 1}]])),
        ("rent_adjustment_plans", pa.array([[{"adjusts_balance": 1}]])),
    ],
)
def test_columns_that_say_something_else_have_no_form(name: str, array: Any) -> None:  # noqa: ANN401 - an Arrow array
    assert lease_form(pa.RecordBatch.from_arrays([array], names=[name])) is None


def test_texts_that_are_no_unicode_are_the_problem_of_their_lease() -> None:
    ids = pa.array([b"fine", b"\xff"], pa.binary_view()).view(pa.string_view())
    found = BillRecordBatches(QUARTER, on_problem="table").billed(
        with_column("lease_id", ids, [a_lease(), a_lease()])
    )

    assert {0} == set(found.bills.column("row").to_pylist())
    assert ["lease_id"] == [row["path"] for row in found.problems.to_pylist()]
    assert 2 == found.summary.scalar_leases


@given(flat_portfolios)
def test_without_a_form_all_goes_one_by_one(portfolio: Sequence[LeaseTerms]) -> None:
    batch, bill = leases_to_arrow(portfolio), BillRecordBatches(QUARTER, on_problem="table")
    expected = bill.billed(batch)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collected, "lease_form", lambda _: None)
        found = bill.billed(batch)

    assert expected.bills.to_pylist() == found.bills.to_pylist()
    assert found.summary.leases == found.summary.scalar_leases


def test_without_a_form_earlier_bills_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lease a was sent is not billed again (A53)."""
    batch = leases_to_arrow([a_lease(lease_id="a"), a_lease(lease_id="b")])
    sent = BillRecordBatches(QUARTER)(batch.slice(0, 1))
    monkeypatch.setattr(collected, "lease_form", lambda _: None)
    found = BillRecordBatches(QUARTER, already_billed=sent).billed(batch)

    assert {"b"} == set(found.bills.column("lease_id").to_pylist())
