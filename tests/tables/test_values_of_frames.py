"""Values of data frames where records, days and series are read: the same as those of Python."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest

import rentbilling as rb
from rentbilling.errors import InvalidInputError
from rentbilling.testing import a_rent
from rentbilling.values import day_of, parse_date

DAY = date(2026, 1, 15)


@pytest.mark.parametrize(
    "given",
    [
        datetime(2026, 1, 15),  # noqa: DTZ001 - without a zone, as frames have it
        pd.Timestamp("2026-01-15"),
        np.datetime64("2026-01-15"),
        np.datetime64("2026-01-15", "s"),
        np.datetime64("2026-01-15", "ns"),
    ],
    ids=repr,
)
def test_a_midnight_without_a_zone_is_its_day(given: Any) -> None:  # noqa: ANN401
    """8500 × 17/31 = 4661.290…, with either."""
    rent = a_rent(amount=8500, moved_in="2026-01-15")
    opening = rb.first_billing_period(rent.amount, rent.billing_cycle, given)

    assert (DAY, date) == (parse_date(given), type(parse_date(given)))
    assert DAY.toordinal() == day_of(given, "day")
    assert (rb.Amount("4661.29", "DKK"), DAY) == (opening.amount, opening.due_date)
    assert rent == rent.evolve(started_on=given)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (pd.Timestamp("2026-01-15 00:00:00.000000001"), "date_time_for_date"),
        (pd.Timestamp("2026-01-15 13:00"), "date_time_for_date"),
        (pd.Timestamp("2026-01-15", tz="UTC"), "date_time_for_date"),
        (np.datetime64("2026-01-15T00:00:00.000000001"), "not_a_date"),
        (np.datetime64("2026-01"), "not_a_date"),
        (np.datetime64(10**7, "D"), "not_a_date"),
        (np.datetime64("NaT", "D"), "not_a_date"),
        (pd.NaT, "not_a_date"),
        (np.int64(20260115), "not_a_date"),
    ],
    ids=repr,
)
def test_what_is_no_certain_day_is_refused(given: object, code: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        parse_date(given)

    assert code == refused.value.problems[0].code


@pytest.mark.parametrize("absent", [pd.NaT, np.datetime64("NaT", "D")], ids=repr)
def test_an_absent_day_of_a_frame_is_absent(absent: Any) -> None:  # noqa: ANN401
    rent = a_rent()
    fields = {name: getattr(rent, name) for name in rent.model_fields_set}

    assert rent == rb.RecurringBillItem(**{**fields, "ended_on": absent})
    assert rb.LeaseTerms(lease_id="a") == rb.LeaseTerms.model_validate(
        {"lease_id": "a", "contract_end": absent}
    )
    with pytest.raises(InvalidInputError, match="started_on: is required"):
        rb.RecurringBillItem(**{**fields, "started_on": absent})


@pytest.mark.parametrize("number", [np.int64(8500), np.int32(8500), np.uint16(8500)], ids=repr)
def test_whole_numbers_of_numpy_are_amounts(number: Any) -> None:  # noqa: ANN401
    assert rb.Amount(8500, "DKK") == rb.Amount(number, "DKK")


def test_binary_numbers_of_numpy_are_taken_where_floats_are() -> None:
    """By the decimal that they print as, and where a float is refused they are too (A1)."""
    assert Decimal("12.5") == a_rent().evolve(quantity=np.float64(12.5)).quantity
    with pytest.raises(InvalidInputError, match=r'expected Decimal\("8500.00"\) or "8500.00"'):
        rb.Amount(np.float64(8500.0), "DKK")  # type: ignore[arg-type]


LEVELS = [104.8, float("nan"), 111.6]
NPI = rb.IndexSeries("NPI", {"2021-04": "104.8", "2021-06": "111.6"})


@pytest.mark.parametrize(
    "values",
    [
        pd.Series(LEVELS, index=pd.period_range("2021-04", periods=3, freq="M")),
        pd.Series(LEVELS, index=["2021-04", "2021-05", "2021-06"]),
        pd.Series([Decimal("104.8"), None, "111.6"], index=["2021-04", "2021-05", "2021-06"]),
        pd.Series(LEVELS, index=["2021-04", "2021-05", "2021-06"]).convert_dtypes(),
    ],
    ids=["periods", "texts", "objects", "nullable"],
)
def test_a_series_of_months_is_an_index(values: Any) -> None:  # noqa: ANN401
    """A value that is not there is a hole, and is not guessed (A41)."""
    assert NPI == rb.IndexSeries("NPI", values)


def test_a_series_of_quarters_or_years_is_an_index() -> None:
    quarters = pd.Series([100.0, 101.5], index=pd.period_range("2021Q4", periods=2, freq="Q"))
    years = pd.Series([100, 102], index=pd.period_range("2021", periods=2, freq="Y"))

    assert ["2021-Q4", "2022-Q1"] == [*map(str, rb.IndexSeries("NPI", quarters).points)]
    assert ["2021", "2022"] == [*map(str, rb.IndexSeries("NPI", years).points)]


@pytest.mark.parametrize(
    ("given", "days"),
    [
        (pd.Period("2026-03"), "2026-03"),
        (pd.Period("2026Q1"), "2026-01-01/2026-03-31"),
        (pd.Period("2026Q1", "Q-MAR"), "2025-04-01/2025-06-30"),
        (pd.Period("2026"), "2026"),
        (pd.Period("2026-02-28"), "2026-02-28/2026-02-28"),
        (pd.Period("2026-03-02", "W"), "2026-03-02/2026-03-08"),
    ],
    ids=repr,
)
def test_a_period_of_pandas_is_its_days(given: Any, days: str) -> None:  # noqa: ANN401
    asked = rb.Period.parse(days)

    assert asked == rb.Period.parse(given)
    assert rb.pending_bills(a_rent(), asked) == rb.pending_bills(a_rent(), given)


def test_hours_of_pandas_are_no_period() -> None:
    for hours in (pd.Period("2026-03-01 00", "h"), pd.Period("2026-03-01 23", "h")):
        with pytest.raises(InvalidInputError, match=r"period: is not a period \(met Period"):
            rb.pending_bills(a_rent(), hours)


def test_a_point_of_an_index_is_the_days_of_a_period() -> None:
    """A quarter that begins in another month than those of the calendar is none of an index."""
    for text in ("2026-03", "2026Q1", "2026"):
        assert rb.IndexPoint.parse(text.replace("Q", "-Q")) == rb.IndexPoint.parse(pd.Period(text))
    assert rb.IndexSeries("NPI", {"2026-03": 1}) == rb.IndexSeries(
        "NPI", {cast("Any", pd.Period("2026-03")): 1}
    )
    assert rb.IndexPoint.parse("2025-Q2") == rb.IndexPoint.parse(pd.Period("2026Q1", "Q-MAR"))
    for period in (pd.Period("2026Q1", "Q-FEB"), pd.Period("2026-03-02", "D")):
        with pytest.raises(InvalidInputError, match="is not a month, quarter or year of an index"):
            rb.IndexPoint.parse(period)


def test_days_of_publication_may_be_a_series() -> None:
    days = pd.Series([pd.Timestamp("2021-05-10"), pd.NaT], index=["2021-04", "2021-06"])
    found = rb.IndexSeries("NPI", NPI.values, known=days)

    assert {"2021-04": date(2021, 5, 10)} == {str(p): day for p, day in found.known.items()}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (pd.Series(LEVELS[:1], index=pd.to_datetime(["2021-04-01"])), r'\.to_period\("M"\) makes'),
        (pd.Series([1, 2], index=["2021-04", "2021-04"]), "2021-04: is given twice"),
        (pd.Series([-1.5], index=["2021-04"]), "is not above 0"),
        (pd.Series(["much"], index=["2021-04"]), "is not a number"),
        (pd.Series([1.5]), "is not a month, quarter or year of an index"),
        (5, "expected a mapping such as"),
    ],
    ids=["days", "twice", "negative", "text", "numbers", "no series"],
)
def test_a_series_that_is_no_index_is_refused(values: Any, said: str) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInputError, match=said):
        rb.IndexSeries("NPI", values)
