"""What every store does: in memory, in SQLite, in PostgreSQL, and in whatever an embedder has."""

from datetime import timedelta, timezone
from decimal import Decimal
from threading import Event, Thread
from typing import Any

import pytest

from rentbilling import Amount, dumps
from rentbilling.errors import ConflictError, NotFoundError
from rentbilling.interface import Lease, Payout, Product, Tenancy
from rentbilling.service import KINDS, KeptAnswer, Stored, Stores
from rentbilling.terms import OneTimeBillItem
from rentbilling.values import Period
from tests.adapters.stores.kept_objects import (
    FULL,
    MOMENT,
    ODD_IDS,
    ODD_TEXTS,
    OWNER,
    every_id,
    fill,
    full_tenancy,
    ids,
    keep,
    lease,
)
from tests.support.rents import fee


class TestRecords:
    """What is read is what was kept."""

    def test_the_samples_are_of_every_kind(self) -> None:
        assert KINDS == tuple(type(each.record) for each in FULL)

    @pytest.mark.parametrize("kept", FULL, ids=lambda kept: type(kept.record).__name__)
    def test_an_object_is_read_as_it_was_kept(self, stores: Stores, kept: Stored[Any]) -> None:
        """Equal, with where it belongs, and with the same text in full, every digit of it (A56)."""
        kind = type(kept.record)
        with stores.writing(OWNER) as store:
            store.add(kept)
        with stores.reading(OWNER) as store:
            found = store.find(kind, kept.id)
            (listed,) = store.page(kind, limit=10)
            below = store.belonging(kind, [kept.belongs_to] if kept.belongs_to else [])

        assert kept == found == listed
        assert found is not None
        assert dumps(kept.record, full=True) == dumps(found.record, full=True)
        assert {kept.belongs_to: [kept]} if kept.belongs_to else {} == below

    @pytest.mark.parametrize("text", ODD_TEXTS)
    def test_a_text_keeps_every_character(self, stores: Stores, text: str) -> None:
        """U+0000 too, which PostgreSQL has in no text."""
        with stores.writing(OWNER) as store:
            store.add(Stored(Lease(id=text, purpose=text), "lease-1"))
        with stores.reading(OWNER) as store:
            found = store.find(Lease, "lease-1")

        assert Stored(Lease(id=text, purpose=text), "lease-1") == found

    def test_a_private_currency_is_read_without_its_policy(self, stores: Stores) -> None:
        """The amount was judged when it was made (A2)."""
        points = Payout(id="payout-1").model_copy(
            update={"net": Amount.unchecked(Decimal("1.5"), "PTS")}
        )
        with stores.writing(OWNER) as store:
            store.add(Stored(points, "payout-1"))
        with stores.reading(OWNER) as store:
            found = store.find(Payout, "payout-1")

        assert Stored(points, "payout-1") == found

    def test_who_changes_the_groups_of_a_tenancy_changes_nothing_that_is_kept(
        self, stores: Stores
    ) -> None:
        given = full_tenancy()
        expected = dict(given.group_id or {})
        with stores.writing(OWNER) as store:
            store.add(Stored(given, "tenancy-1"))
        for record in (given, _tenancy(stores), _tenancy(stores)):
            assert record.group_id is not None
            record.group_id["portfolio"] = "changed"

        assert expected == _tenancy(stores).group_id


def _tenancy(stores: Stores) -> Tenancy:
    with stores.reading(OWNER) as store:
        found = store.find(Tenancy, "tenancy-1")
    assert found is not None
    return found.record


