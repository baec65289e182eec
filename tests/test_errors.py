"""Errors are data: code, facts and problems compare, pickle, and make the message."""

import pickle
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest

import rentbilling.errors
from rentbilling.errors import (
    ConflictError,
    CurrencyMismatchError,
    InvalidAdjustmentRuleError,
    InvalidAmountError,
    InvalidCycleError,
    InvalidDiscountError,
    InvalidDueDateRuleError,
    InvalidInputError,
    InvalidPeriodError,
    InvalidPolicyError,
    InvalidRecordError,
    InvalidVatError,
    MissingFactError,
    MissingIndexError,
    NotAllowedError,
    NotFoundError,
    Problem,
    RentBillingError,
    UnknownTaxModeError,
    UnknownTimeUnitError,
    UnknownWordError,
    UnsupportedCaseError,
    error_of,
    shown,
)

ABOVE_ONE = Problem("taxRate", "out_of_range", "is above 1", "25", "0.25")
NO_DATE = Problem("startedOn", "not_a_date", "is not a date", "'soon'", "YYYY-MM-DD")


@pytest.mark.parametrize(
    "kind",
    [
        InvalidRecordError,
        InvalidPeriodError,
        InvalidAmountError,
        CurrencyMismatchError,
        InvalidCycleError,
        InvalidDueDateRuleError,
        InvalidDiscountError,
        InvalidVatError,
        InvalidPolicyError,
        InvalidAdjustmentRuleError,
        UnknownWordError,
    ],
)
def test_what_can_never_be_billed_is_also_a_value_error(kind: type[InvalidInputError]) -> None:
    with pytest.raises(ValueError, match="is above 1") as caught:
        raise kind([ABOVE_ONE])

    assert isinstance(caught.value, RentBillingError)


@pytest.mark.parametrize("kind", [MissingFactError, MissingIndexError])
def test_a_missing_fact_is_also_a_lookup_error(kind: type[MissingFactError]) -> None:
    with pytest.raises(LookupError, match="needs the billing cycle"):
        raise kind("missing_cycle", fact="the cycle")


def test_an_unknown_word_is_a_wrong_input_and_a_missing_fact() -> None:
    error = UnknownWordError([ABOVE_ONE])

    assert (True, True) == (
        isinstance(error, InvalidInputError),
        isinstance(error, MissingFactError),
    )


@pytest.mark.parametrize(
    ("kind", "above"),
    [(UnknownTimeUnitError, InvalidCycleError), (UnknownTaxModeError, InvalidVatError)],
)
def test_a_word_of_a_cycle_or_a_vat_is_a_word_as_well(
    kind: type[InvalidInputError], above: type[InvalidInputError]
) -> None:
    """They are public, because callers meet them (A7, A27)."""
    assert kind is getattr(rentbilling.errors, kind.__name__)
    assert (True, True) == (issubclass(kind, above), issubclass(kind, UnknownWordError))


@pytest.mark.parametrize(
    "kind", [NotFoundError, ConflictError, NotAllowedError, UnsupportedCaseError]
)
def test_answers_of_operations_are_no_wrong_input(kind: type[RentBillingError]) -> None:
    error = kind("unsupported", case="a bill in the year 10000")

    assert (False, True) == (isinstance(error, ValueError), isinstance(error, RentBillingError))


class TestTheMessage:
    """The message is made from code and facts."""

    def test_the_facts_follow_the_code(self) -> None:
        error = UnsupportedCaseError("too_many_lines", lines=12, most=10)

        assert "the answer would have 12 lines, and policy.max_lines is 10" == str(error)

    def test_a_sentence_whose_facts_are_missing_is_not_said(self) -> None:
        assert "too_many_lines: lines 12" == str(UnsupportedCaseError("too_many_lines", lines=12))

    def test_a_code_without_facts_stands_alone(self) -> None:
        error = ConflictError("already_ended")

        assert "already_ended" == str(error)

    def test_every_problem_has_a_line_of_its_own(self) -> None:
        error = InvalidRecordError([ABOVE_ONE, NO_DATE])

        assert (
            "taxRate: is above 1 (met 25; expected 0.25)\n"
            "startedOn: is not a date (met 'soon'; expected YYYY-MM-DD)"
        ) == str(error)

    @pytest.mark.parametrize("problems", [[], "soon", [None], [NO_DATE, "soon"]])
    def test_an_error_is_made_of_problems(self, problems: Any) -> None:  # noqa: ANN401
        with pytest.raises(TypeError, match="has problems, at least one"):
            InvalidRecordError(problems)

    def test_a_problem_of_the_value_itself_has_no_path(self) -> None:
        error = InvalidVatError.of("", "out_of_range", "is above 1", Decimal(25), "0.25")

        assert "is above 1 (met 25; expected 0.25)" == str(error)


