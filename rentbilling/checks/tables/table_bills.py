"""Bill tables: bills that others made as rows, one for each line, become data of bills to check.

Laws: which column is which field is said and never guessed; a cell that cannot be read is refused
with its row; what the rows state is passed on as it is, also where it is wrong.
"""

import csv
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, groupby
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from rentbilling.checks.finding import CheckResult, Finding
from rentbilling.checks.tables.table_vat import Fields, refuse_repeated_vat, row_vat, vat_totals
from rentbilling.codec import FULL_COLUMNS
from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    Problem,
    UnsupportedCaseError,
    refuse_file_name,
    shown,
)
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.tables import Notation, delimiter_problems, is_absent, names_totals
from rentbilling.values import minor_units, rounded

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
_FORMAT: Final = ("date", "decimal", "thousands", "currency_sign", "delimiter")
_KEY: Final = ("lease_id", "due_date", "currency")
_MOST_PROBLEMS: Final = 100
_MOST_UNREADABLE: Final = 1_000
_MOST_ROWS: Final = 1_000_000
_CSV_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_DELIMITERS: Final = (";", "\t", "|", ",")
_NAMES: Final = ("number", "lease_id")
"""What says which bill a row belongs to."""
_TOTALS: Final = "names a row of totals, and no bill"
_NO_TOTALS: Final = "a row of a bill, with its number or lease; totals are no rows"
_SURE_DIGITS: Final = 15
"""Decimal digits that every binary number preserves, and a spreadsheet shows."""

Rows = Any
"""Mappings of cells by headers, a frame of pandas or Polars, or an Arrow table."""
_Cells = tuple[str, Mapping[str, Any] | Problem]
"""What a row is called, and its cells, or why it has none."""


class UnreadableBill(NamedTuple):
    """A bill of a table of which something cannot be read."""

    lease_id: str | None
    number: str | None
    problems: tuple[Problem, ...]
    """Each with its row."""

    def findings(self) -> CheckResult:
        """Return the problems as errors that a check found."""
        return CheckResult(
            Finding(each.code, "error", *each[:1], *each[2:], "A106") for each in self.problems
        )


class TableBills(NamedTuple):
    """What a table has of bills."""

    bills: list[dict[str, Any]]
    """Data for `check_bill` and `compare_bills`."""
    unreadable: list[UnreadableBill]


class _Row(NamedTuple):
    place: str
    fields: Fields
    problems: list[Problem]
    wrong: set[str]
    """Fields whose cells cannot be read."""

    def key(self) -> "_Key | None":
        """Return what is the same on the rows of a bill, None where it cannot be read."""
        names = _KEY if self.fields.get("number") is None else ("number",)
        if not self.wrong.isdisjoint(("number", *names)):
            return None
        return tuple((name, self.fields.get(name)) for name in names)

    def may_be_of(self, key: "_Key") -> bool:
        """Return whether the row may belong to a bill."""
        return all(name in self.wrong or self.fields.get(name) == value for name, value in key)

    def unreadable(self, problems: Iterable[Problem]) -> UnreadableBill:
        """Return the bill of the row, which cannot be read."""
        lease_id, number = self.fields.get("lease_id"), self.fields.get("number")
        return UnreadableBill(lease_id, number, tuple(problems))


_Key = tuple[tuple[str, Any], ...]
"""Names and values of the fields by which rows are a bill."""


