"""The page about the packages says what the import contract says, and names modules that exist."""

import re
import tomllib

from tests.architecture.sources import GUIDE, PACKAGE, ROOT, text_of

PAGE = text_of(GUIDE / "architecture.md")
NAMED = re.compile(r"`((?:[a-z_]+\.)+[a-z_]+)`")
FILES = re.compile(r"`([a-z_/]+\.py)`")


def rows_of_the_contract() -> list[str]:
    settings = tomllib.loads(text_of(ROOT / "pyproject.toml"))
    first = settings["tool"]["importlinter"]["contracts"][0]
    return [row for row in first["layers"] if row != "lazy"]


def test_the_picture_is_the_contract() -> None:
    picture = PAGE.partition("```text\n")[2].partition("```")[0]

    assert rows_of_the_contract() == [
        line.partition("   ")[0].strip() for line in picture.splitlines()
    ]


def test_every_module_that_is_named_exists() -> None:
    modules = {
        name.replace(".", "/")
        for name in NAMED.findall(PAGE)
        if not name.endswith((".py", ".toml"))
    }
    files = {name.removesuffix(".py") for name in FILES.findall(PAGE)}
    there = {
        name
        for name in modules | files
        if (PACKAGE / f"{name}.py").exists() or (PACKAGE / name / "__init__.py").exists()
    }

    assert modules
    assert files
    assert modules | files == there
