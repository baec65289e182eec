"""Numbers of JSON data, in both directions, keep their value digit for digit."""

from decimal import Decimal

import pytest

from rentbilling.errors import UnsupportedCaseError
from rentbilling.values.wire_form import exact_numbers, json_numbers
from tests.support.rows import rows


@rows("text", ["0.1", "8500.5", "0.25", "-17.75"])
def test_a_number_keeps_its_value_on_the_way_out_and_in(text: str) -> None:
    (out,) = json_numbers([Decimal(text)])

    assert text == repr(out)
    assert [Decimal(text)] == exact_numbers([out])


def test_a_number_without_places_is_whole() -> None:
    assert "[8500, 1000]" == repr(json_numbers((Decimal(8500), Decimal("1E+3"))))


@rows("text", ["0.12345678901234567890", f"1{'0' * 400}.1"])
def test_a_number_that_no_binary_number_prints_as_is_refused(text: str) -> None:
    with pytest.raises(UnsupportedCaseError, match="instead of `dumps`"):
        json_numbers({"amount": Decimal(text)})
