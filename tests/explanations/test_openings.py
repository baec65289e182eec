"""The amount of an opening period: worked out where a word gives it, else agreed (A14, A154)."""

from decimal import Decimal
from typing import Any

import rentbilling as rb
from rentbilling.billing import recurring_item
from tests.support.explained import check
from tests.support.rents import amount
from tests.support.rows import rows

MARCH: dict[str, Any] = {"moved_in": "2025-03-10", "price": "4250 EUR"}
QUARTER: dict[str, Any] = {"moved_in": "2026-02-10", "months": 3}
THIRTY, FULL = rb.BillingPolicy(part_period="thirty_day"), rb.BillingPolicy(part_period="full")
TENTH = rb.Discount(percentage=Decimal("0.1"), end_date="2026-03-15")


def opened(
    price: str = "9000 DKK",
    stated: str | None = None,
    **known: Any,  # noqa: ANN401
) -> rb.RecurringBillItem:
    item = recurring_item("key:rent", price, **known)
    first = item.first_billing_period_bill_item
    if stated is None:
        return item
    return item.evolve(first_billing_period_bill_item=first.evolve(amount=amount(stated)))


@rows(
    ("said", "item", "policy"),
    [
        # 10 to 31 March are 22 of 31 days, and 21 of 30 by 30/360.
        ("rounded half up to 0.01; as actual_days counts: 4,250.00 × 22/31 [A14]",
         opened(**MARCH), {}),
        ("net price: 2,975.00 EUR; as thirty_day counts: 4,250.00 × 21/30 [A14]",
         opened(stated="2975 EUR", **MARCH), {}),
        ("net price: 3,000.00 EUR; agreed for the opening period [A12]",
         opened(stated="3000 EUR", **MARCH), {}),
        ("net price: 4,250.00 EUR; a whole period [A14]",
         opened("4250 EUR", moved_in="2025-03-01"), {}),
        # Above 14 days half_month and full say the same: the run's own word goes first.
        ("; as half_month counts: 4,250.00 × 1 [A14]", opened(stated="4250 EUR", **MARCH), {}),
        ("; as full counts: 4,250.00 × 1 [A14]", opened(stated="4250 EUR", **MARCH),
         {"part_period": "full"}),
        # 9,000 × (19/28 + 1) / 3, for each of three units; and 80 for every 14 days.
        ("opening price: 5,035.7142…; as actual_days counts: 9,000.00 × 47/84 [A14]",
         opened(quantity=3, **QUARTER), {}),
        ("; as actual_days counts: 80.00 × 6/14 [A14]", opened("80 DKK", moved_in="2026-02-10",
         billing_cycle=rb.BillingCycle(time_unit="Week", period_length=2)), {}),
        # 2,250 a quarter, a tenth less until 15 March: (19/28 + 15/31) / 3 and (16/31) / 3.
        ("exact price: 1,171.7453… = 784.6486… + 387.0967… [A14]",
         opened(price_per="year", discounts=[TENTH], **QUARTER), {}),
        ("; as actual_days counts: 83.3333… × 19/28 [A14]",
         opened("1000 DKK", price_per="year", moved_in="2026-02-10"), {}),
        # 21 and 30 of 90 days at 80 and 90: 18.666… + 30, the price before plans.
        ("opening price: 146/3 (48.6666…); as thirty_day counts [A14]",
         opened("80 DKK", quantity=100, amounts={"2026-03-01": "90 DKK"}, policy=THIRTY,
                **QUARTER),
         {"part_period": "thirty_day"}),
        # To the end of the year, more than two cycles of five months.
        ("; as full counts: 9,000.00 × 3 [A14]",
         opened(moved_in="2026-02-10", months=5, policy=FULL), {"part_period": "full"}),
        ("; as actual_days counts: 9,000.00 × 299/140 [A14]",
         opened(moved_in="2026-02-10", months=5), {}),
        # The stated price of a unit is before the discount of A24, which the policy takes off.
        ("for a quantity of 100; as actual_days counts: 8.50 × 19/28 [A14]",
         opened("8.50 DKK", quantity=100, moved_in="2026-02-10", discount=TENTH,
                policy=rb.BillingPolicy(discount_opening=True)),
         {"discount_opening": True}),
    ],
)  # fmt: skip
def test_an_opening(said: str, item: rb.RecurringBillItem, policy: dict[str, Any]) -> None:
    result = rb.pending_bills(item, "2025-03-01/2026-02-28", policy=rb.BillingPolicy(**policy))
    found = str(rb.explain(result, bill=0, line=0))
    check(result)

    assert said in found
    assert ("agreed" in said) == ("agreed" in found)
