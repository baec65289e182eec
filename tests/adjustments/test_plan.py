"""Rule runs: the rules of a plan on one day, each on the result of the one before (A37, A40)."""

from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.adjustments.rules.rule_state import NEW
from rentbilling.errors import InvalidAdjustmentRuleError
from tests.support.explained import check_adjustments
from tests.support.plans import (
    GOES_ON,
    IN_2021,
    IN_2023,
    TENTHS,
    TO_2021,
    TO_2022,
    TO_2023,
    Row,
    amounts,
    by_index,
    by_steps,
    clause,
    deposit,
    home,
    lease,
    made,
    octobers,
    outcome,
    plan,
    ruled,
    series,
    step,
    worth,
)
from tests.support.rents import amount, day, opening, price_from
from tests.support.rows import rows

FLAT_AFTER_A_TENTH = octobers(100, 110, 110)

# fmt: off
AMOUNTS: list[Row] = [
    # 15 % every three years from 2028: × 1.15 each (A153); and a plan alone needs no start.
    ("2028-01-01 11500.00, 2031-01-01 13225.00, 2034-01-01 15208.75",
     by_steps(step(2028, "15 %", recurs=True), interval_years=3)),
    # 5 % of 2027 and 4 % of 2030; 2029 is not on the grid.
    ("2027-01-01 10500.00, 2030-01-01 10920.00",
     by_steps(step(2027, "5 %"), step(2029, "2 %"), step(2030, "4 %"), interval_years=3)),
    # Rules act in listed order, each on the result of the one before (A37, A40).
    # Each result is rounded. 33.33 × 1.1 = 36.663, so 36.66; + 10 % = 40.326, so 40.33, and not
    # 40.3293.
    ("33.33 > 40.33", plan(by_index(), by_steps(step(2021, "10 %"))), TENTHS, IN_2021),
    # Rules of one plan may have their own months.
    ("2021-01-01 11000.00, 2021-07-01 11220.00",
     plan(by_index(), by_steps(step(2021, "2 %"), adjustment_month=7)), TENTHS, TO_2021),
    # Percentages may add up. Ten and two percent of 10,000 are 11,200, and not 11,220.
    ("11200.00", plan(by_index(), by_steps(step(2021, "2 %"), combine="sum")), TENTHS),
    # A sum is of the amount before the day. 10,000 × 1.1 = 11,000; × 1.02 = 11,220; and three
    # percent of 10,000 more: 11,520.
    ("11520.00",
     plan(by_index(), by_steps(step(2021, "2 %")), by_steps(step(2021, "3 %"), combine="sum")),
     TENTHS),
    # A sum after the lower of two adds to what was lower. Ten percent or three: three; and one
    # percent more is 10,400.
    ("10400.00",
     plan(by_index(), by_steps(step(2021, "3 %"), combine="lower_of"), by_steps(step(2021, "1 %"),
      combine="sum")), TENTHS),
    # What was lower is the base of an anchored rule. 10,300 and October 2020 are what the index
    # goes on from: × 121/110 = 11,330.
    ("10300.00 11330.00",
     plan(ruled(basis="anchored"), by_steps(step(2021, "3 %"), combine="lower_of")), TENTHS),
    # An anchored rule that was not lower goes on from what was. Three percent and not ten: 10,300
    # and October 2020, × 121/110 = 11,330.
    ("10300.00 11330.00",
     plan(by_steps(step(2021, "3 %")), ruled(basis="anchored", combine="lower_of")), TENTHS),
    # A lower rule alone on its day has nothing to be lower than. Three percent in 2021, when the
    # other rule has no increment; then its one percent.
    ("10300.00 10403.00",
     plan(by_steps(step(2022, "1 %")), by_steps(step(2021, "3 %"), combine="lower_of"))),
    # More than two percentages may add up. Ten, two and three percent of 10,000.
    ("11500.00",
     plan(by_steps(step(2021, "10 %")), *[by_steps(step(2021, text), combine="sum") for text in
      ("2 %", "3 %")])),
    # A sum alone on its day is what it says. Two percent in 2021, when the other rule has no
    # increment; then its one percent.
    ("10200.00 10302.00",
     plan(by_steps(step(2022, "1 %")), by_steps(step(2021, "2 %"), combine="sum"))),
    # A rule is not scaled by itself. Four percent carried and two due: 10,400 of its own, and
    # nothing more in 2022 (A36).
    ("10200.00 10400.00",
     plan(by_steps(step(2021, "4 %"), step(2022, "0 %"), most="0.02", after_limit="carry"),
      by_steps(step(2030, "1 %"))), None, TO_2022),
    # Two curves go on each by itself. A contract of ten percent a year and a law of four, both
    # carried, the lower is due. 2021: 11,000 or 10,400. 2022: 12,100 or 10,816.
    ("10400.00 10816.00 13310.00",
     plan(ruled(after_limit="carry"), by_steps(step(2021, "4 %", recurs=True), last_year="2022",
      combine="lower_of", after_limit="carry")), TENTHS),
    # Two rules may limit.
    ("10300.00",
     plan(by_index(), *[by_index(most=most, combine="limit") for most in ("0.04", "0.03")]),
     TENTHS),
    # Dated caps limit in their years alone. At most 4 percent in 2021 and 2022, then none: 10,400,
    # 10,816, 11,897.60.
    ("10400.00 10816.00 11897.60",
     plan(by_index(), by_index(most="0.04", last_year="2022", combine="limit")), TENTHS),
    # A cap lets an anchored rule go on from there. 10,400 in October 2020 is the new base: ×
    # 121/110 = 11,440, of which 10,816 is due.
    ("10400.00 11440.00",
     plan(ruled(basis="anchored"), by_index(most="0.04", last_year="2021", combine="limit")),
     TENTHS),
    # A sum after a limit adds to what is left. Ten percent held at four, and one percent more:
    # 10,500.
    ("10500.00",
     plan(by_index(), by_index(most="0.04", combine="limit"), by_steps(step(2021, "1 %"),
      combine="sum")), TENTHS),
    # What a limit takes from a later rule it takes from a carried curve, too. 11,000, and five
    # percent more: 11,550, held at 11,200, from which the curve goes on.
    ("11200.00 11200.00",
     plan(ruled(after_limit="carry"), by_steps(step(2021, "5 %")),
      by_index(most="0.12", combine="limit")), FLAT_AFTER_A_TENTH, TO_2022),
    # What it takes from the carrying rule itself is carried: held at 10,800, and 11,000 next.
    ("10800.00 11000.00",
     plan(ruled(after_limit="carry"), by_steps(step(2021, "5 %")),
      by_index(most="0.08", combine="limit")), FLAT_AFTER_A_TENTH, TO_2022),
    # What a later rule takes away is no part of what is cut off. 11,000 less five percent are
    # 10,450, held at 10,200, and due in the next year.
    ("10200.00 10450.00",
     plan(ruled(after_limit="carry"), by_steps(step(2021, "-5 %")),
      by_index(most="0.02", last_year="2021", combine="limit")), FLAT_AFTER_A_TENTH, TO_2022),
    # What others make on a day on which a lower rule only waits moves its base. Five percent in
    # 2021: 10,500 in place of 10,000; × 121/100 = 12,705.
    ("10500.00 12705.00",
     plan(by_steps(step(2021, "5 %")),
      ruled(basis="anchored", threshold="0.2", combine="lower_of")), TENTHS, TO_2022),
    # A limit after a rule that did nothing has nothing to hold.
    ("", plan(ruled(threshold="0.2"), by_index(least="0.02", combine="limit")), TENTHS, TO_2021),
    # Nothing can be limited of nothing. A rent of 0 has no percentage; a sum on it is 0 as well.
    ("0.00 > 1.00",
     plan(by_index(), by_index(most="0.04", combine="limit"), by_steps(step(2021, "12"),
      combine="sum")), TENTHS),
    # Two plans may share a month in different years. The increment of 2021 comes before the first
    # year of the index.
    ("10200.00 11220.00", lease(by_steps(step(2021, "2 %")), by_index(first_year="2022")), TENTHS),

    # What one rule makes is not lost where another one counts from its base again (A33, A37).
    # A rule that never passed hands nothing on. 2 % a year never pass 5 %; the rule that follows in
    # 2023 begins with one year's 2 %.
    ("10200.00",
     plan(ruled(threshold="0.05").evolve(last_year="2022"), by_index(first_year="2023")),
     (100, 102, "104.04", "106.1208"), TO_2023),

    # A rule of another series hands nothing on. Three percent of B are too few in 2021; 2022 has
    # the six since 2019, whatever A was compared with.
    ("2021-01-01 10000.00, 2022-01-01 10600.00",
     plan(by_index(series="A"), ruled(series="B", threshold="0.05")),
     [octobers(100, 100, 100, name="A"), octobers(100, 103, 106, name="B")], TO_2022),

    # What a rule counts from after a limit or an amount that was agreed (A34, A35, A40).
    # A limit sets the index of a mixed rule anew. 10 % held at 4 % in 2021; the index stays, so
    # 2022 adds nothing to 10,400.
    ("10400.00 10400.00", by_index(most="0.04", basis="mixed"), (100, 110, 110)),
    # A mixed rule counts from the index that the contract states. 10,000 × 110 / 50, and 22,000 ×
    # 121 / 50, as often as it adjusts.
    ("22000.00 53240.00",
     by_index(basis="mixed", start_point="2019-10", start_index="50", base="2015=100"), TENTHS),
    # An agreed amount is what the rule itself made last. 12,000 agreed after 11,000, and two
    # percent by another rule: 12,000 × 1.1 = 13,200.
    ("11000.00 12240.00 13200.00",
     lease(plan(ruled(basis="last_indexed"), by_steps(step(2021, "2 %"), adjustment_month=7)),
      item=home(amount_records=(price_from("2021-06-01", "12000.00"),))), TENTHS, TO_2022),
    # An agreed price is for each unit. Two of 6,000 are 12,000: two percent more, and × 1.1.
    ("11000.00 12240.00 13200.00",
     lease(plan(ruled(basis="last_indexed"), by_steps(step(2021, "2 %"), adjustment_month=7)),
           item=home("5000.00", quantity=Decimal(2),
                     amount_records=(price_from("2021-06-01", "6000.00"),))), TENTHS, TO_2022),
    # What is applied is rounded after limits. 10,400 × 1.04 = 10,816 are 8.16 % from the base of
    # 10,000: 8 %, 10,800.
    ("10400.00 10800.00",
     by_index(most="0.04", basis="anchored", after_limit="carry", percentage_decimals=0,
      percentage_rounded="applied"), (100, 106, "112.36")),
    # A stated amount follows other rules before the rule has acted. 9,000 stated, two percent in
    # July 2020, and × 1.1 in January 2021: 10,098 (A34).
    ("10200.00 10098.00",
     lease(ruled(basis="last_indexed", base_amount="9000 DKK"), by_steps(step(2020, "2 %"),
      adjustment_month=7)), TENTHS, TO_2021),
]
# fmt: on


