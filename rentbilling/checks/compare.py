"""Comparison of expected bills with those of a service.

Laws: equal bills have no difference; a difference names every figure or day of the interface that
is changed on one side.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast, get_args

from rentbilling.billing import BillingResult, CompiledTerms, PendingBill
from rentbilling.checks.bill_differences import Diagnosis, bill_differences, tax_of
from rentbilling.checks.causes import WAYS_OF_VAT, BillSource, policies_that_give
from rentbilling.checks.consequences import folded
from rentbilling.checks.difference import (
    Comparison,
    Difference,
    DifferenceGroup,
    PortfolioComparison,
)
from rentbilling.checks.matching import Match, bill_pairs, same_places
from rentbilling.codec import AnyBills, given_bills, paid_as, read_all
from rentbilling.errors import (
    NOT_BILLS,
    InvalidRecordError,
    RentBillingError,
    check_word,
    paths_under,
)
from rentbilling.indices import AnyIndices
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.terms import AnyTerms, terms_of
from rentbilling.values import Amount, AnyPeriod, period_of


def compare_bills(
    expected: AnyBills,
    actual: AnyBills,
    *,
    match: Match = "product",
    diagnose: bool = False,
    policy: BillingPolicy | None = None,
    terms: AnyTerms | None = None,
    period: AnyPeriod | None = None,
    indices: AnyIndices = None,
) -> Comparison:
    """Return the differences between expected and actual bills.

    Bills are matched by due date and currency; a bill that moved is matched by its contents, even
    if another bill has its old day. The order of bills and lines does not matter.

    Args:
        expected: The bills as they should be: a result, bills, a JSON text, or its data.
        actual: The bills of a service, in any of these forms.
        match: How lines are matched; see `Match`.
        diagnose: Whether to search for the cause: VAT is recomputed from the actual lines in other
            ways, and all bills from the terms under other policies.
        policy: The policy of the expected bills, if they have none themselves; it also defines how
            texts and data are read. Without it a cause does not name the expected rule.
        terms: The terms of the expected bills, for the search of causes; bills that were computed
            here have their terms, period and index series.
        period: The period that the terms are billed for.
        indices: The index series that the terms follow.

    Returns:
        The differences in order of due dates; none if all figures and days are equal.

    Raises:
        InvalidInputError: A text or data cannot be read, or is not a bill; every problem with its
            side and path.
        UnknownWordError: `match` is not a known word.
        InvalidRecordError: `terms`, `period` or `indices` have no effect, or the period is unknown.
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
    check_word("match", match, get_args(Match))
    known = expected.policy if isinstance(expected, BillingResult) else None
    rules = policy_of(policy) if known is None or policy is not None else known
    mine, own_taxes = _bills(expected, rules, "expected")
    theirs, their_taxes = _bills(actual, rules, "actual")
    taxes = own_taxes, their_taxes
    given = {"terms": terms, "period": period, "indices": indices}
    if not diagnose:
        _refuse_idle(given, "has no effect without a diagnosis", "diagnose=True, or none")
        return _compared(mine, theirs, match, None, rules, taxes)
    diagnosis = Diagnosis(policy if known is None else known)
    source = _source(expected, given, policy_of(diagnosis.policy))
    found = _compared(mine, theirs, match, diagnosis, rules, taxes)
    # No policy makes a bill of which a sum is not that of its parts.
    if source is None or found.is_equal or any(each.code == "tax_sum" for each in found):
        return found
    causes, tried = _causes(source, theirs)
    return Comparison(
        found, bills=len(mine), causes=causes, groups=found.groups, tried=found.tried + tried
    )


def _compared(
    mine: Sequence[PendingBill],
    theirs: Sequence[PendingBill],
    match: Match,
    diagnosis: Diagnosis | None,
    policy: BillingPolicy,
    taxes: "_Taxes",
) -> Comparison:
    """Return the differences of bills, in order of due dates."""
    found: list[tuple[Sequence[Difference], DifferenceGroup]] = []
    for one, other, each in _differences(mine, theirs, match, diagnosis, taxes):
        if differences := tuple(each):
            found.append((differences, folded(differences, one, other, policy)))
    found.sort(key=lambda pair: pair[0][0].due_date)
    return Comparison(
        (each for differences, _ in found for each in differences),
        bills=len(mine),
        groups=(group for _, group in found),
        tried=0 if diagnosis is None else WAYS_OF_VAT,
    )


# ---------------------------------------------------------------------------------------- arguments


_Taxes = tuple[Mapping[int, int], Mapping[int, int]]
"""Of both sides: sums of VAT that data state and that are not those of their rates, by place."""


