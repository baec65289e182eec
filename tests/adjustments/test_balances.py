"""Balances: deposits and prepaid rents that follow the rent, or an index of their own (A39)."""

from decimal import Decimal
from itertools import pairwise, permutations
from typing import Any

import rentbilling as rb
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
from tests.support.refusals import refusal_text, refused
from tests.support.rents import amount, day, fee, price_from
from tests.support.rows import rows

BALANCE = "balance-1"
DANISH = home("3389.86", billing_cycle=rb.BillingCycle(time_unit="Year"))
"""3/12 of it are exactly 847.465."""


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


def listed(when: str, balance: str | None = None, to: str | None = None) -> rb.RentAdjustment:
    return rb.RentAdjustment(
        adjusted_on=day(when),
        to_balance_amount=None if balance is None else amount(balance),
        to_period_amount=None if to is None else amount(to),
    )


WITH_THE_RENT = listed("2021-01-01", "33100.00", "11000.00")

# fmt: off
BALANCES: list[Row] = [
    # Where the months are known, a balance is so many months of the new rent.
    # 3 × 11,000 = 33,000, and 3 × 12,100 = 36,300.
    ("2021-01-01 33000.00, 2022-01-01 36300.00", with_deposit(both(by_index()))),
    # A tie is rounded once, as a Danish notice has it.
    ("847.47", with_deposit(both(by_index()), item=DANISH), octobers(100, 100), TO_2021),
    ("847.46", with_deposit(both(by_index()), item=DANISH), octobers(100, 100), TO_2021,
     rb.BillingPolicy(rounding="half_down")),
    # Other cycles are converted exactly: 11,000 for a quarter, × 52/12 × 3 for a week, / 24 × 3 for
    # two years.
    *((to, with_deposit(both(by_index()), item=home(billing_cycle=cycle)), TENTHS, TO_2021)
      for to, cycle in (
        ("11000.00", rb.BillingCycle(period_length=3)),
        ("143000.00", rb.BillingCycle(time_unit="Week")),
        ("1375.00", rb.BillingCycle(time_unit="Year", period_length=2)))),
    # The rent adjusts before the balance, whichever plan comes first.
    *(("33000.00 36300.00", with_deposit(*plans))
      for plans in permutations((of_balance(by_index()), plan(by_index())))),
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
    # 30,000 × 1.1, × 1.1.
    ("2021-01-01 33000.00, 2022-01-01 36300.00",
     with_deposit(of_balance(by_index()), balance=deposit())),
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

    # A balance starts with the item that it follows, else with the contract.
    # The rent's opening ends on 31 January 2020, so February can adjust.
    ("2020-02-01 30000.00, 2021-02-01 30000.00, 2022-02-01 30000.00",
     with_deposit(of_balance(by_index(adjustment_month=2)))),
    # A contract begun on 1 January 2020: the first January is that of 2021.
    ("2021-01-01 33000.00, 2022-01-01 36300.00",
     with_deposit(of_balance(by_index()), balance=deposit(), recurring_bill_items=(),
      contract_start=day("2020-01-01"))),
    # It ends with the contract.
    ("2021-01-01 30000.00", with_deposit(of_balance(by_index()), contract_end=day("2021-06-30"))),
    # Without a plan it never moves.
    ("", with_deposit(by_index())),

    # What a service listed is taken as made.
    # 11,000 and 33,100 are listed for 2021; 2022 makes 3 × 12,100 of it.
    ("33100.00 36300.00", with_deposit(both(by_index(), adjustments=(WITH_THE_RENT,)))),
    # By factor it goes on from what is listed: 33,100 × 12,100/11,000 = 36,410.
    ("33100.00 36410.00",
     with_deposit(both(by_index(), adjustments=(WITH_THE_RENT,)), balance=deposit())),
    # 11,000 are listed, and nothing of the deposit, which follows the rent unsaid.
    ("2022-01-01 36300.00",
     with_deposit(both(by_index(), adjustments=(listed("2021-01-01", to="11000.00"),)))),
    # Of its own index 31,000 are listed for 2021; × 1.1 = 34,100.
    ("31000.00 34100.00",
     with_deposit(of_balance(by_index(), adjustments=(listed("2021-01-01", "31000.00"),)),
      balance=deposit())),
    # It was made, and nothing is told of it: 30,000 stay, × 1.1 in 2022.
    ("2021-01-01 30000.00, 2022-01-01 33000.00",
     with_deposit(of_balance(by_index(), adjustments=(listed("2021-01-01"),)), balance=deposit())),
    # Of its dates, on the day of the rule or on another of its year; 3 × 10,000 a year later.
    *((f"{when} 31000.00, 2022-01-01 30000.00",
       with_deposit(of_balance(by_index(), adjustments=(listed(when, "31000.00"),))))
      for when in ("2021-01-01", "2021-03-15")),
    ("30000.00 30000.00",
     with_deposit(of_balance(by_index(), adjustments=(listed("2021-01-01"),)))),
]
# fmt: on


