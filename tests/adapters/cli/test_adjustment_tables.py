"""The table of adjustments: from, to, change, percentage applied, and why.

By hand, for the example: 8,500.00 × 1.04 = 8,840.00, because 117.7 / 106.7 is 10.3093 % and the
maximum is 4 %; 8,840.00 × 118.3 / 117.7 = 8,885.06, which is 0.5098 %. A year has 12 of each.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import BY_INDEX, adjusted, example, npi, rent_by, written

YEARS = "2022-01-01/2024-12-31"
KRONER = {"currency": "DKK", "amount": 25500.00}

FULL = """\
Day         Item  From DKK    To DKK  Change   Applied
──────────────────────────────────────────────────────
1 Jan 2023  rent  8,500.00  8,840.00  340.00       4 %
  plan rent-by-index, rule net-price-index
  index 106.7 (2021-10) to 117.7 (2022-10): 10.3093 %
  limited by the maximum of 4 %
  in a year 102,000.00 to 106,080.00, change 4,080.00
1 Jan 2024  rent  8,840.00  8,885.06   45.06  0.5098 %
  plan rent-by-index, rule net-price-index
  index 117.7 (2022-10) to 118.3 (2023-10): 0.5098 %
  in a year 106,080.00 to 106,620.72, change 540.72
"""

# 8,500.00 less 1 % is 8,415.00; then 1,200.00 a year, a month 100.00: 8,515.00.
TWO_RULES = """\
Day         Item  From DKK    To DKK  Change  Applied
─────────────────────────────────────────────────────
1 Jan 2023  rent  8,500.00  8,415.00  -85.00     -1 %
  plan each-january, rule october
  index 112.5 (2021-10) to 111.375 (2022-10): -1 %
                  8,415.00  8,515.00  100.00
  plan each-january, rule more
                  8,500.00  8,515.00   15.00
  plan each-january, all rules
"""

# A deposit of 25,500.00 is three months of 8,500.00, and then of 8,415.00: 25,245.00.
WITH_DEPOSIT = """\
Day         Item              From DKK     To DKK   Change  Applied
───────────────────────────────────────────────────────────────────
1 Jan 2023  rent              8,500.00   8,415.00   -85.00     -1 %
  plan each-january, rule october
  index 112.5 (2021-10) to 111.375 (2022-10): -1 %
            balance of rent  25,500.00  25,245.00  -255.00     -1 %
  plan each-january, rule october
