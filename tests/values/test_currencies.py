"""The table of currencies agrees with ISO 4217, and old leases stay readable (A2)."""

from typing import Any, cast

import iso4217
import pytest

from rentbilling.errors import InvalidPolicyError, UnknownWordError
from rentbilling.values import CURRENCIES, minor_units

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


class TestTheTable:
    """Known codes and their decimals are those of the standard (A2)."""

    @pytest.mark.parametrize("code", [code for code, places in ISO.items() if places is not None])
    def test_an_active_currency_has_the_minor_units_of_the_standard(self, code: str) -> None:
        """DKK has 2 decimals, JPY none, KWD 3, CLF 4."""
        places = CURRENCIES[code]

        assert ISO[code] == places

    def test_what_has_no_minor_units_is_no_currency(self) -> None:
        found = [code for code, places in ISO.items() if places is None and code in CURRENCIES]

        assert [] == found

    def test_every_other_code_is_one_that_was_withdrawn(self) -> None:
        unknown = set(CURRENCIES) - set(ISO) - WITHDRAWN - NEW

        assert set() == unknown

    @pytest.mark.parametrize(
        ("code", "expected"),
        [("DEM", 2), ("FRF", 2), ("HRK", 2), ("BGN", 2), ("ITL", 0), ("ESP", 0), ("BYR", 0)],
    )
    def test_a_withdrawn_currency_stays_readable(self, code: str, expected: int) -> None:
        places = minor_units(code)

        assert expected == places

    def test_the_table_cannot_be_changed(self) -> None:
        with pytest.raises(TypeError):
            CURRENCIES["PTS"] = 2  # type: ignore[index]


class TestMinorUnits:
    """The decimals of a currency, its own or a private one (A2)."""

    @pytest.mark.parametrize(("code", "expected"), [("DKK", 2), ("JPY", 0), ("KWD", 3), ("CLF", 4)])
    def test_a_known_currency_has_its_own(self, code: str, expected: int) -> None:
        places = minor_units(code)

        assert expected == places

    @pytest.mark.parametrize("places", [0, 1, 8])
    def test_a_private_code_is_known_where_it_is_given(self, places: int) -> None:
        """Points of a loyalty scheme can be billed; 0 decimals are an answer, too."""
        assert places == minor_units("PTS", {"PTS": places})

    def test_a_private_number_of_decimals_goes_before_the_standard(self) -> None:
        assert 0 == minor_units("DKK", {"DKK": 0})

    @pytest.mark.parametrize("code", ["XYZ", "dkk", "Dkk", "XAU", "XXX", "DKK ", "", "KR", "208"])
    def test_an_unknown_code_is_refused_by_name(self, code: str) -> None:
        with pytest.raises(UnknownWordError) as caught:
            minor_units(code, {"PTS": 1})

        (problem,) = caught.value.problems
        assert ("currency", "unknown_currency", repr(code)) == (
            problem.path,
            problem.code,
            problem.met,
        )

    @pytest.mark.parametrize("code", [None, 208, b"DKK", ["DKK"], {}], ids=repr)
    def test_what_is_no_text_is_no_code(self, code: object) -> None:
        with pytest.raises(UnknownWordError) as caught:
            minor_units(cast("Any", code), {"PTS": 1})

        (problem,) = caught.value.problems
        assert ("unknown_currency", repr(code)) == (problem.code, problem.met)

    @pytest.mark.parametrize("places", [-1, 9, 10**9, 2.0, True, "2"], ids=repr)
    def test_private_decimals_are_a_whole_number_from_0_to_8(self, places: object) -> None:
        with pytest.raises(InvalidPolicyError) as caught:
            minor_units("PTS", cast("Any", {"PTS": places}))

        (problem,) = caught.value.problems
        assert ("currencies.PTS", "wrong_value", repr(places)) == (
            problem.path,
            problem.code,
            problem.met,
        )

    @pytest.mark.parametrize("currencies", [None, "PTS", ["PTS"], {"PTS"}], ids=repr)
    def test_private_codes_are_a_mapping(self, currencies: object) -> None:
        with pytest.raises(TypeError, match="private currencies are a mapping by code, not"):
            minor_units("DKK", cast("Any", currencies))
