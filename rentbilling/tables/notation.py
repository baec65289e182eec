"""Notation: how dates and numbers are written in the cells of a table.

Laws: one notation for a whole table, which is said and never guessed; a text in another notation is
refused with the one that reads it; values that are no texts are read as everywhere else.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from itertools import product
from numbers import Real
from types import MappingProxyType
from typing import Any, Final

from rentbilling.errors import (
    InvalidInputError,
    InvalidPeriodError,
    InvalidRecordError,
    Problem,
    shown,
)
from rentbilling.values import number, parse_date

_DATE_PARTS: Final = re.compile(r"YYYY|DD?|MM?|[^A-Za-z0-9]")
_DIGITS: Final = MappingProxyType({"YYYY": 4, "DD": 2, "MM": 2, "D": 1, "M": 1})
KNOWN_DATES: Final = (
    *("YYYY-MM-DD", "D-M-YYYY", "D.M.YYYY", "YYYYMMDD", "YYYY/M/D", "YYYY.M.D"),
    *("D/M/YYYY", "M/D/YYYY"),
)
"""Forms of dates that a refusal looks for."""
KNOWN_NUMBERS: Final = tuple(
    (decimal, mark) for decimal, mark in product(",.", ("", *".,' ")) if decimal != mark
)
"""Marks of decimals and between thousands that a refusal looks for."""
_GROUPED: Final = re.compile(r"[^0-9]*[1-9][0-9]{0,2}[.,][0-9]{3}[^0-9]*")
"""A number with one mark, which may be between thousands or before decimals."""
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,15}")
_APART: Final = re.compile("[^0-9+-]")
"""What is between thousands."""
_SPACES: Final = " \u00a0\u202f"
"""Blanks between thousands: a plain one, and the two that do not break a line."""
_HUNDRED: Final = 100
_RATES: Final = ("fraction", "percent")
_MIDNIGHT: Final = re.compile(r"[T ]+0?0:00(:00(\.0+)?)?$")
"""A time that databases and spreadsheets write behind a day."""
_SIGN: Final = r"(?:[^\W\d]*[$€£¥₹₺₩₽₫₪฿]|[^\W\d]+\.?)"
_AROUND: Final = re.compile(rf"^{_SIGN}\s*|\s*{_SIGN}$")
"""The currency of an amount, before or behind it."""
TOTALS: Final = (
    r"(?:(?:sub|grand)[\s-]*)?"
    r"(?:totals?|summe|gesamt(?:summe)?|sum|summa|i alt|totaal|totalt|somme|totale)"
)
"""What rows of totals are called."""
_NO_LEASE: Final = re.compile(
    rf"\W*{TOTALS}\W*(?:[0-9]+\s*)?|[0-9]+ (?:units?|leases?|tenants?|suites?|rows?)\W*",
    re.IGNORECASE,
)
"""An id that is a word of totals, or a count; not one that only begins so, such as a firm's."""
_SHORT_YEAR: Final = r"[0-9]{1,2}([./ -])[0-9]{1,2}\1[0-9]{2}"
_UNREAD_DAYS: Final = MappingProxyType(
    {
        _SHORT_YEAR: "years of two digits are not read: write all four",
        r"(?=.*[0-9]).*[^\W\d_]{3}.*": "names of months are not read: write their numbers",
        "[0-9]{5}": "serial numbers of a spreadsheet are not read: format the column as dates",
    }
)
"""Why usual forms of dates are not read."""


Day = date
"""A day; `date` is the form of one in a notation."""


