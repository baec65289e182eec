"""Billing functions: items and a period go in, pending bills come out.

Laws: terms are compiled once and billed for many periods; no line is billed twice (A53).
"""

from datetime import date

from rentbilling.billing.bill import BillingResult
from rentbilling.billing.compiled import CompiledTerms
from rentbilling.billing.earlier_bills import EarlierBills
from rentbilling.errors import InvalidRecordError
from rentbilling.indices import AnyIndices
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.terms import AnyTerms, terms_of
from rentbilling.values import AnyPeriod, Period, day_of, period_of


def compile_terms(
    items_or_terms: AnyTerms | CompiledTerms,
    *,
    policy: BillingPolicy | None = None,
    indices: AnyIndices = None,
) -> CompiledTerms:
    """Return terms compiled for billing: compile once, then bill many periods.

    Args:
        items_or_terms: Lease terms, an item, or items; or the JSON of them, as data or a text.
        policy: The billing policy, which the compiled terms follow from then on.
        indices: The index series that rent adjustment plans follow.

    Returns:
        Terms that `pending_bills` takes in place of `items_or_terms`.

    Raises:
        InvalidInputError: It is neither a lease nor an item, or a currency is unknown.
        UnsupportedCaseError: No period of an item lies in the calendar, or no business day near it.
        TypeError: `policy` is no BillingPolicy.

    Examples:
        >>> from rentbilling import LeaseTerms
        >>> compiled = compile_terms(LeaseTerms(lease_id="lease-1"))
        >>> len(pending_bills(compiled, "2026-01-01/2026-12-31"))
        0
    """
    if isinstance(items_or_terms, CompiledTerms):
        if policy is not None and policy != items_or_terms.policy:
            said, own = "is not the one the terms were compiled under", items_or_terms.policy
            met, right = policy.fingerprint, own.fingerprint
            raise InvalidRecordError.of("policy", "policy_mismatch", said, met, right)
        if indices is not None:
            said, expected = "were given when the terms were compiled", "none here"
            raise InvalidRecordError.of("indices", "contradiction", said, indices, expected)
        return items_or_terms
    rules = policy_of(policy)
    return CompiledTerms(terms_of(items_or_terms, rules), rules, indices)


