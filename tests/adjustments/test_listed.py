"""Listed adjustments: what a service made is not made again (A18, A33, A38)."""

from decimal import Decimal
from typing import Any

import pytest

from rentbilling import (
    BillingCycle,
    LeaseTerms,
    RentAdjustment,
    RentAdjustmentRule,
    adjusted_terms,
    pending_bills,
    rent_adjustments,
)
from rentbilling.errors import InvalidRecordError
from rentbilling.terms import AdjustmentEffect
from rentbilling.values import YearMonth
from tests.support.plans import (
    GOES_ON,
    IN_2021,
    IN_2022,
    IN_2023,
    ITEM,
    TENTHS,
    TO_2021,
    TO_2022,
    TO_2023,
    Row,
    amounts,
    by_index,
    by_steps,
    clause,
    codes,
    deposit,
    home,
    lease,
    octobers,
    outcome,
    plan,
    ruled,
    series,
    step,
    to_text,
    with_listed,
    worth,
)
from tests.support.rents import amount, day, price_from, quantity_from
from tests.support.rows import rows


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


LOWER = by_index(combine="lower_of", series="NPI")


# fmt: off
AMOUNTS: list[Row] = [
    # An adjustment that a service listed is taken as made, and is not made again (A18, A38).
    # It is in force and the next one goes on from it. 10,990 listed for 2021 stay; × 1.1 = 12,089
    # in 2022; no value of 2020 is needed.
    ("2021-01-01 10990.00, 2022-01-01 12089.00",
     with_listed(lease(by_index()), [listed("2021-01-01", "10990.00")]),
     series({"2020-10": 110, "2021-10": 121})),
    # It speaks for the days before it. Made in March, so that of January 2021 is not made either.
    ("2021-03-01 10500.00, 2022-01-01 11550.00",
     with_listed(lease(by_index()), [listed("2021-03-01", "10500.00")]), TENTHS),
    # What was agreed before such a day is counted. 12,000 of June 2020; nothing in January 2021,
    # and 13,200 in 2022.
    ("2021-03-01 12000.00, 2022-01-01 13200.00",
     with_listed(lease(by_index(), item=home(amount_records=(price_from("2020-06-01",
      "12000.00"),))), [listed("2021-03-01", "12000.00")]), TENTHS, TO_2022),
    # It speaks for no later month of its year. Made in March; July 2021 follows with 110 / 100,
    # 11,550, and July 2022 with 12,705.
    ("2021-03-01 10500.00, 2021-07-01 11550.00, 2022-07-01 12705.00",
     with_listed(lease(by_index(adjustment_month=7)), [listed("2021-03-01", "10500.00")]), TENTHS,
     TO_2022),
    # Of rules in several months it speaks for its day. January 2021 is listed, July is still made.
    ("2021-01-01 10900.00, 2021-07-01 11118.00",
     with_listed(lease(plan(by_index(), by_steps(step(2021, "2 %"), adjustment_month=7))),
      [listed("2021-01-01", "10900.00")]), TENTHS, TO_2021),
    # Of rules within a year it speaks for its day. Every half year: January is listed, July is
    # made, 10,900 × 1.05.
    ("2021-01-01 10900.00, 2021-07-01 11445.00",
     with_listed(lease(by_index(interval_months=6, lag_months=2)), [listed("2021-01-01",
      "10900.00")]), series({"2020-05": 100, "2020-11": 105, "2021-05": "110.25"}),
     "2020-08-01/2021-12-31"),
    # One without amounts changes nothing. It is returned as it was listed, and made: 10,000 ×
    # 121/110 a year later.
    ("2021-01-01 , 2022-01-01 11000.00",
     with_listed(lease(by_index()), [RentAdjustment(adjusted_on=day("2021-01-01"))]), TENTHS,
     TO_2022),
    # An anchored rule goes on from what is listed. 10,990 are not its 11,000, so they are agreed
    # anew at 110: × 121 / 110 = 12,089.
    ("10990.00 12089.00",
     with_listed(lease(ruled(basis="anchored")), [listed("2021-01-01", "10990.00",
      (effect(start="2019-10", to="2020-10"),))]), TENTHS),
    # An anchored rule keeps its stated base. The base of the clause is 9,000: × 1.21 = 10,890.
    ("9900.00 10890.00",
     with_listed(lease(ruled(basis="anchored", base_amount="9000 DKK")), [listed("2021-01-01",
      "9900.00", (effect(start="2019-10", to="2020-10"),))]), TENTHS),
    # A base that moved is a new one. 2022 is listed as compared with 2020: from 10,500 then, ×
    # 133.1/110 = 12,705.
    ("12705.00",
     with_listed(lease(ruled(basis="anchored", base_amount="9000 DKK")), [listed("2021-01-01",
      "10500.00", (effect(start="2019-10", to="2020-10"),)), listed("2022-01-01", "11550.00",
      (effect(start="2020-10", to="2021-10"),))]), TENTHS, IN_2023),
    # A limit that is told is a new base. Held at 10,400: that and October 2020 are what it goes on
    # from, × 1.1 = 11,440.
    ("11440.00",
     with_listed(lease(by_index(most="0.2", basis="anchored")), [listed("2021-01-01", "10400.00",
      (effect(start="2019-10", to="2020-10", reasons=("maximum",)),))]), TENTHS, IN_2022),
    # A month stands for the quarter that a rule compares. Listed by its last month; from then on
    # 121 / 110 of the quarter, and not of September.
    ("11440.00",
     with_listed(lease(ruled(basis="anchored", reference="quarter", index_quarter=3)),
      [listed("2021-01-01", "10400.00", (effect(start="2019-09", to="2020-09",
      reasons=("maximum",)),))]),
     series({"2019-Q3": 100, "2020-Q3": 110, "2021-Q3": 121, "2019-09": 90, "2020-09": 90}),
     IN_2022),
    # Effects follow each other. Anchored 10,000 → 11,000, + 2 % → 11,220; so its base is 10,200: ×
    # 1.21 = 12,342.
    ("12342.00",
     with_listed(lease(plan(ruled(basis="anchored"), by_steps(step(2021, "2 %")))),
      [listed("2021-01-01", "11220.00", (effect(start="2019-10", to="2020-10",
      to_period_amount=amount("11000.00")), effect("rule-2")))]), TENTHS, IN_2022),
    # An amount that rules do not make is a new base. 11,330 are not 11,220: agreed anew at 110, ×
    # 121 / 110 = 12,463.
    ("12463.00",
     with_listed(lease(plan(ruled(basis="anchored"), by_steps(step(2021, "2 %")))),
      [listed("2021-01-01", "11330.00", (effect(start="2019-10", to="2020-10"),
      effect("rule-2")))]), TENTHS, IN_2022),
    # What the rules do themselves is known without its parts. Anchored 10,000 → 11,000, + 2 % →
    # 11,220 as listed; so its base is 10,200: 12,342.
    ("12342.00",
     with_listed(lease(plan(ruled(basis="anchored"), by_steps(step(2021, "2 %")))),
      [listed("2021-01-01", "11220.00")]), TENTHS, IN_2022),
    # What the rules make is made whatever effects tell. Both rules make the 11,220 listed, though
    # an effect tells of one alone: × 1.1.
    ("12342.00",
     with_listed(lease(plan(by_index(), by_steps(step(2021, "2 %")))), [listed("2021-01-01",
      "11220.00", (effect("rule-2"),))]), TENTHS, IN_2022),
    # An early adjustment that tells of its rule is what it tells. October 2020 was applied in
    # March: July 2021 has nothing to add, July 2022 × 1.1.
    ("11550.00",
     with_listed(lease(by_index(adjustment_month=7)), [listed("2021-03-01", "10500.00",
      (effect(start="2019-10", to="2020-10"),))]), TENTHS, IN_2022),
    # An anchored part stays whatever was listed. 10,500 was listed, agreed anew at 110; 4,000 of
    # them follow: + 10 % of 4,000.
    ("10900.00",
     with_listed(lease(ruled(basis="anchored", indexed_amount="4000 DKK")), [listed("2021-01-01",
      "10500.00", (effect(start="2019-10", to="2020-10"),))]), TENTHS, IN_2022),
    # Effects of unknown rules tell nothing about the known. Of rules that the plan does not have:
    # the amount counts, and 2022 starts as usual.
    ("12089.00",
     with_listed(lease(by_index()), [listed("2021-01-01", "10990.00", (effect("gone"),
      AdjustmentEffect()))]), series({"2020-10": 110, "2021-10": 121}), IN_2022),
    # A listing of amounts alone lets all rules start anew. 2021 is not listed and 2022 is, without
    # effects: 2023 compares with a year before.
    ("12000.00 13200.00", with_listed(lease(by_index()), [listed("2022-01-01", "12000.00")]),
     TENTHS, TO_2023),
    # What was agreed in between comes before it. 12,000 from July 2021; 2022 listed as 13,000; the
    # anchored rule follows 12,000.
    ("11000.00 13200.00 14520.00",
     with_listed(lease(ruled(basis="anchored"), item=home(amount_records=(price_from("2021-07-01",
      "12000.00"),))), [listed("2022-01-01", "13200.00", (effect(start="2020-10", to="2021-10"),)),
      listed("2021-01-01", "11000.00", (effect(start="2019-10", to="2020-10"),))]), TENTHS),
    # A part follows what is listed. 4,000 of 10,000 became 4,400; a tenth more of that is 440:
    # 10,840.
    ("10840.00",
     with_listed(lease(ruled(indexed_amount="4000 DKK")), [listed("2021-01-01", "10400.00",
      (effect(start="2019-10", to="2020-10"),))]), TENTHS, IN_2022),
    # An anchored part stays what it was. 21 percent of 4,000 are 840.
    ("10840.00",
     with_listed(lease(ruled(basis="anchored", indexed_amount="4000 DKK")), [listed("2021-01-01",
      "10400.00", (effect(start="2019-10", to="2020-10"),))]), TENTHS, IN_2022),
    # One of another plan does not stop this one.
    ("11000.00 11300.00 12430.00",
     with_listed(lease(by_index(), by_steps(step(2021, "2 %"), adjustment_month=7)),
      [listed("2021-07-01", "11300.00", (effect(),))], at=1), TENTHS, "2020-02-01/2022-06-30"),
    # An amount of nothing has no factor. 0 listed as 100: nothing can be scaled by that, and × 1.1
    # follows.
    ("110.00",
     with_listed(lease(plan(by_index(), by_steps(step(2030, "2 %"))), item=home("0.00")),
      [listed("2021-01-01", "100.00", (effect(),))]), TENTHS, IN_2022),
    # It may come after what is asked. Listed for 2023, and nothing is made before it: 2021 and 2022
    # are spoken for.
    ("", with_listed(lease(by_index()), [listed("2023-01-01", "13000.00")]), TENTHS, TO_2022),
    ("2023-01-01 13000.00", with_listed(lease(by_index()), [listed("2023-01-01", "13000.00")]),
     TENTHS, TO_2023),

    # An exact amount goes on behind the one that is billed (A40).
    # A new quantity carries it on. 3.663 for two are 7.326, and × 1.1 = 8.0586; 7.32 × 1.1 would be
    # 8.05.
    ("3.66 8.06",
     lease(ruled(carried="exact"), item=home("3.33",
      quantity_records=(quantity_from("2021-06-01", "2"),))), TENTHS),
    # What was listed is gone on from as it was listed. Not the 3.663 that led to it: 3.66 × 1.1 ×
    # 1.1 × 1.1 = 4.87146 (A38).
    ("3.66 4.03 4.43 4.87",
     with_listed(lease(ruled(carried="exact"), item=home("3.33")),
      rent_adjustments(lease(ruled(carried="exact"), item=home("3.33")), TO_2021, indices=TENTHS)),
     TENTHS),
    # What was listed otherwise is gone on from. 3.70 in 2021: 4.07, 4.477 and 4.9247.
    ("3.70 4.07 4.48 4.92",
     with_listed(lease(ruled(carried="exact"), item=home("3.33")), [listed("2021-01-01",
      to_period_amount="3.70")]), TENTHS),

    # A listed adjustment begins with the amount in force, or is noticed (A38).
    # The first amount is that before it. 10,500 as listed; 0.9 of it would be 9,450, and 10,000 is
    # the least (A40).
    ("10500.00 10000.00",
     with_listed(lease(ruled(floor_at_start=True)), [listed("2021-01-01",
      to_period_amount="10500.00")]), (100, 200, 180)),

    # A record on the day of an adjustment is that adjustment (A18).
    # What was agreed the day before counts for an anchored rule. 20,000 since the last day of 2021:
    # × 121/110 = 22,000 in January, 24,200 a year later.
    ("11000.00 22000.00 24200.00",
     lease(ruled(basis="anchored"), item=home(amount_records=(price_from("2021-12-31",
      "20000.00"),))), TENTHS),
    # A first year counts by its months in july too. Eleven whole months of 2020 are left: 11/12 of
    # 2.4 percent are 2.2 (A40).
    ("800.00 > 817.60",
     ruled(pro_rata="first_year", reference="year_mean").evolve(index_month=None,
      adjustment_month=7, first_year="2021"), series({"2020": "0.024"}, kind="change")),
]
LISTED_OR_NOT: list[tuple[str, LeaseTerms, str, str]] = [
    # A rule that is not listed keeps its point. Two percent are listed for 2021, the index was
    # below 15: 21 percent since 2019.
    ("10200.00 12342.00", lease(plan(by_steps(step(2021, "2 %")), ruled(threshold="0.15"))),
     IN_2021, TO_2022),
    # A year without a listed adjustment keeps the point. Nothing is listed for 2021, two percent
    # for 2022: 33.1 percent since 2019.
    ("10200.00 13576.20", lease(plan(by_steps(step(2022, "2 %")), ruled(threshold="0.25"))),
     "2021-01-01/2022-12-31", TO_2023),
    # The base of another plan follows what is listed. 11,000 × 1.02 = 11,220 in July, and 10,200 ×
    # 1.21 = 12,342 in January (A36).
    ("12342.00", lease(ruled(basis="anchored"), by_steps(step(2021, "2 %"), adjustment_month=7)),
     IN_2021, IN_2022),
]
# fmt: on


