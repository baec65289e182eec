"""Numbers are exact, rounding happens once and symmetrically, currencies never meet."""

import pickle
from collections.abc import Callable
from decimal import (
    ROUND_DOWN,
    Context,
    Decimal,
    Inexact,
    InvalidOperation,
    Rounded,
    localcontext,
)
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from rentbilling import errors
from rentbilling.values import (
    Amount,
    Rounding,
    decimal_of,
    divide_rounded,
    exact_number,
    number,
    rounded,
    units_of,
)
from rentbilling.values.money import ROUNDINGS
from tests.support.rows import rows

D = Decimal

Call = Callable[[], object]

RENT = Amount(D("8500.00"), "DKK")
CENT = Amount(D("0.01"), "DKK")
PTS = {"PTS": 1}
ANY: Any = Amount
"""Without its types, for what no type checker lets through."""
divide: Any = divide_rounded
number_of: Any = number
units: Any = units_of
rent: Any = RENT


class Reading(float):
    """A binary number whose repr is no number, like those of array libraries."""

    def __repr__(self) -> str:
        return f"Reading({float(self)})"

    def __str__(self) -> str:
        return float.__repr__(self)


class Unprintable(float):
    """A binary number that prints as no number at all."""

    def __repr__(self) -> str:
        return "much"


def refused(call: Call) -> errors.InvalidInputError:
    with pytest.raises(errors.InvalidInputError) as caught:
        call()
    assert len(caught.value.problems) == 1
    return caught.value


# Rounding (A3, A26).

QUARTERS = {  # of 1.25, 1.5, 1.75 and 2.5
    "half_up": [1, 2, 2, 3],
    "half_even": [1, 2, 2, 2],
    "half_down": [1, 1, 2, 2],
    "up": [2, 2, 2, 3],
    "down": [1, 1, 1, 2],
}


@rows("mode", ROUNDINGS)
def test_each_mode_goes_its_way_for_charges_and_credits_alike(mode: Rounding) -> None:
    """Whichever of the two numbers carries the sign, or both (A26)."""
    assert QUARTERS[mode] == [divide_rounded(each, 4, mode) for each in (5, 6, 7, 10)]
    assert [-3, 0, 3] == [divide_rounded(each * 7, 7, mode) for each in (-3, 0, 3)]
    for quarters in range(13):
        charge = divide_rounded(quarters, 4, mode)
        signs = ((-1, 1), (1, -1), (-1, -1))
        found = [divide_rounded(a * quarters, b * 4, mode) for a, b in signs]
        assert [-charge, -charge, charge] == found
    if mode.startswith("half"):
        assert [1, 0] == [divide_rounded(fifths, 5, mode) for fifths in (3, 2)]


def test_a_whisker_beside_the_tie_is_no_tie() -> None:
    """With 40 digits a division of decimals would have met the tie itself."""
    assert [0, 1, 1] == [divide_rounded(5 * 10**39 + off, 10**40) for off in (-1, 0, 1)]


ROUNDED: list[tuple[Any, int, str]] = [
    (Fraction(8500 * 17, 31), 2, "4661.29"),  # 17 of 31 days: 144500 / 31 = 4661.290…
    (D("2.675"), 2, "2.68"),  # exactly that, where a binary number would be a little less
    (D("-2.675"), 2, "-2.68"),
    (D("0.004"), 2, "0.00"),
    (5, 2, "5.00"),
    (D("2.5"), 0, "3"),
    (Fraction(1, 3), 6, "0.333333"),
    # A thousand digits are still rounded.
    (10**1000 - 1, 0, str(10**1000 - 1)),
    (D("9e999"), 0, str(9 * 10**999)),
    (D("1e-1000"), 1000, str(D("1e-1000"))),
    (D("0e99999999"), 2, "0.00"),
    (Fraction(1, 10**2000), 3, "0.000"),
]


@rows(("value", "places", "expected"), ROUNDED)
def test_a_rounded_value_has_exactly_the_places_asked_for(
    value: Any,  # noqa: ANN401 - any number
    places: int,
    expected: str,
) -> None:
    assert expected == str(rounded(value, places))


def test_rounding_takes_the_mode() -> None:
    """0.125 lies between 0.12 and 0.13, the even one is 0.12."""
    assert D("0.12") == rounded(D("0.125"), 2, "half_even")


# Numbers, amounts (A1).

