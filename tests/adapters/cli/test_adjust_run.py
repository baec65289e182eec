"""`rentbilling adjust-run`: the adjustments of a portfolio from files to files, as `bill-run` does.

A rent of 8,000 follows the index of October, 100 to 103: 8000 × 103 / 100 = 8240.
"""

from decimal import Decimal
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra bulk is not installed")

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling import dumps
from rentbilling.portfolio import leases_to_arrow
from rentbilling.testing import a_lease, a_plan, a_rent, an_index
from tests.support.command_line import refused, run

NPI = an_index({"2025-10": "100.0", "2026-10": "103.0"}, name="NPI")
SUMMARY = [
    "3 leases: 1 adjusted, 1 unchanged, 1 with problems",
    "1 adjustment, 0 notices",
    "adjusted one by one, by the engine for single leases: 33.3 % (problems 1)",
]


@pytest.fixture
def asked(tmp_path: Path) -> tuple[str, ...]:
    """Return the arguments for leases: one follows an index, one nothing, one is contradictory."""
    home = a_lease(a_rent(amount=8000), plans=[a_plan()], lease_id="home")
    leases = leases_to_arrow([home, a_lease(lease_id="plain"), a_lease(lease_id="other")])
    place, euros = leases.schema.get_field_index("currency"), pa.array([None, None, "EUR"])
    leases = leases.set_column(place, "currency", euros)
    pq.write_table(pa.Table.from_batches([leases]), tmp_path / "leases.parquet")
    (tmp_path / "npi.json").write_text(dumps(NPI), encoding="utf-8")
    indices = ("--indices", str(tmp_path / "npi.json"))
    return ("adjust-run", str(tmp_path / "leases.parquet"), *indices, "--period", "2027")


def test_adjustments_and_terms_are_files(asked: tuple[str, ...], tmp_path: Path) -> None:
    out, terms = tmp_path / "adjustments.parquet", tmp_path / "leases-2027.parquet"
    notices = tmp_path / "notices.parquet"
    finished = run(*asked, "--out", str(out), "--leases-out", str(terms), "--notices", str(notices))

    assert (3, SUMMARY) == (finished.exit_code, finished.stdout.splitlines())
    said = f"Leases with problems, which are in {tmp_path}/adjustments.problems.parquet: 1.\n"
    assert finished.stderr.endswith(said)
    (made,) = pq.read_table(out).to_pylist()
    assert ("home", Decimal(8240)) == (made["lease_id"], made["to_period_amount"]["amount"])
    assert ["home", "plain"] == pq.read_table(terms).column("lease_id").to_pylist()
    (problem,) = pq.read_table(tmp_path / "adjustments.problems.parquet").to_pylist()
    assert "other" == problem["lease_id"]
    assert 0 == pq.read_table(notices).num_rows


def test_the_terms_that_come_out_are_adjusted_once(asked: tuple[str, ...], tmp_path: Path) -> None:
    first, again = tmp_path / "first.parquet", tmp_path / "again.parquet"
    out = ("--out", str(tmp_path / "adjustments.parquet"))
    run(*asked, *out, "--leases-out", str(first))
    run("adjust-run", str(first), *asked[2:], *out, "--leases-out", str(again))

    assert pq.read_table(first).equals(pq.read_table(again))


def test_a_check_writes_nothing_and_says_the_problems(
    asked: tuple[str, ...], tmp_path: Path
) -> None:
    before = {*tmp_path.iterdir()}
    finished = run(*asked, "--check", "--progress", "plain")

    assert (3, SUMMARY) == (finished.exit_code, finished.stdout.splitlines())
    assert "Problem: row 2, other:" in finished.stderr
    assert "3 of 3 leases" in finished.stderr
    assert before == {*tmp_path.iterdir()}


def test_a_table_of_ones_own_is_adjusted(tmp_path: Path) -> None:
    plan = "rent_adjustment_plans[0]"
    (tmp_path / "own.csv").write_text("id,rent,from\n1,8000,2020-01-01\n2,x,2020-01-01\n")
    (tmp_path / "map.toml").write_text(
        f"""
[lease]
id = "id"
[item]
amount = "rent"
moved_in = "from"
[constants]
currency = "DKK"
"lease.{plan}.adjustee_ref" = "recurring-1"
"lease.{plan}.rent_adjustment_rules[0].adjustment_type" = "Increment"
"lease.{plan}.rent_adjustment_rules[0].adjustment_month" = 1
"lease.{plan}.rent_adjustment_rules[0].increments[0].year" = "2027"
"lease.{plan}.rent_adjustment_rules[0].increments[0].percentage" = "0.03"
"lease.{plan}.rent_adjustment_rules[0].increments[0].recurrence" = "OneTime"
"""
    )
    out = tmp_path / "adjustments.parquet"
    finished = run(
        "adjust-run",
        str(tmp_path / "own.csv"),
        *("--map", str(tmp_path / "map.toml"), "--period", "2027", "--out", str(out)),
        *("--progress", "plain"),
    )

    assert 3 == finished.exit_code, finished.stderr
    assert "2 leases: 1 adjusted, 0 unchanged, 1 with problems" in finished.stdout
    (made,) = pq.read_table(out).to_pylist()
    assert Decimal(8240) == made["to_period_amount"]["amount"]


def test_what_cannot_be_asked_is_refused(asked: tuple[str, ...], tmp_path: Path) -> None:
    leases, out, missing = asked[1], str(tmp_path / "a.parquet"), str(tmp_path / "x.parquet")
    rows = [
        (("adjust-run", "-", *asked[2:], "--out", out), 2, "is a file or a folder"),
        (asked, 2, "Missing option '--out'"),
        ((*asked, "--check", "--leases-out", out), 2, "--leases-out has no effect with --check"),
        ((*asked, "--out", "a.csv"), 2, "would be written in Parquet; name it a.parquet"),
        ((*asked, "--out", leases), 1, "is the file of the leases as well"),
        ((*asked, "--out", str(tmp_path / "none" / "a.parquet")), 1, "there is no folder"),
        (("adjust-run", leases + "x", *asked[2:], "--out", out), 1, "unknown kind"),
        (("adjust-run", missing, *asked[2:], "--check"), 1, "No such file"),
        (("adjust-run", missing, *asked[2:], "--out", out), 1, f"Error: {missing}: "),
        ((*asked, "--out", out, "--on-problem", "raise"), 1, "EUR"),
    ]
    for arguments, code, said in rows:
        assert said in refused(run(*arguments), code), arguments
    assert not Path(out).exists()
