"""Adjusting beside what was listed, agreed or missing: what each leaves to the next (A18, A38)."""

from decimal import Decimal
from typing import Any

import pytest

from rentbilling import QuantityRecord, RentAdjustment, rent_adjustments
from tests.support.plans import (
    FEW,
    GOES_ON,
    TENTHS,
    amounts,
    by_index,
    clause,
    codes,
    deposit,
    home,
    lease,
    octobers,
    plan,
    ruled,
    series,
    with_listed,
)
from tests.support.rents import amount, day, price_from

TO_2021 = "2020-02-01/2021-12-31"
TO_2022 = "2020-02-01/2022-12-31"


def listed(when: str, **told: str) -> RentAdjustment:
    amounts_: dict[str, Any] = {name: amount(text) for name, text in told.items()}
    return RentAdjustment(adjusted_on=day(when), **amounts_)


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

    def test_a_new_quantity_carries_it_on(self) -> None:
        """3.663 for two are 7.326, and × 1.1 = 8.0586; 7.32 × 1.1 would be 8.05."""
        twice = QuantityRecord(value=Decimal(2), start=day("2021-06-01"))
        terms = lease(ruled(carried="exact"), item=home("3.33", quantity_records=(twice,)))

        assert ["3.66", "8.06"] == amounts(terms, TENTHS, TO_2022)

    def test_what_was_listed_is_gone_on_from_as_it_was_listed(self) -> None:
        """Not the 3.663 that led to it: 3.66 × 1.1 × 1.1 × 1.1 = 4.87146 (A38)."""
        terms = lease(ruled(carried="exact"), item=home("3.33"))
        made = rent_adjustments(terms, TO_2021, indices=TENTHS)

        assert ["3.66", "4.03", "4.43", "4.87"] == amounts(with_listed(terms, made), TENTHS, FEW)

    def test_what_was_listed_otherwise_is_gone_on_from(self) -> None:
        """3.70 in 2021: 4.07, 4.477 and 4.9247."""
        terms = lease(ruled(carried="exact"), item=home("3.33"))
        other = listed("2021-01-01", to_period_amount="3.70")

        assert ["3.70", "4.07", "4.48", "4.92"] == amounts(with_listed(terms, [other]), TENTHS, FEW)


class TestBeforeAListedOne:
    """A listed adjustment begins with the amount in force, or is noticed (A38)."""

    @pytest.mark.parametrize(
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

    @pytest.mark.parametrize(
        ("told", "found"), [("30000.00", []), ("29000.00", ["listed_from_differs"])]
    )
    def test_of_a_balance_it_is_the_balance(self, told: str, found: list[str]) -> None:
        """30,000 by rules of its own; the rent is no matter."""
        one = RentAdjustment(
            adjusted_on=day("2021-01-01"),
            from_period_amount=amount("1.00"),
            from_balance_amount=amount(told),
            to_balance_amount=amount("33000.00"),
        )
        own = plan(
            by_index(),
            adjusts_recurring_bill_item=False,
            adjusts_balance=True,
            adjustments=(one,),
        )

        assert found == codes(lease(own, balances=(deposit(),)), TENTHS, TO_2021)

    def test_the_first_amount_is_that_before_it(self) -> None:
        """10,500 as listed; 0.9 of it would be 9,450, and 10,000 is the least (A40)."""
        one = listed("2021-01-01", to_period_amount="10500.00")
        terms = with_listed(lease(ruled(floor_at_start=True)), [one])

        assert ["10500.00", "10000.00"] == amounts(terms, octobers(100, 200, 180), TO_2022)


class TestLowerOf:
    """A rule that counts only where it is lower competes with what stands, too (A37)."""

    LOWER = by_index(index_clause=clause(combine="lower_of", series="NPI"))

    def test_with_a_rule_whose_value_is_missing(self) -> None:
        """The amount stands at 10,000 by the first rule; 11,000 is not lower."""
        first = ruled(series="CPI")
        values = [TENTHS, series({"2018-10": 1}, name="CPI")]
        terms = lease(plan(first, self.LOWER))
        found = rent_adjustments(terms, TO_2021, indices=values, policy=GOES_ON)

        assert [amount("10000.00")] == [each.to_period_amount for each in found]

    def test_with_a_rule_below_its_threshold(self) -> None:
        """One percent is too little: 10,000 stands, and 11,000 is not lower."""
        first = ruled(series="CPI", threshold="0.05")
        values = [TENTHS, series({"2019-10": 100, "2020-10": 101}, name="CPI")]
        terms = lease(plan(first, self.LOWER))
        found = rent_adjustments(terms, TO_2021, indices=values)

        assert [amount("10000.00")] == [each.to_period_amount for each in found]


class TestRecords:
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

    def test_what_was_agreed_the_day_before_counts_for_an_anchored_rule(self) -> None:
        """20,000 since the last day of 2021: × 121/110 = 22,000 in January, 24,200 a year later."""
        item = home(amount_records=(price_from("2021-12-31", "20000.00"),))
        terms = lease(ruled(basis="anchored"), item=item)

        assert ["11000.00", "22000.00", "24200.00"] == amounts(
            terms, TENTHS, "2020-02-01/2023-12-31"
        )

    def test_a_first_year_counts_by_its_months_in_july_too(self) -> None:
        """Eleven whole months of 2020 are left: 11/12 of 2.4 percent are 2.2 (A40)."""
        rule = ruled(pro_rata="first_year", reference="year_mean").evolve(
            index_month=None, adjustment_month=7, first_year="2021"
        )
        changes = series({"2020": "0.024"}, kind="change")

        assert ["817.60"] == amounts(lease(rule, item=home("800.00")), changes, TO_2021)
