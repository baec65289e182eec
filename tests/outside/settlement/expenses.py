"""What of a pool is shared: base years, caps, gross-up, and whole chains of expenses."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rentbilling.settlement import SettlementResult, new_advance
from rentbilling.settlement.pools import expenses_of
from rentbilling.values import rounded
from tests.outside.settlement.figures import YEAR, Given, house, number
from tests.support.settlements import (
    Advance,
    CostPool,
    Data,
    ExpenseSteps,
    LeaseCeiling,
    Occupancy,
    PoolPart,
    SettlementUnit,
)


def base_year(given: Given) -> Mapping[str, Any]:
    if "building_area" in given:
        return _stop(given)
    rise = _grossed(given, Decimal(given["variable"])) if "variable" in given else {}
    let = given.get("base_occupancy")
    steps = ExpenseSteps(
        base=given.amount(given["base"]), base_occupancy=Decimal(let) if let else None, **rise
    )
    share = Decimal(given.get("share_percent", 100)) / 100
    year = _settled(given, given["actual"], share, steps=steps)[0].share
    return {"tenant": year, "year": year, "month": number(year.amount) / 12}


def _stop(given: Given) -> Mapping[str, Any]:
    """Return the share above a stop that is an amount for each square foot."""
    area = Decimal(given["building_area"])
    total = number(given.get("taxes_year", 0)) + number(given.get("cam_per_sf", 0)) * number(area)
    steps = ExpenseSteps(base_rate=Decimal(given["stop_per_sf"]), base_area=area)
    share = number(given["area"]) / number(area)
    year = _settled(given, rounded(total, 2), share, steps=steps)[0].share
    return {"tenant": year, "year": year, "month": number(year.amount) / 12}


def cap(given: Given) -> Mapping[str, Any]:
    kind, rate = str(given.get("kind", "")), Decimal(given["cap"])
    rates = sorted(name for name in given if name.startswith("rate_"))
    if rates:
        asked = [name for name in given.expected if name.startswith("rate_")]
        known = int(rates[0].removeprefix("rate_"))
        found = {}
        for name in asked:
            ceiling = _ceiling(given, "1", rate, kind, int(name.removeprefix("rate_")) - known)
            found[name] = number(given[rates[0]]) * ceiling.growth
        return found
    reference = given.get("reference_share", "0")
    ceiling = _ceiling(given, reference, rate, kind, int(given.get("years", 1)))
    result = _settled(given, given["actual_share"], 1, ceilings=[ceiling])
    return {"tenant": result[0].share}


def _ceiling(given: Given, amount: str, rate: Decimal, kind: str, years: int) -> Data:
    if "amount" in kind or "plain" in kind:
        return LeaseCeiling(amount=given.amount(rate))
    from_base = "base" in kind and "cumulative" not in kind
    word = "simple" if "simple" in kind or from_base else "cumulative"
    unused = next((given[name] for name in ("carried", "carry_forward") if name in given), None)
    carried = None if unused is None else given.amount(unused)
    return LeaseCeiling(
        amount=given.amount(amount), rate=rate, years=years, kind=word, carried=carried
    )


def gross_up(given: Given) -> Mapping[str, Any]:
    variable, amount = Decimal(given["variable"]), given.get("amount")
    if amount is None:
        amount = variable + Decimal(given.get("fixed", 0))
        variable /= amount
    steps = ExpenseSteps(**_grossed(given, variable))
    pool = _pool(given, amount, steps)
    grossed = expenses_of(pool, YEAR).shared / 100
    paid = _settled(given, amount, Decimal(given["occupancy"]), steps=steps)[0].share
    return {"grossed_up": grossed, "tenants_pay": paid}


def _grossed(given: Given, variable: Decimal) -> dict[str, Any]:
    """Return the fields of a gross-up; without a target it is to the threshold."""
    return {
        "variable": variable,
        "occupancy": Decimal(given["occupancy"]),
        "threshold": Decimal(given.get("threshold", 1)),
        "target": Decimal(given["target"]) if given.get("target") else None,
    }


def chain(given: Given) -> Mapping[str, Any]:
    """Return the steps of a chain; the result fields say where a limit of the building stands."""
    exposure = given.get("exposure", given.get("class_exposure"))
    limit = given.get("class_limit", given.get("cap"))
    base = given.get("base_exclusion", given.get("base_year"))
    fields: dict[str, Any] = {
        "factor": Decimal(given.get("adjustment_factor", 1))
        * Decimal(given.get("gross_up_factor", 1)),
        "ceiling_after_base": "after_cap" in given.expected,
        "fee_before_ceiling": True,
    }
    for name, stated in (
        ("excluded", given.get("account_exclusion")),
        ("added", given.get("adjustment_added")),
        ("fee_amount", given.get("administration_fee")),
        ("taken", given.get("adjustment_taken")),
        ("ceiling", limit),
        ("base", base),
    ):
        if stated is not None:
            fields[name] = given.amount(stated)
    rate = given.get("administration_fee_rate", given.get("administration_fee_percent"))
    if rate is not None:
        scale = 1 if "administration_fee_rate" in given else 100
        fields["fee"] = Decimal(rate) / scale
    steps = ExpenseSteps(**fields)
    share = Decimal(given.get("share_factor", given.get("share", 1)))
    occupancy = Decimal(given.get("occupancy_factor", given.get("occupancy", 1)))
    ceilings = [
        LeaseCeiling(amount=given.amount(given[name]))
        for name in ("share_limit", "subgroup_limit", "group_limit")
        if given.get(name) is not None
    ]
    billed = given.get("estimated_billings")
    results = [
        _settled(given, exposure, share, steps=steps, ceilings=limits, factor=factor, paid=billed)
        for limits, factor in (([], 1), (ceilings, 1), (ceilings, occupancy))
    ]
    gross, adjusted, net = (each[0].share for each in results)
    found: dict[str, Any] = {
        **_stages(given, exposure, steps),
        "gross_share": gross,
        "adjusted_share": adjusted,
        "net_share": net,
        "tenant": net,
        "billable": results[-1][0].balance,
    }
    if "old_monthly" in given:
        months = int(given.get("months", 12))
        new = new_advance({None: net}, months=months)[None]
        old = Decimal(given["old_monthly"])
        found |= {"new_monthly": new, "change": new.amount - old}
        found["change_percent"] = (number(new.amount) - number(old)) / number(old) * 100
    return found


def _stages(given: Given, exposure: object, steps: Data) -> Mapping[str, Any]:
    """Return the amount of the building after each group of steps."""

    def upto(**without: Data) -> Fraction:
        return expenses_of(_pool(given, exposure, steps.evolve(**without)), YEAR).shared / 100

    total = upto(ceiling=None, base=None)
    return {
        "total_exposure": total,
        "adjusted_exposure": upto(base=None),
        "net_exposure": upto(),
        "after_base": upto(ceiling=None),
        "after_cap": upto(),
    }


def _pool(given: Given, amount: object, steps: Data) -> Data:
    part = PoolPart(key="share", denominator=1)
    return CostPool(id="pool", amount=given.amount(amount), steps=steps, parts=[part])


def _settled(
    given: Given,
    amount: object,
    share: Decimal | Fraction | int,
    *,
    steps: Data = None,
    ceilings: Data = (),
    factor: Decimal | int = 1,
    paid: object = None,
) -> SettlementResult:
    ratio = Fraction(share)
    fine = rounded(ratio, 12)
    if Fraction(fine) != ratio:
        part = PoolPart(key="share", denominator=ratio.denominator)
        pool = CostPool(id="pool", amount=given.amount(amount), steps=steps, parts=[part])
        fine = Decimal(ratio.numerator)
    else:
        pool = _pool(given, amount, steps)
    unit = SettlementUnit(id="u", values={"share": fine})
    stay = Occupancy(id="o", unit="u", ceilings=ceilings, factor=factor)
    paid_on = [] if paid is None else [Advance(occupancy="o", total=given.amount(paid))]
    return house(given, [pool], [unit], [stay], advances=paid_on)
