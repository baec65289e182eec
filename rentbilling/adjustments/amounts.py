"""How the change of an index becomes a percentage, and the percentage a new amount.

Laws: fractions are exact until a field of the clause rounds them; the steps act in the order of
assumption A40: change, its rounding, threshold, share, excess, surcharge, limits, pro rata,
rounding of what is applied. An amount is rounded once, to the step that the clause names and in the
unit that it names (a billing period, a month, a year), and then to the minor unit (A38, A40).
"""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Final, NamedTuple

from rentbilling.adjustments.arithmetic import ONE, Array, Number, Reason, Where, rounded, where
from rentbilling.errors import UnsupportedCaseError
from rentbilling.terms import BillingCycle, IndexClause
from rentbilling.values import MAX_DIGITS, Amount, Rounding, decimal_of, divide_rounded

_YEAR: Final = 12
# A context of our own, so that the caller's changes no figure; no amount has as many digits.
_COMPOUND: Final = Context(50, ROUND_HALF_EVEN, -999_999, 999_999, 1, 0, [], [])


class Elapsed(NamedTuple):
    """How long ago the amount was set; limits and parts of a year depend on it."""

    months: int = _YEAR
    """Months since the amount was last set."""
    first_year: int | None = None
    """Whole months left in the calendar year of the start; None where they do not count."""


class Limits(NamedTuple):
    """Minimum and maximum of a rule, as fractions; None where there is none."""

    minimum: Fraction | None = None
    maximum: Fraction | None = None

    def hold(self, percentage: Number | Array) -> tuple[Number, Reason | None]:
        """Return a percentage within the limits, and which of them it reached (A35)."""
        least, most = self
        if not isinstance(percentage, Fraction):
            on_paths: tuple[Number, Reason | None] = percentage.within(least, most)
            return on_paths
        # By whole numbers, as every adjustment comes through here.
        over, below = percentage.as_integer_ratio()
        reached = None
        if most is not None:
            at, of = most.as_integer_ratio()
            if over * of > at * below:
                percentage, over, below, reached = most, at, of, "maximum"
        if least is not None:
            at, of = least.as_integer_ratio()
            if over * of < at * below:
                return least, "minimum"
        return percentage, reached


NO_LIMITS: Final = Limits()
AT_ONCE: Final = Elapsed()
"""Where no limit or share depends on time."""


class Percentage(NamedTuple):
    """A percentage on its way from the change of an index to the rent."""

    change: Number
    """The raw change."""
    applied: Number
    """The percentage applied."""
    unlimited: Number
    """What would have been applied without limits."""
    reasons: tuple[Reason, ...] = ()
    """Steps of the clause that made a difference, in order."""


def limits_over(limits: Limits, clause: IndexClause, months: int) -> Limits:
    """Return a rule's limits for the time that an adjustment covers (assumption A40).

    The clause says what the limits are for: an adjustment, or a year by simple or compound interest
    of the months since the amount was last set; parts of a year are compounded to 50 digits.

    Examples:
        Two and four percent a year over five years, compounded: the collar is 10.4 percent.

        >>> clause = IndexClause(limit_per="year_compound")
        >>> collar, cap = limits_over(Limits(Fraction(2, 100), Fraction(4, 100)), clause, 60)
        >>> str(rounded(collar, Fraction(1, 10_000))), str(rounded(cap, Fraction(1, 10_000)))
        ('1041/10000', '2167/10000')
    """
    if clause.limit_per == "adjustment":
        return limits
    years = Fraction(months, clause.limit_months)
    if clause.limit_per == "year_simple":
        return Limits(*(None if each is None else each * years for each in limits))
    return Limits(*(None if each is None else _compounded(each, years) for each in limits))


def _compounded(rate: Fraction, years: Fraction) -> Fraction:
    """Return what a yearly rate makes in so many years."""
    whole, rest = divmod(years, 1)
    grown = (ONE + rate) ** int(whole)
    if rest and rate != 0:
        base = _COMPOUND.divide(Decimal((ONE + rate).numerator), Decimal((ONE + rate).denominator))
        part = _COMPOUND.divide(Decimal(rest.numerator), Decimal(rest.denominator))
        grown *= Fraction(_COMPOUND.power(base, part))
    return grown - ONE


def passes(change: Number, points: Number | None, clause: IndexClause) -> Where:
    """Return whether a change is large enough to lead to anything (assumption A40).

    The change is rounded where the clause rounds it; the points of the index are None where
    percentages are published. Where nothing happens, the point compared with stays.
    """
    if clause.threshold is None:
        return True
    in_points = clause.threshold_unit == "points" and points is not None
    moved = abs(points if in_points and points is not None else change)
    threshold = Fraction(clause.threshold)
    return moved >= threshold if clause.threshold_inclusive else moved > threshold


