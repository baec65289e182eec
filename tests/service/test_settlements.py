"""Settlements over a store: created, completed, settled."""

from typing import Any

import pytest

from rentbilling.errors import NotFoundError, UnsupportedCaseError
from rentbilling.interface import HouseSettlement
from rentbilling.service import called
from tests.support.operated import Body, Service, money, rent

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


def due(service: Service, lease: str, days: str) -> list[tuple[str, str, str]]:
    """Return product, amount and due date of the lines of what is due in some days."""
    return [
        (line.product_key, str(line.net_price), str(bill.due_date))
        for bill in service("list_pending_bills", lease, period=days)
        for line in bill.lines
    ]


def house_of(service: Service, *leases: str, **changes: Any) -> str:  # noqa: ANN401
    """Return a settlement of 100.00 by 60 and 40, of which 70.00 and 20.00 were paid."""
    stays = [
        {"id": f"t{at}", "unit": f"u{at}", "lease": lease} for at, lease in enumerate(leases, 1)
    ]
    paid = [
        {"occupancy": f"t{at}", "total": money(total, "EUR")}
        for at, total in enumerate((70, 20), 1)
    ]
    house = {**HOUSE, "occupancies": stays, "pools": [TAX], "advances": paid, **changes}
    return str(service("create_settlement", settlement=house).settlement_id)


def advance(**changes: Any) -> Body:  # noqa: ANN401
    quarters = {"timeUnit": "Month", "periodLength": 3, "start": 1}
    return rent(20, "EUR", productKey="key:heat", billingCycle=quarters, **changes)


def billed(service: Service, house: str, **asked: Any) -> Any:  # noqa: ANN401
    given = {"settlementId": house, **({} if "receivedOn" in asked else {"dueDate": "2026-04-01"})}
    return service("bill_settlement", {**given, **asked})


def test_a_year_of_costs_balance_and_new_advance_is_billed_once() -> None:
    """60.00 - 70.00 = -10.00 and 40.00 - 20.00 = 20.00; 60.00 a year are 15.00 a quarter (A127).

    Then 110.00 by 60 and 40: -4.00 and 24.00, so that 6.00 and 4.00 are left (A126).
    """
    service = Service()
    one, other = service.lease(advance()), service.lease(rent(30, "EUR"))
    house = house_of(service, one, other)
    products = [{"productKey": "key:heat"}]
    asked: Body = {"advancesFrom": "2026-07-01", "advanceProducts": products}

    first = billed(service, house, leaseIds=[one], **asked)
    assert [(one, "-10.00 EUR")] == [
        (each.lease_id, str(each.amount)) for each in first.one_time_bill_items
    ]
    (changed,) = first.recurring_bill_items
    assert [("15.00 EUR", "2026-07-01")] == [
        (str(each.value), str(each.start)) for each in changed.amount_records
    ]
    second = billed(service, house)
    assert [(other, "20.00 EUR")] == [
        (each.lease_id, str(each.amount)) for each in second.one_time_bill_items
    ]
    ids = tuple(each.id for one in (first, second) for each in one.one_time_bill_items)
    assert ids == service("retrieve_settlement", settlementId=house).one_time_bill_item_ids
    again = billed(service, house)
    assert ((), (), ()) == (
        again.one_time_bill_items,
        again.recurring_bill_items,
        again.problems,
    )
    assert [
        ("key:heat", "20.00 EUR", "2026-04-01"),
        ("key:settlement", "-10.00 EUR", "2026-04-01"),
        ("key:heat", "15.00 EUR", "2026-07-01"),
    ] == due(service, one, "2026-04-01/2026-07-31")

    service(
        "change_settlement",
        settlementId=house,
        pools=[{**TAX, "amount": money(110, "EUR")}],
    )
    corrected = billed(service, house, dueDate="2026-05-01")
    assert ["6.00 EUR", "4.00 EUR"] == [str(each.amount) for each in corrected.one_time_bill_items]
    service("withdraw_one_time_bill_item", oneTimeBillItemId=ids[1])
    (whole,) = billed(service, house).one_time_bill_items
    assert (other, "20.00 EUR") == (whole.lease_id, str(whole.amount))