class TestErrorsAreValues:
    """Errors compare by class, code and facts, so that tests and callers can."""

    def test_the_code_of_an_error_is_that_of_its_first_problem(self) -> None:
        error = InvalidRecordError([NO_DATE, ABOVE_ONE])

        assert "not_a_date" == error.code

    def test_two_errors_with_the_same_problems_are_equal(self) -> None:
        error, same = InvalidVatError([ABOVE_ONE]), InvalidVatError([ABOVE_ONE])

        assert (True, hash(error)) == (error == same, hash(same))

    @pytest.mark.parametrize(
        "other",
        [
            InvalidRecordError([ABOVE_ONE]),
            InvalidVatError([NO_DATE]),
            InvalidVatError([ABOVE_ONE, NO_DATE]),
            "out_of_range",
        ],
    )
    def test_errors_of_another_class_or_with_other_problems_differ(self, other: object) -> None:
        error = InvalidVatError([ABOVE_ONE])

        assert error != other

    @pytest.mark.parametrize(
        "error",
        [
            InvalidVatError([ABOVE_ONE, NO_DATE]),
            UnknownWordError.of("currency", "unknown_currency", "is unknown", "XYZ", "DKK"),
            UnsupportedCaseError("too_many_lines", lines=12, most=10),
        ],
        ids=lambda error: type(error).__name__,
    )
    def test_an_error_pickles(self, error: RentBillingError) -> None:
        again = pickle.loads(pickle.dumps(error))

        assert (error, str(error)) == (again, str(again))


class TestPaths:
    """A path leads from what the caller handed in to what is wrong."""

    @pytest.mark.parametrize(
        ("path", "prefix", "expected"),
        [
            ("taxRate", "vat", "vat.taxRate"),
            ("[2].start", "vatRecords", "vatRecords[2].start"),
            ("", "vat", "vat"),
            ("taxRate", "", "taxRate"),
            ("", "", ""),
        ],
    )
    def test_a_prefix_goes_before_the_path(self, path: str, prefix: str, expected: str) -> None:
        problem = ABOVE_ONE._replace(path=path)

        assert expected == problem.under(prefix).path

    def test_every_path_of_an_error_goes_below_the_prefix(self) -> None:
        error = InvalidRecordError([ABOVE_ONE, NO_DATE]).under("items[0]")

        assert (InvalidRecordError, ["items[0].taxRate", "items[0].startedOn"]) == (
            type(error),
            [problem.path for problem in error.problems],
        )


class TestShown:
    """A value is quoted so that a person recognises it, and never at length."""

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            ("2026-13-01", "'2026-13-01'"),
            (None, "None"),
            (-5, "-5"),
            # 10^60 has 61 digits: 200 bits, and 3 digits in 10 bits make about 60.
            (10**60, "an integer of about 60 digits"),
            (-(10**60), "an integer of about 60 digits"),
            (10**60 - 1, "9" * 60),
            # A quote and 58 characters; the cut off rest is a single mark.
            ("x" * 1000, "'" + "x" * 58 + "…"),
            (b"x" * 1000, "b'" + "x" * 57 + "…"),
            ([1] * 100, ("[" + "1, " * 100)[:59] + "…"),
        ],
        ids=["text", "nothing", "number", "huge", "low", "long", "texts", "bytes", "list"],
    )
    def test_a_long_value_is_cut(self, value: object, expected: str) -> None:
        """At most 60 characters are shown, whatever was handed in."""
        text = shown(value)

        assert expected == text


class _Unspoken:
    """A type of a caller that cannot be written down."""

    def __repr__(self) -> str:
        raise LookupError("not now")


class TestShownIsSafe:
    """Quoting a value never fails and never takes long, whatever a caller hands in."""

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            ([10**5000], "[an integer of about 4983 digits]"),
            (Fraction(10**5000, 3), "<Fraction>"),
            (_Unspoken(), "<_Unspoken>"),
            ({"a": (_Unspoken(),)}, "{'a': (<_Unspoken>,)}"),
            (bytearray(100), ("bytearray(b'" + r"\x00" * 60)[:59] + "…"),
            ({"a": [1, "b"], 2: ()}, "{'a': [1, 'b'], 2: ()}"),
            ((), "()"),
            ((1, 2), "(1, 2)"),
        ],
    )
    def test_what_has_no_words_is_named_by_its_type(self, value: object, expected: str) -> None:
        """10^5000 has more digits than Python writes; 3 in 10 of its 16,610 bits are 4,983."""
        text = shown(value)

        assert expected == text

    def test_a_value_that_contains_itself_is_cut(self) -> None:
        endless: list[object] = []
        endless.append(endless)
        text = shown(endless)

        assert "[" * 59 + "…" == text

    def test_a_wide_and_deep_value_is_quoted_at_once(self) -> None:
        wide: list[object] = []
        for _ in range(30):
            wide = [wide] * 100
        text = shown(wide)

        assert ("[" * 31 + "]" + ", []" * 7)[:59] + "…" == text

    def test_a_callers_context_changes_no_number(self) -> None:
        with localcontext() as context:
            context.prec, context.capitals = 3, 0

            assert "1E+1000" == shown(Decimal("1E+1000"))
            assert "1234.5678" == shown(Decimal("1234.5678"))


class TestOneErrorForAll:
    """Problems of one kind make an error of that kind, others one of the record."""

    @pytest.mark.parametrize(
        ("kinds", "expected"),
        [
            ([InvalidVatError], InvalidVatError),
            ([InvalidVatError, InvalidVatError], InvalidVatError),
            ([InvalidVatError, InvalidPeriodError], InvalidRecordError),
        ],
    )
    def test_the_kind_follows_from_the_problems(
        self, kinds: list[type[InvalidInputError]], expected: type[InvalidInputError]
    ) -> None:
        error = error_of([ABOVE_ONE, NO_DATE], kinds)

        assert (expected, (ABOVE_ONE, NO_DATE)) == (type(error), error.problems)
