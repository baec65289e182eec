"""The judges of rents by an index of other systems: what they promise, and that they can say no."""

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest

from tests.outside.board import Verdict
from tests.outside.folders import Judged, judge, scores

KINDS: Final = frozenset({"index_adjustment", "index_floor", "index_rebase"})


@pytest.fixture(scope="module")
def cases(outside_cases: Path) -> list[Judged]:
    judged = [one for score in scores(outside_cases) for one in score.judged]
    return [one for one in judged if "input" in one.case and one.case.get("kind") in KINDS]


CASES: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    # 250,000 × 110 / 115 = 239,130.43, which is 4.348 % less.
    "a falling index": (
        "estatio",
        {
            "kind": "index_adjustment",
            "input": {
                "method": "FRANCE",
                "base_value": "250000.00",
                "base_index": "115.0",
                "next_index": "110.0",
                "levelling_percent": "100",
                "allow_decrease": True,
            },
            "expected": {"percentage": "-4.348", "value": "239130.43"},
        },
    ),
    # 111.1 × 1.234 / 122.2 is a factor of 1.1219…, a percentage of 12.2; half of it is 6.1.
    "an index on another base": (
        "estatio",
        {
            "kind": "index_adjustment",
            "input": {
                "method": "ITALY",
                "base_value": "250000.00",
                "base_index": "122.2",
                "next_index": "111.1",
                "rebase_factor": "1.234",
                "levelling_percent": "50",
            },
            "expected": {"percentage": "12.2", "value": "265250.00"},
        },
    ),
    # 1.345 × 1.234
    "two links between bases": (
        "estatio",
        {
            "kind": "index_rebase",
            "input": {
                "bases": [
                    {"start": "1990-01-01"},
                    {"start": "2000-01-01", "factor": "1.345"},
                    {"start": "2010-01-01", "factor": "1.234"},
                ],
                "from_date": "1995-01-01",
                "to_base": "2010",
            },
            "expected": {"factor": "1.65973"},
        },
    ),
    # A credit of 3 that an earlier step took to 1 goes back to 3, where the base is its floor.
    "a floor below zero": (
        "estatio",
        {
            "kind": "index_floor",
            "input": {
                "method": "BASE_INDEX_ALLOW_DECREASE_BASE_AS_FLOOR_FRANCE",
                "previous_base_value": "-3.00",
                "previous_indexed_value": "-2.00",
                "previous_effective_value": "-1.00",
                "previous_settled_value": None,
                "new_indexed_value": None,
            },
            "expected": {"base_value": "-3.00", "effective_value": "-3.00"},
        },
    ),
    # The new base is above what the index makes of it, and may fall.
    "a new base that may fall": (
        "estatio",
        {
            "kind": "index_floor",
            "input": {
                "method": "BASE_INDEX_ALLOW_DECREASE",
                "previous_base_value": "12.34",
                "previous_indexed_value": "13.45",
                "previous_effective_value": "13.45",
                "new_base_value": "23.45",
                "new_indexed_value": "12.34",
            },
            "expected": {"base_value": "23.45", "effective_value": "12.34"},
        },
    ),
    # 60 % of 5.7 % is 3.42 %, of which 3 % are allowed.
    "a share and a limit": (
        "documentation pages",
        {
            "kind": "index_adjustment",
            "input": {
                "rent": "2000",
                "cpi_change_percent": "5.7",
                "share_percent": "60",
                "maximum_percent": "3",
            },
            "expected": {
                "uncapped_percent": "3.42",
                "applied_percent": "3",
                "new_rent": "2060.00",
            },
        },
    ),
    "a revision by a percentage": (
        "OCA/contract",
        {
            "kind": "stepped_rent",
            "input": {"price": "100", "variation_percent": "15", "from_date": "2018-02-01"},
            "expected": {"new_price": "115"},
        },
    ),
    # 300 × 23.32 for three months and 300 × 23.39 for nine: 1,749 + 5,262.75.
    "a year from April": (
        "mvj",
        {
            "kind": "index_adjustment",
            "input": {
                "base_amount_per_year": "300",
                "index_2024": "2332",
                "index_2025": "2339",
                "index_base": "100",
                "cycle": "APRIL_TO_MARCH",
                "range": ["2026-01-01", "2026-12-31"],
            },
            "expected": {"value": "7011.75"},
        },
    ),
    # Its second quarter alone, at 300 × 23.39 a year.
    "a part of a year": (
        "mvj",
        {
            "kind": "index_adjustment",
            "input": {
                "base_amount_per_year": "300",
                "index_2024": "2332",
                "index_2025": "2339",
                "index_base": "100",
                "cycle": "APRIL_TO_MARCH",
                "range": ["2026-04-01", "2026-06-30"],
            },
            "expected": {"value": "1754.25"},
        },
    ),
    # 249,840 × 2017 / 1977 = 254,894.93 to the cent, and four fifths of that.
    "a discount on an indexed amount": (
        "mvj",
        {
            "kind": "index_adjustment",
            "input": {
                "base_amount_per_year": "249840",
                "base_index": "1977",
                "current_index": "2017",
                "discount_percent": "20",
                "discount_range": ["2020-01-01", "2025-12-31"],
                "range": ["2022-01-01", "2022-12-31"],
            },
            "expected": {"value": "203915.9440"},
        },
    ),
    # The rent year from April 2017 has the mean of 2016.
    "the index of a day": (
        "mvj",
        {
            "kind": "index_adjustment",
            "input": {"rent_cycle": "APRIL_TO_MARCH", "the_date": "2018-01-01"},
            "expected": {"value": 1913},
        },
    ),
}
"""Cases that follow from what they state, each with its peer."""