def test_a_lease_that_cannot_be_billed_stops_no_other() -> None:
    """The heating item has VAT inside; a lease is unknown; one is not settled any more."""
    service = Service()
    inside = {"taxMode": "Inclusive", "taxRate": 0.25}
    one = service.lease(advance(vat=inside))
    house = house_of(service, one, "lease-9")
    asked: Body = {"advancesFrom": "2026-07-01", "advanceProducts": [{"productKey": "key:heat"}]}
    found = billed(service, house, **asked)

    assert [one] == [each.lease_id for each in found.one_time_bill_items]
    assert [(one, "no_advance_item"), ("lease-9", "unknown_id")] == [
        (each.lease_id, each.code) for each in found.problems
    ]
    later = [{"id": "t1", "unit": "u1", "lease": "lease-8"}, HOUSE["occupancies"][1]]
    service("change_settlement", settlementId=house, occupancies=later)
    problems = {each.lease_id: each.code for each in billed(service, house).problems}
    assert {one: "not_settled", "lease-8": "unknown_id", "t2": "unknown_id"} == problems
    for wrong, path, code in (
        ({"leaseIds": ["lease-7"]}, "leaseIds[0]", "unknown_id"),
        (
            {
                "advancesFrom": "2026-07-01",
                "advanceProducts": [{"productKey": "key:w", "group": "w"}],
            },
            "advanceProducts[0].group",
            "wrong_groups",
        ),
        ({"receivedOn": "2026-01-01"}, "dueDate", "one_of_two"),
        ({"advancesFrom": "2026-07-01"}, "advanceProducts", "missing"),
    ):
        body = {"settlementId": house, "dueDate": "2026-04-01", **wrong}
        assert [(path, code)] == service.paths("bill_settlement", body)
    groups: Body = {**asked, "advanceProducts": [{"productKey": "a"}, {"productKey": "b"}]}
    body = {"settlementId": house, "dueDate": "2026-04-01", **groups}
    assert [("advanceProducts", "wrong_groups")] == service.paths("bill_settlement", body)


@pytest.mark.parametrize(
    ("preset", "days"), [("AT", ["2026-05-01", "2026-05-01"]), (None, ["2026-03-20"] * 2)]
)
def test_the_due_date_follows_from_the_day_of_receipt(preset: str | None, days: list[str]) -> None:
    """In Austria a balance is due with the second rent after the statement of 20 March."""
    service = Service()
    leases = [service.lease(rent(30, "EUR")) for _ in range(2)]
    stated = {} if preset is None else {"preset": preset, "knownOn": "2026-03-20"}
    house = house_of(service, *leases, **stated)
    found = billed(service, house, receivedOn="2026-03-20")
    assert days == [str(each.due_date) for each in found.one_time_bill_items]


def test_a_statement_made_elsewhere_is_checked() -> None:
    """Both units are 100 of 100: 60.00 is right, 70.00 has no known cause."""
    service = Service()
    house = house_of(service, "lease-1", "lease-2")
    lines = [{"pool": "tax", "amount": money(70, "EUR")}]
    stated = {"lease": "lease-1", "lines": lines, "advances": money(0, "EUR")}
    found = service("check_statement", settlementId=house, statement=stated)
    assert [
        ("share", "70 EUR", "60.00 EUR", ()),
        ("advances", "0 EUR", "70.00 EUR", ("advances_left_out",)),
    ] == [
        (each.figure, str(each.stated), str(each.expected), each.causes)
        for each in found.differences
    ]
    assert "no known cause" in found.differences[0].message


