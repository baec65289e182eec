"""The table of adjustments: from, to, change, percentage applied, and why.

By hand, for the example: 8,500.00 × 1.04 = 8,840.00, because 117.7 / 106.7 is 10.3093 % and the
maximum is 4 %; 8,840.00 × 118.3 / 117.7 = 8,885.06, which is 0.5098 %. A year has 12 of each.
"""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import BY_INDEX, Golden, adjusted, example, npi, rent_by, written

YEARS = "2022-01-01/2024-12-31"
EUROS = {"currency": "EUR", "amount": 100.00}
CAPS = {"name": "Caps", "kind": "change", "values": {"2022-10": 0.035}}
FALLING = "2021-10;112,5\n2022-10;111,375\n"


def dkk(amount: float) -> dict[str, Any]:
    """Return an amount of kroner as JSON data."""
    return {"currency": "DKK", "amount": amount}


def step(rule_id: str | None = None, *, of: Mapping[str, Any], **more: object) -> dict[str, Any]:
    """Return a rule of one increment in January 2023."""
    rule = {
        "adjustmentType": "Increment",
        "adjustmentMonth": 1,
        "increments": [{"year": "2023", **of}],
        **more,
    }
    return rule if rule_id is None else {"id": rule_id, **rule}


def with_deposit(months: int | None, **plan: object) -> dict[str, Any]:
    """Return a lease with a deposit of 25,500.00: of months of rent, or with an id."""
    more = {"months": months} if months else {"id": "deposit-1"}
    deposit = {"balanceChargeType": "deposit", "amount": dkk(25500.00), **more}
    return {**rent_by(BY_INDEX, adjustsBalance=True, **plan), "balances": [deposit]}


def listed(**adjustment: object) -> dict[str, Any]:
    """Return a lease with an adjustment that a service has listed for January 2023."""
    return rent_by(BY_INDEX, adjustments=[{"adjustedOn": "2023-01-01", **adjustment}])


def amounts(of: str, before: float, after: float, by: float) -> dict[str, Any]:
    """Return the amounts of a listed adjustment, of a `Period` or a year."""
    change = f"{of[0].lower()}{of[1:]}AmountChange"
    return {f"from{of}Amount": dkk(before), f"to{of}Amount": dkk(after), change: dkk(by)}


def in_two_currencies() -> dict[str, Any]:
    """Return a lease of a rent in kroner and of parking in euros, each with a plan."""
    given = rent_by(BY_INDEX, adjusteeRef="rent")
    parking = {**given["recurringBillItems"][0], "id": "parking", "amount": EUROS}
    opening = {**parking["firstBillingPeriodBillItem"], "amount": EUROS}
    given["recurringBillItems"].append({**parking, "firstBillingPeriodBillItem": opening})
    plan = given["rentAdjustmentPlans"][0]
    given["rentAdjustmentPlans"].append({**plan, "id": "other", "adjusteeRef": "parking"})
    return given


PERIODS = amounts("Period", 8500.25, 8700.75, 200.5)
EFFECT = {
    "rentAdjustmentRuleId": "october",
    "calculatedPercentage": 0.023588,
    "fromIndex": 106.7,
    "toIndex": 109.2,
    "fromYearMonth": "2021-10",
    "toYearMonth": "2022-10",
    "reasons": ["agreed_by_hand"],
    **PERIODS,
}
UNNAMED = {"rentAdjustmentRuleId": "october", "calculatedPercentage": 0.023618}
MORE = step("more", of={"amount": dkk(1200.00)})
LOWER = step("twelve", of={"percentage": 0.12}, indexClause={"combine": "lower_of"})

CASES: Mapping[str, Callable[[], Any]] = {
    # The amount after one rule is that before the next: 8,500.00 less 1 % is 8,415.00, and
    # 1,200.00 a year are 100.00 a month (A37).
    "several rules": lambda: (rent_by(BY_INDEX, MORE), FALLING),
    # Three months of 8,500.00 are 25,500.00, of 8,415.00 they are 25,245.00 (A39).
    "deposit with the rent": lambda: (with_deposit(3, adjustsRecurringBillItem=True), FALLING),
    "deposit with a plan of its own": lambda: (with_deposit(None), FALLING),
    # Their rules are not known, and nothing is made up (A38).
    "listed, of a year": lambda: listed(**amounts("Yearly", 102000.12, 104400.24, 2400.12)),
    # Months where it has no points, and a reason of the service as its own word (A38).
    "listed, with an effect": lambda: listed(adjustmentRulesEffects=[EFFECT], **PERIODS),
    # The rule's percentage is shown, and the amounts below it (A38).
    "listed, effect without amounts": lambda: listed(
        toPeriodAmount=dkk(8700.75), adjustmentRulesEffects=[UNNAMED]
    ),
    # 200,000.00 a year are more than 12 × 8,500.00 (A36).
    "decrease to zero": lambda: rent_by(step(of={"amount": dkk(-200000.00)})),
    # The index gives 4 % at most, the other rule 12 %: the lower of both counts (A40).
    "lower of two": lambda: (rent_by({**BY_INDEX, "maximumPercentage": 0.04}, LOWER), None),
    # 5 percent are agreed, the maximum is 4: 8,500.00 × 1.04 = 8,840.00 (A35).
    "agreed, limited": lambda: rent_by(step(of={"percentage": 0.05}, maximumPercentage=0.04)),
    # 8,500.00 × 1.05 = 8,925.00, and nothing is left to explain.
    "agreed": lambda: rent_by(step(of={"percentage": 0.05})),
    # A clause that carries goes on from 8,500.00 × 117.7 / 106.7 = 9,376.29 (A40).
    "carried": lambda: (
        rent_by({**BY_INDEX, "maximumPercentage": 0.04, "indexClause": {"afterLimit": "carry"}}),
        None,
    ),
    # The series has changes and no levels: 3.5 % of October 2022 (A40).
    "published change": lambda: (rent_by(BY_INDEX), json.dumps(CAPS)),
    # Two currencies never share a heading (A2); 1 percent less of 100.00 is 99.00.
    "two currencies": lambda: (in_two_currencies(), FALLING),
}
"""Leases that are adjusted in 2023, with the text of their index series; None: the example's."""


