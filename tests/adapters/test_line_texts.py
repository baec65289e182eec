"""Texts of lines in the language of a tenant (A70)."""

from typing import Any

import pytest
from babel.dates import format_interval, format_skeleton

from rentbilling import PendingBillLineItem, monthly_rent, pending_bills
from rentbilling.adapters.line_texts import line_text
from rentbilling.adapters.money_texts import money_text, number_text
from rentbilling.billing import recurring_item
from rentbilling.interface import Product, ProductName
from tests.support.refusals import Call, refusal_text
from tests.support.rows import rows

ANY: Any = line_text
PRODUCTS = [
    Product(product_key="key:rent", product_name=ProductName(en="Rent", da="Husleje", de="Miete")),
    Product(product_key="key:heating", product_name=ProductName(da="Varme")),
    Product(product_key="key:lift"),
]


def line_of(product_key: str = "key:rent", period: str = "2026-02", **terms: Any) -> Any:  # noqa: ANN401
    item = recurring_item(product_key, "8500 DKK", "2026-01-01", **terms)
    return pending_bills(item, period).bills[0].lines[0]


RENT: PendingBillLineItem = line_of()
QUARTER = line_of(months=3, period="2026-04")
YEAR = line_of(months=12, period="2027-01")


@rows(
    ("locale", "name"),
    [
        *(("da", "Husleje"), ("de", "Miete"), ("de_CH", "Miete"), ("en", "Rent")),
        # A name that the product has not in the language is the English one.
        *((locale, "Rent") for locale in ("fi", "fr", "nl", "nb", "sv")),
    ],
)
def test_months_and_quarters_are_words_of_the_language(locale: str, name: str) -> None:
    """As Babel says them."""
    first, last = QUARTER.accounting_period.start, QUARTER.accounting_period.end
    month = format_skeleton("yMMMM", RENT.accounting_period.start, locale=locale)
    quarter = format_skeleton("yQQQQ", first, locale=locale)
    months = format_interval(first, last, "yMMMM", locale=locale)

    assert f"{name} {month}" == line_text(RENT, "{product} {month}", locale, products=PRODUCTS)
    assert f"{quarter}: {months}" == line_text(QUARTER, "{quarter}: {month}", locale)


def test_days_and_prices_are_those_of_the_line() -> None:
    line = line_of(quantity="12.5")
    days = format_interval(
        line.accounting_period.start, line.accounting_period.end, "yMMMd", locale="da"
    )
    price, quantity = money_text(line.amount, "da"), number_text(line.quantity, "da")

    expected = f"{days}: {quantity} × {price}"
    assert expected == line_text(line, "{period}: {quantity} × {unit}", "da")


@rows(
    ("line", "template", "locale", "expected"),
    [
        (line_of(description="Flat 3"), "{description}: {product}", "en", "Flat 3: Rent"),
        (RENT, "{description}{{{product}}}", "en", "{Rent}"),
        # Without a name in the language and in English, the key; with names in others, as well.
        (line_of("key:heating"), "{product}", "da", "Varme"),
        (line_of("key:heating"), "{product}", "sv", "key:heating"),
        (line_of("key:lift"), "{product}", "da", "key:lift"),
        (line_of("key:none"), "{product}", "da", "key:none"),
        (RENT, "", "da", ""),
    ],
)
def test_a_template_is_filled_from_the_line(
    line: PendingBillLineItem, template: str, locale: str, expected: str
) -> None:
    assert expected == line_text(line, template, locale, products=PRODUCTS)


REFUSED: dict[str, list[Call]] = {
    "UnknownWordError: template unknown_word": [
        lambda: line_text(RENT, "{rent}"),
        lambda: line_text(RENT, "{}"),
        lambda: line_text(RENT, "{product.__class__}"),
        lambda: line_text(RENT, "{product[0]}"),
    ],
    "UnknownWordError: locale unknown_word": [lambda: line_text(RENT, "{product}", "xx")],
    "InvalidRecordError: template not_a_template": [
        lambda: line_text(RENT, "{product"),
        lambda: line_text(RENT, "product}"),
        lambda: line_text(RENT, "{product:>20}"),
        lambda: line_text(RENT, "{product!r}"),
    ],
    "InvalidPeriodError: quarter several_quarters": [lambda: line_text(YEAR, "{quarter}")],
}


@rows("found", REFUSED)
def test_what_cannot_be_filled_is_refused(found: str) -> None:
    for call in REFUSED[found]:
        assert found == refusal_text(call)


def test_misuse_is_a_type_error() -> None:
    for wrong in ((RENT, None), (monthly_rent("1 DKK", "2026-01-01"), "")):
        with pytest.raises(TypeError, match="line_text takes a PendingBillLineItem and a text"):
            ANY(*wrong)
