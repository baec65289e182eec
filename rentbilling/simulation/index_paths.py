"""Index paths: what an index may become, as so many series that share their published values.

Laws: simulated values are whole numbers of the series' last published decimal, so that each path is
a series as an office could publish it; they are marked as assumed; a model gives the same paths
for the same seed on any machine.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, Self

import numpy as np

from rentbilling.errors import InvalidRecordError
from rentbilling.indices import AnyPoint, IndexPoint, IndexSeries
from rentbilling.simulation import models
from rentbilling.simulation.given_values import (
    at_of,
    points_of,
    refuse_values,
    table_of,
    whole_numbers,
)
from rentbilling.simulation.vector_rounding import Array
from rentbilling.values import Length, decimal_of

_NO_PARAMETERS: Final[Mapping[str, Decimal]] = MappingProxyType({})


class IndexPaths:
    """A published series, and on each of many paths the values that may follow.

    `values` has the shape (paths, points) and the type int64, in units of the last published
    decimal: 1048 means 104.8. Its columns are the `points`.

    Examples:
        >>> npi = IndexSeries("NPI", {"2024-10": "118.0", "2025-10": "120.4"})
        >>> paths = IndexPaths.of_array(npi, [[1225, 1250], [1204, 1190]], points=["2026", "2027"])
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: points[0]: is no month (met '2026'; expected points \
of the series' own units)
        >>> points = ["2026-10", "2027-10"]
        >>> paths = IndexPaths.of_array(npi, [[1225, 1250], [1204, 1190]], points=points)
        >>> paths
        <IndexPaths NPI, 2 paths of 2 points 2026-10 to 2027-10>
        >>> str(paths.series(1).values[IndexPoint.parse("2027-10")])
        '119.0'
    """

    __slots__ = ("_columns", "_places", "parameters", "points", "published")

    def __init__(
        self,
        published: IndexSeries,
        points: tuple[IndexPoint, ...],
        columns: Array,
        parameters: Mapping[str, Decimal] = _NO_PARAMETERS,
    ) -> None:
        """Keep what was checked; make paths by `of_array`, `constant`, `bootstrap` or `ar1`.

        Args:
            published: The series.
            points: The points of the simulated values.
            columns: The values, a row for each point.
            parameters: What a model was run with.

        Raises:
            InvalidRecordError: The series has changes of a month (A152).
        """
        if published.kind == "monthly_change":
            said, expected = "has no paths", "levels, or changes of a year"
            raise InvalidRecordError.of("series", "not_levels", said, published, expected)
        columns.flags.writeable = False
        self._columns = columns
        self._places = MappingProxyType({point: at for at, point in enumerate(points)})
        self.published = published
        """The series whose values all paths share."""
        self.points = points
        """The points of the simulated values: months, then quarters, then years, each in order."""
        self.parameters = MappingProxyType(dict(parameters))
        """What a model was run with, stated or estimated, by name; fractions of a change."""

    # -------------------------------------------------------------------------------- making

    @classmethod
    def of_array(
        cls,
        series: IndexSeries,
        values: Any,  # noqa: ANN401 - whatever numpy reads as an array
        *,
        points: Iterable[AnyPoint],
    ) -> Self:
        """Return paths of values that the caller has.

        Args:
            series: The published series.
            values: One row for each path, one column for each point. Whole numbers are in units of
                the last published decimal. `Decimal` values are values of the index, rounded half
                up to the published decimals. A binary number counts as the shortest decimal that
                it prints as, and is rounded alike.
            points: Points after the last published one of their unit: one for each column.

        Raises:
            InvalidRecordError: The shape is another one, or a point is not to come.
            InvalidAmountError: A value is no number, too long, or a level that is not above 0.

        Examples:
            >>> cpi = IndexSeries("CPI", {"2025": "100.0"})
            >>> own = [[Decimal("102.25")], [Decimal("99.94")]]
            >>> IndexPaths.of_array(cpi, own, points=["2026"]).values.tolist()
            [[1023], [999]]
        """
        known = points_of(series, points)
        whole = whole_numbers(table_of(values, len(known)), series.decimals)
        refuse_values(series, whole)
        order = sorted(
            range(len(known)), key=lambda at: (known[at].per_year * -1, known[at].number)
        )
        columns = np.ascontiguousarray(whole.T[order])
        return cls(series, tuple(known[at] for at in order), columns)

    @classmethod
    def constant(
        cls,
        series: IndexSeries,
        rate: Decimal | int | Mapping[int, Decimal | int],
        *,
        until: AnyPoint,
        paths: int = 1,
    ) -> Self:
        """Return paths that all grow by one rate a year, as `IndexSeries.extended` does.

        Args:
            series: The published series.
            rate: A fraction, or one for each calendar year.
            until: The last point.
            paths: How many.

        Returns:
            Paths that are all alike; values are rounded to the published decimals.

        Raises:
            InvalidInputError: A rate is missing or out of range.

        Examples:
            >>> cpi = IndexSeries("CPI", {"2025": "100.0"})
            >>> IndexPaths.constant(cpi, Decimal("0.02"), until="2027").values.tolist()
            [[1020, 1040]]
        """
        count = models.count_of(paths)
        decimals = series.decimals
        longer = series.extended(rate, until, decimals)
        points = tuple(point for point in longer.values if point not in series.values)
        row = [int(longer.values[point].scaleb(decimals)) for point in points]
        columns = np.repeat(np.asarray(row, dtype=np.int64)[:, None], count, axis=1)
        return cls(series, points, columns)

    @classmethod
    def bootstrap(
        cls,
        series: IndexSeries,
        *,
        until: AnyPoint,
        paths: int,
        seed: int,
        block_months: int | Length = 12,
    ) -> Self:
        """Return paths of changes that were published, drawn by blocks with replacement.

        A series without holes is drawn by its changes from point to point, in blocks that begin at
        the same part of the year as what they continue, so that seasons stay in their place; one
        with holes, such as a series of Octobers, by its changes from year to year.

        Args:
            series: The published series, levels.
            until: The last point.
            paths: How many.
            seed: A whole number; the same one gives the same paths on any machine.
            block_months: Length of a block.

        Raises:
            InvalidRecordError: The series has no changes to draw from, or an argument is no count.

        Examples:
            >>> flat = IndexSeries("CPI", {"2023": "100.0", "2024": "102.0", "2025": "104.0"})
            >>> drawn = IndexPaths.bootstrap(flat, until="2027", paths=3, seed=7)
            >>> drawn.values.tolist()
            [[1060, 1082], [1060, 1082], [1060, 1081]]
        """
        run = models.run_of(series, until)
        columns = models.bootstrapped(run, models.count_of(paths), seed, block_months)
        return cls(series, run.points, columns)

    @classmethod
    def ar1(
        cls,
        series: IndexSeries,
        *,
        until: AnyPoint,
        paths: int,
        seed: int,
        mean: Decimal | None = None,
        persistence: Decimal | None = None,
        spread: Decimal | None = None,
    ) -> Self:
        """Return paths whose changes go back to a mean: an autoregression of order one.

        Each change is mean + persistence × (the change before − mean) + spread × a draw that is
        nearly normal: the sum of twelve uniform draws of 32 bits less six (Irwin-Hall), which needs
        whole numbers only. Changes are those from point to point of a series without holes, else
        from year to year.

        Args:
            series: The published series, levels.
            until: The last point.
            paths: How many.
            seed: A whole number; the same one gives the same paths on any machine.
            mean: Mean change as a fraction; estimated from the history where absent.
            persistence: Between −1 and 1; estimated by least squares where absent.
            spread: Standard deviation of what is new; estimated where absent.

        Returns:
            The paths; their `parameters` say what was stated or estimated.

        Raises:
            InvalidRecordError: The history is too short, or a parameter is out of range.

        Examples:
            >>> cpi = IndexSeries("CPI", {"2023": "100.0", "2024": "102.0", "2025": "104.0"})
            >>> paths = IndexPaths.ar1(cpi, until="2026", paths=2, seed=7, mean=Decimal("0.02"),
            ...     persistence=Decimal(0), spread=Decimal(0))
            >>> paths.values.tolist(), paths.parameters["mean"]
            ([[1061], [1061]], Decimal('0.020000000'))
        """
        run = models.run_of(series, until)
        known = models.autoregression(run, mean, persistence, spread)
        columns = models.autoregressed(run, known, models.count_of(paths), seed)
        return cls(series, run.points, columns, known.shown())

    # ------------------------------------------------------------------------------- reading

    @property
    def name(self) -> str:
        """Name of the series."""
        return self.published.name

    @property
    def base(self) -> str | None:
        """Base of the series."""
        return self.published.base

    @property
    def decimals(self) -> int:
        """Decimals of the values."""
        return self.published.decimals

    @property
    def values(self) -> Array:
        """The simulated values, int64 of the shape (paths, points); read only."""
        return self._columns.T

    def column(self, point: IndexPoint) -> Array | None:
        """Return the simulated values of a point, None where they are published or missing."""
        at = self._places.get(point)
        return None if at is None else self._columns[at]

    def series(self, at: int) -> IndexSeries:
        """Return one path as a series; its simulated values are marked as assumed.

        Raises:
            MissingFactError: There is no such path.
        """
        place = at_of("path", at, len(self))
        old, decimals = self.published, self.decimals
        drawn = {
            point: decimal_of(int(self._columns[row, place]), decimals)
            for row, point in enumerate(self.points)
        }
        return IndexSeries(
            old.name,
            {**old.values, **drawn},
            base=old.base,
            kind=old.kind,
            known=old.known,
            provisional=old.provisional,
            assumed=[*old.assumed, *drawn],
            source=old.source,
        )

    def __len__(self) -> int:
        return int(self._columns.shape[1])

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the parts."""
        return IndexPaths, (self.published, self.points, self._columns, dict(self.parameters))

    def __repr__(self) -> str:
        """Return what a reader looks for first."""
        there = f" {self.points[0]} to {self.points[-1]}" if self.points else ""
        count, points = len(self), len(self.points)
        return f"<IndexPaths {self.name}, {count} paths of {points} points{there}>"
