"""Portfolio: many leases billed at once, on columns of whole numbers.

Needs the extra `bulk`. Every figure is the one that the scalar engine gives for a lease alone.
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

try:
    # Said here in one line, not from deep inside.
    import_module("numpy")
except ImportError as missing:
    raise ImportError(
        f"portfolios need {missing.name}: pip install 'rentbilling[bulk]'",
        name=missing.name,
    ) from missing


if TYPE_CHECKING:
    from rentbilling.portfolio.arrow.schemas import (
        ADJUSTMENT_SCHEMA as ADJUSTMENT_SCHEMA,
        BILL_SCHEMA as BILL_SCHEMA,
        LEASE_SCHEMA as LEASE_SCHEMA,
        LINE_SCHEMA as LINE_SCHEMA,
        NOTICE_SCHEMA as NOTICE_SCHEMA,
        PROBLEM_SCHEMA as PROBLEM_SCHEMA,
    )
    from rentbilling.portfolio.kernel.bills import (
        FlatBills as FlatBills,
        bill_flat as bill_flat,
    )
    from rentbilling.portfolio.kernel.items import FlatItems as FlatItems
    from rentbilling.portfolio.leases.batches import (
        leases_from_arrow as leases_from_arrow,
        leases_to_arrow as leases_to_arrow,
    )
    from rentbilling.portfolio.leases.csv_leases import CsvLeases as CsvLeases
    from rentbilling.portfolio.runs.batch_runs import (
        BilledBatch as BilledBatch,
        BillRecordBatches as BillRecordBatches,
    )
    from rentbilling.portfolio.runs.bill_results import bills_from_arrow as bills_from_arrow
    from rentbilling.portfolio.runs.portfolio_runs import (
        PortfolioRun as PortfolioRun,
        bill_portfolio as bill_portfolio,
    )
    from rentbilling.portfolio.runs.summaries import RunSummary as RunSummary

__all__ = (
    "ADJUSTMENT_SCHEMA",
    "BILL_SCHEMA",
    "LEASE_SCHEMA",
    "LINE_SCHEMA",
    "NOTICE_SCHEMA",
    "PROBLEM_SCHEMA",
    "BillRecordBatches",
    "BilledBatch",
    "CsvLeases",
    "FlatBills",
    "FlatItems",
    "PortfolioRun",
    "RunSummary",
    "bill_flat",
    "bill_portfolio",
    "bills_from_arrow",
    "leases_from_arrow",
    "leases_to_arrow",
)

_EXPORTS: Final = MappingProxyType(
    {
        "arrow.schemas": "ADJUSTMENT_SCHEMA BILL_SCHEMA LEASE_SCHEMA LINE_SCHEMA NOTICE_SCHEMA "
        "PROBLEM_SCHEMA",
        "runs.batch_runs": "BillRecordBatches BilledBatch",
        "runs.bill_results": "bills_from_arrow",
        "leases.csv_leases": "CsvLeases",
        "kernel.bills": "FlatBills bill_flat",
        "kernel.items": "FlatItems",
        "leases.batches": "leases_from_arrow leases_to_arrow",
        "runs.portfolio_runs": "PortfolioRun bill_portfolio",
        "runs.summaries": "RunSummary",
    }
)
_MODULE_OF: Final = MappingProxyType(
    {name: module for module, names in _EXPORTS.items() for name in names.split()}
)


def __getattr__(name: str) -> object:
    """Load a name that needs pyarrow from the module that defines it."""
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import_module("pyarrow")
    except ImportError as missing:
        raise ImportError(
            f"portfolios need {missing.name}: pip install 'rentbilling[bulk]'", name=missing.name
        ) from missing
    return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
