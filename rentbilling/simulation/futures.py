"""The rent and the cash flow of every path, their quantiles and probabilities.

Laws: every figure is a whole number of minor units that some path really has; sums are exact.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

import numpy as np

from rentbilling.billing import BillingResult
from rentbilling.errors import UnknownWordError, check_word
from rentbilling.simulation.given_values import at_of, whole_of
from rentbilling.simulation.vector_rounding import Array, Mask
from rentbilling.tables import Column, Row, Tabular
from rentbilling.values import Period, YearMonth, decimal_of

Of = Literal["rent", "net", "vat", "gross", "payable"]
By = Literal["year", "month", "total"]
Rank = int | Decimal | Fraction

_QUANTILES: Final = (5, 25, 50, 75, 95)
_OF: Final[tuple[Of, ...]] = get_args(Of)
_BY: Final[tuple[By, ...]] = get_args(By)
_PERCENT: Final = 100


@dataclass(frozen=True, slots=True, eq=False)
class PathAdjustment:
    """One rent adjustment of one item on all paths."""

    adjusted_on: date
    item_id: str
    plan_id: str
    before: Array
    """Amount of a billing period before, in minor units; int64 of the shape (paths,)."""
    after: Array
    """The same after; what it was where nothing was adjusted."""
    made: Mask
    """On which paths there is an adjustment."""
    limited: Mask
    """On which of them a minimum or a maximum was reached."""


class Futures(Tabular):
    """What a simulation found: arrays of minor units, one row for each path.

    `net`, `vat`, `gross` and `payable` are int64 of the shape (paths, months), by the month in
    which bills fall due; `months` names the columns. Their yearly sums have the shape
    (paths, years); `years` names those. With `select="accounting_period"` both may begin before
    the asked days and end after them, so that every bill is in them. All are in minor units of
    `currency`, 10 ** `places` of which make one of its main unit.
    """

    __slots__ = (
        "_cash",
        "_net",
        "_rent",
        "_replay",
        "_runs",
        "_vat",
        "adjustments",
        "currency",
        "limited",
        "months",
        "period",
        "places",
        "scalar_runs",
        "years",
    )

    def __init__(
        self,
        *,
        period: Period,
        currency: str,
        places: int,
        months: Sequence[YearMonth],
        years: Sequence[int],
        flows: tuple[Array, Array, Array],
        rent: Array,
        limited: Mask,
        adjustments: Sequence[PathAdjustment],
        runs: tuple[int, int],
        replay: Callable[[int, int], BillingResult],
    ) -> None:
        """Build the result; `simulate` does.

        Flows are net, VAT and cash rounding, a row for each month; rent and limits have a row for
        each year. Runs are those of the scalar engine, and all paths of all leases.
        """
        self.period = period
        self.currency = currency
        self.places = places
        self.months = tuple(months)
        """Months of the columns, by due date."""
        self.years = tuple(years)
        """Years of the yearly columns."""
        self.limited: Mask = limited.T
        """Where a minimum or a maximum was reached in a year; bool of the shape (paths, years)."""
        self.adjustments = tuple(adjustments)
        """The adjustments of the period in order of days, where a single lease was simulated."""
        self._net, self._vat, self._cash = flows
        self._rent = rent
        self.scalar_runs, self._runs = runs
        self._replay = replay

    @property
    def scalar_share(self) -> Fraction:
        """Which part of all paths of all leases went through the scalar engine."""
        return Fraction(self.scalar_runs, self._runs) if self._runs else Fraction(0)

    @property
    def rent(self) -> Array:
        """The yearly rent in force on the last day asked of each year, shape (paths, years).

        It is what items of the product `key:rent` cost, in their own tax mode and before
        discounts, times their billing periods of a year (A38); 0 before an item's opening period
        and after its end, and in a year of which no day is asked.
        """
        return self._rent.T

    @property
    def net(self) -> Array:
        """Subtotals of the bills that fall due, shape (paths, months)."""
        return self._net.T

    @property
    def vat(self) -> Array:
        """VAT of the bills that fall due, shape (paths, months)."""
        return self._vat.T

    @property
    def gross(self) -> Array:
        """Totals of the bills that fall due, shape (paths, months)."""
        found: Array = self._net + self._vat
        return found.T

    @property
    def payable(self) -> Array:
        """Totals with cash rounding, shape (paths, months)."""
        found: Array = self._net + self._vat + self._cash
        return found.T

    def yearly(self, of: Of = "gross") -> Array:
        """Return sums by year of due date, or the rent in force, shape (paths, years).

        Raises:
            UnknownWordError: It is no word of `of`.
        """
        check_word("of", of, _OF)
        if of == "rent":
            return self.rent
        flows: Array = getattr(self, of).T
        rows = [
            flows[[at for at, month in enumerate(self.months) if month.year == year]].sum(axis=0)
            for year in self.years
        ]
        return np.stack(rows, axis=1) if rows else np.zeros((len(self), 0), dtype=np.int64)

    def figures(self, of: Of = "gross", by: By = "year") -> Array:
        """Return figures by year, by month, or in total, shape (paths, columns).

        Raises:
            UnknownWordError: A word is unknown; the rent in force has no months and no total.
        """
        check_word("of", of, _OF)
        check_word("by", by, ("year",) if of == "rent" else _BY)
        if by == "month":
            found: Array = getattr(self, of)
            return found
        yearly = self.yearly(of)
        return yearly if by == "year" else yearly.sum(axis=1)[:, None]

    def quantiles(
        self, q: Iterable[Rank] = _QUANTILES, *, of: Of = "gross", by: By = "year"
    ) -> Array:
        """Return quantiles by nearest rank: figures that some path has, nothing in between.

        The quantile of q percent of n paths is the figure in place ⌈q × n / 100⌉ of the figures in
        order, the first one for 0.

        Args:
            q: Percent, from 0 to 100.
            of: `rent`, `net`, `vat`, `gross` or `payable`.
            by: `year`, `month` or `total`.

        Returns:
            Minor units, int64 of the shape (quantiles, columns).

        Raises:
            UnknownWordError: A word is unknown, or a percentage is none.
        """
        values = np.sort(self.figures(of, by), axis=0)
        places = [_place(each, len(values)) for each in _ranks(q)]
        found: Array = values[places]
        return found

    def probability(
        self, holds: Callable[[Array], Mask], *, of: Of = "gross", by: By = "year"
    ) -> tuple[Fraction, ...]:
        """Return on which part of the paths something holds, for each column.

        Args:
            holds: Takes the figures, in minor units, and gives a mask of the same shape.
            of: As `quantiles` has it.
            by: As `quantiles` has it.

        Returns:
            A fraction for each column.
        """
        mask = holds(self.figures(of, by))
        return tuple(Fraction(int(each), len(self)) for each in mask.sum(axis=0))

    def rows(
        self, q: Iterable[Rank] = _QUANTILES, *, of: Of = "gross", by: By = "year"
    ) -> list[Row]:
        """Return the quantiles as rows: the year or month, the currency, and `q5`, `q50` and so on.

        Amounts are `Decimal`, in the main unit of the currency. A rent has rows of the asked years.
        """
        ranks = _ranks(q)
        found = self.quantiles(ranks, of=of, by=by)
        asked = range(self.period.start.year, self.period.end.year + 1)
        names: Mapping[str, tuple[object, ...]] = MappingProxyType(
            {"year": self.years, "month": tuple(map(str, self.months)), "total": (self.period,)}
        )
        return [
            {
                by: name,
                "of": of,
                "currency": self.currency,
                **{
                    f"q{rank}": decimal_of(int(found[at, column]), self.places)
                    for at, rank in enumerate(ranks)
                },
            }
            for column, name in enumerate(names[by])
            if of != "rent" or name in asked
        ]

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of its rows: years, and the quantiles of the gross."""
        quantiles = (Column(f"q{rank}", "money") for rank in _QUANTILES)
        return (Column("year", "whole"), Column("of"), Column("currency"), *quantiles)

    def path(self, at: int, lease: int = 0) -> BillingResult:
        """Return the bills and adjustments of one path of one lease, by the scalar engine.

        Raises:
            MissingFactError: There is no such path or lease.
        """
        return self._replay(at_of("path", at, len(self)), lease)

    def __len__(self) -> int:
        return int(self._net.shape[1])

    def __repr__(self) -> str:
        """Return what a reader looks for first."""
        return f"<Futures {len(self)} paths, {self.period}, {self.currency}>"


def _ranks(q: object) -> tuple[Any, ...]:
    """Return the percentages of quantiles, whole numbers of numpy as plain ones."""
    if isinstance(q, str) or not isinstance(q, Iterable):
        expected = "several percentages, such as (5, 50, 95)"
        raise UnknownWordError.of("q", "not_a_list", "is not a list", q, expected)
    return tuple(each if (whole := whole_of(each)) is None else whole for each in q)


def _place(rank: object, count: int) -> int:
    """Return the place of a quantile among so many figures in order, from 0."""
    if (
        not isinstance(rank, (int, Decimal, Fraction))
        or isinstance(rank, bool)
        or (isinstance(rank, Decimal) and rank.is_nan())
        or not 0 <= rank <= _PERCENT
    ):
        expected = "whole or exact percents from 0 to 100"
        raise UnknownWordError.of("q", "out_of_range", "is no percentage", rank, expected)
    return max(0, -int(-(Fraction(rank) * count) // _PERCENT) - 1)
