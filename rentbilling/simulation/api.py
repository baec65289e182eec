"""Leases and index paths go in, the sums of the bills of every path come out.

Laws: every figure is the one that `bill_period` gives with the path's own series. Days, lines and
quantities are billed once for all paths, amounts are computed for all paths together. Cases that
arrays do not cover are billed path by path, in the same call.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from rentbilling.billing import BillingResult, bill_period
from rentbilling.errors import (
    CurrencyMismatchError,
    InvalidRecordError,
    check_progress,
    shown,
)
from rentbilling.indices import AnyIndices, IndexSeries, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.simulation.futures import Futures
from rentbilling.simulation.given_values import at_of
from rentbilling.simulation.index_paths import IndexPaths
from rentbilling.simulation.lease import LeasePaths
from rentbilling.simulation.ledger import Ledger
from rentbilling.simulation.values import PathValues
from rentbilling.terms import LeaseTerms, leases_of
from rentbilling.values import AnyPeriod, Period, minor_units, period_of

Progress = Callable[[int, int], object]
"""Called with how many paths of leases are done, and how many there are."""
_NO_CURRENCY: Final = ""
"""Of leases without items, which have nothing to sum."""


def simulate(
    terms: LeaseTerms | Iterable[LeaseTerms],
    paths: IndexPaths | Mapping[str, IndexPaths],
    period: AnyPeriod,
    *,
    policy: BillingPolicy | None = None,
    indices: AnyIndices = None,
    progress: Progress | None = None,
) -> Futures:
    """Return the rent adjustments and bills of a period on every path, exact to the minor unit.

    Args:
        terms: One lease, or several, which are summed on the same paths.
        paths: What the index may become; several by the names of their series, all with as many
            paths.
        period: The asked days, both ends included; thirty years too.
        policy: Every choice the interface leaves open.
        indices: Series that are the same on all paths.
        progress: Is called with how many paths of leases are done and how many there are.

    Returns:
        The futures: on path i what `bill_period(terms, period, indices=paths.series(i))` gives.

    Raises:
        InvalidInputError: The period is malformed, paths are not as many, or a name is used twice.
        CurrencyMismatchError: The leases have several currencies.
        MissingIndexError: An adjustment has no index value (A41).
        TypeError: `terms` is no lease, or `paths` no paths.

    Examples:
        >>> from decimal import Decimal
        >>> from rentbilling.testing import a_lease, a_plan, a_rent, an_index
        >>> lease = a_lease(a_rent(amount=10_000), plans=[a_plan(maximum="0.04")])
        >>> npi = an_index({"2025-10": "100.0", "2026-10": "103.0"})
        >>> paths = IndexPaths.of_array(npi, [[1060, 1060], [1081, 1102]], points=["2027-10",
        ...     "2028-10"])
        >>> futures = simulate(lease, paths, "2027-01-01/2028-12-31")
        >>> futures.yearly("gross").tolist()
        [[12360000, 12720000], [12360000, 12854400]]
        >>> futures.limited.tolist()
        [[False, False], [False, True]]
    """
    rules = policy_of(policy)
    asked = period_of(period, period_end=rules.period_end, by="simulate")
    check_progress(progress)
    leases = tuple(leases_of(terms, rules, "simulate"))
    values = PathValues(*_series(paths, indices))
    currency = _currency_of(leases)
    places = minor_units(currency, rules.currencies) if currency != _NO_CURRENCY else 2
    ledger = Ledger(asked, values.count, keeps_adjustments=len(leases) == 1)
    total, scalar = len(leases) * values.count, 0
    for at, lease in enumerate(leases):
        work = LeasePaths(lease, values, asked, rules, currency, places)
        report = None if progress is None else partial(_report, progress, at * values.count, total)
        scalar += work.enter(ledger, report)
        if progress is not None:
            progress((at + 1) * values.count, total)
    return Futures(
        period=asked,
        currency=currency,
        places=places,
        months=ledger.months,
        years=ledger.years,
        flows=ledger.flows(),
        rent=ledger.rent,
        limited=ledger.limited,
        adjustments=tuple(ledger.adjustments()),
        runs=(scalar, total),
        replay=partial(_replayed, leases, values, asked, rules),
    )


def _report(progress: Progress, before: int, total: int, done: int) -> None:
    progress(before + done, total)


def _replayed(
    leases: Sequence[LeaseTerms],
    values: PathValues,
    period: Period,
    policy: BillingPolicy,
    at: int,
    lease: int,
) -> BillingResult:
    one = leases[at_of("lease", lease, len(leases))]
    return bill_period(one, period, policy=policy, indices=values.on_path(at))


def _series(
    paths: object, indices: AnyIndices
) -> tuple[Mapping[str, IndexPaths], Mapping[str, IndexSeries]]:
    """Return the paths and the other series, both by name."""
    if isinstance(paths, IndexPaths):
        paths = {paths.name: paths}
    if not isinstance(paths, Mapping) or not paths:
        raise TypeError(f"simulate takes IndexPaths, or some by name, not {shown(paths)}")
    for each in paths.values():
        if not isinstance(each, IndexPaths):
            raise TypeError(f"simulate takes IndexPaths, or some by name, not {shown(each)}")
    counts = {name: len(each) for name, each in paths.items()}
    if len(set(counts.values())) > 1:
        said, expected = "are not as many for all series", "as many of each"
        raise InvalidRecordError.of("paths", "path_counts_differ", said, counts, expected)
    fixed = series_of(indices)
    for name in paths:
        if name in fixed:
            said, expected = "is simulated too", "another name, or no paths of it"
            raise InvalidRecordError.of(f"indices.{name}", "two_series", said, name, expected)
    return paths, fixed


def _currency_of(leases: Sequence[LeaseTerms]) -> str:
    found = {item.amount.currency for lease in leases for item in lease.recurring_bill_items}
    found |= {item.amount.currency for lease in leases for item in lease.one_time_bill_items}
    if len(found) > 1:
        said, expected = "have several currencies", "one currency"
        raise CurrencyMismatchError.of("terms", "currency_mismatch", said, sorted(found), expected)
    return found.pop() if found else _NO_CURRENCY
