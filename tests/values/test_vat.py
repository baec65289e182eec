"""The VAT of an item: a mode, and a rate as a fraction where VAT is charged (A5, A27, A28)."""

import pickle
from decimal import Decimal
from typing import Any, cast

import pytest

from rentbilling.errors import (
    InvalidVatError,
    MissingFactError,
    UnknownTaxModeError,
    UnknownWordError,
)
from rentbilling.values import TAX_MODES, Vat

QUARTER = Decimal("0.25")


def refusal(tax_mode: object, tax_rate: object = None) -> list[tuple[str, str]]:
    with pytest.raises(InvalidVatError) as caught:
        Vat(cast("Any", tax_mode), cast("Any", tax_rate))
    return [(problem.path, problem.code) for problem in caught.value.problems]


class TestModes:
    """Four words, in any case (A27)."""

    @pytest.mark.parametrize("mode", TAX_MODES)
    @pytest.mark.parametrize("spell", [str, str.lower, str.upper, str.swapcase])
    def test_a_mode_is_read_in_any_case(self, mode: str, spell: Any) -> None:  # noqa: ANN401
        """It is kept as the interface writes it (A27)."""
        vat = Vat(spell(mode), QUARTER)

        assert mode == vat.tax_mode

    @pytest.mark.parametrize(
        "word",
        ["Zero", "", "Exclusive ", "exclu sive", "Margin", None, 5, b"Exempt", ["Exempt"]],
        ids=repr,
    )
    def test_an_unknown_word_is_refused(self, word: object) -> None:
        """Also what is no word (A27)."""
        assert [("taxMode", "unknown_tax_mode")] == refusal(word)

    def test_the_refusal_of_a_word_names_the_known_ones(self) -> None:
        """A caller who looks for unknown words finds it as one (A27)."""
        with pytest.raises(UnknownWordError, match="Exclusive, Inclusive, Exempt, ReverseCharge"):
            Vat("Zero")

    def test_an_unknown_mode_is_wrong_vat_and_an_unknown_word(self) -> None:
        assert (True, True) == (
            issubclass(UnknownTaxModeError, InvalidVatError),
            issubclass(UnknownTaxModeError, MissingFactError),
        )


