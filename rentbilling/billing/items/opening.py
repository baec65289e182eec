"""The opening period: its price where the lease states none (A14).

Law: it is computed on request only; an opening period that is stated is billed as stated (A12).
"""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, get_args

from rentbilling.billing.discounts import discounted
from rentbilling.billing.figures import shown_unit
from rentbilling.errors import (
    NOT_KNOWN,
    InvalidPeriodError,
    InvalidRecordError,
    Problem,
    UnsupportedCaseError,
    paths_under,
    shown,
)
from rentbilling.policy import DEFAULT, BillingPolicy, PartPeriod, policy_of
from rentbilling.records import MORE_THAN_NONE
from rentbilling.schedule import Schedule, opening_share, shares_of_parts
from rentbilling.terms import (
    AmountRecord,
    BillingCycle,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    PartPeriodEnds,
    PricePer,
    RecurringBillItem,
    discount_problems,
    discounts_in_force,
    prices_in_a_cycle,
    value_on,
)
from rentbilling.values import (
    LAST_DAY,
    NEVER,
    Amount,
    Period,
    day_of,
    divide_rounded,
    exact_number,
    minor_units,
)

AnyPartPeriod = PartPeriod | PartPeriodEnds | Mapping[str, PartPeriod] | None
"""How part periods are counted: a word, one for each end, or as the policy has it (A66)."""


def first_billing_period(
    amount: Amount,
    cycle: BillingCycle,
    moved_in: date | str,
    *,
    due_date: date | str | None = None,
    ended_on: date | str | None = None,
    quantity: Decimal | int | str | None = None,
    discount: Discount | None = None,
    discounts: Sequence[Discount] = (),
    amount_records: Sequence[AmountRecord] = (),
    price_per: PricePer = "cycle",
    part_period: AnyPartPeriod = None,
    product_key: str | None = None,
    policy: BillingPolicy | None = None,
) -> FirstBillingPeriodBillItem:
    """Return an opening period priced by its share of the regular price (assumptions A14, A20).

    It runs from the day of moving in to the day before the next one on which a cycle may start; on
    such a day it is one whole cycle (A151). An end before that day cuts it (A14).

    Args:
        amount: Regular price of one unit for one cycle, or what `price_per` says.
        cycle: The billing cycle.
        moved_in: First day to pay for, or its text.
        due_date: When it falls due; the day of moving in by default.
        ended_on: Last day to pay for, if it is known.
        quantity: Units; 1 by default. The line is rounded for all of them together.
        discount: The item's discount; it is in the price, because a stated opening amount is final,
            unless the policy's `discount_opening` takes it off the bill (A24). On days of the
            opening period outside its own it does not count.
        discounts: Several discounts in order, instead of the one (A61).
        amount_records: The item's later prices; one that starts in the opening period counts from
            its day on, unless the policy's `mid_period_change` lets it wait (A19).
        price_per: What the amount is for: a cycle, a month or a year (A65).
        part_period: How the item counts its part periods, if not as the policy does (A66).
        product_key: Product of the item, if `policy` may have another one for its lines (A54).
        policy: Its `part_period`, `mid_period_change`, `discount_end` and `rounding` are followed.

    Returns:
        The opening period, its amount as the unit price that reproduces the rounded line (A21).

    Raises:
        InvalidInputError: The discount does not fit the amount, a value cannot be used, or the end
            is before the day of moving in (A158).
        UnsupportedCaseError: The opening period, or with `thirty_day` its cycle, lies outside the
            years 1 to 9999.
        TypeError: An argument is of another kind.

    Examples:
        >>> opening = first_billing_period(Amount(8500, "DKK"), BillingCycle(), date(2026, 1, 15))
        >>> print(opening.amount, opening.accounting_period)
        4661.29 DKK 2026-01-15/2026-01-31
    """
    bills = policy_of(policy)
    rules = bills if product_key is None else bills.for_product(product_key)
    method = PartPeriodEnds.of(part_period).over(rules.part_periods).first
    taken = (*discounts,) if discount is None else (discount,)
    times = _check(amount, cycle, discount, discounts, price_per)
    first = day_of(moved_in, "moved_in")
    due = first if due_date is None else day_of(due_date, "due_date")
    uncut = opening_days(first, cycle)
    last = uncut[1] if ended_on is None else day_not_before(first, ended_on)
    part = cut_opening(uncut, last)
    units = Decimal(1) if quantity is None else _quantity(quantity)
    prices = _Prices(amount, discounts_in_price(taken, first, rules), amount_records, rules, part)
    parts = _parts(prices, uncut, cycle, method)
    exact = sum((share * prices.on(day, times) for share, day in parts), Fraction(0))
    places = minor_units(amount.currency, bills.currencies)
    line = exact * Fraction(units) * 10**places
    whole = divide_rounded(line.numerator, line.denominator, rules.rounding)
    price = shown_unit(whole, units, exact.numerator, exact.denominator, places, rules.rounding)
    return FirstBillingPeriodBillItem(
        amount=Amount.unchecked(price, amount.currency),
        due_date=date.fromordinal(due),
        accounting_period=Period.unchecked(*part),
    )


