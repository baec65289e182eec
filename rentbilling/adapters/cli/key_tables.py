"""API keys as a table.

Law: a key is named by its id; nothing of its text is known here.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from rentbilling.adapters.cli.layout import STRONG, Column, Grid, Layout
from rentbilling.adapters.cli.streams import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rentbilling.service.keys import KeptKey

_COLUMNS: Final = (
    Column("id"),
    *(Column(heading, least=6) for heading in ("owner", "name", "rights")),
    *(Column("created"), Column("revoked")),
)


def key_table(keys: "Iterable[tuple[KeptKey, Sequence[str]]]") -> str:
    """Return keys as a table, each with the words for its rights."""
    layout = Layout()
    rows = [
        (
            *map(printable, (key.key_id, key.owner, key.name)),
            " ".join(words),
            _day(key.created),
            _day(key.revoked) if key.revoked else layout.dash,
        )
        for key, words in keys
    ]
    grid = Grid(layout, _COLUMNS, rows)
    return layout.printed(
        [*grid.head(style=STRONG), *(part for row in rows for part in grid.row(row))]
    )


def _day(moment: datetime) -> str:
    """Return the day of a moment, in UTC."""
    return moment.astimezone(UTC).date().isoformat()
