"""Results, bills and VAT totals: what they show, and which of them are equal (A56)."""

import json
import pickle
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.portfolio import bill_portfolio
from rentbilling.reports import vat_report
from rentbilling.testing import a_lease, a_rent, an_item
from tests.support.rents import day, fee, period, rent, vat
from tests.support.rows import rows

HALVES = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")}, rounding="half_even")
TERMS = rb.LeaseTerms.of(
    rent(vat=vat("Exclusive", "0.25"), quantity=-1),
    fee("17250", vat=vat("Exclusive", "0.25"), id="fee"),
    lease_id="lease-1",
)
RESULT = rb.pending_bills(TERMS, "2026-02-01/2026-04-30", policy=HALVES)
"""A credit of 8,500 each month, and a fee in February: 8,750.00 and a quarter of it, 2,187.50."""
FIRST, SECOND, THIRD = RESULT
(TOTAL,) = FIRST.vat_totals
READ = rb.loads(rb.dumps(RESULT), rb.BillingResult)
AGAIN = pickle.loads(pickle.dumps(RESULT))
EMPTY = rb.BillingResult(())
YEN, DINAR = (rb.pending_bills(fee(f"8750 {code}"), "2026-02")[0] for code in ("JPY", "KWD"))


@rows(
    ("found", "expected"),
    [
        ((FIRST.subtotal, FIRST.total), (rb.Amount(8750, "DKK"), rb.Amount("10937.50", "DKK"))),
        ((TOTAL.vat, str(TOTAL.amount)), (vat("Exclusive", "0.25"), "2187.50 DKK")),
        ((str(TOTAL.base), TOTAL.units, TOTAL.base_units), ("8750.00 DKK", 218_750, 875_000)),
        ((FIRST.due_date, FIRST.due), (day("2026-02-01"), day("2026-02-01").toordinal())),
        ((FIRST.currency, FIRST.places, FIRST.payer), ("DKK", 2, None)),
        (FIRST.sums, (875_000, 1_093_750, 0)),
        ([each.item_id for each in FIRST.lines], ["recurring-1", "fee"]),
        (FIRST.lines, FIRST.pending_bill_line_items),
        # 0 is shown, because the policy asks; a bill of a service has none (A52).
        ((str(FIRST.cash_rounding), str(FIRST.payable)), ("0.00 DKK", "10937.50 DKK")),
        ((YEN.cash_rounding, str(YEN.payable)), (None, "8750 JPY")),
        ([str(YEN.vat_totals[0].base), str(DINAR.total)], ["8750 JPY", "8750.000 KWD"]),
        (
            [repr(FIRST), repr(THIRD)],
            [
                "<PendingBill due 2026-02-01 10937.50 DKK = 8750.00 + 2187.50 VAT, 2 lines>",
                "<PendingBill due 2026-04-01 -10625.00 DKK = -8500.00 + -2125.00 VAT, 1 line>",
            ],
        ),
        (
            repr(TOTAL),
            "<VatTotal Vat('Exclusive', Decimal('0.25')) 2187.50 DKK of 8750.00 DKK>",
        ),
        (repr(RESULT), "<BillingResult 3 bills, 1 notice>"),
        # A result is a sequence of its bills; what it knows of itself stays when it is pickled.
        (
            (RESULT[0], RESULT[-1], RESULT[1:], RESULT[::-1]),
            (FIRST, THIRD, (SECOND, THIRD), (THIRD, SECOND, FIRST)),
        ),
        ((len(RESULT), [*reversed(RESULT)], RESULT.index(SECOND)), (3, [THIRD, SECOND, FIRST], 1)),
        (
            (THIRD in RESULT, RESULT.bills, RESULT.parts),
            (True, (FIRST, SECOND, THIRD), RESULT.bills),
        ),
        (
            *(
                (each.period, each.lease_id, each.policy, each.policy_fingerprint, each.notices)
                for each in (RESULT, AGAIN)
            ),
        ),
        (
            (RESULT.period, RESULT.lease_id, RESULT.policy, [each.code for each in RESULT.notices]),
            (period("2026-02-01/2026-04-30"), "lease-1", HALVES, ["credit_quantity"]),
        ),
        ((AGAIN, AGAIN.source.terms, AGAIN[0].cash_rounding), (RESULT, TERMS, FIRST.cash_rounding)),
        ((RESULT.adjustments, RESULT.policy_fingerprint), ((), HALVES.fingerprint)),
        ((READ.policy, READ.policy_fingerprint, READ.source), (None, None, None)),
        (
            (bool(EMPTY), len(EMPTY), EMPTY.period, EMPTY.lease_id, EMPTY.total),
            (False, 0, None, None, {}),
        ),
    ],
)
def test_results_bills_and_totals_have(found: object, expected: object) -> None:
    assert expected == found


def other(**changes: Any) -> rb.PendingBill:  # noqa: ANN401
    """Return the first bill as a service returns it, with some of its JSON changed."""
    (bill,) = rb.loads(json.dumps({"bills": [{**PLAIN, **changes}]}), rb.BillingResult)
    return bill


