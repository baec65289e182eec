"""What of a pool is shared, and why the landlord bears the rest (assumption A80).

Law: what is shared and what the landlord bears are the pool; a gross-up, an addition or a fee is a
negative part of the landlord's.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from rentbilling.errors import InvalidPeriodError
from rentbilling.settlement.pools import CostPool, ExpenseSteps
from rentbilling.values import Amount, Period, divide_rounded, units_of


@dataclass(slots=True)
class Expenses:
    """A pool up to what is shared of it, in minor units."""

    total: int
    """The pool, or what of it was spent for the settled days."""
    shared: Fraction = field(init=False)
    landlord: dict[str, Fraction] = field(default_factory=dict)
    """What the landlord bears, by reason."""
    steps: list[tuple[str, Fraction, Fraction]] = field(default_factory=list)
    """Each step that changed something: its name, and the amount before and after."""

    def __post_init__(self) -> None:
        self.shared = Fraction(self.total)

    def step(self, name: str, after: Fraction | int, reason: str = "") -> None:
        """Take a step: what it takes off the amount is the landlord's."""
        if after != self.shared:
            self.steps.append((name, self.shared, Fraction(after)))
            why = reason or name
            self.landlord[why] = self.landlord.get(why, Fraction(0)) + self.shared - after
            self.shared = Fraction(after)


def expenses_of(pool: CostPool, period: Period) -> Expenses:
    """Return what of a pool is shared.

    Raises:
        InvalidPeriodError: It was spent for days outside the period alone.
        InvalidAmountError: An amount has more decimals than its currency.
    """
    units = units_of(pool.amount)
    if pool.incurred is not None:
        inside = pool.incurred.intersection(period)
        if inside is None:
            said, expected = "lies outside the settled period", f"days in {period}"
            raise InvalidPeriodError.of(
                "incurred", "outside_period", said, str(pool.incurred), expected
            )
        units = divide_rounded(units * inside.days, pool.incurred.days)
    found = Expenses(units)
    found.step("not_recoverable", found.shared * Fraction(pool.recoverable))
    if pool.steps is not None:
        _take(found, pool.steps)
    return found


def _take(found: Expenses, steps: ExpenseSteps) -> None:
    """Take the steps of a pool in their order (A80)."""
    if steps.factor is not None:
        found.step("factor", found.shared * Fraction(steps.factor), "adjustment")
    if steps.variable is not None:
        found.step("gross_up", found.shared * _gross_up(steps))
    found.step("excluded", found.shared - _units(steps.excluded))
    if steps.fee_before_ceiling:
        _add_fee(found, steps)
    found.step("added", found.shared + _units(steps.added), "adjustment")
    found.step("taken", found.shared - _units(steps.taken), "adjustment")
    for limit in (_rise, _cap) if steps.ceiling_after_base else (_cap, _rise):
        limit(found, steps)
    if not steps.fee_before_ceiling:
        _add_fee(found, steps)


def _gross_up(steps: ExpenseSteps) -> Fraction:
    """Return what an amount is multiplied by as if more of the building were let."""
    occupancy, variable = Fraction(steps.occupancy or 1), Fraction(steps.variable or 0)
    if occupancy >= steps.threshold:
        return Fraction(1)
    target = Fraction(steps.threshold if steps.target is None else steps.target)
    return 1 - variable + variable / occupancy * target


def _add_fee(found: Expenses, steps: ExpenseSteps) -> None:
    fee = found.shared * Fraction(steps.fee or 0) + _units(steps.fee_amount)
    found.step("fee", found.shared + fee)


def _cap(found: Expenses, steps: ExpenseSteps) -> None:
    if steps.ceiling is not None:
        found.step("ceiling", min(found.shared, Fraction(units_of(steps.ceiling))))


def _rise(found: Expenses, steps: ExpenseSteps) -> None:
    """Leave what is above the base alone."""
    if steps.base is not None:
        found.step("base", max(found.shared - units_of(steps.base), Fraction(0)))


def _units(amount: Amount | None) -> int:
    return 0 if amount is None else units_of(amount)
