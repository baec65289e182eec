"""Rent adjustment rules: by an index, or by increments of amounts, percentages or levels.

Law: a rule that cannot be followed is refused, with everything that is wrong with it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any

from rentbilling.errors import InvalidAdjustmentRuleError, Problem, shown
from rentbilling.records import (
    ABSENT,
    LIMIT,
    PERCENTAGE,
    AdjustmentTypeField,
    AmountField,
    CalendarMonthField,
    CheckedRecord,
    IdField,
    Listed,
    OptionalRateField,
    Problems,
    RecurrenceField,
    YearField,
    fields_of,
)
from rentbilling.terms.index_clause import IndexClause, not_earlier
from rentbilling.terms.item_parts import other_currencies


class Increment(CheckedRecord):
    """An increment of a year: an amount, a percentage, or the step to a level (A36).

    Examples:
        >>> from decimal import Decimal
        >>> Increment(year="2027", percentage=Decimal("0.03"), recurrence="Recurring").year
        '2027'
        >>> Increment(year="2027")
        Traceback (most recent call last):
        rentbilling.errors.InvalidAdjustmentRuleError: has neither amount nor percentage nor level \
(met nothing; expected exactly one of them)
    """

    problem_error = InvalidAdjustmentRuleError

    # Interface: increments
    year: YearField
    """Year of the adjustment, `YYYY` (A31)."""
    amount: AmountField | None = None
    """Added to the whole line, per year unless the policy says per billing period."""
    percentage: Annotated[OptionalRateField, PERCENTAGE] = ABSENT
    """Added as a fraction: 0.03 is three percent (A5)."""
    level: AmountField | None = None
    """What the whole line costs from then on, on the same scale as `amount` (ours, A36)."""
    recurrence: RecurrenceField | None = None
    """`OneTime` (also when absent): in this year; `Recurring`: in every later year too (A36)."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find an increment of nothing, of several things, or of more than ten times (A5, A36)."""
        kinds = ("amount", "percentage", "level")
        if all(kind in parts for kind in kinds):
            given = [kind for kind in kinds if parts[kind] is not None]
            if len(given) != 1:
                said = "has " + (" and ".join(given) or "neither amount nor percentage nor level")
                met = ", ".join(given) or "nothing"
                expected = "exactly one of them"
                yield (InvalidAdjustmentRuleError, Problem("", "one_of_three", said, met, expected))
        yield from cls.bound_problems(parts)
        if parts.get("level") is not None and parts.get("recurrence") == "Recurring":
            said, expected = "a level recurs by staying", "OneTime, or an amount"
            problem = Problem("recurrence", "contradiction", said, "'Recurring'", expected)
            yield InvalidAdjustmentRuleError, problem

    @property
    def of_year(self) -> str:
        """The same as `year`."""
        return self.year

    @property
    def recurs(self) -> bool:
        """Whether it is repeated in every later year."""
        return self.recurrence == "Recurring"


