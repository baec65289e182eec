"""What is cached for an owner stays there, however much others read."""

from collections import Counter
from itertools import count
from threading import Thread

from hypothesis import given, strategies as st

from rentbilling.adapters.fair_cache import FairCache

CALLS = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 9), st.integers(1, 40)), max_size=80
)


class Counted:
    """A cache, and how often each value was made."""

    def __init__(self, most: int) -> None:
        self.cache = FairCache[str](most)
        self.made: Counter[tuple[str, int]] = Counter()

    def value_of(self, owner: str, key: int, size: int) -> str:
        def make() -> str:
            self.made[owner, key] += 1
            return f"{owner} {key}"

        return self.cache.value_of(owner, key, size, make)


@given(calls=CALLS)
def test_every_owner_gets_its_own_values_however_full_it_is(
    calls: list[tuple[str, int, int]],
) -> None:
    counted = Counted(50)

    for owner, key, size in calls:
        assert f"{owner} {key}" == counted.value_of(owner, key, size)


def test_an_owner_with_much_takes_nothing_from_one_with_little() -> None:
    """Of 100, `a` reads 1,000 of size 10; `b`'s 50, no more than half, stay."""
    counted = Counted(100)
    for key in range(5):
        counted.value_of("b", key, 10)
    for key in range(1_000):
        counted.value_of("a", key, 10)
    for key in range(5):
        counted.value_of("b", key, 10)

    assert [1] * 5 == [counted.made["b", key] for key in range(5)]


def test_an_owner_with_much_makes_room_for_one_that_comes_later() -> None:
    counted = Counted(100)
    for key in range(10):
        counted.value_of("a", key, 10)
    for _ in range(2):
        for key in range(5):
            counted.value_of("b", key, 10)

    assert {1} == {counted.made["b", key] for key in range(5)}


def test_what_was_used_last_stays_and_what_is_too_large_is_not_cached() -> None:
    counted = Counted(30)
    for key, size in ((1, 10), (2, 10), (3, 10), (1, 10), (4, 10), (1, 10), (9, 31), (9, 31)):
        counted.value_of("a", key, size)

    assert (1, 2) == (counted.made["a", 1], counted.made["a", 9])
    counted.value_of("a", 2, 10)
    assert 2 == counted.made["a", 2]


def test_threads_share_it() -> None:
    cache, numbers = FairCache[int](20), count()

    def use() -> None:
        for key in range(300):
            cache.value_of("ab"[key % 2], key % 7, 5, lambda: next(numbers))

    threads = [Thread(target=use) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert cache.value_of("a", "new", 5, lambda: -1) == -1


def test_several_are_found_at_once_and_count_as_used() -> None:
    """Room for three: of 1, 2, 3 the first two are found last, so that a fourth displaces 3."""
    cache = FairCache[int](3)
    for key in (1, 2, 3):
        cache.value_of("a", key, 1, lambda key=key: key)  # type: ignore[misc]

    assert [2, None, 1] == cache.found("a", (2, 9, 1))
    assert [None] == cache.found("b", (1,))
    cache.value_of("a", 4, 1, lambda: 4)
    assert [1, 2, None, 4] == cache.found("a", (1, 2, 3, 4))
