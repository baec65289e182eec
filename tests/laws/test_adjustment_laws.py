"""The laws of rent adjustments: limits, chains, plans, what is listed, and balances."""

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
from tests.oracle.shares import periods_in_a_year
from tests.support.adjusted import (
    ASKED,
    LAST,
    adjusted_leases,
    exact_leases,
    flat_leases,
    known_leases,
    leases_with_deposit,
)
from tests.support.plans import ITEM

places = st.integers(0, 12)


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


class TestTheOracle:
    """A slow walk from month to month with a calculator gives the same (A32-A38, A40)."""

    @given(known_leases)
    def test_both_make_the_same_adjustments(self, lease: Adjusted) -> None:
        terms, series, policy = lease
        found = rb.rent_adjustments(terms, ASKED, indices=series, policy=policy)

        assert adjustments_by_oracle(terms, series, policy, LAST) == adjustments_told_by(found)


class TestLimits:
    """An adjustment lies within the rule's limits, to within the amount's rounding (A35)."""

    @given(known_leases)
    def test_every_effect_keeps_its_limits(self, lease: Adjusted) -> None:
        terms, _, _ = lease
        rules = {
            (plan_id, rule_id): rule
            for plan_id, plan in zip(
                ("plan-1", "plan-2"), terms.rent_adjustment_plans, strict=False
            )
            for rule_id, rule in zip(plan.rule_ids, plan.rent_adjustment_rules, strict=True)
        }
        (item,), minor = terms.recurring_bill_items, unit_of(lease)
        per_year = periods_in_a_year(item.billing_cycle)
        units = {"cycle": Fraction(1), "month": per_year / 12, "year": per_year}
        # The price is rounded as it is stated (A65).
        units["period"] = units[item.price_per]
        for adjusted in made_by(lease):
            for effect in adjusted.adjustment_rules_effects:
                clause = rules[adjusted.plan_id or "", effect.rent_adjustment_rule_id or ""].clause
                unit = units[clause.amount_per]
                quantum = (
                    minor if clause.amount_quantum is None else Fraction(clause.amount_quantum)
                )
                near = quantum / unit + 3 * minor
                before = figure(effect.from_period_amount)
                step = abs(figure(effect.to_period_amount)) - abs(before)
                if effect.calculated_percentage is None or before == 0:
                    continue
                if effect.maximum_percentage is not None:
                    assert step <= abs(before) * Fraction(effect.maximum_percentage) + near
                if effect.minimum_percentage is not None:
                    assert step >= abs(before) * Fraction(effect.minimum_percentage) - near


class TestInForce:
    """What an adjustment states is in force, also of a price finer than the minor unit (A38)."""

    @given(adjusted_leases)
    def test_the_amount_in_force_is_a_whole_number_of_minor_units(self, lease: Adjusted) -> None:
        terms, series, policy = lease
        (item,) = terms.recurring_bill_items
        fine = rb.Amount(item.amount.amount + Decimal("0.0049"), item.amount.currency)
        terms = terms.evolve(recurring_bill_items=(item.evolve(amount=fine),))
        histories = LeaseHistories(terms, {series.name: series}, policy)
        for history in histories.items.values():
            for each in history.until(LAST.toordinal()):
                in_force = each.unit * history.adjustee.quantities.on(each.day)
                assert each.recorded or in_force % unit_of(lease) == 0


class TestEqualIndexes:
    """An index that does not move moves no rent, unless a minimum does."""

    @given(flat_leases)
    def test_nothing_changes(self, lease: Adjusted) -> None:
        """Every adjustment is one of 0, but for the first rounding of a month's price (A65)."""
        terms, series, _ = lease
        (item,) = terms.recurring_bill_items
        found = rb.rent_adjustments(terms, ASKED, indices=series)
        first, *others = [figure(each.period_amount_change) for each in found] or [Fraction(0)]
        prices = item.prices_a_year / periods_in_a_year(item.billing_cycle)
        # The price is rounded, and then what is shown of a period.
        most = 0 if item.price_per == "cycle" else (prices + 1) * unit_of(lease)

        assert {Fraction(0)} >= {*others}
        assert abs(first) <= most
        assert {0} >= {
            effect.calculated_percentage
            for each in found
            for effect in each.adjustment_rules_effects
        }


