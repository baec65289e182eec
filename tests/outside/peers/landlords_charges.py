"""Charges cut to a billing period, prices in force on a day, and what makers of items refuse.

Law: a charge of a part period is `landlords_parts.charges`, a price in force is read off a bill.
What does not live here: rents with dated discounts (`landlords_prices`) and invoices with VAT
(`landlords_invoices`).
"""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from rentbilling import Amount, AmountRecord, BillingCycle, Discount, Period, rounded
from rentbilling.errors import InvalidDiscountError, InvalidPeriodError
from tests.outside.board import (
    PASSED,
    Case,
    Verdict,
    failed,
    held_against,
    not_expressible,
)
from tests.outside.peers.landlords_corrections import estatio_repriced_period
from tests.outside.peers.landlords_parts import (
    Part,
    UnknownMethodError,
    charge,
    charges,
    counted,
)
from tests.outside.peers.landlords_terms import (
    CALENDAR_YEAR,
    CURRENCY,
    HUNDRED,
    NOTHING,
    UNROUNDED,
    agrees,
    cycle_from,
    day_of,
    lines_of,
    open_run,
    period_with,
    price_of,
    rent,
    run,
    unit_of,
)
from tests.outside.vat.billing import Piece, charged, taxed

Charge = tuple[Period, Decimal]
"""Days and what they cost."""


# --- TentMan: terms and items of one billing period -----------------------------------------------


def tentman_price_history(case: Case) -> Verdict:
    """Judge the rents of the terms that a billing period has days of."""
    given = case["input"]
    stated = [
        {"amount": term["rent"], "start": term["from"], "end": term["to"], "cycle": "month"}
        for term in given["terms"]
    ]
    return _held_charges(case, stated)


def tentman_invoice_items(case: Case) -> Verdict:
    """Judge the charges of the items that a billing period has days of."""
    return _held_charges(case, case["input"]["items"])


def tentman_known_bug(case: Case) -> Verdict:
    """Judge that charges of every cycle are on our bill, where the peer forgets the long ones."""
    given = case["input"]
    whole = run(given["billing_period"])
    items = given["items"]
    found = [
        _charges_of(item, whole, given.get("method", "actual_days_of_period")) for item in items
    ]
    total = sum((cost for each in found for _, cost in each), NOTHING)
    if not all(found):
        return failed(f"an item is not on our bill either: {found}")
    if total == Decimal(case["expected"]["peer_total"]):
        return failed(f"our total is the peer's wrong one: {total}")
    return PASSED


def _held_charges(case: Case, items: Sequence[Mapping[str, Any]]) -> Verdict:
    given, expected = case["input"], case["expected"]
    whole = run(given["billing_period"])
    try:
        found = [each for item in items for each in _charges_of(item, whole, given["method"])]
    except UnknownMethodError as error:
        return not_expressible(f"part periods counted by {error}")
    answer = {
        "lines": [
            {"start": str(days.start), "end": str(days.end), "amount": _cents(cost)}
            for days, cost in found
        ],
        "total": _cents(sum((cost for _, cost in found), NOTHING)),
    }
    return held_against(dict(expected), {key: answer[key] for key in expected}, what="charges")


def _charges_of(item: Mapping[str, Any], whole: Period, method: str) -> list[Charge]:
    """Return what an item charges in a billing period: a month's part, or the cycles that begin."""
    term = open_run(item["start"], item["end"])
    price = Decimal(item["amount"])
    if unit_of(item["cycle"]) != ("Month", 1):
        start = max(term.start, date(whole.start.year, 1, 1)) if not item["start"] else term.start
        ends: dict[str, Any] = {"ended_on": term.end} if item["end"] else {}
        lines = lines_of(rent(price, cycle_from(start, item["cycle"]), start, **ends), whole)
        return [(line.accounting_period, line.net_price.amount) for line in lines]
    days = term.intersection(whole)
    return [] if days is None else [(days, charges(price, counted(days, method, whole)))]


