"""A check finds where a bill contradicts itself, and names the rule (EN 16931, A16-A30, A52)."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import VatTotal
from rentbilling.checks import CheckResult
from rentbilling.checks.check import stated_findings
from rentbilling.checks.stated_bill import (
    Category,
    StatedBill,
    StatedLine,
    plain_text,
    stated_bill,
)
from rentbilling.errors import InvalidAmountError, InvalidRecordError
from rentbilling.testing import a_bill, a_line
from tests.support.refusals import faults
from tests.support.rows import rows
from tests.support.sentences import Said, assert_said

QUARTER = "Exclusive 0.25"
GROSS = "Inclusive 0.25"
PARKING = a_line(product_key="key:parking", amount="100.00", vat=QUARTER)
PER_LINE = rb.BillingPolicy(vat_rounding="per_line")
HALVES = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
TWO_DIMES = [a_line(product_key=key, amount="0.10", vat=QUARTER) for key in ("a", "b")]
HALF, REST = (
    a_line(period=days, item_id="rent")
    for days in ("2026-02-01/2026-02-15", "2026-02-15/2026-02-28")
)
CUT = a_line(product_key="key:parking", amount="0.125", net_price="0.12")
PLAIN: dict[str, Any] = json.loads(
    rb.dumps(a_bill(a_line(), PARKING)), parse_float=Decimal, parse_int=Decimal
)
"""A bill as plain data."""


def coded(findings: Any) -> list[str]:  # noqa: ANN401
    return [f"{each.code}: {each}" for each in findings]


def of(*lines: Any, policy: rb.BillingPolicy | None = None, **options: Any) -> Said:  # noqa: ANN401
    tolerance = Decimal(options.pop("tolerance", "0"))
    bill = a_bill(*lines, **options)
    return lambda: coded(rb.check_bill(bill, policy=policy, tolerance=tolerance))


def two_dimes(done: rb.BillingPolicy | None, asked: rb.BillingPolicy | None) -> Said:
    return lambda: coded(rb.check_bill(a_bill(*TWO_DIMES, policy=done), policy=asked))


def vat_total(vat: str, tax: str, base: str) -> VatTotal:
    mode, _, rate = vat.partition(" ")
    units, net = (int(Decimal(text) * 100) for text in (tax, base))
    return VatTotal(rb.Vat(mode, Decimal(rate) if rate else None), units, net, "DKK", 2)


def line(price: str, vat: str = QUARTER, **fields: Any) -> Any:  # noqa: ANN401
    return a_line(amount=price, vat=vat, **fields)


CHECKED: dict[str, Said] = {
    # Rent, and parking with 25 percent on top: 8,500 + 100 + 25.
    "a right bill": of(a_line(), PARKING),
    # Net prices follow from quantity and price (EN 16931 BT-131): 3 × 33.33 are 99.99.
    "a net that is not quantity times price": of(
        a_line(amount="33.33", quantity=3, net_price="100.00")
    ),
    # A price that has no VAT in it is its own price without VAT (A21).
    "a unit price without VAT that is not the price": of(line("100.00", unit_net_price="100.01")),
    # 125 with 25 percent in it are 100 net; 97 is no rounding.
    "an inclusive net that is not the gross without VAT": of(line("125.00", GROSS, net_price="97")),
    # 2 × 100.01 are 200.02, and the net is 200.
    "an inclusive unit price that does not make its net": of(
        line("125.00", GROSS, quantity=2, unit_net_price="100.01")
    ),
    # The unit price 100 / 3 has no end.
    "a figure finer than the minor unit is written whole": of(
        line("125.00", GROSS, quantity=3, unit_net_price="90.00")
    ),
    # 2,000 × 3,333,333,333.33333; half of the price's last digit is worth 0.01 (A21).
    **{
        f"a price of fifteen digits, net …{net}": of(
            a_line(amount="3333333333.33333", quantity=2000, net_price=f"6666666666666.{net}")
        )
        for net in ("66", "67", "65", "68")
    },
    # 0.125 cut down is 0.12; half up it would be 0.13 (A54).
    "a line that is rounded by the policy of its product": of(
        CUT, policy=rb.BillingPolicy(by_product={"key:parking": rb.BillingPolicy(rounding="down")})
    ),
    "the same line by the policy of the bill": of(CUT),
    # VAT totals follow from the lines of their rate (EN 16931 BR-S-08, BR-CO-17, A29).
    # 25 percent of 100 are 25.
    "a VAT that is not base times rate": of(PARKING, vat_totals={QUARTER: "25.02"}),
    "a VAT within the tolerance of 0.02": of(
        PARKING, vat_totals={QUARTER: "25.02"}, tolerance="0.02"
    ),
    "a VAT outside the tolerance of 0.01": of(
        PARKING, vat_totals={QUARTER: "25.02"}, tolerance="0.01"
    ),
    # 100, and 25 percent of it are right; the base says 100.01.
    "a base that is not the sum of its lines": of(
        PARKING, vat_totals=[vat_total(QUARTER, "25.00", "100.01")]
    ),
    # Two lines of 0.10: 0.03 each and 0.06 by the line, 0.05 for the rate.
    **{
        f"VAT rounded {done}, checked {asked}": two_dimes(by[done], by[asked])
        for by in ({"by the rate": None, "by the line": PER_LINE},)
        for done in by
        for asked in by
    },
    # An exempt rent has none (EN 16931 BR-E-09).
    "VAT on what is exempt": of(a_line(), vat_totals={"Exempt": "1.00"}),
    # Each mode and rate has a VAT total (A30).
    "lines without a VAT total": of(PARKING, vat_totals=[]),
    # There is nothing at 12.5 percent; a total of nothing is no harm.
    **{
        f"a VAT total of {tax} without lines": of(
            a_line(),
            vat_totals=[
                vat_total("Exempt", "0.00", "8500.00"),
                vat_total("Exclusive 0.125", tax, base),
            ],
        )
        for tax, base in (("1.00", "8.00"), ("0.00", "0.00"))
    },
    "a VAT total that is given twice": of(
        PARKING, vat_totals=[vat_total(QUARTER, "25.00", "100.00")] * 2
    ),
    # 0.02 with 25 percent in it: VAT 0.00 (0.004), net 0.02; a quarter of that is 0.01.
    "a gross that is preserved": of(line("0.02", GROSS)),
    # 125 were promised; 100.01 and 25 are 125.01.
    "a gross that is not preserved": of(
        line("125.00", GROSS, net_price="100.01", unit_net_price="100.01"),
        vat_totals=[vat_total(GROSS, "25.00", "100.01")],
    ),
    # A fifth of 125 is 25, and not 20.
    "a VAT that is not in the gross": of(
        line("125.00", GROSS), vat_totals=[vat_total(GROSS, "20.00", "100.00")]
    ),
    # Sums are sums of their parts (EN 16931 BR-CO-10 to BR-CO-16).
    # 8,500 + 100, and the total follows the subtotal that is stated.
    "a subtotal that is not the sum of the nets": of(a_line(), PARKING, subtotal="8600.01"),
    # 8,600 + 25.
    "a total that is not subtotal and VAT": of(a_line(), PARKING, total="8625.01"),
    # There is nothing to pay for (EN 16931 BR-16).
    "a bill without lines": lambda: coded(
        rb.check_bill(rb.PendingBill(739_648, "DKK", 2, [], [], (0, 0, None)))
    ),
    # 8,500.30 is 0.20 below 8,500.50 (A52).
    **{
        f"cash rounding of {cash}": of(a_line(amount="8500.30"), cash_rounding=cash, policy=HALVES)
        for cash in ("0.20", "-0.30", None)
    },
    # The same thing billed twice is odd, though not for two items.
    "equal lines of one item": of(a_line(), PARKING, PARKING),
    "equal lines of two items": of(
        *(a_line(product_key="key:parking", amount="100.00", item_id=name) for name in ("a", "b"))
    ),
    # The 15th of February is billed twice.
    "days of one item that overlap": of(REST, HALF),
    # Instalments of two changes are due in one month (A39).
    "balances billed for the same days": of(*[a_line(item_id="deposit", kind="balance")] * 2),
    # Of plain data also what cannot be read is found.
    "plain data": lambda: coded(rb.check_bill(PLAIN)),
    "plain data with what is to be paid": lambda: coded(
        rb.check_bill({**PLAIN, "payable": {"amount": Decimal("8625.50"), "currency": "DKK"}})
    ),
    "plain data that cannot be read": lambda: coded(
        rb.check_bill({**PLAIN, "dueDate": "soon", "total": 5})
    ),
}


def test_findings_name_code_place_figures_and_rule(request: pytest.FixtureRequest) -> None:
    assert_said(request, Path(__file__), CHECKED)


NOTHING = "no contradiction; proration and due dates need the lease (compare_bills)"


def test_a_right_bill_has_no_findings() -> None:
    found = rb.check_bill(a_bill(a_line(), PARKING))

    assert ((), True, NOTHING) == (found.findings, found.is_consistent, str(found))


@rows(
    ("given", "consistent"),
    [
        (a_bill(*TWO_DIMES, policy=PER_LINE), True),
        (a_bill(a_line(), PARKING, PARKING), True),
        (a_bill(PARKING, vat_totals=[]), False),
        ({}, False),
    ],
    ids=["VAT by the line", "a line twice", "no VAT total", "no data"],
)
def test_a_bill_with_warnings_is_consistent_and_one_with_errors_is_not(
    given: Any,  # noqa: ANN401
    consistent: bool,
) -> None:
    assert consistent is rb.check_bill(given).is_consistent


def test_what_is_not_stated_is_not_checked() -> None:
    taxed = Category("S", Fraction(1, 5), inclusive=True)
    lines = (
        StatedLine("net alone", taxed, Fraction(1)),
        StatedLine("gross", taxed, Fraction(10), quantity=Fraction(1), unit=Fraction(12)),
    )
    bare = StatedBill("EUR", 2, lines, ())

    assert ["vat_total_missing"] == [
        each.code for each in stated_findings(bare, rb.BillingPolicy())
    ]


@rows("given", [None, 5, ["bill"], rb.LeaseTerms()])
def test_what_is_no_bill_is_refused(given: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidRecordError) as caught:
        rb.check_bill(given)

    assert "not_bills" == caught.value.code


@rows(("tolerance", "code"), [(0.05, "not_exact"), (Decimal("-0.05"), "out_of_range")])
def test_a_tolerance_is_an_exact_number_that_is_not_below_zero(
    tolerance: Any,  # noqa: ANN401
    code: str,
) -> None:
    assert [("tolerance", code)] == faults(
        lambda: rb.check_bill(a_bill(), tolerance=tolerance), InvalidAmountError
    )


def test_results_compare_and_print() -> None:
    one = rb.Finding("total", "error", "total", "is off", "1", "2", "BR")
    hint = one._replace(severity="information")
    result = CheckResult([one, hint])

    assert (one,) == result.errors
    assert f"<CheckResult 1 error, 2 findings: {one}; {hint}>" == repr(result)
    assert "error: total is off (met 1; expected 2) [BR]" == str(result).splitlines()[0]
    assert CheckResult([one, hint]) == result
    assert CheckResult([one]) != result


def test_figures_are_checked_as_exactly_as_they_are_stated() -> None:
    stated = stated_bill(a_bill(PARKING))

    assert ("DKK", Fraction(100), Fraction(125)) == (
        stated.currency,
        stated.subtotal,
        stated.total,
    )
    assert ("pendingBillLineItems[0]", Fraction(100)) == (
        stated.lines[0].path,
        stated.lines[0].unit,
    )
    assert [(Fraction(25), Fraction(100))] == [(each.tax, each.base) for each in stated.totals]


def test_half_of_the_last_of_fifteen_digits_may_be_off() -> None:
    """0.000005 of 3,333,333,333.33333, 2,000 times: 0.01; of fewer digits nothing (A21)."""
    long = a_line(amount="3333333333.33333", quantity=2000)

    assert [Fraction(1, 100), Fraction(0)] == [
        each.slack for each in stated_bill(a_bill(long, a_line())).lines
    ]


@rows(
    ("value", "text"),
    [
        (Fraction(25), "25"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(7, 20), "0.35"),
        (Fraction(2, 3), "2/3"),
        (Fraction(0), "0"),
        (Fraction(1, 10**30), f"0.{'0' * 29}1"),
    ],
)
def test_a_figure_is_written_with_all_its_digits(value: Fraction, text: str) -> None:
    assert text == plain_text(value)
