"""Laws of flat tables: a row is the lease that its values make, however they are written."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import polars as pl
from hypothesis import given, strategies as st

from rentbilling import Amount, LeaseTerms, monthly_rent
from rentbilling.portfolio import TableMapping

ITEM = {"amount": "rent", "currency": "currency", "moved_in": "start"}
ROWS = st.lists(
    st.tuples(
        st.decimals("-9999999.99", "9999999.99", places=2),
        st.sampled_from(("DKK", "EUR", "KWD")),
        st.dates(date(1990, 1, 1), date(2090, 12, 31)),
    ),
    max_size=4,
)
DATES: dict[str, str] = {
    "YYYY-MM-DD": "{0:%Y-%m-%d}",
    "DD-MM-YYYY": "{0:%d-%m-%Y}",
    "D.M.YYYY": "{0.day}.{0.month}.{0.year}",
    "MM/DD/YYYY": "{0:%m/%d/%Y}",
    "YYYYMMDD": "{0:%Y%m%d}",
}
Cells = tuple[Decimal, str, date]


def expected(rows: list[Cells]) -> list[LeaseTerms]:
    return [
        LeaseTerms(
            lease_id=str(at),
            recurring_bill_items=(monthly_rent(Amount(amount, currency), moved_in),),
        )
        for at, (amount, currency, moved_in) in enumerate(rows)
    ]


@given(
    rows=ROWS,
    form=st.sampled_from(sorted(DATES)),
    marks=st.sampled_from([(".", ""), (",", "."), (",", ""), (".", ","), (",", " "), (".", "'")]),
)
def test_a_file_in_any_notation_has_the_leases_of_its_values(
    rows: list[Cells], form: str, marks: tuple[str, str]
) -> None:
    decimal, thousands = marks
    notation: dict[str, Any] = {"date": form, "decimal": decimal, "thousands": thousands}
    mapping = TableMapping({"id": "id"}, ITEM, delimiter=";", **notation)
    texts = ["id;rent;currency;start"]
    for at, (amount, currency, day) in enumerate(rows):
        whole, _, cents = f"{amount:,.2f}".partition(".")
        number = f"{whole.replace(',', thousands)}{decimal}{cents}"
        texts.append(f"{at};{number};{currency};{DATES[form].format(day)}")
    with TemporaryDirectory() as folder:
        path = Path(folder, "leases.csv")
        path.write_text("\n".join(texts), encoding="utf-8")

        assert expected(rows) == [*mapping.leases(path)]


FRAMES: list[Callable[[dict[str, list[Any]]], Any]] = [
    pd.DataFrame,
    pl.DataFrame,
    lambda columns: pd.DataFrame(columns).astype({"rent": "float64"}),
    lambda columns: pd.DataFrame(columns).astype({"start": "datetime64[s]"}),
    lambda columns: pd.DataFrame(columns).to_dict("records"),
]


@given(rows=ROWS.filter(bool), make=st.sampled_from(FRAMES))
def test_a_frame_has_the_leases_of_its_values(
    rows: list[Cells], make: Callable[[dict[str, list[Any]]], Any]
) -> None:
    """Also of floats, which print as the amounts that were written (A1)."""
    amounts, currencies, days = zip(*rows, strict=True)
    columns = {
        "id": [*range(len(rows))],
        "rent": [*amounts],
        "currency": [*currencies],
        "start": [*days],
    }

    assert expected(rows) == [*TableMapping({"id": "id"}, ITEM).leases(make(columns))]
