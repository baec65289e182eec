"""Kill Bill: what a run bills, and what it adds to earlier invoices.

A cycle begins on its billing day of the month. The days before its first date are a part period of
the period that ends there, counted back plainly from that date. A run in advance bills each period
that begins by the target date; in arrears each that has ended by then; in arrears greedily each
that has begun.
An event sets a price until the next event of the same subscription; each such stretch is
a plan of its own, with its own short periods at both ends, and an item of its own. Earlier invoices
are earlier bills (A53). A credit is our correction below zero, and days that the system bills anew
are ours above zero.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final

import rentbilling as rb
from rentbilling.schedule import period_share
from tests.outside.board import MismatchError, UnsaidError
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures

# --------------------------------------------------------------------------------------- runs

_DIGITS: Final = 9
_CYCLES: Final = rb.Amount(10**_DIGITS, "JPY")
"""A price whose whole units are the ninth decimal of a fraction: billed amounts are fractions with
nine decimals, each rounded once."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A subscription as a run sees it: its cycle, its first day and the day after its last."""

    step: days.Step
    cycle: rb.BillingCycle
    start: date
    end: date | None

    @classmethod
    def given(cls, period: str, billing_day: Any, start: date, end: date | None) -> "Plan":  # noqa: ANN401
        """Return the plan of a case; days and weeks have no billing day."""
        step = days.step(period)
        day_of_month = int(billing_day or 0) or start.day
        cycle = days.anchored(step, start, start_day=day_of_month if step.keeps_the_day else None)
        return cls(step, cycle, start, end)

    @property
    def first_date(self) -> date:
        return days.first(self.cycle, self.start).start

    def billed_to(self, lines: Sequence[rb.PendingBillLineItem], target: date) -> date | None:
        """Return the day to which a run has billed, excluded; None if it has reached no date."""
        if lines:
            return days.after(lines[-1].accounting_period.end)
        return self.start if self.first_date == self.start <= target else None

    def next_after(self, billed: date | None) -> date:
        """Return the first cycle date after a day, or the first of all."""
        if billed is None:
            return self.first_date
        years = self.step.years(1) + billed.year - self.start.year
        dates = days.regular(self.cycle, self.start, days.years_on(self.start, years))
        return next(period.start for period in dates if period.start > billed)

    def billed(self, price: rb.Amount, name: str = "plan") -> rb.RecurringBillItem:
        last = days.before(self.end) if self.end else None
        opens = self._opening(price)
        return rents.rent(price, self.cycle, self.start, opens=opens, id=name, ended_on=last)

    def _opening(self, price: rb.Amount) -> rb.FirstBillingPeriodBillItem | None:
        """Return the days before the first cycle date, at their share of the price.

        An end among them cuts them, which the price of an opening period does not know (A14).
        """
        first = self.first_date
        end = min(first, self.end or first)
        if first == self.start or end <= self.start:
            return None
        plain = days.anchored(self.step, first)
        if end == first:
            return rb.first_billing_period(price, plain, self.start, policy=rents.BY_DAYS)
        part = rb.Period(self.start, days.before(end))
        whole = rb.Period(days.moved(first, self.step, -1), days.before(first))
        share = period_share(part, plain, whole=whole, policy=rents.BY_DAYS)
        return rents.opening(rents.part_of(price, share), part)


def _in_the_run(
    lines: Iterable[rb.PendingBillLineItem], target: date, mode: str
) -> list[rb.PendingBillLineItem]:
    """Return the lines that a run bills, of those that begin by its target date."""
    if mode == "IN_ARREAR":
        return [line for line in lines if line.accounting_period.end < target]
    if mode == "IN_ARREAR_GREEDY":
        return [line for line in lines if line.accounting_period.start < target]
    return list(lines)


def _planned(given: Asked) -> tuple[Plan, date]:
    start, end = days.of(given["start"]), days.maybe(given.get("end"))
    plan = Plan.given(given["period"], given["bcd"], start, end)
    return plan, days.of(given["target_date"])


def _lines(plan: Plan, target: date, mode: str) -> list[rb.PendingBillLineItem]:
    """Return the lines of one run; a target before the start is refused by the library."""
    reach = rb.Period(plan.start, target)
    lines = rents.lines_due(plan.billed(_CYCLES), reach.start, reach.end)
    return _in_the_run(lines, target, mode)


def _as_fraction(amount: rb.Amount) -> Decimal:
    return amount.amount.scaleb(-_DIGITS)


