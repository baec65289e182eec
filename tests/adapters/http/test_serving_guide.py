"""The session that the guide shows is what a real server answers, and its tables are the code's."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from typing import Final

import httpx
import pytest

from rentbilling.adapters.http import Limits
from rentbilling.service.problem_details import PROBLEM_KINDS
from tests.adapters.http.served import KEY, service
from tests.adapters.http.test_serving import running
from tests.architecture.sources import GUIDE, text_of

PAGE: Final = GUIDE / "serving.md"
BLOCK: Final = re.compile(r"^```console\n(?P<session>.*?)^```", re.MULTILINE | re.DOTALL)
ROW: Final = re.compile(
    r"^\| `(?P<type>/problems/[a-z-]+)` \| (?P<status>\d+) \| (?P<meaning>.*) \|$", re.MULTILINE
)
BOUND: Final = re.compile(r"^\| `(?P<name>[a-z_]+)` \| (?P<value>[\d,]+|none)[ ,]", re.MULTILINE)


def session() -> list[tuple[str, str]]:
    whole = "".join(block["session"] for block in BLOCK.finditer(text_of(PAGE)))
    commands = re.split(r"^\$ ", whole, flags=re.MULTILINE)[1:]
    found: list[tuple[str, str]] = []
    for each in commands:
        # A command goes on while a quote is open or its line ends with a backslash.
        lines = each.splitlines(keepends=True)
        command = ""
        while lines:
            command += lines.pop(0)
            if command.count("'") % 2 == 0 and not command.endswith("\\\n"):
                break
        found.append((command, "".join(lines)))
    return found


def by_httpx(command: str, base: str) -> str:
    words = shlex.split(command.replace("\\\n", " "))
    method, url, headers, body, form = "GET", "", {}, None, ""
    words = iter(words[1:])  # type: ignore[assignment]
    for word in words:
        if word == "-H":
            name, _, value = next(words).partition(": ")  # type: ignore[call-overload]
            headers[name] = value.replace("$KEY", KEY)
        elif word == "-d":
            method, body = "POST", next(words)  # type: ignore[call-overload]
        elif word == "-w":
            form = next(words)  # type: ignore[call-overload]
        elif word == "-o":
            next(words)  # type: ignore[call-overload]
        elif word != "-s":
            url = word.replace("$BASE", base)
    answer = httpx.request(method, url, headers=headers, content=body)
    return form.replace("%{http_code}", str(answer.status_code)) or answer.text


def by_curl(command: str, base: str) -> str:
    environment = {"BASE": base, "KEY": KEY, "PATH": "/usr/bin:/bin"}
    finished = subprocess.run(
        ["bash", "-c", command],  # noqa: S607
        env=environment,
        capture_output=True,
        check=True,
        text=True,
    )
    return finished.stdout


WAYS: Final = [by_httpx, *([by_curl] if shutil.which("curl") else [])]


@pytest.mark.parametrize("ask", WAYS, ids=lambda way: way.__name__)
def test_the_session_is_real(ask: Callable[[str, str], str]) -> None:
    commands = session()
    assert 8 == len(commands)
    with running(service()) as port:
        for command, printed in commands:
            found = ask(command, f"http://127.0.0.1:{port}")

            assert "".join(printed.split()) == "".join(found.split()), command


def test_the_table_of_problems_is_that_of_the_code() -> None:
    found = [row.groups() for row in ROW.finditer(text_of(PAGE))]

    assert [(each.type, str(each.status), each.meaning) for each in PROBLEM_KINDS.values()] == found


def test_the_table_of_bounds_is_that_of_the_code() -> None:
    limits = Limits()
    found = {
        row["name"]: None if row["value"] == "none" else int(row["value"].replace(",", ""))
        for row in BOUND.finditer(text_of(PAGE))
    }

    expected = {name: getattr(limits, name) for name in Limits.__dataclass_fields__}
    assert expected == found
    assert list(expected) == list(found)
