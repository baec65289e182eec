"""Index series that several tests use."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

from rentbilling.indices import IndexPoint, IndexSeries

D = Decimal

NPI = IndexSeries(
    "NPI",
    {"2021-04": "104.8", "2021-05": "105.0", "2022-04": "111.6"},
    base="2015=100",
    source="Danmarks Statistik, PRIS116",
)
"""Three values of the Danish net price index, as they are published."""

CPI = IndexSeries(
    "CPI",
    {"2023-01": "101.5", "2023-02": 102, "2023-03": D("102.25"), "2022": "98.0"},
    known={"2023-01": "2023-02-10", "2023-02": date(2023, 3, 10), "2022": "2023-01-10"},
    provisional=["2023-02"],
)
"""Three months and a yearly mean; the day of publication of the third month is unknown."""


CHANGES = IndexSeries("SATS", {"2021": "0.0216", "2022": 0, "2023": "-0.003"}, kind="change")

OLD = IndexSeries("IPC 1992", {"2001-01": "133.413", "2001-08": "136.745"}, base="1992")
NEW = IndexSeries("IPC 2025", {"2002-01": "58.717", "2002-08": "60.030"}, base="2025=100")
LINKS: Mapping[int, Any] = {1: D("2.341468"), 8: D("2.360835")}
"""Spain's coefficients lead from the new base to that of 1992."""

x: Any = partial(IndexSeries, "X")


def point(text: str) -> IndexPoint:
    return IndexPoint.parse(text)
