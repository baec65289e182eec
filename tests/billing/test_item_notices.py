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
DUE_LATE = opening(due="2026-02-10")
EARLY = rent(started_on=day("2026-01-01"))
FIVE_MONTHS = BillingCycle(period_length=5)
"""After an opening to 31 January 2026 it begins on 1 January 2027 (A8)."""


def dated(item: RecurringBillItem, policy: BillingPolicy | None = None) -> list[tuple[str, str]]:
    after = item.first_billing_period_bill_item.accounting_period.last
    rules = policy or BillingPolicy()
    schedule = Schedule(item.billing_cycle, item.due_date_rule, after, rules)
    found = item_notices(item, "recurring-1", schedule, BillingEnds.of(item, NEVER))
    return [(notice.code, str(Period.unchecked(first, last))) for first, last, notice in found]


def facts(code: str, item: RecurringBillItem | LeaseTerms) -> list[dict[str, str]]:
    return [found for known, found in noticed(item, EVER) if known == code]


def gap(**changes: Any) -> RecurringBillItem:  # noqa: ANN401
    """Return a rent of five months, which leaves out those after its opening period."""
    return rent(billing_cycle=FIVE_MONTHS, **changes)


def cancelled(on: str, due_day: int | None = None, **changes: Any) -> RecurringBillItem:  # noqa: ANN401
    """Return a rent that is cancelled on a day, due on the first day of a month or on another."""
    rule = DueDateRule() if due_day is None else DueDateRule(day_of_period=due_day)
    return rent(cancelled_on=day(on), due_date_rule=rule, **changes)


