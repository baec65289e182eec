"""Judges of invoices (Kill Bill): what a run adds to what earlier invoices have.

An event sets a price that holds until the next event of the same subscription; each such stretch is
a plan of its own, with its own short periods at both ends, and an item of its own. Earlier invoices
are earlier bills (A53). What comes back of them is our correction below zero, and days that the
peer bills anew are ours above zero.
What does not live here: which periods a plan has (`subscriptions_runs`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any

from rentbilling import (
    Amount,
    BillingResult,
    OneTimeBillItem,
    PendingBillLineItem,
    Period,
    RecurringBillItem,
    Vat,
    pending_bills,
)
from tests.outside.board import Case, Head, Verdict, failed, not_expressible
from tests.outside.peers.subscriptions_cycles import cycle_of
from tests.outside.peers.subscriptions_items import BY_PERIOD_DAYS, subscription, total
from tests.outside.peers.subscriptions_reading import (
    day,
    day_after,
    day_before,
    held,
    optional_day,
)
from tests.outside.peers.subscriptions_runs import Plan, in_the_run

_PERIODS, _ONCE, _CREDIT = "RECURRING", "FIXED", "REPAIR_ADJ"
_KINDS = frozenset({_PERIODS, _ONCE, _CREDIT})

Item = tuple[str, Any, date, date | None, Decimal]
"""Kind, subscription, first day, excluded end and amount of an invoice item."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an event asks for in periods, until the next event."""

    item: RecurringBillItem
    start: date
    mode: str

    def has(self, line: PendingBillLineItem, target: date) -> bool:
        """Return whether a run bills a line; the day before the start is none of the periods."""
        begun = line.accounting_period.start >= self.start
        return begun and bool(in_the_run([line], target, self.mode))


def items_owed(case: Case, _head: Head) -> Verdict:
    """Judge the items of a run beside those on earlier invoices, credits included."""
    given, expected = case["input"], case["expected"]
    stated = [_item(each) for each in expected.get("items", ())]
    if others := {kind for kind, *_ in stated} - _KINDS:
        return not_expressible(", ".join(sorted(kind.lower() for kind in others)))
    new = list(_left_to_bill(given))
    if Counter(stated) != Counter(new):
        return failed(f"items: expected {_shown(stated) or 'none'}, got {_shown(new) or 'none'}")
    balance = total((Amount(each[-1], given["currency"]) for each in new), given["currency"])
    return held({"balance": expected.get("balance", "0")}, {"balance": balance})


def _item(given: Mapping[str, Any]) -> Item:
    """Return an invoice item of a case; a price that is asked for once has no end."""
    kind = given["type"]
    end = None if kind == _ONCE else optional_day(given["end"])
    return kind, given["sub"], day(given["start"]), end, Decimal(given["amount"])


def _shown(items: Iterable[Item]) -> str:
    return "; ".join(f"{kind} {sub} {a}/{b} {amount}" for kind, sub, a, b, amount in items)


def _left_to_bill(given: Any) -> Iterator[Item]:  # noqa: ANN401
    """Give the invoice items that a run adds up to its target date."""
    target = day(given["target_date"])
    asked = {each.item.id: each for each in _asked(given)}
    days = [day(each["date"]) for each in given["events"]]
    days += [day(each["start"]) for each in given["existing_items"]]
    result = pending_bills(
        [*(each.item for each in asked.values()), *_once(given)],
        Period(min(target, *days), target),
        policy=BY_PERIOD_DAYS,
        already_billed=list(_earlier(given)),
    )
    subs = {str(each["sub"]): each["sub"] for each in (*given["events"], *given["existing_items"])}
    for line in (line for bill in result for line in bill.pending_bill_line_items):
        days_of, amount = line.accounting_period, line.net_price.amount
        sub, end = subs[_sub_in(line.item_id)], day_after(days_of.end)
        if line.kind == "one_time":
            yield _ONCE, sub, days_of.start, None, amount
        elif line.kind == "correction" and amount < 0:
            # The peer's credits name no subscription.
            yield _CREDIT, None, days_of.start, end, amount
        elif line.kind == "correction" or asked[line.item_id].has(line, target):
            yield _PERIODS, sub, days_of.start, end, amount


def _name(kind: str, since: date, price: Decimal, sub: object) -> str:
    """Return the id of what an event asks for: its kind, day, price and subscription."""
    return f"{kind} {since} {price} {sub}"


def _sub_in(name: str | None) -> str:
    return str(name).split(" ", 3)[3]


