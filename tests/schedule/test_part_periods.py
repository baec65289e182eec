"""Shares: which part of a period some of its days are, by each of the eight methods (A20, A66)."""

from fractions import Fraction
from typing import Any, get_args

from rentbilling import BillingCycle, BillingPolicy, schedule
from rentbilling.policy import PartPeriod
from rentbilling.schedule.part_periods import month_parts, periods_covered, whole_before
from rentbilling.terms import periods_a_year
from rentbilling.values import Period
from tests.support.rents import period
from tests.support.rows import rows

MONTH = BillingCycle()
QUARTER = BillingCycle(period_length=3)
YEAR = BillingCycle(time_unit="Year")
WEEK = BillingCycle(time_unit="Week")
TEN_DAYS = BillingCycle(time_unit="Day", period_length=10)

JANUARY = "2026-01-01/2026-01-31"
FEBRUARY = "2026-02-01/2026-02-28"
FIRST_QUARTER = "2026-01-01/2026-03-31"
WHOLE_2026 = "2026-01-01/2026-12-31"
WHOLE_2024 = "2024-01-01/2024-12-31"

METHODS: tuple[PartPeriod, ...] = (
    "actual_days",
    "period_days",
    "thirty_day",
    "days_over_30",
    "year_365",
    "year_actual",
    "half_month",
    "full",
)


def span(days: str) -> tuple[int, int]:
    there = period(days)
    return there.first, there.last


def spans(*parts: str) -> list[tuple[int, int]]:
    return [span(part) for part in parts]


def fractions(shares: list[schedule.Share]) -> list[Fraction]:
    return [Fraction(*share) for share in shares]


def test_eight_methods_are_known() -> None:
    assert get_args(PartPeriod) == METHODS


@rows(
    ("cycle", "count"),
    [
        (MONTH, Fraction(12)),
        (QUARTER, Fraction(4)),
        (BillingCycle(period_length=5), Fraction(12, 5)),
        (YEAR, Fraction(1)),
        (BillingCycle(time_unit="Year", period_length=2), Fraction(1, 2)),
        (WEEK, Fraction(52)),
        (TEN_DAYS, Fraction(73, 2)),
    ],
)
def test_a_year_has_12_months_52_weeks_or_365_days(cycle: BillingCycle, count: Fraction) -> None:
    """Over the length of the cycle; `year_365` needs it (A20)."""
    assert count == periods_a_year(cycle)


def test_a_month_has_parts_for_days_of_every_length_of_month() -> None:
    """377,580 is the least that 28, 29, 30 and 31 divide: 4 · 7 · 29 · 3 · 5 · 31."""
    assert (377_580, [0, 0, 0, 0]) == (
        schedule.MONTH_PARTS,
        [schedule.MONTH_PARTS % length for length in (28, 29, 30, 31)],
    )


@rows(
    ("days", "start_day", "months"),
    [
        ("2026-01-15/2026-01-31", 1, Fraction(17, 31)),
        ("2026-02-01/2026-02-28", 1, Fraction(1)),
        ("2024-02-01/2024-02-28", 1, Fraction(28, 29)),
        # 15 of January's 31 days, February, 3 of March's 31.
        ("2026-01-17/2026-03-03", 1, Fraction(49, 31)),
        # Two months that meet: 17/31 and 10/28, which is 476/868 and 310/868.
        ("2026-01-15/2026-02-10", 1, Fraction(786, 868)),
        ("2026-01-15/2026-02-14", 15, Fraction(1)),
        # From the 15th: 5 of the 31 days of 15 December to 14 January, 17 of the 31 that follow.
        ("2026-01-10/2026-01-31", 15, Fraction(22, 31)),
        # From the 31st: 31 January to 27 February is a month, 28 February to 30 March the next.
        ("2026-01-31/2026-02-27", 31, Fraction(1)),
        ("2026-02-27/2026-02-28", 31, Fraction(1, 28) + Fraction(1, 31)),
        ("2026-01-01/2026-12-31", 1, Fraction(12)),
    ],
)
def test_days_are_counted_in_the_months_of_the_cycle(
    days: str, start_day: int, months: Fraction
) -> None:
    """A whole month counts 1, a cut one its days over its own days (A9, A20)."""
    assert months * schedule.MONTH_PARTS == month_parts(*span(days), start_day)


