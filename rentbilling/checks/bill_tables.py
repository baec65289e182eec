"""Bill tables: bills that others made as rows, one for each line, become data of bills to check.

Laws: which column is which field is said and never guessed; a cell that cannot be read is refused
with its row; what the rows state is passed on as it is, also where it is wrong.
"""

import csv
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, Self

from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    Problem,
    UnsupportedCaseError,
    shown,
)
from rentbilling.tables import Notation, is_absent
from rentbilling.values import TAXED, minor_units, rounded

_FIELDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("lease_id", "number", "item_id", "product_key", "description"), "text"),
        **dict.fromkeys(("due_date", "period_start", "period_end"), "day"),
        **dict.fromkeys(("amount", "unit_net_price", "net_price", "vat"), "money"),
        **dict.fromkeys(("tax_mode", "currency"), "text"),
        **dict.fromkeys(("quantity", "tax_rate"), "number"),
        **dict.fromkeys(("bill_subtotal", "bill_vat", "bill_total", "bill_payable"), "money"),
    }
)
"""The kind of each field's cells, as `Notation.read` names it."""
_REQUIRED: Final = ("due_date", "currency", "net_price", "period_start", "period_end")
_DEFAULTS: Final = MappingProxyType({"product_key": "key:rent", "quantity": Decimal(1)})
_SECTIONS: Final = ("bill", "constants", "format")
_FORMAT: Final = ("date", "decimal", "thousands", "delimiter")
_KEY: Final = ("lease_id", "due_date", "currency")
_MOST_PROBLEMS: Final = 100
_MOST_ROWS: Final = 1_000_000
_Fields = dict[str, Any]


