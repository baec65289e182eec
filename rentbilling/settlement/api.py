"""Settle the costs of a house: pools, keys and days become a statement for each lease."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    Problem,
    Refusals,
    RentBillingError,
    other_currency,
    shown,
)
from rentbilling.settlement.advances import advance_total
from rentbilling.settlement.countries import SettlementPreset, months_before
from rentbilling.settlement.occupancies import Advance, House, Settlement, Stay, house_of
from rentbilling.settlement.policy import SettlementPolicy
from rentbilling.settlement.results import HouseProblem, SettledHouses, SettlementResult
from rentbilling.settlement.sharing import (
    Place,
    PoolSharer,
    SettledPool,
    bear_input_vat,
    limit_lease,
)
from rentbilling.settlement.statements import Balance, Group, Statement, UnusedCeiling
from rentbilling.values import Amount, Notice, Period, Vat, amount_of, share_units, units_of


def settle(settlement: Settlement, *, policy: SettlementPolicy | None = None) -> SettlementResult:
    """Return a statement for each lease, and what the landlord bears of each pool.

    Args:
        settlement: Pools, units, occupancies, readings and advances of one period.
        policy: Instead of that of the settlement.

    Returns:
        The statements by lease id.

    Raises:
        InvalidInputError: A pool cannot be shared, or the facts of a lease are wrong; with the
            problems of all of them (A86).
        UnsupportedCaseError: A deadline of the preset would be after 9999-12-31.
        TypeError: It is no `Settlement`, or the policy no `SettlementPolicy`.

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
    if policy is not None and not isinstance(policy, SettlementPolicy):
        raise TypeError(f"a policy is a SettlementPolicy or None, not {shown(policy)}")
    house = house_of(settlement, policy or settlement.rules)
    leases = _leases(house)
    pools = _shared(house, leases)
    unused: dict[str, Sequence[UnusedCeiling]] = {}
    for lease, stays in leases.items():
        lump = [place for stay in stays for place in _lump_places(stay, pools, house)]
        unused[lease] = [
            UnusedCeiling(stay.occupancy.id, limit.pools, amount_of(left, settlement.currency))
            for limit, stay, left in limit_lease(stays, pools, lump)
        ]
    for each in pools:
        bear_input_vat(each, house.stays)
    statements = [
        _statement(lease, tuple(stays), tuple(pools), house, tuple(unused[lease]))
        for lease, stays in leases.items()
    ]
    house = replace(house, notices=(*house.notices, *_of_country(house)))
    return SettlementResult(house, statements, pools)


def settle_houses(
    houses: Iterable[Settlement | Mapping[str, Any]], *, policy: SettlementPolicy | None = None
) -> SettledHouses:
    """Settle many houses; one that is refused, or there twice, stops no other (A122).

    Args:
        houses: Settlements, or what JSON has of them as dicts.
        policy: Instead of that of each.

    Raises:
        TypeError: One is neither, or the policy is none.

    Examples:
        >>> from rentbilling.settlement import CostPool, Occupancy, PoolPart, SettlementUnit
        >>> one = Settlement(
        ...     id="one",
        ...     period="2025",
        ...     currency="EUR",
        ...     pools=[CostPool(id="tax", amount=Amount(90, "EUR"), parts=[PoolPart(key="units")])],
        ...     units=[SettlementUnit(id="a")],
        ...     occupancies=[Occupancy(id="t", unit="a")],
        ... )
        >>> found = settle_houses([one, one.evolve(id="two", currency="EUR"), {"id": "three"}])
        >>> print(found.statements)
        house  period                 lease  share  advances  balance  currency
        one    2025-01-01/2025-12-31  t      90.00      0.00    90.00  EUR
        two    2025-01-01/2025-12-31  t      90.00      0.00    90.00  EUR
        >>> [(each.house_id, each.error.code) for each in found.problems]
        [('three', 'missing')]
    """
    results: dict[str, SettlementResult] = {}
    problems: list[HouseProblem] = []
    seen = set[str]()
    for at, given in enumerate(houses):
        stated = given.get("id") if isinstance(given, Mapping) else getattr(given, "id", None)
        name = stated if isinstance(stated, str) and stated else f"houses[{at}]"
        try:
            house = Settlement.model_validate(given) if isinstance(given, Mapping) else given
            if name in seen:
                said, expected = "is there twice", "an id for each settlement"
                raise InvalidRecordError.of("id", "duplicate_id", said, name, expected)
            results[name] = settle(house, policy=policy)
        except RentBillingError as error:
            problems.append(HouseProblem(name, error))
        seen.add(name)
    return SettledHouses(results, problems)


