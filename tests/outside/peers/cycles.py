"""Cycles of subscriptions: the days on which they begin, and the periods about a day."""

from datetime import date
from typing import Final

from rentbilling import Amount, BillingCycle, Period
from tests.outside.board import MismatchError, UnsaidError
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, agrees

# ------------------------------------------------------------------------------- first days


def some_cycles_on(given: Asked) -> Figures:
    return {"date": days.moved(given.day("date"), given.step("period"), int(given["n"]))}


def something_added(given: Asked) -> Figures:
    there = given.day("start")
    for unit, count in given["add"].items():
        there = days.moved(there, days.step(unit), int(count))
    return {"date": there}


def first_dates(given: Asked) -> Figures:
    start, count = given.day("start"), int(given["count"])
    cycle = days.anchored(days.step_given(given["cycle"]), start)
    return {"dates": [period.start for period in days.first_of(cycle, start, count)]}


def whole_periods(given: Asked) -> Figures:
    start, end = given.day("start"), given.day("end")
    periods = days.regular(days.anchored(given.step("period"), start), start, end)
    return {"whole_periods": sum(period.end < end for period in periods)}


def calendar_start(given: Asked) -> Figures:
    """Answer the first day of the calendar week, month, quarter or year that comes next."""
    return {"date": _next_of_the_calendar(given.day("start"), given.step("period"))}


def next_date(given: Asked) -> Figures:
    """Answer when the period after the current one begins, or the end where it comes first."""
    current, step = given.day("current_period_start"), given.step("period")
    anchor = given["billing_anchor"]
    on_calendar = anchor.startswith("start of the next calendar")
    at = _next_of_the_calendar(current, step) if on_calendar else days.of(anchor)
    there = _next_after(current, at, step, int(given["unit"]))
    return {"date": min(there, days.maybe(given.get("end_date")) or there)}


def _next_of_the_calendar(there: date, step: days.Step) -> date:
    return days.first(days.of_the_calendar(step), days.after(there)).start


def _next_after(current: date, anchor: date, step: days.Step, unit: int) -> date:
    """Return the day on which the period after the one that begins on `current` begins.

    Weeks are counted on the anchor's weekday and years from the next calendar year on. Months keep
    the anchor's day: the cycle has a month in which the current period begins, so a period that
    begins before the anchor's day of its own month is a short one.
    """
    if step.unit == "Day":
        return days.moved(current, step, unit)
    if step.unit in {"Week", "Year"}:
        since = days.after(current if step.unit == "Week" else days.years_on(current, 0))
        return days.first_of(days.anchored(step, anchor), since, unit)[unit - 1].start
    if step.length > 1:
        return days.first(days.anchored(step.times(unit), anchor), days.after(current)).start
    months = days.anchored(step.times(unit), current, start_day=anchor.day)
    starts = days.first_of(months, current.replace(day=1), 2)
    return next(period.start for period in starts if period.start > current)


# ------------------------------------------------------------------------- periods about a day


def cycle_around(given: Asked) -> Figures:
    """Answer the period of an anchored cycle that holds a date, also before the anchor."""
    anchor, there = given.day("anchor"), given.day("date")
    step = days.step_given(given["cycle"])
    since, back = anchor, 0
    while since > there:
        back += 1
        since = days.moved(anchor, step, -back)
    found = days.containing(days.all_from(days.anchored(step, anchor), since, there), there)
    if found is None:
        raise MismatchError(f"no period holds {there}")
    start, end = days.ends(found)
    return {"start": start, "end_exclusive": end, "end_inclusive": found.end}


def around_a_date(given: Asked) -> Figures:
    """Answer the period that holds a date; before the start of billing it is the first one."""
    start = given.day("billing_start")
    target = max(start, given.day("target"))
    found = days.containing(days.all_from(_cycle(given, "billing_start"), start, target), target)
    return _ends(found, "expected_start", "expected_end")


def before_a_bill_day(given: Asked) -> Figures:
    """Answer the period that is billed in arrears on a date: the last one that ended by then."""
    name = "billing_start_or_resume_date"
    start, bill_day = given.day(name), given.day("invoice_date")
    periods = days.all_from(_cycle(given, name), start, bill_day)
    ended = [period for period in periods if period.end < bill_day]
    return _ends(ended[-1] if ended else None, "expected_period_start", "expected_period_end")


def from_a_bill_day(given: Asked) -> Figures:
    """Answer the period that is billed in advance on a date; the first one may be short."""
    bill_day = given.day("invoice_date")
    found = days.all_from(_cycle(given, "invoice_date"), bill_day, bill_day)[0]
    return _ends(found, "expected_period_start", "expected_period_end")


def cycles_begun(given: Asked) -> Figures:
    start, target = given.day("billing_start"), given.day("target")
    begun = days.regular(_cycle(given, "billing_start"), start, target)
    return {"expected": sum(period.start > start for period in begun)}


