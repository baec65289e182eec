"""What we promise about our checks: what they find on outside documents, and never find on them."""

import json
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest

from rentbilling import BillingPolicy
from rentbilling.checks.stated_bill import Category
from tests.outside import checks
from tests.outside.board import Verdict
from tests.outside.checks import documents, rules
from tests.outside.checks.stated import category_of, stated
from tests.outside.folders import Judged, Score, check_scores
from tests.outside.made_up import invoice

BESIDE: Final = frozenset(
    {
        "VAT stated in another currency only",
        "VAT charged on category AE, which charges none",
        "VAT that no breakdown explains",
    }
)
"""What is found on a document whose figures add up: the check of its file does not look there."""
HIDDEN: Final = frozenset(
    {
        "not found, a VAT total of nothing",
        "not found, a VAT total that names neither category nor rate",
        "not found, rates within a category that charges no VAT",
    }
)
"""Contradictions of a document that no figure of it shows."""
CENTS: Final = 2


@pytest.fixture(scope="module")
def board(outside_cases: Path) -> list[Judged]:
    """Return what the checks find on the outside cases, where they are at hand."""
    return _all(check_scores(outside_cases))


def _all(scored: Iterable[Score]) -> list[Judged]:
    return [one for score in scored for one in score.judged]


def _of_verdict(board: Iterable[Judged], *verdicts: str) -> list[Judged]:
    return [one for one in board if one.case.get("check", {}).get("verdict") in verdicts]


def _left(judged: Iterable[Judged]) -> dict[str, str]:
    return {one.name: one.verdict.reason for one in judged if one.verdict.outcome != "passed"}


def _heads(reasons: Iterable[str]) -> set[str]:
    return {reason.split(":")[0] for reason in reasons}


def test_no_false_alarm_on_documents_that_are_exact(board: list[Judged]) -> None:
    """No error in any part; at most 1 in 50 has a finding of a kind that its file leaves out."""
    exact = _of_verdict(board, "exact")

    left = _left(exact)

    assert set() == _heads(left.values()) - BESIDE
    assert len(left) <= len(exact) / 50


def test_no_false_alarm_within_what_the_standards_forgive(board: list[Judged]) -> None:
    """0.02 for a line, less than 1 for base and VAT of a rate; most of them need it."""
    near = _of_verdict(board, "within_standard_tolerance")

    assert {} == _left(near)


def test_nineteen_of_twenty_wrong_documents_are_found(board: list[Judged]) -> None:
    wrong = [
        one
        for one in _of_verdict(board, "inconsistent_document")
        if one.case["nominal"] in {"mutant", "invalid"}
    ]

    assert len(_left(wrong)) <= 0.05 * len(wrong)


def test_every_contradiction_that_is_not_found_has_a_reason(board: list[Judged]) -> None:
    left = _left(_of_verdict(board, "inconsistent_document"))

    assert set() == _heads(left.values()) - HIDDEN


def test_arithmetic_rules_are_found_broken_under_their_own_names(board: list[Judged]) -> None:
    fragments = [one for one in board if "rule" in one.case]

    left = _left(fragments)

    kinds = {"not an arithmetic rule", "a figure that a bill does not state"}
    assert set() == _heads(left.values()) - kinds


def test_no_check_breaks_on_a_document(board: list[Judged]) -> None:
    assert [] == [one.name for one in board if one.verdict.outcome == "failed"]


# --------------------------------------------------------------------------- made-up documents


def _judged(case: dict[str, Any]) -> Verdict:
    judge = checks.judge_of(case)
    assert judge is not None
    return judge(case, {})


def _codes(case: dict[str, Any], *, tolerant: bool = False) -> list[str]:
    found = documents.errors_of(case, BillingPolicy(), tolerant=tolerant)
    return [each.code for each in found]


def _called(verdict: str, *exceptions: dict[str, Any]) -> dict[str, Any]:
    oracle = {"lines": True, "groups": True, "totals": True}
    return {"verdict": verdict, "oracle": oracle, "exceptions": list(exceptions)}


