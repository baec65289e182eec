"""Corrections: what a bookkeeper would write beside the bills that are out already (A53).

The rent is 8,500 DKK a month; January 2026 (from the 15th) and February are billed.
"""

import pickle
from decimal import Decimal
from typing import Any

import pytest

from rentbilling import (
    BillingPolicy,
    BillingResult,
    Discount,
    LeaseTerms,
    RecurringBillItem,
    VatRecord,
    bill_period,
    check_bill,
    compare_bills,
    compile_terms,
    dumps,
    explain,
    loads,
    pending_bills,
)
from rentbilling.billing import CorrectionFigures
from rentbilling.billing.corrections import overlaps
from tests.support.billed import APRIL, FEBRUARY, JANUARY, MARCH, TWO, after, sent, told_of
from tests.support.plans import GOES_ON, by_index, deposit, lease, octobers, plan
from tests.support.rents import (
    amount,
    day,
    fee,
    opening,
    period,
    price_from,
    quarterly,
    rent,
    vat,
)

THIS_MARCH = ("2026-03-01", "regular", "2026-03-01/2026-03-31")
NEXT_PERIOD = BillingPolicy(mid_period_change="next_period")
QUARTER = "2026-01-01/2026-03-31"


def taxed(rate: str = "0.25", mode: str = "Exclusive") -> RecurringBillItem:
    """Return a parking space at 1,000 a month with VAT."""
    first = opening("2025-12-01/2025-12-31", price="1000.00")
    tax = vat(mode, rate)
    return rent("1000.00", vat=tax, first_billing_period_bill_item=first)


class TestPrice:
    """A price that was another one."""

    def test_a_rise_that_came_late_is_charged(self) -> None:
        """8,600 from February on: February was billed with 8,500, so that 100 are missing."""
        dearer = rent("8600.00")

        assert [
            ("2026-03-01", "correction", "2026-02-01/2026-02-28", "100.00"),
            (*THIS_MARCH, "8600.00"),
        ] == after(dearer, sent(rent()))

    def test_the_days_are_those_at_the_new_price(self) -> None:
        """9,000 from 15 February: 14 of 28 days at 500 more a month are 250."""
        dearer = rent(amount_records=(price_from("2026-02-15", "9000.00"),))

        assert [
            ("2026-03-01", "correction", "2026-02-15/2026-02-28", "250.00"),
            (*THIS_MARCH, "9000.00"),
        ] == after(dearer, sent(rent()))

    def test_a_quarter_is_corrected_for_the_month_that_changed(self) -> None:
        """36,000 from March on instead of 30,000: a third of the quarter is 2,000 dearer."""
        dearer = quarterly(amount_records=(price_from("2026-03-01", "36000.00"),))

        assert [("2026-03-01", "correction", MARCH, "2000.00")] == after(dearer, sent(quarterly()))

    def test_days_before_a_change_that_ended_are_those_concerned(self) -> None:
        """36,000 until the end of January and 30,000 again: the first third is 2,000 dearer."""
        first = opening("2025-10-01/2025-12-31", price="36000.00")
        dearer = quarterly(
            "36000.00",
            first_billing_period_bill_item=first,
            amount_records=(price_from("2026-02-01", "30000.00"),),
        )

        assert [("2026-03-01", "correction", JANUARY, "2000.00")] == after(
            dearer, sent(quarterly())
        )

    def test_a_discount_that_was_forgotten_is_given_back(self) -> None:
        """10 % off until 14 February: half a month, 4,250, is 425 cheaper; the opening stays."""
        discount = Discount(percentage=Decimal("0.10"), end_date=day("2026-02-14"))

        assert [
            ("2026-03-01", "correction", "2026-02-01/2026-02-14", "-425.00"),
            (*THIS_MARCH, "8500.00"),
        ] == after(rent(discount=discount), sent(rent()))

    def test_a_quantity_that_was_wrong_is_corrected_in_money(self) -> None:
        """3 keys at 100 instead of 2: one unit of the difference, 100."""
        two, three = (rent("100.00", quantity=Decimal(count)) for count in (2, 3))
        result = pending_bills(three, MARCH, already_billed=sent(two, FEBRUARY))
        line = result[0].lines[0]

        assert ("correction", Decimal(1), amount("100.00")) == (
            line.kind,
            line.quantity,
            line.amount,
        )

    def test_an_opening_period_is_corrected_too(self) -> None:
        """It was agreed at 4,661.29 and is 4,500: 161.29 go back."""
        first = opening(price="4500.00")

        assert [
            ("2026-03-01", "correction", "2026-01-15/2026-01-31", "-161.29"),
            (*THIS_MARCH, "8500.00"),
        ] == after(rent(first_billing_period_bill_item=first), sent(rent()))

    def test_two_prices_that_cancel_out_are_no_correction(self) -> None:
        split = quarterly(
            amount_records=(
                price_from("2026-02-01", "33000.00"),
                price_from("2026-03-01", "27000.00"),
            )
        )

        # 10,000 + 11,000 + 9,000 = 30,000.
        assert [] == after(split, sent(quarterly()))

    def test_a_text_that_changed_is_no_correction(self) -> None:
        assert [] == after(rent(description="Rent"), sent(rent()), FEBRUARY)


