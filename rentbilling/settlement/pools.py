"""Cost pools: what was spent, which part of it is shared, and by which keys.

Laws: the parts of a pool are all of what is shared of it; what is shared and what the landlord
bears are the pool. A gross-up, an addition or a fee is a negative part of the landlord's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

from rentbilling.errors import InvalidAmountError, InvalidPeriodError, Problem, shown
from rentbilling.records import (
    ABSENT,
    NOT_BELOW_ZERO,
    AmountField,
    CheckedRecord,
    FlagField,
    IdField,
    Listed,
    OptionalAskedPeriodField,
    OptionalRateField,
    Problems,
    SilentRecord,
    TextField,
    Within,
)
from rentbilling.settlement.policy import (
    ONE,
    OptionalMeasureField,
    OptionalShareField,
    OptionalStepField,
    ShareField,
)
from rentbilling.terms import other_currencies
from rentbilling.values import Amount, Notice, Period, divide_rounded, minor_units, units_of

UNITS: Final = "units"
PERSONS: Final = "persons"
CONSUMPTION: Final = "consumption"
DIRECT: Final = "direct"
LANDLORD: Final = "landlord"

TimeWeight = Literal["days", "months", "degree_days", "readings"]


class PoolPart(CheckedRecord):
    """A part of a pool, and the key by which it is shared (assumptions A74, A77).

    Examples:
        >>> PoolPart(key="area", fraction="30%").time_weight
        'days'
        >>> PoolPart(key="consumption").time_weight
        'readings'
    """

    key: IdField
    """`units`, `persons`, `consumption`, `direct`, `landlord`, or the name of a unit's value."""
    fraction: OptionalShareField = ABSENT
    """Share of what the pool shares; a part with neither this nor an amount has the rest."""
    amount: AmountField | None = None
    """Its amount."""
    time: TimeWeight | None = None
    """How it is divided in a unit; absent: `readings` for consumption, else `days`."""
    units: Annotated[tuple[IdField, ...], Listed] = ()
    """The units that take part; absent: all of the pool."""
    denominator: OptionalStepField = ABSENT
    """What a unit's value is a share of; what the units leave of it is the landlord's (A77)."""
    whole: OptionalStepField = ABSENT
    """What the values of the units must add up to, such as 1000 for permille (A77)."""

    @property
    def time_weight(self) -> TimeWeight:
        """How it is divided in a unit."""
        return self.time or ("readings" if self.key == CONSUMPTION else "days")

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems of a part whose fields exclude each other."""
        yield from cls.bound_problems(parts)
        for one, other in (("fraction", "amount"), ("denominator", "whole")):
            if parts.get(one) is not None and parts.get(other) is not None:
                said, met = f"has {one} and {other}", "both"
                yield cls.problem_error, Problem("", "one_of_two", said, met, f"{one} or {other}")
        if parts.get("key") == DIRECT and len(parts.get("units") or ()) != 1:
            met, expected = shown(len(parts.get("units") or ())), "the one unit that bears it"
            said = "has another number of units"
            yield cls.problem_error, Problem("units", "one_unit_needed", said, met, expected)


class ExpenseSteps(SilentRecord):
    """What becomes of a pool before it is shared, in this order (assumptions A80, A88).

    The amount is multiplied by the factor, grossed up, and corrected by signed amounts; it is cut
    to the ceiling and reduced by the base, not below 0; the fee comes last, or before the ceiling.

    Examples:
        10.00 for each of 20,000 square feet are the landlord's:

        >>> stop = ExpenseSteps(base_rate=10, base_area=20000)
        >>> stop.base_rate * stop.base_area
        Decimal('200000')
    """

    factor: OptionalMeasureField = ABSENT
    """What the amount is multiplied by, such as an adjustment factor."""
    variable: OptionalShareField = ABSENT
    """Share of the pool that follows occupancy; with it the pool is grossed up."""
    occupancy: Annotated[OptionalRateField, Within(0, 1, above=True)] = ABSENT
    """The share of the building that is let."""
    threshold: ShareField = ONE
    """The occupancy from which nothing is grossed up."""
    target: OptionalShareField = ABSENT
    """The occupancy that is grossed up to; absent: the threshold."""
    excluded: AmountField | None = None
    """Taken off first."""
    added: AmountField | None = None
    """Added after it, and before a fee."""
    fee: Annotated[OptionalRateField, NOT_BELOW_ZERO] = ABSENT
    """Administration fee as a fraction of what is left."""
    fee_amount: AmountField | None = None
    """Administration fee as an amount."""
    fee_before_ceiling: FlagField = False
    """Whether the fee is inside the ceiling; else it follows ceiling and base."""
    taken: AmountField | None = None
    """Taken off after all that is added, and after a fee before the ceiling."""
    ceiling: AmountField | None = None
    """The most that the pool may be for the building."""
    ceiling_after_base: FlagField = False
    """Whether the ceiling limits what is above the base."""
    base: AmountField | None = None
    """The base year's amount, or a stop: only what is above it is shared."""
    base_rate: OptionalMeasureField = ABSENT
    """The base as a number for each of `base_area`, in the main unit."""
    base_area: OptionalMeasureField = ABSENT
    """What `base_rate` is for, such as the square feet of the building."""
    base_occupancy: Annotated[OptionalRateField, Within(0, 1, above=True)] = ABSENT
    """The share that was let in the base year, by which the base is grossed up too."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems of a gross-up without occupancy, and of a fee given twice."""
        yield from cls.bound_problems(parts)
        let = "the share of the building that is let"
        for name, other, expected in (
            ("variable", "occupancy", let),
            ("base_occupancy", "variable", "the share that follows occupancy"),
            ("base_rate", "base_area", "how many it is for"),
            ("base_area", "base_rate", "the base for each"),
        ):
            if parts.get(name) is not None and parts.get(other) is None:
                problem = Problem(other, "missing", "is missing", "nothing", expected)
                yield cls.problem_error, problem
        for one, other in (("fee", "fee_amount"), ("base", "base_rate")):
            if parts.get(one) is not None and parts.get(other) is not None:
                said, expected = f"has {one} and {other}", f"{one} or {other}"
                yield cls.problem_error, Problem("", "one_of_two", said, "both", expected)


