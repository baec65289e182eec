"""Reading a folder of outside cases, and the scoreboard of all that is in it.

A file is a list of cases, or an object whose `cases` are a list, or a table of `codes`. Its
fields say to which judge a case goes: with `kind`, `input` and `expected` to that of another
system, else to that of its shape. Nothing depends on the name of a file or the id of a case.
Invoices and rules of validators are judged twice: by what we compute, and by what our checks find.
A case without a judge is not expressible, with its kind as the reason; an index series is no
case. A judge that breaks, or an input that the library refuses, is a failure; only a number of more
than 15 digits is not expressible (A1).
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rentbilling import RentBillingError
from rentbilling.errors import InvalidAmountError
from tests.outside import checks, index, peers, settlement, vat
from tests.outside.board import (
    Case,
    Head,
    Judge,
    MismatchError,
    Outcome,
    UnsaidError,
    Verdict,
    failed,
    not_expressible,
)

_PEER_FIELDS: Final = frozenset({"kind", "input", "expected"})
_SERIES_FIELDS: Final = frozenset({"frequency", "values"})
_SHOWN: Final = 3
"""Reasons that the table of a report names."""
FIGURES: Final = Path(__file__).parent / "figures"
"""The cases of this clone."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One case and what became of it."""

    case: Case
    verdict: Verdict

    @property
    def name(self) -> str:
        return str(self.case.get("id", ""))


@dataclass(frozen=True, slots=True)
class Score:
    """What became of the cases of one file."""

    file: str
    judged: tuple[Judged, ...]

    def of(self, outcome: Outcome) -> tuple[Judged, ...]:
        return tuple(one for one in self.judged if one.verdict.outcome == outcome)

    def to_data(self) -> dict[str, Any]:
        """Return the figures, and each case that did not pass with its reason."""
        data: dict[str, Any] = {"passed": len(self.of("passed"))}
        for outcome in _UNPASSED:
            data[outcome] = [
                {"id": one.name, "reason": one.verdict.reason} for one in self.of(outcome)
            ]
        return data


_UNPASSED: Final[tuple[Outcome, ...]] = ("failed", "not_expressible")


def scores(folder: Path) -> Iterator[Score]:
    for name, cases in _files(folder):
        judged = tuple(Judged(case, judge(case, head)) for case, head in cases)
        if judged:
            yield Score(name, judged)


def check_scores(folder: Path) -> Iterator[Score]:
    """Yield what our checks find in every file with documents or rules for them."""
    for name, cases in _files(folder):
        asked = [(case, head, checks.judge_of(case)) for case, head in cases]
        judged = tuple(
            Judged(case, _verdict(found, case, head)) for case, head, found in asked if found
        )
        if judged:
            yield Score(f"checks: {name}", judged)


def _files(folder: Path) -> Iterator[tuple[str, list[tuple[Case, Head]]]]:
    """Yield every file of a folder by its path in it, with its cases."""
    for path in sorted(folder.rglob("*.json")):
        yield path.relative_to(folder).as_posix(), list(_cases(json.loads(path.read_bytes())))


def _cases(content: Any) -> Iterator[tuple[Case, Head]]:  # noqa: ANN401
    head: Head = {}
    if isinstance(content, dict):
        head = {name: value for name, value in content.items() if name not in {"cases", "codes"}}
        codes = content.get("codes", {})
        content = content.get("cases") or [{"id": code, **codes[code]} for code in codes]
    for case in content:
        if not case.keys() >= _SERIES_FIELDS:
            yield case, head


def judge(case: Case, head: Head) -> Verdict:
    found = _judge_of(case)
    if found is None:
        return not_expressible(str(case.get("kind", "unknown shape")))
    return _verdict(found, case, head)


def _verdict(found: Judge, case: Case, head: Head) -> Verdict:
    try:
        return found(case, head)
    except UnsaidError as error:
        return not_expressible(str(error.args[0]))
    except MismatchError as error:
        return failed(str(error))
    except RentBillingError as error:
        return _refused(error)
    except Exception as error:  # noqa: BLE001  (a file from outside may say anything)
        return failed(f"broke: {type(error).__name__}: {error}")


def _refused(error: RentBillingError) -> Verdict:
    problems = error.problems if isinstance(error, InvalidAmountError) else ()
    if problems and all(problem.code == "too_many_digits" for problem in problems):
        return not_expressible("a number of more than 15 digits")
    return failed(f"refused: {error}")


def _judge_of(case: Case) -> Judge | None:
    if case.keys() >= settlement.FIELDS:
        return settlement.judge
    if case.keys() >= _PEER_FIELDS:
        return peers.judge
    if case.keys() >= index.FIELDS:
        return index.judge
    return vat.judge_of(case)


def as_data(found: Iterable[Score]) -> dict[str, Any]:
    return {"files": {score.file: score.to_data() for score in found}}


def as_text(found: Iterable[Score], whole: str = "all files") -> Iterator[str]:
    """Yield the scoreboard line by line: each file, and below it whatever did not pass."""
    total: Counter[Outcome] = Counter()
    for score in found:
        total.update(one.verdict.outcome for one in score.judged)
        yield f"{score.file}: {_counts(Counter(one.verdict.outcome for one in score.judged))}"
        for outcome in _UNPASSED:
            word = outcome.replace("_", " ")
            for one in score.of(outcome):
                yield f"    {word}: {one.name}: {one.verdict.reason}"
    yield f"{whole}: {_counts(total)}"


def _counts(outcomes: Mapping[Outcome, int]) -> str:
    return (
        f"{outcomes.get('passed', 0)} passed, {outcomes.get('failed', 0)} failed, "
        f"{outcomes.get('not_expressible', 0)} not expressible"
    )


def as_markdown(found: Iterable[Score], checked: Iterable[Score] = ()) -> Iterator[str]:
    yield "| File | Passed | Failed | Not expressible | Mainly because of |"
    yield "|---|---:|---:|---:|---|"
    failures: list[str] = []
    for whole, scored in (("**all**", list(found)), ("**all checks**", list(checked))):
        sums = [0, 0, 0]
        for score in scored:
            counts = [len(score.of(outcome)) for outcome in ("passed", *_UNPASSED)]
            sums = [total + count for total, count in zip(sums, counts, strict=True)]
            yield _row(score.file, counts, _main_reasons(score))
            failed_ones = score.of("failed")
            failures += [f"- `{one.name}` failed: {one.verdict.reason}." for one in failed_ones]
        if scored or whole == "**all**":
            yield _row(whole, sums, "")
    if failures:
        yield from ("", *failures)


def _row(name: str, counts: Iterable[int], reasons: str) -> str:
    return f"| {name} | {' | '.join(str(count) for count in counts)} | {reasons} |"


def _main_reasons(score: Score) -> str:
    """Return how cases of a file passed where that is said, and why most are not expressible."""
    passed, unsaid = (
        Counter(
            one.verdict.reason.split(":")[0].replace("|", "/")
            for one in score.of(outcome)
            if one.verdict.reason
        )
        for outcome in ("passed", "not_expressible")
    )
    shown = [*passed.most_common(), *unsaid.most_common(_SHOWN)]
    return ", ".join(f"{head} ({count})" for head, count in shown)
