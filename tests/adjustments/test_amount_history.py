"""Adjusting: the history of an item, from its first adjustment on (A18, A33, A38, A41)."""

from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.adjustments import rolled_back
from rentbilling.indices import AnyIndices
from tests.support.plans import (
    FEW,
    GOES_ON,
    IN_2021,
    ITEM,
    TENTHS,
    TO_2021,
    TO_2022,
    TO_2023,
    Row,
    amounts,
    by_index,
    by_steps,
    facts_of,
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
from tests.support.refusals import refusal_text
from tests.support.rents import amount, opening, price_from, quantity_from
from tests.support.rows import rows


def agreed(start: str, price: str) -> rb.RecurringBillItem:
    """Return the rent with another price from a day on."""
    return home(amount_records=(price_from(start, price),))


OF_A_UNIT: list[dict[str, Any]] = [
    {},
    {"carried": "exact"},
    {"basis": "anchored"},
    {"basis": "last_indexed"},
    {"floor_at_start": True},
    {"indexed_amount": "10000 DKK"},
]
MORE_UNITS = home(
    "100.00", quantity=Decimal(100), quantity_records=(quantity_from("2022-06-01", "110"),)
)
ON_THE_DAY = lease(ruled(basis="anchored"), item=agreed("2022-01-01", "11500"))
THIRD = octobers(100, 110, 121, 133)
HOLE = series({"2019-10": 100, "2021-10": 121})


# fmt: off
AMOUNTS: list[Row] = [
    # Dated records of amounts and quantities, and what the plan makes of them (A18, A38).
    # A record on the day is a new base of an anchored rule. 10,990 are agreed anew at 110; × 121 /
    # 110 = 12,089.
    ("10990.00 12089.00",
     lease(ruled(basis="anchored"), item=home(amount_records=(price_from("2021-01-01",
      "10990.00"),))), TENTHS),
    # A record on the day is the step of increments. 10,150 in place of two percent; the third
    # percent is of that: 10,454.50.
    ("10150.00 10454.50",
     lease(by_steps(step(2021, "2 %"), step(2022, "3 %")),
      item=agreed("2021-01-01", "10150.00"))),
    # Rules of other months do not act in a record.
    ("12000.00 12240.00",
     lease(plan(by_index(), by_steps(step(2021, "2 %"), adjustment_month=7)),
      item=agreed("2021-01-01", "12000.00")), TENTHS, TO_2021),
    # A first rent of more units is a higher floor. 100 at 100, then 110 units: the index halves,
    # and 11,000 are the floor.
    ("11000.00 11000.00",
     lease(ruled(floor_at_start=True), item=home("100.00", quantity=Decimal(100),
      quantity_records=(quantity_from("2021-06-01", "110"),))), (100, 110, 55)),
    # An anchored rule goes on from what was agreed. 12,000 from July 2021 belong to the last point
    # applied: × 121/110 = 13,200.
    ("11000.00 13200.00",
     lease(ruled(basis="anchored"), item=home(amount_records=(price_from("2021-07-01",
      "12000.00"),))), TENTHS),
    # A new price is what the next adjustment starts from. 12,000 from July 2021, and × 1.1.
    ("11000.00 13200.00", lease(by_index(), item=agreed("2021-07-01", "12000.00")), TENTHS),
    # A record on the day is the adjustment, and not made again: 12,345 in January 2022, and × 1.1.
    ("11000.00 12345.00 13579.50", lease(by_index(), item=agreed("2022-01-01", "12345.00")),
     TENTHS),
    # A new quantity keeps the price of one unit. 121 for one of 100 since January 2022; 110 of them
    # from June are 13,310, then 14,641.
    *(("11000.00 12100.00 14641.00", lease(ruled(**fields), item=MORE_UNITS), TENTHS)
      for fields in OF_A_UNIT),
    # The amount before discount is adjusted. Ten percent off change nothing about 11,000 (A25).
    ("11000.00", lease(by_index(), item=home(discount=rb.Discount(percentage=Decimal("0.1")))),
     TENTHS),
    # The opening amount is not what is adjusted. The opening of half a month costs 5,000, the rent
    # 10,000.
    ("11000.00",
     lease(by_index(), item=home(first_billing_period_bill_item=opening("2020-01-16/2020-01-31",
      price="5000.00"))), TENTHS),

    # The amounts of a billing period and of a year (A38).
    # The policy rounds. 33.33 × 1.1 = 36.663: up is 36.67.
    ("33.33 > 36.67", by_index(), TENTHS, None, rb.BillingPolicy(rounding="up")),

    # A value that is missing is an error, or by policy a notice (A33, A41).
    # The point stays at the last one applied. Applied up to 2020; 2021 and 2022 are missing; 2023
    # over 2020: 11,000 × 1.2.
    ("11000.00 13200.00", by_index(), series({"2019-10": 100, "2020-10": 110, "2023-10": 132}), FEW,
     GOES_ON),
    # The last point applied is not the one that was tried. Two years' change each year: 121/100 in
    # 2021; 2022 is missing; 2023 is 132/121. The point that 2022 would have compared with, 110 of
    # November 2019, was not applied.
    ("12100.00 13200.00", by_index(lag_months=2, from_lag_months=26),
     series({"2018-11": 100, "2019-11": 110, "2020-11": 121, "2022-11": 132}), TO_2023, GOES_ON),
    # Other rules go on without. Two percent are added although the index is missing.
    ("10200.00 12342.00", plan(by_index(), by_steps(step(2021, "2 %"))), HOLE, None, GOES_ON),
    # What a rule waits for is handed on to no other. The second rule lacks 2020-10, one interval
    # before, whatever the first one waits for. The second rule waits at 2020-10 itself, a point
    # that has no value.
    ("", plan(by_index(last_year="2021"), by_index(first_year="2022")),
     series({"2019-10": 100, "2021-10": 121, "2022-10": "133.1"}), TO_2023, GOES_ON),
    # A rule that follows another begins one interval back. 2024 compares October 2022 and 2023:
    # 10,000 × 1.1.
    ("11000.00", plan(by_index(last_year="2021"), by_index(first_year="2024")),
     series({"2019-10": 100, "2021-10": 121, "2022-10": "133.1", "2023-10": "146.41"}), FEW,
     GOES_ON),
    # Another series keeps its own points.
    ("11000.00",
     plan(by_index(last_year="2021", series="A"), by_index(first_year="2022", series="B")),
     [series({"2019-10": 100, "2021-10": 300}, name="A"), series({"2019-10": 50, "2020-10": 100,
      "2021-10": 110}, name="B")], TO_2022, GOES_ON),

    # A record on an adjustment's day is the adjustment, or is agreed anew and noticed (A18).
    # A value that is missing is no error. Nobody needs October 2019 where the day has a record.
    ("11000.00 12100.00",
     lease(by_index(), item=agreed("2021-01-01", "11000.00")),
     series({"2020-10": 110, "2021-10": 121})),
]
WORTH: list[tuple[str, rb.LeaseTerms, str, AnyIndices]] = [
    # What is agreed from a day on is in force from that day on (A18).
    *((to, lease(by_index(), item=agreed("2021-07-01", "12000.00")), on, TENTHS)
      for to, on in (("11000.00", "2021-06-30"), ("12000.00", "2021-07-01"),
                     ("13200.00", "2022-01-01"))),
    *((to, lease(by_index(), item=agreed("2022-01-01", "12345.00")), on, TENTHS)
      for to, on in (("11000.00", "2021-12-31"), ("12345.00", "2022-01-01"))),
    *(("13310.00", lease(ruled(**fields), item=MORE_UNITS), "2022-06-01", TENTHS)
      for fields in OF_A_UNIT),
    # A history goes as far as it is asked; a day before the lease has the first amount.
    *((to, lease(by_index(last_year="2021")), on, TENTHS)
      for to, on in (("10000.00", "2020-12-31"), ("11000.00", "2021-01-01"),
                     ("11000.00", "2030-06-30"))),
    ("10000.00", lease(by_index()), "2010-01-01", None),
    # It is of the whole line: 3 × 85 = 255.
    ("255.00", lease(item=home("85.00", quantity=Decimal(3))), "2020-06-01", None),
    # A quantity counts once however long nothing is adjusted: 2 × 10,000 × 121/100 = 24,200, though
    # 2022 and 2023 stayed below the threshold.
    ("24200.00",
     lease(ruled(basis="anchored", threshold="0.05"),
           item=home(quantity_records=(quantity_from("2021-05-01", "2"),))),
     "2024-06-01", octobers(100, 110, 112, 113, 121)),
    # A record on an adjustment's day goes on alike once it is listed: 11,500 recorded for January
    # 2022, agreed anew at 121: × 133 / 121 = 12,640.50.
    *(("12640.50", terms, "2023-06-01", THIRD) for terms in (
        ON_THE_DAY,
        rb.adjusted_terms(ON_THE_DAY, rb.rent_adjustments(ON_THE_DAY, TO_2022, indices=THIRD)))),
    # Bills need no value beyond their days: October 2022 is missing.
    ("12100.00", lease(by_index()), "2022-12-31", octobers(100, 110, 121)),
]
# fmt: on


@rows(("expected", "terms", "on", "indices"), WORTH)
def test_an_amount_in_force_is(
    expected: str, terms: rb.LeaseTerms, on: str, indices: AnyIndices
) -> None:
    assert expected == worth(terms, on, indices)


@rows("row", AMOUNTS)
def test_a_rent_is_adjusted_to(row: Row) -> None:
    assert row[0] == outcome(*row)


class TestWhatIsAgreed:
    """Dated records of amounts and quantities, and what the plan makes of them (A18, A38)."""

    def test_a_record_on_the_day_needs_no_index(self) -> None:
        """The value of 2020 is not there, and nobody asks for it; no rule is told to have acted."""
        item = agreed("2021-01-01", "12000.00")
        terms = lease(by_index(), item=item)
        values = series({"2020-10": 100, "2021-10": 105})
        found = rb.rent_adjustments(terms, TO_2022, indices=values)

        assert ["12000.00", "12600.00"] == amounts(terms, values, TO_2022)
        assert () == found[0].adjustment_rules_effects

    def test_a_new_quantity_on_the_day_is_no_adjustment(self) -> None:
        """100 m² at 100 become 110 m² on the day of the record of 105: 11,550 × 1.1 = 12,705."""
        item = home(
            "100.00",
            quantity=Decimal(100),
            amount_records=(price_from("2021-01-01", "105.00"),),
            quantity_records=(quantity_from("2021-01-01", "110"),),
        )
        found = rb.rent_adjustments(lease(by_index(), item=item), TO_2022, indices=TENTHS)

        assert [("11000.00", "11550.00"), ("11550.00", "12705.00")] == [
            (f"{each.from_period_amount.amount:f}", f"{each.to_period_amount.amount:f}")
            for each in found
            if each.from_period_amount and each.to_period_amount
        ]

    def test_the_whole_line_is_adjusted_and_rounded(self) -> None:
        """33 at 0.1255 are 4.1415; a tenth more is 4.55565, so 4.56: 0.1381818… for one."""
        item = home("0.1255", quantity=Decimal(33))
        terms = lease(by_index(), item=item)
        (found,) = rb.rent_adjustments(terms, TO_2021, indices=TENTHS)

        assert (amount("4.14"), amount("4.56"), amount("0.42")) == (
            found.from_period_amount,
            found.to_period_amount,
            found.period_amount_change,
        )


class TestCycles:
    """The amounts of a billing period and of a year (A38)."""

    @rows(
        ("cycle", "price", "yearly", "to"),
        [
            (rb.BillingCycle(period_length=3), "30000.00", "120000.00", "30300.00"),
            (rb.BillingCycle(time_unit="Year"), "120000.00", "120000.00", "121200.00"),
            (rb.BillingCycle(time_unit="Year", period_length=2), "200.00", "100.00", "2600.00"),
            (rb.BillingCycle(time_unit="Week"), "100.00", "5200.00", "123.08"),
            (rb.BillingCycle(time_unit="Day", period_length=30), "300.00", "3650.00", "398.63"),
            (rb.BillingCycle(period_length=5), "500.00", "1200.00", "1000.00"),
        ],
    )
    def test_an_amount_for_a_year_is_spread_over_its_periods(
        self, cycle: rb.BillingCycle, price: str, yearly: str, to: str
    ) -> None:
        """1,200 more: / 4, / 1, × 2, / 52 = 23.0769…, × 30 / 365 = 98.630…, × 5 / 12 = 500."""
        item = home(price, billing_cycle=cycle)
        (found,) = rb.rent_adjustments(lease(by_steps(step(2021, "1200")), item=item), FEW)

        assert (amount(yearly), amount(to)) == (found.from_yearly_amount, found.to_period_amount)

    def test_the_amount_of_a_year_is_that_of_its_periods(self) -> None:
        """52 × 123.08 = 6,400.16, 1,200.16 more than 5,200."""
        item = home("100.00", billing_cycle=rb.BillingCycle(time_unit="Week"))
        (found,) = rb.rent_adjustments(lease(by_steps(step(2021, "1200")), item=item), FEW)

        assert (amount("6400.16"), amount("1200.16")) == (
            found.to_yearly_amount,
            found.yearly_amount_change,
        )

    def test_a_currency_without_minor_units_is_rounded_to_whole_ones(self) -> None:
        """1,001 yen × 1.1 = 1,101.1."""
        item = home("1001 JPY")
        (found,) = rb.rent_adjustments(lease(by_index(), item=item), TO_2021, indices=TENTHS)

        assert "1101 JPY" == str(found.to_period_amount)


class TestWhatIsMissing:
    """A value that is missing is an error, or by policy a notice (A33, A41)."""

    def test_the_error_names_all_that_matters(self) -> None:
        terms = lease(plan(by_index(id="npi"), id="yearly"))
        with pytest.raises(rb.MissingIndexError) as caught:
            rb.rent_adjustments(terms, TO_2022, indices=HOLE)

        assert (
            rb.MissingIndexError(
                "missing_index",
                series="NPI",
                base="2015=100",
                at="2020-10",
                plan="yearly",
                rule="npi",
                adjusted_on="2021-01-01",
            )
            == caught.value
        )

    def test_plans_and_rules_without_id_are_named_by_place(self) -> None:
        terms = lease(by_steps(step(2021, "2 %"), adjustment_month=3), by_index())
        with pytest.raises(rb.MissingIndexError) as caught:
            rb.rent_adjustments(terms, TO_2022, indices=HOLE)

        assert ("plan-2", "rule-1") == (caught.value.facts["plan"], caught.value.facts["rule"])

    @rows(
        ("indices", "facts"),
        [
            (None, {"series": "of the rule", "passed": "none"}),
            ([octobers(100, 110)], {"series": "CPI", "passed": "NPI"}),
        ],
    )
    def test_a_series_that_was_not_passed_is_missed_when_it_is_needed(
        self, indices: AnyIndices, facts: dict[str, str]
    ) -> None:
        rule = by_index() if indices is None else ruled(series="CPI")
        terms = lease(rule)

        assert "10000.00" == worth(terms, "2020-12-31", indices)
        with pytest.raises(rb.MissingIndexError) as caught:
            worth(terms, "2021-01-01", indices)
        expected = {**facts, "plan": "plan-1", "rule": "rule-1", "adjusted_on": "2021-01-01"}
        assert rb.MissingIndexError("missing_series", **expected) == caught.value

    def test_a_rule_that_does_not_fit_its_series_is_told_with_its_place(self) -> None:
        both = [octobers(100, 110), octobers(100, 110, name="CPI")]
        terms = lease(plan(ruled(series="CPI"), by_index(adjustment_month=7)))
        place = "rentAdjustmentPlans[0].rentAdjustmentRules[1].indexClause.series"

        assert f"InvalidAdjustmentRuleError: {place} series_needed" == refusal_text(
            lambda: made(terms, both)
        )

    def test_by_policy_nothing_is_adjusted_and_the_next_one_makes_up_for_it(self) -> None:
        """No adjustment in 2021; in 2022 from October 2019: 10,000 × 1.21 = 12,100."""
        terms = lease(by_index())
        days = TO_2022

        assert [("2022-01-01", "12100.00")] == made(terms, HOLE, days, GOES_ON)
        assert [
            (
                "missing_index",
                {
                    "rule": "rule-1",
                    "adjustedOn": "2021-01-01",
                    "series": "NPI",
                    "base": "2015=100",
                    "at": "2020-10",
                },
            )
        ] == facts_of(terms, HOLE, days)

    def test_a_series_that_is_never_passed_is_missed_each_time(self) -> None:
        terms = lease(by_index())
        days = TO_2022

        assert [] == made(terms, None, days, GOES_ON)
        assert [
            {"rule": "rule-1", "adjustedOn": each, "series": "of the rule", "passed": "none"}
            for each in ("2021-01-01", "2022-01-01")
        ] == [facts for _, facts in facts_of(terms, None, days)]

    def test_nothing_published_yet_keeps_no_point(self) -> None:
        """The first value is known in 2022; it is compared with the one of a year before."""
        rule = ruled(reference="last_published").evolve(index_month=None)
        values = series(
            {"2020-11": 100, "2021-11": 102},
            known={"2020-11": "2021-12-10", "2021-11": "2021-12-10"},
        )
        terms = lease(rule)
        days = TO_2022

        assert [("2022-01-01", "10200.00")] == made(terms, values, days, GOES_ON)
        assert [
            (
                "missing_index",
                {"rule": "rule-1", "adjustedOn": "2021-01-01", "series": "NPI", "at": "2021-01-01"},
            )
        ] == facts_of(terms, values, days)

    def test_a_value_is_missed_from_the_day_that_needs_it(self) -> None:
        with pytest.raises(rb.MissingIndexError, match="2022-10"):
            worth(lease(by_index()), "2023-01-01", octobers(100, 110, 121))


class TestRecordsBesideAdjustments:
    """Quantities and amounts that change beside adjustments (A18, A38)."""

    def test_rolling_back_takes_the_record_of_the_day_with_it(self) -> None:
        """The item is at 10,000 again, and January 2021 is adjusted anew to 11,000 (A18)."""
        terms = lease(by_index(), item=agreed("2021-01-01", "11111"))
        listed = rb.adjusted_terms(terms, rb.rent_adjustments(terms, IN_2021, indices=TENTHS))
        back = rolled_back(listed, ITEM)

        assert "11111.00" == worth(listed, "2021-06-01", TENTHS)
        assert () == back.recurring_bill_items[0].amount_records
        assert "11000.00" == worth(back, "2021-06-01", TENTHS)


class TestRecordsOfTheDay:
    """A record on an adjustment's day is the adjustment, or is agreed anew and noticed (A18)."""

    @rows(
        ("recorded", "quantity", "found"),
        [
            ("11000.00", "1", []),
            ("11000.009", "1", []),
            ("11000.01", "1", ["record_differs"]),
            # Of 50 units, each may be short of a minor unit.
            ("220.009", "50", []),
            ("220.01", "50", ["record_differs"]),
        ],
    )
    def test_less_than_a_minor_unit_is_no_difference(
        self, recorded: str, quantity: str, found: list[str]
    ) -> None:
        """10,000 × 1.1 = 11,000, or 50 × 200 × 1.1."""
        price = Decimal(10_000) / Decimal(quantity)
        item = home(
            f"{price:f}",
            quantity=Decimal(quantity),
            amount_records=(price_from("2021-01-01", recorded),),
        )
        result = rb.rent_adjustments(lease(by_index(), item=item), IN_2021, indices=TENTHS)

        assert found == [each.code for each in result.notices]
        assert ((),) == tuple(each.adjustment_rules_effects for each in result)

    def test_a_rule_is_asked_for_it_from_its_own_last_amount(self) -> None:
        """12,100 agreed for 2022: the same as 11,000 × 1.1, so there is nothing to notice."""
        item = agreed("2022-01-01", "12100.00")
        terms = lease(ruled(basis="last_indexed"), item=item)

        assert () == rb.rent_adjustments(terms, TO_2022, indices=TENTHS).notices

    def test_both_amounts_are_in_the_notice(self) -> None:
        """15,000 where the rule makes 11,000."""
        item = agreed("2021-01-01", "15000.00")
        found = rb.rent_adjustments(lease(by_index(), item=item), IN_2021, indices=TENTHS)

        assert {
            "adjustedOn": "2021-01-01",
            "agreed": "15000.00 DKK",
            "byTheRules": "11000.00 DKK",
        } == dict(found.notices[0].facts)