@dataclass(frozen=True)
class Notation:
    """How dates and numbers are written.

    Examples:
        >>> danish = Notation("DD-MM-YYYY", ",", ".")
        >>> danish.read("day", "15-01-2026"), danish.read("money", "8.500,00")
        (datetime.date(2026, 1, 15), Decimal('8500.00'))
        >>> danish.read("money", "8,500.00")
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: is not a number of this notation (met '8,500.00'; \
expected a number such as 8.500,00; decimal = ".", thousands = "," reads this one)
    """

    date: str = "YYYY-MM-DD"
    decimal: str = "."
    thousands: str = ""
    rates: str = "fraction"
    """Whether 25 of a rate is 25 times the price, or a percentage: `fraction` or `percent`."""
    currency_sign: str = ""
    """What may be before or behind a number, such as `$`; it says no currency."""

    def problems(self) -> Iterator[Problem]:
        """Give what is wrong with the notation itself."""
        if not isinstance(self.date, str) or _date_pattern(self.date) is None:
            said = "is no form of a date"
            expected = "such as DD-MM-YYYY, D.M.YYYY or YYYY-MM-DD, with years of four digits"
            yield Problem("date", "wrong_value", said, shown(self.date), expected)
        if not _is_mark(self.decimal):
            said, expected = "is no decimal point", ". or ,"
            yield Problem("decimal", "wrong_value", said, shown(self.decimal), expected)
        if self.thousands != "" and (
            not _is_mark(self.thousands) or self.thousands == self.decimal
        ):
            said = "is no mark between thousands"
            expected = "one character other than the decimal point, or an empty text for none"
            yield Problem("thousands", "wrong_value", said, shown(self.thousands), expected)

        if self.rates not in _RATES:
            said, expected = "is no way to write rates", "fraction (0.25) or percent (25)"
            yield Problem("rates", "wrong_value", said, shown(self.rates), expected)
        sign = self.currency_sign
        if not isinstance(sign, str) or sign.strip() != sign or re.search(r"[-+()%0-9]", sign):
            said, expected = "is no sign of a currency", "such as $ or kr."
            yield Problem("currency_sign", "wrong_value", said, shown(sign), expected)

    def read(self, word: str, cell: Any, *, is_rate: bool = False) -> Any:  # noqa: ANN401
        """Return the value of a cell for a kind of field; what other readers refuse, as it is.

        Args:
            word: The kind, as `Shape` names it.
            cell: A text, or a value of Python, NumPy or pandas.
            is_rate: Whether `25 %` is 0.25, and 25 too where rates are percentages.

        Raises:
            InvalidInputError: It is no such value in this notation.
        """
        if word in ("money", "number"):
            return self._number(cell, is_rate=is_rate)
        if word == "day":
            return self._day(cell)
        if word == "whole":
            plain = cell.strip() if isinstance(cell, str) else cell
            if isinstance(plain, str):
                return int(plain) if _WHOLE.fullmatch(plain) else plain
            return plain if (exact := _whole(plain)) is None else exact
        if word == "flag":
            return {"true": True, "false": False}.get(cell, cell) if isinstance(cell, str) else cell
        return _text(cell) if word == "text" else cell

    def _number(self, cell: Any, *, is_rate: bool) -> Decimal:  # noqa: ANN401
        """Return a number; a binary one as the decimal that it prints as (A1)."""
        are_percent = is_rate and self.rates == "percent"
        if not isinstance(cell, str):
            return number(cell) / _HUNDRED if are_percent else number(cell)
        found = _read_number(self._without_sign(cell), self.decimal, self.thousands)
        if found is None:
            said = "is not a number of this notation"
            expected = f"a number such as 8{self.thousands}500{self.decimal}00"
            near = _other_notation(cell)
            if not near and _other_notation(plain := without_currency(cell)):
                sign = shown(cell.replace(plain, "").strip()).replace("'", '"')
                near = (
                    f": {plain} alone, or with currency_sign = {sign};"
                    " its currency is a column or constant of its own"
                )
            raise InvalidRecordError.of("", "not_a_number", said, cell, expected + near)
        exact, is_percent = found
        if is_percent and not is_rate:
            said = "is a percentage, and no rate is read here"
            raise InvalidRecordError.of("", "not_a_number", said, cell, "a number without %")
        return number(exact / _HUNDRED if is_percent or are_percent else exact)

    def has_decimals(self, cells: Iterable[object]) -> bool:
        """Return whether a number of some cells shows that its mark is not between thousands."""
        plain = re.compile(rf"[^0-9]*[0-9]+{re.escape(self.decimal)}[0-9]+[^0-9]*")
        texts = (str(each) for each in cells if not isinstance(each, int))
        return self.thousands != "" or any(
            plain.fullmatch(text) and not _GROUPED.fullmatch(text) for text in texts
        )

    def may_be_thousands(self, cell: object) -> bool:
        """Return whether the mark of a number may be before decimals, or between thousands."""
        return self.thousands == "" and isinstance(cell, str) and bool(_GROUPED.fullmatch(cell))

    def refuse_thousands(self, cell: object, places: int) -> None:
        """Refuse an amount such as 1.400, which has more decimals than its currency (A116).

        Raises:
            InvalidRecordError: It may be 1,400 or 1.4.
        """
        if places < len("000") and self.may_be_thousands(cell):
            other = "," if self.decimal == "." else "."
            said = "may have decimals, or thousands apart"
            expected = (
                f'thousands = "{other}" where these are decimals,'
                f' else decimal = "{other}" and thousands = "{self.decimal}"'
            )
            raise InvalidRecordError.of("", "ambiguous_number", said, cell, expected)

    def _without_sign(self, text: str) -> str:
        """Return a number without the sign of its currency, which may be in brackets with it."""
        if not self.currency_sign:
            return text
        sign = re.escape(self.currency_sign)
        around = rf"^([-+(\u2212]?)\s*{sign}\s*|\s*{sign}\s*([-)\u2212]?)$"
        return re.sub(around, r"\1\2", text.strip(), count=1)

    def _day(self, cell: Any) -> Day:  # noqa: ANN401
        digits = _whole(cell)
        if not isinstance(cell, str) and digits is None:
            return parse_date(cell)
        # A whole number has lost a zero in front.
        text = cell if digits is None else f"{digits:08d}"
        found = _read_date(text, self.date)
        if found is None:
            others = [form for form in KNOWN_DATES if _read_date(text, form)]
            near = "; " + " or ".join(f'date = "{form}"' for form in others) + " reads this one"
            unread = unread_day(str(cell))
            near = near if others else unread and f"; {unread}"
            expected = f"a date as {self.date}{near}"
            raise InvalidPeriodError.of("", "not_a_date", "is not a date", cell, expected)
        return found


