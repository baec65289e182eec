"""Rent adjustments, dealt out of a deck: index series, clauses, increments, rules and plans.

Law: as those of `item_deals`.
"""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final

from rentbilling import (
    Amount,
    Balance,
    Increment,
    IndexClause,
    IndexSeries,
    RentAdjustment,
    RentAdjustmentPlan,
    RentAdjustmentRule,
)
from rentbilling.testing.strategies.choices import Deck
from rentbilling.testing.strategies.items import ROUNDINGS, deal_currency

YEARS: Final = tuple(range(2020, 2031))

PRICES: Final = ("10000", "33.33", "626.79", "0.1255", "0.01", "0", "-450", "99999.99")
ADJUSTED_IN: Final = (1, 1, 4, 7, 12)
_RISES: Final = tuple(map(Decimal, ("1.02", "1", "1.05", "0.99", "1.1", "0.9", "1.0003")))
_LIMITS: Final = (
    (None, None),
    (None, None),
    ("0", None),
    (None, "0.04"),
    ("0.01", "0.03"),
    ("0.02", "0.02"),
    ("-0.02", "0.02"),
)
_STEPS: Final = ("0.02", "0.05", "-0.02", "0", "0.5")
_SUMS: Final = ("1200", "1000", "-600", "-200000", "0.01")
_LEVELS: Final = ("6000", "144000", "0")


def deal_series(
    deck: Deck, months: tuple[int, ...] = (10,), name: str = "INDEX", *, holes: bool = False
) -> IndexSeries:
    """Deal a series with a value in some months of each year, some of them missing."""
    values: dict[str, Decimal] = {}
    level = Decimal(100)
    for year in range(2010, 2031):
        for month in months:
            level = round(level * deck.pick(_RISES), 2)
            if not holes or deck.below(4):
                values[f"{year}-{month:02d}"] = level
    return IndexSeries(name, values, base="2015=100")


def deal_any_series(deck: Deck) -> IndexSeries:
    """Deal a series of months, quarters or years, of levels or changes, marked here and there."""
    unit = deck.pick(("month", "quarter", "year"))
    points = [
        {"month": f"{year}-{part:02d}", "quarter": f"{year}-Q{part}", "year": f"{year}"}[unit]
        for year in range(2019, 2019 + deck.pick((2, 1, 3)))
        for part in range(1, {"month": 13, "quarter": 5, "year": 2}[unit])
        if not deck.happens(6)
    ]
    changes = deck.happens(4)
    figures = ("0.021", "0", "-0.013") if changes else ("104.8", "100", "0.1", "9999.99", "55.555")
    rarely = [point for point in points if deck.happens(6)]
    return IndexSeries(
        deck.pick(("CPI", "NPI")),
        {point: deck.number(figures) for point in points},
        base=None if changes else deck.pick(("2015=100", None)),
        kind="change" if changes else "level",
        known=dict.fromkeys(rarely, "2022-02-10"),
        provisional=rarely if deck.below(2) else (),
        source=deck.pick((None, "statistics office")),
    )


# ---------------------------------------------------------------------------- rules and clauses


def deal_clause(deck: Deck, currency: str = "DKK", *, part: Amount | None = None) -> IndexClause:
    """Deal a clause with up to three conventions, besides an index month."""
    basis = deck.pick(("chained", "anchored", "chained", "mixed", "last_indexed"))
    fields: dict[str, Any] = {"basis": basis}
    for _ in range(deck.pick((0, 1, 1, 2, 3))):
        fields |= deck.pick(_conventions(deck, basis, currency, part))
    if "indexed_share" in fields:
        fields.pop("indexed_amount", None)
    return IndexClause(**fields)


def _conventions(
    deck: Deck, basis: str, currency: str, part: Amount | None
) -> list[dict[str, Any]]:
    """Return what a clause on some basis may say."""
    mode = deck.pick(ROUNDINGS)
    choices: list[dict[str, Any]] = [
        {"share": deck.number(("0.75", "0.4", "1.2", "0"))},
        {"interval_years": deck.pick((2, 3, 5))},
        {
            "threshold": deck.number(("0.05", "0.02", "0.1")),
            "threshold_inclusive": bool(deck.below(2)),
        },
        {"percentage_decimals": deck.pick((1, 2, 0, 4)), "percentage_rounding": mode},
        {"amount_quantum": deck.number(("1", "0.05", "10", "0.5")), "amount_rounding": mode},
        {"amount_quantum": Decimal(1), "amount_per": deck.pick(("month", "year", "period"))},
        {"amount_rounded": "change", "amount_quantum": Decimal(1)},
        {"carried": "exact"},
        {"increase_only": True},
        {"indexed_share": Decimal("0.6")},
        {"floor_at_start": True},
        {"floor_amount": Amount(1000, currency)},
    ]
    if part is not None:
        choices.append({"indexed_amount": part})
    if basis == "anchored":
        choices.append({"correction_factor": Decimal("0.9")})
    else:
        choices += [
            {"excess_over": Decimal("0.03"), "excess_share": deck.number(("0.5", "0"))},
            {"surcharge": deck.number(("0.01", "-0.02"))},
            {"percentage_decimals": 1, "percentage_rounded": "applied"},
            {"pro_rata": "first_year"},
            {"pro_rata": "elapsed"},
        ]
    return choices


