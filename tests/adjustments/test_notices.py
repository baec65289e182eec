"""Notices about rent adjustments: what a person should look at (A5, A32, A33, A36, A41)."""

from rentbilling import rent_adjustments
from rentbilling.values import Notice
from tests.support.plans import (
    IN_2021,
    ITEM,
    TENTHS,
    TO_2021,
    amounts,
    by_index,
    by_steps,
    codes,
    facts_of,
    lease,
    octobers,
    plan,
    ruled,
    series,
    step,
)
from tests.support.rents import day
from tests.support.rows import rows


class TestNotices:
    """What a person should look at, each once and in its own period."""

    def test_an_old_value_is_noticed(self) -> None:
        """December is 13 months old in January: it is no earlier than two months before (A33)."""
        terms = lease(by_index(index_month=12))
        values = series({"2018-12": 100, "2019-12": 101})

        assert [
            (
                "old_index",
                {
                    "rule": "rule-1",
                    "adjustedOn": "2021-01-01",
                    "series": "NPI",
                    "toYearMonth": "2019-12",
                },
            )
        ] == facts_of(terms, values, TO_2021)

    def test_a_value_of_a_year_ago_is_not_old(self) -> None:
        terms = lease(by_index(index_month=1))
        values = series({"2019-01": 100, "2020-01": 101})

        assert [] == facts_of(terms, values, TO_2021)

    def test_provisional_and_assumed_values_are_noticed(self) -> None:
        """The value compared with is provisional, the one used is assumed (A41)."""
        values = octobers(100, 110, provisional=["2019-10"], assumed=["2020-10"])
        facts = {"rule": "rule-1", "adjustedOn": "2021-01-01", "series": "NPI"}

        assert [
            ("provisional_index", {**facts, "at": "2019-10"}),
            ("assumed_index", {**facts, "at": "2020-10"}),
        ] == facts_of(lease(by_index()), values, TO_2021)

    def test_a_provisional_value_inside_a_mean_is_noticed(self) -> None:
        """The mean of September and October holds a provisional September (A40, A41)."""
        values = series(
            {"2019-09": 99, "2019-10": 101, "2020-09": 101, "2020-10": 103}, provisional=["2020-09"]
        )

        assert ["2020-09"] == [
            facts["at"] for _, facts in facts_of(lease(ruled(mean_of=2)), values, TO_2021)
        ]

    def test_an_index_that_the_contract_states_has_no_mark(self) -> None:
        """100 as stated for October 2019, a point that the series does not have (A40)."""
        rule = ruled(start_point="2019-10", start_index="100", base="2015=100")
        values = series({"2020-10": 102}, base="2015=100", provisional=["2020-10"])

        assert ["2020-10"] == [facts["at"] for _, facts in facts_of(lease(rule), values, TO_2021)]

    def test_a_provisional_published_change_is_noticed(self) -> None:
        rule = ruled(reference="year_mean").evolve(index_month=None)
        values = series({"2020": "0.02"}, kind="change", provisional=["2020"])

        assert ["provisional_index"] == codes(lease(rule), values, TO_2021)

    @rows(("index", "noticed"), [("200", []), ("200.1", ["large_change"])])
    def test_an_index_that_more_than_doubles_is_noticed(
        self, index: str, noticed: list[str]
    ) -> None:
        """A change above 100 percent happens, and should be looked at (A5)."""
        found = codes(lease(by_index()), octobers(100, index), TO_2021)

        assert noticed == found

    def test_so_is_one_after_a_rule_without_an_index(self) -> None:
        rules = plan(by_steps(step(2021, "2 %")), by_index())

        assert ["large_change"] == codes(lease(rules), octobers(100, "200.1"), TO_2021)

    def test_large_percentages_are_noticed(self) -> None:
        """A stated percentage above 1 may be meant in percent (A5)."""
        rules = plan(by_steps(step(2022, "150 %"), step(2023, "100 %")))

        assert [
            ("large_percentage", {"rule": "rule-1", "year": "2022", "percentage": "1.50"}),
        ] == [each for each in facts_of(lease(rules)) if each[0] == "large_percentage"]

    def test_a_word_read_as_increment_is_noticed(self) -> None:
        """`Step` with increments is an increment, in any case of the known words (A36)."""
        other = by_steps(step(2021, "2 %"), adjustment_type="Step")
        known = by_steps(step(2021, "2 %"), adjustment_type="INCREMENT")

        assert [("other_adjustment_type", {"rule": "rule-1", "adjustmentType": "Step"})] == (
            facts_of(lease(other))
        )
        assert [] == facts_of(lease(known))
        assert ["10200.00"] == amounts(lease(other)) == amounts(lease(known))

    def test_an_increment_of_a_year_without_adjustment_is_noticed(self) -> None:
        """The lease begins in January 2020 and ends in 2022: 2020 and 2023 have none (A32)."""
        rule = by_steps(step(2020, "1 %"), step(2021, "2 %"), step(2023, "3 %"))
        terms = lease(rule, contract_end=day("2022-12-31"))

        assert [
            ("increment_unused", {"rule": "rule-1", "year": "2020"}),
            ("increment_unused", {"rule": "rule-1", "year": "2023"}),
        ] == facts_of(terms, days="2020-01-01/2024-12-31")
        assert ["10200.00"] == amounts(terms)

    def test_a_recurring_increment_that_never_acts_is_noticed(self) -> None:
        """From 2024 on, in a lease that ends in 2023; one of before the lease acts later on."""
        rule = by_steps(step(2015, "1 %", recurs=True), step(2024, "2 %", recurs=True))
        terms = lease(rule, contract_end=day("2023-05-01"))

        assert [("increment_unused", {"rule": "rule-1", "year": "2024"})] == facts_of(terms)

    def test_an_index_that_fell_is_noticed(self) -> None:
        assert ["index_fell"] == codes(lease(ruled(increase_only=True)), octobers(100, 98), TO_2021)

    def test_a_notice_belongs_to_its_period(self) -> None:
        terms = lease(ruled(basis="mixed"))

        assert ["double_compounding"] == codes(terms, TENTHS, "2021-01-01/2021-01-31")
        assert [] == codes(terms, TENTHS, "2021-02-01/2022-12-31")

    def test_a_notice_says_what_it_is_about(self) -> None:
        (found,) = rent_adjustments(lease(ruled(threshold="0.2")), IN_2021, indices=TENTHS).notices

        assert (
            Notice(
                "index_below_threshold",
                "the change of the index is too small for an adjustment",
                ITEM,
                (("rule", "rule-1"), ("year", "2021")),
            )
            == found
        )
