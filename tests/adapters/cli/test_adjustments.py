"""`rentbilling adjustments`: what is read, which adjustments, in which form, on which stream.

By hand, for the example: 8,500.00 a month, the net price index of October, at most 4 percent.

    2023    117.7 / 106.7 = 1.103093…    10.3093 %, so 4 %      8,500.00 × 1.04            8,840.00
    2024    118.3 / 117.7 = 1.005097…     0.5098 %              8,840.00 × 118.3 / 117.7
                                                              = 1,045,772 / 117.7        = 8,885.06
"""

import json
from pathlib import Path

import pytest

from rentbilling import BillingPolicy, IndexSeries, LeaseTerms, dumps, loads, rent_adjustments
from rentbilling.adjustments import ADJUSTMENT_COLUMNS
from rentbilling.terms import changes_of
from tests.support.command_line import (
    BY_INDEX,
    Golden,
    adjusted,
    example,
    npi,
    refused,
    rent,
    rent_by,
    rows_of,
    run,
    written,
)
from tests.support.rows import rows

YEARS = "2022-01-01/2024-12-31"
AN_INCREASE = {
    "id": "more",
    "adjustmentType": "Increment",
    "adjustmentMonth": 1,
    "increments": [{"year": "2023", "amount": {"currency": "DKK", "amount": 1200.00}}],
}


LISTED = {"adjustedOn": "2023-01-01", "toPeriodAmount": {"currency": "DKK", "amount": 8700.25}}

MONTHS = {"fromYearMonth": "2021-10", "toYearMonth": "2022-10"}


def csv_rows(given: object, period: str, *options: str) -> list[dict[str, str]]:
    return rows_of(adjusted(given, period, *options, "--format", "csv").stdout)


def lease() -> str:
    return example("--with-index")


def terms() -> LeaseTerms:
    return loads(lease())


def series() -> IndexSeries:
    return IndexSeries.from_data(json.loads(example("--index")))


class TestJson:
    """`--format json` prints what `dumps` gives, and a newline."""

    def test_the_amounts_are_those_worked_out_by_hand(self, tmp_path: Path) -> None:
        """8,500.00 becomes 8,840.00 and then 8,885.06; the sums are in the module's docstring."""
        options = ("--indices", npi(tmp_path), "--format", "json")
        made = json.loads(adjusted(lease(), YEARS, *options).stdout)["adjustments"]

        assert [("2023-01-01", 8840.00), ("2024-01-01", 8885.06)] == [
            (each["adjustedOn"], each["toPeriodAmount"]["amount"]) for each in made
        ]

    @pytest.mark.parametrize("options", [(), ("--full",)], ids=["plain", "full"])
    def test_the_answer_is_the_library_s(self, tmp_path: Path, options: tuple[str, ...]) -> None:
        """Not a character is different, in either form (A56)."""
        result = rent_adjustments(terms(), YEARS, indices=series())
        given = ("--indices", npi(tmp_path), "--format", "json", *options)

        assert f"{dumps(result, full=bool(options))}\n" == adjusted(lease(), YEARS, *given).stdout

    def test_no_adjustments_are_an_empty_list(self) -> None:
        printed = adjusted(lease(), "2022", "--format", "json").stdout

        assert '{"adjustments": []}\n' == printed


