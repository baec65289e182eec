"""Presets: each makes a rule that gives the worked figures of its country, and none is guessed."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from rentbilling import IndexClause, IndexSeries, RentAdjustmentRule, presets, rent_adjustments
from rentbilling.errors import (
    InvalidAdjustmentRuleError,
    InvalidInputError,
    InvalidPeriodError,
    InvalidRecordError,
    UnknownWordError,
)
from rentbilling.presets import PRESETS, preset
from rentbilling.presets.catalogue import COUNTRIES
from rentbilling.presets.clause_preset import ClausePreset, adjustment_years
from tests.support.rows import rows
from tests.support.worked_presets import WORKED, Worked, adjusted, lease


def words(each: ClausePreset) -> str:
    return f"{each.country} {each.label}"


def filled(each: ClausePreset) -> RentAdjustmentRule:
    """Return a rule for whose preset the lease states everything that is needed."""
    stated: dict[str, Any] = {
        "index_month": 10,
        "index_quarter": 2,
        "start_point": "2020-10",
        "base": "2015=100",
        "minimum_percentage": Decimal("0.02"),
        "maximum_percentage": Decimal("0.04"),
    }
    return each.rule(4, **{name: stated[name] for name in each.needs})


class TestTheTable:
    """Every row is a whole one."""

    @rows("each", PRESETS)
    def test_a_preset_makes_a_rule(self, each: ClausePreset) -> None:
        """With what the lease has to state, the rule has the preset's clause and limits (A40)."""
        rule = filled(each)

        assert rule.by_index
        assert each.minimum_percentage in {None, rule.minimum_percentage}
        assert each.maximum_percentage in {None, rule.maximum_percentage}
        assert each.clause.basis == rule.clause.basis

    @rows("each", PRESETS)
    def test_a_preset_says_where_it_comes_from(self, each: ClausePreset) -> None:
        assert each.source
        assert each.index
        assert each.says.endswith(".")
        assert (2, each.country.upper()) == (len(each.country), each.country)
        assert (each.valid_from or date.min) < (each.valid_until or date.max)

    @rows("each", [each for each in PRESETS if each.needs])
    def test_what_the_lease_must_state_is_asked_for(self, each: ClausePreset) -> None:
        with pytest.raises(InvalidAdjustmentRuleError) as refused:
            each.rule(4)

        asked = [(each.path, each.code) for each in refused.value.problems]
        assert [(name, "needed_by_preset") for name in each.needs] == asked

    @rows(
        "each",
        [
            each
            for each in PRESETS
            if each.clause.basis == "anchored" or each.clause.threshold is not None
        ],
    )
    def test_a_first_point_is_never_guessed(self, each: ClausePreset) -> None:
        """What counts from the start of the lease needs the point of its start (A34, A40)."""
        assert "start_point" in each.needs

    def test_no_two_presets_look_alike(self) -> None:
        told = {words(each) for each in PRESETS}

        assert len(PRESETS) == len(told)

    def test_the_countries_that_were_asked_for_are_there(self) -> None:
        asked = ("DK", "DE", "NL", "BE", "FR", "AT", "CH", "ES", "IT", "FI", "SE", "NO", "PT", "IE")

        assert {*asked, "GB", "US"} <= set(COUNTRIES)
        assert ["Flanders", "Brussels", "Wallonia"] == [each.region for each in presets.find("BE")]


