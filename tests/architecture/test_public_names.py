"""What the package offers by name is there, says what it is, and shows how it is called."""

import ast
import inspect
import typing

import pytest

import rentbilling
from tests.architecture.sources import PACKAGE, tree_of


def is_function(name: str) -> bool:
    return inspect.isfunction(getattr(rentbilling, name))


PUBLIC = tuple(rentbilling.__all__)
FUNCTIONS = tuple(name for name in PUBLIC if is_function(name))
TYPES = tuple(name for name in PUBLIC if inspect.isclass(getattr(rentbilling, name)))


def test_the_list_of_public_names_cannot_change() -> None:
    """`__all__` is a tuple, so that nobody appends to it."""
    assert isinstance(rentbilling.__all__, tuple)


def test_no_public_name_is_listed_twice() -> None:
    assert len(set(PUBLIC)) == len(PUBLIC)


def test_type_checkers_see_every_public_name() -> None:
    seen = {
        alias.asname or alias.name
        for node in ast.walk(tree_of(PACKAGE / "__init__.py"))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rentbilling.")
        for alias in node.names
    }

    assert set(PUBLIC) == seen


def test_completion_offers_every_public_name() -> None:
    unseen = set(PUBLIC) - set(dir(rentbilling))

    assert set() == unseen


def test_a_name_that_is_not_offered_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="pending_bill_s"):
        _ = rentbilling.pending_bill_s  # type: ignore[attr-defined, unused-ignore] # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("name", [*FUNCTIONS, *TYPES])
def test_a_public_name_says_what_it_is(name: str) -> None:
    told = vars(getattr(rentbilling, name)).get("__doc__") or getattr(rentbilling, name).__doc__

    assert told
    assert told.strip()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_shows_how_it_is_called(name: str) -> None:
    told = getattr(rentbilling, name).__doc__

    assert ">>>" in told


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_says_the_type_of_everything(name: str) -> None:
    function = getattr(rentbilling, name)
    hints = typing.get_type_hints(function)

    assert {*inspect.signature(function).parameters, "return"} == set(hints)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_takes_the_policy_by_keyword(name: str) -> None:
    parameters = inspect.signature(getattr(rentbilling, name)).parameters
    if "policy" in parameters:
        assert inspect.Parameter.KEYWORD_ONLY is parameters["policy"].kind
