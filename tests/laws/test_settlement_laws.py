"""What holds for every settlement (A71-A87)."""

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import assume, given, strategies as st

from rentbilling import Amount, Period
from rentbilling.settlement import (
    Settlement,
    SettlementResult,
    Statement,
    degree_days,
    explain_statement,
    new_advance,
    settle,
)
from tests.oracle.settlements import shares_of
from tests.oracle.workings import replayed
from tests.support.settlements import (
    Advance,
    CostPool,
    ExpenseSteps,
    LeaseBase,
    LeaseCeiling,
    LeaseFloor,
    Occupancy,
    PersonsRecord,
    PoolPart,
    SettlementPolicy,
    SettlementUnit,
    money,
)

YEAR = Period.parse("2024")
KEYS = ("area", "units", "persons", "consumption", "rooms")


@st.composite
def stays_of(draw: st.DrawFn, unit: str) -> list[Any]:
    """Return the occupancies of a unit, cut on some days, vacant ones among them."""
    days = st.integers(1, YEAR.days - 1)
    cuts = sorted(draw(st.sets(days, max_size=2)))
    found = []
    for at, run in enumerate(YEAR.split_at(*(YEAR.start + timedelta(days=cut) for cut in cuts))):
        records: tuple[Any, ...] = ()
        if draw(st.booleans()):
            start = run.start + timedelta(days=draw(st.integers(0, run.days - 1)))
            records = (PersonsRecord(value=draw(st.integers(0, 4)), start=start),)
        found.append(
            Occupancy(
                id=f"{unit}{at}",
                unit=unit,
                who=draw(st.sampled_from(["tenant", "tenant", "vacant", "owner"])),
                first_day=run.start,
                last_day=run.end,
                persons=draw(st.integers(1, 5)),
                values=draw(st.sampled_from([None, None, {"area": 7}, {"rooms": 2}])),
                person_records=records,
                consumption={"consumption": draw(st.integers(0, 999))},
            )
        )
    return found


@st.composite
def pools(draw: st.DrawFn, at: int) -> Any:  # noqa: ANN401
    """Return a pool, or a credit, of one or two parts."""
    count = draw(st.integers(1, 2))
    parts = []
    for place in range(count):
        key = draw(st.sampled_from(KEYS))
        fields: dict[str, Any] = {}
        if place == 0 and count > 1:
            fields["fraction"] = Decimal(draw(st.integers(0, 100))) / 100
        if key in ("area", "rooms") and draw(st.booleans()):
            fields["time"] = "degree_days"
        if key == "area" and draw(st.booleans()):
            fields["denominator"] = 5000
        parts.append(PoolPart(key=key, **fields))
    return CostPool(
        id=f"pool{at}",
        amount=money(Decimal(draw(st.integers(-99_999, 999_999))) / 100),
        recoverable=draw(st.sampled_from([Decimal(1), Decimal("0.85")])),
        parts=parts,
    )


@st.composite
def settlements(draw: st.DrawFn) -> Settlement:
    """Return a house whose keys are never all 0."""
    names = "abcd"[: draw(st.integers(1, 4))]
    units = [
        SettlementUnit(
            id=name,
            values={"area": draw(st.integers(0, 999)), "rooms": draw(st.integers(1, 9))},
        )
        for name in names
    ]
    stays = [each for name in names for each in draw(stays_of(name))]
    assume(any(unit.values["area"] for unit in units))
    assume(any(each.consumption["consumption"] for each in stays))
    shared = [draw(pools(at)) for at in range(draw(st.integers(1, 3)))]
    found: Settlement = Settlement(
        period=YEAR,
        currency="EUR",
        pools=tuple(shared),
        units=tuple(units),
        occupancies=tuple(stays),
    )
    return found


policies = st.builds(
    SettlementPolicy,
    landlord_bears=st.sampled_from([Decimal(1), Decimal(0), Decimal("0.8")]),
    rounding=st.sampled_from(["largest_remainder", "half_up", "down"]),
    ties=st.sampled_from(["earlier", "largest_total"]),
    step=st.sampled_from([None, Decimal(1), Decimal("0.05")]),
    percent_places=st.sampled_from([None, None, 1]),
    unit_price_places=st.sampled_from([None, None, 2]),
)


def by_pool(result: SettlementResult) -> dict[str, dict[str, Decimal]]:
    return {
        line_id: {line.pool_id: line.amount.amount for line in statement.lines}
        for statement in result
        for line_id in [statement.lease_id]
    }


