"""Folders with sub-folders: every Parquet file below them is read, or the folder is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import BILL_SCHEMA, bill_portfolio, leases_to_arrow
from rentbilling.portfolio.leases.sources import leases_in
from rentbilling.testing import a_lease

FEBRUARY, MARCH = "2026-02-01/2026-02-28", "2026-03-01/2026-03-31"


def table_of(*ids: str) -> Any:  # noqa: ANN401 - pyarrow has no types
    return pa.Table.from_batches([leases_to_arrow([a_lease(lease_id=each) for each in ids])])


def written(path: Path, *ids: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table_of(*ids), path)
    return path


def billed(folder: Path, **options: Any) -> list[str]:  # noqa: ANN401 - options by name
    found: list[str] = bill_portfolio(folder, MARCH, **options).to_table()["lease_id"].to_pylist()
    return found


def test_leases_of_sub_folders_are_billed(tmp_path: Path) -> None:
    written(tmp_path / "c.parquet", "c")
    written(tmp_path / "b" / "2.PQ", "b2")
    written(tmp_path / "b" / "1.parquet", "b1")
    written(tmp_path / "a" / "deep" / "x.parquet" / "part-0.parquet", "a")
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / "b" / "readme.txt").write_text("not leases")
    (tmp_path / ".c.csv.new").write_text("not finished")
    (tmp_path / "gone").symlink_to(tmp_path / "nothing")
    (tmp_path / ".git").mkdir()

    assert ["a", "b1", "b2", "c"] == billed(tmp_path)
    assert 4 == leases_in(tmp_path)


def test_a_folder_that_is_linked_is_read(tmp_path: Path) -> None:
    written(tmp_path / "elsewhere" / "a.parquet", "a")
    (tmp_path / "leases").mkdir()
    (tmp_path / "leases" / "linked").symlink_to(tmp_path / "elsewhere")

    assert ["a"] == billed(tmp_path / "leases")


def test_a_data_set_in_partitions_is_billed(tmp_path: Path) -> None:
    table = table_of("a", "b").append_column("region", pa.array(["Fyn", "Als"]))
    ds.write_dataset(
        table, tmp_path, format="parquet", partitioning=["region"], partitioning_flavor="hive"
    )

    assert ["region=Als", "region=Fyn"] == sorted(each.name for each in tmp_path.iterdir())
    assert ["b", "a"] == billed(tmp_path)


def of_arrow(folder: Path) -> None:
    with pa.ipc.new_file(folder / "more.arrow", table_of("c").schema) as writer:
        writer.write_table(table_of("c"))


def of_texts(folder: Path) -> None:
    (folder / "a.csv").write_text("a copy of a.parquet")
    (folder / "b.CSV.gz").write_text("leases")


def of_another_name(folder: Path) -> None:
    written(folder / "part-0", "c")


def of_a_job(folder: Path) -> None:
    written(folder / "_temporary" / "0" / "part-0.parquet", "c")


def of_a_delta_table(folder: Path) -> None:
    (folder / "_delta_log").mkdir()


def of_itself(folder: Path) -> None:
    (folder / "again").symlink_to(folder)


def of_a_column(folder: Path) -> None:
    path = folder / "lease_id=c" / "0.parquet"
    path.parent.mkdir()
    pq.write_table(table_of("c").drop_columns(["lease_id"]), path)


ODD = [
    (of_arrow, "unknown_file", "more.arrow"),
    (of_texts, "unknown_file", "b.CSV.gz"),
    (of_another_name, "unknown_file", "part-0"),
    (of_a_job, "hidden_folder", "_temporary"),
    (of_a_delta_table, "hidden_folder", "_delta_log"),
    (of_itself, "folder_in_itself", "again"),
    (of_a_column, "column_in_folder", "lease_id=c/0.parquet"),
]


@pytest.mark.parametrize(("add", "code", "met"), ODD)
def test_what_would_be_passed_over_is_refused(
    tmp_path: Path, add: Callable[[Path], object], code: str, met: str
) -> None:
    written(tmp_path / "a.parquet", "a")
    add(tmp_path)
    with pytest.raises(InvalidRecordError) as refused:
        bill_portfolio(tmp_path, MARCH)

    (problem,) = refused.value.problems
    assert ("source", code) == (problem.path, problem.code)
    assert [f"in {tmp_path / met}"] == refused.value.__notes__
    assert leases_in(tmp_path) is None


def test_a_file_that_has_its_partition_as_a_column_is_read(tmp_path: Path) -> None:
    damaged = written(tmp_path / "lease_id=a" / "0.parquet", "a")

    assert ["a"] == billed(tmp_path)
    damaged.write_bytes(b"nothing")
    with pytest.raises(InvalidRecordError, match="is damaged or cut short"):
        billed(tmp_path)


def test_earlier_bills_of_sub_folders_count(tmp_path: Path) -> None:
    leases = written(tmp_path / "leases.parquet", "a", "b")
    for month, period in (("2026-02", FEBRUARY), ("2026-03", MARCH)):
        folder = tmp_path / "sent" / f"month={month}"
        folder.mkdir(parents=True)
        bill_portfolio(leases, period).write_parquet(folder / "part-0.parquet")

    assert [] == billed(leases, already_billed=tmp_path / "sent")


def test_a_month_that_was_written_as_csv_is_not_billed_again(tmp_path: Path) -> None:
    """March is not passed over, so that April does not make it up: 8,500 and not 17,000."""
    leases, sent = written(tmp_path / "leases.parquet", "a"), tmp_path / "sent"
    sent.mkdir()
    bill_portfolio(leases, FEBRUARY).write_parquet(sent / "02.parquet")
    (sent / "03.csv").write_text("due_date,item_id\n2026-03-01,recurring-1\n")
    with pytest.raises(InvalidRecordError, match=r"write it as 03\.parquet, or move it away"):
        bill_portfolio(leases, "2026-04", already_billed=sent)

    before = [*sent.glob("02.parquet")]
    march = bill_portfolio(leases, MARCH, already_billed=before)
    march.write_parquet(sent / "03.parquet")
    (sent / "03.json").write_text("{}")
    april = bill_portfolio(leases, "2026-04", already_billed=sent).to_table()
    assert [8500] == april["total"].to_pylist()


def test_a_currency_in_the_name_of_a_folder_is_refused(tmp_path: Path) -> None:
    bills = bill_portfolio([a_lease(lease_id="a")], FEBRUARY).to_table()
    ds.write_dataset(
        bills, tmp_path, format="parquet", partitioning=["currency"], partitioning_flavor="hive"
    )
    assert BILL_SCHEMA.names == bills.column_names
    with pytest.raises(InvalidRecordError, match="has no column currency") as refused:
        bill_portfolio([a_lease(lease_id="a")], MARCH, already_billed=tmp_path)

    assert "column_in_folder" == refused.value.code
