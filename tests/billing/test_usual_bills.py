"""What managers bill beside whole months, said with the terms that a lease has."""

from decimal import Decimal

from rentbilling import Amount, Discount, FirstBillingPeriodBillItem, pending_bills
from rentbilling.billing import one_time_item, recurring_item
from rentbilling.terms import OneTimeBillItem, RecurringBillItem
from tests.support.rows import rows

Item = RecurringBillItem | OneTimeBillItem

# The first payment is a whole month; the second month makes good the days before moving in:
# 18 of 365 days at 12 × 2,590 are 1,532.71, and 1,057.29 less than a month.
SECOND_MONTH_LESS = recurring_item(
    "key:rent",
    "2590 USD",
    moved_in="2025-03-14",
    part_period={"first": "full"},
    discounts=[
        Discount(amount=Amount.parse("1057.29 USD"), start_date="2025-04-01", end_date="2025-04-30")
    ],
)
# Thirty days from moving in, then 13 of 30 days to the end of the month: 900 × 13/30 = 390.
FIRST_THIRTY_DAYS = recurring_item(
    "key:rent",
    "900 USD",
    moved_in="2025-12-20",
    first_billing_period_bill_item=FirstBillingPeriodBillItem(
        amount=Amount.parse("900 USD"),
        due_date="2025-12-20",
        accounting_period="2025-12-20/2026-01-18",
    ),
)
THIRTEEN_DAYS = one_time_item("key:rent", "390 USD", due_date="2026-01-19")
# 38.50 a day: 31 days are 1,193.50, 28 are 1,078.00.
BY_THE_DAY = recurring_item(
    "key:rent",
    "38.50 EUR",
    moved_in="2025-12-01",
    quantity=31,
    quantities={"2026-01-01": 31, "2026-02-01": 28, "2026-03-01": 31},
)
# 53 weeks of 80.00 are 4,240 a year, 52 of 200.00 are 10,400; each twelfth keeps the cents
# (353.33, 706.67, 1,060.00; 866.67, 1,733.33, 2,600.00).
WEEKS_53 = recurring_item("key:rent", "4240 GBP", moved_in="2024-04-01", price_per="year")
WEEKS_52 = recurring_item("key:rent", "10400 NZD", moved_in="2024-04-01", price_per="year")
# The tenant stays after 31 March at 150 %: 15,000, and 15,000 × 12/31 = 5,806.45.
STAYS_ON = recurring_item(
    "key:rent",
    "10000 USD",
    moved_in="2025-04-01",
    ended_on="2026-05-12",
    amounts={"2026-04-01": "15000 USD"},
)


@rows(
    ("items", "period", "expected"),
    [
        (
            [SECOND_MONTH_LESS],
            "2025-03-01/2025-05-31",
            {"2025-03-14": "2590.00", "2025-04-01": "1532.71", "2025-05-01": "2590.00"},
        ),
        (
            [FIRST_THIRTY_DAYS, THIRTEEN_DAYS],
            "2025-12-01/2026-02-28",
            {"2025-12-20": "900.00", "2026-01-19": "390.00", "2026-02-01": "900.00"},
        ),
        (
            [BY_THE_DAY],
            "2026-01-01/2026-03-31",
            {"2026-01-01": "1193.50", "2026-02-01": "1078.00", "2026-03-01": "1193.50"},
        ),
        (
            [WEEKS_53],
            "2024-05-01/2024-07-31",
            {"2024-05-01": "353.33", "2024-06-01": "353.34", "2024-07-01": "353.33"},
        ),
        (
            [WEEKS_52],
            "2024-05-01/2024-07-31",
            {"2024-05-01": "866.67", "2024-06-01": "866.66", "2024-07-01": "866.67"},
        ),
        (
            [STAYS_ON],
            "2026-04-01/2026-05-31",
            {"2026-04-01": "15000.00", "2026-05-01": "5806.45"},
        ),
    ],
)
def test_a_usual_bill_can_be_said(items: list[Item], period: str, expected: dict[str, str]) -> None:
    bills = pending_bills(items, period)

    assert expected == {str(bill.due_date): str(bill.total.amount) for bill in bills}


def test_a_year_of_weeks_keeps_its_cents() -> None:
    """53 × 80 and 52 × 200."""
    for item, year in ((WEEKS_53, 4240), (WEEKS_52, 10400)):
        bills = pending_bills(item, "2025")
        assert Decimal(year) == sum(bill.total.amount for bill in bills)
