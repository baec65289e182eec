"""Many who write and read at once lose nothing, and see whole changes in order."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Thread

from rentbilling.interface import Lease, Tenancy
from rentbilling.service import Stored, Stores
from tests.adapters.stores.kept_objects import fill, ids, lease

THREADS = 50
CHANGES = 2


def create(stores: Stores, owner: str, name: str) -> None:
    with stores.writing(owner) as store:
        store.add(Stored(Tenancy(id="any"), f"tenancy-{name}"))
        store.add(lease(f"lease-{name}", f"tenancy-{name}"))


class Follower:
    """Reads new leases all the time, page by page, always after the last one that it saw."""

    def __init__(self, stores: Stores, owner: str) -> None:
        self.seen: list[str] = []
        self.halves: list[str] = []
        self._stores, self._owner, self._ended = stores, owner, Event()
        self._thread = Thread(target=self._follow)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join(60)

    def _follow(self) -> None:
        while True:
            is_last = self._ended.is_set()
            while self._read():
                pass
            if is_last:
                return

    def _read(self) -> bool:
        with self._stores.reading(self._owner) as store:
            page = store.page(Lease, limit=5, after=self.seen[-1] if self.seen else None)
            self.halves += [
                each.id
                for each in page
                if each.belongs_to is None or store.find(Tenancy, each.belongs_to) is None
            ]
        self.seen += ids(page)
        return bool(page)


def test_fifty_threads_lose_nothing_and_no_page_skips_what_a_slower_one_keeps(
    stores: Stores,
) -> None:
    """100 changes of one owner: all are there, and who follows sees each once, none half."""
    wait = Barrier(THREADS)

    def work(which: int) -> None:
        wait.wait(60)
        for at in range(CHANGES):
            create(stores, "acme", f"{which}-{at}")

    follower = Follower(stores, "acme")
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            assert [None] * THREADS == list(pool.map(work, range(THREADS)))
    finally:
        follower.end()
    with stores.reading("acme") as store:
        leases = store.page(Lease, limit=1_000)
        tenancies = store.page(Tenancy, limit=1_000)

    expected = {f"lease-{which}-{at}" for which in range(THREADS) for at in range(CHANGES)}
    assert expected == set(ids(leases))
    assert len(expected) == len(leases)
    # A tenancy and its lease are kept together: their orders agree.
    assert [each.belongs_to for each in leases] == ids(tenancies)
    assert ids(leases) == follower.seen
    assert [] == follower.halves
    for which in range(THREADS):
        own = [name for name in ids(leases) if name.startswith(f"lease-{which}-")]
        assert [f"lease-{which}-{at}" for at in range(CHANGES)] == own


def test_a_count_that_all_raise_at_once_loses_no_step(stores: Stores) -> None:
    """100 times a number is read and the next one kept: nobody overwrites what he did not see."""
    with stores.writing("acme") as store:
        store.add(lease("lease-1", purpose="0"))

    def raise_it(_: int) -> None:
        with stores.writing("acme") as store:
            found = store.find(Lease, "lease-1")
            assert found is not None
            store.replace(lease("lease-1", purpose=str(int(found.record.purpose or 0) + 1)))

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(raise_it, range(100)))
    with stores.reading("acme") as store:
        assert lease("lease-1", purpose="100") == store.find(Lease, "lease-1")


def test_new_owners_who_come_at_once_each_have_what_is_theirs(stores: Stores) -> None:
    wait = Barrier(4)

    def work(which: int) -> None:
        for at in range(20):
            wait.wait(60)
            with stores.writing(f"owner-{at}") as store:
                fill(store, f"lease-{which}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))

    for at in range(20):
        with stores.reading(f"owner-{at}") as store:
            assert {f"lease-{which}" for which in range(4)} == set(ids(store.page(Lease, limit=9)))