def _cents(amount: Decimal) -> str:
    return str(rounded(amount, 2))


# --- Prices in force ------------------------------------------------------------------------------


def _in_force(price: Decimal, later: Mapping[date, Decimal], day: date) -> Decimal:
    """Return the price that a bill of a day shows, of an item with later prices."""
    records = tuple(
        AmountRecord(value=Amount(value, CURRENCY), start=start)
        for start, value in sorted(later.items())
    )
    item = rent(price, BillingCycle(time_unit="Day"), day, amount_records=records)
    return lines_of(item, Period(day, day))[0].amount.amount


def estatio_price_history(case: Case) -> Verdict:
    """Judge the value in force on a day, or the amount of a period with a later value."""
    given = case["input"]
    if "period" in given:
        return estatio_repriced_period(case)
    base = Decimal(given["base_value"])
    changed = Decimal(given.get("settled_value") or given["indexed_value"])
    later = {day_of(given["effective_date"]): changed} if given["effective_date"] else {}
    value = _in_force(base, later, day_of(given["date"]))
    return agrees(case["expected"]["value"], value, what="value")


def estatio_deposit(case: Case) -> Verdict:
    """Judge a deposit of some months of a yearly rent, with VAT where it is asked."""
    given = case["input"]
    year = period_with(date(2026, 1, 1), CALENDAR_YEAR)
    days = year
    if given["fraction_of_year"].startswith("M") and given["fraction_of_year"] != "MANUAL":
        months = int(given["fraction_of_year"].removeprefix("M"))
        days = Period(year.start, year.months[months - 1].end)
    amount = charge(Decimal(given["yearly_rent"]), Part(days, year, CALENDAR_YEAR))
    if given.get("include_vat"):
        amount = charged([Piece(amount, taxed(given["vat_percent"]))], CURRENCY).gross
    return agrees(case["expected"]["deposit"], amount, what="deposit")


def oca_stepped_rent(case: Case) -> Verdict:
    given = case["input"]
    if "fixed_price" not in given:
        return not_expressible("rent adjustment")
    start = day_of(given["from_date"])
    value = _in_force(Decimal(given["price"]), {start: Decimal(given["fixed_price"])}, start)
    return agrees(case["expected"]["new_price"], value, what="price")


# --- Discounts on one line, and what is refused ---------------------------------------------------


def estatio_discount(case: Case) -> Verdict:
    """Judge a discount that stands as a credit of its own: so much of the rent, below zero."""
    given = case["input"]
    share = Decimal(given["discount_percent"]) / HUNDRED
    discount = price_of(-Decimal(given["rent"]), quantity=share)
    return agrees(case["expected"]["discount"], discount, what="discount")


def discounted_line(case: Case) -> Verdict:
    given = case["input"]
    quantity = Decimal(str(given.get("quantity") or given["qty"]))
    price = Decimal(given.get("price_unit") or given["unit"])
    ((_, stated),) = case["expected"].items()
    try:
        discount = Discount(percentage=Decimal(given["discount_percent"]) / HUNDRED)
    except InvalidDiscountError:
        return not_expressible("a discount above 100 % is refused (A5)")
    return agrees(stated, price_of(price, quantity=quantity, discount=discount), what="net")


def oca_validation(case: Case) -> Verdict:
    share = Decimal(case["input"]["discount_percent"]) / HUNDRED
    refused = False
    try:
        price_of(HUNDRED, discount=Discount(percentage=share), policy=UNROUNDED)
    except InvalidDiscountError:
        refused = True
    return held_against(bool(case["expected"]["error"]), refused, what="refused")


def microrealestate_validation(case: Case) -> Verdict:
    given = case["input"]
    refused = False
    try:
        for last in (given["end"], given.get("terminated") or given["end"]):
            run((given["begin"], last))
    except InvalidPeriodError:
        refused = True
    return held_against(bool(case["expected"]["error"]), refused, what="refused")
