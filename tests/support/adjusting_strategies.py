"""Hypothesis strategies for leases whose rent is adjusted, and for the series it follows.

Laws: as those of `strategies`: what is dealt is accepted by the library, and the first choice of
each pool is the plain one. A lease here begins in January 2020 and asks for ten years.
"""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from rentbilling import (
    Amount,
    AmountRecord,
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
    QuantityRecord,
    RecurringBillItem,
    RentAdjustmentPlan,
    RentAdjustmentRule,
)
from rentbilling.testing.deck import Deck, dealt
from rentbilling.testing.item_deals import ROUNDINGS
from rentbilling.testing.plan_deals import deal_years
from tests.support.rents import EXEMPT

YEARS = range(2020, 2031)
LAST = date(2030, 12, 31)
ASKED = Period(date(2020, 1, 1), LAST)

PRICES = tuple(
    map(Decimal, ("10000", "33.33", "626.79", "0.1255", "0.01", "0", "-450", "99999.99"))
)
CYCLES = (
    BillingCycle(),
    BillingCycle(),
    BillingCycle(period_length=3),
    BillingCycle(time_unit="Year"),
    BillingCycle(time_unit="Week"),
    BillingCycle(period_length=5),
)
QUANTITIES = (None, None, Decimal(2), Decimal("33.333"), Decimal(100))
MONTHS = (1, 1, 4, 7, 12)
RISES = tuple(map(Decimal, ("1", "1.02", "1.05", "0.99", "1.1", "0.7", "2.5", "1.0003")))
LIMITS: tuple[tuple[str | None, str | None], ...] = (
    (None, None),
    (None, None),
    ("0", None),
    (None, "0.04"),
    ("0.01", "0.03"),
    ("0.02", "0.02"),
    ("-0.02", "0.02"),
)
STEPS = ("0.02", "0.05", "-0.02", "0", "1.5")
SUMS = ("1200", "1000", "-600", "-200000", "0.01")
LEVELS = ("6000", "144000", "0")


def deal_monthly(deck: Deck, months: tuple[int, ...], *, holes: bool = False) -> IndexSeries:
    """Deal a series with a value in some months of each year, some of them missing."""
    values: dict[str, Decimal] = {}
    level = Decimal(100)
    for year in range(2010, 2031):
        for month in months:
            level = round(level * deck.pick(RISES), 2)
            level = level if Decimal(10) < level < Decimal(10_000) else Decimal(100)
            if not holes or deck.below(4):
                values[f"{year}-{month:02d}"] = level
    return IndexSeries("INDEX", values, base="2015=100")


def deal_flat(deck: Deck, months: tuple[int, ...]) -> IndexSeries:
    level = deck.pick((Decimal(100), Decimal(117), Decimal("0.1")))
    values = {f"{year}-{month:02d}": level for year in range(2010, 2031) for month in months}
    return IndexSeries("FLAT", values)


def deal_clause(deck: Deck) -> IndexClause:
    anchored = deck.pick((False, False, True))
    mode = deck.pick(ROUNDINGS)
    choices: list[dict[str, Any]] = [
        {"share": Decimal(deck.pick(("0.75", "0.4", "1.2", "0")))},
        {"interval_years": deck.pick((2, 3, 5))},
        {
            "threshold": Decimal(deck.pick(("0.05", "0.02", "0.1"))),
            "threshold_inclusive": bool(deck.below(2)),
        },
        {"percentage_decimals": deck.pick((1, 2, 0, 4)), "percentage_rounding": mode},
        {"amount_quantum": Decimal(deck.pick(("1", "0.05", "10", "0.5"))), "amount_rounding": mode},
        {"amount_quantum": Decimal(1), "amount_per": deck.pick(("month", "year", "period"))},
    ]
    if not anchored:
        choices += [
            {"excess_over": Decimal("0.03"), "excess_share": Decimal(deck.pick(("0.5", "0")))},
            {"surcharge": Decimal(deck.pick(("0.01", "-0.02")))},
            {"percentage_decimals": 1, "percentage_rounded": "applied"},
        ]
    fields: dict[str, Any] = {"basis": "anchored"} if anchored else {}
    for _ in range(deck.pick((0, 0, 1, 2, 3))):
        fields |= deck.pick(choices)
    if fields.get("percentage_rounded") == "applied" and anchored:
        del fields["percentage_rounded"]
    return IndexClause(**fields)


