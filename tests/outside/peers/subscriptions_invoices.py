"""Judges of invoices (Kill Bill): what a run adds to what earlier invoices have.

An event sets a price that holds until the next event of the same subscription; each such stretch is
a plan of its own, with its own short periods at both ends.
What does not live here: which periods a plan has (`subscriptions_runs`), credits of what was billed
before (A53).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any

from rentbilling import Amount, OneTimeBillItem, Period, Vat, pending_bills
from tests.outside.board import PASSED, Case, Head, Verdict, failed, not_expressible
from tests.outside.peers.subscriptions_items import total
from tests.outside.peers.subscriptions_reading import day, day_after, held, optional_day
from tests.outside.peers.subscriptions_runs import Plan, lines_of_run

Item = tuple[str, Any, date, date | None, Decimal]
"""Kind, subscription, first day, excluded end and amount of an invoice item."""


def items_owed(case: Case, _head: Head) -> Verdict:
    """Judge the items of a run that are not on an earlier invoice."""
    given, expected = case["input"], case["expected"]
    stated = [_item(each) for each in expected.get("items", ())]
    kinds = {kind for kind, *_ in stated}
    if kinds - {"RECURRING", "FIXED"}:
        usage = "USAGE" in kinds
        return not_expressible("usage" if usage else "credit of what was billed before (A53)")
    existing = [_item(each) for each in given["existing_items"]]
    new, corrected = _not_yet_billed(_owed(given), existing)
    if corrected:
        return not_expressible("correction of what was billed before (A53)")
    if expected.get("no_invoice"):
        return PASSED if not new else failed(f"no invoice expected, got {_shown(new)}")
    if Counter(stated) != Counter(new):
        return failed(f"items: expected {_shown(stated)}, got {_shown(new)}")
    balance = total((Amount(each[-1], given["currency"]) for each in new), given["currency"])
    return held({"balance": expected["balance"]}, {"balance": balance})


def _item(given: Mapping[str, Any]) -> Item:
    """Return an invoice item of a case; a price that is asked for once has no end."""
    kind = given["type"]
    end = None if kind == "FIXED" else optional_day(given["end"])
    return kind, given["sub"], day(given["start"]), end, Decimal(given["amount"])


def _shown(items: Iterable[Item]) -> str:
    """Return items as a short text."""
    return "; ".join(f"{kind} {sub} {a}/{b} {amount}" for kind, sub, a, b, amount in items)


def _owed(given: Any) -> list[Item]:  # noqa: ANN401
    """Return all that the events of a case give by the target date."""
    target = day(given["target_date"])
    by_sub: dict[Any, list[Mapping[str, Any]]] = {}
    for event in given["events"]:
        by_sub.setdefault(event["sub"], []).append(event)
    owed: list[Item] = []
    for sub, events in by_sub.items():
        ends = [day(later["date"]) for _, later in pairwise(events)]
        for event, end in zip(events, [*ends, None], strict=True):
            if day(event["date"]) <= target:
                owed += _fixed(sub, event, given["currency"])
                owed += _recurring(sub, event, end, target, given["currency"])
    return owed


def _fixed(sub: object, event: Mapping[str, Any], currency: str) -> list[Item]:
    """Return the price that an event asks for once."""
    if event["fixed_price"] is None:
        return []
    there = day(event["date"])
    item = OneTimeBillItem(
        product_key="key:fixed",
        amount=Amount(_plain(event["fixed_price"]), currency),
        vat=Vat("Exempt"),
        due_date=there,
        accounting_period=Period(there, there),
    )
    net = total((bill.total for bill in pending_bills(item, Period(there, there))), currency)
    return [("FIXED", sub, there, None, net.amount)]


def _recurring(
    sub: object, event: Mapping[str, Any], end: date | None, target: date, currency: str
) -> list[Item]:
    """Return the periods of the price that an event sets, until the next event."""
    start = day(event["date"])
    if event["recurring_price"] is None or end == start:
        return []
    price = Amount(_plain(event["recurring_price"]) * int(event["quantity"] or 1), currency)
    item = Plan.given(event["period"], event["bcd"], start, end).billed(price)
    return [
        (
            "RECURRING",
            sub,
            line.accounting_period.start,
            day_after(line.accounting_period.end),
            line.net_price.amount,
        )
        for line in lines_of_run(item, start, target, event["mode"])
    ]


def _plain(text: str) -> Decimal:
    """Return a number without the zeros that a peer prints behind it (0E-9, 12.000000000)."""
    return Decimal(text).normalize() + 0


def _not_yet_billed(owed: Sequence[Item], existing: Sequence[Item]) -> tuple[list[Item], bool]:
    """Return what no earlier invoice has, and whether one has it with another sum."""
    new: list[Item] = []
    corrected = False
    for item in owed:
        billed = _billed_for(item, existing)
        if not billed:
            new.append(item)
        elif item[0] == "RECURRING" and sum(each[-1] for each in billed) != item[-1]:
            corrected = True
    return new, corrected


def _billed_for(item: Item, existing: Sequence[Item]) -> list[Item]:
    """Return the earlier items, and their credits, that bill the days of an item."""
    kind, sub, start, end, amount = item
    if kind == "FIXED":
        return [each for each in existing if each[:3] == item[:3] and each[-1] == amount]
    own = [
        each
        for each in existing
        if each[0] == "RECURRING" and each[1] == sub and _overlap(each, start, end)
    ]
    credited = [
        each for each in existing if each[0] == "REPAIR_ADJ" and _credited_by(each, existing) in own
    ]
    return own + credited


def _credited_by(credit: Item, existing: Sequence[Item]) -> Item | None:
    """Return the item that a credit takes back, of which it names nothing but the days.

    It is the item that holds those days, and of several the one that ends with them.
    """
    holding = [each for each in existing if each[0] == "RECURRING" and _inside(credit, each)]
    return next((each for each in holding if each[3] == credit[3]), next(iter(holding), None))


def _overlap(item: Item, start: date, end: date | None) -> bool:
    """Return whether an item has days of a half-open period."""
    return (end is None or item[2] < end) and (item[3] is None or start < item[3])


def _inside(item: Item, other: Item) -> bool:
    """Return whether all days of an item lie within another."""
    return other[2] <= item[2] and (
        other[3] is None or (item[3] is not None and item[3] <= other[3])
    )
