"""Earlier bills: what a run billed before, found again by lease (A53).

Laws: earlier bills are read as they were written, and belong to the lease whose id they bear; of a
file, only the parts are read that the leases at hand have bills in.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa

from rentbilling.billing.bill import PendingBill
from rentbilling.billing.line_items import PendingBillLineItem
from rentbilling.errors import InvalidInputError, InvalidRecordError
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrow_types import BILL_SCHEMA, SCALE, functions
from rentbilling.portfolio.leases.lease_ids import LeaseIds, short_fingerprints
from rentbilling.portfolio.runs.bill_batches import scaled, shown_number
from rentbilling.portfolio.runs.bill_sources import BillSource, bill_sources
from rentbilling.portfolio.runs.bill_twins import marks_of, refuse_bill_twins
from rentbilling.values.currencies import minor_units
from rentbilling.values.money import Amount
from rentbilling.values.periods import Period
from rentbilling.values.vat import Vat

Found = list[PendingBill] | InvalidInputError
"""The bills of a lease, or why one of them cannot be read."""


class EarlierBills:
    """Earlier bills of many leases, of which those of a few are read at a time.

    Examples:
        >>> EarlierBills(BILL_SCHEMA.empty_table()).of(["lease-1"], BillingPolicy())
        {}
    """

    __slots__ = ("_groups", "_ids", "_sources")

    def __init__(self, given: Any) -> None:  # noqa: ANN401 - pyarrow has no types
        """Find out which bills there are.

        Raises:
            InvalidRecordError: It holds no bills, bills without a lease, or a bill twice.
            OSError: There is no such file.
        """
        self._sources = bill_sources(given)
        # For each lease and each group of rows that it has bills in: eight bytes of its id, sorted,
        # and the number of the group. Texts have another hash in each process, and these have not.
        ids, groups = [np.zeros(0, np.uint64)], [np.zeros(0, np.int32)]
        marks = []
        for group, keys in enumerate(each for one in self._sources for each in one.bill_keys()):
            there, of_bills = marks_of(keys)
            marks.append(of_bills)
            ids.append(there)
            groups.append(np.full(len(there), group, np.int32))
        refuse_bill_twins(self._sources, marks)
        del marks
        found = np.concatenate(ids)
        order = np.argsort(found, kind="stable")
        self._ids, self._groups = found[order], np.concatenate(groups)[order]

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with what was found out, so that no file is gone through again."""
        return _restored, (self._sources, self._ids, self._groups)

    def __eq__(self, other: object) -> bool:
        """Two are equal when they were made of the same."""
        return isinstance(other, EarlierBills) and self._sources == other._sources

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash(len(self._ids))

    def of(self, lease_ids: Iterable[str], policy: BillingPolicy) -> dict[str, Found]:
        """Return the earlier bills of some leases, by their ids.

        Raises:
            InvalidRecordError: A file cannot be read.
        """
        return bills_by_lease(self.rows_of(lease_ids), policy)

    def rows_of(self, lease_ids: Iterable[str]) -> Any:  # noqa: ANN401 - a table
        """Return the earlier bills of some leases as one table.

        Raises:
            InvalidRecordError: A file cannot be read.
        """
        wanted = sorted(set(lease_ids))
        kept = pa.array(wanted, pa.string())
        found = [
            table.filter(functions.is_in(table.column("lease_id"), kept))
            for table in self._tables(self._groups_of(wanted))
        ]
        return pa.concat_tables([BILL_SCHEMA.empty_table(), *found])

    def gone_from(self, met: LeaseIds) -> int:
        """Return how many leases have earlier bills and are not among those that a run has met."""
        known = np.unique(self._ids)
        return int(np.count_nonzero(~met.holds(known)))

    def _groups_of(self, lease_ids: Sequence[str]) -> list[int]:
        """Return the groups of rows that leases have bills in."""
        wanted = short_fingerprints(lease_ids)
        first = np.searchsorted(self._ids, wanted)
        counts = np.searchsorted(self._ids, wanted, side="right") - first
        begins = np.cumsum(counts) - counts
        places = np.repeat(first - begins, counts) + np.arange(counts.sum())
        found: list[int] = np.unique(self._groups[places]).tolist()
        return found

    def _tables(self, groups: Iterable[int]) -> Iterator[Any]:
        left, first = deque(groups), 0
        for source in self._sources:
            if not left:
                return
            after = first + source.groups()
            own = []
            while left and left[0] < after:
                own.append(left.popleft() - first)
            if own:
                yield from source.rows(own)
            first = after


def _restored(
    sources: tuple[BillSource, ...],
    ids: Any,  # noqa: ANN401 - arrays
    groups: Any,  # noqa: ANN401 - arrays
) -> EarlierBills:
    """Return earlier bills with what was found out about them before."""
    made = EarlierBills.__new__(EarlierBills)
    made._sources, made._ids, made._groups = sources, ids, groups
    return made


def bills_by_lease(rows: Any, policy: BillingPolicy) -> dict[str, Found]:  # noqa: ANN401 - a table
    """Return the bills that rows hold, by the ids of their leases.

    Examples:
        >>> bills_by_lease(BILL_SCHEMA.empty_table(), BillingPolicy())
        {}
    """
    found: dict[str, Found] = {}
    for row in rows.to_pylist():
        bills = found.setdefault(row["lease_id"], [])
        if isinstance(bills, list):
            try:
                bills.append(bill_of_row(row, policy))
            except InvalidInputError as error:
                found[row["lease_id"]] = error.under("already_billed")
    return found


def bill_of_row(row: Mapping[str, Any], policy: BillingPolicy) -> PendingBill:
    """Return the bill that a row of `BILL_SCHEMA` holds.

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
    rate = vat["tax_rate"]
    return Vat(vat["tax_mode"], None if rate is None else shown_number(scaled(rate), 2))


def _period(period: Mapping[str, Any]) -> Period:
    return Period(period["start"], period["end"])
