"""CSV leases: leases written line by line, with a mapping from columns to fields.

Laws: nothing is guessed, neither a number's notation nor a column's meaning; a value that cannot be
read is the lease's problem, a line of the wrong length is the file's.
What does not live here: the fields of a lease (`arrow_types`, `terms`), other files (`sources`).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from decimal import Decimal
from os import PathLike
from typing import Any, Final

import pyarrow as pa
import pyarrow.csv as pa_csv

from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem, shown
from rentbilling.periods import Period
from rentbilling.portfolio.arrow_types import Shape, shape_of
from rentbilling.portfolio.problems import UnreadLease
from rentbilling.terms import LeaseTerms

Step = str | int | None
"""A step of a path: a field, a place in a list, or the place that a line has of its own."""

_STEP: Final = re.compile(r"([a-z_]+)(?:\[([0-9]{1,4})\])?")
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?")
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,15}")
_LEASE_ID: Final = ("lease_id",)
_BLOCK: Final = 1 << 20
"""Bytes that are read at a time."""


@dataclass(frozen=True)
class CsvLeases:
    """Leases of a CSV file with a line of headers, in UTF-8 or another encoding.

    A path names a field of `LeaseTerms`, such as `recurring_bill_items.amount.amount`. Where a path
    goes through a list without a place in it, every line is an item of its own, and lines of one
    lease, which stand together and have the same `lease_id`, are put together. With places, such as
    `recurring_bill_items[0].amount.amount`, a line is a whole lease.

    Dates are `YYYY-MM-DD`; flags are `true` and `false`; nothing between two separators is absent.

    Raises:
        InvalidRecordError: A path leads to no field.

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
    """What stands before the decimals; there is nothing between thousands."""
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
        if problems:
            raise InvalidRecordError(problems)

    def batches(self, batch_size: int) -> Iterator[list[Any]]:
        """Give the leases of the file in lists.

        Args:
            batch_size: Leases of a list at most.

        Yields:
            Payloads, or the refusals of those whose lines contradict each other.

        Raises:
            InvalidRecordError: The file is no CSV with these columns, or a line has too few or too
                many fields.
            OSError: There is no such file.
        """
        listed: list[Any] = []
        for lease in self._leases():
            listed.append(lease)
            if len(listed) == batch_size:
                yield listed
                listed = []
        if listed:
            yield listed

    def _leases(self) -> Iterator[Any]:
        """Give lease after lease."""
        read = [_Field(path, self.decimal_point) for path in self.columns.values()]
        fixed = [(_Field(path, "."), text) for path, text in self.constants.items()]
        joins = not all(each.has_places for each in (*read, *(each for each, _ in fixed)))
        lease: _Lines | None = None
        for line in self._lines():
            found = [(each, text) for each, text in zip(read, line, strict=True) if text]
            lease_id = next((text for each, text in found if each.steps == _LEASE_ID), None)
            if lease is None or not joins or lease_id is None or lease_id != lease.lease_id:
                if lease is not None:
                    yield lease.payload()
                lease = _Lines(lease_id)
            lease.add([*fixed, *found])
        if lease is not None:
            yield lease.payload()

    def _lines(self) -> Iterator[tuple[str, ...]]:
        """Give the texts of each line, in the order of the columns."""
        names = list(self.columns)
        try:
            with pa_csv.open_csv(
                self.path,
                read_options=pa_csv.ReadOptions(
                    use_threads=False, block_size=_BLOCK, encoding=self.encoding
                ),
                parse_options=pa_csv.ParseOptions(
                    delimiter=self.delimiter, newlines_in_values=True
                ),
                convert_options=pa_csv.ConvertOptions(
                    include_columns=names, column_types=dict.fromkeys(names, pa.string())
                ),
            ) as reader:
                for batch in reader:
                    yield from zip(*(each.to_pylist() for each in batch.columns), strict=True)
        except (pa.ArrowException, UnicodeDecodeError) as error:
            said = f"cannot be read: {str(error).strip(chr(39))}"
            met, expected = str(self.path), "a CSV file with a line of headers and these columns"
            raise InvalidRecordError.of("source", "unreadable", said, met, expected) from None


class _Items(dict[Step, Any]):
    """The values of a list by their places."""


class _Ends(dict[Step, Any]):
    """The ends of a period."""


class _Field:
    """A field that a column fills."""

    __slots__ = ("_decimal_point", "_kinds", "_path", "_word", "steps")

    def __init__(self, path: str, decimal_point: str) -> None:
        """Follow the path."""
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
        """The list of the lease that it stands in, or the field of the lease."""
        return self.steps[0]

    @property
    def has_places(self) -> bool:
        """Whether it stands in the same place of its lists in every line."""
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

    __slots__ = ("_count", "_lease", "_problems", "lease_id")

    def __init__(self, lease_id: str | None) -> None:
        """Begin a lease."""
        self.lease_id = lease_id
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

    def payload(self) -> object:
        """Return the payload of the lease, or its refusal."""
        if self._problems:
            return UnreadLease(self.lease_id, InvalidRecordError(self._problems))
        return _plain(self._lease)


def _place(item: tuple[Step, Any]) -> int:
    """Return the place of an item in its list."""
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
