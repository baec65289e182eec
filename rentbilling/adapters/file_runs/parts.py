"""Parts: the finished parts of a run, stored in a folder until the run is finished.

Laws: a part is stored whole or not at all, and one that is damaged is made again; one run at a time
uses the folder; another run's parts are refused; a folder that no run made is refused,
and a file that no run wrote is never removed.
"""

import json
import os
import re
import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

from rentbilling.adapters.file_runs.file_errors import errors_named, refused_file, write_whole
from rentbilling.adapters.file_runs.forms import MadePart
from rentbilling.adapters.file_runs.manifests import Facts, refuse_other_facts
from rentbilling.errors import InvalidRecordError

_MANIFEST: Final = "run.json"
_LOCK: Final = "lock"
_PART: Final = "part-"
_UNFINISHED: Final = "unfinished.json"
_NEW: Final = ".new"
"""Suffix of a file until it is whole."""
_FOLDER: Final = ".parts"
"""Suffix of the folder of parts, after the name of the file of bills."""
_PARTS: Final = re.compile(rf"{_PART}[0-9]{{8,}}({re.escape(_NEW)})?")
_VERSION: Final = "rentbilling"
"""The first fact of every manifest."""
_BEGINNING: Final = f'{{\n  "{_VERSION}": "'.encode()
"""The beginning of a manifest."""


class StoredPart(NamedTuple):
    """A part that is done."""

    path: Path
    made: MadePart
    """Without its bytes."""
    sizes: Mapping[str, int]
    """Bytes of each table, one after another."""
    start: int
    """Where they begin in the file."""


class Parts:
    """The parts of a run that are done."""

    def __init__(self, folder: Path, facts: Facts) -> None:
        """Find the parts that are there; make it with `opened_parts`."""
        self._folder = folder
        self._run = sha256(json.dumps(dict(facts)).encode()).hexdigest()
        self._stored: dict[int, StoredPart] = {}
        for unfinished in _own_files(folder, _NEW):
            unfinished.unlink()
        for path in _part_files(folder):
            part = _read(path, self._run)
            if part is None:
                path.unlink()
            else:
                self._stored[int(path.name.removeprefix(_PART))] = part

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(self._stored)

    @property
    def leases(self) -> int:
        return sum(each.made.leases for each in self._stored.values())

    def keep(self, number: int, made: MadePart) -> None:
        """Store a part.

        Raises:
            OSError: It cannot be written; nothing of it is left behind.
        """
        sizes: Mapping[str, int] = {name: len(table) for name, table in made.tables.items()}
        head = {
            "run": self._run,
            "first_row": made.first_row,
            "leases": made.leases,
            "sizes": sizes,
            "summary": made.summary,
        }
        pieces = [json.dumps(head).encode() + b"\n", *made.tables.values()]
        pieces.insert(0, _checksum(*pieces))
        path = self._folder / f"{_PART}{number:08}"
        _write(path, *pieces)
        start = len(pieces[0]) + len(pieces[1])
        self._stored[number] = StoredPart(path, made._replace(tables={}), sizes, start)

    def part(self, number: int) -> MadePart:
        """Return a part that is done, with its bytes."""
        stored = self._stored[number]
        with stored.path.open("rb") as file:
            file.seek(stored.start)
            tables = {name: file.read(size) for name, size in stored.sizes.items()}
        return stored.made._replace(tables=tables)


def _read(path: Path, run: str) -> StoredPart | None:
    """Return a stored part, None where the file is damaged or of another run."""
    data = path.read_bytes()
    begin = data.find(b"\n") + 1
    head, _, _ = data[begin:].partition(b"\n")
    if data[:begin] != _checksum(data[begin:]):
        return None
    content: Mapping[str, Any] = json.loads(head)
    if content["run"] != run:
        return None
    made = MadePart(content["first_row"], content["leases"], {}, content["summary"])
    return StoredPart(path, made, content["sizes"], begin + len(head) + 1)


def _checksum(*pieces: bytes) -> bytes:
    found = 0
    for each in pieces:
        found = crc32(each, found)
    return f"{found:08x}\n".encode()


@contextmanager
def opened_parts(folder: Path, facts: Facts, *, afresh: bool = False) -> Generator[Parts]:
    """Open the parts of a run, and lock them for this run alone.

    Raises:
        InvalidRecordError: Another run has the folder, the parts are of another one, or the folder
            was made by something else.
        OSError: The folder cannot be made or read.
    """
    with errors_named(asked_of(folder)):
        folder.mkdir(exist_ok=True)
    with refused_file(asked_of(folder)):
        _refuse_foreign(folder)
    with _locked(folder):
        try:
            if afresh:
                for path in _part_files(folder):
                    path.unlink()
            _begin(folder, facts)
            yield Parts(folder, facts)
        except BaseException:
            if not _part_files(folder):
                discard(folder)
            raise


