"""Every session prints what its text shows, and every option of the command line is in one.

pytest tests/sessions -k "title of a session"     pytest tests/sessions --update-cases
"""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

pytest.importorskip("pyarrow", reason="the extra bulk is not installed")

from rentbilling.adapters.cli.program import rentbilling
from tests.sessions.session import Session, commands_of, sessions

SESSIONS = [*sessions()]
OF_SERVICE = {"backup", "keys", "owner", "serve"}
FOUND = {"adjust-run", "bill-run", "report", "settle", "verify"}
"""Commands that set some aside, or find something: exit code 3."""
NEVER_REFUSING = {"example", "schema"}
NOT_SHOWN = {("bill-run", "--scheduler"), ("bill-run", "--engine dask")}
"""What needs a cluster, see tests/engines."""


@pytest.mark.parametrize("session", SESSIONS, ids=[f"{e.path.stem}: {e.title}" for e in SESSIONS])
def test_a_session_prints_what_it_shows(
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(tmp_path)
    played = session.played()
    if request.config.getoption("--update-cases"):
        text = session.path.read_text("utf-8").replace(session.text, played)
        session.path.write_text(text, "utf-8")
        return

    assert session.text == played


def commands(group: click.Group = rentbilling, *above: str) -> Iterator[tuple[str, click.Command]]:
    for name in {*group.list_commands(click.Context(group))} - OF_SERVICE:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, *above, name)
        else:
            yield " ".join([*above, name]), command


def typed() -> Iterator[tuple[str, list[str], int]]:
    """Give the commands of all sessions: name, the words behind it, and exit code."""
    names = {name for name, _ in commands()}
    for session in SESSIONS:
        for block in session.text.split("\n$ ")[1:]:
            line, _, shown = block.partition("\n")
            code = shown[shown.rindex("(exit ") + 6] if "(exit " in shown else "0"
            for _, (program, *words) in commands_of(line):
                for size in (1, 2):
                    if program == "rentbilling" and (name := " ".join(words[:size])) in names:
                        yield name, words[size:], int(code)


TYPED = [*typed()]


def test_every_option_is_in_a_session() -> None:
    """In one that is well formed; also each word of an option that is one of some."""
    used = {
        (name, " ".join(words[at:end]))
        for name, words, code in TYPED
        if code != 2
        for at in range(len(words))
        for end in (at + 1, at + 2)
    }
    wanted = {
        (name, f"{param.opts[0]}{word}")
        for name, command in commands()
        for param in command.params
        if isinstance(param, click.Option)
        for word in ("", *(f" {each}" for each in getattr(param.type, "choices", ())))
    }

    assert set() == wanted - used - NOT_SHOWN


def test_every_exit_code_is_in_a_session() -> None:
    found = {(name, code) for name, _, code in TYPED}
    wanted = {(name, code) for name, _ in commands() for code in (0, 1, 2)}
    wanted |= {(name, 3) for name, _ in commands() if name.partition(" ")[0] in FOUND}

    assert set() == wanted - found - {(name, 1) for name in NEVER_REFUSING}
