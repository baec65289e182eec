"""Lease batches: leases as rows of an Arrow table, and back.

Law: leases that are written and read again are equal, with every digit of every number.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.errors import InvalidInputError, InvalidRecordError
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.arrow.arrays import Column, Mask, list_column, offsets_of, struct_column
from rentbilling.portfolio.arrow.casts import Apart, NoCastError, cast
from rentbilling.portfolio.arrow.column_types import LEASE_SCHEMA, ROW, Shape, shape_of
from rentbilling.portfolio.arrow.payloads import Context, values_of
from rentbilling.portfolio.arrow.schema_checks import ExtraColumns, check_schema, without_absent
from rentbilling.terms import LeaseTerms, reading_context

_MOST_ROWS: Final = 2**63 - 1
"""The largest number of a row that comes out."""

FEW: Final = 1024
"""Leases whose records are made at a time; more cost memory and no less time."""


class LeaseForm(NamedTuple):
    """A batch of leases in the types of `LEASE_SCHEMA`."""

    batch: Any
    """A record batch of `LEASE_SCHEMA`."""
    lost: Mask
    """Which leases have a value that does not fit these types; it is null there."""
    apart: Apart
    """These values."""

    def payloads(self, context: Context) -> list[dict[str, Any]]:
        """Return what the leases are read from, each by `LeaseTerms.model_validate`."""
        leases = self.batch.to_struct_array()
        return values_of(leases, shape_of(LeaseTerms), context, self.apart) or []


def lease_form(batch: Any) -> LeaseForm | None:  # noqa: ANN401 - a record batch
    """Return a batch of leases in the types of `LEASE_SCHEMA`; others of its columns are left out.

    None where a column cannot become the one type, or is too large for it.

    Examples:
        >>> ids = pa.array(["lease-1"]).dictionary_encode()
        >>> form = lease_form(pa.RecordBatch.from_arrays([ids], names=["lease_id"]))
        >>> form.batch.schema.equals(LEASE_SCHEMA), form.lost.tolist()
        (True, [False])
    """
    try:
        return _formed(batch)
    except (NoCastError, pa.ArrowInvalid):
        return None


def _formed(batch: Any) -> LeaseForm:  # noqa: ANN401 - a record batch
    """Return the form of a batch whose columns have one."""
    apart = Apart()
    made = cast(batch.to_struct_array(), shape_of(LeaseTerms), apart)
    lost = np.zeros(batch.num_rows, np.bool_) if made.lost is None else made.lost
    leases = pa.RecordBatch.from_arrays(made.array.flatten(), schema=LEASE_SCHEMA)
    return LeaseForm(leases, lost, apart)


def payloads(batch: Any, context: Context) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - a record batch
    """Give what the leases of a batch with columns of leases are read from, few at a time."""
    for at in range(0, batch.num_rows, FEW):
        yield from _formed(batch.slice(at, FEW)).payloads(context)


def payloads_at(
    places: Column,
    leases: Any,  # noqa: ANN401 - a record batch
    form: LeaseForm | None,
    context: Context,
) -> Iterator[dict[str, Any]]:
    """Give what some leases of a batch are read from; all in a row where it has no form."""
    if form is None:
        yield from payloads(leases.slice(int(places[0]), len(places)), context)
        return
    sound = places[~form.lost[places]]
    found = iter(form._replace(batch=form.batch.take(pa.array(sound)), apart={}).payloads(context))
    for place in places.tolist():
        if form.lost[place]:
            yield from payloads(leases.slice(place, 1), context)
        else:
            yield next(found)


def row_numbers(batch: Any, first: int) -> Sequence[int]:  # noqa: ANN401 - a record batch
    """Return the numbers of a batch's leases: those of its column `row`, or from `first` on.

    Raises:
        InvalidRecordError: A number is missing, or more than a row can have.
    """
    if ROW not in batch.schema.names:
        return range(first, first + batch.num_rows)
    column = batch.column(ROW)
    numbers: list[int] = column.to_pylist()
    if column.null_count:
        said, expected = "is missing for a lease", "a number for each lease, or no such column"
        raise InvalidRecordError.of(ROW, "missing", said, None, expected)
    if pa.types.is_uint64(column.type) and max(numbers, default=0) > _MOST_ROWS:
        said, expected = "is too large a number for a row", f"{_MOST_ROWS} at most"
        raise InvalidRecordError.of(ROW, "not_a_row", said, max(numbers), expected)
    return numbers


def leases_from_arrow(
    leases: Any,  # noqa: ANN401 - pyarrow has no types
    *,
    policy: BillingPolicy | None = None,
    extra_columns: ExtraColumns = "refuse",
) -> Iterator[LeaseTerms]:
    """Give the leases of an Arrow table.

    Args:
        leases: A table or record batch with the columns of `LEASE_SCHEMA`, in any order: decimals
            of any width or whole numbers, texts and lists of any kind, encoded by a dictionary or
            not; a column that is missing is absent for every lease.
        policy: For private currencies (A2).
        extra_columns: Whether columns that no lease has are refused or ignored.

    Yields:
        The leases, in order.

    Raises:
        InvalidInputError: The columns are not those of leases, or a lease is wrong; paths begin
            with its row: `[3].recurring_bill_items[0].vat`.

    Examples:
        >>> from rentbilling.testing import a_lease
        >>> lease = a_lease()
        >>> [lease] == [*leases_from_arrow(leases_to_arrow([lease]))]
        True
    """
    context = reading_context(policy_of(policy), exact_texts=True)
    leases = without_absent(leases)
    batches = [leases] if isinstance(leases, pa.RecordBatch) else leases.to_batches()
    row = 0
    for batch in batches:
        check_schema(batch.schema, extra_columns)
        for payload in payloads(batch, context):
            try:
                yield LeaseTerms.model_validate(payload, context=context)
            except InvalidInputError as error:
                raise error.under(f"[{row}]") from None
            row += 1


def leases_to_arrow(leases: Iterable[LeaseTerms]) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return leases as a `pyarrow.RecordBatch` of `LEASE_SCHEMA`.

    Args:
        leases: In the order of the rows.

    Returns:
        A row for each lease.

    Examples:
        >>> leases_to_arrow([LeaseTerms(lease_id="lease-1")]).column("lease_id").to_pylist()
        ['lease-1']
    """
    columns = record_columns(shape_of(LeaseTerms), list(leases))
    return pa.RecordBatch.from_arrays(columns, schema=LEASE_SCHEMA)