class TestRates:
    """A rate is a fraction from 0 to 1, required where VAT is charged (A5, A28)."""

    @pytest.mark.parametrize("mode", ["Exclusive", "Inclusive"])
    @pytest.mark.parametrize("rate", [Decimal(0), QUARTER, Decimal("0.055"), Decimal(1), 0, 1])
    def test_a_fraction_is_kept(self, mode: str, rate: Decimal | int) -> None:
        assert rate == Vat(mode, rate).tax_rate

    @pytest.mark.parametrize(
        ("rate", "said"),
        [("1.0001", "is above 1"), ("1.5", "is above 1"), ("-0.0001", "is below 0")],
    )
    def test_a_refused_rate_is_told_on_which_side_it_lies(self, rate: str, said: str) -> None:
        """Just above 1 as far above it (A5)."""
        with pytest.raises(InvalidVatError, match=said):
            Vat("Exclusive", Decimal(rate))

    @pytest.mark.parametrize("mode", ["Exclusive", "Inclusive"])
    def test_a_mode_that_charges_needs_a_rate(self, mode: str) -> None:
        """No rate is assumed (A28)."""
        assert [("taxRate", "missing_rate")] == refusal(mode)

    @pytest.mark.parametrize("mode", ["Exempt", "ReverseCharge"])
    def test_a_mode_that_charges_nothing_needs_none(self, mode: str) -> None:
        """What is not there is not shown (A28)."""
        assert None is Vat(mode).tax_rate

    @pytest.mark.parametrize("mode", ["Exempt", "ReverseCharge"])
    def test_a_rate_beside_an_untaxed_mode_is_kept_and_charges_nothing(self, mode: str) -> None:
        """The record says what it was given (A28)."""
        vat = Vat(mode, QUARTER)

        assert (QUARTER, Decimal(0)) == (vat.tax_rate, vat.charged_rate)

    def test_a_percentage_is_no_fraction(self) -> None:
        """25 would be 2500 percent; the refusal says what is meant (A5)."""
        with pytest.raises(InvalidVatError, match=r"above 1 .*0\.25 means 25 percent"):
            Vat("Exclusive", 25)

    @pytest.mark.parametrize("mode", TAX_MODES)
    @pytest.mark.parametrize("rate", ["25", "1.0001", "-0.25"])
    def test_a_rate_outside_0_to_1_is_refused(self, mode: str, rate: str) -> None:
        """Beside the untaxed modes, too (A5)."""
        assert [("taxRate", "out_of_range")] == refusal(mode, Decimal(rate))

    @pytest.mark.parametrize(
        ("rate", "code"),
        [
            (Decimal("NaN"), "not_finite"),
            (Decimal("sNaN"), "not_finite"),
            (Decimal("Infinity"), "not_finite"),
            (Decimal("1e999999"), "too_many_digits"),
            (Decimal("0.1234567890123456"), "too_many_digits"),
            (Decimal("1e-16"), "too_many_digits"),
            (0.25, "not_a_number"),
            (True, "not_a_number"),
            ("0.25", "not_a_number"),
        ],
        ids=repr,
    )
    def test_what_is_no_exact_number_is_no_rate(self, rate: object, code: str) -> None:
        assert [("taxRate", code)] == refusal("Exclusive", rate)

    @pytest.mark.parametrize("rate", [0.25, "0.25", True, [1]], ids=repr)
    def test_the_refusal_shows_the_rate_that_was_given(self, rate: object) -> None:
        with pytest.raises(InvalidVatError) as caught:
            Vat("Exclusive", cast("Any", rate))

        (problem,) = caught.value.problems
        assert (repr(rate), "a fraction such as 0.25") == (problem.met, problem.expected)

    def test_a_wrong_mode_and_a_wrong_rate_are_named_together(self) -> None:
        assert [
            ("taxMode", "unknown_tax_mode"),
            ("taxRate", "out_of_range"),
        ] == refusal("Zero", 25)

    @pytest.mark.parametrize(
        ("vat", "expected"),
        [
            (Vat("Exclusive", QUARTER), ("Exclusive", QUARTER)),
            (Vat("Inclusive", Decimal(0)), ("Inclusive", Decimal(0))),
            (Vat("Exempt", QUARTER), ("Exempt", Decimal(0))),
            (Vat("ReverseCharge"), ("ReverseCharge", Decimal(0))),
        ],
        ids=str,
    )
    def test_totals_are_grouped_by_mode_and_charged_rate(
        self, vat: Vat, expected: tuple[str, Decimal]
    ) -> None:
        """Untaxed modes are one group each, whatever rate was given (A30)."""
        assert expected == vat.category


class TestVatIsAValue:
    """Equal by mode and rate, frozen, hashable, picklable."""

    def test_rates_compare_as_numbers(self) -> None:
        """0.25 is 0.250, in any spelling of the mode (A30)."""
        vat, same = Vat("Exclusive", QUARTER), Vat("exclusive", Decimal("0.250"))

        assert (True, hash(vat)) == (vat == same, hash(same))

    @pytest.mark.parametrize(
        "other",
        [Vat("Inclusive", QUARTER), Vat("Exclusive", Decimal("0.19")), "Exclusive", None],
        ids=repr,
    )
    def test_another_mode_or_rate_is_another_vat(self, other: object) -> None:
        assert other != Vat("Exclusive", QUARTER)

    def test_no_rate_is_not_the_rate_0(self) -> None:
        assert Vat("Exempt") != Vat("Exempt", Decimal(0))

    @pytest.mark.parametrize("name", ["tax_mode", "tax_rate", "charged_rate", "category", "note"])
    def test_a_vat_cannot_be_changed(self, name: str) -> None:
        with pytest.raises(AttributeError):
            setattr(Vat("Exempt"), name, "Exclusive")

    @pytest.mark.parametrize("vat", [Vat("Exclusive", QUARTER), Vat("Exempt")], ids=repr)
    def test_a_vat_pickles(self, vat: Vat) -> None:
        again = pickle.loads(pickle.dumps(vat))

        assert (vat, vat.tax_rate) == (again, again.tax_rate)

    @pytest.mark.parametrize(
        ("vat", "expected"),
        [
            (Vat("Exclusive", QUARTER), "Vat('Exclusive', Decimal('0.25'))"),
            (Vat("Exempt"), "Vat('Exempt')"),
        ],
        ids=str,
    )
    def test_a_vat_shows_the_call_that_makes_it(self, vat: Vat, expected: str) -> None:
        assert expected == repr(vat)
