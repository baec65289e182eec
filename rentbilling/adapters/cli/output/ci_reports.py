"""What `verify` found, for continuous integration: workflow commands of GitHub, and JUnit's XML.

Laws: every bill is one case; every finding and every cause of differences is in the report, in
the words of the table; no text of a bill ends a command, an attribute or an element.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from rentbilling.adapters.cli.input.bill_files import GivenBill
from rentbilling.adapters.cli.output.comparisons import BillPair
from rentbilling.adapters.cli.output.findings import (
    difference_words,
    finding_words,
    following_words,
)
from rentbilling.checks import CheckResult, DifferenceGroup
from rentbilling.errors import printable
from rentbilling.layout import figure
from rentbilling.tables import counted


class Case(NamedTuple):
    """A bill, and what was found in it."""

    name: str
    found: tuple[tuple[str, str, str], ...]
    """The level (`error`, `warning`, `notice`), the rule or code, and a sentence of each."""

    @property
    def is_right(self) -> bool:
        """Whether nothing in it is an error."""
        return all(level != "error" for level, _, _ in self.found)


def checked_cases(checked: Iterable[tuple[GivenBill, CheckResult]]) -> list[Case]:
    return [
        Case(
            _name(given),
            tuple(
                (
                    "notice" if each.severity == "information" else each.severity,
                    each.rule,
                    f"{finding_words(each, given.bill)} ({each.path})",
                )
                for each in result
            ),
        )
        for given, result in checked
    ]


def _name(given: GivenBill) -> str:
    lease = f"lease {given.lease_id}, " if given.lease_id is not None else ""
    number = f"number {given.number}, " if given.number is not None else ""
    due = f"due {given.due_date}" if given.due_date else "no due date"
    total = f", {figure(given.total.amount)} {given.total.currency}" if given.total else ""
    return f"{lease}{number}{due}{total}"


def compared_cases(pairs: Iterable[BillPair]) -> list[Case]:
    """Return bills that were compared as cases; every cause of differences is an error."""
    return [Case(_name_of(pair), tuple(_causes(pair.group))) for pair in pairs]


def _name_of(pair: BillPair) -> str:
    number = f"number {pair.number}, " if pair.number is not None else ""
    return f"{number}due {next(bill for bill in pair.bills if bill).due_date}"


def _causes(group: DifferenceGroup | None) -> Iterator[tuple[str, str, str]]:
    """Give the causes of a group, the last one with what follows from them."""
    if group is None:
        return
    *first, last = group.causes
    after = f"; {following_words(group).strip()}" if group.consequences else ""
    for each in first:
        yield "error", each.code, difference_words(each)
    yield "error", last.code, f"{difference_words(last)}{after}"


def github_text(cases: Sequence[Case], file: str) -> str:
    """Return a workflow command for each finding, and a line that counts bills."""
    place = f"file={_property(file)}," if file != "-" else ""
    lines = [
        f"::{level} {place}title={_property(f'{case.name}: {rule}')}::{_data(sentence)}"
        for case in cases
        for level, rule, sentence in case.found
    ]
    wrong = sum(not case.is_right for case in cases)
    counts = f"{counted(len(cases), 'bill')}: {len(cases) - wrong} right, {wrong} wrong"
    return "\n".join([*lines, counts, ""])


def _data(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def junit_text(cases: Sequence[Case], file: str) -> str:
    """Return a test case for each bill, which fails where it has errors."""
    wrong = sum(not case.is_right for case in cases)
    counts = f'name="rentbilling verify" tests="{len(cases)}" failures="{wrong}" errors="0"'
    lines = [line for case in cases for line in _case_lines(case, file)]
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {counts}>",
        f"<testsuite {counts}>",
    ]
    return "\n".join([*head, *lines, "</testsuite>", "</testsuites>", ""])


def _case_lines(case: Case, file: str) -> Iterable[str]:
    opening = f'<testcase classname="{_xml(file)}" name="{_xml(case.name)}"'
    if not case.found:
        return [f"{opening}/>"]
    errors = [(rule, said) for level, rule, said in case.found if level == "error"]
    others = [f"{level}: {rule}: {said}" for level, rule, said in case.found if level != "error"]
    lines = [f"{opening}>"]
    if errors:
        (rule, said), text = errors[0], "\n".join(f"{rule}: {said}" for rule, said in errors)
        message = said if len(errors) == 1 else f"{said} (and {len(errors) - 1} more)"
        lines.append(
            f'<failure type="{_xml(rule)}" message="{_xml(message)}">{_xml(text)}</failure>'
        )
    if others:
        lines.append(f"<system-out>{_xml(chr(10).join(others))}</system-out>")
    return [*lines, "</testcase>"]


def _xml(text: str) -> str:
    """Return a text for XML, which has no control characters but line breaks."""
    plain = "\n".join(map(printable, text.split("\n")))
    return escape(plain.encode("utf-8", "backslashreplace").decode())
