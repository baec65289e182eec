"""Each lease of a run has an id of its own, and is billed once."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, strategies as st

from rentbilling.adapters.file_runs import FileRefusedError, check_leases, run_bills
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import BILL_SCHEMA, BillRecordBatches, bill_portfolio, leases_to_arrow
from rentbilling.portfolio.leases import ids as lease_ids
from rentbilling.portfolio.leases.ids import LeaseIds
from rentbilling.testing import a_lease
from tests.support.run_files import never

PERIOD = "2026-02-01/2026-02-28"
NONE_YET = BILL_SCHEMA.empty_table()


def half_alike(lease_id: str) -> bytes:
    return bytes(7) + bytes([len(lease_id)]) + lease_id.encode().ljust(8, b"?")


@pytest.mark.parametrize("fingerprint", [lease_ids._fingerprint, half_alike])
@given(st.lists(st.lists(st.sampled_from([None, *"abcdefghijklm"]), max_size=4), max_size=6))
def test_an_id_is_refused_exactly_where_it_was_met_before(
    fingerprint: Callable[[str], bytes], batches: list[list[str | None]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lease_ids, "_fingerprint", fingerprint)
        patch.setattr(lease_ids, "_LONGEST", 5)
        check_refused(batches)


def test_rows_have_any_number() -> None:
    ids = LeaseIds()

    assert ids.repeated(["a", "b"], [2**40, 7]) is None
    assert (2**40, 2**41) == ids.repeated(["c", "a"], [3, 2**41])[1:]  # type: ignore[index]


def check_refused(batches: list[list[str | None]]) -> None:
    """Meet batches of ids, and hold what is refused against what was met, and where."""
    ids, seen, first = LeaseIds(), dict[str, int](), 0
    for batch in batches:
        again = None
        for row, each in enumerate(batch, first):
            if each in seen:
                again = row
            elif each is not None:
                seen[each] = row
        rows = range(first, first + len(batch))
        if again is None:
            ids.add(batch, rows)
        else:
            with pytest.raises(InvalidRecordError) as refused:
                ids.add(batch, rows)
            (problem,) = refused.value.problems
            assert (f"[{again}].lease_id", "duplicate_id") == (problem.path, problem.code)
            other = seen[batch[again - first] or ""]
            assert f"another lease too: row {other} and row {again}" in problem.message
            return
        first += len(batch)


def given_as(form: str, names: Sequence[str], folder: Path) -> Any:  # noqa: ANN401 - a source
    leases = [a_lease(lease_id=name) for name in names]
    if form == "records":
        return leases
    tables = [leases_to_arrow([each]) for each in leases]
    if form == "batches":
        return tables
    pq.write_table(pa.Table.from_batches(tables), folder / "leases.parquet")
    return folder / "leases.parquet"


@pytest.mark.parametrize("earlier", [None, NONE_YET])
@pytest.mark.parametrize("batch_size", [1, 2, 3])
@pytest.mark.parametrize("form", ["records", "batches", "parquet"])
def test_a_run_with_two_leases_of_one_id_is_refused(
    tmp_path: Path, form: str, batch_size: int, earlier: object
) -> None:
    source = given_as(form, ["home", "flat", "home"], tmp_path)
    run = bill_portfolio(source, PERIOD, already_billed=earlier, batch_size=batch_size)
    where = f" of {source}" if form == "parquet" else ""
    said = f"[2].lease_id: is the id of another lease too: row 0{where} and row 2{where} "
    with pytest.raises(InvalidRecordError, match=re.escape(said)):
        run.to_table()


def two_files(folder: Path) -> Path:
    """Write a file of three leases, and one of which the last is in the other one too."""
    for name, ids in (("a.parquet", ("home", "flat", None)), ("b.parquet", ("hut", "flat"))):
        table = pa.Table.from_batches([leases_to_arrow([a_lease(lease_id=each) for each in ids])])
        (folder / "leases").mkdir(exist_ok=True)
        pq.write_table(table, folder / "leases" / name)
    return folder / "leases"


def test_a_lease_in_two_files_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    leases = two_files(tmp_path)
    said = f"row 1 of {leases / 'a.parquet'} and row 1 of {leases / 'b.parquet'}"
    for on_problem in ("table", "raise"):
        run = bill_portfolio(leases, PERIOD, on_problem=on_problem, batch_size=2)
        with pytest.raises(InvalidRecordError, match=re.escape(said)) as refused:
            run.write_parquet(tmp_path / "bills.parquet")

        (problem,) = refused.value.problems
        assert ("[4].lease_id", "duplicate_id", "'flat'") == problem[:2] + problem[3:4]
    assert ["leases"] == [each.name for each in tmp_path.iterdir()]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bill_run_of_a_lease_in_two_files_is_refused_at_once(
    tmp_path: Path, workers: int
) -> None:
    leases = two_files(tmp_path)
    said = f"row 1 of {leases / 'a.parquet'} and row 1 of {leases / 'b.parquet'}"
    options: dict[str, Any] = {"part_size": 1, "workers": workers, "engine": never}
    with pytest.raises(FileRefusedError, match=re.escape(said)) as refused:
        run_bills(leases, PERIOD, tmp_path / "bills.csv", **options)
    with pytest.raises(FileRefusedError, match=re.escape(said)):
        check_leases(leases, PERIOD, **options)

    assert str(leases / "b.parquet") == refused.value.file
    assert ["leases"] == [each.name for each in tmp_path.iterdir()]


def test_rows_of_a_file_without_ids_are_counted(tmp_path: Path) -> None:
    leases = two_files(tmp_path)
    nameless = pq.read_table(leases / "b.parquet").drop_columns(["lease_id"])
    pq.write_table(nameless, leases / "0.parquet")
    with pytest.raises(FileRefusedError, match=r"\[6\]\.lease_id"):
        check_leases(leases, PERIOD)
    (leases / "b.parquet").unlink()

    assert 5 == check_leases(leases, PERIOD).summary.billed


def test_numbers_of_the_leases_own_are_told_in_place_of_rows_of_files(tmp_path: Path) -> None:
    table = pa.Table.from_batches([leases_to_arrow([a_lease(lease_id="home")] * 2)])
    path = tmp_path / "leases.parquet"
    pq.write_table(table.append_column("row", pa.array([80, -7])), path)
    for refusing in (
        lambda: bill_portfolio(path, PERIOD).to_table(),
        lambda: check_leases(path, PERIOD),
    ):
        with pytest.raises(InvalidRecordError, match=r"another lease too: row -7 and row 80 "):
            refusing()


def test_a_partition_with_a_lease_twice_is_refused() -> None:
    batch = leases_to_arrow([a_lease(lease_id="home"), a_lease()])
    twice = pa.Table.from_batches([batch, batch])
    bill = BillRecordBatches(PERIOD)
    for refusing in (
        lambda: bill(twice.combine_chunks().to_batches()[0]),
        lambda: bill(twice),
        lambda: list(bill.each([batch, batch])),
        lambda: bill.billed([a_lease(lease_id="home")] * 2),
    ):
        with pytest.raises(InvalidRecordError, match="is the id of another lease too: row 0 and"):
            refusing()

    assert 4 == bill(batch).num_rows + bill(batch).num_rows


def test_an_engine_is_told_of_those_in_one_batch() -> None:
    leases = pa.Table.from_batches([leases_to_arrow([a_lease(lease_id="home")] * 2)])
    numbered = leases.append_column("row", pa.array([70, 80])).to_batches()[0]
    with pytest.raises(InvalidRecordError, match=r"\[80\].lease_id"):
        BillRecordBatches(PERIOD, already_billed=NONE_YET)(numbered)


def test_leases_without_an_id_are_not_alike(tmp_path: Path) -> None:
    leases = [*given_as("records", ["home"], tmp_path), a_lease(), a_lease()]
    run = bill_portfolio(leases, PERIOD, already_billed=NONE_YET)

    assert 1 == run.to_table().num_rows
    assert 2 == run.summary.with_problems


def test_a_bill_run_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    source = given_as("parquet", ["home", "flat", "home"], tmp_path)
    pq.write_table(NONE_YET, tmp_path / "earlier.parquet")
    options: dict[str, Any] = {"already_billed": tmp_path / "earlier.parquet", "part_size": 1}
    with pytest.raises(InvalidRecordError, match=r"\[2\].lease_id"):
        run_bills(source, PERIOD, tmp_path / "bills.parquet", **options)

    assert ["earlier.parquet", "leases.parquet"] == sorted(each.name for each in tmp_path.iterdir())


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", "d", "\0", "é", "", None]), max_size=5)))
def test_ids_that_come_again_are_told(batches: list[list[str | None]]) -> None:
    met, ids = set[str | None]([None]), LeaseIds()
    for batch in batches:
        expected = []
        for each in batch:
            expected.append(each is not None and each in met)
            met.add(each)

        assert expected == ids.again(batch)