"""


def falling(folder: Path) -> str:
    """Return the path of an index that falls by 1 percent: 112.5 × 0.99 = 111.375."""
    values = "2021-10;112,5\n2022-10;111,375\n"
    return written(folder, "falling.csv", values)


def without_year(printed: str) -> str:
    """Return a table without the lines about a year, as it is without `--full`."""
    return re.sub(r"^  in a year.*\n", "", printed, flags=re.MULTILINE)


def test_a_table_says_what_changed_and_why(tmp_path: Path) -> None:
    finished = adjusted(example("--with-index"), YEARS, "--indices", npi(tmp_path))

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert without_year(FULL) == finished.stdout


def test_the_full_form_has_the_amounts_of_a_year(tmp_path: Path) -> None:
    """12 × 8,500.00 = 102,000.00; 12 × 8,840.00 = 106,080.00; 12 × 8,885.06 = 106,620.72 (A38)."""
    options = ("--indices", npi(tmp_path), "--full")

    assert FULL == adjusted(example("--with-index"), YEARS, *options).stdout


def test_several_rules_have_a_line_each_and_one_together(tmp_path: Path) -> None:
    """The amount after one is that before the next (A37)."""
    more = {
        "id": "more",
        "adjustmentType": "Increment",
        "adjustmentMonth": 1,
        "increments": [{"year": "2023", "amount": {"currency": "DKK", "amount": 1200.00}}],
    }
    given = rent_by(BY_INDEX, more)

    assert TWO_RULES == adjusted(given, "2023", "--indices", falling(tmp_path)).stdout


def test_a_deposit_that_moves_with_the_rent_has_a_line_below_it(tmp_path: Path) -> None:
    """Three months of the new rent (A39)."""
    plan = {"adjustsRecurringBillItem": True, "adjustsBalance": True}
    given = rent_by(BY_INDEX, **plan)
    given["balances"] = [{"balanceChargeType": "deposit", "amount": KRONER, "months": 3}]
    printed = adjusted(given, "2023", "--indices", falling(tmp_path)).stdout

    assert WITH_DEPOSIT == printed


def test_a_deposit_with_a_plan_of_its_own_is_called_by_its_id(tmp_path: Path) -> None:
    """25,500.00 less 1 percent is 25,245.00 (A39)."""
    given = rent_by(BY_INDEX, adjustsBalance=True)
    given["balances"] = [{"id": "deposit-1", "balanceChargeType": "deposit", "amount": KRONER}]
    printed = adjusted(given, "2023", "--indices", falling(tmp_path)).stdout

    assert "1 Jan 2023  deposit-1  25,500.00  25,245.00  -255.00     -1 %" in printed.splitlines()


def test_an_adjustment_that_a_service_listed_says_its_amounts() -> None:
    """Its rules are not known, and nothing is made up (A38)."""
    amounts = {
        "fromYearlyAmount": {"currency": "DKK", "amount": 102000.12},
        "toYearlyAmount": {"currency": "DKK", "amount": 104400.24},
        "yearlyAmountChange": {"currency": "DKK", "amount": 2400.12},
    }
    given = rent_by(BY_INDEX, adjustments=[{"adjustedOn": "2023-01-01", **amounts}])
    printed = adjusted(given, "2023").stdout.splitlines()

    assert [
        ["1", "Jan", "2023", "rent", "102,000.12", "104,400.24", "2,400.12"],
        ["plan", "each-january"],
    ] == [line.split() for line in printed[2:]]


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


def test_a_decrease_that_stops_at_zero_says_so() -> None:
    """200,000.00 a year are more than 12 × 8,500.00 (A36)."""
    less = {
        "adjustmentType": "Increment",
        "adjustmentMonth": 1,
        "increments": [{"year": "2023", "amount": {"currency": "DKK", "amount": -200000.00}}],
    }
    finished = adjusted(rent_by(less), "2023")

    assert "the decrease stops at zero" == finished.stdout.splitlines()[-1].strip()
    assert finished.stderr.startswith("Notice: rent: ")


def test_a_listed_effect_is_told_in_the_words_of_the_service() -> None:
    """Months where it has no points, and a reason that is not ours as its own word (A38)."""
    amounts = {
        "fromPeriodAmount": {"currency": "DKK", "amount": 8500.25},
        "toPeriodAmount": {"currency": "DKK", "amount": 8700.75},
        "periodAmountChange": {"currency": "DKK", "amount": 200.5},
    }
    effect = {
        "rentAdjustmentRuleId": "october",
        "calculatedPercentage": 0.023588,
        "fromIndex": 106.7,
        "toIndex": 109.2,
        "fromYearMonth": "2021-10",
        "toYearMonth": "2022-10",
        "reasons": ["agreed_by_hand"],
        **amounts,
    }
    listed = {"adjustedOn": "2023-01-01", "adjustmentRulesEffects": [effect], **amounts}
    printed = adjusted(rent_by(BY_INDEX, adjustments=[listed]), "2023").stdout.splitlines()

    assert [
        "plan each-january, rule october",
        "index 106.7 (2021-10) to 109.2 (2022-10): 2.3588 %",
        "agreed by hand",
    ] == [line.strip() for line in printed[3:]]


def test_a_listed_effect_without_amounts_leaves_them_to_the_adjustment() -> None:
    """The rule's percentage is told, and the amounts below it (A38)."""
    listed = {
        "adjustedOn": "2023-01-01",
        "toPeriodAmount": {"currency": "DKK", "amount": 8700.75},
        "adjustmentRulesEffects": [
            {"rentAdjustmentRuleId": "october", "calculatedPercentage": 0.023618}
        ],
    }
    printed = adjusted(rent_by(BY_INDEX, adjustments=[listed]), "2023").stdout.splitlines()

    assert [
        ["1", "Jan", "2023", "rent"],
        ["plan", "each-january,", "rule", "october"],
        ["agreed:", "2.3618", "%"],
        ["8,700.75"],
        ["plan", "each-january,", "all", "rules"],
    ] == [line.split() for line in printed[2:]]


