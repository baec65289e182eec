"""Bill batches: results as rows of Arrow tables, with everything that a result knows (A56).

Laws: figures are written as whole minor units and exact numbers, and never rounded; a number that
fits no column is refused, not cut.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Any, Final, Generic, TypeVar

import numpy as np
import pyarrow as pa

from rentbilling.billing import LineFigures, PendingBill
from rentbilling.errors import UnsupportedCaseError
from rentbilling.portfolio.arrow.arrays import (
    day_column,
    list_column,
    offsets_of,
    period_column,
    struct_column,
)
from rentbilling.portfolio.arrow.column_types import (
    ADJUSTMENT_SCHEMA,
    BILL_SCHEMA,
    LINE,
    LINE_SCHEMA,
    NOTICE_SCHEMA,
    NUMBER,
    ROW,
    SCALE,
    TAKEN_OFF,
    VAT,
    VAT_TOTAL,
    functions,
    shape_of,
)
from rentbilling.portfolio.leases.batches import LeaseForm, record_columns
from rentbilling.portfolio.plans.made import Made
from rentbilling.terms import RentAdjustment
from rentbilling.values import Amount, Notice, decimal_of

T = TypeVar("T")

_MOST: Final = 10**NUMBER.precision
_NO_ADJUSTMENTS: Final = pa.RecordBatch.from_pylist([], ADJUSTMENT_SCHEMA)
_NOWHERE: Final = 0
"""The day of a period that a line does not have."""


def scaled(value: Decimal) -> int:
    """Return a number as a column has it: times 10^15.

    Raises:
        UnsupportedCaseError: It has more digits than the column.

    Examples:
        >>> scaled(Decimal("8500.10"))
        8500100000000000000
    """
    over, below = value.as_integer_ratio()
    units, rest = divmod(over * 10**SCALE, below)
    if rest or not -_MOST < units < _MOST:
        whole = NUMBER.precision - SCALE
        case = f"a number of more than {SCALE} decimals or {whole} digits before the point"
        raise UnsupportedCaseError("unsupported", case=f"{case} in a table")
    return units


def shown_number(units: int, least: int) -> Decimal:
    """Return a number given times 10^15 with the decimals that it needs, and so many at least.

    Examples:
        >>> shown_number(8500100000000000000, 2), shown_number(1000000000000000, 0)
        (Decimal('8500.10'), Decimal('1'))
    """
    decimals = SCALE
    while decimals > least and not units % 10:
        units, decimals = units // 10, decimals - 1
    return decimal_of(units, decimals)


def number_column(units: Iterable[int]) -> Any:  # noqa: ANN401 - an Arrow array
    """Return a column of numbers, each given times 10^15.

    Examples:
        >>> number_column([8500100000000000000]).to_pylist()
        [Decimal('8500.100000000000000')]
    """
    written = [each.to_bytes(NUMBER.byte_width, "little", signed=True) for each in units]
    return pa.Array.from_buffers(NUMBER, len(written), [None, pa.py_buffer(b"".join(written))])


def _column(of: Any, name: str, values: Sequence[Any]) -> Any:  # noqa: ANN401 - an Arrow array
    """Return values as the column of a schema, or the field of a struct, of some name."""
    return pa.array(values, of.field(name).type)


def _holed(units: Sequence[int | None]) -> Any:  # noqa: ANN401 - an Arrow array
    """Return a column of numbers, some of which are null."""
    column = number_column([each or 0 for each in units])
    there = pa.array([each is not None for each in units], pa.bool_())
    return functions.if_else(there, column, pa.scalar(None, NUMBER))


def _periods(days: Sequence[tuple[int, int]]) -> Any:  # noqa: ANN401 - an Arrow array
    first, last = np.array(days, np.int64).reshape(-1, 2).T
    return period_column(first, last, first == _NOWHERE)


class _FigureRows:
    """The figures of lines, each once however many lines share them."""

    __slots__ = ("_numbers", "_places", "_rows", "_shares")

    def __init__(self) -> None:
        self._places: dict[LineFigures, int] = {}
        self._rows: list[tuple[Any, ...]] = []
        self._numbers: dict[Decimal, int] = {}
        self._shares: dict[tuple[int, int], str] = {(1, 1): "1"}

    def place(self, figures: LineFigures) -> int:
        """Return the place of some figures; their row is made where they are new."""
        there = self._places.get(figures)
        if there is None:
            row = self._row(figures)
            there = self._places[figures] = len(self._rows)
            self._rows.append(row)
        return there

    def _row(self, figures: LineFigures) -> tuple[Any, ...]:
        """Return the cells of figures, numbers times 10^15."""
        rate, step = figures.vat.tax_rate, 10 ** (SCALE - figures.places)
        share = self._shares.get(figures.share)
        if share is None:
            share = self._shares[figures.share] = str(Fraction(*figures.share))
        return (
            figures.item_id,
            figures.product_key,
            figures.description,
            figures.discount_text,
            figures.kind,
            share,
            figures.counted,
            self.number(figures.quantity),
            scaled(figures.amount),
            scaled(figures.unit_net),
            figures.net * step,
            figures.vat.tax_mode,
            None if rate is None else self.number(rate),
            [
                (text, None if each is None else scaled(each), units * step)
                for text, each, units in figures.taken
            ],
        )

    def number(self, value: Decimal) -> int:
        units = self._numbers.get(value)
        if units is None:
            units = self._numbers[value] = scaled(value)
        return units

    def columns(self, places: Any) -> dict[str, Any]:  # noqa: ANN401 - Arrow arrays
        """Return the columns of lines that have the figures at some places."""
        cells = list(zip(*self._rows, strict=True)) or [()] * 14
        texts = (
            *("item_id", "product_key", "description", "discount_text", "kind", "share"),
            "counted",
        )
        numbers = ("quantity", "amount", "unit_net_price", "net_price")
        made = {name: _column(LINE, name, cells[at]) for at, name in enumerate(texts)}
        made |= {name: number_column(cells[at]) for at, name in enumerate(numbers, len(texts))}
        vat = _column(VAT, "tax_mode", cells[-3]), _holed(cells[-2])
        made["vat"] = struct_column(VAT, vat)
        made["discounts"] = _discount_lists(cells[-1])
        return {name: column.take(places) for name, column in made.items()}


def _discount_lists(cells: Sequence[Sequence[tuple[Any, ...]]]) -> Any:  # noqa: ANN401 - an Arrow array
    """Return what the discounts of each line took off, numbers given times 10^15."""
    texts, rates, units = list(zip(*chain.from_iterable(cells), strict=True)) or [()] * 3
    parts = _column(TAKEN_OFF, "description", texts), _holed(rates), number_column(units)
    offsets = offsets_of(np.array([*map(len, cells)], np.int64))
    return list_column(offsets, struct_column(TAKEN_OFF, parts), LINE.field("discounts").type)


class BillRows:
    """Collects bills of many leases and returns them as a record batch.

    Examples:
        >>> rows = BillRows()
        >>> rows.batch().num_rows
        0
    """

    __slots__ = ("_bills", "_figures", "_lines", "_totals")

    def __init__(self) -> None:
        self._figures = _FigureRows()
        self._bills: list[tuple[Any, ...]] = []
        # Of each line: the place of its figures, its first and last day, those of its period.
        self._lines: list[tuple[int, int, int, int, int]] = []
        self._totals: list[tuple[Any, ...]] = []

    def add(self, row: int, lease_id: str | None, bills: Iterable[PendingBill]) -> None:
        """Add the bills of a lease, all of them or none.

        Raises:
            UnsupportedCaseError: A figure has more digits than its column.
        """
        before = len(self._bills), len(self._lines), len(self._totals)
        try:
            for bill in bills:
                self._add(row, lease_id, bill)
        except UnsupportedCaseError:
            for kept, count in zip((self._bills, self._lines, self._totals), before, strict=True):
                del kept[count:]
            raise

    def _add(self, row: int, lease_id: str | None, bill: PendingBill) -> None:
        factor = 10 ** (SCALE - bill.places)
        subtotal, total, cash = bill.sums
        place, number = self._figures.place, self._figures.number
        for figures, first, last in bill.raw_lines:
            regular = figures.regular
            if regular is None:
                regular = (first, last) if figures.kind == "regular" else (_NOWHERE, _NOWHERE)
            begun, ended = regular
            self._lines.append((place(figures), first, last, begun, ended))
        for vat, units, base in bill.raw_totals:
            rate = None if vat.tax_rate is None else number(vat.tax_rate)
            self._totals.append((vat.tax_mode, rate, units * factor, base * factor))
        self._bills.append(
            (
                *(row, lease_id, bill.due, bill.currency, subtotal * factor, total * factor),
                None if cash is None else cash * factor,
                *(len(self._lines), len(self._totals)),
            )
        )

    def batch(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the bills as a record batch of `BILL_SCHEMA`."""
        cells = list(zip(*self._bills, strict=True)) or [()] * 9
        lines, totals = self._line_column(), self._total_column()
        columns = (
            *lease_columns([*zip(cells[0], cells[1], strict=True)]),
            day_column(np.array(cells[2], np.int64)),
            _column(BILL_SCHEMA, "currency", cells[3]),
            *(number_column(cells[at]) for at in (4, 5)),
            _holed(cells[6]),
            list_column(np.array([0, *cells[7]]), lines, BILL_SCHEMA.field("lines").type),
            list_column(np.array([0, *cells[8]]), totals, BILL_SCHEMA.field("vat_totals").type),
        )
        return pa.RecordBatch.from_arrays(list(columns), schema=BILL_SCHEMA)

    def _line_column(self) -> Any:  # noqa: ANN401 - an Arrow array
        places = pa.array([each[0] for each in self._lines], pa.int64())
        columns = self._figures.columns(places)
        columns["accounting_period"] = _periods([each[1:3] for each in self._lines])
        columns["regular_period"] = _periods([each[3:] for each in self._lines])
        return struct_column(LINE, [columns[field.name] for field in LINE])

    def _total_column(self) -> Any:  # noqa: ANN401 - an Arrow array
        modes, rates, units, bases = list(zip(*self._totals, strict=True)) or [()] * 4
        vat = struct_column(VAT, (_column(VAT, "tax_mode", modes), _holed(rates)))
        return struct_column(VAT_TOTAL, (vat, number_column(units), number_column(bases)))


