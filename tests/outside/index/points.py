"""The points of an index that an example compares, the month, and the series of their values.

A source that names no months gets two that lie a year apart. Where the rule can find the points by
itself (a year apart, or by a stated lag) it gets nothing else, and the points found are compared
with the stated months.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from rentbilling import IndexPoint, IndexSeries
from rentbilling.errors import InvalidPeriodError
from tests.outside.board import UnsaidError
from tests.outside.index.stated import Stated, fraction_of

_YEAR: Final = 12
_INVENTED: Final = IndexPoint.month(2020, 10)
_LAG: Final = 2
"""Months after which a value is published (A33)."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two points of a series, or of several, and the month in which a rule compares them."""

    series: tuple[IndexSeries, ...]
    clause: Mapping[str, Any]
    """The fields of a clause by which the rule finds the points."""
    index_month: int | None
    month: int
    """Number of the month of the adjustment."""
    apart: int
    """Months between the points."""
    found: tuple[IndexPoint, IndexPoint] | None
    """The points that are stated, which the rule must compare."""
    years: int = 1
    """Years in a row with an adjustment, the last one in that month."""


def comparison(stated: Stated, to_index: Decimal | None = None) -> Comparison:
    start, to, named = _points(stated)
    month = _month_of(stated, to)
    series = _series(stated, start, to, to_index)
    by_level = series[0].kind == "level"
    clause, index_month = _found_by(stated, to, month)
    clause["basis"] = basis_of(stated)
    years = 1 + len(_between(stated))
    by_itself = start.unit == to.unit and start == to.years_earlier(years)
    if by_level and not (by_itself and clause["basis"] == "chained"):
        clause["start_point"] = start
    if len(series) > 1:
        clause |= {"series": series[0].name, "lower_of": tuple(each.name for each in series[1:])}
    return Comparison(
        series,
        clause | _means(stated, by_level=by_level),
        index_month,
        month,
        to.last_month - start.last_month,
        (start, to) if named and by_level and years == 1 else None,
        years,
    )


def basis_of(stated: Stated) -> str:
    """Return which amount goes together with which point, in the words of a clause."""
    basis = stated.about("basis")
    from_start = _from_point(stated) == "start"
    if basis == "current":
        return "mixed" if from_start else "chained"
    if basis == "last_indexed":
        return basis
    previous = stated.previous
    beside = stated.is_paired and previous.has("amount") and not previous.has("to_index")
    anchored = basis == "base" or from_start or beside or stated.word("share_of") == "money"
    return "anchored" if anchored else "chained"


def is_two_steps(stated: Stated) -> bool:
    """Return whether the step before is to be made too: from its amount, or for the year's bills.

    What an anchored amount was before matters only where a year's bills have it in them.
    """
    previous = stated.previous
    if not stated.is_paired or not previous.has("to_index"):
        return False
    return previous.has("amount") != (basis_of(stated) == "anchored")


def _between(stated: Stated) -> list[Decimal]:
    found = [Decimal(str(step["to_index"])) for step in stated.index_steps[:-1]]
    if found or not is_two_steps(stated):
        return found
    return [Decimal(str(stated.previous.given("to_index")))]


# --- Points ---------------------------------------------------------------------------------------


def _points(stated: Stated) -> tuple[IndexPoint, IndexPoint, bool]:
    in_years = stated.has("average_dp")
    start, to = _start_stated(stated), _point(stated.given("to_month"), in_years=in_years)
    both = start is not None and to is not None and start.last_month < to.last_month
    if to is None:
        to = _to_point(stated, start, in_years=in_years)
    first = to.years_earlier(len(_between(stated)))
    if start is None or start.last_month >= first.last_month:
        start = first.years_earlier(1)
    return start, to, both


def _start_stated(stated: Stated) -> IndexPoint | None:
    named = _from_point(stated)
    if isinstance(named, IndexPoint):
        return named
    return _point(stated.given("from_month"), in_years=stated.has("average_dp"))


def _to_point(stated: Stated, start: IndexPoint | None, *, in_years: bool) -> IndexPoint:
    """Return a point to use where the source names none: so far before, or a year after."""
    effective = _effective(stated)
    if effective is not None and not in_years:
        return IndexPoint.of_month_number(effective - int(stated.number("lag_months") or _LAG))
    if start is not None:
        return start.years_earlier(-1)
    return IndexPoint.parse("2020") if in_years else _INVENTED


def _point(text: object, *, in_years: bool = False) -> IndexPoint | None:
    """Return a stated point, None where none is; of a day its month, of two years the later one."""
    if text is None:
        return None
    for part in (str(text), str(text)[:7], str(text)[-4:]):
        try:
            point = IndexPoint.parse(part)
        except InvalidPeriodError:
            continue
        return IndexPoint.parse(f"{point.year:04d}") if in_years else point
    raise UnsaidError(f"month {text}")


