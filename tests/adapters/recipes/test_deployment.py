"""The files of the deployment page are well formed, and fit the service."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import make_url

from rentbilling.adapters.http import Limits
from tests.architecture.sources import GUIDE, ROOT, text_of
from tests.support.pages import blocks_of, files_of, printed_by, run, sessions_of

PAGE: Final = GUIDE / "recipes" / "deployment.md"
FILES: Final = files_of(PAGE)
NGINX: Final = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
INSTRUCTION: Final = re.compile("FROM|COPY|RUN|USER|WORKDIR|VOLUME|ENV|EXPOSE|HEALTHCHECK CMD|CMD")


def test_the_backup_is_a_copy(tmp_path: Path) -> None:
    shown = sessions_of(PAGE)

    assert shown == printed_by(shown, tmp_path)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    """With a program that is there, because systemd looks for it."""
    unit = tmp_path / "rentbilling@8000.service"
    text = re.sub(
        "^ExecStart=[^ ]+", "ExecStart=/bin/true", FILES["rentbilling@.service"], flags=re.MULTILINE
    )
    unit.write_text(text, encoding="utf-8")
    verified = subprocess.run(
        ["systemd-analyze", "verify", str(unit)],  # noqa: S607
        capture_output=True,
        check=False,
        text=True,
    )

    assert (0, "") == (verified.returncode, verified.stderr)


def test_nginx_has_whole_directives_and_lets_through_what_the_service_takes() -> None:
    text = FILES["nginx.conf"]
    lines = [line.strip() for line in text.splitlines()[1:] if line.strip()]
    (size,) = re.findall(r"client_max_body_size (\d+)m;", text)
    (seconds,) = re.findall(r"client_body_timeout (\d+)s;", text)

    assert [] == [line for line in lines if line[-1] not in "{};"]
    assert text.count("{") == text.count("}")
    assert int(size) * 2**20 >= Limits().most_bytes
    assert int(seconds) >= Limits().body_seconds


@pytest.mark.skipif(
    not (NGINX and shutil.which("openssl")), reason="there is no nginx, or no openssl"
)
def test_nginx_accepts_the_configuration(tmp_path: Path) -> None:
    """With a certificate that is there, and as part of the whole that a package of nginx has."""
    for command in (
        "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=rent -days 1 -keyout key -out pem",
        f"{NGINX} -t -p {tmp_path} -c {tmp_path}/whole.conf",
    ):
        text = re.sub(r"/etc/ssl/\S+[.](key|pem)", rf"{tmp_path}/\1", FILES["nginx.conf"])
        (tmp_path / "whole.conf").write_text(
            f"pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}}\nhttp {{\n{text}\n}}\n",
            encoding="utf-8",
        )
        done = subprocess.run(
            command.split(), cwd=tmp_path, capture_output=True, check=False, text=True
        )

        assert 0 == done.returncode, done.stderr


def test_the_container_starts_a_command_with_variables_that_it_has() -> None:
    lines = FILES["Containerfile"].splitlines()[1:]
    options = text_of(GUIDE / "serving.md")
    (command,) = [json.loads(line[4:]) for line in lines if line.startswith("CMD ")]
    variables = re.findall(r"\b(RENTBILLING_[A-Z]+)=", FILES["Containerfile"])
    (extras,) = re.findall(r"/src\[([a-z,]+)]", FILES["Containerfile"])
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]

    assert [] == [line for line in lines if line and not INSTRUCTION.match(line)]
    assert all(f"`{name}`" in options for name in variables)
    assert set(extras.split(",")) <= project["optional-dependencies"].keys()
    assert ["rentbilling", "serve"] == command
    (checked,) = [line for line in lines if line.startswith("HEALTHCHECK CMD ")]
    assert "--port" in run(" ".join(command) + " --help", ROOT)
    compile(checked.partition('"')[2].rpartition('"')[0], "health", "exec")


def test_the_urls_are_those_of_a_driver_that_is_documented() -> None:
    urls = re.findall(r"postgresql[+]psycopg://\S+", text_of(PAGE))

    assert 3 == len(urls)
    assert {"postgresql+psycopg"} == {make_url(each).drivername for each in urls}


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a POSIX shell")
@pytest.mark.parametrize("number", range(len(blocks_of(PAGE, "sh"))))
def test_the_commands_are_commands(number: int) -> None:
    assert "" == run(f"set -n\n{blocks_of(PAGE, 'sh')[number]}", ROOT)
