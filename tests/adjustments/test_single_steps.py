"""Single steps: what a rule hands back, and what it goes on from the next time (A34-A36, A40)."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rentbilling import IndexPoint, rent_adjustments
from rentbilling.adjustments import AmountScale, CompiledRule, Step
from rentbilling.adjustments.percentages import Elapsed, Percentage
from rentbilling.adjustments.plan import PlanRun
from rentbilling.adjustments.rule_state import NEW, RuleState
from rentbilling.errors import InvalidAdjustmentRuleError
from rentbilling.terms import RentAdjustmentRule
from tests.support.plans import (
    FEW,
    TENTHS,
    amounts,
    by_index,
    by_steps,
    clause,
    effect_of,
    home,
    lease,
    made,
    octobers,
    plan,
    ruled,
    series,
    step,
)
from tests.support.rents import amount, price_from

TO_2022 = "2020-02-01/2022-12-31"
TO_2023 = "2020-02-01/2023-12-31"
JANUARY_2021 = 2021 * 12
CHANGE = {"amount_quantum": "10", "amount_rounded": "change"}


def october(year: int) -> IndexPoint:
    return IndexPoint.parse(f"{year}-10")


def one_step(
    rule: RentAdjustmentRule, state: RuleState = NEW, price: str = "10000", year: int = 2021
) -> Step:
    """Return what a rule makes of a monthly rent in a January, by an index of tenths."""
    scale = AmountScale("DKK", 2, "half_up", Fraction(12))
    compiled = CompiledRule(rule, "rule-1", {"NPI": TENTHS}, scale)
    exact = Fraction(price)
    run = PlanRun(exact, exact, Elapsed(), [state])
    made_of_it = compiled.by_index((year - 2021) * 12 + JANUARY_2021, run.inputs_of(0))
    assert isinstance(made_of_it, Step)
    return made_of_it


class TestPlainRules:
    """A rule that says nothing of its own: the change, within its limits."""

    def test_a_step_that_no_limit_meets(self) -> None:
        """A tenth more than 33.33 is 36.663; 36.66 is what is in force."""
        found = one_step(by_index(most="0.2"), price="33.33")

        assert (Fraction("36.663"), Fraction("36.66")) == (found.exact, found.amount)
        assert Percentage(Fraction(1, 10), Fraction(1, 10), Fraction(1, 10), ()) == (
            found.percentage
        )
        assert ((), None) == (found.reasons, found.unlimited)
        assert RuleState(
            anchor_point=october(2019),
            last_point=october(2020),
            last_amount=Fraction("36.66"),
            is_new=False,
        ) == (found.state)

    def test_a_step_that_a_limit_meets(self) -> None:
        """10,400 where the index alone would have led to 11,000."""
        found = one_step(by_index(most="0.04"))

        assert Percentage(Fraction(1, 10), Fraction(4, 100), Fraction(1, 10), ("maximum",)) == (
            found.percentage
        )
        assert (Fraction(10400), Fraction(11000), ("maximum",)) == (
            found.exact,
            found.unlimited,
            found.reasons,
        )
        assert found.state.is_new is False

    def test_what_was_remembered_stays(self) -> None:
        known = RuleState(Fraction(9000), october(2018), october(2020), is_new=False)
        found = one_step(by_index(), known, year=2022)

        assert found.state == RuleState(
            Fraction(9000),
            october(2018),
            october(2021),
            last_amount=Fraction(11000),
            is_new=False,
        )


class TestClauses:
    """A rule with a clause tells the same of its step."""

    @pytest.mark.parametrize(
        ("limit", "expected"),
        [({"most": "0.04"}, ("10400", "11000")), ({"most": "0.2"}, ("11000", None))],
        ids=["limited", "not limited"],
    )
    def test_what_it_alone_would_have_led_to(
        self, limit: dict[str, Any], expected: tuple[str, str | None]
    ) -> None:
        """11,000, told where a limit of 4 percent cut it."""
        found = one_step(by_index(**limit, index_clause=clause(carried="exact")))

        assert expected == (
            f"{found.exact}",
            None if found.unlimited is None else f"{found.unlimited}",
        )
        assert found.compared is not None
        assert (october(2019), october(2020)) == (
            found.compared.from_point,
            found.compared.to_point,
        )
        assert found.state.is_new is False


class TestPoints:
    """The point compared with is kept below a threshold, and let go above it (A33)."""

    def test_a_point_that_was_kept_is_let_go(self) -> None:
        """3 percent are too few, 6 since 2019 enough; then 112/106, and not 112/100 again."""
        terms = lease(ruled(threshold="0.05", carried="exact"))

        assert [("2022-01-01", "10600.00"), ("2023-01-01", "11200.00")] == made(
            terms, octobers(100, 103, 106, 112), TO_2023
        )

    def test_points_of_what_has_none_are_refused_in_full(self) -> None:
        rule = ruled(threshold="10", threshold_unit="points", reference="year_mean")
        with pytest.raises(InvalidAdjustmentRuleError) as caught:
            made(lease(rule), series({"2019": "0.01", "2020": "0.02"}, kind="change"), TO_2022)

        place = "rentAdjustmentPlans[0].rentAdjustmentRules[0].indexClause.thresholdUnit"
        assert (
            f"{place}: is of points, and the series has none (met 'points'; expected percent)"
        ) == str(caught.value)


class TestAnchors:
    """An anchored rule counts from where it began, or from what was agreed since (A34, A35)."""

    def test_what_is_agreed_since_takes_the_place_of_the_stated_base(self) -> None:
        """9,000 × 1.1 = 9,900; of the 20,000 agreed in June 2021 a tenth more are 22,000."""
        item = home(amount_records=(price_from("2021-06-01", "20000.00"),))
        terms = lease(ruled(basis="anchored", base_amount="9000 DKK"), item=item)

        assert ["9900.00", "22000.00"] == amounts(terms, TENTHS, TO_2022)

    def test_nothing_grows_to_nothing(self) -> None:
        """A tenth more than 0 is 0, and two tenths are."""
        terms = lease(ruled(basis="anchored"), item=home("0.00"))

        assert ["0.00", "0.00"] == amounts(terms, TENTHS, TO_2022)

    def test_it_goes_on_from_where_a_minimum_held_it(self) -> None:
        """90 would be 9,000, and 10,000 stays; 95 of these 90 are 10,555.56 (A35)."""
        terms = lease(by_index(least="0", index_clause=clause(basis="anchored")))

        assert ["10000.00", "10555.56"] == amounts(terms, octobers(100, 90, 95), TO_2022)

    def test_a_part_that_carries_stays_what_it_was(self) -> None:
        """80 of 4,000 are held; the next year 2 percent of 4,080, the 6,000 standing still."""
        kept = clause(basis="anchored", after_limit="carry", indexed_amount="4000 DKK")
        terms = lease(by_index(most="0.02", index_clause=kept))

        assert ["10080.00", "10161.60"] == amounts(terms, TENTHS, TO_2022)

    @pytest.mark.parametrize(
        ("third", "expected"), [("110", "9108.72"), ("101.5", "9054.00")], ids=str
    )
    def test_a_limit_is_for_the_part_that_moves_after_the_factor(
        self, third: str, expected: str
    ) -> None:
        """(6,000 + 4,040) × 0.9 = 9,036, of which 5,400 stand still and 3,636 move.

        Ten percent would be 3,960 of them: held at 3,636 × 1.02 = 3,708.72. 1.5 percent since the
        start, 4,060 × 0.9 = 3,654, are within 2 percent.
        """
        kept = clause(basis="anchored", indexed_share="0.4", correction_factor="0.9")
        terms = lease(by_index(most="0.02", index_clause=kept))

        assert ["9036.00", expected] == amounts(terms, octobers(100, 101, third), TO_2022)

    def test_a_limit_for_a_year_holds_the_step_from_what_is_in_force(self) -> None:
        """One percent: 10,100. Two years later ten since the start, held at 2 × 2 of 10,100."""
        kept = clause(basis="anchored", limit_per="year_simple", interval_years=2)
        cpi = series({"2018-10": 100, "2020-10": 101, "2022-10": 110})
        terms = lease(by_index(most="0.02", index_clause=kept))

        assert ["10100.00", "10504.00"] == amounts(terms, cpi, TO_2023)


class TestRulesInTurn:
    """Each rule goes on from what the one before it made of the amount (A37)."""

    def test_a_clause_counts_from_the_amount_before_it(self) -> None:
        """10,000 + 2 % = 10,200, of which 60 percent rise by a tenth: 10,812."""
        rules = plan(by_steps(step(2021, "2 %")), ruled(indexed_share="0.6"))

        assert ["10812.00"] == amounts(lease(rules), TENTHS, "2020-02-01/2021-12-31")

    def test_an_amount_is_added_to_the_amount_before_it(self) -> None:
        """A tenth more than 10,000, and 1,200 a year: 11,100."""
        rules = plan(by_index(), by_steps(step(2021, "1200")))

        assert ["11100.00"] == amounts(lease(rules), TENTHS, "2020-02-01/2021-12-31")

    def test_a_limit_for_a_year_holds_the_rules_before_it(self) -> None:
        """2 percent for the first year: 10,200 instead of 11,000."""
        cap = by_index(
            most="0.02",
            index_month=None,
            index_clause=clause(combine="limit", limit_per="year_simple"),
        )

        assert ["10200.00"] == amounts(
            lease(plan(by_index(), cap)), TENTHS, "2020-02-01/2021-12-31"
        )


class TestCarrying:
    """What a rule goes on from may be rounded, exact, or its own (A35, A40)."""

    def test_what_a_limit_cut_is_lost_unless_it_carries(self) -> None:
        """10,400 and 10,816; in the third year the index rests, and nothing is caught up."""
        terms = lease(by_index(most="0.04", index_clause=clause(carried="exact")))

        assert ["10400.00", "10816.00", "10816.00"] == amounts(
            terms, octobers(100, 110, 121, 121), TO_2023
        )

    @pytest.mark.parametrize(("carried", "expected"), [("rounded", "20.06"), ("exact", "20.07")])
    def test_an_amount_of_its_own_is_rounded_unless_it_is_carried_exactly(
        self, carried: str, expected: str
    ) -> None:
        """10 × 301/300 = 10.0333…: twice that is 20.0666…, and twice 10.03 is 20.06."""
        terms = lease(ruled(carried=carried, basis="last_indexed"), item=home("10.00"))

        assert ["10.03", expected] == amounts(terms, octobers(300, 301, 602), TO_2022)

    @pytest.mark.parametrize(("carried", "expected"), [("rounded", "20.06"), ("exact", "20.07")])
    def test_a_curve_is_rounded_unless_it_is_carried_exactly(
        self, carried: str, expected: str
    ) -> None:
        """10 × 301/300 is held at 10.01 in 2021; its curve at 10.0333… or 10.03 doubles."""
        rule = ruled(carried=carried, after_limit="carry")
        held = by_index(
            most="0.001", index_month=None, last_year="2021", index_clause=clause(combine="limit")
        )
        terms = lease(plan(rule, held), item=home("10.00"))

        assert ["10.01", expected] == amounts(terms, octobers(300, 301, 602), TO_2022)


class TestRounding:
    """A clause may round what is added, and not the amount (A38)."""

    def test_the_change_of_an_index(self) -> None:
        """1,000.30 are 1,000: 11,003, where the amount itself would be 11,000."""
        terms = lease(ruled(**CHANGE), item=home("10003.00"))

        assert ["11003.00"] == amounts(terms, TENTHS, "2020-02-01/2021-12-31")

    def test_half_of_the_change(self) -> None:
        """Half of these 1,000: 10,503."""
        terms = lease(
            ruled(basis="anchored", share="0.5", share_of="money", **CHANGE), item=home("10003.00")
        )

        assert ["10503.00"] == amounts(terms, TENTHS, "2020-02-01/2021-12-31")

    def test_the_change_that_a_limit_cut(self) -> None:
        """400.12 are 400; of its own the rule would have reached 11,003."""
        rule = by_index(most="0.04", index_clause=clause(after_limit="carry", **CHANGE))
        effect = effect_of(lease(rule, item=home("10003.00")), TENTHS)

        assert ("10403.00 DKK", amount("11003.00")) == (
            str(effect.to_period_amount),
            effect.unlimited_amount,
        )

    def test_the_change_of_an_increment(self) -> None:
        """1,200 / 12 = 100 and 36 / 12 = 3: 10,103, and nothing."""
        rule = by_steps(step(2021, "1200"), step(2022, "36"), index_clause=clause(**CHANGE))

        assert ["10103.00", "10103.00"] == amounts(lease(rule, item=home("10003.00")))

    def test_the_change_that_is_left_by_a_limit(self) -> None:
        """11,003.30 by the index, at most 10,403.12, of which 400 are added."""
        cap = by_index(
            most="0.04", index_month=None, index_clause=clause(combine="limit", **CHANGE)
        )
        terms = lease(plan(by_index(), cap), item=home("10003.00"))

        assert ["10403.00"] == amounts(terms, TENTHS, "2020-02-01/2021-12-31")


class TestReasons:
    """What changed an amount on the way is told (A36, A40)."""

    def test_a_floor(self) -> None:
        """9,000 by the index, and 10,000 at the least."""
        floored = ruled(floor_at_start=True)
        effect = effect_of(lease(floored), octobers(100, 90), "2020-02-01/2021-12-31")
        free = effect_of(lease(floored), TENTHS, "2020-02-01/2021-12-31")

        assert ("10000.00 DKK", ("floor",)) == (str(effect.to_period_amount), effect.reasons)
        assert ("11000.00 DKK", None) == (str(free.to_period_amount), free.reasons or None)

    def test_an_amount_that_comes_down_to_nothing_was_not_stopped(self) -> None:
        """100 less 100 is 0, and nothing is left of the decrease."""
        found = rent_adjustments(lease(by_steps(step(2021, "-1200")), item=home("100.00")), FEW)
        (effect,) = found[0].adjustment_rules_effects

        assert (Decimal("0.00"), ()) == (
            effect.to_period_amount.amount if effect.to_period_amount else None,
            effect.reasons or (),
        )
        assert () == found.notices

    def test_a_small_amount_is_not_nothing(self) -> None:
        """0.90 less 0.40 is 0.50."""
        terms = lease(by_steps(step(2021, "-4.80")), item=home("0.90"))

        assert ["0.50"] == amounts(terms)
