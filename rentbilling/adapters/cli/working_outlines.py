"""Workings as outlines for people: a step a line, what it comes from set in below it.

Laws: nothing is left out; a line that does not fit is wrapped within its step, and no name of a
lease begins one of its own.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from rich.text import Text

from rentbilling.adapters.cli.layout import FAINT, GAP, STRONG, TITLE, Layout
from rentbilling.adapters.cli.rule_words import legend
from rentbilling.adapters.cli.streams import printable
from rentbilling.explanations.working import Input, Working

_LEAST: Final = 24
"""The room of a step, however deep it stands and however narrow the terminal."""


def outlines(workings: Iterable[tuple[str, Working]]) -> str:
    """Return workings as a text for the terminal that stdout is, and what their rules are about."""
    layout = Layout()
    return layout.printed(_parts(workings, layout))


def _parts(workings: Iterable[tuple[str, Working]], layout: Layout) -> Iterator[Text]:
    """Give what is printed, one working after the other, then the legend."""
    rules: set[str] = set()
    for at, (title, working) in enumerate(workings):
        gap = "\n" if at else ""
        yield Text(f"{gap}{title}\n", style=TITLE)
        for number, line in enumerate(str(_safe(working)).split("\n")):
            yield Text(_wrapped(line, layout), style="" if number else STRONG)
        rules.update(step.rule for step in working.steps())
    for number, line in enumerate(layout.wrapped(legend(rules), layout.width)):
        yield Text(f"{'' if number else chr(10)}{line}\n", style=FAINT)


def _safe(working: Working) -> Working:
    """Return a working whose names cannot move to a line of their own or to another place."""

    def safe(value: Input) -> Input:
        if isinstance(value, Working):
            return _safe(value)
        return printable(value) if isinstance(value, str) else value

    inputs = tuple((printable(name), safe(value)) for name, value in working.inputs)
    result, note = working.result, working.note
    return replace(
        working,
        label=printable(working.label),
        inputs=inputs,
        result=printable(result) if isinstance(result, str) else result,
        note=None if note is None else printable(note),
    )


def _wrapped(line: str, layout: Layout) -> str:
    """Return the line of a step as lines that fit, all but the first set in further."""
    said = line.lstrip(" ")
    depth = len(line) - len(line.lstrip(" "))
    whole = f"{' ' * depth}{said}"
    if layout.wrapped(whole, layout.width) == [whole]:
        return f"{whole}\n"
    room = max(layout.width - depth - 2 * GAP, _LEAST)
    first, *more = layout.wrapped(said, room)
    below = " " * (depth + 2 * GAP)
    return "".join([f"{' ' * depth}{first}\n", *(f"{below}{each}\n" for each in more)])
