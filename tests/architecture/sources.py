"""Where the sources stand, and their syntax trees.

The core is every module of the package but the outer rings: adapters, what is shipped for users'
tests, and the door to the command line.
"""

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "rentbilling"
GUIDE = PACKAGE / "guide"
OUTER_RINGS = ("adapters", "testing", "__main__.py")

ALL_MODULES = tuple(sorted(PACKAGE.rglob("*.py")))
CORE_MODULES = tuple(
    path for path in ALL_MODULES if path.relative_to(PACKAGE).parts[0] not in OUTER_RINGS
)
TEST_MODULES = tuple(sorted((ROOT / "tests").rglob("*.py")))
DOCUMENTS = (ROOT / "README.md", *sorted(GUIDE.rglob("*.md")))

Function = ast.FunctionDef | ast.AsyncFunctionDef


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def by_folder(paths: Iterable[Path]) -> dict[str, list[Path]]:
    """Group files for tests of a folder: a test of each file costs more than it checks."""
    folders: dict[str, list[Path]] = {}
    for path in paths:
        folders.setdefault(named(path.parent), []).append(path)
    return folders


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


def functions_of(tree: ast.Module) -> Iterator[Function]:
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


@cache
def remarks_of(path: Path) -> tuple[tuple[int, str], ...]:
    """Return comments and docstrings (also those under a field), each with its line."""
    return tuple(_remarks(path))


def _remarks(path: Path) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text_of(path)).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(tree_of(path)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.value.value
