"""Path values: what index series say at a point on every path, and the change between two points.

Law: a value on a path is the one that the path's own series has there, and a change is the one
that `references` finds (A33, A41).
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from rentbilling.errors import RentBillingError
from rentbilling.indices import IndexSeries
from rentbilling.indices.points import UNITS, IndexPoint
from rentbilling.simulation.index_paths import IndexPaths
from rentbilling.simulation.ratios import ZERO, Ratios
from rentbilling.simulation.vector_rounding import Array, Mask
from rentbilling.terms.index_clause import IndexClause

_YEAR: Final = 12
_NEVER: Final = 10_000 * _YEAR
"""Number of a month after every date."""


class BeyondArraysError(RentBillingError):
    """What arrays do not do: the scalar engine does it, path by path. No caller meets it.

    Examples:
        >>> BeyondArraysError("listed_later").code
        'listed_later'
    """


class DivergedError(RentBillingError):
    """Paths that part: on some of them a rule goes on in another way than on the others."""

    def __init__(self, mask: Mask) -> None:
        super().__init__("diverged")
        self.mask = mask


def on_all(mask: Mask) -> bool:
    """Return whether something holds on all paths, or on none.

    Raises:
        DivergedError: It holds on some of them.

    Examples:
        >>> import numpy as np
        >>> on_all(np.array([True, True])), on_all(np.array([False]))
        (True, False)
    """
    if mask.all():
        return True
    if mask.any():
        raise DivergedError(mask)
    return False


class PathValues:
    """The series of all paths together: some of them simulated, the others the same on all."""

    __slots__ = ("_fixed", "_found", "_simulated", "count", "first_month", "pilot")

    def __init__(
        self, simulated: Mapping[str, IndexPaths], fixed: Mapping[str, IndexSeries]
    ) -> None:
        self._simulated = simulated
        self._fixed = fixed
        self.count = len(next(iter(simulated.values())))
        """How many paths there are."""
        self.pilot: Mapping[str, IndexSeries] = self.on_path(0)
        """All series of the first path."""
        self.first_month = min(
            (point.first_month for paths in simulated.values() for point in paths.points),
            default=_NEVER,
        )
        """Number of the month with the first simulated value."""
        self._found: dict[tuple[str, IndexPoint], Ratios] = {}

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the series."""
        return PathValues, (dict(self._simulated), dict(self._fixed))

    def on_path(self, at: int) -> Mapping[str, IndexSeries]:
        """Return all series of one path, by name."""
        series = {name: paths.series(at).named(name) for name, paths in self._simulated.items()}
        return MappingProxyType({**series, **self._fixed})

    def at(self, name: str, point: IndexPoint) -> Ratios:
        """Return the values at a point: stated, or the mean of the months or quarters in it.

        Raises:
            BeyondArraysError: One of them is missing.
        """
        found = self._found.get((name, point))
        if found is None:
            found = self._found[name, point] = self._value(name, point)
        return found

    def _value(self, name: str, point: IndexPoint) -> Ratios:
        """Return the values at a point, not seen before."""
        series = self.pilot[name]
        parts = self._parts(series, point)
        simulated = self._simulated.get(name)
        total = ZERO
        for part in parts:
            column = None if simulated is None else simulated.column(part)
            if simulated is None or column is None:
                total += Fraction(series.values[part])
            else:
                total += Ratios(column, 10**simulated.decimals)
        return total if len(parts) == 1 else total * Fraction(1, len(parts))

    @staticmethod
    def _parts(series: IndexSeries, point: IndexPoint) -> tuple[IndexPoint, ...]:
        """Return the stated points that a value is the mean of."""
        if point in series.values:
            return (point,)
        for unit in UNITS:
            parts = point.within(unit)
            if parts and all(part in series.values for part in parts):
                return parts
        raise BeyondArraysError("missing_index", series=series.name, at=str(point))


class PathChange:
    """How one rule compares two points, on some of the paths."""

    __slots__ = ("_clause", "_names", "_places", "_values")

    def __init__(
        self, name: str, clause: IndexClause, values: PathValues, places: Array | None
    ) -> None:
        self._clause = clause
        self._values = values
        self._places = places
        self._names = (name, *clause.lower_of)

    def between(
        self, to: IndexPoint, start: IndexPoint, *, stated: bool
    ) -> tuple[Ratios, Ratios | None]:
        """Return the change to a point from another one, and the same in points of the index."""
        change, points = self._of(self._names[0], to, start, stated=stated)
        for name in self._names[1:]:
            other, others = self._of(name, to, start, stated=stated)
            lower = other < change
            change = other.where(lower, change)
            if points is not None and others is not None:
                points = others.where(lower, points)
            else:
                points = None
        return change, points

    def compares_points(self) -> bool:
        """Return whether the change is that between two points, and no published one."""
        kind = self._values.pilot[self._names[0]].kind
        return kind == "level" and self._clause.mean_of_what == "values"

    def _of(
        self, name: str, to: IndexPoint, start: IndexPoint, *, stated: bool
    ) -> tuple[Ratios, Ratios | None]:
        clause = self._clause
        if self._values.pilot[name].kind == "change":
            factor = Ratios(1)
            for point in self._between(start, to):
                factor *= self._mean(name, point) + 1
            return factor - 1, None
        if clause.mean_of_what == "changes":
            total = ZERO
            for back in range(clause.mean_of):
                point = to.shifted(-back)
                total += self._at(name, point) / self._at(name, point.years_earlier(1)) - 1
            return total * Fraction(1, clause.mean_of), None
        after, before = self._mean(name, to), self._mean(name, start)
        if stated and clause.start_index is not None and start == clause.start_point:
            before = Ratios.of(Fraction(clause.start_index))
        moved = after - before
        return moved / before, moved

    def _between(self, start: IndexPoint, to: IndexPoint) -> Iterator[IndexPoint]:
        """Give the points of published changes, as `references` does."""
        step = max(1, self._clause.interval * to.per_year // _YEAR)
        point, points = to, [to]
        while start.unit == to.unit and point.number - step > start.number:
            point = point.shifted(-step)
            points.append(point)
        yield from reversed(points)

    def _mean(self, name: str, point: IndexPoint) -> Ratios:
        """Return the values at a point, averaged and rounded as the clause says."""
        clause = self._clause
        value = self._at(name, point)
        for back in range(1, clause.mean_of):
            value += self._at(name, point.shifted(-back))
        if clause.mean_of > 1:
            value *= Fraction(1, clause.mean_of)
        if clause.mean_decimals is not None:
            value = value.rounded(Fraction(1, 10**clause.mean_decimals), "half_up")
        return value

    def _at(self, name: str, point: IndexPoint) -> Ratios:
        """Return the values at a point, on these paths."""
        value = self._values.at(name, point)
        return value if self._places is None else value.only(self._places)
