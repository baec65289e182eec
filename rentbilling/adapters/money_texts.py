"""Money, percentages, days and months as people of a country write them, by Babel (`notebook`).

Laws: every digit is shown and none is added; a locale that Babel does not know is refused with an
UnknownWordError, a number that is not finite with an InvalidAmountError.
"""

import re
from datetime import date
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal

try:
    from babel import Locale, UnknownLocaleError
    from babel.dates import format_date, format_interval, format_skeleton
    from babel.numbers import NumberPattern, parse_pattern
except ImportError as missing:
    raise ImportError(
        f"texts of a country need {missing.name}: pip install 'rentbilling[notebook]'",
        name=missing.name,
    ) from missing

from rentbilling.errors import InvalidPeriodError, UnknownWordError
from rentbilling.values import CURRENCIES, Amount, Period, YearMonth, exact_ratio, rounded

DayLength = Literal["short", "medium", "long", "full"]

_SPACE: Final = "\N{NO-BREAK SPACE}"
_EXACT: Final = Context(prec=2_000)
"""More digits than any number here has, so that moving the point or quantizing loses none."""


def money_text(amount: Amount, locale: str = "en", *, whole: bool = False) -> str:
    """Return an amount with all its digits and its currency, in a text whose spaces do not break.

    With `whole` it is rounded half up to the main unit, for pictures of large amounts.

    Examples:
        In Danish, this is 8.500,00 kr. in Babel's data of 2026:

        >>> kroner = Amount(Decimal("8500.00"), "DKK")
        >>> money_text(kroner, "en").split(), "8500" in money_text(kroner, "da")
        (['DKK', '8,500.00'], False)
    """
    exact = rounded(Fraction(amount.amount), 0) if whole else amount.amount
    places = 0 if whole else max(_decimals(exact), CURRENCIES.get(amount.currency, 0))
    text = _written(exact, "currency", locale, places, amount.currency)
    # Babel leaves out the space between letters and digits in every language.
    return re.sub(r"(?<=[^\W\d_])(?=\d)", _SPACE, text)


def number_text(number: Decimal, locale: str = "en", *, places: int = 0) -> str:
    """Return a number with all its digits, grouped by thousands, and at least `places` decimals.

    Examples:
        >>> number_text(Decimal("1234567.5")), number_text(Decimal("2"), places=2)
        ('1,234,567.5', '2.00')
    """
    return _written(number, "number", locale, max(_decimals(number), places))


def percent_text(fraction: Decimal, locale: str = "en", *, signed: bool = False) -> str:
    """Return a fraction as percent, with all its digits.

    Examples:
        >>> percent_text(Decimal("0.024"), "en"), percent_text(Decimal("0.024"), "en", signed=True)
        ('2.4%', '+2.4%')
    """
    places = max(_decimals(_trimmed(fraction)) - 2, 0)
    text = _written(fraction, "percent", locale, places)
    return f"+{text}" if signed and fraction > 0 else text


def date_text(day: date, locale: str = "en", *, length: DayLength = "medium") -> str:
    """Return a day.

    Examples:
        >>> date_text(date(2026, 3, 1)), date_text(date(2026, 3, 1), length="long")
        ('Mar 1, 2026', 'March 1, 2026')
    """
    return format_date(day, length, locale=locale_of(locale))


def month_text(month: date | YearMonth, locale: str = "en", *, short: bool = False) -> str:
    """Return a month with its year.

    Examples:
        >>> month_text(YearMonth(2026, 5)), month_text(date(2026, 1, 31), short=True)
        ('May 2026', 'Jan 2026')
    """
    first = date(month.year, month.month, 1)
    return format_skeleton("yMMM" if short else "yMMMM", first, locale=locale_of(locale))


def months_text(period: Period, locale: str = "en") -> str:
    """Return the months that days lie in, with their year, such as "februar–april 2026"."""
    return _interval(period, "yMMMM", locale)


def period_text(period: Period, locale: str = "en") -> str:
    """Return the first and last day of a period, such as "1–28 feb 2026"."""
    return _interval(period, "yMMMd", locale)


def quarter_text(period: Period, locale: str = "en") -> str:
    """Return the quarter of the calendar that days lie in, with its year.

    Raises:
        InvalidPeriodError: They lie in several.
    """
    first, last = ((day.year, (day.month - 1) // 3) for day in (period.start, period.end))
    if first != last:
        said, expected = "lies in several quarters", "days of one quarter of the calendar"
        raise InvalidPeriodError.of("quarter", "several_quarters", said, str(period), expected)
    return format_skeleton("yQQQQ", period.start, locale=locale_of(locale))


def _interval(period: Period, skeleton: str, locale: str) -> str:
    return format_interval(period.start, period.end, skeleton, locale=locale_of(locale))


def weekday_texts(locale: str = "en") -> tuple[str, ...]:
    """Return the short names of the weekdays, from the first one of a week in that country.

    Examples:
        >>> len(weekday_texts("da"))
        7
    """
    names = locale_of(locale).days["stand-alone"]["short"]
    start = first_weekday(locale)
    return tuple(str(names[(start + at) % 7]).rstrip(".") for at in range(7))


def first_weekday(locale: str = "en") -> int:
    """Return the first weekday of a week, 0 for Monday, also for a language without a country.

    Examples:
        >>> first_weekday("en")
        0
    """
    return locale_of(locale).first_week_day


@lru_cache(maxsize=32)
def locale_of(name: str) -> Locale:
    try:
        return Locale.parse(name, sep="-" if "-" in name else "_")
    except (UnknownLocaleError, ValueError, TypeError):
        raise UnknownWordError.of(
            "locale",
            "unknown_word",
            "is not a locale that Babel knows",
            name,
            "a language such as da, nl, de or en, or one with its country such as de_CH",
        ) from None


@lru_cache(maxsize=256)
def _pattern(kind: str, locale: str, places: int) -> NumberPattern:
    known = locale_of(locale)
    patterns = {
        "currency": known.currency_formats["standard"],
        "number": known.decimal_formats[None],
        "percent": known.percent_formats[None],
    }
    # A copy, because those of Babel are shared by everybody.
    pattern = parse_pattern(patterns[kind].pattern)
    pattern.frac_prec = (places, places)
    return pattern


def _written(
    number: Decimal, kind: str, locale: str, places: int, currency: str | None = None
) -> str:
    pattern = _pattern(kind, locale, places)
    with localcontext(_EXACT):
        # A zero has no sign.
        text: str = pattern.apply(
            number or Decimal(0), locale_of(locale), currency=currency, currency_digits=False
        )
    return text


def _decimals(number: Decimal) -> int:
    # Refuses what is not finite, or longer than any figure of the library.
    exact_ratio(number)
    return max(-int(number.as_tuple().exponent), 0)


def _trimmed(number: Decimal) -> Decimal:
    exact_ratio(number)
    with localcontext(_EXACT):
        return number.normalize()
