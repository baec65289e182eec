"""Operations on products and payouts: recorded and listed.

Law: a product has a key of its own among the owner's products.
What does not live here: what is billed under a product (`item_operations`).
"""

from rentbilling.errors import ConflictError
from rentbilling.kept_leases import page
from rentbilling.resource_answers import (
    PayoutPage,
    PayoutRecorded,
    ProductPage,
    ProductRecorded,
)
from rentbilling.resource_requests import PageRequest, RecordPayout, RecordProduct
from rentbilling.resources import Payout, Product
from rentbilling.stores import Facts, Kept, Store


def record_product(request: RecordProduct, store: Store, facts: Facts) -> ProductRecorded:
    """Record a product, offered and the owner's own unless the request says otherwise."""
    key = request.product_key
    if store.belonging(Product, [key]).get(key):
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


def record_payout(request: RecordPayout, store: Store, facts: Facts) -> PayoutRecorded:
    """Record a payout."""
    payout_id = facts.new_id()
    store.add(Kept(Payout(id=payout_id, **dict(request)), payout_id))
    return PayoutRecorded(payout_id=payout_id)


def list_payouts(request: PageRequest, store: Store, facts: Facts) -> PayoutPage:
    """List payouts."""
    del facts
    return PayoutPage(payouts=tuple(each.record for each in page(store, Payout, request)))
