"""What results say as rows, and as the data frames that are made of them."""

from datetime import date
from decimal import Decimal

from rentbilling import pending_bills, rent_adjustments
from rentbilling.tables import Table, columns
from rentbilling.testing import a_bill, a_lease, a_line, a_plan, a_rent, an_index

YEARS = "2027-01-01/2028-12-31"
INDEX = an_index({"2025-10": 100, "2026-10": 106, "2027-10": "106"})


def test_an_adjustment_has_a_row_for_each_rule() -> None:
    """Six percent, held to four: 10,000 become 10,400; amounts are of a period, and of a year."""
    lease = a_lease(a_rent(amount=10_000), plans=[a_plan(maximum="0.04")])

    result = rent_adjustments(lease, YEARS, indices=INDEX)
    first, second = result.rows()

    assert [column.name for column in result.columns] == list(first) == list(second)
    assert {
        "adjusted_on": date(2027, 1, 1),
        "adjustee_id": "recurring-1",
        "plan_id": "plan-1",
        "rule_id": "rule-1",
        "currency": "DKK",
        "from_period_amount": Decimal("10000.00"),
        "to_period_amount": Decimal("10400.00"),
        "period_amount_change": Decimal("400.00"),
        "from_yearly_amount": Decimal("120000.00"),
        "to_yearly_amount": Decimal("124800.00"),
        "yearly_amount_change": Decimal("4800.00"),
        "from_balance_amount": None,
        "to_balance_amount": None,
        "balance_amount_change": None,
        "calculated_percentage": Decimal("0.06"),
        "applied_percentage": Decimal("0.04"),
        "minimum_percentage": None,
        "maximum_percentage": Decimal("0.04"),
        "from_index": Decimal(100),
        "to_index": Decimal(106),
        "from_point": "2025-10",
        "to_point": "2026-10",
        "reasons": "maximum",
    } == first
    assert (Decimal(0), None) == (second["applied_percentage"], second["reasons"])


def test_a_bill_alone_has_the_columns_of_all_bills() -> None:
    bill = a_bill(a_line(amount=100))

    (row,) = bill.rows()

    assert [column.name for column in bill.columns] == list(row)
    assert (None, None, Decimal("100.00")) == (row["lease_id"], row["item_id"], row["gross"])


def test_a_result_is_a_data_frame() -> None:
    bills = pending_bills(a_rent(amount="8500.10"), "2026-02-01/2026-04-30")

    frame = bills.to_pandas()

    assert [column.name for column in bills.columns] == list(frame.columns)
    assert Decimal("25500.30") == sum(frame["gross"])
    assert 1 == len(Table(columns(whole="number"), [(1,)]).to_pandas())
