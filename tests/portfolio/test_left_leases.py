"""Left leases: the summary says which features keep leases from the columns."""

from typing import Any

import numpy as np
import pyarrow as pa

from rentbilling import (
    Amount,
    Balance,
    BillingCycle,
    BillingPolicy,
    Discount,
    LeaseTerms,
    Period,
    QuantityRecord,
    Vat,
    VatRecord,
)
from rentbilling.portfolio import BillRecordBatches, leases_to_arrow
from rentbilling.portfolio.kernel.writing import bill_batch
from rentbilling.portfolio.leases.batches import lease_form
from rentbilling.portfolio.runs.adjust_runs import AdjustRecordBatches
from rentbilling.portfolio.runs.left_leases import features_left
from rentbilling.testing import a_lease, a_one_time_item, a_plan, a_rent, an_index

MORE = QuantityRecord(value=2, start="2026-02-01")
TAXED = VatRecord(value=Vat("Exclusive", "0.25"), start="2026-02-01")
LONG = BillingCycle(period_length=24)
DEPOSIT = Balance(months=3, amount=Amount(25500, "DKK"))
STEPS = a_plan(amount=1200, adjustee_ref="recurring-1")
BOTH = {"price_per": 1, "rent_adjustment_plans": 1}
NPI = an_index({"2025-10": "100.0", "2026-10": "103.0"}, name="NPI")


def reasons(leases: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever holds leases
    run = BillRecordBatches("2026-03", on_problem="table", **options)
    return run.billed(leases).summary.to_data()["scalarReasons"]


def test_each_feature_is_counted_by_the_name_of_its_field() -> None:
    rows: list[tuple[LeaseTerms, dict[str, int]]] = [
        (a_lease(a_rent()), {}),
        (a_lease(a_rent(vat_records=[TAXED])), {"vat_records": 1}),
        (
            a_lease(a_rent(quantity_records=[MORE], billing_cycle=LONG), plans=[a_plan()]),
            {"quantity_records": 1, "billing_cycle": 1},
        ),
        (a_lease(a_rent(), a_rent(price_per="year"), plans=[STEPS]), BOTH),
        (a_lease(a_rent(billing_cycle=BillingCycle(period_length=5))), {}),
        (a_lease(a_rent(price_per="year")), {"price_per": 1}),
        (a_lease(a_rent(discounts=[Discount(percentage="0.1")] * 2)), {"discounts": 1}),
        (a_lease(a_rent(part_period="full")), {"part_period": 1}),
        (a_lease(a_rent(amount="8500.00001")), {"other": 1}),
    ]
    wrong = [
        (found, expected)
        for lease, expected in rows
        if (found := reasons(leases_to_arrow([lease]))) != expected
    ]

    assert [] == wrong


def test_a_feature_that_columns_know_is_no_reason() -> None:
    """Each lease has a plain plan, or records that columns follow, and something else is rare."""
    plain = [a_plan(adjustee_ref="recurring-1")]
    taxed = VatRecord(value=Vat("Exclusive", "0.25"), start="2020-01-01")
    rows: list[tuple[LeaseTerms, str]] = [
        (a_lease(a_rent(), a_rent(price_per="year"), plans=plain), "price_per"),
        (a_lease(a_rent(price_per="year"), plans=plain), "price_per"),
        (a_lease(a_rent(), a_rent(amount="8500.00001"), plans=plain), "other"),
        (a_lease(a_rent(), a_rent(part_period="full"), plans=plain), "part_period"),
        (a_lease(a_rent(), a_rent(vat_records=[TAXED]), plans=plain), "vat_records"),
        (a_lease(a_rent(), a_rent(vat_records=[taxed], price_per="year")), "price_per"),
        (a_lease(a_rent(), balances=[DEPOSIT], plans=plain), "balances"),
        (a_lease(a_rent(), a_rent(cancelled_on="2026-03-10"), plans=plain), "notices"),
        (a_lease(a_rent(), plans=[STEPS]), "rent_adjustment_plans"),
        (
            a_lease(a_rent(), a_one_time_item(amount="100.00001"), plans=plain),
            "one_time_bill_items",
        ),
    ]
    wrong = [
        (found, expected)
        for lease, expected in rows
        if (found := reasons(leases_to_arrow([lease]), indices=NPI)) != {expected: 1}
    ]

    assert [] == wrong
    assert {} == reasons(leases_to_arrow([a_lease(a_rent(), plans=plain)]), indices=NPI)


def test_other_reasons_have_names_of_their_own() -> None:
    batch = leases_to_arrow([a_lease(lease_id="a"), a_lease(lease_id="b")])
    dearer = leases_to_arrow([a_lease(a_rent(amount=9000), lease_id="a"), a_lease(lease_id="b")])
    sent = BillRecordBatches("2026-02")(batch)

    assert {"policy": 2} == reasons(batch, policy=BillingPolicy(vat_rounding="per_line"))
    assert {"records": 1} == reasons([a_lease()])
    assert {} == reasons([])
    assert {"earlier_bills": 1} == reasons(dearer, already_billed=[sent])


def test_features_that_columns_know_apart_but_not_together_are_both_named() -> None:
    """The prices of a plan follow a quantity that changes after the opening period (A38)."""
    rent = a_rent(quantity_records=[QuantityRecord(value=2, start="2026-03-01")])
    plan = a_plan(adjustee_ref="recurring-1")
    alone, both = (leases_to_arrow([a_lease(rent, plans=each)]) for each in ([], [plan]))
    run = BillRecordBatches("2026-08", indices=NPI)

    assert {} == run.billed(alone).summary.scalar_reasons
    assert {("quantity_records",): [1], ("rent_adjustment_plans",): [1]} == dict(
        run.billed(both).summary.scalar_reasons
    )


def test_what_no_column_has_counts_as_its_type() -> None:
    """Texts that are not Unicode leave a batch; days that are in no table are other figures."""
    names = pa.array([b"\xff", b"ok"], pa.binary()).view(pa.string())
    batch = leases_to_arrow([a_lease(lease_id="a"), a_lease(lease_id="b")])
    broken = batch.set_column(batch.schema.get_field_index("lease_id"), "lease_id", names)
    form = lease_form(broken)
    run = AdjustRecordBatches("2300", on_problem="table")

    assert form is not None
    assert bill_batch(form, Period("2026-03-01", "2026-03-31"), BillingPolicy()) is None
    assert {"types": 2} == features_left(
        form, np.arange(2), BillingPolicy(), {}, np.zeros(2, np.bool_)
    )
    assert {("other",): [2]} == run.billed(batch).summary.scalar_reasons
