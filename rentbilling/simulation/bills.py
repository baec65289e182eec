"""The VAT and the sums of the bills of one due date on every path.

Law: on each path they are those of `vat.bill_of_lines` there (A29, A30, A52).
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rentbilling.billing import VatGroup
from rentbilling.policy import BillingPolicy
from rentbilling.simulation.lines import PathLine
from rentbilling.simulation.values import refuse_too_large
from rentbilling.simulation.vector_rounding import (
    Whole,
    divide_rounded,
    minus,
    narrowed,
    plus,
    times,
)


class BillSums(NamedTuple):
    """The sums of a bill in minor units."""

    net: Whole
    vat: Whole
    cash: Whole
    """What cash rounding adds; 0 where there is none."""


def bill_sums(
    lines: Sequence[PathLine], policy: BillingPolicy, currency: str, places: int
) -> BillSums:
    """Return the sums of a bill.

    Raises:
        BeyondArraysError: A figure has more than 15 digits.
    """
    bases: dict[object, tuple[VatGroup, Whole]] = {}
    for at, line in enumerate(lines):
        # With VAT rounded per line, each line is a group of its own.
        key: object = line.group.vat.category
        if policy.vat_rounding == "per_line":
            key = at
        group, base = bases.get(key, (line.group, 0))
        refuse_too_large(line.base)
        bases[key] = group, plus(base, line.base)
    net: Whole = 0
    vat: Whole = 0
    for group, base in bases.values():
        tax = _tax(group, base, policy)
        left = minus(base, tax) if group.inclusive else base
        refuse_too_large(base, left, tax)
        net, vat = plus(net, left), plus(vat, tax)
    total = plus(net, vat)
    cash: Whole = 0
    if (step := policy.cash_rounding.get(currency)) is not None:
        units = int(Fraction(step) * 10**places)
        cash = minus(times(divide_rounded(total, units, policy.rounding), units), total)
    refuse_too_large(net, total, plus(total, cash))
    return BillSums(narrowed(net), narrowed(vat), narrowed(cash))


def _tax(group: VatGroup, base: Whole, policy: BillingPolicy) -> Whole:
    over, below = group.rate_over, group.rate_below
    if group.inclusive:
        return divide_rounded(times(base, over), below + over, policy.rounding)
    return divide_rounded(times(base, over), below, policy.rounding) if group.taxed else 0