def _shared(house: House, leases: Mapping[str, Sequence[Stay]]) -> list[SettledPool]:
    """Return the pools as they are shared; refuse what is wrong with any pool or lease (A86)."""
    sharer, refused = PoolSharer(house), Refusals()
    pools: list[SettledPool] = []
    for at, pool in enumerate(house.settlement.pools):
        try:
            pools.append(sharer.shared(pool))
        except InvalidInputError as error:
            refused.add(error, f"pools[{at}]")
    for stays in leases.values():
        for wrong in dict.fromkeys(_own_problems(house, stays)):
            refused.add(wrong)
    refused.finish()
    return pools


def _leases(house: House) -> dict[str, list[Stay]]:
    """Return the stays of each lease, by lease id."""
    found: dict[str, list[Stay]] = {}
    for stay in house.stays:
        if stay.reason is None:
            found.setdefault(stay.occupancy.lease or stay.occupancy.id, []).append(stay)
    return dict(sorted(found.items()))


def _own_problems(house: House, stays: Sequence[Stay]) -> list[InvalidInputError]:
    """Return what is wrong with a lease alone: a currency, a VAT mode, an advance."""
    found: list[InvalidInputError] = []
    for stay in stays:
        occupancy, path = stay.occupancy, f"occupancies.{stay.occupancy.id}"
        own = house.advances.get(occupancy.id, ())
        found += _vat_problems(stay, path)
        amounts = [
            (f"{path}.{name}", amount)
            for name, _, each in occupancy.limits
            for amount in (each.amount, getattr(each, "carried", None))
        ]
        for at, advance in own:
            given = (advance.total, advance.monthly, advance.yearly)
            amounts += [(at, each) for each in given]
            amounts += [(f"{at}.records", each.value) for each in advance.records]
        for where, amount in amounts:
            if amount is not None:
                found += _amount_problems(amount, where, house.settlement.currency)
        twice = {each.group for _, each in own if each.lump_sum}
        for at, each in own:
            if each.group in twice and not each.lump_sum:
                said, expected = "is of a group that a lump sum pays", "lump sums or advances"
                found.append(_wrong(f"{at}.lumpSum", "one_of_two", said, "both", expected))
        if not found:
            dated = house.policy.settlement_rate == "advances" and len(stay.vats) > 1
            found += (each for at, paid in own for each in _paid_problems(stay, at, paid, dated))
    return found


def _wrong(*facts: str) -> InvalidRecordError:
    return InvalidRecordError((Problem(*facts),))


def _vat_problems(stay: Stay, path: str) -> Iterator[InvalidInputError]:
    modes = {vat.tax_mode for vat, _ in stay.vats}
    if "Inclusive" in modes:
        said, expected = "is Inclusive", "Exclusive: shares and advances without VAT"
        yield _wrong(f"{path}.vat", "inclusive_vat", said, "Inclusive", expected)
    elif "Exempt" in modes and len(modes) > 1:
        said, expected = "are exempt and taxed", "an occupancy for each"
        met = ", ".join(sorted(modes))
        yield _wrong(f"{path}.vat_records", "vat_mode_changes", said, met, expected)


def _paid_problems(
    stay: Stay,
    at: str,
    paid: Advance,
    dated: bool,  # noqa: FBT001
) -> Iterator[InvalidInputError]:
    """Give why an advance cannot be counted, or not by the days on which it was paid."""
    try:
        advance_total(paid, stay.period)
    except InvalidInputError as error:
        yield error
    if dated and paid.vat is not None:
        rates = [vat for vat, _ in stay.vats]
        if paid.vat not in rates:
            said, expected = "is another VAT", " or ".join(map(_of_vat, rates))
            met = _of_vat(paid.vat)
            yield _wrong(f"{at}.vat", "unknown_id", said, met, expected)
    elif dated and (paid.total is not None or paid.months is not None):
        said, expected = "does not say when it was paid", "its vat, or amounts by month or year"
        met = "total" if paid.total is not None else "months"
        yield _wrong(at, "advance_without_days", said, met, expected)


