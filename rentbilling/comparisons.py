"""Comparisons: the bills that were expected beside those that a service made.

Laws: bills that are equal have no difference; whichever figure or day of the interface is changed
on one side, a difference names it.
What does not live here: the differences themselves (`differences`), why they are there
(`diagnoses`), whether one bill is consistent in itself (`checks`).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, get_args

from rentbilling.bill_comparisons import bill_differences
from rentbilling.bills import CompiledTerms
from rentbilling.diagnoses import policies_that_give
from rentbilling.differences import Comparison, Difference, PortfolioComparison
from rentbilling.errors import InvalidRecordError, UnknownWordError, shown
from rentbilling.money import Amount
from rentbilling.pairs import Match, bill_pairs
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.results import BillingResult, PendingBill
from rentbilling.terms import LeaseTerms

_Bills = BillingResult | Iterable[PendingBill] | PendingBill
"""What bills may be given in."""

_MATCHES: Final = get_args(Match)


def compare_bills(
    expected: _Bills,
    actual: _Bills,
    *,
    match: Match = "product",
    diagnose: bool = False,
    terms: LeaseTerms | None = None,
) -> Comparison:
    """Return what actual bills say otherwise than expected ones, in words of the field.

    Bills find each other by due date and currency; those that are left over, by what they are for,
    so that a bill that moved is told as such. The order of lines does not matter.

    Args:
        expected: The bills as they should be: computed, or made by hand.
        actual: The bills as a service made them.
        match: How lines find each other; see `Match`.
        diagnose: Whether to look for the cause: VAT is recomputed from the actual lines in other
            ways, and all bills from the terms under other policies.
        terms: The terms that the expected bills come from, to be diagnosed by; bills that were
            computed here know theirs.

    Returns:
        The differences in order of due dates; none where every figure and day is equal.

    Raises:
        TypeError: One of the two is no bills.
        UnknownWordError: `match` is no known word.
        InvalidRecordError: `terms` say nothing: nothing is diagnosed, or the period is unknown.

    Examples:
        >>> from datetime import date
        >>> from rentbilling import DueDateRule, OneTimeBillItem, Period, Vat, pending_bills
        >>> key = OneTimeBillItem(
        ...     product_key="key:new-key",
        ...     amount=Amount(250, "DKK"),
        ...     vat=Vat("Exempt"),
        ...     due_date=date(2026, 2, 1),
        ...     accounting_period=Period.parse("2026-02-01/2026-02-28"),
        ... )
        >>> later = key.evolve(due_date=date(2026, 2, 2))
        >>> mine, theirs = (pending_bills(each, "2026-02-01/2026-02-28") for each in (key, later))
        >>> print(compare_bills(mine, theirs))
        2026-02-01 due date: expected 2026-02-01, actual 2026-02-02
    """
    if match not in _MATCHES:
        known = "one of " + ", ".join(_MATCHES)
        raise UnknownWordError.of("match", "unknown_word", "is not a known word", match, known)
    mine, theirs = _bills(expected, "expected"), _bills(actual, "actual")
    if terms is not None and not (diagnose and _is_asked(expected)):
        said = "say nothing without diagnose and expected bills that know their period"
        raise InvalidRecordError.of("terms", "says_nothing", said, terms, "none")
    policy = policy_of(expected.policy if isinstance(expected, BillingResult) else None)
    found = list(_differences(mine, theirs, match, policy if diagnose else None))
    causes: Iterable[str] = ()
    if diagnose and found and isinstance(expected, BillingResult):
        causes = _causes(expected, theirs, policy, terms)
    return Comparison(sorted(found, key=_day_of), bills=len(mine), causes=causes)


def _is_asked(expected: _Bills) -> bool:
    """Return whether bills are the answer for a period that they know."""
    return isinstance(expected, BillingResult) and expected.period is not None


def _day_of(difference: Difference) -> int:
    """Return the day of a difference."""
    return difference.due_date.toordinal()


def _bills(given: object, name: str) -> Sequence[PendingBill]:
    """Return bills, whatever they are given in."""
    if isinstance(given, PendingBill):
        return (given,)
    bills: list[PendingBill] = []
    for bill in given if isinstance(given, Iterable) else (given,):
        if not isinstance(bill, PendingBill):
            raise TypeError(f"compare_bills takes PendingBills as {name}, not {shown(bill)}")
        bills.append(bill)
    return bills


def _causes(
    expected: BillingResult,
    actual: Sequence[PendingBill],
    policy: BillingPolicy,
    terms: LeaseTerms | None,
) -> Iterable[str]:
    """Return what explains all of the actual bills at once."""
    source = expected.source
    indices = None
    if isinstance(source, CompiledTerms):
        terms, indices = terms or source.terms, source.indices
    if terms is None or expected.period is None:
        return ()

    def same(tried: Iterable[PendingBill], wanted: Iterable[PendingBill]) -> bool:
        return not any(_differences(tuple(tried), tuple(wanted), "product", None))

    return policies_that_give(actual, terms, expected.period, policy, indices, same)


# --------------------------------------------------------------------------------------- comparing


def _differences(
    expected: Sequence[PendingBill],
    actual: Sequence[PendingBill],
    match: Match,
    diagnosed: BillingPolicy | None,
) -> Iterator[Difference]:
    """Give all differences, with causes under a policy where they are to be diagnosed."""
    for one, other in bill_pairs(expected, actual):
        if one is None:
            extra = actual[other or 0]
            yield _whole("extra_bill", extra, "no bill", _told(extra), extra.total)
        elif other is None:
            missed = expected[one]
            yield _whole("missing_bill", missed, _told(missed), "no bill", -missed.total)
        else:
            yield from bill_differences(expected[one], actual[other], match, diagnosed)


def _whole(code: str, bill: PendingBill, expected: str, actual: str, by: Amount) -> Difference:
    """Return the difference of a bill that stands alone."""
    return Difference(code, bill.due_date, "", "bill", expected, actual, by)


def _told(bill: PendingBill) -> str:
    """Return a bill in a few words."""
    count = len(bill.raw_lines)
    return f"{bill.total}, {count} line" + ("" if count == 1 else "s")


def compare_portfolio(
    leases: Iterable[tuple[str, _Bills, _Bills]],
    *,
    match: Match = "product",
    diagnose: bool = False,
) -> PortfolioComparison:
    """Return the comparisons of many leases with a summary: how many are equal, what differs, why.

    Args:
        leases: For each lease its id, the expected bills and the actual ones; read one by one.
        match: How lines find each other; see `Match`.
        diagnose: Whether to look for the causes.

    Returns:
        The leases with differences, and counts over all of them.

    Raises:
        TypeError: Something is no bills.
        UnknownWordError: `match` is no known word.

    Examples:
        >>> print(compare_portfolio([("lease-1", (), ())]))
        1 of 1 leases equal, 0 bills
    """
    return PortfolioComparison(
        (lease_id, compare_bills(expected, actual, match=match, diagnose=diagnose))
        for lease_id, expected, actual in leases
    )
