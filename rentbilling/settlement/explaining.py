"""Why a share is what it is: pool, steps, part, key, days, rounding.

Law: each working is made of what the settlement computed, and leads to the line that it explains.
"""

from fractions import Fraction
from typing import Final

from rentbilling.errors import shown
from rentbilling.explanations import Explanation, Input, Working, operations as op
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
from rentbilling.settlement.statements import Statement
from rentbilling.values import Rounding, minor_units

_OURS: Final = frozenset(("degree_days", "by_law", "not_recoverable", "gross_up", "zero_floor"))
"""Names of ours that are two words; names of the caller stay as they are (A95)."""


def _words(name: str) -> str:
    return name.replace("_", " ") if name in _OURS else name


def explain_statement(statement: Statement, pool_id: str | None = None) -> Explanation:
    """Return the workings of a statement's lines, or of those of one pool.

    Raises:
        TypeError: `statement` is none.

    Examples:
        >>> from rentbilling import Amount
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
          rounded down: 66.66 EUR = 66.6666… rounded down to 0.01 [A79]
            exact share: 200/3 (66.6666…) = 100.00 × (2/3) [A77]
              amount of tax: 100.00 EUR [A74]
              share by area: 2/3 (0.6666…) = 60 / 90 [A77]
    """
    if not isinstance(statement, Statement):
        takes = "explain_statement takes a statement, such as result.of('Olsen')"
        raise TypeError(f"{takes}, not {shown(statement)}")
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
        currency = statement.house.settlement.currency
        self._coin = op.Coin(currency, minor_units(currency))
        self._step = step_of(self._policy, self._coin.places)
        self._settled, self._stay = settled, stay
        self._period = statement.house.settlement.period
        self._share = f"share of {settled.pool.id}"

    def _main(self, units: Fraction | int) -> Fraction:
        return Fraction(units, 10**self._coin.places)

    @property
    def working(self) -> Working:
        """The whole working."""
        settled, at, coin = self._settled, self._stay.at, self._coin
        inner = [(each.part.key, self._part(each)) for each in settled.parts if at in each.shares]
        found = inner[0][1]
        if len(inner) > 1:
            found = coin.whole(op.total(self._share, "A79", *inner))
        if at in settled.before:
            cuts = [(why, coin.of_units(cut)) for why, cut in settled.cuts[at].items()]
            label = "share after limits and factors"
            found = coin.whole(op.difference(label, "A89", ("share", found), *cuts))
        vat = settled.vat.get(at)
        if vat:
            inputs = ("share", found), ("input VAT", coin.of_units(vat))
            found = coin.whole(op.total("share with input VAT", "A81", *inputs))
        return found

    def _part(self, each: PartShares) -> Working:
        found = unit_weight(each.weights, self._stay)
        assert found is not None  # noqa: S101 - a stay with a share is in a unit of the part
        unit, at = found
        amount = self._part_amount(each)
        if not is_rounded_together(self._policy):
            return self._single(each, amount, unit, at)
        key = self._quotient(
            f"share by {_words(each.part.key)}", unit.value, each.weights.denominator
        )
        own = each.shares[self._stay.at]
        of_unit = self._product(amount, key)
        if len(unit.stays) == 1 and not unit.left:
            return self._left_over(self._share, of_unit, own)
        label = f"share of {unit.unit}"
        whole = self._left_over(label, of_unit, each.of_unit[unit.unit])
        return self._left_over(self._share, self._product(whole, self._time(each, unit, at)), own)

    def _time(self, each: PartShares, unit: UnitWeight, at: int) -> Working:
        """Return what a stay has of the days of its unit, or of what else divides it."""
        weights, label = weights_inside(unit), f"share by {_words(each.part.time_weight)}"
        return self._quotient(label, weights[at], sum(weights), "A76")

    def _single(self, each: PartShares, amount: Working, unit: UnitWeight, at: int) -> Working:
        """Return a share that is rounded by itself."""
        policy, label = self._policy, f"value of {_words(each.part.key)}"
        value = op.product(label, "A77", value=unit.value, share=self._time(each, unit, at))
        if policy.percent_places is not None:
            key = self._quotient(
                f"share by {_words(each.part.key)}", value, each.weights.denominator
            )
            fine = Fraction(1, 10 ** (policy.percent_places + 2))
            exact = self._product(amount, self._rounded("rounded share", key, fine))
        else:
            price = self._quotient("price of a unit", amount, each.weights.denominator)
            if policy.unit_price_places is not None:
                fine = Fraction(1, 10**policy.unit_price_places)
                price = self._rounded("rounded price", price, fine)
            exact = self._product(price, value)
        mode: Rounding = "down" if policy.rounding == "down" else "half_up"
        return self._rounded(self._share, exact, self._main(self._step), mode)

    # --- The amount that is shared ----------------------------------------------------------------

    def _part_amount(self, each: PartShares) -> Working:
        shared, part = self._shared(), each.part
        if len(self._settled.parts) == 1:
            exact = shared
        elif part.amount is not None:
            exact = op.stated("amount of the part", part.amount, "A74")
        elif part.fraction is not None:
            exact = self._product(shared, part.fraction, "exact part")
        else:
            others = [
                (other.part.key, self._coin.amount(self._main(other.exact)))
                for other in self._settled.parts
                if other is not each
            ]
            rest = op.difference("rest", "A74", ("shared", shared), *others)
            exact = self._coin.whole(rest)
        return self._left_over(f"part by {_words(part.key)}", exact, each.amount, step=1)

    def _shared(self) -> Working:
        """Return the working of what is shared, step by step (A80)."""
        pool, expenses = self._settled.pool, self._settled.expenses
        found = op.stated(f"amount of {pool.id}", pool.amount, "A74")
        if pool.incurred is not None:
            inside = pool.incurred.intersection(self._period)
            label = "share by days"
            days = self._quotient(label, inside.days if inside else 0, pool.incurred.days)
            exact = self._product(found, days)
            found = self._rounded("amount of the period", exact, self._main(1))
        for name, before, after in expenses.steps:
            left = self._coin.amount(self._main(before - after))
            label = f"after {_words(name)}"
            found = self._coin.whole(op.difference(label, "A80", amount=found, landlord=left))
        return found

    # --- Steps ------------------------------------------------------------------------------------

    def _left_over(self, label: str, exact: Working, units: int, *, step: int = 0) -> Working:
        """Return an exact amount rounded down, and the units left over that it has (A79)."""
        wanted = self._main(units)
        if op.number_of(exact) == wanted:
            return exact
        size = self._main(step or self._step)
        down = self._rounded("rounded down", exact, size, "down")
        more = self._coin.amount(wanted - op.number_of(down))
        note = "the largest remainders have what is left over"
        return self._coin.whole(
            op.total(label, "A79", rounded_down=down, left_over=more, note=note)
        )

    def _rounded(
        self, label: str, exact: Working, step: Fraction, mode: Rounding = "half_up"
    ) -> Working:
        return self._coin.whole(op.rounded(label, "A79", step, mode, exact=exact))

    def _product(self, one: Working, other: Input, label: str = "") -> Working:
        label = label or "exact share"
        return self._coin.whole(op.product(label, "A77", amount=one, share=other))

    def _quotient(self, label: str, one: Input, other: Input, rule: str = "A77") -> Working:
        return op.quotient(label, rule, value=one, of=other)
