"""Checked bills: as JSON, and as a list for people with a line for each bill and its findings.

Laws: in JSON every field is there, absent values as null, names in camelCase as on the wire, all
digits of figures; the list has each finding with the actual and the expected figure, the rule and
the field, only counts bills without findings, and wraps a text that does not fit.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_args

from rentbilling.adapters.cli.input.bill_files import GivenBill
from rentbilling.adapters.cli.output.findings import (
    fields_of,
    finding_words,
    plain,
    with_lines_in_words,
)
from rentbilling.adapters.cli.output.terminal import Terminal
from rentbilling.checks import CheckResult, Finding, Severity
from rentbilling.errors import printable
from rentbilling.layout import (
    FAINT,
    GAP,
    STRONG,
    Grid,
    GridColumn,
    Page,
    Part,
    figure,
    padded,
    widest,
)
from rentbilling.tables import counted

CheckedBill = tuple[GivenBill, CheckResult]

_STYLES: Final = MappingProxyType({"error": "bold red", "warning": "yellow", "information": FAINT})


def check_data(checked: Sequence[CheckedBill]) -> dict[str, Any]:
    """Return what a check found, bill by bill, and counts, as data for JSON."""
    found = Counter(each.severity for _, result in checked for each in result)
    return {
        "bills": [
            {
                "leaseId": given.lease_id,
                "number": given.number,
                "dueDate": plain(given.due_date),
                "total": plain(given.total),
                "isConsistent": result.is_consistent,
                "findings": [*map(fields_of, result)],
            }
            for given, result in checked
        ],
        "counts": {
            "bills": len(checked),
            "consistent": sum(result.is_consistent for _, result in checked),
            **{each: found[each] for each in get_args(Severity)},
        },
        "causes": [each._asdict() for each in causes_of(checked)],
    }


class Cause(NamedTuple):
    """The same fault in several bills."""

    code: str
    severity: Severity
    message: str
    bills: int
    """In how many bills it was found."""
    findings: int


def causes_of(checked: Sequence[CheckedBill]) -> list[Cause]:
    """Return the causes of findings, errors first, each with the number of its bills."""
    found: dict[tuple[str, Severity], list[tuple[int, str]]] = {}
    for at, (_, result) in enumerate(checked):
        for each in result:
            found.setdefault((each.code, each.severity), []).append((at, each.message))
    severities = get_args(Severity)
    causes = [
        Cause(code, severity, places[0][1], len({at for at, _ in places}), len(places))
        for (code, severity), places in found.items()
    ]
    return sorted(causes, key=lambda each: (severities.index(each.severity), -each.bills))


def check_table(checked: Sequence[CheckedBill]) -> str:
    """Return checked bills as a text for the terminal that stdout is."""
    layout = Terminal()
    shown = [each for each in checked if each[1].findings or len(checked) == 1]
    rows = [
        (_names(given), _due(given), _total(given), _verdict(result)) for given, result in shown
    ]
    first = 0 if any(names for names, *_ in rows) else 1
    columns = [GridColumn(""), GridColumn(""), GridColumn("", right=True), GridColumn("")]
    grid = Grid(layout, columns[first:], [row[first:] for row in rows])
    width = widest(finding.severity for _, result in checked for finding in result)
    parts: list[Part] = []
    for row, (given, result) in zip(rows, shown, strict=True):
        parts += grid.row(row[first:], STRONG if result.errors else "")
        for finding in result:
            parts += _finding(finding, given, width, layout)
    if len(checked) > 1:
        wrong = sum(not result.is_consistent for _, result in checked)
        right = len(checked) - wrong
        counts = f"{right} consistent, {wrong} with errors" if wrong else "all consistent"
        parts.append(Part(f"{counted(len(checked), 'bill')}: {counts}\n", STRONG))
        if wrong > 1:
            causes = [each for each in causes_of(checked) if each.severity != "information"]
            parts += (Part(f"{' ' * GAP}{_cause(each)}\n") for each in causes)
    return layout.printed(parts)


def _cause(cause: Cause) -> str:
    said = with_lines_in_words(cause.message)
    return printable(f"{cause.code}: {counted(cause.bills, 'bill')} ({said})")


def _finding(finding: Finding, given: GivenBill, width: int, layout: Page) -> Iterator[Part]:
    """Give a finding: its severity, what is wrong, then the rule and the field."""
    indent = GAP + width + GAP
    room = max(layout.width - indent, 2 * GAP)
    sentence = printable(finding_words(finding, given.bill, layout.dash))
    first, *more = layout.wrapped(sentence, room)
    yield Part(" " * GAP)
    yield Part(padded(finding.severity, width, right=False), _STYLES[finding.severity])
    yield Part(f"{' ' * GAP}{first}\n")
    for line in more:
        yield Part(f"{' ' * indent}{line}\n")
    for line in layout.wrapped(printable(f"{finding.rule}; {finding.path}"), room):
        yield Part(f"{' ' * indent}{line}\n", FAINT)


def _names(given: GivenBill) -> str:
    return printable(" ".join(filter(None, (given.lease_id, given.number))))


def _due(given: GivenBill) -> str:
    return given.due_date.isoformat() if given.due_date else "no due date"


def _total(given: GivenBill) -> str:
    if given.total is None:
        return "no total"
    return f"{figure(given.total.amount)} {printable(given.total.currency)}"


def _verdict(result: CheckResult) -> str:
    found = Counter(each.severity for each in result)
    counts = [_number(found[each], each) for each in get_args(Severity) if found[each]]
    return ", ".join(counts if result.errors else ["consistent", *counts])


def _number(count: int, severity: Severity) -> str:
    return f"{count} {severity}" if severity == "information" else counted(count, severity)
