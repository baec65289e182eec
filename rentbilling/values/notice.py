"""Notices: what should a person look at? A notice never changes a figure."""

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
