"""The door of paths: simulations over index values."""

from collections import defaultdict
from decimal import Decimal

import rentbilling as rb
from rentbilling.simulation import IndexPaths, simulate
from tests.cases.doors.asked import Asked, Silent

Sums = dict[tuple[int, int], list[int]]
"""Net, VAT and cash rounding of a month, in minor units."""


def by_paths(asked: Asked) -> None:
    """One path with the values of the series: the same sums by month, and adjustments."""
    assert asked.indices
    series, *others = asked.indices
    *known, last = sorted(series.values)
    exact = [each.as_tuple().exponent for each in series.values.values()]
    places = max(-each for each in exact if isinstance(each, int))
    step = Decimal(1).scaleb(-places)
    values = {point: series.values[point].quantize(step) for point in known}
    before = rb.IndexSeries(series.name, values, base=series.base)
    units = int(series.values[last].scaleb(places))
    paths = IndexPaths.of_array(before, [[units]], points=[str(last)])
    indices, policy = others or None, asked.policy
    futures = simulate(asked.terms, paths, asked.period, indices=indices, policy=policy)
    cash = (futures.payable - futures.gross)[0].tolist()
    rows = zip(futures.net[0].tolist(), futures.vat[0].tolist(), cash, strict=True)
    months = [(month.year, month.month) for month in futures.months]
    found: Sums = dict(zip(months, map(list, rows), strict=True))
    assert _sums(asked.bills) == {month: row for month, row in found.items() if any(row)}
    if futures.adjustments and asked.bills.adjustments:
        made = [
            each
            for each in asked.bills.adjustments
            if each.to_period_amount or not each.to_balance_amount
        ]
        assert len(made) == len(futures.adjustments)


def _first(asked: Asked) -> rb.IndexSeries:
    assert asked.indices
    return asked.indices[0]


NOT_BY_PATHS: Silent = {
    "without a series there are no paths": lambda asked: not asked.indices,
    "a series of one value has no path": lambda asked: len(_first(asked).values) == 1,
    "the values of a path are levels": lambda asked: _first(asked).kind != "level",
    "a path goes on in one unit": lambda asked: len({e.unit for e in _first(asked).points}) > 1,
    "a path has no days of publication": lambda asked: bool(_first(asked).known),
    "a future has no earlier bills": lambda asked: asked.has_earlier_bills,
}


def _sums(bills: rb.BillingResult) -> Sums:
    sums: Sums = defaultdict(lambda: [0, 0, 0])
    for bill in bills:
        net, total, cash = bill.sums
        month = sums[bill.due_date.year, bill.due_date.month]
        for at, each in enumerate((net, total - net, cash or 0)):
            month[at] += each
    return {month: row for month, row in sums.items() if any(row)}