@given(settlements())
def test_shares_are_those_of_a_slow_and_simple_settlement(house: Settlement) -> None:
    """Found anew day by day and cent by cent (A74-A79)."""
    result, expected = settle(house), shares_of(house)

    assert {
        each.id: sum(shares[each.id] for shares in expected.values()) for each in house.occupancies
    } == {name: share.amount * 100 for name, share in result.shares.items()}


CURRENCIES = {"EUR": 2, "JPY": 0, "KWD": 3}


@given(settlements(), policies, st.sampled_from(sorted(CURRENCIES)))
def test_each_pool_is_what_tenants_and_landlord_bear(
    house: Settlement,
    policy: Any,  # noqa: ANN401
    currency: str,
) -> None:
    """To the minor unit, under every policy, sign and currency (A79)."""
    assume(currency != "JPY" or policy.step in (None, 1))
    size = Decimal(10) ** (2 - CURRENCIES[currency])
    shared = tuple(
        each.evolve(amount=money(each.amount.amount * size, currency)) for each in house.pools
    )
    house = house.evolve(pools=shared, currency=currency)
    result = settle(house, policy=policy)
    tenants = {each.id for each in house.occupancies if each.who == "tenant"}

    assert [each.amount for each in house.pools] == [
        each.tenants + sum(each.landlord.values(), start=Amount(0, currency))
        for each in result.pools
    ]
    assert sum(each.tenants.amount for each in result.pools) == sum(
        share.amount for name, share in result.shares.items() if name in tenants
    )


@given(settlements(), st.integers(0, 500), st.integers(0, 10), st.integers(0, 999))
def test_ceilings_factors_and_input_vat_are_borne_by_someone(
    house: Settlement, ceiling: int, tenths: int, vat: int
) -> None:
    """The pool with its VAT is borne, and no lease bears more than its ceiling (A80, A81)."""
    assume(all(each.amount.amount for each in house.pools))
    limit = LeaseCeiling(amount=money(ceiling))
    stays = tuple(
        each.evolve(
            ceilings=(limit,),
            factor=Decimal(tenths) / 10,
            vat={"tax_mode": "Exclusive", "tax_rate": "0.19"} if each.id.endswith("1") else None,
        )
        for each in house.occupancies
    )
    vats = [(Decimal(vat) / 10).copy_sign(each.amount.amount) for each in house.pools]
    shared = [each.evolve(vat=money(own)) for each, own in zip(house.pools, vats, strict=True)]
    result = settle(house.evolve(occupancies=stays, pools=tuple(shared)))

    assert [each.amount.amount + own for each, own in zip(shared, vats, strict=True)] == [
        sum((part.amount for part in each.landlord.values()), each.tenants.amount)
        for each in result.pools
    ]
    assert all(each.share.amount <= ceiling for each in result if each.stays[0].occupancy.vat)


cents = st.integers(0, 9_999_999).map(lambda number: money(Decimal(number) / 100))
maybe_cents = st.none() | cents
percents = st.integers(1, 100).map(lambda number: Decimal(number) / 100)


@st.composite
def steps(draw: st.DrawFn) -> Any:  # noqa: ANN401
    """Return steps of a pool: any of them, in any size."""
    fields: dict[str, Any] = {
        name: draw(maybe_cents) for name in ("excluded", "added", "taken", "ceiling", "base")
    }
    fields |= draw(st.sampled_from([{}, {"fee": "15%"}, {"fee_amount": money(3)}]))
    if draw(st.booleans()):
        fields |= {name: draw(percents) for name in ("variable", "occupancy", "threshold")}
        fields["base_occupancy"] = draw(st.none() | percents)
    order = {name: draw(st.booleans()) for name in ("fee_before_ceiling", "ceiling_after_base")}
    return ExpenseSteps(**fields, **order)


@st.composite
def limited(draw: st.DrawFn, house: Settlement) -> Settlement:
    """Return a house with steps of its pools, and with leases of several units and limits."""
    whole: tuple[dict[str, Any], ...]
    whole = {"of": "lease"}, {"of": "occupancy"}, {"pools": [house.pools[0].id]}
    kinds = {"bases": LeaseBase, "floors": LeaseFloor, "ceilings": LeaseCeiling}
    shared = tuple(pool.evolve(steps=draw(st.none() | steps())) for pool in house.pools)
    stays = []
    for each in house.occupancies:
        limits = {
            name: (kind(amount=draw(cents), **draw(st.sampled_from(whole))),)
            for name, kind in kinds.items()
            if draw(st.booleans())
        }
        lease = draw(st.sampled_from([None, "L"]))
        factors = draw(st.none() | st.just({house.pools[0].id: Decimal("0.5")}))
        stays.append(each.evolve(lease=lease, factors=factors, **limits))
    found: Settlement = house.evolve(pools=shared, occupancies=tuple(stays))
    return found


