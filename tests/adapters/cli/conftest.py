"""Texts that commands print, in files of `printed`; `--update-cases` rewrites them for a review."""

import re
from pathlib import Path

import pytest
from click.testing import Result

from tests.support.command_line import Golden

FOLDER = Path(__file__).parent / "printed"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Return what compares a finished command with the file of a name."""

    def compare(name: str, finished: Result) -> None:
        path = FOLDER / f"{name.replace(', ', '-').replace(' ', '_')}.txt"
        text = finished.stdout
        if notices := re.findall(r"^Notice: .*\[(\w+)\]$", finished.stderr, re.MULTILINE):
            text += f"\n[notices: {', '.join(notices)}]\n"
        if finished.exit_code:
            text += f"\n[exit code: {finished.exit_code}]\n"
        if request.config.getoption("--update-cases"):
            path.write_bytes(text.encode())

        assert path.read_bytes().decode() == text

    return compare