def _judged(peer: str, case: Mapping[str, Any]) -> Verdict:
    return judge(case, {"peer": peer})


def test_every_case_that_can_be_said_is_reproduced(cases: list[Judged]) -> None:
    said = [one for one in cases if one.verdict.outcome != "not_expressible"]

    left = {one.name: one.verdict.reason for one in said if one.verdict.outcome != "passed"}

    assert said
    assert {} == left


def test_all_but_rents_below_zero_can_be_said(cases: list[Judged]) -> None:
    unsaid = {one.verdict.reason for one in cases if one.verdict.outcome == "not_expressible"}

    assert unsaid <= {"a rent below zero counts as nothing there; ours is a credit (A26)"}


@pytest.mark.parametrize("name", CASES)
def test_a_case_that_follows_passes(name: str) -> None:
    assert Verdict("passed") == _judged(*CASES[name])


@pytest.mark.parametrize(
    ("name", "figure"),
    [(name, figure) for name, (_, case) in CASES.items() for figure in case["expected"]],
)
def test_one_wrong_digit_fails_a_case(name: str, figure: str) -> None:
    peer, case = deepcopy(CASES[name])
    text = str(case["expected"][figure])
    case["expected"][figure] = f"{text[:-1]}{(int(text[-1]) + 1) % 10}"

    assert "failed" == _judged(peer, case).outcome


@pytest.mark.parametrize(
    ("name", "field", "value", "reason"),
    [
        ("a falling index", "method", "SPAIN", "indexation by SPAIN"),
        ("a floor below zero", "method", "SPAIN", "indexation by SPAIN"),
        ("a share and a limit", "moon", "full", "rent adjustment by moon"),
        ("a year from April", "index_type", "TYPE_2", "rent adjustment by index_type"),
    ],
)
def test_what_nobody_understands_is_not_expressible(
    name: str, field: str, value: str, reason: str
) -> None:
    peer, case = deepcopy(CASES[name])
    case["input"][field] = value

    assert Verdict("not_expressible", reason) == _judged(peer, case)


def test_an_index_that_is_missing_leads_to_no_figure() -> None:
    peer, case = deepcopy(CASES["a falling index"])
    case["input"]["next_index"] = None
    nothing = {**case, "expected": {"percentage": None, "value": None}}

    assert "passed" == _judged(peer, nothing).outcome
    assert "failed" == _judged(peer, case).outcome
