"""Contracts whose next bill date may be forced by hand (OCA): the period stretches to meet it.

A bill in advance ("pre-paid") lies so many days after a period's first day, one in arrears
("post-paid") so many after its last; a forced bill is our opening period, stated with its due date.
Law: regular periods come from `accounting_periods`, bill dates from `due_date` and `pending_bills`.
What does not live here: the other peers' dates (`landlords_dates`).
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rentbilling import (
    Amount,
    BillingCycle,
    DueDateRule,
    FirstBillingPeriodBillItem,
    Period,
    accounting_periods,
    due_date,
    pending_bills,
    period_share,
)
from tests.outside.board import PASSED, Case, Verdict, failed, held_against
from tests.outside.peers.landlords_parts import BY_DAYS
from tests.outside.peers.landlords_terms import (
    CURRENCY,
    all_of,
    cycle_from,
    day_after,
    day_before,
    day_of,
    day_or_none,
    periods_from,
    rent,
    rule_of,
    run,
)

_MONTH_ENDS = "monthlylastday"


def _in_arrears(given: Mapping[str, Any]) -> bool:
    return bool(given["invoicing"] == "post-paid")


def _offset(given: Mapping[str, Any]) -> int:
    if "offset_days" in given:
        return int(given["offset_days"])
    return int(_in_arrears(given) and given["rule"] != _MONTH_ENDS)


def _cycle(given: Mapping[str, Any], start: date) -> BillingCycle:
    word = "month" if given["rule"] == _MONTH_ENDS else given["rule"]
    return cycle_from(start, word, int(given["interval"]))


def _period_from(given: Mapping[str, Any], start: date) -> Period:
    """Return the contract's period that begins on a day.

    Periods that end with a calendar month begin on its first day, but for the one asked.
    """
    lead = start.replace(day=1) if given["rule"] == _MONTH_ENDS else start
    whole = periods_from(lead, _cycle(given, lead), 1)[0]
    return Period(start, whole.end)


def _cut(period: Period, last: date | None) -> Period | None:
    return period if last is None else period.intersection(Period(min(period.start, last), last))


def _bill_date(given: Mapping[str, Any], period: Period, last: date | None) -> date | None:
    """Return when a period is billed; none when the contract ends before it."""
    billed = _cut(period, last)
    if billed is None:
        return None
    late = _in_arrears(given)
    rule: DueDateRule = rule_of(_offset(given), in_arrears=late)
    cycle = _cycle(given, period.start)
    return due_date(rule, billed if late else period, cycle=cycle)


def next_invoice_date(case: Case) -> Verdict:
    given, expected = case["input"], case["expected"]
    last = day_or_none(given["contract_end"])
    if given.get("forced_next_invoice_date") is None:
        start = day_of(given["period_start"])
        period = _period_from(given, start)
        billed = _cut(period, last)
        answer = {
            "next_invoice_date": _text(_bill_date(given, period, last)),
            "period_end_by_peer_code": _text(billed.end if billed else None),
        }
    else:
        billed = _cut(_forced_period(given, None), last)
        following = None
        if billed is not None:
            following = _bill_date(given, _period_from(given, day_after(billed.end)), last)
        answer = {
            "billed_until": _text(billed.end if billed else None),
            "next_invoice_date": _text(following),
        }
    return _held(expected, answer)


def _forced_period(given: Mapping[str, Any], start: date | None) -> Period:
    """Return the period of a forced bill date, from a day or else from where it would begin.

    In advance it runs to the end of the cycle that begins on the bill's date; in arrears it ends
    where that date is the regular one.
    """
    forced = day_of(given["forced_next_invoice_date"])
    anchor = day_before(forced, _offset(given))
    if not _in_arrears(given):
        end = _period_from(given, anchor).end
        return Period(start or anchor, max(end, start or end))
    return Period(start or anchor, max(anchor, start or anchor))


def next_period(case: Case) -> Verdict:
    """Judge the period that the next bill is for, and the bill's date."""
    given, expected = case["input"], case["expected"]
    billed_until = day_or_none(given["last_date_invoiced"])
    start = day_after(billed_until) if billed_until else day_of(given["date_start"])
    last = day_or_none(given["date_end"])
    if given.get("forced_next_invoice_date") is None:
        period = _period_from(given, start)
        billed, bill_date = _cut(period, last), _bill_date(given, period, last)
    else:
        billed = _cut(_forced_period(given, start), last)
        bill_date = day_of(given["forced_next_invoice_date"])
    if billed is None:
        return _held(expected, dict.fromkeys(expected))
    stated = _stated_opening(given, billed, bill_date or billed.start)
    return _held(expected, stated)


