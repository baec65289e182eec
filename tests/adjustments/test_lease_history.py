"""Histories asked again: what comes later is added, what was refused leaves no trace (A38, A39)."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

import rentbilling as rb
from rentbilling.adjustments import (
    Adjusted,
    AmountScale,
    BalanceHistory,
    LeaseHistories,
    Moved,
    MovesBy,
)
from tests.support import plans
from tests.support.rents import amount, day, ordinal
from tests.support.rows import rows

SCALE = AmountScale("DKK", 2, "half_up", Fraction(1))


def histories(
    terms: rb.LeaseTerms,
    policy: rb.BillingPolicy | None = None,
    *,
    index: rb.IndexSeries = plans.TENTHS,
) -> LeaseHistories:
    """Return the histories of a lease by an index of tenths, or by another one."""
    return LeaseHistories(terms, {"NPI": index}, policy or rb.BillingPolicy())


def told(moved: tuple[Moved, ...]) -> list[tuple[str, str, str]]:
    """Return the day of each change of a balance, and the balance before and after it."""
    return [
        (date.fromordinal(each.day).isoformat(), f"{each.before}", f"{each.after}")
        for each in moved
    ]


class Doubles(MovesBy):
    """Doubles a balance on given days."""

    __slots__ = ("days",)

    def __init__(self, plan_of_days: rb.RentAdjustmentPlan, *days: str, at: int = 0) -> None:
        super().__init__(at, plan_of_days, None)
        self.days = days

    def followed(self, after: int, day: int) -> list[tuple[int, MovesBy, Adjusted | None]]:
        return [(each, self, None) for each in map(ordinal, self.days) if after < each <= day]

    def moved(
        self, day: int, before: Fraction, adjusted: Adjusted | None, scale: AmountScale
    ) -> Moved:
        return Moved(day, self.at, before, scale.rounded(before * 2), (), adjusted)


def listed(when: str, to: str | None) -> rb.RentAdjustment:
    given = None if to is None else amount(to)
    return rb.RentAdjustment(adjusted_on=day(when), to_balance_amount=given)


def doubled(*movers: MovesBy) -> BalanceHistory:
    """Return the history of a deposit of 100."""
    return BalanceHistory(plans.deposit("100.00"), "deposit-7", SCALE, movers)


class TestItems:
    """The adjustments of an item, computed only as far as they were asked for."""

    def test_a_refusal_half_way_leaves_nothing_half_done(self) -> None:
        """2021 is there, 2022 is missing; asked again, 2021 is there once."""
        items = histories(plans.lease(plans.by_index()), index=plans.octobers(100, 110)).items[0]

        for _ in range(2):
            with pytest.raises(rb.MissingIndexError):
                items.until(ordinal("2022-12-31"))
        assert [Fraction(11000)] == [each.after for each in items.until(ordinal("2021-12-31"))]

    def test_a_refusal_half_way_leaves_no_notice(self) -> None:
        """The change of 150 percent is told once; of 2022 nothing is known."""
        items = histories(plans.lease(plans.by_index()), index=plans.octobers(100, 250)).items[0]

        with pytest.raises(rb.MissingIndexError):
            items.until(ordinal("2022-12-31"))
        assert ["large_change"] == [
            notice.code for notice in items.notices(0, ordinal("2021-12-31"))
        ]

    def test_notices_of_the_last_day_are_among_them(self) -> None:
        items = histories(
            plans.lease(plans.by_index()), plans.GOES_ON, index=plans.octobers(100)
        ).items[0]
        first = ordinal("2021-01-01")

        assert ["missing_index"] == [each.code for each in items.notices(first, first)]
        assert [] == [each.code for each in items.notices(0, first - 1)]

    def test_as_many_adjustments_as_lines_may_be(self) -> None:
        """Two of two pass, three do not (A60)."""
        items = histories(plans.lease(plans.by_index()), rb.BillingPolicy(max_lines=2)).items[0]

        assert 2 == len(items.until(ordinal("2022-12-31")))
        fresh = histories(plans.lease(plans.by_index()), rb.BillingPolicy(max_lines=2)).items[0]
        with pytest.raises(rb.UnsupportedCaseError) as caught:
            fresh.until(ordinal("2023-12-31"))
        assert ("too_many_lines", "3", "2") == (
            caught.value.code,
            str(caught.value.facts["lines"]),
            str(caught.value.facts["most"]),
        )


class TestBalances:
    """The changes of a balance go on from the last one, whenever they are asked for."""

    DAYS = ("2021-01-01", "2022-01-01", "2023-01-01")
    DOUBLED = (
        ("2021-01-01", "100", "200"),
        ("2022-01-01", "200", "400"),
        ("2023-01-01", "400", "800"),
    )

    def test_year_by_year_or_at_once(self) -> None:
        """100, 200, 400 and 800."""
        once = doubled(Doubles(plans.plan(plans.by_index()), *self.DAYS))
        by_year = doubled(Doubles(plans.plan(plans.by_index()), *self.DAYS))

        assert list(self.DOUBLED) == told(once.until(ordinal("2023-12-31")))
        for count in (1, 2, 3):
            there = by_year.until(ordinal(f"{2020 + count}-12-31"))
            assert list(self.DOUBLED[:count]) == told(there)
        assert list(self.DOUBLED[:1]) == told(by_year.until(ordinal("2021-12-31")))
        assert "deposit-7" == by_year.balance_id

    def test_two_plans_on_one_day_act_one_after_the_other(self) -> None:
        """In the order of the plans: 200, then 400."""
        movers = (Doubles(plans.plan(plans.by_index()), "2021-01-01", at=at) for at in (0, 1))
        moved = doubled(*movers).until(ordinal("2021-12-31"))

        assert [(0, Fraction(200)), (1, Fraction(400))] == [
            (each.plan, each.after) for each in moved
        ]

    def test_what_is_listed_is_taken_as_made(self) -> None:
        """150 in 2021, where the plan would make 200; 300 in 2022, and 310 in July, as listed."""
        made = (listed("2021-01-01", "150.00"), listed("2022-07-01", "310.00"))
        own = plans.plan(plans.by_index(), adjustments=made)
        moved = doubled(Doubles(own, "2021-01-01", "2022-01-01")).until(ordinal("2022-12-31"))

        assert [
            ("2021-01-01", "100", "150"),
            ("2022-01-01", "150", "300"),
            ("2022-07-01", "300", "310"),
        ] == told(moved)
        assert [made[0], None, made[1]] == [each.listed for each in moved]
        assert [()] * 3 == [each.effects for each in moved]

    @rows(
        ("after", "until", "days"),
        [
            ("2020-12-31", "2021-07-01", ["2021-01-01", "2021-07-01"]),
            ("2020-12-31", "2021-06-30", ["2021-01-01"]),
            ("2021-01-01", "2021-07-01", ["2021-07-01"]),
            ("2021-07-01", "2021-12-31", []),
        ],
    )
    def test_listed_days_are_among_those_between_two(
        self, after: str, until: str, days: list[str]
    ) -> None:
        made = (
            listed("2021-01-01", "150.00"),
            listed("2021-07-01", "160.00"),
            listed("2021-07-02", None),
        )
        mover = Doubles(plans.plan(plans.by_index(), adjustments=made), "2021-01-01")

        assert days == sorted(
            date.fromordinal(each).isoformat()
            for each, _, _ in mover.steps(ordinal(after), ordinal(until))
        )

    def test_a_plan_that_gives_the_days_gives_each_once(self) -> None:
        """Three months of 10,000, 11,000 and 12,100, asked month by month around the days."""
        own = plans.plan(plans.by_index(), adjusts_recurring_bill_item=False, adjusts_balance=True)
        terms = plans.lease(plans.by_index(), own, balances=(plans.deposit(months="3"),))
        by_month = histories(terms).balances[0]
        expected = [("2021-01-01", "30000", "33000"), ("2022-01-01", "33000", "36300")]

        for until, count in (
            ("2020-12-31", 0),
            ("2021-01-31", 1),
            ("2021-12-31", 1),
            ("2022-01-01", 2),
            ("2022-01-31", 2),
        ):
            assert expected[:count] == told(by_month.until(ordinal(until)))

    def test_a_plan_that_adjusts_both_gives_each_day_once(self) -> None:
        both = plans.plan(plans.by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
        by_day = histories(plans.lease(both, balances=(plans.deposit(months="3"),))).balances[0]
        expected = [("2021-01-01", "30000", "33000"), ("2022-01-01", "33000", "36300")]

        for until, count in (("2021-01-01", 1), ("2021-06-30", 1), ("2022-01-01", 2)):
            assert expected[:count] == told(by_day.until(ordinal(until)))


class TestFactors:
    """Where the months are not known, a balance follows the exact factor of the rent."""

    def both(self, price: str) -> rb.LeaseTerms:
        """Return a lease whose plan adjusts a rent and a deposit of 30,000."""
        rule = plans.plan(plans.by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
        return plans.lease(rule, item=plans.home(price), balances=(plans.deposit(),))

    def test_of_each_rule_before_it_is_rounded(self) -> None:
        """A tenth more: 33,000, where 36.66 / 33.33 would make 32,997.30."""
        (found,) = rb.rent_adjustments(self.both("33.33"), plans.IN_2021, indices=plans.TENTHS)
        (effect,) = found.adjustment_rules_effects

        assert amount("36.66") == found.to_period_amount
        assert [amount("33000.00")] * 2 == [effect.to_balance_amount, found.to_balance_amount]

    def test_of_nothing_it_stays(self) -> None:
        """A rent of 0 has no factor."""
        (found,) = rb.rent_adjustments(self.both("0.00"), plans.IN_2021, indices=plans.TENTHS)
        (effect,) = found.adjustment_rules_effects

        assert [amount("30000.00")] * 2 == [effect.to_balance_amount, found.to_balance_amount]

    def test_a_plan_of_days_tells_one_effect(self) -> None:
        own = plans.plan(
            plans.by_index(id="first"),
            plans.by_index(id="second"),
            adjusts_recurring_bill_item=False,
            adjusts_balance=True,
        )
        terms = plans.lease(plans.by_index(), own, balances=(plans.deposit(months="3"),))
        found = rb.rent_adjustments(terms, plans.IN_2021, indices=plans.TENTHS)

        assert [["first"]] == [
            [effect.rent_adjustment_rule_id for effect in each.adjustment_rules_effects]
            for each in found
            if each.to_balance_amount is not None
        ]
        assert Decimal("33000.00") == found[-1].to_balance_amount.amount  # type: ignore[union-attr]
