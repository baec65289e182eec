"""Column types: which columns a lease may come in.

Laws: binary numbers are refused, because they are not exact; columns may come in any order, and be
missing where the field may be absent; a column that no lease has is refused by name; a schema is
refused with all its problems at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal

import pyarrow as pa

from rentbilling.errors import InvalidRecordError, Problem
from rentbilling.portfolio.arrow.arrays import absent_of, list_column, list_lengths, offsets_of
from rentbilling.portfolio.arrow.casts import is_plain, is_some_list
from rentbilling.portfolio.arrow.column_types import (
    A_DECIMAL,
    LEASE_SCHEMA,
    ROW,
    Shape,
    Word,
    shape_of,
)
from rentbilling.records import wire_name
from rentbilling.terms import LeaseTerms

ExtraColumns = Literal["refuse", "ignore"]
"""What to do about columns that no lease has."""

_ITEMS: Final = ("recurring_bill_items", "one_time_bill_items", "rent_adjustment_plans")
"""Columns without any of which there is nothing to bill."""

_DECIMAL: Final = f"{A_DECIMAL}, or whole numbers; of floats Decimal(str(x))"
_WANTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "text": "string",
        "money": _DECIMAL,
        "number": _DECIMAL,
        "whole": "whole numbers",
        "flag": "bool",
        "day": "date32, or timestamp at midnight without a time zone",
        "moment": "string, or timestamp with a time zone",
        "list": "list",
    }
)
NOT_EXACT: Final = "is a column of binary numbers, which are not exact"


def check_schema(schema: Any, extra_columns: ExtraColumns = "refuse") -> None:  # noqa: ANN401 - an Arrow schema
    """Refuse columns of other types than those of leases, and columns that no lease has.

    Raises:
        InvalidRecordError: A column has the wrong type, or no lease has it; `problems` has all of
            it, each with its path such as `recurring_bill_items.amount.amount`.

    Examples:
        >>> check_schema(pa.schema([("rent", pa.float64())]))
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: rent: is not a column of leases (met double; \
expected one of lease_id, currency, contract_start, contract_end, recurring_bill_items, \
one_time_bill_items, rent_adjustment_plans, balances; TableMapping reads a flat table)
    """
    # What a schema says of itself is no part of it; older versions of pyarrow cannot hash it.
    problems = _problems_of(schema.remove_metadata(), extra_columns)
    if problems:
        raise InvalidRecordError(problems)


@lru_cache(maxsize=16)
def _problems_of(schema: Any, extra_columns: ExtraColumns) -> tuple[Problem, ...]:  # noqa: ANN401 - an Arrow schema
    """Return what is wrong with the columns of leases, once for each schema."""
    check = _Check(ignore=extra_columns == "ignore")
    fields = [field for field in schema if field.name != ROW]
    check.parts(dict(shape_of(LeaseTerms).parts), fields, "")
    if ROW in schema.names and not pa.types.is_integer(schema.field(ROW).type):
        check.refuse(ROW, schema.field(ROW).type, _WANTED["whole"])
    return tuple(check.problems)


def without_absent(leases: Any) -> Any:  # noqa: ANN401 - a record batch or table
    """Return leases whose columns without any value have no type, which some engines give them.

    Examples:
        >>> without_absent(pa.table({"lease_id": pa.nulls(2, pa.int32())})).schema.types
        [DataType(null)]
    """
    wrong = {first for first, *_ in wrong_columns(leases.schema)}
    for name, shape in shape_of(LeaseTerms).parts:
        if name in wrong and leases.schema.names.count(name) == 1:
            at = leases.schema.get_field_index(name)
            column = leases.column(at)
            if isinstance(column, pa.ChunkedArray):
                column = column.combine_chunks()
            leases = leases.set_column(at, name, _without_type(column, shape))
    return leases


def wrong_columns(schema: Any) -> list[list[str]]:  # noqa: ANN401 - an Arrow schema
    """Return the paths of columns of leases that have other types than those of leases.

    Examples:
        >>> wrong_columns(pa.schema([("lease_id", pa.int32()), ("balances", pa.null())]))
        [['lease_id']]
    """
    found = _problems_of(schema.remove_metadata(), "ignore")
    return [each.path.split(".") for each in found]


def _without_type(array: Any, shape: Shape) -> Any:  # noqa: ANN401 - an Arrow array
    """Return a column, without the type of what has no value where that is not the wanted one."""
    if shape.word == "list" and is_some_list(array.type):
        inside = _without_type(array.flatten(), shape.parts[0][1])
        return list_column(offsets_of(list_lengths(array)), inside, absent=absent_of(array))
    if shape.parts and shape.word != "list" and pa.types.is_struct(array.type):
        known = dict(shape.parts)
        names = [each.name for each in array.type]
        fields = [
            _without_type(field, known[name]) if name in known else field
            for name, field in zip(names, array.flatten(), strict=True)
        ]
        mask = array.is_null() if array.null_count else None
        return pa.StructArray.from_arrays(fields, names, mask=mask)
    check = _Check(ignore=True)
    check.column(shape, array.type, "")
    is_absent = check.problems and array.null_count == len(array)
    return pa.nulls(len(array)) if is_absent else array


def check_columns(schema: Any, extra_columns: ExtraColumns) -> None:  # noqa: ANN401 - an Arrow schema
    """Refuse columns of which no bills can be made.

    Raises:
        InvalidRecordError: See `check_schema`; or there is no column of items or plans, such as
            where its name is misspelt and extra columns are ignored.
    """
    check_schema(schema, extra_columns)
    known = [name for name in schema.names if name in LEASE_SCHEMA.names]
    problems = without_items(_ITEMS[0], known)
    if problems:
        raise InvalidRecordError(problems)


def missing_column(path: str, kind: Any) -> Problem:  # noqa: ANN401 - an Arrow type
    """Return the problem of a table of bills without a column.

    Examples:
        >>> print(missing_column("total", pa.int64()))
        total: is required (met nothing; expected int64)
    """
    expected = str(kind)
    if pa.types.is_nested(kind):
        expected = "lists, which run.to_table() and run.to_pandas(nested=True) have"
    return Problem(path, "missing", "is required", "nothing", expected)


def without_items(path: str, names: Iterable[str]) -> list[Problem]:
    """Return what is wrong with leases none of which could ever have a bill, or nothing.

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
        return "; a cast to pa.date32() leaves the time of day out"
    return "; pyarrow.compute.assume_timezone gives one" if word == "moment" else ""


