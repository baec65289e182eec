"""The judges of settlements on made-up cases, which they must also fail.

A case is written in one line: its kind, its fields, and after an arrow what is expected. The sums
are above each case.
"""

import json
from copy import deepcopy
from typing import Any, Final

import pytest

from tests.outside.board import PASSED, Verdict
from tests.outside.folders import judge

Case = dict[str, Any]

HOUSE: Final = (
    'units=[{"id":"a","values":{"area":"30"}},{"id":"b","values":{"area":"60"}}] '
    'occupancies=[{"id":"a","unit":"a","to":"2026-03-31","persons":"2"},'
    '{"id":"b","unit":"b","persons":"1"}] '
)
POOL: Final = 'pools=[{"id":"p","amount":"90.00","parts":[{"key":"KEY"}]}] '


def _value(text: str) -> Any:  # noqa: ANN401
    return json.loads(text) if text[0] in '[{"' or text in {"true", "false", "null"} else text


def _fields(words: list[str]) -> dict[str, str]:
    pairs = (each.partition("=") for each in words)
    return {name: value for name, _, value in pairs}


def _case(text: str) -> Case:
    stated, _, expected = text.partition(" -> ")
    kind, *fields = stated.split()
    given, found = _fields(fields), _fields(expected.split())
    return {
        "kind": kind,
        "country": given.pop("country", "DE"),
        "currency": "EUR",
        "rounding": given.pop("printed", "").replace("_", " "),
        "checks": True,
        "input": {name: _value(value) for name, value in given.items()},
        "expected": {name: _value(value) for name, value in found.items()},
    }


EXAMPLES: Final = {
    # 90.00 by 30 and 60 m²: 30.00, of which 90 of 365 days are 7.40, and 60.00.
    "a flat that is empty from April": "settlement "
    + HOUSE
    + POOL.replace("KEY", "area")
    + '-> shares={"a":"7.40","b":"60.00"} landlord=22.60 balances={"b":"60.00"}',
    # 2 persons for 90 days, 1 for 365: 180 of 545 person-days.
    "person-days": "settlement "
    + HOUSE
    + POOL.replace("KEY", "person_days")
    + '-> shares={"a":"29.72","b":"60.28"}',
    "occupied units alone": "settlement denominator=occupied "
    + HOUSE
    + POOL.replace("KEY", "area")
    + '-> shares={"a":"9.88","b":"80.12"} landlord=0.00',
    # Three of twelve months.
    "months": "settlement time=months "
    + HOUSE
    + POOL.replace("KEY", "area")
    + '-> shares={"a":"7.50"} landlord=22.50',
    "a share in percent": 'settlement share_percent=7.5 pools=[{"id":"p","amount":"90.00"}] '
    '-> tenant=6.75 lines={"p":"6.75"} landlord=83.25',
    "a unit price": "settlement printed=whole_kroner "
    'pots=[{"key":"m3","amount":"100","units":"30","flat":"10"}] '
    'building={"variable":"60","total":"100"} '
    '-> flat={"m3":"33"} unit_prices={"m3":"3.33"} fixed_percent=40.0 flat_total=33',
    "shares of three": 'allocation amount=100.00 weights=["1","1","1"] '
    '-> shares=["33.34","33.33","33.33"] sum=100.00',
    "percents": 'allocation amount=200.00 percents=["10","20"] -> shares=["20.00","40.00"]',
    "a sum of percents": 'rounding_allocation percents=["10","20.5"] -> sum=30.5',
    "two pots": 'allocation amount=100.00 split=["0.3","0.7"] '
    'pots=[{"key":"area","weights":["1","2"]},{"key":"use","weights":["4","1"]}] '
    '-> units=[{"area":"10.00","use":"56.00","total":"66.00"},'
    '{"area":"20.00","use":"14.00","total":"34.00"}]',
    # The second has no reading: all goes by the fixed key.
    "no readings": 'heating_split amount=100 fixed_part=0.3 fixed=["3","1"] consumption=["5",null] '
    '-> shares=["75.00","25.00"]',
    "a weighted area": 'time_weight table=VDI occupied=["2025-01-01","2025-01-31"] area=50 '
    "-> permille=170 weighted_area=8.5 days=31",
    "a meter read in between": "meter split_after=2025-03-31 "
    'readings=[["2024-12-31","5"],["2025-03-31","9"],["2025-12-31","20"]] '
    "-> consumption=15 before=4 after=11",
    # 10 m³ × 2.5 × 40 K = 1,000 kWh of 4,000.
    "hot water": "hot_water volume_m3=10 hot_c=50 cold_c=10 fuel_kwh=4000 fuel_cost=80 "
    "-> hot_water_kwh=1000 percent=25.00 cost=20.00",
    "emissions": "co2_split co2_kg=6000 area_m2=100 price_per_tonne=10 "
    '-> kg_per_m2_year=60.0 tier=">=52" tenant_percent=5 cost=60.00 tenant=3.00 landlord=57.00',
    "a deadline": 'deadline period=["2024-01-01","2024-12-31"] '
    "-> settled_by=2025-12-31 lapsed_on=2026-01-01",
    "a new advance": "new_advance share=1234.56 uplift=0.1 round_to=5 mode=up -> monthly=115",
    "advances of a year": 'advance_total yearly=1200.00 occupied=["2025-07-01","2025-12-31"] '
    "rule=days -> total=604.93",
    "a balance": "balance share=1000.00 advances_monthly=90.00 -> balance=-80.00",
    "a base year": "base_year actual=120 base=100 share_percent=10 -> tenant=2.00",
    "a ceiling": "cap kind=non-cumulative cap=0.05 reference_share=100 actual_share=120 "
    "-> tenant=105.00",
    "a gross-up": "gross_up variable=80 occupancy=0.8 threshold=0.95 "
    "-> grossed_up=95 tenants_pay=76.00",
    # (100 × 1.1 − 10 + 5 + 3 − 8) = 100, at most 90, less 40, a fifth, at most 8, nine tenths.
    "a chain": "expense_chain exposure=100 adjustment_factor=1.1 account_exclusion=10 "
    "adjustment_added=5 administration_fee=3 adjustment_taken=8 class_limit=90 base_exclusion=40 "
    "share_factor=0.2 share_limit=8 occupancy_factor=0.9 estimated_billings=2 "
    "-> total_exposure=100 adjusted_exposure=90 net_exposure=50 gross_share=10.00 "
    "adjusted_share=8.00 net_share=7.20 billable=5.20",
    "annualised sales": "turnover_rent method=annualise sales_month=100 rate=0.1 breakpoint=600 "
    "-> annualised=1200 year=60.00 month=5.00",
    "a table that is refused": 'known_bug wrong=["1","1","1","1","1","1","1","1","1","1","1","1"] '
    "-> sum=12",
    "a day of a year": 'known_bug occupied=["2025-06-01","2025-06-01"] table=VDI wrong=0.4 '
    "-> right=4/9",
}