class RentAdjustmentRule(CheckedRecord):
    """When and by what a rent or a balance is adjusted: an index or increments, within limits.

    Raises:
        InvalidAdjustmentRuleError: The rule cannot be followed.

    Examples:
        The net price index of October, each January, between 0 and 4 percent:

        >>> from decimal import Decimal
        >>> rule = RentAdjustmentRule(
        ...     adjustment_type="Index",
        ...     adjustment_month=1,
        ...     index_month=10,
        ...     minimum_percentage=0,
        ...     maximum_percentage=Decimal("0.04"),
        ... )
        >>> rule.by_index
        True
    """

    problem_error = InvalidAdjustmentRuleError
    sent_lists = ("increments",)

    # Interface: rentAdjustmentRules
    id: IdField | None = None
    """Identifier; given by position otherwise."""
    adjustment_type: AdjustmentTypeField
    """`Index` or `Increment`; another word with increments is read as that, with a notice (A36)."""
    adjustment_month: CalendarMonthField
    """Calendar month on whose first day it adjusts, 1-12 (A32)."""
    first_year: YearField | None = None
    """First year with an adjustment, included; absent: no bound (A31, A32)."""
    last_year: YearField | None = None
    """Last year with an adjustment, included."""
    index_month: CalendarMonthField | None = None
    """Calendar month of the index used, 1-12 (A33)."""
    minimum_percentage: Annotated[OptionalRateField, LIMIT] = ABSENT
    """The percentage is not below it; a fraction: 0 is never down (A35)."""
    maximum_percentage: Annotated[OptionalRateField, LIMIT] = ABSENT
    """The percentage is not above it; a fraction: 0.04 is four percent (A35)."""
    increments: Annotated[tuple[Increment, ...], Listed] = ()
    """The increments, year by year (A36)."""
    index_clause: IndexClause | None = None
    """Conventions of a country or contract (ours, A40)."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems between fields (A5, A33, A35, A36, A40)."""
        for problem in _year_problems(parts):
            yield InvalidAdjustmentRuleError, problem
        yield from cls.bound_problems(parts)
        for problem in (
            *_limit_problems(parts),
            *_type_problems(parts),
            *_increment_problems(parts),
        ):
            yield InvalidAdjustmentRuleError, problem
        # What an unreadable clause leaves to the rule is unknown.
        if "index_clause" in parts:
            for problem in _clause_problems(parts, parts["index_clause"] or _plain()):
                yield InvalidAdjustmentRuleError, problem
        yield from other_currencies(
            (f"increments[{at}].{name}", getattr(each, name))
            for at, each in enumerate(parts.get("increments", ()))
            for name in ("amount", "level")
        )

    @classmethod
    def fits(cls, parts: Mapping[str, Any]) -> bool:
        """Return whether all fields are there and nothing is wrong between them.

        A rule of an index month between limits, without years, is seen at a glance.
        """
        least, most = parts["minimum_percentage"], parts["maximum_percentage"]
        plain = (
            parts["adjustment_type"] == "Index"
            and parts["index_month"] is not None
            and parts["index_clause"] is None
            and not parts["increments"]
            and parts["last_year"] is None
            and -1 <= (0 if least is None else least) <= (1 if most is None else most) <= 1
        )
        return plain or super().fits(parts)

    def model_post_init(self, _context: object, /) -> None:
        """Leave out a clause that says nothing new: it means the same as none (A40)."""
        if self.index_clause is not None and self.index_clause == _plain():
            vars(self)["index_clause"] = None

    @property
    def by_index(self) -> bool:
        """Whether an index decides, and not increments."""
        return self.adjustment_type.lower() == "index"

    @property
    def month(self) -> int:
        """The same as `adjustment_month`."""
        return self.adjustment_month

    @property
    def clause(self) -> IndexClause:
        """The rule's clause, the plain one where it has none."""
        return _plain() if self.index_clause is None else self.index_clause

    @property
    def calendar_months(self) -> frozenset[int]:
        """The calendar months in which it may adjust, by its month and its interval."""
        step, first = self.clause.interval, self.month - 1
        return frozenset((first + step * times) % 12 + 1 for times in range(12))

    @property
    def counts_from(self) -> str | None:
        """The year from whose adjustment month its interval counts: its first one (A32, A153).

        None where it is the first one in which the rule can adjust.
        """
        return self.first_year or min((each.of_year for each in self.increments), default=None)

    @property
    def only_limits(self) -> bool:
        """Whether the rule only limits the ones before it (A40)."""
        return self.clause.combine == "limit"


@cache
def _plain() -> IndexClause:
    """Return the clause of a rule without one; made on first use, since its validator is built."""
    return IndexClause()


def _year_problems(parts: Mapping[str, Any]) -> Iterator[Problem]:
    """Find reversed years (A31)."""
    first, last = parts.get("first_year"), parts.get("last_year")
    if first is not None and last is not None and last < first:
        said = "lies before the first year"
        yield Problem("lastYear", "reversed_years", said, shown(last), f"{first} or later")


def _limit_problems(parts: Mapping[str, Any]) -> Iterator[Problem]:
    """Find limits that cross, or limit amounts (A35)."""
    least, most = parts.get("minimum_percentage"), parts.get("maximum_percentage")
    if least is not None and most is not None and least > most:
        said, expected = "is above the maximum", f"at most {most:f}"
        yield Problem("minimumPercentage", "limits_crossed", said, shown(least), expected)
    by_amount = [each for each in parts.get("increments", ()) if each.percentage is None]
    if by_amount and not (least is most is None):
        named = "minimumPercentage" if least is not None else "maximumPercentage"
        met = shown(least if least is not None else most)
        said, expected = "limits increments by amount", "limits on percentages alone"
        yield Problem(named, "limits_on_amounts", said, met, expected)


def _type_problems(parts: Mapping[str, Any]) -> Iterator[Problem]:
    """Find an index rule with increments (A36)."""
    increments = parts.get("increments")
    if increments and _is_index(parts):
        said, expected = "belong to a rule of another type", "none, or the type Increment"
        yield Problem("increments", "increments_on_index", said, _many(increments), expected)


def _is_index(parts: Mapping[str, Any]) -> bool:
    return bool(parts.get("adjustment_type", "").lower() == "index")


