"""Hypothesis strategies for everything that is billed, small and quick to draw.

Laws: what is drawn is always accepted by the library, so no test filters; pools hold the values
that are known to hurt (the 31st, 29 February, three decimals, ties, signs) behind a plain first
one, so that examples shrink towards a plain monthly rent.

A record has up to fifty facts. Drawing each by itself costs ten times what the record does, so one
draw of bytes is dealt out instead: see `Deck`.
"""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Literal, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

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
from rentbilling.choices import BusinessDay, PartPeriod
from rentbilling.money import Rounding

T = TypeVar("T")

EPOCH = date(2023, 12, 1)
"""Dates are dealt as days after this one, so that 29 February 2024 lies well within reach."""

PLACES = {"DKK": 2, "EUR": 2, "JPY": 0, "KWD": 3}
CURRENCIES = tuple(PLACES)
PRODUCTS = ("key:rent", "key:heating", "key:parking")
FIGURES = (None, None, None, None, None, 0, 1, 5, 99_999, 100_000)
RATES = tuple(map(Decimal, ("0.25", "0.21", "0.19", "0.09", "0.055", "0", "1", "0.250")))
QUANTITIES = tuple(
    map(Decimal, ("1", "2", "3", "12.5", "0.5", "100", "33.333", "0.001", "-1", "-2.5"))
)
PERCENTAGES = tuple(map(Decimal, ("0.10", "0.5", "0.125", "0.3333", "1", "0.0001")))
DUE_DAYS = (1, 1, -1, 2, 5, 15, 29, 30, 31, -5, -31, 100, -100)
START_DAYS = (1, 1, 1, 15, 28, 29, 30, 31)
MONTHS = (1, 1, 3, 3, 2, 4, 5, 6, 7, 12, 13)
LATTICE_MONTHS = (1, 3, 2, 4, 6, 12)
SHARE_METHODS: tuple[PartPeriod, ...] = (
    "actual_days",
    "period_days",
    "thirty_day",
    "year_365",
    "half_month",
    "full",
)
ROUNDINGS: tuple[Rounding, ...] = ("half_up", "half_even", "half_down", "up", "down")
BUSINESS_DAYS: tuple[BusinessDay, ...] = (
    "none",
    "following",
    "preceding",
    "modified_following",
)
ENDS: tuple[Literal["start", "end"], ...] = ("start", "start", "end")
HOLIDAYS = frozenset({date(2024, 1, 1), date(2024, 4, 1), date(2024, 5, 1), date(2024, 12, 31)})
CASH = dict(zip(CURRENCIES, map(Decimal, ("0.50", "0.05", "10", "0.005")), strict=True))


class Deck:
    """Choices dealt out of bytes, three at a time; when they run out, the first is dealt."""

    def __init__(self, cards: bytes) -> None:
        """Take the bytes."""
        self._cards = iter(cards)

    def below(self, count: int) -> int:
        """Return a whole number from 0 to count − 1."""
        number = 0
        for _ in range(3):
            number = number * 256 + next(self._cards, 0)
        return number % count

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]

    def day(self, latest: int = 500) -> date:
        """Return a day within reach of the epoch."""
        return EPOCH + timedelta(days=self.below(latest))


def dealt(make: Callable[[Deck], T], size: int = 30) -> SearchStrategy[T]:
    """Return the strategy of what a function makes of a deck of some bytes."""
    cards = st.binary(min_size=size, max_size=size)

    # A composite strategy, unlike a mapped one, shows in a failure what was made.
    @st.composite
    def deal(draw: DrawFn) -> T:
        return make(Deck(draw(cards)))

    return deal()


def deal_figure(deck: Deck, places: int) -> Decimal:
    """Deal a number as an item's amount may be: also negative, also finer than its currency."""
    decimals = deck.pick((places, places, 0, places + 2, 1))
    figure = deck.pick(FIGURES)
    figure = deck.below(2_000_000) if figure is None else figure
    sign = deck.pick(("", "", "", "", "", "", "", "-"))
    return Decimal(f"{sign if figure else ''}{figure}e-{decimals}")


def deal_amount(deck: Deck, currency: str | None = None) -> Amount:
    """Deal an amount, of a given currency or of any."""
    code = deck.pick(CURRENCIES) if currency is None else currency
    return Amount(deal_figure(deck, PLACES[code]), code)


def deal_payment(deck: Deck) -> Amount:
    """Deal an amount in whole minor units, as one pays it."""
    code = deck.pick(CURRENCIES)
    minor = deck.below(2_000_000) - deck.pick((0, 0, 0, 1_000_000))
    return Amount(Decimal(f"{minor}e-{PLACES[code]}"), code)


