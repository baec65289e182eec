"""The judge of worked examples of rent adjustments (`index/` of the outside cases).

Each field that an example states (indices, limits, share, rounding, `extra`) becomes a field of an
index clause, a rule or the policy; the library makes the adjustment, and every printed figure is
held against it. An example whose `checks` is false contradicts itself: ours must differ.
Law: nothing depends on the id, the country or the prose of an example.
What does not live here: rent adjustments of other systems (`peers/`).
"""

from collections.abc import Iterator

from tests.outside.board import PASSED, Case, Head, Verdict, failed, not_expressible
from tests.outside.index import figures, steps
from tests.outside.index.answers import NotAskedError
from tests.outside.index.stated import Stated, UnknownConventionError

FIELDS = frozenset({"base_amount", "from_index", "to_index"})
"""What tells the shape."""


def judge(case: Case, head: Head) -> Verdict:
    del head
    stated = Stated(case)
    try:
        verdicts = list(_verdicts(stated))
    except UnknownConventionError as error:
        return not_expressible(str(error.args[0]))
    except NotAskedError as error:
        return failed(str(error.args[0]))
    verdict = next((each for each in verdicts if each.outcome != "passed"), PASSED)
    if case.get("checks") is False:
        if verdict == PASSED:
            return failed("ours is the figure that contradicts its own inputs")
        return not_expressible(f"contradicts itself: {verdict.reason}")
    if verdict != PASSED and stated.unread:
        return failed(f"{verdict.reason} (not read: {', '.join(stated.unread)})")
    return verdict


def _verdicts(stated: Stated) -> Iterator[Verdict]:
    if steps.is_stepped(stated):
        yield from steps.figures_of(stated)
    else:
        yield from figures.figures_of(stated)
