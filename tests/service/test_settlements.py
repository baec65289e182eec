"""Settlements over a store: created, completed, settled."""

import pytest

from rentbilling.errors import NotFoundError, UnsupportedCaseError
from rentbilling.interface import HouseSettlement
from rentbilling.service import called
from tests.support.operated import Body, Service, money

HOUSE: Body = {
    "period": "2025-01-01/2025-12-31",
    "currency": "EUR",
    "pools": [],
    "units": [{"id": "u1", "values": {"area": 60}}, {"id": "u2", "values": {"area": 40}}],
    "occupancies": [{"id": "t1", "unit": "u1", "lease": "lease-1"}, {"id": "t2", "unit": "u2"}],
}
TAX: Body = {"id": "tax", "amount": money(100, "EUR"), "parts": [{"key": "area"}]}
HEAT: Body = {
    "id": "heat",
    "amount": money(10, "EUR"),
    "parts": [{"key": "rooms", "units": ["u2"]}],
}


def test_costs_are_recorded_and_settled() -> None:
    """100.00 by 60 and 40: 60.00 and 40.00; 70.00 were paid, so that 10.00 are paid back."""
    service = Service()
    assert "id-1" == service("create_settlement", settlement=HOUSE).settlement_id
    paid = [{"occupancy": "t1", "total": money(70, "EUR")}]
    changed = service("change_settlement", settlementId="id-1", pools=[TAX], advances=paid)
    answer = service("list_statements", settlementId="id-1")

    assert changed == service("retrieve_settlement", settlementId="id-1")
    assert [changed] == [*service("list_settlements").settlements]
    assert [("lease-1", "60.00 EUR", "-10.00 EUR"), ("t2", "40.00 EUR", "40.00 EUR")] == [
        (each.lease_id, str(each.share), str(each.balance)) for each in answer.statements
    ]
    (line,) = answer.statements[0].lines
    assert ("tax", "t1", "u1", "100.00 EUR", "60.00 EUR") == (
        *(line.pool_id, line.occupancy_id, line.unit_id),
        *(str(line.pool_amount), str(line.amount)),
    )
    assert ((), ()) == (answer.landlord, answer.problems)


def test_what_is_wrong_with_a_lease_is_listed_and_the_landlord_bears_what_is_vacant() -> None:
    """Of u2 there is no number of rooms; u1 is vacant for 300 days: 60.00 x 300/365 = 49.32."""
    service = Service()
    stays = [{"id": "t1", "unit": "u1", "firstDay": "2025-10-28"}, HOUSE["occupancies"][1]]
    house = {**HOUSE, "occupancies": stays, "pools": [TAX, HEAT], "policy": {"gaps": "vacant"}}
    service("create_settlement", settlement=house)
    answer = service("list_statements", settlementId="id-1")

    assert ["t1"] == [each.lease_id for each in answer.statements]
    assert [("tax", "vacant", "49.32 EUR")] == [
        (each.pool_id, each.reason, str(each.amount)) for each in answer.landlord
    ]
    assert ["t2"] == [each.lease_id for each in answer.problems]
    assert answer.problems[0].code
    assert answer.problems[0].message


def test_a_change_that_contradicts_the_settlement_changes_nothing() -> None:
    service = Service()
    service("create_settlement", settlement=HOUSE)
    wrong = [{"occupancy": "t7", "total": money(70, "EUR")}]

    assert [("advances[0].occupancy", "unknown_id")] == service.paths(
        "change_settlement", settlementId="id-1", advances=wrong
    )
    before = service("retrieve_settlement", settlementId="id-1")
    assert before == service("change_settlement", settlementId="id-1")
    known = service("change_settlement", settlementId="id-1", knownOn="2026-01-01")
    assert "2026-01-01" == str(known.settlement.known_on)
    error = service.refused("list_statements", settlementId="id-9")
    assert NotFoundError("unknown_id", kind=called(HouseSettlement), id="id-9") == error


def test_a_settlement_that_takes_too_long_is_refused() -> None:
    """400 pools of 250 units and one occupancy are 100,400 shares."""
    service = Service()
    house = {**HOUSE, "occupancies": [HOUSE["occupancies"][0]]}
    house["units"] = [{"id": f"u{at}", "values": {"area": 1}} for at in range(250)]
    house["pools"] = [{**TAX, "id": f"p{at}"} for at in range(400)]
    service("create_settlement", settlement=house)
    with pytest.raises(UnsupportedCaseError, match="100,000 shares"):
        service("list_statements", settlementId="id-1")
