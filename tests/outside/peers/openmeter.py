"""OpenMeter: anchored cycles, dates so long after others, parts of periods, and shares."""

from decimal import Decimal
from typing import Final

from rentbilling import Amount, BillingPolicy, InvalidInputError
from rentbilling.policy import PartPeriod
from rentbilling.schedule import period_share
from rentbilling.values import share_out
from tests.outside.board import MismatchError, UnsaidError
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, is_refused

_METHODS: Final[dict[str, PartPeriod]] = {
    "none": "full",
    "days of service / days of full period": "period_days",
}


def something_added(given: Asked) -> Figures:
    there = days.of(given["start"])
    for unit, count in given["add"].items():
        there = days.moved(there, days.step(unit), int(count))
    return {"date": there}


def cycle_around(given: Asked) -> Figures:
    """Answer the period of an anchored cycle that holds a date, also before the anchor."""
    anchor, there = days.of(given["anchor"]), days.of(given["date"])
    step = days.step_given(given["cycle"])
    since, back = anchor, 0
    while since > there:
        back += 1
        since = days.moved(anchor, step, -back)
    found = days.containing(days.all_from(days.anchored(step, anchor), since, there), there)
    if found is None:
        raise MismatchError(f"no period holds {there}")
    start, end = days.ends(found)
    return {"start": start, "end_exclusive": end, "end_inclusive": found.end}


def served_part(given: Asked) -> Figures:
    """Answer the price of the days of service within a full period."""
    method = _METHODS.get(given["method"])
    if method is None:
        raise UnsaidError(f"the method {given['method']}")
    whole = days.run(given["full_period"], excluded=given.excluded)
    part = days.run(given["service_period"], excluded=given.excluded)
    policy = BillingPolicy(part_period=method)
    share = period_share(part, days.cycle_of(whole), whole=whole, policy=policy)
    return {"amount": rents.part_of(_amount(given), share)}


def weighted_shares(given: Asked) -> Figures:
    """Answer an amount shared out by weights; shares of nothing are left out."""
    weights = {name: Decimal(weight) for name, weight in given["weights"].items()}
    by_key = given.get("tie_breaker") == "key ascending"
    names = sorted(weights) if by_key else list(weights)
    listed = [weights[name] for name in names]
    shares = share_out(_amount(given), listed, method="largest_remainder")
    found = zip(names, shares, strict=True)
    return {"shares": {name: share for name, share in found if share.amount != rents.NOTHING}}


def refused_shares(given: Asked) -> Figures:
    weights = [Decimal(weight) for weight in given["weights"].values()]

    def shared() -> None:
        share_out(_amount(given), weights, method="largest_remainder")

    return {"refused": is_refused(shared, InvalidInputError)}


def _amount(given: Asked) -> Amount:
    return Amount(Decimal(given["amount"]), given["currency"])
