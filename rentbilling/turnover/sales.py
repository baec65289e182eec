"""Sales as they are reported: net of VAT, revised, estimated, or missing.

Law: sales are exact until the rent is rounded; a missing report is 0 only where that is said.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

from rentbilling.errors import InvalidAmountError, InvalidPeriodError
from rentbilling.records import (
    NOT_BELOW_ZERO,
    AmountField,
    AskedPeriodField,
    IdField,
    SilentRecord,
    VatField,
    WholeField,
)
from rentbilling.turnover.clause import TurnoverClause, TurnoverTerms
from rentbilling.values import (
    MONTHS_PER_YEAR,
    Amount,
    Notice,
    Period,
    Rate,
    amount_of,
    decimal_of,
    divide_rounded,
    minor_units,
    months_later,
    rate_of,
    units_of,
)

Group = str | None


class SalesReport(SilentRecord):
    """Sales of some days (assumption A100)."""

    period: AskedPeriodField
    """The days: two days, a month or a year."""
    sales: AmountField
    """Sales of the days."""
    deductions: AmountField | None = None
    """What the lease lets the tenant deduct, such as returns; taxed as the sales are."""
    vat: VatField | None = None
    """Absent: without VAT. Inclusive: sales have VAT inside, which is taken off."""
    group: IdField | None = None
    """The product group."""
    state: Literal["estimate", "reported", "audited"] = "reported"
    """How sure it is."""
    revision: Annotated[WholeField, NOT_BELOW_ZERO] = 0
    """Of reports of the same days and group the highest counts."""

    @property
    def net_units(self) -> Fraction:
        """Sales without VAT and deductions, exact, in minor units."""
        stated = units_of(self.sales) - (units_of(self.deductions) if self.deductions else 0)
        inside = self.vat is not None and self.vat.tax_mode == "Inclusive"
        return Fraction(stated) / (
            1 + Fraction(self.vat.charged_rate) if inside and self.vat else 1
        )


class CountedSales(NamedTuple):
    """Sales of some days, and what a person should look at."""

    units: Fraction
    notices: tuple[Notice, ...] = ()


def counted_sales(clause: TurnoverClause, reports: Iterable[SalesReport]) -> CountedSales:
    """Return all sales of reports of one group, in minor units.

    Raises:
        InvalidPeriodError: Reports overlap.
        InvalidAmountError: Sales are below 0.
    """
    notices: list[Notice] = []
    latest: dict[Period, SalesReport] = {}
    for each in sorted(reports, key=lambda report: (report.period, report.revision)):
        before = latest.get(each.period)
        if before is not None and before.revision < each.revision:
            said = f"sales of {each.period} are revised: {before.sales} to {each.sales}"
            notices.append(Notice("revised_report", said))
            del latest[each.period]
        for other in (*latest.values(),)[-1:]:
            if other.period.overlaps(each.period):
                said, expected = "overlaps another report", f"days after {other.period.end}"
                raise InvalidPeriodError.of("sales", "overlap", said, str(each.period), expected)
        latest[each.period] = each
    notices += (
        Notice("estimated_sales", f"sales of {each.period} are an estimate")
        for each in latest.values()
        if each.state == "estimate"
    )
    sales = [each.net_units for each in latest.values()]
    if clause.minimum_report is not None:
        least = Fraction(units_of(clause.minimum_report))
        sales = [max(each, least) for each in sales]
    total = sum(sales, Fraction(0))
    currencies = [each.sales.currency for each in latest.values()]
    return CountedSales(_not_below_zero(total, *currencies[:1]), tuple(notices))


def _not_below_zero(total: Fraction, currency: str = "") -> Fraction:
    """Return sales that are not below 0; without reports there is no currency."""
    if total < 0:
        met = decimal_of(divide_rounded(*total.as_integer_ratio()), minor_units(currency))
        said, expected = "are below 0", "0 or more in a year"
        raise InvalidAmountError.of("sales", "out_of_range", said, met, expected)
    return total


def sales_of(
    terms: TurnoverTerms, reports: Sequence[SalesReport], intervals: Sequence[Period]
) -> list[dict[Group, CountedSales]]:
    """Return for each interval the sales of each group; an interval without a report as it is said.

    Raises:
        InvalidPeriodError: A report is in no interval, or an interval has none.
        InvalidAmountError: A report has a group without a clause.
    """
    found: list[dict[Group, list[SalesReport]]] = [
        {each.group: [] for each in terms.clauses} for _ in intervals
    ]
    for at, report in enumerate(reports):
        places = [
            place
            for place, days in enumerate(intervals)
            if days.first <= report.period.first and report.period.last <= days.last
        ]
        if not places:
            said, met = "is outside the intervals", str(report.period)
            expected = f"days within one of {intervals[0]} to {intervals[-1]}"
            raise InvalidPeriodError.of(f"reports[{at}].period", "outside", said, met, expected)
        if report.group not in found[places[0]]:
            expected = ", ".join(str(each.group) for each in terms.clauses)
            said, path = "has no clause", f"reports[{at}].group"
            raise InvalidAmountError.of(path, "unknown_group", said, report.group, expected)
        found[places[0]][report.group].append(report)
    return [
        {each.group: _of_interval(terms, each, given[each.group], days) for each in terms.clauses}
        for given, days in zip(found, intervals, strict=True)
    ]


def _of_interval(
    terms: TurnoverTerms, clause: TurnoverClause, reports: Sequence[SalesReport], days: Period
) -> CountedSales:
    if reports:
        return counted_sales(clause, reports)
    about = f"sales of {days}" + (f", {clause.group}," if clause.group else "")
    if terms.missing == "refuse":
        said, expected = "are not reported", 'a report, or missing="minimum"'
        raise InvalidPeriodError.of("reports", "missing_report", said, about, expected)
    least = 0 if clause.minimum_report is None else units_of(clause.minimum_report)
    return CountedSales(Fraction(least), (Notice("missing_report", f"{about} are not reported"),))


def expected_sales(
    reports: Iterable[SalesReport], by: Rate = 0, *, years: int = 1
) -> tuple[SalesReport, ...]:
    """Return reports of later years as estimates, each year higher by a fraction than the last.

    Days keep their place in the month, cut to its end; sales are rounded to the minor unit.

    Raises:
        InvalidAmountError: `by` is no rate.

    Examples:
        >>> report = SalesReport(period=Period.month(2026, 1), sales=Amount(1000, "EUR"))
        >>> for each in expected_sales([report], "5%", years=2):
        ...     print(each.period, each.sales)
        2027-01-01/2027-01-31 1050.00 EUR
        2028-01-01/2028-01-31 1102.50 EUR
    """
    factor = 1 + Fraction(rate_of(by, "by"))
    return tuple(
        each.evolve(
            period=_later(each.period, year * MONTHS_PER_YEAR),
            sales=_raised(each.sales, factor**year),
            deductions=each.deductions and _raised(each.deductions, factor**year),
            state="estimate",
            revision=0,
        )
        for year in range(1, years + 1)
        for each in reports
    )


def _later(days: Period, months: int) -> Period:
    # By the day after its end, so that a month's end stays one.
    first, after = (months_later(day, months) for day in (days.first, days.last + 1))
    return Period.unchecked(first, after - 1)


def _raised(amount: Amount, factor: Fraction) -> Amount:
    return amount_of(units_of(amount) * factor, amount.currency)


def units_from(sales: Decimal | int, currency: str) -> Fraction:
    """Return sales in the main unit as minor units.

    Raises:
        InvalidAmountError: They are below 0.
    """
    return _not_below_zero(Fraction(sales) * 10 ** minor_units(currency), currency)
