"""Silver: calendar cycles cut by a trial, months as exact numbers, and stacked discounts."""

import re
from datetime import date
from typing import Final

from rentbilling import Amount, BillingCycle, BillingPolicy, Period
from rentbilling.payers import BillDiscount
from rentbilling.schedule import period_share
from tests.outside.board import UnsaidError
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures

_FREE: Final = Amount(0, rents.CURRENCY)
_PRICE: Final = Amount(100, rents.CURRENCY)
_WEEKS_FROM_THE_START: Final = re.compile(r"(\d+) (day|week|month|year)s? from the start")


def with_a_trial(given: Asked) -> Figures:
    """Answer the first or last day of the cycle or bucket that holds a date.

    A trial is a price of nothing until its last day; the change of price cuts the period (A19).
    """
    there, start = days.of(given["reference_date"]), days.of(given["start_date"])
    part, _, side = given["asked"].rpartition("_")
    trial_end = days.maybe(given["trial_end"])
    bucket = part == "bucket"
    is_cut = bucket or given["generate_documents_on_trial_end"] is not False
    one_piece = not bucket and given["separate_cycles_during_trial"] is False
    if one_piece and trial_end is not None and there <= trial_end:
        parts: tuple[Period, ...] = (Period(start, trial_end),)
    else:
        step = days.step(given["interval"], 1 if bucket else given["interval_count"])
        cycle = _aligned(step, start, given)
        parts = _cut_by_trial(cycle, start, there, trial_end if is_cut else None)
    found = days.containing(parts, there)
    return {"date": found and (found.start if side == "start" else found.end)}


def _aligned(step: days.Step, start: date, given: Asked) -> BillingCycle:
    """Return the cycle that counts from the first calendar interval on or after the start."""
    if not str(given.get("alignment", "calendar")).startswith("calendar"):
        return days.anchored(step, start)
    first = days.first(days.of_the_calendar(days.Step(step.unit)), start).start
    return days.anchored(step, first)


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


def months_in_between(given: Asked) -> Figures:
    """Answer the months from one date to another, the second excluded, as an exact number."""
    start, end = days.of(given["start"]), days.of(given["end"])
    return {"months": rents.months_between(start, end, BillingPolicy())}


def calendar_part(given: Asked) -> Figures:
    part = days.run(given["period"], excluded=given.excluded)
    cycle = days.of_the_calendar(days.step(given["interval"]))
    price = rents.money(given["amount"])
    starts = [period.start for period in days.regular(cycle, part.start, part.end)]
    shares = [period_share(each, cycle, policy=rents.BY_DAYS) for each in part.split_at(*starts)]
    return {"total": rents.total(rents.part_of(price, share) for share in shares)}


def stacked(given: Asked) -> Figures:
    """Answer percentages of the bill that add up, then percentages of what is left (A73)."""
    added = [each for each in given["discounts"] if each["stack"] == "additive"]
    others = [each for each in given["discounts"] if each["stack"] != "additive"]
    discounts = [
        *(BillDiscount(percentage=rents.fraction_of(each["percent"]), of="list") for each in added),
        *(BillDiscount(percentage=rents.fraction_of(each["percent"])) for each in others),
    ]
    return {"total": rents.whole_bill(map(rents.money, given["lines"]), discounts)}


def for_some_time(given: Asked) -> Figures:
    """Answer a percentage that ends inside a billed period.

    What was used is a stated sum, so it is billed like a price of the first period.
    """
    found = _WEEKS_FROM_THE_START.fullmatch(given["discount_duration"])
    if found is None:
        raise UnsaidError(f"a discount for {given['discount_duration']}")
    start = days.of(given["start"])
    last = days.before(days.moved(start, days.step(found[2]), int(found[1])))
    discount = rents.by_percentage(given["discount_percent"]).evolve(end_date=last)
    billed = [days.run(pair) for pair in given["billed"]]
    cycle = days.anchored(days.step(given["interval"]), start)
    plan = rents.rent(rents.money(given["amount"]), cycle, start, discount=discount)
    lines = [line for run in billed for line in rents.lines_of(plan, run, policy=rents.BY_DAYS)]
    if given.get("usage"):
        usage = rents.rent(rents.money(given["usage"]), cycle, start, discount=discount)
        lines += rents.lines_of(usage, billed[0], policy=rents.BY_DAYS)
    return {"total": rents.net(lines)}
