"""How dates, periods, amounts and VAT read in a table for people.

Law: the words are the same on every machine: no locale is asked.
"""

from datetime import date
from decimal import Decimal

from rentbilling.errors import printable
from rentbilling.values import (
    CURRENCIES,
    MONTHS,
    WEEKDAYS,
    Amount,
    Notice,
    Period,
    Vat,
    padded,
    percent_words,
)


def day_words(day: date) -> str:
    """Return a date in full.

    Examples:
        >>> day_words(date(2026, 1, 15))
        'Thursday 15 January 2026'
    """
    return f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"


def period_words(period: Period, dash: str = "–") -> str:
    """Return a period with both its ends, saying nothing twice.

    Examples:
        >>> for text in (
        ...     "2026-01-15/2026-01-15",
        ...     "2026-01-15/2026-01-31",
        ...     "2026-01-01/2026-03-31",
        ...     "2025-12-15/2026-01-14",
        ... ):
        ...     print(period_words(Period.parse(text)))
        15 Jan 2026
        15–31 Jan 2026
        1 Jan – 31 Mar 2026
        15 Dec 2025 – 14 Jan 2026
    """
    start, end = period.start, period.end
    if start == end:
        return short_day(end)
    if (start.year, start.month) == (end.year, end.month):
        return f"{start.day}{dash}{short_day(end)}"
    before = short_day(start) if start.year != end.year else f"{start.day} {_month(start)}"
    return f"{before} {dash} {short_day(end)}"


def _month(day: date) -> str:
    return MONTHS[day.month - 1][:3]


def short_day(day: date) -> str:
    """Return a date with a short month.

    Examples:
        >>> short_day(date(2026, 1, 15))
        '15 Jan 2026'
    """
    return f"{day.day} {_month(day)} {day.year}"


def figure(number: Decimal) -> str:
    """Return a number with all its digits, thousands apart.

    Examples:
        >>> figure(Decimal("117877.42"))
        '117,877.42'
    """
    return f"{number:,f}"


def amount_words(amount: Amount) -> str:
    """Return an amount with at least the decimals of its currency.

    Examples:
        >>> amount_words(Amount(8500, "DKK"))
        '8,500.00 DKK'
    """
    number = padded(amount.amount, CURRENCIES.get(amount.currency, 0))
    return f"{figure(number)} {printable(amount.currency)}"


def short_vat(vat: Vat) -> str:
    """Return how a line is taxed, as short as a column needs it.

    Examples:
        >>> short_vat(Vat("Exclusive", Decimal("0.25"))), short_vat(Vat("Exempt"))
        ('25 %', 'exempt')
    """
    match vat.tax_mode:
        case "Exclusive":
            return percent_words(vat.charged_rate)
        case "Inclusive":
            return f"{percent_words(vat.charged_rate)} incl."
        case "Exempt":
            return "exempt"
        case _:
            return "reverse"


def vat_total_words(vat: Vat, base: Amount) -> str:
    """Return what a VAT total is the total of.

    Examples:
        >>> print(vat_total_words(Vat("Exclusive", Decimal("0.25")), Amount(540, "DKK")))
        VAT 25 % on 540
        >>> print(vat_total_words(Vat("Exempt"), Amount(9450, "DKK")))
        No VAT (exempt) on 9,450
    """
    match vat.tax_mode:
        case "Exclusive" | "Inclusive":
            words = f"VAT {percent_words(vat.charged_rate)}"
        case "Exempt":
            words = "No VAT (exempt)"
        case _:
            words = "No VAT (reverse charge)"
    inside = ", included in the price" if vat.tax_mode == "Inclusive" else ""
    return f"{words} on {figure(base.amount)}{inside}"


def notice_words(notice: Notice) -> str:
    """Return a notice in one line: the item, the sentence, its values and its code.

    Examples:
        >>> print(notice_words(Notice("gap", "has a gap", "rent", (("from", "2026-01-05"),))))
        Notice: rent: has a gap (from 2026-01-05) [gap]
    """
    facts = ", ".join(f"{name} {value}" for name, value in notice.facts)
    about = f"{notice.item_id}: " if notice.item_id else ""
    return f"Notice: {about}{notice.message}{facts and f' ({facts})'} [{notice.code}]"
