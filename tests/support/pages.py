"""The files and the console sessions that a page of the guide shows, taken from it to be run.

    python -m tests.support.pages FOLDER

writes the typed programs of the recipes, for the type checkers.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.architecture.sources import GUIDE, text_of
from tests.support.command_line import ROOT, calm

BLOCK: Final = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
NAME: Final = re.compile(r"(?:#|--) (?P<path>[\w./@-]+)\n")
TYPED: Final = ("tables_to_bills", "fastapi", "bills_in_ci")
# The programs that the sessions name, by this interpreter, so that they need not be installed.
PROGRAMS: Final = f"""\
python() {{ "{sys.executable}" "$@"; }}
pytest() {{ python -m pytest -p no:cacheprovider -p no:hypothesispytest -p no:schemathesis "$@"; }}
rentbilling() {{ python -m rentbilling "$@"; }}
sqlite3() {{ python -c "$SQLITE" "$@"; }}
"""
SQLITE: Final = """
import sqlite3, sys
file, *given = sys.argv[1:]
with sqlite3.connect(file) as db:
    for script in given or [sys.stdin.read()]:
        if script.startswith(".backup "):
            with sqlite3.connect(script.split()[1]) as copy:
                db.backup(copy)
        elif script.startswith("SELECT"):
            for row in db.execute(script):
                print(*row, sep="|")
        else:
            db.executescript(script)
"""


def blocks_of(page: Path, language: str) -> list[str]:
    found = BLOCK.finditer(text_of(page))
    return [block["text"] for block in found if block["language"] == language]


def files_of(page: Path) -> dict[str, str]:
    """Return the files that a page shows: the blocks whose first line is a comment with a path."""
    texts = [block["text"] for block in BLOCK.finditer(text_of(page))]
    return {name["path"]: text for text in texts if (name := NAME.match(text))}


def write_files(page: Path, folder: Path) -> None:
    for path, text in files_of(page).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def sessions_of(page: Path) -> str:
    return "".join(blocks_of(page, "console"))


def printed_by(shown: str, folder: Path) -> str:
    """Return what the commands of sessions print in a folder, each after the command itself."""
    lines: list[str] = []
    for line in shown.splitlines():
        command = line.removeprefix("$ ")
        if command == line:
            continue
        # Printing the command must not change the exit code that the next one may ask for.
        lines += ["code=$?", "cat <<'END'", line, "END", "(exit $code)", command]
    return run("\n".join(lines), folder)


def run(script: str, folder: Path, **environment: str) -> str:
    """Return what a script prints in a folder; on standard error it may print nothing."""
    given = {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "SQLITE": SQLITE, **environment}
    finished = subprocess.run(
        ["bash", "-c", PROGRAMS + script],  # noqa: S607
        cwd=folder,
        env=calm(**given),
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=300,
    )
    assert "" == finished.stderr
    return finished.stdout


def main(folder: Path) -> None:
    for name in TYPED:
        write_files(GUIDE / "recipes" / f"{name}.md", folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