PLAIN: dict[str, Any] = json.loads(rb.dumps(FIRST))
LINES: list[dict[str, Any]] = PLAIN["pendingBillLineItems"]
VATS: list[dict[str, Any]] = PLAIN["vatTotals"]
MORE = {"currency": "DKK", "amount": 2187.51}
IN_EUROS = json.loads(rb.dumps(FIRST).replace("DKK", "EUR"))


def test_the_interface_s_fields_alone_are_compared() -> None:
    """Not bases of VAT, cash rounding, item ids, notices, policy and lease (A56)."""
    without = {
        each: value for each, value in PLAIN.items() if each not in {"cashRounding", "payable"}
    }
    (plain,) = rb.loads(json.dumps({"bills": [without]}), rb.BillingResult)
    based = other(vatTotals=[{**VATS[0], "base": MORE}])
    for one, same in (
        (FIRST, plain),
        (FIRST, other()),
        (TOTAL, based.vat_totals[0]),
        (RESULT, READ),
    ):
        assert (one, hash(one)) == (same, hash(same))
    for one, differs in (
        (FIRST, other(dueDate="2026-02-02")),
        (FIRST, other(pendingBillLineItems=LINES[::-1])),
        (FIRST, other(pendingBillLineItems=LINES[:1])),
        (FIRST, other(total=MORE)),
        (FIRST, other(subtotal=MORE)),
        (FIRST, other(vatTotals=[{**VATS[0], "amount": MORE}])),
        (FIRST, other(**IN_EUROS)),
        (FIRST, FIRST.lines),
        (TOTAL, other(vatTotals=[{**VATS[0], "amount": MORE}]).vat_totals[0]),
        (
            TOTAL,
            other(
                vatTotals=[{**VATS[0], "vat": {"taxMode": "Inclusive", "taxRate": 0.25}}]
            ).vat_totals[0],
        ),
        (TOTAL, other(**IN_EUROS).vat_totals[0]),
        (TOTAL, "2187.50 DKK"),
        (RESULT, rb.BillingResult(RESULT[:2])),
        (RESULT, RESULT.bills),
    ):
        assert one != differs


@rows(
    ("given", "names"),
    [
        (TOTAL, "vat amount base units note"),
        (FIRST, "due_date lines subtotal total vat_totals payable note"),
        (RESULT, "bills notices period policy lease_id policy_fingerprint note"),
    ],
)
def test_nothing_can_be_changed(given: object, names: str) -> None:
    for name in names.split():
        with pytest.raises(AttributeError):
            setattr(given, name, None)


def test_a_position_without_a_bill_is_an_index_error() -> None:
    with pytest.raises(IndexError):
        _ = RESULT[3]


def test_equal_bills_differ_by_their_days_and_share_nothing_else() -> None:
    """Three gross prices of 0.03 at 25 % are 0.07 net together in every month (A29)."""
    item = rb.monthly_rent("0.03 DKK", "2026-01-01", vat="Inclusive 25%")
    result = rb.pending_bills([item.evolve(id=name) for name in "abc"], "2026-02-01/2027-12-31")

    for bill, month in zip(result, period("2026-02-01/2027-12-31").months, strict=True):
        assert ("0.07", ["0.03", "0.02", "0.02"], {month}) == (
            f"{bill.subtotal.amount:f}",
            [f"{line.net_price.amount:f}" for line in bill.lines],
            {line.accounting_period for line in bill.lines},
        )
    # More different bills than are remembered, twice.
    prices = {f"{2026 + at // 12}-{at % 12 + 1:02}-01": f"{8000 + at} DKK" for at in range(200)}
    compiled = rb.compile_terms(rb.monthly_rent("1 DKK", "2025-12-01", amounts=prices))
    for _ in range(2):
        found = rb.pending_bills(compiled, "2026-01-01/2042-08-31")
        assert [8000 + at for at in range(200)] == [bill.total.amount for bill in found]


def test_sums_of_many_bills_have_one_total_for_a_mode() -> None:
    """A rate of 0 that some lines of a mode have is the mode's (A30)."""
    taxes = [vat("Exempt"), vat("Exempt", "0"), vat("ReverseCharge", "0")]
    lease = rb.LeaseTerms.of(*(fee(vat=tax) for tax in taxes))
    modes = ["Exempt", "ReverseCharge"]

    run = bill_portfolio([lease], "2026-02")
    assert run.to_table().num_rows == 1
    assert modes == [each.vat.tax_mode for each in run.summary.vat["DKK"]]
    report = vat_report(rb.pending_bills(lease, "2026-02"))
    assert modes == [each["tax_mode"] for each in report.rows()]


def test_a_notebook_shows_a_bill_with_its_sums() -> None:
    lease = a_lease(a_rent(amount=8500, description="Rent & water"), an_item(amount="433.33"))
    page, plain = (
        rb.pending_bills(lease, "2026-02", policy=policy)[0]._repr_html_()
        for policy in (HALVES, None)
    )

    told = ["Due Sunday 1 February 2026", "Rent &amp; water", '<td class="k">25 %</td>', "8,500.00"]
    told += [
        "Subtotal",
        "8,933.33",
        "VAT 25 % on 433.33",
        "108.33",
        "9,041.66",
        "Rounding",
        "-0.16",
    ]
    assert not [text for text in [*told, "To pay DKK", "9,041.50"] if text not in page]
    assert "To pay" not in plain
