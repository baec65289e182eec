"""Corners of rent adjustments: what meets, what waits, and what a service tells in part."""

from decimal import Decimal
from typing import Any, ClassVar

import pytest

import rentbilling
from rentbilling import (
    Balance,
    BillingCycle,
    BillingPolicy,
    DueDateRule,
    IndexPoint,
    LeaseTerms,
    QuantityRecord,
    RentAdjustment,
    RentAdjustmentPlan,
    UnsupportedCaseError,
    adjusted_terms,
    amount_in_force,
    bill_period,
    compile_terms,
    explain,
    pending_bills,
    presets,
    rent_adjustments,
)
from rentbilling.adjustments import rolled_back
from rentbilling.adjustments.rule_state import NEW
from rentbilling.errors import InvalidAdjustmentRuleError, InvalidRecordError
from tests.support.explained import check_adjustments
from tests.support.plans import (
    ITEM,
    TENTHS,
    amounts,
    by_index,
    by_steps,
    clause,
    deposit,
    home,
    lease,
    octobers,
    plan,
    ruled,
    series,
    step,
    worth,
)
from tests.support.rents import amount, day, opening, price_from

GOES_ON = BillingPolicy(missing_index="notice")


class TestRecords:
    """Quantities and amounts that change beside adjustments (A18, A38)."""

    def test_a_quantity_counts_once_however_long_nothing_is_adjusted(self) -> None:
        """2 × 10,000 × 121/100 = 24,200, though 2022 and 2023 stayed below the threshold."""
        double = QuantityRecord(value=Decimal(2), start=day("2021-05-01"))
        terms = lease(
            ruled(basis="anchored", threshold="0.05"), item=home(quantity_records=(double,))
        )
        values = octobers(100, 110, 112, 113, 121)

        assert "24200.00" == worth(terms, "2024-06-01", values)

    def test_a_record_on_an_adjustments_day_goes_on_alike_once_it_is_listed(self) -> None:
        """11,500 recorded for January 2022, agreed anew at 121: × 133 / 121 = 12,640.50."""
        values = octobers(100, 110, 121, 133)
        terms = lease(
            ruled(basis="anchored"), item=home(amount_records=(price_from("2022-01-01", "11500"),))
        )
        listed = adjusted_terms(
            terms, rent_adjustments(terms, "2020-02-01/2022-12-31", indices=values)
        )

        assert "12640.50" == worth(terms, "2023-06-01", values)
        assert "12640.50" == worth(listed, "2023-06-01", values)

    def test_rolling_back_takes_the_record_of_the_day_with_it(self) -> None:
        """The item is at 10,000 again, and January 2021 is adjusted anew to 11,000 (A18)."""
        terms = lease(by_index(), item=home(amount_records=(price_from("2021-01-01", "11111"),)))
        listed = adjusted_terms(
            terms, rent_adjustments(terms, "2021-01-01/2021-12-31", indices=TENTHS)
        )
        back = rolled_back(listed, ITEM)

        assert "11111.00" == worth(listed, "2021-06-01", TENTHS)
        assert () == back.recurring_bill_items[0].amount_records
        assert "11000.00" == worth(back, "2021-06-01", TENTHS)


