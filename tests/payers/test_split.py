"""A bill split among payers: figures by hand, line by line (A64, A68)."""

import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import Payer
from rentbilling.payers import split_bill
from tests.oracle.workings import replayed
from tests.payers.billed import PER_LINE, bill_of, corrections, parts_text
from tests.support.refusals import Call, refusal_text
from tests.support.rows import rows

ANY: Any = split_bill
THIRDS: dict[str, Any] = dict.fromkeys(("Ann", "Bo", "Cy"), "1/3")
Shares = dict[str, Any]

SPLIT: list[tuple[tuple[str, ...], Shares, rb.BillingPolicy | None, list[str], dict[str, int]]] = [
    # 333.3367 each: two cents are left, for the first two. VAT 83.335 is 83.34, 83.34 and 83.33,
    # together 250.01, one cent more than 25 % of 1,000.01: the first of the equal shares has it.
    (
        ("1000.01 Exclusive 25%",),
        THIRDS,
        None,
        ["333.34 | 83.33 | 416.67", "333.34 | 83.34 | 416.68", "333.33 | 83.33 | 416.66"],
        {"Ann vatTotals[0].amount": -1},
    ),
    # VAT for each line: 8.34 has 2.09 (2.085), and 4.17 has 1.04 (1.0425). So 4.18 in all, of which
    # both have 2.08: the first of the equal shares has the two cents that are missing.
    (
        ("8.34 Exclusive 25%", "8.34 Exclusive 25%"),
        {"Ann": "50%", "Bo": Decimal("0.5")},
        PER_LINE,
        ["4.17 4.17 | 2.10 | 10.44", "4.17 4.17 | 2.08 | 10.42"],
        {"Ann vatTotals[0].amount": 2},
    ),
    # 33.34 and 16.67 of two rates: VAT 8.34 + 8.33 + 8.33 = 25.00, but 1.67 three times is 5.01.
    (
        ("100.00 Exclusive 25%", "50.00 Exclusive 10%"),
        THIRDS,
        None,
        [
            "33.34 16.67 | 8.34 1.66 | 60.01",
            "33.33 16.67 | 8.33 1.67 | 60.00",
            "33.33 16.66 | 8.33 1.67 | 59.99",
        ],
        {"Ann vatTotals[1].amount": -1},
    ),
    # Of 1,000.00 with VAT inside the gross is shared: 333.34, 333.33, 333.33. VAT 66.67 three times
    # is 200.01, so Ann has 66.66, and a net of 333.34 − 66.66.
    (
        ("1000.00 Inclusive 25%",),
        THIRDS,
        None,
        ["266.68 | 66.66 | 333.34", "266.66 | 66.67 | 333.33", "266.66 | 66.67 | 333.33"],
        {"Ann vatTotals[0].amount": -1, "Ann pendingBillLineItems[0].netPrice": 1},
    ),
    # Nets 8.00 and 16.00. Gross 3.34 + 6.67, 3.33 + 6.67, 3.33 + 6.66, with 2.00 of VAT each. The
    # nets of Bo are 2.66 and 5.34, of Cy 2.66 and 5.33; 2.68 and 5.33 are left, not 2.67 and 5.34.
    (
        ("10.00 Inclusive 25%", "20.00 Inclusive 25%"),
        THIRDS,
        None,
        ["2.68 5.33 | 2.00 | 10.01", "2.66 5.34 | 2.00 | 10.00", "2.66 5.33 | 2.00 | 9.99"],
        {"Ann pendingBillLineItems[0].netPrice": 1, "Ann pendingBillLineItems[1].netPrice": -1},
    ),
    # A credit is the mirror image of the charge.
    (
        ("-1000.01 Exclusive 25%",),
        THIRDS,
        None,
        ["-333.34 | -83.33 | -416.67", "-333.34 | -83.34 | -416.68", "-333.33 | -83.33 | -416.66"],
        {"Ann vatTotals[0].amount": 1},
    ),
    # A bill of 0, by fractions and by the rest.
    (
        ("100.00 Exclusive 25%", "-100.00 Exclusive 25%"),
        THIRDS,
        None,
        ["33.34 -33.34 | 0.00 | 0.00", *["33.33 -33.33 | 0.00 | 0.00"] * 2],
        {},
    ),
    (
        ("100.00 Exempt", "-100.00 Exempt"),
        {"City": "0 EUR", "Ann": "rest"},
        None,
        ["0.00 0.00 | 0.00 | 0.00", "100.00 -100.00 | 0.00 | 0.00"],
        {},
    ),
    # 400.00 and 100.00 make 500.00: 1,000.01 × 500 / 1,250.01 is 400.0008.
    (
        ("1000.01 Exclusive 25%",),
        {"City": rb.Amount(500, "EUR"), "Ann": "rest"},
        None,
        ["400.00 | 100.00 | 500.00", "600.01 | 150.00 | 750.01"],
        {},
    ),
    # 280.0018 and 119.9990, of which the second is cut to 119.99 and gets the cent that is left.
    (
        ("700.01 Exclusive 25%", "300.00 Exclusive 25%"),
        {"City": "500.00 EUR", "Ann": "rest"},
        None,
        ["280.00 120.00 | 100.00 | 500.00", "420.01 180.00 | 150.00 | 750.01"],
        {},
    ),
    # 3.3333 of each line is 3.33, together 9.99: a cent of the first line makes 10.00.
    (
        ("10.01 Exempt", "10.01 Exempt", "10.01 Exempt"),
        {"City": "10 EUR", "Ann": "rest"},
        None,
        ["3.34 3.33 3.33 | 0.00 | 10.00", "6.67 6.68 6.68 | 0.00 | 20.03"],
        {},
    ),
    # The largest group is the second one: a cent of its first line is moved, not of the first line.
    (
        ("1.01 Exempt", "10.01 ReverseCharge", "10.01 ReverseCharge"),
        {"City": "10 EUR", "Ann": "rest"},
        None,
        ["0.48 4.76 4.76 | 0.00 0.00 | 10.00", "0.53 5.25 5.25 | 0.00 0.00 | 11.03"],
        {},
    ),
    # 1.24 and 0.45 cents, so 0.01 and nothing. A second cent of the first line, the largest group,
    # would bring 0.01 of VAT and be too much; a cent of the line without VAT makes 0.02.
    (
        ("2.70 Exclusive 25%", "0.97 Exempt"),
        {"City": "0.02 EUR", "Ann": "rest"},
        None,
        ["0.01 0.01 | 0.00 0.00 | 0.02", "2.69 0.96 | 0.68 0.00 | 4.33"],
        {"Ann vatTotals[0].amount": 1},
    ),
    # 0.13 + 0.03 and 0.14 + 0.01 are 0.31. A cent more of either line brings two, 0.14 + 0.04 or
    # 0.15 + 0.02; a cent less of the second takes one. Both together make 0.32.
    (
        ("2.70 Exclusive 25%", "2.77 Exclusive 10%", "0.00 Exempt"),
        {"City": "0.32 EUR", "Ann": "rest"},
        None,
        ["0.14 0.13 0.00 | 0.04 0.01 0.00 | 0.32", "2.56 2.64 0.00 | 0.64 0.27 0.00 | 6.11"],
        {"Ann vatTotals[1].amount": 1},
    ),
    # Two fixed amounts that are the whole.
    (
        ("1000.01 Exclusive 25%",),
        {"City": "625.01 EUR", "Ann": "625.00 EUR"},
        None,
        ["500.01 | 125.00 | 625.01", "500.00 | 125.00 | 625.00"],
        {},
    ),
    # 3 × 33.34 by thirds; nobody pays for a share of 0.
    (
        ("3 × 33.34 Exempt",),
        {**THIRDS, "Di": 0},
        None,
        ["33.34 | 0.00 | 33.34"] * 3 + ["0.00 | 0.00 | 0.00"],
        {},
    ),
]


