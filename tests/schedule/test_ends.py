"""The ends of billing: an end stops days, a cancellation stops bills (A17)."""

from typing import Any

from rentbilling import BillingPolicy, DueDateRule, LeaseTerms, RecurringBillItem
from rentbilling.schedule import BillingEnds
from rentbilling.values import NEVER
from tests.support.rents import day, due_dates, fee, opening, ordinal, rent, told
from tests.support.rows import rows

ARREARS = DueDateRule(relative_to="end")
"""The bill of a month falls due on the first day after it."""

OPENING_DUE_LATE = opening(due="2026-02-10")
"""15 to 31 January, due on 10 February."""


def stops_of(contract_end: str | None = None, **changes: Any) -> BillingEnds:  # noqa: ANN401
    return BillingEnds.of(rent(**changes), NEVER if contract_end is None else ordinal(contract_end))


JUNE, MAY, THE_9TH, THE_10TH = map(
    ordinal, ("2026-06-30", "2026-05-17", "2026-03-09", "2026-03-10")
)
CANCELLED = day("2026-03-10")

ENDS: list[tuple[BillingEnds, tuple[int, ...]]] = [
    # Without an end every period that starts is billed and every bill falls due (A17).
    (stops_of(), (NEVER, NEVER, NEVER, NEVER - 1, True)),
    # The end is that of the item or of the contract, whichever is first (A17).
    (stops_of("2026-06-30"), (JUNE, NEVER, JUNE, NEVER - 1, True)),
    (stops_of(ended_on=day("2026-06-30")), (JUNE, NEVER, JUNE, NEVER - 1, True)),
    (stops_of("2026-06-30", ended_on=day("2026-05-17")), (MAY, NEVER, MAY, NEVER - 1, True)),
    (stops_of("2026-05-17", ended_on=day("2026-06-30")), (MAY, NEVER, MAY, NEVER - 1, True)),
    # A cancellation stops bills and not days: the last bill may fall due on the 9th (A17).
    (stops_of(cancelled_on=CANCELLED), (NEVER, THE_10TH, NEVER, THE_9TH, True)),
    # In arrears it stops periods: the last one may start on the 9th, its bill come later (A51).
    (
        stops_of(due_date_rule=ARREARS, cancelled_on=CANCELLED),
        (NEVER, THE_10TH, THE_9TH, NEVER, True),
    ),
]


@rows(("found", "expected"), ENDS)
def test_an_end_stops_days_and_a_cancellation_bills(
    found: BillingEnds, expected: tuple[int, ...]
) -> None:
    assert expected == found


@rows(("ended_on", "last_start"), [("2026-02-28", "2026-02-28"), ("2026-03-31", "2026-03-09")])
def test_in_arrears_the_end_or_the_day_before_the_cancellation_is_the_last_start(
    ended_on: str, last_start: str
) -> None:
    """Whichever is first (A17, A51)."""
    found = stops_of(due_date_rule=ARREARS, ended_on=day(ended_on), cancelled_on=CANCELLED)

    assert ordinal(last_start) == found.last_start


@rows(
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


OPENING = ("2026-01-15/2026-01-31", "4661.29")
FEBRUARY, MARCH = (
    (f"2026-{month}", "8500.00") for month in ("02-01/2026-02-28", "03-01/2026-03-31")
)

BILLED: dict[str, tuple[LeaseTerms | RecurringBillItem, list[tuple[str, str]]]] = {
    # An opening period that starts after the end is not billed, and nothing follows it (A17).
    "a contract that ends before the opening period": (
        LeaseTerms(contract_end=day("2026-01-14"), recurring_bill_items=(rent(),)),
        [],
    ),
    # To 14 February half of 28 days are billed, 8,500 / 2; March is not (A17).
    "the last day paid for is included": (
        rent(ended_on=day("2026-02-14")),
        [OPENING, ("2026-02-01/2026-02-14", "4250.00")],
    ),
    # What fell due the day before the cancellation stays billed, and whole (A17).
    "cancelled on the due date": (rent(cancelled_on=day("2026-03-01")), [OPENING, FEBRUARY]),
    "cancelled a day later": (rent(cancelled_on=day("2026-03-02")), [OPENING, FEBRUARY, MARCH]),
    # In arrears the bill of a period that began before it comes after it (A17, A51).
    "in arrears, cancelled on a first day": (
        rent(due_date_rule=ARREARS, cancelled_on=day("2026-03-01")),
        [OPENING, FEBRUARY],
    ),
    "in arrears, cancelled a day later": (
        rent(due_date_rule=ARREARS, cancelled_on=day("2026-03-02")),
        [OPENING, FEBRUARY, MARCH],
    ),
    # A fee for April is billed whole in a contract that ended in January (A17).
    "one-time items are neither cut nor stopped": (
        LeaseTerms(
            contract_end=day("2026-01-31"),
            recurring_bill_items=(
                rent(ended_on=day("2026-01-31"), cancelled_on=day("2026-01-31")),
            ),
            one_time_bill_items=(fee("300.00", "2026-05-01", "2026-04-01/2026-04-30"),),
        ),
        [OPENING, ("2026-04-01/2026-04-30", "300.00")],
    ),
}


@rows(("terms", "lines"), BILLED.values(), ids=BILLED)
def test_nothing_is_billed_after_an_end_or_a_cancellation(
    terms: LeaseTerms | RecurringBillItem, lines: list[tuple[str, str]]
) -> None:
    assert lines == told(terms)


def test_a_cancellation_counts_from_the_day_to_which_a_due_date_moved() -> None:
    """1 March 2026 is a Sunday; moved to the 2nd, its bill is not sent (A11, A17)."""
    item = rent(cancelled_on=day("2026-03-02"))
    following = BillingPolicy(business_day="following")

    assert ["2026-01-15", "2026-02-02"] == due_dates(item, policy=following)


def test_the_start_of_the_contract_cuts_nothing() -> None:
    """An opening period from 15 January is billed in a contract from 1 February (A17)."""
    terms = LeaseTerms(contract_start=day("2026-02-01"), recurring_bill_items=(rent(),))

    assert ["2026-01-15", "2026-02-01"] == due_dates(terms, "2026-01-01/2026-02-28")
