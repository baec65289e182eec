"""Rent adjustments, drawn from `Choices`: index series, clauses, increments, rules and plans.

Law: as those of `items`.
"""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final

import rentbilling as rb
from rentbilling.errors import InvalidInputError
from rentbilling.testing.strategies.choices import Choices, with_texts
from rentbilling.testing.strategies.items import ROUNDINGS, choose_currency

YEARS: Final = tuple(range(2020, 2031))

PRICES: Final = ("10000", "33.33", "626.79", "0.1255", "0.01", "0", "-450", "99999.99")
ADJUSTED_IN: Final = (1, 1, 4, 7, 12)
_STEP: Final = Decimal("0.15")
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


_BASE: Final = "2015=100"
_POINTS: Final[tuple[dict[str, Any], ...]] = (
    {"lag_months": 3},
    {"lag_months": 3, "interval_months": 6},
    {"lag_months": 3, "from_lag_months": 15},
    {"year_offset": 1},
    {"reference": "quarter", "index_quarter": 3},
    {"reference": "year_mean", "mean_decimals": 1},
    {"reference": "last_published"},
    {"start_point": "2019-10"},
    {"start_point": "2018-10", "start_index": Decimal("101.5"), "base": _BASE},
    {"mean_of": 3, "mean_decimals": 1},
    {"mean_of": 3, "mean_of_what": "changes"},
)
"""What a clause may say of the points compared."""


def choose_series(
    choices: Choices, months: tuple[int, ...] = (10,), name: str = "INDEX", *, holes: bool = False
) -> rb.IndexSeries:
    """Choose a series with a value in some months of each year, some of them missing."""
    values: dict[str, Decimal] = {}
    level = Decimal(100)
    for year in range(2010, 2031):
        for month in months:
            first = month == months[0]
            level = round(level * choices.pick(_RISES), 2) if first else level + _STEP
            if not holes or choices.below(4):
                values[f"{year}-{month:02d}"] = level
    return rb.IndexSeries(name, values, base=_BASE)


def choose_any_series(choices: Choices) -> rb.IndexSeries:
    """Choose a series of months, quarters or years, of levels or changes, marked here and there."""
    unit = choices.pick(("month", "quarter", "year"))
    points = [
        {"month": f"{year}-{part:02d}", "quarter": f"{year}-Q{part}", "year": f"{year}"}[unit]
        for year in range(2019, 2019 + choices.pick((2, 1, 3)))
        for part in range(1, {"month": 13, "quarter": 5, "year": 2}[unit])
        if not choices.rarely(6)
    ]
    changes = choices.rarely(4)
    monthly = changes and unit == "month" and choices.rarely(2)
    figures = ("0.021", "0", "-0.013") if changes else ("104.8", "100", "0.1", "9999.99", "55.555")
    rarely = [point for point in points if choices.rarely(6)]
    return rb.IndexSeries(
        choices.pick(("CPI", "NPI")),
        {point: choices.number(figures) for point in points},
        base=None if changes else choices.pick(("2015=100", None)),
        kind="level" if not changes else "monthly_change" if monthly else "change",
        known=dict.fromkeys(rarely, "2022-02-10"),
        provisional=rarely if choices.below(2) else (),
        source=choices.pick((None, "statistics office")),
    )


# ---------------------------------------------------------------------------- rules and clauses


def choose_clause(
    choices: Choices, currency: str = "DKK", *, part: rb.Amount | None = None
) -> rb.IndexClause:
    """Choose a clause with up to four conventions that do not contradict each other."""
    basis = choices.pick(("chained", "anchored", "chained", "mixed", "last_indexed"))
    fields: dict[str, Any] = {"basis": basis}
    clause = rb.IndexClause(**fields)
    for _ in range(choices.pick((0, 1, 2, 3, 4))):
        fields = fields | choices.pick(_conventions(choices, basis, currency, part))
        try:
            clause = rb.IndexClause(**fields)
        except InvalidInputError:
            fields = {name: getattr(clause, name) for name in clause.model_fields_set}
    if clause.mean_of_what == "changes" and clause.threshold_unit == "points":
        # A mean of changes has no points, whatever the series.
        clause = clause.evolve(threshold=Decimal("0.02"), threshold_unit="percent")
    return clause


