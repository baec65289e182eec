"""Builders of what is billed: items, leases and tenancies that are valid without arguments.

Laws: every argument has a plain default, and every field of a record can be given by its name.
Amounts are numbers or texts in `currency`, days and periods are texts or values.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import rentbilling as rb
from rentbilling.billing import AnyDay, one_time_item, recurring_item
from rentbilling.interface import CreateTenancy, NewTenancyAddress
from rentbilling.testing.builders.plain_values import (
    AnyAmount,
    AnyVat,
    amount_of,
    every,
    one_by_one,
    price_of,
)


def an_item(
    *,
    product_key: str = "key:heating",
    amount: AnyAmount = 500,
    currency: str | None = None,
    vat: AnyVat = "Exclusive 0.25",
    moved_in: AnyDay | None = None,
    amounts: Mapping[AnyDay, AnyAmount] | None = None,
    **terms: Any,  # noqa: ANN401 - whatever an item takes
) -> rb.RecurringBillItem:
    """Return a recurring item: heating at 500 DKK a month and 25 % VAT, from 1 January 2026 on.

    It takes all that `recurring_item` of `rentbilling.billing` takes; `currency` is that of amounts
    given as numbers. An opening period as agreed says from when instead.

    Raises:
        InvalidInputError: The fields contradict each other, as for the record.

    Examples:
        >>> parking = an_item(product_key="key:parking", amount="450.00", months=3)
        >>> parking.billing_cycle.period_length, parking.first_billing_period_bill_item.amount
        (3, Amount(Decimal('450.00'), 'DKK'))
        >>> an_item(amounts={"2026-07-01": "525.50"}).amount_records[0].value
        Amount(Decimal('525.50'), 'DKK')
    """
    price = price_of(amount, currency)
    later = {day: amount_of(each, price.currency) for day, each in (amounts or {}).items()}
    if moved_in is None and terms.get("first_billing_period_bill_item") is None:
        moved_in = "2026-01-01"
    return recurring_item(product_key, price, moved_in, vat=vat, amounts=later, **terms)


def a_rent(
    *,
    amount: AnyAmount = 8500,
    product_key: str = "key:rent",
    vat: AnyVat = "Exempt",
    **fields: Any,  # noqa: ANN401 - as an item's
) -> rb.RecurringBillItem:
    """Return a rent: 8,500 DKK a month, exempt from VAT, due on the first, from 1 January 2026 on.

    It takes all that `an_item` takes.

    Examples:
        >>> from rentbilling import pending_bills
        >>> rent = a_rent(amount="8500.00", moved_in="2026-01-15")
        >>> [str(bill.total) for bill in pending_bills(rent, "2026-01-01/2026-02-28")]
        ['4661.29 DKK', '8500.00 DKK']
    """
    return an_item(amount=amount, product_key=product_key, vat=vat, **fields)


def a_one_time_item(
    *,
    product_key: str = "key:fee",
    amount: AnyAmount = 1200,
    currency: str | None = None,
    due_date: AnyDay = "2026-02-01",
    **fields: Any,  # noqa: ANN401 - whatever the record takes
) -> rb.OneTimeBillItem:
    """Return an item billed once: a fee of 1,200 DKK, exempt from VAT, due on 1 February 2026.

    It takes all that `one_time_item` of `rentbilling.billing` takes; `currency` is that of an
    amount given as a number.

    Examples:
        >>> print(a_one_time_item(amount=250, due_date="2026-03-15").accounting_period)
        2026-03-15/2026-03-15
    """
    return one_time_item(product_key, price_of(amount, currency), due_date, **fields)


def a_lease(
    *items: rb.RecurringBillItem | rb.OneTimeBillItem,
    plans: rb.RentAdjustmentPlan | Iterable[rb.RentAdjustmentPlan] = (),
    balances: rb.Balance | Iterable[rb.Balance] = (),
    **fields: Any,  # noqa: ANN401 - whatever the record takes
) -> rb.LeaseTerms:
    """Return the terms of a lease with items in the order of their lines; without items, one rent.

    `**fields` are the other fields of `LeaseTerms`, such as `lease_id` or `contract_end`.

    Raises:
        TypeError: One of the items, plans or balances is none, such as a list of items.

    Examples:
        >>> a_lease().item_ids
        ('recurring-1',)
        >>> a_lease(a_rent(), a_one_time_item(), contract_end="2026-06-30").item_ids
        ('recurring-1', 'one-time-1')
    """
    one_by_one(items, (rb.RecurringBillItem, rb.OneTimeBillItem), "a_lease(*items)")
    adjusted = every(plans, rb.RentAdjustmentPlan, "plans=[...]")
    owed = every(balances, rb.Balance, "balances=[...]")
    return rb.LeaseTerms.of(*(items or (a_rent(),)), *adjusted, *owed, **fields)


def a_tenancy(
    *,
    purpose: str = "key:residential",
    street_name: str = "Nygade",
    street_number: str = "7",
    postal_code: str = "1164",
    city: str = "København",
    country: str = "DK",
    **address: Any,  # noqa: ANN401 - whatever the record takes
) -> CreateTenancy:
    """Return what creates a tenancy with its draft lease: a flat in Nygade 7, København.

    `**address` are the other fields of `NewTenancyAddress`, such as `floor` or `co`.

    Examples:
        >>> a_tenancy(street_number="9", floor="2").address.floor
        '2'
    """
    known: dict[str, Any] = {
        "street_name": street_name,
        "street_number": street_number,
        "postal_code": postal_code,
        "city": city,
        "country": country,
    }
    return CreateTenancy(purpose=purpose, address=NewTenancyAddress(**{**known, **address}))
