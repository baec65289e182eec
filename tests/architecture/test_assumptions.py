"""Every choice of ours is in the register, and what the register says holds now is in the code.

A tag is the letter A and a number in a comment or a docstring, or `Interface:` and the names of
fields on the wire where the interface itself states the rule. The register is the page
`guide/registers/assumptions.md`: tables whose rows begin with the tag, with a column "Status" or
"Since" that says `now` where the choice is already made by the code.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture import sources

REGISTER = sources.GUIDE / "registers" / "assumptions.md"
TAG = re.compile(r"\bA[1-9]\d{0,2}\b")
INTERFACE_TAG = re.compile(r"^# Interface: *(?P<fields>.+)$")
HERE = Path(__file__).resolve()


def tags_in(paths: tuple[Path, ...]) -> Iterator[tuple[str, str]]:
    # Most files say no tag anywhere, and taking them apart is slow.
    for path in filter(lambda path: TAG.search(sources.text_of(path)), paths):
        for line, remark in sources.remarks_of(path):
            for tag in TAG.findall(remark):
                yield tag, f"{sources.named(path)}:{line}"


def cells_of(row: str) -> list[str]:
    """Return the cells of a table row; a pipe behind a backslash belongs to its cell."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]]


def register() -> dict[str, str]:
    statuses: dict[str, str] = {}
    column = None
    for line in sources.text_of(REGISTER).splitlines():
        if not line.startswith("|"):
            column = None
            continue
        cells = cells_of(line)
        if column is None:
            words = [cell.lower() for cell in cells]
            column = next((words.index(word) for word in ("status", "since") if word in words), -1)
        elif TAG.fullmatch(cells[0]):
            assert cells[0] not in statuses, f"{cells[0]} has two rows"
            statuses[cells[0]] = cells[column].strip("`").lower() if column >= 0 else ""
    return statuses


@pytest.fixture(scope="module")
def statuses() -> dict[str, str]:
    return register()


def test_the_register_holds_every_assumption_once_and_in_order(statuses: dict[str, str]) -> None:
    """The rows are in the order of their numbers; some numbers were given and not used."""
    numbers = [int(tag[1:]) for tag in statuses]

    assert sorted(numbers) == numbers


def test_the_register_says_of_every_assumption_whether_it_holds_now(
    statuses: dict[str, str],
) -> None:
    assert {"now", "later"} >= set(statuses.values())


def test_every_tag_is_in_the_register(statuses: dict[str, str]) -> None:
    # Taking a file apart is slow, and few have a word such as `A4` that is none of the register.
    odd = tuple(
        path
        for path in (*sources.ALL_MODULES, *sources.TEST_MODULES)
        if not statuses.keys() >= {*TAG.findall(sources.text_of(path))}
    )
    unknown = [f"{tag} at {place}" for tag, place in tags_in(odd) if tag not in statuses]

    assert [] == unknown


@pytest.mark.parametrize(
    ("place", "paths"),
    [
        ("the code", sources.CORE_MODULES),
        ("the tests", tuple(path for path in sources.TEST_MODULES if path.parent != HERE.parent)),
    ],
)
def test_every_assumption_that_holds_now_is_cited(
    statuses: dict[str, str], place: str, paths: tuple[Path, ...]
) -> None:
    missing = {tag for tag, status in statuses.items() if status == "now"}
    # Taking a file apart is slow: only those are that have a word of one not found so far.
    for path in paths:
        if missing.intersection(TAG.findall(sources.text_of(path))):
            missing -= {tag for tag, _ in tags_in((path,))}

    assert set() == missing, f"not cited in {place}"


def fields_on_the_wire() -> set[str]:
    named_in_python = {
        name
        for path in sources.CORE_MODULES
        for node in sources.nodes_of(sources.tree_of(path))
        for name in (
            [node.target.id]
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
            else [node.name]
            if isinstance(node, (ast.FunctionDef, ast.ClassDef))
            else []
        )
    }
    return {
        re.sub(r"_([a-z])", lambda found: found[1].upper(), name[:1].lower() + name[1:])
        for name in named_in_python
    }


def test_every_interface_tag_names_fields_that_exist() -> None:
    known = fields_on_the_wire()
    unknown = [
        f"{field} at {sources.named(path)}:{line}"
        for path in sources.ALL_MODULES
        if "# Interface:" in sources.text_of(path)
        for line, remark in sources.remarks_of(path)
        if (tag := INTERFACE_TAG.match(remark))
        for field in tag["fields"].split(", ")
        if not known.issuperset(field.split("."))
    ]

    assert [] == unknown
