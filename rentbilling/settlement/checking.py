"""A statement that somebody else made: does it add up, is it ours, and what was done otherwise?

Law: a cause is named only where settling in that way gives the stated amount.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product
from types import MappingProxyType
from typing import Annotated, Any, Final

from rentbilling.errors import InvalidRecordError, Problem, shown
from rentbilling.records import AmountField, CheckedRecord, IdField, Listed, Problems
from rentbilling.settlement.advances import MONTHS, advance_total
from rentbilling.settlement.api import settle
from rentbilling.settlement.occupancies import Settlement, Stay
from rentbilling.settlement.policy import PERMILLE, DegreeDays, Measure, SettlementPolicy
from rentbilling.settlement.statements import SettlementResult, Statement, amount_of
from rentbilling.values import Amount, Period, divide_rounded, units_of

_MONTH: Final = 30


class StatedLine(CheckedRecord):
    """A line of a statement that somebody else made."""

    pool: IdField
    """The id of the pool."""
    amount: AmountField
    """What the lease is to bear."""


class StatedStatement(CheckedRecord):
    """A statement that somebody else made."""

    lease: IdField
    """The id of the lease."""
    lines: Annotated[tuple[StatedLine, ...], Listed]
    """Its lines; a pool without a line is not compared."""
    advances: AmountField | None = None
    """What was paid in advance."""
    balance: AmountField | None = None
    """What is left: above 0 the tenant pays."""
    degree_days: Annotated[tuple[Measure, ...], Listed] = ()
    """The table of degree days that it prints, of twelve months, whatever they add up to."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problem of a table of another length."""
        yield from cls.bound_problems(parts)
        found = len(parts.get("degree_days", ()))
        if found not in (0, MONTHS):
            said = "are another number of values"
            problem = Problem("degree_days", "wrong_length", said, shown(found), str(MONTHS))
            yield InvalidRecordError, problem


@dataclass(frozen=True, slots=True)
class SettlementDifference:
    """A figure of a statement that is another one than ours."""

    figure: str
    """`share`, `advances`, `balance`, or `sum` where the statement contradicts itself."""
    pool_id: str | None
    """The pool of a share."""
    stated: Amount
    expected: Amount
    causes: tuple[str, ...]
    """Words of `CAUSES`: each was tried, and gives the stated amount."""

    def __str__(self) -> str:
        why = "; ".join(CAUSES[cause] for cause in self.causes) or "no known cause"
        of = f" of {self.pool_id}" if self.pool_id else ""
        return f"{self.figure}{of}: {self.stated}, expected {self.expected} ({why})"


CAUSES: Final = MappingProxyType(
    {
        "vacancy_left_out": "vacant units were left out of the denominator",
        "degree_days_left_out": "days were counted instead of degree days",
        "degree_days_used": "degree days were counted instead of days",
        "degree_days_not_1000": "the table of degree days does not add up to 1000",
        "other_degree_days": "another table of degree days was used",
        "fixed_costs_grossed_up": "fixed costs were grossed up too",
        "base_not_grossed_up": "the year was grossed up, and its base was not",
        "limits_left_out": "bases, floors and ceilings of the lease were left out",
        "months_used": "whole months were counted instead of days",
        "days_of_another_year": "days were divided by 360, 365 or 366",
        "thirty_day_months": "every month was counted as 30 days",
        "rounded_percent": "a percentage was rounded before it was applied",
        "rounded_unit_price": "the price of a unit was rounded before it was applied",
        "rounded_alone": "each share was rounded by itself",
        "all_recoverable": "costs that are not recoverable were shared too",
        "vat_on_gross": "VAT was charged on an amount with VAT, or input VAT was charged too",
        "advances_due": "advances of begun months or of the whole period were counted",
        "advances_left_out": "no advances were counted",
    }
)
"""What a statement may do otherwise."""


