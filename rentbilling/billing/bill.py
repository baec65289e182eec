"""Results: bills with their VAT totals, and notices. Light and frozen.

Laws: a result holds whole minor units and shows amounts when they are read; two results are equal
when the interface's fields are, wherever they were made (A56).
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from rentbilling.billing.figures import ALIKE, RawLine, RawTotal, line_key, vat_of_lines
from rentbilling.billing.line_items import PendingBillLineItem
from rentbilling.policy import DEFAULT, BillingPolicy, policy_of
from rentbilling.records import JsonData, read_json
from rentbilling.tables import Column, ResultSequence, Row, Tabular, columns, counted
from rentbilling.terms import RentAdjustment
from rentbilling.values import (
    Amount,
    Definitions,
    Notice,
    Period,
    Schema,
    Vat,
    WireForm,
    amounts_by_currency,
    decimal_of,
    plain_data,
)


@lru_cache(maxsize=2048)
def _amount(units: int, places: int, currency: str) -> Amount:
    """Return minor units as an amount; of most bills base, subtotal and total are one figure."""
    return Amount.unchecked(decimal_of(units, places), currency)


class VatTotal(WireForm):
    """VAT of all lines of one tax mode and rate on a bill (EN 16931 BG-23)."""

    __slots__ = ("_amounts", "_base", "_currency", "_places", "_units", "_vat")

    def __init__(self, vat: Vat, units: int, base: int, currency: str, places: int) -> None:
        """Keep the figures.

        Args:
            vat: Tax mode and rate.
            units: VAT in minor units.
            base: Net amount that it is the VAT of, in minor units.
            currency: Currency of both.
            places: Minor units of the currency.
        """
        self._vat = vat
        self._units = units
        self._base = base
        self._currency = currency
        self._places = places
        self._amounts: tuple[Amount, Amount] | None = None

    # Interface: vatTotals
    @property
    def vat(self) -> Vat:
        """Tax mode and rate."""
        return self._vat

    @property
    def amount(self) -> Amount:
        """The VAT (EN 16931 BT-117); 0 for the untaxed modes."""
        return (self._amounts or self._shown())[0]

    @property
    def base(self) -> Amount:
        """The net amount of the lines (EN 16931 BT-116)."""
        return (self._amounts or self._shown())[1]

    @property
    def units(self) -> int:
        """The VAT in minor units."""
        return self._units

    @property
    def base_units(self) -> int:
        """The net amount in minor units."""
        return self._base

    def _shown(self) -> tuple[Amount, Amount]:
        units, places, currency = self._units, self._places, self._currency
        self._amounts = _amount(units, places, currency), _amount(self._base, places, currency)
        return self._amounts

    @classmethod
    def _from_wire(cls, data: Any) -> "VatTotal":  # noqa: ANN401
        from rentbilling.billing.wire import vat_total_of  # noqa: PLC0415 - it makes bills

        return vat_total_of(data, DEFAULT)

    def _to_wire(self) -> Any:  # noqa: ANN401
        names = ("vat", "amount", "base")
        return plain_data({name: getattr(self, name) for name in names})

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        from rentbilling.billing.wire import BillSchemas  # noqa: PLC0415 - as above

        return BillSchemas(parts, full=True).vat_total()

    def __eq__(self, other: object) -> bool:
        """VAT totals are equal when VAT and amount are."""
        if type(other) is not VatTotal:
            return NotImplemented
        return self._vat.category == other._vat.category and self.amount == other.amount

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash((self._vat.category, self.amount))

    def __repr__(self) -> str:
        """Return what a reader looks for first."""
        return f"<VatTotal {self._vat!r} {self.amount} of {self.base}>"


LINE_COLUMNS: Final = (
    *columns(text="lease_id", date="due_date"),
    *columns(text="item_id product_key description kind", date="period_start period_end"),
    *columns(number="quantity", money="amount unit_net_price net_price vat gross"),
    *columns(text="tax_mode", number="tax_rate"),
    Column("currency"),
)
"""Columns of a bill's rows, which has one for each line."""


class Payer(NamedTuple):
    """The payer of a part of a bill, and the units that make the parts add up to it (A68)."""

    name: str
    corrections: Mapping[str, int] = MappingProxyType({})
    """Minor units that a figure is above what the lines lead to, by its path in the bill, such as
    `vatTotals[0].amount` or `pendingBillLineItems[1].netPrice`."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by parts."""
        return Payer, (self.name, dict(self.corrections))