def _all_extra(found: Sequence[Problem]) -> Problem:
    """Return one problem of several columns that no lease has."""
    columns = ", ".join(each.path for each in found)
    return found[0]._replace(path="columns", message="are not columns of leases", met=columns)


class _Check:
    """Finds everything that is wrong with the types of columns."""

    def __init__(self, *, ignore: bool) -> None:
        self._ignore = ignore
        self.problems: list[Problem] = []

    def refuse(self, path: str, kind: Any, expected: str) -> None:  # noqa: ANN401 - an Arrow type
        """Note a column of the wrong type."""
        binary = pa.types.is_floating(kind)
        said = NOT_EXACT if binary else "is a column of the wrong type"
        code = "not_exact" if binary else "wrong_type"
        self.problems.append(Problem(path, code, said, str(kind), expected))

    def parts(self, known: Mapping[str, Shape], fields: Iterable[Any], path: str) -> None:
        """Check the fields of a struct or of a lease."""
        names: set[str] = set()
        extra: list[Problem] = []
        place = len(self.problems)
        for field in fields:
            inside = f"{path}.{field.name}" if path else field.name
            if field.name in names:
                said, expected = "is there twice", "one column of each name"
                met = str(field.type)
                self.problems.append(Problem(inside, "duplicate_column", said, met, expected))
            elif field.name in known:
                names.add(field.name)
                self.column(known[field.name], field.type, inside)
            elif meant := next((each for each in known if wire_name(each) == field.name), None):
                said = "is a name of JSON; columns have those of Python"
                self.problems.append(Problem(inside, "unknown_field", said, field.name, meant))
                self.column(known[meant], field.type, inside)
            elif not self._ignore:
                what = "a field of the record" if path else "a column of leases"
                expected = "one of " + ", ".join(known)
                expected += "" if path else "; TableMapping reads a flat table"
                met, said = str(field.type), f"is not {what}"
                place = place if extra else len(self.problems)
                extra.append(Problem(inside, "unknown_field", said, met, expected))
        # One sentence for all of them: a flat table has no other columns.
        self.problems[place:place] = extra if path or len(extra) <= 1 else [_all_extra(extra)]

    def column(self, shape: Shape, kind: Any, path: str) -> None:  # noqa: ANN401 - an Arrow type
        if pa.types.is_null(kind):
            return
        if shape.word == "list":
            if is_some_list(kind):
                self.column(shape.parts[0][1], kind.value_type, path)
            else:
                self.refuse(path, kind, _WANTED["list"])
        elif shape.parts:
            if pa.types.is_struct(kind):
                self.parts(dict(shape.parts), kind, path)
            else:
                self.refuse(path, kind, "struct of " + ", ".join(name for name, _ in shape.parts))
        else:
            inner = kind.value_type if pa.types.is_dictionary(kind) else kind
            if not is_plain(shape.word, inner):
                self.refuse(path, inner, _WANTED[shape.word] + _cast_to(shape.word, inner))
