"""Part tasks: the same leases in the same parts, however their files are made and read."""

import pickle
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, strategies as st

from rentbilling.adapters.file_runs import FileRefusedError
from rentbilling.adapters.file_runs.engines import MadeParts
from rentbilling.adapters.file_runs.forms import PartMaker
from rentbilling.adapters.file_runs.lease_files import lease_files
from rentbilling.adapters.file_runs.part_tasks import (
    PartTask,
    Span,
    can_be_read_in_parts,
    leases_of,
    passing_tasks,
    referring_tasks,
)
from rentbilling.portfolio import LEASE_SCHEMA
from rentbilling.portfolio.arrow.joined_batches import BATCH_SIZE
from rentbilling.portfolio.runs.histories import mark_of
from tests.support.run_files import lease_file, lease_table, made


def numbered(count: int) -> Any:  # noqa: ANN401 - a table
    ids = pa.array([f"lease-{number}" for number in range(count)], pa.string())
    items = LEASE_SCHEMA.field("recurring_bill_items")
    return pa.table({"lease_id": ids, items.name: pa.nulls(count, items.type)})


def write_groups(path: Path, table: Any, groups: list[int]) -> None:  # noqa: ANN401 - a table
    """Write a file with groups of rows of some sizes, and a last one with the rest."""
    at = 0
    with pq.ParquetWriter(path, table.schema) as writer:
        for size in (*groups, table.num_rows):
            if at < table.num_rows:
                writer.write_table(table.slice(at, size))
            at += size


def ids_of(given: Any) -> list[str]:  # noqa: ANN401 - spans, streams or batches
    return [each for batch in leases_of(given) for each in batch.column("lease_id").to_pylist()]


@given(
    st.lists(st.integers(1, 7), max_size=6),
    st.lists(st.integers(1, 7), max_size=6),
    st.integers(0, 30),
    st.integers(0, 30),
    st.integers(1, 9),
    st.sets(st.integers(0, 5)),
)
def test_a_part_is_so_many_leases_of_the_source(
    groups: list[int], others: list[int], first: int, second: int, size: int, kept: set[int]
) -> None:
    """Part 2 of 5 leases has the leases 10 to 14, read here or there, whatever groups they are in.

    Two files of some groups; some parts are there already.
    """
    ids = numbered(first + second).column(0).to_pylist()
    expected = {
        number: ids[number * size : (number + 1) * size]
        for number in range(-(-len(ids) // size))
        if number not in kept
    }
    with TemporaryDirectory() as folder:
        table = numbered(first + second)
        write_groups(Path(folder, "a.parquet"), table.slice(0, first), groups)
        write_groups(Path(folder, "b.parquet"), table.slice(first), others)
        files = lease_files(Path(folder), "refuse")
        for tasks in (referring_tasks, passing_tasks):
            here = [(each.number, ids_of(each.given)) for each in tasks(files, size, kept)]
            sent = [
                (each.first_row, pickle.dumps(each.sent())) for each in tasks(files, size, kept)
            ]

            assert [*expected.items()] == here
            assert [number * size for number in expected] == [row for row, _ in sent]
            assert [*expected.values()] == [ids_of(pickle.loads(each)) for _, each in sent]


def test_only_small_groups_of_rows_are_read_in_parts(tmp_path: Path) -> None:
    table = numbered(12)
    for size in (8, 9):
        write_groups(tmp_path / f"{size}.parquet", table, [size])
    arrow = tmp_path / "of arrow" / "leases.arrow"
    arrow.parent.mkdir()

    assert can_be_read_in_parts(lease_files(tmp_path / "8.parquet", "refuse"), 4)
    assert not can_be_read_in_parts(lease_files(tmp_path / "9.parquet", "refuse"), 4)
    assert not can_be_read_in_parts(lease_files(tmp_path, "refuse"), 4)
    with pa.ipc.new_file(arrow, table.schema) as writer:
        writer.write_table(table)
    assert not can_be_read_in_parts(lease_files(arrow, "refuse"), 4)


def test_small_batches_are_put_together() -> None:
    """Six of 1,000 are one of 4,096, which is what the kernel is quick with, and the rest."""
    batches = [batch for _ in range(6) for batch in numbered(1000).to_batches()]

    assert [BATCH_SIZE, 6000 - BATCH_SIZE] == [each.num_rows for each in leases_of(batches)]


def test_files_whose_columns_differ_share_a_part(tmp_path: Path) -> None:
    folder = tmp_path / "leases"
    folder.mkdir()
    table = lease_table()
    pq.write_table(table.slice(0, 10), folder / "a.parquet")
    pq.write_table(table.slice(10).select(table.schema.names[::-1]), folder / "b.parquet")
    first = made(lease_file(tmp_path), tmp_path / "one.parquet")
    sent = made(folder, tmp_path / "sent.parquet", workers=2, send_leases=True)
    read = made(folder, tmp_path / "read.parquet", workers=2, part_size=8)

    assert first == sent
    assert first.summary == read.summary
    assert pq.read_table(tmp_path / "one.parquet") == pq.read_table(tmp_path / "sent.parquet")
    assert pq.read_table(tmp_path / "one.parquet") == pq.read_table(tmp_path / "read.parquet")


@pytest.mark.parametrize("sends", [False, True])
def test_workers_read_unless_leases_are_sent(tmp_path: Path, sends: bool) -> None:
    kinds: set[type] = set()

    def engine(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
        for task in tasks:
            sent = task.sent()
            kinds.update(map(type, sent))
            yield task.number, make(sent, task.first_row)

    leases = lease_file(tmp_path)
    found = made(leases, tmp_path / "b.parquet", engine=engine, send_leases=sends, part_size=12)

    assert {bytes if sends else Span} == kinds
    assert found == made(leases, tmp_path / "plain.parquet", part_size=12)
    assert (tmp_path / "plain.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_file_that_is_another_one_where_it_is_billed_is_refused(tmp_path: Path) -> None:
    leases = lease_file(tmp_path)
    span = Span(str(leases), mark_of(leases), (0,), 0, 4)
    found = [batch.num_rows for batch in span.batches()]
    pq.write_table(lease_table().slice(1), leases)
    changed = span._replace(mark=f"{span.mark} of a copy")
    with pytest.raises(FileRefusedError, match="is another file where it is billed") as refused:
        next(changed.batches())
    again = pickle.loads(pickle.dumps(refused.value))

    leases.unlink()
    with pytest.raises(FileRefusedError, match="cannot be read where it is billed"):
        next(changed._replace(mark="of a file that was there").batches())

    assert [4] == found
    assert (str(leases), "other_file") == (again.file, again.problems[0].code)
