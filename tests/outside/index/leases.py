"""The lease around an example: one item of its amount and cycle, one plan, and what is asked.

An example without an amount gets one. For the percentage that is applied the same is asked without
rounding: in minor units so small that an amount shows it.
What does not live here: the answers (`answers`), steps (`steps`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from rentbilling import (
    Amount,
    Balance,
    BillingCycle,
    BillingPolicy,
    DueDateRule,
    FirstBillingPeriodBillItem,
    Increment,
    IndexClause,
    IndexSeries,
    LeaseTerms,
    Period,
    RecurringBillItem,
    RentAdjustmentPlan,
    RentAdjustmentRule,
    Vat,
)
from tests.outside.index.clauses import (
    Rates,
    amount_rounding,
    floor_of,
    percentage_rounding,
    rates_of,
    steps_of,
)
from tests.outside.index.points import Comparison, comparison, is_two_steps
from tests.outside.index.stated import Stated

ITEM: Final = "rent"
_CURRENCY: Final = "EUR"
_ANY_AMOUNT: Final = Decimal(1000)
_YEAR: Final = 12
_DIGITS: Final = 15
_MOST_PLACES: Final = 8
_CYCLES: Final[Mapping[str, BillingCycle]] = MappingProxyType(
    {
        "half_year": BillingCycle(period_length=6),
        "year": BillingCycle(time_unit="Year"),
        "quarter": BillingCycle(period_length=3),
        "month": BillingCycle(),
        "week": BillingCycle(time_unit="Week"),
        "day": BillingCycle(time_unit="Day"),
    }
)
_BALANCES: Final = frozenset({"balance", "deposit"})


@dataclass(frozen=True, slots=True)
class Question:
    """What the library is asked: what terms come to on a day."""

    terms: LeaseTerms
    indices: tuple[IndexSeries, ...]
    policy: BillingPolicy
    first: date
    """Day of the first adjustment that the figures are about."""
    day: date
    """Day of the last one."""
    compared: Comparison | None = None


def question(
    stated: Stated, *, to_index: Decimal | None = None, unrounded: bool = False
) -> Question:
    """Return what an example about an index or a percentage asks.

    Args:
        stated: The example.
        to_index: Another index to compare with than the stated one.
        unrounded: Whether the amount is left as it comes out.

    Returns:
        The question.

    Raises:
        UnknownConventionError: A convention is said in a word that nobody here knows.
    """
    compared = comparison(stated, to_index)
    rates = rates_of(stated, compared.apart)
    in_force, base = _amounts(stated)
    policy = BillingPolicy(increment_amount="per_period")
    if unrounded:
        policy = policy.evolve(currencies={currency_of(stated): _places(in_force)})
    rounding = {} if unrounded else amount_rounding(stated)
    rules = _rules(stated, compared, rates, rounding, base)
    years = compared.years if stated.index_steps else 1
    return Question(
        terms_of(stated, in_force, _start(compared, rates), rules),
        compared.series,
        policy,
        _day(compared.month - (years - 1) * _YEAR),
        _day(compared.month),
        compared,
    )


def terms_of(
    stated: Stated, price: Decimal, start: date, rules: Sequence[RentAdjustmentRule]
) -> LeaseTerms:
    """Return lease terms with the amount of an example from a day on, and a plan that moves it."""
    if stated.given("amount_per") in _BALANCES:
        plan = RentAdjustmentPlan(adjusts_balance=True, rent_adjustment_rules=tuple(rules))
        balance = Balance(id=ITEM, amount=Amount(price, currency_of(stated)))
        return LeaseTerms(contract_start=start, balances=(balance,), rent_adjustment_plans=(plan,))
    return LeaseTerms(
        contract_start=start,
        recurring_bill_items=(_item(stated, price, start),),
        rent_adjustment_plans=(RentAdjustmentPlan(rent_adjustment_rules=tuple(rules)),),
    )


def currency_of(stated: Stated) -> str:
    """Return the currency of an example; where it names none, any will do."""
    return str(stated.given("currency") or _CURRENCY)


def _item(stated: Stated, price: Decimal, start: date) -> RecurringBillItem:
    """Return an item with the cycle of an example, whose price holds from a day on.

    An amount that is for nothing we have a cycle of is one for a month: it moves alike.
    """
    per = str(stated.given("amount_per")).lower()
    cycle = next((cycle for word, cycle in _CYCLES.items() if word in per), BillingCycle())
    amount = Amount(price, currency_of(stated))
    opening = FirstBillingPeriodBillItem(
        amount=amount, due_date=start, accounting_period=Period(start, start)
    )
    return RecurringBillItem(
        id=ITEM,
        product_key="key:rent",
        amount=amount,
        vat=Vat("Exempt"),
        due_date_rule=DueDateRule(),
        billing_cycle=cycle,
        started_on=start,
        first_billing_period_bill_item=opening,
    )


def _amounts(stated: Stated) -> tuple[Decimal, Decimal | None]:
    """Return the amount in force, and the one that belongs to the index compared with.

    The step before is either one to be made too, from its own amount; or it says what is in force
    beside the amount that is indexed; or it says what is indexed beside the amount in force.
    """
    base, before = stated.number("base_amount"), stated.previous.number("amount")
    if before is None:
        return base or _ANY_AMOUNT, None
    if is_two_steps(stated):
        return before, None
    return (before, base) if stated.is_paired else (base or before, before)


def _rules(
    stated: Stated,
    compared: Comparison,
    rates: Rates,
    rounding: Mapping[str, Any],
    base: Decimal | None,
) -> Sequence[RentAdjustmentRule]:
    """Return the rules: one by the index, and what competes with it or limits it."""
    year = compared.month // _YEAR
    when: dict[str, Any] = {
        "adjustment_month": compared.month % _YEAR + 1,
        "first_year": f"{year - compared.years + 1:04d}",
        "last_year": f"{year:04d}",
    }
    fields = {**_fields(stated, compared, rates, base), **rounding}
    rules: list[RentAdjustmentRule] = []
    contract = stated.number("contract_amount")
    if stated.word("compare") == "lower_of" and contract is not None:
        level = Increment(year=when["last_year"], level=Amount(contract, currency_of(stated)))
        rules.append(RentAdjustmentRule(adjustment_type="Increment", increments=(level,), **when))
        fields["combine"] = "lower_of"
    by_index, limits = IndexClause(**fields), dict(rates.limits, index_month=compared.index_month)
    rules.append(
        RentAdjustmentRule(adjustment_type="Index", index_clause=by_index, **limits, **when)
    )
    if rates.after is not None:
        clause, limits = IndexClause(**rates.after, **rounding), dict(rates.limits_after or {})
        rules.append(
            RentAdjustmentRule(adjustment_type="Index", index_clause=clause, **limits, **when)
        )
    return rules


def _fields(
    stated: Stated, compared: Comparison, rates: Rates, base: Decimal | None
) -> dict[str, Any]:
    """Return the fields of the clause of the rule by the index, but for the amount's rounding."""
    currency = currency_of(stated)
    fields = {
        **compared.clause,
        **steps_of(stated),
        **percentage_rounding(stated),
        **floor_of(stated, currency),
        **rates.clause,
    }
    if base is not None and fields["basis"] in {"anchored", "last_indexed"}:
        fields["base_amount"] = Amount(base, currency)
    return fields


def _day(month: int) -> date:
    return date(month // _YEAR, month % _YEAR + 1, 1)


def _start(compared: Comparison, rates: Rates) -> date:
    """Return the day from which the amount before holds: so far back as the example counts."""
    if rates.left is not None:
        return date(compared.month // _YEAR - 1, _YEAR - rates.left, 1)
    first = compared.month - (compared.years - 1) * _YEAR
    return _day(first - (rates.elapsed or max(_YEAR, compared.apart)))


def _places(amount: Decimal) -> int:
    """Return so many minor units as an amount can have digits after the point."""
    return max(0, min(_MOST_PLACES, _DIGITS - 1 - len(str(int(abs(amount))))))


def eve(day: date) -> date:
    return day - timedelta(days=1)
