"""The judge of worked examples of rent adjustments (`index/` of the outside cases).

Each field that an example states (indices, limits, share, rounding, `extra`) becomes a field of an
index clause, a rule or the policy; the library makes the adjustment, and every printed figure is
compared with it. An example whose `checks` is false contradicts itself: ours must differ.
Law: nothing depends on the id, the country or the prose of an example.
"""

from types import MappingProxyType
from typing import Any, Final

from tests.outside.board import (
    PASSED,
    Case,
    Head,
    UnsaidError as UnsaidError,
    Verdict,
    failed,
    not_expressible,
)
from tests.outside.index import figures, steps
from tests.outside.index.stated import Stated

FIELDS = frozenset({"base_amount", "from_index", "to_index"})
"""The fields of the shape."""


def judge(case: Case, _head: Head) -> Verdict:
    stated = Stated(case)
    asked = steps.figures_of(stated) if steps.is_stepped(stated) else figures.figures_of(stated)
    verdict = next((each for each in list(asked) if each.outcome != "passed"), PASSED)
    if case.get("checks") is False:
        if verdict == PASSED:
            return failed("ours is the figure that contradicts its own inputs")
        return not_expressible(f"contradicts itself: {verdict.reason}")
    if verdict != PASSED and stated.unread:
        return failed(f"{verdict.reason} (not read: {', '.join(stated.unread)})")
    return verdict


_FIELDS: Final = (
    "base_amount from_index to_index share_of_index min_pct max_pct expected_new_amount "
    "expected_change expected_percentage"
)
EXAMPLE: Final = MappingProxyType(dict.fromkeys(_FIELDS.split()))
"""An example that states nothing."""


def example(**fields: Any) -> Verdict:  # noqa: ANN401
    """Return the verdict on a change of an index that another system states by these fields."""
    return judge({**EXAMPLE, **fields}, {})
