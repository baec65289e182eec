"""The command line as tests run it: within this process, or in one of its own."""

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from rentbilling.adapters.cli.program import rentbilling

Golden = Callable[[str, Result], None]
"""Compares a finished command with the text in a file, by its name."""

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
BY_INDEX: Mapping[str, Any] = {
    "id": "october",
    "adjustmentType": "Index",
    "adjustmentMonth": 1,
    "indexMonth": 10,
}


def rent(**changes: object) -> dict[str, Any]:
    """Return a monthly rent of 8,500 DKK from January 2026 as JSON data, with some changes."""
    return {**RENT, **changes}


def rent_by(*rules: Mapping[str, Any], **plan: object) -> dict[str, Any]:
    """Return a lease of a monthly rent of 8,500 DKK from January 2022, adjusted by some rules."""
    item = json.loads(json.dumps(rent(id="rent")).replace("2026", "2022"))
    plans = [{"id": "each-january", "rentAdjustmentRules": rules, **plan}]
    return {"recurringBillItems": [item], "rentAdjustmentPlans": plans}


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


def billed(given: object, period: str, *options: str, columns: int = 80) -> Result:
    return run("bills", "-", "--period", period, *options, given=given, columns=columns)


def adjusted(given: object, period: str, *options: str, columns: int = 80) -> Result:
    return run("adjustments", "-", "--period", period, *options, given=given, columns=columns)


def verified(given: object, *options: str, columns: int = 80) -> Result:
    return run("verify", "-", *options, given=given, columns=columns)


def rows_of(text: str) -> list[dict[str, str]]:
    """Return the rows of a CSV text by the names of their columns."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def refused(finished: Result, code: int = 1) -> str:
    """Return what a refused command printed on stderr; there is nothing on stdout."""
    assert (code, "") == (finished.exit_code, finished.stdout)
    return finished.stderr


def bills_in(period: str, lease: object = None) -> Any:  # noqa: ANN401 - changed by the tests
    """Return the bills of a lease, by default the example, as JSON data."""
    given = example() if lease is None else lease
    return json.loads(billed(given, period, "--format", "json").stdout)["bills"]


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
