"""Many houses in one call: one that is refused stops no other (A122)."""

import json
from typing import Any

import pytest

from rentbilling import dumps
from rentbilling.settlement import settle, settle_houses
from tests.support.settlements import Advance, Settlement, money, occupancies, pool, units

# 100.00 by 60 and 40: t1 has 60.00 and paid 70.00, t2 40.00; in the other house u2 has
# no occupancy in January.
ONE = Settlement(
    id="one",
    period="2025",
    currency="EUR",
    pools=[pool(100, "area")],
    units=units("u1 area=60", "u2 area=40"),
    occupancies=occupancies("t1 u1", "t2 u2"),
    advances=[Advance(occupancy="t1", total=money(70))],
)
TWO = ONE.evolve(id="two", occupancies=occupancies("t1 u1", "x u2 2025-02-01/"), policy={"step": 1})
KRONER = ONE.evolve(id=None, currency="DKK", advances=(), pools=[pool(10, "area", currency="DKK")])


def test_houses_have_a_row_each_and_statements_of_their_own() -> None:
    plain = json.loads(dumps(ONE.evolve(id="plain", advances=())))
    late = ONE.evolve(id="late", period="9999", preset="AT")
    wrong: Any = [{**plain, "id": "wrong", "units": 5}, ONE, late]
    found = settle_houses([ONE, TWO, plain, KRONER, *wrong, TWO.evolve(policy={"gaps": "vacant"})])

    assert ["one", "plain", "houses[3]"] == [row["house"] for row in found.rows()]
    figures = [[f"{each}" for each in row.values()][2:] for row in found.rows()]
    assert ["2", "100.00", "100.00", "0.00", "70.00", "30.00", "EUR"] == figures[0]
    assert ["2", "10.00", "10.00", "0.00", "0.00", "10.00", "DKK"] == figures[2]
    assert [f"{each.house_id} {each.error.code}" for each in found.problems] == [
        *("two unit_gap", "wrong not_a_list", "one duplicate_id", "late unsupported"),
        "two duplicate_id",
    ]
    assert str(settle(ONE)) == str(found[0])
    with pytest.raises(LookupError, match=r"no settlement of wrong: .*is not a list"):
        found.of("wrong")
    with pytest.raises(
        LookupError, match="no settlement of x: there are settlements of one, plain"
    ):
        found.of("x")
    with pytest.raises(LookupError, match="no statement of z: there are statements of t1, t2"):
        found.of("one").of("z")
    with pytest.raises(LookupError, match="there are statements of no lease"):
        settle(ONE.evolve(occupancies=[], advances=[])).of("t1")


def test_houses_are_printed_and_written() -> None:
    found = settle_houses([ONE, {"id": "empty"}], policy=None)

    assert "<SettledHouses 1 house, 1 problem>" == repr(found)
    lines = str(found).splitlines()
    assert lines[0].split() == [column.name for column in found.columns]
    assert lines[2].startswith("empty: period: ")
    assert ["one    2025-01-01/2025-12-31  t1     60.00     70.00   -10.00  EUR"] == (
        str(found.statements).splitlines()[1:2]
    )
    written = json.loads(dumps(found))
    assert ["one", 2] == [written["houses"][0]["house"], len(written["houses"][0]["statements"])]
    assert ("empty", "missing") == (written["problems"][0]["house"], written["problems"][0]["code"])


def test_what_is_no_settlement_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(TypeError, match="settle takes a Settlement"):
        settle_houses([5])  # type: ignore[list-item] # pyright: ignore[reportArgumentType]
