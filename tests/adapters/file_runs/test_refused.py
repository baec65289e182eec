"""Bill runs that cannot go on: a clear error, nothing half-written, and what is done is kept."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pyarrow.parquet as pq
import pytest

from rentbilling import InvalidInputError
from rentbilling.adapters.file_runs.engines import (
    MadeParts,
    WorkerDiedError,
    in_processes,
    in_this_process,
)
from rentbilling.adapters.file_runs.forms import MadePart, PartMaker
from rentbilling.adapters.file_runs.part_tasks import PartTask
from rentbilling.errors import InvalidRecordError
from tests.support.run_files import (
    PERIOD,
    cut_short,
    lease_file,
    lease_table,
    left_in,
    made,
    of_other_columns,
    stopped_after,
)


def begun(folder: Path, *, parts: int = 3, **options: Any) -> tuple[Path, Path]:  # noqa: ANN401
    """Return leases and bills of a run that has stopped after some parts."""
    leases, out = lease_file(folder), folder / "bills.parquet"
    with pytest.raises(OSError, match="No space"):
        made(leases, out, engine=stopped_after(parts), **options)
    return leases, out


def of_other_leases(folder: Path) -> dict[str, Any]:
    pq.write_table(lease_table().slice(1), folder / "leases.parquet")
    return {}


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (of_other_leases, "leases"),
        (lambda _: {"period": "2026-02-01/2026-04-30"}, "period"),
        (lambda _: {"form": "csv"}, "format"),
        (lambda _: {"on_problem": "raise"}, "on problem"),
        (lambda _: {"extra_columns": "ignore"}, "columns that are not known"),
        (lambda _: {"part_size": 6}, "leases of a part"),
    ],
)
def test_parts_of_another_run_are_refused(
    tmp_path: Path, change: Callable[[Path], dict[str, Any]], name: str
) -> None:
    leases, out = begun(tmp_path)
    kept = left_in(tmp_path / "bills.parquet.parts")
    with pytest.raises(InvalidRecordError) as refused:
        made(leases, out, **change(tmp_path))

    folder = tmp_path / "bills.parquet.parts"
    assert [f"its parts, in {folder}, are of another run: {name} differs"] == [
        each.message for each in refused.value.problems
    ]
    assert kept == left_in(tmp_path / "bills.parquet.parts")


def test_the_same_leases_under_another_name_are_the_same_run(tmp_path: Path) -> None:
    leases, out = begun(tmp_path)
    report = made(leases.rename(tmp_path / "renamed.parquet"), out)

    assert 3 == report.kept


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[:-1] + b"?",
        lambda _: b"",
        lambda data: data.replace(b'"run": "', b'"run": "0', 1),
        lambda data: data.replace(b'"bills"', b'"balls"', 1),
        lambda _: b"[]\n",
    ],
)
def test_a_damaged_part_is_made_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    leases, out = begun(tmp_path)
    part = tmp_path / "bills.parquet.parts" / "part-00000001"
    part.write_bytes(damage(part.read_bytes()))
    report = made(leases, out)
    made(leases, tmp_path / "whole.parquet")

    assert 2 == report.kept
    assert (tmp_path / "whole.parquet").read_bytes() == out.read_bytes()


def test_a_part_of_another_run_is_made_again(tmp_path: Path) -> None:
    leases, out = begun(tmp_path)
    (tmp_path / "other").mkdir()
    _, other = begun(tmp_path / "other", period="2026-02-01/2026-02-28")
    strange, kept = (
        each.with_name("bills.parquet.parts") / "part-00000001" for each in (other, out)
    )
    kept.write_bytes(strange.read_bytes())

    assert 2 == made(leases, out).kept


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no such locks")
def test_a_second_run_for_the_same_file_is_refused(tmp_path: Path) -> None:
    leases, out = lease_file(tmp_path), tmp_path / "bills.parquet"

    def engine(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
        with pytest.raises(InvalidRecordError, match="is in use by another run"):
            made(leases, out)
        yield from in_this_process(make, tasks)

    assert 32 == made(leases, out, engine=engine).summary.bills


@pytest.mark.parametrize("room", [100, 3_000, 12_000])
def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, room: int) -> None:
    resource = pytest.importorskip("resource", reason="this system has no limit of a file's size")
    leases, out = lease_file(tmp_path), tmp_path / "bills.parquet"
    made(leases, tmp_path / "whole.parquet")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            made(leases, out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    between = left_in(tmp_path)
    made(leases, out)

    # Only of the last one parts were made, so that there is something to keep.
    kept = ["bills.parquet.parts"] if room == 12_000 else []
    assert [*kept, *left_in(tmp_path)[2:]] == between
    assert (tmp_path / "whole.parquet").read_bytes() == out.read_bytes()


def broken_within(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4:400] = bytes(396)
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (cut_short, "is damaged or cut short"),
        (broken_within, "is damaged or cut short"),
        (of_other_columns, "rent"),
        (lambda path: path.rename(path.with_name("gone.parquet")), "No such file"),
    ],
)
def test_leases_that_cannot_be_read_leave_nothing(
    tmp_path: Path, harm: Callable[[Path], object], said: str
) -> None:
    leases = lease_file(tmp_path)
    harm(leases)
    before = left_in(tmp_path)
    with pytest.raises((InvalidInputError, FileNotFoundError), match=said):
        made(leases, tmp_path / "bills.parquet")

    assert before == left_in(tmp_path)


def test_a_bad_lease_stops_a_strict_run(tmp_path: Path) -> None:
    leases = lease_file(tmp_path)
    with pytest.raises(InvalidInputError, match=r"\[5\]\.recurring_bill_items\[0\]"):
        made(leases, tmp_path / "bills.parquet", on_problem="raise")

    assert ["bills.parquet.parts", "leases.parquet"] == left_in(tmp_path)
    with pytest.raises(InvalidInputError, match=r"\[5\]\.recurring_bill_items\[0\]"):
        made(leases, tmp_path / "b.parquet", on_problem="raise", part_size=8)
    assert ["bills.parquet.parts", "leases.parquet"] == left_in(tmp_path)


class Dying(PartMaker):
    """Makes a part, and dies at the next one as for want of memory."""

    def __call__(self, sent: Iterable[Any], first_row: int) -> MadePart:
        if first_row:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(sent, first_row)


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no SIGKILL")
def test_a_process_that_dies_is_an_error(tmp_path: Path) -> None:
    leases, out = lease_file(tmp_path), tmp_path / "bills.parquet"

    def engine(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
        yield from in_processes(1)(Dying(make.bill, make.form), tasks)

    with pytest.raises(WorkerDiedError, match="has ended by signal 9; what is done is kept"):
        made(leases, out, engine=engine)

    assert ["bills.parquet.parts", "leases.parquet"] == left_in(tmp_path)
    assert 1 == made(leases, out).kept


class Refusing(PartMaker):
    """Refuses every part, the first of them last."""

    def __call__(self, sent: Iterable[Any], first_row: int) -> MadePart:
        if not first_row:
            sleep(1)
        error = ArithmeticError(f"row {first_row} of {len([*sent]) > 0}")
        error.add_note("a note")
        raise error


def test_several_processes_tell_what_one_would(tmp_path: Path) -> None:
    """The first lease that is refused, although the process of another was quicker; with notes."""
    leases, out = lease_file(tmp_path), tmp_path / "bills.parquet"

    def engine(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
        yield from in_processes(2)(Refusing(make.bill, make.form), tasks)

    with pytest.raises(ArithmeticError, match="row 0 of True") as refused:
        made(leases, out, engine=engine)

    assert ["a note"] == refused.value.__notes__


def test_a_manifest_tells_what_a_run_is_of(tmp_path: Path) -> None:
    begun(tmp_path)
    facts = json.loads((tmp_path / "bills.parquet.parts" / "run.json").read_text())

    assert (PERIOD, "parquet", "table") == (facts["period"], facts["format"], facts["on problem"])
    assert 64 == len(facts["leases"])
