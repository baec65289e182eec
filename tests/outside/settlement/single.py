"""Single figures: weights, meters, hot water, CO2, deadlines, advances, balances."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rentbilling import AmountRecord, Period
from rentbilling.settlement import (
    CARBON_HALVES,
    CARBON_TIERS,
    VDI_2067,
    CarbonTier,
    advance_total as total_of,
    carbon_intensity,
    carbon_tier,
    consumption,
    degree_days,
    heat_share,
    hot_water_by_area,
    hot_water_heat,
    new_advance as advance_of,
    person_days,
    settlement_preset,
    whole_months,
)
from rentbilling.values import rounded
from tests.outside.settlement.figures import Given, house, money, number, period
from tests.support.settlements import (
    Advance,
    CostPool,
    Data,
    DegreeDays,
    PersonsRecord,
    PoolPart,
    Reading,
    SettlementPolicy,
    SettlementUnit,
)


def time_weight(given: Given) -> Mapping[str, Any]:
    there = period(given.get("occupied") or given["period"])
    whole = whole_months(there, [there])[0]
    found: dict[str, Any] = {"days": there.days, "months": sum(whole)}
    permille = degree_days(there, _table(given.get("table")))
    found["permille"] = permille
    if "area" in given:
        found["weighted_area"] = number(given["area"]) * permille / 1000
    if "persons" in given:
        stated = given["persons"]
        rows = stated if isinstance(stated, list) else [[there.start.isoformat(), stated]]
        records = [PersonsRecord(value=int(value), start=start) for start, value in rows]
        found["person_days"] = person_days(there, 0, records)
    return found


def _table(stated: Data) -> Data:
    if isinstance(stated, list):
        return DegreeDays(months=[Decimal(each) for each in stated])
    if isinstance(stated, str) and "92" in stated:
        return VDI_2067.evolve(summer_by="day")
    summer = re.search(r"(1[34])\D+(1[34])\D+(1[34])", str(stated))
    if summer:
        winter = [*VDI_2067.months]
        return DegreeDays(months=[*winter[:5], *map(Decimal, summer.groups()), *winter[5:]])
    return VDI_2067


def meter(given: Given) -> Mapping[str, Any]:
    readings = [*_readings(given["readings"])]
    found: dict[str, Any] = {"consumption": consumption(readings)}
    if "split_after" in given:
        first, last = readings[0].day, readings[-1].day
        split = date.fromisoformat(given["split_after"])
        days = Period(first, last)
        before, after = (
            Period(date.fromordinal(days.first + 1), split),
            Period(date.fromordinal(split.toordinal() + 1), last),
        )
        found |= {"before": consumption(readings, before), "after": consumption(readings, after)}
    return found


def _readings(rows: Data) -> Data:
    begins = [_begins(rows, at) for at in range(len(rows))]
    for at, (day, value, *_) in enumerate(rows):
        ends = any(begins[at + 1 : at + 2])
        event = "installed" if begins[at] else "removed" if ends else "read"
        yield Reading(unit="u", day=day, value=Decimal(value), event=event)


def _begins(rows: Data, at: int) -> bool:
    """Return whether a reading is the first one of a meter that replaces another."""
    day, _, *word = rows[at]
    follows = at and rows[at - 1][0] == day and len(rows[at - 1]) > len(("day", "value"))
    return bool(at and (follows or (word and ("start" in word[0] or "new" in word[0]))))


def hot_water(given: Given) -> Mapping[str, Any]:
    words = " ".join(str(given.get(name, "")) for name in ("supply", "fuel", "calorific", "rule"))
    supply: Any = "upper_value" if "upper" in words else "fuel"
    supply = "district" if "district" in words else supply
    if "volume_m3" in given:
        stated = [given["volume_m3"], given["hot_c"], given.get("cold_c", 10)]
        heat = hot_water_heat(*map(Decimal, stated), supply=supply)
    else:
        heat = hot_water_by_area(Decimal(given["area_m2"]), supply=supply)
    found: dict[str, Any] = {"hot_water_kwh": heat}
    if "fuel_kwh" in given:
        places = given.percent_places()
        cut: Any = given.get("rounding") or ("down" if "cut" in given.rounding else "half_up")
        fuel = Decimal(given["fuel_kwh"])
        share = heat_share(heat, fuel, percent_places=places, rounding=cut)
        found["percent"] = share * 100
        if "fuel_cost" in given:
            found["cost"] = number(given["fuel_cost"]) * share
    return found


def co2_split(given: Given) -> Mapping[str, Any]:
    kilos, area = Decimal(given["co2_kg"]), Decimal(given["area_m2"])
    days = given.get("period_days")
    intensity = carbon_intensity(kilos, area, days=None if days is None else int(days))
    dwelling = given.get("residential", True) and "non" not in str(given.get("use", ""))
    tier = carbon_tier(intensity, CARBON_TIERS if dwelling else CARBON_HALVES)
    found: dict[str, Any] = {
        "kg_per_m2_year": intensity,
        "tier": _as_printed(given.expected.get("tier"), tier),
        "tenant_percent": tier.tenants * 100,
    }
    if "price_per_tonne" in given or "cost" in given:
        price = number(given.get("price_per_tonne", 0))
        cost = money(given.get("cost", rounded(Fraction(kilos) * price / 1000, 2)))
        pool = CostPool(
            id="co2",
            amount=cost,
            recoverable=rounded(tier.tenants, 2),
            parts=[PoolPart(key="units")],
        )
        result = house(given, [pool], [SettlementUnit(id="u")], period="2026", currency="EUR")
        found |= {"cost": cost, "tenant": result.parts[0].share, "landlord": result.landlord}
    return found


def _as_printed(text: Data, tier: CarbonTier) -> str:
    """Return our tier in the words of the example where they have its edges."""
    edges = [str(each) for each in (tier.least, tier.most) if each is not None]
    return str(text) if re.findall(r"\d+", str(text)) in (edges, edges[-1:]) else str(tier)


def deadline(given: Given) -> Mapping[str, Any]:
    received, supplier = given.get("received_on"), given.get("supplier_bill")
    return (
        settlement_preset(given.country, given.get("name"))
        .deadlines(
            period(given["period"]),
            received_on=date.fromisoformat(received) if received else None,
            supplier_bill=date.fromisoformat(supplier) if supplier else None,
        )
        ._asdict()
    )


def new_advance(given: Given) -> Mapping[str, Any]:
    policy = SettlementPolicy(
        uplift=Decimal(given.get("uplift") or 0),
        advance_step=Decimal(given["round_to"]) if given.get("round_to") else None,
        advance_rounding=given.get("mode") or "half_up",
    )
    shares = {
        name: given.amount(share)
        for name, share in (given.get("parts") or {None: given["share"]}).items()
    }
    months = int(given.get("months") or 12)
    parts = advance_of(shares, months=months, policy=policy)
    whole = sum((each.amount for each in shares.values()), Decimal(0))
    return {
        "monthly": sum((each.amount for each in parts.values()), Decimal(0)),
        "yearly": number(whole) * (1 + number(policy.uplift)) * 12 / months,
        "parts": parts,
    }


def advance_total(given: Given) -> Mapping[str, Any]:
    rule = str(given.get("rule", ""))
    there = period(given.get("occupied") or given["period"])
    if "moved_in" in given:
        there = Period(max(date.fromisoformat(given["moved_in"]), there.start), there.end)
    fields: dict[str, Any] = {"counted": "days" if "days" in rule else "months"}
    if "months" in given:
        fields["months"] = int(given["months"])
    if "begun" in rule and "days" not in rule:
        fields["counted"] = "begun_months"
    for name in ("monthly", "yearly"):
        if name in given:
            fields[name] = given.amount(given[name])
    fields["records"] = [
        AmountRecord(value=given.amount(value), start=f"{month}-01" if len(month) == 7 else month)
        for month, value in given.get("advances", ())
    ]
    return {"total": total_of(Advance(occupancy="o", **fields), there)}


def balance(given: Given) -> Mapping[str, Any]:
    months = int(given.get("months") or 12)
    monthly, costs = given.get("advances_monthly"), given.get("costs") or {}
    if monthly is None and "advances" in given:
        monthly, months = given["advances"], 1
    if isinstance(monthly, Mapping):
        groups = {name: (costs[name], monthly[name], months) for name in monthly}
    elif "estimated" in given:
        share = number(given.get("share_percent", 100)) / 100
        paid = str(rounded(number(given["estimated"]) * share, 2))
        groups = {"all": (given["actual"], paid, 1)}
    else:
        whole = given.get("share") or costs
        whole = sum(map(Decimal, whole.values())) if isinstance(whole, Mapping) else whole
        groups = {"all": (whole, monthly, months)}
    percent = Decimal(given.get("share_percent", 100))
    part = PoolPart(key="share", denominator=100)
    pools = [
        CostPool(id=name, group=name, amount=given.amount(cost), parts=[part])
        for name, (cost, _, _) in groups.items()
    ]
    advances = [
        Advance(occupancy="u", group=name, monthly=given.amount(paid), months=count)
        for name, (_, paid, count) in groups.items()
    ]
    unit = SettlementUnit(id="u", values={"share": percent})
    (statement,) = house(given, pools, [unit], advances=advances)
    return {
        "balance": statement.balance,
        "balances": {str(each.group): each.balance for each in statement.balances},
    }
