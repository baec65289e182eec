"""The console sessions of the tour are real: each command prints what the page shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import ROOT, calm

TOUR = ROOT / "rentbilling" / "guide" / "tour.md"
SESSION = re.compile(r"^```console\n(?P<lines>.*?)^```", re.MULTILINE | re.DOTALL)


def sessions() -> list[str]:
    return [each["lines"] for each in SESSION.finditer(TOUR.read_text(encoding="utf-8"))]


def replayed(shown: str) -> str:
    """Return a script that prints the commands of sessions, each with what it prints itself."""
    lines = [f'rentbilling() {{ "{sys.executable}" -m rentbilling "$@"; }}']
    for line in shown.splitlines():
        command = line.removeprefix("$ ")
        if command == line:
            continue
        # Printing the command must not change the exit code that the next one may ask for.
        lines += ["code=$?", "cat <<'END'", line, "END", "(exit $code)", command]
    return "\n".join(lines)


@pytest.mark.skipif(sys.platform == "win32", reason="the sessions are those of a POSIX shell")
def test_every_session_prints_what_is_shown(tmp_path: Path) -> None:
    shown = "".join(sessions())
    finished = subprocess.run(
        ["bash", "-c", replayed(shown)],  # noqa: S607
        cwd=tmp_path,
        env=calm(PYTHONPATH=str(ROOT), PYTHONIOENCODING="utf-8", COLUMNS="80"),
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=120,
    )

    assert "" == finished.stderr
    assert shown == finished.stdout


def test_the_tour_has_sessions_with_output() -> None:
    shown = "".join(sessions()).splitlines()

    assert sum(line.startswith("$ rentbilling ") for line in shown) >= 5
    assert sum(not line.startswith("$ ") for line in shown) >= 20