@rows(("lines", "shares", "policy", "expected", "off"), SPLIT)
def test_figures_add_up_line_by_line(
    lines: tuple[str, ...],
    shares: Shares,
    policy: rb.BillingPolicy | None,
    expected: list[str],
    off: dict[str, int],
) -> None:
    result = split_bill(bill_of(*lines, policy=policy), shares, policy=policy)

    assert expected == parts_text(result)
    assert off == corrections(result)
    assert () == result.notices
    assert rb.check_bill(result).is_consistent
    for bill, working in zip(result, rb.explain(result), strict=True):
        assert bill.payable == replayed(working)


def test_one_payer_has_the_bill() -> None:
    bill = bill_of("3 × 33.34 Inclusive 21%", "7.77 Exempt")

    assert [bill] == list(split_bill(bill, {"Ann": 1}))


def test_an_amount_that_no_net_and_vat_make_is_met_by_the_nearest_below() -> None:
    """0.01 has no VAT at 25 %, 0.02 has 0.01: so 0.01 is paid; the rest takes the other cent."""
    result = split_bill(bill_of("1000.01 Exclusive 25%"), {"City": "0.02 EUR", "Ann": "rest"})

    assert ["0.01 | 0.00 | 0.01", "1000.00 | 250.00 | 1250.00"] == parts_text(result)
    (notice,) = result.notices
    facts = ("payer", "City"), ("fixed", "0.02 EUR"), ("to the rest", "0.01 EUR")
    assert ("fixed_amount_not_made", facts) == (notice.code, notice.facts)


