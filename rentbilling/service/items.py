"""Operations on bill items: created on a lease that can be billed with them, changed, listed.

Laws: an item is stored as it was given, with an id of its own; what was agreed of a recurring one
from its beginning stays; a lease that could not be billed with a new or changed item refuses it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar, cast

from rentbilling.errors import ConflictError, InvalidInputError
from rentbilling.interface import (
    ChangeOneTimeBillItem,
    ChangeRecurringBillItem,
    CreateOneTimeBillItem,
    CreateRecurringBillItem,
    Lease,
    LeaseOneTimeBillItem,
    LeasePartsRequest,
    LeaseRecurringBillItem,
    OneTimeBillItemCreated,
    OneTimeBillItemPage,
    OneTimeBillItemRequest,
    RecurringBillItemCreated,
    RecurringBillItemPage,
    RecurringBillItemRequest,
    check_bounds,
)
from rentbilling.records import wire_names
from rentbilling.service.lease_access import (
    changed_terms,
    list_page,
    open_lease,
    placed,
    require,
    terms_beside,
)
from rentbilling.service.store import Context, Store, Stored
from rentbilling.terms import (
    RECORDS,
    AmountRecord,
    DescriptionRecord,
    LeaseTerms,
    OneTimeBillItem,
    QuantityRecord,
    RecurringBillItem,
    VatRecord,
)

MOST_ITEMS: Final = 20_000
"""Items of a lease, recurring and one-time together: its terms have all of them."""

R = TypeVar("R", bound=AmountRecord | VatRecord | DescriptionRecord | QuantityRecord)


def create_recurring_bill_item(
    request: CreateRecurringBillItem, store: Store, context: Context
) -> RecurringBillItemCreated:
    """Create a recurring bill item; its first due date is that of its opening period (A12)."""
    lease = _with_room(store, open_lease(store, request.lease_id))
    terms = terms_beside(store, lease)
    item_id = context.new_id()
    item = request.recurring_bill_item.evolve(id=item_id)
    before = terms.recurring_bill_items
    written = {f"recurringBillItems[{len(before)}]": "recurringBillItem"}
    changed_terms(terms, {"recurring_bill_items": (*before, item)}, written, context)
    store.add(Stored(item, item_id, lease.id))
    return RecurringBillItemCreated(
        recurring_bill_item_id=item_id,
        first_due_date=item.first_billing_period_bill_item.due_date,
    )


def _with_room(store: Store, lease: Stored[Lease]) -> Stored[Lease]:
    """Return a lease that can have another item.

    Raises:
        ConflictError: `too_many_items`.
    """
    kinds = RecurringBillItem, OneTimeBillItem
    if sum(store.count(kind, lease.id) for kind in kinds) >= MOST_ITEMS:
        raise ConflictError("too_many_items", lease=lease.id, most=MOST_ITEMS)
    return lease


def change_recurring_bill_item(
    request: ChangeRecurringBillItem, store: Store, context: Context
) -> LeaseRecurringBillItem:
    """Change a recurring bill item: its end, discount, text, or what holds from a later day."""
    stored = require(store, RecurringBillItem, request.recurring_bill_item_id)
    terms = terms_beside(store, open_lease(store, str(stored.belongs_to)))
    items = [*terms.recurring_bill_items]
    at = items.index(stored.record) if items else 0
    changes, written = _changes(stored.record, request)
    if changes:
        try:
            item = stored.record.evolve(**changes)
        except InvalidInputError as error:
            raise placed(error, written) from None
        # Later records are added to those there: many small changes must not build an endless item.
        if not changes.keys().isdisjoint(dict(RECORDS)):
            check_bounds(item)
        items[at : at + 1] = [item]
        place = f"recurringBillItems[{at}]"
        places = {f"{place}.{path}": where for path, where in written.items()}
        # A problem of the item as a whole is placed at the field that changed first.
        places[place] = next(iter(written.values()))
        changed_terms(terms, {"recurring_bill_items": tuple(items)}, places, context)
        stored = stored._replace(record=item)
        store.replace(stored)
    return _recurring(stored)


def _changes(
    item: RecurringBillItem, request: ChangeRecurringBillItem
) -> tuple[dict[str, Any], dict[str, str]]:
    lists, written = dict(RECORDS), dict[str, str]()
    # A list without records adds nothing.
    changes = {
        name: value for name, value in request.changes().items() if getattr(request, name) != ()
    }
    for name in changes:
        added = getattr(request, name)
        if name not in lists or added is None:
            wire = wire_names(RecurringBillItem)[name]
            written[wire] = wire
            continue
        changes[name], places = _with_records(getattr(item, name), added)
        wire = lists[name]
        written |= {f"{wire}[{place}]": f"{wire}[{at}]" for at, place in enumerate(places)}
    return changes, written


def _with_records(before: Sequence[R], added: Sequence[R]) -> tuple[tuple[R, ...], list[int]]:
    """Return records with others, of which one of the same day takes the place; and the places."""
    records = [*before]
    days = {record.start: at for at, record in enumerate(records)}
    places: list[int] = []
    for record in added:
        at = days.get(record.start)
        if at is None:
            at = len(records)
            records.append(record)
        else:
            records[at] = record if record.id else cast("R", record.evolve(id=records[at].id))
        places.append(at)
    return tuple(records), places


def create_one_time_bill_item(
    request: CreateOneTimeBillItem, store: Store, context: Context
) -> OneTimeBillItemCreated:
    """Create a one-time bill item (A55)."""
    lease = _with_room(store, open_lease(store, request.lease_id))
    item_id = context.new_id()
    item = request.one_time_bill_item.evolve(id=item_id)
    _check_one_time(lease, item, {"oneTimeBillItems[0]": "oneTimeBillItem"}, context)
    store.add(Stored(item, item_id, lease.id))
    return OneTimeBillItemCreated(one_time_bill_item_id=item_id)


def _check_one_time(
    lease: Stored[Lease], item: OneTimeBillItem, places: Mapping[str, str], context: Context
) -> None:
    """Refuse a one-time item that cannot be billed, which depends on nothing else of its lease."""
    changes = {"one_time_bill_items": (item,)}
    changed_terms(LeaseTerms(lease_id=lease.id), changes, places, context)


def change_one_time_bill_item(
    request: ChangeOneTimeBillItem, store: Store, context: Context
) -> LeaseOneTimeBillItem:
    """Change a one-time bill item, which is billed as changed from now on.

    What was billed before is corrected by `already_billed=` (A53).
    """
    stored = require(store, OneTimeBillItem, request.one_time_bill_item_id)
    lease = open_lease(store, str(stored.belongs_to))
    changes = request.changes()
    if changes:
        item = stored.record.evolve(**changes)
        place, names = "oneTimeBillItems[0]", wire_names(OneTimeBillItem)
        wires = [names[name] for name in changes]
        # A problem of the item as a whole is placed at the field that changed first.
        places = {**{f"{place}.{wire}": wire for wire in wires}, place: wires[0]}
        _check_one_time(lease, item, places, context)
        stored = stored._replace(record=item)
        store.replace(stored)
    return _one_time(stored)


def withdraw_one_time_bill_item(
    request: OneTimeBillItemRequest, store: Store, context: Context
) -> LeaseOneTimeBillItem:
    """Withdraw a one-time bill item, so that it is not billed; the answer is the item as it was.

    What was billed before is credited by `already_billed=`, if the bills name their items (A53).
    """
    del context
    stored = require(store, OneTimeBillItem, request.one_time_bill_item_id)
    open_lease(store, str(stored.belongs_to))
    store.remove(OneTimeBillItem, stored.id)
    return _one_time(stored)


def retrieve_recurring_bill_item(
    request: RecurringBillItemRequest, store: Store, context: Context
) -> LeaseRecurringBillItem:
    """Retrieve one recurring bill item."""
    del context
    return _recurring(require(store, RecurringBillItem, request.recurring_bill_item_id))


def retrieve_one_time_bill_item(
    request: OneTimeBillItemRequest, store: Store, context: Context
) -> LeaseOneTimeBillItem:
    """Retrieve a one-time bill item."""
    del context
    return _one_time(require(store, OneTimeBillItem, request.one_time_bill_item_id))


def list_recurring_bill_items(
    request: LeasePartsRequest, store: Store, context: Context
) -> RecurringBillItemPage:
    """List recurring bill items, of one lease or of all."""
    del context
    stored = list_page(store, RecurringBillItem, request, belongs_to=request.lease_id)
    return RecurringBillItemPage(recurring_bill_items=tuple(map(_recurring, stored)))


def list_one_time_bill_items(
    request: LeasePartsRequest, store: Store, context: Context
) -> OneTimeBillItemPage:
    """List one-time bill items, of one lease or of all."""
    del context
    stored = list_page(store, OneTimeBillItem, request, belongs_to=request.lease_id)
    return OneTimeBillItemPage(one_time_bill_items=tuple(map(_one_time, stored)))


def _recurring(stored: Stored[RecurringBillItem]) -> LeaseRecurringBillItem:
    return LeaseRecurringBillItem(**_given(stored.record), lease_id=stored.belongs_to)


def _one_time(stored: Stored[OneTimeBillItem]) -> LeaseOneTimeBillItem:
    return LeaseOneTimeBillItem(**_given(stored.record), lease_id=stored.belongs_to)


def _given(item: RecurringBillItem | OneTimeBillItem) -> dict[str, Any]:
    return {name: getattr(item, name) for name in item.model_fields_set}