@rows("row", BALANCES)
def test_a_balance_is_adjusted_to(row: Row) -> None:
    expected, *asked = row
    assert expected == written(moved(*asked), expected)


def test_an_adjustment_of_rent_and_balance_gives_the_figures_of_both() -> None:
    """10,000 → 11,000 and 30,000 → 33,000, on one day."""
    first, _ = rb.rent_adjustments(with_deposit(both(by_index())), TO_2022, indices=TENTHS)

    assert (amount("11000.00"), amount("30000.00"), amount("3000.00")) == (
        first.to_period_amount,
        first.from_balance_amount,
        first.balance_amount_change,
    )


@rows(
    ("second", "balance", "steps"),
    [
        # 10,000 → 11,000 → 11,220.
        (by_steps(step(2021, "2 %")), None, "30000.00 33000.00 33660.00"),
        (by_steps(step(2021, "2 %")), deposit(), "30000.00 33000.00 33660.00"),
        # A rule that only limits moves it back.
        (by_index(most="0.04", combine="limit"), None, "30000.00 33000.00 31200.00"),
    ],
)
def test_each_rule_moves_a_balance_by_its_part(
    second: rb.RentAdjustmentRule, balance: rb.Balance | None, steps: str
) -> None:
    terms = with_deposit(both(by_index(), second), balance=balance)
    (found,) = rb.rent_adjustments(terms, IN_2021, indices=TENTHS)

    assert [
        (amount(before), amount(then), amount(then) - amount(before))
        for before, then in pairwise(steps.split())
    ] == [
        (each.from_balance_amount, each.to_balance_amount, each.balance_amount_change)
        for each in found.adjustment_rules_effects
    ]


def test_a_plan_of_dates_needs_no_index() -> None:
    terms = with_deposit(of_balance(by_index(id="dates")))
    found = rb.rent_adjustments(terms, IN_2021)
    (effect,) = found[0].adjustment_rules_effects

    assert (amount("0.00"), None) == (found[0].balance_amount_change, found[0].to_period_amount)
    assert ("dates", None, amount("30000.00")) == (
        effect.rent_adjustment_rule_id,
        effect.calculated_percentage,
        effect.to_balance_amount,
    )


def test_of_a_plan_of_its_own_the_balance_is_what_is_adjusted() -> None:
    terms = with_deposit(of_balance(by_index()), balance=deposit())
    found = rb.rent_adjustments(terms, TO_2022, indices=TENTHS)
    effect = found[0].adjustment_rules_effects[0]

    assert "10000.00" == worth(terms, "2022-12-31", TENTHS)
    assert (None, BALANCE) == (found[0].to_period_amount, found[0].adjustee_id)
    assert (amount("33000.00"), None, Decimal("0.1")) == (
        effect.to_balance_amount,
        effect.to_period_amount,
        effect.calculated_percentage,
    )


