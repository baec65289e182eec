"""Items on columns: records that change nothing on the billed days, ends in arrears, discounts."""

from decimal import Decimal
from typing import Any

import pyarrow as pa

import rentbilling as rb
from rentbilling.portfolio import BillRecordBatches, leases_to_arrow
from rentbilling.testing import a_lease, a_one_time_item, a_plan, a_rent, an_index
from tests.portfolio.bulk_rows import bills_in_full, bills_of_rows

ASKED = "2026-03-01/2026-03-31"
INDEX = an_index({f"{year}-10": str(100 + year - 2019) for year in range(2019, 2027)}, name="NPI")
QUARTER = rb.BillingCycle(period_length=3, start=2)
ARREARS = rb.DueDateRule(relative_to="end")
PLANNED = {"rent_adjustment_plans": [a_plan()]}
LATER = rb.Discount(percentage=Decimal("0.1"), description="Lift", start_date="2026-03-11")


def rent(amount: Any = 8000, **changes: Any) -> rb.LeaseTerms:  # noqa: ANN401 - as the record
    return a_lease(a_rent(moved_in="2024-01-15", amount=amount, **changes))


def vat(start: str, rate: str = "0.25") -> rb.VatRecord:
    return rb.VatRecord(value=rb.Vat("Exclusive", Decimal(rate)), start=start)


def text(start: str, value: str = "Later") -> rb.DescriptionRecord:
    return rb.DescriptionRecord(value=value, start=start)


def more(start: str, quantity: int = 2) -> rb.QuantityRecord:
    return rb.QuantityRecord(value=quantity, start=start)


FOLLOWED = {
    "begun": rent(vat_records=[vat("2025-01-01")], quantity_records=[more("2024-06-15")]),
    "not begun": rent(vat_records=[vat("2027-01-01")], quantity_records=[more("2028-01-01")]),
    "the later of two, in any order": rent(
        vat_records=[vat("2025-01-01", "0.2"), vat("2024-06-01")],
        quantity_records=[more("2025-02-01", 3), more("2024-03-01")],
    ),
    "no VAT any more": rent(vat_records=[rb.VatRecord(value=rb.Vat("Exempt"), start="2025-01-01")]),
    "a quarter in arrears": rent(
        billing_cycle=QUARTER,
        due_date_rule=ARREARS,
        vat_records=[vat("2025-06-01")],
    ),
    # It stops periods that begin on it or later, and no day before it is left out (A17, A51).
    "cancelled in arrears": rent(due_date_rule=ARREARS, cancelled_on="2026-02-15"),
    "cancelled in arrears before a quarter": rent(
        due_date_rule=ARREARS, cancelled_on="2026-02-01", billing_cycle=QUARTER
    ),
    "cancelled in arrears in the opening period": rent(
        due_date_rule=ARREARS, cancelled_on="2024-01-20"
    ),
    "a discount that begins in the month": rent(discount=LATER),
    "the only discount of a list": rent(discounts=[LATER]),
    "a discount that begins and ends in the month": rent(
        discounts=[LATER.evolve(end_date="2026-03-20", of="list")], ended_on="2026-03-30"
    ),
    "a discount that has not begun": rent(discount=LATER.evolve(start_date="2026-04-01")),
    "texts over time": a_lease(
        a_rent(
            moved_in="2026-02-15",
            description="Rent",
            amount_records=[rb.AmountRecord(value=rb.Amount("9000", "DKK"), start="2026-03-11")],
            description_records=[text("2026-03-12", "late"), text("2026-03-01", "Bolig")],
        ),
        a_rent(moved_in="2026-03-10", description_records=[text("2026-03-10", "Opening")]),
        a_rent(
            moved_in="2024-01-15", due_date_rule=ARREARS, description_records=[text("2026-02-02")]
        ),
        a_one_time_item(due_date="2026-03-20"),
    ),
    "part periods as the policy counts them": rent(
        part_period={"first": "full", "last": "actual_days"}, ended_on="2026-03-15"
    ),
    "units that a plan adjusts": rent(quantity=3, amount="1000.01").evolve(**PLANNED),
    "square metres that a plan adjusts, with a discount and VAT": rent(
        quantity="87.5",
        amount="91.43",
        vat=rb.Vat("Inclusive", "0.25"),
        discount=LATER,
        amount_records=[rb.AmountRecord(value=rb.Amount("92.11", "DKK"), start="2025-06-01")],
    ).evolve(**PLANNED),
    "units from the first day that a plan may adjust": rent(
        quantity_records=[more("2024-02-01"), more("2028-01-01", 5)]
    ).evolve(**PLANNED),
    "beside a plan": rent(vat_records=[vat("2025-01-01")]).evolve(**PLANNED),
}
LEFT = {
    "begins in the month": rent(vat_records=[vat("2026-03-15")]),
    "begins in the quarter in arrears": rent(
        billing_cycle=QUARTER,
        due_date_rule=ARREARS,
        quantity_records=[more("2026-01-01")],
    ),
    "begins in the days of a bill due early": rent(
        due_date_rule=rb.DueDateRule(day_of_period=-40), quantity_records=[more("2026-05-01")]
    ),
    "the opening period is due": a_lease(
        a_rent(moved_in="2026-03-10", vat_records=[vat("2025-01-01")])
    ),
    "another quantity between adjustments": rent(quantity_records=[more("2025-06-01")]).evolve(
        **PLANNED
    ),
    "a price of all units of more decimals": rent(quantity="1.3333", amount="80.01").evolve(
        **PLANNED
    ),
}


