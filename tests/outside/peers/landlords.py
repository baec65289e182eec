"""The judges of the peers that let homes, shops and land, and of documentation pages.

Law: the file's peer and the case's kind choose the judge. Where a case says that its figure is
wrong (SUSPECT, TRAP, quirk), ours must be another one.
What does not live here: how a case is judged (`landlords_*`).
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from rentbilling import RentBillingError
from tests.outside.board import PASSED, Case, Head, Judge, Verdict, failed, not_expressible
from tests.outside.peers import (
    landlords_charges,
    landlords_contracts,
    landlords_corrections,
    landlords_dates,
    landlords_indexation,
    landlords_invoices,
    landlords_land_rents,
    landlords_pages,
    landlords_prices,
    landlords_proration,
    landlords_ranges,
)

Answer = Callable[[Case], Verdict]

ANOTHER_PEER = not_expressible("another peer's case")

_KNOWN_WRONG = re.compile(r"SUSPECT|TRAP|\bquirk", flags=0)


def _missing(word: str) -> Answer:
    """Return the judge of what the library does not have, which says so in a word."""

    def judge(_: Case) -> Verdict:
        return not_expressible(word)

    return judge


_MVJ: Mapping[str, Answer] = MappingProxyType(
    {
        "range_split": landlords_ranges.mvj_range_split,
        "due_date": landlords_dates.mvj_due_date,
        "business_day": landlords_dates.mvj_business_day,
        "period_range": landlords_dates.mvj_period_range,
        "proration": landlords_proration.mvj_proration,
        "discount": landlords_prices.mvj_discount,
        "price_history": landlords_prices.mvj_price_history,
        "index_adjustment": landlords_land_rents.mvj_index_adjustment,
        "rounding_allocation": landlords_invoices.mvj_rounding_allocation,
    }
)
_ESTATIO: Mapping[str, Answer] = MappingProxyType(
    {
        "due_date": landlords_dates.estatio_due_date,
        "period_containing": landlords_dates.estatio_period_containing,
        "recurrence": landlords_dates.estatio_recurrence,
        "period_amounts": landlords_proration.estatio_period_amounts,
        "range_split": landlords_ranges.estatio_range_split,
        "price_history": landlords_charges.estatio_price_history,
        "discount": landlords_charges.estatio_discount,
        "deposit": landlords_charges.estatio_deposit,
        "index_adjustment": landlords_indexation.estatio_index_adjustment,
        "index_floor": landlords_indexation.estatio_index_floor,
        "index_rebase": landlords_indexation.estatio_index_rebase,
        "vat": landlords_invoices.single_vat,
        "vat_rounding": landlords_invoices.estatio_vat_rounding,
        "credit": landlords_corrections.estatio_credit,
        "tax_share": _missing("a tax shared between landlord and tenant"),
    }
)
_OCA: Mapping[str, Answer] = MappingProxyType(
    {
        "next_invoice_date": landlords_contracts.next_invoice_date,
        "next_period": landlords_contracts.next_period,
        "period_sequence": landlords_contracts.period_sequence,
        "proration_fraction": landlords_contracts.proration_fraction,
        "invoice_line": landlords_charges.discounted_line,
        "stepped_rent": landlords_indexation.oca_stepped_rent,
        "validation": landlords_charges.oca_validation,
    }
)
_NINJA: Mapping[str, Answer] = MappingProxyType(
    {
        "invoice_total": landlords_invoices.ninja_invoice_total,
        "due_date": landlords_dates.ninja_due_date,
        "cash_rounding": landlords_invoices.ninja_cash_rounding,
    }
)
_MICROREALESTATE: Mapping[str, Answer] = MappingProxyType(
    {
        "recurrence": landlords_dates.microrealestate_recurrence,
        "invoice_total": landlords_invoices.microrealestate_invoice_total,
        "validation": landlords_charges.microrealestate_validation,
        "balance": _missing("running_balance"),
    }
)
_TENTMAN: Mapping[str, Answer] = MappingProxyType(
    {
        "proration": landlords_proration.tentman_proration,
        "invoice_items": landlords_charges.tentman_invoice_items,
        "price_history": landlords_charges.tentman_price_history,
        "known_bug": landlords_charges.tentman_known_bug,
        "credit": landlords_invoices.tentman_credit,
    }
)
_PAGES: Mapping[str, Answer] = MappingProxyType(
    {
        "calendar_anchor": landlords_pages.pages_calendar_anchor,
        "recurrence": landlords_pages.pages_starts,
        "known_bug": landlords_pages.pages_starts,
        "next_invoice_date": landlords_pages.pages_starts,
        "period_containing": landlords_pages.pages_period_containing,
        "period_sequence": landlords_pages.pages_period_sequence,
        "elapsed_cycles": landlords_proration.pages_elapsed_cycles,
        "proration": landlords_proration.pages_proration,
        "proration_fraction": landlords_proration.pages_fraction,
        "discount": landlords_charges.discounted_line,
        "index_adjustment": landlords_indexation.pages_index_adjustment,
        "vat": landlords_invoices.single_vat,
        "vat_rounding": landlords_invoices.pages_vat_rounding,
        "rounding_allocation": landlords_invoices.pages_rounding_allocation,
    }
)

_LATER: Mapping[str, Answer] = MappingProxyType(
    {
        word: _missing(word)
        for word in (
            "index_adjustment",
            "index_floor",
            "index_rebase",
            "stepped_rent",
            "credit",
            "credit_cap",
            "running_balance",
            "service_charge",
            "turnover_rent",
            "usage",
        )
    }
)
"""What the library does not have, or what only other peers have a judge for."""

ANSWERS: Mapping[str, Mapping[str, Answer]] = MappingProxyType(
    {
        "mvj": _MVJ,
        "estatio": _ESTATIO,
        "oca/contract": _OCA,
        "invoice ninja": _NINJA,
        "microrealestate": _MICROREALESTATE,
        "tentman": _TENTMAN,
        "documentation pages": _PAGES,
    }
)
"""By a word of the peer's name, then by kind."""


def _answers_of(head: Head) -> Mapping[str, Answer] | None:
    peer = str(head.get("peer", "")).lower()
    return next((answers for word, answers in ANSWERS.items() if word in peer), None)


def judge(case: Case, head: Head) -> Verdict:
    answers = _answers_of(head)
    if answers is None:
        return ANOTHER_PEER
    kind = str(case["kind"])
    answer = answers.get(kind) or _LATER.get(kind)
    if answer is None:
        return failed(f"no judge for {kind}")
    try:
        verdict = answer(case)
    except RentBillingError as error:
        return failed(f"refused: {error}")
    except (KeyError, TypeError, ValueError) as error:
        return failed(f"no judge for this shape: {type(error).__name__} {error}")
    if _KNOWN_WRONG.search(str(case.get("about", ""))):
        return _beside_a_wrong_figure(verdict)
    return verdict


def _beside_a_wrong_figure(verdict: Verdict) -> Verdict:
    """Return the verdict turned round: a figure that is known as wrong must not be ours."""
    if verdict == PASSED:
        return failed("ours is the figure that is known as wrong")
    compared = verdict.outcome == "failed" and not verdict.reason.startswith("no judge")
    return PASSED if compared else verdict


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {kind: judge for answers in (*ANSWERS.values(), _LATER) for kind in answers}
)
