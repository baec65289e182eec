"""What is billed, dealt out of a deck: items and their parts, leases without plans, policies.

Laws: what is dealt is accepted by the library; pools hold the values that are known to hurt (the
31st, 29 February, three decimals, ties, signs) behind a plain first one.
"""

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, TypeVar

from rentbilling import (
    Amount,
    AmountRecord,
    BillingCycle,
    BillingPolicy,
    DescriptionRecord,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    LeaseTerms,
    OneTimeBillItem,
    Period,
    QuantityRecord,
    RecurringBillItem,
    Vat,
    VatRecord,
)
from rentbilling.testing.deck import EPOCH, Deck

R = TypeVar("R", AmountRecord, VatRecord, DescriptionRecord, QuantityRecord)

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


def deal_currency(deck: Deck, currency: str | None = None) -> str:
    """Deal a currency, unless one is given."""
    return deck.pick(CURRENCIES) if currency is None else currency


def deal_amount(deck: Deck, currency: str | None = None) -> Amount:
    """Deal an amount as an item's may be: also negative, finer than its currency, or on a tie."""
    code = deal_currency(deck, currency)
    places = PLACES.get(code, 2)
    decimals = deck.pick((places, places, 0, places + 2, 1, places + 1))
    figure = deck.pick(_FIGURES)
    figure = deck.below(2_000_000) if figure is None else figure
    if decimals == places + 1:
        # Half a minor unit: the tie that rounding modes part over.
        figure = figure * 10 + 5
    sign = "-" if figure and deck.happens(8) else ""
    return Amount(Decimal(f"{sign}{figure}e-{decimals}"), code)


def deal_vat(deck: Deck) -> Vat:
    """Deal a VAT; an untaxed mode with a rate above 0 among them (A28)."""
    modes = ("Exempt", "Exclusive", "Exclusive", "Inclusive", "Inclusive", "ReverseCharge")
    mode = deck.pick(modes)
    if mode in {"Exclusive", "Inclusive"}:
        return Vat(mode, deck.number(_RATES))
    return Vat(mode) if mode == "Exempt" else Vat(mode, Decimal("0.25"))


def deal_quantity(deck: Deck) -> Decimal:
    """Deal a quantity; a credit's among them."""
    return deck.number(_QUANTITIES)


def deal_cycle(deck: Deck) -> BillingCycle:
    """Deal a billing cycle of any unit, odd lengths and start days of long months included."""
    unit = deck.pick(_UNITS)
    if unit == "Day":
        return BillingCycle(time_unit=unit, period_length=deck.pick((30, 1, 7, 10, 45, 90)))
    if unit == "Week":
        length = deck.pick((1, 1, 2, 3, 4, 5))
        return BillingCycle(time_unit=unit, period_length=length, start=1 + deck.below(7))
    return BillingCycle(
        time_unit=unit,
        period_length=deck.pick(_MONTHS if unit == "Month" else (1, 1, 2)),
        start=1 + deck.below(12),
        start_day=deck.pick(_START_DAYS),
    )


def deal_due_date_rule(deck: Deck) -> DueDateRule:
    """Deal a due date rule, from either end of the period."""
    ends = ("start", "start", "end")
    return DueDateRule.model_validate(
        {"day_of_period": deck.pick(_DUE_DAYS), "relative_to": deck.pick(ends)}
    )


def deal_period(deck: Deck, longest: int = 400) -> Period:
    """Deal a period of any whole number of days."""
    start = deck.day(900)
    return Period(start, start + timedelta(days=deck.below(longest)))


def deal_window(deck: Deck) -> Period:
    """Deal a period to ask bills for: a year, a month, a day, or another usual length."""
    start = deck.day(450)
    length = deck.pick((365, 31, 92, 1, 7, 730, 180))
    return Period(start, start + timedelta(days=length - 1))


def deal_discount(deck: Deck, amount: Amount) -> Discount:
    """Deal a discount that an item of this amount may carry (A22)."""
    end = deck.pick((None, deck.day(700)))
    if amount.amount > 0 and deck.below(2):
        part = deck.number(("1", "0.5", "0.25", "0.1"))
        off = Amount(part * amount.amount, amount.currency)
        return Discount(amount=off, description="Moving-in discount", end_date=end)
    return Discount(percentage=deck.number(_PERCENTAGES), end_date=end)


def deal_opening(deck: Deck, currency: str) -> FirstBillingPeriodBillItem:
    """Deal an opening period: any first day, from one day to most of a year long (A12)."""
    start = deck.day(200)
    length = deck.pick((31, 30, 1, 17, 60, 200))
    return FirstBillingPeriodBillItem(
        amount=deal_amount(deck, currency),
        due_date=start + timedelta(days=deck.pick((0, 0, 3, -10, 40))),
        accounting_period=Period(start, start + timedelta(days=length - 1)),
    )


def deal_records(deck: Deck, kind: type[R], deal: Callable[[Deck], object]) -> tuple[R, ...]:
    """Deal up to three dated records of one kind, on different days in any order (A18)."""
    days = {deck.day() for _ in range(deck.pick((0, 0, 1, 2, 3)))}
    given: list[dict[str, Any]] = [{"value": deal(deck), "start": day} for day in sorted(days)]
    records = [kind(**each) for each in given]
    return tuple(reversed(records) if deck.below(2) else records)


