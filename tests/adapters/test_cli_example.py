"""The example of the command line: a lease whose bills anybody can add up.

By hand. Moving in on 15 January leaves 17 of January's 31 days:

    rent       8,500.00 × 17/31                 4,661.29
    heating      950.00 × 17/31                   520.97
    parking      600.00 less 10 % × 17/31         296.13
    keys         250.00 × 2                       500.00
    subtotal                                    5,978.39
    VAT          296.13 × 25 %                     74.03
    total                                       6,052.42

    February to June    8,500 + 950 + 540 = 9,990, and 540 × 25 % = 135:    10,125.00 a month
    July to December    8,500 + 950 + 600 = 10,050, and 600 × 25 % = 150:   10,200.00 a month

    2026    6,052.42 + 5 × 10,125.00 + 6 × 10,200.00 = 117,877.42
"""

from datetime import date
from decimal import Decimal

from rentbilling import Amount, BillingCycle, LeaseTerms, first_billing_period, loads, pending_bills
from tests.adapters.command_line import billed, example, run


def kroner(amount: str) -> Amount:
    """Return an amount in Danish kroner."""
    return Amount(Decimal(amount), "DKK")


def terms() -> LeaseTerms:
    """Return the terms of the example."""
    return loads(example())


def test_the_example_is_the_terms_of_a_lease() -> None:
    """It reads as the file of a lease, with everything that a lease may have (A57)."""
    lease = terms()

    assert ("rent", "heating", "parking", "keys") == lease.item_ids
    assert kroner("8500") == lease.recurring_bill_items[0].amount


def test_the_example_is_utf_8() -> None:
    """Its text has a Danish letter, written as such."""
    assert "Nørregade".encode() in run("example").stdout_bytes


def test_the_opening_amounts_follow_from_the_days() -> None:
    """Each is what the helper makes of 17 of January's 31 days, discount included (A14)."""
    expected = ["4661.29", "520.97", "296.13"]
    items = terms().recurring_bill_items
    opened = [
        first_billing_period(
            item.amount, BillingCycle(), date(2026, 1, 15), discount=item.discount
        ).amount
        for item in items
    ]

    assert list(map(kroner, expected)) == opened
    assert opened == [item.first_billing_period_bill_item.amount for item in items]


def test_the_first_bill_is_for_seventeen_days() -> None:
    """Lines, subtotal, VAT and total are those worked out by hand."""
    bill = pending_bills(terms(), "2026-01-01/2026-01-31")[0]

    assert ["4661.29", "520.97", "296.13", "500.00"] == [
        str(line.net_price.amount) for line in bill.lines
    ]
    assert kroner("5978.39") == bill.subtotal
    assert [kroner("0"), kroner("74.03")] == [each.amount for each in bill.vat_totals]
    assert kroner("6052.42") == bill.total


def test_the_other_bills_lose_the_discount_after_june() -> None:
    """Five months with it, six without."""
    result = pending_bills(terms(), "2026-02-01/2026-12-31")

    assert 5 * [kroner("10125")] + 6 * [kroner("10200")] == [bill.total for bill in result]


def test_the_year_adds_up_below_the_tables() -> None:
    """The last line printed is the sum of all twelve bills."""
    printed = billed(example(), "2026").stdout.splitlines()

    assert ["Total", "of", "12", "bills", "DKK", "117,877.42"] == printed[-1].split()


def test_the_example_raises_no_notice() -> None:
    """There is nothing in it that a person should look at."""
    assert not billed(example(), "2026").stderr