def pending_bills(
    items_or_terms: AnyTerms | CompiledTerms,
    period: AnyPeriod,
    *,
    policy: BillingPolicy | None = None,
    indices: AnyIndices = None,
    already_billed: EarlierBills | None = None,
    billed_since: date | str | None = None,
) -> BillingResult:
    """Return the bills that fall due in a period, with line items, VAT totals and sums.

    Args:
        items_or_terms: Lease terms, an item, items, the JSON of them as data or a text, or terms
            compiled by `compile_terms`.
        period: The asked days, both ends included; a bill belongs to it by its due date (A15).
        policy: Every choice the interface leaves open; the default is what most bills follow.
        indices: The index series that rent adjustment plans follow: one, several, or by name. Bills
            use the amount that is in force after all adjustments (A42).
        already_billed: Earlier bills of the lease: results, bills, or several of them; best all of
            them since a day. What they bill is not billed again; what has changed since is
            corrected, and missed lines are added, on the first bill of the period (A53). Bills that
            are not passed in are ignored, and so is a correction whose original bill is missing.
        billed_since: The due date from which all bills are in `already_billed`, or the first day of
            an accounting period if `policy.select` says so; by default the earliest one of the
            earlier bills. Lines due before it were billed elsewhere.

    Returns:
        Bills in order of due date, then currency (A16), and notices.

    Raises:
        InvalidInputError: The period is malformed, the terms are none, or an
            earlier bill is of another lease, has a line of an uncertain item, or corrects bills
            that were not passed in.
        UnsupportedCaseError: The answer would have more than `policy.max_lines` lines (A60), or a
            date or amount that cannot be written.
        MissingIndexError: An adjustment that a bill needs has no index value (A41).
        TypeError: `policy` is no BillingPolicy.

    Examples:
        >>> from decimal import Decimal
        >>> from datetime import date
        >>> from rentbilling import Amount, BillingCycle, DueDateRule, Vat
        >>> from rentbilling import FirstBillingPeriodBillItem, RecurringBillItem
        >>> rent = RecurringBillItem(
        ...     product_key="key:rent",
        ...     amount=Amount(8500, "DKK"),
        ...     vat=Vat("Exempt"),
        ...     due_date_rule=DueDateRule(day_of_period=1),
        ...     billing_cycle=BillingCycle(),
        ...     started_on=date(2026, 1, 15),
        ...     first_billing_period_bill_item=FirstBillingPeriodBillItem(
        ...         amount=Amount(Decimal("4661.29"), "DKK"),
        ...         due_date=date(2026, 1, 15),
        ...         accounting_period=Period.parse("2026-01-15/2026-01-31"),
        ...     ),
        ... )
        >>> for bill in pending_bills(rent, "2026-01-01/2026-03-31"):
        ...     print(bill.due_date, bill.total)
        2026-01-15 4661.29 DKK
        2026-02-01 8500.00 DKK
        2026-03-01 8500.00 DKK

        The rent was meant to be 8,600 from February on, when its bill was out already:

        >>> sent = pending_bills(rent, "2026-01-01/2026-02-28")
        >>> dearer = rent.evolve(amount=Amount(8600, "DKK"))
        >>> for bill in pending_bills(dearer, "2026-03-01/2026-03-31", already_billed=sent):
        ...     for line in bill.lines:
        ...         print(bill.due_date, line.kind, line.accounting_period, line.net_price)
        2026-03-01 correction 2026-02-01/2026-02-28 100.00 DKK
        2026-03-01 regular 2026-03-01/2026-03-31 8600.00 DKK
    """
    if type(items_or_terms) is CompiledTerms and policy is None and indices is None:
        compiled = items_or_terms
    else:
        compiled = compile_terms(items_or_terms, policy=policy, indices=indices)
    if type(period) is not Period:
        period = period_of(period, period_end=compiled.policy.period_end)
    if already_billed is None and billed_since is None:
        return compiled.bills(period)
    return _open_bills(compiled, period, already_billed, billed_since)


def _open_bills(
    compiled: CompiledTerms,
    period: Period,
    already_billed: EarlierBills | None,
    billed_since: date | str | None,
) -> BillingResult:
    """Return the bills of a period, less those that were billed earlier."""
    since = None if billed_since is None else day_of(billed_since, "billed_since")
    if already_billed is not None:
        return compiled.open_bills(period, already_billed, since)
    if since is not None:
        said, expected = "has no effect without earlier bills", "already_billed, or none here"
        raise InvalidRecordError.of("billed_since", "says_nothing", said, billed_since, expected)
    return compiled.bills(period)


def bill_period(
    terms: AnyTerms | CompiledTerms,
    period: AnyPeriod,
    *,
    policy: BillingPolicy | None = None,
    indices: AnyIndices = None,
    already_billed: EarlierBills | None = None,
    billed_since: date | str | None = None,
) -> BillingResult:
    """Return a period's bills together with its rent adjustments.

    Args:
        terms: As `pending_bills` takes them.
        period: The asked days, both ends included; an adjustment belongs to it by its day.
        policy: Every choice the interface leaves open.
        indices: The index series that rent adjustment plans follow.
        already_billed: Earlier bills of the lease (A53).
        billed_since: The first day that counts then.

    Returns:
        The bills of `pending_bills`, with the adjustments of `rent_adjustments` and the notices of
        both.

    Raises:
        InvalidInputError: See `pending_bills`.
        MissingIndexError: An adjustment has no index value (A41).

    Examples:
        >>> from rentbilling import LeaseTerms
        >>> bill_period(LeaseTerms(), "2026-01-01/2026-12-31").adjustments
        ()
    """
    compiled = compile_terms(terms, policy=policy, indices=indices)
    asked = period_of(period, period_end=compiled.policy.period_end)
    bills = _open_bills(compiled, asked, already_billed, billed_since)
    if compiled.histories is None:
        return bills
    made = compiled.adjustments(asked)
    return BillingResult(
        bills.bills,
        dict.fromkeys((*bills.notices, *made.notices)),
        asked,
        compiled.policy,
        bills.lease_id,
        adjustments=made.adjustments,
        source=compiled,
    )