WRITTEN: list[tuple[Call, str]] = [
    # Fifteen digits are kept as they are, also the zeros that somebody wrote.
    (lambda: number(8500), "8500"),
    (lambda: number(D("8500.10")), "8500.10"),
    (lambda: number(D(999999999999999)), "999999999999999"),
    (lambda: number(-999_999_999_999_999), "-999999999999999"),
    (lambda: number(D("9999999999999.99")), "9999999999999.99"),
    (lambda: number(D("0.000000000000001")), "1E-15"),
    (lambda: number(D("1234567890123.40")), "1234567890123.40"),
    (lambda: number(D("0.000000000000010")), "1.0E-14"),
    (lambda: number(D("0.00")), "0.00"),
    (lambda: number(D("0E-15")), "0E-15"),
    # Zeros at the end do not make a number too long.
    (lambda: number(D("8500.00000000000000000000")), "8500"),
    (lambda: number(D("123456789012345.000")), "123456789012345"),
    (lambda: number(D("0.1000000000000000000")), "0.1"),
    (lambda: number(D("-1.250000000000000000")), "-1.25"),
    (lambda: number(D("0.0000000000000010")), "1E-15"),
    # There is one plain zero.
    *(
        (lambda text=text: number(D(text)), "0")
        for text in ("-0", "-0.00", "0E+500", "0E-500", "-0E-20")
    ),
    # A binary number is the decimal that it prints as.
    (lambda: number(0.1), "0.1"),
    (lambda: number(8500.5), "8500.5"),
    (lambda: number(Reading(2.5)), "2.5"),
    (lambda: exact_number(D("0.250"), "a fraction"), "0.250"),
    # Minor units are written with their places, and counted.
    *(
        (lambda units=units, places=places: decimal_of(units, places), text)
        for units, places, text in [
            *(
                (850000, 2, "8500.00"),
                (-5, 2, "-0.05"),
                (0, 2, "0.00"),
                (7, 0, "7"),
                (1, 3, "0.001"),
            ),
        ]
    ),
    (lambda: units_of(Amount.parse("8500.00 DKK")), "850000"),
    (lambda: units_of(Amount.parse("-0.05 EUR")), "-5"),
    (lambda: units_of(Amount.parse("1500 JPY")), "1500"),
    (lambda: units_of(Amount.parse("1.234 KWD")), "1234"),
    (lambda: units_of(Amount(D("5.5"), "PTS", currencies=PTS), PTS), "55"),
    # An amount may be finer than its currency, or of a private one.
    (lambda: Amount(D("0.1255"), "DKK"), "0.1255 DKK"),
    (lambda: Amount(8500, "DKK"), "8500 DKK"),
    (lambda: Amount(5, "PTS", currencies={"PTS": 0}), "5 PTS"),
    *(
        (lambda text=text: Amount.parse(text), text)
        for text in ("8500.00 DKK", "-12.5 EUR", "0.1255 DKK", "1500 JPY")
    ),
    (lambda: Amount.parse("+5 DKK") == Amount(5, "DKK"), "True"),
    (lambda: Amount.parse("1e3 DKK") == Amount(1000, "DKK"), "True"),
    (lambda: Amount.parse("5. DKK") == Amount(5, "DKK"), "True"),
    (lambda: Amount.parse(".5 DKK") == Amount(D("0.5"), "DKK"), "True"),
    # Amounts of one currency add exactly, beyond fifteen digits too (A2).
    (lambda: RENT + CENT, "8500.01 DKK"),
    (lambda: RENT + CENT - CENT, "8500.00 DKK"),
    (lambda: -RENT, "-8500.00 DKK"),
    (lambda: -Amount(D("0.00"), "DKK"), "0.00 DKK"),
    (lambda: sum([RENT, RENT, CENT]), "17000.01 DKK"),
    (
        lambda: Amount(999_999_999_999_999, "DKK") + Amount(D("1E-15"), "DKK"),
        "999999999999999.000000000000001 DKK",
    ),
    (lambda: repr(RENT), "Amount(Decimal('8500.00'), 'DKK')"),
]


@rows(("call", "expected"), WRITTEN)
def test_a_figure_is_written_exactly(call: Call, expected: str) -> None:
    assert expected == str(call())


