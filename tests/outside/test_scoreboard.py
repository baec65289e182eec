"""The scoreboard: what we promise about the outside cases, and how a folder of them is read."""

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest

from tests.outside.__main__ import BEGIN, END, main
from tests.outside.board import Case
from tests.outside.folders import Judged, Score, scores
from tests.outside.made_up import invoice
from tests.outside.vat import invoices

DATES_AND_SHARES: Final = frozenset(
    {
        "billing_interval",
        "day_count",
        "proration",
        "proration_fraction",
        "recurrence",
        "whole_periods",
        "next_billing_date",
        "calendar_anchor",
        "billing_period",
        "elapsed_cycles",
        "period_range",
        "mid_period_change",
        "due_date",
        "business_day",
        "range_split",
        "next_invoice_date",
        "next_period",
        "period_sequence",
        "period_containing",
        "period_amounts",
    }
)
PRICES_AND_TOTALS: Final = frozenset(
    {
        "discount",
        "discount_allocation",
        "price_history",
        "invoice_total",
        "invoice_items",
        "invoice_line",
    }
)
EXCEPTED: Final = frozenset({"VAT stated in another currency only"})
"""What a document may say that is marked as exact and is no bill of ours."""


@pytest.fixture(scope="module")
def board(outside_cases: Path) -> list[Score]:
    return list(scores(outside_cases))


def _all(board: Iterable[Score]) -> list[Judged]:
    return [one for score in board for one in score.judged]


def _expressed(judged: Iterable[Judged]) -> list[Judged]:
    return [one for one in judged if one.verdict.outcome != "not_expressible"]


def _passed(judged: Iterable[Judged]) -> list[Judged]:
    return [one for one in judged if one.verdict.outcome == "passed"]


def _failures(judged: Iterable[Judged]) -> dict[str, str]:
    return {one.name: one.verdict.reason for one in judged if one.verdict.outcome == "failed"}


def _of_kinds(board: Iterable[Score], kinds: frozenset[str]) -> list[Judged]:
    """Return the cases of these kinds, or skip where the folder has none."""
    found = [one for one in _all(board) if one.case.get("kind") in kinds and "input" in one.case]
    if not found:
        pytest.skip("no cases of these kinds in the folder")
    return found


def _is_coreinvoice(case: Case) -> bool:
    """Return whether a case is an exact, valid invoice of the standards that we follow."""
    if "vat_breakdown" not in case or "check" not in case or case.get("nominal") != "valid":
        return False
    family = str(case["family"])
    followed = family.startswith("en16931") or family in {"oioubl", "zatca"}
    return followed and case["check"]["verdict"] == "exact"


def test_exact_invoices_are_reproduced_part_by_part_under_the_default_policy(
    board: list[Score],
) -> None:
    core = [one for one in _all(board) if _is_coreinvoice(one.case)]

    left = {one.name: one.verdict.reason for one in core if one.verdict.outcome != "passed"}

    assert [] == [name for name, reason in left.items() if reason not in EXCEPTED]
    assert len(left) <= len(core) / 50


def test_every_half_is_rounded_right(board: list[Score]) -> None:
    halves = [
        one
        for one in _all(board)
        if "dividend" in one.case
        and Fraction(one.case["dividend"]) / Fraction(one.case["divisor"]) % 1 == Fraction(1, 2)
    ]

    left = {one.verdict.reason for one in halves if one.verdict.outcome != "passed"}

    assert left <= {"rounding mode halfOdd"}


def test_arithmetic_rules_of_validators_agree_with_our_sums(board: list[Score]) -> None:
    rules = [one for one in _all(board) if {"rule", "facts"} <= one.case.keys()]

    assert {} == _failures(rules)


def test_nothing_that_is_about_vat_and_totals_fails(board: list[Score]) -> None:
    ours = [one for one in _all(board) if "input" not in one.case]

    assert {} == _failures(ours)


def test_three_quarters_of_all_peer_cases_about_dates_and_shares_pass(board: list[Score]) -> None:
    found = _of_kinds(board, DATES_AND_SHARES)

    assert len(_passed(found)) >= 0.75 * len(found)


def test_nineteen_of_twenty_expressed_peer_cases_about_dates_and_shares_pass(
    board: list[Score],
) -> None:
    found = _expressed(_of_kinds(board, DATES_AND_SHARES))

    assert len(_passed(found)) >= 0.95 * len(found)


def test_nine_of_ten_expressed_peer_cases_about_discounts_prices_and_totals_pass(
    board: list[Score],
) -> None:
    found = _expressed(_of_kinds(board, PRICES_AND_TOTALS))

    assert len(_passed(found)) >= 0.90 * len(found)


def test_whatever_does_not_pass_says_why(board: list[Score]) -> None:
    silent = [
        one.name
        for one in _all(board)
        if one.verdict.outcome != "passed" and not one.verdict.reason.strip()
    ]

    assert [] == silent


def test_no_judge_breaks_on_a_case(board: list[Score]) -> None:
    broken = {name: reason for name, reason in _failures(_all(board)).items() if "broke:" in reason}

    assert {} == broken


