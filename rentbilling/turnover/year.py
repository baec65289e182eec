"""A lease year of turnover rent: what each interval bills, and what the year corrects.

Law: intervals and true-up together are the rent of the year, unless the lease gives no credit.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from rentbilling.errors import (
    InvalidPeriodError,
    InvalidVatError,
    MissingFactError,
    UnsupportedCaseError,
)
from rentbilling.tables import Column, ResultSequence, Row, Table, Tabular, beginning, columns
from rentbilling.terms import OneTimeBillItem
from rentbilling.turnover.clause import TurnoverClause, TurnoverTerms
from rentbilling.turnover.rent import (
    Yielded,
    brought_to_step,
    check_terms,
    days_of_year,
    notice_of_loss,
    part_of_year,
    refuse_others,
    yielded,
)
from rentbilling.turnover.sales import Group, SalesReport, sales_of
from rentbilling.values import (
    LAST_DAY,
    MONTHS_PER_YEAR,
    Amount,
    AnyPeriod,
    Notice,
    Period,
    Vat,
    amount_of,
    day_of,
    divide_rounded,
    minor_units,
    period_of,
    rounded,
    units_of,
)

_NOTHING: Final = Fraction(0)
_WHOLE: Final = Fraction(1)
Sales = Mapping[Group, Fraction]


@dataclass(frozen=True, slots=True)
class TurnoverInterval:
    """What one interval bills, or the true-up of the year."""

    kind: Literal["interval", "true_up"]
    days: Period
    """Of a true-up, the lease year."""
    sales: Amount
    base_rent: Amount
    """What the terms yield for the days."""
    turnover_rent: Amount
    """On top of the base rent; below 0 only as a true-up's credit."""

    def __str__(self) -> str:
        return f"{self.kind} {self.days}: {self.turnover_rent} of sales {self.sales}"


class GroupRent(NamedTuple):
    """What one product group yields, exact, in minor units."""

    clause: TurnoverClause
    sales: Fraction
    base: Fraction
    """Base rent that can be set off."""
    found: Yielded
    rent: Fraction
    """By its part of the year, rounded."""


class Due(NamedTuple):
    """What all product groups yield."""

    groups: Sequence[GroupRent]
    part: Fraction
    """What sales and base rent were divided by: the part of the year of an annualised interval."""
    share: Fraction
    """The share of the breakpoint."""
    scale: Fraction
    """The part of the result."""
    limits: Mapping[str, Fraction]
    """The least and the most of all groups, less base rent."""
    rent: Fraction
    billed: Fraction = Fraction(0)
    """What was billed before."""


class TurnoverYear(ResultSequence[TurnoverInterval], Tabular):
    """The intervals of a lease year, and its true-up; made by `turnover_year`."""

    def __init__(
        self,
        year: Period,
        intervals: Sequence[TurnoverInterval],
        notices: Sequence[Notice],
        vats: Sequence[Vat] = (),
        dues: Sequence[Due] = (),
    ) -> None:
        self.year = year
        """The lease year."""
        self.dues = tuple(dues)
        """What each part was computed from, for `explain_turnover`."""
        self._intervals, self._vats = tuple(intervals), tuple(vats)
        self.notices = tuple(notices)
        """What a person should look at."""

    @property
    def parts(self) -> tuple[TurnoverInterval, ...]:
        """The intervals in order, then the true-up where there is one."""
        return self._intervals

    def items(
        self,
        *,
        vat: Vat | None = None,
        due_days: int = 30,
        due_date: date | str | None = None,
        product_key: str = "key:turnover_rent",
        already_billed: Sequence[OneTimeBillItem] = (),
    ) -> tuple[OneTimeBillItem, ...]:
        """Return an item for each interval, and for the true-up: none for 0 (assumption A101).

        Args:
            vat: Absent: that of the base rent, where the year was computed from a lease.
            due_days: Days from the end of the interval to the due date.
            due_date: One due date for all items, such as that of a revised report.
            product_key: Their product.
            already_billed: Earlier items: only the difference is billed, interval by interval.

        Raises:
            MissingFactError: No VAT is known.
            InvalidVatError: The VAT is Inclusive: the rents are without VAT (A138).
            UnsupportedCaseError: An item would be due outside the years 1 to 9999.
        """
        wanted: dict[tuple[Period, Vat], Amount] = {}
        for at, each in enumerate(self):
            known = self._vats[min(at, len(self._vats) - 1)] if self._vats else None
            charged = vat or known
            if charged is None:
                raise MissingFactError("vat_unknown")
            if charged.tax_mode == "Inclusive":
                said, expected = "is Inclusive", "Exclusive: turnover rent has no VAT inside"
                raise InvalidVatError.of("vat", "inclusive_vat", said, "Inclusive", expected)
            key = each.days, charged
            wanted[key] = wanted[key] + each.turnover_rent if key in wanted else each.turnover_rent
        for item in already_billed:
            days = item.accounting_period
            within = self.year.first <= days.first and days.last <= self.year.last
            if item.product_key == product_key and within:
                places = minor_units(item.amount.currency)
                line = rounded(item.amount.amount * (item.quantity or 1), places)
                billed = Amount.unchecked(line, item.amount.currency)
                wanted[days, item.vat] = wanted.get((days, item.vat), billed - billed) - billed
        return tuple(
            OneTimeBillItem(
                product_key=product_key,
                amount=amount,
                vat=charged,
                due_date=due_date or _days_after(days, due_days),
                accounting_period=days,
            )
            for (days, charged), amount in wanted.items()
            if amount.amount
        )

    def __str__(self) -> str:
        return "\n".join(str(each) for each in self)

    def __repr__(self) -> str:
        return beginning(f"TurnoverYear {self.year}", self.parts)

    @property
    def columns(self) -> Sequence[Column]:
        kinds = columns(text="kind", date="first_day last_day")
        return (*kinds, *columns(money="sales base_rent turnover_rent", text="currency"))

    def rows(self) -> list[Row]:
        """Return a row for each interval, and for the true-up."""
        found = []
        for each in self:
            sums = (each.sales, each.base_rent, each.turnover_rent)
            cells = (each.kind, each.days.start, each.days.end, *(one.amount for one in sums))
            found.append((*cells, sums[0].currency))
        return Table(self.columns, found).rows()

    @property
    def remarks(self) -> Sequence[str]:
        """The notices."""
        return [each.message for each in self.notices]


