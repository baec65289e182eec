"""Figures of a lease on a day: its rents, its rent of a month, deposits, the state of its contract.

Laws: a figure that cannot be computed is left out and never guessed; the rent of a month is rounded
once (A38, A39); the rent of a billing period is the line of such a period before its discounts.
"""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from rentbilling.adjustments import AmountScale, LeaseHistories
from rentbilling.billing import CompiledTerms, LineFigures
from rentbilling.errors import RentBillingError
from rentbilling.indices import AnyIndices, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.schedule import BillingEnds, Schedule
from rentbilling.terms import (
    RENT,
    LeaseTerms,
    RecurringBillItem,
    balance_ids,
    periods_a_year,
)
from rentbilling.values import MONTHS_PER_YEAR, NEVER, Amount, amounts_by_currency

_ONE: Final = Fraction(1)

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
    rules = policy_of(policy)
    series = series_of(indices)
    try:
        compiled = CompiledTerms(terms, rules, series)
    except RentBillingError:
        return LeaseFigures()
    return LeaseFigures(
        _monthly_rent(compiled, day),
        _balance(compiled, DEPOSIT, day),
        _balance(compiled, PREPAID_RENT, day),
    )


class RentOnDay(NamedTuple):
    """A rent as it costs on a day."""

    at: int
    """Place of its item in the lease."""
    begun: bool
    """Whether the day is one of its days; if not, its figures are those of its first day."""
    line: LineFigures
    """Of a whole billing period."""
    period: int
    """Minor units of a billing period in its own tax mode, before discounts."""
    yearly: Fraction
    """Exact amount of a year, before discounts (A38)."""

    @property
    def discount(self) -> int:
        """Minor units that its discounts take off a billing period."""
        return self.period - self.line.base


def rents_on(compiled: CompiledTerms, day: date) -> list[RentOnDay]:
    """Return the rents in force on a day, after all adjustments; else those that begin next.

    Raises:
        MissingIndexError: An adjustment that a rent needs has no index value (A41).
    """
    found = []
    for at, item in _rents_on(compiled.terms, day, compiled.policy):
        first = _first_day(item)
        when = max(day, first).toordinal()
        ready = compiled.item_on(at, when)
        price = ready.prices.price_on(when)
        line = ready.line_of(price)
        period = line.base + sum(each.units for each in line.taken)
        yearly = (
            Fraction(price.amount) * Fraction(price.quantity) * periods_a_year(item.billing_cycle)
        )
        found.append(RentOnDay(at, first <= day, line, period, yearly))
    return found


def _monthly_rent(compiled: CompiledTerms, day: date) -> Amount | None:
    """Return the rent of a month on a day, None where it cannot be computed."""
    try:
        rents = rents_on(compiled, day)
        currencies = {each.line.currency for each in rents}
        # What has VAT inside and what has none are no sum.
        if len(currencies) != 1 or len({each.line.group.inclusive for each in rents}) > 1:
            return None
        return a_month_of(rents, compiled.policy)
    except RentBillingError:
        return None


def a_month_of(rents: Sequence[RentOnDay], policy: BillingPolicy) -> Amount:
    """Return what rents of one currency cost a month, rounded once (A38).

    Raises:
        UnsupportedCaseError: It has more than 15 digits (A1).
    """
    line, rounding = rents[0].line, policy.for_product(RENT).rounding
    yearly = sum((each.yearly for each in rents), Fraction(0))
    return AmountScale(line.currency, line.places, rounding, _ONE).shown(yearly / MONTHS_PER_YEAR)


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
        if item.product_key == RENT and not is_over(item, terms.contract_end, day, policy)
    ]
    begun = [(at, item) for at, item in rents if _first_day(item) <= day]
    if begun or not rents:
        return begun
    first = min(_first_day(item) for _, item in rents)
    return [(at, item) for at, item in rents if _first_day(item) == first]


def _first_day(item: RecurringBillItem) -> date:
    return item.first_billing_period_bill_item.accounting_period.start


def is_over(
    item: RecurringBillItem, contract_end: date | None, day: date, policy: BillingPolicy
) -> bool:
    """Return whether an item has ended before a day, or no billed period lasts to it (A17)."""
    if item.ended_on is not None and item.ended_on < day:
        return True
    if item.cancelled_on is None:
        return False
    stops = BillingEnds.of(item, NEVER if contract_end is None else contract_end.toordinal())
    opening = item.first_billing_period_bill_item.accounting_period
    own = policy.for_product(item.product_key)
    regular = Schedule(item.billing_cycle, item.due_date_rule, opening, own)
    # The first regular period that is not billed.
    number = regular.first_with(
        lambda each: (
            regular.start_of(each) > stops.last_start or regular.due_of(each) > stops.last_due
        )
    )
    if number > 0:
        return regular.start_of(number) <= day.toordinal()
    return not stops.opens or opening.last < day.toordinal()


def _balance(compiled: CompiledTerms, kind: str, day: date) -> Amount | None:
    """Return all balances of a type together on a day, None where they cannot be computed (A39)."""
    try:
        found = balances_on(compiled, kind, day)
    except RentBillingError:
        return None
    return found[0] if len(found) == 1 else None


def balances_on(compiled: CompiledTerms, kind: str, day: date) -> list[Amount]:
    """Return all balances of a type on a day, an amount for each currency (A39).

    Raises:
        MissingIndexError: An adjustment that a balance needs has no index value (A41).
    """
    terms = compiled.terms
    histories = compiled.histories or LeaseHistories(terms, {}, compiled.policy)
    found = (
        histories.amount_on(balance_id, day.toordinal())
        for balance_id, each in zip(balance_ids(terms.balances), terms.balances, strict=True)
        if each.balance_charge_type.casefold() == kind.casefold()
    )
    return [*amounts_by_currency(found).values()]