def _judged(case: Case) -> Verdict:
    return judge({"id": "made up", **case}, {})


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_case_that_follows_passes(name: str) -> None:
    assert PASSED == _judged(_case(EXAMPLES[name]))


def _wrong(value: Any) -> Any:  # noqa: ANN401
    """Return a figure, or the first of several, with another digit."""
    if isinstance(value, dict):
        first = next(iter(value))
        return {**value, first: _wrong(value[first])}
    if isinstance(value, list):
        return [_wrong(value[0]), *value[1:]]
    return f"{value[:-1]}{(int(value[-1]) + 3) % 10}"


@pytest.mark.parametrize(
    ("name", "figure"),
    [(name, figure) for name, text in EXAMPLES.items() for figure in _case(text)["expected"]],
)
def test_one_wrong_digit_fails_a_case(name: str, figure: str) -> None:
    case = deepcopy(_case(EXAMPLES[name]))
    case["expected"][figure] = _wrong(case["expected"][figure])

    assert "failed" == _judged(case).outcome


def test_a_kind_without_a_judge_is_not_expressible() -> None:
    assert "not_expressible" == _judged(_case("moon x=1 -> y=1")).outcome


def test_cents_that_are_left_over_may_be_another_ones() -> None:
    """0.03 by 1 : 1 is 0.02 and 0.01 for either; two cents more are none of ours."""
    text = 'allocation amount=0.03 weights=["1","1"] -> shares='

    assert PASSED == _judged(_case(text + '["0.01","0.02"]'))
    assert "failed" == _judged(_case(text + '["0.00","0.03"]')).outcome


def test_what_is_refused_passes_where_that_is_expected() -> None:
    text = 'allocation amount=1.00 weights=["0","0"] -> '

    assert PASSED == _judged(_case(text + "refused=yes"))
    assert "failed" == _judged(_case(text + "sum=1.00")).outcome
