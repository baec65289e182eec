"""Words of the interface: read in any case and in the plural, written as the interface has them."""

import json
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.interface import ChangeLease, RecordPayout
from rentbilling.portfolio import TableMapping, bill_portfolio, leases_to_arrow
from rentbilling.testing import a_lease, a_plan, a_rent
from tests.support.rows import rows


def forms(*words: str) -> list[tuple[str, str]]:
    return [
        (form, word)
        for word in words
        for one in (word, f"{word}s")
        for form in (one, one.lower(), one.upper(), one.swapcase())
    ]


@rows(("form", "word"), forms("Month", "Year", "Week", "Day"))
def test_a_time_unit(form: str, word: str) -> None:
    """By hand, as JSON, in columns and in a flat table (A7)."""
    lease = json.loads(rb.dumps(a_lease(a_rent(), lease_id="a")))
    lease["recurringBillItems"][0]["billingCycle"]["timeUnit"] = form
    cycle = rb.BillingCycle(time_unit=form)
    data = rb.loads(json.dumps(lease), rb.LeaseTerms)
    mapping = TableMapping(
        {"id": "id"},
        {"amount": "rent", "moved_in": "start", "billing_cycle.time_unit": "every"},
        {"currency": "DKK"},
    )
    (flat,) = mapping.leases([{"id": "a", "rent": 1, "start": "2026-01-01", "every": form}])

    assert {word} == {
        *(each.recurring_bill_items[0].billing_cycle.time_unit for each in (data, flat)),
        *(cycle.time_unit, json.loads(rb.dumps(cycle))["timeUnit"]),
    }


def test_columns_have_time_units_in_any_case() -> None:
    table = leases_to_arrow([a_lease(lease_id="a")])
    items = table.column("recurring_bill_items").to_pylist()
    items[0][0]["billing_cycle"]["time_unit"] = "MONTHS"
    at = table.schema.get_field_index("recurring_bill_items")
    kind = table.schema.field(at).type
    run = bill_portfolio(
        table.set_column(at, table.schema.field(at), pa_array(items, kind)), "2026-02"
    )

    assert (1, 0) == (run.to_table().num_rows, run.summary.scalar_leases)


def pa_array(values: Any, kind: Any) -> Any:  # noqa: ANN401
    return pytest.importorskip("pyarrow").array(values, kind)


@rows(
    ("form", "word"),
    [
        *forms("Increment", "Index")[:12],
        *(("indices", "Index"), ("INDEXES", "Index"), ("Step", "Step"), ("Indexed", "Indexed")),
    ],
)
def test_an_adjustment_type(form: str, word: str) -> None:
    """Another word is kept as it came (A36)."""
    plan = json.loads(rb.dumps(a_plan()))
    rule = plan["rentAdjustmentRules"][0]
    rule["adjustmentType"] = form
    if word != "Index":
        rule["increments"] = [{"year": "2027", "percentage": 0.02, "recurrence": "RECURRING"}]
    found = rb.loads(json.dumps(plan), rb.RentAdjustmentPlan)
    written = json.loads(rb.dumps(found))["rentAdjustmentRules"][0]

    assert word == written["adjustmentType"]
    assert ["Recurring"] * (word != "Index") == [
        each["recurrence"] for each in written.get("increments", ())
    ]


@rows(("form", "word"), forms("Draft", "Active", "Ended"))
def test_a_state(form: str, word: str) -> None:
    given: Any = {"leaseId": "a", "operationalState": form}

    assert word == ChangeLease.model_validate(given).operational_state


@rows(("form", "word"), forms("Payment", "Refund"))
def test_a_reason(form: str, word: str) -> None:
    money = {"currency": "DKK", "amount": 1}
    given: Any = {"payoutDate": "2026-01-01", "net": money, "fees": money, "gross": money}
    given["gross"] = {"currency": "DKK", "amount": 2}

    assert word == RecordPayout.model_validate({**given, "payoutReason": form}).payout_reason


@rows("wrong", ["Fortnight", "monthss", "s", ""])
def test_another_word_is_refused(wrong: str) -> None:
    with pytest.raises(rb.InvalidInputError):
        rb.BillingCycle(time_unit=wrong)
