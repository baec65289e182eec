"""Adjustees: which item or balance a plan is about, and what a lease demands of its plans."""

import json
from typing import Any

import pytest

from rentbilling import InvalidInputError, LeaseTerms, RentAdjustmentPlan, dumps, loads
from rentbilling.errors import CurrencyMismatchError, InvalidAdjustmentRuleError, InvalidRecordError
from rentbilling.terms import balance_at, balance_ids, item_at
from tests.support.bad_input import RENT, refusal
from tests.support.bad_plans import DKK, EUR, INDEX, LEASE, STEP, STEPS
from tests.support.plans import by_index, by_steps, clause, deposit, home, lease, plan, step
from tests.support.refusals import faults
from tests.support.rents import amount, day, opening, rent

ON_BALANCE = {"adjusts_balance": True}
PREPAID = deposit("8500.00", balance_charge_type="prepaidRent", id="prepaid")


def refused(given: dict[str, Any]) -> InvalidInputError:
    with pytest.raises(InvalidInputError) as caught:
        loads(json.dumps({**LEASE, **given}))
    return caught.value


def unknown(terms: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """Return what a lease made in Python is refused with: plans whose adjustee nobody can tell."""
    with pytest.raises(InvalidAdjustmentRuleError) as caught:
        LeaseTerms(**terms)
    assert {"unknown_adjustee"} == {each.code for each in caught.value.problems}
    return [(each.path, each.message, each.met, each.expected) for each in caught.value.problems]


@pytest.mark.parametrize(
    ("ref", "ids", "place"),
    [
        (None, ("rent",), 0),
        ("rent", ("rent",), 0),
        ("heat", ("rent", "heat"), 1),
        ("recurring-2", ("rent", "recurring-2"), 1),
        ("heat", ("rent",), None),
        (None, ("rent", "heat"), None),
        (None, (), None),
    ],
)
def test_a_plan_is_about_the_item_that_it_names_or_the_only_one(
    ref: str | None, ids: tuple[str, ...], place: int | None
) -> None:
    """Nobody guesses which of several it might be (A49, A57)."""
    assert place == item_at(plan(adjustee_ref=ref), ids)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({}, None),
        ({"adjustee_ref": "prepaid"}, 1),
        ({"adjustee_ref": "balance-1"}, 0),
        ({"balance_charge_type": "deposit"}, 0),
        ({"balance_charge_type": "prepaidRent"}, 1),
        ({"balance_charge_type": "fee"}, None),
        ({"adjustee_ref": "fee"}, None),
        # What it names counts before the type.
        ({"adjustee_ref": "prepaid", "balance_charge_type": "deposit"}, 1),
        ({"adjustee_ref": "fee", "balance_charge_type": "deposit"}, 0),
    ],
)
def test_a_plan_is_about_the_balance_that_it_names_or_the_one_of_its_type(
    fields: dict[str, Any], place: int | None
) -> None:
    """Of a deposit and a prepaid rent (A39)."""
    balances = (deposit(), PREPAID)

    assert ("balance-1", "prepaid") == balance_ids(balances)
    assert place == balance_at(plan(**ON_BALANCE, **fields), balances)


def test_two_balances_of_a_type_are_not_told_apart_by_it() -> None:
    """Only by their ids (A39)."""
    balances = (deposit(), deposit())

    assert balance_at(plan(**ON_BALANCE, balance_charge_type="deposit"), balances) is None
    assert 1 == balance_at(plan(**ON_BALANCE, adjustee_ref="balance-2"), balances)


def test_the_only_balance_needs_no_name() -> None:
    """Unless the plan names something else, which may be its item if it adjusts one (A39)."""
    alone = (deposit(),)

    assert 0 == balance_at(plan(**ON_BALANCE), alone)
    assert balance_at(plan(**ON_BALANCE, adjustee_ref="rent"), alone) is None
    both = plan(**ON_BALANCE, adjusts_recurring_bill_item=True, adjustee_ref="rent")
    assert 0 == balance_at(both, alone)
    assert balance_at(both, ()) is None


