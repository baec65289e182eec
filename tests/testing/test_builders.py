"""Items and leases are right as they stand, and every field can be said otherwise."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
import rentbilling.testing
from rentbilling.errors import InvalidAmountError
from rentbilling.testing import a_lease, a_one_time_item, a_plan, a_rent, an_item
from rentbilling.testing.builders.plain_values import amount_of, number_of, vat_of
from tests.support.rents import opening
from tests.support.rows import rows


def test_the_plain_rent_is_8500_on_the_first_of_each_month() -> None:
    """January 2026 is its opening period; three months are three bills of 8,500 DKK."""
    rent = a_rent()
    bills = rb.pending_bills(rent, "2026-01-01/2026-03-31")

    assert rb.Period.parse("2026-01-01/2026-01-31") == (
        rent.first_billing_period_bill_item.accounting_period
    )
    assert [("2026-01-01", "8500"), ("2026-02-01", "8500"), ("2026-03-01", "8500")] == [
        (bill.due_date.isoformat(), f"{bill.total.amount:.0f}") for bill in bills
    ]


def test_a_rent_from_the_middle_of_a_month_opens_with_its_share() -> None:
    """17 of 31 days of 8,500.00 are 4,661.29 (A14, A20)."""
    rent = a_rent(amount="8500.00", moved_in="2026-01-15")

    assert rb.Amount(Decimal("4661.29"), "DKK") == rent.first_billing_period_bill_item.amount
    assert date(2026, 1, 15) == rent.started_on


def test_the_opening_share_follows_a_policy() -> None:
    """By thirty-day months 16 of 30 days of 9,000 are 4,800 (A20)."""
    policy = rb.BillingPolicy(part_period="thirty_day")
    rent = a_rent(amount=9000, moved_in="2026-01-15", policy=policy)

    assert rb.Amount(4800, "DKK") == rent.first_billing_period_bill_item.amount


def test_every_shortcut_of_an_item() -> None:
    item = an_item(
        amount="100.00 EUR",
        quantity="12.5",
        vat="Inclusive 0.21",
        months=3,
        due_day=-1,
        amounts={"2026-07-01": "110"},
        quantities={"2026-08-01": 3},
        vats={"2026-09-01": "Exempt"},
        ended_on="2026-12-31",
        id="heat",
    )

    assert ("EUR", Decimal("12.5"), rb.Vat("Inclusive", Decimal("0.21"))) == (
        item.amount.currency,
        item.quantity,
        item.vat,
    )
    assert (rb.BillingCycle(period_length=3), rb.DueDateRule(day_of_period=-1)) == (
        item.billing_cycle,
        item.due_date_rule,
    )
    assert rb.Amount(110, "EUR") == item.amount_records[0].value
    assert (Decimal(3), rb.Vat("Exempt")) == (
        item.quantity_records[0].value,
        item.vat_records[0].value,
    )
    assert ("heat", date(2026, 12, 31)) == (item.id, item.ended_on)


def test_whole_records_take_the_place_of_shortcuts() -> None:
    weeks, rule = rb.BillingCycle(time_unit="Week"), rb.DueDateRule(day_of_period=2)
    first = opening("2026-01-12/2026-01-18", price="100")
    item = an_item(billing_cycle=weeks, due_date_rule=rule, first_billing_period_bill_item=first)

    assert (weeks, rule, first) == (
        item.billing_cycle,
        item.due_date_rule,
        item.first_billing_period_bill_item,
    )


def test_a_discount_is_in_the_opening_price() -> None:
    """Ten percent off 8,500 for the whole January are 7,650 (A24)."""
    rent = a_rent(discount=rb.Discount(percentage=Decimal("0.10")))

    assert rb.Amount(7650, "DKK") == rent.first_billing_period_bill_item.amount


def test_a_one_time_item_stands_for_its_due_date() -> None:
    """Unless days are given, it belongs to the day on which it falls due (A55)."""
    fee = a_one_time_item(amount="250", due_date=date(2026, 3, 15), quantity=2)
    kept = a_one_time_item(accounting_period="2026-01-01/2026-12-31")

    assert ("2026-03-15/2026-03-15", Decimal(2)) == (str(fee.accounting_period), fee.quantity)
    assert "2026-01-01/2026-12-31" == str(kept.accounting_period)


def test_a_lease_sorts_its_items() -> None:
    lease = a_lease(a_one_time_item(), a_rent(), lease_id="lease-7", contract_end="2026-06-30")

    assert ("recurring-1", "one-time-1") == lease.item_ids
    assert ("lease-7", date(2026, 6, 30)) == (lease.lease_id, lease.contract_end)
    assert (a_rent(),) == a_lease(plans=[a_plan()]).recurring_bill_items


def test_numbers_are_texts_decimals_or_integers() -> None:
    eight = rb.Amount(8, "EUR")

    assert (Decimal("0.10"), Decimal(3)) == (number_of("0.10"), number_of(3))
    assert (eight, eight, eight) == (
        amount_of("8 EUR", "DKK"),
        amount_of(8, "EUR"),
        amount_of(eight, "DKK"),
    )
    assert rb.Vat("Exempt") == vat_of(rb.Vat("Exempt"))


@rows("wrong", [8.5, True, "eight", None])
def test_what_is_no_exact_number_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidAmountError):
        number_of(wrong)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_the_package_offers_its_names_and_no_others() -> None:
    names = rentbilling.testing.__all__

    assert sorted(names) == dir(rentbilling.testing)
    assert all(getattr(rentbilling.testing, name).__doc__ for name in names)
    with pytest.raises(AttributeError, match="a_castle"):
        _ = rentbilling.testing.a_castle  # type: ignore[attr-defined, unused-ignore] # pyright: ignore[reportAttributeAccessIssue]


def test_items_are_passed_one_by_one() -> None:
    items: Any = [a_rent()]
    with pytest.raises(TypeError, match=r"OneTimeBillItem by itself, a_lease\(\*items\), not \["):
        a_lease(items)