@dataclass(frozen=True)
class BillTable:
    """Which columns of a table have the fields of bills; a row is a line, or a bill of one line.

    The fields are the columns that `rentbilling bills --format csv --full` writes, with `number` of
    a bill and `vat` of a line. Rows of one `number` are a bill, else those of one lease, due date
    and currency. Sums that the rows do not state are those of their lines (A106).

    Raises:
        InvalidRecordError: A name is no field, a required field has neither column nor constant, or
            the notation is none; with every problem.

    Examples:
        >>> table = BillTable(
        ...     {"due_date": "Forfald", "net_price": "Beløb", "period_start": "Fra",
        ...      "period_end": "Til"},
        ...     {"currency": "DKK", "tax_mode": "Exempt"},
        ...     date="DD-MM-YYYY",
        ...     decimal=",",
        ... )
        >>> row = {"Forfald": "01-02-2026", "Beløb": "8500,00", "Fra": "01-02-2026"}
        >>> (bill,) = table.bills([{**row, "Til": "28-02-2026"}])
        >>> bill["total"]
        {'amount': Decimal('8500.00'), 'currency': 'DKK'}
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    """Headers by fields; without any, the headers are the fields themselves."""
    constants: Mapping[str, Any] = field(default_factory=dict)
    """Values of all rows by fields."""
    _: KW_ONLY
    date: str = "YYYY-MM-DD"
    """How dates are written: D or DD, M or MM, YYYY, and the marks between."""
    decimal: str = "."
    """The character before the decimals."""
    thousands: str = ""
    """The character between thousands, empty for none."""
    delimiter: str = ","
    """Of CSV."""

    def __post_init__(self) -> None:
        """Refuse what is no field, and fields that are missing in every row."""
        problems = [*self._notation.problems()]
        if not _is_delimiter(self.delimiter):
            said, expected = "is no delimiter", "one character such as ; or a tab"
            problems.append(
                Problem("delimiter", "wrong_value", said, shown(self.delimiter), expected)
            )
        for name in (*self.columns, *self.constants):
            if name not in _FIELDS:
                expected = f"one of {', '.join(_FIELDS)}"
                problems.append(
                    Problem(name, "unknown_field", "is not a field", shown(name), expected)
                )
        if self.columns:
            problems += _missing({*self.columns, *self.constants})
        if problems:
            raise InvalidRecordError(problems)

    @classmethod
    def from_toml(cls, text: str | bytes) -> Self:
        r"""Return the table of a TOML text with the tables bill, constants and format.

        Raises:
            InvalidRecordError: It is not TOML, or the mapping is wrong.

        Examples:
            >>> BillTable.from_toml('[format]\ndecimal = ","').decimal
            ','
        """
        try:
            data = tomllib.loads(text if isinstance(text, str) else text.decode("utf-8-sig"))
        except ValueError as error:
            said, expected = f"is not TOML: {error}", '[bill] and lines such as net_price = "Net"'
            raise InvalidRecordError.of("", "unreadable", said, text[:20], expected) from None
        problems = [
            Problem(name, "not_an_object", "is not a table", shown(part), f"one of {_SECTIONS}")
            for name, part in data.items()
            if name not in _SECTIONS or not isinstance(part, dict)
        ]
        form = {} if problems else data.get("format", {})
        problems += [
            Problem(f"format.{name}", "unknown_field", "is not a field", shown(name), f"{_FORMAT}")
            for name in form
            if name not in _FORMAT
        ]
        if problems:
            raise InvalidRecordError(problems)
        return cls(data.get("bill", {}), data.get("constants", {}), **form)

    @property
    def _notation(self) -> Notation:
        return Notation(self.date, self.decimal, self.thousands)

    def bills_of_csv(self, text: str) -> list[_Fields]:
        """Return the bills of a CSV text with a line of headers, as `bills` does.

        Raises:
            InvalidInputError: A line has other fields than the headers, or as `bills`.
        """
        lines = text.removeprefix("\ufeff").splitlines(keepends=True)
        reader = csv.reader(lines, delimiter=self.delimiter, strict=True)
        rows: list[Mapping[str, str]] = []
        try:
            head = next((cells for cells in reader if cells), [])
            if len(set(head)) < len(head):
                said, expected = "has a header twice", "each header once"
                raise InvalidRecordError.of("line 1", "duplicate_column", said, head, expected)
            problems: list[Problem] = []
            self._headers(head, problems)
            if problems:
                raise InvalidRecordError(problems)
            for cells in filter(None, reader):
                if len(cells) != len(head):
                    said, expected = "has another number of fields", f"{len(head)} fields"
                    path = f"line {reader.line_num}"
                    raise InvalidRecordError.of(path, "wrong_fields", said, len(cells), expected)
                rows.append(dict(zip(head, cells, strict=True)))
        except csv.Error as error:
            path, expected = f"line {reader.line_num}", "CSV as RFC 4180 has it"
            raise InvalidRecordError.of(
                path, "unreadable", f"cannot be read: {error}", text[:20], expected
            ) from None
        return self.bills(rows)

    def bills(self, rows: Iterable[Mapping[str, Any]]) -> list[_Fields]:
        """Return the data of the bills of rows, which `check_bill` and `compare_bills` take.

        Each has its `leaseId` and `number` where the table has them.

        Raises:
            InvalidInputError: A column is missing, a cell cannot be read, or rows of a bill state
                different sums; every problem with its row.
            UnsupportedCaseError: There are more than a million rows.
        """
        groups: dict[object, list[_Fields]] = {}
        problems: list[Problem] = []
        headers: Mapping[str, str] = {}
        same = {name: name for name in self.constants}
        fixed = {**_DEFAULTS, **self._read(self.constants, same, "constants", problems)}
        for at, row in enumerate(rows):
            if at == _MOST_ROWS:
                raise UnsupportedCaseError("unsupported", case=f"a table of over {_MOST_ROWS} rows")
            if not isinstance(row, Mapping):
                said, expected = "is no row", "a mapping of cells by headers"
                raise InvalidRecordError.of(f"rows[{at}]", "not_an_object", said, row, expected)
            if not at:
                headers = self._headers(row, problems)
            found = {**fixed, **self._read(row, headers, f"rows[{at}]", problems)}
            if not problems:
                problems += _missing(found, f"rows[{at}].")
            if len(problems) >= _MOST_PROBLEMS:
                break
            key = found.get("number") or tuple(found.get(name) for name in _KEY)
            groups.setdefault(key, []).append({**found, "row": at})
        if problems:
            raise InvalidRecordError(problems[:_MOST_PROBLEMS])
        return [_bill(lines) for lines in groups.values()]

    def _headers(self, row: Collection[str], problems: list[Problem]) -> Mapping[str, str]:
        """Return the headers by fields, and note those that the table does not have."""
        if not self.columns:
            found = {name: name for name in _FIELDS if name in row}
            problems += _missing({*found, *self.constants})
            return found
        for header in self.columns.values():
            if header not in row:
                said, met = "is no column of the table", shown(", ".join(map(str, row)))
                problems.append(
                    Problem(f"column {header}", "missing", said, met, "one such column")
                )
        return self.columns

    def _read(
        self,
        row: Mapping[str, Any],
        headers: Mapping[str, str],
        path: str,
        problems: list[Problem],
    ) -> _Fields:
        """Return the fields of a row, and note what is wrong with them."""
        found: _Fields = {}
        for name, header in headers.items():
            cell = row.get(header)
            if is_absent(cell):
                continue
            try:
                is_rate = name == "tax_rate"
                found[name] = self._notation.read(_FIELDS[name], cell, is_rate=is_rate)
            except InvalidInputError as error:
                problems += error.under(f"{path}.{header}").problems
        return found


def _is_delimiter(mark: object) -> bool:
    return isinstance(mark, str) and len(mark) == 1 and mark not in '"\r\n\0 '


def _missing(names: Collection[str], path: str = "") -> Iterator[Problem]:
    for name in _REQUIRED:
        if name not in names:
            said = "is required, and no column or constant has it"
            yield Problem(f"{path}{name}", "missing", said, "nothing", "a column, or a constant")


def _bill(rows: Sequence[_Fields]) -> _Fields:
    """Return the data of a bill, as JSON has them."""
    # Rows of one number may contradict each other in these as well.
    lease_id, due_date, currency = (_one(rows, name) for name in _KEY)
    stated = {name: _one(rows, name) for name in _FIELDS if name.startswith("bill_")}

    def money(amount: Decimal) -> _Fields:
        return {"amount": amount, "currency": currency}

    subtotal = stated["bill_subtotal"]
    if subtotal is None:
        subtotal = sum((row["net_price"] for row in rows), Decimal(0))
    totals = [*_vat_totals(rows, stated)]
    total = stated["bill_total"]
    if total is None:
        tax = stated["bill_vat"]
        total = subtotal + (sum(each for _, each in totals) if tax is None else tax)
    bill: _Fields = {
        "leaseId": lease_id,
        "dueDate": due_date.isoformat(),
        "pendingBillLineItems": [_line(row, money) for row in rows],
        "subtotal": money(subtotal),
        "vatTotals": [{"vat": vat, "amount": money(tax)} for vat, tax in totals],
        "total": money(total),
    }
    if "number" in rows[0]:
        bill["number"] = rows[0]["number"]
    if stated["bill_payable"] is not None:
        bill["payable"] = money(stated["bill_payable"])
    return bill


def _one(rows: Sequence[_Fields], name: str) -> Any:  # noqa: ANN401 - of the field's kind
    """Return what the rows of a bill state of it, all the same."""
    values = {row[name] for row in rows if name in row}
    if len(values) > 1:
        said, expected = "differs within a bill", "the same on all rows of the bill"
        met = ", ".join(map(str, sorted(values)))
        path = f"rows[{rows[0]['row']}].{name}"
        raise InvalidRecordError.of(path, "contradiction", said, met, expected)
    return values.pop() if values else None


def _line(row: _Fields, money: Any) -> _Fields:  # noqa: ANN401 - of the bill's currency
    inclusive = str(row.get("tax_mode", "")).lower() == "inclusive"
    unit, net = row.get("unit_net_price"), row["net_price"]
    if unit is None and row["quantity"] == 1:
        unit = net
    amount = row.get("amount", None if inclusive else unit)
    if unit is None and not inclusive:
        unit = amount
    if amount is None or unit is None:
        name = "amount" if amount is None else "unit_net_price"
        said, expected = "is required", "the price of one unit"
        raise InvalidRecordError.of(f"rows[{row['row']}].{name}", "missing", said, None, expected)
    days = f"{row['period_start'].isoformat()}/{row['period_end'].isoformat()}"
    line = {
        "productKey": row["product_key"],
        "itemId": row.get("item_id"),
        "description": row.get("description"),
        "amount": money(amount),
        "quantity": row["quantity"],
        "unitNetPrice": money(unit),
        "netPrice": money(net),
        "vat": _vat(row),
        "accountingPeriod": days,
    }
    return {name: value for name, value in line.items() if value is not None}


def _vat(row: _Fields) -> _Fields:
    rate = row.get("tax_rate")
    mode = row.get("tax_mode")
    if mode is None:
        # A rate says that there is VAT on top: nets are stated as well.
        mode = "Exclusive" if rate else "Exempt"
    return {"taxMode": mode} if rate is None else {"taxMode": mode, "taxRate": rate}


def _vat_totals(
    rows: Sequence[_Fields], stated: Mapping[str, Decimal | None]
) -> Iterator[tuple[_Fields, Decimal]]:
    """Give the VAT of each mode and rate: of the bill, of the lines, or else computed (A106)."""
    groups: dict[tuple[str, Decimal | None], list[_Fields]] = {}
    for row in rows:
        vat = _vat(row)
        rate = vat.get("taxRate")
        groups.setdefault((vat["taxMode"], rate), []).append(row)
    charged = [key for key in groups if key[1] and key[0].title() in TAXED]
    # What the bill states belongs to the one rate that is charged, or to the one group.
    takers = charged or [*groups]
    for (mode, rate), own in groups.items():
        vat = {"taxMode": mode} if rate is None else {"taxMode": mode, "taxRate": rate}
        of_bill = stated["bill_vat"] if takers == [(mode, rate)] else None
        of_lines = sum((row.get("vat", Decimal(0)) for row in own), Decimal(0))
        has_lines = all("vat" in row for row in own)
        due = Decimal(0)
        if rate is not None and (mode, rate) in charged:
            due = sum((row["net_price"] for row in own), Decimal(0)) * rate
        if of_bill is not None and not (has_lines and _is_wrong(of_lines, due, own)):
            yield vat, of_bill
        elif has_lines:
            yield vat, of_lines
        else:
            yield vat, rounded(due, minor_units(own[0]["currency"])) if due else due


def _is_wrong(of_lines: Decimal, due: Decimal, rows: Sequence[_Fields]) -> bool:
    """Return whether the VAT of lines is off by more than rounding each of them explains."""
    unit = Decimal(1).scaleb(-minor_units(rows[0]["currency"]))
    return abs(of_lines - due) > unit * len(rows)
