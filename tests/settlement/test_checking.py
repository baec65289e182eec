"""Statements that somebody else made: each cause, worked out by hand (A86)."""

from typing import Any

import pytest

from rentbilling import Amount, InvalidInputError
from rentbilling.settlement import CAUSES, check_settlement, settle
from tests.support.settlements import (
    Advance,
    Settlement,
    StatedLine,
    StatedStatement,
    money,
    occupancies,
    pool,
    units,
)

ADVANCE = Advance(occupancy="t", monthly=money(10))


def house(*parts: str, stays: str = "t u /2024-06-30|n u 2024-07-01/", **fields: Any) -> Any:  # noqa: ANN401
    pools = [pool(fields.pop("amount", 732), *parts, **fields.pop("of_pool", {}))]
    given = {
        "period": "2024",
        "currency": "EUR",
        "pools": pools,
        "units": units("u x=1", "v x=2"),
        "occupancies": occupancies(*stays.split("|"), "o v"),
        "advances": [ADVANCE],
        **fields,
    }
    return Settlement(**given)


def stated(amount: object, **fields: object) -> Any:  # noqa: ANN401
    lines = [StatedLine(pool="pool", amount=money(amount))]
    return StatedStatement(lease="t", lines=lines, **fields)


TAXED = occupancies("t u", "o v")
VAT = {"tax_mode": "Exclusive", "tax_rate": "0.19"}
ROWS: dict[str, tuple[Any, object, str]] = {
    # 366.00 × 182 / 366 = 182.00; 366.00 × 182 / 365 = 182.501.
    "days of another year": (house("units"), "182.50", "days_of_another_year"),
    # 366.00 × 180 / 360 = 183.00, which six of twelve months are as well.
    "months of 30 days": (house("units"), "183.00", "months_used thirty_day_months"),
    # To 20 June: five months of 30 and 20 days are 170; / 360 × 366.00 = 172.833.
    "a part of a month": (
        house("units", stays="t u /2024-06-20|n u 2024-06-21/"),
        "172.83",
        "thirty_day_months",
    ),
    # 570 permille of 366.00: 208.62; June has a third of 40: 583.333 are 213.50.
    "degree days": (house("units"), "213.50", "degree_days_used"),
    "no degree days": (house("units time=degree_days"), "182.00", "degree_days_left_out"),
    # A third of 732.00 without the vacant v: all of it.
    "no vacancy": (
        house("x", stays="t u").evolve(occupancies=occupancies("t u")),
        "732.00",
        "vacancy_left_out",
    ),
    "all recoverable": (
        house("units", stays="t u", of_pool={"recoverable": "50%"}),
        "366.00",
        "all_recoverable",
    ),
    # 366.00 × 1.19.
    "VAT on gross": (
        house("units", stays="t u").evolve(occupancies=[TAXED[0].evolve(vat=VAT), TAXED[1]]),
        "435.54",
        "vat_on_gross",
    ),
    # Input VAT of a tenth: 366.00 × 1.1.
    "input VAT of a lease with VAT": (
        house("units", stays="t u", of_pool={"vat": money("73.20")}).evolve(
            occupancies=[TAXED[0].evolve(vat={"tax_mode": "ReverseCharge"}), TAXED[1]]
        ),
        "402.60",
        "vat_on_gross",
    ),
    "nothing that is known": (house("units"), "1.00", ""),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_share_that_is_wrong_has_its_causes(name: str) -> None:
    settlement, amount, causes = ROWS[name]
    (only,) = check_settlement(stated(amount), settlement)

    assert ("share", causes) == (only.figure, " ".join(only.causes))
    assert str(amount) in str(only)


@pytest.mark.parametrize(
    ("advances", "causes"),
    # 1 January to 15 June: five whole months, six begun ones, twelve of the period.
    [("60", "advances_due"), ("120", "advances_due"), ("0", "advances_left_out"), ("7", "")],
)
def test_advances_that_were_counted_otherwise(advances: str, causes: str) -> None:
    settlement = house("units", stays="t u /2024-06-15|n u 2024-06-16/")
    share = settle(settlement).of("t").share.amount
    (only,) = check_settlement(stated(share, advances=money(advances)), settlement)

    assert ("advances", causes) == (only.figure, " ".join(only.causes))
    assert Amount(50, "EUR") == only.expected


def test_a_statement_that_does_not_add_up() -> None:
    """182.00 less 60.00 are 122.00."""
    wrong = stated("182.00", advances=money(60), balance=money(100))
    (only,) = check_settlement(wrong, house("units"))

    assert ("sum", Amount(122, "EUR")) == (only.figure, only.expected)


def test_a_right_statement_has_no_difference() -> None:
    right = stated("182.00", advances=money(60), balance=money(122))

    assert () == check_settlement(right, house("units"))


def test_a_balance_alone_is_compared_too() -> None:
    (only,) = check_settlement(stated("182.00", balance=money(1)), house("units"))

    assert "balance: 1 EUR, expected 122.00 EUR (no known cause)" == str(only)
    empty = StatedStatement(lease="t", lines=[], advances=money(60), balance=money(122))
    assert () == check_settlement(empty, house("units"))


def test_what_is_not_in_the_settlement_is_refused() -> None:
    other = StatedStatement(lease="x", lines=[])
    line = StatedStatement(lease="t", lines=[StatedLine(pool="x", amount=money(1))])
    broken = house("missing")
    for each, settlement in ((other, house("units")), (line, house("units"))):
        with pytest.raises(InvalidInputError) as refused:
            check_settlement(each, settlement)
        assert "unknown_id" == refused.value.code
    with pytest.raises(InvalidInputError) as stopped:
        check_settlement(stated(1), broken)
    assert "key_value_missing" == stopped.value.code
    for wrong in ({"lease": "t"}, None, house("units")):
        with pytest.raises(TypeError, match="check_settlement takes a StatedStatement first"):
            check_settlement(wrong, house("units"))  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="settle takes a Settlement"):
        check_settlement(other, other)
    with pytest.raises(TypeError, match="a policy is a SettlementPolicy or None"):
        check_settlement(other, house("units"), policy={})  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def lines(text: str, currency: str = "EUR", **sums: object) -> Any:  # noqa: ANN401
    found = [
        StatedLine(pool=name, amount=money(amount, currency))
        for name, _, amount in (each.partition("=") for each in text.split())
    ]
    totals = {name: money(amount, currency) for name, amount in sums.items()}
    return StatedStatement(lease="t", lines=found, **totals)


