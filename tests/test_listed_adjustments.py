"""Listed adjustments: what a service made is not made again (A18, A33, A38)."""

from fractions import Fraction
from typing import Any

import pytest

from rentbilling import (
    IndexPoint,
    RentAdjustment,
    RentAdjustmentRule,
    adjusted_terms,
    rent_adjustments,
)
from rentbilling.adjusted_amounts import AmountScale
from rentbilling.listed_adjustments import (
    amount_told,
    as_listed,
    cut,
    effect_of_record,
    follow,
    remembered,
)
from rentbilling.periods import YearMonth
from rentbilling.plans import AdjustmentEffect
from rentbilling.references import Compared
from rentbilling.rule_memory import NEW, Memory
from rentbilling.rule_steps import CompiledRule, Effect, Step
from tests.plans import (
    ITEM,
    TENTHS,
    amounts,
    by_index,
    by_steps,
    clause,
    codes,
    home,
    lease,
    made,
    plan,
    ruled,
    series,
    step,
    to_text,
    with_listed,
    worth,
)
from tests.rents import amount, day, price_from


def listed(
    when: str, to: str | None = None, effects: tuple[AdjustmentEffect, ...] = (), **amounts_: str
) -> RentAdjustment:
    """Return an adjustment as a service lists it: its day, what the period costs, its effects."""
    fields: dict[str, Any] = {name: amount(text) for name, text in amounts_.items()}
    if to is not None:
        fields["to_period_amount"] = amount(to)
    return RentAdjustment(adjusted_on=day(when), adjustment_rules_effects=effects, **fields)


def effect(
    rule: str = "rule-1",
    start: str | None = None,
    to: str | None = None,
    **more: Any,  # noqa: ANN401
) -> AdjustmentEffect:
    """Return an effect as a service lists it: its rule, and the months compared."""
    return AdjustmentEffect(
        rent_adjustment_rule_id=rule,
        from_year_month=None if start is None else YearMonth.parse(start),
        to_year_month=None if to is None else YearMonth.parse(to),
        **more,
    )


