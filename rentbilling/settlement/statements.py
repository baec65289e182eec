"""Statements: what each lease bears, what it paid, and what is left; and who bore the rest.

Law: a statement computes nothing of a share; it shows what the pools were shared into.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Final

from rentbilling.errors import (
    CurrencyMismatchError,
    InvalidAmountError,
    InvalidRecordError,
    Problem,
    UnsupportedCaseError,
    shown,
)
from rentbilling.layout import figure, html_bill, period_words
from rentbilling.settlement.advances import MONTHS, monthly
from rentbilling.settlement.occupancies import House, Stay
from rentbilling.settlement.policy import SettlementPolicy
from rentbilling.settlement.sharing import SettledPool
from rentbilling.tables import Column, Row, Table, Tabular, columns
from rentbilling.terms import AmountRecord, OneTimeBillItem
from rentbilling.values import (
    LAST_DAY,
    Amount,
    Notice,
    Period,
    Vat,
    amount_of,
    day_of,
    divide_rounded,
    minor_units,
    months_later,
    plain_data,
    rounded,
    share_out,
    units_of,
)

Group = str | None
_NOTHING: Final = Decimal(0)


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


@dataclass(frozen=True, slots=True)
class UnusedCeiling:
    """What is left below a ceiling, which may be `carried` by that of the next year (A121)."""

    occupancy_id: str
    """The occupancy that states it."""
    pools: tuple[str, ...]
    """The pools that it limits; none: all."""
    amount: Amount


_LINES: Final = (
    *columns(text="pool description group occupancy unit", date="first_day last_day"),
    *columns(money="pool_amount share labour", text="currency"),
)


_MOST_INSTALMENTS: Final = 120
_SHOWN: Final = ("cost", "unit", "days", "total", "share")


@dataclass(eq=False, repr=False)
class Statement(Tabular):
    """The statement of one lease; its rows are its lines."""

    lease_id: str
    stays: tuple[Stay, ...]
    """Its occupancies in the period."""
    pools: tuple[SettledPool, ...]
    """The pools of the house."""
    house: House
    """The units and occupancies that the pools were shared among."""
    balances: tuple[Balance, ...]
    """Shares less advances, by group of pools and VAT."""
    notices: tuple[Notice, ...]
    unused_ceilings: tuple[UnusedCeiling, ...]

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
            labour = self._amount(exact)
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

    def _amount(self, units: Fraction | int) -> Amount:
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
        year = months_later(first, MONTHS) - first
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

    def due_date(
        self, received_on: date | str, rents: Iterable[date] = (), *, charged: Amount | None = None
    ) -> date:
        """Return when the balance is due, from the tenant's receipt and days of rent (A92).

        Of a corrected statement `charged` is the difference, which may be a refund alone.

        Raises:
            InvalidRecordError: The policy names a due rent, and there are not so many.
            UnsupportedCaseError: The day would be after 9999-12-31.
        """
        policy = self.house.policy
        refunded = (charged or self.charged).amount <= 0 and not policy.refund_waits
        received = Period(received_on, received_on).first
        months, days = (0, 0) if refunded else (policy.due_months, policy.due_days)
        day = months_later(received, months) + days
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
        instalments: int = 1,
    ) -> tuple[OneTimeBillItem, ...]:
        """Return the items that bill the balances: none for 0, below 0 a credit (A82).

        An extra charge may be due in monthly instalments, the first on the due date (A120).

        Items of `already_settled` are taken off, so that a corrected statement bills the difference
        alone; where its VAT is another one, the earlier item is taken back. What a late statement
        drops is an extra charge above those of the product, whatever their VAT.

        Raises:
            CurrencyMismatchError: An earlier item is in another currency.
            InvalidAmountError: There are no instalments, or more than 120.
            UnsupportedCaseError: An instalment would be due after 9999-12-31; or a late correction
                drops the extra charge of one of several groups that share an item.
        """
        if type(instalments) is not int or not 1 <= instalments <= _MOST_INSTALMENTS:
            said, expected = "is no number of instalments", f"1 to {_MOST_INSTALMENTS}"
            problem = Problem("instalments", "out_of_range", said, shown(instalments), expected)
            raise InvalidAmountError((problem,))
        currency = self.house.settlement.currency
        before: dict[tuple[str, Vat], list[OneTimeBillItem]] = {}
        for at, item in enumerate(already_settled):
            if f"{item.product_key}:".startswith(f"{product_key}:"):
                if item.amount.currency != currency:
                    path, met = f"already_settled[{at}].amount", item.amount.currency
                    said = "is in another currency"
                    raise CurrencyMismatchError.of(path, "currency_mismatch", said, met, currency)
                before.setdefault((item.product_key, item.vat), []).append(item)
        kinds: dict[tuple[str, Vat], list[Balance]] = {each: [] for each in before}
        by_group = self.house.policy.items == "group"
        for each in self.balances:
            key = f"{product_key}:{each.group}" if by_group and each.group else product_key
            kinds.setdefault((key, each.vat), []).append(each)
        found: list[OneTimeBillItem] = []
        places = minor_units(currency)
        earlier = {kind: _billed(items, places) for kind, items in before.items()}
        totals = {
            kind: sum((each.charged.amount for each in balances), _NOTHING)
            for kind, balances in kinds.items()
        }
        if self.house.is_late and self.house.policy.late == "drop_extra_charge":
            for key in {key for key, _ in before}:
                self._limit_late(
                    totals,
                    {kind: balances for kind, balances in kinds.items() if kind[0] == key},
                    {kind: amount for kind, amount in earlier.items() if kind[0] == key},
                )
        for (key, vat), balances in kinds.items():
            days = [each.days for each in balances] or [before[key, vat][0].accounting_period]
            due = Amount.unchecked(totals[key, vat] - earlier.get((key, vat), _NOTHING), currency)
            found += (
                OneTimeBillItem(
                    product_key=key,
                    amount=amount,
                    vat=vat,
                    due_date=day,
                    accounting_period=days[0],
                )
                for day, amount in _instalments(due, due_date, instalments)
            )
        return tuple(found)

    def _limit_late(
        self,
        totals: dict[tuple[str, Vat], Decimal],
        kinds: Mapping[tuple[str, Vat], Sequence[Balance]],
        earlier: Mapping[tuple[str, Vat], Decimal],
    ) -> None:
        """Let a late correction charge up to what a product's earlier items did, for each VAT.

        What is lost comes off the VATs in proportion to their charges, else to their credits; where
        nothing is due, what was refunded before stays (A84).
        """
        listed = [each for balances in kinds.values() for each in balances]
        full = {
            kind: sum((each.balance.amount for each in balances), _NOTHING)
            for kind, balances in kinds.items()
        }
        lost = max(sum(full.values(), _NOTHING) - sum(earlier.values(), _NOTHING), _NOTHING)
        if not lost and all(each.charged == each.balance for each in listed):
            return
        if len({each.group for each in listed if each.balance.amount}) > 1:
            case = "a late correction of groups that share an item: bill it by an item of your own"
            raise UnsupportedCaseError("unsupported", case=case)
        above = [max(each, _NOTHING) for each in full.values()]
        if not any(above):
            above = [abs(each) for each in full.values()]
        if not any(above):
            totals.update(earlier)
            return
        dropped = share_out(Amount.unchecked(lost, self.house.settlement.currency), above)
        for (kind, amount), part in zip(full.items(), dropped, strict=True):
            totals[kind] = amount - part.amount

    @property
    def columns(self) -> Sequence[Column]:
        return _LINES

    def rows(self) -> list[Row]:
        values = [
            (
                *(each.pool_id, each.description, each.group, each.occupancy_id, each.unit_id),
                *(each.days.start, each.days.end, each.pool_amount.amount, each.amount.amount),
                *(each.labour and each.labour.amount, each.amount.currency),
            )
            for each in self.lines
        ]
        return Table(_LINES, values).rows()

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
        if self.unused_ceilings:
            rows["unused_ceilings"] = [
                {"occupancy": each.occupancy_id, "pools": each.pools, "amount": each.amount}
                for each in self.unused_ceilings
            ]
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


def _billed(items: Iterable[OneTimeBillItem], places: int) -> Decimal:
    """Return what items came to on their lines, each rounded (A3)."""
    lines = (rounded(each.amount.amount * (each.quantity or 1), places) for each in items)
    return sum(lines, _NOTHING)


def _instalments(due: Amount, first: date | str, count: int) -> Iterator[tuple[date | str, Amount]]:
    """Give the parts of a charge month by month, by running totals; a credit is one (A120)."""
    if count == 1 or due.amount < 0:
        if due.amount:
            yield first, due
        return
    units, day = units_of(due), day_of(first, "due_date")
    for at in range(count):
        month = months_later(day, at)
        if month > LAST_DAY:
            raise UnsupportedCaseError("unsupported", case="an instalment due after 9999-12-31")
        before, after = (divide_rounded(units * part, count) for part in (at, at + 1))
        if after != before:
            yield date.fromordinal(month), amount_of(after - before, due.currency)
