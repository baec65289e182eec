"""Checks of a bill's prices, nets and sums, each against the figures that it is computed from.

Law: a figure is compared only with other figures of the same bill.
"""

from collections.abc import Iterator
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple, get_args

from rentbilling.checks.finding import Finding, Severity
from rentbilling.checks.stated_bill import Kind, StatedBill, StatedLine, plain_text
from rentbilling.policy import BillingPolicy
from rentbilling.values import Rounding, decimal_of, divide_rounded

_NEAR: Final = 2
"""Minor units by which the net of an Inclusive line may be off: half a unit by rounding, one by the
correction that preserves the gross of its group (A29)."""

_PATHS: Final = MappingProxyType(
    {
        "line_sum": "lineSum",
        "allowance_sum": "allowanceSum",
        "charge_sum": "chargeSum",
        "tax_sum": "taxSum",
    }
)
"""The field of a sum whose name is not its code."""


class _Sum(NamedTuple):
    """A stated sum of the bill and the sum of its parts; None if unknown."""

    code: str
    actual: Fraction | None
    expected: Fraction | None
    said: str
    rule: str


class BillChecker:
    """Creates the findings of one bill, and rounds and writes figures in its currency."""

    __slots__ = ("_policy", "_scale", "bill", "mode", "unit")

    def __init__(self, bill: StatedBill, policy: BillingPolicy) -> None:
        self.bill = bill
        self._policy = policy
        self.mode: Rounding = policy.rounding
        self._scale = 10**bill.places
        self.unit = Fraction(1, self._scale)
        """One minor unit."""

    def rounded(self, exact: Fraction, mode: Rounding | None = None) -> Fraction:
        """Return a figure rounded to the minor unit, as the bill's totals are by default."""
        over, below = exact.as_integer_ratio()
        units = divide_rounded(over * self._scale, below, mode or self.mode)
        return Fraction(units, self._scale)

    def rounded_line(self, line: StatedLine, exact: Fraction) -> Fraction:
        """Return a figure rounded as the policy of a line's product says (A54)."""
        return self.rounded(exact, self._policy.for_product(line.product).rounding)

    def written(self, figure: Fraction) -> str:
        """Return a figure as bills write it, with all its digits where it has more."""
        units = figure / self.unit
        if units.denominator != 1:
            return plain_text(figure)
        return f"{decimal_of(units.numerator, self.bill.places):f}"

    def finding(
        self,
        code: str,
        path: str,
        message: str,
        figures: tuple[Fraction, Fraction],
        rule: str,
        severity: Severity = "error",
    ) -> Finding:
        met, expected = map(self.written, figures)
        return Finding(code, severity, path, message, met, expected, rule)


def line_findings(checker: BillChecker) -> Iterator[Finding]:
    """Yield the lines whose net or unit net price is not computed from quantity and price."""
    for line in checker.bill.lines:
        if line.quantity is None or line.unit is None:
            continue
        if line.category is not None and line.category.inclusive:
            yield from _inclusive_line(checker, line, line.quantity, line.unit, line.category.rate)
        else:
            yield from _plain_line(checker, line, line.quantity, line.unit)


def _plain_line(
    checker: BillChecker, line: StatedLine, quantity: Fraction, unit: Fraction
) -> Iterator[Finding]:
    """Check a line whose price is without VAT: net = quantity × price (A21)."""
    exact = quantity * unit + line.extra if line.extra else quantity * unit
    expected = checker.rounded_line(line, exact)
    if line.net != expected and not _within_slack(checker, line, exact):
        said, rule = "is not quantity × price", "EN 16931 BT-131, PEPPOL-EN16931-R120"
        path = f"{line.path}.netPrice"
        yield checker.finding("net_price", path, said, (line.net, expected), rule)
    if line.unit_net is not None and line.unit_net != unit:
        said, rule = "is not the price, which has no VAT in it", "EN 16931 BT-146, A21"
        path = f"{line.path}.unitNetPrice"
        yield checker.finding("unit_net_price", path, said, (line.unit_net, unit), rule)


def _inclusive_line(
    checker: BillChecker, line: StatedLine, quantity: Fraction, unit: Fraction, rate: Fraction
) -> Iterator[Finding]:
    """Check a line whose price includes VAT: net = quantity × price without its VAT (A29)."""
    # Its group is checked to the minor unit, by its gross.
    extra = line.extra / (1 + rate)
    exact = quantity * unit / (1 + rate) + extra
    if abs(line.net - line.correction - exact) >= _NEAR * checker.unit + line.slack:
        said, figures = "is not quantity × price without VAT", (line.net, checker.rounded(exact))
        yield checker.finding("net_price", f"{line.path}.netPrice", said, figures, "A29")
    if line.unit_net is not None:
        product = quantity * line.unit_net + extra
        if line.net != checker.rounded_line(line, product) and not _within_slack(
            checker, line, product
        ):
            each = (line.net - extra) / quantity if quantity else Fraction(0)
            said, figures = "× quantity is not the net price", (line.unit_net, each)
            rule = "EN 16931 BT-146, PEPPOL-EN16931-R120"
            yield checker.finding(
                "unit_net_price", f"{line.path}.unitNetPrice", said, figures, rule
            )


