"""Whole settlements worked out by hand; the sums are above each."""

from typing import Any

import pytest

from rentbilling import Amount, InvalidInputError, Vat
from tests.support.settlements import (
    Advance,
    ExpenseSteps,
    LeaseCeiling,
    Reading,
    landlord,
    money,
    occupancies,
    pool,
    settled,
    shares,
    units,
)


def test_a_danish_heating_account_whose_tenant_moves_on_14_march() -> None:
    """The fixed 40 % go by days, the rest by a reading on the day of the move (A76, A78).

    9,600.00 by 60 and 90 m²: 3,840.00 and 5,760.00. From 1 June to 14 March are 287 of 365 days:
    3,840.00 × 287 / 365 = 3,019.397, and 820.603 for 78 days. 14,400.00 by 1,500 and 2,500 units:
    5,400.00, of which 1,200 of 1,500 units are 4,320.00, and 9,000.00.
    """
    readings = [("u1", "2025-05-31", 0), ("u1", "2026-03-14", 1200), ("u1", "2026-05-31", 1500)]
    readings += [("u2", "2025-05-31", 100), ("u2", "2026-05-31", 2600)]
    result = settled(
        [pool(24000, "area 40%", "consumption", currency="DKK")],
        units("u1 area=60", "u2 area=90"),
        occupancies("a u1 /2026-03-14", "b u1 2026-03-15/", "c u2"),
        "2025-06-01/2026-05-31",
        readings=[Reading(unit=unit, day=day, value=value) for unit, day, value in readings],
        advances=[
            Advance(occupancy="a", monthly=money(800, "DKK"), months=10),
            Advance(occupancy="b", monthly=money(800, "DKK")),
            Advance(occupancy="c", total=money(14760, "DKK")),
        ],
    )

    assert "a 7339.40, b 1900.60, c 14760.00" == shares(result)
    # Of b two whole months, April and May, count: 1,600.00.
    assert ["-660.60", "300.60", "0.00"] == [str(each.balance.amount) for each in result]
    assert "" == landlord(result)


def test_a_german_house_of_four_with_a_vacancy_and_degree_days() -> None:
    """The vacant flat is the landlord's, and its heat goes by degree days (A75, A76, A79).

    Heating 5,200.00: 1,560.00 by 260 m² are 6.00 a m²; of the 360.00 of u3 530 permille are January
    to April: 190.80 and 169.20. 3,640.00 by 10,000 units: 0.364 a unit.
    Water 900.00 by person-days 730, 365, 360, 365 of 1,820: 360.989, 180.4945, 178.022, 180.4945;
    two cents are left: for t1, and of the equal t2 and t4 for t2.
    Tax 1,300.00 by area: 5.00 a m²; of the 300.00 of u3 120 of 365 days are 98.63.
    """
    result = settled(
        [
            pool(5200, "area 30% time=degree_days", "consumption", id="heating"),
            pool(900, "persons", id="water"),
            pool(1300, "area", id="tax"),
        ],
        units("u1 area=80", "u2 area=70", "u3 area=60", "u4 area=50"),
        occupancies(
            "t1 u1 persons=2 consumption=4000",
            "t2 u2 persons=1 consumption=3000",
            "t3 u3 /2025-04-30 persons=3 consumption=1500",
            "v3 u3 2025-05-01/ who=vacant consumption=0",
            "t4 u4 persons=1 consumption=1500",
        ),
    )

    expected = "t1 2696.99, t2 2042.50, t3 1013.45, v3 370.57, t4 1276.49"
    assert expected == shares(result)
    assert "vacant 370.57" == landlord(result)


def test_a_french_regularisation_by_thousandths() -> None:
    """80 % of 15,000.00 are recoverable; 125 of 1,000 are 1,500.00, paid were 12 × 130.00 (A77)."""
    result = settled(
        [pool(15000, "tantiemes whole=1000", recoverable="80%")],
        units("lot tantiemes=125", "rest tantiemes=875"),
        occupancies("t lot", "owner rest who=owner"),
        advances=[Advance(occupancy="t", monthly=money(130), months=12)],
    )

    assert "1500.00 EUR" == str(result[0].share)
    assert "-60.00 EUR" == str(result[0].balance)
    assert "not_recoverable 3000.00, own_use 10500.00" == landlord(result)


