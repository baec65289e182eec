"""`rentbilling bills`: what is read, which bills, in which form, on which stream."""

import json
from decimal import Decimal
from itertools import groupby
from pathlib import Path

from rentbilling import BillingPolicy, dumps, loads, pending_bills
from rentbilling.codec.bill_csv import COLUMNS, FULL_COLUMNS
from tests.support.command_line import Golden, billed, example, rent, rows_of, run
from tests.support.rows import rows

YEAR = "2026-01-01/2026-12-31"
CREDIT = {"currency": "DKK", "amount": -100.00}


class TestJson:
    """`--format json` prints what `dumps` gives, and a newline."""

    def test_the_answer_is_the_library_s(self) -> None:
        result = pending_bills(loads(example()), YEAR)

        assert f"{dumps(result)}\n" == billed(example(), YEAR, "--format", "json").stdout

    def test_the_full_form_is_the_library_s(self) -> None:
        """`--full` adds what a result knows (A56)."""
        result = pending_bills(loads(example()), YEAR)
        printed = billed(example(), YEAR, "--format", "json", "--full").stdout

        assert f"{dumps(result, full=True)}\n" == printed

    def test_no_bills_are_an_empty_list(self) -> None:
        assert '{"bills": []}\n' == billed(example(), "2025", "--format", "json").stdout

    def test_danish_letters_stay_letters(self) -> None:
        """Texts are UTF-8, not escapes."""
        printed = billed(example(), "2026-02", "--format", "json", "--full").stdout_bytes

        assert "Nørregade".encode() in printed


class TestCsv:
    """`--format csv` prints a row for each line item."""

    def test_the_columns_are_those_that_are_documented(self) -> None:
        first = billed(example(), YEAR, "--format", "csv").stdout_bytes.split(b"\r\n")[0]

        assert ",".join(COLUMNS).encode() == first

    def test_the_help_names_every_column(self) -> None:
        told = run("bills", "--help").stdout
        missing = [name for name in (*COLUMNS, *FULL_COLUMNS) if name not in told]

        assert [] == missing

    def test_rows_end_as_the_standard_says(self) -> None:
        printed = billed(example(), YEAR, "--format", "csv").stdout_bytes

        assert printed.endswith(b"\r\n")
        assert printed.count(b"\n") == printed.count(b"\r\n")

    def test_the_rows_of_a_bill_sum_to_its_subtotal(self) -> None:
        result = pending_bills(loads(example()), YEAR)
        rows = rows_of(billed(example(), YEAR, "--format", "csv").stdout_bytes.decode())
        sums = {
            day: sum(Decimal(row["net_price"]) for row in group)
            for day, group in groupby(rows, key=lambda row: row["due_date"])
        }

        assert {str(bill.due_date): bill.subtotal.amount for bill in result} == sums

    def test_a_row_says_what_its_line_says(self, golden: Golden) -> None:
        golden("bill, csv", billed(example(), "2026-02", "--format", "csv"))

    def test_the_full_form_adds_columns(self) -> None:
        """A part of a month says which part of what (A56)."""
        ended = rent(endedOn="2026-02-07")
        given = {"leaseId": "lease-1", "recurringBillItems": [ended]}
        (row,) = rows_of(billed(given, "2026-02", "--format", "csv", "--full").stdout)
        line = ("lease-1", "part", "1/4", "2026-02-01", "2026-02-28", "")
        # A quarter of 8500.00, exempt from VAT.
        bill = ("2125.00", "0.00", "2125.00", "2125.00")

        assert line + bill == tuple(row[name] for name in FULL_COLUMNS)

    def test_no_bills_are_a_row_of_names(self) -> None:
        assert [",".join(COLUMNS)] == billed(example(), "2025", "--format", "csv").stdout.split()

    @rows("text", ['Rent, "Nørregade"', "two\nlines", "'quoted'", " padded "])
    def test_a_text_reads_back_as_it_was(self, text: str) -> None:
        printed = billed(rent(description=text), "2026-02", "--format", "csv").stdout_bytes

        assert text == rows_of(printed.decode())[0]["description"]

    @rows(
        "text",
        ["=1+1", "+1", "-1", "@SUM(A1)", "\t1", "\r1", "  =1", "＝1"],  # noqa: RUF001
    )
    def test_no_text_is_a_formula(self, text: str) -> None:
        printed = billed(rent(description=text), "2026-02", "--format", "csv").stdout_bytes

        assert f"'{text}" == rows_of(printed.decode())[0]["description"]

    def test_a_credit_stays_a_number(self) -> None:
        (row,) = rows_of(billed(rent(amount=CREDIT), "2026-02", "--format", "csv").stdout)

        assert "-100.00" == row["net_price"]


