"""Beside earlier bills each lease of a run has an id of its own."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, strategies as st

from rentbilling import InvalidRecordError
from rentbilling.adapters.bill_runs import run_bills
from rentbilling.portfolio import BILL_SCHEMA, BillRecordBatches, bill_portfolio, leases_to_arrow
from rentbilling.portfolio.lease_ids import LeaseIds
from rentbilling.testing import a_lease

PERIOD = "2026-02-01/2026-02-28"
NONE_YET = BILL_SCHEMA.empty_table()


@given(st.lists(st.lists(st.sampled_from([None, *"abcdefghijklm"]), max_size=4), max_size=6))
def test_an_id_is_refused_exactly_where_it_was_met_before(batches: list[list[str | None]]) -> None:
    """In the batch or in any one before, at its last place in the batch, whatever their sizes."""
    ids, seen, first = LeaseIds(), set[str](), 0
    for batch in batches:
        again = None
        for row, each in enumerate(batch, first):
            if each in seen:
                again = row
            elif each is not None:
                seen.add(each)
        rows = range(first, first + len(batch))
        if again is None:
            ids.add(batch, rows)
        else:
            with pytest.raises(InvalidRecordError) as refused:
                ids.add(batch, rows)
            (problem,) = refused.value.problems
            assert (f"[{again}].lease_id", "duplicate_id") == (problem.path, problem.code)
            return
        first += len(batch)


def given_as(form: str, names: Sequence[str], folder: Path) -> Any:  # noqa: ANN401 - a source
    """Return leases as a source of some form."""
    leases = [a_lease(lease_id=name) for name in names]
    if form == "records":
        return leases
    tables = [leases_to_arrow([each]) for each in leases]
    if form == "batches":
        return tables
    pq.write_table(pa.Table.from_batches(tables), folder / "leases.parquet")
    return folder / "leases.parquet"


@pytest.mark.parametrize("batch_size", [1, 2, 3])
@pytest.mark.parametrize("form", ["records", "batches", "parquet"])
def test_a_run_with_two_leases_of_one_id_is_refused(
    tmp_path: Path, form: str, batch_size: int
) -> None:
    """Although the strict word is not said: the bills of the one would correct the other."""
    source = given_as(form, ["home", "flat", "home"], tmp_path)
    run = bill_portfolio(source, PERIOD, already_billed=NONE_YET, batch_size=batch_size)
    with pytest.raises(InvalidRecordError, match=r"\[2\].lease_id: is the id of another lease too"):
        run.to_table()


def test_without_earlier_bills_ids_may_be_alike(tmp_path: Path) -> None:
    """Nothing is found by them then."""
    source = given_as("records", ["home", "home"], tmp_path)

    assert 2 == bill_portfolio(source, PERIOD).to_table().num_rows


def test_an_engine_is_told_of_those_in_one_batch() -> None:
    """It is all that the function sees; the row is that of the column."""
    leases = pa.Table.from_batches([leases_to_arrow([a_lease(lease_id="home")] * 2)])
    numbered = leases.append_column("row", pa.array([70, 80])).to_batches()[0]
    with pytest.raises(InvalidRecordError, match=r"\[80\].lease_id"):
        BillRecordBatches(PERIOD, already_billed=NONE_YET)(numbered)


def test_leases_without_an_id_are_not_alike(tmp_path: Path) -> None:
    """Each of them is a problem of its own."""
    leases = [*given_as("records", ["home"], tmp_path), a_lease(), a_lease()]
    run = bill_portfolio(leases, PERIOD, already_billed=NONE_YET)

    assert 1 == run.to_table().num_rows
    assert 2 == run.summary.with_problems


def test_a_bill_run_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    """The two stand in parts of their own."""
    source = given_as("parquet", ["home", "flat", "home"], tmp_path)
    pq.write_table(NONE_YET, tmp_path / "earlier.parquet")
    options: dict[str, Any] = {"already_billed": tmp_path / "earlier.parquet", "part_size": 1}
    with pytest.raises(InvalidRecordError, match=r"\[2\].lease_id"):
        run_bills(source, PERIOD, tmp_path / "bills.parquet", **options)

    assert ["earlier.parquet", "leases.parquet"] == sorted(each.name for each in tmp_path.iterdir())


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", "d", "\0", "é", "", None]), max_size=5)))
def test_ids_that_come_again_are_told(batches: list[list[str | None]]) -> None:
    """Each but the first of its kind, in whichever batch; nothing of leases without an id."""
    met, ids = set[str | None]([None]), LeaseIds()
    for batch in batches:
        expected = []
        for each in batch:
            expected.append(each is not None and each in met)
            met.add(each)

        assert expected == ids.again(batch)
