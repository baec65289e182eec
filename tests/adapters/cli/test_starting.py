"""Commands load what they need and nothing else: each row names what must not be loaded."""

import os
import subprocess
import sys

import click
import pytest

from rentbilling.adapters.cli.program import rentbilling
from tests.support.command_line import ROOT, example
from tests.support.rows import rows

SCRIPT = """
import sys
before = set(sys.modules)
try:
    {does}
finally:
    names = sorted(set(sys.modules) - before)
    sys.stderr.write("\\n".join(names))
"""
AS_COMMAND = "sys.argv[1:] = {!r}; from rentbilling.adapters.cli import main; main()"

HEAVY = ("pydantic", "dateutil", "rich", "numpy")
STANDARD = ("importlib.metadata", "email", "logging", "hashlib", "secrets", "zoneinfo", "decimal")
CORE = tuple(f"rentbilling.{each}" for each in ("errors", "values", "records", "terms", "billing"))
OTHERS = tuple(
    f"rentbilling.{each}"
    for each in (
        *("checks", "explanations", "interface", "portfolio", "presets", "service", "simulation"),
        *("whatif", "adapters.stores", "adapters.http", "adapters.client", "adapters.plots"),
        *("adapters.cli.commands.service.keys", "adapters.cli.commands.service.serve", "testing"),
    )
)
BILLS = ("bills", "-", "--period", "2026")


def started(does: str) -> subprocess.CompletedProcess[bytes]:
    """Let a fresh interpreter do something, which names on stderr the modules that it loads."""
    # Measuring coverage would load modules of its own.
    unseen = ("COVERAGE_", "FORCE_COLOR", "TTY_", "JUPYTER_", "PYDANTIC_")
    finished = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(does=does)],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith(unseen)},
        input=example().encode(),
        capture_output=True,
        check=False,
    )
    assert 0 == finished.returncode, finished.stderr.decode()
    return finished


@pytest.mark.parametrize(
    ("does", "unloaded"),
    [
        (
            "import rentbilling",
            (*HEAVY, *STANDARD, *CORE, *OTHERS, "click", "inspect", "json", "dataclasses"),
        ),
        # No validator is built, for which pydantic looks for plugins.
        (
            "from rentbilling import loads, pending_bills",
            ("importlib.metadata", "email", "dateutil", "logging", *HEAVY[2:], *OTHERS),
        ),
        (
            AS_COMMAND.format(["--help"]),
            (*HEAVY, *STANDARD, *CORE, *OTHERS, "rentbilling.adapters.cli.commands"),
        ),
        (
            AS_COMMAND.format(["--version"]),
            (*HEAVY, *CORE, *OTHERS, "logging", "hashlib", "rentbilling.adapters.cli.commands"),
        ),
        (AS_COMMAND.format(["bills", "--help"]), (*HEAVY, *CORE[1:], *OTHERS, "hashlib")),
        (
            AS_COMMAND.format([*BILLS]),
            ("dateutil", "logging", "rich.console", "rich.text", "numpy", *OTHERS),
        ),
        (
            AS_COMMAND.format([*BILLS, "--format", "json"]),
            ("dateutil", "logging", "rich", "numpy", *OTHERS),
        ),
    ],
    ids=["import", "names", "help", "version", "help of bills", "bills", "bills as json"],
)
def test_nothing_is_loaded_before_it_is_needed(does: str, unloaded: tuple[str, ...]) -> None:
    found = started(does).stderr.decode().split()

    assert "rentbilling" in found
    assert [] == [each for each in found if each.startswith(tuple(f"{one}." for one in unloaded))]
    assert set() == set(unloaded) & set(found)


@pytest.mark.parametrize(
    ("arguments", "begins"),
    [
        (["-h"], b"Usage: "),
        *(
            ([*each.split(), "--help"], b"Usage: ")
            for each in (
                *("adjustments", "example", "schema", "verify", "explain", "bill-run", "forecast"),
                *("serve", "keys", "keys add"),
            )
        ),
        *((["example", *each], b"{") for each in ([], ["--with-index"], ["--index"])),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)
def test_help_and_the_example_come_without_the_core(arguments: list[str], begins: bytes) -> None:
    heavy = {
        *HEAVY,
        "rentbilling.whatif",
        "matplotlib",
        "sqlalchemy",
        "starlette",
        "uvicorn",
        *CORE[1:],
    }
    finished = started(AS_COMMAND.format(arguments))

    assert finished.stdout.startswith(begins)
    assert set() == heavy & {*finished.stderr.decode().split()}


@rows("width", [40, 64, 88, 200])
def test_the_list_of_commands_says_what_each_says_itself(width: int) -> None:
    """Click makes the list from the commands, all of which it loads."""
    assert isinstance(rentbilling, click.Group)
    own, loading = click.HelpFormatter(width=width), click.HelpFormatter(width=width)
    context = click.Context(rentbilling)
    rentbilling.format_commands(context, own)
    click.Group.format_commands(rentbilling, context, loading)

    assert loading.getvalue() == own.getvalue()
    assert "bill-run" in own.getvalue()
