"""Notations of cells: said, not guessed; a refusal names the notation that reads the text."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from rentbilling.errors import InvalidInputError
from rentbilling.tables.notation import Notation, is_absent
from tests.support.rows import rows

DANISH = Notation("DD-MM-YYYY", ",", ".")
ISO = Notation()
HEADLESS = Notation("D.M.YYYY", ",", " ")
AMERICAN = Notation("M/D/YYYY", ".", ",")

READ: list[tuple[Notation, str, Any, Any]] = [
    (DANISH, "day", "15-01-2026", date(2026, 1, 15)),
    (DANISH, "day", " 15-01-2026 ", date(2026, 1, 15)),
    (DANISH, "day", date(2026, 1, 15), date(2026, 1, 15)),
    # As databases and spreadsheets write a day.
    (DANISH, "day", "15-01-2026 00:00", date(2026, 1, 15)),
    (ISO, "day", "2026-01-15T00:00:00.000", date(2026, 1, 15)),
    (HEADLESS, "day", "5.1.2026", date(2026, 1, 5)),
    (HEADLESS, "day", "15.01.2026", date(2026, 1, 15)),
    (AMERICAN, "day", "1/15/2026", date(2026, 1, 15)),
    (Notation("YYYYMMDD"), "day", "20260115", date(2026, 1, 15)),
    (ISO, "day", "2026-01-15", date(2026, 1, 15)),
    (DANISH, "money", "8.500,00", Decimal("8500.00")),
    (DANISH, "money", "-1.008.500,5", Decimal("-1008500.5")),
    (DANISH, "money", "8500", Decimal(8500)),
    # Under a comma before the decimals, a point is between thousands: 8.500 is not 8.5.
    (DANISH, "money", "8.500", Decimal(8500)),
    (ISO, "money", "8.500", Decimal("8.500")),
    (HEADLESS, "money", "8 500,00", Decimal("8500.00")),
    (HEADLESS, "money", "8\u00a0500,00", Decimal("8500.00")),
    (HEADLESS, "money", "8\u202f500,00", Decimal("8500.00")),
    (AMERICAN, "number", "+8,500.25", Decimal("8500.25")),
    # As ledgers write what is below 0.
    (DANISH, "money", "1.234,50-", Decimal("-1234.50")),
    (DANISH, "money", "(1.234,50)", Decimal("-1234.50")),
    (AMERICAN, "money", "( 1,234.50 ) ", Decimal("-1234.50")),
    (ISO, "money", "\u22125.5", Decimal("-5.5")),
    (ISO, "money", "5 -", Decimal(-5)),
    # A binary number is the decimal that it prints as (A1).
    (DANISH, "money", 8500.1, Decimal("8500.1")),
    (DANISH, "money", 8500, Decimal(8500)),
    (ISO, "number", Decimal("0.250"), Decimal("0.250")),
    (ISO, "whole", "-12", -12),
    (ISO, "whole", " 3 ", 3),
    (ISO, "whole", "1.5", "1.5"),
    (ISO, "whole", 3.5, 3.5),
    (ISO, "whole", float("inf"), float("inf")),
    (ISO, "whole", True, True),
    # As frames and databases have days of digits; a 0 in front is lost in a number.
    (Notation("YYYYMMDD"), "day", 20260116, date(2026, 1, 16)),
    (Notation("YYYYMMDD"), "day", 20260116.0, date(2026, 1, 16)),
    (Notation("DDMMYYYY"), "day", 1022026, date(2026, 2, 1)),
    (ISO, "flag", "true", True),
    (ISO, "flag", "false", False),
    (ISO, "flag", "yes", "yes"),
    (ISO, "flag", True, True),
    # The number of a lease is its digits, also where a gap in the column made it binary.
    (ISO, "text", 1001, "1001"),
    (ISO, "text", 1001.0, "1001"),
    (ISO, "text", 1001.5, 1001.5),
    (ISO, "text", "0017", "0017"),
    (ISO, "text", " 17\u00a0", "17"),
    (ISO, "text", True, True),
    (ISO, "text", date(2026, 1, 15), date(2026, 1, 15)),
    (ISO, "moment", "2026-01-15T00:00Z", "2026-01-15T00:00Z"),
]


def test_a_binary_whole_number_is_a_whole_one() -> None:
    """As frames have a column with empty cells (A7)."""
    for cell in (3.0, Decimal("3.0")):
        assert "3" == repr(ISO.read("whole", cell))


@pytest.mark.parametrize(("notation", "word", "cell", "value"), READ, ids=repr)
def test_a_cell_is_read_in_its_notation(
    notation: Notation,
    word: str,
    cell: Any,  # noqa: ANN401
    value: Any,  # noqa: ANN401
) -> None:
    found = notation.read(word, cell)

    assert (value, type(value), str(value)) == (found, type(found), str(found))


@pytest.mark.parametrize(("text", "rate"), [("25%", "0.25"), ("12,5 %", "0.125"), ("0,25", "0.25")])
def test_a_rate_may_be_written_in_percent(text: str, rate: str) -> None:
    assert Decimal(rate) == DANISH.read("number", text, is_rate=True)


@rows(
    "sign, cell, amount",
    [
        *(("$", text, "-25.00") for text in ("-$25.00", "$-25.00", "($25.00)", "$ 25.00-")),
        *(("$", text, "-25.00") for text in ("$(25.00)", "\u2212$25.00", "25.00- $", "(25.00)")),
        *(("$", text, "1500.00") for text in ("$1,500.00", "1,500.00 $", "1,500.00")),
        ("kr.", "kr. 1,500.00", "1500.00"),
        ("R$", "R$1,500.00", "1500.00"),
    ],
)
def test_the_sign_of_a_currency_may_be_around_a_number(sign: str, cell: str, amount: str) -> None:
    notation = Notation(thousands=",", currency_sign=sign)

    assert Decimal(amount) == notation.read("money", cell)
    with pytest.raises(InvalidInputError):
        notation.read("money", f"{sign}{cell}{sign}")


@rows(
    "cell, rate",
    [("25", "0.25"), ("25 %", "0.25"), ("7,7", "0.077"), ("0", "0"), (19.0, "0.19"), (8, "0.08")],
)
def test_rates_may_be_percentages(cell: object, rate: str) -> None:
    """`rates = "percent"`: 25 is 25 %; numbers that are no rates are as they are."""
    notation = replace(DANISH, rates="percent")

    assert Decimal(rate) == notation.read("number", cell, is_rate=True)
    assert Decimal(25) == notation.read("number", "25")


ONE = "a number such as "
ALONE = ' alone, or with currency_sign = "{}"; its currency is a column or constant of its own'
SERIAL = "serial numbers of a spreadsheet are not read: format the column as dates"
TWO_DIGITS = "years of two digits are not read: write all four"
MONTHS = "names of months are not read: write their numbers"
REFUSED: list[tuple[Notation, str, Any, str, str]] = [
    (ISO, "money", "much", "not_a_number", f"{ONE}8500.00"),
    (ISO, "money", "-5-", "not_a_number", f"{ONE}8500.00"),
    (ISO, "money", "(-5)", "not_a_number", f"{ONE}8500.00"),
    (ISO, "money", "-", "not_a_number", f"{ONE}8500.00"),
    (ISO, "money", "(5", "not_a_number", f"{ONE}8500.00"),
    (ISO, "money", "8500,00", "not_a_number", f'{ONE}8500.00; decimal = "," reads this one'),
    (
        *(ISO, "money", "8.500,00", "not_a_number"),
        f'{ONE}8500.00; decimal = ",", thousands = "." reads this one',
    ),
    (
        # It may be 8.5 or 8500: both are said, and neither is taken.
        *(ISO, "money", "8,500", "not_a_number"),
        f'{ONE}8500.00; decimal = "," or decimal = ".", thousands = "," reads this one',
    ),
    (DANISH, "money", "8.50,00", "not_a_number", f"{ONE}8.500,00"),
    *(
        (
            *(DANISH, "money", text, "not_a_number"),
            f"{ONE}8.500,00: {plain}{ALONE.format(sign)}",
        )
        for text, plain, sign in (
            ("8500,00 kr.", "8500,00", "kr."),
            ("kr. 8.500", "8.500", "kr."),
            ("1.250,00 €", "1.250,00", "€"),
            ("$1,250.00", "1,250.00", "$"),
            ("R$ 5", "5", "R$"),
            ("DKK 5", "5", "DKK"),
        )
    ),
    (DANISH, "money", "12 m2", "not_a_number", f"{ONE}8.500,00"),
    (DANISH, "money", "1e3", "not_a_number", f"{ONE}8.500,00"),
    (DANISH, "money", "８５００", "not_a_number", f"{ONE}8.500,00"),  # noqa: RUF001
    (DANISH, "money", "25%", "not_a_number", "a number without %"),
    (ISO, "money", 0.1 + 0.2, "too_many_digits", "at most 15, such as 0.3"),
    (ISO, "money", True, "not_a_number", "a number such as 8500.00"),
    (
        *(ISO, "day", "15-01-2026", "not_a_date"),
        'a date as YYYY-MM-DD; date = "D-M-YYYY" reads this one',
    ),
    (
        # 1 February or 2 January.
        *(ISO, "day", "01/02/2026", "not_a_date"),
        'a date as YYYY-MM-DD; date = "D/M/YYYY" or date = "M/D/YYYY" reads this one',
    ),
    (DANISH, "day", "31-02-2026", "not_a_date", "a date as DD-MM-YYYY"),
    (DANISH, "day", "15-01-2026 10:00:00", "not_a_date", "a date as DD-MM-YYYY"),
    (DANISH, "day", "15-01-2026 00:00Z", "not_a_date", "a date as DD-MM-YYYY"),
    (DANISH, "day", 46037, "not_a_date", f"a date as DD-MM-YYYY; {SERIAL}"),
    (DANISH, "day", "46037", "not_a_date", f"a date as DD-MM-YYYY; {SERIAL}"),
    *(
        (DANISH, "day", text, "not_a_date", f"a date as DD-MM-YYYY; {said}")
        for text, said in (
            *((text, TWO_DIGITS) for text in ("01/15/26", "2/1/26", "26-01-15", "1.2.26")),
            *((text, MONTHS) for text in ("Jan 15, 2026", "15-Jan-26")),
        )
    ),
    (DANISH, "day", "01/15-26", "not_a_date", "a date as DD-MM-YYYY"),
    (
        *(DANISH, "day", 20260116, "not_a_date"),
        'a date as DD-MM-YYYY; date = "YYYYMMDD" reads this one',
    ),
    (DANISH, "day", True, "not_a_date", "YYYY-MM-DD"),
]


@pytest.mark.parametrize(("notation", "word", "cell", "code", "expected"), REFUSED, ids=repr)
def test_a_cell_in_another_notation_is_refused_with_that(
    notation: Notation,
    word: str,
    cell: Any,  # noqa: ANN401
    code: str,
    expected: str,
) -> None:
    with pytest.raises(InvalidInputError) as refused:
        notation.read(word, cell)

    (problem,) = refused.value.problems
    assert (code, expected) == (problem.code, problem.expected)


@pytest.mark.parametrize(
    ("notation", "paths"),
    [
        (DANISH, []),
        (Notation("D-M-YY"), ["date"]),
        (Notation("DD-MM"), ["date"]),
        (Notation("DMYYYY"), ["date"]),
        (Notation("%d-%m-%Y"), ["date"]),
        (Notation(5, "", None), ["date", "decimal", "thousands"]),  # type: ignore[arg-type]
        (Notation(rates="per cent"), ["rates"]),
        *((Notation(currency_sign=sign), ["currency_sign"]) for sign in (" $", "-", "5")),
        (Notation(currency_sign=5), ["currency_sign"]),  # type: ignore[arg-type]
        (Notation(decimal="1", thousands="--"), ["decimal", "thousands"]),
        (Notation(decimal=",", thousands=","), ["thousands"]),
    ],
    ids=repr,
)
def test_what_is_no_notation_is_said(notation: Notation, paths: list[str]) -> None:
    assert paths == [each.path for each in notation.problems()]


@pytest.mark.parametrize("cell", [None, "", "  ", "\u00a0", float("nan"), Decimal("NaN")], ids=repr)
def test_nothing_is_absent(cell: object) -> None:
    assert is_absent(cell)


@pytest.mark.parametrize("cell", [0, "0", Decimal(0), False, "NULL"], ids=repr)
def test_what_says_something_is_there(cell: object) -> None:
    assert not is_absent(cell)
