"""A month of leases as one bills it in plain Python: `Decimal`, dateutil, a loop, no package.

Law: from leases as rows of Arrow to bills as rows of Arrow, with lines and VAT of each line, as
`realistic` asks of both sides. It knows what `real_portfolios` makes with `whole`: cycles of
months, later prices, one discount, VAT on top, a yearly index between limits; nothing that changes
within a cycle.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

import pyarrow as pa
from dateutil.relativedelta import relativedelta

_CENT: Final = Decimal("0.01")
_DAY: Final = relativedelta(days=1)

Row = Mapping[str, Any]


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, ROUND_HALF_UP)


def plain_bills(leases: Any, first: date, last: date, index: Mapping[int, Decimal]) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the bills of a table of leases as a table, by the index of each October."""
    bills: list[dict[str, Any]] = []
    for lease in leases.to_pylist():
        due: dict[date, list[dict[str, Any]]] = {}
        plans = lease["rent_adjustment_plans"] or ()
        for place, item in enumerate(lease["recurring_bill_items"]):
            for line in _lines(item, plans[0] if plans and not place else None, index, first, last):
                due.setdefault(line["due_date"], []).append(line)
        for day, lines in sorted(due.items()):
            net = sum((line["net_price"] for line in lines), Decimal(0))
            vat = sum((line["vat"] for line in lines), Decimal(0))
            bills.append(
                {
                    "lease_id": lease["lease_id"],
                    "due_date": day,
                    "subtotal": net,
                    "total": net + vat,
                    "lines": lines,
                }
            )
    return pa.Table.from_pylist(bills)


def _lines(
    item: Row, plan: Row | None, index: Mapping[int, Decimal], first: date, last: date
) -> Iterator[dict[str, Any]]:
    opening = item["first_billing_period_bill_item"]
    if first <= opening["due_date"] <= last:
        period = opening["accounting_period"]
        price = opening["amount"]["amount"]
        yield _line(item, opening["due_date"], period["start"], period["end"], price)
    cycle = item["billing_cycle"]
    length = relativedelta(months=cycle["period_length"])
    start = date(first.year - 1, cycle["start"], 1)
    while start <= last:
        after = start + length
        if start >= first and start > opening["accounting_period"]["end"]:
            yield _line(item, start, start, after - _DAY, _price(item, plan, index, start))
        start = after


def _price(item: Row, plan: Row | None, index: Mapping[int, Decimal], day: date) -> Decimal:
    price: Decimal = item["amount"]["amount"]
    for record in item["amount_records"] or ():
        if record["start"] <= day:
            price = record["value"]["amount"]
    if plan is not None:
        rule = plan["rent_adjustment_rules"][0]
        opened = item["first_billing_period_bill_item"]["accounting_period"]["end"]
        for year in range(opened.year + 1, day.year + 1):
            change = index[year - 1] / index[year - 2] - 1
            if rule["maximum_percentage"] is not None:
                change = min(change, rule["maximum_percentage"])
            if rule["minimum_percentage"] is not None:
                change = max(change, rule["minimum_percentage"])
            price = _cents(price * (1 + change))
    discount = item["discount"]
    if discount is not None and day <= discount["end_date"]:
        price *= 1 - discount["percentage"]
    return price


def _line(item: Row, due: date, start: date, end: date, price: Decimal) -> dict[str, Any]:
    net = _cents(price)
    vat = _cents(net * (item["vat"]["tax_rate"] or Decimal(0)))
    return {
        "due_date": due,
        "product_key": item["product_key"],
        "start": start,
        "end": end,
        "net_price": net,
        "vat": vat,
    }