def deal_years(deck: Deck) -> dict[str, Any]:
    """Deal the years of a rule."""
    return deck.pick(
        (
            {},
            {},
            {"first_year": "2022"},
            {"last_year": "2025"},
            {"first_year": "2018", "last_year": "2024"},
            {"first_year": "2023", "last_year": "2023"},
        )
    )


def _limits(deck: Deck) -> dict[str, Any]:
    names = ("minimum_percentage", "maximum_percentage")
    limits = zip(names, deck.pick(_LIMITS), strict=True)
    return {name: Decimal(limit) for name, limit in limits if limit is not None}


def deal_index_rule(
    deck: Deck, index_month: int, month: int, currency: str = "DKK", part: Amount | None = None
) -> RentAdjustmentRule:
    """Deal a rule by an index."""
    clause = deal_clause(deck, currency, part=part) if deck.below(3) else None
    limits = _limits(deck)
    # Only what is limited has something to carry.
    if limits and clause is not None and clause.basis in {"chained", "anchored"}:
        clause = clause.evolve(after_limit=deck.pick(("rebase", "rebase", "carry")))
    return RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=month,
        index_month=index_month,
        index_clause=clause,
        **deal_years(deck),
        **limits,
    )


def deal_increment(deck: Deck, year: int, currency: str, kinds: tuple[str, ...]) -> Increment:
    """Deal what is added in a year: a percentage, an amount or a level."""
    kind = deck.pick(kinds)
    value: object = deck.number(_STEPS)
    if kind != "percentage":
        value = Amount(deck.number(_SUMS if kind == "amount" else _LEVELS), currency)
    recurs = kind != "level" and deck.happens(4)
    fields: dict[str, Any] = {kind: value, "recurrence": "Recurring" if recurs else "OneTime"}
    return Increment(year=f"{year}", **fields)


def deal_increment_rule(deck: Deck, month: int, currency: str = "DKK") -> RentAdjustmentRule:
    """Deal a rule of increments, one for each of some years."""
    years = deal_years(deck)
    first, last = int(years.get("first_year", 2019)), int(years.get("last_year", 2030))
    kinds = ("percentage",) if deck.below(2) else ("percentage", "amount", "level")
    chosen = [year for year in range(first, last) if deck.below(2)]
    increments = tuple(deal_increment(deck, year, currency, kinds) for year in (*chosen, last))
    limits = _limits(deck) if all(each.percentage is not None for each in increments) else {}
    return RentAdjustmentRule(
        adjustment_type="Increment",
        adjustment_month=month,
        increments=increments,
        **years,
        **limits,
    )


def _beside(deck: Deck, month: int, currency: str) -> list[RentAdjustmentRule]:
    """Deal what else acts in a rule's month: nothing, increments, or only a limit."""
    combine = deck.pick(("none", "none", "sum", "lower_of", "limit", "in_turn"))
    if combine == "none":
        return []
    limits: dict[str, Any] = {"combine": combine}
    if combine != "limit":
        rule = deal_increment_rule(deck, month, currency)
        return [rule.evolve(index_clause=IndexClause(**limits))]
    limit = RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=month,
        index_clause=IndexClause(**limits),
        maximum_percentage=Decimal("0.03"),
    )
    return [limit]


# --------------------------------------------------------------------------------------- plans


def deal_ends(deck: Deck) -> dict[str, Any]:
    """Deal when a plan begins and stops."""
    day = date(deck.pick(YEARS), 1 + deck.below(12), deck.pick((1, 2, 28)))
    return deck.pick(
        (
            {},
            {},
            {},
            {"created": datetime(day.year, day.month, day.day, 12, tzinfo=UTC)},
            {"cancelled_on": day},
            {"ended_on": day},
            {"cancelled_or_ended_on": day},
        )
    )


def deal_plan(
    deck: Deck, index_month: int, month: int, currency: str = "DKK", part: Amount | None = None
) -> RentAdjustmentPlan:
    """Deal a plan of one rule and perhaps another that acts in the same month."""
    if deck.happens(4):
        rules = [deal_increment_rule(deck, month, currency)]
    else:
        rules = [deal_index_rule(deck, index_month, month, currency, part)]
        rules += _beside(deck, month, currency)
    return RentAdjustmentPlan(rent_adjustment_rules=tuple(rules), **deal_ends(deck))


def deal_adjustment(deck: Deck) -> RentAdjustment:
    """Deal an adjustment as a service lists it."""
    code = deal_currency(deck)
    before, after = (Amount(deck.number(PRICES), code) for _ in range(2))
    return RentAdjustment(
        adjusted_on=date(deck.pick(YEARS), deck.pick(ADJUSTED_IN), 1),
        from_period_amount=before,
        to_period_amount=after,
        period_amount_change=after - before,
    )


def deal_balance(deck: Deck, currency: str | None = None) -> Balance:
    """Deal a deposit of some months of rent, or of an amount."""
    months = deck.pick((Decimal(3), Decimal("1.5"), None))
    amount = Amount(deck.number(("30000", "847.47")), deal_currency(deck, currency))
    return Balance(amount=amount, months=months)
