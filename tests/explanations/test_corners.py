"""Explanations of what is rare: each is replayed, and the step that tells most is shown."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.policy import PartPeriod
from rentbilling.testing import a_rent
from rentbilling.values import plain_data
from tests.oracle.workings import replayed
from tests.support.explained import check
from tests.support.plans import (
    by_index,
    by_steps,
    clause,
    deposit,
    home,
    lease,
    octobers,
    plan,
    ruled,
    series,
    step,
    with_listed,
    years,
)
from tests.support.rents import (
    YEAR,
    amount,
    day,
    fee,
    price_from,
    quarterly,
    rent,
    vat,
)
from tests.support.rows import rows

TENTHS = octobers(100, 110, 121, "133.1", "146.41", "161.051")


def first_of(terms: rb.LeaseTerms, values: Any = TENTHS, at: int = 0, **policy: Any) -> rb.Working:  # noqa: ANN401
    rules = rb.BillingPolicy(**policy)
    made = rb.rent_adjustments(terms, "2020-02-01/2022-12-31", indices=values, policy=rules)
    found = rb.explain(made, adjustment=at)
    replayed(found)
    return found


def billed(items: Any, days: str = YEAR, **policy: Any) -> rb.BillingResult:  # noqa: ANN401
    found = rb.pending_bills(items, days, policy=rb.BillingPolicy(**policy))
    check(found)
    return found


class TestShares:
    """A part of a period by every method (A20): 1 to 20 February 2026, of 28 days."""

    @rows(
        ("method", "share"),
        [
            ("actual_days", "share of the period: 5/7 (0.7142…) = 20 / 28"),
            ("period_days", "share of the period: 5/7 (0.7142…) = 20 / 28"),
            ("thirty_day", "share of the period: 2/3 (0.6666…) = 20 / 30"),
            ("year_365", "share of the period: 48/73 (0.6575…) = 240 / 365"),
            ("half_month", "share of the period: 1 = 20 of 28 days"),
            ("full", "share of the period: 1; a part counts as a whole period"),
        ],
    )
    def test_by_method(self, method: PartPeriod, share: str) -> None:
        """20/28, 20/30, 20 × 12 / 365; more than 14 days are a whole month."""
        result = billed(rent(ended_on=day("2026-02-20")), part_period=method)

        assert share in str(rb.explain(result, bill="2026-02-01"))

    def test_fourteen_days_are_half_a_month(self) -> None:
        """And 8,500.00 becomes 4,250.00."""
        result = billed(rent(ended_on=day("2026-02-14")), part_period="half_month")
        told = "14 of 28 days, of which up to 14 count as half a month"

        assert told in str(rb.explain(result, bill="2026-02-01"))
        assert amount("4250.00") == result[1].total

    def test_a_split_of_weeks_counts_days(self) -> None:
        """Two weeks from Monday 2 February, changed on the 5th: 3 of 14 days, then 11 of 14."""
        item = rent(
            "140.00",
            billing_cycle=rb.BillingCycle(time_unit="Week", period_length=2),
            amount_records=(price_from("2026-02-05", "280.00"),),
        )
        result = billed(item, "2026-02-01/2026-02-28")
        told = str(rb.explain(result, bill="2026-02-02"))

        assert "first start of the cycle: 2026-02-02 = the first Monday after" in told
        assert "share of the period: 3/14 (0.2142…) = 3 / 14 [A20]" in told
        assert "accounting period: 2026-02-16/2026-03-01 = 2 weeks, 1 period after" in str(
            rb.explain(result, bill="2026-02-16")
        )

    def test_an_end_cuts_a_week(self) -> None:
        item = rent(billing_cycle=rb.BillingCycle(time_unit="Week"), ended_on=day("2026-02-04"))

        assert "share of the period: 3/7 (0.4285…) = 3 / 7" in str(
            rb.explain(billed(item, "2026-02-01/2026-02-28"))
        )

    def test_a_split_by_thirty_days_weighs_with_them(self) -> None:
        """A quarter changed on 15 February: 44 and 46 days of 90, and an end cuts both."""
        item = quarterly("900.00", amount_records=(price_from("2026-02-15", "1800.00"),))
        whole = billed(item, part_period="thirty_day")
        cut = billed(item.evolve(ended_on=day("2026-03-15")), part_period="thirty_day")

        assert "share of the period: 22/45 (0.4888…) = 44 / 90 [A20]" in str(
            rb.explain(whole, bill=0)
        )
        assert "share of the part: 22/45 (0.4888…) = (5/6) × (44/75) [A20]" in str(
            rb.explain(cut, bill=0)
        )

    def test_days_follow_the_opening_directly(self) -> None:
        """Cycles of thirty days after an opening that ends on 31 January."""
        item = rent(billing_cycle=rb.BillingCycle(time_unit="Day", period_length=30))

        assert "first start of the cycle: 2026-02-01 = the day after 2026-01-31 [A8]" in str(
            rb.explain(billed(item), bill="2026-03-03")
        )


class TestDueDates:
    """Why a bill falls due when it does (A10, A51)."""

    @rows(
        ("number", "relative_to", "due", "told"),
        [
            (15, "start", "2026-02-15", "due date: 2026-02-15 = 14 days after 2026-02-01"),
            (31, "start", "2026-02-28", "day that there is: 28 = 31, at most 28; a day past"),
            (1, "end", "2026-03-01", "due date: 2026-03-01 = 1 day after 2026-02-28"),
            (-1, "end", "2026-02-28", "due date: 2026-02-28; the last day of the period"),
            (40, "end", "2026-03-31", "day that there is: 31 = 40, at most 31"),
        ],
    )
    def test_of_february(self, number: int, relative_to: Any, due: str, told: str) -> None:  # noqa: ANN401
        rule = rb.DueDateRule(day_of_period=number, relative_to=relative_to)
        found = rb.explain(billed(rent(due_date_rule=rule), f"{due}/{due}"), bill=0)

        assert told in str(found)

    def test_over_a_holiday_and_a_weekend(self) -> None:
        """Friday 1 May 2026 is closed, Saturday and Sunday follow: Monday the 4th (A11)."""
        result = billed(rent(), business_day="following", holidays={date(2026, 5, 1)})
        told = "moved over holiday 2026-05-01, Saturday 2026-05-02, Sunday 2026-05-03 [A11]"

        assert told in str(rb.explain(result, bill="2026-05-04"))


class TestPrices:
    """Discounts, records and openings."""

    def test_an_opening_may_be_discounted(self) -> None:
        """4,661.29 less half is 2,330.645 (A24)."""
        item = rent(discount=rb.Discount(percentage=Decimal("0.5")))
        found = rb.explain(billed(item, discount_opening=True), bill=0, line=0)

        assert "price after discount: 2,330.645 = 4,661.29 − 2,330.645 [A24]" in str(found)

    def test_a_discount_by_amount_stops_at_zero(self) -> None:
        """100.00 off 40.00 (A22)."""
        off = rb.Discount(amount=amount("100.00"))
        item = rent(discount=off, amount_records=(price_from("2026-02-01", "40.00"),))
        found = str(rb.explain(billed(item), bill="2026-02-01", line=0))

        assert "net price: 0.00 DKK = -60.00, at least 0; the discount is larger" in found

    def test_it_takes_nothing_off_a_credit(self) -> None:
        """A later price of −40.00 (A22)."""
        off = rb.Discount(amount=amount("100.00"))
        item = rent(discount=off, amount_records=(price_from("2026-02-01", "-40.00"),))
        found = str(rb.explain(billed(item), bill="2026-02-01", line=0))

        assert "takes nothing off a credit [A22]" in found

    def test_a_discount_by_amount_is_taken_off(self) -> None:
        """8,500.00 less 500.00 (A22)."""
        item = rent(discount=rb.Discount(amount=amount("500.00"), description="Rabat"))
        found = str(rb.explain(billed(item), bill="2026-02-01", line=0))

        assert "net price: 8,000.00 DKK = 8,500.00 − 500.00 [A22]" in found
        assert "discount: 500.00 DKK; Rabat [A22]" in found

    @rows("way", ["discount_end", "mid_period_change"])
    def test_the_first_day_of_a_period_may_decide(self, way: str) -> None:
        """Of a quarter in which price and discount change and the item ends (A19, A23)."""
        words = {"discount_end": "whole_period", "mid_period_change": "next_period"}
        off = rb.Discount(percentage=Decimal("0.1"), end_date=day("2026-01-31"))
        item = quarterly(
            discount=off,
            amount_records=(price_from("2026-02-10", "600.00"),),
            quantity_records=(rb.QuantityRecord(value=Decimal(2), start=day("2026-02-20")),),
            ended_on=day("2026-03-15"),
        )

        assert "to 2026-01-31 included" in str(
            rb.explain(billed(item, **{way: words[way]}), bill=0)
        )

    def test_three_parts_of_a_split(self) -> None:
        """Running totals of the parts before are told once (A21)."""
        records = price_from("2026-02-01", "600.00"), price_from("2026-03-01", "100.00")
        found = rb.explain(billed(quarterly("300.00", amount_records=records)), bill=0, line=2)

        assert "exact parts before: 300 = 100 + 200 [A21]" in str(found)
        assert amount("33.33") == found.result

    def test_quantity_and_text(self) -> None:
        """A line tells its text, and a quantity since when."""
        item = rent(
            description="Leje",
            quantity_records=(rb.QuantityRecord(value=Decimal(2), start=day("2026-02-01")),),
        )
        found = str(rb.explain(billed(item), bill="2026-02-01", line=0))

        assert "line 1 of 1: 17,000.00 DKK; Leje (key:rent), whole period [A21]" in found
        assert "quantity: 2, in force on 2026-02-01, since 2026-02-01 [A18]" in found


class TestVat:
    """VAT that is inside, and totals that no line has."""

    def test_per_line_inside_a_gross(self) -> None:
        """0.11 has 0.022 of VAT inside: 0.02, so 0.09 net (A29)."""
        result = billed([fee("0.11", vat=vat("Inclusive", "0.25"))], vat_rounding="per_line")

        assert "net price: 0.09 DKK = 0.11 − 0.02 [A29]" in str(rb.explain(result, bill=0, line=0))

    def test_a_total_without_lines_is_stated(self) -> None:
        bill = billed(fee("1.00"))[0]
        totals = [*bill.raw_totals, (vat("Exclusive", "0.25"), 0, 0)]
        read = rb.PendingBill(bill.due, "DKK", 2, bill.raw_lines, totals, bill.sums)

        assert "no line has it" in str(rb.explain(read, vat=1))


class TestIndexes:
    """Where a change comes from (A33, A40, A41)."""

    @rows(
        ("rule", "values", "told"),
        [
            (
                ruled(reference="year_mean"),
                series({"2020": "0.02"}, kind="change"),
                "raw percentage: 2 %; published change of NPI to 2020 [A33]",
            ),
            (
                ruled(reference="year_mean", mean_of=2, mean_of_what="changes"),
                years(100, 110, 121, first=2018),
                "raw percentage: 10 %; mean of 2 yearly changes of NPI to 2020 [A33]",
            ),
            (
                ruled(reference="year_mean", mean_of=2, mean_decimals=1),
                years(100, 110, "121.1", first=2018),
                "NPI of 2020: 115.6 = 115.55 rounded half up to 0.1 [A40]",
            ),
            (
                by_index(
                    index_month=None,
                    index_clause=clause(
                        lag_months=2,
                        base="2015=100",
                        start_point="2019-12",
                        start_index="100.5",
                    ),
                ),
                series({"2020-11": 110, "2019-11": 100}),
                "NPI of 2019-12: 100.5; stated by the contract [A40]",
            ),
            (
                by_index(),
                octobers(100, 110, provisional=["2019-10"], assumed=["2020-10"]),
                "NPI of 2020-10: 110; base 2015=100, assumed [A33]",
            ),
            (
                by_index(),
                rb.IndexSeries("X", {"2019-10": "100", "2020-10": "110"}, provisional=["2020-10"]),
                "X of 2020-10: 110; provisional [A33]",
            ),
            (
                by_index(),
                rb.IndexSeries("X", {"2019-10": "100", "2020-10": "110"}, assumed=["2020-10"]),
                "X of 2020-10: 110; assumed [A33]",
            ),
            (by_index(), octobers(100, 110, provisional=["2020-10"]), "base 2015=100, provisional"),
            (
                ruled(reference="year_mean"),
                series(
                    {f"{y}-{m:02d}": 100 + m + y - 2019 for y in (2019, 2020) for m in range(1, 13)}
                ),
                "NPI of 2020: 107.5; base 2015=100 [A33]",
            ),
            (
                ruled(reference="year_mean", mean_of=2),
                years(100, 110, "121.1", first=2018),
                "NPI of 2020: 115.55 = 231.1 / 2; base 2015=100 [A40]",
            ),
        ],
    )
    def test_by_rule(self, rule: Any, values: rb.IndexSeries, told: str) -> None:  # noqa: ANN401
        made = rb.rent_adjustments(lease(rule), "2020-02-01/2021-12-31", indices=values)
        found = rb.explain(made, adjustment=0)
        replayed(found)

        assert told in str(found)


class TestSteps:
    """Steps of the clause that the shorter examples do not take (A35, A40)."""

    @rows(
        ("rule", "at", "told"),
        [
            (
                ruled(excess_over="0.04", excess_share="0.5"),
                0,
                "damped percentage: 7 % = 4 % + 3 % [A40]",
            ),
            (ruled(basis="anchored", share_of="money", share="0.5"), 0, "= 10,000.00 + 500 [A40]"),
            (
                by_index(
                    most="0.03", index_clause=clause(limit_per="year_simple", interval_months=12)
                ),
                0,
                "years elapsed: 1 = 12 / 12 [A40]",
            ),
            (
                by_index(
                    most="0.03",
                    index_clause=clause(limit_per="year_compound", limit_months=18),
                ),
                0,
                "to the power of (2/3) [A40]",
            ),
            (
                by_index(
                    least="0",
                    most="0.03",
                    index_clause=clause(limit_per="year_compound", limit_months=18),
                ),
                0,
                "minimum percentage: 0 % = 1 − 1 [A40]",
            ),
            (
                ruled(percentage_decimals=0, percentage_rounded="applied", share="0.333"),
                0,
                "applied percentage: 3 % = 3.33 % rounded half up to 1 % [A40]",
            ),
            (
                ruled(amount_rounded="change", amount_quantum="300"),
                0,
                "new amount: 10,900.00 DKK = 900 + 10,000.00 [A40]",
            ),
            (
                ruled(basis="last_indexed", base_amount="9000 DKK"),
                0,
                "last indexed amount: 9,000.00 DKK; stated by the clause for the first day [A40]",
            ),
            (
                ruled(basis="anchored", base_amount="9000 DKK", start_point="2019-10"),
                0,
                "first amount: 9,000.00 DKK; stated by the clause for the first day [A34]",
            ),
            (
                ruled(pro_rata="elapsed", pro_rata_months=24),
                0,
                "part that counts: 0.5 = 12 / 24 [A40]",
            ),
            (
                by_index(most="0.03", index_clause=clause(after_limit="carry")),
                1,
                "carried amount: 11,000.00 DKK; where the rule alone would have led to",
            ),
            (
                by_index(most="0.15", index_clause=clause(after_limit="carry", basis="anchored")),
                1,
                "first amount: 10,000.00 DKK; what the rule counts from [A34]",
            ),
            (
                by_index(
                    first_year="2021",
                    index_clause=clause(pro_rata="first_year"),
                ),
                0,
                "part that counts: 11/12 (0.9166…) = 11 / 12 [A40]",
            ),
            (ruled(carried="exact", share="0.333333"), 1, "the exact amount that is carried on"),
            (ruled(floor_amount="12000 DKK"), 0, "= the larger of 11,000.00 and 12,000.00 [A40]"),
            (ruled(indexed_share="0.6"), 0, "own percentage: 6 % = 0.6 × 10 % [A40]"),
        ],
    )
    def test_by_rule(self, rule: Any, at: int, told: str) -> None:  # noqa: ANN401
        """10,000 that follows an index which rises by a tenth each October."""
        assert told in str(first_of(lease(rule), at=at))

    def test_a_floor_stands_on_the_side_of_a_credit(self) -> None:
        """A credit of 450.00 and a tenth is 495.00, below the floor of 1,000, so -1,000.00."""
        terms = lease(ruled(floor_amount="1000 DKK"), item=home("-450.00"))
        found = first_of(terms)

        assert amount("-1000.00") == found.result
        assert "= the larger of -495.00 and -1,000.00 [A40]" in str(found)

    def test_a_factor_after_a_new_agreement(self) -> None:
        """9,900 agreed is what the factor 0.9 made of 11,000 (A34, A40)."""
        rule = ruled(basis="anchored", correction_factor="0.9")
        item = home(amount_records=(price_from("2021-06-15", "9900.00"),))

        assert "first amount: 11,000 = 9,900.00 / 0.9 [A40]" in str(
            first_of(lease(rule, item=item), at=1)
        )

    @rows(
        ("basis", "fields"),
        [
            ("anchored", {"correction_factor": "1.1"}),
            ("last_indexed", {"indexed_share": "0.6"}),
            ("last_indexed", {"indexed_amount": "1000 DKK"}),
            ("anchored", {"after_limit": "carry"}),
        ],
    )
    def test_limits_hold_the_step_from_what_is_in_force(
        self, basis: str, fields: dict[str, str]
    ) -> None:
        """Where the rule goes on from another amount, its step is held within 1 % (A35)."""
        limit = by_index(most="0.01", index_clause=clause(basis=basis, **fields))
        terms = lease(plan(limit, by_steps(step(2021, "100.00"), step(2022, "100.00"))))

        for at in (0, 1):
            assert "limited percentage: 1 %" in str(first_of(terms, at=at))

    def test_increments_that_add_up(self) -> None:
        """10 % and 1,200 a year, both of 10,000: 11,100 (A37)."""
        added = by_steps(step(2021, "1200.00"), index_clause=clause(combine="sum"))
        found = first_of(lease(plan(by_index(), added)))

        assert "11,000.00 + 100" in str(found)
        assert amount("11100.00") == found.result

    def test_a_decrease_of_a_credit_stops_at_zero_from_below(self) -> None:
        """−100 a month and 12,000 a year more (A26, A36)."""
        found = first_of(lease(by_steps(step(2021, "12000.00")), item=home("-100.00")))

        assert "new amount: 0.00 DKK = 900, at most 0; a decrease stops at zero [A36]" in str(found)

    def test_an_increment_may_be_for_a_billing_period(self) -> None:
        """1,000 a month (A36)."""
        terms = lease(by_steps(step(2021, "1000.00")))
        found = first_of(terms, None, increment_amount="per_period")

        assert "increment: 1,000.00 DKK; of 2021, for a billing period [A36]" in str(found)


class TestFineRecords:
    """Amount records may have more decimals than the currency (A18, A38)."""

    def test_of_the_day_of_an_adjustment(self) -> None:
        """10,500.005 is told as 10,500.01 a month, and 126,000.12 a year."""
        item = home(amount_records=(price_from("2021-01-01", "10500.005"),))
        found = first_of(lease(by_index(), item=item))

        assert amount("10500.01") == found.result
        assert "10,500.005 rounded half up to 0.01 [A38]" in str(found)


class TestRecordsAndLists:
    """Adjustments that were not computed (A18, A38)."""

    def test_an_amount_record_of_the_day_is_the_adjustment(self) -> None:
        item = home(amount_records=(price_from("2021-01-01", "10500.00"),))
        found = first_of(lease(by_index(), item=item))

        assert "2021-01-01: an amount record of the day [A18]" in str(found)
        assert amount("10500.00") == found.result

    def test_one_that_is_listed_without_amounts(self) -> None:
        bare = rb.RentAdjustment(
            adjusted_on=day("2021-01-01"),
            adjustment_rules_effects=(rb.AdjustmentEffect(rent_adjustment_rule_id="rule-1"),),
        )
        found = first_of(with_listed(lease(by_index()), [bare]))

        assert "amount: 10,000.00 DKK; listed without its amounts [A38]" in str(found)

    def test_the_line_of_a_listed_one(self) -> None:
        """10,777.00 since 1 January 2021, as listed."""
        told = rb.RentAdjustment(adjusted_on=day("2021-01-01"), to_period_amount=amount("10777.00"))
        terms = with_listed(lease(by_index()), [told])
        result = rb.pending_bills(terms, "2021-02-01/2021-02-28", indices=TENTHS)
        check(result)

        assert "2021-01-01: taken as listed by the service" in str(rb.explain(result))

    def test_balances_that_are_listed(self) -> None:
        """Finer than a minor unit, each is rounded where it is billed (A39)."""
        own = plan(
            by_index(),
            adjusts_balance=True,
            adjustee_ref="balance-1",
            adjustments=tuple(
                rb.RentAdjustment(adjusted_on=day(when), to_balance_amount=amount(price))
                for when, price in (("2021-01-01", "30000.005"), ("2022-01-01", "30000.010"))
            ),
        )
        terms = lease(own, balances=(deposit(), deposit(id="other")))
        once = rb.BillingPolicy(balance_change="once")
        result = rb.pending_bills(terms, "2021-01-01/2022-12-31", indices=TENTHS, policy=once)
        check(result)

        assert "taken as listed by the service" in str(rb.explain(result, bill="2021-01-01"))


class TestBalances:
    """Deposits (A39)."""

    def test_months_of_the_rent_in_force(self) -> None:
        """Three months of 10,000 where a plan only gives the dates."""
        own = plan(by_index(), adjusts_balance=True)
        found = first_of(lease(own, balances=(deposit(months="3"),)))

        assert "new balance: 30,000.00 DKK = 3 × 10,000.00 [A39]" in str(found)

    def test_a_rent_of_nothing_has_no_factor(self) -> None:
        both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
        found = first_of(lease(both, balances=(deposit(),), item=home("0.00")))

        assert "a rent of 0 has no factor [A39]" in str(found)

    def test_by_rules_of_its_own(self) -> None:
        """30,000 and a tenth."""
        found = first_of(lease(plan(by_index(), adjusts_balance=True), balances=(deposit(),)))

        assert amount("33000.00") == found.result
        assert "new balance: 33,000.00 DKK = 30,000.00 × 1.1 [A34]" in str(found)

    def test_a_line_that_no_change_leads_to_is_a_fault(self) -> None:
        both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
        terms = lease(both, balances=(deposit(months="3"),))
        once = rb.BillingPolicy(balance_change="once")
        result = rb.pending_bills(terms, "2021-01-01/2021-01-31", indices=TENTHS, policy=once)
        figures, _, _ = result[0].raw_lines[1]
        other = rb.pending_bills(terms, "2022-01-01/2022-01-31", indices=TENTHS, policy=once)
        _, first, last = other[0].raw_lines[1]
        bill = rb.PendingBill(
            other[0].due, "DKK", 2, [(figures, first, last)], other[0].raw_totals, other[0].sums
        )
        wrong = rb.BillingResult([bill], source=other.source)

        with pytest.raises(RuntimeError, match="no change of a balance leads to the line"):
            rb.explain(wrong, bill=0, line=0)

    def test_a_line_is_for_its_own_balance(self) -> None:
        plans = [
            plan(by_index(), adjusts_balance=True, adjustee_ref=name) for name in ("one", "two")
        ]
        terms = lease(*plans, balances=(deposit(id="one"), deposit("600.00", id="two")))
        once = rb.BillingPolicy(balance_change="once")
        result = rb.pending_bills(terms, "2021-01-01/2021-01-31", indices=TENTHS, policy=once)
        check(result)

        assert amount("60.00") == rb.explain(result, bill=0, line=-1).result

    def test_a_change_of_nothing_has_no_instalments(self) -> None:
        """April has a third of February's 300.00 and of its own 1,212.00; March changed nothing.

        10,000 × 101 / 100 = 10,100 in February, × 105.04 / 101 = 10,504 in April.
        """
        rule = by_index(index_month=None, index_clause=clause(interval_months=1, lag_months=2))
        both = plan(rule, adjusts_recurring_bill_item=True, adjusts_balance=True)
        flat = series({"2019-11": 100, "2019-12": 101, "2020-01": 101, "2020-02": "105.04"})
        parts = rb.BillingPolicy(balance_change="instalments")
        terms = lease(both, balances=(deposit(months="3"),))
        result = rb.pending_bills(terms, "2020-02-01/2020-04-30", indices=flat, policy=parts)
        check(result)
        (bill,) = (each for each in result if each.due_date == day("2020-04-01"))

        assert ["10504.00", "100.00", "404.00"] == [
            f"{line.net_price.amount:f}" for line in bill.lines
        ]


def test_where_nothing_but_the_still_part_is_in_force() -> None:
    """10,000 of a base of 14,000 stand still, and 10,000 are in force: no step can be limited.

    10,000 + 4,000 × 110 / 100 = 14,400, whatever the maximum of 5 percent.
    """
    kept = clause(basis="anchored", indexed_amount="4000 DKK", base_amount="14000 DKK")
    terms = lease(by_index(most="0.05", index_clause=kept))
    made = rb.rent_adjustments(terms, "2021-01-01/2021-12-31", indices=TENTHS)
    working = rb.explain(made, adjustment=0)

    assert amount("14400.00") == working.result
    assert working.result == replayed(working)


@rows(("percent", "expected"), [("8 %", "10800.00"), ("12 %", "10000.00")])
def test_exact_amounts_compete_as_they_are_carried_on(percent: str, expected: str) -> None:
    """10,000 × 1.1 = 11,000 is carried on, and 10,000 billed: 1,000 is nearer to 0 than to 5,000.

    10,000 × 1.08 = 10,800 is lower than 11,000, and 10,000 × 1.12 = 11,200 is not (A37, A38).
    """
    exact = clause(carried="exact", amount_quantum="5000", amount_rounded="change")
    rules = (
        by_index(index_clause=exact),
        by_steps(step(2021, percent), index_clause=clause(combine="lower_of")),
    )
    working = first_of(lease(plan(*rules)))

    assert amount(expected) == working.result


def explained_text(
    item: rb.RecurringBillItem, days: str, policy: rb.BillingPolicy | None = None
) -> str:
    result = rb.pending_bills(item, days, policy=policy)
    return str(rb.explain(result, bill=0, line=0))


def test_a_credit_whose_discounts_reach_zero() -> None:
    """−1,000 less 60 % of it twice is 200, so that nothing is left (A22, A61)."""
    half = rb.Discount(percentage=Decimal("0.6"))
    item = a_rent(amount=-1000, moved_in="2026-01-01", discounts=[half, half.evolve(of="list")])

    assert "at most 0" in explained_text(item, "2026-02")


def test_a_discount_by_amount_of_a_stated_opening() -> None:
    """17 of 31 days of January: 100 × 17/31 off (A24)."""
    item = a_rent(
        amount=1000, moved_in="2026-01-15", discount=rb.Discount(amount=rb.Amount(100, "DKK"))
    )
    policy = rb.BillingPolicy(discount_opening=True)

    assert "discount of the share" in explained_text(item, "2026-01", policy)


def test_a_part_that_would_count_more_than_its_period() -> None:
    """61 of the 62 days of July and August are 61 × 6 / 365 periods, so one (A20)."""
    item = a_rent(amount=1000, moved_in="2026-01-01", months=2, ended_on="2026-08-30")

    assert "share by days of a year" in explained_text(
        item, "2026-07", rb.BillingPolicy(part_period="year_365")
    )


def test_a_whole_month_of_a_part_counts_once() -> None:
    """January and 15 days of February are (1 + 15/30) / 3 of a quarter (A66)."""
    item = a_rent(amount=900, moved_in="2025-10-01", months=3, ended_on="2026-02-15")

    assert "450.00" in explained_text(item, "2026-01", rb.BillingPolicy(part_period="days_over_30"))


def test_a_line_as_data_has_its_discounts() -> None:
    item = a_rent(moved_in="2026-01-01", discount=rb.Discount(percentage=Decimal("0.1")))
    (bill,) = rb.pending_bills(item, "2026-02")

    assert len(plain_data(bill.lines[0])["discounts"]) == 1
