"""Portfolio: many leases billed at once, and ten thousand futures of one, on whole numbers.

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
        f"futures and portfolios need {missing.name}: pip install 'rentbilling[bulk]'",
        name=missing.name,
    ) from missing

from rentbilling.portfolio.futures import Futures as Futures
from rentbilling.portfolio.index_paths import IndexPaths as IndexPaths
from rentbilling.portfolio.simulations import simulate as simulate

if TYPE_CHECKING:
    from rentbilling.portfolio.arrow_types import (
        ADJUSTMENT_SCHEMA as ADJUSTMENT_SCHEMA,
        BILL_SCHEMA as BILL_SCHEMA,
        LEASE_SCHEMA as LEASE_SCHEMA,
        LINE_SCHEMA as LINE_SCHEMA,
        NOTICE_SCHEMA as NOTICE_SCHEMA,
        PROBLEM_SCHEMA as PROBLEM_SCHEMA,
    )
    from rentbilling.portfolio.batch_runs import (
        BilledBatch as BilledBatch,
        BillRecordBatches as BillRecordBatches,
    )
    from rentbilling.portfolio.bill_results import bills_from_arrow as bills_from_arrow
    from rentbilling.portfolio.csv_leases import CsvLeases as CsvLeases
    from rentbilling.portfolio.flat_bills import FlatBills as FlatBills, bill_flat as bill_flat
    from rentbilling.portfolio.flat_items import FlatItems as FlatItems
    from rentbilling.portfolio.lease_batches import (
        leases_from_arrow as leases_from_arrow,
        leases_to_arrow as leases_to_arrow,
    )
    from rentbilling.portfolio.portfolio_runs import (
        PortfolioRun as PortfolioRun,
        bill_portfolio as bill_portfolio,
    )
    from rentbilling.portfolio.run_summaries import RunSummary as RunSummary

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
    "Futures",
    "IndexPaths",
    "PortfolioRun",
    "RunSummary",
    "bill_flat",
    "bill_portfolio",
    "bills_from_arrow",
    "leases_from_arrow",
    "leases_to_arrow",
    "simulate",
)

_ROOMS: Final = MappingProxyType(
    {
        "arrow_types": "ADJUSTMENT_SCHEMA BILL_SCHEMA LEASE_SCHEMA LINE_SCHEMA NOTICE_SCHEMA "
        "PROBLEM_SCHEMA",
        "batch_runs": "BillRecordBatches BilledBatch",
        "bill_results": "bills_from_arrow",
        "csv_leases": "CsvLeases",
        "flat_bills": "FlatBills bill_flat",
        "flat_items": "FlatItems",
        "lease_batches": "leases_from_arrow leases_to_arrow",
        "portfolio_runs": "PortfolioRun bill_portfolio",
        "run_summaries": "RunSummary",
    }
)
_ROOM_OF: Final = MappingProxyType(
    {name: room for room, names in _ROOMS.items() for name in names.split()}
)


def __getattr__(name: str) -> object:
    """Load a name that needs pyarrow from the room that owns it; futures do without."""
    room = _ROOM_OF.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import_module("pyarrow")
    except ImportError as missing:
        raise ImportError(
            f"portfolios need {missing.name}: pip install 'rentbilling[bulk]'", name=missing.name
        ) from missing
    return getattr(import_module(f"{__name__}.{room}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
