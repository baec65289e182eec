"""How limits, growth, rounding and the change of an index appear in a working (A33-A40).

Laws: each step is shared by several rules and does not depend on what a rule remembers; the change
of an index is the one that the adjustment found.
"""

from decimal import Decimal
from fractions import Fraction

from rentbilling.adjustments import AmountScale, CompiledRule, IndexChange
from rentbilling.explanations import operations as op
from rentbilling.explanations.working import Working, agreed
from rentbilling.indices import IndexPoint, IndexSeries
from rentbilling.terms import IndexClause


def rounded_amount(
    exact: Working, old: Working, clause: IndexClause, scale: AmountScale
) -> Working:
    """Return a new amount, rounded as the clause says (A38, A40)."""
    mode = clause.amount_rounding or scale.mode
    coin = op.Coin(scale.currency, scale.places)
    step = clause.amount_quantum or coin.step
    times = {"period": Fraction(1), "month": scale.per_year / 12, "year": scale.per_year}
    factor = times[clause.amount_per]
    by_change = clause.amount_rounded == "change"
    value, label = exact, "new amount"
    if by_change:
        value = op.difference("change of the amount", "A40", new=value, old=old)
    if factor != 1:
        of = op.stated(f"periods in a {clause.amount_per}", factor, "A38")
        value = op.product(f"amount of a {clause.amount_per}", "A40", amount=value, times=of)
    plain = not by_change and factor == 1
    if plain and step == coin.step:
        return op.rounded(label, "A38", step, mode, of=coin, amount=value)
    value = op.rounded("amount in steps", "A40", step, mode, amount=value)
    if factor != 1:
        of = op.stated(f"periods in a {clause.amount_per}", factor, "A38")
        value = op.quotient("amount of a period", "A40", amount=value, times=of)
    if by_change:
        value = op.total("amount with its change", "A40", change=value, old=old)
    return coin.rounded(label, "A38", mode, amount=value)


def limits_of(
    rule: CompiledRule, months: int | None
) -> tuple[op.NamedInput | None, op.NamedInput | None]:
    """Return a rule's limits for the time that an adjustment covers (A35, A40)."""
    given = (
        ("minimum percentage", rule.rule.minimum_percentage),
        ("maximum percentage", rule.rule.maximum_percentage),
    )
    least, most = (
        None if limit is None else _limit_over(name, limit, rule.clause, months)
        for name, limit in given
    )
    return least, most


def _limit_over(
    name: str, limit: Decimal, clause: IndexClause, months: int | None
) -> op.NamedInput:
    """Return one limit for the time that an adjustment covers."""
    own = op.stated(name, limit, "A35")
    if clause.limit_per == "adjustment" or months is None:
        return name, own
    elapsed = op.stated("months elapsed", months, "A40", "since the amount was set")
    of = op.stated("months of a limit's year", clause.limit_months, "A40")
    if clause.limit_per == "year_simple":
        years = op.quotient("years elapsed", "A40", months=elapsed, of=of)
        return name, op.product(name, "A40", a_year=own, years=years)
    whole_years, rest = divmod(Fraction(months, clause.limit_months), 1)
    factor = op.total("factor of a year", "A40", ("whole", 1), (name, own))
    whole = op.power("factor of whole years", "A40", factor=factor, years=int(whole_years))
    grown = whole
    if rest and limit != 0:
        part = op.power("factor of the rest", "A40", factor=factor, years=rest)
        grown = op.product("factor over the years", "A40", whole=whole, rest=part)
    return name, op.difference(name, "A40", factor=grown, whole=1)


def within_limits(
    value: Working, least: op.NamedInput | None, most: op.NamedInput | None
) -> Working:
    """Return a percentage within limits; unchanged where there are none (A35)."""
    if least is None and most is None:
        return value
    label = "limited percentage"
    return op.limited(label, "A35", percentage=value, minimum=least, maximum=most)


def damped(value: Working, bound: Decimal, share: Decimal) -> Working:
    """Return a percentage whose excess over a bound counts in part only (A40)."""
    above = op.stated("bound percentage", bound, "A40")
    more = op.difference("excess percentage", "A40", percentage=value, bound_percentage=above)
    part = op.stated("share of the excess", share, "A40")
    counted = op.product("counted percentage", "A40", excess_percentage=more, share=part)
    label = "damped percentage"
    return op.total(label, "A40", bound_percentage=above, excess_percentage=counted)


