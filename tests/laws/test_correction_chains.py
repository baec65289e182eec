"""The laws of bills that are told month after month: what is not told is not judged (A53)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from hypothesis import given, strategies as st

import rentbilling as rb
from rentbilling.testing.strategies.choices import EPOCH, Choices, chosen
from rentbilling.testing.strategies.items import CURRENCIES, choose_policy, choose_terms
from tests.laws.test_corrections import (
    DAY,
    by_due_date,
    choose_later,
    schedules,
    tells_no_beginning,
    with_ids,
)
from tests.support.billed_sums import billed
from tests.support.strategies import policies

MONTHS = [rb.Period(EPOCH + 31 * at * DAY, EPOCH + (31 * at + 30) * DAY) for at in range(2, 7)]
BEGINNING = EPOCH - 400 * DAY


def choose_chain(choices: Choices) -> list[rb.LeaseTerms]:
    """Choose a lease as it is known month after month; one-time items are another matter."""
    terms = with_ids(choose_terms(choices, choices.pick((*CURRENCIES, None))))
    chain = [terms.evolve(one_time_bill_items=())]
    for at in range(1, len(MONTHS)):
        later = chain[-1]
        if choices.rarely(2):
            later = choose_later(choices, later, f"new-{at}").evolve(one_time_bill_items=())
        chain.append(later)
    return chain


chains = chosen(choose_chain, 1600)
by_accounting_period = chosen(
    lambda choices: choose_policy(choices).evolve(select="accounting_period", business_day="none")
)


class Month(NamedTuple):
    """A month of a chain in which only the bills of the month before are told."""

    terms: rb.LeaseTerms
    period: rb.Period
    policy: rb.BillingPolicy
    told: Sequence[rb.BillingResult]
    """All results before it."""
    found: rb.BillingResult

    @property
    def since(self) -> date:
        """The day from which bills were told."""
        return min(bill.due_date for bill in self.told[-1])

    def billed(self, period: rb.Period | None = None, **beside: Any) -> rb.BillingResult:  # noqa: ANN401
        return rb.pending_bills(self.terms, period or self.period, policy=self.policy, **beside)

    def is_left_alone(self) -> bool:
        """Return whether each line is owed since the first told bill, or corrects a told line."""
        owed = self.billed(rb.Period(self.since, self.period.end))
        return corrects_what_was_told(self) and lines_of(self.found) <= lines_of(owed)


def months(
    chain: Sequence[rb.LeaseTerms], policy: rb.BillingPolicy, *, moves: bool = False
) -> Iterator[Month]:
    """Give the months of a chain after those that have bills.

    Where cycles or due dates move, a bill may be for a part of what is owed instead; and by
    accounting periods the parts of a period stand on the bills of two months: where they become one
    again, nobody can tell from the second what the first was. The chain ends there.
    """
    may_refuse = moves or policy.select == "accounting_period"
    done: list[rb.BillingResult] = []
    for terms, period in zip(chain, MONTHS, strict=True):
        try:
            found = rb.pending_bills(terms, period, policy=policy, already_billed=done[-1:])
        except rb.InvalidInputError as error:
            if (
                not (may_refuse or tells_no_beginning(done[-1]))
                or error.problems[0].code != "untold_bills"
            ):
                raise
            return
        if done and done[-1].bills:
            yield Month(terms, period, policy, tuple(done), found)
        done.append(found)


def lines_of(result: rb.BillingResult) -> Counter[tuple[str | None, rb.Period, int]]:
    """Return the lines of a result that are no corrections: item, days and what they come to."""
    lines = (line for bill in result for line in bill.lines if line.kind != "correction")
    return Counter((line.item_id, line.accounting_period, line.figures.base) for line in lines)


def periods_of(result: rb.BillingResult, *, corrected: bool) -> list[tuple[str | None, rb.Period]]:
    """Return items and regular periods of the corrections of a result, or of its other lines."""
    lines = (line for bill in result for line in bill.lines)
    return [
        (line.item_id, line.regular_period or line.accounting_period)
        for line in lines
        if (line.kind == "correction") is corrected
    ]


def corrects_what_was_told(month: "Month") -> bool:
    """Return whether each correction is about a told line that is no correction."""
    known = periods_of(month.told[-1], corrected=False)
    return all(is_about(known, *about) for about in periods_of(month.found, corrected=True))


def is_about(
    known: Sequence[tuple[str | None, rb.Period]], item_id: str | None, about: rb.Period
) -> bool:
    """Return whether a period of an item has a day in common with one that is known."""
    return any(
        item_id == mine and days.start <= about.end and about.start <= days.end
        for mine, days in known
    )


class TestOnlyTheLastMonthIsTold:
    """The bills of the month before are all that is told, and terms change every other month."""

    @given(chains, by_due_date)
    def test_what_was_due_before_the_first_told_bill_is_left_alone(
        self, chain: list[rb.LeaseTerms], policy: rb.BillingPolicy
    ) -> None:
        """All bills with a first day give what those since that day give."""
        for month in months(chain, policy):
            assert month.is_left_alone()
            more = month.billed(already_billed=month.told, billed_since=month.since)
            assert month.found == more

    @given(chains, st.lists(schedules, min_size=len(MONTHS), max_size=len(MONTHS)), by_due_date)
    def test_it_is_so_where_cycles_and_due_dates_move(
        self, chain: list[rb.LeaseTerms], moves: list[dict[str, Any]], policy: rb.BillingPolicy
    ) -> None:
        """Every other month: what is not refused is owed since then, or about a told line."""
        for at in range(2, len(chain), 2):
            items = chain[at].recurring_bill_items
            moved = tuple(item.evolve(**moves[at]) for item in items)
            chain[at] = chain[at].evolve(recurring_bill_items=moved)
        assert all(month.is_left_alone() for month in months(chain, policy, moves=True))

    @given(chains, policies)
    def test_telling_more_changes_no_line_of_the_asked_days(
        self, chain: list[rb.LeaseTerms], policy: rb.BillingPolicy
    ) -> None:
        for month in months(chain, policy):
            more, asked = month.billed(already_billed=month.told), lines_of(month.billed())

            assert asked & lines_of(month.found) == asked & lines_of(more)

    @given(chains, by_accounting_period)
    def test_it_is_so_by_accounting_periods_too(
        self, chain: list[rb.LeaseTerms], policy: rb.BillingPolicy
    ) -> None:
        for month in months(chain, policy):
            known = periods_of(month.told[-1], corrected=False)
            first = min((days.start for _, days in known), default=month.period.start)
            made_up = lines_of(month.found) - lines_of(month.billed())
            assert corrects_what_was_told(month)
            assert all(first <= days.start for _, days, _ in made_up)


class TestAllIsTold:
    """Every bill so far is told."""

    @given(chains, policies)
    def test_in_the_end_everything_is_billed_once(
        self, chain: list[rb.LeaseTerms], policy: rb.BillingPolicy
    ) -> None:
        done: list[rb.BillingResult] = []
        for terms, period in zip(chain, MONTHS, strict=True):
            more = rb.BillingResult(())
            for _ in range(2):
                more = rb.pending_bills(
                    terms, period, policy=policy, already_billed=done, billed_since=BEGINNING
                )
                done.append(more)
            fresh = rb.pending_bills(terms, rb.Period(BEGINNING, period.end), policy=policy)

            assert billed(fresh) == billed(*done)
            assert () == more.bills