class TestIds:
    """An id is any text, and names one object of a kind of an owner."""

    def test_odd_ids_are_kept_apart(self, stores: Stores) -> None:
        keep(stores, *ODD_IDS)
        with stores.reading(OWNER) as store:
            assert list(ODD_IDS) == every_id(store)
            for name in ODD_IDS:
                assert lease(name) == store.find(Lease, name)
            several = store.several(Lease, ODD_IDS)

        assert {name: lease(name) for name in ODD_IDS} == several

    def test_odd_ids_of_what_something_belongs_to_are_kept_apart(self, stores: Stores) -> None:
        with stores.writing(OWNER) as store:
            for at, above in enumerate(ODD_IDS):
                store.add(lease(f"lease-{at}", above))
        with stores.reading(OWNER) as store:
            found = store.belonging(Lease, ODD_IDS)
            pages = {above: every_id(store, above=above) for above in ODD_IDS}

        assert {above: [f"lease-{at}"] for at, above in enumerate(ODD_IDS)} == pages
        assert {above: [lease(f"lease-{at}", above)] for at, above in enumerate(ODD_IDS)} == found

    @pytest.mark.parametrize("name", ["", "\0", "lease-1\0", "LEASE-1", "\udfff", "x" * 100_000])
    def test_an_id_that_nobody_has_is_simply_not_there(self, stores: Stores, name: str) -> None:
        keep(stores, "lease-1", above="tenancy-1")
        with stores.writing(OWNER) as store:
            assert store.find(Lease, name) is None
            assert {name: []} == store.belonging(Lease, [name])
            assert {"lease-1": lease("lease-1", "tenancy-1")} == store.several(
                Lease, [name, "lease-1"]
            )
            assert [] == store.page(Lease, limit=5, belongs_to=name)
            with pytest.raises(NotFoundError) as cursor:
                store.page(Lease, limit=5, after=name)
            with pytest.raises(NotFoundError) as removed:
                store.remove(Lease, name)
            with pytest.raises(NotFoundError) as replaced:
                store.replace(lease(name))

        assert NotFoundError("unknown_cursor", kind="lease", id=name) == cursor.value
        assert NotFoundError("unknown_id", kind="lease", id=name) == removed.value
        assert removed.value == replaced.value

    def test_an_id_is_given_once(self, stores: Stores) -> None:
        keep(stores, "lease-1")
        with stores.writing(OWNER) as store:
            fill(store, "lease-2")
            for name in ("lease-1", "lease-2"):
                with pytest.raises(ConflictError) as refused:
                    store.add(lease(name, purpose="other"))
                assert ConflictError("duplicate_id", kind="lease", id=name) == refused.value
            fill(store, "lease-3")

        with stores.reading(OWNER) as store:
            assert [lease(f"lease-{at}") for at in (1, 2, 3)] == store.page(Lease, limit=9)

    def test_kinds_and_owners_have_ids_of_their_own(self, stores: Stores) -> None:
        with stores.writing(OWNER) as store:
            store.add(lease("1", purpose="mine"))
            store.add(Stored(Payout(id="1"), "1"))
        with stores.writing("other") as store:
            store.add(lease("1", purpose="theirs"))

        with stores.reading(OWNER) as store:
            assert lease("1", purpose="mine") == store.find(Lease, "1")
            assert Stored(Payout(id="1"), "1") == store.find(Payout, "1")
        with stores.reading("other") as store:
            assert lease("1", purpose="theirs") == store.find(Lease, "1")
            assert store.find(Payout, "1") is None


