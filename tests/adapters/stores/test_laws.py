"""Whatever is done in whatever order, every store does what a plain list would do."""

from contextlib import suppress
from itertools import count
from typing import NamedTuple

from hypothesis import HealthCheck, given, settings, strategies as st

from rentbilling.adapters.stores import MemoryStores, SqlStores
from rentbilling.errors import RentBillingError
from rentbilling.interface import Lease
from rentbilling.service import Store, Stored
from tests.adapters.stores.kept_objects import ids, lease

NAMES = ("a", "b", "c", "d", "\0", "e\\0")
ABOVE = ("1", "2", None)
NUMBERS = count(1)
# Each is tried over four sorts of stores; what they share is tried often enough by twenty.
EXAMPLES = min(40, settings().max_examples * 2 // 5)


class Step(NamedTuple):
    """Something that is done to a store."""

    verb: str
    name: str
    above: str | None
    text: str


class Line:
    """A plain list of what was ever added, with None for what was removed."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, Stored[Lease] | None]] = []

    def did(self, step: Step) -> str:
        names = [name for name, _ in self.kept]
        there = dict(self.kept).get(step.name)
        if step.verb == "add" and step.name not in names:
            self.kept.append((step.name, lease(step.name, step.above, purpose=step.text)))
            return "done"
        if step.verb == "add":
            return "duplicate_id"
        if there is None:
            return "unknown_id"
        changed = None
        if step.verb == "replace":
            changed = lease(step.name, step.above, purpose=step.text)
        self.kept[names.index(step.name)] = (step.name, changed)
        return "done"

    def page(self, limit: int, after: str | None, above: str | None) -> list[str] | str:
        names = [name for name, _ in self.kept]
        if after is not None and after not in names:
            return "unknown_cursor"
        rest = self.kept if after is None else self.kept[names.index(after) + 1 :]
        return [name for name, each in rest if each and above in (None, each.belongs_to)][:limit]


def did(store: Store, step: Step) -> str:
    kept = lease(step.name, step.above, purpose=step.text)
    try:
        match step.verb:
            case "add":
                store.add(kept)
            case "replace":
                store.replace(kept)
            case _:
                store.remove(Lease, step.name)
    except RentBillingError as error:
        return error.code
    return "done"


def page(store: Store, limit: int, after: str | None, above: str | None) -> list[str] | str:
    try:
        return ids(store.page(Lease, limit=limit, after=after, belongs_to=above))
    except RentBillingError as error:
        return error.code


STEPS = st.builds(
    Step,
    st.sampled_from(("add", "add", "replace", "remove")),
    st.sampled_from(NAMES),
    st.sampled_from(ABOVE),
    st.sampled_from(("x", "y")),
)
CHANGES = st.lists(st.tuples(st.lists(STEPS, max_size=6), st.booleans()), max_size=6)


@given(changes=CHANGES, limit=st.integers(0, 4), after=st.sampled_from((None, *NAMES)))
@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_store_does_what_a_plain_list_does(
    stores: MemoryStores | SqlStores,
    changes: list[tuple[list[Step], bool]],
    limit: int,
    after: str | None,
) -> None:
    owner, expected = f"owner-{next(NUMBERS)}", Line()
    for steps, fails in changes:
        before = list(expected.kept)
        with suppress(LookupError), stores.writing(owner) as store:
            for step in steps:
                assert expected.did(step) == did(store, step)
            if fails:
                expected.kept = before
                raise LookupError

    with stores.reading(owner) as store:
        for above in ABOVE:
            assert expected.page(limit, after, above) == page(store, limit, after, above)
        for name in NAMES:
            assert dict(expected.kept).get(name) == store.find(Lease, name)
        there = {name: kept for name, kept in expected.kept if kept}
        assert there == store.several(Lease, NAMES)
        found = store.belonging(Lease, ["1", "2"])
    assert {above: expected.page(9, None, above) for above in ("1", "2")} == {
        above: ids(kept) for above, kept in found.items()
    }