class TestWhatIsListed:
    """An adjustment that a service listed is taken as made, and is not made again (A18, A38)."""

    def test_it_is_in_force_and_the_next_one_goes_on_from_it(self) -> None:
        """10,990 listed for 2021 stay; × 1.1 = 12,089 in 2022; no value of 2020 is needed."""
        terms = with_listed(lease(by_index()), [listed("2021-01-01", "10990.00")])
        values = series({"2020-10": 110, "2021-10": 121})

        assert [("2021-01-01", "10990.00"), ("2022-01-01", "12089.00")] == made(
            terms, values, "2020-02-01/2022-12-31"
        )

    def test_it_is_returned_as_it_was_listed(self) -> None:
        """With its own id and effects; only plan and item are added."""
        given = listed("2021-01-01", "10990.00", (effect(start="2019-10", to="2020-10"),))
        given = given.evolve(id="adj-1")
        (found,) = rent_adjustments(
            with_listed(lease(by_index()), [given]), "2021-01-01/2021-12-31"
        )

        assert given == found
        assert ("plan-1", ITEM) == (found.plan_id, found.adjustee_id)

    def test_the_amount_of_a_year_is_enough(self) -> None:
        """132,000 a year are 11,000 a month."""
        terms = with_listed(lease(by_index()), [listed("2021-01-01", to_yearly_amount="132000.00")])

        assert "11000.00" == worth(terms, "2021-01-01")
        assert ["12100.00"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")

    def test_it_speaks_for_its_year(self) -> None:
        """Made in March, so January is not made either: neither that of 2021 nor of 2020."""
        terms = with_listed(lease(by_index()), [listed("2021-03-01", "10500.00")])

        assert [("2021-03-01", "10500.00"), ("2022-01-01", "11550.00")] == made(
            terms, TENTHS, "2020-02-01/2022-12-31"
        )

    def test_it_speaks_for_a_later_month_of_its_year_too(self) -> None:
        """Made in March, so the July of 2021 is not made again; that of 2022 is."""
        terms = with_listed(lease(by_index(adjustment_month=7)), [listed("2021-03-01", "10500.00")])

        assert ["2021-03-01", "2022-07-01"] == [
            when for when, _ in made(terms, TENTHS, "2020-02-01/2022-12-31")
        ]

    def test_of_rules_in_several_months_it_speaks_for_its_day(self) -> None:
        """January 2021 is listed, July is still made."""
        rules = plan(by_index(), by_steps(step(2021, "2 %"), adjustment_month=7))
        terms = with_listed(lease(rules), [listed("2021-01-01", "10900.00")])

        assert [("2021-01-01", "10900.00"), ("2021-07-01", "11118.00")] == made(
            terms, TENTHS, "2020-02-01/2021-12-31"
        )

    def test_of_rules_within_a_year_it_speaks_for_its_day(self) -> None:
        """Every half year: January is listed, July is made, 10,900 × 1.05."""
        rule = by_index(index_month=None, index_clause=clause(interval_months=6, lag_months=2))
        values = series({"2020-05": 100, "2020-11": 105, "2021-05": "110.25"})
        terms = with_listed(lease(rule), [listed("2021-01-01", "10900.00")])

        assert [("2021-01-01", "10900.00"), ("2021-07-01", "11445.00")] == made(
            terms, values, "2020-08-01/2021-12-31"
        )

    def test_one_without_amounts_changes_nothing(self) -> None:
        """It is returned as it was listed, and made: 10,000 × 121/110 a year later."""
        terms = with_listed(lease(by_index()), [RentAdjustment(adjusted_on=day("2021-01-01"))])

        assert [("2021-01-01", ""), ("2022-01-01", "11000.00")] == made(
            terms, TENTHS, "2020-02-01/2022-12-31"
        )

    def test_an_anchored_rule_goes_on_from_what_is_listed(self) -> None:
        """From October 2019 and 10,000, whatever was due in between: × 1.21 = 12,100."""
        given = listed("2021-01-01", "10990.00", (effect(start="2019-10", to="2020-10"),))
        terms = with_listed(lease(ruled(basis="anchored")), [given])

        assert ["10990.00", "12100.00"] == amounts(terms, TENTHS, "2020-02-01/2022-12-31")

    def test_an_anchored_rule_keeps_its_stated_base(self) -> None:
        """The base of the clause is 9,000: × 1.21 = 10,890."""
        given = listed("2021-01-01", "9900.00", (effect(start="2019-10", to="2020-10"),))
        terms = with_listed(lease(ruled(basis="anchored", base_amount="9000 DKK")), [given])

        assert ["9900.00", "10890.00"] == amounts(terms, TENTHS, "2020-02-01/2022-12-31")

    def test_a_base_that_moved_is_a_new_one(self) -> None:
        """2022 is listed as compared with 2020: from 10,500 then, × 133.1/110 = 12,705."""
        given = [
            listed("2021-01-01", "10500.00", (effect(start="2019-10", to="2020-10"),)),
            listed("2022-01-01", "11550.00", (effect(start="2020-10", to="2021-10"),)),
        ]
        terms = with_listed(lease(ruled(basis="anchored", base_amount="9000 DKK")), given)

        assert ["12705.00"] == amounts(terms, TENTHS, "2023-01-01/2023-12-31")

    def test_a_limit_that_is_told_is_a_new_base(self) -> None:
        """Held at 10,400: that and October 2020 are what it goes on from, × 1.1 = 11,440."""
        told = effect(start="2019-10", to="2020-10", reasons=("maximum",))
        rule = by_index(most="0.2", index_clause=clause(basis="anchored"))
        terms = with_listed(lease(rule), [listed("2021-01-01", "10400.00", (told,))])

        assert ["11440.00"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")

    def test_a_month_stands_for_the_quarter_that_a_rule_compares(self) -> None:
        """Listed by its last month; from then on 121 / 110 of the quarter, and not of September."""
        index = series(
            {"2019-Q3": 100, "2020-Q3": 110, "2021-Q3": 121, "2019-09": 90, "2020-09": 90}
        )
        rule = ruled(basis="anchored", reference="quarter", index_quarter=3)
        told = effect(start="2019-09", to="2020-09", reasons=("maximum",))
        terms = with_listed(lease(rule), [listed("2021-01-01", "10400.00", (told,))])

        assert ["11440.00"] == amounts(terms, index, "2022-01-01/2022-12-31")

    def test_an_amount_that_is_carried_is_remembered(self) -> None:
        """10,400 in force and 11,000 of its own: × 1.1 = 12,100, held at 5 % more: 10,920."""
        told = effect(
            start="2019-10",
            to="2020-10",
            reasons=("maximum",),
            unlimited_amount=amount("11000.00"),
        )
        rule = by_index(most="0.05", index_clause=clause(after_limit="carry"))
        terms = with_listed(lease(rule), [listed("2021-01-01", "10400.00", (told,))])
        (found,) = rent_adjustments(terms, "2022-01-01/2022-12-31", indices=TENTHS)

        assert amount("10920.00") == found.to_period_amount
        assert amount("12100.00") == found.adjustment_rules_effects[0].unlimited_amount

    def test_effects_follow_each_other(self) -> None:
        """Anchored 10,000 → 11,000, + 2 % → 11,220; so its base is 10,200: × 1.21 = 12,342."""
        rules = plan(ruled(basis="anchored"), by_steps(step(2021, "2 %")))
        first = effect(start="2019-10", to="2020-10", to_period_amount=amount("11000.00"))
        given = listed("2021-01-01", "11220.00", (first, effect("rule-2")))
        terms = with_listed(lease(rules), [given])

        assert ["12342.00"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")

    def test_effects_without_amounts_are_taken_together(self) -> None:
        """Nobody tells what each of them did: all of it is the last one's."""
        rules = plan(ruled(basis="anchored"), by_steps(step(2021, "2 %")))
        given = listed(
            "2021-01-01", "11330.00", (effect(start="2019-10", to="2020-10"), effect("rule-2"))
        )
        terms = with_listed(lease(rules), [given])

        # The base of the index rule is taken to have grown by 11,330 / 10,000.
        assert ["13709.30"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")

    def test_what_the_rules_do_themselves_is_known_without_its_parts(self) -> None:
        """Anchored 10,000 → 11,000, + 2 % → 11,220 as listed; so its base is 10,200: 12,342."""
        rules = plan(ruled(basis="anchored"), by_steps(step(2021, "2 %")))
        terms = with_listed(lease(rules), [listed("2021-01-01", "11220.00")])

        assert ["12342.00"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")

    def test_a_rule_that_is_not_told_of_did_nothing(self) -> None:
        """Both rules would make 11,220, and the list says that the step alone did.

        So October 2019 is still to be compared with: 121 / 100 in 2022, 13,576.20.
        """
        rules = plan(by_index(), by_steps(step(2021, "2 %")))
        terms = with_listed(lease(rules), [listed("2021-01-01", "11220.00", (effect("rule-2"),))])

        assert ["13576.20"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")

    def test_an_early_adjustment_is_that_of_its_year(self) -> None:
        """Listed in March for July of that year: July 2022 compares October 2020, × 121 / 110."""
        rule = by_index(adjustment_month=7)
        terms = with_listed(lease(rule), [listed("2021-03-01", "10500.00")])

        assert ["11550.00"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")

    def test_an_early_adjustment_that_tells_of_its_rule_is_what_it_tells(self) -> None:
        """October 2020 was applied in March; what July 2021 would compare is not looked at."""
        rule = by_index(adjustment_month=7)
        told = effect(start="2019-10", to="2020-10")
        terms = with_listed(lease(rule), [listed("2021-03-01", "10500.00", (told,))])

        assert ["11550.00"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")

    def test_an_anchored_part_stays_whatever_was_listed(self) -> None:
        """10,500 was listed, whatever for; 4,000 of the first 10,000 follow: × 1.21 is 10,840."""
        rule = ruled(basis="anchored", indexed_amount="4000 DKK")
        told = effect(start="2019-10", to="2020-10")
        terms = with_listed(lease(rule), [listed("2021-01-01", "10500.00", (told,))])

        assert ["10840.00"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")

    def test_effects_of_unknown_rules_tell_nothing_about_the_known(self) -> None:
        """Of rules that the plan does not have: the amount counts, and 2022 starts as usual."""
        given = listed("2021-01-01", "10990.00", (effect("gone"), AdjustmentEffect()))
        terms = with_listed(lease(by_index()), [given])

        assert ["12089.00"] == amounts(
            terms, series({"2020-10": 110, "2021-10": 121}), "2022-01-01/2022-12-31"
        )

    def test_a_rule_that_is_not_listed_keeps_its_point(self) -> None:
        """Two percent are listed for 2021, the index was below 15: 21 percent since 2019."""
        rules = plan(by_steps(step(2021, "2 %")), ruled(threshold="0.15"))
        terms = lease(rules)
        first = rent_adjustments(terms, "2021-01-01/2021-12-31", indices=TENTHS)

        assert ["10200.00", "12342.00"] == amounts(terms, TENTHS, "2020-02-01/2022-12-31")
        assert ["10200.00", "12342.00"] == amounts(
            adjusted_terms(terms, first), TENTHS, "2020-02-01/2022-12-31"
        )

    def test_a_year_without_a_listed_adjustment_keeps_the_point(self) -> None:
        """Nothing is listed for 2021, two percent for 2022: 33.1 percent since 2019."""
        rules = plan(by_steps(step(2022, "2 %")), ruled(threshold="0.25"))
        terms = lease(rules)
        first = rent_adjustments(terms, "2021-01-01/2022-12-31", indices=TENTHS)

        assert ["10200.00", "13576.20"] == amounts(terms, TENTHS, "2020-02-01/2023-12-31")
        assert ["10200.00", "13576.20"] == amounts(
            adjusted_terms(terms, first), TENTHS, "2020-02-01/2023-12-31"
        )

    def test_a_listing_of_amounts_alone_lets_all_rules_start_anew(self) -> None:
        """2021 is not listed and 2022 is, without effects: 2023 compares with a year before."""
        terms = with_listed(lease(by_index()), [listed("2022-01-01", "12000.00")])

        assert ["12000.00", "13200.00"] == amounts(terms, TENTHS, "2020-02-01/2023-12-31")

    def test_one_of_another_plan_does_not_stop_this_one(self) -> None:
        """Two percent of July are listed in the other plan."""
        terms = lease(by_index(), by_steps(step(2021, "2 %"), adjustment_month=7))
        terms = with_listed(terms, [listed("2021-07-01", "11300.00", (effect(),))], at=1)

        assert ["11000.00", "11300.00", "12430.00"] == amounts(
            terms, TENTHS, "2020-02-01/2022-06-30"
        )

    def test_the_base_of_another_plan_follows_what_is_listed(self) -> None:
        """11,000 × 1.02 = 11,220 in July, and 10,200 × 1.21 = 12,342 in January (A36)."""
        terms = lease(ruled(basis="anchored"), by_steps(step(2021, "2 %"), adjustment_month=7))
        made_ = rent_adjustments(terms, "2021-01-01/2021-12-31", indices=TENTHS)

        assert ["12342.00"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")
        assert ["12342.00"] == amounts(
            adjusted_terms(terms, made_), TENTHS, "2022-01-01/2022-12-31"
        )

    def test_an_amount_of_nothing_has_no_factor(self) -> None:
        """0 listed as 100: nothing can be scaled by that, and × 1.1 = 110 follows."""
        rules = plan(by_index(), by_steps(step(2030, "2 %")))
        terms = lease(rules, item=home("0.00"))
        terms = with_listed(terms, [listed("2021-01-01", "100.00", (effect(),))])

        assert ["110.00"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")

    def test_it_may_be_made_on_the_first_day_that_is_adjusted(self) -> None:
        """The day after the opening period; one before it is told of (A37)."""
        first, before = (
            with_listed(lease(by_index()), [listed(when, "10100.00")])
            for when in ("2020-02-01", "2020-01-31")
        )

        assert ([], ["listed_before_start"]) == (
            codes(first, TENTHS, "2020-02-01/2020-12-31"),
            codes(before, TENTHS, "2020-02-01/2020-12-31"),
        )

    def test_what_was_agreed_in_between_comes_before_it(self) -> None:
        """12,000 from July 2021; 2022 listed as 13,000; the anchored rule follows 12,000."""
        item = home(amount_records=(price_from("2021-07-01", "12000.00"),))
        first = listed("2021-01-01", "11000.00", (effect(start="2019-10", to="2020-10"),))
        second = listed("2022-01-01", "13200.00", (effect(start="2020-10", to="2021-10"),))
        terms = with_listed(lease(ruled(basis="anchored"), item=item), [second, first])

        assert ["11000.00", "13200.00", "14520.00"] == amounts(
            terms, TENTHS, "2020-02-01/2023-12-31"
        )

    def test_it_may_come_after_what_is_asked(self) -> None:
        """Listed for 2023, and nothing is made before it: 2021 and 2022 are spoken for."""
        terms = with_listed(lease(by_index()), [listed("2023-01-01", "13000.00")])

        assert [] == made(terms, TENTHS, "2020-02-01/2022-12-31")
        assert [("2023-01-01", "13000.00")] == made(terms, TENTHS, "2020-02-01/2023-12-31")

    def test_a_part_follows_what_is_listed(self) -> None:
        """4,000 of 10,000 became 4,400; a tenth more of that is 440: 10,840."""
        given = listed("2021-01-01", "10400.00", (effect(start="2019-10", to="2020-10"),))
        terms = with_listed(lease(ruled(indexed_amount="4000 DKK")), [given])

        assert ["10840.00"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")

    def test_an_anchored_part_stays_what_it_was(self) -> None:
        """21 percent of 4,000 are 840."""
        given = listed("2021-01-01", "10400.00", (effect(start="2019-10", to="2020-10"),))
        rule = ruled(basis="anchored", indexed_amount="4000 DKK")
        terms = with_listed(lease(rule), [given])

        assert ["10840.00"] == amounts(terms, TENTHS, "2022-01-01/2022-12-31")

    @pytest.mark.parametrize(
        ("fields", "expected"),
        [
            # 4,080 follow the index: 2 percent of them are 81.60, and so again.
            ({"basis": "anchored"}, ["10161.60", "10244.83"]),
            # 4,400 and 4,840 of its own; 2 percent of 4,080 are in force, then of 4,161.60.
            ({"after_limit": "carry"}, ["10161.60", "10244.83"]),
            ({"basis": "last_indexed"}, ["10161.60", "10244.83"]),
        ],
        ids=str,
    )
    def test_a_part_that_was_limited_goes_on_from_there(
        self, fields: dict[str, Any], expected: list[str]
    ) -> None:
        """Listed one by one, the same as in one go."""
        kept = clause(indexed_amount="4000 DKK", **fields)
        terms = lease(by_index(most="0.02", index_clause=kept))
        found = rent_adjustments(terms, "2020-02-01/2023-12-31", indices=TENTHS)

        assert ["10080.00", *expected] == amounts(terms, TENTHS, "2020-02-01/2023-12-31")
        for count in (1, 2):
            assert found == rent_adjustments(
                adjusted_terms(terms, found[:count]), "2020-02-01/2023-12-31", indices=TENTHS
            )

    @pytest.mark.parametrize(
        ("other", "expected"),
        [
            (
                by_index(
                    most="0.04",
                    index_month=None,
                    last_year="2021",
                    index_clause=clause(combine="limit"),
                ),
                "11440.00",
            ),
            (by_steps(step(2021, "3 %"), index_clause=clause(combine="lower_of")), "11330.00"),
            (by_steps(step(2021, "12 %"), index_clause=clause(combine="lower_of")), "12100.00"),
            (by_steps(step(2021, "1 %"), index_clause=clause(combine="sum")), "12210.00"),
        ],
    )
    def test_an_anchored_rule_goes_on_from_what_others_left(
        self, other: RentAdjustmentRule, expected: str
    ) -> None:
        """Cut by a limit or a lower rule to a new base, or scaled by what was added."""
        terms = lease(plan(ruled(basis="anchored"), other))
        found = rent_adjustments(terms, "2020-02-01/2022-12-31", indices=TENTHS)

        assert expected == to_text(found[1])
        assert found == rent_adjustments(
            adjusted_terms(terms, found[:1]), "2020-02-01/2022-12-31", indices=TENTHS
        )


MONTHLY = AmountScale("DKK", 2, "half_up", Fraction(12))
FIRST, SECOND = IndexPoint.parse("2019-10"), IndexPoint.parse("2020-10")
"""The points that an adjustment of January 2021 compares."""
TENTH = Compared(TENTHS, FIRST, SECOND, Fraction(100), Fraction(110), Fraction("0.1"))


def ready(rule: RentAdjustmentRule, name: str = "rule-1") -> CompiledRule:
    """Return a rule made ready."""
    return CompiledRule(rule, name, {"NPI": TENTHS}, MONTHLY)


class TestWhatIsRemembered:
    """What a listed effect leaves is what the same effect made here would leave (A33, A34, A38)."""

    TOLD = effect(start="2019-10", to="2020-10")
    LIMITED = effect(start="2019-10", to="2020-10", reasons=("maximum",))
    RAISED = effect(start="2019-10", to="2020-10", reasons=("minimum",))
    CARRIED = effect(start="2019-10", to="2020-10", unlimited_amount=amount("11000.00"))
    BEGUN = Memory(anchor_amount=Fraction(9000), anchor_point=FIRST, is_new=False)

    @pytest.mark.parametrize(
        ("memory", "fields", "told", "expected"),
        [
            # The first: what was met belongs to the point compared with.
            (NEW, {"basis": "anchored"}, TOLD, (10_000, FIRST, SECOND, None)),
            # Unless the clause names another amount, which counts for the first only.
            (
                NEW,
                {"basis": "anchored", "base_amount": "9500 DKK"},
                TOLD,
                (9500, FIRST, SECOND, None),
            ),
            (
                NEW._replace(is_new=False),
                {"basis": "anchored", "base_amount": "9500 DKK"},
                TOLD,
                (10_000, FIRST, SECOND, None),
            ),
            # The same point again: its amount stays.
            (BEGUN, {"basis": "anchored"}, TOLD, (9000, FIRST, SECOND, None)),
            # A limit is a new base, whichever it is, unless it is carried.
            (BEGUN, {"basis": "anchored"}, LIMITED, (10_400, SECOND, SECOND, None)),
            (BEGUN, {"basis": "anchored"}, RAISED, (10_400, SECOND, SECOND, None)),
            (
                BEGUN,
                {"basis": "anchored", "after_limit": "carry"},
                LIMITED,
                (9000, FIRST, SECOND, None),
            ),
            # What the rule alone would have led to counts where it is carried.
            (BEGUN, {"after_limit": "carry"}, CARRIED, (9000, FIRST, SECOND, 11_000)),
            (BEGUN, {}, CARRIED, (9000, FIRST, SECOND, None)),
            # Points are told as such, too; of those not told the ones before are kept.
            (
                BEGUN,
                {},
                effect(from_point=FIRST, to_point=SECOND),
                (9000, FIRST, SECOND, None),
            ),
            (
                BEGUN._replace(last_point=FIRST, kept_point=FIRST),
                {},
                effect(),
                (9000, FIRST, FIRST, None),
            ),
        ],
    )
    def test_points_and_amounts_of_an_effect(
        self,
        memory: Memory,
        fields: dict[str, Any],
        told: AdjustmentEffect,
        expected: tuple[object, ...],
    ) -> None:
        """An amount of 10,000 that became 10,400; no point is kept after it."""
        found = remembered(memory, ready(ruled(**fields)), told, Fraction(10_000), Fraction(10_400))

        assert expected == (found.anchor_amount, found.anchor_point, found.last_point, found.own)
        assert (None, Fraction(10_400), None, False) == (
            found.kept_point,
            found.last_amount,
            found.part,
            found.is_new,
        )

    @pytest.mark.parametrize(
        ("memory", "fields", "told", "expected"),
        [
            # 4,000 of 10,000 became 4,400; then of 4,100 it is 400 more.
            (NEW, {}, TOLD, 4400),
            (NEW._replace(part=Fraction(4100)), {}, TOLD, 4500),
            # An anchored part stays, unless a limit is its new base: 10,400 − 9,000 more.
            (BEGUN, {"basis": "anchored"}, TOLD, 4000),
            (BEGUN, {"basis": "anchored"}, LIMITED, 5400),
            (BEGUN, {"basis": "anchored", "after_limit": "carry"}, LIMITED, 4000),
            # The rule alone went from 10,200 to 11,000.
            (NEW._replace(own=Fraction(10_200)), {"after_limit": "carry"}, CARRIED, 4800),
            # From 9,900, the amount after it acted last, to 10,400.
            (NEW._replace(last_amount=Fraction(9900)), {"basis": "last_indexed"}, TOLD, 4500),
        ],
    )
    def test_the_part_of_an_effect(
        self, memory: Memory, fields: dict[str, Any], told: AdjustmentEffect, expected: int
    ) -> None:
        """4,000 of 10,000 follow the index, and the whole became 10,400 (A38)."""
        rule = ready(ruled(indexed_amount="4000 DKK", **fields))

        assert expected == remembered(memory, rule, told, Fraction(10_000), Fraction(10_400)).part

    def test_a_rule_that_was_cut_goes_on_from_what_is_left(self) -> None:
        """10,400, and the point applied last (A35)."""
        memories = [self.BEGUN._replace(last_point=SECOND), self.BEGUN]
        cut(memories, [(0, ready(ruled(basis="anchored")))], Fraction(10_400))

        assert [(Fraction(10_400), SECOND), (Fraction(9000), FIRST)] == [
            (each.anchor_amount, each.anchor_point) for each in memories
        ]

    @pytest.mark.parametrize(
        ("acting", "scaled"),
        [
            # What an index did is no news to the rules of its own plan.
            (ruled(), [9000, 9000, 9900]),
            (ruled(combine="sum"), [9000, 9000, 9900]),
            (ruled(combine="lower_of"), [9000, 9000, 9000]),
            (by_steps(step(2021, "10 %")), [9000, 9900, 9900]),
        ],
    )
    def test_other_rules_follow_an_effect(
        self, acting: RentAdjustmentRule, scaled: list[int]
    ) -> None:
        """A tenth more, by the first of two rules of a plan; the third is another plan's (A36)."""
        memories = [self.BEGUN] * 3
        rules: list[Any] = [(0, ready(acting), None), (1, ready(ruled()), None)]
        follow(memories, 0, rules, Fraction("1.1"))

        assert scaled == [each.anchor_amount for each in memories]

    def test_a_record_has_the_points_of_its_month(self) -> None:
        """January 2021 compares October 2020, with October 2019 or with what it is anchored at."""
        january = 2021 * 12
        plain = effect_of_record(ready(ruled()), NEW, january)
        anchored = effect_of_record(
            ready(ruled(basis="anchored")),
            NEW._replace(anchor_point=IndexPoint.parse("2018-10")),
            january,
        )

        assert [("2019-10", "2020-10"), ("2018-10", "2020-10")] == [
            (str(each.from_point), str(each.to_point)) for each in (plain, anchored)
        ]


class TestWhatRulesWouldHaveMade:
    """What is listed is what the rules did where all that is told agrees (A38)."""

    @staticmethod
    def agrees(given: RentAdjustment, *, compared: Compared | None = TENTH) -> bool:
        """Return whether 10,000 → 11,000 by the index and → 11,220 by two percent is listed."""
        effects = []
        steps = [("rule-1", 10_000, 11_000, compared), ("rule-2", 11_000, 11_220, None)]
        for at, (name, before, after, values) in enumerate(steps):
            made_ = Step(Fraction(after), Fraction(after), NEW, compared=values)
            rule = ready(ruled(), name)
            effects.append(Effect(at, rule, Fraction(before), Fraction(after), made_, ()))
        return as_listed(effects, given, Fraction(10_000), MONTHLY, of_balance=False)

    @pytest.mark.parametrize(
        ("whole", "first", "second", "expected"),
        [
            ({"to": "11220.00"}, None, None, True),
            # 11,220.004 is 11,220.00 as well.
            ({"to": "11220.004"}, None, None, True),
            ({"to": "11220.01"}, None, None, False),
            ({"to": "11000.00"}, None, None, False),
            ({"period_amount_change": "1220.00"}, None, None, True),
            ({"to_yearly_amount": "134640.00"}, None, None, True),
            ({}, None, None, False),
            ({"to": "11220.00"}, {}, {}, True),
            (
                {"to": "11220.00"},
                {"start": "2019-10", "to": "2020-10", "from_index": 100, "to_index": 110},
                {"to_index": 5},
                True,
            ),
            ({"to": "11220.00"}, {"to_period_amount": amount("11000.00")}, {}, True),
            ({"to": "11220.00"}, {"to_period_amount": amount("11220.00")}, {}, False),
            ({"to": "11220.00"}, {}, {"period_amount_change": amount("220.00")}, True),
            ({"to": "11220.00"}, {}, {"period_amount_change": amount("1220.00")}, False),
            ({"to": "11220.00"}, {"from_index": 101}, {}, False),
            ({"to": "11220.00"}, {"to_index": 111}, {}, False),
            ({"to": "11220.00"}, {"start": "2019-09"}, {}, False),
            ({"to": "11220.00"}, {"to": "2020-09"}, {}, False),
            ({"to": "11220.00"}, {"rule": "rule-3"}, {}, False),
        ],
    )
    def test_all_that_is_told_agrees(
        self,
        whole: dict[str, str],
        first: dict[str, Any] | None,
        second: dict[str, Any] | None,
        expected: bool,
    ) -> None:
        """The whole, each effect from the one before, the values and the months compared."""
        told = [
            effect(**{"rule": name, **fields})
            for name, fields in (("rule-1", first), ("rule-2", second))
            if fields is not None
        ]

        assert expected == self.agrees(listed("2021-01-01", effects=tuple(told), **whole))

    def test_no_point_is_no_month(self) -> None:
        """A published change compares with no point, so that a month of it is another rule's."""
        published = TENTH._replace(from_point=None, from_value=None)
        told = (effect(start="2019-10"), effect("rule-2"))

        assert not self.agrees(listed("2021-01-01", "11220.00", effects=told), compared=published)
        assert self.agrees(
            listed("2021-01-01", "11220.00", effects=(effect(), effect("rule-2"))),
            compared=published,
        )

    def test_rules_that_did_nothing_made_nothing(self) -> None:
        """Whatever was listed."""
        given = listed("2021-01-01", "10000.00")

        assert not as_listed([], given, Fraction(10_000), MONTHLY, of_balance=False)

    def test_a_balance_is_told_by_itself(self) -> None:
        """30,000 became 33,000, and no number of periods matters to it."""
        whole = listed("2021-01-01", to_balance_amount="33000.00")
        change = listed("2021-01-01", balance_amount_change="3000.00")
        other = listed("2021-01-01", "33000.00")
        step_ = Step(Fraction(33_000), Fraction(33_000), NEW)
        made_ = Effect(0, ready(ruled()), Fraction(30_000), Fraction(33_000), step_, ())

        assert [33_000, 33_000, None] == [
            amount_told(each, Fraction(30_000), Fraction(12), of_balance=True)
            for each in (whole, change, other)
        ]
        assert [True, True, False] == [
            as_listed([made_], each, Fraction(30_000), MONTHLY, of_balance=True)
            for each in (whole, change, other)
        ]