class TestChains:
    """A chain of adjustments is one adjustment from its first value to its last (A34)."""

    @given(exact_leases)
    def test_a_chain_that_nothing_rounds_is_the_composed_ratio(self, lease: Adjusted) -> None:
        terms, series, _ = lease
        (item,) = terms.recurring_bill_items
        price = Fraction(item.amount.amount) * Fraction(item.quantity or 1)
        found = rb.rent_adjustments(terms, ASKED, indices=series)

        assert [
            rounded(
                price * series.value_at(f"{year}-10") / series.value_at("2019-10"),
                unit_of(lease),
                "half_up",
            )
            for year in range(2020, 2030)
        ] == [agreed(item, each) for each in found]

    @given(known_leases)
    def test_each_adjustment_goes_on_where_the_one_before_ended(self, lease: Adjusted) -> None:
        item = lease[0].recurring_bill_items[0]
        made = made_by(lease)
        for adjusted in made:
            at = figure(adjusted.from_period_amount)
            for effect in adjusted.adjustment_rules_effects:
                assert at == figure(effect.from_period_amount)
                at = figure(effect.to_period_amount)
            assert at == figure(adjusted.to_period_amount)
        if not item.amount_records and not item.quantity_records:
            assert [each.to_period_amount for each in made[:-1]] == [
                each.from_period_amount for each in made[1:]
            ]


class TestWhatIsAsked:
    """What comes out does not depend on how it is asked."""

    @given(st.one_of(leases_with_deposit, adjusted_leases))
    def test_a_long_period_is_its_years_one_after_the_other(self, lease: Adjusted) -> None:
        terms, series, policy = lease
        whole = rb.rent_adjustments(terms, ASKED, indices=series, policy=policy)
        parts = [
            rb.rent_adjustments(terms, f"{year}-01-01/{year}-12-31", indices=series, policy=policy)
            for year in YEARS
        ]

        assert whole.adjustments == tuple(each for part in parts for each in part)
        assert set(whole.notices) == {each for part in parts for each in part.notices}

    @given(leases_with_deposit)
    def test_the_order_of_plans_does_not_matter(self, lease: Adjusted) -> None:
        """Each plan has its own id, so that nothing is named by its place."""
        terms, series, policy = lease
        other = terms.evolve(rent_adjustment_plans=terms.rent_adjustment_plans[::-1])

        assert sorted(
            (each.adjusted_on, each.plan_id, str(each)) for each in made_by(lease)
        ) == sorted(
            (each.adjusted_on, each.plan_id, str(each))
            for each in made_by(Adjusted(other, series, policy))
        )

    @given(known_leases, st.dates(date(2020, 2, 1), LAST))
    def test_the_amount_in_force_is_that_of_the_latest_adjustment(
        self, lease: Adjusted, day: date
    ) -> None:
        terms, series, policy = lease
        (item,) = terms.recurring_bill_items
        if item.amount_records or item.quantity_records:
            return
        earlier = [each for each in made_by(lease) if each.adjusted_on <= day]
        price = Fraction(item.amount.amount) * Fraction(item.quantity or 1)
        expected = rounded(price, unit_of(lease), policy.rounding)
        if earlier:
            expected = agreed(item, earlier[-1])
        found = rb.amount_in_force(terms, ITEM, day, indices=series, policy=policy)

        assert expected == figure(found)

    @given(known_leases, st.dates(date(2020, 2, 1), LAST))
    def test_an_adjustment_lies_on_a_day_that_was_told(self, lease: Adjusted, day: date) -> None:
        terms, _, _ = lease
        told = rb.next_adjustment_date(terms, day)
        later = [each.adjusted_on for each in made_by(lease) if each.adjusted_on > day]

        assert not later if told is None else all(told <= each for each in later)