@given(settlements().flatmap(limited), policies)
def test_what_steps_and_limits_change_is_the_landlords(
    house: Settlement,
    policy: Any,  # noqa: ANN401
) -> None:
    """Each pool is borne to the cent, and each share is explained (A80, A88, A89)."""
    result = settle(house, policy=policy)

    for pool, each in zip(house.pools, result.pools, strict=True):
        assert pool.amount.amount == sum(
            (part.amount for part in each.landlord.values()), each.tenants.amount
        )
    assert sum(each.share.amount for each in result) == sum(
        each.tenants.amount for each in result.pools
    )
    for statement in result:
        assert [line.amount.amount for line in statement.lines] == [
            Fraction(getattr(found, "amount", found))
            for found in map(replayed, explain_statement(statement))
        ]


@given(settlements(), cents, cents, cents)
def test_a_lease_bears_what_its_limits_leave(
    house: Settlement,
    base: Any,  # noqa: ANN401
    floor: Any,  # noqa: ANN401
    ceiling: Any,  # noqa: ANN401
) -> None:
    """Charges are a base less, then at least the floor, then at most the ceiling (A89)."""
    limits = {
        "bases": (LeaseBase(amount=base),),
        "floors": (LeaseFloor(amount=floor),),
        "ceilings": (LeaseCeiling(amount=ceiling),),
    }
    shared = tuple(
        each.evolve(amount=money(abs(each.amount.amount)), recoverable=1) for each in house.pools
    )
    stays = tuple(each.evolve(lease="L") for each in house.occupancies)
    plain = settle(house.evolve(pools=shared, occupancies=stays))
    assume(len(plain) == 1)
    stays = (*(each.evolve(**limits) for each in stays),)
    (found,) = settle(house.evolve(pools=shared, occupancies=stays))

    before = exact_share(plain[0])
    less, least, most = (Fraction(each["amount"]) for each in (base, floor, ceiling))
    after = min(max(before - less, least, Fraction(0)), most)
    parts = len(shared) * len(found.stays)
    assert abs(Fraction(found.share.amount) - after) * 100 <= parts


def exact_share(statement: Statement) -> Fraction:
    """Return what a lease bears before it is rounded."""
    return sum(
        (pool.exact_share(stay) / 100 for pool in statement.pools for stay in statement.stays),
        Fraction(0),
    )


@given(settlements(), st.integers(-500, 500), st.data())
def test_exact_shares_are_linear_in_the_pool(
    house: Settlement, times: int, data: st.DataObject
) -> None:
    """A pool cut into two, or multiplied, is shared as its parts or its multiple (A79)."""
    cut = Decimal(data.draw(st.integers(-99_999, 99_999))) / 100
    first, *others = house.pools
    one = first.evolve(id="one", amount=money(cut))
    other = first.evolve(id="other", amount=money(first.amount.amount - cut))
    many = [each.evolve(amount=money(each.amount.amount * times)) for each in house.pools]
    plain, parts, multiple = (
        settle(house.evolve(pools=tuple(shared)))
        for shared in (house.pools, (one, other, *others), many)
    )

    for statement in plain:
        exact = exact_share(statement)
        assert exact == exact_share(parts.of(statement.lease_id))
        assert exact * times == exact_share(multiple.of(statement.lease_id))


@given(settlements(), percents, percents)
def test_nothing_is_grossed_up_from_the_threshold_on(
    house: Settlement, one: Decimal, other: Decimal
) -> None:
    """However much of the pool is variable (A80)."""
    threshold, let = sorted((one, other))
    rise = ExpenseSteps(variable=1, occupancy=let, threshold=threshold)
    shared = tuple(each.evolve(steps=rise) for each in house.pools)

    assert settle(house).shares == settle(house.evolve(pools=shared)).shares


