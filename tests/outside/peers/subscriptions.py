"""The judges of subscription peers, found by the kind of a case and the fields of its input.

Law: a judge is chosen by what a case says, never by its id. A kind that asks for what the library
does not have is not expressible, with that word as the reason.
What does not live here: the judges themselves (the modules `subscriptions_…`, by subject).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rentbilling import RentBillingError
from tests.outside.board import PASSED, Case, Head, Judge, Verdict, failed, not_expressible
from tests.outside.peers import (
    subscriptions_changes as changes,
    subscriptions_dates as dates,
    subscriptions_discounts as discounts,
    subscriptions_invoices as invoices,
    subscriptions_periods as periods,
    subscriptions_runs as runs,
    subscriptions_shares as shares,
)
from tests.outside.peers.subscriptions_cycles import NoCycleError

PEERS: Final = ("kill bill", "flexprice", "openmeter", "polar", "silver", "meteroid", "lago")
"""Beginnings of the names of the peers that sell subscriptions."""

UNKNOWN_BUG: Final = "known_bug"

_WRONG_ON_PURPOSE: Final = re.compile(r"SUSPECT|TRAP|\bquirk")


@dataclass(frozen=True, slots=True)
class Rule:
    """A judge, and the fields of an input that it reads."""

    kind: str
    fields: frozenset[str]
    judge: Judge


def _rule(kind: str, fields: str, judge: Judge) -> Rule:
    return Rule(kind, frozenset(fields.split()), judge)


RULES: Final = (
    _rule("recurrence", "date period n", dates.some_cycles_on),
    _rule("recurrence", "start cycle count", dates.first_dates),
    _rule("next_period", "start add", dates.something_added),
    _rule("period_containing", "anchor cycle date", dates.cycle_around),
    _rule("whole_periods", "start end period", dates.periods_completed),
    _rule("elapsed_cycles", "billing_period billing_start target billing_day", dates.cycles_begun),
    _rule("calendar_anchor", "start period", dates.calendar_start),
    _rule("next_billing_date", "current_period_start billing_anchor unit period", dates.next_date),
    _rule(
        "period_range",
        "billing_period billing_start target billing_day",
        periods.around_a_date,
    ),
    _rule(
        "period_range",
        "billing_period invoice_date billing_start_or_resume_date billing_day",
        periods.before_a_bill_day,
    ),
    _rule(
        "period_range",
        "billing_period invoice_date billing_day is_first_period",
        periods.from_a_bill_day,
    ),
    _rule(
        "period_range",
        "interval interval_count start_date trial_end reference_date asked",
        periods.with_a_trial,
    ),
    _rule(
        "billing_period",
        "interval billing_time pay_in_advance subscription_at started_at billing_at asked",
        periods.billed_at,
    ),
    _rule("billing_interval", "start end target_date bcd period mode", runs.run_dates),
    _rule("proration", "start end target_date bcd period mode", runs.cycles_owed),
    _rule("proration", "amount currency full_period service_period method", shares.served_part),
    _rule("proration", "amount interval start period", shares.calendar_part),
    _rule("invoice_items", "target_date currency events existing_items", invoices.items_owed),
    _rule("day_count", "startDate endDate fixed_days_in_month", shares.days_between),
    _rule(
        "proration_fraction",
        "startDate nextBillingCycleDate fixed_days_in_month period",
        shares.days_before_a_cycle,
    ),
    _rule(
        "proration_fraction",
        "endDate previousBillThroughDate fixed_days_in_month period",
        shares.days_after_a_cycle,
    ),
    _rule("proration_fraction", "start end", shares.months_in_between),
    _rule("proration_fraction", "period to_date", shares.cut_period),
    _rule("proration_fraction", "period from_date", shares.cut_period),
    _rule(
        "mid_period_change",
        "old_price old_quantity new_price new_quantity change_date period",
        changes.changed_lines,
    ),
    _rule("mid_period_change", "period old_amount new_amount change_date", changes.changed_amount),
    _rule("mid_period_change", "period change_date added_monthly", changes.added_amount),
    _rule("mid_period_change", "period change_date removed_monthly", changes.added_amount),
    _rule("mid_period_change", "period old new change_on", changes.changed_plan),
    _rule(
        "mid_period_change",
        "period unit_price quantity new_quantity change_on next_period_unit_price",
        changes.changed_quantity,
    ),
    _rule("discount", "percent lines", discounts.on_lines_or_total),
    _rule("discount", "subtotal discounts", discounts.one_after_another),
    _rule("discount", "lines discounts", discounts.stacked),
    _rule(
        "discount",
        "amount interval start billed discount_percent discount_duration",
        discounts.for_some_time,
    ),
    _rule("discount_allocation", "discount lines", discounts.discount_shares),
    _rule("rounding_allocation", "currency amount weights", discounts.weighted_shares),
    _rule("validation", "currency amount weights", discounts.refused_shares),
    _rule("rounding", "value digits mode", discounts.rounded_value),
    _rule(UNKNOWN_BUG, "anchor_day discount_from months cycle", discounts.for_some_months),
)


def is_subscription_peer(head: Head) -> bool:
    return str(head.get("peer", "")).lower().startswith(PEERS)


def rule_for(case: Case) -> Rule | None:
    """Return the rule whose kind and fields fit a case.

    A known bug of a peer has the fields of the kind in which it was found.
    """
    fields = frozenset(case["input"])
    fitting = [rule for rule in RULES if rule.fields <= fields]
    own = [rule for rule in fitting if rule.kind == case["kind"]]
    if not own and case["kind"] == UNKNOWN_BUG:
        own = fitting
    return own[0] if own else None


def judge_subscription(case: Case, head: Head) -> Verdict:
    rule = rule_for(case)
    if rule is None:
        known = any(each.kind == case["kind"] for each in RULES)
        fields = ", ".join(case["input"])
        return not_expressible(f"{case['kind']} of {fields}" if known else str(case["kind"]))
    try:
        return _beside_the_wrong(case, rule.judge(case, head))
    except NoCycleError as error:
        return not_expressible(f"the cycle {error}")
    except RentBillingError as error:
        refusal = any(case["expected"].get(name) for name in ("error", "refused"))
        return PASSED if refusal else failed(f"refused: {error}")
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return failed(f"not read: {type(error).__name__}: {error}")


def _beside_the_wrong(case: Case, verdict: Verdict) -> Verdict:
    """Return the verdict of a case whose figure may be wrong on purpose.

    Where the right figure stands beside the peer's, ours was held against it. Where only the wrong
    one is stated, ours must be another.
    """
    marked = _WRONG_ON_PURPOSE.search(str(case.get("about", "")))
    has_both = any(name.startswith("peer") for name in case["expected"])
    if not marked or has_both or verdict.outcome == "not_expressible":
        return verdict
    return PASSED if verdict.outcome == "failed" else failed("ours is the figure known as wrong")


JUDGES: Final[Mapping[str, Judge]] = MappingProxyType(
    {rule.kind: judge_subscription for rule in RULES}
)
"""The judge of each kind that subscription peers have."""
