"""TentMan: charges of a billing period, parts of it, and credits with VAT."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from rentbilling import Period, Vat
from rentbilling.values import rounded
from tests.outside.board import MismatchError
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, Near
from tests.outside.vat.billing import Piece, charged

Charge = tuple[Period, Decimal]
"""Days and what they cost."""


def terms_of_period(given: Asked) -> Figures:
    return _charged(
        given,
        [
            {"amount": term["rent"], "start": term["from"], "end": term["to"], "cycle": "month"}
            for term in given["terms"]
        ],
    )


def items_of_period(given: Asked) -> Figures:
    return _charged(given, given["items"])


def _charged(given: Asked, items: Sequence[Mapping[str, Any]]) -> Figures:
    whole = days.run(given["billing_period"])
    found = [each for item in items for each in _charges(item, whole, given["method"])]
    return {
        "lines": [
            {"start": run.start, "end": run.end, "amount": rounded(cost, rents.CENTS)}
            for run, cost in found
        ],
        "total": rounded(sum((cost for _, cost in found), rents.NOTHING), rents.CENTS),
    }


def every_cycle(given: Asked) -> Figures:
    """Answer a total of charges of every cycle, where the system forgets the long ones."""
    whole = days.run(given["billing_period"])
    method = given.get("method", "actual_days_of_period")
    found = [_charges(item, whole, method) for item in given["items"]]
    total = sum((cost for each in found for _, cost in each), rents.NOTHING)
    if not all(found):
        raise MismatchError(f"an item is not on our bill either: {found}")
    if total == Decimal(given.expected["peer_total"]):
        raise MismatchError(f"our total is the wrong one of the system: {total}")
    return {"total": Near(total)}


def _charges(item: Mapping[str, Any], whole: Period, method: str) -> list[Charge]:
    """Return what an item charges in a billing period: a month's part, or the cycles that begin."""
    term = days.bounded(item["start"], item["end"])
    price, step = Decimal(item["amount"]), days.step(item["cycle"])
    if step == days.Step("Month"):
        run = term.intersection(whole)
        return (
            [] if run is None else [(run, rents.charges(price, rents.counted(run, method, whole)))]
        )
    start = term.start if item["start"] else date(whole.start.year, 1, 1)
    last = term.end if item["end"] else None
    made = rents.rent(price, days.anchored(step, start), start, ended_on=last)
    lines = rents.lines_of(made, whole)
    return [(line.accounting_period, line.net_price.amount) for line in lines]


def part_of_period(given: Asked) -> Figures:
    whole = days.run(given["billing_period"])
    run = whole.intersection(days.run(given["service_period"]))
    parts = () if run is None else rents.counted(run, given["method"], whole)
    mode = rents.mode(given.get("rounding", "half up"))
    return {"amount": Near(rents.charges(Decimal(given["amount"]), parts, rounding=mode))}


def credit(given: Asked) -> Figures:
    """Answer the VAT in a credit of part of a line: a price below zero, its VAT inside it."""
    rate = Decimal(given["line"]["vat"]) / Decimal(given["line"]["net"])
    piece = Piece(-Decimal(given["credit_gross"]), Vat("Inclusive", rate))
    bill = charged([piece], rents.CURRENCY)
    return {"vat": Near(bill.tax), "gross": Near(bill.gross), "net": Near(bill.net)}
