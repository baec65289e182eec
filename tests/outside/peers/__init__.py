"""The judges of the cases of other billing systems (`peers/` of the outside cases).

A module a system translates its terms: an answer reads the input of a case and returns our figures
by the names of the case. Systems that sell subscriptions share one table of answers, found by the
kind of a case and the fields of its input; each landlords' system has one of its own.
Law: a case is judged under the convention of its own file, and never by its id. A kind that asks
for more than the library has is not expressible, with that word as the reason. Where a case says
that its only figure is wrong (SUSPECT, TRAP, quirk), ours must be another one.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rentbilling import RentBillingError
from tests.outside.board import (
    PASSED,
    Case,
    Head,
    MismatchError,
    UnsaidError as UnsaidError,
    Verdict,
    failed,
    not_expressible,
)
from tests.outside.peers import (
    changes,
    cycles,
    discounts,
    estatio,
    invoice_ninja,
    kill_bill,
    microrealestate,
    mvj,
    oca,
    pages,
    tentman,
    turnover,
)
from tests.outside.peers.asked import Answer, Asked, compared

_KNOWN_BUG: Final = "known_bug"
_WRONG_ON_PURPOSE: Final = re.compile(r"SUSPECT|TRAP|\bquirk", flags=0)
_LACKING: Final = ("credit_cap", "service_charge", "usage")
"""Kinds that ask for more than the library has."""
_OTHER_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {"tax_share": "a tax shared between landlord and tenant"}
)


@dataclass(frozen=True, slots=True)
class Rule:
    """An answer to cases of a kind whose input has some fields."""

    kind: str
    fields: frozenset[str]
    answer: Answer


def _rules(*rows: tuple[str, str, Answer]) -> tuple[Rule, ...]:
    return tuple(Rule(kind, frozenset(fields.split()), answer) for kind, fields, answer in rows)


_FRACTION, _CHANGE, _RANGE = "proration_fraction", "mid_period_change", "period_range"
_RUN: Final = "start end target_date bcd period mode"
_METEROID: Final = "billing_period billing_start target billing_day"

_SUBSCRIPTIONS: Final = _rules(
    ("recurrence", "date period n", cycles.some_cycles_on),
    ("whole_periods", "start end period", cycles.whole_periods),
    ("billing_interval", _RUN, kill_bill.run_dates),
    ("proration", _RUN, kill_bill.cycles_owed),
    ("invoice_items", "target_date currency events existing_items", kill_bill.items_owed),
    ("day_count", "startDate endDate fixed_days_in_month", changes.days_between),
    (
        _FRACTION,
        "startDate nextBillingCycleDate fixed_days_in_month period",
        changes.days_before_a_cycle,
    ),
    (
        _FRACTION,
        "endDate previousBillThroughDate fixed_days_in_month period",
        changes.days_after_a_cycle,
    ),
    ("calendar_anchor", "start period", cycles.calendar_start),
    ("next_billing_date", "current_period_start billing_anchor unit period", cycles.next_date),
    (
        _CHANGE,
        "old_price old_quantity new_price new_quantity change_date period",
        changes.changed_lines,
    ),
    (_RANGE, _METEROID, cycles.around_a_date),
    (
        _RANGE,
        "billing_period invoice_date billing_start_or_resume_date billing_day",
        cycles.before_a_bill_day,
    ),
    (_RANGE, "billing_period invoice_date billing_day is_first_period", cycles.from_a_bill_day),
    ("elapsed_cycles", _METEROID, cycles.cycles_begun),
    (_FRACTION, "period to_date", changes.cut_period),
    (_FRACTION, "period from_date", changes.cut_period),
    (_CHANGE, "period old_amount new_amount change_date", changes.changed_amount),
    (_CHANGE, "period change_date added_monthly", changes.changed_amount),
    (_CHANGE, "period change_date removed_monthly", changes.changed_amount),
    ("discount", "subtotal discounts", discounts.one_after_another),
    (
        "billing_period",
        "interval billing_time pay_in_advance subscription_at started_at billing_at asked",
        cycles.billed_at,
    ),
    (
        _RANGE,
        "interval interval_count start_date trial_end reference_date asked",
        cycles.with_a_trial,
    ),
    (_FRACTION, "start end", changes.months_in_between),
    ("proration", "amount interval start period", changes.calendar_part),
    ("discount", "lines discounts", discounts.stacked),
    (
        "discount",
        "amount interval start billed discount_percent discount_duration",
        discounts.for_some_time,
    ),
    ("recurrence", "start cycle count", cycles.first_dates),
    (_CHANGE, "period old new change_on", changes.changed_plan),
    (
        _CHANGE,
        "period unit_price quantity new_quantity change_on next_period_unit_price",
        changes.changed_quantity,
    ),
    ("discount", "percent lines", discounts.on_lines_or_total),
    ("discount_allocation", "discount lines", discounts.discount_shares),
    ("rounding", "value digits mode", discounts.rounded_value),
    (_KNOWN_BUG, "anchor_day discount_from months cycle", discounts.for_some_months),
    ("next_period", "start add", cycles.something_added),
    ("period_containing", "anchor cycle date", cycles.cycle_around),
    ("proration", "amount currency full_period service_period method", changes.served_part),
    ("rounding_allocation", "currency amount weights", discounts.weighted_shares),
    ("validation", "currency amount weights", discounts.refused_shares),
)
_MVJ: Final = _rules(
    ("range_split", "range1 subtract_range", mvj.range_less_another),
    ("range_split", "ranges subtract_ranges", mvj.ranges_less_others),
    ("range_split", "date_range count", mvj.range_in_parts),
    ("range_split", "start_date1 end_date1 start_date2 end_date2", mvj.range_left),
    ("range_split", "rent_start_date rent_end_date", mvj.is_in_force),
    ("range_split", "rent_cycle the_date", mvj.rent_year),
    ("range_split", "range_start range_end", mvj.range_by_years),
    ("range_split", "items", mvj.grouped),
    ("range_split", "s1 e1 s2 e2", mvj.overlap),
    ("range_split", "ranges", mvj.ranges_alone),
    ("due_date", "billing_period", mvj.is_last_of_year),
    ("due_date", "rent_due_dates start_date", mvj.custom_dates),
    ("due_date", "rent_due_dates", mvj.billed_by_custom_date),
    ("due_date", "due_date", mvj.billed_by_date),
    ("due_date", "start_date", mvj.dates_in_range),
    ("due_date", "rent_type", mvj.dates_of_a_year),
    ("business_day", "the_day", mvj.business_day),
    (_RANGE, "year due_dates_per_year", mvj.periods_of_a_year),
    ("proration", "overlap", mvj.part_of_amount),
    ("discount", "rent_amount_left", mvj.pot),
    ("discount", "dry_run", mvj.pot),
    ("discount", "rent_adjustments_kwargs", mvj.change_of_rent),
    ("discount", "adjustment_type1", mvj.changed_twice),
    ("discount", "discount_item", mvj.changed_item),
    ("discount", "adjustment_amount_type", mvj.changed),
    ("price_history", "amount1", mvj.two_rents),
    ("price_history", "fixed_initial_start_date", mvj.fixed_rent),
    ("index_adjustment", "the_date", mvj.index_used),
    ("index_adjustment", "range", mvj.rent_by_index),
    ("rounding_allocation", "shares", mvj.shares_of_amount),
    ("rounding_allocation", "rents_per_year", mvj.bills_of_a_year),
)
_ESTATIO: Final = _rules(
    ("due_date", "frequency", estatio.due_dates),
    ("period_containing", "date frequency", estatio.period_containing),
    ("recurrence", "date rule", estatio.next_start),
    ("period_amounts", "frequency", estatio.period_amounts),
    ("range_split", "period already", estatio.left_of_period),
    ("price_history", "period", estatio.repriced_period),
    ("price_history", "date", estatio.value_in_force),
    ("discount", "rent discount_percent", estatio.credited_discount),
    ("deposit", "yearly_rent fraction_of_year", estatio.deposit),
    ("index_adjustment", "method", estatio.index_adjustment),
    ("index_floor", "method", estatio.index_floor),
    ("index_rebase", "bases", estatio.index_rebase),
    ("vat", "", pages.single_vat),
    ("vat_rounding", "items", estatio.vat_rounding),
    ("credit", "frequency", estatio.credit),
    ("turnover_rent", "rule turnover", turnover.by_brackets),
    ("turnover_rent", "base_rent_of_period", turnover.above_base_rent),
)
_OCA: Final = _rules(
    ("next_invoice_date", "rule invoicing", oca.next_invoice_date),
    ("next_period", "rule invoicing", oca.next_period),
    ("period_sequence", "rule invoicing", oca.period_sequence),
    (_FRACTION, "rule invoicing", oca.proration_fraction),
    ("invoice_line", "discount_percent", oca.discounted_line),
    ("stepped_rent", "price from_date", oca.stepped_rent),
    ("validation", "discount_percent", oca.validation),
)
_INVOICE_NINJA: Final = _rules(
    ("invoice_total", "lines document_discount", invoice_ninja.invoice_total),
    ("due_date", "rule date", invoice_ninja.due_on_a_day),
    ("cash_rounding", "lines round_total_to", invoice_ninja.cash_rounding),
)
_MICROREALESTATE: Final = _rules(
    ("recurrence", "unit begin", microrealestate.number_of_periods),
    ("invoice_total", "month items", microrealestate.invoice_total),
    ("balance", "month items unpaid_previous", microrealestate.with_balance),
    ("running_balance", "months items", microrealestate.running_balance),
    ("validation", "begin end", microrealestate.validation),
)
_TENTMAN: Final = _rules(
    ("proration", "billing_period service_period", tentman.part_of_period),
    ("invoice_items", "items billing_period", tentman.items_of_period),
    ("price_history", "terms billing_period", tentman.terms_of_period),
    (_KNOWN_BUG, "items billing_period", tentman.every_cycle),
    ("credit", "line credit_gross", tentman.credit),
)
_PAGES: Final = _rules(
    ("calendar_anchor", "", pages.first_period),
    ("recurrence", "", pages.starts),
    (_KNOWN_BUG, "", pages.starts),
    ("next_invoice_date", "", pages.starts),
    ("period_containing", "", pages.first_periods),
    ("period_sequence", "", pages.parts_and_periods),
    ("elapsed_cycles", "", pages.months_served),
    ("proration", "amount method", pages.price),
    (_FRACTION, "method", pages.share),
    ("discount", "discount_percent", oca.discounted_line),
    ("index_adjustment", "", pages.index_adjustment),
    ("vat", "", pages.single_vat),
    ("vat_rounding", "lines", pages.vat_rounding),
    ("rounding_allocation", "amount weights", pages.shared_out),
    ("turnover_rent", "turnover bands", turnover.by_bands),
)

_SYSTEMS: Final[Mapping[str, tuple[Rule, ...]]] = MappingProxyType(
    dict.fromkeys(
        ("kill bill", "flexprice", "openmeter", "polar", "silver", "meteroid", "lago"),
        _SUBSCRIPTIONS,
    )
    | {
        "mvj": _MVJ,
        "estatio": _ESTATIO,
        "oca/contract": _OCA,
        "invoice ninja": _INVOICE_NINJA,
        "microrealestate": _MICROREALESTATE,
        "tentman": _TENTMAN,
        "documentation pages": _PAGES,
    }
)
"""By a word of a system's name."""


