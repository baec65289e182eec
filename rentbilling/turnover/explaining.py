"""Why a turnover rent is what it is: sales, breakpoint, bands, limits, base rent, earlier bills.

Law: each working is made of what the rent was computed from, and leads to it.
"""

from fractions import Fraction
from math import prod
from types import MappingProxyType
from typing import Final

from rentbilling.explanations import Explanation, Input, Working, as_fraction
from rentbilling.turnover.clause import minor_unit
from rentbilling.turnover.rent import Slice, amount_of
from rentbilling.turnover.year import Due, GroupRent, TurnoverYear
from rentbilling.values import Amount

_KINDS: Final = MappingProxyType({"interval": "turnover rent of", "true_up": "true-up of"})


def explain_turnover(year: TurnoverYear) -> Explanation:
    """Return a working for each interval of a lease year, and for its true-up.

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
    return Explanation(
        _Part(due, each.sales.currency).working(f"{_KINDS[each.kind]} {each.days}")
        for each, due in zip(year, year.dues, strict=True)
    )


class _Part:
    """The working of an interval, or of the true-up."""

    def __init__(self, due: Due, currency: str) -> None:
        self._due, self._currency = due, currency
        self._unit = Fraction(minor_unit(currency))

    def working(self, label: str) -> Working:
        """Return what is due, less what was billed before."""
        due, inner = self._due, [self._group(each) for each in self._due.groups]
        found = inner[0]
        if len(inner) > 1:
            named = [
                (each.clause.group or "others", one)
                for each, one in zip(due.groups, inner, strict=True)
            ]
            found = self._step("all product groups", "sum", *named, rule="A99")
        for name, limit in due.limits.items():
            inputs = ("rent", found), (f"{name} above what is set off", self._money(limit))
            found = self._step(f"within the {name} of all groups", "limited", *inputs, rule="A128")
        if due.billed:
            billed = self._step("billed before", "stated", result=due.billed, rule="A98")
            found = self._step("left", "difference", ("due", found), ("billed", billed), rule="A97")
            if due.rent < due.billed and not label.startswith(_KINDS["true_up"]):
                inputs = ("left", found), ("minimum", self._money(Fraction(0)))
                found = self._step("not below 0", "limited", *inputs, rule="A97")
        return Working(label, found.operation, found.inputs, found.result, found.rule, found.note)

    def _group(self, group: GroupRent) -> Working:
        """Return the rent of one clause, rounded."""
        due, clause, found = self._due, group.clause, group.found
        whole = self._bands(group)
        if found.least > found.computed:
            whole = self._within(whole, "minimum", found.least)
        if clause.maximum is not None and found.whole < max(found.computed, found.least):
            whole = self._within(whole, "maximum", found.whole)
        if clause.relation == "higher_of":
            base = self._yearly("base rent", group.base, "A102")
            whole = self._step(
                "above base rent", "difference", ("rent", whole), ("base rent", base)
            )
            whole = self._within(whole, "minimum", Fraction(0))
        if due.scale != 1:
            scaled = ("rent", whole), ("part of the year", due.scale)
            whole = self._step("rent of the part of the year", "product", *scaled, rule="A97")
        rounding: tuple[tuple[str, Input], ...] = (
            ("exact", whole),
            ("step", Fraction(clause.step or 0) or self._unit),
            ("mode", "half_up"),
        )
        label = f"turnover rent of {clause.group}" if clause.group else "turnover rent"
        return Working(label, "rounded", rounding, self._money(group.rent), "A87")

    def _within(self, whole: Working, name: str, limit: Fraction) -> Working:
        inputs = ("rent", whole), (name, self._money(limit))
        return self._step(f"within the {name}", "limited", *inputs)

    def _bands(self, group: GroupRent) -> Working:
        """Return what the bands yield above the breakpoint."""
        sales = self._yearly("sales", group.sales, "A100")
        point = self._breakpoint(group)
        found = group.found
        if not found.slices:
            note = "sales do not pass the breakpoint" if found.point else None
            together = ("rent", self._money(Fraction(0))), ("sales", sales), ("breakpoint", point)
            return self._step("rent of the bands", "together", *together, note=note)
        inner = [self._slice(each, group, sales, point) for each in found.slices]
        named = [(f"band {at}", one) for at, one in enumerate(inner, 1)]
        return inner[0] if len(inner) == 1 else self._step("rent of the bands", "sum", *named)

    def _slice(self, each: Slice, group: GroupRent, sales: Working, point: Working) -> Working:
        """Return what sales of one band bear."""
        found, clause = group.found, group.clause
        upto: Input = sales if each.upto == group.sales else self._money(each.upto)
        above: Input = point if each.above == found.point else self._money(each.above)
        if clause.tiers_of == "excess" and clause.tier_rule == "marginal":
            excess = self._step("excess", "difference", ("sales", sales), ("breakpoint", point))
            upto = excess if each.upto == found.excess else self._money(each.upto)
            above = self._money(each.above)
        band: Input = upto
        if each.above:
            inputs = ("up to", upto), ("above", above)
            band = self._step("sales that bear it", "difference", *inputs, rule="A96")
        rent = self._step("rent of the sales", "product", ("sales", band), ("rate", each.rate))
        if not each.fixed:
            return rent
        fixed = self._money(Fraction(each.fixed))
        return self._step("rent of the band", "sum", ("rent", rent), ("fixed", fixed))

    def _breakpoint(self, group: GroupRent) -> Working:
        clause, point = group.clause, group.found.point
        if clause.natural:
            rate = clause.tiers[0].rate if clause.natural_rate is None else clause.natural_rate
            inputs = ("base rent", self._yearly("base rent", group.base, "A102")), ("rate", rate)
            return self._step("breakpoint", "quotient", *inputs)
        if self._due.share == 1 or not point:
            return self._step("breakpoint", "stated", result=point)
        stated = self._money(point / self._due.share)
        share = "part of the year", self._due.share
        return self._step("breakpoint", "product", ("breakpoint", stated), share)

    def _yearly(self, label: str, units: Fraction, rule: str) -> Working:
        """Return sales or base rent; those of an annualised interval by its part of the year."""
        # That of an extended year is set off against the rent of twelve months.
        part = self._due.part if label == "sales" else self._due.scale
        found = self._step(label, "stated", result=units * part, rule=rule)
        if part == 1:
            return found
        inputs = (label, found), ("part of the year", part)
        return self._step(f"{label} of a year", "quotient", *inputs, rule="A97")

    def _step(
        self,
        label: str,
        operation: str,
        *inputs: tuple[str, Input],
        result: Fraction | None = None,
        rule: str = "A87",
        note: str | None = None,
    ) -> Working:
        """Return a step; its result is in minor units, or follows from the inputs."""
        found = self._unit * result if result is not None else _computed(operation, inputs)
        return Working(label, operation, inputs, self._main(found), rule, note)

    def _money(self, units: Fraction) -> Amount | Fraction:
        return self._main(units * self._unit)

    def _main(self, value: Fraction) -> Amount | Fraction:
        """Return a number in the main unit, as an amount where it is one."""
        units = value / self._unit
        return amount_of(units, self._currency) if units.denominator == 1 else value


def _computed(operation: str, inputs: tuple[tuple[str, Input], ...]) -> Fraction:
    first, *others = (
        as_fraction(each.result if isinstance(each, Working) else each) for _, each in inputs
    )
    if operation == "product":
        return first * prod(others)
    if operation == "quotient":
        return first / others[0]
    if operation == "limited":
        return (max if inputs[1][0].startswith("minimum") else min)(first, *others)
    if operation == "sum":
        return first + sum(others)
    return first - sum(others) if operation == "difference" else first
