"""Short ways to write down what a bill of another service states, as fractions of the main unit."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rentbilling import BillingPolicy, Finding
from rentbilling.checks.check import stated_findings
from rentbilling.checks.stated_bill import Category, Kind, StatedBill, StatedLine, StatedTotal

S_25 = Category("S", Fraction(1, 4))
GROSS_25 = Category("S", Fraction(1, 4), inclusive=True)
EXEMPT = Category("E", Fraction(0), taxed=False)

Figure = int | str | None
"""What `Fraction` reads, where anything is stated."""


def exact(figure: Figure) -> Fraction | None:
    return None if figure is None else Fraction(figure)


def a_stated_line(
    net: int | str,
    category: Category | None = S_25,
    *,
    kind: Kind = "line",
    path: str | None = None,
    **figures: Figure,
) -> StatedLine:
    """Return a line, an allowance or a charge, of which only the net is stated unless more is."""
    more: dict[str, Any] = {name: exact(figure) for name, figure in figures.items()}
    return StatedLine(path or kind, category, Fraction(net), kind=kind, **more)


def a_stated_total(
    tax: Figure, base: Figure, category: Category | None = S_25, *, path: str = "vat"
) -> StatedTotal:
    return StatedTotal(path, category, exact(tax), exact(base))


def a_stated_bill(
    lines: Sequence[StatedLine] = (), totals: Sequence[StatedTotal] = (), **sums: Figure
) -> StatedBill:
    stated: dict[str, Any] = {name: exact(figure) for name, figure in sums.items()}
    return StatedBill("EUR", 2, tuple(lines), tuple(totals), **stated)


def findings(
    bill: StatedBill, policy: BillingPolicy | None = None, tolerance: Fraction = Fraction(0)
) -> list[Finding]:
    return list(stated_findings(bill, policy or BillingPolicy(), tolerance))


def found(bill: StatedBill, policy: BillingPolicy | None = None) -> list[tuple[str, str]]:
    return [(each.code, each.severity) for each in findings(bill, policy)]