def _within_slack(checker: BillChecker, line: StatedLine, exact: Fraction) -> bool:
    """Return whether the limited digits of the price explain the net (A21)."""
    low, high = (checker.rounded_line(line, exact + off) for off in (-line.slack, line.slack))
    return line.slack > 0 and low <= line.net <= high


def sum_findings(checker: BillChecker) -> Iterator[Finding]:
    """Yield the sums that differ from the sum of their stated parts."""
    bill = checker.bill
    if bill.has_lines and not any(line.kind == "line" for line in bill.lines):
        rule, said = "EN 16931 BR-16", "has no line"
        path = "pendingBillLineItems"
        yield Finding("no_lines", "error", path, said, "0 lines", "at least one", rule)
    for each in (*_sums_of_nets(bill), *_sums_with_tax(bill)):
        if each.actual is not None and each.expected is not None and each.actual != each.expected:
            path, figures = _PATHS.get(each.code, each.code), (each.actual, each.expected)
            yield checker.finding(each.code, path, each.said, figures, f"EN 16931 {each.rule}")


def _sums_of_nets(bill: StatedBill) -> Iterator[_Sum]:
    """Yield the sums of lines, allowances and charges, and of all of them."""
    lines, below, charges = (
        sum((line.net for line in bill.lines if line.kind == kind), Fraction(0))
        for kind in get_args(Kind)
    )
    apart = (bill.line_sum, bill.allowance_sum, bill.charge_sum)
    if bill.has_lines:
        yield _Sum("line_sum", bill.line_sum, lines, "is not the sum of the lines", "BR-CO-10")
    said = "is not the sum of the allowances"
    yield _Sum("allowance_sum", bill.allowance_sum, -below, said, "BR-CO-11")
    yield _Sum("charge_sum", bill.charge_sum, charges, "is not the sum of the charges", "BR-CO-12")
    said, rule = "is not the sum of the net prices", "BR-CO-10, BR-CO-13"
    if any(each is not None for each in apart):
        said, rule = "is not the sum of lines, allowances and charges", "BR-CO-13"
    yield _Sum("subtotal", bill.subtotal, net_of(bill), said, rule)


def _sums_with_tax(bill: StatedBill) -> Iterator[_Sum]:
    """Yield the sum of the VAT totals, and the total."""
    taxes = _tax_of(bill)
    yield _Sum("tax_sum", bill.tax_sum, taxes, "is not the sum of the VAT totals", "BR-CO-14")
    net = net_of(bill) if bill.subtotal is None else bill.subtotal
    tax, rule = bill.tax_sum, "BR-CO-15"
    if tax is None:
        tax, rule = taxes, "BR-CO-14, BR-CO-15"
    total = None if net is None or tax is None else net + tax
    yield _Sum("total", bill.total, total, "is not subtotal + VAT totals", rule)


def net_of(bill: StatedBill) -> Fraction | None:
    """Return the sum of lines, allowances and charges, from their stated sums if there are any."""
    if bill.line_sum is None and not bill.has_lines:
        return None
    stated = {
        "line": bill.line_sum,
        "allowance": None if bill.allowance_sum is None else -bill.allowance_sum,
        "charge": bill.charge_sum,
    }
    nets = [line.net for line in bill.lines if stated[line.kind] is None]
    return sum((*nets, *(each for each in stated.values() if each is not None)), Fraction(0))


def _tax_of(bill: StatedBill) -> Fraction | None:
    """Return the sum of the VAT totals; None if one has no VAT amount."""
    taxes = [total.tax for total in bill.totals if total.tax is not None]
    return sum(taxes, Fraction(0)) if len(taxes) == len(bill.totals) else None


def payable_findings(checker: BillChecker, policy: BillingPolicy) -> Iterator[Finding]:
    """Yield the findings of the payable amount and its cash rounding (A52)."""
    bill = checker.bill
    total, cash = bill.total, bill.cash_rounding
    if total is None:
        return
    step = policy.cash_rounding.get(bill.currency)
    if step is not None:
        units = Fraction(step) / checker.unit
        over, below = (total / checker.unit / units).as_integer_ratio()
        expected = divide_rounded(over, below, checker.mode) * Fraction(step) - total
        if cash != expected:
            said = f"does not bring the total to a multiple of {step:f}"
            figures, rule = (cash or Fraction(0), expected), "EN 16931 BT-114, A52"
            yield checker.finding("cash_rounding", "cashRounding", said, figures, rule)
    payable = total + (cash or 0) - (bill.prepaid or 0)
    if bill.payable is not None and bill.payable != payable:
        said, figures = "is not total + rounding - what was paid", (bill.payable, payable)
        yield checker.finding("payable", "payable", said, figures, "EN 16931 BR-CO-16")
