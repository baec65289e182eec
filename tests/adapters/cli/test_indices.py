"""`--indices`: the files that index series are read from, for bills and for adjustments alike."""

import json
from pathlib import Path

import pytest

from tests.support.command_line import (
    BY_INDEX,
    adjusted,
    billed,
    example,
    npi,
    refused,
    rent,
    rent_by,
    run,
    written,
)
from tests.support.rows import rows

NPI = {"name": "NPI", "base": "2015=100", "values": {"2021-10": 106.7, "2022-10": 117.7}}
CPI = {"name": "CPI", "values": {"2021-10": 100.0, "2022-10": 102.0}}
BY_CPI = {**BY_INDEX, "indexClause": {"series": "CPI"}}
# 8,500.00 × 117.7 / 106.7 = 9,376.288… by the net prices, 8,500.00 × 1.02 by the consumer prices.
NEW_RENT = "9376.29"
NEW_RENT_BY_CPI = "8670.00"


def rent_after(given: object, *files: str) -> str:
    """Return the rent of January 2023 as `bills` has it."""
    options = [part for file in files for part in ("--indices", file)]
    finished = billed(given, "2023-01", *options, "--format", "json")
    assert (0, "") == (finished.exit_code, finished.stderr)
    return finished.stdout.partition('"subtotal": {"currency": "DKK", "amount": ')[2].split("}")[0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("npi.json", json.dumps(NPI)),
        ("npi", json.dumps(NPI)),
        ("npi.json", "\ufeff" + json.dumps(NPI)),
        ("npi.json", json.dumps([NPI])),
        ("npi.json", json.dumps({"series": [NPI]})),
        ("npi.csv", "2021-10;106,7\n2022-10;117,7\n"),
        ("NPI.CSV", "month,value\r\n2021-10,106.7\r\n2022-10,117.7\r\n"),
        ("npi.csv", "\ufeff# net prices\n2021-10\t106,7\n2022-10\t117,7\t2022-11-10\n"),
    ],
)
def test_every_form_of_a_series_is_read(tmp_path: Path, name: str, text: str) -> None:
    """8,500.00 × 117.7 / 106.7 = 9,376.29 in each of them."""
    assert NEW_RENT == rent_after(rent_by(BY_INDEX), written(tmp_path, name, text))


def test_a_series_may_come_from_standard_input(tmp_path: Path) -> None:
    path = written(tmp_path, "lease.json", json.dumps(rent_by(BY_INDEX)))
    finished = run("adjustments", path, "--period", "2023", "--indices", "-", given=NPI)

    assert 0 == finished.exit_code
    assert "9,376.29" in finished.stdout


def test_csv_has_its_name_from_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, "CPI.csv", "2021-10;100\n2022-10;102\n")

    assert NEW_RENT_BY_CPI == rent_after(rent_by(BY_CPI), path)


def test_a_clause_finds_its_series_among_several(tmp_path: Path) -> None:
    one = written(tmp_path, "one.json", json.dumps(NPI))
    two = written(tmp_path, "two.json", json.dumps(CPI))
    both = written(tmp_path, "both.json", json.dumps([NPI, CPI]))

    assert [NEW_RENT_BY_CPI] * 3 == [
        rent_after(rent_by(BY_CPI), one, two),
        rent_after(rent_by(BY_CPI), two, one),
        rent_after(rent_by(BY_CPI), both),
    ]


def test_the_same_series_twice_is_one(tmp_path: Path) -> None:
    assert NEW_RENT == rent_after(rent_by(BY_INDEX), *2 * [npi(tmp_path)])


def test_a_rule_that_could_mean_either_series_is_refused(tmp_path: Path) -> None:
    both = written(tmp_path, "both.json", json.dumps([NPI, CPI]))
    said = refused(adjusted(rent_by(BY_INDEX), "2023", "--indices", both))

    assert "indexClause.series: is missing, and several series were passed" in said
    assert "one of NPI, CPI" in said


