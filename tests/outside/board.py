"""What became of each outside case: passed, failed, or not expressible, with the reason.

Law: a judge sees one case and the head of its file (peer, conventions), never a list of ids.
What does not live here: the judges themselves (`vat/`, `peers/`, `index/`, `checks/`) and the
reading of folders (`folders`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Outcome = Literal["passed", "failed", "not_expressible"]

Case = Mapping[str, Any]
"""One case as its file states it."""

Head = Mapping[str, Any]
"""The file around the case, without its cases: peer, conventions, corpus."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one case."""

    outcome: Outcome
    reason: str = ""


PASSED = Verdict("passed")


def passed(reason: str) -> Verdict:
    """Return the verdict of a case that passed in a way worth telling."""
    return Verdict("passed", reason)


def failed(reason: str) -> Verdict:
    return Verdict("failed", reason)


def not_expressible(reason: str) -> Verdict:
    """Return the verdict of a case that asks for what the model cannot say."""
    return Verdict("not_expressible", reason)


def held_against(expected: object, actual: object, *, what: str = "figure") -> Verdict:
    """Return passed when both are equal, and otherwise a failure that names both."""
    if expected == actual:
        return PASSED
    return failed(f"{what}: expected {expected}, got {actual}")


Judge = Callable[[Case, Head], Verdict]