class TestListed:
    """Adjustments that a service tells in part (A38)."""

    def test_those_before_must_be_listed_too(self) -> None:
        """2022 begins with 11,000, and without 2021 there are 10,000 in force."""
        terms = lease(by_index())
        made = rent_adjustments(terms, "2022-01-01/2022-12-31", indices=TENTHS)
        with pytest.raises(InvalidRecordError) as refused:
            adjusted_terms(terms, made)

        (problem,) = refused.value.problems
        assert ("gap", "'11000.00 DKK'") == (problem.code, problem.met)
        assert problem.expected.startswith("10000.00 DKK")

    @pytest.mark.parametrize(
        ("fields", "found"),
        [
            ({"period_amount_change": amount("500.00")}, "10500.00"),
            ({"yearly_amount_change": amount("1200.00")}, "10100.00"),
            ({"to_yearly_amount": amount("126000.00")}, "10500.00"),
        ],
    )
    def test_a_change_is_enough(self, fields: dict[str, Any], found: str) -> None:
        told = RentAdjustment(adjusted_on=day("2021-01-01"), **fields)

        assert found == worth(lease(plan(by_index(), adjustments=(told,))), "2021-06-01", TENTHS)

    def test_one_that_tells_nothing_is_noticed(self) -> None:
        told = RentAdjustment(adjusted_on=day("2021-01-01"))
        found = rent_adjustments(
            lease(plan(by_index(), adjustments=(told,))), "2021-01-01/2021-12-31", indices=TENTHS
        )

        assert ["listed_without_amount"] == [notice.code for notice in found.notices]

    def test_one_before_the_start_is_noticed(self) -> None:
        """The opening period ends on 31 January 2020; what was listed before it changes nothing."""
        told = RentAdjustment(adjusted_on=day("2020-01-01"), to_period_amount=amount("9000.00"))
        found = rent_adjustments(
            lease(plan(by_index(), adjustments=(told,))), "2020-02-01/2021-12-31", indices=TENTHS
        )

        assert [amount("11000.00")] == [each.to_period_amount for each in found]
        (notice,) = found.notices
        assert "listed_before_start" == notice.code
        assert {"adjustedOn": "2020-01-01", "firstDay": "2020-02-01"} == dict(notice.facts)

    def test_one_that_begins_elsewhere_is_noticed(self) -> None:
        """It says 9,000 before, and 10,000 are in force."""
        told = RentAdjustment(
            adjusted_on=day("2021-01-01"),
            from_period_amount=amount("9000.00"),
            to_period_amount=amount("10500.00"),
        )
        found = rent_adjustments(
            lease(plan(by_index(), adjustments=(told,))), "2021-01-01/2021-12-31", indices=TENTHS
        )

        assert [
            ("listed_from_differs", {"told": "9000.00 DKK", "inForce": "10000.00 DKK"}),
            ("record_differs", {"agreed": "10500.00 DKK", "byTheRules": "11000.00 DKK"}),
        ] == [
            (each.code, {k: v for k, v in each.facts if k != "adjustedOn"})
            for each in found.notices
        ]


class TestWhatDoesNothing:
    """Rules and fields that would do nothing are refused by name (A40)."""

    @pytest.mark.parametrize(
        ("combine", "verb"), [("sum", "add to"), ("lower_of", "compete with"), ("limit", "limit")]
    )
    def test_a_rule_without_one_before_it_in_its_month(self, combine: str, verb: str) -> None:
        alone = by_index(
            most="0.04",
            index_month=None if combine == "limit" else 10,
            index_clause=clause(combine=combine),
        )
        for rules in ((alone,), (by_index(adjustment_month=7), alone), (alone, by_index())):
            with pytest.raises(InvalidAdjustmentRuleError) as refused:
                plan(*rules)

            (problem,) = refused.value.problems
            assert "says_nothing" == problem.code
            assert f"has no rule before it to {verb} in its month" == problem.message

    def test_a_rule_that_meets_another_every_other_time(self) -> None:
        cap = by_index(
            most="0.04", index_month=None, index_clause=clause(combine="limit", interval_months=6)
        )

        assert 2 == len(plan(by_index(adjustment_month=7), cap).rent_adjustment_rules)

    @pytest.mark.parametrize(
        ("fields", "path"),
        [
            ({"interval_months": 6}, "index_month"),
            ({"interval_months": 18}, "index_month"),
            (
                {"interval_months": 6, "reference": "quarter", "index_quarter": 2},
                "index_clause.index_quarter",
            ),
        ],
    )
    def test_one_time_of_the_year_for_several_adjustments(
        self, fields: dict[str, Any], path: str
    ) -> None:
        """April for January and for July: some rises would be counted twice (A33)."""
        month = None if "index_quarter" in fields else 10
        with pytest.raises(InvalidAdjustmentRuleError) as refused:
            by_index(index_month=month, index_clause=clause(**fields))

        assert [(path, "contradiction")] == [
            (each.path, each.code) for each in refused.value.problems
        ]

    def test_all_of_a_difference_in_money(self) -> None:
        with pytest.raises(InvalidAdjustmentRuleError) as refused:
            clause(basis="anchored", share_of="money")

        assert ["share_of"] == [each.path for each in refused.value.problems]

    def test_a_start_index_beside_published_changes(self) -> None:
        rule = ruled(start_point="2019-10", start_index="100", base="B", reference="year_mean")
        rates = series({"2020": "0.02"}, kind="change", base="B")
        with pytest.raises(InvalidAdjustmentRuleError) as refused:
            amounts(lease(rule), rates, "2021-01-01/2021-12-31")

        (problem,) = refused.value.problems
        assert "says_nothing" == problem.code
        assert problem.path.endswith("rentAdjustmentRules[0].indexClause.startIndex")


