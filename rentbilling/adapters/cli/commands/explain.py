"""The command `explain`: why every figure of a bill or an adjustment is what it is."""

from typing import TYPE_CHECKING, Any

import click

from rentbilling.adapters.cli.input.options import lease_options
from rentbilling.adapters.cli.streams import Refusal

if TYPE_CHECKING:
    from datetime import date

    from rentbilling.adapters.cli.input.lease_files import Question
    from rentbilling.billing import PendingBill


@click.command()
@lease_options("Which bills, by their due date", "How the workings are printed.", "table json")
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
    form: str,
    asked_day: str | None,
    asked_line: int | None,
    asked_adjustment: str | None,
    **given: Any,  # noqa: ANN401 - options by name
) -> None:
    """Print why every figure of a bill, or of a rent adjustment, is what it is.

    FILE holds the terms of a lease as JSON, as for `rentbilling bills`; `-` reads them from
    standard input.

    Each bill is led back to its terms, a step a line: which accounting period, why it falls due on
    that day, which price is in force, which adjustments and index values led to it, which discount,
    which share of days, where it was rounded, and how VAT and total come about. Brackets
    have the rule: an assumption of the guide, or a rule of EN 16931; a list below describes each.
    An amount that an earlier bill explains is referred to; `--bill` lists its whole history.

    \b
    table  for people, an outline
    json   {"bills": [...]}: due date, currency, and the working of the total, or of the
           line, as nested objects with label, operation, inputs, result, rule, note;
           with --adjustment {"adjustments": [...]}: day and working. A step with the
           operation "referred" has the "id" of an earlier step as its input "step"

    Workings go to standard output; notices and problems, a line each, to standard error.
    """  # noqa: D301 - click reads the escapes
    from rentbilling.adapters.cli.input.arguments import day_in, refuse_second_reader
    from rentbilling.adapters.cli.input.lease_files import question_of

    file = given["file"]
    refuse_second_reader((file, given["policy_file"], *given["index_files"]))
    if asked_adjustment is not None and (asked_day is not None or asked_line is not None):
        raise click.UsageError("--bill and --line have no effect with --adjustment.")
    day = day_in(asked_day, "--bill", "2026-02-01")
    adjusted = day_in(asked_adjustment, "--adjustment", "2026-02-01")
    with question_of(**given) as question:
        if adjusted is None:
            _explain_bills(file, question, day, asked_line, form)
        else:
            _explain_adjustments(file, question, adjusted, form)


def _explain_bills(
    file: str, question: "Question", day: "date | None", line: int | None, form: str
) -> None:
    from rentbilling.adapters.cli.output.outlines import outlines
    from rentbilling.adapters.cli.output.printing import printed, say_notices
    from rentbilling.billing import pending_bills
    from rentbilling.explanations import explain as explained
    from rentbilling.layout import day_words

    terms, period, policy, indices = question
    result = pending_bills(terms, period, policy=policy, indices=indices)
    bills = [bill for bill in result if day is None or bill.due_date == day]
    if day is not None and not bills:
        raise Refusal(file, [f"no bill falls due on {day} in {period}"])
    if line is not None:
        bill = _only(file, bills, line)
        workings = [(bill, explained(result, bill=bill, line=line - 1))]
    elif day is None:
        workings = list(zip(bills, explained(result), strict=True))
    else:
        workings = [(bill, explained(result, bill=bill)) for bill in bills]
    printed(
        form,
        workings,
        json=lambda found: {
            "bills": [
                {"dueDate": bill.due_date, "currency": bill.currency, "working": working.as_data()}
                for bill, working in found
            ]
        },
        table=lambda found: outlines(
            (f"Due {day_words(bill.due_date)}", working) for bill, working in found
        ),
        nothing=f"No bills in {period}.",
    )
    say_notices(result.notices)


def _only(file: str, bills: "list[PendingBill]", line: int) -> "PendingBill":
    if len(bills) != 1:
        days = ", ".join(dict.fromkeys(bill.due_date.isoformat() for bill in bills)) or "no day"
        raise Refusal(file, [f"a line is one of one bill: {len(bills)} bills fall due, on {days}"])
    from rentbilling.tables import counted

    count = len(bills[0].raw_lines)
    if line > count:
        lines = counted(count, "line")
        raise Refusal(file, [f"the bill due {bills[0].due_date} has {lines}, no line {line}"])
    return bills[0]


def _explain_adjustments(file: str, question: "Question", day: "date", form: str) -> None:
    from rentbilling.adapters.cli.output.outlines import outlines
    from rentbilling.adapters.cli.output.printing import printed, say_notices
    from rentbilling.adjustments import rent_adjustments
    from rentbilling.explanations import explain as explained
    from rentbilling.layout import day_words

    terms, period, policy, indices = question
    result = rent_adjustments(terms, period, indices=indices, policy=policy)
    places = [at for at, each in enumerate(result) if each.adjusted_on == day]
    if not places:
        raise Refusal(file, [f"nothing is adjusted on {day} in {period}"])
    printed(
        form,
        [explained(result, adjustment=at) for at in places],
        json=lambda found: {
            "adjustments": [{"adjustedOn": day, "working": each.as_data()} for each in found]
        },
        table=lambda found: outlines((f"Adjusted {day_words(day)}", each) for each in found),
    )
    say_notices(result.notices)
