"""VAT: the totals of each tax mode and rate, the sums of a bill, and its cash rounding.

Laws: subtotal = sum of the lines' net prices; total = subtotal + VAT totals; an Inclusive group
keeps the gross that the tenant was promised (A29, A30).
What does not live here: the lines themselves (`lines`), which lines share a bill (`bills`).
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from rentbilling.errors import CurrencyMismatchError, UnsupportedCaseError
from rentbilling.figures import VatGroup, unit_net_of
from rentbilling.line_items import PendingBillLineItem
from rentbilling.money import MAX_DIGITS, divide_rounded
from rentbilling.policy import DEFAULT, BillingPolicy
from rentbilling.results import PendingBill, VatTotal

_TOO_MUCH = 10**MAX_DIGITS


def bill_of(due: int, lines: list[PendingBillLineItem], policy: BillingPolicy) -> PendingBill:
    """Return the bill of some lines: VAT totals, subtotal, total and cash rounding.

    Args:
        due: Ordinal of the due date.
        lines: At least one, all of one currency, whose groups are shared objects.
        policy: The bill's own policy.

    Returns:
        The bill; nets of Inclusive lines are corrected where the gross asks for it.

    Raises:
        UnsupportedCaseError: The bill has more than 15 digits (A1).
    """
    first = lines[0].figures
    currency, places, mode = first.currency, first.places, policy.rounding
    if policy.vat_rounding == "per_line":
        totals = _per_line(lines, currency, places)
    else:
        bases: dict[VatGroup, int] = {}
        nets: dict[VatGroup, int] = {}
        for line in lines:
            figures = line.figures
            group = figures.group
            bases[group] = bases.get(group, 0) + figures.base
            if group.inclusive:
                nets[group] = nets.get(group, 0) + figures.net
        found = []
        for group, base in bases.items():
            net = base
            if not group.taxed:
                units = 0
            elif group.inclusive:
                units = group.vat_in_gross(base, mode)
                net -= units
                if nets[group] != net:
                    lines = _corrected(lines, group, net - nets[group], policy)
            else:
                units = group.vat_on_net(base, mode)
            found.append(VatTotal(group.vat, units, net, currency, places))
        totals = tuple(found)
    subtotal = total = 0
    for each in totals:
        subtotal += each.base_units
        total += each.units
    total += subtotal
    if not -_TOO_MUCH < total < _TOO_MUCH:
        raise UnsupportedCaseError("amount_too_large", case="a bill of more than 15 digits")
    step = policy.cash_rounding.get(currency) if policy.cash_rounding else None
    cash = None if step is None else _to_step(total, Fraction(step) * 10**places, mode) - total
    return PendingBill(due, currency, places, tuple(lines), totals, subtotal, total, cash)


def _per_line(
    lines: Iterable[PendingBillLineItem], currency: str, places: int
) -> tuple[VatTotal, ...]:
    """Return the VAT totals as sums of each line's own rounded VAT (A29)."""
    sums: dict[VatGroup, tuple[int, int]] = {}
    for line in lines:
        figures = line.figures
        tax, net = sums.get(figures.group, (0, 0))
        sums[figures.group] = tax + figures.tax, net + figures.net
    return tuple(
        VatTotal(group.vat, tax, net, currency, places) for group, (tax, net) in sums.items()
    )


def _corrected(
    lines: list[PendingBillLineItem], group: VatGroup, missing: int, policy: BillingPolicy
) -> list[PendingBillLineItem]:
    """Return the lines with the nets of one Inclusive group corrected by single minor units (A29).

    The lines with the largest residue in the direction of the correction come first, of equal ones
    the earlier line. A line's rounded net is off by half a unit at most, so that the correction
    never needs a line twice.
    """
    step = 1 if missing > 0 else -1

    def residue(at: int) -> int:
        figures = lines[at].figures
        exact = figures.gross * group.rate_below
        return (exact - figures.net * (group.rate_below + group.rate_over)) * step

    order = [at for at, line in enumerate(lines) if line.figures.group is group]
    order.sort(key=residue, reverse=True)
    changed = list(lines)
    for at in order[: abs(missing)]:
        figures = lines[at].figures
        net = figures.net + step
        mode = policy.for_product(figures.product_key).rounding
        changed[at] = lines[at].with_figures(
            figures.changed(net=net, unit_net=unit_net_of(figures, net, mode))
        )
    return changed


def _to_step(units: int, step: Fraction, mode: str) -> int:
    """Return minor units rounded to a payable step (A52)."""
    return int(divide_rounded(units * step.denominator, step.numerator, mode) * step)


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
    found = list(lines)
    if not found:
        return ()
    currencies = {line.figures.currency for line in found}
    if len(currencies) > 1:
        raise CurrencyMismatchError.of(
            "lines",
            "currency_mismatch",
            "have several currencies",
            sorted(currencies),
            "one currency",
        )
    return bill_of(1, _regrouped(found), policy or DEFAULT).vat_totals


def _regrouped(lines: Sequence[PendingBillLineItem]) -> list[PendingBillLineItem]:
    """Return the lines with one group object for each category, wherever they were made."""
    groups: dict[object, VatGroup] = {}
    shared: list[PendingBillLineItem] = []
    for line in lines:
        group = groups.setdefault(line.figures.group.vat.category, line.figures.group)
        shared.append(line.with_figures(line.figures.changed(group=group)))
    return shared
