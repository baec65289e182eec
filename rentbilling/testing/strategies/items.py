"""Items and their parts, leases without plans, and policies, drawn from `Choices`.

Laws: what is chosen is accepted by the library; pools hold the values that are known to hurt (the
31st, 29 February, three decimals, ties, signs) behind a plain first one.
"""

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, TypeVar, get_args

import rentbilling as rb
from rentbilling.policy import BusinessDay, PartPeriod
from rentbilling.terms import PartPeriodEnds, PricePer
from rentbilling.testing.strategies.choices import EPOCH, Choices, with_texts
from rentbilling.values import Rounding

R = TypeVar("R", rb.AmountRecord, rb.VatRecord, rb.DescriptionRecord, rb.QuantityRecord)

PLACES: Final = MappingProxyType({"DKK": 2, "EUR": 2, "JPY": 0, "KWD": 3})
"""Currencies with two decimals, with none and with three."""
CURRENCIES: Final = tuple(PLACES)
PRODUCTS: Final = ("key:rent", "key:heating", "key:parking")
TEXTS: Final = ("Rent", "Rent, adjusted", "Heating on account")

_FIGURES: Final = (850_000, None, None, None, None, 0, 1, 5, 99_999, 100_000)
_RATES: Final = ("0.25", "0.21", "0.19", "0.09", "0.055", "0", "1", "0.250")
_QUANTITIES: Final = ("2", "1", "3", "12.5", "0.5", "100", "33.333", "0.001", "-1", "-2.5")
_PERCENTAGES: Final = ("0.10", "0.5", "0.125", "0.3333", "1", "0.0001")
_DUE_DAYS: Final = (1, 1, -1, 2, 5, 15, 29, 30, 31, -5, -31, 100, -100)
_START_DAYS: Final = (1, 1, 1, 15, 28, 29, 30, 31)
_MONTHS: Final = (1, 1, 3, 3, 2, 4, 5, 6, 7, 12, 13)
_UNITS: Final = ("Month", "Month", "Month", "Month", "Month", "Year", "Week", "Day")


def choose_currency(choices: Choices, currency: str | None = None) -> str:
    """Choose a currency, unless one is given."""
    return choices.pick(CURRENCIES) if currency is None else currency


def choose_amount(choices: Choices, currency: str | None = None) -> rb.Amount:
    """Choose an amount as an item's may be: also negative, finer than its currency, or on a tie."""
    code = choose_currency(choices, currency)
    places = PLACES.get(code, 2)
    decimals = choices.pick((places, places, 0, places + 2, 1, places + 1))
    figure = choices.pick(_FIGURES)
    figure = choices.below(2_000_000) if figure is None else figure
    if decimals == places + 1:
        # Half a minor unit: the tie that rounding modes decide differently.
        figure = figure * 10 + 5
    sign = "-" if figure and choices.rarely(8) else ""
    return rb.Amount(Decimal(f"{sign}{figure}e-{decimals}"), code)


def choose_vat(choices: Choices) -> rb.Vat:
    """Choose a VAT; an untaxed mode with a rate above 0 among them (A28)."""
    modes = ("Exempt", "Exclusive", "Exclusive", "Inclusive", "Inclusive", "ReverseCharge")
    mode = choices.pick(modes)
    if mode in {"Exclusive", "Inclusive"}:
        return rb.Vat(mode, choices.number(_RATES))
    return rb.Vat(mode) if mode == "Exempt" else rb.Vat(mode, Decimal("0.25"))


def choose_quantity(choices: Choices) -> Decimal:
    """Choose a quantity; a credit's among them."""
    return choices.number(_QUANTITIES)


def choose_cycle(choices: Choices) -> rb.BillingCycle:
    """Choose a billing cycle of any unit, odd lengths and start days of long months included."""
    unit = choices.pick(_UNITS)
    if unit == "Day":
        return rb.BillingCycle(time_unit=unit, period_length=choices.pick((30, 1, 7, 10, 45, 90)))
    if unit == "Week":
        length = choices.pick((1, 1, 2, 3, 4, 5))
        return rb.BillingCycle(time_unit=unit, period_length=length, start=1 + choices.below(7))
    return rb.BillingCycle(
        time_unit=unit,
        period_length=choices.pick(_MONTHS if unit == "Month" else (1, 1, 2)),
        start=1 + choices.below(12),
        start_day=choices.pick(_START_DAYS),
    )


def choose_due_date_rule(choices: Choices) -> rb.DueDateRule:
    """Choose a due date rule, from either end of the period."""
    ends = ("start", "start", "end")
    return rb.DueDateRule.model_validate(
        {"day_of_period": choices.pick(_DUE_DAYS), "relative_to": choices.pick(ends)}
    )


def choose_period(choices: Choices, longest: int = 400) -> rb.Period:
    """Choose a period of any whole number of days."""
    start = choices.day(900)
    return rb.Period(start, start + timedelta(days=choices.below(longest)))


