"""Every choice of ours is in the register, and what the register says holds now is in the code.

A tag is the letter A and a number in a comment or a docstring. The register is the page
`guide/registers/assumptions.md`: tables whose rows begin with the tag, with a column "Status" or
"Since" that says `now` where the choice is already made by the code.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture import sources

REGISTER = sources.GUIDE / "registers" / "assumptions.md"
TAG = re.compile(r"\bA[1-9]\d{0,2}\b")


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


def test_every_tag_is_in_the_register(statuses: dict[str, str]) -> None:
    # Taking a file apart is slow, and few have a word such as `A4` that is none of the register.
    odd = tuple(
        path
        for path in (*sources.ALL_MODULES, *sources.TEST_MODULES)
        if not statuses.keys() >= {*TAG.findall(sources.text_of(path))}
    )
    unknown = [f"{tag} at {place}" for tag, place in tags_in(odd) if tag not in statuses]

    assert [] == unknown


def test_every_assumption_that_holds_now_is_cited(statuses: dict[str, str]) -> None:
    missing = {tag for tag, status in statuses.items() if status == "now"}
    # Taking a file apart is slow: only those are that have a word of one not found so far.
    for path in sources.CORE_MODULES:
        if missing.intersection(TAG.findall(sources.text_of(path))):
            missing -= {tag for tag, _ in tags_in((path,))}

    assert set() == missing
