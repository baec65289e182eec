"""Settle the costs of a house: pools, keys and days become a statement for each lease."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rentbilling.errors import (
    InvalidInputError,
    Problem,
    shown,
)
from rentbilling.settlement.advances import advance_total
from rentbilling.settlement.occupancies import Advance, House, Settlement, Stay, house_of
from rentbilling.settlement.policy import DEFAULT, SettlementPolicy
from rentbilling.settlement.sharing import (
    PoolSharer,
    SettledPool,
    bear_input_vat,
    failed_units,
    is_taxed,
    limit_lease,
)
from rentbilling.settlement.statements import (
    EXEMPT,
    Balance,
    Group,
    LeaseProblem,
    SettlementResult,
    Statement,
    amount_of,
)
from rentbilling.values import Amount, Notice, Period, Vat, units_of


def settle(settlement: Settlement, *, policy: SettlementPolicy | None = None) -> SettlementResult:
    """Return a statement for each lease, and what the landlord bears of each pool.

    Args:
        settlement: Pools, units, occupancies, readings and advances of one period.
        policy: Instead of that of the settlement.

    Returns:
        The statements by lease id. A lease whose own facts are wrong, and each lease of a pool that
        cannot be shared, is among the problems instead.

    Raises:
        TypeError: It is no `Settlement`.

    Examples:
        Two tenants of one flat, 181 and 184 days of a year:

        >>> from rentbilling import Amount
        >>> from rentbilling.settlement import CostPool, Occupancy, PoolPart, SettlementUnit
        >>> year = Settlement(
        ...     period="2025",
        ...     currency="EUR",
        ...     pools=[
        ...         CostPool(id="garden", amount=Amount(1000, "EUR"), parts=[PoolPart(key="area")])
        ...     ],
        ...     units=[SettlementUnit(id="u1", values={"area": 100})],
        ...     occupancies=[
        ...         Occupancy(id="t1", unit="u1", last_day="2025-06-30"),
        ...         Occupancy(id="t2", unit="u1", first_day="2025-07-01"),
        ...     ],
        ... )
        >>> [str(each.share) for each in settle(year)]
        ['495.89 EUR', '504.11 EUR']
    """
    if not isinstance(settlement, Settlement):
        said = "loads(text, Settlement) reads one"
        raise TypeError(f"settle takes a Settlement, not {shown(settlement)}; {said}")
    house = house_of(settlement, policy or settlement.policy or DEFAULT)
    pools, stopped, unseen = _shared(house)
    problems: dict[str, list[Problem]] = {}
    leases = _leases(house)
    advances = _advances(settlement)
    for lease, stays in leases.items():
        found = [each for stay in stays for each in stopped.get(stay.occupancy.unit, ())]
        found += _own_problems(settlement, stays, advances)
        if found:
            problems[lease] = list(dict.fromkeys(found))
        else:
            limit_lease(stays, pools)
    for each in pools:
        bear_input_vat(each, house.stays)
    statements = [
        _statement(lease, stays, pools, house, advances)
        for lease, stays in leases.items()
        if lease not in problems
    ]
    left = [LeaseProblem(lease, tuple(found)) for lease, found in problems.items()]
    house = replace(house, notices=(*house.notices, *unseen))
    return SettlementResult(house, statements, pools, left)


def _shared(
    house: House,
) -> tuple[list[SettledPool], Mapping[str, Sequence[Problem]], Sequence[Notice]]:
    """Return the pools that are shared, what stops the leases of a unit, and what stops none."""
    sharer = PoolSharer(house)
    pools: list[SettledPool] = []
    stopped: dict[str, list[Problem]] = {}
    unseen: list[Notice] = []
    for at, pool in enumerate(house.settlement.pools):
        try:
            pools.append(sharer.shared(pool))
        except InvalidInputError as error:
            problems = error.under(f"pools[{at}]").problems
            failed = failed_units(house, pool)
            for unit in failed:
                stopped.setdefault(unit, []).extend(problems)
            if all(stay.reason for unit in failed for stay in house.stays_of[unit]):
                unseen += (Notice("pool_not_shared", str(each), pool.id) for each in problems)
    return pools, stopped, unseen


def _leases(house: House) -> dict[str, list[Stay]]:
    """Return the stays of each lease, by lease id."""
    found: dict[str, list[Stay]] = {}
    for stay in house.stays:
        if stay.reason is None:
            found.setdefault(stay.occupancy.lease or stay.occupancy.id, []).append(stay)
    return dict(sorted(found.items()))


def _advances(settlement: Settlement) -> Mapping[str, Sequence[tuple[int, Advance]]]:
    found: dict[str, list[tuple[int, Advance]]] = {}
    for at, each in enumerate(settlement.advances):
        found.setdefault(each.occupancy, []).append((at, each))
    return found


def _own_problems(
    settlement: Settlement,
    stays: Sequence[Stay],
    advances: Mapping[str, Sequence[tuple[int, Advance]]],
) -> list[Problem]:
    """Return what is wrong with a lease alone: a currency, a VAT mode, an advance."""
    found: list[Problem] = []
    for stay in stays:
        occupancy, path = stay.occupancy, f"occupancies.{stay.occupancy.id}"
        if occupancy.vat is not None and occupancy.vat.tax_mode == "Inclusive":
            said, expected = "is Inclusive", "Exclusive: shares and advances without VAT"
            found.append(Problem(f"{path}.vat", "inclusive_vat", said, "Inclusive", expected))
        amounts = [
            (f"{path}.{name}", amount)
            for name, _, each in occupancy.limits
            for amount in (each.amount, getattr(each, "carried", None))
        ]
        for at, advance in advances.get(occupancy.id, ()):
            given = (advance.total, advance.monthly, advance.yearly)
            amounts += [(f"advances[{at}]", each) for each in given]
            amounts += [(f"advances[{at}].records", each.value) for each in advance.records]
        for where, amount in amounts:
            if amount is not None:
                found += _amount_problems(amount, where, settlement.currency)
        if not found:
            for _, advance in advances.get(occupancy.id, ()):
                try:
                    advance_total(advance, stay.period)
                except InvalidInputError as error:
                    found += error.problems
    return found


def _amount_problems(amount: Amount, path: str, currency: str) -> list[Problem]:
    """Return what is wrong with an amount of a lease: another currency, or too many decimals."""
    if amount.currency != currency:
        met, said = shown(amount.currency), "is another currency"
        return [Problem(path, "currency_mismatch", said, met, currency)]
    try:
        units_of(amount)
    except InvalidInputError as error:
        return [*error.under(path).problems]
    return []


def _statement(
    lease: str,
    stays: Sequence[Stay],
    pools: Sequence[SettledPool],
    house: House,
    advances: Mapping[str, Sequence[tuple[int, Advance]]],
) -> Statement:
    """Return the statement of a lease whose facts are right."""
    settlement = house.settlement
    shares: dict[tuple[Group, Vat], int] = {}
    paid: dict[tuple[Group, Vat], int] = {}
    own = [(stay, each) for stay in stays for _, each in advances.get(stay.occupancy.id, ())]
    groups = {each.group for _, each in own}
    notices: list[Notice] = []
    for stay in stays:
        vat = stay.occupancy.vat if is_taxed(stay) and stay.occupancy.vat else EXEMPT
        for each in pools:
            named = house.policy.items == "group" or each.pool.group in groups
            group = each.pool.group if named else None
            units = each.shares[stay.at] + each.vat.get(stay.at, 0)
            shares[group, vat] = shares.get((group, vat), 0) + units
        if stay.occupancy.estimated:
            said = "consumption is an estimate"
            notices.append(Notice("estimated_consumption", said, stay.occupancy.id))
    for stay, advance in own:
        vat = stay.occupancy.vat if is_taxed(stay) and stay.occupancy.vat else EXEMPT
        units = units_of(advance_total(advance, stay.period))
        paid[advance.group, vat] = paid.get((advance.group, vat), 0) + units
    if not any(paid.values()):
        notices.append(Notice("no_advances", "no advances", lease))
    days = Period.unchecked(min(s.period.first for s in stays), max(s.period.last for s in stays))
    late = _is_late(settlement)
    balances = []
    for group, vat in {**shares, **paid}:
        share, before = shares.get((group, vat), 0), paid.get((group, vat), 0)
        dropped = late and house.policy.late == "drop_extra_charge" and share > before
        amounts = (amount_of(each, settlement.currency) for each in (share, before, share - before))
        charged = amount_of(0 if dropped else share - before, settlement.currency)
        balances.append(Balance(group, vat, days, charged, *amounts))
    if late:
        said = f"made on {settlement.known_on}, after {settlement.settled_by}"
        notices.append(Notice("late_statement", said, lease))
    return Statement(lease, stays, pools, house, balances, notices)


def _is_late(settlement: Settlement) -> bool:
    known, until = settlement.known_on, settlement.settled_by
    return known is not None and until is not None and known > until