def deal_vat(deck: Deck) -> Vat:
    """Deal a VAT; an untaxed mode with a rate above 0 among them (A28)."""
    mode = deck.pick(
        ("Exempt", "Exclusive", "Exclusive", "Inclusive", "Inclusive", "ReverseCharge")
    )
    if mode in {"Exclusive", "Inclusive"}:
        return Vat(mode, deck.pick(RATES))
    return Vat(mode) if mode == "Exempt" else Vat(mode, Decimal("0.25"))


def deal_cycle(deck: Deck) -> BillingCycle:
    """Deal a billing cycle of any unit, odd lengths and start days of long months included."""
    unit = deck.pick(("Month", "Month", "Month", "Month", "Month", "Year", "Week", "Day"))
    if unit == "Day":
        return BillingCycle(time_unit=unit, period_length=deck.pick((30, 1, 7, 10, 45, 90)))
    if unit == "Week":
        length = deck.pick((1, 1, 2, 3, 4, 5))
        return BillingCycle(time_unit=unit, period_length=length, start=1 + deck.below(7))
    return BillingCycle(
        time_unit=unit,
        period_length=deck.pick(MONTHS if unit == "Month" else (1, 1, 2)),
        start=1 + deck.below(12),
        start_day=deck.pick(START_DAYS),
    )


def deal_lattice_cycle(deck: Deck) -> BillingCycle:
    """Deal a cycle that needs no anchor: its periods stand in the calendar by themselves (A8)."""
    unit = deck.pick(("Month", "Month", "Year", "Week"))
    if unit == "Week":
        return BillingCycle(time_unit=unit, start=1 + deck.below(7))
    return BillingCycle(
        time_unit=unit,
        period_length=deck.pick(LATTICE_MONTHS if unit == "Month" else (1,)),
        start=1 + deck.below(12),
        start_day=deck.pick(START_DAYS),
    )


def deal_due_date_rule(deck: Deck) -> DueDateRule:
    """Deal a due date rule, from either end of the period."""
    return DueDateRule(day_of_period=deck.pick(DUE_DAYS), relative_to=deck.pick(ENDS))


def deal_period(deck: Deck, longest: int = 400) -> Period:
    """Deal a period of any whole number of days."""
    start = deck.day(900)
    return Period(start, start + timedelta(days=deck.below(longest)))


def deal_window(deck: Deck) -> Period:
    """Deal a period to ask bills for."""
    start = deck.day(450)
    length = deck.pick((365, 31, 92, 1, 7, 730, 180))
    return Period(start, start + timedelta(days=length - 1))


def deal_discount(deck: Deck, amount: Amount) -> Discount:
    """Deal a discount that an item of this amount may carry (A22)."""
    end = deck.pick((None, deck.day(700)))
    if amount.amount > 0 and deck.below(2):
        part = Decimal(deck.pick(("1", "0.5", "0.25", "0.1")))
        off = Amount(part * amount.amount, amount.currency)
        return Discount(amount=off, description="Rabat", end_date=end)
    return Discount(percentage=deck.pick(PERCENTAGES), end_date=end)


def deal_opening(deck: Deck, currency: str) -> FirstBillingPeriodBillItem:
    """Deal an opening period: any first day, from one day to most of a year long (A12)."""
    start = deck.day(200)
    length = deck.pick((31, 30, 1, 17, 60, 200))
    return FirstBillingPeriodBillItem(
        amount=deal_amount(deck, currency),
        due_date=start + timedelta(days=deck.pick((0, 0, 3, -10, 40))),
        accounting_period=Period(start, start + timedelta(days=length - 1)),
    )


def deal_starts(deck: Deck) -> list[date]:
    """Deal up to three different days, in any order, on which records begin (A18)."""
    days = [deck.day() for _ in range(deck.pick((0, 0, 1, 2, 3)))]
    return list(dict.fromkeys(days))


def deal_records(deck: Deck, currency: str) -> dict[str, Any]:
    """Deal the dated records of an item."""
    texts = ("Husleje", "Leje, reguleret")
    return {
        "amount_records": tuple(
            AmountRecord(value=deal_amount(deck, currency), start=day) for day in deal_starts(deck)
        ),
        "vat_records": tuple(
            VatRecord(value=deal_vat(deck), start=day) for day in deal_starts(deck)
        ),
        "description_records": tuple(
            DescriptionRecord(value=deck.pick(texts), start=day) for day in deal_starts(deck)
        ),
        "quantity_records": tuple(
            QuantityRecord(value=deck.pick(QUANTITIES), start=day) for day in deal_starts(deck)
        ),
    }


