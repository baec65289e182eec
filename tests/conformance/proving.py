"""The marks by which tests name their proofs, and how to find them without running the tests.

A test is marked with `@proves("Authentication 1", "Lease: balance")`. Of a test with parameters,
each case may have its own mark: `cases(fields)` makes such cases, each named for its field.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.architecture.sources import ROOT, TEST_MODULES, named, text_of
from tests.conformance.fields import Field

MARK: Final = "proves"


class Proof(NamedTuple):
    """A test, or one case of it, with one thing that it proves."""

    key: str
    file: str
    test: str
    case: str
    """Name of the case; empty if the whole test proves the key."""
    docstring: str
    """The first line of the test's docstring."""


def proves(*keys: str) -> pytest.MarkDecorator:
    """Return a mark with the keys of what a test proves: fields, rows, sentences."""
    return pytest.mark.proves(*keys)


def cases(fields: Iterable[Field]) -> list[Any]:
    """Return a case for each field, which proves that field."""
    return [
        pytest.param(field, id=field.key.replace("{", "").replace("}", ""), marks=proves(field.key))
        for field in fields
    ]


def proofs() -> tuple[Proof, ...]:
    return tuple(proof for path in TEST_MODULES for proof in _proofs_in(path))


def _proofs_in(path: Path) -> Iterator[Proof]:
    """Yield the proofs of one module, which is imported but not run."""
    if not path.name.startswith("test_") or "proves(" not in text_of(path).replace(
        "cases(", "proves("
    ):
        return
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for test, function in vars(import_module(name)).items():
        if not test.startswith("test_") or getattr(function, "__module__", "") != name:
            continue
        docstring = (function.__doc__ or "").strip().split("\n")[0]
        for mark in getattr(function, "pytestmark", ()):
            for key, case in _keys(mark):
                yield Proof(key, named(path), test, case, docstring)


def _keys(mark: pytest.Mark) -> Iterator[tuple[str, str]]:
    if mark.name == MARK:
        yield from ((key, "") for key in mark.args)
    if mark.name == "parametrize":
        for case in mark.args[1]:
            for inner in getattr(case, "marks", ()):
                if inner.name == MARK:
                    yield from ((key, str(case.id)) for key in inner.args)