def test_a_rule_that_is_not_the_lower_one_says_so(tmp_path: Path) -> None:
    """The index gives 4 % at most, the other rule 12 %: the lower of both counts (A40)."""
    lower = {
        "id": "twelve",
        "adjustmentType": "Increment",
        "adjustmentMonth": 1,
        "increments": [{"year": "2023", "percentage": 0.12}],
        "indexClause": {"combine": "lower_of"},
    }
    given = rent_by({**BY_INDEX, "maximumPercentage": 0.04}, lower)
    printed = adjusted(given, "2023", "--indices", npi(tmp_path)).stdout.splitlines()

    assert "another rule leads to less" in [line.strip() for line in printed]
    assert ["8,500.00", "8,840.00", "340.00"] == printed[-2].split()


def test_a_percentage_that_a_limit_cut_is_told_as_agreed() -> None:
    """5 percent are agreed, the maximum is 4: 8,500.00 × 1.04 = 8,840.00 (A35)."""
    rule = {
        "adjustmentType": "Increment",
        "adjustmentMonth": 1,
        "maximumPercentage": 0.04,
        "increments": [{"year": "2023", "percentage": 0.05}],
    }
    printed = adjusted(rent_by(rule), "2023").stdout.splitlines()

    assert ["agreed: 5 %", "limited by the maximum of 4 %"] == [
        line.strip() for line in printed[-2:]
    ]
    assert printed[2].endswith("8,840.00  340.00      4 %")


def test_a_percentage_that_is_applied_as_agreed_is_told_once() -> None:
    """8,500.00 × 1.05 = 8,925.00, and nothing is left to explain."""
    rule = {
        "adjustmentType": "Increment",
        "adjustmentMonth": 1,
        "increments": [{"year": "2023", "percentage": 0.05}],
    }
    printed = adjusted(rent_by(rule), "2023").stdout.splitlines()

    assert printed[2].endswith("8,925.00  425.00      5 %")
    assert "  plan each-january, rule rule-1" == printed[-1]


def test_what_a_limit_leaves_for_later_is_told(tmp_path: Path) -> None:
    """A clause that carries goes on from 8,500.00 × 117.7 / 106.7 = 9,376.29 (A40)."""
    clause = {"afterLimit": "carry"}
    given = rent_by({**BY_INDEX, "maximumPercentage": 0.04, "indexClause": clause})
    printed = adjusted(given, "2023", "--indices", npi(tmp_path)).stdout

    assert "the next one goes on from 9,376.29" == printed.splitlines()[-1].strip()


def test_a_published_change_has_one_point(tmp_path: Path) -> None:
    """The series has changes and no levels: 3.5 % of October 2022 (A40)."""
    data = {"name": "Caps", "kind": "change", "values": {"2022-10": 0.035}}
    path = written(tmp_path, "caps.json", json.dumps(data))
    printed = adjusted(rent_by(BY_INDEX), "2023", "--indices", path).stdout

    assert "index of 2022-10: 3.5 %" in printed


def test_two_currencies_stand_beside_their_amounts(tmp_path: Path) -> None:
    """Two currencies never share a heading (A2); 1 percent less of 100.00 is 99.00."""
    given = rent_by(BY_INDEX, adjusteeRef="rent")
    euros = {"currency": "EUR", "amount": 100.00}
    parking = {**given["recurringBillItems"][0], "id": "parking", "amount": euros}
    opening = {**parking["firstBillingPeriodBillItem"], "amount": euros}
    given["recurringBillItems"].append({**parking, "firstBillingPeriodBillItem": opening})
    plan = given["rentAdjustmentPlans"][0]
    given["rentAdjustmentPlans"].append({**plan, "id": "other", "adjusteeRef": "parking"})
    printed = adjusted(given, "2023", "--indices", falling(tmp_path)).stdout.splitlines()

    assert ["Day", "Item", "From", "To", "Change", "Applied"] == printed[0].split()
    assert "8,500.00 DKK  8,415.00 DKK  -85.00 DKK     -1 %" in printed[2]
    assert "100.00 EUR     99.00 EUR   -1.00 EUR     -1 %" in printed[5]


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
