"""The command `suggest-map`: a mapping to begin with, from the headers of one's own table."""

import csv
from io import StringIO
from itertools import islice
from typing import Any

import click

from rentbilling.adapters.cli.input.databases import extras
from rentbilling.adapters.cli.input.options import FileName
from rentbilling.adapters.cli.streams import Refusal, read_bytes, write_text

_ROWS = 1000
"""Rows by which the forms of dates and numbers are guessed."""
_ABOVE = 30
"""Rows among which the headers are looked for."""
_USUAL = "utf-8-sig"


@click.command("suggest-map")
@click.argument("table", type=FileName(), metavar="TABLE")
def suggest_map(table: str) -> None:
    """Print a map for a table of leases in CSV, as a start.

    Save it, and check each line. Columns whose headers are words of the interface, or usual ones in
    languages of Europe, get their fields. Dates and numbers get the form in which all of the first
    rows can be read. Other columns, and what is missing, are comments, and so is what only you
    know: whether a lease ends on its Lease To, which rows are totals, which units are vacant. A
    column that says how often rent is due makes the map fail until its line is written or struck
    out.

    \b
    Try it:
      rentbilling suggest-map leases.csv > map.toml
      rentbilling bill-run leases.csv --map map.toml --period 2026-03 --check

    Exit codes: 0 fine, 1 the table cannot be read.
    """  # noqa: D301 - click reads the escapes
    with extras():
        from rentbilling.portfolio.guesses.mapping_guesses import (
            delimiter_of,
            header_place,
            mapping_start,
        )

    given = read_bytes(table)
    encoding = _USUAL
    try:
        text = given.decode(encoding)
    except UnicodeDecodeError:
        encoding = "cp1252"
        text = given.decode(encoding, "replace")
    if "\0" in text:
        raise Refusal(table, ["is no text in UTF-8 or Windows-1252; save it as CSV in UTF-8"])
    if text.lower().startswith("sep="):
        raise Refusal(table, ["begins with a line for Excel alone, sep=…; delete this line"])
    delimiter = delimiter_of(text.lstrip().splitlines()[:_ABOVE])
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    try:
        numbers, rows = _numbered(reader)
        are_all = next(reader, None) is None
    except csv.Error as error:
        raise Refusal(table, [f"cannot be read as CSV: {error}"]) from None
    if not rows:
        raise Refusal(table, ["is empty (expected a CSV file with a line of headers)"])
    form = {"delimiter": delimiter} if delimiter != "," else {}
    form |= {"encoding": encoding} if encoding != _USUAL else {}
    at = header_place(rows[:_ABOVE])
    line = numbers[at] if at else None
    write_text(mapping_start(rows[at], rows[at + 1 :], form, are_all=are_all, header_line=line))


def _numbered(reader: Any) -> tuple[list[int], list[list[str]]]:  # noqa: ANN401 - of the module csv
    """Return the first rows that are not empty, and the line in which each begins."""
    numbers, rows, line = list[int](), list[list[str]](), 1
    for row in islice(reader, _ROWS + 1):
        if row:
            numbers.append(line)
            rows.append(row)
        line = reader.line_num + 1
    return numbers, rows