def test_an_item_that_was_changed_stops_its_lease_alone() -> None:
    """In another product or currency; 66.67 x 0.5 is a line of 33.34, so that -43.34 are left."""
    changes: dict[str, Body] = {
        "other_product": {"productKey": "key:other"},
        "currency_mismatch": {"amount": money(-10, "DKK")},
    }
    for code, changed in changes.items():
        service = Service()
        one, other = service.lease(), service.lease()
        house = house_of(service, one, other)
        (first,) = billed(service, house, leaseIds=[one]).one_time_bill_items
        service("change_one_time_bill_item", oneTimeBillItemId=first.id, **changed)
        found = billed(service, house)
        assert [(one, code)] == [(each.lease_id, each.code) for each in found.problems]
        assert [other] == [each.lease_id for each in found.one_time_bill_items]
    service = Service()
    house = house_of(service, one := service.lease(), service.lease())
    (first,) = billed(service, house, leaseIds=[one]).one_time_bill_items
    half = {"amount": money(66.67, "EUR"), "quantity": 0.5}
    service("change_one_time_bill_item", {"oneTimeBillItemId": first.id, **half})
    (rest,) = billed(service, house, leaseIds=[one]).one_time_bill_items
    assert "-43.34 EUR" == str(rest.amount)


def test_new_advances_of_two_groups_in_one_product_are_one() -> None:
    """60.00 and 24.00 a year by 60 of 100 are 5.00 and 2.00 a month, 21.00 a quarter.

    The other lease has no advances of these groups, and keeps what it pays.
    """
    service = Service()
    one, other = service.lease(advance()), service.lease()
    pools = [{**TAX, "group": "tax"}, {**TAX, "id": "w", "amount": money(40, "EUR"), "group": "w"}]
    paid = [
        {"occupancy": "t1", "total": money(10, "EUR"), "group": group} for group in ("tax", "w")
    ]
    house = house_of(service, one, other, pools=pools, advances=paid)
    products = [{"productKey": "key:heat", "group": group} for group in ("tax", "w")]
    asked: Body = {"advancesFrom": "2026-07-01", "advanceProducts": products, "leaseIds": [one]}

    (changed,) = billed(service, house, **asked).recurring_bill_items
    assert ["21.00 EUR"] == [str(each.value) for each in changed.amount_records]
    without = billed(service, house, **{**asked, "leaseIds": [other]})
    assert ((), ()) == (without.recurring_bill_items, without.problems)


def test_a_new_advance_goes_to_an_item_in_force_with_the_statements_vat() -> None:
    opening = {
        "amount": money(4661, "EUR"),
        "dueDate": "2027-01-15",
        "accountingPeriod": "2027-01-15/2027-03-31",
    }
    later = {"startedOn": "2027-01-15", "firstBillingPeriodBillItem": opening}
    taxed = {"vat": {"taxMode": "Exclusive", "taxRate": 0.25}}
    for items, found in (
        ([advance()], []),
        ([advance(**taxed)], ["no_advance_item"]),
        ([advance(**later)], ["no_advance_item"]),
        ([advance(endedOn="2026-12-31"), advance(**later)], []),
    ):
        service = Service()
        one = service.lease(*items)
        house = house_of(service, one, service.lease())
        products = [{"productKey": "key:heat"}]
        asked: Body = {"advancesFrom": "2026-07-01", "advanceProducts": products, "leaseIds": [one]}
        assert found == [each.code for each in billed(service, house, **asked).problems]


def test_a_correction_that_pays_back_is_due_as_what_it_is() -> None:
    """40.00 of 100.00, then 16.00 of 40.00: 24.00 are due with the next rent, a charge later."""
    service = Service()
    one, other = (service.lease(rent(8500, "EUR")) for _ in range(2))
    house = house_of(service, one, other, advances=[], preset="DK")
    first = billed(service, house, leaseIds=[other], receivedOn="2026-03-20")
    service("change_settlement", settlementId=house, pools=[{**TAX, "amount": money(40, "EUR")}])
    second = billed(service, house, leaseIds=[other], receivedOn="2026-03-20")
    assert [("40.00 EUR", "2026-05-01"), ("-24.00 EUR", "2026-04-01")] == [
        (str(each.amount), str(each.due_date))
        for each in (*first.one_time_bill_items, *second.one_time_bill_items)
    ]
