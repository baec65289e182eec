"""Adjustment dates: on which days the rules of a plan adjust (A31, A32)."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from rentbilling import RentAdjustmentPlan, RentAdjustmentRule, next_adjustment_date
from rentbilling.adjustments import Bounds, RuleDates
from rentbilling.values import month_start
from tests.support.plans import by_index, by_steps, home, lease, made, octobers, plan, series, step
from tests.support.rents import day, opening
from tests.support.rows import rows

INDEX = octobers(*range(100, 125))


def days_of(
    rule: RentAdjustmentRule,
    whole: RentAdjustmentPlan | None = None,
    after: str = "2020-01-31",
    last: str | None = None,
    until: int = 2026,
) -> list[str]:
    """Return the days of a rule up to the end of a year."""
    bounds = Bounds(day(after).toordinal())
    if last is not None:
        bounds = bounds._replace(last=day(last).toordinal())
    dates = RuleDates(rule, whole or plan(rule), bounds)
    return [
        day("0001-01-01").fromordinal(month_start(month)).isoformat()
        for month in dates.between(0, until * 12 + 11)
    ]


def januaries(first: int, last: int) -> list[str]:
    return [f"{year}-01-01" for year in range(first, last + 1)]


class TestYears:
    """Once a year, from the first year to the last."""

    @rows(
        ("fields", "first", "last"),
        [
            ({}, 2021, 2026),
            ({"first_year": "2023"}, 2023, 2026),
            ({"last_year": "2023"}, 2021, 2023),
            ({"first_year": "2023", "last_year": "2023"}, 2023, 2023),
            ({"first_year": "2015"}, 2021, 2026),
        ],
    )
    def test_years_are_inclusive(self, fields: dict[str, Any], first: int, last: int) -> None:
        assert januaries(first, last) == days_of(by_index(**fields))

    def test_a_last_year_before_the_lease_leaves_none(self) -> None:
        assert [] == days_of(by_index(last_year="2019"))

    @rows(
        ("after", "month", "first"),
        [
            ("2020-01-31", 2, "2020-02-01"),
            ("2020-01-30", 2, "2020-02-01"),
            ("2020-02-01", 2, "2021-02-01"),
            ("2020-01-31", 1, "2021-01-01"),
            ("2019-12-31", 1, "2020-01-01"),
        ],
    )
    def test_the_first_comes_after_the_opening_period(
        self, after: str, month: int, first: str
    ) -> None:
        """On the 1st of February where the opening ends in January, not where it ends that day."""
        assert first == days_of(by_index(adjustment_month=month), after=after)[0]

    def test_the_opening_period_of_the_item_counts(self) -> None:
        """It reaches into February 2021, so the first January is that of 2022."""
        late = opening("2020-02-01/2021-02-15")
        terms = lease(by_index(), item=home(first_billing_period_bill_item=late))

        assert "2022-01-01" == made(terms, INDEX, "2020-01-01/2022-12-31")[0][0]


class TestCreation:
    """Without a first year, none comes before the plan was created."""

    @rows(
        ("created", "first"),
        [
            ("2022-12-31T23:59:59", "2023-01-01"),
            ("2023-01-01T12:00:00", "2023-01-01"),
            ("2023-01-02T00:00:00", "2024-01-01"),
            ("2019-06-01T00:00:00", "2021-01-01"),
        ],
    )
    def test_the_day_of_the_creation_counts(self, created: str, first: str) -> None:
        moment = datetime.fromisoformat(created).replace(tzinfo=UTC)
        rule = by_index()

        assert first == days_of(rule, plan(rule, created=moment))[0]

    def test_the_day_is_that_of_its_own_place(self) -> None:
        """Half past midnight on 2 January in Copenhagen, still the 1st in Greenwich (A58)."""
        moment = datetime(2023, 1, 2, 0, 30, tzinfo=timezone(timedelta(hours=1)))
        rule = by_index()

        assert "2024-01-01" == days_of(rule, plan(rule, created=moment))[0]

    def test_a_first_year_is_stronger(self) -> None:
        rule = by_index(first_year="2021")
        created = datetime(2024, 6, 1, tzinfo=UTC)

        assert "2021-01-01" == days_of(rule, plan(rule, created=created))[0]


class TestEnds:
    """Nothing on or after a cancellation, nothing after an end."""

    @rows(
        ("fields", "last"),
        [
            ({"cancelled_on": "2023-01-01"}, 2022),
            ({"cancelled_on": "2023-01-02"}, 2023),
            ({"ended_on": "2023-01-01"}, 2023),
            ({"ended_on": "2022-12-31"}, 2022),
            ({"cancelled_or_ended_on": "2023-01-01"}, 2022),
            ({"cancelled_or_ended_on": "2023-01-01", "ended_on": "2023-01-01"}, 2023),
            ({"cancelled_or_ended_on": "2022-01-01", "cancelled_on": "2023-01-01"}, 2022),
            ({"cancelled_on": "2023-01-01", "ended_on": "2025-01-01"}, 2022),
        ],
    )
    def test_a_plan_stops(self, fields: dict[str, str], last: int) -> None:
        rule = by_index()
        whole = plan(rule, **{name: day(text) for name, text in fields.items()})

        assert januaries(2021, last) == days_of(rule, whole)

    @rows(
        ("item", "terms", "last"),
        [
            ({"ended_on": "2023-01-01"}, {}, 2023),
            ({"ended_on": "2022-12-31"}, {}, 2022),
            ({"cancelled_on": "2023-01-01"}, {}, 2022),
            ({}, {"contract_end": "2022-12-31"}, 2022),
            ({}, {"contract_end": "2023-01-01"}, 2023),
            ({"ended_on": "2022-06-30"}, {"contract_end": "2024-01-01"}, 2022),
        ],
    )
    def test_item_and_contract_stop_it_too(
        self, item: dict[str, str], terms: dict[str, str], last: int
    ) -> None:
        there = home().evolve(**{name: day(text) for name, text in item.items()})
        whole = lease(by_index(), item=there, **{name: day(text) for name, text in terms.items()})

        assert januaries(2021, last) == [when for when, _ in made(whole, INDEX)]


class TestIntervals:
    """Adjustments every so many years or months."""

    @rows(
        ("years", "fields", "expected"),
        [
            (2, {}, ["2021", "2023", "2025"]),
            (3, {}, ["2021", "2024"]),
            (5, {}, ["2021", "2026"]),
            (5, {"first_year": "2022"}, ["2022"]),
            (2, {"first_year": "2016"}, ["2022", "2024", "2026"]),
            (3, {"first_year": "2015", "last_year": "2025"}, ["2021", "2024"]),
        ],
    )
    def test_years_are_counted_from_the_first(
        self, years: int, fields: dict[str, str], expected: list[str]
    ) -> None:
        rule = by_index(interval_years=years, **fields)

        assert [f"{year}-01-01" for year in expected] == days_of(rule)

    @rows(
        ("fields", "years", "expected"),
        [
            # 15 % every three years from 2028, of a rent since 2020 (A153).
            ({"interval_years": 3}, ["2028*"], ["2028-04", "2031-04", "2034-04"]),
            (
                {"interval_years": 3, "first_year": "2027"},
                ["2028*"],
                ["2030-04", "2033-04", "2036-04"],
            ),
            # A date before the first possible day is passed over, and the grid stays.
            ({"interval_years": 3}, ["2018*"], ["2021-04", "2024-04", "2027-04"]),
            ({"interval_years": 3}, ["2018", "2028*"], ["2030-04", "2033-04", "2036-04"]),
            ({"interval_years": 3}, ["2027", "2029", "2030"], ["2027-04", "2030-04"]),
            ({"interval_years": 1}, ["2028*"], ["2028-04", "2029-04", "2030-04"]),
            ({"interval_months": 18}, ["2027*"], ["2027-04", "2028-10", "2030-04"]),
            ({"interval_months": 18}, ["2019*"], ["2020-10", "2022-04", "2023-10"]),
            ({"interval_months": 6}, ["2027*"], ["2027-04", "2027-10", "2028-04"]),
            ({"interval_months": 5}, ["2027*"], ["2027-04", "2027-09", "2028-02"]),
        ],
    )
    def test_increments_count_from_their_first_year(
        self, fields: dict[str, Any], years: list[str], expected: list[str]
    ) -> None:
        """A year with a star recurs."""
        steps = (step(year.strip("*"), "15 %", recurs=year.endswith("*")) for year in years)
        rule = by_steps(*steps, adjustment_month=4, **fields)

        assert [f"{each}-01" for each in expected] == days_of(rule, until=2036)[:3]

    @rows(
        ("months", "expected"),
        [
            (1, ["2020-02", "2020-03", "2020-04", "2020-05", "2020-06", "2020-07"]),
            (3, ["2020-04", "2020-07", "2020-10", "2021-01", "2021-04", "2021-07"]),
            (6, ["2020-07", "2021-01", "2021-07", "2022-01", "2022-07", "2023-01"]),
            (18, ["2021-01", "2022-07", "2024-01", "2025-07"]),
            (24, ["2021-01", "2023-01", "2025-01"]),
            (5, ["2021-01", "2021-06", "2021-11", "2022-04", "2022-09", "2023-02"]),
        ],
    )
    def test_months_are_counted_from_the_adjustment_month(
        self, months: int, expected: list[str]
    ) -> None:
        rule = by_index(interval_months=months, lag_months=2)

        assert [f"{each}-01" for each in expected] == days_of(rule)[:6]

    def test_months_may_begin_in_a_first_year(self) -> None:
        """From January 2022 on, every quarter, to the end of the last year."""
        rule = by_index(interval_months=3, lag_months=2, first_year="2022", last_year="2022")

        assert ["2022-01-01", "2022-04-01", "2022-07-01", "2022-10-01"] == days_of(rule)

    def test_a_quarterly_rent_follows_the_months_of_its_interval(self) -> None:
        """Every quarter 1 percent: 10,100, 10,201, 10,303.01."""
        rule = by_index(interval_months=3, lag_months=1)
        values = series(
            {"2019-12": 100, "2020-03": 101, "2020-06": "102.01", "2020-09": "103.0301"}
        )

        assert [
            ("2020-04-01", "10100.00"),
            ("2020-07-01", "10201.00"),
            ("2020-10-01", "10303.01"),
        ] == made(lease(rule), values, "2020-02-01/2020-12-31")


class TestIncrements:
    """A rule of increments has days only in years in which it makes one."""

    def test_one_time_increments_have_their_years(self) -> None:
        """2021 and 2024."""
        rule = by_steps(step(2021, "2 %"), step(2024, "2 %"))

        assert ["2021-01-01", "2024-01-01"] == days_of(rule)

    @rows(
        ("months", "years", "expected"),
        [
            (6, ["2026", "2027"], ["2026-04", "2027-04"]),
            (3, ["2027"], ["2027-04"]),
            (1, ["2027", "2028"], ["2027-04", "2028-01"]),
            (5, ["2027", "2028"], ["2027-04", "2028-02"]),
            # One of a single year replaces a recurring one on all dates of its year.
            (6, ["2026*", "2027"], ["2026-04", "2026-10", "2027-04", "2028-04", "2028-10"]),
            (6, ["2026", "2027*"], ["2026-04", "2027-04", "2027-10", "2028-04", "2028-10"]),
            # Its date is before the first possible day: it is passed over.
            (6, ["2021", "2022"], ["2022-04"]),
        ],
    )
    def test_one_of_a_single_year_is_made_once(
        self, months: int, years: list[str], expected: list[str]
    ) -> None:
        """On the first of the rule's dates in its year; a year with a star recurs (A36)."""
        steps = (step(year.strip("*"), "5 %", recurs=year.endswith("*")) for year in years)
        rule = by_steps(*steps, adjustment_month=4, interval_months=months)
        found = days_of(rule, after="2021-05-31", until=2028)

        assert [f"{each}-01" for each in expected] == found

    def test_a_rent_is_raised_once_by_one_of_a_single_year(self) -> None:
        """10,000 and 5 percent, then 2 percent of 10,500; not again in July."""
        rule = by_steps(step(2021, "5 %"), step(2022, "2 %"), interval_months=6)
        expected = [("2021-01-01", "10500.00"), ("2022-01-01", "10710.00")]

        assert expected == made(lease(rule), days="2020-02-01/2023-12-31")

    def test_a_recurring_one_has_all_later_years(self) -> None:
        """From 2023, besides 2021."""
        rule = by_steps(step(2021, "2 %"), step(2023, "2 %", recurs=True))

        assert ["2021-01-01", *januaries(2023, 2026)] == days_of(rule)

    def test_the_years_of_a_recurring_one_are_not_counted_through(self) -> None:
        """There are eight thousand of them, which every compiled plan would wait for."""
        rule = by_steps(step(2021, "2 %"), step(2023, "2 %", recurs=True))
        dates = RuleDates(rule, plan(rule), Bounds(day("2022-01-31").toordinal()))

        assert isinstance(dates.between(0, 12 * 9999), range)


