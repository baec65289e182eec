"""Findings: what is wrong with a bill, or worth knowing, each with the rule that says so.

Law: a finding names the figure met, the figure that the rule asks for, and where the rule stands.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from rentbilling.tables.sequence import ResultSequence, beginning, counted

Severity = Literal["error", "warning", "information"]


class Finding(NamedTuple):
    """One thing that a check found on a bill.

    Examples:
        >>> print(Finding("total", "error", "total", "is not net + VAT", "10", "12.50", "BR-CO-15"))
        error: total is not net + VAT (met 10; expected 12.50) [BR-CO-15]
    """

    code: str
    """What it is, as a stable word; the limits page lists all of them."""
    severity: Severity
    """`error`: the bill contradicts itself. `warning`: it follows another convention than the
    policy, or looks odd. `information`: right, but a reader may stumble over it."""
    path: str
    """The field, in the interface's spelling: `pendingBillLineItems[0].netPrice`."""
    message: str
    """What is the matter, as the rest of a sentence that begins with the field."""
    met: str
    """The figure on the bill."""
    expected: str
    """The figure that follows from the others."""
    rule: str
    """Where the rule stands: a term or rule of EN 16931, or an assumption."""

    def __str__(self) -> str:
        """Return all of it in one line."""
        figures = f"(met {self.met}; expected {self.expected})"
        return f"{self.severity}: {self.path} {self.message} {figures} [{self.rule}]"


class CheckResult(ResultSequence[Finding]):
    """What a check found on a bill: nothing, where the bill is consistent in itself.

    Examples:
        >>> CheckResult(()).is_consistent
        True
    """

    __slots__ = ("_findings",)

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        """Keep the findings.

        Args:
            findings: In the order of the bill's fields.
        """
        self._findings = tuple(findings)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the bill's fields."""
        return self._findings

    @property
    def parts(self) -> tuple[Finding, ...]:
        """The findings, as what the answer consists of."""
        return self._findings

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Those by which the bill contradicts itself."""
        return tuple(each for each in self._findings if each.severity == "error")

    @property
    def is_consistent(self) -> bool:
        """Whether there is no error; there may be warnings and information."""
        return not self.errors

    def __str__(self) -> str:
        """Return one finding a line."""
        return "\n".join(map(str, self._findings)) or "no findings"

    def __repr__(self) -> str:
        """Return what a reader looks for first: how many there are, and the first of them."""
        counts = f"{counted(len(self.errors), 'error')}, {counted(len(self), 'finding')}"
        return beginning(f"CheckResult {counts}", self.findings)