# The shares are in the order of METHODS. `full` is 1 whatever the days.
@rows(
    ("part", "whole", "cycle", "shares"),
    [
        # Leading days cut off, a month: 17 of 31; 30 − 15 + 1 = 16 of 30; 17 × 12/365.
        ("2026-01-15/2026-01-31", JANUARY, MONTH, "17/31 17/31 16/30 17/30 204/365 204/365 1 1"),
        # Closing days cut off, a February: 14 of 28; 14 of 30; 14 × 12/365; 14 days are a half.
        ("2026-02-01/2026-02-14", FEBRUARY, MONTH, "14/28 14/28 14/30 14/30 168/365 168/365 1/2 1"),
        # The same in a leap year.
        (
            "2024-02-01/2024-02-14",
            "2024-02-01/2024-02-29",
            MONTH,
            "14/29 14/29 14/30 14/30 168/365 168/366 1/2 1",
        ),
        # Both, a month of 30 days: 6 of them; 6 × 12/365.
        (
            "2026-04-10/2026-04-15",
            "2026-04-01/2026-04-30",
            MONTH,
            "6/30 6/30 6/30 6/30 72/365 72/365 1/2 1",
        ),
        # None: the whole is 1 by every method, 31 × 12/365 is not asked.
        (JANUARY, JANUARY, MONTH, "1 1 1 1 1 1 1 1"),
        # Leading, a quarter: (14/28 + 1)/3; 45 of 90; 16 + 30 of 90; 45 × 4/365; (1/2 + 1)/3.
        (
            "2026-02-15/2026-03-31",
            FIRST_QUARTER,
            QUARTER,
            "1/2 45/90 46/90 44/90 180/365 180/365 1/2 1",
        ),
        # Closing, a quarter: (1 + 17/28)/3; 48 of 90; 30 + 17 of 90; 48 × 4/365; (1 + 1)/3.
        (
            "2026-01-01/2026-02-17",
            FIRST_QUARTER,
            QUARTER,
            "45/84 48/90 47/90 47/90 192/365 192/365 2/3 1",
        ),
        # Both, a quarter: (22/31 + 1 + 20/31)/3; 22 + 28 + 20 of 90; 21 + 30 + 20; 70 × 4/365.
        (
            "2026-01-10/2026-03-20",
            FIRST_QUARTER,
            QUARTER,
            "73/93 70/90 71/90 72/90 280/365 280/365 1 1",
        ),
        # Leading, a year: (17/31 + 11)/12; 351 of 365; 16 + 330 of 360; 351/365; 12 of 12.
        (
            "2026-01-15/2026-12-31",
            WHOLE_2026,
            YEAR,
            "358/372 351/365 346/360 347/360 351/365 351/365 1 1",
        ),
        # Closing, a leap year: (1 + 29/29 + 10/31)/12; 70 of 366; 30 + 30 + 10; 70/365; 2½ of 12.
        (
            "2024-01-01/2024-03-10",
            WHOLE_2024,
            YEAR,
            "72/372 70/366 70/360 70/360 70/365 70/366 5/24 1",
        ),
        # A week has no months, so that all methods but one count 3 of 7 days.
        ("2026-01-05/2026-01-07", "2026-01-05/2026-01-11", WEEK, "3/7 3/7 3/7 3/7 3/7 3/7 3/7 1"),
        # So it is with ten days.
        (
            "2026-01-05/2026-01-08",
            "2026-01-05/2026-01-14",
            TEN_DAYS,
            "4/10 4/10 4/10 4/10 4/10 4/10 4/10 1",
        ),
    ],
)
def test_a_part_period_has_a_share_by_each_method(
    part: str, whole: str, cycle: BillingCycle, shares: str
) -> None:
    """Leading, closing, both, none; month, quarter, year, week, days (A20)."""
    found = [schedule.share_of(span(part), span(whole), cycle, method) for method in METHODS]

    assert [Fraction(share) for share in shares.split()] == found


@rows(
    ("part", "whole", "share"),
    [
        ("2026-01-01/2026-01-30", "2026-01-01/2026-01-31", "30/30"),
        ("2026-01-30/2026-01-31", "2026-01-01/2026-01-31", "1/30"),
        ("2026-01-31/2026-01-31", "2026-01-01/2026-01-31", "1/30"),
        ("2026-02-01/2026-02-27", "2026-02-01/2026-02-28", "27/30"),
        ("2026-02-26/2026-02-28", "2026-02-01/2026-02-28", "5/30"),
        ("2024-02-28/2024-02-29", "2024-02-01/2024-02-29", "3/30"),
        # 31 January to 27 February: from 30 to 27 a month later, 30 − 30 + 27 + 1 = 28 days.
        ("2026-01-31/2026-02-13", "2026-01-31/2026-02-27", "14/28"),
    ],
)
def test_in_months_of_thirty_days_both_ends_count(part: str, whole: str, share: str) -> None:
    """The 31st is the 30th; a February ends on its 30th, but does not begin there (A20)."""
    assert Fraction(share) == schedule.share_of(span(part), span(whole), MONTH, "thirty_day")