def deal_limits(deck: Deck) -> dict[str, Any]:
    names = ("minimum_percentage", "maximum_percentage")
    limits = zip(names, deck.pick(LIMITS), strict=True)
    return {name: Decimal(limit) for name, limit in limits if limit is not None}


def deal_index_rule(deck: Deck, index_month: int, month: int) -> RentAdjustmentRule:
    clause = deal_clause(deck)
    return RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=month,
        index_month=index_month,
        index_clause=deck.pick((None, clause, clause)),
        **deal_years(deck),
        **deal_limits(deck),
    )


def deal_increments(deck: Deck, month: int) -> RentAdjustmentRule:
    years = deal_years(deck)
    first, last = int(years.get("first_year", 2019)), int(years.get("last_year", 2030))
    all_percentages = bool(deck.below(2))
    increments: list[Increment] = []
    for year in range(first, last + 1):
        kind = deck.pick(("none", "none", "percentage", "amount", "level"))
        if all_percentages and kind in ("amount", "level"):
            kind = "percentage"
        recurs = kind != "level" and deck.below(4) == 0
        fields: dict[str, Any] = {"recurrence": "Recurring" if recurs else "OneTime"}
        if kind == "percentage":
            fields["percentage"] = Decimal(deck.pick(STEPS))
        elif kind == "amount":
            fields["amount"] = Amount(Decimal(deck.pick(SUMS)), "DKK")
        elif kind == "level":
            fields["level"] = Amount(Decimal(deck.pick(LEVELS)), "DKK")
        if kind != "none":
            increments.append(Increment(year=f"{year}", **fields))
    if not increments:
        increments = [Increment(year=f"{last}", percentage=Decimal("0.02"))]
    limits = deal_limits(deck) if all(each.percentage is not None for each in increments) else {}
    return RentAdjustmentRule(
        adjustment_type="Increment",
        adjustment_month=month,
        increments=tuple(increments),
        **years,
        **limits,
    )


def deal_ends(deck: Deck) -> dict[str, Any]:
    day = date(deck.pick(tuple(YEARS)), 1 + deck.below(12), deck.pick((1, 2, 31 - 3)))
    return deck.pick(
        (
            {},
            {},
            {},
            {"created": datetime(day.year, day.month, day.day, 12, tzinfo=UTC)},
            {"cancelled_on": day},
            {"ended_on": day},
            {"cancelled_or_ended_on": day},
            {"ended_on": day, "cancelled_or_ended_on": day},
        )
    )


def deal_item(deck: Deck, *, agreed: bool) -> RecurringBillItem:
    """Deal a rent whose opening is January 2020; prices and quantities may be agreed anew."""
    price = Amount(deck.pick(PRICES), "DKK")
    dated: dict[str, Any] = {}
    if agreed:
        start = date(deck.pick(tuple(YEARS)), 1 + deck.below(12), deck.pick((1, 1, 15)))
        dated = deck.pick(
            (
                {},
                {},
                {
                    "amount_records": (
                        AmountRecord(
                            value=Amount(Decimal(4321), "DKK"), start=start.replace(day=15)
                        ),
                    )
                },
                {"quantity_records": (QuantityRecord(value=Decimal(7), start=start),)},
            )
        )
    return RecurringBillItem(
        product_key="key:rent",
        amount=price,
        quantity=deck.pick(QUANTITIES),
        vat=EXEMPT,
        due_date_rule=DueDateRule(),
        billing_cycle=deck.pick(CYCLES),
        started_on=date(2020, 1, 1),
        first_billing_period_bill_item=FirstBillingPeriodBillItem(
            amount=price,
            due_date=date(2020, 1, 1),
            accounting_period=Period(date(2020, 1, 1), date(2020, 1, 31)),
        ),
        ended_on=deck.pick((None, None, None, date(2026, 4, 1))),
        **dated,
    )


def is_anchored(rule: RentAdjustmentRule) -> bool:
    return rule.clause.basis == "anchored"


