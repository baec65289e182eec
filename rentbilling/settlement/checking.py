"""A statement that somebody else made: does it add up, is it ours, and what was done otherwise?

Law: a cause is named only where settling in that way gives the stated amount, or where a line is
there that ours has not, or is not there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Annotated, Any, Final

from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem, shown
from rentbilling.records import AmountField, CheckedRecord, IdField, Listed, Problems
from rentbilling.settlement.advances import MONTHS, advance_total
from rentbilling.settlement.api import settle
from rentbilling.settlement.measures import days_of_month
from rentbilling.settlement.occupancies import Settlement, Stay
from rentbilling.settlement.policy import PERMILLE, DegreeDays, Measure, SettlementPolicy
from rentbilling.settlement.pools import CostPool
from rentbilling.settlement.results import SettlementResult
from rentbilling.settlement.statements import Statement
from rentbilling.terms import other_currencies
from rentbilling.values import Amount, Period, amount_of

_MONTH: Final = 30
_OTHER_CURRENCY: Final = ("other_currency",)
_Shares = Mapping[str, tuple[Amount, ...]]
"""What a lease may bear, by pool."""


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
    """Its lines; several of one pool count together. Without any, its sums alone are compared."""
    advances: AmountField | None = None
    """What was paid in advance."""
    balance: AmountField | None = None
    """What is left: above 0 the tenant pays."""
    degree_days: Annotated[tuple[Measure, ...], Listed] = ()
    """The table of degree days that it prints, of twelve months, whatever they add up to."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems of a table of another length, and of amounts in two currencies."""
        yield from cls.bound_problems(parts)
        stated = {
            f"lines[{at}].amount": each.amount for at, each in enumerate(parts.get("lines", ()))
        }
        stated |= {name: parts.get(name) for name in ("advances", "balance")}
        yield from other_currencies(stated.items())
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
        "pool_left_out": "the statement has no line of it",
        "no_part": "the lease takes no part in it",
        "other_currency": "it is in another currency",
        "late_charge": "it is made too late, and an extra charge is lost",
        "vacancy_left_out": "vacant units were left out of the denominator",
        "degree_days_left_out": "days were counted instead of degree days",
        "degree_days_used": "degree days were counted instead of days",
        "degree_days_not_1000": "the table of degree days does not add up to 1000",
        "other_degree_days": "another table of degree days was used",
        "months_used": "whole months were counted instead of days",
        "days_of_another_year": "days were divided by 360, 365 or 366",
        "thirty_day_months": "every month was counted as 30 days",
        "all_recoverable": "costs that are not recoverable were shared too",
        "vat_on_gross": "VAT was charged on an amount with VAT, or input VAT was charged too",
        "advances_due": "advances of begun months or of the whole period were counted",
        "advances_left_out": "no advances were counted",
    }
)
"""What a statement may do otherwise."""


