"""Consumption: readings of replaced meters, estimates, and readings that are missing (A78)."""

from typing import Any

import pytest

from rentbilling import InvalidInputError, Period
from rentbilling.settlement import consumption
from tests.support.settlements import (
    Reading,
    landlord,
    occupancies,
    pool,
    problems_of,
    settled,
    shares,
    units,
)

HOUSE = ("u1 area=60", "u2 area=40")


def readings(*rows: str) -> list[Any]:
    """Return readings of rows such as "2025-06-30 980 removed"."""
    found = []
    for row in rows:
        day, value, *event = row.split()
        found.append(Reading(unit="u1", day=day, value=value, event=event[0] if event else "read"))
    return found


@pytest.mark.parametrize(
    ("rows", "period", "expected"),
    [
        ("2024-12-31 10|2025-12-31 40", "2025", "30"),
        # A reading of the first day counts where the eve has none, for both sides of a change.
        ("2025-01-01 10|2025-07-01 25|2026-01-01 40", "2025-01-01/2025-06-30", "15"),
        ("2025-01-01 10|2025-07-01 25|2026-01-01 40", "2025-07-01/2025-12-31", "15"),
        (
            "2024-12-31 95|2025-06-30 98 removed|2025-06-30 3 installed|2025-12-31 4",
            "2025",
            "4",
        ),
        ("2024-12-31 10|2025-11-30 40", "2025", "None"),
        ("2025-12-31 40", "2025", "None"),
    ],
)
def test_consumption_is_a_sum_of_differences(rows: str, period: str, expected: str) -> None:
    assert expected == str(consumption(readings(*rows.split("|")), Period.parse(period)))


def test_a_single_reading_shows_no_consumption() -> None:
    assert consumption(readings("2025-01-01 1")) is None


def test_a_reading_that_falls_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="falls"):
        consumption(readings("2024-12-31 10", "2025-12-31 9"))


@pytest.mark.parametrize(
    "rows",
    [
        # What the old meter showed at last is not known, or what the new one showed at first.
        ("2024-12-31 950", "2025-06-30 3 installed", "2025-12-31 40"),
        ("2024-12-31 950", "2025-06-30 980 removed", "2025-12-31 1040"),
        # The new meter is listed first.
        ("2024-12-31 950", "2025-06-30 3 installed", "2025-06-30 980 removed", "2025-12-31 990"),
    ],
)
def test_half_a_change_of_meters_is_refused(rows: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInputError, match="has no other half"):
        consumption(readings(*rows))


def test_persons_before_the_first_record_are_not_0() -> None:
    """Nobody says how many lived there before July."""
    (stay,) = occupancies("t u1")
    later = stay.evolve(person_records=[{"value": 3, "start": "2025-07-01"}])
    found = problems_of([pool(10, "persons")], units("u1"), [later])

    assert ["key_value_missing"] == [each.code for each in found]
    known = later.evolve(person_records=[{"value": 3, "start": "2024-07-01"}])
    assert "t 10.00" == shares(settled([pool(10, "persons")], units("u1"), [known]))


def test_a_value_of_a_whole_year_stands_for_readings() -> None:
    """A unit with one tenant may state its consumption as a value of the key."""
    result = settled(
        [pool(100, "consumption")],
        units("u1 consumption=30", "u2"),
        occupancies("t1 u1", "t2 u2 consumption=10"),
    )

    assert "t1 75.00, t2 25.00" == shares(result)


@pytest.mark.parametrize(
    ("parts", "choice", "expected", "left", "codes"),
    [
        # 100.00: 30.00 by area 60 : 40, and 70.00 that nobody can divide.
        (("area 30%", "consumption"), "landlord", "t1 18.00, t2 12.00", "no_reading 70.00", 1),
        # The main meter shows 100, of which t1 has 40: 28.00.
        (
            ("area 30%", "consumption denominator=100"),
            "landlord",
            "t1 46.00, t2 12.00",
            "no_reading 42.00",
            1,
        ),
        (("area 30%", "consumption"), "fixed_key", "t1 60.00, t2 40.00", "", 1),
    ],
)
def test_what_no_reading_shows(
    parts: tuple[str, ...], choice: str, expected: str, left: str, codes: int
) -> None:
    stays = occupancies("t1 u1 consumption=40", "t2 u2")
    result = settled([pool(100, *parts)], units(*HOUSE), stays, policy={"missing_reading": choice})

    assert (expected, left) == (shares(result), landlord(result))
    assert codes == [each.code for each in result.notices].count("missing_reading")


@pytest.mark.parametrize("choice", ["refuse", "landlord", "fixed_key"])
def test_an_empty_house_without_readings_is_all_the_landlords(choice: str) -> None:
    """100.00: 30.00 by area, and 70.00 that is the landlord's whoever consumed it."""
    parts, policy = ("area 30%", "consumption"), {"missing_reading": choice}
    result = settled([pool(100, *parts)], units(*HOUSE), [], policy=policy)

    assert "no_reading 70.00, vacant 30.00" == landlord(result)


def test_a_fixed_key_is_refused_where_the_pool_has_none() -> None:
    stays = occupancies("t1 u1 consumption=40", "t2 u2")
    policy = {"missing_reading": "fixed_key"}
    found = problems_of([pool(100, "consumption")], units(*HOUSE), stays, policy=policy)

    assert ["missing_reading"] == [each.code for each in found]


def test_notices_name_what_a_person_should_look_at() -> None:
    """Vacant days without a reading count 0, a tenant's 0 and an estimate are reported."""
    stays = occupancies(
        "t1 u1 /2025-06-30 consumption=40", "t2 u2 consumption=0", "late u2 2026-01-01/"
    )
    stays[0] = stays[0].evolve(estimated=True)
    result = settled([pool(100, "consumption")], units(*HOUSE), stays, policy={"gaps": "vacant"})

    assert "t1 100.00, vacant:u1:2025-07-01 0.00, t2 0.00" == shares(result)
    assert [
        *("outside_period", "vacant_gap", "vacant_without_reading", "zero_consumption"),
        *("estimated_consumption", "no_advances"),
    ] == [each.code for each in result.notices]


@pytest.mark.parametrize(("vacant", "expected"), [(0, "t 10.00"), (1, "t 6.67")])
def test_a_vacant_unit_counts_for_the_persons_of_the_policy(vacant: int, expected: str) -> None:
    """2 of 2 persons, or 2 of 3 (A77)."""
    stays = occupancies("t u1 persons=2", "v u2 who=vacant")
    result = settled([pool(10, "persons")], units(*HOUSE), stays, policy={"vacant_persons": vacant})

    assert shares(result).startswith(expected)
