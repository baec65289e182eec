"""Turnover rent: a share of a tenant's sales, above or within what the lease pays anyway.

Law: what is computed is on top of the base rent; sales are net of VAT and stated, never assumed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any, Final, Literal

from rentbilling.errors import (
    CurrencyMismatchError,
    InvalidAmountError,
    InvalidPeriodError,
    Problem,
    shown,
)
from rentbilling.records import (
    ABSENT,
    NOT_BELOW_ZERO,
    AmountField,
    CheckedRecord,
    FlagField,
    Listed,
    OptionalRateField,
    PeriodField,
    Problems,
)
from rentbilling.settlement.policy import OptionalMeasureField, ShareField
from rentbilling.values import (
    Amount,
    Notice,
    Period,
    decimal_of,
    divide_rounded,
    minor_units,
    month_index,
    month_start,
    units_of,
)

_YEAR: Final = 12


class TurnoverTier(CheckedRecord):
    """A band of sales and its rate; the last band has no end (assumption A87)."""

    end: OptionalMeasureField = ABSENT
    """The last amount of sales in the band, which belongs to it."""
    start: OptionalMeasureField = ABSENT
    """The first amount of sales, where a fixed amount needs it; else the end of the band below.

    Sales below that of the first band bear nothing.
    """
    rate: ShareField
    """Share of the sales, as a fraction."""
    fixed: AmountField | None = None
    """Added once sales are in the band; without `start` its edge is in the band below."""
    minimum: AmountField | None = None
    """The least that the band yields."""


class SalesReport(CheckedRecord):
    """Sales of some days, net of VAT."""

    period: PeriodField
    """The days."""
    sales: AmountField
    """Sales without VAT, less what the lease lets the tenant deduct."""
    state: Literal["estimate", "reported", "audited"] = "reported"
    """How sure it is."""
    silent_defaults = ("state",)


class TurnoverClause(CheckedRecord):
    """How a lease takes part in sales (assumption A87).

    Examples:
        >>> one_rate = TurnoverClause(tiers=[TurnoverTier(rate="4%")], natural=True)
        >>> rent = turnover_rent(one_rate, 1_100_000, base_rent=Amount(50_000, "USD"))
        >>> print(rent.sales_breakpoint, rent.turnover_rent)
        1250000.00 USD 0.00 USD
    """

    sparse = True

    tiers: Annotated[tuple[TurnoverTier, ...], Listed]
    """Bands in order; one for a single rate."""
    tier_rule: Literal["marginal", "whole"] = "marginal"
    """Whether each slice has its band's rate, or all sales that of the band they reach."""
    sales_breakpoint: AmountField | None = None
    """Sales of a year that bear nothing."""
    natural: FlagField = False
    """Whether the breakpoint is the base rent over the rate."""
    relation: Literal["additional", "higher_of"] = "additional"
    """Whether it is added to the base rent, or only what is above the base rent."""
    minimum: AmountField | None = None
    """The least that is due in the year, before what is set off."""
    maximum: AmountField | None = None
    """The most that is due in the year, before what is set off."""
    minimum_report: AmountField | None = None
    """What a report below it counts as."""
    step: Annotated[OptionalRateField, NOT_BELOW_ZERO] = ABSENT
    """What the result is rounded to, in the main unit; absent: the minor unit."""
    silent_defaults = ("tier_rule", "natural", "relation")

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems of bands that overlap, and of a breakpoint without one rate (A87)."""
        yield from cls.bound_problems(parts)
        tiers: Sequence[TurnoverTier] = parts.get("tiers") or ()
        ends = [each.end for each in tiers]
        known = [each for each in ends if each is not None]
        if (
            not tiers
            or ends[-1] is not None
            or None in ends[:-1]
            or any(one >= other for one, other in pairwise(known))
            or (known and (tiers[0].start or 0) >= known[0])
        ):
            said, expected = "are not in order", "rising ends, and a last band without an end"
            yield InvalidAmountError, Problem("tiers", "wrong_tiers", said, shown(ends), expected)
        below = Decimal(0)
        for at, each in enumerate(tiers):
            gap = (below if each.start is None else each.start) - below
            if at and not 0 <= gap <= Decimal(1).scaleb(-2):
                said, expected = "overlaps or leaves a gap", f"from {below}"
                problem = Problem(f"tiers[{at}]", "tier_gap", said, shown(each.start), expected)
                yield InvalidAmountError, problem
            below = each.end or below
        has_breakpoint = parts.get("natural") or parts.get("sales_breakpoint") is not None
        if has_breakpoint and (len(tiers) > 1 or (tiers and tiers[0].start)):
            said, expected = "has several rates or a first amount", "one rate from 0"
            met = shown(len(tiers))
            problem = Problem("salesBreakpoint", "breakpoint_with_tiers", said, met, expected)
            yield InvalidAmountError, problem


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
    sales: Sequence[SalesReport] | Decimal | int,
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
        InvalidAmountError: Sales are below 0, or a natural breakpoint has no rate.
        InvalidPeriodError: Reports overlap.
        CurrencyMismatchError: An amount is not in the currency of the base rent.

    Examples:
        A shop that opens in October has a quarter of the year's breakpoint:

        >>> above = Amount(1200, "EUR")
        >>> clause = TurnoverClause(tiers=[TurnoverTier(rate="7%")], sales_breakpoint=above)
        >>> part = part_of_year(Period.parse("2026-10-01/2026-12-31"))
        >>> print(turnover_rent(clause, 400, base_rent=Amount(0, "EUR"), share=part).turnover_rent)
        7.00 EUR
    """
    places, currency = minor_units(base_rent.currency), base_rent.currency
    for path, amount in _amounts(clause, sales):
        if amount is not None and amount.currency != currency:
            said = "is another currency"
            raise CurrencyMismatchError.of(
                path, "currency_mismatch", said, amount.currency, currency
            )
    total, notices = _sales(clause, sales, places)
    first = clause.tiers[0]
    base = Fraction(units_of(base_rent))
    point = Fraction(_units(clause.sales_breakpoint)) * Fraction(share)
    if clause.natural:
        if not first.rate:
            said, expected = "has the rate 0", "a rate above 0"
            raise InvalidAmountError.of("tiers[0].rate", "out_of_range", said, 0, expected)
        base *= Fraction(share)
        point = base / Fraction(first.rate)
        if not base_rent.amount:
            said = "without base rent the natural breakpoint is 0"
            notices.append(Notice("breakpoint_lost", said))
    excess = max(total - point, Fraction(0))
    computed, least = _by_tiers(clause, excess, places)
    due = max(computed, least, Fraction(_units(clause.minimum)))
    if clause.maximum is not None:
        due = min(due, Fraction(units_of(clause.maximum)))
    if clause.relation == "higher_of":
        due = max(due - base, Fraction(0))
    step = Fraction(clause.step or 0) * 10**places or Fraction(1)
    parts = due * Fraction(scale) / step
    rent = divide_rounded(parts.numerator, parts.denominator) * step
    made = (
        Amount.unchecked(
            decimal_of(divide_rounded(each.numerator, each.denominator), places), currency
        )
        for each in (total, point, excess, computed, rent, rent + base)
    )
    return TurnoverRent(tuple(notices), *made)


