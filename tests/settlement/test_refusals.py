"""What a settlement refuses: records as a whole, pools, leases, all at once (A86)."""

from collections.abc import Callable
from typing import Any

import pytest

from rentbilling import InvalidInputError
from rentbilling.errors import CurrencyMismatchError
from rentbilling.settlement import settle
from tests.support.settlements import (
    Advance,
    CostPool,
    DegreeDays,
    ExpenseSteps,
    LeaseCeiling,
    PoolPart,
    Reading,
    Settlement,
    SettlementPolicy,
    SettlementUnit,
    money,
    occupancies,
    pool,
    problems_of,
    settled,
    shares,
    units,
)

USD = money(1, "USD")


def settlement(**changes: Any) -> Any:  # noqa: ANN401
    fields: dict[str, Any] = {
        "period": "2025",
        "currency": "EUR",
        "pools": [pool(1, "units")],
        "units": units("u"),
        **changes,
    }
    return Settlement(**fields)


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a share above 1": (lambda: PoolPart(key="x", fraction=2), "fraction out_of_range"),
    "fraction and amount": (
        lambda: PoolPart(key="x", fraction=1, amount=money(1)),
        " one_of_two",
    ),
    "denominator and whole": (
        lambda: PoolPart(key="x", denominator=1, whole=1),
        " one_of_two",
    ),
    "direct to nobody": (lambda: PoolPart(key="direct"), "units one_unit_needed"),
    "a gross-up without occupancy": (lambda: ExpenseSteps(variable=1), "occupancy missing"),
    "a base that is let without a variable share": (
        lambda: ExpenseSteps(base=money(1), base_occupancy="0.8"),
        "variable missing",
    ),
    "a base for each of nothing": (lambda: ExpenseSteps(base_rate=1), "base_area missing"),
    "an area without a base": (lambda: ExpenseSteps(base_area=1), "base_rate missing"),
    "two bases": (
        lambda: ExpenseSteps(base=money(1), base_rate=1, base_area=1),
        " one_of_two",
    ),
    "two fees": (lambda: ExpenseSteps(fee="5%", fee_amount=money(1)), " one_of_two"),
    "parts that leave something": (lambda: pool(1, "x 30%", "y 60%"), "parts sum_missed"),
    "parts that are too much": (lambda: pool(1, "x 70%", "y 60%", "z"), "parts sum_missed"),
    "two rests": (lambda: pool(1, "x", "y"), "parts one_rest_needed"),
    "an amount without a rest": (
        lambda: CostPool(id="p", amount=money(2), parts=[PoolPart(key="x", amount=money(2))]),
        "parts one_rest_needed",
    ),
    "no parts": (lambda: pool(1), "parts sum_missed"),
    "VAT in another currency": (lambda: pool(1, "x", vat=USD), "vat.currency currency_mismatch"),
    "VAT of another sign": (lambda: pool(100, "x", vat=money(-19)), "vat wrong_sign"),
    "wages of another sign": (lambda: pool(-9, "x", labour=money(1)), "labour wrong_sign"),
    "wages above the amount with its VAT": (
        lambda: pool(-100, "x", vat=money(-19), labour=money("-119.01")),
        "labour out_of_range",
    ),
    "wages of nothing": (lambda: pool(0, "x", labour=money(1)), "labour out_of_range"),
    "VAT of nothing": (lambda: pool(0, "x", vat=money(1)), "vat vat_of_nothing"),
    "a base in another currency": (
        lambda: pool(1, "x", steps=ExpenseSteps(base=USD)),
        "steps.base.currency currency_mismatch",
    ),
    "a pool without readable parts": (
        lambda: CostPool(id="p", amount=money(1), parts=1),
        "parts not_a_list",
    ),
    "a pool that cannot be read": (
        lambda: CostPool(id="p", amount="1", parts=[PoolPart(key="x", fraction="50%")]),
        "amount not_an_object parts sum_missed",
    ),
    "eleven months of degree days": (
        lambda: DegreeDays(months=[100] * 10),
        "months wrong_length",
    ),
    "degree days of another sum": (lambda: DegreeDays(months=[80] * 12), "months sum_missed"),
    "negative degree days": (
        lambda: DegreeDays(months=[-10, 110, *[90] * 10]),
        "months out_of_range",
    ),
    "no table": (lambda: DegreeDays(months=1), "months not_a_list"),
    "a landlord's share above 1": (
        lambda: SettlementPolicy(landlord_bears=2),
        "landlord_bears out_of_range",
    ),
    "a last day before the first": (
        lambda: occupancies("o u 2025-02-01/2025-01-31"),
        "last_day reversed_period",
    ),
    "a value below 0": (
        lambda: SettlementUnit(id="u", values={"area": -1, "rooms": 0}),
        "values.area out_of_range",
    ),
    "consumption below 0": (
        lambda: occupancies("o u consumption=-1"),
        "consumption.consumption out_of_range",
    ),
    "a factor above 1": (
        lambda: occupancies("o u")[0].evolve(factors={"p": 2, "q": 1}),
        "factors.p out_of_range",
    ),
    "a unit that ends before it begins": (
        lambda: SettlementUnit(id="u", first_day="2025-02-01", last_day="2025-01-31"),
        "last_day reversed_period",
    ),
    "a word in place of true": (
        lambda: ExpenseSteps(fee_before_ceiling="yes"),
        "fee_before_ceiling wrong_value",
    ),
    "a unit twice": (lambda: settlement(units=units("u", "u")), "units duplicate_id"),
    "an unknown unit": (
        lambda: settlement(occupancies=occupancies("o x")),
        "occupancies[0].unit unknown_id",
    ),
    "an unknown occupancy": (
        lambda: settlement(advances=[Advance(occupancy="o", total=money(1))]),
        "advances[0].occupancy unknown_id",
    ),
    "an unknown unit of a reading": (
        lambda: settlement(readings=[Reading(unit="x", day="2025-01-01", value=1)]),
        "readings[0].unit unknown_id",
    ),
    "an unknown unit of a part": (
        lambda: settlement(pools=[pool(1, "units units=x")]),
        "pools[0].parts[0].units unknown_id",
    ),
    "an unknown pool of a ceiling": (
        lambda: settlement(
            occupancies=[
                each.evolve(ceilings=[LeaseCeiling(amount=money(1), pools=["x"])])
                for each in occupancies("o u")
            ]
        ),
        "occupancies[0].ceilings[0].pools unknown_id",
    ),
    "an unknown pool of a factor": (
        lambda: settlement(
            occupancies=[each.evolve(factors={"x": 1}) for each in occupancies("o u")]
        ),
        "occupancies[0].factors unknown_id",
    ),
    "an advance for an unknown group": (
        lambda: settlement(
            occupancies=occupancies("o u"),
            advances=[Advance(occupancy="o", group="heat", total=money(1))],
        ),
        "advances[0].group unknown_id",
    ),
    "a pool in another currency": (
        lambda: settlement(pools=[pool(1, "units", currency="USD")]),
        "pools[0].amount.currency currency_mismatch",
    ),
    "more than twelve months": (
        lambda: settlement(period="2025-01-01/2026-01-01"),
        "period period_too_long",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_record_that_contradicts_itself_is_refused(name: str) -> None:
    make, expected = REFUSED[name]
    with pytest.raises(InvalidInputError) as refused:
        make()

    found = [f"{each.path} {each.code}" for each in refused.value.problems]
    assert expected == " ".join(found)


def test_a_longer_period_is_a_choice_of_the_policy() -> None:
    """Denmark lets a landlord settle up to eighteen months once (A74)."""
    policy = SettlementPolicy(longest=18)

    assert 546 == settlement(period="2025-01-01/2026-06-30", policy=policy).period.days


TWO = ("u1 area=60", "u2 area=40", "u3 -")
UNSHARED = {
    "a value that is missing": ("size", "t1 u1|t2 u2", "key_value_missing"),
    "persons that are missing": ("persons", "t1 u1 persons=1|t2 u2", "key_value_missing"),
    "a reading that is missing": ("consumption", "t1 u1 consumption=1|t2 u2", "missing_reading"),
    "two readings that are missing": (
        "consumption",
        "t1 u1|t2 u2",
        "missing_reading missing_reading",
    ),
    "a key of nothing": ("persons", "t1 u1 persons=0|t2 u2 persons=0", "key_sum_zero"),
    "a gap": ("area", "t1 u1 2025-01-02/|t2 u2", "unit_gap"),
    "an overlap": ("area", "t1 u1 /2025-02-01|x u1 2025-02-01/|t2 u2", "unit_overlap"),
    "a whole that is missed": ("area whole=101", "t1 u1|t2 u2", "sum_missed"),
    "a main meter that shows less": (
        "consumption denominator=99",
        "t1 u1 consumption=60|t2 u2 consumption=40",
        "sum_missed",
    ),
}


@pytest.mark.parametrize("name", UNSHARED)
def test_a_house_with_a_pool_that_cannot_be_shared_is_refused(name: str) -> None:
    """Without the pool it is settled: the third unit bears 7.00 of its own (A86)."""
    part, rows, expected = UNSHARED[name]
    stays = occupancies(*rows.split("|"), "t3 u3")
    own = pool(7, "direct units=u3", id="own")
    found = problems_of([pool(100, part), own], units(*TWO), stays)

    assert expected.split() == [each.code for each in found]
    assert all(each.path.startswith("pools[0].") for each in found)
    assert "7.00 EUR" == str(settled([own], units(*TWO), stays).of("t3").share)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"incurred": "2024-01-01/2024-12-31"}, "outside_period"),
        ({"amount": money("0.001")}, "too_many_decimals"),
        ({"labour": money("0.001")}, "too_many_decimals"),
        ({"vat": money("0.001")}, "too_many_decimals"),
        (
            {"parts": [PoolPart(key="units", amount=money(9)), PoolPart(key="units")]},
            "parts_exceed_pool",
        ),
    ],
)
def test_a_pool_that_is_wrong_in_itself_is_refused(fields: dict[str, Any], expected: str) -> None:
    """Also where no lease bears a part of it."""
    wrong = pool(5, "units").evolve(**fields)
    for stays in (["t u"], []):
        found = problems_of([wrong], units("u"), occupancies(*stays))
        assert [expected] == [each.code for each in found]