def _many(increments: Sequence[Increment]) -> str:
    return f"{len(increments)} increment{'s' if len(increments) > 1 else ''}"


def _clause_problems(parts: Mapping[str, Any], clause: IndexClause) -> Iterator[Problem]:
    """Return the problems between a rule and its clause (A33, A36, A40)."""
    increments = parts.get("increments")
    no_limits = parts.get("minimum_percentage", 0) is parts.get("maximum_percentage", 0) is None
    if no_limits and clause.limit_per != "adjustment":
        said, expected = "has no effect without limits", "a minimum or a maximum as well"
        met = shown(clause.limit_per)
        yield Problem("indexClause.limitPer", "says_nothing", said, met, expected)
    if clause.combine == "limit":
        if no_limits:
            said, expected = "has no limits to hold others within", "a minimum or a maximum"
            yield Problem("", "says_nothing", said, "neither", expected)
        if increments and not _is_index(parts):
            said, expected = "have no effect on a rule that only limits others", "none"
            yield Problem("increments", "says_nothing", said, _many(increments), expected)
        yield from _idle_fields(clause, clause.with_limit_only, "a rule that only limits others")
        return
    if not _is_index(parts):
        if "adjustment_type" in parts and all(each.percentage is None for each in increments or ()):
            amounts = clause.with_amounts
            yield from _idle_fields(clause, amounts, "a rule that adds amounts")
        elif "adjustment_type" in parts:
            meant = clause.with_increments
            yield from _idle_fields(clause, meant, "a rule that follows no index")
        if increments == () and "adjustment_type" in parts:
            said, expected = "has no increments", "increments, or the adjustment type Index"
            yield Problem("increments", "no_increments", said, "none", expected)
        return
    if parts.get("index_month", 0) is None and not clause.finds_points:
        said = "is missing: nothing else says which months are compared"
        expected = "a calendar month from 1 to 12"
        yield Problem("indexMonth", "no_index_month", said, "nothing", expected)
    yield from _month_problems(parts, clause)


def _month_problems(parts: Mapping[str, Any], clause: IndexClause) -> Iterator[Problem]:
    """Return the problems of an index month that a clause contradicts (A33)."""
    named = parts.get("index_month") is not None or clause.index_quarter is not None
    if named and clause.interval % 12 and not clause.lag_months:
        said = f"names one time of the year, and the rule adjusts every {clause.interval} months"
        path = "indexMonth" if clause.index_quarter is None else "indexClause.indexQuarter"
        met = shown(parts.get("index_month") or clause.index_quarter)
        expected = "the lag in months, which moves with the adjustment"
        yield Problem(path, "contradiction", said, met, expected)
    index_month, start = parts.get("index_month"), clause.from_lag_months
    if index_month and start and "adjustment_month" in parts:
        lag = parts["adjustment_month"] - index_month + 12 * (clause.year_offset or 0)
        if clause.year_offset is None:
            # The month lies at least two months back (A33).
            lag = (lag - 2) % 12 + 2
        if start <= lag:
            yield not_earlier(start, lag).under("indexClause")
    if parts.get("index_month") is not None and clause.finds_points:
        said, expected = "contradicts the index clause, which finds the points", "one of the two"
        met = shown(parts["index_month"])
        yield Problem("indexMonth", "contradiction", said, met, expected)


def _idle_fields(clause: IndexClause, meant: Collection[str], what: str) -> Iterator[Problem]:
    """Find the fields of a clause that do nothing on a rule of some kind (A40)."""
    for field in fields_of(IndexClause):
        value = getattr(clause, field.name)
        if field.name not in meant and value != field.default:
            path, said = f"indexClause.{field.wire}", f"has no effect on {what}"
            yield Problem(path, "says_nothing", said, shown(value), "none")


def _increment_problems(parts: Mapping[str, Any]) -> Iterator[Problem]:
    """Find increments outside the rule's years, and two of one kind in one year (A36)."""
    first, last = parts.get("first_year") or "0001", parts.get("last_year") or "9999"
    seen: set[tuple[str, bool]] = set()
    for at, each in enumerate(parts.get("increments", ())):
        path = f"increments[{at}].year"
        year = each.of_year
        if first <= last and not first <= year <= last:
            said, expected = "lies outside the first and the last year", f"{first} to {last}"
            yield Problem(path, "year_outside", said, shown(year), expected)
        if (year, each.recurs) in seen:
            said, expected = "has another increment of the same kind", "one of each kind a year"
            yield Problem(path, "duplicate_year", said, shown(year), expected)
        seen.add((year, each.recurs))
