"""A bill whose figures follow from its lines, before anything is made of it.

Law: of a bill that contradicts itself, or that another policy made, nothing is computed.
"""

from collections.abc import Iterable
from dataclasses import replace

from rentbilling.billing import (
    LineFigures,
    PendingBill,
    RawLine,
    VatGroup,
    bill_of_lines,
    cash_rounding,
    refuse_unknown_vat,
    regrouped,
    shown_unit_net,
)
from rentbilling.errors import InvalidRecordError, shown
from rentbilling.policy import BillingPolicy

Taxes = dict[object, int]
"""VAT in minor units by the category of its total."""


def consistent_lines(bill: object, policy: BillingPolicy, name: str) -> list[RawLine]:
    """Return the lines of a bill with one group object for each VAT, and their first nets (A29).

    Raises:
        UnknownTaxModeError: A tax mode is unknown (A27).
        InvalidRecordError: The bill's figures do not follow from its lines by the policy.
        TypeError: It is no bill.
    """
    if not isinstance(bill, PendingBill):
        raise TypeError(f"{name} takes a PendingBill, not {shown(bill)}")
    refuse_unknown_vat(bill, "bill.")
    lines = [
        (with_net(figures, first_net(figures.group, figures.base, policy), policy), first, last)
        for figures, first, last in regrouped(bill.raw_lines)
    ]
    if not lines:
        raise InvalidRecordError.of("bill", "no_lines", "has no line", "0 lines", "at least one")
    own = bill_of_lines(bill.due, lines, policy)
    subtotal, total, _ = own.sums
    taxes, stated = taxes_of(own), taxes_of(bill)
    off = {} if bill.payer is None else bill.payer.corrections
    for at, (vat, _, _) in enumerate(bill.raw_totals):
        units = off.get(f"vatTotals[{at}].amount", 0)
        taxes[vat.category] = taxes.get(vat.category, 0) + units
        # A gross stays, whatever VAT is in it.
        if vat.tax_mode == "Inclusive":
            subtotal -= units
        else:
            total += units
    sums = subtotal, total, cash_rounding(total, lines[0][0], policy)
    right = {(*sums[:2], None), sums}
    same = all(stated.get(each, 0) == taxes.get(each, 0) for each in {*stated, *taxes})
    if (
        not same
        or bill.sums not in right
        or sum(line[0].net for line in bill.raw_lines) != subtotal
    ):
        said = "does not follow from its lines by the policy"
        expected = f"{own.total}, or the policy that made it; check_bill names what differs"
        raise InvalidRecordError.of("bill", "inconsistent_bill", said, bill.total, expected)
    return lines


def with_net(figures: LineFigures, net: int, policy: BillingPolicy) -> LineFigures:
    """Return the figures of a line with such a net, and the unit price that makes it (A21)."""
    if figures.net == net:
        return figures
    mode = policy.for_product(figures.product_key).rounding
    exact, group, places = figures.exact, figures.group, figures.places
    unit_net = shown_unit_net(net, figures.quantity, exact, group, places, mode)
    return replace(figures, net=net, unit_net=unit_net)


def first_net(group: VatGroup, base: int, policy: BillingPolicy) -> int:
    """Return the net of a line before the nets of its group are corrected (A29)."""
    if not group.inclusive:
        return base
    if policy.vat_rounding == "per_line":
        return base - group.vat_in_gross(base, policy.rounding)
    return group.net_in_gross(base, policy.rounding)


def taxes_of(bill: PendingBill) -> Taxes:
    """Return the VAT of each category of a bill."""
    found: Taxes = {}
    for vat, units, _ in bill.raw_totals:
        found[vat.category] = found.get(vat.category, 0) + units
    return found


def tax_on(group: VatGroup, bases: Iterable[int], policy: BillingPolicy) -> int:
    """Return the VAT of the lines of a group in minor units (A29)."""
    if not group.taxed:
        return 0
    if policy.vat_rounding == "per_rate":
        bases = [sum(bases)]
    of = group.vat_in_gross if group.inclusive else group.vat_on_net
    return sum(of(base, policy.rounding) for base in bases)
