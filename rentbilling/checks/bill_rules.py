"""Bill checks: prices, nets and sums of a bill, each against the figures that it follows from.

Law: a figure is judged by the other figures of the same bill alone; one that no other determines
is never judged.
"""

from collections.abc import Iterator
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple, get_args

from rentbilling.checks.finding import Finding, Severity
from rentbilling.checks.stated_bill import Kind, StatedBill, StatedLine, plain_text
from rentbilling.policy import BillingPolicy
from rentbilling.values.money import Rounding, decimal_of, divide_rounded

_NEAR: Final = 2
"""Minor units by which the net of an Inclusive line may miss its own: half a unit by rounding, one
by the correction that keeps the gross of its group (A29)."""

_PATHS: Final = MappingProxyType(
    {
        "line_sum": "lineSum",
        "allowance_sum": "allowanceSum",
        "charge_sum": "chargeSum",
        "tax_sum": "taxSum",
    }
)
"""The field of a sum, where it is not called by its code."""


class _Sum(NamedTuple):
    """A sum of the bill beside what its parts add up to; None is not known."""

    code: str
    met: Fraction | None
    expected: Fraction | None
    said: str
    rule: str


class Judge:
    """Makes findings about one bill: rounds and writes figures as the bill does."""

    __slots__ = ("_policy", "bill", "mode", "unit")

    def __init__(self, bill: StatedBill, policy: BillingPolicy) -> None:
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
        """Return the finding of a figure that is not what it should be."""
        met, expected = map(self.written, figures)
        return Finding(code, severity, path, message, met, expected, rule)


def line_findings(judge: Judge) -> Iterator[Finding]:
    """Give the lines whose net or unit net price does not follow from quantity and price."""
    for line in judge.bill.lines:
        if line.quantity is None or line.unit is None:
            continue
        if line.category is not None and line.category.inclusive:
            yield from _inclusive_line(judge, line, line.quantity, line.unit, line.category.rate)
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
    judge: Judge, line: StatedLine, quantity: Fraction, unit: Fraction, rate: Fraction
) -> Iterator[Finding]:
    """Judge a line whose price has VAT in it: net = quantity × price without its VAT (A29)."""
    # To the minor unit it is judged with its group, whose gross is kept.
    extra = line.extra / (1 + rate)
    exact = quantity * unit / (1 + rate) + extra
    if abs(line.net - exact) >= _NEAR * judge.unit + line.slack:
        said, figures = "is not quantity × price without VAT", (line.net, judge.rounded(exact))
        yield judge.finding("net_price", f"{line.path}.netPrice", said, figures, "A29")
    if line.unit_net is not None:
        product = quantity * line.unit_net + extra
        if line.net != judge.rounded_line(line, product) and not _within_slack(
            judge, line, product
        ):
            each = (line.net - extra) / quantity if quantity else Fraction(0)
            said, figures = "× quantity is not the net price", (line.unit_net, each)
            rule = "EN 16931 BT-146, PEPPOL-EN16931-R120"
            yield judge.finding("unit_net_price", f"{line.path}.unitNetPrice", said, figures, rule)


def _within_slack(judge: Judge, line: StatedLine, exact: Fraction) -> bool:
    """Return whether a price that has no room for more digits explains the net (A21)."""
    low, high = (judge.rounded_line(line, exact + off) for off in (-line.slack, line.slack))
    return line.slack > 0 and low <= line.net <= high


def sum_findings(judge: Judge) -> Iterator[Finding]:
    """Give the sums that are not the sums of their parts, as those are stated on the bill."""
    bill = judge.bill
    if bill.has_lines and not any(line.kind == "line" for line in bill.lines):
        rule, said = "EN 16931 BR-16", "has no line"
        path = "pendingBillLineItems"
        yield Finding("no_lines", "error", path, said, "0 lines", "at least one", rule)
    for each in (*_sums_of_nets(bill), *_sums_with_tax(bill)):
        if each.met is not None and each.expected is not None and each.met != each.expected:
            path, figures = _PATHS.get(each.code, each.code), (each.met, each.expected)
            yield judge.finding(each.code, path, each.said, figures, f"EN 16931 {each.rule}")


def _sums_of_nets(bill: StatedBill) -> Iterator[_Sum]:
    """Give the sums of lines, allowances and charges, and of all of them."""
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
    """Give the sum of the VAT totals, and the total."""
    taxes = _tax_of(bill)
    yield _Sum("tax_sum", bill.tax_sum, taxes, "is not the sum of the VAT totals", "BR-CO-14")
    net = net_of(bill) if bill.subtotal is None else bill.subtotal
    tax, rule = bill.tax_sum, "BR-CO-15"
    if tax is None:
        tax, rule = taxes, "BR-CO-14, BR-CO-15"
    total = None if net is None or tax is None else net + tax
    yield _Sum("total", bill.total, total, "is not subtotal + VAT totals", rule)


def net_of(bill: StatedBill) -> Fraction | None:
    """Return lines, allowances and charges together: their stated sums, or they themselves."""
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
    """Return the sum of the VAT totals; None where one does not say its VAT."""
    taxes = [total.tax for total in bill.totals if total.tax is not None]
    return sum(taxes, Fraction(0)) if len(taxes) == len(bill.totals) else None


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
