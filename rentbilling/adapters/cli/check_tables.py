"""Checked bills as a list for people: a line for each bill, and below it what was found.

Laws: every finding is told with the figure met, the one expected, the rule and the field; bills on
which nothing was found are only counted; a text that does not fit is wrapped.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, get_args

from rich.text import Text

from rentbilling.adapters.cli.finding_words import field_words, value_words, with_lines_in_words
from rentbilling.adapters.cli.layout import FAINT, GAP, STRONG, Layout, padded, widest
from rentbilling.adapters.cli.streams import printable
from rentbilling.adapters.cli.words import counted, figure
from rentbilling.checks.finding import CheckResult, Finding, Severity

if TYPE_CHECKING:
    from rentbilling.adapters.cli.bill_files import GivenBill

CheckedBill = tuple["GivenBill", CheckResult]
"""A bill, and what was found on it."""

_STYLES: Final = MappingProxyType({"error": "bold red", "warning": "yellow", "information": FAINT})


def check_table(checked: Sequence[CheckedBill]) -> str:
    """Return checked bills as a text for the terminal that stdout is."""
    layout = Layout()
    return layout.printed(_Table(checked, layout).parts())


class _Table:
    """Lays out all bills in the same columns."""

    def __init__(self, checked: Sequence[CheckedBill], layout: Layout) -> None:
        self._all = checked
        self._checked = [each for each in checked if each[1] or len(checked) == 1]
        self._layout = layout
        self._heads = [(_due(given), _total(given)) for given, _ in self._checked]
        self._leases = widest(_lease(given) for given, _ in self._checked)
        self._days = widest(day for day, _ in self._heads)
        self._totals = widest(total for _, total in self._heads)
        found = {finding.severity for _, result in checked for finding in result}
        self._severities = widest(found)

    def parts(self) -> Iterator[Text]:
        """Give what is printed, bill by bill, and what all of them come to."""
        for (day, total), (given, result) in zip(self._heads, self._checked, strict=True):
            of_lease = (padded(_lease(given), self._leases, right=False),)
            cells = (
                *(of_lease if self._leases else ()),
                padded(day, self._days, right=False),
                padded(total, self._totals, right=True),
                _verdict(result),
            )
            yield Text((" " * GAP).join(cells) + "\n", style=STRONG if result.errors else "")
            for finding in result:
                yield self._finding(finding, given)
        if len(self._all) > 1:
            wrong = sum(not result.is_consistent for _, result in self._all)
            right = len(self._all) - wrong
            counts = f"{right} consistent, {wrong} with errors" if wrong else "all consistent"
            yield Text(f"{counted(len(self._all), 'bill')}: {counts}\n", style=STRONG)

    def _finding(self, finding: Finding, given: "GivenBill") -> Text:
        """Return a finding: its severity, what is the matter, then the rule and the field."""
        field = field_words(finding.path, given.bill, self._layout.dash)
        said = with_lines_in_words(finding.message)
        met, right = (
            value_words(each, self._layout.dash) for each in (finding.met, finding.expected)
        )
        sentence = f"{field} {said}: met {met}, expected {right}"
        where = f"{finding.rule}; {finding.path}"
        indent = GAP + self._severities + GAP
        room = max(self._layout.width - indent, 2 * GAP)
        part = Text(" " * GAP)
        part.append(
            padded(finding.severity, self._severities, right=False),
            style=_STYLES[finding.severity],
        )
        first, *more = self._layout.wrapped(printable(sentence), room)
        part.append(f"{' ' * GAP}{first}\n")
        for line in more:
            part.append(f"{' ' * indent}{line}\n")
        for line in self._layout.wrapped(printable(where), room):
            part.append(f"{' ' * indent}{line}\n", style=FAINT)
        return part


def _lease(given: "GivenBill") -> str:
    """Return the lease of a bill, nothing where the file does not name it."""
    return "" if given.lease_id is None else printable(given.lease_id)


def _due(given: "GivenBill") -> str:
    """Return when a bill falls due, as far as that can be read."""
    return given.due_date.isoformat() if given.due_date else "no due date"


def _total(given: "GivenBill") -> str:
    """Return what a bill comes to, as far as that can be read."""
    if given.total is None:
        return "no total"
    return f"{figure(given.total.amount)} {printable(given.total.currency)}"


def _verdict(result: CheckResult) -> str:
    found = Counter(each.severity for each in result)
    told = [_number(found[each], each) for each in get_args(Severity) if found[each]]
    return ", ".join(told if result.errors else ["consistent", *told])


def _number(count: int, severity: Severity) -> str:
    return f"{count} {severity}" if severity == "information" else counted(count, severity)
