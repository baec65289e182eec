"""A finding says in one line the field, what is wrong with it, both figures and the rule."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rentbilling import BillingPolicy, PendingBill, check_bill
from rentbilling.checks.stated_bill import StatedBill
from rentbilling.errors import InvalidAmountError, InvalidInputError, InvalidRecordError
from rentbilling.testing import a_bill, a_line
from tests.support.rows import rows
from tests.support.sentences import Said, assert_said
from tests.support.stated import (
    EXEMPT,
    GROSS_25,
    a_stated_bill,
    a_stated_line,
    a_stated_total,
    findings,
)

PER_LINE = BillingPolicy(vat_rounding="per_line")
HALVES = BillingPolicy(cash_rounding={"EUR": Decimal("0.50")})

a, line, total = a_stated_bill, a_stated_line, a_stated_total
TWO = (line(200), line(100))
RENT = a_line(item_id="rent", period="2026-02-01/2026-02-28")
HALF = a_line(item_id="rent", period="2026-02-01/2026-02-15")


def gross_lines(*prices: tuple[Any, Any]) -> list[Any]:
    return [line(net, GROSS_25, quantity=1, unit=unit) for net, unit in prices]


def of(
    bill: StatedBill | PendingBill, policy: BillingPolicy | None = None, tolerance: str = "0"
) -> Said:
    """Return what finds the faults of a bill, either as it is stated or as it was computed."""
    if isinstance(bill, PendingBill):
        return lambda: list(check_bill(bill))
    return lambda: findings(bill, policy, Fraction(tolerance))


def refusing(kind: type[InvalidInputError], given: Any, **options: Any) -> Said:  # noqa: ANN401
    def said() -> list[str]:
        with pytest.raises(kind) as caught:
            check_bill(given, **options)
        return [str(caught.value)]

    return said


CHECKED: dict[str, Said] = {
    # Of a line its net price and its unit price without VAT are checked (A21, A29).
    # 3 × 33.33 are 99.99, and 2 × 50 and a charge of 5 are 105.
    "net prices": of(
        a(
            [
                line(100, path="lines[0]", quantity=3, unit="33.33"),
                line(95, path="lines[1]", quantity=2, unit=50, extra=5),
            ],
            [total("48.75", 195)],
        )
    ),
    # 3 × 125/3 with 25 percent are 100 net, each 100/3 and not 33.
    "a unit price of a price with VAT": of(
        a(
            [line(100, GROSS_25, quantity=3, unit="125/3", unit_net=33)],
            [total(25, 100, GROSS_25)],
        )
    ),
    # 0 × 62.50 are 0, of which a unit costs nothing; 0.01 is near enough to be its net.
    "a unit price of nothing": lambda: findings(
        a([line("0.01", GROSS_25, quantity=0, unit="62.5", unit_net=50)])
    )[:1],
    # 125 once are 100 and 25.
    "a price with VAT and no quantity is that of one": of(
        a([line(100, GROSS_25, unit=125)], [total(25, 100, GROSS_25)])
    ),
    # Of the sums each is checked by its parts (EN 16931 BR-CO-10 to BR-CO-16): 100, 10, 4 and
    # 23.50 are the parts; 101 - 11 + 5 = 95; 94 + 24 = 118; 119 - 20 = 99.
    "all sums": of(
        a(
            [line(100), line(-10, kind="allowance"), line(4, kind="charge")],
            [total("23.5", 94)],
            line_sum=101,
            allowance_sum=11,
            charge_sum=5,
            subtotal=94,
            tax_sum=24,
            total=119,
            prepaid=20,
            payable=98,
        )
    ),
    # 100 of lines; 101 and 25 are 126.
    "sums of lines and VAT totals alone": of(
        a([line(100)], [total(25, 100)])._replace(subtotal=Fraction(101), total=Fraction(127))
    ),
    # 100.30 lacks 0.20 to 100.50 (A52).
    "cash rounding": of(a([line("100.3", None)], total="100.3"), HALVES),
    # Cut down, 100.30 are 100 (A52).
    "cash is rounded in the mode of the policy": of(
        a([line("100.3", None)], total="100.3", cash_rounding="-0.3"),
        HALVES.evolve(rounding="down"),
    ),
    # The total 100.30, with its rounding, less what was paid.
    **{
        f"what is to be paid: {payable}": of(
            a(
                [line("100.3", None)],
                total="100.3",
                cash_rounding=cash,
                prepaid=prepaid,
                payable=payable,
            )
        )
        for cash, prepaid, payable in (
            (None, None, "100.3"),
            ("0.2", None, "100.5"),
            ("0.2", "50.5", 50),
            (None, 20, "80.3"),
        )
    },
    "all bases within the tolerance": of(
        a([line(90, None)], [total(15, 60), total(0, 40, EXEMPT)]), tolerance="10"
    ),
    # 25 percent of 60 are 15, and no rounding makes them 0.
    "a tax of nothing where the lines are not known": of(a([line(60, None)], [total(0, 60)])),
    # A fifth of 0.06 is 0.01 (0.012), and of 0.03 it is 0.01 (0.006), twice 0.02.
    **{
        f"a tax in prices with VAT, rounded {name}": of(
            a(gross_lines(("0.03", "0.03"), ("0.02", "0.03")), [total("0.01", "0.05", GROSS_25)]),
            policy,
        )
        for name, policy in (("as the policy says", None), ("otherwise", PER_LINE))
    },
    # Of nothing a missing total is odd, of 100 wrong.
    **{f"a total of {net} that is missing": of(a([line(net)])) for net in (100, 0)},
    # A total of nothing is no harm.
    **{
        f"a total of no line: {tax} of {base}": of(
            a([line(100, EXEMPT)], [total(0, 100, EXEMPT), total(tax, base, path="stray")])
        )
        for tax, base in ((2, 8), (1, None), (0, 0), (0, None))
    },
    # 50 and 26 are 76, and 25 percent of 300 are 75.
    **{
        f"repeated totals that can only be checked together: {name}": of(
            a(TWO, [total(50, base), total(26, other, path="second")]), policy
        )
        for name, base, other, policy in (
            ("no base", None, None, None),
            ("one base", 200, None, None),
            ("per line", 200, 100, PER_LINE),
        )
    },
    # 375 have 75 in them, and not 25 + 51; with the right VAT the nets make the gross.
    "repeated totals of prices with VAT": of(
        a(
            gross_lines((100, 125), (200, 250)),
            [total(25, 100, GROSS_25), total(51, 200, GROSS_25, path="2nd")],
        )
    ),
    "days that begin together, in their order": of(a_bill(RENT, HALF)),
    # A tolerance is exact, and not below 0.
    "an inexact tolerance": refusing(InvalidAmountError, a_bill(), tolerance=0.05),
    "a tolerance below 0": refusing(InvalidAmountError, a_bill(), tolerance=-1),
    "no bill": refusing(InvalidRecordError, 5),
    "no bill among others": refusing(InvalidRecordError, ["bill", a_bill(), None]),
}


def test_findings_and_refusals_are_sentences(request: pytest.FixtureRequest) -> None:
    assert_said(request, Path(__file__), CHECKED)


def test_all_bases_follow_the_subtotal_that_is_stated() -> None:
    bill = a([line(90, None)], [total(25, 100)], subtotal=100)

    assert ["subtotal"] == [each.code for each in findings(bill)]


@rows(
    ("net", "slack", "wrong"),
    [
        ("99.98", 0, True),
        ("99.99", 0, False),
        ("100.01", 0, False),
        ("100.02", 0, True),
        ("100.02", "0.03", False),
        ("100.04", "0.03", False),
        ("100.05", "0.03", True),
    ],
)
def test_a_net_price_of_a_price_with_vat_may_miss_by_less_than_two_units(
    net: str, slack: str | int, wrong: bool
) -> None:
    """100 by itself; with a price of so many digits that 0.03 is within it, by 0.03 more."""
    codes = {
        each.code for each in findings(a([line(net, GROSS_25, quantity=1, unit=125, slack=slack)]))
    }

    assert wrong == ("net_price" in codes)
