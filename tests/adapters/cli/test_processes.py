"""The command line as a process of its own: pipes, signals, encodings, and what is missing."""

import errno
import json
import os
import signal
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tests.support.command_line import (
    ROOT,
    calm,
    example,
    interpreter,
    launched,
    npi,
    rent,
    run,
    without,
)

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and devices of POSIX")

RENT_ALONE = json.dumps(rent()).encode()


def test_the_example_can_be_piped_into_the_bills() -> None:
    printed = launched("example").stdout
    finished = launched("bills", "-", "--period", "2026", given=printed, PYTHONIOENCODING="utf-8")

    assert (0, b"") == (finished.returncode, finished.stderr)
    assert run("bills", "-", "--period", "2026", given=example()).stdout_bytes.splitlines() == (
        finished.stdout.splitlines()
    )


def test_the_adjustments_can_be_tried_in_three_commands(tmp_path: Path) -> None:
    """Those of the documentation: 8,500.00 × 1.04 = 8,840.00 (the index would be 10.3093 %)."""
    index = tmp_path / "npi.json"
    index.write_bytes(launched("example", "--index").stdout)
    lease = tmp_path / "lease.json"
    lease.write_bytes(launched("example", "--with-index").stdout)
    asked = ("--indices", str(index), "--period", "2023-01-01/2023-12-31")
    finished = launched("adjustments", str(lease), *asked, PYTHONIOENCODING="utf-8")

    assert (0, b"") == (finished.returncode, finished.stderr)
    assert "1 Jan 2023  rent  8,500.00  8,840.00  340.00      4 %" in (
        finished.stdout.decode().splitlines()
    )


def test_the_version_is_that_of_the_package() -> None:
    try:
        version = metadata.version("rentbilling")
    except metadata.PackageNotFoundError:
        version = "(sources that are not installed)"
    finished = launched("-V")

    assert (0, f"rentbilling {version}") == (finished.returncode, finished.stdout.decode().strip())


@pytest.mark.parametrize("missing", ["click", "rich"])
@pytest.mark.parametrize("arguments", [(), ("--help",), ("example",)], ids=" ".join)
def test_a_missing_extra_is_said_in_one_line(missing: str, arguments: tuple[str, ...]) -> None:
    """What to install, on stderr, and exit code 1."""
    finished = launched(*arguments, script=without(missing))
    (line,) = finished.stderr.decode().splitlines()

    assert (1, b"") == (finished.returncode, finished.stdout)
    assert f"The command line needs {missing}: pip install 'rentbilling[cli]'" == line


def test_an_extra_whose_import_is_blocked_counts_as_missing() -> None:
    script = """
import runpy, sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("click", "rich"):
            raise ImportError(name)
sys.meta_path.insert(0, Blocker())
runpy.run_module("rentbilling", run_name="__main__", alter_sys=True)
"""
    finished = launched(script=script)

    assert 1 == finished.returncode
    assert "needs click and rich: pip install" in finished.stderr.decode()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_a_table_survives_every_encoding(encoding: str) -> None:
    given = example().replace("Heating", "家賃").encode()
    finished = launched(
        "bills", "-", "--period", "2026-02", given=given, PYTHONIOENCODING=f"{encoding}:strict"
    )
    printed = finished.stdout.decode(encoding)

    assert (0, b"") == (finished.returncode, finished.stderr)
    assert r"\u5bb6\u8cc3 on account" in printed
    assert "1-28 Feb 2026" in printed


@pytest.mark.parametrize("arguments", [("--format", "json"), ("--format", "csv")], ids=" ".join)
def test_data_is_utf_8_whatever_the_encoding(arguments: tuple[str, ...]) -> None:
    finished = launched(
        *("bills", "-", "--period", "2026-02", "--full"),
        *arguments,
        given=example().encode(),
        PYTHONIOENCODING="ascii:strict",
    )

    assert 0 == finished.returncode
    assert "Nørregade" in finished.stdout.decode("utf-8")


def test_a_table_of_adjustments_survives_every_encoding(tmp_path: Path) -> None:
    given = example("--with-index").replace("rent-by-index", "husleje æøå")
    options = ("--period", "2023", "--indices", npi(tmp_path))
    finished = launched(
        *("adjustments", "-", *options), given=given.encode(), PYTHONIOENCODING="ascii:strict"
    )
    printed = finished.stdout.decode("ascii").splitlines()

    assert (0, b"") == (finished.returncode, finished.stderr)
    assert {"-"} == set(printed[1])
    assert r"  plan husleje \xe6\xf8\xe5, rule net-price-index" == printed[3]


def test_a_message_survives_every_encoding() -> None:
    finished = launched(
        *("bills", "-", "--period", "2026"),
        given=json.dumps({"recurringBillItems": [], "家賃": 1}).encode(),
        PYTHONIOENCODING="ascii:backslashreplace",
    )

    assert 1 == finished.returncode
    assert b"Traceback" not in finished.stderr
    assert b": is not a field" in finished.stderr