def _conventions(
    choices: Choices, basis: str, currency: str, part: rb.Amount | None
) -> list[dict[str, Any]]:
    """Return what a clause on some basis may say."""
    mode = choices.pick(ROUNDINGS)
    conventions: list[dict[str, Any]] = [
        {"share": choices.number(("0.75", "0.4", "1.2", "0"))},
        {"interval_years": choices.pick((2, 3, 5))},
        {
            "threshold": choices.number(("0.05", "0.02", "0.1")),
            "threshold_inclusive": bool(choices.below(2)),
        },
        {"percentage_decimals": choices.pick((1, 2, 0, 4)), "percentage_rounding": mode},
        {"amount_quantum": choices.number(("1", "0.05", "10", "0.5")), "amount_rounding": mode},
        {"amount_quantum": Decimal(1), "amount_per": choices.pick(("month", "year", "period"))},
        {"amount_rounded": "change", "amount_quantum": Decimal(1)},
        {"carried": "exact"},
        {"increase_only": True},
        {"indexed_share": Decimal("0.6")},
        {"floor_at_start": True},
        *_POINTS,
        {"series": "INDEX", "base": _BASE},
        {"lower_of": ("INDEX",)},
        {"threshold": Decimal(2), "threshold_unit": "points"},
        {"limit_per": choices.pick(("year_simple", "year_compound")), "limit_months": 6},
        {"floor_amount": rb.Amount(choices.number(("1000", "1000.0045")), currency)},
    ]
    if part is not None:
        conventions.append({"indexed_amount": part})
    if basis == "anchored":
        conventions += [
            {"correction_factor": Decimal("0.9")},
            {"base_amount": rb.Amount(choices.number(("900", "10000")), currency)},
            {"share": Decimal("0.75"), "share_of": "money"},
        ]
    else:
        conventions += [
            {"excess_over": Decimal("0.03"), "excess_share": choices.number(("0.5", "0"))},
            {"surcharge": choices.number(("0.01", "-0.02"))},
            {"percentage_decimals": 1, "percentage_rounded": "applied"},
            {"pro_rata": "first_year"},
            {"pro_rata": "elapsed", "pro_rata_months": choices.pick((12, 6))},
        ]
    return conventions


def choose_years(choices: Choices) -> dict[str, Any]:
    return choices.pick(
        (
            {},
            {},
            {"first_year": "2022"},
            {"last_year": "2025"},
            {"first_year": "2018", "last_year": "2024"},
            {"first_year": "2023", "last_year": "2023"},
        )
    )


def _limits(choices: Choices) -> dict[str, Any]:
    names = ("minimum_percentage", "maximum_percentage")
    limits = zip(names, choices.pick(_LIMITS), strict=True)
    return {name: Decimal(limit) for name, limit in limits if limit is not None}


def choose_index_rule(
    choices: Choices,
    index_month: int,
    month: int,
    currency: str = "DKK",
    part: rb.Amount | None = None,
) -> rb.RentAdjustmentRule:
    clause = choose_clause(choices, currency, part=part) if choices.below(3) else None
    limits = _limits(choices)
    if clause is not None and clause.limit_per != "adjustment":
        limits = limits or {"maximum_percentage": Decimal("0.04")}
    # Only what is limited has something to carry.
    if limits and clause is not None and clause.basis in {"chained", "anchored"}:
        clause = clause.evolve(after_limit=choices.pick(("rebase", "rebase", "carry")))
    return with_texts(
        choices,
        rb.RentAdjustmentRule,
        id=None,
        adjustment_type="Index",
        adjustment_month=month,
        index_month=None if clause is not None and clause.finds_points else index_month,
        index_clause=clause,
        **choose_years(choices),
        **limits,
    )


_INTERVALS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {},
    {},
    {"interval_years": 2},
    {"interval_years": 3},
    {"interval_months": 6},
)


def choose_increment(
    choices: Choices, year: int, currency: str, kinds: tuple[str, ...]
) -> rb.Increment:
    """Choose what is added in a year: a percentage, an amount or a level."""
    kind = choices.pick(kinds)
    value: object = choices.number(_STEPS)
    if kind != "percentage":
        value = rb.Amount(choices.number(_SUMS if kind == "amount" else _LEVELS), currency)
    recurs = kind != "level" and choices.rarely(4)
    fields: dict[str, Any] = {kind: value, "recurrence": "Recurring" if recurs else "OneTime"}
    return rb.Increment(year=f"{year}", **fields)


def choose_increment_rule(
    choices: Choices, month: int, currency: str = "DKK"
) -> rb.RentAdjustmentRule:
    years = choose_years(choices)
    first, last = int(years.get("first_year", 2019)), int(years.get("last_year", 2030))
    kinds = ("percentage",) if choices.below(2) else ("percentage", "amount", "level")
    chosen = [year for year in range(first, last) if choices.below(2)]
    increments = tuple(choose_increment(choices, year, currency, kinds) for year in (*chosen, last))
    limits = _limits(choices) if all(each.percentage is not None for each in increments) else {}
    return with_texts(
        choices,
        rb.RentAdjustmentRule,
        id=None,
        adjustment_type="Increment",
        adjustment_month=month,
        increments=increments,
        index_clause=rb.IndexClause(**choices.pick(_INTERVALS)),
        **years,
        **limits,
    )


