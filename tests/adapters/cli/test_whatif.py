"""`rentbilling whatif`: the words of scenarios, what is printed, and what is refused.

By hand, for a rent of 8,500.00 a month in 2026: 3 % more from July on are 255.00 a month, six times
1,530.00; 102,000.00 become 103,530.00.
"""

import csv
import io
import json
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import Result

from rentbilling import loads, what_if
from rentbilling.whatif import raise_rent
from tests.support.command_line import (
    BY_INDEX,
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
from tests.support.rows import rows

HIGHER = "raise-rent 3% on 2026-07-01"


def asked(given: object, *options: str, columns: int = 80) -> Result:
    return run("whatif", "-", *options, given=given, columns=columns)


def in_2026(*scenarios: str, given: object = None, options: tuple[str, ...] = ()) -> Result:
    """Run scenarios of the year 2026 on the plain rent, or on another lease."""
    texts = [part for text in scenarios for part in ("--scenario", text)]
    return asked(given or rent(), "--period", "2026", *texts, *options)


def called(lease_id: str) -> dict[str, object]:
    return {"leaseId": lease_id, "recurringBillItems": [rent()]}


class TestTable:
    """The table for people: as it is, under the scenario, the change, and sums."""

    def test_the_whole_period_is_one_row_for_each_scenario(self, golden: Golden) -> None:
        """1,530.00 more for the year, as worked out at the top; and the currency in the heading.

        The opening month is stated for itself: eleven months of 100.00 are 1,100.00 less.
        """
        golden("whatif, year", in_2026(HIGHER, "Cheaper: give-discount 100 DKK"))

    def test_groups_have_rows_and_a_sum(self, golden: Golden) -> None:
        """Twelve months, the name in the first row alone, and 1,530.00 below them."""
        golden("whatif, months", in_2026(HIGHER, options=("--by", "month")))

    @rows("columns", [40, 60, 80])
    def test_no_figure_is_cut_off(self, columns: int) -> None:
        options = ("--period", "2026", "--scenario", HIGHER, "--by", "product")
        printed = asked(rent(), *options, columns=columns).stdout
        first = "".join(line.split("  ")[0] for line in printed.splitlines()[2:])

        assert 2 == printed.count("103,530.00")
        assert 2 == first.replace(" ", "").count("key:rent+3%from2026-07-01")

    def test_a_scenario_that_finds_nothing_is_said(self) -> None:
        """On stderr, so that nobody reads 0.00 as an answer."""
        finished = in_2026("without-item key:garage")

        assert "Notice: without key:garage: changes nothing of these leases\n" == finished.stderr
        assert 0 == finished.exit_code

    def test_no_bills_are_said(self) -> None:
        """Nothing falls due in 2020."""
        finished = asked(rent(), "--period", "2020", "--scenario", HIGHER)

        assert ("", True) == (finished.stdout, "No bills in these days.\n" in finished.stderr)


class TestData:
    """`--format json` and `csv`: rows of the library's `differences`."""

    def test_json_has_the_rows_of_the_library(self) -> None:
        options = ("--format", "json", "--by", "year", "--by", "product")
        data = json.loads(in_2026(HIGHER, options=options).stdout, parse_float=Decimal)
        terms = loads(json.dumps(rent()))
        answer = what_if(terms, raise_rent("0.03", on="2026-07-01"), period="2026-01-01/2026-12-31")
        (row,) = answer.differences(["year", "product"]).rows()
        row["productKey"] = row.pop("product_key")

        assert [row] == data["differences"]
        assert "2026-01-01/2026-12-31" == data["period"]
        assert [{"name": row["scenario"], "changed": 1}] == data["scenarios"]

    def test_csv_has_a_row_for_each_difference(self) -> None:
        """VAT of a rent with 25 % on top: 25 % of 1,530.00 are 382.50."""
        given = rent(vat={"taxMode": "Exclusive", "taxRate": 0.25})
        options = ("--format", "csv", "--of", "vat")
        printed = in_2026(f"=1+1: {HIGHER}", given=given, options=options).stdout_bytes
        (row,) = csv.DictReader(io.StringIO(printed.decode(), newline=""))
        expected = {
            "scenario": "'=1+1",
            "currency": "DKK",
            "baseline": "25500.00",
            "amount": "25882.50",
            "change": "382.50",
        }

        assert expected == row
        assert 2 == printed.count(b"\r\n")


class TestGiven:
    """Files, index series, assumptions, refusals."""

    @pytest.mark.parametrize(
        ("files", "names"),
        [
            # One without an id has the name of its file.
            ({"a.json": rent(), "b.json": rent()}, ["a", "b"]),
            # Of one id, the first lease keeps it.
            ({"a.json": called("lease-1"), "b.json": called("lease-1")}, ["lease-1", "b"]),
            # A file does not take the name of a lease.
            ({"a.json": rent(), "b.json": called("a")}, ["FOLDER/a.json", "a"]),
            # Files of one name have their folders, and one that is given twice is counted.
            (
                {"lease.json": called("lease"), "a/lease.json": rent(), "b/lease.json": rent()},
                ["lease", "FOLDER/a/lease.json", "FOLDER/b/lease.json", "FOLDER/a/lease.json (2)"],
            ),
        ],
        ids=["files", "one id", "a lease of that name", "folders"],
    )
    def test_each_lease_of_a_portfolio_has_a_name(
        self, tmp_path: Path, files: dict[str, object], names: list[str]
    ) -> None:
        """Each has its row, with its 1,530.00 more."""
        for folder in ("a", "b"):
            (tmp_path / folder).mkdir()
        paths = [written(tmp_path, name, json.dumps(files[name])) for name in files]
        paths += paths[1:2] if len(names) > len(files) else []
        options = ("--period", "2026", "--scenario", HIGHER, "--by", "lease", "--format", "csv")
        rows = csv.DictReader(io.StringIO(run("whatif", *paths, *options).stdout))

        assert {each.replace("FOLDER", str(tmp_path)): "1530.00" for each in names} == {
            row["lease_id"]: row["change"] for row in rows
        }

    def test_the_run_and_the_lease_of_an_error_are_said(self, tmp_path: Path) -> None:
        files = [
            written(tmp_path, f"{name}.json", json.dumps(rent_by(BY_INDEX))) for name in ("a", "b")
        ]
        finished = run("whatif", *files, "--period", "2023", "--scenario", "cap 3%")
        wrong, note = finished.stderr.splitlines()

        assert wrong.startswith("Error: 2 files: ")
        assert note.startswith("       ")
        assert {"a"} <= set(note.split())
        assert wrong.endswith("pass it with --indices FILE")

    def test_an_index_goes_on_where_it_is_assumed_to(self, tmp_path: Path) -> None:
        """8,885.06 × 1.02 = 9,062.76 in January 2025; with a cap of 1 % from there 8,973.91.

        From the start 8,715.05. 2023: 8,500 × 1.01 = 8,585.00. 2024: × 118.3 / 117.7, 0.51 %,
        8,628.76. 2025: × 1.01.
        """
        options = ("--indices", npi(tmp_path), "--assume-index", "2%", "--period", "2025-01")
        given = example("--with-index")
        scenarios = ("--scenario", "cap 1%", "--scenario", "cap 1% on start")
        finished = asked(given, *options, *scenarios, "--by", "product")
        lines = [line.split() for line in finished.stdout.splitlines() if "key:rent" in line]

        assert [
            ["9,062.76", "8,973.91", "-88.85"],
            ["9,062.76", "8,715.05", "-347.71"],
        ] == [line[-3:] for line in lines]
        assert "[assumed_index]" in finished.stderr
        assert "Notice: cap 1 %: from 2025-01-01, the first day of the period\n" in finished.stderr
        assert "since the beginning:" not in finished.stderr

    def test_an_index_without_its_values_is_refused(self, tmp_path: Path) -> None:
        options = ("--indices", npi(tmp_path), "--period", "2025")
        said = refused(asked(example("--with-index"), *options, "--scenario", "assume-index 2%"))
        first, run_of, hint = said.splitlines()

        assert first.startswith("Error: standard input: the series NPI has no value at 2024-10")
        assert "'as it is'" in run_of
        assert (
            "       the series NPI ends at 2024-06: --assume-index RATE gives values to the run as"
            " it is and to every scenario"
        ) == hint

    @pytest.mark.parametrize(
        ("period", "options"),
        [
            ("2022-01-01/2100-12-31", ("--assume-index", "2%")),
            ("2023", ("--indices", "AGO")),
            ("2023", ()),
        ],
        ids=["assumed, but not known yet", "before its first value", "no series"],
    )
    def test_nothing_is_advised_that_would_not_help(
        self, tmp_path: Path, period: str, options: tuple[str, ...]
    ) -> None:
        """Where a value before the last one is missing, or the series, or where it is assumed.

        The series that is assumed begins after the October of 2021 that is needed first.
        """
        late = written(tmp_path, "NPI.csv", "2022-10;117,7\n2023-10;118,3\n")
        given = [late if each == "AGO" else each for each in options]
        if "--assume-index" in given:
            given += ["--indices", late]
        said = refused(
            asked(example("--with-index"), "--period", period, *given, "--scenario", "cap 1%")
        )

        assert "--assume-index" not in said

    @rows(
        ("options", "said"),
        [
            (("--scenario", "cap 3%", "--scenario", "cap 3%"), "two runs are named cap 3 %"),
            (("--scenario", "as it is: cap 3%"), "two runs are named as it is"),
            (("--scenario", "cap 3%", "--assume-index", "2"), "2 is not a rate"),
            (("--scenario", "cap 3%", "--plot", "x.gif"), "x.gif is no name of a picture"),
            (("--scenario", "cap 3%", "--by", "week"), "'week' is not one of"),
            ((), "Missing option '--scenario'"),
        ],
    )
    def test_a_command_that_is_not_well_formed(self, options: tuple[str, ...], said: str) -> None:
        """Exit code 2, and what would be right."""
        assert said in refused(asked(rent(), "--period", "2026", *options), 2)

    def test_what_a_scenario_makes_is_judged(self) -> None:
        """An end before the start is refused as the terms would be; exit code 1."""
        said = refused(in_2026("end-on 2020-01-01", given=rent_by(BY_INDEX)))

        assert "Error: standard input: " in said


class TestPlot:
    """`--plot` writes a picture, or says why not."""

    @pytest.mark.parametrize(("name", "begins"), [("x.png", b"\x89PNG"), ("x.svg", b"<?xml")])
    def test_a_picture_is_written(self, tmp_path: Path, name: str, begins: bytes) -> None:
        path = tmp_path / name
        finished = in_2026(HIGHER, "cap 3%", options=("--plot", str(path)))

        assert 0 == finished.exit_code
        assert "103,530.00" in finished.stdout
        assert path.read_bytes().startswith(begins)

    def test_each_currency_has_a_picture(self, tmp_path: Path) -> None:
        texts = [json.dumps(rent()), json.dumps(rent()).replace("DKK", "EUR")]
        files = [written(tmp_path, f"{at}.json", text) for at, text in enumerate(texts)]
        options = ("--period", "2026", "--scenario", HIGHER, "--plot", str(tmp_path / "m.svg"))
        finished = run("whatif", *files, *options)
        pictures = [tmp_path / f"m-{each}.svg" for each in ("DKK", "EUR")]

        assert 0 == finished.exit_code
        assert 2 == finished.stdout.count("103,530.00")
        assert [
            f"Notice: the picture of DKK is {pictures[0]}",
            f"Notice: the picture of EUR is {pictures[1]}",
        ] == finished.stderr.splitlines()
        assert all(each.read_bytes().startswith(b"<?xml") for each in pictures)
        assert not (tmp_path / "m.svg").exists()

    def test_figures_are_printed_before_a_picture_is_drawn(self, tmp_path: Path) -> None:
        finished = in_2026(HIGHER, options=("--plot", str(tmp_path / "no" / "x.png")))

        assert 1 == finished.exit_code
        assert "103,530.00" in finished.stdout

    def test_a_folder_that_is_not_there_is_said(self, tmp_path: Path) -> None:
        """In one line, exit code 1."""
        path = str(tmp_path / "no" / "x.png")
        finished = in_2026(HIGHER, options=("--plot", path))

        assert (1, 1) == (finished.exit_code, len(finished.stderr.splitlines()))
        assert finished.stderr.startswith(f"Error: {path}: ")

    def test_a_missing_extra_is_said_before_anything_is_computed(self, tmp_path: Path) -> None:
        arguments = ("whatif", "-", "--period", "2026", "--scenario", HIGHER, "--plot")
        path = tmp_path / "x.png"
        given = json.dumps(rent()).encode()
        finished = launched(*arguments, str(path), given=given, script=without("matplotlib"))

        assert (1, b"") == (finished.returncode, finished.stdout)
        assert b"Error: --plot: pictures need matplotlib: pip install" in finished.stderr
        assert 1 == len(finished.stderr.splitlines())
        assert not path.exists()
