"""VAT: the totals of each tax mode and rate, the sums of a bill, and its cash rounding.

Laws: subtotal = sum of the lines' net prices; total = subtotal + VAT totals; an Inclusive group
has the gross that was agreed with the tenant (A29, A30).
"""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from rentbilling.billing.bill import PendingBill, VatTotal
from rentbilling.billing.figures import (
    LineFigures,
    RawLine,
    RawTotal,
    VatGroup,
    shown_unit_net,
    stated_vat,
)
from rentbilling.billing.line_items import PendingBillLineItem
from rentbilling.errors import CurrencyMismatchError, UnsupportedCaseError
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.values import TOO_LARGE, Rounding, divide_rounded

_LEAST = -TOO_LARGE


def bill_of_lines(
    due: int, lines: list[RawLine], policy: BillingPolicy, *, plain: bool = False
) -> PendingBill:
    """Return the bill of some lines: VAT totals, subtotal, total and cash rounding.

    Raises:
        UnsupportedCaseError: The bill has more than 15 digits (A1).
    """
    first = lines[0][0]
    mode = policy.rounding
    totals: list[RawTotal] = []
    subtotal = tax = 0
    if policy.vat_rounding == "per_line":
        totals, subtotal, tax = _per_line(lines, mode)
    else:
        # What each group's VAT is computed from: gross if Inclusive, else net.
        bases = {first.group: first.base}
        for figures, _, _ in lines[1:]:
            group = figures.group
            bases[group] = bases[group] + figures.base if group in bases else figures.base
        for group, base in bases.items():
            if group.inclusive:
                units = group.vat_in_gross(base, mode)
                base -= units  # noqa: PLW2901 - a gross becomes the net that the VAT is on.
                if len(lines) > 1 or first.net != base:
                    lines = _with_net(lines, group, base, policy)
            else:
                units = group.vat_on_net(base, mode) if group.taxed else 0
            totals.append((stated_vat(group, lines), units, base))
            subtotal += base
            tax += units
    total = subtotal + tax
    cash = None
    if not plain:
        cash = cash_rounding(total, first, policy)
        _refuse_too_large(totals, subtotal, total, total + (cash or 0))
    return PendingBill(due, first.currency, first.places, lines, totals, (subtotal, total, cash))


def cash_rounding(total: int, line: LineFigures, policy: BillingPolicy) -> int | None:
    """Return what a total in the currency of a line lacks to a payable step, None without (A52)."""
    step = policy.cash_rounding.get(line.currency)
    if step is None:
        return None
    # A whole number: a step is a multiple of the minor unit.
    units = int(Fraction(step) * 10**line.places)
    return divide_rounded(total, units, policy.rounding) * units - total


def _refuse_too_large(totals: Iterable[RawTotal], *sums: int) -> None:
    """Refuse a bill with figures of more than 15 digits, which JSON readers may change (A1)."""
    # Sums can be small where totals of opposite signs are not.
    for units in (*sums, *(units for _, vat, base in totals for units in (vat, base))):
        if not _LEAST < units < TOO_LARGE:
            raise UnsupportedCaseError("amount_too_large", case="a bill of more than 15 digits")


def _per_line(lines: list[RawLine], mode: Rounding) -> tuple[list[RawTotal], int, int]:
    """Return VAT totals as sums of each line's own rounded VAT, and the sums of both (A29)."""
    sums: dict[VatGroup, tuple[int, int]] = {}
    for figures, _, _ in lines:
        group, base = figures.group, figures.base
        units = group.vat_in_gross(base, mode) if group.inclusive else group.vat_on_net(base, mode)
        tax, net = sums.get(group, (0, 0))
        sums[group] = tax + units, net + (base - units if group.inclusive else base)
    totals = [(stated_vat(group, lines), tax, net) for group, (tax, net) in sums.items()]
    return totals, sum(net for _, net in sums.values()), sum(tax for tax, _ in sums.values())