def test_a_plan_on_an_item_that_does_not_exist_is_refused() -> None:
    """With the ids of those that do (A49, A57)."""
    plans = [{"adjusteeRef": "garage"}, {"adjusteeRef": "recurring-1"}, {"adjusteeRef": "rent"}]
    items = [{**RENT, "id": "rent"}, RENT]

    assert [
        (
            "rentAdjustmentPlans[0].adjusteeRef",
            "unknown_adjustee",
            "'garage'",
            "one of rent, recurring-2",
        ),
        (
            "rentAdjustmentPlans[1].adjusteeRef",
            "unknown_adjustee",
            "'recurring-1'",
            "one of rent, recurring-2",
        ),
    ] == refusal(refused({"recurringBillItems": items, "rentAdjustmentPlans": plans}))


def test_a_one_time_item_is_never_adjusted() -> None:
    """Its id is none that a plan can name (A55)."""
    once = {
        "id": "fee",
        "productKey": "key:fee",
        "amount": DKK,
        "vat": {"taxMode": "Exempt"},
        "dueDate": "2026-02-01",
        "accountingPeriod": "2026-02-01/2026-02-28",
    }
    error = refused({"oneTimeBillItems": [once], "rentAdjustmentPlans": [{"adjusteeRef": "fee"}]})

    assert [
        (
            "rentAdjustmentPlans[0].adjusteeRef",
            "unknown_adjustee",
            "'fee'",
            "one of recurring-1",
        )
    ] == refusal(error)


def test_the_sentence_says_why_an_adjustee_cannot_be_told() -> None:
    """Nothing is named, nothing has the name, or several have the type (A39, A49)."""
    several = {
        "recurring_bill_items": (home(), home()),
        "balances": (deposit(), deposit(), PREPAID),
    }
    plans = (
        plan(by_index()),
        plan(by_index(), **ON_BALANCE),
        plan(by_index(), **ON_BALANCE, adjustee_ref="fee"),
        plan(by_index(), **ON_BALANCE, balance_charge_type="fee"),
        plan(by_index(), **ON_BALANCE, balance_charge_type="deposit"),
    )
    items, balances = "one of recurring-1, recurring-2", "one of balance-1, balance-2, prepaid"
    kinds = "one of deposit, deposit, prepaidRent"

    assert [
        (
            "rent_adjustment_plans[0].adjustee_ref",
            "does not say which item it adjusts",
            "nothing",
            items,
        ),
        (
            "rent_adjustment_plans[1].adjustee_ref",
            "does not say which balance it adjusts",
            "nothing",
            balances,
        ),
        (
            "rent_adjustment_plans[2].adjustee_ref",
            "names no balance of the lease",
            "'fee'",
            balances,
        ),
        (
            "rent_adjustment_plans[3].balance_charge_type",
            "names no balance of the lease",
            "'fee'",
            kinds,
        ),
        (
            "rent_adjustment_plans[4].balance_charge_type",
            "names several balances of the lease",
            "'deposit'",
            kinds,
        ),
    ] == unknown({**several, "rent_adjustment_plans": plans})


def test_a_lease_without_items_and_balances_has_nothing_to_adjust() -> None:
    both = plan(by_index(), **ON_BALANCE, adjusts_recurring_bill_item=True)
    assert [
        (
            "rent_adjustment_plans[0].adjustee_ref",
            "does not say which item it adjusts",
            "nothing",
            "a lease with items",
        ),
        (
            "rent_adjustment_plans[0].adjustee_ref",
            "does not say which balance it adjusts",
            "nothing",
            "a lease with balances",
        ),
    ] == unknown({"rent_adjustment_plans": (both,)})


