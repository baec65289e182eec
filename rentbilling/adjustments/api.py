"""Rent adjustments: the plans of a lease, a period and index series go in, adjustments come out.

Laws: rolling back the latest adjustment of an item gives the terms as they were before it was made;
what was made is listed, and never computed again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction

from rentbilling.adjustments.amount_history import History
from rentbilling.adjustments.dates import Bounds
from rentbilling.adjustments.lease_history import LeaseHistories, next_day
from rentbilling.adjustments.plan import PlanRules
from rentbilling.adjustments.results import AdjustmentResult, adjustments_between
from rentbilling.adjustments.rules.amounts import AmountScale, listed_until
from rentbilling.errors import (
    InvalidAdjustmentRuleError,
    InvalidRecordError,
    MissingFactError,
    RentBillingError,
    shown,
)
from rentbilling.indices import AnyIndices, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.terms import (
    AmountRecord,
    AnyLease,
    AnyPlans,
    BillingCycle,
    DueDateRule,
    FirstBillingPeriodBillItem,
    LeaseTerms,
    RecurringBillItem,
    RentAdjustment,
    RentAdjustmentPlan,
    RentAdjustmentRule,
    adjustable_of,
    plan_ids,
)
from rentbilling.values import (
    MAX_DIGITS,
    MONTHS_PER_YEAR,
    TOO_LARGE,
    Amount,
    AnyPeriod,
    Period,
    Vat,
    day_of,
    decimal_of,
    period_of,
)


def rent_adjustments(
    terms_or_plan: AnyPlans,
    period: AnyPeriod,
    *,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
    amount: Amount | None = None,
) -> AdjustmentResult:
    """Return the rent adjustments that fall in a period, with the effect of each rule.

    Args:
        terms_or_plan: Lease terms with plans; or a plan alone, about a monthly `amount`. Either
            may be data or a JSON text.
        period: The asked days, both ends included; an adjustment belongs to it by its day.
        indices: The index series: one, several, or a mapping by name.
        policy: The billing policy.
        amount: For a plan alone: what it adjusts, for one month, on the period's first day.

    Returns:
        The adjustments in order of days, and notices. Amounts are of the whole line and before
        discount (A25, A38); percentages are fractions (A5).

    Raises:
        MissingIndexError: An index value is missing, and the policy does not go on without (A41).
        MissingFactError: A plan alone has no amount, or counts from a start that it does not have.
        InvalidAdjustmentRuleError: A rule does not fit its series, or two plans act at once (A37).
        InvalidInputError: The period is malformed, or it is neither terms nor a plan.
        TypeError: `policy` is no BillingPolicy, or `indices` are no series.

    Examples:
        A rent of 10,000 follows the net price index of April, of which May is the latest month
        that is out two months before July; the worked example of a tenants' association:

        >>> from rentbilling import Amount, IndexSeries, RentAdjustmentPlan, RentAdjustmentRule
        >>> npi = IndexSeries("NPI", {"2021-04": "104.8", "2022-04": "111.6"}, base="2015=100")
        >>> july = RentAdjustmentRule(adjustment_type="Index", adjustment_month=7, index_month=4)
        >>> plan = RentAdjustmentPlan(rent_adjustment_rules=(july,))
        >>> (made,) = rent_adjustments(
        ...     plan, "2022-01-01/2022-12-31", indices=npi, amount=Amount(10_000, "DKK")
        ... )
        >>> print(made.adjusted_on, made.to_period_amount, made.period_amount_change)
        2022-07-01 10648.85 DKK 648.85 DKK
        >>> made.adjustment_rules_effects[0].calculated_percentage
        Decimal('0.064885')
    """
    rules = policy_of(policy)
    asked = period_of(period, period_end=rules.period_end)
    given = adjustable_of(terms_or_plan, rules)
    terms = _terms_of(given, asked, amount)
    try:
        histories = LeaseHistories(terms, series_of(indices), rules)
        return adjustments_between(histories, asked.first, asked.last)
    except InvalidAdjustmentRuleError as error:
        if isinstance(given, LeaseTerms):
            raise
        # The lease around a plan alone is built here; the caller has not seen its paths.
        raise error.within("rentAdjustmentPlans[0]") from None


def next_adjustment_date(terms_or_plan: AnyPlans, after: date | str) -> date | None:
    """Return the first day after another on which something is adjusted; it needs no index.

    Args:
        terms_or_plan: Lease terms with plans, or a plan alone.
        after: A day.

    Returns:
        The day, or None where no rule has one.

    Raises:
        InvalidInputError: The day is malformed, or it is neither terms nor a plan.

    Examples:
        >>> from rentbilling import RentAdjustmentPlan, RentAdjustmentRule
        >>> rule = RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10)
        >>> next_adjustment_date(RentAdjustmentPlan(rent_adjustment_rules=(rule,)), "2026-01-01")
        datetime.date(2027, 1, 1)
    """
    day = day_of(after, "after")
    given = adjustable_of(terms_or_plan, policy_of(None))
    if isinstance(given, RentAdjustmentPlan):
        pairs = [(given, Bounds(day))]
    elif isinstance(given, LeaseTerms):
        histories = LeaseHistories(given, {}, policy_of(None))
        pairs = list(histories.bounds())
    else:
        raise _not_adjustable(given)
    days = [found for plan, bounds in pairs if (found := next_day(plan, bounds, day)) is not None]
    return date.fromordinal(min(days)) if days else None


def amount_in_force(
    terms: AnyLease,
    item_id: str,
    on: date | str,
    *,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
) -> Amount:
    """Return what an item costs for one billing period on a day, after all adjustments.

    Args:
        terms: The lease terms.
        item_id: Id of a recurring item or of a balance.
        on: The day.
        indices: The index series.
        policy: The billing policy.

    Returns:
        The amount of the whole line (price times quantity), before discount (A25), rounded; or the
        balance.

    Raises:
        MissingFactError: No item or balance has this id.
        MissingIndexError: An index value is missing (A41).
        InvalidRecordError: It is no lease terms.

    Examples:
        >>> from rentbilling import LeaseTerms
        >>> amount_in_force(LeaseTerms(), "recurring-1", "2026-01-01")
        Traceback (most recent call last):
        rentbilling.errors.MissingFactError: no item or balance has the id recurring-1 (known: none)
    """
    day = day_of(on, "on")
    rules = policy_of(policy)
    histories = LeaseHistories(_lease(terms, rules), series_of(indices), rules)
    return histories.amount_on(item_id, day)


def adjusted_terms(
    terms: AnyLease,
    adjustments: Iterable[RentAdjustment],
    *,
    records: bool = False,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
) -> LeaseTerms:
    """Return the terms with adjustments listed in their plans: made, and not computed again.

    Args:
        terms: The lease terms.
        adjustments: As `rent_adjustments` gave them for these terms.
        records: Whether each is also an amount record of its item, as a service stores it (A18).
            An adjustment whose day has a record already is left out; one that leads to a price of
            one unit of more than 15 decimals is listed alone.
        indices: The index series. They are needed only where an amount was agreed between what is
            listed and days before it on which an index rule is due that are not listed.
        policy: For private currencies (A2).

    Returns:
        The terms; bills and later adjustments are the same as without, with the same series, also
        after the way through JSON. A rule that carries the exact amount goes on from the listed one
        (A38).

    Raises:
        InvalidRecordError: They are no lease terms; an adjustment names no plan of them; others
            before it are missing: it begins with another amount than is in force without them, or
            rules made them, and they would be passed over (A18).
        TypeError: Something is no adjustment.

    Examples:
        >>> from rentbilling import LeaseTerms
        >>> adjusted_terms(LeaseTerms(), ()).rent_adjustment_plans
        ()
    """
    by_plan: dict[str, list[RentAdjustment]] = {}
    rules = policy_of(policy)
    lease = _lease(terms, rules)
    recorded = _recorded_days(lease, rules) if records else {}
    ids = plan_ids(lease.rent_adjustment_plans)
    for at, each in enumerate(adjustments):
        if not isinstance(each, RentAdjustment):
            takes = "adjustments of rent_adjustments, or of loads(text, RentAdjustment)"
            raise TypeError(f"adjusted_terms takes {takes}, not {shown(each)}")
        if each.plan_id not in ids:
            known = ", ".join(ids) or "terms with plans"
            said = "names no plan of the terms"
            raise InvalidRecordError.of(f"[{at}].planId", "unknown_plan", said, each.plan_id, known)
        if each.adjusted_on not in recorded.get(each.plan_id, ()):
            by_plan.setdefault(each.plan_id, []).append(each)
    plans = tuple(
        plan.evolve(adjustments=(*plan.adjustments, *_new(plan, by_plan.get(plan_id, ()))))
        if plan_id in by_plan
        else plan
        for plan_id, plan in zip(ids, lease.rent_adjustment_plans, strict=True)
    )
    listed = lease.evolve(rent_adjustment_plans=plans)
    days = [each.adjusted_on for plan in plans for each in plan.adjustments]
    if not days:
        return listed
    histories, last = LeaseHistories(listed, {}, rules), max(days).toordinal()
    _refuse_gaps(histories, last)
    series = series_of(indices)
    for at, history in histories.items.items():
        if passed := [*_passed_over(history, lease, last)]:
            _refuse_passed(passed, LeaseHistories(lease, series, rules).items[at])
    return _with_records(listed, histories, by_plan, last) if records else listed


def _recorded_days(terms: LeaseTerms, policy: BillingPolicy) -> dict[str, set[date]]:
    """Return the days on which the item of each plan has an amount record, by the plan's id."""
    histories, found = LeaseHistories(terms, {}, policy), {}
    for at, plan_id in enumerate(histories.plan_ids):
        item, _ = histories.places_of(at)
        if item is not None:
            records = terms.recurring_bill_items[item].amount_records
            found[plan_id] = {each.start for each in records}
    return found