class TestEnds:
    """Items, days and bills that should not have been, or should go on."""

    def test_days_after_an_end_are_credited(self) -> None:
        """The tenant left on 14 February: 14 of 28 days, 4,250, go back; March is not billed."""
        ended = rent(ended_on=day("2026-02-14"))

        assert [
            ("2026-03-01", "correction", "2026-02-15/2026-02-28", "-4250.00"),
        ] == after(ended, sent(rent()))

    def test_an_item_that_is_gone_is_credited(self) -> None:
        rents = LeaseTerms(recurring_bill_items=(rent(id="rent"), rent("400.00", id="cellar")))
        without = LeaseTerms(recurring_bill_items=(rent(id="rent"),))

        assert [
            (*THIS_MARCH, "8500.00"),
            ("2026-03-01", "correction", "2026-02-01/2026-02-28", "-400.00"),
        ] == after(without, sent(rents, FEBRUARY))

    def test_a_bill_after_a_cancellation_is_credited(self) -> None:
        """Cancelled on 1 February nothing falls due from then on, and February is taken back."""
        cancelled = rent(cancelled_on=day("2026-02-01"))

        assert [("2026-03-01", "correction", FEBRUARY, "-8500.00")] == after(
            cancelled, sent(rent())
        )

    def test_a_bill_that_falls_due_later_is_left_for_its_own_period(self) -> None:
        """March was billed ahead and is not owed: nothing in February, −8,500 in March."""
        ended = rent(ended_on=day("2026-02-28"))
        ahead = sent(rent(), "2026-01-01/2026-03-31")

        assert [] == after(ended, ahead, FEBRUARY)
        assert [("2026-03-01", "correction", MARCH, "-8500.00")] == after(ended, ahead)

    def test_an_end_that_is_taken_back_is_charged_again(self) -> None:
        """−4,250 for the second half of February, and +4,250 when the tenant stays after all."""
        ended = rent(ended_on=day("2026-02-14"))
        first = sent(rent())
        second = sent(ended, MARCH, already_billed=first)

        assert [
            ("2026-04-01", "correction", "2026-02-15/2026-02-28", "4250.00"),
            ("2026-04-01", "regular", MARCH, "8500.00"),
            ("2026-04-01", "regular", APRIL, "8500.00"),
        ] == after(rent(), [first, second], APRIL)

    def test_what_was_billed_twice_is_credited_once(self) -> None:
        february = sent(rent(), FEBRUARY)

        assert [("2026-02-01", "correction", FEBRUARY, "-8500.00")] == after(
            rent(), [february, february], FEBRUARY
        )

    def test_of_two_bills_the_later_one_is_too_much_in_whatever_order(self) -> None:
        """February was billed for the 1st and for the 10th: it is credited on the 10th."""
        rule = rent().due_date_rule.evolve(day_of_period=10)
        both = [sent(rent(), FEBRUARY), sent(rent(due_date_rule=rule), FEBRUARY)]

        for earlier in (both, both[::-1]):
            assert [("2026-02-10", "correction", FEBRUARY, "-8500.00")] == after(
                [rent()], earlier, FEBRUARY
            )


