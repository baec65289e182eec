"""The command `split`: one bill for each payer of a bill."""

import click

from rentbilling.adapters.cli.input.options import FileName, form_option, policy_option


@click.command()
@click.argument("file", type=FileName(), metavar="FILE|-")
@click.option(
    "--payer",
    "payers",
    multiple=True,
    required=True,
    metavar="NAME=SHARE",
    help="A payer and their share: a fraction (1/3, 25%), a fixed amount with VAT"
    " ('500.00 EUR'), or rest; once for each payer.",
)
@form_option("How the bills are printed.", "table json")
@policy_option("The policy of the bills")
def split(file: str, payers: tuple[str, ...], form: str, policy_file: str | None) -> None:
    """Print the parts of bills that several payers share.

    FILE holds bills as JSON, as `rentbilling bills --format json --full` prints them; `-` reads
    them from standard input. Fractions sum to 1; fixed amounts sum to the total, unless one payer
    has the rest. The figures of the parts add up to those of the bill.

    \b
    Two tenants, one of whom pays two thirds:
      rentbilling bills lease.json --period 2026-03 --format json --full > bills.json
      rentbilling split bills.json --payer Ann=1/3 --payer Bo=2/3

    \b
    table  for people, as wide as the terminal
    json   {"bills": [...]}, each bill with its payer, with every field of a result
    """  # noqa: D301 - click reads the escapes
    from rentbilling.adapters.cli.input.arguments import policy_in, refuse_second_reader
    from rentbilling.adapters.cli.input.bill_files import read_bills
    from rentbilling.adapters.cli.output.printing import printed, say_notices
    from rentbilling.adapters.cli.output.terminal import Terminal
    from rentbilling.adapters.cli.streams import refusing
    from rentbilling.billing import BillingResult
    from rentbilling.billing.wire import bill_tables
    from rentbilling.codec import dumps
    from rentbilling.payers import split_bill
    from rentbilling.policy import policy_of

    refuse_second_reader((file, policy_file))
    shares: dict[str, str] = {}
    for each in payers:
        name, sign, share = (part.strip() for part in each.rpartition("="))
        if not (name and sign and share) or name in shares:
            said = f"{each!r} is no payer, or one that is named before; write such as Ann=1/3."
            raise click.BadParameter(said, param_hint="'--payer'")
        shares[name] = share
    policy = policy_of(policy_in(policy_file))
    bills = read_bills(file, policy)
    with refusing(file):
        made = [split_bill(bill, shares, policy=policy) for bill in bills]
    notices = [notice for result in made for notice in result.notices]
    parts = BillingResult([part for result in made for part in result], notices)
    printed(
        form,
        parts,
        json=lambda found: dumps(found, full=True),
        table=lambda found: bill_tables(found, Terminal()),
        nothing="No bills to split.",
    )
    say_notices(notices)
