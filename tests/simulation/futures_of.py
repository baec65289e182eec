"""What the scalar engine and a simulation say of one path, in the same words."""

from collections.abc import Sequence
from typing import NamedTuple

from rentbilling import BillingPolicy, IndexSeries, LeaseTerms, Period, bill_period
from rentbilling.simulation import Futures, IndexPaths, simulate

Month = tuple[int, int]
Flow = tuple[int, int, int]
"""Net, VAT and cash rounding in minor units."""


class Told(NamedTuple):
    """Everything that is compared."""

    flows: dict[Month, Flow]
    """By month of due date; months without figures are left out."""
    adjustments: list[tuple[object, ...]]
    """Day, item, plan, amounts before and after in minor units, and whether a limit was met."""


def told_alone(
    terms: LeaseTerms,
    paths: IndexPaths,
    at: int,
    period: Period,
    policy: BillingPolicy,
    others: Sequence[IndexSeries] = (),
) -> Told:
    """Return what the scalar engine says of a path, beside series that are the same on all."""
    result = bill_period(terms, period, policy=policy, indices=[paths.series(at), *others])
    flows: dict[Month, Flow] = {}
    for bill in result:
        net, total, cash = bill.sums
        month = bill.due_date.year, bill.due_date.month
        before = flows.get(month, (0, 0, 0))
        flows[month] = before[0] + net, before[1] + total - net, before[2] + (cash or 0)
    adjustments: list[tuple[object, ...]] = []
    for each in result.adjustments:
        old, new = each.from_period_amount, each.to_period_amount
        if old is not None and new is not None:
            reasons = {word for effect in each.adjustment_rules_effects for word in effect.reasons}
            places = result.bills[0].places if result.bills else 2
            adjustments.append(
                (
                    *(each.adjusted_on, each.adjustee_id, each.plan_id),
                    *(int(amount.amount.scaleb(places)) for amount in (old, new)),
                    not reasons.isdisjoint(("minimum", "maximum")),
                )
            )
    return Told({month: flow for month, flow in flows.items() if any(flow)}, adjustments)


def told_of(futures: Futures, at: int) -> Told:
    net, vat = futures.net[at].tolist(), futures.vat[at].tolist()
    cash = (futures.payable - futures.gross)[at].tolist()
    months = [(month.year, month.month) for month in futures.months]
    flows = dict(zip(months, zip(net, vat, cash, strict=True), strict=True))
    adjustments: list[tuple[object, ...]] = [
        (
            *(each.adjusted_on, each.item_id, each.plan_id),
            *(int(each.before[at]), int(each.after[at]), bool(each.limited[at])),
        )
        for each in futures.adjustments
        if each.made[at]
    ]
    return Told({month: flow for month, flow in flows.items() if any(flow)}, adjustments)


def differing(
    terms: LeaseTerms,
    paths: IndexPaths,
    period: str,
    policy: BillingPolicy | None = None,
    others: Sequence[IndexSeries] = (),
    *,
    scalar_runs: int = 0,
) -> list[object]:
    """Return on which paths a simulation is not what the scalar engine says, with both.

    That arrays did all of them, or how many the scalar engine did, is looked at first.
    """
    rules, asked = policy or BillingPolicy(), Period.parse(period)
    futures = simulate(terms, paths, asked, policy=rules, indices=others)
    if futures.scalar_runs != scalar_runs:
        return ["scalar runs", futures.scalar_runs]
    told = [
        (at, told_alone(terms, paths, at, asked, rules, others), told_of(futures, at))
        for at in range(len(paths))
    ]
    return [each for each in told if each[1] != each[2]]
