"""VAT: the totals of each mode and rate, the sums of a bill, and what is paid in cash."""

import json
from decimal import Decimal
from typing import Any, cast

import pytest

import rentbilling as rb
from rentbilling.billing import bill_of_lines
from rentbilling.errors import CurrencyMismatchError
from rentbilling.payers import BillDiscount, discount_bill
from rentbilling.portfolio import bill_portfolio
from rentbilling.reports import vat_report
from tests.support.refusals import Call, refused
from tests.support.rents import EXEMPT, YEAR, amount, day, fee, period, rent, vat
from tests.support.rows import rows

ON_TOP = vat("Exclusive", "0.25")
INSIDE = vat("Inclusive", "0.25")
PER_LINE = rb.BillingPolicy(vat_rounding="per_line")
WAYS = ("per_rate", "per_line")
UP: dict[str, Any] = {"rounding": "up"}


def bill(*items: rb.OneTimeBillItem, **choices: Any) -> rb.PendingBill:  # noqa: ANN401
    (found,) = rb.pending_bills(items, YEAR, policy=rb.BillingPolicy(**choices))
    return found


def fees(tax: rb.Vat, *prices: str) -> list[rb.OneTimeBillItem]:
    return [fee(price, vat=tax) for price in prices]


def sums(found: rb.PendingBill) -> tuple[str, str, str]:
    tax = sum((each.amount.amount for each in found.vat_totals), Decimal(0))
    return f"{found.subtotal.amount:f}", f"{tax:f}", f"{found.total.amount:f}"


def nets(found: rb.PendingBill) -> list[str]:
    return [f"{line.net_price.amount:f}" for line in found.lines]


def shown(totals: tuple[rb.VatTotal, ...]) -> list[tuple[str, str | None, str, str]]:
    """Return mode, rate, VAT and base of VAT totals as they are printed."""
    return [
        (
            each.vat.tax_mode,
            None if each.vat.tax_rate is None else f"{each.vat.tax_rate:f}",
            f"{each.amount.amount:f}",
            f"{each.base.amount:f}",
        )
        for each in totals
    ]


def by_hand(
    price: str,
    net: str,
    tax: rb.Vat,
    **changes: Any,  # noqa: ANN401
) -> rb.PendingBillLineItem:
    fields: dict[str, Any] = {
        "product_key": "key:rent",
        "amount": amount(price),
        "net_price": amount(net),
        "vat": tax,
        "accounting_period": period("2026-01-01/2026-01-31"),
    }
    return rb.PendingBillLineItem(**{**fields, **changes})


# The items, the policy, and the subtotal, VAT and total of their bill.
SUMS: list[tuple[list[rb.OneTimeBillItem], dict[str, Any], tuple[str, str, str]]] = [
    # The mode says where the VAT is (A27). On top: 1,000 and 25 % of it.
    (fees(ON_TOP, "1000.00"), {}, ("1000.00", "250.00", "1250.00")),
    # Inside: 1,000 / 1.25 = 800.
    (fees(INSIDE, "1000.00"), {}, ("800.00", "200.00", "1000.00")),
    (fees(EXEMPT, "1000.00"), {}, ("1000.00", "0.00", "1000.00")),
    (fees(vat("ReverseCharge"), "1000.00"), {}, ("1000.00", "0.00", "1000.00")),
    # The sums of a bill are over all its rates: 1,000 + 800 of net; 250 on top, 200 inside (A28).
    (
        [*fees(ON_TOP, "1000.00"), *fees(INSIDE, "1000.00")],
        {},
        ("1800.00", "450.00", "2250.00"),
    ),
    # VAT on top is rounded once for the rate, by the rule of EN 16931, or for each line, with the
    # rounding of the bill (A3, A26, A29): 25 % of 9.99 is 2.4975; of 3.33 0.8325, three times 0.83.
    (fees(ON_TOP, *["3.33"] * 3), {}, ("9.99", "2.50", "12.49")),
    (fees(ON_TOP, *["3.33"] * 3), {"vat_rounding": "per_line"}, ("9.99", "2.49", "12.48")),
    # Ties: 25 % of 0.10 is 0.025.
    (fees(ON_TOP, "0.10"), {}, ("0.10", "0.03", "0.13")),
    (fees(ON_TOP, "0.10"), {"rounding": "half_even"}, ("0.10", "0.02", "0.12")),
    (fees(ON_TOP, "0.10"), {"rounding": "half_down"}, ("0.10", "0.02", "0.12")),
    (fees(ON_TOP, "0.10", "0.10"), {"vat_rounding": "per_line"}, ("0.20", "0.06", "0.26")),
    (fees(ON_TOP, "0.10", "0.10"), {}, ("0.20", "0.05", "0.25")),
    (fees(ON_TOP, "0.01"), {"rounding": "up"}, ("0.01", "0.01", "0.02")),
    (fees(ON_TOP, "0.03"), {"rounding": "down"}, ("0.03", "0.00", "0.03")),
    # A credit: −0.025 goes away from zero as well.
    (fees(ON_TOP, "-0.10"), {}, ("-0.10", "-0.03", "-0.13")),
    # A credit takes its charge back to the cent.
    (fees(ON_TOP, "3.33", "-3.33"), {"vat_rounding": "per_line"}, ("0.00", "0.00", "0.00")),
]