class TestFactor:
    """A correction factor acts once on a rent (A40)."""

    def test_a_limit_holds_the_step_with_it(self) -> None:
        """10,000 × 1.1 × 0.9 = 9,900 is no rise; then one percent a year: 9,999 and 10,098.99."""
        rule = by_index(most="0.01", index_clause=clause(basis="anchored", correction_factor="0.9"))

        assert ["9900.00", "9999.00", "10098.99"] == amounts(
            lease(rule), octobers(100, 110, 121, "133.1"), "2020-02-01/2023-12-31"
        )

    def test_a_limit_is_not_exceeded_by_it(self) -> None:
        """10,000 × 1.06 × 1.02 = 10,812, held at 4 %: 10,400, and 10,816 the year after (A35)."""
        own = clause(basis="anchored", correction_factor="1.02")
        rule = by_index(most="0.04", index_clause=own)

        assert ["10400.00", "10816.00"] == amounts(
            lease(rule), octobers(100, 106, "112.36"), "2020-02-01/2022-12-31"
        )

    def test_the_indexed_part_is_limited_with_it(self) -> None:
        """4,000 of 10,000 follow: (6,000 + 4,400) × 0.9 = 9,360, no rise of the part.

        The part that stands still is 5,400, so 3,960 of 9,360 follow: held at 2 %, 4,039.20 of
        9,439.20, where the index alone would make (6,000 + 4,840) × 0.9 = 9,756.
        """
        own = clause(basis="anchored", correction_factor="0.9", indexed_amount="4000 DKK")
        rule = by_index(most="0.02", index_clause=own)

        assert ["9360.00", "9439.20"] == amounts(
            lease(rule), octobers(100, 110, 121), "2020-02-01/2022-12-31"
        )

    def test_a_rent_agreed_later_has_it_already(self) -> None:
        """9,900 in 2021; 12,000 agreed, × 121/110 = 13,200 in 2022, not × 0.9 again."""
        terms = lease(
            ruled(basis="anchored", correction_factor="0.9"),
            item=home(amount_records=(price_from("2021-06-01", "12000"),)),
        )

        assert ["9900.00", "13200.00"] == amounts(terms, TENTHS, "2020-02-01/2022-12-31")


class TestBounds:
    """What is too large."""

    def test_an_amount_in_force_that_nobody_can_write_is_refused(self) -> None:
        """Doubled each year, the rent of 2100 has 29 digits (A1)."""
        terms = lease(by_steps(step(2021, "100 %", recurs=True)))
        with pytest.raises(UnsupportedCaseError) as refused:
            amount_in_force(terms, ITEM, "2100-01-01")

        assert "amount_too_large" == refused.value.code

    def test_adjustments_beyond_the_bound_are_refused_before_computing(self) -> None:
        """Ten years of adjustments, and an answer may have five lines (A60)."""
        terms = lease(by_steps(step(2021, "1 %", recurs=True)))
        with pytest.raises(UnsupportedCaseError) as refused:
            rent_adjustments(terms, "2020-01-01/2030-12-31", policy=BillingPolicy(max_lines=5))

        assert ("too_many_lines", 5) == (refused.value.code, refused.value.facts["most"])

    def test_lines_of_balances_count(self) -> None:
        """Twelve rents and three instalments are more than fourteen lines (A60)."""
        both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
        terms = lease(both, balances=(deposit(months="3"),))
        policy = BillingPolicy(balance_change="instalments", max_lines=14)
        with pytest.raises(UnsupportedCaseError) as refused:
            pending_bills(terms, "2021-01-01/2021-12-31", indices=TENTHS, policy=policy)

        assert ("too_many_lines", 15) == (refused.value.code, refused.value.facts["lines"])

    def test_an_amount_is_rounded_down_to_the_last_step(self) -> None:
        """40,000.07 a year, cut by the quarter: 10,000.01 and not 10,000.02 (A38)."""
        rule = by_steps(
            step(2021, "40000.07", level=True),
            index_clause=clause(amount_rounding="down", amount_per="year"),
        )
        terms = lease(rule, item=home("9000.00", billing_cycle=BillingCycle(period_length=3)))

        assert ["10000.01"] == amounts(terms, None, "2021-01-01/2021-12-31")


