"""Earlier bills: what a run billed before, found again by lease (A53).

Laws: earlier bills are read as they were written, and belong to the lease whose id they bear; of a
file, only the parts are read that the leases at hand have bills in.
What does not live here: what is still to be billed beside them (`rentbilling.corrections`), how
bills are written (`bill_batches`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.currencies import minor_units
from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem
from rentbilling.line_items import PendingBillLineItem
from rentbilling.money import Amount
from rentbilling.periods import Period
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow_types import BILL_SCHEMA, SCALE, functions
from rentbilling.portfolio.bill_batches import scaled, shown_number
from rentbilling.portfolio.sources import reading
from rentbilling.results import PendingBill
from rentbilling.tax import Vat

Found = list[PendingBill] | InvalidInputError
"""The bills of a lease, or why one of them cannot be read."""

_NEEDED: Final = ("lease_id", "due_date", "currency", "subtotal", "total", "lines", "vat_totals")
_EXPECTED: Final = "a Parquet file, Arrow table or record batch of bills, as a run gives them"


class EarlierBills:
    """Earlier bills of many leases, of which those of a few are read at a time.

    Examples:
        >>> EarlierBills(BILL_SCHEMA.empty_table()).of(["lease-1"], BillingPolicy())
        {}
    """

    __slots__ = ("_given", "_groups", "_ids")

    def __init__(self, given: Any) -> None:  # noqa: ANN401 - pyarrow has no types
        """Find out which bills there are.

        Args:
            given: The path of a Parquet file, a table or a record batch, with the columns of
                `BILL_SCHEMA`.

        Raises:
            InvalidRecordError: It holds no bills, or bills without a lease.
            OSError: There is no such file.
        """
        if isinstance(given, pa.RecordBatch):
            given = pa.Table.from_batches([given])
        if not isinstance(given, (str, PathLike, pa.Table)):
            said = "holds no bills"
            raise InvalidRecordError.of("already_billed", "not_bills", said, given, _EXPECTED)
        self._given = given
        # For each lease and each group of rows that it has bills in: the hash of its id, and the
        # number of the group.
        ids, groups = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
        for group, column in enumerate(self._id_columns()):
            there = np.array(
                [hash(each) for each in functions.unique(column).to_pylist()], np.int64
            )
            ids.append(there)
            groups.append(np.full(len(there), group, np.int32))
        self._ids, self._groups = np.concatenate(ids), np.concatenate(groups)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by what was given; hashes of texts are another process's own."""
        return EarlierBills, (self._given,)

    def __eq__(self, other: object) -> bool:
        """Two are equal when they were made of the same."""
        return isinstance(other, EarlierBills) and bool(self._given == other._given)

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash(len(self._ids))

    def of(self, lease_ids: Iterable[str], policy: BillingPolicy) -> dict[str, Found]:
        """Return the earlier bills of some leases, by their ids.

        Args:
            lease_ids: The leases.
            policy: Knows private currencies.

        Returns:
            The bills of each lease that has any, in the order of the file; in their place why one
            of them cannot be read.

        Raises:
            InvalidRecordError: The file cannot be read.
        """
        wanted = sorted(set(lease_ids))
        hashes = np.array([hash(each) for each in wanted], np.int64)
        groups = np.unique(self._groups[np.isin(self._ids, hashes)])
        found: dict[str, Found] = {}
        for table in self._tables(groups.tolist()):
            own = table.filter(
                functions.is_in(table.column("lease_id"), pa.array(wanted, pa.string()))
            )
            for row in own.to_pylist():
                bills = found.setdefault(row["lease_id"], [])
                if isinstance(bills, list):
                    try:
                        bills.append(bill_of_row(row, policy))
                    except InvalidInputError as error:
                        found[row["lease_id"]] = error.under("already_billed")
        return found

    def _id_columns(self) -> Iterator[Any]:
        """Give the ids of each group of rows."""
        if isinstance(self._given, pa.Table):
            yield _judged(self._given).column("lease_id")
            return
        path = Path(self._given)
        with reading(path), pq.ParquetFile(path) as file:
            _judged(file.schema_arrow.empty_table())
            for group in range(file.num_row_groups):
                yield _judged(file.read_row_group(group, ["lease_id"]), ("lease_id",)).column(0)

    def _tables(self, groups: Sequence[int]) -> Iterator[Any]:
        """Give groups of rows."""
        if isinstance(self._given, pa.Table):
            if groups:
                yield _judged(self._given)
            return
        path = Path(self._given)
        with reading(path), pq.ParquetFile(path) as file:
            for group in groups:
                yield _judged(file.read_row_group(group))


def _judged(table: Any, needed: Sequence[str] = _NEEDED) -> Any:  # noqa: ANN401 - a table
    """Return a table of bills; refuse columns that are missing, of another type, or have holes."""
    problems: list[Problem] = []
    for name in needed:
        wanted = BILL_SCHEMA.field(name).type
        if name not in table.schema.names:
            problems.append(_problem(name, "missing", "is required", "nothing", str(wanted)))
        elif table.schema.field(name).type != wanted:
            met = str(table.schema.field(name).type)
            said = "is a column of the wrong type"
            problems.append(_problem(name, "wrong_type", said, met, str(wanted)))
        elif table.column(name).null_count:
            said, expected = "is missing for a bill", "a value for each bill"
            problems.append(_problem(name, "missing", said, "nothing", expected))
    if problems:
        raise InvalidRecordError(problems)
    return table


def _problem(name: str, code: str, said: str, met: str, expected: str) -> Problem:
    """Return what is wrong with a column."""
    return Problem(f"already_billed.{name}", code, said, met, expected)


def bill_of_row(row: Mapping[str, Any], policy: BillingPolicy) -> PendingBill:
    """Return the bill that a row of `BILL_SCHEMA` holds.

    Args:
        row: The values of its columns by name.
        policy: Knows private currencies.

    Returns:
        The bill.

    Raises:
        InvalidRecordError: It has holes.
    """
    try:
        return _made(row, policy)
    except (AttributeError, TypeError) as error:
        said, expected = "is no whole bill", "one as a run gives it"
        raise InvalidRecordError.of("", "not_a_bill", said, row, expected) from error


def _made(row: Mapping[str, Any], policy: BillingPolicy) -> PendingBill:
    """Return the bill of a row."""
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
    """Return a line of a bill."""

    def amount(name: str) -> Amount:
        return Amount.of(shown_number(scaled(line[name]), places), currency)

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
        share=Fraction(line["share"]),
        regular_period=None if regular is None else _period(regular),
        policy=policy,
    )


def _vat(vat: Mapping[str, Any]) -> Vat:
    """Return a VAT."""
    rate = vat["tax_rate"]
    return Vat(vat["tax_mode"], None if rate is None else shown_number(scaled(rate), 2))


def _period(period: Mapping[str, Any]) -> Period:
    """Return a period."""
    return Period(period["start"], period["end"])
