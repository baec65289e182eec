"""OCA/contract: contracts whose next bill date may be forced by hand, which stretches a period.

A bill in advance ("pre-paid") lies so many days after a period's first day, one in arrears
("post-paid") so many after its last; a forced bill is our opening period, stated with its due date.
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import rentbilling as rb
from rentbilling.errors import InvalidDiscountError
from rentbilling.schedule import period_share
from tests.outside import index
from tests.outside.board import MismatchError, UnsaidError, Verdict
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, Near, is_refused

_MONTH_ENDS: Final = "monthlylastday"
Contract = Mapping[str, Any]


def _in_arrears(given: Contract) -> bool:
    return bool(given["invoicing"] == "post-paid")


def _offset(given: Contract) -> int:
    """Return the days between a period's end, or start, and its bill."""
    if "offset_days" in given:
        return int(given["offset_days"])
    return int(_in_arrears(given) and given["rule"] != _MONTH_ENDS)


def _cycle(given: Contract, start: date) -> rb.BillingCycle:
    word = "month" if given["rule"] == _MONTH_ENDS else given["rule"]
    return days.anchored(days.step(word, given["interval"]), start)


def _period_from(given: Contract, start: date) -> rb.Period:
    """Return the contract's period that begins on a day.

    Periods that end with a calendar month begin on its first day, but for the one asked.
    """
    lead = start.replace(day=1) if given["rule"] == _MONTH_ENDS else start
    return rb.Period(start, days.first(_cycle(given, lead), lead).end)


def _cut(period: rb.Period, last: date | None) -> rb.Period | None:
    return period if last is None else period.intersection(rb.Period(min(period.start, last), last))


def _bill_date(given: Contract, period: rb.Period, last: date | None) -> date | None:
    """Return when a period is billed; none when the contract ends before it."""
    billed, offset = _cut(period, last), _offset(given)
    if billed is None:
        return None
    cycle = _cycle(given, period.start)
    if _in_arrears(given):
        rule = rb.DueDateRule(day_of_period=offset if offset > 0 else offset - 1, relative_to="end")
        return rb.due_date(rule, billed, cycle=cycle)
    rule = rb.DueDateRule(day_of_period=offset + 1 if offset >= 0 else offset)
    return rb.due_date(rule, period, cycle=cycle)


def next_invoice_date(given: Asked) -> Figures:
    last = days.maybe(given["contract_end"])
    if given.get("forced_next_invoice_date") is None:
        period = _period_from(given, days.of(given["period_start"]))
        billed = _cut(period, last)
        return {
            "next_invoice_date": _bill_date(given, period, last),
            "period_end_by_peer_code": billed and billed.end,
        }
    billed = _cut(_forced_period(given, None), last)
    if billed is None:
        return {"billed_until": None, "next_invoice_date": None}
    following = _period_from(given, days.after(billed.end))
    return {"billed_until": billed.end, "next_invoice_date": _bill_date(given, following, last)}


def _forced_period(given: Contract, start: date | None) -> rb.Period:
    """Return the period of a forced bill date, from a day or else from where it would begin.

    In advance it runs to the end of the cycle that begins on the bill's date; in arrears it ends
    where that date is the regular one.
    """
    anchor = days.before(days.of(given["forced_next_invoice_date"]), _offset(given))
    end = anchor if _in_arrears(given) else _period_from(given, anchor).end
    return rb.Period(start or anchor, max(end, start or end))


def next_period(given: Asked) -> Figures:
    billed_until = days.maybe(given["last_date_invoiced"])
    start = days.after(billed_until) if billed_until else days.of(given["date_start"])
    last = days.maybe(given["date_end"])
    if given.get("forced_next_invoice_date") is None:
        period = _period_from(given, start)
        billed, bill_date = _cut(period, last), _bill_date(given, period, last)
    else:
        billed = _cut(_forced_period(given, start), last)
        bill_date = days.of(given["forced_next_invoice_date"])
    if billed is None:
        return dict.fromkeys(given.expected)
    return _stated_opening(given, billed, bill_date or billed.start)


def _stated_opening(given: Contract, period: rb.Period, bill_date: date) -> Figures:
    """Return period and date of the first bill of an item whose opening is stated like this."""
    opens = rb.FirstBillingPeriodBillItem(
        amount=rents.money(100), due_date=bill_date, accounting_period=period
    )
    following = days.after(period.end)
    item = rents.rent(Decimal(100), _cycle(given, following), following, opens=opens)
    line = rents.lines_due(item, bill_date, bill_date)[0]
    run = line.accounting_period
    return {"period_start": run.start, "period_end": run.end, "invoice_date": bill_date}


