"""The commands `keys`: API keys made, listed and revoked.

Laws: the text of a key is written once, alone on stdout, and kept nowhere; everything said about it
goes to stderr.
"""

import re
import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import click

from rentbilling.adapters.cli.service_databases import Database, in_database, opened
from rentbilling.adapters.cli.streams import refusing, say, write_data, write_text
from rentbilling.errors import InvalidInputError

if TYPE_CHECKING:
    from rentbilling.service.keys import KeptKey

_A_KEY: Final = re.compile(r"rent_([A-Za-z0-9]+)_.*")


@click.group()
def keys() -> None:
    """Make, list and revoke API keys of the service.

    A key belongs to one owner and opens that owner's data alone. Only its digest is kept, so that a
    key that is lost is replaced, never found again.
    """


@keys.command()
@in_database
@click.option("--owner", required=True, metavar="NAME", help="Whose data it opens.")
@click.option("--name", default="", metavar="TEXT", help="What it is for.")
@click.option(
    "--right",
    "rights",
    multiple=True,
    default=("*",),
    show_default=True,
    metavar="RIGHT",
    help="What it may do: read or write a resource, such as leases:read; leases:* is both, *:read"
    " is reading everything, * is everything. May be given more than once.",
)
def add(database: str, owner: str, name: str, rights: tuple[str, ...]) -> None:
    """Make a key, and print it this once.

    The key alone goes to standard output.

    \b
    Try it:
      KEY=$(rentbilling keys add --owner acme --right '*:read')
      curl -H "Authorization: $KEY" http://127.0.0.1:8000/leases
    """  # noqa: D301 - click reads the escape
    text, kept = new_key(owner, name, rights)
    with opened(database) as place:
        keep_key(place, kept)
    write_data(f"{text}\n")
    say(
        f"Key {kept.key_id} of {owner}, with the rights {' '.join(words_for(kept.rights))}. It is"
        f" shown this once; its digest is kept in {place.said}."
    )


def new_key(owner: str, name: str, rights: Iterable[str]) -> "tuple[str, KeptKey]":
    """Return a new key.

    Raises:
        BadParameter: An owner, a name or a right that no key can have.
    """
    from rentbilling.service.keys import kept_key, key_text

    text = key_text(secrets.token_hex(6), secrets.token_urlsafe(32))
    try:
        kept = kept_key(text, owner=owner, name=name, rights=rights, created=datetime.now(UTC))
    except InvalidInputError as error:
        problem = error.problems[0]
        option = "right" if problem.path.startswith("rights") else problem.path
        said = f"{problem.met} {problem.message}; write {problem.expected}."
        raise click.BadParameter(said, param_hint=f"'--{option}'") from None
    return text, kept


def keep_key(place: Database, kept: "KeptKey") -> None:
    """Keep a new key in a database."""
    with refusing(place.said):
        place.stores.keys.add(kept)


@keys.command("list")
@in_database
@click.option("--owner", metavar="NAME", help="Only keys of this owner.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("table", "json")),
    default="table",
    show_default=True,
    help="How they are printed.",
)
def list_keys(database: str, owner: str | None, form: str) -> None:
    """List keys, also revoked ones, by the moment of their making; never their texts."""
    with opened(database, creates=False) as place:
        found = place.stores.keys.listed(owner)
    if form == "json":
        from rentbilling.records.json_text import write_json

        write_data(write_json({"keys": [_told(each) for each in found]}) + "\n")
    elif found:
        from rentbilling.adapters.cli.key_tables import key_table

        write_text(key_table([(each, words_for(each.rights)) for each in found]))
    else:
        say(f"No keys{f' of {owner}' if owner else ''} in {place.said}.")


def _told(kept: "KeptKey") -> dict[str, object]:
    """Return a key as JSON data."""
    told: dict[str, object] = {
        "id": kept.key_id,
        "owner": kept.owner,
        "name": kept.name,
        "rights": sorted(kept.rights),
        "created": kept.created.isoformat(),
    }
    if kept.revoked:
        told["revoked"] = kept.revoked.isoformat()
    return told


def words_for(rights: frozenset[str]) -> Sequence[str]:
    """Return the fewest words that stand for some rights.

    Examples:
        >>> words_for(frozenset({"leases:read", "leases:write", "products:read"}))
        ['leases:*', 'products:read']
    """
    from rentbilling.service.keys import RIGHTS

    words: list[str] = []
    left = set(rights)
    for word, meant in sorted(RIGHTS.items(), key=lambda each: -len(each[1])):
        if rights.issuperset(meant) and not left.isdisjoint(meant):
            words.append(word)
            left.difference_update(meant)
    # A right that a later release knows is told as it is.
    return [*words, *sorted(left)]


@keys.command()
@in_database
@click.argument("key_id", metavar="ID")
def revoke(database: str, key_id: str) -> None:
    """Let a key open nothing from now on.

    ID is what `rentbilling keys list` shows, or the whole key. Servers that run know it with the
    next request.
    """
    # Whoever found a key somewhere has nothing else of it; its secret is not repeated.
    whole = _A_KEY.fullmatch(key_id)
    named = whole[1] if whole else key_id
    with opened(database, creates=False) as place, refusing(place.said):
        place.stores.keys.revoke(named, datetime.now(UTC))
    say(f"Key {named} opens nothing any more.")
