"""Operations on products and payouts: recorded, told, changed, and withdrawn.

Law: a product has a key of its own among the owner's products, and keeps it.
"""

from rentbilling.errors import ConflictError, NotFoundError
from rentbilling.interface.answers import (
    PayoutPage,
    PayoutRecorded,
    ProductPage,
    ProductRecorded,
)
from rentbilling.interface.product_requests import (
    ChangeProduct,
    PayoutRequest,
    ProductRequest,
    RecordPayout,
    RecordProduct,
)
from rentbilling.interface.resource_requests import PageRequest
from rentbilling.interface.resources import Payout, Product
from rentbilling.service.lease_access import found, page
from rentbilling.service.store import Facts, Kept, Store


def record_product(request: RecordProduct, store: Store, facts: Facts) -> ProductRecorded:
    """Record a product, offered and the owner's own unless the request says otherwise."""
    key = request.product_key
    if _of_key(store, key) is not None:
        raise ConflictError("duplicate_product", product_key=key)
    product_id = facts.new_id()
    product = Product(
        product_key=key,
        product_id=product_id,
        product_name=request.product_name,
        archived=bool(request.archived),
        custom=request.custom is not False,
        position=request.position,
        is_default_product=bool(request.is_default_product),
    )
    store.add(Kept(product, product_id, key))
    return ProductRecorded(product_id=product_id)


def list_products(request: PageRequest, store: Store, facts: Facts) -> ProductPage:
    """List products."""
    del facts
    return ProductPage(products=tuple(each.record for each in page(store, Product, request)))


def retrieve_product(request: ProductRequest, store: Store, facts: Facts) -> Product:
    """Retrieve one product by its key."""
    del facts
    return _found(store, request.product_key).record


def change_product(request: ChangeProduct, store: Store, facts: Facts) -> Product:
    """Change a product: its names, place, or whether it is offered; its key stays."""
    del facts
    kept = _found(store, request.product_key)
    changes = request.changes()
    if changes:
        kept = kept._replace(record=kept.record.evolve(**changes))
        store.replace(kept)
    return kept.record


def _found(store: Store, key: str) -> Kept[Product]:
    kept = _of_key(store, key)
    if kept is None:
        raise NotFoundError("unknown_product", product_key=key)
    return kept


def _of_key(store: Store, key: str) -> Kept[Product] | None:
    """Return the product of a key, None where the owner has none."""
    return next(iter(store.belonging(Product, [key]).get(key, ())), None)


def record_payout(request: RecordPayout, store: Store, facts: Facts) -> PayoutRecorded:
    """Record a payout."""
    payout_id = facts.new_id()
    store.add(Kept(Payout(id=payout_id, **dict(request)), payout_id))
    return PayoutRecorded(payout_id=payout_id)


def list_payouts(request: PageRequest, store: Store, facts: Facts) -> PayoutPage:
    """List payouts."""
    del facts
    return PayoutPage(payouts=tuple(each.record for each in page(store, Payout, request)))


def retrieve_payout(request: PayoutRequest, store: Store, facts: Facts) -> Payout:
    """Retrieve one payout."""
    del facts
    return found(store, Payout, request.payout_id).record


def withdraw_payout(request: PayoutRequest, store: Store, facts: Facts) -> Payout:
    """Withdraw a payout that was recorded in error; the answer is the payout as it was."""
    del facts
    kept = found(store, Payout, request.payout_id)
    store.remove(Payout, kept.id)
    return kept.record
