"""Working formulas: how a step of a working is written for people.

Law: a step that does nothing, such as a rounding of what is round, has no formula.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from rentbilling.explanations.texts import Named, Value, as_fraction, figure_text, value_text
from rentbilling.values import MONTHS, WEEKDAYS, Amount, Period

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
    """Return a number that another one is multiplied with or divided by."""
    text = _short(name, value)
    return f"({text})" if text.startswith("-") else text


def _joined(sign: str) -> Callable[[Named], str]:
    """Return what writes all inputs with a sign between them."""

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
    """Write a sum; a single number is none."""
    return "" if len(inputs) == 1 else _signed(inputs, ("+", "−"))


def _difference(inputs: Named) -> str:
    return _signed(inputs, ("−", "+"))


def _rounded(inputs: Named) -> str:
    """Write a rounding; nothing where there was nothing to round."""
    (name, value), (_, step), (_, mode) = inputs
    if (as_fraction(value) / as_fraction(step)).denominator == 1:
        return ""
    to = value_text(step, name)
    return f"{_short(name, value)} rounded {str(mode).replace('_', ' ')} to {to}"


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
    months = [MONTHS[at] for at in range(12) if (at - start + 1) % every == 0]
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
    told = "".join(f", {name} {value_text(there)}" for name, there in bounds)
    return f"{value_text(whole)}{told}"


def _corrected(inputs: Named) -> str:
    """Write the share of a line in a correction by single minor units."""
    given = dict(inputs)
    units, line = as_fraction(given["missing units"]), given["line"]
    count = "1 minor unit" if abs(units) == 1 else f"{abs(units)} minor units"
    what = "too little, added" if units > 0 else "too much, taken"
    return f"{count} {what} where rounding erred most; this is line {line}"


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
        "reached": _reached,
        "referred": lambda _: "",
        "printed": _printed,
    }
)
"""How the inputs of each operation are written."""
