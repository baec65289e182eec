"""What a lease says of turnover rent: bands, breakpoint, relation to the base rent, intervals.

Law: figures of a clause are those of a lease year, unless its measure is the interval.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Any, Final, Literal

from rentbilling.errors import InvalidAmountError, Problem, shown
from rentbilling.records import (
    A_FRACTION,
    ABSENT,
    NOT_BELOW_ZERO,
    AmountField,
    CheckedRecord,
    FlagField,
    IdField,
    Listed,
    OptionalNumberField,
    OptionalRateField,
    Problems,
    RateField,
    SilentRecord,
    WholeField,
    Within,
)
from rentbilling.values import (
    MONTHS_PER_YEAR,
    Amount,
    Period,
    minor_units,
    month_index,
    month_start,
)

_LARGEST_MINOR_UNIT: Final = 1

MeasureField = Annotated[OptionalNumberField, NOT_BELOW_ZERO]


class TurnoverTier(CheckedRecord):
    """A band of sales and its rate; the last band has no end (assumption A87)."""

    end: MeasureField = ABSENT
    """The last amount of sales in the band, which belongs to it."""
    start: MeasureField = ABSENT
    """The first amount of sales, where a fixed amount needs it; else the end of the band below.

    Sales below that of the first band bear nothing.
    """
    rate: Annotated[RateField, A_FRACTION]
    """Share of the sales, as a fraction."""
    fixed: AmountField | None = None
    """Added once sales are in the band; without `start` its edge is in the band below."""
    minimum: AmountField | None = None
    """The least that the band yields."""


class TurnoverClause(SilentRecord):
    """How a lease takes part in sales (assumptions A87, A96).

    Examples:
        >>> from rentbilling import Amount
        >>> from rentbilling.turnover import turnover_rent
        >>> one_rate = TurnoverClause(tiers=[TurnoverTier(rate="4%")], natural=True)
        >>> rent = turnover_rent(one_rate, 1_100_000, base_rent=Amount(50_000, "USD"))
        >>> print(rent.sales_breakpoint, rent.turnover_rent)
        1250000.00 USD 0.00 USD
    """

    group: IdField | None = None
    """The product group whose sales count; absent: sales without a group."""
    tiers: Annotated[tuple[TurnoverTier, ...], Listed]
    """Bands in order; one for a single rate."""
    tier_rule: Literal["marginal", "whole"] = "marginal"
    """Whether each slice has its band's rate, or all sales that of the band they reach."""
    tiers_of: Literal["sales", "excess"] = "sales"
    """Whether bands count from 0, or from the breakpoint; sales below it bear nothing (A96)."""
    sales_breakpoint: AmountField | None = None
    """Sales of a year that bear nothing."""
    natural: FlagField = False
    """Whether the breakpoint is the base rent over the rate."""
    natural_rate: Annotated[OptionalRateField, A_FRACTION] = ABSENT
    """The rate of a natural breakpoint, where there are several (A96)."""
    relation: Literal["additional", "higher_of"] = "additional"
    """Whether it is added to the base rent, or only what is above the base rent."""
    minimum: AmountField | None = None
    """The least that is due in the year, before base rent is set off."""
    maximum: AmountField | None = None
    """The most that is due in the year, before base rent is set off."""
    minimum_report: AmountField | None = None
    """What a report below it counts as."""
    step: Annotated[OptionalRateField, NOT_BELOW_ZERO] = ABSENT
    """What the result is rounded to, in the main unit; absent: the minor unit."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems of bands that overlap, and of a breakpoint without one rate (A87)."""
        yield from cls.bound_problems(parts)
        yield from _crossed(parts)
        tiers: Sequence[TurnoverTier] | None = parts.get("tiers")
        # A band that is wrong by itself is not also out of order.
        if tiers is None:
            return
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
        # No currency has a larger minor unit; that of the base rent is known when rent is computed.
        for problem in tier_gaps(tiers, Decimal(_LARGEST_MINOR_UNIT)):
            yield InvalidAmountError, problem
        natural, stated = parts.get("natural"), parts.get("sales_breakpoint") is not None
        starts_above = bool(tiers and tiers[0].start)
        no_rate = natural and len(tiers) > 1 and parts.get("natural_rate") is None
        if (natural and stated) or ((natural or stated) and starts_above) or no_rate:
            said = "has several rates, a first amount, or another breakpoint"
            expected = "one rate from 0, or naturalRate; one breakpoint"
            met = shown(len(tiers))
            problem = Problem("salesBreakpoint", "breakpoint_with_tiers", said, met, expected)
            yield InvalidAmountError, problem


def _crossed(parts: Mapping[str, Any]) -> Problems:
    """Give the problem of a minimum above the maximum."""
    least, most = parts.get("minimum"), parts.get("maximum")
    if least is not None and most is not None and least.amount > most.amount:
        said, expected = "is above the maximum", f"at most {most}"
        yield InvalidAmountError, Problem("minimum", "limits_crossed", said, shown(least), expected)


