"""Targets: files that parts become, in order, under another name until they are whole.

Laws: a file has its name when it is whole and on the disk, and not before; an earlier file is
replaced then, and left alone where the run fails; an error names the file that was asked for.
"""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.adapters.bill_forms import SUFFIXES, Form
from rentbilling.adapters.file_runs.file_errors import errors_named
from rentbilling.adapters.file_runs.forms import PROBLEM_HEADS, TEXTS, problem_text
from rentbilling.portfolio.runs.batch_runs import WRITTEN
from rentbilling.portfolio.runs.histories import write_history

Add = Callable[[Mapping[str, bytes]], None]
"""Takes the tables of the next part."""

EndOfHistory = Callable[[Path], tuple[Any, Mapping[bytes, bytes]]]
"""Returns the last rows of a history, and its facts, when the file of its bills is whole."""

_BINARY: Final = getattr(os, "O_BINARY", 0)


def unfinished(targets: Mapping[str, Path]) -> dict[str, Path]:
    """Return the names that files have until they are whole."""
    return {name: path.with_name(f".{path.name}.new") for name, path in targets.items()}


@contextmanager
def written(
    targets: Mapping[str, Path], form: Form, end_of: EndOfHistory | None = None
) -> Generator[Add]:
    """Write tables while a block runs, and give the files their names at its end.

    Args:
        targets: The files by their tables.
        form: Of the bills.
        end_of: What a history ends with, once the bills are whole, which are in a file.
    """
    news = unfinished(targets)
    with ExitStack() as undone:
        for new in news.values():
            undone.callback(_remove, new)
        with ExitStack() as closing:
            takers: dict[str, _Taker] = {}
            for name, new in news.items():
                with errors_named(targets[name]):
                    end = None if end_of is None else partial(end_of, news["bills"])
                    taker = _taker(name, new, targets[name], form, end)
                closing.callback(taker.leave)
                takers[name] = taker

            def add(tables: Mapping[str, bytes]) -> None:
                for name, taker in takers.items():
                    with errors_named(targets[name]):
                        taker.add(tables[name])

            yield add
            # A history knows the file of bills that it is for.
            for name in sorted(takers, key="history".__eq__):
                with errors_named(targets[name]):
                    takers[name].finish()
        for name, new in news.items():
            with errors_named(targets[name]):
                _settle(new)
        # The bills last: where they are, all other tables are.
        for name in sorted(news, key="bills".__eq__):
            with errors_named(targets[name]):
                news[name].replace(targets[name])


class _Taker(Protocol):
    """A file that is being written."""

    def add(self, part: bytes) -> None:
        """Write what a part has of it."""

    def finish(self) -> None:
        """Write its end, and close it."""

    def leave(self) -> None:
        """Close it, whatever there is of it."""


def _taker(
    name: str,
    new: Path,
    target: Path,
    form: Form,
    end: Callable[[], tuple[Any, Mapping[bytes, bytes]]] | None,
) -> _Taker:
    """Return what writes a table to a file until it has the name of its target."""
    if name == "history" and end is not None:
        return _History(new, end)
    if name == "bills" and form != "parquet":
        return _Text(new, *TEXTS[form])
    text = text_form(target) if name == "problems" else None
    return _Parquet(new, WRITTEN[name]) if text is None else _Problems(new, text)


class _Parquet:
    """Streams of Arrow in a Parquet file."""

    def __init__(self, path: Path, schema: Any) -> None:  # noqa: ANN401 - pyarrow has no types
        self._writer = pq.ParquetWriter(path, schema)

    def add(self, part: bytes) -> None:
        with pa.ipc.open_stream(part) as batches:
            for batch in batches:
                self._writer.write_batch(batch)

    def finish(self) -> None:
        self._writer.close()

    def leave(self) -> None:
        """Close the file; an error here is ignored, because the first one is raised already."""
        with suppress(OSError):
            self._writer.close()


class _History:
    """Streams of Arrow in a history, which is written at the end: some bytes of each lease."""

    def __init__(self, path: Path, end: Callable[[], tuple[Any, Mapping[bytes, bytes]]]) -> None:
        self._path, self._end = path, end
        self._batches: list[Any] = []

    def add(self, part: bytes) -> None:
        with pa.ipc.open_stream(part) as batches:
            self._batches += batches

    def finish(self) -> None:
        write_history(self._path, self._batches, self._end())

    def leave(self) -> None:
        """There is nothing to close."""


class _Text:
    """Texts in a file, between head and tail."""

    def __init__(self, path: Path, head: str, nothing: str = "", tail: str = "") -> None:
        self._nothing, self._tail = nothing, tail
        self._is_empty = True
        self._file = path.open("wb")
        self._file.write(head.encode())

    def add(self, part: bytes) -> None:
        self._is_empty = self._is_empty and not part
        self._file.write(part)

    def finish(self) -> None:
        if self._is_empty:
            self._file.write(self._nothing.encode())
        self._file.write(self._tail.encode())
        self._file.close()

    def leave(self) -> None:
        """Close the file; an error here is ignored, because the first one is raised already."""
        with suppress(OSError):
            self._file.close()


class _Problems(_Text):
    """Streams of problems as texts in a file."""

    def __init__(self, path: Path, form: Form) -> None:
        super().__init__(path, PROBLEM_HEADS[form])
        self._form: Form = form

    def add(self, part: bytes) -> None:
        super().add(problem_text(part, self._form))


def text_form(path: Path) -> Form | None:
    """Return the form of a file of problems as text, None where it is Parquet.

    Examples:
        >>> text_form(Path("p.csv")), text_form(Path("p.parquet"))
        ('csv', None)
    """
    form = SUFFIXES.get(path.suffix.lower())
    return form if form in PROBLEM_HEADS else None


def _remove(path: Path) -> None:
    """Remove a file that is not whole; its own error is raised, also where it cannot be removed."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _settle(path: Path) -> None:
    there = os.open(path, os.O_RDWR | _BINARY)
    try:
        os.fsync(there)
    finally:
        os.close(there)