def test_bills_are_those_of_each_lease_alone() -> None:
    run = BillRecordBatches(ASKED, indices=INDEX)
    wrong = {}
    for left, leases in enumerate((FOLLOWED, LEFT)):
        for name, terms in leases.items():
            found = run.billed(leases_to_arrow([terms]))
            alone = bills_in_full([rb.bill_period(terms, ASKED, indices=INDEX)])
            if found.summary.scalar_leases != left or bills_of_rows(found.bills) != [
                {**bill, "row": 0} for bill in alone
            ]:
                wrong[name] = found.summary.scalar_leases

    assert {} == wrong


def test_totals_by_hand() -> None:
    """What each lease of a table owes in March.

    2 × 8,000 and 25 percent of it; February whole; 10 days of 31 at 8,000, 21 at 7,200; 10 days at
    7,200 and 20 at 8,000 of 31. 3 × 1,000.01 × 105/104 is 3,028.88, × 106/105 then 3,057.73; where
    the price of one unit is rounded, they are 3,057.75.
    """
    totals = {
        "begun": "20000",
        "cancelled in arrears": "8000",
        "a discount that begins in the month": "7458.06",
        "a discount that begins and ends in the month": "7483.87",
        "a discount that has not begun": "8000",
        "units that a plan adjusts": "3057.73",
    }
    run = BillRecordBatches(ASKED, indices=INDEX)
    found = run.billed(leases_to_arrow([FOLLOWED[name] for name in totals]))

    assert [*map(Decimal, totals.values())] == found.bills.column("total").to_pylist()


def test_odd_discounts_are_left_to_the_engine_for_single_leases() -> None:
    """Reversed days; `of` with an amount or of another word; two ways; one that is null (A61)."""
    (given,) = leases_to_arrow([rent()]).to_pylist()
    share = {"percentage": Decimal("0.1"), "start_date": DAYS[1]}
    off = {"amount": {"amount": 1, "currency": "DKK"}, "of": "list"}
    wrong: list[dict[str, Any]] = [
        {"discounts": [share | {"end_date": DAYS[0]}]},
        {"discount": off},
        {"discount": share | {"of": "half"}},
        {"discount": share, "discounts": [share]},
        {"discounts": [None]},
        {"part_period": {"first": "half"}},
    ]
    (item,) = given["recurring_bill_items"]
    rows = [{**given, "recurring_bill_items": [{**item, **each}]} for each in wrong]
    run = BillRecordBatches(ASKED, on_problem="table")
    found = run.billed(pa.RecordBatch.from_pylist(rows, leases_to_arrow([]).schema))

    assert [*range(len(wrong))] == sorted(set(found.problems.column("row").to_pylist()))


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
