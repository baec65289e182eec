"""The command `explain`: why every figure of a bill or an adjustment is what it is.

Law: nothing of the core is loaded before the command is known to be well formed.
"""

from typing import TYPE_CHECKING, NamedTuple

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
    from collections.abc import Iterable
    from datetime import date
    from typing import Any

    from rentbilling.billing.bill import PendingBill
    from rentbilling.explanations.working import Working
    from rentbilling.indices import IndexSeries
    from rentbilling.policy import BillingPolicy
    from rentbilling.terms.lease_terms import LeaseTerms
    from rentbilling.values.periods import Period


@click.command()
@taking("Which bills, by their due date", "How the workings are printed.", ("table", "json"))
@click.option(
    "--bill",
    "asked_day",
    metavar="DATE",
    help="Only what falls due on that day, such as 2026-02-01.",
)
@click.option(
    "--line",
    "asked_line",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Only that line of the bill, counted from 1.",
)
@click.option(
    "--adjustment",
    "asked_adjustment",
    metavar="DATE",
    help="Not the bills but the rent adjustments of that day, such as 2026-01-01.",
)
def explain(
    file: str,
    asked: str,
    index_files: tuple[str, ...],
    form: str,
    policy_file: str | None,
    asked_day: str | None,
    asked_line: int | None,
    asked_adjustment: str | None,
) -> None:
    """Print why every figure of a bill, or of a rent adjustment, is what it is.

    FILE holds the terms of a lease as JSON, as for `rentbilling bills`; `-` reads them from
    standard input.

    Each bill is led back to its terms, a step a line: which accounting period, why it falls due on
    that day, which price is in force, which adjustments and index values led to it, which discount,
    which share of days, where it was rounded, and how VAT and total come about. In brackets stands
    the rule: an assumption of the guide, or a rule of EN 16931; what they are about is told below.
    An amount that an earlier bill explains is referred to; `--bill` lists its whole history.

    \b
    table  for people, an outline
    json   {"bills": [...]}: due date, currency, and the working of the total, or of the
           line, as nested objects with label, operation, inputs, result, rule, note;
           with --adjustment {"adjustments": [...]}: day and working. A step with the
           operation "referred" has the "id" of an earlier step as its input "step"

    Workings go to standard output; notices and problems, a line each, to standard error.
    """  # noqa: D301 - click reads the escapes
    refuse_second_reader((file, policy_file, *index_files))
    if asked_adjustment is not None and (asked_day is not None or asked_line is not None):
        raise click.UsageError("--bill and --line say nothing with --adjustment.")
    from rentbilling.codec.records import loads
    from rentbilling.terms.lease_terms import LeaseTerms

    policy = policy_in(policy_file)
    period = period_in(asked, policy)
    day = None if asked_day is None else _day_in(asked_day, "--bill")
    adjusted = None
    if asked_adjustment is not None:
        adjusted = _day_in(asked_adjustment, "--adjustment")
    given = read_bytes(file)
    with refusing(file):
        terms = loads(given, LeaseTerms, policy=policy)
    indices = indices_in(index_files)
    with refusing(file):
        inputs = _Inputs(file, terms, period, policy, indices)
        if adjusted is None:
            _explain_bills(inputs, day, asked_line, form)
        else:
            _explain_adjustments(inputs, adjusted, form)


class _Inputs(NamedTuple):
    """What is explained: a lease in a period, and where it was read from."""

    file: str
    terms: "LeaseTerms"
    period: "Period"
    policy: "BillingPolicy | None"
    indices: "tuple[IndexSeries, ...]"


def _day_in(text: str, option: str) -> "date":
    """Return the day that was asked for; what is no date is a usage error."""
    from rentbilling.values.periods import parse_date

    try:
        return parse_date(text)
    except InvalidPeriodError as error:
        (problem,) = error.problems
        said = f"{problem.met} {problem.message}; write a date such as 2026-02-01."
        raise click.BadParameter(said, param_hint=f"'{option}'") from None


def _explain_bills(inputs: _Inputs, day: "date | None", line: int | None, form: str) -> None:
    """Print the workings of the bills that were asked for."""
    from rentbilling.adapters.cli.words import day_words
    from rentbilling.billing.api import pending_bills
    from rentbilling.explanations.api import explain as explained

    file, terms, period, policy, indices = inputs
    result = pending_bills(terms, period, policy=policy, indices=indices)
    bills = [bill for bill in result if day is None or bill.due_date == day]
    if day is not None and not bills:
        raise Refusal(file, [f"no bill falls due on {day} in {period}"])
    if line is not None:
        bill = _only(file, bills, line)
        told = [(bill, explained(result, bill=bill, line=line - 1))]
    elif day is None:
        told = list(zip(bills, explained(result), strict=True))
    else:
        told = [(bill, explained(result, bill=bill)) for bill in bills]
    if form == "json":
        _write_json(
            "bills",
            [
                {"dueDate": bill.due_date, "currency": bill.currency, "working": working.as_data()}
                for bill, working in told
            ],
        )
    elif told:
        _write_outlines((f"Due {day_words(bill.due_date)}", working) for bill, working in told)
    else:
        say(f"No bills in {result.period}.")
    say_notices(result.notices)


def _only(file: str, bills: "list[PendingBill]", line: int) -> "PendingBill":
    """Return the one bill whose line was asked for."""
    if len(bills) != 1:
        days = ", ".join(dict.fromkeys(bill.due_date.isoformat() for bill in bills)) or "no day"
        raise Refusal(file, [f"a line is one of one bill: {len(bills)} bills fall due, on {days}"])
    count = len(bills[0].raw_lines)
    if line > count:
        lines = f"{count} line" + ("" if count == 1 else "s")
        raise Refusal(file, [f"the bill due {bills[0].due_date} has {lines}, no line {line}"])
    return bills[0]


def _explain_adjustments(inputs: _Inputs, day: "date", form: str) -> None:
    """Print the workings of the rent adjustments of a day."""
    from rentbilling.adapters.cli.words import day_words
    from rentbilling.adjustments.api import rent_adjustments
    from rentbilling.explanations.api import explain as explained

    file, terms, period, policy, indices = inputs
    result = rent_adjustments(terms, period, indices=indices, policy=policy)
    places = [at for at, each in enumerate(result) if each.adjusted_on == day]
    if not places:
        raise Refusal(file, [f"nothing is adjusted on {day} in {period}"])
    told = [explained(result, adjustment=at) for at in places]
    if form == "json":
        data = [{"adjustedOn": day, "working": working.as_data()} for working in told]
        _write_json("adjustments", data)
    else:
        _write_outlines((f"Adjusted {day_words(day)}", working) for working in told)
    say_notices(result.notices)


def _write_json(key: str, told: "list[dict[str, Any]]") -> None:
    from rentbilling.records.json_text import write_json

    write_data(write_json({key: told}) + "\n")


def _write_outlines(workings: "Iterable[tuple[str, Working]]") -> None:
    from rentbilling.adapters.cli.working_outlines import outlines

    write_text(outlines(workings))
