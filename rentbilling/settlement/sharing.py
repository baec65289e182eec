"""A pool shared among the stays, in minor units (assumption A79).

Law: what tenants and landlord bear of a pool is the pool, to the minor unit.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from rentbilling.errors import InvalidAmountError, InvalidRecordError, Problem, paths_under
from rentbilling.settlement.keys import PartWeights, UnitWeight, part_weights
from rentbilling.settlement.occupancies import (
    House,
    LeaseBase,
    LeaseCeiling,
    LeaseFloor,
    Occupancy,
    Stay,
)
from rentbilling.settlement.policy import SettlementPolicy
from rentbilling.settlement.pools import CostPool, Expenses, PoolPart, expenses_of
from rentbilling.values import (
    decimal_of,
    divide_rounded,
    minor_units,
    share_units,
    units_of,
)

DIVIDED_MONTH: Final = "divided_month"
ROUNDING: Final = "rounding"


@dataclass(slots=True)
class PartShares:
    """A part of a pool as it was shared."""

    part: PoolPart
    weights: PartWeights
    amount: int
    """The part in minor units."""
    exact: Fraction
    """The same before it was rounded."""
    shares: dict[int, int]
    """Minor units by the place of the stay."""
    landlord: dict[str, int]
    """Minor units that no stay has, by reason."""
    of_unit: dict[str, int] = field(default_factory=dict)
    """Minor units of each unit, where its stays share them."""


def share_parts(
    pool: CostPool,
    expenses: Expenses,
    weights: Sequence[PartWeights],
    policy: SettlementPolicy,
    places: int,
) -> list[PartShares]:
    """Return the parts of a pool, each shared by its weights.

    Raises:
        InvalidRecordError: A key whose values are all 0 has an amount to share.
        InvalidAmountError: The parts are more than what is shared.
    """
    step = step_of(policy, places)
    shared = divide_rounded(*expenses.shared.as_integer_ratio())
    exact = _part_amounts(pool, expenses.shared)
    sizes = share_units(abs(shared), [abs(each) for each in exact]) if shared else (0,) * len(exact)
    sign = -1 if shared < 0 else 1
    found = [
        PartShares(part, weight, sign * size, amount, {}, {})
        for part, weight, size, amount in zip(pool.parts, weights, sizes, exact, strict=True)
    ]
    ranks = _ranks(found) if policy.ties == "largest_total" else {}
    for each in found:
        if not each.weights.denominator:
            if each.amount:
                said, expected = "add up to 0", "a value above 0"
                path = f"values of {each.part.key}"
                raise InvalidRecordError.of(path, "key_sum_zero", said, 0, expected)
        elif is_rounded_together(policy):
            _share_together(each, step, ranks)
        else:
            _share_singly(each, policy, step, places)
    return found


def step_of(policy: SettlementPolicy, places: int) -> int:
    """Return the step of shares in minor units."""
    step = Fraction(policy.step or 0) * 10**places or Fraction(1)
    if step.denominator != 1:
        said, expected = "is no multiple of the minor unit", "a multiple such as 1"
        raise InvalidAmountError.of("policy.step", "wrong_step", said, policy.step, expected)
    return step.numerator


def is_rounded_together(policy: SettlementPolicy) -> bool:
    """Return whether shares are rounded so that they add up, and not each by itself."""
    single = (policy.percent_places, policy.unit_price_places)
    return policy.rounding == "largest_remainder" and single == (None, None)


def _part_amounts(pool: CostPool, shared: Fraction) -> list[Fraction]:
    """Return the exact amounts of the parts; the part that says nothing has the rest (A74)."""
    amounts = [
        Fraction(units_of(each.amount)) if each.amount else shared * Fraction(each.fraction or 0)
        for each in pool.parts
    ]
    rest = shared - sum(amounts)
    for at, each in enumerate(pool.parts):
        if each.amount is None and each.fraction is None:
            amounts[at] = rest
    if min(amounts) < 0 < max(amounts):
        places = minor_units(pool.amount.currency)
        met, most = (
            str(decimal_of(divide_rounded(*each.as_integer_ratio()), places))
            for each in (shared - rest, shared)
        )
        said, code = "are more than what is shared", "parts_exceed_pool"
        expected = f"amounts of its sign, {most} at most"
        raise InvalidAmountError((Problem("parts", code, said, met, expected),))
    return amounts


def _ranks(parts: Sequence[PartShares]) -> dict[str, Fraction]:
    """Return the exact share of each unit in all parts, the largest of which has a tied cent."""
    ranks: dict[str, Fraction] = {}
    for each in parts:
        for unit in each.weights.units:
            share = abs(each.exact) * unit.value / (each.weights.denominator or 1)
            ranks[unit.unit] = ranks.get(unit.unit, Fraction(0)) + share
    return ranks


def _share_together(each: PartShares, step: int, ranks: dict[str, Fraction]) -> None:
    """Round the shares so that they add up: units first, then the stays of each (A79)."""
    whole, rest = divmod(abs(each.amount), step)
    sign = -1 if each.amount < 0 else 1
    if rest:
        each.landlord[ROUNDING] = sign * rest
    units = each.weights.units
    if ranks:
        units = sorted(units, key=lambda unit: (-ranks[unit.unit], unit.unit))
    values = [unit.value for unit in units]
    if each.weights.outside < 0:
        more = whole * sum(values) / each.weights.denominator
        sizes = share_units(divide_rounded(*more.as_integer_ratio()), values)
        outside = whole - sum(sizes)
    else:
        *sizes, outside = share_units(whole, [*values, each.weights.outside])
    if outside:
        each.landlord[each.weights.outside_reason] = sign * step * outside
    for unit, size in zip(units, sizes, strict=True):
        if len(unit.stays) == 1 and not unit.left:
            each.shares[unit.stays[0].at] = sign * step * size
        else:
            each.of_unit[unit.unit] = sign * step * size
            *inside, left = share_units(size, weights_inside(unit))
            for stay, share in zip(unit.stays, inside, strict=True):
                each.shares[stay.at] = sign * step * share
            if left:
                before = each.landlord.get(DIVIDED_MONTH, 0)
                each.landlord[DIVIDED_MONTH] = before + sign * step * left


def weights_inside(unit: UnitWeight) -> list[Fraction | int]:
    """Return the weights in a unit; without any, each stay has the same."""
    weights = [*unit.inside, unit.left]
    return weights if any(weights) else [*(1 for _ in unit.inside), 0]


def _share_singly(each: PartShares, policy: SettlementPolicy, step: int, places: int) -> None:
    """Round each share by itself; what is left over or missing is the landlord's (A79)."""
    denominator, mode = each.weights.denominator, policy.rounding
    mode = "half_up" if mode == "largest_remainder" else mode
    price = Fraction(each.amount) / denominator
    if policy.unit_price_places is not None:
        fine = Fraction(10) ** (policy.unit_price_places - places)
        price = _rounded(price, fine)
    left = each.amount
    for unit in each.weights.units:
        weights = weights_inside(unit)
        for stay, weight in zip(unit.stays, weights, strict=False):
            value = unit.value * weight / sum(weights)
            share = price * value
            if policy.percent_places is not None:
                fine = Fraction(10) ** (policy.percent_places + 2)
                share = each.amount * _rounded(value / denominator, fine)
            size = step * divide_rounded(*(share / step).as_integer_ratio(), mode)
            each.shares[stay.at] = size
            left -= size
    outside = each.weights.outside / denominator * each.amount
    known = divide_rounded(*outside.as_integer_ratio())
    for reason, units in ((each.weights.outside_reason, known), (ROUNDING, left - known)):
        if units:
            each.landlord[reason] = units


