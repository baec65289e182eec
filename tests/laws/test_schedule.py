"""The laws of accounting periods, due dates and shares of a period."""

from datetime import date, timedelta
from fractions import Fraction

from hypothesis import given, strategies as st

import rentbilling as rb
from rentbilling.policy import BusinessDay, PartPeriod
from rentbilling.schedule import period_share, to_rrule, to_rruleset
from rentbilling.testing.strategies.choices import Choices, chosen
from rentbilling.testing.strategies.items import HOLIDAYS, PLACES
from tests.oracle import (
    RegularPeriod,
    Stretch,
    due_day,
    regular_periods,
    rounded,
    share_of_days,
    shares_of_parts,
)
from tests.support.strategies import (
    amounts,
    business_days,
    cycles,
    days,
    due_date_rules,
    lattice_cycles,
    share_methods,
)

DAY = timedelta(days=1)
YEARS = timedelta(days=1500)


def following(after: date) -> rb.Period:
    return rb.Period(after + DAY, after + YEARS)


def spans(cycle: rb.BillingCycle, after: date) -> tuple[rb.Period, ...]:
    """Return the regular periods of some years after an opening period's last day."""
    return rb.accounting_periods(cycle, following(after), after=after)


def walked(cycle: rb.BillingCycle, after: date) -> list[RegularPeriod]:
    return regular_periods(cycle, Stretch(after, after), after + YEARS)


def of_stretch(stretch: Stretch) -> rb.Period:
    return rb.Period(stretch.first, stretch.last)


class TestPeriodsTile:
    """Regular periods follow each other without a gap and without an overlap (A8, A13)."""

    @given(cycles, days)
    def test_walking_the_calendar_day_by_day_finds_the_same_periods(
        self, cycle: rb.BillingCycle, after: date
    ) -> None:
        assert [of_stretch(one.span) for one in walked(cycle, after)] == list(spans(cycle, after))


class TestPeriodFromItsAnchor:
    """Period n is computed from the anchor, never from period n−1 (A8)."""

    @given(cycles, days, st.integers(0, 1499))
    def test_asking_in_two_goes_lists_what_one_go_lists(
        self, cycle: rb.BillingCycle, after: date, cut: int
    ) -> None:
        whole = following(after)
        parts = whole.split_at(whole.start + cut * DAY)

        assert spans(cycle, after) == tuple(
            one for part in parts for one in rb.accounting_periods(cycle, part, after=after)
        )

    @given(lattice_cycles, days)
    def test_a_cycle_that_stands_in_the_calendar_needs_no_opening_period(
        self, cycle: rb.BillingCycle, after: date
    ) -> None:
        """With and without the opening period's end, the same periods are found (A8)."""
        assert rb.accounting_periods(cycle, following(after)) == spans(cycle, after)


class TestRecurrences:
    """A cycle is a rule of dateutil, and its due dates are a set of it (A8, A10, A11)."""

    @given(cycles, days, st.integers(0, 1499))
    def test_a_rule_recurs_on_the_first_days_of_the_periods(
        self, cycle: rb.BillingCycle, after: date, cut: int
    ) -> None:
        for asked in following(after).split_at(after + DAY + cut * DAY):
            found = rb.accounting_periods(cycle, asked, after=after)
            rule = to_rrule(cycle, asked, after=after)

            assert [one.start for one in found] == [each.date() for each in rule]

    @given(cycles, days)
    def test_a_rule_without_an_end_goes_on_with_the_periods(
        self, cycle: rb.BillingCycle, after: date
    ) -> None:
        found = spans(cycle, after)
        first = rb.Period(after + DAY, found[0].start) if found else following(after)
        endless = to_rrule(cycle, first, after=after).replace(until=None)
        both = zip(found, endless, strict=False)

        assert all(one.start == each.date() for one, each in both)

    @given(cycles, days, due_date_rules, business_days)
    def test_a_set_has_the_due_dates_of_the_periods(
        self, cycle: rb.BillingCycle, after: date, rule: rb.DueDateRule, word: BusinessDay
    ) -> None:
        """Every period that may fall due in these years begins in twice as many around them."""
        policy = rb.BillingPolicy(business_day=word, holidays=HOLIDAYS)
        asked = rb.Period(after + 500 * DAY, after + 1000 * DAY)
        due = [
            rb.due_date(rule, one, cycle=cycle, policy=policy)
            for one in rb.accounting_periods(
                cycle, rb.Period(after + DAY, after + 4 * YEARS), after=after
            )
        ]
        found = to_rruleset(cycle, rule, asked, after=after, policy=policy)

        assert sorted({day for day in due if day in asked}) == [each.date() for each in found]


