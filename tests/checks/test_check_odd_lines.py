"""Lines that bill a thing twice are odd, those that take something back are not (A16, A19)."""

from typing import Any

import pytest

from rentbilling import PendingBillLineItem, check_bill
from rentbilling.testing import a_bill, a_line

YEAR = "2026-01-01/2026-12-31"
FEBRUARY = "2026-02-01/2026-02-28"
APRIL = "2026-04-01/2026-04-30"


def odd(*lines: PendingBillLineItem) -> list[str]:
    """Return what is odd about a bill with these lines, as it is printed."""
    return [str(each) for each in check_bill(a_bill(*lines))]


def again(at: int, first: int, days: str, taken: str) -> str:
    path = f"pendingBillLineItems[{at}].accountingPeriod"
    said = f"bills days of pendingBillLineItems[{first}] again"
    return f"warning: {path} {said} (met {days}; expected no day of {taken}) [A19]"


class TestOverlaps:
    """Days are billed again by every line that shares some with an earlier one of its item."""

    @pytest.mark.parametrize("item_id", ["rent", None])
    def test_all_lines_within_a_longer_one(self, item_id: str | None) -> None:
        """February and April lie in the year, though they do not touch each other."""
        lines = [a_line(item_id=item_id, period=days) for days in (YEAR, FEBRUARY, APRIL)]

        assert [again(1, 0, FEBRUARY, YEAR), again(2, 0, APRIL, YEAR)] == odd(*lines)

    def test_the_line_that_reaches_furthest_counts(self) -> None:
        first, second = "2026-01-01/2026-03-31", "2026-02-01/2026-05-31"
        lines = [a_line(item_id="rent", period=days) for days in (first, second, APRIL)]

        assert [again(1, 0, second, first), again(2, 1, APRIL, second)] == odd(*lines)

    def test_a_later_line_that_begins_after_all_is_no_overlap(self) -> None:
        lines = [a_line(item_id="rent", period=days) for days in (APRIL, "2026-05-01/2026-05-31")]

        assert [] == odd(*lines)

    @pytest.mark.parametrize(
        "other",
        [
            {"product_key": "key:parking"},
            {"vat": "ReverseCharge"},
            {"description": "the second one"},
            {"item_id": "other"},
        ],
        ids=str,
    )
    def test_lines_without_ids_are_of_one_item_where_they_are_for_the_same(
        self,
        other: dict[str, Any],
    ) -> None:
        half = "2026-02-15/2026-03-14"

        assert [again(1, 0, half, FEBRUARY)] == odd(a_line(), a_line(period=half))
        assert [] == odd(a_line(), a_line(period=half, **other))

    def test_lines_without_ids_for_the_same_days_may_be_of_two_items(self) -> None:
        lines = [a_line(amount=price) for price in ("400.00", "500.00")]
        known = [a_line(amount=price, item_id="garage") for price in ("400.00", "500.00")]

        assert [] == odd(*lines)
        assert [again(1, 0, FEBRUARY, FEBRUARY)] == odd(*known)


class TestCorrections:
    """A line that takes another one back bills nothing again."""

    @pytest.mark.parametrize("item_id", ["rent", None])
    @pytest.mark.parametrize(
        "prices",
        [
            ("8500.00", "-8500.00", "8600.00"),
            ("8600.00", "8500.00", "-8500.00"),
            ("-8500.00", "8500.00", "8600.00"),
            ("8500.00", "8500.00", "-8500.00"),
            ("-500.00", "500.00", "-600.00"),
        ],
        ids=str,
    )
    def test_one_that_is_taken_back_in_full(
        self, prices: tuple[str, ...], item_id: str | None
    ) -> None:
        assert [] == odd(*(a_line(amount=price, item_id=item_id) for price in prices))

    def test_one_that_is_taken_back_in_part(self) -> None:
        """A credit for the days from the 19th on."""
        credit = a_line(amount="-3035.71", item_id="rent", period="2026-02-19/2026-02-28")

        assert [] == odd(a_line(item_id="rent"), credit)

    def test_one_of_other_days_takes_nothing_back(self) -> None:
        lines = [a_line(item_id="rent")] * 2
        credit = a_line(amount="-8500.00", item_id="rent", period="2026-03-01/2026-03-31")

        assert [
            (
                "warning: pendingBillLineItems[1] repeats pendingBillLineItems[0] "
                f"(met key:rent {FEBRUARY}; expected one line, or two items by their ids) [A16]"
            )
        ] == odd(*lines, credit)

    def test_one_of_another_item_takes_nothing_back(self) -> None:
        lines = [a_line(item_id="one"), a_line(item_id="one", amount="8600.00")]
        credit = a_line(item_id="two", amount="-8500.00")

        assert [again(1, 0, FEBRUARY, FEBRUARY)] == odd(*lines, credit)

    def test_the_same_credit_twice_is_odd(self) -> None:
        credits_ = [a_line(amount="-500.00", item_id="rent")] * 2

        assert [
            (
                "warning: pendingBillLineItems[1] repeats pendingBillLineItems[0] "
                f"(met key:rent {FEBRUARY}; expected one line, or two items by their ids) [A16]"
            )
        ] == odd(*credits_)

    def test_credits_for_days_that_overlap_are_odd(self) -> None:
        """The 15th is credited twice."""
        halves = ("2026-02-01/2026-02-15", "2026-02-15/2026-02-28")
        lines = [a_line(amount="-500.00", item_id="rent", period=days) for days in halves]

        assert [again(1, 0, halves[1], halves[0])] == odd(*lines)
