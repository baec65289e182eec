"""Texts in columns: whole words where they fit, no figure cut off."""

from rentbilling.layout import PLAIN, Grid, GridColumn, Page, cell_width
from tests.support.rows import rows


@rows(
    ("text", "width", "lines"),
    [
        ("Rent", 4, ["Rent"]),
        ("Rent of the flat", 9, ["Rent of", "the flat"]),
        ("a garage", 3, ["a", "gar", "age"]),
        ("garage", 4, ["gara", "ge"]),
        # A wide character takes two columns, a mark above a letter none.
        ("家賃 と 水", 5, ["家賃", "と 水"]),
        ("e\u0301te\u0301", 3, ["e\u0301te\u0301"]),
        ("水", 1, ["水"]),
    ],
)
def test_a_text_is_wrapped_at_words_where_they_fit(text: str, width: int, lines: list[str]) -> None:
    assert lines == PLAIN.wrapped(text, width)
    assert all(cell_width(line) <= max(width, 2) for line in lines)


def test_a_figure_is_never_cut_off_and_a_text_gives_way() -> None:
    columns = [GridColumn("Item", least=6), GridColumn("Net", right=True)]
    rows = [["Rent of the flat", "8,500.00"], ["Heating", "950.00"]]
    grid = Grid(Page(16, unicode=False), columns, rows)

    text = PLAIN.printed([*grid.head(), *grid.row(rows[0], below=["first"]), *grid.row(rows[1])])

    assert text.splitlines() == [
        "Item         Net",
        "----------------",
        "Rent    8,500.00",
        "of the",
        "flat",
        "  first",
        "Heatin    950.00",
        "g",
    ]
    assert grid.fits
    assert not Grid(Page(5), columns, rows).fits
