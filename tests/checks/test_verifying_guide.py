"""The example project of the guide is run, and shows what the guide says that it shows."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.architecture.sources import GUIDE, text_of

PAGE = GUIDE / "verifying.md"
FILES = GUIDE / "verifying"
FIFTEEN = 15


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", text_of(PAGE), re.MULTILINE | re.DOTALL)
    return str(found)


def shown_by(folder: Path) -> str:
    # The plugins of others are left out: they take most of the time that a start takes.
    others = ("-p", "no:hypothesispytest", "-p", "no:schemathesis")
    options = ("-q", "-p", "no:cacheprovider", *others)
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "test_bills.py"],
        cwd=folder,
        capture_output=True,
        check=False,
        text=True,
    )
    lines = [line[8:].rstrip() for line in finished.stdout.splitlines() if line.startswith("E ")]
    return "\n".join(lines) + "\n"


def test_the_example_shows_the_three_mistakes_of_the_service(tmp_path: Path) -> None:
    shutil.copytree(FILES, tmp_path, dirs_exist_ok=True)
    code = block("py")
    (tmp_path / "test_bills.py").write_text(code, encoding="utf-8")

    assert FIFTEEN == len(code.splitlines())
    assert block("text") == shown_by(tmp_path)
