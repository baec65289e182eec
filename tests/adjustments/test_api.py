"""Adjustments as callers ask for them: made, next, in force, listed, rolled back, in any order."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import rentbilling
import rentbilling as rb
from rentbilling import presets
from rentbilling.adjustments import AdjustmentResult, LeaseHistories, rolled_back
from rentbilling.errors import RentBillingError
from rentbilling.interface import schema_of
from tests.support.explained import check_adjustments
from tests.support.plans import (
    IN_2021,
    IN_2022,
    ITEM,
    TENTHS,
    TO_2022,
    TO_2023,
    amounts,
    by_index,
    by_steps,
    deposit,
    home,
    lease,
    made,
    octobers,
    plan,
    ruled,
    series,
    step,
    worth,
)
from tests.support.refusals import Call, faults, refusal_text, refused
from tests.support.rents import amount, day, ordinal, period, price_from
from tests.support.rows import rows

# fmt: off
TENTH: dict[str, Any] = {"period": IN_2021, "indices": TENTHS}
MONTHLY: dict[str, Any] = {**TENTH, "amount": amount("10000.00")}
BOTH: dict[str, Any] = {"adjusts_recurring_bill_item": True, "adjusts_balance": True}
TWO = {name: rb.IndexSeries(name, {"2020-10": 100}) for name in ("A", "B")}
LARGE = home("9999999999999.99")
RISING = lease(by_steps(step(2021, "100 %", recurs=True)))
HOLE = series({"2019-10": 100, "2021-10": 121})
NAMED = {"plan": "plan-1", "rule": "rule-1", "adjusted_on": "2021-01-01"}
ANY: Any = rb
"""Without its types, for what no type checker lets through."""
NO_LEASE: list[Any] = [None, plan(by_index()), rb.compile_terms(rb.LeaseTerms())]
NO_TERMS: list[Any] = [None, 5, by_index(), home()]


def stray(plan_id: str | None) -> rb.RentAdjustment:
    return rb.RentAdjustment(adjusted_on=day("2021-01-01"), plan_id=plan_id)


REFUSED: list[tuple[str, str, Call]] = [
    *(("InvalidRecordError: not_adjustable", "lease terms", lambda ask=ask, given=given: ask(given))
      for given in NO_LEASE for ask in (
        lambda terms: ANY.amount_in_force(terms, ITEM, "2021-01-01"),
        lambda terms: ANY.adjusted_terms(terms, ()), lambda terms: rolled_back(terms, ITEM))),
    *(("InvalidRecordError: not_adjustable", "", lambda ask=ask, given=given: ask(given))
      for given in NO_TERMS for ask in (
        lambda terms: ANY.rent_adjustments(terms, IN_2021, amount=amount("1.00")),
        lambda terms: ANY.next_adjustment_date(terms, "2021-01-01"))),
    ("InvalidRecordError: amount contradiction", "",
     lambda: rb.rent_adjustments(lease(by_index()), **MONTHLY)),
    ("InvalidRecordError: indices contradiction", "", lambda: rb.pending_bills(
        rb.compile_terms(lease(by_index()), indices=TENTHS), IN_2021, indices=TENTHS)),
    # A refusal of a plan alone has the plan's paths, of a lease the place of the rule.
    ("InvalidAdjustmentRuleError: rentAdjustmentRules[0].indexClause.series series_needed", "",
     lambda: rb.rent_adjustments(plan(by_index()), IN_2021, indices=TWO, amount=amount("1.00"))),
    (("InvalidAdjustmentRuleError: rentAdjustmentPlans[0].rentAdjustmentRules[1].indexClause.series"
      " series_needed"), "A, B", lambda: made(
        lease(plan(ruled(series="A"), by_index(adjustment_month=7))), TWO)),
    ("InvalidPeriodError: after not_a_date", "",
     lambda: rb.next_adjustment_date(lease(by_index()), "2021-13-01")),
    ("InvalidPeriodError: on not_a_date", "",
     lambda: rb.amount_in_force(lease(by_index()), ITEM, "2021-13-01")),
    *(("InvalidRecordError: [0].planId unknown_plan", known,
       lambda terms=terms, named=named: rb.adjusted_terms(terms, [stray(named)]))
      for terms, known in ((lease(by_index()), "plan-1"), (lease(), "terms with plans"))
      for named in (None, "other")),
    # Rules and fields that would do nothing are refused by name (A40).
    *(("InvalidAdjustmentRuleError: rent_adjustment_rules[0].index_clause.combine says_nothing", "",
       lambda word=word, others=others: plan(by_index(most="0.04", combine=word), *others))
      for word in ("sum", "lower_of", "limit") for others in ((), (by_index(adjustment_month=7),))),
    *((f"InvalidAdjustmentRuleError: {path} contradiction", "",
       lambda fields=fields: by_index(**fields)) for path, fields in (
        ("index_month", {"interval_months": 6}), ("index_month", {"interval_months": 18}),
        ("index_clause.index_quarter", {"index_month": None, "interval_months": 6,
                                        "reference": "quarter", "index_quarter": 2}))),
    ("InvalidAdjustmentRuleError: share_of says_nothing", "",
     lambda: rb.IndexClause(basis="anchored", share_of="money")),
    # 10,000 is all there is.
    (("InvalidAdjustmentRuleError: rent_adjustment_plans[0].rent_adjustment_rules[0].index_clause"
      ".indexed_amount contradiction"), "a part of its amount for a billing period",
     lambda: lease(ruled(indexed_amount="10000.01 DKK"))),
    # What was written in full is read as strictly (A56).
    ("InvalidPeriodError: adjustments[0].adjustedOn not_a_date", "", lambda: rb.loads(
        '{"bills": [], "adjustments": [{"adjustedOn": "soon"}]}', rb.BillingResult)),
]
UNKNOWN: list[tuple[RentBillingError, Call]] = [
    *((rb.MissingFactError("amount_needed", plan=name or "plan-1"),
       lambda name=name: rb.rent_adjustments(plan(by_index(), id=name), **TENTH))
      for name in (None, "yearly")),
    # What counts from a start needs a lease.
    *((rb.MissingFactError("start_needed", plan="plan-1", rule="rule-1"),
       lambda fields=fields: rb.rent_adjustments(plan(by_index(most="0.04", **fields)), **MONTHLY))
      for fields in ({"pro_rata": "first_year"}, {"pro_rata": "elapsed"},
                     {"limit_per": "year_simple"}, {"interval_years": 5})),
    (rb.MissingFactError("unknown_item", item="parking", known="rent, balance-1"),
     lambda: rb.amount_in_force(
        lease(item=home(id="rent"), balances=(deposit(),)), "parking", "2021-01-01")),
    (rb.MissingFactError("unknown_item", item="rent", known="none"),
     lambda: rb.amount_in_force(rb.LeaseTerms(), "rent", "2021-01-01")),
    (rb.MissingFactError("no_adjustment", item=ITEM), lambda: rolled_back(lease(by_index()), ITEM)),
    # A value or a series that is missing is named, from the day that needs it on (A41).
    (rb.MissingIndexError("missing_index", series="NPI", base="2015=100", at="2020-10",
                          **{**NAMED, "plan": "yearly", "rule": "npi"}),
     lambda: made(lease(plan(by_index(id="npi"), id="yearly")), HOLE, TO_2022)),
    (rb.MissingIndexError("missing_index", series="NPI", base="2015=100", at="2020-10",
                          **{**NAMED, "plan": "plan-2"}),
     lambda: made(lease(by_steps(step(2021, "2 %"), adjustment_month=3), by_index()), HOLE)),
    (rb.MissingIndexError("missing_series", series="of the rule", passed="none", **NAMED),
     lambda: worth(lease(by_index()), "2021-01-01")),
    (rb.MissingIndexError("missing_series", series="CPI", passed="NPI", **NAMED),
     lambda: worth(lease(ruled(series="CPI")), "2021-01-01", [TENTHS])),
    # The bill of 1 January pays for February, too, which has another price (A19).
    (rb.MissingIndexError("missing_series", series="of the rule", passed="none",
                          **{**NAMED, "adjusted_on": "2021-02-01"}), lambda: rb.pending_bills(
        lease(by_index(adjustment_month=2, first_year="2021"), item=home(
            billing_cycle=rb.BillingCycle(period_length=3))), "2021-01")),
]
TOO_MUCH: list[tuple[str, dict[str, object], Call]] = [
    # 9,999,999,999,999.99 a month fit, 12 times that do not (A1), nor a deposit of 1,000 months.
    ("amount_too_large", {},
     lambda: made(lease(by_index(), item=LARGE), octobers(100, 100), IN_2021)),
    ("amount_too_large", {}, lambda: made(
        lease(plan(by_index(), **BOTH), item=LARGE, balances=(deposit(months="1000"),)),
        octobers(100, 100), IN_2021)),
    # Doubled each year, the rent of 2100 has 29 digits (A1).
    ("amount_too_large", {}, lambda: rb.amount_in_force(RISING, ITEM, "2100-01-01")),
    # Two adjustments of two pass, three do not; twelve rents and a deposit are 13 lines (A60).
    ("too_many_lines", {"lines": "3", "most": "2"}, lambda: made(
        lease(by_index()), TENTHS, TO_2023, rb.BillingPolicy(max_lines=2))),
    ("too_many_lines", {"lines": "13"}, lambda: rb.pending_bills(
        lease(plan(by_index(), **BOTH), balances=(deposit(months="3"),)), IN_2021, indices=TENTHS,
        policy=rb.BillingPolicy(balance_change="once", max_lines=12))),
    ("too_many_lines", {}, lambda: rb.pending_bills(
        lease(by_index()), "2020-01-01/2021-12-31", indices=TENTHS,
        policy=rb.BillingPolicy(max_lines=13))),
]
DATES_ALONE = plan(by_index(), adjusts_recurring_bill_item=False, adjusts_balance=True)
WITH_DEPOSIT = lease(plan(by_index(), **BOTH), balances=(deposit(months="3"),))
COMPILED = rb.compile_terms(
    WITH_DEPOSIT, indices=TENTHS, policy=rb.BillingPolicy(balance_change="once"))
IN_JULY = by_steps(step(2021, "2 %"), adjustment_month=7)
ON_THE_DAY = lease(by_index(), item=home(amount_records=(price_from("2021-01-01", "11111"),)))
AGREED = lease(by_index(), item=home(amount_records=(price_from("2021-06-01", "10500.00"),)))
GIVES: list[tuple[object, Call]] = [
    # Days are included on both ends; a period may be given as such; without plans there are none.
    ([1, 0, 0], lambda: [len(made(lease(by_index()), TENTHS, days)) for days in (
        "2021-01-01/2021-01-01", "2020-12-31/2020-12-31", "2021-01-02/2021-12-31")]),
    (made(lease(by_index()), TENTHS, IN_2021), lambda: [
        (f"{each.adjusted_on}", f"{each.to_period_amount.amount}") for each in rb.rent_adjustments(
            lease(by_index()), period(IN_2021), indices=TENTHS) if each.to_period_amount]),
    ((), lambda: rb.rent_adjustments(lease(), IN_2021).adjustments),
    # Two of two lines pass (A60).
    (["11000.00", "12100.00"], lambda: amounts(
        lease(by_index()), TENTHS, TO_2022, rb.BillingPolicy(max_lines=2))),
    # An amount is in force from its day on, of the whole line, and before the lease the first one.
    (["10000.00", "10000.00", "11000.00", "11000.00"], lambda: [
        worth(lease(by_index(last_year="2021")), on, TENTHS)
        for on in ("2010-01-01", "2020-12-31", "2021-01-01", "2030-06-30")]),
    ("11000.00 DKK", lambda: str(
        rb.amount_in_force(lease(by_index()), ITEM, date(2021, 1, 1), indices=TENTHS))),
    (["171.00", "30000.00"], lambda: [
        worth(lease(item=home("85.50", id="rent", quantity=2), balances=(deposit(id="deposit"),)),
              "2030-01-01", what=each) for each in ("rent", "deposit")]),
    (["30000.00", "33000.00"], lambda: [
        worth(WITH_DEPOSIT, on, TENTHS, "balance-1") for on in ("2020-12-31", "2021-01-01")]),
    ("30000.00", lambda: worth(
        lease(by_index(), balances=(deposit(months="3"),)), "2022-12-31", TENTHS, "balance-1")),
    # No value beyond the day is needed.
    ("12100.00", lambda: worth(lease(by_index()), "2022-12-31", octobers(100, 110, 121))),
    # A plan alone adjusts a monthly amount (A32) in any currency, and names what it adjusts.
    (["2022-01-01 recurring-1 11000.00 DKK by plan-1",
      "2023-01-01 recurring-1 12100.00 DKK by plan-1"],
     lambda: alone(plan(by_index()), "2022-01-01/2023-12-31")),
    (["2021-01-01 rent 11000.00 DKK by yearly"],
     lambda: alone(plan(by_index(), id="yearly", adjustee_ref="rent"))),
    (["2021-01-01 recurring-1 1101 JPY by plan-1"],
     lambda: alone(plan(by_index()), price=rb.Amount(1001, "JPY"))),
    (["2021-01-01 recurring-1 11000.00 DKK by plan-1"], lambda: alone(
        plan(by_index(first_year="2019", interval_years=2)), "2021-01-01/2022-12-31",
        series({"2018-10": 100, "2020-10": 110}))),
    (["2021-01-01 recurring-1 11000.00 DKK by plan-1"],
     lambda: alone(plan(by_index(first_year="2021")), "0001-01-01/2021-12-31")),
    # Adjustments come by days, then by plans.
    ([("2021-01-01", "a"), ("2021-01-01", "b"), ("2021-07-01", "b")], lambda: [
        (f"{each.adjusted_on}", each.plan_id) for each in rb.rent_adjustments(lease(
            plan(by_index(), adjustee_ref="a", id="a"),
            plan(by_index(), IN_JULY, adjustee_ref="b", id="b"),
            recurring_bill_items=(home(id="a"), home(id="b"))), IN_2021, indices=TENTHS)]),
    # What one year was asked says nothing about another (A39).
    (["3300.00", "3000.00"], lambda: [
        str(rb.pending_bills(COMPILED, f"{year}-01")[0].lines[1].net_price.amount)
        for year in (2022, 2021)]),
    # What is listed is not computed again; each goes to its plan, the last of an item back.
    (["11000.00", "12100.00"], lambda: amounts(listed(lease(by_index())), days=TO_2022)),
    *(([1, 0], lambda terms=terms, gone=gone: [len(each.adjustments) for each in (
        rolled_back(listed(terms, IN_2021), gone) if gone else listed(terms, IN_2021)
      ).rent_adjustment_plans]) for terms, gone in (
        (lease(by_index(), by_steps(step(2030, "2 %"), adjustment_month=7)), None),
        (lease(by_index(), IN_JULY), ITEM),
        (lease(plan(by_index(), adjustee_ref="a"), plan(
            by_index(), adjustee_ref="deposit", adjusts_balance=True),
            recurring_bill_items=(home(id="a"),), balances=(deposit(id="deposit"),)), "deposit"))),
    # A record of the day goes with it: 10,000 again, adjusted anew (A18).
    *((found, lambda back=back: worth(back(listed(ON_THE_DAY, IN_2021)), "2021-06-01", TENTHS))
      for found, back in (("11111.00", lambda terms: terms),
                          ("11000.00", lambda terms: rolled_back(terms, ITEM)))),
    # Those before must be listed, too, also where they come to nothing or an amount was agreed.
    *((f"InvalidRecordError: {found}", lambda terms=terms, days=days, indices=indices, first=first:
       refusal_text(lambda: rb.adjusted_terms(
           terms, rb.rent_adjustments(terms, days, indices=TENTHS)[first:], indices=indices)))
      for terms, days, first, indices, found in (
        (lease(by_index()), IN_2022, 0, None, "adjustment of 2022-01-01 gap"),
        (AGREED, TO_2022, 1, TENTHS, "adjustment of 2021-01-01 gap"),
        (AGREED, TO_2022, 1, None, "adjustment of 2021-01-01 gap"),
        (lease(by_steps(step(2021, "25 %"), step(2022, "-20 %"), step(2023, "1 %"))), TO_2023, 2,
         None, "adjustment of 2021-01-01 gap"))),
    # A day on which rules made nothing need not be listed: 1 % waits for 5 %.
    (1, lambda: len(listed(lease(
        ruled(threshold="0.05"), item=AGREED.recurring_bill_items[0]), TO_2022,
        octobers(100, 101, 112)).rent_adjustment_plans[0].adjustments)),
]
# fmt: on


def alone(
    asked: rb.RentAdjustmentPlan,
    days: str = IN_2021,
    indices: rb.IndexSeries = TENTHS,
    price: rb.Amount = amount("10000.00"),  # noqa: B008 - a value that cannot change
) -> list[str]:
    found = rb.rent_adjustments(asked, days, indices=indices, amount=price)
    return [
        f"{each.adjusted_on} {each.adjustee_id} {each.to_period_amount} by {each.plan_id}"
        for each in found
    ]


def listed(
    terms: rb.LeaseTerms, days: str = TO_2022, indices: rb.IndexSeries = TENTHS
) -> rb.LeaseTerms:
    """Return terms with their own adjustments listed; nothing that follows changes."""
    found = rb.rent_adjustments(terms, days, indices=indices)
    after = rb.adjusted_terms(terms, found, indices=indices)
    assert after == rb.adjusted_terms(after, found, indices=indices)
    for asked in (days, TO_2022):
        again = rb.rent_adjustments(after, asked, indices=indices)
        assert rb.rent_adjustments(terms, asked, indices=indices) == again
    return after


@rows(("expected", "known", "call"), REFUSED)
def test_what_is_wrong_is_refused_with_its_place(expected: str, known: str, call: Call) -> None:
    assert expected == refusal_text(call)
    assert known in (faults(call, fields="expected")[0][0] or "")


@rows(("expected", "call"), UNKNOWN)
def test_what_is_not_known_is_missed(expected: RentBillingError, call: Call) -> None:
    assert expected == refused(call, type(expected))


@rows(("code", "facts", "call"), TOO_MUCH)
def test_what_is_too_large_is_refused(code: str, facts: dict[str, object], call: Call) -> None:
    error = refused(call, rb.UnsupportedCaseError)

    assert code == error.code
    assert facts.items() <= {name: f"{each}" for name, each in error.facts.items()}.items()


@rows(("expected", "call"), GIVES)
def test_an_answer_is(expected: object, call: Call) -> None:
    assert expected == call()


@rows("form", [rb.dumps, lambda record: json.loads(rb.dumps(record))])
def test_plans_and_leases_are_taken_as_json_and_as_data(form: Callable[[object], Any]) -> None:
    terms, plan = RISING, RISING.rent_adjustment_plans[0]
    found = rb.rent_adjustments(terms, IN_2021)

    assert found == rb.rent_adjustments(form(terms), IN_2021)
    assert len(rb.rent_adjustments(plan, **MONTHLY))
    assert rb.rent_adjustments(plan, **MONTHLY) == rb.rent_adjustments(form(plan), **MONTHLY)
    for each in (terms, plan):
        whole, told = (rb.next_adjustment_date(one, "2020-06-01") for one in (each, form(each)))
        assert whole == told
    assert worth(terms, "2021-06-01") == worth(form(terms), "2021-06-01")
    assert rb.adjusted_terms(terms, found) == rb.adjusted_terms(form(terms), found)
    assert terms == rolled_back(form(rb.adjusted_terms(terms, found)), ITEM)


def test_a_result_is_a_sequence_of_adjustments_equal_by_them() -> None:
    result = rb.rent_adjustments(lease(by_index()), TO_2022, indices=TENTHS)
    first, second = result

    assert (2, first, (second,), True) == (len(result), result[0], result[1:], first in result)
    again = AdjustmentResult(result.adjustments)
    assert (again, hash(again)) == (result, hash(result))
    assert result not in {AdjustmentResult(result[:1]), result.adjustments}
    assert "<AdjustmentResult 2 adjustments, 0 notices>" == repr(result)
    assert "No adjustments" == str(AdjustmentResult(()))
    assert "index 110 (2020-10) to 121 (2021-10): 10 %" in str(result)
    assert ["2021", "2022"] == [each.year for each in result]


def test_adjustments_beside_bills_are_written_and_read_again_in_full() -> None:
    """The plain form is the interface's, which has bills alone (A56)."""
    found = rb.bill_period(lease(by_index()), IN_2021, indices=TENTHS)
    text = rb.dumps(found, full=True)
    again = rb.loads(text, rb.BillingResult)
    bills = rb.pending_bills(lease(by_index()), IN_2021, indices=TENTHS)

    assert (found.bills, found.adjustments) == (again.bills, again.adjustments)
    assert (found.bills, rb.dumps(found)) == (bills.bills, rb.dumps(bills))
    assert (text, ITEM) == (rb.dumps(again, full=True), again.adjustments[0].adjustee_id)
    assert () == bills.adjustments
    assert [] == list(
        Draft202012Validator(schema_of("BillingResultFull")).iter_errors(json.loads(text))
    )


