"""All cases, first by one lease and then through every door (README.md)."""

from collections.abc import Iterator
from itertools import chain

import pytest
from pydantic import BaseModel

import rentbilling as rb
from rentbilling.records import fields_of, records_in
from tests.cases.case import Question, all_questions
from tests.cases.doors import DOORS, Asked, difference
from tests.cases.doors.files import all_leases, alone
from tests.cases.doors.texts import names_in, schema_of_bills

QUESTIONS = all_questions()


@pytest.mark.parametrize("question", QUESTIONS, ids=[each.name for each in QUESTIONS])
def test_a_case(question: Question, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-cases"):
        question.update()
        return
    if question.outcome != question.answer + "\n":
        pytest.fail(difference(question.outcome, question.answer), pytrace=False)
    if question.is_refusal:
        return
    asked, red = Asked(question), []
    for name, door in DOORS.items():
        if not door.reason(asked):
            try:
                door.check(asked)
            except Exception as error:  # noqa: BLE001 - whatever it says, the others are asked too
                red.append(f"{name}: {type(error).__name__} {error}")
    if red:
        pytest.fail("\n\n".join(red), pytrace=False)


def test_all_leases_are_billed_in_one_portfolio() -> None:
    found = all_leases().by_columns
    for name, answer in alone().items():
        if found.get(name, "nothing") != answer:
            pytest.fail(f"{name} {difference(answer, found.get(name, 'nothing'))}", pytrace=False)


@pytest.mark.parametrize("name", DOORS)
def test_each_reason_of_a_door_is_met_by_a_case(name: str) -> None:
    asked = [Asked(each) for each in QUESTIONS if not each.is_refusal]
    met = {DOORS[name].reason(each) for each in asked}
    assert {"", *DOORS[name].silent} == met


def test_every_field_of_a_lease_is_in_a_case() -> None:
    records = records_in(rb.LeaseTerms)
    known = {(kind, field.name) for kind in records.values() for field in fields_of(kind)}
    leases = [each.case.terms for each in QUESTIONS if not each.is_refusal]
    assert not known - set(chain.from_iterable(map(_stated, leases)))


def _stated(record: BaseModel) -> Iterator[tuple[type[BaseModel], str]]:
    for name in record.model_fields_set:
        yield type(record), name
        value = getattr(record, name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, BaseModel):
                yield from _stated(each)


def test_every_name_of_a_bill_is_in_a_case() -> None:
    whole, parts = schema_of_bills()
    known = {(part, name) for part, each in parts.items() for name in each.get("properties", {})}
    answered = [each for each in QUESTIONS if each.function != "rent_adjustments"]
    results = [part for each in answered if not each.is_refusal for part in each.written]
    met = {name for each in results for name, _ in names_in(each, whole, parts)}
    assert not known - met
