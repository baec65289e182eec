"""The ends of billing: an end stops days, a cancellation stops bills (A17)."""

from typing import Any

import pytest

from rentbilling import BillingPolicy, DueDateRule, LeaseTerms
from rentbilling.schedule import BillingEnds
from rentbilling.values import NEVER
from tests.support.rents import day, due_dates, fee, opening, rent, told

ARREARS = DueDateRule(relative_to="end")
"""The bill of a month falls due on the first day after it."""

OPENING_DUE_LATE = opening(due="2026-02-10")
"""15 to 31 January, due on 10 February."""


def ordinal(text: str) -> int:
    return day(text).toordinal()


def stops_of(contract_end: str | None = None, **changes: Any) -> BillingEnds:  # noqa: ANN401
    return BillingEnds.of(rent(**changes), NEVER if contract_end is None else ordinal(contract_end))


def test_an_item_without_end_never_stops() -> None:
    """Every period that starts is billed, every bill falls due, the opening one too (A17)."""
    assert (NEVER, NEVER, NEVER, NEVER - 1, True) == stops_of()


@pytest.mark.parametrize(
    ("contract_end", "ended_on", "end"),
    [
        ("2026-06-30", None, "2026-06-30"),
        (None, "2026-06-30", "2026-06-30"),
        ("2026-06-30", "2026-05-17", "2026-05-17"),
        ("2026-05-17", "2026-06-30", "2026-05-17"),
    ],
)
def test_the_end_is_that_of_the_item_or_of_the_contract(
    contract_end: str | None, ended_on: str | None, end: str
) -> None:
    """Whichever is first; no later period starts, bills may still fall due (A17)."""
    ended = None if ended_on is None else day(ended_on)

    assert (ordinal(end), NEVER, ordinal(end), NEVER - 1, True) == stops_of(
        contract_end, ended_on=ended
    )


def test_a_cancellation_stops_bills_and_not_days() -> None:
    """Cancelled on 10 March: the last bill may fall due on the 9th, a period start later (A17)."""
    found = stops_of(cancelled_on=day("2026-03-10"))

    assert (NEVER, ordinal("2026-03-10"), NEVER, ordinal("2026-03-09"), True) == found


def test_in_arrears_a_cancellation_stops_periods_and_not_bills() -> None:
    """Cancelled on 10 March: the last period may start on the 9th, its bill come later (A51)."""
    found = stops_of(due_date_rule=ARREARS, cancelled_on=day("2026-03-10"))

    assert (NEVER, ordinal("2026-03-10"), ordinal("2026-03-09"), NEVER, True) == found


@pytest.mark.parametrize(
    ("ended_on", "cancelled_on", "last_start"),
    [
        ("2026-02-28", "2026-03-10", "2026-02-28"),
        ("2026-03-31", "2026-03-10", "2026-03-09"),
    ],
)
def test_in_arrears_the_end_or_the_day_before_the_cancellation_is_the_last_start(
    ended_on: str, cancelled_on: str, last_start: str
) -> None:
    """Whichever is first (A17, A51)."""
    found = stops_of(due_date_rule=ARREARS, ended_on=day(ended_on), cancelled_on=day(cancelled_on))

    assert ordinal(last_start) == found.last_start


@pytest.mark.parametrize(
    ("changes", "opens"),
    [
        # The opening period is 15 to 31 January.
        ({"ended_on": day("2026-01-14")}, False),
        ({"ended_on": day("2026-01-15")}, True),
        # It falls due on 10 February.
        ({"cancelled_on": day("2026-02-10")}, False),
        ({"cancelled_on": day("2026-02-11")}, True),
        # In arrears its first day counts, not its due date.
        ({"due_date_rule": ARREARS, "cancelled_on": day("2026-01-15")}, False),
        ({"due_date_rule": ARREARS, "cancelled_on": day("2026-01-16")}, True),
    ],
)
def test_the_opening_period_is_billed_unless_it_starts_or_falls_due_too_late(
    changes: dict[str, Any],
    opens: bool,
) -> None:
    """After the end, or from the cancellation on (A17)."""
    found = stops_of(first_billing_period_bill_item=OPENING_DUE_LATE, **changes)

    assert opens is found.opens


def test_a_contract_that_ends_before_the_opening_period_bills_nothing() -> None:
    """One that starts after the end is not billed, and nothing follows it (A17)."""
    terms = LeaseTerms(contract_end=day("2026-01-14"), recurring_bill_items=(rent(),))

    assert [] == due_dates(terms)


def test_the_last_day_paid_for_is_included() -> None:
    """To 14 February half of 28 days are billed, 8,500 / 2 = 4,250.00; March is not (A17)."""
    assert [
        ("2026-01-15/2026-01-31", "4661.29"),
        ("2026-02-01/2026-02-14", "4250.00"),
    ] == told(rent(ended_on=day("2026-02-14")))


@pytest.mark.parametrize(
    ("cancelled_on", "dates"),
    [
        ("2026-03-01", ["2026-01-15", "2026-02-01"]),
        ("2026-03-02", ["2026-01-15", "2026-02-01", "2026-03-01"]),
    ],
)
def test_nothing_falls_due_on_the_day_of_the_cancellation_or_later(
    cancelled_on: str, dates: list[str]
) -> None:
    """What fell due the day before stays billed, and whole (A17)."""
    assert dates == due_dates(rent(cancelled_on=day(cancelled_on)))


def test_a_cancellation_looks_at_the_day_to_which_a_due_date_moved() -> None:
    """1 March 2026 is a Sunday; moved to the 2nd, its bill meets the cancellation (A11, A17)."""
    item = rent(cancelled_on=day("2026-03-02"))
    following = BillingPolicy(business_day="following")

    assert ["2026-01-15", "2026-02-02"] == due_dates(item, policy=following)


@pytest.mark.parametrize(
    ("cancelled_on", "periods"),
    [
        ("2026-03-01", ["2026-01-15/2026-01-31", "2026-02-01/2026-02-28"]),
        (
            "2026-03-02",
            ["2026-01-15/2026-01-31", "2026-02-01/2026-02-28", "2026-03-01/2026-03-31"],
        ),
    ],
)
def test_in_arrears_no_period_starts_on_the_day_of_the_cancellation_or_later(
    cancelled_on: str, periods: list[str]
) -> None:
    """The bill of a period that began before it comes all the same, after it (A17, A51)."""
    item = rent(due_date_rule=ARREARS, cancelled_on=day(cancelled_on))

    assert periods == [days for days, _ in told(item)]


def test_the_start_of_the_contract_cuts_nothing() -> None:
    """An opening period from 15 January is billed in a contract from 1 February (A17)."""
    terms = LeaseTerms(contract_start=day("2026-02-01"), recurring_bill_items=(rent(),))

    assert ["2026-01-15", "2026-02-01"] == due_dates(terms, "2026-01-01/2026-02-28")


def test_one_time_items_are_neither_cut_nor_stopped() -> None:
    """A fee for April is billed whole in a contract that ended in January (A17)."""
    terms = LeaseTerms(
        contract_end=day("2026-01-31"),
        recurring_bill_items=(rent(ended_on=day("2026-01-31"), cancelled_on=day("2026-01-31")),),
        one_time_bill_items=(fee("300.00", "2026-05-01", "2026-04-01/2026-04-30"),),
    )

    assert [
        ("2026-01-15/2026-01-31", "4661.29"),
        ("2026-04-01/2026-04-30", "300.00"),
    ] == told(terms)
