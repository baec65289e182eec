"""Adjustees: the item or balance of a lease that a rent adjustment plan adjusts.

Law: a plan whose adjustee is not certain is refused with its path.
"""

from collections.abc import Generator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Protocol

from rentbilling.errors import InvalidAdjustmentRuleError, InvalidInputError, Problem, shown
from rentbilling.records import Problems, wire_name
from rentbilling.terms.index_clause import OF_THE_STEP, has_defaults
from rentbilling.terms.item_parts import currency_mismatch, other_currencies
from rentbilling.terms.plans import Balance, RentAdjustmentPlan

_Found = Generator[tuple[type[InvalidInputError], Problem], None, str | None]
_FEW: Final = 10
"""Ids that a refusal lists."""


class _Item(Protocol):
    """The parts of a recurring item that this module uses."""

    @property
    def product_key(self) -> str: ...
    @property
    def amount(self) -> Any: ...  # noqa: ANN401 - an amount; protocols of records take no fields
    @property
    def quantity(self) -> Any: ...  # noqa: ANN401
    @property
    def amount_records(self) -> Any: ...  # noqa: ANN401
    @property
    def quantity_records(self) -> Any: ...  # noqa: ANN401


RENT = "key:rent"
"""Product of the items that a deposit follows where its plan names none (A39)."""


def item_at(plan: RentAdjustmentPlan, ids: Sequence[str]) -> int | None:
    """Return the place of the item that a plan adjusts, None where it is not certain."""
    ref = plan.adjustee_ref
    if ref is not None:
        return ids.index(ref) if ref in ids else None
    return 0 if len(ids) == 1 else None


def balance_at(plan: RentAdjustmentPlan, balances: Sequence[Balance]) -> int | None:
    """Return the place of the balance that a plan adjusts (assumption A39)."""
    return _balance_place(plan, balance_ids(balances), _kinds(balances))


def _balance_place(
    plan: RentAdjustmentPlan, ids: Sequence[str], kinds: Sequence[str]
) -> int | None:
    """Return the place of the balance that a plan adjusts, by the ids and types of all."""
    if plan.adjustee_ref is not None and plan.adjustee_ref in ids:
        return ids.index(plan.adjustee_ref)
    if plan.balance_charge_type is not None:
        kind = plan.balance_charge_type
        return kinds.index(kind) if kinds.count(kind) == 1 else None
    if plan.adjustee_ref is not None and not plan.adjusts_items:
        return None
    return 0 if len(ids) == 1 else None


def balance_ids(balances: Sequence[Balance]) -> tuple[str, ...]:
    """Return the balances' ids, by position where absent."""
    return tuple(each.id or f"balance-{at}" for at, each in enumerate(balances, 1))


def _kinds(balances: Sequence[Balance]) -> tuple[str, ...]:
    return tuple(each.balance_charge_type for each in balances)


def is_plainly_adjusted(plan: RentAdjustmentPlan, ids: Sequence[str]) -> bool:
    """Return whether a plan alone adjusts an item of a lease, and names no amount or lease."""
    named = any(rule.index_clause or rule.increments for rule in plan.rent_adjustment_rules)
    return (
        not (named or plan.adjustments or plan.adjusts_balance or plan.lease_id)
        and item_at(plan, ids) is not None
    )


def plan_problems(parts: Mapping[str, Any], items: Sequence[_Item], ids: Sequence[str]) -> Problems:
    """Return the problems of plans without an adjustee in the lease, or in another currency."""
    lease = _Adjustees(items, ids, parts.get("balances", ()))
    for at, plan in enumerate(parts.get("rent_adjustment_plans", ())):
        path = f"rentAdjustmentPlans[{at}]"
        item = balance = None
        # Unreadable items or balances are unknown, so that no plan is refused for them.
        if plan.adjusts_items and "recurring_bill_items" in parts:
            item = yield from lease.item_problems(path, plan)
        if plan.adjusts_balances and "balances" in parts:
            balance = yield from lease.balance_problems(path, plan, item)
        yield from _currency_problems(path, plan, item or balance, balance or item)
        lease_id = parts.get("lease_id")
        if plan.lease_id is not None and lease_id is not None and plan.lease_id != lease_id:
            said, met = "is another lease", shown(plan.lease_id)
            problem = Problem(f"{path}.leaseId", "other_lease", said, met, shown(lease_id))
            yield InvalidAdjustmentRuleError, problem