@rows(
    ("amount", "spec", "expected"),
    [
        ("8500", ",.2f", "8,500.00 DKK"),
        ("-1234567.5", ",.2f", "-1,234,567.50 DKK"),
        ("8500.5", ",", "8,500.5 DKK"),
        ("8500.5", "f", "8500.5 DKK"),
        ("8500.5", ".1f", "8500.5 DKK"),
        # Ties are rounded away from zero, as in bills (A3), and not to even.
        ("0.125", ".2f", "0.13 DKK"),
        ("-0.125", ".2f", "-0.13 DKK"),
        ("8500.5", "12,.2f", "    8,500.50 DKK"),
        ("8500.5", "", "8500.5 DKK"),
        ("8500.5", ">12", "  8500.5 DKK"),
    ],
)
def test_an_amount_is_written_in_a_format(amount: str, spec: str, expected: str) -> None:
    with localcontext(prec=2):
        assert expected == f"{Amount(amount, 'DKK'):{spec}}"


def test_an_amount_says_how_it_becomes_a_float() -> None:
    with pytest.raises(TypeError, match=r"write amount\.amount, or float\(amount\.amount\)"):
        float(Amount("8500.50", "DKK"))


def test_amounts_are_values() -> None:
    """Ordered, equal and hashed by value, frozen, picklable with the zeros that were written."""
    small, whole, points = Amount(1, "DKK"), Amount(8500, "DKK"), Amount(5, "PTS", currencies=PTS)
    assert small < RENT
    assert small <= RENT
    assert RENT >= whole
    assert not RENT < whole
    assert not small > RENT
    assert [small, RENT] == sorted([RENT, small])
    assert (whole, hash(whole)) == (RENT, hash(RENT))
    others = [Amount(8500, "SEK"), Amount(8501, "DKK"), -RENT]
    assert len({RENT, *others}) == len({hash(each) for each in (RENT, *others)}) == 4
    for other in (*others, D(8500), "8500.00 DKK"):
        assert other != RENT
    for name in ("amount", "currency", "note"):
        with pytest.raises(AttributeError):
            setattr(RENT, name, "1")
    again = pickle.loads(pickle.dumps([RENT, points]))
    assert ["8500.00 DKK", "5 PTS"] == [str(each) for each in again]


# Refusals.

REFUSED: dict[str, list[Call]] = {
    " not_finite": [
        *(
            lambda value=value: number(value)
            for value in (
                *map(D, ("NaN", "sNaN", "Infinity", "-Infinity")),
                float("nan"),
                Unprintable(2.5),
            )
        ),
        *(lambda text=text: rounded(D(text), 2) for text in ("NaN", "sNaN", "-Infinity")),
    ],
    " too_many_digits": [
        *(
            lambda value=value: number(value)
            for value in (
                *(10**15, -(10**15), D(1234567890123456)),
                *map(D, ("12345678901234.56", "1E+15", "1e999999", "-1e999999", "1E-16")),
                D("0.1234567890123456"),
            )
        ),
        # At once, without writing out its digits: beyond 1,000 before or after the point.
        *(
            lambda value=value: rounded(value, 2)
            for value in (
                *map(D, ("1e99999999", "1e-99999999", "1e1000", "1e-1001")),
                *(10**1000, Fraction(-(10**1000))),
            )
        ),
    ],
    # True is no 1, a text is read elsewhere, 1/3 has no end as a decimal.
    " not_a_number": [
        partial(number, value) for value in (True, False, "8500", None, Fraction(1, 2), 1 + 0j, [1])
    ],
    " not_exact": [
        partial(exact_number, value, "0.25") for value in (0.25, "0,25", True, None, Fraction(1, 4))
    ],
    " unknown_word": [partial(divide, 1, 2, mode) for mode in ("bankers", "HALF_UP", "")],
    "amount not_exact": [
        partial(ANY, given, "DKK") for given in (8500.0, True, "8 500", None, Fraction(1))
    ],
    "amount not_finite": [lambda: Amount(D("NaN"), "DKK")],
    "amount too_many_digits": [lambda: Amount(D("1e999999"), "DKK")],
    "currency unknown_currency": [
        partial(ANY, 1, code) for code in ("dkk", "XYZ", None, 208, b"DKK", ["DKK"])
    ],
    # The point is the only decimal mark, digits stand together, the currency comes last.
    " not_an_amount": [
        partial(Amount.parse, text)
        for text in (
            *("DKK 8500", "8500,00 DKK", "", "kr. 8500", ". DKK", "NaN DKK", "1_000 DKK"),
            # Digits of another script, which Python reads as numbers.
            *("\N{ARABIC-INDIC DIGIT ONE} DKK", "1e9999999999999999999 DKK"),
        )
    ],
    " currency_mismatch": [
        partial(getattr(RENT, name), Amount(1, "EUR"))
        for name in ("__add__", "__sub__", "__lt__", "__le__")
    ],
    # Refused, not rounded.
    " too_many_decimals": [
        partial(units_of, Amount.parse(text)) for text in ("8500.001 DKK", "0.5 JPY")
    ],
}


