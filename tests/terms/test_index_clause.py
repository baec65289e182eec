"""The index clause: what contradicts itself or has no effect is refused by name (A40)."""

from decimal import Decimal
from typing import Any

import pytest

from rentbilling import IndexClause, InvalidInputError, YearMonth, dumps, loads
from rentbilling.errors import InvalidRecordError
from rentbilling.records import wire_name
from tests.support.bad_items import refusal
from tests.support.bad_plans import (
    CLAUSE_CONTRADICTIONS,
    CLAUSE_IDLE,
    CLAUSE_RANGES,
    CLAUSE_UNREADABLE,
    GOOD_CLAUSES,
    WrongRecord,
    assert_refused,
)
from tests.support.plans import clause
from tests.support.rents import amount
from tests.support.rows import rows


@rows("wrong", CLAUSE_RANGES)
def test_a_number_that_means_nothing_is_refused(wrong: WrongRecord) -> None:
    """With its bounds, and a hint where percents may have been written (A5, A40)."""
    assert_refused(wrong)


@rows("wrong", CLAUSE_CONTRADICTIONS)
def test_fields_that_cannot_hold_together_are_refused_by_name(wrong: WrongRecord) -> None:
    """One of them is named, with what would be right (A40)."""
    assert_refused(wrong)


@rows("wrong", CLAUSE_IDLE)
def test_a_field_that_would_be_ignored_is_refused_by_name(wrong: WrongRecord) -> None:
    """It says something only beside another one, which is named (A40)."""
    assert_refused(wrong)


@rows("wrong", CLAUSE_UNREADABLE)
def test_a_field_that_cannot_be_read_is_refused_alone(wrong: WrongRecord) -> None:
    """What depends on it is not judged, since nobody knows what was meant."""
    assert_refused(wrong)


@rows(
    ("wrong", "said"),
    [
        ({"lagMonths": 3, "yearOffset": 1}, "contradicts yearOffset"),
        ({"lagMonths": 3, "reference": "last_published"}, "the reference last_published"),
        ({"indexQuarter": 2, "reference": "year_mean"}, "contradicts the reference year_mean"),
        ({"basis": "mixed", "correctionFactor": 1}, "contradicts the basis mixed"),
        ({"basis": "last_indexed", "fromLagMonths": 9}, "contradicts the basis last_indexed"),
        ({"excessShare": 0.5}, "has no effect without excessOver"),
        ({"proRataMonths": 6, "proRata": "first_year"}, "has no effect with proRata first_year"),
        ({"meanDecimals": 1}, "has no effect with meanOf 1"),
        ({"shareOf": "money"}, "has no effect with basis chained"),
    ],
)
def test_the_sentence_names_the_other_field(wrong: dict[str, Any], said: str) -> None:
    """So that nobody has to look for what it does not go with (A40)."""
    with pytest.raises(InvalidInputError) as caught:
        IndexClause.model_validate(wrong)

    assert said in str(caught.value)


def test_all_that_is_wrong_with_a_clause_is_told_at_once() -> None:
    """Fields in their order: what cannot be read, ranges, contradictions, idle fields (A40)."""
    with pytest.raises(InvalidRecordError) as caught:
        IndexClause.model_validate(
            {
                "series": "",
                "increaseOnly": "no",
                "lagMonths": 200,
                "yearOffset": 1,
                "surcharge": 2,
                "basis": "anchored",
                "thresholdUnit": "points",
            }
        )

    assert [
        ("series", "empty_text", "''", "a text"),
        ("increaseOnly", "wrong_value", "'no'", "true or false"),
        ("lagMonths", "out_of_range", "200", "a whole number from 0 to 120"),
        ("surcharge", "out_of_range", "2", "a number from -1 to 1; 0.05 is five percent"),
        ("lagMonths", "contradiction", "200", "one of the two"),
        ("surcharge", "contradiction", "2", "the basis chained"),
        ("thresholdUnit", "says_nothing", "'points'", "threshold as well"),
    ] == refusal(caught.value)


@rows("fields", GOOD_CLAUSES)
def test_what_goes_together_is_read_and_written_again(fields: dict[str, Any]) -> None:
    """To the ends of the bounds; only what says something new is written (A6, A40)."""
    read = IndexClause.model_validate(fields)
    text = dumps(read)

    assert read == loads(text, IndexClause)
    assert text == dumps(loads(text, IndexClause))
    for name, field in IndexClause.model_fields.items():
        assert (getattr(read, name) != field.default) is (f'"{wire_name(name)}"' in text)


@rows(
    ("fields", "months"),
    [
        ({}, 12),
        ({"interval_years": "3"}, 36),
        ({"interval_months": "18"}, 18),
        ({"interval_months": "1"}, 1),
    ],
)
def test_an_interval_is_a_year_unless_the_clause_says_otherwise(
    fields: dict[str, str], months: int
) -> None:
    """Three years are 36 months (A32)."""
    assert months == clause(**fields).interval


@rows(
    ("fields", "found"),
    [
        ({}, False),
        ({"year_offset": "1"}, False),
        ({"reference": "quarter"}, False),
        ({"lag_months": "0"}, True),
        ({"reference": "quarter", "index_quarter": "1"}, True),
        ({"reference": "year_mean"}, True),
        ({"reference": "last_published"}, True),
    ],
)
def test_some_clauses_find_their_points_without_an_index_month(
    fields: dict[str, str], found: bool
) -> None:
    """By months before, by quarter, by the mean of a year, by publication (A33)."""
    assert found is clause(**fields).finds_points


def test_a_point_may_be_given_as_a_month() -> None:
    """Months, quarters and years have one kind of text each (A31)."""
    start = IndexClause(start_point=YearMonth(2020, 6))  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]

    assert "2020-06" == str(start.start_point)
    assert '{"startPoint": "2020-06"}' == dumps(start)


def test_a_clause_is_changed_like_every_record() -> None:
    """The changed one is judged again (A40)."""
    carried = clause(basis="anchored", base_amount="1000.00 DKK")

    assert amount("1000.00") == carried.base_amount
    with pytest.raises(InvalidInputError) as caught:
        carried.evolve(basis="chained")
    assert [("base_amount", "contradiction", "1000.00", "none, or the basis anchored")] == refusal(
        caught.value
    )
    assert Decimal("0.75") == carried.evolve(share=Decimal("0.75")).share
