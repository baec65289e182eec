"""The programs beside `rentbilling` that a session may name: what is needed of those of a shell.

`case NAME <<END` writes leases, stated as in tests/cases, to a file of JSON or Parquet; `rows NAME
COLUMN...` prints the rows of a file of Parquet; `tr -d CHARACTERS`
deletes them; the others do what those of their names do.
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Final

from pyarrow import Table, parquet

import rentbilling as rb
from rentbilling.portfolio import leases_to_arrow
from tests.cases.case import Case

Program = Callable[[Sequence[str], bytes], bytes]


def _case(names: Sequence[str], given: bytes) -> bytes:
    data = tomllib.loads(given.decode(), parse_float=Decimal)
    path, stated = Path(names[0]), data.get("case", [data])
    leases = [Case(path, {"title": path.name, **each}).terms_of({}) for each in stated]
    if path.suffix == ".parquet":
        parquet.write_table(Table.from_batches([leases_to_arrow(leases)]), path)
    else:
        texts = [rb.dumps(each) for each in leases]
        path.write_text(texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]", "utf-8")
    return b""


def _rows(names: Sequence[str], _given: bytes) -> bytes:
    rows = parquet.read_table(names[0], columns=names[1:] or None).to_pylist()
    return "".join(f"{json.dumps(each, default=str)}\n" for each in rows).encode()


def _sed(words: Sequence[str], given: bytes) -> bytes:
    """Replace texts in each line: `s/old/new/`, or `s/old/new/g` all of them."""
    text = _cat(words[1:], given).decode("utf-8", "surrogateescape")
    for each in words[0].split("; "):
        _, old, new, every = each.split(each[1])
        pattern, many = re.compile(old), 0 if every else 1
        text = "".join(pattern.sub(new, line, many) for line in text.splitlines(keepends=True))
    return text.encode("utf-8", "surrogateescape")


def _cat(names: Sequence[str], given: bytes) -> bytes:
    return b"".join(Path(each).read_bytes() for each in names) if names else given


def _lines(words: Sequence[str], given: bytes) -> list[bytes]:
    return _cat(words[1:], given).splitlines(keepends=True)


def _head(words: Sequence[str], given: bytes) -> bytes:
    return b"".join(_lines(words, given)[: -int(words[0])])


def _tail(words: Sequence[str], given: bytes) -> bytes:
    return b"".join(_lines(words, given)[int(words[0]) :])


def _grep(words: Sequence[str], given: bytes) -> bytes:
    return b"".join(line for line in _lines(words, given) if words[0].encode() in line)


def _ls(names: Sequence[str], _given: bytes) -> bytes:
    return "".join(f"{each}\n" for each in sorted(map(str, Path().glob(names[0])))).encode()


def _printf(words: Sequence[str], _given: bytes) -> bytes:
    return words[0].encode("latin-1").decode("unicode_escape").encode("latin-1")


def _mkdir(names: Sequence[str], _given: bytes) -> bytes:
    Path(names[0]).mkdir()
    return b""


def _tr(words: Sequence[str], given: bytes) -> bytes:
    return given.translate(None, _printf(words[1:], b""))


PROGRAMS: Final[Mapping[str, Program]] = {
    each.__name__.removeprefix("_"): each
    for each in (_case, _rows, _sed, _cat, _head, _tail, _grep, _ls, _printf, _mkdir, _tr)
}