def test_the_next_adjustment_of_a_balance_follows_the_opening_of_the_rent() -> None:
    terms = with_deposit(of_balance(by_index(adjustment_month=2)))

    assert day("2020-02-01") == rb.next_adjustment_date(terms, "2020-01-01")


@rows(
    ("terms", "when", "expected"),
    [
        (with_deposit(both(by_index())), "2020-12-31", "30000.00"),
        (with_deposit(both(by_index())), "2021-01-01", "33000.00"),
        (with_deposit(both(by_index())), "2022-01-01", "36300.00"),
        # Without a plan it never moves.
        (with_deposit(by_index()), "2022-12-31", "30000.00"),
        # Of the rent 11,000 are listed, and nothing of the deposit.
        (
            with_deposit(both(by_index(), adjustments=(listed("2021-01-01", to="11000.00"),))),
            "2021-01-01",
            "33000.00",
        ),
    ],
)
def test_a_balance_has_an_amount_on_a_day(terms: rb.LeaseTerms, when: str, expected: str) -> None:
    assert expected == worth(terms, when, TENTHS, BALANCE)


def test_a_listed_adjustment_of_dates_comes_as_it_is() -> None:
    for when in ("2021-01-01", "2021-03-15"):
        given = listed(when, "31000.00")
        terms = with_deposit(of_balance(by_index(), adjustments=(given,)))

        assert (given,) == rb.rent_adjustments(terms, IN_2021).adjustments


@rows(
    "terms",
    [
        with_deposit(both(by_index())),
        with_deposit(both(by_index()), balance=deposit()),
        with_deposit(of_balance(by_index()), balance=deposit()),
        with_deposit(by_index(), of_balance(by_index(adjustment_month=7))),
    ],
)
def test_all_adjustments_may_be_listed(terms: rb.LeaseTerms) -> None:
    found = rb.rent_adjustments(terms, TO_2022, indices=TENTHS)

    assert found == rb.rent_adjustments(
        rb.adjusted_terms(terms, found[:2]), TO_2022, indices=TENTHS
    )


def test_a_lease_without_rent_is_told() -> None:
    terms = with_deposit(
        of_balance(by_index()),
        item=home(product_key="key:parking"),
        contract_start=day("2020-01-01"),
    )
    error = refused(lambda: moved(terms), rb.MissingFactError)

    assert rb.MissingFactError("no_rent", product_key="key:rent") == error


def test_nothing_to_start_with_is_told() -> None:
    terms = with_deposit(
        of_balance(by_index()),
        balance=deposit(),
        recurring_bill_items=(),
        one_time_bill_items=(fee(),),
    )

    assert "InvalidAdjustmentRuleError: balances[0] no_start" == refusal_text(lambda: moved(terms))


def test_a_missing_value_names_the_plan_of_the_balance() -> None:
    terms = with_deposit(of_balance(by_index(), id="own"), balance=deposit())
    error = refused(lambda: moved(terms, octobers(100)), rb.MissingIndexError)

    assert ("own", "2020-10") == (error.facts["plan"], error.facts["at"])


@rows(
    ("terms", "item"),
    [
        (with_deposit(of_balance(by_index()), balance=deposit()), BALANCE),
        # A rent that is missed moves no balance.
        (with_deposit(both(by_index())), ITEM),
    ],
)
def test_a_missing_value_is_told_once(terms: rb.LeaseTerms, item: str) -> None:
    found = rb.rent_adjustments(terms, IN_2021, indices=octobers(100), policy=GOES_ON)

    assert [("missing_index", item)] == [(each.code, each.item_id) for each in found.notices]
    assert [] == moved(terms, octobers(100), IN_2021, GOES_ON)


def test_notices_of_the_rent_are_not_told_twice() -> None:
    terms = with_deposit(both(ruled(threshold="0.5")))

    assert 4 == len(codes(terms, TENTHS, FEW))
