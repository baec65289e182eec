"""How values and steps of a working are written for people.

Laws: the text shows the value that was used, and a number that is cut short ends in an ellipsis; a
step that changes nothing, such as the rounding of a round number, has no formula.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from rentbilling.values import (
    CURRENCIES,
    MONTHS,
    MONTHS_PER_YEAR,
    WEEKDAYS,
    Amount,
    Period,
    decimal_of,
    divide_rounded,
    padded,
)

Value = int | Decimal | Fraction | date | Period | str | Amount
"""A value of a working: an input or the result of a step."""

Named = Sequence[tuple[str, Value]]
"""NamedInput by name, each with its value."""

_SHORT: Final = 4
_LONG: Final = 10
_DECIMALS: Final = 10
_SHARE: Final = 1000
_PERCENT: Final = ("percentage", "rate")
# Amounts are multiplied with these: four decimals would not lead to the minor unit.
_MULTIPLIED: Final = frozenset({"factor", "ratio", "share"})


def as_fraction(value: Value) -> Fraction:
    """Return the number that a value is.

    Raises:
        TypeError: It is not a number.

    Examples:
        >>> as_fraction(Decimal("0.25"))
        Fraction(1, 4)
    """
    if type(value) is Fraction:
        return value
    if isinstance(value, Amount):
        return _fraction(value.amount)
    if isinstance(value, (int, Decimal, Fraction)):
        return _fraction(value)
    raise TypeError(f"{value!r} is no number")


# Equal numbers are equal fractions, and a working has the same ones in many steps.
_fraction: Final = lru_cache(maxsize=1024)(Fraction)


def ended(value: Fraction) -> Decimal | None:
    """Return a fraction as a decimal, None if it has more than 10 decimals."""
    over, below = value.as_integer_ratio()
    for places in range(_DECIMALS + 1):
        if 10**places % below == 0:
            return decimal_of(over * (10**places // below), places)
    return None


def number_text(value: Fraction, places: int = _SHORT, *, parts: bool = True) -> str:
    """Return an exact number: 7,812.5, 17/31, or cut after some decimals with an ellipsis.

    Examples:
        >>> number_text(Fraction(15625, 2)), number_text(Fraction(17, 31))
        ('7,812.5', '17/31')
        >>> number_text(Fraction(144500, 31))
        '4,661.2903…'
    """
    short = ended(value)
    if short is not None:
        return f"{short:,f}"
    if parts and abs(value.numerator) < _SHARE and value.denominator < _SHARE:
        return f"{value.numerator}/{value.denominator}"
    over, below = value.as_integer_ratio()
    # Small numbers show as many digits as large ones.
    while places < _DECIMALS * 2 and abs(over) * 10 ** (places - 2) < below:
        places += 1
    cut = decimal_of(divide_rounded(over * 10**places, below, "down"), places)
    return f"{cut:,f}…"


def value_text(value: Value, name: str = "") -> str:
    """Return a value as people write it.

    Examples:
        >>> value_text(Amount(Decimal("7812.50"), "DKK")), value_text(Decimal("0.025"), "tax rate")
        ('7,812.50 DKK', '2.5 %')
    """
    if isinstance(value, Amount):
        return f"{figure_text(value)} {value.currency}"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (Period, str)):
        return str(value)
    if name.rpartition(" ")[2] in _PERCENT:
        return f"{number_text(Fraction(value) * 100, parts=False)} %"
    if isinstance(value, Decimal):
        return f"{value:,f}"
    is_multiplied = not _MULTIPLIED.isdisjoint(name.split())
    return number_text(Fraction(value), _LONG if is_multiplied else _SHORT)


def result_text(value: Value, name: str = "") -> str:
    """Return the result of a step: a fraction with its beginning as a decimal number.

    Examples:
        >>> result_text(Fraction(107, 97)), result_text(Fraction(1, 4))
        ('107/97 (1.1030…)', '0.25')
    """
    text = value_text(value, name)
    if not isinstance(value, Fraction) or "/" not in text:
        return text
    return f"{text} ({number_text(value, parts=False)})"


def figure_text(amount: Amount) -> str:
    """Return an amount's number with at least the decimals of its currency."""
    return f"{padded(amount.amount, CURRENCIES.get(amount.currency, 0)):,f}"


