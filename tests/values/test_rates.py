"""Rates: fractions, texts in percent, and the refusal of what is probably meant in percent."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given as given_that, strategies as st

from rentbilling.errors import InvalidAmountError
from rentbilling.values import percent_words, rate_of
from tests.support.rows import rows


@rows(
    ("given", "rate"),
    [
        *((0.03, "0.03"), ("0.025", "0.025"), (Decimal("-0.5"), "-0.5"), (1, "1"), (0, "0")),
        # In percent, also of more than 100, because the sign leaves no doubt.
        *(("3%", "0.03"), ("3.5 %", "0.035"), ("-2%", "-0.02"), ("300%", "3.00"), ("0%", "0.00")),
        # Below −1 there is no doubt either: a range decides, where there is one.
        (-3, "-3"),
    ],
)
def test_a_rate_is_read_as_it_is_written(given: float | str, rate: str) -> None:
    assert rate == str(rate_of(given))


@rows(
    "given",
    [
        *("three", "", "%", "3%%", "3,5%", "1_0", None, True, float("nan"), "NaN", Fraction(1, 2)),
        "0.1234567890123456789",
    ],
)
def test_what_is_no_rate_is_refused(given: object) -> None:
    with pytest.raises(InvalidAmountError) as refused:
        rate_of(given, "by")

    (problem,) = refused.value.problems
    assert ("by", "not_a_number") == problem[:2]
    assert "a fraction such as 0.03, or a text such as '3%'" == problem.expected


@rows(
    ("given", "meant"),
    [
        (3, "a fraction: 3 means 300 %; write 0.03 or '3%'"),
        ("2.5", "a fraction: 2.5 means 250 %; write 0.025 or '2.5%'"),
        (Decimal("1.01"), "a fraction: 1.01 means 101 %; write 0.0101 or '1.01%'"),
    ],
)
def test_a_number_above_one_is_refused_with_what_was_meant(given: object, meant: str) -> None:
    with pytest.raises(InvalidAmountError) as refused:
        rate_of(given, "by")

    assert [("by", "out_of_range", meant)] == [
        (problem.path, problem.code, problem.expected) for problem in refused.value.problems
    ]


@given_that(st.decimals(-1, 1, places=6))
def test_a_rate_in_percent_is_the_same_rate(rate: Decimal) -> None:
    assert rate == rate_of(percent_words(rate)) == rate_of(str(rate))


@rows(("rate", "said"), [("0.025", "2.5 %"), ("0.1", "10 %"), ("1", "100 %"), ("0", "0 %")])
def test_a_rate_in_words_is_in_percent(rate: str, said: str) -> None:
    assert said == percent_words(Decimal(rate))
