"""Which bills are taken for right at a glance, and which are left to the rules."""

from collections.abc import Sequence
from decimal import Decimal

import rentbilling as rb
from benchmarks import wire, workload
from rentbilling.billing import RawTotal
from rentbilling.checks.plain_bills import are_different_items, is_plainly_right
from rentbilling.policy import DEFAULT
from tests.support.changed_bills import changed
from tests.support.rows import rows

QUARTER = rb.Vat("Exclusive", Decimal("0.25"))


def line(
    vat: rb.Vat = QUARTER, *, item: str | None = None, unit_net: str = "10.10"
) -> rb.PendingBillLineItem:
    """Return two units of 10.10 without VAT: 20.20."""
    return rb.PendingBillLineItem(
        product_key="key:rent",
        amount=rb.Amount("10.10", "DKK"),
        unit_net_price=rb.Amount(unit_net, "DKK"),
        net_price=rb.Amount("20.20", "DKK"),
        quantity=2,
        vat=vat,
        accounting_period="2026-01",
        item_id=item,
    )


TAX = (QUARTER, 505, 2020)
"""The VAT total of one such line."""


def bill(*lines: rb.PendingBillLineItem, totals: Sequence[RawTotal] = (TAX,)) -> rb.PendingBill:
    subtotal = 2020 * len(lines)
    sums = subtotal, subtotal + sum(tax for _, tax, _ in totals), None
    return rb.PendingBill(1, "DKK", 2, [each.raw for each in lines], totals, sums)


def test_most_computed_bills_are() -> None:
    bills = [
        each
        for lease in workload.leases(60)
        for each in rb.pending_bills(wire.lease_terms(lease), "2026-06")
    ]
    exclusive = [
        each for each in bills if all(line.vat.tax_mode != "Inclusive" for line in each.lines)
    ]

    assert exclusive == [each for each in bills if is_plainly_right(each, DEFAULT)]
    assert len(exclusive) > len(bills) / 2


def test_one_changed_figure_is_left_to_the_rules() -> None:
    right = bill(line())

    assert is_plainly_right(right, DEFAULT)
    assert [] == [name for name, other in changed(right) if is_plainly_right(other, DEFAULT)]


@rows(
    ("given", "policy"),
    [
        (bill(totals=()), rb.BillingPolicy()),
        (bill(line()), rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})),
        (bill(line(unit_net="10.11")), rb.BillingPolicy()),
        (bill(line(rb.Vat("Inclusive", Decimal("0.25")))), rb.BillingPolicy()),
        (bill(line(), totals=()), rb.BillingPolicy()),
        (bill(line(), totals=(TAX, (QUARTER, 0, 0))), rb.BillingPolicy()),
        (bill(line(), totals=((rb.Vat("Exempt"), 0, 2020),)), rb.BillingPolicy()),
        (bill(line(), totals=((QUARTER, 505, 2021),)), rb.BillingPolicy()),
    ],
)
def test_what_is_left_to_the_rules(given: rb.PendingBill, policy: rb.BillingPolicy) -> None:
    assert not is_plainly_right(given, policy)


def test_vat_follows_the_policy() -> None:
    """Of 20.20 twice at 7 %: 1.414 is 1.41 by line, so 2.82; 2.828 is 2.83 by rate."""
    seven = rb.Vat("Exclusive", Decimal("0.07"))
    lines = line(seven), line(seven)
    by_line = bill(*lines, totals=((seven, 282, 4040),))
    by_rate = bill(*lines, totals=((seven, 283, 4040),))
    per_line = rb.BillingPolicy(vat_rounding="per_line")

    assert [(True, False), (False, True)] == [
        (is_plainly_right(each, per_line), is_plainly_right(each, DEFAULT))
        for each in (by_line, by_rate)
    ]


def test_untaxed_modes_have_no_vat() -> None:
    exempt = rb.Vat("Exempt")

    assert is_plainly_right(bill(line(exempt), totals=((exempt, 0, 2020),)), DEFAULT)
    assert not is_plainly_right(bill(line(exempt), totals=((exempt, 1, 2020),)), DEFAULT)


def test_items_are_different_by_their_ids_or_by_product_and_vat() -> None:
    assert are_different_items(bill(line(item="a"), line(item="b")))
    assert are_different_items(bill(line(), line(rb.Vat("Exempt"))))
    assert not are_different_items(bill(line(item="a"), line(item="a")))
    assert not are_different_items(bill(line(), line()))
