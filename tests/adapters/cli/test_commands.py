"""What no session can say of the commands: every schema and column, what is missing, odd files."""

import json
import re
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

pytest.importorskip("pyarrow", reason="the extra bulk is not installed")

from rentbilling.adapters.cli.output.outlines import RULE_WORDS
from rentbilling.adapters.cli.program import rentbilling
from rentbilling.adjustments import ADJUSTMENT_COLUMNS
from rentbilling.codec.bill_csv import COLUMNS, FULL_COLUMNS
from rentbilling.interface import SCHEMA_NAMES, schema_of
from tests.architecture.sources import GUIDE, PACKAGE, text_of
from tests.support.command_line import example, launched, refused, rent, run, without
from tests.support.rows import rows


@rows("name", SCHEMA_NAMES)
def test_a_schema_is_printed_as_it_is(name: str) -> None:
    assert schema_of(name) == json.loads(run("schema", name).stdout)


def test_a_shell_completes_the_names() -> None:
    completer = ShellComplete(rentbilling, {}, "rentbilling", "_RENTBILLING_COMPLETE")
    offered = completer.get_completions(["schema"], "pendingbill")

    names = ["PendingBillsRequest", "PendingBill", "PendingBillFull"]
    assert sorted(names) == sorted(each.value for each in offered)


@rows(
    ("command", "names"),
    [
        ("bills", [*COLUMNS, *FULL_COLUMNS]),
        ("adjustments", [each.name for each in ADJUSTMENT_COLUMNS]),
    ],
)
def test_the_help_names_every_column(command: str, names: list[str]) -> None:
    said = run(command, "--help").stdout

    assert [] == [name for name in names if name not in said]


def test_every_rule_of_a_working_has_words() -> None:
    modules = (PACKAGE / "explanations").glob("*.py")
    named = {rule for path in modules for rule in re.findall(r'"(A[0-9]+)"', text_of(path))}
    register = text_of(GUIDE / "registers" / "assumptions.md")

    assert named == set(RULE_WORDS)
    assert named <= {*re.findall(r"^\| (A[0-9]+) \|", register, re.MULTILINE)}


@rows("files", [["\0"], ["no\ud800where"], ["-", "--policy", "\0"], ["-", "--indices", "\0"]])
def test_a_name_that_no_file_can_have_is_refused(files: list[str]) -> None:
    said = refused(run("bills", *files, "--period", "2026", given=example()))

    assert said.startswith("Error: ")
    assert 1 == len(said.splitlines())


def test_a_quote_that_never_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "leases.csv").write_bytes(b'id;note\n1;"open\n' + b"2;x\n" * 40_000)

    assert "cannot be read as CSV" in refused(run("suggest-map", str(tmp_path / "leases.csv")))


def test_parquet_needs_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "rentbilling.portfolio.runs.bill_results", raising=False)

    assert "pip install 'rentbilling[bulk]'" in refused(run("verify", "-", given=b"PAR1"))


def test_a_missing_extra_is_said_before_anything_is_computed(tmp_path: Path) -> None:
    path, given = tmp_path / "x.png", json.dumps(rent()).encode()
    asked = ("forecast", "-", "--plot", str(path))
    finished = launched(*asked, given=given, script=without("matplotlib"))

    assert (1, b"") == (finished.returncode, finished.stdout)
    assert b"Error: --plot: pictures need matplotlib: pip install" in finished.stderr
    assert not path.exists()


def test_an_export_is_billed_in_three_lines_of_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the guide tells it: Danish headers, decimal commas, three currencies."""
    text = text_of(GUIDE / "portfolio.md").partition("### From an export to bills")[2]
    blocks = dict(re.findall(r"```(csv|sh|text)\n(.*?)```", text.partition("\n### ")[0], re.DOTALL))
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
