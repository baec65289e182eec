"""Percentages: from the change of an index to what is applied, step by step (A35, A40)."""

from fractions import Fraction
from typing import Any

import pytest

from rentbilling.adjustments.arithmetic import rounded
from rentbilling.adjustments.percentages import (
    NO_LIMITS,
    Elapsed,
    Limits,
    applied_percentage,
    limits_over,
    passes,
    rounded_change,
)
from tests.support.plans import clause


def part(text: str) -> Fraction:
    return Fraction(text) / 100


def limits(least: str | None = None, most: str | None = None) -> Limits:
    return Limits(None if least is None else part(least), None if most is None else part(most))


def applied(
    change: str,
    held: Limits = NO_LIMITS,
    elapsed: Elapsed | None = None,
    **fields: Any,  # noqa: ANN401
) -> Fraction:
    found = applied_percentage(part(change), clause(**fields), held, elapsed or Elapsed())
    return found.applied * 100


class TestRounding:
    """The percentage has so many decimals, by a mode, at one of two places."""

    @pytest.mark.parametrize(
        ("to", "base", "decimals", "shown"),
        [
            ("109.3", "106.6", 1, "2.5"),
            ("128.25", "127.73", 1, "0.4"),
            ("135.84", "131.12", 2, "3.60"),
            ("138.61", "133.93", 2, "3.49"),
            ("104", "102", 2, "1.96"),
            ("115.60", "109.88", 2, "5.21"),
            ("314.29", "314.02", 2, "0.09"),
            ("120.3", "111.6", 4, "7.7957"),
            ("189.8", "189.2", 1, "0.3"),
            ("292.2", "250.0", 1, "16.9"),
        ],
    )
    def test_printed_percentages_come_out(
        self, to: str, base: str, decimals: int, shown: str
    ) -> None:
        change = Fraction(to) / Fraction(base) - 1

        assert part(shown) == rounded_change(change, clause(percentage_decimals=decimals))

    @pytest.mark.parametrize(
        ("mode", "expected"),
        [("half_up", "1.6"), ("half_down", "1.5"), ("half_even", "1.6"), ("up", "1.6")],
    )
    def test_a_tie_goes_where_the_mode_says(self, mode: str, expected: str) -> None:
        """1.55 percent in one decimal."""
        assert Fraction(expected) == applied(
            "1.55", percentage_decimals=1, percentage_rounding=mode
        )

    def test_a_cut_percentage(self) -> None:
        """An Italian example: 75 percent of 2.1 are 1.575, printed as 1.57."""
        found = applied(
            "2.1",
            share="0.75",
            percentage_decimals=2,
            percentage_rounding="down",
            percentage_rounded="applied",
        )

        assert Fraction("1.57") == found

    def test_the_change_is_rounded_before_the_share(self) -> None:
        """2.55 becomes 2.6, of which 75 percent are 1.95; rounded at the end 1.9125 is 1.9."""
        assert Fraction("1.95") == applied("2.55", percentage_decimals=1, share="0.75")
        assert Fraction("1.9") == applied(
            "2.55", percentage_decimals=1, share="0.75", percentage_rounded="applied"
        )

    def test_a_fraction_is_rounded_once(self) -> None:
        """27/1066 in three decimals is 0.025."""
        assert Fraction(1, 40) == rounded(Fraction(27, 1066), Fraction(1, 1000))

    def test_without_decimals_the_change_is_exact(self) -> None:
        """2/102 stays 2/102; what is rounded when applied is exact before."""
        assert Fraction(2, 102) == rounded_change(Fraction(2, 102), clause())
        assert Fraction(2, 102) == rounded_change(
            Fraction(2, 102), clause(percentage_decimals=1, percentage_rounded="applied")
        )