def unread_day(text: str) -> str:
    """Return why a date is in no form that can be read, empty where that is not known.

    Examples:
        >>> unread_day("01/15/26"), unread_day("soon")
        ('years of two digits are not read: write all four', '')
    """
    found = (said for form, said in _UNREAD_DAYS.items() if re.fullmatch(form, text.strip()))
    return next(found, "")


def delimiter_problems(mark: object) -> Iterator[Problem]:
    r"""Give what is wrong with the delimiter of a CSV file.

    Examples:
        >>> [*delimiter_problems(";")], [each.met for each in delimiter_problems("\0")]
        ([], ["'\\x00'"])
    """
    if not isinstance(mark, str) or len(mark) != 1 or mark in '"\r\n\0 ':
        said, expected = "is no delimiter", "one character such as ; or a tab"
        yield Problem("delimiter", "wrong_value", said, shown(mark), expected)


def is_absent(cell: object) -> bool:
    """Return whether a cell says nothing: None, NaN, NaT, NA, or a text of blanks.

    Examples:
        >>> [is_absent(each) for each in (None, float("nan"), " ", 0, "0")]
        [True, True, True, False, False]
    """
    if cell is None or type(cell).__name__ in {"NAType", "NaTType"}:
        return True
    if isinstance(cell, str):
        return not cell.strip()
    if isinstance(cell, Decimal):
        return cell.is_nan()
    return isinstance(cell, Real) and cell != cell  # noqa: PLR0124 - NaN alone is unlike itself


def without_currency(text: str) -> str:
    """Return an amount without the currency before or behind it.

    Examples:
        >>> [without_currency(each) for each in ("kr. 8.500", "1,250.00 €", "DKK 5")]
        ['8.500', '1,250.00', '5']
    """
    return _AROUND.sub("", text.strip())