class _Year:
    """The clauses of a lease year, with what they count of base rent and breakpoint."""

    def __init__(self, terms: TurnoverTerms, year: Period, base: Fraction, currency: str) -> None:
        self.terms, self.base, self._currency = terms, base, currency
        self.share, self.scale = Fraction(1), Fraction(1)
        if terms.part_year == "breakpoint":
            self.share = part_of_year(year)
        elif terms.part_year == "extended":
            self.scale = days_of_year(year)
            self.base /= self.scale
        open_clauses = [
            each.evolve(minimum=None, tiers=[tier.evolve(minimum=None) for tier in each.tiers])
            for each in terms.clauses
        ]
        self._open = terms.evolve(clauses=open_clauses, minimum=None)

    def due(self, sales: Sales, *, ended: bool = True, billed: Fraction = _NOTHING) -> Due:
        """Return the rent of sales of the year; before its end without minimum."""
        terms = self.terms if ended else self._open
        found = self._due(terms, sales, self.base, self.share, self.scale)
        return found._replace(billed=billed)

    def due_of_interval(self, sales: Sales, base: Fraction, part: Fraction) -> Due:
        """Return the rent of an interval as a part of a year that is all like it."""
        yearly = {group: units / part for group, units in sales.items()}
        return self._due(self.terms, yearly, base / part, _WHOLE, part)._replace(part=part)

    def _due(
        self, terms: TurnoverTerms, sales: Sales, base: Fraction, share: Fraction, scale: Fraction
    ) -> Due:
        """Return the rent of all groups; base rent is set off once (A99)."""
        left, whole, groups = base, sum(sales.values(), _NOTHING), list[GroupRent]()
        for clause in terms.clauses:
            own = sales[clause.group]
            if terms.deduct == "by_sales":
                left = base * (own / whole if whole else Fraction(1, len(terms.clauses)))
            found = yielded(clause, own, left, share=share, currency=self._currency)
            rent = brought_to_step(clause, found.due * scale, self._currency)
            groups.append(GroupRent(clause, own, left, found, rent))
            left -= found.set_off
        limits = dict(_limits(terms, base, scale))
        rent = max(sum((each.rent for each in groups), _NOTHING), limits.get("minimum", _NOTHING))
        return Due(groups, _WHOLE, share, scale, limits, min(rent, limits.get("maximum", rent)))