def cycles_owed(given: Asked) -> Figures:
    """Answer the periods that a run bills, as fractions of a cycle, and the date that is next."""
    plan, target = _planned(given)
    lines = _lines(plan, target, given["mode"])
    if "error" in given.expected:
        raise MismatchError(f"error: expected {given.expected['error']}, got {len(lines)} lines")
    items = [
        dict(zip(("start", "end"), days.ends(line.accounting_period), strict=True))
        | {"cycles": _as_fraction(line.net_price)}
        for line in lines
    ]
    return {
        "items": items,
        "total_cycles": _as_fraction(rents.net(lines, _CYCLES.currency)),
        "next": plan.next_after(plan.billed_to(lines, target)),
    }


def run_dates(given: Asked) -> Figures:
    plan, target = _planned(given)
    lines = _lines(plan, target, given["mode"]) if target >= plan.start else []
    billed_to = plan.billed_to(lines, target)
    return {
        "firstBillingCycleDate": plan.first_date,
        "effectiveEndDate": billed_to,
        "nextBillingCycleDate": plan.next_after(billed_to),
        "hasSomethingToBill": billed_to is not None,
    }


# ----------------------------------------------------------------------------------- invoices

_PERIODS, _ONCE, _CREDIT = "RECURRING", "FIXED", "REPAIR_ADJ"

Item = tuple[str, Any, date, date | None, Decimal]
"""Kind, subscription, first day, excluded end and amount of an invoice item."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The periods that an event asks for, until the next event."""

    item: rb.RecurringBillItem
    start: date
    mode: str

    def has(self, line: rb.PendingBillLineItem, target: date) -> bool:
        """Return whether a run bills a line; the day before the start is none of the periods."""
        begun = line.accounting_period.start >= self.start
        return begun and bool(_in_the_run([line], target, self.mode))


def items_owed(given: Asked) -> Figures:
    """Answer the items that a run adds to those on earlier invoices, credits included."""
    stated = [_item(each) for each in given.expected.get("items", ())]
    if others := {kind for kind, *_ in stated} - {_PERIODS, _ONCE, _CREDIT}:
        raise UnsaidError(", ".join(sorted(kind.lower() for kind in others)))
    new = list(_left_to_bill(given))
    if Counter(stated) != Counter(new):
        raise MismatchError(f"items: expected {_shown(stated)}, got {_shown(new)}")
    balance = sum((each[-1] for each in new), rents.NOTHING)
    if balance != Decimal(given.expected.get("balance", "0")):
        raise MismatchError(f"balance: got {balance}")
    return given.expected


def _item(given: Mapping[str, Any]) -> Item:
    """Return an invoice item of a case; a price that is asked for once has no end."""
    kind = given["type"]
    end = None if kind == _ONCE else days.maybe(given["end"])
    return kind, given["sub"], days.of(given["start"]), end, Decimal(given["amount"])


def _shown(items: Iterable[Item]) -> str:
    shown = [f"{kind} {sub} {a}/{b} {amount}" for kind, sub, a, b, amount in items]
    return "; ".join(shown) or "none"


def _left_to_bill(given: Asked) -> Iterator[Item]:
    """Give the invoice items that a run adds up to its target date."""
    target = days.of(given["target_date"])
    stretches = {each.item.id: each for each in _stretches(given)}
    dates = [days.of(each["date"]) for each in given["events"]]
    dates += [days.of(each["start"]) for each in given["existing_items"]]
    result = rb.pending_bills(
        [*(each.item for each in stretches.values()), *_once(given)],
        rb.Period(min(target, *dates), target),
        policy=rents.BY_DAYS,
        already_billed=list(_earlier(given)),
    )
    subs = {str(each["sub"]): each["sub"] for each in (*given["events"], *given["existing_items"])}
    for line in (line for bill in result for line in bill.lines):
        amount = line.net_price.amount
        sub, (start, end) = subs[_sub_in(line.item_id)], days.ends(line.accounting_period)
        if line.kind == "one_time":
            yield _ONCE, sub, start, None, amount
        elif line.kind == "correction" and amount < 0:
            # Credits name no subscription.
            yield _CREDIT, None, start, end, amount
        elif line.kind == "correction" or stretches[line.item_id].has(line, target):
            yield _PERIODS, sub, start, end, amount


def _name(kind: str, since: date, price: Decimal, sub: object) -> str:
    """Return the id of an event's price: its kind, day, price and subscription."""
    return f"{kind} {since} {price} {sub}"


