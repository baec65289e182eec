"""Adjust runs: leases go in, their rent adjustments and the terms that list them come out.

Laws: an adjustment is the one that `rent_adjustments` gives for the lease alone; a lease that can
be read comes out, in its order; a lease that cannot be adjusted comes out as it was.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import pyarrow as pa

from rentbilling.adjustments import adjusted_terms, rent_adjustments
from rentbilling.indices import AnyIndices, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.arrow.arrays import Mask
from rentbilling.portfolio.arrow.column_types import (
    ADJUSTMENT_SCHEMA,
    LEASE_SCHEMA,
    NOTICE_SCHEMA,
    PROBLEM_SCHEMA,
)
from rentbilling.portfolio.arrow.schema_checks import ExtraColumns
from rentbilling.portfolio.kernel.adjusting import (
    Added,
    adjust_batch,
    listed_of,
    records_of,
    with_added,
)
from rentbilling.portfolio.leases.batches import leases_to_arrow
from rentbilling.portfolio.leases.problems import OnProblem, problem_batch, refuse_unknown_words
from rentbilling.portfolio.plans.made import NONE_MADE
from rentbilling.portfolio.runs.bill_batches import (
    in_order,
    made_batch,
    refuse_too_wide,
    with_row_numbers,
)
from rentbilling.portfolio.runs.collected import BatchLeases, Collected
from rentbilling.portfolio.runs.summaries import Sums, added, row_words
from rentbilling.tables import counted
from rentbilling.terms import AmountRecord, LeaseTerms, RentAdjustment
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
    vacant: int = 0
    """Units of a flat table without a lease, see `RunSummary`."""
    skipped_rows: int = 0
    scalar_reasons: Sums = field(default_factory=dict)
    """How many of `scalar_leases` have each feature, see `RunSummary`."""
    begun: bool = True
    """Whether its run was begun; a run that was not has no figures."""

    def __add__(self, other: Self) -> "AdjustmentSummary":
        """Return the summary of both."""
        return AdjustmentSummary(**added(self, other))

    @property
    def scalar_share(self) -> Fraction:
        """Which part of the leases the engine for single leases adjusted; 0 of none."""
        return Fraction(self.scalar_leases, self.leases or 1)

    def __str__(self) -> str:
        """Return what a person reads at the end of a run."""
        if not self.begun:
            return "not begun: no lease was adjusted yet"
        said = (
            f"{counted(self.leases, 'lease')}: {self.adjusted} adjusted, "
            f"{self.unchanged} unchanged, {self.with_problems} with problems\n"
            f"{counted(self.adjustments, 'adjustment')}, {counted(self.notices, 'notice')}"
        )
        return "\n".join([said, *row_words(self)])


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
        run = _Adjusting(self, BatchLeases.of(leases, first_row, self.extra_columns))
        run.add_left(run.add_flat())
        return run.put_together()


class _Adjusting(Collected):
    """Collects what comes of the leases of a batch."""

    def __init__(self, run: AdjustRecordBatches, batch: BatchLeases) -> None:
        super().__init__(batch, policy_of(run.policy), run.on_problem)
        self._run = run
        self._made, self._prices = NONE_MADE, np.zeros(0, np.int64)
        self._given: dict[int, LeaseTerms] = {}
        """Leases that have no columns, by their places."""
        self._listed: list[tuple[int, int, RentAdjustment]] = []
        """Place of the lease, of the plan in it, and what it lists from now on."""
        self._recorded: list[tuple[int, int, AmountRecord]] = []
        self._is_read = np.zeros(len(batch.rows), np.bool_)
        self._unchanged = 0

    def add_flat(self) -> Mask:
        """Add what the kernel makes; return the leases of which it makes all adjustments."""
        form = self.batch.form
        if form is not None:
            period, series = period_of(self._run.period), series_of(self._run.indices)
            found = adjust_batch(form, period, self.policy, series)
            self._made, self._prices, done, left = found
            self.rare.update(left)
            self._is_read |= done
        self._unchanged = int(self._is_read.sum()) - len(np.unique(self._made.place))
        return self._is_read.copy()

    def add_terms(self, place: int, terms: LeaseTerms) -> None:
        """Adjust a lease."""
        run, self._is_read[place] = self._run, True
        form = self.batch.form
        if form is None or form.lost[place]:
            self._given[place] = terms
        indices, policy = run.indices, self.policy
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
        self.adjustments.add(place, terms.lease_id, made)
        self.notices.add(place, terms.lease_id, made.notices)
        self._unchanged += not made

    def _leases(self) -> Any:  # noqa: ANN401 - a record batch
        """Return the leases that can be read, with what is new in them."""
        count, given, form = len(self.batch.rows), self._given, self.batch.form
        if form is None:
            nothing = LeaseTerms()
            leases = leases_to_arrow(given.get(place, nothing) for place in range(count))
        elif given:
            places = np.arange(count)
            places[[*given]] = count + np.arange(len(given))
            parts = [form.batch, leases_to_arrow(given.values())]
            leases = pa.Table.from_batches(parts).combine_chunks().to_batches()[0]
            leases = leases.take(pa.array(places))
        else:
            leases = form.batch
        adjustments = Added.of(self._listed, RentAdjustment).and_other(listed_of(self._made))
        records = Added.of(self._recorded, AmountRecord).and_other(
            records_of(self._made, self._prices)
        )
        leases = with_added(leases, adjustments, records)
        return leases if self._is_read.all() else leases.filter(pa.array(self._is_read))

    def put_together(self) -> AdjustedBatch:
        """Return the tables of both engines in the order of the leases, and their summary."""
        rows = self.batch.rows
        made = made_batch(self._made, self.batch.form)
        adjustments = in_order(made, self.adjustments.batch())
        notices, problems = self.notices.batch(), problem_batch(self.problems)
        summary = AdjustmentSummary(
            leases=len(rows),
            adjusted=len(rows) - self._unchanged - self.refused,
            unchanged=self._unchanged,
            with_problems=self.refused,
            scalar_leases=self.alone,
            scalar_reasons=self.reasons,
            adjustments=adjustments.num_rows,
            notices=notices.num_rows,
        )
        adjustments, notices, problems = (
            with_row_numbers(each, rows) for each in (adjustments, notices, problems)
        )
        return AdjustedBatch(adjustments, self._leases(), notices, problems, summary)
