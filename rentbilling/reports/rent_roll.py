"""Which rents are in force on a day, lease by lease?

Laws: a rent is the next regular line's before its discount; a figure that cannot be computed is
left out, and its row says why; the sums are those of the rows.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Final, NamedTuple

from rentbilling.adjustments import AmountScale, Bounds, LeaseHistories, RuleDates, next_day
from rentbilling.billing import CompiledTerms
from rentbilling.errors import InvalidInputError, RentBillingError, UnknownWordError, paths_under
from rentbilling.indices import AnyIndices, IndexSeries, series_of
from rentbilling.layout import GAP, PLAIN
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.records import ABSENT, IdField, OptionalNumberField, Record, TextField, Within
from rentbilling.reports.lease_figures import (
    DEPOSIT,
    RentOnDay,
    a_month_of,
    balances_on,
    contract_period_state,
    is_over,
    rents_on,
)
from rentbilling.tables import (
    Column,
    Row,
    Table,
    TabularRecord,
    columns,
    counted,
    shown_cell,
    text_table,
)
from rentbilling.terms import (
    RENT,
    AnyTerms,
    LeaseTerms,
    RentAdjustmentPlan,
    leases_of,
)
from rentbilling.values import day_of, decimal_of, divide_rounded, month_index

_COLUMNS: Final = (
    *columns(text="lease_id currency", money="monthly yearly rent"),
    *columns(text="cycle", money="discount"),
    *columns(text="tax_mode", number="tax_rate"),
    *columns(date="next_adjustment", text="adjusted_by"),
    *columns(money="deposit", date="start end", text="status"),
    *columns(text="unit tenant", number="area", money="per_area"),
    *columns(text="problem"),
)
_SUMS: Final = (*columns(text="currency", whole="leases"), *columns(money="monthly yearly deposit"))
_EXPIRIES: Final = (*columns(whole="year", text="currency"), *columns(whole="leases"))
_MONEY: Final = ("monthly", "yearly", "deposit")
_NAMES: Final = ("unit", "tenant", "adjusted_by")
"""Columns of texts that are cut off where they are long."""
_LEFT_FIRST: Final = (
    *("per_area", "area", "adjusted_by", "start", "tax_rate", "tax_mode", "discount", "rent"),
    *("cycle", "status", "unit", "deposit", "next_adjustment", "tenant", "end"),
)
"""Columns that are not printed where a page is too narrow, the first one first."""
_LONGEST: Final = 24
_WIDTH: Final = 100
_Values = tuple[object, ...]


class LeasedUnit(TabularRecord):
    """What a rent roll says of a unit beyond the terms of its lease.

    Examples:
        >>> LeasedUnit(lease_id="lease-1", unit="2nd floor", area="80.5").area
        Decimal('80.5')
    """

    lease_id: IdField | None = None
    """Its lease; absent of a vacant unit, which has a row of its own."""
    unit: TextField | None = None
    """Its name."""
    tenant: TextField | None = None
    """The tenant's name or reference."""
    area: Annotated[OptionalNumberField, Within(0, above=True)] = ABSENT
    """In square metres, or whatever rents are compared by."""


