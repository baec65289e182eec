"""Cash flows: sums of bills by month, year, product, item or lease.

Laws: money counts on its due date; the rows add up to the totals of the bills, in every grouping.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, Literal

from rentbilling.billing import BillingResult, PendingBill, RawLine, vat_of_lines
from rentbilling.errors import check_word, no_bills
from rentbilling.records import Record
from rentbilling.tables import Column, Table
from rentbilling.values import decimal_of

By = Literal["year", "month", "day", "lease", "product", "item"]
"""A column to group rows by; months and years are those of the due date."""

Groups = By | Sequence[By]
"""One column, or several in their order; without any there is one row for each currency."""

Key = tuple[object, ...]
"""The values of a row's groups, then its currency and the number of its minor units."""

Sums = dict[Key, tuple[int, int]]
"""Net and VAT in minor units by key."""

_COLUMNS: Final[Mapping[By, Column]] = MappingProxyType(
    {
        "year": Column("year", "whole"),
        "month": Column("month", "text"),
        "day": Column("due_date", "date"),
        "lease": Column("lease_id", "text"),
        "product": Column("product_key", "text"),
        "item": Column("item_id", "text"),
    }
)
_OF_LINES: Final = frozenset(["product", "item"])
_OF_DAYS: Final = frozenset(["year", "month", "day"])
_EXPECTED: Final = "BillingResults and PendingBills, as computed here or read by loads"

Billed = tuple[str | None, Iterable[PendingBill]]
"""The id of a lease, and its bills."""


def cash_flow(
    bills: PendingBill | BillingResult | Iterable[BillingResult | PendingBill],
    *,
    by: Groups = "month",
) -> Table:
    """Return the sums of bills, net, VAT and gross, by the days they fall due.

    Figures are in main units, without cash rounding (A52). A product or item has its share of a
    bill's VAT; the shares add up to it.

    Args:
        bills: A bill, or the bills of one or many leases; each currency has its own rows.
        by: The columns to group by: year, month, day, lease, product, item; `()` for none.

    Raises:
        UnknownWordError: A group is not known.
        InvalidRecordError: The argument or a part of it is not a bill; its place is named.

    Examples:
        >>> from rentbilling import pending_bills
        >>> from rentbilling.testing import a_lease, a_rent
        >>> bills = pending_bills(a_lease(a_rent(amount=8500)), "2026-01-01/2026-12-31")
        >>> print(cash_flow(bills, by="year"))
        year  currency        net   vat      gross
        2026  DKK       102000.00  0.00  102000.00
    """
    groups = groups_of(by)
    return flow_table(groups, sums_of(billed_of(bills), groups))


def groups_of(by: Groups) -> tuple[By, ...]:
    """Return the groups of an argument, validated."""
    words = (by,) if isinstance(by, str) else tuple(by)
    for word in words:
        check_word("by", word, _COLUMNS)
    return tuple(dict.fromkeys(words))


def billed_of(given: object) -> Iterator[Billed]:
    """Give each lease's id and its bills; what is no bill is refused with its place."""
    if isinstance(given, BillingResult):
        yield given.lease_id, given
        return
    if isinstance(given, PendingBill):
        yield None, (given,)
        return
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes, Record)):
        raise no_bills("bills", given, _EXPECTED)
    for at, each in enumerate(given):
        if not isinstance(each, (BillingResult, PendingBill)):
            raise no_bills(f"bills[{at}]", each, _EXPECTED)
        yield from billed_of(each)


def sums_of(leases: Iterable[Billed], groups: Sequence[By]) -> Sums:
    """Return net and VAT of bills by their groups."""
    sums: Sums = {}
    by_line = not _OF_LINES.isdisjoint(groups)
    for lease_id, bills in leases:
        for bill in bills:
            days = _DayWords(bill.due)
            if not by_line:
                net, total, _ = bill.sums
                key = _key(groups, days, lease_id, None, bill)
                _add(sums, key, net, total - net)
                continue
            lines = bill.raw_lines
            for line, vat in zip(lines, vat_of_lines(lines, bill.raw_totals), strict=True):
                _add(sums, _key(groups, days, lease_id, line, bill), line[0].net, vat)
    return sums


def marked_sums(
    billed: Billed, groups: Sequence[By], mark: Callable[[RawLine], bool]
) -> tuple[Sums, Sums]:
    """Return net and VAT of all lines of a lease's bills, and of the marked lines alone."""
    lease_id, bills = billed
    every: Sums = {}
    marked: Sums = {}
    for bill in bills:
        days = _DayWords(bill.due)
        lines = bill.raw_lines
        for line, vat in zip(lines, vat_of_lines(lines, bill.raw_totals), strict=True):
            key = _key(groups, days, lease_id, line, bill)
            _add(every, key, line[0].net, vat)
            if mark(line):
                _add(marked, key, line[0].net, vat)
    return every, marked


class _DayWords:
    """A due date in the form of the columns."""

    __slots__ = ("day", "month", "year")

    def __init__(self, due: int) -> None:
        day = date.fromordinal(due)
        self.day = day
        self.year = day.year
        self.month = f"{day.year:04d}-{day.month:02d}"


def _key(
    groups: Sequence[By],
    days: _DayWords,
    lease_id: str | None,
    line: RawLine | None,
    bill: PendingBill,
) -> Key:
    found: list[object] = []
    for group in groups:
        if group == "lease":
            found.append(lease_id)
        elif group == "product":
            found.append(None if line is None else line[0].product_key)
        elif group == "item":
            found.append(None if line is None else line[0].item_id)
        else:
            found.append(getattr(days, group))
    return (*found, bill.currency, bill.places)


def _add(sums: Sums, key: Key, net: int, vat: int) -> None:
    so_far = sums.get(key)
    sums[key] = (net, vat) if so_far is None else (so_far[0] + net, so_far[1] + vat)


def ordered(groups: Sequence[By], keys: Iterable[Key]) -> list[Key]:
    """Return keys in the order of rows: by days, then by the first occurrence of other values."""
    distinct = list(dict.fromkeys(keys))
    of_days = [at for at, group in enumerate(groups) if group in _OF_DAYS]
    others = [at for at in range(len(groups) + 1) if at not in of_days]
    ranks = {
        at: {value: n for n, value in enumerate(dict.fromkeys(key[at] for key in distinct))}
        for at in others
    }

    def place(key: Key) -> list[Any]:
        return [key[at] if at in of_days else ranks[at][key[at]] for at in range(len(key) - 1)]

    return sorted(distinct, key=place)


def group_columns(groups: Sequence[By]) -> tuple[Column, ...]:
    """Return the columns of groups, and of the currency."""
    return (*(_COLUMNS[group] for group in groups), Column("currency", "text"))


def flow_table(groups: Sequence[By], sums: Sums) -> Table:
    values = []
    for key in ordered(groups, sums):
        net, vat = sums[key]
        values.append((*key[:-1], *(money_of(key, units) for units in (net, vat, net + vat))))
    kinds = (Column(name, "money") for name in ("net", "vat", "gross"))
    return Table((*group_columns(groups), *kinds), values)


def money_of(key: Key, units: int) -> Decimal:
    """Return minor units of a key's currency in its main unit."""
    places = key[-1]
    return decimal_of(units, places if isinstance(places, int) else 0)