class TestThreshold:
    """Below a threshold nothing happens."""

    @pytest.mark.parametrize(
        ("change", "inclusive", "expected"),
        [
            ("4.99", True, False),
            ("5", True, True),
            ("5", False, False),
            ("5.01", False, True),
            ("-5", True, True),
            ("-4.99", True, False),
        ],
    )
    def test_a_change_passes_at_or_above_it(
        self, change: str, inclusive: bool, expected: bool
    ) -> None:
        rules = clause(threshold="0.05", threshold_inclusive=inclusive)

        assert expected is passes(part(change), None, rules)

    @pytest.mark.parametrize(("points", "expected"), [("10", True), ("9.9", False), ("-10", True)])
    def test_points_may_count(self, points: str, expected: bool) -> None:
        rules = clause(threshold="10", threshold_unit="points")

        assert expected is passes(part("4"), Fraction(points), rules)

    def test_without_a_threshold_all_passes(self) -> None:
        assert passes(Fraction(0), None, clause())
        assert passes(part("-3"), None, clause())


class TestSteps:
    """Share, excess and surcharge act in this order, each on what the one before left."""

    @pytest.mark.parametrize(
        ("change", "share", "expected"),
        [
            ("1.3", "0.75", "0.975"),
            ("0.7", "0.75", "0.525"),
            ("4.1", "0.8", "3.28"),
            ("5", "0", "0"),
            ("-2", "0.4", "-0.8"),
        ],
    )
    def test_a_share_of_the_change_is_passed_on(
        self, change: str, share: str, expected: str
    ) -> None:
        """75 percent in Italy, 80 and 40 elsewhere."""
        assert Fraction(expected) == applied(change, share=share)

    def test_a_share_of_the_money_waits_for_the_amount(self) -> None:
        assert 5 == applied("5", share="0.75", share_of="money", basis="anchored")

    @pytest.mark.parametrize(
        ("change", "expected"),
        [("2.4", "2.4"), ("3", "3"), ("3.824", "3.412"), ("5", "4"), ("-0.5", "-0.5")],
    )
    def test_what_lies_above_a_bound_counts_in_part(self, change: str, expected: str) -> None:
        assert Fraction(expected) == applied(change, excess_over="0.03", excess_share="0.5")

    def test_half_of_all_counts_above_nothing(self) -> None:
        """Seven percent, of which half: 600 becomes 621."""
        assert Fraction("3.5") == applied("7", excess_over="0", excess_share="0.5")

    def test_a_surcharge_is_added(self) -> None:
        """The Dutch free sector: 4.5 and one point; an English lease: 2 and 1.5."""
        assert Fraction("5.5") == applied("4.5", surcharge="0.01")
        assert Fraction("3.5") == applied("2", surcharge="0.015")

    def test_they_act_in_order(self) -> None:
        """10 × 0.8 = 8; 3 + 5 × 0.5 = 5.5; + 1 = 6.5; at most 6; 8 / 12 of it are 4; so 4.0."""
        found = applied_percentage(
            part("10"),
            clause(
                share="0.8",
                excess_over="0.03",
                excess_share="0.5",
                surcharge="0.01",
                pro_rata="elapsed",
                percentage_decimals=0,
                percentage_rounded="applied",
            ),
            limits(most="6"),
            Elapsed(8),
        )

        # Without the limit it would be 6.5 × 8/12 = 4.333…, rounded 4.
        assert (part("10"), part("4"), part("4")) == (found.change, found.applied, found.unlimited)
        assert ("share", "excess", "surcharge", "maximum", "pro_rata") == found.reasons

    def test_only_what_made_a_difference_is_a_reason(self) -> None:
        assert () == applied_percentage(part("2"), clause(share="1")).reasons
        assert ("rounded",) == applied_percentage(
            part("2.55"), clause(percentage_decimals=1)
        ).reasons
        assert ("rounded",) == applied_percentage(
            part("2.55"), clause(percentage_decimals=1, percentage_rounded="applied")
        ).reasons
        assert (
            ()
            == applied_percentage(
                part("2.5"), clause(percentage_decimals=1, percentage_rounded="applied")
            ).reasons
        )


