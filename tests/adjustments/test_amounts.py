"""Adjusted amounts: what a percentage makes of an amount, and how it is rounded (A38, A40)."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rentbilling import BillingCycle, UnsupportedCaseError, rent_adjustments
from rentbilling.adjustments import AmountScale
from rentbilling.adjustments.rules import arithmetic
from rentbilling.adjustments.rules.amounts import floored, grown, rounded_amount
from rentbilling.adjustments.rules.limits import NO_LIMITS, Limits, limits_over
from rentbilling.adjustments.rules.percentages import (
    Elapsed,
    applied_percentage,
    passes,
    rounded_change,
)
from rentbilling.terms import periods_a_year
from rentbilling.values import Rounding
from tests.support.plans import (
    IN_2021,
    TENTHS,
    TO_2021,
    Row,
    amounts,
    by_index,
    clause,
    home,
    lease,
    octobers,
    outcome,
    ruled,
)
from tests.support.rents import price_from
from tests.support.rows import rows

MONTHLY = AmountScale("DKK", 2, "half_up", Fraction(12))
YEARLY = AmountScale("DKK", 2, "half_up", Fraction(1))


def rounded(
    exact: str,
    scale: AmountScale = MONTHLY,
    old: str = "0",
    **fields: Any,  # noqa: ANN401
) -> str:
    found = rounded_amount(Fraction(exact), Fraction(old), clause(**fields), scale)
    return f"{scale.shown(found).amount:f}"


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


# fmt: off
AMOUNTS: list[Row] = [
    # A correction factor acts once on a rent (A40).
    # A limit holds the step with it. 10,000 × 1.1 × 0.9 = 9,900 is no rise; then one percent a
    # year: 9,999 and 10,098.99.
    ("9900.00 9999.00 10098.99", by_index(most="0.01", basis="anchored", correction_factor="0.9"),
     (100, 110, 121, "133.1")),
    # A limit is not exceeded by it. 10,000 × 1.06 × 1.02 = 10,812, held at 4 %: 10,400, and 10,816
    # the year after (A35).
    ("10400.00 10816.00", by_index(most="0.04", basis="anchored", correction_factor="1.02"),
     (100, 106, "112.36")),
    # The indexed part is limited with it. 4,000 of 10,000 follow: (6,000 + 4,400) × 0.9 = 9,360, no
    # rise of the part. The part that stands still is 5,400, so 3,960 of 9,360 follow: held at 2 %,
    # 4,039.20 of 9,439.20, where the index alone would make (6,000 + 4,840) × 0.9 = 9,756.
    ("9360.00 9439.20",
     by_index(most="0.02", basis="anchored", correction_factor="0.9", indexed_amount="4000 DKK"),
     (100, 110, 121)),
    # A rent agreed later has it already. 9,900 in 2021; 12,000 agreed, × 121/110 = 13,200 in 2022,
    # not × 0.9 again.
    ("9900.00 13200.00",
     lease(ruled(basis="anchored", correction_factor="0.9"),
      item=home(amount_records=(price_from("2021-06-01", "12000"),))), TENTHS),
]
# fmt: on


@rows("row", AMOUNTS)
def test_a_rent_is_adjusted_to(row: Row) -> None:
    assert row[0] == outcome(*row)


# fmt: off
FOUND: list[tuple[object, Callable[[], object]]] = [
    # How amounts of an item are counted.
    # An amount is counted in minor units. 5,083.333… is 508,333 øre.
    (508_333, lambda: MONTHLY.units(Fraction(61_000, 12))),
    (Fraction(508_333, 100), lambda: MONTHLY.rounded(Fraction(61_000, 12))),
    ("5083.33 DKK", lambda: str(MONTHLY.shown(Fraction(61_000, 12)))),
    # A year is that of the periods. 12 × 5,083.33 = 60,999.96; 365/30 × 398.63 = 4,849.998…, so
    # 4,850.00.
    (6_099_996, lambda: MONTHLY.yearly_units(508_333)),
    (485_000, lambda: AmountScale("DKK", 2, "half_up", Fraction(365, 30)).yearly_units(39_863)),
    # The policy rounds a year as well. 365/30 × 398.63 = 4,849.998…, of which nothing rises (A3,
    # A38).
    (484_999, lambda: AmountScale("DKK", 2, "down", Fraction(365, 30)).yearly_units(39_863)),
    # A currency has its own minor units. 1,101.5 yen are 1,102, and 1.0005 dinars are 1.001.
    ("1102 JPY",
     lambda: str(AmountScale("JPY", 0, "half_up", Fraction(1)).shown(Fraction(2203, 2)))),
    ("1.001 KWD",
     lambda: str(AmountScale("KWD", 3, "half_up", Fraction(1)).shown(Fraction("1.0005")))),

    # An amount is rounded once, to a step, by a mode, in a unit.
    # A month of a yearly rent may be rounded. 60,057.92 a year are 5,004.83 a month, so 5,005, and
    # 12 × that 60,060. 60,100 / 12 = 5,008.33…, so 5,008, and 12 × that.
    ("60060.00", lambda: rounded("60057.92", YEARLY, amount_quantum="1", amount_per="month")),
    ("60096.00", lambda: rounded("60100.00", YEARLY, amount_quantum="1", amount_per="month")),
    ("60058.00", lambda: rounded("60057.92", YEARLY, amount_quantum="1", amount_per="year")),
    ("60058.00", lambda: rounded("60057.92", YEARLY, amount_quantum="1")),
    # A year of a monthly rent may be rounded. 5,004.83 × 12 = 60,057.96, so 60,058, of which a
    # month is 5,004.8333….
    ("5004.83", lambda: rounded("5004.83", MONTHLY, amount_quantum="1", amount_per="year")),
    ("5004.50", lambda: rounded("5004.45", MONTHLY, amount_quantum="6", amount_per="year")),
    # What is added may be rounded. The Swedish supplement on 100,000: 2,810.34, so 2,810; the base
    # keeps its öre.
    ("102810.50",
     lambda: rounded("102810.84", YEARLY, "100000.50", amount_quantum="1",
      amount_rounded="change")),
    ("102811.00", lambda: rounded("102810.84", YEARLY, "100000.50", amount_quantum="1")),
    # A credit is rounded alike. −847.465 is −847.47 (A26).
    ("-847.47", lambda: rounded("-847.465")),
    # The policy rounds where the clause says nothing. 847.461 up is 847.47.
    ("847.47", lambda: rounded("847.461", AmountScale("DKK", 2, "up", Fraction(12)))),
    ("847.46",
     lambda: rounded("847.461", AmountScale("DKK", 2, "up", Fraction(12)),
      amount_rounding="half_up")),

    # What a percentage is of.
    # The whole amount grows. 10,000 by 2 percent.
    (10_200, lambda: grown(Fraction(10_000), Fraction("0.02"), None, clause())),
    # A share of it grows. 60 percent of 10,000 by 2 percent are 120.
    (10_120, lambda: grown(Fraction(10_000), Fraction("0.02"), None, clause(indexed_share="0.6"))),
    # A part of it grows. 4,000 of 10,000 by 2 percent are 80.
    (10_080,
     lambda: grown(Fraction(10_000), Fraction("0.02"), Fraction(4000),
      clause(indexed_amount="4000 DKK"))),
    # A factor corrects all of it. 10,200 × 0.9, the Flemish correction.
    (9180,
     lambda: grown(Fraction(10_000), Fraction("0.02"), None, clause(basis="anchored",
      correction_factor="0.9"))),

    # An amount never goes below the floors of its clause.
    # A credit is held alike. A credit of 100 does not become one of 90 (A26).
    (-100, lambda: floored(Fraction(-90), Fraction(-100), clause(floor_at_start=True))),

    # The percentage has so many decimals, by a mode, at one of two places.
    # A cut percentage. An Italian example: 75 percent of 2.1 are 1.575, printed as 1.57.
    (Fraction("1.57"),
     lambda: applied("2.1", share="0.75", percentage_decimals=2, percentage_rounding="down",
      percentage_rounded="applied")),
    # The change is rounded before the share. 2.55 becomes 2.6, of which 75 percent are 1.95;
    # rounded at the end 1.9125 is 1.9.
    (Fraction("1.95"), lambda: applied("2.55", percentage_decimals=1, share="0.75")),
    (Fraction("1.9"),
     lambda: applied("2.55", percentage_decimals=1, share="0.75", percentage_rounded="applied")),
    # A fraction is rounded once. 27/1066 in three decimals is 0.025.
    (Fraction(1, 40), lambda: arithmetic.rounded(Fraction(27, 1066), Fraction(1, 1000))),
    # Without decimals the change is exact. 2/102 stays 2/102; what is rounded when applied is exact
    # before.
    (Fraction(2, 102), lambda: rounded_change(Fraction(2, 102), clause())),
    (Fraction(2, 102),
     lambda: rounded_change(Fraction(2, 102), clause(percentage_decimals=1,
      percentage_rounded="applied"))),

    # Share, excess and surcharge act in this order, each on what the one before left.
    # A share of the money waits for the amount.
    (5, lambda: applied("5", share="0.75", share_of="money", basis="anchored")),
    # Half of all counts above nothing. Seven percent, of which half: 600 becomes 621.
    (Fraction("3.5"), lambda: applied("7", excess_over="0", excess_share="0.5")),
    # A surcharge is added. The Dutch free sector: 4.5 and one point; an English lease: 2 and 1.5.
    (Fraction("5.5"), lambda: applied("4.5", surcharge="0.01")),
    (Fraction("3.5"), lambda: applied("2", surcharge="0.015")),
    # Only what made a difference is a reason.
    ((), lambda: applied_percentage(part("2"), clause(share="1")).reasons),
    (("rounded",), lambda: applied_percentage(part("2.55"), clause(percentage_decimals=1)).reasons),
    (("rounded",),
     lambda: applied_percentage(part("2.55"), clause(percentage_decimals=1,
      percentage_rounded="applied")).reasons),
    ((),
     lambda: applied_percentage(part("2.5"), clause(percentage_decimals=1,
      percentage_rounded="applied")).reasons),

    # The percentage lies between minimum and maximum (A35).
    # Limits may be below zero.
    (-2, lambda: applied("-10", limits("-2", "2"))),
    # A limit for an adjustment is the limit.
    (limits("2", "4"), lambda: limits_over(limits("2", "4"), clause(), 60)),
    # A limit may compound. 1.02^5 − 1 = 10.40808032 percent, and 1.04^2 − 1 = 8.16.
    (part("10.40808032"),
     lambda: limits_over(limits("2"), clause(limit_per="year_compound"), 60).minimum),
    (part("8.16"),
     lambda: limits_over(limits(most="4"), clause(limit_per="year_compound"), 24).maximum),
    # No rate compounds to none.
    (0, lambda: limits_over(limits("0"), clause(limit_per="year_compound"), 6).minimum),

    # A part of the percentage counts.
    # Later years count whole.
    (5, lambda: applied("5", elapsed=Elapsed(7), pro_rata="first_year")),
    # A limit comes before it. 3.5 becomes 3.25, at most 2, of which 8/12 are 1.333…: 800 becomes
    # 810.67.
    (Fraction(4, 3),
     lambda: applied("3.5", limits(most="2"), Elapsed(12, 8), excess_over="0.03",
      excess_share="0.5", pro_rata="first_year")),
]
# fmt: on


@rows(("expected", "call"), FOUND)
def test_a_figure_is_found(expected: object, call: Callable[[], object]) -> None:
    assert expected == call()


class TestScale:
    """How amounts of an item are counted."""

    @rows(("mode", "units"), [("half_up", 1), ("half_even", 0), ("up", 1), ("down", 0)])
    def test_the_policy_rounds(self, mode: Rounding, units: int) -> None:
        assert units == AmountScale("DKK", 2, mode, Fraction(12)).units(Fraction(1, 200))

    @rows("sign", [1, -1])
    def test_an_amount_has_at_most_15_digits(self, sign: int) -> None:
        """9,999,999,999,999.99 is the last one that can be written (A1)."""
        assert Decimal("9999999999999.99") * sign == MONTHLY.amount(sign * (10**15 - 1)).amount

        with pytest.raises(UnsupportedCaseError) as caught:
            MONTHLY.amount(sign * 10**15)

        case = "an adjusted amount of over 15 digits"
        assert UnsupportedCaseError("amount_too_large", case=case) == caught.value

    @rows(
        ("cycle", "periods"),
        [
            (BillingCycle(), Fraction(12)),
            (BillingCycle(period_length=5), Fraction(12, 5)),
            (BillingCycle(time_unit="Year", period_length=2), Fraction(1, 2)),
            (BillingCycle(time_unit="Week", period_length=4), Fraction(13)),
            (BillingCycle(time_unit="Day", period_length=30), Fraction(73, 6)),
        ],
    )
    def test_a_year_has_so_many_periods(self, cycle: BillingCycle, periods: Fraction) -> None:
        assert periods == periods_a_year(cycle)


class TestRoundedAmount:
    """An amount is rounded once, to a step, by a mode, in a unit."""

    @rows(
        ("exact", "fields", "expected"),
        [
            ("2549.0677", {"amount_quantum": "0.10"}, "2549.10"),
            ("2549.0677", {"amount_quantum": "0.05"}, "2549.05"),
            ("704.368", {"amount_rounding": "down"}, "704.36"),
            ("505.751", {"amount_rounding": "up"}, "505.76"),
            ("99.01", {"amount_quantum": "1", "amount_rounding": "up"}, "100.00"),
            ("1.005", {"amount_rounding": "half_down"}, "1.00"),
            ("0.505", {"amount_rounding": "half_down"}, "0.50"),
            ("92.40", {"amount_quantum": "1", "amount_rounding": "half_up"}, "92.00"),
            ("1704919.6", {"amount_quantum": "1"}, "1704920.00"),
            ("101.26", {"amount_quantum": "0.50", "amount_rounding": "up"}, "101.50"),
            ("847.465", {}, "847.47"),
        ],
    )
    def test_printed_amounts_come_out(
        self, exact: str, fields: dict[str, Any], expected: str
    ) -> None:
        assert expected == rounded(exact, **fields)


class TestFloors:
    """An amount never goes below the floors of its clause."""

    @rows(
        ("fields", "expected"),
        [
            ({}, 9000),
            ({"floor_at_start": True}, 10_000),
            ({"floor_amount": "9500 DKK"}, 9500),
            ({"floor_amount": "8000 DKK"}, 9000),
            ({"floor_at_start": True, "floor_amount": "10500 DKK"}, 10_500),
        ],
    )
    def test_the_highest_floor_holds(self, fields: dict[str, Any], expected: int) -> None:
        """9,000 would be due; the first rent was 10,000."""
        assert expected == floored(Fraction(9000), Fraction(10_000), clause(**fields))

    @rows("floor", ["9500 DKK", "-9500 DKK"])
    def test_a_floor_does_not_turn_a_credit_into_a_charge(self, floor: str) -> None:
        """9,000 of credit stay a credit, of 9,500."""
        assert -9500 == floored(Fraction(-9000), Fraction(-10_000), clause(floor_amount=floor))


class TestRounding:
    """The percentage has so many decimals, by a mode, at one of two places."""

    @rows(
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

    @rows(
        ("mode", "expected"),
        [("half_up", "1.6"), ("half_down", "1.5"), ("half_even", "1.6"), ("up", "1.6")],
    )
    def test_a_tie_goes_where_the_mode_says(self, mode: str, expected: str) -> None:
        """1.55 percent in one decimal."""
        assert Fraction(expected) == applied(
            "1.55", percentage_decimals=1, percentage_rounding=mode
        )


class TestThreshold:
    """Below a threshold nothing happens."""

    @rows(
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

    @rows(("points", "expected"), [("10", True), ("9.9", False), ("-10", True)])
    def test_points_may_count(self, points: str, expected: bool) -> None:
        rules = clause(threshold="10", threshold_unit="points")

        assert expected is passes(part("4"), Fraction(points), rules)

    def test_without_a_threshold_all_passes(self) -> None:
        assert passes(Fraction(0), None, clause())
        assert passes(part("-3"), None, clause())


class TestSteps:
    """Share, excess and surcharge act in this order, each on what the one before left."""

    @rows(
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

    @rows(
        ("change", "expected"),
        [("2.4", "2.4"), ("3", "3"), ("3.824", "3.412"), ("5", "4"), ("-0.5", "-0.5")],
    )
    def test_what_lies_above_a_bound_counts_in_part(self, change: str, expected: str) -> None:
        assert Fraction(expected) == applied(change, excess_over="0.03", excess_share="0.5")

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


class TestLimits:
    """The percentage lies between minimum and maximum (A35)."""

    @rows(
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

    @rows("change", ["3", "6"])
    def test_a_limit_that_is_just_reached_is_not_met(self, change: str) -> None:
        assert () == applied_percentage(part(change), clause(), limits("3", "6")).reasons

    @rows(
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

    def test_a_part_of_a_year_is_compounded_closely(self) -> None:
        """1.04^2.5 = 1.103019…: its square is 1.04^5 to forty digits and more."""
        rules = clause(limit_per="year_compound")
        found = limits_over(limits(most="4"), rules, 30).maximum

        assert found is not None
        assert abs((1 + found) ** 2 - Fraction("1.04") ** 5) < Fraction(1, 10**40)

    def test_an_absent_limit_stays_absent(self) -> None:
        for unit in ("year_simple", "year_compound"):
            assert NO_LIMITS == limits_over(NO_LIMITS, clause(limit_per=unit), 60)


class TestProRata:
    """A part of the percentage counts."""

    @rows(
        ("change", "months", "expected"),
        [("2.613", 7, "1.52425"), ("2.4", 11, "2.2"), ("2.5", 0, "0")],
    )
    def test_the_months_left_of_a_first_year(self, change: str, months: int, expected: str) -> None:
        """7/12, 11/12 and none at all, as an Austrian program has them."""
        assert Fraction(expected) == applied(
            change, elapsed=Elapsed(12, months), pro_rata="first_year"
        )

    @rows(("months", "of", "expected"), [(30, 24, "5"), (36, 12, "12"), (12, 12, "4")])
    def test_the_months_since_the_last_time(self, months: int, of: int, expected: str) -> None:
        assert Fraction(expected) == applied(
            "4", elapsed=Elapsed(months), pro_rata="elapsed", pro_rata_months=of
        )


class TestShares:
    """What is shown as applied is what was applied (A35)."""

    def test_a_share_of_money_shows_the_step_of_the_rent(self) -> None:
        """Half of 1,000 on 10,000 are five percent."""
        terms = lease(ruled(basis="anchored", share_of="money", share="0.5"))
        (made,) = rent_adjustments(terms, IN_2021, indices=TENTHS)

        assert Decimal("0.05") == made.adjustment_rules_effects[0].applied_percentage


class TestFloorsAreNotUndercut:
    """No rounding undercuts a floor (A40)."""

    @rows(
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

        assert [expected] == amounts(terms, octobers(100, index), TO_2021)