@rows("row", AMOUNTS)
def test_a_rent_is_adjusted_to(row: Row) -> None:
    assert row[0] == outcome(*row)


class TestSeveralRules:
    """Rules act in listed order, each on the result of the one before (A37, A40)."""

    def test_each_effect_begins_where_the_one_before_ended(self) -> None:
        """10,000 → 11,000 by the index → 11,220 by two percent, with the whole beside them."""
        rules = plan(by_index(id="index"), by_steps(step(2021, "2 %"), id="plus"))
        (found,) = rb.rent_adjustments(lease(rules), IN_2021, indices=TENTHS)
        first, second = found.adjustment_rules_effects

        assert ("index", "plus") == (first.rent_adjustment_rule_id, second.rent_adjustment_rule_id)
        assert (amount("10000.00"), amount("11000.00")) == (
            first.from_period_amount,
            first.to_period_amount,
        )
        assert (amount("11000.00"), amount("11220.00"), amount("220.00")) == (
            second.from_period_amount,
            second.to_period_amount,
            second.period_amount_change,
        )
        assert (amount("10000.00"), amount("11220.00")) == (
            found.from_period_amount,
            found.to_period_amount,
        )

    def test_a_rule_with_nothing_to_do_leaves_no_effect(self) -> None:
        """In 2022 the second rule has no increment."""
        rules = plan(by_index(), by_steps(step(2021, "2 %")))
        found = rb.rent_adjustments(lease(rules), TO_2022, indices=TENTHS)

        assert [2, 1] == [len(each.adjustment_rules_effects) for each in found]

    @rows(("first", "second"), [("2 %", "12000"), ("12000", "2 %")])
    def test_amounts_and_percentages_may_add_up(self, first: str, second: str) -> None:
        """200 by percentage and 1,000 by amount, both of 10,000, in either order."""
        plus = by_steps(step(2021, second), combine="sum")

        assert ["11200.00"] == amounts(lease(plan(by_steps(step(2021, first)), plus)))

    @rows(("other", "to"), [("3 %", "10300.00"), ("12 %", "11000.00")])
    def test_the_lower_of_two_counts(self, other: str, to: str) -> None:
        """Ten percent by the index, or the other rule's percentage, both of 10,000."""
        lower = by_steps(step(2021, other), combine="lower_of")

        assert [to] == amounts(lease(plan(by_index(), lower)), TENTHS, TO_2021)

    def test_the_rule_that_is_not_lower_says_so(self) -> None:
        lower = by_steps(step(2021, "12 %"), combine="lower_of")
        (found,) = rb.rent_adjustments(lease(plan(by_index(), lower)), IN_2021, indices=TENTHS)
        effect = found.adjustment_rules_effects[1]

        assert (amount("0.00"), ("not_lower",)) == (effect.period_amount_change, effect.reasons)

    def test_the_same_percentage_is_not_lower(self) -> None:
        lower = by_steps(step(2021, "10 %"), combine="lower_of")
        (found,) = rb.rent_adjustments(lease(plan(by_index(), lower)), IN_2021, indices=TENTHS)

        assert [(), ("not_lower",)] == [each.reasons for each in found.adjustment_rules_effects]

    def test_a_rule_may_only_limit(self) -> None:
        """Ten percent and two are held at eleven together: 11,100."""
        cap = by_index(most="0.11", combine="limit")
        rules = plan(by_index(), by_steps(step(2021, "2 %")), cap)
        (found,) = rb.rent_adjustments(lease(rules), IN_2021, indices=TENTHS)
        effect = found.adjustment_rules_effects[2]

        assert amount("11100.00") == found.to_period_amount
        assert (("maximum",), amount("-120.00"), None) == (
            effect.reasons,
            effect.period_amount_change,
            effect.calculated_percentage,
        )

    def test_a_limit_that_is_not_met_leaves_no_effect(self) -> None:
        cap = by_index(most="0.12", combine="limit")
        (found,) = rb.rent_adjustments(lease(plan(by_index(), cap)), IN_2021, indices=TENTHS)

        assert 1 == len(found.adjustment_rules_effects)

    def test_two_plans_may_adjust_an_item_in_their_own_months(self) -> None:
        first, second = by_index(), by_steps(step(2021, "2 %"), adjustment_month=7)
        days = "2020-02-01/2022-06-30"
        expected = [
            ("2021-01-01", "11000.00"),
            ("2021-07-01", "11220.00"),
            ("2022-01-01", "12342.00"),
        ]

        assert expected == made(lease(first, second), TENTHS, days)
        assert expected == made(lease(second, first), TENTHS, days)

    def test_two_plans_of_one_month_are_refused(self) -> None:
        """Nobody says which of them comes first (A37)."""
        terms = lease(
            plan(by_index(first_year="2022"), id="a"), plan(by_steps(step(2023, "2 %")), id="b")
        )

        assert ["11000.00"] == amounts(terms, TENTHS, TO_2022)
        with pytest.raises(InvalidAdjustmentRuleError) as caught:
            rb.rent_adjustments(terms, IN_2023, indices=TENTHS)
        (problem,) = caught.value.problems
        assert ("rentAdjustmentPlans[1]", "two_plans", "'b'") == (
            problem.path,
            problem.code,
            problem.met,
        )
        assert "rentAdjustmentPlans[0] adjusts in 2023-01" in problem.message