class TestCsv:
    """`--format csv` prints a row for what each rule did."""

    def test_a_row_says_what_its_effect_says(self, tmp_path: Path, golden: Golden) -> None:
        """A year is 12 times 8,500.00, 8,840.00 and 340.00."""
        options = ("--indices", npi(tmp_path), "--format", "csv")
        golden("adjustments, csv", adjusted(lease(), "2023", *options))

    def test_the_help_names_every_column(self) -> None:
        told = run("adjustments", "--help").stdout
        missing = [each.name for each in ADJUSTMENT_COLUMNS if each.name not in told]

        assert [] == missing

    def test_rows_end_as_the_standard_says(self, tmp_path: Path) -> None:
        options = ("--indices", npi(tmp_path), "--format", "csv")
        printed = adjusted(lease(), YEARS, *options).stdout_bytes

        assert 3 == printed.count(b"\r\n") == printed.count(b"\n")
        assert printed.endswith(b"\r\n")

    def test_the_rows_of_several_rules_are_a_chain(self, tmp_path: Path) -> None:
        """8,500.00 × 117.7/106.7 = 9,376.29, then 1,200.00 a year, a month 100.00, on top (A37)."""
        found = csv_rows(rent_by(BY_INDEX, AN_INCREASE), "2023", "--indices", npi(tmp_path))
        names = ("rule_id", "from_period_amount", "to_period_amount", "period_amount_change")

        assert [
            ("october", "8500.00", "9376.29", "876.29"),
            ("more", "9376.29", "9476.29", "100.00"),
        ] == [tuple(row[name] for name in names) for row in found]

    @rows(
        ("more", "expected"),
        [
            # The amounts that were listed, and not its rules.
            (
                {"fromPeriodAmount": {"currency": "DKK", "amount": 8500.75}},
                {
                    "from_period_amount": "8500.75",
                    "to_period_amount": "8700.25",
                    "currency": "DKK",
                    "rule_id": "",
                    "to_index": "",
                },
            ),
            # Points are ours; a service knows the months.
            (
                {"adjustmentRulesEffects": [MONTHS]},
                {"from_point": "2021-10", "to_point": "2022-10"},
            ),
        ],
    )
    def test_a_row_is_as_a_service_listed_it(
        self, more: dict[str, object], expected: dict[str, str]
    ) -> None:
        """8,700.25, with what else is listed (A38)."""
        (row,) = csv_rows(rent_by(BY_INDEX, adjustments=[{**LISTED, **more}]), "2023")

        assert expected.items() <= row.items()

    def test_no_text_is_a_formula(self) -> None:
        effect = {"rentAdjustmentRuleId": "=rule", "reasons": ["=1+1"]}
        listed = {**LISTED, "adjustmentRulesEffects": [effect]}
        given = rent_by({**BY_INDEX, "id": "=rule"}, id="@plan", adjustments=[listed])
        given["recurringBillItems"][0]["id"] = "+item"
        (row,) = csv_rows(given, "2023")
        texts = ("adjustee_id", "plan_id", "rule_id", "reasons")

        assert ["'+item", "'@plan", "'=rule", "'=1+1"] == [row[name] for name in texts]

    def test_a_fall_stays_a_number(self, tmp_path: Path) -> None:
        """From 100.0 to 99.0, the rent is 8,500.00 × 0.99 = 8,415.00, 85.00 less (A35)."""
        falling = written(tmp_path, "falling.csv", "2021-10;100,0\n2022-10;99,0\n")
        (row,) = csv_rows(rent_by(BY_INDEX), "2023", "--indices", falling)

        assert ("8415.00", "-85.00", "-0.01") == (
            row["to_period_amount"],
            row["period_amount_change"],
            row["applied_percentage"],
        )

    def test_no_adjustments_are_a_row_of_names(self) -> None:
        printed = adjusted(lease(), "2022", "--format", "csv").stdout

        assert [",".join(each.name for each in ADJUSTMENT_COLUMNS)] == printed.split()


class TestGiven:
    """FILE is a path or standard input; a policy is followed; periods are those of `bills`."""

    @pytest.mark.parametrize("period", ["2023", "2023-01", "2023-01-01/2023-01-31"])
    def test_periods_select_by_the_day(self, tmp_path: Path, period: str) -> None:
        found = csv_rows(lease(), period, "--indices", npi(tmp_path))

        assert ["2023-01-01"] == [row["adjusted_on"] for row in found]

    def test_a_file_is_read(self, tmp_path: Path) -> None:
        path = written(tmp_path, "lease æøå.json", lease())
        options = ("--period", YEARS, "--indices", npi(tmp_path))

        assert adjusted(lease(), *options[1:]).stdout == run("adjustments", path, *options).stdout

    def test_a_policy_is_followed(self, tmp_path: Path) -> None:
        """Increments are read for each month: 1,200.00 on top of 8,500.00 are 9,700.00 (A36)."""
        policy = BillingPolicy(increment_amount="per_period")
        path = written(tmp_path, "policy.json", dumps(policy))
        (row,) = csv_rows(rent_by(AN_INCREASE), "2023", "--policy", path)

        assert "9700.00" == row["to_period_amount"]

    def test_a_lease_without_plans_has_no_adjustments(self) -> None:
        finished = adjusted(rent(), "2026")

        assert (0, "") == (finished.exit_code, finished.stdout)
        assert "No adjustments in 2026-01-01/2026-12-31.\n" == finished.stderr


