"""CSV leases: leases written line by line, with a mapping from columns to fields.

Laws: neither a number's notation nor a column's meaning is guessed; a value or a line that cannot
be read is a problem of its lease; no lease is billed of which a line may be missing, and none
twice.
"""

import codecs
import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from decimal import Decimal
from functools import partial
from io import TextIOWrapper
from itertools import compress, islice
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa

from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem, shown
from rentbilling.portfolio.arrow.schema_checks import without_items
from rentbilling.portfolio.arrow.schemas import Shape, shape_of
from rentbilling.portfolio.leases.ids import LeaseIds
from rentbilling.portfolio.leases.problems import UnreadLease
from rentbilling.tables import counted
from rentbilling.terms import LeaseTerms
from rentbilling.values import Period

_BLOCK: Final = 1 << 20
"""Bytes that are read at a time."""
_NOTHING: Final = "nothing that can be read"
_EXPECTED: Final = "a CSV file with a line of headers and these columns"


class TornLine(NamedTuple):
    """A line that cannot be read."""

    number: str
    """Of the line in the file, from 1: `line 3`, or `lines 3 to 5` where it has line breaks."""
    texts: tuple[str | None, ...]
    """The fields of the columns, in their order; None where the line ends before."""
    first: int | None
    """The column that is first in the file, if it is one of them: no field is before it."""
    problem: Problem
    """What is wrong with it."""


def csv_lines(
    path: str | PathLike[str], columns: Sequence[str], *, delimiter: str, encoding: str
) -> Iterator[tuple[str, ...] | TornLine]:
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
            places = _places(header, columns)
            yield from _read(reader, len(header), places)
    except (UnicodeError, LookupError, csv.Error, pa.ArrowException) as error:
        raise _refused(path, f"cannot be read: {error}") from None


def _encoding(name: str) -> str:
    """Return an encoding; the mark that some programs begin UTF-8 with says nothing."""
    return "utf-8-sig" if name.lower().replace("_", "-") in ("utf-8", "utf8") else name


def _refused(path: str | PathLike[str], said: str) -> InvalidRecordError:
    return InvalidRecordError.of("source", "unreadable", said, str(path), _EXPECTED)


def _places(header: Sequence[str], columns: Sequence[str]) -> list[int]:
    """Return the places of columns, each of which is there once."""
    problems: list[Problem] = []
    for name in columns:
        found = header.count(name)
        if found != 1:
            code, said = "missing", "is no column of the file"
            if found:
                code, said = "duplicate_column", "is the header of several columns"
            met = ", ".join(header) if not found else f"{found} columns"
            problems.append(Problem(f"columns.{name}", code, said, shown(met), "one such column"))
    if problems:
        raise InvalidRecordError(problems)
    return [header.index(name) for name in columns]


def _read(
    reader: Any,  # noqa: ANN401 - of the module csv
    length: int,
    places: Sequence[int],
) -> Iterator[tuple[str, ...] | TornLine]:
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
        yield found


def _torn(
    places: Sequence[int], span: tuple[int, int], cells: Sequence[str], problem: Problem
) -> TornLine:
    """Return a line that cannot be read, with its number in the problem."""
    first, last = span
    number = f"line {first}" if first == last else f"lines {first} to {last}"
    texts = tuple([cells[place] if place < len(cells) else None for place in places])
    numbered = problem._replace(message=f"{number}: {problem.message}")
    return TornLine(number, texts, places.index(0) if 0 in places else None, numbered)


Step = str | int | None
"""A step of a path: a field, a place in a list, or the place that a line has of its own."""

_STEP: Final = re.compile(r"([a-z_]+)(?:\[([0-9]{1,4})\])?")
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?")
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,15}")
_LEASE_ID: Final = ("lease_id",)
_AT_ONCE: Final = 4096
"""Leases whose ids are looked up together."""
_QUOTE: Final = '"'


