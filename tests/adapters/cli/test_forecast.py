"""`rentbilling forecast`: what years to come add up to, and what of it is assumed.

By hand, for a rent of 8,500.00 a month from January 2022 on and an index that is 100.0, 103.0 and
then goes on by 2 %: 2023 8,755.00, 2024 8,930.10; a year 102,000.00, 105,060.00 and 107,161.20.
"""

import csv
import io
import json
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import Result

from rentbilling import IndexSeries, forecast, loads
from tests.support.command_line import (
    BY_INDEX,
    ROOT,
    Golden,
    example,
    launched,
    npi,
    refused,
    rent,
    rent_by,
    run,
    without,
    written,
)
from tests.support.pages import printed_by, sessions_of
from tests.support.rows import rows

POINTS = "2021-10;100,0\n2022-10;103,0\n"


def forecasted(given: object, *options: str, columns: int = 80) -> Result:
    return run("forecast", "-", *options, given=given, columns=columns)


def by_index(folder: Path, *options: str, years: int = 3) -> Result:
    """Run a forecast of the rent that is worked out at the top."""
    index = written(folder, "points.csv", POINTS)
    known = ("--indices", index, "--assume-index", "2%", "--years", str(years))
    return forecasted(rent_by(BY_INDEX), *known, *options)


def test_a_year_is_a_row_and_assumptions_have_a_column(tmp_path: Path, golden: Golden) -> None:
    """The three years worked out at the top, and what rests on the assumed October of 2023."""
    golden("forecast, years", by_index(tmp_path))


def test_notices_that_are_alike_are_said_once(tmp_path: Path) -> None:
    finished = by_index(tmp_path, years=30)
    notices = finished.stderr.splitlines()

    assert 2 == len(notices)
    assert notices[0].endswith("[assumed_index]")
    assert "adjustedOn 2024-01-01" in notices[0]
    assert "more notices like this one" in notices[1]


def test_months_are_rows_where_asked_for(tmp_path: Path) -> None:
    """January 2023 is the first month at 8,755.00."""
    printed = by_index(tmp_path, "--by", "month", "--format", "csv", years=2).stdout
    rows = {row["month"]: row["gross"] for row in csv.DictReader(io.StringIO(printed))}

    assert 24 == len(rows)
    assert ("8500.00", "8755.00") == (rows["2022-12"], rows["2023-01"])


def test_json_is_the_library_s_forecast(tmp_path: Path) -> None:
    data = json.loads(by_index(tmp_path, "--format", "json").stdout, parse_float=Decimal)
    points = {"2021-10": "100.0", "2022-10": "103.0"}
    series = IndexSeries("points", points).extended(Decimal("0.02"), "2025-12")
    expected = forecast(loads(json.dumps(rent_by(BY_INDEX))), years=3, indices=series)

    assert ("2022-01-01", 3, "2024-01-01") == (data["start"], data["years"], data["assumedFrom"])
    assert [list(row.values()) for row in expected.rows()] == [
        list(row.values()) for row in data["cashFlow"]
    ]


def test_a_start_is_followed(tmp_path: Path) -> None:
    """From 2024 on, though the first adjustments come before it."""
    rows = by_index(tmp_path, "--start", "2024-01-01", "--format", "csv", years=1).stdout

    assert ["2024,DKK,107161.20,0.00,107161.20,107161.20"] == rows.splitlines()[1:]


def test_leases_are_summed_from_the_first_day_of_the_earliest(tmp_path: Path) -> None:
    """From 2026 and from 2027: 12 × 8,500.00 in the first year, 24 × 8,500.00 in the second."""
    later = json.loads(json.dumps(rent()).replace("2026", "2027"))
    files = [
        written(tmp_path, f"{at}.json", json.dumps(each)) for at, each in enumerate((later, rent()))
    ]
    printed = run("forecast", *files, "--years", "2", "--format", "csv").stdout
    rows = [(row["year"], row["gross"]) for row in csv.DictReader(io.StringIO(printed))]

    assert [("2026", "102000.00"), ("2027", "204000.00")] == rows


def test_two_currencies_have_sums_of_their_own(tmp_path: Path) -> None:
    euro = json.loads(json.dumps(rent()).replace("DKK", "EUR"))
    files = [
        written(tmp_path, f"{at}.json", json.dumps(each)) for at, each in enumerate((rent(), euro))
    ]
    lines = run("forecast", *files, "--years", "1").stdout.splitlines()

    assert ["Year", "Currency"] == lines[0].split()[:2]
    assert ["DKK", "EUR"] == [line.split()[1] for line in lines[2:4]]
    assert [["Total", "DKK"], ["Total", "EUR"]] == [line.split()[:2] for line in lines[5:7]]


def test_a_picture_of_the_rents_is_written(tmp_path: Path) -> None:
    path = tmp_path / "rents.svg"
    finished = by_index(tmp_path, "--plot", str(path))

    assert 0 == finished.exit_code
    assert "314,221.20" in finished.stdout
    assert "Rent over time" in path.read_text(encoding="utf-8")