class TestStreams:
    """Adjustments go to stdout, what is said about them to stderr."""

    @pytest.mark.parametrize("form", ["table", "json", "csv"])
    def test_notices_are_said_beside_the_adjustments(self, tmp_path: Path, form: str) -> None:
        data = {
            "name": "NPI",
            "values": {"2021-10": 106.7, "2022-10": 117.7},
            "provisional": ["2022-10"],
        }
        path = written(tmp_path, "npi.json", json.dumps(data))
        finished = adjusted(rent_by(BY_INDEX), "2023", "--indices", path, "--format", form)

        assert 0 == finished.exit_code
        assert finished.stdout
        assert (
            "Notice: rent: the index value is provisional (rule october, adjustedOn 2023-01-01,"
            " series NPI, at 2022-10) [provisional_index]\n"
        ) == finished.stderr

    def test_a_missing_value_is_a_notice_where_the_policy_says_so(self, tmp_path: Path) -> None:
        """October 2024 is not out in the example; the rent stays, and it is said (A41)."""
        policy = written(tmp_path, "policy.json", dumps(BillingPolicy(missing_index="notice")))
        options = ("--indices", npi(tmp_path), "--policy", policy, "--format", "json")
        finished = adjusted(lease(), "2025", *options)

        assert (0, '{"adjustments": []}\n') == (finished.exit_code, finished.stdout)
        assert finished.stderr.startswith("Notice: rent: the index value is missing, and no")
        assert finished.stderr.endswith("at 2024-10) [missing_index]\n")


class TestAssumed:
    """After its last value, June 2024, the index goes on at the rate that was asked for."""

    @pytest.mark.parametrize(
        ("command", "period", "line"),
        [
            # 2024: 8,840 × 118.3 / 117.7 = 8,885.06; then × 1.02 a year.
            ("adjustments", "2025", "8,885.06"),
            ("adjustments", "2025", "9,062.76"),
            ("bills", "2026-03", "9,244.02"),
            ("explain", "2026-03", "9,244.02"),
        ],
    )
    def test_a_period_after_the_last_value(
        self, tmp_path: Path, command: str, period: str, line: str
    ) -> None:
        options = ("--period", period, "--indices", npi(tmp_path), "--assume-index", "2%")
        finished = run(command, "-", *options, given=lease())

        assert (0, True) == (finished.exit_code, line in finished.stdout)
        said = "Notice: NPI is assumed to change by 2 % a year after 2024-06\n"
        assert finished.stderr.startswith(said)

    def test_what_is_published_is_not_called_assumed(self, tmp_path: Path) -> None:
        options = ("--period", "2024-06", "--indices", npi(tmp_path), "--assume-index", "2%")

        assert "" == run("bills", "-", *options, given=lease()).stderr

    def test_bills_are_compared_with_those_of_an_index_that_goes_on(self, tmp_path: Path) -> None:
        options = ("--period", "2026-03", "--indices", npi(tmp_path), "--assume-index", "2%")
        bills = run("bills", "-", *options, "--format", "json", given=lease()).stdout
        file = written(tmp_path, "bills.json", bills)

        finished = run("verify", file, "--against", "-", *options, given=lease())
        assert 0 == finished.exit_code

    def test_a_rate_says_nothing_about_the_bills_alone(self, tmp_path: Path) -> None:
        said = refused(run("verify", written(tmp_path, "b.json", "{}"), "--assume-index", "2%"), 2)

        assert "--assume-index has no effect without --against" in said


