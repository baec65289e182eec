"""Comparison of two bills, line by line and figure by figure.

Law: every figure and day of the interface is compared, the order of lines is not.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

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


class OddSums(NamedTuple):
    """Sums in minor units that data state and that are not those of the bill's parts, or None."""

    tax: int | None = None
    payable: int | None = None

    @classmethod
    def of(cls, bill: PendingBill, tax: int | None, payable: int | None) -> "OddSums":
        """Return those of the stated sums that are odd."""
        own_tax, own_payable = _own_sums(bill)
        return cls(None if tax == own_tax else tax, None if payable == own_payable else payable)


NOT_ODD: Final = OddSums()


def _own_sums(bill: PendingBill) -> tuple[int, int]:
    """Return the sum of a bill's VAT totals, and its total with cash rounding, in minor units."""
    _, total, cash = bill.sums
    return sum(units for _, units, _ in bill.raw_totals), total + (cash or 0)


def bill_differences(
    expected: PendingBill,
    actual: PendingBill,
    match: Match,
    diagnosis: Diagnosis | None = None,
    odd: tuple[OddSums, OddSums] = (NOT_ODD, NOT_ODD),
) -> Iterator[Difference]:
    """Yield the differences between two bills; `odd` are stated sums that contradict a side."""
    if says_same(expected, actual) and odd == (NOT_ODD, NOT_ODD):
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
    bills = expected, actual
    yield from _odd_sum(differ, bills, odd, 0, "tax_sum", "taxSum", "sum of all VAT")
    for name, label in (("subtotal", "subtotal"), ("total", "total")):
        yield from differ.amounts(name, name, label, getattr(expected, name), getattr(actual, name))
    cash = expected.cash_rounding, actual.cash_rounding
    if cash[0] is not None and cash[1] is not None:
        yield from differ.amounts(
            "cash_rounding", "cashRounding", "cash rounding", cash[0], cash[1]
        )
    yield from _odd_sum(differ, bills, odd, 1, "payable", "payable", "amount to pay")


def _odd_sum(
    differ: "_Differ",
    bills: tuple[PendingBill, PendingBill],
    odd: tuple[OddSums, OddSums],
    at: int,
    code: str,
    path: str,
    label: str,
) -> Iterator[Difference]:
    """Yield the difference of a sum that is odd on either side."""
    stated = [each[at] for each in odd]
    if stated != [None, None]:
        mine, theirs = (
            Amount.unchecked(
                decimal_of(_own_sums(bill)[at] if units is None else units, bill.places),
                bill.currency,
            )
            for bill, units in zip(bills, stated, strict=True)
        )
        yield from differ.amounts(code, path, label, mine, theirs)


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
