"""Which points of a series an adjustment compares, and the change between them.

Laws: both values of a ratio come from one series of one base; a value that is missing is an error
that names series and point, never a guess (assumption A41).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from rentbilling.adjustments.rules.arithmetic import ONE, Number, rounded
from rentbilling.errors import InvalidAdjustmentRuleError, MissingIndexError
from rentbilling.indices import IndexPoint, IndexSeries, IndexUnit
from rentbilling.terms import RentAdjustmentRule
from rentbilling.values import MAX_DIGITS, MONTHS_PER_YEAR, month_start, rounded as rounded_decimal

_PUBLISHED: Final = 2
"""Months after which a value is taken to be published (A33)."""
_SHOWN_DECIMALS: Final = 10


class IndexChange(NamedTuple):
    """Two points of a series on a day, and the change between them."""

    series: IndexSeries
    from_point: IndexPoint | None
    """None where the series publishes percentages of a year, so that no two points are compared."""
    to_point: IndexPoint
    from_value: Number | None
    """None where no levels are compared."""
    to_value: Number | None
    change: Number
    used: tuple[IndexPoint, ...] = ()
    """The points whose changes make the change; none where levels are compared."""

    @property
    def points(self) -> Number | None:
        """The change in points of the index."""
        if self.from_value is None or self.to_value is None:
            return None
        return self.to_value - self.from_value


ValueAt = Callable[[IndexSeries, IndexPoint], Number]
"""Finds the value of a series at a point; on paths the values of all of them."""


class Reference:
    """The series of one rule, and the points of it that the rule compares."""

    __slots__ = ("_clause", "_interval", "_others", "_rule", "_stated", "series")

    def __init__(self, rule: RentAdjustmentRule, indices: Mapping[str, IndexSeries]) -> None:
        """Find the rule's series.

        Raises:
            MissingIndexError: The series was not passed.
            InvalidAdjustmentRuleError: Several were passed and the clause names none, or the series
                has another base than the clause.
        """
        clause = rule.clause
        self._rule = rule
        self._clause = clause
        self._interval = clause.interval
        # Most rules compare two values as they were published.
        self._stated = (
            clause.mean_of == 1 and clause.mean_decimals is None and clause.start_index is None
        )
        self.series = _named(clause.series, indices)
        self._others = tuple(_named(name, indices) for name in clause.lower_of)
        if any(each.kind == "monthly_change" for each in (self.series, *self._others)):
            self._refuse_levels()
        if clause.base is not None and self.series.base != clause.base:
            said = f"is not the base of the series {self.series.name}"
            right = f"{self.series.base or 'a base'}, or the series rebased by its link factor"
            raise wrong_clause("base", "base_mismatch", said, clause.base, right)
        if self.series.kind == "change":
            self._refuse_start()

    def _refuse_start(self) -> None:
        """Refuse a start that published changes do not go on from."""
        clause = self._clause
        if clause.start_index is not None:
            said, right = "does not apply to published changes", "none, or a series of levels"
            raise wrong_clause("startIndex", "says_nothing", said, clause.start_index, right)
        if clause.start_point is not None and clause.start_point.unit != self.unit:
            said = f"is no {self.unit}, and published changes follow each other by the {self.unit}"
            met, right = str(clause.start_point), f"a {self.unit}"
            raise wrong_clause("startPoint", "contradiction", said, met, right)

    def _refuse_levels(self) -> None:
        """Refuse what is about the levels of an index, which changes of a month have none of."""
        clause = self._clause
        for field, met in (
            ("startIndex", clause.start_index),
            ("meanDecimals", clause.mean_decimals),
            ("thresholdUnit", "points" if clause.threshold_unit == "points" else None),
        ):
            if met is not None:
                said, right = "does not apply to changes of a month", "none, or a series of levels"
                raise wrong_clause(field, "says_nothing", said, met, right)

    @property
    def unit(self) -> IndexUnit:
        """Whether it compares months, quarters or years."""
        reference = self._clause.reference
        if reference == "last_published":
            points = self.series.points
            return points[0].unit if points else "month"
        return "year" if reference == "year_mean" else reference

    def to_point(self, month: int) -> IndexPoint:
        """Return the point whose value is used for an adjustment on the first of a month (A33)."""
        clause = self._clause
        if clause.reference == "last_published":
            return self._last_published(month)
        if clause.reference == "year_mean":
            back = 1 if clause.year_offset is None else clause.year_offset
            return IndexPoint.parse(f"{month // MONTHS_PER_YEAR - back:04d}")
        if clause.reference == "quarter":
            return self._quarter(month)
        return _month_point(self._months_used((month,))[0])

    def _months_used(self, months: Iterable[int]) -> list[int]:
        """Return the months whose values are used for adjustments, where months are compared."""
        lag, years = self._clause.lag_months, self._clause.year_offset
        if lag is not None:
            return [month - lag for month in months]
        wanted = (self._rule.index_month or 1) - 1
        if years is not None:
            return [
                (month // MONTHS_PER_YEAR - years) * MONTHS_PER_YEAR + wanted for month in months
            ]
        latest = (month - _PUBLISHED for month in months)
        return [month - (month - wanted) % MONTHS_PER_YEAR for month in latest]

    def _quarter(self, month: int) -> IndexPoint:
        """Return the quarter used: the one that is named, or the last that ends early enough."""
        clause, rule = self._clause, self._rule
        lag = _PUBLISHED if clause.lag_months is None else clause.lag_months
        # The last quarter whose last month lies at least so many months before.
        last = IndexPoint("quarter", (month - lag - 2) // 3)
        named = clause.index_quarter or (rule.index_month and (rule.index_month + 2) // 3)
        if not named:
            return last
        if clause.year_offset is not None:
            return IndexPoint.parse(f"{month // MONTHS_PER_YEAR - clause.year_offset:04d}-Q{named}")
        return last.shifted(-((last.number - (named - 1)) % 4))

    def _last_published(self, month: int) -> IndexPoint:
        """Return the last point published by the day of the adjustment.

        The days of publication must be stated; an assumed value counts as published like others.
        """
        series, day, unit = self.series, date.fromordinal(month_start(month)), self.unit
        published = [point for point, known in series.known.items() if known <= day]
        published += (point for point in series.assumed if point.last_month <= month - _PUBLISHED)
        known = [point for point in published if point.unit == unit]
        if not known:
            raise MissingIndexError("no_known_index", series=series.name, at=str(day))
        return max(known)

    def from_point(self, to: IndexPoint, month: int) -> IndexPoint:
        """Return the point compared with where no earlier adjustment decides it (A33)."""
        clause = self._clause
        if clause.from_lag_months is not None:
            return IndexPoint.of_month_number(month - clause.from_lag_months)
        if to.unit == "month":
            return _month_point(to.number - self._interval)
        steps, rest = divmod(self._interval * to.per_year, MONTHS_PER_YEAR)
        if rest:
            said, met = f"is no whole number of {to.unit}s", clause.interval
            right = f"a multiple of {MONTHS_PER_YEAR // to.per_year}"
            raise wrong_clause("intervalMonths", "contradiction", said, met, right)
        return to.shifted(-steps)

    def published_changes(
        self, months: Sequence[int], since: int | None = None
    ) -> Iterator[tuple[int, int, int, int] | None]:
        """Give the change between published levels for adjustments on the first days of months.

        Of each the last months of the two points, and the change as a fraction of the first level:
        over, below. None where a month has no level. All compare with the point of the month of a
        first adjustment, where that is given.
        """
        if self._clause.reference != "month":
            for month in months:
                to = self.to_point(month)
                first = month if since is None else since
                start = self.from_point(to if since is None else self.to_point(since), first)
                (old, of_old), (new, of_new) = map(self._level, (start, to))
                change = new * of_old - old * of_new
                yield start.last_month, to.last_month, change, old * of_new
            return
        levels, lag = self.series.month_ratios, self._clause.from_lag_months
        based = None if since is None else self._months_used((since,))[0] - self._interval
        for month, end in zip(months, self._months_used(months), strict=True):
            begin = end - self._interval if lag is None else month - lag
            begin = begin if based is None else based
            try:
                (old, of_old), (new, of_new) = levels[begin], levels[end]
            except KeyError:
                yield None
                return
            yield begin, end, new * of_old - old * of_new, old * of_new

    def _level(self, point: IndexPoint) -> tuple[int, int]:
        return self.series.value_at(point).as_integer_ratio()

    def compared(
        self,
        to: IndexPoint,
        start: IndexPoint,
        *,
        stated: bool = True,
        value_at: ValueAt = IndexSeries.value_at,
    ) -> IndexChange:
        """Return two points with their values and the change between them.

        The change is the lowest of those of all series that the clause names. Only where `stated`,
        an index that the contract states for its start point is used for that point (A33).
        """
        found = self._of_series(self.series, to, start, stated=stated, value_at=value_at)
        for series in self._others:
            other = self._of_series(series, to, start, stated=stated, value_at=value_at)
            if other.change < found.change:
                found = other
        return found

    def _of_series(
        self,
        series: IndexSeries,
        to: IndexPoint,
        start: IndexPoint,
        *,
        stated: bool,
        value_at: ValueAt,
    ) -> IndexChange:
        clause = self._clause
        if series.kind == "change":
            factor, points = ONE, [*self._between(start, to)]
            for point in points:
                factor *= 1 + self._mean(series, point, value_at)
            used = [point.shifted(-back) for point in points for back in range(clause.mean_of)]
            return IndexChange(series, None, to, None, None, factor - 1, tuple(used))
        if series.kind == "monthly_change":
            months = self._months_after(start, to)
            level_at = _levels(series, months, value_at)
            found = self._of_levels(series, to, start, stated=stated, value_at=level_at)
            return found._replace(from_value=None, to_value=None, used=months[1:])
        return self._of_levels(series, to, start, stated=stated, value_at=value_at)

    def _months_after(self, start: IndexPoint, to: IndexPoint) -> tuple[IndexPoint, ...]:
        """Return the first month of the points compared, and those after it up to the last one."""
        clause = self._clause
        if clause.mean_of_what == "changes":
            start = to.years_earlier(1)
        begin = min(each.shifted(1 - clause.mean_of).first_month for each in (start, to))
        end = max(start.last_month, to.last_month)
        return tuple(map(_month_point, range(begin, end + 1)))

    def _of_levels(
        self,
        series: IndexSeries,
        to: IndexPoint,
        start: IndexPoint,
        *,
        stated: bool,
        value_at: ValueAt,
    ) -> IndexChange:
        clause = self._clause
        if clause.mean_of_what == "changes":
            points = [to.shifted(-back) for back in range(clause.mean_of)]
            changes = [
                value_at(series, point) / value_at(series, point.years_earlier(1)) - 1
                for point in points
            ]
            mean = sum(changes, Fraction(0)) / len(changes)
            used = tuple(each for point in points for each in (point.years_earlier(1), point))
            return IndexChange(series, None, to, None, None, mean, used)
        if self._stated:
            before, after = value_at(series, start), value_at(series, to)
        else:
            own = clause.start_index if stated and start == clause.start_point else None
            before = self._mean(series, start, value_at) if own is None else Fraction(own)
            after = self._mean(series, to, value_at)
        return IndexChange(series, start, to, before, after, _change(before, after))

    def _between(self, start: IndexPoint, to: IndexPoint) -> Iterator[IndexPoint]:
        """Give the points of published changes: one for each interval since the last applied."""
        step = max(1, self._interval * to.per_year // MONTHS_PER_YEAR)
        point, points = to, [to]
        while start.unit == to.unit and point.number - step > start.number:
            point = point.shifted(-step)
            points.append(point)
        yield from reversed(points)

    def _mean(self, series: IndexSeries, point: IndexPoint, value_at: ValueAt) -> Number:
        """Return the value at a point, averaged and rounded as the clause says."""
        clause = self._clause
        if clause.mean_of == 1:
            value = value_at(series, point)
        else:
            values = [value_at(series, point.shifted(-back)) for back in range(clause.mean_of)]
            value = sum(values, Fraction(0)) / len(values)
        if clause.mean_decimals is not None:
            value = rounded(value, Fraction(1, 10**clause.mean_decimals))
        return value


def _levels(series: IndexSeries, months: Sequence[IndexPoint], value_at: ValueAt) -> ValueAt:
    """Return the levels that changes of months make of 1 in the first one, which needs none (A152).

    A quarter or a year has the mean of its months.
    """
    levels: dict[int, Number] = {months[0].number: ONE}
    for month in months[1:]:
        levels[month.number] = levels[month.number - 1] * (1 + value_at(series, month))

    def level_at(_: IndexSeries, point: IndexPoint) -> Number:
        found = [levels[number] for number in range(point.first_month, point.last_month + 1)]
        return sum(found, Fraction(0)) / len(found)

    return level_at


def _change(before: Number, after: Number) -> Number:
    """Return the change from one value to another, as a fraction of the first."""
    if not isinstance(before, Fraction) or not isinstance(after, Fraction):
        return (after - before) / before
    # after / before − 1, in one fraction.
    (new, of_new), (old, of_old) = after.as_integer_ratio(), before.as_integer_ratio()
    return Fraction(new * of_old - old * of_new, old * of_new)


# One lease after another asks for the same months.
_month_point = lru_cache(maxsize=2048)(IndexPoint.of_month_number)


def _named(name: str | None, indices: Mapping[str, IndexSeries]) -> IndexSeries:
    if name is not None:
        series = indices.get(name)
        if series is None:
            passed = ", ".join(indices) or "none"
            raise MissingIndexError("missing_series", series=name, passed=passed)
        return series
    if not indices:
        raise MissingIndexError("missing_series", series="of the rule", passed="none")
    if len(indices) > 1:
        said, right = "is missing, and several series were passed", ", ".join(indices)
        raise wrong_clause("series", "series_needed", said, None, f"one of {right}")
    return next(iter(indices.values()))


def wrong_clause(
    field: str, code: str, said: str, met: object, expected: str
) -> InvalidAdjustmentRuleError:
    """Return the refusal of a clause that does not fit its series, by the field on the wire."""
    return InvalidAdjustmentRuleError.of(f"indexClause.{field}", code, said, met, expected)


def shown_index(
    series: IndexSeries, point: IndexPoint | None, value: Fraction | None
) -> Decimal | None:
    """Return an index value to show: as it was published, else exact or with 10 decimals."""
    published = None if point is None else series.values.get(point)
    if published is not None and published == value:
        return published
    if value is None:
        return None
    # As many digits as any number may have (A1).
    return trimmed(value, min(_SHOWN_DECIMALS, MAX_DIGITS - len(str(abs(int(value))))))


def trimmed(value: Fraction, decimals: int) -> Decimal:
    """Return a fraction rounded half up to so many decimals, without zeros at its end.

    Examples:
        >>> trimmed(Fraction(1, 40), 6), trimmed(Fraction(2, 3), 6)
        (Decimal('0.025'), Decimal('0.666667'))
    """
    text = f"{rounded_decimal(value, decimals):f}"
    return Decimal(text.rstrip("0").rstrip(".") if "." in text else text)
