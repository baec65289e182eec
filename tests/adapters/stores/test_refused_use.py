"""What the stores of the package refuse, and an embedder's own need not."""

from typing import TYPE_CHECKING, Any

import pytest

from rentbilling import BillingCycle
from rentbilling.adapters.stores import MemoryStores, SqlStores
from rentbilling.errors import InvalidRecordError
from rentbilling.interface import Lease
from rentbilling.service import KeptAnswer, ServedStore, Stored, Stores
from tests.adapters.stores.kept_objects import MOMENT, OWNER, every_id, fill, keep, lease

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("limit", [1, 2])
def test_another_kind_is_refused(stores: Stores, limit: int) -> None:
    other: Any = BillingCycle(period_length=limit)
    with stores.writing(OWNER) as store:
        for asked in (
            lambda: store.add(Stored(other, "x")),
            lambda: store.replace(Stored(other, "x")),
            lambda: store.remove(BillingCycle, "x"),
            lambda: store.find(BillingCycle, "x"),
            lambda: store.page(BillingCycle, limit=limit),
            lambda: store.belonging(BillingCycle, ["x"]),
            lambda: store.several(BillingCycle, ["x"]),
        ):
            with pytest.raises(TypeError, match="a store keeps Tenancy, Lease"):
                asked()


@pytest.mark.parametrize("name", ["", "x" * 1_001, "🏠" * 251])
def test_an_id_that_no_index_holds_is_refused(stores: Stores, name: str) -> None:
    """An empty one, and more than 1,000 bytes, of which 🏠 takes four."""
    with stores.writing(OWNER) as store:
        with pytest.raises(InvalidRecordError, match="too long to be kept"):
            store.add(lease(name))
        with pytest.raises(InvalidRecordError, match="too long to be kept"):
            store.add(lease("lease-1", name))
        fill(store, "lease-2")

    with stores.reading(OWNER) as store:
        assert ["lease-2"] == every_id(store)


def test_what_was_opened_for_reading_writes_nothing(stores: Stores) -> None:
    keep(stores, "lease-1")
    with stores.reading(OWNER) as store:
        with pytest.raises(TypeError, match="was opened for reading"):
            store.add(lease("lease-2"))
        with pytest.raises(TypeError, match="was opened for reading"):
            store.replace(lease("lease-1", purpose="a"))
        with pytest.raises(TypeError, match="was opened for reading"):
            store.remove(Lease, "lease-1")
        with pytest.raises(TypeError, match="was opened for reading"):
            store.keep_answer("key", KeptAnswer("d", 201, "", MOMENT), since=MOMENT)

    with stores.reading(OWNER) as store:
        assert [lease("lease-1")] == store.page(Lease, limit=9)


@pytest.mark.parametrize("writes", [True, False])
def test_a_store_is_of_no_use_after_its_transaction(
    stores: MemoryStores | SqlStores, *, writes: bool
) -> None:
    keep(stores, "lease-1")
    kept: list[ServedStore] = []
    with (stores.writing if writes else stores.reading)(OWNER) as store:
        kept.append(store)
    (late,) = kept
    uses: list[Callable[[], object]] = [
        lambda: late.find(Lease, "lease-1"),
        lambda: late.page(Lease, limit=1),
        lambda: late.kept_answer("key"),
        lambda: late.belonging(Lease, ["x"]),
        lambda: late.several(Lease, ["x"]),
    ]
    if writes:
        uses += [
            lambda: late.add(lease("lease-2")),
            lambda: late.replace(lease("lease-1")),
            lambda: late.remove(Lease, "lease-1"),
        ]
    for asked in uses:
        with pytest.raises(RuntimeError, match="transaction of this store has ended"):
            asked()


def test_a_change_within_a_change_is_refused_at_once(stores: Stores) -> None:
    def change() -> None:
        with stores.writing(OWNER) as one:
            fill(one, "lease-1")
            keep(stores, "lease-2")

    with pytest.raises(RuntimeError, match="cannot hold another"):
        change()

    keep(stores, "lease-3")
    with stores.reading(OWNER) as store:
        assert ["lease-3"] == every_id(store)
