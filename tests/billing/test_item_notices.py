"""Attention: what a person should look at about an item, and in which answers it is said."""

from typing import Any

from rentbilling import BillingCycle, BillingPolicy, DueDateRule, LeaseTerms, RecurringBillItem
from rentbilling.billing.items.item_notices import item_notices
from rentbilling.schedule import BillingEnds, Schedule
from rentbilling.values import NEVER, Period
from tests.support.rents import day, noticed, opening, rent
from tests.support.rows import rows

ARREARS = DueDateRule(relative_to="end")
EVER = "2020-01-01/2040-12-31"
FIVE_MONTHS = BillingCycle(period_length=5)
"""After an opening to 31 January 2026 it begins on 1 January 2027 (A8)."""


def dated(item: RecurringBillItem, policy: BillingPolicy | None = None) -> list[tuple[str, str]]:
    after = item.first_billing_period_bill_item.accounting_period.last
    rules = policy or BillingPolicy()
    schedule = Schedule(item.billing_cycle, item.due_date_rule, after, rules)
    found = item_notices(item, "recurring-1", schedule, BillingEnds.of(item, NEVER))
    return [(notice.code, str(Period.unchecked(first, last))) for first, last, notice in found]


def facts(
    code: str,
    item: RecurringBillItem | LeaseTerms,
    policy: BillingPolicy | None = None,
) -> list[dict[str, str]]:
    return [found for known, found in noticed(item, EVER, policy) if known == code]


def codes(item: RecurringBillItem, days: str = EVER) -> list[str]:
    return [code for code, _ in noticed(item, days)]


def test_a_plain_rent_needs_no_attention() -> None:
    assert [] == dated(rent())


def test_a_notice_names_its_item() -> None:
    early = rent(started_on=day("2026-01-01"))
    after = early.first_billing_period_bill_item.accounting_period.last
    schedule = Schedule(early.billing_cycle, early.due_date_rule, after)
    ((_, _, notice),) = item_notices(early, "garage", schedule, BillingEnds.of(early, NEVER))

    assert ("garage", "startedOn lies before the due date of the opening period") == (
        notice.item_id,
        notice.message,
    )


def test_a_start_before_the_opening_due_date_is_pointed_out() -> None:
    """Both should be the first due date (A12)."""
    item = rent(started_on=day("2026-01-01"))
    code = "started_on_before_opening_due_date"

    assert (
        [(code, "2026-01-01/2026-01-15")],
        [{"startedOn": "2026-01-01", "dueDate": "2026-01-15"}],
    ) == (dated(item), facts(code, item))


@rows(
    ("days", "said"),
    [
        ("2025-12-01/2025-12-31", []),
        ("2026-01-01/2026-01-01", ["started_on_before_opening_due_date"]),
        ("2026-01-07/2026-01-08", ["started_on_before_opening_due_date"]),
        ("2026-01-15/2026-01-31", ["started_on_before_opening_due_date"]),
        ("2026-01-16/2026-12-31", []),
    ],
)
def test_a_notice_is_in_the_answers_that_touch_its_days(days: str, said: list[str]) -> None:
    """The days from 1 to 15 January are in question."""
    assert said == codes(rent(started_on=day("2026-01-01")), days)


@rows(
    ("ended_on", "said"),
    [
        # 15 to 31 January is billed whole, however much of it lies past the end.
        ("2026-01-15", [("opening_past_end", "2026-01-15/2026-01-15")]),
        ("2026-01-30", [("opening_past_end", "2026-01-15/2026-01-15")]),
        ("2026-01-31", []),
        # It is not billed at all.
        ("2026-01-14", []),
    ],
)
def test_an_opening_period_past_the_end_is_pointed_out(
    ended_on: str, said: list[tuple[str, str]]
) -> None:
    """It is billed as stated, with a notice from its first day to its due date (A17)."""
    assert said == dated(rent(ended_on=day(ended_on)))


def test_the_end_may_be_that_of_the_contract() -> None:
    """The notice says which days were billed and where the end is (A17)."""
    terms = LeaseTerms(contract_end=day("2026-01-20"), recurring_bill_items=(rent(),))

    assert [{"accountingPeriod": "2026-01-15/2026-01-31", "end": "2026-01-20"}] == facts(
        "opening_past_end", terms
    )


def test_a_regular_due_date_before_the_opening_one_is_pointed_out() -> None:
    """February is due on the 1st, the opening on the 10th (A12)."""
    item = rent(first_billing_period_bill_item=opening(due="2026-02-10"))

    assert (
        [("due_before_opening", "2026-02-01/2026-02-10")],
        [{"dueDate": "2026-02-01", "openingDueDate": "2026-02-10"}],
    ) == (dated(item), facts("due_before_opening", item))


