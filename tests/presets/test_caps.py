"""Legal caps: dated rows that limit the rules before them on the days on which they were law."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple

import pytest

from rentbilling import (
    IndexClause,
    IndexPoint,
    IndexSeries,
    RentAdjustmentRule,
    explain,
    rent_adjustments,
)
from rentbilling.errors import InvalidInputError, InvalidRecordError, UnknownWordError
from rentbilling.presets import LEGAL_CAPS, LegalCap, cap_rules, legal_caps, preset
from tests.support.rows import rows
from tests.support.worked_presets import lease

SMALL_FIRMS: Final = "commercial, small and medium firms"
FREE_SECTOR: Final = "residential, free sector"
MID_SEGMENT: Final = "residential, mid-segment"
PROTECTED: Final = "residential, price-protected"


class Capped(NamedTuple):
    """A rent that an index would raise further than a cap allows, worked out by hand."""

    country: str
    scope: str
    price: str
    since: str
    values: str
    """The index before, and the one that is used."""
    on: str
    expected: str

    def __str__(self) -> str:
        return f"{self.country} {self.scope} {self.on}"


CAPPED: Final = (
    # Net price index of October: 117.7 / 106.7 is +10.3 %, of which 4 count.
    Capped("DK", "residential", "10000.00 DKK", "2022-01", "106.7 117.7", "2023-01-01", "10400.00"),
    # 7,812.13 x 1.04 = 8,124.6152, never rounded up past the law's maximum (A140).
    Capped("DK", "residential", "7812.13 DKK", "2022-01", "100 106", "2023-01-01", "8124.61"),
    # ILC of the fourth quarters of 2022 and 2023: +5.22 %, of which 3.5 count.
    Capped("FR", SMALL_FIRMS, "2000.00 EUR", "2023-04", "126.05 132.63", "2024-04-01", "2070.00"),
    # +3.0 %, of which 2 count in 2023.
    Capped("ES", "residential", "400.00 EUR", "2022-10", "60.030 61.827", "2023-10-01", "408.00"),
    # +5 %, of which 3 count in 2024.
    Capped("ES", "residential", "400.00 EUR", "2023-10", "100 105", "2024-10-01", "412.00"),
    # 36 months at 4 percent a year, not compounded, are 12: 1,200 becomes 1,344.
    Capped("IE", "residential", "1200.00 EUR", "2017-03", "100 130", "2020-03-01", "1344.00"),
    # 24 months at 2 percent a year are 4: 1,650 becomes 1,716.
    Capped("IE", "residential", "1650.00 EUR", "2021-03", "100 130", "2023-03-01", "1716.00"),
    # At most 1 percent in 2026 and 2 in 2027.
    Capped("AT", PROTECTED, "800.00 EUR", "2025-04", "100 103.5", "2026-04-01", "808.00"),
    Capped("AT", PROTECTED, "800.00 EUR", "2026-04", "100 103.5", "2027-04-01", "816.00"),
    # The coefficient of 2023 would have been 1.0543.
    Capped("PT", "all leases", "500.00 EUR", "2022-01", "100 105.43", "2023-01-01", "510.00"),
    # 8 percent, of which 3.3 and 4.1 count.
    Capped("NL", FREE_SECTOR, "1000.00 EUR", "2021-07", "100 108", "2022-07-01", "1033.00"),
    Capped("NL", FREE_SECTOR, "1000.00 EUR", "2022-07", "100 108", "2023-07-01", "1041.00"),
    # 8 percent, of which 5.5, 4.1 and 4.4 count; and 7.7 and 6.1 in the mid-segment.
    Capped("NL", FREE_SECTOR, "1000.00 EUR", "2023-07", "100 108", "2024-07-01", "1055.00"),
    Capped("NL", FREE_SECTOR, "1000.00 EUR", "2024-07", "100 108", "2025-07-01", "1041.00"),
    Capped("NL", FREE_SECTOR, "1000.00 EUR", "2025-07", "100 108", "2026-07-01", "1044.00"),
    Capped("NL", MID_SEGMENT, "1000.00 EUR", "2024-07", "100 108", "2025-07-01", "1077.00"),
    Capped("NL", MID_SEGMENT, "1000.00 EUR", "2025-07", "100 108", "2026-07-01", "1061.00"),
)


def words(each: LegalCap) -> str:
    return f"{each.country} {each.name}"


def by_index(month: int, first_year: int, **clause: Any) -> RentAdjustmentRule:  # noqa: ANN401
    """Return a rule that follows the index of three months before, from a year on."""
    return RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=month,
        first_year=str(first_year),
        index_clause=IndexClause(lag_months=3, **clause),
    )


def due(row: Capped, *caps: RentAdjustmentRule) -> str:
    """Return what is due from the day of a row on, by an index and the caps listed after it."""
    year, month = int(row.on[:4]), int(row.on[5:7])
    start, used = (IndexPoint.parse(day[:7]).shifted(-3) for day in (row.since, row.on))
    series = IndexSeries("index", dict(zip((start, used), row.values.split(), strict=True)))
    rules = (by_index(month, year, start_point=start), *caps)
    terms = lease(row.price, row.since, *rules)
    (made,) = rent_adjustments(terms, f"{row.since}-01/{row.on}", indices=series)
    return str(made.to_period_amount)


class TestRows:
    """Every row is a whole one, and no two speak for the same lease on the same day."""

    @rows("each", LEGAL_CAPS)
    def test_a_row_is_whole(self, each: LegalCap) -> None:
        assert each.source
        assert each.scope
        assert each.says.endswith(".")
        assert each.minimum is not None or each.maximum is not None
        assert each.first_day < (each.last_day or date.max)

    def test_caps_of_one_scope_follow_each_other(self) -> None:
        for each in LEGAL_CAPS:
            twins = [
                other
                for other in LEGAL_CAPS
                if other is not each and (other.country, other.scope) == (each.country, each.scope)
            ]

            assert [] == [other.name for other in twins if other.holds_on(each.first_day)]

    def test_the_countries_that_were_asked_for_are_there(self) -> None:
        assert {"DK", "FR", "ES", "IE", "AT", "PT", "NL"} == {each.country for each in LEGAL_CAPS}


class TestFigures:
    """A cap holds the rule before it, and only on its days."""

    @rows("row", CAPPED)
    def test_a_cap_limits(self, row: Capped) -> None:
        """The figures are worked out beside the row (A35, A37, A40)."""
        caps = cap_rules(row.country, int(row.on[5:7]), scope=row.scope)

        assert f"{row.expected} {row.price[-3:]}" == due(row, *caps)
        assert f"{row.expected} {row.price[-3:]}" != due(row)

    def test_every_row_limits_once(self) -> None:
        proven = {
            words(each)
            for row in CAPPED
            for each in legal_caps(row.country, on=row.on)
            if each.scope == row.scope
        }
        missing = [words(each) for each in LEGAL_CAPS if words(each) not in proven]

        assert ["FR bouclier loyer"] == missing

    def test_what_the_danish_cap_cut_off_is_lost(self) -> None:
        """In 2024 the rent goes on from 10,400: x 118.3 / 117.7 = 10,453.02, under the cap.

        In 2025 there is no cap: 130.13 / 118.3 is 10 % more, 10,453.02 x 1.1 = 11,498.32 (A35).
        """
        values = {"2021-10": "106.7", "2022-10": "117.7", "2023-10": "118.3", "2024-10": "130.13"}
        rules = (preset("DK", "residential").rule(1), *cap_rules("DK", 1))
        terms = lease("10000.00 DKK", "2022-01", *rules)

        made = rent_adjustments(
            terms, "2023-01-01/2025-12-31", indices=IndexSeries("NPI", values)
        ).adjustments

        due_from = [str(each.to_period_amount) for each in made]
        assert ["10400.00 DKK", "10453.02 DKK", "11498.32 DKK"] == due_from
        reasons = [[effect.reasons for effect in each.adjustment_rules_effects] for each in made]
        assert [[(), ("maximum",)], [()], [()]] == reasons

    def test_a_capped_anchored_rent_goes_on_from_the_cap(self) -> None:
        """Base 1,000 at 100; 110 gives 1,100, of which 3 percent count; 115.5 is 5 percent more.

        The cap re-bases amount and index: 1,030 x 115.5 / 110 = 1,081.50, and not 1,155 (A35).
        """
        values = {"2022-10": "100", "2023-10": "110", "2024-10": "115.5"}
        rules = (by_index(1, 2024, basis="anchored", start_point="2022-10"), *cap_rules("ES", 1))
        terms = lease("1000.00 EUR", "2023-01", *rules)

        made = rent_adjustments(terms, "2024-01-01/2025-12-31", indices=IndexSeries("IPC", values))

        assert ["1030.00 EUR", "1081.50 EUR"] == [str(each.to_period_amount) for each in made]


class TestRules:
    """The years of a rule are those whose adjustment day lies between the days of the cap."""

    @rows(
        ("month", "years"),
        [
            (1, ("2023", "2024")),
            (9, ("2023", "2024")),
            (10, ("2022", "2023")),
            (12, ("2022", "2023")),
        ],
    )
    def test_a_cap_from_the_middle_of_a_year(self, month: int, years: tuple[str, str]) -> None:
        """From 30 September 2022 to 29 September 2024 each month has its day twice (A32)."""
        (rule,) = cap_rules("DK", month)

        assert years == (rule.first_year, rule.last_year)
        assert rule.only_limits
        assert (None, Decimal("0.04")) == (rule.minimum_percentage, rule.maximum_percentage)

    def test_the_spanish_caps_take_turns(self) -> None:
        """March 2022 was before the first cap, April was not; the second one is of 2024 alone."""
        march = [(each.first_year, each.last_year) for each in cap_rules("ES", 3)]
        april = [(each.first_year, each.last_year) for each in cap_rules("ES", 4)]

        assert [("2023", "2023"), ("2024", "2024")] == march
        assert [("2022", "2023"), ("2024", "2024")] == april

    def test_a_cap_without_an_end_has_no_last_year(self) -> None:
        """Irish rents rise by at most 2 percent a year since December 2021."""
        first, second = cap_rules("IE", 12)

        assert ("2017", "2020") == (first.first_year, first.last_year)
        assert ("2022", None) == (second.first_year, second.last_year)
        assert "year_simple" == second.clause.limit_per

    def test_a_cap_that_no_day_of_the_month_met_makes_no_rule(self) -> None:
        """Between 2 February and 31 December 2026 there is no 1 January."""
        cap = LegalCap(
            country="DK",
            name="short",
            first_day=date(2026, 2, 2),
            last_day=date(2026, 12, 31),
            maximum=Decimal("0.01"),
            scope="residential",
            source="invented",
            says="Invented.",
        )

        assert cap.rule(1) is None
        assert cap.rule(3) is not None

    def test_a_rise_below_the_cap_is_rounded_as_ever(self) -> None:
        """2 percent of 7,812.13 make 7,968.3726."""
        row = Capped("DK", "", "7812.13 DKK", "2022-01", "100 102", "2023-01-01", "7968.37")

        assert f"{row.expected} DKK" == due(row, *cap_rules("DK", 1))

    def test_a_rise_of_the_cap_that_is_carried_exactly_is_not_rounded_past_it(self) -> None:
        """4 percent of 7,812.13 make 8,124.6152, as the cap allows, and are billed as 8,124.61."""
        four = by_index(1, 2023, start_point="2021-10", carried="exact")
        terms = lease("7812.13 DKK", "2022-01", four, *cap_rules("DK", 1))
        rises = IndexSeries("NPI", {"2021-10": 100, "2022-10": 104})
        made = rent_adjustments(terms, "2023", indices=rises)

        assert ["8124.61 DKK"] == [str(each.to_period_amount) for each in made]
        assert explain(made, adjustment=0).result == made[0].to_period_amount

    def test_the_law_s_minimum_is_rounded_as_ever(self) -> None:
        lowest = replace(legal_caps("DK")[0], minimum=Decimal("0.01"), maximum=None).rule(1)

        assert lowest is not None
        assert None is lowest.clause.amount_rounding

    def test_a_cap_in_the_index_needs_no_rule(self) -> None:
        assert () == cap_rules("FR", 7, scope="residential")
        assert ["bouclier loyer"] == [each.name for each in legal_caps("FR", on="2022-08-01")]


class TestFinding:
    """Caps are found by country, day and scope."""

    def test_a_day_leaves_the_caps_of_that_day(self) -> None:
        names = [
            [each.name for each in legal_caps("dk", on=day)]
            for day in ("2022-09-29", "2022-09-30", date(2024, 9, 29), date(2024, 9, 30))
        ]

        assert [[], ["4 percent rent cap"], ["4 percent rent cap"], []] == names

    def test_a_country_without_caps_has_none(self) -> None:
        assert () == legal_caps("SE")
        assert () == cap_rules("SE", 1)

    def test_an_unknown_country_is_refused(self) -> None:
        with pytest.raises(UnknownWordError) as refused:
            legal_caps("Denmark")

        assert ["country"] == [each.path for each in refused.value.problems]

    def test_several_scopes_are_told_apart(self) -> None:
        with pytest.raises(InvalidRecordError) as refused:
            cap_rules("NL", 7)

        (problem,) = refused.value.problems
        assert ("scope", "scope_needed") == (problem.path, problem.code)
        assert f"one of: {FREE_SECTOR}; {MID_SEGMENT}" == problem.expected

    @rows(("country", "known"), [("DK", "residential"), ("SE", "none")])
    def test_an_unknown_scope_is_refused(self, country: str, known: str) -> None:
        with pytest.raises(UnknownWordError) as refused:
            cap_rules(country, 1, scope="farms")

        (problem,) = refused.value.problems
        assert ("scope", "unknown_scope", f"one of: {known}") == (
            problem.path,
            problem.code,
            problem.expected,
        )

    def test_a_month_that_is_none_is_refused(self) -> None:
        with pytest.raises(InvalidInputError):
            cap_rules("DK", 13)
