"""Lago: the first or last day of the period that a bill made on a day is for."""

from datetime import date
from typing import Final

from rentbilling import Period
from tests.outside.board import MismatchError, UnsaidError
from tests.outside.peers import days
from tests.outside.peers.asked import Asked, Figures, agrees

_NEXT_END: Final = "next_end_of_period"
_PREVIOUS_BEGINNING: Final = "previous_beginning_of_period"


def billed_at(given: Asked) -> Figures:
    started = days.maybe(given["started_at"])
    if started is None:
        return {"date": None}
    asked, bill_day = given["asked"], days.of(given["billing_at"])
    step = days.step(given["interval"])
    if given["billing_time"] == "calendar":
        cycle = days.of_the_calendar(step)
    else:
        cycle = days.anchored(step, days.of(given["subscription_at"]))
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
