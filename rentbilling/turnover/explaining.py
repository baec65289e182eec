"""Why a turnover rent is what it is: sales, breakpoint, bands, limits, base rent, earlier bills.

Law: each working is made of what the rent was computed from, and leads to it.
"""

from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from rentbilling.errors import shown
from rentbilling.explanations import Explanation, Input, Working, operations as op
from rentbilling.turnover.rent import Slice
from rentbilling.turnover.year import Due, GroupRent, TurnoverYear
from rentbilling.values import Amount, minor_units

_NOTHING: Final = Fraction(0)
_KINDS: Final = MappingProxyType({"interval": "turnover rent of", "true_up": "true-up of"})


def explain_turnover(year: TurnoverYear) -> Explanation:
    """Return a working for each interval of a lease year, and for its true-up.

    Raises:
        TypeError: `year` is none.

    Examples:
        >>> from rentbilling import Period
        >>> from rentbilling.turnover import (
        ...     SalesReport, TurnoverClause, TurnoverTerms, TurnoverTier, turnover_year)
        >>> clause = TurnoverClause(tiers=[TurnoverTier(rate="6%")], natural=True)
        >>> terms = TurnoverTerms(clauses=[clause], interval_months=12)
        >>> sold = SalesReport(period="2026", sales=Amount(2_600_000, "EUR"))
        >>> year = turnover_year(terms, [sold], "2026", [Amount(120_000, "EUR")])
        >>> print(explain_turnover(year))
        turnover rent of 2026-01-01/2026-12-31: 36,000.00 EUR = 600,000.00 × 6 % [A87]
          sales that bear it: 600,000.00 EUR = 2,600,000.00 − 2,000,000.00 [A96]
            sales: 2,600,000.00 EUR [A100]
            breakpoint: 2,000,000.00 EUR = 120,000.00 / 6 % [A87]
              base rent: 120,000.00 EUR [A102]
    """
    if not isinstance(year, TurnoverYear):
        raise TypeError(f"explain_turnover takes what turnover_year returns, not {shown(year)}")
    return Explanation(
        _Part(due, each.sales.currency).working(f"{_KINDS[each.kind]} {each.days}")
        for each, due in zip(year, year.dues, strict=True)
    )