WRONG = _called("inconsistent_document", {"what": "tax_inclusive", "class": "within_1"})


def test_a_document_that_adds_up_has_no_errors() -> None:
    """90 at 1,460 for 365 less 10 are 350; 25 percent 87.50; 40 exempt; 77.50 paid before."""
    assert [] == _codes(invoice())
    assert "passed" == _judged(invoice()).outcome


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("line_net", ["net_price", "vat_base", "line_sum"]),
        ("taxable", ["vat_base"]),
        ("tax", ["vat_amount", "tax_sum"]),
        ("line_net_sum", ["line_sum", "subtotal"]),
        ("charge_total", ["charge_sum", "subtotal"]),
        ("tax_exclusive", ["subtotal", "total"]),
        ("tax_total", ["tax_sum", "total"]),
        ("tax_inclusive", ["total", "payable"]),
        ("payable", ["payable"]),
    ],
)
def test_a_wrong_cent_is_a_false_alarm_or_a_find(part: str, found: list[str]) -> None:
    right = invoice()
    figures = right["lines"][0] | right["vat_breakdown"][0] | right["totals"]
    cents = Decimal(figures[part]) + Decimal("0.01")
    text = json.dumps(right).replace(f'"{part}": "{figures[part]}"', f'"{part}": "{cents}"')
    wrong = json.loads(text)

    assert found == _codes(wrong)
    assert "a false alarm" == _judged(wrong).reason.split(":")[0]
    assert "found" == _judged(wrong | {"check": WRONG}).reason.split(":")[0]


def test_a_contradiction_that_is_not_found_fails() -> None:
    assert "failed" == _judged(invoice(check=WRONG)).outcome


def test_a_total_of_nothing_is_no_contradiction_that_a_figure_shows() -> None:
    nothing = {"category": "Z", "rate": "0", "taxable": "0", "tax": "0"}
    check = _called(
        "inconsistent_document", {"what": "group_without_lines", "category": "Z", "rate": "0"}
    )
    document = invoice(check=check, vat_breakdown=[*invoice()["vat_breakdown"], nothing])

    verdict = _judged(document)

    assert ("not_expressible", "not found, a VAT total of nothing") == (
        verdict.outcome,
        verdict.reason,
    )


def test_standards_forgive_a_line_by_two_cents_and_a_vat_by_less_than_one() -> None:
    """350.02 for 350.00, and 88.49 for 87.51: 0.98 off; a cent more each is an error."""
    line = invoice()["lines"][0]

    def document(net: str, tax: str) -> dict[str, Any]:
        total = Decimal(net) + 40 + Decimal(tax)
        return invoice(
            lines=[line | {"line_net": net}],
            vat_breakdown=[
                {"category": "S", "rate": "25", "taxable": net, "tax": tax},
                {"category": "E", "rate": "0", "taxable": "40.00", "tax": "0"},
            ],
            totals={"tax_inclusive": str(total)},
            check=_called("within_standard_tolerance"),
        )

    assert (
        "by the tolerance of the standards"
        == (_judged(document("350.02", "88.49")).reason.split(":")[0])
    )
    assert ["net_price"] == _codes(document("350.03", "87.51"), tolerant=True)
    assert ["vat_amount"] == _codes(document("350.00", "88.50"), tolerant=True)
    assert "failed" == _judged(document("350.00", "88.50")).outcome


def test_less_than_one_is_a_figure_of_the_currency() -> None:
    """0.99 in cents, and nothing where there are none."""
    assert Fraction(99, 100) == documents.less_than_one(CENTS)
    assert 0 == documents.less_than_one(0)