def test_a_refusal_half_way_leaves_nothing_half_done() -> None:
    """The change of 150 percent is there, and noticed, once; of 2022 nothing is known."""
    terms, index = lease(by_index()), octobers(100, 250, provisional=["2020-10"])
    (history,) = LeaseHistories(terms, {"NPI": index}, rb.BillingPolicy()).items.values()
    last = ordinal("2021-12-31")
    for _ in range(2):
        with pytest.raises(rb.MissingIndexError):
            history.until(ordinal("2022-12-31"))
        assert [25_000] == [each.after for each in history.until(last)]
        found = [notice.code for notice in history.notices(0, last)]
        assert ["large_change", "provisional_index"] == found
    assert () == tuple(history.notices(0, ordinal("2020-12-31")))
    compiled = rb.compile_terms(terms, indices=index)
    with pytest.raises(rb.MissingIndexError):
        rb.pending_bills(compiled, IN_2022)
    assert () == rb.pending_bills(compiled, "2020-11").notices


def test_a_deposit_moves_once_a_day_however_often_it_is_asked() -> None:
    """Three months of 10,000, 11,000 and 12,100, by a plan of its own and by that of the rent."""
    own = lease(by_index(), DATES_ALONE, balances=(deposit(months="3"),))
    expected = [("2021-01-01", 30_000, 33_000), ("2022-01-01", 33_000, 36_300)]
    for terms in (own, WITH_DEPOSIT):
        (asked,) = LeaseHistories(terms, {"NPI": TENTHS}, rb.BillingPolicy()).balances.values()
        for until, count in (
            *(("2020-12-31", 0), ("2021-01-01", 1), ("2021-06-30", 1), ("2022-01-01", 2)),
            *(("2022-01-31", 2), ("2021-12-31", 1)),
        ):
            found = asked.until(ordinal(until))
            assert expected[:count] == [
                (f"{date.fromordinal(each.day)}", each.before, each.after) for each in found
            ]


