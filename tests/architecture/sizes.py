"""How large packages, modules and test files are, in lines of code and of docstrings."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.architecture.sources import ALL_MODULES, GUIDE, PACKAGE, nodes_of, text_of, tree_of

PAGE = GUIDE / "architecture.md"
HEAD = "| Package | Modules | Lines | Docstrings | Examples | Code |\n|---|---|---|---|---|---|\n"


class Size(NamedTuple):
    """Lines of some modules; imports, comments and blank lines are counted in `lines` alone."""

    modules: int
    lines: int
    docstrings: int
    """Without examples."""
    examples: int
    code: int

    @property
    def share(self) -> float:
        """Lines of docstrings to a line of code."""
        return self.docstrings / max(1, self.code)


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in nodes_of(tree):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value


def _examples(text: str) -> int:
    """Return the lines of runnable examples: from a prompt to the end of what it prints."""
    count, inside = 0, False
    for line in text.splitlines():
        inside = bool(line.strip()) and (inside or line.lstrip().startswith(">>> "))
        count += inside
    return count


def _span(node: ast.expr | ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def size_of(path: Path) -> Size:
    text, tree = text_of(path), tree_of(path)
    lines = text.splitlines()
    texts = list(_docstrings(tree))
    docstrings, examples = sum(map(_span, texts)), sum(_examples(str(each.value)) for each in texts)
    imports = sum(
        _span(node) for node in nodes_of(tree) if isinstance(node, (ast.Import, ast.ImportFrom))
    )
    inside = {
        line for each in texts for line in range(each.lineno, (each.end_lineno or each.lineno) + 1)
    }
    empty = sum(
        at not in inside and (not line.strip() or line.lstrip().startswith("#"))
        for at, line in enumerate(lines, 1)
    )
    code = len(lines) - docstrings - imports - empty
    return Size(1, len(lines), docstrings - examples, examples, code)


def package_of(path: Path) -> str:
    """Return the package that a module counts for; adapters by the part that they are."""
    first, *inner = path.relative_to(PACKAGE).parts
    if not inner:
        return "rentbilling"
    return f"adapters.{inner[0]}" if first == "adapters" and len(inner) > 1 else first


@cache
def sizes_by_package() -> dict[str, Size]:
    found: dict[str, Size] = {}
    for path in ALL_MODULES:
        name, size = package_of(path), size_of(path)
        before = found.get(name, Size(0, 0, 0, 0, 0))
        found[name] = Size(*(one + other for one, other in zip(before, size, strict=True)))
    return dict(sorted(found.items()))


def table() -> str:
    rows = sizes_by_package()
    whole = Size(*(sum(column) for column in zip(*rows.values(), strict=True)))
    return HEAD + "".join(
        f"| {name} | {size.modules} | {size.lines:,} | {size.docstrings:,} | {size.examples:,} "
        f"| {size.code:,} |\n"
        for name, size in {**rows, "all": whole}.items()
    )


if __name__ == "__main__":
    page = text_of(PAGE)
    begins = page.index(HEAD)
    ends = page.index("|\n", page.index("| all |", begins)) + 2
    PAGE.write_text(page[:begins] + table() + page[ends:], encoding="utf-8")
