"""What was counted for a part is the same on a bill, in its JSON, on columns, for payers (A157)."""

from typing import Any

import rentbilling as rb
from rentbilling.billing import recurring_item
from rentbilling.payers import split_bill
from rentbilling.portfolio import bill_portfolio, bills_from_arrow
from rentbilling.values import plain_data
from tests.support.rows import rows

WEEKS = rb.BillingCycle(time_unit="Week")
FROM_DECEMBER = rb.BillingCycle(period_length=3, start=12)


def days(count: int, of: int) -> str:
    return f"{count} of {of} days"


@rows(
    ("expected", "day", "fields"),
    [
        ([days(17, 31)], "2026-07-01", {"ended_on": "2026-07-17"}),
        (["17 of 30 days (30/360)"], "2026-07-01",
         {"ended_on": "2026-07-17", "part_period": "thirty_day"}),
        ([days(17, 30)], "2026-07-01", {"ended_on": "2026-07-17", "part_period": "days_over_30"}),
        (["half a month"], "2026-07-01", {"ended_on": "2026-07-14", "part_period": "half_month"}),
        ([None], "2026-07-01", {"ended_on": "2026-07-14", "part_period": "full"}),
        ([days(3, 7)], "2026-06-29", {"ended_on": "2026-07-01", "billing_cycle": WEEKS}),
        # Quarters, in their own months.
        (["1 month and 20 of 31 days, of 3 months"], "2026-07-01",
         {"ended_on": "2026-08-20", "months": 3}),
        (["20 of 31 days, of 3 months"], "2026-07-01", {"ended_on": "2026-07-20", "months": 3}),
        (["2 months, of 3 months"], "2026-07-01", {"ended_on": "2026-08-31", "months": 3}),
        (["1 month and 20 of 30 days, of 3 months"], "2026-07-01",
         {"ended_on": "2026-08-20", "months": 3, "part_period": "days_over_30"}),
        (["1 month and a half, of 3 months"], "2026-07-01",
         {"ended_on": "2026-08-10", "months": 3, "part_period": "half_month"}),
        (["2 months, of 3 months"], "2026-07-01",
         {"ended_on": "2026-08-20", "months": 3, "part_period": "half_month"}),
        (["51 of 92 days"], "2026-07-01",
         {"ended_on": "2026-08-20", "months": 3, "part_period": "period_days"}),
        (["51 days of 365"], "2026-07-01",
         {"ended_on": "2026-08-20", "months": 3, "part_period": "year_365"}),
        (["31 days of 365 and 10 of 366"], "2027-12-01",
         {"ended_on": "2028-01-10", "billing_cycle": FROM_DECEMBER, "part_period": "year_actual"}),
        # 61 × 6 / 365 are more than a whole period of two months, which is all that is billed.
        (["1"], "2026-07-01", {"ended_on": "2026-08-30", "months": 2, "part_period": "year_365"}),
        # A change of the price splits a whole period by actual days, or by those of 30/360 …
        ([days(14, 31), days(17, 31)], "2026-07-01",
         {"amounts": {"2026-07-15": "600 DKK"}, "part_period": "year_365"}),
        (["10 of 31 days, of 3 months", "1 month and 21 of 31 and 5 of 30 days, of 3 months",
          "25 of 30 days, of 3 months"], "2026-07-01",
         {"amounts": {"2026-07-11": "600 DKK", "2026-09-06": "700 DKK"}, "months": 3}),
        (["14 of 30 days (30/360)", "16 of 30 days (30/360)"], "2026-07-01",
         {"amounts": {"2026-07-15": "600 DKK"}, "part_period": "thirty_day"}),
        # … whose days do not always add up to 30,
        (["30/31", "1/31"], "2026-07-01",
         {"amounts": {"2026-07-31": "600 DKK"}, "part_period": "thirty_day"}),
        # and no words are given where an end cuts it, too.
        (["1/3", "20/93"], "2026-07-01",
         {"amounts": {"2026-08-01": "600 DKK"}, "ended_on": "2026-08-20", "months": 3}),
    ],
)  # fmt: skip
def test_what_was_counted(expected: list[str | None], day: str, fields: dict[str, Any]) -> None:
    item = recurring_item("key:rent", "500 DKK", "2025-07-01", id="rent", **fields)
    lease, asked = rb.LeaseTerms.of(item, lease_id="A"), f"{day}/{day}"
    result = rb.pending_bills(lease, asked)
    (by_columns,) = bills_from_arrow(bill_portfolio([lease], asked).to_table())
    read = rb.loads(rb.dumps(result, full=True), into=rb.BillingResult)
    payers = split_bill(result[0], {"Ann": "1/2", "Bo": "1/2"})

    for each in (result, by_columns, read, payers):
        assert expected == [line.counted for line in each[0].lines]
    said = "all of" if expected[0] in (None, "1") else expected[0]
    assert said in " ".join(str(result).split())
    assert rb.dumps(result[0], full=True) == rb.dumps(by_columns[0], full=True)
    assert expected == [plain_data(line).get("counted") for line in result[0].lines]