def deal_item(
    deck: Deck, currency: str | None = None, like: RecurringBillItem | None = None
) -> RecurringBillItem:
    """Deal a recurring item, perhaps with the dates of another, so that they share their bills."""
    code = deck.pick(CURRENCIES) if currency is None else currency
    amount = deal_amount(deck, code)
    opening = deal_opening(deck, code)
    if like is not None:
        other = like.first_billing_period_bill_item
        opening = opening.evolve(due_date=other.due_date, accounting_period=other.accounting_period)
    return RecurringBillItem(
        product_key=deck.pick(PRODUCTS),
        description=deck.pick((None, "Leje")),
        amount=amount,
        quantity=deck.pick((None, None, *QUANTITIES)),
        vat=deal_vat(deck),
        due_date_rule=deal_due_date_rule(deck) if like is None else like.due_date_rule,
        billing_cycle=deal_cycle(deck) if like is None else like.billing_cycle,
        started_on=opening.due_date - timedelta(days=deck.pick((0, 0, 0, 1))),
        first_billing_period_bill_item=opening,
        discount=deck.pick((None, None, deal_discount(deck, amount))),
        ended_on=deck.pick((None, None, deck.day(700))),
        cancelled_on=deck.pick((None, None, None, deck.day(700))),
        **(deal_records(deck, code) if deck.below(2) else {}),
    )


def deal_one_time_item(
    deck: Deck, currency: str | None = None, due: date | None = None
) -> OneTimeBillItem:
    """Deal a one-time item (A55)."""
    start = deck.day()
    return OneTimeBillItem(
        product_key=deck.pick(PRODUCTS),
        amount=deal_amount(deck, currency),
        quantity=deck.pick((None, None, *QUANTITIES)),
        vat=deal_vat(deck),
        due_date=start if due is None else due,
        accounting_period=Period(start, start + timedelta(days=deck.pick((0, 30)))),
    )


def deal_terms(deck: Deck, currency: str | None = None) -> LeaseTerms:
    """Deal a lease with one recurring item, or more on the same days, and some one-time items."""
    items = [deal_item(deck, currency)]
    for _ in range(deck.pick((0, 1, 2))):
        items.append(deal_item(deck, currency, deck.pick((items[0], items[0], None))))
    due = items[0].first_billing_period_bill_item.due_date
    return LeaseTerms(
        lease_id=deck.pick((None, "lease-1")),
        currency=currency,
        contract_start=deck.pick((None, EPOCH)),
        contract_end=deck.pick((None, None, deck.day(700))),
        one_time_bill_items=tuple(
            deal_one_time_item(deck, currency, deck.pick((due, None)))
            for _ in range(deck.pick((0, 0, 1, 2)))
        ),
        recurring_bill_items=tuple(items),
    )


OWN_POLICIES = (
    BillingPolicy(part_period="thirty_day"),
    BillingPolicy(mid_period_change="next_period"),
    BillingPolicy(discount_opening=True),
    BillingPolicy(rounding="down"),
    BillingPolicy(business_day="following"),
)

CHANGES: tuple[tuple[str, Any], ...] = (
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
    *(("by_product", {"key:rent": own}) for own in OWN_POLICIES),
)
"""One choice each, the default first."""


def deal_policy(deck: Deck) -> BillingPolicy:
    """Deal a policy with up to three choices of its own."""
    return BillingPolicy(**dict(deck.pick(CHANGES) for _ in range(deck.pick((0, 1, 2, 3)))))


figures = dealt(lambda deck: deal_figure(deck, 2))
amounts = dealt(deal_amount)
payments = dealt(deal_payment)
vats = dealt(deal_vat)
cycles = dealt(deal_cycle)
lattice_cycles = dealt(deal_lattice_cycle)
due_date_rules = dealt(deal_due_date_rule)
periods = dealt(deal_period)
windows = dealt(deal_window)
days = dealt(Deck.day)
items = dealt(deal_item, 240)
one_time_items = dealt(deal_one_time_item)
leases = dealt(lambda deck: deal_terms(deck, deck.pick((*CURRENCIES, None))), 700)
policies = dealt(deal_policy)
roundings = st.sampled_from(ROUNDINGS)
share_methods = st.sampled_from(SHARE_METHODS)
business_days = st.sampled_from(BUSINESS_DAYS)

whole_bills = dealt(
    lambda deck: tuple(deal_one_time_item(deck, "DKK", EPOCH) for _ in range(1 + deck.below(6))),
    240,
)
"""One-time items that fall due together: one bill of stated lines."""