def judge(case: Case, head: Head) -> Verdict:
    peer = str(head.get("peer", "")).lower()
    rules = next((rules for name, rules in _SYSTEMS.items() if name in peer), None)
    rule = None if rules is None else _rule_for(case, rules)
    if rule is None:
        return _unanswered(case, rules)
    if not case["expected"]:
        return not_expressible("a figure: the case states none")
    try:
        return _beside_the_wrong(case, _compared(rule, case, head))
    except RentBillingError:
        if any(case["expected"].get(name) for name in ("error", "refused")):
            return PASSED
        raise


def _unanswered(case: Case, rules: tuple[Rule, ...] | None) -> Verdict:
    """Return the verdict on a case that has no answer: by its kind, or the fields of its input."""
    kind = str(case["kind"])
    if rules is None:
        known = {*_LACKING, *_OTHER_WORDS}.union(*map(_kinds, _SYSTEMS.values()))
        return not_expressible("another peer's case" if kind in known else kind)
    if kind not in _kinds(rules):
        return not_expressible(_OTHER_WORDS.get(kind, kind))
    reason = f"{kind} of {', '.join(case['input'])}"
    return not_expressible(reason) if rules is _SUBSCRIPTIONS else failed(f"not read: {reason}")


def _kinds(rules: Iterable[Rule]) -> frozenset[str]:
    return frozenset(rule.kind for rule in rules)


