"""Data of a command is exact in a file, and harmless at a terminal."""

import pytest

from rentbilling.adapters.cli.streams import write_data

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