@rows("found", REFUSED)
def test_what_cannot_be_used_is_refused_at_its_place(found: str) -> None:
    for call in REFUSED[found]:
        error = refused(call)
        (problem,) = error.problems
        assert found == f"{problem.path} {problem.code}"
        assert len(str(error)) < 1300


def test_a_currency_is_never_assumed() -> None:
    for text in ("8500", "8500.00"):
        with pytest.raises(errors.InvalidAmountError, match=r"expected a text such as 8500.00 DKK"):
            Amount.parse(text)
    with pytest.raises(errors.UnknownWordError, match="expected DKK, in capital letters"):
        Amount.parse("8500 dkk")
    assert isinstance(refused(lambda: RENT + Amount(1, "EUR")), errors.CurrencyMismatchError)
    assert "208" == refused(lambda: ANY(1, 208)).problems[0].met


@rows(
    ("text", "meant"),
    [
        ("1.23456789012345678", "1.23456789012346"),
        ("-0.1234567890123456", "-0.123456789012346"),
        ("12345678901234.56", "12345678901234.6"),
        ("99999999999999.99", "100000000000000"),
        # Only what would be taken is suggested, and no million decimals are written out.
        *(
            (text, "")
            for text in ("1e-999999", "1e-99999999", "0.012345678901234567", "999999999999999.9")
        ),
    ],
)
def test_the_number_that_is_suggested_is_taken(text: str, meant: str) -> None:
    (problem,) = refused(lambda: number(D(text))).problems
    assert problem.expected == "at most 15" + (f", such as {meant}" if meant else "")
    assert not meant or meant == f"{number(D(meant)):f}"


SENTENCES: list[tuple[Call, str]] = [
    (
        lambda: divide(1, 2, "bankers"),
        (
            "is not a rounding mode (met 'bankers'; expected one of half_up, half_even, half_down,"
            " up, down)"
        ),
    ),
    (
        lambda: rounded(D("NaN"), 2),
        "is not a finite number (met NaN; expected a number such as 8500.00)",
    ),
    (
        lambda: rounded(D("1E+1000"), 2),
        "has too many digits (met 1E+1000; expected at most 1000 before and after the point)",
    ),
    (
        lambda: number(-(10**15)),
        "has more than 15 digits before the point (met -1000000000000000; expected at most 15)",
    ),
    (
        lambda: number(D("1E+15")),
        "has more than 15 digits before the point (met 1E+15; expected at most 15)",
    ),
    (
        lambda: number(D("12345678901234.56")),
        (
            "has 16 significant digits (met 12345678901234.56; expected at most 15, such as"
            " 12345678901234.6)"
        ),
    ),
    (
        lambda: number(D("1.00000000000000001E-15")),
        (
            "has 18 significant digits (met 1.00000000000000001E-15; expected at most 15, such as"
            " 0.000000000000001)"
        ),
    ),
    (lambda: number(D("1.2000E-15")), "has 16 decimals (met 1.2000E-15; expected at most 15)"),
    # In binary numbers it is not 0.3, and nobody means the difference.
    (
        lambda: number(0.1 + 0.2),
        "has 17 significant digits (met 0.30000000000000004; expected at most 15, such as 0.3)",
    ),
    (
        lambda: number_of("8500"),
        "is not a number (met '8500'; expected a number such as 8500.00, and not its text)",
    ),
    (
        lambda: number(D("Infinity")),
        "is not a finite number (met Infinity; expected a number such as 8500.00)",
    ),
    (
        lambda: exact_number(0.25, "0.25"),
        'is not an exact number (met 0.25; expected Decimal("0.25") or "0.25")',
    ),
    (
        lambda: ANY(8500.5, "DKK"),
        'amount: is not an exact number (met 8500.5; expected Decimal("8500.00") or "8500.00")',
    ),
    (
        lambda: Amount.parse("kr. 8500"),
        "is not an amount (met 'kr. 8500'; expected a text such as 8500.00 DKK)",
    ),
    (lambda: RENT + Amount(1, "EUR"), "is another currency (met 'EUR'; expected DKK)"),
    (
        lambda: units_of(Amount.parse("0.5 JPY")),
        "has more decimals than its currency (met 0.5; expected at most 0)",
    ),
]


