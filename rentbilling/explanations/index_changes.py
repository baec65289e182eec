"""Index workings: the change of an index between two points, down to the values of the series.

Law: the change is the one that the reference found.
"""

from decimal import Decimal
from fractions import Fraction

from rentbilling.adjustments import IndexChange
from rentbilling.explanations.operations import Inputs, difference, quotient, rounded, stated, total
from rentbilling.explanations.working import Working, agreed
from rentbilling.indices import IndexPoint, IndexSeries
from rentbilling.terms import IndexClause


def change_of(compared: IndexChange, clause: IndexClause) -> Working:
    """Return the change of an index between two points (A33, A34)."""
    series, label = compared.series, "raw percentage"
    before, after, start = compared.from_value, compared.to_value, compared.from_point
    if before is None or after is None or start is None:
        note = f"published change of {series.name} to {compared.to_point}"
        if clause.mean_of > 1:
            note = (
                f"mean of {clause.mean_of} yearly changes of {series.name} to {compared.to_point}"
            )
        return stated(label, compared.change, "A33", note)
    new: Inputs = "to", _index_value(series, compared.to_point, after, clause, stated_start=False)
    old: Inputs = "from", _index_value(series, start, before, clause, stated_start=True)
    ratio = quotient("ratio of the index", "A34", new, old)
    found = difference(label, "A34", ("ratio", ratio), ("whole", 1))
    return agreed(found, compared.change, "the change of an index")


def _index_value(
    series: IndexSeries,
    point: IndexPoint,
    value: Fraction,
    clause: IndexClause,
    *,
    stated_start: bool,
) -> Working:
    """Return the value of an index at a point: published, averaged, or stated by the contract."""
    label = f"{series.name} of {point}"
    if stated_start and clause.start_index is not None and point == clause.start_point:
        return stated(label, clause.start_index, "A40", "stated by the contract")
    base = None if series.base is None else f"base {series.base}"
    if clause.mean_of > 1:
        points = [point.shifted(-back) for back in range(clause.mean_of)]
        values = [(str(each), series.value_at(each)) for each in points]
        of = total("sum of the values", "A40", *values)
        found = quotient(label, "A40", ("sum", of), ("values", clause.mean_of), note=base)
        if clause.mean_decimals is not None:
            step = Decimal((0, (1,), -clause.mean_decimals))
            found = rounded(label, ("mean", found), step, "half_up", "A40")
        return agreed(found, value, "an averaged index value")
    published = series.values.get(point)
    if series.is_assumed(point):
        base = f"{base}, assumed" if base else "assumed"
    elif series.is_provisional(point):
        base = f"{base}, provisional" if base else "provisional"
    if published is not None and published == value:
        return stated(label, published, "A33", base)
    return stated(label, value, "A33", base)