@dataclass(frozen=True)
class BillTable:
    """Which columns of a table have the fields of bills; a row is a line, or a bill of one line.

    The fields are the columns that `rentbilling bills --format csv --full` writes, with `number` of
    a bill and `vat` of a line. What a vendor states of the whole bill on each of its rows is
    `bill_subtotal`, `bill_vat`, `bill_total` or `bill_payable`; `vat` is that of the row alone.
    Rows of one `number` are a bill, else those of one lease, due date and currency. Sums that the
    rows do not state are those of their lines (A106). A binary number is the figure of 15 digits
    that a spreadsheet shows, if its currency has the decimals (A116).

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
    currency_sign: str = ""
    """What may be before or behind a number, such as `$`; it says no currency."""
    delimiter: str = ","
    """Of CSV."""

    def __post_init__(self) -> None:
        """Refuse what is no field, and fields that are missing in every row."""
        problems = [*self._notation.problems(), *delimiter_problems(self.delimiter)]
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
        refuse_file_name(text, "TOML")
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
        sign = self.currency_sign
        return Notation(self.date, self.decimal, self.thousands, currency_sign=sign)

    def bills_of_csv(self, text: str, *, policy: BillingPolicy | None = None) -> list[Fields]:
        """Return the bills of a CSV text with a line of headers, as `bills` does.

        Raises:
            InvalidInputError: A line has other fields than the headers, or as `bills`.
        """
        return _all_of(self.read_csv(text, policy=policy))

    def bills(self, rows: Rows, *, policy: BillingPolicy | None = None) -> list[Fields]:
        """Return the data of the bills of rows, which `check_bill` and `compare_bills` take.

        Each has its `leaseId` and `number` where the table has them.

        Args:
            rows: Mappings of cells by headers, a frame of pandas or Polars, or an Arrow table.
            policy: Its private `currencies` may be those of bills.

        Raises:
            InvalidInputError: A column is missing or unknown, a cell cannot be read, or rows of a
                bill state different sums; every problem with its row.
            UnsupportedCaseError: There are more than a million rows.
        """
        return _all_of(self.read(rows, policy=policy))

    def read_csv(self, text: str, *, policy: BillingPolicy | None = None) -> TableBills:
        """Return the bills of a CSV text that can be read, and those that cannot, as `read`.

        Raises:
            InvalidInputError: The text is no CSV, or as `read`.
        """
        refuse_file_name(text, "CSV")
        lines = _CSV_LINE.findall(text.removeprefix("\ufeff"))
        reader = csv.reader(lines, delimiter=self.delimiter, strict=True)
        rows: list[_Cells] = []
        try:
            head = next((cells for cells in reader if cells), [])
            if len(set(head)) < len(head):
                said, expected = "has a header twice", "each header once"
                raise InvalidRecordError.of("line 1", "duplicate_column", said, head, expected)
            headers = self._headers_of_csv(head)
            for cells in filter(None, reader):
                place = f"line {reader.line_num}"
                _refuse_more(len(rows))
                if len(cells) == len(head):
                    rows.append((place, dict(zip(head, cells, strict=True))))
                else:
                    said, expected = "has another number of fields", f"{len(head)} fields"
                    rows.append(
                        (place, Problem(place, "wrong_fields", said, str(len(cells)), expected))
                    )
        except csv.Error as error:
            path, expected = f"line {reader.line_num}", "CSV as RFC 4180 has it"
            raise InvalidRecordError.of(
                path, "unreadable", f"cannot be read: {error}", text[:20], expected
            ) from None
        return self._bills(rows, headers, policy)

    def read(
        self,
        rows: Rows,
        *,
        policy: BillingPolicy | None = None,
        places: Sequence[str] | None = None,
    ) -> TableBills:
        """Return the bills of rows that can be read, and those that cannot, with their problems.

        A bill is unreadable if a row of it is. If a row does not show which bill it belongs to,
        the bills that it may belong to are unreadable as well: those above and below it, or any
        where the rows of a bill do not follow each other (A117).

        Args:
            rows: As `bills` takes them.
            policy: As `bills` takes it.
            places: What problems call each row; `rows[0]` and so on by default.

        Raises:
            InvalidInputError: A column is missing or unknown, a constant cannot be read, or there
                are more than 1,000 unreadable rows.
            UnsupportedCaseError: There are more than a million rows.
        """
        given: list[_Cells] = []
        names: dict[str, None] = {}
        for at, row in enumerate(_rows_of(rows)):
            place = f"rows[{at}]" if places is None else places[at]
            if not isinstance(row, Mapping):
                said, expected = "is no row", "a mapping of cells by headers"
                raise InvalidRecordError.of(place, "not_an_object", said, row, expected)
            _refuse_more(at)
            names.update(dict.fromkeys(row))
            given.append((place, row))
        return self._bills(given, self._headers(names) if given else {}, policy)

    def _headers_of_csv(self, head: Sequence[str]) -> Mapping[str, str]:
        """Return the headers by fields; refuse a table that another delimiter divides."""
        try:
            return self._headers(head)
        except InvalidRecordError:
            mark = max(_DELIMITERS, key="".join(head).count)
            if len(head) != 1 or mark not in head[0]:
                raise
        said, seems = f"the delimiter seems to be {shown(mark)}", f"delimiter = {shown(mark)}"
        expected = f"{seems} of the BillTable, or below [format]"
        raise InvalidRecordError.of("line 1", "unreadable", said, self.delimiter, expected)

    def _headers(self, row: Collection[str]) -> Mapping[str, str]:
        """Return the headers by fields; refuse a table without some, or with others unmapped."""
        if not self.columns:
            found: Mapping[str, str] = {name: name for name in _FIELDS if name in row}
            if row and not found:
                said, met = "has no column with the name of a field", ", ".join(map(str, row))
                expected = 'a mapping, such as net_price = "Amount" below [bill] of --map'
                raise InvalidRecordError.of("columns", "unknown_field", said, met, expected)
            problems = [*_missing({*found, *self.constants})]
            expected = f"a mapping, or one of {', '.join(_FIELDS)}"
            problems += (
                Problem(f"column {name}", "unknown_field", "is no field", shown(name), expected)
                for name in row
                if name is not None and name not in _FIELDS and name not in FULL_COLUMNS
            )
        else:
            found, said, met = self.columns, "is no column of the table", ", ".join(map(str, row))
            problems = [
                Problem(f"column {header}", "missing", said, shown(met), "one such column")
                for header in found.values()
                if header not in row
            ]
        if problems:
            raise InvalidRecordError(problems)
        return found

    def _bills(
        self, given: Iterable[_Cells], headers: Mapping[str, str], policy: BillingPolicy | None
    ) -> TableBills:
        rules = policy_of(policy)
        currencies = rules.currencies
        same = {name: name for name in self.constants}
        fixed = self._row("constants", self.constants, same, {}, currencies)
        if fixed.problems:
            raise InvalidRecordError(fixed.problems)
        constants = {**_DEFAULTS, **fixed.fields}
        rows: list[_Row] = []
        wrong: list[Problem] = []
        given = [*given]
        amounts = [header for name, header in headers.items() if _FIELDS[name] == "money"]
        are_sure = self._notation.has_decimals(
            cells.get(header)
            for _, cells in given
            if not isinstance(cells, Problem)
            for header in amounts
        )
        for place, cells in given:
            if isinstance(cells, Problem):
                rows.append(_Row(place, dict(constants), [cells], set(_FIELDS)))
            else:
                rows.append(
                    self._row(place, cells, headers, constants, currencies, are_sure=are_sure)
                )
            wrong += rows[-1].problems[:1]
            if len(wrong) > _MOST_UNREADABLE:
                raise InvalidRecordError(wrong[:_MOST_PROBLEMS])
        if self.columns:
            _refuse_nameless(rows)
        return _grouped(rows, rules)

    def _row(
        self,
        place: str,
        cells: Mapping[str, Any],
        headers: Mapping[str, str],
        constants: Fields,
        currencies: Mapping[str, int],
        *,
        are_sure: bool = True,
    ) -> _Row:
        """Return the fields of a row, with what is wrong with them."""
        row = _Row(place, dict(constants), [], set())
        # The currency first, because it says how many decimals are certain.
        for name, header in sorted(headers.items(), key=lambda each: each[0] != "currency"):
            cell = cells.get(header)
            if is_absent(cell):
                continue
            kind, near = _FIELDS[name], cell
            try:
                currency = row.fields.get("currency")
                if kind == "money" and isinstance(cell, Real) and currency is not None:
                    near = _nearest(cell, minor_units(currency, currencies))
                value = self._notation.read(kind, near, is_rate=name == "tax_rate")
                if kind == "money" and not are_sure and currency is not None:
                    self._notation.refuse_thousands(cell, minor_units(currency, currencies))
                if kind == "text" and not isinstance(value, str):
                    raise InvalidRecordError.of("", "not_a_text", "is not a text", cell, "a text")
                if name == "currency":
                    minor_units(value, currencies)
                row.fields[name] = value
            except InvalidInputError as error:
                path = f"{place}.{header}"
                row.problems.extend(each._replace(path=path) for each in error.problems)
                row.wrong.add(name)
        if place != "constants":
            absent = [name for name in _REQUIRED if name not in {*row.fields, *row.wrong}]
            row.problems.extend(_missing({*_REQUIRED}.difference(absent), f"{place}."))
            row.wrong.update(absent)
            row.problems.extend(
                Problem(f"{place}.{headers[name]}", "total_row", _TOTALS, shown(met), _NO_TOTALS)
                for name in (*_NAMES, "description")
                if name in headers and names_totals(met := row.fields.get(name))
                if name in _NAMES or not str(met)[:1].isdigit()  # Such as 2 suites.
            )
        return row


def _refuse_nameless(rows: Sequence[_Row]) -> None:
    """Refuse rows without number and lease, where others have one: totals, or lines of a bill."""
    nameless = [row for row in rows if not any(map(row.fields.get, _NAMES))]
    if len(nameless) < len(rows):
        said = "has neither number nor lease, as other rows have"
        for row in nameless:
            if row.wrong.isdisjoint(_NAMES):
                row.problems.append(Problem(row.place, "missing", said, "nothing", _NO_TOTALS))


def _refuse_more(rows: int) -> None:
    if rows == _MOST_ROWS:
        raise UnsupportedCaseError("unsupported", case=f"a table of over {_MOST_ROWS} rows")


def _all_of(found: TableBills) -> list[Fields]:
    """Return all bills of a table; refuse one with unreadable bills."""
    problems = [problem for each in found.unreadable for problem in each.problems]
    if problems:
        raise InvalidRecordError(problems[:_MOST_PROBLEMS])
    return found.bills


def _rows_of(given: Any) -> Iterable[Any]:  # noqa: ANN401 - pandas and Polars may be absent
    """Return rows one by one, of a frame as well."""
    if hasattr(given, "iter_rows"):
        rows: Iterable[Any] = given.iter_rows(named=True)
    elif hasattr(given, "to_pylist"):
        rows = given.to_pylist()
    elif hasattr(given, "to_dict") and not isinstance(given, Mapping):
        rows = given.to_dict("records")
    else:
        rows = given
    return rows


def _nearest(cell: Real, places: int) -> object:
    """Return a number as the nearest figure of a currency, if its digits make that certain."""
    if isinstance(cell, Integral):
        return cell
    near = Decimal(f"{cell:.{_SURE_DIGITS}g}")
    exact = near.is_finite() and -int(near.as_tuple().exponent) <= places
    return near if exact else cell


def _grouped(rows: Sequence[_Row], policy: BillingPolicy) -> TableBills:
    """Return the bills of rows: those of one number, or of one lease, due date and currency."""
    groups: dict[_Key, list[_Row]] = {}
    keys = [row.key() for row in rows]
    for row, key in zip(rows, keys, strict=True):
        if key is not None:
            groups.setdefault(key, []).append(row)
    doubts = _doubts(rows, keys, groups)
    bills, unreadable = list[Fields](), list[UnreadableBill]()
    for key, own in groups.items():
        problems = [*(problem for row in own for problem in row.problems), *doubts.get(key, ())]
        if not problems:
            try:
                bills.append(_bill(own, policy))
                continue
            except InvalidInputError as error:
                problems += error.problems
        unreadable.append(own[0].unreadable(problems))
    lost = (row for row, key in zip(rows, keys, strict=True) if key is None)
    return TableBills(bills, [*(row.unreadable(row.problems) for row in lost), *unreadable])


def _doubts(
    rows: Sequence[_Row], keys: Sequence[_Key | None], groups: Collection[_Key]
) -> Mapping[_Key, Sequence[Problem]]:
    """Return the bills that a row may belong to which does not show its bill, with a problem."""
    doubts: dict[_Key, list[Problem]] = {}
    are_together = len([*groupby(filter(None, keys))]) == len(groups)
    # The keys of the nearest rows above and below that have one.
    above = [*accumulate(keys, _latest)]
    below = [*accumulate(reversed(keys), _latest)][::-1]
    said, expected = "may belong to this bill, and cannot be read", "a row that can be read"
    for at, row in enumerate(rows):
        if keys[at] is None:
            near = {above[at], below[at]} if are_together else groups
            problem = Problem(row.place, "may_be_incomplete", said, row.problems[0].met, expected)
            for key in near:
                if key is not None and row.may_be_of(key):
                    doubts.setdefault(key, []).append(problem)
    return doubts


def _latest(last: _Key | None, key: _Key | None) -> _Key | None:
    return last if key is None else key


def _missing(names: Collection[str], path: str = "") -> Iterator[Problem]:
    for name in _REQUIRED:
        if name not in names:
            said = "is required, and no column or constant has it"
            yield Problem(f"{path}{name}", "missing", said, "nothing", "a column, or a constant")


def _bill(rows: Sequence[_Row], policy: BillingPolicy) -> Fields:
    """Return the data of a bill, as JSON has them."""
    # Rows of one number may contradict each other in these as well.
    lease_id, due_date, currency = (_one(rows, name) for name in _KEY)
    stated = {name: _one(rows, name) for name in _FIELDS if name.startswith("bill_")}
    lines = [row.fields for row in rows]

    def money(amount: Decimal) -> Fields:
        return {"amount": amount, "currency": currency}

    subtotal = stated["bill_subtotal"]
    if subtotal is None:
        subtotal = sum((line["net_price"] for line in lines), Decimal(0))
    places = minor_units(currency, policy.currencies)
    refuse_repeated_vat(lines, rows[0].place, subtotal, stated["bill_total"], places, policy)
    totals = [*vat_totals(lines, stated["bill_vat"], places, policy)]
    total, tax = stated["bill_total"], stated["bill_vat"]
    if total is None:
        total = subtotal + (sum(each for _, each in totals) if tax is None else tax)
    bill: Fields = {
        "leaseId": lease_id,
        "dueDate": due_date.isoformat(),
        "pendingBillLineItems": [_line(row, money) for row in rows],
        "subtotal": money(subtotal),
        "vatTotals": [{"vat": vat, "amount": money(each)} for vat, each in totals],
        "total": money(total),
    }
    if "number" in lines[0]:
        bill["number"] = lines[0]["number"]
    step = policy.cash_rounding.get(currency)
    if step is not None:
        if stated["bill_payable"] is None:
            steps = rounded(Fraction(total) / Fraction(step), 0, policy.rounding)
            stated["bill_payable"] = steps * step
        bill["cashRounding"] = money(stated["bill_payable"] - total)
    for name, field_name in (("bill_vat", "taxSum"), ("bill_payable", "payable")):
        if stated[name] is not None:
            bill[field_name] = money(stated[name])
    return bill


def _one(rows: Sequence[_Row], name: str) -> Any:  # noqa: ANN401 - of the field's kind
    """Return what the rows of a bill state of it, all the same."""
    values = {row.fields[name] for row in rows if name in row.fields}
    if len(values) > 1:
        said, expected = "differs within a bill", "the same on all rows of the bill"
        met, path = ", ".join(map(str, sorted(values))), f"{rows[0].place}.{name}"
        raise InvalidRecordError.of(path, "contradiction", said, met, expected)
    return values.pop() if values else None


def _line(of: _Row, money: Any) -> Fields:  # noqa: ANN401 - of the bill's currency
    row = of.fields
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
        raise InvalidRecordError.of(f"{of.place}.{name}", "missing", said, None, expected)
    days = f"{row['period_start'].isoformat()}/{row['period_end'].isoformat()}"
    line = {
        "productKey": row["product_key"],
        "itemId": row.get("item_id"),
        "description": row.get("description"),
        "amount": money(amount),
        "quantity": row["quantity"],
        "unitNetPrice": money(unit),
        "netPrice": money(net),
        "vat": row_vat(row),
        "accountingPeriod": days,
    }
    return {name: value for name, value in line.items() if value is not None}