def check_settlement(
    stated: StatedStatement,
    settlement: Settlement,
    *,
    whole: bool = True,
    policy: SettlementPolicy | None = None,
) -> tuple[SettlementDifference, ...]:
    """Return where a statement differs from ours or contradicts itself; nothing where it is right.

    Args:
        stated: What the other statement says.
        settlement: The facts that it is settled from.
        whole: Whether its lines are all that it has, so that a pool without one is a difference
            (A113). With False its lines alone are compared, and not what they add up to.
        policy: Instead of that of the settlement.

    Raises:
        InvalidInputError: The settlement is refused, or has no such lease or pool.
        TypeError: It is no `StatedStatement`, or there is no `Settlement`.

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
    if not isinstance(stated, StatedStatement):
        said = "check_settlement takes a StatedStatement first"
        raise TypeError(f"{said}, not {shown(stated)}; loads(text, StatedStatement) reads one")
    ours = _statement(settle(settlement, policy=policy), stated)
    check = _Check(stated, ours, whole=whole and bool(stated.lines))
    unknown = [each for each in check.given if each not in check.shares]
    if unknown:
        said, known = "is no pool of the settlement", f"one of {', '.join(check.shares)}"
        raise InvalidRecordError.of("lines", "unknown_id", said, unknown[0], known)
    return (*check.sums, *check.differing_shares, *check.differing_totals)


class _Check:
    """A statement beside ours, and the differences of sums, shares, advances and balance."""

    def __init__(self, stated: StatedStatement, ours: Statement, *, whole: bool) -> None:
        self._stated, self._ours, self._whole = stated, ours, whole
        self._currency = ours.house.settlement.currency
        self.given = _by_pool((each.pool, each.amount) for each in stated.lines)
        self.shares = dict.fromkeys(
            (each.id for each in ours.house.settlement.pools), self._nothing
        ) | _by_pool((each.pool_id, each.amount) for each in ours.lines)
        self._bears = {each.pool_id for each in ours.lines}
        self._late = ours.charged != ours.balance
        amounts = (*self.given.values(), stated.advances, stated.balance)
        self._comparable = all(each is None or each.currency == self._currency for each in amounts)

    @property
    def _nothing(self) -> Amount:
        return amount_of(0, self._currency)

    @cached_property
    def sums(self) -> Sequence[SettlementDifference]:
        """The difference of a statement whose own figures do not add up."""
        advances, balance = self._stated.advances, self._stated.balance
        dropped = self._late and balance == self._ours.charged
        if not self._whole or advances is None or balance is None or dropped:
            return ()
        total = sum((each.amount for each in self._stated.lines), balance - balance) - advances
        return () if total == balance else (SettlementDifference("sum", None, balance, total, ()),)

    @property
    def differing_shares(self) -> Iterator[SettlementDifference]:
        """The pools whose shares are others than ours, and those without a line."""
        wrong = {pool for pool, each in self.given.items() if each != self.shares[pool]}
        tried: dict[str, _Shares] = {}
        if wrong and self._comparable:
            tried = dict(_tried(self._ours))
            if self._stated.degree_days:
                tried |= _by_table(self._ours, self._stated.degree_days)
        for pool, share in self.shares.items():
            if pool in wrong:
                given = self.given[pool]
                causes = tuple(name for name, by in tried.items() if given in by.get(pool, ()))
                if pool not in self._bears:
                    causes = ("no_part",)
                why = causes if self._comparable else _OTHER_CURRENCY
                yield SettlementDifference("share", pool, self.given[pool], share, why)
            elif self._whole and pool not in self.given and share.amount:
                yield SettlementDifference("share", pool, self._nothing, share, ("pool_left_out",))

    @property
    def differing_totals(self) -> Iterator[SettlementDifference]:
        """Advances that are others, and a balance that no other difference accounts for."""
        ours, advances, balance = self._ours, self._stated.advances, self._stated.balance
        if advances is not None and advances != ours.advances:
            causes: Iterable[str] = _OTHER_CURRENCY
            if self._comparable:
                causes = _advance_causes(advances, ours.house.settlement, ours)
            found = tuple(causes)
            yield SettlementDifference("advances", None, advances, ours.advances, found)
        if balance is None:
            return
        if not self._comparable:
            yield SettlementDifference("balance", None, balance, ours.balance, _OTHER_CURRENCY)
        elif self._late:
            if balance != ours.charged:
                found = ("late_charge",) if balance.amount > ours.charged.amount else ()
                yield SettlementDifference("balance", None, balance, ours.charged, found)
        elif not self.sums and balance != self._accounted:
            yield SettlementDifference("balance", None, balance, ours.balance, ())

    @property
    def _accounted(self) -> Amount:
        """Our balance, with the shares and advances that are stated in the place of ours."""
        found, advances = self._ours.balance, self._stated.advances
        if advances is not None:
            found += self._ours.advances - advances
        for pool, share in self.shares.items():
            if self._whole or pool in self.given:
                found += self.given.get(pool, self._nothing) - share
        return found


def _statement(result: SettlementResult, stated: StatedStatement) -> Statement:
    if stated.lease not in {each.lease_id for each in result}:
        said, expected = "has no statement", "a lease of the settlement"
        raise InvalidRecordError.of("lease", "unknown_id", said, stated.lease, expected)
    return result.of(stated.lease)


def _by_pool(lines: Iterable[tuple[str, Amount]]) -> dict[str, Amount]:
    found: dict[str, Amount] = {}
    for pool, amount in lines:
        found[pool] = found[pool] + amount if pool in found else amount
    return found


def _tried(ours: Statement) -> Iterator[tuple[str, _Shares]]:
    """Give the shares by pool for each way of settling that may be the cause."""
    house = ours.house
    for name, settlement, rules in _otherwise(house.settlement, house.policy):
        yield name, _settled_as(settlement, rules, ours.lease_id)
    yield "vat_on_gross", _with_vat(ours)
    yield "days_of_another_year", _by_days(ours, thirty=False)
    yield "thirty_day_months", _by_days(ours, thirty=True)


def _otherwise(
    settlement: Settlement, rules: SettlementPolicy
) -> Iterator[tuple[str, Settlement, SettlementPolicy]]:
    """Give settlements and policies in which one thing is done otherwise: the five likeliest."""
    yield "vacancy_left_out", settlement, rules.evolve(landlord_bears=0)
    for name, before, after in (
        ("degree_days_left_out", "degree_days", "days"),
        ("degree_days_used", "days", "degree_days"),
        ("months_used", "days", "months"),
    ):
        parts = (
            tuple(
                part.evolve(time=after) if part.time_weight == before else part
                for part in pool.parts
            )
            for pool in settlement.pools
        )
        pools = zip(settlement.pools, parts, strict=True)
        yield name, _with_pools(settlement, (pool.evolve(parts=own) for pool, own in pools)), rules
    shared = (pool.evolve(recoverable=1) for pool in settlement.pools)
    yield "all_recoverable", _with_pools(settlement, shared), rules


def _with_pools(settlement: Settlement, pools: Iterable[CostPool]) -> Settlement:
    return settlement.evolve(pools=tuple(pools))


def _settled_as(settlement: Settlement, rules: SettlementPolicy, lease: str) -> _Shares:
    """Return what a lease bears by pool if it is settled so; nothing where it cannot be."""
    lines: list[tuple[str, Amount]] = []
    with suppress(InvalidInputError):
        found = settle(settlement, policy=rules).of(lease)
        lines = [(line.pool_id, line.amount) for line in found.lines]
    return {pool: (share,) for pool, share in _by_pool(lines).items()}


def _by_table(ours: Statement, table: Sequence[Decimal]) -> Mapping[str, _Shares]:
    """Return the shares that a table of degree days gives, as a share of 1000 each."""
    if sum(table) == PERMILLE:
        house = ours.house
        policy = house.policy.evolve(degree_days=DegreeDays(months=tuple(table)))
        return {"other_degree_days": _settled_as(house.settlement, policy, ours.lease_id)}
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
    months = ((run, Fraction(run.days, days_of_month(run))) for run in period.months)
    return sum((Fraction(table[run.start.month - 1]) * share for run, share in months), Fraction(0))


def _with_vat(ours: Statement) -> _Shares:
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


def _by_days(ours: Statement, *, thirty: bool) -> _Shares:
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
        _MONTH if days_of_month(run) == run.days else min(run.days, _MONTH)
        for run in stay.period.months
    )


def _money(ours: Statement, units: Fraction) -> Amount:
    return amount_of(units, ours.house.settlement.currency)


def _advance_causes(stated: Amount, settlement: Settlement, ours: Statement) -> Iterator[str]:
    """Give why advances may be others: counted for other months, or left out."""
    if not stated.amount:
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
