"""The command line as a whole: `rentbilling` and its commands, each of which is loaded by itself.

Laws: nothing of the core is loaded before a command is known to be well formed, and no command for
the list of all, so that help comes at once; what is asked for goes to stdout, everything said about
it to stderr.
"""

from importlib import import_module
from types import MappingProxyType
from typing import Final

import click

_PACKAGE: Final = "rentbilling.adapters.cli.commands"
_OF_SERVICE: Final = frozenset({"backup", "keys", "owner", "serve"})
"""The commands in `commands.service`."""
_COMMANDS: Final = MappingProxyType(
    {
        "adjust-run": "Adjust the rents of all leases of a file, and write what was adjusted.",
        "adjustments": "Print the rent adjustments that fall in a period.",
        "backup": "Copy the database into a new file, also while it is served.",
        "bill-run": "Bill all leases of a file, and write the bills to another.",
        "bills": "Print the bills that fall due in a period.",
        "example": "Print the terms of a Danish lease, ready to be billed.",
        "explain": "Print why every figure of a bill, or of a rent adjustment, is what it is.",
        "forecast": "Print what the bills of years to come add up to, rent adjustments included.",
        "keys": "Make, list, rotate and revoke API keys of the service.",
        "owner": "Write out, or erase, all that a database has of one owner.",
        "report": "Print what leases and their bills come to: rents in force, accruals, VAT.",
        "schema": "Print a JSON schema (draft 2020-12) of what is read or written.",
        "serve": "Serve all operations over HTTP until SIGTERM or Ctrl-C.",
        "settle": "Print the statement of each lease for the costs of a period.",
        "suggest-map": "Print a map for a table of leases in CSV, as a start.",
        "verify": "Check bills that were made elsewhere: are they right?",
    }
)
"""The commands, with the first sentence of their help."""


class _Group(click.Group):
    """Loads a command when it is asked for; ends without a word when the user interrupts it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        # Its module and its function have the same name.
        name = cmd_name.replace("-", "_")
        package = f"{_PACKAGE}.service" if cmd_name in _OF_SERVICE else _PACKAGE
        command: click.Command = getattr(import_module(f"{package}.{name}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command does, without loading any."""
        listed = [click.Command(name, help=said) for name, said in _COMMANDS.items()]
        click.Group(commands=listed).format_commands(ctx, formatter)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(130) from None


def _print_version(ctx: click.Context, _param: click.Parameter, wanted: object) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    # Nothing else needs it, and it takes as long as all of help.
    from importlib import metadata

    try:
        version = metadata.version("rentbilling")
    except metadata.PackageNotFoundError:
        version = "(sources that are not installed)"
    click.echo(f"rentbilling {version}")
    ctx.exit()


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
    invoke_without_command=True,
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def rentbilling(ctx: click.Context) -> None:
    """Exact rent bills and rent adjustments from the terms of a lease.

    \b
    Try it:
      rentbilling example | rentbilling bills - --period 2026
      rentbilling example --index > npi.json
      rentbilling example --with-index > lease.json
      rentbilling adjustments lease.json --indices npi.json --period 2023
      rentbilling explain lease.json --indices npi.json --period 2023-01
      rentbilling verify bills.json
      rentbilling forecast lease.json --indices npi.json --assume-index 2% --years 10
      rentbilling report rent-roll lease.json --indices npi.json --on 2024-06-30
      rentbilling serve --demo

    Exit codes: 0 fine, 1 what was handed in is refused, 2 the command is not well formed, 3 verify
    found errors or differences, or a command for many (bill-run, adjust-run, report, settle) left
    some with problems aside.
    """  # noqa: D301 - click reads the escape
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
