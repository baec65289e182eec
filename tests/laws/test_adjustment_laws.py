"""The laws of rent adjustments: the oracle, plans, what is listed, balances, and bills of them."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

from hypothesis import given, strategies as st

import rentbilling as rb
from rentbilling.adjustments import LeaseHistories, rolled_back
from rentbilling.testing.strategies.adjusted_leases import Adjusted
from rentbilling.testing.strategies.plans import YEARS
from tests.oracle.adjustments import adjustments_by_oracle, adjustments_told_by
from tests.oracle.rounding import minor_units, rounded
from tests.support.adjusted import (
    ASKED,
    LAST,
    adjusted_leases,
    exact_leases,
    known_leases,
    leases_with_deposit,
)
from tests.support.plans import ITEM

places = st.integers(0, 12)
DAYS = st.dates(date(2020, 2, 1), LAST)


def made_by(lease: Adjusted) -> tuple[rb.RentAdjustment, ...]:
    terms, series, policy = lease
    return rb.rent_adjustments(terms, ASKED, indices=series, policy=policy).adjustments


def unit_of(lease: Adjusted) -> Fraction:
    """Return the minor unit of the rent's currency."""
    currency = lease.terms.recurring_bill_items[0].amount.currency
    return Fraction(1, 10 ** minor_units(currency, lease.policy))


def figure(amount: object) -> Fraction:
    return Fraction(getattr(amount, "amount", None) or 0)


def agreed(item: rb.RecurringBillItem, adjusted: rb.RentAdjustment) -> Fraction:
    """Return the price as it is stated: of a period, or of a month or a year (A65)."""
    if item.price_per == "cycle":
        return figure(adjusted.to_period_amount)
    return figure(adjusted.to_yearly_amount) / item.prices_a_year


@given(known_leases)
def test_a_slow_walk_from_month_to_month_makes_the_same_adjustments(lease: Adjusted) -> None:
    """Each effect begins where the one before ended, within the rule's limits (A32-A38, A40)."""
    terms, series, policy = lease
    found = rb.rent_adjustments(terms, ASKED, indices=series, policy=policy)

    assert adjustments_by_oracle(terms, series, policy, LAST) == adjustments_told_by(found)


@given(exact_leases)
def test_a_chain_that_nothing_rounds_is_the_composed_ratio(lease: Adjusted) -> None:
    """A chain of adjustments is one adjustment from its first value to its last (A34)."""
    terms, series, _ = lease
    (item,), unit = terms.recurring_bill_items, unit_of(lease)
    price = Fraction(item.amount.amount) * Fraction(item.quantity or 1) / series.value_at("2019-10")
    found = rb.rent_adjustments(terms, ASKED, indices=series)
    levels = [price * series.value_at(f"{year}-10") for year in range(2020, 2030)]

    assert [rounded(each, unit, "half_up") for each in levels] == [agreed(item, e) for e in found]


@given(adjusted_leases)
def test_the_amount_in_force_is_a_whole_number_of_minor_units(lease: Adjusted) -> None:
    """What an adjustment states is in force, also of a price finer than the minor unit (A38)."""
    terms, series, policy = lease
    (item,) = terms.recurring_bill_items
    fine = rb.Amount(item.amount.amount + Decimal("0.0049"), item.amount.currency)
    terms = terms.evolve(recurring_bill_items=(item.evolve(amount=fine),))
    histories = LeaseHistories(terms, {series.name: series}, policy)
    for history in histories.items.values():
        for each in history.until(LAST.toordinal()):
            in_force = each.unit * history.adjustee.quantities.on(each.day)
            assert each.recorded or in_force % unit_of(lease) == 0


@given(st.one_of(leases_with_deposit, adjusted_leases))
def test_a_long_period_is_its_years_one_after_the_other(lease: Adjusted) -> None:
    terms, series, policy = lease
    whole = rb.rent_adjustments(terms, ASKED, indices=series, policy=policy)
    parts = [rb.rent_adjustments(terms, f"{year}", indices=series, policy=policy) for year in YEARS]

    assert whole.adjustments == tuple(each for part in parts for each in part)
    assert set(whole.notices) == {each for part in parts for each in part.notices}


@given(leases_with_deposit)
def test_the_order_of_plans_does_not_matter(lease: Adjusted) -> None:
    """Each plan has its own id, so that nothing is named by its place."""
    terms, series, policy = lease
    other = terms.evolve(rent_adjustment_plans=terms.rent_adjustment_plans[::-1])
    ways = [made_by(each) for each in (lease, Adjusted(other, series, policy))]
    there, back = ([(e.adjusted_on, e.plan_id, str(e)) for e in made] for made in ways)

    assert sorted(there) == sorted(back)


