"""Bill runs that are judged before the first lease is billed: files, names, and what is kept."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rentbilling.adapters.file_runs import FileRefusedError, check_leases, run_bills
from rentbilling.adapters.file_runs.engines import MadeParts, in_this_process
from rentbilling.adapters.file_runs.forms import PartMaker, form_of
from rentbilling.adapters.file_runs.part_tasks import PartTask
from tests.support.run_files import (
    LEASES,
    PERIOD,
    cut_short,
    lease_file,
    lease_table,
    left_in,
    made,
    never,
    of_other_columns,
)


def lease_folder(folder: Path, *names: str) -> Path:
    """Write the leases to files of a folder, shared out in their order."""
    leases = folder / "leases"
    leases.mkdir()
    table, share = lease_table(has_bad=False), LEASES // len(names)
    for at, name in enumerate(names):
        pq.write_table(table.slice(at * share, share), leases / name)
    return leases


@pytest.mark.parametrize(
    ("harm", "code"), [(cut_short, "unreadable"), (of_other_columns, "unknown_field")]
)
def test_every_file_of_a_folder_is_judged_first(
    tmp_path: Path, harm: Callable[[Path], None], code: str
) -> None:
    leases = lease_folder(tmp_path, "a.parquet", "b.pq", "c.parquet")
    harm(leases / "c.parquet")
    with pytest.raises(FileRefusedError) as refused:
        made(leases, tmp_path / "bills.parquet", engine=never)

    assert (str(leases / "c.parquet"), code) == (refused.value.file, refused.value.problems[0].code)
    assert str(refused.value).startswith(f"{leases / 'c.parquet'}: ")
    assert ["leases"] == left_in(tmp_path)


@pytest.mark.parametrize("new", [pa.ipc.new_file, pa.ipc.new_stream])
def test_an_arrow_file_that_is_cut_short_is_refused_first(
    tmp_path: Path,
    new: Any,  # noqa: ANN401 - pyarrow has no types
) -> None:
    path = tmp_path / "leases.arrow"
    table = lease_table()
    with new(path, table.schema) as writer:
        for batch in table.to_batches(max_chunksize=4):
            writer.write_batch(batch)
    cut_short(path)
    with pytest.raises(FileRefusedError, match="is damaged or cut short"):
        made(path, tmp_path / "bills.parquet", engine=never)


def test_leases_of_all_kinds_of_parquet_names_are_counted(tmp_path: Path) -> None:
    """`.pq` as well as `.parquet`: 24 leases in all, of which 12 are in the first part."""
    leases, told = lease_folder(tmp_path, "a.pq", "b.parquet"), []

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    made(leases, tmp_path / "bills.parquet", part_size=12, progress=tell)

    assert [(0, 24), (12, 24), (24, 24)] == told


def test_what_is_done_is_kept_when_a_file_is_damaged_under_way(tmp_path: Path) -> None:
    leases = lease_folder(tmp_path, "a.parquet", "b.parquet")
    out, second = tmp_path / "bills.parquet", leases / "b.parquet"
    whole = second.read_bytes()

    def damaging(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
        for number, part in in_this_process(make, tasks):
            yield number, part
            cut_short(second)

    with pytest.raises(FileRefusedError) as refused:
        made(leases, out, part_size=12, engine=damaging)
    second.write_bytes(whole)

    assert str(second) == refused.value.file
    assert 1 == made(leases, out, part_size=12).kept


def test_a_folder_without_a_part_is_no_obstacle(tmp_path: Path) -> None:
    leases, folder = lease_file(tmp_path), tmp_path / "bills.parquet.parts"
    folder.mkdir()
    (folder / "run.json").write_text('{"rentbilling": "0", "period": "of another run"}')
    (folder / "part-00000000.new").write_text("half of one")
    report = made(leases, tmp_path / "bills.parquet")

    assert (6, 0) == (report.parts, report.kept)


def test_files_that_a_killed_run_left_are_removed(tmp_path: Path) -> None:
    leases, folder = lease_file(tmp_path), tmp_path / "bills.parquet.parts"
    folder.mkdir()
    left = tmp_path / ".notices.parquet.new"
    left.write_text("half of it")
    (folder / "run.json").write_text('{"rentbilling": "0"}')
    (folder / "unfinished.json").write_text(json.dumps([str(left), str(tmp_path / "gone")]))
    made(leases, tmp_path / "bills.parquet")

    assert ["bills.parquet", "bills.problems.parquet", "leases.parquet"] == left_in(tmp_path)


@pytest.mark.parametrize("name", ["out", "problems", "adjustments"])
def test_nothing_is_written_among_the_leases(tmp_path: Path, name: str) -> None:
    leases = lease_folder(tmp_path, "a.parquet")
    paths: dict[str, Any] = {"out": tmp_path / "b.parquet", name: leases / "bills.parquet"}
    with pytest.raises(FileRefusedError, match="is in the folder of the leases") as refused:
        run_bills(leases, PERIOD, **paths)

    assert str(leases / "bills.parquet") == refused.value.file
    assert ["leases"] == left_in(tmp_path)


def test_a_file_that_cannot_be_written_is_named_as_it_was_asked_for(tmp_path: Path) -> None:
    leases = lease_file(tmp_path)
    gone, folder = tmp_path / "gone" / "bills.parquet", tmp_path / "folder.parquet"
    folder.mkdir()
    (tmp_path / "b.parquet.parts").write_text("no folder")
    (tmp_path / ".n.parquet.new").mkdir()
    asked: tuple[tuple[dict[str, Path], str], ...] = (
        ({"out": gone}, f"there is no folder {gone.parent}"),
        ({"out": folder}, "is a folder, not a file"),
        ({"out": tmp_path / "b.parquet"}, "File exists"),
        ({"out": tmp_path / "c.parquet", "notices": tmp_path / "n.parquet"}, "Is a directory"),
    )
    for options, said in asked:
        with pytest.raises(OSError, match=said) as refused:
            made(leases, **options)

        assert str([*options.values()][-1]) == refused.value.filename


@pytest.mark.parametrize(
    ("name", "form", "problems"),
    [
        ("b.parquet", "parquet", "b.problems.parquet"),
        ("b.pq", "parquet", "b.problems.pq"),
        ("b.csv", "csv", "b.problems.csv"),
        ("b.JSONL", "jsonl", "b.problems.JSONL"),
        ("b.ndjson", "jsonl", "b.problems.ndjson"),
    ],
)
def test_the_name_of_the_bills_tells_their_form(
    tmp_path: Path, name: str, form: str, problems: str
) -> None:
    made(lease_file(tmp_path), tmp_path / name, form=None)

    assert form == form_of(Path(name), None)
    assert {name, problems, "leases.parquet"} == {*left_in(tmp_path)}


def test_a_check_tells_its_problems_in_order(tmp_path: Path) -> None:
    leases, earlier = lease_file(tmp_path, has_bad=False), tmp_path / "earlier.parquet"
    made(leases, earlier)
    rows = lease_table().to_pylist()
    for at in (1, 9, 20):
        rows[at]["recurring_bill_items"][0]["billing_cycle"] = None
    pq.write_table(pa.Table.from_pylist(rows, schema=lease_table().schema), leases)
    told: list[tuple[int, int | None]] = []

    def backwards(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
        for task in reversed(list(tasks)):
            yield task.number, make(task.sent(), task.first_row)

    found = check_leases(
        leases,
        PERIOD,
        already_billed=earlier,
        part_size=4,
        engine=backwards,
        progress=lambda done, total: told.append((done, total)),
    )

    assert [1, 5, 9, 20] == found.problems.column("row").to_pylist()
    assert [(4, 24), (24, 24)] == [told[0], told[-1]]


def test_leases_and_earlier_bills_of_sub_folders_are_read(tmp_path: Path) -> None:
    leases, sent = tmp_path / "leases", tmp_path / "sent" / "month=2026-02"
    table, half = lease_table(has_bad=False), LEASES // 2
    for name, first in (("north/a.parquet", 0), ("south/b.PARQUET", half)):
        (leases / name).parent.mkdir(parents=True)
        pq.write_table(table.slice(first, half), leases / name)
    sent.mkdir(parents=True)
    report = made(leases, sent / "bills.parquet", period="2026-02-01/2026-02-28", workers=2)
    again = made(leases, tmp_path / "b.parquet", already_billed=tmp_path / "sent", workers=2)

    assert (LEASES, 16, 16) == (report.summary.leases, report.summary.bills, again.summary.bills)
    with pytest.raises(FileRefusedError, match="is in the folder of the leases"):
        made(leases, leases / "north" / "bills.csv", engine=never)


def test_a_folder_that_is_not_read_whole_is_refused_first(tmp_path: Path) -> None:
    leases = lease_folder(tmp_path, "a.parquet")
    hidden = leases / ".old"
    hidden.mkdir()
    (hidden / "b.parquet").write_bytes(b"not read")
    asked: tuple[dict[str, Any], ...] = (
        {"leases": leases},
        {"leases": lease_file(tmp_path), "already_billed": leases},
    )
    for given in asked:
        with pytest.raises(FileRefusedError, match="hidden folder with Parquet files") as refused:
            run_bills(**given, period=PERIOD, out=tmp_path / "b.csv", engine=never)

        assert str(hidden) == refused.value.file