def _cycle(given: Asked, start: str) -> BillingCycle:
    """Return the cycle from the month of the start, on the billing day."""
    step = given.step("billing_period")
    return days.anchored(step, given.day(start), start_day=int(given["billing_day"]))


def _ends(period: Period | None, first: str, end: str) -> Figures:
    both = [None, None] if period is None else days.ends(period)
    return dict(zip((first, end), both, strict=True))


# ------------------------------------------------------------------- Lago: the period of a bill

_NEXT_END: Final = "next_end_of_period"
_PREVIOUS_BEGINNING: Final = "previous_beginning_of_period"


def billed_at(given: Asked) -> Figures:
    """Answer the first or last day of the period that a bill made on a day is for."""
    started = days.maybe(given["started_at"])
    if started is None:
        return {"date": None}
    asked, bill_day = given["asked"], given.day("billing_at")
    step = given.step("interval")
    if given["billing_time"] == "calendar":
        cycle = days.of_the_calendar(step)
    else:
        cycle = days.anchored(step, given.day("subscription_at"))
    periods = days.all_from(cycle, started, max(started, bill_day))
    ended = days.maybe(given.get("terminated_at"))
    running = days.containing(periods, bill_day) or periods[0]
    past = [period for period in periods if period.end < bill_day] or periods[:1]
    in_arrears = not given["pay_in_advance"] and (ended is None or ended > bill_day)
    if asked not in {"from_datetime", "to_datetime", _NEXT_END, _PREVIOUS_BEGINNING}:
        raise UnsaidError(f"usage ({asked})")
    looks_back = asked == _PREVIOUS_BEGINNING or (in_arrears and asked != _NEXT_END)
    ours = _asked_day(past[-1] if looks_back else running, asked, ended)
    stated = given.expected["date"]
    if not agrees(stated, ours) and agrees(stated, _asked_day(running, asked, ended)):
        raise MismatchError(
            f"date: expected {stated}, got {ours}: what is expected belongs to the period that "
            "still runs, as when current usage is looked at, though the case asks for the one "
            "before"
        )
    return {"date": ours}


def _asked_day(period: Period, asked: str, ended: date | None) -> date:
    """Return the day of a period that is asked for; a bill never reaches past the termination."""
    if asked in {"from_datetime", _PREVIOUS_BEGINNING}:
        return period.start
    return period.end if ended is None or asked == _NEXT_END else min(period.end, ended)


# ------------------------------------------------------------------- Silver: cycles and trials

_FREE: Final = Amount(0, rents.CURRENCY)
_PRICE: Final = Amount(100, rents.CURRENCY)


def with_a_trial(given: Asked) -> Figures:
    """Answer the first or last day of the cycle or bucket that holds a date.

    A trial is a price of nothing until its last day; the change of price cuts the period (A19).
    """
    there, start = given.day("reference_date"), given.day("start_date")
    part, _, side = given["asked"].rpartition("_")
    trial_end = days.maybe(given["trial_end"])
    bucket = part == "bucket"
    is_cut = bucket or given["generate_documents_on_trial_end"] is not False
    one_piece = not bucket and given["separate_cycles_during_trial"] is False
    if one_piece and trial_end is not None and there <= trial_end:
        parts: tuple[Period, ...] = (Period(start, trial_end),)
    else:
        step = days.step(given["interval"], 1 if bucket else given["interval_count"])
        anchor = start
        if str(given.get("alignment", "calendar")).startswith("calendar"):
            # The first calendar interval on or after the start.
            anchor = days.first(days.of_the_calendar(days.Step(step.unit)), start).start
        cycle = days.anchored(step, anchor)
        parts = _cut_by_trial(cycle, start, there, trial_end if is_cut else None)
    found = days.containing(parts, there)
    return {"date": found and (found.start if side == "start" else found.end)}


def _cut_by_trial(
    cycle: BillingCycle, start: date, there: date, trial_end: date | None
) -> tuple[Period, ...]:
    """Return the periods up to a day as the library bills them with a price that begins late.

    An opening period is never split (A12), so a trial that ends within the days before the first
    regular period opens the subscription alone, and the days after it are a period of their own.
    """
    first = days.all_from(cycle, start, start)[0]
    regular = days.first(cycle, start)
    paid_from = days.after(trial_end) if trial_end else start
    leads = () if first == regular else first.split_at(paid_from)
    item = rents.rent(
        _FREE if trial_end else _PRICE,
        cycle,
        start,
        opens=rents.opening(_FREE, leads[-1]) if leads else None,
        later={paid_from: _PRICE.amount} if trial_end else None,
    )
    lines = rents.lines_due(item, regular.start, max(there, regular.start))
    return (*leads, *(line.accounting_period for line in lines))