def applied_percentage(
    change: Number,
    clause: IndexClause,
    limits: Limits = NO_LIMITS,
    elapsed: Elapsed = AT_ONCE,
) -> Percentage:
    """Return the percentage that a change leads to, step by step (assumption A40).

    Examples:
        75 percent of 1.3 percent; and 3.824 percent of which the part above 3 counts half:

        >>> str(applied_percentage(Fraction(13, 1000), IndexClause(share=Decimal("0.75"))).applied)
        '39/4000'
        >>> clause = IndexClause(excess_over=Decimal("0.03"), excess_share=Decimal("0.5"))
        >>> str(applied_percentage(Fraction(3824, 100000), clause).applied)
        '853/25000'
    """
    reasons: list[Reason] = []
    value = rounded_change(change, clause)
    if _differs(value, change):
        reasons.append("rounded")
    for step, word in ((_shared, "share"), (_damped, "excess"), (_surcharged, "surcharge")):
        before, value = value, step(value, clause)
        if _differs(value, before):
            reasons.append(word)
    unlimited = value
    value, reached = limits_over(limits, clause, elapsed.months).hold(value)
    if reached is not None:
        reasons.append(reached)
    part = part_that_counts(clause, elapsed)
    if part != 1:
        value, unlimited = value * part, unlimited * part
        reasons.append("pro_rata")
    if clause.percentage_decimals is not None and clause.percentage_rounded == "applied":
        before = value
        value, unlimited = (rounded_percentage(each, clause) for each in (value, unlimited))
        if _differs(value, before):
            reasons.append("rounded")
    return Percentage(change, value, unlimited, tuple(reasons))


def _differs(after: Number, before: Number) -> bool:
    """Return whether a step changed the percentage of one lease; on paths no reasons are shown."""
    return isinstance(after, Fraction) and after != before


def rounded_change(change: Number, clause: IndexClause) -> Number:
    """Return a change as the clause rounds it before anything else."""
    if clause.percentage_decimals is None or clause.percentage_rounded != "change":
        return change
    return rounded_percentage(change, clause)


def rounded_percentage(value: Number, clause: IndexClause) -> Number:
    """Return a fraction with the clause's decimals, which count the percentage in percent (A40)."""
    step = Fraction(1, 10 ** ((clause.percentage_decimals or 0) + 2))
    return rounded(value, step, clause.percentage_rounding)


def _shared(value: Number, clause: IndexClause) -> Number:
    """Return the part that is passed on; a share of money waits for the amount."""
    if clause.share_of != "change" or clause.share == 1:
        return value
    return value * Fraction(clause.share)


def _damped(value: Number, clause: IndexClause) -> Number:
    """Return a percentage of which only a part counts above a bound."""
    if clause.excess_over is None or clause.excess_share is None:
        return value
    bound = Fraction(clause.excess_over)
    return where(value > bound, bound + (value - bound) * Fraction(clause.excess_share), value)


def _surcharged(value: Number, clause: IndexClause) -> Number:
    return value + Fraction(clause.surcharge) if clause.surcharge else value


def part_that_counts(clause: IndexClause, elapsed: Elapsed) -> Fraction:
    """Return which part of the percentage counts (assumption A40)."""
    if clause.pro_rata == "elapsed":
        return Fraction(elapsed.months, clause.pro_rata_months)
    if clause.pro_rata == "first_year" and elapsed.first_year is not None:
        return Fraction(elapsed.first_year, _YEAR)
    return ONE


_TOO_MUCH: Final = 10**MAX_DIGITS


class AmountScale(NamedTuple):
    """How amounts of an item or balance are counted and rounded."""

    currency: str
    places: int
    """Minor units of the currency."""
    mode: Rounding
    """How the policy rounds."""
    per_year: Fraction
    """Billing periods in a year (A38); a balance counts as one."""

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
        if not -_TOO_MUCH < units < _TOO_MUCH:
            case = "an adjusted amount of over 15 digits"
            raise UnsupportedCaseError("amount_too_large", case=case)
        return Amount.of(decimal_of(units, self.places), self.currency)

    def yearly_units(self, units: int) -> int:
        """Return what so many minor units of a billing period are in a year, rounded (A38)."""
        per_year = self.per_year
        return divide_rounded(units * per_year.numerator, per_year.denominator, self.mode)


def periods_in_a_year(cycle: BillingCycle) -> Fraction:
    """Return how many billing periods a year has (assumption A38).

    Examples:
        >>> periods_in_a_year(BillingCycle(period_length=3))
        Fraction(4, 1)
        >>> periods_in_a_year(BillingCycle(time_unit="Week"))
        Fraction(52, 1)
    """
    a_year = {"Month": 12, "Year": 1, "Week": 52, "Day": 365}
    return Fraction(a_year[cycle.time_unit], cycle.period_length)


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
    in_unit = {"period": ONE, "month": scale.per_year / _YEAR, "year": scale.per_year}
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