def test_another_convention_is_judged_by_the_policy_that_means_it() -> None:
    """Two lines of 12.34 at 10 percent: 1.23 twice, and 2.47 once for the rate."""
    line = {"quantity": "1", "unit_net_price": "12.34", "line_net": "12.34"}
    taxed = {"category": "S", "rate": "10"}
    document = invoice(
        lines=[line | taxed | {"id": name} for name in "ab"],
        document_charges=[],
        vat_breakdown=[taxed | {"taxable": "24.68", "tax": "2.46"}],
        totals={"tax_inclusive": "27.14"},
        check=_called("other_convention", {"what": "tax", "class": "per_line"}),
    )

    assert "under its own convention: per line" == _judged(document).reason
    unknown = _called("other_convention", {"what": "tax", "class": "off"})
    document["vat_breakdown"][0]["tax"] = "3.00"
    document["totals"]["tax_inclusive"] = "27.68"
    assert "not_expressible" == _judged(document | {"check": unknown}).outcome


def test_a_finding_beside_the_arithmetic_is_no_alarm_on_an_invalid_file() -> None:
    document = invoice(vat_breakdown=[], nominal="mutant")

    beside = _judged(document)

    assert "VAT that no breakdown explains" == beside.reason.split(":")[0]
    assert "failed" == _judged(document | {"nominal": "valid"}).outcome


def test_what_a_document_does_not_state_is_none() -> None:
    bare = stated({"vat_breakdown": [{"category": "AE", "tax": "10"}]}, CENTS)

    assert not bare.has_lines
    assert (Category("AE", Fraction(0), taxed=False), Fraction(10), None) == bare.totals[0][1:]
    assert (None, None, None, None) == (bare.subtotal, bare.total, bare.line_sum, bare.payable)
    assert category_of(None, None) is None
    assert Category("VAT", Fraction(22, 100)) == category_of(None, "22")


def test_payments_for_third_parties_and_a_rounding_within_the_total() -> None:
    """FatturaPA: a total of 100.50 with 0.50 of rounding, and 7 for somebody else."""
    totals = {"tax_inclusive": "100.50", "rounding": "0.50", "prepaid": "2"}
    bill = stated({"syntax": "FatturaPA", "totals": totals, "third_party_payments": "7"}, CENTS)

    assert (Fraction(100), Fraction(1, 2), Fraction(-5)) == (
        bill.total,
        bill.cash_rounding,
        bill.prepaid,
    )


# ------------------------------------------------------------------------------- made-up rules


def _rule(name: str, expect: str, **facts: Any) -> str:  # noqa: ANN401
    return _judged({"id": "r", "rule": name, "expect": expect, "facts": facts}).outcome


@pytest.mark.parametrize(
    ("rule", "facts", "fires"),
    [
        ("BR-CO-13", {"totals": {"line_net_sum": "10", "tax_exclusive": "10"}}, False),
        ("BR-CO-13", {"totals": {"line_net_sum": "10", "tax_exclusive": "11"}}, True),
        ("BR-CO-17", {"vat_breakdown": [{"rate": "25", "taxable": "1000", "tax": "250"}]}, False),
        ("BR-CO-17", {"vat_breakdown": [{"rate": "25", "taxable": "1000", "tax": "251"}]}, True),
        ("BR-IC-09", {"vat_breakdown": [{"category": "K", "tax": "0"}]}, False),
        ("BR-IC-09", {"vat_breakdown": [{"category": "K", "tax": "-1"}]}, True),
    ],
)
def test_a_rule_holds_or_fires(rule: str, facts: dict[str, Any], fires: bool) -> None:
    right, wrong = ("error", "success") if fires else ("success", "error")

    assert "passed" == _rule(rule, right, **facts)
    assert "failed" == _rule(rule, wrong, **facts)


def test_rules_about_presence_and_unstated_figures_are_left_out() -> None:
    assert "not_expressible" == _rule("BR-CO-18", "success")
    assert "not_expressible" == _rule("PEPPOL-EN16931-R040", "success")


def test_a_rule_is_named_as_a_whole_word() -> None:
    """BR-CO-1 is not BR-CO-17."""
    (found,) = documents.errors_of(
        {"vat_breakdown": [{"rate": "25", "taxable": "1000", "tax": "251"}]}, BillingPolicy()
    )

    assert {"BR-CO-17", "BG-23"} == rules.names(found)
