"""A finding says in one line the field, what is wrong with it, both figures and the rule."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rentbilling import BillingPolicy, PendingBill, check_bill
from rentbilling.checks.stated_bill import Category, StatedBill
from rentbilling.errors import InvalidAmountError, InvalidRecordError
from rentbilling.testing import a_bill, a_line
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
ZERO = Category("S", Fraction(0))

a, line, total = a_stated_bill, a_stated_line, a_stated_total
TWO = (line(200), line(100))
RENT = a_line(item_id="rent", period="2026-02-01/2026-02-28")
HALF = a_line(item_id="rent", period="2026-02-01/2026-02-15")
REST = a_line(item_id="rent", period="2026-02-15/2026-02-28")
PARKING = a_line(product_key="key:parking", amount="100.00")


def gross_lines(*prices: tuple[Any, Any]) -> list[Any]:
    return [line(net, GROSS_25, quantity=1, unit=unit) for net, unit in prices]


def of(
    bill: StatedBill | PendingBill, policy: BillingPolicy | None = None, tolerance: str = "0"
) -> Callable[[], list[Any]]:
    """Return what finds the faults of a bill, either as it is stated or as it was computed."""
    if isinstance(bill, PendingBill):
        return lambda: list(check_bill(bill))
    return lambda: findings(bill, policy, Fraction(tolerance))


SAID: dict[str, tuple[Callable[[], list[Any]], str]] = {
    # Of a line its net price and its unit price without VAT are checked (A21, A29).
    # 3 × 33.33 are 99.99, and 2 × 50 and a charge of 5 are 105.
    "net prices": (
        of(
            a(
                [
                    line(100, path="lines[0]", quantity=3, unit="33.33"),
                    line(95, path="lines[1]", quantity=2, unit=50, extra=5),
                ],
                [total("48.75", 195)],
            )
        ),
        """
        error: lines[0].netPrice is not quantity × price (met 100.00; expected 99.99)
        [EN 16931 BT-131, PEPPOL-EN16931-R120]
        error: lines[1].netPrice is not quantity × price (met 95.00; expected 105.00)
        [EN 16931 BT-131, PEPPOL-EN16931-R120]
        """,
    ),
    "a unit price of a price without VAT": (
        of(a([line(100, quantity=1, unit=100, unit_net="100.005")], [total(25, 100)])),
        """
        error: line.unitNetPrice is not the price, which has no VAT in it
        (met 100.005; expected 100.00) [EN 16931 BT-146, A21]
        """,
    ),
    # The third line has both, and 2 × 50 are not 101.
    "lines without quantity or price are not checked": (
        of(
            a(
                [
                    line(100, quantity=1),
                    line(100, unit=100),
                    line(101, path="third", quantity=2, unit=50),
                ],
                [total("75.25", 301)],
            )
        ),
        """
        error: third.netPrice is not quantity × price (met 101.00; expected 100.00)
        [EN 16931 BT-131, PEPPOL-EN16931-R120]
        """,
    ),
    # 125 with 25 percent are 100 and 25: with 97 it is 122, and 24.25 would be base × rate.
    "a net price of a price with VAT": (
        of(a(gross_lines((97, 125)), [total(25, 97, GROSS_25)])),
        """
        error: line.netPrice is not quantity × price without VAT (met 97.00; expected 100.00) [A29]
        error: vat with its base does not make the gross of its lines
        (met 122.00; expected 125.00) [A29]
        information: vat.amount preserves the gross, so it is not base × rate
        (met 25.00; expected 24.25) [EN 16931 BR-CO-17, A29]
        """,
    ),
    # 3 × 125/3 with 25 percent are 100 net, each 100/3 and not 33.
    "a unit price of a price with VAT": (
        of(
            a(
                [line(100, GROSS_25, quantity=3, unit="125/3", unit_net=33)],
                [total(25, 100, GROSS_25)],
            )
        ),
        """
        error: line.unitNetPrice × quantity is not the net price (met 33.00; expected 100/3)
        [EN 16931 BT-146, PEPPOL-EN16931-R120]
        """,
    ),
    # 0 × 62.50 are 0, of which a unit costs nothing; 0.01 is near enough to be its net.
    "a unit price of nothing": (
        lambda: findings(a([line("0.01", GROSS_25, quantity=0, unit="62.5", unit_net=50)]))[:1],
        """
        error: line.unitNetPrice × quantity is not the net price (met 50.00; expected 0.00)
        [EN 16931 BT-146, PEPPOL-EN16931-R120]
        """,
    ),
    # 125 once are 100 and 25.
    "a price with VAT and no quantity is that of one": (
        of(a([line(100, GROSS_25, unit=125)], [total(25, 100, GROSS_25)])),
        "",
    ),
    # Of the sums each is checked by its parts (EN 16931 BR-CO-10 to BR-CO-16): 100, 10, 4 and
    # 23.50 are the parts; 101 - 11 + 5 = 95; 94 + 24 = 118; 119 - 20 = 99.
    "all sums": (
        of(
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
        """
        error: lineSum is not the sum of the lines
        (met 101.00; expected 100.00) [EN 16931 BR-CO-10]
        error: allowanceSum is not the sum of the allowances
        (met 11.00; expected 10.00) [EN 16931 BR-CO-11]
        error: chargeSum is not the sum of the charges (met 5.00; expected 4.00) [EN 16931 BR-CO-12]
        error: subtotal is not the sum of lines, allowances and charges
        (met 94.00; expected 95.00) [EN 16931 BR-CO-13]
        error: taxSum is not the sum of the VAT totals (met 24.00; expected 23.50)
        [EN 16931 BR-CO-14]
        error: total is not subtotal + VAT totals (met 119.00; expected 118.00) [EN 16931 BR-CO-15]
        error: payable is not total + rounding - what was paid
        (met 98.00; expected 99.00) [EN 16931 BR-CO-16]
        """,
    ),
    # 100 of lines; 101 and 25 are 126.
    "sums of lines and VAT totals alone": (
        of(a([line(100)], [total(25, 100)])._replace(subtotal=Fraction(101), total=Fraction(127))),
        """
        error: subtotal is not the sum of the net prices (met 101.00; expected 100.00)
        [EN 16931 BR-CO-10, BR-CO-13]
        error: total is not subtotal + VAT totals (met 127.00; expected 126.00)
        [EN 16931 BR-CO-14, BR-CO-15]
        """,
    ),
    "no lines": (
        of(a()),
        """
        error: pendingBillLineItems has no line (met 0 lines; expected at least one)
        [EN 16931 BR-16]
        """,
    ),
    # 100.30 lacks 0.20 to 100.50 (A52).
    "cash rounding": (
        of(a([line("100.3", None)], total="100.3"), HALVES),
        """
        error: cashRounding does not bring the total to a multiple of 0.50 (met 0.00; expected 0.20)
        [EN 16931 BT-114, A52]
        """,
    ),
    # Cut down, 100.30 are 100 (A52).
    "cash is rounded in the mode of the policy": (
        of(
            a([line("100.3", None)], total="100.3", cash_rounding="-0.3"),
            HALVES.evolve(rounding="down"),
        ),
        "",
    ),
    # The total 100.30, with its rounding, less what was paid.
    **{
        f"what is to be paid: {payable}": (
            of(
                a(
                    [line("100.3", None)],
                    total="100.3",
                    cash_rounding=cash,
                    prepaid=prepaid,
                    payable=payable,
                )
            ),
            "",
        )
        for cash, prepaid, payable in (
            (None, None, "100.3"),
            ("0.2", None, "100.5"),
            ("0.2", "50.5", 50),
            (None, 20, "80.3"),
        )
    },
    # Of VAT totals the tax and the base are checked, and whether they are there (A29, A30).
    # 101 for 100, taxed as stated; what is charged at 0 percent is zero rated.
    "a base": (
        of(a([line(100)], [total("25.25", 101)])),
        """
        error: vat.base is not the sum of its lines (met 101.00; expected 100.00)
        [EN 16931 BR-S-08]
        """,
    ),
    "a base at zero percent": (
        of(a([line(100, ZERO)], [total(0, 101, ZERO)])),
        """
        error: vat.base is not the sum of its lines (met 101.00; expected 100.00)
        [EN 16931 BR-Z-08]
        """,
    ),
    "a base within the tolerance": (
        of(a([line(100)], [total("25.25", 101)]), tolerance="1"),
        """
        information: vat.base is off by no more than the tolerance
        (met 101.00; expected 100.00) [EN 16931 BR-S-08]
        """,
    ),
    # 60 and 40 are not the 90 of the line.
    "all bases together": (
        of(a([line(90, None)], [total(15, 60), total(0, 40, EXEMPT)])),
        """
        error: vatTotals have bases that do not add up to the subtotal
        (met 100.00; expected 90.00) [EN 16931 BT-116, BT-109]
        """,
    ),
    "all bases within the tolerance": (
        of(a([line(90, None)], [total(15, 60), total(0, 40, EXEMPT)]), tolerance="10"),
        """
        information: vatTotals is off by no more than the tolerance
        (met 100.00; expected 90.00) [EN 16931 BT-116, BT-109]
        """,
    ),
    # 25 percent of 100 are 25.
    "a tax": (
        of(a([line(100)], [total("25.02", 100)])),
        """
        error: vat.amount is not base × rate (met 25.02; expected 25.00)
        [EN 16931 BR-CO-17, BR-S-09]
        """,
    ),
    "a tax within the tolerance": (
        of(a([line(100)], [total("25.02", 100)]), tolerance="0.02"),
        """
        information: vat.amount is off by no more than the tolerance
        (met 25.02; expected 25.00) [EN 16931 BR-CO-17, BR-S-09]
        """,
    ),
    # 25 percent of 60 are 15, and no rounding makes them 0.
    "a tax of nothing where the lines are not known": (
        of(a([line(60, None)], [total(0, 60)])),
        """
        error: vat.amount is not base × rate (met 0.00; expected 15.00)
        [EN 16931 BR-CO-17, BR-S-09]
        """,
    ),
    "a tax at zero percent where nothing else is known": (
        of(a((), [total(10, None, ZERO)])._replace(has_lines=False), PER_LINE),
        """
        error: vat.amount is not base × rate (met 10.00; expected 0.00)
        [EN 16931 BR-CO-17, BR-Z-09]
        """,
    ),
    # 0.03 twice, and 0.05 for 0.20.
    "a tax that is rounded otherwise": (
        of(a([line("0.1"), line("0.1")], [total("0.06", "0.2")])),
        """
        warning: vat.amount is rounded for each line instead of once for the rate
        (met 0.06; expected 0.05) [EN 16931 BR-CO-17, BR-S-09, A29]
        """,
    ),
    # A fifth of 0.06 is 0.01 (0.012), and of 0.03 it is 0.01 (0.006), twice 0.02.
    **{
        f"a tax in prices with VAT, {name}": (
            of(
                a(
                    gross_lines(("0.03", "0.03"), ("0.02", "0.03")),
                    [total("0.01", "0.05", GROSS_25)],
                ),
                policy,
            ),
            said,
        )
        for name, policy, said in (
            ("rounded as the policy says", None, ""),
            (
                "rounded otherwise",
                PER_LINE,
                """
                warning: vat.amount is rounded once for the rate instead of for each line
                (met 0.01; expected 0.02) [EN 16931 BR-CO-17, BR-S-09, A29]
                """,
            ),
        )
    },
    "a tax on what is exempt": (
        of(a([line(100, EXEMPT)], [total(1, 100, EXEMPT)])),
        "error: vat.amount charges VAT on E (met 1.00; expected 0.00) [EN 16931 BR-E-09]",
    ),
    # Of nothing a missing total is odd, of 100 wrong.
    **{
        f"a total of {net} that is missing": (
            of(a([line(net)])),
            f"""
            {severity}: vatTotals has none for S 25 %, of which there are lines
            (met nothing; expected the VAT on {net}.00) [EN 16931 BR-CO-18, BR-S-01, A30]
            """,
        )
        for net, severity in ((100, "error"), (0, "warning"))
    },
    **{
        f"a total of no line: {tax} of {base}": (
            of(a([line(100, EXEMPT)], [total(0, 100, EXEMPT), total(tax, base, path="stray")])),
            f"""
            error: stray.vat belongs to no line: there is none of S 25 %
            (met {met}; expected 0.00) [EN 16931 BR-S-08]
            """
            if met
            else "",
        )
        for tax, base, met in ((2, 8, "8.00"), (1, None, "1.00"), (0, 0, None), (0, None, None))
    },
    # Several totals of a category are checked by their bases, or together (A30).
    # 50 of 200 and 25 of 100.
    "repeated totals that are right": (
        of(a(TWO, [total(50, 200), total(25, 100, path="second")])),
        """
        warning: second.vat is repeated (met S 25 %; expected one total for each mode and rate)
        [EN 16931 BG-23, A30]
        """,
    ),
    # 26 of 100.
    "repeated totals of which one is wrong": (
        of(a(TWO, [total(50, 200), total(26, 100, path="second")])),
        """
        error: second.amount is not base × rate (met 26.00; expected 25.00)
        [EN 16931 BR-CO-17, BR-S-09]
        warning: second.vat is repeated (met S 25 %; expected one total for each mode and rate)
        [EN 16931 BG-23, A30]
        """,
    ),
    # 50 and 26 are 76, and 25 percent of 300 are 75.
    **{
        f"repeated totals that can only be checked together: {name}": (
            of(a(TWO, [total(50, base), total(26, other, path="second")]), policy),
            """
            error: vat.amount is not base × rate (met 76.00; expected 75.00)
            [EN 16931 BR-CO-17, BR-S-09]
            warning: second.vat is repeated (met S 25 %; expected one total for each mode and rate)
            [EN 16931 BG-23, A30]
            """,
        )
        for name, base, other, policy in (
            ("no base", None, None, None),
            ("one base", 200, None, None),
            ("per line", 200, 100, PER_LINE),
        )
    },
    # 375 have 75 in them, and not 25 + 51; with the right VAT the nets make the gross.
    "repeated totals of prices with VAT": (
        of(
            a(
                gross_lines((100, 125), (200, 250)),
                [total(25, 100, GROSS_25), total(51, 200, GROSS_25, path="2nd")],
            )
        ),
        """
        error: vat.amount is not the VAT in the gross of its lines (met 76.00; expected 75.00) [A29]
        warning: 2nd.vat is repeated (met S 25 %; expected one total for each mode and rate)
        [EN 16931 BG-23, A30]
        """,
    ),
    # Lines that bill the same thing twice are named by their places (A16, A19).
    "the same line again": (
        of(a_bill(a_line(product_key="key:deposit", kind="balance"), PARKING, PARKING)),
        """
        warning: pendingBillLineItems[2] repeats pendingBillLineItems[1]
        (met key:parking 2026-02-01/2026-02-28; expected one line, or two items by their ids) [A16]
        """,
    ),
    # The 15th, in whichever order the lines are.
    "days of one item again": (
        of(a_bill(REST, HALF)),
        """
        warning: pendingBillLineItems[0].accountingPeriod bills days of pendingBillLineItems[1]
        again (met 2026-02-15/2026-02-28; expected no day of 2026-02-01/2026-02-15) [A19]
        """,
    ),
    "days that begin together, in their order": (
        of(a_bill(RENT, HALF)),
        """
        warning: pendingBillLineItems[1].accountingPeriod bills days of pendingBillLineItems[0]
        again (met 2026-02-01/2026-02-15; expected no day of 2026-02-01/2026-02-28) [A19]
        """,
    ),
    "what cannot be read": (
        lambda: check_bill({"dueDate": 5})[:2],
        """
        error: dueDate is not a date (met 5; expected YYYY-MM-DD) [interface: pending bills]
        error: pendingBillLineItems is required (met nothing; expected a value)
        [interface: pending bills]
        """,
    ),
}


@pytest.mark.parametrize(("find", "said"), SAID.values(), ids=SAID)
def test_findings_are_printed_as_sentences(find: Callable[[], list[Any]], said: str) -> None:
    assert " ".join(said.split()) == " ".join(str(each) for each in find())


def test_all_bases_follow_the_subtotal_that_is_stated() -> None:
    bill = a([line(90, None)], [total(25, 100)], subtotal=100)

    assert ["subtotal"] == [each.code for each in findings(bill)]


def test_what_cannot_be_read_has_the_codes_of_the_reader() -> None:
    assert ["not_a_date", "missing"] == [each.code for each in check_bill({"dueDate": 5})[:2]]


@pytest.mark.parametrize(
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


KINDS = "a PendingBill, or its data"


@pytest.mark.parametrize(
    ("given", "options", "error", "said"),
    [
        # A tolerance is exact, and not below 0.
        (
            a_bill(),
            {"tolerance": 0.05},
            InvalidAmountError,
            "tolerance: is not an exact number "
            "(met 0.05; expected a Decimal or a whole number, such as Decimal('0.05'))",
        ),
        (
            a_bill(),
            {"tolerance": -1},
            InvalidAmountError,
            "tolerance: is below 0 (met -1; expected 0 or more)",
        ),
        (
            5,
            {},
            InvalidRecordError,
            "bill: holds no bills (met 5; expected "
            "a BillingResult, a PendingBill, several, a JSON text, or its data)",
        ),
        (
            ["bill", a_bill(), None],
            {},
            InvalidRecordError,
            f"bills[0]: is no bill (met 'bill'; expected {KINDS})\n"
            f"bills[2]: is no bill (met None; expected {KINDS})",
        ),
    ],
    ids=["inexact tolerance", "tolerance below 0", "no bill", "no bill among others"],
)
def test_what_cannot_be_checked_is_refused(
    given: Any,  # noqa: ANN401
    options: dict[str, Any],
    error: type[ValueError],
    said: str,
) -> None:
    with pytest.raises(error) as caught:
        check_bill(given, **options)

    assert said == str(caught.value)
