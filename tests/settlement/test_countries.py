"""Settled as countries do it: presets, rates of VAT that changed, due days, new advances."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import recurring_item
from rentbilling.settlement import Statement, billed_advances, settle
from tests.support.settlements import (
    Advance,
    Settlement,
    landlord,
    money,
    occupancies,
    pool,
    problems_of,
    settled,
    shares,
    units,
)

FINNISH = [
    {"value": {"tax_mode": "Exclusive", "tax_rate": "0.255"}, "start": "2024-09-01"},
    {"value": {"tax_mode": "Exclusive", "tax_rate": "0.24"}, "start": "2013-01-01"},
]
FROM_SEPTEMBER = {"value": money(350), "start": "2024-09-01"}


def of_finland(rate: str, **advance: Any) -> Statement:  # noqa: ANN401
    (stay,) = occupancies("t u")
    result = settled(
        [pool(3660, "units")],
        units("u"),
        [stay.evolve(vat_records=FINNISH)],
        "2024",
        policy={"settlement_rate": rate},
        advances=[Advance(occupancy="t", **advance)],
    )
    return result[0]


@pytest.mark.parametrize(
    ("rate", "advance", "expected"),
    [
        ("period_end", {"monthly": money(250)}, {"0.255": "660"}),
        # 244 and 122 days of 3,660.00, and of 3,000.00 paid: 440.00 and 220.00.
        ("days", {"monthly": money(250)}, {"0.24": "440", "0.255": "220"}),
        # 8 × 200.00 and 4 × 350.00 were paid: 3,660.00 by 1,600 : 1,400 is 1,952.00 and 1,708.00.
        (
            "advances",
            {"monthly": money(200), "records": [FROM_SEPTEMBER]},
            {"0.24": "352", "0.255": "308"},
        ),
        ("advances", {"monthly": money(0)}, {"0.24": "2440", "0.255": "1220"}),
    ],
)
def test_a_balance_has_the_rates_of_its_period(
    rate: str, advance: dict[str, Any], expected: dict[str, str]
) -> None:
    """Finland raised its VAT on 1 September 2024: each rate is an item of its own (A91)."""
    items = of_finland(rate, **advance).items("2025-03-01")

    assert expected == {f"{each.vat.tax_rate}": f"{each.amount.amount:.0f}" for each in items}


def test_advances_that_were_billed_have_their_rates() -> None:
    """1,600.00 at 24 % and 1,400.00 at 25.5 %; an advance of another rate is refused (A91)."""
    item = recurring_item("key:heat", "200 EUR", "2024-01-01")
    vats = [{"value": each["value"], "start": each["start"]} for each in FINNISH]
    amounts = [{"value": money(200), "start": "2024-01-01"}, FROM_SEPTEMBER]
    terms = rb.LeaseTerms.of(item.evolve(vat_records=vats, amount_records=amounts))
    period = rb.Period.parse("2024")
    paid = billed_advances(rb.pending_bills(terms, period), "t", ["key:heat"], period)

    assert ["1600.00 EUR", "1400.00 EUR"] == [str(each.total) for each in paid]
    (stay,) = occupancies("t u")
    stay = stay.evolve(vat_records=FINNISH)
    policy, cost = {"settlement_rate": "advances"}, pool(3660, "units")
    result = settled([cost], units("u"), [stay], "2024", policy=policy, advances=[*paid])
    assert ["352.00", "308.00"] == [
        f"{each.amount.amount:f}" for each in result[0].items("2025-03-01")
    ]
    other = paid[0].evolve(vat={"tax_mode": "Exclusive", "tax_rate": "0.1"})
    wrong = problems_of([cost], units("u"), [stay], "2024", policy=policy, advances=[other])
    assert ["advances[0].vat"] == [each.path for each in wrong]


def test_advances_without_days_say_nothing_of_rates() -> None:
    """A total may have been paid at any rate (A91)."""
    for fields in ({"total": money(9)}, {"monthly": money(9), "months": 12}):
        with pytest.raises(rb.InvalidInputError) as refused:
            of_finland("advances", **fields)
        assert "advance_without_days" == refused.value.code


def test_a_lease_that_becomes_taxed_is_two_occupancies() -> None:
    """Of the one the share is gross, of the other net (A81)."""
    (stay,) = occupancies("t u")
    stay = stay.evolve(vat_records=FINNISH[:1])
    found = problems_of([pool(1, "units")], units("u"), [stay], "2024")

    assert ["vat_mode_changes"] == [each.code for each in found]
    assert "t 1.00" == shares(settled([pool(1, "units")], units("u"), [stay], "2025"))


@pytest.mark.parametrize(
    ("rows", "policy", "expected"),
    [
        # 120.00 and 60.00 of the year.
        ("t u", {}, "heat 10.00 water 5.00"),
        # 184 of 365 days of both, as if for the year; 3 % more; to five euros.
        ("o u /2025-06-30|t u 2025-07-01/", {}, "heat 10.00 water 5.00"),
        ("t u", {"uplift": "3%"}, "heat 10.30 water 5.15"),
        ("t u", {"advance_step": 4, "advance_rounding": "up"}, "heat 12.00 water 8.00"),
    ],
)
def test_a_new_advance_is_for_a_full_year(rows: str, policy: dict[str, Any], expected: str) -> None:
    """Each group by itself; the credit of the third makes none (A92)."""
    pools = [
        pool(120, "units", group="heat", id="a"),
        pool(60, "units", group="water", id="b"),
        pool(-5, "units", group="sun", id="c"),
    ]
    policy = {"items": "group", **policy}
    result = settled(pools, units("u"), occupancies(*rows.split("|")), policy=policy)
    found = result.of("t").new_advances("2026-07-01")

    assert f"{expected} sun 0.00" == " ".join(
        f"{n} {each.value.amount}" for n, each in found.items()
    )
    assert {date(2026, 7, 1)} == {each.start for each in found.values()}


def test_a_leap_year_has_a_day_more_for_who_came_in_spring_too() -> None:
    """366.00 are 1.00 a day: of 292 days 292.00, as if for 366, over twelve 30.50 (A92)."""
    stays = occupancies("s u /2024-03-14", "t u 2024-03-15/")
    result = settled([pool(366, "units")], units("u"), stays, "2024")

    assert ["74.00 30.50", "292.00 30.50"] == [
        f"{each.share.amount} {record.value.amount}"
        for each in result
        for record in each.new_advances("2025-07-01").values()
    ]


RENTS = [date(2026, month, 1) for month in range(1, 13)]


@pytest.mark.parametrize(
    ("policy", "paid", "expected"),
    [
        ({}, 0, "2026-09-10"),
        ({"due_days": 30}, 0, "2026-10-10"),
        ({"due_days": 30}, 200, "2026-10-10"),
        # Austria: with the second rent after the statement.
        ({"due_rents": 2}, 0, "2026-11-01"),
        # Denmark: the first rent after a month; a refund with the next one.
        ({"due_months": 1, "due_rents": 1, "refund_waits": False}, 0, "2026-11-01"),
        ({"due_months": 1, "due_rents": 1, "refund_waits": False}, 200, "2026-10-01"),
        ({"due_months": 1, "refund_waits": False}, 200, "2026-09-10"),
    ],
)
def test_when_a_balance_is_due(policy: dict[str, Any], paid: int, expected: str) -> None:
    """Received on 10 September, rents on the first of each month (A92)."""
    advances = [Advance(occupancy="t", total=money(paid))]
    stays, cost = occupancies("t u"), pool(100, "units")
    result = settled([cost], units("u"), stays, policy=policy, advances=advances)

    assert expected == str(result[0].due_date("2026-09-10", RENTS))


def test_what_a_correction_pays_back_is_due_as_a_refund() -> None:
    """The share is an extra charge still; less an earlier item, 24.00 are paid back."""
    policy = {"due_months": 1, "due_rents": 1, "refund_waits": False}
    one = settled([pool(16, "units")], units("u"), occupancies("t u"), policy=policy)[0]

    assert ["2026-11-01", "2026-10-01"] == [
        str(one.due_date("2026-09-10", RENTS, charged=each))
        for each in (None, rb.Amount("-24.00", one.balance.currency))
    ]


def test_a_rent_that_is_not_known_is_no_due_day() -> None:
    result = settled([pool(1, "units")], units("u"), occupancies("t u"), policy={"due_rents": 2})
    with pytest.raises(rb.InvalidInputError, match="too few after the day"):
        result[0].due_date("2026-11-15", RENTS)


def test_no_balance_is_due_after_the_calendar() -> None:
    policy = {"due_days": 30}
    result = settled([pool(1, "units")], units("u"), occupancies("t u"), policy=policy)
    with pytest.raises(rb.UnsupportedCaseError, match="a balance due after 9999-12-31"):
        result[0].due_date("9999-12-02")


def in_country(preset: str, *pools: Any, **fields: Any) -> Any:  # noqa: ANN401
    return Settlement(
        period="2025",
        currency="EUR",
        preset=preset,
        pools=[*pools] or [pool(100, "units")],
        units=units("u1 area=60", "u2 area=40"),
        occupancies=occupancies("t u1 consumption=1"),
        **fields,
    )


@pytest.mark.parametrize(
    ("preset", "known_on", "charged"),
    [
        ("DE", "2026-12-31", "50.00"),
        ("DE", "2027-01-01", "0.00"),
        ("DE commercial", "2027-01-01", "50.00"),
        ("at", "2026-07-01", "50.00"),
    ],
)
def test_a_preset_brings_its_policy_and_its_last_day(
    preset: str, known_on: str, charged: str
) -> None:
    """Twelve months in Germany, and then the extra charge is lost (A93)."""
    result = settle(in_country(preset, known_on=known_on))

    assert f"{charged} EUR" == str(result[0].charged)
    late = known_on in ("2027-01-01", "2026-07-01")
    assert late == ("late_statement" in {each.code for each in result.notices})


def test_the_days_of_a_preset_are_shown() -> None:
    """Austria: 30 June, and three years after the year; a stated last day counts (A84, A93)."""
    austria = in_country("AT", known_on="2028-12-31")
    result = settle(austria)

    assert "2026-06-30 2029-01-01" == f"{result.deadlines.settled_by} {result.deadlines.lapsed_on}"
    assert "claim_lapsed" not in {each.code for each in result.notices}
    late = settle(austria.evolve(known_on="2029-01-01", settled_by="2026-01-31"))
    assert "claims lapse from 2029-01-01 on in AT" in {each.message for each in late.notices}
    lost = settle(in_country("DE", known_on="2027-01-01")).notices
    assert "extra charges are lost from 2027-01-01 on in DE" in {each.message for each in lost}
    assert "2026-01-31" == str(late.deadlines.settled_by)
    plain = settle(austria.evolve(preset=None))
    assert (None,) * 4 == plain.deadlines


def test_what_presets_choose() -> None:
    """Denmark settles groups by themselves; Germany has estimates for 25 % of the area (A93)."""
    found = [settle(in_country(each)).policy for each in ("DK", "DE", "NL")]

    assert ["group", "lease", "lease"] == [each.items for each in found]
    assert [None, Decimal("0.25"), None] == [each.estimate_limit for each in found]


def test_an_unknown_country_is_refused() -> None:
    for name in ("XX", "DE x", "  "):
        with pytest.raises(rb.InvalidInputError) as refused:
            in_country(name)
        assert ["preset"] == [each.path for each in refused.value.problems]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # Up to 25 of 100 m² an estimate counts: 300.00 by area and 700.00 by consumption.
        ("a1 u1 e", "a1 175.00, a2 115.00, a3 290.00, a4 420.00"),
        # Of 30 m² it does not: all by area.
        ("a1 u3 e", "a1 250.00, a2 50.00, a3 300.00, a4 400.00"),
        # Nor does what is missing there, which would be refused otherwise.
        ("a1 u3 -", "a1 250.00, a2 50.00, a3 300.00, a4 400.00"),
        ("a1 u1 -", "missing_reading"),
    ],
)
def test_too_many_estimates_make_a_heating_account_follow_the_area(
    rows: str, expected: str
) -> None:
    """More than 25 % of the area (HeizkostenV § 9a(2), A90)."""
    _, unit, word = rows.split()
    stays = occupancies(
        "a1 u1 consumption=10",
        "a2 u2 consumption=10",
        "a3 u3 consumption=20",
        "a4 u4 consumption=30",
    )
    stays = [
        each.evolve(estimated=word == "e", consumption=each.consumption if word == "e" else None)
        if each.unit == unit
        else each
        for each in stays
    ]
    cost = pool(1000, "area 30%", "consumption")
    house = units("u1 area=25", "u2 area=5", "u3 area=30", "u4 area=40")
    given: Any = ([cost], house, stays)
    policy = {"estimate_limit": "25%"}
    if " " in expected:
        assert expected == shares(settled(*given, policy=policy))
    else:
        assert [expected] == [each.code for each in problems_of(*given, policy=policy)]


def test_estimates_count_where_there_is_no_other_key() -> None:
    (stay,) = occupancies("t u consumption=5")
    result = settled(
        [pool(10, "consumption")],
        units("u"),
        [stay.evolve(estimated=True)],
        policy={"estimate_limit": 0},
    )

    assert "t 10.00" == shares(result)


def test_fixed_percents_above_the_whole_are_said() -> None:
    """60 and 50 % of 10.01: 11.01 are asked for, so that the landlord gains 1.00 (A94)."""
    cost = pool("10.01", "percent denominator=100")
    result = settled([cost], units("a percent=60", "b percent=50"), occupancies("a a", "b b"))

    assert ("a 6.01, b 5.00", "outside_key -1.00") == (shares(result), landlord(result))
    assert "denominator_exceeded" in {each.code for each in result.notices}


LUMP = Advance(occupancy="t", group="water", total=money(70), lump_sum=True)


def test_a_lump_sum_pays_its_costs_and_is_never_settled() -> None:
    """Half of 240.00 for heat less 100.00; 30.00 of water are paid by 70.00 (HR 2020:808, A115)."""
    costs = [
        pool(240, "units", group="heat", id="heat"),
        pool(60, "units", group="water", id="water"),
        pool(10, "units", id="tax", group="tax"),
    ]
    house = Settlement(
        period="2025",
        currency="EUR",
        preset="NL",
        pools=costs,
        units=units("u", "v"),
        occupancies=occupancies("t u", "o v"),
        advances=[LUMP, Advance(occupancy="t", total=money(100))],
    )
    result = settle(house)
    one = result.of("t")

    assert ("125.00", "100.00") == (f"{one.share.amount}", f"{one.advances.amount}")
    assert ["120.00", "0.00", "5.00"] == [f"{line.amount.amount}" for line in one.lines]
    assert ("lump_sum 30.00", "o 155.00") == (landlord(result), shares(result).split(", ")[1])
    said = "lump sums of 70.00 EUR, and costs of 30.00 EUR that they pay"
    assert [("lump_sum", said, "t")] == [each[:3] for each in one.notices]
    german = settle(house.evolve(preset="DE", advances=[LUMP.evolve(group=None)]))
    assert (["0.00 EUR"] * 2, []) == (
        [str(german.of("t").share), str(german.of("t").balance)],
        [each.code for each in german.notices if each.item_id == "t"],
    )
    with pytest.raises(rb.InvalidInputError, match=r"^advances\[1\]\.lumpSum: ") as both:
        settle(house.evolve(advances=[LUMP, LUMP.evolve(lump_sum=False)]))
    assert "one_of_two" == both.value.code


@pytest.mark.parametrize(
    ("paid", "count", "expected"),
    [
        # 100.00 in twelfths: 8.33, 16.67, 25.00 … are the running totals.
        (0, 12, "2026-01-31 8.33, 2026-02-28 8.34, 2026-03-31 8.33, 2026-04-30 8.33"),
        # 0.05 in twelve: at 1.5, 2.5 … twelfths of a cent there is one more.
        ("99.95", 12, "2026-02-28 0.01, 2026-04-30 0.01, 2026-06-30 0.01, 2026-09-30 0.01"),
        (0, 1, "2026-01-31 100.00"),
        (150, 12, "2026-01-31 -50.00"),
        (100, 12, ""),
    ],
)
def test_an_extra_charge_in_twelfths(paid: object, count: int, expected: str) -> None:
    """They add up to it; a refund is whole (loi 89-462 art. 23, A120)."""
    advances = [Advance(occupancy="t", total=money(paid))]
    one = settled([pool(100, "units")], units("u"), occupancies("t u"), advances=advances)[0]
    items = one.items("2026-01-31", instalments=count)

    found = [f"{each.due_date} {each.amount.amount:.2f}" for each in items]
    assert expected == ", ".join(found[:4])
    assert one.balance.amount == sum(each.amount.amount for each in items)
    assert () == one.items("2026-01-31", instalments=count, already_settled=items)


def test_when_an_extra_charge_may_be_paid_in_twelfths() -> None:
    """Costs of a year to March 2024 are settled by the end of 2025, else in twelfths (A120)."""
    french = in_country("FR").evolve(period="2023-04-01/2024-03-31")
    notices = [
        [each.message for each in settle(french.evolve(known_on=day)).notices if "pay" in each[1]]
        for day in ("2025-12-31", "2026-01-01")
    ]
    said = "a tenant may pay an extra charge in 12 months from 2026-01-01 on in FR"

    assert [[], [said]] == notices
    assert date(2026, 1, 1) == settle(french).deadlines.instalments_from
    one = settled([pool(1, "units")], units("u"), occupancies("t u"))[0]
    for wrong in (0, 121, "12"):
        with pytest.raises(rb.InvalidInputError, match="no number of instalments"):
            one.items("2026-01-31", instalments=wrong)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    with pytest.raises(rb.UnsupportedCaseError, match="an instalment due"):
        one.items("9999-12-31", instalments=2)


def test_a_late_extra_charge_is_lost_as_a_whole_whatever_its_rates() -> None:
    """100.00 less 150.00 at 24 %, 200.00 less 100.00 at 25.5 %: 50.00 more are lost (A84).

    Less 170.00 in the second unit, they are 20.00 to pay back, at their rates.
    """
    stays = [
        each.evolve(vat=vat["value"])
        for each, vat in zip(occupancies("a u lease=L", "b v lease=L"), FINNISH, strict=True)
    ]
    pools = [pool(100, "direct units=u", id="p"), pool(200, "direct units=v", id="q")]
    for paid, expected in ((100, ["0.00", "0.00"]), (170, ["-50.00", "30.00"])):
        one = settled(
            pools,
            units("u", "v"),
            stays,
            policy={"late": "drop_extra_charge"},
            advances=[
                Advance(occupancy="a", total=money(150)),
                Advance(occupancy="b", total=money(paid)),
            ],
            known_on="2027-01-01",
            settled_by="2026-12-31",
        )[0]
        assert expected == [f"{each.charged.amount}" for each in one.balances]


def test_costs_that_are_too_old_to_be_demanded() -> None:
    """Eighteen months before 10 October 2026 are 10 April 2025 (s. 20B, A84)."""
    pools = [
        pool(12, "units", id="year"),
        pool(3, "units", id="late", incurred="2025-04-10/2025-12-31"),
        pool(3, "units", id="early", incurred="2025-04-09/2025-04-30"),
    ]
    house = Settlement(
        period="2025",
        currency="EUR",
        preset="GB",
        pools=pools,
        units=units("u"),
        known_on="2026-10-10",
    )
    notices = [each for each in settle(house).notices if each.code == "costs_lapse"]

    assert ["year", "early"] == [each.item_id for each in notices]
    said = "costs before 2025-04-10 are more than 18 months before 2026-10-10 in GB"
    assert said == notices[0].message
    first = house.evolve(pools=pools[:1], known_on="0001-02-01")
    assert "costs_lapse" not in {each.code for each in settle(first).notices}
