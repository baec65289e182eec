"""An index series as a table: a row for each year, marks at values that may change."""

from rentbilling import IndexSeries
from tests.support.rows import rows

MONTHS = IndexSeries("NPI", {f"2021-{month:02}": 100 + month for month in range(1, 13)})
LONG = IndexSeries("NPI", {point: f"{value}.123" for point, value in MONTHS.values.items()})
LEVELS = IndexSeries("CPI", {"2021": "104.80", "2022": 106}, base="2015=100", source="a bureau")
# fmt: off
CHANGES = IndexSeries("changes", {"2021-Q3": "0.02", "2021-Q4": "0.03", "2022": "0.04"},
                      kind="change", assumed=["2021-Q4"], provisional=["2022"])
PRINTED = [
    (IndexSeries("CPI", {}), ["CPI", "No values"]),
    (LEVELS, ["CPI, 2015=100", "Year   Value", "────────────", "2021  104.80", "2022     106",
              "Source: a bureau"]),
    (CHANGES, ["changes, change", "Year  Q1  Q2    Q3     Q4", "─────────────────────────",
               "2021          0.02  0.03*", "Year  Value", "───────────", "2022  0.04~",
               "* assumed, ~ provisional"]),
]
# fmt: on


@rows(("series", "lines"), PRINTED)
def test_a_series_prints_as_a_table(series: IndexSeries, lines: list[str]) -> None:
    assert lines == str(series).splitlines()


def test_months_fit_the_page() -> None:
    first = [line[:13] for line in str(LONG).splitlines() if line.startswith("Year")]

    assert "Year  Jan  Feb  Mar  Apr  May  Jun  Jul  Aug  Sep  Oct  Nov  Dec" in str(MONTHS)
    assert [f"Year{'Jan':>9}", f"Year{'Jul':>9}"] == first


def test_a_notebook_shows_a_series_as_a_table() -> None:
    page = IndexSeries("A & B", {"2021-01": 1, "2021": 2}, source="<us>")._repr_html_()

    for text in ("<caption>A &amp; B</caption>", ">Dec</th>", ">Value</th>", "Source: &lt;us&gt;"):
        assert 1 == page.count(text)
    assert "No values" in IndexSeries("CPI", {})._repr_html_()