class PendingBill(Tabular):
    """A bill that is about to fall due: its lines, VAT totals and sums."""

    __slots__ = ("_currency", "_due", "_lines", "_payer", "_places", "_read", "_sums", "_totals")

    def __init__(
        self,
        due: int,
        currency: str,
        places: int,
        lines: Sequence[RawLine],
        totals: Sequence[RawTotal],
        sums: tuple[int, int, int | None],
        payer: Payer | None = None,
    ) -> None:
        """Keep the figures; bills come from `pending_bills` or from JSON.

        Args:
            due: Ordinal of the due date.
            currency: The bill's one currency.
            places: Minor units of the currency.
            lines: Figures of the line items in order; they are not changed afterwards.
            totals: Figures of the VAT totals in order of first appearance.
            sums: Subtotal, total and cash rounding in minor units; None without cash rounding.
            payer: The payer, where the bill is one payer's part of another bill.
        """
        self._due = due
        self._currency = currency
        self._places = places
        self._lines = lines
        self._totals = totals
        self._sums = sums
        self._payer = payer
        # Subtotal, total and VAT totals, once they were read; bills of equal figures share them.
        self._read: list[Any] = []

    def again(self, due: int, lines: Sequence[RawLine]) -> "PendingBill":
        """Return the bill of lines of the same figures that falls due on another day."""
        bill = PendingBill(
            due, self._currency, self._places, lines, self._totals, self._sums, self._payer
        )
        bill._read = self._read
        return bill

    # Interface: bills
    @property
    def due_date(self) -> date:
        """When the bill falls due."""
        return date.fromordinal(self._due)

    @property
    def pending_bill_line_items(self) -> tuple[PendingBillLineItem, ...]:
        """The line items: by item, then by accounting period (A16)."""
        return tuple(map(PendingBillLineItem.of, self._lines))

    lines = pending_bill_line_items

    @property
    def subtotal(self) -> Amount:
        """Sum of the net prices (EN 16931 BT-106, BT-109)."""
        subtotal: Amount = (self._read or self._shown_sums())[0]
        return subtotal

    @property
    def total(self) -> Amount:
        """Subtotal and all VAT (EN 16931 BT-112)."""
        total: Amount = (self._read or self._shown_sums())[1]
        return total

    @property
    def vat_totals(self) -> tuple[VatTotal, ...]:
        """VAT for each tax mode and rate, in order of first appearance (A30)."""
        totals: tuple[VatTotal, ...] = (self._read or self._shown_sums())[2]
        return totals

    # Ours
    @property
    def currency(self) -> str:
        """The bill's one currency."""
        return self._currency

    @property
    def places(self) -> int:
        """Minor units of the currency."""
        return self._places

    @property
    def payer(self) -> Payer | None:
        """The payer, where it is one payer's part of another bill (A68); else None."""
        return self._payer

    @property
    def due(self) -> int:
        """Ordinal of the due date."""
        return self._due

    @property
    def sums(self) -> tuple[int, int, int | None]:
        """Subtotal, total and cash rounding in minor units."""
        return self._sums

    @property
    def raw_lines(self) -> Sequence[RawLine]:
        """Figures of the line items."""
        return tuple(self._lines)

    @property
    def raw_totals(self) -> Sequence[RawTotal]:
        """Figures of the VAT totals."""
        return tuple(self._totals)

    @property
    def cash_rounding(self) -> Amount | None:
        """The amount added to reach a payable step; None without cash rounding (A52, BT-114)."""
        cash = self._sums[2]
        return None if cash is None else self._shown(cash)

    @property
    def payable(self) -> Amount:
        """Total and cash rounding (EN 16931 BT-115)."""
        _, total, cash = self._sums
        return self._shown(total + (cash or 0))

    @property
    def columns(self) -> Sequence[Column]:
        return LINE_COLUMNS

    def rows(self, lease_id: str | None = None) -> list[Row]:
        """Return a row for each line, with its share of the VAT, so that they sum to the total.

        Returns:
            Rows with the keys of `columns`; amounts in the currency's main unit, the tax rate as a
            fraction, `period_end` included.
        """
        shares = vat_of_lines(self._lines, self._totals)
        return [
            self._row(lease_id, line, vat) for line, vat in zip(self.lines, shares, strict=True)
        ]

    def _row(self, lease_id: str | None, line: PendingBillLineItem, vat: int) -> Row:
        net, period = line.figures.net, line.accounting_period
        money = (decimal_of(units, self._places) for units in (net, vat, net + vat))
        values = (
            *(lease_id, self.due_date, line.item_id, line.product_key, line.description, line.kind),
            *(period.start, period.end, line.quantity, line.amount.amount),
            *(line.unit_net_price.amount, *money),
            *(line.vat.tax_mode, line.vat.tax_rate, self._currency),
        )
        return dict(zip((column.name for column in LINE_COLUMNS), values, strict=True))

    def _repr_html_(self) -> str:
        """Return the bill as a notebook shows it, light or dark."""
        from rentbilling.billing.wire import bill_html  # noqa: PLC0415 - as above

        return bill_html(self)

    def _shown_sums(self) -> list[Any]:
        places, currency = self._places, self._currency
        sums = [_amount(units, places, currency) for units in self._sums[:2]]
        totals = [VatTotal(*total, currency, places) for total in self._totals]
        # Assigned in one step, so that concurrent reads see none or all of it.
        self._read[:] = (*sums, tuple(totals))
        return self._read

    def _shown(self, units: int) -> Amount:
        return _amount(units, self._places, self._currency)

    @classmethod
    def _from_wire(cls, data: Any) -> "PendingBill":  # noqa: ANN401
        from rentbilling.billing.wire import bill_of  # noqa: PLC0415 - it makes bills

        return bill_of(data, DEFAULT)

    def _to_wire(self) -> JsonData:
        from rentbilling.billing.wire import bills_text  # noqa: PLC0415 - it makes bills

        return read_json(bills_text(self, DEFAULT, full=True))

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        from rentbilling.billing.wire import BillSchemas  # noqa: PLC0415 - as above

        return BillSchemas(parts, full=True).bill()

    def _wire(self) -> tuple[object, ...]:
        """Return what equality compares: the interface's fields."""
        scale, (subtotal, total, _) = ALIKE[self._places], self._sums
        totals = [(vat.category, units * scale) for vat, units, _ in self._totals]
        sums = subtotal * scale, total * scale
        return self._due, self._currency, *sums, *map(line_key, self._lines), *totals

    def __eq__(self, other: object) -> bool:
        """Bills are equal when the interface's fields are."""
        if type(other) is not PendingBill:
            return NotImplemented
        return self._due == other._due and self._wire() == other._wire()

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash(self._wire())

    def __str__(self) -> str:
        from rentbilling.billing.wire import bill_tables  # noqa: PLC0415 - as above

        return bill_tables((self,)).rstrip("\n")

    def __repr__(self) -> str:
        """Return what a reader looks for first."""
        subtotal, total, _ = self._sums
        tax = sum(units for _, units, _ in self._totals)
        net, vat = self._shown(subtotal).amount, self._shown(tax).amount
        # A bill that a service made may contradict itself.
        sign = "=" if total == subtotal + tax else "≠"
        count = f"{len(self._lines)} line" + ("s" if len(self._lines) != 1 else "")
        return f"<PendingBill due {self.due_date} {self.total} {sign} {net} + {vat} VAT, {count}>"


