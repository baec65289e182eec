"""API keys are kept as digests, found, revoked and listed alike in every store."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone

import pytest

from rentbilling.adapters.stores import MemoryStores, SqlStores
from rentbilling.errors import ConflictError, NotFoundError
from rentbilling.service import StoredKey, key_of, key_text, stored_key

SECRET = "0123456789abcdef" * 2
MOMENT = datetime(2026, 1, 31, 12, 30, 0, 5, tzinfo=UTC)
LATER = MOMENT + timedelta(days=1)

Any_ = MemoryStores | SqlStores


def key(
    key_id: str = "k1", owner: str = "acme", created: datetime = MOMENT, name: str = "a – \\ 京"
) -> StoredKey:
    rights = ["leases:*", "products:read"]
    text = key_text(key_id, SECRET)
    return stored_key(text, owner=owner, name=name, rights=rights, created=created)


def test_a_key_is_found_as_it_was_kept(stores: Any_) -> None:
    there = key(created=MOMENT.astimezone(timezone(timedelta(hours=-3, minutes=-30))))
    stores.keys.add(there)
    found = stores.keys.find("k1")

    assert there == found
    assert found is not None
    assert timedelta(hours=-3, minutes=-30) == found.created.utcoffset()


def test_a_key_opens_what_is_its_owners(stores: Any_) -> None:
    stores.keys.add(key())

    assert key() == key_of(key_text("k1", SECRET), stores.keys)
    assert key_of(key_text("k1", SECRET[::-1]), stores.keys) is None
    assert key_of(key_text("k2", SECRET), stores.keys) is None
    assert key_of("", stores.keys) is None


@pytest.mark.parametrize("key_id", ["", "K1", "k1 ", "k1\0", "\ud800", "' OR 1=1 --", "x" * 9_999])
def test_a_key_that_nobody_has_is_not_there(stores: Any_, key_id: str) -> None:
    stores.keys.add(key())

    assert stores.keys.find(key_id) is None
    with pytest.raises(NotFoundError) as refused:
        stores.keys.revoke(key_id, MOMENT)
    assert NotFoundError("unknown_id", kind="key", id=key_id) == refused.value


def test_an_id_of_a_key_is_given_once(stores: Any_) -> None:
    stores.keys.add(key())
    stores.keys.revoke("k1", MOMENT)
    with pytest.raises(ConflictError) as refused:
        stores.keys.add(key(owner="other"))

    assert ConflictError("duplicate_id", kind="key", id="k1") == refused.value
    assert [key()._replace(revoked=MOMENT)] == list(stores.keys.listed())


def test_a_revoked_key_opens_nothing_and_stays_in_the_list(stores: Any_) -> None:
    stores.keys.add(key())
    stores.keys.add(key("k2"))
    stores.keys.revoke("k1", MOMENT)
    stores.keys.revoke("k1", LATER)

    assert key_of(key_text("k1", SECRET), stores.keys) is None
    assert key("k2") == key_of(key_text("k2", SECRET), stores.keys)
    assert [key()._replace(revoked=MOMENT), key("k2")] == list(stores.keys.listed())


def test_a_key_that_expires_opens_until_its_moment(stores: Any_) -> None:
    """Where the moment is not known, it opens nothing (A112)."""
    stores.keys.add(key()._replace(expires=LATER))
    text, second = key_text("k1", SECRET), timedelta(seconds=1)
    opened = [key_of(text, stores.keys, at) for at in (MOMENT, LATER - second, LATER, None)]

    assert [True, True, False, False] == [each is not None for each in opened]
    assert LATER == opened[0].expires  # type: ignore[union-attr]


def test_keys_are_listed_by_the_moment_of_their_making(stores: Any_) -> None:
    """13:00 with an offset of two hours lies before 12:30 without one; of one owner, or of all."""
    early = MOMENT.replace(hour=13).astimezone(timezone(timedelta(hours=2))) - timedelta(hours=1)
    assert early < MOMENT.replace(hour=12, minute=31)
    for each in (
        key("b", created=LATER),
        key("a", created=MOMENT),
        key("c", created=early.replace(minute=0)),
        key("d", owner="other", created=MOMENT),
    ):
        stores.keys.add(each)

    assert ["c", "a", "d", "b"] == [each.key_id for each in stores.keys.listed()]
    assert ["c", "a", "b"] == [each.key_id for each in stores.keys.listed("acme")]
    assert ["d"] == [each.key_id for each in stores.keys.listed("other")]
    assert [] == list(stores.keys.listed("nobody"))


def test_of_two_who_give_one_id_at_once_one_is_refused(stores: Any_) -> None:
    def add(at: int) -> str:
        try:
            stores.keys.add(key(f"k{at // 2}", owner=f"owner-{at % 2}"))
        except ConflictError:
            return "refused"
        return "kept"

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(add, range(40)))

    assert [{"kept", "refused"}] * 20 == [set(told[at : at + 2]) for at in range(0, 40, 2)]
    assert 20 == len(stores.keys.listed())
