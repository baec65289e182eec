"""How are rows shown in a notebook?

Laws: every text is escaped; lines and colours are readable on a light and on a dark page; a number,
a day or an amount is never broken over two lines.
"""

import re
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Final

from rentbilling.values import MONTHS

Head = tuple[str, bool]
"""The name of a column, and whether it holds numbers."""

# What a page brings along (stripes, right-aligned cells, own borders) is overruled, because a text
# column to the right or a stripe under a sum reads wrong: three times the class weighs more than
# the rules of JupyterLab. Written without a fixed colour.
_STYLE: Final = (
    "<style>"
    ".rentbilling{overflow-x:auto;max-width:100%;margin:.4em 0}"
    "§ table{border-collapse:collapse;border:0;margin:0;color:inherit;"
    "background:transparent;font-size:inherit;font-variant-numeric:tabular-nums lining-nums}"
    "§ caption{caption-side:top;text-align:left;font-weight:600;padding:0 .7em .4em;"
    "color:inherit}"
    "§ tbody tr,§ tr,§ th,§ td{background:transparent;color:inherit;border:0}"
    "§ th,§ td{padding:.3em .7em;text-align:left;vertical-align:baseline;"
    "max-width:28em;white-space:normal;overflow-wrap:break-word}"
    "§ thead th{font-weight:600;vertical-align:bottom;min-width:3.5em;"
    "border-bottom:1px solid rgba(128,128,128,.85)}"
    "§ tbody td{border-bottom:1px solid rgba(128,128,128,.25)}"
    "§ tbody tr:hover td{background:rgba(128,128,128,.12)}"
    "§ tfoot th{font-weight:normal;text-align:right}"
    "§ tfoot tr:first-child>*{border-top:1px solid rgba(128,128,128,.85)}"
    "§ tfoot tr.due>*{font-weight:600;border-top:1px solid rgba(128,128,128,.85)}"
    "§ .n{text-align:right}"
    "§ .narrow th,§ .narrow td{padding:.3em .35em;min-width:0}"
    "§ .k{white-space:nowrap;overflow-wrap:normal}"
    "§ pre{margin:0;background:transparent;color:inherit;white-space:pre;line-height:1.35}"
    "§ .note{padding:.3em .7em;opacity:.75;font-size:.9em}"
    "</style>"
).replace("§", ".rentbilling" * 3)

_UNBROKEN: Final = re.compile(r"[\d\s.,:/%()+−–…-]*\d[\d\s.,:/%()+−–…-]*(?: ?[A-Z]{3})?")
"""Numbers, days, periods, and amounts with their currency."""

_MONTH: Final = re.compile(rf"\b({'|'.join(month[:3] for month in MONTHS)})\b")

_SNAKE_CASE: Final = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_WORDS: Final = MappingProxyType({"vat": "VAT", "id": "ID", "ids": "IDs"})


def _escaped(text: str) -> str:
    from html import escape  # noqa: PLC0415 - its table of entities is large, and few want pages

    return escape(text)


def html_table(
    columns: Sequence[Head],
    rows: Sequence[Sequence[str]],
    *,
    note: str = "",
    caption: str = "",
    narrow: bool = False,
) -> str:
    """Return a table; a narrow one has columns with little between them.

    Examples:
        >>> table = html_table([("due_date", False), ("net", True)], [["2026-02-01", "8500.00"]])
        >>> table[table.index("<thead>") : table.index("</table>")]
        '<thead><tr><th scope="col">Due date</th><th scope="col" class="n">Net</th></tr></thead>\
<tbody><tr><td class="k">2026-02-01</td><td class="n k">8500.00</td></tr></tbody>'
    """
    return _framed(_head(columns) + _body(columns, rows), caption, note, narrow=narrow)


def html_bill(
    title: str,
    columns: Sequence[Head],
    lines: Sequence[Sequence[str]],
    sums: Sequence[tuple[str, str]],
    *,
    note: str = "",
) -> str:
    """Return a bill: its lines, and its sums below the last column.

    Examples:
        >>> bill = html_bill(
        ...     "Due 2026-02-01", [("product_key", False), ("net_price", True)],
        ...     [["key:rent", "8500.00"]], [("Subtotal", "8500.00"), ("Total DKK", "8500.00")],
        ... )
        >>> bill[bill.index("<tfoot>") : bill.index("</table>")]
        '<tfoot><tr><th scope="row" colspan="1">Subtotal</th><td class="n k">8500.00</td></tr>\
<tr class="due"><th scope="row" colspan="1">Total DKK</th><td class="n k">8500.00</td></tr></tfoot>'
    """
    span = max(len(columns) - 1, 1)
    last = len(sums) - 1
    feet = "".join(
        f'<tr{_class("due") if at == last else ""}><th scope="row" colspan="{span}">'
        f'{_escaped(name)}</th><td class="n k">{_escaped(shown)}</td></tr>'
        for at, (name, shown) in enumerate(sums)
    )
    foot = f"<tfoot>{feet}</tfoot>" if feet else ""
    return _framed(_head(columns) + _body(columns, lines) + foot, title, note)


def html_text(text: str) -> str:
    """Return a text whose lines and spaces stay, such as an outline.

    Examples:
        >>> html_text("a < b")[-38:]
        '<pre tabindex="0">a &lt; b</pre></div>'
    """
    return f'{_STYLE}<div class="rentbilling"><pre tabindex="0">{_escaped(text)}</pre></div>'


def html_below(parts: Iterable[str]) -> str:
    """Return tables and texts below each other, with their style once.

    Examples:
        >>> html_below([html_text("a"), html_text("b")]).count("<style>")
        1
    """
    return _STYLE + "".join(part.removeprefix(_STYLE) for part in parts)


def heading(name: str) -> str:
    """Return the name of a column as words.

    Examples:
        >>> heading("due_date"), heading("vat"), heading("item_id"), heading("Cap at 4 %")
        ('Due date', 'VAT', 'Item ID', 'Cap at 4 %')
    """
    if not _SNAKE_CASE.fullmatch(name):
        return name
    words = [_WORDS.get(word, word) for word in name.split("_")]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def _framed(inside: str, caption: str, note: str, *, narrow: bool = False) -> str:
    above = f"<caption>{_escaped(caption)}</caption>" if caption else ""
    below = f'<div class="note">{_escaped(note)}</div>' if note else ""
    table = f"<table{_class('narrow' if narrow else '')}>{above}{inside}</table>"
    return f'{_STYLE}<div class="rentbilling" tabindex="0">{table}{below}</div>'


def _head(columns: Sequence[Head]) -> str:
    cells = (
        f'<th scope="col"{_class("n" if is_number else "")}>{_escaped(heading(name))}</th>'
        for name, is_number in columns
    )
    return f"<thead><tr>{''.join(cells)}</tr></thead>"


def _body(columns: Sequence[Head], rows: Iterable[Sequence[str]]) -> str:
    numeric = [is_number for _, is_number in columns]
    return "<tbody>" + "".join(f"<tr>{_cells(row, numeric)}</tr>" for row in rows) + "</tbody>"


def _cells(row: Sequence[str], numeric: Sequence[bool]) -> str:
    return "".join(
        f"<td{_class(_kind(cell, is_number=is_number))}>{_escaped(cell)}</td>"
        for cell, is_number in zip(row, numeric, strict=True)
    )


def _kind(cell: str, *, is_number: bool) -> str:
    if is_number:
        return "n k"
    return "k" if _UNBROKEN.fullmatch(_MONTH.sub("", cell)) else ""


def _class(names: str) -> str:
    return f' class="{names}"' if names else ""