class TestFigures:
    """The rule that a preset makes gives the figure that its country expects."""

    @rows("row", WORKED)
    def test_a_worked_adjustment(self, row: Worked) -> None:
        """The figures are worked out beside the row (A33, A34, A35, A40)."""
        found = adjusted(row, row.rule)

        assert row.expected == found

    def test_every_preset_has_a_worked_adjustment(self) -> None:
        proven = {words(each.preset) for each in WORKED}
        missing = [words(each) for each in PRESETS if words(each) not in proven]

        assert ["AT residential, beside a contract (from 2026-04-01)"] == missing

    def test_the_lower_of_contract_and_law_is_due(self) -> None:
        """Signed in April 2027: the contract gives 1,200, the law 8/12 of 3.5 percent: 1,023.33.

        The law counts 4 percent as 3 + 1 / 2; the contract's 20 percent stay its own (A37, A40).
        """
        of_contract = IndexClause(series="contract", lag_months=3, after_limit="carry")
        contract = RentAdjustmentRule(
            adjustment_type="Index", adjustment_month=4, index_clause=of_contract
        )
        law = preset("AT", "residential, beside a contract").rule(4, series="means")
        series = (
            IndexSeries("contract", {"2027-01": 100, "2028-01": 120}),
            IndexSeries("means", {"2026": 100, "2027": 104}),
        )

        terms = lease("1000.00 EUR", "2027-04", contract, law)
        made = rent_adjustments(terms, "2028-01-01/2028-12-31", indices=series)

        assert ["1023.33 EUR"] == [str(each.to_period_amount) for each in made]


class TestRule:
    """A rule is the preset, and what the lease states otherwise."""

    def test_a_clause_that_says_nothing_new_is_absent(self) -> None:
        rule = preset("DK", "residential").rule(1)

        assert (
            RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10) == rule
        )
        assert rule.index_clause is None

    def test_changes_reach_the_rule_and_its_clause(self) -> None:
        rule = preset("DK", "whole krone").rule(
            1, id="r", maximum_percentage=Decimal("0.04"), series="NPI"
        )

        assert ("r", Decimal("0.04")) == (rule.id, rule.maximum_percentage)
        assert ("NPI", Decimal(1)) == (rule.clause.series, rule.clause.amount_quantum)

    def test_another_way_to_find_the_months_takes_the_place_of_the_usual_month(self) -> None:
        rule = preset("DK", "residential").rule(1, lag_months=3)

        assert (None, 3) == (rule.index_month, rule.clause.lag_months)

    def test_a_lag_or_a_month_does_for_a_quarter(self) -> None:
        french = preset("FR", "shops")

        assert 3 == french.rule(7, lag_months=3).clause.lag_months
        assert 6 == french.rule(7, index_month=6).index_month

    def test_an_unknown_change_is_refused(self) -> None:
        with pytest.raises(InvalidRecordError) as refused:
            preset("DK", "residential").rule(1, lag=3)

        assert ["lag"] == [each.path for each in refused.value.problems]

    def test_dates_of_validity_become_years(self) -> None:
        """From 1 November 2012 a rent of January begins in 2013, one of November in 2012."""
        upward = preset("PT", "coefficient")

        assert ("2013", None) == (upward.rule(1).first_year, upward.rule(1).last_year)
        assert "2012" == upward.rule(11).first_year
        assert "2012" == preset("PT", "coefficient, whole euro").rule(10).last_year
        assert "2011" == preset("PT", "coefficient, whole euro").rule(11).last_year

    def test_the_lease_may_state_other_years(self) -> None:
        rule = preset("PT", "coefficient").rule(1, first_year=2020, last_year="2024")

        assert ("2020", "2024") == (rule.first_year, rule.last_year)

    def test_a_preset_without_a_day_left_is_refused(self) -> None:
        """No 1 January lies between April and December 2026."""
        with pytest.raises(InvalidAdjustmentRuleError) as refused:
            preset("AT", "residential, price-protected", on="2026-04-01").rule(1)

        assert ["reversed_years"] == [each.code for each in refused.value.problems]

    def test_years_outside_its_days_are_refused(self) -> None:
        """At most 1 percent in 2026 alone, the IRAV from 2025 on (A140)."""
        protected = preset("AT", "residential, price-protected", on="2026-04-01")
        years: dict[str, Any]
        for each, years, expected in (
            (protected, {"last_year": 2028}, [("last_year", "outside_preset")]),
            (protected, {"first_year": "2025"}, [("first_year", "outside_preset")]),
            (preset("ES", "IRAV"), {"first_year": 2024}, [("first_year", "outside_preset")]),
            (preset("ES", "IRAV"), {"last_year": True}, [("last_year", "not_a_year")]),
        ):
            with pytest.raises(InvalidInputError) as refused:
                each.rule(4, **years)
            assert expected == [(one.path, one.code) for one in refused.value.problems], years
        rule = preset("ES", "IRAV").rule(4, last_year=2030)
        assert ("2025", "2030") == (rule.first_year, rule.last_year)

    def test_what_is_no_month_or_name_is_refused(self) -> None:
        wrong: Any = "4"
        with pytest.raises(InvalidRecordError, match="adjustment_month: is not a whole number"):
            preset("ES", "IRAV").rule(wrong)
        with pytest.raises(UnknownWordError, match="name: has no preset"):
            preset("ES", 4)  # type: ignore[arg-type]

    @rows(("month", "years"), [(5, ("2021", "2021")), (6, ("2020", "2021")), (7, ("2020", "2020"))])
    def test_both_days_are_included(self, month: int, years: tuple[str, str]) -> None:
        """From 1 June 2020 to 1 June 2021 there are two days in June, and one in May and July."""
        found = adjustment_years(month, date(2020, 6, 1), date(2021, 6, 1))

        assert years == found

    def test_a_day_later_the_first_of_its_month_is_over(self) -> None:
        """From 2 June 2020 to 31 May 2021 there is no day in June: the years are reversed."""
        found = adjustment_years(6, date(2020, 6, 2), date(2021, 5, 31))

        assert ("2021", "2020") == found


