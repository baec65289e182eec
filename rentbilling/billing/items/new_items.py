"""Bill items from a price and the day of moving in, with the usual terms, and their discounts.

Law: they are ordinary records, in which every default and the computed opening period are visible.
"""

import inspect
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, TypeVar

from rentbilling.billing.items.opening import (
    day_not_before,
    first_billing_period,
    priced_opening,
)
from rentbilling.errors import (
    InvalidInputError,
    InvalidPeriodError,
    InvalidRecordError,
    Problem,
    shown,
)
from rentbilling.policy import BillingPolicy
from rentbilling.records import Record, fields_of
from rentbilling.terms import (
    RENT,
    BillingCycle,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    OneTimeBillItem,
    RecurringBillItem,
)
from rentbilling.values import (
    NEVER,
    Amount,
    AnyPeriod,
    Length,
    Rate,
    Vat,
    day_of,
    is_length,
    period_of,
    rate_of,
)

AnyDay = date | str
"""A day, or its text."""
Price = Amount | str
"""An amount, or its text such as "8500 DKK"."""
Tax = Vat | str
"""A VAT, or its text such as "Exclusive 25%"."""
Exact = Decimal | int | str
"""A number, or its text."""
Each = TypeVar("Each")
Made = TypeVar("Made", BillingCycle, DueDateRule)


def monthly_rent(
    amount: Price,
    moved_in: AnyDay | None = None,
    **terms: Any,  # noqa: ANN401 - as an item's
) -> RecurringBillItem:
    """Return a rent of so much a month from the day of moving in on, exempt from VAT.

    It is due on the first of each month, and on the day of moving in for the days of that month,
    at their share of the rent (A14). `**terms` are those of `recurring_item`.

    Raises:
        InvalidInputError: A value cannot be used, or two contradict each other.
        TypeError: The price is neither an amount nor a text, or the first day is missing.

    Examples:
        >>> from rentbilling import pending_bills
        >>> rent = monthly_rent("8500 DKK", moved_in="2026-01-15")
        >>> [str(bill.total) for bill in pending_bills(rent, "2026-01-01/2026-03-31")]
        ['4661.29 DKK', '8500.00 DKK', '8500.00 DKK']
        >>> print(rent.first_billing_period_bill_item.amount)
        4661.29 DKK
    """
    return recurring_item(RENT, amount, moved_in, **terms)


