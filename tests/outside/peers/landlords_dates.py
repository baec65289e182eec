"""When a period begins and a bill falls due: cycles, due dates and business days of four peers.

Law: days come from `accounting_periods` and `due_date`; a judge only reads the case into a cycle
and a rule, and the answer into the peer's way of writing ends.
What does not live here: contracts whose next bill date is forced (`landlords_contracts`).
"""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any

from rentbilling import (
    BillingCycle,
    BillingPolicy,
    DueDateRule,
    Period,
    accounting_periods,
    due_date,
)
from rentbilling.errors import InvalidInputError, InvalidPeriodError
from tests.outside.board import Case, Verdict, failed, held_against, not_expressible
from tests.outside.peers.landlords_terms import (
    AT_THE_START,
    ON_THE_LAST_DAY,
    cycle_from,
    day_after,
    day_before,
    day_of,
    half_open,
    half_open_text,
    period_with,
    periods_from,
    run,
    year_periods,
)

_TABLE = "due dates from a table by number of bills a year, which follow no rule within a period"

MONTHS_OF_FREQUENCY: Mapping[str, int] = MappingProxyType(
    {"MONTHLY": 1, "QUARTERLY": 3, "SEMI_YEARLY": 6, "YEARLY": 12}
)


# --- City of Helsinki: due dates by number of bills a year ----------------------------------------


def mvj_due_date(case: Case) -> Verdict:
    given = case["input"]
    if "billing_period" in given:
        return _is_last_of_year(case)
    if "rent_due_dates" in given:
        return _custom_in_range(case) if "start_date" in given else _billed_by_custom_date(case)
    if "due_date" in given:
        return _billed_by_date(case)
    if "start_date" in given:
        return _dates_in_range(case)
    if "rent_type" in given:
        return _days_of_a_year(case)
    return failed(f"no judge for a case with {sorted(given)}")


def _periods_of(year: int, count: int) -> tuple[Period, ...]:
    """Return the periods of a year for a number of bills; none where the library refuses it."""
    try:
        return year_periods(year, count)
    except InvalidInputError:
        return ()


def _is_last_of_year(case: Case) -> Verdict:
    given = case["input"]
    period = run(given["billing_period"])
    periods = _periods_of(period.end.year, given["due_dates_per_year"])
    is_last = bool(periods) and periods[-1] == period
    return held_against(case["expected"]["value"], is_last, what="last of its year")


def _billed_by_custom_date(case: Case) -> Verdict:
    """Judge which period a custom due date bills: the first date the first period, and so on."""
    given = case["input"]
    dates = [_month_and_day(each) for each in given["rent_due_dates"] or ()]
    period = None
    if given["due_date"] is not None and dates:
        day = day_of(given["due_date"])
        billed = dict(zip(sorted(dates), _periods_of(day.year, len(dates)), strict=False))
        period = billed.get((day.month, day.day))
    return _held_against_period(case, period)


def _month_and_day(stated: Any) -> tuple[int, int]:  # noqa: ANN401
    """Return month and day of a due date in a year, stated as `{day, month}` or day and month."""
    if isinstance(stated, Mapping):
        return int(stated["month"]), int(stated["day"])
    if isinstance(stated, str):
        month, day = stated.split("-")[-2:]
        return int(month), int(day)
    day, month = stated
    return int(month), int(day)


def _billed_by_date(case: Case) -> Verdict:
    """Judge which period a due date bills; monthly bills fall due on the first day."""
    given = case["input"]
    count = given["due_dates_per_year"]
    if given["due_date"] is None:
        return _held_against_period(case, None)
    day = day_of(given["due_date"])
    periods = _periods_of(day.year, count)
    if periods and not _follows_a_rule(count):
        return not_expressible(_TABLE)
    due = {due_date(AT_THE_START, period): period for period in periods}
    return _held_against_period(case, due.get(day))


