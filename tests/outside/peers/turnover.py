"""Rents by turnover of other systems: marginal brackets, budgets, bands with a maximum."""

from decimal import Decimal
from typing import Any

from rentbilling import Period
from rentbilling.turnover import turnover_rent
from tests.outside.peers.asked import Asked, Figures, figure
from tests.outside.peers.rents import money
from tests.support.settlements import SalesReport, TurnoverClause, TurnoverTier

_YEAR = Period.year(2026)


def _percent(text: object) -> Decimal:
    return figure(text) / 100


def by_brackets(given: Asked) -> Figures:
    """Return the rent of a rule such as 500000;5;750000;6;7: ends of brackets and percentages."""
    words = [each for each in given["rule"].split(";") if each] or ["0"]
    tiers = [
        TurnoverTier(end=end, rate=_percent(rate))
        for end, rate in zip([*words[:-1:2], None], [*words[1::2], words[-1]], strict=False)
    ]
    found = turnover_rent(
        TurnoverClause(tiers=tiers), figure(given["turnover"]), base_rent=money(0)
    )
    return {"rent": found.turnover_rent}


def above_base_rent(given: Asked) -> Figures:
    """Return what is above the base rent; a budget of all rent stands in for missing turnover."""
    rate, sales = given["rule_percent"], given["audited_turnover"]
    tier = TurnoverTier(rate=0 if rate is None else _percent(rate))
    if sales is None and given["budgeted_total_rent"] is not None:
        tier, sales = TurnoverTier(rate=1), given["budgeted_total_rent"]
    found = turnover_rent(
        TurnoverClause(tiers=[tier], relation="higher_of"),
        figure(sales or 0),
        base_rent=money(given["base_rent_of_period"]),
    )
    return {"turnover_rent": found.turnover_rent}


def by_bands(given: Asked) -> Figures:
    """Return the rent of whole bands; sales above the last band have its rate."""
    *lower, (_, last) = given["bands"]
    tiers = [TurnoverTier(end=end, rate=_percent(rate)) for end, rate in lower]
    fields: dict[str, Any] = {"maximum": money(given["maximum"])} if "maximum" in given else {}
    clause = TurnoverClause(
        tiers=[*tiers, TurnoverTier(rate=_percent(last))], tier_rule="whole", **fields
    )
    reports = [
        SalesReport(period=month, sales=money(sales))
        for month, sales in zip(_YEAR.months, given["turnover"], strict=False)
    ]
    found = turnover_rent(clause, reports, base_rent=money(0))
    return {"computed": found.computed, "rent": found.turnover_rent}