class TestPages:
    """Pages come in order of creation (A43)."""

    NAMES = tuple(f"lease-{(at * 7) % 20}" for at in range(20))

    @pytest.mark.parametrize("limit", [1, 3, 19, 20, 21, 100])
    def test_pages_cover_everything_once_in_order(self, stores: Stores, limit: int) -> None:
        keep(stores, *self.NAMES[:9])
        keep(stores, *self.NAMES[9:])
        with stores.reading(OWNER) as store:
            assert list(self.NAMES) == every_id(store, limit=limit)
            assert list(self.NAMES[:limit]) == ids(store.page(Lease, limit=limit))
            assert [] == store.page(Lease, limit=limit, after=self.NAMES[-1])

    @pytest.mark.parametrize("limit", [0, -1])
    def test_a_page_of_nothing_is_empty(self, stores: Stores, limit: int) -> None:
        keep(stores, "lease-1")
        with stores.reading(OWNER) as store:
            assert [] == store.page(Lease, limit=limit)
            assert [] == store.page(Lease, limit=limit, belongs_to="x")

    def test_pages_of_one_tenancy_have_its_leases_alone(self, stores: Stores) -> None:
        for at, name in enumerate(self.NAMES):
            keep(stores, name, above=f"tenancy-{at % 3}")
        with stores.reading(OWNER) as store:
            for which in range(3):
                assert list(self.NAMES[which::3]) == every_id(
                    store, limit=2, above=f"tenancy-{which}"
                )
            after = store.page(Lease, limit=9, after=self.NAMES[10], belongs_to="tenancy-0")
            assert [self.NAMES[12], self.NAMES[15], self.NAMES[18]] == ids(after)

    def test_items_that_may_be_billed_in_some_days_are_there(self, stores: Stores) -> None:
        """Of June: what is due in it or begins in it, at least; a store may return the others."""
        days = {
            "before": ("2026-05-31", "2026-05-31"),
            "due": ("2026-06-01", "2026-05-31"),
            "begins": ("2026-07-01", "2026-06-30"),
            "both": ("2026-06-30", "2026-06-01"),
            "around": ("2026-07-01", "2026-05-31"),
        }
        with stores.writing(OWNER) as store:
            for name, (due, start) in days.items():
                item = fee(due=due, days=f"{start}/2026-12-31")
                store.add(Stored(item, name, "lease-1"))
                store.add(Stored(item, f"{name} of another", "lease-2"))

        def in_june() -> list[str]:
            with stores.reading(OWNER) as store:
                above, june = ["lease-1", "lease-3"], Period.month(2026, 6)
                found = store.belonging(OneTimeBillItem, above, days=june)
            assert [] == found["lease-3"]
            return [each for each in ids(found["lease-1"]) if each not in others]

        others = {"before", "around"}
        assert ["due", "begins", "both"] == in_june()
        with stores.writing(OWNER) as store:
            store.replace(Stored(fee(due="2026-06-15"), "before", "lease-1"))
            store.remove(OneTimeBillItem, "due")
        others = {"around"}
        assert ["before", "begins", "both"] == in_june()
        with stores.reading(OWNER) as store:
            assert [4, 5, 0] == [
                store.count(OneTimeBillItem, each) for each in ("lease-1", "lease-2", "lease-3")
            ]
            assert 0 == store.count(Lease, "lease-1")

    def test_what_belongs_to_several_comes_for_each_in_order(self, stores: Stores) -> None:
        names = [f"lease-{at}" for at in range(1_203)]
        with stores.writing(OWNER) as store:
            for at, name in enumerate(names):
                store.add(lease(name, f"tenancy-{at % 601}"))
        above = [f"tenancy-{at}" for at in range(1_202)]
        with stores.reading(OWNER) as store:
            found = store.belonging(Lease, [*above, above[0]])
            assert {} == store.belonging(Lease, [])
            backwards = [*reversed(names), "nobody", names[0]]
            several = store.several(Lease, backwards)
            assert {} == store.several(Lease, [])
            assert {} == store.several(Tenancy, names[:2])

        assert above == list(found)
        assert [names[0], names[601], names[1202]] == ids(found["tenancy-0"])
        assert [names[600], names[1201]] == ids(found["tenancy-600"])
        assert [] == found["tenancy-601"]
        # In the order in which they were asked for, each once.
        assert backwards[:-2] == list(several)
        assert backwards[:-2] == ids(several.values())
        assert "tenancy-1" == several["lease-602"].belongs_to

    def test_an_unknown_cursor_is_refused(self, stores: Stores) -> None:
        keep(stores, "lease-1")
        keep(stores, "lease-2", owner="other")
        with stores.writing(OWNER) as store:
            store.add(Stored(Payout(id="1"), "payout-1"))
        with stores.reading(OWNER) as store:
            for name in ("lease-2", "payout-1", "nothing"):
                with pytest.raises(NotFoundError) as refused:
                    store.page(Lease, limit=5, after=name)
                assert NotFoundError("unknown_cursor", kind="lease", id=name) == refused.value


