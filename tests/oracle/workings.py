"""An independent evaluator of workings: it knows the table of operations and nothing else.

Law: it reads the fields of workings and of values, and reckons with exact fractions and its own
calendar; nothing of the library's arithmetic, schedule, lines, VAT or adjustments.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Any

from rentbilling import Amount, Period, Working
from tests.oracle.rounding import rounded, shown_unit_price

Named = Sequence[tuple[str, Any]]

HALF = Fraction(1, 2)
HALF_MONTH = 14
YEAR = 12
FIFTY = Context(50, ROUND_HALF_EVEN)
SATURDAY = 5


class DisagreementError(AssertionError):
    """A step does not follow from its inputs."""


def number(value: Any) -> Fraction:  # noqa: ANN401
    return Fraction(value.amount) if isinstance(value, Amount) else Fraction(value)


def is_number(value: object) -> bool:
    return isinstance(value, (Amount, Decimal, Fraction, int))


def replayed(working: Working, known: dict[str, Any] | None = None) -> Any:  # noqa: ANN401
    """Return what a working leads to, every step found anew from the facts below it.

    Args:
        working: The working.
        known: What the steps before it led to, by id; those of this working are added.

    Raises:
        DisagreementError: A step says another result than its inputs lead to, or refers to a step
            that was not given before.
    """
    known = {} if known is None else known
    inputs = [
        (name, replayed(given, known) if isinstance(given, Working) else given)
        for name, given in working.inputs
    ]
    if working.operation == "referred":
        ((name, step_id),) = inputs
        if name != "step" or str(step_id) not in known:
            raise DisagreementError(f"refers to what was not explained: {working}")
        result = known[str(step_id)]
    else:
        result = OPERATIONS[working.operation](inputs, working)
    stands = working.result
    same = (
        number(result) == number(stands)
        if is_number(result) and is_number(stands)
        else result == stands
    )
    if not same:
        raise DisagreementError(f"{working.label}: {result!r} replayed, {stands!r} told\n{working}")
    if working.step_id is not None:
        known[working.step_id] = stands
    return stands


def all_replayed(workings: Iterable[Working]) -> list[Any]:
    """Return what the workings of one explanation lead to, each read after those before it."""
    known: dict[str, Any] = {}
    return [replayed(each, known) for each in workings]


# ------------------------------------------------------------------------------------ the calendar


def month_of(day: date) -> int:
    return day.year * YEAR + day.month - 1


def day_of_month(month: int, day: int) -> date:
    """Return a day of a month, the last one where the month is shorter."""
    for there in range(day, day - 4, -1):
        try:
            return date(month // YEAR, month % YEAR + 1, there)
        except ValueError:
            continue
    raise DisagreementError(f"no day {day} in month {month}")


def day_before(month: int, day: int) -> date:
    """Return the day before a day of a month, which may lie after the calendar's end."""
    if month == (date.max.year + 1) * YEAR and day == 1:
        return date.max
    return date.fromordinal(day_of_month(month, day).toordinal() - 1)


def whole_months(first: date, last: date) -> int:
    """Return how many months begin between two days, counting to the day after the last one."""
    if last == date.max:
        return (date.max.year + 1) * YEAR - month_of(first)
    return month_of(date.fromordinal(last.toordinal() + 1)) - month_of(first)


def thirty_days(first: date, last: date) -> int:
    """Return the days of 30/360: every month has 30, whatever its last day is called."""
    ends = 30 if last == date.max or date.fromordinal(last.toordinal() + 1).day == 1 else last.day
    begins = min(first.day, 30)
    return (month_of(last) - month_of(first)) * 30 + min(ends, 30) - begins + 1


# ------------------------------------------------------------------------------------ operations


def stated(_inputs: Named, working: Working) -> Any:  # noqa: ANN401
    return working.result


def together(inputs: Named, _working: Working) -> Any:  # noqa: ANN401
    return inputs[0][1]


def selected(inputs: Named, working: Working) -> Any:  # noqa: ANN401
    given = dict(inputs)
    on = given["on"]
    if not given.get("since", date.min) <= on <= given.get("until", date.max):
        raise DisagreementError(f"not in force: {working}")
    return given["value"]