@dataclass(frozen=True)
class CsvLeases:
    """Leases of a CSV file with a line of headers, in UTF-8 or another encoding.

    A path names a field of `LeaseTerms`, such as `recurring_bill_items.amount.amount`. Where a path
    goes through a list without a place in it, every line is an item of its own, and lines of one
    lease, which follow each other and have the same `lease_id`, are put together; a lease whose
    lines are apart is refused, all of it. With places, such as
    `recurring_bill_items[0].amount.amount`, a line is a whole lease.

    Dates are `YYYY-MM-DD`; flags are `true` and `false`; nothing between two separators is absent.

    A line with too few or too many fields is the problem of the lease whose id it has: as its first
    field, or in its place where the line before or after has the same. Where the id is not certain,
    the line is a problem of its own, and so are the leases before and after, of which it may be a
    part.

    Raises:
        InvalidRecordError: A path leads to no field, none to an item or a plan; the delimiter, the
            decimal point or the encoding is none.

    Examples:
        >>> CsvLeases("rents.csv", {"Rent": "recurring_bill_items.price"})
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: columns.Rent: leads to no field of a lease (met \
'recurring_bill_items.price'; expected a path such as recurring_bill_items.amount.amount)
    """

    path: str | PathLike[str]
    columns: Mapping[str, str]
    """Paths of fields by the headers of their columns; other columns are left alone."""
    _: KW_ONLY
    constants: Mapping[str, str] = field(default_factory=dict)
    """Values, written as in the file, of fields that every line has alike, by their paths."""
    delimiter: str = ","
    decimal_point: str = "."
    """The character before the decimals; there is none between thousands."""
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        """Refuse paths that lead nowhere."""
        problems: list[Problem] = []
        where = [(f"columns.{name}", path) for name, path in self.columns.items()]
        where += [(f"constants.{path}", path) for path in self.constants]
        known: dict[Step, bool] = {}
        for place, path in where:
            there = _Field(path, ".")
            if not there.is_there:
                said = "leads to no field of a lease"
                expected = "a path such as recurring_bill_items.amount.amount"
                problems.append(Problem(place, "unknown_field", said, shown(path), expected))
            elif known.setdefault(there.list_name, there.has_places) is not there.has_places:
                said = "has a place in its list, which others have not"
                if not there.has_places:
                    said = "has no place in its list, which others have"
                expected = "either for every column of the list"
                problems.append(Problem(place, "contradiction", said, shown(path), expected))
        problems += self._wrong_notation()
        if not problems:
            problems += without_items("columns", {each.split(".")[0] for each in self._paths()})
        if problems:
            raise InvalidRecordError(problems)

    def _paths(self) -> Iterator[str]:
        """Give the paths of all fields, without places in lists."""
        return (path.replace("[", ".") for path in (*self.columns.values(), *self.constants))

    def _wrong_notation(self) -> Iterator[Problem]:
        """Give what is wrong with how the file is said to be written."""
        mark, point = self.delimiter, self.decimal_point
        if not isinstance(mark, str) or len(mark) != 1 or mark in "\r\n" + _QUOTE:
            said, expected = "is no delimiter", "one character, such as ; or a tab"
            yield Problem("delimiter", "wrong_value", said, shown(mark), expected)
        if not isinstance(point, str) or len(point) != 1 or point in "+-0123456789":
            said, expected = "is no decimal point", ". or ,"
            yield Problem("decimal_point", "wrong_value", said, shown(point), expected)
        try:
            codecs.lookup(self.encoding)
        except LookupError:
            said, expected = "is no known encoding", "one such as utf-8 or latin-1"
            yield Problem("encoding", "wrong_value", said, shown(self.encoding), expected)

    def batches(self, batch_size: int) -> Iterator[list[Any]]:
        """Give the leases of the file in lists.

        Args:
            batch_size: Leases of a list at most.

        Yields:
            Payloads, or the refusals of those whose lines cannot be read, contradict each other, or
            do not stand together.

        Raises:
            InvalidRecordError: The file is no CSV with these columns, see `csv_lines`.
            OSError: There is no such file.
        """
        path = Path(self.path)
        if path.exists() and not (path.is_file() or path.is_dir()):
            said, expected = "cannot be gone through twice", "a file, not a pipe or device"
            raise InvalidRecordError.of("source", "not_a_source", said, str(path), expected)
        scattered = self._scattered()
        leases = self._leases()
        while group := list(islice(leases, batch_size)):
            yield [each.payload(is_scattered=each.joined_by in scattered) for each in group]

    def _scattered(self) -> set[str | None]:
        """Return the ids of leases whose lines are not together.

        The file is gone through for them first: billed as far as it was read, a lease would lack
        what comes later.
        """
        seen = LeaseIds()
        scattered: set[str | None] = set()
        leases = self._leases(ids_alone=True)
        while ids := [each.joined_by for each in islice(leases, _AT_ONCE)]:
            scattered.update(compress(ids, seen.again(ids)))
        return scattered

    def _leases(self, *, ids_alone: bool = False) -> Iterator["_Lines"]:
        """Give the lines of lease after lease, or only whose they are."""
        read = [_Field(path, self.decimal_point) for path in self.columns.values()]
        fixed = [(_Field(path, "."), text) for path, text in self.constants.items()]
        joins = not all(each.has_places for each in (*read, *(each for each, _ in fixed)))
        own = [at for at, each in enumerate(read) if each.steps == _LEASE_ID]
        place = partial(_placed, id_at=own[0] if own else None, joins=joins)
        lease: _Lines | None = None
        torn: list[TornLine] = []
        lines = csv_lines(
            self.path, [*self.columns], delimiter=self.delimiter, encoding=self.encoding
        )
        for line in lines:
            if isinstance(line, TornLine):
                torn.append(line)
                continue
            found = [(each, text) for each, text in zip(read, line, strict=True) if text]
            lease_id = next((text for each, text in found if each.steps == _LEASE_ID), None)
            goes_on = joins and lease_id is not None
            if lease is not None and goes_on and lease_id == lease.lease_id:
                following = lease
            else:
                following = _Lines(lease_id, joins=joins)
            alone = place(torn, lease, following) if torn else ()
            torn = []
            if lease is not None and following is not lease:
                yield lease
            yield from alone
            lease = following
            if not ids_alone:
                lease.add([*fixed, *found])
        alone = place(torn, lease, None)
        if lease is not None:
            yield lease
        yield from alone


