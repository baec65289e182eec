"""Idle steps: what is round already, or divided by one, is told without a formula."""

from decimal import Decimal

from rentbilling import Amount, Working
from rentbilling.explanations import Input
from tests.oracle.workings import replayed
from tests.support.rents import amount
from tests.support.rows import rows

MINOR = Decimal("0.01")


def to_minor(value: Input, result: str, note: str | None = None) -> Working:
    inputs = ("amount", value), ("step", MINOR), ("mode", "half_up")
    return Working("rent", "rounded", inputs, amount(result), "A3", note)


@rows(
    ("value", "result", "told"),
    [
        ("8500.00", "8500.00", "rent: 8,500.00 DKK [A3]"),
        ("-8500", "-8500.00", "rent: -8,500.00 DKK [A3]"),
        ("0", "0.00", "rent: 0.00 DKK [A3]"),
        ("8500.005", "8500.01", "rent: 8,500.01 DKK = 8,500.005 rounded half up to 0.01 [A3]"),
        ("0.004", "0.00", "rent: 0.00 DKK = 0.004 rounded half up to 0.01 [A3]"),
    ],
)
def test_a_stated_number_is_rounded_in_words_only_where_it_changes(
    value: str, result: str, told: str
) -> None:
    """8,500.00 holds whole hundredths and 8,500.005 does not; no working stands behind either."""
    step = to_minor(amount(value), result)

    assert told == str(step)
    assert amount(result) == replayed(step)


def test_an_idle_rounding_with_a_note_keeps_its_own_line() -> None:
    stated = Working("agreed", "stated", (), amount("8500.00"), "A18")

    assert "rent: 8,500.00 DKK; as billed [A3]\n  agreed: 8,500.00 DKK [A18]" == str(
        to_minor(stated, "8500.00", "as billed")
    )


def test_an_idle_rounding_hands_on_the_formula_of_its_source() -> None:
    """2 × 4,250.00 is 8,500, which needs no rounding: one line for both."""
    inputs = ("quantity", 2), ("price", amount("4250.00"))
    twice = Working("exact", "product", inputs, Decimal(8500), "A21")

    assert "rent: 8,500.00 DKK = 2 × 4,250.00 [A21]" == str(to_minor(twice, "8500.00"))


def test_a_stated_number_over_one_is_a_quotient_all_the_same() -> None:
    """Nothing stands behind 8,500 that could be told in its place."""
    inputs: tuple[tuple[str, Amount | int], ...] = ("rent", amount("8500.00")), ("months", 1)
    step = Working("monthly rent", "quotient", inputs, Decimal(8500), "A39")

    assert "monthly rent: 8,500 = 8,500.00 / 1 [A39]" == str(step)