class TestChanges:
    """Objects are replaced at their place, and removed without leaving a gap for readers."""

    def test_a_replaced_object_stays_at_its_place(self, stores: Stores) -> None:
        keep(stores, "lease-1", "lease-2", "lease-3", above="tenancy-1")
        changed = lease("lease-2", "tenancy-1", purpose="key:office")
        with stores.writing(OWNER) as store:
            store.replace(changed)
            assert changed == store.find(Lease, "lease-2")
            assert {"lease-2": changed} == store.several(Lease, ["lease-2"])
        with stores.reading(OWNER) as store:
            assert changed == store.find(Lease, "lease-2")
            assert changed == store.page(Lease, limit=9)[1]
            assert changed == store.belonging(Lease, ["tenancy-1"])["tenancy-1"][1]
            assert ["lease-1", "lease-2", "lease-3"] == every_id(store)

    def test_an_object_may_come_to_belong_to_another(self, stores: Stores) -> None:
        keep(stores, "lease-1", "lease-2", above="tenancy-1")
        keep(stores, "lease-3", above="tenancy-2")
        keep(stores, "lease-4")
        with stores.writing(OWNER) as store:
            store.replace(lease("lease-2", "tenancy-2"))
            store.replace(lease("lease-1"))
            store.replace(lease("lease-4", "tenancy-2"))
        with stores.reading(OWNER) as store:
            found = store.belonging(Lease, ["tenancy-1", "tenancy-2"])
            assert {"tenancy-1": [], "tenancy-2": ["lease-2", "lease-3", "lease-4"]} == {
                above: ids(kept) for above, kept in found.items()
            }
            assert ["lease-1", "lease-2", "lease-3", "lease-4"] == every_id(store)

    def test_a_removed_object_is_gone_and_a_page_still_begins_after_it(
        self, stores: Stores
    ) -> None:
        """A cursor continues at its place (A43); the id is not given again."""
        keep(stores, "lease-1", "lease-2", "lease-3", "lease-4", above="tenancy-1")
        with stores.writing(OWNER) as store:
            store.remove(Lease, "lease-2")
            store.remove(Lease, "lease-4")
        with stores.writing(OWNER) as store:
            for at in (2, 4):
                assert store.find(Lease, f"lease-{at}") is None
                with pytest.raises(
                    NotFoundError, match=f"there is no lease with the id lease-{at}"
                ):
                    store.remove(Lease, f"lease-{at}")
                with pytest.raises(NotFoundError):
                    store.replace(lease(f"lease-{at}"))
                with pytest.raises(ConflictError):
                    store.add(lease(f"lease-{at}"))
            assert ["lease-1", "lease-3"] == every_id(store)
            found = store.several(Lease, [f"lease-{at}" for at in (4, 3, 2, 1)])
            assert ["lease-3", "lease-1"] == list(found)
            assert ["lease-1", "lease-3"] == every_id(store, above="tenancy-1")
            assert ["lease-1", "lease-3"] == ids(store.belonging(Lease, ["tenancy-1"])["tenancy-1"])
            assert ["lease-3"] == ids(store.page(Lease, limit=5, after="lease-2"))
            assert [] == store.page(Lease, limit=5, after="lease-4")
            fill(store, "lease-5")
            assert ["lease-5"] == ids(store.page(Lease, limit=5, after="lease-4"))

    def test_a_removed_id_of_one_kind_or_owner_is_free_for_the_others(self, stores: Stores) -> None:
        keep(stores, "1")
        with stores.writing(OWNER) as store:
            store.remove(Lease, "1")
            store.add(Stored(Payout(id="1"), "1"))
        keep(stores, "1", owner="other")

        with stores.reading("other") as store:
            assert ["1"] == every_id(store)
            with pytest.raises(NotFoundError):
                store.page(Product, limit=1, after="1")


