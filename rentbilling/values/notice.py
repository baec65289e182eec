"""Notices: what should a person look at? A notice never changes a figure."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple


class Notice(NamedTuple):
    """Something that a person should look at, and that did not stop the run.

    Examples:
        >>> Notice("credit_quantity", "quantity -1 makes a credit", "recurring-1").code
        'credit_quantity'
    """

    code: str
    """A stable word; the limits page lists all of them."""
    message: str
    """The same as a sentence."""
    item_id: str | None = None
    """The item it is about."""
    facts: tuple[tuple[str, str], ...] = ()
    """The values involved, by name."""


def notice_lines(notices: Iterable[Notice]) -> list[str]:
    """Return a line for each code: the first message, and how many notices have it.

    Examples:
        >>> notice_lines([Notice("missing_index", "no value"), Notice("missing_index", "none")])
        ['no value (missing_index, 2 notices)']
    """
    messages: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for notice in notices:
        messages.setdefault(notice.code, notice.message)
        counts[notice.code] += 1
    return [
        f"{message} ({code}{f', {counts[code]} notices' if counts[code] > 1 else ''})"
        for code, message in messages.items()
    ]