class RentRoll(Table):
    """A row for each lease and currency, in the order of the leases; then the vacant units.

    `rent` is of a billing period and, as `monthly` and `yearly`, before `discount` and in the
    rent's own tax mode; all in main units. `per_area` is a year's rent. `status` is Active or
    Upcoming. `problem` says why figures are absent.

    Printed, it has the columns that have values and fit 100 signs, and below them the problems and
    the sums; a notebook shows ten rows with all columns, and the sums.
    """

    __slots__ = ("_ended", "_places")
    most_shown: ClassVar = 10

    def __init__(
        self, values: Sequence[_Values], places: Sequence[int], ended: Sequence[str | None] = ()
    ) -> None:
        super().__init__(_COLUMNS, values)
        # Which lease a row is of: ids may be absent.
        self._places = tuple(places)
        self._ended = tuple(ended)

    @property
    def ended(self) -> tuple[str | None, ...]:
        """Ids of the leases that had ended before the day, which have no row."""
        return self._ended

    @property
    def remarks(self) -> Sequence[str]:
        """How many leases have ended, and so have no row."""
        if not self._ended:
            return ()
        return [f"without {counted(len(self._ended), 'lease')} that ended before the day"]

    def __str__(self) -> str:
        rows = self.rows()
        shown, left = _printed(self.columns, rows)
        cells = [[_short(each.name, row[each.name]) for each in shown] for row in rows]
        found = [(row["lease_id"] or "a lease", row["problem"]) for row in rows if row["problem"]]
        below = [*(f"{lease}: {problem}" for lease, problem in found), *self.remarks]
        if left:
            below.append(f"not printed: {', '.join(left)}; rows() and to_pandas() have them")
        lines = [line for each in below for line in PLAIN.wrapped(each, _WIDTH)]
        return "\n".join([text_table(shown, cells), *lines, "", str(self.sums())])

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self.sums()._repr_html_()

    def sums(self) -> Table:
        """Return the sums of the rows with a rent or deposit, a row for each currency."""
        rows = zip(self._places, self.rows(), strict=True)
        return Table(_SUMS, [*_sums(rows, lambda row: (row["currency"],), _MONEY)])

    def expiries(self) -> Table:
        """Return the rents by the year in which their leases end; None is without an end."""

        def year_of(row: Mapping[str, Any]) -> tuple[object, ...]:
            return None if row["end"] is None else row["end"].year, row["currency"]

        rows = zip(self._places, self.rows(), strict=True)
        rents = [(at, row) for at, row in rows if row["yearly"] is not None]
        found = sorted(_sums(rents, year_of, _MONEY[:2]), key=lambda row: (row[0] is None, row))
        return Table((*_EXPIRIES, *columns(money="monthly yearly")), found)


def _printed(kinds: Sequence[Column], rows: Sequence[Row]) -> tuple[list[Column], list[str]]:
    """Return the columns with values that fit a page, and the names of those that do not."""
    shown = {
        each.name: each
        for each in kinds
        if each.name != "problem" and (not rows or any(row[each.name] is not None for row in rows))
    }
    widths = {
        name: max([len(name), *(len(shown_cell(_short(name, row[name]))) for row in rows)])
        for name in shown
    }
    left: list[str] = []
    for name in _LEFT_FIRST:
        if sum(widths.values()) + GAP * (len(widths) - 1) <= _WIDTH:
            break
        if widths.pop(name, None) is not None:
            left.append(name)
    return [shown[name] for name in widths], left if rows else []


def _short(name: str, value: Any) -> Any:  # noqa: ANN401 - of any kind
    """Return a cell as it is printed: a long text is cut off."""
    if name in _NAMES and value is not None and len(value) > _LONGEST:
        return f"{value[: _LONGEST - 1]}…"
    return value


def rent_roll(
    leases: AnyTerms | Iterable[LeaseTerms | Mapping[str, Any]],
    *,
    on: date | str,
    units: Iterable[LeasedUnit | Mapping[str, Any]] = (),
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
) -> RentRoll:
    """Return the rents that are in force on a day, with their VAT, next adjustment and deposit.

    Rents are the items with the product `key:rent` whose days include the day (A38), after all
    adjustments. A lease has a row for each currency, VAT and billing cycle of its rents, or one
    without figures, and its deposit on the first row of the deposit's currency. A lease that ended
    before the day is left out, and its units are vacant (A104).

    Args:
        leases: A lease in any form, or several; a generator is read once. One of several that
            cannot be read has a row with its `problem`.
        on: The day.
        units: Units, tenants and areas by lease, and vacant units.
        indices: The index series that rents follow.
        policy: As `pending_bills` takes it.

    Raises:
        InvalidInputError: A lease alone, a unit or the day cannot be read, or a unit names a lease
            that is not there.

    Examples:
        >>> from rentbilling.testing import a_lease, a_rent
        >>> roll = rent_roll(a_lease(a_rent(amount=24000, months=3)), on="2026-05-01")
        >>> roll.rows()[0]["rent"], roll.rows()[0]["monthly"], roll.rows()[0]["yearly"]
        (Decimal('24000.00'), Decimal('8000.00'), Decimal('96000.00'))
        >>> print(roll.sums())
        currency  leases  monthly    yearly  deposit
        DKK            1  8000.00  96000.00
    """
    day, rules = date.fromordinal(day_of(on, "on")), policy_of(policy)
    series = series_of(indices)
    by_lease: dict[str | None, list[LeasedUnit]] = defaultdict(list)
    for at, each in enumerate(units):
        with paths_under(f"units[{at}]"):
            unit = LeasedUnit.model_validate(each)
        by_lease[unit.lease_id].append(unit)
    vacant, values, seen = by_lease.pop(None, []), list[_Values](), set[str | None]()
    places: list[int] = []
    ended: list[str | None] = []
    for at, (lease_id, terms) in enumerate(_read(leases, rules)):
        seen.add(lease_id)
        own = by_lease.get(lease_id, ())
        rows: list[_Values] | None
        if isinstance(terms, LeaseTerms):
            rows = _of_lease(terms, day, _Facts.of(own), series, rules)
        else:
            rows = [_values(lease_id=lease_id, problem=str(terms), **_Facts.of(own)._asdict())]
        if rows is None:
            ended.append(lease_id)
            vacant += (each.evolve(tenant=None) for each in own)
        else:
            values += rows
        places += [at] * (len(values) - len(places))
    for lease_id in by_lease:
        if lease_id not in seen:
            said, expected = "is not the id of a lease", "one of the leases of the rent roll"
            raise UnknownWordError.of("units.leaseId", "unknown_id", said, lease_id, expected)
    values += [_values(lease_id=None, **_Facts.of([unit])._asdict()) for unit in vacant]
    return RentRoll(values, [*places, *[-1] * len(vacant)], ended)


