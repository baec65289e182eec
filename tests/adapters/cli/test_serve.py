"""The command `serve` within this process: what it is told, what it says, what it refuses."""

import json
import logging
import os
import socket
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, tzinfo
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import example, launched, refused, run, without, written

if not all(map(find_spec, ("httptools", "sqlalchemy", "starlette", "uvicorn"))):
    pytest.skip("the extras http and sql are not installed", allow_module_level=True)

from rentbilling.adapters.cli.output.service.server_log import LEVELS, logging_to_stderr
from rentbilling.adapters.stores import open_stores
from rentbilling.adapters.stores.migrations import MIGRATIONS
from rentbilling.service import key_of, key_text, stored_key
from tests.adapters.http.served import RENT, TENANCY, Exchange, exchange, scope_of

KEY = key_text("k1", "0123456789abcdef0123456789abcdef")
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
SETTINGS = (
    *("DATABASE", "HOST", "PORT", "ROOT_PATH", "INDICES", "POLICY", "TIMEZONE"),
    *("PER_SECOND", "WORKERS", "LOG_LEVEL", "METRICS"),
)
INDEX_PLAN = {
    "rentAdjustmentRules": [{"adjustmentType": "Index", "adjustmentMonth": 1, "indexMonth": 10}]
}


class Served:
    """What the server was told, in the place of serving; and what is asked meanwhile."""

    def __init__(self) -> None:
        self.told: dict[str, Any] = {}
        self.act: Callable[[Served], None] = lambda _: None
        self._app: Any = None

    def __call__(self, app: Any, host: str, port: int, **told: Any) -> None:  # noqa: ANN401
        """Stand in for the server: it is ready, is asked something, and ends."""
        self._app = app
        ready = told.pop("ready")
        self.told = {"host": host, "port": port, **told}
        ready(host, port or 4321)
        self.act(self)

    def ask(self, method: str, address: str, body: object = None) -> Exchange:
        headers = {"Authorization": KEY, "Content-Type": "application/json"}
        sent = b"" if body is None else json.dumps(body).encode()
        if body is None:
            del headers["Content-Type"]
        return exchange(self._app, scope_of(method, address, headers), [sent])

    def data(self, method: str, address: str, body: object = None) -> Any:  # noqa: ANN401
        return json.loads(self.ask(method, address, body).body)

    def lease(self) -> str:
        lease_id: str = self.data("POST", "/tenancies", TENANCY)["leaseId"]
        item = {"leaseId": lease_id, "recurringBillItem": RENT}
        assert 201 == self.ask("POST", "/recurring-bill-items", item).status
        return lease_id


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Served:
    """A server that serves nobody but the test, in an empty folder that has a key."""
    for name in SETTINGS:
        monkeypatch.delenv(f"RENTBILLING_{name}", raising=False)
    monkeypatch.chdir(tmp_path)
    stand_in = Served()
    monkeypatch.setattr("rentbilling.adapters.http.server.serving.serve", stand_in)
    return stand_in


def with_key(url: str = "sqlite:///rentbilling.sqlite") -> None:
    with open_stores(url) as stores:
        stores.keys.add(stored_key(KEY, owner="acme", name="", rights=["*"], created=NOON))


def asking(address: str) -> Callable[[Served], None]:
    def act(service: Served) -> None:
        service.ask("GET", address)

    return act


def answers(served: Served, *options: str, asked: tuple[str, ...] = ("/metrics",)) -> list[int]:
    """Return the status of each answer to what is asked while the command serves."""
    found: list[int] = []
    served.act = lambda service: found.extend(service.ask("GET", each).status for each in asked)
    finished = run("serve", *options)
    assert 0 == finished.exit_code, finished.stderr
    return found


def said_by(said: str) -> list[str]:
    """Return what the command says of itself in the log; each line of the log is JSON."""
    lines = [json.loads(line) for line in said.splitlines()]
    return [each["message"] for each in lines if "rentbilling.server" == each["logger"]]


