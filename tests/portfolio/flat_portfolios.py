"""Portfolios for the kernel's tests: leases that it takes, with everything in them that it knows.

Law: the pools hold what is known to hurt: the 31st, 29 February, ties, credits, currencies without
decimals and with three, prices and discounts that change inside of periods.
"""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final

import rentbilling as rb
from rentbilling.billing import opening_days
from rentbilling.portfolio.runs.bill_batches import BillRows
from rentbilling.testing.strategies.choices import Choices, chosen
from rentbilling.testing.strategies.items import CURRENCIES, PLACES, PRODUCTS, choose_window

_RATES: Final = ("0.25", "0.21", "0.19", "0.09", "0.055", "0", "1", "0.25")
_QUANTITIES: Final = ("1", "2", "12.5", "0.5", "100", "33.333", "0.001", "7.25")
_DUE_DAYS: Final = (1, 1, 1, -1, 2, 15, 28, 29, 30, 31, -5, -31, 100, -100)
_LENGTHS: Final = (1, 1, 1, 3, 3, 2, 4, 6, 12, 5, 7, 11, 18)
_START_DAYS: Final = (1, 1, 1, 1, 15, 28, 29, 30, 31)
_PART_PERIODS: Final[tuple[Any, ...]] = (None, None, "actual_days", {"first": "full"})
_SHARES: Final = ("0.10", "0.5", "0.125", "0.3333", "1", "0.0001")