def _held_against_period(case: Case, period: Period | None) -> Verdict:
    answer = None if period is None else [period.start.isoformat(), period.end.isoformat()]
    return held_against(case["expected"]["value"], answer, what="billing period")


def _custom_in_range(case: Case) -> Verdict:
    """Judge the custom due dates that fall in a range: each begins a yearly cycle of its own."""
    given = case["input"]
    days = run((given["start_date"], given["end_date"]))
    cycles = [
        BillingCycle(time_unit="Year", start=month, start_day=day)
        for month, day in map(_month_and_day, given["rent_due_dates"] or ())
    ]
    due = sorted(year.start for cycle in cycles for year in accounting_periods(cycle, days))
    answer = [day.isoformat() for day in due]
    return held_against(case["expected"]["value"], answer, what="due dates")


def _dates_in_range(case: Case) -> Verdict:
    given = case["input"]
    days = run((given["start_date"], given["end_date"]))
    count = given["due_dates_per_year"]
    if not _follows_a_rule(count) and _periods_of(days.start.year, count):
        return not_expressible(_TABLE)
    due = [
        due_date(AT_THE_START, period)
        for year in range(days.start.year, days.end.year + 1)
        for period in _periods_of(year, count)
    ]
    answer = [day.isoformat() for day in due if day in days]
    return held_against(case["expected"]["value"], answer, what="due dates")


def _days_of_a_year(case: Case) -> Verdict:
    given = case["input"]
    count = given["due_dates_per_year"]
    some_year = 2026
    periods = _periods_of(some_year, count)
    if periods and (given["rent_type"] == "FIXED" or not _follows_a_rule(count)):
        return not_expressible(_TABLE)
    due = [f"{due_date(AT_THE_START, period):%m-%d}" for period in periods]
    return held_against(case["expected"]["value"], due, what="due dates")


def _follows_a_rule(count: int) -> bool:
    """Return whether the peer's dates for so many bills a year lie on one day of each period."""
    monthly = 12
    return count == monthly


def mvj_period_range(case: Case) -> Verdict:
    """Judge the billing periods of a year; a number that gives no whole months gives none."""
    given = case["input"]
    periods = _periods_of(given["year"], given["due_dates_per_year"])
    answer = [[period.start.isoformat(), period.end.isoformat()] for period in periods]
    return held_against(case["expected"]["value"], answer, what="billing periods")


def mvj_business_day(case: Case) -> Verdict:
    """Judge which days are business days, and which is the next one; null and noise are refused."""
    text = case["input"]["the_day"]
    weekdays = BillingPolicy(business_day="following")
    try:
        day = Period.parse(f"{text}/{text}")
    except InvalidPeriodError as error:
        kind = ValueError.__name__ if isinstance(error, ValueError) else type(error).__name__
        return held_against(case["expected"]["value"], f"raises {kind}", what="business day")
    if case["about"].startswith("next"):
        following = DueDateRule(day_of_period=1, relative_to="end")
        found: object = due_date(following, day, policy=weekdays).isoformat()
    else:
        found = due_date(AT_THE_START, day, policy=weekdays) == day.start
    return held_against(case["expected"]["value"], found, what="business day")


# --- Estatio: frequencies in advance and in arrears -----------------------------------------------


def frequency(word: str) -> tuple[BillingCycle | None, DueDateRule]:
    """Return cycle and due date rule of a frequency; no cycle where a term is billed once.

    `QUARTERLY_IN_ADVANCE_PLUS1M` is quarters from February, due on their first day.
    """
    name, _, way = word.partition("_IN_")
    way, _, plus = way.partition("_PLUS")
    rule = ON_THE_LAST_DAY if way == "ARREARS" else AT_THE_START
    if name == "FIXED":
        return None, rule
    months = int(plus.removesuffix("M") or 0)
    return BillingCycle(period_length=MONTHS_OF_FREQUENCY[name], start=1 + months), rule