def turnover_year(
    terms: TurnoverTerms,
    reports: Iterable[SalesReport],
    year: AnyPeriod,
    base_rents: Sequence[Amount],
    *,
    through: date | str | None = None,
    vats: Sequence[Vat] = (),
) -> TurnoverYear:
    """Return what each interval of a lease year bills, and the true-up (assumptions A97 to A100).

    Args:
        terms: What the lease says.
        reports: Sales; an extended first year takes reports of twelve months from the opening.
        year: The lease year; from the opening where the lease opens within it.
        base_rents: What the terms yield for each of `terms.intervals(year)`.
        through: The last day that is computed; the true-up comes with the year's last interval.
        vats: The VAT of the items of each interval.

    Raises:
        InvalidPeriodError: The year is too long, a report is in no interval, an interval has no
            report, base rents are not one for each interval, or an extended year has no true-up.
        InvalidAmountError: See `turnover_rent`; or a report has a group without a clause.
        CurrencyMismatchError: Amounts are in several currencies.

    Examples:
        >>> from rentbilling.turnover import TurnoverClause, TurnoverTier
        >>> clause = TurnoverClause(tiers=[TurnoverTier(rate="5%")], natural=True)
        >>> terms = TurnoverTerms(clauses=[clause], interval_months=6)
        >>> halves = terms.intervals(Period.year(2026))
        >>> reports = [SalesReport(period=each, sales=Amount(700_000, "EUR")) for each in halves]
        >>> rents = [Amount(25_000, "EUR")] * 2
        >>> [str(each.turnover_rent) for each in turnover_year(terms, reports, "2026", rents)]
        ['0.00 EUR', '20000.00 EUR']
    """
    days, reports = period_of(year), [*reports]
    intervals = terms.intervals(days)
    if not 0 < len(days.months) <= MONTHS_PER_YEAR + 1 or len(base_rents) != len(intervals):
        said, expected = "are not one for each interval", f"{len(intervals)} amounts"
        raise InvalidPeriodError.of("base_rents", "wrong_length", said, len(base_rents), expected)
    currency = base_rents[0].currency
    refuse_others(((f"base_rents[{at}]", each) for at, each in enumerate(base_rents)), currency)
    check_terms(terms, reports, currency)
    last = days.last if through is None else day_of(through, "through")
    reported = terms.reported_days(days)
    after = (
        terms.intervals(Period.unchecked(days.last + 1, reported.last))
        if reported.last > days.last
        else ()
    )
    if after and terms.true_up == "none":
        said, expected = "has sales after the year that no true-up bills", 'true_up="yearly"'
        raise InvalidPeriodError.of("terms.part_year", "no_true_up", said, "extended", expected)
    known = [each for each in (*intervals, *after) if each.last <= last or through is None]
    given = [each for each in reports if through is None or each.period.last <= last]
    counted = sales_of(terms, given, known)
    sales = [{group: one.units for group, one in each.items()} for each in counted]
    bases = [Fraction(units_of(each)) for each in base_rents]
    whole = _Year(terms, days, sum(bases, Fraction(0)), currency)
    dues = [*_dues(whole, intervals[: len(known)], sales, bases)]
    rents = [max(each.rent - each.billed, _NOTHING) for each in dues]
    made = [
        TurnoverInterval(
            *("interval", each),
            amount_of(sum(sold.values(), _NOTHING), currency),
            *(amount_of(base, currency), amount_of(rent, currency)),
        )
        for each, sold, base, rent in zip(intervals, sales, bases, rents, strict=False)
    ]
    notices = [notice for each in counted for one in each.values() for notice in one.notices]
    if any(each.natural for each in terms.clauses) and not whole.base:
        notices.append(notice_of_loss())
    if terms.true_up == "yearly" and len(known) == len(intervals) + len(after):
        total = _added(sales)
        due = whole.due(total, billed=sum(rents, _NOTHING))
        rest = due.rent - due.billed
        if rest < 0:
            said = f"{-amount_of(rest, currency)} was billed above the rent of the year"
            notices.append(Notice("credit" if terms.credit else "credit_not_given", said))
            rest = rest if terms.credit else _NOTHING
        if rest:
            figures = (sum(total.values(), _NOTHING), sum(bases), rest)
            amounts = (amount_of(Fraction(each), currency) for each in figures)
            made.append(TurnoverInterval("true_up", days, *amounts))
            dues.append(due)
    return TurnoverYear(days, made, notices, vats, dues)


def _limits(
    terms: TurnoverTerms, base: Fraction, scale: Fraction
) -> Iterator[tuple[str, Fraction]]:
    """Give the limits of what all groups yield above the base rent, in minor units (A128)."""
    off = base if terms.clauses[0].relation == "higher_of" else _NOTHING
    for name, limit in (("minimum", terms.minimum), ("maximum", terms.maximum)):
        if limit is not None:
            exact = max(units_of(limit) - off, _NOTHING) * scale
            yield name, Fraction(divide_rounded(*exact.as_integer_ratio()))


def _dues(
    whole: _Year, intervals: Sequence[Period], sales: Sequence[Sales], bases: Sequence[Fraction]
) -> Iterator[Due]:
    """Give what each interval bills, and what was billed before it."""
    billed, measure = _NOTHING, whole.terms.measure
    for at, (days, sold, base) in enumerate(zip(intervals, sales, bases, strict=False)):
        if measure == "interval":
            yield whole.due_of_interval(sold, base, _WHOLE)
        elif measure == "annualised":
            yield whole.due_of_interval(sold, base, part_of_year(days))
        else:
            is_last = at + 1 == len(bases)
            due = whole.due(_added(sales[: at + 1]), ended=is_last, billed=billed)
            billed = max(due.rent, billed)
            yield due


def _days_after(days: Period, count: int) -> date:
    """Return the day so many days after the last one of an interval."""
    if not 0 < days.last + count <= LAST_DAY:
        case = "a turnover rent due outside the years 1 to 9999"
        raise UnsupportedCaseError("unsupported", case=case)
    return date.fromordinal(days.last + count)


def _added(sales: Sequence[Sales]) -> Sales:
    return {group: sum((each[group] for each in sales), Fraction(0)) for group in sales[0]}