def _amounts(
    clause: TurnoverClause, sales: Sequence[SalesReport] | Decimal | int
) -> Iterator[tuple[str, Amount | None]]:
    """Give the amounts that have to be of one currency, each with its path."""
    for name in ("sales_breakpoint", "minimum", "maximum", "minimum_report"):
        yield name, getattr(clause, name)
    for at, tier in enumerate(clause.tiers):
        yield from ((f"tiers[{at}].{name}", getattr(tier, name)) for name in ("fixed", "minimum"))
    if not isinstance(sales, (Decimal, int)):
        yield from ((f"sales[{at}]", each.sales) for at, each in enumerate(sales))


def _sales(
    clause: TurnoverClause, sales: Sequence[SalesReport] | Decimal | int, places: int
) -> tuple[Fraction, list[Notice]]:
    """Return all sales in minor units, and what a person should look at."""
    notices: list[Notice] = []
    if isinstance(sales, (Decimal, int)):
        total = Fraction(sales) * 10**places
    else:
        least = _units(clause.minimum_report)
        in_order = sorted(sales, key=lambda each: each.period)
        for before, after in pairwise(in_order):
            if before.period.overlaps(after.period):
                said, expected = "overlaps another report", f"days after {before.period.end}"
                raise InvalidPeriodError.of("sales", "overlap", said, str(after.period), expected)
        total = Fraction(sum(max(units_of(each.sales), least) for each in sales))
        notices += (
            Notice("estimated_sales", f"sales of {each.period} are an estimate")
            for each in sales
            if each.state == "estimate"
        )
    if total < 0:
        said, expected = "are below 0", "0 or more in a year"
        raise InvalidAmountError.of("sales", "out_of_range", said, str(total), expected)
    return total, notices


def _by_tiers(clause: TurnoverClause, sales: Fraction, places: int) -> tuple[Fraction, Fraction]:
    """Return what the bands yield of sales in minor units, and the least of the band reached."""
    ends = [None if each.end is None else Fraction(each.end) * 10**places for each in clause.tiers]
    below = Fraction(clause.tiers[0].start or 0) * 10**places
    if sales < below:
        return Fraction(0), Fraction(0)
    reached = next(at for at, end in enumerate(ends) if end is None or sales <= end)
    minimum = Fraction(_units(clause.tiers[reached].minimum))
    if clause.tier_rule == "whole":
        tier = clause.tiers[reached]
        return sales * Fraction(tier.rate) + _units(tier.fixed), minimum
    computed = Fraction(0)
    for tier, end in zip(clause.tiers, ends, strict=True):
        above = sales if end is None else min(sales, end)
        computed += max(above - below, Fraction(0)) * Fraction(tier.rate)
        start = None if tier.start is None else Fraction(tier.start) * 10**places
        if sales > below if start is None else sales >= start and sales:
            computed += _units(tier.fixed)
        below = end or below
    return computed, minimum


def _units(amount: Amount | None) -> int:
    return 0 if amount is None else units_of(amount)


def part_of_year(opened: Period) -> Fraction:
    """Return what the days from an opening to the year's end are of a lease year (A87).

    By months of twelve where it opens on the first of a month, else by the days of the twelve
    months that end with it.

    Examples:
        >>> part_of_year(Period.parse("2026-10-01/2026-12-31"))
        Fraction(1, 4)
        >>> part_of_year(Period.parse("2026-10-02/2026-12-31"))
        Fraction(91, 365)
    """
    index, after = month_index(opened.first), month_index(opened.last + 1)
    if opened.first == month_start(index) and opened.last + 1 == month_start(after):
        return Fraction(after - index, _YEAR)
    year = opened.last + 1 - month_start(after - _YEAR)
    return Fraction(opened.days, year)
