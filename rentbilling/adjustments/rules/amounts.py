"""Amounts: the amount that a percentage leads to, rounded as the clause says, and its floors.

Law: an amount is rounded once, to the step and in the unit that the clause names (a billing period,
a month, a year), and then to the minor unit (A38, A40).
"""

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from rentbilling.adjustments.rules.arithmetic import ONE, Number, rounded, where
from rentbilling.errors import UnsupportedCaseError
from rentbilling.terms import IndexClause, RentAdjustment, RentAdjustmentPlan
from rentbilling.values import (
    MONTHS_PER_YEAR,
    TOO_LARGE,
    Amount,
    Rounding,
    decimal_of,
    divide_rounded,
)


class AmountScale(NamedTuple):
    """How amounts of an item or balance are counted and rounded."""

    currency: str
    places: int
    """Minor units of the currency."""
    mode: Rounding
    """How the policy rounds."""
    per_year: Fraction
    """Stated amounts in a year: billing periods (A38), or what the price is for (A65)."""
    of_period: Fraction = ONE
    """Stated amounts in a billing period (A65)."""

    def units(self, value: Fraction) -> int:
        """Return an amount in minor units, rounded as the policy says."""
        over, below = value.as_integer_ratio()
        return divide_rounded(over * 10**self.places, below, self.mode)

    def rounded(self, value: Number) -> Number:
        """Return an amount rounded to the minor unit."""
        if not isinstance(value, Fraction):
            return rounded(value, self.unit, self.mode)
        return Fraction(self.units(value), 10**self.places)

    @property
    def unit(self) -> Fraction:
        """The minor unit."""
        return Fraction(1, 10**self.places)

    def shown(self, value: Fraction) -> Amount:
        """Return an amount to show, rounded to the minor unit."""
        return self.amount(self.units(value))

    def amount(self, units: int) -> Amount:
        """Return so many minor units as an amount, refused beyond 15 digits (A1)."""
        if not -TOO_LARGE < units < TOO_LARGE:
            case = "an adjusted amount of over 15 digits"
            raise UnsupportedCaseError("amount_too_large", case=case)
        return Amount.unchecked(decimal_of(units, self.places), self.currency)

    def decimal_of(self, value: Fraction) -> Decimal | Fraction:
        """Return an amount as a number of the minor units, as it is where it is none of them."""
        units = value * 10**self.places
        return decimal_of(units.numerator, self.places) if units.denominator == 1 else value

    def yearly_units(self, units: int) -> int:
        """Return what so many minor units of a billing period are in a year, rounded (A38)."""
        per_year = self.per_year
        return divide_rounded(units * per_year.numerator, per_year.denominator, self.mode)


def rounded_amount(exact: Number, old: Number, clause: IndexClause, scale: AmountScale) -> Number:
    """Return a new amount as the clause rounds it (assumptions A38, A40).

    The old amount counts where the clause rounds what is added to it. The step is of the unit that
    the clause names, the result a whole number of minor units of a billing period.

    Examples:
        A yearly 60,057.92 whose monthly rent is rounded to the krone:

        >>> krone = IndexClause(amount_quantum=1, amount_per="month")
        >>> scale = AmountScale("DKK", 2, "half_up", Fraction(1))
        >>> str(rounded_amount(Fraction("60057.92"), Fraction(60000), krone, scale))
        '60060'
    """
    mode, unit = clause.amount_rounding or scale.mode, scale.unit
    in_unit = {"period": ONE, "month": scale.per_year / MONTHS_PER_YEAR, "year": scale.per_year}
    step = Fraction(clause.amount_quantum or unit) / in_unit[clause.amount_per]
    if clause.amount_rounded == "change":
        return rounded(rounded(exact - old, step, mode) + old, unit, mode)
    near = rounded(exact, step, mode)
    return near if step == unit else rounded(near, unit, mode)


def factor_of(clause: IndexClause) -> Fraction:
    """Return the factor that acts on each adjusted amount."""
    return Fraction(clause.correction_factor or 1)


def part_after(part: Number, amount: Number, base: Number, clause: IndexClause) -> Number:
    """Return the part that follows the index: of the amount before the factor, which acts anew."""
    return part + amount / factor_of(clause) - base


def grown(amount: Number, percentage: Number, part: Number | None, clause: IndexClause) -> Number:
    """Return an amount of which the indexed part has grown by a percentage, exactly.

    The indexed part is the one given, else the clause's share of the amount, else all of it.
    """
    if part is not None:
        new = amount + part * percentage
    elif clause.indexed_share is not None:
        new = amount * (1 + Fraction(clause.indexed_share) * percentage)
    else:
        new = amount * (1 + percentage)
    return new if clause.correction_factor is None else new * factor_of(clause)


def floored(amount: Number, start: Number, clause: IndexClause) -> Number:
    """Return an amount that is not below the clause's floors (A40).

    The start is the amount before the first adjustment. A credit has its floors below zero (A26).
    """
    if clause.floor_amount is None and not clause.floor_at_start:
        return amount
    floors = [start] if clause.floor_at_start else []
    if clause.floor_amount is not None:
        floors.append(Fraction(clause.floor_amount.amount))
    for floor in floors:
        # On the side that the item began on, whichever sign the clause gives its floor.
        size = abs(floor)
        amount = where(abs(amount) < size, where(start < 0, -size, size), amount)
    return amount


def listed_until(plan: RentAdjustmentPlan) -> int:
    """Return the ordinal of the last day that a plan lists an adjustment for, 0 without any."""
    return max((each.adjusted_on.toordinal() for each in plan.adjustments), default=0)


def listed_amount(
    listed: RentAdjustment, before: Fraction, scale: AmountScale, *, of_balance: bool
) -> Fraction | None:
    """Return the balance, or stated amount, that a listed adjustment led to; None without.

    The amount of a billing period counts before that of a year, unless the price is for a month or
    a year (A65). What follows from an amount of a year or a change is rounded, but for such a price
    of another time than a billing period, whose bills add up to what is listed.
    """
    by_year = listed.to_yearly_amount, listed.yearly_amount_change, scale.per_year
    by_period = listed.to_period_amount, listed.period_amount_change, scale.of_period
    ways = (by_period, by_year) if scale.of_period == 1 else (by_year, by_period)
    if of_balance:
        ways = ((listed.to_balance_amount, listed.balance_amount_change, ONE),) * 2
    whole, change, times = next((way for way in ways if way[:2] != (None, None)), ways[0])
    if whole is not None:
        amount, is_stated = Fraction(whole.amount) / times, times == 1
    elif change is not None:
        amount, is_stated = before + Fraction(change.amount) / times, False
    else:
        return None
    return amount if is_stated or scale.of_period != 1 else scale.rounded(amount)
