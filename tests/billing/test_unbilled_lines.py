"""Open lines: how far back earlier bills count, and on which bill a correction stands (A53)."""

from typing import Any

import pytest

import rentbilling as rb
from tests.support.billed import APRIL, FEBRUARY, JANUARY, MARCH, TWO, after, sent, told_of
from tests.support.rents import day, due_dates, fee, opening, price_from, rent
from tests.support.rows import rows

BY_START = rb.BillingPolicy(select="accounting_period")


class TestHorizon:
    """What was due before the first bill that is known was billed elsewhere."""

    def test_nothing_is_made_up_from_before_the_first_bill(self) -> None:
        """A rent since 2020 of which February 2026 is billed owes nothing from before."""
        first = opening("2020-01-01/2020-01-31")
        old = rent(first_billing_period_bill_item=first)

        assert [("2026-03-01", "regular", MARCH, "8500.00")] == after(old, sent(old, FEBRUARY))

    def test_another_first_day_may_be_asked_for(self) -> None:
        """From 1 January on: that month's rent, and not December's, is made up."""
        first = opening("2020-01-01/2020-01-31")
        old = rent(first_billing_period_bill_item=first)

        assert [
            ("2026-03-01", "regular", JANUARY, "8500.00"),
            ("2026-03-01", "regular", MARCH, "8500.00"),
        ] == after(old, sent(old, FEBRUARY), billed_since="2026-01-01")

    def test_closed_books_stay_closed(self) -> None:
        """8,600 from January on: with a first day of 1 February, the days before are left alone."""
        dearer = rent("8600.00", first_billing_period_bill_item=opening(price="1.00"))

        assert [
            ("2026-03-01", "correction", FEBRUARY, "100.00"),
            ("2026-03-01", "regular", MARCH, "8600.00"),
        ] == after(dearer, sent(rent()), billed_since=day("2026-02-01"))

    def test_without_earlier_bills_nothing_is_made_up(self) -> None:
        fresh = told_of(rb.pending_bills(rent(), MARCH))

        assert fresh == after(rent(), [])
        assert fresh == after(rent(), rb.BillingResult(()))
        assert fresh == after(rent(), sent(rent(), "2025-01-01/2025-12-31"))

    def test_without_earlier_bills_a_first_day_counts(self) -> None:
        """Nothing was billed, and all since 1 February is owed."""
        assert [
            ("2026-03-01", "regular", FEBRUARY, "8500.00"),
            ("2026-03-01", "regular", MARCH, "8500.00"),
        ] == after(rent(), [], billed_since="2026-02-01")

    def test_in_arrears_the_due_date_decides(self) -> None:
        """The bill of 1 February is for January; December, due on 1 January, is no matter."""
        first = opening("2025-11-01/2025-11-30")
        rule = rent().due_date_rule.evolve(relative_to="end")
        in_arrears = rent(first_billing_period_bill_item=first, due_date_rule=rule)

        assert [("2026-03-01", "regular", FEBRUARY, "8500.00")] == after(
            in_arrears, sent(in_arrears, FEBRUARY)
        )

    def test_by_accounting_period_the_earliest_day_decides(self) -> None:
        first = opening("2025-12-01/2025-12-31")
        ahead = rent(
            first_billing_period_bill_item=first,
            due_date_rule=rent().due_date_rule.evolve(day_of_period=-1),
        )
        february = sent(ahead, FEBRUARY, policy=BY_START)

        assert ["2026-01-31"] == [str(bill.due_date) for bill in february]
        assert [
            ("2026-03-31", "regular", MARCH, "8500.00"),
            ("2026-03-31", "regular", APRIL, "8500.00"),
        ] == after(ahead, february, APRIL, policy=BY_START)

    @rows("bill", [rb.pending_bills, rb.bill_period])
    def test_a_first_day_alone_is_refused(self, bill: Any) -> None:  # noqa: ANN401
        with pytest.raises(rb.InvalidInputError) as refused:
            bill(rent(), MARCH, billed_since="2026-01-01")

        assert ("billed_since", "says_nothing") == refused.value.problems[0][:2]

    def test_a_first_day_is_a_day(self) -> None:
        with pytest.raises(rb.InvalidInputError) as refused:
            rb.pending_bills(rent(), MARCH, already_billed=[], billed_since="2026-13-01")

        assert "billed_since" == refused.value.problems[0].path

    def test_too_many_lines_are_refused_before_computing(self) -> None:
        """The days since the first bill count, not the asked ones alone (A60)."""
        few = rb.BillingPolicy(max_lines=12)
        first = opening("2020-01-01/2020-01-31")
        old = rent(first_billing_period_bill_item=first)
        january = sent(old, "2020-02-01/2020-02-28", policy=few)

        with pytest.raises(rb.UnsupportedCaseError) as refused:
            rb.pending_bills(old, MARCH, policy=few, already_billed=january)

        # February 2020 to March 2026.
        assert ("too_many_lines", 74) == (refused.value.code, refused.value.facts["lines"])