class TestBills:
    """Bills beside adjustments (A2, A16, A41)."""

    def test_a_deposit_in_another_currency_has_a_bill_of_its_own(self) -> None:
        """10,000 DKK × 110/100, and 100 EUR for a deposit of 1,000 EUR."""
        terms = lease(
            plan(by_index(), adjusts_balance=True),
            balances=(Balance(id="b", amount=amount("1000.00 EUR")),),
        )
        found = bill_period(
            terms,
            "2021-01-01/2021-01-31",
            indices=TENTHS,
            policy=BillingPolicy(balance_change="once"),
        )

        assert ["10000.00 DKK", "100.00 EUR"] == [str(bill.total) for bill in found]

    def test_a_bill_in_advance_tells_what_is_missing_for_its_days(self) -> None:
        """The bill of December pays for January, whose adjustment has no index (A41)."""
        terms = lease(by_index(), item=home(due_date_rule=DueDateRule(day_of_period=-20)))
        found = pending_bills(
            terms, "2020-12-01/2020-12-31", indices=series({"2019-10": 100}), policy=GOES_ON
        )

        assert ["missing_index"] == [notice.code for notice in found.notices]

    def test_what_was_asked_before_brings_no_notice(self) -> None:
        """Bills of 2020 say the same before and after bills of 2022 were asked for."""
        values = octobers(100, 110, 121, provisional=["2019-10", "2020-10"])
        compiled = compile_terms(lease(by_index()), indices=values)
        before = pending_bills(compiled, "2020-11-01/2020-11-30").notices
        pending_bills(compiled, "2022-01-01/2022-12-31")

        assert () == before == pending_bills(compiled, "2020-11-01/2020-11-30").notices


class TestOrder:
    """Compiled terms answer in any order, whatever cycle they have (A10, A39, A42)."""

    def test_balances_of_an_earlier_year_asked_for_later(self) -> None:
        """3 × 1,000 in 2021, after 3 × 1,100 in 2022 was asked for."""
        both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
        compiled = compile_terms(
            lease(both, balances=(deposit(months="3"),)),
            indices=TENTHS,
            policy=BillingPolicy(balance_change="once"),
        )
        found = [
            str(pending_bills(compiled, f"{year}-01-01/{year}-01-31")[0].lines[1].net_price.amount)
            for year in (2022, 2021)
        ]

        assert ["3300.00", "3000.00"] == found

    def test_a_rent_in_arrears_follows_its_index(self) -> None:
        """January 2021 is billed on its last day, at 11,000."""
        rule = DueDateRule(day_of_period=-1, relative_to="end")
        terms = lease(by_index(), item=home(due_date_rule=rule))
        found = pending_bills(terms, "2020-12-31/2021-01-31", indices=TENTHS)

        assert ["10000.00", "11000.00"] == [str(bill.total.amount) for bill in found]


class TestShares:
    """What is shown as applied is what was applied (A35)."""

    def test_a_share_of_money_shows_the_step_of_the_rent(self) -> None:
        """Half of 1,000 on 10,000 are five percent."""
        terms = lease(ruled(basis="anchored", share_of="money", share="0.5"))
        (made,) = rent_adjustments(terms, "2021-01-01/2021-12-31", indices=TENTHS)

        assert Decimal("0.05") == made.adjustment_rules_effects[0].applied_percentage


def test_public_functions_are_functions_after_their_first_use() -> None:
    assert callable(rentbilling.rent_adjustments)
    assert presets.find("DE")
    assert callable(presets.preset)
    assert presets.legal_caps("DK")
    assert callable(presets.legal_caps)


