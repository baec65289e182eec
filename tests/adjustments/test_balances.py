"""Balances: deposits and prepaid rents that follow the rent, or an index of their own (A39)."""

from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidAdjustmentRuleError
from rentbilling.indices import AnyIndices
from tests.support.plans import (
    FEW,
    GOES_ON,
    IN_2021,
    IN_2022,
    ITEM,
    TENTHS,
    TO_2021,
    TO_2022,
    Row,
    by_index,
    by_steps,
    codes,
    deposit,
    home,
    lease,
    octobers,
    plan,
    ruled,
    step,
    worth,
    written,
)
from tests.support.rents import amount, day, fee, price_from
from tests.support.rows import rows

BALANCE = "balance-1"


def both(*rules: rb.RentAdjustmentRule, **changes: Any) -> rb.RentAdjustmentPlan:  # noqa: ANN401
    return plan(*rules, adjusts_recurring_bill_item=True, adjusts_balance=True, **changes)


def of_balance(*rules: rb.RentAdjustmentRule, **changes: Any) -> rb.RentAdjustmentPlan:  # noqa: ANN401
    return plan(*rules, adjusts_recurring_bill_item=False, adjusts_balance=True, **changes)


def with_deposit(
    *plans: rb.RentAdjustmentPlan | rb.RentAdjustmentRule,
    balance: rb.Balance | None = None,
    **changes: Any,  # noqa: ANN401
) -> rb.LeaseTerms:
    """Return a lease with a deposit of 30,000 for three months, or another balance."""
    there = deposit(months="3") if balance is None else balance
    return lease(*plans, **{"balances": (there,), **changes})


def moved(
    terms: rb.LeaseTerms,
    indices: AnyIndices = TENTHS,
    days: str = TO_2022,
    policy: rb.BillingPolicy | None = None,
) -> list[tuple[str, str]]:
    """Return the day and the new balance of every adjustment that moves one."""
    found = rb.rent_adjustments(terms, days, indices=indices, policy=policy)
    return [
        (each.adjusted_on.isoformat(), f"{each.to_balance_amount.amount:f}")
        for each in found
        if each.to_balance_amount is not None
    ]


# fmt: off
BALANCES: list[Row] = [
    # Where the months are known, a balance is so many months of the new rent.
    # Only what is asked is told. 2022 goes on from 2021, which is not told again.
    ("2022-01-01 36300.00", with_deposit(both(by_index())), TENTHS, IN_2022),
    # It follows the rent before discount. Ten percent off change nothing (A25).
    ("33000.00 36300.00",
     with_deposit(both(by_index()), item=home(discount=rb.Discount(percentage=Decimal("0.1"))))),
    # Limits and amounts of the rent count. Ten percent held at four, then 500 a month: 3 × 10,400,
    # 3 × 10,900.
    ("31200.00 32700.00",
     with_deposit(both(by_index(most="0.04", last_year="2021"), by_steps(step(2022, "6000"))))),
    # A plan of its own only gives the dates.
    ("2020-07-01 30000.00, 2021-07-01 33000.00, 2022-07-01 36300.00",
     with_deposit(by_index(), of_balance(by_index(adjustment_month=7)))),
    # The items of the rent are added. 10,000 a month and 3,000 a quarter are 11,000; parking is no
    # rent. 2 × that.
    ("2021-01-01 22000.00",
     with_deposit(of_balance(by_index()), balance=deposit("20000.00", "2"),
      recurring_bill_items=(home(), home("3000.00", billing_cycle=rb.BillingCycle(period_length=3)),
      home("800.00", product_key="key:parking"))), TENTHS, TO_2021),
    # An agreed price counts from its day. 12,000 from July 2021: 36,000 in January 2022.
    ("2021-01-01 30000.00, 2022-01-01 36000.00",
     with_deposit(of_balance(by_index()), item=home(amount_records=(price_from("2021-07-01",
      "12000.00"),)))),

    # Where no months are known, a balance is multiplied as the rent is.
    # A limit that it does not reach leaves it: ten percent of at most twenty.
    ("2021-01-01 33000.00",
     with_deposit(both(by_index(), by_index(most="0.2", combine="limit")), balance=deposit()),
     TENTHS, TO_2021),
    # The exact factor counts. 10,000 becomes 10,648.85, but 30,000 × 111.6/104.8 = 31,946.564…, not
    # × 1.064885.
    ("2021-01-01 31946.56", with_deposit(both(by_index()), balance=deposit()),
     octobers("104.8", "111.6"), TO_2021),
    # An amount is a factor too. 500 more on 10,000 a month are five percent: 31,500.
    ("2021-01-01 31500.00", with_deposit(both(by_steps(step(2021, "6000"))), balance=deposit())),
    # A rent of nothing moves nothing. There is no factor from 0.
    ("2021-01-01 30000.00",
     with_deposit(both(by_steps(step(2021, "1200"))), balance=deposit(), item=home("0.00"))),

    # A balance may follow an index by itself.
    # Its clause rounds it. 30,003 × 1.1 = 33,003.30, so 33,000; × 1.1 = 36,300.
    ("33000.00 36300.00",
     with_deposit(of_balance(ruled(amount_quantum="10")), balance=deposit("30003.00"))),
    # Its limits hold. At most four percent: 31,200, 32,448.
    ("31200.00 32448.00", with_deposit(of_balance(by_index(most="0.04")), balance=deposit())),
    # A limit for a year counts from the start of the rent. Two percent of January 2020: 30,600.
    ("2021-01-01 30600.00",
     with_deposit(of_balance(by_index(most="0.02", limit_per="year_simple")), balance=deposit()),
     TENTHS, TO_2021),
    # Percentages move it. Two percent in 2021.
    ("2021-01-01 30600.00",
     with_deposit(of_balance(by_steps(step(2021, "2 %"))), balance=deposit())),
    # Two plans move it one after the other.
    ("2020-12-01 33000.00, 2021-01-01 36300.00, 2021-12-01 39930.00",
     with_deposit(both(by_index(last_year="2021")), of_balance(by_index(adjustment_month=12,
      last_year="2021")), balance=deposit())),
]
# fmt: on