def test_a_payer_whose_part_turns_is_named() -> None:
    """0.20 and 0.05 VAT by ten: nine have 0.02 and 0.01 VAT each, the tenth 0.05 - 0.09 (A139).

    A credit turns the other way.
    """
    for sign, last in (("", "0.02 | -0.04 | -0.02"), ("-", "-0.02 | 0.04 | 0.02")):
        whole = bill_of(f"{sign}0.20 Exclusive 25%")
        result = split_bill(whole, {f"P{at}": "1/10" for at in range(10)})
        assert last == parts_text(result)[0]
        (notice,) = result.notices
        assert "part_of_other_sign" == notice.code
        assert ("payer", "P0") == notice.facts[0]


def test_cash_is_rounded_after_the_split() -> None:
    """416.67, 416.68 and 416.66 are each 416.50 in coins of 0.50."""
    policy = rb.BillingPolicy(cash_rounding={"EUR": Decimal("0.50")})
    bill = bill_of("1000.01 Exclusive 25%", policy=policy)

    result = split_bill(bill, THIRDS, policy=policy)

    assert ["-0.17 EUR", "-0.18 EUR", "-0.16 EUR"] == [str(each.cash_rounding) for each in result]
    assert rb.check_bill(result).is_consistent


def test_a_part_can_be_split_again() -> None:
    """Ann's 83.33 of VAT, a cent less than her own, is 41.67 and 41.66 instead of 41.67 twice."""
    first, *_ = split_bill(bill_of("1000.01 Exclusive 25%"), THIRDS)

    result = split_bill(first, {"Ann": "1/2", "Al": "1/2"})

    assert ["166.67 | 41.66 | 208.33", "166.67 | 41.67 | 208.34"] == parts_text(result)


def test_the_parts_of_a_bill_are_that_bill_where_it_was_billed_before() -> None:
    rent = rb.monthly_rent("1000.01 EUR", "2026-01-01", vat="Exclusive 25%", id="rent")
    (bill,) = rb.pending_bills(rent, "2026-02-01/2026-02-28")

    parts = split_bill(bill, THIRDS)

    assert not rb.pending_bills(rent, "2026-02-01/2026-02-28", already_billed=parts)