@rows(("call", "sentence"), SENTENCES)
def test_input_is_refused_in_a_sentence(call: Call, sentence: str) -> None:
    assert sentence == str(refused(call))


MISUSED: list[tuple[Call, str]] = [
    (lambda: Amount("8500 DKK"), "write Amount.parse('8500 DKK') for a text with a currency"),
    *(
        (
            lambda a=a, b=b, mode=mode: divide(a, b, mode),
            f"divide_rounded takes whole numbers, not {said}",
        )
        for mode in ROUNDINGS
        for a, b, said in [
            *((1.5, 2, "1.5 and 2"), (-1.5, 2, "-1.5 and 2"), (3, 2.0, "3 and 2.0")),
            *(
                (D(3), 2, "3 and 2"),
                (3, Fraction(2), "3 and Fraction(2, 1)"),
                ("3", 2, "'3' and 2"),
            ),
            (None, 2, "None and 2"),
        ]
    ),
    *(
        (
            lambda value=value: rounded(value, 2),  # pyright: ignore[reportArgumentType]
            f"an exact number is needed, a Decimal, Fraction or int, not {value!r}",
        )
        for value in (1.5, True, "1.5", None, [1])
    ),
    *(
        (
            lambda places=places: rounded(1, places),  # pyright: ignore[reportArgumentType]
            f"rounded takes from 0 to 1000 places, not {places!r}",
        )
        for places in (-1, 1001, 10**9, 2.0, True, None, "2")
    ),
    *(
        (
            lambda given=given: ANY(5, "PTS", currencies=given),
            "private currencies are a mapping by code, not",
        )
        for given in (None, "PTS", ["PTS"], 5)
    ),
    *(
        (
            lambda text=text: Amount.parse(text),  # pyright: ignore[reportArgumentType]
            f"Amount.parse takes a text such as 8500.00 DKK, not {text!r}",
        )
        for text in (None, 8500, b"8500.00 DKK", ["8500.00 DKK"])
    ),
    # `sum` begins with 0; nobody knows the currency of 5, and 0.0 is a binary number.
    *(
        (lambda start=start: start + RENT, "an Amount is needed, such as ")  # pyright: ignore[reportOperatorIssue]
        for start in (5, 0.0, False, D(0), "0")
    ),
    (lambda: "5" + rent, "an Amount is needed, such as "),
    *(
        (lambda name=name: getattr(RENT, name)(5), "an Amount is needed, such as ")
        for name in ("__add__", "__sub__", "__lt__", "__le__")
    ),
    (partial(units, 8500), "an Amount is needed, such as "),
]


@rows(("call", "sentence"), MISUSED)
def test_misuse_is_refused_in_a_sentence(call: Call, sentence: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value).startswith(sentence)


@rows("mode", ROUNDINGS)
def test_a_division_by_nothing_gets_pythons_own_error(mode: Rounding) -> None:
    for numerator in (-1, 0, 1):
        with pytest.raises(ZeroDivisionError):
            divide_rounded(numerator, 0, mode)


# The caller's context.

CONTEXTS = {
    "poor": Context(prec=6, rounding=ROUND_DOWN),
    "strict": Context(prec=3, traps=[Inexact, Rounded]),
    "lax": Context(traps=[], capitals=0),
    "narrow": Context(Emax=3, Emin=-3, clamp=1, traps=[Inexact, InvalidOperation]),
}


@rows("context", CONTEXTS.values(), ids=CONTEXTS)
def test_a_decimal_context_of_the_caller_changes_nothing(context: Context) -> None:
    """No figure, no comparison, and no refusal (A1)."""
    big = Amount(D("1234567890123.45"), "DKK")

    def told() -> list[object]:
        # Of a refusal the case of an exponent is the context's.
        refusals = [str(refused(call)).upper() for call, _ in SENTENCES]
        return [
            *(str(call()) for call, _ in WRITTEN if context is CONTEXTS["poor"]),
            *(str(big + CENT), str(big - CENT), str(-big), big < big + CENT, units_of(big)),
            *(str(rounded(D("1234567890123.455"), 2)), str(number(0.1)), str(number(Reading(2.5)))),
            *refusals,
        ]

    expected = told()
    with localcontext(context):
        assert expected == told()
