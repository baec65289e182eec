"""Operations on settlements of service charges: created, completed, settled, checked and billed.

Laws: statements are computed at each request from what is stored, and none is stored; a balance
that is billed twice is billed once.
"""

from collections.abc import Iterator, Sequence, Set as AbstractSet
from datetime import date
from decimal import Decimal
from typing import Final, cast

from rentbilling.billing import pending_bills
from rentbilling.errors import (
    ConflictError,
    InvalidInputError,
    InvalidRecordError,
    MissingFactError,
    NotFoundError,
    UnsupportedCaseError,
)
from rentbilling.interface import (
    BillSettlement,
    ChangeRecurringBillItem,
    ChangeSettlement,
    CheckStatement,
    CreateOneTimeBillItem,
    CreateSettlement,
    HouseSettlement,
    LeaseOneTimeBillItem,
    LeaseRecurringBillItem,
    OneTimeBillItemRequest,
    PageRequest,
    SettlementBilled,
    SettlementCreated,
    SettlementPage,
    SettlementRequest,
    SettlementStatements,
    StatementChecked,
    StatementProblem,
)
from rentbilling.records import wire_names
from rentbilling.service.items import (
    change_recurring_bill_item,
    create_one_time_bill_item,
    retrieve_one_time_bill_item,
)
from rentbilling.service.lease_access import compiled_terms, list_page, open_lease, require
from rentbilling.service.store import Context, Store, Stored
from rentbilling.settlement import (
    Settlement,
    SettlementResult,
    Statement,
    check_settlement as checked,
    settle,
)
from rentbilling.terms import RENT, AmountRecord, OneTimeBillItem, RecurringBillItem, value_on
from rentbilling.values import LAST_DAY, Amount, Period, Vat

_MOST_SHARES: Final = 100_000
"""Pools times units and occupancies, at most; a second or so of work."""
_WAYS: Final = 20
"""Ways of settling that a check tries, about."""
_PRODUCT: Final = "key:settlement"
_DAYS_OF_RENT: Final = 800
"""Days after the receipt of a statement in which rents are looked for."""
_OF_ONE_LEASE: Final = (
    *(ConflictError, InvalidInputError, MissingFactError),
    *(NotFoundError, UnsupportedCaseError),
)
"""Errors that stop one lease, and no other."""


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
    return SettlementStatements.of(_settled(settlement))


def _settled(settlement: Settlement) -> SettlementResult:
    """Return the statements of a settlement that is not too large."""
    _check_size(settlement, _MOST_SHARES)
    return settle(settlement)


def _check_size(settlement: Settlement, most: int) -> None:
    if len(settlement.pools) * (len(settlement.units) + len(settlement.occupancies)) > most:
        case = f"a settlement of more than {most:,} shares in one request"
        raise UnsupportedCaseError("unsupported", case=case)