def _bills(
    given: object, rules: BillingPolicy, side: str
) -> tuple[list[PendingBill], Mapping[int, int]]:
    """Return the bills of an argument with their payable amounts, and odd sums of their VAT."""
    with paths_under(side):
        there = given_bills(cast("AnyBills", given))
        bills = read_all(there, rules)
    if isinstance(given, BillingResult) and given.policy is not None:
        return [*map(_computed, bills)], {}
    taxes: dict[int, int] = {}
    for at, (each, bill) in enumerate(zip(there, bills, strict=True)):
        stated = each.units("taxSum", rules)
        if stated is not None and stated != tax_of(bill):
            taxes[at] = stated
        bills[at] = paid_as(bill, each.units("payable", rules))
    return bills, taxes


def _computed(bill: PendingBill) -> PendingBill:
    """Return a bill that was computed here, with its total or rounded total to pay (A52)."""
    return paid_as(bill, bill.sums[1])


def _refuse_idle(given: dict[str, Any], said: str, right: str) -> None:
    """Refuse arguments without an effect."""
    for name, value in given.items():
        if value is not None:
            raise InvalidRecordError.of(name, "says_nothing", said, value, right)


def _source(expected: object, given: dict[str, Any], policy: BillingPolicy) -> BillSource | None:
    """Return the inputs of the expected bills; None if they are unknown."""
    known: dict[str, Any] = {}
    if isinstance(expected, BillingResult):
        known["period"] = expected.period
        if isinstance(expected.source, CompiledTerms):
            known |= {"terms": expected.source.terms, "indices": expected.source.indices}
    parts = known | {name: value for name, value in given.items() if value is not None}
    if parts.get("terms") is None:
        _refuse_idle(given, "has no effect without terms", "terms, or none")
        return None
    if parts.get("period") is None:
        said = "is not known to the expected bills, and is needed to bill the terms"
        raise InvalidRecordError.of("period", "missing", said, "nothing", "the period billed")
    lease = terms_of(parts["terms"], policy)
    billed = period_of(parts["period"], period_end=policy.period_end, by="period=")
    return BillSource(lease, billed, policy, parts.get("indices"))


def _causes(source: BillSource, actual: Sequence[PendingBill]) -> tuple[Sequence[str], int]:
    """Return explanations of all actual bills together, and how many policies were tried."""

    def same(tried: Sequence[PendingBill], wanted: Sequence[PendingBill]) -> bool:
        pairs = _differences([*map(_computed, tried)], wanted, "product", None, ({}, {}))
        return not any(True for *_, differences in pairs for _ in differences)

    return policies_that_give(actual, source, same)


# --------------------------------------------------------------------------------------- comparing


_Pair = tuple[PendingBill | None, PendingBill | None, Iterable[Difference]]
"""An expected and an actual bill, and how they differ."""


def _differences(
    expected: Sequence[PendingBill],
    actual: Sequence[PendingBill],
    match: Match,
    diagnosis: Diagnosis | None,
    taxes: _Taxes,
) -> Iterator[_Pair]:
    """Yield the pairs of other bills with their differences, and causes if these are requested."""
    same = same_places(expected, actual)
    for one, other in bill_pairs(expected, actual, same):
        if one == other and one in same and not any(one in each for each in taxes):
            continue
        if one is None:
            extra = actual[other or 0]
            found = _whole("extra_bill", extra, "no bill", _summary(extra), extra.total)
            yield None, extra, (found,)
        elif other is None:
            missed = expected[one]
            found = _whole("missing_bill", missed, _summary(missed), "no bill", -missed.total)
            yield missed, None, (found,)
        else:
            mine, theirs = expected[one], actual[other]
            stated = taxes[0].get(one), taxes[1].get(other)
            yield mine, theirs, bill_differences(mine, theirs, match, diagnosis, stated)


def _whole(code: str, bill: PendingBill, expected: str, actual: str, by: Amount) -> Difference:
    """Return the difference of a bill on one side only."""
    return Difference(code, bill.due_date, "", "bill", expected, actual, by)


def _summary(bill: PendingBill) -> str:
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
    """Return the comparisons of many leases with a summary of differences and causes.

    A lease whose bills cannot be read or diagnosed does not end the run: `refused` names it.

    Args:
        leases: For each lease its id, the expected bills and the actual ones; read one by one.
        match: How lines are matched; see `Match`.
        diagnose: Whether to search for causes.
        policy: See `compare_bills`.

    Returns:
        The leases with differences, and counts over all of them.

    Raises:
        InvalidRecordError: An entry is not a lease with its bills; its place is named.
        UnknownWordError: `match` is not a known word.

    Examples:
        >>> print(compare_portfolio([("lease-1", (), ())]))
        1 of 1 leases equal, 0 bills
    """
    check_word("match", match, get_args(Match))
    if not isinstance(leases, Iterable):
        said, expected = "contains no leases with their bills", f"for each lease {_LEASE}"
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