def _check(
    amount: object,
    cycle: object,
    discount: Any,  # noqa: ANN401 - checked here
    discounts: Sequence[Any],
    price_per: PricePer,
) -> Fraction:
    """Refuse what an item could not have (A2, A22); return how many amounts a cycle costs (A65)."""
    if not isinstance(amount, Amount):
        raise TypeError(f"first_billing_period takes an Amount, not {shown(amount)}")
    if not isinstance(cycle, BillingCycle):
        takes = "a billing cycle is a BillingCycle, such as BillingCycle(period_length=3)"
        raise TypeError(f"{takes}, not {shown(cycle)}")
    listed = [discounts] if isinstance(discounts, str) else discounts
    for each in listed if discount is None else (discount, *listed):
        if not isinstance(each, Discount):
            takes = 'a discount is a Discount, such as Discount(percentage="10%")'
            raise TypeError(f"{takes}, not {shown(each)}")
    if price_per not in get_args(PricePer):
        expected = "one of " + ", ".join(get_args(PricePer))
        raise InvalidRecordError.of("price_per", "unknown_word", NOT_KNOWN, price_per, expected)
    times = prices_in_a_cycle(cycle, price_per)
    for kind, problem in discount_problems(amount, discount, discounts, times):
        raise kind((problem,))
    return times


def day_not_before(first: int, ended_on: date | str) -> int:
    """Return the last day to pay for, which the first one is not after (A158)."""
    last = day_of(ended_on, "ended_on")
    if last < first:
        said, expected = "is before the first day to pay for", f"{date.fromordinal(first)} or later"
        met = str(date.fromordinal(last))
        raise InvalidPeriodError((Problem("ended_on", "reversed_period", said, met, expected),))
    return last


def opening_days(first: int, cycle: BillingCycle) -> tuple[int, int]:
    """Return the days of an opening period that no end cuts (A14, A151)."""
    possible = Schedule(cycle, DueDateRule(), first - 1)
    after = possible.start_of(1 if possible.first_start == first else 0)
    if after > LAST_DAY + 1:
        raise UnsupportedCaseError(
            "unsupported", case="an opening period that ends after 9999-12-31"
        )
    return first, after - 1


def priced_opening(
    item: RecurringBillItem,
    moved_in: int,
    ended_on: date | None,
    policy: BillingPolicy | None,
    part_period: AnyPartPeriod = None,
) -> FirstBillingPeriodBillItem:
    """Return the opening period that A14 gives an item, at its price and quantity of that day."""
    return first_billing_period(
        item.amount,
        item.billing_cycle,
        date.fromordinal(moved_in),
        ended_on=ended_on,
        quantity=value_on(item.quantity_records, moved_in, item.quantity),
        discounts=item.all_discounts,
        amount_records=item.amount_records,
        price_per=item.price_per,
        part_period=item.part_period if part_period is None else part_period,
        product_key=item.product_key,
        policy=policy,
    )