def _read(
    leases: AnyTerms | Iterable[LeaseTerms | Mapping[str, Any]], rules: BillingPolicy
) -> Iterator[tuple[str | None, LeaseTerms | InvalidInputError]]:
    """Give each lease, or why one of several cannot be read, with its id."""
    if not isinstance(leases, Iterable) or isinstance(leases, (str, bytes, Mapping, Record)):
        for terms in leases_of(leases, rules, "rent_roll"):
            yield terms.lease_id, terms
        return
    for at, each in enumerate(leases):
        try:
            (terms,) = leases_of([each], rules, "rent_roll")
        except InvalidInputError as error:
            found = each.get("leaseId") if isinstance(each, Mapping) else None
            lease_id = found if isinstance(found, str) else None
            yield lease_id, error.within("[0]").under(f"[{at}]")
        else:
            yield terms.lease_id, terms


def _values(**known: object) -> _Values:
    return tuple(known.get(column.name) for column in _COLUMNS)


class _Facts(NamedTuple):
    """What is known of the units of a lease."""

    unit: str | None
    tenant: str | None
    area: Decimal | None

    @classmethod
    def of(cls, units: Sequence[LeasedUnit]) -> "_Facts":
        areas = [each.area for each in units if each.area is not None]
        names, tenants = (
            dict.fromkeys(filter(None, found))
            for found in ((each.unit for each in units), (each.tenant for each in units))
        )
        area = sum(areas, Decimal(0)) if areas and len(areas) == len(units) else None
        return cls(", ".join(names) or None, ", ".join(tenants) or None, area)


def _of_lease(
    terms: LeaseTerms,
    day: date,
    facts: _Facts,
    series: Mapping[str, IndexSeries],
    rules: BillingPolicy,
) -> list[_Values] | None:
    """Return the rows of a lease; None if it has ended before the day."""
    items = terms.recurring_bill_items
    starts = [item.first_billing_period_bill_item.accounting_period.start for item in items]
    start = terms.contract_start or min(starts, default=None)
    state = contract_period_state(start, terms.contract_end, day)
    if state == "Expired":
        return None
    about = {
        "lease_id": terms.lease_id,
        "currency": terms.currency,
        "start": start,
        "end": terms.contract_end,
        "status": state,
        **facts._asdict(),
    }
    try:
        if items and all(is_over(item, terms.contract_end, day, rules) for item in items):
            return None
        compiled = CompiledTerms(terms, rules, series)
        deposits = {each.currency: each.amount for each in balances_on(compiled, DEPOSIT, day)}
        groups: dict[object, list[RentOnDay]] = defaultdict(list)
        for rent in rents_on(compiled, day):
            if rent.begun:
                cycle = items[rent.at].billing_cycle
                groups[rent.line.currency, rent.line.vat.category, cycle].append(rent)
        rows = [_figures(group, compiled, day, facts.area) for group in groups.values()]
    except RentBillingError as error:
        return [_values(**about, problem=str(error))]
    if rows:
        about["status"] = "Active"
    found = [_values(**about | row, deposit=deposits.pop(row["currency"], None)) for row in rows]
    found += (
        _values(**about | {"currency": currency}, deposit=deposit)
        for currency, deposit in deposits.items()
    )
    return found or [_values(**about)]


