"""The values of index series on every path.

Law: a value on a path is the one that the path's own series has there (A41).
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from rentbilling.errors import RentBillingError
from rentbilling.indices import UNITS, IndexPoint, IndexSeries
from rentbilling.simulation.index_paths import IndexPaths
from rentbilling.simulation.ratios import Ratios
from rentbilling.simulation.vector_rounding import Array, Whole, largest
from rentbilling.values import MONTHS_PER_YEAR, TOO_LARGE

_NEVER: Final = 10_000 * MONTHS_PER_YEAR
"""Number of a month after every date."""


class BeyondArraysError(RentBillingError):
    """A case that arrays do not cover: the scalar engine bills each path. Never reaches a caller.

    Examples:
        >>> BeyondArraysError("listed_later").code
        'listed_later'
    """


def refuse_too_large(*amounts: Whole) -> None:
    """Refuse amounts of more digits than JSON readers preserve (A1), which the scalar engine does.

    Raises:
        BeyondArraysError: There is one.
    """
    if any(largest(each) >= TOO_LARGE for each in amounts):
        raise BeyondArraysError("amount_too_large")


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
        self._found: dict[tuple[str, IndexPoint], Ratios | Fraction] = {}

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the series."""
        return PathValues, (dict(self._simulated), dict(self._fixed))

    def on_path(self, at: int) -> Mapping[str, IndexSeries]:
        """Return all series of one path, by name."""
        series = {name: paths.series(at).named(name) for name, paths in self._simulated.items()}
        return MappingProxyType({**series, **self._fixed})

    def value_at(self, places: Array | None) -> Callable[[IndexSeries, IndexPoint], Any]:
        """Return what finds the values of a series on some of the paths, None for all of them."""

        def found(series: IndexSeries, point: IndexPoint) -> Ratios | Fraction:
            value = self.at(series.name, point)
            return value if places is None or isinstance(value, Fraction) else value.only(places)

        return found

    def at(self, name: str, point: IndexPoint) -> Ratios | Fraction:
        """Return the values at a point: stated, or the mean of the months or quarters in it.

        A value that is not simulated is one fraction for all paths.

        Raises:
            BeyondArraysError: One of them is missing.
        """
        found = self._found.get((name, point))
        if found is None:
            found = self._found[name, point] = self._value(name, point)
        return found

    def _value(self, name: str, point: IndexPoint) -> Ratios | Fraction:
        series = self.pilot[name]
        parts = self._parts(series, point)
        simulated = self._simulated.get(name)
        total: Ratios | Fraction = Fraction(0)
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
