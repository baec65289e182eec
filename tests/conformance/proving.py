"""How a test says what it proves, and how that is found again without running anything.

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
    """Name of the case; empty where the whole test proves it."""
    told: str
    """What the test says of itself."""


def proves(*keys: str) -> pytest.MarkDecorator:
    """Return a mark that says what a test proves.

    Args:
        keys: Of fields, rows and sentences of the interface.
    """
    return pytest.mark.proves(*keys)


def cases(fields: Iterable[Field], *values: object, prefix: str = "") -> list[Any]:
    """Return a case for each field, which proves that field.

    Args:
        fields: The fields.
        values: What each case is given beside the field.
        prefix: A section whose field of the same name is proven too.
    """
    return [
        pytest.param(
            field,
            *values,
            id=field.key.replace("{", "").replace("}", ""),
            marks=proves(field.key, *([f"{prefix}{field.name}"] if prefix else [])),
        )
        for field in fields
    ]


def proofs() -> tuple[Proof, ...]:
    """Return all proofs that stand in the tests, in the order of the files."""
    return tuple(proof for path in TEST_MODULES for proof in _proofs_in(path))


def _proofs_in(path: Path) -> Iterator[Proof]:
    """Yield the proofs of one module, which is loaded for that and not run."""
    if not path.name.startswith("test_") or "proves(" not in text_of(path).replace(
        "cases(", "proves("
    ):
        return
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for test, function in vars(import_module(name)).items():
        if not test.startswith("test_") or getattr(function, "__module__", "") != name:
            continue
        told = (function.__doc__ or "").strip().split("\n")[0]
        for mark in getattr(function, "pytestmark", ()):
            for key, case in _keys(mark):
                yield Proof(key, named(path), test, case, told)


def _keys(mark: pytest.Mark) -> Iterator[tuple[str, str]]:
    if mark.name == MARK:
        yield from ((key, "") for key in mark.args)
    if mark.name == "parametrize":
        for case in mark.args[1]:
            for inner in getattr(case, "marks", ()):
                if inner.name == MARK:
                    yield from ((key, str(case.id)) for key in inner.args)
