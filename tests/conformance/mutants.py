"""Running proofs in this process, without a run of pytest.

A proof is a test or one case of it. Cases are those of the marks `parametrize`; a test that asks
for a fixture is not run here.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any, NamedTuple

import pytest
from _pytest.mark import ParameterSet

from tests.conformance.breaking import Breakage
from tests.conformance.proving import Proof


class Case(NamedTuple):
    """One case of a test."""

    ids: tuple[str, ...]
    given: Mapping[str, Any]
    """What the test is called with."""


def cases(proof: Proof) -> int:
    """Return how many cases the test of a proof has; 0 where it cannot be run here."""
    return len(_cases(_function_of(proof)))


def fails(proof: Proof) -> bool:
    function = _function_of(proof)
    for case in _cases(function):
        if proof.case in ("", *case.ids):
            try:
                function(**case.given)
            except (Exception, pytest.fail.Exception):  # noqa: BLE001 - however it fails
                return True
    return False


def notices(proof: Proof, breakage: Breakage) -> bool:
    with breakage.broken():
        return fails(proof)


def _function_of(proof: Proof) -> Callable[..., None]:
    module = import_module(proof.file.removesuffix(".py").replace("/", "."))
    found: Callable[..., None] = getattr(module, proof.test)
    return found


@cache
def _cases(function: Callable[..., None]) -> tuple[Case, ...]:
    marks = [each for each in getattr(function, "pytestmark", ()) if each.name == "parametrize"]
    found = tuple(
        Case(
            tuple(each for row in rows for each in row.ids),
            {name: value for row in rows for name, value in row.given.items()},
        )
        for rows in product(*([*_rows(mark)] for mark in marks))
    )
    named = inspect.signature(function).parameters.keys()
    return found if found and named == found[0].given.keys() else ()


def _rows(mark: pytest.Mark) -> Iterator[Case]:
    names = mark.args[0]
    names = [each.strip() for each in names.split(",")] if isinstance(names, str) else [*names]
    for row in mark.args[1]:
        known = ParameterSet.extract_from(row, force_tuple=len(names) == 1)
        yield Case((str(known.id),), dict(zip(names, known.values, strict=True)))