def value_data(value: Value) -> object:
    """Return a value as plain data: exact numbers as text.

    Examples:
        >>> value_data(Fraction(17, 31)), value_data(Amount(5, "DKK"))
        ('17/31', {'amount': '5', 'currency': 'DKK'})
    """
    if isinstance(value, Amount):
        return {"amount": f"{value.amount:f}", "currency": value.currency}
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


_STARTS: Final = MappingProxyType(
    {
        "agreed": "what was agreed",
        "explained": "what is explained above",
        "left out": "what earlier adjustments led to",
    }
)


def _short(name: str, value: Value) -> str:
    """Return a value within a formula, an amount without its currency."""
    text = figure_text(value) if isinstance(value, Amount) else value_text(value, name)
    return f"({text})" if "/" in text and not isinstance(value, (Period, str)) else text


def _factor(name: str, value: Value) -> str:
    """Return a factor or divisor, negative ones in brackets."""
    text = _short(name, value)
    return f"({text})" if text.startswith("-") else text


def _joined(sign: str) -> Callable[[Named], str]:
    """Return a function that writes all inputs with a sign between them."""

    def written(inputs: Named) -> str:
        first, *others = inputs
        return f" {sign} ".join([_short(*first), *(_factor(*each) for each in others)])

    return written


def _signed(inputs: Named, signs: tuple[str, str]) -> str:
    """Write numbers with a sign before each but the first; a negative one turns its sign."""
    first, *others = inputs
    text = _short(*first)
    for name, value in others:
        if as_fraction(value) < 0:
            size = -value if isinstance(value, Amount) else -as_fraction(value)
            text += f" {signs[1]} {_short(name, size)}"
        else:
            text += f" {signs[0]} {_short(name, value)}"
    return text


def _total(inputs: Named) -> str:
    """Write a sum; empty for a single number."""
    return "" if len(inputs) == 1 else _signed(inputs, ("+", "−"))


def _difference(inputs: Named) -> str:
    return _signed(inputs, ("−", "+"))


def _rounded(inputs: Named) -> str:
    """Write a rounding; empty where the number is already round."""
    (name, value), (_, step), (_, mode) = inputs
    if (as_fraction(value) / as_fraction(step)).denominator == 1:
        return ""
    to, what = value_text(step, name), _short(name, value)
    if "/" in what:
        # Decimals show how a fraction is rounded.
        what = number_text(as_fraction(value), parts=False)
    return f"{what} rounded {str(mode).replace('_', ' ')} to {to}"


def _limited(inputs: Named) -> str:
    first, *limits = inputs
    text = _short(*first)
    for name, value in limits:
        said = "at least" if name.startswith("minimum") else "at most"
        text += f", {said} {_short(name, value)}"
    return text


def _of_size(word: str) -> Callable[[Named], str]:
    return lambda inputs: f"the {word} of " + " and ".join(_short(*each) for each in inputs)


def _selected(inputs: Named) -> str:
    given = dict(inputs)
    text = f"in force on {value_text(given['on'])}"
    if "since" in given:
        text += f", since {value_text(given['since'])}"
    if "until" in given:
        text += f", until {value_text(given['until'])}"
    return text


def _day(inputs: Named) -> str:
    (_, start), (_, days) = inputs
    count = abs(as_fraction(days))
    if not count:
        return ""
    word = "day" if count == 1 else "days"
    return f"{count} {word} {'before' if as_fraction(days) < 0 else 'after'} {value_text(start)}"


def _counted(inputs: Named) -> str:
    given = dict(inputs)
    return f"{given['unit']} from {value_text(given['first'])} to {value_text(given['last'])}"


def _halved(inputs: Named) -> str:
    """Write a month that counts half or whole."""
    (_, days), (_, of) = inputs
    return f"{days} of {of} days, of which up to 14 count as half a month"


