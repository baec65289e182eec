"""Portfolio runs: a source of leases and a period go in, tables of bills come out."""

from datetime import date
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

from rentbilling.errors import check_progress
from rentbilling.indices import AnyIndices
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.joined_batches import BATCH_SIZE
from rentbilling.portfolio.arrow.schema_checks import ExtraColumns, check_columns
from rentbilling.portfolio.leases.ids import LeaseIds, of_one_lease_each
from rentbilling.portfolio.leases.problems import OnProblem
from rentbilling.portfolio.leases.sources import leases_in, source_of
from rentbilling.portfolio.leases.table_leases import TableLeases
from rentbilling.portfolio.runs.adjust_runs import (
    AdjustedBatch,
    AdjustmentSummary,
    AdjustRecordBatches,
)
from rentbilling.portfolio.runs.batch_runs import BilledBatch, BillRecordBatches, Output
from rentbilling.portfolio.runs.summaries import RunSummary
from rentbilling.portfolio.runs.table_runs import Progress, TableRun
from rentbilling.values import AnyPeriod


class PortfolioRun(TableRun[BilledBatch, RunSummary]):
    """A run of `bill_portfolio`: a batch has bills, adjustments, notices and problems."""

    __slots__ = ()
    function: ClassVar = "bill_portfolio"
    counted: ClassVar = ("billed", "nothing_due", "with_problems")


class AdjustmentRun(TableRun[AdjustedBatch, AdjustmentSummary]):
    """A run of `adjust_portfolio`: a batch has adjustments, leases, notices and problems."""

    __slots__ = ()
    function: ClassVar = "adjust_portfolio"
    counted: ClassVar = ("adjusted", "unchanged", "with_problems")


def bill_portfolio(
    source: Any,  # noqa: ANN401 - whatever holds leases
    period: AnyPeriod,
    *,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
    output: Output = "bills",
    on_problem: OnProblem = "table",
    extra_columns: ExtraColumns = "refuse",
    batch_size: int = BATCH_SIZE,
    already_billed: Any = None,  # noqa: ANN401 - whatever holds bills
    billed_since: date | str | None = None,
    progress: Progress | None = None,
) -> PortfolioRun:
    """Return the run that bills many leases for a period, with the figures of `bill_period`.

    Args:
        source: What holds the leases, with the columns of `LEASE_SCHEMA` in any order: the path of
            a Parquet or Arrow file or of a folder of Parquet files, also in sub-folders,
            `TableMapping.leases` of a flat table, an Arrow table or reader, a data frame, or an
            iterable of record batches, of leases, or of payloads. Leases and payloads are billed
            one by one.
        period: The asked days, both ends included.
        indices: The index series that rent adjustment plans follow.
        policy: Every choice the interface leaves open.
        output: The table that the run gives: a row for each bill or line, or for each adjustment,
            notice or problem.
        on_problem: Whether a lease that cannot be billed is a row of the problems, or stops
            the run.
        extra_columns: Whether columns that no lease has are refused or ignored.
        batch_size: Leases of a batch at most; memory grows with it, and hardly with anything else.
        already_billed: All bills of the last months, as runs give them: the path of a Parquet file
            or of a folder of them, a table or reader of Arrow, a data frame, or several of those in
            a list. They are found by the id of the lease, which each lease must have then; what
            they bill is not billed again, and what has changed since is corrected (A53). A bill
            that is given twice is refused.
        billed_since: The first day that counts then, the same for all leases; all bills that were
            due since are given. Without it a lease counts from the first due date of its own
            earlier bills, and nothing is made up for a lease without any, such as one that had a
            problem.
        progress: Is called after each batch with how many leases are done and how many there are,
            None where the source does not say; at the end with the same number twice.

    Returns:
        The run, of which no lease has been billed yet. Of each lease it keeps 24 bytes, so that two
        leases of one id are refused and not billed twice.

    Raises:
        InvalidInputError: The period is malformed, a word unknown, the source has no leases, or
            its columns are not those of leases. While the run is under way: two leases have one
            id.
        OSError: There is no such file.
        TypeError: `policy` is no BillingPolicy, or the batch size no number of 1 or more.

    Examples:
        >>> from rentbilling.testing import a_lease
        >>> run = bill_portfolio([a_lease()], "2026-02-01/2026-03-31")
        >>> run.to_table().column("due_date").to_pylist()
        [datetime.date(2026, 2, 1), datetime.date(2026, 3, 1)]
        >>> print(run.summary)
        1 lease: 1 billed, 0 with nothing due, 0 with problems
        2 bills, 0 adjustments, 0 notices
        17000.00 DKK + 0.00 VAT = 17000.00 DKK
          Exempt: 0.00 of 17000.00
    """
    bill = BillRecordBatches(
        period,
        indices=indices,
        policy=policy,
        output=output,
        on_problem=on_problem,
        extra_columns=extra_columns,
        already_billed=already_billed,
        billed_since=billed_since,
    )
    return PortfolioRun(bill, **_begun(source, bill, batch_size, progress))