@rows("row", BALANCES)
def test_a_balance_is_adjusted_to(row: Row) -> None:
    expected, *asked = row
    assert expected == written(moved(*asked), expected)


class TestMonthsOfRent:
    """Where the months are known, a balance is so many months of the new rent."""

    def test_the_plan_of_the_rent_moves_it(self) -> None:
        """3 × 11,000 = 33,000, and 3 × 12,100 = 36,300, in the same adjustment."""
        terms = with_deposit(both(by_index()))
        found = rb.rent_adjustments(terms, TO_2022, indices=TENTHS)

        assert [("2021-01-01", "33000.00"), ("2022-01-01", "36300.00")] == moved(terms)
        assert [amount("11000.00"), amount("12100.00")] == [each.to_period_amount for each in found]
        assert (amount("30000.00"), amount("3000.00")) == (
            found[0].from_balance_amount,
            found[0].balance_amount_change,
        )

    def test_a_tie_is_rounded_once(self) -> None:
        """3/12 of 3,389.86 a year is exactly 847.465: 847.47, as a Danish notice has it."""
        item = home("3389.86", billing_cycle=rb.BillingCycle(time_unit="Year"))
        terms = with_deposit(both(by_index()), item=item)

        assert [("2021-01-01", "847.47")] == moved(terms, octobers(100, 100), TO_2021)
        assert [("2021-01-01", "847.46")] == moved(
            terms, octobers(100, 100), TO_2021, rb.BillingPolicy(rounding="half_down")
        )

    @rows(
        ("cycle", "expected"),
        [
            (rb.BillingCycle(period_length=3), "11000.00"),
            (rb.BillingCycle(time_unit="Week"), "143000.00"),
            (rb.BillingCycle(time_unit="Year", period_length=2), "1375.00"),
        ],
    )
    def test_other_cycles_are_converted_exactly(
        self, cycle: rb.BillingCycle, expected: str
    ) -> None:
        """11,000 for a quarter, × 52/12 × 3 for a week, / 24 × 3 for two years."""
        terms = with_deposit(both(by_index()), item=home(billing_cycle=cycle))

        assert [("2021-01-01", expected)] == moved(terms, days=TO_2021)

    def test_each_rule_moves_it_by_its_part(self) -> None:
        """10,000 → 11,000 → 11,220: 30,000 → 33,000 → 33,660."""
        terms = with_deposit(both(by_index(), by_steps(step(2021, "2 %"))))
        (found,) = rb.rent_adjustments(terms, IN_2021, indices=TENTHS)

        assert [
            (amount("30000.00"), amount("33000.00"), amount("3000.00")),
            (amount("33000.00"), amount("33660.00"), amount("660.00")),
        ] == [
            (each.from_balance_amount, each.to_balance_amount, each.balance_amount_change)
            for each in found.adjustment_rules_effects
        ]

    def test_a_rule_that_only_limits_moves_it_back(self) -> None:
        """33,000 by the index, 31,200 by the cap."""
        cap = by_index(most="0.04", combine="limit")
        (found,) = rb.rent_adjustments(with_deposit(both(by_index(), cap)), IN_2021, indices=TENTHS)

        assert [amount("33000.00"), amount("31200.00")] == [
            each.to_balance_amount for each in found.adjustment_rules_effects
        ]

    def test_the_rent_adjusts_before_the_balance(self) -> None:
        own, rents = of_balance(by_index()), plan(by_index())

        for plans in ((own, rents), (rents, own)):
            assert [("2021-01-01", "33000.00"), ("2022-01-01", "36300.00")] == moved(
                with_deposit(*plans)
            )

    def test_a_plan_of_dates_needs_no_index(self) -> None:
        terms = with_deposit(of_balance(by_index(id="dates")))
        found = rb.rent_adjustments(terms, IN_2021)
        (effect,) = found[0].adjustment_rules_effects

        assert (amount("0.00"), None) == (found[0].balance_amount_change, found[0].to_period_amount)
        assert ("dates", None, amount("30000.00")) == (
            effect.rent_adjustment_rule_id,
            effect.calculated_percentage,
            effect.to_balance_amount,
        )

    def test_a_lease_without_rent_is_told(self) -> None:
        terms = with_deposit(
            of_balance(by_index()),
            item=home(product_key="key:parking"),
            contract_start=day("2020-01-01"),
        )
        with pytest.raises(rb.MissingFactError) as caught:
            moved(terms)

        assert rb.MissingFactError("no_rent", product_key="key:rent") == caught.value


