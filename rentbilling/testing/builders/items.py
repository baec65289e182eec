"""Builders of what is billed: items, leases and tenancies that are valid without arguments.

Laws: every argument has a plain default, and every field of a record can be given by its name.
Amounts are numbers or texts in `currency`, days and periods are texts or values.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from rentbilling import (
    AmountRecord,
    Balance,
    BillingCycle,
    BillingPolicy,
    DueDateRule,
    FirstBillingPeriodBillItem,
    LeaseTerms,
    OneTimeBillItem,
    QuantityRecord,
    RecurringBillItem,
    RentAdjustmentPlan,
    VatRecord,
    first_billing_period,
)
from rentbilling.interface import CreateTenancy, NewTenancyAddress
from rentbilling.testing.builders.plain_values import (
    AnyAmount,
    AnyNumber,
    AnyVat,
    amount_of,
    number_of,
    one_by_one,
    vat_of,
)
from rentbilling.values import AnyPeriod, Length

Day = date | str
"""A day, or its text."""


def an_item(
    *,
    product_key: str = "key:heating",
    amount: AnyAmount = 500,
    currency: str = "DKK",
    quantity: AnyNumber | None = None,
    vat: AnyVat = "Exclusive 0.25",
    months: int | Length = 1,
    billing_cycle: BillingCycle | None = None,
    due_day: int = 1,
    due_date_rule: DueDateRule | None = None,
    moved_in: Day = "2026-01-01",
    first_billing_period_bill_item: FirstBillingPeriodBillItem | None = None,
    amounts: Mapping[Day, AnyAmount] | None = None,
    quantities: Mapping[Day, AnyNumber] | None = None,
    vats: Mapping[Day, AnyVat] | None = None,
    policy: BillingPolicy | None = None,
    **fields: Any,  # noqa: ANN401 - whatever the record takes
) -> RecurringBillItem:
    """Return a recurring item: heating at 500 DKK a month and 25 % VAT, from 1 January 2026 on.

    Args:
        product_key: Key of the product billed.
        amount: Price of one unit for one cycle.
        currency: Currency of amounts given as numbers.
        quantity: Units; 1 where absent.
        vat: Tax mode and rate, such as `Exclusive 0.25`.
        months: Length of the cycle in months, from a January.
        billing_cycle: The whole cycle, instead of `months`.
        due_day: Day of a period on which it falls due: 1 is the first, -1 the one before it.
        due_date_rule: The whole rule, instead of `due_day`.
        moved_in: First day to pay for: the opening period runs from it to the next cycle, is due
            on it, and costs its share of the price (A14).
        first_billing_period_bill_item: The opening period as agreed, instead of `moved_in`.
        amounts: Later amounts by the days from which they hold.
        quantities: Later quantities in the same way.
        vats: Later VATs in the same way.
        policy: How the opening period's share is counted.
        **fields: Every other field of `RecurringBillItem`, such as `ended_on`, `discount` or `id`.

    Raises:
        InvalidInputError: The fields contradict each other, as for the record.

    Examples:
        >>> parking = an_item(product_key="key:parking", amount="450.00", months=3)
        >>> parking.billing_cycle.period_length, parking.first_billing_period_bill_item.amount
        (3, Amount(Decimal('450.00'), 'DKK'))
        >>> an_item(amounts={"2026-07-01": "525.50"}).amount_records[0].value
        Amount(Decimal('525.50'), 'DKK')
    """
    price = amount_of(amount, currency)
    units = None if quantity is None else number_of(quantity)
    cycle = billing_cycle
    if cycle is None:
        if isinstance(months, int):
            cycle = BillingCycle(period_length=months)
        else:
            cycle = BillingCycle.every(months)
    opening = first_billing_period_bill_item
    if opening is None:
        opening = first_billing_period(
            price,
            cycle,
            moved_in,
            quantity=units,
            discount=fields.get("discount"),
            policy=policy,
        )
    dated: dict[str, Any] = {
        "amount_records": _records(
            AmountRecord,
            {day: amount_of(each, price.currency) for day, each in (amounts or {}).items()},
        ),
        "quantity_records": _records(
            QuantityRecord, {day: number_of(each) for day, each in (quantities or {}).items()}
        ),
        "vat_records": _records(
            VatRecord, {day: vat_of(each) for day, each in (vats or {}).items()}
        ),
    }
    known: dict[str, Any] = {
        "product_key": product_key,
        "amount": price,
        "quantity": units,
        "vat": vat_of(vat),
        "due_date_rule": due_date_rule or DueDateRule(day_of_period=due_day),
        "billing_cycle": cycle,
        "started_on": opening.due_date,
        "first_billing_period_bill_item": opening,
    }
    return RecurringBillItem(**{**known, **dated, **fields})


def _records(kind: type[Any], values: Mapping[Day, object]) -> tuple[Any, ...]:
    return tuple(kind(value=value, start=day) for day, value in values.items())


def a_rent(
    *,
    amount: AnyAmount = 8500,
    product_key: str = "key:rent",
    vat: AnyVat = "Exempt",
    **fields: Any,  # noqa: ANN401 - as an item's
) -> RecurringBillItem:
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
    currency: str = "DKK",
    quantity: AnyNumber | None = None,
    vat: AnyVat = "Exempt",
    due_date: Day = "2026-02-01",
    accounting_period: AnyPeriod | None = None,
    **fields: Any,  # noqa: ANN401 - whatever the record takes
) -> OneTimeBillItem:
    """Return an item billed once: a fee of 1,200 DKK, exempt from VAT, due on 1 February 2026.

    Args:
        product_key: Key of the product billed.
        amount: Price of one unit.
        currency: Currency of an amount given as a number.
        quantity: Units; 1 where absent.
        vat: Tax mode and rate.
        due_date: When it falls due.
        accounting_period: The days it belongs to; the due date alone where absent.
        **fields: Every other field of `OneTimeBillItem`: `id`, `description`.

    Examples:
        >>> print(a_one_time_item(amount=250, due_date="2026-03-15").accounting_period)
        2026-03-15/2026-03-15
    """
    known: dict[str, Any] = {
        "product_key": product_key,
        "amount": amount_of(amount, currency),
        "quantity": None if quantity is None else number_of(quantity),
        "vat": vat_of(vat),
        "due_date": due_date,
        "accounting_period": accounting_period or f"{due_date}/{due_date}",
    }
    return OneTimeBillItem(**{**known, **fields})


def a_lease(
    *items: RecurringBillItem | OneTimeBillItem,
    plans: Iterable[RentAdjustmentPlan] = (),
    balances: Iterable[Balance] = (),
    **fields: Any,  # noqa: ANN401 - whatever the record takes
) -> LeaseTerms:
    """Return the terms of a lease with items in the order of their lines; without items, one rent.

    `**fields` are the other fields of `LeaseTerms`, such as `lease_id` or `contract_end`.

    Raises:
        TypeError: One of the items is none, such as a list of them.

    Examples:
        >>> a_lease().item_ids
        ('recurring-1',)
        >>> a_lease(a_rent(), a_one_time_item(), contract_end="2026-06-30").item_ids
        ('recurring-1', 'one-time-1')
    """
    one_by_one(items, (RecurringBillItem, OneTimeBillItem), "a_lease(*items)")
    there = items or (a_rent(),)
    known: dict[str, Any] = {
        "recurring_bill_items": tuple(
            each for each in there if not isinstance(each, OneTimeBillItem)
        ),
        "one_time_bill_items": tuple(each for each in there if isinstance(each, OneTimeBillItem)),
        "rent_adjustment_plans": tuple(plans),
        "balances": tuple(balances),
    }
    return LeaseTerms(**{**known, **fields})


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