def tier_gaps(tiers: Sequence[TurnoverTier], most: Decimal) -> Iterator[Problem]:
    """Give a problem for each band that overlaps the one below, or leaves more than `most` out."""
    below = Decimal(0)
    for at, each in enumerate(tiers):
        gap = (below if each.start is None else each.start) - below
        if at and not 0 <= gap <= most:
            said, expected = "overlaps or leaves a gap", f"from {below}"
            yield Problem(f"tiers[{at}]", "tier_gap", said, shown(each.start), expected)
        below = each.end or below


class TurnoverTerms(SilentRecord):
    """How turnover rent is measured over a lease year, and billed (assumptions A97 to A100).

    Examples:
        >>> clause = TurnoverClause(tiers=[TurnoverTier(rate="7%")])
        >>> terms = TurnoverTerms(clauses=[clause], interval_months=3)
        >>> [str(each) for each in terms.intervals(Period.year(2026))][:2]
        ['2026-01-01/2026-03-31', '2026-04-01/2026-06-30']
    """

    clauses: Annotated[tuple[TurnoverClause, ...], Listed]
    """One, or one for each product group."""
    interval_months: Annotated[WholeField, Within(1, 12)] = 1
    """Calendar months of an interval."""
    measure: Literal["cumulative", "annualised", "interval"] = "cumulative"
    """Sales of the lease year so far less what was billed; sales of the interval as if the whole
    year were so; or the clause's figures are those of an interval (A97)."""
    true_up: Literal["none", "yearly"] = "none"
    """Whether at the year's end the difference to the year's rent is billed (A98)."""
    credit: FlagField = True
    """Whether a true-up below 0 is credited (A98)."""
    part_year: Literal["breakpoint", "extended", "none"] = "breakpoint"
    """What is reduced in a lease year of fewer days: the breakpoint, or the rent of twelve months
    of sales, which needs a true-up; or nothing (A97)."""
    deduct: Literal["in_order", "by_sales"] = "in_order"
    """How base rent is set off among product groups (A99)."""
    minimum: AmountField | None = None
    """The least that all product groups yield in the year, before base rent is set off (A128)."""
    maximum: AmountField | None = None
    """The most that all product groups yield in the year, before base rent is set off (A128)."""
    base_rent: Literal["after_discount", "before_discount"] = "after_discount"
    """Whether what is set off is the rent after discounts (A102)."""
    missing: Literal["refuse", "minimum"] = "refuse"
    """Whether an interval without a report is refused, or counts with `minimum_report` (A100)."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems of clauses of one group, and of a true-up without a year's rule."""
        yield from cls.bound_problems(parts)
        yield from _crossed(parts)
        relations = {each.relation for each in parts.get("clauses") or ()}
        limits = [name for name in ("minimum", "maximum") if parts.get(name) is not None]
        if limits and len(relations) > 1:
            said, expected = "is of groups that set base rent off and groups that do not", "one"
            problem = Problem(
                limits[0], "mixed_relations", said, shown(sorted(relations)), expected
            )
            yield InvalidAmountError, problem
        groups = [each.group for each in parts.get("clauses") or ()]
        if "clauses" in parts and (not groups or len(groups) != len(set(groups))):
            said, expected = "are none, or two of one group", "a clause for each group"
            yield (
                InvalidAmountError,
                Problem("clauses", "wrong_groups", said, shown(groups), expected),
            )
        if parts.get("measure") == "interval" and parts.get("true_up") == "yearly":
            said, expected = "has no figures of a year", "annualised or cumulative"
            problem = Problem("measure", "no_yearly_rule", said, "interval", expected)
            yield InvalidAmountError, problem

    def intervals(self, year: Period) -> tuple[Period, ...]:
        """Return the intervals of a lease year; the last one may be shorter."""
        months, size = year.months, self.interval_months
        return tuple(
            Period.unchecked(months[at].first, months[at : at + size][-1].last)
            for at in range(0, len(months), size)
        )

    def reported_days(self, year: Period) -> Period:
        """Return the days whose sales count in a lease year; of an extended one, twelve months."""
        first = month_index(year.first)
        end = month_start(first + MONTHS_PER_YEAR) + year.first - month_start(first) - 1
        extended = self.part_year == "extended" and end > year.last
        return Period.unchecked(year.first, end) if extended else year


def amounts_of(clause: TurnoverClause) -> Iterator[tuple[str, Amount | None]]:
    """Give the amounts of a clause, each with its path."""
    for name in ("sales_breakpoint", "minimum", "maximum", "minimum_report"):
        yield name, getattr(clause, name)
    for at, tier in enumerate(clause.tiers):
        yield from ((f"tiers[{at}].{name}", getattr(tier, name)) for name in ("fixed", "minimum"))


def minor_unit(currency: str) -> Decimal:
    """Return the minor unit of a currency, in its main unit."""
    return Decimal(1).scaleb(-minor_units(currency))
