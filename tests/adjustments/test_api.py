"""Rent adjustments as callers ask for them: made, next, in force, listed and rolled back."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import rentbilling
import rentbilling as rb
from rentbilling import presets
from rentbilling.adjustments import AdjustmentResult, rolled_back
from rentbilling.errors import InvalidRecordError, RentBillingError
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
from tests.support.refusals import Call, faults, refusal_text, refused
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
REFUSED: list[tuple[str, Call]] = [
    *(("InvalidRecordError: not_adjustable", lambda ask=ask, given=given: ask(given))
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
UNKNOWN: list[tuple[RentBillingError, Call]] = [
    (rb.MissingFactError("amount_needed", plan="plan-1"),
     lambda: rb.rent_adjustments(plan(by_index()), **TENTH)),
    (rb.MissingFactError("amount_needed", plan="yearly"),
     lambda: rb.rent_adjustments(plan(by_index(), id="yearly"), **TENTH)),
    # What counts from a start needs a lease.
    *((rb.MissingFactError("start_needed", plan="plan-1", rule="rule-1"),
       lambda fields=fields: rb.rent_adjustments(plan(by_index(most="0.04", **fields)), **MONTHLY))
      for fields in ({"pro_rata": "first_year"}, {"pro_rata": "elapsed"},
                     {"limit_per": "year_simple"}, {"interval_years": 5})),
    (rb.MissingFactError("unknown_item", item="parking", known="rent, balance-1"),
     lambda: rb.amount_in_force(
        lease(item=home(id="rent"), balances=(deposit(),)), "parking", "2021-01-01")),
    (rb.MissingFactError("no_adjustment", item=ITEM), lambda: rolled_back(lease(by_index()), ITEM)),
]
TOO_MUCH: list[tuple[str, dict[str, object], Call]] = [
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
    # Twelve rents and a rise of the deposit are more than twelve lines (A60).
    ("too_many_lines", {"lines": 13}, lambda: rb.pending_bills(
        lease(plan(by_index(), **BOTH), balances=(deposit(months="3"),)), IN_2021, indices=TENTHS,
        policy=rb.BillingPolicy(balance_change="once", max_lines=12))),
]
# fmt: on


@rows(("expected", "call"), REFUSED)
def test_what_is_wrong_is_refused_with_its_place(expected: str, call: Call) -> None:
    assert expected == refusal_text(call)


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
    assert [("not_adjustable", "lease terms")] == faults(
        lambda: ask(given), InvalidRecordError, "code expected"
    )


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
def test_what_is_not_known_is_missed(expected: RentBillingError, call: Call) -> None:
    assert expected == refused(call, type(expected))


@rows(("code", "facts", "call"), TOO_MUCH)
def test_what_is_too_large_is_refused(code: str, facts: dict[str, object], call: Call) -> None:
    error = refused(call, rb.UnsupportedCaseError)

    assert code == error.code
    assert facts.items() <= error.facts.items()


def test_an_amount_is_rounded_down_to_the_last_step() -> None:
    """40,000.07 a year, cut by the quarter: 10,000.01 and not 10,000.02 (A38)."""
    rule = by_steps(step(2021, "40000.07", level=True), amount_rounding="down", amount_per="year")
    terms = lease(rule, item=home("9000.00", billing_cycle=rb.BillingCycle(period_length=3)))

    assert ["10000.01"] == amounts(terms, None, IN_2021)


# fmt: off
ALONE: list[tuple[str, rb.RentAdjustmentPlan, str, rb.IndexSeries, rb.Amount]] = [
    # A plan without a lease adjusts a monthly amount (A32), which is that of the first day.
    ("2022-01-01 recurring-1 11000.00 DKK, 2023-01-01 recurring-1 12100.00 DKK", plan(by_index()),
     "2022-01-01/2023-12-31", TENTHS, amount("10000.00")),
    # It names what it adjusts.
    ("2021-01-01 rent 11000.00 DKK", plan(by_index(), adjustee_ref="rent"), ONE_YEAR, TENTHS,
     amount("10000.00")),
    # Any currency will do.
    ("2021-01-01 recurring-1 1101 JPY", plan(by_index()), ONE_YEAR, TENTHS, rb.Amount(1001, "JPY")),
    # An interval may start in a first year: every second year from 2019 on.
    ("2021-01-01 recurring-1 11000.00 DKK", plan(by_index(first_year="2019", interval_years=2)),
     "2021-01-01/2022-12-31", series({"2018-10": 100, "2020-10": 110}), amount("10000.00")),
    # The first day of all can be asked.
    ("2021-01-01 recurring-1 11000.00 DKK", plan(by_index(first_year="2021")),
     "0001-01-01/2021-12-31", TENTHS, amount("10000.00")),
]
# fmt: on


@rows(("expected", "plan", "days", "indices", "price"), ALONE)
def test_a_plan_alone_adjusts(
    expected: str,
    plan: rb.RentAdjustmentPlan,
    days: str,
    indices: rb.IndexSeries,
    price: rb.Amount,
) -> None:
    for given in (plan, plan.evolve(id="yearly")):
        found = rb.rent_adjustments(given, days, indices=indices, amount=price)

        assert {given.id or "plan-1"} == {each.plan_id for each in found}
        assert expected == ", ".join(
            f"{each.adjusted_on} {each.adjustee_id} {each.to_period_amount}" for each in found
        )


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

    def test_without_a_plan_it_is_as_it_was_agreed(self) -> None:
        terms = lease(item=home("85.50", id="rent"), balances=(deposit(id="deposit"),))

        assert ["85.50", "30000.00"] == [
            worth(terms, "2030-01-01", what=each) for each in ("rent", "deposit")
        ]

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

    @rows(
        ("terms", "gone"),
        [
            # Each goes to its plan.
            (lease(plan(by_index()), plan(by_steps(step(2030, "2 %"), adjustment_month=7))), ()),
            # The latest of all plans of the item goes; other items keep theirs.
            (lease(by_index(), by_steps(step(2021, "2 %"), adjustment_month=7)), (ITEM,)),
            (
                lease(
                    plan(by_index(), adjustee_ref="a"),
                    plan(by_index(), adjustee_ref="deposit", adjusts_balance=True),
                    recurring_bill_items=(home(id="a"),),
                    balances=(deposit(id="deposit"),),
                ),
                ("deposit",),
            ),
        ],
    )
    def test_the_first_plan_alone_lists_an_adjustment(
        self, terms: rb.LeaseTerms, gone: tuple[str, ...]
    ) -> None:
        listed = rb.adjusted_terms(terms, rb.rent_adjustments(terms, ONE_YEAR, indices=TENTHS))
        for item in gone:
            listed = rolled_back(listed, item)

        assert [1, 0] == [len(each.adjustments) for each in listed.rent_adjustment_plans]

    @rows("named", [None, "other"])
    @rows(("terms", "known"), [(lease(by_index()), "plan-1"), (lease(), "terms with plans")])
    def test_an_adjustment_of_no_plan_is_refused(
        self, named: str | None, terms: rb.LeaseTerms, known: str
    ) -> None:
        stray = rb.RentAdjustment(adjusted_on=day("2021-01-01"), plan_id=named)

        assert [("[0].planId", "unknown_plan", known)] == faults(
            lambda: rb.adjusted_terms(terms, [stray]), InvalidRecordError, "path code expected"
        )

    def test_rolling_back_gives_the_terms_before(self) -> None:
        terms = lease(by_index())
        found = rb.rent_adjustments(terms, TO_2022, indices=TENTHS)
        once = rolled_back(rb.adjusted_terms(terms, found), ITEM)

        assert rb.adjusted_terms(terms, found[:1]) == once
        assert terms == rolled_back(once, ITEM)

    def test_what_was_rolled_back_is_made_again(self) -> None:
        rule = by_index(most="0.04", index_clause=ruled(basis="anchored").index_clause)
        terms = lease(rule)
        found = rb.rent_adjustments(terms, TO_2022, indices=TENTHS)
        back = rolled_back(rb.adjusted_terms(terms, found), ITEM)

        assert found == rb.rent_adjustments(back, TO_2022, indices=TENTHS)


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
