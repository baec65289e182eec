"""Periods that are billed already, and what a later run corrects (Estatio, A53).

A run bills a period for what the term is worth in it, less what earlier invoices have for the same
period. In our words: the bills of the first run are earlier bills of the second.
Law: every amount, credits included, is on a bill; the days of a credit are those of its line.
What does not live here: periods that are billed once (`landlords_charges`, `landlords_proration`).
"""

from rentbilling import (
    Amount,
    AmountRecord,
    BillingCycle,
    BillingResult,
    PendingBillLineItem,
    Period,
    pending_bills,
)
from tests.outside.board import Case, Verdict, failed, held_against, not_expressible
from tests.outside.peers.landlords_dates import frequency
from tests.outside.peers.landlords_proration import frequency_price
from tests.outside.peers.landlords_terms import (
    CURRENCY,
    NOTHING,
    agrees,
    all_of,
    day_before,
    day_of,
    half_open,
    half_open_text,
    period_with,
    rent,
    total_of,
)

_ONCE = "a term that is billed once has no cycle"
_TERM = "term"


def _lines(bills: BillingResult) -> tuple[PendingBillLineItem, ...]:
    return tuple(line for bill in bills for line in bill.lines)


def estatio_credit(case: Case) -> Verdict:
    """Judge what comes back of a period that is billed when the lease ends inside it.

    The days of the period are its cycle, and before the term begins they cost nothing.
    """
    given, expected = case["input"], case["expected"]
    cycle, _ = frequency(given["frequency"])
    if cycle is None:
        return not_expressible(_ONCE)
    stated, _, days = given["already_invoiced"].partition(" for ")
    invoiced = half_open(days)
    whole = period_with(invoiced.start, cycle)
    price = frequency_price(given["annual_value"], given["frequency"])
    begins = AmountRecord(
        value=Amount(price, CURRENCY), start=max(whole.start, day_of(given["term_start"]))
    )
    by_days = BillingCycle(time_unit="Day", period_length=whole.days)
    term = rent(NOTHING, by_days, whole.start, id=_TERM, amount_records=(begins,))
    sent = pending_bills(term, whole)
    ended = term.evolve(ended_on=day_of(given["terminated"]))
    left = _lines(pending_bills(ended, whole, already_billed=sent))
    if not left:
        return failed("nothing comes back")
    concerned = Period(left[0].accounting_period.start, left[-1].accounting_period.end)
    return all_of(
        (
            agrees(stated, total_of(_lines(sent)), what="invoiced"),
            agrees(expected["amount"], total_of(left)),
            held_against(expected["effective_period"], half_open_text(concerned), what="days"),
        )
    )


def estatio_repriced_period(case: Case) -> Verdict:
    """Judge the amount of a period once a run reaches the day that another value is known from.

    From such a run on, the term is worth that value on all its days. The peer's case puts the
    whole amount in the place of an invoice that is still a draft; ours is what the first run
    bills, and what the second one adds to it.
    """
    given = case["input"]
    period, word = half_open(given["period"]), given["frequency"]
    cycle, _ = frequency(word)
    if cycle is None:
        return not_expressible(_ONCE)
    base, later = (frequency_price(given[name], word) for name in ("base_value", "indexed_value"))
    known = day_of(given["indexed_effective"]) <= day_before(day_of(given["run_until"]))
    term = rent(base, cycle, period.start, id=_TERM)
    sent = pending_bills(term, period)
    now = term.evolve(amount=Amount(later, CURRENCY)) if known else term
    left = pending_bills(now, period, already_billed=sent)
    return agrees(case["expected"]["amount"], total_of((*_lines(sent), *_lines(left))))