class TestDueDate:
    """A correction stands on the first bill of the asked period that may carry it."""

    def test_the_first_open_bill_carries_it(self) -> None:
        """Rent is due on the 15th now; its bill carries what is missing for February."""
        rule = rent().due_date_rule.evolve(day_of_period=15)
        dearer = rent("8600.00", due_date_rule=rule)

        assert [
            ("2026-03-15", "correction", FEBRUARY, "100.00"),
            ("2026-03-15", "regular", MARCH, "8600.00"),
        ] == after(dearer, sent(rent()))

    def test_where_all_is_billed_the_first_due_date_does(self) -> None:
        """March is billed for the 15th; asked again, what is missing is due on the 15th too."""
        rule = rent().due_date_rule.evolve(day_of_period=15)
        cheap, dearer = (rent(price, due_date_rule=rule) for price in ("8500.00", "8600.00"))
        earlier = [sent(cheap, FEBRUARY), sent(cheap, MARCH)]

        assert [
            ("2026-03-15", "correction", FEBRUARY, "100.00"),
            ("2026-03-15", "correction", MARCH, "100.00"),
        ] == after(dearer, earlier)

    def test_where_nothing_is_due_the_first_day_does(self) -> None:
        ended = rent(ended_on=day("2026-02-14"))

        assert [
            ("2026-03-10", "correction", "2026-02-15/2026-02-28", "-4250.00"),
        ] == after(ended, sent(rent()), "2026-03-10/2026-03-31")

    def test_nothing_is_due_before_it_was(self) -> None:
        """Asked from January to March with March billed: its 100 more are not due in February."""
        first = opening("2025-12-01/2025-12-31", price="8600.00")
        dearer = rent("8600.00", first_billing_period_bill_item=first)
        march = sent(rent(), MARCH)

        assert [
            ("2026-01-01", "regular", JANUARY, "8600.00"),
            ("2026-02-01", "regular", FEBRUARY, "8600.00"),
            ("2026-03-01", "correction", MARCH, "100.00"),
        ] == after(dearer, march, "2026-01-01/2026-03-31")

    def test_a_line_that_is_gone_is_credited_when_it_was_due(self) -> None:
        """The fee of 20 March is no longer owed: not on the bill of 1 March, but on the 20th."""
        both = [rent(), fee(due="2026-03-20")]

        assert [("2026-03-20", "correction", "2026-03-20/2026-03-20", "-100.00")] == after(
            rent(), sent(both, MARCH)
        )

    def test_lines_keep_the_order_of_their_items(self) -> None:
        cellar = rent("400.00", id="cellar")
        garage = rent("900.00", id="garage")
        home = rent(id="home")
        dearer = [home.evolve(amount_records=(price_from("2026-02-01", "8600.00"),)), cellar]

        assert [
            ("correction", "100.00"),
            ("regular", "8600.00"),
            ("regular", "400.00"),
            ("correction", "-900.00"),
        ] == [told[1::2] for told in after(dearer, sent([garage, home, cellar], FEBRUARY))]

    def test_the_order_of_items_that_are_gone_is_that_of_their_ids(self) -> None:
        home, boxes = rent(id="home"), rent("400.00", id="boxes")
        attic = rent(
            "900.00", id="attic", due_date_rule=boxes.due_date_rule.evolve(day_of_period=5)
        )
        february = sent([boxes, attic, home], FEBRUARY)
        expected = [
            ("2026-03-01", "regular", MARCH, "8500.00"),
            ("2026-03-01", "correction", FEBRUARY, "-900.00"),
            ("2026-03-01", "correction", FEBRUARY, "-400.00"),
        ]
        january = sent([attic, home], JANUARY)
        told = rb.pending_bills(home, MARCH, already_billed=february)

        assert expected == after(home, february)
        assert told == rb.pending_bills(
            home, MARCH, already_billed=[january, february], billed_since="2026-02-01"
        )

    def test_a_bill_of_corrections_alone_has_its_currency_s_day(self) -> None:
        first = opening("2026-01-20/2026-01-31", price="1.00 EUR")
        rule = rent().due_date_rule.evolve(day_of_period=5)
        euro = rent("600.00 EUR", first_billing_period_bill_item=first, due_date_rule=rule, id="e")
        home = rent(id="home")
        result = rb.pending_bills(
            [home.evolve(ended_on=day("2026-02-14")), euro],
            MARCH,
            already_billed=sent([home, euro]),
        )

        assert [("2026-03-01", "DKK"), ("2026-03-05", "EUR")] == [
            (str(bill.due_date), bill.currency) for bill in result
        ]

    def test_due_dates_are_those_of_a_run_without_earlier_bills(self) -> None:
        months = "2026-03-01/2026-05-31"
        result = rb.pending_bills(rent(), months, already_billed=sent(rent(), TWO))

        assert due_dates(rent(), months) == [str(bill.due_date) for bill in result]
