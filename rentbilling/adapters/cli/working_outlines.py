"""Workings as outlines for people: a step a line, what it comes from set in below it.

Laws: nothing is left out; a line that does not fit is wrapped within its step, and no name of a
lease begins one of its own.
What does not live here: the sentences of a step (`rentbilling.workings`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rich.text import Text

from rentbilling.adapters.cli.layout import GAP, STRONG, TITLE, Layout
from rentbilling.adapters.cli.streams import printable
from rentbilling.adapters.cli.words import day_words
from rentbilling.workings import Input, Working

if TYPE_CHECKING:
    from rentbilling.results import PendingBill

_LEAST: Final = 24
"""The room of a step, however deep it stands and however narrow the terminal."""


def outlines(workings: "Iterable[tuple[PendingBill, Working]]") -> str:
    """Return the workings of bills as a text for the terminal that stdout is.

    Args:
        workings: Each with its bill.

    Returns:
        The text, with colours only where stdout is a terminal that has them.
    """
    layout = Layout()
    return layout.printed(_parts(workings, layout))


def _parts(workings: "Iterable[tuple[PendingBill, Working]]", layout: Layout) -> Iterator[Text]:
    """Give what is printed, bill by bill, from top to bottom."""
    for at, (bill, working) in enumerate(workings):
        gap = "\n" if at else ""
        yield Text(f"{gap}Due {day_words(bill.due_date)}\n", style=TITLE)
        for number, line in enumerate(str(_safe(working)).split("\n")):
            yield Text(_wrapped(line, layout), style="" if number else STRONG)


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