def choose_window(choices: Choices) -> rb.Period:
    """Choose a period to ask bills for: a year, a month, a day, or another usual length."""
    start = choices.day(450)
    length = choices.pick((365, 31, 92, 1, 7, 730, 180))
    return rb.Period(start, start + timedelta(days=length - 1))


def choose_discount(choices: Choices, amount: rb.Amount) -> rb.Discount:
    """Choose a discount that an item of this amount may carry (A22)."""
    end = choices.pick((None, choices.day(700)))
    if amount.amount > 0 and choices.below(2):
        part = choices.number(("1", "0.5", "0.25", "0.1"))
        off = rb.Amount(part * amount.amount, amount.currency)
        return with_texts(choices, rb.Discount, amount=off, end_date=end)
    part = choices.number(_PERCENTAGES)
    return with_texts(choices, rb.Discount, percentage=part, end_date=end)


def choose_discounts(choices: Choices, amount: rb.Amount) -> dict[str, Any]:
    """Choose nothing, one discount, or a list with days and bases of their own (A61)."""
    there = choices.below(6)
    if there == 2:  # noqa: PLR2004
        return {"discount": choose_discount(choices, amount)}
    count = 1 + choices.below(3) if there == 5 else 0  # noqa: PLR2004
    return {"discounts": [_dated_discount(choices, amount) for _ in range(count)]}


def _dated_discount(choices: Choices, amount: rb.Amount) -> rb.Discount:
    one = choose_discount(choices, amount)
    start, end = choices.pick((None, choices.day(700))), one.end_date
    if start is not None and end is not None and end < start:
        start, end = end, start
    of = None if one.percentage is None else choices.pick((None, "list", "rest"))
    return one.evolve(start_date=start, end_date=end, of=of)


def choose_opening(choices: Choices, currency: str) -> rb.FirstBillingPeriodBillItem:
    """Choose an opening period: any first day, from one day to most of a year long (A12)."""
    start = choices.day(200)
    length = choices.pick((31, 30, 1, 17, 60, 200))
    return rb.FirstBillingPeriodBillItem(
        amount=choose_amount(choices, currency),
        due_date=start + timedelta(days=choices.pick((0, 0, 3, -10, 40))),
        accounting_period=rb.Period(start, start + timedelta(days=length - 1)),
    )


def choose_records(
    choices: Choices, kind: type[R], choose: Callable[[Choices], object]
) -> tuple[R, ...]:
    """Choose up to three dated records of one kind, on different days in any order (A18)."""
    days = {choices.day() for _ in range(choices.pick((0, 0, 1, 2, 3)))}
    given: list[dict[str, Any]] = [{"value": choose(choices), "start": day} for day in sorted(days)]
    records = [with_texts(choices, kind, **each) for each in given]
    return tuple(reversed(records) if choices.below(2) else records)


def _dated(choices: Choices, currency: str) -> dict[str, Any]:
    return {
        "amount_records": choose_records(
            choices, rb.AmountRecord, lambda cards: choose_amount(cards, currency)
        ),
        "vat_records": choose_records(choices, rb.VatRecord, choose_vat),
        "description_records": choose_records(
            choices, rb.DescriptionRecord, lambda cards: cards.pick(TEXTS)
        ),
        "quantity_records": choose_records(choices, rb.QuantityRecord, choose_quantity),
    }


def choose_item(
    choices: Choices,
    currency: str | None = None,
    like: rb.RecurringBillItem | None = None,
    item_id: str | None = None,
) -> rb.RecurringBillItem:
    """Choose a recurring item, perhaps with the dates of another, so that they share bills."""
    code = choose_currency(choices, currency)
    amount = choose_amount(choices, code)
    cycle, opening = choose_cycle(choices), choose_opening(choices, code)
    if choices.rarely(4):
        cycle, opening = _opened_by_rule(amount, cycle, opening)
    if like is not None:
        other = like.first_billing_period_bill_item
        opening = rb.FirstBillingPeriodBillItem(
            amount=opening.amount,
            due_date=other.due_date,
            accounting_period=other.accounting_period,
        )
    discounts = choose_discounts(choices, amount)
    listed = (*discounts.get("discounts", ()), *filter(None, [discounts.get("discount")]))
    # An amount off is held against the price of a cycle (A65).
    by_amount = any(each.amount for each in listed)
    pricing: tuple[PricePer, ...] = ("cycle",) if by_amount else ("cycle", "year", "month")
    return with_texts(
        choices,
        rb.RecurringBillItem,
        id=item_id,
        product_key=choices.pick(PRODUCTS),
        amount=amount,
        quantity=choose_quantity(choices) if choices.rarely(3) else None,
        vat=choose_vat(choices),
        due_date_rule=choose_due_date_rule(choices) if like is None else like.due_date_rule,
        billing_cycle=cycle if like is None else like.billing_cycle,
        started_on=opening.due_date - timedelta(days=choices.pick((0, 0, 0, 1))),
        first_billing_period_bill_item=opening,
        price_per=choices.pick(pricing) if choices.rarely(3) else "cycle",
        part_period=_part_periods(choices) if choices.rarely(4) else None,
        **discounts,
        ended_on=_some_day(choices, 3),
        cancelled_on=_some_day(choices, 4),
        **(_dated(choices, code) if choices.below(2) else {}),
    )


