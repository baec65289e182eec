"""Numbers are exact, rounding happens once and symmetrically, currencies never meet."""

import pickle
from collections.abc import Callable
from decimal import ROUND_DOWN, Context, Decimal, Inexact, InvalidOperation, Rounded, localcontext
from fractions import Fraction
from typing import Any, cast

import pytest

from rentbilling.errors import (
    CurrencyMismatchError,
    InvalidAmountError,
    InvalidInputError,
    UnknownWordError,
    shown,
)
from rentbilling.values.money import (
    ROUNDINGS,
    Amount,
    Rounding,
    decimal_of,
    divide_rounded,
    exact_number,
    number,
    rounded,
    units_of,
)

POOR = Context(prec=6, rounding=ROUND_DOWN)
"""What a caller may have set for figures of their own."""

RENT = Amount(Decimal("8500.00"), "DKK")
TINY = Decimal("0.01")


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


def code_of(error: InvalidInputError) -> tuple[str, str]:
    (problem,) = error.problems
    return problem.path, problem.code


class TestRounding:
    """One rounding, the same for charges and credits (A3, A26)."""

    # Quarters of 1: 1.25, 1.5, 1.75 and the tie below an even number, 2.5.
    @pytest.mark.parametrize(
        ("mode", "expected"),
        [
            ("half_up", [1, 2, 2, 3]),
            ("half_even", [1, 2, 2, 2]),
            ("half_down", [1, 1, 2, 2]),
            ("up", [2, 2, 2, 3]),
            ("down", [1, 1, 1, 2]),
        ],
    )
    def test_each_mode_goes_its_way(self, mode: Rounding, expected: list[int]) -> None:
        found = [divide_rounded(quarters, 4, mode) for quarters in (5, 6, 7, 10)]

        assert expected == found

    @pytest.mark.parametrize("mode", ROUNDINGS)
    @pytest.mark.parametrize("quarters", range(13))
    def test_a_credit_rounds_like_the_charge_it_takes_back(
        self, mode: Rounding, quarters: int
    ) -> None:
        """Whichever of the two numbers carries the sign, or both (A26)."""
        charge = divide_rounded(quarters, 4, mode)

        assert (-charge, -charge, charge) == (
            divide_rounded(-quarters, 4, mode),
            divide_rounded(quarters, -4, mode),
            divide_rounded(-quarters, -4, mode),
        )

    @pytest.mark.parametrize("mode", ROUNDINGS)
    @pytest.mark.parametrize("whole", [-3, 0, 3])
    def test_a_whole_quotient_stays_as_it_is(self, mode: Rounding, whole: int) -> None:
        assert whole == divide_rounded(whole * 7, 7, mode)

    def test_a_whisker_beside_the_tie_is_no_tie(self) -> None:
        """With 40 digits a division of decimals would have met the tie itself."""
        tie = 5 * 10**39

        found = [divide_rounded(tie + off, 10**40) for off in (-1, 0, 1)]

        assert [0, 1, 1] == found

    @pytest.mark.parametrize("mode", ["half_up", "half_even", "half_down"])
    def test_the_nearest_is_taken_however_near_the_tie(self, mode: Rounding) -> None:
        assert [1, 0] == [divide_rounded(fifths, 5, mode) for fifths in (3, 2)]

    @pytest.mark.parametrize("mode", ["bankers", "HALF_UP", ""])
    def test_an_unknown_mode_is_refused(self, mode: Rounding) -> None:
        with pytest.raises(UnknownWordError, match="one of half_up, half_even") as caught:
            divide_rounded(1, 2, mode)

        assert ("", "unknown_word") == code_of(caught.value)

    @pytest.mark.parametrize("mode", ROUNDINGS)
    @pytest.mark.parametrize("numerator", [-1, 0, 1])
    def test_a_division_by_nothing_is_no_rounding(self, numerator: int, mode: Rounding) -> None:
        with pytest.raises(ZeroDivisionError):
            divide_rounded(numerator, 0, mode)

    @pytest.mark.parametrize("mode", ROUNDINGS)
    @pytest.mark.parametrize(
        ("numerator", "denominator"),
        [(1.5, 2), (-1.5, 2), (3, 2.0), (Decimal(3), 2), (3, Fraction(2)), ("3", 2), (None, 2)],
        ids=repr,
    )
    def test_only_integers_are_divided(
        self, numerator: object, denominator: object, mode: Rounding
    ) -> None:
        with pytest.raises(TypeError, match="divide_rounded takes whole numbers") as caught:
            divide_rounded(cast("Any", numerator), cast("Any", denominator), mode)

        assert str(caught.value).endswith(f"{shown(numerator)} and {shown(denominator)}")

    @pytest.mark.parametrize(
        ("value", "places", "expected"),
        [
            # 17 of 31 days of 8500: 144500 / 31 = 4661.290…
            (Fraction(8500 * 17, 31), 2, "4661.29"),
            (Decimal("2.675"), 2, "2.68"),
            (Decimal("-2.675"), 2, "-2.68"),
            (Decimal("0.004"), 2, "0.00"),
            (5, 2, "5.00"),
            (Decimal("2.5"), 0, "3"),
            (Fraction(1, 3), 6, "0.333333"),
        ],
    )
    def test_a_rounded_value_has_exactly_the_places_asked_for(
        self, value: Decimal | Fraction | int, places: int, expected: str
    ) -> None:
        """2.675 is exactly that, where a binary number would be a little less."""
        found = rounded(value, places)

        assert expected == str(found)

    def test_rounding_takes_the_mode(self) -> None:
        """0.125 lies between 0.12 and 0.13, the even one is 0.12."""
        assert Decimal("0.12") == rounded(Decimal("0.125"), 2, "half_even")

    @pytest.mark.parametrize("value", [1.5, True, "1.5", None, [1]], ids=repr)
    def test_only_an_exact_number_is_rounded(self, value: object) -> None:
        """1.5 is exact in binary, but the next one is not; true is no 1."""
        with pytest.raises(TypeError, match="an exact number is needed"):
            rounded(cast("Any", value), 2)

    @pytest.mark.parametrize(
        ("value", "code"),
        [
            (Decimal("NaN"), "not_finite"),
            (Decimal("sNaN"), "not_finite"),
            (Decimal("-Infinity"), "not_finite"),
            (Decimal("1e99999999"), "too_many_digits"),
            (Decimal("1e-99999999"), "too_many_digits"),
            (Decimal("1e1000"), "too_many_digits"),
            (Decimal("1e-1001"), "too_many_digits"),
            (10**1000, "too_many_digits"),
            (Fraction(-(10**1000)), "too_many_digits"),
        ],
        ids=lambda value: str(value)[:20],
    )
    def test_what_is_too_long_to_compute_with_is_refused(
        self, value: Decimal | Fraction | int, code: str
    ) -> None:
        """At once, without writing out its digits: beyond 1,000 before or after the point."""
        with pytest.raises(InvalidAmountError) as caught:
            rounded(value, 2)

        assert ("", code) == code_of(caught.value)

    @pytest.mark.parametrize(
        ("value", "places", "expected"),
        [
            (10**1000 - 1, 0, Decimal(10**1000 - 1)),
            (Decimal("9e999"), 0, Decimal(9 * 10**999)),
            (Decimal("1e-1000"), 1000, Decimal("1e-1000")),
            (Decimal("0e99999999"), 2, Decimal(0)),
            (Fraction(1, 10**2000), 3, Decimal(0)),
        ],
        ids=["int", "large", "small", "zero", "fraction"],
    )
    def test_a_thousand_digits_are_still_rounded(
        self, value: Decimal | Fraction | int, places: int, expected: Decimal
    ) -> None:
        assert expected == rounded(value, places)

    @pytest.mark.parametrize("places", [-1, 1001, 10**9, 2.0, True, None, "2"], ids=repr)
    def test_places_are_a_whole_number_up_to_a_thousand(self, places: object) -> None:
        with pytest.raises(TypeError, match=r"rounded takes from 0 to 1000 places"):
            rounded(1, cast("Any", places))

    @pytest.mark.parametrize(
        ("units", "places", "expected"),
        [(850000, 2, "8500.00"), (-5, 2, "-0.05"), (0, 2, "0.00"), (7, 0, "7"), (1, 3, "0.001")],
    )
    def test_minor_units_are_written_with_their_places(
        self, units: int, places: int, expected: str
    ) -> None:
        """850000 øre are 8500.00 kroner."""
        assert expected == str(decimal_of(units, places))


