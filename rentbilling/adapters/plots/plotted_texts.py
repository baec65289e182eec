"""Texts of a picture: amounts and numbers with a true minus, and which lease is drawn."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from rentbilling.adapters.money_texts import money_text, number_text, percent_text
from rentbilling.values import Amount

_MINUS: Final = "\N{MINUS SIGN}"


def amount_text(amount: Amount, locale: str, *, signed: bool = False, whole: bool = False) -> str:
    """Return an amount with its sign before it, perhaps in whole main units."""
    sign = _MINUS if amount.amount < 0 else "+" if signed and amount.amount > 0 else ""
    owed = Amount.unchecked(abs(amount.amount), amount.currency)
    return sign + money_text(owed, locale, whole=whole)


def signed_text(number: Decimal, locale: str) -> str:
    return ("+" if number > 0 else "") + tick_text(number, locale)


def change_text(fraction: Decimal, locale: str) -> str:
    """Return a change as percent with its sign."""
    return _with_minus(percent_text(fraction, locale, signed=True))


def tick_text(number: Decimal, locale: str, places: int = 0) -> str:
    return _with_minus(number_text(number, locale, places=places))


def _with_minus(text: str) -> str:
    return text.replace("-", _MINUS)


def named(title: str, leases: Iterable[str | None]) -> str:
    """Return a title with the lease that it is about, or with how many there are."""
    known = list(dict.fromkeys(leases))
    if len(known) > 1:
        return f"{title}, {len(known):,} leases"
    return f"{title}, {known[0]}" if known and known[0] else title
