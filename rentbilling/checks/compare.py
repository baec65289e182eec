"""Comparisons: the bills that were expected beside those that a service made.

Laws: bills that are equal have no difference; whichever figure or day of the interface is changed
on one side, a difference names it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, cast, get_args

from rentbilling.billing.api import compile_terms
from rentbilling.billing.bill import BillingResult, PendingBill
from rentbilling.billing.compiled import CompiledTerms
from rentbilling.checks.bill_differences import Diagnosis, bill_differences
from rentbilling.checks.causes import Asked, policies_that_give
from rentbilling.checks.difference import Comparison, Difference, PortfolioComparison
from rentbilling.checks.matching import Match, bill_pairs
from rentbilling.codec.any_bills import NOT_BILLS, AnyBills, given_bills, paid_as, read_all
from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    RentBillingError,
    UnknownWordError,
)
from rentbilling.indices import AnyIndices
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.terms.lease_terms import LeaseTerms
from rentbilling.values.money import Amount
from rentbilling.values.periods import Period, period_of

_MATCHES: Final = get_args(Match)


def compare_bills(
    expected: AnyBills,
    actual: AnyBills,
    *,
    match: Match = "product",
    diagnose: bool = False,
    policy: BillingPolicy | None = None,
    terms: LeaseTerms | None = None,
    period: Period | str | None = None,
    indices: AnyIndices = None,
) -> Comparison:
    """Return what actual bills say otherwise than expected ones, in words of the field.

    Bills find each other by due date and currency; one that moved is found by what it is for, also
    where another bill took its day. The order of bills and lines does not matter.

    Args:
        expected: The bills as they should be: a result, bills, a JSON text, or its data.
        actual: The bills as a service made them, in any of these forms.
        match: How lines find each other; see `Match`.
        diagnose: Whether to look for the cause: VAT is recomputed from the actual lines in other
            ways, and all bills from the terms under other policies.
        policy: How the expected bills were computed, where they do not know it themselves; and how
            texts and data are read. Without it a cause does not say what was expected instead.
        terms: The terms that the expected bills come from, to be diagnosed by; bills that were
            computed here know theirs, their period and their index series.
        period: The period that the terms are billed for.
        indices: The index series that the terms follow.

    Returns:
        The differences in order of due dates; none where every figure and day is equal.

    Raises:
        InvalidInputError: A text or data cannot be read, or something is no bill; every problem
            with its side and path.
        UnknownWordError: `match` is no known word.
        InvalidRecordError: `terms`, `period` or `indices` say nothing, or the period is not known.
        MissingIndexError: The terms need an index value that `indices` do not have.

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
    _refuse_other_words(match)
    known = expected.policy if isinstance(expected, BillingResult) else None
    rules = policy_of(policy) if known is None or policy is not None else known
    mine, theirs = _bills(expected, rules, "expected"), _bills(actual, rules, "actual")
    given = {"terms": terms, "period": period, "indices": indices}
    if not diagnose:
        _refuse_idle(given, "says nothing unless causes are looked for", "diagnose=True, or none")
        return _compared(mine, theirs, match, None)
    diagnosis = Diagnosis(policy if known is None else known)
    asked = _asked(expected, given, policy_of(diagnosis.policy))
    found = _compared(mine, theirs, match, diagnosis)
    if asked is None or found.is_equal:
        return found
    return Comparison(found, bills=len(mine), causes=_causes(asked, theirs))


def _compared(
    mine: Sequence[PendingBill],
    theirs: Sequence[PendingBill],
    match: Match,
    diagnosis: Diagnosis | None,
) -> Comparison:
    """Return the differences of bills, in order of due dates."""
    found = _differences(mine, theirs, match, diagnosis)
    return Comparison(sorted(found, key=lambda each: each.due_date), bills=len(mine))


def _refuse_other_words(match: str) -> None:
    """Refuse a way to match lines that there is not."""
    if match not in _MATCHES:
        known = "one of " + ", ".join(_MATCHES)
        raise UnknownWordError.of("match", "unknown_word", "is not a known word", match, known)


# ---------------------------------------------------------------------------------------- arguments


def _bills(given: object, rules: BillingPolicy, side: str) -> list[PendingBill]:
    """Return bills, whatever they are given in, each with what is known of its payable amount."""
    try:
        there = given_bills(cast("AnyBills", given))
        bills = read_all(there, rules)
    except InvalidInputError as error:
        raise error.under(side) from None
    if isinstance(given, BillingResult) and given.policy is not None:
        return [*map(_computed, bills)]
    return [paid_as(bill, each.payable(rules)) for each, bill in zip(there, bills, strict=True)]


def _computed(bill: PendingBill) -> PendingBill:
    """Return a bill that was computed here: it is paid as its total says, or its rounding (A52)."""
    return paid_as(bill, bill.sums[1])


