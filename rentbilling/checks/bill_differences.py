"""Comparison of two bills, line by line and figure by figure.

Law: every figure and day of the interface is compared, the order of lines is not.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rentbilling.billing import PendingBill, PendingBillLineItem
from rentbilling.checks.causes import cause_of_vat
from rentbilling.checks.difference import Difference
from rentbilling.checks.matching import Match, line_pairs, says_same, vat_pairs
from rentbilling.checks.stated_bill import Category, category_of, stated_bill
from rentbilling.policy import BillingPolicy
from rentbilling.values import Amount, decimal_of


class Diagnosis(NamedTuple):
    """How causes of single figures are searched for."""

    policy: BillingPolicy | None
    """The policy of the expected bill; None if unknown."""


def tax_of(bill: PendingBill) -> int:
    """Return the sum of a bill's VAT totals in minor units."""
    return sum(units for _, units, _ in bill.raw_totals)


def bill_differences(
    expected: PendingBill,
    actual: PendingBill,
    match: Match,
    diagnosis: Diagnosis | None = None,
    taxes: tuple[int | None, int | None] = (None, None),
) -> Iterator[Difference]:
    """Yield the differences between two bills; `taxes` are sums of VAT that contradict a side."""
    if says_same(expected, actual) and taxes == (None, None):
        return
    differ = _Differ(expected)
    if expected.due != actual.due:
        days = str(expected.due_date), str(actual.due_date)
        yield differ.difference("due_date", "dueDate", "due date", *days)
    mine, theirs = expected.pending_bill_line_items, actual.pending_bill_line_items
    for one, other in line_pairs(mine, theirs, match):
        if one is None or other is None:
            line = mine[one] if one is not None else theirs[other or 0]
            place = f"pendingBillLineItems[{other if one is None else one}]"
            label, missing = f"line {_named(line)}", one is not None
            yield differ.one_sided("line", place, label, line.net_price, missing=missing)
        else:
            yield from differ.line(f"pendingBillLineItems[{other}]", mine[one], theirs[other])
    for each, category in _vat_differences(differ, expected, actual):
        if diagnosis is None or category is None:
            yield each
        else:
            sides = stated_bill(expected), stated_bill(actual)
            yield each._replace(cause=cause_of_vat(*sides, category, diagnosis.policy))
    if taxes != (None, None):
        sums = (
            Amount.unchecked(
                decimal_of(tax_of(bill) if tax is None else tax, bill.places), bill.currency
            )
            for bill, tax in zip((expected, actual), taxes, strict=True)
        )
        yield from differ.amounts("tax_sum", "taxSum", "sum of all VAT", *sums)
    for name, label in (("subtotal", "subtotal"), ("total", "total")):
        yield from differ.amounts(name, name, label, getattr(expected, name), getattr(actual, name))
    cash = expected.cash_rounding, actual.cash_rounding
    if cash[0] is not None and cash[1] is not None:
        yield from differ.amounts(
            "cash_rounding", "cashRounding", "cash rounding", cash[0], cash[1]
        )


def _vat_differences(
    differ: "_Differ", expected: PendingBill, actual: PendingBill
) -> Iterator[tuple[Difference, Category | None]]:
    """Yield the differences of VAT totals, with mode and rate if both sides have the total."""
    mine, theirs = expected.vat_totals, actual.vat_totals
    for one, other in vat_pairs(mine, theirs):
        if one is None or other is None:
            total = mine[one] if one is not None else theirs[other or 0]
            place = f"vatTotals[{other if one is None else one}]"
            amount, missing = total.amount, one is not None
            label = f"VAT of {category_of(total.vat)}"
            yield differ.one_sided("VAT total", place, label, amount, missing=missing), None
            continue
        group = category_of(mine[one].vat)
        path, label = f"vatTotals[{other}].amount", f"VAT of {group}"
        amount, actual_amount = mine[one].amount, theirs[other].amount
        for found in differ.amounts("vat_amount", path, label, amount, actual_amount):
            yield found, group


class _Differ:
    """Creates the differences between an expected bill and an actual one."""

    def __init__(self, expected: PendingBill) -> None:
        self._due = expected.due_date

    def difference(
        self,
        code: str,
        path: str,
        label: str,
        expected: str,
        actual: str,
        *,
        by: Amount | None = None,
    ) -> Difference:
        return Difference(code, self._due, path, label, expected, actual, by)

    def amounts(
        self, code: str, path: str, label: str, expected: Amount, actual: Amount
    ) -> Iterator[Difference]:
        """Yield the difference of two amounts, if there is one."""
        if expected == actual:
            return
        same = expected.currency == actual.currency
        by = actual - expected if same else None
        yield self.difference(code, path, label, str(expected), str(actual), by=by)

    def one_sided(
        self, what: str, path: str, label: str, amount: Amount, *, missing: bool
    ) -> Difference:
        """Return the difference of a line or a VAT total that is missing, or there in addition."""
        code, nothing, own = what.lower().replace(" ", "_"), f"no {what}", str(amount)
        if missing:
            return self.difference(f"missing_{code}", path, label, own, nothing, by=-amount)
        return self.difference(f"extra_{code}", path, label, nothing, own, by=amount)

    def line(
        self, path: str, mine: PendingBillLineItem, theirs: PendingBillLineItem
    ) -> Iterator[Difference]:
        """Yield the differences of two matched lines."""
        if mine == theirs:
            return
        of = f"of {_named(mine)}"
        for code, name, what, one, other in (
            ("product", "productKey", "product", mine.product_key, theirs.product_key),
            (
                "accounting_period",
                "accountingPeriod",
                "accounting period",
                str(mine.accounting_period),
                str(theirs.accounting_period),
            ),
            ("vat", "vat", "VAT", _vat(mine), _vat(theirs)),
            ("quantity", "quantity", "quantity", f"{mine.quantity:f}", f"{theirs.quantity:f}"),
        ):
            if one != other:
                yield self.difference(code, f"{path}.{name}", f"{what} {of}", one, other)
        for code, name, what in (
            ("amount", "amount", "price"),
            ("unit_net_price", "unitNetPrice", "unit price without VAT"),
            ("net_price", "netPrice", "net price"),
        ):
            one_amount, other_amount = getattr(mine, code), getattr(theirs, code)
            label = f"{what} {of}"
            yield from self.amounts(code, f"{path}.{name}", label, one_amount, other_amount)


def _vat(line: PendingBillLineItem) -> str:
    return str(category_of(line.vat))


def _named(line: PendingBillLineItem) -> str:
    return f"{line.product_key} {line.accounting_period}"
