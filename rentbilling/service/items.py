"""Operations on bill items: created on a lease that can be billed with them, changed, and told.

Laws: an item is kept as it was given, with an id of its own; what was agreed of a recurring one
from its beginning stays; a lease that could not be billed with a new or changed item refuses it.
"""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

from rentbilling.errors import InvalidInputError
from rentbilling.interface.answers import (
    LeaseOneTimeBillItem,
    LeaseRecurringBillItem,
    OneTimeBillItemCreated,
    OneTimeBillItemPage,
    RecurringBillItemCreated,
    RecurringBillItemPage,
)
from rentbilling.interface.part_changes import ChangeOneTimeBillItem, ChangeRecurringBillItem
from rentbilling.interface.request_bounds import check_bounds
from rentbilling.interface.resource_requests import (
    CreateOneTimeBillItem,
    CreateRecurringBillItem,
    LeasePartsRequest,
    OneTimeBillItemRequest,
    RecurringBillItemRequest,
)
from rentbilling.service.lease_access import (
    changed_terms,
    found,
    open_lease,
    page,
    placed,
    whole_terms,
)
from rentbilling.service.store import Facts, Kept, Store
from rentbilling.terms.item_parts import AmountRecord, DescriptionRecord, QuantityRecord, VatRecord
from rentbilling.terms.lease_terms import RECORDS, OneTimeBillItem, RecurringBillItem

R = TypeVar("R", bound=AmountRecord | VatRecord | DescriptionRecord | QuantityRecord)


def create_recurring_bill_item(
    request: CreateRecurringBillItem, store: Store, facts: Facts
) -> RecurringBillItemCreated:
    """Create a recurring bill item; its first due date is that of its opening period (A12)."""
    lease = open_lease(store, request.lease_id)
    terms = whole_terms(store, lease)
    item_id = facts.new_id()
    item = request.recurring_bill_item.evolve(id=item_id)
    before = terms.recurring_bill_items
    written = {f"recurringBillItems[{len(before)}]": "recurringBillItem"}
    changed_terms(terms, {"recurring_bill_items": (*before, item)}, written, facts)
    store.add(Kept(item, item_id, lease.id))
    return RecurringBillItemCreated(
        recurring_bill_item_id=item_id,
        first_due_date=item.first_billing_period_bill_item.due_date,
    )


def change_recurring_bill_item(
    request: ChangeRecurringBillItem, store: Store, facts: Facts
) -> LeaseRecurringBillItem:
    """Change a recurring bill item: its end, discount, text, or what holds from a later day."""
    kept = found(store, RecurringBillItem, request.recurring_bill_item_id)
    terms = whole_terms(store, open_lease(store, str(kept.belongs_to)))
    at = terms.recurring_bill_items.index(kept.record)
    changes, written = _changes(kept.record, request)
    if changes:
        try:
            item = kept.record.evolve(**changes)
        except InvalidInputError as error:
            raise placed(error, written) from None
        # Later records are added to those there: many small changes make no endless item.
        if not changes.keys().isdisjoint(dict(RECORDS)):
            check_bounds(item)
        items = [*terms.recurring_bill_items]
        items[at] = item
        place = f"recurringBillItems[{at}]"
        places = {f"{place}.{path}": where for path, where in written.items()}
        # What is wrong with the item as a whole stands at what changed first.
        places[place] = next(iter(written.values()))
        changed_terms(terms, {"recurring_bill_items": tuple(items)}, places, facts)
        kept = kept._replace(record=item)
        store.replace(kept)
    return _recurring(kept)


