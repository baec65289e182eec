"""What comes of a settlement: statements, and what the landlord bears.

Law: each pool is what tenants and landlord bear of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rentbilling.errors import RentBillingError
from rentbilling.settlement.countries import Deadlines
from rentbilling.settlement.occupancies import House
from rentbilling.settlement.policy import SettlementPolicy
from rentbilling.settlement.sharing import SettledPool
from rentbilling.settlement.statements import Statement
from rentbilling.tables import Column, ResultSequence, Row, Table, Tabular, columns, counted
from rentbilling.values import Amount, Notice, Period, amount_of, plain_data


@dataclass(frozen=True, slots=True)
class PoolTotal:
    """A pool, what tenants bear of it, and what the landlord bears, by reason."""

    pool_id: str
    total: Amount
    tenants: Amount
    landlord: Mapping[str, Amount]


class SettlementResult(ResultSequence[Statement], Tabular):
    """The statements of all leases by id, and what the landlord bears."""

    def __init__(
        self, house: House, statements: Sequence[Statement], pools: Sequence[SettledPool]
    ) -> None:
        self._house = house
        self._statements = tuple(statements)
        self._pools = tuple(pools)

    @property
    def parts(self) -> tuple[Statement, ...]:
        """The statements, by lease id."""
        return self._statements

    @property
    def currency(self) -> str:
        """The currency of all amounts."""
        return self._house.settlement.currency

    @property
    def period(self) -> Period:
        """The settled days."""
        return self._house.settlement.period

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
    def policy(self) -> SettlementPolicy:
        """The policy by which it was settled."""
        return self._house.policy

    @property
    def deadlines(self) -> Deadlines:
        """The days of the country's preset; none without one (A84)."""
        settlement = self._house.settlement
        if settlement.country is None:
            return Deadlines(settlement.settled_by)
        found = settlement.country.deadlines(settlement.period)
        return found._replace(settled_by=settlement.deadline)

    def of(self, lease_id: str) -> Statement:
        """Return the statement of a lease.

        Raises:
            LookupError: It has none.
        """
        found = [each for each in self if each.lease_id == lease_id]
        if not found:
            known = ", ".join(each.lease_id for each in self) or "no lease"
            raise LookupError(f"no statement of {lease_id}: there are statements of {known}")
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
        """Each pool: its total is what tenants and landlord bear."""
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
        found: dict[str, object] = plain_data({"statements": [*self], "pools": pools})
        return found

    def __str__(self) -> str:
        """Return the statements and what the landlord bears."""
        bears = "" if not self.landlord.amount else f"landlord: {self.landlord}"
        return "\n".join(str(each) for each in (*self, bears) if each)

    def __repr__(self) -> str:
        return f"<SettlementResult {counted(len(self), 'statement')}>"

    @property
    def columns(self) -> Sequence[Column]:
        return _LEASES

    def rows(self) -> list[Row]:
        values = [
            (each.lease_id, *(getattr(each, of).amount for of in _SUMS), each.share.currency)
            for each in self
        ]
        return Table(_LEASES, values).rows()


@dataclass(frozen=True, slots=True)
class HouseProblem:
    """A house that is not settled, and why."""

    house_id: str
    """Its id; without one its place, such as `houses[3]`."""
    error: RentBillingError

    def __str__(self) -> str:
        return "\n".join(f"{self.house_id}: {each}" for each in str(self.error).splitlines())


_HOUSES: Final = (
    *columns(text="house period", whole="statements"),
    *columns(money="costs tenants landlord advances balance", text="currency"),
)
_SUMS: Final = ("share", "advances", "balance")
_LEASES: Final = (*columns(text="lease", money=" ".join(_SUMS)), Column("currency"))
_STATEMENTS: Final = (*columns(text="house period"), *_LEASES)


class SettledHouses(ResultSequence[SettlementResult], Tabular):
    """The settlements of many houses; its rows are a row for each (A122)."""

    def __init__(
        self, results: Mapping[str, SettlementResult], problems: Sequence[HouseProblem]
    ) -> None:
        self._results = {**results}
        self.problems = tuple(problems)
        """Houses that are not settled."""

    @property
    def parts(self) -> tuple[SettlementResult, ...]:
        """The settlements, in the order of the houses."""
        return tuple(self._results.values())

    @property
    def columns(self) -> Sequence[Column]:
        return _HOUSES

    def rows(self) -> list[Row]:
        """Return a row for each house: its costs, who bears them, and what leases have to pay."""
        found = []
        for name, each in self._results.items():
            nothing = amount_of(0, each.currency)
            sums = (
                sum((pool.total for pool in each.pools), nothing),
                sum((pool.tenants for pool in each.pools), nothing),
                each.landlord,
                *(sum((getattr(one, of) for one in each), nothing) for of in _SUMS[1:]),
            )
            cells = (name, str(each.period), len(each))
            found.append((*cells, *(one.amount for one in sums), each.currency))
        return Table(_HOUSES, found).rows()

    @property
    def statements(self) -> Table:
        """The statements of all houses, a row for each."""
        rows = [
            (name, str(each.period), *row.values())
            for name, each in self._results.items()
            for row in each.rows()
        ]
        return Table(_STATEMENTS, rows)

    def of(self, house_id: str) -> SettlementResult:
        """Return the settlement of a house.

        Raises:
            LookupError: It has none.
        """
        if house_id not in self._results:
            wrong = [str(each.error) for each in self.problems if each.house_id == house_id]
            known = ", ".join(self._results) or "no house"
            why = "\n".join(wrong) or f"there are settlements of {known}"
            raise LookupError(f"no settlement of {house_id}: {why}")
        return self._results[house_id]

    def _to_wire(self) -> dict[str, object]:
        houses = [{"house": name, **each._to_wire()} for name, each in self._results.items()]
        problems = [
            {"house": each.house_id, "code": each.error.code, "messages": str(each).splitlines()}
            for each in self.problems
        ]
        found: dict[str, object] = plain_data({"houses": houses, "problems": problems})
        return found

    def __str__(self) -> str:
        return "\n".join(
            [
                str(Table(_HOUSES, [[*row.values()] for row in self.rows()])),
                *map(str, self.problems),
            ]
        )

    def __repr__(self) -> str:
        settled, wrong = counted(len(self), "house"), counted(len(self.problems), "problem")
        return f"<SettledHouses {settled}, {wrong}>"