def deal_adjusted(deck: Deck) -> tuple[LeaseTerms, IndexSeries, BillingPolicy]:
    """Deal a lease of one adjusted rent, its series and a policy that goes on past holes.

    An index rule and increments, in one plan or in two with months of their own.
    """
    index_month = deck.pick((10, 1, 6, 12))
    month = deck.pick(MONTHS)
    by_index = deal_index_rule(deck, index_month, month)
    rules = [by_index]
    others: list[RentAdjustmentRule] = []
    if deck.below(2):
        other_month = deck.pick((month, month % 12 + 1))
        added = deal_increments(deck, other_month)
        if other_month == month or deck.below(2):
            rules.insert(deck.below(2), added)
        else:
            others.append(added)
    plans = [RentAdjustmentPlan(rent_adjustment_rules=tuple(rules), **deal_ends(deck))]
    if others:
        plans.append(RentAdjustmentPlan(rent_adjustment_rules=tuple(others), **deal_ends(deck)))
    holes = deck.below(3) == 0
    policy = BillingPolicy(
        missing_index="notice",
        rounding=deck.pick(("half_up", "half_up", "half_even", "up", "down")),
        increment_amount=deck.pick(("per_year", "per_year", "per_period")),
    )
    terms = LeaseTerms(
        recurring_bill_items=(deal_item(deck, agreed=not is_anchored(by_index)),),
        rent_adjustment_plans=tuple(plans),
        contract_end=deck.pick((None, None, None, date(2027, 6, 30))),
    )
    return terms, deal_monthly(deck, (index_month,), holes=holes), policy


def deal_deposit(deck: Deck) -> Balance:
    months = deck.pick((Decimal(3), Decimal("1.5"), None))
    return Balance(amount=Amount(Decimal(deck.pick(("30000", "847.47"))), "DKK"), months=months)


adjusted_leases = dealt(deal_adjusted, 400)


def deal_flat_lease(deck: Deck) -> tuple[LeaseTerms, IndexSeries]:
    """Deal a lease by an index that never moves, with nothing that moves the rent without it."""
    month, index_month = deck.pick(MONTHS), deck.pick((10, 1, 6, 12))
    clause = deal_clause(deck)
    plain = {name: getattr(clause, name) for name in clause.model_fields_set}
    moving = ("surcharge", "amount_quantum", "amount_rounding", "amount_per")
    rule = RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=month,
        index_month=index_month,
        index_clause=IndexClause(**{k: v for k, v in plain.items() if k not in moving}),
        maximum_percentage=deck.pick((None, Decimal("0.04"), Decimal(0))),
        minimum_percentage=deck.pick((None, Decimal(0), Decimal("-0.5"))),
        **deal_years(deck),
    )
    terms = LeaseTerms(
        recurring_bill_items=(deal_item(deck, agreed=False),),
        rent_adjustment_plans=(RentAdjustmentPlan(rent_adjustment_rules=(rule,)),),
    )
    return terms, deal_flat(deck, (index_month,))


def deal_exact_lease(deck: Deck) -> tuple[LeaseTerms, IndexSeries]:
    """Deal a lease by an index each January, whose exact amount is carried."""
    rule = RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=1,
        index_month=10,
        index_clause=IndexClause(carried="exact"),
    )
    terms = LeaseTerms(
        recurring_bill_items=(deal_item(deck, agreed=False).evolve(ended_on=None),),
        rent_adjustment_plans=(RentAdjustmentPlan(rent_adjustment_rules=(rule,)),),
    )
    return terms, deal_monthly(deck, (10,))


def deal_with_deposit(deck: Deck) -> tuple[LeaseTerms, IndexSeries, BillingPolicy]:
    """Deal a lease whose deposit follows the rent: by the same plan, or by one of its own."""
    terms, series, policy = deal_adjusted(deck)
    balance = deal_deposit(deck)
    plans = list(terms.rent_adjustment_plans)
    if balance.months is None or deck.below(2):
        at = deck.below(len(plans))
        plans[at] = plans[at].evolve(adjusts_recurring_bill_item=True, adjusts_balance=True)
    else:
        dates = RentAdjustmentRule(
            adjustment_type="Index", adjustment_month=deck.pick(MONTHS), index_month=10
        )
        own = RentAdjustmentPlan(
            rent_adjustment_rules=(dates,), adjusts_recurring_bill_item=False, adjusts_balance=True
        )
        plans.insert(deck.below(len(plans) + 1), own)
    plans = [each.evolve(id=f"p{at}") for at, each in enumerate(plans)]
    return terms.evolve(rent_adjustment_plans=tuple(plans), balances=(balance,)), series, policy