@pytest.mark.parametrize(("many", "rest"), [(10, ""), (11, ", …"), (500, ", …")])
def test_of_many_ids_the_refusal_lists_ten(many: int, rest: str) -> None:
    told = unknown(
        {"recurring_bill_items": (home(),) * many, "rent_adjustment_plans": (plan(by_index()),)}
    )
    few = ", ".join(f"recurring-{at}" for at in range(1, 11))

    assert [f"one of {few}{rest}"] == [expected for *_, expected in told]


def test_of_items_that_cannot_be_read_no_plan_is_said_to_name_none() -> None:
    error = refused(
        {
            "recurringBillItems": [{**RENT, "quantity": 0}],
            "rentAdjustmentPlans": [
                {"adjusteeRef": "rent"},
                {"adjustsBalance": True, "balanceChargeType": "fee"},
            ],
            "balances": [{"balanceChargeType": "deposit", "amount": DKK}],
        }
    )

    assert [
        ("recurringBillItems[0].quantity", "zero_quantity"),
        ("rentAdjustmentPlans[1].balanceChargeType", "unknown_adjustee"),
    ] == [each[:2] for each in refusal(error)]


def test_of_balances_that_cannot_be_read_no_plan_is_said_to_name_none() -> None:
    error = refused(
        {
            "rentAdjustmentPlans": [{"adjustsBalance": True}, {"adjusteeRef": "rent"}],
            "balances": [{"balanceChargeType": "deposit", "amount": DKK, "months": 0}],
        }
    )

    assert [
        ("balances[0].months", "out_of_range"),
        ("rentAdjustmentPlans[1].adjusteeRef", "unknown_adjustee"),
    ] == [each[:2] for each in refusal(error)]


def test_amounts_do_not_move_a_balance() -> None:
    """Percentages do, and an index; an amount where it is the rent that it moves (A36, A39)."""
    amounts = by_steps(step(2027, "100.00"))
    terms = lease(
        plan(amounts, **ON_BALANCE, adjusts_recurring_bill_item=True), balances=[deposit()]
    )

    with pytest.raises(InvalidAdjustmentRuleError) as caught:
        lease(plan(by_index(), amounts, **ON_BALANCE), balances=[deposit()])
    assert [
        (
            "rent_adjustment_plans[0].rent_adjustment_rules[1].increments",
            "amounts_on_balance",
            "amounts",
            "percentages, or an index",
        )
    ] == refusal(caught.value)
    with pytest.raises(InvalidAdjustmentRuleError):
        lease(plan(by_steps(step(2027, "9.00", level=True)), **ON_BALANCE), balances=[deposit()])
    assert terms == loads(dumps(terms))
    lease(
        plan(by_steps(step(2027, "3 %")), by_index(most="0.04"), **ON_BALANCE), balances=[deposit()]
    )


def test_a_balance_of_so_many_months_follows_the_rent_alone() -> None:
    """A rule of its own gives the dates; limits and increments are refused (A39)."""
    three = deposit(months="3")
    rules = (
        by_index(),
        by_index(least="0"),
        by_index(most="0.04"),
        by_steps(step(2027, "3 %")),
    )

    with pytest.raises(InvalidAdjustmentRuleError) as caught:
        lease(plan(*rules, **ON_BALANCE), balances=[three])
    assert [
        (
            f"rent_adjustment_plans[0].rent_adjustment_rules[{at}]",
            "says_nothing",
            "3 months",
            "a rule that only gives the dates",
        )
        for at in (1, 2, 3)
    ] == refusal(caught.value)
    both = plan(*rules, **ON_BALANCE, adjusts_recurring_bill_item=True)
    lease(both, balances=[three])


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        (
            {**INDEX, "indexClause": {"basis": "anchored", "baseAmount": EUR}},
            "indexClause.baseAmount",
        ),
        ({**INDEX, "indexClause": {"indexedAmount": EUR}}, "indexClause.indexedAmount"),
        ({**INDEX, "indexClause": {"floorAmount": EUR}}, "indexClause.floorAmount"),
        (
            {**INDEX, **STEPS, "increments": [STEP, {"year": "2028", "amount": EUR}]},
            "increments[1].amount",
        ),
        ({**INDEX, **STEPS, "increments": [{"year": "2028", "level": EUR}]}, "increments[0].level"),
    ],
)
def test_amounts_of_a_rule_are_in_the_currency_of_what_it_adjusts(
    rule: dict[str, Any], path: str
) -> None:
    """Each is named by its place (A2)."""
    error = refused({"rentAdjustmentPlans": [{}, {"rentAdjustmentRules": [INDEX, rule]}]})

    assert CurrencyMismatchError is type(error)
    assert [
        (
            f"rentAdjustmentPlans[1].rentAdjustmentRules[1].{path}.currency",
            "currency_mismatch",
            "'EUR'",
            "DKK",
        )
    ] == refusal(error)


