"""Errors are data: code, facts and problems compare, pickle, and give the message."""

import pickle
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

import rentbilling as rb
from rentbilling import errors
from rentbilling.checks import BillTable
from rentbilling.errors import (
    ConflictError,
    InvalidCycleError,
    InvalidInputError,
    InvalidPeriodError,
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
from rentbilling.portfolio import TableMapping
from tests.support.rows import rows

ABOVE_ONE = Problem("taxRate", "out_of_range", "is above 1", "25", "0.25")
NO_DATE = Problem("startedOn", "not_a_date", "is not a date", "'soon'", "YYYY-MM-DD")
NEVER = """InvalidRecordError InvalidPeriodError InvalidAmountError CurrencyMismatchError
InvalidCycleError InvalidDueDateRuleError InvalidDiscountError InvalidVatError InvalidPolicyError
InvalidAdjustmentRuleError UnknownWordError"""


@rows("name", NEVER.split())
def test_what_can_never_be_billed_is_also_a_value_error(name: str) -> None:
    with pytest.raises(ValueError, match="is above 1") as caught:
        raise getattr(errors, name)([ABOVE_ONE])

    assert isinstance(caught.value, RentBillingError)


@rows("kind", [MissingFactError, MissingIndexError])
def test_a_missing_fact_is_also_a_lookup_error(kind: type[MissingFactError]) -> None:
    with pytest.raises(LookupError, match="needs the billing cycle"):
        raise kind("missing_cycle", fact="the cycle")


@rows(
    ("kind", "above"),
    [
        (UnknownWordError, (InvalidInputError, MissingFactError)),
        # Callers catch a word of a cycle or a VAT as either (A7, A27).
        (UnknownTimeUnitError, (InvalidCycleError, UnknownWordError)),
        (UnknownTaxModeError, (InvalidVatError, UnknownWordError)),
    ],
)
def test_an_unknown_word_is_an_error_of_two_kinds(
    kind: type[Exception], above: tuple[type[Exception], ...]
) -> None:
    assert [True, True] == [issubclass(kind, each) for each in above]


@rows("kind", [NotFoundError, ConflictError, NotAllowedError, UnsupportedCaseError])
def test_answers_of_operations_are_no_wrong_input(kind: type[RentBillingError]) -> None:
    error = kind("unsupported", case="a bill in the year 10000")

    assert (False, True) == (isinstance(error, ValueError), isinstance(error, RentBillingError))


@rows(
    ("error", "message"),
    [
        # The message is formed from code and facts; without its facts a sentence is left out.
        (
            UnsupportedCaseError("too_many_lines", lines=12, most=10),
            "the answer would have 12 lines, and policy.max_lines is 10",
        ),
        (UnsupportedCaseError("too_many_lines", lines=12), "too_many_lines: lines 12"),
        (ConflictError("already_ended"), "already_ended"),
        # Every problem has a line of its own.
        (
            InvalidRecordError([ABOVE_ONE, NO_DATE]),
            """taxRate: is above 1 (met 25; expected 0.25)
startedOn: is not a date (met 'soon'; expected YYYY-MM-DD)""",
        ),
        # A problem of the value itself has no path.
        (
            InvalidVatError.of("", "out_of_range", "is above 1", Decimal(25), "0.25"),
            "is above 1 (met 25; expected 0.25)",
        ),
    ],
    ids=["facts", "facts missing", "no facts", "problems", "no path"],
)
def test_an_error_has_a_message(error: RentBillingError, message: str) -> None:
    assert message == str(error)


@rows("problems", [[], "soon", [None], [NO_DATE, "soon"]])
def test_an_error_has_problems(problems: Any) -> None:  # noqa: ANN401
    with pytest.raises(TypeError, match="has problems, at least one"):
        InvalidRecordError(problems)


def test_errors_compare_by_class_code_and_facts() -> None:
    """The code of an error is that of its first problem."""
    error, same = InvalidVatError([ABOVE_ONE]), InvalidVatError([ABOVE_ONE])

    assert (True, hash(error)) == (error == same, hash(same))
    assert "not_a_date" == InvalidRecordError([NO_DATE, ABOVE_ONE]).code


@rows(
    "other",
    [
        InvalidRecordError([ABOVE_ONE]),
        InvalidVatError([NO_DATE]),
        InvalidVatError([ABOVE_ONE, NO_DATE]),
        "out_of_range",
    ],
)
def test_errors_of_another_class_or_with_other_problems_differ(other: object) -> None:
    assert InvalidVatError([ABOVE_ONE]) != other


@rows(
    "error",
    [
        InvalidVatError([ABOVE_ONE, NO_DATE]),
        UnknownWordError.of("currency", "unknown_currency", "is unknown", "XYZ", "DKK"),
        UnsupportedCaseError("too_many_lines", lines=12, most=10),
    ],
)
def test_an_error_pickles(error: RentBillingError) -> None:
    again = pickle.loads(pickle.dumps(error))

    assert (error, str(error)) == (again, str(again))


@rows(
    ("path", "prefix", "expected"),
    [
        ("taxRate", "vat", "vat.taxRate"),
        ("[2].start", "vatRecords", "vatRecords[2].start"),
        ("", "vat", "vat"),
        ("taxRate", "", "taxRate"),
        ("", "", ""),
    ],
)
def test_a_prefix_goes_before_the_path(path: str, prefix: str, expected: str) -> None:
    assert expected == ABOVE_ONE._replace(path=path).under(prefix).path


def test_every_path_of_an_error_goes_below_the_prefix() -> None:
    error = InvalidRecordError([ABOVE_ONE, NO_DATE]).under("items[0]")

    assert (InvalidRecordError, ["items[0].taxRate", "items[0].startedOn"]) == (
        type(error),
        [problem.path for problem in error.problems],
    )


class _Unprintable:
    """A type of a caller that cannot be quoted."""

    def __repr__(self) -> str:
        raise LookupError("not now")


def endless() -> list[object]:
    """Return a list that contains itself."""
    within: list[object] = []
    within.append(within)
    return within


def wide_and_deep() -> list[object]:
    """Return a list of a hundred lists, of which each has a hundred, thirty times."""
    wide: list[object] = []
    for _ in range(30):
        wide = [wide] * 100
    return wide


QUOTED: dict[str, tuple[Callable[[], object], str]] = {
    "text": (lambda: "2026-13-01", "'2026-13-01'"),
    "nothing": (lambda: None, "None"),
    "number": (lambda: -5, "-5"),
    # 10^60 has 61 digits: 200 bits, and 3 digits in 10 bits make about 60.
    "huge": (lambda: 10**60, "an integer of about 60 digits"),
    "low": (lambda: -(10**60), "an integer of about 60 digits"),
    "long": (lambda: 10**60 - 1, "9" * 60),
    # A quote and 58 characters; the cut off rest is a single mark.
    "texts": (lambda: "x" * 1000, "'" + "x" * 58 + "…"),
    "bytes": (lambda: b"x" * 1000, "b'" + "x" * 57 + "…"),
    "list": (lambda: [1] * 100, ("[" + "1, " * 100)[:59] + "…"),
    # 10^5000 has more digits than Python writes; 3 in 10 of its 16,610 bits are 4,983.
    "beyond Python": (lambda: [10**5000], "[an integer of about 4983 digits]"),
    # What has no words is named by its type.
    "fraction": (lambda: Fraction(10**5000, 3), "<Fraction>"),
    "no words": (_Unprintable, "<_Unprintable>"),
    "no words inside": (lambda: {"a": (_Unprintable(),)}, "{'a': (<_Unprintable>,)}"),
    "bytearray": (lambda: bytearray(100), ("bytearray(b'" + r"\x00" * 60)[:59] + "…"),
    "dictionary": (lambda: {"a": [1, "b"], 2: ()}, "{'a': [1, 'b'], 2: ()}"),
    "empty": (lambda: (), "()"),
    "pair": (lambda: (1, 2), "(1, 2)"),
    "endless": (endless, "[" * 59 + "…"),
    "wide and deep": (wide_and_deep, ("[" * 31 + "]" + ", []" * 7)[:59] + "…"),
}


@rows(("value", "expected"), QUOTED.values(), ids=QUOTED)
def test_a_value_is_quoted_at_once_and_in_at_most_60_characters(
    value: Callable[[], object], expected: str
) -> None:
    assert expected == shown(value())


def test_a_callers_context_changes_no_number() -> None:
    with localcontext() as context:
        context.prec, context.capitals = 3, 0

        assert "1E+1000" == shown(Decimal("1E+1000"))
        assert "1234.5678" == shown(Decimal("1234.5678"))


@rows(
    ("kinds", "expected"),
    [
        ([InvalidVatError], InvalidVatError),
        ([InvalidVatError, InvalidVatError], InvalidVatError),
        ([InvalidVatError, InvalidPeriodError], InvalidRecordError),
    ],
)
def test_problems_of_one_kind_make_an_error_of_it_and_others_one_of_the_record(
    kinds: list[type[InvalidInputError]], expected: type[InvalidInputError]
) -> None:
    error = error_of([ABOVE_ONE, NO_DATE], kinds)

    assert (expected, (ABOVE_ONE, NO_DATE)) == (type(error), error.problems)


@rows(
    "read, form",
    [
        (rb.loads, "JSON"),
        (partial(rb.IndexSeries.from_csv, name="NPI"), "CSV"),
        (BillTable().read_csv, "CSV"),
        (BillTable().bills_of_csv, "CSV"),
        (BillTable.from_toml, "TOML"),
        (TableMapping.from_toml, "TOML"),
    ],
)
def test_the_name_of_a_file_is_not_its_text(read: Callable[[str], object], form: str) -> None:
    for name in ("npi.csv", "data/npi-2020.csv"):
        with pytest.raises(InvalidRecordError, match=f"name of a file and not {form} .*read_text"):
            read(name)
