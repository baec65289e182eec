"""The options that several commands share, and exit codes.

Law: nothing of the core is loaded here, so that help comes at once.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])
Decorator = Callable[[_Command], _Command]

FOUND: Final = 3
"""Exit code of a check that found errors, or of a comparison that found differences."""

_PERIODS: Final = (
    ": a year (2026), a quarter (2026-Q1), a month (2026-03), a first and a last one of these "
    "(2026-01/2026-03), or a first and a last day (2026-01-01/2026-03-31)."
)
_INDICES: Final = (
    "Index series for rent adjustments; may be given more than once. JSON: one series"
    " (`rentbilling example --index` prints one), a list of them, or an object with the list as"
    ' "series". CSV of levels, where the name ends in .csv: a line for each month, quarter or year,'
    " such as 2021-10;106,7; the series has the name of the file."
)


class FileName(click.Path):
    """The name of a file, or `-`; nothing is checked before it is read."""

    name = "file"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        del param, ctx
        return str(value)


def file_option(name: str, *names: str, **settings: Any) -> Decorator[Any]:  # noqa: ANN401 - click's own
    return click.option(name, *names, type=FileName(), metavar="FILE", **settings)


def files_argument() -> Decorator[Any]:
    return click.argument("files", type=FileName(), nargs=-1, required=True, metavar="FILE|-...")


def period_option(selects: str, *, required: bool = True) -> Decorator[Any]:
    return click.option(
        "--period", "asked", required=required, metavar="PERIOD", help=f"{selects}{_PERIODS}"
    )


def indices_option(more: str = "", **settings: Any) -> Decorator[Any]:  # noqa: ANN401 - click's own
    """Return the option for files of index series."""
    return file_option(
        "--indices", "index_files", multiple=True, help=f"{_INDICES}{more}", **settings
    )


def policy_option(what: str = "A billing policy", **settings: Any) -> Decorator[Any]:  # noqa: ANN401
    said = f"{what} as JSON; see `rentbilling schema BillingPolicy`."
    return file_option("--policy", "policy_file", help=said, **settings)


def choice_option(name: str, words: str, help_text: str, *names: str) -> Decorator[Any]:
    """Return an option that is one of some words, by default the first one."""
    every = words.split()
    return click.option(
        name,
        *names,
        type=click.Choice(every),
        default=every[0],
        show_default=True,
        help=help_text,
    )


def form_option(help_text: str, forms: str = "table json csv") -> Decorator[Any]:
    return choice_option("--format", forms, help_text, "form")


def together(*decorators: Decorator[Any]) -> Decorator[Any]:
    """Return options as one decorator; help has them in this order."""

    def decorated(command: _Command) -> _Command:
        for each in reversed(decorators):
            command = each(command)
        return command

    return decorated


def lease_options(
    selects: str, printed: str, forms: str = "table json csv", *, needs_period: bool = True
) -> Decorator[Any]:
    """Return what gives a command a file, and the options that nearly all commands share."""
    return together(
        click.argument("file", type=FileName(), metavar="FILE|-"),
        period_option(selects, required=needs_period),
        indices_option(),
        assume_option(),
        form_option(printed, forms),
        policy_option(),
    )


def check_option(does: str) -> Decorator[Any]:
    what = "everything and write nothing: prints the problems, a line each, and the summary."
    return click.option("--check", is_flag=True, help=f"{does} {what}")


def progress_option() -> Decorator[Any]:
    said = "auto: a bar where somebody watches; plain: lines, for logs."
    return choice_option("--progress", "auto plain none", said)


def problem_options(done: str) -> Decorator[Any]:
    """Return what becomes of leases of a table that have problems, and of its other columns."""
    said = f"A lease that cannot be {done} is a row of the problems, or stops the run."
    columns = "What becomes of columns that no lease has."
    return together(
        choice_option("--on-problem", "table raise", said),
        choice_option("--extra-columns", "refuse ignore", columns),
    )


def assume_option() -> Decorator[Any]:
    """Return the option for the rate at which index series go on."""
    return click.option(
        "--assume-index",
        "assumed_rate",
        metavar="RATE",
        help="Index series go on at this rate a year after their last value: 2% or 0.02. A notice"
        " names each adjustment by such a value.",
    )


def plot_option() -> Decorator[Any]:
    """Return the option for the file of a picture."""
    return file_option(
        "--plot",
        "plot_file",
        help="Also draw a picture: png, svg or pdf, by the end of the name; one picture for"
        " each currency. Needs the extra notebook.",
    )
