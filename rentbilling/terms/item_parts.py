"""The parts of a bill item: cycle, due date rule, opening period, discount, dated records.

Law: a part that cannot be billed is refused with all of its problems.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, get_args

from rentbilling.errors import (
    CurrencyMismatchError,
    InvalidCycleError,
    InvalidDiscountError,
    InvalidDueDateRuleError,
    InvalidInputError,
    InvalidPeriodError,
    Problem,
    check_word,
    other_currency,
    paths_under,
    shown,
)
from rentbilling.policy import PartPeriod, PartPeriods
from rentbilling.records import (
    ABSENT,
    AmountField,
    CheckedRecord,
    DateField,
    FromShort,
    IdField,
    InSchema,
    LongTextField,
    NotZero,
    OptionalDateField,
    OptionalRateField,
    OrWord,
    PeriodField,
    Problems,
    QuantityField,
    TimeUnitField,
    VatField,
    WholeField,
    Within,
)
from rentbilling.values import (
    MONTHS,
    NEVER,
    WEEKDAYS,
    Amount,
    Length,
    is_length,
    months_of,
    percent_words,
    rounded,
)

_LONGEST: Final = 1200
"""Units of a cycle: a hundred years of months."""
_LONGEST_MONTH: Final = 31
_STARTS: Final = MappingProxyType({"Month": 12, "Year": 12, "Week": 7, "Day": 1})
"""The last month, weekday or day on which cycles of a unit may start."""


class BillingCycle(CheckedRecord):
    """How often an item is billed, and where its cycles begin (assumptions A7, A8, A9).

    Examples:
        Quarters from February, and a month from the 15th to the 14th:

        >>> BillingCycle(time_unit="Month", period_length=3, start=2).months
        3
        >>> BillingCycle(time_unit="Month", start_day=15).start_day
        15
    """

    problem_error = InvalidCycleError
    silent_defaults = ("start_day",)
    required_on_wire = ("time_unit", "period_length", "start")

    # Interface: billingCycle.timeUnit, billingCycle.periodLength, billingCycle.start
    time_unit: TimeUnitField = "Month"
    """Unit of the cycle: Month, Year, Week or Day, in any case (A7)."""
    period_length: Annotated[WholeField, Within(1, _LONGEST)] = 1
    """Units in one cycle, 1 or more."""
    start: Annotated[WholeField, InSchema({"minimum": 1, "maximum": max(_STARTS.values())})] = 1
    """Month and Year: calendar month 1-12 of a start; Week: ISO weekday; Day: 1 (A8)."""
    start_day: Annotated[WholeField, InSchema({"minimum": 1, "maximum": _LONGEST_MONTH})] = 1
    """Day of the month on which cycles start; a shorter month uses its last day (ours, A9)."""

    @classmethod
    def every(cls, length: Length, *, start: int = 1, start_day: int = 1) -> Self:
        """Return the cycle of a length of months or years as dateutil has it.

        Raises:
            InvalidPeriodError: The length has other parts.
            InvalidCycleError: The length is not above 0, or the start is out of range.
            TypeError: The length is no `relativedelta`.

        Examples:
            >>> from dateutil.relativedelta import relativedelta
            >>> quarters = BillingCycle.every(relativedelta(months=3), start=2)
            >>> quarters == BillingCycle(time_unit="Month", period_length=3, start=2)
            True
        """
        if not is_length(length):
            raise TypeError(f"BillingCycle.every takes a relativedelta, not {shown(length)}")
        try:
            months = months_of(length) or 0
        except InvalidPeriodError as error:
            raise error.under("length") from None
        return cls(period_length=months, start=start, start_day=start_day)

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems of a cycle without periods (A7, A8, A9)."""
        yield from cls.bound_problems(parts)
        unit = parts.get("time_unit", "Month")
        start, start_day = parts.get("start", 1), parts.get("start_day", 1)
        if not 1 <= start <= _STARTS[unit]:
            yield _out_of_range("start", start, _STARTS_MEAN[unit])
        if start_day != 1:
            if unit in ("Week", "Day"):
                yield _out_of_range("startDay", start_day, f"1 for a cycle of the unit {unit}")
            elif not 1 <= start_day <= _LONGEST_MONTH:
                expected = f"a day of the month from 1 to {_LONGEST_MONTH}"
                yield _out_of_range("startDay", start_day, expected)

    def __str__(self) -> str:
        """Return the cycle in words.

        Examples:
            >>> print(BillingCycle(period_length=3, start=2, start_day=15))
            every 3 months from 15 February
        """
        unit, many = self.time_unit.lower(), self.period_length > 1
        said = f"every {self.period_length} {unit}s" if many else f"every {unit}"
        day = f"{self.start_day} " if self.start_day > 1 else ""
        if unit == "week":
            return f"{said} from {WEEKDAYS[self.start - 1]}"
        if unit == "year" or (unit == "month" and many):
            return f"{said} from {day}{MONTHS[self.start - 1]}"
        return f"{said} from day {day.strip()}" if day else said

    @property
    def months(self) -> int:
        """Length of one cycle in months; 0 for Week and Day."""
        return self.period_length * _MONTHS_OF[self.time_unit]

    @property
    def days(self) -> int:
        """Length of one cycle in days; 0 for Month and Year."""
        return self.period_length * _DAYS_OF[self.time_unit]

    @property
    def needs_anchor(self) -> bool:
        """Whether cycles count from the opening period instead of the calendar (A8)."""
        if self.months:
            return 12 % self.months != 0
        return self.time_unit == "Day" or self.period_length > 1


