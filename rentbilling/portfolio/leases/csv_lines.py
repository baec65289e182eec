"""CSV: the lines of a file with a line of headers, as texts by column.

Laws: a line that cannot be read is never passed over; a file is refused where it is unknown how
many lines are affected.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO, TextIOWrapper
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

import numpy as np
import pyarrow as pa
from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

from rentbilling.errors import InvalidRecordError, Problem, shown
from rentbilling.portfolio.arrow.arrays import Mask, true
from rentbilling.portfolio.arrow.column_types import functions
from rentbilling.tables import counted, is_absent

_BLOCK: Final = 1 << 20
"""Bytes that are read at a time."""
_AT_ONCE: Final = 4096
"""Lines that are given together where they are read one by one."""
_LARGEST: Final = 2**30
"""Bytes of a block at most, which are read whole."""
_QUOTE: Final = '"'
_NOTHING: Final = "nothing that can be read"
_EXPECTED: Final = "a CSV file with a line of headers and these columns"


class Line(NamedTuple):
    """A row of a table that can be read."""

    place: str
    """Where it is: `line 3` of a file, from 1; `row 3` of a frame, from 0."""
    cells: tuple[Any, ...]
    """The values of the columns, in their order."""


class Stretch(NamedTuple):
    """Rows one after another that can be read."""

    columns: Sequence[Any]
    """The values of each column, in their order: an array of texts, or a sequence."""
    numbers: Sequence[int]
    """The number of each row: the line of a file, from 1, or the row of a frame, from 0."""
    last: int | None = None
    """The last line of the only row, if it has several."""

    def part(self, begin: int, end: int) -> "Stretch":
        """Return some of its rows."""
        return Stretch(
            [each[begin:end] for each in self.columns], self.numbers[begin:end], self.last
        )

    def without_blank_rows(self) -> "Stretch":
        """Return it without the rows that are blank in all of its columns (A144)."""
        blank = np.ones(len(self.numbers), np.bool_)
        for column in self.columns:
            blank &= blank_cells(column)
            if not blank.any():
                return self
        return self.only(~blank)

    def only(self, wanted: Any) -> "Stretch":  # noqa: ANN401 - a mask, or places
        """Return some of its rows, by a mask or in the order of their places."""
        rows = np.arange(len(self.numbers))[wanted]
        if len(rows) == len(self.numbers) and (rows[1:] > rows[:-1]).all():
            return self
        kept = [
            each.take(pa.array(rows)) if isinstance(each, pa.Array) else [each[at] for at in rows]
            for each in self.columns
        ]
        return Stretch(kept, [self.numbers[at] for at in rows.tolist()], self.last)

    def cells(self, row: int) -> tuple[Any, ...]:
        """Return the values of a row."""
        return tuple(
            each[row].as_py() if isinstance(each, pa.Array) else each[row] for each in self.columns
        )


def blank_cells(column: Any) -> Mask:  # noqa: ANN401 - an Arrow array, or a sequence
    """Return which cells say nothing."""
    if isinstance(column, pa.Array):
        texts = functions.utf8_trim_whitespace(column)
        return true(functions.equal(functions.fill_null(texts, ""), ""))
    return np.array([*map(is_absent, column)], np.bool_)


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
    path: str | PathLike[str],
    columns: Sequence[str],
    *,
    delimiter: str,
    encoding: str,
    header_line: int | None = None,
) -> Iterator[Stretch | TornLine]:
    """Give the texts of some columns, in stretches of lines; empty lines are passed over.

    Lines above `header_line` are not read; without it the first line that is not empty has headers.

    Raises:
        InvalidRecordError: The file is no CSV with these columns in that encoding, each of them
            once, or a quotation is open over several lines.
        OSError: There is no such file.
    """
    # The error of Arrow does not have the name of a file that is not there.
    Path(path).stat()
    try:
        with TextIOWrapper(
            pa.input_stream(path, buffer_size=_BLOCK), encoding=_encoding(encoding), newline=""
        ) as file:
            above = [file.readline() for _ in range(1, header_line or 1)]
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            header = next((cells for cells in reader if cells), None)
            if header is None:
                raise _refused(path, "is empty")
            table = _Table(delimiter, len(header), places_of(header, columns, delimiter))
            yield from table.stretches(file, len(above) + reader.line_num)
    except UnicodeError:
        said = f"is not in the encoding {encoding}"
        expected = 'the encoding of the file, such as encoding = "cp1252", "utf-8" or "utf-16"'
        raise _refused(path, said, expected) from None
    except (LookupError, csv.Error, pa.ArrowException) as error:
        raise _refused(path, f"cannot be read: {error}") from None


def _encoding(name: str) -> str:
    """Return an encoding; the mark that some programs begin UTF-8 with says nothing."""
    return "utf-8-sig" if name.lower().replace("_", "-") in ("utf-8", "utf8") else name


def _refused(path: str | PathLike[str], said: str, expected: str = _EXPECTED) -> InvalidRecordError:
    return InvalidRecordError.of("source", "unreadable", said, str(path), expected)


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
            met = ", ".join(map(str, header)) if not found else f"{found} columns"
            expected = "one such column" + _other_delimiter(header, delimiter)
            problems.append(Problem(f"column {name}", code, said, shown(met), expected))
    if problems:
        raise InvalidRecordError(problems)
    return [header.index(name) for name in columns]


def _other_delimiter(header: Sequence[str], delimiter: str) -> str:
    """Return what to write where a header has another delimiter than was said, or is elsewhere."""
    if not delimiter or len(header) != 1:
        return ""
    marks = [mark for mark in ";\t," if mark in header[0]]
    if not marks:
        return "; header_line = 8 in [rows] is the line of headers that are not in the first"
    written = "\\t" if marks[0] == "\t" else marks[0]
    return f'; delimiter = "{written}" reads this line of headers as several'


class _Table(NamedTuple):
    """The lines of a file after that of the headers."""

    delimiter: str
    length: int
    """Fields of a line."""
    places: Sequence[int]
    """Where the columns are."""

    def stretches(self, file: TextIO, before: int) -> Iterator[Stretch | TornLine]:
        """Give stretches of lines, and each line that cannot be read; `before` lines are read."""
        rest = ""
        while text := file.read(_BLOCK):
            whole, line_end, rest = (rest + text).rpartition("\n")
            if not self._is_plain(whole):
                # A quotation may go on behind this block.
                lines = chain(StringIO(whole + line_end + rest + file.readline(), newline=""), file)
                yield from self._line_by_line(lines, before)
                return
            if line_end:
                yield from self._block(whole + line_end, before)
                before += whole.count("\n") + 1
        yield from (
            self._block(rest, before)
            if self._is_plain(rest)
            else self._line_by_line(StringIO(rest, newline=""), before)
        )

    def _is_plain(self, text: str) -> bool:
        """Return whether each line break of a text ends a line, as every reader has it."""
        if text.count("\r") > text.count("\r\n") + text.endswith("\r"):
            return False
        if _QUOTE not in text:
            return True
        mark = re.escape(self.delimiter)
        quoted = rf'(?:^|(?<={mark}))"(?:[^"\r\n]|"")*"(?={mark}|\r?$)'
        return _QUOTE not in re.sub(quoted, "", text, flags=re.MULTILINE)

    def _block(self, text: str, before: int) -> Iterator[Stretch | TornLine]:
        if not text:
            return
        columns = self._columns(text)
        if columns is None:
            yield from self._line_by_line(StringIO(text, newline=""), before)
            return
        first = before + 1
        yield Stretch(columns, range(first, first + len(columns[0])))

    def _columns(self, text: str) -> list[Any] | None:
        """Return the columns of a plain text by the reader of Arrow; None where one line is odd."""
        names = [str(place) for place in range(self.length)]
        wanted = [names[place] for place in self.places]
        # Arrow takes a byte order mark off each text that it reads.
        is_odd = text[0] in "\r\n\ufeff" or "\n\n" in text or "\n\r\n" in text
        if is_odd or "\0" in text or not self.delimiter.isascii():
            return None
        try:
            table = read_csv(
                pa.BufferReader(text.encode()),
                ReadOptions(use_threads=False, block_size=_LARGEST, column_names=names),
                ParseOptions(delimiter=self.delimiter),
                ConvertOptions(
                    column_types=dict.fromkeys(wanted, pa.string()),
                    include_columns=wanted,
                    strings_can_be_null=False,
                ),
            )
        except pa.ArrowInvalid:
            return None
        found = [each.combine_chunks() for each in table.columns]
        lines = text.count("\n") + (not text.endswith("\n"))
        # Longer fields are refused line by line.
        most = max(functions.max(functions.binary_length(each)).as_py() for each in found)
        return found if table.num_rows == lines and most <= csv.field_size_limit() else None

    def _line_by_line(self, lines: Iterable[str], before: int) -> Iterator[Stretch | TornLine]:
        """Give lines as the reader of Python has them, which knows what is wrong with one."""
        reader = csv.reader(lines, delimiter=self.delimiter, strict=True)
        rows: list[tuple[int, list[str]]] = []
        is_over = False
        while not is_over:
            first, odd = before + reader.line_num + 1, list[Stretch | TornLine]()
            cells: list[str] | None = []
            try:
                cells = next(reader, None)
            except csv.Error as error:
                odd = [self._without_end(first, before + reader.line_num, error)]
            last = before + reader.line_num
            is_over = cells is None
            if cells and (problem := _problem(cells, self.length)):
                odd = [_torn(self.places, (first, last), cells, problem)]
            elif cells and last > first:
                odd = [Stretch([(cells[place],) for place in self.places], [first], last)]
            elif cells:
                rows.append((first, cells))
            if rows and (odd or is_over or len(rows) == _AT_ONCE):
                columns = [*zip(*(each for _, each in rows), strict=True)]
                yield Stretch([columns[place] for place in self.places], [at for at, _ in rows])
                rows = []
            yield from odd

    def _without_end(self, first: int, last: int, error: csv.Error) -> TornLine:
        """Return a line with a wrong quotation.

        Raises:
            Error: It goes on over several lines: the leases of those inside are not known.
        """
        if last > first:
            raise csv.Error(f"lines {first} to {last}: {error}") from None
        said = f"cannot be read: {error}"
        problem = Problem("", "unreadable", said, _NOTHING, "a line of CSV")
        return _torn(self.places, (first, first), (), problem)


def _problem(cells: Sequence[str], length: int) -> Problem | None:
    """Return why a line cannot be read, None where it can, or is empty."""
    if cells and len(cells) != length:
        said = f"has {counted(len(cells), 'field')} in place of {length}"
        expected = counted(length, "field")
        return Problem("", "wrong_fields", said, shown(", ".join(cells)), expected)
    if any("\0" in text for text in cells):
        said, met = "has a field with a NUL byte", shown(", ".join(cells))
        return Problem("", "unreadable", said, met, "texts")
    return None


def _place(span: tuple[int, int]) -> str:
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
