"""The command `settle`: statements of service charges."""

import click

from rentbilling.adapters.cli.input.options import FOUND, FileName, form_option, period_option


@click.command()
@click.argument("file", type=FileName(), metavar="FILE|-")
@period_option("Settle these days instead of those of the file", required=False)
@click.option("--lease", help="Only the statement of this lease.")
@click.option("--explain", "explained", is_flag=True, help="Also how each share was computed.")
@form_option("How the statements are printed.")
def settle(file: str, asked: str | None, lease: str | None, form: str, *, explained: bool) -> None:
    """Print the statement of each lease for the costs of a period.

    FILE holds a settlement as JSON: costs, units, occupancies, readings, advances; `-` reads it
    from standard input. `rentbilling schema Settlement` describes it.

    \b
    table  for people: each cost, the lease's share, advances, balance
    json   statements, what the landlord bears by reason, and leases with problems
    csv    a row for each line of each statement

    Statements go to standard output; notices and problems, a line each, to standard error. The exit
    code is 3 if a lease has no statement.
    """  # noqa: D301 - click reads the escapes
    from rentbilling.adapters.cli.input.arguments import bad_value, period_in
    from rentbilling.adapters.cli.output.printing import printed, say_notices
    from rentbilling.adapters.cli.output.settlements import (
        statements_csv,
        statements_data,
        statements_text,
    )
    from rentbilling.adapters.cli.streams import read_bytes, refusing, say
    from rentbilling.codec import loads
    from rentbilling.errors import UnknownWordError
    from rentbilling.settlement import Settlement, settle as settled

    period = None if asked is None else period_in(asked, None)
    given = read_bytes(file)
    with refusing(file):
        stated = loads(given, Settlement)
        result = settled(stated if period is None else stated.evolve(period=period))
    names = {each.lease_id for each in (*result, *result.problems)}
    if lease is not None and lease not in names:
        known = f"one of {', '.join(sorted(names))}"
        error = UnknownWordError.of("", "unknown_id", "is not a lease of the file", lease, known)
        raise bad_value(error, "--lease")
    found = [each for each in result if lease in (None, each.lease_id)]
    printed(
        form,
        found,
        json=lambda chosen: statements_data(result, chosen),
        csv=statements_csv,
        table=lambda chosen: statements_text(chosen, explained=explained),
        nothing="No statements.",
    )
    others = {notice for each in result if each not in found for notice in each.notices}
    say_notices([each for each in result.notices if each not in others])
    problems = result.problem_lines(lease)
    for each in problems:
        say(each)
    if problems:
        raise click.exceptions.Exit(FOUND)
