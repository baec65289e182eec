"""The judge of our checks: what they find on outside documents, and what they leave in peace.

A document that is right must have no error; one that contradicts itself must have one. A rule of a
validator must be found broken where its fragment says so, under its own name.
"""

from tests.outside.board import Case, Judge
from tests.outside.checks import documents, rules

_SHAPES: tuple[tuple[frozenset[str], Judge], ...] = (
    (frozenset({"vat_breakdown", "lines", "totals", "check"}), documents.judge),
    (frozenset({"rule", "facts", "expect"}), rules.judge),
)


def judge_of(case: Case) -> Judge | None:
    return next((judge for fields, judge in _SHAPES if fields <= case.keys()), None)