class TestMissed:
    """Bills that were never sent."""

    def test_a_month_that_was_missed_is_made_up(self) -> None:
        assert [
            ("2026-03-01", "regular", FEBRUARY, "8500.00"),
            (*THIS_MARCH, "8500.00"),
        ] == after(rent(), sent(rent(), JANUARY))

    def test_an_item_that_was_forgotten_is_made_up(self) -> None:
        """The cellar, 400 a month from 1 February, is billed for February and March."""
        first = opening("2026-02-01/2026-02-28", price="400.00")
        cellar = rent("400.00", first_billing_period_bill_item=first)

        assert [
            (*THIS_MARCH, "8500.00"),
            ("2026-03-01", "opening", FEBRUARY, "400.00"),
            ("2026-03-01", "regular", MARCH, "400.00"),
        ] == after([rent(), cellar], sent(rent()))

    def test_a_fee_that_was_forgotten_is_made_up(self) -> None:
        """A fee of 2 February stands on the bill of March."""
        assert [
            (*THIS_MARCH, "8500.00"),
            ("2026-03-01", "one_time", "2026-02-02/2026-02-02", "100.00"),
        ] == after([rent(), fee(due="2026-02-02")], sent(rent()))


class TestOnce:
    """One-time items (A55)."""

    def test_a_fee_that_was_another_is_corrected_whatever_its_days(self) -> None:
        """100 was billed for 1 February; it is 120 for the 20th of March: 20 are missing."""
        dearer = fee("120.00", days="2026-03-20/2026-03-20")

        assert [("2026-03-01", "correction", "2026-02-01/2026-03-20", "20.00")] == after(
            dearer, sent(fee())
        )

    def test_a_fee_whose_due_date_moved_is_not_billed_again(self) -> None:
        """It was billed on 1 February, and is due on 1 April now: nothing in March or April."""
        moved = fee(due="2026-04-01", days="2026-02-01/2026-02-01")

        assert [] == after(moved, sent(fee()))
        assert [] == after(moved, sent(fee()), APRIL)


class TestVat:
    """A VAT that was another one."""

    def test_another_rate_takes_back_the_old_line(self) -> None:
        """1,000 at 25 % go back, with 250 of VAT, and come again at 21 %, with 210."""
        records = (VatRecord(value=vat("Exclusive", "0.21"), start=day("2026-02-01")),)
        bill = pending_bills(
            taxed().evolve(vat_records=records), MARCH, already_billed=sent(taxed(), TWO)
        )[0]

        assert [
            ("correction", "-1000.00", Decimal("0.25")),
            ("correction", "1000.00", Decimal("0.21")),
            ("regular", "1000.00", Decimal("0.21")),
        ] == [(each.kind, f"{each.net_price.amount:f}", each.vat.tax_rate) for each in bill.lines]
        # 21 % of the correction's 1,000 and of March's 1,000.
        assert ["-250.00", "420.00"] == [f"{each.amount.amount:f}" for each in bill.vat_totals]

    def test_another_mode_takes_back_the_old_line(self) -> None:
        """1,000 and 250 of VAT for each month go back, and 1,000 without VAT come instead."""
        free = taxed().evolve(vat=vat("Exempt"))

        assert [
            ("2026-03-01", "correction", JANUARY, "-1000.00"),
            ("2026-03-01", "correction", JANUARY, "1000.00"),
            ("2026-03-01", "correction", FEBRUARY, "-1000.00"),
            ("2026-03-01", "correction", FEBRUARY, "1000.00"),
            (*THIS_MARCH, "1000.00"),
        ] == after(free, sent(taxed(), TWO))

    def test_a_rate_that_is_written_otherwise_is_the_same(self) -> None:
        """0.25 is 0.250 (A30)."""
        assert [] == after(taxed("0.250"), sent(taxed("0.25")), FEBRUARY)

    def test_an_inclusive_line_is_corrected_by_its_gross(self) -> None:
        """1,000 and 1,100 with 25 % VAT inside: 100 more to pay, 80.00 net and 20.00 VAT."""
        dearer = taxed(mode="Inclusive").evolve(
            amount=amount("1100.00"), ended_on=day("2026-02-28")
        )
        bill = pending_bills(dearer, MARCH, already_billed=sent(taxed(mode="Inclusive"), FEBRUARY))[
            0
        ]
        (line,) = bill.lines

        assert ("100.00", "80.00") == (f"{line.amount.amount:f}", f"{line.net_price.amount:f}")
        assert (amount("100.00"), amount("20.00")) == (bill.total, bill.vat_totals[0].amount)

    def test_the_gross_is_right_for_each_line_too(self) -> None:
        """VAT for each line: 100.01 × 0.25 / 1.25 = 20.002, so 20.00 VAT and 80.01 net (A29)."""
        policy = BillingPolicy(vat_rounding="per_line")
        old, new = (
            taxed(mode="Inclusive").evolve(amount=amount(each)) for each in ("1.00", "101.01")
        )
        ended = new.evolve(ended_on=day("2026-02-28"))
        earlier = sent(old, FEBRUARY, policy=policy)

        assert [("2026-03-01", "correction", FEBRUARY, "80.01")] == after(
            ended, earlier, policy=policy
        )


