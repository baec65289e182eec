"""Texts of lines by Babel (`notebook`), which are no part of a figure or of equality (A70)."""

from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from types import MappingProxyType
from typing import Final

from rentbilling.adapters.money_texts import (
    locale_of,
    money_text,
    months_text,
    number_text,
    period_text,
    quarter_text,
)
from rentbilling.billing import PendingBillLineItem
from rentbilling.errors import InvalidRecordError, UnknownWordError, shown
from rentbilling.interface import Product

_Names = Mapping[str, str]

_PLACEHOLDERS: Final[Mapping[str, Callable[[PendingBillLineItem, str, _Names], str]]] = (
    MappingProxyType(
        {
            "product": lambda line, _, names: names.get(line.product_key, line.product_key),
            "description": lambda line, _, __: line.description or "",
            "period": lambda line, locale, _: period_text(line.accounting_period, locale),
            "month": lambda line, locale, _: months_text(line.accounting_period, locale),
            "quarter": lambda line, locale, _: quarter_text(line.accounting_period, locale),
            "unit": lambda line, locale, _: money_text(line.amount, locale),
            "quantity": lambda line, locale, _: number_text(line.quantity, locale),
        }
    )
)


def line_text(
    line: PendingBillLineItem,
    template: str,
    locale: str = "en",
    *,
    products: Iterable[Product] = (),
) -> str:
    """Return the text of a line in the language of a locale (A70).

    Args:
        line: A line of a bill.
        template: With `{product}`, `{description}`, `{period}` (days), `{month}` (or months),
            `{quarter}`, `{unit}` (the price of one), `{quantity}`; `{{` is a brace.
        locale: A locale of Babel: da, de, en, fi, fr, nl, nb, sv, de_CH …
        products: Products with names: the English one, or the key, where there is no other.

    Raises:
        UnknownWordError: A placeholder or the locale is unknown.
        InvalidRecordError: The template has a lone brace, or a placeholder with a format.
        InvalidPeriodError: The days have no one quarter.
        TypeError: The line is no line item, or the template no text.

    Examples:
        >>> from rentbilling import monthly_rent, pending_bills
        >>> from rentbilling.interface import ProductName
        >>> rent = monthly_rent("8500 DKK", moved_in="2026-01-01")
        >>> (bill,) = pending_bills(rent, "2026-02-01/2026-02-28")
        >>> names = ProductName(en="Rent", da="Husleje", de="Miete")
        >>> product = Product(product_key="key:rent", product_name=names)
        >>> line_text(bill.lines[0], "{product}, {month}", products=[product])
        'Rent, February 2026'
        >>> for locale in ("da", "de", "fr"):
        ...     print(line_text(bill.lines[0], "{product}", locale, products=[product]))
        Husleje
        Miete
        Rent
    """
    if not isinstance(line, PendingBillLineItem) or not isinstance(template, str):
        wrong = template if isinstance(line, PendingBillLineItem) else line
        raise TypeError(f"line_text takes a PendingBillLineItem and a text, not {shown(wrong)}")
    language = locale_of(locale).language
    names = {
        each.product_key: name
        for each in products
        if (name := _name_of(each, language)) is not None
    }
    text = ""
    for literal, placeholder, form, conversion in _parsed(template):
        text += literal
        if placeholder is None:
            continue
        if placeholder not in _PLACEHOLDERS:
            said, known = "is not a known placeholder", "one of " + ", ".join(_PLACEHOLDERS)
            raise UnknownWordError.of("template", "unknown_word", said, placeholder, known)
        if form or conversion:
            said, expected = "has a format of its own", f"{{{placeholder}}} alone"
            raise InvalidRecordError.of("template", "not_a_template", said, template, expected)
        text += _PLACEHOLDERS[placeholder](line, locale, names)
    return text


def _parsed(template: str) -> list[tuple[str, str | None, str | None, str | None]]:
    try:
        return list(Formatter().parse(template))
    except ValueError:
        said, expected = "has a brace without its other one", "{product}, or {{ for a brace"
        raise InvalidRecordError.of(
            "template", "not_a_template", said, template, expected
        ) from None


def _name_of(product: Product, language: str) -> str | None:
    """Return the name of a product in a language, else the English one."""
    names = dict(product.product_name or ())
    return names.get(language) or names.get("en")