# fmt: off
DATED: list[tuple[RecurringBillItem, BillingPolicy | None, list[tuple[str, str]]]] = [
    # A plain rent needs no attention.
    (rent(), None, []),
    # A start before the opening's due date; both should be the first due date (A12).
    (EARLY, None, [("started_on_before_opening_due_date", "2026-01-01/2026-01-15")]),
    # 15 to 31 January is billed whole, however much of it lies past the end: a notice from its
    # first day to its due date (A17).
    *((rent(ended_on=day(end)), None, [("opening_past_end", "2026-01-15/2026-01-15")])
      for end in ("2026-01-15", "2026-01-30")),
    # Not past the end.
    (rent(ended_on=day("2026-01-31")), None, []),
    # It ends before it begins and is never billed: a notice on both days of the opening (A158).
    (rent(ended_on=day("2026-01-14")), None,
     [("ends_before_it_begins", "2026-01-15/2026-01-15")]),
    (rent(ended_on=day("2025-12-31"), first_billing_period_bill_item=DUE_LATE), None,
     [("ends_before_it_begins", f"{each}/{each}") for each in ("2026-01-15", "2026-02-10")]),
    # February is due on the 1st, the opening on the 10th (A12).
    (rent(first_billing_period_bill_item=DUE_LATE), None,
     [("due_before_opening", "2026-02-01/2026-02-10")]),
    # On the same day there is nothing to see; and February is never billed.
    (rent(first_billing_period_bill_item=opening(due="2026-02-01")), None, []),
    (rent(first_billing_period_bill_item=DUE_LATE, ended_on=day("2026-01-31")), None, []),
    # A gap concerns the days from one bill to the next, and at least its own days, so that no
    # window in it is without the notice (A13): from the opening's due date to the first regular
    # one; where the opening is due after the gap began; where the first regular bill falls due
    # inside the gap; in arrears, where it comes much later.
    *((gap(**changes), None, [("gap_after_opening_period", days)]) for days, changes in (
        ("2026-01-15/2027-01-01", {}),
        ("2026-02-01/2027-01-01", {"first_billing_period_bill_item": DUE_LATE}),
        ("2026-01-15/2026-12-31", {"due_date_rule": DueDateRule(day_of_period=-31)}),
        ("2026-01-15/2027-06-01", {"due_date_rule": ARREARS}),
        # It may reach the end of the calendar: five months later is in the year 10000.
        ("9999-01-01/9999-12-31",
         {"first_billing_period_bill_item": opening("9999-01-01/9999-01-31")}))),
    # April falls due on 27 March, before the cancellation on the 31st: it stays billed (A17).
    (cancelled("2026-03-31", -5), None, [("billed_after_cancellation", "2026-03-27/2026-04-01")]),
    # The opening was due on 5 January, is cancelled on the 10th, and starts on the 15th.
    (cancelled("2026-01-10", first_billing_period_bill_item=opening(due="2026-01-05")), None,
     [("billed_after_cancellation", "2026-01-05/2026-01-15")]),
    # March is due on the 15th; cancelled on the 10th, its first nine days are on no bill (A17).
    # Years later too, where old periods, billed one after another, are taken as one run.
    *((cancelled(f"{year}-03-10", 15), None,
       [("unbilled_days_before_cancellation", f"{year}-03-01/{year}-03-10")])
      for year in (2026, 2027, 2029, 2030, 2056)),
    # 1 March 2026 is a Sunday: moved to the 2nd, a cancellation then leaves 1 March (A11, A17).
    (cancelled("2026-03-02"), None, []),
    (cancelled("2026-03-02"), BillingPolicy(business_day="following"),
     [("unbilled_days_before_cancellation", "2026-03-01/2026-03-02")]),
]
FACTS: list[tuple[str, RecurringBillItem | LeaseTerms, list[dict[str, str]]]] = [
    ("started_on_before_opening_due_date", EARLY,
     [{"startedOn": "2026-01-01", "dueDate": "2026-01-15"}]),
    # The end may be that of the contract (A17, A158).
    ("ends_before_it_begins",
     LeaseTerms(contract_end=day("2025-12-31"), recurring_bill_items=(rent(),)),
     [{"end": "2025-12-31", "begins": "2026-01-15"}]),
    ("opening_past_end",
     LeaseTerms(contract_end=day("2026-01-20"), recurring_bill_items=(rent(),)),
     [{"accountingPeriod": "2026-01-15/2026-01-31", "end": "2026-01-20"}]),
    ("due_before_opening", rent(first_billing_period_bill_item=DUE_LATE),
     [{"dueDate": "2026-02-01", "openingDueDate": "2026-02-10"}]),
    # A period that starts on the last day is billed: its one day falls due before the opening does.
    ("due_before_opening",
     rent(first_billing_period_bill_item=DUE_LATE, ended_on=day("2026-01-31")), []),
    ("due_before_opening",
     rent(first_billing_period_bill_item=DUE_LATE, ended_on=day("2026-02-01")),
     [{"dueDate": "2026-02-01", "openingDueDate": "2026-02-10"}]),
    # Days left out up to the first regular period, which five months after January have next year
    # (A13): 334 from 1 February to 31 December 2026, all of the year but January. An end, or a
    # cancellation, leaves no days to bill after it, or none at all.
    ("gap_after_opening_period", gap(), [{"days": "2026-02-01/2026-12-31", "count": "334"}]),
    ("gap_after_opening_period", gap(ended_on=day("2026-03-31")),
     [{"days": "2026-02-01/2026-03-31", "count": "59"}]),
    ("gap_after_opening_period", gap(cancelled_on=day("2026-02-11")),
     [{"days": "2026-02-01/2026-02-10", "count": "10"}]),
    *(("gap_after_opening_period", gap(ended_on=day(end)), [])
      for end in ("2026-01-14", "2026-01-20", "2026-01-31")),
    ("billed_after_cancellation", cancelled("2026-03-31", -5),
     [{"accountingPeriod": "2026-04-01/2026-04-30", "cancelledOn": "2026-03-31"}]),
    # A due date long before its period leaves several (A17). 45 days before a month: April was due
    # on 15 February, May on 17 March, June on 17 April. From the first day of a month on, that
    # month counts as after the cancellation.
    *(("billed_after_cancellation",
       cancelled(on, -45, first_billing_period_bill_item=opening(due="2026-01-14")),
       [{"accountingPeriod": month, "cancelledOn": on} for month in months])
      for on, months in (
        ("2026-03-31", ("2026-04-01/2026-04-30", "2026-05-01/2026-05-31")),
        ("2026-04-01", ("2026-04-01/2026-04-30", "2026-05-01/2026-05-31")),
        ("2026-04-02", ("2026-05-01/2026-05-31",)))),
    # Only days that should be billed are missed, from the opening's first day to the end or the day
    # before the cancellation (A17).
    *(("unbilled_days_before_cancellation", item, [{"days": days, "count": count}])
      for item, days, count in (
        (cancelled("2026-03-10", 15), "2026-03-01/2026-03-09", "9"),
        # An end on 5 March, before the cancellation: five days to bill, and no bill. The end of the
        # contract as well.
        (cancelled("2026-03-10", 15, ended_on=day("2026-03-05")), "2026-03-01/2026-03-05", "5"),
        (LeaseTerms(contract_end=day("2026-03-05"),
                    recurring_bill_items=(cancelled("2026-03-10", 15),)),
         "2026-03-01/2026-03-05", "5"),
        # Not even the opening is billed, which counts from its first day on.
        (cancelled("2026-01-16", first_billing_period_bill_item=DUE_LATE),
         "2026-01-15/2026-01-15", "1"),
        (cancelled("2026-02-10", 20, first_billing_period_bill_item=DUE_LATE),
         "2026-01-15/2026-02-09", "26"))),
    # The opening is not billed but February is: the days before and after it.
    ("unbilled_days_before_cancellation",
     cancelled("2026-03-11", 12, first_billing_period_bill_item=opening(due="2026-03-20")),
     [{"days": "2026-01-15/2026-01-31", "count": "17"},
      {"days": "2026-03-01/2026-03-10", "count": "10"}]),
    # March is billed whole; on the 1st it ends with February; on the 15th the opening is not yet
    # due; in arrears the period under way is billed, whole.
    *(("unbilled_days_before_cancellation", item, []) for item in (
        cancelled("2026-03-02"), cancelled("2026-03-31"), cancelled("2026-03-01"),
        cancelled("2026-01-15"), rent(due_date_rule=ARREARS, cancelled_on=day("2026-03-10")))),
]
# fmt: on