flat_leases = dealt(deal_flat_lease, 200)
exact_leases = dealt(deal_exact_lease, 200)
leases_with_deposit = dealt(deal_with_deposit, 450)


def deal_wide_clause(deck: Deck) -> IndexClause:
    """Deal a clause of any kind that remembers something, beyond what the oracle knows."""
    basis = deck.pick(("chained", "anchored", "mixed", "last_indexed"))
    fields: dict[str, Any] = {"basis": basis}
    choices: list[dict[str, Any]] = [
        {"after_limit": "carry"},
        {"carried": "exact"},
        {"increase_only": True},
        {"threshold": Decimal("0.03")},
        {"indexed_share": Decimal("0.6")},
        {"indexed_amount": Amount(Decimal("12.34"), "DKK")},
        {"floor_at_start": True},
        {"floor_amount": Amount(Decimal(1000), "DKK")},
        {"interval_years": 2},
        {"amount_rounded": "change", "amount_quantum": Decimal(1)},
    ]
    if basis == "anchored":
        choices.append({"correction_factor": Decimal("0.9")})
    else:
        choices += [
            {"pro_rata": "first_year"},
            {"pro_rata": "elapsed"},
            {"surcharge": Decimal("0.01")},
        ]
    for _ in range(deck.pick((0, 1, 1, 2))):
        fields |= deck.pick(choices)
    if "indexed_share" in fields:
        fields.pop("indexed_amount", None)
    if basis in ("mixed", "last_indexed"):
        fields.pop("after_limit", None)
    return IndexClause(**fields)


def deal_wide(deck: Deck) -> tuple[LeaseTerms, IndexSeries, BillingPolicy]:
    """Deal a lease whose rules remember, compete, add up and limit each other."""
    month = deck.pick(MONTHS)
    first = RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=month,
        index_month=10,
        index_clause=deal_wide_clause(deck),
        **deal_years(deck),
        **deal_limits(deck),
    )
    rules = [first]
    combine = deck.pick(("none", "none", "sum", "lower_of", "limit", "in_turn"))
    if combine == "limit":
        rules.append(
            RentAdjustmentRule(
                adjustment_type="Index",
                adjustment_month=month,
                index_clause=IndexClause(combine="limit"),
                maximum_percentage=Decimal("0.03"),
            )
        )
    elif combine != "none":
        added = deal_increments(deck, month)
        beside: dict[str, Any] = {"combine": combine}
        rules.append(added.evolve(index_clause=IndexClause(**beside)))
    limited = combine in {"limit", "lower_of"} or first.minimum_percentage is not None
    if not limited and first.maximum_percentage is None and first.index_clause is not None:
        # Nothing limits the rule, so that it has nothing to carry.
        rules[0] = first.evolve(index_clause=first.index_clause.evolve(after_limit="rebase"))
    plans = [RentAdjustmentPlan(id="p0", rent_adjustment_rules=tuple(rules), **deal_ends(deck))]
    if deck.below(2):
        added = deal_increments(deck, month % 12 + 1)
        plans.append(RentAdjustmentPlan(id="p1", rent_adjustment_rules=(added,)))
    item = deal_item(deck, agreed=True)
    part = first.clause.indexed_amount
    if part is not None and item.amount.amount < part.amount:
        # A part is never more than the whole.
        item = item.evolve(amount=part)
    terms = LeaseTerms(recurring_bill_items=(item,), rent_adjustment_plans=tuple(plans))
    holes = deck.below(4) == 0
    return terms, deal_monthly(deck, (10,), holes=holes), BillingPolicy(missing_index="notice")


wide_leases = dealt(deal_wide, 450)