def _changes(
    item: RecurringBillItem, request: ChangeRecurringBillItem
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what changes of an item, and where the caller wrote what stands at a place of it."""
    lists, written = dict(RECORDS), dict[str, str]()
    # A list without records adds nothing.
    changes = {
        name: value
        for name, value in request.changes().items()
        if name not in lists or getattr(request, name) != ()
    }
    for name in changes:
        added = getattr(request, name)
        if name not in lists or added is None:
            wire = str(RecurringBillItem.model_fields[name].alias)
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
    request: CreateOneTimeBillItem, store: Store, facts: Facts
) -> OneTimeBillItemCreated:
    """Create a one-time bill item (A55)."""
    lease = open_lease(store, request.lease_id)
    terms = whole_terms(store, lease)
    item_id = facts.new_id()
    item = request.one_time_bill_item.evolve(id=item_id)
    before = terms.one_time_bill_items
    written = {f"oneTimeBillItems[{len(before)}]": "oneTimeBillItem"}
    changed_terms(terms, {"one_time_bill_items": (*before, item)}, written, facts)
    store.add(Kept(item, item_id, lease.id))
    return OneTimeBillItemCreated(one_time_bill_item_id=item_id)


def change_one_time_bill_item(
    request: ChangeOneTimeBillItem, store: Store, facts: Facts
) -> LeaseOneTimeBillItem:
    """Change a one-time bill item, which is billed from now on as it stands after the change.

    What was billed of it before is corrected where bills are made with `already_billed=` (A53).
    """
    kept = found(store, OneTimeBillItem, request.one_time_bill_item_id)
    terms = whole_terms(store, open_lease(store, str(kept.belongs_to)))
    changes = request.changes()
    if changes:
        at = terms.one_time_bill_items.index(kept.record)
        item = kept.record.evolve(**changes)
        items = [*terms.one_time_bill_items]
        items[at] = item
        place = f"oneTimeBillItems[{at}]"
        wires = [str(OneTimeBillItem.model_fields[name].alias) for name in changes]
        # What is wrong with the item as a whole stands at what changed first.
        places = {**{f"{place}.{wire}": wire for wire in wires}, place: wires[0]}
        changed_terms(terms, {"one_time_bill_items": tuple(items)}, places, facts)
        kept = kept._replace(record=item)
        store.replace(kept)
    return _one_time(kept)


def withdraw_one_time_bill_item(
    request: OneTimeBillItemRequest, store: Store, facts: Facts
) -> LeaseOneTimeBillItem:
    """Withdraw a one-time bill item, so that nothing of it falls due; the answer is what it was.

    What was billed of it comes back as a correction where bills are made with `already_billed=`,
    of bills that name their items (A53).
    """
    del facts
    kept = found(store, OneTimeBillItem, request.one_time_bill_item_id)
    open_lease(store, str(kept.belongs_to))
    store.remove(OneTimeBillItem, kept.id)
    return _one_time(kept)


def retrieve_recurring_bill_item(
    request: RecurringBillItemRequest, store: Store, facts: Facts
) -> LeaseRecurringBillItem:
    """Retrieve one recurring bill item."""
    del facts
    return _recurring(found(store, RecurringBillItem, request.recurring_bill_item_id))


def retrieve_one_time_bill_item(
    request: OneTimeBillItemRequest, store: Store, facts: Facts
) -> LeaseOneTimeBillItem:
    """Retrieve a one-time bill item."""
    del facts
    return _one_time(found(store, OneTimeBillItem, request.one_time_bill_item_id))


def list_recurring_bill_items(
    request: LeasePartsRequest, store: Store, facts: Facts
) -> RecurringBillItemPage:
    """List recurring bill items, of one lease or of all."""
    del facts
    kept = page(store, RecurringBillItem, request, belongs_to=request.lease_id)
    return RecurringBillItemPage(recurring_bill_items=tuple(map(_recurring, kept)))


def list_one_time_bill_items(
    request: LeasePartsRequest, store: Store, facts: Facts
) -> OneTimeBillItemPage:
    """List one-time bill items, of one lease or of all."""
    del facts
    kept = page(store, OneTimeBillItem, request, belongs_to=request.lease_id)
    return OneTimeBillItemPage(one_time_bill_items=tuple(map(_one_time, kept)))


def _recurring(kept: Kept[RecurringBillItem]) -> LeaseRecurringBillItem:
    """Return a recurring item as it is listed."""
    return LeaseRecurringBillItem(**_told(kept.record), lease_id=kept.belongs_to)


def _one_time(kept: Kept[OneTimeBillItem]) -> LeaseOneTimeBillItem:
    """Return a one-time item as it is listed."""
    return LeaseOneTimeBillItem(**_told(kept.record), lease_id=kept.belongs_to)


def _told(item: RecurringBillItem | OneTimeBillItem) -> dict[str, Any]:
    """Return the fields that an item was given."""
    return {name: getattr(item, name) for name in item.model_fields_set}
