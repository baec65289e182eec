"""Figures of a lease on a day: its rent of a month, deposits, and the state of its contract.

Laws: a figure that cannot be computed is left out and never guessed; the rent of a month is rounded
once (A38, A39).
"""

from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from typing import Final, Literal, NamedTuple, TypeVar

from rentbilling.adjustments import AmountScale, LeaseHistories
from rentbilling.errors import RentBillingError
from rentbilling.indices import AnyIndices, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.schedule import BillingEnds, Schedule
from rentbilling.terms import (
    RENT,
    AmountRecord,
    LeaseTerms,
    QuantityRecord,
    RecurringBillItem,
    VatRecord,
    balance_ids,
)
from rentbilling.values import NEVER, Amount, Vat, minor_units

_YEAR: Final = 12
_ONE: Final = Fraction(1)
R = TypeVar("R", AmountRecord, QuantityRecord, VatRecord)

ContractPeriodState = Literal["Upcoming", "Active", "Expired"]
"""The state of a contract on a day (A48)."""

DEPOSIT: Final = "deposit"
"""Type of the balances that are the deposit, in any case."""
PREPAID_RENT: Final = "prepaidRent"
"""Type of the balances that are the prepaid rent, in any case."""


def contract_period_state(start: date | None, end: date | None, day: date) -> ContractPeriodState:
    """Return Upcoming before the first day, Expired after the last one (A17), else Active (A48).

    A contract without a first day has not begun.

    Examples:
        >>> contract_period_state(date(2026, 1, 15), date(2026, 12, 31), date(2026, 12, 31))
        'Active'
    """
    if end is not None and end < day:
        return "Expired"
    return "Upcoming" if start is None or start > day else "Active"


class LeaseFigures(NamedTuple):
    """The figures of a lease on a day; absent where it has none, or they cannot be computed."""

    monthly_rent_level: Amount | None = None
    """Rent of a month, before discount."""
    deposit_balance: Amount | None = None
    """All deposits together."""
    prepaid_balance: Amount | None = None
    """All prepaid rents together."""


def lease_figures_on(
    terms: LeaseTerms,
    day: date,
    *,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
) -> LeaseFigures:
    """Return the figures of a lease on a day, after all adjustments up to it.

    The rent of a month is that of the items with the product `key:rent` whose days include the day,
    in their own tax mode and before discount, a year's amount divided by twelve (A38). A cancelled
    item counts to the end of the last period that is billed (A17). If none has begun, it is the
    rent with which the lease begins. A figure is absent if there is no such item or balance, if two
    currencies or rents with and without VAT inside are mixed, and if it cannot be computed, because
    an index value is missing or two plans contradict each other.

    Raises:
        TypeError: `policy` is no BillingPolicy, or `indices` are no series.

    Examples:
        >>> from rentbilling import Balance
        >>> deposit = Balance(balance_charge_type="deposit", amount=Amount(25_500, "DKK"))
        >>> lease_figures_on(LeaseTerms(balances=(deposit,)), date(2026, 1, 31)).deposit_balance
        Amount(Decimal('25500.00'), 'DKK')
    """
    rules, series = policy_of(policy), series_of(indices)
    try:
        histories = LeaseHistories(terms, series, rules)
    except RentBillingError:
        return LeaseFigures()
    return LeaseFigures(
        _monthly_rent(terms, day, histories),
        _balance(terms, DEPOSIT, day, histories),
        _balance(terms, PREPAID_RENT, day, histories),
    )


def _monthly_rent(terms: LeaseTerms, day: date, histories: LeaseHistories) -> Amount | None:
    """Return the rent of a month on a day, None where it cannot be computed."""
    total = Fraction(0)
    gross: set[bool] = set()
    try:
        rents = _rents_on(terms, day, histories.policy)
        currencies = {item.amount.currency for _, item in rents}
        if len(currencies) != 1:
            return None
        (currency,) = currencies
        for at, item in rents:
            # A rent that has not begun has the amount with which it begins.
            when = max(day, _first_day(item))
            gross.add(_vat_on(item, when).tax_mode == "Inclusive")
            history = histories.items.get(at)
            exact = (
                _amount_on(item, when) if history is None else history.amount_on(when.toordinal())
            )
            total += exact * item.prices_a_year / _YEAR
        # What has VAT inside and what has none are no sum.
        if len(gross) > 1:
            return None
        policy = histories.policy
        places = minor_units(currency, policy.currencies)
        return AmountScale(currency, places, policy.for_product(RENT).rounding, _ONE).shown(total)
    except RentBillingError:
        return None


def _rents_on(
    terms: LeaseTerms, day: date, policy: BillingPolicy
) -> list[tuple[int, RecurringBillItem]]:
    """Return the rents that are in force on a day, each with its place; else the next ones."""
    end = terms.contract_end
    if end is not None and end < day:
        return []
    rents = [
        (at, item)
        for at, item in enumerate(terms.recurring_bill_items)
        if item.product_key == RENT and not _is_over(item, terms.contract_end, day, policy)
    ]
    begun = [(at, item) for at, item in rents if _first_day(item) <= day]
    if begun or not rents:
        return begun
    first = min(_first_day(item) for _, item in rents)
    return [(at, item) for at, item in rents if _first_day(item) == first]


def _first_day(item: RecurringBillItem) -> date:
    return item.first_billing_period_bill_item.accounting_period.start


def _is_over(
    item: RecurringBillItem, contract_end: date | None, day: date, policy: BillingPolicy
) -> bool:
    """Return whether an item has ended before a day, or no billed period lasts to it (A17)."""
    if item.ended_on is not None and item.ended_on < day:
        return True
    if item.cancelled_on is None:
        return False
    stops = BillingEnds.of(item, NEVER if contract_end is None else contract_end.toordinal())
    opening = item.first_billing_period_bill_item.accounting_period.last
    regular = Schedule(item.billing_cycle, item.due_date_rule, opening, policy)
    # The first regular period that is not billed.
    number = regular.first_with(
        lambda each: (
            regular.start_of(each) > stops.last_start or regular.due_of(each) > stops.last_due
        )
    )
    if number > 0:
        return regular.start_of(number) <= day.toordinal()
    return not stops.opens or opening < day.toordinal()


def _vat_on(item: RecurringBillItem, day: date) -> Vat:
    record = _latest(item.vat_records, day)
    return item.vat if record is None else record.value


def _amount_on(item: RecurringBillItem, day: date) -> Fraction:
    """Return the exact amount of an item that no plan adjusts, for a billing period (A18)."""
    price = _latest(item.amount_records, day)
    units = _latest(item.quantity_records, day)
    amount = item.amount if price is None else price.value
    quantity = item.quantity if units is None else units.value
    return Fraction(amount.amount) * Fraction(1 if quantity is None else quantity)


def _latest(records: Iterable[R], day: date) -> R | None:
    begun = (record for record in records if record.start <= day)
    return max(begun, key=lambda record: record.start, default=None)


def _balance(terms: LeaseTerms, kind: str, day: date, histories: LeaseHistories) -> Amount | None:
    """Return all balances of a type together on a day, None where they cannot be computed (A39)."""
    ids = [
        balance_id
        for balance_id, each in zip(balance_ids(terms.balances), terms.balances, strict=True)
        if each.balance_charge_type.casefold() == kind.casefold()
    ]
    try:
        found = [histories.amount_on(balance_id, day.toordinal()) for balance_id in ids]
    except RentBillingError:
        return None
    if len({each.currency for each in found}) != 1:
        return None
    total, *others = found
    for each in others:
        total += each
    return total