def _moved(inputs: Named) -> str:
    (_, day), _, *closed = inputs
    over = ", ".join(f"{name} {value_text(there)}" for name, there in closed)
    return f"{value_text(day)} moved over {over}"


def _first(inputs: Named) -> str:
    """Write the first start of a cycle after a day."""
    given = dict(inputs)
    after = f"after {value_text(given['after'])}"
    if given["unit"] == "Day":
        return f"the day {after}"
    if given["unit"] == "Week":
        return f"the first {WEEKDAYS[int(str(given['start'])) - 1]} {after}"
    start, every = int(str(given["start"])), int(str(given["every"]))
    months = [MONTHS[at] for at in range(MONTHS_PER_YEAR) if (at - start + 1) % every == 0]
    named = ", ".join(months[:-1]) + " or " * bool(months[:-1]) + months[-1]
    day = int(str(given["start day"]))
    begins = "beginning" if day == 1 else _ordinal(day)
    return f"the first {begins} of {'a month' if every == 1 else named} {after}"


def _ordinal(day: int) -> str:
    """Return the day of a month as people say it.

    Examples:
        >>> _ordinal(1), _ordinal(12), _ordinal(23)
        ('1st', '12th', '23rd')
    """
    ending = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def _period(inputs: Named) -> str:
    given = dict(inputs)
    length, unit = given["length"], str(given["unit"]).lower()
    named = f"{length} {unit}" if length == 1 else f"{length} {unit}s"
    begins, number = value_text(given["first start"]), given["number"]
    if number == 0:
        return f"{named} from {begins}"
    periods = "1 period" if number == 1 else f"{number} periods"
    return f"{named}, {periods} after the one from {begins}"


def _cut(inputs: Named) -> str:
    (_, whole), *bounds = inputs
    return value_text(whole) + "".join(f", {name} {value_text(there)}" for name, there in bounds)


def _corrected(inputs: Named) -> str:
    """Write the share of a line in a correction by single minor units."""
    given = dict(inputs)
    units, line = as_fraction(given["missing units"]), given["line"]
    count = "1 minor unit" if abs(units) == 1 else f"{abs(units)} minor units"
    what = "too little, added" if units > 0 else "too much, taken"
    return f"{count} {what} where rounding erred most; this is line {line}"


def _shared(inputs: Named) -> str:
    whole, (_, place), _, *weights = inputs
    by = " : ".join([_short(*each) for each in weights])
    return f"part {place} of {_short(*whole)} shared out by {by}"


def _reached(inputs: Named) -> str:
    """Write the changes that followed an amount."""
    (start, _), *changes = inputs
    count = "1 adjustment" if len(changes) == 1 else f"{len(changes):,} adjustments"
    return f"{_STARTS.get(start, start)} and {count} since"


def _printed(inputs: Named) -> str:
    """Write a unit price that is found for a line."""
    given = dict(inputs)
    line, times = _short("line", given["line"]), value_text(given["quantity"])
    return f"the fewest decimals that give {line} for a quantity of {times}"


def _power(inputs: Named) -> str:
    base, exponent = inputs
    return f"{_short(*base)} to the power of {_short(*exponent)}"


def _inside(inputs: Named) -> str:
    gross, rate = inputs
    return f"VAT of {_short(*rate)} inside {_short(*gross)}"


FORMULAS: Final[Mapping[str, Callable[[Named], str]]] = MappingProxyType(
    {
        "stated": lambda _: "",
        "together": lambda _: "",
        "selected": _selected,
        "sum": _total,
        "difference": _difference,
        "product": _joined("×"),
        "quotient": _joined("/"),
        "power": _power,
        "rounded": _rounded,
        "inside": _inside,
        "limited": _limited,
        "larger": _of_size("larger"),
        "smaller": _of_size("smaller"),
        "day": _day,
        "counted": _counted,
        "halved": _halved,
        "moved": _moved,
        "first": _first,
        "period": _period,
        "cut": _cut,
        "corrected": _corrected,
        "shared": _shared,
        "reached": _reached,
        "referred": lambda _: "",
        "printed": _printed,
    }
)
"""How the inputs of each operation are written."""
