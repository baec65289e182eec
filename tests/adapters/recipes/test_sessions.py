"""The programs of the recipes are run as the pages show them, and print what the pages show."""

import sys
from pathlib import Path

import pytest

from tests.architecture.sources import GUIDE
from tests.support.pages import printed_by, sessions_of, write_files

PAGES = ("tables_to_bills", "fastapi", "bills_in_ci")


@pytest.mark.skipif(sys.platform == "win32", reason="the sessions are those of a POSIX shell")
@pytest.mark.parametrize("name", PAGES)
def test_a_recipe_prints_what_is_shown(name: str, tmp_path: Path) -> None:
    page = GUIDE / "recipes" / f"{name}.md"
    # The others go on from the tables and the program of the first.
    write_files(GUIDE / "recipes" / "tables_to_bills.md", tmp_path)
    write_files(page, tmp_path)
    shown = sessions_of(page)

    assert "$ " in shown
    assert shown == printed_by(shown, tmp_path)
