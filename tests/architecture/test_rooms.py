"""Rooms are small enough to read, say what they are for, and have a name that says something."""

import ast
from pathlib import Path

import pytest

from tests.architecture.sources import (
    ALL_MODULES,
    TEST_MODULES,
    Function,
    functions_of,
    named,
    text_of,
    tree_of,
)

MAX_LINES_OF_A_MODULE = 600
MAX_LINES_OF_A_FUNCTION = 60
EMPTY_NAMES = frozenset({"util", "utils", "helper", "helpers", "common", "base", "core", "misc"})


def lines_of(function: Function) -> int:
    """Return the lines of a function without its docstring, which examples make long."""
    length = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is not None:
        length -= (first.end_lineno or first.lineno) - first.lineno + 1
    return length


@pytest.mark.parametrize("path", ALL_MODULES, ids=named)
def test_a_room_is_small(path: Path) -> None:
    """When a room is full, it is split by a word of the field."""
    lines = len(text_of(path).splitlines())

    assert lines <= MAX_LINES_OF_A_MODULE


@pytest.mark.parametrize("path", [*ALL_MODULES, *TEST_MODULES], ids=named)
def test_a_function_is_small(path: Path) -> None:
    """A function fits on a page."""
    long = {
        function.name: lines
        for function in functions_of(tree_of(path))
        if (lines := lines_of(function)) > MAX_LINES_OF_A_FUNCTION
    }

    assert {} == long


@pytest.mark.parametrize("path", [*ALL_MODULES, *TEST_MODULES], ids=named)
def test_a_room_says_what_it_is_for(path: Path) -> None:
    """Every module begins with a docstring."""
    told = ast.get_docstring(tree_of(path))

    assert told


@pytest.mark.parametrize("path", ALL_MODULES, ids=named)
def test_a_room_is_named_for_what_it_holds(path: Path) -> None:
    """No module or package is called by a word that could hold anything."""
    empty = EMPTY_NAMES.intersection(path.with_suffix("").parts[-2:])

    assert frozenset() == empty
