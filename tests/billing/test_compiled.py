"""What compiled terms remember, and how much of it."""

from datetime import date
from decimal import Decimal

import pytest

from rentbilling import Amount, AmountRecord, LeaseTerms, Period, compile_terms, pending_bills
from rentbilling.billing import compiled as compiled_module
from rentbilling.billing.compiled import CompiledTerms
from rentbilling.billing.vat import bill_of_lines
from rentbilling.schedule import schedule_of
from rentbilling.schedule.periods import _shared_schedule
from rentbilling.terms import RecurringBillItem
from tests.support.rents import opening, rent, vat


def changing(months: int) -> RecurringBillItem:
    """Return a rent that has another price each month."""
    days = [date(2026 + (at + 1) // 12, (at + 1) % 12 + 1, 1) for at in range(months)]
    records = [
        AmountRecord(value=Amount(8000 + at, "DKK"), start=day) for at, day in enumerate(days)
    ]
    return rent(amount_records=tuple(records))


def test_the_sums_of_equal_bills_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = []

    def counted(*arguments: object, **options: object) -> object:
        computed.append(arguments)
        return bill_of_lines(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(compiled_module, "bill_of_lines", counted)
    result = pending_bills(rent(), "2026-02-01/2030-12-31")

    assert len(result) == 59
    assert len(computed) == 1


def test_sums_of_many_different_bills_are_not_all_kept() -> None:
    compiled = compile_terms(changing(200))
    first = pending_bills(compiled, "2026-02-01/2042-12-31")

    assert first == pending_bills(compiled, "2026-02-01/2042-12-31")
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
        LeaseTerms(recurring_bill_items=tuple(items)), compile_terms(LeaseTerms()).policy
    )
    for month in ("2026-02-01/2026-02-28", "2026-03-01/2026-03-31"):
        (bill,) = pending_bills(compiled, month)
        assert sum(line.net_price.amount for line in bill.lines) == Decimal("0.07")
        assert bill.subtotal.amount == Decimal("0.07")
        days = {line.accounting_period for line in bill.lines}
        assert days == {Period.parse(month)}


def test_leases_share_schedules_but_not_without_bound() -> None:
    item = rent()
    ready = compile_terms(item).policy
    one, same = (schedule_of(item.billing_cycle, item.due_date_rule, 100, ready) for _ in range(2))
    assert one is same

    most = _shared_schedule.cache_parameters()["maxsize"]
    assert most is not None
    for after in range(most + 100):
        schedule_of(item.billing_cycle, item.due_date_rule, after + 1, ready)
    assert _shared_schedule.cache_info().currsize == most
