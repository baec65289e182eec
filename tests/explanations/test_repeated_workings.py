"""References: the history of an amount is explained once in an explanation."""

from collections.abc import Callable
from decimal import Decimal
from functools import partial

import pytest

import rentbilling as rb
from benchmarks.timing import count_calls
from rentbilling.adjustments import History
from rentbilling.explanations import Explanation, adjustments
from tests.oracle.workings import DisagreementError, all_replayed, replayed
from tests.support.explained import Outlined
from tests.support.plans import TENTHS, by_index, clause, home, lease, series
from tests.support.rents import amount, price_from, quantity_from

MONTHLY = by_index(index_clause=clause(interval_months=1, lag_months=2), index_month=None)
"""A rule that follows the index of two months before, every month."""


def points(years: int) -> rb.IndexSeries:
    """Return an index that rises by a tenth of a point each month, from 2019 on."""
    values = {
        f"{2019 + at // 12}-{at % 12 + 1:02d}": Decimal(1000 + at) / 10 for at in range(years * 12)
    }
    return series(values, base=None)


def monthly(item: rb.RecurringBillItem | None = None) -> rb.LeaseTerms:
    """Return a lease that is adjusted every month from February 2020 on."""
    return lease(MONTHLY, item=item)


def bills(years: int) -> rb.BillingResult:
    asked = f"2020-02-01/{2020 + years}-01-31"
    return rb.pending_bills(monthly(), asked, indices=points(years + 2))


def referring(explanation: Explanation | rb.Working) -> list[rb.Working]:
    return [step for step in explanation.steps() if step.operation == "referred"]


class TestReferences:
    """A step that was explained is referred to by its id and by the place of its explanation."""

    def test_an_amount_before_is_that_of_the_bill_before(self, outlined: Outlined) -> None:
        """10,000 × 101.1 / 101 = 10,009.90 in February, then × 101.2 / 101.1 (A38)."""
        outlined("amount before from the bill before", rb.explain(bills(1))[1].find("new amount"))

    def test_the_changes_since_are_listed(self, outlined: Outlined) -> None:
        result = rb.pending_bills(
            monthly(home(billing_cycle=rb.BillingCycle(period_length=3))),
            "2020-02-01/2020-12-31",
            indices=points(3),
            policy=rb.BillingPolicy(mid_period_change="next_period"),
        )

        outlined("changes since the bill before", rb.explain(result)[1].find("amount before"))

    def test_a_price_that_goes_on_is_that_of_the_bill_where_it_began(
        self, outlined: Outlined
    ) -> None:
        """11,000 from January 2021 on: February's bill refers to January's (A42)."""
        result = rb.pending_bills(lease(by_index()), "2021-01-01/2021-03-31", indices=TENTHS)
        february, march = (each.find("net price") for each in rb.explain(result)[1:])

        outlined("price of an earlier bill", february)
        assert str(february).replace("on 2021-02-01", "on 2021-03-01") == str(march)

    def test_the_price_of_a_unit_is_the_amount_referred_to_by_the_quantity(
        self, outlined: Outlined
    ) -> None:
        """50 units at 100.00 became 5,500, and 60 of them from July 2021 on cost 6,600 (A38)."""
        more = quantity_from("2021-07-01", "60")
        item = home("100.00", quantity=Decimal(50), quantity_records=(more,))
        made = rb.rent_adjustments(
            lease(by_index(), item=item), "2020-02-01/2022-12-31", indices=TENTHS
        )

        outlined(
            "price of a unit from an earlier amount", rb.explain(made)[1].find("amount before")
        )

    def test_adjustments_refer_to_those_before(self) -> None:
        """10,000, then 11,000, then 12,100: the third one begins with the second one's amount."""
        made = rb.rent_adjustments(lease(by_index()), "2020-02-01/2023-12-31", indices=TENTHS)
        (step,) = {*referring(rb.explain(made)[2])}

        assert "after the adjustment of 2022-01-01, explained above" == step.note
        assert (("step", "recurring-1 2022-01-01 plan-1"),) == step.inputs
        assert amount("12100.00") == step.result

    def test_lines_of_one_bill_refer_to_each_other(self) -> None:
        first = bills(1)[0]
        late = rb.pending_bills(
            monthly(), "2021-01-01/2021-01-31", indices=points(3), already_billed=[first]
        )
        (bill,) = late
        found = rb.explain(late, bill=0)

        assert 12 == len(bill.lines) + 1
        assert ["explained above"] == sorted(
            {(step.note or "").rpartition(", ")[2] for step in referring(found)}
        )
        assert bill.payable == replayed(found)

    def test_an_amount_record_is_where_it_begins_anew(self) -> None:
        """What was agreed for July 2020 refers to nothing before it (A18)."""
        item = home(amount_records=(price_from("2020-06-15", "9000.00"),))
        asked = "2020-02-01/2020-12-31"
        found = rb.explain(rb.rent_adjustments(monthly(item), asked, indices=points(3)))
        july, august = (str(found[at].find("amount before")) for at in (5, 6))

        assert "amount before: 9,000.00 DKK; in force before 2020-07-01: an amount record" in july
        assert "after the adjustment of 2020-07-01, explained above" in august