class TestFactors:
    """Where no months are known, a balance is multiplied as the rent is."""

    def test_each_rule_multiplies_it(self) -> None:
        """30,000 → 33,000 → 33,660."""
        terms = with_deposit(both(by_index(), by_steps(step(2021, "2 %"))), balance=deposit())
        (found,) = rb.rent_adjustments(terms, IN_2021, indices=TENTHS)

        assert [amount("33000.00"), amount("33660.00")] == [
            each.to_balance_amount for each in found.adjustment_rules_effects
        ]


class TestItsOwnIndex:
    """A balance may follow an index by itself."""

    def test_the_balance_is_what_is_adjusted(self) -> None:
        """30,000 × 1.1, × 1.1; the rent stays."""
        terms = with_deposit(of_balance(by_index()), balance=deposit())
        found = rb.rent_adjustments(terms, TO_2022, indices=TENTHS)
        effect = found[0].adjustment_rules_effects[0]

        assert [("2021-01-01", "33000.00"), ("2022-01-01", "36300.00")] == moved(terms)
        assert "10000.00" == worth(terms, "2022-12-31", TENTHS)
        assert (None, BALANCE) == (found[0].to_period_amount, found[0].adjustee_id)
        assert (amount("33000.00"), None, Decimal("0.1")) == (
            effect.to_balance_amount,
            effect.to_period_amount,
            effect.calculated_percentage,
        )

    def test_its_notices_are_told_once(self) -> None:
        terms = with_deposit(of_balance(by_index()), balance=deposit())
        values = octobers(100)
        found = rb.rent_adjustments(terms, IN_2021, indices=values, policy=GOES_ON)

        assert [("missing_index", BALANCE)] == [(each.code, each.item_id) for each in found.notices]
        assert () == found.adjustments


class TestStart:
    """A balance starts with the item that it follows, else with the contract."""

    def test_the_opening_of_the_rent_counts(self) -> None:
        """It ends on 31 January 2020, so February can adjust."""
        terms = with_deposit(of_balance(by_index(adjustment_month=2)))

        assert "2020-02-01" == moved(terms)[0][0]
        assert day("2020-02-01") == rb.next_adjustment_date(terms, "2020-01-01")

    def test_else_the_contract_counts(self) -> None:
        """Begun on 1 January 2020: the first January is that of 2021."""
        terms = with_deposit(
            of_balance(by_index()),
            balance=deposit(),
            recurring_bill_items=(),
            contract_start=day("2020-01-01"),
        )

        assert ["2021-01-01", "2022-01-01"] == [when for when, _ in moved(terms)]

    def test_nothing_to_start_with_is_told(self) -> None:
        terms = with_deposit(
            of_balance(by_index()),
            balance=deposit(),
            recurring_bill_items=(),
            one_time_bill_items=(fee(),),
        )
        with pytest.raises(InvalidAdjustmentRuleError) as caught:
            moved(terms)

        (problem,) = caught.value.problems
        assert ("balances[0]", "no_start") == (problem.path, problem.code)

    def test_it_ends_with_the_contract(self) -> None:
        terms = with_deposit(of_balance(by_index()), contract_end=day("2021-06-30"))

        assert ["2021-01-01"] == [when for when, _ in moved(terms)]

    def test_without_a_plan_it_never_moves(self) -> None:
        terms = with_deposit(by_index())

        assert [] == moved(terms)
        assert "30000.00" == worth(terms, "2022-12-31", TENTHS, BALANCE)

    def test_the_balance_of_a_day_is_told(self) -> None:
        terms = with_deposit(both(by_index()))

        assert ["30000.00", "33000.00", "36300.00"] == [
            worth(terms, each, TENTHS, BALANCE)
            for each in ("2020-12-31", "2021-01-01", "2022-01-01")
        ]


