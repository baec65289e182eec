"""What the library answers: amounts before and after, the percentage, what is billed in a year.

Law: every figure is the library's; here is only rounded to the decimals that a source prints.
What does not live here: what is asked (`leases`, `steps`), what a source expects (`figures`).
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from rentbilling import (
    AdjustmentResult,
    Period,
    RentAdjustment,
    amount_in_force,
    next_adjustment_date,
    pending_bills,
    rent_adjustments,
)
from tests.outside.index.leases import ITEM, Question, eve

_NOTHING: Final = Decimal(0)


class NotAskedError(LookupError):
    """The library would adjust on another day than the one that is asked for."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of the amount on the day of a question."""

    before: Decimal
    after: Decimal
    made: RentAdjustment | None
    """The adjustment; None where nothing happened."""
    is_one: bool = True
    """Whether it is the only adjustment that the figures are about."""
    left: Decimal = _NOTHING
    """What of a decrease was more than the amount."""

    @property
    def change(self) -> Decimal:
        made = self.made
        shown = made and (made.period_amount_change or made.balance_amount_change)
        return shown.amount if shown and self.is_one else self.after - self.before


def answer(asked: Question) -> Answer:
    """Return what the library answers.

    Raises:
        NotAskedError: Nothing can be adjusted on that day.
    """
    if next_adjustment_date(asked.terms, eve(asked.day)) != asked.day:
        raise NotAskedError(f"no adjustment falls on {asked.day}")
    found = _found(asked, asked.day)
    return Answer(
        before=in_force(asked, eve(asked.first)),
        after=in_force(asked, asked.day),
        made=found[0] if found else None,
        is_one=asked.first == asked.day,
        left=_left(found),
    )


def in_force(asked: Question, day: date) -> Decimal:
    return amount_in_force(
        asked.terms, ITEM, day, indices=asked.indices, policy=asked.policy
    ).amount


def _found(asked: Question, day: date) -> AdjustmentResult:
    return rent_adjustments(
        asked.terms, Period(day, day), indices=asked.indices, policy=asked.policy
    )


def _left(found: AdjustmentResult) -> Decimal:
    """Return what of a decrease was more than the amount, as a notice tells it."""
    told = [
        Decimal(dict(notice.facts)["left"])
        for notice in found.notices
        if notice.code == "adjustment_stopped_at_zero"
    ]
    return sum(told, _NOTHING)


def billed_in_year(asked: Question) -> Decimal:
    """Return the sum of the bills of the calendar year of a question, with its adjustments."""
    year = Period(date(asked.day.year, 1, 1), date(asked.day.year, 12, 31))
    policy = asked.policy.evolve(select="accounting_period")
    bills = pending_bills(asked.terms, year, indices=asked.indices, policy=policy)
    return sum((line.net_price.amount for bill in bills for line in bill.lines), _NOTHING)