class TestCycles:
    """Cycles that are others than before: days that overlap belong together."""

    def test_months_that_became_a_quarter_are_held_against_it(self) -> None:
        """Two months at 8,500 were billed, the quarter costs 25,000: 8,000 are missing."""
        first = opening("2025-12-01/2025-12-31", price="8500.00")
        monthly = rent(first_billing_period_bill_item=first)
        by_quarter = quarterly("25000.00")

        assert [("2026-03-01", "correction", QUARTER, "8000.00")] == after(
            by_quarter, sent(monthly)
        )

    def test_a_quarter_in_arrears_is_not_asked_for_before_it_is_due(self) -> None:
        """Two months were billed; the quarter, 25,000, is due on 1 April: the rest comes then."""
        first = opening("2025-12-01/2025-12-31", price="8500.00")
        monthly = rent(first_billing_period_bill_item=first)
        rule = quarterly().due_date_rule.evolve(relative_to="end")
        in_arrears = quarterly("25000.00", due_date_rule=rule)

        assert [] == after(in_arrears, sent(monthly))
        assert [("2026-04-01", "correction", QUARTER, "8000.00")] == after(
            in_arrears, sent(monthly), APRIL
        )

    def test_more_than_a_later_bill_will_ask_for_is_credited_at_once(self) -> None:
        """17,000 were billed, and the quarter in arrears costs 12,000 altogether: −5,000."""
        first = opening("2025-12-01/2025-12-31", price="8500.00")
        monthly = rent(first_billing_period_bill_item=first)
        rule = quarterly().due_date_rule.evolve(relative_to="end")
        in_arrears = quarterly("12000.00", due_date_rule=rule)

        assert [("2026-03-01", "correction", QUARTER, "-5000.00")] == after(
            in_arrears, sent(monthly)
        )

    def test_a_bill_for_later_days_of_the_same_quarter_counts_too(self) -> None:
        """Three months, 25,500, are billed ahead, and the quarter in arrears costs 20,000: −5,500.

        Asked for February: the bill of March falls due later, and pays for the same quarter.
        """
        first = opening("2025-12-01/2025-12-31", price="8500.00")
        monthly = rent(first_billing_period_bill_item=first)
        rule = quarterly().due_date_rule.evolve(relative_to="end")
        in_arrears = quarterly("20000.00", due_date_rule=rule)

        assert [("2026-02-01", "correction", QUARTER, "-5500.00")] == after(
            in_arrears, sent(monthly, QUARTER), FEBRUARY
        )

    def test_a_due_date_that_moved_bills_nothing_twice(self) -> None:
        """March was billed on 28 February; on the first of March it is not billed again."""
        ahead = rent(due_date_rule=rent().due_date_rule.evolve(day_of_period=-1))

        assert [] == after(rent(), sent(ahead))

    def test_a_period_that_is_due_later_now_is_not_credited(self) -> None:
        """March was billed for 1 March, and is due on the 15th: asked before that, nothing."""
        later = rent(due_date_rule=rent().due_date_rule.evolve(day_of_period=15))

        assert [] == after(later, sent(rent(), MARCH), "2026-03-01/2026-03-10")


