"""Amounts and days as people of a country write them, to the last digit.

Names of months, signs and separators are data of Babel's, which each edition mends: they are
compared with what Babel itself answers.
"""

import sys
from collections.abc import Callable
from datetime import date
from decimal import ROUND_UP, Context, Decimal, Inexact, localcontext
from importlib import reload

import pytest
from babel.dates import format_date, format_skeleton
from babel.numbers import format_currency, format_percent, get_decimal_symbol

from rentbilling import Amount, YearMonth
from rentbilling.adapters import money_texts
from rentbilling.adapters.money_texts import (
    date_text,
    money_text,
    month_text,
    number_text,
    percent_text,
)
from rentbilling.errors import UnknownWordError
from rentbilling.values import CURRENCIES
from tests.support.rows import rows

LOCALES = ("da", "nl", "de", "en", "de_CH", "sv", "fr")


def closed(text: str) -> str:
    """Return a text without its spaces, of which Babel leaves out some (see `money_text`)."""
    return "".join(text.split())


def digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def kroner(number: str, currency: str = "DKK") -> Amount:
    return Amount(Decimal(number), currency)


@rows(("number", "currency"), [("1234567.50", "DKK"), ("-8500.00", "DKK"), ("0.01", "EUR")])
def test_an_amount_reads_as_in_its_country(number: str, currency: str) -> None:
    """As Babel writes it, whatever the edition of its data says."""
    for locale in LOCALES:
        expected = format_currency(Decimal(number), currency, locale=locale)
        text = money_text(kroner(number, currency), locale)
        assert closed(expected) == closed(text)
        assert " " not in text


@rows(
    ("number", "currency", "whole", "decimals"),
    [
        ("850000", "JPY", "850000", ""),
        ("1234.5", "KWD", "1234", "500"),
        ("8500", "EUR", "8500", "00"),
        # Babel's own table has no decimals for these two; ISO 4217 has three and two (A2).
        ("1234.567", "IQD", "1234", "567"),
        ("10.5", "HUF", "10", "50"),
        # Nothing is rounded, though Babel by itself rounds half to even: a unit price keeps all
        # its digits, and whoever wants two decimals rounds before, by the policy.
        ("0.005", "DKK", "0", "005"),
        ("2.675", "DKK", "2", "675"),
        ("999999999999999", "DKK", "999999999999999", "00"),
        ("0.000000000000001", "DKK", "0", "000000000000001"),
    ],
)
def test_each_amount_has_all_its_digits(
    number: str, currency: str, whole: str, decimals: str
) -> None:
    """At least the minor units of ISO 4217, as everywhere in the library."""
    text = money_text(kroner(number, currency), "de")
    before, _, after = text.partition(get_decimal_symbol("de"))

    assert (whole, decimals) == (digits(before), digits(after))


def test_every_currency_keeps_its_smallest_unit() -> None:
    """One minor unit of each is a text that ends its digits with 1."""
    wrong = [
        code
        for code, places in CURRENCIES.items()
        if "1" != digits(money_text(kroner(f"1E-{places}", code), "da"))[-1]
    ]

    assert [] == wrong


def test_a_private_currency_has_the_decimals_that_it_is_given_with() -> None:
    assert "125" == digits(money_text(Amount.unchecked(Decimal("12.5"), "PTS"), "de"))


def test_a_zero_has_no_sign() -> None:
    minus = Amount.unchecked(Decimal("-0.00"), "DKK")

    assert money_text(kroner("0.00"), "da") == money_text(minus, "da")
    assert percent_text(Decimal(0)) == percent_text(Decimal("-0.0"))


def test_the_caller_s_decimal_context_changes_nothing() -> None:
    def write() -> tuple[str, str]:
        amount = Amount.unchecked(Decimal("1234567.89"), "DKK")
        return money_text(amount, "da"), percent_text(Decimal("0.12345678"), "nl")

    calm = write()
    with localcontext(Context(prec=3, rounding=ROUND_UP, traps=[Inexact])):
        assert calm == write()


@rows("fraction", ["0.024", "0.25", "0.0200", "-0.005", "0.12345678", "1", "12.5", "0"])
def test_a_fraction_is_written_as_percent(fraction: str) -> None:
    number = Decimal(fraction)
    for locale in LOCALES:
        expected = format_percent(number.normalize(), locale=locale, decimal_quantization=False)
        assert closed(expected) == closed(percent_text(number, locale))


def test_a_change_has_its_sign() -> None:
    for each in ("0.024", "-0.01", "0.00"):
        text = percent_text(Decimal(each))
        signed = f"+{text}" if each == "0.024" else text
        assert signed == percent_text(Decimal(each), signed=True)


def test_numbers_have_at_least_the_decimals_asked_for() -> None:
    found = [number_text(Decimal(each), "nl", places=1) for each in ("1000", "1000.25", "-1E+3")]

    assert ["10000", "100025", "10000"] == [digits(each) for each in found]
    assert found[0] == found[2].lstrip("-") != found[2]


def test_days_and_months_read_as_in_their_country() -> None:
    day = date(2026, 3, 1)
    for locale in LOCALES:
        assert format_date(day, locale=locale) == date_text(day, locale)
        assert format_date(day, "long", locale=locale) == date_text(day, locale, length="long")
        assert format_skeleton("yMMMM", day, locale=locale) == month_text(
            YearMonth(2026, 3), locale
        )
        assert format_skeleton("yMMM", day, locale=locale) == month_text(day, locale, short=True)


@rows("locale", ["xx", "", "da_XX_YY_ZZ", "Danish", "../da"])
@rows(
    "write",
    [
        lambda locale: money_text(kroner("1"), locale),
        lambda locale: percent_text(Decimal(1), locale),
        lambda locale: date_text(date(2026, 1, 1), locale),
        lambda locale: month_text(date(2026, 1, 1), locale),
    ],
)
def test_an_unknown_locale_is_refused(write: Callable[[str], object], locale: str) -> None:
    with pytest.raises(UnknownWordError, match=r"locale: is not a locale that Babel knows"):
        write(locale)


def test_without_babel_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "babel", None)

    with pytest.raises(ImportError, match=r"need babel: pip install 'rentbilling\[notebook\]'"):
        reload(money_texts)
    monkeypatch.undo()
    reload(money_texts)
