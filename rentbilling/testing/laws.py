"""Laws: what must hold for the bills of any lease, any period, any policy.

Each law is a function named for what it says; where it does not hold, it raises
an AssertionError whose sentence shows the figures.
"""

from collections.abc import Callable, Iterable
from itertools import chain, pairwise
from typing import Final, NamedTuple

import rentbilling as rb
from rentbilling.indices import AnyIndices
from rentbilling.policy import policy_of
from rentbilling.testing.side_by_side import bill_table
from rentbilling.values import AnyPeriod

Item = rb.RecurringBillItem | rb.OneTimeBillItem
AnyTerms = rb.LeaseTerms | Item | Iterable[Item] | rb.CompiledTerms
"""Whatever `pending_bills` takes."""


class Billed(NamedTuple):
    """A result, and what bills other days of the same lease, as the laws need it."""

    result: rb.BillingResult
    bill: Callable[[rb.Period], rb.BillingResult]

    @property
    def policy(self) -> rb.BillingPolicy:
        """The policy that was followed."""
        return policy_of(self.result.policy)


def lines_sum_to_the_subtotal(billed: Billed) -> None:
    """The subtotal of every bill is the sum of its lines' net prices (EN 16931 BT-106)."""
    for bill in billed.result:
        lines = _sum((line.net_price for line in bill.lines), bill)
        if lines != bill.subtotal:
            raise AssertionError(f"{_named(bill)}: lines sum to {lines}, subtotal {bill.subtotal}")


def subtotal_and_vat_make_the_total(billed: Billed) -> None:
    """The total of every bill is its subtotal and all VAT (EN 16931 BT-112)."""
    for bill in billed.result:
        vat = _sum((each.amount for each in bill.vat_totals), bill)
        if bill.subtotal + vat != bill.total:
            said = f"subtotal {bill.subtotal} and VAT {vat} make {bill.subtotal + vat}"
            raise AssertionError(f"{_named(bill)}: {said}, total {bill.total}")


def bills_fall_due_in_the_period(billed: Billed) -> None:
    """Every bill falls due in the asked period, where bills are selected by due date (A15)."""
    asked = billed.result.period
    if asked is None or billed.policy.select != "due_date":
        return
    for bill in billed.result:
        if bill.due_date not in asked:
            raise AssertionError(f"{_named(bill)}: lies outside the asked period {asked}")


def bills_are_in_order(billed: Billed) -> None:
    """Bills stand in order of due date, then currency, each of them once (A16)."""
    for before, after in pairwise(billed.result):
        if (before.due, before.currency) >= (after.due, after.currency):
            raise AssertionError(f"{_named(before)}: comes before {_named(after)}")


def bills_are_consistent(billed: Billed) -> None:
    """No bill contradicts itself: `rentbilling.check_bill` finds no error."""
    for bill in billed.result:
        errors = rb.check_bill(bill, policy=billed.policy).errors
        if errors:
            raise AssertionError(f"{_named(bill)}: {'; '.join(map(str, errors))}")


def parts_of_a_period_do_not_overlap(billed: Billed) -> None:
    """The parts that one regular period of an item is split into have no day in common (A19)."""
    parts: dict[tuple[str, rb.Period], list[rb.Period]] = {}
    for line in chain.from_iterable(bill.lines for bill in billed.result):
        if line.item_id is not None and line.regular_period is not None:
            parts.setdefault((line.item_id, line.regular_period), []).append(line.accounting_period)
    for (item, period), days in parts.items():
        for before, after in pairwise(sorted(days, key=lambda each: each.first)):
            if before.overlaps(after):
                said = f"{before} and {after} of its period {period} overlap"
                raise AssertionError(f"item {item}: {said}")


def json_keeps_the_bills(billed: Billed) -> None:
    """Bills that are written as JSON and read again are equal (A56)."""
    policy = billed.policy
    text = rb.dumps(billed.result, policy=policy)
    read = rb.loads(text, rb.BillingResult, policy=policy)
    _must_be_equal("bills read from their JSON", billed.result.bills, read.bills)


def billing_again_gives_the_same(billed: Billed) -> None:
    """The same terms and period give the same bills, however often they are asked for."""
    asked = billed.result.period
    if asked is not None:
        again = billed.bill(asked)
        _must_be_equal("bills computed again", billed.result.bills, again.bills)


def months_make_the_period(billed: Billed) -> None:
    """The bills of a period are those of its months, one after the other (A15).

    Selected by accounting period, lines of several months may share a bill, so that nothing is
    said about those.
    """
    asked = billed.result.period
    if asked is None or billed.policy.select != "due_date":
        return
    months = [bill for month in asked.months for bill in billed.bill(month)]
    _must_be_equal("bills of the months", billed.result.bills, tuple(months))


LAWS: Final[tuple[Callable[[Billed], None], ...]] = (
    lines_sum_to_the_subtotal,
    subtotal_and_vat_make_the_total,
    bills_fall_due_in_the_period,
    bills_are_in_order,
    bills_are_consistent,
    parts_of_a_period_do_not_overlap,
    json_keeps_the_bills,
    billing_again_gives_the_same,
    months_make_the_period,
)
"""All laws, in the order in which they are checked."""


def check_laws(
    terms: AnyTerms,
    period: AnyPeriod,
    *,
    indices: AnyIndices = None,
    policy: rb.BillingPolicy | None = None,
) -> rb.BillingResult:
    """Bill a period, fail unless all laws hold, and return the bills.

    Args:
        terms: Lease terms, an item or items.
        period: The asked days, both ends included.
        indices: The index series that rent adjustment plans follow.
        policy: The billing policy.

    Returns:
        The bills that the laws were checked on.

    Raises:
        AssertionError: A law does not hold; the message names it and shows the figures.
        InvalidInputError: The terms or the period cannot be billed.

    Examples:
        >>> from rentbilling.testing import a_rent
        >>> len(check_laws(a_rent(), "2026-01-01/2026-12-31"))
        12
    """
    __tracebackhide__ = True
    compiled = rb.compile_terms(terms, policy=policy, indices=indices)
    billed = Billed(rb.pending_bills(compiled, period), compiled.bills)
    hold(billed)
    return billed.result


def hold(billed: Billed) -> None:
    """Fail unless all laws hold for bills that are there already.

    Raises:
        AssertionError: A law does not hold; the message names it and shows the figures.
    """
    __tracebackhide__ = True
    for law in LAWS:
        try:
            law(billed)
        except AssertionError as error:
            name = law.__name__.replace("_", " ")
            raise AssertionError(f"law: {name}\n{error}") from None


def _named(bill: rb.PendingBill) -> str:
    return f"bill due {bill.due_date} in {bill.currency}"


def _sum(amounts: Iterable[rb.Amount], bill: rb.PendingBill) -> rb.Amount:
    return sum(amounts, rb.Amount.unchecked(bill.subtotal.amount * 0, bill.currency))


def _must_be_equal(
    what: str, expected: tuple[rb.PendingBill, ...], actual: tuple[rb.PendingBill, ...]
) -> None:
    """Fail unless bills are equal, in their order too."""
    if expected != actual:
        table = bill_table(expected, actual) or "they are in another order"
        raise AssertionError(f"{what} are others: {table}")
