"""API keys as a table, and as data for JSON.

Law: a key is named by its id; its text is not known here.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from rentbilling.adapters.cli.output.terminal import Terminal
from rentbilling.errors import printable
from rentbilling.layout import GridColumn
from rentbilling.service import RIGHTS, StoredKey

_COLUMNS: Final = (
    GridColumn("id"),
    *(GridColumn(heading, least=6) for heading in ("owner", "name", "rights")),
    *(GridColumn("created"), GridColumn("ends")),
)


def key_table(keys: Iterable[StoredKey]) -> str:
    """Return keys as a text for the terminal that stdout is."""
    layout = Terminal()
    rows = [
        (
            *map(printable, (key.key_id, key.owner, key.name)),
            " ".join(rights_words(key.rights)),
            _day(key.created),
            min(map(_day, filter(None, (key.expires, key.revoked))), default=layout.dash),
        )
        for key in keys
    ]
    return layout.listed(_COLUMNS, rows)


def _day(moment: datetime) -> str:
    return moment.astimezone(UTC).date().isoformat()


def minute(moment: datetime) -> str:
    """Return a moment for people, to the minute, in UTC."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def key_data(stored: StoredKey) -> dict[str, object]:
    data: dict[str, object] = {
        "id": stored.key_id,
        "owner": stored.owner,
        "name": stored.name,
        "rights": sorted(stored.rights),
        "created": stored.created.isoformat(),
    }
    ends = {"expires": stored.expires, "revoked": stored.revoked}
    return data | {name: moment.isoformat() for name, moment in ends.items() if moment}


def rights_words(rights: frozenset[str]) -> Sequence[str]:
    """Return the fewest words for some rights.

    Examples:
        >>> rights_words(frozenset({"leases:read", "leases:write", "products:read"}))
        ['leases:*', 'products:read']
    """
    words: list[str] = []
    left = set(rights)
    for word, meant in sorted(RIGHTS.items(), key=lambda each: -len(each[1])):
        if rights.issuperset(meant) and not left.isdisjoint(meant):
            words.append(word)
            left.difference_update(meant)
    # A right of a later release is its own word.
    return [*words, *sorted(left)]
