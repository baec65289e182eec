"""CSV: the lines of a file with a line of headers, as texts by column.

Laws: a line that cannot be read is never passed over; a file is refused where it is unknown how
many lines are affected.
"""

import csv
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from os import PathLike
from typing import Any, Final, NamedTuple

import pyarrow as pa

from rentbilling.errors import InvalidRecordError, Problem, shown
from rentbilling.tables import counted

_BLOCK: Final = 1 << 20
"""Bytes that are read at a time."""
_NOTHING: Final = "nothing that can be read"
_EXPECTED: Final = "a CSV file with a line of headers and these columns"


class Line(NamedTuple):
    """A row of a table that can be read."""

    place: str
    """Where it is: `line 3` of a file, from 1; `row 3` of a frame, from 0."""
    cells: tuple[Any, ...]
    """The values of the columns, in their order."""


class TornLine(NamedTuple):
    """A line that cannot be read."""

    place: str
    """Of the line in the file, from 1: `line 3`, or `lines 3 to 5` where it has line breaks."""
    texts: tuple[str | None, ...]
    """The fields of the columns, in their order; None where the line ends before."""
    first: int | None
    """The column that is first in the file, if it is one of them: no field is before it."""
    problem: Problem
    """What is wrong with it."""


def csv_lines(
    path: str | PathLike[str], columns: Sequence[str], *, delimiter: str, encoding: str
) -> Iterator[Line | TornLine]:
    """Give the texts of some columns, line by line; empty lines are passed over.

    Raises:
        InvalidRecordError: The file is no CSV with these columns in that encoding, each of them
            once, or a quotation is open over several lines.
        OSError: There is no such file.
    """
    try:
        with TextIOWrapper(
            pa.input_stream(path, buffer_size=_BLOCK), encoding=_encoding(encoding), newline=""
        ) as file:
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            header = next((cells for cells in reader if cells), None)
            if header is None:
                raise _refused(path, "is empty")
            places = places_of(header, columns, delimiter)
            yield from _read(reader, len(header), places)
    except (UnicodeError, LookupError, csv.Error, pa.ArrowException) as error:
        raise _refused(path, f"cannot be read: {error}") from None


def _encoding(name: str) -> str:
    """Return an encoding; the mark that some programs begin UTF-8 with says nothing."""
    return "utf-8-sig" if name.lower().replace("_", "-") in ("utf-8", "utf8") else name


def _refused(path: str | PathLike[str], said: str) -> InvalidRecordError:
    return InvalidRecordError.of("source", "unreadable", said, str(path), _EXPECTED)


def places_of(header: Sequence[str], columns: Sequence[str], delimiter: str = "") -> list[int]:
    """Return the places of columns, each of which is there once.

    Raises:
        InvalidRecordError: A column is missing, or there twice; every problem with its name.

    Examples:
        >>> places_of(["id", "rent"], ["rent"])
        [1]
    """
    problems: list[Problem] = []
    for name in columns:
        found = header.count(name)
        if found != 1:
            code, said = "missing", "is no column of the table"
            if found:
                code, said = "duplicate_column", "is the header of several columns"
            met = ", ".join(header) if not found else f"{found} columns"
            expected = "one such column" + _other_delimiter(header, delimiter)
            problems.append(Problem(f"column {name}", code, said, shown(met), expected))
    if problems:
        raise InvalidRecordError(problems)
    return [header.index(name) for name in columns]


def _other_delimiter(header: Sequence[str], delimiter: str) -> str:
    """Return what to write where a header has another delimiter than was said."""
    marks = [mark for mark in ";\t," if delimiter and len(header) == 1 and mark in header[0]]
    if not marks:
        return ""
    written = "\\t" if marks[0] == "\t" else marks[0]
    return f'; delimiter = "{written}" reads this line of headers as several'


def _read(
    reader: Any,  # noqa: ANN401 - of the module csv
    length: int,
    places: Sequence[int],
) -> Iterator[Line | TornLine]:
    """Give line after line."""
    while True:
        first = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            if reader.line_num > first:
                # The leases of the lines inside of the quotation are not known.
                said = f"lines {first} to {reader.line_num}: {error}"
                raise csv.Error(said) from None
            said = f"cannot be read: {error}"
            problem = Problem("", "unreadable", said, _NOTHING, "a line of CSV")
            yield _torn(places, (first, first), (), problem)
            continue
        if cells is None:
            return
        if not cells:
            continue
        if len(cells) != length:
            said = f"has {counted(len(cells), 'field')} in place of {length}"
            expected = counted(length, "field")
            problem = Problem("", "wrong_fields", said, shown(", ".join(cells)), expected)
            yield _torn(places, (first, reader.line_num), cells, problem)
            continue
        found = tuple([cells[place] for place in places])
        if any("\0" in text for text in found):
            said, met = "has a field with a NUL byte", shown(", ".join(cells))
            problem = Problem("", "unreadable", said, met, "texts")
            yield _torn(places, (first, reader.line_num), cells, problem)
            continue
        yield Line(_place((first, reader.line_num)), found)


def _place(span: tuple[int, int]) -> str:
    """Return the name of a line, or of several."""
    first, last = span
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _torn(
    places: Sequence[int], span: tuple[int, int], cells: Sequence[str], problem: Problem
) -> TornLine:
    """Return a line that cannot be read, with its number in the problem."""
    number = _place(span)
    texts = tuple([cells[place] if place < len(cells) else None for place in places])
    numbered = problem._replace(message=f"{number}: {problem.message}")
    return TornLine(number, texts, places.index(0) if 0 in places else None, numbered)