def _out_of_range(path: str, met: int, expected: str) -> tuple[type[InvalidInputError], Problem]:
    """Return the problem of a cycle's field that is out of range."""
    problem = Problem(path, "out_of_range", "is out of range", shown(met), expected)
    return InvalidCycleError, problem


_MONTHS_OF = MappingProxyType({"Month": 1, "Year": 12, "Week": 0, "Day": 0})
_DAYS_OF = MappingProxyType({"Month": 0, "Year": 0, "Week": 7, "Day": 1})
_STARTS_MEAN = MappingProxyType(
    {
        "Month": f"a calendar month from 1 to {_STARTS['Month']}",
        "Year": f"a calendar month from 1 to {_STARTS['Year']}",
        "Week": f"an ISO weekday from 1 (Monday) to {_STARTS['Week']}",
        "Day": "1",
    }
)


_FARTHEST: Final = 36_525
"""Days of a hundred years: a due date lies no further from its period."""
_NEAR: Final = Within(-_FARTHEST, _FARTHEST)
_A_DAY: Final = NotZero(
    "day_zero", "names no day", "1 for the period's first day, -1 for the day before it"
)


def periods_a_year(cycle: BillingCycle) -> Fraction:
    """Return how many cycles a year has: 12, 52 or 365 over the length (assumption A38).

    Examples:
        >>> periods_a_year(BillingCycle(period_length=3))
        Fraction(4, 1)
    """
    return _in_a_year(cycle.time_unit, cycle.period_length, "cycle")[0]


@lru_cache(maxsize=64)
def _in_a_year(unit: str, length: int, price_per: str) -> tuple[Fraction, Fraction, Fraction]:
    """Return how many cycles and stated prices a year has, and a cycle of the latter."""
    cycles = Fraction({"Month": 12, "Year": 1, "Week": 52, "Day": 365}[unit], length)
    prices = {"year": Fraction(1), "month": Fraction(12)}.get(price_per, cycles)
    return cycles, prices, prices / cycles


PricePer = Literal["cycle", "month", "year"]
"""What an item's amount is for, whatever its cycle (A65)."""


