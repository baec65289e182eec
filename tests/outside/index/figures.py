"""The library's answers to a worked example, and the figures that the example prints.

Law: every figure is the library's. A percentage is compared after rounding ours half up to the
decimals that are printed; amounts are compared as they are.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import rentbilling as rb
from rentbilling.values import rounded
from tests.outside.board import PASSED, MismatchError, Verdict, failed, held_against
from tests.outside.index.leases import ITEM, Question, eve, question
from tests.outside.index.stated import Stated

_NOTHING: Final = Decimal(0)


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of the amount on the day of a question."""

    before: Decimal
    after: Decimal
    made: rb.RentAdjustment | None
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
    if rb.next_adjustment_date(asked.terms, eve(asked.day)) != asked.day:
        raise MismatchError(f"no adjustment falls on {asked.day}")
    found = _found(asked, asked.day)
    return Answer(
        before=in_force(asked, eve(asked.first)),
        after=in_force(asked, asked.day),
        made=found[0] if found else None,
        is_one=asked.first == asked.day,
        left=_left(found),
    )


def in_force(asked: Question, day: date) -> Decimal:
    return rb.amount_in_force(
        asked.terms, ITEM, day, indices=asked.indices, policy=asked.policy
    ).amount


def _found(asked: Question, day: date) -> rb.AdjustmentResult:
    return rb.rent_adjustments(
        asked.terms, rb.Period(day, day), indices=asked.indices, policy=asked.policy
    )


def _left(found: rb.AdjustmentResult) -> Decimal:
    """Return what of a decrease was more than the amount, as a notice says."""
    facts = [
        Decimal(dict(notice.facts)["left"])
        for notice in found.notices
        if notice.code == "adjustment_stopped_at_zero"
    ]
    return sum(facts, _NOTHING)


def billed_in_year(asked: Question) -> Decimal:
    year = rb.Period(date(asked.day.year, 1, 1), date(asked.day.year, 12, 31))
    policy = asked.policy.evolve(select="accounting_period")
    bills = rb.pending_bills(asked.terms, year, indices=asked.indices, policy=policy)
    return sum((line.net_price.amount for bill in bills for line in bill.lines), _NOTHING)


_HUNDRED: Final = 100
_YES: Final = frozenset({"true", "yes", "applied"})
_SHOWN: Final = Fraction(5, 10**7)
"""Half of the last decimal that an adjustment shows its percentages with (A35)."""


def figures_of(stated: Stated) -> Iterator[Verdict]:
    """Give the verdict about each figure that an example about an index or percentage prints."""
    asked = question(stated)
    found = answer(asked)
    yield _points(asked, found)
    yield from amounts(stated, asked, found)
    if stated.has("expected_percentage"):
        yield from _percentage(stated, found)
    if stated.has("calculated_pct_printed"):
        yield from _calculated(stated, found)
    for step in stated.index_steps:
        yield from _step(stated, asked, step)
    yield from _triggers(stated)


def amounts(stated: Stated, asked: Question, found: Answer) -> Iterator[Verdict]:
    expected = stated.number("expected_new_amount")
    if expected is not None:
        what, actual = "new amount", found.after
        if stated.is_year_total:
            what, actual = "bills of the year", billed_in_year(asked)
        elif stated.word("result") == "change":
            what, actual = "change", found.change
        yield held_against(expected, actual, what=what)
    expected = stated.number("expected_change")
    if expected is not None:
        yield held_against(expected, found.change, what="change")
    expected = stated.number("amount_left")
    if expected is not None:
        yield held_against(expected, found.left, what="amount left")
    if stated.has("monthly_printed"):
        yield _monthly(stated, found)


def _points(asked: Question, found: Answer) -> Verdict:
    """Return whether a rule that finds its points found those of the example."""
    stated = asked.compared and asked.compared.found
    if found.made is None or not stated:
        return PASSED
    effects = found.made.adjustment_rules_effects
    effect = next(each for each in effects if each.to_point is not None)
    return held_against(
        [str(point) for point in stated],
        [str(effect.from_point), str(effect.to_point)],
        what="points",
    )


