"""Results are light, frozen, and equal when the interface's fields are (A56)."""

import pickle
from datetime import date
from decimal import Decimal
from typing import Final

import pytest

from rentbilling import billing
from rentbilling.policy import BillingPolicy
from rentbilling.terms import LeaseTerms
from rentbilling.testing import a_lease, a_rent, an_item
from rentbilling.values import Amount, Notice, Period, Vat
from tests.support.rows import rows

VAT: Final = Vat("Exclusive", Decimal("0.25"))
JANUARY: Final = Period.parse("2026-01-01/2026-01-31")
FIRST: Final = date(2026, 1, 1)


def line(net: int, item_id: str | None = None) -> billing.PendingBillLineItem:
    return billing.PendingBillLineItem(
        product_key="key:rent",
        amount=Amount(net, "DKK"),
        net_price=Amount(net, "DKK"),
        vat=VAT,
        accounting_period=JANUARY,
        item_id=item_id,
    )


def bill(
    due: date = FIRST,
    *,
    nets: tuple[int, ...] = (8500, 250),
    tax: int = 218_750,
    cash: int | None = None,
    item_id: str | None = None,
    base: int = 875_000,
) -> billing.PendingBill:
    """Return a bill of so many kroner for each line: by default 8750.00 and a quarter of it."""
    subtotal = sum(nets) * 100
    return billing.PendingBill(
        due.toordinal(),
        "DKK",
        2,
        [line(net, item_id).raw for net in nets],
        [(VAT, tax, base)],
        (subtotal, subtotal + tax, cash),
    )


BILL: Final = bill()
BILLS: Final = (BILL, bill(date(2026, 2, 1)), bill(date(2026, 3, 1)))
NOTICE: Final = Notice("credit_quantity", "quantity -1 makes a credit", "item-1")
POLICY: Final = BillingPolicy(rounding="half_even")
RESULT: Final = billing.BillingResult(BILLS, (NOTICE,), JANUARY, POLICY, "lease-1")


TOTAL: Final = billing.VatTotal(VAT, 218_750, 875_000, "DKK", 2)
READ: Final = billing.BillingResult(BILLS, policy=None)
"""The bills as a service returns them: without a policy (A59)."""
EMPTY: Final = billing.BillingResult(())
PAID: Final = bill(cash=25, item_id="item-1")
AGAIN: Final = pickle.loads(pickle.dumps(RESULT))
PAID_AGAIN: Final = pickle.loads(pickle.dumps(PAID))

ROWS: dict[str, tuple[object, object]] = {
    # VAT of all lines of one mode and rate (A30), with the decimals of its currency.
    **{
        f"VAT in {total.amount.currency}": ((str(total.amount), str(total.base)), texts)
        for total, texts in (
            (TOTAL, ("2187.50 DKK", "8750.00 DKK")),
            (billing.VatTotal(VAT, 218_750, 875_000, "JPY", 0), ("218750 JPY", "875000 JPY")),
            (billing.VatTotal(VAT, 218_750, 875_000, "KWD", 3), ("218.750 KWD", "875.000 KWD")),
        )
    },
    "VAT in minor units": ((TOTAL.units, TOTAL.base_units), (218_750, 875_000)),
    "VAT as it shows": (
        repr(TOTAL),
        "<VatTotal Vat('Exclusive', Decimal('0.25')) 2187.50 DKK of 8750.00 DKK>",
    ),
    # 8500 and 250 are 8750.00; a quarter on top is 2187.50, together 10937.50.
    "sums of a bill": (
        (str(BILL.subtotal), str(BILL.total), str(BILL.payable)),
        ("8750.00 DKK", "10937.50 DKK", "10937.50 DKK"),
    ),
    "due date and currency": (
        (BILL.due_date, BILL.due, BILL.currency, BILL.places),
        (FIRST, FIRST.toordinal(), "DKK", 2),
    ),
    "lines in their order": (
        (BILL.lines, BILL.pending_bill_line_items),
        ((line(8500), line(250)), (line(8500), line(250))),
    ),
    "VAT totals with their base": (
        [(each.vat, str(each.amount), str(each.base)) for each in BILL.vat_totals],
        [(VAT, "2187.50 DKK", "8750.00 DKK")],
    ),
    # Without cash rounding the total is payable; 0 is shown, because the policy asks (A52).
    "no cash rounding": ((BILL.cash_rounding, BILL.payable), (None, BILL.total)),
    **{
        f"cash rounding of {cash}": (
            (str(paid.cash_rounding), str(paid.payable), paid.total),
            (f"{shown} DKK", f"{payable} DKK", BILL.total),
        )
        for cash, shown, payable in (
            (25, "0.25", "10937.75"),
            (-25, "-0.25", "10937.25"),
            (0, "0.00", "10937.50"),
        )
        for paid in [bill(cash=cash)]
    },
    "a bill in minor units": (
        (BILL.sums, [each.net for each, _, _ in BILL.raw_lines], list(BILL.raw_totals)),
        ((875_000, 1_093_750, None), [850_000, 25_000], [(VAT, 218_750, 875_000)]),
    ),
    "a pickled bill": (
        (PAID_AGAIN, str(PAID_AGAIN.cash_rounding), PAID_AGAIN.lines[0].item_id),
        (BILL, "0.25 DKK", "item-1"),
    ),
    "a bill as it shows": (
        repr(BILL),
        "<PendingBill due 2026-01-01 10937.50 DKK = 8750.00 + 2187.50 VAT, 2 lines>",
    ),
    # A result has period, lease, notices, and the policy with its fingerprint (A59).
    "fields of a result": (
        (RESULT.bills, RESULT.notices, RESULT.period, RESULT.lease_id),
        (BILLS, (NOTICE,), JANUARY, "lease-1"),
    ),
    "policy of a result": (
        (RESULT.policy, RESULT.policy_fingerprint),
        (POLICY, POLICY.fingerprint),
    ),
    "bills of a service have no policy": ((READ.policy, READ.policy_fingerprint), (None, None)),
    "no adjustments yet": (RESULT.adjustments, ()),
    "a result is a sequence": (
        (len(RESULT), list(RESULT), list(reversed(RESULT)), RESULT.index(BILLS[1])),
        (3, list(BILLS), list(reversed(BILLS)), 1),
    ),
    "a result contains its bills": (BILLS[1] in RESULT, True),
    "positions": (
        (RESULT[0], RESULT[-1], RESULT[1:], RESULT[::-1]),
        (BILLS[0], BILLS[2], BILLS[1:], BILLS[::-1]),
    ),
    "an empty result": (
        (bool(EMPTY), len(EMPTY), EMPTY.period, EMPTY.lease_id),
        (False, 0, None, None),
    ),
    "a pickled result": (
        (AGAIN, AGAIN.notices, AGAIN.policy_fingerprint, AGAIN.period, AGAIN.lease_id),
        (RESULT, (NOTICE,), POLICY.fingerprint, JANUARY, "lease-1"),
    ),
    "a result as it shows": (repr(RESULT), "<BillingResult 3 bills, 1 notice>"),
}