def test_a_forced_terminal_has_colours() -> None:
    """Where the user asks for them, though no terminal is there."""
    finished = launched(
        "bills", "-", "--period", "2026-02", given=example().encode(), FORCE_COLOR="1"
    )

    assert b"\x1b[1" in finished.stdout


def test_what_was_found_is_the_exit_code_of_the_process() -> None:
    """8,500.00 is stated as 8,501.00: 3, and nothing is said beside it."""
    bill = launched("bills", "-", "--period", "2026-02", "--format", "json", given=RENT_ALONE)
    wrong = bill.stdout.replace(
        b'"netPrice": {"currency": "DKK", "amount": 8500',
        b'"netPrice": {"currency": "DKK", "amount": 8501',
    )
    right, found = launched("verify", "-", given=bill.stdout), launched("verify", "-", given=wrong)

    assert [(0, b""), (3, b"")] == [(each.returncode, each.stderr) for each in (right, found)]


@pytest.mark.parametrize("command", ["verify", "explain"])
def test_what_was_found_survives_every_encoding(command: str) -> None:
    given = example().encode()
    arguments: tuple[str, ...] = ("explain", "-", "--period", "2026-02")
    if command == "verify":
        bills = launched("bills", "-", "--period", "2026-02", "--format", "json", given=given)
        given, arguments = bills.stdout.replace(b"540.00", b"541.00"), ("verify", "-")
    finished = launched(*arguments, given=given, PYTHONIOENCODING="ascii:strict")

    assert b"" == finished.stderr
    assert r"\xd7" in finished.stdout.decode("ascii")


@POSIX
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_a_reader_that_stops_ends_the_command_quietly(tmp_path: Path, form: str) -> None:
    """As with `| head`: exit code 0, nothing on stderr."""
    path = tmp_path / "lease.json"
    path.write_text(example(), encoding="utf-8")
    arguments = ["bills", str(path), "--period", "2026-01-01/2125-12-31", "--format", form]
    with subprocess.Popen(
        [*interpreter(), *arguments],
        cwd=ROOT,
        env=calm(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(5)
        process.stdout.close()
        said = process.stderr.read()

    assert (0, b"") == (process.returncode, said)


@POSIX
@pytest.mark.parametrize(
    "arguments",
    [("example",), ("--help",), ("bills", "--help"), ("--version",), ("schema", "LeaseTerms")],
    ids=" ".join,
)
def test_a_full_disk_is_said_in_one_line(arguments: tuple[str, ...]) -> None:
    """Exit code 1, because what was asked for is not there."""
    device = Path("/dev/full")
    if not device.exists():
        pytest.skip("no device that is always full")
    with device.open("wb") as full:
        finished = subprocess.run(
            [*interpreter(), *arguments],
            cwd=ROOT,
            env=calm(),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert 1 == finished.returncode
    assert f"Error: standard output: {os.strerror(errno.ENOSPC)}\n" == finished.stderr.decode()


@POSIX
def test_an_interruption_ends_the_command_quietly() -> None:
    """Ctrl-C while it waits for standard input: exit code 130, no word."""
    script = """
import sys, time
from rentbilling.adapters.cli import main

class Waiting:
    @staticmethod
    def read():
        sys.stderr.write("!")
        sys.stderr.flush()
        time.sleep(60)

class Stdin:
    buffer = Waiting

sys.stdin = Stdin
main()
"""
    with subprocess.Popen(
        [*interpreter(script), "bills", "-", "--period", "2026"],
        cwd=ROOT,
        env=calm(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        waiting = process.stderr.read(1)
        process.send_signal(signal.SIGINT)
        said, printed = process.stderr.read(), process.stdout.read()

    assert (130, b"", b"!") == (process.returncode, printed, waiting + said)


@POSIX
@pytest.mark.parametrize("closed", [0, 1])
def test_a_closed_stream_is_said_in_one_line(closed: int) -> None:
    script = f"""
import os, sys
os.close({closed})
os.execv(sys.executable, [sys.executable, "-m", "rentbilling", *sys.argv[1:]])
"""
    finished = launched(*("bills", "-", "--period", "2026"), script=script)

    assert 1 == finished.returncode
    assert 1 == len(finished.stderr.decode().splitlines())
    assert finished.stderr.startswith(b"Error: standard ")


def test_the_console_script_is_there() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    imported = subprocess.run(
        [sys.executable, "-c", "from rentbilling.adapters.cli import main; main"],
        cwd=ROOT,
        check=False,
    )

    assert 'rentbilling = "rentbilling.adapters.cli:main"' in text
    assert 0 == imported.returncode
