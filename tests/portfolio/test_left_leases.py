"""Left leases: the summary says which features keep leases from the columns."""

from typing import Any

import rentbilling as rb
from rentbilling.portfolio import BillRecordBatches, leases_to_arrow
from rentbilling.testing import a_lease, a_plan, a_rent

MORE = rb.QuantityRecord(value=2, start="2026-02-01")
TAXED = rb.VatRecord(value=rb.Vat("Exclusive", "0.25"), start="2026-02-01")
LONG = rb.BillingCycle(period_length=24)


def reasons(leases: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever holds leases
    run = BillRecordBatches("2026-03", on_problem="table", **options)
    return run.billed(leases).summary.to_data()["scalarReasons"]


def test_each_feature_is_counted_by_the_name_of_its_field() -> None:
    rows: list[tuple[rb.LeaseTerms, dict[str, int]]] = [
        (a_lease(a_rent()), {}),
        (a_lease(a_rent(vat_records=[TAXED])), {"vat_records": 1}),
        (
            a_lease(a_rent(quantity_records=[MORE], billing_cycle=LONG), plans=[a_plan()]),
            {"quantity_records": 1, "billing_cycle": 1, "rent_adjustment_plans": 1},
        ),
        (a_lease(a_rent(billing_cycle=rb.BillingCycle(period_length=5))), {}),
        (a_lease(a_rent(price_per="year")), {"price_per": 1}),
        (a_lease(a_rent(discounts=[rb.Discount(percentage="0.1")] * 2)), {"discounts": 1}),
        (a_lease(a_rent(part_period="full")), {"part_period": 1}),
        (a_lease(a_rent(amount="8500.00001")), {"other": 1}),
    ]
    wrong = [
        (found, expected)
        for lease, expected in rows
        if (found := reasons(leases_to_arrow([lease]))) != expected
    ]

    assert [] == wrong


def test_other_reasons_have_names_of_their_own() -> None:
    batch = leases_to_arrow([a_lease(lease_id="a"), a_lease(lease_id="b")])
    dearer = leases_to_arrow([a_lease(a_rent(amount=9000), lease_id="a"), a_lease(lease_id="b")])
    sent = BillRecordBatches("2026-02")(batch)

    assert {"policy": 2} == reasons(batch, policy=rb.BillingPolicy(vat_rounding="per_line"))
    assert {"records": 1} == reasons([a_lease()])
    assert {} == reasons([])
    assert {"earlier_bills": 1} == reasons(dearer, already_billed=[sent])