def _stated_opening(
    given: Mapping[str, Any], period: Period, bill_date: date
) -> dict[str, str | None]:
    """Return period and date of the first bill of an item whose opening is stated like this."""
    item = rent(Decimal(100), _cycle(given, day_after(period.end)), day_after(period.end)).evolve(
        started_on=bill_date,
        first_billing_period_bill_item=FirstBillingPeriodBillItem(
            amount=Amount(100, CURRENCY), due_date=bill_date, accounting_period=period
        ),
    )
    bill = pending_bills(item, Period(bill_date, bill_date))[0]
    days = bill.lines[0].accounting_period
    return {
        "period_start": _text(days.start),
        "period_end": _text(days.end),
        "invoice_date": _text(bill.due_date),
    }


def period_sequence(case: Case) -> Verdict:
    """Judge all periods of a contract with their bill dates; each as far as a list states it."""
    given = case["input"]
    term = run((given["date_start"], given["date_end"]))
    lead = term.start.replace(day=1) if given["rule"] == _MONTH_ENDS else term.start
    cycle = _cycle(given, lead)
    whole = accounting_periods(cycle, Period(lead, term.end), after=day_before(lead))
    walked = []
    for period in whole:
        days = period.intersection(term)
        if days is None:
            return failed(f"{period} lies outside {term}")
        date_of_bill = _bill_date(given, Period(days.start, period.end), term.end)
        walked.append(
            {"start": str(days.start), "end": str(days.end), "invoice_date": _text(date_of_bill)}
        )
    return all_of(_held_each(name, listed, walked) for name, listed in case["expected"].items())


def _held_each(
    name: str, listed: list[Mapping[str, Any]], walked: list[dict[str, str | None]]
) -> Verdict:
    if len(listed) != len(walked):
        return failed(f"{name}: expected {len(listed)} periods, got {len(walked)}")
    for stated, ours in zip(listed, walked, strict=True):
        verdict = held_against(dict(stated), {key: ours[key] for key in stated}, what=name)
        if verdict != PASSED:
            return verdict
    return PASSED


def proration_fraction(case: Case) -> Verdict:
    """Judge the quantity of a bill: its days over the days of the regular period."""
    given, expected = case["input"], case["expected"]
    days = run(given["period"])
    whole = _regular_period(given)
    # Days beyond the regular period count like its own, so the quantity may be above 1.
    quantity = period_share(days, _cycle(given, whole.start), whole=whole, policy=BY_DAYS)
    return all_of(
        _within(quantity, expected[name], tolerance)
        for name, tolerance in (
            ("quantity", Fraction(str(expected.get("tolerance", "0.005")))),
            ("quantity_by_peer_code", Fraction(1, 10**9)),
        )
        if name in expected
    )


def _regular_period(given: Mapping[str, Any]) -> Period:
    """Return the period that the next bill would be for, had nothing been moved."""
    anchor = day_before(day_of(given["next_invoice_date"]), _offset(given))
    if not _in_arrears(given):
        return _period_from(given, anchor)
    return _period_until(given, anchor)


def _period_until(given: Mapping[str, Any], last: date) -> Period:
    """Return the contract's period that ends on a day, or with the calendar month that holds it."""
    if given["rule"] == _MONTH_ENDS:
        following, unit = day_after(_period_from({**given, "interval": 1}, last).end), "month"
    else:
        following, unit = day_after(last), given["rule"]
    # One-unit periods lie on the calendar, so the last of them before a day are found backwards.
    length = int(given["interval"])
    if unit in {"daily", "day"}:
        return Period(day_before(following, length), day_before(following))
    far = Period(day_before(following, 366 * (length + 1)), day_before(following))
    units = accounting_periods(cycle_from(following, unit), far)
    return Period(units[-length].start, units[-1].end)


def _within(quantity: Fraction, stated: str | int, tolerance: Fraction) -> Verdict:
    if abs(quantity - Fraction(str(stated))) <= tolerance:
        return PASSED
    return failed(f"quantity: expected {stated}, got {quantity}")


def _text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _held(expected: Mapping[str, Any], answer: Mapping[str, Any]) -> Verdict:
    return held_against(
        dict(expected), {key: answer.get(key) for key in expected}, what="contract's next bill"
    )
