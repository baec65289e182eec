"""A table that is drawn without rich is the one that rich would draw."""

import io
import sys

import pytest

from rentbilling.adapters.cli.output.terminal import Terminal
from rentbilling.billing import pending_bills
from rentbilling.billing.wire import bill_tables
from rentbilling.codec import loads
from tests.support.command_line import example

STATED = (None, "0", "30", "64", "500", "wide")


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("columns", STATED)
def test_a_table_without_colours_needs_no_rich(
    monkeypatch: pytest.MonkeyPatch, columns: str | None, encoding: str
) -> None:
    result = pending_bills(loads(example()), "2026-01-01/2026-12-31")
    for name in ("FORCE_COLOR", "TTY_INTERACTIVE", "TTY_COMPATIBLE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    drawn = bill_tables(result, Terminal(), full=True)
    # Rich is asked what stdout is, and finds no terminal either.
    monkeypatch.setenv("TTY_COMPATIBLE", "0")
    by_rich = bill_tables(result, Terminal(), full=True)

    assert by_rich == drawn
    assert 25 < len(drawn.splitlines())
