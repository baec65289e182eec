"""A server of PostgreSQL for the tests, which is there while they run and leaves nothing behind.

`RENTBILLING_POSTGRES_URL` names another server that the tests may use instead. Where there is none
and none can be started, tests that need one are skipped and say why.

    python -m tests.support.postgres COMMAND…

starts a server, runs a command with that variable set, and stops the server again.
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

VARIABLE = "RENTBILLING_POSTGRES_URL"
PROGRAMS = ("initdb", "pg_ctl", "postgres")
# Who runs it where the tests run as root, which PostgreSQL refuses.
USERS = ("postgres", "nobody")
# Nobody needs what the tests kept after a power cut.
SETTINGS = "-c listen_addresses='' -c fsync=off -c max_connections=200 -c timezone=UTC"


class NoServerError(Exception):
    """Why no server can be started."""


def folder_of_programs() -> Path:
    """Return the folder that has the programs of PostgreSQL, the newest where there are several."""
    found = shutil.which("initdb")
    versions = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"),
        key=lambda folder: (folder.parent.name.isdecimal(), len(folder.parent.name), folder),
        reverse=True,
    )
    places = [*([Path(found).parent] if found else []), *versions, Path("/usr/local/bin")]
    for place in places:
        if all(os.access(place / program, os.X_OK) for program in PROGRAMS):
            return place
    raise NoServerError("initdb, pg_ctl and postgres are not installed")


def other_user() -> str | None:
    """Return who runs the server instead of root; None where the tests are not run by root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    for name in USERS:
        if name in known:
            return name
    raise NoServerError("root cannot run it, and there is no user postgres or nobody")


@contextmanager
def server() -> Generator[str]:
    programs, user = folder_of_programs(), other_user()
    # Short, because the name of a socket has some hundred characters at most.
    folder = Path(tempfile.mkdtemp(prefix="rentbilling-pg-", dir="/tmp"))
    data, log = folder / "data", folder / "log"

    def run(program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(programs / program), *arguments],
            cwd=folder,
            user=user,
            extra_groups=[] if user else None,
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )
        if done.returncode:
            told = log.read_text(encoding="utf-8") if log.exists() else done.stderr
            raise NoServerError(f"{program} failed: {told.strip()[-300:]}")

    try:
        if user:
            shutil.chown(folder, user)
        run(
            *("initdb", "--pgdata", str(data), "--auth", "trust", "--encoding", "UTF8"),
            *("--username", "rentbilling", "--no-sync"),
        )
        options = f"-k '{folder}' {SETTINGS}"
        run("pg_ctl", "start", "-w", "-s", "-D", str(data), "-l", str(log), "-o", options)
        try:
            yield f"postgresql+psycopg://rentbilling@/postgres?host={quote(str(folder))}"
        finally:
            run("pg_ctl", "stop", "-w", "-s", "-D", str(data), "-m", "immediate")
    except OSError as error:
        raise NoServerError(str(error)) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Servers:
    """The one server of a run of tests, started when a test first needs it."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._numbers = count(1)
        self._url: str | None = None
        self._trouble: NoServerError | None = None

    def url(self) -> str:
        if self._trouble:
            raise self._trouble
        if self._url is None:
            try:
                self._url = os.environ.get(VARIABLE) or self._stack.enter_context(server())
            except NoServerError as error:
                self._trouble = error
                raise
        return self._url

    @contextmanager
    def place(self) -> Generator[str]:
        """Give the URL of a schema of its own, which goes when the test is over."""
        # The server is asked for before it is known whether there is SQLAlchemy.
        create_engine: Any = import_module("sqlalchemy").create_engine
        url = self.url()
        name = f"rentbilling_test_{os.getpid()}_{next(self._numbers)}"
        engine = create_engine(url, isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                connection.exec_driver_sql(f"CREATE SCHEMA {name}")
            # A test may end all connections to the server.
            engine.dispose()
            joint = "&" if "?" in url else "?"
            try:
                yield f"{url}{joint}options={quote(f'-csearch_path={name}')}"
            finally:
                with engine.connect() as connection:
                    connection.exec_driver_sql(f"DROP SCHEMA {name} CASCADE")
        finally:
            engine.dispose()

    def stop(self) -> None:
        self._stack.close()


def main(command: list[str]) -> int:
    if not command:
        print(__doc__)
        return 2
    try:
        with server() as url:
            return subprocess.run(
                command, env={**os.environ, VARIABLE: url}, check=False
            ).returncode
    except NoServerError as error:
        print(f"no server of PostgreSQL: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