class TestWhatIsListed:
    """What is listed is made; going on from it gives what going on without a list would (A38)."""

    @given(leases_with_deposit, places, st.booleans())
    def test_earlier_adjustments_may_be_listed(
        self, lease: Adjusted, count: int, records: bool
    ) -> None:
        terms, series, policy = lease
        made = made_by(lease)
        listed = rb.adjusted_terms(
            terms, made[:count], records=records, indices=series, policy=policy
        )

        assert made == made_by(Adjusted(listed, series, policy))

    @given(adjusted_leases, places, st.booleans())
    def test_so_may_those_of_rules_that_remember_more(
        self, lease: Adjusted, count: int, records: bool
    ) -> None:
        """Curves that are carried, parts, floors, and rules that add up, compete or limit.

        An exact amount ends at a listed adjustment (A38): what follows goes on from the listed one.
        """
        terms, series, policy = lease
        made = made_by(lease)
        listed = rb.adjusted_terms(
            terms, made[:count], records=records, indices=series, policy=policy
        )
        sent = rb.loads(rb.dumps(listed), rb.LeaseTerms)
        rules = (
            rule for plan in terms.rent_adjustment_plans for rule in plan.rent_adjustment_rules
        )
        if any(rule.clause.carried == "exact" for rule in rules):
            assert made[:count] == made_by(Adjusted(listed, series, policy))[:count]
            return

        assert made == made_by(Adjusted(listed, series, policy))
        # The interface's own fields tell all of it.
        assert made[count:] == made_by(Adjusted(sent, series, policy))[count:]

    @given(known_leases, st.integers(1, 12))
    def test_rolling_back_is_the_inverse(self, lease: Adjusted, count: int) -> None:
        terms, series, policy = lease
        made = made_by(lease)[:count]
        if not made:
            return
        before = rb.adjusted_terms(terms, made[:-1], indices=lease.indices)
        after = rolled_back(rb.adjusted_terms(terms, made, indices=lease.indices), ITEM)

        assert before == after
        assert made_by(lease) == made_by(Adjusted(after, series, policy))


class TestBalances:
    """A balance of months is so many months of the rent in force, rounded once (A39)."""

    @given(leases_with_deposit)
    def test_a_balance_of_months_is_months_of_rent(self, lease: Adjusted) -> None:
        terms, series, policy = lease
        (balance,), (item,) = terms.balances, terms.recurring_bill_items
        if balance.months is None:
            return
        for each in made_by(lease):
            if each.to_balance_amount is None:
                continue
            day = each.adjusted_on
            rent = figure(rb.amount_in_force(terms, ITEM, day, indices=series, policy=policy))
            if each.to_period_amount is None and not _is_adjusted(lease, day):
                continue
            monthly = rent * item.prices_a_year / 12
            expected = rounded(Fraction(balance.months) * monthly, unit_of(lease), policy.rounding)
            assert expected == figure(each.to_balance_amount)

    @given(leases_with_deposit)
    def test_each_balance_goes_on_from_the_one_before(self, lease: Adjusted) -> None:
        (balance,) = lease[0].balances
        policy = lease.policy
        now = rounded(Fraction(balance.amount.amount), unit_of(lease), policy.rounding)
        for each in made_by(lease):
            if each.to_balance_amount is not None:
                assert now == figure(each.from_balance_amount)
                now = figure(each.to_balance_amount)
                assert now == figure(each.from_balance_amount) + figure(each.balance_amount_change)


def _is_adjusted(lease: Adjusted, day: date) -> bool:
    """Return whether the rent in force comes from an adjustment, which rounds it."""
    item = lease[0].recurring_bill_items[0]
    agreed = [each.start for each in item.amount_records]
    agreed += [each.start for each in item.quantity_records]
    earlier = [
        each.adjusted_on
        for each in made_by(lease)
        if each.to_period_amount and each.adjusted_on <= day
    ]
    return bool(earlier) and not any(max(earlier) < start <= day for start in agreed)


class TestOneWay:
    """A rule that says nothing of its own takes one step, and all steps lead to the same."""

    @given(known_leases)
    def test_a_plain_rule_goes_the_way_of_its_clause(self, lease: Adjusted) -> None:
        terms, series, policy = lease
        named = rb.IndexClause(amount_rounding=policy.rounding)
        spelled = terms.evolve(
            rent_adjustment_plans=tuple(
                plan.evolve(
                    rent_adjustment_rules=tuple(
                        rule.evolve(index_clause=named) if rule.index_clause is None else rule
                        for rule in plan.rent_adjustment_rules
                    )
                )
                for plan in terms.rent_adjustment_plans
            )
        )

        assert made_by(lease) == made_by(Adjusted(spelled, series, policy))