class _Items(dict[Step, Any]):
    """The values of a list by their places."""


class _Ends(dict[Step, Any]):
    """The ends of a period."""


class _Field:
    """A field that a column fills."""

    __slots__ = ("_decimal_point", "_kinds", "_path", "_word", "steps")

    def __init__(self, path: str, decimal_point: str) -> None:
        self._path, self._decimal_point = path, decimal_point
        shape: Shape | None = shape_of(LeaseTerms)
        steps: list[Step] = []
        kinds: list[type[dict[Step, Any]]] = []
        for text in path.split("."):
            found = _STEP.fullmatch(text)
            shape = None if shape is None or found is None else dict(shape.parts).get(found[1])
            if shape is None or found is None:
                break
            steps.append(found[1])
            if shape.word == "list":
                kinds.append(_Items)
                steps.append(None if found[2] is None else int(found[2]))
                shape = shape.parts[0][1]
            elif found[2] is not None:
                shape = None
                break
            kinds.append(_Ends if shape.word == "period" else dict)
        self.steps = tuple(steps)
        self._kinds = tuple(kinds)
        # Where the path leads to no field, or to what has fields of its own, there is none.
        self._word = None if shape is None or shape.parts else shape.word

    @property
    def is_there(self) -> bool:
        """Whether the path leads to a field."""
        return self._word is not None

    @property
    def list_name(self) -> Step:
        """The list of the lease that it is in, or the field of the lease."""
        return self.steps[0]

    @property
    def has_places(self) -> bool:
        """Whether it is in the same place of its lists in every line."""
        return None not in self.steps

    def put(self, text: str, lease: dict[Step, Any], line: int) -> Problem | None:
        """Write what a line says into a lease; return what contradicts an earlier line."""
        place = lease
        *before, last = (line if step is None else step for step in self.steps)
        for step, kind in zip(before, self._kinds, strict=False):
            place = place.setdefault(step, kind())
        value = self._value(text)
        known = place.setdefault(last, value)
        if known == value:
            return None
        said, expected = "is said otherwise by another line of the lease", shown(known)
        return Problem(self._path, "contradiction", said, shown(value), expected)

    def _value(self, text: str) -> object:
        """Return what a text says; where it says nothing, the text, which the record refuses."""
        if self._word in ("number", "money"):
            plain = text
            if self._decimal_point != ".":
                plain = text.replace(".", "?").replace(self._decimal_point, ".")
            return Decimal(plain) if _NUMBER.fullmatch(plain) else text
        if self._word == "whole":
            return int(text) if _WHOLE.fullmatch(text) else text
        return {"true": True, "false": False}.get(text, text) if self._word == "flag" else text


