"""Rent adjustment rules and their increments: what cannot be followed is refused, all of it."""

from decimal import Decimal
from typing import Any

import pytest

from rentbilling import Increment, IndexClause, InvalidInputError, RentAdjustmentRule, dumps, loads
from rentbilling.errors import InvalidAdjustmentRuleError
from tests.support.bad_items import refusal
from tests.support.bad_plans import (
    DKK,
    INDEX,
    STEP,
    STEPS,
    WRONG_INCREMENTS,
    WRONG_RULES,
    WrongRecord,
    assert_refused,
)
from tests.support.plans import by_index, by_steps, clause, step
from tests.support.rents import amount
from tests.support.rows import rows


@rows("wrong", WRONG_INCREMENTS)
def test_an_increment_that_cannot_be_followed_is_refused(wrong: WrongRecord) -> None:
    """Of nothing, of two things, in percent, in no year (A5, A31, A36)."""
    assert_refused(wrong)


@rows("wrong", WRONG_RULES)
def test_a_rule_that_cannot_be_followed_is_refused(wrong: WrongRecord) -> None:
    """With what is wrong and nothing that merely follows from it (A31, A33, A35, A36, A40)."""
    assert_refused(wrong)


def test_all_that_is_wrong_with_a_rule_is_told_at_once() -> None:
    """Crossed limits, reversed years, a month 13, and a clause that contradicts itself.

    The index month is missing too, but a clause that cannot be read may find the points.
    """
    with pytest.raises(InvalidInputError) as caught:
        RentAdjustmentRule.model_validate(
            {
                "adjustmentType": "Index",
                "adjustmentMonth": 13,
                "firstYear": "2030",
                "lastYear": "2029",
                "minimumPercentage": 11,
                "maximumPercentage": 0.04,
                "increments": [STEP],
                "indexClause": {"lagMonths": 2, "yearOffset": 1},
            }
        )

    assert [
        ("adjustmentMonth", "out_of_range", "13", "a calendar month from 1 to 12"),
        ("indexClause.lagMonths", "contradiction", "2", "one of the two"),
        ("lastYear", "reversed_years", "'2029'", "2030 or later"),
        (
            "minimumPercentage",
            "out_of_range",
            "11",
            "a fraction from -1 to 1: 0.04 means four percent",
        ),
        ("minimumPercentage", "limits_crossed", "11", "at most 0.04"),
        ("increments", "increments_on_index", "1 increment", "none, or the type Increment"),
    ] == refusal(caught.value)


def test_a_type_that_cannot_be_read_hides_nothing_else() -> None:
    """But whether increments belong to it, nobody can say (A36)."""
    with pytest.raises(InvalidInputError) as caught:
        RentAdjustmentRule.model_validate(
            {"adjustmentType": 5, "adjustmentMonth": 1, "firstYear": "2030", "lastYear": "2029"}
        )

    assert [
        ("adjustmentType", "not_a_text", "5", "a text"),
        ("lastYear", "reversed_years", "'2029'", "2030 or later"),
    ] == refusal(caught.value)


def test_limits_that_cannot_be_read_are_no_missing_ones() -> None:
    """A clause that limits by year has them, although nobody can read them (A35)."""
    with pytest.raises(InvalidInputError) as caught:
        RentAdjustmentRule.model_validate(
            {**INDEX, "maximumPercentage": True, "indexClause": {"limitPer": "year_simple"}}
        )

    assert [("maximumPercentage", "not_a_number", "True", "a number such as 0.03")] == refusal(
        caught.value
    )


def test_paths_are_spelled_as_in_python_where_it_was_written_there() -> None:
    """Down to the increments (A36)."""
    with pytest.raises(InvalidAdjustmentRuleError) as caught:
        by_steps(step(2027, "3 %"), step(2030, "3 %"), first_year=2028, last_year="2029")

    assert [
        ("increments[0].year", "year_outside", "'2027'", "2028 to 2029"),
        ("increments[1].year", "year_outside", "'2030'", "2028 to 2029"),
    ] == refusal(caught.value)


@rows(
    ("fields", "said"),
    [
        ({}, "has neither amount nor percentage nor level"),
        ({"amount": DKK, "percentage": 0}, "has amount and percentage"),
        ({"percentage": 0, "level": DKK}, "has percentage and level"),
    ],
)
def test_the_sentence_says_what_an_increment_has(fields: dict[str, Any], said: str) -> None:
    """Both, or neither (A36)."""
    with pytest.raises(InvalidAdjustmentRuleError) as caught:
        Increment.model_validate({"year": "2027", **fields})

    assert [said] == [each.message for each in caught.value.problems]


def test_several_increments_of_nothing_are_each_told() -> None:
    """By their places (A36)."""
    with pytest.raises(InvalidAdjustmentRuleError) as caught:
        RentAdjustmentRule.model_validate(
            {**INDEX, **STEPS, "increments": [{"year": "2027"}, STEP, {"year": 2029}]}
        )

    assert ["increments[0]", "increments[2]"] == [each.path for each in caught.value.problems]


