"""Settlements of service charges: as they are created, changed and settled."""

from typing import Annotated, ClassVar, Literal, Self

from rentbilling.interface.request import Change, SentRecord
from rentbilling.records import (
    ABSENT,
    AmountField,
    CheckedRecord,
    IdField,
    Listed,
    OptionalDateField,
    PeriodField,
    TextField,
)
from rentbilling.settlement import (
    Advance,
    CostPool,
    Occupancy,
    Reading,
    Settlement,
    SettlementResult,
    SettlementUnit,
)
from rentbilling.tables import PageRecord, TabularRecord


class HouseSettlement(TabularRecord):
    """The costs of a house for a period, with all that they are shared by."""

    # Ours
    id: IdField
    """Identifier."""
    settlement: Settlement
    """Costs, units, occupancies, readings and advances."""


class SettlementPage(PageRecord):
    """A page of settlements."""

    # Ours
    settlements: Annotated[tuple[HouseSettlement, ...], Listed]
    """The settlements, in order of creation."""


class SettlementRequest(SentRecord):
    """A request about one settlement."""

    # Ours
    settlement_id: IdField
    """Its identifier."""


class CreateSettlement(SentRecord):
    """A settlement that costs and readings are recorded for."""

    # Ours
    settlement: Settlement
    """What is known of it; costs, readings and advances may come later."""


class SettlementCreated(CheckedRecord):
    """A settlement was created."""

    # Ours
    settlement_id: IdField
    """The settlement."""


class ChangeSettlement(Change):
    """Costs, readings and other lists of a settlement, each whole; one that is absent stays."""

    subject: ClassVar[str] = "settlement_id"

    # Ours
    settlement_id: IdField
    """The settlement."""
    pools: Annotated[tuple[CostPool, ...], Listed] | None = None
    """The costs."""
    units: Annotated[tuple[SettlementUnit, ...], Listed] | None = None
    """The units."""
    occupancies: Annotated[tuple[Occupancy, ...], Listed] | None = None
    """Who had the units."""
    readings: Annotated[tuple[Reading, ...], Listed] | None = None
    """Readings of meters."""
    advances: Annotated[tuple[Advance, ...], Listed] | None = None
    """What was paid in advance."""
    known_on: OptionalDateField = ABSENT
    """The day on which the statements are made."""
    settled_by: OptionalDateField = ABSENT
    """The last day on which they are in time."""
    clear: Annotated[tuple[Literal["knownOn", "settledBy"], ...], Listed] = ()
    """Fields that have no value from now on."""


class SettlementLine(CheckedRecord):
    """What one occupancy bears of a cost pool."""

    # Ours
    pool_id: IdField
    """The pool."""
    occupancy_id: IdField
    """The occupancy."""
    unit_id: IdField
    """Its unit."""
    days: PeriodField
    """Its days in the settled period."""
    pool_amount: AmountField
    """The whole pool."""
    amount: AmountField
    """The share."""


class SettlementStatement(CheckedRecord):
    """The statement of one lease."""

    # Ours
    lease_id: IdField
    """The lease, or the occupancy that names none."""
    share: AmountField
    """What it bears of all pools."""
    advances: AmountField
    """What was paid in advance."""
    balance: AmountField
    """Share less advances: above 0 the tenant pays."""
    charged: AmountField
    """The balance without extra charges that are dropped because it is late."""
    lines: Annotated[tuple[SettlementLine, ...], Listed]
    """Its shares of the pools."""


class LandlordPart(CheckedRecord):
    """What the landlord bears of a cost pool for one reason."""

    # Ours
    pool_id: IdField
    """The pool."""
    reason: TextField
    """Why, such as vacant."""
    amount: AmountField
    """How much."""


class StatementProblem(CheckedRecord):
    """Why a lease has no statement."""

    # Ours
    lease_id: IdField
    """The lease."""
    code: TextField
    """The code of the problem."""
    message: TextField
    """Where and what is wrong, and what is expected."""


class SettlementStatements(CheckedRecord):
    """The statements of a settlement."""

    # Ours
    statements: Annotated[tuple[SettlementStatement, ...], Listed]
    """By lease."""
    landlord: Annotated[tuple[LandlordPart, ...], Listed]
    """What the landlord bears; with the shares it adds up to each pool."""
    problems: Annotated[tuple[StatementProblem, ...], Listed]
    """Of leases without a statement."""

    @classmethod
    def of(cls, result: SettlementResult) -> Self:
        """Return the statements of a result of `settle`."""
        return cls(
            statements=tuple(
                SettlementStatement(
                    lease_id=each.lease_id,
                    share=each.share,
                    advances=each.advances,
                    balance=each.balance,
                    charged=each.charged,
                    lines=tuple(
                        SettlementLine(
                            pool_id=line.pool_id,
                            occupancy_id=line.occupancy_id,
                            unit_id=line.unit_id,
                            days=line.days,
                            pool_amount=line.pool_amount,
                            amount=line.amount,
                        )
                        for line in each.lines
                    ),
                )
                for each in result
            ),
            landlord=tuple(
                LandlordPart(pool_id=each.pool_id, reason=reason, amount=amount)
                for each in result.pools
                for reason, amount in each.landlord.items()
            ),
            problems=tuple(
                StatementProblem(lease_id=each.lease_id, code=one.code, message=str(one))
                for each in result.problems
                for one in each.problems
            ),
        )
