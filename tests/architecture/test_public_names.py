"""The names that users import are there, say what they are, and show how they are called."""

import ast
import inspect
import typing
from importlib import import_module

import pytest

import rentbilling
from tests.architecture.sources import PACKAGE
from tests.support.rows import rows

FACES = (
    "rentbilling",
    "rentbilling.presets",
    "rentbilling.settlement",
    "rentbilling.testing",
    "rentbilling.turnover",
    "rentbilling.whatif",
)
LAZY = ("", "portfolio", "testing", "adapters/http", "adapters/stores")
"""Packages whose names are loaded when they are first used."""


def offered() -> typing.Iterator[tuple[str, str]]:
    for face in FACES:
        package = import_module(face)
        for name in dir(package):
            value = getattr(package, name)
            is_named = inspect.isfunction(value) or inspect.isclass(value)
            if is_named and not name.startswith("_"):
                yield face, name


PUBLIC = tuple(offered())
FUNCTIONS = tuple(
    (face, name) for face, name in PUBLIC if inspect.isfunction(getattr(import_module(face), name))
)


def test_the_root_has_the_names_that_most_programs_need() -> None:
    names = rentbilling.__all__

    assert isinstance(names, tuple)
    assert len(names) == len(set(names))
    assert list(names) == dir(rentbilling)


@rows("package", LAZY)
def test_a_stub_has_every_name_and_each_once(package: str) -> None:
    stub = ast.parse((PACKAGE / package / "__init__.pyi").read_text(encoding="utf-8"))
    names = [
        alias.asname
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    module = import_module(".".join(("rentbilling", *package.split("/"))).rstrip("."))

    assert sorted(map(str, names)) == list(module.__all__)
    assert all(getattr(module, name) is not None for name in module.__all__)


def test_a_name_that_is_not_offered_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="pending_bill_s"):
        _ = rentbilling.pending_bill_s  # type: ignore[attr-defined, unused-ignore] # pyright: ignore[reportAttributeAccessIssue]


@rows(("face", "name"), FUNCTIONS)
def test_a_public_function_shows_how_it_is_called(face: str, name: str) -> None:
    assert ">>>" in getattr(import_module(face), name).__doc__


@rows(("face", "name"), FUNCTIONS)
def test_a_public_function_takes_the_policy_by_keyword(face: str, name: str) -> None:
    parameters = inspect.signature(getattr(import_module(face), name)).parameters
    if "policy" in parameters:
        assert inspect.Parameter.KEYWORD_ONLY is parameters["policy"].kind