def _with_records(
    terms: LeaseTerms,
    histories: LeaseHistories,
    by_plan: Mapping[str, Iterable[RentAdjustment]],
    last: int,
) -> LeaseTerms:
    """Return terms with an amount record for each of some adjustments that their plans list."""
    days = {(key, each.adjusted_on.toordinal()) for key, own in by_plan.items() for each in own}
    items = [*terms.recurring_bill_items]
    for at, history in histories.items.items():
        adjustee, item = history.adjustee, items[at]
        added = tuple(
            AmountRecord(value=price, start=date.fromordinal(day))
            for day, plan, unit in history.listed_units(last)
            if (histories.plan_ids[plan], day) in days
            and (price := _exact_price(unit, adjustee.scale)) is not None
        )
        items[at] = item.evolve(amount_records=(*item.amount_records, *added)) if added else item
    return terms.evolve(recurring_bill_items=tuple(items))


def _exact_price(unit: Fraction, scale: AmountScale) -> Amount | None:
    """Return the price of one unit as an amount; None where it has too many decimals (A1)."""
    for places in range(scale.places, MAX_DIGITS + 1):
        units = unit * 10**places
        if units.denominator == 1:
            fits = abs(units.numerator) < TOO_LARGE
            value = decimal_of(units.numerator, places)
            return Amount.unchecked(value, scale.currency) if fits else None
    return None