def test_common_costs_in_america_with_a_base_year_and_a_ceiling() -> None:
    """60,000.00 above the base: 10 % are 6,000.00; 5,500.00 + 5 % = 5,775.00 (A80)."""
    stays = occupancies("shop u")
    ceiling = LeaseCeiling(amount=money(5500, "USD"), rate="5%")
    result = settled(
        [
            pool(
                260000,
                "sf denominator=20000",
                currency="USD",
                steps=ExpenseSteps(base=money(200000, "USD")),
            )
        ],
        units("u sf=2000"),
        [stays[0].evolve(ceilings=[ceiling])],
    )

    assert "shop 5775.00" == shares(result)
    assert "base 200000.00, outside_key 54000.00, lease_ceiling 225.00" == landlord(result)
    assert Amount(6000, "USD") == result[0].lines[0].uncut


HOUSE = ("a area=50", "b area=50")
ROWS = {
    # The landlord bears 80 % of the vacant half: 400.00; the tenant has the other 600.00.
    "vacancy borne in part": ("1000|area", "80%", "a 600.00, v 400.00", "vacant 400.00"),
    "vacancy shared by the rest": ("1000|area", 0, "a 1000.00, v 0.00", ""),
    "vacancy borne": ("1000|area", 1, "a 500.00, v 500.00", "vacant 500.00"),
    # A credit is the mirror image of a charge: 3 cents by 1 : 1.
    "a credit": ("-0.03|area", 1, "a -0.02, v -0.01", "vacant -0.01"),
    "a cost of one unit": ("10|direct units=a", 1, "a 10.00, v 0.00", ""),
    "a cost that no tenant bears": ("10|landlord", 1, "a 0.00, v 0.00", "landlord 10.00"),
    "by units": ("10|units", 1, "a 5.00, v 5.00", "vacant 5.00"),
    # 50 of 80 parts, and 30 outside.
    "a stated denominator": (
        "8|area units=a denominator=80",
        1,
        "a 5.00, v 0.00",
        "outside_key 3.00",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_one_pool_and_a_vacant_unit(name: str) -> None:
    """Each row is worked out in one line (A75, A77, A79)."""
    stated, bears, expected, left = ROWS[name]
    amount, _, part = str(stated).partition("|")
    stays = occupancies("a a", "v b who=vacant")
    result = settled([pool(amount, part)], units(*HOUSE), stays, policy={"landlord_bears": bears})

    assert (expected, left) == (shares(result), landlord(result))


@pytest.mark.parametrize(
    ("policy", "expected", "left"),
    [
        # 100.00 by three: 33.33 each, and a cent for the first of equals.
        ({}, "a 33.34, b 33.33, c 33.33", ""),
        ({"rounding": "half_up"}, "a 33.33, b 33.33, c 33.33", "rounding 0.01"),
        ({"step": 1}, "a 34.00, b 33.00, c 33.00", ""),
        ({"step": 3}, "a 33.00, b 33.00, c 33.00", "rounding 1.00"),
        ({"rounding": "down", "step": 10}, "a 30.00, b 30.00, c 30.00", "rounding 10.00"),
        # 33.3 % of 100.00, and 33.3 for a unit.
        ({"percent_places": 1}, "a 33.30, b 33.30, c 33.30", "rounding 0.10"),
        ({"unit_price_places": 1}, "a 33.30, b 33.30, c 33.30", "rounding 0.10"),
    ],
)
def test_what_rounding_leaves_over(policy: dict[str, object], expected: str, left: str) -> None:
    """Shares and the landlord's rest are the pool under every rule of rounding (A79)."""
    stays = occupancies("a a", "b b", "c c")
    result = settled([pool(100, "units")], units("a", "b", "c"), stays, policy=policy)

    assert (expected, left) == (shares(result), landlord(result))


def test_a_tied_cent_goes_to_the_unit_with_the_largest_share_of_the_pool() -> None:
    """0.02 by halves: each part has a cent, and b has more of the pool, 1/4 + 3/8 (A79).

    The first part is tied, and its cent goes to b; of the second b has the larger remainder.
    """
    house, stays = units("a x=1 y=1", "b x=1 y=3"), occupancies("a a", "b b")
    cents = [pool("0.02", "x 50%", "y")]
    earlier = settled(cents, house, stays)
    largest = settled(cents, house, stays, policy={"ties": "largest_total"})

    assert ("a 0.01, b 0.01", "a 0.00, b 0.02") == (shares(earlier), shares(largest))


def test_months_that_two_share_are_the_landlords_unless_begun_ones_count() -> None:
    """1,200.00 by months; March is divided, and counts for none or for the later one (A76)."""
    stays = occupancies("a u /2025-03-14", "b u 2025-03-15/")
    whole, begun = (
        settled([pool(1200, "units time=months")], units("u"), stays, policy={"begun_month": begun})
        for begun in (False, True)
    )

    assert ("a 200.00, b 900.00", "divided_month 100.00") == (shares(whole), landlord(whole))
    assert ("a 200.00, b 1000.00", "") == (shares(begun), landlord(begun))


@pytest.mark.parametrize(
    ("period", "stays", "begun", "expected"),
    [
        # Twelve months from the 15th to the 14th: three and nine.
        ("2025-06-15/2026-06-14", "a u /2025-09-14|b u 2025-09-15/", False, "a 300.00, b 900.00"),
        # From 31 January: to 27 February, 30 March, 29 April; then nine.
        ("2025-01-31/2026-01-30", "a u /2025-04-29|b u 2025-04-30/", False, "a 300.00, b 900.00"),
        # 17 days of January and eleven months: two and nine of eleven, or three and nine of twelve.
        ("2025-01-15/2025-12-31", "a u /2025-03-31|b u 2025-04-01/", False, "a 218.18, b 981.82"),
        ("2025-01-15/2025-12-31", "a u /2025-03-31|b u 2025-04-01/", True, "a 300.00, b 900.00"),
        # No whole month: one that counts for the later of two.
        ("2025-01-05/2025-01-20", "a u /2025-01-06|b u 2025-01-07/", True, "a 0.00, b 1200.00"),
        ("2025-01-05/2025-01-20", "a u", False, "a 1200.00"),
    ],
)
def test_months_of_a_period_that_begins_in_one(
    period: str, stays: str, begun: bool, expected: str
) -> None:
    """1,200.00 by the months of the period, or by calendar months (A76)."""
    cost, policy = pool(1200, "units time=months"), {"begun_month": begun}
    result = settled([cost], units("u"), occupancies(*stays.split("|")), period, policy=policy)

    assert expected == shares(result)


def test_input_vat_is_borne_by_leases_without_vat_alone() -> None:
    """1,000.00 and 190.00 VAT by halves: 500.00 net, and 595.00 gross (A81)."""
    taxed, exempt = occupancies("t a", "x b")
    vat = {"tax_mode": "Exclusive", "tax_rate": "0.19"}
    result = settled(
        [pool(1000, "units", vat=money(190))],
        units("a", "b"),
        [taxed.evolve(vat=vat), exempt],
        advances=[Advance(occupancy="t", total=money(450))],
    )

    assert ("t 500.00, x 595.00", "input_vat 95.00") == (shares(result), landlord(result))
    (item,) = result.of("t").items("2026-03-01")
    assert ("50.00 EUR", Vat("Exclusive", "19%")) == (str(item.amount), item.vat)
    assert ["Exempt"] == [each.vat.tax_mode for each in result.of("x").items("2026-03-01")]


def test_wages_in_a_pool_are_shown_and_not_charged() -> None:
    """Of 1,000.00 with wages of 300.00, 90 % are shared by 1 : 2: 300.00 with 90.00 (A74)."""
    result = settled(
        [pool(1000, "x", labour=money(300), recoverable="90%")],
        units("a x=1", "b x=2"),
        occupancies("a a", "b b"),
    )

    assert ["90.00 EUR", "180.00 EUR"] == [str(each.lines[0].labour) for each in result]
    assert "a 300.00, b 600.00" == shares(result)


def test_what_the_law_leaves_to_the_landlord_goes_first() -> None:
    """30 % of the cost of CO2 by its tier, and of the other 70.00 a tenth (A74)."""
    cost = pool(100, "units", by_law="30%", recoverable="90%")
    result = settled([cost], units("u"), occupancies("t u"))

    assert ("t 63.00", "by_law 30.00, not_recoverable 7.00") == (shares(result), landlord(result))


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        # New from 1 July: 184 days of 365 of 60 m² are 30.2466, and the other has 40 m².
        ("area", "t 430.58, n 569.42"),
        # Before it 170, 150, 130, 80, 40 and a third of 40; 416.67 permille of 60 m² are 25.
        ("area time=degree_days", "t 384.62, n 615.38"),
        ("area time=months", "t 428.57, n 571.43"),
        # 184 days of two persons, and 365 of one.
        ("persons", "t 502.05, n 497.95"),
        ("consumption", "t 400.00, n 600.00"),
    ],
)
def test_a_unit_that_is_there_for_a_part_of_the_period(part: str, expected: str) -> None:
    """Its values count by its part, and it needs occupancies on its own days alone (A77)."""
    new, old, gone = units("n area=60 consumption=40", "o area=40", "s area=99")
    house = [
        new.evolve(first_day="2025-07-01"),
        old,
        gone.evolve(last_day="2024-12-31"),
    ]
    stays = occupancies("t n persons=2", "n o persons=1 consumption=60", "x s persons=1")
    result = settled([pool(1000, part)], house, stays)

    assert expected == shares(result)
    assert ["outside_period x"] == [
        f"{each.code} {each.item_id}" for each in result.notices if each.code != "no_advances"
    ]