def recurring_item(
    product_key: str,
    amount: Price,
    moved_in: AnyDay | None = None,
    *,
    vat: Tax = "Exempt",
    quantity: Exact | None = None,
    months: int | Length = 1,
    billing_cycle: BillingCycle | None = None,
    due_day: int = 1,
    due_date_rule: DueDateRule | None = None,
    first_billing_period_bill_item: FirstBillingPeriodBillItem | Mapping[str, Any] | None = None,
    amounts: Mapping[AnyDay, Price] | None = None,
    quantities: Mapping[AnyDay, Exact] | None = None,
    vats: Mapping[AnyDay, Tax] | None = None,
    policy: BillingPolicy | None = None,
    **fields: Any,  # noqa: ANN401 - whatever the record takes
) -> RecurringBillItem:
    """Return an item that is billed in cycles from the day of moving in on.

    Args:
        product_key: Key of the product billed, such as key:heating.
        amount: Price of one unit for one cycle, such as "500 DKK".
        moved_in: First day to pay for. The opening period runs from it to the next cycle, or to
            `ended_on` before that, is due on it, and costs its share of the price (A14). An item
            with the opening period as agreed needs no such day, and has no other one.
        vat: Tax mode and rate, such as "Exclusive 25%".
        quantity: Units; 1 where absent.
        months: Length of the cycle: 1 from each first of a month, 3 from January, April, July and
            October, 12 from January; or a `relativedelta`.
        billing_cycle: The whole cycle, instead of `months`.
        due_day: Day of a period on which its bill falls due: 1 is the first, -1 the day before.
        due_date_rule: The whole rule, instead of `due_day`.
        first_billing_period_bill_item: The opening period as agreed, instead of the computed one.
        amounts: Later prices by the days from which they hold: {"2027-01-01": "8750 DKK"}.
        quantities: Later quantities in the same way.
        vats: Later VATs in the same way.
        policy: How the share of the opening period is counted; that of the product first (A54).
        **fields: Every other field of `RecurringBillItem`, such as `ended_on`, `discounts`, `id` or
            `description`.

    Raises:
        InvalidInputError: A value cannot be used, or two contradict each other, such as an end
            before the beginning (A158).
        TypeError: The price is neither an amount nor a text, or the first day is missing.

    Examples:
        Heating on account, a parking space by the quarter, and a rent of 2019 that has risen:

        >>> heating = recurring_item("key:heating", "500 DKK", "2026-01-15", vat="Exclusive 25%")
        >>> heating.vat, str(heating.first_billing_period_bill_item.amount)
        (Vat('Exclusive', Decimal('0.25')), '274.19 DKK')
        >>> parking = recurring_item("key:parking", "1350 DKK", "2026-01-01", months=3)
        >>> parking.billing_cycle
        BillingCycle(period_length=3)
        >>> old = monthly_rent("7900 DKK", "2019-06-01", amounts={"2024-01-01": "8500 DKK"},
        ...     ended_on="2026-06-30")
        >>> old.amount_records[0].value, str(old.ended_on)
        (Amount(Decimal('8500'), 'DKK'), '2026-06-30')
    """
    price = _price(amount)
    _refuse_unknown(fields, RecurringBillItem, recurring_item)
    if billing_cycle is None:
        billing_cycle = _cycle_of(months)
    made = {
        "product_key": product_key,
        "amount": price,
        "quantity": quantity,
        "vat": _vat(vat),
        "due_date_rule": due_date_rule or _made("due_day", DueDateRule, "day_of_period", due_day),
        "billing_cycle": billing_cycle,
        "amount_records": _records(amounts, _price),
        "quantity_records": _records(quantities, lambda each: each),
        "vat_records": _records(vats, _vat),
    }
    if first_billing_period_bill_item is not None:
        opening = _as_agreed(first_billing_period_bill_item, moved_in)
    else:
        if moved_in is None:
            raise TypeError("moved_in is required: the first day to pay for")
        opening = first_billing_period(
            price,
            billing_cycle,
            moved_in,
            ended_on=fields.get("ended_on"),
            quantity=quantity,
            discount=fields.get("discount"),
            price_per=fields.get("price_per", "cycle"),
            part_period=fields.get("part_period"),
            discounts=fields.get("discounts", ()),
            product_key=product_key,
            policy=policy,
        )
    if fields.get("ended_on") is not None:
        day_not_before(opening.accounting_period.first, fields["ended_on"])
    known = {"started_on": opening.due_date, "first_billing_period_bill_item": opening}
    item = RecurringBillItem(**{**made, **known, **fields})
    records = item.amount_records or item.quantity_records
    if first_billing_period_bill_item is not None or not records:
        return item
    priced = priced_opening(item, opening.accounting_period.first, item.ended_on, policy)
    return item.evolve(first_billing_period_bill_item=priced)


def _as_agreed(
    given: FirstBillingPeriodBillItem | Mapping[str, Any], moved_in: AnyDay | None
) -> FirstBillingPeriodBillItem:
    """Return the opening period as agreed, whose first day is the day of moving in."""
    opening = FirstBillingPeriodBillItem.model_validate(given)
    first = opening.accounting_period.first
    if moved_in is not None and (met := day_of(moved_in, "moved_in")) != first:
        said, expected = "is not the first day of the opening period", str(date.fromordinal(first))
        problem = Problem("moved_in", "contradiction", said, str(date.fromordinal(met)), expected)
        raise InvalidPeriodError((problem,))
    return opening


def one_time_item(
    product_key: str,
    amount: Price,
    due_date: AnyDay,
    *,
    vat: Tax = "Exempt",
    accounting_period: AnyPeriod | None = None,
    **fields: Any,  # noqa: ANN401 - whatever the record takes
) -> OneTimeBillItem:
    """Return an item that is billed once, such as a deposit for keys.

    Args:
        product_key: Key of the product billed.
        amount: Price of one unit, such as "250 DKK".
        due_date: When it falls due.
        vat: Tax mode and rate, such as "Exclusive 25%".
        accounting_period: The days it belongs to; the due date alone where absent.
        **fields: Every other field of `OneTimeBillItem`: `quantity`, `description`, `id`.

    Raises:
        InvalidInputError: A value cannot be used.
        TypeError: The price is neither an amount nor a text.

    Examples:
        >>> print(one_time_item("key:keys", "250 DKK", "2026-03-15").accounting_period)
        2026-03-15/2026-03-15
    """
    _refuse_unknown(fields, OneTimeBillItem, one_time_item)
    made = {
        "product_key": product_key,
        "amount": _price(amount),
        "vat": _vat(vat),
        "due_date": due_date,
        "accounting_period": period_of(accounting_period or (due_date, due_date)),
    }
    return OneTimeBillItem(**{**made, **fields})