# fmt: off
HELD = by_index(most="0.01", combine="limit")
APPLIED: dict[str, Any] = {"percentage_decimals": 0, "percentage_rounded": "applied",
                           "after_limit": "carry"}
ADDED = by_steps(step(2021, "2 %", recurs=True), combine="sum")
MORE = by_steps(step(2021, "1200.00", recurs=True), combine="sum")
LOWER = by_steps(step(2021, "2 %", recurs=True), combine="lower_of")
EXPLAINED = [
    lease(by_index(most="0.04", basis="anchored", correction_factor="0.9", **APPLIED)),
    lease(by_index(most="0.015", **APPLIED)),
    lease(by_index(most="0.02", after_limit="carry", pro_rata="elapsed", pro_rata_months=24)),
    lease(plan(ruled(carried="exact", share="0.3"), by_steps(step(2021, "3 %"))), item=home("100")),
    *(lease(plan(first, then, **BOTH), item=home(price), balances=(deposit(balance),))
      for first, then, price, balance in (
        (by_index(), HELD, "10000", "3000"), (by_index(), HELD, "10000", "0"),
        (ruled(amount_quantum="10000"), HELD, "10000", "3000"),
        (by_index(), ADDED, "10000", "3000"), (by_index(), ADDED, "0", "3000"),
        (by_index(), MORE, "10000", "3000"), (by_index(), MORE, "0", "3000"),
        (by_index(), LOWER, "10000", "3000"))),
]
# fmt: on


@pytest.mark.parametrize("terms", EXPLAINED)
def test_explanations_lead_to_the_figures(terms: rb.LeaseTerms) -> None:
    """Of several rules, limits and balances, replayed (A35 to A40)."""
    values = octobers(100, 107, "112.36", "112.4", "113.5", 120, 121, 125, 131, 140, 141, 150)

    check_adjustments(terms, values, rb.BillingPolicy(increment_amount="per_period"))


def test_public_functions_are_functions_after_their_first_use() -> None:
    assert callable(rentbilling.rent_adjustments)
    assert presets.find("DE")
    assert callable(presets.preset)
    assert presets.legal_caps("DK")
    assert callable(presets.legal_caps)
