"""Index series as tables for people: a row for each year, with its months or quarters across.

Law: every value is there with all its digits; assumed and provisional ones are marked.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rentbilling.errors import printable
from rentbilling.layout import PLAIN, TITLE, Grid, GridColumn, Part, html_below, html_table
from rentbilling.values import MONTHS

if TYPE_CHECKING:
    from rentbilling.indices.points import IndexPoint
    from rentbilling.indices.series import IndexSeries

_HEADS: Final[Mapping[str, Sequence[str]]] = MappingProxyType(
    {
        "month": tuple(month[:3] for month in MONTHS),
        "quarter": ("Q1", "Q2", "Q3", "Q4"),
        "year": ("Value",),
    }
)
_MARKS: Final = "* assumed, ~ provisional"

_Table = tuple[list[str], list[list[str]]]
"""The headings, and the rows."""


def series_text(series: "IndexSeries") -> str:
    """Return what `print` shows of a series; the halves of a year that do not fit are apart."""
    parts = [Part(f"{_title(series)}\n", TITLE)]
    for heads, rows in _tables(series):
        if _grid(heads, rows).fits:
            parts += _printed(heads, rows)
            continue
        half = len(heads) // 2 + 1
        for some in (slice(1, half), slice(half, None)):
            parts += _printed([heads[0], *heads[some]], [[row[0], *row[some]] for row in rows])
    parts += [Part(f"{each}\n") for each in _notes(series)]
    return PLAIN.printed(parts).rstrip("\n")


def series_html(series: "IndexSeries") -> str:
    """Return what a notebook shows of a series."""
    tables = [*_tables(series)] or [(["Year", "Value"], [])]
    notes = [*[""] * (len(tables) - 1), "; ".join(_notes(series))]
    titles = [_title(series), *[""] * (len(tables) - 1)]
    return html_below(
        html_table(
            [(name, name != "Year") for name in heads],
            rows,
            caption=title,
            note=note,
            narrow=len(heads) == len(("Year", *MONTHS)),
        )
        for (heads, rows), title, note in zip(tables, titles, notes, strict=True)
    )


def _title(series: "IndexSeries") -> str:
    kind = None if series.kind == "level" else series.kind
    return printable(", ".join(filter(None, (series.name, series.base, kind))))


def _notes(series: "IndexSeries") -> Iterator[str]:
    if not series.values:
        yield "No values"
    if series.assumed or series.provisional:
        yield _MARKS
    if series.source is not None:
        yield f"Source: {printable(series.source)}"


def _tables(series: "IndexSeries") -> Iterator[_Table]:
    """Give a table for months, quarters and years, of those that have values."""
    found: dict[str, dict[int, dict[int, str]]] = {}
    for point in series.points:
        year, at = divmod(point.number, len(_HEADS[point.unit]))
        found.setdefault(point.unit, {}).setdefault(year, {})[at] = _cell(series, point)
    for unit, years in found.items():
        heads = _HEADS[unit]
        yield (
            ["Year", *heads],
            [
                [str(year), *(row.get(at, "") for at in range(len(heads)))]
                for year, row in years.items()
            ],
        )


def _cell(series: "IndexSeries", point: "IndexPoint") -> str:
    mark = "*" if point in series.assumed else "~" if point in series.provisional else ""
    return f"{series.values[point]:f}{mark}"


def _grid(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    return Grid(PLAIN, [GridColumn(name, right=name != "Year") for name in heads], rows)


def _printed(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Part]:
    grid = _grid(heads, rows)
    yield from grid.head()
    for row in rows:
        yield from grid.row(row)
