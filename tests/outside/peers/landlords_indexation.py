"""Rents by an index, of Estatio and of documentation pages: what a new index makes of a rent.

A case about one change of an index is said as a worked example (`index/`), which has a judge.
Floors are judged on terms whose index does not move, or moves once.
What does not live here: fixed new prices (`landlords_charges`), the land rents of Helsinki
(`landlords_land_rents`).
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from rentbilling import (
    Amount,
    IndexClause,
    IndexSeries,
    LeaseTerms,
    MissingIndexError,
    RentAdjustment,
    RentAdjustmentPlan,
    RentAdjustmentRule,
    amount_in_force,
    rent_adjustments,
)
from tests.outside import index
from tests.outside.board import PASSED, Case, Verdict, failed, not_expressible
from tests.outside.peers import landlords_charges
from tests.outside.peers.landlords_terms import (
    CALENDAR_YEAR,
    CURRENCY,
    HUNDRED,
    agrees,
    all_of,
    day_of,
    rent,
)

_EXAMPLE: Final[Mapping[str, Any]] = MappingProxyType(
    dict.fromkeys(
        (
            "base_amount",
            "from_index",
            "to_index",
            "share_of_index",
            "min_pct",
            "max_pct",
            "expected_new_amount",
            "expected_change",
            "expected_percentage",
        )
    )
)
_PAGES_SAY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "rent": "base_amount",
        "base_index": "from_index",
        "from_index": "from_index",
        "old_index": "from_index",
        "index": "to_index",
        "to_index": "to_index",
        "new_index": "to_index",
        "share_percent": "share_of_index",
        "minimum_percent": "min_pct",
        "maximum_percent": "max_pct",
        "cpi_change_percent": "given_pct",
        "change_percent": "given_pct",
        "threshold_percent": "threshold_pct",
    }
)
_PAGES_EXPECT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "new_rent": "expected_new_amount",
        "change": "expected_change",
        "applied_percent": "expected_percentage",
        "change_percent": "expected_percentage",
        "uncapped_percent": "calculated_pct_printed",
    }
)


def pages_index_adjustment(case: Case) -> Verdict:
    """Judge a rent that follows an index or a published change, or a share of it."""
    example = dict(_EXAMPLE)
    extra: dict[str, Any] = {}
    for part, names in (("input", _PAGES_SAY), ("expected", _PAGES_EXPECT)):
        for name, value in case[part].items():
            if name not in names:
                return not_expressible(f"rent adjustment by {name}")
            ours = names[name]
            (example if ours in _EXAMPLE else extra)[ours] = value
    return index.judge({**example, "extra": extra}, {})


def oca_stepped_rent(case: Case) -> Verdict:
    """Judge the price in force once a revision by a percentage begins, or a fixed price."""
    given = case["input"]
    percents = [value for name, value in given.items() if "percent" in name]
    if not percents:
        return landlords_charges.oca_stepped_rent(case)
    step = {"year": given["from_date"][:4], "pct": percents[0]}
    return index.judge(
        {
            **_EXAMPLE,
            "base_amount": given["price"],
            "expected_new_amount": case["expected"]["new_price"],
            "extra": {"steps": [step]},
        },
        {},
    )


# --- Estatio: one change of an index --------------------------------------------------------------

_HALF_EVEN: Final = MappingProxyType({"of": "amount", "mode": "half_even"})
_METHODS: Final[Mapping[str, tuple[Mapping[str, Any], ...]]] = MappingProxyType(
    {
        "FRANCE": (_HALF_EVEN,),
        "ITALY": (_HALF_EVEN, {"of": "percentage", "decimals": 1, "mode": "half_even"}),
    }
)
"""How a method rounds: the factor to 3 decimals is the percentage to 1."""


def estatio_index_adjustment(case: Case) -> Verdict:
    given, expected = case["input"], case["expected"]
    if given["method"] not in _METHODS:
        return not_expressible(f"indexation by {given['method']}")
    if given["base_index"] is None or given["next_index"] is None:
        return _missing(case)
    whole = Decimal(given.get("levelling_percent") or HUNDRED) == HUNDRED
    falls = given.get("allow_decrease", True)
    extra = {} if whole and falls else {"calculated_pct_printed": expected["percentage"]}
    return index.judge(
        {
            **_EXAMPLE,
            "base_amount": given["base_value"],
            "from_index": given["base_index"],
            "to_index": _rebased(given["next_index"], given.get("rebase_factor")),
            "share_of_index": given.get("levelling_percent"),
            "min_pct": None if falls else "0",
            "convention_rounding": _METHODS[given["method"]],
            "expected_percentage": None if extra else expected["percentage"],
            "expected_new_amount": expected["value"],
            "extra": extra,
        },
        {},
    )


def _rebased(value: str, factor: str | None) -> Decimal:
    series = IndexSeries("index", {"2021": value}, base="new")
    if factor is not None:
        series = series.rebased("old", factor=Decimal(factor))
    (found,) = series.values.values()
    return found


def _missing(case: Case) -> Verdict:
    """Return whether an index that is missing leads to no figure, here as there."""
    if any(value is not None for value in case["expected"].values()):
        return failed("a figure is expected of an index that is missing")
    rule = RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10)
    try:
        rent_adjustments(
            RentAdjustmentPlan(rent_adjustment_rules=(rule,)),
            "2021-01-01/2021-12-31",
            indices=IndexSeries("index", {"2019-10": 100}),
            amount=Amount(1000, CURRENCY),
        )
    except MissingIndexError:
        return PASSED
    return failed("a figure was made up for an index that is missing")


def estatio_index_rebase(case: Case) -> Verdict:
    """Judge the factor between two bases of an index, linked one after the other."""
    given = case["input"]
    then, target = day_of(given["from_date"]), str(given["to_base"])[:4]
    series = IndexSeries("index", {"2001": 1}, base="then")
    for base in given["bases"]:
        if then < day_of(base["start"]) and base["start"][:4] <= target:
            series = series.rebased(base["start"], factor=Decimal(base["factor"]))
    (found,) = series.values.values()
    return agrees(case["expected"]["factor"], found, what="factor")


# --- Estatio: floors ------------------------------------------------------------------------------

_ITEM: Final = "rent"
_START: Final = date(2020, 1, 1)
_BEFORE: Final = date(2021, 1, 1)
_NOW: Final = date(2022, 1, 1)
_CLAUSES: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("ALLOW_DECREASE_BASE_AS_FLOOR", {"floor_at_start": True}),
    ("ALLOW_DECREASE", {}),
    ("BASE_INDEX", {"floor_at_start": True, "increase_only": True}),
    ("LAST_KNOWN_INDEX", {"floor_at_start": True}),
)
"""What a method says about falling rents, by a part of its name; the first that fits counts."""


def estatio_index_floor(case: Case) -> Verdict:
    """Judge which base and which rent go on: after a new base, or before the new index is known.

    An index that is not yet known leaves the rent as it is, like one that did not move.
    """
    given, expected = case["input"], case["expected"]
    clause = next((clause for word, clause in _CLAUSES if word in given["method"]), None)
    if clause is None:
        return not_expressible(f"indexation by {given['method']}")
    base, before, moved = _standing(given)
    terms = _with_floor(base, before, clause)
    series = IndexSeries("index", {"2020": abs(base), "2021": abs(moved)})
    found = {
        "base_value": amount_in_force(terms, _ITEM, _START, indices=series),
        "effective_value": amount_in_force(terms, _ITEM, _NOW, indices=series),
    }
    return all_of(agrees(expected[name], found[name].amount, what=name) for name in expected)


def _standing(given: Mapping[str, Any]) -> tuple[Decimal, Decimal | None, Decimal]:
    """Return the base, the rent that an earlier step led to, and what the index makes of the base.

    A base that was agreed anew begins afresh; the last one known is what was settled.
    """
    if given.get("new_base_value") is not None:
        base = Decimal(given["new_base_value"])
        return base, None, Decimal(given["new_indexed_value"] or base)
    before = given["previous_effective_value"] or given["previous_indexed_value"]
    settled = given.get("previous_settled_value")
    stated = given["previous_base_value"] or settled or before
    base = Decimal(stated)
    return base, None if before is None else Decimal(before), base


def _with_floor(base: Decimal, before: Decimal | None, clause: Mapping[str, Any]) -> LeaseTerms:
    """Return terms whose rent is adjusted each January, with the adjustment that was made before.

    Args:
        base: The rent at the start.
        before: What the first adjustment led to; None where there was none.
        clause: What is said about falling rents.

    Returns:
        The terms.
    """
    rule = RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=1,
        first_year=f"{_NOW.year - (before is not None)}",
        index_clause=IndexClause(reference="year_mean", **clause),
    )
    made = () if before is None else (_made(before),)
    item = rent(base, CALENDAR_YEAR, _START, id=_ITEM)
    plan = RentAdjustmentPlan(rent_adjustment_rules=(rule,), adjustments=made)
    return LeaseTerms(recurring_bill_items=(item,), rent_adjustment_plans=(plan,))


def _made(to: Decimal) -> RentAdjustment:
    return RentAdjustment(adjusted_on=_BEFORE, to_period_amount=Amount(to, CURRENCY))
