"""A pool shared among the stays, in minor units (assumption A79).

Law: what tenants and landlord bear of a pool is the pool, to the minor unit.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from rentbilling.errors import InvalidAmountError, InvalidRecordError
from rentbilling.settlement.keys import PartWeights, UnitWeight, part_weights
from rentbilling.settlement.occupancies import House, Occupancy, Stay
from rentbilling.settlement.policy import SettlementPolicy
from rentbilling.settlement.pools import CostPool, Expenses, PoolPart, expenses_of
from rentbilling.values import Amount, divide_rounded, minor_units, share_units, units_of

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
        said, expected = "are more than what is shared", "amounts of what is shared"
        raise InvalidAmountError.of("parts", "parts_exceed_pool", said, str(rest), expected)
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
    """Shares before a ceiling or factor changed them."""

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
                _exact_units(amount, name)
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


def _exact_units(amount: Amount, name: str) -> int:
    """Return an amount in minor units, or refuse it by its name."""
    try:
        return units_of(amount)
    except InvalidAmountError as error:
        raise error.under(name) from None


def _add(reasons: dict[str, int], more: Mapping[str, int]) -> None:
    for reason, units in more.items():
        reasons[reason] = reasons.get(reason, 0) + units


# ------------------------------------------------------------------------------- after the shares


def limit_lease(stay: Stay, settled: Iterable[SettledPool]) -> None:
    """Apply the ceilings and the factor of an occupancy; what they cut is the landlord's (A80).

    Raises:
        InvalidAmountError: A ceiling has more decimals than its currency.
    """
    occupancy = stay.occupancy
    if not occupancy.ceilings and occupancy.factor == 1:
        return
    pools = {each.pool.id: each for each in settled}
    exact = {name: each.exact_share(stay) for name, each in pools.items()}
    now = _below_ceilings(occupancy, exact)
    cut = {name: now[name] * (1 - Fraction(occupancy.factor)) for name in now}
    after = {name: now[name] - cut[name] for name in now}
    changed = [name for name in exact if after[name] != exact[name]]
    for name, units in zip(
        changed, rounded_together([after[name] for name in changed]), strict=True
    ):
        each = pools[name]
        each.before[stay.at] = each.shares[stay.at]
        left = each.shares[stay.at] - units
        by_factor = divide_rounded(*cut[name].as_integer_ratio())
        each.shares[stay.at] = units
        _add(each.landlord, {"factor": by_factor} if by_factor else {})
        _add(each.landlord, {"lease_ceiling": left - by_factor} if left != by_factor else {})


def _below_ceilings(occupancy: Occupancy, exact: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return shares of which none is above its ceiling; charges alone are reduced (A80)."""
    now = dict(exact)
    for each in occupancy.ceilings:
        names = [name for name in each.pools or now if name in now]
        most = units_of(each.amount) * each.growth
        most += 0 if each.carried is None else units_of(each.carried)
        over = sum(now[name] for name in names) - divide_rounded(*most.as_integer_ratio())
        charged = sum(max(now[name], Fraction(0)) for name in names)
        if over > 0:
            for name in names:
                now[name] -= max(now[name], Fraction(0)) * min(
                    Fraction(over) / charged, Fraction(1)
                )
    return now


def bear_input_vat(settled: SettledPool, stays: Iterable[Stay]) -> None:
    """Add the input VAT of a pool, which leases with VAT do not bear (A81)."""
    pool, expenses = settled.pool, settled.expenses
    if pool.vat is None:
        return
    over, below = units_of(pool.vat), units_of(pool.amount)
    whole = divide_rounded(expenses.total * over, below)
    settled.total += whole
    tenants = [stay for stay in stays if stay.reason is None and not is_taxed(stay)]
    shares = [Fraction(settled.shares[stay.at] * over, below) for stay in tenants]
    left = whole
    for stay, units in zip(tenants, rounded_together(shares), strict=True):
        settled.vat[stay.at] = units
        left -= units
    _add(settled.landlord, {"input_vat": left} if left else {})


def is_taxed(stay: Stay) -> bool:
    """Return whether a lease is charged with VAT, so that its share is net."""
    vat = stay.occupancy.vat
    return vat is not None and vat.tax_mode != "Exempt"


def failed_units(house: House, pool: CostPool) -> set[str]:
    """Return the units whose leases a pool that cannot be shared stops."""
    named = {unit for part in pool.parts for unit in part.units}
    every = any(not part.units for part in pool.parts)
    return named | {each.id for each in house.units.values() if every and each.takes_part}
