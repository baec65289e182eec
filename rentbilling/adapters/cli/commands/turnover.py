"""The command `turnover`: rent by turnover."""

import click

from rentbilling.adapters.cli.input.options import (
    FileName,
    file_option,
    form_option,
    indices_option,
    period_option,
    policy_option,
)


@click.command()
@click.argument("file", type=FileName(), metavar="FILE|-")
@period_option("Compute this lease year instead of that of the file", required=False)
@file_option("--lease", "lease_file", help="The lease, as JSON, that yields base rent and VAT.")
@click.option("--through", metavar="DATE", help="Only intervals that end by this day.")
@click.option("--explain", "explained", is_flag=True, help="Also how each figure was computed.")
@indices_option()
@form_option("How the rent is printed.")
@policy_option()
def turnover(
    file: str,
    asked: str | None,
    lease_file: str | None,
    through: str | None,
    index_files: tuple[str, ...],
    form: str,
    policy_file: str | None,
    *,
    explained: bool,
) -> None:
    """Print the turnover rent of a lease year: each interval, and the true-up.

    FILE holds a lease year as JSON: terms, reports of sales, base rents; `-` reads it from standard
    input. `rentbilling schema TurnoverAccount` describes it. Without base rents, --lease is needed.

    \b
    table  for people: sales, base rent and turnover rent of each interval
    json   the same, with the items that bill it where the VAT is known
    csv    a row for each interval

    The rent goes to standard output, notices to standard error.
    """  # noqa: D301 - click reads the escapes
    from rentbilling.adapters.cli.input.arguments import (
        day_in,
        period_in,
        policy_in,
        refuse_second_reader,
    )
    from rentbilling.adapters.cli.input.index_files import indices_in
    from rentbilling.adapters.cli.input.lease_files import terms_in
    from rentbilling.adapters.cli.output.printing import printed, say_notices
    from rentbilling.adapters.cli.output.settlements import year_csv, year_data, year_text
    from rentbilling.adapters.cli.streams import read_bytes, refusing
    from rentbilling.codec import loads
    from rentbilling.turnover import TurnoverAccount, turnover_of

    refuse_second_reader([file, lease_file, *index_files, policy_file])
    policy, last = policy_in(policy_file), day_in(through, "--through", "2026-06-30")
    period = None if asked is None else period_in(asked, policy)
    series, given = indices_in(index_files), read_bytes(file)
    lease = None if lease_file is None else terms_in(lease_file, policy)
    with refusing(file):
        account = loads(given, TurnoverAccount, policy=policy)
        account = account if period is None else account.evolve(year=period)
        year = turnover_of(account, lease, through=last, indices=series, policy=policy)
        items = year.items() if lease is not None or account.vat is not None else ()

    printed(
        form,
        year,
        json=lambda found: year_data(found, items),
        csv=year_csv,
        table=lambda found: year_text(found, explained=explained),
    )
    say_notices(year.notices)