def _refuse_gaps(histories: LeaseHistories, last: int) -> None:
    """Refuse listed adjustments that do not begin at the amount that the listed ones led to."""
    for notice in histories.listed_notices(last):
        if notice.code != "listed_from_differs":
            continue
        facts = dict(notice.facts)
        said = "begins with another amount than is in force before it"
        expected = f"{facts['inForce']}, or the adjustments before it listed too"
        when = facts["adjustedOn"]
        raise InvalidRecordError.of(f"adjustment of {when}", "gap", said, facts["told"], expected)


def _passed_over(
    history: History, before: LeaseTerms, last: int
) -> Iterator[tuple[int, PlanRules]]:
    """Give the days on which rules of an item are due and, because of what is listed now, rest.

    Args:
        history: With what is listed now.
        before: The terms without it.
        last: The last listed day.
    """
    plans, amounts = before.rent_adjustment_plans, history.adjustee.amounts
    for day, plan, listed in history.planned.events(history.adjustee.bounds.after, last):
        # A record of the day is listed all the same (A18).
        rests = listed is None and listed_until(plans[plan.at]) < day <= plan.listed_until
        if rests and not amounts.begins(day):
            yield day, plan


def _refuse_passed(passed: Sequence[tuple[int, PlanRules]], before: History) -> None:
    """Refuse days on which rules of an item rest from now on, where they made something before."""
    amounts = before.adjustee.amounts
    try:
        made = {(each.day, each.plan) for each in before.until(passed[-1][0])}
    except RentBillingError:
        # Unless an amount was agreed since, the next one begins with what was in force already.
        made = {(day, plan.at) for day, plan in passed if amounts.since(day, plan.listed_until)}
    for day, plan in passed:
        if (day, plan.at) in made:
            said = "is made no longer when a later one of its plan is listed"
            path = f"adjustment of {date.fromordinal(day)}"
            expected = "it listed too, or indices= where rules make nothing of it"
            raise InvalidRecordError.of(path, "gap", said, "not listed", expected)


