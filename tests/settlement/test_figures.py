"""Single figures: days, hot water, CO2, deadlines, ceilings, steps of a pool."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rentbilling import InvalidInputError, Period
from rentbilling.errors import UnknownWordError, UnsupportedCaseError
from rentbilling.settlement import (
    CARBON_HALVES,
    HEATING_VALUES,
    SETTLEMENT_PRESETS,
    VDI_2067,
    carbon_intensity,
    carbon_tier,
    degree_days,
    fuel_used,
    heat_share,
    hot_water_by_area,
    hot_water_heat,
    settlement_preset,
    weighted_area,
    whole_months,
)
from tests.support.settlements import (
    DegreeDays,
    ExpenseSteps,
    LeaseCeiling,
    landlord,
    money,
    occupancies,
    pool,
    settled,
    shares,
    units,
)

BY_MONTH = DegreeDays(months=[170, 150, 130, 80, 40, 14, 13, 13, 30, 80, 120, 160])


@pytest.mark.parametrize(
    ("period", "table", "expected"),
    [
        ("2025", VDI_2067, "1000"),
        ("2024-02-29/2024-02-29", VDI_2067, "150/29"),
        ("2025-06-01/2025-06-01", VDI_2067, "4/9"),
        ("2025-07-01/2025-07-01", VDI_2067.evolve(summer_by="day"), "10/23"),
        ("2025-06", BY_MONTH, "14"),
        ("2025-09", VDI_2067, "30"),
    ],
)
def test_degree_days(period: str, table: Any, expected: str) -> None:  # noqa: ANN401
    """40/3 permille for 30 days of June are 4/9 a day; 40/92 for any day of the summer (A76)."""
    assert Fraction(expected) == degree_days(Period.parse(period), table)


@pytest.mark.parametrize(
    ("intensity", "percent", "name"),
    [(0, 100, "0-12"), ("11.99", 100, "0-12"), (12, 90, "12-17"), (52, 5, "52-"), (900, 5, "52-")],
)
def test_the_lower_edge_belongs_to_the_tier(intensity: object, percent: int, name: str) -> None:
    """As the annex of the act has it (A85)."""
    tier = carbon_tier(Fraction(str(intensity)))

    assert f"{percent} {name}" == f"{tier.tenants * 100} {tier}"


def test_a_year_of_emissions_has_no_factor() -> None:
    """2,400 kg on 100 m² are 24 kg in a year of any length (A85)."""
    assert 24 == carbon_intensity(2400, 100)
    assert Fraction(1, 3) == heat_share(1, 3)
    assert Fraction(3333, 10000) == heat_share("1", 3, percent_places=2)


def test_hot_water_of_other_supplies() -> None:
    """5,900 kWh: × 1.11 by the upper value of gas, ÷ 1.15 of district heat; 654.9 m³ (A85)."""
    supplies: dict[Any, Fraction] = {
        "upper_value": Fraction(111, 100),
        "district": Fraction(100, 115),
    }
    for supply, factor in supplies.items():
        assert 5900 * factor == hot_water_heat(Decimal("47.2"), 60, supply=supply)
        assert 3200 * factor == hot_water_by_area(100, supply=supply)
    gas = hot_water_heat(Decimal("47.2"), 60, supply="upper_value")
    assert Fraction("654.9") == fuel_used(gas, HEATING_VALUES["gas_h"])
    assert Fraction(1, 2) == carbon_tier(99, CARBON_HALVES).tenants


@pytest.mark.parametrize(
    ("bands", "expected"),
    [
        ([(None, 1)], "70"),
        ([(50, 1), (100, "0.5")], "60"),
        ([(100, "0.5"), (200, 9)], "35"),
        ([(50, 1), (60, 1)], "refused"),
        ([(50, 1), (40, 1), (None, 1)], "refused"),
        ([], "refused"),
    ],
)
def test_bands_of_an_area(bands: Any, expected: str) -> None:  # noqa: ANN401
    """70 m²: the weights come before the sum (A77)."""
    try:
        found = str(weighted_area(70, [(end, Decimal(weight)) for end, weight in bands]))
    except InvalidInputError as error:
        found = "refused" if error.code == "sum_missed" else str(error)
    assert expected == found


@pytest.mark.parametrize(
    "call",
    [
        lambda: hot_water_heat(-1, 60),
        lambda: hot_water_heat(1, 10, 10),
        lambda: heat_share(2, 1),
        lambda: heat_share(0, 0),
        lambda: carbon_intensity(1, 0),
        lambda: carbon_intensity(1, 1, days=0),
        lambda: hot_water_by_area(-1),
        lambda: carbon_tier(-1),
        lambda: fuel_used(1, 0),
    ],
)
def test_figures_out_of_range_are_refused(call: Callable[[], object]) -> None:
    with pytest.raises(InvalidInputError) as refused:
        call()

    assert "out_of_range" == refused.value.code


def test_figures_are_exact_numbers_or_their_texts_and_periods_are_texts_too() -> None:
    """What is neither is refused by its name, and not after half of the sum (A1, A4, A85)."""
    assert 5900 == hot_water_heat("47.2", "60")
    wrong: dict[str, Callable[[], object]] = {
        "volume_m3 not_exact": lambda: hot_water_heat(47.2, 60),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        "hot_c not_exact": lambda: hot_water_heat(1, None),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        "heat_kwh not_exact": lambda: fuel_used("many", 10),
        "bands[0] not_exact": lambda: weighted_area(1, [("x", 1)]),
        "supply unknown_word": lambda: hot_water_by_area(1, supply="wood"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        "period not_a_period": lambda: whole_months("then", []),
    }
    for expected, call in wrong.items():
        with pytest.raises(InvalidInputError) as refused:
            call()
        assert expected == f"{refused.value.problems[0].path} {refused.value.code}"
    cost = pool(730, "units", incurred="2025")
    assert "t 60.00" == shares(settled([cost], units("u"), occupancies("t u"), "2025-06"))
    for period in ("9999", "9998-12"):
        with pytest.raises(UnsupportedCaseError, match="after 9999-12-31"):
            settlement_preset("AT").deadlines(period)


@pytest.mark.parametrize(
    ("country", "period", "expected"),
    [
        # The end of the twelfth month, also of a period that ends with a February.
        ("DE", "2024-03-01/2025-02-28", "2026-02-28 2026-03-01"),
        ("DE", "2023-03-01/2024-02-29", "2025-02-28 2025-03-01"),
        ("DE", "2023-04-16/2024-04-15", "2025-04-15 2025-04-16"),
        # The 28th of a leap year's February is not its end, and 28 February is its next year's day.
        ("DE", "2023-03-01/2024-02-28", "2025-02-28 2025-03-01"),
        ("DE", "2022-03-01/2023-02-28", "2024-02-29 2024-03-01"),
        ("DK", "2024-06-01/2025-05-31", "2025-09-30 2025-10-01"),
        ("NL", "2024-04-01/2025-03-31", "2026-06-30 None"),
        ("FR", "2024", "None 2028-01-01"),
        ("US", "2024", "None None"),
    ],
)
def test_deadlines_of_a_period(country: str, period: str, expected: str) -> None:
    """Computed from the period's days, of Austria and the Netherlands from its year's (A84)."""
    found = settlement_preset(country).deadlines(Period.parse(period))

    assert expected == f"{found.settled_by} {found.lapsed_on}"


def test_deadlines_that_count_from_other_days() -> None:
    """A supplier's last bill of 31 July moves the Danish day to 31 October (A84)."""
    preset = settlement_preset("dk")
    year, received = Period.parse("2024-06-01/2025-05-31"), date(2025, 9, 1)
    late = preset.deadlines(year, received_on=received, supplier_bill=date(2025, 7, 31))

    assert (date(2025, 10, 31), date(2025, 10, 13)) == (late.settled_by, late.objection_until)
    early = preset.deadlines(year, supplier_bill=date(2025, 1, 31))
    assert date(2025, 9, 30) == early.settled_by