class TestWhatDoesNothing:
    """Rules and fields that would do nothing are refused by name (A40)."""

    @rows(
        ("combine", "verb"), [("sum", "add to"), ("lower_of", "compete with"), ("limit", "limit")]
    )
    def test_a_rule_without_one_before_it_in_its_month(self, combine: str, verb: str) -> None:
        alone = by_index(
            most="0.04", index_month=None if combine == "limit" else 10, combine=combine
        )
        for rules in ((alone,), (by_index(adjustment_month=7), alone), (alone, by_index())):
            with pytest.raises(InvalidAdjustmentRuleError) as refused:
                plan(*rules)

            (problem,) = refused.value.problems
            assert "says_nothing" == problem.code
            assert f"has no rule before it to {verb} in its month" == problem.message

    def test_a_rule_that_meets_another_every_other_time(self) -> None:
        cap = by_index(most="0.04", combine="limit", interval_months=6)

        assert 2 == len(plan(by_index(adjustment_month=7), cap).rent_adjustment_rules)

    @rows(
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
            by_index(index_month=month, **fields)

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
            amounts(lease(rule), rates, IN_2021)

        (problem,) = refused.value.problems
        assert "says_nothing" == problem.code
        assert problem.path.endswith("rentAdjustmentRules[0].indexClause.startIndex")


class TestRulesTogether:
    """What one rule makes is not lost where another one counts from its base again (A33, A37)."""

    # A tenth of 100 more each October, and a hundredth each November.
    BOTH = series(
        {f"{year}-10": 100 + 10 * at for at, year in enumerate(range(2019, 2024))}
        | {f"{year}-11": 100 + at for at, year in enumerate(range(2019, 2024))}
    )
    FAST = clause(basis="anchored")
    SLOW = by_index(index_month=11)

    @rows(
        "plans",
        [
            [plan(by_index(index_clause=FAST), SLOW)],
            [plan(SLOW, by_index(index_clause=FAST))],
            [plan(SLOW, by_index(index_clause=FAST, adjustment_month=2, first_year="2021"))],
            [
                plan(by_index(index_clause=FAST)),
                plan(SLOW.evolve(adjustment_month=2, first_year="2021")),
            ],
            [plan(by_index(most="1", after_limit="carry"), SLOW)],
        ],
        ids=["one plan", "the other order", "two months", "two plans", "carrying"],
    )
    def test_the_same_rules_give_the_same_rent(self, plans: list[rb.RentAdjustmentPlan]) -> None:
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
        found = rb.rent_adjustments(terms, days, indices=values, policy=GOES_ON)
        early = [each for each in found if each.year == "2029"]
        after = rb.adjusted_terms(terms, early)

        assert ["11895.44", "13464.66"] == amounts(terms, values, days, GOES_ON)
        assert ["11895.44", "13464.66"] == amounts(after, values, days, GOES_ON)


class TestNewBases:
    """What a rule counts from after a limit or an amount that was agreed (A34, A35, A40)."""

    def test_a_limit_holds_a_deposit_also_where_the_rent_keeps_to_it(self) -> None:
        """1,030 become 1,000 in steps of 100; the deposit of 3,090 is held at 3,030 (A39)."""
        held = by_index(most="0.01", combine="limit")
        both = plan(
            ruled(amount_quantum="100"),
            held,
            adjusts_recurring_bill_item=True,
            adjusts_balance=True,
        )
        terms = lease(both, item=home("1000.00"), balances=(deposit("3000.00"),))
        (made,) = rb.rent_adjustments(terms, TO_2021, indices=octobers(100, 103))

        assert ("1000.00", "3030.00") == (
            f"{made.to_period_amount.amount}" if made.to_period_amount else "",
            f"{made.to_balance_amount.amount}" if made.to_balance_amount else "",
        )
        assert rb.explain(
            rb.rent_adjustments(terms, "2021-01-01/2021-01-31", indices=octobers(100, 103))
        )

    def test_an_earlier_point_is_counted_already(self) -> None:
        """October 2021 was applied by another rule, and then October 2020."""
        first, later = (rb.IndexPoint.parse(each) for each in ("2020-10", "2021-10"))
        waiting = NEW._replace(last_point=first, other_point=later, waits=True)

        assert waiting == waiting.counted(first)

    def test_a_record_between_listed_adjustments_is_one_of_any_other_day(self) -> None:
        """12,000 from 2021 on; 2022 is listed at 13,200, which is what the rule makes of it."""
        item = home(amount_records=(price_from("2021-01-01", "12000.00"),))
        listed = rb.RentAdjustment(
            adjusted_on=day("2022-01-01"), to_period_amount=amount("13200.00")
        )
        terms = lease(plan(by_index(), adjustments=(listed,)), item=item)
        found = rb.rent_adjustments(terms, TO_2023, indices=TENTHS)

        assert ["2022-01-01", "2023-01-01"] == [f"{each.adjusted_on}" for each in found]
        assert "14520.00" == worth(terms, "2023-06-01", TENTHS)
        assert () == found.notices


BOTH: dict[str, Any] = {"adjusts_recurring_bill_item": True, "adjusts_balance": True}
HELD = by_index(most="0.01", combine="limit")
APPLIED: dict[str, Any] = {
    "percentage_decimals": 0,
    "percentage_rounded": "applied",
    "after_limit": "carry",
}
ADDED = by_steps(step(2021, "2 %", recurs=True), combine="sum")
MORE = by_steps(step(2021, "1200.00", recurs=True), combine="sum")
LOWER = by_steps(step(2021, "2 %", recurs=True), combine="lower_of")
DEPOSIT = (deposit("3000.00"),)
# fmt: off
EXPLAINED = [
    lease(by_index(most="0.04", basis="anchored", **APPLIED)),
    lease(by_index(most="0.04", basis="anchored", correction_factor="0.9", **APPLIED)),
    lease(by_index(most="0.015", **APPLIED)),
    lease(by_index(most="0.02", after_limit="carry", pro_rata="elapsed", pro_rata_months=24)),
    lease(plan(ruled(carried="exact", share="0.333"), by_steps(step(2021, "3 %"))),
          item=home("100.00")),
    lease(plan(by_index(), HELD, **BOTH), balances=DEPOSIT),
    lease(plan(ruled(amount_quantum="10000"), HELD, **BOTH), balances=DEPOSIT),
    lease(plan(by_index(), HELD, **BOTH), balances=(deposit("0.00"),)),
    lease(plan(by_index(), ADDED, **BOTH), balances=DEPOSIT),
    lease(plan(by_index(), ADDED, **BOTH), item=home("0.00"), balances=DEPOSIT),
    lease(plan(by_index(), MORE, **BOTH), item=home("0.00"), balances=DEPOSIT),
    lease(plan(by_index(), MORE, **BOTH), balances=DEPOSIT),
    lease(plan(by_index(), LOWER, **BOTH), balances=DEPOSIT),
]
# fmt: on


@pytest.mark.parametrize("terms", EXPLAINED)
def test_explanations_lead_to_the_figures(terms: rb.LeaseTerms) -> None:
    """Of several rules, limits and balances, replayed (A35 to A40)."""
    values = octobers(100, 107, "112.36", "112.4", "113.5", 120, 121, 125, 131, 140, 141, 150)

    check_adjustments(terms, values, rb.BillingPolicy(increment_amount="per_period"))
