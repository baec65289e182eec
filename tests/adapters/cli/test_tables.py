"""The tables for people: narrow, wide, and never with a figure cut off."""

import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from rentbilling import BillingPolicy, dumps
from tests.support.command_line import AMOUNT, Golden, billed, example, rent, written
from tests.support.rows import rows

EUROS = {"currency": "EUR", "amount": 100.00}
PARKING = rent(
    productKey="key:parking",
    amount=EUROS,
    firstBillingPeriodBillItem={**rent()["firstBillingPeriodBillItem"], "amount": EUROS},
)
MOST = {**AMOUNT, "amount": 9_999_999_999_999.99}

CASES: Mapping[str, tuple[Any, ...]] = {
    "in eighty columns": (None, "2026-02"),
    "with periods below the texts": (None, "2026-02", 50),
    "with products": (None, "2026-02", 200),
    # A line is never nameless.
    "without a text": (rent(), "2026-02"),
    # The tenant can check the share: 7 of 28 days.
    "of a part of a month": (rent(endedOn="2026-02-07"), "2026-02"),
    # Two currencies never share a sum (A2).
    "in two currencies": ([rent(), PARKING], "2026-02-01/2026-03-31"),
    # 15 digits of them are the largest amounts of the interface (A1).
    "of large figures": (rent(amount=MOST), "2026-02", 40),
    "exempt": (rent(vat={"taxMode": "Exempt"}), "2026-02"),
    "reverse charge": (rent(vat={"taxMode": "ReverseCharge"}), "2026-02"),
    "exclusive": (rent(vat={"taxMode": "Exclusive", "taxRate": 0.055}), "2026-02"),
    # 8,500.00 / 1.25 = 6,800.00.
    "inclusive": (rent(vat={"taxMode": "Inclusive", "taxRate": 0.25}), "2026-02"),
}
"""A lease, None for the example; a period; and the columns of the terminal, where not 80."""


@pytest.mark.parametrize("name", CASES)
def test_a_bill_reads_well(golden: Golden, name: str) -> None:
    given, period, *columns = CASES[name]
    width = columns[0] if columns else 80

    golden(f"bill, {name}", billed(example() if given is None else given, period, columns=width))


def test_the_full_form_says_which_item_a_line_comes_from(golden: Golden) -> None:
    """Opening and regular lines can be told apart (A56)."""
    golden("bill, full", billed(example(), "2026-01-01/2026-02-28", "--full"))


def test_cash_is_rounded_below_the_total(tmp_path: Path, golden: Golden) -> None:
    """What is to be paid comes last (A52): 8,500.00 in steps of 1,000."""
    policy = dumps(BillingPolicy(cash_rounding={"DKK": Decimal(1000)}))
    path = written(tmp_path, "policy.json", policy)

    golden("bill, cash", billed(rent(), "2026-02", "--policy", path))


def test_a_table_is_the_default() -> None:
    printed = billed(example(), "2026-02", "--format", "table").stdout

    assert printed == billed(example(), "2026-02").stdout


@rows("columns", [0, 1, 10, 30, 45, 60, 80, 100, 200])
def test_no_figure_is_ever_cut_off(columns: int) -> None:
    printed = billed(example(), "2026", columns=columns).stdout
    ends = {line.split()[-1] for line in printed.splitlines() if line}

    assert {"4,661.29", "5,978.39", "6,052.42", "10,125.00", "117,877.42"} <= ends


@rows("columns", [50, 60, 70, 80, 90, 100, 120])
def test_a_table_fits_its_terminal(columns: int) -> None:
    printed = billed(example(), "2026", columns=columns).stdout

    assert max(map(len, printed.splitlines())) <= columns


def test_all_tables_have_the_same_columns() -> None:
    """The headings of all bills are the same line, though the figures differ in length."""
    printed = billed(example(), "2026").stdout

    assert 1 == len({line for line in printed.splitlines() if line.startswith("Item")})


def test_nothing_but_text_is_printed_where_no_terminal_is() -> None:
    printed = billed(example(), "2026").stdout

    assert "\x1b" not in printed
    assert not re.search(r"[ \t]$", printed, re.MULTILINE)


def test_long_words_are_broken() -> None:
    printed = billed(rent(description="Æ" * 200), "2026-02").stdout

    assert 200 == printed.count("Æ")
    assert max(map(len, printed.splitlines())) <= 80


def test_wide_letters_take_two_columns() -> None:
    narrow = billed(rent(description="xxxxxx"), "2026-02").stdout
    wide = billed(rent(description="家賃料"), "2026-02").stdout

    assert narrow == wide.replace("家賃料", "xxxxxx")


@rows("text", ["\x1b[31mred", "two\nlines", "back\u202ewards", "\x07bell"])
def test_a_text_cannot_take_over_the_terminal(text: str) -> None:
    given = rent(description=text, discount={"percentage": 0.5, "description": text})
    printed = billed(given, "2026-02").stdout
    escaped = text.encode("unicode_escape").decode()

    assert 2 == printed.count(escaped)
    assert text not in printed


@rows("text", ["[bold]Rent[/bold]", ":smile:", "https://x.example/[a]"])
def test_a_text_is_no_markup(text: str) -> None:
    assert text in billed(rent(description=text), "2026-02").stdout