class _Part:
    """The working of an interval, or of the true-up."""

    def __init__(self, due: Due, currency: str) -> None:
        self._due, self._coin = due, op.Coin(currency, minor_units(currency))

    def working(self, label: str) -> Working:
        """Return what is due, less what was billed before."""
        due, inner = self._due, [self._group(each) for each in self._due.groups]
        found = inner[0]
        if len(inner) > 1:
            names = [each.clause.group or "others" for each in due.groups]
            found = self._whole(
                op.total("all product groups", "A99", *zip(names, inner, strict=True))
            )
        for name, limit in due.limits.items():
            above = f"{name} above what is set off"
            found = self._within(f"the {name} of all groups", found, above, limit, "A128")
        if due.billed:
            billed = op.stated("billed before", self._money(due.billed), "A98")
            found = self._whole(op.difference("left", "A97", due=found, billed=billed))
            if due.rent < due.billed and not label.startswith(_KINDS["true_up"]):
                nothing: op.NamedInput = "minimum", self._money(_NOTHING)
                least = op.limited("not below 0", "A97", minimum=nothing, left=found)
                found = self._whole(least)
        return replace(found, label=label)

    def _group(self, group: GroupRent) -> Working:
        """Return the rent of one clause, rounded."""
        due, clause, found = self._due, group.clause, group.found
        rent = self._bands(group)
        if found.least > found.computed:
            rent = self._within("the minimum", rent, "minimum", found.least)
        if clause.maximum is not None and found.whole < max(found.computed, found.least):
            rent = self._within("the maximum", rent, "maximum", found.whole)
        if clause.relation == "higher_of":
            base = self._yearly("base rent", group.base, "A102")
            rent = self._whole(op.difference("above base rent", "A87", rent=rent, base_rent=base))
            rent = self._within("the minimum", rent, "minimum", _NOTHING)
        if due.scale != 1:
            label = "rent of the part of the year"
            rent = self._whole(op.product(label, "A97", rent=rent, part_of_the_year=due.scale))
        step = Fraction(clause.step or self._coin.step)
        label = f"turnover rent of {clause.group}" if clause.group else "turnover rent"
        return self._whole(op.rounded(label, "A87", step, "half_up", exact=rent))

    def _within(
        self, what: str, rent: Working, name: str, limit: Fraction, rule: str = "A87"
    ) -> Working:
        bound: op.NamedInput = name, self._money(limit)
        least, most = (bound, None) if name.startswith("minimum") else (None, bound)
        return self._whole(
            op.limited(f"within {what}", rule, rent=rent, minimum=least, maximum=most)
        )

    def _bands(self, group: GroupRent) -> Working:
        """Return what the bands yield above the breakpoint."""
        sales = self._yearly("sales", group.sales, "A100")
        point = self._breakpoint(group)
        found, label = group.found, "rent of the bands"
        if not found.slices:
            note = "sales do not pass the breakpoint" if found.point else None
            together: tuple[op.NamedInput, ...] = ("sales", sales), ("breakpoint", point)
            return op.together(label, "A87", ("rent", self._money(_NOTHING)), *together, note=note)
        inner = [self._slice(each, group, sales, point) for each in found.slices]
        named = [(f"band {at}", one) for at, one in enumerate(inner, 1)]
        return inner[0] if len(inner) == 1 else self._whole(op.total(label, "A87", *named))

    def _slice(self, each: Slice, group: GroupRent, sales: Working, point: Working) -> Working:
        """Return what sales of one band bear."""
        found, clause = group.found, group.clause
        upto: Input = sales if each.upto == group.sales else self._money(each.upto)
        above: Input = point if each.above == found.point else self._money(each.above)
        if clause.tiers_of == "excess" and clause.tier_rule == "marginal":
            excess = self._whole(op.difference("excess", "A87", sales=sales, breakpoint=point))
            upto = excess if each.upto == found.excess else self._money(each.upto)
            above = self._money(each.above)
        band: Input = upto
        if each.above:
            label = "sales that bear it"
            band = self._whole(op.difference(label, "A96", up_to=upto, above=above))
        rent = self._whole(op.product("rent of the sales", "A87", sales=band, rate=each.rate))
        if not each.fixed:
            return rent
        fixed = self._coin.of_units(each.fixed)
        return self._whole(op.total("rent of the band", "A87", rent=rent, fixed=fixed))

    def _breakpoint(self, group: GroupRent) -> Working:
        clause, point, label = group.clause, group.found.point, "breakpoint"
        if clause.natural:
            rate = clause.tiers[0].rate if clause.natural_rate is None else clause.natural_rate
            base = self._yearly("base rent", group.base, "A102")
            return self._whole(op.quotient(label, "A87", base_rent=base, rate=rate))
        share = self._due.share
        if share == 1 or not point:
            return op.stated(label, self._money(point), "A87")
        stated = self._money(point / share)
        return self._whole(op.product(label, "A87", breakpoint=stated, part_of_the_year=share))

    def _yearly(self, label: str, units: Fraction, rule: str) -> Working:
        """Return sales or base rent; those of an annualised interval by its part of the year."""
        # That of an extended year is set off against the rent of twelve months.
        part = self._due.part if label == "sales" else self._due.scale
        found = op.stated(label, self._money(units * part), rule)
        if part == 1:
            return found
        inputs: tuple[op.NamedInput, ...] = (label, found), ("part of the year", part)
        return self._whole(op.quotient(f"{label} of a year", "A97", *inputs))

    def _whole(self, found: Working) -> Working:
        return self._coin.whole(found)

    def _money(self, units: Fraction) -> Amount | Fraction:
        """Return minor units as an amount where they are whole, else in the main unit."""
        return self._coin.amount(units / 10**self._coin.places)