@rows(
    "changes",
    [
        # On the same day there is nothing to see.
        {"first_billing_period_bill_item": opening(due="2026-02-01")},
        # February is never billed.
        {"ended_on": day("2026-01-31")},
    ],
)
def test_due_dates_in_order_need_no_attention(changes: dict[str, Any]) -> None:
    """Nor does a regular period that an end leaves out (A12)."""
    item = rent(**{"first_billing_period_bill_item": opening(due="2026-02-10"), **changes})

    assert [] == dated(item)


def test_a_due_date_before_the_calendar_is_shown_as_its_first_day() -> None:
    """A hundred years before February of the year 50 no calendar has a day (A10)."""
    item = rent(
        first_billing_period_bill_item=opening("0050-01-15/0050-01-31"),
        due_date_rule=DueDateRule(day_of_period=-36_525),
        ended_on=day("0050-12-31"),
    )

    assert [("due_before_opening", {"dueDate": "0001-01-01", "openingDueDate": "0050-01-15"})] == (
        noticed(item, "0050-01-15/0050-01-15")
    )


@rows(("ended_on", "count"), [("2026-01-31", 0), ("2026-02-01", 1)])
def test_a_period_that_starts_on_the_last_day_is_billed(ended_on: str, count: int) -> None:
    """Its one day falls due before the opening does (A12, A17)."""
    item = rent(first_billing_period_bill_item=opening(due="2026-02-10"), ended_on=day(ended_on))

    assert count == len(facts("due_before_opening", item))


@rows(
    ("changes", "days"),
    [
        # 334 days from 1 February to 31 December 2026: all of the year but January.
        ({}, {"days": "2026-02-01/2026-12-31", "count": "334"}),
        # An end, or a cancellation, leaves no days to bill after it.
        ({"ended_on": day("2026-03-31")}, {"days": "2026-02-01/2026-03-31", "count": "59"}),
        ({"cancelled_on": day("2026-02-11")}, {"days": "2026-02-01/2026-02-10", "count": "10"}),
    ],
)
def test_days_left_out_after_the_opening_period_are_pointed_out(
    changes: dict[str, Any], days: dict[str, str]
) -> None:
    """Up to the first regular period, which five months after January have next year (A13)."""
    item = rent(billing_cycle=FIVE_MONTHS, **changes)

    assert [days] == facts("gap_after_opening_period", item)


@rows(
    ("changes", "days"),
    [
        # From the opening's due date to the first regular one.
        ({}, "2026-01-15/2027-01-01"),
        # The opening is due after the gap began.
        (
            {"first_billing_period_bill_item": opening(due="2026-02-10")},
            "2026-02-01/2027-01-01",
        ),
        # The first regular bill falls due inside the gap.
        ({"due_date_rule": DueDateRule(day_of_period=-31)}, "2026-01-15/2026-12-31"),
        # In arrears it comes much later.
        ({"due_date_rule": ARREARS}, "2026-01-15/2027-06-01"),
    ],
)
def test_a_gap_concerns_the_days_from_one_bill_to_the_next(
    changes: dict[str, Any], days: str
) -> None:
    """And at least its own days, so that no window in it is without the notice (A13)."""
    item = rent(billing_cycle=FIVE_MONTHS, **changes)

    assert [("gap_after_opening_period", days)] == dated(item)


@rows("ended_on", ["2026-01-14", "2026-01-20", "2026-01-31"])
def test_an_end_before_the_gap_leaves_none(ended_on: str) -> None:
    """Nothing is to be billed there (A13, A17)."""
    assert [] == facts(
        "gap_after_opening_period", rent(billing_cycle=FIVE_MONTHS, ended_on=day(ended_on))
    )


def test_a_gap_may_reach_the_end_of_the_calendar() -> None:
    """Five months after January 9999 begin in the year 10000; 31 December is the last day."""
    item = rent(
        billing_cycle=FIVE_MONTHS,
        first_billing_period_bill_item=opening("9999-01-01/9999-01-31"),
    )

    assert [("gap_after_opening_period", "9999-01-01/9999-12-31")] == dated(item)


def test_a_month_billed_before_a_cancellation_stays_billed() -> None:
    """April falls due on 27 March, before the cancellation on the 31st (A17)."""
    item = rent(due_date_rule=DueDateRule(day_of_period=-5), cancelled_on=day("2026-03-31"))

    assert (
        [("billed_after_cancellation", "2026-03-27/2026-04-01")],
        [{"accountingPeriod": "2026-04-01/2026-04-30", "cancelledOn": "2026-03-31"}],
    ) == (dated(item), facts("billed_after_cancellation", item))


@rows(
    ("cancelled_on", "months"),
    [
        # 45 days before a month: April was due on 15 February, May on 17 March, June on 17 April.
        ("2026-03-31", ["2026-04-01/2026-04-30", "2026-05-01/2026-05-31"]),
        # From the first day of a month on, that month counts as after the cancellation.
        ("2026-04-01", ["2026-04-01/2026-04-30", "2026-05-01/2026-05-31"]),
        ("2026-04-02", ["2026-05-01/2026-05-31"]),
    ],
)
def test_every_period_billed_after_a_cancellation_is_pointed_out(
    cancelled_on: str, months: list[str]
) -> None:
    """A due date long before its period leaves several (A17)."""
    item = rent(
        first_billing_period_bill_item=opening(due="2026-01-14"),
        due_date_rule=DueDateRule(day_of_period=-45),
        cancelled_on=day(cancelled_on),
    )

    assert months == [each["accountingPeriod"] for each in facts("billed_after_cancellation", item)]


