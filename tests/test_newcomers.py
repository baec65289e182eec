"""What three newcomers type: a developer of a server, a tester, and an analyst."""

from collections.abc import Iterable
from datetime import date

import pytest

import rentbilling as rb
from rentbilling.billing import one_time_item, recurring_item
from rentbilling.whatif import cap, give_discount, raise_rent


def totals(bills: Iterable[rb.PendingBill]) -> list[tuple[str, str]]:
    return [(str(each.due_date), str(each.total)) for each in bills]


def test_a_developer_bills_a_lease_of_2019_month_by_month() -> None:
    """16 of June's 30 days at 7,900 are 4,213.33. In 2026: 8,500 and 500 with 25 %, 9,125.

    A rent of 8,600 from March on, agreed after March was billed, adds 100 to the bill of April.
    """
    rent = rb.monthly_rent("7900 DKK", "2019-06-15", amounts={"2024-01-01": "8500 DKK"}, id="rent")
    heating = recurring_item("key:heating", "500 DKK", "2025-12-01", vat="Exclusive 25%", id="heat")
    lease = rb.LeaseTerms.of(rent, heating, lease_id="lease-1", contract_end="2026-06-30")

    opening = rent.first_billing_period_bill_item
    assert "4213.33 DKK for 2019-06-15/2019-06-30, due 2019-06-15" == (
        f"{opening.amount} for {opening.accounting_period}, due {opening.due_date}"
    )
    march = rb.pending_bills(lease, "2026-03")
    assert [("2026-03-01", "9125.00 DKK")] == totals(march)
    assert [] == totals(rb.pending_bills(lease, "2026-03", already_billed=march))
    assert [] == totals(rb.pending_bills(lease, "2026-07"))
    assert lease == rb.loads(rb.dumps(lease))

    raised = rb.AmountRecord(value=rb.Amount(8600, "DKK"), start=date(2026, 3, 1))
    records = [*rent.amount_records, raised]
    dearer = rb.LeaseTerms.of(rent.evolve(amount_records=records), heating, lease_id="lease-1")
    april = rb.pending_bills(dearer, "2026-04", already_billed=march)
    assert [("2026-04-01", "9325.00 DKK")] == totals(april)


def test_a_tester_writes_down_what_a_bill_must_say() -> None:
    """Half of February and March are (14/28 + 1) / 3 of 25,500: 12,750.

    450 with 25 % inside are 360 and 90. Keys for 250 are on a bill of their own day.
    """
    rent = recurring_item("key:rent", "25500 DKK", "2026-02-15", months=3)
    parking = recurring_item("key:parking", "450 DKK", "2026-03-01", vat="Inclusive 25%")
    keys: rb.OneTimeBillItem = one_time_item("key:keys", "250 DKK", "2026-03-15")

    assert [("2026-02-15", "12750.00 DKK"), ("2026-04-01", "25500.00 DKK")] == totals(
        rb.pending_bills(rent, ("2026-01-01", "2026-06-30"))
    )
    bills = rb.pending_bills(rb.LeaseTerms.of(parking, keys), "2026-03")
    assert [("2026-03-01", "450.00 DKK"), ("2026-03-15", "250.00 DKK")] == totals(bills)
    assert ("360.00 DKK", "90.00 DKK") == (
        str(bills[0].subtotal),
        str(bills[0].vat_totals[0].amount),
    )
    assert "line 1 of 1" == rb.explain(bills, bill=0, line=0).label
    # Every default is in the record, and another one is written by the name of its field.
    late = parking.evolve(due_date_rule={"day_of_period": 10}, discount={"percentage": "10%"})
    assert [("2026-04-10", "405.00 DKK")] == totals(rb.pending_bills(late, "2026-04"))


def test_an_analyst_asks_what_a_cap_is_worth_from_now_on() -> None:
    """6 % by the index in 2027 and 2028: 10,000, 10,600, 11,236; with a cap from 2028 11,024."""
    october = rb.RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10)
    plan = rb.RentAdjustmentPlan(rent_adjustment_rules=(october,))
    lease = rb.LeaseTerms.of(rb.monthly_rent("10000 DKK", moved_in="2026-01-01"), plan)
    index = rb.IndexSeries("CPI", {"2025-10": 100, "2026-10": 106, "2027-10": "112.36"})

    with pytest.raises(rb.MissingIndexError, match="pass it as one of indices="):
        rb.bill_period(lease, "2028-01")
    with pytest.raises(
        rb.MissingIndexError, match=r'extended\(\).*_index="notice".*"missingIndex"'
    ):
        rb.bill_period(lease, "2029-01", indices=index)
    answer = rb.what_if(
        lease,
        cap("4%"),
        cap("4%", on="start"),
        raise_rent("3%"),
        give_discount("10%"),
        period="2028-01",
        indices=index,
    )
    rows = [(row["scenario"], str(row["amount"])) for row in answer.rows()]
    assert [
        ("cap 4 %", "11024.00"),
        ("cap 4 % since the beginning", "10816.00"),
        ("key:rent +3 %", "11573.08"),
        ("key:rent 10 % off", "10112.40"),
    ] == rows
    assert "key:rent +3 %: from 2028-01-01, the first day of the period" in str(answer)

    # 11,236 × 1.02 = 11,460.72 a month in 2029, by an assumed value.
    ahead = rb.forecast(lease, years=4, indices=index.extended("2%", "2030"))
    assert "137528.64" == str(ahead.yearly().rows()[-1]["gross"])