def test_each_part_says_what_the_discounts_took_off_it() -> None:
    """Of 100.00 (10 % of 1,000.01) and of 50.01, a third each; the cents left over to the first."""
    off = (
        rb.Discount(percentage=Decimal("0.1"), description="loyal"),
        rb.Discount(amount=rb.Amount("50.01", "EUR")),
    )
    rent = rb.monthly_rent("1000.01 EUR", "2026-01-01", id="rent").evolve(discounts=off)
    (bill,) = rb.pending_bills(rent, "2026-02-01/2026-02-28")

    parts = split_bill(bill, THIRDS)

    for each in parts, rb.loads(rb.dumps(parts, full=True), rb.BillingResult):
        taken = [[str(one.taken_off.amount) for one in part.lines[0].discounts] for part in each]
        assert [["33.34", "16.67"], ["33.33", "16.67"], ["33.33", "16.67"]] == taken
    loyal, _ = parts[0].lines[0].discounts
    assert ("loyal", Decimal("0.1")) == (loyal.description, loyal.percentage)


def test_a_part_is_written_and_read_with_its_payer() -> None:
    result = split_bill(bill_of("10.00 Inclusive 25%", "20.00 Inclusive 25%"), THIRDS)

    again = rb.loads(rb.dumps(result), rb.BillingResult)

    assert result == again == pickle.loads(pickle.dumps(result))
    assert corrections(result) == corrections(again)
    assert ["Ann", "Bo", "Cy"] == [each.payer.name for each in again if each.payer]
    assert rb.check_bill(rb.dumps(result)).is_consistent
    assert "Due Sunday 1 March 2026, Ann" in str(result)


def changed(corrections: object, payer: object = "Ann") -> Call:
    """Return a call that reads Ann's part with other corrections."""
    first, *_ = split_bill(bill_of("1000.01 Exclusive 25%"), THIRDS)
    plain = rb.dumps(first).partition(', "payer"')[0]
    named = "" if payer is None else f', "payer": {payer!r}'.replace("'", '"')
    text = f'{plain}{named}, "corrections": {corrections}}}'.replace("'", '"')
    return lambda: rb.loads(text, rb.PendingBill)


def cents(units: int) -> str:
    return f"{{'currency': 'EUR', 'amount': {units / 100}}}"


def test_a_check_allows_the_units_that_are_stated_and_no_others() -> None:
    right: Any = changed(f"{{'vatTotals[0].amount': {cents(-1)}}}")()
    wrong: Any = changed(f"{{'vatTotals[0].amount': {cents(-2)}}}")()

    assert rb.check_bill(right).is_consistent
    assert ["vat_amount"] == [found.code for found in rb.check_bill(wrong)]
    alone = rb.explain(right, vat=0)
    assert right.vat_totals[0].amount == replayed(alone)
    assert "as the bill of the payer states it" in str(alone)


def test_units_where_none_are_missing_are_an_error() -> None:
    bill = bill_of("100.00 Exclusive 25%")
    parts = bill.due, "EUR", 2, bill.raw_lines, bill.raw_totals, bill.sums
    claimed = rb.PendingBill(*parts, Payer("Ann", {"vatTotals[0].amount": 1}))

    assert ["vat_amount"] == [found.code for found in rb.check_bill(claimed)]


HUNDRED = bill_of("100.00 Exempt")
TWENTY_FIVE = bill_of("1000.01 Exclusive 25%")
WRONG = rb.PendingBill(
    TWENTY_FIVE.due, "EUR", 2, TWENTY_FIVE.raw_lines, TWENTY_FIVE.raw_totals, (100001, 125002, None)
)


def of_shares(*shares: Shares, bill: rb.PendingBill = HUNDRED) -> list[Call]:
    return [lambda each=each: split_bill(bill, each) for each in shares]  # type: ignore[misc]


