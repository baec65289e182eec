"""What was paid in advance, and what the next advance is.

Law: an advance counts as it is stated; nothing is known here of payments (A82).
"""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Final

from rentbilling.billing import PendingBill, PendingBillLineItem
from rentbilling.errors import InvalidAmountError, InvalidRecordError
from rentbilling.settlement.measures import days_of_month
from rentbilling.settlement.occupancies import Advance
from rentbilling.settlement.policy import DEFAULT, SettlementPolicy
from rentbilling.terms import value_on
from rentbilling.values import (
    Amount,
    AnyPeriod,
    Period,
    Vat,
    amount_of,
    divide_rounded,
    minor_units,
    period_of,
    units_of,
)

MONTHS: Final = 12
"""Of a year."""


def advance_total(advance: Advance, occupied: AnyPeriod) -> Amount:
    """Return what an advance comes to in the days of an occupancy, rounded once (A82).

    Of monthly amounts whole months count, with `begun_months` begun ones too, with `days` a month's
    share by its days; of yearly ones the share by the days of the calendar year.

    Raises:
        InvalidRecordError: It has not exactly one of total, monthly and yearly, or later amounts
            together with a total or a number of months.

    Examples:
        >>> from datetime import date
        >>> monthly = Advance(occupancy="o1", monthly=Amount(100, "EUR"))
        >>> print(advance_total(monthly, "2025-03-15/2025-12-31"))
        900.00 EUR
    """
    given = [each for each in (advance.total, advance.monthly, advance.yearly) if each is not None]
    if len(given) != 1 and not (not given and advance.records):
        said, expected = "has not exactly one amount", "total, monthly or yearly"
        path = f"advances of {advance.occupancy}"
        raise InvalidRecordError.of(path, "one_of_two", said, len(given), expected)
    fixed = advance.total is not None or advance.months is not None
    if fixed and (advance.records or (advance.total is not None and advance.months is not None)):
        said, expected = "has amounts that do not count", "total, months, or later amounts"
        path = f"advances of {advance.occupancy}"
        raise InvalidRecordError.of(path, "one_of_two", said, "several", expected)
    currency = (given[0] if given else advance.records[0].value).currency
    if advance.total is not None:
        exact = Fraction(units_of(advance.total))
    elif advance.months is not None:
        parts = 1 if advance.yearly is None else MONTHS
        exact = Fraction(units_of(given[0]) * advance.months, parts)
    else:
        exact = sum(
            (_of_month(advance, month) for month in period_of(occupied).months), Fraction(0)
        )
    return amount_of(exact, currency)


def _of_month(advance: Advance, run: Period) -> Fraction:
    """Return the advance of days in one calendar month; the amount is that of their first day."""
    amount = value_on(advance.records, run.first, advance.monthly or advance.yearly)
    if amount is None:
        return Fraction(0)
    if advance.yearly is not None and advance.counted == "days":
        return Fraction(units_of(amount) * run.days, Period.year(run.start.year).days)
    share = Fraction(run.days, days_of_month(run))
    if advance.counted != "days":
        share = Fraction(share == 1 or advance.counted == "begun_months")
    return units_of(amount) * share / (1 if advance.yearly is None else MONTHS)


def billed_advance(
    bills: Iterable[PendingBill],
    occupancy: str,
    product_keys: Collection[str],
    period: AnyPeriod,
    *,
    group: str | None = None,
) -> Advance:
    """Return as an advance what bills charged for products, without VAT (A82).

    Lines count whose accounting period begins in the period. A text is one product.

    Raises:
        InvalidRecordError: No line does.

    Examples:
        >>> from rentbilling import LeaseTerms, pending_bills
        >>> from rentbilling.billing import recurring_item
        >>> heat = recurring_item("key:heat", "90 DKK", "2026-01-01")
        >>> bills = pending_bills(LeaseTerms.of(heat), "2026")
        >>> print(billed_advance(bills, "o1", ["key:heat"], "2026").total)
        1080.00 DKK
    """
    lines = _billed(bills, product_keys, period)
    total = sum((line.net_price for line in lines[1:]), lines[0].net_price)
    return Advance(occupancy=occupancy, group=group, total=total)


def billed_advances(
    bills: Iterable[PendingBill],
    occupancy: str,
    product_keys: Collection[str],
    period: AnyPeriod,
    *,
    group: str | None = None,
) -> tuple[Advance, ...]:
    """Return the same as an advance for each VAT, so that a balance may have their rates (A91).

    Raises:
        InvalidRecordError: No line is of the period.

    Examples:
        >>> from rentbilling import LeaseTerms, pending_bills
        >>> from rentbilling.billing import recurring_item
        >>> heat = recurring_item("key:heat", "90 DKK", "2026-01-01")
        >>> bills = pending_bills(LeaseTerms.of(heat), "2026")
        >>> (only,) = billed_advances(bills, "o1", ["key:heat"], "2026")
        >>> print(only.total, only.vat.tax_mode)
        1080.00 DKK Exempt
    """
    sums: dict[Vat, Amount] = {}
    for line in _billed(bills, product_keys, period):
        sums[line.vat] = sums[line.vat] + line.net_price if line.vat in sums else line.net_price
    return tuple(
        Advance(occupancy=occupancy, group=group, total=total, vat=vat)
        for vat, total in sums.items()
    )


def _billed(
    bills: Iterable[PendingBill], product_keys: Collection[str], period: AnyPeriod
) -> list[PendingBillLineItem]:
    days = period_of(period)
    keys = [product_keys] if isinstance(product_keys, str) else product_keys
    lines = [
        line
        for bill in bills
        for line in bill.lines
        if line.product_key in keys and line.accounting_period.start in days
    ]
    if not lines:
        said, expected = "are on no line of the period", "products that were billed"
        raise InvalidRecordError.of("product_keys", "nothing_billed", said, [*keys], expected)
    return lines


def new_advance(
    shares: Mapping[str | None, Amount],
    *,
    months: int = MONTHS,
    policy: SettlementPolicy = DEFAULT,
) -> Mapping[str | None, Amount]:
    """Return the new monthly advance of each group, from its share of so many months (A83).

    Each group is brought to the policy's step by itself; the month's total is their sum.

    Raises:
        InvalidAmountError: There are no months, or the step is no multiple of the minor unit.

    Examples:
        >>> euro = SettlementPolicy(advance_step=1)
        >>> print(new_advance({None: Amount("1450.25", "EUR")}, policy=euro)[None])
        121.00 EUR
    """
    if months < 1:
        raise InvalidAmountError.of("months", "out_of_range", "are none", months, "1 or more")
    return {
        group: monthly(Fraction(units_of(share), months), share.currency, policy)
        for group, share in shares.items()
    }


def monthly(share: Fraction, currency: str, policy: SettlementPolicy) -> Amount:
    """Return the advance of a month's share in minor units, brought to the policy's step (A83).

    Raises:
        InvalidAmountError: The step is no multiple of the minor unit.
    """
    step = Fraction(policy.advance_step or 0) * 10 ** minor_units(currency) or Fraction(1)
    if step.denominator != 1:
        said, expected = "is no multiple of the minor unit", "a multiple such as 1"
        met = policy.advance_step
        raise InvalidAmountError.of("advance_step", "wrong_step", said, met, expected)
    exact = share * (1 + Fraction(policy.uplift)) / step
    steps = divide_rounded(exact.numerator, exact.denominator, policy.advance_rounding)
    return amount_of(steps * step.numerator, currency)