class TestDueDates:
    """Days are counted from the start of the regular period, or from its end in arrears."""

    @given(cycles, days, due_date_rules, business_days)
    def test_counting_days_finds_the_same_due_date(
        self, cycle: rb.BillingCycle, after: date, rule: rb.DueDateRule, word: BusinessDay
    ) -> None:
        """The oracle, which steps one day at a time, agrees (A10, A11, A51)."""
        policy = rb.BillingPolicy(business_day=word, holidays=HOLIDAYS)
        found = walked(cycle, after)[:8]

        assert [due_day(rule, one, policy) for one in found] == [
            rb.due_date(rule, of_stretch(one.span), cycle=cycle, policy=policy) for one in found
        ]

    @given(cycles, days, due_date_rules, business_days)
    def test_a_moved_due_date_is_a_business_day(
        self, cycle: rb.BillingCycle, after: date, rule: rb.DueDateRule, word: BusinessDay
    ) -> None:
        """Neither a weekend nor a holiday is left, unless nothing moves (A11)."""
        policy = rb.BillingPolicy(business_day=word, holidays=HOLIDAYS)
        for one in spans(cycle, after)[:5]:
            day = rb.due_date(rule, one, cycle=cycle, policy=policy)

            assert word == "none" or (day.isoweekday() <= 5 and day not in HOLIDAYS)


def choose_cut(choices: Choices) -> tuple[int, int]:
    return choices.below(1000), choices.below(1000)


def cut_at(period: Stretch, thousandths: int) -> date:
    return period.first + (len(period.days()) * thousandths // 1000) * DAY


class TestShares:
    """A part of a regular period is an exact fraction of it (A20)."""

    @given(cycles, days, share_methods, chosen(choose_cut))
    def test_weighing_day_by_day_gives_the_same_share(
        self, cycle: rb.BillingCycle, after: date, method: PartPeriod, cuts: tuple[int, int]
    ) -> None:
        policy = rb.BillingPolicy(part_period=method)
        for one in walked(cycle, after)[:3]:
            first, last = sorted(cut_at(one.span, cut) for cut in cuts)

            assert share_of_days(cycle, one, Stretch(first, last), method) == period_share(
                rb.Period(first, last), cycle, whole=of_stretch(one.span), policy=policy
            )

    @given(cycles, days, chosen(choose_cut), share_methods)
    def test_shares_of_a_split_sum_to_the_share_of_what_is_billed(
        self, cycle: rb.BillingCycle, after: date, cuts: tuple[int, int], method: PartPeriod
    ) -> None:
        for one in walked(cycle, after)[:3]:
            first, last = sorted(cut_at(one.span, cut) for cut in cuts)
            billed = Stretch(one.span.first, last)
            parts = [Stretch(billed.first, first), Stretch(first + DAY, last)]
            parts = parts if first < last else [billed]

            assert share_of_days(cycle, one, billed, method) == sum(
                shares_of_parts(cycle, one, billed, parts, method)
            )


class TestOpeningPeriodHelper:
    """The helper prices one whole cycle, or the days to the next possible start (A14, A151)."""

    @given(amount=amounts, cycle=cycles, moved_in=days, starts=st.booleans())
    def test_regular_periods_follow_it(
        self, amount: rb.Amount, cycle: rb.BillingCycle, moved_in: date, *, starts: bool
    ) -> None:
        first = walked(cycle, moved_in - DAY)[0].span
        moved_in = first.first if starts else moved_in
        opening = rb.first_billing_period(amount, cycle, moved_in)
        found, end = opening.accounting_period, opening.accounting_period.end
        possible = moved_in == first.first

        assert (moved_in, first.last if possible else first.first - DAY) == (found.start, end)
        whole = rounded(
            Fraction(amount.amount), Fraction(1, 10 ** PLACES[amount.currency]), "half_up"
        )
        assert not possible or whole == Fraction(opening.amount.amount)
        stretch = Stretch(found.start, end)
        for regular in (
            regular_periods(cycle, stretch, end + YEARS)[0].span.first,
            rb.accounting_periods(cycle, following(end), after=found)[0].start,
        ):
            assert end + DAY == regular

    @given(amounts, lattice_cycles, days, share_methods)
    def test_its_amount_is_the_share_of_the_regular_price(
        self, amount: rb.Amount, cycle: rb.BillingCycle, moved_in: date, method: PartPeriod
    ) -> None:
        policy = rb.BillingPolicy(part_period=method)
        opening = rb.first_billing_period(amount, cycle, moved_in, policy=policy)
        long_ago = moved_in - timedelta(days=800)
        before = regular_periods(cycle, Stretch(long_ago, long_ago), moved_in)[-1]
        share = share_of_days(cycle, before, Stretch(moved_in, before.span.last), method)
        places = PLACES[amount.currency]

        assert rounded(share * Fraction(amount.amount), Fraction(1, 10**places), "half_up") == (
            Fraction(opening.amount.amount)
        )
