"""The commands `keys`: API keys made, listed, rotated and revoked.

Laws: the text of a key is written once, alone on stdout, and stored nowhere; messages go to stderr.
"""

import re
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import click

from rentbilling.adapters.cli.input.databases import Database, in_database, opened
from rentbilling.adapters.cli.input.options import Decorator, form_option
from rentbilling.adapters.cli.streams import Refusal, refusing, say, write_data
from rentbilling.errors import InvalidInputError

if TYPE_CHECKING:
    from rentbilling.service import StoredKey

_A_KEY: Final = re.compile(r"rent_([A-Za-z0-9]+)_.*")


def _days_option(otherwise: str) -> Decorator[Any]:
    return click.option(
        "--days",
        type=click.IntRange(1, 36_500),
        metavar="NUMBER",
        help=f"Days after which the new key opens nothing; without it, {otherwise}.",
    )


@click.group()
def keys() -> None:
    """Make, list, rotate and revoke API keys of the service.

    A key belongs to one owner and opens that owner's data alone. Only its digest is stored, so that
    a key that is lost is replaced, never found again.
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
@_days_option("it stays until it is revoked")
def add(database: str, owner: str, name: str, rights: tuple[str, ...], days: int | None) -> None:
    """Make a key, and print it this once.

    The key alone goes to standard output.

    \b
    Try it:
      KEY=$(rentbilling keys add --owner acme --right '*:read')
      curl -H "Authorization: $KEY" http://127.0.0.1:8000/leases
    """  # noqa: D301 - click reads the escape
    text, stored = new_key(owner, name, rights, days)
    with opened(database) as place:
        keep_key(place, stored)
    _show(text, stored, place)


def _show(text: str, stored: "StoredKey", place: Database) -> None:
    """Print a new key, and say what it is."""
    from rentbilling.adapters.cli.output.service.keys import minute, rights_words

    write_data(f"{text}\n")
    words = " ".join(rights_words(stored.rights))
    until = f" It expires at {minute(stored.expires)}." if stored.expires else ""
    say(
        f"Key {stored.key_id} of {stored.owner}, with the rights {words}.{until} It is shown this"
        f" once; its digest is stored in {place.said}."
    )


def new_key(
    owner: str, name: str, rights: Iterable[str], days: int | None = None
) -> "tuple[str, StoredKey]":
    """Return a new key, which expires after some days if they are given.

    Raises:
        BadParameter: An owner, a name or a right that no key can have.
    """
    from rentbilling.adapters.cli.input.arguments import bad_value
    from rentbilling.service import key_text, stored_key

    text = key_text(secrets.token_hex(6), secrets.token_urlsafe(32))
    now = datetime.now(UTC)
    ends = None if days is None else now + timedelta(days)
    try:
        stored = stored_key(text, owner=owner, name=name, rights=rights, created=now, expires=ends)
    except InvalidInputError as error:
        path = error.problems[0].path
        option = "right" if path.startswith("rights") else path
        raise bad_value(error, f"--{option}") from None
    return text, stored


def keep_key(place: Database, stored: "StoredKey") -> None:
    with refusing(place.said):
        place.stores.keys.add(stored)


@keys.command()
@in_database
@click.argument("key_id", metavar="ID")
@click.option(
    "--overlap-hours",
    type=click.IntRange(0, 24 * 90),
    default=24,
    show_default=True,
    metavar="NUMBER",
    help="How long the old key still opens what it did; 0: not from now on.",
)
@_days_option("it has as many as the old one had, or no end")
def rotate(database: str, key_id: str, overlap_hours: int, days: int | None) -> None:
    """Make the successor of a key, print it this once, and let the old key expire.

    The new key has the owner, the name and the rights of the old one. ID is what `rentbilling keys
    list` shows, or the whole key. Both keys work until the overlap ends, so that no request is
    refused while the new one is put in its place.

    \b
    Try it:
      KEY=$(rentbilling keys rotate 1f0c5e9a7b2d --overlap-hours 48)
    """  # noqa: D301 - click reads the escape
    from rentbilling.adapters.cli.output.service.keys import minute

    named = _named(key_id)
    with opened(database, creates=False) as place, refusing(place.said):
        old = place.stores.keys.find(named)
        now = datetime.now(UTC)
        if old is None or not old.is_open(now):
            raise Refusal(place.said, [f"no key with the id {named} opens anything"])
        if days is None and old.expires:
            days = max((old.expires - old.created).days, 1)
        text, stored = new_key(old.owner, old.name, sorted(old.rights), days)
        ends = now + timedelta(hours=overlap_hours)
        old = old._replace(expires=min(ends, old.expires or ends))
        place.stores.keys.rotate(old, stored)
    _show(text, stored, place)
    say(f"Key {named} opens what it did until {minute(old.expires or ends)}.")


@keys.command("list")
@in_database
@click.option("--owner", metavar="NAME", help="Only keys of this owner.")
@form_option("How they are printed.", "table json")
def list_keys(database: str, owner: str | None, form: str) -> None:
    """List keys, also ended ones, by the moment of their making; never their texts.

    A key ends on the day on which it expires, or was revoked; json has both moments.
    """
    from rentbilling.adapters.cli.output.printing import printed
    from rentbilling.adapters.cli.output.service.keys import key_data, key_table

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
    named = _named(key_id)
    with opened(database, creates=False) as place, refusing(place.said):
        place.stores.keys.revoke(named, datetime.now(UTC))
    say(f"Key {named} opens nothing any more.")


def _named(key: str) -> str:
    """Return the id of a key, which may be given as a whole; its secret is not repeated."""
    whole = _A_KEY.fullmatch(key)
    return whole[1] if whole else key