class _Adjustees:
    """The items and balances that the plans of a lease can adjust."""

    def __init__(
        self, items: Sequence[_Item], ids: Sequence[str], balances: Sequence[Balance]
    ) -> None:
        self._items = items
        self._ids = ids
        self._balances = balances
        self._balance_ids = balance_ids(balances)
        self._kinds = _kinds(balances)
        self._rents = sorted({each.amount.currency for each in items if each.product_key == RENT})

    def item_problems(self, path: str, plan: RentAdjustmentPlan) -> _Found:
        """Give the problems of a plan with its item; return the item's currency."""
        there = item_at(plan, self._ids)
        if there is None:
            yield _unknown(f"{path}.adjusteeRef", "item", plan.adjustee_ref, self._ids)
            return None
        item = self._items[there]
        for at, rule in enumerate(plan.rent_adjustment_rules):
            part = rule.clause.indexed_amount
            if part is not None and part.amount > _most(item):
                where = f"{path}.rentAdjustmentRules[{at}].indexClause.indexedAmount"
                said, met = "is more than the item ever costs", shown(part.amount)
                expected = "a part of its amount for a billing period"
                problem = Problem(where, "contradiction", said, met, expected)
                yield InvalidAdjustmentRuleError, problem
        return str(item.amount.currency)

    def balance_problems(self, path: str, plan: RentAdjustmentPlan, item: str | None) -> _Found:
        """Give the problems of a plan with its balance; return the balance's currency."""
        there = _balance_place(plan, self._balance_ids, self._kinds)
        if there is None:
            ref, kind = plan.adjustee_ref, plan.balance_charge_type
            if ref is None and kind is not None:
                yield _unknown(f"{path}.balanceChargeType", "balance", kind, self._kinds)
            else:
                yield _unknown(f"{path}.adjusteeRef", "balance", ref, self._balance_ids)
            return None
        balance = self._balances[there]
        currency = balance.amount.currency
        yield from _balance_problems(path, plan, balance)
        followed = [item or currency] if plan.adjusts_items else self._rents
        for other in followed if balance.months is not None else ():
            if other != currency:
                yield currency_mismatch(f"balances[{there}].amount.currency", currency, other)
        return currency


def _most(item: _Item) -> Fraction:
    """Return the most that an item costs of itself, before any adjustment."""
    amounts = [item.amount.amount, *(each.value.amount for each in item.amount_records)]
    quantities = [item.quantity or 1, *(each.value for each in item.quantity_records)]
    # As fractions, because a caller's context would round the product of decimals.
    return Fraction(max(amounts)) * Fraction(max(quantities))


def _unknown(
    path: str, what: str, named: str | None, known: Sequence[str]
) -> tuple[type[InvalidInputError], Problem]:
    """Return the problem of a plan whose adjustee is not certain."""
    if named is None:
        said, met = f"does not say which {what} it adjusts", "nothing"
    elif named in known:
        said, met = f"names several {what}s of the lease", shown(named)
    else:
        said, met = f"names no {what} of the lease", shown(named)
    # A lease may have a thousand.
    few = ", ".join(known[:_FEW]) + (", …" if len(known) > _FEW else "")
    expected = f"one of {few}" if known else f"a lease with {what}s"
    return InvalidAdjustmentRuleError, Problem(path, "unknown_adjustee", said, met, expected)


def _balance_problems(path: str, plan: RentAdjustmentPlan, balance: Balance) -> Problems:
    """Find rules that a balance cannot follow (A36, A39)."""
    for at, rule in enumerate(plan.rent_adjustment_rules):
        where = f"{path}.rentAdjustmentRules[{at}]"
        if any(each.percentage is None for each in rule.increments) and not plan.adjusts_items:
            said, expected = "adds amounts to a balance", "percentages, or an index"
            problem = Problem(
                f"{where}.increments", "amounts_on_balance", said, "amounts", expected
            )
            yield InvalidAdjustmentRuleError, problem
        if balance.months is None or plan.adjusts_items:
            continue
        limits = rule.minimum_percentage is not None or rule.maximum_percentage is not None
        clause = rule.clause
        idle = not has_defaults(clause, OF_THE_STEP) or clause.threshold is not None
        if limits or rule.increments or idle or clause.increase_only:
            said = "does nothing to a balance of so many months of rent, which follows the rent"
            expected = "a rule that only gives the dates"
            problem = Problem(where, "says_nothing", said, f"{balance.months} months", expected)
            yield InvalidAdjustmentRuleError, problem


def _currency_problems(
    path: str, plan: RentAdjustmentPlan, item: str | None, balance: str | None
) -> Problems:
    """Find amounts of rules and adjustments in another currency than what they adjust (A2)."""
    if item is None or balance is None:
        return
    for at, rule in enumerate(plan.rent_adjustment_rules):
        where, clause = f"{path}.rentAdjustmentRules[{at}]", rule.clause
        amounts = {
            f"{where}.indexClause.baseAmount": clause.base_amount,
            f"{where}.indexClause.indexedAmount": clause.indexed_amount,
            f"{where}.indexClause.floorAmount": clause.floor_amount,
        }
        for place, each in enumerate(rule.increments):
            amounts[f"{where}.increments[{place}].amount"] = each.amount
            amounts[f"{where}.increments[{place}].level"] = each.level
        yield from other_currencies(amounts.items(), item)
    for at, listed in enumerate(plan.adjustments):
        where = f"{path}.adjustments[{at}]"
        outcomes = [("", listed)] + [
            (f".adjustmentRulesEffects[{place}]", effect)
            for place, effect in enumerate(listed.adjustment_rules_effects)
        ]
        for rest, outcome in outcomes:
            for name, amount in outcome.amounts:
                currency = balance if "balance" in name else item
                if amount.currency != currency:
                    inside = f"{where}{rest}.{wire_name(name)}.currency"
                    yield currency_mismatch(inside, amount.currency, currency)