def test_amounts_of_a_rule_on_a_balance_are_in_the_currency_of_the_balance() -> None:
    """In a lease of two currencies (A2, A39)."""
    floor = by_index(index_clause=clause(floor_amount="100.00 DKK"))

    with pytest.raises(CurrencyMismatchError) as caught:
        lease(plan(floor, **ON_BALANCE), balances=[deposit("30000.00 EUR")])
    assert ["'DKK'"] == [each.met for each in caught.value.problems]
    lease(plan(floor, **ON_BALANCE), balances=[deposit()], item=euros())


def euros() -> Any:  # noqa: ANN401
    first = opening("2020-01-01/2020-01-31", price="1000 EUR")
    return rent("1000.00 EUR", first_billing_period_bill_item=first)


def test_amounts_of_listed_adjustments_are_in_the_currency_of_what_was_adjusted() -> None:
    """They are taken as made, so 9,000 EUR would else become a rent of 9,000 DKK (A2, A38)."""
    listed = {
        "adjustedOn": "2027-01-01",
        "toPeriodAmount": EUR,
        "fromPeriodAmount": DKK,
        "toBalanceAmount": EUR,
        "adjustmentRulesEffects": [{}, {"toYearlyAmount": EUR, "unlimitedAmount": EUR}],
    }
    place = "rentAdjustmentPlans[0].adjustments[0]"
    effect = f"{place}.adjustmentRulesEffects[1]"

    # In the order of the fields: the amounts of periods before those of balances, then effects.
    assert [
        (f"{place}.toPeriodAmount.currency", "currency_mismatch", "'EUR'", "DKK"),
        (f"{place}.toBalanceAmount.currency", "currency_mismatch", "'EUR'", "DKK"),
        (f"{effect}.toYearlyAmount.currency", "currency_mismatch", "'EUR'", "DKK"),
        (f"{effect}.unlimitedAmount.currency", "currency_mismatch", "'EUR'", "DKK"),
    ] == refusal(refused({"rentAdjustmentPlans": [{"adjustments": [listed]}]}))


def test_a_plan_of_an_item_and_a_balance_lists_amounts_of_both_currencies() -> None:
    """Each in its own: the rent in euros, the deposit in kroner (A2, A39)."""
    terms = lease(
        RentAdjustmentPlan.model_validate(
            {
                "adjustsRecurringBillItem": True,
                "adjustsBalance": True,
                "rentAdjustmentRules": [INDEX],
                "adjustments": [
                    {
                        "adjustedOn": "2021-01-01",
                        "toPeriodAmount": EUR,
                        "toBalanceAmount": DKK,
                        "adjustmentRulesEffects": [{"toBalanceAmount": DKK, "toYearlyAmount": EUR}],
                    }
                ],
            }
        ),
        item=euros(),
        balances=[deposit()],
    )

    assert terms == loads(dumps(terms))


