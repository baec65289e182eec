"""Amount workings: what limits, growth and rounding make of an amount (assumptions A34-A40).

Law: each step is one that several rules share, and none knows what a rule remembers.
"""

from decimal import Decimal
from fractions import Fraction

from rentbilling.adjustments import AmountScale, CompiledRule
from rentbilling.explanations.operations import (
    Coin,
    Inputs,
    difference,
    limited,
    power,
    product,
    quotient,
    rounded,
    stated,
    total,
)
from rentbilling.explanations.working import Working
from rentbilling.terms import IndexClause


def rounded_amount(
    exact: Working, old: Working, clause: IndexClause, scale: AmountScale
) -> Working:
    """Return a new amount as the clause rounds it (A38, A40)."""
    mode = clause.amount_rounding or scale.mode
    coin = Coin(scale.currency, scale.places)
    step = clause.amount_quantum or coin.step
    times = {"period": Fraction(1), "month": scale.per_year / 12, "year": scale.per_year}
    factor = times[clause.amount_per]
    by_change = clause.amount_rounded == "change"
    value, label = exact, "new amount"
    if by_change:
        value = difference("change of the amount", "A40", ("new", value), ("old", old))
    if factor != 1:
        of = stated(f"periods in a {clause.amount_per}", factor, "A38")
        value = product(f"amount of a {clause.amount_per}", "A40", ("amount", value), ("times", of))
    plain = not by_change and factor == 1
    if plain and step == coin.step:
        return rounded(label, ("amount", value), step, mode, "A38", of=coin)
    value = rounded("amount in steps", ("amount", value), step, mode, "A40")
    if factor != 1:
        of = stated(f"periods in a {clause.amount_per}", factor, "A38")
        value = quotient("amount of a period", "A40", ("amount", value), ("times", of))
    if by_change:
        value = total("amount with its change", "A40", ("change", value), ("old", old))
    return rounded(label, ("amount", value), coin.step, mode, "A38", of=coin)


def limits_of(rule: CompiledRule, months: int | None) -> tuple[Inputs | None, Inputs | None]:
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


def _limit_over(name: str, limit: Decimal, clause: IndexClause, months: int | None) -> Inputs:
    """Return one limit for the time that an adjustment covers."""
    own = stated(name, limit, "A35")
    if clause.limit_per == "adjustment" or months is None:
        return name, own
    elapsed = stated("months elapsed", months, "A40", "since the amount was set")
    of = stated("months of a limit's year", clause.limit_months, "A40")
    if clause.limit_per == "year_simple":
        years = quotient("years elapsed", "A40", ("months", elapsed), ("of", of))
        return name, product(name, "A40", ("a year", own), ("years", years))
    whole_years, rest = divmod(Fraction(months, clause.limit_months), 1)
    factor = total("factor of a year", "A40", ("whole", 1), (name, own))
    whole = power("factor of whole years", "A40", ("factor", factor), ("years", int(whole_years)))
    grown = whole
    if rest and limit != 0:
        part = power("factor of the rest", "A40", ("factor", factor), ("years", rest))
        grown = product("factor over the years", "A40", ("whole", whole), ("rest", part))
    return name, difference(name, "A40", ("factor", grown), ("whole", 1))


def held_within(value: Working, least: Inputs | None, most: Inputs | None) -> Working:
    """Return a percentage within limits; the same where there are none (A35)."""
    if least is None and most is None:
        return value
    named: Inputs = "percentage", value
    return limited("limited percentage", "A35", named, minimum=least, maximum=most)


def damped(value: Working, bound: Decimal, share: Decimal) -> Working:
    """Return a percentage of which only a part counts above a bound (A40)."""
    above = stated("bound percentage", bound, "A40")
    more = difference(
        "excess percentage", "A40", ("percentage", value), ("bound percentage", above)
    )
    part = stated("share of the excess", share, "A40")
    counted = product("counted percentage", "A40", ("excess percentage", more), ("share", part))
    label = "damped percentage"
    return total(label, "A40", ("bound percentage", above), ("excess percentage", counted))


def grown(base: Working, percentage: Working, part: Working | None, clause: IndexClause) -> Working:
    """Return an amount of which the indexed part has grown by a percentage, exactly (A34, A40)."""
    label = "exact amount"
    named: Inputs = "percentage", percentage
    if part is not None:
        more = product("growth", "A40", ("indexed part", part), named)
        found = total(label, "A40", ("amount", base), ("growth", more))
    elif clause.indexed_share is not None:
        share = stated("indexed share", clause.indexed_share, "A40")
        own = product("own percentage", "A40", ("share", share), named)
        factor = total("factor", "A40", ("whole", 1), ("own percentage", own))
        found = product(label, "A40", ("amount", base), ("factor", factor))
    else:
        factor = total("factor", "A34", ("whole", 1), named)
        found = product(label, "A34", ("amount", base), ("factor", factor))
    if clause.correction_factor is None:
        return found
    times = stated("correction factor", clause.correction_factor, "A40")
    return product(label, "A40", ("amount", found), ("correction factor", times))