@rows(
    ("options", "said"),
    [
        (("--years", "0"), "0 is not in the range x>=1"),
        (("--years", "201"), "201 is not in the range 1<=x<=200"),
        (("--start", "soon"), "'soon' is not a date; write a date such as 2027-01-01."),
        *(
            (("--assume-index", each), f"'{each}' is not a rate; write 3% or 0.03.")
            for each in ("1", "3", "-1", "100", "three", "%", "3%%", "3 %", "")
        ),
        (("--plot", "rents"), "rents is no name of a picture"),
        (("-",), "Only one of FILE, --policy and --indices can be standard input."),
        (("b.json", "--plot", "x.png"), "--plot draws the rents of one lease; give one FILE."),
    ],
)
def test_a_command_that_is_not_well_formed(options: tuple[str, ...], said: str) -> None:
    """Exit code 2, before any file is read."""
    assert said in refused(forecasted(rent(), *options), 2)


def test_a_missing_index_is_said_with_what_would_help(tmp_path: Path) -> None:
    """The October of 2024 is not published, and nothing was assumed."""
    options = ("--indices", npi(tmp_path), "--years", "5")
    said = refused(forecasted(example("--with-index"), *options))

    assert said.startswith("Error: standard input: the series NPI has no value at 2024")
    hint = "the series NPI ends at 2024-06: --assume-index RATE gives values to the years to come"
    assert [f"       {hint}"] == said.splitlines()[1:]


@rows(
    "options",
    [("--years", "2", "--assume-index", "2%", "--indices", "LATE"), ("--indices", "LATE"), ()],
)
def test_nothing_is_advised_that_would_not_help(tmp_path: Path, options: tuple[str, ...]) -> None:
    """The series begins after the October of 2021 that is needed first, or there is none."""
    late = written(tmp_path, "NPI.csv", "2022-10;117,7\n2023-10;118,3\n")
    given = [late if each == "LATE" else each for each in options]

    assert "--assume-index" not in refused(forecasted(example("--with-index"), *given))


def test_the_file_of_an_error_is_said(tmp_path: Path) -> None:
    files = [
        written(tmp_path, f"{at}.json", json.dumps(each))
        for at, each in enumerate((rent(), rent_by(BY_INDEX)))
    ]

    assert refused(run("forecast", *files)).startswith(f"Error: {files[1]}: ")


@rows("folder", ["no/x.png", "x.png"])
def test_a_picture_that_cannot_be_written_is_said_in_a_line(tmp_path: Path, folder: str) -> None:
    """After the figures are printed."""
    path = tmp_path / folder
    if path.parent == tmp_path:
        path.mkdir()
    finished = forecasted(rent(), "--years", "1", "--plot", str(path))

    assert (1, 1) == (finished.exit_code, len(finished.stderr.splitlines()))
    assert "102,000.00" in finished.stdout
    assert finished.stderr.startswith(f"Error: {path}: ")


def test_a_missing_extra_is_said_before_anything_is_computed(tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    given = json.dumps(rent()).encode()
    finished = launched(
        "forecast", "-", "--plot", str(path), given=given, script=without("matplotlib")
    )

    assert (1, b"") == (finished.returncode, finished.stdout)
    assert b"Error: --plot: pictures need matplotlib: pip install" in finished.stderr
    assert 1 == len(finished.stderr.splitlines())
    assert not path.exists()


def test_each_currency_of_a_lease_has_a_picture(tmp_path: Path) -> None:
    euro = json.loads(json.dumps(rent()).replace("DKK", "EUR"))
    given = {"recurringBillItems": [rent(), euro]}
    finished = forecasted(given, "--years", "1", "--plot", str(tmp_path / "m.svg"))

    assert 0 == finished.exit_code
    assert 2 == finished.stdout.count("Total")
    assert [tmp_path / "m-DKK.svg", tmp_path / "m-EUR.svg"] == sorted(tmp_path.iterdir())
    assert [f"Notice: the picture of {each} is" for each in ("DKK", "EUR")] == [
        line.rpartition(" ")[0] for line in finished.stderr.splitlines()
    ]


def test_a_lease_that_nothing_recurs_in_needs_a_start() -> None:
    assert refused(forecasted({"leaseId": "empty"})).startswith("Error: standard input: ")


def test_no_bar_is_drawn_in_a_pipe(tmp_path: Path) -> None:
    index = written(tmp_path, "points.csv", POINTS)
    options = ("--indices", index, "--assume-index", "2%")
    given = json.dumps(rent_by(BY_INDEX)).encode()
    finished = launched("forecast", "-", *options, given=given)

    assert 0 == finished.returncode
    assert 2 == len(finished.stderr.splitlines())
    assert b"\x1b" not in finished.stdout + finished.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="the sessions are those of a POSIX shell")
def test_the_sessions_of_the_guide_print_what_is_shown(tmp_path: Path) -> None:
    shown = sessions_of(ROOT / "rentbilling" / "guide" / "what_if.md")

    assert shown.count("$ rentbilling ") >= 3
    assert shown == printed_by(shown, tmp_path)
