"""Targets: files that parts become, in order, under another name until they are whole.

Laws: a file stands under its name when it is whole and on the disk, and not before; what was there
before is replaced then, and left alone where the run fails.
What does not live here: the parts (`parts`).
"""

import os
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.adapters.bill_runs.forms import HEADS, TAILS, Form
from rentbilling.portfolio.arrow_types import BILL_SCHEMA, PROBLEM_SCHEMA

Add = Callable[[bytes, bytes], None]
"""Takes the bills and the problems of the next part."""

_BINARY: Final = getattr(os, "O_BINARY", 0)


@contextmanager
def written(bills: Path, problems: Path, form: Form) -> Generator[Add]:
    """Write bills and problems while a block runs, and give the files their names at its end.

    Args:
        bills: The file of the bills.
        problems: The file of the problems.
        form: What the bills are written as.

    Yields:
        What takes the parts.

    Raises:
        OSError: A file cannot be written; none is left behind.
    """
    news = {path: path.with_name(f".{path.name}.new") for path in (problems, bills)}
    with ExitStack() as undone:
        for new in news.values():
            undone.callback(new.unlink, missing_ok=True)
        with ExitStack() as closing:
            add_problems = closing.enter_context(_parquet(news[problems], PROBLEM_SCHEMA))
            if form == "parquet":
                add_bills = closing.enter_context(_parquet(news[bills], BILL_SCHEMA))
            else:
                add_bills = closing.enter_context(_text(news[bills], form))

            def add(of_bills: bytes, of_problems: bytes) -> None:
                add_bills(of_bills)
                add_problems(of_problems)

            yield add
        for new in news.values():
            _settle(new)
        for path, new in news.items():
            new.replace(path)


@contextmanager
def _parquet(path: Path, schema: Any) -> Generator[Callable[[bytes], None]]:  # noqa: ANN401
    """Write streams of Arrow to a Parquet file."""
    with pq.ParquetWriter(path, schema) as writer:

        def add(part: bytes) -> None:
            with pa.ipc.open_stream(part) as batches:
                for batch in batches:
                    writer.write_batch(batch)

        yield add


@contextmanager
def _text(path: Path, form: Form) -> Generator[Callable[[bytes], None]]:
    """Write texts to a file, between head and tail."""
    with path.open("wb") as file:

        def add(part: bytes) -> None:
            file.write(part)

        add(HEADS[form].encode())
        yield add
        add(TAILS[form].encode())


def _settle(path: Path) -> None:
    """Wait until a file is on the disk."""
    there = os.open(path, os.O_RDWR | _BINARY)
    try:
        os.fsync(there)
    finally:
        os.close(there)
