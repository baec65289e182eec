"""Whole settlements, and single costs that are shared: examples stated as a house."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from rentbilling import Amount
from rentbilling.settlement import SettlementResult, heat_share
from tests.outside.settlement.figures import Given, house, number
from tests.support.settlements import (
    Advance,
    CostPool,
    Data,
    Occupancy,
    PersonsRecord,
    PoolPart,
    SettlementPolicy,
    SettlementUnit,
)

_KEYS: Final = {"person_days": "persons"}
_CONSUMED: Final = ("consumption",)
_WHO: Final = {"vacancy": "vacant", "landlord": "owner", "own": "owner"}


def settled(given: Given) -> Mapping[str, Any]:
    result = _house(given)
    by_pool = {each.lease_id: {line.pool_id: line.amount for line in each.lines} for each in result}
    labour = {
        each.lease_id: sum((line.labour for line in each.lines if line.labour), given.amount(0))
        for each in result
    }
    only = next(iter(by_pool)) if len(by_pool) == 1 else ""
    found: dict[str, Any] = {
        "shares": result.shares,
        "balances": {each.lease_id: each.balance for each in result},
        "landlord": result.landlord,
        "lines": _lines(given, by_pool, only),
        "labour": labour if isinstance(given.expected.get("labour"), Mapping) else labour.get(only),
        "flat": by_pool.get(only),
    }
    if only:
        found |= {"tenant": result.of(only).share, "flat_total": result.of(only).share}
    if "pots" in given:
        found["unit_prices"] = {
            pot["key"]: number(pot["amount"]) / number(pot["units"]) for pot in given["pots"]
        }
    if "building" in given:
        parts = given["building"]
        total = number(parts["total"])
        found["fixed_percent"] = (total - number(parts["variable"])) / total * 100
    return found


def _lines(given: Given, by_pool: Mapping[str, Any], only: str) -> Mapping[str, Any]:
    """Return lines as the example has them: of the one lease, by lease, or by pool."""
    stated = given.expected.get("lines") or {}
    if not any(isinstance(each, Mapping) for each in stated.values()):
        return dict(by_pool.get(only, by_pool))
    pools = {each["id"] for each in given["pools"]}
    if not pools.issuperset(stated):
        return by_pool
    return {
        pool: {lease: lines[pool] for lease, lines in by_pool.items() if pool in lines}
        for pool in stated
    }


def _house(given: Given) -> SettlementResult:
    units = [_unit(each) for each in given.get("units", ())]
    pools = [*_pools(given)]
    stays = [_occupancy(each) for each in given.get("occupancies", ())]
    if "pots" in given:
        values = {pot["key"]: Decimal(pot["flat"]) for pot in given["pots"]}
        units = [SettlementUnit(id="flat", values=values)]
    elif "share_percent" in given and not units:
        units = [SettlementUnit(id="flat", values={"share": Decimal(given["share_percent"])})]
    advances = [_advance(given, each) for each in given.get("advances", ())]
    return house(given, pools, units, stays, advances=advances, policy=policy_of(given))


def policy_of(given: Given, missing: str = "refuse") -> Data:
    words = f"{given.get('denominator', '')} {given.get('rules', '')}"
    bears = re.search(r"landlord (?:bears )?(\d+) ?%|(\d+) ?% (?:by the )?landlord", words)
    part = Decimal(bears[1] or bears[2]) / 100 if bears else Decimal("occupied" not in words)
    return SettlementPolicy(
        gaps="vacant",
        landlord_bears=part,
        missing_reading=given.get("missing_reading") or missing,
        ties=given.get("ties") or "earlier",
        rounding=given.get("rounding") or "largest_remainder",
        step=1 if given.is_whole() else None,
        percent_places=given.percent_places(),
        unit_price_places=given.unit_price_places(),
    )


def _pools(given: Given) -> Iterator[Any]:
    for pot in given.get("pots", ()):
        part = PoolPart(key=pot["key"], denominator=Decimal(pot["units"]))
        yield CostPool(id=pot["key"], amount=given.amount(pot["amount"]), parts=[part])
    for each in given.get("pools", ()):
        parts = [_part(given, each, part) for part in each.get("parts", ())]
        if not parts:
            parts = [PoolPart(key="share", denominator=100)]
        labour = given.amount(each["labour"]) if each.get("labour") else None
        yield CostPool(
            id=each["id"], amount=given.amount(each["amount"]), parts=parts, labour=labour
        )


def _part(given: Given, pool: Mapping[str, Any], part: Mapping[str, Any]) -> Data:
    key = _KEYS.get(part["key"], part["key"])
    units = part.get("units") or ([part["unit"]] if "unit" in part else [])
    if not units and any(not isinstance(each, bool) for each in _takings(given)):
        units = [
            each["id"]
            for each, taking in zip(given["units"], _takings(given), strict=True)
            if _takes(taking, pool["id"])
        ]
    time = (part.get("time") or given.get("time") or "").replace(" ", "_") or None
    if key in (*_CONSUMED, "persons", "landlord"):
        time = None
    elif any(key in _consumed(each) for each in given.get("occupancies", ())):
        time = "readings"
    fraction = part.get("fraction")
    return PoolPart(
        key=key,
        fraction=None if fraction is None else Decimal(fraction),
        amount=given.amount(part["amount"]) if part.get("amount") else None,
        units=units,
        time=time,
        denominator=Decimal(part["denominator"]) if part.get("denominator") else None,
    )


def _takings(given: Given) -> list[Data]:
    return [each.get("participates", True) for each in given.get("units", ())]


def _takes(taking: Data, pool: str) -> bool:
    """Return whether a unit takes part in a pool, by yes or no, by pool, or by a list of pools."""
    if isinstance(taking, Mapping):
        return bool(taking.get(pool, True))
    return taking if isinstance(taking, bool) else pool in taking


def _unit(given: Mapping[str, Any]) -> Data:
    values = {name: Decimal(value) for name, value in (given.get("values") or {}).items()}
    takes_part = given.get("participates", True)
    return SettlementUnit(id=given["id"], values=values, takes_part=takes_part is not False)


def _consumed(given: Mapping[str, Any]) -> dict[str, Decimal]:
    stated = given.get("consumption")
    if stated is None:
        return {}
    stated = stated if isinstance(stated, Mapping) else {"consumption": stated}
    return {name: Decimal(value) for name, value in stated.items() if value is not None}


def _occupancy(given: Mapping[str, Any]) -> Data:
    who = given.get("who") or "tenant"
    history = [
        PersonsRecord(value=int(value), start=start)
        for start, value in given.get("persons_history") or ()
    ]
    return Occupancy(
        id=given["id"],
        unit=given["unit"],
        who=_WHO.get(who, who),
        first_day=given.get("from"),
        last_day=given.get("to"),
        persons=int(given["persons"]) if given.get("persons") is not None else None,
        person_records=history,
        consumption=_consumed(given) or None,
    )


def _advance(given: Given, stated: Mapping[str, Any]) -> Data:
    fields: dict[str, Any] = {"occupancy": stated["occupancy"]}
    for name in ("total", "amount", "monthly", "yearly"):
        if stated.get(name) is not None:
            fields["total" if name == "amount" else name] = given.amount(stated[name])
    if "months" in stated:
        fields["months"] = int(stated["months"])
    return Advance(**fields)


# ------------------------------------------------------------------------------- one cost


def allocated(given: Given) -> Mapping[str, Any]:
    if "percents" in given and "amount" not in given:
        return {"sum": sum(map(number, given["percents"]))}
    if "split" in given and "pots" not in given:
        ratios = (
            number(part) * number(given[own]) / number(given[all_of])
            for part, (own, all_of) in zip(
                given["split"], (("area", "areas"), ("consumption", "consumptions")), strict=True
            )
        )
        return _single(given, sum(ratios, Fraction(0)))
    if "weight" in given:
        return _single(given, number(given["weight"]) / number(given["weights"]))
    keys = [pot["key"] for pot in given.get("pots", ())] or ["weights"]
    weights = [pot["weights"] for pot in given.get("pots", ())]
    weights = weights or [given.get("weights") or given["percents"]]
    split = given.get("split") or ["1"]
    whole = 100 if "percents" in given else None
    parts = [*zip(keys, split, weights, strict=True)]
    result = share_by(given, given["amount"], parts, whole=whole)
    shares = [*result.shares.values()]
    total = sum(shares, given.amount(0))
    percents = [number(each.amount) / number(given["amount"]) * 100 for each in shares]
    found: dict[str, Any] = {"shares": shares, "sum": total, "percent": percents}
    if "units" in given.expected:
        found["units"] = [*_by_key(given, keys, split, weights, shares)]
    return found


def _single(given: Given, ratio: Fraction) -> Mapping[str, Any]:
    """Return one share, in percent and of the amount where there is one."""
    share = heat_share(ratio, 1)
    found: dict[str, Any] = {"percent": share * 100}
    if "amount" in given:
        found["share"] = found["amount"] = share * number(given["amount"])
    return found


def _by_key(
    given: Given,
    keys: Sequence[str],
    split: Sequence[str],
    weights: Sequence[Sequence[str]],
    totals: Sequence[Amount],
) -> Iterator[Mapping[str, Any]]:
    parts = {}
    for key, part, own in zip(keys, split, weights, strict=True):
        amount = Decimal(given["amount"]) * Decimal(part)
        parts[key] = [*share_by(given, amount, [(key, "1", own)]).shares.values()]
    for at, total in enumerate(totals):
        yield {**{key: parts[key][at] for key in keys}, "total": total}


def share_by(
    given: Given,
    amount: object,
    parts: Sequence[tuple[str, str, Sequence[str]]],
    *,
    whole: int | None = None,
) -> SettlementResult:
    """Return an amount shared among units, each part by its own values."""
    keys = [f"{key} of part {at}" for at, (key, _, _) in enumerate(parts)]
    units = [
        SettlementUnit(
            id=f"{at:03d}",
            values={key: Decimal(own[at]) for key, (_, _, own) in zip(keys, parts, strict=True)},
        )
        for at in range(len(parts[0][2]))
    ]
    shared = [
        PoolPart(key=key, fraction=Decimal(str(part)), denominator=whole)
        for key, (_, part, _) in zip(keys, parts, strict=True)
    ]
    pool = CostPool(id="pool", amount=given.amount(amount), parts=shared)
    return house(given, [pool], units, policy=policy_of(given))


def heating_split(given: Given) -> Mapping[str, Any]:
    """Return a fixed part by values, and the rest by consumption or, without readings, by them."""
    stays = [
        Occupancy(id=f"{at:03d}", unit=f"{at:03d}", consumption=_consumed({"consumption": used}))
        for at, used in enumerate(given["consumption"])
    ]
    fixed = Decimal(given["fixed_part"])
    parts = [PoolPart(key="fixed", fraction=fixed), PoolPart(key="consumption")]
    pool = CostPool(id="heat", amount=given.amount(given["amount"]), parts=parts)
    units = [
        SettlementUnit(id=stay.id, values={"fixed": Decimal(own)})
        for stay, own in zip(stays, given["fixed"], strict=True)
    ]
    result = house(given, [pool], units, stays, policy=policy_of(given, "fixed_key"))
    return {"shares": [*result.shares.values()], "sum": given.amount(given["amount"])}