@rows("row", AMOUNTS)
def test_a_rent_is_adjusted_to(row: Row) -> None:
    assert row[0] == outcome(*row)


@rows(("expected", "terms", "days", "asked"), LISTED_OR_NOT)
def test_a_rent_goes_on_alike_once_it_is_listed(
    expected: str, terms: LeaseTerms, days: str, asked: str
) -> None:
    given = adjusted_terms(terms, rent_adjustments(terms, days, indices=TENTHS))

    assert [expected.split()] * 2 == [amounts(each, TENTHS, asked) for each in (terms, given)]


class TestWhatIsListed:
    """An adjustment that a service listed is taken as made, and is not made again (A18, A38)."""

    def test_it_is_returned_as_it_was_listed(self) -> None:
        given = listed("2021-01-01", "10990.00", (effect(start="2019-10", to="2020-10"),))
        given = given.evolve(id="adj-1")
        (found,) = rent_adjustments(with_listed(lease(by_index()), [given]), IN_2021)

        assert given == found
        assert ("plan-1", ITEM) == (found.plan_id, found.adjustee_id)

    def test_the_amount_of_a_year_is_enough(self) -> None:
        """132,000 a year are 11,000 a month."""
        terms = with_listed(lease(by_index()), [listed("2021-01-01", to_yearly_amount="132000.00")])

        assert "11000.00" == worth(terms, "2021-01-01")
        assert ["12100.00"] == amounts(terms, TENTHS, IN_2022)

    @rows(
        ("stated", "price_per", "cycle", "in_force", "billed"),
        [
            # 100,000 / 12 = 8,333.33, of which 30 of 31 days are 8,064.51 (of 8,333.33… it is .52).
            ({"to_yearly_amount": "100000.00"}, "cycle", 1, "8333.33", "8064.51"),
            ({"to_yearly_amount": "100000.00"}, "month", 1, "8333.33", "8064.51"),
            # 10,000 and a twelfth of −20,000.04, which is −1,666.67.
            ({"yearly_amount_change": "-20000.04"}, "cycle", 1, "8333.33", "8064.51"),
            # A price of a month whose quarter is listed as 25,000: 2 + 30/31 of 3 months.
            ({"to_period_amount": "25000.00"}, "month", 3, "8333.33", "24731.18"),
            ({"to_yearly_amount": "100000.00"}, "month", 3, "8333.33", "24731.18"),
        ],
    )
    def test_what_an_amount_of_a_year_leads_to_is_in_force_rounded(
        self, stated: dict[str, str], price_per: str, cycle: int, in_force: str, billed: str
    ) -> None:
        figures: dict[str, Any] = {name: amount(text) for name, text in stated.items()}
        given = RentAdjustment(adjusted_on=day("2021-01-01"), **figures)
        last = "2021-01-30" if cycle == 1 else "2021-03-30"
        paid = home(
            price_per=price_per,
            billing_cycle=BillingCycle(period_length=cycle),
            ended_on=day(last),
        )
        terms = with_listed(lease(by_index(), item=paid), [given])

        assert in_force == worth(terms, "2021-01-15")
        (bill,) = pending_bills(terms, "2021-01")
        assert billed == str(bill.total.amount)

    def test_an_amount_that_is_carried_is_remembered(self) -> None:
        """10,500 in force and 11,000 of its own: × 1.1 = 12,100, held at 5 % more: 11,025."""
        rule = by_index(most="0.05", after_limit="carry")
        terms = with_listed(lease(rule), [listed("2021-01-01", "10500.00")])
        (found,) = rent_adjustments(terms, IN_2022, indices=TENTHS)

        assert amount("11025.00") == found.to_period_amount
        assert amount("12100.00") == found.adjustment_rules_effects[0].unlimited_amount

    def test_nothing_is_carried_past_what_is_agreed_anew(self) -> None:
        """10,400 are not the 10,500 of the rule: × 1.1 = 11,440, held at 10,920."""
        rule = by_index(most="0.05", after_limit="carry")
        told = effect(start="2019-10", to="2020-10", unlimited_amount=amount("11000.00"))
        terms = with_listed(lease(rule), [listed("2021-01-01", "10400.00", (told,))])
        (found,) = rent_adjustments(terms, IN_2022, indices=TENTHS)

        assert amount("10920.00") == found.to_period_amount
        assert amount("11440.00") == found.adjustment_rules_effects[0].unlimited_amount

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

    @rows(
        ("fields", "expected"),
        [
            # 4,080 follow the index: 2 percent of them are 81.60, and so again.
            ({"basis": "anchored"}, ["10161.60", "10244.83"]),
            # 4,400 and 4,840 of its own; 2 percent of 4,080 are in force, then of 4,161.60.
            ({"after_limit": "carry"}, ["10161.60", "10244.83"]),
            ({"basis": "last_indexed"}, ["10161.60", "10244.83"]),
        ],
    )
    def test_a_part_that_was_limited_goes_on_from_there(
        self, fields: dict[str, Any], expected: list[str]
    ) -> None:
        kept = clause(indexed_amount="4000 DKK", **fields)
        terms = lease(by_index(most="0.02", index_clause=kept))
        found = rent_adjustments(terms, TO_2023, indices=TENTHS)

        assert ["10080.00", *expected] == amounts(terms, TENTHS, TO_2023)
        for count in (1, 2):
            assert found == rent_adjustments(
                adjusted_terms(terms, found[:count]), TO_2023, indices=TENTHS
            )

    @rows(
        ("other", "expected"),
        [
            (by_index(most="0.04", last_year="2021", combine="limit"), "11440.00"),
            (by_steps(step(2021, "3 %"), combine="lower_of"), "11330.00"),
            (by_steps(step(2021, "12 %"), combine="lower_of"), "12100.00"),
            (by_steps(step(2021, "1 %"), combine="sum"), "12210.00"),
        ],
    )
    def test_an_anchored_rule_goes_on_from_what_others_left(
        self, other: RentAdjustmentRule, expected: str
    ) -> None:
        terms = lease(plan(ruled(basis="anchored"), other))
        found = rent_adjustments(terms, TO_2022, indices=TENTHS)

        assert expected == to_text(found[1])
        assert found == rent_adjustments(adjusted_terms(terms, found[:1]), TO_2022, indices=TENTHS)


