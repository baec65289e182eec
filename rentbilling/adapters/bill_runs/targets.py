"""Targets: files that parts become, in order, under another name until they are whole.

Laws: a file stands under its name when it is whole and on the disk, and not before; what was there
before is replaced then, and left alone where the run fails.
What does not live here: the parts (`parts`).
"""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.adapters.bill_runs.forms import HEADS, TAILS, Form
from rentbilling.portfolio.batch_runs import SCHEMAS, Output

Add = Callable[[Mapping[Output, bytes]], None]
"""Takes the tables of the next part."""

_BINARY: Final = getattr(os, "O_BINARY", 0)


@contextmanager
def written(targets: Mapping[Output, Path], form: Form) -> Generator[Add]:
    """Write tables while a block runs, and give the files their names at its end.

    Args:
        targets: The file of each table.
        form: What the bills are written as.

    Yields:
        What takes the parts.

    Raises:
        OSError: A file cannot be written; none is left behind.
    """
    news = {name: path.with_name(f".{path.name}.new") for name, path in targets.items()}
    with ExitStack() as undone:
        for new in news.values():
            undone.callback(new.unlink, missing_ok=True)
        with ExitStack() as closing:
            adding = {
                name: closing.enter_context(
                    _text(new, form)
                    if name == "bills" and form != "parquet"
                    else _parquet(new, SCHEMAS[name])
                )
                for name, new in news.items()
            }

            def add(tables: Mapping[Output, bytes]) -> None:
                for name, take in adding.items():
                    take(tables[name])

            yield add
        for new in news.values():
            _settle(new)
        # The bills last: who finds them finds what belongs to them as well.
        for name in sorted(news, key="bills".__eq__):
            news[name].replace(targets[name])


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
