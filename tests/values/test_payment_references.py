"""Payment references: published examples, and that a changed digit is found."""

import re
from typing import get_args

import pytest
from hypothesis import given, strategies as st

from rentbilling.errors import InvalidRecordError, UnknownWordError
from rentbilling.values import PaymentReference, is_payment_reference, payment_reference
from tests.support.rows import rows

PUBLISHED = [
    # The example of the European Payments Council, and of the Swiss implementation guidelines.
    ("iso11649", "539007547034", "RF18539007547034"),
    ("iso11649", "g72uur", "RF45G72UUR"),
    ("iso11649", "18K5", "RF6518K5"),
    ("iso11649", "C4", "RF51C4"),
    # Finance Finland: 7·7 + 6·3 + 5·1 + 4·7 + 3·3 + 2·1 + 1·7 = 118, so 2.
    ("fi", "1234567", "12345672"),
    ("fi", "23409678", "234096783"),
    # 1234: 4·2 = 8, 3, 2·2 = 4, 1 are 16, so 4; with a length digit, the caller's: 2019121 and 9.
    ("se", "1234", "12344"),
    ("se", "20191219", "201912193"),
    ("se", "7992739871", "79927398713"),
    # 234567: 7·2 = 14 → 5, 6, 5·2 = 10 → 1, 4, 3·2 = 6, 2 are 24, so 6.
    ("no", "234567", "2345676"),
    # The registers of Norway: 138 leaves 6, so 5.
    ("no_mod11", "12345678", "123456785"),
    # 6·2 = 12 leaves 1, so 10, for which `-` is written.
    ("no_mod11", "6", "6-"),
    ("no_mod11", "0", "00"),
    ("dk", "404040000066", "004040400000669"),
    ("dk", 2, "000000000000026"),
    ("dk_75", 2, "0000000000000026"),
    # 909337554 = 97 · 9374613 + 93.
    ("be", "909337554", "090933755493"),
    ("be", 97, "000000009797"),
    # The Swiss implementation guidelines for the QR bill.
    ("ch", "21000000000313947143000901", "210000000003139471430009017"),
]
KINDS = get_args(PaymentReference)


@rows(("kind", "digits", "reference"), PUBLISHED)
def test_published_examples(kind: PaymentReference, digits: str | int, reference: str) -> None:
    assert payment_reference(kind, digits) == reference
    assert is_payment_reference(kind, reference)


@rows(
    ("kind", "reference"),
    [
        ("iso11649", "rf18 5390 0754 7034"),
        ("be", "+++090/9337/55493+++"),
        ("be", "***090/9337/55493***"),
        ("ch", "21 00000 00003 13947 14300 09017"),
        ("fi", "1234 5672"),
    ],
)
def test_printed_forms_are_read(kind: PaymentReference, reference: str) -> None:
    assert is_payment_reference(kind, reference)


@rows(
    ("kind", "reference"),
    [
        ("iso11649", "RF19539007547034"),
        ("iso11649", "XX18539007547034"),
        ("iso11649", "RF"),
        ("fi", "12345673"),
        ("fi", "13"),
        ("dk", "26"),
        ("be", "090933755400"),
        ("ch", ""),
        ("no", "２３４５６７６"),  # noqa: RUF001 - digits of another script
    ],
)
def test_what_is_wrong_is_found(kind: PaymentReference, reference: str) -> None:
    assert not is_payment_reference(kind, reference)


@rows(
    ("kind", "digits", "expected"),
    [
        ("iso11649", "", "1 to 21 letters and digits"),
        ("iso11649", "1" * 22, "1 to 21 letters and digits"),
        ("iso11649", "Ä", "1 to 21 letters and digits"),
        ("fi", "12", "3 to 19 digits"),
        ("fi", -123, "3 to 19 digits"),
        ("dk", "1" * 15, "1 to 14 digits"),
        ("dk", 1.5, "1 to 14 digits"),
        ("ch", None, "1 to 26 digits"),
    ],
)
def test_other_characters_are_refused(kind: PaymentReference, digits: str, expected: str) -> None:
    with pytest.raises(
        InvalidRecordError, match=f"digits: cannot be made a reference .*{expected}"
    ):
        payment_reference(kind, digits)


def test_an_unknown_kind_is_refused() -> None:
    words = re.escape("expected one of iso11649, fi, se, no, no_mod11, dk, dk_75, be, ch")
    with pytest.raises(UnknownWordError, match=words):
        payment_reference("gb", "123")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


@given(st.sampled_from(KINDS), st.integers(100, 10**10 - 1), st.data())
def test_a_changed_digit_is_found(kind: PaymentReference, number: int, data: st.DataObject) -> None:
    reference = payment_reference(kind, number)
    places = [at for at, each in enumerate(reference) if each.isdigit()]
    at = data.draw(st.sampled_from(places))
    other = data.draw(st.sampled_from([each for each in "0123456789" if each != reference[at]]))

    assert is_payment_reference(kind, reference)
    assert not is_payment_reference(kind, reference[:at] + other + reference[at + 1 :])