@given(known_leases, DAYS)
def test_the_amount_in_force_is_that_of_the_latest_adjustment(lease: Adjusted, day: date) -> None:
    """The next one lies on no day before the one that was told."""
    terms, series, policy = lease
    (item,), made = terms.recurring_bill_items, made_by(lease)
    told = rb.next_adjustment_date(terms, day)
    later = [each.adjusted_on for each in made if each.adjusted_on > day]
    assert not later if told is None else all(told <= each for each in later)
    if not item.amount_records and not item.quantity_records:
        price = Fraction(item.amount.amount) * Fraction(item.quantity or 1)
        earlier = [agreed(item, each) for each in made if each.adjusted_on <= day]
        found = rb.amount_in_force(terms, ITEM, day, indices=series, policy=policy)
        expected = [rounded(price, unit_of(lease), policy.rounding), *earlier]

        assert expected[-1] == figure(found)


@given(st.one_of(leases_with_deposit, adjusted_leases), places, st.booleans())
def test_earlier_adjustments_may_be_listed(lease: Adjusted, count: int, records: bool) -> None:
    """Going on from them gives what going on without a list would (A38).

    An exact amount ends at a listed adjustment: what follows goes on from the listed one. The
    interface's own fields tell all of it.
    """
    terms, series, policy = lease
    made = made_by(lease)
    listed = rb.adjusted_terms(terms, made[:count], records=records, indices=series, policy=policy)
    sent = rb.loads(rb.dumps(listed), rb.LeaseTerms)
    rules = [rule for plan in terms.rent_adjustment_plans for rule in plan.rent_adjustment_rules]
    if any(rule.clause.carried == "exact" for rule in rules):
        assert made[:count] == made_by(Adjusted(listed, series, policy))[:count]
    else:
        assert made == made_by(Adjusted(listed, series, policy))
        assert made[count:] == made_by(Adjusted(sent, series, policy))[count:]


@given(known_leases, st.integers(1, 12))
def test_rolling_back_is_the_inverse(lease: Adjusted, count: int) -> None:
    terms, series, policy = lease
    if made := made_by(lease)[:count]:
        before = rb.adjusted_terms(terms, made[:-1], indices=series)
        after = rolled_back(rb.adjusted_terms(terms, made, indices=series), ITEM)

        assert before == after
        assert made_by(lease) == made_by(Adjusted(after, series, policy))


@given(leases_with_deposit)
def test_a_balance_is_months_of_the_rent_and_goes_on_from_the_one_before(lease: Adjusted) -> None:
    """Where its months are known, of the rent that an adjustment made, rounded once (A39)."""
    terms, series, policy = lease
    (balance,), (item,) = terms.balances, terms.recurring_bill_items
    now, fresh = rounded(Fraction(balance.amount.amount), unit_of(lease), policy.rounding), False
    records = sorted(
        each.start for some in (item.amount_records, item.quantity_records) for each in some
    )
    last = date.min
    for each in made_by(lease):
        if each.to_period_amount is not None:
            last, fresh = each.adjusted_on, True
        if each.to_balance_amount is None:
            continue
        assert now == figure(each.from_balance_amount)
        now = figure(each.to_balance_amount)
        assert now == figure(each.from_balance_amount) + figure(each.balance_amount_change)
        if balance.months is None or not fresh:
            continue
        if any(last < start <= each.adjusted_on for start in records):
            continue
        day = each.adjusted_on
        rent = figure(rb.amount_in_force(terms, ITEM, day, indices=series, policy=policy))
        months = Fraction(balance.months) * rent * item.prices_a_year / 12
        assert now == rounded(months, unit_of(lease), policy.rounding)


@given(known_leases)
def test_a_plain_rule_goes_the_way_of_its_clause(lease: Adjusted) -> None:
    """A rule that says nothing of its own takes one step, and all steps lead to the same."""
    terms, series, policy = lease
    named = rb.IndexClause(amount_rounding=policy.rounding)
    plans = [
        plan.evolve(
            rent_adjustment_rules=tuple(
                rule.evolve(index_clause=rule.index_clause or named)
                for rule in plan.rent_adjustment_rules
            )
        )
        for plan in terms.rent_adjustment_plans
    ]
    spelled = terms.evolve(rent_adjustment_plans=tuple(plans))

    assert made_by(lease) == made_by(Adjusted(spelled, series, policy))


@given(adjusted_leases, st.permutations(range(2021, 2026)))
def test_bills_of_an_adjusted_rent_are_alike_however_they_are_asked(
    lease: Adjusted, years: list[int]
) -> None:
    """In one period, year by year in any order, or by lease terms that list it (A38, A42)."""
    terms, series, policy = lease
    whole = rb.pending_bills(terms, "2021-01-01/2025-12-31", indices=series, policy=policy)
    compiled = rb.compile_terms(terms, indices=series, policy=policy)
    parts = {year: rb.pending_bills(compiled, f"{year}").bills for year in years}
    listed = rb.adjusted_terms(terms, made_by(lease), indices=series, policy=policy)

    assert whole.bills == tuple(each for year in sorted(years) for each in parts[year])
    rules = [rule for plan in terms.rent_adjustment_plans for rule in plan.rent_adjustment_rules]
    if not any(rule.clause.carried == "exact" for rule in rules):
        later = rb.pending_bills(listed, "2021-01-01/2025-12-31", policy=policy, indices=series)
        assert whole.bills == later.bills