def _rule_for(case: Case, rules: Iterable[Rule]) -> Rule | None:
    """Return the rule whose kind and fields fit a case.

    A known bug has the fields of the kind in which it was found.
    """
    fitting = [rule for rule in rules if rule.fields <= case["input"].keys()]
    own = [rule for rule in fitting if rule.kind == case["kind"]]
    if not own and case["kind"] == _KNOWN_BUG:
        own = fitting
    return own[0] if own else None


def _compared(rule: Rule, case: Case, head: Head) -> Verdict:
    try:
        found = rule.answer(Asked(case, head))
    except MismatchError as error:
        return failed(str(error))
    return found if isinstance(found, Verdict) else compared(case["expected"], found)


def _beside_the_wrong(case: Case, verdict: Verdict) -> Verdict:
    """Return the verdict of a case whose figure may be wrong on purpose.

    Where the right figure is stated too, ours was compared with it. Where only the wrong one is
    stated, ours must be another.
    """
    marked = _WRONG_ON_PURPOSE.search(str(case.get("about", "")))
    has_both = any(name.startswith("peer") for name in case["expected"])
    if not marked or has_both or verdict.outcome == "not_expressible":
        return verdict
    return PASSED if verdict.outcome == "failed" else failed("ours is the figure known as wrong")