class TestAdjustments:
    """Rent adjustments that were found out later (A41, A42)."""

    def test_an_index_that_comes_late_is_charged(self) -> None:
        """10,000 × 102 / 100 from January 2021 on: 200 for each month that was billed without."""
        known, unknown = octobers(100, 102), octobers(100)
        terms = lease(by_index())
        first = sent(terms, "2021-01-01/2021-02-28", indices=unknown, policy=GOES_ON)

        assert [
            ("2021-03-01", "correction", "2021-01-01/2021-01-31", "200.00"),
            ("2021-03-01", "correction", "2021-02-01/2021-02-28", "200.00"),
            ("2021-03-01", "regular", "2021-03-01/2021-03-31", "10200.00"),
        ] == after(terms, first, "2021-03-01/2021-03-31", indices=known)

    @pytest.mark.parametrize(
        ("policy", "price"), [(BillingPolicy(), "30400.00"), (NEXT_PERIOD, "30000.00")]
    )
    def test_a_quarter_that_is_due_later_now_is_held_against_its_adjusted_price(
        self, policy: BillingPolicy, price: str
    ) -> None:
        """30,000 and from February 30,600: 10,000 + 20,400, or 30,000 where a change waits (A19).

        It was billed on 1 January; by the terms as they are now it is due on 1 April.
        """
        first = opening("2020-10-01/2020-12-31", price="30000.00")
        item = quarterly(first_billing_period_bill_item=first)
        rule = item.due_date_rule.evolve(relative_to="end")
        february = by_index(adjustment_month=2)
        terms, moved = (
            lease(february, item=each) for each in (item, item.evolve(due_date_rule=rule))
        )
        options: dict[str, Any] = {"indices": octobers(100, 102), "policy": policy}
        earlier = sent(terms, "2021-01-01/2021-01-31", **options)

        assert amount(price) == earlier[0].total
        assert [] == after(moved, earlier, "2021-01-01/2021-02-28", **options)

    def test_a_change_of_a_deposit_is_made_up_and_corrected(self) -> None:
        """Three months' rent: 3 × 200 = 600 are made up, and 3 × 100 more when the index is 103.

        The rent of January was billed at 10,000; it is 10,200, and 10,300 by the revised index.
        """
        none, first, revised = (octobers(100, *more) for more in ((), (102,), (103,)))
        both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
        terms = lease(both, balances=(deposit(months="3"),))
        policy = BillingPolicy(balance_change="once", missing_index="notice")
        january, february = "2021-01-01/2021-01-31", "2021-02-01/2021-02-28"
        sent_first = sent(terms, january, indices=none, policy=policy)
        second = pending_bills(
            terms, february, indices=first, policy=policy, already_billed=sent_first
        )

        assert [
            ("2021-02-01", "correction", january, "200.00"),
            ("2021-02-01", "regular", february, "10200.00"),
            ("2021-02-01", "balance", january, "600.00"),
        ] == told_of(second)
        assert "due date: 2021-01-01; the day of the adjustment" in str(
            explain(second, bill=0, line=2)
        )
        assert [
            ("2021-02-01", "correction", january, "100.00"),
            ("2021-02-01", "correction", february, "100.00"),
            ("2021-02-01", "correction", january, "300.00"),
        ] == after(terms, [sent_first, second], february, indices=revised, policy=policy)