def _plain(text: str) -> Decimal:
    """Return a number without the zeros that a peer prints behind it (0E-9, 12.000000000)."""
    return Decimal(text).normalize() + 0


# -------------------------------------------------------------------------------- what is owed


def _asked(given: Any) -> Iterator[Asked]:  # noqa: ANN401
    """Give what the events of a case ask for in periods; one of the same day replaces another."""
    by_sub: dict[Any, list[Mapping[str, Any]]] = {}
    for event in given["events"]:
        by_sub.setdefault(event["sub"], []).append(event)
    for sub, events in by_sub.items():
        ends = [day(later["date"]) for _, later in pairwise(events)]
        for event, end in zip(events, [*ends, None], strict=True):
            start = day(event["date"])
            if event["recurring_price"] is None or end == start:
                continue
            price = _plain(event["recurring_price"])
            plan = Plan.given(event["period"], event["bcd"], start, end)
            item = plan.billed(
                Amount(price * int(event["quantity"] or 1), given["currency"]),
                item_id=_name(_PERIODS, start, price, sub),
            )
            yield Asked(item, start, event["mode"])


def _once(given: Any) -> list[OneTimeBillItem]:  # noqa: ANN401
    """Return what the events of a case ask for once; what is asked for twice alike is one."""
    wanted = {
        _name(_ONCE, day(event["date"]), _plain(event["fixed_price"]), event["sub"]): event
        for event in given["events"]
        if event["fixed_price"] is not None
    }
    return [
        _one_time(name, _plain(event["fixed_price"]), day(event["date"]), given["currency"])
        for name, event in wanted.items()
    ]


def _one_time(name: str, price: Decimal, there: date, currency: str) -> OneTimeBillItem:
    return OneTimeBillItem(
        id=name,
        product_key="key:fixed",
        amount=Amount(price, currency),
        vat=Vat("Exempt"),
        due_date=there,
        accounting_period=Period(there, there),
    )


# --------------------------------------------------------------------------- what was billed


def _earlier(given: Any) -> Iterator[BillingResult]:  # noqa: ANN401
    """Give each item of earlier invoices as a bill of its own: its amount, for its days."""
    for each in given["existing_items"]:
        _, _, start, end, amount = _item(each)
        name = _billed_as(each, given)
        item: RecurringBillItem | OneTimeBillItem
        if each["type"] == _ONCE:
            item = _one_time(name, amount, start, given["currency"])
        else:
            days = Period(start, day_before(end or start))
            price = Amount(amount, given["currency"])
            item = subscription(price, cycle_of(days), start, item_id=name)
        yield pending_bills(item, Period(start, start), policy=BY_PERIOD_DAYS)


def _billed_as(billed: Mapping[str, Any], given: Any) -> str:  # noqa: ANN401
    """Return the id of what an earlier item was billed for, whether or not it is still asked for.

    Of periods that is the last event by then of its subscription and price.
    """
    if billed["type"] == _CREDIT:
        return _billed_as(_credited_by(billed, given["existing_items"]), given)
    sub, since = billed["sub"], day(billed["start"])
    if billed["type"] == _ONCE:
        return _name(_ONCE, since, _plain(billed["amount"]), sub)
    price = _plain(billed["rate"])
    days = [
        day(event["date"])
        for event in given["events"]
        if event["sub"] == sub and event["recurring_price"] is not None
        if _plain(event["recurring_price"]) == price and day(event["date"]) <= since
    ]
    return _name(_PERIODS, max(days, default=since), price, sub)


def _credited_by(credit: Mapping[str, Any], existing: Sequence[Any]) -> Mapping[str, Any]:
    """Return the item that a credit takes back, of which it names nothing but the days.

    It is an item that holds those days: the one that it takes back as a whole, or else the one that
    ends with them.

    Raises:
        ValueError: No item holds its days.
    """
    mine = _item(credit)
    holding = [each for each in existing if each["type"] == _PERIODS and _inside(mine, _item(each))]
    if not holding:
        raise ValueError(f"a credit of nothing that was billed: {_shown([mine])}")
    return min(holding, key=lambda each: _distance(mine, _item(each)))


def _distance(credit: Item, item: Item) -> tuple[bool, bool]:
    """Return how far an item is from what a credit takes back, the nearest first."""
    ends_with = credit[3] == item[3]
    return not (ends_with and credit[2] == item[2] and credit[-1] == -item[-1]), not ends_with


def _inside(item: Item, other: Item) -> bool:
    return other[2] <= item[2] and (
        other[3] is None or (item[3] is not None and item[3] <= other[3])
    )
