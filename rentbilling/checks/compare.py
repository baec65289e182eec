"""Comparison of expected bills with those of a service.

Laws: equal bills have no difference; a difference names every figure or day of the interface that
is changed on one side.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, cast, get_args

from rentbilling.billing import BillingResult, CompiledTerms, PendingBill
from rentbilling.checks.bill_differences import (
    NOT_ODD,
    Diagnosis,
    OddSums,
    bill_differences,
)
from rentbilling.checks.causes import WAYS_OF_VAT, BillSource, Causes, causes_of
from rentbilling.checks.consequences import folded
from rentbilling.checks.difference import (
    Comparison,
    Difference,
    DifferenceGroup,
    PortfolioComparison,
)
from rentbilling.checks.matching import Match, Pair, bill_pairs, same_places
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

Ignored = Literal["due_date"]
"""What a comparison can leave out."""


def compare_bills(
    expected: AnyBills,
    actual: AnyBills,
    *,
    match: Match = "product",
    ignore: tuple[Ignored, ...] = (),
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
        ignore: What is not compared: `("due_date",)` leaves due dates out, and bills are matched by
            the first day of their lines instead.
        diagnose: Whether to search for the cause: VAT is recomputed from the actual lines in other
            ways, and all bills from the terms under other policies, with other openings, or with
            one thing of an item or a plan changed. Bills with several mistakes are explained one
            by one.
        policy: The policy of the expected bills, if they have none themselves; it also defines how
            texts and data are read. Without it a cause does not name the expected rule.
        terms: The terms of the expected bills, for the search of causes; bills that were computed
            here have their terms, period and index series. Where only the actual bills have them,
            the search is for what gives the expected ones.
        period: The period that the terms are billed for.
        indices: The index series that the terms follow.

    Returns:
        The differences in order of due dates; none if all figures and days are equal.

    Raises:
        InvalidInputError: A text or data cannot be read, or is not a bill; every problem with its
            side and path.
        UnknownWordError: `match` or `ignore` is not a known word.
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
    for each in ignore:
        check_word("ignore", each, get_args(Ignored))
    known = expected.policy if isinstance(expected, BillingResult) else None
    rules = policy_of(policy) if known is None or policy is not None else known
    form = _by_days if ignore else None
    sides = _side(expected, rules, "expected"), _side(actual, rules, "actual")
    given = {"terms": terms, "period": period, "indices": indices}
    if not diagnose:
        _refuse_idle(given, "has no effect without a diagnosis", "diagnose=True, or none")
        return _compared(sides, match, None, rules, form)
    diagnosis = Diagnosis(policy if known is None else known)
    # The side whose terms are known leads to the bills of the other one.
    turned = terms is None and _compiled(expected) is None and _compiled(actual) is not None
    of = cast("BillingResult", actual).policy if turned else diagnosis.policy
    source = _source(actual if turned else expected, given, policy_of(of))
    found = _compared(sides, match, diagnosis, rules, form)
    # No policy makes a bill of which a sum is not that of its parts.
    odd = any(each.code in ("tax_sum", "payable") for each in found)
    if source is None or found.is_equal or odd:
        return found
    wanted = sides[0 if turned else 1].bills
    return found.explained_by(_causes(source, wanted, form, turned=turned), turned=turned)


_Form = Callable[[PendingBill], PendingBill] | None
"""What bills are compared by, in place of themselves."""


def _by_days(bill: PendingBill) -> PendingBill:
    """Return a bill with the first day of its lines as its due date, which says nothing then."""
    lines = bill.raw_lines
    return bill.again(min((first for _, first, _ in lines), default=bill.due), lines)


def _compared(
    sides: "tuple[_Side, _Side]",
    match: Match,
    diagnosis: Diagnosis | None,
    policy: BillingPolicy,
    form: _Form,
) -> Comparison:
    """Return the differences of bills, in order of due dates."""
    found: list[tuple[Sequence[Difference], DifferenceGroup]] = []
    pairs: list[Pair] = []
    for places, one, other, each in _differences(*sides, match, diagnosis, form):
        pairs.append(places)
        numbers = (
            side.numbers.get(at) for side, at in zip(sides, places, strict=True) if at is not None
        )
        number = ([None, *filter(None, numbers)])[-1]
        if differences := tuple(every._replace(number=number) for every in each):
            found.append((differences, folded(differences, one, other, policy, places)))
    found.sort(key=lambda pair: pair[0][0].due_date)
    return Comparison(
        (each for differences, _ in found for each in differences),
        bills=len(sides[0].bills),
        groups=(group for _, group in found),
        tried=0 if diagnosis is None else WAYS_OF_VAT,
        pairs=pairs,
    )


# ---------------------------------------------------------------------------------------- arguments


class _Side(NamedTuple):
    """The bills of an argument, with what their data state beside them, by place."""

    bills: Sequence[PendingBill]
    odd: Mapping[int, OddSums]
    """Sums that are not those of their parts."""
    numbers: Mapping[int, str]


def _side(given: object, rules: BillingPolicy, side: str) -> _Side:
    """Return the bills of an argument, with the cash rounding of their payable amounts."""
    with paths_under(side):
        there = given_bills(cast("AnyBills", given))
        bills = read_all(there, rules)
        if isinstance(given, BillingResult) and given.policy is not None:
            return _Side([*map(_computed, bills)], {}, {})
        odd: dict[int, OddSums] = {}
        for at, (each, bill) in enumerate(zip(there, bills, strict=True)):
            tax, payable = (
                each.units(name, rules, bill.currency) for name in ("taxSum", "payable")
            )
            bills[at] = paid_as(bill, payable)
            stated = OddSums.of(bills[at], tax, payable)
            if stated != NOT_ODD:
                odd[at] = stated
    numbers = {at: each.number for at, each in enumerate(there) if each.number is not None}
    return _Side(bills, odd, numbers)


def _computed(bill: PendingBill) -> PendingBill:
    """Return a bill that was computed here, with its total or rounded total to pay (A52)."""
    return paid_as(bill, bill.sums[1])


def _refuse_idle(given: dict[str, Any], said: str, right: str) -> None:
    """Refuse arguments without an effect."""
    for name, value in given.items():
        if value is not None:
            raise InvalidRecordError.of(name, "says_nothing", said, value, right)


def _compiled(given: object) -> CompiledTerms | None:
    """Return the terms that a result was computed from; None if it does not know them."""
    source = given.source if isinstance(given, BillingResult) else None
    return source if isinstance(source, CompiledTerms) else None


def _source(of: object, given: dict[str, Any], policy: BillingPolicy) -> BillSource | None:
    """Return the inputs of bills; None if they are unknown."""
    known: dict[str, Any] = {}
    if isinstance(of, BillingResult):
        known["period"] = of.period
    if compiled := _compiled(of):
        known |= {"terms": compiled.terms, "indices": compiled.indices}
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


def _causes(
    source: BillSource, wanted: Sequence[PendingBill], form: _Form, *, turned: bool
) -> Causes:
    """Return what explains the bills of one side, all together or each alone."""

    def same(tried: Sequence[PendingBill], bills: Sequence[PendingBill]) -> bool:
        mine, theirs = _Side([*map(_computed, tried)], {}, {}), _Side(bills, {}, {})
        found = _differences(mine, theirs, "product", None, None)
        return not any(True for *_, differences in found for _ in differences)

    if form is not None:
        source, wanted = source._replace(form=form), [*map(form, wanted)]
    return causes_of(wanted, source, same, "expected" if turned else "actual")


# --------------------------------------------------------------------------------------- comparing


_Pair = tuple[Pair, PendingBill | None, PendingBill | None, Iterable[Difference]]
"""The places of an expected and an actual bill, the bills, and how they differ."""


def _differences(
    expected: _Side, actual: _Side, match: Match, diagnosis: Diagnosis | None, form: _Form
) -> Iterator[_Pair]:
    """Yield the pairs of bills with their differences, and causes if these are requested."""
    mine, theirs = expected.bills, actual.bills
    if form is not None:
        mine, theirs = ([*map(form, each)] for each in (mine, theirs))
    same = same_places(mine, theirs)
    for one, other in bill_pairs(mine, theirs, same):
        if one is None:
            extra = actual.bills[other or 0]
            found = _whole("extra_bill", extra, "no bill", _summary(extra), extra.total)
            yield (one, other), None, extra, (found,)
        elif other is None:
            missed = expected.bills[one]
            found = _whole("missing_bill", missed, _summary(missed), "no bill", -missed.total)
            yield (one, other), missed, None, (found,)
        else:
            bill, met = expected.bills[one], actual.bills[other]
            if form is not None:
                met = met.again(bill.due, met.raw_lines)
            odd = expected.odd.get(one, NOT_ODD), actual.odd.get(other, NOT_ODD)
            # Most bills are equal, and known to be so.
            is_same = one == other and one in same and odd == (NOT_ODD, NOT_ODD)
            listed = () if is_same else bill_differences(bill, met, match, diagnosis, odd)
            yield (one, other), bill, met, listed


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
    ignore: tuple[Ignored, ...] = (),
    diagnose: bool = False,
    policy: BillingPolicy | None = None,
) -> PortfolioComparison:
    """Return the comparisons of many leases with a summary of differences and causes.

    A lease whose bills cannot be read or diagnosed does not end the run: `refused` names it.

    Args:
        leases: For each lease its id, the expected bills and the actual ones; read one by one.
        match: How lines are matched; see `Match`.
        ignore: What is not compared; see `compare_bills`.
        diagnose: Whether to search for causes.
        policy: See `compare_bills`.

    Returns:
        The leases with differences, and counts over all of them.

    Raises:
        InvalidRecordError: An entry is not a lease with its bills; its place is named.
        UnknownWordError: `match` or `ignore` is not a known word.

    Examples:
        >>> print(compare_portfolio([("lease-1", (), ())]))
        1 of 1 leases equal, 0 bills
    """
    check_word("match", match, get_args(Match))
    for each in ignore:
        check_word("ignore", each, get_args(Ignored))
    if not isinstance(leases, Iterable):
        said, expected = "contains no leases with their bills", f"for each lease {_LEASE}"
        raise InvalidRecordError.of("leases", NOT_BILLS, said, leases, expected)

    def found(lease: tuple[int, object]) -> tuple[str, Comparison | RentBillingError]:
        lease_id, expected, actual = _lease(*lease)
        try:
            return lease_id, compare_bills(
                expected, actual, match=match, ignore=ignore, diagnose=diagnose, policy=policy
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