class TestNumbers:
    """A number has at most 15 significant digits, exact to the last (A1)."""

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (8500, "8500"),
            (Decimal("8500.10"), "8500.10"),
            (Decimal(999999999999999), "999999999999999"),
            (-999_999_999_999_999, "-999999999999999"),
            (Decimal("9999999999999.99"), "9999999999999.99"),
            (Decimal("0.000000000000001"), "1E-15"),
            (Decimal("1234567890123.40"), "1234567890123.40"),
            (Decimal("0.000000000000010"), "1.0E-14"),
            (Decimal("0.00"), "0.00"),
            (Decimal("0E-15"), "0E-15"),
        ],
        ids=str,
    )
    def test_fifteen_digits_are_kept_as_they_are(self, value: Decimal | int, expected: str) -> None:
        assert expected == str(number(value))

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("8500.00000000000000000000", "8500"),
            ("123456789012345.000", "123456789012345"),
            ("0.1000000000000000000", "0.1"),
            ("-1.250000000000000000", "-1.25"),
            # Fifteen decimals, of which none is lost.
            ("0.0000000000000010", "1E-15"),
        ],
    )
    def test_zeros_at_the_end_are_no_digits(self, text: str, expected: str) -> None:
        assert expected == str(number(Decimal(text)))

    @pytest.mark.parametrize("text", ["-0", "-0.00", "0E+500", "0E-500", "-0E-20"])
    def test_there_is_one_plain_zero(self, text: str) -> None:
        assert "0" == str(number(Decimal(text)))

    @pytest.mark.parametrize(
        "value",
        [
            10**15,
            -(10**15),
            Decimal(1234567890123456),
            Decimal("12345678901234.56"),
            Decimal("1E+15"),
            Decimal("1e999999"),
            Decimal("-1e999999"),
            Decimal("1E-16"),
            Decimal("0.1234567890123456"),
        ],
        ids=str,
    )
    def test_sixteen_digits_are_refused(self, value: object) -> None:
        """1e999999 at once, without writing out its million digits."""
        with pytest.raises(InvalidAmountError) as caught:
            number(value)

        assert ("", "too_many_digits") == code_of(caught.value)
        assert len(str(caught.value)) < 200

    def test_float_noise_is_refused_with_the_number_that_was_meant(self) -> None:
        """0.1 + 0.2 in binary numbers is not 0.3, and nobody means the difference."""
        with pytest.raises(InvalidAmountError, match=r"such as 0\.3\)"):
            number(0.1 + 0.2)

    @pytest.mark.parametrize(
        "text", ["1e-999999", "1e-99999999", "0.012345678901234567", "999999999999999.9"]
    )
    def test_only_what_would_be_taken_is_suggested(self, text: str) -> None:
        # 0.0123456789012346 has 16 decimals, 1000000000000000 has 16 digits.
        with pytest.raises(InvalidAmountError) as caught:
            number(Decimal(text))

        (problem,) = caught.value.problems
        assert ("too_many_digits", "at most 15") == (problem.code, problem.expected)

    @pytest.mark.parametrize(
        ("text", "meant"),
        [
            ("1.23456789012345678", "1.23456789012346"),
            ("-0.1234567890123456", "-0.123456789012346"),
            ("12345678901234.56", "12345678901234.6"),
            ("99999999999999.99", "100000000000000"),
        ],
    )
    def test_the_number_that_is_suggested_is_taken(self, text: str, meant: str) -> None:
        """It has at most 15 digits and 15 decimals."""
        with pytest.raises(InvalidAmountError) as caught:
            number(Decimal(text))

        (problem,) = caught.value.problems
        assert (f"at most 15, such as {meant}", meant) == (
            problem.expected,
            f"{number(Decimal(meant)):f}",
        )

    @pytest.mark.parametrize(
        ("value", "expected"), [(0.1, "0.1"), (8500.5, "8500.5"), (Reading(2.5), "2.5")]
    )
    def test_a_binary_number_is_the_decimal_that_it_prints_as(
        self, value: object, expected: str
    ) -> None:
        assert expected == str(number(value))

    @pytest.mark.parametrize(
        "value",
        [Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("-Infinity"), float("nan")],
        ids=str,
    )
    def test_what_is_not_finite_is_refused(self, value: object) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            number(value)

        assert ("", "not_finite") == code_of(caught.value)

    def test_a_number_that_prints_as_none_is_not_finite(self) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            number(Unprintable(2.5))

        assert ("", "not_finite") == code_of(caught.value)

    @pytest.mark.parametrize("given", [0.25, "0.25", True, None, Fraction(1, 4)], ids=repr)
    def test_a_number_by_hand_is_exact(self, given: object) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            exact_number(given, "a fraction such as 0.25")

        (problem,) = caught.value.problems
        assert ("not_a_number", repr(given)) == (problem.code, problem.met)

    def test_an_exact_number_by_hand_is_kept(self) -> None:
        assert "0.250" == str(exact_number(Decimal("0.250"), "a fraction"))

    @pytest.mark.parametrize(
        "value", [True, False, "8500", None, Fraction(1, 2), 1 + 0j, [1]], ids=repr
    )
    def test_what_is_no_decimal_number_is_refused(self, value: object) -> None:
        """True is no 1, a text is read elsewhere, 1/3 has no end as a decimal."""
        with pytest.raises(InvalidAmountError) as caught:
            number(value)

        assert ("", "not_a_number") == code_of(caught.value)


