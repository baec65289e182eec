"""Whole settlements, and single costs that are shared: examples stated as a house."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from rentbilling import Amount
from rentbilling.settlement import (
    SettlementResult,
    heat_share,
    settle,
)
from tests.outside.board import MismatchError, UnsaidError
from tests.outside.settlement.figures import Given, number
from tests.support.settlements import (
    Advance,
    CostPool,
    Data,
    Occupancy,
    PersonsRecord,
    PoolPart,
    Settlement,
    SettlementPolicy,
    SettlementUnit,
)

_KEYS: Final = {"person_days": "persons"}
_CONSUMED: Final = ("consumption",)
_WHO: Final = {"vacancy": "vacant", "landlord": "owner", "own": "owner"}


def settled(given: Given) -> Mapping[str, Any]:
    result = _settled(_settlement(given))
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
        "lines": by_pool.get(only, by_pool),
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


def _settled(settlement: Data) -> SettlementResult:
    result = settle(settlement)
    for each in result.problems:
        raise MismatchError(f"refused: {'; '.join(map(str, each.problems))}")
    return result


def _settlement(given: Given) -> Data:
    units = [_unit(each) for each in given.get("units", ())]
    pools, occupancies = (
        [*_pools(given)],
        [_occupancy(each) for each in given.get("occupancies", ())],
    )
    if "pots" in given:
        values = {pot["key"]: Decimal(pot["flat"]) for pot in given["pots"]}
        units = [SettlementUnit(id="flat", values=values)]
    elif "share_percent" in given and not units:
        units = [SettlementUnit(id="flat", values={"share": Decimal(given["share_percent"])})]
    if not occupancies:
        occupancies = [Occupancy(id=each.id, unit=each.id) for each in units]
    return Settlement(
        period=given.period,
        currency=given.currency,
        pools=pools,
        units=units,
        occupancies=occupancies,
        advances=[_advance(given, each) for each in given.get("advances", ())],
        policy=policy_of(given),
    )


def policy_of(given: Given) -> Data:
    words = str(given.get("denominator", "")) + str(given.get("rules", ""))
    return SettlementPolicy(
        gaps="vacant",
        landlord_bears=0 if "occupied" in words else 1,
        missing_reading=given.get("missing_reading") or "refuse",
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
    if not units and any(isinstance(each.get("participates"), Mapping) for each in given["units"]):
        units = [
            each["id"]
            for each in given["units"]
            if not isinstance(taking := each.get("participates", True), Mapping)
            or taking.get(pool["id"], True)
        ]
    time = part.get("time") or given.get("time")
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
    )


def _unit(given: Mapping[str, Any]) -> Data:
    values = {name: Decimal(value) for name, value in (given.get("values") or {}).items()}
    takes_part = given.get("participates", True)
    return SettlementUnit(
        id=given["id"], values=values, takes_part=isinstance(takes_part, Mapping) or takes_part
    )


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
        return {"percent": _percent_of(sum(ratios, Fraction(0)))}
    if "weight" in given:
        return {"percent": _percent_of(number(given["weight"]) / number(given["weights"]))}
    keys = [pot["key"] for pot in given.get("pots", ())] or ["weights"]
    weights = [pot["weights"] for pot in given.get("pots", ())]
    weights = weights or [given.get("weights") or given["percents"]]
    split = given.get("split") or ["1"]
    result = share_by(given, given["amount"], [*zip(keys, split, weights, strict=True)])
    shares = [*result.shares.values()]
    total = sum(shares, given.amount(0))
    percents = [number(each.amount) / number(given["amount"]) * 100 for each in shares]
    found: dict[str, Any] = {"shares": shares, "sum": total, "percent": percents}
    if "units" in given.expected:
        found["units"] = [*_by_key(given, keys, split, weights, shares)]
    return found


def _percent_of(share: Fraction) -> Fraction:
    """Return a share in percent, as one of heat."""
    return heat_share(share, 1) * 100


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
    given: Given, amount: object, parts: Sequence[tuple[str, str, Sequence[str]]]
) -> SettlementResult:
    """Return an amount shared among units, each part by its own values."""
    count = len(parts[0][2])
    names = [f"{at:03d}" for at in range(count)]
    keys = [f"{key} of part {at}" for at, (key, _, _) in enumerate(parts)]
    units = [
        SettlementUnit(
            id=name,
            values={key: Decimal(own[at]) for key, (_, _, own) in zip(keys, parts, strict=True)},
        )
        for at, name in enumerate(names)
    ]
    shared = [
        PoolPart(key=key, fraction=Decimal(str(part)))
        for key, (_, part, _) in zip(keys, parts, strict=True)
    ]
    return _settled(
        Settlement(
            period=given.period,
            currency=given.currency,
            pools=[CostPool(id="pool", amount=given.amount(amount), parts=shared)],
            units=units,
            occupancies=[Occupancy(id=name, unit=name) for name in names],
            policy=policy_of(given),
        )
    )


def heating_split(given: Given) -> Mapping[str, Any]:
    fixed = Decimal(given["fixed_part"])
    if any(each is None for each in given["consumption"]):
        raise UnsaidError("a reading that is missing")
    parts = [("fixed", str(fixed), given["fixed"]), ("used", str(1 - fixed), given["consumption"])]
    return {"shares": [*share_by(given, given["amount"], parts).shares.values()]}
