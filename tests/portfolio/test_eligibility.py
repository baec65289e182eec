"""Flat eligibility: what the kernel does not do is left to the scalar engine (A1, A60)."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rentbilling as rb
from rentbilling.portfolio.kernel.bills import bill_flat
from rentbilling.portfolio.kernel.items import FlatItems
from rentbilling.portfolio.kernel.reading import read_flat
from rentbilling.portfolio.leases.batches import leases_to_arrow
from tests.support.rents import YEAR, amount, day, fee, opening, quarterly, rent, vat
from tests.support.rows import rows

if TYPE_CHECKING:
    from rentbilling.portfolio.arrow.arrays import Mask

DATED = day("2026-07-01")


def columns(*items: rb.RecurringBillItem, **changes: Any) -> FlatItems:  # noqa: ANN401
    read = read_flat(leases_to_arrow([rb.LeaseTerms(recurring_bill_items=items, **changes)]))
    assert read is not None
    return read.items


def is_eligible(
    items: FlatItems, asked: str = YEAR, policy: rb.BillingPolicy | None = None
) -> bool:
    """Return whether the kernel bills a single lease; where it does not, it has no rows."""
    found = bill_flat(items, asked, policy=policy)
    (eligible,) = found.eligible.tolist()
    assert eligible or found.nbytes == found.eligible.nbytes + found.noticed.nbytes
    return bool(eligible)


@rows(
    "changes",
    [
        {"billing_cycle": rb.BillingCycle(period_length=13)},
        {"billing_cycle": rb.BillingCycle(period_length=24)},
        {"billing_cycle": rb.BillingCycle(time_unit="Year", period_length=2)},
        {"billing_cycle": rb.BillingCycle(time_unit="Week", period_length=49)},
        {"billing_cycle": rb.BillingCycle(time_unit="Day", period_length=337)},
        {"due_date_rule": rb.DueDateRule(day_of_period=367)},
        {"due_date_rule": rb.DueDateRule(day_of_period=-367)},
        {"quantity": Decimal(-1)},
        {"quantity": Decimal("0.00001")},
        {"vat": vat("Exempt", "0.25")},
        {"vat": vat("ReverseCharge", "0")},
        {"vat": vat("Exclusive", "0.12345")},
        {"discount": rb.Discount(percentage=Decimal("0.12345"))},
        {"discount": rb.Discount(amount=amount("0"))},
        {"price_per": "year"},
        {"part_period": "full"},
        {"part_period": {"last": "thirty_day"}},
        {"discounts": (rb.Discount(percentage=Decimal("0.1")),) * 2},
        {"vat_records": (rb.VatRecord(value=vat("Exclusive", "0.25"), start=DATED),)},
        {"quantity_records": (rb.QuantityRecord(value=Decimal(2), start=DATED),)},
        {"amount": amount("8500.00001")},
        {"amount": amount("999999999999.99")},
        {"amount_records": (rb.AmountRecord(value=amount("-999999999999"), start=DATED),)},
        {"first_billing_period_bill_item": opening(price="-999999999999")},
        {"quantity": Decimal(10**14)},
    ],
)
def test_items_that_the_scalar_engine_bills(changes: dict[str, Any]) -> None:
    assert is_eligible(columns(rent()))
    assert not is_eligible(columns(rent(), rent(**changes)))


def test_records_in_any_order_are_put_in_the_order_of_their_days() -> None:
    earlier, later = (
        rb.AmountRecord(value=amount(each), start=day(start))
        for each, start in (("8900", "2026-06-01"), ("9000", "2026-07-01"))
    )
    found = columns(rent(), rent(amount_records=(later, earlier)))

    assert is_eligible(found)
    assert [earlier.start.toordinal(), later.start.toordinal()] == found.price_start.tolist()


@rows(
    ("changes", "asked"),
    [
        # A startedOn before the opening due date (A12).
        ({"started_on": day("2026-01-10")}, "2026-01-12/2026-01-31"),
        # An opening that reaches past the end (A17).
        ({"ended_on": day("2026-01-20")}, "2026-01-10/2026-01-31"),
        # A month of which nothing is billed after the opening (A13).
        (
            {"billing_cycle": rb.BillingCycle(period_length=3), "ended_on": None},
            "2026-02-01/2026-02-28",
        ),
        # A regular bill before the opening one (A12).
        (
            {
                "first_billing_period_bill_item": opening(due="2026-03-15"),
                "started_on": day("2026-03-15"),
            },
            "2026-02-20/2026-02-28",
        ),
        # A cancellation that leaves days unbilled (A17).
        (
            {
                "cancelled_on": day("2026-05-20"),
                "due_date_rule": rb.DueDateRule(day_of_period=25),
            },
            "2026-05-01/2026-05-31",
        ),
        # A cancellation before an opening that is not billed (A17).
        (
            {
                "first_billing_period_bill_item": opening(due="2026-02-15"),
                "started_on": day("2026-02-15"),
                "cancelled_on": day("2026-02-10"),
            },
            "2026-01-20/2026-01-31",
        ),
    ],
)
def test_leases_with_a_notice_are_left_to_the_scalar_engine(
    changes: dict[str, Any], asked: str
) -> None:
    item = rent(**changes)

    assert rb.pending_bills(item, asked).notices
    assert not is_eligible(columns(rent(), item), asked)
    assert is_eligible(columns(rent(), item), "2027-01-01/2027-12-31")


def test_a_discount_that_a_later_price_falls_below() -> None:
    """It stops at zero with a notice, which is the scalar engine's (A22)."""
    lower = (rb.AmountRecord(value=amount("5"), start=DATED),)
    item = rent("100", discount=rb.Discount(amount=amount("10")), amount_records=lower)

    assert not is_eligible(columns(item))


