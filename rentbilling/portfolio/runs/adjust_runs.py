"""Adjust runs: leases go in, their rent adjustments and the terms that list them come out.

Laws: an adjustment is the one that `rent_adjustments` gives for the lease alone; a lease that can
be read comes out, in its order; a lease that cannot be adjusted comes out as it was.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import pyarrow as pa

from rentbilling.adjustments import adjusted_terms, rent_adjustments
from rentbilling.indices import AnyIndices, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.arrow.arrays import Column, Mask
from rentbilling.portfolio.arrow.column_types import (
    ADJUSTMENT_SCHEMA,
    LEASE_SCHEMA,
    NOTICE_SCHEMA,
    PROBLEM_SCHEMA,
)
from rentbilling.portfolio.arrow.schema_checks import (
    ExtraColumns,
    check_columns,
    without_absent,
)
from rentbilling.portfolio.kernel.adjusting import (
    Added,
    adjust_batch,
    listed_of,
    records_of,
    with_added,
)
from rentbilling.portfolio.leases.batches import (
    FEW,
    LeaseForm,
    lease_form,
    leases_to_arrow,
    payloads_at,
    row_numbers,
)
from rentbilling.portfolio.leases.ids import ids_of, refuse_repeated
from rentbilling.portfolio.leases.leases_by_column import ColumnLeases
from rentbilling.portfolio.leases.problems import (
    OF_A_LEASE,
    Cells,
    Given,
    OnProblem,
    UnreadLease,
    lease_id_of,
    located,
    problem_batch,
    problem_cells,
    refuse_unknown_words,
)
from rentbilling.portfolio.plans.made import NONE_MADE
from rentbilling.portfolio.runs.bill_batches import (
    AdjustmentRows,
    NoticeRows,
    in_order,
    made_batch,
    refuse_too_wide,
    with_row_numbers,
)
from rentbilling.portfolio.runs.left_leases import features_left
from rentbilling.portfolio.runs.summaries import Sums, added_sums
from rentbilling.tables import counted
from rentbilling.terms import AmountRecord, LeaseTerms, RentAdjustment, reading_context
from rentbilling.values import AnyPeriod, period_of


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustmentSummary:
    """What came of a run that adjusts; summaries of parts of a run add up to its own.

    Examples:
        >>> print(AdjustmentSummary(leases=2, adjusted=1, unchanged=1, adjustments=1))
        2 leases: 1 adjusted, 1 unchanged, 0 with problems
        1 adjustment, 0 notices
    """

    leases: int = 0
    """Leases in."""
    adjusted: int = 0
    """Leases with an adjustment at least."""
    unchanged: int = 0
    """Leases without an adjustment in the period."""
    with_problems: int = 0
    """Leases that cannot be read, or cannot be adjusted."""
    scalar_leases: int = 0
    """Leases that the engine for single leases adjusted, because they have something rare."""
    adjustments: int = 0
    notices: int = 0
    scalar_reasons: Sums = field(default_factory=dict)
    """How many of `scalar_leases` have each feature, see `RunSummary`."""
    begun: bool = True
    """Whether its run was begun; a run that was not has no figures."""

    def __add__(self, other: Self) -> "AdjustmentSummary":
        """Return the summary of both."""
        names = [each.name for each in fields(self) if each.type is int]
        counts: Any = {name: getattr(self, name) + getattr(other, name) for name in names}
        reasons = added_sums(self.scalar_reasons, other.scalar_reasons.items())
        begun = self.begun or other.begun
        return AdjustmentSummary(**counts, scalar_reasons=reasons, begun=begun)

    @property
    def scalar_share(self) -> Fraction:
        """Which part of the leases the engine for single leases adjusted; 0 of none."""
        return Fraction(self.scalar_leases, self.leases or 1)

    def __str__(self) -> str:
        """Return what a person reads at the end of a run."""
        if not self.begun:
            return "not begun: no lease was adjusted yet"
        return (
            f"{counted(self.leases, 'lease')}: {self.adjusted} adjusted, "
            f"{self.unchanged} unchanged, {self.with_problems} with problems\n"
            f"{counted(self.adjustments, 'adjustment')}, {counted(self.notices, 'notice')}"
        )


class AdjustedBatch(NamedTuple):
    """What came of a batch of leases; each table is a record batch."""

    adjustments: Any
    leases: Any
    """Those that can be read, with their adjustments."""
    notices: Any
    problems: Any
    summary: AdjustmentSummary


@dataclass(frozen=True)
class AdjustRecordBatches:
    """Adjusts batches of leases, see `adjust_portfolio`."""

    period: AnyPeriod
    _: KW_ONLY
    indices: AnyIndices = None
    policy: BillingPolicy | None = None
    on_problem: OnProblem = "table"
    extra_columns: ExtraColumns = "refuse"

    output: ClassVar = "adjustments"
    schema: ClassVar = ADJUSTMENT_SCHEMA
    schemas: ClassVar[Mapping[str, Any]] = MappingProxyType(
        {
            "adjustments": ADJUSTMENT_SCHEMA,
            "leases": LEASE_SCHEMA,
            "notices": NOTICE_SCHEMA,
            "problems": PROBLEM_SCHEMA,
        }
    )
    summary_type: ClassVar = AdjustmentSummary
    already_billed: ClassVar = None

    def __post_init__(self) -> None:
        """Check the choices, so that no lease is refused for them."""
        policy = policy_of(self.policy)
        object.__setattr__(self, "policy", policy)
        object.__setattr__(self, "period", period_of(self.period, period_end=policy.period_end))
        series_of(self.indices)
        refuse_unknown_words(self, on_problem=OnProblem, extra_columns=ExtraColumns)

    def billed(self, leases: Any, first_row: int = 0) -> AdjustedBatch:  # noqa: ANN401 - a batch
        """Return what comes of a batch of leases, of which the first has a number.

        Raises:
            RentBillingError: A lease cannot be adjusted, with `on_problem="raise"`.
        """
        rows: Sequence[int] = range(first_row, first_row + len(leases))
        if isinstance(leases, pa.RecordBatch):
            rows, leases = row_numbers(leases, first_row), without_absent(leases)
            check_columns(leases.schema, self.extra_columns)
        refuse_repeated(ids_of(leases, self.extra_columns), rows)
        form = None
        if isinstance(leases, ColumnLeases):
            form = leases.form
        elif isinstance(leases, pa.RecordBatch):
            form = lease_form(leases)
        run = _Adjusting(self, rows, form)
        if isinstance(leases, (ColumnLeases, pa.RecordBatch)):
            left = run.add_flat()
            for places in (left[at : at + FEW] for at in range(0, len(left), FEW)):
                if isinstance(leases, ColumnLeases):
                    run.add(places, (leases[place] for place in places.tolist()))
                else:
                    run.add(places, payloads_at(places, leases, form, run.context))
            run.note_left(left)
        else:
            run.left = {"records": len(rows)} if rows else {}
            run.add(np.arange(len(rows)), leases)
        return run.put_together()


class _Adjusting:
    """Collects what comes of the leases of a batch, by their places in it."""

    def __init__(
        self, run: AdjustRecordBatches, rows: Sequence[int], form: LeaseForm | None
    ) -> None:
        self._run, self._rows, self._form = run, rows, form
        self._policy = policy_of(run.policy)
        self.context = reading_context(self._policy, exact_texts=True)
        self._made, self._prices = NONE_MADE, np.zeros(0, np.int64)
        self._notices = NoticeRows()
        self._adjustments, self._problems = AdjustmentRows(), list[Cells]()
        self._given: dict[int, LeaseTerms] = {}
        """Leases that have no columns, by their places."""
        self._listed: list[tuple[int, int, RentAdjustment]] = []
        """Place of the lease, of the plan in it, and what it lists from now on."""
        self._recorded: list[tuple[int, int, AmountRecord]] = []
        self._is_read, self._refused = np.ones(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
        self._alone = self._unchanged = 0
        self.left: Mapping[str, int] = {}
        """Why leases are adjusted one by one."""
        self._rare: Mapping[str, Mask] = {}

    def add_flat(self) -> Column:
        """Add what the kernel makes; return the places of the leases that it leaves."""
        done, form = np.zeros(len(self._rows), np.bool_), self._form
        if form is not None:
            period, series = period_of(self._run.period), series_of(self._run.indices)
            found = adjust_batch(form, period, self._policy, series)
            self._made, self._prices, done, self._rare = found
        left = np.flatnonzero(~done)
        self._unchanged += len(done) - len(left) - len(np.unique(self._made.place))
        return left

    def note_left(self, places: Column) -> None:
        """Note why the kernel left some leases."""
        self.left = features_left(self._form, places, self._policy, self._rare, self._refused)

    def add(self, places: Column, leases: Iterable[Given]) -> None:
        """Adjust some leases one by one."""
        self._alone += len(places)
        for place, lease in zip(places.tolist(), leases, strict=True):
            try:
                self._add(place, lease)
            except OF_A_LEASE as error:
                if self._run.on_problem == "raise":
                    raise located(self._rows[place], lease_id_of(lease), error) from None
                self._problems += problem_cells(place, lease_id_of(lease), error)
                self._refused[place] = True

    def _add(self, place: int, lease: Given) -> None:
        """Adjust a lease."""
        run, self._is_read[place] = self._run, False
        if isinstance(lease, UnreadLease):
            raise lease.error
        terms = LeaseTerms.model_validate(lease, context=self.context)
        self._is_read[place] = True
        if self._form is None or self._form.lost[place]:
            self._given[place] = terms
        indices, policy = run.indices, self._policy
        made = rent_adjustments(terms, run.period, indices=indices, policy=policy)
        refuse_too_wide(made)
        after = adjusted_terms(terms, made, records=True, indices=indices, policy=policy)
        plans = terms.rent_adjustment_plans, after.rent_adjustment_plans
        for at, (plan, listing) in enumerate(zip(*plans, strict=True)):
            new = listing.adjustments[len(plan.adjustments) :]
            self._listed += ((place, at, each) for each in new)
        items = terms.recurring_bill_items, after.recurring_bill_items
        for at, (item, recording) in enumerate(zip(*items, strict=True)):
            added = recording.amount_records[len(item.amount_records) :]
            self._recorded += ((place, at, each) for each in added)
        self._adjustments.add(place, terms.lease_id, made)
        self._notices.add(place, terms.lease_id, made.notices)
        self._unchanged += not made

    def _leases(self) -> Any:  # noqa: ANN401 - a record batch
        """Return the leases that can be read, with what is new in them."""
        count, given = len(self._rows), self._given
        if self._form is None:
            nothing = LeaseTerms()
            leases = leases_to_arrow(given.get(place, nothing) for place in range(count))
        elif given:
            places = np.arange(count)
            places[[*given]] = count + np.arange(len(given))
            parts = [self._form.batch, leases_to_arrow(given.values())]
            leases = pa.Table.from_batches(parts).combine_chunks().to_batches()[0]
            leases = leases.take(pa.array(places))
        else:
            leases = self._form.batch
        adjustments = Added.of(self._listed, RentAdjustment).and_other(listed_of(self._made))
        records = Added.of(self._recorded, AmountRecord).and_other(
            records_of(self._made, self._prices)
        )
        leases = with_added(leases, adjustments, records)
        return leases if self._is_read.all() else leases.filter(pa.array(self._is_read))

    def put_together(self) -> AdjustedBatch:
        """Return the tables of both engines in the order of the leases, and their summary."""
        adjustments = in_order(made_batch(self._made, self._form), self._adjustments.batch())
        refused = int(np.count_nonzero(self._refused))
        notices, problems = self._notices.batch(), problem_batch(self._problems)
        summary = AdjustmentSummary(
            leases=len(self._rows),
            adjusted=len(self._rows) - self._unchanged - refused,
            unchanged=self._unchanged,
            with_problems=refused,
            scalar_leases=self._alone,
            scalar_reasons={(name,): [count] for name, count in self.left.items()},
            adjustments=adjustments.num_rows,
            notices=notices.num_rows,
        )
        adjustments, notices, problems = (
            with_row_numbers(each, self._rows) for each in (adjustments, notices, problems)
        )
        return AdjustedBatch(adjustments, self._leases(), notices, problems, summary)
