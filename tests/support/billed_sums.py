"""What results bill together, whatever bills it stands on: for laws of what was billed before."""

from collections import Counter

from rentbilling import BillingResult


def billed(*results: BillingResult) -> Counter[tuple[object, ...]]:
    """Return what each item was billed in its own tax mode, by product, currency and VAT."""
    sums: Counter[tuple[object, ...]] = Counter()
    for result in results:
        for bill in result:
            for line in bill.lines:
                of = (line.item_id, line.product_key, bill.currency, line.vat.category)
                sums[of] += line.figures.base
    return Counter({of: units for of, units in sums.items() if units})