@rows(("found", "expected"), ROWS.values(), ids=ROWS)
def test_totals_bills_and_results_have(found: object, expected: object) -> None:
    assert expected == found


SAME: list[tuple[object, object]] = [
    # A service's bill has no base of VAT, no cash rounding and no item ids (A56).
    (TOTAL, billing.VatTotal(VAT, 218_750, 0, "DKK", 2)),
    *((BILL, other) for other in (bill(), bill(cash=25), bill(item_id="item-1"), bill(base=0))),
    # Nor notices, policy and lease.
    (RESULT, READ),
]

OTHER: list[tuple[object, object]] = [
    (TOTAL, billing.VatTotal(Vat("Inclusive", Decimal("0.25")), 218_750, 875_000, "DKK", 2)),
    (TOTAL, billing.VatTotal(VAT, 218_751, 875_000, "DKK", 2)),
    (TOTAL, billing.VatTotal(VAT, 218_750, 875_000, "EUR", 2)),
    (TOTAL, "2187.50 DKK"),
    (BILL, bill(date(2026, 1, 2))),
    (BILL, bill(nets=(250, 8500))),
    (BILL, bill(nets=(8500,))),
    (BILL, bill(tax=218_751)),
    (BILL, BILL.lines),
    (RESULT, billing.BillingResult(BILLS[:2])),
    (RESULT, BILLS),
]


def test_the_interface_s_fields_alone_are_compared() -> None:
    """All of them, and nothing that only this library adds (A56)."""
    for one, other in SAME:
        assert (one, hash(one)) == (other, hash(other))
    assert [] == [(one, other) for one, other in OTHER if one == other]


@rows(
    ("given", "names"),
    [
        (TOTAL, "vat amount base units note"),
        (BILL, "due_date lines subtotal total vat_totals payable note"),
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


def test_a_result_knows_its_terms_also_when_it_was_pickled() -> None:
    compiled = billing.compile_terms(LeaseTerms())
    computed = billing.pending_bills(compiled, JANUARY)
    again = pickle.loads(pickle.dumps(computed))

    assert compiled is computed.source
    assert isinstance(again.source, billing.CompiledTerms)
    assert compiled.terms == again.source.terms
    assert computed == again


def test_a_notebook_shows_a_bill_with_its_sums() -> None:
    policy = BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
    lease = a_lease(a_rent(amount=8500, description="Rent & water"), an_item(amount="433.33"))

    page = billing.pending_bills(lease, "2026-02-01/2026-02-28", policy=policy)[0]._repr_html_()

    told = [
        "Due Sunday 1 February 2026",
        "Rent &amp; water",
        '<td class="k">25 %</td>',
        "8,500.00",
        "Subtotal",
    ]
    told += ["8,933.33", "VAT 25 % on 433.33", "108.33", "9,041.66", "Rounding"]
    assert [] == [text for text in [*told, "-0.16", "To pay DKK", "9,041.50"] if text not in page]
    plain = billing.pending_bills(lease, "2026-02-01/2026-02-28")[0]._repr_html_()
    assert "To pay" not in plain