@pytest.mark.parametrize(
    ("received", "expected"),
    [
        ("2025-09-01", "2026-09-01"),
        # From an event to the day of the same number, or to the end of a shorter month.
        ("2024-02-28", "2025-02-28"),
        ("2024-02-29", "2025-02-28"),
        ("2023-02-28", "2024-02-28"),
    ],
)
def test_an_objection_runs_from_the_day_of_receipt(received: str, expected: str) -> None:
    """Twelve months in Germany (BGB 188(2), A84)."""
    preset = settlement_preset("DE")
    found = preset.deadlines(Period.parse("2023"), received_on=date.fromisoformat(received))

    assert date.fromisoformat(expected) == found.objection_until


def test_three_months_from_a_bill_of_the_end_of_november() -> None:
    """They end on 28 February, also from the 29th."""
    preset = settlement_preset("DK")
    found = preset.deadlines(
        Period.parse("2024-06-01/2025-05-31"), supplier_bill=date(2025, 11, 29)
    )

    assert date(2026, 2, 28) == found.settled_by


def test_every_preset_has_its_source() -> None:
    assert all(each.source and each.says for each in SETTLEMENT_PRESETS)
    assert "commercial" == settlement_preset("DE", "commercial").name
    with pytest.raises(UnknownWordError, match="has no settlement preset"):
        settlement_preset("XX")


