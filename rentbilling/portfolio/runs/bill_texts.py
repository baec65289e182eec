"""Bill texts: the bills of a batch as CSV or as lines of JSON, written column by column.

Laws: the text of a bill is the one that `csv_of` and `BillWriter` write, to the byte; a bill with
sums that have too many digits for whole numbers of 64 bits is written by them.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.billing import BillingResult
from rentbilling.billing.wire import BillWriter
from rentbilling.codec import csv_of, csv_text
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import Column, Mask, Struct, list_column, lists, there
from rentbilling.portfolio.arrow.column_types import functions
from rentbilling.portfolio.arrow.decimals import FINEST, units_of
from rentbilling.portfolio.runs.bill_batches import scaled, shown_number
from rentbilling.portfolio.runs.bill_results import bill_of_row
from rentbilling.records import day_text, days_past_end, quoted
from rentbilling.values import CURRENCIES, minor_units

_WHOLE: Final = 10**FINEST
_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_:./ ]*")
"""Texts that are the same in CSV."""
_CENTS: Final = 2


def csv_lines_of(bills: Any, policy: BillingPolicy) -> str:  # noqa: ANN401 - a record batch
    """Return the bills of a batch as rows of CSV in full, without the row of names."""
    head = csv_of(BillingResult(()), full=True)

    def alone(row: Mapping[str, Any]) -> str:
        result = BillingResult((bill_of_row(row, policy),), lease_id=row["lease_id"])
        return csv_of(result, full=True)[len(head) :]

    return _written(bills, policy, _csv, alone)


def json_lines_of(bills: Any, policy: BillingPolicy) -> str:  # noqa: ANN401 - a record batch
    """Return the bills of a batch as lines of JSON in full, each with its row and lease."""
    writer = BillWriter(full=True, period_end=policy.period_end)

    def alone(row: Mapping[str, Any]) -> str:
        named = "null" if row["lease_id"] is None else quoted(row["lease_id"])
        text = writer.bill(bill_of_row(row, policy))
        return f'{{"row": {row["row"]}, "leaseId": {named}, {text[1:]}\n'

    return _written(bills, policy, partial(_json, days_past_end(policy.period_end)), alone)


def _written(
    bills: Any,  # noqa: ANN401 - a record batch
    policy: BillingPolicy,
    by_columns: Callable[["_Bills"], Any],
    alone: Callable[[Mapping[str, Any]], str],
) -> str:
    """Return the texts of bills in order, of those that are rare one by one."""
    if not bills.num_rows:
        return ""
    table = _Bills.of(bills, policy)
    texts = by_columns(table).to_pylist()
    rare = np.flatnonzero(table.rare)
    for place, row in zip(rare.tolist(), bills.take(pa.array(rare)).to_pylist(), strict=True):
        texts[place] = alone(row)
    return "".join(texts)


class _Bills(NamedTuple):
    """The bills of a batch."""

    columns: Any
    """The record batch."""
    lines: Struct
    owner: Column
    """The bill of each line."""
    offsets: Column
    places: Column
    """The decimals of the currency of each bill."""
    rare: Mask
    """Which bills are written alone."""

    @classmethod
    def of(cls, bills: Any, policy: BillingPolicy) -> "_Bills":  # noqa: ANN401 - a record batch
        offsets, array, _ = lists(bills.column("lines"))
        lines = Struct(array)
        encoded = bills.column("currency").dictionary_encode()
        known = [
            minor_units(code, policy.currencies)
            if code in CURRENCIES or code in policy.currencies
            else FINEST + 1
            for code in encoded.dictionary.to_pylist()
        ]
        places = np.array(known, np.int64)[encoded.indices.to_numpy()]
        owner = np.repeat(np.arange(bills.num_rows), np.diff(offsets))
        rare = places > FINEST
        for name in ("subtotal", "total", "cash_rounding"):
            sums = bills.column(name)
            rare |= there(sums) & ~units_of(sums)[1]
        return cls(bills, lines, owner, offsets, np.minimum(places, FINEST), rare)

    def sum(self, name: str) -> Column:
        """Return a sum of each bill in the finest unit."""
        found = self.columns.column(name)
        return units_of(found)[0] * there(found)

    def of_lines(self, array: Any) -> Any:  # noqa: ANN401 - Arrow arrays
        return array.take(pa.array(self.owner))

    def money(self, name: str) -> Any:  # noqa: ANN401 - an Arrow array
        """Return an amount of each line as texts."""
        return _numbers(self.lines.of(name), self.places[self.owner])

    def joined(self, texts: Any, between: str, offsets: Column) -> Any:  # noqa: ANN401 - Arrow arrays
        return functions.binary_join(list_column(offsets, texts), between)


def _csv(bills: _Bills) -> Any:  # noqa: ANN401 - an Arrow array
    columns, lines = bills.columns, bills.lines
    period, regular = lines.struct("accounting_period"), lines.struct("regular_period")
    vat, subtotal, total = lines.struct("vat"), bills.sum("subtotal"), bills.sum("total")
    payable = total + bills.sum("cash_rounding")
    sums = [_units(each, bills.places) for each in (subtotal, total - subtotal, total, payable)]
    cells = [
        bills.of_lines(_days(columns.column("due_date"))),
        *(_cells(lines.of(name)) for name in ("item_id", "product_key", "description")),
        *(_days(period.of(name)) for name in ("start", "end")),
        _numbers(lines.of("quantity"), 0),
        *(bills.money(name) for name in ("amount", "unit_net_price", "net_price")),
        _cells(vat.of("tax_mode")),
        _numbers(vat.of("tax_rate"), _CENTS),
        *(bills.of_lines(_cells(columns.column(name))) for name in ("currency", "lease_id")),
        *(_cells(lines.of(name)) for name in ("kind", "share")),
        *(_days(regular.of(name)) for name in ("start", "end")),
        _cells(lines.of("discount_text")),
        *map(bills.of_lines, sums),
    ]
    rows = _put([_put(cells, ","), "\r\n"])
    return bills.joined(rows, "", bills.offsets)


def _json(past_end: int, bills: _Bills) -> Any:  # noqa: ANN401 - an Arrow array
    columns = bills.columns
    code = _texts(columns.column("currency"), quoted)
    names = ("subtotal", "total", "cash_rounding")
    units = [bills.sum(name) for name in names]
    payable = _units(units[1] + units[2], bills.places)
    subtotal, total, rounded = (_units(each, bills.places) for each in units)
    cash = [', "cashRounding": ', _amount(code, rounded), ', "payable": ', _amount(code, payable)]
    has_cash = pa.array(there(columns.column("cash_rounding")))
    offsets, array, _ = lists(columns.column("vat_totals"))
    totals, of = Struct(array), np.repeat(np.arange(columns.num_rows), np.diff(offsets))
    figures = [_numbers(totals.of(name), bills.places[of]) for name in ("amount", "base")]
    amount, base = (_amount(code.take(pa.array(of)), each) for each in figures)
    vat = _vat(totals.struct("vat"))
    each_total = _put(['{"vat": ', vat, ', "amount": ', amount, ', "base": ', base, "}"])
    return _put(
        [
            *('{"row": ', columns.column("row").cast(pa.string())),
            *(', "leaseId": ', _texts(columns.column("lease_id"), quoted).fill_null("null")),
            *(', "dueDate": "', _days(columns.column("due_date")), '", "pendingBillLineItems": ['),
            bills.joined(_json_lines(past_end, bills, code), ", ", bills.offsets),
            *('], "subtotal": ', _amount(code, subtotal), ', "total": ', _amount(code, total)),
            *(', "vatTotals": [', bills.joined(each_total, ", ", offsets), "]"),
            functions.if_else(has_cash, _put(cash), ""),
            "}\n",
        ]
    )


def _json_lines(past_end: int, bills: _Bills, code: Any) -> Any:  # noqa: ANN401 - Arrow arrays
    lines, own = bills.lines, bills.of_lines(code)
    period = _period(lines.struct("accounting_period"), past_end)
    is_regular = functions.equal(lines.of("kind"), "regular")
    regular = _period(lines.struct("regular_period"), past_end)
    regular = functions.if_else(is_regular, functions.coalesce(regular, period), regular)
    money = {name: _amount(own, bills.money(name)) for name in _MONEY}
    known = {
        "itemId": _texts(lines.of("item_id"), quoted),
        "kind": _texts(lines.of("kind"), quoted),
        "description": _texts(lines.of("description"), quoted),
        "discountText": _texts(lines.of("discount_text"), quoted),
        "discounts": _discounts(bills, own),
        "share": _texts(lines.of("share"), quoted),
        "counted": _texts(lines.of("counted"), quoted),
        "regularPeriod": regular,
    }
    return _put(
        [
            *('{"productKey": ', _texts(lines.of("product_key"), quoted)),
            *(', "amount": ', money["amount"]),
            *(', "quantity": ', _numbers(lines.of("quantity"), 0)),
            *(', "unitNetPrice": ', money["unit_net_price"]),
            *(', "netPrice": ', money["net_price"]),
            *(', "vat": ', _vat(lines.struct("vat")), ', "accountingPeriod": ', period),
            *(_put([f', "{name}": ', text], skips=False) for name, text in known.items()),
            "}",
        ]
    )


def _discounts(bills: _Bills, code: Any) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return the discounts of each line, absent where it has none."""
    offsets, array, _ = lists(bills.lines.of("discounts"))
    given, of = Struct(array), np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    places = bills.places[bills.owner][of]
    text, rate = _texts(given.of("description"), quoted), _numbers(given.of("percentage"), 0)
    each = _put(
        [
            "{",
            _put(['"description": ', text, ", "], skips=False),
            _put(['"percentage": ', rate, ", "], skips=False),
            *(
                '"takenOff": ',
                _amount(code.take(pa.array(of)), _numbers(given.of("taken_off"), places)),
            ),
            "}",
        ]
    )
    listed = _put(["[", bills.joined(each, ", ", offsets), "]"])
    return functions.if_else(pa.array(np.diff(offsets) > 0), listed, pa.scalar(None, pa.string()))