class TestListed:
    """What a service listed is taken as made."""

    def listed(
        self, when: str, balance: str | None = None, to: str | None = None
    ) -> rb.RentAdjustment:
        return rb.RentAdjustment(
            adjusted_on=day(when),
            to_balance_amount=None if balance is None else amount(balance),
            to_period_amount=None if to is None else amount(to),
        )

    def test_with_the_rent(self) -> None:
        """11,000 and 33,100 are listed for 2021; 2022 makes 3 × 12,100 of it."""
        given = self.listed("2021-01-01", "33100.00", "11000.00")
        terms = with_deposit(both(by_index(), adjustments=(given,)))

        assert [("2021-01-01", "33100.00"), ("2022-01-01", "36300.00")] == moved(terms)

    def test_without_the_balance_it_follows_the_rent(self) -> None:
        """11,000 are listed, and nothing of the deposit: 33,000 in force."""
        given = self.listed("2021-01-01", to="11000.00")
        terms = with_deposit(both(by_index(), adjustments=(given,)))

        assert [("2022-01-01", "36300.00")] == moved(terms)
        assert "33000.00" == worth(terms, "2021-01-01", TENTHS, BALANCE)

    def test_by_factor_it_goes_on_from_what_is_listed(self) -> None:
        """33,100 × 12,100/11,000 = 36,410."""
        given = self.listed("2021-01-01", "33100.00", "11000.00")
        terms = with_deposit(both(by_index(), adjustments=(given,)), balance=deposit())

        assert ["33100.00", "36410.00"] == [to for _, to in moved(terms)]

    def test_of_its_own_index(self) -> None:
        """31,000 are listed for 2021; × 1.1 = 34,100."""
        given = self.listed("2021-01-01", "31000.00")
        terms = with_deposit(of_balance(by_index(), adjustments=(given,)), balance=deposit())

        assert [("2021-01-01", "31000.00"), ("2022-01-01", "34100.00")] == moved(terms)

    def test_of_its_own_index_without_an_amount(self) -> None:
        """It was made, and nothing is told of it: 30,000 stay, × 1.1 in 2022."""
        given = self.listed("2021-01-01")
        terms = with_deposit(of_balance(by_index(), adjustments=(given,)), balance=deposit())

        assert [("2021-01-01", "30000.00"), ("2022-01-01", "33000.00")] == moved(terms)

    @rows("when", ["2021-01-01", "2021-03-15"])
    def test_of_its_dates(self, when: str) -> None:
        """31,000 on the day of the rule or on another of its year; 3 × 10,000 a year later."""
        given = self.listed(when, "31000.00")
        terms = with_deposit(of_balance(by_index(), adjustments=(given,)))

        assert [(when, "31000.00"), ("2022-01-01", "30000.00")] == moved(terms)
        assert (given,) == rb.rent_adjustments(terms, IN_2021).adjustments

    def test_of_its_dates_without_an_amount(self) -> None:
        given = self.listed("2021-01-01")
        terms = with_deposit(of_balance(by_index(), adjustments=(given,)))

        assert ["30000.00", "30000.00"] == [to for _, to in moved(terms)]

    def test_all_of_it_may_be_listed(self) -> None:
        for terms in (
            with_deposit(both(by_index())),
            with_deposit(both(by_index()), balance=deposit()),
            with_deposit(of_balance(by_index()), balance=deposit()),
            with_deposit(by_index(), of_balance(by_index(adjustment_month=7))),
        ):
            made = rb.rent_adjustments(terms, TO_2022, indices=TENTHS)
            listed = rb.adjusted_terms(terms, made[:2])

            assert made == rb.rent_adjustments(listed, TO_2022, indices=TENTHS)


class TestTrouble:
    """What goes wrong is told as for a rent."""

    def test_a_missing_value_names_the_plan_of_the_balance(self) -> None:
        terms = with_deposit(of_balance(by_index(), id="own"), balance=deposit())
        with pytest.raises(rb.MissingIndexError) as caught:
            moved(terms, octobers(100))

        assert ("own", "2020-10") == (caught.value.facts["plan"], caught.value.facts["at"])

    def test_a_rent_that_is_missed_moves_no_balance(self) -> None:
        terms = with_deposit(both(by_index()))
        found = rb.rent_adjustments(terms, IN_2021, indices=octobers(100), policy=GOES_ON)

        assert [("missing_index", ITEM)] == [(each.code, each.item_id) for each in found.notices]
        assert [] == moved(terms, octobers(100), IN_2021, GOES_ON)

    def test_notices_of_the_rent_are_not_told_twice(self) -> None:
        terms = with_deposit(both(ruled(threshold="0.5")))

        assert 4 == len(codes(terms, TENTHS, FEW))