def test_it_says_where_everything_is(served: Served, tmp_path: Path) -> None:
    finished = run("serve")
    base = "http://127.0.0.1:8000"

    assert (0, "") == (finished.exit_code, finished.stdout)
    assert [
        f"Database: SQLite file {tmp_path}/rentbilling.sqlite (new)",
        "Index series: NPI until 2024-06 (the example; --indices names others)",
        "For a key, which every request needs: rentbilling keys add --owner NAME",
        f"Serving on {base} (operations: {base}/docs); Ctrl-C ends it.",
        "Ended.",
    ] == said_by(finished.stderr)
    told = {"host": "127.0.0.1", "port": 8000, "root_path": "", "log_level": "warning"}
    assert told == served.told
    assert (tmp_path / "rentbilling.sqlite").exists()


@pytest.mark.usefixtures("served")
def test_sample_data_are_in_memory_unless_a_database_is_named(tmp_path: Path) -> None:
    """Each start prints a new key alone; the data of a database stay as they are."""
    url, keys = "sqlite:///demo.sqlite", list[str]()
    for options, said in (
        ((), "Database: memory; it ends with this process"),
        (("--database", url), f"Database: SQLite file {tmp_path}/demo.sqlite (new)"),
        (("--database", url), f"Database: SQLite file {tmp_path}/demo.sqlite"),
    ):
        assert options or [] == [*tmp_path.iterdir()]
        finished = run("serve", "--demo", *options)
        assert 0 == finished.exit_code, finished.stderr
        opens = "The key on standard output opens the sample data: lease-1, lease-2 and so on."
        assert [said, opens] == said_by(finished.stderr)[:3:2]
        assert finished.stdout.strip() not in finished.stderr
        keys += finished.stdout.splitlines()
    with open_stores(url) as stores:
        found = [key_of(each, stores.keys) for each in keys]

    assert [None, "demo", "demo"] == [each and each.owner for each in found]
    assert 3 == len({*keys})


def test_the_second_time_the_database_is_not_new(served: Served) -> None:
    with_key()
    said = said_by(run("serve", "--port", "0", "--host", "::1").stderr)

    assert "(new)" not in said[0]
    assert "For more keys: rentbilling keys add --owner NAME" == said[2]
    assert said[3].startswith("Serving on http://[::1]:4321 (")
    assert 0 == served.told["port"]


