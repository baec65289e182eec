"""The console sessions of the tour are real: each command prints what the page shows."""

import sys
from pathlib import Path

import pytest

from tests.support.command_line import ROOT
from tests.support.pages import printed_by, sessions_of

TOUR = ROOT / "rentbilling" / "guide" / "tour.md"


@pytest.mark.skipif(sys.platform == "win32", reason="the sessions are those of a POSIX shell")
def test_every_session_prints_what_is_shown(tmp_path: Path) -> None:
    shown = sessions_of(TOUR)

    assert shown == printed_by(shown, tmp_path)


def test_the_tour_has_sessions_with_output() -> None:
    shown = sessions_of(TOUR).splitlines()

    assert sum(line.startswith("$ rentbilling ") for line in shown) >= 5
    assert sum(not line.startswith("$ ") for line in shown) >= 20
