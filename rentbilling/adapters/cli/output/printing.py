"""Prints what a command found: in the form that was asked for, and its notices."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from rentbilling.adapters.cli.streams import say, write_data, write_text
from rentbilling.layout import notice_words
from rentbilling.records import write_json
from rentbilling.tables import counted
from rentbilling.values import Notice

T = TypeVar("T")


def printed(
    form: str,
    found: T,
    *,
    json: Callable[[T], Any],
    table: Callable[[T], str],
    csv: Callable[[T], str] | None = None,
    nothing: str = "",
) -> None:
    """Print what was found in a form; as a table of nothing, a sentence on standard error.

    `json` gives plain data, or the text.
    """
    if form == "json":
        data = json(found)
        write_data((data if isinstance(data, str) else write_json(data)) + "\n")
    elif form == "csv" and csv is not None:
        write_data(csv(found))
    elif nothing and not found:
        say(nothing)
    else:
        write_text(table(found))


def say_notices(notices: Iterable[Notice]) -> None:
    """Say what a person should look at, a line each."""
    for notice in notices:
        say(notice_words(notice))


def say_notices_of_runs(notices: Iterable[Notice]) -> None:
    """Say notices of several runs: of those that differ in facts alone, the first."""
    alike: dict[tuple[str, str | None], list[Notice]] = {}
    # Runs that are alike in something have the same notices.
    for notice in dict.fromkeys(notices):
        alike.setdefault((notice.code, notice.item_id), []).append(notice)
    for first, *more in alike.values():
        say_notices([first])
        if more:
            say(f"        and {counted(len(more), 'more notice')} like this one")
