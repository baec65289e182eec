"""Leases worked out by hand: several rules on a day, waiting, records, balances (A18, A33-A40)."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from rentbilling import BillingPolicy, IndexSeries, LeaseTerms, rent_adjustments
from rentbilling.errors import InvalidAdjustmentRuleError
from tests.support.rows import rows

CASES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("adjustments_by_hand.json").read_text(encoding="utf-8"),
    parse_float=Decimal,
)["cases"]


Row = dict[str, str | Decimal]


def found(case: dict[str, Any]) -> list[Row]:
    """Return the adjustments of a case: the day, the amount, and the balance where there is one."""
    series = case["series"]
    prices = IndexSeries(series["name"], series["values"], base=series["base"])
    result = rent_adjustments(
        LeaseTerms.model_validate(case["lease"]),
        case["period"],
        indices=prices,
        policy=BillingPolicy.from_data(case["policy"] | {"version": 1}),
    )
    rows: list[Row] = []
    for each in result:
        row: Row = {"on": str(each.adjusted_on)}
        if each.to_period_amount is not None:
            row["amount"] = each.to_period_amount.amount
        if each.to_balance_amount is not None:
            row["balance"] = each.to_balance_amount.amount
        rows.append(row)
    return rows


def expected(case: dict[str, Any]) -> list[Row]:
    return [
        {name: each[name] if name == "on" else Decimal(each[name]) for name in each}
        for each in case["expected"]
    ]


@rows("case", CASES)
def test_a_lease_worked_out_by_hand(case: dict[str, Any]) -> None:
    if case["expected"] == "refused":
        with pytest.raises(InvalidAdjustmentRuleError):
            found(case)
    else:
        assert found(case) == expected(case), case["by_hand"]