class TestListedInPart:
    """Adjustments that a service tells in part (A38)."""

    def test_those_before_must_be_listed_too(self) -> None:
        """2022 begins with 11,000, and without 2021 there are 10,000 in force."""
        terms = lease(by_index())
        made = rent_adjustments(terms, IN_2022, indices=TENTHS)
        with pytest.raises(InvalidRecordError) as refused:
            adjusted_terms(terms, made)

        (problem,) = refused.value.problems
        assert ("gap", "'11000.00 DKK'") == (problem.code, problem.met)
        assert problem.expected.startswith("10000.00 DKK")

    def test_those_before_an_amount_agreed_since_must_be_listed_too(self) -> None:
        """2021 makes 11,000; 10,500 of June are agreed, so that 2022 makes 11,550 either way.

        With 2022 alone listed the autumn of 2021 and all before it would cost 10,000 again (A18).
        """
        agreed = home(amount_records=(price_from("2021-06-01", "10500.00"),))
        terms = lease(by_index(), item=agreed)
        made = rent_adjustments(terms, TO_2022, indices=TENTHS)
        assert ["11000.00", "11550.00"] == [to_text(each) for each in made]
        for known in (TENTHS, None):
            with pytest.raises(InvalidRecordError) as refused:
                adjusted_terms(terms, made[1:], indices=known)
            (problem,) = refused.value.problems
            assert ("adjustment of 2021-01-01", "gap") == (problem.path, problem.code)
        whole = adjusted_terms(terms, made)
        assert made == rent_adjustments(whole, TO_2022, indices=TENTHS)

    def test_those_before_that_come_to_nothing_must_be_listed_too(self) -> None:
        """+ 25 % and - 20 % lead back to 10,000, at which 2023 begins."""
        steps = step(2021, "25 %"), step(2022, "-20 %"), step(2023, "1 %")
        terms = lease(plan(by_steps(*steps)))
        made = rent_adjustments(terms, TO_2023)
        assert ["12500.00", "10000.00", "10100.00"] == [to_text(each) for each in made]
        with pytest.raises(
            InvalidRecordError, match=r"adjustment of 2021-01-01: is made no longer"
        ):
            adjusted_terms(terms, made[2:])

    def test_a_day_on_which_rules_made_nothing_need_not_be_listed(self) -> None:
        """Of 100, 101, 112 the first step of 1 % waits for 5 %; 2022 makes 12 % of 10,500."""
        agreed = home(amount_records=(price_from("2021-06-01", "10500.00"),))
        waits = ruled(threshold="0.05")
        terms, levels = lease(plan(waits), item=agreed), octobers(100, 101, 112)
        made = rent_adjustments(terms, TO_2022, indices=levels)
        assert 1 == len(made)
        after = adjusted_terms(terms, made, indices=levels)
        assert made == rent_adjustments(after, TO_2022, indices=levels)

    @rows(
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
            lease(plan(by_index(), adjustments=(told,))), IN_2021, indices=TENTHS
        )

        assert ["listed_without_amount"] == [notice.code for notice in found.notices]

    def test_one_before_the_start_is_noticed(self) -> None:
        """The opening period ends on 31 January 2020; what was listed before it changes nothing."""
        told = RentAdjustment(adjusted_on=day("2020-01-01"), to_period_amount=amount("9000.00"))
        found = rent_adjustments(
            lease(plan(by_index(), adjustments=(told,))), TO_2021, indices=TENTHS
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
            lease(plan(by_index(), adjustments=(told,))), IN_2021, indices=TENTHS
        )

        assert [
            ("listed_from_differs", {"told": "9000.00 DKK", "inForce": "10000.00 DKK"}),
            ("record_differs", {"agreed": "10500.00 DKK", "byTheRules": "11000.00 DKK"}),
        ] == [
            (each.code, {k: v for k, v in each.facts if k != "adjustedOn"})
            for each in found.notices
        ]


