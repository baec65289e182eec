"""`rentbilling whatif`: the words of scenarios, what is printed, and what is refused.

By hand, for a rent of 8,500.00 a month in 2026: 3 % more from July on are 255.00 a month, six times
1,530.00; 102,000.00 become 103,530.00.
"""

import csv
import io
import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from click import BadParameter
from click.testing import Result

from rentbilling import (
    Amount,
    BillingCycle,
    BillingInputs,
    IndexSeries,
    LeaseTerms,
    Scenario,
    Vat,
    assume_index,
    cap,
    due_on,
    end_on,
    floor,
    give_discount,
    loads,
    raise_rent,
    set_rent,
    start_on,
    switch_cycle,
    switch_to_monthly,
    switch_to_quarterly,
    switch_to_yearly,
    under_policy,
    use_clause,
    use_vat,
    what_if,
    without_adjustments,
    without_item,
)
from rentbilling.adapters.cli.scenario_words import WORDS, rate_in, scenario_in, usage_of
from tests.adapters.command_line import (
    BY_INDEX,
    calm,
    example,
    launched,
    npi,
    rent,
    rent_by,
    run,
    written,
)

HIGHER = "raise-rent 3% on 2026-07-01"


def asked(given: object, *options: str, columns: int = 80) -> Result:
    """Run `whatif` on what is given on standard input."""
    return run("whatif", "-", *options, given=given, columns=columns)


def in_2026(*scenarios: str, given: object = None, options: tuple[str, ...] = ()) -> Result:
    """Run scenarios of the year 2026 on the plain rent, or on another lease."""
    texts = [part for text in scenarios for part in ("--scenario", text)]
    return asked(given or rent(), "--period", "2026", *texts, *options)