class TestAnswers:
    """The answers to changes with an idempotency key."""

    def test_an_answer_is_read_as_it_was_kept(self, stores: Stores) -> None:
        """Under any key, for its owner alone, and whatever its body says."""
        for at, key in enumerate(ODD_IDS):
            kept = KeptAnswer(f"digest-{at}", 201, '{"a": "Køge – 🏠"}', MOMENT)
            with stores.writing(OWNER) as store:
                assert store.kept_answer(key) is None
                store.keep_answer(key, kept, since=MOMENT)
                assert kept == store.kept_answer(key)
            with stores.reading(OWNER) as store:
                assert kept == store.kept_answer(key)
            with stores.reading("other") as store:
                assert store.kept_answer(key) is None

    def test_an_answer_takes_the_place_of_an_older_one(self, stores: Stores) -> None:
        kept = [KeptAnswer("digest", 201, body, MOMENT) for body in ("one", "two")]
        for each in kept:
            with stores.writing(OWNER) as store:
                store.keep_answer("key", each, since=MOMENT)
        with stores.reading(OWNER) as store:
            assert kept[-1] == store.kept_answer("key")

    def test_older_answers_of_the_owner_are_deleted(self, stores: Stores) -> None:
        """Whatever offset a moment has: half past one in Copenhagen is half past noon in UTC."""
        second, here = timedelta(seconds=1), timezone(timedelta(hours=1))
        old, young = MOMENT - second, MOMENT.astimezone(here)
        with stores.writing("other") as store:
            store.keep_answer("old", KeptAnswer("d", 201, "", old), since=old)
        with stores.writing(OWNER) as store:
            store.keep_answer("old", KeptAnswer("d", 201, "", old), since=old)
            store.keep_answer("young", KeptAnswer("d", 201, "", young), since=old)
            store.keep_answer("new", KeptAnswer("d", 201, "", MOMENT), since=young)
        with stores.reading("other") as store:
            assert store.kept_answer("old") is not None
        with stores.reading(OWNER) as store:
            known = [key for key in ("old", "young", "new") if store.kept_answer(key)]

        assert ["young", "new"] == known

    def test_an_answer_is_undone_with_its_change(self, stores: Stores) -> None:
        def change() -> None:
            with stores.writing(OWNER) as store:
                store.keep_answer("key", KeptAnswer("d", 201, "", MOMENT), since=MOMENT)
                raise LookupError

        with pytest.raises(LookupError):
            change()
        with stores.reading(OWNER) as store:
            assert store.kept_answer("key") is None


