"""The opening period: a price for it, for those who have agreed on none (assumption A14).

Law: it is a help, never applied silently; an opening period that is given is taken as given (A12).
What does not live here: billing the opening period (`billed`), the shares (`shares`).
"""

from datetime import date
from decimal import Decimal
from fractions import Fraction

from rentbilling.currencies import minor_units
from rentbilling.errors import InvalidInputError
from rentbilling.figures import shown_unit
from rentbilling.lines import discounted
from rentbilling.money import Amount, divide_rounded, number
from rentbilling.periods import Period, parse_date
from rentbilling.policy import DEFAULT, BillingPolicy
from rentbilling.records import (
    BillingCycle,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    discount_faults,
    quantity_faults,
)
from rentbilling.schedule import Schedule
from rentbilling.shares import periods_covered, share_of, shares_of_parts, whole_before


def first_billing_period(
    amount: Amount,
    cycle: BillingCycle,
    moved_in: date,
    *,
    due_date: date | None = None,
    quantity: Decimal | int | None = None,
    discount: Discount | None = None,
    policy: BillingPolicy | None = None,
) -> FirstBillingPeriodBillItem:
    """Return an opening period priced by its share of the regular price (assumptions A14, A20).

    It runs from the day of moving in to the day before the first regular cycle that starts after
    it; in a cycle of days, which follow the opening directly, it is one whole cycle.

    Args:
        amount: Regular price of one unit for one cycle.
        cycle: The billing cycle.
        moved_in: First day to pay for.
        due_date: When it falls due; the day of moving in by default.
        quantity: Units; 1 by default. The line is rounded for all of them together.
        discount: The item's discount; it is in the price, because a stated opening amount is final
            (A24). One that ends inside the opening period counts to its end date.
        policy: Its `part_period`, `discount_end` and `rounding` are followed.

    Returns:
        The opening period, its amount as the unit price that reproduces the rounded line (A21).

    Raises:
        InvalidInputError: The discount does not fit the amount, or a value cannot be used.

    Examples:
        >>> opening = first_billing_period(Amount(8500, "DKK"), BillingCycle(), date(2026, 1, 15))
        >>> print(opening.amount, opening.accounting_period)
        4661.29 DKK 2026-01-15/2026-01-31
    """
    rules = policy or DEFAULT
    first = parse_date(moved_in).toordinal()
    schedule = Schedule(cycle, DueDateRule(), first)
    after = first + cycle.days if cycle.time_unit == "Day" else schedule.start_of(0)
    part = (first, after - 1)
    if discount is not None and discount.amount is not None:
        _refuse_misfit(amount, discount.amount)
    units = Decimal(1) if quantity is None else _quantity(quantity)
    exact = sum(
        (
            share * Fraction(*discounted(amount.amount, taken)[:2])
            for share, taken in _parts(part, cycle, discount, rules)
        ),
        Fraction(0),
    )
    places = minor_units(amount.currency, rules.currencies)
    line = exact * Fraction(units) * 10**places
    whole = divide_rounded(line.numerator, line.denominator, rules.rounding)
    price = shown_unit(whole, units, exact.numerator, exact.denominator, places, rules.rounding)
    return FirstBillingPeriodBillItem(
        amount=Amount.of(price, amount.currency),
        due_date=moved_in if due_date is None else due_date,
        accounting_period=Period.of(*part),
    )


def _quantity(given: Decimal | int) -> Decimal:
    """Return a quantity, which is an exact number and not 0 (A21)."""
    try:
        units = number(given) if isinstance(given, (Decimal, int)) else number(None)
    except InvalidInputError as error:
        raise error.under("quantity") from None
    for kind, problem in quantity_faults("quantity", units):
        raise kind((problem,))
    return units


def _refuse_misfit(amount: Amount, discount: Amount) -> None:
    """Refuse a discount by amount that an item with this amount could not have (A2, A22)."""
    for kind, problem in discount_faults(amount, discount):
        raise kind((problem,))


def _parts(
    part: tuple[int, int], cycle: BillingCycle, discount: Discount | None, rules: BillingPolicy
) -> list[tuple[Fraction, Discount | None]]:
    """Return the shares of the opening period with and without the discount."""
    whole = whole_before(Period.of(*part), cycle)
    share = share_of(part, whole, cycle, rules.part_period)
    if rules.part_period == "full":
        share = Fraction(-(-periods_covered(part, cycle) // 1))
    if discount is None or discount.end_date is None:
        return [(share, discount)]
    end = discount.end_date.toordinal()
    if end < part[0]:
        return [(share, None)]
    if end >= part[1] or rules.discount_end == "whole_period":
        return [(share, discount)]
    days = [(part[0], end), (end + 1, part[1])]
    ratio = share.as_integer_ratio()
    with_it, without = shares_of_parts(days, ratio, cycle, rules.part_period)
    return [(Fraction(*with_it), discount), (Fraction(*without), None)]
