"""A carried field left out at one place at a time, and the first test that finds it.

`python -m tests.omissions [FIELD ...]`, `description` without one, finds the places in the package:
where the field is read, entries of dictionaries that carry it, lists of names. Each is left out in
a process of its own, which changes no file. A comparison of the field with itself is one place.
"""

import ast
import importlib.util
import os
import sys
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import pytest

TOP: Final = Path(__file__).resolve().parents[1]


class _Without(ast.NodeTransformer):
    """Leaves one place of a module out, by its number."""

    def __init__(self, field: str, number: int) -> None:
        self.field, self.left, self.place = field, number, ""

    def visit(self, node: ast.AST) -> Any:  # noqa: ANN401
        if isinstance(node, ast.expr) and self._reads(node) and self._is_it(node, "read"):
            return ast.copy_location(ast.Constant(None), node)
        if isinstance(node, ast.Compare) and all(map(self._reads, [node.left, *node.comparators])):
            node.left = self.visit(node.left)
            return node
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and len(node.elts) > 1:
            node.elts = [e for e in node.elts if not (self._names(e) and self._is_it(e, "listed"))]
        elif isinstance(node, ast.Dict):
            for at, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
                # An entry that reads nothing of the field only describes something.
                carries = self._names(key) and any(map(self._reads, ast.walk(value)))
                if carries and self._is_it(value, "entry"):
                    del node.keys[at], node.values[at]
                    break
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
            named = self.field in words[1:] and all(map(str.isidentifier, words))
            if named and node.value.islower() and self._is_it(node, "words"):
                node.value = " ".join(each for each in words if each != self.field)
        return super().visit(node)

    def _is_it(self, node: ast.expr, kind: str) -> bool:
        found, self.left = self.left == 0, self.left - 1
        if found:
            self.place = f"{node.lineno} {kind}"
        return found

    def _names(self, node: ast.expr | None) -> bool:
        return isinstance(node, ast.Constant) and node.value == self.field

    def _reads(self, node: ast.AST) -> bool:
        """Return whether it is the field of something, or what a call finds by its name."""
        if isinstance(node, ast.Call):
            return any(map(self._names, node.args))
        if isinstance(node, ast.Subscript):
            return isinstance(node.ctx, ast.Load) and self._names(node.slice)
        return isinstance(node, ast.Attribute) and node.attr.strip("_s") == self.field


class _Planted(MetaPathFinder):
    """Finds one module in another form, and remembers the first test that fails."""

    def __init__(self, path: Path, tree: ast.Module) -> None:
        self._code = compile(ast.fix_missing_locations(tree), str(path), "exec")
        self._name = ".".join(path.relative_to(TOP).with_suffix("").parts)
        self._path, self.red = path, ""

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:  # noqa: ANN401
        if name != self._name:
            return None
        loader = SourceFileLoader(name, str(self._path))
        loader.get_code = lambda _: self._code  # type: ignore[method-assign, assignment]
        return importlib.util.spec_from_file_location(name, self._path, loader=loader)

    def pytest_runtest_logreport(self, report: Any) -> None:  # noqa: ANN401
        self.red = self.red or (report.nodeid if report.failed else "")


def nearest(path: Path) -> Iterator[list[str]]:
    """Give the tests of a module: cases that state every field, laws, its package, all cases."""
    package = path.relative_to(TOP / "rentbilling").parts[0].removesuffix(".py")
    own = [TOP / "tests" / package]
    if package == "adapters":
        own = [*own[0].rglob(f"test_*{path.stem.partition('_')[0][:6]}*.py")]
    yield ["tests/cases", "-k", "every_field"]
    yield ["tests/laws/test_bills.py", "tests/laws/test_quick_bills.py"]
    yield [*(str(each) for each in own if each.exists()), "tests/cases"]


def first_red(path: Path, tree: ast.Module) -> str:
    """Return the first red test where a module has this form; nothing where all are green."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    planted, options = _Planted(path, tree), ["-x", "-q", "-n0", "-pno:cacheprovider"]
    sys.meta_path.insert(0, planted)
    is_red = any(pytest.main([*tests, *options], [planted]) for tests in nearest(path))
    return planted.red or "does not load" * is_red


def main(fields: list[str]) -> int:
    """Print a row for each place; return 1 where any is green."""
    modules = sorted((TOP / "rentbilling").rglob("*.py"), key=lambda p: ("adapters" in p.parts, p))
    found = 0
    for field, path in product(fields or ["description"], modules):
        text = path.read_text(encoding="utf-8")
        # Before all others one module as it is, whose tests must be green.
        for number in range(-(path == modules[0]), text.count(field)):
            less = _Without(field, number)
            tree = less.visit(ast.parse(text))
            if less.place or number < 0:
                with get_context("fork").Pool(1) as process:
                    red = process.apply(first_red, (path, tree)) or "GREEN"
                found |= (red == "GREEN") == (number >= 0)
                where = (
                    f"{path.relative_to(TOP)}:{less.place}" if less.place else "nothing left out"
                )
                print(f"{where:<55} {red}", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
