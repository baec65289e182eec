"""Outlines of workings, in files of `outlines`; `--update-cases` rewrites them for a review."""

from pathlib import Path

import pytest

from tests.support.explained import Outlined

FOLDER = Path(__file__).parent / "outlines"


@pytest.fixture
def outlined(request: pytest.FixtureRequest) -> Outlined:
    """Return what compares the text of a working with the file of a name."""

    def compare(name: str, working: object) -> None:
        path = FOLDER / f"{name.replace(' ', '_')}.txt"
        text = f"{working}\n"
        if request.config.getoption("--update-cases"):
            path.write_bytes(text.encode())

        assert path.read_bytes().decode() == text

    return compare
