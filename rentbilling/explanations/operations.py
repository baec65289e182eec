"""The operations of workings: each function computes the result of its own step.

Law: a step made here has the result that its operation gives for its inputs.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact
from fractions import Fraction
from functools import lru_cache, reduce
from operator import add, sub, truediv
from typing import Any, Final, NamedTuple, Protocol

from rentbilling.billing import shown_unit
from rentbilling.explanations.formatting import Value, as_fraction, ended
from rentbilling.explanations.working import Input, Working
from rentbilling.schedule import thirty_day_count
from rentbilling.values import (
    MONTHS_PER_YEAR,
    Amount,
    Period,
    Rounding,
    day_in_month,
    decimal_of,
    divide_rounded,
    month_index,
    month_start,
    share_units,
)

_HALF: Final = Fraction(1, 2)
_HALF_MONTH_DAYS: Final = 14
# As many digits as those of limits that are compounded over parts of a year.
_FIFTY: Final = Context(50, ROUND_HALF_EVEN, -999_999, 999_999, 1, 0, [], [])
_EXACT: Final = Context(1_000, ROUND_HALF_EVEN, -999_999, 999_999, 1, 0, [], [Inexact])
_ONE: Final = Fraction(1)
_NOTHING: Final = Decimal(0)

NamedInput = tuple[str, Input]
"""The name of an input, and the input."""


def value_of(given: Input) -> Value:
    return given.result if isinstance(given, Working) else given


def number_of(given: Input) -> Fraction:
    return as_fraction(value_of(given))


# A figure of a bill is in many of its steps.
@lru_cache(maxsize=1024)
def _amount_of(units: int, places: int, currency: str) -> Amount:
    return Amount.unchecked(decimal_of(units, places), currency)


def _ratio_of(value: Value) -> tuple[int, int]:
    exact = value.amount if type(value) is Amount else as_fraction(value)
    return exact.as_integer_ratio()


class Coin(NamedTuple):
    """A currency with its minor unit."""

    currency: str
    places: int

    @property
    def step(self) -> Decimal:
        """The minor unit."""
        return _amount_of(1, self.places, self.currency).amount

    def has_whole_units(self, value: Fraction) -> bool:
        units: Fraction = value * 10**self.places
        return units.denominator == 1

    def amount(self, value: Fraction) -> Amount | Fraction:
        """Return a number as an amount where it is whole minor units, else as it is."""
        if not self.has_whole_units(value):
            return value
        return self.of_units(int(value * 10**self.places))

    def whole(self, found: Working) -> Working:
        """Return a step whose result is an amount where it is whole minor units."""
        return replace(found, result=self.amount(number_of(found)))

    def exact(self, value: Fraction) -> Value:
        """Return a number as an amount where its decimals end, else as it is."""
        end = ended(value)
        if end is None:
            return value
        exponent = end.as_tuple().exponent
        places = max(self.places, -exponent if isinstance(exponent, int) else 0)
        return Amount.unchecked(decimal_of(int(value * 10**places), places), self.currency)

    def exact_step(self, found: Working) -> Working:
        """Return a step whose result is an amount where its decimals end."""
        return replace(found, result=self.exact(number_of(found)))

    def of_units(self, units: int) -> Amount:
        """Return so many minor units as an amount."""
        return _amount_of(units, self.places, self.currency)

    def rounded(self, label: str, rule: str, mode: Rounding, **value: Input) -> Working:
        """Return an amount rounded to the minor unit."""
        return rounded(label, rule, self.step, mode, of=self, **value)


def stated(
    label: str, value: Value, rule: str, note: str | None = None, *inputs: NamedInput
) -> Working:
    return Working(label, "stated", inputs, value, rule, note)


def selected(
    label: str,
    value: Input,
    on: date,
    rule: str,
    *,
    since: date | None = None,
    until: date | None = None,
    note: str | None = None,
) -> Working:
    """Return what is in force on a day."""
    inputs: list[NamedInput] = [("value", value), ("on", on)]
    inputs += [("since", since)] if since is not None else []
    inputs += [("until", until)] if until is not None else []
    return Working(label, "selected", tuple(inputs), value_of(value), rule, note)


def _size(value: Value) -> Fraction:
    """Return the size of a number, whatever its sign."""
    return abs(as_fraction(value))


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    """Return a power, exact where the exponent is a whole number."""
    if exponent.denominator == 1:
        return base ** int(exponent)
    first = _FIFTY.divide(Decimal(base.numerator), Decimal(base.denominator))
    part = _FIFTY.divide(Decimal(exponent.numerator), Decimal(exponent.denominator))
    return Fraction(_FIFTY.power(first, part))


def _half_or_whole(days: Fraction, of: Fraction) -> Fraction:
    return _ONE if days > _HALF_MONTH_DAYS or days == of else _HALF


def _day_after(start: Value, days: Value) -> date:
    assert isinstance(start, date)  # noqa: S101 - for the type checkers
    count = days if type(days) is int else int(as_fraction(days))
    return date.fromordinal(start.toordinal() + count)


class Builder(Protocol):
    """Returns a step; the keyword `tax_rate` names the input `tax rate`, a pair names any other."""

    def __call__(
        self, label: str, rule: str, /, *inputs: NamedInput, note: str | None = None, **named: Input
    ) -> Working: ...


def _sum(*amounts: Decimal) -> Decimal:
    """Return an exact sum with as many decimals as its parts, and no sign of a zero."""
    return reduce(_EXACT.add, amounts, _NOTHING)


def _builder(operation: str, compute: Callable[..., Value]) -> Builder:
    """Return what builds steps of an operation, which is a function of the values of its inputs."""

    def build(
        label: str, rule: str, /, *inputs: NamedInput, note: str | None = None, **named: Input
    ) -> Working:
        given = inputs
        if named:
            given += tuple([(name.replace("_", " "), each) for name, each in named.items()])
        values = [each.result if isinstance(each, Working) else each for _, each in given]
        result = compute(*values)
        return Working(label, operation, given, result, rule, note)

    return build


_AMOUNTS: Final = frozenset({Amount})


def _product(*values: Value) -> Fraction:
    """Return an exact product, put in lowest terms once."""
    over, below = 1, 1
    for each in values:
        times, parts = _ratio_of(each)
        over, below = over * times, below * parts
    return Fraction(over, below)


def _number(compute: Callable[..., Fraction]) -> Callable[..., Value]:
    return lambda *values: compute(*map(as_fraction, values))


def _money(
    of_numbers: Callable[..., Any], of_amounts: Callable[..., Decimal]
) -> Callable[..., Value]:
    """Return an operation on numbers whose result is an amount where all inputs are amounts."""

    def result(*values: Value) -> Value:
        if set(map(type, values)) != _AMOUNTS:
            exact: Fraction = reduce(of_numbers, map(as_fraction, values))
            return exact
        amounts: Any = values
        found = of_amounts(*[each.amount for each in amounts])
        return Amount.unchecked(found, amounts[0].currency)

    return result


together = _builder("together", lambda first, *_: first)
total = _builder("sum", _money(add, _sum))
difference = _builder(
    "difference", _money(sub, lambda first, *others: _EXACT.subtract(_sum(first), _sum(*others)))
)
product = _builder("product", _product)
quotient = _builder("quotient", _number(truediv))
power = _builder("power", _number(_power))
inside = _builder("inside", _number(lambda gross, rate: gross * rate / (1 + rate)))
larger = _builder("larger", lambda *numbers: max(numbers, key=_size))
smaller = _builder("smaller", lambda *numbers: min(numbers, key=_size))
halved = _builder("halved", _number(_half_or_whole))
day = _builder("day", _day_after)


def rounded(
    label: str,
    rule: str,
    step: Decimal | Fraction,
    mode: Rounding,
    *,
    of: Coin | None = None,
    **value: Input,
) -> Working:
    """Return a multiple of a step; an amount where it is one of a currency."""
    ((name, given),) = value.items()
    (over, below), (some, of_one) = _ratio_of(value_of(given)), step.as_integer_ratio()
    times = divide_rounded(over * of_one, below * some, mode)
    result: Value
    if of is None:
        result = times * as_fraction(step)
    else:
        result = of.of_units(times * some * 10**of.places // of_one)
    inputs = (name.replace("_", " "), given), ("step", step), ("mode", mode)
    return Working(label, "rounded", inputs, result, rule)


def limited(
    label: str,
    rule: str,
    *,
    minimum: NamedInput | None = None,
    maximum: NamedInput | None = None,
    note: str | None = None,
    **value: Input,
) -> Working:
    """Return a number within limits; their names begin with `minimum` and `maximum`."""
    ((name, given),) = value.items()
    found = number_of(given)
    if maximum is not None:
        found = min(found, number_of(maximum[1]))
    if minimum is not None:
        found = max(found, number_of(minimum[1]))
    inputs = tuple(each for each in ((name, given), minimum, maximum) if each is not None)
    return Working(label, "limited", inputs, found, rule, note)


def counted(label: str, first: int, last: int, rule: str, unit: str = "days") -> Working:
    """Return the number of days, months or 30/360 days from one day to another."""
    if unit == "days":
        found = last - first + 1
    elif unit == "months":
        found = month_index_after(last) - month_index(first)
    else:
        found = thirty_day_count(first, last)
    inputs: tuple[NamedInput, ...] = (
        ("first", date.fromordinal(first)),
        ("last", date.fromordinal(last)),
        ("unit", unit),
    )
    return Working(label, "counted", inputs, found, rule)


def month_index_after(last: int) -> int:
    """Return the number of the month of the day after another, also beyond 9999."""
    month = month_index(last)
    return month + (last + 1 == month_start(month + 1))


def period(
    label: str, rule: str, first_start: Input, number: int, length: int, unit: str, start_day: int
) -> Working:
    """Return a period of a cycle, so many after the one that begins on a day."""
    begins = value_of(first_start)
    assert isinstance(begins, date)  # noqa: S101 - for the type checkers
    inputs: tuple[NamedInput, ...] = (
        ("first start", first_start),
        ("number", number),
        ("length", length),
        ("unit", unit),
        ("start day", start_day),
    )
    if unit in ("Month", "Year"):
        months = length * (MONTHS_PER_YEAR if unit == "Year" else 1)
        month = month_index(begins.toordinal()) + number * months
        first = day_in_month(month, start_day)
        after = day_in_month(month + months, start_day)
    else:
        days = length * (7 if unit == "Week" else 1)
        first = begins.toordinal() + number * days
        after = first + days
    return Working(label, "period", inputs, Period.unchecked(first, after - 1), rule)


def cut_to(label: str, rule: str, whole: Working, *bounds: NamedInput) -> Working:
    """Return the days of a period from one day until another; both are optional."""
    days = whole.result
    assert isinstance(days, Period)  # noqa: S101 - for the type checkers
    first, last = days.first, days.last
    for name, given in bounds:
        there = value_of(given)
        assert isinstance(there, date)  # noqa: S101 - for the type checkers
        if name == "from":
            first = max(first, there.toordinal())
        else:
            last = min(last, there.toordinal())
    return Working(label, "cut", (("period", whole), *bounds), Period.unchecked(first, last), rule)


def moved(label: str, rule: str, due: Working, way: int, closed: Sequence[NamedInput]) -> Working:
    """Return the day after the last of some closed ones, going forward (1) or back (-1)."""
    last = value_of(closed[-1][1])
    assert isinstance(last, date)  # noqa: S101 - for the type checkers
    there = date.fromordinal(last.toordinal() + way)
    inputs = ("day", due), ("way", "forward" if way > 0 else "back"), *closed
    return Working(label, "moved", inputs, there, rule)


def shared(
    label: str, rule: str, whole: Input, place: int, weights: Sequence[NamedInput], coin: Coin
) -> Working:
    """Return the part of a place, from 1, of an amount that is shared out by weights (A64)."""
    units = int(number_of(whole) * 10**coin.places)
    parts = share_units(units, [number_of(weight) for _, weight in weights])
    inputs: tuple[NamedInput, ...] = ("whole", whole), ("place", place), ("step", coin.step)
    return Working(label, "shared", (*inputs, *weights), coin.of_units(parts[place - 1]), rule)


def printed(
    label: str, rule: str, line: Input, quantity: Input, exact: Input, coin: Coin, mode: Rounding
) -> Working:
    """Return the unit price to print on a line (A21)."""
    units = int(number_of(line) * 10**coin.places)
    times = value_of(quantity)
    assert isinstance(times, Decimal)  # noqa: S101 - for the type checkers
    over, below = number_of(exact).as_integer_ratio()
    price = Amount.unchecked(
        shown_unit(units, times, over, below, coin.places, mode), coin.currency
    )
    facts = ("line", line), ("quantity", quantity), ("exact", exact)
    return Working(label, "printed", (*facts, ("step", coin.step), ("mode", mode)), price, rule)


def corrected(
    label: str, rule: str, missing: Input, line: int, residues: Sequence[Fraction], coin: Coin
) -> Working:
    """Return the part of a line in correcting the nets of its Inclusive group (A29)."""
    units = int(number_of(missing) * 10**coin.places)
    way = 1 if units > 0 else -1
    order = sorted(range(len(residues)), key=lambda at: -residues[at] * way)
    found = way if line - 1 in order[: abs(units)] else 0
    inputs: tuple[NamedInput, ...] = (
        ("missing units", units),
        ("missing", missing),
        ("line", line),
        ("step", coin.step),
        *((f"residue of line {at}", each) for at, each in enumerate(residues, 1)),
    )
    return Working(label, "corrected", inputs, coin.of_units(found), rule)
