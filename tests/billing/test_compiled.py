"""What compiled terms remember, and how much of it."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import compiled as compiled_module
from rentbilling.billing.compiled import CompiledTerms
from rentbilling.billing.vat import bill_of_lines
from rentbilling.schedule import Schedule, schedule_of
from rentbilling.schedule.periods import _shared_schedule
from rentbilling.terms import RecurringBillItem
from tests.support.rents import opening, rent, vat
from tests.support.rows import rows


def changing(months: int) -> RecurringBillItem:
    """Return a rent that has another price each month."""
    days = [date(2026 + (at + 1) // 12, (at + 1) % 12 + 1, 1) for at in range(months)]
    records = [
        rb.AmountRecord(value=rb.Amount(8000 + at, "DKK"), start=day) for at, day in enumerate(days)
    ]
    return rent(amount_records=tuple(records))


def test_the_sums_of_equal_bills_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = []

    def counted(*arguments: object, **options: object) -> object:
        computed.append(arguments)
        return bill_of_lines(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(compiled_module, "bill_of_lines", counted)
    result = rb.pending_bills(rent(), "2026-02-01/2030-12-31")

    assert len(result) == 59
    assert len(computed) == 1


def test_sums_of_many_different_bills_are_not_all_kept() -> None:
    compiled = rb.compile_terms(changing(200))
    first = rb.pending_bills(compiled, "2026-02-01/2042-12-31")

    assert first == rb.pending_bills(compiled, "2026-02-01/2042-12-31")
    assert len(compiled._sums) <= 64


def test_a_remembered_bill_has_the_corrected_nets_of_its_lines() -> None:
    """Three gross prices of 0.03 at 25 % are 0.07 net together, not 0.06 (A29)."""
    items = [
        rent(
            "0.03",
            vat=vat("Inclusive", "0.25"),
            id=f"item-{at}",
            first_billing_period_bill_item=opening(price="0.03"),
        )
        for at in range(3)
    ]
    compiled = CompiledTerms(
        rb.LeaseTerms(recurring_bill_items=tuple(items)), rb.compile_terms(rb.LeaseTerms()).policy
    )
    for month in ("2026-02-01/2026-02-28", "2026-03-01/2026-03-31"):
        (bill,) = rb.pending_bills(compiled, month)
        assert sum(line.net_price.amount for line in bill.lines) == Decimal("0.07")
        assert bill.subtotal.amount == Decimal("0.07")
        days = {line.accounting_period for line in bill.lines}
        assert days == {rb.Period.parse(month)}


def test_leases_share_schedules_but_not_without_bound() -> None:
    item = rent()
    ready = rb.compile_terms(item).policy

    def made(after: int) -> Schedule:
        days = rb.Period.unchecked(after, after)
        return schedule_of(item.billing_cycle, item.due_date_rule, days, ready)

    assert made(100) is made(100)

    most = _shared_schedule.cache_parameters()["maxsize"]
    assert most is not None
    for after in range(most + 100):
        made(after + 1)
    assert _shared_schedule.cache_info().currsize == most


DISCOUNT = rb.Discount(percentage=Decimal("0.1"), start_date=date(2026, 3, 15))


@rows(
    "changes",
    [
        {"amount": rb.Amount("8100.55", "DKK")},
        {"discounts": (DISCOUNT,)},
        {"discounts": (DISCOUNT.evolve(start_date=None),)},
        {"amount_records": (rb.AmountRecord(value=rb.Amount(1, "DKK"), start=date(2026, 3, 10)),)},
        {"vat": vat("Inclusive", "0.25")},
        {"quantity": Decimal(-2)},
        {"price_per": "year"},
        {"part_period": "days_over_30"},
        {"description": "Another text"},
        {"product_key": "key:parking"},
        {"ended_on": date(2026, 4, 10)},
        {"cancelled_on": date(2026, 4, 10)},
        {"started_on": date(2025, 12, 1)},
        {"due_date_rule": rb.DueDateRule(day_of_period=5)},
        {"billing_cycle": rb.BillingCycle(period_length=3)},
        {"first_billing_period_bill_item": opening(price="12.50")},
        {
            "amount": rb.Amount(8000, "EUR"),
            "first_billing_period_bill_item": opening(price="8000 EUR"),
        },
    ],
)
@rows("policy", [rb.BillingPolicy(), rb.BillingPolicy(discount_opening=True)])
def test_a_changed_item_is_billed_as_one_compiled_anew(
    changes: dict[str, Any], policy: rb.BillingPolicy
) -> None:
    before, year = rb.LeaseTerms.of(rent(), rent(id="b")), "2026-01-01/2026-12-31"
    compiled = CompiledTerms(before, policy)
    billed = rb.pending_bills(compiled, year)
    after = rb.LeaseTerms.of(rent().evolve(**changes), before.recurring_bill_items[1])

    found = rb.pending_bills(CompiledTerms(after, policy, None, compiled), year)

    assert found == rb.pending_bills(after, year, policy=policy)
    assert rb.dumps(found) == rb.dumps(rb.pending_bills(after, year, policy=policy))
    assert (
        billed == rb.pending_bills(compiled, year) == rb.pending_bills(before, year, policy=policy)
    )


def test_only_prices_are_compiled_anew_where_only_they_change() -> None:
    before = rb.LeaseTerms.of(rent(), rent(id="b"))
    item, same = before.recurring_bill_items
    compiled = CompiledTerms(before, rb.BillingPolicy())
    after = rb.LeaseTerms.of(item.evolve(discounts=(DISCOUNT,)), same)
    again = CompiledTerms(after, compiled.policy, None, compiled)

    (old, kept), (new, other) = compiled.billed_items, again.billed_items
    assert kept is other
    assert old is not new
    assert old.prices is not new.prices
    assert old.schedule is new.schedule


def test_a_lease_without_plans_has_no_adjustments() -> None:
    compiled = rb.compile_terms(rb.LeaseTerms(recurring_bill_items=(rent(),)))

    assert () == tuple(compiled.adjustments(rb.Period.parse("2026-01-01/2026-12-31")))
