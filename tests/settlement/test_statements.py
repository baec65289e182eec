"""Statements: advances, balances, items, new advances, tables (A82, A83, A84)."""

import json
from decimal import Decimal
from pickle import dumps as dumped, loads as loaded
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import recurring_item
from rentbilling.errors import CurrencyMismatchError, UnsupportedCaseError
from rentbilling.settlement import (
    Settlement,
    advance_total,
    billed_advance,
    new_advance,
    settle,
)
from tests.support.settlements import (
    Advance,
    CostPool,
    LeaseCeiling,
    PersonsRecord,
    PoolPart,
    Reading,
    Settlement as AnySettlement,
    SettlementPolicy,
    money,
    occupancies,
    pool,
    settled,
    units,
)

FROM_APRIL = rb.AmountRecord(value=rb.Amount(120, "EUR"), start="2025-04-01")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"total": money(5)}, "5"),
        ({"monthly": money(100), "months": 7}, "700.00"),
        # 15 March to 31 December: nine whole months, ten begun ones; 17 of 31 days of March.
        ({"monthly": money(100)}, "900.00"),
        ({"monthly": money(100), "counted": "begun_months"}, "1000.00"),
        ({"monthly": money(100), "counted": "days"}, "954.84"),
        ({"yearly": money(1200)}, "900.00"),
        # 292 of 365 days.
        ({"yearly": money(1200), "counted": "days"}, "960.00"),
        ({"monthly": money(100), "records": [FROM_APRIL]}, "1080.00"),
        ({"records": [FROM_APRIL], "counted": "begun_months"}, "1080.00"),
    ],
)
def test_what_an_advance_comes_to(fields: dict[str, Any], expected: str) -> None:
    found = advance_total(
        Advance(occupancy="o", **fields), rb.Period.parse("2025-03-15/2025-12-31")
    )

    assert Decimal(expected) == found.amount


def test_what_was_billed_counts_as_an_advance() -> None:
    """Of 90.00 a month from February eleven months begin in 2026; the rent is another product."""
    heat = recurring_item("key:heat", "90 EUR", "2026-02-01")
    terms = rb.LeaseTerms.of(heat, rb.monthly_rent("900 EUR", moved_in="2026-02-01"))
    bills = rb.pending_bills(terms, "2026-01-01/2027-03-31")
    found = billed_advance(bills, "o", ["key:heat"], rb.Period.parse("2026"), group="heat")

    assert ("990.00 EUR", "heat") == (str(found.total), found.group)
    assert found == billed_advance(bills, "o", "key:heat", "2026", group="heat")
    for others in (["key:water"], "a key:heat of others"):
        with pytest.raises(rb.InvalidInputError, match="are on no line"):
            billed_advance(bills, "o", others, "2026")


def test_results_are_copied_and_pickled() -> None:
    result = settled(GROUPS, units("u"), occupancies("o1 u"))

    assert [each.share for each in result] == [each.share for each in loaded(dumped(result))]


def test_an_advance_has_one_amount() -> None:
    both = Advance(occupancy="o", monthly=money(1), yearly=money(12))
    with pytest.raises(rb.InvalidInputError, match="has not exactly one amount"):
        advance_total(both, rb.Period.parse("2025"))


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        # 1,000.00 / 12 = 83.333, with 3 % 85.833.
        ({}, "83.33"),
        ({"uplift": "3%"}, "85.83"),
        ({"advance_step": 5}, "85"),
        ({"advance_step": 10, "advance_rounding": "up"}, "90"),
    ],
)
def test_the_new_advance(policy: dict[str, Any], expected: str) -> None:
    found = new_advance({None: rb.Amount(1000, "EUR")}, policy=SettlementPolicy(**policy))

    assert Decimal(expected) == found[None].amount


@pytest.mark.parametrize(("months", "step"), [(0, 1), (12, "0.001")])
def test_a_new_advance_of_no_months_or_too_fine_a_step_is_refused(
    months: int, step: object
) -> None:
    policy = SettlementPolicy(advance_step=step)
    with pytest.raises(rb.InvalidInputError):
        new_advance({None: rb.Amount(1, "EUR")}, months=months, policy=policy)


GROUPS = [pool(120, "units", group="heat", id="a"), pool(60, "units", group="water", id="b")]


def statement(*advances: Any, **policy: Any) -> Any:  # noqa: ANN401
    stays = occupancies("o1 u lease=L /2025-06-30", "o2 u lease=L 2025-07-01/")
    return settled(GROUPS, units("u"), stays, policy=policy, advances=advances)[0]


