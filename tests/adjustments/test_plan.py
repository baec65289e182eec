"""Rule runs: the rules of a plan on one day, each on the result of the one before (A37, A40)."""

import pytest

from rentbilling import rent_adjustments
from rentbilling.errors import InvalidAdjustmentRuleError
from tests.support.plans import (
    TENTHS,
    amounts,
    by_index,
    by_steps,
    clause,
    home,
    lease,
    made,
    plan,
    ruled,
    step,
)
from tests.support.rents import amount


class TestSeveralRules:
    """Rules act in listed order, each on the result of the one before (A37, A40)."""

    def test_each_effect_begins_where_the_one_before_ended(self) -> None:
        """10,000 → 11,000 by the index → 11,220 by two percent, with the whole beside them."""
        rules = plan(by_index(id="index"), by_steps(step(2021, "2 %"), id="plus"))
        (found,) = rent_adjustments(lease(rules), "2021-01-01/2021-12-31", indices=TENTHS)
        first, second = found.adjustment_rules_effects

        assert ("index", "plus") == (
            first.rent_adjustment_rule_id,
            second.rent_adjustment_rule_id,
        )
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

    def test_each_result_is_rounded(self) -> None:
        """33.33 × 1.1 = 36.663, so 36.66; + 10 % = 40.326, so 40.33, and not 40.3293."""
        rules = plan(by_index(), by_steps(step(2021, "10 %")))

        assert ["40.33"] == amounts(
            lease(rules, item=home("33.33")), TENTHS, "2021-01-01/2021-12-31"
        )

    def test_a_rule_with_nothing_to_do_leaves_no_effect(self) -> None:
        """In 2022 the second rule has no increment."""
        rules = plan(by_index(), by_steps(step(2021, "2 %")))
        found = rent_adjustments(lease(rules), "2020-02-01/2022-12-31", indices=TENTHS)

        assert [2, 1] == [len(each.adjustment_rules_effects) for each in found]

    def test_rules_of_one_plan_may_have_their_own_months(self) -> None:
        rules = plan(by_index(), by_steps(step(2021, "2 %"), adjustment_month=7))

        assert [("2021-01-01", "11000.00"), ("2021-07-01", "11220.00")] == made(
            lease(rules), TENTHS, "2020-02-01/2021-12-31"
        )

    def test_percentages_may_add_up(self) -> None:
        """Ten and two percent of 10,000 are 11,200, and not 11,220."""
        plus = by_steps(step(2021, "2 %"), index_clause=clause(combine="sum"))

        assert ["11200.00"] == amounts(
            lease(plan(by_index(), plus)), TENTHS, "2020-02-01/2021-12-31"
        )

    @pytest.mark.parametrize(("first", "second"), [("2 %", "12000"), ("12000", "2 %")])
    def test_amounts_and_percentages_may_add_up(self, first: str, second: str) -> None:
        """200 by percentage and 1,000 by amount, both of 10,000, in either order."""
        plus = by_steps(step(2021, second), index_clause=clause(combine="sum"))

        assert ["11200.00"] == amounts(lease(plan(by_steps(step(2021, first)), plus)))

    def test_a_sum_is_of_the_amount_before_the_day(self) -> None:
        """10,000 × 1.1 = 11,000; × 1.02 = 11,220; and three percent of 10,000 more: 11,520."""
        rules = plan(
            by_index(),
            by_steps(step(2021, "2 %")),
            by_steps(step(2021, "3 %"), index_clause=clause(combine="sum")),
        )

        assert ["11520.00"] == amounts(lease(rules), TENTHS, "2020-02-01/2021-12-31")

    @pytest.mark.parametrize(("other", "to"), [("3 %", "10300.00"), ("12 %", "11000.00")])
    def test_the_lower_of_two_counts(self, other: str, to: str) -> None:
        """Ten percent by the index, or the other rule's percentage, both of 10,000."""
        lower = by_steps(step(2021, other), index_clause=clause(combine="lower_of"))

        assert [to] == amounts(lease(plan(by_index(), lower)), TENTHS, "2020-02-01/2021-12-31")

    def test_the_rule_that_is_not_lower_says_so(self) -> None:
        lower = by_steps(step(2021, "12 %"), index_clause=clause(combine="lower_of"))
        (found,) = rent_adjustments(
            lease(plan(by_index(), lower)), "2021-01-01/2021-12-31", indices=TENTHS
        )
        effect = found.adjustment_rules_effects[1]

        assert (amount("0.00"), ("not_lower",)) == (effect.period_amount_change, effect.reasons)

    def test_a_sum_after_the_lower_of_two_adds_to_what_was_lower(self) -> None:
        """Ten percent or three: three; and one percent more is 10,400."""
        rules = plan(
            by_index(),
            by_steps(step(2021, "3 %"), index_clause=clause(combine="lower_of")),
            by_steps(step(2021, "1 %"), index_clause=clause(combine="sum")),
        )

        assert ["10400.00"] == amounts(lease(rules), TENTHS, "2020-02-01/2021-12-31")

    def test_what_was_lower_is_the_base_of_an_anchored_rule(self) -> None:
        """10,300 and October 2020 are what the index goes on from: × 121/110 = 11,330."""
        lower = by_steps(step(2021, "3 %"), index_clause=clause(combine="lower_of"))
        rules = plan(ruled(basis="anchored"), lower)

        assert ["10300.00", "11330.00"] == amounts(lease(rules), TENTHS, "2020-02-01/2022-12-31")

    def test_the_same_percentage_is_not_lower(self) -> None:
        lower = by_steps(step(2021, "10 %"), index_clause=clause(combine="lower_of"))
        (found,) = rent_adjustments(
            lease(plan(by_index(), lower)), "2021-01-01/2021-12-31", indices=TENTHS
        )

        assert [(), ("not_lower",)] == [each.reasons for each in found.adjustment_rules_effects]

    def test_an_anchored_rule_that_was_not_lower_goes_on_from_what_was(self) -> None:
        """Three percent and not ten: 10,300 and October 2020, × 121/110 = 11,330."""
        lower = ruled(basis="anchored", combine="lower_of")
        rules = plan(by_steps(step(2021, "3 %")), lower)

        assert ["10300.00", "11330.00"] == amounts(lease(rules), TENTHS, "2020-02-01/2022-12-31")

    def test_a_lower_rule_alone_on_its_day_has_nothing_to_be_lower_than(self) -> None:
        """Three percent in 2021, when the other rule has no increment; then its one percent."""
        lower = by_steps(step(2021, "3 %"), index_clause=clause(combine="lower_of"))

        assert ["10300.00", "10403.00"] == amounts(lease(plan(by_steps(step(2022, "1 %")), lower)))

    def test_more_than_two_percentages_may_add_up(self) -> None:
        """Ten, two and three percent of 10,000."""
        added = [
            by_steps(step(2021, text), index_clause=clause(combine="sum"))
            for text in ("2 %", "3 %")
        ]

        assert ["11500.00"] == amounts(lease(plan(by_steps(step(2021, "10 %")), *added)))

    def test_a_sum_alone_on_its_day_is_what_it_says(self) -> None:
        """Two percent in 2021, when the other rule has no increment; then its one percent."""
        plus = by_steps(step(2021, "2 %"), index_clause=clause(combine="sum"))

        assert ["10200.00", "10302.00"] == amounts(lease(plan(by_steps(step(2022, "1 %")), plus)))

    def test_a_rule_is_not_scaled_by_itself(self) -> None:
        """Four percent carried and two due: 10,400 of its own, and nothing more in 2022 (A36)."""
        carried = by_steps(
            step(2021, "4 %"),
            step(2022, "0 %"),
            most="0.02",
            index_clause=clause(after_limit="carry"),
        )

        assert ["10200.00", "10400.00"] == amounts(
            lease(plan(carried, by_steps(step(2030, "1 %")))), days="2020-02-01/2022-12-31"
        )

    def test_two_curves_go_on_each_by_itself(self) -> None:
        """A contract of ten percent a year and a law of four, both carried, the lower is due.

        2021: 11,000 or 10,400. 2022: 12,100 or 10,816.
        """
        contract = ruled(after_limit="carry")
        law = by_steps(
            step(2021, "4 %", recurs=True),
            last_year="2022",
            index_clause=clause(combine="lower_of", after_limit="carry"),
        )

        assert ["10400.00", "10816.00", "13310.00"] == amounts(
            lease(plan(contract, law)), TENTHS, "2020-02-01/2023-12-31"
        )

    def test_a_rule_may_only_limit(self) -> None:
        """Ten percent and two are held at eleven together: 11,100."""
        cap = by_index(most="0.11", index_month=None, index_clause=clause(combine="limit"))
        rules = plan(by_index(), by_steps(step(2021, "2 %")), cap)
        (found,) = rent_adjustments(lease(rules), "2021-01-01/2021-12-31", indices=TENTHS)
        effect = found.adjustment_rules_effects[2]

        assert amount("11100.00") == found.to_period_amount
        assert (("maximum",), amount("-120.00"), None) == (
            effect.reasons,
            effect.period_amount_change,
            effect.calculated_percentage,
        )

    def test_two_rules_may_limit(self) -> None:
        caps = [
            by_index(most=most, index_month=None, index_clause=clause(combine="limit"))
            for most in ("0.04", "0.03")
        ]

        assert ["10300.00"] == amounts(
            lease(plan(by_index(), *caps)), TENTHS, "2020-02-01/2021-12-31"
        )

    def test_dated_caps_limit_in_their_years_alone(self) -> None:
        """At most 4 percent in 2021 and 2022, then none: 10,400, 10,816, 11,897.60."""
        cap = by_index(
            most="0.04", index_month=None, last_year="2022", index_clause=clause(combine="limit")
        )

        assert ["10400.00", "10816.00", "11897.60"] == amounts(
            lease(plan(by_index(), cap)), TENTHS, "2020-02-01/2023-12-31"
        )

    def test_a_cap_lets_an_anchored_rule_go_on_from_there(self) -> None:
        """10,400 in October 2020 is the new base: × 121/110 = 11,440, of which 10,816 is due."""
        cap = by_index(
            most="0.04", index_month=None, last_year="2021", index_clause=clause(combine="limit")
        )

        assert ["10400.00", "11440.00"] == amounts(
            lease(plan(ruled(basis="anchored"), cap)), TENTHS, "2020-02-01/2022-12-31"
        )

    def test_a_sum_after_a_limit_adds_to_what_is_left(self) -> None:
        """Ten percent held at four, and one percent more: 10,500."""
        rules = plan(
            by_index(),
            by_index(most="0.04", index_month=None, index_clause=clause(combine="limit")),
            by_steps(step(2021, "1 %"), index_clause=clause(combine="sum")),
        )

        assert ["10500.00"] == amounts(lease(rules), TENTHS, "2020-02-01/2021-12-31")

    def test_a_limit_that_is_not_met_leaves_no_effect(self) -> None:
        cap = by_index(most="0.12", index_month=None, index_clause=clause(combine="limit"))
        (found,) = rent_adjustments(
            lease(plan(by_index(), cap)), "2021-01-01/2021-12-31", indices=TENTHS
        )

        assert 1 == len(found.adjustment_rules_effects)

    def test_a_limit_after_a_rule_that_did_nothing_has_nothing_to_hold(self) -> None:
        cap = by_index(least="0.02", index_month=None, index_clause=clause(combine="limit"))

        assert [] == made(lease(plan(ruled(threshold="0.2"), cap)), TENTHS, "2020-02-01/2021-12-31")

    def test_nothing_can_be_limited_of_nothing(self) -> None:
        """A rent of 0 has no percentage; a sum on it is 0 as well."""
        cap = by_index(most="0.04", index_month=None, index_clause=clause(combine="limit"))
        plus = by_steps(step(2021, "12"), index_clause=clause(combine="sum"))
        terms = lease(plan(by_index(), cap, plus), item=home("0.00"))

        assert ["1.00"] == amounts(terms, TENTHS, "2020-02-01/2021-12-31")

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

        assert ["11000.00"] == amounts(terms, TENTHS, "2020-02-01/2022-12-31")
        with pytest.raises(InvalidAdjustmentRuleError) as caught:
            rent_adjustments(terms, "2023-01-01/2023-12-31", indices=TENTHS)
        (problem,) = caught.value.problems
        assert ("rentAdjustmentPlans[1]", "two_plans", "'b'") == (
            problem.path,
            problem.code,
            problem.met,
        )
        assert "rentAdjustmentPlans[0] adjusts in 2023-01" in problem.message

    def test_two_plans_may_share_a_month_in_different_years(self) -> None:
        """The increment of 2021 comes before the first year of the index."""
        terms = lease(by_steps(step(2021, "2 %")), by_index(first_year="2022"))

        assert ["10200.00", "11220.00"] == amounts(terms, TENTHS, "2020-02-01/2022-12-31")
