"""Bills that are certainly right, in whole numbers; most bills that are checked are.

Law: a bill that is plainly right has no findings by `stated_findings`; one with lines of different
items has no odd lines. Everything else is left to them, which alone word findings.
"""

from decimal import Decimal

from rentbilling.billing import LineFigures, PendingBill, gross_units
from rentbilling.policy import BillingPolicy
from rentbilling.values import TAXED, UnknownVat, divide_rounded

_Category = tuple[str, Decimal]


def is_plainly_right(bill: PendingBill, policy: BillingPolicy) -> bool:
    """Return whether each figure of a bill without Inclusive lines and cash follows from others."""
    subtotal, total, cash = bill.sums
    if cash is not None or bill.currency in policy.cash_rounding or not bill.raw_lines:
        return False
    if bill.payer is not None and bill.payer.corrections:
        return False
    nets: dict[_Category, list[int]] = {}
    for figures, _, _ in bill.raw_lines:
        if not _has_its_net(figures, policy):
            return False
        nets.setdefault(figures.vat.category, []).append(figures.net)
    tax = 0
    for vat, units, base in bill.raw_totals:
        # A total of nothing, or a second one of its category.
        own = nets.pop(vat.category, None)
        if own is None or base != sum(own) or units != _tax_of(own, vat.category, policy):
            return False
        tax += units
    lines = sum(figures.net for figures, _, _ in bill.raw_lines)
    return not nets and subtotal == lines and total == subtotal + tax


def _has_its_net(figures: LineFigures, policy: BillingPolicy) -> bool:
    """Return whether a line's net is quantity × price, without VAT in it (A21)."""
    vat, price = figures.vat, figures.amount
    if isinstance(vat, UnknownVat) or figures.unit_net != price or vat.tax_mode == "Inclusive":
        return False
    mode = policy.for_product(figures.product_key).rounding
    net = gross_units(price.as_integer_ratio(), figures.quantity, figures.places, mode)
    return net == figures.net


def _tax_of(nets: list[int], category: _Category, policy: BillingPolicy) -> int:
    """Return the VAT of the lines of a category in minor units (A29)."""
    mode, rate = category
    if mode not in TAXED:
        return 0
    over, below = rate.as_integer_ratio()
    bases = [sum(nets)] if policy.vat_rounding == "per_rate" else nets
    return sum(divide_rounded(base * over, below, policy.rounding) for base in bases)


def are_different_items(bill: PendingBill) -> bool:
    """Return whether each line is of an item of its own, by its id or else by product and VAT."""
    lines = [figures for figures, _, _ in bill.raw_lines]
    return len(lines) == len(
        {each.item_id or (each.product_key, each.vat.category) for each in lines}
    )