class TestFinding:
    """Presets are found by country, name, region and day, and never guessed."""

    def test_all_of_them_and_those_of_a_country(self) -> None:
        assert PRESETS == presets.find()
        assert ("IPC", "IRAV") == tuple(each.name for each in presets.find("es"))

    def test_a_day_leaves_those_that_hold_then(self) -> None:
        """The IRAV came with 2025."""
        assert ("IPC",) == tuple(each.name for each in presets.find("ES", on="2024-12-31"))
        assert 2 == len(presets.find("ES", on=date(2025, 1, 1)))

    def test_the_only_one_needs_no_name(self) -> None:
        assert "yearly mean" == preset("PL").name
        assert "Flanders" == preset("be", "Residential", region="FLANDERS").region
        assert preset("UK", "yearly review") == preset("GB", "yearly review")

    def test_a_day_tells_two_of_one_name_apart(self) -> None:
        """One percent in 2026, two in 2027."""
        name = "residential, price-protected"
        found = [preset("AT", name, on=f"{year}-04-01") for year in (2026, 2027)]

        assert ["0.01", "0.02"] == [str(each.maximum_percentage) for each in found]

    def test_several_that_fit_are_listed(self) -> None:
        with pytest.raises(InvalidRecordError) as refused:
            preset("BE")

        (problem,) = refused.value.problems
        assert "preset_needed" == problem.code
        assert problem.expected.endswith(
            "residential (Flanders); residential (Brussels); residential (Wallonia)"
        )

    @rows(
        ("country", "name", "region", "on", "field", "known"),
        [
            ("XX", None, None, None, "country", "DK; SE; NO"),
            (5, None, None, None, "country", "DK; SE; NO"),
            ("FR", "farms", None, None, "name", "residential; shops; offices"),
            ("BE", None, "Namur", None, "region", "Flanders; Brussels; Wallonia"),
            ("DK", None, "Fyn", None, "region", "none"),
            ("ES", "IRAV", None, "2024-12-31", "on", "IRAV (from 2025-01-01)"),
        ],
    )
    def test_what_is_unknown_is_refused_with_what_is_known(
        self,
        country: Any,  # noqa: ANN401
        name: str | None,
        region: str | None,
        on: str | None,
        field: str,
        known: str,
    ) -> None:
        with pytest.raises(UnknownWordError) as refused:
            preset(country, name, region=region, on=on)

        (problem,) = refused.value.problems
        assert (field, "unknown_preset") == (problem.path, problem.code)
        assert known in problem.expected

    def test_a_day_that_is_none_is_refused(self) -> None:
        with pytest.raises(InvalidPeriodError):
            presets.find(on="2025-02-30")
