"""Column types: which columns a lease may come in, and what reads them.

Laws: what is not exact is refused, binary numbers first of all; columns may stand in any order and
be missing where the field may be absent; a column that no lease has is refused by name; all that is
wrong with a schema is said at once.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal

import pyarrow as pa

from rentbilling.errors import InvalidRecordError, Problem
from rentbilling.portfolio.arrow.lease_columns import (
    Reader,
    list_reader,
    plain_reader,
    struct_reader,
)
from rentbilling.portfolio.arrow.schemas import ROW, Shape, Word, shape_of
from rentbilling.terms.lease_terms import LeaseTerms

ExtraColumns = Literal["refuse", "ignore"]
"""What to do about columns that no lease has."""

_ITEMS: Final = ("recurring_bill_items", "one_time_bill_items", "rent_adjustment_plans")
"""Columns without any of which there is nothing to bill."""

_WANTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "text": "string",
        "money": "decimal, such as decimal128(38, 15), or whole numbers",
        "number": "decimal, such as decimal128(38, 15), or whole numbers",
        "whole": "whole numbers",
        "flag": "bool",
        "day": "date32",
        "moment": "string, or timestamp with a time zone",
        "list": "list",
    }
)
_NOT_EXACT: Final = "is a column of binary numbers, which are not exact"


def _is_text(arrow: Any) -> bool:  # noqa: ANN401 - an Arrow type
    """Return whether a type holds texts."""
    types = pa.types
    return bool(
        types.is_string(arrow) or types.is_large_string(arrow) or types.is_string_view(arrow)
    )


def _is_exact(arrow: Any) -> bool:  # noqa: ANN401 - an Arrow type
    """Return whether a type holds exact numbers."""
    return bool(pa.types.is_decimal(arrow) or pa.types.is_integer(arrow))


_FITS: Final[Mapping[str, Callable[[Any], bool]]] = MappingProxyType(
    {
        "text": _is_text,
        "money": _is_exact,
        "number": _is_exact,
        "whole": pa.types.is_integer,
        "flag": pa.types.is_boolean,
        "day": pa.types.is_date,
        "moment": lambda arrow: (
            _is_text(arrow) or (pa.types.is_timestamp(arrow) and arrow.tz is not None)
        ),
    }
)


_LISTS: Final = (
    pa.types.is_list,
    pa.types.is_large_list,
    pa.types.is_fixed_size_list,
    pa.types.is_list_view,
    pa.types.is_large_list_view,
)


def _nothing(array: object, told: object) -> None:
    """Read a column of nothing."""
    del array, told


def lease_readers(schema: Any, extra_columns: ExtraColumns = "refuse") -> Mapping[str, Reader]:  # noqa: ANN401 - an Arrow schema
    """Return what reads the columns of leases.

    Args:
        schema: The schema of the source.
        extra_columns: What to do about columns that no lease has.

    Returns:
        Readers by the names of the columns; the column `row` is not among them.

    Raises:
        InvalidRecordError: A column has the wrong type, or no lease has it; `problems` has all of
            it, each with its path such as `recurring_bill_items.amount.amount`.

    Examples:
        >>> lease_readers(pa.schema([("rent", pa.float64())]))
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: rent: is not a column of leases (met double; \
expected one of lease_id, currency, contract_start, contract_end, recurring_bill_items, \
one_time_bill_items, rent_adjustment_plans, balances)
    """
    # What a schema says of itself is no part of it; older versions of pyarrow cannot hash it.
    return _readers_of(schema.remove_metadata(), extra_columns)


@lru_cache(maxsize=16)
def _readers_of(schema: Any, extra_columns: ExtraColumns) -> Mapping[str, Reader]:  # noqa: ANN401 - an Arrow schema
    """Return what reads the columns of leases, once for each schema."""
    judge = _Judge(ignore=extra_columns == "ignore")
    fields = [field for field in schema if field.name != ROW]
    readers = judge.parts(dict(shape_of(LeaseTerms).parts), fields, "")
    if ROW in schema.names and not pa.types.is_integer(schema.field(ROW).type):
        judge.refuse(ROW, schema.field(ROW).type, _WANTED["whole"])
    if judge.problems:
        raise InvalidRecordError(judge.problems)
    return readers


def judge_columns(schema: Any, extra_columns: ExtraColumns) -> None:  # noqa: ANN401 - an Arrow schema
    """Refuse columns of which no bills can be made.

    Args:
        schema: The schema of the source.
        extra_columns: What to do about columns that no lease has.

    Raises:
        InvalidRecordError: See `lease_readers`; or there is no column of items or plans, such as
            where its name is misspelt and extra columns are ignored.
    """
    problems = without_items(_ITEMS[0], lease_readers(schema, extra_columns))
    if problems:
        raise InvalidRecordError(problems)


def without_items(path: str, names: Iterable[str]) -> list[Problem]:
    """Return what is wrong with leases none of which could ever have a bill, or nothing.

    Args:
        path: What is told to be missing.
        names: The columns that the leases have.

    Returns:
        One problem at most.

    Examples:
        >>> without_items("columns", ["lease_id", "recurring_bill_items"])
        []
    """
    found = [*names]
    if any(name in found for name in _ITEMS):
        return []
    said = "is required, so that there is anything to bill"
    expected = "one of " + ", ".join(_ITEMS)
    return [Problem(path, "missing", said, ", ".join(found) or "nothing", expected)]


def _cast_to(word: Word, arrow: Any) -> str:  # noqa: ANN401 - an Arrow type
    """Return what makes days and moments of timestamps, as a clause of what is expected."""
    if not pa.types.is_timestamp(arrow):
        return ""
    if word == "day":
        return "; also midnight is a time of day: a cast to pa.date32() leaves it out"
    return "; pyarrow.compute.assume_timezone gives one" if word == "moment" else ""


class _Judge:
    """Finds readers for columns, and everything that is wrong with their types."""

    def __init__(self, *, ignore: bool) -> None:
        self._ignore = ignore
        self.problems: list[Problem] = []

    def refuse(self, path: str, arrow: Any, expected: str) -> Reader:  # noqa: ANN401 - an Arrow type
        """Note a column of the wrong type."""
        binary = pa.types.is_floating(arrow)
        said = _NOT_EXACT if binary else "is a column of the wrong type"
        code = "not_exact" if binary else "wrong_type"
        self.problems.append(Problem(path, code, said, str(arrow), expected))
        return _nothing

    def parts(self, known: Mapping[str, Shape], fields: list[Any], path: str) -> dict[str, Reader]:
        """Return readers for the fields of a struct or of a lease."""
        readers: dict[str, Reader] = {}
        for field in fields:
            inside = f"{path}.{field.name}" if path else field.name
            if field.name in readers:
                said, expected = "is there twice", "one column of each name"
                met = str(field.type)
                self.problems.append(Problem(inside, "duplicate_column", said, met, expected))
            elif field.name in known:
                readers[field.name] = self.reader(known[field.name], field.type, inside)
            elif not self._ignore:
                what = "a field of the record" if path else "a column of leases"
                expected = "one of " + ", ".join(known)
                met, said = str(field.type), f"is not {what}"
                self.problems.append(Problem(inside, "unknown_field", said, met, expected))
        return readers

    def reader(self, shape: Shape, arrow: Any, path: str) -> Reader:  # noqa: ANN401 - an Arrow type
        """Return what reads a column of some type as something."""
        if pa.types.is_null(arrow):
            return _nothing
        if shape.word == "list":
            return self._list(shape.parts[0][1], arrow, path)
        if shape.parts:
            if not pa.types.is_struct(arrow):
                expected = "struct of " + ", ".join(name for name, _ in shape.parts)
                return self.refuse(path, arrow, expected)
            parts = self.parts(dict(shape.parts), list(arrow), path)
            return struct_reader(shape.word, parts, shape.record)
        inner = arrow.value_type if pa.types.is_dictionary(arrow) else arrow
        if not _FITS[shape.word](inner):
            return self.refuse(path, inner, _WANTED[shape.word] + _cast_to(shape.word, inner))
        return plain_reader(shape.word)

    def _list(self, item: Shape, arrow: Any, path: str) -> Reader:  # noqa: ANN401 - an Arrow type
        """Return what reads a column of lists."""
        if not any(is_some(arrow) for is_some in _LISTS):
            return self.refuse(path, arrow, _WANTED["list"])
        return list_reader(self.reader(item, arrow.value_type, path))