class _Lines:
    """The lines of one lease, put together."""

    __slots__ = ("_count", "_lease", "_problems", "joined_by", "lease_id")

    def __init__(self, lease_id: str | None, *, joins: bool) -> None:
        self.lease_id = lease_id
        # The id by which other lines are its own; None where a line is a lease.
        self.joined_by = lease_id if joins else None
        self._lease: dict[Step, Any] = {}
        self._problems: list[Problem] = []
        self._count = 0

    def add(self, found: list[tuple[_Field, str]]) -> None:
        """Add a line."""
        for each, text in found:
            problem = each.put(text, self._lease, self._count)
            if problem is not None:
                self._problems.append(problem)
        self._count += 1

    def refuse(self, problem: Problem) -> None:
        """Note a problem, because of which the lease is not billed."""
        self._problems.append(problem)

    def payload(self, *, is_scattered: bool) -> object:
        """Return the payload of the lease, or its refusal, also of one of which this is a part."""
        if is_scattered:
            said = "is in several places of the file, and would be billed in parts"
            expected = "lines of a lease that stand together"
            self.refuse(Problem("lease_id", "duplicate_id", said, shown(self.lease_id), expected))
        if self._problems:
            return UnreadLease(self.lease_id, InvalidRecordError(self._problems))
        return _plain(self._lease)


def _placed(
    torn: Sequence[TornLine],
    before: _Lines | None,
    after: _Lines | None,
    *,
    id_at: int | None,
    joins: bool,
) -> list[_Lines]:
    """Give lines that cannot be read to the leases before and after; return those of neither."""
    nearby = [each for each in (before, after) if each is not None]
    alone: list[_Lines] = []
    for line in torn:
        own_id = None if id_at is None else line.texts[id_at] or None
        own = [each for each in nearby if own_id is not None and each.joined_by == own_id]
        if own:
            own[0].refuse(line.problem)
            continue
        # A field that is missing or one too many moves those after it, and none before.
        sure = own_id if id_at is not None and line.first == id_at else None
        if not alone or sure is None or alone[-1].joined_by != sure:
            alone.append(_Lines(sure, joins=joins))
        alone[-1].refuse(line.problem)
        if sure is None:
            for each in {id(each): each for each in nearby if each.joined_by}.values():
                each.refuse(_perhaps_its_own(line))
    return alone


def _perhaps_its_own(line: TornLine) -> Problem:
    """Return the problem of a lease next to a line that may belong to it."""
    said = f"may go on in {line.number}, which cannot be read and does not tell its lease"
    return Problem("", "may_be_incomplete", said, line.problem.met, "a line that can be read")


def _place(item: tuple[Step, Any]) -> int:
    return int(item[0] or 0)


def _plain(value: Any) -> Any:  # noqa: ANN401 - part of a payload
    """Return part of a payload as records read it."""
    if isinstance(value, _Items):
        return [_plain(each) for _, each in sorted(value.items(), key=_place)]
    if isinstance(value, _Ends):
        text = f"{value.get('start', '')}/{value.get('end', '')}"
        try:
            return Period.parse(text)
        except InvalidInputError:
            return text
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value