def _dated(deck: Deck, currency: str) -> dict[str, Any]:
    return {
        "amount_records": deal_records(
            deck, AmountRecord, lambda cards: deal_amount(cards, currency)
        ),
        "vat_records": deal_records(deck, VatRecord, deal_vat),
        "description_records": deal_records(
            deck, DescriptionRecord, lambda cards: cards.pick(TEXTS)
        ),
        "quantity_records": deal_records(deck, QuantityRecord, deal_quantity),
    }


def deal_item(
    deck: Deck, currency: str | None = None, like: RecurringBillItem | None = None
) -> RecurringBillItem:
    """Deal a recurring item, perhaps with the dates of another, so that they share their bills."""
    code = deal_currency(deck, currency)
    amount = deal_amount(deck, code)
    opening = deal_opening(deck, code)
    if like is not None:
        other = like.first_billing_period_bill_item
        opening = FirstBillingPeriodBillItem(
            amount=opening.amount,
            due_date=other.due_date,
            accounting_period=other.accounting_period,
        )
    return RecurringBillItem(
        product_key=deck.pick(PRODUCTS),
        description=deck.pick((None, TEXTS[0])),
        amount=amount,
        quantity=deal_quantity(deck) if deck.happens(3) else None,
        vat=deal_vat(deck),
        due_date_rule=deal_due_date_rule(deck) if like is None else like.due_date_rule,
        billing_cycle=deal_cycle(deck) if like is None else like.billing_cycle,
        started_on=opening.due_date - timedelta(days=deck.pick((0, 0, 0, 1))),
        first_billing_period_bill_item=opening,
        discount=deal_discount(deck, amount) if deck.happens(3) else None,
        ended_on=_some_day(deck, 3),
        cancelled_on=_some_day(deck, 4),
        **(_dated(deck, code) if deck.below(2) else {}),
    )


def _some_day(deck: Deck, once_in: int) -> date | None:
    """Deal a day on which something stops, or none."""
    return deck.day(700) if deck.happens(once_in) else None


def deal_one_time_item(
    deck: Deck, currency: str | None = None, due: date | None = None
) -> OneTimeBillItem:
    """Deal a one-time item (A55)."""
    start = deck.day()
    return OneTimeBillItem(
        product_key=deck.pick(PRODUCTS),
        amount=deal_amount(deck, currency),
        quantity=deal_quantity(deck) if deck.happens(3) else None,
        vat=deal_vat(deck),
        due_date=start if due is None else due,
        accounting_period=Period(start, start + timedelta(days=deck.pick((0, 30)))),
    )


def deal_terms(deck: Deck, currency: str | None = None, lease_id: str | None = None) -> LeaseTerms:
    """Deal a lease of a recurring item, or more on the same days, and some one-time items."""
    items = [deal_item(deck, currency)]
    for _ in range(deck.pick((0, 1, 2))):
        items.append(deal_item(deck, currency, deck.pick((items[0], items[0], None))))
    due = items[0].first_billing_period_bill_item.due_date
    return LeaseTerms(
        lease_id=lease_id or deck.pick((None, "lease-1")),
        currency=currency,
        contract_start=deck.pick((None, EPOCH)),
        contract_end=_some_day(deck, 3),
        one_time_bill_items=tuple(
            deal_one_time_item(deck, currency, deck.pick((due, None)))
            for _ in range(deck.pick((0, 0, 1, 2)))
        ),
        recurring_bill_items=tuple(items),
    )


# ------------------------------------------------------------------------------------ policies

SHARE_METHODS: Final = (
    "actual_days",
    "period_days",
    "thirty_day",
    "year_365",
    "half_month",
    "full",
)
ROUNDINGS: Final = ("half_up", "half_even", "half_down", "up", "down")
BUSINESS_DAYS: Final = ("none", "following", "preceding", "modified_following")
HOLIDAYS: Final = frozenset(
    map(date.fromisoformat, ("2024-01-01", "2024-04-01", "2024-05-01", "2024-12-31"))
)
CASH: Final = MappingProxyType(
    {
        "DKK": Decimal("0.50"),
        "EUR": Decimal("0.05"),
        "JPY": Decimal(10),
        "KWD": Decimal("0.005"),
    }
)
_OWN: Final = (
    ("part_period", "thirty_day"),
    ("mid_period_change", "next_period"),
    ("discount_opening", True),
    ("rounding", "down"),
    ("business_day", "following"),
)
_CHOICES: Final[tuple[tuple[str, Any], ...]] = (
    *(("part_period", method) for method in SHARE_METHODS),
    *(("rounding", mode) for mode in ROUNDINGS),
    *(("business_day", word) for word in BUSINESS_DAYS),
    ("holidays", HOLIDAYS),
    ("select", "accounting_period"),
    ("mid_period_change", "next_period"),
    ("discount_end", "whole_period"),
    ("discount_opening", True),
    ("vat_rounding", "per_line"),
    ("cash_rounding", CASH),
    *(("by_product", {"key:rent": own}) for own in _OWN),
)
"""One choice each, the default first."""


def deal_policy(deck: Deck) -> BillingPolicy:
    """Deal a policy with up to three choices of its own."""
    chosen: dict[str, Any] = dict(deck.pick(_CHOICES) for _ in range(deck.pick((0, 1, 2, 3))))
    if "by_product" in chosen:
        ((key, (name, value)),) = chosen["by_product"].items()
        own: dict[str, Any] = {name: value}
        chosen["by_product"] = {key: BillingPolicy(**own)}
    return BillingPolicy(**chosen)
