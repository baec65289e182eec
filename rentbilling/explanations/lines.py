"""Which item or balance a line is for, and how its amount comes about.

Law: a line is explained from the terms that it was computed from, and nothing else.
"""

from bisect import bisect_left
from datetime import date
from fractions import Fraction
from math import ceil

from rentbilling.adjustments import Moved
from rentbilling.billing import CompiledTerms, CorrectionFigures, LineFigures, RawLine
from rentbilling.explanations.adjustments import LeaseAdjustments
from rentbilling.explanations.items import (
    ItemExplainer,
    LineFacts,
    correction_facts,
    line_coin,
    vat_text,
    whole_line,
)
from rentbilling.explanations.operations import Coin, difference, period, product, stated
from rentbilling.explanations.working import Working
from rentbilling.terms import OneTimeBillItem
from rentbilling.values import NEVER, Period, Rounding, month_index, month_start


class LineExplainer:
    """Explains the lines of a lease."""

    __slots__ = ("_adjustments", "_explainers", "_places", "_source", "_terms")

    def __init__(self, source: CompiledTerms, adjustments: LeaseAdjustments | None) -> None:
        self._source = source
        self._terms = source.terms
        self._adjustments = adjustments
        self._places = {item_id: at for at, item_id in enumerate(source.terms.item_ids)}
        self._explainers: dict[int, ItemExplainer] = {}

    def explain(self, raw: RawLine, due: date) -> LineFacts:
        """Return what leads to a line."""
        if isinstance(raw[0], CorrectionFigures):
            return correction_facts(raw[0], raw, due, self._due_now(raw[0]))
        # A line that was missed is billed later than its own due date (A53).
        own = self._own_due(raw)
        facts = self._uncorrected(raw, own)
        if own == due:
            return facts
        note = "made up on the first bill after it was due"
        there = stated("due date", due, "A53", note, ("own due date", facts.due))
        return facts._replace(due=there)

    def _due_now(self, figures: CorrectionFigures) -> list[Working]:
        """Return what leads to the lines now due for the regular period of a correction.

        Empty where it is about other days, or about another amount than theirs.
        """
        at, regular = self._places.get(figures.item_id or "", NEVER), figures.regular
        if regular is None or at >= len(self._terms.recurring_bill_items):
            return []
        billed = self._source.billed_items[at]
        schedule, lines = billed.schedule, list[RawLine]()
        number = schedule.number_from(regular[0])
        begins, after = schedule.start_of(number), schedule.start_of(number + 1)
        if number < 0 or (begins, after - 1) != regular or begins > billed.end:
            return []
        due = schedule.due_of(number)
        billed.prices.add_lines(*regular, due, lines)
        own = [each for each in lines if each[0].vat.category == figures.vat.category]
        if sum(each[0].base for each in own) != figures.owed:
            return []
        return [self._uncorrected(each, date.fromordinal(due)).base for each in own]

    def _own_due(self, raw: RawLine) -> date:
        """Return the day on which a line falls due by the terms, whichever bill it is on."""
        figures, first, _ = raw
        if figures.kind == "balance":
            return date.fromordinal(first)
        at = self._places[figures.item_id or ""]
        recurring = self._terms.recurring_bill_items
        if figures.kind == "one_time":
            return self._terms.one_time_bill_items[at - len(recurring)].due_date
        if figures.kind == "opening":
            return recurring[at].first_billing_period_bill_item.due_date
        schedule = self._source.billed_items[at].schedule
        begins = first if figures.regular is None else figures.regular[0]
        return date.fromordinal(schedule.due_of(schedule.number_from(begins)))

    def _uncorrected(self, raw: RawLine, due: date) -> LineFacts:
        figures, first, last = raw
        if figures.kind == "balance":
            return self._of_balance(raw, due)
        at = self._places[figures.item_id or ""]
        if figures.kind == "one_time":
            at -= len(self._terms.recurring_bill_items)
            return self._of_one_time(self._terms.one_time_bill_items[at], raw, due)
        explainer = self._explainers.get(at)
        if explainer is None:
            billed = self._source.billed_items[at]
            explainer = ItemExplainer(billed, at, self._adjustments, line_coin(figures))
            self._explainers[at] = explainer
        if figures.kind == "opening":
            return explainer.opening(figures, self._source.policy)
        if figures.kind == "regular":
            return explainer.regular(figures, (first, last), due)
        return explainer.part(raw, due)

    def _of_one_time(self, item: OneTimeBillItem, raw: RawLine, due: date) -> LineFacts:
        """Return what leads to a line of a one-time item (A55)."""
        figures, first, last = raw
        own = self._source.policy.for_product(item.product_key)
        price = stated("unit price", item.amount, "A55", "stated by the one-time item")
        quantity = stated("quantity", figures.quantity, "A21")
        return LineFacts(
            whole_line(figures, own, price, quantity),
            price,
            stated("accounting period", Period.unchecked(first, last), "A55", "stated by the item"),
            stated("due date", due, "A55", "stated by the item"),
            quantity,
            stated("vat", vat_text(item.vat), "A27"),
        )

    def _of_balance(self, raw: RawLine, due: date) -> LineFacts:
        """Return what leads to a line for the change of a balance, or for an instalment (A39)."""
        figures, first, last = raw
        coin, policy = line_coin(figures), self._source.policy
        assert self._adjustments is not None  # noqa: S101 - a balance moves by plans alone
        price, day, place = self._instalment(figures, due, coin)
        own = policy.for_product(figures.product_key)
        quantity = stated("quantity", figures.quantity, "A21")
        days = stated(
            "accounting period",
            Period.unchecked(first, last),
            "A39",
            "from the due date to the end of its month",
        )
        there = stated("due date", due, "A39", "the day of the adjustment")
        if place:
            begins = date.fromordinal(month_start(month_index(day)))
            month = stated("month of the adjustment", begins, "A39")
            days = period("accounting period", "A39", month, place, 1, "Month", 1)
            there = stated("due date", due, "A39", "the first day of the month of the instalment")
        return LineFacts(
            whole_line(figures, own, price, quantity),
            price,
            days,
            there,
            quantity,
            stated("vat", vat_text(figures.vat), "A27", "stated by the plan"),
        )

    def _instalment(self, figures: LineFigures, due: date, coin: Coin) -> tuple[Working, int, int]:
        """Return an instalment, the day of the change that it is part of, and its number from 0."""
        adjustments, month = self._adjustments, month_index(due.toordinal())
        assert adjustments is not None  # noqa: S101 - for the type checkers
        once = self._source.policy.balance_change == "once"
        for history in adjustments.histories.balances.values():
            if history.balance_id != figures.item_id:
                continue
            months = history.balance.months
            count = 1 if once or months is None else ceil(months)
            done = history.until(due.toordinal())
            since = bisect_left(done, month - count + 1, key=_month_of)
            for moved in done[since:]:
                place = month - month_index(moved.day)
                fits = moved.day == due.toordinal() if place == 0 else due.day == 1
                if not fits or moved.after == moved.before:
                    continue
                whole = adjustments.balance_change(history, moved)
                part = _instalment_of(whole, count, place, coin, history.scale.mode)
                if part.result == coin.of_units(figures.base):
                    return part, moved.day, place
        raise RuntimeError(
            f"no change of a balance leads to the line of {figures.item_id} due {due}: "
            "this is a fault of rentbilling, please report it with the terms"
        )


def _month_of(moved: Moved) -> int:
    return month_index(moved.day)


def _instalment_of(whole: Working, count: int, place: int, coin: Coin, mode: Rounding) -> Working:
    """Return one instalment of a change: the difference of two rounded running totals (A21)."""
    if count == 1:
        return whole
    totals: list[Working] = []
    for at in (place + 1, place):
        share = Fraction(at, count)
        exact = product(f"{at} of {count} instalments", "A39", change=whole, share=share)
        totals.append(coin.rounded("running total", "A21", mode, instalments=exact))
    now, before = totals
    if place == 0:
        return now
    return difference("instalment", "A21", now=now, before=before)