@rows(
    ("part", "share"),
    [
        ("2026-02-01/2026-02-14", "1/2"),
        ("2026-02-01/2026-02-15", "1"),
        ("2026-02-15/2026-02-28", "1/2"),
        ("2026-02-14/2026-02-28", "1"),
        ("2026-02-28/2026-02-28", "1/2"),
    ],
)
def test_up_to_14_days_are_half_a_month(part: str, share: str) -> None:
    """The 15th day makes it a whole one, at either end (A20)."""
    assert Fraction(share) == schedule.share_of(
        span(part), span("2026-02-01/2026-02-28"), MONTH, "half_month"
    )


@rows(
    ("days", "whole", "method", "share"),
    [
        # 183 of the 184 days from July to December would be 183 × 2/365 = 366/365 of a half-year.
        ("2026-07-01/2026-12-30", "2026-07-01/2026-12-31", "year_365", "1"),
        # In a leap year it is 183 × 2/366.
        ("2024-07-01/2024-12-30", "2024-07-01/2024-12-31", "year_actual", "1"),
        # July alone: 31 of the days of six months.
        ("2026-07-01/2026-07-31", "2026-07-01/2026-12-31", "days_over_30", "1/6"),
        # 30 of July's 31 days are a month of 30, 29 of them are not.
        ("2026-07-01/2026-07-30", "2026-07-01/2026-12-31", "days_over_30", "1/6"),
        ("2026-07-03/2026-07-31", "2026-07-01/2026-12-31", "days_over_30", "29/180"),
    ],
)
def test_no_part_is_worth_more_than_its_period(
    days: str, whole: str, method: PartPeriod, share: str
) -> None:
    half_year = BillingCycle(period_length=6)

    assert Fraction(share) == schedule.share_of(span(days), span(whole), half_year, method)


@rows(
    ("days", "whole", "cycle", "method", "share"),
    [
        # 16 to 31 January: 16 days.
        ("2026-01-16/2026-01-31", JANUARY, MONTH, "days_over_30", "16/30"),
        # A quarter that ends on 16 February: January whole, 16 days: (1 + 16/30) / 3.
        ("2026-01-01/2026-02-16", FIRST_QUARTER, QUARTER, "days_over_30", "46/90"),
        # February from the 15th, of 28 days: 14.
        ("2026-02-15/2026-02-28", FEBRUARY, MONTH, "days_over_30", "14/30"),
        # From the 16th to the 15th: 16 of the days of its second month.
        (
            "2026-01-16/2026-03-03",
            "2026-01-16/2026-04-15",
            BillingCycle(period_length=3, start_day=16),
            "days_over_30",
            "46/90",
        ),
        # A leap year of 366 days: 28 of February's 29, 28 × 12/366.
        ("2028-02-01/2028-02-28", "2028-02-01/2028-02-29", MONTH, "year_actual", "336/366"),
        # A year from 1 July 2027, ended on 31 March 2028: 184/365 and 91/366.
        (
            "2027-07-01/2028-03-31",
            "2027-07-01/2028-06-30",
            BillingCycle(time_unit="Year", start=7),
            "year_actual",
            f"{184 * 366 + 91 * 365}/{365 * 366}",
        ),
    ],
)
def test_days_over_30_and_over_the_days_of_their_own_year(
    days: str, whole: str, cycle: BillingCycle, method: PartPeriod, share: str
) -> None:
    """Each own month by itself; each calendar year by its own length (A66)."""
    assert Fraction(share) == schedule.share_of(span(days), span(whole), cycle, method)


@rows(
    ("days", "cycle", "periods"),
    [
        ("2026-01-15/2026-01-31", MONTH, Fraction(17, 31)),
        ("2026-01-15/2026-01-31", QUARTER, Fraction(17, 93)),
        # 16 of March's 31 days, and five months: (16/31 + 5) / 3.
        ("2026-03-16/2026-08-31", QUARTER, Fraction(171, 93)),
        ("2026-01-05/2026-01-18", WEEK, Fraction(2)),
        ("2026-01-05/2026-01-08", TEN_DAYS, Fraction(2, 5)),
    ],
)
def test_days_are_so_many_periods_long(days: str, cycle: BillingCycle, periods: Fraction) -> None:
    """In the cycle's own months, or its weeks or days; above 1 for long ones (A20)."""
    assert periods == periods_covered(span(days), cycle)