def test_wages_of_other_days_are_not_shown() -> None:
    """Of 365.00 with wages of 73.00 half the days, 184 of 365, are settled: 36.80 (A74)."""
    cost = pool(365, "units", labour=money(73), incurred="2025-07-01/2026-06-30")
    result = settled([cost], units("u"), occupancies("t u"))

    assert "36.80 EUR" == str(result[0].lines[0].labour)


def test_a_cost_of_other_days_counts_by_its_days_in_the_period() -> None:
    """365.00 for a year from 1 July: 184 days are in 2025 (A74)."""
    days = "2025-07-01/2026-06-30"
    result = settled([pool(365, "units", incurred=days)], units("u"), occupancies("t u"))

    assert "t 184.00" == shares(result)


def test_a_house_without_vacancy_bears_all_of_it_itself() -> None:
    """A rule for vacant units changes nothing where there are none, or nothing else (A75)."""
    half = {"landlord_bears": "50%"}
    full = settled([pool(10, "units")], units("a"), occupancies("t a"), policy=half)
    empty = settled([pool(10, "units")], units("a"), [], policy=half)

    assert "t 10.00" == shares(full)
    assert "vacant 10.00" == landlord(empty)


def test_a_key_of_nothing_shares_nothing() -> None:
    """A pool of 0.00 needs no key, and a ceiling takes nothing of it (A79)."""
    (stay,) = occupancies("t a persons=0")
    stay = stay.evolve(ceilings=[LeaseCeiling(amount=money(4))])
    pools = [pool(0, "persons"), pool(9, "units", id="b"), pool(1, "direct units=b", id="c")]
    result = settled(pools, units("a", "b"), [stay])

    assert "t 4.00, vacant:b:2025-01-01 5.50" == shares(result)


