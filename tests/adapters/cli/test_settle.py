"""`rentbilling settle`: statements of service charges.

By hand: 100.00 by 60 and 40 m² are 60.00 and 40.00; 70.00 were paid by the first.
"""

import json
from pathlib import Path
from typing import Any

from click.testing import Result

from tests.support.command_line import run

EURO = "EUR"
HOUSE: dict[str, Any] = {
    "period": "2025-01-01/2025-12-31",
    "currency": EURO,
    "pools": [
        {
            "id": "tax",
            "description": "Property tax",
            "amount": {"currency": EURO, "amount": 100},
            "parts": [{"key": "area"}],
        }
    ],
    "units": [{"id": "u1", "values": {"area": 60}}, {"id": "u2", "values": {"area": 40}}],
    "occupancies": [{"id": "t1", "unit": "u1"}, {"id": "t2", "unit": "u2"}],
    "advances": [{"occupancy": "t1", "total": {"currency": EURO, "amount": 70}}],
}


def settled(*options: str, **changes: object) -> Result:
    return run("settle", "-", *options, given={**HOUSE, **changes})


def test_a_statement_is_a_table_with_its_balance() -> None:
    found = settled("--lease", "t1")

    assert [
        "Statement of t1, 2025-01-01/2025-12-31",
        "cost          unit   total  share",
        "Property tax  u1    100.00  60.00",
        "share      60.00 EUR",
        "advances   70.00 EUR",
        "balance   -10.00 EUR (to be paid back)",
    ] == found.stdout.splitlines()
    assert 0 == found.exit_code
    assert "" == found.stderr


def test_a_late_statement_says_its_own_days_and_what_is_charged() -> None:
    """t1 has 292 of 365 days of 60.00: 48.00."""
    stays = [{"id": "t1", "unit": "u1", "firstDay": "2025-03-15"}]
    policy = {"gaps": "vacant", "late": "drop_extra_charge"}
    late = {"knownOn": "2027-01-01", "settledBy": "2026-12-31", "policy": policy}
    found = settled(occupancies=stays, advances=[], **late)

    assert "Statement of t1, 2025-01-01/2025-12-31, occupied 2025-03-15/2025-12-31" in found.stdout
    assert "balance   48.00 EUR (late: 0.00 EUR charged)" in found.stdout
    paid = [{"occupancy": "t1", "total": {"currency": EURO, "amount": 48}}]
    assert "0.00 EUR (nothing to pay)" in settled(occupancies=stays, advances=paid, **late).stdout


def test_all_statements_are_printed_with_their_notices() -> None:
    found = settled()

    assert "balance   40.00 EUR (to pay)" in found.stdout
    assert "t2: no advances" in found.stderr


def test_shares_are_explained_on_request() -> None:
    assert "share by area" in settled("--explain", "--lease", "t2").stdout


def test_json_has_statements_and_what_the_landlord_bears() -> None:
    empty = [{"id": "t1", "unit": "u1"}]
    data = json.loads(settled("--format", "json", occupancies=empty).stdout)

    assert ["t1"] == [each["lease"] for each in data["statements"]]
    assert {"currency": EURO, "amount": 40.0} == data["pools"][0]["landlord"]["vacant"]


def test_csv_has_a_row_for_each_line() -> None:
    first, *rows = settled("--format", "csv").stdout.splitlines()

    assert first.startswith("lease,pool,description,group,occupancy,unit,first_day,last_day")
    assert ["t1,tax", "t2,tax"] == [",".join(row.split(",")[:2]) for row in rows]


def test_another_period_is_settled_on_request() -> None:
    assert "2026-01-01/2026-12-31" in settled("--period", "2026").stdout


def test_a_house_that_cannot_be_settled_is_refused() -> None:
    """Also where another lease alone is wrong, and that of a lease is asked for (A86)."""
    wrong = [{"occupancy": "t2", "monthly": {"currency": "USD", "amount": 1}}]
    stays = [{"id": "t1", "unit": "u1", "lastDay": "2025-03-01"}, {"id": "t2", "unit": "u2"}]
    found = settled("--lease", "t1", occupancies=stays, advances=wrong)

    assert (1, "") == (found.exit_code, found.stdout)
    assert "pools[0].occupancies of u1: has no occupancy on some days" in found.stderr
    assert "advances[0]: is another currency" in found.stderr
    assert "No statements." in settled(occupancies=[], advances=[]).stderr


def test_an_unknown_lease_and_a_wrong_file_are_refused() -> None:
    assert 2 == settled("--lease", "x").exit_code
    wrong = settled(units=[])
    assert 1 == wrong.exit_code
    assert "occupancies[0].unit" in wrong.stderr


def test_several_files_are_houses_and_a_wrong_one_stops_no_other(tmp_path: Path) -> None:
    """60.00 and 40.00 of 100.00 in each; the second file is no settlement (A122)."""
    stays = [{"id": "t1", "unit": "u1"}, {"id": "t2", "unit": "u2", "lastDay": "2025-03-01"}]
    given = {"a": {**HOUSE, "id": "north"}, "b": {"id": "x"}, "c": HOUSE, "d": HOUSE}
    given["d"] = {**HOUSE, "id": "south", "occupancies": stays}
    names = [str(tmp_path / f"{name}.json") for name in given]
    for name, each in zip(names, given.values(), strict=True):
        Path(name).write_text(json.dumps(each), encoding="utf-8")
    found = run("settle", *names, "--lease", "t1")

    assert 3 == found.exit_code
    heads = [line for line in found.stdout.splitlines() if line.startswith(("north", names[2]))]
    assert ["north", names[2]] == heads
    assert 2 == found.stdout.count("balance   -10.00 EUR")
    assert f"Error: {names[1]}: period: is required" in found.stderr
    assert "Error: south: pools[0].occupancies of u2: has no occupancy" in found.stderr
    data = json.loads(run("settle", *names, "--format", "json").stdout)
    assert ["north", names[2]] == [each["house"] for each in data["houses"]]
    assert 2 == len({line.split(": ")[1] for line in data["problems"]})
    rows = run("settle", *names, "--format", "csv").stdout.splitlines()
    assert ["house,lease", "north,t1", "north,t2"] == [
        ",".join(row.split(",")[:2]) for row in rows[:3]
    ]
    assert 3 == run("settle", *names, "--lease", "of a refused house").exit_code
    twice = run("settle", names[0], names[0])
    assert "Error: north: id: is there twice" in twice.stderr
    assert "north: t2: no advances" in twice.stderr
    late = settled("--period", "9999", preset="AT")
    assert (1, True) == (late.exit_code, "a deadline after 9999-12-31" in late.stderr)