def total(inputs: Named, _working: Working) -> Fraction:
    return sum((number(value) for _, value in inputs), Fraction(0))


def reached(inputs: Named, working: Working) -> Fraction:
    """A number after changes, each of which begins where the one before ended."""
    found = number(inputs[0][1])
    for _, change in working.inputs[1:]:
        if not isinstance(change, Working) or change.operation != "difference":
            raise DisagreementError(f"no change from one number to another: {change}")
        (_, to), (_, start) = change.values
        if number(start) != found:
            raise DisagreementError(f"begins with {start!r}, not {found!r}: {change}")
        found = number(to)
    return found


def difference(inputs: Named, _working: Working) -> Fraction:
    (_, first), *others = inputs
    return number(first) - sum((number(value) for _, value in others), Fraction(0))


def product(inputs: Named, _working: Working) -> Fraction:
    found = Fraction(1)
    for _, value in inputs:
        found *= number(value)
    return found


def quotient(inputs: Named, _working: Working) -> Fraction:
    (_, over), (_, below) = inputs
    return number(over) / number(below)


def power(inputs: Named, _working: Working) -> Fraction:
    """A power, by logarithm to fifty digits where the exponent is a part of a year."""
    (_, base), (_, exponent) = inputs
    base, exponent = number(base), number(exponent)
    if exponent.denominator == 1:
        found = Fraction(1)
        for _ in range(int(exponent)):
            found *= base
        return found
    own = FIFTY.divide(Decimal(base.numerator), Decimal(base.denominator))
    times = FIFTY.divide(Decimal(exponent.numerator), Decimal(exponent.denominator))
    return Fraction(FIFTY.power(own, times))


def to_step(inputs: Named, _working: Working) -> Fraction:
    (_, value), (_, step), (_, mode) = inputs
    return rounded(number(value), number(step), mode)


def inside(inputs: Named, _working: Working) -> Fraction:
    """The VAT inside a gross: what is left of it without the net."""
    (_, gross), (_, rate) = inputs
    return number(gross) - number(gross) / (1 + number(rate))


def limited(inputs: Named, _working: Working) -> Fraction:
    (_, value), *limits = inputs
    found = number(value)
    for name, limit in limits:
        if name.startswith("maximum"):
            found = min(found, number(limit))
    for name, limit in limits:
        if name.startswith("minimum"):
            found = max(found, number(limit))
    return found


def larger(inputs: Named, _working: Working) -> Fraction:
    found = number(inputs[0][1])
    for _, value in inputs[1:]:
        if abs(number(value)) > abs(found):
            found = number(value)
    return found


def smaller(inputs: Named, _working: Working) -> Fraction:
    found = number(inputs[0][1])
    for _, value in inputs[1:]:
        if abs(number(value)) < abs(found):
            found = number(value)
    return found


def day(inputs: Named, _working: Working) -> date:
    (_, start), (_, days) = inputs
    count = number(days)
    if count.denominator != 1:
        raise DisagreementError(f"{count} is no number of days")
    return date.fromordinal(start.toordinal() + int(count))


def counted(inputs: Named, _working: Working) -> int:
    """Days, months, or days of 30/360, both ends included."""
    given = dict(inputs)
    first, last = given["first"], given["last"]
    count: dict[str, Callable[[], int]] = {
        "days": lambda: (last - first).days + 1,
        "months": lambda: whole_months(first, last),
        "days of 30/360": lambda: thirty_days(first, last),
    }
    return count[given["unit"]]()


def halved(inputs: Named, _working: Working) -> Fraction:
    (_, days), (_, of) = inputs
    return Fraction(1) if days > HALF_MONTH or days == of else HALF


def moved(inputs: Named, working: Working) -> date:
    """The day after the last of a row of closed days that begins with the due date."""
    (_, due), (_, way), *closed = inputs
    step = {"forward": 1, "back": -1}[way]
    days = [there for _, there in closed]
    row = all(after.toordinal() - there.toordinal() == step for there, after in pairwise(days))
    weekend = all(
        name == {5: "Saturday", 6: "Sunday"}.get(there.weekday(), "holiday")
        for name, there in closed
    )
    found = date.fromordinal(days[-1].toordinal() + step)
    if days[0] != due or not row or not weekend or found.weekday() >= SATURDAY:
        raise DisagreementError(f"moved over what is not closed: {working}")
    return found


