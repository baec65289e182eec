"""Checks of what other services and standards state: sums apart, allowances, categories, gaps."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rentbilling import BillingPolicy
from rentbilling.checks.stated_bill import Category, StatedBill
from tests.support.sentences import Said, assert_said
from tests.support.stated import (
    EXEMPT,
    GROSS_25,
    a_stated_bill,
    a_stated_line,
    a_stated_total,
    findings,
)

a, line, total = a_stated_bill, a_stated_line, a_stated_total
PER_LINE = BillingPolicy(vat_rounding="per_line")
PARTS = (line(100), line(-10, kind="allowance"), line(4, kind="charge"))
APART = (line(-9, kind="allowance"), line(14, EXEMPT, kind="charge"))
# 95 - 9 + 14 are 100, of which the bases are; nothing says what the lines are.
WITHOUT_LINES = a(
    APART,
    [total(10, 40), total(0, 60, EXEMPT)],
    line_sum=95,
    allowance_sum=9,
    charge_sum=14,
    subtotal=100,
    total=110,
)._replace(has_lines=False)
UNKNOWN = a([line(60, None)], [total(16, 60)])
NO_CATEGORY = a([line(100)], [total(16, None, None)], tax_sum=16, total=116)
TWO = (line(200), line(100))
# 2 × 62.50 - 25 are 100 with 25 percent: 80 net, 2 × 50 - 20.
INCLUSIVE = line(80, GROSS_25, quantity=2, unit="62.5", unit_net=50, extra=-25)
CATEGORIES: dict[str, tuple[Category, Any, int]] = {
    # A base of 101 for lines of 100.
    **{
        f"rule of a base of {name}": (category, 101 * category.rate, 101)
        for name in ("Exclusive", "S", "L", "M", "Z")
        for category in (Category(name, Fraction(0) if name == "Z" else Fraction(1, 4)),)
    },
    # 1 of VAT on an untaxed 100.
    **{
        f"rule of VAT on {name}": (Category(name, Fraction(0), taxed=False), 1, 100)
        for name in ("Exempt", "ReverseCharge", "K", "G", "O")
    },
    "rule of a category that the standard does not know": (Category("NG", Fraction(1, 4)), 30, 101),
}


def of(bill: StatedBill, policy: BillingPolicy | None = None, tolerance: str = "0") -> Said:
    return lambda: [f"{each.code}: {each}" for each in findings(bill, policy, Fraction(tolerance))]


def gross(tax: str, *lines: tuple[str, str]) -> StatedBill:
    """Return a bill of nets and prices with 25 percent in them, whose base is right."""
    made = [line(net, GROSS_25, quantity=1, unit=price) for net, price in lines]
    return a(made, [total(tax, str(sum(each.net for each in made)), GROSS_25)])


CHECKED: dict[str, Said] = {
    # Each sum is checked by its parts as they are stated (EN 16931 BR-CO-10 to BR-CO-15).
    # 100 - 10 + 4 are 94.
    "allowances and charges of the whole bill": of(
        a(PARTS, [total("23.5", 94)], line_sum=100, allowance_sum=10, charge_sum=4, subtotal=94)
    ),
    **{
        f"stated wrong: {sums}": of(a(PARTS, [total("23.5", 94)], **sums))
        for sums in (
            {"allowance_sum": 11, "subtotal": 93},
            {"charge_sum": 5, "subtotal": 95},
            {"line_sum": 101, "subtotal": 95},
            {"line_sum": 100, "subtotal": 95},
        )
    },
    "sums without lines": of(WITHOUT_LINES),
    "wrong sums without lines": of(WITHOUT_LINES._replace(subtotal=Fraction(101), totals=())),
    "a total of which half is stated": of(a([line(100)], [total(None, 100)], total=130)),
    "a total alone": of(a((), (), total=130)._replace(has_lines=False)),
    # Where a line or a VAT total does not say its category, only the whole can be checked.
    # 60 at 25 percent and 40 exempt are the 100 of the line.
    **{
        f"bases of {net} together": of(a([line(net, None)], [total(15, 60), total(0, 40, EXEMPT)]))
        for net in (100, 90)
    },
    # 25 percent of 60 are 15; for each line cannot be known.
    "a tax of an unknown line": of(UNKNOWN),
    "a tax of an unknown line, for each line": of(UNKNOWN, PER_LINE),
    "a total of no category": of(NO_CATEGORY),
    "a total of no category and another sum": of(NO_CATEGORY._replace(tax_sum=Fraction(17))),
    # 10 of VAT on a zero rate is wrong whatever the base.
    "zero percent of an unknown base": of(
        a((), [total(10, None, Category("Z", Fraction(0)))])._replace(has_lines=False)
    ),
    # Two totals of a category are odd where they are right together (A30).
    # 200 and 100 of 300.
    "two totals that share the lines": of(a(TWO, [total(50, 200), total(25, 100)])),
    # 0.02 at 25 percent is 0.01 (0.005) twice, and once for 0.04 as well; 0.02 is right.
    "two totals, each taxed by its own base": of(
        a([line("0.02")] * 2, [total("0.01", "0.02")] * 2)
    ),
    # 25 percent of 100 are 25.
    "two totals of which one is wrong": of(a(TWO, [total(50, 200), total(26, 100)])),
    # One total for 300, twice.
    "the same total again": of(a(TWO, [total(75, 300)] * 2)),
    # A finding names the rule of its category, as EN 16931 calls it.
    **{
        name: of(a([line(100, category)], [total(str(tax), base, category)]))
        for name, (category, tax, base) in CATEGORIES.items()
    },
    # One wrong figure of a VAT total is told once, and by the figures that are right (A29).
    # Where the base is wrong, the VAT may follow the lines or the base: 25 percent of 433.30 are
    # 108.325, of the stated 1.00 they are 0.25. What follows neither is told by the lines.
    **{
        f"a base of 1.00 for 433.30 with a VAT of {tax}{how}": of(
            a([line("433.3")], [total(tax, 1)]), policy
        )
        for tax in ("108.33", "0.25", "108.34")
        for how, policy in (("", None), (" for each line", PER_LINE))
    },
    # By the line 0.03 + 0.03 instead of 0.05 of 0.20; the base says 0.30.
    "a wrong base of lines that are rounded otherwise": of(
        a([line("0.1")] * 2, [total("0.06", "0.3")])
    ),
    # A VAT of prices with VAT in them is judged before their gross is. 100 and the right 25 make
    # the 125; 100.01 and 25 are 125.01, and 100.01 and 24.99 the 125.
    **{
        f"a net of {net} and a VAT of {tax} in 125": of(gross(tax, (net, "125")))
        for net, tax in (("100", "20"), ("100.01", "25"), ("100.01", "20"), ("100.01", "24.99"))
    },
    # 0.04 twice have 0.01 each (0.008) in them, 0.02 together (0.016), and 0.06 net.
    "a VAT that is rounded otherwise makes another gross": of(
        gross("0.02", ("0.03", "0.04"), ("0.03", "0.04"))
    ),
    "an exempt base that is wrong has no VAT to judge": of(
        a([line(100, EXEMPT)], [total(0, 90, EXEMPT)])
    ),
    "lines of nothing need no total": of(a([line(0), line(1, EXEMPT)], [])),
    # A tolerance is for the VAT of a rate and for its base (EN 16931 BR-S-08, BR-CO-17): 0.50 off
    # is information, 0.51 an error; nothing is forgiven what is exempt.
    **{
        f"a base of {base} within a tolerance of 0.50": of(
            a([line(100)], [total("25.13", base)]), tolerance="0.5"
        )
        for base in ("100.50", "100.51")
    },
    "an exempt base within a tolerance of 0.50": of(
        a([line(100, EXEMPT)], [total(0, "100.5", EXEMPT)]), tolerance="0.5"
    ),
    "an inclusive line with an allowance": of(a([INCLUSIVE], [total(20, 80, GROSS_25)])),
    "an inclusive line with another unit price": of(
        a([INCLUSIVE._replace(unit_net=Fraction(49))], [total(20, 80, GROSS_25)])
    ),
    # 0 × anything is not 80.
    "an inclusive line of no quantity": of(
        a([INCLUSIVE._replace(quantity=Fraction(0), extra=Fraction(0))], [total(20, 80, GROSS_25)])
    ),
    "an inclusive line without a price has no gross": of(
        a([line(80, GROSS_25)], [total(19, 80, GROSS_25)])
    ),
}


def test_stated_bills_have_these_findings(request: pytest.FixtureRequest) -> None:
    assert_said(request, Path(__file__), CHECKED)