def names_totals(lease_id: str | None) -> bool:
    """Return whether the id of a row, or another of its texts, says that it has totals.

    Examples:
        >>> [names_totals(each) for each in ("Grand Total:", "4 Units", "Total Energies", None)]
        [True, True, False, False]
    """
    return lease_id is not None and _NO_LEASE.fullmatch(lease_id) is not None


def _is_mark(mark: object) -> bool:
    return isinstance(mark, str) and len(mark) == 1 and mark not in "+-%0123456789"


@cache
def _date_pattern(form: str) -> re.Pattern[str] | None:
    parts = _DATE_PARTS.findall(form)
    names = [part[0] for part in parts if part in _DIGITS]
    if "".join(parts) != form or sorted(names) != ["D", "M", "Y"]:
        return None
    if not all(len(part) > 1 for part in parts if part in _DIGITS) and form.isalpha():
        # Without marks between, one digit or two would be a guess.
        return None
    text = ""
    for part in parts:
        digits = _DIGITS.get(part)
        count = "{1,2}" if digits == 1 else f"{{{digits}}}"
        text += re.escape(part) if digits is None else f"(?P<{part[0]}>[0-9]{count})"
    return re.compile(text)


def _read_date(text: str, form: str) -> date | None:
    """Return the date of a text in a form, None where it has another one."""
    pattern = _date_pattern(form)
    plain = _MIDNIGHT.sub("", text.strip())
    found = None if pattern is None else pattern.fullmatch(plain)
    if found is None:
        return None
    try:
        return date(int(found["Y"]), int(found["M"]), int(found["D"]))
    except ValueError:
        return None


@cache
def _number_pattern(decimal: str, thousands: str) -> re.Pattern[str]:
    """Return the pattern of numbers: thousands are in groups of three, or not apart at all."""
    mark = f"[{_SPACES}]" if thousands in _SPACES else re.escape(thousands)
    groups = rf"[0-9]{{1,3}}(?:{mark}[0-9]{{3}})+|" if thousands else ""
    return re.compile(
        rf"([+-]?(?:{groups}[0-9]{{1,40}}))(?:{re.escape(decimal)}([0-9]{{1,40}}))?(\s?%)?"
    )


def _read_number(text: str, decimal: str, thousands: str) -> tuple[Decimal, bool] | None:
    """Return the number of a text and whether it has a percent sign, None where it is none.

    A minus may be behind it, and a negative number in brackets, as ledgers write them.
    """
    plain, sign = text.strip().replace("\u2212", "-"), ""
    if plain.endswith("-") or (plain.startswith("(") and plain.endswith(")")):
        plain, sign = plain.removesuffix("-").removeprefix("(").removesuffix(")").strip(), "-"
    found = _number_pattern(decimal, thousands).fullmatch(plain)
    if found is None or (sign and plain[0] in "+-"):
        return None
    whole, decimals, percent = found.groups()
    plain = sign + (whole if whole.isdecimal() else _APART.sub("", whole))
    return Decimal(f"{plain}.{decimals}" if decimals else plain), percent is not None


def _other_notation(text: str) -> str:
    """Return which notations read a text; one for each number that it could be."""
    found: dict[Decimal, str] = {}
    for decimal, mark in KNOWN_NUMBERS:
        read = _read_number(text, decimal, mark)
        if read is not None:
            apart = f', thousands = "{mark}"' if mark else ""
            found.setdefault(read[0], f'decimal = "{decimal}"{apart}')
    return "; " + " or ".join(found.values()) + " reads this one" if found else ""


def _whole(cell: object) -> int | None:
    """Return a whole number, also a binary one, as frames have them next to empty cells (A7)."""
    try:
        exact = number(cell)
    except InvalidInputError:
        return None
    whole = exact.to_integral_value()
    return int(whole) if exact == whole else None


def _text(cell: object) -> object:
    """Return a text without blanks around it (A142); a whole number, such as an id, as digits."""
    if isinstance(cell, str):
        return cell.strip()
    whole = _whole(cell)
    return cell if whole is None else str(whole)
