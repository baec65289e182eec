"""The texts of `--scenario`: scenarios as they are typed in a shell.

    raise-rent 3% on 2027-01-01 | cap 4%
    Quarterly, cheaper: switch-to-quarterly on 2027-07-01 | give-discount 1% of key:rent

A scenario is one change, or several joined with `|`, which act one after the other; a name and a
colon may come first. A change is a word, which is the name of a function of the library with
hyphens, then what the function takes, then phrases that begin with `on`, `until`, `of` or `from`.
`on` is a day, or `start` for all of the past; without it a change acts from the first day of the
asked period.

Laws: nothing is guessed: a word, a phrase or a figure that is not understood is refused with what
is allowed there, and a bare 3 is read neither as three percent nor as 300; the functions of the
library alone say what a word does.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from importlib import import_module
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from rentbilling.errors import InvalidInputError, printable

if TYPE_CHECKING:
    from rentbilling.values import Amount
    from rentbilling.whatif import Scenario

_NAMED: Final = re.compile(r"\s*(?P<name>[^|]*?\S):\s+(?P<changes>.*)", re.DOTALL)
_NUMBER: Final = re.compile(r"[-+]?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_COUNT: Final = re.compile(r"[0-9]{1,6}")
_PERCENT: Final = re.compile(rf"({_NUMBER.pattern})%")
_AMOUNT: Final = re.compile(rf"({_NUMBER.pattern}) ?([A-Z]{{3}})")
_HINT: Final = "'--scenario'"
_OF_SEVERAL_FIELDS: Final = frozenset(("contradiction", "says_nothing"))
"""Problems of some fields of a clause that other fields of the rule may solve."""

_Read = Callable[[Sequence[str]], Sequence[Any]]
"""Takes the texts after a word, and returns the positional arguments of its function."""


class _MisreadError(ValueError):
    """The text after a word is not one that the word takes."""


class _Word(NamedTuple):
    """A word: the texts after it, and the phrases that may follow."""

    shows: str
    """An example of the text after it."""
    read: _Read
    phrases: tuple[str, ...] = ()


def rate_in(text: str) -> Decimal:
    """Return a rate: `3%` or `0.03`.

    Examples:
        >>> rate_in("2.5%"), rate_in("0.025"), rate_in("-1%")
        (Decimal('0.025'), Decimal('0.025'), Decimal('-0.01'))
    """
    if found := _PERCENT.fullmatch(text):
        return Decimal(found[1]) / 100
    if _NUMBER.fullmatch(text) and abs(rate := Decimal(text)) < 1:
        return rate
    raise _MisreadError(f"{text} is not a rate; write 3% or 0.03")


def _one(what: Sequence[str], expected: str) -> str:
    if len(what) != 1:
        raise _MisreadError(f"{' '.join(what) or 'nothing'} is not {expected}")
    return what[0]


def _rate(what: Sequence[str]) -> Sequence[Any]:
    return (rate_in(_one(what, "a rate; write 3% or 0.03")),)


def _amount(what: Sequence[str]) -> Sequence[Any]:
    found = _AMOUNT.fullmatch(" ".join(what))
    if found is None:
        raise _MisreadError(f"{' '.join(what) or 'nothing'} is not an amount; write 200 DKK")
    amount: Amount = _public("Amount").parse(f"{found[1]} {found[2]}")
    return (amount,)


def _change(what: Sequence[str]) -> Sequence[Any]:
    return _amount(what) if _AMOUNT.fullmatch(" ".join(what)) else _rate(what)


def _vat(what: Sequence[str]) -> Sequence[Any]:
    if not what:
        raise _MisreadError("nothing is not a VAT; write Exclusive 25% or Exempt")
    mode, *rates = what
    rate = rate_in(_one(rates, "a rate; write 25% or 0.25")) if rates else None
    return (_public("Vat")(mode, rate),)


def _cycle(what: Sequence[str]) -> Sequence[Any]:
    units = ("Day", "Week", "Month", "Year")
    known = {f"{unit.lower()}{more}": unit for unit in units for more in ("", "s")}
    unit = known.get(what[1].lower()) if len(what) == len(("6", "months")) else None
    if unit is None or not _COUNT.fullmatch(what[0]):
        raise _MisreadError(f"{' '.join(what) or 'nothing'} is not a cycle; write 6 months")
    return (_public("BillingCycle")(time_unit=unit, period_length=int(what[0])),)


def _number(what: Sequence[str]) -> Sequence[Any]:
    expected = "a day; write 10, or -1 for the day before the period"
    text = _one(what, expected)
    if not re.fullmatch(r"[-+]?[0-9]{1,6}", text):
        raise _MisreadError(f"{text} is not {expected}")
    return (int(text),)


def _day(what: Sequence[str]) -> Sequence[Any]:
    return (_one(what, "a day; write 2027-01-01"),)


def _end(what: Sequence[str]) -> Sequence[Any]:
    text = _one(what, "a day; write 2027-06-30, or never")
    return (None if text == "never" else text,)


def _items(what: Sequence[str]) -> Sequence[Any]:
    return (_keys(what),)


def _none(what: Sequence[str]) -> Sequence[Any]:
    if what:
        raise _MisreadError(f"{' '.join(what)} is not expected there")
    return ()


def _given_fields(what: Sequence[str]) -> dict[str, Any]:
    """Return fields that are given by their names: `partPeriod=thirty_day`."""
    fields: dict[str, Any] = {}
    for each in what:
        name, equals, text = each.partition("=")
        if not equals or not name.isidentifier():
            raise _MisreadError(f"{each} is not a field; write its name, = and its value")
        words: Mapping[str, Any] = {"true": True, "false": False}
        number = Decimal(text) if _NUMBER.fullmatch(text) else None
        fields[name] = words.get(text, text) if number is None else number
    if not fields:
        raise _MisreadError("nothing is not a field; write its name, = and its value")
    return fields


def _clause(what: Sequence[str]) -> Sequence[Any]:
    """Read fields of a clause; whether they go together is seen when it runs."""
    fields = {_snake(name): value for name, value in _given_fields(what).items()}
    try:
        # The unit of a threshold may be that of the rule's own clause: a large one may be points.
        _public("IndexClause")(**{"threshold_unit": "points", **fields})
    except InvalidInputError as error:
        for problem in error.problems:
            if problem.code not in _OF_SEVERAL_FIELDS:
                raise _MisreadError(str(problem)) from None
    return (fields,)


def _policy(what: Sequence[str]) -> Sequence[Any]:
    fields = _given_fields(what)
    text = _public("write_json", "rentbilling.records")(fields)
    policy = _public("loads")(text, _public("BillingPolicy"))
    names = map(_snake, fields)
    return ({name: getattr(policy, name) for name in names},)


_WORDS: Final[Mapping[str, _Word]] = MappingProxyType(
    {
        "raise-rent": _Word("3% or 200 DKK", _change, ("on", "of")),
        "set-rent": _Word("9000 DKK", _amount, ("on", "of")),
        "give-discount": _Word("10% or 200 DKK", _change, ("on", "until", "of")),
        "use-vat": _Word("Exclusive 25%", _vat, ("on", "of")),
        "cap": _Word("4%", _rate, ("on",)),
        "floor": _Word("0%", _rate, ("on",)),
        "use-clause": _Word("increaseOnly=true", _clause),
        "without-adjustments": _Word("", _none, ("on",)),
        "assume-index": _Word("2%", _rate, ("until", "of")),
        "switch-to-monthly": _Word("", _none, ("on", "of")),
        "switch-to-quarterly": _Word("", _none, ("on", "of")),
        "switch-to-yearly": _Word("", _none, ("on", "of")),
        "switch-cycle": _Word("6 months", _cycle, ("on", "of")),
        "due-on": _Word("10", _number, ("from", "of")),
        "start-on": _Word("2027-03-15", _day),
        "end-on": _Word("2027-06-30 or never", _end),
        "without-item": _Word("key:parking", _items),
        "under-policy": _Word("partPeriod=thirty_day", _policy),
    }
)
_PHRASES: Final[Mapping[str, str]] = MappingProxyType(
    {"on": "on DAY|start", "until": "until DAY", "of": "of KEYS", "from": "from end"}
)

_ALIKE: Final = 0.75
"""How much what was typed is like the word that it is taken for."""

WORDS: Final = tuple(_WORDS)
"""Every word."""


def usage_of(word: str) -> str:
    """Return how a word is used.

    Examples:
        >>> usage_of("raise-rent")
        'raise-rent 3% or 200 DKK [on DAY|start] [of KEYS]'
    """
    known = _WORDS[word]
    phrases = (f"[{_PHRASES[each]}]" for each in known.phrases)
    return " ".join(filter(None, (word, known.shows, *phrases)))


def scenarios_in(texts: Sequence[str]) -> "list[Scenario]":
    """Return the scenarios that were typed, in order.

    Raises:
        BadParameter: One is not understood, or two have one name.
    """
    found: dict[str, Scenario] = {}
    for text in texts:
        scenario = scenario_in(text)
        if scenario.name in (*found, "as it is"):
            said = f"two runs are named {scenario.name}; write a name and a colon in front of one."
            raise click.BadParameter(printable(said), param_hint=_HINT)
        found[scenario.name] = scenario
    return list(found.values())


def scenario_in(text: str) -> "Scenario":
    """Return the scenario that a text says.

    Examples:
        >>> scenario_in("raise-rent 3% on 2027-01-01 | cap 4%")
        <Scenario key:rent +3 % from 2027-01-01, cap 4 %>
        >>> scenario_in("Cheaper: give-discount 200 DKK of key:rent,key:parking")
        <Scenario Cheaper>
    """
    named = _NAMED.fullmatch(text)
    changes = text if named is None else named["changes"]
    made = [_made(part) for part in changes.split("|")]
    scenario = made[0]
    for each in made[1:]:
        scenario |= each
    return scenario if named is None else scenario.named(named["name"].strip())


def _made(part: str) -> "Scenario":
    # A blank before the sign of percent is no new word.
    word, *rest = re.sub(r"(?<=[0-9])\s+%", "%", part).split() or [""]
    known = _WORDS.get(word)
    if known is None:
        said = f"{word or 'nothing'} is not a word of a scenario"
        near = get_close_matches("-".join([word, *rest[:1]]), _WORDS, 1, _ALIKE)
        near = near or get_close_matches(word, _WORDS, 1, _ALIKE)
        if near:
            raise _refused(f"{said}; did you mean {usage_of(near[0])}?")
        raise _refused(f"{said}; write one of {', '.join(_WORDS)}.")
    try:
        what, phrases = _parsed(rest, known)
        arguments = known.read(what)
        if known.read in {_clause, _policy}:
            phrases, arguments = dict(arguments[0]), ()
        maker = _public(word.replace("-", "_"), "rentbilling.whatif")
        scenario: Scenario = maker(*arguments, **phrases)
    except _MisreadError as error:
        raise _refused(f"{word}: {error}. Usage: {usage_of(word)}") from None
    except InvalidInputError as error:
        raise _refused(f"{word}: {error.problems[0]}. Usage: {usage_of(word)}") from None
    return scenario


def _parsed(rest: Sequence[str], known: _Word) -> tuple[list[str], dict[str, Any]]:
    """Return the texts after a word, and its phrases as arguments by name."""
    starts = [at for at, each in enumerate(rest) if each in _PHRASES]
    arguments: dict[str, Any] = {}
    for start, end in pairwise([*starts, len(rest)]):
        name, said = rest[start], rest[start + 1 : end]
        if name not in known.phrases:
            raise _MisreadError(f"{' '.join(rest[start:end])} is not expected there")
        if name in arguments or (name == "from" and "relative_to" in arguments):
            raise _MisreadError(f"{name} is given twice")
        if name == "of":
            # An index series has one name; items may be several.
            keys = _keys(said)
            arguments["of"] = keys[0] if len(keys) == 1 else keys
        elif name == "from":
            if said != ["end"]:
                raise _MisreadError("only from end is understood")
            arguments["relative_to"] = "end"
        else:
            arguments[name] = _one(said, "a day; write 2027-01-01")
    return list(rest[: starts[0] if starts else len(rest)]), arguments


def _keys(said: Sequence[str]) -> list[str]:
    """Return product keys or ids, with commas between them."""
    keys = [key for key in " ".join(said).replace(",", " ").split() if key]
    if not keys:
        raise _MisreadError(
            "nothing is not an item; write a product key or an id, such as key:parking"
        )
    return keys


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: f"_{found[1].lower()}", name)


def _public(name: str, package: str = "rentbilling") -> Any:  # noqa: ANN401 - any public name
    """Return a public name of a package, which is loaded when a scenario needs it."""
    return getattr(import_module(package), name)


def _refused(said: str) -> click.BadParameter:
    return click.BadParameter(printable(said), param_hint=_HINT)
