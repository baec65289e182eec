"""Earlier adjustments: from the amount that an adjustment met, back to what was agreed."""
# ruff: noqa: E501 - texts as they are read aloud, one step a line

from textwrap import dedent

from rentbilling import LeaseTerms, RentAdjustment, explain, rent_adjustments
from rentbilling.indices import AnyIndices
from tests.oracle.workings import replayed
from tests.support.plans import (
    TENTHS,
    by_index,
    by_steps,
    home,
    lease,
    plan,
    ruled,
    series,
    step,
    with_listed,
)
from tests.support.rents import amount, day, price_from


def before_last(terms: LeaseTerms, indices: AnyIndices = TENTHS) -> str:
    """Return how the amount before the last adjustment until 2022 came about, replayed."""
    made = rent_adjustments(terms, "2020-02-01/2022-12-31", indices=indices)
    working = explain(made, adjustment=len(made) - 1)
    replayed(working)
    return str(working.find("amount before"))


def listed(when: str, price: str) -> RentAdjustment:
    return RentAdjustment(adjusted_on=day(when), to_period_amount=amount(price))


def outline(text: str) -> str:
    return dedent(text).strip()


def test_a_record_of_the_day_is_an_adjustment_among_the_others() -> None:
    """10,500 agreed for the day on which the index would have led to 11,000 (A18, A38)."""
    item = home(amount_records=(price_from("2021-01-01", "10500.00"),))
    expected = outline(
        """
        amount before: 10,500.00 DKK = what was agreed and 1 adjustment since; in force before 2022-01-01 [A38]
          agreed amount: 10,000.00 DKK; the item's own amount, since 2020-01-01 [A18]
          adjustment of 2021-01-01: 500.00 DKK = 10,500.00 − 10,000.00; an amount record of the day [A38]
        """
    )

    assert expected == before_last(lease(by_index(), item=item))


def test_a_published_change_is_told_by_the_point_it_leads_to() -> None:
    """A series of changes has no values to compare: 10,000 and 2 % are 10,200 (A33, A38)."""
    changes = series({"2020": "0.02", "2021": "0.05"}, kind="change")
    expected = outline(
        """
        amount before: 10,200.00 DKK = what was agreed and 1 adjustment since; in force before 2022-01-01 [A38]
          agreed amount: 10,000.00 DKK; the item's own amount, since 2020-01-01 [A18]
          adjustment of 2021-01-01: 200.00 DKK = 10,200.00 − 10,000.00; published change of NPI to 2020 [A38]
        """
    )

    assert expected == before_last(lease(ruled(reference="year_mean")), changes)


def test_an_increment_is_told_by_its_rule() -> None:
    """12,000 a year more is 1,000 a month more, and no index is named (A36, A38)."""
    rule = by_steps(step(2021, "12000.00"), step(2022, "12000.00"))
    expected = outline(
        """
        amount before: 11,000.00 DKK = what was agreed and 1 adjustment since; in force before 2022-01-01 [A38]
          agreed amount: 10,000.00 DKK; the item's own amount, since 2020-01-01 [A18]
          adjustment of 2021-01-01: 1,000.00 DKK = 11,000.00 − 10,000.00; by rule-1 [A38]
        """
    )

    assert expected == before_last(lease(rule), None)


def test_a_listed_adjustment_is_told_as_listed() -> None:
    """10,777 was listed for 2021, where the index would have led to 11,000 (A38)."""
    terms = with_listed(lease(by_index()), [listed("2021-01-01", "10777.00")])
    expected = outline(
        """
        amount before: 10,777.00 DKK = what was agreed and 1 adjustment since; in force before 2022-01-01 [A38]
          agreed amount: 10,000.00 DKK; the item's own amount, since 2020-01-01 [A18]
          adjustment of 2021-01-01: 777.00 DKK = 10,777.00 − 10,000.00; as listed by the service that made it [A38]
        """
    )

    assert expected == before_last(terms)


def test_what_another_plan_listed_for_the_same_day_is_not_led_back() -> None:
    """The index meets the 11,000 that another plan listed for its own day, not the 10,500 before.

    A line for 2021 would end at 10,500 and explain no 11,000: so the amount alone is told (A38).
    """
    kept = listed("2021-01-01", "10500.00"), listed("2022-01-01", "11000.00")
    terms = lease(plan(by_index(), adjustments=kept), by_index(first_year="2022"))
    found = before_last(terms)

    assert found.startswith("amount before: 11,000.00 DKK; in force before 2022-01-01: ")
    assert found.endswith("what this adjustment began with [A18]")
    assert "adjustment of 2021-01-01" not in found
