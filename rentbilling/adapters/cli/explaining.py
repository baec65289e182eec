"""The command `explain`: why every figure of a bill is what it is.

Law: nothing of the core is loaded before the command is known to be well formed.
What does not live here: the workings (the core), how they are laid out (`working_outlines`).
"""

from typing import TYPE_CHECKING

import click

from rentbilling.adapters.cli.inputs import (
    indices_in,
    period_in,
    policy_in,
    refuse_second_reader,
)
from rentbilling.adapters.cli.options import say_notices, taking
from rentbilling.adapters.cli.streams import (
    Refusal,
    read_bytes,
    refusing,
    say,
    write_data,
    write_text,
)
from rentbilling.errors import InvalidPeriodError

if TYPE_CHECKING:
    from datetime import date

    from rentbilling.results import BillingResult, PendingBill
    from rentbilling.workings import Working


@click.command()
@taking("Which bills, by their due date", "How the workings are printed.", ("table", "json"))
@click.option(
    "--bill",
    "asked_day",
    metavar="DATE",
    help="Only what falls due on that day, such as 2026-02-01.",
)
def explain(
    file: str,
    asked: str,
    index_files: tuple[str, ...],
    form: str,
    policy_file: str | None,
    asked_day: str | None,
) -> None:
    """Print why every figure of a bill is what it is.

    FILE holds the terms of a lease as JSON, as for `rentbilling bills`; `-` reads them from
    standard input.

    Each bill is led back to its terms, a step a line: which accounting period, why it falls due on
    that day, which price is in force, which adjustment and index values led to it, which discount,
    which share of days, where it was rounded, and how VAT and total come about. In brackets stands
    the rule: an assumption of the guide, or a rule of EN 16931.

    \b
    table  for people, an outline
    json   {"bills": [...]}: due date, currency, and the working of the total as nested
           objects with label, operation, inputs, result, rule, note

    Workings go to standard output; notices and problems, a line each, to standard error.
    """  # noqa: D301 - click reads the escapes
    refuse_second_reader((file, policy_file, *index_files))
    from rentbilling.bills import pending_bills
    from rentbilling.codec import loads
    from rentbilling.terms import LeaseTerms

    policy = policy_in(policy_file)
    period = period_in(asked, policy)
    day = None if asked_day is None else _day_in(asked_day)
    given = read_bytes(file)
    with refusing(file):
        terms = loads(given, LeaseTerms, policy=policy)
    indices = indices_in(index_files)
    with refusing(file):
        result = pending_bills(terms, period, policy=policy, indices=indices)
        bills = [bill for bill in result if day is None or bill.due_date == day]
        if day is not None and not bills:
            raise Refusal(file, [f"no bill falls due on {day} in {period}"])
        _print_workings(result, bills, form)
    say_notices(result.notices)


def _day_in(text: str) -> "date":
    """Return the day that was asked for; what is no date is a usage error."""
    from rentbilling.periods import parse_date

    try:
        return parse_date(text)
    except InvalidPeriodError as error:
        (problem,) = error.problems
        said = f"{problem.met} {problem.message}; write a date such as 2026-02-01."
        raise click.BadParameter(said, param_hint="'--bill'") from None


def _print_workings(result: "BillingResult", bills: "list[PendingBill]", form: str) -> None:
    """Print the workings of some bills in the form that was asked for."""
    from rentbilling.explanations import explain as explained

    workings: list[tuple[PendingBill, Working]]
    workings = [(bill, explained(result, bill=bill)) for bill in bills]
    if form == "json":
        from rentbilling.json_text import write_json

        told = [
            {"dueDate": bill.due_date, "currency": bill.currency, "working": working.as_data()}
            for bill, working in workings
        ]
        write_data(write_json({"bills": told}) + "\n")
    elif workings:
        from rentbilling.adapters.cli.working_outlines import outlines

        write_text(outlines(workings))
    else:
        say(f"No bills in {result.period}.")
