"""Parquet folders: which files of a folder, and of its sub-folders, are read.

Laws: every Parquet file below a folder is read, in the order of the paths, or the folder is
refused; a value that is only in the name of a sub-folder is not lost.
"""

from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.errors import InvalidRecordError

PARQUET: Final = (".parquet", ".pq")
"""What the names of Parquet files end in, in small or capital letters."""
ARROW: Final = (".arrow", ".feather", ".ipc", ".arrows")
"""What the names of Arrow files end in."""
_TEXTS: Final = (".csv", ".tsv", ".jsonl", ".ndjson", ".xlsx")
"""What the names of other tables end in, perhaps before that of what packed them."""
_MAGIC: Final = b"PAR1"
"""What a Parquet file begins with."""

_LOG: Final = "_delta_log"
_HIDDEN: Final = ("_", ".")


def is_parquet(path: Path) -> bool:
    """Return whether a file is a Parquet file by its name.

    Examples:
        >>> is_parquet(Path("leases.PARQUET")), is_parquet(Path("leases.csv"))
        (True, False)
    """
    return path.suffix.lower() in PARQUET


def parquet_files(folder: Path, called: str, columns: Container[str]) -> list[Path]:
    """Return the Parquet files of a folder and of all its sub-folders.

    Raises:
        InvalidRecordError: A hidden sub-folder has Parquet files, a file is a table of another
            kind, or the name of a sub-folder gives a column that the file has not.
        OSError: A folder cannot be read.
    """
    found = sorted(_below(folder, called, ()))
    for path in found:
        _refuse_lost_column(path, folder, called, columns)
    return found


def _below(folder: Path, called: str, above: tuple[Path, ...]) -> Iterator[Path]:
    """Give the Parquet files of a folder and of its sub-folders, in any order."""
    here = folder.resolve()
    if here in above:
        said, expected = "is a link to a folder above it", "a folder that does not hold itself"
        raise _refused(called, "folder_in_itself", said, folder, expected)
    for path in folder.iterdir():
        if path.is_dir():
            if path.name.startswith(_HIDDEN):
                _refuse_hidden(path, called)
            else:
                yield from _below(path, called, (*above, here))
        elif is_parquet(path):
            yield path
        else:
            _refuse_other_table(path, called)


def _refuse_other_table(path: Path, called: str) -> None:
    """Refuse a file that may be a table; a text counts as a copy of the Parquet file beside it."""
    if path.name.startswith("."):
        return
    ends = {each.lower() for each in path.suffixes[-2:]}
    if not ends.isdisjoint(ARROW):
        said, expected = "is an Arrow file", "give the path of the Arrow file alone"
    elif not ends.isdisjoint(_TEXTS):
        if any(path.with_suffix(each).exists() for each in PARQUET):
            return
        said, expected = "is no Parquet file", f"write it as {path.stem}.parquet, or move it away"
    elif _begins_as_parquet(path):
        said, expected = "is a Parquet file by another name", f"name it {path.name}.parquet"
    else:
        return
    said += ", and of a folder only files named .parquet are read"
    raise _refused(called, "unknown_file", said, path, f"a folder of Parquet files: {expected}")


def _begins_as_parquet(path: Path) -> bool:
    """Return whether a file begins as a Parquet file; what is no file, or not to be read, not."""
    found = b""
    with suppress(OSError):
        if path.is_file():
            with pa.OSFile(str(path)) as file:
                found = file.read(len(_MAGIC))
    return found == _MAGIC


def _refuse_hidden(folder: Path, called: str) -> None:
    """Refuse a hidden folder that has Parquet files, or that says which files of another count."""
    expected = "a folder of Parquet files, all of which are read"
    if folder.name == _LOG:
        said = "says which files of a Delta table count, and is not read"
        raise _refused(called, "hidden_folder", said, folder, expected)
    if any(is_parquet(each) for each in folder.rglob("*")):
        said = "is a hidden folder with Parquet files, which are not read"
        raise _refused(called, "hidden_folder", said, folder, expected)


def _refuse_lost_column(path: Path, folder: Path, called: str, columns: Container[str]) -> None:
    """Refuse a file below a folder such as `currency=DKK` that has no column `currency`."""
    for part in path.relative_to(folder).parent.parts:
        name, equals, _ = part.partition("=")
        if equals and name in columns and not _has_column(path, name):
            said = f"has no column {name}, which is only in the name of its folder, {part}"
            expected = f"a file with the column {name}"
            raise _refused(called, "column_in_folder", said, path, expected)


def _has_column(path: Path, name: str) -> bool:
    """Return whether a file has a column; a file that is damaged is refused when it is read."""
    try:
        return name in pq.read_schema(path).names
    except pa.ArrowException:
        return True


def _refused(called: str, code: str, said: str, met: Path, expected: str) -> InvalidRecordError:
    error = InvalidRecordError.of(called, code, said, str(met), expected)
    error.facts["file"] = str(met)
    error.add_note(f"in {met}")
    return error