def _step(stated: Stated, asked: Question, step: Mapping[str, Any]) -> Iterator[Verdict]:
    if step.get("expected") is not None:
        back = len(stated.index_steps) - 1 - stated.index_steps.index(step)
        day = asked.day.replace(year=asked.day.year - back)
        expected = Decimal(str(step["expected"]))
        yield held_against(expected, in_force(asked, day), what=f"amount on {day}")


def _percentage(stated: Stated, found: Answer) -> Iterator[Verdict]:
    """Give the verdict about the percentage applied: what an unrounded amount grows by."""
    fine = answer(question(stated, unrounded=True))
    applied = Fraction(fine.after) / Fraction(fine.before) - 1
    yield held_against(*_printed(stated.given("expected_percentage"), applied), what="percentage")
    effects = found.made.adjustment_rules_effects if found.made else ()
    shown = [each.applied_percentage for each in effects]
    if len(shown) == 1 and shown[0] is not None and found.is_one:
        near = abs(Fraction(shown[0]) - applied) <= _SHOWN
        yield held_against(True, near, what=f"{shown[0]} shown of the percentage")  # noqa: FBT003


def _calculated(stated: Stated, found: Answer) -> Iterator[Verdict]:
    """Give the verdict about the percentage before limits.

    It is the raw change; where a share is passed on, sources may print what is left of it.
    """
    whole = (
        found
        if found.made
        else answer(question(stated.without("threshold_pct", "threshold_points")))
    )
    effects = whole.made.adjustment_rules_effects if whole.made else ()
    raw = [each.calculated_percentage for each in effects if each.calculated_percentage is not None]
    text = stated.given("calculated_pct_printed")
    expected, shown = _printed(text, Fraction(raw[0] if raw else 0))
    if shown != expected and stated.number("share_of_index") not in {None, Decimal(_HUNDRED)}:
        fine = answer(question(stated.without("min_pct", "max_pct"), unrounded=True))
        _, shown = _printed(text, Fraction(fine.after) / Fraction(fine.before) - 1)
    yield held_against(expected, shown, what="calculated percentage")


def _printed(text: Any, fraction: Fraction) -> tuple[Decimal, Decimal]:  # noqa: ANN401
    expected = Decimal(str(text))
    places = max(0, -int(expected.as_tuple().exponent))
    return expected, rounded(fraction * _HUNDRED, places)


def _monthly(stated: Stated, found: Answer) -> Verdict:
    expected = Decimal(str(stated.given("monthly_printed")))
    places = max(0, -int(expected.as_tuple().exponent))
    made = found.made
    yearly = None if made is None else made.to_yearly_amount
    if yearly is None:
        return failed("monthly amount: nothing was adjusted")
    return held_against(expected, rounded(Fraction(yearly.amount) / 12, places), what="monthly")


# --- Thresholds -----------------------------------------------------------------------------------


def _triggers(stated: Stated) -> Iterator[Verdict]:
    for index, passes in (stated.extra.get("trigger_probe") or {}).items():
        yield held_against(
            str(passes).lower() in _YES,
            _is_adjusted(stated, Decimal(index)),
            what=f"adjusted at {index}",
        )
    printed = stated.number("trigger_index_printed")
    if printed is not None:
        yield from _trigger(stated, printed)


def _trigger(stated: Stated, printed: Decimal) -> Iterator[Verdict]:
    """Give the verdict about the lowest index that leads to an adjustment.

    With the decimals of the index it is the first value published above the threshold; without, it
    is the threshold itself, printed with some decimals.
    """
    step = Decimal(1).scaleb(int(printed.as_tuple().exponent))
    if stated.has("trigger_dp"):
        above, below = printed, printed - Decimal(1).scaleb(-int(stated.extra["trigger_dp"]))
    else:
        above, below = printed + step / 2, printed - step / 2
    for index, passes in ((above, True), (below, False)):
        yield held_against(passes, _is_adjusted(stated, index), what=f"adjusted at {index}")


def _is_adjusted(stated: Stated, index: Decimal) -> bool:
    return answer(question(stated, to_index=index)).made is not None