class TestTransactions:
    """A change is kept whole, or not at all, and readers see one moment."""

    @pytest.mark.parametrize("trouble", [ValueError, ConflictError, KeyboardInterrupt, SystemExit])
    def test_an_error_leaves_nothing_of_a_change(
        self, stores: Stores, trouble: type[BaseException]
    ) -> None:
        keep(stores, "lease-1", "lease-2", above="tenancy-1")
        error = trouble("stop")

        def change() -> None:
            with stores.writing(OWNER) as store:
                fill(store, "lease-3", "lease-4", above="tenancy-1")
                store.replace(lease("lease-3", "tenancy-2", purpose="changed"))
                store.replace(lease("lease-1", "tenancy-2", purpose="changed"))
                store.remove(Lease, "lease-2")
                store.remove(Lease, "lease-4")
                raise error

        with pytest.raises(trouble) as raised:
            change()
        assert error is raised.value

        with stores.reading(OWNER) as store:
            expected = [lease("lease-1", "tenancy-1"), lease("lease-2", "tenancy-1")]
            assert expected == store.page(Lease, limit=9)
            assert {"tenancy-1": expected, "tenancy-2": []} == store.belonging(
                Lease, ["tenancy-1", "tenancy-2"]
            )
            assert store.find(Lease, "lease-3") is None
            with pytest.raises(NotFoundError):
                store.page(Lease, limit=9, after="lease-4")
        keep(stores, "lease-4", "lease-3", above="tenancy-1")
        with stores.reading(OWNER) as store:
            assert ["lease-1", "lease-2", "lease-4", "lease-3"] == every_id(store)

    def test_a_first_change_that_fails_leaves_no_trace(self, stores: Stores) -> None:
        def change() -> None:
            with stores.writing("new") as store:
                fill(store, "lease-1")
                raise ValueError("stop")

        with pytest.raises(ValueError, match="stop"):
            change()

        with stores.reading("new") as store:
            assert [] == store.page(Lease, limit=9)

    def test_owners_see_nothing_of_each_other(self, stores: Stores) -> None:
        keep(stores, "lease-1", above="tenancy-1")
        with stores.writing("other") as store:
            assert store.find(Lease, "lease-1") is None
            assert [] == store.page(Lease, limit=9)
            assert [] == store.page(Lease, limit=9, belongs_to="tenancy-1")
            assert {"tenancy-1": []} == store.belonging(Lease, ["tenancy-1"])
            for asked in (
                lambda: store.replace(lease("lease-1")),
                lambda: store.remove(Lease, "lease-1"),
                lambda: store.page(Lease, limit=9, after="lease-1"),
            ):
                with pytest.raises(NotFoundError):
                    asked()

        with stores.reading(OWNER) as store:
            assert [lease("lease-1", "tenancy-1")] == store.page(Lease, limit=9)

    def test_an_owner_has_any_name(self, stores: Stores) -> None:
        for at, name in enumerate(ODD_IDS):
            keep(stores, f"lease-{at}", owner=name)

        for at, name in enumerate(ODD_IDS):
            with stores.reading(name) as store:
                assert [f"lease-{at}"] == every_id(store)

    def test_a_change_sees_what_it_did_so_far(self, stores: Stores) -> None:
        with stores.writing(OWNER) as store:
            fill(store, "lease-1", above="tenancy-1")
            store.replace(lease("lease-1", "tenancy-1", purpose="a"))
            fill(store, "lease-2")
            store.remove(Lease, "lease-2")

            assert [lease("lease-1", "tenancy-1", purpose="a")] == store.page(Lease, limit=9)
            assert [] == store.page(Lease, limit=9, after="lease-2")
            assert ["lease-1"] == ids(store.belonging(Lease, ["tenancy-1"])["tenancy-1"])

    def test_a_reader_sees_one_moment(self, stores: Stores) -> None:
        keep(stores, "lease-1", "lease-2")
        tried = Event()

        def change() -> None:
            tried.set()
            with stores.writing(OWNER) as store:
                fill(store, "lease-3")
                store.replace(lease("lease-2", purpose="changed"))
                store.remove(Lease, "lease-1")

        writer = Thread(target=change)
        with stores.reading(OWNER) as store:
            assert ["lease-1"] == ids(store.page(Lease, limit=1))
            writer.start()
            assert tried.wait(10)
            # A database lets the writer finish; the others let it wait.
            writer.join(0.3)
            assert [lease("lease-2")] == store.page(Lease, limit=9, after="lease-1")
            assert lease("lease-1") == store.find(Lease, "lease-1")
            assert store.find(Lease, "lease-3") is None
        writer.join(30)

        with stores.reading(OWNER) as store:
            assert [lease("lease-2", purpose="changed"), lease("lease-3")] == store.page(
                Lease, limit=9
            )
