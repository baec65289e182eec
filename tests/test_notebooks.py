"""The notebooks of the guide run as they stand, and use what is public.

Every cell is run in order, in a namespace of its notebook's own, as a notebook would run it: what
its last line is worth is shown, in every form that a notebook asks for. The figures that the texts
state are asserted in the cells.
"""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import jupytext
import pytest

from tests.architecture.sources import GUIDE

NOTEBOOKS: Final = tuple(sorted((GUIDE / "notebooks").glob("*.md")))
TITLES: Final = {
    "My rent next year",
    "Is a cap worth it?",
    "From 12 payments to 4",
    "Ten thousand futures",
    "Check my landlord's index adjustment",
}
PUBLIC: Final = (
    "rentbilling",
    "rentbilling.errors",
    "rentbilling.explanations",
    "rentbilling.presets",
    "rentbilling.reports",
    "rentbilling.whatif",
    "rentbilling.adapters.plots",
    "rentbilling.adapters.progress",
    "rentbilling.portfolio",
    "rentbilling.simulation",
    "rentbilling.tables",
    "rentbilling.testing",
    "rentbilling.values",
)
_SHOWN: Final = ("_repr_html_", "_repr_png_")
_FIGURE: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})*\.[0-9]{2}\b")
_LONGEST: Final = 22

notebooks = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells(path: Path, kind: str) -> list[str]:
    notebook = jupytext.read(path, fmt="md:myst")
    return [cell.source for cell in notebook.cells if cell.cell_type == kind]


def text_of(path: Path) -> str:
    return "\n\n".join(cells(path, "markdown"))


def shown(path: Path) -> list[Any]:
    names: dict[str, Any] = {"__name__": "__main__"}
    found = []
    for at, source in enumerate(cells(path, "code"), 1):
        tree = ast.parse(source, f"{path.name}, cell {at}")
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{path.name}, cell {at}", "exec"), names)  # noqa: S102
        if isinstance(last, ast.Expr):
            code = compile(ast.Expression(last.value), f"{path.name}, cell {at}", "eval")
            value = eval(code, names)  # noqa: S307
            found += [] if value is None else [value]
    return found


def imports(path: Path) -> Iterator[tuple[str, str]]:
    for source in cells(path, "code"):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom):
                yield from ((node.module or "", alias.name) for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names)


def test_the_five_notebooks_are_there() -> None:
    found = {text_of(path).splitlines()[0].removeprefix("# ") for path in NOTEBOOKS}

    assert found == TITLES


@notebooks
def test_a_notebook_runs_and_shows_tables_and_pictures(path: Path) -> None:
    values = shown(path)
    forms = [[name for name in _SHOWN if getattr(value, name, bool)()] for value in values]

    assert {("_repr_html_",), ("_repr_png_",)} == set(map(tuple, forms))


@notebooks
def test_a_notebook_uses_public_names_alone(path: Path) -> None:
    ours = [(room, name) for room, name in imports(path) if room.startswith("rentbilling")]
    hidden = [
        (room, name)
        for room, name in ours
        if room not in PUBLIC
        or (room != "rentbilling.adapters.progress" and name not in dir(import_module(room)))
    ]
    private = [
        node.attr
        for source in cells(path, "code")
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and node.attr.startswith("_")
    ]

    assert ours
    assert [] == hidden
    assert [] == private


@notebooks
def test_cells_are_short(path: Path) -> None:
    long = [source for source in cells(path, "code") if len(source.splitlines()) > _LONGEST]

    assert [] == long


@notebooks
def test_a_notebook_ends_with_an_answer_whose_figures_were_computed(path: Path) -> None:
    _, _, answer = text_of(path).partition("## The answer")
    (bold,) = re.findall(r"\*\*(.+?)\*\*", answer, re.DOTALL)
    code = "\n".join(cells(path, "code")).replace(",", "")
    figures = [each.replace(",", "") for each in _FIGURE.findall(bold)]
    unproven = [each for each in figures if each not in code]

    assert figures
    assert [] == unproven


@notebooks
def test_a_notebook_is_written_as_an_editor_writes_it(path: Path) -> None:
    notebook = jupytext.read(path, fmt="md:myst")
    again = jupytext.writes(notebook, fmt="md:myst")
    before, after = (text.split("\n---\n", 1)[1] for text in (path.read_text("utf-8"), again))

    assert before.strip() == after.strip()
