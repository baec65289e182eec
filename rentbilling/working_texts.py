"""Working texts: how a value and a step of a working are written for people.

Law: what is written is what was reckoned with; a number that is cut short ends in an ellipsis.
What does not live here: the steps themselves (`workings`), how their results are found
(`reckoning`).
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from rentbilling.money import Amount, decimal_of, divide_rounded
from rentbilling.periods import Period

Value = int | Decimal | Fraction | date | Period | str | Amount
"""What a step of a working takes and gives."""

Named = Sequence[tuple[str, Value]]
"""Inputs by name, each with its value."""

_SHORT: Final = 4
_DECIMALS: Final = 10
_SHARE: Final = 1000
_PERCENT: Final = ("percentage", "rate")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


def as_fraction(value: Value) -> Fraction:
    """Return the number that a value is.

    Raises:
        TypeError: It is no number.

    Examples:
        >>> as_fraction(Decimal("0.25"))
        Fraction(1, 4)
    """
    if isinstance(value, Amount):
        return Fraction(value.amount)
    if isinstance(value, (int, Decimal, Fraction)):
        return Fraction(value)
    raise TypeError(f"{value!r} is no number")


def ended(value: Fraction) -> Decimal | None:
    """Return the decimal number that a fraction is, None where it has no end within 10 decimals."""
    scaled = value * 10**_DECIMALS
    if scaled.denominator != 1:
        return None
    places = next(n for n in range(_DECIMALS + 1) if (value * 10**n).denominator == 1)
    return decimal_of(int(value * 10**places), places)


def number_text(value: Fraction) -> str:
    """Return an exact number: 7,812.5, 17/31, or cut after four decimals with an ellipsis.

    Examples:
        >>> number_text(Fraction(15625, 2)), number_text(Fraction(17, 31))
        ('7,812.5', '17/31')
        >>> number_text(Fraction(144500, 31))
        '4,661.2903…'
    """
    short = ended(value)
    if short is not None:
        return f"{short:,f}"
    if abs(value.numerator) < _SHARE and value.denominator < _SHARE:
        return f"{value.numerator}/{value.denominator}"
    over, below = value.as_integer_ratio()
    # Small numbers show as many digits as large ones.
    places = _SHORT
    while places < _DECIMALS * 2 and abs(over) * 10 ** (places - 2) < below:
        places += 1
    cut = decimal_of(divide_rounded(over * 10**places, below, "down"), places)
    return f"{cut:,f}…"


def value_text(value: Value, name: str = "") -> str:
    """Return a value as people write it.

    Args:
        value: The value.
        name: What it is; the last word `percentage` or `rate` makes a number a percentage.

    Returns:
        The text.

    Examples:
        >>> value_text(Amount(Decimal("7812.50"), "DKK")), value_text(Decimal("0.025"), "tax rate")
        ('7,812.50 DKK', '2.5 %')
    """
    if isinstance(value, Amount):
        return f"{value.amount:,f} {value.currency}"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (Period, str)):
        return str(value)
    if name.rpartition(" ")[2] in _PERCENT:
        text = number_text(Fraction(value) * 100)
        return f"({text}) %" if "/" in text else f"{text} %"
    if isinstance(value, Decimal):
        return f"{value:,f}"
    return number_text(Fraction(value))


def value_data(value: Value) -> object:
    """Return a value as plain data: exact numbers as text.

    Examples:
        >>> value_data(Fraction(17, 31)), value_data(Amount(5, "DKK"))
        ('17/31', {'amount': '5', 'currency': 'DKK'})
    """
    if isinstance(value, Amount):
        return {"amount": f"{value.amount:f}", "currency": value.currency}
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


# ------------------------------------------------------------------------------------- formulas


def _short(name: str, value: Value) -> str:
    """Return a value within a formula, an amount without its currency."""
    text = f"{value.amount:,f}" if isinstance(value, Amount) else value_text(value, name)
    return f"({text})" if "/" in text and not isinstance(value, (Period, str)) else text


def _joined(sign: str) -> Callable[[Named], str]:
    """Return what writes all inputs with a sign between them."""
    return lambda inputs: f" {sign} ".join(_short(*each) for each in inputs)


def _total(inputs: Named) -> str:
    """Write a sum; what is negative is taken off."""
    text = ""
    for name, value in inputs:
        less = text and as_fraction(value) < 0
        if less:
            value = -value if isinstance(value, Amount) else -as_fraction(value)  # noqa: PLW2901
        text += (" − " if less else " + " if text else "") + _short(name, value)
    return text


def _rounded(inputs: Named) -> str:
    """Write a rounding."""
    (name, value), (_, step), (_, mode) = inputs
    to = value_text(step, name)
    return f"{_short(name, value)} rounded {str(mode).replace('_', ' ')} to {to}"


def _limited(inputs: Named) -> str:
    """Write a limit."""
    first, *limits = inputs
    text = _short(*first)
    for name, value in limits:
        said = "at least" if name.startswith("minimum") else "at most"
        text += f", {said} {_short(name, value)}"
    return text


def _of_size(word: str) -> Callable[[Named], str]:
    """Return what writes a choice by size."""
    return lambda inputs: f"the {word} of " + " and ".join(_short(*each) for each in inputs)


def _selected(inputs: Named) -> str:
    """Write what is in force on a day."""
    given = dict(inputs)
    text = f"in force on {value_text(given['on'])}"
    if "since" in given:
        text += f", since {value_text(given['since'])}"
    if "until" in given:
        text += f", until {value_text(given['until'])}"
    return text


def _day(inputs: Named) -> str:
    """Write a day counted from another."""
    (_, start), (_, days) = inputs
    count = abs(as_fraction(days))
    word = "day" if count == 1 else "days"
    return f"{count} {word} {'before' if as_fraction(days) < 0 else 'after'} {value_text(start)}"


def _counted(inputs: Named) -> str:
    """Write a count of days or months."""
    given = dict(inputs)
    return f"{given['unit']} from {value_text(given['first'])} to {value_text(given['last'])}"


def _halved(inputs: Named) -> str:
    """Write a month that counts half or whole."""
    (_, days), (_, of) = inputs
    return f"{days} of {of} days, of which up to 14 count as half a month"


def _moved(inputs: Named) -> str:
    """Write a day moved over closed ones."""
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
        return f"the first weekday {given['start']} (1 is Monday) {after}"
    start, every = int(str(given["start"])), int(str(given["every"]))
    months = [_MONTHS[at] for at in range(12) if (at - start + 1) % every == 0]
    named = ", ".join(months[:-1]) + " or " * bool(months[:-1]) + months[-1]
    return f"the first day {given['start day']} of {'a month' if every == 1 else named} {after}"


def _period(inputs: Named) -> str:
    """Write a period of a cycle."""
    given = dict(inputs)
    length, unit = given["length"], str(given["unit"]).lower()
    named = f"{length} {unit}" if length == 1 else f"{length} {unit}s"
    begins, number = value_text(given["first start"]), given["number"]
    if number == 0:
        return f"{named} from {begins}"
    periods = "1 period" if number == 1 else f"{number} periods"
    return f"{named}, {periods} after the one from {begins}"


def _cut(inputs: Named) -> str:
    """Write a part of a period."""
    (_, whole), *bounds = inputs
    told = "".join(f", {name} {value_text(there)}" for name, there in bounds)
    return f"{value_text(whole)}{told}"


def _corrected(inputs: Named) -> str:
    """Write the share of a line in a correction by single minor units."""
    given = dict(inputs)
    units, line = given["missing units"], given["line"]
    return f"{units} minor units, to the lines with the largest residue; this is line {line}"


def _printed(inputs: Named) -> str:
    """Write a unit price that is found for a line."""
    given = dict(inputs)
    line, times = _short("line", given["line"]), value_text(given["quantity"])
    return f"the fewest decimals that give {line} for a quantity of {times}"


def _power(inputs: Named) -> str:
    """Write a power."""
    base, exponent = inputs
    return f"{_short(*base)} to the power of {_short(*exponent)}"


def _inside(inputs: Named) -> str:
    """Write a VAT within a gross amount."""
    gross, rate = inputs
    return f"VAT of {_short(*rate)} inside {_short(*gross)}"


FORMULAS: Final[Mapping[str, Callable[[Named], str]]] = MappingProxyType(
    {
        "stated": lambda _: "",
        "together": lambda _: "",
        "selected": _selected,
        "sum": _total,
        "difference": _joined("−"),
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
        "printed": _printed,
    }
)
"""How the inputs of each operation are written."""