def check_settlement(
    stated: StatedStatement, settlement: Settlement, *, policy: SettlementPolicy | None = None
) -> tuple[SettlementDifference, ...]:
    """Return where a statement differs from ours or contradicts itself; nothing where it is right.

    Raises:
        InvalidRecordError: The settlement yields no statement of the lease, or has not its pools.

    Examples:
        >>> from rentbilling.settlement import CostPool, Occupancy, PoolPart, SettlementUnit
        >>> house = Settlement(
        ...     period="2025",
        ...     currency="EUR",
        ...     pools=[CostPool(id="tax", amount=Amount(90, "EUR"), parts=[PoolPart(key="units")])],
        ...     units=[SettlementUnit(id=each) for each in "abc"],
        ...     occupancies=[Occupancy(id="t1", unit="a"), Occupancy(id="t2", unit="b")],
        ... )
        >>> stated = StatedStatement(
        ...     lease="t1", lines=[StatedLine(pool="tax", amount=Amount(45, "EUR"))])
        >>> print(*check_settlement(stated, house))
        share of tax: 45 EUR, expected 30.00 EUR (vacant units were left out of the denominator)
    """
    rules = policy or settlement.rules
    result = settle(settlement, policy=rules)
    ours = _statement(result, stated)
    shares = _shares(ours)
    unknown = [each.pool for each in stated.lines if each.pool not in shares]
    if unknown:
        said, expected = "bears nothing of a pool", f"one of {', '.join(shares)}"
        raise InvalidRecordError.of("lines", "unknown_id", said, unknown[0], expected)
    found = list(_own_sum(stated))
    wrong = [each for each in stated.lines if each.amount != shares[each.pool]]
    tried = dict(_tried(settlement, rules, ours)) if wrong else {}
    if wrong and stated.degree_days:
        tried |= _by_table(settlement, rules, ours, stated.degree_days)
    for line in wrong:
        causes = [name for name, by in tried.items() if line.amount in by.get(line.pool, ())]
        expected_share = shares[line.pool]
        causes_found = tuple(dict.fromkeys(name.partition(":")[0] for name in causes))
        found.append(
            SettlementDifference("share", line.pool, line.amount, expected_share, causes_found)
        )
    if stated.advances is not None and stated.advances != ours.advances:
        causes_found = tuple(_advance_causes(stated.advances, settlement, ours))
        found.append(
            SettlementDifference("advances", None, stated.advances, ours.advances, causes_found)
        )
    if stated.balance is not None and stated.balance != ours.balance and not found:
        found.append(SettlementDifference("balance", None, stated.balance, ours.balance, ()))
    return tuple(found)


def _statement(result: SettlementResult, stated: StatedStatement) -> Statement:
    for each in result.problems:
        if each.lease_id == stated.lease:
            raise InvalidRecordError(each.problems)
    if stated.lease not in {each.lease_id for each in result}:
        said, expected = "has no statement", "a lease of the settlement"
        raise InvalidRecordError.of("lease", "unknown_id", said, stated.lease, expected)
    return result.of(stated.lease)


def _shares(statement: Statement) -> dict[str, Amount]:
    """Return what a lease bears by pool."""
    found: dict[str, Amount] = {}
    for line in statement.lines:
        so_far = found.get(line.pool_id)
        found[line.pool_id] = line.amount if so_far is None else so_far + line.amount
    return found


def _own_sum(stated: StatedStatement) -> Iterator[SettlementDifference]:
    """Give the difference of a statement whose figures do not add up."""
    if stated.advances is None or stated.balance is None or not stated.lines:
        return
    zero = stated.balance - stated.balance
    total = sum((each.amount for each in stated.lines), zero) - stated.advances
    if total != stated.balance:
        yield SettlementDifference("sum", None, stated.balance, total, ())


def _tried(
    settlement: Settlement, rules: SettlementPolicy, ours: Statement
) -> Iterator[tuple[str, Mapping[str, tuple[Amount, ...]]]]:
    """Give the shares by pool for each way of settling that may be the cause."""
    for name, changes in (
        ("vacancy_left_out", {"landlord_bears": 0}),
        ("rounded_percent:1", {"percent_places": 1}),
        ("rounded_percent:2", {"percent_places": 2}),
        ("rounded_unit_price:2", {"unit_price_places": 2}),
        ("rounded_unit_price:3", {"unit_price_places": 3}),
        ("rounded_alone", {"rounding": "half_up"}),
    ):
        changed: Mapping[str, Any] = changes
        yield name, _settled_as(settlement, rules.evolve(**changed), ours.lease_id)
    for name, before, after in (
        ("degree_days_left_out", "degree_days", "days"),
        ("degree_days_used", "days", "degree_days"),
        ("months_used", "days", "months"),
    ):
        pools = tuple(
            pool.evolve(
                parts=tuple(
                    part.evolve(time=after) if part.time_weight == before else part
                    for part in pool.parts
                )
            )
            for pool in settlement.pools
        )
        yield name, _settled_as(settlement.evolve(pools=pools), rules, ours.lease_id)
    pools = tuple(pool.evolve(recoverable=1) for pool in settlement.pools)
    yield "all_recoverable", _settled_as(settlement.evolve(pools=pools), rules, ours.lease_id)
    for name, field, value in (
        ("fixed_costs_grossed_up", "variable", 1),
        ("base_not_grossed_up", "base_occupancy", None),
    ):
        pools = tuple(
            pool.evolve(steps=pool.steps.evolve(**{field: value}))
            if pool.steps is not None and pool.steps.variable is not None
            else pool
            for pool in settlement.pools
        )
        yield name, _settled_as(settlement.evolve(pools=pools), rules, ours.lease_id)
    stays = tuple(each.evolve(bases=(), floors=(), ceilings=()) for each in settlement.occupancies)
    yield "limits_left_out", _settled_as(settlement.evolve(occupancies=stays), rules, ours.lease_id)
    yield "vat_on_gross", _with_vat(ours)
    yield "days_of_another_year", _by_days(ours, thirty=False)
    yield "thirty_day_months", _by_days(ours, thirty=True)