def _with_net(
    lines: list[RawLine], group: VatGroup, net: int, policy: BillingPolicy
) -> list[RawLine]:
    """Return the lines with the nets of an Inclusive group corrected where they miss its net."""
    missing = net
    for figures, _, _ in lines:
        if figures.group is group:
            missing -= figures.net
    return _corrected(lines, group, missing, policy) if missing else lines


def _corrected(
    lines: list[RawLine], group: VatGroup, missing: int, policy: BillingPolicy
) -> list[RawLine]:
    """Return the lines with the nets of one Inclusive group corrected by single minor units (A29).

    The lines with the largest residue in the direction of the correction come first, of equal ones
    the earlier line. A line's rounded net is off by less than a unit, so that the correction never
    needs a line twice.
    """
    step = 1 if missing > 0 else -1
    whole = group.rate_below + group.rate_over

    def residue(at: int) -> int:
        figures = lines[at][0]
        return (figures.base * group.rate_below - figures.net * whole) * step

    order = [at for at, (figures, _, _) in enumerate(lines) if figures.group is group]
    order.sort(key=residue, reverse=True)
    changed = list(lines)
    for at in order[: abs(missing)]:
        figures, start, end = lines[at]
        net = figures.net + step
        mode = policy.for_product(figures.product_key).rounding
        unit_net = shown_unit_net(net, figures.quantity, figures.exact, group, figures.places, mode)
        changed[at] = replace(figures, net=net, unit_net=unit_net), start, end
    return changed


def vat_totals(
    lines: Iterable[PendingBillLineItem], *, policy: BillingPolicy | None = None
) -> tuple[VatTotal, ...]:
    """Return the VAT of some lines, one total for each tax mode and rate (assumptions A29, A30).

    Args:
        lines: Line items of one currency, computed or made by hand. Inclusive lines count with
            their gross: amount × quantity, rounded.
        policy: Its `vat_rounding` and `rounding` decide where and how VAT is rounded.

    Returns:
        The totals in order of first appearance; empty for no lines.

    Raises:
        CurrencyMismatchError: The lines have several currencies.
        UnsupportedCaseError: They sum to more than 15 digits (A1).
        TypeError: One of them is no line item.

    Examples:
        Three lines of 3.33 at 25 % make 2.50 of VAT when the rate's sum is rounded (EN 16931), and
        2.49 when each line is:

        >>> from rentbilling import Amount, Period, Vat
        >>> from decimal import Decimal
        >>> line = PendingBillLineItem(
        ...     product_key="key:parking",
        ...     amount=Amount(Decimal("3.33"), "EUR"),
        ...     net_price=Amount(Decimal("3.33"), "EUR"),
        ...     vat=Vat("Exclusive", Decimal("0.25")),
        ...     accounting_period=Period.parse("2026-01-01/2026-01-31"),
        ... )
        >>> [str(each.amount) for each in vat_totals([line, line, line])]
        ['2.50 EUR']
        >>> per_line = BillingPolicy(vat_rounding="per_line")
        >>> [str(each.amount) for each in vat_totals([line, line, line], policy=per_line)]
        ['2.49 EUR']
    """
    found = [_raw(line) for line in lines]
    if not found:
        return ()
    currencies = {figures.currency for figures, _, _ in found}
    if len(currencies) > 1:
        said, met = "have several currencies", sorted(currencies)
        raise CurrencyMismatchError.of("lines", "currency_mismatch", said, met, "one currency")
    return bill_of_lines(1, regrouped(found), policy_of(policy)).vat_totals


def _raw(line: object) -> RawLine:
    if not isinstance(line, PendingBillLineItem):
        raise TypeError(f"vat_totals takes line items, not {type(line).__name__}")
    return line.raw


def regrouped(lines: Iterable[RawLine]) -> list[RawLine]:
    """Return the lines with one group object for each category, wherever they were made."""
    groups: dict[object, VatGroup] = {}
    return [
        (
            replace(figures, group=groups.setdefault(figures.group.vat.category, figures.group)),
            first,
            last,
        )
        for figures, first, last in lines
    ]
