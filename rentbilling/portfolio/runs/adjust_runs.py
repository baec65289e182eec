"""Adjust runs: leases go in, their rent adjustments and the terms that list them come out.

Laws: an adjustment is the one that `rent_adjustments` gives for the lease alone; a lease that can
be read comes out, in its order; a lease that cannot be adjusted comes out as it was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

import pyarrow as pa

from rentbilling.adjustments import adjusted_terms, rent_adjustments
from rentbilling.indices import AnyIndices, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.arrow.column_types import (
    ADJUSTMENT_SCHEMA,
    LEASE_SCHEMA,
    NOTICE_SCHEMA,
    PROBLEM_SCHEMA,
)
from rentbilling.portfolio.arrow.schema_checks import ExtraColumns, check_columns
from rentbilling.portfolio.leases.batches import leases_to_arrow, payloads, row_numbers
from rentbilling.portfolio.leases.ids import ids_of, refuse_repeated
from rentbilling.portfolio.leases.problems import (
    OF_A_LEASE,
    Cells,
    OnProblem,
    UnreadLease,
    lease_id_of,
    located,
    problem_batch,
    problem_cells,
    refuse_unknown_words,
)
from rentbilling.portfolio.runs.bill_batches import AdjustmentRows, NoticeRows, refuse_too_wide
from rentbilling.tables import counted
from rentbilling.terms import LeaseTerms, reading_context
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
    adjustments: int = 0
    notices: int = 0
    begun: bool = True
    """Whether its run was begun; a run that was not has no figures."""

    def __add__(self, other: Self) -> "AdjustmentSummary":
        """Return the summary of both."""
        names = [each.name for each in fields(self)]
        sums = {name: getattr(self, name) + getattr(other, name) for name in names}
        return AdjustmentSummary(**sums | {"begun": bool(sums["begun"])})

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
        given = leases
        context = reading_context(policy_of(self.policy), exact_texts=True)
        if isinstance(leases, pa.RecordBatch):
            rows = row_numbers(leases, first_row)
            check_columns(leases.schema, self.extra_columns)
            given = payloads(leases, context)
        refuse_repeated(ids_of(leases, self.extra_columns), rows)
        adjustments, notices, known = AdjustmentRows(), NoticeRows(), []
        problems: list[Cells] = []
        counts: dict[str, Any] = {"adjusted": 0, "unchanged": 0, "with_problems": 0}
        for row, lease in zip(rows, given, strict=True):
            terms = None
            try:
                if isinstance(lease, UnreadLease):
                    raise lease.error
                terms = LeaseTerms.model_validate(lease, context=context)
                made = rent_adjustments(
                    terms, self.period, indices=self.indices, policy=self.policy
                )
                refuse_too_wide(made)
                after = adjusted_terms(
                    terms, made, records=True, indices=self.indices, policy=self.policy
                )
            except OF_A_LEASE as error:
                if self.on_problem == "raise":
                    raise located(row, lease_id_of(lease), error) from None
                problems += problem_cells(row, lease_id_of(lease), error)
                counts["with_problems"] += 1
                known += [] if terms is None else [terms]
                continue
            known.append(after)
            adjustments.add(row, terms.lease_id, made)
            notices.add(row, terms.lease_id, made.notices)
            counts["adjusted" if made else "unchanged"] += 1
        tables = adjustments.batch(), leases_to_arrow(known), notices.batch()
        summary = AdjustmentSummary(
            leases=len(rows),
            adjustments=tables[0].num_rows,
            notices=tables[2].num_rows,
            **counts,
        )
        return AdjustedBatch(*tables, problem_batch(problems), summary)
