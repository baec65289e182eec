"""Collected: what comes of a batch of leases, on columns or of leases one by one.

Laws: a lease that cannot be read, billed or adjusted is a problem and stops no other; leases are
taken one by one in their order.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import pyarrow as pa

from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import Column, Mask
from rentbilling.portfolio.arrow.schema_checks import ExtraColumns, check_columns, without_absent
from rentbilling.portfolio.leases.batches import (
    FEW,
    LeaseForm,
    lease_form,
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
    problem_cells,
)
from rentbilling.portfolio.runs.bill_batches import AdjustmentRows, NoticeRows
from rentbilling.portfolio.runs.left_leases import features_left
from rentbilling.terms import LeaseTerms, reading_context

if TYPE_CHECKING:
    from rentbilling.portfolio.runs.summaries import Sums


class BatchLeases(NamedTuple):
    """The leases of a batch."""

    leases: Any
    """A record batch, columns of a flat table, or a sequence of leases."""
    rows: Sequence[int]
    """The number of each."""
    ids: list[str | None]
    form: LeaseForm | None
    """None where they are no columns, or one of these has no known type."""

    @classmethod
    def of(cls, leases: Any, first_row: int, extra_columns: ExtraColumns) -> Self:  # noqa: ANN401 - a batch
        """Return leases, of which the first has a number.

        Raises:
            InvalidRecordError: The columns are not those of leases, or two leases have one id.
        """
        rows: Sequence[int] = range(first_row, first_row + len(leases))
        if isinstance(leases, pa.RecordBatch):
            rows, leases = row_numbers(leases, first_row), without_absent(leases)
            check_columns(leases.schema, extra_columns)
        ids = ids_of(leases, extra_columns)
        refuse_repeated(ids, rows)
        form = leases.form if isinstance(leases, ColumnLeases) else None
        if isinstance(leases, pa.RecordBatch):
            form = lease_form(leases)
        return cls(leases, rows, ids, form)

    def at(self, places: Column, context: Mapping[str, object]) -> Iterator[Given]:
        """Give the leases of some places, of which few are made at a time."""
        for begin in range(0, len(places), FEW):
            some = places[begin : begin + FEW]
            if isinstance(self.leases, pa.RecordBatch):
                yield from payloads_at(some, self.leases, self.form, context)
            else:
                yield from (self.leases[place] for place in some.tolist())


class Collected(ABC):
    """Collects what comes of the leases of a batch, by their places in it."""

    def __init__(self, batch: BatchLeases, policy: BillingPolicy, on_problem: OnProblem) -> None:
        self.batch, self.policy, self._on_problem = batch, policy, on_problem
        self.context = reading_context(policy, exact_texts=True)
        self.adjustments, self.notices = AdjustmentRows(), NoticeRows()
        self.problems = list[Cells]()
        self.alone = 0
        self.rare = dict[str, Mask]()
        """Features for which the kernel leaves leases, each with these."""
        self.reasons: Sums = {}
        """How many leases taken one by one have each feature."""
        self._refused = np.zeros(len(batch.rows), np.bool_)

    @property
    def refused(self) -> int:
        """How many leases are a problem."""
        return int(np.count_nonzero(self._refused))

    def add_left(self, done: Mask) -> None:
        """Bill or adjust the leases that are left, and note why they are."""
        places, batch = np.flatnonzero(~done), self.batch
        for place, lease in zip(places.tolist(), batch.at(places, self.context), strict=True):
            self.add(place, lease)
        left: Mapping[str, int] = {"records": len(places)} if len(places) else {}
        if isinstance(batch.leases, (pa.RecordBatch, ColumnLeases)):
            left = features_left(batch.form, places, self.policy, self.rare, self._refused)
        self.reasons = {(name,): [count] for name, count in left.items()}
        self.alone = len(places)

    def add(self, place: int, lease: Given) -> None:
        """Bill or adjust a lease, or note why not."""
        try:
            if isinstance(lease, UnreadLease):
                raise lease.error
            self.add_terms(place, LeaseTerms.model_validate(lease, context=self.context))
        except OF_A_LEASE as error:
            lease_id = lease_id_of(lease)
            if self._on_problem == "raise":
                raise located(self.batch.rows[place], lease_id, error) from None
            self.problems += problem_cells(place, lease_id, error)
            self._refused[place] = True

    @abstractmethod
    def add_terms(self, place: int, terms: LeaseTerms) -> None:
        """Bill or adjust a lease that could be read."""