WHOLE: dict[str, tuple[Any, dict[str, Any], str]] = {
    # Of three pools t has a half of 60.00 for 2024, and a half of 40.00; the third is v's alone.
    "all of it": (lines("a=30 b=20", advances=120, balance=-70), {}, ""),
    "a pool that is left out": (lines("a=30"), {}, "share b 0.00 20.00 pool_left_out"),
    "some lines": (lines("a=30", balance=-70, advances=120), {"whole": False}, ""),
    "a pool left out of the balance too": (
        lines("a=30", balance=-90),
        {},
        "share b 0.00 20.00 pool_left_out",
    ),
    "a balance that no line accounts for": (
        lines("a=30", balance=-95),
        {},
        "share b 0.00 20.00 pool_left_out; balance -95 -70.00",
    ),
    # 30.00 and 20.00 less 60.00 that were paid; 1.00 is missing.
    "a balance after other advances": (
        lines("a=30", balance=-11, advances=60),
        {"whole": False},
        "advances 60 120.00; balance -11 -70.00",
    ),
    "two lines of a pool": (lines("a=10 b=20 a=20"), {}, ""),
    "a pool of others": (lines("a=30 b=20 c=7"), {}, "share c 7 0.00 no_part"),
    "another currency": (
        lines("a=30 b=20", "USD", advances=120, balance=-70),
        {},
        "; ".join(
            f"{each} other_currency"
            for each in ("share a 30 30.00", "share b 20 20.00", "advances 120 120.00")
        )
        + "; balance -70 -70.00 other_currency",
    ),
}
HOUSE = house("units", stays="t u").evolve(
    pools=[pool(60, "units", id="a"), pool(40, "units", id="b"), pool(7, "direct units=v", id="c")],
)


def found_in(each: Any, settlement: Any, **fields: Any) -> str:  # noqa: ANN401
    found = []
    for one in check_settlement(each, settlement, **fields):
        of = [one.pool_id] if one.pool_id else []
        figures = f"{one.stated.amount}", f"{one.expected.amount}"
        found.append(" ".join([one.figure, *of, *figures, *one.causes]))
    return "; ".join(found)


def test_a_whole_statement_beside_ours() -> None:
    """A pool without a line differs; a balance does unless others account for it (A113)."""
    wrong = {
        name: (expected, found)
        for name, (each, fields, expected) in WHOLE.items()
        if (found := found_in(each, HOUSE, **fields)) != expected
    }

    assert {} == wrong
    with pytest.raises(InvalidInputError, match=r"advances\.currency: is another currency"):
        lines("a=30").evolve(advances=money(1, "USD"))


def test_a_late_statement_that_asks_for_what_is_lost() -> None:
    """366.00 less 120.00 are 246.00, which the statement of 2026 may not charge (A84, A113)."""
    late = house("units", stays="t u").evolve(
        known_on="2026-01-01", settled_by="2025-12-31", policy={"late": "drop_extra_charge"}
    )
    asked = {
        246: "balance 246 0.00 late_charge",
        0: "",
        -5: "sum -5 246; balance -5 0.00",
    }
    assert asked == {
        each: found_in(lines("pool=366", advances=120, balance=each), late) for each in asked
    }


def test_every_cause_has_its_words() -> None:
    assert all(words.islower() or "VAT" in words for words in CAUSES.values())


@pytest.mark.parametrize(
    ("table", "amount", "cause"),
    [
        # Half of the 366.00 of u goes by days: 182 / 366 are 91.00. Of the other half 510 permille
        # of a table of 910 are 93.33.
        ([170, 140, 110, 60, 20, 10, 10, 10, 30, 80, 120, 150], "184.33", "degree_days_not_1000"),
        # By halves of the year: 91.50.
        ([100, 80, 80, 80, 80, 80, 90, 80, 80, 80, 80, 90], "182.50", "other_degree_days"),
    ],
)
def test_the_table_that_a_statement_prints(table: list[int], amount: str, cause: str) -> None:
    """What it gives, over 1000, is what the statement says (C4 of what goes wrong, A76)."""
    own = house("units 50%", "units time=degree_days")
    (found,) = check_settlement(stated(amount, degree_days=table), own)

    assert cause in found.causes
    with pytest.raises(InvalidInputError, match="another number of values"):
        stated(amount, degree_days=table[:11])
