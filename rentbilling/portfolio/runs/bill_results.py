"""Bill results: rows of bills back as results, which can be verified, explained and compared.

Laws: what a run wrote reads back equal to what `bill_period` gives, with its lease; bills of one
lease are one result, in the order of the rows; a bill with holes is refused, not mended.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.billing import (
    BillingResult,
    LineDiscount,
    PendingBill,
    PendingBillLineItem,
)
from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem, no_bills
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.arrow.column_types import A_DECIMAL, BILL_SCHEMA, ROW, SCALE
from rentbilling.portfolio.arrow.schema_checks import NOT_EXACT, missing_column
from rentbilling.portfolio.leases.sources import reading, source_of
from rentbilling.portfolio.runs.bill_batches import scaled, shown_number
from rentbilling.terms import LeaseTerms
from rentbilling.values import Amount, Period, Vat, minor_units

_OPTIONAL: Final = frozenset({ROW, "lease_id", "cash_rounding"})
_BATCH_SIZE: Final = 1024
_EXPECTED: Final = "a table or record batches of bills, as a run gives them, or a Parquet file"


def bills_from_arrow(
    bills: Any,  # noqa: ANN401 - pyarrow has no types
    *,
    policy: BillingPolicy | None = None,
) -> Iterator[BillingResult]:
    """Give the results of the leases whose bills are in a table, one after another.

    They are what `compare_bills`, `compare_portfolio`, `check_bill`, `explain`, `dumps` and
    `assert_bills_equal` take. Leases without a bill have no row, and no result.

    Numbers have their value, and not their notation, which columns do not have: a rate of 0.1 comes
    back as 0.10, a quantity of 12.50 as 12.5. They are equal, and their JSON is not the same text.

    Args:
        bills: A table, record batch or reader with the columns of `BILL_SCHEMA`; a run, or any
            other iterable of record batches; a data frame; the path of a Parquet file or folder.
            `row`, `lease_id` and `cash_rounding` may be missing. Bills of one lease, those with the
            same `row` and `lease_id`, follow each other.
        policy: How they were computed; the results have it, and read private currencies by it.

    Yields:
        A result for each lease, with its id.

    Raises:
        InvalidInputError: A column is missing or has binary numbers, or a bill has holes; paths
            begin with its place in the table: `[3]`.
        OSError: There is no such file.
        TypeError: `policy` is no BillingPolicy.

    Examples:
        >>> from rentbilling import bill_period
        >>> from rentbilling.portfolio import bill_portfolio
        >>> from rentbilling.testing import a_lease, assert_bills_equal
        >>> leases = [a_lease(lease_id="a"), a_lease(lease_id="b")]
        >>> table = bill_portfolio(leases, "2026-02-01/2026-03-31").to_table()
        >>> for lease, result in zip(leases, bills_from_arrow(table), strict=True):
        ...     assert_bills_equal(bill_period(lease, "2026-02-01/2026-03-31"), result)
        ...     print(result.lease_id, len(result))
        a 2
        b 2
    """
    rules = policy_of(policy)
    for (_, lease_id), rows in groupby(_rows(bills), key=lambda each: each[0]):
        made = []
        for _, at, row in rows:
            try:
                made.append(bill_of_row(row, rules))
            except InvalidInputError as error:
                raise error.under(f"[{at}]") from None
        yield BillingResult(made, policy=policy, lease_id=lease_id)


def bill_of_row(row: Mapping[str, Any], policy: BillingPolicy) -> PendingBill:
    """Return the bill of a row of `BILL_SCHEMA`.

    Raises:
        InvalidRecordError: It has holes.
    """
    try:
        return _made(row, policy)
    except (AttributeError, TypeError) as error:
        said, expected = "is no whole bill", "one as a run gives it"
        raise InvalidRecordError.of("", "not_a_bill", said, row, expected) from error


def _made(row: Mapping[str, Any], policy: BillingPolicy) -> PendingBill:
    currency = row["currency"]
    places = minor_units(currency, policy.currencies)
    step: int = 10 ** (SCALE - places)

    def units(amount: Decimal) -> int:
        return scaled(amount) // step

    lines = [_line(line, currency, places, policy).raw for line in row["lines"]]
    totals = [
        (_vat(each["vat"]), units(each["amount"]), units(each["base"]))
        for each in row["vat_totals"]
    ]
    cash = None if row.get("cash_rounding") is None else units(row["cash_rounding"])
    sums = units(row["subtotal"]), units(row["total"]), cash
    return PendingBill(row["due_date"].toordinal(), currency, places, lines, totals, sums)


def _line(
    line: Mapping[str, Any], currency: str, places: int, policy: BillingPolicy
) -> PendingBillLineItem:

    def amount(name: str) -> Amount:
        return Amount.unchecked(shown_number(scaled(line[name]), places), currency)

    regular = line["regular_period"]
    return PendingBillLineItem(
        product_key=line["product_key"],
        amount=amount("amount"),
        net_price=amount("net_price"),
        vat=_vat(line["vat"]),
        accounting_period=_period(line["accounting_period"]),
        unit_net_price=amount("unit_net_price"),
        quantity=shown_number(scaled(line["quantity"]), 0),
        item_id=line["item_id"],
        kind=line["kind"],
        description=line["description"],
        discount_text=line["discount_text"],
        discounts=[
            LineDiscount(
                each["description"],
                None if each["percentage"] is None else shown_number(scaled(each["percentage"]), 0),
                Amount.unchecked(shown_number(scaled(each["taken_off"]), places), currency),
            )
            for each in line.get("discounts") or ()
        ],
        share=Fraction(line["share"]),
        counted=line.get("counted"),
        regular_period=None if regular is None else _period(regular),
        policy=policy,
    )


def _vat(vat: Mapping[str, Any]) -> Vat:
    rate = vat["tax_rate"]
    return Vat(vat["tax_mode"], None if rate is None else shown_number(scaled(rate), 2))


def _period(period: Mapping[str, Any]) -> Period:
    return Period(period["start"], period["end"])


def parquet_table(given: bytes, path: Path) -> Any:  # noqa: ANN401 - a table
    """Return the table in the bytes of a Parquet file.

    Raises:
        InvalidRecordError: It is damaged.
    """
    with reading(path):
        return pq.read_table(pa.BufferReader(given))


def _rows(bills: Any) -> Iterator[tuple[tuple[Any, str | None], int, Mapping[str, Any]]]:  # noqa: ANN401 - pyarrow has no types
    """Give the rows of bills, each with the number and id of its lease and with its place."""
    at = 0
    for batch in _batches(bills):
        _check_schema(batch.schema)
        for row in batch.to_pylist():
            lease_id = row.get("lease_id")
            # Without any name a bill belongs to no other one.
            number = row.get(ROW, at if lease_id is None else None)
            yield (number, lease_id), at, row
            at += 1


def _batches(bills: Any) -> Iterable[Any]:  # noqa: ANN401 - pyarrow has no types
    """Give the record batches of a file, a table or an iterable."""
    is_one = isinstance(bills, (str, PathLike)) or hasattr(bills, "__arrow_c_stream__")
    is_some = isinstance(bills, Iterable) and not isinstance(bills, (bytes, Mapping, LeaseTerms))
    if is_one or is_some or isinstance(bills, pa.RecordBatch):
        try:
            batches = source_of(bills, _BATCH_SIZE).batches
        except InvalidRecordError:
            if is_one:
                raise
            raise no_bills("bills", bills, _EXPECTED) from None
        for batch in batches:
            if not isinstance(batch, pa.RecordBatch):
                raise no_bills("bills", batch, _EXPECTED)
            yield batch
        return
    raise no_bills("bills", bills, _EXPECTED)


def _check_schema(schema: Any) -> None:  # noqa: ANN401 - a schema
    """Refuse columns that are missing, and numbers that are not exact."""
    problems = [
        missing_column(field.name, field.type)
        for field in BILL_SCHEMA
        if field.name not in schema.names and field.name not in _OPTIONAL
    ]
    for name in BILL_SCHEMA.names:
        if name in schema.names:
            problems += _inexact(schema.field(name).type, name)
    if problems:
        raise InvalidRecordError(problems)


def _inexact(kind: Any, path: str) -> Iterator[Problem]:  # noqa: ANN401 - an Arrow type
    """Give what is wrong with binary numbers, wherever in a column they are."""
    if pa.types.is_floating(kind):
        yield Problem(path, "not_exact", NOT_EXACT, str(kind), A_DECIMAL)
    for at in range(kind.num_fields):
        field = kind.field(at)
        below = path if hasattr(kind, "value_type") else f"{path}.{field.name}"
        yield from _inexact(field.type, below)
