"""Bill checks: prices, nets and sums of a bill, each against the figures that it follows from.

Law: a figure is judged by the other figures of the same bill alone; one that no other determines
is never judged.
What does not live here: VAT (`vat_checks`), what a bill states (`stated_bills`), reading it
(`checks`).
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from rentbilling.findings import Finding, Severity
from rentbilling.money import Rounding, decimal_of, divide_rounded
from rentbilling.policy import BillingPolicy
from rentbilling.stated_bills import StatedBill, StatedLine, plain_text

_NEAR: Final = 2
"""Minor units by which the net of an Inclusive line may miss its own: half a unit by rounding, one
by the correction that keeps the gross of its group (A29)."""


class Judge:
    """Makes findings about one bill: rounds and writes figures as the bill does."""

    __slots__ = ("_policy", "bill", "mode", "unit")

    def __init__(self, bill: StatedBill, policy: BillingPolicy) -> None:
        """Keep the parts.

        Args:
            bill: The bill.
            policy: Says how figures are rounded.
        """
        self.bill = bill
        self._policy = policy
        self.mode: Rounding = policy.rounding
        self.unit = Fraction(1, 10**bill.places)
        """One minor unit."""

    def rounded(self, exact: Fraction, mode: Rounding | None = None) -> Fraction:
        """Return a figure rounded to the minor unit, as the bill's totals are by default."""
        over, below = (exact / self.unit).as_integer_ratio()
        return divide_rounded(over, below, mode or self.mode) * self.unit

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
        """Return the finding of a figure that is not what it should be.

        Args:
            code: What it is.
            path: The field.
            message: What is the matter.
            figures: The one met, and the one expected.
            rule: Where the rule stands.
            severity: How bad it is.
        """
        met, expected = map(self.written, figures)
        return Finding(code, severity, path, message, met, expected, rule)


def line_findings(judge: Judge) -> Iterator[Finding]:
    """Give the lines whose net or unit net price does not follow from quantity and price."""
    for line in judge.bill.lines:
        if line.quantity is None or line.unit is None:
            continue
        if line.category.inclusive:
            yield from _inclusive_line(judge, line, line.quantity, line.unit)
        else:
            yield from _plain_line(judge, line, line.quantity, line.unit)


def _plain_line(
    judge: Judge, line: StatedLine, quantity: Fraction, unit: Fraction
) -> Iterator[Finding]:
    """Judge a line whose price is without VAT: net = quantity × price (A21)."""
    exact = quantity * unit + line.extra
    expected = judge.rounded_line(line, exact)
    if line.net != expected and not _within_slack(judge, line, exact):
        said, rule = "is not quantity × price", "EN 16931 BT-131, PEPPOL-EN16931-R120"
        path = f"{line.path}.netPrice"
        yield judge.finding("net_price", path, said, (line.net, expected), rule)
    if line.unit_net is not None and line.unit_net != unit:
        said, rule = "is not the price, which has no VAT in it", "EN 16931 BT-146, A21"
        path = f"{line.path}.unitNetPrice"
        yield judge.finding("unit_net_price", path, said, (line.unit_net, unit), rule)


def _inclusive_line(
    judge: Judge, line: StatedLine, quantity: Fraction, unit: Fraction
) -> Iterator[Finding]:
    """Judge a line whose price has VAT in it: net = quantity × price without its VAT (A29)."""
    # To the minor unit it is judged with its group, whose gross is kept.
    exact = (quantity * unit + line.extra) / (1 + line.category.rate)
    if abs(line.net - exact) >= _NEAR * judge.unit + line.slack:
        said, figures = "is not quantity × price without VAT", (line.net, judge.rounded(exact))
        yield judge.finding("net_price", f"{line.path}.netPrice", said, figures, "A29")
    if line.unit_net is not None:
        product = quantity * line.unit_net + line.extra
        if line.net != judge.rounded_line(line, product) and not _within_slack(
            judge, line, product
        ):
            said, figures = "× quantity is not the net price", (line.unit_net, line.net / quantity)
            rule = "EN 16931 BT-146, PEPPOL-EN16931-R120"
            yield judge.finding("unit_net_price", f"{line.path}.unitNetPrice", said, figures, rule)


def _within_slack(judge: Judge, line: StatedLine, exact: Fraction) -> bool:
    """Return whether a price that has no room for more digits explains the net (A21)."""
    low, high = (judge.rounded_line(line, exact + off) for off in (-line.slack, line.slack))
    return line.slack > 0 and low <= line.net <= high


def sum_findings(judge: Judge) -> Iterator[Finding]:
    """Give the sums of the bill that are not the sums of their parts."""
    bill = judge.bill
    if not any(line.is_line for line in bill.lines):
        rule, said = "EN 16931 BR-16", "has no line"
        path = "pendingBillLineItems"
        yield Finding("no_lines", "error", path, said, "0 lines", "at least one", rule)
    nets = sum((line.net for line in bill.lines), Fraction(0))
    taxes = sum((total.tax for total in bill.totals), Fraction(0))
    lines = sum((line.net for line in bill.lines if line.is_line), Fraction(0))
    if bill.line_sum is not None and bill.line_sum != lines:
        said, figures = "is not the sum of the lines", (bill.line_sum, lines)
        yield judge.finding("line_sum", "lineSum", said, figures, "EN 16931 BR-CO-10")
    if bill.subtotal is not None and bill.subtotal != nets:
        said, figures = "is not the sum of the net prices", (bill.subtotal, nets)
        rule = "EN 16931 BR-CO-10, BR-CO-13"
        yield judge.finding("subtotal", "subtotal", said, figures, rule)
    if bill.tax_sum is not None and bill.tax_sum != taxes:
        said, figures = "is not the sum of the VAT totals", (bill.tax_sum, taxes)
        yield judge.finding("tax_sum", "taxSum", said, figures, "EN 16931 BR-CO-14")
    net = nets if bill.subtotal is None else bill.subtotal
    total = net + (taxes if bill.tax_sum is None else bill.tax_sum)
    if bill.total is not None and bill.total != total:
        said, figures = "is not subtotal + VAT totals", (bill.total, total)
        yield judge.finding("total", "total", said, figures, "EN 16931 BR-CO-14, BR-CO-15")


def payable_findings(judge: Judge, policy: BillingPolicy) -> Iterator[Finding]:
    """Give what is wrong with the amount to be paid, and with what it was rounded by (A52)."""
    bill = judge.bill
    total, cash = bill.total, bill.cash_rounding
    if total is None:
        return
    step = policy.cash_rounding.get(bill.currency)
    if step is not None:
        units = Fraction(step) / judge.unit
        over, below = (total / judge.unit / units).as_integer_ratio()
        expected = divide_rounded(over, below, judge.mode) * Fraction(step) - total
        if cash != expected:
            said, figures = (
                f"does not bring the total to a multiple of {step:f}",
                (
                    cash or Fraction(0),
                    expected,
                ),
            )
            rule = "EN 16931 BT-114, A52"
            yield judge.finding("cash_rounding", "cashRounding", said, figures, rule)
    payable = total + (cash or 0) - (bill.prepaid or 0)
    if bill.payable is not None and bill.payable != payable:
        said, figures = "is not total + rounding - what was paid", (bill.payable, payable)
        yield judge.finding("payable", "payable", said, figures, "EN 16931 BR-CO-16")