_MONEY: Final = ("amount", "unit_net_price", "net_price")


def _amount(code: Any, number: Any) -> Any:  # noqa: ANN401 - Arrow arrays
    return _put(['{"currency": ', code, ', "amount": ', number, "}"])


def _vat(vat: Struct) -> Any:  # noqa: ANN401 - an Arrow array
    rate = _put([', "taxRate": ', _numbers(vat.of("tax_rate"), _CENTS)], skips=False)
    return _put(['{"taxMode": ', _texts(vat.of("tax_mode"), quoted), rate, "}"])


def _period(period: Struct, past_end: int) -> Any:  # noqa: ANN401 - an Arrow array
    start, end = _days(period.of("start")), _days(period.of("end"), past_end)
    return _put(['"', start, "/", end, '"'], skips=False)


def _put(parts: Iterable[Any], between: str = "", *, skips: bool = True) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return texts put together; an absent one is empty, or else nothing is there."""
    handling = {"null_handling": "replace", "null_replacement": ""} if skips else {}
    return functions.binary_join_element_wise(*parts, between, **handling)


def _texts(array: Any, write: Callable[[Any], str]) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return values as texts, each distinct one written once."""
    encoded = array.dictionary_encode()
    written = [write(each) for each in encoded.dictionary.to_pylist()]
    return pa.array(written, pa.string()).take(encoded.indices)


