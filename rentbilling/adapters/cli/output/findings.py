"""Findings and differences: their fields for JSON, and how they read for people.

People read fields as words, figures and days as in tables.

Laws: a field that no word is written for reads as its own name, its words apart; what is no figure
and no day, such as a name, stays as it is.
"""

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from rentbilling.billing import PendingBill
from rentbilling.checks import Difference, DifferenceGroup, Finding, category_of
from rentbilling.errors import printable
from rentbilling.layout import figure, period_words, short_day
from rentbilling.records import wire_name
from rentbilling.values import CURRENCIES, Amount, Period

_LINES: Final = "pendingBillLineItems"
_TOTALS: Final = "vatTotals"
_WORDS: Final = MappingProxyType(
    {
        _LINES: "list of lines",
        _TOTALS: "list of VAT totals",
        "productKey": "product",
        "unitNetPrice": "unit price without VAT",
        "vat": "VAT",
    }
)
_FIGURE: Final = re.compile(r"(-?[0-9]+(?:[.][0-9]+)?)(?: ([A-Z]{3}))?(, [0-9]+ lines?)?")
_DAY: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_DAYS: Final = re.compile(rf"(?<![^ ])({_DAY})(/{_DAY})?$")
_ROW: Final = re.compile(r"((?:line|row) [0-9]+)(?:[.](.*))?")
_PLACE: Final = re.compile(rf"({_LINES}|{_TOTALS})\[([0-9]+)\]")


def fields_of(found: NamedTuple) -> dict[str, Any]:
    """Return the fields of a finding or a difference as data for JSON."""
    return {wire_name(name): plain(value) for name, value in found._asdict().items()}


def plain(value: Amount | date | str | None) -> dict[str, Any] | str | None:
    """Return the value of a field as data for JSON."""
    if isinstance(value, Amount):
        return {"currency": value.currency, "amount": value.amount}
    return value.isoformat() if isinstance(value, date) else value


def field_words(path: str, bill: PendingBill | None, dash: str = "–") -> str:
    """Return where something was found, in words.

    Examples:
        >>> for path in ("pendingBillLineItems[0].netPrice", "vatTotals[1].amount", "cashRounding"):
        ...     print(field_words(path, None))
        net price of line 1
        amount of VAT total 2
        cash rounding
        >>> field_words("row 7.Netto", None)
        'Netto in row 7 of the table'
    """
    if row := _ROW.fullmatch(path):
        return " in ".join(filter(None, (row[2], f"{row[1]} of the table")))
    first, *rest = path.split(".")
    place = _PLACE.fullmatch(first)
    if place is None:
        return _joined([first, *rest])
    at = int(place[2])
    if place[1] == _TOTALS:
        return _of_total(at, rest, bill)
    whole = _line_words(at, bill, dash)
    if not rest:
        return whole
    # The price of one unit is called an amount, and is one.
    names = _joined(rest[1:]), "price" if rest[0] == "amount" else _word(rest[0])
    return " of ".join([*filter(None, names), whole])


def with_lines_in_words(message: str) -> str:
    """Return a message in which lines and VAT totals have their numbers in place of their paths.

    Examples:
        >>> with_lines_in_words("repeats pendingBillLineItems[0]")
        'repeats line 1'
    """

    def number(place: re.Match[str]) -> str:
        return f"{'line' if place[1] == _LINES else 'VAT total'} {int(place[2]) + 1}"

    return _PLACE.sub(number, message)


def value_words(text: str, dash: str = "–") -> str:
    """Return a value of a finding or a difference as a table shows it.

    Examples:
        >>> for text in ("8400.0 DKK", "10125.00 DKK, 3 lines", "2026-03-01", "key:2026"):
        ...     print(value_words(text))
        8,400.00 DKK
        10,125.00 DKK, 3 lines
        1 Mar 2026
        key:2026
    """
    if found := _FIGURE.fullmatch(text):
        number, currency, rest = Decimal(found[1]), found[2], found[3] or ""
        places = CURRENCIES.get(currency, 0)
        if -int(number.as_tuple().exponent) < places:
            number = number.quantize(Decimal((0, (1,), -places)))
        return f"{figure(number)}{f' {currency}' if currency else ''}{rest}"
    return _in_words(text, dash)


def finding_words(finding: Finding, bill: PendingBill | None, dash: str = "–") -> str:
    """Return a finding as a sentence."""
    field, said = field_words(finding.path, bill, dash), with_lines_in_words(finding.message)
    met, right = (value_words(each, dash) for each in (finding.met, finding.expected))
    return f"{field} {said}: met {met}, expected {right}"


def difference_words(difference: Difference, dash: str = "–") -> str:
    """Return a difference as a sentence without its day."""
    words = difference._replace(
        label=_in_words(difference.label, dash),
        expected=value_words(difference.expected, dash),
        actual=value_words(difference.actual, dash),
    )
    return _grouped(words.sentence(), difference)


def following_words(group: DifferenceGroup, dash: str = "–") -> str:
    """Return what follows from the causes of a bill's differences."""
    labels = [each._replace(label=_in_words(each.label, dash)) for each in group.consequences]
    following = group._replace(consequences=tuple(labels)).following()
    return _grouped(following, group.consequences[-1])


def _grouped(sentence: str, difference: Difference) -> str:
    """Return a sentence in which the size of a difference has its thousands apart."""
    if difference.by is None:
        return sentence
    size = abs(difference.by.amount)
    return sentence.replace(f" is {size:f} ", f" is {figure(size)} ")


def _in_words(text: str, dash: str) -> str:
    """Return a text whose end is a period or a day with it in words."""
    found = _DAYS.search(text)
    if found is None:
        return text
    try:
        if found[2]:
            words = period_words(Period.parse(found[1] + found[2]), dash)
        else:
            words = short_day(date.fromisoformat(found[1]))
    except ValueError:
        return text
    return text[: found.start()] + words


def _of_total(at: int, rest: list[str], bill: PendingBill | None) -> str:
    if bill is None:
        return " of ".join(filter(None, [_joined(rest), f"VAT total {at + 1}"]))
    category = category_of(bill.vat_totals[at].vat)
    match rest:
        case ["amount"]:
            return f"VAT of {category}"
        case [] | ["vat"]:
            return f"VAT total of {category}"
        case _:
            return f"{_joined(rest)} of the VAT total of {category}"


def _line_words(at: int, bill: PendingBill | None, dash: str) -> str:
    """Return a line by its number, and what it is for where that is known."""
    if bill is None:
        return f"line {at + 1}"
    line = bill.pending_bill_line_items[at]
    period = period_words(line.accounting_period, dash)
    return f"line {at + 1} ({printable(line.product_key)}, {period})"


def _joined(names: Iterable[str]) -> str:
    """Return names of fields as words, the innermost first."""
    return " of ".join(map(_word, reversed([*names])))


def _word(name: str) -> str:
    return _WORDS.get(name) or re.sub(r"(?<=[a-z])[A-Z]", lambda each: f" {each[0]}", name).lower()