def periods_due_in(days: Period, word: str, term: Period) -> list[tuple[Period, date]]:
    """Return the periods of a frequency that fall due in the days, each with its due date."""
    cycle, rule = frequency(word)
    periods = (term,) if cycle is None else _around(days, cycle)
    due = [(period, due_date(rule, period, cycle=cycle)) for period in periods]
    return [(period, day) for period, day in due if day in days]


def _around(days: Period, cycle: BillingCycle) -> tuple[Period, ...]:
    first = period_with(days.start, cycle)
    return (first, *accounting_periods(cycle, days, after=first.end))


def estatio_due_date(case: Case) -> Verdict:
    """Judge which periods fall due in a half-open range, and on which day."""
    given, expected = case["input"], case["expected"]
    if "period_start" in given:
        cycle, rule = frequency(given["frequency"])
        if cycle is None:
            return failed("a term that is billed once has no period by its start")
        period = period_with(day_of(given["period_start"]), cycle)
        due = due_date(rule, period, cycle=cycle).isoformat()
        return held_against(expected["due_date"], due, what="due date")
    days = half_open(given["due_date_range"])
    term = half_open(given.get("term", given["due_date_range"]))
    found = periods_due_in(days, given["frequency"], term)
    first = [f"{half_open_text(period)}:{day}" for period, day in found[:1]]
    answer = {"number_of_periods": len(found), "first": first[0] if first else None}
    return held_against(dict(expected), {key: answer[key] for key in expected}, what="periods due")


def estatio_period_containing(case: Case) -> Verdict:
    cycle, _ = frequency(case["input"]["frequency"])
    if cycle is None:
        return not_expressible("a term that is billed once has no cycle")
    period = period_with(day_of(case["input"]["date"]), cycle)
    return held_against(case["expected"]["period"], half_open_text(period), what="period")


def estatio_recurrence(case: Case) -> Verdict:
    """Judge the day on which the next cycle begins after one that begins on the day given."""
    given = case["input"]
    day = day_of(given["date"])
    following = periods_from(day, cycle_from(day, given["rule"]), 2)[1]
    return held_against(case["expected"]["date"], following.start.isoformat(), what="next date")


# --- Invoice Ninja: a day of the month after the bill's date --------------------------------------


def ninja_due_date(case: Case) -> Verdict:
    """Judge the due date of a rule: a numbered, the first or the last day of a month after a date.

    Each is the first day of the next monthly cycle that begins on that day of the month.
    """
    given = case["input"]
    rule, day = given["rule"], day_of(given["date"])
    if rule.startswith("day-of-month"):
        start_day = int(given["day"])
    elif rule.startswith(("first day of month", "last day of month")):
        start_day = 1 if rule.startswith("first") else 31
    else:
        return failed(f"no judge for the rule {rule!r}")
    two_months = 62
    cycle = BillingCycle(start_day=start_day)
    periods = accounting_periods(cycle, Period(day_after(day), day_after(day, two_months)))
    return held_against(case["expected"]["due_date"], periods[0].start.isoformat(), what="due date")


# --- MicroRealEstate: how many periods a contract has ---------------------------------------------


def microrealestate_recurrence(case: Case) -> Verdict:
    """Judge the number of periods of a term, which may be cut short or renewed."""
    given = case["input"]
    begin, end = day_of(given["begin"]), day_of(given.get("terminated") or given["end"])
    try:
        cycle = cycle_from(begin, given["unit"])
    except KeyError:
        return not_expressible(f"a cycle in {given['unit']}")
    terms = [Period(begin, end)]
    if given.get("renew"):
        # A renewed term is as long as the first one, counted in the cycle's own units.
        length = len(accounting_periods(cycle, terms[0], after=day_before(begin)))
        term = cycle_from(begin, given["unit"], length)
        terms = list(periods_from(begin, term, 1 + int(given["renew"])))
    count = sum(
        len(accounting_periods(cycle, each, after=day_before(each.start))) for each in terms
    )
    return held_against(case["expected"]["number_of_periods"], count, what="number of periods")