class TestMakingAmounts:
    """An amount is an exact number and a known currency (A1, A2)."""

    def test_an_amount_may_be_finer_than_its_currency(self) -> None:
        """A kilowatt hour costs 0.1255."""
        assert Decimal("0.1255") == Amount(Decimal("0.1255"), "DKK").amount

    def test_a_whole_number_will_do(self) -> None:
        """8500 kroner need no decimals."""
        assert RENT == Amount(8500, "DKK")

    @pytest.mark.parametrize("given", [8500.0, True, "8500", None, Fraction(1)], ids=repr)
    def test_only_exact_numbers_make_an_amount(self, given: object) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            Amount(cast("Any", given), "DKK")

        assert ("amount", "not_exact") == code_of(caught.value)

    @pytest.mark.parametrize(
        ("text", "code"), [("NaN", "not_finite"), ("1e999999", "too_many_digits")]
    )
    def test_a_number_that_cannot_be_used_is_refused_at_its_place(
        self, text: str, code: str
    ) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            Amount(Decimal(text), "DKK")

        assert ("amount", code) == code_of(caught.value)

    @pytest.mark.parametrize("currency", ["dkk", "XYZ", None, 208, b"DKK", ["DKK"]], ids=repr)
    def test_an_unknown_currency_is_refused(self, currency: object) -> None:
        with pytest.raises(UnknownWordError) as caught:
            Amount(1, cast("Any", currency))

        assert ("currency", "unknown_currency") == code_of(caught.value)
        assert repr(currency) == caught.value.problems[0].met

    @pytest.mark.parametrize("currencies", [None, "PTS", ["PTS"], 5], ids=repr)
    def test_private_currencies_are_a_mapping(self, currencies: object) -> None:
        with pytest.raises(TypeError, match="private currencies are a mapping by code, not"):
            Amount(5, "PTS", currencies=cast("Any", currencies))

    def test_a_private_currency_is_known_where_it_is_given(self) -> None:
        points = Amount(5, "PTS", currencies={"PTS": 0})

        assert "5 PTS" == str(points)

    @pytest.mark.parametrize("text", [None, 8500, b"8500.00 DKK", ["8500.00 DKK"]], ids=repr)
    def test_only_a_text_is_read(self, text: object) -> None:
        with pytest.raises(TypeError, match=r"takes a text such as 8500\.00 DKK, not"):
            Amount.parse(cast("Any", text))

    @pytest.mark.parametrize(
        ("text", "expected"), [("+5 DKK", 5), ("1e3 DKK", 1000), ("5. DKK", 5), (".5 DKK", "0.5")]
    )
    def test_a_figure_is_written_as_python_writes_decimals(
        self, text: str, expected: int | str
    ) -> None:
        assert Amount(Decimal(expected), "DKK") == Amount.parse(text)

    @pytest.mark.parametrize("text", ["8500.00 DKK", "-12.5 EUR", "0.1255 DKK", "1500 JPY"])
    def test_a_text_is_read_and_written_alike(self, text: str) -> None:
        assert text == str(Amount.parse(text))

    @pytest.mark.parametrize(
        "text",
        [
            "DKK 8500",
            "8500,00 DKK",
            "",
            "kr. 8500",
            ". DKK",
            "NaN DKK",
            "1_000 DKK",
            # Digits of another script, which Python reads as numbers.
            "\N{ARABIC-INDIC DIGIT ONE} DKK",
            "1e9999999999999999999 DKK",
        ],
        ids=lambda text: ascii(text).replace("\\", "/"),
    )
    def test_a_text_of_another_form_is_refused(self, text: str) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            Amount.parse(text)

        assert ("", "not_an_amount") == code_of(caught.value)

    @pytest.mark.parametrize("text", ["8500", "8500.00DKK"[:7], "8500 dkk"])
    def test_a_text_without_a_known_currency_is_refused(self, text: str) -> None:
        with pytest.raises(UnknownWordError):
            Amount.parse(text)


