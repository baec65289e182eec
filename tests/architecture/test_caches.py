"""Caches are bounded by count: a process that bills ever new leases does not grow."""

import gc
from datetime import date
from functools import _lru_cache_wrapper
from typing import Any

from benchmarks import wire, workload
from rentbilling import Period, dumps, loads, pending_bills

MONTH = Period(date(2026, 6, 1), date(2026, 6, 30))


def sizes() -> dict[str, int]:
    """Return the sizes of the caches without a bound, which keep something for each class."""
    found: list[Any] = [each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper)]
    return {
        f"{each.__module__}.{each.__qualname__}": each.cache_info().currsize
        for each in found
        if each.__module__.startswith("rentbilling.") and each.cache_info().maxsize is None
    }


def bill(leases: range) -> None:
    for number in leases:
        terms = loads(wire.lease_text(workload.lease(number)))
        assert loads(dumps(terms)) == terms
        dumps(pending_bills(terms, MONTH))


def test_caches_without_a_bound_keep_nothing_of_a_lease() -> None:
    bill(range(300))
    before = sizes()
    bill(range(300, 600))

    assert before == sizes()
    assert {
        "rentbilling.records.quick_reader.reader_of",
        "rentbilling.records.description.fields_of",
    } <= before.keys()
