"""What is written where stdout is a terminal, a file, or neither."""

import io
import sys

import pytest

from rentbilling.adapters.cli.output.terminal import Terminal
from rentbilling.adapters.cli.streams import write_data
from rentbilling.billing import pending_bills
from rentbilling.billing.wire import bill_tables
from rentbilling.codec import loads
from tests.support.command_line import example

DATA = 'name,amount\r\n"\x1b[31mRent\x9b, Nørregade\u202e",1\r\n{"a": "\t"}\n'


def test_data_is_written_as_it_is(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_data(DATA)

    assert DATA.encode() == capfdbinary.readouterr().out


def test_a_terminal_gets_controls_as_escapes(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    write_data(DATA)

    assert (
        'name,amount\n"\\x1b[31mRent\\x9b, Nørregade\\u202e",1\n{"a": "\\t"}\n'
        == capsysbinary.readouterr().out.decode()
    )


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("columns", [None, "0", "30", "64", "500", "wide"])
def test_a_table_without_colours_is_the_one_that_rich_would_draw(
    monkeypatch: pytest.MonkeyPatch, columns: str | None, encoding: str
) -> None:
    result = pending_bills(loads(example()), "2026")
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
