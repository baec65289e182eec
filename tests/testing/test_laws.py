"""Each law holds for what is billed here, and fails on a bill that breaks it, with its figures."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings

import rentbilling as rb
from rentbilling import BillingResult, PendingBill, Period, pending_bills
from rentbilling.testing import a_bill, a_lease, a_line, a_plan, a_rent, an_index, laws, strategies
from rentbilling.testing.laws import LAWS, Billed, check_laws, hold
from rentbilling.testing.strategies import BillingRun
from tests.support.rows import rows

FEBRUARY = Period.parse("2026-02-01/2026-02-28")
QUARTER = Period.parse("2026-01-01/2026-03-31")


def billed(*bills: PendingBill, again: tuple[PendingBill, ...] | None = None) -> Billed:
    """Return bills of February, and what asking again gives: the same unless told otherwise."""
    other = BillingResult(bills if again is None else again, (), FEBRUARY)
    return Billed(BillingResult(bills, (), FEBRUARY), lambda _: other)


def refused(law: Callable[[Billed], None], run: Billed) -> str:
    assert law in LAWS
    with pytest.raises(AssertionError) as caught:
        law(run)
    return str(caught.value)


@settings(deadline=None, max_examples=60)
@given(strategies.billing_runs())
def test_all_laws_hold_for_whatever_is_billed(run: BillingRun) -> None:
    terms, period, indices, policy = run

    assert period == check_laws(terms, period, indices=indices, policy=policy).period


def test_the_laws_hold_for_an_adjusted_rent() -> None:
    terms = a_lease(plans=[a_plan()])

    assert 36 == len(check_laws(terms, "2026-01-01/2028-12-31", indices=an_index()))


def test_all_laws_hold_for_bills_by_hand() -> None:
    hold(billed(a_bill()))


def test_a_subtotal_that_is_not_the_sum_of_the_lines() -> None:
    """8,500.00 on the line and 8,500.01 below it."""
    said = refused(laws.lines_sum_to_the_subtotal, billed(a_bill(a_line(), subtotal="8500.01")))

    assert "bill due 2026-02-01 in DKK: lines sum to 8500.00 DKK, subtotal 8500.01 DKK" == said


def test_a_total_that_is_not_subtotal_and_vat() -> None:
    """500.00 and 125.00 of VAT are no 625.01."""
    heating = a_line(amount="500.00", vat="Exclusive 0.25")
    said = refused(laws.subtotal_and_vat_make_the_total, billed(a_bill(heating, total="625.01")))

    assert said.endswith("subtotal 500.00 DKK and VAT 125.00 DKK make 625.00 DKK, total 625.01 DKK")


def test_a_bill_outside_the_asked_period() -> None:
    """A bill of March is none of February's (A15)."""
    said = refused(laws.bills_fall_due_in_the_period, billed(a_bill(due="2026-03-01")))

    assert said.endswith("lies outside the asked period 2026-02-01/2026-02-28")


@rows("second", ["2026-02-01", "2026-02-02"])
def test_bills_out_of_order(second: str) -> None:
    """The same day twice, or a later day before an earlier one (A16)."""
    said = refused(laws.bills_are_in_order, billed(a_bill(due=second), a_bill()))

    assert f"bill due {second} in DKK: comes before bill due 2026-02-01 in DKK" == said


def test_a_bill_that_contradicts_itself() -> None:
    """VAT of 125.01 on 500.00 at 25 %, with sums that follow it, is found by `check_bill`."""
    heating = a_line(amount="500.00", vat="Exclusive 0.25")
    wrong = a_bill(heating, vat_totals={"Exclusive 0.25": "125.01"})
    laws.subtotal_and_vat_make_the_total(billed(wrong))

    assert "met 125.01; expected 125.00" in refused(laws.bills_are_consistent, billed(wrong))


def test_parts_that_share_a_day() -> None:
    """14 February stands in both halves of a split period (A19)."""
    first, second = (
        a_line(period=days, kind="part", item_id="rent", regular_period=FEBRUARY)
        for days in ("2026-02-01/2026-02-14", "2026-02-14/2026-02-28")
    )
    said = refused(laws.parts_of_a_period_do_not_overlap, billed(a_bill(second, first)))

    assert (
        "item rent: 2026-02-01/2026-02-14 and 2026-02-14/2026-02-28 of its period "
        "2026-02-01/2026-02-28 overlap"
    ) == said


def test_lines_of_no_item_may_overlap() -> None:
    laws.parts_of_a_period_do_not_overlap(billed(a_bill(a_line(), a_line())))


def test_json_that_loses_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rb, "loads", lambda *_, **__: BillingResult([a_bill(a_line(), total=1)]))
    said = refused(laws.json_keeps_the_bills, billed(a_bill()))

    assert said.startswith("bills read from their JSON are others: 1 difference")


def test_other_bills_when_asked_again() -> None:
    march = a_bill(due="2026-03-01")
    said = refused(laws.billing_again_gives_the_same, billed(a_bill(), again=(march,)))
    order = refused(
        laws.billing_again_gives_the_same, billed(a_bill(), march, again=(march, a_bill()))
    )

    assert said.startswith("bills computed again are others: ")
    assert "bills computed again are others: they are in another order" == order


def test_months_that_are_not_the_quarter() -> None:
    """A quarter of three bills whose months give none (A15)."""
    bills = pending_bills(a_rent(), QUARTER)
    nothing = Billed(bills, lambda _: BillingResult([]))

    assert refused(laws.months_make_the_period, nothing).startswith(
        "bills of the months are others: 3 differences"
    )


def test_nothing_is_said_about_a_period_that_nobody_knows() -> None:
    unknown = Billed(BillingResult([a_bill(due="2031-01-01")]), lambda _: BillingResult([]))
    hold(unknown)


def test_the_message_names_the_law() -> None:
    with pytest.raises(AssertionError) as caught:
        hold(billed(a_bill(a_line(), total="8500.01")))

    assert "law: subtotal and vat make the total" == str(caught.value).splitlines()[0]
