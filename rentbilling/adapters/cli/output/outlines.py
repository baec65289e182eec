"""Workings as outlines for people: a line for each step, its inputs indented below it.

Below them a legend says what the rules in brackets are about.

Laws: nothing is left out; a line that does not fit is wrapped within its step; the legend knows
every rule that a working can name.
"""

import re
from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Final

from rentbilling.adapters.cli.output.terminal import Terminal
from rentbilling.explanations import Working
from rentbilling.layout import FAINT, GAP, STRONG, TITLE, Page, Part

RULE_WORDS: Final = MappingProxyType(
    {
        "A4": "accounting periods",
        "A8": "billing cycles",
        "A9": "cycles that begin inside a month",
        "A10": "due dates",
        "A11": "weekends and holidays",
        "A12": "the opening period",
        "A14": "the price of an opening period",
        "A16": "what makes one bill",
        "A17": "when an item stops",
        "A18": "price, quantity and VAT over time",
        "A19": "a change inside a period",
        "A20": "the share of a part period",
        "A21": "the figures of a line",
        "A22": "discounts",
        "A24": "discount on the opening period",
        "A27": "tax modes",
        "A28": "tax rates",
        "A29": "where VAT is rounded",
        "A30": "VAT totals",
        "A32": "when rent is adjusted",
        "A33": "index values",
        "A34": "what an index acts on",
        "A35": "limits of an adjustment",
        "A36": "increments",
        "A37": "several rules in one month",
        "A38": "amounts of an adjustment",
        "A39": "deposits and other balances",
        "A40": "conventions of countries and contracts",
        "A51": "billing in arrears",
        "A52": "cash rounding",
        "A53": "what was billed before",
        "A55": "one-time items",
        "A64": "sharing out by weights",
        "A65": "price of a year or a month",
        "A66": "more ways to count a part period",
        "A68": "payers of a bill",
        "A69": "a balance taken into a bill",
        "A73": "discounts of a whole bill",
        "A152": "changes by month",
    }
)
"""By the number of the assumption."""

_NUMBER: Final = re.compile(r"A([0-9]+)")
_STANDARD: Final = "EN 16931"
_LEAST: Final = 24
"""The least width of a step, however deep it is and however narrow the terminal."""


def outlines(workings: Iterable[tuple[str, Working]]) -> str:
    """Return workings as a text for the terminal that stdout is, and what their rules are about."""
    layout = Terminal()
    return layout.printed(_parts(workings, layout))


def _parts(workings: Iterable[tuple[str, Working]], layout: Page) -> Iterator[Part]:
    """Give what is printed, one working after the other, then the legend."""
    rules: set[str] = set()
    for at, (title, working) in enumerate(workings):
        gap = "\n" if at else ""
        yield Part(f"{gap}{title}\n", TITLE)
        for number, line in enumerate(str(working).split("\n")):
            yield Part(_wrapped(line, layout), "" if number else STRONG)
        rules.update(step.rule for step in working.steps())
    for number, line in enumerate(layout.wrapped(legend(rules), layout.width)):
        yield Part(f"{'' if number else chr(10)}{line}\n", FAINT)


def _wrapped(line: str, layout: Page) -> str:
    """Return the line of a step as lines that fit, all but the first set in further."""
    said = line.lstrip(" ")
    depth = len(line) - len(said)
    if layout.wrapped(line, layout.width) == [line]:
        return f"{line}\n"
    room = max(layout.width - depth - 2 * GAP, _LEAST)
    first, *more = layout.wrapped(said, room)
    below = " " * (depth + 2 * GAP)
    return "".join([f"{' ' * depth}{first}\n", *(f"{below}{each}\n" for each in more)])


def legend(rules: Iterable[str]) -> str:
    """Return what the rules in brackets are about, in one paragraph.

    Examples:
        >>> print(legend(["A21", "EN 16931 BR-CO-15", "A8", "A21"]))
        In brackets, the assumptions of the guide: A8 billing cycles, A21 the figures of a line; \
and rules of EN 16931, the European standard for invoices.
    """
    named = set(rules)
    numbers = sorted(int(found[1]) for each in named if (found := _NUMBER.fullmatch(each)))
    words = ", ".join(f"A{each} {RULE_WORDS.get(f'A{each}', '')}".rstrip() for each in numbers)
    said = [f"the assumptions of the guide: {words}"] if words else []
    if any(each.startswith(_STANDARD) for each in named):
        said.append(f"rules of {_STANDARD}, the European standard for invoices")
    return f"In brackets, {'; and '.join(said)}." if said else ""
