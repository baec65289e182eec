"""The records of a settlement, as tests write them: lists, numbers and texts are read as in use.

Units, occupancies and pools are written as rows of words.
"""

from decimal import Decimal
from typing import Any, Final

import pytest

from rentbilling import InvalidInputError, settlement, turnover
from rentbilling.errors import Problem
from rentbilling.settlement import SettlementResult, settle

Data = Any
"""What a case states, or a record of it."""

Advance: Final[Any] = settlement.Advance
CostPool: Final[Any] = settlement.CostPool
DegreeDays: Final[Any] = settlement.DegreeDays
ExpenseSteps: Final[Any] = settlement.ExpenseSteps
LeaseBase: Final[Any] = settlement.LeaseBase
LeaseCeiling: Final[Any] = settlement.LeaseCeiling
LeaseFloor: Final[Any] = settlement.LeaseFloor
Occupancy: Final[Any] = settlement.Occupancy
PersonsRecord: Final[Any] = settlement.PersonsRecord
PoolPart: Final[Any] = settlement.PoolPart
Reading: Final[Any] = settlement.Reading
SalesReport: Final[Any] = turnover.SalesReport
Settlement: Final[Any] = settlement.Settlement
SettlementPolicy: Final[Any] = settlement.SettlementPolicy
SettlementUnit: Final[Any] = settlement.SettlementUnit
StatedLine: Final[Any] = settlement.StatedLine
StatedStatement: Final[Any] = settlement.StatedStatement
TurnoverClause: Final[Any] = turnover.TurnoverClause
TurnoverTerms: Final[Any] = turnover.TurnoverTerms
TurnoverTier: Final[Any] = turnover.TurnoverTier


def money(value: object, currency: str = "EUR") -> Data:
    return {"amount": Decimal(str(value)), "currency": currency}


def units(*rows: str) -> list[Any]:
    """Return units of rows such as "u1 area=80 permille=250"; `-` leaves one out of pools."""
    found = []
    for row in rows:
        name, *stated = row.split()
        values = dict(each.split("=") for each in stated if "=" in each)
        takes_part = "-" not in stated
        found.append(SettlementUnit(id=name, values=values or None, takes_part=takes_part))
    return found


def occupancies(*rows: str) -> list[Any]:
    """Return occupancies of rows such as "t1 u1 2025-01-01/2025-03-14 persons=2 who=vacant"."""
    found = []
    for row in rows:
        name, unit, *stated = row.split()
        fields: dict[str, Any] = {"id": name, "unit": unit}
        consumption: dict[str, str] = {}
        for each in stated:
            key, equals, value = each.partition("=")
            if not equals:
                first, _, last = each.partition("/")
                fields |= {"first_day": first or None, "last_day": last or None}
            elif key in ("persons", "who", "lease", "factor"):
                fields[key] = int(value) if key == "persons" else value
            else:
                consumption[key] = value
        found.append(Occupancy(**fields, consumption=consumption or None))
    return found


def pool(amount: object, *parts: str, currency: str = "EUR", **fields: Data) -> Data:
    """Return a pool of parts such as "area 30%" or "consumption"."""
    made = []
    for part in parts:
        key, *stated = part.split()
        given: dict[str, Any] = dict(each.split("=") for each in stated if "=" in each)
        for each in stated:
            if "=" not in each:
                given["fraction"] = each
        if "units" in given:
            given["units"] = given["units"].split(",")
        made.append(PoolPart(key=key, **given))
    return CostPool(**{"id": "pool", **fields}, amount=money(amount, currency), parts=made)


def settled(
    pools: list[Any], of_units: list[Any], stays: list[Any], period: str = "2025", **fields: Data
) -> SettlementResult:
    policy = {**fields.pop("policy", {})}
    return settle(
        Settlement(
            period=period,
            currency=pools[0].amount.currency,
            pools=pools,
            units=of_units,
            occupancies=stays,
            policy=SettlementPolicy(**policy),
            **fields,
        )
    )


def problems_of(
    pools: list[Any], of_units: list[Any], stays: list[Any], period: str = "2025", **fields: Data
) -> tuple[Problem, ...]:
    """Return the problems of a house that is refused."""
    with pytest.raises(InvalidInputError) as error:
        settled(pools, of_units, stays, period, **fields)
    return error.value.problems


def shares(result: SettlementResult) -> str:
    """Return the shares of all occupancies, such as "t1 495.89, t2 504.11"."""
    return ", ".join(f"{name} {share.amount}" for name, share in result.shares.items())


def landlord(result: SettlementResult) -> str:
    """Return what the landlord bears of all pools, by reason."""
    found: dict[str, Decimal] = {}
    for each in result.pools:
        for reason, amount in each.landlord.items():
            found[reason] = found.get(reason, Decimal(0)) + amount.amount
    return ", ".join(f"{reason} {amount}" for reason, amount in found.items())
