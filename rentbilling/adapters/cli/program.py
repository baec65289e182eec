"""The command line as a whole: `rentbilling` and its commands, each of which is loaded by itself.

Law: nothing of the core is loaded before a command is known to be well formed, so that help comes
at once; what is asked for goes to stdout, everything said about it to stderr.
"""

from importlib import import_module, metadata
from types import MappingProxyType
from typing import Final

import click

_PACKAGE: Final = "rentbilling.adapters.cli.commands"
_COMMANDS: Final = MappingProxyType(
    {
        each.replace("_", "-"): each
        for each in (
            *("adjustments", "bill_run", "bills", "demo_data", "example", "explain", "forecast"),
            *("keys", "schema", "serve", "verify", "whatif"),
        )
    }
)
"""The module of each command, whose function has the same name."""


class _Group(click.Group):
    """Loads a command when it is asked for; ends without a word when the user interrupts it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        name = _COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"{_PACKAGE}.{name}"), name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(130) from None


def _print_version(ctx: click.Context, _param: click.Parameter, wanted: object) -> None:
    """Print the version that is installed."""
    if not wanted or ctx.resilient_parsing:
        return
    try:
        version = metadata.version("rentbilling")
    except metadata.PackageNotFoundError:
        version = "(sources that are not installed)"
    click.echo(f"rentbilling {version}")
    ctx.exit()


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def rentbilling() -> None:
    """Exact rent bills and rent adjustments from the terms of a lease.

    \b
    Try it:
      rentbilling example | rentbilling bills - --period 2026
      rentbilling example --index > npi.json
      rentbilling example --with-index > lease.json
      rentbilling adjustments lease.json --indices npi.json --period 2023
      rentbilling explain lease.json --indices npi.json --period 2023-01
      rentbilling verify bills.json
      rentbilling whatif lease.json --indices npi.json --period 2024 --scenario 'cap 3%'
      rentbilling forecast lease.json --indices npi.json --assume-index 2% --years 10
      rentbilling demo-data; rentbilling serve

    Exit codes: 0 fine, 1 what was handed in is refused, 2 the command is not well formed, 3 verify
    found errors or differences, or bill-run left leases with problems unbilled.
    """  # noqa: D301 - click reads the escape
