"""What pictures write, as `money_texts` writes it, but with the spaces of a keyboard."""

from datetime import date
from decimal import Decimal
from typing import Any
from unittest.mock import patch

from matplotlib.axes import Axes
from matplotlib.text import Text

from rentbilling import Amount
from rentbilling.adapters import money_texts
from rentbilling.adapters.plots import Picture


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


def only_axes(picture: Picture) -> Axes:
    (axes,) = picture.axes
    return axes


def shown_texts(picture: Picture) -> list[Text]:
    found: list[Text] = []
    draw = Text.draw

    def noted(text: Text, *given: Any, **more: Any) -> None:  # noqa: ANN401
        if text.get_visible() and text.get_text().strip():
            found.append(text)
        draw(text, *given, **more)

    with patch.object(Text, "draw", noted):
        picture.draw_without_rendering()
    return found


def texts_of(picture: Picture) -> list[str]:
    return [plain(text.get_text()) for text in shown_texts(picture)]
