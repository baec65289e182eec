"""The Django project of the guide bills its models, and its store passes the contract of stores."""

from pathlib import Path

from tests.architecture.sources import GUIDE
from tests.support.command_line import ROOT
from tests.support.pages import blocks_of, printed_by, run, sessions_of, write_files

PAGE = GUIDE / "recipes" / "django.md"
BEGIN, CONTRACT = blocks_of(PAGE, "sh")


def test_the_project_prints_what_is_shown_and_its_store_passes_the_contract(tmp_path: Path) -> None:
    run(BEGIN, tmp_path)
    write_files(PAGE, tmp_path)
    shown = sessions_of(PAGE)

    assert shown == printed_by(shown, tmp_path)

    said = run(CONTRACT, ROOT, PYTHONPATH=f"{ROOT}:{tmp_path}")

    assert "failed" not in said
    assert " passed" in said