@rows(("items", "choices", "expected"), SUMS)
def test_a_bill_sums_its_lines_and_their_vat(
    items: list[rb.OneTimeBillItem], choices: dict[str, Any], expected: tuple[str, str, str]
) -> None:
    assert expected == sums(bill(*items, **choices))


TOTALS: list[tuple[list[rb.OneTimeBillItem], list[tuple[str, str | None, str, str]]]] = [
    # Every mode has a total of its own, those without VAT too, in order of first appearance, with
    # their base (A27, A28, A30). A rate of an untaxed mode charges nothing, and has no total.
    (
        [
            fee("1000.00", vat=vat("ReverseCharge")),
            fee("1000.00", vat=INSIDE),
            fee("500.00"),
            fee("1000.00", vat=ON_TOP),
            fee("20.00", vat=vat("Exempt", "0.25")),
        ],
        [
            ("ReverseCharge", None, "0.00", "1000.00"),
            ("Inclusive", "0.25", "200.00", "800.00"),
            ("Exempt", None, "0.00", "520.00"),
            ("Exclusive", "0.25", "250.00", "1000.00"),
        ],
    ),
    # A mode in any case is one mode, under the word of the interface (A27).
    (
        [fee("100.00", vat=vat(mode, "0.25")) for mode in ("exclusive", "EXCLUSIVE")],
        [("Exclusive", "0.25", "50.00", "200.00")],
    ),
    # Rates are one if they are as numbers: 0.25 and 0.250 make one total, 0.2501 another (A30).
    (
        [fee("100.00", vat=vat("Exclusive", rate)) for rate in ("0.25", "0.2501", "0.250")],
        [("Exclusive", "0.25", "50.00", "200.00"), ("Exclusive", "0.2501", "25.01", "100.00")],
    ),
]


@rows(("items", "expected"), TOTALS)
def test_each_mode_and_rate_has_one_total(
    items: list[rb.OneTimeBillItem], expected: list[tuple[str, str | None, str, str]]
) -> None:
    assert expected == shown(bill(*items).vat_totals)


@rows(
    ("rate", "off", "expected"),
    [
        # 1,000 less 10 % is 900, and 25 % of it 225.
        ("0.25", "0.10", ("900.00", "225.00", "1125.00")),
        # The largest: a price doubled, and nothing left of it.
        ("1", "0", ("1000.00", "1000.00", "2000.00")),
        ("0.25", "1", ("0.00", "0.00", "0.00")),
    ],
)
def test_rates_and_percentages_are_fractions(
    rate: str, off: str, expected: tuple[str, str, str]
) -> None:
    """0.25 is 25 %, 0.10 is 10 %, 1 is all of it (A5)."""
    discount = rb.Discount(percentage=Decimal(off))
    item = rent("1000.00", vat=vat("Exclusive", rate), discount=discount)
    (found,) = rb.pending_bills(item, "2026-02-01/2026-02-28")

    assert expected == sums(found)