class BillingResult(ResultSequence[PendingBill], Tabular):
    """The bills of an asked period, with what a person should look at; iterates over its bills.

    Examples:
        >>> empty = BillingResult((), (), Period.parse("2026-01-01/2026-12-31"))
        >>> len(empty), empty.notices
        (0, ())
    """

    __slots__ = (
        "_adjustments",
        "_bills",
        "_fingerprint",
        "_lease_id",
        "_notices",
        "_period",
        "_policy",
        "_source",
    )

    def __init__(
        self,
        bills: Iterable[PendingBill],
        notices: Iterable[Notice] = (),
        period: Period | None = None,
        policy: BillingPolicy | None = None,
        lease_id: str | None = None,
        *,
        policy_fingerprint: str | None = None,
        adjustments: Iterable[RentAdjustment] = (),
        source: object = None,
    ) -> None:
        """Keep the parts.

        Args:
            bills: In order of due date, then currency.
            notices: What a person should look at.
            period: The asked period, where known.
            policy: The policy followed, where known.
            lease_id: The lease, where known.
            policy_fingerprint: Fingerprint of the policy followed, where that alone is known.
            adjustments: The rent adjustments of the period, where they were asked for.
            source: The compiled terms that it was computed from, where it was computed here.
        """
        self._bills = tuple(bills)
        self._notices = tuple(notices)
        self._adjustments = tuple(adjustments)
        self._fingerprint = policy_fingerprint
        self._period = period
        self._policy = policy
        self._lease_id = lease_id
        self._source = source

    @property
    def bills(self) -> tuple[PendingBill, ...]:
        """The bills, in order of due date, then currency (A16)."""
        return self._bills

    @property
    def parts(self) -> tuple[PendingBill, ...]:
        """The bills, as what the answer consists of."""
        return self._bills

    @property
    def adjustments(self) -> tuple[RentAdjustment, ...]:
        """The rent adjustments of the period, where `bill_period` was asked; else none."""
        return self._adjustments

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Notices for a person to look at."""
        return self._notices

    @property
    def period(self) -> Period | None:
        """The asked period."""
        return self._period

    @property
    def lease_id(self) -> str | None:
        """The lease."""
        return self._lease_id

    @property
    def source(self) -> object:
        """The compiled terms that it was computed from; None where it was read."""
        return self._source

    @property
    def policy(self) -> BillingPolicy | None:
        """The policy that was followed, None where the bills were read from a service."""
        return self._policy

    @property
    def columns(self) -> Sequence[Column]:
        return LINE_COLUMNS

    def rows(self) -> list[Row]:
        """Return a row for each line of each bill; see `PendingBill.rows`."""
        return [row for bill in self._bills for row in bill.rows(self._lease_id)]

    def __str__(self) -> str:
        """Return the bills as tables, their sum, and the notices."""
        from rentbilling.billing.wire import result_text  # noqa: PLC0415 - as above

        return result_text(self)

    def _repr_html_(self) -> str:
        from rentbilling.billing.wire import result_html  # noqa: PLC0415 - as above

        return result_html(self)

    @property
    def total(self) -> Mapping[str, Amount]:
        """Sum of the bills' totals, by currency.

        Examples:
            >>> BillingResult(()).total
            {}
        """
        return amounts_by_currency(bill.total for bill in self._bills)

    def __add__(self, other: "BillingResult") -> "BillingResult":
        """Return the bills of both, in order of due date, then currency.

        Nothing is merged: two leases may have equal bills. Period, policy and lease stay where
        both have the same; notices that both have are kept once.
        """
        if not isinstance(other, BillingResult):
            return NotImplemented
        bills = sorted((*self, *other), key=lambda bill: (bill.due, bill.currency))

        def common(name: str) -> Any:  # noqa: ANN401 - of any kind
            mine, theirs = getattr(self, name), getattr(other, name)
            return mine if mine == theirs else None

        return BillingResult(
            bills,
            dict.fromkeys((*self._notices, *other._notices)),
            *map(common, ("period", "policy", "lease_id")),
            policy_fingerprint=common("policy_fingerprint"),
            adjustments=(*self._adjustments, *other._adjustments),
        )

    def __radd__(self, other: object) -> "BillingResult":
        """Return this result where `sum` begins: it adds the first one to 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    @property
    def policy_fingerprint(self) -> str | None:
        """Fingerprint of the policy that was followed (A59), None if unknown."""
        return self._fingerprint if self._policy is None else self._policy.fingerprint

    @classmethod
    def _from_wire(cls, data: Any) -> "BillingResult":  # noqa: ANN401
        from rentbilling.billing.wire import bills_of  # noqa: PLC0415 - it makes bills

        return bills_of(data, DEFAULT)

    def _to_wire(self) -> JsonData:
        from rentbilling.billing.wire import bills_text  # noqa: PLC0415 - it makes bills

        return read_json(bills_text(self, policy_of(self._policy), full=True))

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        from rentbilling.billing.wire import BillSchemas  # noqa: PLC0415 - as above

        return BillSchemas(parts, full=True).whole_result()

    def __repr__(self) -> str:
        """Return what a reader looks for first."""
        bills, notices = counted(len(self), "bill"), counted(len(self.notices), "notice")
        return f"<BillingResult {bills}, {notices}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by parts, with the terms that it was computed from."""
        parts = self._bills, self._notices, self._period, self._policy, self._lease_id
        made = partial(
            BillingResult,
            policy_fingerprint=self._fingerprint,
            adjustments=self._adjustments,
            source=self._source,
        )
        return made, parts