def grown(base: Working, percentage: Working, part: Working | None, clause: IndexClause) -> Working:
    """Return an amount of which the indexed part has grown by a percentage, exactly (A34, A40)."""
    label = "exact amount"
    if part is not None:
        more = op.product("growth", "A40", indexed_part=part, percentage=percentage)
        found = op.total(label, "A40", amount=base, growth=more)
    elif clause.indexed_share is not None:
        share = op.stated("indexed share", clause.indexed_share, "A40")
        own = op.product("own percentage", "A40", share=share, percentage=percentage)
        factor = op.total("factor", "A40", whole=1, own_percentage=own)
        found = op.product(label, "A40", amount=base, factor=factor)
    else:
        factor = op.total("factor", "A34", whole=1, percentage=percentage)
        found = op.product(label, "A34", amount=base, factor=factor)
    if clause.correction_factor is None:
        return found
    times = op.stated("correction factor", clause.correction_factor, "A40")
    return op.product(label, "A40", amount=found, correction_factor=times)


def change_of(compared: IndexChange, clause: IndexClause) -> Working:
    """Return the change of an index between two points (A33, A34)."""
    series, label = compared.series, "raw percentage"
    before, after, start = compared.from_value, compared.to_value, compared.from_point
    if series.kind == "monthly_change":
        return _of_months(compared, clause)
    if before is None or after is None or start is None:
        note = f"published change of {series.name} to {compared.to_point}"
        if clause.mean_of > 1:
            note = (
                f"mean of {clause.mean_of} yearly changes of {series.name} to {compared.to_point}"
            )
        return op.stated(label, compared.change, "A33", note)
    new: op.NamedInput = (
        "to",
        _index_value(series, compared.to_point, after, clause, stated_start=False),
    )
    old: op.NamedInput = "from", _index_value(series, start, before, clause, stated_start=True)
    ratio = op.quotient("ratio of the index", "A34", new, old)
    found = op.difference(label, "A34", ratio=ratio, whole=1)
    return agreed(found, compared.change, "the change of an index")


def _of_months(compared: IndexChange, clause: IndexClause) -> Working:
    """Return the product of the changes of months, or what their means are, as a fact (A152)."""
    series, label = compared.series, "raw percentage"
    start, to = compared.from_point, compared.to_point
    if clause.mean_of > 1 or start is None or not start.unit == to.unit == "month" or start >= to:
        note = f"of the levels that the changes of {series.name} make up to {to}"
        return op.stated(label, compared.change, "A152", note)
    marks = dict.fromkeys(series.provisional, ", provisional")
    marks |= dict.fromkeys(series.assumed, ", assumed")
    factors = [
        (f"{each}{marks.get(each, '')}", 1 + series.value_at(each)) for each in compared.used
    ]
    note = f"1 + the change of each month of {series.name} after {start}"
    ratio = op.product("product of the changes", "A152", *factors, note=note)
    found = op.difference(label, "A152", ratio=ratio, whole=1)
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
    own = clause.start_index if stated_start and point == clause.start_point else None
    # Once the rule has applied a point, the published value counts there (A33).
    if own is not None and value == Fraction(own):
        return op.stated(label, own, "A40", "stated by the contract")
    base = None if series.base is None else f"base {series.base}"
    if clause.mean_of > 1:
        points = [point.shifted(-back) for back in range(clause.mean_of)]
        values = [(str(each), series.value_at(each)) for each in points]
        of = op.total("sum of the values", "A40", *values)
        found = op.quotient(label, "A40", sum=of, values=clause.mean_of, note=base)
        if clause.mean_decimals is not None:
            step = Decimal((0, (1,), -clause.mean_decimals))
            found = op.rounded(label, "A40", step, "half_up", mean=found)
        return agreed(found, value, "an averaged index value")
    published = series.values.get(point)
    if series.is_assumed(point):
        base = f"{base}, assumed" if base else "assumed"
    elif series.is_provisional(point):
        base = f"{base}, provisional" if base else "provisional"
    if published is not None and published == value:
        return op.stated(label, published, "A33", base)
    return op.stated(label, value, "A33", base)
