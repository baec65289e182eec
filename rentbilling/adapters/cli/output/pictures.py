"""Pictures of forecasts and reports.

Law: a picture that cannot be drawn is refused before anything is computed.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click

from rentbilling.adapters.cli.streams import Refusal, refusing, say

_PICTURES: Final = (".png", ".svg", ".pdf")


Picture = Callable[[Any, str | None], Any]
"""Draws, with the functions of the extra, the picture of a currency."""


def drawing(name: str | None) -> Callable[[Iterable[Mapping[str, Any]], Picture], None] | None:
    """Return what draws rows to a file, None where no picture is asked for.

    Raises:
        BadParameter: The name does not end as a picture's does.
        Refusal: The extra `notebook` is not installed.
    """
    if name is None:
        return None
    if Path(name).suffix.lower() not in _PICTURES:
        said = f"{name} is no name of a picture; write one that ends in .png, .svg or .pdf."
        raise click.BadParameter(said, param_hint="'--plot'")
    try:
        plots = import_module("rentbilling.adapters.plots")
    except ImportError as error:
        raise Refusal("--plot", [str(error)]) from None
    return partial(_draw, name, plots)


def _draw(name: str, plots: Any, rows: Iterable[Mapping[str, Any]], picture: Picture) -> None:  # noqa: ANN401
    """Draw a picture of each currency and write it to a file, with its currency where several are.

    Raises:
        Refusal: There is nothing to draw, or a file cannot be written.
    """
    currencies = list(dict.fromkeys(row["currency"] for row in rows)) or [None]
    for currency in currencies:
        path = Path(name)
        if len(currencies) > 1:
            path = path.with_name(f"{path.stem}-{currency}{path.suffix}")
        try:
            with refusing(str(path)):
                picture(plots, currency).save(path)
        except OSError as error:
            raise Refusal.of_system(str(path), error) from None
        if len(currencies) > 1:
            say(f"Notice: the picture of {currency} is {path}")
