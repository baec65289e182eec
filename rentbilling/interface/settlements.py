"""Settlements of service charges: as they are created, changed, settled, checked and billed."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from rentbilling.errors import InvalidRecordError, Problem, shown
from rentbilling.interface.items import LeaseOneTimeBillItem, LeaseRecurringBillItem
from rentbilling.interface.request import Change, SentRecord
from rentbilling.records import (
    ABSENT,
    AmountField,
    CheckedRecord,
    IdField,
    Listed,
    OptionalDateField,
    PeriodField,
    Problems,
    TextField,
    wire_names,
)
from rentbilling.settlement import (
    Advance,
    CostPool,
    Occupancy,
    Reading,
    Settlement,
    SettlementDifference,
    SettlementResult,
    SettlementUnit,
    StatedStatement,
)
from rentbilling.tables import PageRecord, TabularRecord

K = TypeVar("K", bound=CheckedRecord)


def _like(kind: type[K], source: object, **others: object) -> K:
    same = {name: getattr(source, name) for name in kind.model_fields if name not in others}
    return kind(**same, **others)


class HouseSettlement(TabularRecord):
    """The costs of a house for a period, with all that they are shared by."""

    # Ours
    id: IdField
    """Identifier."""
    settlement: Settlement
    """Costs, units, occupancies, readings and advances."""
    one_time_bill_item_ids: Annotated[tuple[IdField, ...], Listed] = ()
    """The items that billed its statements (A126)."""


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
        return cls(
            statements=tuple(
                _like(
                    SettlementStatement,
                    each,
                    lines=tuple(_like(SettlementLine, line) for line in each.lines),
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


class AdvanceProduct(CheckedRecord):
    """The product whose items bill the advances for a group of pools."""

    # Ours
    group: IdField | None = None
    """The group; absent: pools without a group."""
    product_key: IdField
    """Key of the product."""


class BillSettlement(SentRecord):
    """Which statements of a settlement are billed, and when (assumptions A126, A127)."""

    # Ours
    settlement_id: IdField
    """The settlement."""
    due_date: OptionalDateField = ABSENT
    """The due date of the balances."""
    received_on: OptionalDateField = ABSENT
    """Instead: the day on which the tenants get the statements; the due date follows (A92)."""
    product_key: IdField | None = None
    """Product of the items; absent: `key:settlement`."""
    lease_ids: Annotated[tuple[IdField, ...], Listed] = ()
    """Only these leases; empty: all."""
    advances_from: OptionalDateField = ABSENT
    """From this day on, recurring items bill the new advances (A83)."""
    advance_products: Annotated[tuple[AdvanceProduct, ...], Listed] = ()
    """The products of these items, by group."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        yield from cls.bound_problems(parts)
        names, days = wire_names(cls), [parts.get("due_date"), parts.get("received_on")]
        if days.count(None) != 1:
            said, expected = "are both given, or none is", f"one of {names['received_on']} and this"
            problem = Problem(names["due_date"], "one_of_two", said, shown(days), expected)
            yield InvalidRecordError, problem
        products, start = parts.get("advance_products") or (), parts.get("advances_from")
        if bool(products) != (start is not None):
            name = names["advances_from" if products else "advance_products"]
            said, expected = "is required for new advances", "a day, and products"
            yield InvalidRecordError, Problem(name, "missing", said, "nothing", expected)
        groups = [each.group for each in products]
        if len(groups) != len(set(groups)):
            said, expected = "name a group twice", "one product for each group"
            place = names["advance_products"]
            yield InvalidRecordError, Problem(place, "wrong_groups", said, shown(groups), expected)


class SettlementBilled(CheckedRecord):
    """What was billed of a settlement."""

    # Ours
    one_time_bill_items: Annotated[tuple[LeaseOneTimeBillItem, ...], Listed]
    """The items that are new; none for a balance that was billed before."""
    recurring_bill_items: Annotated[tuple[LeaseRecurringBillItem, ...], Listed]
    """The items that bill a new advance."""
    problems: Annotated[tuple[StatementProblem, ...], Listed]
    """Of leases that have no statement or cannot be billed; the others are billed."""


class CheckStatement(SentRecord):
    """A statement that somebody else made."""

    # Ours
    settlement_id: IdField
    """The settlement."""
    statement: StatedStatement
    """Its figures."""


class StatementDifference(CheckedRecord):
    """A figure of a statement that is another one than ours."""

    # Ours
    figure: TextField
    """`share`, `advances`, `balance`, or `sum` where the statement contradicts itself."""
    pool_id: IdField | None = None
    """The pool of a share."""
    stated: AmountField
    """What the statement says."""
    expected: AmountField
    """What it should say."""
    causes: Annotated[tuple[TextField, ...], Listed]
    """Words of `CAUSES`: each was tried, and gives the stated amount."""
    message: TextField
    """The difference as a sentence."""


class StatementChecked(CheckedRecord):
    """Where a statement differs from ours."""

    # Ours
    differences: Annotated[tuple[StatementDifference, ...], Listed]
    """None: it is right."""

    @classmethod
    def of(cls, found: Iterable[SettlementDifference]) -> Self:
        return cls(
            differences=tuple(_like(StatementDifference, each, message=str(each)) for each in found)
        )
