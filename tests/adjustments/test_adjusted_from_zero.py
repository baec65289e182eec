"""An amount of 0 that a plan adjusts: a percentage or an index leaves it at 0, with a notice (A62).

The lease: 10,000 DKK a month from 2020 on, the index a tenth higher each October.
"""

from datetime import date
from decimal import Decimal
from typing import Any

import rentbilling as rb
from tests.support.plans import (
    ITEM,
    TENTHS,
    by_index,
    by_steps,
    deposit,
    home,
    lease,
    plan,
    ruled,
    step,
)
from tests.support.rents import EXEMPT, amount, day
from tests.support.rows import rows

CODE = "adjusted_from_zero"
WINTER = "2020-12-01/2021-03-31"


def records(*dated: tuple[str, str]) -> tuple[rb.AmountRecord, ...]:
    return tuple(rb.AmountRecord(value=amount(price), start=day(start)) for start, price in dated)


FREE = home(amount_records=records(("2020-12-01", "0.00"), ("2021-02-01", "10000.00")))
"""December and January are free, by an amount of 0."""


def told(notices: tuple[rb.Notice, ...]) -> list[dict[str, str]]:
    """Return the facts of the notices of an amount of 0."""
    return [dict(notice.facts) for notice in notices if notice.code == CODE]


def totals(bills: rb.BillingResult) -> list[str]:
    return [f"{bill.total.amount:f}" for bill in bills]


class TestReproduction:
    """Two free months over a January: the tenth of 2021 is lost, and that is said."""

    FROM_ZERO = ({"start": "2020-12-01"}, {"rule": "rule-1", "adjustedOn": "2021-01-01"})

    def test_the_index_is_lost(self) -> None:
        """10,000 in February, not 11,000."""
        made = rb.bill_period(lease(by_index(), item=FREE), WINTER, indices=TENTHS)

        assert ["0.00", "0.00", "10000.00", "10000.00"] == totals(made)

    def test_every_answer_says_so(self) -> None:
        terms = lease(by_index(), item=FREE)

        for made in (
            rb.pending_bills(terms, WINTER, indices=TENTHS).notices,
            rb.bill_period(terms, WINTER, indices=TENTHS).notices,
            rb.rent_adjustments(terms, WINTER, indices=TENTHS).notices,
            rb.pending_bills(rb.compile_terms(terms, indices=TENTHS), WINTER).notices,
        ):
            assert list(self.FROM_ZERO) == told(made)

    def test_the_notice_says_what_to_do(self) -> None:
        (first, _) = rb.pending_bills(lease(by_index(), item=FREE), WINTER, indices=TENTHS).notices

        assert (CODE, ITEM) == (first.code, first.item_id)
        assert first.message == (
            "the amount is 0, and an index or a percentage leaves it at 0: give rent-free days as "
            "a discount of 100 percent with their first and last day (`discounts`)"
        )

    @rows(("month", "count"), [("2020-11", 0), ("2020-12", 1), ("2021-01", 1), ("2021-02", 0)])
    def test_it_belongs_to_its_month(self, month: str, count: int) -> None:
        """The month in which the amount becomes 0, and the one in which it is adjusted."""
        terms = lease(by_index(), item=FREE)
        asked = next(
            each for each in rb.Period.parse("2020-11-01/2021-02-28").months if month in str(each)
        )

        assert count == len(told(rb.pending_bills(terms, asked, indices=TENTHS).notices))

    def test_a_credit_keeps_the_index(self) -> None:
        """Two one-time credits of the rent instead: 11,000 from January on."""
        taken_back = tuple(
            rb.OneTimeBillItem(
                product_key="key:rent",
                amount=amount(price),
                vat=EXEMPT,
                due_date=day(due),
                accounting_period=rb.Period.parse(days),
            )
            for price, due, days in (
                ("-10000.00", "2020-12-01", "2020-12-01/2020-12-31"),
                ("-11000.00", "2021-01-01", "2021-01-01/2021-01-31"),
            )
        )
        terms = lease(by_index(), one_time_bill_items=taken_back)

        made = rb.bill_period(terms, WINTER, indices=TENTHS)

        assert ["0.00", "0.00", "11000.00", "11000.00"] == totals(made)
        assert [] == told(made.notices)

    def test_a_discount_keeps_the_index(self) -> None:
        """Free until the end of January 2021 by a discount of 100 %."""
        free = rb.Discount(percentage=Decimal(1), end_date=date(2021, 1, 31))
        terms = lease(by_index(), item=home(discount=free))

        made = rb.bill_period(terms, WINTER, indices=TENTHS)

        assert ["0.00", "0.00", "11000.00", "11000.00"] == totals(made)
        assert [] == told(made.notices)