def test_a_group_with_advances_of_its_own_has_a_balance_of_its_own() -> None:
    """Heat 120.00 less 100.00, the rest 60.00 less 80.00; both are one item (A82)."""
    one = statement(
        Advance(occupancy="o1", group="heat", total=money(100)),
        Advance(occupancy="o2", total=money(80)),
    )

    found = {each.group: f"{each.balance.amount:f}" for each in one.balances}
    assert {None: "-20.00", "heat": "20.00"} == found
    assert ("180.00 EUR", "180.00 EUR", "0.00 EUR") == (
        str(one.share),
        str(one.advances),
        str(one.balance),
    )
    assert () == one.items("2026-03-01")
    assert "2025-01-01/2025-12-31" == str(one.balances[0].days)


def test_each_group_may_have_an_item() -> None:
    """Denmark settles heat and water by themselves (A82)."""
    one = statement(Advance(occupancy="o1", group="water", total=money(70)), items="group")

    assert [("key:settlement:heat", "120.00"), ("key:settlement:water", "-10.00")] == [
        (each.product_key, f"{each.amount.amount:f}") for each in one.items("2026-03-01")
    ]


def test_a_corrected_statement_bills_the_difference_alone() -> None:
    """Nothing more the second time; 5.00 more where the advance was 5.00 less (A82)."""
    first = statement(Advance(occupancy="o1", total=money(100)))
    billed = first.items("2026-03-01")
    again = statement(Advance(occupancy="o1", total=money(95)))

    assert ["80.00 EUR"] == [str(each.amount) for each in billed]
    assert () == first.items("2026-03-01", already_settled=billed)
    (more,) = again.items("2026-04-01", already_settled=billed)
    assert "5.00 EUR" == str(more.amount)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        # 80.00 was billed in time. The correction says 90.00, of which 10.00 come too late;
        # 60.00, so that 20.00 are paid back; and -5.00, so that 85.00 are.
        (100, 90, []),
        (100, 120, ["-20.00"]),
        (100, 185, ["-85.00"]),
        # 20.00 were paid back, and are not asked for again.
        (200, 150, []),
        (200, 190, []),
        (200, 210, ["-10.00"]),
    ],
)
def test_a_late_correction_keeps_what_was_billed_in_time(
    before: int, now: int, expected: list[str]
) -> None:
    """An extra charge above the earlier items is dropped, and nothing else (A84)."""
    first = statement(Advance(occupancy="o1", total=money(before)))
    late = settled(
        GROUPS,
        units("u"),
        occupancies("o1 u lease=L"),
        policy={"late": "drop_extra_charge"},
        advances=[Advance(occupancy="o1", total=money(now))],
        known_on="2027-01-01",
        settled_by="2026-12-31",
    )[0]
    items = late.items("2027-02-01", already_settled=first.items("2026-03-01"))

    assert expected == [f"{each.amount.amount:f}" for each in items]


def test_a_late_correction_keeps_what_was_billed_in_time_under_another_vat() -> None:
    """80.00 without VAT were billed in time, and are owed with VAT: nothing is lost (A84).

    20.00 without VAT were paid back, and are 10.00 with VAT: 20.00 stay, with VAT. Where nothing is
    due, they stay as they were.
    """
    (stay,) = occupancies("o1 u lease=L")
    taxed = stay.evolve(vat={"tax_mode": "Exclusive", "tax_rate": "0.19"})
    late: dict[str, Any] = {
        "policy": {"late": "drop_extra_charge"},
        "known_on": "2027-01-01",
        "settled_by": "2026-12-31",
    }
    for before, paid, expected in (
        (100, 100, ["-80.00", "80.00"]),
        (100, 50, ["-80.00", "80.00"]),
        (200, 190, ["20.00", "-20.00"]),
        (200, 180, []),
    ):
        billed = statement(Advance(occupancy="o1", total=money(before))).items("2026-03-01")
        advances = [Advance(occupancy="o1", total=money(paid))]
        again = settled(GROUPS, units("u"), [taxed], advances=advances, **late)[0]
        items = again.items("2027-02-01", already_settled=billed)
        assert expected == [f"{each.amount.amount:f}" for each in items]


def test_a_late_correction_of_groups_that_share_an_item_is_refused() -> None:
    """What of an item was of which group is not known: 100.00 dropped and -50.00, then -80.00."""
    late: dict[str, Any] = {
        "policy": {"late": "drop_extra_charge"},
        "known_on": "2027-01-01",
        "settled_by": "2026-12-31",
    }
    first, second = (
        settled(
            [pool(200, "units", group="h", id="h"), pool(of_water, "units", group="w", id="w")],
            units("u"),
            occupancies("o1 u lease=L"),
            advances=[Advance(occupancy="o1", total=money(100), group=each) for each in "hw"],
            **late,
        )[0]
        for of_water in (50, 20)
    )
    items = first.items("2027-02-01")
    assert ["-50.00"] == [f"{each.amount.amount:f}" for each in items]
    with pytest.raises(UnsupportedCaseError, match="groups that share an item"):
        second.items("2027-05-01", already_settled=items)
    other = [items[0].evolve(amount=rb.Amount(-50, "DKK"))]
    with pytest.raises(CurrencyMismatchError, match=r"^already_settled\[0\]\.amount"):
        second.items("2027-05-01", already_settled=other)