def prices_a_year(cycle: BillingCycle, price_per: PricePer = "cycle") -> Fraction:
    """Return how many stated prices a year costs: 1 of a year, 12 of a month, or so many cycles.

    Examples:
        >>> prices_a_year(BillingCycle(period_length=3), "month")
        Fraction(12, 1)
    """
    return _in_a_year(cycle.time_unit, cycle.period_length, price_per)[1]


def prices_in_a_cycle(cycle: BillingCycle, price_per: PricePer = "cycle") -> Fraction:
    """Return how many stated prices a cycle costs, exactly (A38, A65).

    Examples:
        >>> prices_in_a_cycle(BillingCycle(period_length=5), "year")
        Fraction(5, 12)
    """
    return _in_a_year(cycle.time_unit, cycle.period_length, price_per)[2]


class DueDateRule(CheckedRecord):
    """On which day of an accounting period its bill falls due (assumptions A10, A51).

    Examples:
        >>> DueDateRule(day_of_period=0)
        Traceback (most recent call last):
        rentbilling.errors.InvalidDueDateRuleError: day_of_period: names no day (met 0; \
expected 1 for the period's first day, -1 for the day before it)
    """

    problem_error = InvalidDueDateRuleError
    silent_defaults = ("relative_to",)
    required_on_wire = ("day_of_period",)

    # Interface: dueDateRule.dayOfPeriod
    day_of_period: Annotated[WholeField, _NEAR, _A_DAY] = 1
    """1 is the period's first day, -1 the day before it; past the end means the last day (A10)."""
    relative_to: Literal["start", "end"] = "start"
    """`end` counts from the period's end: 1 the first day after it, -1 its last day (ours, A51)."""

    @property
    def words(self) -> str:
        """The rule as a table has it.

        Examples:
            >>> DueDateRule(day_of_period=3).words, DueDateRule(day_of_period=-1).words
            ('day 3', '1 day before')
        """
        day = self.day_of_period
        days = f"{abs(day)} day{'' if abs(day) == 1 else 's'}"
        if self.relative_to == "start":
            return f"day {day}" if day > 0 else f"{days} before"
        return f"{days} after the end" if day > 0 else f"day {-day} from the end"

    def __str__(self) -> str:
        return f"{self.words}, by the accounting period"


class PartPeriodEnds(CheckedRecord):
    """How the part periods of an item are counted, before its product's policy (ours, A66).

    An end that has no word follows the policy.
    """

    first: PartPeriod | None = None
    """Of an opening period that is priced (A14)."""
    last: PartPeriod | None = None
    """Of a period that an end cuts (A17)."""

    @classmethod
    def of(cls, given: object) -> Self:
        """Return the words of both ends, of one for both, of data or of None.

        Raises:
            InvalidInputError: It is neither; its path begins with the field of an item.

        Examples:
            >>> PartPeriodEnds.of("full")
            PartPeriodEnds(first='full', last='full')
        """
        with paths_under("part_period"):
            return cls.model_validate(_both_ends(given or {}))

    def over(self, policy: PartPeriods) -> PartPeriods:
        """Return the words of both ends, with the policy's where the item has none.

        Examples:
            >>> PartPeriodEnds(last="full").over(PartPeriods())
            PartPeriods(first='actual_days', last='full')
        """
        return PartPeriods(self.first or policy.first, self.last or policy.last)


def _both_ends(given: object) -> object:
    if not isinstance(given, str):
        return given
    words = get_args(PartPeriod)
    expected = f"one of {', '.join(words)}, or one for first and one for last"
    check_word("", given, words, expected=expected)
    return {"first": given, "last": given}


if TYPE_CHECKING:
    PartPeriodField = PartPeriodEnds | PartPeriod
else:
    PartPeriodField = Annotated[PartPeriodEnds, FromShort(_both_ends), OrWord(get_args(PartPeriod))]
    """A word for both ends, or an object with a word for each."""


