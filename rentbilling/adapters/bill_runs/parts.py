"""Parts: what is done of a run, kept in a folder until all of it is.

Laws: a part is kept whole or not at all, and one that is not as it was written is made again; one
run at a time has the folder; another run's parts are refused.
What does not live here: what a run is of (`manifests`), what a part holds (`forms`).
"""

import json
import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Any, Final, NamedTuple
from zlib import crc32

from rentbilling.adapters.bill_runs.forms import MadePart
from rentbilling.adapters.bill_runs.manifests import Facts, refuse_other_facts
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio.batch_runs import Output

_MANIFEST: Final = "run.json"
_LOCK: Final = "lock"


class KeptPart(NamedTuple):
    """A part that is done."""

    path: Path
    made: MadePart
    """Without its bytes."""
    sizes: Mapping[Output, int]
    """Bytes of each table, one after another."""
    start: int
    """Where they begin in the file."""


class Parts:
    """The parts of a run that are done."""

    def __init__(self, folder: Path, facts: Facts) -> None:
        """Find the parts that are there; make it with `kept_in`.

        Args:
            folder: Where they are kept.
            facts: What the run is of.
        """
        self._folder = folder
        self._run = sha256(json.dumps(dict(facts)).encode()).hexdigest()
        self._kept: dict[int, KeptPart] = {}
        for path in sorted(folder.glob("part-*")):
            number = path.name.removeprefix("part-")
            part = _read(path, self._run) if number.isdecimal() else None
            if part is None:
                path.unlink()
            else:
                self._kept[int(number)] = part

    @property
    def numbers(self) -> frozenset[int]:
        """Which parts are done."""
        return frozenset(self._kept)

    @property
    def leases(self) -> int:
        """Leases of the parts that are done."""
        return sum(each.made.leases for each in self._kept.values())

    def keep(self, number: int, made: MadePart) -> None:
        """Keep a part.

        Args:
            number: Its number.
            made: The part.

        Raises:
            OSError: It cannot be written; nothing of it is left behind.
        """
        body = b"".join(made.tables.values())
        sizes: Mapping[Output, int] = {name: len(table) for name, table in made.tables.items()}
        head = {
            "run": self._run,
            "first_row": made.first_row,
            "leases": made.leases,
            "sizes": sizes,
            "summary": made.summary,
        }
        written = json.dumps(head).encode() + b"\n"
        written = _checksum(written + body) + written
        path = self._folder / f"part-{number:08}"
        new = path.with_name(f"{path.name}.new")
        try:
            new.write_bytes(written + body)
            new.replace(path)
        except OSError:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            raise
        self._kept[number] = KeptPart(path, made._replace(tables={}), sizes, len(written))

    def part(self, number: int) -> MadePart:
        """Return a part that is done, with its bytes.

        Args:
            number: Its number.

        Returns:
            The part.

        Raises:
            OSError: It cannot be read.
        """
        kept = self._kept[number]
        with kept.path.open("rb") as file:
            file.seek(kept.start)
            tables = {name: file.read(size) for name, size in kept.sizes.items()}
        return kept.made._replace(tables=tables)


def _read(path: Path, run: str) -> KeptPart | None:
    """Return a part as it was kept, None where the file is not whole or of another run."""
    data = path.read_bytes()
    begin = data.find(b"\n") + 1
    head, _, _ = data[begin:].partition(b"\n")
    if data[:begin] != _checksum(data[begin:]):
        return None
    told: Mapping[str, Any] = json.loads(head)
    if told["run"] != run:
        return None
    made = MadePart(told["first_row"], told["leases"], {}, told["summary"])
    return KeptPart(path, made, told["sizes"], begin + len(head) + 1)


def _checksum(data: bytes) -> bytes:
    """Return the line that stands before what a file holds."""
    return f"{crc32(data):08x}\n".encode()


@contextmanager
def kept_in(folder: Path, facts: Facts, *, afresh: bool = False) -> Generator[Parts]:
    """Open the parts of a run, and hold them for this run alone.

    Args:
        folder: Where they are kept; it is made where there is none.
        facts: What the run is of.
        afresh: Whether parts that are there are thrown away.

    Yields:
        The parts.

    Raises:
        InvalidRecordError: Another run has the folder, or the parts are of another one.
        OSError: The folder cannot be made or read.
    """
    folder.mkdir(exist_ok=True)
    with _locked(folder):
        if afresh:
            for path in folder.glob("part-*"):
                path.unlink()
            (folder / _MANIFEST).unlink(missing_ok=True)
        manifest = folder / _MANIFEST
        if manifest.exists():
            refuse_other_facts(folder, _facts_in(manifest), facts)
        else:
            new = folder / f"{_MANIFEST}.new"
            new.write_text(json.dumps(dict(facts), indent=2), encoding="utf-8")
            new.replace(manifest)
        yield Parts(folder, facts)


def _facts_in(manifest: Path) -> Facts:
    """Return what the parts of a folder are of."""
    try:
        told = json.loads(manifest.read_bytes())
    except ValueError:
        told = None
    if not isinstance(told, dict):
        said, expected = "is no manifest of a run", "the one that the run wrote"
        raise InvalidRecordError.of(str(manifest), "not_a_manifest", said, told, expected)
    return {str(name): str(fact) for name, fact in told.items()}


@contextmanager
def _locked(folder: Path) -> Generator[None]:
    """Hold a folder; the system lets go of it when the process ends, however it does."""
    if sys.platform == "win32":
        # Without a lock that is let go of when the process is killed.
        yield
        return
    import fcntl

    with (folder / _LOCK).open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            said, expected = "is in use by another run", "a run at a time for one file of bills"
            raise InvalidRecordError.of(
                str(folder), "in_use", said, os.fspath(folder), expected
            ) from None
        yield


def discard(folder: Path) -> None:
    """Throw a folder of parts away."""
    rmtree(folder, ignore_errors=True)