class TestAlone:
    """The working of one figure refers to nothing and has the whole history."""

    def test_a_line_has_all_that_came_before(self) -> None:
        """The last bill of three years: 35 earlier adjustments, a line each."""
        result = bills(3)
        for found in (rb.explain(result, bill=-1, line=0), rb.explain(result, bill=-1)):
            assert [] == referring(found)
            assert 35 == str(found).count("adjustment of ")
            assert "agreed amount: 10,000.00 DKK; the item's own amount" in str(found)

    def test_an_adjustment_has_all_that_came_before(self) -> None:
        asked = "2020-02-01/2023-01-31"
        made = rb.rent_adjustments(monthly(), asked, indices=points(5))
        result = rb.bill_period(monthly(), asked, indices=points(5))
        found = rb.explain(made, adjustment=-1)

        assert [] == referring(found)
        assert 35 == str(found.find("amount before")).count("adjustment of ")
        assert found == rb.explain(result, adjustment="2023-01-01")

    def test_the_first_of_all_bills_is_as_it_is_alone(self) -> None:
        result = rb.pending_bills(monthly(), "2022-01-01/2022-03-31", indices=points(4))

        assert rb.explain(result, bill=0) == rb.explain(result)[0]
        assert 23 == str(rb.explain(result)[0]).count("adjustment of ")
        assert 1 == str(rb.explain(result)[1]).count("adjustment of ")


class TestReplay:
    """The evaluator reads an explanation from its first step to its last."""

    def test_it_finds_every_figure(self) -> None:
        result = bills(3)
        made = rb.rent_adjustments(monthly(), "2020-02-01/2023-01-31", indices=points(5))

        assert [each.payable for each in result] == all_replayed(rb.explain(result))
        assert [each.to_period_amount for each in made] == all_replayed(rb.explain(made))

    def test_it_finds_a_reference_to_nothing(self) -> None:
        with pytest.raises(DisagreementError, match="refers to what was not explained"):
            replayed(rb.explain(bills(1))[1])

    def test_it_finds_a_reference_with_another_result(self) -> None:
        """100 was explained, and 101 is said to be."""
        given = rb.Working("one", "stated", (), 100, "A38", step_id="one")
        wrong = rb.Working("one", "referred", (("step", "one"),), 101, "A38")

        with pytest.raises(DisagreementError, match="101 told"):
            all_replayed([given, wrong])

    def test_data_has_the_ids(self) -> None:
        first, second = rb.explain(bills(1)).as_data()[:2]
        texts = str(first), str(second)

        assert "'id': 'recurring-1 2020-02-01 plan-1'" in texts[0]
        assert "{'name': 'step', 'value': 'recurring-1 2020-02-01 plan-1'}" in texts[1]
        assert "'id': 'recurring-1 2020-02-01 plan-1'" not in texts[1]


class TestLeftOut:
    """A list of earlier adjustments is no longer than a bound, and says what it leaves out."""

    def test_it_says_how_many_and_where_they_are(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of 23 earlier adjustments the last three are listed."""
        monkeypatch.setattr(adjustments, "MOST_LISTED", 3)
        result = bills(2)
        found = rb.explain(result, bill=-1, line=0).find("amount before")
        start = found.find("amount before them")
        expected = (
            "20 earlier ones are left out, because at most 3 are listed; the explanation of the"
            " adjustment of 2021-10-01 lists them"
        )

        assert result[-2].total == found.result == replayed(found)
        assert "= what earlier adjustments led to and 3 adjustments since" in str(found)
        assert (expected, (("adjustments left out", 20),)) == (start.note, start.inputs)
        assert {"name": "adjustments left out", "value": "20"} in start.as_data()["inputs"]  # type: ignore[operator]

    def test_one_is_said_in_the_singular(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(adjustments, "MOST_LISTED", 3)
        start = rb.explain(bills(1), bill=4).find("amount before them")

        assert (start.note or "").startswith("1 earlier adjustment is left out, because")

    def test_a_hundred_years_of_months_are_listed(self) -> None:
        """And one month more is not: 1,201 earlier adjustments, of which the first is left out."""
        asked = "2120-02-01/2120-03-31"
        result = rb.pending_bills(monthly(), asked, indices=points(103))
        counts = [str(rb.explain(result, bill=at)).count("  adjustment of ") for at in (0, 1)]

        assert [1200, 1200] == counts
        assert "left out" not in str(rb.explain(result, bill=0))
        assert "1 earlier adjustment is left out" in str(rb.explain(result, bill=1))


def written(result: rb.BillingResult) -> object:
    explanation = rb.explain(result)
    return str(explanation), explanation.as_data()


class TestGrowth:
    """Twice the years are twice the work, the steps and the text."""

    @pytest.mark.parametrize("years", [2, 4])
    def test_each_adjustment_is_made_once(
        self, years: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """However many bills it leads to: 12 adjustments a year are 24 evaluations a year.

        Once for the amounts of the bills, and once for what is explained of them.
        """
        made: list[int] = []
        act = History.act

        def counted(self: History, *given: object) -> None:
            made.append(1)
            act(self, *given)  # type: ignore[arg-type]

        monkeypatch.setattr(History, "act", counted)
        rb.explain(bills(years))

        assert 24 * years == len(made)

    @pytest.mark.parametrize(
        "asked",
        [
            pytest.param(lambda years: rb.explain(bills(years)), id="bills"),
            pytest.param(
                lambda years: rb.explain(
                    rb.rent_adjustments(
                        monthly(), f"2020-02-01/{2020 + years}-01-31", indices=points(years + 2)
                    )
                ),
                id="adjustments",
            ),
        ],
    )
    def test_steps_and_text_grow_with_the_years(self, asked: Callable[[int], Explanation]) -> None:
        found = [asked(years) for years in (1, 2, 3)]
        one, two, three = (len([*each.steps()]) for each in found)
        texts = [len(str(each)) for each in found]

        assert three - two == two - one
        assert texts[2] - texts[1] == pytest.approx(texts[1] - texts[0], rel=0.02)

    def test_calls_grow_with_the_years(self) -> None:
        once, twice = bills(4), bills(8)
        calls = [count_calls(partial(written, each)) for each in (once, twice)]

        assert calls[1] < 2.05 * calls[0]
