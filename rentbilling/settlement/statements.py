"""Statements: what each lease bears, what it paid, and what is left; and who bore the rest.

Law: a statement computes nothing of a share; it shows what the pools were shared into.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Final

from rentbilling.errors import InvalidRecordError, Problem, UnsupportedCaseError
from rentbilling.layout import figure, html_bill, period_words
from rentbilling.settlement.advances import MONTHS, monthly
from rentbilling.settlement.countries import Deadlines
from rentbilling.settlement.occupancies import House, Stay, months_on
from rentbilling.settlement.policy import SettlementPolicy
from rentbilling.settlement.sharing import SettledPool
from rentbilling.tables import Column, ResultSequence, Row, Tabular, columns, counted
from rentbilling.terms import AmountRecord, OneTimeBillItem
from rentbilling.values import (
    LAST_DAY,
    Amount,
    Notice,
    Period,
    Vat,
    day_in_month,
    decimal_of,
    divide_rounded,
    minor_units,
    month_index,
    month_start,
    plain_data,
    units_of,
)

Group = str | None


@dataclass(frozen=True, slots=True)
class StatementLine:
    """What one occupancy bears of a pool."""

    pool_id: str
    description: str | None
    group: Group
    occupancy_id: str
    unit_id: str
    days: Period
    """The days of the occupancy in the settled period."""
    pool_amount: Amount
    """The pool in the period, with its input VAT."""
    amount: Amount
    """The share; with input VAT where the lease is not charged with VAT (A81)."""
    uncut: Amount | None
    """The share without input VAT before a ceiling or factor; absent where none changed it."""
    labour: Amount | None
    """Wages in the share; shown, not charged."""


@dataclass(frozen=True, slots=True)
class Balance:
    """Share and advances of a group of pools, under one VAT."""

    group: Group
    vat: Vat
    days: Period
    """From the first to the last day of the lease in the period."""
    charged: Amount
    """The balance, or 0 where an extra charge is dropped because the statement is late (A84)."""
    share: Amount
    advances: Amount
    balance: Amount
    """Share less advances: above 0 the tenant pays, below 0 the tenant is paid."""


_LINES: Final = (
    *columns(text="pool description group occupancy unit", date="first_day last_day"),
    *columns(money="pool_amount share labour", text="currency"),
)


_SHOWN: Final = ("cost", "unit", "days", "total", "share")


class Statement(Tabular):
    """The statement of one lease; its rows are its lines."""

    def __init__(
        self,
        lease_id: str,
        stays: Sequence[Stay],
        pools: Sequence[SettledPool],
        house: House,
        balances: Sequence[Balance],
        notices: Sequence[Notice],
    ) -> None:
        self.lease_id = lease_id
        self.stays = tuple(stays)
        """Its occupancies in the period."""
        self.pools = tuple(pools)
        """The pools of the house."""
        self.house = house
        """The units and occupancies that the pools were shared among."""
        self.balances = tuple(balances)
        """Shares less advances, by group of pools and VAT."""
        self.notices = tuple(notices)

    @cached_property
    def lines(self) -> tuple[StatementLine, ...]:
        """Its shares: occupancy by occupancy, pools in the order of the settlement."""
        return tuple(
            self._line(stay, each)
            for stay in self.stays
            for each in self.pools
            if each.parts and any(stay.at in part.shares for part in each.parts)
        )

    def _line(self, stay: Stay, settled: SettledPool) -> StatementLine:
        pool, units = settled.pool, settled.shares[stay.at]
        labour = None
        if pool.labour is not None:
            exact = units_of(pool.labour) * settled.exact_share(stay) / (units_of(pool.amount) or 1)
            labour = self._amount(divide_rounded(*exact.as_integer_ratio()))
        before = settled.before.get(stay.at)
        return StatementLine(
            pool.id,
            pool.description,
            pool.group,
            stay.occupancy.id,
            stay.occupancy.unit,
            stay.period,
            self._amount(settled.total),
            self._amount(units + settled.vat.get(stay.at, 0)),
            None if before is None else self._amount(before),
            labour,
        )

    def _amount(self, units: int) -> Amount:
        return amount_of(units, self.house.settlement.currency)

    @property
    def share(self) -> Amount:
        """What the lease bears of all pools."""
        return sum((each.share for each in self.balances), self._amount(0))

    @property
    def advances(self) -> Amount:
        """What the lease paid in advance."""
        return sum((each.advances for each in self.balances), self._amount(0))

    @property
    def balance(self) -> Amount:
        """Share less advances: above 0 the tenant pays."""
        return sum((each.balance for each in self.balances), self._amount(0))

    @property
    def charged(self) -> Amount:
        """The balance without the extra charges that are dropped because it is late (A84)."""
        return sum((each.charged for each in self.balances), self._amount(0))

    def new_advances(
        self, start: date | str, *, policy: SettlementPolicy | None = None
    ) -> Mapping[Group, AmountRecord]:
        """Return the monthly advance of each group from a day on: its share of a full year (A92).

        A part of a year counts by its days over those of the year that begins with the period; a
        credit makes no advance.

        Raises:
            InvalidAmountError: The policy's step is no multiple of the minor unit.
        """
        days = sum(each.days for each in Period.joined(stay.period for stay in self.stays))
        first = self.house.settlement.period.first
        year = months_on(first, MONTHS) - first
        shares: dict[Group, int] = {}
        for each in self.balances:
            shares[each.group] = shares.get(each.group, 0) + units_of(each.share)
        rules, currency = policy or self.house.policy, self.house.settlement.currency
        return {
            group: AmountRecord(
                value=monthly(Fraction(max(units, 0) * year, days * MONTHS), currency, rules),
                start=start,
            )
            for group, units in shares.items()
        }

    def due_date(self, received_on: date | str, rents: Iterable[date] = ()) -> date:
        """Return when the balance is due, from the tenant's receipt and days of rent (A92).

        Raises:
            InvalidRecordError: The policy names a due rent, and there are not so many.
            UnsupportedCaseError: The day would be after 9999-12-31.
        """
        policy = self.house.policy
        refunded = self.charged.amount <= 0 and not policy.refund_waits
        received = Period(received_on, received_on).first
        months, days = (0, 0) if refunded else (policy.due_months, policy.due_days)
        index = month_index(received)
        day = day_in_month(index + months, received - month_start(index) + 1) + days
        wanted = min(policy.due_rents, 1) if refunded else policy.due_rents
        if day > LAST_DAY:
            raise UnsupportedCaseError("unsupported", case="a balance due after 9999-12-31")
        if not wanted:
            return date.fromordinal(day)
        later = sorted(each for each in set(rents) if each.toordinal() > day)
        if len(later) < wanted:
            said, expected = "are too few after the day", f"{wanted} after {date.fromordinal(day)}"
            raise InvalidRecordError.of("rents", "too_few_rents", said, len(later), expected)
        return later[wanted - 1]

    def items(
        self,
        due_date: date | str,
        *,
        product_key: str = "key:settlement",
        already_settled: Sequence[OneTimeBillItem] = (),
    ) -> tuple[OneTimeBillItem, ...]:
        """Return the items that bill the balances: none for 0, below 0 a credit (A82).

        Items of `already_settled` are taken off, so that a corrected statement bills the difference
        alone; where its VAT is another one, the earlier item is taken back. What a late statement
        drops is an extra charge above them.
        """
        nothing, currency = Decimal(0), self.house.settlement.currency
        before: dict[tuple[str, Vat], list[OneTimeBillItem]] = {}
        for item in already_settled:
            if f"{item.product_key}:".startswith(f"{product_key}:"):
                before.setdefault((item.product_key, item.vat), []).append(item)
        kinds: dict[tuple[str, Vat], list[Balance]] = {each: [] for each in before}
        by_group = self.house.policy.items == "group"
        for each in self.balances:
            key = f"{product_key}:{each.group}" if by_group and each.group else product_key
            kinds.setdefault((key, each.vat), []).append(each)
        found: list[OneTimeBillItem] = []
        for (key, vat), balances in kinds.items():
            billed = before.get((key, vat), [])
            earlier = sum((each.amount.amount * (each.quantity or 1) for each in billed), nothing)
            total = sum((each.charged.amount for each in balances), nothing)
            full = sum((each.balance.amount for each in balances), nothing)
            if billed and total != full:
                total = min(full, earlier)
            if total != earlier:
                days = [each.days for each in balances] or [billed[0].accounting_period]
                found.append(
                    OneTimeBillItem(
                        product_key=key,
                        amount=Amount.unchecked(total - earlier, currency),
                        vat=vat,
                        due_date=due_date,
                        accounting_period=days[0],
                    )
                )
        return tuple(found)

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of its rows."""
        return _LINES

    def rows(self) -> list[Row]:
        """Return a row for each line."""
        names = [column.name for column in _LINES]
        return [
            dict(
                zip(
                    names,
                    (
                        *(each.pool_id, each.description, each.group, each.occupancy_id),
                        *(each.unit_id, each.days.start, each.days.end, each.pool_amount.amount),
                        *(each.amount.amount, each.labour and each.labour.amount),
                        each.amount.currency,
                    ),
                    strict=True,
                )
            )
            for each in self.lines
        ]

    @property
    def remarks(self) -> Sequence[str]:
        """Share, advances, balance and what is lost in a sentence, and the notices."""
        whole = f"share {self.share}, advances {self.advances}, balance {self.balance}"
        if self.charged != self.balance:
            whole += f", {self.balance_words}"
        return (whole, *(each.message for each in self.notices))

    def _to_wire(self) -> dict[str, object]:
        sums = {"share": self.share, "advances": self.advances}
        due = {"balance": self.balance, "charged": self.charged}
        rows = {"lease": self.lease_id, **sums, **due, "lines": self.rows()}
        found: dict[str, object] = plain_data(rows)
        return found

    def __str__(self) -> str:
        rows = [f"{each.pool_id}: {each.amount} of {each.pool_amount}" for each in self.lines]
        return "\n".join([f"{self.lease_id}: {self.remarks[0]}", *(f"  {row}" for row in rows)])

    def __repr__(self) -> str:
        return f"<Statement {self.lease_id}: {self.remarks[0]}>"

    @property
    def balance_words(self) -> str:
        """What becomes of the balance."""
        if self.charged != self.balance:
            return f"late: {self.charged} charged"
        if not self.balance.amount:
            return "nothing to pay"
        return "to pay" if self.balance.amount > 0 else "to be paid back"

    def _repr_html_(self) -> str:
        """Return the statement as a notebook shows it: costs, advances, and what is left."""
        heads = [(name, name in ("total", "share")) for name in _SHOWN]
        lines = [
            [
                *(each.description or each.pool_id, each.unit_id, period_words(each.days)),
                *(figure(amount.amount) for amount in (each.pool_amount, each.amount)),
            ]
            for each in self.lines
        ]
        last = f"Balance {self.balance.currency}, {self.balance_words}"
        sums = [("Share", self.share), ("Advances", self.advances), (last, self.balance)]
        title = f"Statement of {self.lease_id}, {period_words(self.house.settlement.period)}"
        shown = [(name, figure(amount.amount)) for name, amount in sums]
        return html_bill(title, heads, lines, shown, note="; ".join(self.remarks[1:]))


