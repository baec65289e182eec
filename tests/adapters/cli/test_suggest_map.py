"""`rentbilling suggest-map leases.csv`: a map to begin with, and an export that becomes bills."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

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


def suggested(folder: Path, text: str, encoding: str = "utf-8") -> str:
    """Return the map that is printed for a table."""
    (folder / "leases.csv").write_bytes(text.encode(encoding))
    finished = run("suggest-map", str(folder / "leases.csv"))
    assert 0 == finished.exit_code
    return finished.stdout


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "leaseId,amount,currency,movedIn\n1,8500.00,DKK,2026-01-15\n",
            {
                "lease": {"id": "leaseId"},
                "item": {"amount": "amount", "currency": "currency", "moved_in": "movedIn"},
                "constants": {},
                "format": {"date": "YYYY-MM-DD", "decimal": "."},
            },
        ),
        (
            "Vertrag;Kaltmiete;Mietbeginn;MwSt\n7;1.100,5;1.3.2020;19 %\n8;900;15.12.2021;0\n",
            {
                "lease": {"id": "Vertrag"},
                "item": {"amount": "Kaltmiete", "tax_rate": "MwSt", "moved_in": "Mietbeginn"},
                "constants": {"tax_mode": "Exclusive"},
                "format": {"delimiter": ";", "date": "D.M.YYYY", "decimal": ",", "thousands": "."},
            },
        ),
        (
            "Lejemål\tHusleje\tFra\tMoms\tMomstype\tRabat\tRabat til\n\n",
            {
                "lease": {"id": "Lejemål"},
                "item": {
                    "amount": "Husleje",
                    "moved_in": "Fra",
                    "tax_rate": "Moms",
                    "tax_mode": "Momstype",
                    "discount.percentage": "Rabat",
                    "discount.end_date": "Rabat til",
                },
                "constants": {},
                "format": {"delimiter": "\t"},
            },
        ),
    ],
    ids=["names of the interface", "German", "no rows"],
)
def test_what_headers_and_rows_tell(text: str, expected: Any, tmp_path: Path) -> None:  # noqa: ANN401 - data of TOML
    found = tomllib.loads(suggested(tmp_path, text))

    assert expected == {name: {**section} for name, section in found.items()}


def test_what_is_not_certain_is_a_comment(tmp_path: Path) -> None:
    text = 'id,rent,from,Bemærkning "x"\n1,8.500,01/02/2026,a  b\n2,12.250,03/04/2026\n'
    printed = suggested(tmp_path, text, "latin-1")

    assert {
        '# ? = "Bemærkning \\"x\\"", such as \'a b\'',
        '# missing: item.currency: a column, or currency = "DKK" as a constant',
        '# date = "D/M/YYYY" or date = "M/D/YYYY"',
        '# decimal = "." or decimal = ",", thousands = "."',
        'encoding = "cp1252"',
    } <= {*printed.splitlines()}


def test_mixed_forms_are_left_to_the_person(tmp_path: Path) -> None:
    printed = suggested(tmp_path, "id,rent,from\n1,a lot,2026-01-01\n2,,01-02-2026\n,,\n")

    assert '# date = "…", of mixed forms' in printed.splitlines()
    assert "decimal" not in printed
    assert [] == [*tomllib.loads(printed)["format"]]


def test_a_map_is_read_when_what_is_missing_is_there(tmp_path: Path) -> None:
    printed = suggested(tmp_path, "id;rent;from\n1;8.500,00;01-02-2026\n")
    mapping = TableMapping.from_toml(
        printed.replace("[constants]", '[constants]\ncurrency = "DKK"', 1)
    )

    assert ("id", "rent", ";") == (mapping.lease["id"], mapping.item["amount"], mapping.delimiter)


def test_a_table_of_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "leases.csv").write_text("\n")

    assert "is empty" in refused(run("suggest-map", str(tmp_path / "leases.csv")))
