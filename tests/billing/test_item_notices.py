"""Notices of items: what a person should look at, and in which answers (A12, A13, A17, A158)."""

from datetime import timedelta
from typing import Any

import rentbilling as rb
from rentbilling.values import period_of
from tests.support.rents import day, noticed, opening, rent
from tests.support.rows import rows

EVER = "2020-01-01/2040-12-31"
ARREARS = rb.DueDateRule(relative_to="end")
DUE_LATE = opening(due="2026-02-10")
EARLY = rent(started_on=day("2026-01-01"))
ONE_DAY = timedelta(days=1)


def gap(**changes: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    """Return a rent of five months: after its opening they begin on 1 January 2027 (A8)."""
    return rent(billing_cycle=rb.BillingCycle(period_length=5), **changes)


def cancelled(on: str, due_day: int = 1, **changes: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    """Return a rent that is cancelled on a day, due on the first day of a month or on another."""
    rule = rb.DueDateRule(day_of_period=due_day)
    return rent(cancelled_on=day(on), due_date_rule=rule, **changes)


def late(on: str, due_day: int, due: str = "2026-02-10", **changes: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    return cancelled(on, due_day, first_billing_period_bill_item=opening(due=due), **changes)


def at_contract_end(last: str, item: rb.RecurringBillItem) -> rb.LeaseTerms:
    return rb.LeaseTerms.of(item, contract_end=last)


# fmt: off
# The lease, the code of its notice, the days that an answer must touch, and the notice's facts.
NOTICES: list[tuple[rb.RecurringBillItem | rb.LeaseTerms, str, str, list[dict[str, str]]]] = [
    (EARLY, "started_on_before_opening_due_date", "2026-01-01/2026-01-15",
     [{"startedOn": "2026-01-01", "dueDate": "2026-01-15"}]),
    # 15 to 31 January is billed whole, however much of it is past the end.
    (rent(ended_on=day("2026-01-30")), "opening_past_end", "2026-01-15/2026-01-15",
     [{"accountingPeriod": "2026-01-15/2026-01-31", "end": "2026-01-30"}]),
    (at_contract_end("2026-01-20", rent()), "opening_past_end", "2026-01-15/2026-01-15",
     [{"accountingPeriod": "2026-01-15/2026-01-31", "end": "2026-01-20"}]),
    (rent(ended_on=day("2026-01-14")), "ends_before_it_begins", "2026-01-15/2026-01-15",
     [{"end": "2026-01-14", "begins": "2026-01-15"}]),
    # February is due on the 1st, the opening on the 10th; a period of one day is billed.
    (rent(first_billing_period_bill_item=DUE_LATE), "due_before_opening", "2026-02-01/2026-02-10",
     [{"dueDate": "2026-02-01", "openingDueDate": "2026-02-10"}]),
    (rent(first_billing_period_bill_item=DUE_LATE, ended_on=day("2026-02-01")),
     "due_before_opening", "2026-02-01/2026-02-10",
     [{"dueDate": "2026-02-01", "openingDueDate": "2026-02-10"}]),
    # A gap concerns the days from one bill to the next, and at least its own days: 334 from
    # 1 February to 31 December 2026.
    *((gap(**changes), "gap_after_opening_period", days,
       [{"days": "2026-02-01/2026-12-31", "count": "334"}]) for days, changes in (
        ("2026-01-15/2027-01-01", {}),
        ("2026-02-01/2027-01-01", {"first_billing_period_bill_item": DUE_LATE}),
        ("2026-01-15/2026-12-31", {"due_date_rule": rb.DueDateRule(day_of_period=-31)}),
        ("2026-01-15/2027-06-01", {"due_date_rule": ARREARS}))),
    # An end, or a cancellation, leaves no days to bill after it.
    (gap(ended_on=day("2026-03-31")), "gap_after_opening_period", "2026-01-15/2027-01-01",
     [{"days": "2026-02-01/2026-03-31", "count": "59"}]),
    (gap(cancelled_on=day("2026-02-11")), "gap_after_opening_period", "2026-01-15/2027-01-01",
     [{"days": "2026-02-01/2026-02-10", "count": "10"}]),
    # April falls due on 27 March, before the cancellation on the 31st: it stays billed.
    (cancelled("2026-03-31", -5), "billed_after_cancellation", "2026-03-27/2026-04-01",
     [{"accountingPeriod": "2026-04-01/2026-04-30", "cancelledOn": "2026-03-31"}]),
    # The opening was due on 5 January, is cancelled on the 10th, and starts on the 15th.
    (late("2026-01-10", 1, "2026-01-05"), "billed_after_cancellation", "2026-01-05/2026-01-15",
     [{"accountingPeriod": "2026-01-15/2026-01-31", "cancelledOn": "2026-01-10"}]),
    # March is due on the 15th; cancelled on the 10th, its first nine days are on no bill. Years
    # later too, where old periods, billed one after another, are taken as one run.
    *((cancelled(f"{year}-03-10", 15), "unbilled_days_before_cancellation",
       f"{year}-03-01/{year}-03-10", [{"days": f"{year}-03-01/{year}-03-09", "count": "9"}])
      for year in (2026, 2027, 2029, 2030, 2036)),
    # An end before the cancellation, the item's or the contract's: five days, and no bill.
    *((lease, "unbilled_days_before_cancellation", "2026-03-01/2026-03-10",
       [{"days": "2026-03-01/2026-03-05", "count": "5"}]) for lease in (
        cancelled("2026-03-10", 15, ended_on=day("2026-03-05")),
        at_contract_end("2026-03-05", cancelled("2026-03-10", 15)))),
    # Not even the opening is billed, which counts from its first day on.
    (late("2026-01-16", 1), "unbilled_days_before_cancellation", "2026-01-15/2026-01-16",
     [{"days": "2026-01-15/2026-01-15", "count": "1"}]),
    (late("2026-02-10", 20), "unbilled_days_before_cancellation", "2026-01-15/2026-02-10",
     [{"days": "2026-01-15/2026-02-09", "count": "26"}]),
    # A hundred years before February of the year 50 no calendar has a day (A10).
    (rent(first_billing_period_bill_item=opening("0050-01-15/0050-01-31"),
          due_date_rule=rb.DueDateRule(day_of_period=-36_525), ended_on=day("0050-12-31")),
     "due_before_opening", "0001-01-01/0050-01-15",
     [{"dueDate": "0001-01-01", "openingDueDate": "0050-01-15"}]),
]
# A due date long before its period leaves several: April was due on 15 February, May on 17 March.
# From the first day of a month on, that month counts as after the cancellation.
SEVERAL: list[tuple[rb.RecurringBillItem, str, list[str]]] = [
    *((cancelled(on, -45, first_billing_period_bill_item=opening(due="2026-01-14")),
       "billed_after_cancellation accountingPeriod", months) for on, months in (
        ("2026-03-31", ["2026-04-01/2026-04-30", "2026-05-01/2026-05-31"]),
        ("2026-04-01", ["2026-04-01/2026-04-30", "2026-05-01/2026-05-31"]),
        ("2026-04-02", ["2026-05-01/2026-05-31"]))),
    # The opening is not billed but February is: the days before and after it.
    (late("2026-03-11", 12, "2026-03-20"), "unbilled_days_before_cancellation days",
     ["2026-01-15/2026-01-31", "2026-03-01/2026-03-10"]),
    # On both days of an opening that never comes.
    (rent(ended_on=day("2025-12-31"), first_billing_period_bill_item=DUE_LATE),
     "ends_before_it_begins end", ["2025-12-31"]),
]
SILENT: list[rb.RecurringBillItem] = [
    rent(),
    rent(ended_on=day("2026-01-31")),
    # On the same day there is nothing to see; and February is never billed.
    rent(first_billing_period_bill_item=opening(due="2026-02-01")),
    rent(first_billing_period_bill_item=DUE_LATE, ended_on=day("2026-01-31")),
    gap(ended_on=day("2026-01-31")),
    # March is billed whole; on the 1st it ends with February; on the 15th the opening is not yet
    # due; in arrears the period under way is billed, whole.
    *(cancelled(f"2026-{on}") for on in ("03-02", "03-31", "03-01", "01-15")),
    rent(due_date_rule=ARREARS, cancelled_on=day("2026-03-10")),
]
# fmt: on


@rows(("lease", "code", "days", "facts"), NOTICES)
def test_a_notice_is_in_the_answers_that_touch_its_days(
    lease: rb.RecurringBillItem | rb.LeaseTerms,
    code: str,
    days: str,
    facts: list[dict[str, str]],
) -> None:
    """On the first and the last of them, and neither before nor after."""
    touched = period_of(days)

    def found(on: Any) -> list[dict[str, str]]:  # noqa: ANN401
        return [said for known, said in noticed(lease, f"{on}/{on}") if known == code]

    assert (facts, facts) == (found(touched.start), found(touched.end))
    assert touched.first == 1 or not found(touched.start - ONE_DAY)
    assert not found(touched.end + ONE_DAY)


@rows(("item", "said", "values"), SEVERAL)
def test_several_days_have_a_notice_each(
    item: rb.RecurringBillItem, said: str, values: list[str]
) -> None:
    code, fact = said.split()

    assert values == [facts[fact] for known, facts in noticed(item, EVER) if known == code]


@rows("item", SILENT)
def test_an_item_that_needs_no_attention_has_none(item: rb.RecurringBillItem) -> None:
    assert not noticed(item, EVER)


def test_days_of_notices_end_with_the_calendar_and_are_written_as_periods_are() -> None:
    """Five months after January 9999 is the year 10000; 1 March 2026 is a Sunday (A4, A11)."""
    endless = gap(first_billing_period_bill_item=opening("9999-01-01/9999-01-31"))
    excluded = rb.BillingPolicy(period_end="excluded")
    moved = rb.BillingPolicy(business_day="following")
    days = "2026-03-01/2026-03-02"

    assert "9999-02-01/9999-12-31" == noticed(endless, "9999-12-31/9999-12-31")[0][1]["days"]
    assert (
        "2026-03-01/2026-03-10"
        == (noticed(cancelled("2026-03-10", 15), "2026-03", excluded)[0][1]["days"])
    )
    (notice,) = rb.pending_bills(cancelled("2026-03-02"), days, policy=moved).notices
    assert (
        "days before the cancellation are covered by no bill",
        {"days": "2026-03-01/2026-03-01", "count": "1"},
    ) == (notice.message, dict(notice.facts))