def _new(
    plan: RentAdjustmentPlan, adjustments: Iterable[RentAdjustment]
) -> Iterator[RentAdjustment]:
    """Give the adjustments that a plan does not list yet."""
    listed = {each.adjusted_on for each in plan.adjustments}
    return (each for each in adjustments if each.adjusted_on not in listed)


def rolled_back(terms: AnyLease, item_id: str) -> LeaseTerms:
    """Return the terms without the latest listed adjustment of an item or balance.

    Args:
        terms: Lease terms whose plans list adjustments.
        item_id: Id of the item or balance.

    Returns:
        The terms as they were before it was made; an amount record of its day goes with it.

    Raises:
        MissingFactError: None of its plans lists an adjustment.
        InvalidRecordError: They are no lease terms.

    Examples:
        >>> from rentbilling import LeaseTerms
        >>> rolled_back(LeaseTerms(), "recurring-1")
        Traceback (most recent call last):
        rentbilling.errors.MissingFactError: no plan of recurring-1 lists an adjustment
    """
    lease = _lease(terms)
    histories = LeaseHistories(lease, {}, policy_of(None))
    latest = max(
        (
            (each.adjusted_on, at)
            for at, plan in enumerate(lease.rent_adjustment_plans)
            if item_id in histories.adjustee_ids(at)
            for each in plan.adjustments
        ),
        default=None,
    )
    if latest is None:
        raise MissingFactError("no_adjustment", item=item_id)
    when, place = latest
    plans = list(lease.rent_adjustment_plans)
    kept = tuple(each for each in plans[place].adjustments if each.adjusted_on != when)
    plans[place] = plans[place].evolve(adjustments=kept)
    items = tuple(
        item.evolve(amount_records=tuple(r for r in item.amount_records if r.start != when))
        if each_id == item_id and any(r.start == when for r in item.amount_records)
        else item
        for each_id, item in zip(lease.item_ids, lease.recurring_bill_items, strict=False)
    )
    return lease.evolve(rent_adjustment_plans=tuple(plans), recurring_bill_items=items)


def _terms_of(given: object, asked: Period, amount: Amount | None) -> LeaseTerms:
    if isinstance(given, LeaseTerms):
        if amount is not None:
            said, expected = "belongs to a plan alone", "none: the items have their amounts"
            raise InvalidRecordError.of("amount", "contradiction", said, amount, expected)
        return given
    if not isinstance(given, RentAdjustmentPlan):
        raise _not_adjustable(given)
    if amount is None:
        raise MissingFactError("amount_needed", plan=given.id or "plan-1")
    for place, rule in enumerate(given.rent_adjustment_rules):
        _refuse_by_time(given, place, rule)
    before = Period.unchecked(max(1, asked.first - 1), max(1, asked.first - 1))
    item = RecurringBillItem(
        id=given.adjustee_ref or "recurring-1",
        product_key="key:rent",
        amount=amount,
        vat=Vat("Exempt"),
        due_date_rule=DueDateRule(),
        billing_cycle=BillingCycle(),
        started_on=before.start,
        first_billing_period_bill_item=FirstBillingPeriodBillItem(
            amount=amount, due_date=before.start, accounting_period=before
        ),
    )
    return LeaseTerms(recurring_bill_items=(item,), rent_adjustment_plans=(given,))


def _refuse_by_time(plan: RentAdjustmentPlan, place: int, rule: RentAdjustmentRule) -> None:
    """Refuse a rule that counts from a start day, which a plan alone does not have."""
    clause = rule.clause
    by_time = clause.pro_rata != "none" or clause.limit_per != "adjustment"
    rhythm = rule.counts_from is None and MONTHS_PER_YEAR % clause.interval != 0
    if by_time or rhythm:
        rule_id = plan.rule_ids[place]
        raise MissingFactError("start_needed", plan=plan.id or "plan-1", rule=rule_id)


def _lease(given: object, policy: BillingPolicy | None = None) -> LeaseTerms:
    """Return lease terms, or refuse another value."""
    terms = adjustable_of(given, policy_of(policy))
    if not isinstance(terms, LeaseTerms):
        raise _not_adjustable(terms, "lease terms")
    return terms


def _not_adjustable(
    met: object, expected: str = "lease terms, or a rent adjustment plan"
) -> InvalidRecordError:
    """Return the error of a value without rent adjustment plans."""
    said = "has no rent adjustment plans"
    return InvalidRecordError.of("", "not_adjustable", said, met, expected)