def _units(choices: Choices, places: int) -> Decimal:
    """Choose an amount, some on a tie and some finer than their currency."""
    figure = choices.below(2_000_000)
    tie = figure * 10 + 5, places + 1
    units, decimals = choices.pick(((figure, places), (figure, places), (figure // 1000, 0), tie))
    return Decimal(units).scaleb(-decimals)


def _choose_amount(choices: Choices, currency: str) -> rb.Amount:
    sign = -1 if choices.rarely(8) else 1
    return rb.Amount(sign * _units(choices, PLACES[currency]), currency)


def _choose_vat(choices: Choices) -> rb.Vat:
    mode = choices.pick(("Exempt", "Exclusive", "Inclusive", "Inclusive", "ReverseCharge"))
    return (
        rb.Vat(mode, choices.number(_RATES)) if mode in {"Exclusive", "Inclusive"} else rb.Vat(mode)
    )


def _choose_discount(choices: Choices, amount: rb.Amount) -> rb.Discount:
    """Choose a discount by percentage, or by an amount that no later price falls below."""
    first, last = sorted((choices.day(900), choices.day(900)))
    one = rb.Discount(percentage=choices.number(_SHARES), of=choices.pick(("rest", "list", None)))
    if amount.amount > 0 and choices.below(2):
        off = min(amount.amount, Decimal(choices.pick((1, 10))))
        one = rb.Discount(amount=rb.Amount(off, amount.currency), description="Welcome")
    return one.evolve(start_date=choices.pick((None, first)), end_date=choices.pick((None, last)))


def choose_flat_item(
    choices: Choices, currency: str, like: rb.RecurringBillItem | None
) -> rb.RecurringBillItem:
    """Choose an item that the kernel knows, perhaps on the days of another one."""
    amount = _choose_amount(choices, currency)
    day = choices.day(300)
    due = day + timedelta(days=choices.pick((0, 0, 0, 0, 0, 3, -10)))
    cycle = rb.BillingCycle(
        time_unit=choices.pick(("Month", "Month", "Month", "Year")),
        start=1 + choices.below(12),
        start_day=choices.pick(_START_DAYS),
    )
    if cycle.time_unit == "Month":
        cycle = cycle.evolve(period_length=choices.pick(_LENGTHS))
    if choices.rarely(5):
        week = rb.BillingCycle(time_unit="Week", period_length=choices.pick((1, 2, 4, 48)))
        day_cycle = rb.BillingCycle(
            time_unit="Day", period_length=choices.pick((7, 28, 30, 31, 365))
        )
        cycle = choices.pick((week.evolve(start=1 + choices.below(7)), day_cycle))
    in_arrears = choices.rarely(5)
    rule = rb.DueDateRule(
        day_of_period=choices.pick(_DUE_DAYS), relative_to="end" if in_arrears else "start"
    )
    if cycle.months and choices.rarely(4):
        cycle = cycle.evolve(start=day.month, start_day=day.day)
    if like is not None:
        cycle, rule = like.billing_cycle, like.due_date_rule
    end = day + timedelta(days=choices.pick((30, 29, 0, 16, 59, 200)))
    if choices.below(4):
        end = date.fromordinal(opening_days(day.toordinal(), cycle)[1])
    discount = _choose_discount(choices, amount) if choices.rarely(3) else None
    listed = () if discount is None or choices.below(2) else (discount,)
    days = sorted({choices.day(900) for _ in range(choices.pick((0, 1, 2, 3, 5)))})
    records = tuple(rb.AmountRecord(value=_later(choices, amount), start=there) for there in days)
    return rb.RecurringBillItem(
        product_key=choices.pick(PRODUCTS),
        description=choices.pick((None, "Rent", "Parking space")),
        amount=amount,
        quantity=choices.pick((None, None, choices.number(_QUANTITIES))),
        vat=_choose_vat(choices),
        due_date_rule=rule,
        billing_cycle=cycle,
        started_on=due,
        first_billing_period_bill_item=rb.FirstBillingPeriodBillItem(
            amount=_choose_amount(choices, currency),
            due_date=due,
            accounting_period=rb.Period(day, end),
        ),
        discount=None if listed else discount,
        discounts=listed,
        part_period=choices.pick(_PART_PERIODS),
        amount_records=records,
        description_records=tuple(
            rb.DescriptionRecord(value=choices.pick(("Rent", "Bolig", "")), start=there)
            for there in sorted({choices.day(900) for _ in range(choices.pick((0, 0, 1, 3)))})
        ),
        ended_on=choices.day(900) if choices.rarely(4) else None,
        cancelled_on=choices.day(900) if choices.rarely(6) else None,
    )


def _later(choices: Choices, amount: rb.Amount) -> rb.Amount:
    """Choose a later price: often the same, which is no change, or a little more."""
    same = choices.pick((True, False, False))
    return (
        amount if same else rb.Amount(abs(amount.amount) + 10 + choices.below(500), amount.currency)
    )


def _choose_one_time_item(choices: Choices, currency: str) -> rb.OneTimeBillItem:
    day = choices.day(900)
    return rb.OneTimeBillItem(
        product_key=choices.pick(PRODUCTS),
        description=choices.pick((None, "Keys")),
        amount=_choose_amount(choices, currency),
        quantity=choices.pick((None, None, choices.number(_QUANTITIES))),
        vat=_choose_vat(choices),
        due_date=choices.pick((day, choices.day(900))),
        accounting_period=rb.Period(day, day + timedelta(days=choices.pick((0, 29, 400)))),
    )


def choose_flat_lease(choices: Choices, lease_id: str = "lease-1") -> rb.LeaseTerms:
    """Choose a lease of up to six items, in one currency or in several."""
    one = choices.pick((*CURRENCIES, None))
    items: list[rb.RecurringBillItem] = []
    for _ in range(choices.pick((3, 1, 2, 6))):
        like = choices.pick((None, items[0])) if items else None
        items.append(choose_flat_item(choices, one or choices.pick(CURRENCIES), like))
    once = tuple(
        _choose_one_time_item(choices, one or choices.pick(CURRENCIES))
        for _ in range(choices.pick((0, 0, 0, 1, 3)))
    )
    balance = rb.Balance(
        amount=_choose_amount(choices, one or "EUR"),
        balance_charge_type=choices.pick(("deposit", "prepaidRent")),
        product_key=choices.pick((None, "key:deposit")),
    )
    return rb.LeaseTerms(
        balances=(balance,) * choices.pick((0, 0, 1, 2)),
        one_time_bill_items=once,
        lease_id=choices.pick((None, lease_id)),
        currency=choices.pick((one, None)),
        contract_end=choices.day(900) if choices.rarely(4) else None,
        recurring_bill_items=tuple(items),
    )


flat_portfolios = chosen(
    lambda choices: tuple(
        choose_flat_lease(choices, f"lease-{at}") for at in range(1, 2 + choices.below(6))
    ),
    3000,
)
"""One to six leases, most of whose items the kernel takes."""

long_windows = chosen(
    lambda choices: rb.Period(
        (start := choose_window(choices).start),
        start + timedelta(days=choices.pick((30, 0, 364, 800))),
    )
)
"""Asked periods of a day up to more than two years."""


def bills_of(results: dict[int, tuple[rb.LeaseTerms, rb.BillingResult]]) -> Any:  # noqa: ANN401 - a record batch
    rows = BillRows()
    for place, (terms, result) in results.items():
        rows.add(place, terms.lease_id, result.bills)
    return rows.batch()
