"""What limits a lease: bases, floors, ceilings and factors, each worked out in its row (A89)."""

from typing import Any

import pytest

from rentbilling import dumps
from tests.support.settlements import (
    ExpenseSteps,
    LeaseBase,
    LeaseCeiling,
    LeaseFloor,
    landlord,
    money,
    occupancies,
    pool,
    settled,
    shares,
    units,
)

POOLS = [pool(90, "x", id="a"), pool(60, "x", id="b"), pool(-15, "x", id="c")]
# Of a, b and c the shop in u has 60.00, 40.00 and -10.00, its store in v 30.00, 20.00 and -5.00.
LIMITS: dict[str, tuple[dict[str, list[Any]], str, str]] = {
    # 150.00 and credits of 15.00, of which 35.00 are too much: charges are reduced by 35 / 150.
    "a ceiling of the whole lease": (
        {"ceilings": [LeaseCeiling(amount=money(100))]},
        "shop 66.67, store 33.33",
        "lease_ceiling 35.00",
    ),
    "the same of each unit": (
        {"ceilings": [LeaseCeiling(amount=money(50), of="occupancy")]},
        "shop 50.00, store 45.00",
        "lease_ceiling 40.00",
    ),
    # 90.00 of a alone, both units.
    "a ceiling of a pool": (
        {"ceilings": [LeaseCeiling(amount=money(60), pools=["a"])]},
        "shop 70.00, store 35.00",
        "lease_ceiling 30.00",
    ),
    "a base": (
        {"bases": [LeaseBase(amount=money(45))]},
        "shop 60.00, store 30.00",
        "lease_base 45.00",
    ),
    # Two years at 10 %: 45.00 becomes 54.45, and is cut of 150.00 in charges.
    "a base that grows": (
        {"bases": [LeaseBase(amount=money(45), rate="10%", years=2)]},
        "shop 53.70, store 26.85",
        "lease_base 54.45",
    ),
    "a base above the share": (
        {"bases": [LeaseBase(amount=money(500), pools=["a", "b"])]},
        "shop -10.00, store -5.00",
        "lease_base 150.00",
    ),
    "a base above a credit alone": (
        {"bases": [LeaseBase(amount=money(5), pools=["c"])]},
        "shop 90.00, store 45.00",
        "",
    ),
    "a floor": (
        {"floors": [LeaseFloor(amount=money(165))]},
        "shop 110.00, store 55.00",
        "lease_floor -30.00",
    ),
    "a floor that is reached": (
        {"floors": [LeaseFloor(amount=money(135))]},
        "shop 90.00, store 45.00",
        "",
    ),
    "a floor of a pool in which there is nothing to raise": (
        {"floors": [LeaseFloor(amount=money(9), pools=["c"])]},
        "shop 114.00, store 45.00",
        "lease_floor -24.00",
    ),
    # The base leaves charges of 10.00 and 5.00, and the credits; the floor makes charges of 30.00
    # and 25.00 of them; the ceiling reduces both by 10 / 55.
    "all three": (
        {
            "bases": [LeaseBase(amount=money(900))],
            "floors": [LeaseFloor(amount=money(20), of="occupancy")],
            "ceilings": [LeaseCeiling(amount=money(30))],
        },
        "shop 14.55, store 15.45",
        "lease_base 135.00, lease_floor -40.00, lease_ceiling 10.00",
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits_of_a_lease_of_two_units(name: str) -> None:
    """Both occupancies state them, and they count once; what they cut is the landlord's."""
    limits, expected, left = LIMITS[name]
    stays = occupancies("shop u lease=L", "store v lease=L")
    stays = [each.evolve(**limits) for each in stays]
    result = settled(POOLS, units("u x=2", "v x=1"), stays)

    assert (expected, left) == (shares(result), landlord(result))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        # 100.00 and a fee of 15 % are 115.00; a ceiling of 90.00 with the fee, or without it.
        ({}, "t 90.00"),
        ({"without_fee": True}, "t 103.50"),
        ({"without_fee": True, "carried": money(10)}, "t 115.00"),
    ],
)
def test_a_fee_may_follow_the_ceiling_of_a_lease(fields: dict[str, Any], expected: str) -> None:
    """JD Edwards: a cap before or after the administration fee (A89)."""
    (stay,) = occupancies("t u")
    stay = stay.evolve(ceilings=[LeaseCeiling(amount=money(90), **fields)])
    cost = pool(100, "units", steps=ExpenseSteps(fee="15%"))

    assert expected == shares(settled([cost], units("u"), [stay]))


def test_a_factor_of_a_pool_and_a_lease_that_is_left_out_of_one() -> None:
    """15 % off heating (HeizkostenV § 12), and nothing of the lift: the others bear no more."""
    one, other = occupancies("t u factor=0.5", "o v")
    one = one.evolve(factors={"heat": "0.85", "lift": 0})
    pools = [pool(200, "units", id="heat"), pool(60, "units", id="lift"), pool(8, "units", id="c")]
    result = settled(pools, units("u", "v"), [one, other])

    assert "t 44.50, o 134.00" == shares(result)
    assert "factor 59.50, excluded 30.00" == landlord(result)


def test_a_year_that_is_grossed_up_and_a_base_that_is_not_are_said() -> None:
    """The base year would be too low: C11 of what goes wrong (A88)."""
    steps = {"variable": "0.8", "occupancy": "0.8", "base": money(50)}
    plain = pool(100, "units", steps=ExpenseSteps(**steps))
    both = pool(100, "units", id="both", steps=ExpenseSteps(**steps, base_occupancy="0.9"))
    result = settled([plain, both], units("u"), occupancies("t u"))

    found = [each.item_id for each in result.notices if each.code == "base_not_grossed_up"]
    assert ["pool"] == found


# Of a, b and c the shop has 60.00, 40.00 and -10.00, its store 30.00, 20.00 and -5.00.
UNUSED: dict[str, tuple[list[Any], str]] = {
    "more than the share": ([LeaseCeiling(amount=money(150))], "shop 15.00"),
    "what was carried is used last": (
        [LeaseCeiling(amount=money(130), carried=money(20))],
        "shop 15.00",
    ),
    # 100.00 of charges in a, and 60.00 in b.
    "of each pool": (
        [LeaseCeiling(amount=money(99), pools=["a"]), LeaseCeiling(amount=money(50), pools=["b"])],
        "shop 9.00, shop 0.00",
    ),
    "of each unit": ([LeaseCeiling(amount=money(95), of="occupancy")], "shop 5.00, store 50.00"),
    "of a credit": ([LeaseCeiling(amount=money(10), pools=["c"])], "shop 10.00"),
    # A later ceiling leaves 100.00 of 135.00, so that the first one has 50.00 left.
    "after another ceiling": (
        [LeaseCeiling(amount=money(150)), LeaseCeiling(amount=money(100))],
        "shop 50.00, shop 0.00",
    ),
}


def test_what_is_left_below_a_ceiling_is_the_next_years() -> None:
    """A lease with a carry-forward adds it as `carried` (A121)."""
    found = {}
    for name, (ceilings, _) in UNUSED.items():
        stays = [
            each.evolve(ceilings=ceilings)
            for each in occupancies("shop u lease=L", "store v lease=L")
        ]
        (one,) = settled(POOLS, units("u x=2", "v x=1"), stays)
        left = (f"{each.occupancy_id} {each.amount.amount}" for each in one.unused_ceilings)
        found[name] = ", ".join(left)
        assert f'"occupancy": "{found[name].split()[0]}"' in dumps(one)

    assert {name: expected for name, (_, expected) in UNUSED.items()} == found