class TestRefused:
    """What is missing or wrong is one line that says what to do."""

    @pytest.mark.parametrize("command", ["adjustments", "bills"])
    @pytest.mark.parametrize("form", ["table", "json", "csv"])
    def test_a_missing_value_names_series_month_and_adjustment(
        self, tmp_path: Path, command: str, form: str
    ) -> None:
        """And how to go on (A41)."""
        options = ("--period", "2025", "--indices", npi(tmp_path), "--format", form)

        assert (
            "Error: standard input: the series NPI has no value at 2024-10, and rule"
            " net-price-index of plan rent-by-index needs it for the adjustment on 2025-01-01: add"
            " the value to the file of --indices, or bill on without it:"
            ' "missingIndex": "notice" in the file of --policy\n'
            "       the series NPI ends at 2024-06: --assume-index RATE gives values to the time"
            " after it\n"
        ) == refused(run(command, "-", *options, given=lease()))

    @pytest.mark.parametrize("command", ["adjustments", "bills"])
    def test_a_series_that_is_not_passed_is_named(self, tmp_path: Path, command: str) -> None:
        given = rent_by({**BY_INDEX, "indexClause": {"series": "CPI"}})
        options = ("--period", "2023", "--indices", npi(tmp_path))

        assert (
            "Error: standard input: the series CPI was not passed (passed: NPI), and rule october"
            " of plan each-january needs it for the adjustment on 2023-01-01: pass it with"
            " --indices FILE\n"
        ) == refused(run(command, "-", *options, given=given))

    def test_without_any_series_it_is_said_which_rule_needs_one(self) -> None:
        assert refused(adjusted(lease(), "2023")).startswith(
            "Error: standard input: the series of the rule was not passed (passed: none), and rule"
            " net-price-index of plan rent-by-index needs it"
        )

    def test_values_without_days_of_publication_cannot_be_the_last_published(
        self, tmp_path: Path
    ) -> None:
        """Nobody can tell which value was out on the day (A41)."""
        rule = {
            "id": "latest",
            "adjustmentType": "Index",
            "adjustmentMonth": 1,
            "indexClause": {"reference": "last_published"},
        }

        assert (
            "Error: standard input: no value of the series NPI is said to be published by"
            " 2023-01-01, and rule latest of plan each-january needs one for the adjustment on"
            " 2023-01-01: state the days of publication\n"
        ) == refused(adjusted(rent_by(rule), "2023", "--indices", npi(tmp_path)))

    def test_a_deposit_of_months_of_no_rent_is_refused(self) -> None:
        """Three months of a rent that the lease does not have (A39)."""
        given = {
            "contractStart": "2022-01-01",
            "recurringBillItems": [],
            "balances": [
                {
                    "balanceChargeType": "deposit",
                    "amount": {"currency": "DKK", "amount": 25500},
                    "months": 3,
                }
            ],
            "rentAdjustmentPlans": [{"adjustsBalance": True, "rentAdjustmentRules": [BY_INDEX]}],
        }

        assert (
            "Error: standard input: a balance of so many months of rent needs the rent, and no item"
            " has the product key:rent\n"
        ) == refused(adjusted(given, "2023"))

    def test_every_problem_of_the_lease_has_a_line(self) -> None:
        """Crossed limits and a month 13, each at its place."""
        wrong = {**BY_INDEX, "minimumPercentage": 0.05, "maximumPercentage": 0.04}
        said = refused(adjusted(rent_by(wrong, {**BY_INDEX, "adjustmentMonth": 13}), "2023"))
        place = "rentAdjustmentPlans[0].rentAdjustmentRules"

        assert {f"{place}[0].minimumPercentage", f"{place}[1].adjustmentMonth"} == {
            line.split(": ")[2] for line in said.splitlines()
        }


def test_adjustments_and_bills_agree(tmp_path: Path) -> None:
    """The rent on the bill of January 2024 is what the adjustment leads to, 8,885.06 (A42)."""
    options = ("--period", "2024-01", "--indices", npi(tmp_path), "--format", "json")
    (bill,) = json.loads(run("bills", "-", *options, given=lease()).stdout)["bills"]
    (made,) = json.loads(run("adjustments", "-", *options, given=lease()).stdout)["adjustments"]
    billed_rent = bill["pendingBillLineItems"][0]["netPrice"]

    assert 8885.06 == billed_rent["amount"] == made["toPeriodAmount"]["amount"]


def test_a_change_says_only_what_is_stated() -> None:
    (made,) = rent_adjustments(terms(), "2023-01-01/2023-12-31", indices=series())
    (change,) = changes_of(made, full=False)

    assert (made.from_period_amount, made.to_period_amount, made.period_amount_change) == (
        change.before,
        change.after,
        change.by,
    )
