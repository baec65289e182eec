"""Amounts and days as people of a country write them, to the last digit."""

import sys
from collections.abc import Callable
from datetime import date
from decimal import ROUND_UP, Context, Decimal, Inexact, localcontext
from importlib import reload

import pytest

from rentbilling import Amount, YearMonth
from rentbilling.adapters import money_texts
from rentbilling.adapters.money_texts import (
    date_text,
    first_weekday,
    money_text,
    month_text,
    number_text,
    percent_text,
    weekday_texts,
)
from rentbilling.errors import UnknownWordError
from rentbilling.values import CURRENCIES
from tests.support.rows import rows


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def kroner(number: str, currency: str = "DKK") -> Amount:
    return Amount(Decimal(number), currency)


@rows(
    ("locale", "text", "credit"),
    [
        ("da", "1.234.567,50 kr.", "-8.500,00 kr."),
        ("nl", "DKK 1.234.567,50", "DKK -8.500,00"),
        ("de", "1.234.567,50 DKK", "-8.500,00 DKK"),
        ("en", "DKK 1,234,567.50", "-DKK 8,500.00"),
        ("de_CH", "DKK 1’234’567.50", "DKK-8’500.00"),
    ],
)
def test_an_amount_reads_as_in_its_country(locale: str, text: str, credit: str) -> None:
    assert text == plain(money_text(kroner("1234567.5"), locale))
    assert credit == plain(money_text(kroner("-8500"), locale))


@rows(
    ("number", "currency", "text"),
    [
        ("850000", "JPY", "850.000 ¥"),
        ("1234.5", "KWD", "1.234,500 KWD"),
        ("8500", "EUR", "8.500,00 €"),
        ("0", "EUR", "0,00 €"),
        # Babel's own table has no decimals for these two; ISO 4217 has three and two (A2).
        ("1234.567", "IQD", "1.234,567 IQD"),
        ("10.5", "HUF", "10,50 HUF"),
    ],
)
def test_each_currency_has_its_minor_units(number: str, currency: str, text: str) -> None:
    """Those of ISO 4217, as everywhere in the library."""
    assert text == plain(money_text(kroner(number, currency), "de"))


def test_every_currency_keeps_its_smallest_unit() -> None:
    """One minor unit of each is a text that ends its digits with 1."""
    wrong = [
        code
        for code, places in CURRENCIES.items()
        if "1" != "".join(filter(str.isdigit, money_text(kroner(f"1E-{places}", code), "da")))[-1]
    ]

    assert [] == wrong


@rows(
    ("number", "text"),
    [
        ("0.005", "0,005"),
        ("0.015", "0,015"),
        ("2.675", "2,675"),
        ("999999999999999", "999.999.999.999.999,00"),
        ("0.000000000000001", "0,000000000000001"),
    ],
)
def test_nothing_is_rounded(number: str, text: str) -> None:
    """Babel rounds half to even by itself (0.005 to 0.00); a unit price keeps all its digits here.

    Whoever wants two decimals rounds before, by the policy.
    """
    assert f"{text} kr." == plain(money_text(kroner(number), "da"))


def test_a_private_currency_has_the_decimals_that_it_is_given_with() -> None:
    assert "12,5 PTS" == plain(money_text(Amount.unchecked(Decimal("12.5"), "PTS"), "de"))


def test_a_zero_has_no_sign() -> None:
    assert "0,00 kr." == plain(money_text(Amount.unchecked(Decimal("-0.00"), "DKK"), "da"))
    assert "0%" == percent_text(Decimal("-0.0"))


def test_the_caller_s_decimal_context_changes_nothing() -> None:
    amount, calm = kroner("1234567.89"), "1.234.567,89 kr."
    with localcontext(Context(prec=3, rounding=ROUND_UP, traps=[Inexact])):
        assert calm == plain(money_text(amount, "da"))
        assert "12,345678%" == percent_text(Decimal("0.12345678"), "nl")


@rows(
    ("fraction", "da", "en"),
    [
        ("0.024", "2,4 %", "2.4%"),
        ("0.25", "25 %", "25%"),
        ("0.0200", "2 %", "2%"),
        ("-0.005", "-0,5 %", "-0.5%"),
        ("0.12345678", "12,345678 %", "12.345678%"),
        ("1", "100 %", "100%"),
        ("12.5", "1.250 %", "1,250%"),
        ("0", "0 %", "0%"),
    ],
)
def test_a_fraction_is_written_as_percent(fraction: str, da: str, en: str) -> None:
    assert da == plain(percent_text(Decimal(fraction), "da"))
    assert en == percent_text(Decimal(fraction), "en")


def test_a_change_has_its_sign() -> None:
    signed = [percent_text(Decimal(each), signed=True) for each in ("0.024", "-0.01", "0.00")]

    assert ["+2.4%", "-1%", "0%"] == signed


def test_numbers_have_at_least_the_decimals_asked_for() -> None:
    found = [number_text(Decimal(each), "nl", places=1) for each in ("1000", "1000.25", "-1E+3")]

    assert ["1.000,0", "1.000,25", "-1.000,0"] == found


def test_days_and_months_read_as_in_their_country() -> None:
    """1 March 2026, and its month."""
    day = date(2026, 3, 1)

    assert ["1. mar. 2026", "1 mrt 2026", "01.03.2026", "Mar 1, 2026"] == [
        date_text(day, locale) for locale in ("da", "nl", "de", "en")
    ]
    assert ["marts 2026", "maart 2026", "März 2026", "March 2026"] == [
        month_text(YearMonth(2026, 3), locale) for locale in ("da", "nl", "de", "en")
    ]
    assert "1. marts 2026" == date_text(day, "da", length="long")
    assert "mrt 2026" == month_text(day, "nl", short=True)


def test_weeks_begin_as_in_their_country() -> None:
    assert (0, "ma", 6, "Su") == (
        first_weekday("da"),
        weekday_texts("da")[0],
        first_weekday("en_US"),
        weekday_texts("en_US")[0],
    )


@rows("locale", ["xx", "", "da_XX_YY_ZZ", "Danish", "../da"])
@rows(
    "write",
    [
        lambda locale: money_text(kroner("1"), locale),
        lambda locale: percent_text(Decimal(1), locale),
        lambda locale: date_text(date(2026, 1, 1), locale),
        lambda locale: month_text(date(2026, 1, 1), locale),
        weekday_texts,
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