class TestArithmetic:
    """Amounts of one currency add exactly (A2)."""

    def test_amounts_add_and_subtract(self) -> None:
        """8500.00 and 0.01 are 8500.01, and back."""
        more = RENT + Amount(TINY, "DKK")

        assert ("8500.01 DKK", RENT) == (str(more), more - Amount(TINY, "DKK"))

    def test_an_amount_turns_into_its_credit(self) -> None:
        assert ("-8500.00 DKK", "0.00 DKK") == (
            str(-RENT),
            str(-Amount(Decimal("0.00"), "DKK")),
        )

    def test_sums_beyond_fifteen_digits_stay_exact(self) -> None:
        """Two amounts of 15 digits meet 14 places apart."""
        total = Amount(999_999_999_999_999, "DKK") + Amount(Decimal("1E-15"), "DKK")

        assert "999999999999999.000000000000001 DKK" == str(total)

    def test_amounts_of_one_currency_have_an_order(self) -> None:
        small = Amount(1, "DKK")

        assert (True, False, True, True, False, [small, RENT]) == (
            small < RENT,
            RENT < Amount(8500, "DKK"),
            small <= RENT,
            RENT >= Amount(8500, "DKK"),
            small > RENT,
            sorted([RENT, small]),
        )

    def test_amounts_are_summed(self) -> None:
        """`sum` begins with 0, which is no amount of anything: 8500.00 + 8500.00 + 0.01."""
        total = sum([RENT, RENT, Amount(TINY, "DKK")])

        assert Amount(Decimal("17000.01"), "DKK") == total

    @pytest.mark.parametrize("start", [5, 0.0, False, Decimal(0), "0"], ids=repr)
    def test_nothing_but_the_0_of_a_sum_is_added_to(self, start: object) -> None:
        """Nobody knows the currency of 5, and 0.0 is a binary number."""
        with pytest.raises(TypeError, match="an Amount is needed, not"):
            _ = cast("Any", start) + RENT

    @pytest.mark.parametrize("operation", ["__add__", "__sub__", "__lt__", "__le__"])
    def test_two_currencies_never_meet(self, operation: str) -> None:
        with pytest.raises(CurrencyMismatchError) as caught:
            getattr(RENT, operation)(Amount(1, "EUR"))

        assert ("", "currency_mismatch") == code_of(caught.value)

    @pytest.mark.parametrize("operation", ["__add__", "__sub__", "__lt__", "__le__"])
    def test_an_amount_and_a_bare_number_do_not_mix(self, operation: str) -> None:
        """Nobody knows the currency of 5."""
        with pytest.raises(TypeError, match="an Amount is needed, not int"):
            getattr(RENT, operation)(5)