@pytest.mark.parametrize(
    ("part", "policy", "expected"),
    [
        # 30 % for 90 of 365 days and 32 % for 275 of 1,000.00; c has 40, and 30 are outside.
        ("percent denominator=100", {}, "a 73.97, b 241.10, c 400.00"),
        # By months, of which the fourth is divided: 3 × 30, 8 × 32 and 1 × 30 twelfths.
        ("percent denominator=100 time=months", {}, "a 75.00, b 213.33, c 400.00"),
        # The 31.507 of both and 40 are all.
        ("percent", {}, "a 103.45, b 337.16, c 559.39"),
    ],
)
def test_a_value_that_a_lease_states_counts_for_its_days(
    part: str, policy: dict[str, Any], expected: str
) -> None:
    """30 / 365 × 90 = 7.397 and 32 / 365 × 275 = 24.110 percent of the costs (A123)."""
    last = "2025-04-10" if "months" in part else "2025-03-31"
    first = "2025-04-11" if "months" in part else "2025-04-01"
    one, other, third = occupancies(f"a u /{last}", f"b u {first}/", "c v")
    stays = [one.evolve(values={"percent": 30}), other.evolve(values={"percent": 32}), third]
    result = settled([pool(1000, part)], units("u", "v percent=40"), stays, policy=policy)

    assert expected == shares(result)
    with pytest.raises(InvalidInputError, match=r"values\.persons: is no value of a lease"):
        one.evolve(values={"persons": 3})


@pytest.mark.parametrize(
    ("period", "stays", "months", "expected"),
    [
        # From July: 56.667 and 360 permille are 0.567 and 10.8 beside 20.
        ("2025", "a n /2025-09-30|b n 2025-10-01/", None, "a 18.07, b 344.31, c 637.62"),
        # A summer of none counts by the mean of both, and is shared equally.
        (
            "2025-07",
            "a n /2025-07-02|b n 2025-07-03/",
            [200, 200, 100, 0, 0, 0, 0, 0, 0, 100, 200, 200],
            "a 250.00, b 250.00, c 500.00",
        ),
    ],
)
def test_values_that_leases_state_and_degree_days(
    period: str, stays: str, months: list[int] | None, expected: str
) -> None:
    """10 and 30 in a unit that is there from July on, beside 20 (A76, A123)."""
    new, old = units("n", "o x=20")
    one, other = occupancies(*stays.split("|"))
    both = [one.evolve(values={"x": 10}), other.evolve(values={"x": 30}), *occupancies("c o")]
    house = [new.evolve(first_day="2025-07-01"), old]
    policy = {"degree_days": {"months": months}} if months else {}
    result = settled([pool(1000, "x time=degree_days")], house, both, period, policy=policy)

    assert expected == shares(result)
