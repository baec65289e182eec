"""Judges of billing periods: the one around a date, before a bill day, or cut by a trial.

What does not live here: single dates (`subscriptions_dates`) and the runs of a bill generator
(`subscriptions_runs`).
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from rentbilling import Amount, AmountRecord, BillingCycle, Period
from tests.outside.board import PASSED, Case, Head, Verdict, failed, not_expressible
from tests.outside.peers.subscriptions_cycles import (
    Step,
    anchored,
    containing,
    first_period,
    of_the_calendar,
    periods_from,
    step_named,
    step_of,
)
from tests.outside.peers.subscriptions_items import lines_due, opening_of, subscription
from tests.outside.peers.subscriptions_reading import (
    day,
    day_after,
    half_open,
    held,
    optional_day,
)

_FREE: Final = Amount(0, "EUR")
_PRICE: Final = Amount(100, "EUR")
_NEXT_END: Final = "next_end_of_period"
_PREVIOUS_BEGINNING: Final = "previous_beginning_of_period"


# ----------------------------------------------------------------- Meteroid: around a date


def around_a_date(case: Case, _head: Head) -> Verdict:
    """Judge the period that holds a date; before the start of billing it is the first one."""
    given = case["input"]
    if not case["expected"]:
        return not_expressible("a figure: the case states none")
    start = day(given["billing_start"])
    target = max(start, day(given["target"]))
    cycle = _by_billing_day(given, start)
    found = containing(periods_from(cycle, start, target), target)
    return held(case["expected"], _named(found, "expected_start", "expected_end"))


def before_a_bill_day(case: Case, _head: Head) -> Verdict:
    """Judge the period that is billed in arrears on a date: the last one that ended by then."""
    given = case["input"]
    start, bill_day = day(given["billing_start_or_resume_date"]), day(given["invoice_date"])
    periods = periods_from(_by_billing_day(given, start), start, bill_day)
    ended = [period for period in periods if period.end < bill_day]
    found = ended[-1] if ended else None
    return held(case["expected"], _named(found, "expected_period_start", "expected_period_end"))


def from_a_bill_day(case: Case, _head: Head) -> Verdict:
    """Judge the period that is billed in advance on a date; the first one may be short."""
    given = case["input"]
    bill_day = day(given["invoice_date"])
    found = periods_from(_by_billing_day(given, bill_day), bill_day, bill_day)[0]
    return held(case["expected"], _named(found, "expected_period_start", "expected_period_end"))


def _by_billing_day(given: Case, start: date) -> BillingCycle:
    """Return the cycle from the month of the start, on the billing day."""
    step = step_named(given["billing_period"])
    return anchored(step, start, start_day=int(given["billing_day"]))


def _named(period: Period | None, first: str, end: str) -> dict[str, object]:
    """Return a period's first day and excluded end under the names of the case."""
    if period is None:
        return {first: None, end: None}
    return dict(zip((first, end), half_open(period), strict=True))


# ------------------------------------------------------------- Lago: the period that is billed


def billed_at(case: Case, _head: Head) -> Verdict:
    """Judge the first or last day of the period that a bill made on a day is for."""
    given = case["input"]
    started = optional_day(given["started_at"])
    if started is None:
        return held(case["expected"], {"date": None})
    bill_day = day(given["billing_at"])
    step = step_named(given["interval"])
    calendar = given["billing_time"] == "calendar"
    cycle = of_the_calendar(step) if calendar else anchored(step, day(given["subscription_at"]))
    periods = periods_from(cycle, started, max(started, bill_day))
    ended = optional_day(given.get("terminated_at"))
    asked = given["asked"]
    running = containing(periods, bill_day) or periods[0]
    before = _before(periods, bill_day) or periods[0]
    in_arrears = not given["pay_in_advance"] and (ended is None or ended > bill_day)
    if asked not in {"from_datetime", "to_datetime", _NEXT_END, _PREVIOUS_BEGINNING}:
        return not_expressible(f"usage ({asked})")
    looks_back = asked == _PREVIOUS_BEGINNING or (in_arrears and asked != _NEXT_END)
    found = before if looks_back else running
    verdict = held(case["expected"], {"date": _asked_day(found, asked, ended)})
    as_usage = held(case["expected"], {"date": _asked_day(running, asked, ended)})
    if verdict != PASSED and as_usage == PASSED:
        return failed(
            f"{verdict.reason}: what is expected belongs to the period that still runs, as when "
            "current usage is looked at, though the case asks for the one before"
        )
    return verdict


def _before(periods: Sequence[Period], there: date) -> Period | None:
    return next((period for period in reversed(periods) if period.end < there), None)


def _asked_day(period: Period, asked: str, ended: date | None) -> date:
    """Return the day of a period that is asked for; a bill never reaches past the termination."""
    if asked in {"from_datetime", _PREVIOUS_BEGINNING}:
        return period.start
    return period.end if ended is None or asked == _NEXT_END else min(period.end, ended)


# ------------------------------------------------- Silver: calendar cycles, cut by a trial


def with_a_trial(case: Case, _head: Head) -> Verdict:
    """Judge the first or last day of the cycle or bucket that holds a date.

    A trial is a price of nothing until its last day; the change of price cuts the period (A19).
    """
    given = case["input"]
    there, start = day(given["reference_date"]), day(given["start_date"])
    part, _, side = given["asked"].rpartition("_")
    trial_end = optional_day(given["trial_end"])
    bucket = part == "bucket"
    is_cut = bucket or given["generate_documents_on_trial_end"] is not False
    one_piece = not bucket and given["separate_cycles_during_trial"] is False
    if one_piece and trial_end is not None and there <= trial_end:
        parts: Sequence[Period] = (Period(start, trial_end),)
    else:
        step = step_of(given["interval"], 1 if bucket else given["interval_count"])
        parts = _cut_by_trial(
            _aligned(step, start, given), start, there, trial_end if is_cut else None
        )
    found = containing(parts, there)
    ours = None if found is None else (found.start if side == "start" else found.end)
    return held(case["expected"], {"date": ours})


def _aligned(step: Step, start: date, given: Any) -> BillingCycle:  # noqa: ANN401
    """Return the cycle that counts from the first calendar interval on or after the start."""
    if not str(given.get("alignment", "calendar")).startswith("calendar"):
        return anchored(step, start)
    first = first_period(of_the_calendar(Step(step.unit)), start).start
    return anchored(step, first)


def _cut_by_trial(
    cycle: BillingCycle, start: date, there: date, trial_end: date | None
) -> tuple[Period, ...]:
    """Return the periods up to a day as the library bills them with a price that begins late.

    An opening period is never split (A12), so a trial that ends within the days before the first
    regular period opens the subscription alone, and the days after it stand by themselves.
    """
    first = periods_from(cycle, start, start)[0]
    regular = first_period(cycle, start)
    paid_from = day_after(trial_end) if trial_end else start
    leads = () if first == regular else first.split_at(paid_from)
    item = subscription(
        _FREE if trial_end else _PRICE,
        cycle,
        start,
        opening=opening_of(_FREE, leads[-1]) if leads else None,
        amount_records=[AmountRecord(value=_PRICE, start=paid_from)] if trial_end else (),
    )
    lines = lines_due(item, regular.start, max(there, regular.start))
    return (*leads, *(line.accounting_period for line in lines))
