"""The turnover rent of some sales under one clause.

Law: what is computed is on top of the base rent; figures are exact until the rent is rounded.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple

from rentbilling.errors import InvalidAmountError, other_currency
from rentbilling.turnover.clause import (
    TurnoverClause,
    TurnoverTerms,
    amounts_of,
    minor_unit,
    tier_gaps,
)
from rentbilling.turnover.sales import CountedSales, SalesReport, counted_sales, units_from
from rentbilling.values import (
    MONTHS_PER_YEAR,
    Amount,
    AnyPeriod,
    Notice,
    Period,
    amount_of,
    divide_rounded,
    exact_ratio,
    minor_units,
    month_index,
    month_start,
    period_of,
    units_of,
)

_NOTHING: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class TurnoverRent:
    """What a clause yields."""

    notices: tuple[Notice, ...]
    """What a person should look at."""
    sales: Amount
    """Sales that count."""
    sales_breakpoint: Amount
    """Sales that bear nothing."""
    excess: Amount
    """Sales above the breakpoint."""
    computed: Amount
    """What the bands yield, before minimum and base rent."""
    turnover_rent: Amount
    """What is due on top of the base rent."""
    total: Amount
    """Base rent and turnover rent."""


def turnover_rent(
    clause: TurnoverClause,
    sales: Sequence[SalesReport] | Decimal | int | str,
    *,
    base_rent: Amount,
    share: Fraction | int = 1,
    scale: Fraction | int = 1,
) -> TurnoverRent:
    """Return the turnover rent of a lease year, or of a part of it (assumption A87).

    Args:
        clause: What the lease says.
        sales: Reports, or all sales as a number in the currency of the base rent.
        base_rent: What the terms yield for the same days; 0 where nothing is set off. That of the
            whole year where a natural breakpoint has a share: the share is of both.
        share: What of the year's breakpoint counts, such as 3/12 after an opening in October.
        scale: What of the result is due where sales are those of more or other months: 214/365 of
            an extended first year; 1/12 of an annualised month.

    Raises:
        InvalidAmountError: Sales are no exact number or below 0, a share or scale is below 0, a
            natural breakpoint has no rate, or bands leave a gap of more than one minor unit.
        InvalidPeriodError: Reports overlap.
        CurrencyMismatchError: An amount is not in the currency of the base rent.
        TypeError: A share or scale is no exact number.

    Examples:
        A shop that opens in October has a quarter of the year's breakpoint:

        >>> from rentbilling.turnover import TurnoverTier
        >>> above = Amount(1200, "EUR")
        >>> clause = TurnoverClause(tiers=[TurnoverTier(rate="7%")], sales_breakpoint=above)
        >>> part = part_of_year("2026-10-01/2026-12-31")
        >>> print(turnover_rent(clause, 400, base_rent=Amount(0, "EUR"), share=part).turnover_rent)
        7.00 EUR
    """
    currency = base_rent.currency
    for name, part in (("share", share), ("scale", scale)):
        if Fraction(*exact_ratio(part)) < 0:
            raise InvalidAmountError.of(name, "out_of_range", "is below 0", part, "0 or more")
    check_amounts(clause, currency)
    if isinstance(sales, Sequence) and not isinstance(sales, str):
        check_currency(sales, currency)
        counted = counted_sales(clause, sales)
    else:
        counted = CountedSales(units_from(Amount(sales, currency).amount, currency))
    base = Fraction(units_of(base_rent)) * (Fraction(share) if clause.natural else 1)
    found = yielded(clause, counted.units, base, share=Fraction(share), currency=currency)
    rent = brought_to_step(clause, found.due * Fraction(scale), currency)
    exact = (counted.units, found.point, found.excess, found.computed, rent, rent + base)
    lost = [notice_of_loss()] if clause.natural and not base_rent.amount else []
    return TurnoverRent((*counted.notices, *lost), *(amount_of(each, currency) for each in exact))


class Slice(NamedTuple):
    """Sales that bear one rate, exact, in minor units."""

    above: Fraction
    upto: Fraction
    rate: Fraction
    fixed: int = 0
    """Added because the band is reached."""

    @property
    def bears(self) -> Fraction:
        return (self.upto - self.above) * self.rate + self.fixed


class Yielded(NamedTuple):
    """What a clause yields of sales, exact, in minor units."""

    point: Fraction
    """The breakpoint."""
    excess: Fraction
    slices: Sequence[Slice]
    computed: Fraction
    """What the slices bear."""
    least: Fraction
    """The minimum of the clause, or of the band that sales reach."""
    whole: Fraction
    """Within minimum and maximum, before base rent is set off."""
    due: Fraction
    """On top of the base rent."""
    set_off: Fraction
    """Base rent that was used up: by the natural breakpoint, or by the relation."""


def yielded(
    clause: TurnoverClause,
    sales: Fraction,
    base: Fraction,
    *,
    share: Fraction,
    currency: str,
) -> Yielded:
    """Return what a clause yields of sales, where base is that of the same days."""
    set_off = _NOTHING
    if clause.natural:
        rate = clause.tiers[0].rate if clause.natural_rate is None else clause.natural_rate
        if not rate:
            said, expected = "has the rate 0", "a rate above 0"
            raise InvalidAmountError.of("tiers[0].rate", "out_of_range", said, 0, expected)
        point = base / Fraction(rate)
        set_off = min(base, sales * Fraction(rate))
    else:
        point = Fraction(_units(clause.sales_breakpoint)) * share
    excess = max(sales - point, _NOTHING)
    slices, least = _by_tiers(clause, sales, point, minor_units(currency))
    computed = sum((each.bears for each in slices), _NOTHING)
    least = max(least, Fraction(_units(clause.minimum)))
    whole = due = max(computed, least)
    if clause.maximum is not None:
        whole = due = min(due, Fraction(units_of(clause.maximum)))
    if clause.relation == "higher_of":
        set_off = max(set_off, min(base, due))
        due = max(due - base, _NOTHING)
    return Yielded(point, excess, slices, computed, least, whole, due, set_off)


def _by_tiers(
    clause: TurnoverClause, sales: Fraction, point: Fraction, places: int
) -> tuple[Sequence[Slice], Fraction]:
    """Return what bears rent of sales above a breakpoint, and the least of the band reached.

    Bands count from 0 or from the breakpoint; a slice below the breakpoint bears nothing (A96).
    """
    excess = max(sales - point, _NOTHING)
    counted, bearing = (sales, point) if clause.tiers_of == "sales" else (excess, _NOTHING)
    units = 10**places
    ends = [None if each.end is None else Fraction(each.end) * units for each in clause.tiers]
    below = Fraction(clause.tiers[0].start or 0) * units
    if counted < below:
        return (), _NOTHING
    reached = next(at for at, end in enumerate(ends) if end is None or counted <= end)
    minimum = Fraction(_units(clause.tiers[reached].minimum))
    if point and not excess:
        return (), minimum
    if clause.tier_rule == "whole":
        tier = clause.tiers[reached]
        return [Slice(sales - excess, sales, Fraction(tier.rate), _units(tier.fixed))], minimum
    slices: list[Slice] = []
    for tier, end in zip(clause.tiers, ends, strict=True):
        upto = counted if end is None else min(counted, end)
        above = min(max(below, bearing), upto)
        start = None if tier.start is None else Fraction(tier.start) * units
        is_in = counted > below if start is None else counted >= start and counted
        fixed = _units(tier.fixed) if is_in else 0
        if upto > above or fixed:
            slices.append(Slice(above, max(upto, above), Fraction(tier.rate), fixed))
        below = end or below
    return slices, minimum


def brought_to_step(clause: TurnoverClause, due: Fraction, currency: str) -> Fraction:
    """Return a rent as a multiple of the step of its clause, half up."""
    step = Fraction(clause.step or 0) * 10 ** minor_units(currency) or Fraction(1)
    parts = due / step
    return divide_rounded(parts.numerator, parts.denominator) * step


def check_terms(terms: TurnoverTerms, reports: Sequence[SalesReport], currency: str) -> None:
    """Refuse terms and reports in another currency, and bands with a gap that it has not."""
    refuse_others((("minimum", terms.minimum), ("maximum", terms.maximum)), currency)
    for clause in terms.clauses:
        check_amounts(clause, currency)
    check_currency(reports, currency)


def check_amounts(clause: TurnoverClause, currency: str) -> None:
    """Refuse a clause with amounts of another currency, or a gap that the currency has not."""
    refuse_others(amounts_of(clause), currency)
    for problem in tier_gaps(clause.tiers, minor_unit(currency)):
        raise InvalidAmountError([problem])


def check_currency(sales: Sequence[SalesReport], currency: str) -> None:
    """Refuse reports in another currency."""
    amounts = ((f"sales[{at}]", each.sales) for at, each in enumerate(sales))
    taken_off = ((f"sales[{at}].deductions", each.deductions) for at, each in enumerate(sales))
    refuse_others((*amounts, *taken_off), currency)


def refuse_others(amounts: Iterable[tuple[str, Amount | None]], currency: str) -> None:
    """Refuse amounts in another currency, each by its path."""
    for path, amount in amounts:
        if amount is not None and amount.currency != currency:
            raise other_currency(path, amount.currency, currency)


def notice_of_loss() -> Notice:
    """Return the notice that a natural breakpoint has no base rent, such as in a rent-free time."""
    return Notice("breakpoint_lost", "without base rent the natural breakpoint is 0")


def _units(amount: Amount | None) -> int:
    return 0 if amount is None else units_of(amount)


def part_of_year(opened: AnyPeriod) -> Fraction:
    """Return what the days from an opening to the year's end are of a lease year (A87).

    By months of twelve where it opens on the first of a month, else by the days of the twelve
    months that end with it.

    Examples:
        >>> part_of_year("2026-10-01/2026-12-31"), part_of_year("2026-10-02/2026-12-31")
        (Fraction(1, 4), Fraction(91, 365))
    """
    days = period_of(opened)
    index, after = month_index(days.first), month_index(days.last + 1)
    if days.first == month_start(index) and days.last + 1 == month_start(after):
        return Fraction(after - index, MONTHS_PER_YEAR)
    return Fraction(days.days, _days_of_year(days))


def days_of_year(opened: Period) -> Fraction:
    """Return the days from an opening over those of the twelve months that end with the year."""
    return Fraction(opened.days, _days_of_year(opened))


def _days_of_year(opened: Period) -> int:
    after = month_index(opened.last + 1)
    return opened.last + 1 - month_start(after - MONTHS_PER_YEAR)