def _cells(array: Any) -> Any:  # noqa: ANN401 - Arrow arrays
    return _texts(array, _cell)


def _cell(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else csv_text([[text, None]])[: -len(",\r\n")]


def _days(array: Any, more: int = 0) -> Any:  # noqa: ANN401 - Arrow arrays
    return _texts(array, lambda day: day_text(day.toordinal() + more))


def _numbers(array: Any, least: Column | int) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return numbers as texts with the decimals that they need, and so many at least."""
    units, right = units_of(array)
    made = _units(units, least)
    given = there(array)
    odd = np.flatnonzero(given & ~right)
    if len(odd):
        few = np.broadcast_to(least, len(units))[odd].tolist()
        values = array.take(pa.array(odd)).to_pylist()
        shown = [
            f"{shown_number(scaled(each), most):f}" for each, most in zip(values, few, strict=True)
        ]
        made = functions.replace_with_mask(made, pa.array(given & ~right), pa.array(shown))
    if len(odd) or not given.all():
        made = functions.if_else(pa.array(given), made, pa.scalar(None, pa.string()))
    return made


def _units(units: Column, least: Column | int) -> Any:  # noqa: ANN401 - an Arrow array
    """Return numbers in the finest unit as texts, with so many decimals at least."""
    whole, rest = np.divmod(np.abs(units), _WHOLE)
    needed = sum((rest % 10**at != 0).astype(np.int64) for at in range(1, FINEST + 1))
    decimals = np.maximum(needed, least)
    ends = _texts(pa.array(decimals * _WHOLE + rest), _end)
    made = _put([pa.array(whole).cast(pa.string()), ends])
    if (units < 0).any():
        made = _put([_texts(pa.array(units < 0), lambda below: "-" if below else ""), made])
    return made


def _end(key: int) -> str:
    """Return so many decimals of a number, with their point."""
    decimals, rest = divmod(key, _WHOLE)
    return f".{rest:0{FINEST}}"[: decimals + 1] if decimals else ""