def _from_point(stated: Stated) -> str | IndexPoint | None:
    given = stated.given("from_point")
    if given is None:
        return None
    try:
        return IndexPoint.parse(str(given))
    except InvalidPeriodError:
        return stated.about("from_point")


# --- Months ---------------------------------------------------------------------------------------


def _effective(stated: Stated) -> int | None:
    given = stated.given("effective_month")
    point = None if given is None or "-" not in str(given) else _point(given)
    return None if point is None else point.last_month


def _month_of(stated: Stated, to: IndexPoint) -> int:
    """Return the number of the month of the adjustment.

    The value used is published by then. A year whose bills are added up begins with it, unless the
    source counts only some of its months at the new amount.
    """
    effective = _effective(stated)
    if effective is not None:
        return effective
    lag = 1 if to.unit == "year" else int(stated.number("lag_months") or _LAG)
    month = to.last_month + lag
    wanted = stated.given("effective_month")
    if wanted is None and stated.is_year_total:
        wanted = 1 if stated.months is None else _YEAR + 1 - stated.months[0]
    return month if wanted is None else month + (int(str(wanted)) - 1 - month) % _YEAR


def _found_by(stated: Stated, to: IndexPoint, month: int) -> tuple[dict[str, Any], int | None]:
    """Return the fields by which a rule finds the point used, and its index month."""
    if to.unit == "year":
        return {"reference": "year_mean", "year_offset": month // _YEAR - to.year}, None
    if stated.has("lag_months") or stated.has("effective_month"):
        lag = int(stated.number("lag_months") or month - to.last_month)
        return {"reference": to.unit, "lag_months": lag}, None
    if to.unit == "quarter":
        return {"reference": "quarter", "index_quarter": to.number % 4 + 1}, None
    return {}, to.number % _YEAR + 1


# --- Series ---------------------------------------------------------------------------------------


def _series(
    stated: Stated, start: IndexPoint, to: IndexPoint, to_index: Decimal | None
) -> tuple[IndexSeries, ...]:
    name = "rate_per_year" if stated.is_rate_alone else "given_pct"
    changes = tuple(_changes(stated, name, to)) if stated.has(name) else ()
    if stated.is_paired:
        last = stated.given("to_index") if to_index is None else to_index
        levels = _levels(stated, start, to, last)
        competes = stated.word("compare") == "lower_of"
        return (levels, *changes) if competes else (levels,)
    if changes:
        return changes
    previous = stated.previous
    if previous.is_paired:
        return (_levels(previous, start, to, previous.given("to_index")),)
    base, change = stated.number("base_amount"), stated.number("given_change")
    if base and change is not None:
        return (IndexSeries("index", {start: base, to: base + change}),)
    raise UnsaidError("neither index nor percentage")


def _levels(stated: Stated, start: IndexPoint, to: IndexPoint, last: Any) -> IndexSeries:  # noqa: ANN401
    before = stated.previous.given("from_index") if is_two_steps(stated) else None
    values = _spread(start, before or stated.given("from_index"))
    for years, value in enumerate(reversed(_between(stated)), 1):
        values[to.years_earlier(years)] = value
    return IndexSeries("index", values | _spread(to, last))


def _changes(stated: Stated, name: str, to: IndexPoint) -> Iterable[IndexSeries]:
    """Give the series of published percentages: one, or one for each that competes."""
    given = stated.given(name)
    listed = list(given) if isinstance(given, list) else [given]
    if stated.word("compare") == "lower_of":
        for at, percent in enumerate(listed, 1):
            yield IndexSeries(f"{name}-{at}", {to: fraction_of(percent)}, kind="change")
        return
    values = {to.shifted(-back): fraction_of(each) for back, each in enumerate(reversed(listed))}
    yield IndexSeries(name, values, kind="change")


def _spread(point: IndexPoint, given: Any) -> dict[IndexPoint, Decimal]:  # noqa: ANN401
    """Return a value at a point, or several of which the last one is there."""
    listed = list(given) if isinstance(given, list) else [given]
    return {point.shifted(-back): Decimal(str(each)) for back, each in enumerate(reversed(listed))}


def _means(stated: Stated, *, by_level: bool) -> dict[str, Any]:
    """Return the fields of a clause about averages; a change has two decimals more (A5)."""
    found: dict[str, Any] = {}
    given = stated.given("to_index" if by_level else "given_pct")
    if isinstance(given, list) and stated.word("compare") is None:
        found["mean_of"] = len(given)
    if stated.has("average_dp"):
        found["mean_decimals"] = int(stated.extra["average_dp"]) + (0 if by_level else 2)
    return found