LEASES: dict[str, tuple[dict[str, Any], list[Any], str]] = {
    "VAT inside": ({"vat": {"tax_mode": "Inclusive", "tax_rate": "0.19"}}, [], "inclusive_vat"),
    "a ceiling in another currency": (
        {"ceilings": [LeaseCeiling(amount=USD)]},
        [],
        "currency_mismatch",
    ),
    "an advance in another currency": (
        {},
        [Advance(occupancy="t1", total=USD)],
        "currency_mismatch",
    ),
    "an advance of no amount": ({}, [Advance(occupancy="t1")], "one_of_two"),
    "an advance of some months with later amounts": (
        {},
        [
            Advance(
                occupancy="t1",
                monthly=money(1),
                months=12,
                records=[{"value": money(2), "start": "2025-07-01"}],
            )
        ],
        "one_of_two",
    ),
    "an advance finer than a cent": (
        {},
        [Advance(occupancy="t1", total=money("0.001"))],
        "too_many_decimals",
    ),
    "a ceiling finer than a cent": (
        {"ceilings": [LeaseCeiling(amount=money("0.001"))]},
        [],
        "too_many_decimals",
    ),
}


@pytest.mark.parametrize("name", LEASES)
def test_a_house_with_a_lease_that_is_wrong_is_refused(name: str) -> None:
    fields, advances, expected = LEASES[name]
    one, other = occupancies("t1 u1", "t2 u2")
    stays = [one.evolve(**fields), other]
    found = problems_of([pool(100, "area")], units(*TWO), stays, advances=advances)

    assert [expected] == [each.code for each in found]


