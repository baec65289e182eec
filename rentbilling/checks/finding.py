"""Findings: errors and remarks about a bill, each with its rule.

Law: a finding names the actual figure, the expected figure, and the source of the rule.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Final, Literal, NamedTuple, NoReturn

from rentbilling.tables import Column, ResultSequence, Row, Tabular, beginning, columns, counted
from rentbilling.values import plain_data

Severity = Literal["error", "warning", "information"]


_NOTHING: Final = "no contradiction; proration and due dates need the lease (compare_bills)"


class Finding(NamedTuple):
    """One error or remark about a bill.

    Examples:
        >>> print(Finding("total", "error", "total", "is not net + VAT", "10", "12.50", "BR-CO-15"))
        error: total is not net + VAT (met 10; expected 12.50) [BR-CO-15]
    """

    code: str
    """A stable code; the limits page lists all of them."""
    severity: Severity
    """`error`: the bill contradicts itself. `warning`: it follows another convention than the
    policy, or looks unusual. `information`: right, but it may surprise a reader."""
    path: str
    """The field, in the interface's spelling: `pendingBillLineItems[0].netPrice`."""
    message: str
    """The error, as the rest of a sentence that begins with the field."""
    met: str
    """The figure on the bill."""
    expected: str
    """The figure that follows from the others."""
    rule: str
    """The source of the rule: a term or rule of EN 16931, or an assumption."""

    def __str__(self) -> str:
        figures = f"(met {self.met}; expected {self.expected})"
        return f"{self.severity}: {self.path} {self.message} {figures} [{self.rule}]"


_COLUMNS: Final = columns(text=" ".join(Finding._fields))


class WithoutTruth:
    """A result whose truth value would be read the wrong way: one with findings would be true."""

    __slots__ = ()
    asked: ClassVar[str]
    """What to write in its place."""

    def __bool__(self) -> NoReturn:
        """Refuse.

        Raises:
            TypeError: Always.
        """
        raise TypeError(f"a {type(self).__name__} has no truth value: write {self.asked}")


class CheckResult(WithoutTruth, ResultSequence[Finding], Tabular):
    """The findings of a check; empty if the bill is consistent in itself.

    Examples:
        >>> CheckResult(()).is_consistent
        True
    """

    __slots__ = ("_findings",)
    asked = "check.is_consistent"

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        """Store the findings.

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
        return self._findings

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings with the severity `error`."""
        return tuple(each for each in self._findings if each.severity == "error")

    @property
    def is_consistent(self) -> bool:
        """Whether there is no error; there may be warnings and information."""
        return not self.errors

    @property
    def columns(self) -> Sequence[Column]:
        return _COLUMNS

    def rows(self) -> list[Row]:
        return [each._asdict() for each in self._findings]

    @property
    def remarks(self) -> Sequence[str]:
        """A limit of the check."""
        return () if self._findings else (_NOTHING,)

    def _to_wire(self) -> Any:  # noqa: ANN401
        return plain_data({"findings": self._findings})

    def __str__(self) -> str:
        """Return one finding a line; one that several bills have, once."""
        return "\n".join(self._lines()) or _NOTHING

    def _lines(self) -> Iterator[str]:
        alike: dict[Finding, list[str]] = {}
        for each in self._findings:
            bill, inside, path = each.path.partition("].")
            is_of_several = inside and bill.startswith("bills[")
            alike.setdefault(each._replace(path=path if is_of_several else each.path), []).append(
                each.path
            )
        for each, (first, *more) in alike.items():
            yield str(each._replace(path=first))
            if more:
                last = more[-1].partition(".")[0]
                yield f"  the same in {counted(len(more), 'more bill')}, up to {last}"

    def __repr__(self) -> str:
        """Return the number of findings, and the first of them."""
        counts = f"{counted(len(self.errors), 'error')}, {counted(len(self), 'finding')}"
        return beginning(f"CheckResult {counts}", self.findings)