class CostPool(SilentRecord):
    """Costs that are shared by the same keys, or a credit below 0 (assumptions A74, A80, A81).

    Examples:
        >>> from rentbilling import Amount
        >>> heat = (PoolPart(key="heated_area", fraction="30%"), PoolPart(key="consumption"))
        >>> CostPool(id="heating", amount=Amount(3200, "EUR"), parts=heat).parts[1].key
        'consumption'
    """

    problem_error = InvalidAmountError
    id: IdField
    """Identifier."""
    description: TextField | None = None
    """Text on the statement."""
    group: IdField | None = None
    """The group of pools whose advances it is settled with, such as heat or water."""
    amount: AmountField
    """What was spent: net where `vat` is given, else what is charged."""
    vat: AmountField | None = None
    """Input VAT in addition to the amount; leases with VAT do not bear it (A81)."""
    labour: AmountField | None = None
    """Wages in the amount; shown on a statement, not charged."""
    incurred: OptionalAskedPeriodField = ABSENT
    """The days that it was spent for; days outside the settled period are left out (A74)."""
    by_law: OptionalShareField = ABSENT
    """Share that the landlord bears by law, such as that of the cost of CO2."""
    recoverable: ShareField = ONE
    """Share of the rest that tenants bear."""
    steps: ExpenseSteps | None = None
    """What becomes of it before it is shared."""
    parts: Annotated[tuple[PoolPart, ...], Listed]
    """Its parts; at most one has neither fraction nor amount, and has the rest."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems of parts that are not the whole, and of other currencies."""
        yield from cls.bound_problems(parts)
        shared: Sequence[PoolPart] = parts.get("parts", ())
        if "parts" in parts:
            yield from _part_problems(shared)
        amount = parts.get("amount")
        if amount is None:
            return
        yield from _within_amount(amount, parts.get("vat"), parts.get("labour"))
        stated = {name: parts.get(name) for name in ("vat", "labour")}
        stated |= {f"parts[{at}].amount": each.amount for at, each in enumerate(shared)}
        steps = parts.get("steps")
        if steps is not None:
            names = ("excluded", "added", "fee_amount", "taken", "ceiling", "base")
            stated |= {f"steps.{name}": getattr(steps, name) for name in names}
        yield from other_currencies(stated.items(), amount.currency)


def _within_amount(amount: Amount, vat: Amount | None, labour: Amount | None) -> Problems:
    """Return the problems of VAT and wages that cannot be those of the amount (A74, A81)."""
    whole = amount.amount
    if vat is not None and not whole:
        said = "is that of an amount of 0"
        problem = Problem("vat", "vat_of_nothing", said, shown(vat.amount), "no VAT")
        yield InvalidAmountError, problem
        return
    for name, part in (("vat", vat), ("labour", labour)):
        if part is not None and part.amount * whole < 0:
            said, expected = "has another sign than the amount", f"the sign of {whole}"
            yield (
                InvalidAmountError,
                Problem(name, "wrong_sign", said, shown(part.amount), expected),
            )
    gross = abs(whole + (vat.amount if vat else 0))
    if labour is not None and abs(labour.amount) > gross:
        said, expected = "is more than the amount", f"a part of {whole}"
        met = shown(labour.amount)
        yield InvalidAmountError, Problem("labour", "out_of_range", said, met, expected)


