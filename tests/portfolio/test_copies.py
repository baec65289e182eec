"""Index paths and futures are handed to other processes: the same values, the same figures."""

import copy
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from rentbilling.portfolio import BillRecordBatches, TableMapping
from rentbilling.simulation import Futures, IndexPaths, simulate
from rentbilling.testing import a_lease, a_plan, a_rent, an_index

LEASE = a_lease(a_rent(amount=8000), plans=[a_plan(maximum="0.02")])
NPI = an_index({"2023-10": "97.0", "2024-10": "99.0", "2025-10": "100.0", "2026-10": "103.0"})
MAPPING = TableMapping(item={"amount": "Rent", "moved_in": "From"}, constants={"currency": "DKK"})
PATHS = IndexPaths.ar1(NPI, until="2030-10", paths=3, seed=7)


def pickled(protocol: int, given: Any) -> Any:  # noqa: ANN401
    return pickle.loads(pickle.dumps(given, protocol))


WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{
        f"protocol {each}": partial(pickled, each) for each in range(2, pickle.HIGHEST_PROTOCOL + 1)
    },
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_paths_are_copied(way: Callable[[IndexPaths], IndexPaths]) -> None:
    again = way(PATHS)

    assert np.array_equal(PATHS.values, again.values)
    assert (PATHS.points, PATHS.published) == (again.points, again.published)
    assert dict(PATHS.parameters) == dict(again.parameters)
    assert PATHS.series(2) == again.series(2)
    assert not again.values.flags.writeable


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_futures_are_copied(way: Callable[[Futures], Futures]) -> None:
    made = simulate(LEASE, PATHS, "2026-01-01/2030-12-31")

    again = way(made)

    assert made.rows() == again.rows()
    assert np.array_equal(made.gross, again.gross)
    assert made.path(1) == again.path(1)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(
    "value",
    [MAPPING.leases("leases.csv"), BillRecordBatches("2026-01-01/2026-01-31", indices=NPI)],
    ids=["TableLeases", "BillRecordBatches"],
)
def test_what_names_the_leases_of_a_run_is_copied(value: object, way: Callable[[Any], Any]) -> None:
    assert value == way(value)
