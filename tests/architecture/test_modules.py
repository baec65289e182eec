"""Modules are small enough to read, and have a name that says something."""

import ast

from tests.architecture.sources import ALL_MODULES, named, nodes_of, text_of, tree_of

MAX_LINES_OF_A_MODULE = 600
EMPTY_NAMES = frozenset({"util", "utils", "helper", "helpers", "common", "base", "core", "misc"})


def test_a_module_is_one_idea() -> None:
    """Up to some 500 lines it stays whole."""
    lines = {named(path): len(text_of(path).splitlines()) for path in ALL_MODULES}

    assert {} == {name: count for name, count in lines.items() if count > MAX_LINES_OF_A_MODULE}


def test_a_module_is_named_for_what_it_holds() -> None:
    empty = [path for path in ALL_MODULES if EMPTY_NAMES & {*path.with_suffix("").parts[-2:]}]

    assert [] == empty


def test_only_the_description_of_a_record_asks_pydantic_for_names_on_the_wire() -> None:
    """Older versions of pydantic know an alias only after they have built the validator."""
    asking = {
        named(path)
        for path in ALL_MODULES
        for node in nodes_of(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr == "alias"
    }

    assert {"rentbilling/records/description.py"} == asking
