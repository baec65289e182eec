"""Packages and modules are small enough to read, and have a name that says something."""

import ast
from collections import Counter

from tests.architecture.sources import (
    ALL_MODULES,
    TEST_MODULES,
    Function,
    functions_of,
    named,
    nodes_of,
    text_of,
    tree_of,
)

MAX_LINES_OF_A_MODULE = 600
MAX_MODULES_OF_A_PACKAGE = 14
MAX_LINES_OF_A_FUNCTION = 60
EMPTY_NAMES = frozenset({"util", "utils", "helper", "helpers", "common", "base", "core", "misc"})


def lines_of(function: Function) -> int:
    """Return the lines of a function without its docstring, which examples make long."""
    length = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is not None:
        length -= (first.end_lineno or first.lineno) - first.lineno + 1
    return length


def test_a_module_is_one_idea() -> None:
    """Up to some 500 lines it stays whole."""
    lines = {named(path): len(text_of(path).splitlines()) for path in ALL_MODULES}

    assert {} == {name: count for name, count in lines.items() if count > MAX_LINES_OF_A_MODULE}


def test_a_package_is_seen_at_a_glance() -> None:
    counts = Counter(named(path.parent) for path in ALL_MODULES if path.name != "__init__.py")

    assert set() == {name for name, count in counts.items() if count > MAX_MODULES_OF_A_PACKAGE}


def test_a_module_is_named_for_what_it_holds() -> None:
    empty = [path for path in ALL_MODULES if EMPTY_NAMES & {*path.with_suffix("").parts[-2:]}]

    assert [] == empty


def test_functions_are_small() -> None:
    long = {
        f"{named(path)}:{function.name}": lines
        for path in (*ALL_MODULES, *TEST_MODULES)
        for function in functions_of(tree_of(path))
        if (lines := lines_of(function)) > MAX_LINES_OF_A_FUNCTION
    }

    assert {} == long


def test_modules_say_what_they_are_for() -> None:
    modules = (*ALL_MODULES, *TEST_MODULES)

    assert [] == [named(path) for path in modules if not ast.get_docstring(tree_of(path))]


def test_only_the_description_of_a_record_asks_pydantic_for_names_on_the_wire() -> None:
    """Older versions of pydantic know an alias only after they have built the validator."""
    asking = {
        named(path)
        for path in ALL_MODULES
        for node in nodes_of(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr == "alias"
    }

    assert {"rentbilling/records/description.py"} == asking