def _figures(
    rents: Sequence[RentOnDay], compiled: CompiledTerms, day: date, area: Decimal | None
) -> dict[str, Any]:
    """Return what rents of one currency, VAT and cycle come to."""
    line, rules = rents[0].line, compiled.policy
    item = compiled.terms.recurring_bill_items[rents[0].at]
    yearly = sum(_yearly(each, compiled) for each in rents)
    off = sum(each.discount for each in rents)

    def money(units: int) -> Decimal:
        return decimal_of(units, line.places)

    per_area = None
    if area is not None:
        over, below = area.as_integer_ratio()
        rounding = rules.for_product(RENT).rounding
        per_area = money(divide_rounded(yearly * below, over, rounding))
    when, why = _next_adjustment(compiled.histories, {each.at for each in rents}, day.toordinal())
    return {
        "currency": line.currency,
        "monthly": a_month_of(rents, rules).amount,
        "yearly": money(yearly),
        "rent": money(sum(each.period for each in rents)),
        "cycle": str(item.billing_cycle),
        "discount": money(off) if off else None,
        "tax_mode": line.vat.tax_mode,
        "tax_rate": line.vat.tax_rate,
        "next_adjustment": when,
        "adjusted_by": why,
        "per_area": per_area,
    }


def _yearly(rent: RentOnDay, compiled: CompiledTerms) -> int:
    """Return minor units of a year: those of a period, or of a stated price, times (A38, A65)."""
    item, line = compiled.terms.recurring_bill_items[rent.at], rent.line
    rounding = compiled.policy.for_product(RENT).rounding
    scale = AmountScale(line.currency, line.places, rounding, item.prices_a_year)
    if item.price_per == "cycle":
        return scale.yearly_units(rent.period)
    return scale.units(rent.yearly)


def _next_adjustment(
    histories: LeaseHistories | None, rents: Collection[int], after: int
) -> tuple[date | None, str | None]:
    """Return the first day after another on which rents are adjusted, and by what."""
    found: dict[int, list[str]] = defaultdict(list)
    for at, (plan, bounds) in enumerate(() if histories is None else histories.bounds()):
        if histories is not None and histories.places_of(at)[0] in rents:
            day = next_day(plan, bounds, after)
            if day is not None:
                found[day] += _reasons(plan, bounds, day)
    if not found:
        return None, None
    day = min(found)
    return date.fromordinal(day), ", ".join(dict.fromkeys(found[day]))


def _reasons(plan: RentAdjustmentPlan, bounds: Bounds, day: int) -> Iterator[str]:
    """Give what adjusts on a day: the words of rules, or a listed adjustment."""
    if day in [each.adjusted_on.toordinal() for each in plan.adjustments]:
        yield "listed"
        return
    for rule in plan.rent_adjustment_rules:
        if RuleDates(rule, plan, bounds).has(month_index(day)):
            clause = rule.index_clause
            named = None if clause is None else clause.series
            yield rule.adjustment_type if named is None else f"{rule.adjustment_type} {named}"


def _sums(
    rows: Iterable[tuple[int, Row]],
    key_of: Callable[[Row], tuple[object, ...]],
    names: Sequence[str],
) -> Iterator[tuple[Any, ...]]:
    """Give for each key the number of its leases and the sums of some columns."""
    sums: dict[tuple[object, ...], dict[str, Decimal]] = {}
    leases: dict[tuple[object, ...], set[int]] = defaultdict(set)
    for at, row in rows:
        for name in names:
            if row[name] is not None:
                key = key_of(row)
                total = sums.setdefault(key, {})
                total[name] = total.get(name, 0) + row[name]
                leases[key].add(at)
    for key, totals in sums.items():
        yield *key, len(leases[key]), *(totals.get(name) for name in names)