def period_sequence(given: Asked) -> Figures:
    """Answer all periods of a contract with their bill dates; each as far as a list states it."""
    term = days.run((given["date_start"], given["date_end"]))
    lead = term.start.replace(day=1) if given["rule"] == _MONTH_ENDS else term.start
    cut = [
        (_cut_to(term, period), period.end)
        for period in days.regular(_cycle(given, lead), lead, term.end)
    ]
    walked: list[dict[str, object]] = [
        {
            "start": run.start,
            "end": run.end,
            "invoice_date": _bill_date(given, rb.Period(run.start, end), term.end),
        }
        for run, end in cut
    ]
    return {name: _as_stated(listed, walked) for name, listed in given.expected.items()}


def _cut_to(term: rb.Period, period: rb.Period) -> rb.Period:
    run = period.intersection(term)
    if run is None:
        raise MismatchError(f"{period} lies outside {term}")
    return run


def _as_stated(listed: list[Contract], walked: list[dict[str, object]]) -> object:
    """Return the fields of our periods that a list states."""
    if len(listed) != len(walked):
        return walked
    return [
        {name: ours[name] for name in stated} for stated, ours in zip(listed, walked, strict=True)
    ]


def proration_fraction(given: Asked) -> Figures:
    """Answer the quantity of a bill: its days over the days of the regular period.

    Days beyond the regular period count like its own, so the quantity may be above 1. A figure is
    printed within a tolerance.
    """
    whole = _regular_period(given)
    cycle = _cycle(given, whole.start)
    share = period_share(days.run(given["period"]), cycle, whole=whole, policy=rents.BY_DAYS)
    tolerance = Fraction(str(given.expected.get("tolerance", "0.005")))
    found = {}
    for name, slack in (("quantity", tolerance), ("quantity_by_peer_code", Fraction(1, 10**9))):
        stated = given.expected.get(name)
        if stated is not None and abs(share - Fraction(str(stated))) > slack:
            raise MismatchError(f"{name}: expected {stated}, got {share}")
        found[name] = stated
    return {**found, "tolerance": given.expected.get("tolerance")}


def _regular_period(given: Contract) -> rb.Period:
    """Return the period that the next bill would be for, had nothing been moved."""
    anchor = days.before(days.of(given["next_invoice_date"]), _offset(given))
    return _period_until(given, anchor) if _in_arrears(given) else _period_from(given, anchor)


def _period_until(given: Contract, last: date) -> rb.Period:
    """Return the contract's period that ends on a day, or with the calendar month that holds it."""
    if given["rule"] == _MONTH_ENDS:
        following, unit = days.after(_period_from({**given, "interval": 1}, last).end), "month"
    else:
        following, unit = days.after(last), given["rule"]
    # One-unit periods lie on the calendar, so the last of them before a day are found backwards.
    length = int(given["interval"])
    if days.step(unit) == days.Step("Day"):
        return rb.Period(days.before(following, length), days.before(following))
    far = rb.Period(days.before(following, 366 * (length + 1)), days.before(following))
    units = rb.accounting_periods(days.anchored(days.step(unit), following), far)
    return rb.Period(units[-length].start, units[-1].end)


def stepped_rent(given: Asked) -> Figures | Verdict:
    """Answer the price in force once a revision by a percentage begins, or a fixed price."""
    percents = [value for name, value in given.items() if "percent" in name]
    if percents:
        return index.example(
            base_amount=given["price"],
            expected_new_amount=given.expected["new_price"],
            extra={"steps": [{"year": given["from_date"][:4], "pct": percents[0]}]},
        )
    if "fixed_price" not in given:
        raise UnsaidError("rent adjustment")
    start = days.of(given["from_date"])
    later = {start: Decimal(given["fixed_price"])}
    return {"new_price": Near(rents.in_force(Decimal(given["price"]), later, start))}


def discounted_line(given: Asked) -> Figures:
    """Answer a line's net after a percentage is taken off its price, by whatever name."""
    quantity = Decimal(str(given.get("quantity") or given["qty"]))
    price = Decimal(given.get("price_unit") or given["unit"])
    try:
        discount = rents.by_percentage(given["discount_percent"])
    except InvalidDiscountError as error:
        raise UnsaidError("a discount above 100 % is refused (A5)") from error
    (name,) = given.expected
    return {name: Near(rents.price_of(price, quantity=quantity, discount=discount))}


def validation(given: Asked) -> Figures:
    share = rents.fraction_of(given["discount_percent"])

    def discounted() -> None:
        off = rb.Discount(percentage=share)
        rents.price_of(rents.HUNDRED, discount=off, policy=rents.UNROUNDED)

    return {"error": is_refused(discounted, InvalidDiscountError)}