def _rounded(value: Fraction, fine: Fraction) -> Fraction:
    """Return a value as a multiple of 1 / `fine`, half up."""
    return divide_rounded(*(value * fine).as_integer_ratio()) / fine


def rounded_together(exact: Sequence[Fraction], wanted: int | None = None) -> list[int]:
    """Return whole numbers that add up to the rounded sum of exact ones, or to what is wanted.

    Examples:
        >>> rounded_together([Fraction(1, 2), Fraction(1, 2), Fraction(-1, 3)])
        [1, 0, 0]
    """
    below = [each.numerator // each.denominator for each in exact]
    if wanted is None:
        wanted = divide_rounded(*sum(exact, Fraction(0)).as_integer_ratio())
    order = sorted(range(len(exact)), key=lambda at: below[at] - exact[at])
    for at in order[: wanted - sum(below)]:
        below[at] += 1
    return below


@dataclass(slots=True)
class SettledPool:
    """A pool, its parts, and what each stay bears of it in minor units."""

    pool: CostPool
    expenses: Expenses
    parts: list[PartShares]
    shares: dict[int, int]
    """Without VAT, by the place of the stay, also for vacant days; after ceilings and factor."""
    vat: dict[int, int]
    """Input VAT, by the place of the stay."""
    landlord: dict[str, int]
    """What the landlord bears with its VAT, by reason."""
    total: int
    """The pool with its VAT."""
    before: dict[int, int] = field(default_factory=dict)
    """Shares before a limit or factor changed them."""
    cuts: dict[int, Mapping[str, int]] = field(default_factory=dict)
    """What each of those took off, by reason; below 0 what a floor added."""

    def exact_share(self, stay: Stay) -> Fraction:
        """Return the share of a stay before it was rounded."""
        return sum((exact_part(each, stay) for each in self.parts), Fraction(0))

    @property
    def tenants(self) -> int:
        """What tenants bear, with input VAT."""
        return self.total - sum(self.landlord.values())


def exact_part(each: PartShares, stay: Stay) -> Fraction:
    """Return the share of a stay in a part before it was rounded."""
    found = unit_weight(each.weights, stay)
    if found is None or not each.weights.denominator:
        return Fraction(0)
    unit, at = found
    total = sum(unit.inside, unit.left) or 1
    return each.exact * unit.value * unit.inside[at] / total / each.weights.denominator


def unit_weight(weights: PartWeights, stay: Stay) -> tuple[UnitWeight, int] | None:
    """Return the weight of a stay's unit in a part, and the place of the stay in it."""
    unit = weights.by_unit.get(stay.occupancy.unit)
    return None if unit is None else (unit, list(unit.stays).index(stay))


class PoolSharer:
    """Shares the pools of a house; parts with the same key have the same weights."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._places = minor_units(house.settlement.currency)
        self._known: dict[tuple[object, ...], PartWeights] = {}

    def shared(self, pool: CostPool) -> SettledPool:
        """Return a pool shared among the stays, before ceilings and VAT.

        Raises:
            InvalidInputError: It cannot be shared.
        """
        house = self._house
        for name, amount in (("vat", pool.vat), ("labour", pool.labour)):
            if amount is not None:
                with paths_under(name):
                    units_of(amount)
        expenses = expenses_of(pool, house.settlement.period)
        weights = [self._weights(pool, part) for part in pool.parts]
        parts = share_parts(pool, expenses, weights, house.policy, self._places)
        shares = dict.fromkeys(range(len(house.stays)), 0)
        reasons = [*expenses.landlord]
        left = expenses.total - sum(each.amount for each in parts)
        sizes = rounded_together([*expenses.landlord.values()], left)
        landlord = dict(zip(reasons, sizes, strict=True))
        for part in parts:
            for at, units in part.shares.items():
                shares[at] += units
            _add(landlord, part.landlord)
        for stay in house.stays:
            if stay.reason is not None and shares[stay.at]:
                _add(landlord, {stay.reason: shares[stay.at]})
        return SettledPool(pool, expenses, parts, shares, {}, landlord, expenses.total)

    def _weights(self, pool: CostPool, part: PoolPart) -> PartWeights:
        own = pool.id if part.time_weight == "readings" else None
        key = own, part.key, part.time_weight, part.units, part.denominator, part.whole
        if key not in self._known:
            self._known[key] = part_weights(self._house, pool, part)
        return self._known[key]


def _add(reasons: dict[str, int], more: Mapping[str, int]) -> None:
    for reason, units in more.items():
        reasons[reason] = reasons.get(reason, 0) + units


# ------------------------------------------------------------------------------- after the shares


Place = tuple[str, int]
"""A pool by id, and the place of a stay."""


def limit_lease(
    stays: Sequence[Stay], settled: Iterable[SettledPool], lump: Collection[Place] = ()
) -> Sequence[tuple[LeaseCeiling, Stay, int]]:
    """Apply bases, floors, ceilings and factors of a lease; what they cut is the landlord's (A89).

    Of what is in `lump` it bears nothing, because a lump sum pays it (A115). Returns what is below
    each of its ceilings.

    Raises:
        InvalidAmountError: A limit has more decimals than its currency.
    """
    if not lump and not any(_is_limited(stay.occupancy) for stay in stays):
        return ()
    pools = {each.pool.id: each for each in settled}
    lease = _LimitedLease(stays, pools, lump)
    changed = [place for place in lease.left if lease.left[place] != lease.exact[place]]
    after = rounded_together([lease.left[place] for place in changed])
    for (name, at), units in zip(changed, after, strict=True):
        each = pools[name]
        each.before[at] = each.shares[at]
        left, cuts = each.shares[at] - units, lease.cuts[name, at]
        each.shares[at] = units
        sizes = {why: divide_rounded(*cut.as_integer_ratio()) for why, cut in cuts.items()}
        sizes[max(cuts, key=lambda why: abs(cuts[why]))] += left - sum(sizes.values())
        each.cuts[at] = {why: size for why, size in sizes.items() if size}
        _add(each.landlord, each.cuts[at])
    return lease.unused


def _is_limited(occupancy: Occupancy) -> bool:
    return bool(occupancy.factor != 1 or occupancy.factors or [*occupancy.limits])


class _LimitedLease:
    """The exact shares of a lease after its limits and factors, and what each took off them."""

    def __init__(
        self, stays: Sequence[Stay], pools: Mapping[str, SettledPool], lump: Collection[Place]
    ) -> None:
        self.exact = {
            (name, stay.at): each.exact_share(stay)
            for stay in stays
            for name, each in pools.items()
        }
        self.left = dict(self.exact)
        self.cuts: dict[Place, dict[str, Fraction]] = {place: {} for place in self.exact}
        self._pools = pools
        self._fees = {name: each.expenses.last_fee for name, each in pools.items()}
        ceilings: list[tuple[LeaseCeiling, Stay, Sequence[int]]] = []
        self._cut("lump_sum", {place: self.left[place] for place in lump})
        done: dict[str, list[object]] = {"bases": [], "floors": [], "ceilings": []}
        for kind, known in done.items():
            for stay in stays:
                for name, _, limit in stay.occupancy.limits:
                    if name == kind and (limit.of == "occupancy" or limit not in known):
                        known.append(limit)
                        there = [each.at for each in (stays if limit.of == "lease" else (stay,))]
                        self._apply(limit, there)
                        if isinstance(limit, LeaseCeiling):
                            ceilings.append((limit, stay, there))
        self.unused = [(limit, stay, self._unused(limit, there)) for limit, stay, there in ceilings]
        for stay in stays:
            own, factors = Fraction(stay.occupancy.factor), stay.occupancy.factors or {}
            for name in pools:
                factor = own * Fraction(factors.get(name, 1))
                place = name, stay.at
                reason = "factor" if factor else "excluded"
                self._cut(reason, {place: self.left[place] * (1 - factor)})

    def _net(
        self, limit: LeaseBase | LeaseFloor | LeaseCeiling, stays: Sequence[int]
    ) -> tuple[Fraction, dict[Place, Fraction]]:
        """Return the amount of a limit, and what it is compared with."""
        units = units_of(limit.amount) * limit.growth
        fees = {}
        if isinstance(limit, LeaseCeiling):
            units += 0 if limit.carried is None else units_of(limit.carried)
            fees = self._fees if limit.without_fee else {}
        return Fraction(divide_rounded(*units.as_integer_ratio())), {
            (name, at): left / fees.get(name, 1)
            for (name, at), left in self.left.items()
            if at in stays and (not limit.pools or name in limit.pools)
        }

    def _unused(self, limit: LeaseCeiling, stays: Sequence[int]) -> int:
        """Return what is below a ceiling in minor units; of a credit all of it (A121)."""
        amount, net = self._net(limit, stays)
        exact = sum(net.values(), Fraction(0))
        if all(net[place] == self.exact[place] for place in net):
            exact = Fraction(sum(self._pools[name].shares[at] for name, at in net))
        left = amount - max(exact, Fraction(0))
        return max(divide_rounded(*left.as_integer_ratio()), 0)

    def _apply(self, limit: LeaseBase | LeaseFloor | LeaseCeiling, stays: Sequence[int]) -> None:
        amount, net = self._net(limit, stays)
        places = [*net]
        total = sum(net.values(), Fraction(0))
        if isinstance(limit, LeaseFloor):
            self._raise_to(amount, total, places)
            return
        base = isinstance(limit, LeaseBase)
        over = min(total, amount) if base else total - amount
        charged = sum(max(each, Fraction(0)) for each in net.values())
        if over > 0:
            part = min(over / charged, Fraction(1))
            reason = "lease_base" if base else "lease_ceiling"
            self._cut(reason, {each: max(self.left[each], Fraction(0)) * part for each in places})

    def _raise_to(self, amount: Fraction, total: Fraction, places: Sequence[Place]) -> None:
        """Raise shares to a floor, in proportion, or the first where there is no charge."""
        lacking = amount - total
        if lacking <= 0 or not places:
            return
        sizes = [max(self.left[each], Fraction(0)) for each in places]
        sizes = sizes if any(sizes) else [Fraction(1), *sizes[1:]]
        parts = zip(places, sizes, strict=True)
        self._cut("lease_floor", {each: -lacking * size / sum(sizes) for each, size in parts})

    def _cut(self, reason: str, cuts: Mapping[Place, Fraction]) -> None:
        for place, cut in cuts.items():
            if cut:
                so_far = self.cuts[place].get(reason, Fraction(0))
                self.cuts[place][reason] = so_far + cut
                self.left[place] -= cut


def bear_input_vat(settled: SettledPool, stays: Iterable[Stay]) -> None:
    """Add the input VAT of a pool, which leases with VAT do not bear (A81)."""
    pool, expenses = settled.pool, settled.expenses
    if pool.vat is None:
        return
    over, below = units_of(pool.vat), units_of(pool.amount)
    whole = divide_rounded(expenses.total * over, below)
    settled.total += whole
    tenants = [stay for stay in stays if stay.reason is None and not stay.is_taxed]
    shares = [Fraction(settled.shares[stay.at] * over, below) for stay in tenants]
    left = whole
    for stay, units in zip(tenants, rounded_together(shares), strict=True):
        settled.vat[stay.at] = units
        left -= units
    _add(settled.landlord, {"input_vat": left} if left else {})
