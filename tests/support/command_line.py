"""The command line as tests run it: within this process, or in one of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from rentbilling.adapters.cli.program import rentbilling

ROOT = Path(__file__).resolve().parents[2]

# What a developer's own terminal must not change.
_CALM: Mapping[str, str | None] = dict.fromkeys(
    ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "PYTHONIOENCODING")
)

AMOUNT: Mapping[str, Any] = {"currency": "DKK", "amount": 8500.00}
RENT: Mapping[str, Any] = {
    "productKey": "key:rent",
    "amount": AMOUNT,
    "vat": {"taxMode": "Exempt"},
    "dueDateRule": {"dayOfPeriod": 1},
    "billingCycle": {"timeUnit": "Month", "periodLength": 1, "start": 1},
    "startedOn": "2026-01-01",
    "firstBillingPeriodBillItem": {
        "amount": AMOUNT,
        "dueDate": "2026-01-01",
        "accountingPeriod": "2026-01-01/2026-01-31",
    },
}


def rent(**changes: object) -> dict[str, Any]:
    """Return a monthly rent of 8,500 DKK from January 2026 as JSON data, with some changes."""
    return {**RENT, **changes}


def written(folder: Path, name: str, text: str | bytes) -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def run(*arguments: str, given: object = None, columns: int = 80) -> Result:
    """Run a command in this process.

    Args:
        *arguments: What stands behind `rentbilling`.
        given: Standard input: bytes, a text, or data that is written as JSON.
        columns: Width of the terminal.

    Returns:
        Exit code, stdout and stderr.
    """
    text = given if given is None or isinstance(given, (bytes, str)) else json.dumps(given)
    return CliRunner(env={**_CALM, "COLUMNS": str(columns)}).invoke(
        rentbilling, list(arguments), input=text, catch_exceptions=False
    )


def refused(finished: Result, code: int = 1) -> str:
    """Return what a refused command printed on stderr; there is nothing on stdout."""
    assert (code, "") == (finished.exit_code, finished.stdout)
    return finished.stderr


def example(*options: str) -> str:
    return run("example", *options).stdout


def npi(folder: Path) -> str:
    return written(folder, "npi.json", example("--index"))


def launched(
    *arguments: str, given: bytes = b"", script: str | None = None, **settings: str
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own.

    Args:
        *arguments: What stands behind `python -m rentbilling`.
        given: Standard input.
        script: Python to run instead of the module.
        **settings: Environment variables to set.

    Returns:
        The finished process.
    """
    return subprocess.run(
        [*interpreter(script), *arguments],
        cwd=ROOT,
        env=calm(**settings),
        input=given,
        capture_output=True,
        check=False,
        timeout=60,
    )


def without(package: str) -> str:
    """Return a script that runs a command where a package is missing."""
    module = "runpy.run_module('rentbilling', run_name='__main__', alter_sys=True)"
    return f"import runpy, sys; sys.modules[{package!r}] = None; {module}"


def interpreter(script: str | None = None) -> Sequence[str]:
    return (sys.executable, "-c", script) if script else (sys.executable, "-m", "rentbilling")


def calm(**settings: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _CALM}
    return {**kept, "COLUMNS": "80", **settings}