@rows(
    ("part", "cycle", "whole"),
    [
        ("2026-01-15/2026-01-31", MONTH, "2026-01-01/2026-01-31"),
        ("2026-01-15/2026-01-31", QUARTER, "2025-11-01/2026-01-31"),
        ("2026-01-15/2026-01-20", QUARTER, "2025-11-01/2026-01-31"),
        ("2026-01-15/2026-01-31", BillingCycle(start_day=20), "2026-01-20/2026-02-19"),
        ("2026-01-15/2026-01-19", BillingCycle(start_day=20), "2025-12-20/2026-01-19"),
        ("2026-01-15/2026-01-18", WEEK, "2026-01-12/2026-01-18"),
        ("2026-01-15/2026-01-18", TEN_DAYS, "2026-01-09/2026-01-18"),
    ],
)
def test_one_cycle_before_the_end_of_a_part(part: str, cycle: BillingCycle, whole: str) -> None:
    """As many months as the cycle has, to the end of the own month; or weeks, or days (A20)."""
    assert whole == str(Period.unchecked(*whole_before(period(part), cycle)))


# A quarter that changes on 15 February: 31 and 14 days, then 14 and 31.
HALVES = spans("2026-01-01/2026-02-14", "2026-02-15/2026-03-31")


@rows(
    ("method", "shares"),
    [
        # 1 + 14/28 months and as many: halves.
        *((method, "1/2 1/2") for method in METHODS if method != "thirty_day"),
        # 30 + 14 days and 16 + 30.
        ("thirty_day", "44/90 46/90"),
    ],
)
def test_the_whole_is_divided_over_the_parts_of_a_split(method: PartPeriod, shares: str) -> None:
    """By its own days for `thirty_day`, by months of the cycle for all others (A20)."""
    found = schedule.shares_of_parts(HALVES, schedule.WHOLE, QUARTER, method)

    assert [Fraction(share) for share in shares.split()] == fractions(found)


@rows(
    ("parts", "share", "cycle", "shares"),
    [
        # A change after one month: a third, and two thirds.
        (("2026-01-01/2026-01-31", "2026-02-01/2026-03-31"), (1, 1), QUARTER, "1/3 2/3"),
        # Cut on 17 February, 45/84 in all: 1 and 17/28 months, so 28/45 and 17/45 of that.
        (("2026-01-01/2026-01-31", "2026-02-01/2026-02-17"), (45, 84), QUARTER, "1/3 17/84"),
        # From the 15th: 17 and 14 of 31 days, across the end of January.
        (
            ("2026-01-15/2026-01-31", "2026-02-01/2026-02-14"),
            (1, 1),
            BillingCycle(start_day=15),
            "17/31 14/31",
        ),
        (("2026-01-05/2026-01-07", "2026-01-08/2026-01-11"), (1, 1), WEEK, "3/7 4/7"),
        (
            ("2026-01-05/2026-01-05", "2026-01-06/2026-01-07", "2026-01-08/2026-01-14"),
            (1, 2),
            TEN_DAYS,
            "1/20 2/20 7/20",
        ),
    ],
)
def test_the_parts_of_a_split_have_the_share_of_what_was_split(
    parts: tuple[str, ...], share: schedule.Share, cycle: BillingCycle, shares: str
) -> None:
    """A whole period, or one that an end has cut; nothing is lost (A20)."""
    found = fractions(schedule.shares_of_parts(spans(*parts), share, cycle, "actual_days"))

    assert ([Fraction(each) for each in shares.split()], Fraction(*share)) == (found, sum(found))


@rows(
    ("method", "whole", "share"),
    [
        (None, None, "45/84"),
        # Without the period: one quarter to the end of February, 31 + 31 + 28 = 90 days.
        ("period_days", None, "48/90"),
        ("period_days", "2026-01-01/2026-03-31", "48/90"),
        ("period_days", "2026-01-01/2026-02-28", "48/59"),
        ("thirty_day", None, "47/90"),
    ],
)
def test_the_share_of_a_period_can_be_asked_for_by_itself(
    method: Any,  # noqa: ANN401
    whole: str | None,
    share: str,
) -> None:
    """1 January to 17 February of a quarter, by the default and by other methods (A20)."""
    found = schedule.period_share(
        period("2026-01-01/2026-02-17"),
        QUARTER,
        whole=None if whole is None else period(whole),
        policy=None if method is None else BillingPolicy(part_period=method),
    )

    assert Fraction(share) == found


def test_the_share_of_a_part_longer_than_a_cycle_is_above_one() -> None:
    """15 January to 28 February: 17/31 of a month, and a month."""
    assert Fraction(48, 31) == schedule.period_share(period("2026-01-15/2026-02-28"), MONTH)