@rows(("item", "policy", "said"), DATED)
def test_an_item_needs_attention_in_some_days(
    item: RecurringBillItem, policy: BillingPolicy | None, said: list[tuple[str, str]]
) -> None:
    assert said == dated(item, policy)


@rows(("code", "terms", "said"), FACTS)
def test_a_notice_tells(
    code: str, terms: RecurringBillItem | LeaseTerms, said: list[dict[str, str]]
) -> None:
    assert said == facts(code, terms)


def test_a_notice_names_its_item() -> None:
    after = EARLY.first_billing_period_bill_item.accounting_period.last
    schedule = Schedule(EARLY.billing_cycle, EARLY.due_date_rule, after)
    ((_, _, notice),) = item_notices(EARLY, "garage", schedule, BillingEnds.of(EARLY, NEVER))

    assert ("garage", "startedOn lies before the due date of the opening period") == (
        notice.item_id,
        notice.message,
    )


@rows(
    ("days", "count"),
    [
        ("2025-12-01/2025-12-31", 0),
        ("2026-01-01/2026-01-01", 1),
        ("2026-01-07/2026-01-08", 1),
        ("2026-01-15/2026-01-31", 1),
        ("2026-01-16/2026-12-31", 0),
    ],
)
def test_a_notice_is_in_the_answers_that_touch_its_days(days: str, count: int) -> None:
    """The days from 1 to 15 January are in question."""
    found = [code for code, _ in noticed(EARLY, days)]

    assert ["started_on_before_opening_due_date"] * count == found


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
