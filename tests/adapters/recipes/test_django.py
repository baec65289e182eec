"""The Django project of the guide bills its models, and its store passes the contract of stores."""

from pathlib import Path

import pytest

from tests.architecture.sources import GUIDE
from tests.support.command_line import ROOT
from tests.support.pages import blocks_of, printed_by, run, sessions_of, write_files

PAGE = GUIDE / "recipes" / "django.md"
BEGIN, CONTRACT = blocks_of(PAGE, "sh")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    run(BEGIN, tmp_path)
    write_files(PAGE, tmp_path)
    return tmp_path


def test_the_project_prints_what_is_shown(project: Path) -> None:
    shown = sessions_of(PAGE)

    assert shown == printed_by(shown, project)


def test_the_store_passes_the_contract(project: Path) -> None:
    run("python manage.py makemigrations rents --verbosity 0", project)
    said = run(CONTRACT, ROOT, PYTHONPATH=f"{ROOT}:{project}")

    assert "failed" not in said
    assert " passed" in said
