"""The database of a command: its option, opening it, and its name in messages.

Laws: a password is never shown; a database in memory is refused, because another command would
never see its objects.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click

from rentbilling.adapters.cli.streams import Refusal
from rentbilling.errors import InvalidRecordError

if TYPE_CHECKING:
    from sqlalchemy import URL

    from rentbilling.adapters.stores import SqlStores

_Command = TypeVar("_Command", bound=Callable[..., Any])

USUAL: Final = "sqlite:///rentbilling.sqlite"
"""The default database: a file in the working folder."""
HINT: Final = "'--database'"

_ADVICE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "sqlite": "Its folder must be there, and both must be readable and writable.",
        "postgresql": "See that the server runs there, and that it lets this user in.",
    }
)


class Database(NamedTuple):
    """A database that is open."""

    stores: "SqlStores"
    said: str
    """Its name in messages."""
    is_new: bool
    """Whether it is a file that was not there before."""


def in_database(command: _Command) -> _Command:
    option = click.option(
        "--database",
        default=USUAL,
        show_default=True,
        envvar="RENTBILLING_DATABASE",
        show_envvar=True,
        metavar="URL",
        help="Where everything is kept: sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/NAME,"
        " better in the environment, where the password is not shown.",
    )
    return option(command)


@contextmanager
def extras() -> Generator[None]:
    """Say in one line which extra is missing.

    Raises:
        ClickException: A package is not installed.
    """
    try:
        yield
    except ImportError as missing:
        # The adapters say what to install; any other error is a fault of the library.
        if "pip install" not in str(missing):
            raise
        raise click.ClickException(str(missing)) from None


@contextmanager
def opened(url: str, *, creates: bool = True) -> Generator[Database]:
    """Open a database, and close it at the end.

    Raises:
        BadParameter: It is no URL of a database that lasts.
        Refusal: It cannot be reached, a later release made it, or it failed while it was open.
        ClickException: A package is not installed.
    """
    place = named(url)
    is_new = _is_missing(place)
    if is_new and not creates:
        raise Refusal(place.said, ["there is no such file"])
    from rentbilling.adapters.stores import SqlStores

    with _answering(place):
        with extras(), _well_formed():
            stores = SqlStores(url)
        with stores:
            yield Database(stores, place.said, is_new)


@contextmanager
def opened_in_memory() -> Generator[Database]:
    """Open a database that ends with this process."""
    with extras():
        from rentbilling.adapters.stores import SqlStores
    with SqlStores("sqlite://") as stores:
        yield Database(stores, "memory; it ends with this process", is_new=False)


class Place(NamedTuple):
    """Where a database is, before it is opened."""

    url: "URL"
    file: Path | None
    """Its file, if it is one of SQLite."""
    said: str
    """Its name in messages."""


def named(url: str) -> Place:
    """Return where the database of a URL is; nothing is opened."""
    with extras():
        from rentbilling.adapters.stores import SqlStores  # noqa: F401 - it says what to install
    from rentbilling.adapters.stores.sqlite_files import path_of

    place = _place(url)
    file = path_of(place)
    return Place(place, file, _said(place, file))


def file_named(url: str) -> tuple[Path, str]:
    """Return the file of a database, and its name in messages.

    Raises:
        Refusal: It is no file of SQLite.
    """
    place = named(url)
    if place.file is None:
        advice = ["Of PostgreSQL, pg_dump and pg_restore make and restore a backup."]
        raise Refusal(place.said, ["is no file of SQLite"], advice)
    return place.file, place.said


def _is_missing(place: Place) -> bool:
    return place.file is not None and not place.file.exists()


@contextmanager
def _answering(place: Place) -> Generator[None]:
    """Refuse by its name what a database refuses, and say what to look at."""
    from rentbilling.service import StoreError

    try:
        yield
    except StoreError as error:
        is_unreachable = error.facts.get("reason") == "unreachable"
        advice = [_ADVICE[place.url.get_backend_name()]] if is_unreachable else []
        raise Refusal(place.said, [str(error)], advice) from None


def _place(url: str) -> "URL":
    """Return a URL in its parts; one of memory is refused."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    from rentbilling.adapters.stores.databases import is_in_memory

    if url == "memory:":
        raise _fleeting()
    try:
        place = make_url(url)
    except (ArgumentError, ValueError):
        # The value is not quoted: it may hold a password.
        raise _no_database("a text") from None
    if place.get_backend_name() not in _ADVICE:
        raise _no_database(f"{place.get_backend_name()!r}")
    if is_in_memory(place):
        raise _fleeting()
    return place


def _no_database(met: str) -> click.BadParameter:
    said = f"{met} names no database; write sqlite:///FILE or postgresql://USER@HOST/NAME."
    return click.BadParameter(said, param_hint=HINT)


def _fleeting() -> click.BadParameter:
    said = "what is in memory ends with this command; write sqlite:///FILE."
    return click.BadParameter(said, param_hint=HINT)


@contextmanager
def _well_formed() -> Generator[None]:
    try:
        yield
    except InvalidRecordError as error:
        (problem,) = error.problems
        said = f"{problem.message}; write {problem.expected}."
        raise click.BadParameter(said, param_hint=HINT) from None


def _said(place: "URL", file: Path | None) -> str:
    """Return what a database is called before people: no user, and no password."""
    if file is not None:
        return f"SQLite file {file}"
    if place.get_backend_name() == "sqlite":
        return "SQLite file"
    at = f" at {place.host}" if place.host else ""
    port = f":{place.port}" if place.host and place.port else ""
    return f"PostgreSQL database {place.database or '(that of the user)'}{at}{port}"