class FirstBillingPeriodBillItem(CheckedRecord):
    """The opening period, as it was agreed: never recomputed, never split (assumption A12)."""

    # Interface: firstBillingPeriodBillItem
    amount: AmountField
    """Price of one unit for the opening period; the item's quantity applies."""
    due_date: DateField
    """When the opening bill falls due."""
    accounting_period: PeriodField
    """The days it pays for, both ends included."""


class Discount(CheckedRecord):
    """A discount on the unit amount, before VAT, in the item's own tax mode (A22, A23, A61).

    Examples:
        >>> from datetime import date
        >>> from decimal import Decimal
        >>> Discount(percentage=Decimal("0.10"), end_date=date(2026, 6, 30)).percentage
        Decimal('0.10')
        >>> Discount(percentage=Decimal(10))
        Traceback (most recent call last):
        rentbilling.errors.InvalidDiscountError: percentage: is above 1 (met 10; \
expected a fraction: 0.10 means ten percent)
    """

    problem_error = InvalidDiscountError

    # Interface: discount
    amount: AmountField | None = None
    """Taken off each unit; exactly one of amount and percentage is given."""
    percentage: Annotated[
        OptionalRateField, Within(0, 1, by_side=True, expected="a fraction: 0.10 means ten percent")
    ] = ABSENT
    """Fraction taken off, 0 to 1; 0.10 is ten percent."""
    description: LongTextField | None = None
    """Text of the discount on the bill."""
    end_date: OptionalDateField = ABSENT
    """Last day with the discount, included."""
    # Ours
    start_date: OptionalDateField = ABSENT
    """First day with the discount (A61)."""
    of: Literal["rest", "list"] | None = None
    """Of what a percentage is: `rest`, what the discounts before left, which absent means; or
    `list`, the price before all discounts (A61)."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find a discount that cannot be taken off (A22, A61)."""
        amount, share = parts.get("amount"), parts.get("percentage")
        start, end = parts.get("start_date"), parts.get("end_date")
        if start is not None and end is not None and end < start:
            said, expected = "lies before its start", f"{start} or later"
            problem = Problem("endDate", "reversed_period", said, str(end), expected)
            yield InvalidDiscountError, problem
        if amount is not None and parts.get("of") is not None:
            said, expected = "belongs to a percentage", "no `of` with an amount"
            problem = Problem("of", "discount_of_amount", said, shown(parts["of"]), expected)
            yield InvalidDiscountError, problem
        if "amount" in parts and "percentage" in parts and (amount is None) == (share is None):
            what = "has neither amount nor percentage" if amount is None else "has both"
            met, expected = "neither" if amount is None else "both", "either amount or percentage"
            yield InvalidDiscountError, Problem("", "one_of_two", what, met, expected)
        yield from cls.bound_problems(parts)
        if amount is not None and amount.amount < 0:
            met, expected = shown(amount.amount), "an amount of 0 or more"
            yield (
                InvalidDiscountError,
                Problem("amount", "out_of_range", "is below 0", met, expected),
            )

    @classmethod
    def fits(cls, parts: Mapping[str, Any]) -> bool:
        """Return whether nothing is wrong, at a glance for a percentage with one end at most."""
        share, start, end = parts["percentage"], parts["start_date"], parts["end_date"]
        if share is None or parts["amount"] is not None or (start and end):
            return super().fits(parts)
        return bool(0 <= share <= 1)

    @property
    def size(self) -> str:
        """What it takes off, in words: 10 %, 500 DKK."""
        return percent_words(self.percentage) if self.percentage is not None else str(self.amount)

    @property
    def days(self) -> tuple[int, int]:
        """Ordinals of the first and last day with it, 0 and NEVER where it has none."""
        start, end = self.start_date, self.end_date
        return 0 if start is None else start.toordinal(), NEVER if end is None else end.toordinal()


class AmountRecord(CheckedRecord):
    """An amount from a day until the next record (assumption A18)."""

    id: IdField | None = None
    """Identifier."""
    value: AmountField
    """The value from that day on."""
    start: DateField
    """First day with the value."""