def test_all_problems_of_a_house_are_refused_at_once() -> None:
    """Those of pools first; amounts of one advance in another currency are one problem (A86)."""
    dollars = [{"value": USD, "start": f"2025-0{month}-01"} for month in (2, 3)]
    advances = [Advance(occupancy="t2", records=dollars), Advance(occupancy="t1", total=USD)]
    pools = [pool(1, "units"), pool(1, "size units=u1", id="size")]
    stays = occupancies("t1 u1", "t2 u2")

    assert [
        ("pools[1].units.u1.values", "key_value_missing"),
        ("advances[1]", "currency_mismatch"),
        ("advances[0].records", "currency_mismatch"),
    ] == [each[:2] for each in problems_of(pools, units(*TWO), stays, advances=advances)]
    with pytest.raises(CurrencyMismatchError):
        settled(pools[:1], units(*TWO), stays, advances=advances)


def test_a_step_finer_than_the_currency_is_refused() -> None:
    found = problems_of(
        [pool(1, "units")], units("u"), occupancies("t u"), policy={"step": "0.001"}
    )

    assert ["wrong_step"] == [each.code for each in found]


def test_what_was_met_is_in_the_units_of_the_caller() -> None:
    """9.00 by units of a pool of 5.00; areas of 100 where 101 are stated; no country XX."""
    parts = [PoolPart(key="units", amount=money(9)), PoolPart(key="units")]
    pools = [pool(5, "units").evolve(parts=parts), pool(5, "area whole=101", id="b")]
    found = problems_of(pools, units("u area=100"), occupancies("t u"))

    assert [
        "are more than what is shared (met 9.00; expected amounts of its sign, 5.00 at most)",
        "do not add up to the whole (met 100; expected exactly 101)",
    ] == [str(each).partition(": ")[2] for each in found]
    with pytest.raises(InvalidInputError, match=r"preset: .* .met 'XX'; expected DE residential;"):
        settlement(preset="XX")


def test_something_else_than_a_settlement_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(TypeError, match=r"settle takes a Settlement, not \{\}"):
        settle({})  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_a_unit_without_values_bears_what_needs_none() -> None:
    assert SettlementUnit(id="u").values is None
    assert "t 1.00" == shares(settled([pool(1, "units")], units("u"), occupancies("t u")))


def test_pools_that_cannot_be_read_are_refused_alone() -> None:
    """What ceilings and advances name is not looked for then."""
    with pytest.raises(InvalidInputError, match="pools"):
        Settlement.model_validate({"period": "2025", "pools": 5, "units": [], "occupancies": []})
