"""The VAT of an item: a mode, and a rate as a fraction where VAT is charged (A5, A27, A28)."""

import pickle
import re
from decimal import Decimal
from typing import Any

import pytest

from rentbilling.errors import (
    InvalidVatError,
    MissingFactError,
    UnknownTaxModeError,
    UnknownWordError,
)
from rentbilling.values import TAX_MODES, Vat
from tests.support.refusals import Call, refusal_text
from tests.support.rows import rows

QUARTER = Decimal("0.25")


ANY: Any = Vat
"""Without its types, for what no type checker lets through."""

CHARGED, UNTAXED = ("Exclusive", "Inclusive"), ("Exempt", "ReverseCharge")

ROWS: list[tuple[object, object]] = [
    # Four words, in any case, kept as the interface writes them (A27).
    *(
        (Vat(spell(mode), QUARTER).tax_mode, mode)
        for mode in TAX_MODES
        for spell in (str, str.lower, str.upper, str.swapcase)
    ),
    # A rate is a fraction from 0 to 1 (A5).
    *(
        (Vat(mode, rate).tax_rate, rate)
        for mode in CHARGED
        for rate in (Decimal(0), QUARTER, Decimal("0.055"), Decimal(1), 0, 1)
    ),
    # A mode that charges nothing needs none; a given one is kept, and charges nothing (A28).
    *((Vat(mode).tax_rate, None) for mode in UNTAXED),
    *((Vat(mode, QUARTER).tax_rate, QUARTER) for mode in UNTAXED),
    *((Vat(mode, QUARTER).charged_rate, Decimal(0)) for mode in UNTAXED),
    # Totals are grouped by mode and charged rate: untaxed modes are one group each (A30).
    (Vat("Exclusive", QUARTER).category, ("Exclusive", QUARTER)),
    (Vat("Inclusive", Decimal(0)).category, ("Inclusive", Decimal(0))),
    (Vat("Exempt", QUARTER).category, ("Exempt", Decimal(0))),
    (Vat("ReverseCharge").category, ("ReverseCharge", Decimal(0))),
    (repr(Vat("Exclusive", QUARTER)), "Vat('Exclusive', Decimal('0.25'))"),
    (repr(Vat("Exempt")), "Vat('Exempt')"),
]


@rows(("found", "expected"), ROWS)
def test_a_vat_has(found: object, expected: object) -> None:
    assert expected == found


def of_rates(*rates: object) -> list[Call]:
    return [lambda rate=rate: ANY("Exclusive", rate) for rate in rates]  # type: ignore[misc]


UNKNOWN: Any = (
    *("Zero", "", "Exclusive ", "exclu sive", "Margin", None, 5, b"Exempt", ["Exempt"]),
)
REFUSED: dict[str, list[Call]] = {
    # Another word, also what is no word (A27).
    "UnknownTaxModeError: taxMode unknown_tax_mode": [
        lambda word=word: ANY(word)  # type: ignore[misc]
        for word in UNKNOWN
    ],
    # No rate is assumed (A28).
    "InvalidVatError: taxRate missing_rate": [
        lambda mode=mode: Vat(mode)  # type: ignore[misc]
        for mode in CHARGED
    ],
    # Next to the untaxed modes, too (A5).
    "InvalidVatError: taxRate out_of_range": [
        lambda mode=mode, rate=rate: Vat(mode, Decimal(rate))  # type: ignore[misc]
        for mode in TAX_MODES
        for rate in ("25", "1.0001", "-0.25")
    ],
    "InvalidVatError: taxRate not_finite": of_rates(*map(Decimal, ("NaN", "sNaN", "Infinity"))),
    "InvalidVatError: taxRate too_many_digits": of_rates(
        *map(Decimal, ("1e999999", "0.1234567890123456", "1e-16"))
    ),
    "InvalidVatError: taxRate not_exact": of_rates(*(0.25, True)),
    "InvalidVatError: taxRate not_a_number": of_rates("a quarter", "0,25"),
    "UnknownTaxModeError: taxMode unknown_tax_mode, taxRate out_of_range": [
        lambda: Vat("Zero", 25)
    ],
}


@rows("found", REFUSED)
def test_another_mode_or_rate_is_refused_at_its_place(found: str) -> None:
    for call in REFUSED[found]:
        assert found == refusal_text(call)


@rows(
    ("rate", "said"),
    [
        # Just above 1 as far above it; 25 would be 2500 percent (A5).
        (Decimal("1.0001"), "is above 1"),
        (Decimal("1.5"), "is above 1"),
        (Decimal("-0.0001"), "is below 0"),
        (25, r"above 1 .*25 means 2500 %; write 0\.25 or '25%'"),
        *(
            (rate, re.escape(f'(met {rate!r}; expected Decimal("0.25") or "0.25")'))
            for rate in (0.25, True, [1])
        ),
    ],
)
def test_the_refusal_of_a_rate_says_what_is_meant(rate: object, said: str) -> None:
    with pytest.raises(InvalidVatError, match=said):
        ANY("Exclusive", rate)


def test_an_unknown_mode_is_wrong_vat_and_an_unknown_word() -> None:
    """The refusal names the known ones (A27)."""
    with pytest.raises(UnknownWordError, match="Exclusive, Inclusive, Exempt, ReverseCharge"):
        Vat("Zero")
    assert issubclass(UnknownTaxModeError, InvalidVatError)
    assert issubclass(UnknownTaxModeError, MissingFactError)


def test_vats_are_equal_by_mode_and_rate() -> None:
    """0.25 is 0.250, in any spelling of the mode; no rate is not the rate 0 (A30)."""
    vat, same = Vat("Exclusive", QUARTER), Vat("exclusive", Decimal("0.250"))
    others = [Vat("Inclusive", QUARTER), Vat("Exclusive", Decimal("0.19")), "Exclusive", None]

    assert (vat, hash(vat)) == (same, hash(same))
    assert vat not in others
    assert Vat("Exempt") != Vat("Exempt", Decimal(0))


@rows("name", ["tax_mode", "tax_rate", "charged_rate", "category", "note"])
def test_a_vat_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(Vat("Exempt"), name, "Exclusive")


@rows("vat", [Vat("Exclusive", QUARTER), Vat("Exempt")])
def test_a_vat_pickles(vat: Vat) -> None:
    again = pickle.loads(pickle.dumps(vat))

    assert (vat, vat.tax_rate) == (again, again.tax_rate)