class VatRecord(CheckedRecord):
    """A VAT from a day until the next record (assumption A18)."""

    id: IdField | None = None
    """Identifier."""
    value: VatField
    """The value from that day on."""
    start: DateField
    """First day with the value."""


class DescriptionRecord(CheckedRecord):
    """A text from a day until the next record (assumption A18)."""

    id: IdField | None = None
    """Identifier."""
    value: LongTextField
    """The value from that day on."""
    start: DateField
    """First day with the value."""


class QuantityRecord(CheckedRecord):
    """A quantity from a day until the next record (assumption A18)."""

    id: IdField | None = None
    """Identifier."""
    value: QuantityField
    """The value from that day on."""
    start: DateField
    """First day with the value."""


def value_on(records: Iterable[Any], day: int, otherwise: Any) -> Any:  # noqa: ANN401
    """Return the value of the last record that has begun on a day, else another one (A18)."""
    begun = [each for each in records if each.start.toordinal() <= day]
    # Of records of one day the last one counts.
    return max(reversed(begun), key=attrgetter("start")).value if begun else otherwise


def discounts_in_force(discounts: Sequence[Discount], day: int) -> tuple[Discount, ...]:
    """Return those of an item's discounts that are in force on a day, in order (A23, A61)."""
    found: list[Discount] = []
    for each in discounts:
        first, last = each.days
        if first <= day <= last:
            found.append(each)
    return tuple(found)


def both_discounts(discount: Discount | None, discounts: Sequence[Discount]) -> Problems:
    """Find a list of discounts together with the one discount (A61)."""
    if discount is not None and discounts:
        said, expected = "cannot be given with discount", "all of them in this list, or none"
        met = f"{len(discounts)} of them"
        yield InvalidDiscountError, Problem("discounts", "one_of_two", said, met, expected)


def discount_problems(
    amount: Amount,
    discount: Discount | None,
    discounts: Sequence[Discount] = (),
    times: Fraction = Fraction(1),
) -> Problems:
    """Find discounts by amount that are in another currency or would turn the sign (A2, A22).

    A cycle costs so many times the amount (A65).
    """
    yield from both_discounts(discount, discounts)
    if discount is not None and discount.amount is not None:
        yield from _amount_problems(amount, discount.amount, "discount.amount", times)
    for at, each in enumerate(discounts):
        if each.amount is not None:
            yield from _amount_problems(amount, each.amount, f"discounts[{at}].amount", times)


def _amount_problems(amount: Amount, discount: Amount, path: str, times: Fraction) -> Problems:
    met, price = shown(discount.amount), Fraction(amount.amount) * times
    if discount.currency != amount.currency:
        yield currency_mismatch(f"{path}.currency", discount.currency, amount.currency)
    elif amount.amount < 0:
        said = "meets a negative amount"
        yield InvalidDiscountError, Problem(path, "discount_on_credit", said, met, "a percentage")
    elif Fraction(discount.amount) > price:
        said, most = "is larger than the item's amount", amount.amount
        if times != 1:
            said, most = "is larger than the price of a cycle", rounded(price, 2, "down")
        expected = f"at most {most:f}"
        yield InvalidDiscountError, Problem(path, "discount_above_amount", said, met, expected)


def currency_mismatch(
    path: str, met: str, expected: str
) -> tuple[type[InvalidInputError], Problem]:
    """Return the problem of an amount in another currency."""
    return CurrencyMismatchError, other_currency(path, met, expected).problems[0]


def other_currencies(
    amounts: Iterable[tuple[str, Amount | None]], wanted: str | None = None
) -> Problems:
    """Find amounts in another currency than wanted, or than the first of them (A2)."""
    for path, each in amounts:
        if each is not None:
            wanted = wanted or each.currency
            if each.currency != wanted:
                yield currency_mismatch(f"{path}.currency", each.currency, wanted)