@rows(
    "changes",
    [
        {"rent_adjustment_plans": (rb.RentAdjustmentPlan(),)},
        # It follows the rent (A39).
        {"balances": (rb.Balance(amount=amount("100"), months=Decimal(3)),)},
        {
            "balances": (
                rb.Balance(amount=amount("100"), id="a"),
                rb.Balance(amount=amount("100"), id="b"),
            )
        },
        {"balances": (rb.Balance(amount=amount("1.00001")),)},
        {"balances": (rb.Balance(amount=amount("10000000000.00")),)},
        {"currency": "DKK", "recurring_bill_items": ()},
    ],
)
def test_leases_with_more_than_items(changes: dict[str, Any]) -> None:
    assert not _is_taken(changes)


@rows(
    "changes",
    [
        {"one_time_bill_items": (fee(),)},
        {"one_time_bill_items": (fee(), fee()), "recurring_bill_items": ()},
        {
            "balances": (
                rb.Balance(amount=amount("100")),
                rb.Balance(amount=amount("9000000000.99")),
            )
        },
    ],
)
def test_leases_with_one_time_items_and_balances_that_stay(changes: dict[str, Any]) -> None:
    """A balance that no plan moves is on no bill (A39)."""
    assert _is_taken(changes)


def _is_taken(changes: dict[str, Any]) -> bool:
    terms = rb.LeaseTerms(**{"recurring_bill_items": (rent(),), **changes})
    read = read_flat(leases_to_arrow([terms]))
    assert read is not None
    return is_eligible(read.items)


@rows(
    "policy",
    [
        rb.BillingPolicy(rounding="half_even"),
        rb.BillingPolicy(business_day="following"),
        rb.BillingPolicy(select="accounting_period"),
        rb.BillingPolicy(mid_period_change="next_period"),
        rb.BillingPolicy(part_period="thirty_day"),
        rb.BillingPolicy(discount_end="whole_period"),
        rb.BillingPolicy(discount_opening=True),
        rb.BillingPolicy(vat_rounding="per_line"),
        rb.BillingPolicy(max_lines=10**6 + 1),
        rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")}),
        rb.BillingPolicy(by_product={"key:rent": rb.BillingPolicy(rounding="up")}),
    ],
)
def test_under_another_policy_nothing_is_eligible(policy: rb.BillingPolicy) -> None:
    assert not is_eligible(columns(rent()), policy=policy)


@rows(
    "policy",
    [
        rb.BillingPolicy(currencies={"PTS": 1}),
        rb.BillingPolicy(holidays={date(2026, 1, 1)}),
        rb.BillingPolicy(period_end="excluded"),
        rb.BillingPolicy(missing_index="notice", balance_change="once"),
        rb.BillingPolicy(max_lines=1000),
    ],
)
def test_choices_that_touch_no_figure_are_followed(policy: rb.BillingPolicy) -> None:
    assert is_eligible(columns(rent()), policy=policy)


def test_a_private_currency_has_its_own_decimals() -> None:
    """12.345 of a currency with one decimal are 123 units; without the policy nobody knows (A2)."""
    policy = rb.BillingPolicy(currencies={"PTS": 1})
    base = columns(rent("12.345"))
    items = replace(base, currencies=("PTS",))
    found = bill_flat(items, "2026-02-01/2026-02-28", policy=policy)

    assert [123] == found.bill_total.tolist()
    assert not is_eligible(items)


