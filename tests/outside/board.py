"""What became of each outside case: passed, failed, or not expressible, with the reason.

Law: a judge sees one case and the head of its file (peer, conventions), never a list of ids.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

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


class UnsaidError(LookupError):
    """A case asks for what the model cannot say."""


class MismatchError(ValueError):
    """Our answer is another one than what is expected."""


Figure = tuple[str, object, object]
"""A name, what is printed, and ours."""
_NAMED: Final = 3
"""Figures that a reason names."""


def compared(found: Iterable[Figure]) -> Verdict:
    """Return passed when ours is what is printed, and otherwise a failure that names both."""
    wrong = [
        f"{name}: expected {printed}, got {ours}"
        for name, printed, ours in found
        if printed != ours
    ]
    return failed("; ".join(wrong[:_NAMED])) if wrong else PASSED


def held_against(expected: object, actual: object, *, what: str) -> Verdict:
    return compared([(what, expected, actual)])


Judge = Callable[[Case, Head], Verdict]
