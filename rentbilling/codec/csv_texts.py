r"""CSV texts: rows as RFC 4180 has them, whose texts no spreadsheet runs as formulas.

A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`. Where a text begins with one of
them, also behind blanks or quotation marks, it gets an apostrophe in front. Spreadsheets of many
countries split lines at `;`, others at a tab, `,` or `|`, even between quotation marks; so behind
each of these and behind each line break within a text the same is done: `x;=1+1` is written
`x;'=1+1`. To have the text as it was, remove one apostrophe at each of these places.

Laws: figures have a point, all their digits and nothing else, so that they read back exactly; a
text reads back exactly when the apostrophes are removed; no other module writes CSV.
"""

import io
import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Final

Cell = object
"""A value of a cell: a figure, a day, a text, or None for an empty cell."""

_FIGURES: Final = (int, Fraction, date)

_SIGNS: Final = "=+@＝＋－＠-"  # noqa: RUF001
"""First characters of a formula, with the full-width forms that spreadsheets accept."""
_BREAKS: Final = r"\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029"
_PLACE: Final = rf"(?:\A|(?<=[;,|{_BREAKS}]))"
"""Where a cell of some spreadsheet may begin: at the beginning, behind separators and breaks."""
_SKIPPED: Final = rf"(?:(?![{_BREAKS}])[\s\x00-\x1f\x7f\u200b\ufeff\"'])*"
"""Characters in front of a formula that spreadsheets ignore or remove."""


@cache
def _formula() -> re.Pattern[str]:
    """Return what finds the places of apostrophes; compiling it takes as long as a small import."""
    return re.compile(rf"{_PLACE}(?={_SKIPPED}[{_SIGNS}])|\A(?={_SKIPPED}[\t\r\n])")


def csv_text(rows: Iterable[Iterable[Cell]]) -> str:
    r"""Return rows as CSV.

    Examples:
        >>> csv_text([["name", "amount"], ["=1+1", Decimal("-1.50")]])
        "name,amount\r\n'=1+1,-1.50\r\n"
    """
    import csv  # noqa: PLC0415 - most programs write JSON

    text = io.StringIO(newline="")
    csv.writer(text).writerows([*map(_written, row)] for row in rows)
    return text.getvalue()


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    return str(cell) if isinstance(cell, _FIGURES) else safe(str(cell))


def safe(text: str) -> str:
    """Return a text of which no spreadsheet takes a part for a formula.

    Examples:
        >>> safe("=1+1"), safe("x;=1+1"), safe("Rent, -5 %"), safe("2 - 1")
        ("'=1+1", "x;'=1+1", "Rent,' -5 %", '2 - 1')
    """
    return _formula().sub("'", text)
