"""The choices of a settlement, with their defaults.

Law: what contracts and laws decide in more than one way is a field here, or of a pool, a part or an
occupancy, and never follows from a country alone.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from rentbilling.errors import InvalidPolicyError, Problem, shown
from rentbilling.records import (
    A_FRACTION,
    ABSENT,
    NOT_BELOW_ZERO,
    FlagField,
    Listed,
    NumberField,
    OptionalNumberField,
    OptionalRateField,
    Problems,
    RateField,
    SilentRecord,
    WholeField,
    Within,
)
from rentbilling.values import MAX_DIGITS, MONTHS_PER_YEAR, Rounding

PERMILLE: Final = 1000
_WITHOUT_SUMMER: Final = 9

ShareField = Annotated[RateField, A_FRACTION]
"""A fraction from 0 to 1."""
CountField = Annotated[WholeField, NOT_BELOW_ZERO]
"""A whole number of 0 or more."""
PlacesField = Annotated[WholeField, Within(0, MAX_DIGITS)]
"""Decimals of a number."""
YearsField = Annotated[WholeField, Within(0, 100)]
"""Years, or so few months or rents; more would make figures of thousands of digits."""
MeasureField = Annotated[NumberField, NOT_BELOW_ZERO]
"""A number of 0 or more."""
OptionalStepField = Annotated[OptionalNumberField, Within(0, above=True)]
"""A number above 0."""
OptionalShareField = Annotated[OptionalRateField, A_FRACTION]
OptionalMeasureField = Annotated[OptionalNumberField, NOT_BELOW_ZERO]
if TYPE_CHECKING:
    Measure = Decimal
    Share = Decimal
else:
    # Of each in a list or a mapping.
    Measure, Share = MeasureField, ShareField
_NOTHING: Final[Any] = Decimal(0)
ONE: Final[Any] = Decimal(1)
"""The default of a share."""


class DegreeDays(SilentRecord):
    """A table of degree days: what each month is of the heat of a year, in permille (A76).

    Examples:
        >>> DegreeDays(months=(100, 90, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80))
        Traceback (most recent call last):
        rentbilling.errors.InvalidPolicyError: months: add up to another sum (met 990; \
expected 1000)
    """

    problem_error = InvalidPolicyError
    months: Annotated[tuple[Measure, ...], Listed]
    """Twelve values from January on, or nine without June, July and August."""
    summer: OptionalMeasureField = ABSENT
    """June, July and August together; absent where there are twelve values."""
    summer_by: Literal["month", "day"] = "month"
    """Whether each month of the summer has a third of it, or each day the same."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems of a table of another length or sum (A76)."""
        yield from cls.bound_problems(parts)
        months, summer = parts.get("months"), parts.get("summer")
        if months is None:
            return
        wanted = MONTHS_PER_YEAR if summer is None else _WITHOUT_SUMMER
        total = sum(months, summer or Decimal(0))
        if len(months) != wanted:
            said, met = "are another number of values", shown(len(months))
            yield cls.problem_error, Problem("months", "wrong_length", said, met, str(wanted))
        elif total != PERMILLE:
            said = "add up to another sum"
            yield cls.problem_error, Problem("months", "sum_missed", said, shown(total), "1000")
        elif min(months) < 0:
            said, met = "have a value below 0", shown(min(months))
            yield cls.problem_error, Problem("months", "out_of_range", said, met, "0 or more")


VDI_2067: Final = DegreeDays(
    months=tuple(map(Decimal, (170, 150, 130, 80, 40, 30, 80, 120, 160))), summer=Decimal(40)
)
"""The table that German heating accounts use (VDI 2067)."""


class SettlementPolicy(SilentRecord):
    """How pools are shared, rounded and settled, where pool and lease say nothing else (A74-A92).

    Examples:
        >>> SettlementPolicy().landlord_bears
        Decimal('1')
        >>> SettlementPolicy(landlord_bears="80%", step=1).landlord_bears
        Decimal('0.80')
    """

    problem_error = InvalidPolicyError

    landlord_bears: ShareField = ONE
    """Share of a vacant unit's costs that the landlord bears; the others bear the rest (A75)."""
    gaps: Literal["refuse", "vacant"] = "refuse"
    """Whether days that no occupancy of a unit names are refused or vacant (A75)."""
    begun_month: FlagField = False
    """Whether a month by which an occupancy is weighed counts once it is begun (A76)."""
    degree_days: DegreeDays = VDI_2067
    """The table of degree days (A76)."""
    vacant_persons: CountField = 0
    """Persons that a vacant unit counts for (A77)."""
    missing_reading: Literal["refuse", "fixed_key", "landlord"] = "refuse"
    """What becomes of consumption without a reading (A78)."""
    estimate_limit: OptionalShareField = ABSENT
    """Share of the fixed key up to which consumption may be missing or an estimate (A90)."""
    ties: Literal["earlier", "largest_total"] = "earlier"
    """Who has a minor unit that equal remainders leave over (A79)."""
    rounding: Literal["largest_remainder", "half_up", "down"] = "largest_remainder"
    """Whether shares add up, or each is rounded alone and the landlord has the rest (A79)."""
    step: OptionalStepField = ABSENT
    """What shares are multiples of, in the main unit; absent: the minor unit (A79)."""
    percent_places: PlacesField | None = None
    """Decimals to which a share in percent is rounded before it is applied (A79)."""
    unit_price_places: PlacesField | None = None
    """Decimals to which the price of one unit of a key is rounded before it is applied (A79)."""
    longest: Annotated[WholeField, Within(1, 120)] = 12
    """Months of the longest period that is settled (A74)."""
    uplift: Annotated[RateField, Within(-1, 10)] = _NOTHING
    """What is added to a share for the new advance, as a fraction (A83)."""
    advance_step: OptionalStepField = ABSENT
    """What new monthly advances are multiples of; absent: the minor unit (A83)."""
    advance_rounding: Rounding = "half_up"
    """How new advances are brought to the step (A83)."""
    late: Literal["notice", "drop_extra_charge"] = "notice"
    """What becomes of an extra charge in a statement made after its deadline (A84)."""
    items: Literal["lease", "group"] = "lease"
    """Whether a lease has one item, or one for each group of pools (A82)."""
    settlement_rate: Literal["period_end", "days", "advances"] = "period_end"
    """Which rate of VAT a balance has where it changed: the last, or each its part (A91)."""
    due_days: Annotated[WholeField, Within(0, 3660)] = 0
    """Days from receipt until a balance is due (A92)."""
    due_months: YearsField = 0
    """Months from receipt until a balance is due (A92)."""
    due_rents: YearsField = 0
    """Which due rent after that it is due with: 1 is the next one; 0: with none (A92)."""
    refund_waits: FlagField = True
    """Whether a refund is due like an extra charge; else at once, or with the next rent (A92)."""


DEFAULT: Final = SettlementPolicy()
"""The policy of a settlement that names none."""