class TestCarriedAmounts:
    """An exact amount goes on behind the one that is billed (A40)."""

    def test_what_is_told_begins_with_what_was_billed(self) -> None:
        """10.035 is billed as 10.04, and 10.044 too: a change of 0.00, not of 0.009."""
        terms = lease(ruled(carried="exact"), item=home("10.00"))
        _, found = rent_adjustments(terms, TO_2022, indices=octobers(10000, 10035, 10044))

        assert (amount("10.04"), amount("10.04"), amount("0.00")) == (
            found.from_period_amount,
            found.to_period_amount,
            found.period_amount_change,
        )
        assert [amount("10.04")] == [
            each.from_period_amount for each in found.adjustment_rules_effects
        ]


class TestBeforeAListedOne:
    """A listed adjustment begins with the amount in force, or is noticed (A38)."""

    @rows(
        ("told", "found"),
        [
            ("10000.00", []),
            ("10000.01", ["listed_from_differs"]),
            ("9999.99", ["listed_from_differs"]),
        ],
    )
    def test_one_minor_unit_is_a_difference(self, told: str, found: list[str]) -> None:
        """10,000.00 are in force."""
        one = listed("2021-01-01", from_period_amount=told, to_period_amount="11000.00")

        assert found == codes(with_listed(lease(by_index()), [one]), TENTHS, TO_2021)

    def test_less_than_a_minor_unit_is_none(self) -> None:
        """33.331 is no amount that can be paid; a service may have rounded it up."""
        item = home("33.331")
        one = listed("2021-01-01", from_period_amount="33.34", to_period_amount="36.66")

        assert [] == codes(with_listed(lease(by_index(), item=item), [one]), TENTHS, TO_2021)

    def test_it_is_the_amount_of_the_whole_line(self) -> None:
        """Twice 10,000."""
        one = listed("2021-01-01", from_period_amount="20000.00", to_period_amount="22000.00")
        terms = with_listed(lease(by_index(), item=home(quantity=Decimal(2))), [one])

        assert [] == codes(terms, TENTHS, TO_2021)
        assert ["22000.00", "24200.00"] == amounts(terms, TENTHS, TO_2022)

    @rows(("told", "found"), [("30000.00", []), ("29000.00", ["listed_from_differs"])])
    def test_of_a_balance_it_is_the_balance(self, told: str, found: list[str]) -> None:
        """30,000 by rules of its own; the rent is no matter."""
        one = RentAdjustment(
            adjusted_on=day("2021-01-01"),
            from_period_amount=amount("1.00"),
            from_balance_amount=amount(told),
            to_balance_amount=amount("33000.00"),
        )
        own = plan(
            by_index(), adjusts_recurring_bill_item=False, adjusts_balance=True, adjustments=(one,)
        )

        assert found == codes(lease(own, balances=(deposit(),)), TENTHS, TO_2021)


