"""Sentences of many cases in one file beside the tests; `--update-cases` rewrites it for review."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

Said = Callable[[], Iterable[object]]


def assert_said(request: pytest.FixtureRequest, tests: Path, cases: Mapping[str, Said]) -> None:
    """Compare what each case gives, in lines below its name, with the text file of the tests."""
    path = tests.with_suffix(".txt")
    said = "".join(
        f"{name}:\n" + "".join(f"    {line}\n" for each in give() for line in str(each).split("\n"))
        for name, give in cases.items()
    )
    if request.config.getoption("--update-cases"):
        path.write_text(said, encoding="utf-8")

    assert path.read_text(encoding="utf-8") == said