def _settled_as(
    settlement: Settlement, rules: SettlementPolicy, lease: str
) -> Mapping[str, tuple[Amount, ...]]:
    """Return what a lease bears by pool if it is settled so; nothing where it cannot be."""
    found = [each for each in settle(settlement, policy=rules) if each.lease_id == lease]
    return {pool: (share,) for each in found for pool, share in _shares(each).items()}


def _by_table(
    settlement: Settlement, rules: SettlementPolicy, ours: Statement, table: Sequence[Decimal]
) -> Mapping[str, Mapping[str, tuple[Amount, ...]]]:
    """Return the shares that a table of degree days gives, as a share of 1000 each."""
    if sum(table) == PERMILLE:
        policy = rules.evolve(degree_days=DegreeDays(months=tuple(table)))
        return {"other_degree_days": _settled_as(settlement, policy, ours.lease_id)}
    found: dict[str, tuple[Amount, ...]] = {}
    for settled in ours.pools:
        units = Fraction(0)
        for stay, part in product(ours.stays, settled.parts):
            whole = part.of_unit.get(stay.occupancy.unit, 0)
            if part.part.time_weight == "degree_days" and whole:
                units += whole * _weight(stay.period, table) / PERMILLE
            else:
                units += part.shares.get(stay.at, 0)
        found[settled.pool.id] = (_money(ours, units),)
    return {"degree_days_not_1000": found}


def _weight(period: Period, table: Sequence[Decimal]) -> Fraction:
    months = [(run, Period.month(*_month_of(run)).days) for run in period.months]
    parts = (Fraction(table[run.start.month - 1]) * run.days / days for run, days in months)
    return sum(parts, Fraction(0))


def _with_vat(ours: Statement) -> Mapping[str, tuple[Amount, ...]]:
    """Return the shares with VAT on top: that of the lease, or the input VAT of the pool."""
    found: dict[str, tuple[Amount, ...]] = {}
    for settled in ours.pools:
        units = sum(settled.shares[stay.at] for stay in ours.stays)
        vats = {vat for stay in ours.stays if stay.is_taxed for vat, _ in stay.vats}
        rates = [Fraction(vat.tax_rate) for vat in vats if vat.tax_rate is not None]
        if settled.pool.vat is not None and settled.pool.amount.amount:
            rates.append(Fraction(settled.pool.vat.amount) / Fraction(settled.pool.amount.amount))
        found[settled.pool.id] = tuple(_money(ours, units * (1 + rate)) for rate in rates)
    return found


def _by_days(ours: Statement, *, thirty: bool) -> Mapping[str, tuple[Amount, ...]]:
    """Return the shares of pools of one part as other counts of days give them."""
    found: dict[str, tuple[Amount, ...]] = {}
    period = ours.house.settlement.period
    years = (360, 365) if thirty else tuple({360, 365, 366} - {period.days})
    days = sum(_thirty(stay) if thirty else stay.period.days for stay in ours.stays)
    for settled in ours.pools:
        units = {stay.occupancy.unit for stay in ours.stays}
        if len(settled.parts) == len(units) == 1 and settled.parts[0].part.time_weight == "days":
            whole = settled.parts[0].of_unit.get(*units)
            if whole is not None:
                found[settled.pool.id] = tuple(
                    _money(ours, Fraction(whole * days) / year) for year in years
                )
    return found


def _thirty(stay: Stay) -> int:
    """Return the days of a stay where every whole month has 30."""
    return sum(
        _MONTH if Period.month(*_month_of(run)).days == run.days else min(run.days, _MONTH)
        for run in stay.period.months
    )


def _month_of(run: Period) -> tuple[int, int]:
    return run.start.year, run.start.month


def _money(ours: Statement, units: Fraction) -> Amount:
    rounded = divide_rounded(*units.as_integer_ratio())
    return amount_of(rounded, ours.house.settlement.currency)


def _advance_causes(stated: Amount, settlement: Settlement, ours: Statement) -> Iterator[str]:
    """Give why advances may be others: counted for other months, or left out."""
    if not units_of(stated):
        yield "advances_left_out"
    periods = {stay.occupancy.id: stay.period for stay in ours.stays}
    own = [each for each in settlement.advances if each.occupancy in periods]
    for days in (periods, dict.fromkeys(periods, settlement.period)):
        due = [
            advance_total(each.evolve(counted="begun_months", months=None), days[each.occupancy])
            for each in own
        ]
        if due and sum(due[1:], due[0]) == stated:
            yield "advances_due"
            return