class TestAmountsAreValues:
    """Equal by value, frozen, hashable, picklable."""

    def test_amounts_are_equal_by_value(self) -> None:
        """8500 DKK is 8500.00 DKK, and hashes alike."""
        whole = Amount(8500, "DKK")

        assert (True, hash(RENT)) == (whole == RENT, hash(whole))

    def test_other_amounts_hash_apart(self) -> None:
        others = [RENT, Amount(8500, "SEK"), Amount(8501, "DKK"), -RENT]

        assert len(others) == len({hash(each) for each in others})

    @pytest.mark.parametrize(
        "other", [Amount(8500, "SEK"), Amount(8501, "DKK"), Decimal(8500), "8500.00 DKK"], ids=str
    )
    def test_another_number_or_currency_is_another_amount(self, other: object) -> None:
        assert other != RENT

    @pytest.mark.parametrize("name", ["amount", "currency", "note"])
    def test_an_amount_cannot_be_changed(self, name: str) -> None:
        with pytest.raises(AttributeError):
            setattr(RENT, name, "1")

    def test_an_amount_pickles(self) -> None:
        points = Amount(5, "PTS", currencies={"PTS": 0})

        again = pickle.loads(pickle.dumps([RENT, points]))

        assert ["8500.00 DKK", "5 PTS"] == [str(amount) for amount in again]

    def test_an_amount_shows_the_call_that_makes_it(self) -> None:
        assert "Amount(Decimal('8500.00'), 'DKK')" == repr(RENT)