def test_two_series_of_one_name_are_refused(tmp_path: Path) -> None:
    """Values of two bases never meet in one ratio; the second file is the one named (A41)."""
    other = written(tmp_path, "other.json", json.dumps({**NPI, "base": "2020=100"}))
    said = refused(
        adjusted(rent_by(BY_INDEX), "2023", "--indices", npi(tmp_path), "--indices", other)
    )

    assert said.startswith(f"Error: {other}: indices.NPI: names two series")


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("npi.json", b"", "is not JSON at line 1, column 1"),
        ("npi.json", b"2021-10;106,7\n", "is not JSON at line 1"),
        ("npi.json", b"\xff", "is not UTF-8 at byte 0"),
        ("npi.json", b"7", "is not an object"),
        ("npi.json", b"{}", "name: is required"),
        ("npi.json", b"[]", "holds no index value"),
        ("npi.json", b'{"series": []}', "series: holds no index value"),
        ("npi.json", b'{"series": {"name": "NPI"}}', "series: is not a list"),
        ("npi.json", b'{"series": [], "source": "x"}', "source: is not a field"),
        ("npi.json", b'[{"name": "NPI", "values": {}}]', "[0].values: holds no index value"),
        ("npi.json", b'{"name": "NPI", "values": [1]}', "values: is not a mapping"),
        ("npi.json", b'{"name": "NPI", "values": {"2021-13": 1}}', "values.2021-13: is not a "),
        ("npi.json", b'{"name": "NPI", "values": {"2021-10": 0}}', "values.2021-10: is not above"),
        (
            "npi.json",
            b'{"name": "NPI", "values": {"2021-10": 1, "2021-10": 2}}',
            "values.2021-10: is repeated in one object",
        ),
        (
            "npi.json",
            b'{"series": [{"name": "A", "values": {"2021": 1}}, {"name": "B", "value": 1}]}',
            "series[1].value: is not a field",
        ),
        ("npi.csv", b"", "holds no index value"),
        ("npi.csv", b"month;value\n", "holds no index value"),
        ("npi.csv", b"\xe6;1\n", "is not UTF-8 at byte 0"),
        ("npi.csv", b"2021-10;106,7\n2022-10;x\n", "lines[1]: line 2 is not a number"),
        ("npi.csv", b'{"name": "NPI"}', "holds no index value (met nothing; expected a month"),
    ],
)
@pytest.mark.parametrize("command", ["adjustments", "bills"])
def test_a_bad_file_is_refused_with_its_name(
    tmp_path: Path, command: str, name: str, given: bytes, said: str
) -> None:
    path = written(tmp_path, name, given)
    options = ("--period", "2023", "--indices", path)
    told = refused(run(command, "-", *options, given=rent_by(BY_INDEX)))

    assert told.startswith(f"Error: {path}: {said}")


@rows("name", ["nowhere.json", "nowhere.csv", ".", "\0"])
def test_a_file_that_cannot_be_read_is_refused(name: str) -> None:
    assert 1 == len(refused(billed(rent(), "2026", "--indices", name)).splitlines())


def test_a_file_that_is_wrong_throughout_is_told_in_short(tmp_path: Path) -> None:
    """Of 5,000 lines of another shape ten are told, and how many more there are."""
    path = written(tmp_path, "wide.csv", "2021-10;1;2;3;4;5\n" * 5_000)
    lines = billed(rent(), "2026", "--indices", path).stderr.splitlines()

    assert 11 == len(lines)
    assert f"Error: {path}: and 4990 more problems like these" == lines[-1]


def test_eleven_problems_are_all_told(tmp_path: Path) -> None:
    path = written(tmp_path, "wide.csv", "2021-10;1;2;3;4;5\n" * 11)
    lines = billed(rent(), "2026", "--indices", path).stderr.splitlines()

    assert 11 == len(lines)
    assert lines[-1].startswith(f"Error: {path}: lines[10]: line 11 has another number of fields")


@pytest.mark.parametrize("others", [("--policy", "-"), ("--indices", "-")], ids=" ".join)
def test_standard_input_is_read_once(others: tuple[str, str], tmp_path: Path) -> None:
    path = written(tmp_path, "lease.json", example())
    said = refused(run("bills", path, "--period", "2026", "--indices", "-", *others, given=NPI), 2)

    assert "Only one of FILE, --policy and --indices can be standard input." in said
