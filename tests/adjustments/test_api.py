"""Rent adjustments as callers ask for them: made, next, in force, listed and rolled back."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

import rentbilling
import rentbilling as rb
from rentbilling import presets
from rentbilling.adjustments import AdjustmentResult, rolled_back
from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    RentBillingError,
)
from tests.support.plans import (
    GOES_ON,
    IN_2021,
    IN_2022,
    ITEM,
    TENTHS,
    TO_2022,
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
from tests.support.rents import amount, day, period
from tests.support.rows import rows

ONE_YEAR = IN_2021


TENTH: dict[str, Any] = {"period": ONE_YEAR, "indices": TENTHS}
MONTHLY: dict[str, Any] = {**TENTH, "amount": amount("10000.00")}
BOTH: dict[str, Any] = {"adjusts_recurring_bill_item": True, "adjusts_balance": True}
TWO = {name: rb.IndexSeries(name, {"2020-10": 100}) for name in ("A", "B")}
LARGE = home("9999999999999.99")
RISING = lease(by_steps(step(2021, "100 %", recurs=True)))
adjustments_of: Any = rb.rent_adjustments
next_of: Any = rb.next_adjustment_date
in_force: Any = rb.amount_in_force
listed_in: Any = rb.adjusted_terms
back: Any = rolled_back
"""Without their types, for what no type checker lets through."""

# fmt: off
REFUSED: list[tuple[str, Callable[[], object]]] = [
    *(("InvalidRecordError:  not_adjustable", lambda ask=ask, given=given: ask(given))
      for given in (None, 5, by_index(), home()) for ask in (
        lambda terms: adjustments_of(terms, ONE_YEAR, amount=amount("1.00")),
        lambda terms: next_of(terms, "2021-01-01"))),
    ("InvalidRecordError: amount contradiction",
     lambda: rb.rent_adjustments(lease(by_index()), **MONTHLY)),
    # A refusal of a plan alone has the plan's paths.
    ("InvalidAdjustmentRuleError: rentAdjustmentRules[0].indexClause.series series_needed",
     lambda: rb.rent_adjustments(plan(by_index()), ONE_YEAR, indices=TWO, amount=amount("1.00"))),
    ("InvalidPeriodError: after not_a_date",
     lambda: rb.next_adjustment_date(lease(by_index()), "2021-13-01")),
    ("InvalidPeriodError: on not_a_date",
     lambda: rb.amount_in_force(lease(by_index()), ITEM, "2021-13-01")),
]
UNKNOWN: list[tuple[RentBillingError, Callable[[], object]]] = [
    (rb.MissingFactError("amount_needed", plan="plan-1"),
     lambda: rb.rent_adjustments(plan(by_index()), **TENTH)),
    (rb.MissingFactError("amount_needed", plan="yearly"),
     lambda: rb.rent_adjustments(plan(by_index(), id="yearly"), **TENTH)),
    # What counts from a start needs a lease.
    *((rb.MissingFactError("start_needed", plan="plan-1", rule="rule-1"),
       lambda fields=fields: rb.rent_adjustments(plan(by_index(most="0.04", **fields)), **MONTHLY))
      for fields in ({"pro_rata": "first_year"}, {"pro_rata": "elapsed"},
                     {"limit_per": "year_simple"}, {"interval_years": 5})),
]
TOO_MUCH: list[tuple[str, dict[str, object], Callable[[], object]]] = [
    # 9,999,999,999,999.99 a month fit, 12 times that do not (A1).
    ("amount_too_large", {}, lambda: rb.rent_adjustments(
        lease(by_index(), item=LARGE), ONE_YEAR, indices=octobers(100, 100))),
    # Nor does a deposit of 1,000 months.
    ("amount_too_large", {}, lambda: rb.rent_adjustments(
        lease(plan(by_index(), **BOTH), item=LARGE, balances=(deposit(months="1000"),)),
        ONE_YEAR, indices=octobers(100, 100))),
    # Doubled each year, the rent of 2100 has 29 digits (A1).
    ("amount_too_large", {}, lambda: rb.amount_in_force(RISING, ITEM, "2100-01-01")),
    # Ten years of adjustments, and an answer may have five lines (A60).
    ("too_many_lines", {"most": 5}, lambda: rb.rent_adjustments(
        lease(by_steps(step(2021, "1 %", recurs=True))), "2020-01-01/2030-12-31",
        policy=rb.BillingPolicy(max_lines=5))),
    # Twelve rents and three instalments are more than fourteen lines (A60).
    ("too_many_lines", {"lines": 15}, lambda: rb.pending_bills(
        lease(plan(by_index(), **BOTH), balances=(deposit(months="3"),)), IN_2021, indices=TENTHS,
        policy=rb.BillingPolicy(balance_change="instalments", max_lines=14))),
]
# fmt: on


@rows(("expected", "call"), REFUSED)
def test_what_is_wrong_is_refused_with_its_place(expected: str, call: Callable[[], object]) -> None:
    with pytest.raises(InvalidInputError) as refused:
        call()

    (problem,) = refused.value.problems
    assert expected == f"{type(refused.value).__name__}: {problem.path} {problem.code}"


@rows("given", [None, plan(by_index()), rb.compile_terms(rb.LeaseTerms())])
@rows(
    "ask",
    [
        lambda terms: in_force(terms, ITEM, "2021-01-01"),
        lambda terms: listed_in(terms, ()),
        lambda terms: back(terms, ITEM),
    ],
)
def test_what_is_no_lease_is_refused(given: object, ask: Callable[[object], object]) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        ask(given)

    (problem,) = caught.value.problems
    assert ("not_adjustable", "lease terms") == (problem.code, problem.expected)


@rows("form", [rb.dumps, lambda record: json.loads(rb.dumps(record))])
def test_plans_and_leases_are_taken_as_json_and_as_data(form: Callable[[object], Any]) -> None:
    terms, plan = RISING, RISING.rent_adjustment_plans[0]
    made = rb.rent_adjustments(terms, ONE_YEAR)

    assert made == rb.rent_adjustments(form(terms), ONE_YEAR)
    alone = rb.rent_adjustments(plan, **MONTHLY)
    assert len(alone)
    assert alone == rb.rent_adjustments(form(plan), **MONTHLY)
    for each in (terms, plan):
        assert next_of(each, "2020-06-01") == next_of(form(each), "2020-06-01")
    assert in_force(terms, ITEM, "2021-06-01") == in_force(form(terms), ITEM, "2021-06-01")
    assert listed_in(terms, made) == listed_in(form(terms), made)
    assert terms == back(form(listed_in(terms, made)), ITEM)


@rows(("expected", "call"), UNKNOWN)
def test_what_is_not_known_is_missed(
    expected: RentBillingError, call: Callable[[], object]
) -> None:
    with pytest.raises(type(expected)) as missed:
        call()

    assert expected == missed.value


@rows(("code", "facts", "call"), TOO_MUCH)
def test_what_is_too_large_is_refused(
    code: str, facts: dict[str, object], call: Callable[[], object]
) -> None:
    with pytest.raises(rb.UnsupportedCaseError) as refused:
        call()

    assert code == refused.value.code
    assert facts.items() <= refused.value.facts.items()


def test_an_amount_is_rounded_down_to_the_last_step() -> None:
    """40,000.07 a year, cut by the quarter: 10,000.01 and not 10,000.02 (A38)."""
    rule = by_steps(step(2021, "40000.07", level=True), amount_rounding="down", amount_per="year")
    terms = lease(rule, item=home("9000.00", billing_cycle=rb.BillingCycle(period_length=3)))

    assert ["10000.01"] == amounts(terms, None, IN_2021)


class TestAPlanAlone:
    """A plan without a lease adjusts a monthly amount (A32)."""

    def test_the_amount_is_that_of_the_first_day(self) -> None:
        found = rb.rent_adjustments(
            plan(by_index()), "2022-01-01/2023-12-31", indices=TENTHS, amount=amount("10000.00")
        )

        assert [("2022-01-01", "11000.00 DKK"), ("2023-01-01", "12100.00 DKK")] == [
            (each.adjusted_on.isoformat(), str(each.to_period_amount)) for each in found
        ]

    def test_it_names_what_it_adjusts(self) -> None:
        for ref, name in ((None, "recurring-1"), ("rent", "rent")):
            (found,) = rb.rent_adjustments(
                plan(by_index(), adjustee_ref=ref, id="yearly"),
                ONE_YEAR,
                indices=TENTHS,
                amount=amount("10000.00"),
            )

            assert (name, "yearly") == (found.adjustee_id, found.plan_id)

    def test_any_currency_will_do(self) -> None:
        (found,) = rb.rent_adjustments(
            plan(by_index()), ONE_YEAR, indices=TENTHS, amount=rb.Amount(1001, "JPY")
        )

        assert "1101 JPY" == str(found.to_period_amount)

    def test_an_interval_may_start_in_a_first_year(self) -> None:
        """Every second year from 2019 on."""
        rule = by_index(first_year="2019", interval_years=2)
        found = rb.rent_adjustments(
            plan(rule),
            "2021-01-01/2022-12-31",
            indices=series({"2018-10": 100, "2020-10": 110}),
            amount=amount("10000.00"),
        )

        assert [day("2021-01-01")] == [each.adjusted_on for each in found]

    def test_the_first_day_of_all_can_be_asked(self) -> None:
        found = rb.rent_adjustments(
            plan(by_index(first_year="2021")),
            "0001-01-01/2021-12-31",
            indices=TENTHS,
            amount=amount("10000.00"),
        )

        assert 1 == len(found)


class TestWhatIsAsked:
    """A period and what has plans."""

    def test_days_are_included_on_both_ends(self) -> None:
        terms = lease(by_index())

        assert [1, 0, 0] == [
            len(rb.rent_adjustments(terms, days, indices=TENTHS))
            for days in ("2021-01-01/2021-01-01", "2020-12-31/2020-12-31", "2021-01-02/2021-12-31")
        ]

    def test_a_period_may_be_given_as_such(self) -> None:
        terms = lease(by_index())

        assert rb.rent_adjustments(terms, ONE_YEAR, indices=TENTHS) == rb.rent_adjustments(
            terms, period(ONE_YEAR), indices=TENTHS
        )

    def test_a_lease_without_plans_has_no_adjustments(self) -> None:
        assert () == rb.rent_adjustments(lease(), ONE_YEAR).adjustments
        assert None is rb.next_adjustment_date(rb.LeaseTerms(), "2021-01-01")


class TestResult:
    """Adjustments in order, with what should be looked at."""

    RESULT = rb.rent_adjustments(lease(by_index()), TO_2022, indices=TENTHS)

    def test_it_is_a_sequence(self) -> None:
        first, second = self.RESULT

        assert (2, first, (second,), True) == (
            len(self.RESULT),
            self.RESULT[0],
            self.RESULT[1:],
            first in self.RESULT,
        )

    def test_two_are_equal_when_their_adjustments_are(self) -> None:
        again = AdjustmentResult(self.RESULT.adjustments)

        assert (again, hash(again)) == (self.RESULT, hash(self.RESULT))
        assert self.RESULT != AdjustmentResult(self.RESULT[:1])
        assert self.RESULT != self.RESULT.adjustments

    def test_a_reader_sees_how_much_there_is(self) -> None:
        assert "<AdjustmentResult 2 adjustments, 0 notices>" == repr(self.RESULT)

    def test_they_come_by_days_then_by_plans(self) -> None:
        first = plan(by_index(), adjustee_ref="a", id="a")
        second = plan(
            by_index(), by_steps(step(2021, "2 %"), adjustment_month=7), adjustee_ref="b", id="b"
        )
        terms = lease(first, second, recurring_bill_items=(home(id="a"), home(id="b")))
        found = rb.rent_adjustments(terms, ONE_YEAR, indices=TENTHS)

        assert [("2021-01-01", "a"), ("2021-01-01", "b"), ("2021-07-01", "b")] == [
            (each.adjusted_on.isoformat(), each.plan_id) for each in found
        ]
        assert ["a", "b", "b"] == [each.adjustee_id for each in found]

    def test_the_year_is_that_of_the_day(self) -> None:
        """2021 and 2022."""
        assert ["2021", "2022"] == [each.year for each in self.RESULT]


class TestInForce:
    """What an item costs on a day."""

    def test_an_item_without_plan_has_its_price(self) -> None:
        terms = lease(item=home("85.50", id="rent"))

        assert "85.50" == worth(terms, "2030-01-01", what="rent")

    def test_a_balance_without_plan_has_its_amount(self) -> None:
        terms = lease(balances=(deposit(id="deposit"),))

        assert "30000.00" == worth(terms, "2030-01-01", what="deposit")

    def test_what_is_not_there_is_told(self) -> None:
        terms = lease(item=home(id="rent"), balances=(deposit(),))
        with pytest.raises(rb.MissingFactError) as caught:
            rb.amount_in_force(terms, "parking", "2021-01-01")

        expected = rb.MissingFactError("unknown_item", item="parking", known="rent, balance-1")
        assert expected == caught.value

    def test_a_day_may_be_given_as_such(self) -> None:
        terms = lease(by_index())

        assert amount("11000.00") == rb.amount_in_force(
            terms, ITEM, date(2021, 1, 1), indices=TENTHS
        )


class TestListing:
    """Adjustments that were made are listed, and rolled back again."""

    def test_what_is_listed_is_not_computed_again(self) -> None:
        terms = lease(by_index())
        listed = rb.adjusted_terms(terms, rb.rent_adjustments(terms, TO_2022, indices=TENTHS))

        assert [("2021-01-01", "11000.00"), ("2022-01-01", "12100.00")] == made(
            listed, days=TO_2022
        )
        assert 2 == len(listed.rent_adjustment_plans[0].adjustments)

    def test_a_day_is_listed_once(self) -> None:
        terms = lease(by_index())
        found = rb.rent_adjustments(terms, TO_2022, indices=TENTHS)
        listed = rb.adjusted_terms(terms, found)

        assert listed == rb.adjusted_terms(listed, found)

    def test_each_goes_to_its_plan(self) -> None:
        terms = lease(
            plan(by_index(), id="a"), plan(by_steps(step(2030, "2 %"), adjustment_month=7), id="b")
        )
        first, second = rb.adjusted_terms(
            terms, rb.rent_adjustments(terms, ONE_YEAR, indices=TENTHS)
        ).rent_adjustment_plans

        assert (1, 0) == (len(first.adjustments), len(second.adjustments))

    @rows("named", [None, "other"])
    def test_an_adjustment_of_no_plan_is_refused(self, named: str | None) -> None:
        stray = rb.RentAdjustment(adjusted_on=day("2021-01-01"), plan_id=named)
        for terms, known in ((lease(by_index()), "plan-1"), (lease(), "terms with plans")):
            with pytest.raises(InvalidRecordError) as caught:
                rb.adjusted_terms(terms, [stray])

            (problem,) = caught.value.problems
            assert ("[0].planId", "unknown_plan", known) == (
                problem.path,
                problem.code,
                problem.expected,
            )

    def test_rolling_back_gives_the_terms_before(self) -> None:
        terms = lease(by_index())
        found = rb.rent_adjustments(terms, TO_2022, indices=TENTHS)
        once = rolled_back(rb.adjusted_terms(terms, found), ITEM)

        assert rb.adjusted_terms(terms, found[:1]) == once
        assert terms == rolled_back(once, ITEM)
        with pytest.raises(rb.MissingFactError) as caught:
            rolled_back(terms, ITEM)
        assert rb.MissingFactError("no_adjustment", item=ITEM) == caught.value

    def test_what_was_rolled_back_is_made_again(self) -> None:
        rule = by_index(most="0.04", index_clause=ruled(basis="anchored").index_clause)
        terms = lease(rule)
        found = rb.rent_adjustments(terms, TO_2022, indices=TENTHS)
        back = rolled_back(rb.adjusted_terms(terms, found), ITEM)

        assert found == rb.rent_adjustments(back, TO_2022, indices=TENTHS)

    def test_the_latest_of_all_plans_of_the_item_goes(self) -> None:
        terms = lease(by_index(), by_steps(step(2021, "2 %"), adjustment_month=7))
        listed = rb.adjusted_terms(terms, rb.rent_adjustments(terms, ONE_YEAR, indices=TENTHS))
        first, second = rolled_back(listed, ITEM).rent_adjustment_plans

        assert (1, 0) == (len(first.adjustments), len(second.adjustments))

    def test_other_items_keep_theirs(self) -> None:
        rents = plan(by_index(), adjustee_ref="a", id="a")
        other = plan(
            by_index(),
            adjustee_ref="deposit",
            adjusts_recurring_bill_item=False,
            adjusts_balance=True,
            id="b",
        )
        terms = lease(
            rents, other, recurring_bill_items=(home(id="a"),), balances=(deposit(id="deposit"),)
        )
        listed = rb.adjusted_terms(terms, rb.rent_adjustments(terms, ONE_YEAR, indices=TENTHS))
        first, second = rolled_back(listed, "deposit").rent_adjustment_plans

        assert (1, 0) == (len(first.adjustments), len(second.adjustments))


def test_public_functions_are_functions_after_their_first_use() -> None:
    assert callable(rentbilling.rent_adjustments)
    assert presets.find("DE")
    assert callable(presets.preset)
    assert presets.legal_caps("DK")
    assert callable(presets.legal_caps)


class TestBills:
    """Bills beside adjustments (A2, A16, A41)."""

    def test_a_deposit_in_another_currency_has_a_bill_of_its_own(self) -> None:
        """10,000 DKK × 110/100, and 100 EUR for a deposit of 1,000 EUR."""
        terms = lease(
            plan(by_index(), adjusts_balance=True),
            balances=(rb.Balance(id="b", amount=amount("1000.00 EUR")),),
        )
        found = rb.bill_period(
            terms,
            "2021-01-01/2021-01-31",
            indices=TENTHS,
            policy=rb.BillingPolicy(balance_change="once"),
        )

        assert ["10000.00 DKK", "100.00 EUR"] == [str(bill.total) for bill in found]

    def test_a_bill_in_advance_tells_what_is_missing_for_its_days(self) -> None:
        """The bill of December pays for January, whose adjustment has no index (A41)."""
        terms = lease(by_index(), item=home(due_date_rule=rb.DueDateRule(day_of_period=-20)))
        found = rb.pending_bills(
            terms, "2020-12-01/2020-12-31", indices=series({"2019-10": 100}), policy=GOES_ON
        )

        assert ["missing_index"] == [notice.code for notice in found.notices]

    def test_what_was_asked_before_brings_no_notice(self) -> None:
        """Bills of 2020 say the same before and after bills of 2022 were asked for."""
        values = octobers(100, 110, 121, provisional=["2019-10", "2020-10"])
        compiled = rb.compile_terms(lease(by_index()), indices=values)
        before = rb.pending_bills(compiled, "2020-11-01/2020-11-30").notices
        rb.pending_bills(compiled, IN_2022)

        assert () == before == rb.pending_bills(compiled, "2020-11-01/2020-11-30").notices


class TestOrder:
    """Compiled terms answer in any order, whatever cycle they have (A10, A39, A42)."""

    def test_balances_of_an_earlier_year_asked_for_later(self) -> None:
        """3 × 1,000 in 2021, after 3 × 1,100 in 2022 was asked for."""
        both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
        compiled = rb.compile_terms(
            lease(both, balances=(deposit(months="3"),)),
            indices=TENTHS,
            policy=rb.BillingPolicy(balance_change="once"),
        )
        found = [
            str(
                rb.pending_bills(compiled, f"{year}-01-01/{year}-01-31")[0]
                .lines[1]
                .net_price.amount
            )
            for year in (2022, 2021)
        ]

        assert ["3300.00", "3000.00"] == found

    def test_a_rent_in_arrears_follows_its_index(self) -> None:
        """January 2021 is billed on its last day, at 11,000."""
        rule = rb.DueDateRule(day_of_period=-1, relative_to="end")
        terms = lease(by_index(), item=home(due_date_rule=rule))
        found = rb.pending_bills(terms, "2020-12-31/2021-01-31", indices=TENTHS)

        assert ["10000.00", "11000.00"] == [str(bill.total.amount) for bill in found]