class TestMinorUnits:
    """Amounts as whole numbers of the smallest coin (A2)."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [("8500.00 DKK", 850_000), ("-0.05 EUR", -5), ("1500 JPY", 1500), ("1.234 KWD", 1234)],
    )
    def test_an_amount_counts_its_coins(self, text: str, expected: int) -> None:
        """A krone is 100 øre, a yen is a yen, a dinar 1000 fils."""
        assert expected == units_of(Amount.parse(text))

    def test_private_minor_units_count(self) -> None:
        """5.5 points of one decimal are 55 tenths."""
        points = Amount(Decimal("5.5"), "PTS", currencies={"PTS": 1})

        assert 55 == units_of(points, {"PTS": 1})

    @pytest.mark.parametrize("text", ["8500.001 DKK", "0.5 JPY"])
    def test_an_amount_finer_than_its_currency_has_no_coins(self, text: str) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            units_of(Amount.parse(text))

        assert ("", "too_many_decimals") == code_of(caught.value)

    def test_only_an_amount_has_coins(self) -> None:
        with pytest.raises(TypeError, match="an Amount is needed, not int"):
            units_of(cast("Any", 8500))


class TestRefusals:
    """Every refusal is a sentence: what is wrong, what was met, what would be right."""

    @pytest.mark.parametrize(
        ("make", "expected"),
        [
            (
                lambda: divide_rounded(1, 2, cast("Any", "bankers")),
                (
                    "is not a rounding mode (met 'bankers'; expected one of half_up, half_even, "
                    "half_down, up, down)"
                ),
            ),
            (
                lambda: rounded(Decimal("NaN"), 2),
                "is not a finite number (met NaN; expected a number such as 8500.00)",
            ),
            (
                lambda: rounded(Decimal("1E+1000"), 2),
                (
                    "has too many digits (met 1E+1000; expected at most 1000 before and after the "
                    "point)"
                ),
            ),
            (
                lambda: number(-(10**15)),
                (
                    "has more than 15 digits before the point "
                    "(met -1000000000000000; expected at most 15)"
                ),
            ),
            (
                lambda: number(Decimal("1E+15")),
                "has more than 15 digits before the point (met 1E+15; expected at most 15)",
            ),
            (
                lambda: number(Decimal("12345678901234.56")),
                (
                    "has 16 significant digits (met 12345678901234.56; "
                    "expected at most 15, such as 12345678901234.6)"
                ),
            ),
            # The smallest of 15 decimals may be meant.
            (
                lambda: number(Decimal("1.00000000000000001E-15")),
                (
                    "has 18 significant digits (met 1.00000000000000001E-15; expected at most 15, "
                    "such as 0.000000000000001)"
                ),
            ),
            (
                lambda: number(Decimal("1.2000E-15")),
                "has 16 decimals (met 1.2000E-15; expected at most 15)",
            ),
            (
                lambda: number("8500"),
                "is not a number (met '8500'; expected a number such as 8500.00)",
            ),
            (
                lambda: number(Decimal("Infinity")),
                "is not a finite number (met Infinity; expected a number such as 8500.00)",
            ),
            (
                lambda: exact_number(0.25, "a fraction such as 0.25"),
                "is not an exact number (met 0.25; expected a fraction such as 0.25)",
            ),
            (
                lambda: Amount(cast("Any", 8500.5), "DKK"),
                'amount: is not an exact number (met 8500.5; expected Decimal("8500.00") or 8500)',
            ),
            (
                lambda: Amount.parse("kr. 8500"),
                "is not an amount (met 'kr. 8500'; expected a text such as 8500.00 DKK)",
            ),
            (
                lambda: RENT + Amount(1, "EUR"),
                "is another currency (met 'EUR'; expected DKK)",
            ),
            (
                lambda: units_of(Amount.parse("0.5 JPY")),
                "has more decimals than its currency (met 0.5; expected at most 0)",
            ),
        ],
    )
    def test_input_is_refused_in_a_sentence(
        self, make: Callable[[], object], expected: str
    ) -> None:
        """A person can put it right without opening this file (A1, A2, A3)."""
        with pytest.raises(InvalidInputError) as caught:
            make()

        place = "amount" if expected.startswith("amount: ") else ""
        assert (expected, place) == (str(caught.value), caught.value.problems[0].path)

    @pytest.mark.parametrize(
        ("make", "expected"),
        [
            (lambda: "5" + cast("Any", RENT), "an Amount is needed, not str"),
            (
                lambda: Amount.parse(cast("Any", 5)),
                "Amount.parse takes a text such as 8500.00 DKK, not 5",
            ),
            (lambda: rounded(1, -1), "rounded takes from 0 to 1000 places, not -1"),
            (
                lambda: rounded(cast("Any", "1.5"), 2),
                "an exact number is needed, a Decimal, Fraction or int, not '1.5'",
            ),
            (
                lambda: divide_rounded(cast("Any", 1.5), 2),
                "divide_rounded takes whole numbers, not 1.5 and 2",
            ),
        ],
    )
    def test_misuse_is_refused_in_a_sentence(
        self, make: Callable[[], object], expected: str
    ) -> None:
        with pytest.raises(TypeError) as caught:
            make()

        assert expected == str(caught.value)


class TestTheCallersContext:
    """A decimal context of six digits that rounds down changes no figure (A1)."""

    def test_nothing_depends_on_it(self) -> None:
        big = Amount(Decimal("1234567890123.45"), "DKK")

        def figures() -> list[object]:
            return [
                str(number(Decimal("123456789012345.00"))),
                str(big + Amount(TINY, "DKK")),
                str(big - Amount(TINY, "DKK")),
                str(-big),
                str(Amount.parse("1234567890123.45 DKK")),
                big < big + Amount(TINY, "DKK"),
                units_of(big),
                str(rounded(Decimal("1234567890123.455"), 2)),
                str(decimal_of(123_456_789_012_345, 2)),
            ]

        with localcontext(POOR):
            found = figures()

        assert figures() == found
        assert "1234567890123.46 DKK" == found[1]

    @pytest.mark.parametrize(
        "context",
        [
            POOR,
            Context(prec=3, traps=[Inexact, Rounded]),
            Context(traps=[], capitals=0),
            Context(Emax=3, Emin=-3, clamp=1, traps=[Inexact, InvalidOperation]),
        ],
        ids=["poor", "strict", "lax", "narrow"],
    )
    def test_what_is_refused_does_not_depend_on_it(self, context: Context) -> None:
        def refusals() -> list[str]:
            found: list[str] = []
            for make in (
                lambda: Amount(Decimal("1.23456789012345678"), "DKK"),
                lambda: Amount.parse("much DKK"),
                lambda: number(Unprintable(2.5)),
                lambda: rounded(Decimal("NaN"), 2),
            ):
                with pytest.raises(InvalidAmountError) as caught:
                    make()
                found.append(str(caught.value))
            return found

        with localcontext(context):
            found = refusals()

        assert refusals() == found
        assert "such as 1.23456789012346)" in found[0]

    @pytest.mark.parametrize("value", [0.1, Reading(2.5)], ids=repr)
    def test_a_binary_number_is_read_without_it(self, value: object) -> None:
        expected = number(value)

        with localcontext(Context(prec=1, traps=[])):
            found = number(value)

        assert expected == found
