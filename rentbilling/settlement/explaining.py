"""Why a share is what it is: pool, steps, part, key, days, rounding.

Law: each working is made of what the settlement computed, and leads to the line that it explains.
"""

from fractions import Fraction
from typing import Final

from rentbilling.explanations import Explanation, Input, Working, as_fraction
from rentbilling.settlement.keys import UnitWeight
from rentbilling.settlement.occupancies import Stay
from rentbilling.settlement.sharing import (
    PartShares,
    SettledPool,
    is_rounded_together,
    step_of,
    unit_weight,
    weights_inside,
)
from rentbilling.settlement.statements import Statement, amount_of
from rentbilling.values import Amount, minor_units

_DOWN: Final = "down"
_LEFT: Final = "the largest remainders have what is left over"


def explain_statement(statement: Statement, pool_id: str | None = None) -> Explanation:
    """Return the workings of a statement's lines, or of those of one pool.

    Examples:
        >>> from rentbilling.settlement import (
        ...     CostPool, Occupancy, PoolPart, Settlement, SettlementUnit, settle)
        >>> result = settle(Settlement(
        ...     period="2025",
        ...     currency="EUR",
        ...     pools=[CostPool(id="tax", amount=Amount(100, "EUR"), parts=[PoolPart(key="area")])],
        ...     units=[SettlementUnit(id="a", values={"area": 60}),
        ...            SettlementUnit(id="b", values={"area": 30})],
        ...     occupancies=[Occupancy(id="t", unit="a")],
        ... ))
        >>> print(explain_statement(result[0]))
        share of tax: 66.67 EUR = 66.66 + 0.01; the largest remainders have what is left over [A79]
          rounded down: 66.66 EUR = (200/3) rounded down to 0.01 [A79]
            exact share: 200/3 (66.6666…) = 100.00 × (2/3) [A77]
              amount of tax: 100.00 EUR [A74]
              share by area: 2/3 (0.6666…) = 60 / 90 [A77]
    """
    lines = (
        _Line(statement, settled, stay).working
        for stay in statement.stays
        for settled in statement.pools
        if pool_id in (None, settled.pool.id)
        and any(stay.at in each.shares for each in settled.parts)
    )
    return Explanation(lines)