def _beside(choices: Choices, month: int, currency: str) -> list[rb.RentAdjustmentRule]:
    """Choose what else acts in a rule's month: nothing, increments, or only a limit."""
    combine = choices.pick(("none", "none", "sum", "lower_of", "limit", "in_turn"))
    if combine == "none":
        return []
    limits: dict[str, Any] = {"combine": combine}
    if combine != "limit":
        rule = choose_increment_rule(choices, month, currency)
        return [rule.evolve(index_clause=rb.IndexClause(**limits))]
    limit = rb.RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=month,
        index_clause=rb.IndexClause(**limits),
        maximum_percentage=Decimal("0.03"),
    )
    return [limit]


# --------------------------------------------------------------------------------------- plans


_EFFECTS: Final[tuple[dict[str, Any], ...]] = (
    {"calculated_percentage": Decimal("0.05"), "maximum_percentage": Decimal("0.04")},
    {"from_index": Decimal(100), "to_index": Decimal("101.5"), "minimum_percentage": Decimal(0)},
    {"from_year_month": "2019-10", "to_year_month": "2020-10", "reasons": ("a floor",)},
    {"from_point": "2019-Q3", "to_point": "2020-Q3", "applied_percentage": Decimal("0.02")},
)


def choose_ends(choices: Choices) -> dict[str, Any]:
    """Choose when a plan begins and stops."""
    day = date(choices.pick(YEARS), 1 + choices.below(12), choices.pick((1, 2, 28)))
    return choices.pick(
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


def choose_plan(
    choices: Choices,
    index_month: int,
    month: int,
    currency: str = "DKK",
    part: rb.Amount | None = None,
    **about: Any,  # noqa: ANN401 - fields of the plan
) -> rb.RentAdjustmentPlan:
    """Choose a plan of one rule and perhaps another that acts in the same month."""
    if choices.rarely(4):
        rules = [choose_increment_rule(choices, month, currency)]
    else:
        rules = [choose_index_rule(choices, index_month, month, currency, part)]
        rules += _beside(choices, month, currency)
    named = [rule.evolve(id=choices.pick((None, f"r{at}"))) for at, rule in enumerate(rules)]
    return with_texts(
        choices,
        rb.RentAdjustmentPlan,
        rent_adjustment_rules=tuple(named),
        modified=choices.pick((None, datetime(2026, 1, 31, 12, tzinfo=UTC))),
        next_adjustment_date=choices.pick((None, date(2026, 1, 1))),
        **choose_ends(choices),
        **dict.fromkeys(("id", "lease_id", "adjustee_ref", "balance_charge_type")) | about,
    )


def choose_adjustment(choices: Choices, currency: str | None = None) -> rb.RentAdjustment:
    """Choose an adjustment as a service lists it, perhaps with the effect of a rule."""
    code = choose_currency(choices, currency)
    day = date(choices.pick(YEARS), choices.pick(ADJUSTED_IN), 1)
    made: dict[str, Any] = {}
    for what in ("yearly", "period", "balance"):
        before, after = (rb.Amount(choices.number(PRICES), code) for _ in range(2))
        changed = {f"from_{what}_amount": before, f"to_{what}_amount": after}
        if what == "period" or choices.below(2):
            made |= {**changed, f"{what}_amount_change": after - before}
    effects: tuple[rb.AdjustmentEffect, ...] = ()
    if choices.rarely(3):
        told = {**made, "unlimited_amount": choices.pick((None, made["to_period_amount"]))}
        effects = (with_texts(choices, rb.AdjustmentEffect, **told, **choices.pick(_EFFECTS)),)
    return with_texts(
        choices,
        rb.RentAdjustment,
        adjusted_on=day,
        year=choices.pick((None, f"{day.year}")),
        adjustment_rules_effects=effects,
        **made,
    )


def choose_kept_plan(choices: Choices, currency: str = "DKK") -> rb.RentAdjustmentPlan:
    """Choose a plan as a service keeps it: with an id, perhaps with an adjustment."""
    made = (choose_adjustment(choices, currency),) if choices.rarely(3) else ()
    own, of, month = choices.pick((None, "plan")), 1 + choices.below(12), 1 + choices.below(12)
    return choose_plan(choices, of, month, currency, id=own, adjustments=made)


def choose_balance(choices: Choices, currency: str | None = None) -> rb.Balance:
    """Choose a deposit of some months of rent, or of an amount."""
    months = choices.pick((Decimal(3), Decimal("1.5"), None))
    amount = rb.Amount(choices.number(("30000", "847.47")), choose_currency(choices, currency))
    return with_texts(choices, rb.Balance, amount=amount, months=months)
