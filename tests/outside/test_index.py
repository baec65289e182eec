"""The judge of worked examples of rent adjustments: what it promises, and that it can say no."""

from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest

from tests.outside import index
from tests.outside.board import Verdict
from tests.outside.folders import Judged, judge, scores

_FIELDS: Final = (
    "base_amount",
    "from_index",
    "to_index",
    "from_month",
    "to_month",
    "min_pct",
    "max_pct",
    "expected_percentage",
    "expected_new_amount",
    "expected_change",
    "convention_rounding",
)


@pytest.fixture(scope="module")
def examples(outside_cases: Path) -> list[Judged]:
    """Return the worked examples with what became of them, where they are at hand."""
    judged = [one for score in scores(outside_cases) for one in score.judged]
    return [one for one in judged if one.case.keys() >= index.FIELDS]


def _example(**changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return an example that states nothing but a monthly amount in euro, with some changes."""
    plain = {**dict.fromkeys(_FIELDS), "currency": "EUR", "amount_per": "month"}
    return {**plain, "share_of_index": "100", "checks": True, "extra": None, **changes}


def _judged(**changes: Any) -> Verdict:  # noqa: ANN401
    return judge(_example(**changes), {})


CONVENTIONS: Final[dict[str, dict[str, Any]]] = {
    # 700 × 1935 / 1923 = 704.368…
    "cut to cents": {
        "base_amount": "700",
        "from_index": "1923",
        "to_index": "1935",
        "convention_rounding": {"of": "amount", "quantum": "0.01", "mode": "down", "per": "month"},
        "expected_new_amount": "704.36",
    },
    # 106.6 to 109.3 is 2.533 %, which the source rounds to 2.5 % before it applies it.
    "a rounded percentage": {
        "base_amount": "600",
        "from_index": "106.6",
        "to_index": "109.3",
        "convention_rounding": {"of": "percentage", "decimals": 1, "stage": "change"},
        "expected_percentage": "2.5",
        "expected_new_amount": "615",
    },
    # A yearly 60,000 × 103.7 / 103.6 = 60,057.92; a month of it 5,004.83, which becomes 5,005.
    "a month rounded": {
        "base_amount": "60000",
        "amount_per": "year",
        "from_index": "103.6",
        "to_index": "103.7",
        "convention_rounding": {"of": "amount", "quantum": "1", "mode": "half_up", "per": "month"},
        "expected_new_amount": "60060",
        "extra": {"monthly_printed": "5005"},
    },
    # 75 % of 2.1 % is 1.575 %, cut to 1.57 %.
    "a share, cut": {
        "share_of_index": "75",
        "convention_rounding": {
            "of": "percentage",
            "decimals": 2,
            "mode": "down",
            "stage": "applied",
        },
        "expected_percentage": "1.57",
        "extra": {"given_pct": "2.1"},
    },
    # 80 % of 10.3 % is 8.24 %, of which 6 % are allowed.
    "a share before the limits": {
        "share_of_index": "80",
        "min_pct": "3",
        "max_pct": "6",
        "expected_percentage": "6",
        "extra": {"given_pct": "10.3", "calculated_pct_printed": "8.2"},
    },
    # 3.5 % above 3 counts half: 3.25 %; 2 % are allowed; 8/12 of them are 1.333 %: 810.67.
    "excess, limit, part of a year": {
        "base_amount": "800",
        "max_pct": "2",
        "expected_new_amount": "810.67",
        "extra": {
            "given_pct": "3.5",
            "excess_over": "3",
            "excess_share": "50",
            "prorata": "8/12",
            "clamp_unit": "year_simple",
        },
    },
    # 1.02 to the fifth is 1.10408…: five years of at least 2 %, where the index rose by 5 %.
    "limits of years, compounded": {
        "min_pct": "2",
        "max_pct": "4",
        "from_index": "100",
        "to_index": "105",
        "from_month": "2010-03",
        "to_month": "2015-03",
        "expected_percentage": "10.4",
        "extra": {"clamp_unit": "year_compound"},
    },
    # 4 % a year over 30 months of 24: 5 %.
    "a rate for a year": {
        "base_amount": "1200",
        "max_pct": "4",
        "expected_new_amount": "1260",
        "extra": {"rate_per_year": "4", "prorata": "30/24", "clamp_unit": "year_simple"},
    },
    # 8/12 of 2.91 % of 1,400 are 27.16; the contract alone would ask for 1,440.74.
    "the lower of two curves": {
        "base_amount": "1400",
        "expected_new_amount": "1427.16",
        "extra": {
            "given_pct": "2.91",
            "prorata": "8/12",
            "contract_amount": "1440.74",
            "compare": "lower_of",
        },
    },
    # 102.8 × 1.1 = 113.08; 107.9 is 4.96 % more than 102.8.
    "a threshold": {
        "from_index": "102.8",
        "to_index": "107.9",
        "expected_percentage": "0",
        "extra": {
            "threshold_pct": "10",
            "threshold_inclusive": True,
            "trigger_index_printed": "113.08",
            "trigger_probe": {"113.07": False, "113.08": True},
            "calculated_pct_printed": "4.96",
        },
    },
    # 600 × 127.92 / 109.07 = 703.69, which is 76.90 over 626.79; 75 % of that are 57.675.
    "a share of the money": {
        "base_amount": "626.79",
        "share_of_index": "75",
        "expected_new_amount": "684.47",
        "expected_change": "57.68",
        "extra": {
            "given_change": "76.90",
            "basis": "base",
            "share_of": "money_change",
            "previous": {"amount": "600", "from_index": "109.07", "to_index": "127.92"},
        },
    },
    # 300 × 23.32 for three months and 300 × 23.39 for nine: 1,749 + 5,262.75.
    "a change within the year": {
        "base_amount": "300",
        "amount_per": "year",
        "from_index": "100",
        "to_index": "2339",
        "to_month": "2025",
        "expected_new_amount": "7011.75",
        "extra": {
            "basis": "base",
            "previous": {"to_index": "2332"},
            "effective_month": "2026-04",
            "result": "year_total",
        },
    },
    # 1,080 a year are 90 a month.
    "steps of a year on a month": {
        "base_amount": "600",
        "expected_new_amount": "780",
        "extra": {
            "steps": [
                {"year": "1", "amount": "1080", "expected": "690"},
                {"year": "2", "amount": "1080", "expected": "780"},
            ],
            "recurrence": "Recurring",
            "step_per": "year",
            "year_is": "ordinal",
        },
    },
    # 10,000 off 1,927 leaves nothing to pay and 8,073 to go on with.
    "a discount that stops at zero": {
        "base_amount": "1927",
        "amount_per": "year",
        "expected_new_amount": "0",
        "extra": {
            "one_time_discount": "10000",
            "amount_left": "8073",
            "amount_floor": "0",
            "recurrence": "OneTime",
            "result": "year_total",
        },
    },
    # Effective in February, by the index of October over that of the October before.
    "a lag": {
        "from_index": "128.25",
        "to_index": "127.73",
        "from_month": "2022-10",
        "to_month": "2023-10",
        "expected_percentage": "-0.4",
        "extra": {"effective_month": "2024-02", "lag_months": 4},
    },
    # From a quarter to another one that no rhythm of years connects.
    "quarters": {
        "base_amount": "60",
        "amount_per": "week",
        "from_index": "84",
        "to_index": "169.5",
        "from_month": "1987-Q3",
        "to_month": "2009-Q4",
        "expected_new_amount": "121.07",
    },
}
"""Examples that follow from what they state, each by a convention of its own."""

DROPPED: Final = (
    ("cut to cents", "convention_rounding"),
    ("a rounded percentage", "convention_rounding"),
    ("a month rounded", "convention_rounding"),
    ("a share, cut", "convention_rounding"),
    ("excess, limit, part of a year", "max_pct"),
    ("limits of years, compounded", "extra"),
    ("a threshold", "extra.threshold_pct"),
    ("a share of the money", "extra.share_of"),
    ("a change within the year", "extra.effective_month"),
    ("the lower of two curves", "extra.prorata"),
    ("steps of a year on a month", "extra.step_per"),
)
"""Conventions without which an example does not follow any more."""


def test_every_example_that_follows_from_its_inputs_is_reproduced(examples: list[Judged]) -> None:
    sound = [one for one in examples if one.case["checks"]]

    left = {one.name: one.verdict.reason for one in sound if one.verdict.outcome != "passed"}

    assert sound
    assert {} == left


def test_an_example_that_contradicts_itself_stays_named_as_such(examples: list[Judged]) -> None:
    unsound = [one for one in examples if not one.case["checks"]]

    assert all(one.verdict.reason.startswith("contradicts itself: ") for one in unsound)


@pytest.mark.parametrize("name", CONVENTIONS)
def test_an_example_that_follows_passes(name: str) -> None:
    assert Verdict("passed") == _judged(**CONVENTIONS[name])


def _figures(example: dict[str, Any]) -> list[tuple[str, ...]]:
    found = [(name,) for name in example if name.startswith("expected_")]
    extra = example.get("extra", {})
    printed = ("monthly_printed", "calculated_pct_printed", "amount_left", "trigger_index_printed")
    return [*found, *(("extra", name) for name in printed if name in extra)]


@pytest.mark.parametrize(
    ("name", "path"),
    [(name, path) for name, example in CONVENTIONS.items() for path in _figures(example)],
)
def test_one_wrong_digit_fails_an_example(name: str, path: tuple[str, ...]) -> None:
    example = deepcopy(CONVENTIONS[name])
    *way, last = path
    there = example[way[0]] if way else example
    digit = (int(there[last][-1]) + 1) % 10
    there[last] = f"{there[last][:-1]}{digit}"

    assert "failed" == _judged(**example).outcome


@pytest.mark.parametrize(("name", "convention"), DROPPED)
def test_a_convention_that_is_dropped_fails_an_example(name: str, convention: str) -> None:
    """Each makes a difference, so that none is there for show."""
    example = deepcopy(CONVENTIONS[name])
    *way, last = convention.split(".")
    del (example[way[0]] if way else example)[last]

    assert "failed" == _judged(**example).outcome


def test_a_step_with_a_wrong_level_fails() -> None:
    example = deepcopy(CONVENTIONS["steps of a year on a month"])
    example["extra"]["steps"][0]["expected"] = "691"

    assert "failed" == _judged(**example).outcome


def test_a_probe_that_is_turned_round_fails() -> None:
    example = deepcopy(CONVENTIONS["a threshold"])
    example["extra"]["trigger_probe"] = {"113.07": True}

    assert "failed" == _judged(**example).outcome


def test_a_contradiction_is_named_by_its_field_and_not_by_its_figure() -> None:
    """106.7 to 113 is 5.9 %: printed as 5.6 it is none of ours; printed as 5.9 it is no error."""
    wrong = {"from_index": "106.7", "to_index": "113", "checks": False}

    said = _judged(expected_percentage="5.6", **wrong)
    kept = _judged(expected_percentage="5.9", **wrong)

    reason = "contradicts itself: percentage: expected 5.6, got 5.9"
    assert Verdict("not_expressible", reason) == said
    assert "failed" == kept.outcome


def test_a_rule_that_finds_other_months_than_the_stated_ones_fails() -> None:
    example = deepcopy(CONVENTIONS["a lag"])
    example["extra"]["lag_months"] = 3

    assert "failed" == _judged(**example).outcome


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"base_amount": "100"}, "neither index nor percentage"),
        ({"extra": {"given_pct": "1", "share_of": "luck"}}, "share_of luck"),
        ({"from_index": "1", "to_index": "2", "to_month": "soon"}, "month soon"),
    ],
)
def test_what_nobody_understands_is_not_expressible(changes: dict[str, Any], reason: str) -> None:
    assert Verdict("not_expressible", reason) == _judged(expected_percentage="1", **changes)


def test_a_failure_names_the_conventions_that_were_not_read() -> None:
    verdict = _judged(expected_percentage="2", extra={"given_pct": "1", "moon": "full"})

    assert "percentage: expected 2, got 1 (not read: moon)" == verdict.reason