def _sub_in(name: str | None) -> str:
    return str(name).split(" ", 3)[3]


def _plain(text: str) -> Decimal:
    """Return a number without the zeros that are printed behind it (0E-9, 12.000000000)."""
    return Decimal(text).normalize() + 0


def _stretches(given: Asked) -> Iterator[Stretch]:
    """Give the periods that events ask for; an event replaces another one of the same day."""
    by_sub: dict[Any, list[Mapping[str, Any]]] = {}
    for event in given["events"]:
        by_sub.setdefault(event["sub"], []).append(event)
    for sub, events in by_sub.items():
        ends = [days.of(later["date"]) for _, later in pairwise(events)]
        for event, end in zip(events, [*ends, None], strict=True):
            start = days.of(event["date"])
            if event["recurring_price"] is None or end == start:
                continue
            price = _plain(event["recurring_price"])
            plan = Plan.given(event["period"], event["bcd"], start, end)
            amount = rb.Amount(price * int(event["quantity"] or 1), given["currency"])
            item = plan.billed(amount, _name(_PERIODS, start, price, sub))
            yield Stretch(item, start, event["mode"])


def _once(given: Asked) -> list[rb.OneTimeBillItem]:
    """Return what events ask for once; two that are alike are one."""
    wanted = {
        _name(_ONCE, days.of(event["date"]), _plain(event["fixed_price"]), event["sub"]): event
        for event in given["events"]
        if event["fixed_price"] is not None
    }
    return [
        _one_time(name, _plain(event["fixed_price"]), days.of(event["date"]), given["currency"])
        for name, event in wanted.items()
    ]


def _one_time(name: str, price: Decimal, there: date, currency: str) -> rb.OneTimeBillItem:
    return rb.OneTimeBillItem(
        id=name,
        product_key="key:fixed",
        amount=rb.Amount(price, currency),
        vat=rents.UNTAXED,
        due_date=there,
        accounting_period=rb.Period(there, there),
    )


def _earlier(given: Asked) -> Iterator[rb.BillingResult]:
    """Give each item of earlier invoices as a bill of its own: its amount, for its days."""
    for each in given["existing_items"]:
        _, _, start, end, amount = _item(each)
        name = _billed_as(each, given)
        item: rb.RecurringBillItem | rb.OneTimeBillItem
        if each["type"] == _ONCE:
            item = _one_time(name, amount, start, given["currency"])
        else:
            run = rb.Period(start, days.before(end or start))
            price = rb.Amount(amount, given["currency"])
            item = rents.rent(price, days.cycle_of(run), start, id=name)
        yield rb.pending_bills(item, rb.Period(start, start), policy=rents.BY_DAYS)


def _billed_as(billed: Mapping[str, Any], given: Asked) -> str:
    """Return the id that an earlier item was billed by, whether or not it is still asked for.

    Of periods that is the last event by then of its subscription and price.
    """
    if billed["type"] == _CREDIT:
        return _billed_as(_credited_by(billed, given["existing_items"]), given)
    sub, since = billed["sub"], days.of(billed["start"])
    if billed["type"] == _ONCE:
        return _name(_ONCE, since, _plain(billed["amount"]), sub)
    price = _plain(billed["rate"])
    dates = [
        days.of(event["date"])
        for event in given["events"]
        if event["sub"] == sub and event["recurring_price"] is not None
        if _plain(event["recurring_price"]) == price and days.of(event["date"]) <= since
    ]
    return _name(_PERIODS, max(dates, default=since), price, sub)


def _credited_by(credit: Mapping[str, Any], existing: Sequence[Any]) -> Mapping[str, Any]:
    """Return the item that a credit takes back, of which it names nothing but the days.

    It is an item that holds those days: the one that it takes back as a whole, or else the one that
    ends with them.
    """
    mine = _item(credit)
    holding = [each for each in existing if each["type"] == _PERIODS and _inside(mine, _item(each))]
    if not holding:
        raise MismatchError(f"a credit of nothing that was billed: {_shown([mine])}")
    return min(holding, key=lambda each: _distance(mine, _item(each)))


def _distance(credit: Item, item: Item) -> tuple[bool, bool]:
    """Return how far an item is from what a credit takes back, the nearest first."""
    ends_with = credit[3] == item[3]
    return not (ends_with and credit[2] == item[2] and credit[-1] == -item[-1]), not ends_with


def _inside(item: Item, other: Item) -> bool:
    return other[2] <= item[2] and (
        other[3] is None or (item[3] is not None and item[3] <= other[3])
    )
