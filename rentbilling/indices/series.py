"""One index series: the values of an index, their base, and their days of publication.

Law: no value is guessed (A41), and two bases are combined only by a stated factor.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import Any, Final, Self

from rentbilling.errors import (
    InvalidRecordError,
    MissingIndexError,
    Problem,
    check_word,
    refuse_file_name,
    shown,
)
from rentbilling.indices.points import UNITS, AnyPoint, IndexPoint, IndexUnit
from rentbilling.indices.series_schema import series_schema
from rentbilling.indices.series_tables import series_html, series_text
from rentbilling.indices.values import (
    ByLabel,
    Factor,
    IndexKind,
    assumed_rate,
    data_of,
    factor_of,
    lines_of,
    link_of,
    monthly_rate,
    parts_of,
    written,
)
from rentbilling.values import Definitions, Rate, Rounding, Schema, WireForm, check_rounding, day_of

_NOTHING: Final[Mapping[Any, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, init=False, repr=False)
class IndexSeries(WireForm):
    """The exact values of one index on one base, by month, quarter or year (A41).

    A missing value is an error, never a guess. Series are equal when all of their fields are.

    Examples:
        >>> npi = IndexSeries("NPI", {"2021-04": "104.8", "2022-04": "111.6"}, base="2015=100")
        >>> npi
        <IndexSeries NPI 2015=100, 2 months 2021-04 to 2022-04>
        >>> npi.value_at("2022-04") / npi.value_at("2021-04")
        Fraction(279, 262)
        >>> npi.value_at("2022-05")
        Traceback (most recent call last):
        rentbilling.errors.MissingIndexError: missing_index: series NPI, base 2015=100, at 2022-05
    """

    name: str
    """Its name, by which rules refer to it."""
    base: str | None
    """Its base, such as "2015=100"."""
    kind: IndexKind
    """Whether its values are levels, changes of a year, or changes of a month, as fractions."""
    values: Mapping[IndexPoint, Decimal]
    """The stated values: months, then quarters, then years, each in order."""
    known: Mapping[IndexPoint, date]
    """The day on which a value was published, where it is known."""
    provisional: frozenset[IndexPoint]
    """Points whose value may still be replaced."""
    assumed: frozenset[IndexPoint]
    """Points with an assumed value, which is not published."""
    source: str | None
    """Where the values come from."""
    _exact: dict[IndexPoint, Fraction] = field(compare=False)
    _months: dict[int, Fraction] = field(compare=False)
    """The months among them by their numbers, for a faster look-up."""
    _ratios: dict[int, tuple[int, int]] = field(compare=False)
    """The same in lowest terms."""

    def __init__(
        self,
        name: str,
        values: Mapping[Any, Decimal | int | str] | ByLabel,
        *,
        base: str | None = None,
        kind: IndexKind = "level",
        known: Mapping[Any, date | str] | ByLabel = _NOTHING,
        provisional: Iterable[AnyPoint] = (),
        assumed: Iterable[AnyPoint] = (),
        source: str | None = None,
    ) -> None:
        """Validate the fields.

        A point may be a text such as 2021-06, 2021-Q2 or 2021. Levels are above 0. Values may be a
        Series of pandas by such texts or by Periods; one that is not there is a hole. Changes of a
        year are of the kind `change`, those against the month before `monthly_change`.

        Raises:
            InvalidInputError: Something is wrong; every problem with its path.
        """
        parts = parts_of(name, base, kind, values, known, provisional, assumed, source)
        for each, part in parts.items():
            object.__setattr__(self, each, part)
        exact = {point: Fraction(value) for point, value in self.values.items()}
        object.__setattr__(self, "_exact", exact)
        months = {point.number: value for point, value in exact.items() if point.unit == "month"}
        object.__setattr__(self, "_months", months)
        ratios = {number: value.as_integer_ratio() for number, value in months.items()}
        object.__setattr__(self, "_ratios", ratios)

    @property
    def points(self) -> tuple[IndexPoint, ...]:
        """The points that have a stated value: months, then quarters, then years, each in order."""
        return tuple(self.values)

    @property
    def holes(self) -> tuple[IndexPoint, ...]:
        """The points without a value between the first and the last of their unit.

        Examples:
            >>> [str(hole) for hole in IndexSeries("CPI", {"2023-05": 1, "2023-08": 1}).holes]
            ['2023-06', '2023-07']
        """
        return tuple(
            IndexPoint(before.unit, missing)
            for run in self._runs()
            for before, after in pairwise(run)
            for missing in range(before.number + 1, after.number)
        )

    @property
    def decimals(self) -> int:
        """The most decimals that one of its values is written with."""
        return max((0, *(-int(each.as_tuple().exponent) for each in self.values.values())))

    @property
    def month_ratios(self) -> Mapping[int, tuple[int, int]]:
        """The exact values of months by their numbers, in lowest terms: over, below."""
        return self._ratios

    def value_at(self, point: AnyPoint, *, known_on: date | str | None = None) -> Fraction:
        """Return the exact value at a point, of those published by the day `known_on` (A41).

        A quarter without a stated value has the mean of its months, a year that of its months or
        stated quarters, unless they are changes of a month. A value without a day of publication
        always counts, unless it is assumed.

        Raises:
            MissingIndexError: There is none.
            InvalidPeriodError: The point or the day cannot be read.

        Examples:
            >>> cpi = IndexSeries("CPI", {"2021-01": 99, "2021-02": 100, "2021-03": "100.5"})
            >>> cpi.value_at("2021-Q1")
            Fraction(599, 6)
        """
        if known_on is None and type(point) is IndexPoint:
            in_months = point.unit == "month"
            found = self._months.get(point.number) if in_months else self._exact.get(point)
            if found is not None:
                return found
        parts = self._parts(point, known_on)
        return sum((self._exact[part] for part in parts), Fraction()) / len(parts)

    def latest(
        self, unit: IndexUnit = "month", *, known_on: date | str | None = None
    ) -> IndexPoint:
        """Return the last point of a unit that has a stated value, or had one on a day.

        Raises:
            MissingIndexError: There is none.
            UnknownWordError: The unit is not a known word.

        Examples:
            >>> str(IndexSeries("CPI", {"2021-01": 99, "2021-02": 100}).latest())
            '2021-02'
        """
        check_word("unit", unit, UNITS)
        day = _day(known_on)
        for point in reversed(self.points):
            if point.unit == unit and self._counts(point, day):
                return point
        raise self._missing(unit, day)

    def is_provisional(self, point: AnyPoint) -> bool:
        """Return whether a value, or one of those that it is the mean of, may still be replaced."""
        return not self.provisional.isdisjoint(self._parts(point, None))

    def is_assumed(self, point: AnyPoint) -> bool:
        """Return whether a value, or one of those that it is the mean of, was never published."""
        return not self.assumed.isdisjoint(self._parts(point, None))

    def known_on(self, day: date | str) -> "IndexSeries":
        """Return the series with only what was published by a day (A41); see `value_at`.

        Examples:
            >>> cpi = IndexSeries("CPI", {"2021-01": 99, "2021-02": 100},
            ...     known={"2021-01": "2021-02-10", "2021-02": "2021-03-10"})
            >>> cpi.known_on("2021-03-09")
            <IndexSeries CPI, 1 month 2021-01>
        """
        there = date.fromordinal(day_of(day, "day"))
        return self._with({p: each for p, each in self.values.items() if self._counts(p, there)})

    def named(self, name: str) -> "IndexSeries":
        return self if name == self.name else self._with(self.values, name=name)

    def rebased(
        self,
        base: str | None,
        *,
        factor: Factor | None = None,
        at: AnyPoint | None = None,
        decimals: int | None = None,
        rounding: Rounding = "half_up",
    ) -> "IndexSeries":
        """Return the levels on another base, of the same name.

        They are multiplied with a factor, or so that the value at a point, or the mean of a year,
        is 100, and rounded if decimals are given.

        Raises:
            InvalidInputError: Not exactly one of factor and point is given, the factor is not
                above 0, the values are changes, or they cannot be written without rounding.
            MissingIndexError: There is no value at that point.

        Examples:
            >>> npi = IndexSeries("NPI", {"2015": "80.0", "2016": "82.0"}, base="2000=100")
            >>> npi.rebased("2015=100", at="2015", decimals=1).value_at("2016")
            Fraction(205, 2)
        """
        self._refuse_changes()
        check_rounding(rounding)
        if at is not None and factor is None:
            by = 100 / self.value_at(at)
        elif factor is not None and at is None:
            by = factor_of(factor)
        else:
            said, expected = "or at is needed, and not both", "factor= or at="
            raise InvalidRecordError.of("factor", "factor_or_at", said, (factor, at), expected)
        values = {p: written(p, each * by, decimals, rounding) for p, each in self._exact.items()}
        return self._with(values, base=base)

    def linked(
        self,
        newer: "IndexSeries",
        *,
        factor: Factor | Mapping[int, Factor] | None = None,
        decimals: int | None = None,
    ) -> "IndexSeries":
        """Return one series with the name, the base and the values of `newer`.

        Where `newer` has no value, it has that of this series times the factor: one number, or one
        for each calendar month from 1 to 12. They are rounded if decimals are given. A published
        factor from the new base to the old one is used as `new.linked(old, factor=...)`.

        Raises:
            InvalidInputError: A factor is missing or not above 0, one of the series has changes,
                or values cannot be written without rounding.
            TypeError: `newer` is no series, or a factor is not exact.

        Examples:
            >>> old = IndexSeries("CPI", {"2014": "120.0", "2015": "125.0"}, base="2000=100")
            >>> new = IndexSeries("CPI", {"2015": "100.0", "2016": "101.2"}, base="2015=100")
            >>> [str(each) for each in old.linked(new, factor=Decimal("0.8")).values.values()]
            ['96', '100.0', '101.2']
        """
        if not isinstance(newer, IndexSeries):
            raise TypeError(f"an IndexSeries is linked with another, not with {shown(newer)}")
        self._refuse_changes()
        newer._refuse_changes()
        older = self._with(
            {
                point: written(point, each * link_of(factor, point), decimals)
                for point, each in self._exact.items()
                if point not in newer.values
            }
        )
        sources = dict.fromkeys(filter(None, (newer.source, self.source)))
        return newer._with(
            {**older.values, **newer.values},
            known={**older.known, **newer.known},
            provisional=older.provisional | newer.provisional,
            assumed=older.assumed | newer.assumed,
            source="; ".join(sources) or None,
        )

    def extended(
        self, rate: Rate | Mapping[int, Rate] = "2%", until: AnyPoint = "2056-12", decimals: int = 6
    ) -> "IndexSeries":
        """Return the series with assumed values after its last ones, marked as assumed (A41).

        Each further point of each unit of the series, up to the end of `until`, is the one a year
        before times 1 + rate, rounded half up; among changes of a year it is the rate itself, among
        those of a month what makes the rate in twelve months. A series of Octobers gets further
        Octobers. There is one rate, 0.02 or "2%", or one for each calendar year. No stated value
        changes, and no hole is filled.

        Raises:
            InvalidInputError: A rate is missing or out of range, or a value gets too long.

        Examples:
            >>> assumed = IndexSeries("NPI", {"2024": "118.0"}).extended(until="2026")
            >>> [str(value) for value in assumed.values.values()]
            ['118.0', '120.360000', '122.767200']
        """
        end = IndexPoint.parse(until).last_month
        values = dict(self.values)
        for run in self._runs():
            last = run[-1]
            for number in range(last.number + 1, (end + 1) * last.per_year // 12):
                point = IndexPoint(last.unit, number)
                if self.kind == "change":
                    values[point] = assumed_rate(rate, point.year)
                elif self.kind == "monthly_change":
                    monthly = monthly_rate(assumed_rate(rate, point.year))
                    values[point] = written(point, monthly, decimals)
                elif (earlier := point.years_earlier(1)) in values:
                    change = assumed_rate(rate, point.year)
                    exact = Fraction(values[earlier]) * (1 + Fraction(change))
                    values[point] = written(point, exact, decimals)
        return self._with(values, assumed=self.assumed | (values.keys() - self.values.keys()))

    @classmethod
    def from_csv(
        cls,
        text: str,
        *,
        name: str,
        base: str | None = None,
        kind: IndexKind = "level",
        source: str | None = None,
    ) -> Self:
        r"""Return the series of a text with a line for each value.

        A line has a point, a value, and perhaps the day of publication and the word provisional,
        with semicolons, tabs or commas between; with the first two a value may have a decimal
        comma. Headings, empty lines and those that begin with # are ignored. A change of 2.16 % is
        written 0.0216.

        Raises:
            InvalidInputError: Lines cannot be read, and every problem names its line; or none has a
                value, as where the text is the name of a file.
            TypeError: It is no text.

        Examples:
            >>> IndexSeries.from_csv("month;value\n2021-04;104,8\n2022-04;111,6\n", name="NPI")
            <IndexSeries NPI, 2 months 2021-04 to 2022-04>
        """
        if not isinstance(text, str):
            right = "; write path.read_text()" if hasattr(text, "read_text") else ""
            raise TypeError(f"from_csv takes a text, not {shown(text)}{right}")
        refuse_file_name(text, "CSV")
        lines = lines_of(text, kind)._asdict()
        if not lines["values"]:
            said, expected = "holds no index value", "a month, quarter or year with its value"
            raise InvalidRecordError((Problem("", "says_nothing", said, "nothing", expected),))
        return cls(name, lines.pop("values"), base=base, kind=kind, source=source, **lines)

    def to_data(self) -> dict[str, Any]:
        """Return the series as plain data: numbers are Decimal, points and days are texts.

        Examples:
            >>> IndexSeries("NPI", {"2021": "104.8"}, assumed=["2021"]).to_data()
            {'name': 'NPI', 'values': {'2021': Decimal('104.8')}, 'assumed': ['2021']}
        """
        data: dict[str, Any] = {
            "name": self.name,
            "base": self.base,
            "kind": None if self.kind == "level" else self.kind,
            "values": {str(point): value for point, value in self.values.items()},
            "known": {str(p): self.known[p].isoformat() for p in self.points if p in self.known},
            "provisional": [str(point) for point in self.points if point in self.provisional],
            "assumed": [str(point) for point in self.points if point in self.assumed],
            "source": self.source,
        }
        return {key: value for key, value in data.items() if value or key == "values"}

    @classmethod
    def from_data(cls, data: object) -> Self:
        """Return the series that plain data, as of `to_data`, describe; absent means the default.

        Raises:
            InvalidInputError: Fields are missing, unknown or wrong; problems with their paths.

        Examples:
            >>> IndexSeries.from_data({"name": "NPI", "values": {"2021-04": "104.8"}})
            <IndexSeries NPI, 1 month 2021-04>
        """
        return cls(**data_of(data))

    @classmethod
    def _from_wire(cls, data: Any) -> Self:  # noqa: ANN401
        return cls.from_data(data)

    def _to_wire(self) -> dict[str, Any]:
        return self.to_data()

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        del parts
        return series_schema()

    def __hash__(self) -> int:
        return hash((self.name, self.base, self.kind, len(self.values)))

    def __repr__(self) -> str:
        said = [" ".join(filter(None, ("IndexSeries", self.name, self.base)))]
        for run in self._runs():
            many, ends = ("s", f" to {run[-1]}") if len(run) > 1 else ("", "")
            said.append(f"{len(run)} {run[0].unit}{many} {run[0]}{ends}")
        said += [f"{len(self.assumed)} assumed"] if self.assumed else []
        return f"<{', '.join(said)}>" if self.values else f"<{said[0]}, no values>"

    def __str__(self) -> str:
        return series_text(self)

    def _repr_html_(self) -> str:
        return series_html(self)

    def __reduce__(self) -> tuple[object, ...]:
        return IndexSeries.from_data, (self.to_data(),)

    def _with(self, values: Mapping[IndexPoint, Decimal], **changes: Any) -> "IndexSeries":  # noqa: ANN401
        kept: dict[str, Any] = {
            "name": self.name,
            "base": self.base,
            "kind": self.kind,
            "known": {point: day for point, day in self.known.items() if point in values},
            "provisional": self.provisional & values.keys(),
            "assumed": self.assumed & values.keys(),
            "source": self.source,
        }
        return IndexSeries(**(kept | changes), values=values)

    def _runs(self) -> Iterator[list[IndexPoint]]:
        return (list(run) for _, run in groupby(self.values, key=lambda point: point.unit))

    def _counts(self, point: IndexPoint, day: date | None) -> bool:
        if day is None or point not in self.values:
            return point in self.values
        there = self.known.get(point)
        return point not in self.assumed if there is None else there <= day

    def _parts(self, given: AnyPoint, known_on: date | str | None) -> tuple[IndexPoint, ...]:
        point, day = IndexPoint.parse(given), _day(known_on)
        if self._counts(point, day):
            return (point,)
        # Changes of months follow each other, and have no mean (A152).
        for unit in () if self.kind == "monthly_change" else UNITS:
            parts = point.within(unit)
            if parts and all(self._counts(part, day) for part in parts):
                return parts
        raise self._missing(str(point), day)

    def _missing(self, at: str, day: date | None) -> MissingIndexError:
        known: dict[str, object] = {} if day is None else {"known_on": day}
        return MissingIndexError("missing_index", series=self.name, base=self.base, at=at, **known)

    def _refuse_changes(self) -> None:
        if self.kind != "level":
            said, expected = "has no base", "a series of levels"
            raise InvalidRecordError.of("kind", "not_levels", said, self.kind, expected)


def _day(given: date | str | None) -> date | None:
    return None if given is None else date.fromordinal(day_of(given, "known_on"))
