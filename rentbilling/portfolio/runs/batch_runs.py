"""Batch runs: many leases and a period go in, batches of bills come out.

Laws: a figure is the one that `bill_period` gives for the lease alone, whichever engine made it;
results are in the order of the leases; a lease that cannot be billed stops no other, and none is
lost; memory grows with the size of a batch, not with the number of leases.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import date
from itertools import chain
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.billing import BillingResult, bill_period
from rentbilling.errors import InvalidInputError, InvalidRecordError
from rentbilling.indices import AnyIndices, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.arrow.arrays import Mask, days_of, list_lengths
from rentbilling.portfolio.arrow.column_types import (
    ADJUSTMENT_SCHEMA,
    BILL_SCHEMA,
    LINE_SCHEMA,
    NOTICE_SCHEMA,
    PROBLEM_SCHEMA,
    ROW,
    functions,
)
from rentbilling.portfolio.arrow.joined_batches import joined, numbered
from rentbilling.portfolio.arrow.schema_checks import ExtraColumns, without_absent
from rentbilling.portfolio.kernel.corrections import EarlierRows, bill_with_earlier
from rentbilling.portfolio.kernel.writing import KernelBatch, bill_batch
from rentbilling.portfolio.leases.batches import LeaseForm
from rentbilling.portfolio.leases.ids import LeaseIds, of_one_lease_each, short_fingerprints
from rentbilling.portfolio.leases.problems import (
    OF_A_LEASE,
    OnProblem,
    problem_batch,
    refuse_unknown_words,
)
from rentbilling.portfolio.leases.sources import reader_of
from rentbilling.portfolio.runs.bill_batches import (
    BillRows,
    in_order,
    lines_of_bills,
    made_batch,
    refuse_too_wide,
    with_row_numbers,
)
from rentbilling.portfolio.runs.collected import BatchLeases, Collected
from rentbilling.portfolio.runs.earlier_bills import EarlierBills, Found, bills_by_lease
from rentbilling.portfolio.runs.histories import (
    HISTORY_SCHEMA,
    History,
    LeaseMarks,
    history_facts,
    history_rows,
)
from rentbilling.portfolio.runs.summaries import RunSummary
from rentbilling.schedule import ends_before_it_begins
from rentbilling.terms import LeaseTerms
from rentbilling.values import AnyPeriod, Period, day_of, period_of

Output = Literal["bills", "lines", "adjustments", "notices", "problems"]
"""A table that comes out."""

SCHEMAS: Final[Mapping[Output, Any]] = MappingProxyType(
    {
        "bills": BILL_SCHEMA,
        "lines": LINE_SCHEMA,
        "adjustments": ADJUSTMENT_SCHEMA,
        "notices": NOTICE_SCHEMA,
        "problems": PROBLEM_SCHEMA,
    }
)
"""The schema of each table that comes out."""

WRITTEN: Final[Mapping[str, Any]] = MappingProxyType(
    {"history": HISTORY_SCHEMA} | {str(name): each for name, each in SCHEMAS.items()}
)
"""The schema of each table that is written."""

Leases = Any
"""A record batch of leases, or a sequence of leases as `Given`."""

_NAMELESS: Final = short_fingerprints([""])[0]
"""The key of leases without an id, which have no history."""
_REACH: Final = 800
"""Days after a period within which it is due by any cycle of a year, in arrears or late."""
_ITEMS: Final = ("recurring_bill_items", "one_time_bill_items")
"""Columns that leases without any item have nothing in."""
_NO_BILLS: Final = pa.RecordBatch.from_pylist([], BILL_SCHEMA)


class BilledBatch(NamedTuple):
    """What came of a batch of leases; each table is a record batch."""

    bills: Any
    adjustments: Any
    notices: Any
    problems: Any
    summary: RunSummary
    history: Any = None
    """What the next run needs to know of these leases, where it was asked for."""

    @property
    def lines(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """The lines of the bills, a row each."""
        return lines_of_bills(self.bills)


@dataclass(frozen=True)
class BillRecordBatches:
    """Bills record batches of leases: one callable that any engine over Arrow can send about.

    It is a value: it pickles, and the same batch gives the same answer in every process.

    Raises:
        InvalidInputError: The period is malformed, or an output is not a known word.
        TypeError: `policy` is no BillingPolicy.

    Examples:
        >>> from rentbilling.portfolio import leases_to_arrow
        >>> from rentbilling.testing import a_lease
        >>> bill = BillRecordBatches("2026-02-01/2026-03-31")
        >>> bills = bill(leases_to_arrow([a_lease(), a_lease()]))
        >>> bills.column("row").to_pylist(), bills.column("total")[0].as_py().normalize()
        ([0, 0, 1, 1], Decimal('8.5E+3'))
    """

    period: AnyPeriod
    """The asked days, both ends included."""
    _: KW_ONLY
    indices: AnyIndices = None
    """The index series that rent adjustment plans follow."""
    policy: BillingPolicy | None = None
    """Every choice the interface leaves open."""
    output: Output = "bills"
    """The table that a call returns."""
    on_problem: OnProblem = "raise"
    """Whether a lease that cannot be billed stops the call. With `table` it has no row in this
    output, and the output `problems` of the same batches says why."""
    extra_columns: ExtraColumns = "refuse"
    """Whether columns that no lease has are refused or ignored."""
    already_billed: Any = None
    """Earlier bills of the leases, with the columns of `BILL_SCHEMA`: paths of Parquet files or
    folders, tables, or several of those in a list, see `bill_portfolio`; found by the id of the
    lease, which each lease must have then (A53)."""
    billed_since: date | str | None = None
    """The first day that counts with earlier bills, see `bill_period`; the same for all leases,
    and it makes up what is missing also for those without earlier bills."""

    with_history: bool = False
    """Whether a batch has the table `history` too, for `already_billed` of the next month."""

    history: History | None = field(default=None, init=False, repr=False, compare=False)
    """What an earlier run found right, where it counts for all of the earlier bills."""
    schemas: ClassVar[Mapping[Any, Any]] = SCHEMAS
    summary_type: ClassVar = RunSummary

    def __post_init__(self) -> None:
        """Check the choices, so that no lease is refused for them."""
        policy = policy_of(self.policy)
        object.__setattr__(self, "policy", policy)
        period = period_of(self.period, period_end=policy.period_end)
        object.__setattr__(self, "period", period)
        series_of(self.indices)
        if self.billed_since is not None:
            since = date.fromordinal(day_of(self.billed_since, "billed_since"))
            object.__setattr__(self, "billed_since", since)
            if self.already_billed is None:
                said, expected = "has no effect without earlier bills", "already_billed as well"
                raise InvalidRecordError.of("billed_since", "says_nothing", said, since, expected)
        if self.already_billed is not None and not isinstance(self.already_billed, EarlierBills):
            object.__setattr__(self, "already_billed", EarlierBills(self.already_billed))
        history = self.already_billed and self.already_billed.history
        if history is not None and self.billed_since is None:
            facts = history_facts(policy, self.indices)
            object.__setattr__(self, "history", history.under(facts))
        refuse_unknown_words(self, output=Output, on_problem=OnProblem, extra_columns=ExtraColumns)

    @property
    def schema(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """The schema of what a call returns."""
        return self.schemas[self.output]

    def __call__(self, leases: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return one table of what came of a batch.

        Args:
            leases: A record batch with the columns of `LEASE_SCHEMA`, or a table or data frame of
                such batches. Its leases count from 0, or have the numbers of its column `row`.

        Returns:
            A record batch of `schema`; of a table or data frame, a table.

        Raises:
            InvalidInputError: The columns are not those of leases; or, with
                `on_problem="raise"`, a lease is wrong.
            RentBillingError: A lease cannot be billed, with `on_problem="raise"`.
        """
        if isinstance(leases, pa.RecordBatch) or not hasattr(leases, "__arrow_c_stream__"):
            return getattr(self.billed(leases), self.output)
        if not isinstance(leases, pa.Table):
            leases = reader_of(leases, "leases").read_all()
        return pa.Table.from_batches(self.each([leases]), self.schema)

    def history_facts(self) -> dict[str, Any]:
        """Return what a history of this run depends on.

        Raises:
            InvalidRecordError: There is no history of such a run.
        """
        facts = history_facts(policy_of(self.policy), self.indices)
        if facts is None:
            said = "has no history: bills are selected by accounting period, or holidays not listed"
            expected = "select='due_date', and holidays in a list"
            raise InvalidRecordError.of("policy", "no_history", said, self.policy, expected)
        return facts

    def each(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Give tables of what came of batches, for engines that hand over a partition.

        Args:
            batches: Record batches, or tables of some. Small neighbours are billed together; the
                leases of each count from 0 all the same, or have the numbers of a column `row`.

        Yields:
            Record batches of `schema`, in the order of the leases.

        Raises:
            InvalidRecordError: Two leases of these batches have one id.
        """
        found = map(without_absent, joined(chain.from_iterable(map(numbered, batches))))
        for batch in of_one_lease_each(found, self.extra_columns, LeaseIds()):
            yield self(batch)

    def billed(self, leases: Leases, first_row: int = 0) -> BilledBatch:
        """Return all tables of what came of a batch.

        Args:
            leases: A record batch, or a sequence of leases, their payloads, or refusals of those
                that cannot be read.
            first_row: The number of its first lease.

        Returns:
            The tables and their summary.

        Raises:
            RentBillingError: See the call.
        """
        collected = _Collected(self, BatchLeases.of(leases, first_row, self.extra_columns))
        collected.add_left(collected.add_flat())
        return collected.put_together()


class _Collected(Collected):
    """Collects what comes of the leases of a batch."""

    def __init__(self, run: BillRecordBatches, batch: BatchLeases) -> None:
        super().__init__(batch, policy_of(run.policy), run.on_problem)
        self._run, self._period, self._series = run, period_of(run.period), series_of(run.indices)
        self._bills = BillRows()
        self._earlier: dict[str, Found] = {}
        self._keys: Any = None
        self._marks: LeaseMarks | None = None
        count = len(batch.rows)
        self._had, self._ahead, self._right = (np.zeros(count, np.bool_) for _ in range(3))
        self._flat = KernelBatch(_NO_BILLS, np.zeros(count, np.bool_))
        self._billed = self._nothing_due = self._without_items = self._ends_reversed = 0

    def add_flat(self) -> Mask:
        """Return which leases the kernel bills; of the others, find the earlier bills."""
        run, form = self._run, self.batch.form
        self._mark()
        flat = None
        if run.already_billed is not None:
            flat = self._beside_earlier()
        elif form is not None:
            flat = bill_batch(form, self._period, self.policy, self._series, self.rare)
        if form is not None and flat is not None:
            self._flat = flat
            self._count_without_items(form)
        return self._flat.done

    def _beside_earlier(self) -> KernelBatch | None:
        """Return what the kernel makes of leases that were billed before."""
        run, (_, _, ids, form) = self._run, self.batch
        earlier = EarlierRows.of(self._sent(), ids, run.billed_since)
        self._had[earlier.places] = True
        flat, left = None, earlier.rows
        if form is not None:
            # The earlier bills of a lease without an id cannot be found.
            nameless = np.array([each is None for each in ids], np.bool_)
            known = form._replace(lost=form.lost | nameless)
            given = earlier, self._series, self.rare
            flat = bill_with_earlier(known, self._period, self.policy, *given)
        if flat is not None:
            left = left.filter(pa.array(~flat.done[earlier.places]))
        self._earlier = bills_by_lease(left, self.policy)
        after = days_of(earlier.rows.column("due_date"), 0) > self._period.last
        self._ahead[earlier.places[after]] = True
        return flat

    def _mark(self) -> None:
        """Find what a history knows the leases by, where there is one or one is asked for."""
        run, form = self._run, self.batch.form
        if run.with_history or run.history is not None:
            self._keys = short_fingerprints(each or "" for each in self.batch.ids)
            self._marks = None if form is None else LeaseMarks.of(form)
            if run.history is not None:
                self._had = run.history.holds(self._keys)

    def _sent(self) -> Any:  # noqa: ANN401 - a table
        """Return the earlier bills of the leases that are compared with them.

        No history has these leases right, and each has an id of its own.
        """
        (_, _, ids, form), history = self.batch, self._run.history
        if history is not None and form is not None and self._marks is not None:
            right = history.right(self._keys, self._marks, self._period.first)
            asked = self._had & ~(right & ~form.lost)
            ids = [ids[place] for place in np.flatnonzero(asked).tolist()]
        known = (each for each in ids if each is not None and _is_unicode(each))
        return self._run.already_billed.rows_of(known)

    def _count_without_items(self, form: LeaseForm) -> None:
        """Count the leases without any item among those that the kernel did."""
        items: Any = sum(list_lengths(form.batch.column(name)) for name in _ITEMS)
        self._without_items += int(np.count_nonzero(items[self._flat.done] == 0))

    def add_terms(self, place: int, terms: LeaseTerms) -> None:
        """Bill a lease."""
        result = self._billed_alone(terms)
        refuse_too_wide(result.adjustments)
        self._bills.add(place, terms.lease_id, result.bills)
        self.adjustments.add(place, terms.lease_id, result.adjustments)
        self.notices.add(place, terms.lease_id, result.notices)
        if self._run.with_history:
            self._right[place] = self._is_settled(terms, result)
        if result.bills:
            self._billed += 1
        else:
            self._nothing_due += 1
            self._without_items += not any(getattr(terms, name) for name in _ITEMS)
            self._ends_reversed += any(
                ends_before_it_begins(item, terms.contract_end)
                for item in terms.recurring_bill_items
            )

    def _billed_alone(self, terms: LeaseTerms) -> BillingResult:
        """Return the bills of a lease, less what was billed before (A53)."""
        run = self._run
        options: dict[str, Any] = {"policy": self.policy, "indices": run.indices}
        if run.already_billed is not None:
            if terms.lease_id is None:
                said, expected = "is required with earlier bills", "the id that they have"
                raise InvalidRecordError.of("lease_id", "missing", said, None, expected)
            earlier = self._earlier.get(terms.lease_id, [])
            if isinstance(earlier, InvalidInputError):
                raise earlier
            options |= {"already_billed": earlier, "billed_since": run.billed_since}
        return bill_period(terms, self._period, **options)

    def _is_settled(self, terms: LeaseTerms, result: BillingResult) -> bool:
        """Return whether a lease owes, after the asked days, what it would without earlier bills.

        What is billed already may be due later by terms that have changed since.
        """
        earlier = self._earlier.get(terms.lease_id or "", [])
        if not earlier or isinstance(earlier, InvalidInputError):
            return True
        told, last = [*earlier, *result], self._period.last
        ends = [line.accounting_period.last for bill in told for line in bill.lines]
        ends += (each.due_date.toordinal() for each in terms.one_time_bill_items)
        until = max(last, *ends) + _REACH
        if until - last > 2 * _REACH:
            return False
        after = Period.unchecked(last + 1, until)
        options: dict[str, Any] = {"policy": self.policy, "indices": self._run.indices}
        tables = []
        try:
            for billed in (None, told):
                rows = BillRows()
                rows.add(0, None, bill_period(terms, after, already_billed=billed, **options))
                tables.append(rows.batch())
        except OF_A_LEASE:
            # Such as an index value that is not there yet.
            return False
        return bool(tables[0].equals(tables[1]))

    def put_together(self) -> BilledBatch:
        """Return the tables of both engines in the order of the leases, and their summary."""
        flat, rows = self._flat, self.batch.rows
        bills = in_order(flat.bills, self._bills.batch())
        made = made_batch(flat.made, self.batch.form)
        adjustments = in_order(made, self.adjustments.batch())
        notices, problems = self.notices.batch(), problem_batch(self.problems)
        done = int(np.count_nonzero(flat.done))
        billed = functions.count_distinct(flat.bills.column(ROW)).as_py()
        self._right |= flat.done
        summary = RunSummary.of(
            bills,
            problems,
            leases=len(rows),
            billed=self._billed + billed,
            with_problems=self.refused,
            nothing_due=self._nothing_due + done - billed,
            without_items=self._without_items,
            ends_reversed=self._ends_reversed,
            scalar_leases=self.alone,
            scalar_reasons=self.reasons,
            adjustments=adjustments.num_rows,
            notices=notices.num_rows,
        )
        history = self._history(bills) if self._run.with_history else None
        bills, adjustments, notices, problems = (
            with_row_numbers(each, rows) for each in (bills, adjustments, notices, problems)
        )
        return BilledBatch(bills, adjustments, notices, problems, summary, history)

    def _history(self, bills: Any) -> Any:  # noqa: ANN401 - record batches
        """Return what the next run needs to know of the leases that have bills."""
        self._had[bills.column(ROW).to_numpy()] = True
        count, right = len(self._keys), self._right & ~self._ahead
        # Leases that are no columns have no checksum, and are compared with all their bills.
        terms = np.zeros(count, np.uint64) if self._marks is None else self._marks.terms
        right &= self._marks is not None
        until = np.where(right, self._period.last, 0)
        kept = self._had & (self._keys != _NAMELESS)
        return history_rows(self._keys[kept], terms[kept], until[kept])


def _is_unicode(text: str) -> bool:
    """Return whether a text can be in a column; others are ids of no bill."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
