"""The VAT categories of outside documents, as tax modes of the library.

The codes come from three lists: UNCL 5305 with its national codes (S, Z, E, AE, K, G, O, L, M …),
the words of OIOUBL (StandardRated, ReverseCharge) and the nature codes of FatturaPA (N1 … N7). A
category that charges no VAT by its meaning is Exempt or ReverseCharge whatever rate is stated with
it. Every other one is charged at its rate, or is Exempt where it has none.
Law: several categories may share one tax mode; `key_of` distinguishes them all the same.
"""

from decimal import Decimal

from rentbilling import Vat
from tests.outside.vat.billing import REVERSED, UNTAXED, taxed

_REVERSED = frozenset({"AE", "ReverseCharge"})
_UNTAXED = frozenset({"E", "O", "G", "K", "Exempt"})

Key = tuple[str | None, Decimal | None]
"""Documents group by the category, and by the rate where it is charged."""


def vat_of(category: str | None, rate: str | None, free: frozenset[Key] = frozenset()) -> Vat:
    if _is_reversed(category):
        return REVERSED
    if rate is not None and key_of(category, rate) in free:
        return Vat("Exempt", taxed(rate).tax_rate)
    if charges_nothing(category) or rate is None:
        return UNTAXED
    return taxed(rate)


def key_of(category: str | None, rate: str | None) -> Key:
    """Return what a document groups a line of this category and rate by."""
    if charges_nothing(category):
        return category, None
    return category, Decimal(rate or 0).normalize()


def charges_nothing(category: str | None) -> bool:
    """Return whether no VAT is charged by the meaning of the category, whatever its rate."""
    nature = category is not None and category[:1] == "N" and category[1:2].isdigit()
    return category in _UNTAXED or nature or _is_reversed(category)


def _is_reversed(category: str | None) -> bool:
    """Return whether the receiver accounts for the VAT; N6 is that nature in FatturaPA."""
    return category in _REVERSED or (category or "").startswith("N6")
