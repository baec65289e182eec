"""Bills and lines that stand beside each other: what was expected, and what came.

Law: what belongs together for the comparison stands together here.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from rentbilling.billing.bill import BillingResult, PendingBill, VatTotal
from rentbilling.billing.line_items import PendingBillLineItem
from rentbilling.checks import matching as pairs
from rentbilling.checks.compare import compare_bills
from rentbilling.checks.difference import Difference
from rentbilling.checks.matching import Match

T = TypeVar("T")


class BillPair(NamedTuple):
    """Two bills for the same thing; None where one side has none."""

    expected: PendingBill | None
    actual: PendingBill | None
    differences: tuple[Difference, ...]

    @property
    def bills(self) -> tuple[PendingBill | None, PendingBill | None]:
        """Both sides."""
        return self.expected, self.actual


def bill_pairs(
    expected: BillingResult, actual: Sequence[PendingBill], match: Match, *, diagnose: bool
) -> Iterator[BillPair]:
    """Give the bills that belong together, each pair with its differences."""
    places = pairs.bill_pairs(expected.bills, actual)
    for one, other in _at(expected.bills, actual, places):
        mine = () if one is None else (one,)
        theirs = () if other is None else (other,)
        alone = BillingResult(mine, policy=expected.policy)
        found = compare_bills(alone, theirs, match=match, diagnose=diagnose)
        yield BillPair(one, other, found.differences)


def line_pairs(
    pair: BillPair, match: Match
) -> Iterator[tuple[PendingBillLineItem | None, PendingBillLineItem | None]]:
    """Give the lines of two bills that belong together, in the order of the expected ones."""
    mine, theirs = (bill.lines if bill else () for bill in pair.bills)
    return _at(mine, theirs, pairs.line_pairs(mine, theirs, match))


def vat_pairs(pair: BillPair) -> Iterator[tuple[VatTotal | None, VatTotal | None]]:
    """Give the VAT totals of two bills that belong together, in the order of the expected ones."""
    mine, theirs = (bill.vat_totals if bill else () for bill in pair.bills)
    return _at(mine, theirs, pairs.vat_pairs(mine, theirs))


def _at(
    mine: Sequence[T], theirs: Sequence[T], places: Iterable[pairs.Pair]
) -> Iterator[tuple[T | None, T | None]]:
    for one, other in places:
        yield None if one is None else mine[one], None if other is None else theirs[other]
