"""The commands `keys`: API keys made, listed and revoked.

Laws: the text of a key is written once, alone on stdout, and stored nowhere; messages go to stderr.
"""

import re
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import click

from rentbilling.adapters.cli.input.databases import Database, in_database, opened
from rentbilling.adapters.cli.input.options import form_option
from rentbilling.adapters.cli.streams import refusing, say, write_data
from rentbilling.errors import InvalidInputError

if TYPE_CHECKING:
    from rentbilling.service import StoredKey

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
    from rentbilling.adapters.cli.output.keys import rights_words

    text, stored = new_key(owner, name, rights)
    with opened(database) as place:
        keep_key(place, stored)
    write_data(f"{text}\n")
    words = " ".join(rights_words(stored.rights))
    say(
        f"Key {stored.key_id} of {owner}, with the rights {words}. It is shown this once;"
        f" its digest is kept in {place.said}."
    )


def new_key(owner: str, name: str, rights: Iterable[str]) -> "tuple[str, StoredKey]":
    """Return a new key.

    Raises:
        BadParameter: An owner, a name or a right that no key can have.
    """
    from rentbilling.adapters.cli.input.arguments import bad_value
    from rentbilling.service import key_text, stored_key

    text = key_text(secrets.token_hex(6), secrets.token_urlsafe(32))
    try:
        stored = stored_key(text, owner=owner, name=name, rights=rights, created=datetime.now(UTC))
    except InvalidInputError as error:
        path = error.problems[0].path
        option = "right" if path.startswith("rights") else path
        raise bad_value(error, f"--{option}") from None
    return text, stored


def keep_key(place: Database, stored: "StoredKey") -> None:
    """Keep a new key in a database."""
    with refusing(place.said):
        place.stores.keys.add(stored)


@keys.command("list")
@in_database
@click.option("--owner", metavar="NAME", help="Only keys of this owner.")
@form_option("How they are printed.", ("table", "json"))
def list_keys(database: str, owner: str | None, form: str) -> None:
    """List keys, also revoked ones, by the moment of their making; never their texts."""
    from rentbilling.adapters.cli.output.keys import key_data, key_table
    from rentbilling.adapters.cli.output.printing import printed

    with opened(database, creates=False) as place:
        found = place.stores.keys.listed(owner)
    printed(
        form,
        found,
        json=lambda listed: {"keys": [*map(key_data, listed)]},
        table=key_table,
        nothing=f"No keys{f' of {owner}' if owner else ''} in {place.said}.",
    )


@keys.command()
@in_database
@click.argument("key_id", metavar="ID")
def revoke(database: str, key_id: str) -> None:
    """Let a key open nothing from now on.

    ID is what `rentbilling keys list` shows, or the whole key. Servers that run know it with the
    next request.
    """
    # A whole key may be given to revoke it; its secret is not repeated.
    whole = _A_KEY.fullmatch(key_id)
    named = whole[1] if whole else key_id
    with opened(database, creates=False) as place, refusing(place.said):
        place.stores.keys.revoke(named, datetime.now(UTC))
    say(f"Key {named} opens nothing any more.")