class TestPeriod:
    """`--period` is a year, a month, or two days."""

    @rows(
        ("short", "days"),
        [
            ("2026", "2026-01-01/2026-12-31"),
            ("2026-04", "2026-04-01/2026-04-30"),
            ("2028-02", "2028-02-01/2028-02-29"),
            ("2026-12", "2026-12-01/2026-12-31"),
            ("9999-12", "9999-12-01/9999-12-31"),
        ],
    )
    def test_the_short_forms_mean_whole_years_and_months(self, short: str, days: str) -> None:
        answer = json.loads(billed(rent(), short, "--format", "json", "--full").stdout)

        assert days == answer["period"]

    def test_the_short_forms_mean_the_same_under_a_half_open_policy(self, tmp_path: Path) -> None:
        """A year is a year; only the text with two days changes its meaning (A4)."""
        policy = tmp_path / "policy.json"
        policy.write_text(dumps(BillingPolicy(period_end="excluded")), encoding="utf-8")
        given = rent()
        given["firstBillingPeriodBillItem"] = {
            **given["firstBillingPeriodBillItem"],
            "accountingPeriod": "2026-01-01/2026-02-01",
        }
        options = ("--policy", str(policy), "--format", "json")
        short = billed(given, "2026-02", *options)
        long = billed(given, "2026-02-01/2026-03-01", *options)

        assert 0 == short.exit_code
        assert short.stdout == long.stdout
        assert 1 == len(json.loads(short.stdout)["bills"])


class TestGiven:
    """FILE is a path or standard input, in any of the forms of a lease's file (A57)."""

    def test_a_file_is_read(self, tmp_path: Path) -> None:
        path = tmp_path / "lease æøå.json"
        path.write_text(example(), encoding="utf-8")
        printed = run("bills", str(path), "--period", YEAR, "--format", "json").stdout

        assert billed(example(), YEAR, "--format", "json").stdout == printed

    @rows(
        "given",
        [
            rent(),
            [rent()],
            {"recurringBillItems": [rent()]},
            {"leaseId": "lease-1", "recurringBillItem": rent()},
        ],
        ids=["item", "list", "terms", "body of a request"],
    )
    def test_every_form_is_read(self, given: object) -> None:
        bills = json.loads(billed(given, YEAR, "--format", "json").stdout)["bills"]

        assert 12 == len(bills)

    def test_a_byte_order_mark_is_passed_over(self) -> None:
        assert 0 == billed(b"\xef\xbb\xbf" + json.dumps(rent()).encode(), YEAR).exit_code

    def test_a_policy_is_followed(self, tmp_path: Path) -> None:
        policy = BillingPolicy(part_period="thirty_day", cash_rounding={"DKK": Decimal("0.50")})
        path = tmp_path / "policy.json"
        path.write_text(dumps(policy), encoding="utf-8")
        result = pending_bills(loads(example()), YEAR, policy=policy)
        printed = billed(example(), YEAR, "--policy", str(path), "--format", "json").stdout

        assert f"{dumps(result)}\n" == printed

    def test_a_policy_may_come_from_standard_input(self, tmp_path: Path) -> None:
        path = tmp_path / "lease.json"
        path.write_text(example(), encoding="utf-8")
        finished = run("bills", str(path), "--period", YEAR, "--policy", "-", given={"version": 1})

        assert 0 == finished.exit_code


class TestStreams:
    """Bills go to stdout, what is said about them to stderr."""

    @rows("form", ["table", "json", "csv"])
    def test_notices_are_said_beside_the_bills(self, form: str) -> None:
        finished = billed({"recurringBillItems": [rent(quantity=-1)]}, "2026-02", "--format", form)
        (notice,) = finished.stderr.splitlines()

        assert 0 == finished.exit_code
        assert notice.startswith("Notice: recurring-1: ")
        assert notice.endswith("(quantity -1) [credit_quantity]")
        assert "Notice" not in finished.stdout

    def test_no_bills_are_said_where_a_table_would_stand(self) -> None:
        finished = billed(example(), "2025")

        assert (0, "") == (finished.exit_code, finished.stdout)
        assert "No bills in 2025-01-01/2025-12-31.\n" == finished.stderr