def _of_vat(vat: Vat) -> str:
    return vat.tax_mode if vat.tax_rate is None else f"{vat.tax_mode} {_percent(vat.tax_rate)}"


def _amount_problems(amount: Amount, path: str, currency: str) -> Iterator[InvalidInputError]:
    """Give what is wrong with an amount of a lease: another currency, or too many decimals."""
    if amount.currency != currency:
        yield other_currency(path, amount.currency, currency)
        return
    try:
        units_of(amount)
    except InvalidInputError as error:
        yield error.under(path)


def _statement(
    lease: str,
    stays: tuple[Stay, ...],
    pools: tuple[SettledPool, ...],
    house: House,
    unused: tuple[UnusedCeiling, ...],
) -> Statement:
    """Return the statement of a lease whose facts are right."""
    settlement = house.settlement
    shares: dict[tuple[Group, Vat], int] = {}
    paid: dict[tuple[Group, Vat], int] = {}
    paid_in = [each for stay in stays for each in house.advances_of(stay)]
    groups = {each.group for each in paid_in}
    by_group = house.policy.items == "group"
    notices: list[Notice] = []
    for stay in stays:
        own = [each for each in house.advances_of(stay) if not each.lump_sum]
        notices += _lump_sums(stay, pools, house)
        lump = {*_lump_places(stay, pools, house)}
        shared = [
            (
                pool.pool.group if by_group or pool.pool.group in groups else None,
                pool.shares[stay.at] + pool.vat.get(stay.at, 0),
            )
            for pool in pools
            if not lump or (pool.pool.id, stay.at) not in lump
        ]
        advanced = [(each.group, units_of(advance_total(each, stay.period))) for each in own]
        for given, sums in ((shared, shares), (advanced, paid)):
            for (group, vat), units in _by_vat(stay, house.policy, own, given):
                sums[group, vat] = sums.get((group, vat), 0) + units
        if stay.occupancy.estimated:
            said = "consumption is an estimate"
            notices.append(Notice("estimated_consumption", said, stay.occupancy.id))
    if any(shares.values()) or not any(each.lump_sum for each in paid_in):
        notices += _unpaid(lease, shares, paid)
    days = Period.unchecked(min(s.period.first for s in stays), max(s.period.last for s in stays))
    if house.is_late:
        said = f"made on {settlement.known_on}, after {settlement.deadline}"
        notices.append(Notice("late_statement", said, lease))
    balances = tuple(_balances(shares, paid, days, house))
    return Statement(lease, stays, pools, house, balances, tuple(notices), unused)


def _balances(
    shares: Mapping[tuple[Group, Vat], int],
    paid: Mapping[tuple[Group, Vat], int],
    days: Period,
    house: House,
) -> Iterator[Balance]:
    """Give the balance of each group and VAT; an extra charge of a group may be lost (A84)."""
    currency = house.settlement.currency
    places = {**shares, **paid}
    left = {place: shares.get(place, 0) - paid.get(place, 0) for place in places}
    of_group: dict[Group, int] = {}
    for (group, _), units in left.items():
        of_group[group] = of_group.get(group, 0) + units
    drops = house.is_late and house.policy.late == "drop_extra_charge"
    for place in places:
        lost = drops and of_group[place[0]] > 0
        charged = amount_of(0 if lost else left[place], currency)
        sums = shares.get(place, 0), paid.get(place, 0), left[place]
        yield Balance(*place, days, charged, *(amount_of(each, currency) for each in sums))