def _opened_by_rule(
    amount: rb.Amount, cycle: rb.BillingCycle, opening: rb.FirstBillingPeriodBillItem
) -> tuple[rb.BillingCycle, rb.FirstBillingPeriodBillItem]:
    """Return a cycle that may start with an opening, which then is one whole cycle (A14)."""
    start = opening.accounting_period.start
    if cycle.months:
        cycle = cycle.evolve(start=start.month, start_day=start.day)
    made = rb.first_billing_period(amount, cycle, start, due_date=opening.due_date)
    return cycle, made


def _part_periods(choices: Choices) -> PartPeriodEnds:
    """Choose words for part periods, perhaps for one end alone."""
    return PartPeriodEnds(
        first=choices.pick((None, *SHARE_METHODS)), last=choices.pick((None, *SHARE_METHODS))
    )


def _some_day(choices: Choices, once_in: int) -> date | None:
    """Choose a day on which something stops, or none."""
    return choices.day(700) if choices.rarely(once_in) else None


def choose_one_time_item(
    choices: Choices,
    currency: str | None = None,
    due: date | None = None,
    item_id: str | None = None,
) -> rb.OneTimeBillItem:
    """Choose a one-time item (A55)."""
    start = choices.day()
    return with_texts(
        choices,
        rb.OneTimeBillItem,
        id=item_id,
        product_key=choices.pick(PRODUCTS),
        amount=choose_amount(choices, currency),
        quantity=choose_quantity(choices) if choices.rarely(3) else None,
        vat=choose_vat(choices),
        due_date=start if due is None else due,
        accounting_period=rb.Period(start, start + timedelta(days=choices.pick((0, 30)))),
    )


def choose_terms(
    choices: Choices, currency: str | None = None, lease_id: str | None = None
) -> rb.LeaseTerms:
    """Choose a lease of a recurring item, or more on the same days, and some one-time items."""
    items = [choose_item(choices, currency, None, choices.pick((None, "first")))]
    for at in range(choices.pick((0, 1, 2))):
        like, own = choices.pick((items[0], items[0], None)), choices.pick((None, f"more-{at}"))
        items.append(choose_item(choices, currency, like, own))
    due = items[0].first_billing_period_bill_item.due_date
    return rb.LeaseTerms(
        lease_id=lease_id or choices.pick((None, "lease-1")),
        currency=currency,
        contract_start=choices.pick((None, EPOCH)),
        contract_end=_some_day(choices, 3),
        one_time_bill_items=tuple(
            choose_one_time_item(
                choices, currency, choices.pick((due, None)), choices.pick((None, f"once-{at}"))
            )
            for at in range(choices.pick((0, 0, 1, 2)))
        ),
        recurring_bill_items=tuple(items),
    )


# ------------------------------------------------------------------------------------ policies

SHARE_METHODS: Final = get_args(PartPeriod)
VAT_DAYS: Final = ("period_start", "period_end", "due_date")
ROUNDINGS: Final = get_args(Rounding)
BUSINESS_DAYS: Final = get_args(BusinessDay)
HOLIDAYS: Final = frozenset(
    map(date.fromisoformat, ("2024-01-01", "2024-04-01", "2024-05-01", "2024-12-31"))
)
CASH: Final = MappingProxyType(
    {"DKK": Decimal("0.50"), "EUR": Decimal("0.05"), "JPY": Decimal(10), "KWD": Decimal("0.005")}
)
_OWN: Final = (
    ("part_period", "thirty_day"),
    ("mid_period_change", "next_period"),
    ("discount_opening", True),
    ("vat_day", "period_end"),
    ("rounding", "down"),
    ("business_day", "following"),
)
_CHOICES: Final[tuple[tuple[str, Any], ...]] = (
    *(("part_period", method) for method in SHARE_METHODS),
    ("part_period", {"first": "full", "last": "days_over_30"}),
    *(("rounding", mode) for mode in ROUNDINGS),
    *(("business_day", word) for word in BUSINESS_DAYS),
    ("holidays", HOLIDAYS),
    ("select", "accounting_period"),
    ("mid_period_change", "next_period"),
    ("discount_end", "whole_period"),
    ("discount_opening", True),
    *(("vat_day", word) for word in VAT_DAYS),
    ("vat_rounding", "per_line"),
    ("cash_rounding", CASH),
    *(("by_product", {"key:rent": own}) for own in _OWN),
)
"""One choice each, the default first."""


def choose_policy(choices: Choices) -> rb.BillingPolicy:
    """Choose a policy with up to three choices of its own."""
    chosen: dict[str, Any] = dict(choices.pick(_CHOICES) for _ in range(choices.pick((0, 1, 2, 3))))
    if "by_product" in chosen:
        ((key, (name, value)),) = chosen["by_product"].items()
        own: dict[str, Any] = {name: value}
        chosen["by_product"] = {key: rb.BillingPolicy(**own)}
    return rb.BillingPolicy(**chosen)
