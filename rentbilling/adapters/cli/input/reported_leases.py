"""The leases that a report is about: of files with one each, or of tables with many.

Law: many leases are read in batches, and never all at once.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, NamedTuple

from rentbilling.adapters.cli.input.arguments import (
    mapping_in,
    period_in,
    policy_in,
    refuse_second_reader,
)
from rentbilling.adapters.cli.input.databases import extras
from rentbilling.adapters.cli.input.index_files import (
    assumed,
    assumed_rate_in,
    indices_in,
    naming_options,
)
from rentbilling.adapters.cli.streams import Refusal, read_bytes, refusing
from rentbilling.billing import BillingResult, pending_bills
from rentbilling.codec import loads
from rentbilling.errors import InvalidRecordError, RentBillingError
from rentbilling.indices import IndexSeries
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.records import read_json
from rentbilling.terms import LeaseTerms, leases_of
from rentbilling.values import Notice

_OF_MANY: Final = (".parquet", ".pq", ".arrow", ".feather", ".ipc")
_AT_ONCE: Final = 4096
_OF_A_LEASE: Final = ("leaseId", "recurringBillItems")
"""An object with any of these fields is no item."""


class ReportedLeases(NamedTuple):
    """Leases of files, read as they are asked for, with what they are billed by."""

    files: Sequence[str]
    map_file: str | None
    policy: BillingPolicy | None
    series: tuple[IndexSeries, ...]
    rate: Decimal | None
    notices: list[Notice]
    """Those of the bills so far."""

    def indices(self, year: int) -> tuple[IndexSeries, ...]:
        """Return the series, which go on to a year where a rate is assumed."""
        return assumed(self.series, self.rate, year)

    def leases(self) -> Iterator[LeaseTerms]:
        """Give the leases of all files, in order.

        Raises:
            Refusal: A file cannot be read, or a lease in it.
        """
        for name in self.files:
            if self.map_file is not None:
                yield from self._mapped(name)
            elif Path(name).suffix.lower() in _OF_MANY or Path(name).is_dir():
                yield from self._of_columns(name)
            else:
                yield from self._of_json(name)

    def bills(self, asked: str) -> Iterator[BillingResult]:
        """Give the bills of each lease in a period, and take down their notices."""
        period = period_in(asked, self.policy)
        indices = self.indices(period.end.year)
        for lease in self.leases():
            with naming_lease(lease):
                found = pending_bills(lease, period, policy=self.policy, indices=indices)
            self.notices.extend(found.notices)
            yield found

    def _of_json(self, name: str) -> Iterator[LeaseTerms]:
        """Give the lease of a file, or those of a list; a list of items is one lease."""
        given = read_bytes(name)
        with refusing(name):
            data = read_json(given)
            if isinstance(data, list) and any(_is_lease(each) for each in data):
                yield from leases_of(data, policy_of(self.policy), "report")
            else:
                yield loads(given, LeaseTerms, policy=self.policy)

    def _of_columns(self, name: str) -> Iterator[LeaseTerms]:
        with extras():
            from rentbilling.portfolio import leases_from_arrow
            from rentbilling.portfolio.leases.sources import source_of
        try:
            with refusing(name):
                for batch in source_of(name, _AT_ONCE).batches:
                    yield from leases_from_arrow(batch, policy=self.policy)
        except OSError as error:
            raise Refusal(name, [error.strerror or str(error)]) from None

    def _mapped(self, name: str) -> Iterator[LeaseTerms]:
        mapping = mapping_in(self.map_file)
        try:
            with refusing(name):
                yield from () if mapping is None else mapping.leases(name)
        except OSError as error:
            raise Refusal(name, [error.strerror or str(error)]) from None


def _is_lease(data: object) -> bool:
    return isinstance(data, dict) and not data.keys().isdisjoint(_OF_A_LEASE)


@contextmanager
def naming_lease(lease: LeaseTerms) -> Generator[None]:
    """Add to an error of the library which lease it is about."""
    try:
        yield
    except RentBillingError as error:
        error.add_note(f"lease {lease.lease_id}")
        raise


@contextmanager
def reported_leases(given: dict[str, Any], *more: str | None) -> Generator[ReportedLeases]:
    """Give the leases of a report, and refuse by its name what is wrong with one.

    Raises:
        Refusal: A file cannot be read, or a lease or its bills are refused.
    """
    files, series_files = given["files"], given["index_files"]
    refuse_second_reader((*files, *more, given["map_file"], given["policy_file"], *series_files))
    rate, policy = assumed_rate_in(given["assumed_rate"]), policy_in(given["policy_file"])
    series = tuple(indices_in(series_files))
    with refusing(*files), naming_options(series, rate, "the time after it"):
        yield ReportedLeases(files, given["map_file"], policy, series, rate, [])


def units_in(name: str | None) -> list[Any]:
    """Return the units of a file.

    Raises:
        Refusal: It cannot be read, or is no list.
    """
    if name is None:
        return []
    given = read_bytes(name)
    with refusing(name):
        data = read_json(given)
        if not isinstance(data, list):
            said, expected = "is not a list", "a list of objects with leaseId, unit, tenant, area"
            raise InvalidRecordError.of("", "not_a_list", said, data, expected)
        return data