@given(settlements(), policies)
def test_a_unit_without_weight_bears_nothing(house: Settlement, policy: Any) -> None:  # noqa: ANN401
    """And has no item if it paid nothing (A77, A82)."""
    names = [each.id for each in house.units]
    zero = SettlementUnit(id="z", values={"area": 0, "rooms": 0})
    stay = Occupancy(id="z", unit="z", persons=0, consumption={"consumption": 0})
    shared = tuple(
        pool.evolve(
            parts=tuple(
                part.evolve(units=names if part.key == "units" else ()) for part in pool.parts
            )
        )
        for pool in house.pools
    )
    found = settle(
        house.evolve(
            pools=shared, units=(*house.units, zero), occupancies=(*house.occupancies, stay)
        ),
        policy=policy,
    ).of("z")

    assert not found.share.amount
    assert not found.items("2025-07-01")


@given(settlements(), policies)
def test_the_order_of_what_is_given_alters_no_share(
    house: Settlement,
    policy: Any,  # noqa: ANN401
) -> None:
    turned = house.evolve(
        pools=house.pools[::-1], units=house.units[::-1], occupancies=house.occupancies[::-1]
    )

    assert by_pool(settle(house, policy=policy)) == by_pool(settle(turned, policy=policy))


@given(settlements(), st.integers(2, 5))
def test_values_of_another_scale_alter_no_share(house: Settlement, times: int) -> None:
    """Where a denominator is stated it grows with them."""
    units, stays = (
        tuple(
            each.evolve(values={key: value * times for key, value in (each.values or {}).items()})
            for each in of
        )
        for of in (house.units, house.occupancies)
    )
    shared = tuple(
        pool.evolve(
            parts=tuple(
                part.evolve(denominator=part.denominator and part.denominator * times)
                for part in pool.parts
            )
        )
        for pool in house.pools
    )

    scaled = house.evolve(units=units, pools=shared, occupancies=stays)
    assert settle(house).shares == settle(scaled).shares


@given(settlements(), st.data())
def test_a_change_inside_a_unit_moves_nothing_in_another(
    house: Settlement, data: st.DataObject
) -> None:
    """An occupancy cut in two of one lease moves at most a cent of each part in its unit (A76)."""
    chosen = data.draw(st.sampled_from(house.occupancies))
    assert chosen.first_day
    assert chosen.last_day
    days = (chosen.last_day - chosen.first_day).days
    assume(days > 0)
    cut: date = chosen.first_day + timedelta(days=data.draw(st.integers(1, days)))
    used = Decimal((chosen.consumption or {})["consumption"])
    half = (used / 2).to_integral_value()
    one = chosen.evolve(
        last_day=cut - timedelta(days=1), consumption={"consumption": half}, lease=chosen.id
    )
    used_later = {"consumption": used - half}
    other = one.evolve(id="other", first_day=cut, last_day=chosen.last_day, consumption=used_later)
    others = tuple(each for each in house.occupancies if each is not chosen)
    before, after = settle(house), settle(house.evolve(occupancies=(*others, one, other)))

    for each in others:
        if each.unit != chosen.unit:
            assert before.shares[each.id] == after.shares[each.id]
    joined = after.shares[chosen.id] + after.shares["other"]
    most = sum(len(pool.parts) for pool in house.pools)
    if chosen.who == "tenant":
        assert exact_share(before.of(chosen.id)) == exact_share(after.of(chosen.id))
    assert abs(joined.amount - before.shares[chosen.id].amount) * 100 <= most


@given(settlements())
def test_what_is_paid_in_full_leaves_nothing(house: Settlement) -> None:
    """Advances of the share leave no item, and items taken off leave none (A82, A83)."""
    plain = settle(house)
    for statement in plain:
        items = statement.items("2025-03-01")
        assert () == statement.items("2025-03-01", already_settled=items)
    advances = tuple(Advance(occupancy=each.lease_id, total=each.share) for each in plain)
    for statement in settle(house.evolve(advances=advances)):
        assert () == statement.items("2025-03-01")
        assert statement.share == new_advance({"all": statement.share}, months=1)["all"]
        if sum(stay.period.days for stay in statement.stays) == YEAR.days:
            (record,) = statement.new_advances("2025-03-01").values()
            twelfth = Fraction(max(statement.share.amount, Decimal(0))) * 100 / 12
            assert int(twelfth + Fraction(1, 2)) == record.value.amount * 100


@given(st.integers(1900, 2100), st.integers(1, 365))
def test_degree_days_of_a_year_are_a_thousand(year: int, cut: int) -> None:
    """Of both parts of a year together, too (A76)."""
    whole = Period.year(year)
    parts = whole.split_at(whole.start + timedelta(days=cut - 1))

    assert 1000 == sum(degree_days(each) for each in parts)