class TestWords:
    """A text says what a call of the library says."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("raise-rent 3%", raise_rent("0.03")),
            (HIGHER, raise_rent("0.03", on="2026-07-01")),
            ("raise-rent 0.03 on 2026-07-01", raise_rent("0.03", on="2026-07-01")),
            ("raise-rent -2.5 %", raise_rent("-0.025")),
            ("raise-rent 200 DKK", raise_rent(Amount(200, "DKK"))),
            ("raise-rent 200.50DKK of a", raise_rent(Amount.parse("200.50 DKK"), of="a")),
            ("raise-rent 3% of a,key:b", raise_rent("0.03", of=["a", "key:b"])),
            (
                "raise-rent 3% of a, key:b on 2026-02-01",
                raise_rent("0.03", on="2026-02-01", of=["a", "key:b"]),
            ),
            ("set-rent 9000 DKK on 2026-03-01", set_rent(Amount(9000, "DKK"), on="2026-03-01")),
            ("give-discount 10% until 2026-06-30", give_discount("0.1", until="2026-06-30")),
            ("give-discount 200 DKK", give_discount(Amount(200, "DKK"))),
            ("use-vat Exclusive 25%", use_vat(Vat("Exclusive", Decimal("0.25")))),
            ("use-vat ReverseCharge on 2026-05-01", use_vat(Vat("ReverseCharge"), on="2026-05-01")),
            ("cap 4%", cap("0.04")),
            ("floor 0%", floor(0)),
            ("use-clause increaseOnly=true", use_clause(increase_only=True)),
            ("without-adjustments", without_adjustments()),
            ("assume-index 2% until 2030-12", assume_index("0.02", until="2030-12")),
            ("switch-to-monthly", switch_to_monthly()),
            ("switch-to-quarterly on 2026-04-01", switch_to_quarterly(on="2026-04-01")),
            ("switch-to-yearly of a", switch_to_yearly(of="a")),
            ("switch-cycle 6 months", switch_cycle(BillingCycle(period_length=6))),
            ("switch-cycle 1 week of a", switch_cycle(BillingCycle(time_unit="Week"), of="a")),
            ("due-on 10", due_on(10)),
            ("due-on -1 from end of a", due_on(-1, relative_to="end", of="a")),
            ("start-on 2026-02-15", start_on("2026-02-15")),
            ("end-on 2026-06-30", end_on("2026-06-30")),
            ("end-on never", end_on(None)),
            ("without-item a, b", without_item(["a", "b"])),
            ("under-policy partPeriod=thirty_day", under_policy(part_period="thirty_day")),
        ],
    )
    def test_a_text_is_the_call(self, text: str, expected: Scenario) -> None:
        """The name says all of it; what it changes is held against the call in the next test."""
        assert expected.name == scenario_in(text).name

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (HIGHER, raise_rent("0.03", on="2026-07-01")),
            (
                "use-vat Exclusive 0.25 on 2026-05-01 of key:rent",
                use_vat(Vat("Exclusive", Decimal("0.25")), on="2026-05-01", of="key:rent"),
            ),
            ("due-on 5 from end", due_on(5, relative_to="end")),
            ("give-discount 10% until 2026-06-30", give_discount("0.1", until="2026-06-30")),
            (
                "switch-cycle 2 months on 2026-03-01",
                switch_cycle(BillingCycle(period_length=2), on="2026-03-01"),
            ),
            (
                "end-on 2026-08-15 | under-policy partPeriod=thirty_day vatRounding=per_line",
                end_on("2026-08-15")
                | under_policy(part_period="thirty_day", vat_rounding="per_line"),
            ),
            (
                "raise-rent 3% | give-discount 100 DKK | due-on 3",
                raise_rent("0.03") | give_discount(Amount(100, "DKK")) | due_on(3),
            ),
        ],
    )
    def test_a_text_changes_what_the_call_changes(self, text: str, expected: Scenario) -> None:
        """The same inputs come out, all of them."""
        inputs = BillingInputs.of(loads(json.dumps(rent())))

        assert expected(inputs) == scenario_in(text)(inputs)
        assert expected(inputs) != inputs

    def test_clauses_and_assumptions_reach_the_index(self) -> None:
        """A clause's choice, a cap and assumed values, as the functions make them."""
        terms: LeaseTerms = loads(json.dumps(rent_by(BY_INDEX)))
        npi_2 = IndexSeries("NPI", {"2021-10": "100.0", "2022-10": "103.0"})
        inputs = BillingInputs.of(terms, npi_2)
        text = "use-clause increaseOnly=true | cap 4% | assume-index 2% until 2024-12 of NPI"
        made = use_clause(increase_only=True) | cap("0.04")
        made |= assume_index("0.02", until="2024-12", of="NPI")

        assert made(inputs) == scenario_in(text)(inputs)

    def test_a_name_and_a_colon_may_stand_in_front(self) -> None:
        """Without it a scenario is named by its changes; a product key's colon is no name."""
        assert "Cheaper, a bit" == scenario_in("Cheaper, a bit: cap 3% | floor 0%").name
        assert "without key:parking" == scenario_in("without-item key:parking").name

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("rise 3%", "rise is not a word of a scenario; write one of raise-rent, "),
            ("", "nothing is not a word of a scenario"),
            ("cap 4% |", "nothing is not a word of a scenario"),
            ("cap 4", "4 is not a rate; write 3% or 0.03. Usage: cap 4%"),
            ("raise-rent", "nothing is not a rate"),
            ("raise-rent 3", "3 is not a rate"),
            ("raise-rent 3 kr", "3 kr is not a rate"),
            ("set-rent 9000", "9000 is not an amount; write 200 DKK"),
            ("set-rent 9000 XXQ", "currency: is not"),
            ("raise-rent 3% until 2027-01-01", "until 2027-01-01 is not expected there"),
            ("raise-rent 3% on", "nothing is not a day"),
            ("raise-rent 3% on tomorrow", "on: is not a date"),
            ("raise-rent 3% on 2026-01-01 on 2026-02-01", "on stands twice"),
            ("raise-rent 3% of", "nothing is not an item"),
            ("use-vat", "nothing is not a VAT"),
            ("use-vat Half 25%", "taxMode: is not a known tax mode"),
            ("use-clause", "nothing is not a field"),
            ("use-clause basis", "basis is not a field; write its name, = and its value"),
            ("use-clause basis=best", "basis: is not a known word"),
            ("use-clause colour=red", "colour: is not a field"),
            ("under-policy colour=red", "colour: is not a field"),
            ("under-policy partPeriod=half", "partPeriod: is not a known word"),
            ("switch-cycle 6", "6 is not a cycle; write 6 months"),
            ("switch-to-quarterly 4", "4 is not expected there"),
            ("due-on first", "first is not a day"),
            ("due-on 5 from start", "only from end is understood"),
            ("due-on 0", "names no day"),
            ("end-on soon", "day: is not a date"),
        ],
    )
    def test_what_is_not_understood_is_refused(self, text: str, said: str) -> None:
        """With the word in question, and with what may stand there."""
        with pytest.raises(BadParameter) as refused:
            scenario_in(text)

        assert said in refused.value.message

    @pytest.mark.parametrize("text", ["1", "3", "-1", "100", "three", "%", "3%%", "3 %", ""])
    def test_a_rate_is_never_guessed(self, text: str) -> None:
        """A bare number of 1 or more may mean percent or times a hundred, so it is none."""
        with pytest.raises(ValueError, match="is not a rate"):
            rate_in(text)

    def test_the_help_lists_every_word(self) -> None:
        """With its usage, so that nobody needs the guide for it."""
        told = run("whatif", "--help", columns=88).stdout
        missing = [word for word in WORDS if f"  {usage_of(word)}\n" not in told]

        assert [] == missing