@rows(
    ("call", "expected"),
    [
        # The refusal of a mode lists the four (A27).
        (
            lambda: fee("100.00", vat={"taxMode": "Standard", "taxRate": Decimal("0.25")}),
            "one of Exclusive, Inclusive, Exempt, ReverseCharge",
        ),
        # A percentage for a fraction is refused: 25 would be 2,500 percent, 10 a thousand (A5).
        (
            lambda: rb.Vat("Exclusive", Decimal(25)),
            "a fraction: 25 means 2500 %; write 0.25 or '25%'",
        ),
        (lambda: rb.Discount(percentage=Decimal(10)), "a fraction: 0.10 means ten percent"),
    ],
)
def test_no_other_mode_and_no_percentage_is_billed(call: Call, expected: str) -> None:
    assert [expected] == [each.expected for each in refused(call).problems]


@rows(
    ("choices", "prices", "expected", "expected_nets"),
    [
        # 0.09 / 5 = 0.018: 0.02, net 0.07. Each 0.03 / 1.25 = 0.024 falls to 0.02: one is missing,
        # all three lost as much, so the earliest gets it.
        ({}, ("0.03",) * 3, ("0.07", "0.02", "0.09"), ["0.03", "0.02", "0.02"]),
        # 0.15 / 5 = 0.03, net 0.12. Own nets 0.048, 0.056, 0.016 rise to 0.05, 0.06, 0.02: one too
        # many. They rose by 0.002, 0.004 and 0.004, so the second gives it back.
        ({}, ("0.06", "0.07", "0.02"), ("0.12", "0.03", "0.15"), ["0.05", "0.05", "0.02"]),
        # 0.18 / 5 = 0.036: 0.04, net 0.14; two are missing of six times 0.02.
        (
            {},
            ("0.03",) * 6,
            ("0.14", "0.04", "0.18"),
            ["0.03", "0.03", "0.02", "0.02", "0.02", "0.02"],
        ),
        # 0.03 / 5 = 0.006: 0.01, net 0.02. Own nets 0.016 and 0.008 rise to 0.02 and 0.01, so the
        # first, which rose most, falls; that it was the group's net by itself settles nothing.
        ({}, ("0.02", "0.01"), ("0.02", "0.01", "0.03"), ["0.01", "0.01"]),
        # 0.10 / 5 = 0.02, net 0.08; one is missing of 0.03 + 0.02 + 0.02. The first fell by 0.002
        # from 0.032, the others by 0.004 from 0.024, so the second gets it.
        ({}, ("0.04", "0.03", "0.03"), ("0.08", "0.02", "0.10"), ["0.03", "0.03", "0.02"]),
        # Nothing to correct: 125 / 1.25 = 100.
        ({}, ("125.00", "250.00"), ("300.00", "75.00", "375.00"), ["100.00", "200.00"]),
        # A credit mirrors its charge.
        ({}, ("-0.03",) * 3, ("-0.07", "-0.02", "-0.09"), ["-0.03", "-0.02", "-0.02"]),
        # In every rounding, however far apart the lines and the group come out (A3, A29).
        # 0.02 / 5 = 0.004 of VAT a line, 0.016 of net; 0.06 / 5 = 0.012 and 0.048 for the group.
        # VAT 0.02, net 0.04; the nets rise to 0.02 each, so the first two fall.
        (UP, ("0.02",) * 3, ("0.04", "0.02", "0.06"), ["0.01", "0.01", "0.02"]),
        # VAT 0.01, net 0.05; the nets fall to 0.01 each, so the first two rise.
        ({"rounding": "down"}, ("0.02",) * 3, ("0.05", "0.01", "0.06"), ["0.02", "0.02", "0.01"]),
        # The net of a line alone is corrected, too: VAT and net both rise, and the VAT stays.
        (UP, ("0.02",), ("0.01", "0.01", "0.02"), ["0.01"]),
        # For each line: 0.03 / 5 = 0.006 is 0.01, so the net is 0.02; three of them (A29).
        (
            {"vat_rounding": "per_line"},
            ("0.03",) * 3,
            ("0.06", "0.03", "0.09"),
            ["0.02", "0.02", "0.02"],
        ),
    ],
)
def test_inclusive_prices_keep_their_gross(
    choices: dict[str, Any],
    prices: tuple[str, ...],
    expected: tuple[str, str, str],
    expected_nets: list[str],
) -> None:
    """The nets are corrected by single øre, where rounding took or gave most (A29)."""
    found = bill(*fees(INSIDE, *prices), **choices)

    assert (expected, expected_nets) == (sums(found), nets(found))
    assert [("Inclusive", "0.25", expected[1], expected[0])] == shown(found.vat_totals)