def test_an_earlier_item_with_another_vat_is_taken_back() -> None:
    """80.00 were billed without VAT; the lease pays VAT, and owes 80.00 net (A82)."""
    advance = Advance(occupancy="o1", total=money(100))
    billed = statement(advance).items("2026-03-01")
    (stay,) = occupancies("o1 u lease=L")
    taxed = stay.evolve(vat={"tax_mode": "Exclusive", "tax_rate": "0.19"})
    again = settled(GROUPS, units("u"), [taxed], advances=[advance])[0]
    items = again.items("2026-04-01", already_settled=billed)

    assert [("Exempt", "-80.00 EUR"), ("Exclusive", "80.00 EUR")] == [
        (each.vat.tax_mode, str(each.amount)) for each in items
    ]
    others = [each.evolve(product_key="key:deposit") for each in billed]
    assert ["80.00 EUR"] == [
        str(each.amount) for each in again.items("2026-04-01", already_settled=others)
    ]


@pytest.mark.parametrize(
    ("late", "paid", "expected", "words"),
    [
        ("notice", 170, ["10.00"], "to pay"),
        ("notice", 180, [], "nothing to pay"),
        ("drop_extra_charge", 170, [], "late: 0.00 EUR charged"),
        ("drop_extra_charge", 190, ["-10.00"], "to be paid back"),
    ],
)
def test_an_extra_charge_of_a_late_statement(
    late: str, paid: int, expected: list[str], words: str
) -> None:
    """It is lost where the policy says so; a refund stays (A84)."""
    result = settled(
        GROUPS,
        units("u"),
        occupancies("o1 u"),
        policy={"late": late},
        advances=[Advance(occupancy="o1", total=money(paid))],
        known_on="2027-01-01",
        settled_by="2026-12-31",
    )

    assert expected == [f"{each.amount.amount:f}" for each in result[0].items("2027-02-01")]
    assert words == result[0].balance_words
    assert "late_statement" in {each.code for each in result.notices}
    dropped = late == "drop_extra_charge" and paid == 170
    assert dropped == str(result).splitlines()[0].endswith("0.00 EUR, late: 0.00 EUR charged")


def test_a_result_is_a_table_of_statements_and_a_statement_one_of_lines() -> None:
    one = statement(Advance(occupancy="o1", total=money(100)))
    result = settled(GROUPS, units("u"), occupancies("o1 u"), known_on="2026-01-01")

    assert ["o1 a", "o1 b", "o2 a", "o2 b"] == [f"{r['occupancy']} {r['pool']}" for r in one.rows()]
    assert [Decimal("59.51"), Decimal("29.75")] == [row["share"] for row in one.rows()[:2]]
    assert "L: share 180.00 EUR, advances 100.00 EUR, balance 80.00 EUR" == str(one).splitlines()[0]
    assert "  a: 59.51 EUR of 120.00 EUR" == str(one).splitlines()[1]
    assert {"lease", "share", "advances", "balance", "currency"} == set(result.rows()[0])
    for table in (one, result):
        assert [column.name for column in table.columns] == [*table.rows()[0]]
    assert "180.00 EUR" == str(result.of("o1").share)
    assert SettlementPolicy() == result.policy
    with pytest.raises(LookupError, match="no statement"):
        result.of("x")


def test_a_result_prints_as_its_statements_and_what_the_landlord_bears() -> None:
    stays = occupancies("t a", "v b who=vacant")
    result = settled([pool(10, "x")], units("a x=3", "b x=1"), stays)

    assert "<SettlementResult 1 statement>" == repr(result)
    balance = "share 7.50 EUR, advances 0.00 EUR, balance 7.50 EUR"
    assert f"<Statement t: {balance}>" == repr(result[0])
    bears = ["  pool: 7.50 EUR of 10.00 EUR", "landlord: 2.50 EUR"]
    assert [f"t: {balance}", *bears] == str(result).splitlines()
    assert "landlord" not in str(settled([pool(1, "units")], units("u"), occupancies("t u")))


def test_what_all_leases_have_in_common_is_said_once() -> None:
    """Advances of nobody, or of no water (A114)."""
    stays, of_units = occupancies("a u", "b v", "c w"), units("u", "v", "w")
    none = settled(GROUPS, of_units, stays)
    heat = [Advance(occupancy=name, group="heat", total=money(40)) for name in "abc"]
    rest = [Advance(occupancy=name, total=money(20)) for name in "bc"]
    some = settled(GROUPS, of_units, stays, advances=[*heat[:2], *rest])
    most = settled(GROUPS, of_units, stays, advances=heat, policy={"items": "group"})

    assert [("no_advances", "all leases: no advances", None)] == [each[:3] for each in none.notices]
    assert [("a", "no advances of other costs")] == [
        (each.item_id, each.message) for each in some.notices
    ]
    assert ["all leases: no advances of water"] == [each.message for each in most.notices]
    assert ["no advances of water"] == [each.message for each in most.of("a").notices]