ZERO = home(amount_records=records(("2020-12-01", "0.00")))
ALWAYS = "2020-01-01/2023-12-31"


def found(
    rule: rb.RentAdjustmentRule | rb.RentAdjustmentPlan,
    **changes: Any,  # noqa: ANN401
) -> list[dict[str, str]]:
    """Return what is told of four years in which the amount becomes 0."""
    terms: rb.LeaseTerms = lease(rule, **{"item": ZERO, **changes})
    return told(rb.rent_adjustments(terms, ALWAYS, indices=TENTHS).notices)


class TestWhichRules:
    """Those that multiply the amount in force."""

    def test_an_index(self) -> None:
        """Each January in which the amount is still 0."""
        assert [
            {"start": "2020-12-01"},
            {"rule": "rule-1", "adjustedOn": "2021-01-01"},
            {"rule": "rule-1", "adjustedOn": "2022-01-01"},
            {"rule": "rule-1", "adjustedOn": "2023-01-01"},
        ] == found(by_index())

    def test_a_percentage(self) -> None:
        assert [{"start": "2020-12-01"}, {"rule": "rule-1", "adjustedOn": "2022-01-01"}] == found(
            by_steps(step(2022, "3 %"))
        )

    def test_a_price_of_zero(self) -> None:
        assert [{"start": "2020-01-01"}, {"rule": "rule-1", "adjustedOn": "2022-01-01"}] == found(
            by_steps(step(2022, "3 %")), item=home("0.00")
        )

    def test_an_amount_is_no_percentage(self) -> None:
        """0 + 100 = 100."""
        assert [] == found(by_steps(step(2022, "100.00 DKK")))

    def test_a_level_is_no_percentage(self) -> None:
        assert [] == found(by_steps(step(2022, "100.00 DKK", level=True)))

    @rows(
        "fields",
        [{"basis": "anchored", "base_amount": "10000.00 DKK"}, {"floor_amount": "5000.00 DKK"}],
        ids=["base", "floor"],
    )
    def test_an_amount_that_a_clause_states_is_not_told_beforehand(
        self, fields: dict[str, Any]
    ) -> None:
        """What is told is what a rule left at 0."""
        assert all("adjustedOn" in each for each in found(ruled(**fields)))

    def test_a_plan_that_has_ended(self) -> None:
        """Nothing is adjusted after the amount became 0."""
        assert [] == found(plan(by_index(), ended_on=day("2020-12-31")))

    def test_an_item_that_has_ended(self) -> None:
        ended = home(amount_records=records(("2020-12-01", "0.00")), ended_on=day("2020-12-31"))
        assert [] == found(by_index(), item=ended)

    def test_a_price_that_is_never_in_force(self) -> None:
        item = home("0.00", amount_records=records(("2019-12-01", "10000.00")))
        assert [] == found(by_index(), item=item)

    def test_an_item_without_a_plan(self) -> None:
        """An amount of 0 is right there."""
        assert () == rb.pending_bills(ZERO, ALWAYS).notices

    def test_a_balance_of_zero(self) -> None:
        own = plan(by_steps(step(2022, "3 %")), adjusts_balance=True, balance_charge_type="deposit")
        terms = lease(own, item=home(), balances=(deposit("0.00"),))

        notices = rb.rent_adjustments(terms, ALWAYS, indices=TENTHS).notices

        assert [{"start": "2020-01-31"}, {"rule": "rule-1", "adjustedOn": "2022-01-01"}] == told(
            notices
        )