def test_only_lines_of_the_group_are_corrected() -> None:
    """A line at another rate between them, and one with VAT on top, stay as they are (A29)."""
    found = bill(
        fee("0.03", vat=vat("Inclusive", "0.20")),
        fee("0.10", vat=ON_TOP),
        fee("0.03", vat=INSIDE),
        fee("0.03", vat=INSIDE),
        fee("0.03", vat=INSIDE),
    )

    # 0.03 / 1.2 = 0.025: 0.03, and its VAT 0.03 × 0.2/1.2 = 0.005 is 0.01, so that it loses an øre.
    assert (["0.02", "0.10", "0.03", "0.02", "0.02"], [("0.01", "0.02"), ("0.03", "0.10")]) == (
        nets(found),
        [(tax, base) for _, _, tax, base in shown(found.vat_totals)][:2],
    )


def test_the_unit_net_price_follows_a_corrected_net() -> None:
    """3 × 0.01 inside make a net of 0.03 after the correction: 0.01 each, not 0.008 (A21, A29)."""
    found = bill(
        fee("0.01", vat=INSIDE, quantity=3), fee("0.03", vat=INSIDE), fee("0.03", vat=INSIDE)
    )

    assert [("0.03", "0.01"), ("0.02", "0.02"), ("0.02", "0.02")] == [
        (f"{line.net_price.amount:f}", f"{line.unit_net_price.amount:f}") for line in found.lines
    ]


@rows(("own", "unit"), [("half_up", "0.025"), ("down", "0.027")])
def test_a_corrected_unit_price_is_rounded_as_its_product_says(own: Any, unit: str) -> None:  # noqa: ANN401
    """A net of 0.08 for 3 units is 0.025 each where 0.075 rises, 0.027 where 0.081 falls (A54)."""
    found = bill(
        fee("0.03", vat=INSIDE, quantity=3, product_key="key:parking"),
        *fees(INSIDE, "0.04", "0.04"),
        by_product={"key:parking": rb.BillingPolicy(rounding=own)},
    )

    # 0.17 / 5 = 0.034: 0.03, net 0.14; own nets 0.07, 0.03, 0.03, all 0.002 low; one missing.
    assert (["0.08", "0.03", "0.03"], unit) == (
        nets(found),
        f"{found.lines[0].unit_net_price.amount:f}",
    )


def test_a_bill_is_made_of_the_figures_of_its_lines() -> None:
    """Due date, sums and totals of two lines in the order given: 100 + 200 and 75 of VAT."""
    lines = [line.raw for line in bill(*fees(ON_TOP, "100.00", "200.00")).lines]
    found = bill_of_lines(day("2026-03-31").toordinal(), lines, rb.BillingPolicy())

    assert (day("2026-03-31"), ("300.00", "75.00", "375.00"), ["100.00", "200.00"]) == (
        found.due_date,
        sums(found),
        nets(found),
    )


HALF_STEPS: dict[str, Any] = {"cash_rounding": {"DKK": Decimal("0.50")}}
EVEN: dict[str, Any] = {**HALF_STEPS, "rounding": "half_even"}
ABROAD: dict[str, Any] = {"cash_rounding": {"JPY": Decimal(10), "EUR": Decimal("0.05")}}


@rows(
    ("choices", "price", "cash", "payable"),
    [
        (HALF_STEPS, "9311.38", "0.12", "9311.50"),
        (HALF_STEPS, "9311.24", "-0.24", "9311.00"),
        # The tie goes away from zero, on both sides.
        (HALF_STEPS, "9311.25", "0.25", "9311.50"),
        (HALF_STEPS, "-9311.25", "-0.25", "-9311.50"),
        (HALF_STEPS, "9311.50", "0.00", "9311.50"),
        ({"cash_rounding": {"DKK": Decimal("1.00")}}, "9311.50", "0.50", "9312.00"),
        ({"cash_rounding": {"DKK": Decimal("0.25")}}, "0.12", "-0.12", "0.00"),
        # To the even one, 0, where ties go there (A3).
        (EVEN, "0.25", "-0.25", "0.00"),
        # Steps are of the currency: none for one that the policy does not name.
        (ABROAD, "1234 JPY", "-4 JPY", "1230 JPY"),
        (ABROAD, "12.34", None, "12.34"),
    ],
)
def test_cash_is_paid_in_steps(
    choices: dict[str, Any], price: str, cash: str | None, payable: str
) -> None:
    """What rounds the total is an amount of its own; the total stays (A52)."""
    found = bill(fee(price), **choices)

    assert (None if cash is None else amount(cash), amount(payable), amount(price)) == (
        found.cash_rounding,
        found.payable,
        found.total,
    )