def _lump_places(stay: Stay, pools: Sequence[SettledPool], house: House) -> Iterator[Place]:
    """Give the pools of an occupancy that its lump sums pay (A115)."""
    own = house.advances_of(stay)
    groups = {each.group for each in own}
    lump = {each.group for each in own if each.lump_sum}
    for each in pools if lump else ():
        if (each.pool.group if each.pool.group in groups else None) in lump:
            yield each.pool.id, stay.at


def _lump_sums(stay: Stay, pools: Sequence[SettledPool], house: House) -> Iterator[Notice]:
    """Give what lump sums come to, and the costs, where the country compares them (A115)."""
    country = house.settlement.country
    lump = [each for each in house.advances_of(stay) if each.lump_sum]
    if country is not None and country.compares_lump_sums and lump:
        paid = sum(units_of(advance_total(each, stay.period)) for each in lump)
        costs = sum(each.cuts.get(stay.at, {}).get("lump_sum", 0) for each in pools)
        amounts = (str(amount_of(each, house.settlement.currency)) for each in (paid, costs))
        said = "lump sums of {}, and costs of {} that they pay".format(*amounts)
        yield Notice("lump_sum", said, stay.occupancy.id)


def _unpaid(
    lease: str, shares: Mapping[tuple[Group, Vat], int], paid: Mapping[tuple[Group, Vat], int]
) -> Iterator[Notice]:
    """Give a notice of a lease without advances, or of each group of pools without some (A114)."""
    known = {group for (group, _), units in paid.items() if units}
    if not known:
        yield Notice("no_advances", "no advances", lease)
        return
    for group in dict.fromkeys(group for (group, _), units in shares.items() if units):
        if group not in known:
            yield Notice("no_advances", f"no advances of {group or 'other costs'}", lease)


def _by_vat(
    stay: Stay,
    policy: SettlementPolicy,
    own: Sequence[Advance],
    given: Sequence[tuple[Group, int]],
) -> Iterator[tuple[tuple[Group, Vat], int]]:
    """Give what each VAT of an occupancy has of the sums of each group (A91)."""
    sums: dict[Group, int] = {}
    for group, units in given:
        sums[group] = sums.get(group, 0) + units
    vats = [*stay.vats] if policy.settlement_rate != "period_end" else stay.vats[-1:]
    for group, units in sums.items():
        weights = [run.days for _, run in vats]
        if policy.settlement_rate == "advances":
            paid = [each for each in own if each.group == group]
            amounts = [
                sum(
                    units_of(advance_total(each, stay.period if each.vat else run))
                    for each in paid
                    if each.vat in (None, vat)
                )
                for vat, run in vats
            ]
            weights = amounts if min(amounts) >= 0 < sum(amounts) else weights
        for (vat, _), part in zip(vats, share_units(units, weights), strict=True):
            yield (group, vat), part


def _of_country(house: House) -> Iterator[Notice]:
    """Give what lapses by the law of the country that the settlement names (A84, A120)."""
    country = house.settlement.country
    if country is None:
        return
    yield from _old_costs(house, country)
    deadlines, known = country.deadlines(house.settlement.period), house.settlement.known_on
    late, lapsed = deadlines.instalments_from, deadlines.lapsed_on
    if late is not None and known is not None and known >= late:
        said = f"a tenant may pay an extra charge in {country.instalments} months"
        yield Notice("instalments", f"{said} from {late} on in {country.country}")
    if lapsed is not None and known is not None and known >= lapsed:
        lost = "claims lapse" if country.lapses_after else "extra charges are lost"
        yield Notice("claim_lapsed", f"{lost} from {lapsed} on in {country.country}")


def _old_costs(house: House, country: SettlementPreset) -> Iterator[Notice]:
    """Give the pools of which a part is too old to be demanded (A84)."""
    known = house.settlement.known_on
    if known is None or not country.lapses_by_cost or country.lapses_after is None:
        return
    first = months_before(known, country.lapses_after)
    for pool in house.settlement.pools:
        if (pool.incurred or house.settlement.period).start < first:
            months = f"{country.lapses_after} months before {known}"
            said = f"costs before {first} are more than {months} in {country.country}"
            yield Notice("costs_lapse", said, pool.id)


def _percent(share: Decimal) -> str:
    return f"{(share * 100).normalize():f} %"