class TestTable:
    """The table for people: as it is, under the scenario, the change, and sums."""

    def test_the_whole_period_is_one_row_for_each_scenario(self) -> None:
        """1,530.00 more for the year, as worked out at the top; and the currency in the heading."""
        lines = in_2026(HIGHER, "Cheaper: give-discount 100 DKK").stdout.splitlines()

        assert ["Scenario", "As", "it", "is", "Under", "it", "Change", "DKK"] == lines[0].split()
        assert ["102,000.00", "103,530.00", "1,530.00"] == lines[2].split()[-3:]
        # The opening month is stated for itself: eleven months of 100.00.
        assert ["Cheaper", "102,000.00", "100,900.00", "-1,100.00"] == lines[3].split()
        assert 4 == len(lines)

    def test_groups_have_rows_and_a_sum(self) -> None:
        """Twelve months, the name in the first row alone, and 1,530.00 below them."""
        printed = in_2026(HIGHER, options=("--by", "month")).stdout.splitlines()
        rows, total = printed[2:14], printed[15]

        assert ["2026-01", "8,500.00", "8,500.00", "0.00"] == rows[0].split()[-4:]
        assert ["2026-07", "8,500.00", "8,755.00", "255.00"] == rows[6].split()
        assert ["Total", "102,000.00", "103,530.00", "1,530.00"] == total.split()[-4:]
        assert 16 == len(printed)

    @pytest.mark.parametrize("columns", [40, 60, 80])
    def test_no_figure_is_cut_off(self, columns: int) -> None:
        """However narrow the terminal; the scenario's name takes the lines that it needs."""
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
        """Figures with all their digits, names in camelCase, and how many leases changed."""
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

    def test_several_files_are_a_portfolio(self, tmp_path: Path) -> None:
        """Each has its row; one without an id has the name of its file; 2 × 1,530.00 in all."""
        files = [written(tmp_path, f"{name}.json", json.dumps(rent())) for name in ("a", "b")]
        options = ("--period", "2026", "--scenario", HIGHER, "--by", "lease", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(run("whatif", *files, *options).stdout)))

        assert [("a", "1530.00"), ("b", "1530.00")] == [
            (row["lease_id"], row["change"]) for row in rows
        ]

    def test_leases_of_one_id_are_told_apart(self, tmp_path: Path) -> None:
        """The first keeps the id, the second has the name of its file."""
        files = [written(tmp_path, f"{name}.json", example()) for name in ("a", "b")]
        options = ("--period", "2026", "--scenario", "cap 3%", "--by", "lease", "--format", "csv")
        rows = csv.DictReader(io.StringIO(run("whatif", *files, *options).stdout))

        assert ["lease-1", "b"] == [row["lease_id"] for row in rows]

    def test_an_index_goes_on_where_it_is_assumed_to(self, tmp_path: Path) -> None:
        """8,885.06 × 1.02 = 9,062.76 in January 2025; with a cap of 1 % 8,715.05.

        2023: 8,500 × 1.01 = 8,585.00. 2024: × 118.3 / 117.7, 0.51 %, 8,628.76. 2025: × 1.01.
        """
        options = ("--indices", npi(tmp_path), "--assume-index", "2%", "--period", "2025-01")
        given = example("--with-index")
        finished = asked(given, *options, "--scenario", "cap 1%", "--by", "product")
        line = next(line for line in finished.stdout.splitlines() if "key:rent" in line)

        assert ["9,062.76", "8,715.05", "-347.71"] == line.split()[-3:]
        assert "[assumed_index]" in finished.stderr

    def test_an_index_without_its_values_is_refused(self, tmp_path: Path) -> None:
        """In one line, with the file."""
        options = ("--indices", npi(tmp_path), "--period", "2025", "--scenario", "cap 1%")
        finished = asked(example("--with-index"), *options)

        assert 1 == finished.exit_code
        assert finished.stderr.startswith("Error: standard input: ")
        assert 1 == len(finished.stderr.splitlines())

    @pytest.mark.parametrize(
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
        finished = asked(rent(), "--period", "2026", *options)

        assert 2 == finished.exit_code
        assert said in finished.stderr

    def test_what_a_scenario_makes_is_judged(self) -> None:
        """An end before the start is refused as the terms would be; exit code 1."""
        finished = in_2026("end-on 2020-01-01", given=rent_by(BY_INDEX))

        assert 1 == finished.exit_code
        assert "Error: standard input: " in finished.stderr


class TestPlot:
    """`--plot` writes a picture, or says why not."""

    @pytest.mark.parametrize(("name", "begins"), [("x.png", b"\x89PNG"), ("x.svg", b"<?xml")])
    def test_a_picture_is_written(self, tmp_path: Path, name: str, begins: bytes) -> None:
        """Beside the table, in the format that the name ends with."""
        path = tmp_path / name
        finished = in_2026(HIGHER, "cap 3%", options=("--plot", str(path)))

        assert 0 == finished.exit_code
        assert "103,530.00" in finished.stdout
        assert path.read_bytes().startswith(begins)

    def test_a_folder_that_is_not_there_is_said(self, tmp_path: Path) -> None:
        """In one line, exit code 1."""
        path = str(tmp_path / "no" / "x.png")
        finished = in_2026(HIGHER, options=("--plot", path))

        assert (1, 1) == (finished.exit_code, len(finished.stderr.splitlines()))
        assert finished.stderr.startswith(f"Error: {path}: ")

    def test_a_missing_extra_is_said_before_anything_is_computed(self, tmp_path: Path) -> None:
        """In one line with what to install; nothing is printed."""
        script = """
import sys
sys.modules["matplotlib"] = None
from rentbilling.adapters.cli import main
main()
"""
        arguments = ("whatif", "-", "--period", "2026", "--scenario", HIGHER, "--plot")
        path = tmp_path / "x.png"
        given = json.dumps(rent()).encode()
        finished = launched(*arguments, str(path), given=given, script=script)

        assert (1, b"") == (finished.returncode, finished.stdout)
        assert b"Error: --plot: pictures need matplotlib: pip install" in finished.stderr
        assert 1 == len(finished.stderr.splitlines())
        assert not path.exists()


def test_help_comes_without_the_core() -> None:
    """Nor do the extras of pictures, whatever the words of scenarios are."""
    script = """
import sys
from rentbilling.adapters.cli.commands import rentbilling
rentbilling(["whatif", "--help"], standalone_mode=False)
core = {"rentbilling.terms", "rentbilling.scenarios", "numpy", "matplotlib", "pydantic"}
sys.exit(len(core & sys.modules.keys()))
"""
    finished = subprocess.run(
        [sys.executable, "-c", script], env=calm(), capture_output=True, check=False
    )

    assert 0 == finished.returncode