@rows("sign", ["", "-"])
def test_a_bill_of_more_than_15_digits_is_refused(sign: str) -> None:
    """No JSON reader would keep its total; 15 digits pass (A1)."""
    most, one = f"{sign}9999999999999.98", f"{sign}0.01"
    total = bill(fee(most), fee(one)).total

    with pytest.raises(rb.UnsupportedCaseError) as caught:
        bill(fee(most), fee(one), fee(one))

    assert (
        amount(f"{sign}9999999999999.99"),
        rb.UnsupportedCaseError("amount_too_large", case="a bill of more than 15 digits"),
    ) == (total, caught.value)


def test_no_figure_of_a_bill_has_more_than_15_digits() -> None:
    """Neither a subtotal that VAT takes back, nor a base, nor what is payable (A1)."""
    much, most = fee("9000000000000.01"), fee("9999999999999.99")
    taken_back = fee("-5000000000000.00", vat=vat("Exclusive", "1"))
    others = fee("-9000000000000.01", vat=vat("ReverseCharge"))
    apart = fee("9000000000000.01", vat=vat("ReverseCharge"))
    half: dict[str, Any] = {"cash_rounding": {"DKK": Decimal("0.50")}}
    # 10,000,000,000,000 is no multiple of 0.75: in cash it falls to 9,999,999,999,999.75.
    odd: dict[str, Any] = {"cash_rounding": {"DKK": Decimal("0.75")}}

    for items, rules in (
        ((much, much, taken_back), {}),
        # Every base has 13 digits before the point, their sum has 14.
        ((much, apart, taken_back), {}),
        ((much, much, others, others), {}),
        ((most,), half),
        ((most, fee("0.01")), odd),
    ):
        with pytest.raises(rb.UnsupportedCaseError) as caught:
            bill(*items, **rules)

        assert "amount_too_large" == caught.value.code


NINE = [("Exclusive", "0.25", "2.50", "9.99")], [("Exclusive", "0.25", "2.49", "9.99")]
HUNDRED = ("Inclusive", "0.25", "25.00", "100.01")
RATES = [("Exclusive", "0.25", "25.00", "100.00"), ("Exclusive", "0.12", "24.00", "200.00")]


@rows(
    ("lines", "per_rate", "per_line"),
    [
        # 25 % of 9.99 is 2.4975: 2.50; for each line 3 × 0.83, whatever its bill's policy (A29).
        ([by_hand("3.33", "3.33", ON_TOP)] * 3, *NINE),
        *((bill(*fees(ON_TOP, *["3.33"] * 3), vat_rounding=way).lines, *NINE) for way in WAYS),
        # 3 × 41.67 = 125.01, a fifth of it 25.002, so 25.00 of VAT on 100.01 (A29).
        ([by_hand("41.67", "100.01", INSIDE, quantity=3)], [HUNDRED], [HUNDRED]),
        # Lines of several bills: rates count as numbers, 0.05 on top of 0.20; each has 0.03 (A30).
        (
            [
                *bill(fee("0.10", vat=ON_TOP)).lines,
                *bill(fee("0.10", vat=vat("Exclusive", "0.250"))).lines,
            ],
            [("Exclusive", "0.25", "0.05", "0.20")],
            [("Exclusive", "0.25", "0.06", "0.20")],
        ),
        # 25 % of 100 and 12 % of 200, in the order in which they come (A30).
        (
            [
                by_hand("100.00", "100.00", ON_TOP),
                by_hand("200.00", "200.00", vat("Exclusive", "0.12")),
            ],
            RATES,
            RATES,
        ),
        ([], [], []),
    ],
)
def test_vat_can_be_totalled_for_lines_made_by_hand_or_computed(
    lines: list[rb.PendingBillLineItem], per_rate: list[Any], per_line: list[Any]
) -> None:
    assert (per_rate, per_line) == (
        shown(rb.vat_totals(lines)),
        shown(rb.vat_totals(lines, policy=PER_LINE)),
    )


