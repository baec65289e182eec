"""What `print` and a notebook show of results, bills and lines; sums of results."""

from collections import Counter

import pytest

from rentbilling import Amount, BillingResult, Notice, Period, Vat, pending_bills
from rentbilling.billing.wire import bill_tables
from rentbilling.layout import Page
from rentbilling.testing import a_bill, a_lease, a_line, a_rent, an_item
from tests.support.rows import rows

LEASE = a_lease(a_rent(amount=8500, description="Rent"), an_item(amount=100, description="Parking"))
FEBRUARY, MARCH = (pending_bills(LEASE, f"2026-0{month}") for month in (2, 3))


def test_a_result_prints_as_bills_with_their_sums() -> None:
    """8,500 without VAT and 100 with 25 %: 8,625 in February, as much in March."""
    text = str(FEBRUARY + MARCH)

    assert ["Due Sunday 1 February 2026", "Due Sunday 1 March 2026"] == [
        line for line in text.splitlines() if line.startswith("Due")
    ]
    assert 2 == Counter(line.split()[-1] for line in text.splitlines() if line)["8,625.00"]
    assert text.splitlines()[-1].split() == ["Total", "of", "2", "bills", "DKK", "17,250.00"]
    assert str(FEBRUARY[0]) == str(FEBRUARY)


@rows(
    ("result", "text"),
    [
        (BillingResult(()), "No bills"),
        (BillingResult((), period=Period.month(2026, 2)), "No bills in 1–28 Feb 2026"),
        (
            BillingResult((), [Notice("gap", "has a gap", "rent")]),
            "No bills\n\nNotice: rent: has a gap [gap]",
        ),
    ],
)
def test_a_result_without_bills_says_so(result: BillingResult, text: str) -> None:
    assert text == str(result)
    assert text.replace("\n\n", "\n") in result._repr_html_()


def test_a_notebook_shows_bills_as_bills() -> None:
    page = (FEBRUARY + MARCH)._repr_html_()

    assert ["<style>", "<caption>", "<caption>", "Total of 2 bills DKK: 17,250.00"] == [
        each
        for each in ("<style>", "<caption>", "Total of 2 bills DKK: 17,250.00")
        for _ in range(page.count(each))
    ]
    assert "Total of" not in FEBRUARY._repr_html_()
    line = FEBRUARY[0].lines[1]._repr_html_()
    assert ["Parking", "25 %", "100.00"] == [
        each for each in ("Parking", "25 %", "100.00") if each in line
    ]
    assert "Subtotal" not in line


def test_results_are_added_bill_by_bill() -> None:
    """What both have stays; what they have apart is no longer known."""
    two = MARCH + FEBRUARY

    assert [*FEBRUARY, *MARCH] == [*two]
    assert two.policy == MARCH.policy
    assert two.lease_id == LEASE.lease_id
    assert two.period is None
    assert two == sum([FEBRUARY, MARCH])
    assert FEBRUARY == FEBRUARY + BillingResult(())
    assert (FEBRUARY + FEBRUARY).notices == FEBRUARY.notices
    for other in (1, FEBRUARY[0]):
        with pytest.raises(TypeError):
            _ = FEBRUARY + other  # type: ignore[operator] # pyright: ignore[reportOperatorIssue]
        with pytest.raises(TypeError):
            _ = other + FEBRUARY  # pyright: ignore[reportOperatorIssue]


def test_a_total_is_by_currency() -> None:
    euros = a_lease(an_item(amount=Amount(10, "EUR"), vat=Vat("Exempt")))

    assert {"DKK": Amount(17_250, "DKK")} == (FEBRUARY + MARCH).total
    assert {"DKK": Amount(8625, "DKK"), "EUR": Amount(10, "EUR")} == (
        FEBRUARY + pending_bills(euros, "2026-02")
    ).total
    assert {} == BillingResult(()).total


def test_a_narrow_page_wraps_texts_and_sums() -> None:
    """A correction is of 200 more for March, with the bill of April."""
    dearer = LEASE.evolve(
        recurring_bill_items=(LEASE.recurring_bill_items[0].evolve(amount=Amount(8700, "DKK")),)
    )
    april = pending_bills(dearer, "2026-04", already_billed=[MARCH])
    text = bill_tables(april, Page(24), full=True)

    for words in ("difference", "8,700.00", "200.00"):
        assert words in text
    # 25 % in 8 millions are 1.6 millions, whose label is longer than the table beside them.
    inside = a_bill(a_line(amount=8_000_000, vat="Inclusive 0.25"))
    assert ["price", "1,600,000.00"] == bill_tables([inside], Page(24)).splitlines()[-2].split()
    assert all(line == line.rstrip() for line in text.splitlines())
