"""Adjustees: which item or balance a plan is about, and what a lease demands of its plans."""

import json
from pathlib import Path
from typing import Any

import pytest

from rentbilling import LeaseTerms, RentAdjustmentPlan, dumps, loads
from rentbilling.terms import balance_at, balance_ids, item_at
from tests.support.bad_items import RENT
from tests.support.bad_plans import DKK, EUR, INDEX, LEASE, STEP, STEPS
from tests.support.plans import by_index, by_steps, clause, deposit, home, lease, plan, step
from tests.support.refusals import refusing
from tests.support.rents import amount, day, opening, rent
from tests.support.rows import rows
from tests.support.sentences import Said, assert_said

ON_BALANCE = {"adjusts_balance": True}
PREPAID = deposit("8500.00", balance_charge_type="prepaidRent", id="prepaid")


def euros() -> Any:  # noqa: ANN401
    first = opening("2020-01-01/2020-01-31", price="1000 EUR")
    return rent("1000.00 EUR", first_billing_period_bill_item=first)


@rows(
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


@rows(
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


AMOUNTS = by_steps(step(2027, "100.00"))
FLOOR = by_index(index_clause=clause(floor_amount="100.00 DKK"))
THREE = deposit(months="3")
RULES = (by_index(), by_index(least="0"), by_index(most="0.04"), by_steps(step(2027, "3 %")))
ONCE = {
    "id": "fee",
    "productKey": "key:fee",
    "amount": DKK,
    "vat": {"taxMode": "Exempt"},
    "dueDate": "2026-02-01",
    "accountingPeriod": "2026-02-01/2026-02-28",
}
LISTED = {
    "adjustedOn": "2027-01-01",
    "toPeriodAmount": EUR,
    "fromPeriodAmount": DKK,
    "toBalanceAmount": EUR,
    "adjustmentRulesEffects": [{}, {"toYearlyAmount": EUR, "unlimitedAmount": EUR}],
}


def read(**given: Any) -> Said:  # noqa: ANN401
    """Return what a lease is refused with that is read from JSON."""
    return refusing(lambda: loads(json.dumps({**LEASE, **given})))


def made(*plans: RentAdjustmentPlan, **terms: Any) -> Said:  # noqa: ANN401
    """Return what a lease of one item is refused with that is created in Python."""
    return refusing(lambda: lease(*plans, **terms))


def of(**terms: Any) -> Said:  # noqa: ANN401
    return refusing(lambda: LeaseTerms(**terms))


REFUSED: dict[str, Said] = {
    # With the ids of the items that exist (A49, A57).
    "an item that does not exist": read(
        recurringBillItems=[{**RENT, "id": "rent"}, RENT],
        rentAdjustmentPlans=[{"adjusteeRef": ref} for ref in ("garage", "recurring-1", "rent")],
    ),
    # The id of a one-time item is none that a plan can name (A55).
    "a one-time item": read(oneTimeBillItems=[ONCE], rentAdjustmentPlans=[{"adjusteeRef": "fee"}]),
    # Nothing is named, nothing has the name, or several have the type (A39, A49).
    "an adjustee that is not known": of(
        recurring_bill_items=(home(), home()),
        balances=(deposit(), deposit(), PREPAID),
        rent_adjustment_plans=(
            plan(by_index()),
            plan(by_index(), **ON_BALANCE),
            plan(by_index(), **ON_BALANCE, adjustee_ref="fee"),
            plan(by_index(), **ON_BALANCE, balance_charge_type="fee"),
            plan(by_index(), **ON_BALANCE, balance_charge_type="deposit"),
        ),
    ),
    "a lease without items and balances": of(
        rent_adjustment_plans=(plan(by_index(), **ON_BALANCE, adjusts_recurring_bill_item=True),)
    ),
    # Of many ids ten are listed.
    **{
        f"a plan without a name among {many} items": of(
            recurring_bill_items=(home(),) * many, rent_adjustment_plans=(plan(by_index()),)
        )
        for many in (10, 11, 500)
    },
    # Of items and balances that cannot be read no plan is said to name none.
    "items that cannot be read": read(
        recurringBillItems=[{**RENT, "quantity": 0}],
        rentAdjustmentPlans=[
            {"adjusteeRef": "rent"},
            {"adjustsBalance": True, "balanceChargeType": "fee"},
        ],
        balances=[{"balanceChargeType": "deposit", "amount": DKK}],
    ),
    "balances that cannot be read": read(
        rentAdjustmentPlans=[{"adjustsBalance": True}, {"adjusteeRef": "rent"}],
        balances=[{"balanceChargeType": "deposit", "amount": DKK, "months": 0}],
    ),
    # Percentages and an index adjust a balance, an amount does not (A36, A39).
    "amounts on a balance": made(plan(by_index(), AMOUNTS, **ON_BALANCE), balances=[deposit()]),
    "a level on a balance": made(
        plan(by_steps(step(2027, "9.00", level=True)), **ON_BALANCE), balances=[deposit()]
    ),
    # A balance of so many months is months times the rent, so that a rule of its own gives the
    # dates; limits, increments and what a clause says about an amount are refused (A39, A40).
    "limits and increments of a balance of three months": made(
        plan(*RULES, **ON_BALANCE), balances=[THREE]
    ),
    **{
        f"a {name} of a balance of three months": made(
            plan(by_index(index_clause=clause(**{name: value})), **ON_BALANCE), balances=[THREE]
        )
        for name, value in (("share", "0.5"), ("threshold", "0.05"), ("amount_quantum", "1"))
    },
    # Amounts of a rule are in the currency of what it adjusts, each named by its place (A2).
    **{
        f"another currency in {name}": read(
            rentAdjustmentPlans=[{}, {"rentAdjustmentRules": [INDEX, {**INDEX, **rule}]}]
        )
        for name, rule in (
            ("a base", {"indexClause": {"basis": "anchored", "baseAmount": EUR}}),
            ("an indexed amount", {"indexClause": {"indexedAmount": EUR}}),
            ("a floor", {"indexClause": {"floorAmount": EUR}}),
            ("an increment", {**STEPS, "increments": [STEP, {"year": "2028", "amount": EUR}]}),
            ("a level", {**STEPS, "increments": [{"year": "2028", "level": EUR}]}),
        )
    },
    # In a lease of two currencies (A2, A39).
    "another currency than that of the balance": made(
        plan(FLOOR, **ON_BALANCE), balances=[deposit("30000.00 EUR")]
    ),
    # Listed amounts are taken as made, so 9,000 EUR would else become a rent of 9,000 DKK; in the
    # order of the fields: amounts of periods before those of balances, then effects (A2, A38).
    "another currency in a listed adjustment": read(
        rentAdjustmentPlans=[{"adjustments": [LISTED]}]
    ),
    # Three months of a rent in euros are no kroner, whichever plan gives the dates (A2, A39).
    **{
        f"another currency than that of the rent, {name}": made(
            plan(by_index(), **ON_BALANCE, **more), item=euros(), balances=[THREE]
        )
        for name, more in (
            ("of the balance alone", {}),
            ("of both", {"adjusts_recurring_bill_item": True}),
        )
    },
    # Plans and balances have ids, given or by their place; a plan and a balance may share one
    # (A57).
    "ids that are taken": made(
        plan(by_index(), id="plan-2"),
        plan(by_index(), adjustee_ref="recurring-1"),
        plan(by_index(), id="a"),
        plan(by_index(), id="a"),
        balances=[deposit(id="a"), deposit(id="balance-1"), deposit(id="a")],
    ),
    # Balances are in the currency of the lease, where it has one (A2).
    "another currency than that of the lease": of(
        currency="DKK", balances=(deposit(), deposit("10 EUR", id="b"))
    ),
    "a plan of another lease": made(plan(by_index(), lease_id="lease-2"), lease_id="lease-1"),
}


def test_plans_that_do_not_fit_their_lease_are_refused(request: pytest.FixtureRequest) -> None:
    assert_said(request, Path(__file__), REFUSED)


@rows(
    ("plans", "terms"),
    [
        # Amounts where it is the rent that they adjust (A36, A39).
        (
            (plan(AMOUNTS, **ON_BALANCE, adjusts_recurring_bill_item=True),),
            {"balances": [deposit()]},
        ),
        (
            (plan(by_steps(step(2027, "3 %")), by_index(most="0.04"), **ON_BALANCE),),
            {"balances": [deposit()]},
        ),
        ((plan(*RULES, **ON_BALANCE, adjusts_recurring_bill_item=True),), {"balances": [THREE]}),
        # What follows no rent may have a currency of its own (A2).
        ((plan(FLOOR, **ON_BALANCE),), {"balances": [deposit()], "item": euros()}),
        (
            (plan(by_index(), **ON_BALANCE),),
            {"balances": [deposit("3000 EUR", months="3")], "item": euros()},
        ),
        ((plan(by_index(), **ON_BALANCE),), {"balances": [deposit()], "item": euros()}),
        ((), {"balances": (deposit(), deposit("10 EUR"))}),
        ((plan(by_index(), lease_id="lease-1"),), {"lease_id": "lease-1"}),
    ],
)
def test_plans_that_fit_their_lease_are_accepted(
    plans: tuple[RentAdjustmentPlan, ...], terms: dict[str, Any]
) -> None:
    fitting = lease(*plans, **terms)

    assert fitting == loads(dumps(fitting))


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
