"""API keys as a table.

Law: a key is named by its id; nothing of its text is known here.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from rich.text import Text

from rentbilling.adapters.cli.layout import (
    FAINT,
    STRONG,
    Column,
    Layout,
    joined,
    widest,
    width_of,
)
from rentbilling.adapters.cli.streams import printable

if TYPE_CHECKING:
    from rentbilling.service.keys import KeptKey

_HEADINGS: Final = ("id", "owner", "name", "rights", "created", "revoked")
_WRAPPED: Final = (1, 2, 3)
"""Columns whose texts are wrapped where the terminal is narrow: owner, name, rights."""
_LEAST: Final = 6


def key_table(keys: "Iterable[tuple[KeptKey, Sequence[str]]]") -> str:
    """Return keys as a table."""
    layout = Layout()
    rows = [
        (
            printable(key.key_id),
            printable(key.owner),
            printable(key.name),
            " ".join(words),
            _day(key.created),
            _day(key.revoked) if key.revoked else layout.dash,
        )
        for key, words in keys
    ]
    columns = _columns(rows, layout.width)
    parts = [
        Text(joined(_HEADINGS, columns), style=STRONG),
        Text(layout.rule * width_of(columns) + "\n", style=FAINT),
    ]
    for row in rows:
        lines = [
            layout.wrapped(cell, column.width) for cell, column in zip(row, columns, strict=True)
        ]
        parts += [Text(joined(line, columns)) for line in zip_longest(*lines, fillvalue="")]
    return layout.printed(parts)


def _columns(rows: Iterable[Sequence[str]], width: int) -> list[Column]:
    """Return the columns, those of texts narrowed until they fit a width where they can."""
    cells = zip(_HEADINGS, *rows, strict=True)
    widths = [widest(each) for each in cells]
    columns = [
        Column(name, name, wide, right=False) for name, wide in zip(_HEADINGS, widths, strict=True)
    ]
    over = width_of(columns) - width
    while over > 0:
        at = max(_WRAPPED, key=lambda each: columns[each].width)
        if columns[at].width <= _LEAST:
            break
        columns[at] = columns[at]._replace(width=columns[at].width - 1)
        over -= 1
    return columns


def _day(moment: datetime) -> str:
    """Return the day of a moment, in UTC."""
    return moment.astimezone(UTC).date().isoformat()