def amount_of(units: int, currency: str) -> Amount:
    """Return minor units as an amount."""
    return Amount.unchecked(decimal_of(units, minor_units(currency)), currency)


@dataclass(frozen=True, slots=True)
class LeaseProblem:
    """A lease without a statement, and why."""

    lease_id: str
    problems: tuple[Problem, ...]

    def __str__(self) -> str:
        return "\n".join(f"{self.lease_id}: {each}" for each in self.problems)


@dataclass(frozen=True, slots=True)
class PoolTotal:
    """A pool, what tenants bear of it, and what the landlord bears, by reason."""

    pool_id: str
    total: Amount
    tenants: Amount
    landlord: Mapping[str, Amount]


class SettlementResult(ResultSequence[Statement], Tabular):
    """The statements of all leases by id, the problems, and what the landlord bears."""

    def __init__(
        self,
        house: House,
        statements: Sequence[Statement],
        pools: Sequence[SettledPool],
        problems: Sequence[LeaseProblem],
    ) -> None:
        self._house = house
        self._statements = tuple(statements)
        self._pools = tuple(pools)
        self.problems = tuple(problems)
        """Leases without a statement."""

    @property
    def parts(self) -> tuple[Statement, ...]:
        """The statements, by lease id."""
        return self._statements

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a person should look at: of the house, of pools, of leases; of all leases once."""
        found = [*self._house.notices]
        for pool in self._pools:
            found += pool.expenses.notices
            found += (notice for part in pool.parts for notice in part.weights.notices)
        own = [{notice._replace(item_id=None) for notice in each.notices} for each in self]
        of_all = set.intersection(*own) if len(own) > 1 else set[Notice]()
        for each in (notice for one in self for notice in one.notices):
            alike = each._replace(item_id=None)
            said = alike._replace(message=f"all leases: {each.message}")
            found.append(said if alike in of_all else each)
        return tuple(dict.fromkeys(found))

    @property
    def stopped(self) -> Mapping[Problem, Sequence[str]]:
        """Each problem once, with the leases that have no statement because of it (A114)."""
        found: dict[Problem, list[str]] = {}
        for each in self.problems:
            for problem in each.problems:
                found.setdefault(problem, []).append(each.lease_id)
        return found

    @property
    def policy(self) -> SettlementPolicy:
        """The policy by which it was settled."""
        return self._house.policy

    @property
    def deadlines(self) -> Deadlines:
        """The days of the country's preset; none without one (A84)."""
        settlement = self._house.settlement
        if settlement.country is None:
            return Deadlines(settlement.settled_by, None, None)
        found = settlement.country.deadlines(settlement.period)
        return found._replace(settled_by=settlement.deadline)

    def of(self, lease_id: str) -> Statement:
        """Return the statement of a lease.

        Raises:
            LookupError: It has none.
        """
        found = [each for each in self if each.lease_id == lease_id]
        if not found:
            raise LookupError(f"no statement of {lease_id}")
        return found[0]

    @cached_property
    def shares(self) -> Mapping[str, Amount]:
        """What each occupancy bears of all pools, also the landlord's, by its id."""
        currency = self._house.settlement.currency
        return {
            stay.occupancy.id: amount_of(
                sum(each.shares[stay.at] + each.vat.get(stay.at, 0) for each in self._pools),
                currency,
            )
            for stay in self._house.stays
        }

    @cached_property
    def pools(self) -> tuple[PoolTotal, ...]:
        """Each pool that was shared: its total is what tenants and landlord bear."""
        currency = self._house.settlement.currency
        return tuple(
            PoolTotal(
                each.pool.id,
                amount_of(each.total, currency),
                amount_of(each.tenants, currency),
                {reason: amount_of(units, currency) for reason, units in each.landlord.items()},
            )
            for each in self._pools
        )

    @property
    def landlord(self) -> Amount:
        """What the landlord bears of all pools."""
        return sum(
            (part for each in self.pools for part in each.landlord.values()),
            amount_of(0, self._house.settlement.currency),
        )

    def _to_wire(self) -> dict[str, object]:
        pools = [
            {"pool": each.pool_id, "total": each.total, "landlord": dict(each.landlord)}
            for each in self.pools
        ]
        problems = [
            {**problem._asdict(), "leases": leases} for problem, leases in self.stopped.items()
        ]
        found: dict[str, object] = plain_data(
            {"statements": [*self], "pools": pools, "problems": problems}
        )
        return found

    def __str__(self) -> str:
        """Return the statements, the problems and what the landlord bears."""
        bears = "" if not self.landlord.amount else f"landlord: {self.landlord}"
        return "\n".join(str(each) for each in (*self, *self.problem_lines(), bears) if each)

    def problem_lines(self, lease_id: str | None = None) -> Sequence[str]:
        """Return a line for each problem, of all leases or of one, with the leases it stops."""
        return [
            f"{', '.join(leases)}: {problem}"
            for problem, leases in self.stopped.items()
            if lease_id is None or lease_id in leases
        ]

    def __repr__(self) -> str:
        statements, problems = (
            counted(len(self), "statement"),
            counted(len(self.problems), "problem"),
        )
        return f"<SettlementResult {statements}, {problems}>"

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of its rows."""
        return (*columns(text="lease", money="share advances balance"), Column("currency"))

    def rows(self) -> list[Row]:
        """Return a row for each statement."""
        return [
            {
                "lease": each.lease_id,
                "share": each.share.amount,
                "advances": each.advances.amount,
                "balance": each.balance.amount,
                "currency": each.share.currency,
            }
            for each in self
        ]
