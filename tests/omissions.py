"""A carried field left out at one place at a time, and the first test that finds it.

`python -m tests.omissions [FIELD ...]`, `description` without one, finds the places in the package:
where the field is read, entries of dictionaries, lists of names. It leaves out each in a process of
its own, which changes no file. A place whose value is no reading of the field only words something.
"""

import ast
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

TOP: Final = Path(__file__).resolve().parents[1]
FIRST: Final = ("tests/cases", "tests/laws/test_bills.py", "tests/laws/test_quick_bills.py")
"""The nearest tests of all places; then come those of its own package."""


class Place(NamedTuple):
    """A place where a module carries the field."""

    path: Path
    line: int
    kind: str
    tree: ast.Module
    leave_out: Callable[[], object]


def places(field: str) -> Iterator[Place]:
    """Give each place of the package, with a tree of its own module."""
    for path in sorted((TOP / "rentbilling").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for at in range(len([*_in_module(ast.parse(text), field)]) if field in text else 0):
            tree = ast.parse(text)
            line, kind, leave_out = [*_in_module(tree, field)][at]
            yield Place(path, line, kind, tree, leave_out)


def _in_module(tree: ast.Module, field: str) -> Iterator[tuple[int, str, Callable[[], object]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for at, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
                if _is(key, field) and any(_reads(each, field) for each in ast.walk(value)):
                    yield value.lineno, "entry", partial(_cut, node, at)
        elif isinstance(node, ast.Tuple | ast.List | ast.Set) and len(node.elts) > 1:
            for at, each in enumerate(node.elts):
                if _is(each, field):
                    yield each.lineno, "listed", partial(node.elts.pop, at)
        elif isinstance(node, ast.Constant) and _is_words(node.value, field):
            less = " ".join(each for each in node.value.split() if each != field)
            yield node.lineno, "words", partial(setattr, node, "value", less)
        for name, own in ast.iter_fields(node):
            for at, each in enumerate(own if isinstance(own, list) else [own]):
                if isinstance(each, ast.expr) and _reads(each, field):
                    yield each.lineno, "read", partial(_clear, node, name, at)


def _is(node: ast.expr | None, field: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == field


def _reads(node: ast.AST, field: str) -> bool:
    """Return whether an expression is the field of something, or what a call finds by its name."""
    if isinstance(node, ast.Call):
        return any(_is(each, field) for each in node.args)
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, ast.Load) and _is(node.slice, field)
    return isinstance(node, ast.Attribute) and node.attr.strip("_s") == field


def _is_words(value: object, field: str) -> bool:
    words = value.split() if isinstance(value, str) and "\n" not in value else []
    return field in words[1:] and all(each.isidentifier() and each.islower() for each in words)


def _cut(node: ast.Dict, at: int) -> None:
    del node.keys[at], node.values[at]


def _clear(node: ast.AST, name: str, at: int) -> None:
    own, none = getattr(node, name), ast.Constant(None)
    if isinstance(own, list):
        own[at] = none
    else:
        setattr(node, name, none)


class _Planted(MetaPathFinder):
    """Finds one module in another form."""

    def __init__(self, path: Path, code: Any) -> None:  # noqa: ANN401 - what a loader gives
        self._path, self._code = path, code
        parts = path.relative_to(TOP).with_suffix("").parts
        self._name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:  # noqa: ANN401
        if name != self._name:
            return None
        loader = SourceFileLoader(name, str(self._path))
        loader.get_code = lambda _: self._code  # type: ignore[method-assign]
        return importlib.util.spec_from_file_location(name, self._path, loader=loader)


class _FirstRed:
    """Remembers the first test that fails; cases that say every field come first."""

    name = ""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items.sort(key=lambda each: "every_field" not in each.name)

    def pytest_runtest_logreport(self, report: Any) -> None:  # noqa: ANN401
        self.name = self.name or (report.nodeid if report.failed else "")


def nearest(path: Path) -> list[str]:
    """Return the tests of a module: the cases, laws of bills, and those of its package."""
    package = path.relative_to(TOP / "rentbilling").parts[0]
    own = [TOP / "tests" / package.removesuffix(".py")]
    if package == "adapters":
        own = [*own[0].rglob(f"test_*{path.stem.rstrip('s')}*.py")]
    return [*FIRST, *(str(each) for each in own if each.exists())]


def first_red(place: Place) -> str:
    """Return the first red test where a place is left out; nothing where all are green."""
    place.leave_out()
    code = compile(ast.fix_missing_locations(place.tree), str(place.path), "exec")
    reading, writing = os.pipe()
    if not os.fork():
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        sys.meta_path.insert(0, _Planted(place.path, code))
        found = _FirstRed()
        try:
            options = ["-x", "-q", "-n0", "-pno:cacheprovider"]
            done = pytest.main([*nearest(place.path), *options], plugins=[found])
            said = found.name or ("" if done == 0 else "does not load")
        except BaseException:  # noqa: BLE001 - a package that does not load is red too
            said = "does not load"
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        said = told.read()
    os.wait()
    return said


def main(fields: list[str]) -> int:
    """Print a row for each place; return whether any is green."""
    green = 0
    for place in (each for field in fields or ["description"] for each in places(field)):
        red = first_red(place)
        green += not red
        where = f"{place.path.relative_to(TOP)}:{place.line}"
        print(f"{where:<52} {place.kind:<6} {red or 'GREEN'}", flush=True)
    return min(green, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
