"""The lease of an example: one item of its amount and cycle, one plan, and what is asked.

Each stated convention is one field of an `IndexClause`, a rule or the policy; the order in which
they act is the library's (A40). An example without an amount gets one. For the percentage that is
applied the same is asked without rounding: in minor units so small that an amount shows it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

import rentbilling as rb
from tests.outside.board import UnsaidError
from tests.outside.index.points import Comparison, comparison, is_two_steps
from tests.outside.index.stated import Stated, word_of

_YEAR: Final = 12
_INITIAL: Final = frozenset({"initial", "initial_rent", "start", "base", "base_amount"})


@dataclass(frozen=True, slots=True)
class Rates:
    """How an example's limits and parts of a year are said by rules."""

    clause: Mapping[str, Any]
    """Fields of the clause of the rule."""
    limits: Mapping[str, Any]
    """Limits of the rule itself."""
    after: Mapping[str, Any] | None = None
    """Fields of a clause that only limits, with the limits of `limits_after`."""
    limits_after: Mapping[str, Any] | None = None
    elapsed: int | None = None
    """Months since the amount was set; None: those between the points."""
    left: int | None = None
    """Months left in the calendar year in which the lease began."""


def steps_of(stated: Stated) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, ours in (
        ("share_of_index", "share"),
        ("excess_over", "excess_over"),
        ("excess_share", "excess_share"),
        ("spread_pct", "surcharge"),
        ("threshold_pct", "threshold"),
    ):
        if stated.has(name):
            fields[ours] = stated.percent(name)
    if stated.has("threshold_points"):
        fields |= {"threshold": stated.number("threshold_points"), "threshold_unit": "points"}
    if "threshold" in fields and stated.has("threshold_inclusive"):
        fields["threshold_inclusive"] = bool(stated.given("threshold_inclusive"))
    if "excess_share" in fields:
        fields.setdefault("excess_over", Decimal(0))
    share_of = stated.word("share_of")
    if share_of == "amount" and "share" in fields:
        fields["indexed_share"] = fields.pop("share")
    elif share_of is not None:
        fields["share_of"] = share_of
    carry = stated.about("carry")
    if carry is not None:
        fields["carried" if carry in {"exact", "rounded"} else "after_limit"] = carry
    return fields


def percentage_rounding(stated: Stated) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for rounding in stated.roundings:
        if word_of("of", rounding["of"]) == "percentage":
            fields = {
                "percentage_decimals": -int(_quantum(rounding).normalize().as_tuple().exponent),
                "percentage_rounding": word_of("mode", rounding.get("mode", "half_up")),
                "percentage_rounded": word_of("stage", rounding.get("stage", "change")),
            }
    return fields


def amount_rounding(stated: Stated) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for rounding in stated.roundings:
        of = word_of("of", rounding["of"])
        if of == "percentage":
            continue
        per = rounding.get("per") or "period"
        if per == stated.given("amount_per"):
            per = "period"
        if per not in {"period", "month", "year"}:
            raise UnsaidError(f"rounded per {per}")
        fields = {"amount_rounded": of, "amount_per": per}
        if "quantum" in rounding or "decimals" in rounding:
            fields["amount_quantum"] = _quantum(rounding)
        if "mode" in rounding:
            fields["amount_rounding"] = word_of("mode", rounding["mode"])
    return fields


def _quantum(rounding: Mapping[str, Any]) -> Decimal:
    if rounding.get("quantum") is not None:
        return Decimal(str(rounding["quantum"]))
    return Decimal(1).scaleb(-int(rounding["decimals"]))


def floor_of(stated: Stated, currency: str) -> dict[str, Any]:
    given = stated.given("amount_floor")
    if given is None:
        return {}
    if str(given).lower() in _INITIAL:
        return {"floor_at_start": True}
    return {"floor_amount": rb.Amount(Decimal(str(given)), currency)}


def rates_of(stated: Stated, apart: int) -> Rates:
    """Return limits and parts of a year (A40).

    A part `m/n` is either a part of the percentage or, for a change that was measured over a longer
    time, only the time that yearly limits count. Limits for a year that are stated with a part of
    the percentage act before it, and so shrink with it.
    """
    limits = _limits(stated)
    by_rate = stated.is_rate_alone
    unit = stated.word("clamp_unit")
    if unit is None and stated.has("rate_per_year") and not by_rate:
        unit = "year_simple"
    months = stated.months
    if months is None or stated.is_year_total:
        if unit in {"year_simple", "year_compound"} and limits:
            return Rates({"limit_per": unit}, limits, elapsed=apart)
        return Rates({}, limits)
    part, whole = months
    measured = part >= whole and not by_rate
    if by_rate and unit == "year_compound":
        rate = stated.percent("rate_per_year")
        limits = {"minimum_percentage": rate, "maximum_percentage": rate} if rate else limits
        measured = True
    if measured and limits and unit in {"year_simple", "year_compound"}:
        return Rates({"limit_per": unit, "limit_months": whole}, limits, elapsed=part)
    fields, left, elapsed = _part_of_a_year(part, whole, by_rate=by_rate)
    if limits and unit in {"adjustment", "year_compound"}:
        after: dict[str, Any] = {"combine": "limit"}
        if unit == "year_compound":
            after |= {"limit_per": unit, "limit_months": whole}
        return Rates(fields, {}, after, limits, elapsed, left)
    return Rates(fields, limits, elapsed=elapsed, left=left)


def _part_of_a_year(
    part: int, whole: int, *, by_rate: bool
) -> tuple[dict[str, Any], int | None, int | None]:
    """Return the fields for a part of the percentage, the months left, the months elapsed."""
    if whole == _YEAR and part < whole and not by_rate:
        return {"pro_rata": "first_year"}, part, None
    return {"pro_rata": "elapsed", "pro_rata_months": whole}, None, part


