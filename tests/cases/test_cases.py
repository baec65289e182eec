"""All cases, first by one lease and then through every door (README.md)."""

import pytest

from tests.cases.case import Question, all_questions
from tests.cases.doors import DOORS, Asked, difference
from tests.cases.doors.files import all_leases, alone

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