def test_a_balance_of_so_many_months_is_in_the_currency_of_its_rent() -> None:
    """Three months of a rent in euros are no kroner, whoever gives the dates (A2, A39)."""
    three = deposit(months="3")
    rules = (by_index(),)
    for more in ({}, {"adjusts_recurring_bill_item": True}):
        with pytest.raises(CurrencyMismatchError) as caught:
            lease(plan(*rules, **ON_BALANCE, **more), item=euros(), balances=[three])
        assert [("balances[0].amount.currency", "currency_mismatch", "'DKK'", "EUR")] == refusal(
            caught.value
        )
    lease(plan(*rules, **ON_BALANCE), item=euros(), balances=[deposit("3000 EUR", months="3")])
    # What follows no rent may have a currency of its own.
    lease(plan(*rules, **ON_BALANCE), item=euros(), balances=[deposit()])


def test_plans_and_balances_have_ids_of_their_own() -> None:
    """Given, or by their place; a plan and a balance may share one (A57)."""
    with pytest.raises(InvalidRecordError) as caught:
        lease(
            plan(by_index(), id="plan-2"),
            plan(by_index(), adjustee_ref="recurring-1"),
            plan(by_index(), id="a"),
            plan(by_index(), id="a"),
            balances=[deposit(id="a"), deposit(id="balance-1"), deposit(id="a")],
        )

    assert [
        ("rent_adjustment_plans[1].id", "duplicate_id", "'plan-2'", "an own id"),
        ("rent_adjustment_plans[3].id", "duplicate_id", "'a'", "an own id"),
        ("balances[2].id", "duplicate_id", "'a'", "an own id"),
    ] == refusal(caught.value)


def test_balances_are_in_the_currency_of_the_lease() -> None:
    """Where it has one (A2)."""
    with pytest.raises(CurrencyMismatchError) as caught:
        LeaseTerms(currency="DKK", balances=(deposit(), deposit("10 EUR", id="b")))

    assert [("balances[1].amount.currency", "currency_mismatch", "'EUR'", "DKK")] == refusal(
        caught.value
    )
    assert 2 == len(LeaseTerms(balances=(deposit(), deposit("10 EUR"))).balances)


def test_a_lease_keeps_its_plans_and_balances() -> None:
    """Read and written again, with what was made so far (A57)."""
    terms = lease(
        plan(by_index(least="0", most="0.04"), id="p", ended_on=day("2030-12-31")),
        plan(by_index(), **ON_BALANCE, balance_charge_type="prepaidRent"),
        balances=[deposit(months="3"), PREPAID],
        lease_id="lease-1",
        currency="DKK",
    )

    assert terms == loads(dumps(terms))
    assert ["recurringBillItems", "rentAdjustmentPlans", "balances"] == [
        name for name in json.loads(dumps(terms)) if name[-1] == "s"
    ]
    assert amount("30000") == terms.balances[0].amount


@pytest.mark.parametrize(
    "fields", [{"share": "0.5"}, {"threshold": "0.05"}, {"amount_quantum": "1"}], ids=str
)
def test_conventions_do_nothing_to_a_balance_of_so_many_months(fields: dict[str, str]) -> None:
    """It is months times the rent, whatever a clause says about an amount (A39, A40)."""
    rule = by_index(index_clause=clause(**fields))

    assert [("says_nothing", "3 months")] == faults(
        lambda: lease(plan(rule, **ON_BALANCE), balances=(deposit(months="3"),)),
        InvalidAdjustmentRuleError,
        "code met",
    )


def test_a_plan_of_another_lease_is_refused() -> None:
    assert [
        ("rent_adjustment_plans[0].lease_id", "other_lease", "'lease-2'", "'lease-1'")
    ] == faults(
        lambda: lease(plan(by_index(), lease_id="lease-2"), lease_id="lease-1"),
        InvalidAdjustmentRuleError,
        "path code met expected",
    )
    assert "lease-1" == lease(plan(by_index(), lease_id="lease-1"), lease_id="lease-1").lease_id