@pytest.mark.parametrize("name", CASES)
def test_a_table_says_what_changed_and_why(tmp_path: Path, golden: Golden, name: str) -> None:
    """As worked out beside each case."""
    made = CASES[name]()
    given, series = made if isinstance(made, tuple) else (made, "")
    options: tuple[str, ...] = ()
    if series is None:
        options = ("--indices", npi(tmp_path))
    elif series:
        file = "index.json" if series.startswith("{") else "index.csv"
        options = ("--indices", written(tmp_path, file, series))

    golden(f"adjustments, {name}", adjusted(given, "2023", *options))


def test_the_full_form_has_the_amounts_of_a_year(tmp_path: Path, golden: Golden) -> None:
    """12 × 8,500.00 = 102,000.00; 12 × 8,840.00 = 106,080.00; 12 × 8,885.06 = 106,620.72 (A38)."""
    options = ("--indices", npi(tmp_path))
    full = adjusted(example("--with-index"), YEARS, *options, "--full")
    plain = adjusted(example("--with-index"), YEARS, *options).stdout

    golden("adjustments, full", full)
    assert plain == re.sub(r"^  in a year.*\n", "", full.stdout, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ({"maximumPercentage": 0.04}, "limited by the maximum of 4 %"),
        ({"minimumPercentage": 0.125}, "raised to the minimum of 12.5 %"),
        ({"indexClause": {"share": 0.75}}, "only a share of the change counts"),
        ({"indexClause": {"surcharge": 0.01}}, "a surcharge is added"),
        (
            {"indexClause": {"excessOver": 0.03, "excessShare": 0.5}},
            "what lies above a bound counts in part",
        ),
        ({"indexClause": {"percentageDecimals": 0}}, "the percentage is rounded"),
        (
            {"indexClause": {"floorAmount": {"currency": "DKK", "amount": 9900}}},
            "the amount stays at its floor",
        ),
        (
            {"firstYear": "2023", "indexClause": {"proRata": "elapsed", "proRataMonths": 24}},
            "only for a part of the time",
        ),
        (
            {"maximumPercentage": 0.04, "indexClause": {"surcharge": 0.01}},
            "a surcharge is added; limited by the maximum of 4 %",
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_every_reason_has_its_words(tmp_path: Path, rule: Mapping[str, Any], why: str) -> None:
    """What the clause or a limit did to 10.3093 % stands below the change (A35, A40)."""
    given = rent_by({**BY_INDEX, **rule})
    printed = adjusted(given, "2023", "--indices", npi(tmp_path)).stdout

    assert why == printed.splitlines()[-1].strip()


@pytest.mark.parametrize("columns", [0, 1, 10, 30, 45, 60, 80, 100, 200])
def test_no_figure_is_ever_cut_off(tmp_path: Path, columns: int) -> None:
    given = json.loads(example("--with-index"))
    given["recurringBillItems"][0]["id"] = "the rent of the flat on the second floor"
    del given["rentAdjustmentPlans"][0]["adjusteeRef"], given["recurringBillItems"][1:]
    options = ("--indices", npi(tmp_path))
    printed = adjusted(given, YEARS, *options, columns=columns).stdout

    assert "second" in printed
    assert {"8,500.00", "8,840.00", "340.00", "8,885.06", "45.06"} <= set(printed.split())


@pytest.mark.parametrize("columns", [59, 70, 80, 100])
def test_a_table_fits_its_terminal(tmp_path: Path, columns: int) -> None:
    given = rent_by(BY_INDEX, id="by the index of October")
    given["recurringBillItems"][0]["id"] = "the rent of the flat on the second floor"
    options = ("--indices", npi(tmp_path))
    printed = adjusted(given, "2023", *options, columns=columns).stdout

    assert max(map(len, printed.splitlines())) <= columns
    assert not re.search(r"[ \t]$", printed, re.MULTILINE)


@pytest.mark.parametrize("text", ["\x1b[31mred", "two\nlines", "back\u202ewards"])
def test_a_name_cannot_take_over_the_terminal(tmp_path: Path, text: str) -> None:
    given = rent_by({**BY_INDEX, "id": text}, id=text)
    given["recurringBillItems"][0]["id"] = text
    printed = adjusted(given, "2023", "--indices", npi(tmp_path), columns=110).stdout

    assert 3 == printed.count(text.encode("unicode_escape").decode())
    assert text not in printed