def _refuse_idle(given: dict[str, Any], said: str, right: str) -> None:
    """Refuse arguments that say nothing here."""
    for name, value in given.items():
        if value is not None:
            raise InvalidRecordError.of(name, "says_nothing", said, value, right)


def _asked(expected: object, given: dict[str, Any], policy: BillingPolicy) -> Asked | None:
    """Return what the expected bills are computed from; None where nobody knows."""
    known: dict[str, Any] = {}
    if isinstance(expected, BillingResult):
        known["period"] = expected.period
        if isinstance(expected.source, CompiledTerms):
            known |= {"terms": expected.source.terms, "indices": expected.source.indices}
    parts = known | {name: value for name, value in given.items() if value is not None}
    if parts.get("terms") is None:
        _refuse_idle(given, "says nothing without the terms that it is for", "terms, or none")
        return None
    if parts.get("period") is None:
        said = "is not known to the expected bills, and is needed to bill the terms"
        raise InvalidRecordError.of("period", "missing", said, "nothing", "the period billed")
    try:
        compile_terms(parts["terms"], policy=policy)
    except InvalidInputError as error:
        raise error.under("terms") from None
    asked = period_of(parts["period"], period_end=policy.period_end, by="period=")
    return Asked(parts["terms"], asked, policy, parts.get("indices"))


def _causes(asked: Asked, actual: Sequence[PendingBill]) -> Iterable[str]:
    """Return what explains all of the actual bills at once."""

    def same(tried: Sequence[PendingBill], wanted: Sequence[PendingBill]) -> bool:
        return not any(_differences([*map(_computed, tried)], wanted, "product", None))

    return policies_that_give(actual, asked, same)


# --------------------------------------------------------------------------------------- comparing


def _differences(
    expected: Sequence[PendingBill],
    actual: Sequence[PendingBill],
    match: Match,
    diagnosis: Diagnosis | None,
) -> Iterator[Difference]:
    """Give all differences, with causes where they are to be diagnosed."""
    for one, other in bill_pairs(expected, actual):
        if one is None:
            extra = actual[other or 0]
            yield _whole("extra_bill", extra, "no bill", _told(extra), extra.total)
        elif other is None:
            missed = expected[one]
            yield _whole("missing_bill", missed, _told(missed), "no bill", -missed.total)
        else:
            yield from bill_differences(expected[one], actual[other], match, diagnosis)


def _whole(code: str, bill: PendingBill, expected: str, actual: str, by: Amount) -> Difference:
    """Return the difference of a bill that stands alone."""
    return Difference(code, bill.due_date, "", "bill", expected, actual, by)


def _told(bill: PendingBill) -> str:
    count = len(bill.raw_lines)
    return f"{bill.total}, {count} line" + ("" if count == 1 else "s")


# -------------------------------------------------------------------------------------- portfolios


def compare_portfolio(
    leases: Iterable[tuple[str, AnyBills, AnyBills]],
    *,
    match: Match = "product",
    diagnose: bool = False,
    policy: BillingPolicy | None = None,
) -> PortfolioComparison:
    """Return the comparisons of many leases with a summary: how many are equal, what differs, why.

    A lease whose bills are none, or cannot be read or diagnosed, does not end the run: `refused`
    names it.

    Args:
        leases: For each lease its id, the expected bills and the actual ones; read one by one.
        match: How lines find each other; see `Match`.
        diagnose: Whether to look for the causes.
        policy: See `compare_bills`.

    Returns:
        The leases with differences, and counts over all of them.

    Raises:
        InvalidRecordError: Something is no lease with its bills; its place is named.
        UnknownWordError: `match` is no known word.

    Examples:
        >>> print(compare_portfolio([("lease-1", (), ())]))
        1 of 1 leases equal, 0 bills
    """
    _refuse_other_words(match)
    if not isinstance(leases, Iterable):
        said, expected = "holds no leases with their bills", f"for each lease {_LEASE}"
        raise InvalidRecordError.of("leases", NOT_BILLS, said, leases, expected)

    def found(lease: tuple[int, object]) -> tuple[str, Comparison | RentBillingError]:
        lease_id, expected, actual = _lease(*lease)
        try:
            return lease_id, compare_bills(
                expected, actual, match=match, diagnose=diagnose, policy=policy
            )
        except RentBillingError as error:
            return lease_id, error

    return PortfolioComparison(map(found, enumerate(leases)))


_LEASE: Final = "its id, the expected bills and the actual ones"


def _lease(at: int, given: Any) -> tuple[str, Any, Any]:  # noqa: ANN401
    if not isinstance(given, (tuple, list)) or len(given) != len(("id", "expected", "actual")):
        said = "is no lease with its bills"
        raise InvalidRecordError.of(f"leases[{at}]", NOT_BILLS, said, given, _LEASE)
    lease_id, expected, actual = given
    return lease_id, expected, actual
