"""The leases that a report is about: of files with one each, or of tables with many.

Law: many leases are read in batches, and never all at once.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import click

from rentbilling.adapters.cli.input.arguments import (
    mapping_in,
    period_in,
    policy_in,
    refuse_second_reader,
)
from rentbilling.adapters.cli.input.bill_files import earlier_bills
from rentbilling.adapters.cli.input.databases import extras
from rentbilling.adapters.cli.input.index_files import (
    assumed,
    assumed_rate_in,
    indices_in,
    naming_options,
)
from rentbilling.adapters.cli.streams import Refusal, in_the_shell, read_bytes, refusing
from rentbilling.billing import BillingResult, pending_bills
from rentbilling.codec import loads
from rentbilling.errors import InvalidInputError, InvalidRecordError, RentBillingError
from rentbilling.indices import IndexSeries
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.records import read_json
from rentbilling.terms import LeaseTerms, leases_of, reading_context
from rentbilling.values import Notice, Period

T = TypeVar("T")

_OF_MANY: Final = (".parquet", ".pq", ".arrow", ".feather", ".ipc")
_AT_ONCE: Final = 4096
_OF_A_LEASE: Final = ("leaseId", "recurringBillItems")
"""An object with any of these fields is no item."""


class LeaseProblem(NamedTuple):
    """Why a lease is not in a report."""

    lease_id: str | None
    problem: str
    hints: tuple[str, ...] = ()


class ReportedLeases(NamedTuple):
    """Leases of files, read as they are asked for, with what they are billed by."""

    files: Sequence[str]
    map_file: str | None
    policy: BillingPolicy | None
    series: tuple[IndexSeries, ...]
    rate: Decimal | None
    notices: list[Notice]
    """Those of the bills so far."""
    are_bills: bool
    """Whether the files have bills, and no leases."""
    problems: list[LeaseProblem]
    """Those of the leases so far that cannot be read or reported."""

    def indices(self, year: int) -> tuple[IndexSeries, ...]:
        """Return the series, which go on to a year where a rate is assumed."""
        return assumed(self.series, self.rate, year)

    def leases(self) -> Iterator[LeaseTerms]:
        """Give the leases of all files that can be read, in order, and note those that cannot.

        Raises:
            Refusal: A file cannot be read, or the one lease in it.
        """
        for name in self.files:
            many = Path(name).suffix.lower() in _OF_MANY or Path(name).is_dir()
            if many or self.map_file is not None:
                yield from self._of_many(name)
            else:
                yield from self._of_json(name)

    def each(self, compute: Callable[[LeaseTerms], T]) -> Iterator[T]:
        """Give what each lease comes to, and note those of which it cannot be computed."""
        for lease in self.leases():
            try:
                with naming_options(self.series, self.rate, "the time after it"):
                    found = compute(lease)
            except RentBillingError as error:
                said = in_the_shell(str(error))
                hints = tuple(getattr(error, "__notes__", ()))
                self.problems.append(LeaseProblem(lease.lease_id, said, hints))
            else:
                yield found

    def period(self, asked: str) -> Period:
        """Return the period of the command line."""
        return period_in(asked, self.policy)

    def bills(self, asked: str, *, of_days: bool = False) -> Iterator[BillingResult]:
        """Give the bills of each lease in a period, and take down their notices.

        `of_days`: lines count that pay for days of the period, whenever they are due.
        """
        period = self.period(asked)
        if self.are_bills:
            for name in self.files:
                given = earlier_bills(name, self.policy).bills
                yield BillingResult([each for each in given if of_days or each.due_date in period])
            return

        def billed(lease: LeaseTerms) -> BillingResult:
            days, rules = period, policy_of(self.policy)
            if of_days:
                due = self._due_for(lease, period)
                if due is None:
                    return BillingResult(())
                days, rules = due, rules.evolve(select="due_date")
            return pending_bills(lease, days, policy=rules, indices=self.indices(days.end.year))

        for found in self.each(billed):
            self.notices.extend(found.notices)
            yield found

    def _due_for(self, lease: LeaseTerms, period: Period) -> Period | None:
        """Return in which days bills with lines for days of a period fall due, None without any.

        They are billed whole, because the VAT of a line is its share of that of its bill (A29).
        """
        rules = policy_of(self.policy).evolve(select="accounting_period")
        # Lines that began before the period may reach into it.
        start = min([period.start, *_starts(lease)])
        started = Period(start, period.end)
        found = pending_bills(lease, started, policy=rules, indices=self.indices(period.end.year))
        dues = [
            bill.due
            for bill in found
            if any(
                first <= period.last and period.first <= last for _, first, last in bill.raw_lines
            )
        ]
        return Period.unchecked(min(dues), max(dues)) if dues else None

    def _of_json(self, name: str) -> Iterator[LeaseTerms]:
        """Give the lease of a file, or those of a list; a list of items is one lease."""
        given = read_bytes(name)
        with refusing(name):
            data = read_json(given)
            if not (isinstance(data, list) and any(_is_lease(each) for each in data)):
                yield loads(given, LeaseTerms, policy=self.policy)
                return
            for at, each in enumerate(data):
                with self._noting(each, at):
                    yield from leases_of([each], policy_of(self.policy), "report")

    @contextmanager
    def _noting(self, lease: object, at: int) -> Generator[None]:
        """Note why a lease of many cannot be read."""
        try:
            yield
        except InvalidInputError as error:
            data = lease if isinstance(lease, dict) else {}
            found = data.get("leaseId", data.get("lease_id"))
            lease_id = found if isinstance(found, str) else None
            for each in error.within("[0]").under(f"[{at}]").problems:
                self.problems.append(LeaseProblem(lease_id, str(each)))

    def _of_many(self, name: str) -> Iterator[LeaseTerms]:
        """Give the leases of columns, or of a mapped table."""
        with extras():
            from rentbilling.portfolio.arrow.schema_checks import check_schema
            from rentbilling.portfolio.leases.batches import payloads
            from rentbilling.portfolio.leases.problems import UnreadLease
            from rentbilling.portfolio.leases.sources import source_of
        context = reading_context(policy_of(self.policy), exact_texts=True)
        source: Any = name
        row = 0
        mapping = mapping_in(self.map_file)
        if mapping is not None:
            source = mapping.leases(name)
        try:
            with refusing(name):
                for batch in source_of(source, _AT_ONCE, self.policy).batches:
                    leases = batch
                    if not isinstance(batch, Sequence):
                        check_schema(batch.schema, "refuse")
                        leases = payloads(batch, context)
                    for each in leases:
                        if isinstance(each, LeaseTerms):
                            yield each
                        elif isinstance(each, UnreadLease):
                            self.problems.append(LeaseProblem(each.lease_id, str(each.error)))
                        else:
                            with self._noting(each, row):
                                yield LeaseTerms.model_validate(each, context=context)
                        row += 1
        except OSError as error:
            raise Refusal.of_system(name, error) from None


def _is_lease(data: object) -> bool:
    return isinstance(data, dict) and not data.keys().isdisjoint(_OF_A_LEASE)


def _starts(lease: LeaseTerms) -> Iterator[date]:
    for item in lease.recurring_bill_items:
        yield item.first_billing_period_bill_item.accounting_period.start
    for once in lease.one_time_bill_items:
        yield once.accounting_period.start


@contextmanager
def reported_leases(given: dict[str, Any], *more: str | None) -> Generator[ReportedLeases]:
    """Give the leases of a report, and refuse by its name what is wrong with one.

    Raises:
        Refusal: A file cannot be read, or a lease or its bills are refused.
    """
    files, series_files, are_bills = given["files"], given["index_files"], given.get("are_bills")
    idle = {"--map": given["map_file"], "--indices": series_files}
    for name in [name for name, value in idle.items() if value and are_bills]:
        raise click.UsageError(f"{name} has no effect with --bills.")
    refuse_second_reader((*files, *more, given["map_file"], given["policy_file"], *series_files))
    rate, policy = assumed_rate_in(given["assumed_rate"]), policy_in(given["policy_file"])
    series = tuple(indices_in(series_files))
    with refusing(*files):
        yield ReportedLeases(
            files, given["map_file"], policy, series, rate, [], bool(are_bills), []
        )


def units_in(name: str | None) -> list[Any]:
    if name is None:
        return []
    given = read_bytes(name)
    with refusing(name):
        data = read_json(given)
        if not isinstance(data, list):
            said, expected = "is not a list", "a list of objects with leaseId, unit, tenant, area"
            raise InvalidRecordError.of("", "not_a_list", said, data, expected)
        return data