class TestLowerOf:
    """A rule that counts only where it is lower competes with what stands, too (A37)."""

    def test_with_a_rule_whose_value_is_missing(self) -> None:
        """The amount stands at 10,000 by the first rule; 11,000 is not lower."""
        first = ruled(series="CPI")
        values = [TENTHS, series({"2018-10": 1}, name="CPI")]
        terms = lease(plan(first, LOWER))
        found = rent_adjustments(terms, TO_2021, indices=values, policy=GOES_ON)

        assert [amount("10000.00")] == [each.to_period_amount for each in found]

    def test_with_a_rule_below_its_threshold(self) -> None:
        """One percent is too little: 10,000 stands, and 11,000 is not lower."""
        first = ruled(series="CPI", threshold="0.05")
        values = [TENTHS, series({"2019-10": 100, "2020-10": 101}, name="CPI")]
        terms = lease(plan(first, LOWER))
        found = rent_adjustments(terms, TO_2021, indices=values)

        assert [amount("10000.00")] == [each.to_period_amount for each in found]


class TestRecordsOfTheDay:
    """A record on the day of an adjustment is that adjustment (A18)."""

    def test_it_begins_with_the_price_of_the_day_before(self) -> None:
        """11,500 since the 31st of December, and 12,000 on the 1st of January."""
        item = home(
            amount_records=(
                price_from("2021-12-31", "11500.00"),
                price_from("2022-01-01", "12000.00"),
            )
        )
        found = rent_adjustments(lease(by_index(), item=item), TO_2022, indices=TENTHS)

        assert [
            (amount("10000.00"), amount("11000.00")),
            (amount("11500.00"), amount("12000.00")),
        ] == [(each.from_period_amount, each.to_period_amount) for each in found]
