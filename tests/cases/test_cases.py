"""All cases, first by one lease and then through every door.

    pytest tests/cases -k "title of a case"     pytest tests/cases --update-cases
"""

from collections import Counter
from pathlib import Path

import pytest

from tests.cases.case import Case, cases_in, updated
from tests.cases.doors import DOORS, Asked, CannotSay

FOLDER = Path(__file__).parent
QUESTIONS = [(case, *each) for case in cases_in(FOLDER) for each in case.asked]
IDS = [f"{case.path.stem}: {case.title} [{period}]" for case, _, period, _ in QUESTIONS]
ALL = pytest.mark.parametrize(("case", "asked", "period", "outcome"), QUESTIONS, ids=IDS)
SILENT: Counter[tuple[str, str]] = Counter()


@ALL
def test_a_lease(
    case: Case, asked: str, period: str, outcome: str, request: pytest.FixtureRequest
) -> None:
    answer = case.told(asked, period)
    if request.config.getoption("--update-cases"):
        text = case.path.read_text(encoding="utf-8")
        text = updated(text, case.title, asked, period, answer)
        case.path.write_text(text, encoding="utf-8")
        return
    assert outcome == answer + "\n"


@pytest.mark.parametrize("door", DOORS)
@ALL
def test_through_a_door(case: Case, asked: str, period: str, outcome: str, door: str) -> None:
    if outcome.startswith("refused"):
        return
    question = Asked(case, asked, period)
    try:
        found = DOORS[door](question)
    except CannotSay as reason:
        SILENT[door, str(reason)] += 1
        return
    assert found is None or found == question.own