def test_an_opening_period_may_be_billed_after_a_cancellation() -> None:
    """It was due on 5 January, the item is cancelled on the 10th, and it starts on the 15th."""
    item = rent(
        first_billing_period_bill_item=opening(due="2026-01-05"), cancelled_on=day("2026-01-10")
    )

    assert [("billed_after_cancellation", "2026-01-05/2026-01-15")] == dated(item)


def test_days_before_a_cancellation_that_no_bill_covers_are_pointed_out() -> None:
    """March is due on the 15th; cancelled on the 10th, its first nine days are on no bill (A17)."""
    item = rent(due_date_rule=DueDateRule(day_of_period=15), cancelled_on=day("2026-03-10"))
    code = "unbilled_days_before_cancellation"

    assert (
        [(code, "2026-03-01/2026-03-10")],
        [{"days": "2026-03-01/2026-03-09", "count": "9"}],
    ) == (dated(item), facts(code, item))


@rows(
    ("changes", "said"),
    [
        # March is billed whole.
        ({"cancelled_on": day("2026-03-02")}, []),
        ({"cancelled_on": day("2026-03-31")}, []),
        # On the 1st it ends with February.
        ({"cancelled_on": day("2026-03-01")}, []),
        # An end on 5 March, before the cancellation: five days to bill, and no bill.
        (
            {
                "due_date_rule": DueDateRule(day_of_period=15),
                "cancelled_on": day("2026-03-10"),
                "ended_on": day("2026-03-05"),
            },
            [{"days": "2026-03-01/2026-03-05", "count": "5"}],
        ),
        # Not even the opening is billed, which counts from its first day on.
        ({"cancelled_on": day("2026-01-15")}, []),
        (
            {
                "first_billing_period_bill_item": opening(due="2026-02-10"),
                "cancelled_on": day("2026-01-16"),
            },
            [{"days": "2026-01-15/2026-01-15", "count": "1"}],
        ),
        (
            {
                "first_billing_period_bill_item": opening(due="2026-02-10"),
                "due_date_rule": DueDateRule(day_of_period=20),
                "cancelled_on": day("2026-02-10"),
            },
            [{"days": "2026-01-15/2026-02-09", "count": "26"}],
        ),
        # The opening is not billed but February is: the days before and after it.
        (
            {
                "first_billing_period_bill_item": opening(due="2026-03-20"),
                "due_date_rule": DueDateRule(day_of_period=12),
                "cancelled_on": day("2026-03-11"),
            },
            [
                {"days": "2026-01-15/2026-01-31", "count": "17"},
                {"days": "2026-03-01/2026-03-10", "count": "10"},
            ],
        ),
        # In arrears the period under way is billed, whole.
        ({"due_date_rule": ARREARS, "cancelled_on": day("2026-03-10")}, []),
    ],
)
def test_only_days_that_should_be_billed_are_missed(
    changes: dict[str, Any], said: list[dict[str, str]]
) -> None:
    """From the opening's first day to the end or the day before the cancellation (A17)."""
    assert said == facts("unbilled_days_before_cancellation", rent(**changes))


@rows("years", [1, 3, 4, 30])
def test_a_cancellation_years_later_is_looked_at_alike(years: int) -> None:
    """Old periods, billed one after another, are taken as one run; March is missed (A17)."""
    year = 2026 + years
    item = rent(due_date_rule=DueDateRule(day_of_period=15), cancelled_on=day(f"{year}-03-10"))

    assert [("unbilled_days_before_cancellation", f"{year}-03-01/{year}-03-10")] == dated(item)


def test_a_moved_due_date_decides_what_is_billed() -> None:
    """1 March 2026 is a Sunday: moved to the 2nd, a cancellation then leaves 1 March (A11, A17)."""
    item = rent(cancelled_on=day("2026-03-02"))
    following = BillingPolicy(business_day="following")

    assert (
        [],
        [("unbilled_days_before_cancellation", "2026-03-01/2026-03-02")],
    ) == (dated(item), dated(item, policy=following))


def test_a_contract_end_bounds_what_a_cancellation_leaves_unbilled() -> None:
    """The contract ends on 5 March, five days before the cancellation (A17)."""
    item = rent(due_date_rule=DueDateRule(day_of_period=15), cancelled_on=day("2026-03-10"))
    terms = LeaseTerms(contract_end=day("2026-03-05"), recurring_bill_items=(item,))

    assert [{"days": "2026-03-01/2026-03-05", "count": "5"}] == facts(
        "unbilled_days_before_cancellation", terms
    )