@rows(
    ("given", "read"),
    [
        ({"year": 2027, "percentage": 0.03}, ("2027", None, False)),
        ({"year": "2027", "level": DKK}, ("2027", None, False)),
        ({"year": "0999", "amount": DKK, "recurrence": "onetime"}, ("0999", "OneTime", False)),
        ({"year": 9999, "percentage": -1, "recurrence": "RECURRING"}, ("9999", "Recurring", True)),
        ({"year": 1000, "percentage": 10, "level": None}, ("1000", None, False)),
    ],
)
def test_an_increment_has_a_year_and_perhaps_a_recurrence(
    given: dict[str, Any], read: tuple[str, str | None, bool]
) -> None:
    """Years are texts; words are read in any case; absent is once (A31, A36)."""
    found = Increment.model_validate(given)

    assert read == (found.year, found.recurrence, found.recurs)
    assert found == loads(dumps(found), Increment)


@rows(
    ("word", "by_index_alone"),
    [("Index", True), ("INDEX", True), ("index", True), ("Increment", False), ("Indexed", False)],
)
def test_an_index_rule_is_told_by_its_type(word: str, by_index_alone: bool) -> None:
    """In any case; every other word is a rule of increments (A36)."""
    increments = () if by_index_alone else (step(2027, "3 %"),)
    rule = by_index(adjustment_type=word, increments=increments)

    assert by_index_alone is rule.by_index


@rows(
    "rule",
    [
        by_index(least="-1", most="1"),
        by_index(least="0.04", most="0.04"),
        by_index(first_year="2027", last_year=2027),
        by_index(adjustment_month=12, index_month=12),
        by_index(index_month=None, index_clause=clause(lag_months="0")),
        by_index(index_month=None, index_clause=clause(reference="year_mean")),
        by_index(index_clause=clause(year_offset="1", reference="quarter")),
        by_index(most="0.1", index_clause=clause(limit_per="year_simple", limit_months="36")),
        by_index(least="0", index_clause=clause(limit_per="year_compound")),
        by_index(index_month=None, most="0.04", index_clause=clause(combine="limit")),
        by_index(least="0", index_clause=clause(combine="limit", interval_years="3")),
        by_steps(most="0.04", index_clause=clause(combine="limit")),
        by_steps(step(2027, "3 %"), step(2028, "4 %", recurs=True), least="0", most="0.03"),
        by_steps(step(2027, "100.00"), step(2027, "50.00", recurs=True), first_year="2027"),
        by_steps(step(2027, "100 EUR"), step(2028, "900 EUR", level=True), last_year="2028"),
        by_steps(step(2027, "3 %"), index_clause=clause(amount_quantum="1")),
        by_steps(step(2027, "3 %"), adjustment_type="Fixed steps", index_month=3),
    ],
)
def test_a_rule_that_can_be_followed_is_read_and_written_again(rule: RentAdjustmentRule) -> None:
    text = dumps(rule)

    assert rule == loads(text, RentAdjustmentRule)
    assert text == dumps(loads(text, RentAdjustmentRule))


def test_an_empty_clause_means_the_same_as_none() -> None:
    """The rules are equal, and neither writes a clause (A40)."""
    rule = by_index()
    same = by_index(index_clause=IndexClause())

    assert rule == same == loads('{"indexClause": {}, ' + dumps(rule)[1:], RentAdjustmentRule)
    assert same.index_clause is None
    assert IndexClause() == rule.clause == same.clause
    assert "indexClause" not in dumps(same)


def test_a_clause_that_says_something_is_kept() -> None:
    """And stands in the rule's JSON with what it says alone (A40)."""
    rule = by_index(index_clause=clause(share="0.75", basis="chained"))

    assert Decimal("0.75") == rule.clause.share
    assert '"indexClause": {"share": 0.75}' in dumps(rule)


def test_only_a_limiting_rule_only_limits() -> None:
    """It holds the ones before it within its bounds (A37, A40)."""
    limiting = by_index(most="0.04", index_clause=clause(combine="limit"))

    assert limiting.only_limits
    assert not by_index(most="0.04").only_limits


def test_a_rule_is_written_with_the_interface_s_names() -> None:
    """In its order; a level is ours and absent where there is none (A6, A36)."""
    rule = by_steps(
        step(2027, "3 %", recurs=True), step(2028, "0 %"), id="r", first_year=2027, last_year="2030"
    )
    levels = by_steps(step(2027, "1200.00", level=True))

    assert (
        '{"id": "r", "adjustmentType": "Increment", "adjustmentMonth": 1, "firstYear": "2027", '
        '"lastYear": "2030", "increments": [{"year": "2027", "percentage": 0.03, '
        '"recurrence": "Recurring"}, {"year": "2028", "percentage": 0.00}]}'
    ) == dumps(rule)
    assert (
        '"increments": [{"year": "2027", "level": {"currency": "DKK", "amount": 1200.00}}]'
    ) in dumps(levels)
    assert amount("1200") == levels.increments[0].level
