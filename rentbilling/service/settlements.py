"""Operations on settlements of service charges: created, completed, and settled.

Law: statements are computed at each request from what is stored; none is stored.
"""

from typing import Final

from rentbilling.errors import UnsupportedCaseError
from rentbilling.interface import (
    ChangeSettlement,
    CreateSettlement,
    HouseSettlement,
    PageRequest,
    SettlementCreated,
    SettlementPage,
    SettlementRequest,
    SettlementStatements,
)
from rentbilling.service.lease_access import list_page, require
from rentbilling.service.store import Context, Store, Stored
from rentbilling.settlement import settle

_MOST_SHARES: Final = 100_000
"""Pools times units and occupancies, at most; a second or so of work."""


def create_settlement(
    request: CreateSettlement, store: Store, context: Context
) -> SettlementCreated:
    """Create a settlement."""
    settlement_id = context.new_id()
    settlement = HouseSettlement(id=settlement_id, settlement=request.settlement)
    store.add(Stored(settlement, settlement_id))
    return SettlementCreated(settlement_id=settlement_id)


def list_settlements(request: PageRequest, store: Store, context: Context) -> SettlementPage:
    """List settlements."""
    del context
    found = list_page(store, HouseSettlement, request)
    return SettlementPage(settlements=tuple(each.record for each in found))


def retrieve_settlement(
    request: SettlementRequest, store: Store, context: Context
) -> HouseSettlement:
    """Retrieve one settlement."""
    del context
    return require(store, HouseSettlement, request.settlement_id).record


def change_settlement(request: ChangeSettlement, store: Store, context: Context) -> HouseSettlement:
    """Record costs, readings, occupancies or advances of a settlement."""
    del context
    stored = require(store, HouseSettlement, request.settlement_id)
    changes = request.changes()
    if changes:
        settlement = stored.record.settlement.evolve(**changes)
        stored = stored._replace(record=stored.record.evolve(settlement=settlement))
        store.replace(stored)
    return stored.record


def list_statements(
    request: SettlementRequest, store: Store, context: Context
) -> SettlementStatements:
    """Settle a settlement, and list the statement of each lease."""
    del context
    settlement = require(store, HouseSettlement, request.settlement_id).record.settlement
    if len(settlement.pools) * (len(settlement.units) + len(settlement.occupancies)) > _MOST_SHARES:
        case = f"a settlement of more than {_MOST_SHARES:,} shares in one request"
        raise UnsupportedCaseError("unsupported", case=case)
    return SettlementStatements.of(settle(settlement))