def record_columns(shape: Shape, records: Sequence[object]) -> list[Any]:
    """Return the columns of records, or of values with parts."""
    return [
        _column(part, [None if each is None else getattr(each, name) for each in records])
        for name, part in shape.parts
    ]


def _column(shape: Shape, values: Sequence[Any]) -> Any:  # noqa: ANN401 - an Arrow array
    """Return a column of values; None is null."""
    if shape.word == "list":
        return _list_column(shape, values)
    if shape.parts:
        return struct_column(shape.arrow, record_columns(shape, values), _absent(values))
    if shape.word in ("text", "moment"):
        values = [None if each is None else _text(each) for each in values]
    return pa.array(values, shape.arrow)


def _text(value: object) -> str:
    """Return a text as such, and months, points and date-times as they are written."""
    if isinstance(value, str):
        return value
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _list_column(shape: Shape, values: Sequence[Any]) -> Any:  # noqa: ANN401 - an Arrow array
    offsets = offsets_of(np.array([len(each or ()) for each in values], np.int64))
    inside = _column(shape.parts[0][1], [one for each in values for one in each or ()])
    return list_column(offsets, inside, shape.arrow, _absent(values))


def _absent(values: Sequence[Any]) -> Mask | None:
    flags = [each is None for each in values]
    return np.array(flags, np.bool_) if True in flags else None
