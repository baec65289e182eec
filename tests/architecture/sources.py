"""Where the sources stand, and their syntax trees.

The core is every module of the package but the outer rings: adapters, what is shipped for users'
tests, and the door to the command line.
"""

import ast
import io
import tokenize
from collections.abc import Iterator
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
DOCUMENTS = (
    ROOT / "README.md",
    *sorted(GUIDE.rglob("*.md")),
    *sorted((ROOT / ".github").rglob("*.md")),
    *sorted((ROOT / "tests").glob("*.md")),
    *sorted((ROOT / "benchmarks").glob("*.md")),
)


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@cache
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return all that is in a tree, which many tests look through."""
    return tuple(ast.walk(tree))


@cache
def remarks_of(path: Path) -> tuple[tuple[int, str], ...]:
    """Return comments and docstrings (also those under a field), each with its line."""
    return tuple(_remarks(path))


def _remarks(path: Path) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text_of(path)).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in nodes_of(tree_of(path)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.value.value