def _refuse_foreign(folder: Path) -> None:
    """Refuse a folder that no run has made: something else would be lost with it.

    A run that was killed at its very beginning has left a lock, or half of a manifest.
    """
    if (folder / _MANIFEST).exists():
        _facts_in(folder / _MANIFEST)
        return
    for path in sorted(folder.iterdir()):
        if path.name == _LOCK and not path.stat().st_size:
            continue
        if path.name == f"{_MANIFEST}{_NEW}" and _begins_as_manifest(path):
            continue
        said = f"its parts would be kept in {folder}, which holds something else: {path.name}"
        expected = "another name of the bills, or that folder under another name"
        raise InvalidRecordError.of("", "foreign_folder", said, os.fspath(path), expected)


def _begins_as_manifest(path: Path) -> bool:
    with path.open("rb") as file:
        found = file.read(len(_BEGINNING))
    return _BEGINNING.startswith(found)


def _begin(folder: Path, facts: Facts) -> None:
    """Write what a run is of, or see that the parts there are of the same."""
    manifest = folder / _MANIFEST
    # Without a part there is nothing that could be mixed with another run's.
    if manifest.exists() and _part_files(folder):
        with refused_file(asked_of(folder)):
            refuse_other_facts(folder, _facts_in(manifest), facts)
    else:
        _write(manifest, json.dumps(dict(facts), indent=2).encode())
    _remove_unfinished(folder)


def stored_parts(out: Path) -> int:
    """Return how many parts of a file of bills are stored.

    Examples:
        >>> stored_parts(Path("no such file"))
        0
    """
    folder = folder_of(out)
    return len(_part_files(folder)) if (folder / _MANIFEST).exists() else 0


def folder_of(out: Path) -> Path:
    return out.with_name(f"{out.name}{_FOLDER}")


def asked_of(folder: Path) -> Path:
    return folder.with_name(folder.name.removesuffix(_FOLDER))


def note_unfinished(folder: Path, paths: Iterable[Path]) -> None:
    """Note files that are not whole yet, so that the next run finds them if this one is killed."""
    _write(folder / _UNFINISHED, json.dumps([str(each.absolute()) for each in paths]).encode())


def _remove_unfinished(folder: Path) -> None:
    """Remove the files that a run was killed over, which have names as a run gives them."""
    noted = folder / _UNFINISHED
    with suppress(FileNotFoundError, ValueError):
        for path in map(Path, json.loads(noted.read_bytes())):
            if path.name.startswith(".") and path.suffix == _NEW:
                path.unlink(missing_ok=True)
    noted.unlink(missing_ok=True)


def _part_files(folder: Path) -> list[Path]:
    return _own_files(folder, "")


def _own_files(folder: Path, ending: str) -> list[Path]:
    """Return the files of a folder that have the name of a part, with an ending or without."""
    found = ((each, _PARTS.fullmatch(each.name)) for each in folder.glob(f"{_PART}*"))
    return sorted(
        each for each, named in found if named and (named[1] or "") == ending and each.is_file()
    )


def _write(path: Path, *pieces: bytes) -> None:
    with errors_named(asked_of(path.parent)):
        write_whole(path, path.with_name(f"{path.name}{_NEW}"), *pieces)


def _facts_in(manifest: Path) -> Facts:
    try:
        content = json.loads(manifest.read_bytes())
    except ValueError:
        content = None
    if not isinstance(content, dict) or _VERSION not in content:
        said = f"is no manifest of a run, so nothing in {manifest.parent} is touched"
        expected = "the one that the run wrote"
        raise InvalidRecordError.of(manifest.name, "not_a_manifest", said, content, expected)
    return {str(name): str(fact) for name, fact in content.items()}


@contextmanager
def _locked(folder: Path) -> Generator[None]:
    """Lock a folder; the system unlocks it when the process ends, however it does."""
    if sys.platform == "win32":
        # Without a lock that is let go of when the process is killed.
        yield
        return
    import fcntl

    with ExitStack() as held:
        with errors_named(asked_of(folder)):
            file = held.enter_context((folder / _LOCK).open("ab"))
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            said, expected = "is in use by another run", "a run at a time for one file of bills"
            with refused_file(asked_of(folder)):
                raise InvalidRecordError.of(
                    "", "in_use", said, os.fspath(folder), expected
                ) from None
        yield


def discard(folder: Path) -> None:
    """Remove what a run has stored in its folder, and the folder, if nothing else is in it.

    With something else in it, the manifest stays too, so that the next run knows the folder.
    """
    own = [_MANIFEST, _LOCK, f"{_MANIFEST}{_NEW}"]
    with suppress(OSError):
        for path in (*_own_files(folder, ""), *_own_files(folder, _NEW)):
            path.unlink()
        for name in (_UNFINISHED, f"{_UNFINISHED}{_NEW}"):
            (folder / name).unlink(missing_ok=True)
        if {each.name for each in folder.iterdir()} <= set(own):
            for name in own:
                (folder / name).unlink(missing_ok=True)
            folder.rmdir()