HUNDRED: dict[str, tuple[dict[str, Any], str, str]] = {
    "a factor": ({"factor": "1.1"}, "110.00", "adjustment -10.00"),
    # 20 + 80 / 0.8 × 0.95 = 115.
    "a gross-up to the threshold": (
        {"variable": "0.8", "occupancy": "0.8", "threshold": "0.95"},
        "115.00",
        "gross_up -15.00",
    ),
    "a gross-up to a target": (
        {"variable": "0.8", "occupancy": "0.8", "threshold": "0.95", "target": 1},
        "120.00",
        "gross_up -20.00",
    ),
    "no gross-up at the threshold": (
        {"variable": 1, "occupancy": "0.95", "threshold": "0.95"},
        "100.00",
        "",
    ),
    # 100 − 10 + 5 − 1 = 94.
    "signed amounts": (
        {"excluded": money(10), "added": money(5), "taken": money(1)},
        "94.00",
        "excluded 10.00, adjustment -4.00",
    ),
    # 10 % of 90, inside a ceiling of 95; or 10 % of the ceiling after it.
    "a fee before the ceiling": (
        {"excluded": money(10), "fee": "0.1", "fee_before_ceiling": True, "ceiling": money(95)},
        "95.00",
        "excluded 10.00, fee -9.00, ceiling 4.00",
    ),
    "a fee after the ceiling": (
        {"fee": "0.1", "ceiling": money(95)},
        "104.50",
        "ceiling 5.00, fee -9.50",
    ),
    "a fee as an amount": ({"fee_amount": money(3)}, "103.00", "fee -3.00"),
    "a ceiling before the base": (
        {"ceiling": money(55), "base": money(40)},
        "15.00",
        "ceiling 45.00, base 40.00",
    ),
    "a ceiling after the base": (
        {"ceiling": money(55), "base": money(40), "ceiling_after_base": True},
        "55.00",
        "base 40.00, ceiling 5.00",
    ),
    "a base above the pool": ({"base": money(140)}, "0.00", "base 140.00, zero_floor -40.00"),
    "a base for each of an area": (
        {"base_rate": "0.125", "base_area": 500},
        "37.50",
        "base 62.50",
    ),
    # 20 + 80 / 0.8 = 120; the base of 60 was let by three quarters: 12 + 48 / 0.75 = 76.
    "a base that is grossed up too": (
        {"variable": "0.8", "occupancy": "0.8", "base": money(60), "base_occupancy": "0.75"},
        "44.00",
        "gross_up -20.00, base 76.00",
    ),
    # JD Edwards: 40,000 × 0.5 × 1.25 = 25,000; − 1,000 + 5,000 = 29,000; 5 % are 1,450; − 2,000.
    "a fee of what was added, and not of what is taken off after it": (
        {
            "factor": "250",
            "excluded": money(1000),
            "added": money(5000),
            "fee": "5%",
            "fee_before_ceiling": True,
            "taken": money(2000),
        },
        "28450.00",
        "adjustment -27900.00, excluded 1000.00, fee -1450.00",
    ),
}


@pytest.mark.parametrize("name", HUNDRED)
def test_what_of_a_pool_of_a_hundred_is_shared(name: str) -> None:
    """Each row is worked out in a line (A80)."""
    steps, expected, left = HUNDRED[name]
    stated = pool(100, "units", steps=ExpenseSteps(**steps))
    result = settled([stated], units("u"), occupancies("t u"))

    assert (f"t {expected}", left) == (shares(result), landlord(result))


@pytest.mark.parametrize(
    ("fields", "expected", "left"),
    [
        # 60.00 and 40.00, less a credit of 10.00.
        ([{"amount": money(50)}], "50.00", "lease_ceiling 40.00"),
        ([{"amount": money(50), "pools": ["a"]}], "80.00", "lease_ceiling 10.00"),
        ([{"amount": money(500)}], "90.00", ""),
        ([{"amount": money(40), "rate": "10%", "years": 2}], "48.40", "lease_ceiling 41.60"),
        (
            [{"amount": money(40), "rate": "10%", "years": 2, "kind": "simple"}],
            "48.00",
            "lease_ceiling 42.00",
        ),
        ([{"amount": money(50), "carried": money(7)}], "57.00", "lease_ceiling 33.00"),
        # A ceiling below all credits takes the charges, and leaves the credit.
        (
            [{"amount": money(0)}, {"amount": money(0), "pools": ["c"]}],
            "0.00",
            "lease_ceiling 90.00",
        ),
    ],
)
def test_ceilings_of_a_lease(fields: list[dict[str, Any]], expected: str, left: str) -> None:
    """Charges are reduced in proportion until they keep to the ceiling (A80)."""
    (stay,) = occupancies("t u")
    stay = stay.evolve(ceilings=[LeaseCeiling(**each) for each in fields])
    pools = [pool(60, "units", id="a"), pool(40, "units", id="b"), pool(-10, "units", id="c")]
    result = settled(pools, units("u"), [stay])

    assert (f"t {expected}", left) == (shares(result), landlord(result))


def test_a_factor_follows_the_ceilings() -> None:
    """Three quarters of 50.00 are 37.50 (A80)."""
    (stay,) = occupancies("t u")
    stay = stay.evolve(ceilings=[LeaseCeiling(amount=money(50))], factor=Decimal("0.75"))
    result = settled([pool(60, "units")], units("u"), [stay])

    assert "lease_ceiling 10.00, factor 12.50" == landlord(result)
    assert "60.00 EUR" == str(result[0].lines[0].uncut)