def _part_problems(parts: Sequence[PoolPart]) -> Problems:
    """Return the problems of parts that leave something, or share more than there is (A74)."""
    rests = sum(each.fraction is None and each.amount is None for each in parts)
    fractions = sum((each.fraction or Decimal(0) for each in parts), Decimal(0))
    amounts = any(each.amount is not None for each in parts)
    whole = 1 if not rests and not amounts else None
    if rests > 1 or (not rests and amounts):
        said, expected = "have no single rest", "one part with neither fraction nor amount"
        problem = Problem("parts", "one_rest_needed", said, shown(rests), expected)
        yield InvalidAmountError, problem
    elif fractions > 1 or (whole and fractions != whole):
        said, expected = "do not add up to the pool", "fractions that add up to 1"
        yield InvalidAmountError, Problem("parts", "sum_missed", said, shown(fractions), expected)


# ------------------------------------------------------------------------------- steps


@dataclass(slots=True)
class Expenses:
    """A pool up to what is shared of it, in minor units."""

    total: int
    """The pool, or what of it was spent for the settled days."""
    pool: str
    """The id of the pool."""
    minor: int
    """Minor units of the main unit."""
    shared: Fraction = field(init=False)
    landlord: dict[str, Fraction] = field(default_factory=dict)
    """What the landlord bears, by reason."""
    steps: list[tuple[str, Fraction, Fraction]] = field(default_factory=list)
    """Each step that changed something: its name, and the amount before and after."""
    notices: tuple[Notice, ...] = ()

    def __post_init__(self) -> None:
        self.shared = Fraction(self.total)

    @property
    def last_fee(self) -> Fraction:
        """What a fee after ceiling and base multiplies the amount by."""
        name, before, after = self.steps[-1] if self.steps else ("", self.shared, self.shared)
        return after / before if name == "fee" and before else Fraction(1)

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
            said, met = "lies outside the settled period", str(pool.incurred)
            expected = f"days in {period}"
            raise InvalidPeriodError.of("incurred", "outside_period", said, met, expected)
        units = divide_rounded(units * inside.days, pool.incurred.days)
    found = Expenses(units, pool.id, int(10 ** minor_units(pool.amount.currency)))
    found.step("by_law", found.shared * (1 - Fraction(pool.by_law or 0)))
    found.step("not_recoverable", found.shared * Fraction(pool.recoverable))
    if pool.steps is not None:
        _take(found, pool.steps)
    return found


def _take(found: Expenses, steps: ExpenseSteps) -> None:
    """Take the steps of a pool in their order (A80)."""
    if steps.factor is not None:
        found.step("factor", found.shared * Fraction(steps.factor), "adjustment")
    if steps.variable is not None:
        found.step("gross_up", found.shared * _gross_up(steps, steps.occupancy))
    found.step("excluded", found.shared - _units(steps.excluded))
    found.step("added", found.shared + _units(steps.added), "adjustment")
    if steps.fee_before_ceiling:
        _add_fee(found, steps)
    found.step("taken", found.shared - _units(steps.taken), "adjustment")
    for limit in (_rise, _cap) if steps.ceiling_after_base else (_cap, _rise):
        limit(found, steps)
    if not steps.fee_before_ceiling:
        _add_fee(found, steps)


def _gross_up(steps: ExpenseSteps, let: Decimal | None) -> Fraction:
    """Return what an amount is multiplied by as if more of the building were let."""
    occupancy, variable = Fraction(let or 1), Fraction(steps.variable or 0)
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
    """Leave what is above the base alone; a base above the amount is made up for."""
    if steps.base is None and steps.base_rate is None:
        return
    base = Fraction(steps.base_rate or 0) * Fraction(steps.base_area or 0) * found.minor
    base += _units(steps.base)
    found.step("base", found.shared - base * _gross_up(steps, steps.base_occupancy))
    found.step("zero_floor", max(found.shared, Fraction(0)))
    if "gross_up" in found.landlord and steps.base_occupancy is None:
        said = "the year is grossed up, and the base is not"
        found.notices += (Notice("base_not_grossed_up", said, found.pool),)


def _units(amount: Amount | None) -> int:
    return 0 if amount is None else units_of(amount)
