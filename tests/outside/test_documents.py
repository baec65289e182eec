"""The judges of invoices and of rules of validators on made-up ones, which they must also fail."""

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import pytest

from rentbilling import BillingPolicy
from tests.outside import checks
from tests.outside.checks import documents
from tests.outside.folders import judge
from tests.outside.made_up import invoice

CENTS: Final = 2


def _computed(case: dict[str, Any]) -> str:
    return judge(case, {}).outcome


def _checked(case: dict[str, Any]) -> str:
    """Return the outcome of what our checks find, with the head of its reason."""
    found = checks.judge_of(case)
    assert found is not None
    verdict = found(case, {})
    return f"{verdict.outcome} {verdict.reason.split(':')[0]}".strip()


def _codes(case: dict[str, Any], *, tolerant: bool = False) -> list[str]:
    found = documents.errors_of(case, BillingPolicy(), tolerant=tolerant)
    return [each.code for each in found]


def _called(verdict: str, *exceptions: dict[str, Any], **oracle: bool) -> dict[str, Any]:
    parts = {"lines": True, "groups": True, "totals": True, **oracle}
    return {"verdict": verdict, "oracle": parts, "exceptions": list(exceptions)}


WRONG = _called("inconsistent_document", {"what": "tax_inclusive", "class": "within_1"})
WRONG_TOTALS = WRONG | {"oracle": {"lines": True, "groups": True, "totals": False}}


def test_a_document_that_adds_up_passes() -> None:
    """90 at 1,460 for 365 less 10 are 350; 25 percent 87.50; 40 exempt; 77.50 paid before."""
    assert [] == _codes(invoice())
    assert ("passed", "passed") == (_computed(invoice()), _checked(invoice()))
    # The file says that it contradicts itself, and no figure shows it.
    assert "failed" == _computed(invoice(check=WRONG_TOTALS))
    assert _checked(invoice(check=WRONG)).startswith("failed")


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
def test_a_wrong_cent_fails_or_is_found(part: str, found: list[str]) -> None:
    right = invoice()
    figures = right["lines"][0] | right["vat_breakdown"][0] | right["totals"]
    cents = Decimal(figures[part]) + Decimal("0.01")
    text = json.dumps(right).replace(f'"{part}": "{figures[part]}"', f'"{part}": "{cents}"')
    wrong = json.loads(text)

    assert found == _codes(wrong)
    assert ("failed", "failed a false alarm") == (_computed(wrong), _checked(wrong))
    assert "passed found" == _checked(wrong | {"check": WRONG})


def test_a_contradiction_that_our_figures_show_passes() -> None:
    totals = invoice()["totals"] | {"tax_inclusive": "477.51"}

    assert "passed" == _computed(invoice(totals=totals, check=WRONG_TOTALS))


def test_a_total_of_nothing_is_no_contradiction_that_a_figure_shows() -> None:
    nothing = {"category": "Z", "rate": "0", "taxable": "0", "tax": "0"}
    what = {"what": "group_without_lines", "category": "Z", "rate": "0"}
    groups = [*invoice()["vat_breakdown"], nothing]
    document = invoice(check=_called("inconsistent_document", what), vat_breakdown=groups)

    assert "not_expressible not found, a VAT total of nothing" == _checked(document)


def test_standards_forgive_a_line_by_two_cents_and_a_vat_by_less_than_one() -> None:
    """350.02 for 350.00, and 88.49 for 87.51: 0.98 off; a cent more each is an error."""

    def document(net: str, tax: str) -> dict[str, Any]:
        return invoice(
            lines=[invoice()["lines"][0] | {"line_net": net}],
            vat_breakdown=[
                {"category": "S", "rate": "25", "taxable": net, "tax": tax},
                {"category": "E", "rate": "0", "taxable": "40.00", "tax": "0"},
            ],
            totals={"tax_inclusive": str(Decimal(net) + 40 + Decimal(tax))},
            check=_called("within_standard_tolerance"),
        )

    assert "passed by the tolerance of the standards" == _checked(document("350.02", "88.49"))
    assert ["net_price"] == _codes(document("350.03", "87.51"), tolerant=True)
    assert ["vat_amount"] == _codes(document("350.00", "88.50"), tolerant=True)
    assert _checked(document("350.00", "88.50")).startswith("failed")
    # The greatest figure below one: 0.99 in cents, nothing where a currency has none.
    assert Fraction(99, 100) == documents.less_than_one(CENTS)
    assert 0 == documents.less_than_one(0)


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
    for expect, outcome in (("error", fires), ("success", not fires)):
        case = {"id": "r", "rule": rule, "expect": expect, "facts": facts}
        assert _checked(case).startswith("passed" if outcome else "failed")
        assert _computed(case) == ("passed" if outcome else "failed")