def _limits(stated: Stated) -> dict[str, Decimal]:
    """Return the limits of a rule; a rate beside a measured change is its maximum."""
    limits: dict[str, Decimal] = {}
    for name, ours in (("min_pct", "minimum_percentage"), ("max_pct", "maximum_percentage")):
        value = stated.percent(name)
        if value is not None:
            limits[ours] = value
    rate = stated.percent("rate_per_year")
    if rate is not None and not stated.is_rate_alone:
        limits["maximum_percentage"] = min(rate, limits.get("maximum_percentage", rate))
    return limits


ITEM: Final = "rent"
_CURRENCY: Final = "EUR"
_ANY_AMOUNT: Final = Decimal(1000)
_DIGITS: Final = 15
_MOST_PLACES: Final = 8
_CYCLES: Final[Mapping[str, rb.BillingCycle]] = MappingProxyType(
    {
        "half_year": rb.BillingCycle(period_length=6),
        "year": rb.BillingCycle(time_unit="Year"),
        "quarter": rb.BillingCycle(period_length=3),
        "month": rb.BillingCycle(),
        "week": rb.BillingCycle(time_unit="Week"),
        "day": rb.BillingCycle(time_unit="Day"),
    }
)
_BALANCES: Final = frozenset({"balance", "deposit"})


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the library: the amount of terms on a day."""

    terms: rb.LeaseTerms
    indices: tuple[rb.IndexSeries, ...]
    policy: rb.BillingPolicy
    first: date
    """Day of the first adjustment that the figures are about."""
    day: date
    """Day of the last one."""
    compared: Comparison | None = None


def question(
    stated: Stated, *, to_index: Decimal | None = None, unrounded: bool = False
) -> Question:
    compared = comparison(stated, to_index)
    rates = rates_of(stated, compared.apart)
    in_force, base = _amounts(stated)
    policy = rb.BillingPolicy(increment_amount="per_period")
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
    stated: Stated, price: Decimal, start: date, rules: Sequence[rb.RentAdjustmentRule]
) -> rb.LeaseTerms:
    """Return lease terms with the amount of an example from a day on, and a plan that moves it."""
    if stated.given("amount_per") in _BALANCES:
        plan = rb.RentAdjustmentPlan(adjusts_balance=True, rent_adjustment_rules=tuple(rules))
        balance = rb.Balance(id=ITEM, amount=rb.Amount(price, currency_of(stated)))
        return rb.LeaseTerms(
            contract_start=start, balances=(balance,), rent_adjustment_plans=(plan,)
        )
    return rb.LeaseTerms(
        contract_start=start,
        recurring_bill_items=(_item(stated, price, start),),
        rent_adjustment_plans=(rb.RentAdjustmentPlan(rent_adjustment_rules=tuple(rules)),),
    )


def currency_of(stated: Stated) -> str:
    """Return the currency of an example; where it names none, any will do."""
    return str(stated.given("currency") or _CURRENCY)


def _item(stated: Stated, price: Decimal, start: date) -> rb.RecurringBillItem:
    """Return an item with the cycle of an example, whose price holds from a day on.

    An amount that is for nothing we have a cycle of is one for a month: it moves alike.
    """
    per = str(stated.given("amount_per")).lower()
    cycle = next((cycle for word, cycle in _CYCLES.items() if word in per), rb.BillingCycle())
    amount = rb.Amount(price, currency_of(stated))
    opening = rb.FirstBillingPeriodBillItem(
        amount=amount, due_date=start, accounting_period=rb.Period(start, start)
    )
    return rb.RecurringBillItem(
        id=ITEM,
        product_key="key:rent",
        amount=amount,
        vat=rb.Vat("Exempt"),
        due_date_rule=rb.DueDateRule(),
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
) -> Sequence[rb.RentAdjustmentRule]:
    year = compared.month // _YEAR
    when: dict[str, Any] = {
        "adjustment_month": compared.month % _YEAR + 1,
        "first_year": f"{year - compared.years + 1:04d}",
        "last_year": f"{year:04d}",
    }
    fields = {**_fields(stated, compared, rates, base), **rounding}
    rules: list[rb.RentAdjustmentRule] = []
    contract = stated.number("contract_amount")
    if stated.word("compare") == "lower_of" and contract is not None:
        level = rb.Increment(year=when["last_year"], level=rb.Amount(contract, currency_of(stated)))
        rules.append(
            rb.RentAdjustmentRule(adjustment_type="Increment", increments=(level,), **when)
        )
        fields["combine"] = "lower_of"
    by_index, limits = (
        rb.IndexClause(**fields),
        dict(rates.limits, index_month=compared.index_month),
    )
    rules.append(
        rb.RentAdjustmentRule(adjustment_type="Index", index_clause=by_index, **limits, **when)
    )
    if rates.after is not None:
        clause, limits = rb.IndexClause(**rates.after, **rounding), dict(rates.limits_after or {})
        rules.append(
            rb.RentAdjustmentRule(adjustment_type="Index", index_clause=clause, **limits, **when)
        )
    return rules


def _fields(
    stated: Stated, compared: Comparison, rates: Rates, base: Decimal | None
) -> dict[str, Any]:
    currency = currency_of(stated)
    fields = {
        **compared.clause,
        **steps_of(stated),
        **percentage_rounding(stated),
        **floor_of(stated, currency),
        **rates.clause,
    }
    if base is not None and fields["basis"] in {"anchored", "last_indexed"}:
        fields["base_amount"] = rb.Amount(base, currency)
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