def first(inputs: Named, _working: Working) -> date:
    given = dict(inputs)
    after, unit = given["after"], given["unit"]
    there = date.fromordinal(after.toordinal() + 1)
    if unit == "Day":
        return there
    if unit == "Week":
        while there.isoweekday() != given["start"]:
            there = date.fromordinal(there.toordinal() + 1)
        return there
    month = month_of(after)
    while True:
        fits = (month % YEAR - (given["start"] - 1)) % given["every"] == 0
        if fits and day_of_month(month, given["start day"]) > after:
            return day_of_month(month, given["start day"])
        month += 1


def period(inputs: Named, _working: Working) -> Period:
    """A period of a cycle, so many after the one that begins on a day."""
    given = dict(inputs)
    begins, count, length = given["first start"], given["number"], given["length"]
    if given["unit"] in ("Month", "Year"):
        length *= YEAR if given["unit"] == "Year" else 1
        month = month_of(begins) + count * length
        start_day = given["start day"]
        return Period(day_of_month(month, start_day), day_before(month + length, start_day))
    length *= 7 if given["unit"] == "Week" else 1
    start = begins.toordinal() + count * length
    return Period(date.fromordinal(start), date.fromordinal(start + length - 1))


def cut(inputs: Named, _working: Working) -> Period:
    (_, whole), *bounds = inputs
    given = dict(bounds)
    start, end = given.get("from", whole.start), given.get("until", whole.end)
    return Period(max(start, whole.start), min(end, whole.end))


def corrected(inputs: Named, _working: Working) -> Fraction:
    """One step for the lines with the largest residue in the direction of what is missing."""
    given = dict(inputs)
    units, step = number(given["missing units"]), number(given["step"])
    if units * step != number(given["missing"]):
        raise DisagreementError("the missing units are not what is missing")
    own = given["line"]
    residues = {
        int(name.removeprefix("residue of line ")): number(value)
        for name, value in inputs
        if name.startswith("residue of line ")
    }
    way = 1 if units > 0 else -1
    ahead = [
        line
        for line, residue in residues.items()
        if residue * way > residues[own] * way or (residue == residues[own] and line < own)
    ]
    return way * step if len(ahead) < abs(units) else Fraction(0)


def shared(inputs: Named, _working: Working) -> Fraction:
    """A part by largest remainders, one unit after the other to the one who lacks most (A64)."""
    (_, whole), (_, place), (_, step), *weights = inputs
    units, by = number(whole) / number(step), [number(weight) for _, weight in weights]
    sign = -1 if units < 0 else 1
    wanted = [abs(units) * weight / sum(by) for weight in by]
    parts = [floor(each) for each in wanted]
    while sum(parts) < abs(units):
        lacking = [each - part for each, part in zip(wanted, parts, strict=True)]
        parts[lacking.index(max(lacking))] += 1
    return Fraction(sign * parts[place - 1] * number(step))


def printed(inputs: Named, working: Working) -> Fraction:
    given = dict(inputs)
    step = number(given["step"])
    found = shown_unit_price(
        number(given["exact"]),
        number(given["quantity"]),
        number(given["line"]),
        len(str(step.denominator)) - 1,
        given["mode"],
    )
    # Where fifteen digits are not enough for any, the nearest with fifteen is printed.
    return number(working.result) if found is None else found


OPERATIONS: Mapping[str, Callable[[Named, Working], Any]] = {
    "stated": stated,
    "together": together,
    "selected": selected,
    "sum": total,
    "difference": difference,
    "product": product,
    "quotient": quotient,
    "power": power,
    "rounded": to_step,
    "inside": inside,
    "limited": limited,
    "larger": larger,
    "smaller": smaller,
    "day": day,
    "counted": counted,
    "halved": halved,
    "moved": moved,
    "first": first,
    "period": period,
    "cut": cut,
    "corrected": corrected,
    "printed": printed,
    "shared": shared,
    "reached": reached,
}
"""What each operation does."""