class TestRulesTogether:
    """What one rule makes is not lost where another one counts from its base again (A33, A37)."""

    # A tenth of 100 more each October, and a hundredth each November.
    BOTH = series(
        {f"{year}-10": 100 + 10 * at for at, year in enumerate(range(2019, 2024))}
        | {f"{year}-11": 100 + at for at, year in enumerate(range(2019, 2024))}
    )
    FAST = clause(basis="anchored")
    SLOW = by_index(index_month=11)

    @pytest.mark.parametrize(
        "plans",
        [
            [plan(by_index(index_clause=FAST), SLOW)],
            [plan(SLOW, by_index(index_clause=FAST))],
            [plan(SLOW, by_index(index_clause=FAST, adjustment_month=2, first_year="2021"))],
            [
                plan(by_index(index_clause=FAST)),
                plan(SLOW.evolve(adjustment_month=2, first_year="2021")),
            ],
            [plan(by_index(most="1", index_clause=clause(after_limit="carry")), SLOW)],
        ],
        ids=["one plan", "the other order", "two months", "two plans", "carrying"],
    )
    def test_the_same_rules_give_the_same_rent(self, plans: list[RentAdjustmentPlan]) -> None:
        """10,000 × 1.4 × 1.04 = 14,560 in 2024, in whichever plan or order the rules are."""
        assert "14560.00" == worth(lease(*plans), "2024-06-01", self.BOTH)

    def test_a_rule_waits_for_itself_alone(self) -> None:
        """The March rule waits from 2022 and the June rule from 2025, for values that are missing.

        2029: 10,000 × 407.30 / 342.40 = 11,895.44, from March 2021 to March 2029. 2033: June
        compares with March 2029, which is counted: × 461.03 / 407.30 = 13,464.66.
        """
        values = series(
            {"2021-03": "342.40", "2024-06": "373.38", "2029-03": "407.30", "2033-06": "461.03"}
        )
        june = by_index(adjustment_month=8, index_month=6, first_year="2025")
        march = by_index(adjustment_month=8, index_month=3)
        may = by_index(adjustment_month=10, index_month=5, last_year="2022")
        first = opening("2022-03-01/2022-05-31", price="10000.00")
        opened = home(first_billing_period_bill_item=first, started_on=day("2022-03-01"))
        terms = lease(plan(june, march), plan(may), item=opened)
        days = "2022-06-01/2033-12-31"
        found = rent_adjustments(terms, days, indices=values, policy=GOES_ON)
        early = [each for each in found if each.year == "2029"]
        after = adjusted_terms(terms, early)

        assert ["11895.44", "13464.66"] == amounts(terms, values, days, GOES_ON)
        assert ["11895.44", "13464.66"] == amounts(after, values, days, GOES_ON)

    def test_a_rule_that_never_passed_hands_nothing_on(self) -> None:
        """2 % a year never pass 5 %; the rule that follows in 2023 begins with one year's 2 %."""
        values = octobers(100, 102, "104.04", "106.1208")
        rules = plan(ruled(threshold="0.05").evolve(last_year="2022"), by_index(first_year="2023"))

        assert ["10200.00"] == amounts(lease(rules), values, "2020-02-01/2023-12-31")