# ------------------------------------------------------------------------------ made-up folders


def _outcome(stated: Mapping[str, Any]) -> str:
    return invoices.judge(stated, {}).outcome


def test_an_invoice_that_adds_up_passes() -> None:
    """Price for 365 days, an allowance on the line, an exempt charge on the document."""
    assert "passed" == _outcome(invoice())


@pytest.mark.parametrize("part", ["line_net", "taxable", "tax", "tax_exclusive", "payable"])
def test_one_wrong_cent_fails_aninvoice(part: str) -> None:
    text = json.dumps(invoice())
    right = json.loads(text)["lines"][0] | invoice()["vat_breakdown"][0] | invoice()["totals"]
    old, cents = right[part], right[part][:-2]
    wrong = text.replace(f'"{part}": "{old}"', f'"{part}": "{cents}{int(old[-2:]) + 1:02}"')

    assert "failed" == _outcome(json.loads(wrong))


def test_a_contradiction_that_our_figures_show_passes() -> None:
    totals = invoice()["totals"] | {"tax_inclusive": "477.51"}
    check = {
        "verdict": "inconsistent_document",
        "oracle": {"lines": True, "groups": True, "totals": False},
        "exceptions": [{"what": "tax_inclusive", "class": "within_1"}],
    }

    assert "passed" == _outcome(invoice(totals=totals, check=check))


def test_a_contradiction_that_our_figures_do_not_show_fails() -> None:
    check = {
        "verdict": "inconsistent_document",
        "oracle": {"lines": True, "groups": True, "totals": False},
        "exceptions": [{"what": "tax_inclusive", "class": "within_1"}],
    }

    assert "failed" == _outcome(invoice(check=check))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a handful of made-up cases, under names that say nothing."""
    (tmp_path / "deep").mkdir()
    peers = [{"id": "p/1", "kind": "made_up_kind", "input": {}, "expected": {}}]
    plain = [
        {"id": "a/1", "mode": "halfUp", "dividend": "7", "divisor": "2", "expected": "4"},
        {"id": "a/2", "mode": "halfUp", "dividend": "7", "divisor": "2", "expected": "3"},
        {"id": "a/3", "mode": "halfUp", "dividend": "7", "divisor": "0", "expected": "3"},
        invoice(id="a/4"),
    ]
    (tmp_path / "deep" / "x.json").write_text(json.dumps({"peer": "nobody", "cases": peers}))
    (tmp_path / "y.json").write_text(json.dumps({"what": "anything", "cases": plain}))
    (tmp_path / "z.json").write_text(json.dumps([{"id": "s", "frequency": "month", "values": {}}]))
    return tmp_path


def test_the_scoreboard_in_json_counts_what_passed_and_lists_the_rest(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([str(folder), "--json"])

    files = json.loads(capsys.readouterr().out)["files"]
    nobody = {"id": "p/1", "reason": "made_up_kind"}
    assert 0 == code
    assert {"passed": 0, "failed": [], "not_expressible": [nobody]} == files["deep/x.json"]
    assert 2 == files["y.json"]["passed"]
    assert ["a/2", "a/3"] == [one["id"] for one in files["y.json"]["failed"]]
    assert {"passed": 1, "failed": [], "not_expressible": []} == files["checks: y.json"]
    assert {"deep/x.json", "y.json", "checks: y.json"} == set(files)


def test_the_scoreboard_in_words_gives_each_reason(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([str(folder)])

    lines = capsys.readouterr().out.splitlines()
    assert "y.json: 2 passed, 2 failed, 0 not expressible" in lines
    assert "    failed: a/2: quotient: expected 3, got 4" in lines
    assert "    not expressible: p/1: made_up_kind" in lines
    assert "all files: 2 passed, 2 failed, 1 not expressible" in lines
    assert "checks: y.json: 1 passed, 0 failed, 0 not expressible" in lines
    assert "all checks: 1 passed, 0 failed, 0 not expressible" == lines[-1]


def test_the_scoreboard_replaces_the_table_of_a_page(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")

    code = main([str(folder), "--write", str(page)])

    text = page.read_text()
    assert 0 == code
    assert text.startswith(f"before\n{BEGIN}\n\n| File |")
    assert text.endswith(f"{END}\nafter\n")
    assert "| y.json | 2 | 2 | 0 |  |" in text
    assert "| deep/x.json | 0 | 0 | 1 | made_up_kind (1) |" in text
    assert "| **all** | 2 | 2 | 1 |  |" in text
    assert "| **all checks** | 1 | 0 | 0 |  |" in text
    assert "- `a/2` failed: quotient: expected 3, got 4." in text
    assert "old" not in text


def test_a_page_without_markers_is_left_alone(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("as it was\n")

    code = main([str(folder), "--write", str(page)])

    assert 2 == code
    assert "as it was\n" == page.read_text()


def test_a_folder_that_is_not_there_is_misuse(tmp_path: Path) -> None:
    """The only way to end with something else than 0 and a scoreboard."""
    assert 2 == main([str(tmp_path / "nowhere")])