class _Line:
    """The working of what one stay bears of a pool."""

    def __init__(self, statement: Statement, settled: SettledPool, stay: Stay) -> None:
        self._policy = statement.house.policy
        self._currency = statement.house.settlement.currency
        self._places = minor_units(self._currency)
        self._step = step_of(self._policy, self._places)
        self._settled, self._stay = settled, stay
        self._period = statement.house.settlement.period
        self._of = f"of {settled.pool.id}"

    def _amount(self, units: int) -> Amount:
        return amount_of(units, self._currency)

    def _main(self, units: Fraction) -> Fraction:
        """Return minor units in the main unit."""
        return units / int(10**self._places)

    @property
    def working(self) -> Working:
        """The whole working."""
        settled, at = self._settled, self._stay.at
        parts = [each for each in settled.parts if at in each.shares]
        inner = [(each.part.key, self._part(each)) for each in parts]
        units = sum(each.shares[at] for each in parts)
        found = inner[0][1]
        if len(inner) > 1:
            found = Working(f"share {self._of}", "sum", tuple(inner), self._amount(units), "A79")
        if at in settled.before:
            left = self._amount(units - settled.shares[at])
            inputs: tuple[tuple[str, Input], ...] = (("share", found), ("landlord", left))
            result = self._amount(settled.shares[at])
            label = "share after ceilings and factor"
            found = Working(label, "difference", inputs, result, "A80")
        vat = settled.vat.get(at)
        if vat:
            inputs = ("share", found), ("input VAT", self._amount(vat))
            result = self._amount(settled.shares[at] + vat)
            found = Working("share with input VAT", "sum", inputs, result, "A81")
        return found

    def _part(self, each: PartShares) -> Working:
        """Return the share of a part."""
        found = unit_weight(each.weights, self._stay)
        assert found is not None  # noqa: S101 - a stay with a share is in a unit of the part
        unit, at = found
        amount = self._part_amount(each)
        if not is_rounded_together(self._policy):
            return self._single(each, amount, unit, at)
        key = self._quotient(f"share by {each.part.key}", unit.value, each.weights.denominator)
        weights = weights_inside(unit)
        if len(unit.stays) == 1 and not unit.left:
            own = each.shares[self._stay.at]
            return self._left_over(f"share {self._of}", self._product(amount, key), own)
        of_unit = self._product(amount, key)
        whole = self._left_over(f"share of {unit.unit}", of_unit, each.of_unit[unit.unit])
        time = self._quotient(f"share by {each.part.time_weight}", weights[at], sum(weights), "A76")
        own = each.shares[self._stay.at]
        return self._left_over(f"share {self._of}", self._product(whole, time), own)

    def _single(self, each: PartShares, amount: Working, unit: UnitWeight, at: int) -> Working:
        """Return a share that is rounded by itself."""
        policy, weights = self._policy, weights_inside(unit)
        time = self._quotient(f"share by {each.part.time_weight}", weights[at], sum(weights), "A76")
        inputs: tuple[tuple[str, Input], ...] = ("value", unit.value), ("share", time)
        result = unit.value * weights[at] / sum(weights)
        value = Working(f"value of {each.part.key}", "product", inputs, result, "A77")
        if policy.percent_places is not None:
            key = self._quotient(f"share by {each.part.key}", value, each.weights.denominator)
            fine = Fraction(1, 10 ** (policy.percent_places + 2))
            exact = self._product(amount, self._rounded("rounded share", key, fine, "half_up"))
        else:
            price = self._quotient("price of a unit", amount, each.weights.denominator)
            if policy.unit_price_places is not None:
                fine = Fraction(1, 10**policy.unit_price_places)
                price = self._rounded("rounded price", price, fine, "half_up")
            exact = self._product(price, value)
        mode = "half_up" if policy.rounding == "largest_remainder" else policy.rounding
        return self._rounded(f"share {self._of}", exact, self._main(Fraction(self._step)), mode)

    # --- The amount that is shared ----------------------------------------------------------------

    def _part_amount(self, each: PartShares) -> Working:
        shared = self._shared()
        if len(self._settled.parts) == 1:
            exact = shared
        elif each.part.amount is not None:
            exact = Working("amount of the part", "stated", (), each.part.amount, "A74")
        elif each.part.fraction is not None:
            exact = self._product(shared, each.part.fraction, "exact part")
        else:
            others = [
                (other.part.key, self._main(other.exact))
                for other in self._settled.parts
                if other is not each
            ]
            result = self._main(each.exact)
            exact = Working("rest", "difference", (("shared", shared), *others), result, "A74")
        return self._left_over(f"part by {each.part.key}", exact, each.amount, step=1)

    def _shared(self) -> Working:
        """Return the working of what is shared, step by step (A80)."""
        pool, expenses = self._settled.pool, self._settled.expenses
        found = Working(f"amount {self._of}", "stated", (), pool.amount, "A74")
        if pool.incurred is not None:
            inside = pool.incurred.intersection(self._period)
            days = self._quotient("share by days", inside.days if inside else 0, pool.incurred.days)
            cent = self._main(Fraction(1))
            exact = self._product(found, days)
            found = self._rounded("amount of the period", exact, cent, "half_up")
        for name, before, after in expenses.steps:
            left = self._main(before - after)
            inputs: tuple[tuple[str, Input], ...] = (("amount", found), ("landlord", left))
            label = f"after {name.replace('_', ' ')}"
            found = Working(label, "difference", inputs, self._main(after), "A80")
        return found

    # --- Steps ------------------------------------------------------------------------------------

    def _left_over(self, label: str, exact: Working, units: int, *, step: int = 0) -> Working:
        """Return an exact amount rounded down, and the units left over that it has (A79)."""
        wanted = self._main(Fraction(units))
        if as_fraction(exact.result) == wanted:
            return exact
        size = self._main(Fraction(step or self._step))
        down = self._rounded("rounded down", exact, size, _DOWN)
        more = wanted - as_fraction(down.result)
        inputs: tuple[tuple[str, Input], ...] = (
            ("rounded down", down),
            ("left over", self._money(more)),
        )
        return Working(label, "sum", inputs, self._money(wanted), "A79", _LEFT)

    def _rounded(self, label: str, exact: Working, step: Fraction, mode: str) -> Working:
        value = as_fraction(exact.result) / step
        whole = abs(value.numerator) // value.denominator
        rest = abs(value) - whole
        whole += mode == "half_up" and rest >= Fraction(1, 2)
        result = step * (whole if value >= 0 else -whole)
        inputs: tuple[tuple[str, Input], ...] = (("exact", exact), ("step", step), ("mode", mode))
        return Working(label, "rounded", inputs, self._money(result), "A79")

    def _money(self, value: Fraction) -> Amount | Fraction:
        """Return a number as an amount where it is one."""
        units = value * 10**self._places
        return self._amount(units.numerator) if units.denominator == 1 else value

    def _product(self, one: Working, other: Input, label: str = "exact share") -> Working:
        result = self._money(as_fraction(one.result) * _result(other))
        return Working(label, "product", (("amount", one), ("share", other)), result, "A77")

    def _quotient(self, label: str, one: Input, other: Input, rule: str = "A77") -> Working:
        result = _result(one) / _result(other)
        return Working(label, "quotient", (("value", one), ("of", other)), result, rule)


def _result(given: Input) -> Fraction:
    return as_fraction(given.result if isinstance(given, Working) else given)