def test_a_result_is_written_as_json() -> None:
    """The lease bears 120.00 of heat and 60.00 of water, and paid 100.00."""
    result = settled(GROUPS, units("u"), occupancies("o1 u lease=L"), known_on="2026-01-01")
    written = json.loads(rb.dumps(result))
    (one,) = written["statements"]

    assert json.loads(rb.dumps(result[0])) == one
    assert ["L", 180, 2] == [one["lease"], one["share"]["amount"], len(one["lines"])]
    assert ["a", "b"] == [each["pool"] for each in written["pools"]]
    with pytest.raises(TypeError, match="SettlementResult has one form"):
        rb.dumps(result, full=True)


def test_pools_say_what_tenants_and_landlord_bear() -> None:
    result = settled([pool(10, "x")], units("a x=3", "b x=1"), occupancies("t a", "v b who=vacant"))

    (only,) = result.pools
    assert ("10.00 EUR", "7.50 EUR") == (str(only.total), str(only.tenants))
    assert {"vacant": rb.Amount("2.50", "EUR")} == only.landlord
    assert "2.50 EUR" == str(result.landlord)


def test_a_settlement_reads_and_writes_as_json() -> None:
    """What is absent is not written, and the same figures come of what was written (A74)."""
    (stay,) = occupancies("t u1 persons=2 heat=30 2025-02-01/")
    stated = AnySettlement(
        period="2025-01-01/2025-12-31",
        currency="EUR",
        pools=[
            CostPool(
                id="heat",
                amount=money("100.00"),
                parts=[PoolPart(key="area", fraction="0.3"), PoolPart(key="heat", time="readings")],
            )
        ],
        units=units("u1 area=50", "u2 -"),
        occupancies=[
            stay.evolve(
                person_records=[PersonsRecord(value=3, start="2025-03-01")],
                ceilings=[LeaseCeiling(amount=money("90.00"))],
            )
        ],
        readings=[Reading(unit="u1", day="2025-01-01", value=1)],
        advances=[Advance(occupancy="t", total=money("20.00"))],
        policy=SettlementPolicy(gaps="vacant"),
    )
    text = rb.dumps(stated)

    assert stated == rb.loads(text, Settlement)
    assert settle(stated)[0].balance == settle(rb.loads(text, Settlement))[0].balance
    assert '"policy": {"gaps": "vacant"}' in text
    assert (
        '"units": [{"id": "u1", "values": {"area": 50}}, {"id": "u2", "takesPart": false}]' in text
    )
    assert Settlement.model_json_schema()["required"] == ["period", "currency", "pools", "units"]


def test_what_a_person_should_look_at_in_keys_and_advances() -> None:
    """Shares that leave some, another table, and an advance of 0."""
    table = [160, 160, 130, 80, 40, 14, 13, 13, 30, 80, 120, 160]
    result = settled(
        [
            pool(10, "share denominator=100", id="fixed"),
            pool(10, "share time=degree_days", id="heat"),
        ],
        units("u share=60", "v share=0"),
        occupancies("t u"),
        policy={"degree_days": {"months": table}},
        advances=[Advance(occupancy="t", total=money(0))],
    )

    assert [
        ("denominator_not_reached", "fixed"),
        ("other_degree_days", "heat"),
        ("no_advances", "t"),
    ] == [(each.code, each.item_id) for each in result.notices]
    assert ["fixed", "heat"] == [each.pool_id for each in result.pools]


def test_a_notebook_shows_a_statement_with_its_balance() -> None:
    """60 of 100 m2 are 600.00 of 1,000.00; 550.00 were paid."""
    result = settled(
        [pool(1000, "area", id="tax", description="Tax & more")],
        units("u1 area=60", "u2 area=40"),
        occupancies("t1 u1", "t2 u2"),
        advances=[Advance(occupancy="t1", total=money(550))],
    )
    assert ["Tax & more"] == [row["description"] for row in result.of("t1").rows()]
    shown = result.of("t1")._repr_html_()
    cells = [each.partition("<")[0] for each in shown.partition("<table")[2].split(">")]

    assert ["Tax &amp; more", "u1", "1 Jan – 31 Dec 2025", "1,000.00", "600.00"] == [
        each for each in cells if each
    ][6:11]
    assert ["Share", "600.00", "Advances", "550.00", "Balance EUR, to pay", "50.00"] == [
        each for each in cells if each
    ][11:]
    assert "no advances" in result.of("t2")._repr_html_()