@rows(
    ("asked", "expected"),
    [
        ("2199-01-01/2199-12-31", False),
        ("1900-01-01/1900-12-31", False),
        ("2190-01-01/2190-12-31", True),
    ],
)
def test_days_outside_of_the_tables(asked: str, expected: bool) -> None:
    assert expected == is_eligible(columns(rent()), asked)


def test_a_lease_from_before_the_tables() -> None:
    """An opening in the 19th century is left to the scalar engine; an end in year 9999 is not."""
    old = rent(first_billing_period_bill_item=opening("1899-12-01/1899-12-31"))

    assert not is_eligible(columns(old))
    assert is_eligible(columns(rent(ended_on=date.max), contract_end=date.max))


def test_an_answer_that_could_have_too_many_lines() -> None:
    """What may be refused before computing is left to be refused (A60)."""
    policy = rb.BillingPolicy(max_lines=30)

    assert is_eligible(columns(rent()), "2026-02-01/2026-12-31", policy)
    assert not is_eligible(columns(rent()), "2026-02-01/2028-12-31", policy)


@rows(
    ("name", "value"),
    [
        ("months", 5),
        ("months", 0),
        ("months", -1),
        ("months", 2**62),
        ("start_month", 13),
        ("start_day", 32),
        ("due_day", 0),
        ("tax_mode", 4),
        ("tax_rate", 10001),
        ("currency", 1),
        ("quantity", 0),
        ("quantity", 2**63 - 1),
        ("amount", -(2**63)),
        ("opening_amount", 2**63 - 1),
        ("opening_end", 1),
        ("started_on", 2**62),
        ("ended_on", -1),
        ("discount_end", 2**62),
        ("discount_percentage", -1),
        ("discount_amount", -1),
        ("contract_end", -1),
        ("rare", True),
    ],
)
def test_numbers_that_no_record_has(name: str, value: int) -> None:
    items = columns(rent())
    kind = getattr(items, name).dtype

    changes: dict[str, Any] = {name: np.array([value], dtype=kind)}

    assert not is_eligible(replace(items, **changes))


@rows("start", [0, -5, 2**62])
def test_days_of_prices_that_no_record_has(start: int) -> None:
    items = columns(rent(amount_records=(rb.AmountRecord(value=amount("9000"), start=DATED),)))
    changed = replace(items, price_start=np.array([start], dtype=np.int64))

    assert is_eligible(items)
    assert not is_eligible(changed)


@rows(
    "scales",
    [
        {"amount_scale": 9},
        {"rate_scale": 5},
        {"amount_scale": 0, "quantity_scale": 0, "percentage_scale": 0},
    ],
)
def test_scales_that_leave_no_room(scales: dict[str, Any]) -> None:
    """Too many decimals leave no room in 64 bits, too few no minor units."""
    assert not is_eligible(replace(columns(rent()), **scales))


def test_a_lease_that_is_not_eligible_takes_nothing_from_its_neighbours() -> None:
    leases = [
        rb.LeaseTerms(recurring_bill_items=(item,))
        for item in (rent("1.00"), rent(quantity=Decimal(-1)), quarterly("3.00"))
    ]
    read = read_flat(leases_to_arrow(leases))
    assert read is not None
    found = bill_flat(read.items, "2026-04-01/2026-04-30")

    assert [True, False, True] == found.eligible.tolist()
    assert ([0, 2], [0, 2]) == (found.line_lease.tolist(), found.line_item.tolist())
    assert [100, 300] == found.bill_total.tolist()


@rows("name", ["amount", "price_amount", "lease_offsets", "rare"])
def test_columns_of_other_lengths_are_refused(name: str) -> None:
    items = columns(rent())
    kind = getattr(items, name).dtype
    longer: dict[str, Any] = {name: np.append(getattr(items, name), 0).astype(kind)}

    with pytest.raises(ValueError, match=f"do not fit together: .*{name}"):
        replace(items, **longer)


def test_offsets_that_end_elsewhere_are_refused() -> None:
    items = columns(rent())

    with pytest.raises(ValueError, match="do not fit together: lease_offsets"):
        replace(items, lease_offsets=np.array([0, 2]))


def test_the_bytes_of_columns_are_counted() -> None:
    """One item without later prices: 22 + 1 numbers, offsets of 2 each, and three masks."""
    items = columns(rent())
    masks: list[Mask] = [items.rare, items.once, items.arrears]

    assert 8 * (22 + 1 + 2 + 2) + sum(mask.nbytes for mask in masks) == items.nbytes
