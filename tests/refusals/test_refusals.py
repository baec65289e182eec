"""Refusals through every way in: JSON, a service's JSON, Python; with path, code and value met.

`pytest tests/refusals --update-cases` writes the outcomes of `by_rule.txt`, for review.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidInputError
from tests.refusals.tables import (
    LEASE,
    RULES,
    Row,
    Wrong,
    json_of,
    lines_of_rules,
    outcome_of,
    path_of,
    places,
    put,
    records,
    refused_rules,
    rules,
    snaked,
    snaked_path,
    wrongs,
)
from tests.support.rows import rows

WRONG = [*wrongs()]
ITEM = json_of(LEASE["recurringBillItems"][0])
# How a lease's file may hold an item (A57), and the path to it.
FILES = {
    "{wrong}": "",
    "[{good}, {wrong}]": "[1].",
    '{{"leaseId": "a", "recurringBillItem": {wrong}}}': "recurringBillItem.",
    '{{"recurringBillItems": [{good}, {wrong}]}}': "recurringBillItems[1].",
}


def refusal(call: Callable[[], object]) -> InvalidInputError:
    with pytest.raises(InvalidInputError) as caught:
        call()
    assert all(each.message and each.expected for each in caught.value.problems)
    return caught.value


def told(error: InvalidInputError) -> list[tuple[str, str]]:
    return [(each.path, each.code) for each in error.problems]


def error_of(call: Callable[[], object]) -> InvalidInputError | None:
    try:
        call()
    except InvalidInputError as error:
        return error
    return None


def problems(error: InvalidInputError | None, spelled: Callable[[str], str]) -> list[object]:
    if error is None:
        return []
    return [type(error), *((spelled(e.path), e.code, e.met) for e in error.problems)]


def outcome(call: Callable[[], object]) -> str:
    error = error_of(call)
    return "accepted" if error is None else outcome_of(error)


@rows("wrong", WRONG)
def test_a_value_of_another_kind_is_refused_at_each_field(wrong: Wrong) -> None:
    """By JSON, a service's JSON and Python alike, in the spelling of each."""
    text, expected = json_of(wrong.data), sorted((path, wrong.code) for path in wrong.paths)
    error = refusal(lambda: rb.loads(text))
    assert expected == sorted(told(error))
    assert wrong.kind in {"", type(error).__name__}
    if wrong.code != "unknown_field":
        assert error == refusal(lambda: rb.loads(text, rb.LeaseTerms, from_service=True))
    # In Python a text may be a number (A1).
    if wrong.code != "not_a_number":
        by_hand = refusal(lambda: rb.LeaseTerms(**snaked(wrong.data)))
        assert [(snaked_path(path), code) for path, code in told(error)] == told(by_hand)


@rows("way", [way for way, _, required in places() if not required])
def test_null_is_absent(way: tuple[str | int, ...]) -> None:
    """At every optional field (A6)."""
    at: Any = LEASE
    for name in way[:-1]:
        at = at[name]
    if way[-1] in at or way[-1] == "balanceChargeType":
        return
    assert rb.loads(json_of(LEASE)) == rb.loads(json_of(put(LEASE, way, None)))


@rows("way", [*records()])
def test_a_field_that_is_none_is_refused_and_a_service_may_write_it(
    way: tuple[str | int, ...],
) -> None:
    """Wherever a record, an amount or a VAT is (A50)."""
    text = json_of(put(LEASE, (*way, "formatted"), "8500 kr"))

    error = refusal(lambda: rb.loads(text))
    assert [(path_of((*way, "formatted")), "unknown_field")] == told(error)
    assert rb.loads(json_of(LEASE)) == rb.loads(text, rb.LeaseTerms, from_service=True)


def test_each_rule_has_the_outcome_of_its_line(request: pytest.FixtureRequest) -> None:
    found = [
        f"{line.partition(' →')[0]} → {outcome(partial(rb.loads, row.text, row.record))}"
        if row
        else line
        for line, row in lines_of_rules()
    ]
    if request.config.getoption("--update-cases"):
        RULES.write_text("\n".join(found) + "\n", encoding="utf-8")
        return
    wrong = [
        (said, now) for (said, _), now in zip(lines_of_rules(), found, strict=True) if said != now
    ]
    assert not wrong


@rows("row", rules())
def test_a_rule_is_the_same_in_python_and_of_a_service(row: Row) -> None:
    """Made from the arguments of Python, with its names; and as read with other fields allowed."""
    read, by_hand = (
        error_of(call)
        for call in (
            lambda: rb.loads(row.text, row.record),
            lambda: row.record(**snaked(row.data)),
        )
    )
    assert problems(read, snaked_path) == problems(by_hand, str)
    if "unknown_field" not in row.outcome:
        service = error_of(lambda: rb.loads(row.text, row.record, from_service=True))
        assert problems(read, str) == problems(service, str)


@rows("row", [each for each in rules() if each.outcome == "accepted"])
def test_what_is_accepted_is_read_and_written_again(row: Row) -> None:
    """Only what says something new is written (A6)."""
    read: Any = rb.loads(row.text, row.record)
    text = rb.dumps(read)

    again: Any = rb.loads(text, row.record)
    assert (read, text) == (again, rb.dumps(again))


@rows(("form", "place"), FILES.items())
@rows("row", refused_rules("RecurringBillItem"))
def test_an_item_is_refused_in_every_form_of_a_file(row: Row, form: str, place: str) -> None:
    error = refusal(lambda: rb.loads(form.format(good=ITEM, wrong=row.text)))

    assert [(place + row.path, row.code)] == told(error)


def test_the_lease_in_which_each_value_is_tried_is_good() -> None:
    read = rb.loads(json_of(LEASE))
    assert read == rb.loads(rb.dumps(read)) == rb.LeaseTerms(**snaked(LEASE))