def adjust_portfolio(
    source: Any,  # noqa: ANN401 - whatever holds leases
    period: AnyPeriod,
    *,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
    on_problem: OnProblem = "table",
    extra_columns: ExtraColumns = "refuse",
    batch_size: int = BATCH_SIZE,
    progress: Progress | None = None,
) -> AdjustmentRun:
    """Return the run that adjusts the rents of many leases, with the figures of `rent_adjustments`.

    It gives a table of the adjustments that fall in the period, and as `leases` the terms with
    these adjustments listed in their plans and as amount records of their items (A18), so that
    they are stored and not computed again; see `adjusted_terms`. Nothing else of a lease that is
    given in columns changes (A135).

    Args:
        source: What holds the leases, see `bill_portfolio`.
        period: The asked days, both ends included, such as a year. For leases whose plans have
            adjusted before and do not list it, the first run begins with their first year.
        indices: The index series that rent adjustment plans follow.
        policy: Every choice the interface leaves open.
        on_problem: Whether a lease that cannot be adjusted is a row of the problems, or stops the
            run. It is among the leases as it was given if it can be read.
        extra_columns: Whether columns that no lease has are refused or ignored.
        batch_size: Leases of a batch at most.
        progress: See `bill_portfolio`.

    Returns:
        The run, of which no lease has been adjusted yet.

    Raises:
        InvalidInputError: See `bill_portfolio`.
        OSError: There is no such file.
        TypeError: `policy` is no BillingPolicy, or the batch size no number of 1 or more.

    Examples:
        >>> from rentbilling.testing import a_lease, a_plan, a_rent, an_index
        >>> npi = an_index({"2025-10": "100.0", "2026-10": "103.0"}, name="NPI")
        >>> lease = a_lease(a_rent(amount=8000), plans=[a_plan()], lease_id="home")
        >>> run = adjust_portfolio([lease], "2027-01-01/2027-12-31", indices=npi)
        >>> tables = run.to_tables()
        >>> tables["adjustments"].to_pylist()[0]["to_period_amount"]["amount"].normalize()
        Decimal('8.24E+3')
        >>> print(run.summary)
        1 lease: 1 adjusted, 0 unchanged, 0 with problems
        1 adjustment, 0 notices
    """
    adjust = AdjustRecordBatches(
        period, indices=indices, policy=policy, on_problem=on_problem, extra_columns=extra_columns
    )
    return AdjustmentRun(adjust, **_begun(source, adjust, batch_size, progress))


def _begun(
    source: Any,  # noqa: ANN401 - whatever holds leases
    bill: BillRecordBatches | AdjustRecordBatches,
    batch_size: int,
    progress: Progress | None,
) -> dict[str, Any]:
    """Return what a run over a source begins with."""
    if type(batch_size) is not int or batch_size < 1:
        raise TypeError(f"a batch has 1 lease or more, not {batch_size!r}")
    check_progress(progress)
    found = source_of(source, batch_size, bill.policy)
    if found.schema is not None:
        check_columns(found.schema, bill.extra_columns)
    seen = LeaseIds()
    batches = of_one_lease_each(found.batches, bill.extra_columns, seen, found.place)
    total = None if progress is None else leases_in(source)
    given = source.source if isinstance(source, TableLeases) else source
    path = Path(given) if isinstance(given, (str, PathLike)) else None
    return {
        "batches": batches,
        "progress": progress,
        "total": total,
        "seen": seen,
        "path": path,
        "counts": found.counts,
    }