def opening_by_rule(
    item: RecurringBillItem,
    policy: BillingPolicy,
    *,
    part_period: AnyPartPeriod = None,
    contract_end: int = NEVER,
) -> Amount | None:
    """Return the amount that A14 gives for an item's opening period, whatever amount it states.

    None if the opening period has other days than A14 gives, or A14 gives no amount for them.

    Args:
        item: The item; its first day to pay for is that of its opening period.
        policy: The policy of the bills; one for the item's product goes before it (A54).
        part_period: How part periods are counted, in place of the item's word and the policy's.
        contract_end: Last day of the contract as an ordinal; it and the item's end may cut (A14).

    Examples:
        >>> from rentbilling.billing import monthly_rent
        >>> item = monthly_rent("1000 GBP", "2025-05-20")
        >>> print(opening_by_rule(item, BillingPolicy()))
        387.10 GBP
        >>> print(opening_by_rule(item, BillingPolicy(), part_period="year_365"))
        394.52 GBP
    """
    days = item.first_billing_period_bill_item.accounting_period
    ended = NEVER if item.ended_on is None else item.ended_on.toordinal()
    try:
        uncut = opening_days(days.first, item.billing_cycle)
        if days.last not in (uncut[1], cut_opening(uncut, min(ended, contract_end))[1]):
            return None
        return priced_opening(item, days.first, days.end, policy, part_period).amount
    except UnsupportedCaseError:
        return None


def opens_by_default(policy: BillingPolicy) -> bool:
    """Return whether a policy gives every opening the amount that the default one gives (A154)."""
    return policy is DEFAULT or all(
        getattr(policy, name) == getattr(DEFAULT, name)
        for name in (
            *("part_period", "mid_period_change", "discount_end", "discount_opening", "rounding"),
        )
    )


def opening_changes(item: RecurringBillItem, policy: BillingPolicy) -> list[int]:
    """Return the days on which A14 splits an item's opening period (A19, A23)."""
    days = item.first_billing_period_bill_item.accounting_period
    rules, part = policy.for_product(item.product_key), (days.first, days.last)
    taken = discounts_in_price(item.all_discounts, days.first, rules)
    return _Prices(item.amount, taken, item.amount_records, rules, part).changes()


def discounts_in_price(
    discounts: Sequence[Discount], first: int, policy: BillingPolicy
) -> tuple[Discount, ...]:
    """Return the discounts that an opening's price has: those that its bill does not take off."""
    off = discounts_in_force(discounts, first) if policy.discount_opening else ()
    return tuple(each for each in discounts if each not in off)


def cut_opening(uncut: tuple[int, int], last: int) -> tuple[int, int]:
    """Return the days of an opening period up to the last one to pay for (A14)."""
    return (uncut[0], last) if uncut[0] <= last < uncut[1] else uncut


def _quantity(given: object) -> Decimal:
    """Return a quantity, which is an exact number and not 0 (A21)."""
    with paths_under("quantity"):
        units = exact_number(given, "12.5")
    problem = MORE_THAN_NONE.problem("quantity", units)
    if problem is not None:
        raise InvalidRecordError((problem,))
    return units


class _Prices(NamedTuple):
    """What an opening period costs on each day."""

    amount: Amount
    discounts: tuple[Discount, ...]
    records: Sequence[AmountRecord]
    rules: BillingPolicy
    part: tuple[int, int]

    def changes(self) -> list[int]:
        """Return the days on which a price or a discount splits the opening period (A19, A23)."""
        days = set[int]()
        if self.rules.discount_end != "whole_period":
            days |= {day for each in self.discounts for day in (each.days[0], each.days[1] + 1)}
        if self.rules.mid_period_change == "split":
            days |= {each.start.toordinal() for each in self.records}
        return sorted(day for day in days if self.part[0] < day <= self.part[1])

    def on(self, day: int, times: Fraction) -> Fraction:
        """Return the price of a cycle on a day."""
        first, rules = self.part[0], self.rules
        until = day if rules.mid_period_change == "split" else first
        amount = value_on(self.records, until, self.amount)
        whole = rules.discount_end == "whole_period"
        held = discounts_in_force(self.discounts, first if whole else day)
        return Fraction(*discounted(Fraction(amount.amount) * times, held)[:2])


def _parts(
    prices: _Prices, uncut: tuple[int, int], cycle: BillingCycle, method: PartPeriod
) -> list[tuple[Fraction, int]]:
    """Return the shares of the opening period, each with its first day."""
    part = prices.part
    share = opening_share(Period.unchecked(*part), cycle, method, Period.unchecked(*uncut))
    inside = prices.changes()
    if not inside:
        return [(share, part[0])]
    starts, ends = (part[0], *inside), (*(day - 1 for day in inside), part[1])
    shares = shares_of_parts(
        [*zip(starts, ends, strict=True)], share.as_integer_ratio(), cycle, method
    )
    return [(Fraction(*each), start) for each, start in zip(shares, starts, strict=True)]
