"""The tables for people: narrow, wide, and never with a figure cut off."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from rentbilling import BillingPolicy, dumps
from tests.support.command_line import AMOUNT, billed, example, rent

FEBRUARY = """\
Due Sunday 1 February 2026
Item                        Period         Qty  Unit net  VAT      Net DKK
──────────────────────────────────────────────────────────────────────────
Rent, Nørregade 12, 2. th.  1–28 Feb 2026    1  8,500.00  exempt  8,500.00
Heating on account          1–28 Feb 2026    1    950.00  exempt    950.00
Parking space 7             1–28 Feb 2026    1    540.00  25 %      540.00
  10 % off until 30 June
──────────────────────────────────────────────────────────────────────────
                                                       Subtotal   9,990.00
                                    No VAT (exempt) on 9,450.00       0.00
                                             VAT 25 % on 540.00     135.00
                                                      Total DKK  10,125.00
"""

NARROW = """\
Due Sunday 1 February 2026
Item               Qty  Unit net  VAT      Net DKK
──────────────────────────────────────────────────
Rent, Nørregade      1  8,500.00  exempt  8,500.00
12, 2. th.
  1–28 Feb 2026
Heating on           1    950.00  exempt    950.00
account
  1–28 Feb 2026
Parking space 7      1    540.00  25 %      540.00
  1–28 Feb 2026
  10 % off until
  30 June
──────────────────────────────────────────────────
                               Subtotal   9,990.00
            No VAT (exempt) on 9,450.00       0.00
                     VAT 25 % on 540.00     135.00
                              Total DKK  10,125.00
"""


def test_a_bill_reads_well_in_eighty_columns() -> None:
    assert FEBRUARY == billed(example(), "2026-02").stdout


def test_a_table_is_the_default() -> None:
    assert FEBRUARY == billed(example(), "2026-02", "--format", "table").stdout


def test_a_narrow_terminal_has_the_periods_below_the_texts() -> None:
    assert NARROW == billed(example(), "2026-02", columns=50).stdout


def test_a_wide_terminal_shows_the_products() -> None:
    printed = billed(example(), "2026-02", columns=200).stdout

    assert "key:parking" in printed
    assert max(map(len, printed.splitlines())) < 100


@pytest.mark.parametrize("columns", [0, 1, 10, 30, 45, 60, 80, 100, 200])
def test_no_figure_is_ever_cut_off(columns: int) -> None:
    printed = billed(example(), "2026", columns=columns).stdout
    ends = {line.split()[-1] for line in printed.splitlines() if line}

    assert {"4,661.29", "5,978.39", "6,052.42", "10,125.00", "117,877.42"} <= ends


@pytest.mark.parametrize("columns", [50, 60, 70, 80, 90, 100, 120])
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


def test_an_item_without_a_text_is_called_by_its_product() -> None:
    assert "\nkey:rent  1–28 Feb 2026" in billed(rent(), "2026-02").stdout


def test_a_part_of_a_month_says_which_part() -> None:
    """The tenant can check the share: 7 of 28 days."""
    assert "\n  1/4 of 1–28 Feb 2026\n" in billed(rent(endedOn="2026-02-07"), "2026-02").stdout


def test_the_full_form_says_which_item_a_line_comes_from() -> None:
    """Opening and regular lines can be told apart (A56)."""
    printed = billed(example(), "2026-01-01/2026-02-28", "--full").stdout
    told = [line.strip() for line in printed.splitlines() if line.startswith("  rent, ")]

    assert ["rent, opening", "rent, regular"] == told


@pytest.mark.parametrize(
    ("vat", "cell", "total"),
    [
        ({"taxMode": "Exempt"}, "exempt", "No VAT (exempt) on 8,500.00"),
        ({"taxMode": "ReverseCharge"}, "reverse", "No VAT (reverse charge) on 8,500.00"),
        ({"taxMode": "Exclusive", "taxRate": 0.055}, "5.5 %", "VAT 5.5 % on 8,500.00"),
        (
            {"taxMode": "Inclusive", "taxRate": 0.25},
            "25 % incl.",
            "VAT 25 % on 6,800.00, included in the price",
        ),
    ],
    ids=lambda each: each["taxMode"] if isinstance(each, dict) else "",
)
def test_every_tax_mode_has_its_words(vat: object, cell: str, total: str) -> None:
    printed = billed(rent(vat=vat), "2026-02").stdout

    assert re.search(rf"  {re.escape(cell)}  ", printed)
    assert f" {total}  " in printed


def test_each_currency_has_a_table_and_a_sum_of_its_own() -> None:
    """Two currencies never meet in one sum (A2)."""
    euros = {"currency": "EUR", "amount": 100.00}
    parking = rent(
        productKey="key:parking",
        amount=euros,
        firstBillingPeriodBillItem={**rent()["firstBillingPeriodBillItem"], "amount": euros},
    )
    printed = billed([rent(), parking], "2026-02-01/2026-03-31").stdout

    assert 2 == printed.count("Net DKK")
    assert 2 == printed.count("Net EUR")
    assert [
        ["Total", "of", "2", "bills", "DKK", "17,000.00"],
        ["Total", "of", "2", "bills", "EUR", "200.00"],
    ] == [line.split() for line in printed.splitlines()[-2:]]


def test_cash_is_rounded_below_the_total(tmp_path: Path) -> None:
    """What is to be paid comes last (A52): 8,500.00 in steps of 1,000."""
    path = tmp_path / "policy.json"
    path.write_text(dumps(BillingPolicy(cash_rounding={"DKK": Decimal(1000)})), encoding="utf-8")
    printed = billed(rent(), "2026-02", "--policy", str(path)).stdout.splitlines()

    assert [
        ["Total", "8,500.00"],
        ["Rounding", "500.00"],
        ["To", "pay", "DKK", "9,000.00"],
    ] == [line.split() for line in printed[-3:]]


def test_long_words_are_broken() -> None:
    printed = billed(rent(description="Æ" * 200), "2026-02").stdout

    assert 200 == printed.count("Æ")
    assert max(map(len, printed.splitlines())) <= 80


def test_wide_letters_take_two_columns() -> None:
    narrow = billed(rent(description="xxxxxx"), "2026-02").stdout
    wide = billed(rent(description="家賃料"), "2026-02").stdout

    assert narrow == wide.replace("家賃料", "xxxxxx")


@pytest.mark.parametrize("text", ["\x1b[31mred", "two\nlines", "back\u202ewards", "\x07bell"])
def test_a_text_cannot_take_over_the_terminal(text: str) -> None:
    given = rent(description=text, discount={"percentage": 0.5, "description": text})
    printed = billed(given, "2026-02").stdout
    escaped = text.encode("unicode_escape").decode()

    assert 2 == printed.count(escaped)
    assert text not in printed


@pytest.mark.parametrize("text", ["[bold]Rent[/bold]", ":smile:", "https://x.example/[a]"])
def test_a_text_is_no_markup(text: str) -> None:
    assert text in billed(rent(description=text), "2026-02").stdout


def test_large_figures_have_their_room() -> None:
    """The largest amounts of the interface fit, 15 digits of them (A1)."""
    most = {**AMOUNT, "amount": 9_999_999_999_999.99}
    printed = billed(rent(amount=most), "2026-02", columns=40).stdout.splitlines()

    assert ["key:rent", "1", *2 * ["9,999,999,999,999.99"]] == [
        cell for cell in printed[3].split() if cell != "exempt"
    ]
