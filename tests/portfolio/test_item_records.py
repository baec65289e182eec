"""Records of VAT and quantity on columns: what they say on all days that are billed (A18)."""

from decimal import Decimal
from typing import Any

import pyarrow as pa

from rentbilling import (
    BillingCycle,
    DueDateRule,
    LeaseTerms,
    QuantityRecord,
    Vat,
    VatRecord,
    bill_period,
)
from rentbilling.portfolio import BillRecordBatches, leases_to_arrow
from rentbilling.testing import a_lease, a_plan, a_rent, an_index
from tests.portfolio.bulk_rows import bills_in_full, bills_of_rows

ASKED = "2026-03-01/2026-03-31"
INDEX = an_index({f"{year}-10": str(100 + year - 2019) for year in range(2019, 2027)}, name="NPI")
QUARTER = BillingCycle(period_length=3, start=2)


def rent(**changes: Any) -> LeaseTerms:  # noqa: ANN401 - whatever the record takes
    return a_lease(a_rent(moved_in="2024-01-15", amount=8000, **changes))


def vat(start: str, rate: str = "0.25") -> VatRecord:
    return VatRecord(value=Vat("Exclusive", Decimal(rate)), start=start)


def more(start: str, quantity: int = 2) -> QuantityRecord:
    return QuantityRecord(value=quantity, start=start)


FOLLOWED = {
    "begun": rent(vat_records=[vat("2025-01-01")], quantity_records=[more("2024-06-15")]),
    "not begun": rent(vat_records=[vat("2027-01-01")], quantity_records=[more("2028-01-01")]),
    "the later of two, in any order": rent(
        vat_records=[vat("2025-01-01", "0.2"), vat("2024-06-01")],
        quantity_records=[more("2025-02-01", 3), more("2024-03-01")],
    ),
    "no VAT any more": rent(vat_records=[VatRecord(value=Vat("Exempt"), start="2025-01-01")]),
    "a quarter in arrears": rent(
        billing_cycle=QUARTER,
        due_date_rule=DueDateRule(relative_to="end"),
        vat_records=[vat("2025-06-01")],
    ),
    "beside a plan": rent(vat_records=[vat("2025-01-01")]).evolve(rent_adjustment_plans=[a_plan()]),
}
LEFT = {
    "begins in the month": rent(vat_records=[vat("2026-03-15")]),
    "begins in the quarter in arrears": rent(
        billing_cycle=QUARTER,
        due_date_rule=DueDateRule(relative_to="end"),
        quantity_records=[more("2026-01-01")],
    ),
    "begins in the days of a bill due early": rent(
        due_date_rule=DueDateRule(day_of_period=-40), quantity_records=[more("2026-05-01")]
    ),
    "the opening period is due": a_lease(
        a_rent(moved_in="2026-03-10", vat_records=[vat("2025-01-01")])
    ),
    "prices that a plan adjusts": rent(quantity_records=[more("2025-06-01")]).evolve(
        rent_adjustment_plans=[a_plan()]
    ),
}


def test_bills_are_those_of_each_lease_alone() -> None:
    run = BillRecordBatches(ASKED, indices=INDEX)
    wrong = {}
    for left, leases in enumerate((FOLLOWED, LEFT)):
        for name, terms in leases.items():
            found = run.billed(leases_to_arrow([terms]))
            alone = bills_in_full([bill_period(terms, ASKED, indices=INDEX)])
            if found.summary.scalar_leases != left or bills_of_rows(found.bills) != [
                {**bill, "row": 0} for bill in alone
            ]:
                wrong[name] = found.summary.scalar_leases

    assert {} == wrong


def test_two_units_with_vat_by_hand() -> None:
    """2 × 8,000 and 25 percent of it: 20,000."""
    run = BillRecordBatches(ASKED)
    found = run.billed(leases_to_arrow([FOLLOWED["begun"]]))

    assert [Decimal(20000)] == found.bills.column("total").to_pylist()


def test_odd_records_are_left_to_the_engine_for_single_leases() -> None:
    """Two on one day, in any order; no unit; a rate above one; no VAT; and a rate of none (A28)."""
    (given,) = leases_to_arrow([FOLLOWED["begun"]]).to_pylist()
    schema = leases_to_arrow([]).schema
    wrong: list[tuple[str, Any]] = [
        ("quantity_records", [{"value": 2, "start": day} for day in DAYS]),
        ("quantity_records", [{"value": 0, "start": DAYS[0]}]),
        ("vat_records", [{"value": {"tax_mode": "Exempt", "tax_rate": 1}, "start": DAYS[0]}]),
        ("vat_records", [{"value": {"tax_mode": "Exclusive", "tax_rate": 25}, "start": DAYS[0]}]),
        ("vat_records", [{"value": None, "start": DAYS[0]}]),
    ]
    rows = []
    for name, records in wrong:
        (item,) = given["recurring_bill_items"]
        rows.append({**given, "recurring_bill_items": [{**item, name: records}]})
    run = BillRecordBatches(ASKED, on_problem="table")
    found = run.billed(pa.RecordBatch.from_pylist(rows, schema))

    assert 5 == found.summary.scalar_leases
    assert [0, 1, 3, 4] == sorted(set(found.problems.column("row").to_pylist()))


DAYS = [pa.scalar(20_000 + at, pa.date32()).as_py() for at in (0, 30, 0)]
