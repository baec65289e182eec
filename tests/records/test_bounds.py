"""Bounds of fields: what one refuses, its schema refuses as well, in the same numbers."""

from decimal import Decimal
from typing import Any

from rentbilling import Amount
from rentbilling.records import (
    MORE_THAN_NONE,
    NOT_BELOW_ZERO,
    PERCENTAGE,
    InSchema,
    Matching,
    NotZero,
    Within,
)
from rentbilling.records.bounds import Bound
from tests.support.rows import rows

ZERO, SOME = Amount(0, "DKK"), Amount(100, "DKK")
ABOVE = Within(0, above=True)
SPOTS = NotZero("no_spot", "is no spot", "1")
CODE = Matching("[A-Z]{2}", "no_code", "is no code", "two capitals")

GOOD: tuple[tuple[Bound, Any], ...] = (
    *((Within(1, 4), value) for value in (1, 4)),
    *((Within(0), value) for value in (0, Decimal(10**15))),
    *((ABOVE, value) for value in (Decimal("0.001"), SOME)),
    *((Within(0, 1200, above=True), value) for value in (Decimal("0.5"), Decimal(1200))),
    *((PERCENTAGE, value) for value in (Decimal(-1), Decimal(10))),
    *((MORE_THAN_NONE, value) for value in (Decimal(-1), Decimal("0.001"))),
    (CODE, "DK"),
    (InSchema({"minimum": 1}), 0),
)
BAD: tuple[tuple[Bound, Any, str, str, str], ...] = (
    (Within(1, 4), 0, "is out of range", "0", "a whole number from 1 to 4"),
    (Within(1, 4), 5, "is out of range", "5", "a whole number from 1 to 4"),
    (Within(0), Decimal(-1), "is out of range", "-1", "0 or more"),
    (Within(0, 1, hint="; so"), Decimal(2), "is out of range", "2", "a number from 0 to 1; so"),
    (NOT_BELOW_ZERO, Decimal(-1), "is below 0", "-1", "0 or more"),
    (Within(0, 1, by_side=True), Decimal(2), "is above 1", "2", "a number from 0 to 1"),
    (Within(0, 1, by_side=True), Decimal(-2), "is below 0", "-2", "a number from 0 to 1"),
    (ABOVE, ZERO, "is not above 0", "0", "above 0"),
    (Within(0, 9, above=True), Decimal(0), "is out of range", "0", "a number above 0, up to 9"),
    (Within(0, 9, above=True), Decimal(10), "is out of range", "10", "a number above 0, up to 9"),
    (PERCENTAGE, Decimal(11), "is out of range", "11", PERCENTAGE.expected),
    (SPOTS, 0, "is no spot", "0", "1"),
    (CODE, "DKK", "is no code", "'DKK'", "two capitals"),
)
SCHEMAS: tuple[tuple[Bound, type, dict[str, Any]], ...] = (
    (Within(1, 4), int, {"minimum": 1, "maximum": 4}),
    (ABOVE, Decimal, {"exclusiveMinimum": 0}),
    (ABOVE, Amount, {"properties": {"amount": {"exclusiveMinimum": 0}}}),
    (SPOTS, int, {"not": {"const": 0}}),
    (CODE, str, {"pattern": "^[A-Z]{2}$"}),
    (InSchema({"minimum": 1}), int, {"minimum": 1}),
)


@rows(("bound", "value"), GOOD)
def test_what_is_within_has_no_problem(bound: Bound, value: object) -> None:
    assert bound.problem("field", value) is None


@rows(("bound", "value", "message", "met", "expected"), BAD)
def test_what_is_out_of_bounds_is_a_problem(
    bound: Bound, value: object, message: str, met: str, expected: str
) -> None:
    """The sentence says the range as its schema has it."""
    problem = bound.problem("field", value)

    assert problem is not None
    assert ("field", message, met, expected) == (
        problem.path,
        problem.message,
        problem.met,
        problem.expected,
    )


@rows(("bound", "kind", "facts"), SCHEMAS)
def test_a_schema_says_the_same(bound: Bound, kind: type, facts: dict[str, Any]) -> None:
    assert facts == bound.schema(kind)
