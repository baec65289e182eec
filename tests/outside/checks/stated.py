"""Reading an outside document as the figures that it states, for the checks to judge.

A figure that is not stated is None, and nothing is corrected. A few things get other words:

- A line that sums up the lines below it (GROUP, INFORMATION) is no line; nor is one without any
  figure, which is a remark.
- A quantity that is not stated is one, and so is a base quantity; a net is nothing then.
- A line that states only its category has the rate of the one group of that category.
- An untaxed category has no rate, whatever the document states. An entry with neither category nor
  rate, or with several taxes, belongs to no group.
- A document without lines states its sums alone.
- FatturaPA's total includes the stated rounding; elsewhere it comes after the total.
- An amount collected for third parties is owed besides the bill: a prepayment below zero.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rentbilling.checks.stated_bill import Category, Kind, StatedBill, StatedLine, StatedTotal
from tests.outside.vat.categories import charges_nothing
from tests.outside.vat.documents import PARENTS, rated

Facts = Mapping[str, Any]
"""A document, or the part of one that a fragment states."""

_NOTHING = Fraction(0)
_KINDS: tuple[tuple[str, Kind, int], ...] = (
    ("document_allowances", "allowance", -1),
    ("document_charges", "charge", 1),
)
_FIGURES = ("line_net", "quantity", "unit_net_price")


def stated(facts: Facts, places: int, line_slack: Fraction = _NOTHING) -> StatedBill:
    groups: Sequence[Facts] = facts.get("vat_breakdown", ())
    totals = {name: number(text) for name, text in facts.get("totals", {}).items()}
    inclusive, rounding = totals.get("tax_inclusive"), totals.get("rounding")
    if facts.get("syntax") == "FatturaPA" and inclusive is not None:
        inclusive -= rounding or _NOTHING
    prepaid, elsewhere = totals.get("prepaid"), number(facts.get("third_party_payments"))
    lines = tuple(_lines(facts, groups, line_slack))
    return StatedBill(
        currency=str(facts.get("currency", "EUR")),
        places=places,
        lines=(*lines, *_extras(facts, groups)),
        has_lines=bool(lines),
        totals=tuple(_totals(groups)),
        line_sum=totals.get("line_net_sum"),
        allowance_sum=totals.get("allowance_total"),
        charge_sum=totals.get("charge_total"),
        subtotal=totals.get("tax_exclusive"),
        tax_sum=totals.get("tax_total"),
        total=inclusive,
        cash_rounding=rounding,
        prepaid=prepaid if elsewhere is None else (prepaid or _NOTHING) - elsewhere,
        payable=totals.get("payable"),
    )


def number(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def category_of(category: str | None, rate: str | None) -> Category | None:
    """Return what a category and a rate in percent are grouped by; None where none is stated."""
    if charges_nothing(category):
        return Category(str(category), _NOTHING, taxed=False)
    if category is None and rate is None:
        return None
    return Category(category or "VAT", Fraction(rate or 0) / 100)


def _lines(facts: Facts, groups: Sequence[Facts], slack: Fraction) -> Iterator[StatedLine]:
    for place, line in enumerate(facts.get("lines", ())):
        is_remark = all(line.get(name) is None for name in _FIGURES)
        if line.get("line_status") in PARENTS or is_remark:
            continue
        full = rated(line, groups)
        price, base = number(line.get("unit_net_price")), number(line.get("base_quantity"))
        quantity = number(line.get("quantity"))
        charge = number(line.get("charge")) or _NOTHING
        yield StatedLine(
            path=f"lines[{place}]",
            category=None
            if line.get("multi_tax")
            else category_of(full.get("category"), full.get("rate")),
            net=number(line.get("line_net")) or _NOTHING,
            quantity=Fraction(1) if quantity is None else quantity,
            unit=None if price is None or base == 0 else price / (base or 1),
            extra=charge - (number(line.get("allowance")) or _NOTHING),
            slack=slack,
        )


def _extras(facts: Facts, groups: Sequence[Facts]) -> Iterator[StatedLine]:
    """Yield allowances and charges of the whole document; one of nothing counts for nothing."""
    for name, kind, sign in _KINDS:
        for place, item in enumerate(facts.get(name, ())):
            full = rated(item, groups)
            amount = sign * (number(item.get("amount")) or _NOTHING)
            category = category_of(full.get("category"), full.get("rate"))
            if amount or category is not None:
                yield StatedLine(f"{name}[{place}]", category, amount, kind=kind)


def _totals(groups: Sequence[Facts]) -> Iterator[StatedTotal]:
    for place, group in enumerate(groups):
        yield StatedTotal(
            path=f"vat_breakdown[{place}]",
            category=category_of(group.get("category"), group.get("rate")),
            tax=number(group.get("tax")),
            base=number(group.get("taxable")),
        )
