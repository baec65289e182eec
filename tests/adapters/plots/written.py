"""What pictures write, as `money_texts` writes it, but with the spaces of a keyboard."""

from datetime import date
from decimal import Decimal

from rentbilling import Amount
from rentbilling.adapters import money_texts


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def money(amount: str, locale: str = "da") -> str:
    return plain(money_texts.money_text(Amount.parse(amount), locale))


def percent(fraction: str, locale: str = "da", *, signed: bool = False) -> str:
    return plain(money_texts.percent_text(Decimal(fraction), locale, signed=signed))


def number(text: str, locale: str = "da") -> str:
    return plain(money_texts.number_text(Decimal(text), locale))


def day(iso: str, locale: str = "da", *, length: money_texts.DayLength = "medium") -> str:
    return plain(money_texts.date_text(date.fromisoformat(iso), locale, length=length))