REFUSED: dict[str, list[Call]] = {
    "InvalidRecordError: shares wrong_number": of_shares({}),
    "InvalidRecordError: shares empty_text": of_shares({"": 1}, {3: 1}),  # type: ignore[dict-item]
    "InvalidRecordError: shares shares_do_not_add_up": [
        *of_shares({"Ann": "1/3", "Bo": "1/3"}, {"Ann": Decimal("0.999")}),
        *of_shares({"Ann": "60 EUR", "Bo": "60 EUR"}, {"Ann": "60 EUR", "Bo": "30 EUR"}),
        *of_shares({"Ann": "120 EUR", "Bo": "rest"}),
        *of_shares({"Ann": "0 EUR"}, bill=bill_of("1 Exempt", "-1 Exempt")),
    ],
    "InvalidRecordError: shares several_rests": of_shares({"Ann": "rest", "Bo": "rest"}),
    "InvalidRecordError: shares mixed_shares": of_shares(
        {"Ann": "1/2", "Bo": "rest"},
        {"Ann": "1/2", "Bo": "50 EUR"},
        {"Ann": "rest"},
    ),
    "InvalidRecordError: shares['Ann'] not_a_share": of_shares(
        *({"Ann": each} for each in ("half", "1/0", "", 0.5, True, None, Decimal("NaN"), "x EUR"))
    ),
    "InvalidRecordError: shares['Ann'] out_of_range": of_shares(
        {"Ann": -1, "Bo": 2}, {"Ann": "-5 EUR", "Bo": "rest"}
    ),
    "CurrencyMismatchError: shares['Ann'].currency currency_mismatch": of_shares(
        {"Ann": "5 DKK", "Bo": "rest"}
    ),
    "InvalidAmountError: shares['Ann'] too_many_decimals": of_shares(
        {"Ann": "5.001 EUR", "Bo": "rest"}
    ),
    # 416.67 is one of those that 25 % do not make; and of 0.08, 0.01 and 0.07.
    "InvalidRecordError: shares['Ann'] amount_not_made": of_shares(
        dict.fromkeys(("Ann", "Bo", "Cy"), "416.67 EUR"), bill=TWENTY_FIVE
    ),
    "InvalidRecordError: shares['Bo'] amount_not_made": of_shares(
        {"Ann": "0.01 EUR", "Bo": "0.07 EUR"}, bill=bill_of("0.06 Exclusive 25%")
    ),
    "InvalidRecordError: bill inconsistent_bill": [
        *of_shares({"Ann": 1}, bill=WRONG),
        # 10 % of 3 × 0.15 is 0.05 (0.045), of each line 0.02, so 0.06.
        *of_shares({"Ann": 1}, bill=bill_of(*["0.15 Exclusive 10%"] * 3, policy=PER_LINE)),
    ],
    "InvalidRecordError: bill no_lines": of_shares(
        {"Ann": 1}, bill=rb.PendingBill(HUNDRED.due, "EUR", 2, (), (), (0, 0, None))
    ),
    "InvalidRecordError: corrections.total not_there": [changed(f"{{'total': {cents(1)}}}")],
    "InvalidRecordError: corrections.vatTotals[1].amount not_there": [
        changed(f"{{'vatTotals[1].amount': {cents(1)}}}")
    ],
    "InvalidRecordError: payer missing": [
        changed(f"{{'vatTotals[0].amount': {cents(1)}}}", payer=None)
    ],
    "InvalidRecordError: payer empty_text": [changed({}, payer="")],
}


@rows("found", REFUSED)
def test_what_cannot_be_split_is_refused_at_its_place(found: str) -> None:
    for call in REFUSED[found]:
        assert found == refusal_text(call)


def test_an_unknown_tax_mode_is_refused() -> None:
    text = rb.dumps(HUNDRED).replace("Exempt", "Margin")
    bill = rb.loads(text, rb.PendingBill)

    found = "UnknownTaxModeError: bill.pendingBillLineItems[0].vat.taxMode unknown_tax_mode"
    assert found == refusal_text(lambda: split_bill(bill, {"Ann": 1}))


def test_more_lines_than_an_answer_may_have_are_refused() -> None:
    """Two lines of three payers (A60)."""
    bill = bill_of("1.00 Exempt", "1.00 Exempt")

    assert 3 == len(split_bill(bill, THIRDS, policy=rb.BillingPolicy(max_lines=6)))
    with pytest.raises(rb.UnsupportedCaseError, match="would have 6 lines"):
        split_bill(bill, THIRDS, policy=rb.BillingPolicy(max_lines=5))


def test_misuse_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="a mapping of payers to shares"):
        ANY(HUNDRED, [Fraction(1)])
    with pytest.raises(TypeError, match="split_bill takes a PendingBill"):
        ANY("bill", {"Ann": 1})
