"""Operations on products and payouts: recorded, listed, changed, and withdrawn.

Law: a product has a key of its own among the owner's products, and keeps it.
"""

from rentbilling.errors import ConflictError, NotFoundError
from rentbilling.interface import (
    ChangeProduct,
    PageRequest,
    Payout,
    PayoutPage,
    PayoutRecorded,
    PayoutRequest,
    Product,
    ProductPage,
    ProductRecorded,
    ProductRequest,
    RecordPayout,
    RecordProduct,
)
from rentbilling.service.lease_access import list_page, require
from rentbilling.service.store import Context, Store, Stored


def record_product(request: RecordProduct, store: Store, context: Context) -> ProductRecorded:
    """Record a product, offered and the owner's own unless the request says otherwise."""
    key = request.product_key
    if _of_key(store, key) is not None:
        raise ConflictError("duplicate_product", product_key=key)
    product_id = context.new_id()
    product = Product(
        product_key=key,
        product_id=product_id,
        product_name=request.product_name,
        archived=bool(request.archived),
        custom=request.custom is not False,
        position=request.position,
        is_default_product=bool(request.is_default_product),
    )
    store.add(Stored(product, product_id, key))
    return ProductRecorded(product_id=product_id)


def list_products(request: PageRequest, store: Store, context: Context) -> ProductPage:
    """List products."""
    del context
    return ProductPage(products=tuple(each.record for each in list_page(store, Product, request)))


def retrieve_product(request: ProductRequest, store: Store, context: Context) -> Product:
    """Retrieve one product by its key."""
    del context
    return _found(store, request.product_key).record


def change_product(request: ChangeProduct, store: Store, context: Context) -> Product:
    """Change a product: its names, place, or whether it is offered; its key stays."""
    del context
    stored = _found(store, request.product_key)
    changes = request.changes()
    if changes:
        stored = stored._replace(record=stored.record.evolve(**changes))
        store.replace(stored)
    return stored.record


def _found(store: Store, key: str) -> Stored[Product]:
    stored = _of_key(store, key)
    if stored is None:
        raise NotFoundError("unknown_product", product_key=key)
    return stored


def _of_key(store: Store, key: str) -> Stored[Product] | None:
    return next(iter(store.belonging(Product, [key]).get(key, ())), None)


def record_payout(request: RecordPayout, store: Store, context: Context) -> PayoutRecorded:
    """Record a payout."""
    payout_id = context.new_id()
    store.add(Stored(Payout(id=payout_id, **dict(request)), payout_id))
    return PayoutRecorded(payout_id=payout_id)


def list_payouts(request: PageRequest, store: Store, context: Context) -> PayoutPage:
    """List payouts."""
    del context
    return PayoutPage(payouts=tuple(each.record for each in list_page(store, Payout, request)))


def retrieve_payout(request: PayoutRequest, store: Store, context: Context) -> Payout:
    """Retrieve one payout."""
    del context
    return require(store, Payout, request.payout_id).record


def withdraw_payout(request: PayoutRequest, store: Store, context: Context) -> Payout:
    """Withdraw a payout that was recorded in error; the answer is the payout as it was."""
    del context
    stored = require(store, Payout, request.payout_id)
    store.remove(Payout, stored.id)
    return stored.record
