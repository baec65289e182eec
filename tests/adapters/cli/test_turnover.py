"""`rentbilling turnover`: rent by turnover.

By hand: base rents of 120,000.00 and 6 % are a breakpoint of 2,000,000; the year's sales of
2,600,000 bear 6 % of 600,000.
"""

import json
from pathlib import Path
from typing import Any

from rentbilling import dumps
from rentbilling.testing import a_lease, a_rent
from tests.support.command_line import run

EURO = "EUR"
HALVES = ("2026-01-01/2026-06-30", "2026-07-01/2026-12-31")


def money(amount: int) -> dict[str, Any]:
    return {"currency": EURO, "amount": amount}


ACCOUNT: dict[str, Any] = {
    "year": "2026",
    "terms": {"clauses": [{"tiers": [{"rate": 0.06}], "natural": True}], "intervalMonths": 6},
    "reports": [{"period": half, "sales": money(1_300_000)} for half in HALVES],
}
RENTS = {"baseRents": [money(60_000)] * 2}


def asked(*options: str, **changes: object) -> Any:  # noqa: ANN401
    return run("turnover", "-", *options, given={**ACCOUNT, **changes})


def test_a_year_is_a_table_with_its_workings() -> None:
    found = asked("--explain", **RENTS)

    assert [
        "Turnover rent, 2026-01-01/2026-12-31",
        "kind      first_day   last_day         sales  base_rent  turnover_rent  currency",
        "interval  2026-01-01  2026-06-30  1300000.00   60000.00           0.00  EUR",
        "interval  2026-07-01  2026-12-31  1300000.00   60000.00       36000.00  EUR",
        "",
        "turnover rent of 2026-01-01/2026-06-30: 0.00 EUR; sales do not pass the breakpoint [A87]",
    ] == found.stdout.splitlines()[:6]
    assert "36,000.00 EUR = 600,000.00 × 6 %" in found.stdout
    assert (0, "") == (found.exit_code, found.stderr)
    assert 2 == len(asked("--format", "csv", "--through", "2026-06-30", **RENTS).stdout.split())


def test_base_rent_and_vat_are_those_of_a_lease(tmp_path: Path) -> None:
    """10,000 a month are the same base rent; the items have the VAT of the rent (A129)."""
    file = tmp_path / "lease.json"
    file.write_text(dumps(a_lease(a_rent(amount=10_000, currency=EURO, vat="Exclusive 20%"))))
    found = json.loads(asked("--lease", str(file), "--format", "json").stdout)

    assert [(60_000.0, 0.0), (60_000.0, 36_000.0)] == [
        (each["baseRent"], each["turnoverRent"]) for each in found["parts"]
    ]
    (item,) = found["items"]
    assert {"taxMode": "Exclusive", "taxRate": 0.2} == item["vat"]
    assert ("2027-01-30", money(36_000)) == (item["dueDate"], item["amount"])


def test_notices_are_said_and_what_is_wrong_is_refused() -> None:
    late = [ACCOUNT["reports"][0], {**ACCOUNT["reports"][1], "state": "estimate"}]
    assert "estimated_sales" in asked(reports=late, **RENTS).stderr
    for options, changes, said in (
        ((), {}, "no base rents are stated"),
        ((), {**RENTS, "reports": []}, "reports: are not reported"),
        (("--period", "2025"), RENTS, "reports[0].period: is outside the intervals"),
        ((), {**RENTS, "terms": {"clauses": [{"tiers": [{"rate": "6%"}]}]}}, "is not a number"),
    ):
        refused = asked(*options, **changes)
        assert 1 == refused.exit_code
        assert said in refused.stderr
        assert 1 == len(refused.stderr.splitlines())
    assert 2 == asked("--through", "June", **RENTS).exit_code
