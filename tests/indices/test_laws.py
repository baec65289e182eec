"""The laws of index series, with drawn ones (A41)."""

import pickle
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from rentbilling.errors import MissingIndexError, UnsupportedCaseError
from rentbilling.indices import UNITS, IndexKind, IndexPoint, IndexSeries
from rentbilling.records import read_json, write_json

MONTHS = [f"{year}-{month:02}" for year in (2020, 2021) for month in range(1, 13)]
POINTS = (*MONTHS, *(f"2021-Q{each}" for each in range(1, 5)), "2019", "2020", "2021")
DAYS = st.dates(min_value=date(2020, 1, 1), max_value=date(2023, 1, 1))
LEVELS = st.decimals(min_value="0.1", max_value="99999.999", places=3)
RATES = st.decimals(min_value="-1", max_value="10", places=4)


@st.composite
def drawn_series(draw: st.DrawFn, kind: IndexKind = "level") -> IndexSeries:
    """Draw a series with values at some points, some of which are dated or marked."""
    figures = LEVELS if kind == "level" else RATES
    values = draw(st.dictionaries(st.sampled_from(POINTS), figures, max_size=20))
    some = st.sets(st.sampled_from(sorted(values))) if values else st.just(set[str]())
    known, provisional, assumed = (
        {at: draw(DAYS) for at in sorted(draw(some))},
        draw(some),
        draw(some),
    )
    base, source = (
        draw(st.sampled_from((None, "2015=100"))),
        draw(st.sampled_from((None, "office"))),
    )
    return IndexSeries(
        "X", values, base=base, kind=kind, known=known, provisional=provisional, assumed=assumed,
        source=source,
    )  # fmt: skip


@given(drawn_series() | drawn_series("change"))
def test_law_plain_data_and_back_is_the_same(series: IndexSeries) -> None:
    again = IndexSeries.from_data(read_json(write_json(series.to_data())))

    assert series == again == pickle.loads(pickle.dumps(series))
    assert [*map(str, series.values.values())] == [*map(str, again.values.values())]


@given(drawn_series(), st.integers(min_value=1, max_value=10**6))
def test_law_a_factor_keeps_every_ratio(series: IndexSeries, thousandths: int) -> None:
    factor = Decimal(thousandths).scaleb(-3)
    rebased = series.rebased(series.base, factor=factor)

    for earlier, later in zip(series.points, series.points[1:], strict=False):
        ratio = series.value_at(later) / series.value_at(earlier)
        assert ratio == rebased.value_at(later) / rebased.value_at(earlier)
    assert series == rebased.rebased(series.base, factor=1 / Fraction(factor))


@given(drawn_series(), DAYS, DAYS)
def test_law_more_is_known_later(series: IndexSeries, one: date, other: date) -> None:
    early, late = sorted((one, other))
    known = series.known_on(early)

    assert set(known.points) <= set(series.known_on(late).points) <= set(series.points)
    assert known == known.known_on(late) == series.known_on(late).known_on(early)
    for text in (*POINTS, "2020-Q1"):
        try:
            expected = known.value_at(text)
        except MissingIndexError:
            with pytest.raises(MissingIndexError):
                series.value_at(text, known_on=early)
        else:
            assert expected == series.value_at(text, known_on=early)


@given(
    st.lists(LEVELS, min_size=12, max_size=30),
    st.decimals(min_value="-0.05", max_value="0.2", places=4),
    st.integers(min_value=2, max_value=6),
)
def test_law_an_assumption_touches_nothing_stated(
    levels: list[Decimal], rate: Decimal, decimals: int
) -> None:
    """Stated values stay, and each assumed one is the year before times 1 + rate, to half a unit.

    Levels are 1 or more here, so that no assumed one rounds to 0.
    """
    start = IndexPoint.parse("2021-01")
    series = IndexSeries("X", {start.shifted(at): level + 1 for at, level in enumerate(levels)})
    longer = series.extended(rate, until="2026-12", decimals=decimals)

    assert dict(series.values) == {at: longer.values[at] for at in series.points}
    assert IndexPoint.parse("2026-12") == longer.latest()
    for at in longer.assumed:
        exact = longer.value_at(at.years_earlier(1)) * (1 + Fraction(rate))
        assert abs(longer.value_at(at) - exact) <= Fraction(1, 2 * 10**decimals)


PARTS = st.sampled_from(UNITS).flatmap(
    lambda unit: st.integers(1, 9999).flatmap(
        lambda year: st.sampled_from(IndexPoint("year", year).within(unit))
    )
)
"""Months, quarters and years, each as often as the others."""


@given(PARTS, st.integers(min_value=-200_000, max_value=200_000))
def test_law_a_shift_is_undone_by_its_opposite(start: IndexPoint, by: int) -> None:
    try:
        there = start.shifted(by)
    except UnsupportedCaseError:
        assert not 1 <= (start.number + by) // start.per_year <= 9999
    else:
        assert start == there.shifted(-by)
        assert (by > 0) == (there > start)
