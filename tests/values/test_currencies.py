"""The table of currencies has the minor units of ISO 4217, and old leases stay readable (A2).

That it agrees with the published lists is asked by the outside cases.
"""

from typing import Any, cast

import pytest

from rentbilling.errors import InvalidPolicyError, UnknownWordError
from rentbilling.values import CURRENCIES, minor_units
from tests.support.rows import rows


def test_decimals_other_than_two_are_those_of_the_standard() -> None:
    """Of ISO 4217 and, in the second line, of what left it since 1998 (A2)."""
    standard = {
        0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
        " BEF BYR ESP GRD ITL LUF MGF PTE TRL",
        3: "BHD IQD JOD KWD LYD OMR TND",
        4: "CLF UYW",
    }
    expected = {code: places for places, codes in standard.items() for code in codes.split()}

    assert expected == {code: places for code, places in CURRENCIES.items() if places != 2}


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        CURRENCIES["PTS"] = 2  # type: ignore[index]


@rows(
    ("code", "private", "expected"),
    [
        *(("DKK", {}, 2), ("JPY", {}, 0), ("KWD", {}, 3), ("CLF", {}, 4)),
        # A withdrawn currency stays readable.
        *((code, {}, 2) for code in ("DEM", "FRF", "HRK", "BGN")),
        *((code, {}, 0) for code in ("ITL", "ESP", "BYR")),
        # Points of a loyalty scheme can be billed; 0 decimals are an answer, too.
        *(("PTS", {"PTS": places}, places) for places in (0, 1, 8)),
        # A private number of decimals goes before the standard.
        ("DKK", {"DKK": 0}, 0),
    ],
)
def test_a_currency_has_its_own_decimals(code: str, private: dict[str, int], expected: int) -> None:
    """Those of the standard or private ones (A2)."""
    assert expected == (minor_units(code, private) if private else minor_units(code))


@rows(
    "code",
    [
        *("XYZ", "dkk", "Dkk", "XAU", "XXX", "DKK ", "", "KR", "208"),
        *(None, 208, b"DKK", ["DKK"], {}),
    ],
)
def test_an_unknown_code_is_refused_by_name(code: object) -> None:
    with pytest.raises(UnknownWordError) as caught:
        minor_units(cast("Any", code), {"PTS": 1})

    (problem,) = caught.value.problems
    assert ("currency", "unknown_currency", repr(code)) == (
        problem.path,
        problem.code,
        problem.met,
    )


@rows("places", [-1, 9, 10**9, 2.0, True, "2"])
def test_private_decimals_are_a_whole_number_from_0_to_8(places: object) -> None:
    with pytest.raises(InvalidPolicyError) as caught:
        minor_units("PTS", cast("Any", {"PTS": places}))

    (problem,) = caught.value.problems
    assert ("currencies.PTS", "wrong_value", repr(places)) == (
        problem.path,
        problem.code,
        problem.met,
    )


@rows("currencies", [None, "PTS", ["PTS"], {"PTS"}])
def test_private_codes_are_a_mapping(currencies: object) -> None:
    with pytest.raises(TypeError, match="private currencies are a mapping by code, not"):
        minor_units("DKK", cast("Any", currencies))
