"""Adjusted amounts: what a percentage makes of an amount, and how it is rounded (A38, A40)."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rentbilling import BillingCycle, UnsupportedCaseError
from rentbilling.adjustments import AmountScale
from rentbilling.adjustments.amounts import floored, grown, rounded_amount
from rentbilling.terms import periods_a_year
from rentbilling.values import Rounding
from tests.support.plans import clause

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


class TestScale:
    """How amounts of an item are counted."""

    def test_an_amount_is_counted_in_minor_units(self) -> None:
        """5,083.333… is 508,333 øre."""
        assert 508_333 == MONTHLY.units(Fraction(61_000, 12))
        assert Fraction(508_333, 100) == MONTHLY.rounded(Fraction(61_000, 12))
        assert "5083.33 DKK" == str(MONTHLY.shown(Fraction(61_000, 12)))

    def test_a_year_is_that_of_the_periods(self) -> None:
        """12 × 5,083.33 = 60,999.96; 365/30 × 398.63 = 4,849.998…, so 4,850.00."""
        days = AmountScale("DKK", 2, "half_up", Fraction(365, 30))

        assert 6_099_996 == MONTHLY.yearly_units(508_333)
        assert 485_000 == days.yearly_units(39_863)

    def test_the_policy_rounds_a_year_as_well(self) -> None:
        """365/30 × 398.63 = 4,849.998…, of which nothing rises (A3, A38)."""
        days = AmountScale("DKK", 2, "down", Fraction(365, 30))

        assert 484_999 == days.yearly_units(39_863)

    @pytest.mark.parametrize(
        ("mode", "units"), [("half_up", 1), ("half_even", 0), ("up", 1), ("down", 0)]
    )
    def test_the_policy_rounds(self, mode: Rounding, units: int) -> None:
        assert units == AmountScale("DKK", 2, mode, Fraction(12)).units(Fraction(1, 200))

    def test_a_currency_has_its_own_minor_units(self) -> None:
        """1,101.5 yen are 1,102, and 1.0005 dinars are 1.001."""
        assert "1102 JPY" == str(
            AmountScale("JPY", 0, "half_up", Fraction(1)).shown(Fraction(2203, 2))
        )
        assert "1.001 KWD" == str(
            AmountScale("KWD", 3, "half_up", Fraction(1)).shown(Fraction("1.0005"))
        )

    @pytest.mark.parametrize("sign", [1, -1])
    def test_an_amount_has_at_most_15_digits(self, sign: int) -> None:
        """9,999,999,999,999.99 is the last one that can be written (A1)."""
        assert Decimal("9999999999999.99") * sign == MONTHLY.amount(sign * (10**15 - 1)).amount

        with pytest.raises(UnsupportedCaseError) as caught:
            MONTHLY.amount(sign * 10**15)

        case = "an adjusted amount of over 15 digits"
        assert UnsupportedCaseError("amount_too_large", case=case) == caught.value

    @pytest.mark.parametrize(
        ("cycle", "periods"),
        [
            (BillingCycle(), Fraction(12)),
            (BillingCycle(period_length=5), Fraction(12, 5)),
            (BillingCycle(time_unit="Year", period_length=2), Fraction(1, 2)),
            (BillingCycle(time_unit="Week", period_length=4), Fraction(13)),
            (BillingCycle(time_unit="Day", period_length=30), Fraction(73, 6)),
        ],
        ids=str,
    )
    def test_a_year_has_so_many_periods(self, cycle: BillingCycle, periods: Fraction) -> None:
        assert periods == periods_a_year(cycle)


class TestRoundedAmount:
    """An amount is rounded once, to a step, by a mode, in a unit."""

    @pytest.mark.parametrize(
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

    def test_a_month_of_a_yearly_rent_may_be_rounded(self) -> None:
        """60,057.92 a year are 5,004.83 a month, so 5,005, and 12 × that 60,060."""
        assert "60060.00" == rounded("60057.92", YEARLY, amount_quantum="1", amount_per="month")
        # 60,100 / 12 = 5,008.33…, so 5,008, and 12 × that.
        assert "60096.00" == rounded("60100.00", YEARLY, amount_quantum="1", amount_per="month")
        assert "60058.00" == rounded("60057.92", YEARLY, amount_quantum="1", amount_per="year")
        assert "60058.00" == rounded("60057.92", YEARLY, amount_quantum="1")

    def test_a_year_of_a_monthly_rent_may_be_rounded(self) -> None:
        """5,004.83 × 12 = 60,057.96, so 60,058, of which a month is 5,004.8333…."""
        assert "5004.83" == rounded("5004.83", MONTHLY, amount_quantum="1", amount_per="year")
        assert "5004.50" == rounded("5004.45", MONTHLY, amount_quantum="6", amount_per="year")

    def test_what_is_added_may_be_rounded(self) -> None:
        """The Swedish supplement on 100,000: 2,810.34, so 2,810; the base keeps its öre."""
        assert "102810.50" == rounded(
            "102810.84", YEARLY, "100000.50", amount_quantum="1", amount_rounded="change"
        )
        assert "102811.00" == rounded("102810.84", YEARLY, "100000.50", amount_quantum="1")

    def test_a_credit_is_rounded_alike(self) -> None:
        """−847.465 is −847.47 (A26)."""
        assert "-847.47" == rounded("-847.465")

    def test_the_policy_rounds_where_the_clause_says_nothing(self) -> None:
        """847.461 up is 847.47."""
        up = AmountScale("DKK", 2, "up", Fraction(12))

        assert "847.47" == rounded("847.461", up)
        assert "847.46" == rounded("847.461", up, amount_rounding="half_up")


class TestGrown:
    """What a percentage is of."""

    def test_the_whole_amount_grows(self) -> None:
        """10,000 by 2 percent."""
        assert 10_200 == grown(Fraction(10_000), Fraction("0.02"), None, clause())

    def test_a_share_of_it_grows(self) -> None:
        """60 percent of 10,000 by 2 percent are 120."""
        found = grown(Fraction(10_000), Fraction("0.02"), None, clause(indexed_share="0.6"))

        assert 10_120 == found

    def test_a_part_of_it_grows(self) -> None:
        """4,000 of 10,000 by 2 percent are 80."""
        rules = clause(indexed_amount="4000 DKK")

        assert 10_080 == grown(Fraction(10_000), Fraction("0.02"), Fraction(4000), rules)

    def test_a_factor_corrects_all_of_it(self) -> None:
        """10,200 × 0.9, the Flemish correction."""
        rules = clause(basis="anchored", correction_factor="0.9")

        assert 9180 == grown(Fraction(10_000), Fraction("0.02"), None, rules)


class TestFloors:
    """An amount never goes below the floors of its clause."""

    @pytest.mark.parametrize(
        ("fields", "expected"),
        [
            ({}, 9000),
            ({"floor_at_start": True}, 10_000),
            ({"floor_amount": "9500 DKK"}, 9500),
            ({"floor_amount": "8000 DKK"}, 9000),
            ({"floor_at_start": True, "floor_amount": "10500 DKK"}, 10_500),
        ],
        ids=str,
    )
    def test_the_highest_floor_holds(self, fields: dict[str, Any], expected: int) -> None:
        """9,000 would be due; the first rent was 10,000."""
        assert expected == floored(Fraction(9000), Fraction(10_000), clause(**fields))

    def test_a_credit_is_held_alike(self) -> None:
        """A credit of 100 does not become one of 90 (A26)."""
        assert -100 == floored(Fraction(-90), Fraction(-100), clause(floor_at_start=True))

    @pytest.mark.parametrize("floor", ["9500 DKK", "-9500 DKK"])
    def test_a_floor_does_not_turn_a_credit_into_a_charge(self, floor: str) -> None:
        """9,000 of credit stay a credit, of 9,500."""
        assert -9500 == floored(Fraction(-9000), Fraction(-10_000), clause(floor_amount=floor))