def check_statement(request: CheckStatement, store: Store, context: Context) -> StatementChecked:
    """Compare a statement made elsewhere with that of a settlement."""
    del context
    settlement = require(store, HouseSettlement, request.settlement_id).record.settlement
    _check_size(settlement, _MOST_SHARES // _WAYS)
    return StatementChecked.of(checked(request.statement, settlement))


def bill_settlement(request: BillSettlement, store: Store, context: Context) -> SettlementBilled:
    """Bill the balances of a settlement as one-time items, and set the new advances (A126, A127).

    A balance that was billed before is not billed again; one that has changed, by its difference.
    """
    stored = require(store, HouseSettlement, request.settlement_id)
    result = _settled(stored.record.settlement)
    earlier = _earlier(stored.record, store)
    _check_groups(request, result)
    settled = {each.lease_id for each in (*result, *result.problems)}
    asked = _asked(request, {*settled, *earlier})
    problems = [*SettlementStatements.of(result).problems]
    problems += [_not_settled(lease) for lease in earlier if lease not in settled]
    once: list[LeaseOneTimeBillItem] = []
    recurring: list[LeaseRecurringBillItem] = []
    for each in result:
        if each.lease_id not in asked:
            continue
        try:
            once.extend(_new_items(each, request, earlier.get(each.lease_id, []), store, context))
            recurring.extend(_new_advances(each, request, store, context))
        except _OF_ONE_LEASE as error:
            problem = StatementProblem(lease_id=each.lease_id, code=error.code, message=str(error))
            problems.append(problem)
    if once:
        ids = (*stored.record.one_time_bill_item_ids, *(str(each.id) for each in once))
        store.replace(stored._replace(record=stored.record.evolve(one_time_bill_item_ids=ids)))
    return SettlementBilled(
        one_time_bill_items=tuple(once),
        recurring_bill_items=tuple(recurring),
        problems=tuple(each for each in problems if each.lease_id in asked),
    )


def _asked(request: BillSettlement, known: set[str]) -> set[str]:
    """Return the leases that are to be billed.

    Raises:
        InvalidRecordError: One is not in the settlement.
    """
    for at, lease in enumerate(request.lease_ids):
        if lease not in known:
            said, expected = "is not settled", "a lease of the settlement"
            path = f"{wire_names(BillSettlement)['lease_ids']}[{at}]"
            raise InvalidRecordError.of(path, "unknown_id", said, lease, expected)
    return {*request.lease_ids} or known


def _earlier(settlement: HouseSettlement, store: Store) -> dict[str, list[OneTimeBillItem]]:
    """Return by lease the items that billed a settlement before, without those withdrawn since."""
    found: dict[str, list[OneTimeBillItem]] = {}
    for each in store.several(OneTimeBillItem, settlement.one_time_bill_item_ids).values():
        found.setdefault(str(each.belongs_to), []).append(each.record)
    return found


def _check_groups(request: BillSettlement, result: SettlementResult) -> None:
    """Refuse a product for the new advance of a group that no statement has."""
    known = {balance.group for each in result for balance in each.balances}
    for at, each in enumerate(request.advance_products):
        if known and each.group not in known:
            path = f"{wire_names(BillSettlement)['advance_products']}[{at}].group"
            said, listed = "is of no statement", sorted(group or "no group" for group in known)
            expected = "one of " + ", ".join(listed)
            raise InvalidRecordError.of(path, "wrong_groups", said, each.group, expected)


def _not_settled(lease_id: str) -> StatementProblem:
    said = "was billed, and has no statement any more: withdraw its items"
    return StatementProblem(lease_id=lease_id, code="not_settled", message=said)


def _new_items(
    statement: Statement,
    request: BillSettlement,
    earlier: Sequence[OneTimeBillItem],
    store: Store,
    context: Context,
) -> Iterator[LeaseOneTimeBillItem]:
    """Create the items of a statement; one that is created is given before the next is tried."""
    due, key = request.due_date, request.product_key or _PRODUCT
    for each in earlier:
        if not f"{each.product_key}:".startswith(f"{key}:"):
            path, said = wire_names(BillSettlement)["product_key"], "is not that of earlier items"
            raise InvalidRecordError.of(path, "other_product", said, key, each.product_key)
    received_on = due or cast("date", request.received_on)
    items = statement.items(received_on, product_key=key, already_settled=earlier)
    if due is None and items:
        nothing = Amount.unchecked(Decimal(0), items[0].amount.currency)
        charged = sum((each.amount for each in items), nothing)
        rents = _rents(statement, received_on, store, context)
        due = statement.due_date(received_on, rents, charged=charged)
    for item in (each.evolve(due_date=due) for each in items):
        new = CreateOneTimeBillItem(lease_id=statement.lease_id, one_time_bill_item=item)
        made = create_one_time_bill_item(new, store, context).one_time_bill_item_id
        asked = OneTimeBillItemRequest(one_time_bill_item_id=made)
        yield retrieve_one_time_bill_item(asked, store, context)


def _rents(
    statement: Statement, received_on: date, store: Store, context: Context
) -> Sequence[date]:
    """Return the days on which a lease has rents due after a day, if its balance waits for one."""
    if not statement.house.policy.due_rents:
        return ()
    first = received_on.toordinal()
    days = Period.unchecked(first, min(first + _DAYS_OF_RENT, LAST_DAY))
    terms = compiled_terms(store, open_lease(store, statement.lease_id), days, context)
    return [
        each.due_date
        for each in pending_bills(terms, days)
        if any(line.product_key == RENT for line in each.lines)
    ]


def _new_advances(
    statement: Statement, request: BillSettlement, store: Store, context: Context
) -> Iterator[LeaseRecurringBillItem]:
    """Set the new advances of a statement on the recurring items that bill them (A127)."""
    start = request.advances_from
    if start is None:
        return
    lease_id, records = open_lease(store, statement.lease_id).id, statement.new_advances(start)
    products: dict[str, list[str | None]] = {}
    for each in request.advance_products:
        if each.group in records:
            products.setdefault(each.product_key, []).append(each.group)
    for product_key, groups in products.items():
        vats = {each.vat for each in statement.balances if each.group in groups}
        item = _advance_item(lease_id, product_key, start, vats, store)
        # What groups of one product come to is one advance.
        monthly = sum((records[each].value for each in groups[1:]), records[groups[0]].value)
        value = monthly.amount * _months_of_price(item)
        change = ChangeRecurringBillItem(
            recurring_bill_item_id=str(item.id),
            amount_records=(
                AmountRecord(value=Amount.unchecked(value, monthly.currency), start=start),
            ),
        )
        yield change_recurring_bill_item(change, store, context)


def _months_of_price(item: RecurringBillItem) -> int:
    """Return for how many months the amount of an item is (A65)."""
    months = {"month": 1, "year": 12}
    return months.get(item.price_per, item.billing_cycle.months)


def _advance_item(
    lease_id: str, product_key: str, start: date, vats: AbstractSet[Vat], store: Store
) -> RecurringBillItem:
    """Return the one recurring item of a product that a new advance can be set on.

    Raises:
        MissingFactError: There is none, or several.
    """
    found = [
        each.record
        for each in store.belonging(RecurringBillItem, [lease_id])[lease_id]
        if each.record.product_key == product_key and _takes_advance(each.record, start, vats)
    ]
    if len(found) != 1:
        raise MissingFactError("no_advance_item", product_key=product_key, start=start)
    return found[0]


def _takes_advance(item: RecurringBillItem, start: date, statements_vats: AbstractSet[Vat]) -> bool:
    """Return whether an item is billed by months on a day, for one unit, with a statement's VAT."""
    ends = [each for each in (item.ended_on, item.cancelled_on) if each is not None]
    vats = [item.vat, *(each.value for each in item.vat_records)]
    vat = value_on(item.vat_records, start.toordinal(), item.vat)
    opening = item.first_billing_period_bill_item.accounting_period
    return (
        item.billing_cycle.months > 0
        and opening.first <= start.toordinal()
        and statements_vats == {vat}
        and all(start <= each for each in ends)
        and all(each.tax_mode != "Inclusive" for each in vats)
        and item.quantity in (None, 1)
        and not item.quantity_records
    )
