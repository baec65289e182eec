"""The command `schema`: JSON schemas of what is read or written."""

import click
from click.shell_completion import CompletionItem

from rentbilling.adapters.cli.streams import write_data
from rentbilling.errors import UnknownWordError


def _schema_names(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    from rentbilling.interface import SCHEMA_NAMES

    begun = incomplete.lower()
    return [CompletionItem(name) for name in SCHEMA_NAMES if name.lower().startswith(begun)]


@click.command()
@click.argument("name", required=False, shell_complete=_schema_names)
def schema(name: str | None) -> None:
    """Print a JSON schema (draft 2020-12) of what is read or written.

    NAME is a record such as LeaseTerms, BillingPolicy or IndexSeries, or what is printed:
    BillingResult, PendingBill and AdjustmentResult, with Full behind it for --full. Without NAME,
    the names are listed.
    """
    from rentbilling.adapters.cli.input.arguments import bad_value
    from rentbilling.interface import SCHEMA_NAMES, schema_of
    from rentbilling.records import write_json

    if name is None:
        write_data("".join(f"{each}\n" for each in SCHEMA_NAMES))
        return
    try:
        found = schema_of(name)
    except UnknownWordError as error:
        raise bad_value(error, "NAME") from None
    write_data(write_json(found, indent=2) + "\n")