def test_totals_of_more_than_15_digits_are_refused() -> None:
    """The sum of two lines, each of which has 15 (A1)."""
    line = by_hand("9999999999999.99", "9999999999999.99", EXEMPT)

    with pytest.raises(rb.UnsupportedCaseError) as caught:
        rb.vat_totals([line, line])

    assert "amount_too_large" == caught.value.code


def test_lines_of_two_currencies_have_no_total() -> None:
    """The refusal names both, and asks for one (A2)."""
    lines = [by_hand("1.00", "1.00", ON_TOP), by_hand("1.00 EUR", "1.00 EUR", ON_TOP)]

    with pytest.raises(CurrencyMismatchError) as caught:
        rb.vat_totals(lines)

    assert (
        rb.Problem(
            "lines",
            "currency_mismatch",
            "have several currencies",
            "['DKK', 'EUR']",
            "one currency",
        ),
    ) == caught.value.problems


def test_only_lines_have_totals() -> None:
    with pytest.raises(TypeError, match=r"^vat_totals takes line items, not PendingBill$"):
        rb.vat_totals(cast("Any", [bill(fee())]))


ZERO, NONE = {"taxMode": "Exempt", "taxRate": 0}, {"taxMode": "Exempt"}
REVERSE = {"taxMode": "ReverseCharge", "taxRate": 0}


@rows(
    ("stated", "totals"),
    [
        ([ZERO], [ZERO]),
        ([NONE], [NONE]),
        # One entry for a mode, as its first line has it (A30).
        ([ZERO, NONE], [ZERO]),
        ([NONE, ZERO, REVERSE], [NONE, REVERSE]),
        # A rate above 0 stays on the line, and has a notice (A28).
        ([{**NONE, "taxRate": 0.25}], [NONE]),
    ],
)
def test_an_untaxed_total_has_the_rate_of_its_line(stated: Any, totals: Any) -> None:  # noqa: ANN401
    """On the wire, in full or not, per rate or per line, in Parquet and read again."""
    items = [json.loads(rb.dumps(rb.monthly_rent("8500 DKK", "2026-01-01"))) for _ in stated]
    data = {
        "recurringBillItems": [
            {**each, "vat": vat} for each, vat in zip(items, stated, strict=True)
        ]
    }
    for way in ("per_rate", "per_line"):
        policy = rb.BillingPolicy(vat_rounding=way)
        result = rb.pending_bills(data, "2026-02", policy=policy)
        for full in (False, True):
            text = rb.dumps(result, full=full)
            (bill,) = json.loads(text)["bills"]
            assert totals == [each["vat"] for each in bill["vatTotals"]]
            assert stated == [each["vat"] for each in bill["pendingBillLineItems"]]
            assert json.loads(rb.dumps(rb.loads(text, rb.BillingResult), full=full))["bills"] == [
                bill
            ]
    run = bill_portfolio([rb.loads(json.dumps(data))], "2026-02")
    (bill,) = run.to_table().to_pylist()
    assert [each.get("taxRate") for each in totals] == [
        each["vat"]["tax_rate"] for each in bill["vat_totals"]
    ]
    # Sums of many bills have one for a mode.
    modes = [each["taxMode"] for each in totals]
    assert modes == [each.vat.tax_mode for each in run.summary.vat["DKK"]]
    report = vat_report(rb.pending_bills(data, "2026-02"))
    assert modes == [each["tax_mode"] for each in report.rows()]


def test_a_discount_of_a_bill_has_the_rate_of_its_lines() -> None:
    rent = rb.monthly_rent("8500 DKK", "2026-01-01", vat=rb.Vat("Exempt", 0))
    (bill,) = rb.pending_bills(rent, "2026-02")
    (made,) = discount_bill(bill, [BillDiscount(percentage="10%")])

    assert {0} == {each.vat.tax_rate for each in made.lines}
    assert {0} == {each.vat.tax_rate for each in made.vat_totals}
