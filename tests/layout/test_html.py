"""Tables in a notebook: escaped, readable on any ground, numbers to the right and unbroken."""

import re
from html.parser import HTMLParser

import pytest

from rentbilling.layout import heading, html_bill, html_table
from tests.support.rows import rows

COLUMNS = [("due_date", False), ("product_key", False), ("net", True)]
ROWS = [["2026-02-01", "key:rent", "8500.00"], ["2026-03-01", "key:heating", ""]]


class _Reader(HTMLParser):
    """Reads the cells of a table, and which tags are left open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[tuple[str, str, str]] = []
        self._given: dict[str, str | None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self._given = dict(attrs)
        if tag in ("th", "td", "caption"):
            self.cells.append((tag, self._given.get("class") or "", ""))

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("th", "td", "caption"):
            tag, names, text = self.cells[-1]
            self.cells[-1] = tag, names, text + data


def cells_of(html: str) -> list[tuple[str, str, str]]:
    """Return tag, classes and text of all cells of a table that is well formed."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert [] == reader.open
    return reader.cells


def test_numbers_stand_to_the_right_and_are_not_broken() -> None:
    assert [
        ("th", "", "Due date"),
        ("th", "", "Product key"),
        ("th", "n", "Net"),
        ("td", "k", "2026-02-01"),
        ("td", "", "key:rent"),
        ("td", "n k", "8500.00"),
        ("td", "k", "2026-03-01"),
        ("td", "", "key:heating"),
        ("td", "n k", ""),
    ] == cells_of(html_table(COLUMNS, ROWS))


@rows(
    ("cell", "classes"),
    [
        ("2026-01-01/2026-01-31", "k"),
        ("8500.00 DKK", "k"),
        ("-1,250.5", "k"),
        ("2.4 %", "k"),
        ("2026-01", "k"),
        ("15 Dec 2025 – 14 Jan 2026", "k"),
        ("Mar 12 rooms", ""),
        ("", ""),
        ("–", ""),
        ("Nørregade 12, 2. th.", ""),
        ("12 payments to 4", ""),
    ],
)
def test_days_and_amounts_in_a_text_column_are_not_broken(cell: str, classes: str) -> None:
    assert ("td", classes, cell) == cells_of(html_table([("value", False)], [[cell]]))[1]


def test_every_text_is_escaped() -> None:
    bad = '</td><script>alert("1 & 2")</script>'
    html = html_table([(bad, False)], [[bad]], note=bad, caption=bad)

    assert [("caption", "", bad), ("th", "", bad), ("td", "", bad)] == cells_of(html)
    assert 4 == html.count("&lt;/td&gt;&lt;script&gt;")
    assert "<script" not in html


def test_a_bill_has_its_sums_below_the_last_column() -> None:
    sums = [("Subtotal", "8500.00"), ("VAT 25 %", "2125.00"), ("Total DKK", "10625.00")]
    html = html_bill("Due 2026-02-01", COLUMNS, ROWS, sums, note="1 notice")
    found = cells_of(html)

    assert ("caption", "", "Due 2026-02-01") == found[0]
    assert [
        ("th", "", "Subtotal"),
        ("td", "n k", "8500.00"),
        ("th", "", "VAT 25 %"),
        ("td", "n k", "2125.00"),
        ("th", "", "Total DKK"),
        ("td", "n k", "10625.00"),
    ] == found[-6:]
    assert 3 == html.count('colspan="2"')
    assert 1 == html.count('<tr class="due"><th scope="row" colspan="2">Total DKK')
    assert html.endswith('<div class="note">1 notice</div></div>')


def test_a_bill_without_sums_has_no_foot() -> None:
    assert "<tfoot" not in html_bill("Due", COLUMNS, ROWS, [])


def test_colours_are_those_of_the_page() -> None:
    style = re.findall(r"<style>(.*?)</style>", html_table(COLUMNS, ROWS))
    colours = re.findall(r"(?:color|background|border[a-z-]*):([^;}]*)", style[0])

    assert 1 == len(style)
    assert {
        "inherit",
        "transparent",
        "0",
        "collapse",
        "1px solid rgba(128,128,128,.85)",
        "1px solid rgba(128,128,128,.25)",
        "rgba(128,128,128,.12)",
    } == set(colours)
    assert "#" not in style[0]
    assert "tabular-nums" in style[0]
    assert "overflow-x:auto" in style[0]


def test_the_style_touches_no_other_table_of_the_page() -> None:
    style = re.findall(r"<style>(.*?)</style>", html_table(COLUMNS, ROWS))[0]
    selectors = [
        each for rule in style.split("}") if rule for each in rule.split("{")[0].split(",")
    ]

    assert [] == [each for each in selectors if not each.startswith(".rentbilling")]


@rows(
    ("name", "shown"),
    [
        ("due_date", "Due date"),
        ("vat", "VAT"),
        ("vat_base", "VAT base"),
        ("item_id", "Item ID"),
        ("net", "Net"),
        ("q5", "Q5"),
        ("Cap at 4 %", "Cap at 4 %"),
        ("2027", "2027"),
        ("DKK", "DKK"),
        ("", ""),
    ],
)
def test_names_of_columns_read_as_words(name: str, shown: str) -> None:
    assert shown == heading(name)


def test_no_rows_still_show_their_columns() -> None:
    assert [("th", "", "Net")] == cells_of(html_table([("net", False)], []))


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        html_table(COLUMNS, [["2026-02-01", "key:rent"]])
