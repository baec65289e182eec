"""`rentbilling suggest-map leases.csv`: a map to begin with, and an export that becomes bills."""

import re
from pathlib import Path
from typing import Final

import pytest

pytest.importorskip("pyarrow", reason="the extra bulk is not installed")

from rentbilling.portfolio import TableMapping
from tests.support.command_line import refused, run

GUIDE: Final = Path("rentbilling/guide/portfolio.md")


def story() -> dict[str, str]:
    """Return the blocks of the guide's story by their kinds."""
    text = GUIDE.read_text(encoding="utf-8").partition("### From an export to bills")[2]
    section = text.partition("\n### ")[0]
    return dict(re.findall(r"```(csv|sh|text)\n(.*?)```", section, re.DOTALL))


def test_an_export_is_billed_in_three_lines_of_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Danish headers, semicolons, decimal commas, three currencies, leases of 2015 to 2026."""
    blocks = story()
    monkeypatch.chdir(tmp_path)
    Path("leases.csv").write_text(blocks["csv"], encoding="utf-8")
    printed = []
    for line in blocks["sh"].splitlines():
        command, _, to = line.removeprefix("rentbilling ").partition(" > ")
        finished = run(*command.split())
        assert 0 == finished.exit_code, finished.stderr
        printed.append(finished.stdout)
        if to:
            Path(to).write_text(finished.stdout, encoding="utf-8")

    assert blocks["text"].splitlines() == printed[1].splitlines()[:8] == printed[2].splitlines()[:8]
    bills = Path("march.csv").read_text(encoding="utf-8").splitlines()
    assert 5 == len(bills)
    assert bills[-1].startswith("2026-03-16,recurring-1,key:rent,,2026-03-16,2026-03-31,1,5058.06")


def test_the_beginning_of_a_file_in_its_encoding(tmp_path: Path) -> None:
    text = "id;rent;from;Bemærkning\r\n1;8.500,00;01-02-2026;Øl\r\n"
    (tmp_path / "leases.csv").write_bytes(text.encode("latin-1"))
    printed = run("suggest-map", str(tmp_path / "leases.csv")).stdout
    mapping = TableMapping.from_toml(
        printed.replace("[constants]", '[constants]\ncurrency = "DKK"', 1)
    )

    assert ("id", ";", "cp1252") == (mapping.lease["id"], mapping.delimiter, mapping.encoding)
    assert "# ? = \"Bemærkning\", such as 'Øl'" in printed.splitlines()


def test_lines_above_the_headers_are_named(tmp_path: Path) -> None:
    """The map says in which line the headers are, and reads the table so."""
    above = 'Rent roll\r\n\r\nAs of;01-03-2026\r\n"Two\nlines"\r\n'
    text = f"{above}id;rent;from;currency\r\na;8.500,00;01-02-2026;DKK\r\nb;x;01-02-2026;DKK\r\n"
    there, asked = tmp_path / "leases.csv", ("--period", "2026-03", "--check")
    there.write_bytes(text.encode())
    printed = run("suggest-map", str(there)).stdout
    (tmp_path / "map.toml").write_text(printed, encoding="utf-8")
    found = run("bill-run", str(there), "--map", str(tmp_path / "map.toml"), *asked)

    assert "header_line = 6" in printed.splitlines()
    assert "8500.00 DKK" in found.stdout
    assert "line 8, rent" in found.stderr
    there.write_bytes(b"Rent roll\r\nid\r\n1\r\n")
    assert "# ? = \"Rent roll\", such as 'id'" in run("suggest-map", str(there)).stdout


def test_a_table_of_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "leases.csv").write_text("\n")

    assert "is empty" in refused(run("suggest-map", str(tmp_path / "leases.csv")))


def test_what_is_no_table_of_leases_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "leases.csv"
    for given, said in (
        ("id;rent\n1;8500\n".encode("utf-16"), "is no text in UTF-8 or Windows-1252"),
        (b"sep=;\nid;rent\n1;8500\n", "begins with a line for Excel alone"),
        (b'id;note\n1;"open\n' + b"2;x\n" * 40_000, "cannot be read as CSV"),
    ):
        table.write_bytes(given)
        assert said in refused(run("suggest-map", str(table)))
