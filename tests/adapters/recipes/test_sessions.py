"""The sessions of the README, the guide and the recipes are run, and print what the pages show."""

import sys
from pathlib import Path

import pytest

from tests.architecture.sources import GUIDE, ROOT, named
from tests.support.pages import printed_by, sessions_of, write_files

RECIPES = GUIDE / "recipes"
TABLES = RECIPES / "tables_to_bills.md"
OF_THE_GUIDE = (GUIDE / "tour.md", GUIDE / "what_if.md")
PAGES = (
    *OF_THE_GUIDE,
    ROOT / "README.md",
    TABLES,
    RECIPES / "fastapi.md",
    RECIPES / "bills_in_ci.md",
)


@pytest.mark.skipif(sys.platform == "win32", reason="the sessions are those of a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_page_prints_what_is_shown(page: Path, tmp_path: Path) -> None:
    # Others go on from the tables and the program of one page.
    for files in (TABLES, page):
        write_files(files, tmp_path)
    shown = sessions_of(page)

    assert "$ " in shown
    assert shown == printed_by(shown, tmp_path)
