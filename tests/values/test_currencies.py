"""The table of currencies agrees with ISO 4217, and old leases stay readable (A2)."""

from typing import Any, cast

import iso4217
import pytest

from rentbilling.errors import InvalidPolicyError, UnknownWordError
from rentbilling.values import CURRENCIES, minor_units
from tests.support.rows import rows

ISO = {currency.code: currency.exponent for currency in iso4217.Currency}

# Left the list between 1998 and 2026; each keeps the minor units that it had.
# fmt: off
WITHDRAWN = frozenset({
    "ANG", "ATS", "AZM", "BEF", "BGL", "BGN", "BYR", "CSK", "CUC", "CYP", "DEM", "EEK",
    "ESP", "FIM", "FRF", "GHC", "GRD", "HRK", "IEP", "ITL", "LTL", "LUF", "LVL", "MGF",
    "MRO", "MTL", "MZM", "NLG", "PTE", "ROL", "SDD", "SIT", "SKK", "SLL", "SRG", "STD",
    "TMM", "TRL", "USS", "VEB", "VEF", "ZMK", "ZWD", "ZWL",
})
# fmt: on
# Came after the oldest edition of the list that the tests may run with.
NEW = frozenset({"XAD", "XCG"})


@rows("code", [code for code, places in ISO.items() if places is not None])
def test_an_active_currency_has_the_minor_units_of_the_standard(code: str) -> None:
    """DKK has 2 decimals, JPY none, KWD 3, CLF 4 (A2)."""
    assert ISO[code] == CURRENCIES[code]


def test_every_other_code_is_one_that_was_withdrawn() -> None:
    """What has no minor units is no currency (A2)."""
    assert [] == [code for code, places in ISO.items() if places is None and code in CURRENCIES]
    assert set() == set(CURRENCIES) - set(ISO) - WITHDRAWN - NEW


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