class TestNext:
    """The next day on which something is adjusted needs no index."""

    @rows(
        ("after", "expected"),
        [
            ("2019-01-01", "2021-01-01"),
            ("2020-12-31", "2021-01-01"),
            ("2021-01-01", "2022-01-01"),
            ("2023-01-01", None),
        ],
    )
    def test_it_comes_after_the_day(self, after: str, expected: str | None) -> None:
        found = next_adjustment_date(lease(by_index(last_year="2023")), after)

        assert expected == (None if found is None else found.isoformat())

    def test_the_earliest_of_all_plans_counts(self) -> None:
        terms = lease(by_index(), by_steps(step(2021, "2 %"), adjustment_month=7))

        assert day("2021-07-01") == next_adjustment_date(terms, "2021-01-01")
        assert day("2022-01-01") == next_adjustment_date(terms, "2021-07-01")

    def test_increments_that_are_used_up_have_none(self) -> None:
        """The last one is of 2024."""
        terms = lease(by_steps(step(2021, "2 %"), step(2024, "2 %")))

        assert day("2024-01-01") == next_adjustment_date(terms, "2021-01-01")
        assert None is next_adjustment_date(terms, "2024-01-01")

    def test_a_rule_that_only_limits_has_none(self) -> None:
        cap = by_index(most="0.04", combine="limit")

        assert None is next_adjustment_date(plan(by_index(last_year="2020"), cap), "2021-01-01")
        assert day("2025-01-01") == next_adjustment_date(
            plan(by_index(first_year="2025"), cap), "2021-01-01"
        )

    def test_a_plan_alone_has_no_opening(self) -> None:
        assert day("2012-01-01") == next_adjustment_date(plan(by_index()), day("2011-06-15"))
