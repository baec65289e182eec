"""What several commands share: files, periods and index series as options, notices, exit codes.

Law: nothing of the core is loaded here, so that help comes at once.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from rentbilling.adapters.cli.streams import say

if TYPE_CHECKING:
    from rentbilling.values.notice import Notice

_Command = TypeVar("_Command", bound=Callable[..., Any])

FOUND: Final = 3
"""Exit code of a check that found errors, or of a comparison that found differences."""

PERIODS: Final = (
    ": a year (2026), a month (2026-03), or a first and a last day (2026-01-01/2026-03-31)."
)
INDICES: Final = (
    "Index series for rent adjustments; may be given more than once. JSON: one series"
    " (`rentbilling example --index` prints one), a list of them, or an object with the list as"
    ' "series". CSV, where the name ends in .csv: a line for each month, quarter or year, such as'
    " 2021-10;106,7; the series has the name of the file."
)


class FileName(click.Path):
    """The name of a file, or `-`; whether it can be read is seen when it is read."""

    name = "file"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name as it was given."""
        del param, ctx
        return str(value)


def taking(
    period_help: str,
    output_help: str,
    forms: Iterable[str] = ("table", "json", "csv"),
    *,
    needs_period: bool = True,
) -> Callable[[_Command], _Command]:
    """Return what gives a command a file and the options that several commands share."""
    first, *_ = every = list(forms)
    decorators = (
        click.argument("file", type=FileName(), metavar="FILE|-"),
        click.option(
            "--period",
            "asked",
            required=needs_period,
            metavar="PERIOD",
            help=f"{period_help}{PERIODS}",
        ),
        click.option(
            "--indices",
            "index_files",
            type=FileName(),
            multiple=True,
            metavar="FILE",
            help=INDICES,
        ),
        click.option(
            "--format",
            "form",
            type=click.Choice(every),
            default=first,
            show_default=True,
            help=output_help,
        ),
        click.option(
            "--policy",
            "policy_file",
            type=FileName(),
            metavar="FILE",
            help="A billing policy as JSON; see `rentbilling schema BillingPolicy`.",
        ),
    )

    def decorated(command: _Command) -> _Command:
        for each in reversed(decorators):
            command = each(command)
        return command

    return decorated


def say_notices(notices: "Iterable[Notice]") -> None:
    """Say what a person should look at, a line each."""
    for notice in notices:
        facts = ", ".join(f"{name} {value}" for name, value in notice.facts)
        about = f"{notice.item_id}: " if notice.item_id else ""
        say(f"Notice: {about}{notice.message}{facts and f' ({facts})'} [{notice.code}]")