class TestLimits:
    """The percentage lies between minimum and maximum (A35)."""

    @pytest.mark.parametrize(
        ("change", "share", "expected", "reason"),
        [
            ("6.3", "1", "6", "maximum"),
            ("4.2", "1", "4.2", None),
            ("3.5", "0.8", "3", "minimum"),
            ("10.3", "0.8", "6", "maximum"),
        ],
    )
    def test_planon_takes_the_share_first(
        self, change: str, share: str, expected: str, reason: str | None
    ) -> None:
        found = applied_percentage(part(change), clause(share=share), limits("3", "6"))

        assert part(expected) == found.applied
        assert (reason in found.reasons) is (reason is not None)

    def test_what_a_limit_cut_off_is_known(self) -> None:
        found = applied_percentage(part("10"), clause(), limits(most="4"))

        assert (part("4"), part("10")) == (found.applied, found.unlimited)

    @pytest.mark.parametrize("change", ["3", "6"])
    def test_a_limit_that_is_just_reached_is_not_met(self, change: str) -> None:
        assert () == applied_percentage(part(change), clause(), limits("3", "6")).reasons

    def test_limits_may_be_below_zero(self) -> None:
        assert -2 == applied("-10", limits("-2", "2"))

    def test_a_limit_for_an_adjustment_is_the_limit(self) -> None:
        assert limits("2", "4") == limits_over(limits("2", "4"), clause(), 60)

    @pytest.mark.parametrize(
        ("rate", "months", "year", "expected"),
        [
            ("4", 36, 12, "12"),
            ("4", 63, 12, "21"),
            ("4", 30, 24, "5"),
            ("4", 36, 24, "6"),
            ("2", 12, 12, "2"),
            ("4", 0, 12, "0"),
        ],
    )
    def test_a_limit_may_grow_with_the_months(
        self, rate: str, months: int, year: int, expected: str
    ) -> None:
        """The Irish zones: 1,200 × 4 % × 36/12 = 144, and 4 % × 63/12 = 21 %."""
        rules = clause(limit_per="year_simple", limit_months=year)

        assert part(expected) == limits_over(limits(most=rate), rules, months).maximum

    def test_a_limit_may_compound(self) -> None:
        """1.02^5 − 1 = 10.40808032 percent, and 1.04^2 − 1 = 8.16."""
        rules = clause(limit_per="year_compound")

        assert part("10.40808032") == limits_over(limits("2"), rules, 60).minimum
        assert part("8.16") == limits_over(limits(most="4"), rules, 24).maximum

    def test_a_part_of_a_year_is_compounded_closely(self) -> None:
        """1.04^2.5 = 1.103019…: its square is 1.04^5 to forty digits and more."""
        rules = clause(limit_per="year_compound")
        found = limits_over(limits(most="4"), rules, 30).maximum

        assert found is not None
        assert abs((1 + found) ** 2 - Fraction("1.04") ** 5) < Fraction(1, 10**40)

    def test_no_rate_compounds_to_none(self) -> None:
        assert 0 == limits_over(limits("0"), clause(limit_per="year_compound"), 6).minimum

    def test_an_absent_limit_stays_absent(self) -> None:
        for unit in ("year_simple", "year_compound"):
            assert NO_LIMITS == limits_over(NO_LIMITS, clause(limit_per=unit), 60)


class TestProRata:
    """A part of the percentage counts."""

    @pytest.mark.parametrize(
        ("change", "months", "expected"),
        [("2.613", 7, "1.52425"), ("2.4", 11, "2.2"), ("2.5", 0, "0")],
    )
    def test_the_months_left_of_a_first_year(self, change: str, months: int, expected: str) -> None:
        """7/12, 11/12 and none at all, as an Austrian program has them."""
        assert Fraction(expected) == applied(
            change, elapsed=Elapsed(12, months), pro_rata="first_year"
        )

    def test_later_years_count_whole(self) -> None:
        assert 5 == applied("5", elapsed=Elapsed(7), pro_rata="first_year")

    @pytest.mark.parametrize(
        ("months", "of", "expected"), [(30, 24, "5"), (36, 12, "12"), (12, 12, "4")]
    )
    def test_the_months_since_the_last_time(self, months: int, of: int, expected: str) -> None:
        assert Fraction(expected) == applied(
            "4", elapsed=Elapsed(months), pro_rata="elapsed", pro_rata_months=of
        )

    def test_a_limit_comes_before_it(self) -> None:
        """3.5 becomes 3.25, at most 2, of which 8/12 are 1.333…: 800 becomes 810.67."""
        found = applied(
            "3.5",
            limits(most="2"),
            Elapsed(12, 8),
            excess_over="0.03",
            excess_share="0.5",
            pro_rata="first_year",
        )

        assert Fraction(4, 3) == found