class TestAnswers:
    """The answer is one like others."""

    def test_compiled_terms_bill_beside_earlier_bills_alike(self) -> None:
        dearer, earlier = rent("8600.00"), sent(rent())

        assert pending_bills(dearer, MARCH, already_billed=earlier) == pending_bills(
            compile_terms(dearer), MARCH, already_billed=earlier
        )

    def test_a_period_with_its_adjustments_is_billed_beside_them_too(self) -> None:
        dearer, earlier = rent("8600.00"), sent(rent())

        assert told_of(pending_bills(dearer, MARCH, already_billed=earlier)) == told_of(
            bill_period(dearer, MARCH, already_billed=earlier)
        )

    def test_several_currencies_have_bills_of_their_own(self) -> None:
        first = opening("2026-01-15/2026-01-31", price="600.00 EUR")
        euro = rent("1100.00 EUR", first_billing_period_bill_item=first, ended_on=day("2026-02-28"))
        result = pending_bills(euro, MARCH, already_billed=sent(rent(), FEBRUARY))

        assert [("DKK", "-8500.00"), ("EUR", "1100.00")] == [
            (bill.currency, f"{bill.total.amount:f}") for bill in result
        ]

    def test_cash_is_rounded_on_the_bill_of_the_correction(self) -> None:
        """161.29 goes back: −161.29 is −161.50 in steps of 0.50 (A52)."""
        policy = BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
        first = opening(price="4500.00")
        cheaper = rent(first_billing_period_bill_item=first, ended_on=day("2026-02-28"))
        (bill,) = pending_bills(cheaper, MARCH, policy=policy, already_billed=sent(rent()))

        assert (amount("-161.29"), amount("-161.50")) == (bill.total, bill.payable)

    def test_a_correction_is_written_and_read(self) -> None:
        """The full form keeps its kind and the regular period that it is about (A56)."""
        result = pending_bills(rent(ended_on=day("2026-02-14")), MARCH, already_billed=sent(rent()))
        (line,) = loads(dumps(result, full=True), BillingResult)[0].lines

        assert ("correction", period(FEBRUARY)) == (line.kind, line.regular_period)
        assert result[0].lines[0] == line

    def test_a_bill_with_a_correction_passes_the_check(self) -> None:
        ahead = sent(rent(), MARCH)
        both = pending_bills([rent("8600.00"), fee(due="2026-03-01")], MARCH, already_billed=ahead)

        assert [] == [*check_bill(both)]

    def test_a_correction_says_what_it_is_the_difference_of(self) -> None:
        """8,600 is due now, less the 8,500 that were billed."""
        result = pending_bills(rent("8600.00"), MARCH, already_billed=sent(rent()))
        told = str(explain(result, bill=0, line=0))

        assert "net price: 100.00 DKK = 8,600.00 − 8,500.00 [A53]" in told
        assert "key:rent, difference to what was billed" in told

    @pytest.mark.parametrize(
        ("item", "own"),
        [
            (rent(), "2026-02-01; the first day of the period"),
            (
                rent(
                    first_billing_period_bill_item=opening("2026-02-01/2026-02-28"),
                    ended_on=day("2026-02-28"),
                ),
                "2026-02-01; agreed for the opening period",
            ),
            (fee(), "2026-02-01; stated by the item"),
            (rent(ended_on=day("2026-02-14")), "2026-02-01; the first day of the period"),
        ],
        ids=["a month", "an opening", "a fee", "a part"],
    )
    def test_a_line_that_is_made_up_says_when_it_was_due(self, item: object, own: str) -> None:
        """It stands on the bill of 1 March, and was due on 1 February."""
        # Bills are known from 20 January on, when the opening period was due already.
        known = fee("1.00", due="2026-01-20", id="known")
        items = [known, item]
        result = pending_bills(items, MARCH, already_billed=sent(known, JANUARY))  # type: ignore[arg-type]
        told = str(explain(result, bill=0, line=0))

        assert "due date: 2026-03-01; made up on the first bill after it was due [A53]" in told
        assert f"due date: {own}" in told

    def test_a_correction_pickles(self) -> None:
        result = pending_bills(rent("8600.00"), MARCH, already_billed=sent(rent()))
        again = pickle.loads(pickle.dumps(result))
        figures = again[0].lines[0].figures

        assert result == again
        assert isinstance(figures, CorrectionFigures)
        assert (860_000, 850_000) == (figures.owed, figures.billed)

    def test_bills_with_corrections_compare_as_others_do(self) -> None:
        result = pending_bills(rent("8600.00"), MARCH, already_billed=sent(rent()))

        assert not compare_bills(result, loads(dumps(result), BillingResult))
        assert ["extra_line", "subtotal", "total"] == [
            each.code for each in compare_bills(pending_bills(rent("8600.00"), MARCH), result)
        ]

    def test_days_overlap_by_one(self) -> None:
        assert overlaps((1, 31), (31, 59))
        assert not overlaps((32, 59), (1, 31))
