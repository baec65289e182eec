from rentbilling.portfolio.arrow.column_types import (
    ADJUSTMENT_SCHEMA as ADJUSTMENT_SCHEMA,
    BILL_SCHEMA as BILL_SCHEMA,
    LEASE_SCHEMA as LEASE_SCHEMA,
    LINE_SCHEMA as LINE_SCHEMA,
    NOTICE_SCHEMA as NOTICE_SCHEMA,
    PROBLEM_SCHEMA as PROBLEM_SCHEMA,
)
from rentbilling.portfolio.leases.batches import (
    leases_from_arrow as leases_from_arrow,
    leases_to_arrow as leases_to_arrow,
)
from rentbilling.portfolio.leases.table_leases import TableLeases as TableLeases
from rentbilling.portfolio.leases.table_mapping import TableMapping as TableMapping
from rentbilling.portfolio.runs.adjust_runs import AdjustmentSummary as AdjustmentSummary
from rentbilling.portfolio.runs.batch_runs import (
    BilledBatch as BilledBatch,
    BillRecordBatches as BillRecordBatches,
)
from rentbilling.portfolio.runs.bill_results import bills_from_arrow as bills_from_arrow
from rentbilling.portfolio.runs.portfolio_runs import (
    AdjustmentRun as AdjustmentRun,
    PortfolioRun as PortfolioRun,
    adjust_portfolio as adjust_portfolio,
    bill_portfolio as bill_portfolio,
)
from rentbilling.portfolio.runs.summaries import RunSummary as RunSummary

__all__: tuple[str, ...]  # noqa: PYI035 - it is made from this file
