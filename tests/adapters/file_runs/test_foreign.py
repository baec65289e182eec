"""A bill run removes nothing that it has not written: neither folders nor files in its own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rentbilling.adapters.file_runs import FileRefusedError
from rentbilling.adapters.file_runs.parts import stored_parts
from tests.adapters.file_runs.test_refused import begun
from tests.support.run_files import lease_file, left_in, made

OTHER_DIGITS = "part-" + 8 * "\u0661"
WRITTEN = ["bills.csv", "bills.problems.csv", "leases.parquet"]


def folder_of(folder: Path, **files: str) -> Path:
    """Make a folder where the parts of a run would be kept, with some files."""
    parts = folder / "bills.csv.parts"
    parts.mkdir()
    for name, text in files.items():
        (parts / name).write_text(text)
    return parts


def held(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir()}


FOREIGN: list[dict[str, str]] = [
    {"important.txt": "mine"},
    {"part-00000000": "mine"},
    {"part-00000000": "mine", "lock": ""},
    {"lock": "mine"},
    {"unfinished.json": '["important.txt"]'},
    {"run.json.new": "mine"},
]


@pytest.mark.parametrize("afresh", [False, True])
@pytest.mark.parametrize("files", FOREIGN, ids="+".join)
def test_a_folder_of_something_else_is_refused(
    tmp_path: Path, files: dict[str, str], *, afresh: bool
) -> None:
    leases, folder = lease_file(tmp_path), folder_of(tmp_path, **files)
    before = held(folder)
    with pytest.raises(FileRefusedError, match="which holds something else") as refused:
        made(leases, tmp_path / "bills.csv", afresh=afresh)

    (problem,) = refused.value.problems
    assert ("", "foreign_folder") == (problem.path, problem.code)
    assert f"{folder}, which holds something else: {max(files)}" in problem.message
    assert str(tmp_path / "bills.csv") == refused.value.file
    assert before == held(folder)
    assert ["bills.csv.parts", "leases.parquet"] == left_in(tmp_path)
    assert 0 == stored_parts(tmp_path / "bills.csv")


@pytest.mark.parametrize("afresh", [False, True])
@pytest.mark.parametrize("manifest", ["{", "[]", '{"name": "package.json of something"}', ""])
def test_a_manifest_of_something_else_is_refused(
    tmp_path: Path, manifest: str, *, afresh: bool
) -> None:
    files = {"run.json": manifest, "part-00000001": "mine", "important.txt": "mine"}
    leases, folder = lease_file(tmp_path), folder_of(tmp_path, **files)
    before = held(folder)
    with pytest.raises(FileRefusedError, match=r"run\.json: is no manifest of a run") as refused:
        made(leases, tmp_path / "bills.csv", afresh=afresh)

    assert "not_a_manifest" == refused.value.code
    assert before == held(folder)


@pytest.mark.parametrize(
    "files", [{}, {"lock": ""}, {"lock": "", "run.json.new": ""}, {"run.json.new": '{\n  "rent'}]
)
def test_what_a_run_leaves_that_is_killed_at_once_is_no_obstacle(
    tmp_path: Path, files: dict[str, str]
) -> None:
    leases = lease_file(tmp_path)
    folder_of(tmp_path, **files)
    made(leases, tmp_path / "bills.csv")

    assert WRITTEN == left_in(tmp_path)


def add_files(folder: Path) -> dict[str, bytes]:
    for name in ("important.txt", "part-1", "part-00000001.txt", "part-0000000x", OTHER_DIGITS):
        (folder / name).write_text("mine")
    (folder / "part-00000099").mkdir()
    (folder / "part-00000099" / "important.txt").write_text("mine")
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


@pytest.mark.parametrize("options", [{}, {"afresh": True}])
def test_files_of_something_else_among_parts_stay(tmp_path: Path, options: dict[str, Any]) -> None:
    leases, out = begun(tmp_path)
    folder = tmp_path / "bills.parquet.parts"
    kept = [each.name for each in folder.glob("part-*")]
    before = add_files(folder)
    mine = [name for name in before if name not in {"run.json", "lock", "unfinished.json", *kept}]
    report = made(leases, out, **options)

    assert (0 if options else 3) == report.kept
    for _ in range(2):
        assert sorted([*mine, "part-00000099", "run.json", "lock"]) == left_in(folder)
        assert all((folder / name).read_bytes() == before[name] for name in mine)
        assert b"mine" == (folder / "part-00000099" / "important.txt").read_bytes()
        made(leases, out, period="2026-02-01/2026-02-28")


def of_a_list(path: Path) -> object:
    return [str(path)]


@pytest.mark.parametrize("names", [of_a_list, lambda _: {"a": 1}, lambda _: "text"])
def test_only_files_named_as_unfinished_are_removed(
    tmp_path: Path, names: Callable[[Path], object]
) -> None:
    leases, precious = lease_file(tmp_path), tmp_path / "important.txt"
    precious.write_text("mine")
    note = json.dumps(names(precious))
    folder_of(tmp_path, **{"run.json": '{"rentbilling": "0"}', "unfinished.json": note})
    made(leases, tmp_path / "bills.csv")

    assert sorted([*WRITTEN, "important.txt"]) == left_in(tmp_path)