def rent_free(first: AnyDay, last: AnyDay, *, description: str | None = None) -> Discount:
    """Return the discount of rent-free days, both included: the rent beneath goes on (A62).

    Raises:
        InvalidInputError: A day is malformed, or the last is before the first.

    Examples:
        >>> from rentbilling import pending_bills
        >>> free = rent_free("2026-02-01", "2026-02-28", description="Rent-free")
        >>> rent = monthly_rent("8500 DKK", moved_in="2026-01-01", discounts=[free])
        >>> [str(bill.total) for bill in pending_bills(rent, "2026-02-01/2026-03-31")]
        ['0.00 DKK', '8500.00 DKK']
    """
    days: Any = {"start_date": first, "end_date": last}
    return Discount(percentage=Decimal(1), description=description, **days)


def stepped_discount(
    steps: Mapping[AnyDay, Rate | Amount],
    *,
    until: AnyDay | None = None,
    description: str | None = None,
) -> tuple[Discount, ...]:
    """Return discounts one after another, each to the day before the next (A63).

    Args:
        steps: What is taken off, by the first day with it: "50%" or 0.5 is half, an `Amount` is for
            each unit and cycle.
        until: Last day with the last one, included; without end by default.
        description: The text of all of them.

    Raises:
        InvalidInputError: A day or a rate cannot be used, or the end is before the last step.

    Examples:
        >>> steps = stepped_discount({"2026-01-01": "50%", "2026-07-01": "25%"}, until="2026-12-31")
        >>> [(str(each.start_date), str(each.end_date), each.size) for each in steps]
        [('2026-01-01', '2026-06-30', '50 %'), ('2026-07-01', '2026-12-31', '25 %')]
    """
    by_day = sorted((day_of(first, "steps"), by) for first, by in steps.items())
    end = NEVER if until is None else day_of(until, "until")
    ends = (*(first - 1 for first, _ in by_day[1:]), end)
    return tuple(
        Discount(
            amount=by if isinstance(by, Amount) else None,
            percentage=None if isinstance(by, Amount) else rate_of(by, "steps"),
            start_date=date.fromordinal(first),
            end_date=None if last == NEVER else date.fromordinal(last),
            description=description,
        )
        for (first, by), last in zip(by_day, ends, strict=False)
    )


def _cycle_of(months: int | Length) -> BillingCycle:
    if is_length(months):
        return BillingCycle.every(months)
    return _made("months", BillingCycle, "period_length", months)


def _made(argument: str, kind: type[Made], field: str, value: Any) -> Made:  # noqa: ANN401 - of any kind
    """Return a record of one field; a refusal names the argument that the field is made of."""
    try:
        return kind(**{field: value})
    except InvalidInputError as error:
        raise error.within(field).under(argument) from None


_MEANT: Final = MappingProxyType(
    {
        **dict.fromkeys(("cycle", "interval"), "months, such as 3 for a quarter, or billing_cycle"),
        **dict.fromkeys(("moved_out", "until", "end", "ends", "last_day"), "ended_on"),
        **dict.fromkeys(("start", "starts", "since", "first_day", "started"), "moved_in"),
        **dict.fromkeys(("due", "due_on"), "due_day, such as 1, or due_date_rule"),
        "deposit": "a Balance beside the item: LeaseTerms.of(item, Balance(...))",
        "price": "amount",
    }
)
"""Arguments by the words that people use for them."""


def _refuse_unknown(
    given: Mapping[str, object], kind: type[Record], builder: Callable[..., object]
) -> None:
    """Refuse arguments that neither a builder nor its record has, with what is meant.

    Raises:
        InvalidRecordError: There are some.
    """
    known = [name for field in fields_of(kind) for name in (field.name, field.wire)]
    unknown = [name for name in given if name not in known]
    if not unknown:
        return
    from difflib import get_close_matches  # noqa: PLC0415 - for refusals alone

    own = [name for name in inspect.signature(builder).parameters if name != "fields"]
    free = [*own, *(field.name for field in fields_of(kind) if field.name not in own)]
    problems = []
    for name in unknown:
        meant = _MEANT.get(name, "")
        near = [each for each in get_close_matches(name, free, 1) if each[0] == name[0]]
        if name == "deposit" or meant.partition(" ")[0].rstrip(",") in free:
            near = [meant]
        expected = (
            near[0] if near else f"one of {', '.join(own)}, or another field of {kind.__name__}"
        )
        problems.append(
            Problem(name, "unknown_field", "is not an argument", shown(given[name]), expected)
        )
    raise InvalidRecordError(problems)


def _records(
    given: Mapping[AnyDay, Each] | None, read: Callable[[Each], object]
) -> list[dict[str, object]]:
    return [{"value": read(each), "start": day} for day, each in (given or {}).items()]


def _price(given: Price) -> Amount:
    if isinstance(given, (Amount, str)):
        return given if isinstance(given, Amount) else Amount.parse(given.strip())
    raise TypeError(f'a price is an Amount or a text such as "8500 DKK", not {shown(given)}')


def _vat(given: Tax) -> Vat:
    return given if isinstance(given, Vat) else Vat.parse(given)