def lines_of_bills(bills: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the lines of bills as a record batch of `LINE_SCHEMA`, a row for each line.

    Examples:
        >>> lines_of_bills(BillRows().batch()).num_rows
        0
    """
    lines = bills.column("lines")
    places = functions.list_parent_indices(lines)
    columns = {
        name: bills.column(name).take(places)
        for name in ("row", "lease_id", "due_date", "currency")
    }
    columns |= dict(zip((each.name for each in LINE), lines.flatten().flatten(), strict=True))
    for name, parts in (
        ("accounting_period", ("period_start", "period_end")),
        ("regular_period", ("regular_start", "regular_end")),
        ("vat", ("tax_mode", "tax_rate")),
    ):
        columns |= dict(zip(parts, columns[name].flatten(), strict=True))
    return pa.RecordBatch.from_arrays(
        [columns[name] for name in LINE_SCHEMA.names], schema=LINE_SCHEMA
    )


class _Rows(Generic[T]):
    """Collects what is made of many leases."""

    __slots__ = ("_leases", "_made")

    def __init__(self) -> None:
        self._leases: list[tuple[int, str | None]] = []
        self._made: list[T] = []

    def add(self, row: int, lease_id: str | None, made: Iterable[T]) -> None:
        """Add what is made of a lease; no number of it is too wide."""
        for each in made:
            self._leases.append((row, lease_id))
            self._made.append(each)


class AdjustmentRows(_Rows[RentAdjustment]):
    """Collects rent adjustments of many leases and returns them as a record batch."""

    __slots__ = ()

    def batch(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the adjustments as a record batch of `ADJUSTMENT_SCHEMA`."""
        if not self._made:
            return _NO_ADJUSTMENTS
        columns = record_columns(shape_of(RentAdjustment), self._made)
        columns = [*lease_columns(self._leases), *columns]
        return pa.RecordBatch.from_arrays(columns, schema=ADJUSTMENT_SCHEMA)


def made_batch(made: Made, form: LeaseForm | None) -> Any:  # noqa: ANN401 - a record batch
    """Return adjustments of leases on columns as a record batch of `ADJUSTMENT_SCHEMA`."""
    if form is None or not len(made.place):
        return _NO_ADJUSTMENTS
    place = pa.array(made.place)
    ids = form.batch.column("lease_id").take(place)
    columns = [place, ids, *made.adjustments.flatten()]
    return pa.RecordBatch.from_arrays(columns, schema=ADJUSTMENT_SCHEMA)


def in_order(flat: Any, scalar: Any) -> Any:  # noqa: ANN401 - record batches
    """Return the rows of both engines in the order of their leases."""
    if not scalar.num_rows:
        return flat
    table = pa.Table.from_batches([flat, scalar]).combine_chunks()
    # Each lease was billed by one of the two, in whose order its rows stay.
    order = np.argsort(table.column(ROW).to_numpy(), kind="stable")
    return table.to_batches()[0].take(pa.array(order))


def with_row_numbers(batch: Any, rows: Sequence[int]) -> Any:  # noqa: ANN401 - a record batch
    """Return results with the numbers of the leases in place of their places in the batch."""
    if not batch.num_rows or (isinstance(rows, range) and not rows.start):
        return batch
    numbers = pa.array(np.asarray(rows, np.int64)).take(batch.column(ROW))
    columns = [numbers, *batch.columns[1:]]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def refuse_too_wide(adjustments: Iterable[RentAdjustment]) -> None:
    """Refuse adjustments with a number of more digits than a column has.

    Raises:
        UnsupportedCaseError: There is one.

    Examples:
        >>> from datetime import date
        >>> refuse_too_wide([RentAdjustment(adjusted_on=date(2026, 1, 1))])
    """
    for adjustment in adjustments:
        for outcome in (adjustment, *adjustment.adjustment_rules_effects):
            for _, value in outcome:
                if isinstance(value, Amount):
                    scaled(value.amount)
                elif isinstance(value, Decimal):
                    scaled(value)


class NoticeRows(_Rows[Notice]):
    """Collects notices of many leases and returns them as a record batch."""

    __slots__ = ()

    def batch(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the notices as a record batch of `NOTICE_SCHEMA`."""
        texts = [
            _column(NOTICE_SCHEMA, name, [getattr(each, name) for each in self._made])
            for name in ("code", "message", "item_id")
        ]
        facts = _column(NOTICE_SCHEMA, "facts", [each.facts for each in self._made])
        columns = [*lease_columns(self._leases), *texts, facts]
        return pa.RecordBatch.from_arrays(columns, schema=NOTICE_SCHEMA)


def lease_columns(leases: Sequence[tuple[int, str | None]]) -> list[Any]:
    """Return the columns `row` and `lease_id` of rows that are of some leases."""
    return [
        _column(BILL_SCHEMA, ROW, [row for row, _ in leases]),
        _column(BILL_SCHEMA, "lease_id", [lease_id for _, lease_id in leases]),
    ]