def test_the_environment_sets_what_the_command_line_does_not(
    served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = written(tmp_path, "npi.json", example("--index"))
    second = written(tmp_path, "CPI.csv", "2025-10;120,0\n2025-11;121,0\n")
    settings = {
        "DATABASE": "sqlite:///other.sqlite",
        "HOST": "0.0.0.0",  # noqa: S104 - nobody listens
        "PORT": "9000",
        "ROOT_PATH": "/rent/",
        "INDICES": os.pathsep.join((first, second)),
        "POLICY": written(tmp_path, "policy.json", "{}"),
        "TIMEZONE": "UTC",
        "PER_SECOND": "0.1",
        "WORKERS": "1",
        "LOG_LEVEL": "debug",
        "METRICS": "no",
    }
    assert set(SETTINGS) == set(settings)
    for name, value in settings.items():
        monkeypatch.setenv(f"RENTBILLING_{name}", value)
    finished = run("serve", "--port", "9001")
    advice = "For a key, which every request needs: rentbilling keys add --owner NAME"

    assert 0 == finished.exit_code, finished.stderr
    assert [
        f"Database: SQLite file {tmp_path}/other.sqlite (new)",
        "Index series: NPI until 2024-06, CPI until 2025-11",
        f"{advice}, in the same database",
    ] == said_by(finished.stderr)[:3]
    told = {"host": "0.0.0.0", "port": 9001, "root_path": "/rent", "log_level": "debug"}  # noqa: S104
    assert told == served.told


@pytest.mark.parametrize(("options", "status"), [((), 200), (("--no-metrics",), 404)], ids=str)
def test_figures_are_shown_unless_they_are_switched_off(
    served: Served, options: tuple[str, ...], status: int
) -> None:
    pytest.importorskip("prometheus_client")

    assert [status] == answers(served, *options)


def test_figures_that_are_asked_for_need_their_package(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without being asked for they are left out."""
    monkeypatch.setitem(sys.modules, "prometheus_client", None)

    assert [404] == answers(served)
    said = "Error: --metrics needs prometheus-client: pip install 'rentbilling[http]'"
    assert [said] == not_served("--metrics")


def test_an_owner_has_a_number_of_requests_a_second(served: Served) -> None:
    with_key()

    assert [200, 429] == answers(served, "--per-second", "0.1", asked=("/leases", "/leases"))


def test_the_service_bills_with_the_policy_and_the_series(served: Served, tmp_path: Path) -> None:
    """8,500 DKK by a CPI from 120.0 to 122.4 is 8,500 × 1.02 = 8,670; a period ends before its end.

    The policy says that periods are half-open: to the first of February is the whole of January.
    """
    with_key()
    index = written(tmp_path, "CPI.csv", "2025-10;120,0\n2026-10;122,4\n")
    policy = written(tmp_path, "policy.json", '{"periodEnd": "excluded"}')
    found: list[Any] = []

    def act(service: Served) -> None:
        lease_id = service.lease()
        plan = {"leaseId": lease_id, "rentAdjustmentPlan": INDEX_PLAN}
        assert 201 == service.ask("POST", "/rent-adjustment-plans", plan).status
        address = f"/pending-bills?leaseId={lease_id}&period=2027-01-01/2027-02-01"
        found.append(service.data("GET", address))

    served.act = act
    finished = run("serve", "--indices", index, "--policy", policy)

    assert 0 == finished.exit_code, finished.stderr
    assert [{"currency": "DKK", "amount": 8670.0}] == [each["total"] for each in found[0]["bills"]]


@pytest.mark.parametrize(
    ("zone", "state"), [("Europe/Copenhagen", "Active"), ("UTC", "Upcoming")], ids=str
)
def test_it_is_today_where_the_time_zone_says(
    served: Served, monkeypatch: pytest.MonkeyPatch, zone: str, state: str
) -> None:
    """At half past eleven in the evening of 14 January in UTC the 15th has begun in Denmark."""
    with_key()

    class Evening(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Evening":
            return cls(2026, 1, 14, 23, 30, tzinfo=UTC).astimezone(tz)

    found: list[Any] = []

    def act(service: Served) -> None:
        lease_id = service.lease()
        change = {"contractStart": "2026-01-15"}
        found.append(service.data("PATCH", f"/leases/{lease_id}", change))

    served.act = act
    monkeypatch.setattr("rentbilling.adapters.cli.commands.service.serve.datetime", Evening)
    finished = run("serve", "--timezone", zone)

    assert 0 == finished.exit_code, finished.stderr
    assert [state] == [each["contractPeriodState"] for each in found]


def logged(said: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in said.splitlines()]
    return [each for each in lines if "rentbilling.server" != each["logger"]]


def test_the_log_is_a_line_of_json_for_each_request(served: Served) -> None:
    with_key()
    served.act = asking("/leases?limit=7")
    before = [(each.handlers[:], each.level) for each in map(logging.getLogger, ("rentbilling",))]
    finished = run("serve")
    after = [(each.handlers[:], each.level) for each in map(logging.getLogger, ("rentbilling",))]
    (line,) = logged(finished.stderr)

    assert before == after
    assert ("info", "rentbilling.access", "GET", "/leases", 200, "acme", "k1") == tuple(
        line[name] for name in ("level", "logger", "method", "route", "status", "owner", "keyId")
    )
    assert UTC.utcoffset(None) == datetime.fromisoformat(line["time"]).utcoffset()
    assert KEY not in finished.stderr


@pytest.mark.parametrize("level", LEVELS)
def test_its_address_is_a_record_of_the_log_at_every_level(served: Served, level: str) -> None:
    served.act = asking("/leases")
    found = run("serve", "--log-level", level).stderr
    lines = [json.loads(line) for line in found.splitlines()]

    assert {"time", "level", "logger", "message"} == lines[0].keys()
    assert ["Serving on http://127.0.0.1:8000"] == [
        each.partition(" (")[0] for each in said_by(found) if each.startswith("Serving")
    ]
    assert ("info", "Ended.") == (lines[-1]["level"], lines[-1]["message"])


def test_at_a_terminal_its_own_lines_are_plain(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with logging_to_stderr("info") as tell:
        tell("Ended.")
        logging.getLogger("rentbilling.service").warning("begun")

    plain, record = capsys.readouterr().err.splitlines()
    assert "Ended." == plain
    assert "begun" == json.loads(record)["message"]


def test_a_fault_is_logged_with_its_traceback_on_one_line(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_key()

    def broken(*_: object) -> None:
        raise RuntimeError("nobody foresaw this")

    served.act = asking("/leases")
    monkeypatch.setattr("rentbilling.adapters.stores.sql_stores.SqlStores.reading", broken)
    (line,) = logged(run("serve", "--log-level", "ERROR").stderr)

    assert ("error", "rentbilling.service") == (line["level"], line["logger"])
    assert "nobody foresaw this" in line["traceback"]


def not_served(*arguments: str) -> list[str]:
    """Return the lines of a refusal of what was handed in: exit code 1, nothing on stdout."""
    said = refused(run("serve", *arguments))
    return [line for line in said.splitlines() if not line.startswith("{")]


@pytest.mark.usefixtures("served")
def test_a_server_that_is_not_there_is_said_without_the_password() -> None:
    pytest.importorskip("psycopg", reason="psycopg, which reaches PostgreSQL, is not installed")

    assert [
        "Error: PostgreSQL database rent at 127.0.0.1:1: the database is unreachable",
        "       See that the server runs there, and that it lets this user in.",
    ] == not_served("--database", "postgresql://anna:hunter2@127.0.0.1:1/rent")


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize("password", ["a@hunter2", "a@b/hunter2"])
def test_a_password_with_a_bare_at_sign_is_not_shown(password: str) -> None:
    said = refused(run("serve", "--database", f"postgresql://anna:{password}@host/rent"), 2)

    assert "write %40 or %2F in its place" in said
    assert "hunter2" not in said


def damaged(path: Path) -> None:
    """Let two tables share a page, which no request would notice."""
    with_key()
    with closing(sqlite3.connect(path)) as file:
        file.executescript(
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage ="
            " (SELECT rootpage FROM sqlite_schema WHERE name = 'payouts')"
            " WHERE name = 'products_belonging';"
        )


def of_a_later_release(path: Path) -> None:
    with_key()
    with closing(sqlite3.connect(path)) as file:
        file.execute("INSERT INTO schema_version (version, purpose) VALUES (99, 'later')")
        file.commit()


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize(
    ("name", "made", "said"),
    [
        (
            "none/rent.sqlite",
            lambda _: None,
            (
                "the database is unreachable\n"
                "       Its folder must be there, and both must be readable and writable."
            ),
        ),
        ("rentbilling.sqlite", damaged, "the file is damaged: restore a backup"),
        ("r.sqlite", lambda path: path.write_text("lease;rent\n" * 100), "the file is no database"),
        (
            "rentbilling.sqlite",
            of_a_later_release,
            (
                "the database has version 99, and this release knows versions up to"
                f" {MIGRATIONS[-1].version}: use a newer release"
            ),
        ),
    ],
    ids=["no folder", "damaged", "no database", "of a later release"],
)
def test_a_file_that_cannot_be_served_is_said_and_left_as_it_is(
    tmp_path: Path, name: str, made: Callable[[Path], object], said: str
) -> None:
    path = tmp_path / name
    made(path)
    before = {each: each.read_bytes() for each in tmp_path.iterdir()}
    told = not_served("--database", f"sqlite:///{name}")

    assert f"Error: SQLite file {path}: {said}" == "\n".join(told)
    assert before == {each: each.read_bytes() for each in tmp_path.iterdir()}


def test_a_port_in_use_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(socket.create_server(("127.0.0.1", 0))) as bound:
        port = bound.getsockname()[1]

        assert [
            f"Error: 127.0.0.1:{port}: cannot be listened on: Address already in use",
            "       Another --port may be free; 0 takes any.",
        ] == not_served("--port", str(port))


def test_a_host_that_nobody_knows_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No name has an empty part, so that nobody is asked for it."""
    monkeypatch.chdir(tmp_path)
    (line,) = not_served("--host", "a..b")

    assert line.startswith("Error: a..b:8000: cannot be listened on: ")


def test_what_fails_later_is_no_matter_of_the_address(served: Served) -> None:
    def fails(_: Served) -> None:
        raise OSError("the disk is gone")

    served.act = fails
    with pytest.raises(OSError, match="the disk is gone"):
        run("serve")


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--database", "memory:"), "what is in memory ends with this command"),
        (("--database", "sqlite://"), "what is in memory ends with this command"),
        (("--database", "sqlite:///:memory:"), "what is in memory ends with this command"),
        (("--database", "anna:hunter2@rent"), "a text names no database; write sqlite:///FILE"),
        (("--database", "mysql://anna:hunter2@rent/a"), "'mysql' names no database"),
        (("--timezone", "Mars/Base"), "'Mars/Base' is no time zone known here"),
        (("--timezone", "Europe"), "'Europe' is no time zone known here"),
        (("--timezone", "/etc/passwd"), "'/etc/passwd' is no time zone known here"),
        (("--root-path", "rent"), "'rent' is no path; write one such as /rent"),
        (("--port", "70000"), "70000 is not in the range"),
        (("--log-level", "loud"), "'loud' is not one of"),
        (("--per-second", "0"), "0.0 is not in the range x>0"),
        (("--workers", "0"), "0 is not in the range 1<=x<=64"),
        (("--policy", "-", "--indices", "-"), "Only one of --policy and --indices can be"),
        (("rent.sqlite",), "unexpected extra argument"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_command_that_is_not_well_formed_is_refused(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    """Exit code 2, before anything is made; a password is not repeated."""
    told = refused(run("serve", *arguments, columns=200), 2)

    assert said in told
    assert "hunter2" not in told
    assert [] == list(tmp_path.iterdir())


@pytest.mark.usefixtures("served")
def test_a_file_that_is_no_index_is_refused_by_its_name(tmp_path: Path) -> None:
    index = written(tmp_path, "npi.json", "[]")

    assert [f"Error: {index}: holds no index value"] == [
        line.partition(" (")[0] for line in not_served("--indices", index)
    ]


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("starlette", "Error: the server needs starlette: pip install 'rentbilling[http]'"),
        ("uvicorn", "Error: the server needs uvicorn: pip install 'rentbilling[http]'"),
        ("sqlalchemy", "Error: a database needs sqlalchemy: pip install 'rentbilling[sql]'"),
    ],
)
def test_a_missing_extra_is_said_in_one_line(missing: str, said: str, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rent.sqlite"
    finished = launched("serve", "--database", url, script=without(missing))

    assert (1, b"", f"{said}\n") == (finished.returncode, finished.stdout, finished.stderr.decode())
    assert [] == list(tmp_path.iterdir())