class TestNewBases:
    """What a rule counts from after a limit or an amount that was agreed (A34, A35, A40)."""

    def test_a_limit_sets_the_index_of_a_mixed_rule_anew(self) -> None:
        """10 % held at 4 % in 2021; the index stays, so 2022 adds nothing to 10,400."""
        rule = by_index(most="0.04", index_clause=clause(basis="mixed"))

        assert ["10400.00", "10400.00"] == amounts(
            lease(rule), octobers(100, 110, 110), "2020-02-01/2022-12-31"
        )

    def test_a_mixed_rule_counts_from_the_index_that_the_contract_states(self) -> None:
        """10,000 × 110 / 50, and 22,000 × 121 / 50, as often as it adjusts."""
        stated = clause(basis="mixed", start_point="2019-10", start_index="50", base="2015=100")

        assert ["22000.00", "53240.00"] == amounts(
            lease(by_index(index_clause=stated)), TENTHS, "2020-02-01/2022-12-31"
        )

    def test_an_agreed_amount_is_what_the_rule_itself_made_last(self) -> None:
        """12,000 agreed after 11,000, and two percent by another rule: 12,000 × 1.1 = 13,200."""
        terms = lease(
            plan(ruled(basis="last_indexed"), by_steps(step(2021, "2 %"), adjustment_month=7)),
            item=home(amount_records=(price_from("2021-06-01", "12000.00"),)),
        )

        assert ["11000.00", "12240.00", "13200.00"] == amounts(
            terms, TENTHS, "2020-02-01/2022-12-31"
        )

    def test_what_is_applied_is_rounded_after_limits(self) -> None:
        """10,400 × 1.04 = 10,816 are 8.16 % from the base of 10,000: 8 %, 10,800."""
        own = clause(
            basis="anchored",
            after_limit="carry",
            percentage_decimals=0,
            percentage_rounded="applied",
        )

        assert ["10400.00", "10800.00"] == amounts(
            lease(by_index(most="0.04", index_clause=own)),
            octobers(100, 106, "112.36"),
            "2020-02-01/2022-12-31",
        )

    def test_a_limit_holds_a_deposit_also_where_the_rent_keeps_to_it(self) -> None:
        """1,030 become 1,000 in steps of 100; the deposit of 3,090 is held at 3,030 (A39)."""
        held = by_index(most="0.01", index_month=None, index_clause=clause(combine="limit"))
        both = plan(
            ruled(amount_quantum="100"),
            held,
            adjusts_recurring_bill_item=True,
            adjusts_balance=True,
        )
        terms = lease(both, item=home("1000.00"), balances=(deposit("3000.00"),))
        (made,) = rent_adjustments(terms, "2020-02-01/2021-12-31", indices=octobers(100, 103))

        assert ("1000.00", "3030.00") == (
            f"{made.to_period_amount.amount}" if made.to_period_amount else "",
            f"{made.to_balance_amount.amount}" if made.to_balance_amount else "",
        )
        assert explain(rent_adjustments(terms, "2021-01-01/2021-01-31", indices=octobers(100, 103)))

    def test_a_stated_amount_follows_other_rules_before_the_rule_has_acted(self) -> None:
        """9,000 stated, two percent in July 2020, and × 1.1 in January 2021: 10,098 (A34)."""
        stated = ruled(basis="last_indexed", base_amount="9000 DKK")
        terms = lease(stated, by_steps(step(2020, "2 %"), adjustment_month=7))

        assert ["10200.00", "10098.00"] == amounts(terms, TENTHS, "2020-02-01/2021-12-31")

    def test_an_earlier_point_is_counted_already(self) -> None:
        """October 2021 was applied by another rule, and then October 2020."""
        first, later = (IndexPoint.parse(each) for each in ("2020-10", "2021-10"))
        waiting = NEW._replace(last_point=first, other_point=later, waits=True)

        assert waiting == waiting.counted(first)

    def test_a_record_between_listed_adjustments_is_one_of_any_other_day(self) -> None:
        """12,000 from 2021 on; 2022 is listed at 13,200, which is what the rule makes of it."""
        item = home(amount_records=(price_from("2021-01-01", "12000.00"),))
        listed = RentAdjustment(adjusted_on=day("2022-01-01"), to_period_amount=amount("13200.00"))
        terms = lease(plan(by_index(), adjustments=(listed,)), item=item)
        found = rent_adjustments(terms, "2020-02-01/2023-12-31", indices=TENTHS)

        assert ["2022-01-01", "2023-01-01"] == [f"{each.adjusted_on}" for each in found]
        assert "14520.00" == worth(terms, "2023-06-01", TENTHS)
        assert () == found.notices


class TestWorkings:
    """Explanations of what several rules, limits and balances lead to, replayed (A35 to A40)."""

    BOTH: ClassVar[dict[str, Any]] = {
        "adjusts_recurring_bill_item": True,
        "adjusts_balance": True,
    }
    HELD = by_index(most="0.01", index_month=None, index_clause=clause(combine="limit"))
    APPLIED: ClassVar[dict[str, Any]] = {
        "percentage_decimals": 0,
        "percentage_rounded": "applied",
        "after_limit": "carry",
    }
    ADDED = by_steps(step(2021, "2 %", recurs=True), index_clause=clause(combine="sum"))

    @pytest.mark.parametrize(
        "terms",
        [
            lease(by_index(most="0.04", index_clause=clause(basis="anchored", **APPLIED))),
            lease(
                by_index(
                    most="0.04",
                    index_clause=clause(basis="anchored", correction_factor="0.9", **APPLIED),
                )
            ),
            lease(by_index(most="0.015", index_clause=clause(**APPLIED))),
            lease(
                by_index(
                    most="0.02",
                    index_clause=clause(
                        after_limit="carry", pro_rata="elapsed", pro_rata_months=24
                    ),
                )
            ),
            lease(
                plan(ruled(carried="exact", share="0.333"), by_steps(step(2021, "3 %"))),
                item=home("100.00"),
            ),
            lease(plan(by_index(), HELD, **BOTH), balances=(deposit("3000.00"),)),
            lease(
                plan(ruled(amount_quantum="10000"), HELD, **BOTH), balances=(deposit("3000.00"),)
            ),
            lease(plan(by_index(), HELD, **BOTH), balances=(deposit("0.00"),)),
            lease(plan(by_index(), ADDED, **BOTH), balances=(deposit("3000.00"),)),
            lease(
                plan(by_index(), ADDED, **BOTH),
                item=home("0.00"),
                balances=(deposit("3000.00"),),
            ),
            lease(
                plan(
                    by_index(),
                    by_steps(
                        step(2021, "1200.00", recurs=True), index_clause=clause(combine="sum")
                    ),
                    **BOTH,
                ),
                item=home("0.00"),
                balances=(deposit("3000.00"),),
            ),
            lease(
                plan(
                    by_index(),
                    by_steps(
                        step(2021, "1200.00", recurs=True), index_clause=clause(combine="sum")
                    ),
                    **BOTH,
                ),
                balances=(deposit("3000.00"),),
            ),
            lease(
                plan(
                    by_index(),
                    by_steps(
                        step(2021, "2 %", recurs=True), index_clause=clause(combine="lower_of")
                    ),
                    **BOTH,
                ),
                balances=(deposit("3000.00"),),
            ),
        ],
    )
    def test_they_lead_to_the_figures(self, terms: LeaseTerms) -> None:
        values = octobers(100, 107, "112.36", "112.4", "113.5", 120, 121, 125, 131, 140, 141, 150)

        check_adjustments(terms, values, BillingPolicy(increment_amount="per_period"))


class TestFloors:
    """No rounding undercuts a floor (A40)."""

    @pytest.mark.parametrize(
        ("price", "index", "fields", "expected"),
        [
            # 10,600 is a step of 5, and below the floor.
            ("10000.00", 106, {"amount_quantum": "5", "floor_amount": "10612 DKK"}, "10612.00"),
            ("10000.00", 106, {"amount_quantum": "10", "floor_amount": "10604 DKK"}, "10604.00"),
            # 9,501.90 becomes 9,500, below the amount before.
            ("10002.00", 95, {"amount_quantum": "5", "floor_at_start": True}, "10002.00"),
            # 10,001.40 is above the floor, and 10,000 is not.
            ("9901.38", 101, {"amount_quantum": "10", "floor_amount": "10001 DKK"}, "10001.00"),
        ],
    )
    def test_a_step_does_not_undercut_it(
        self, price: str, index: int, fields: dict[str, Any], expected: str
    ) -> None:
        terms = lease(ruled(**fields), item=home(price))

        assert [expected] == amounts(terms, octobers(100, index), "2020-02-01/2021-12-31")


class TestRecordsOfTheDay:
    """A record on an adjustment's day is the adjustment, or is agreed anew and noticed (A18)."""

    @pytest.mark.parametrize(
        ("recorded", "quantity", "found"),
        [
            ("11000.00", "1", []),
            ("11000.009", "1", []),
            ("11000.01", "1", ["record_differs"]),
            # Of 50 units, each may be short of a minor unit.
            ("220.009", "50", []),
            ("220.01", "50", ["record_differs"]),
        ],
    )
    def test_less_than_a_minor_unit_is_no_difference(
        self, recorded: str, quantity: str, found: list[str]
    ) -> None:
        """10,000 × 1.1 = 11,000, or 50 × 200 × 1.1."""
        price = Decimal(10_000) / Decimal(quantity)
        item = home(
            f"{price:f}",
            quantity=Decimal(quantity),
            amount_records=(price_from("2021-01-01", recorded),),
        )
        result = rent_adjustments(
            lease(by_index(), item=item), "2021-01-01/2021-12-31", indices=TENTHS
        )

        assert found == [each.code for each in result.notices]
        assert ((),) == tuple(each.adjustment_rules_effects for each in result)

    def test_both_amounts_are_in_the_notice(self) -> None:
        """15,000 where the rule makes 11,000."""
        item = home(amount_records=(price_from("2021-01-01", "15000.00"),))
        found = rent_adjustments(
            lease(by_index(), item=item), "2021-01-01/2021-12-31", indices=TENTHS
        )

        assert {
            "adjustedOn": "2021-01-01",
            "agreed": "15000.00 DKK",
            "byTheRules": "11000.00 DKK",
        } == dict(found.notices[0].facts)

    def test_a_value_that_is_missing_is_no_error(self) -> None:
        """Nobody needs October 2019 where the day has a record."""
        item = home(amount_records=(price_from("2021-01-01", "11000.00"),))
        values = series({"2020-10": 110, "2021-10": 121})

        assert ["11000.00", "12100.00"] == amounts(
            lease(by_index(), item=item), values, "2020-02-01/2022-12-31"
        )
