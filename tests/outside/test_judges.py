"""The judges of rents by an index and of settlements on made-up cases, which they must also fail.

A case is written in one line: its fields, and after an arrow the figures that are expected. A
slash leads to a field within another one. The figures are worked out above each case.
"""

import json
from copy import deepcopy
from typing import Any, Final

import pytest

from tests.outside.board import PASSED, Verdict
from tests.outside.folders import judge

Case = dict[str, Any]


def _put(case: Case, path: str, value: object) -> None:
    """Set a field, `extra/given_pct` within another one."""
    *way, last = path.split("/")
    for name in way:
        case = case.setdefault(name, {})
    case[last] = value


def _fields(text: str, within: str = "") -> Case:
    case: Case = {}
    for word in text.split():
        path, _, value = word.partition("=")
        is_json = value[:1] in {*'[{"'} or value in {"null", "true", "false"}
        _put(case, within + path, json.loads(value) if is_json else value)
    return case


# ------------------------------------------------------------------------------ worked examples

_PLAIN: Final = _fields(
    "base_amount=null from_index=null to_index=null from_month=null to_month=null min_pct=null "
    "max_pct=null convention_rounding=null extra=null currency=EUR amount_per=month "
    "share_of_index=100 checks=true"
) | dict.fromkeys(("expected_percentage", "expected_new_amount", "expected_change"))


def _example(text: str) -> Case:
    """Return an example that states nothing but a monthly amount in euro, and what a text says."""
    text = text.replace("rounding/", "convention_rounding/").replace(" x/", " extra/")
    said, _, expected = f" {text} ".replace(" x/", " extra/").partition("->")
    figures = [word if "/" in word else f"expected_{word}" for word in expected.split()]
    return deepcopy(_PLAIN) | _fields(" ".join([said, *figures]))


EXAMPLES: Final = {
    # 700 × 1935 / 1923 = 704.368…
    "cut to cents": "base_amount=700 from_index=1923 to_index=1935 rounding/of=amount "
    "rounding/quantum=0.01 rounding/mode=down rounding/per=month -> new_amount=704.36",
    # 106.6 to 109.3 is 2.533 %, which the source rounds to 2.5 % before it applies it.
    "a rounded percentage": "base_amount=600 from_index=106.6 to_index=109.3 "
    "rounding/of=percentage rounding/decimals=1 rounding/stage=change "
    "-> percentage=2.5 new_amount=615",
    # A yearly 60,000 × 103.7 / 103.6 = 60,057.92; a month of it 5,004.83, which becomes 5,005.
    "a month rounded": "base_amount=60000 amount_per=year from_index=103.6 to_index=103.7 "
    "rounding/of=amount rounding/quantum=1 rounding/mode=half_up rounding/per=month "
    "-> new_amount=60060 extra/monthly_printed=5005",
    # 75 % of 2.1 % is 1.575 %, cut to 1.57 %.
    "a share, cut": "share_of_index=75 x/given_pct=2.1 rounding/of=percentage "
    "rounding/decimals=2 rounding/mode=down rounding/stage=applied -> percentage=1.57",
    # 80 % of 10.3 % is 8.24 %, of which 6 % are allowed.
    "a share before the limits": "share_of_index=80 min_pct=3 max_pct=6 x/given_pct=10.3 "
    "-> percentage=6 extra/calculated_pct_printed=8.2",
    # 3.5 % above 3 counts half: 3.25 %; 2 % are allowed; 8/12 of them are 1.333 %: 810.67.
    "excess, limit, part of a year": "base_amount=800 max_pct=2 x/given_pct=3.5 x/excess_over=3 "
    "x/excess_share=50 x/prorata=8/12 x/clamp_unit=year_simple -> new_amount=810.67",
    # 1.02 to the fifth is 1.10408…: five years of at least 2 %, where the index rose by 5 %.
    "limits of years, compounded": "min_pct=2 max_pct=4 from_index=100 to_index=105 "
    "from_month=2010-03 to_month=2015-03 x/clamp_unit=year_compound -> percentage=10.4",
    # 4 % a year over 30 months of 24: 5 %.
    "a rate for a year": "base_amount=1200 max_pct=4 x/rate_per_year=4 x/prorata=30/24 "
    "x/clamp_unit=year_simple -> new_amount=1260",
    # 8/12 of 2.91 % of 1,400 are 27.16; the contract alone would ask for 1,440.74.
    "the lower of two curves": "base_amount=1400 x/given_pct=2.91 x/prorata=8/12 "
    "x/contract_amount=1440.74 x/compare=lower_of -> new_amount=1427.16",
    # 102.8 × 1.1 = 113.08; 107.9 is 4.96 % more than 102.8.
    "a threshold": "from_index=102.8 to_index=107.9 x/threshold_pct=10 "
    "x/threshold_inclusive=true x/trigger_probe/113.07=false x/trigger_probe/113.08=true "
    "-> percentage=0 extra/trigger_index_printed=113.08 extra/calculated_pct_printed=4.96",
    # 600 × 127.92 / 109.07 = 703.69, which is 76.90 over 626.79; 75 % of that are 57.675.
    "a share of the money": "base_amount=626.79 share_of_index=75 x/given_change=76.90 "
    "x/basis=base x/share_of=money_change x/previous/amount=600 x/previous/from_index=109.07 "
    "x/previous/to_index=127.92 -> new_amount=684.47 change=57.68",
    # 300 × 23.32 for three months and 300 × 23.39 for nine: 1,749 + 5,262.75.
    "a change within the year": "base_amount=300 amount_per=year from_index=100 to_index=2339 "
    "to_month=2025 x/basis=base x/previous/to_index=2332 x/effective_month=2026-04 "
    "x/result=year_total -> new_amount=7011.75",
    # 1,080 a year are 90 a month.
    "steps of a year on a month": "base_amount=600 x/recurrence=Recurring x/step_per=year "
    'x/year_is=ordinal x/steps=[{"year":"1","amount":"1080","expected":"690"},'
    '{"year":"2","amount":"1080","expected":"780"}] -> new_amount=780',
    # 10,000 off 1,927 leaves nothing to pay and 8,073 to go on with.
    "a discount that stops at zero": "base_amount=1927 amount_per=year "
    "x/one_time_discount=10000 x/amount_floor=0 x/recurrence=OneTime x/result=year_total "
    "-> new_amount=0 extra/amount_left=8073",
    # Effective in February, by the index of October over that of the October before.
    "a lag": "from_index=128.25 to_index=127.73 from_month=2022-10 to_month=2023-10 "
    "x/effective_month=2024-02 x/lag_months=4 -> percentage=-0.4",
    # From a quarter to another one that no rhythm of years connects.
    "quarters": "base_amount=60 amount_per=week from_index=84 to_index=169.5 "
    "from_month=1987-Q3 to_month=2009-Q4 -> new_amount=121.07",
}
"""Examples that follow from what they state, each by a convention of its own."""


# ------------------------------------------------------------------------------ other systems


def _of_system(text: str) -> Case:
    """Return a case of a system: its name and kind, what is given, and what is expected."""
    said, _, expected = text.partition("->")
    peer, kind, *given = said.split()
    case = _fields(" ".join(given), "input/") | _fields(expected, "expected/")
    return {"peer": peer.replace("_", " "), "kind": kind, **case}


SYSTEMS: Final = {
    # 250,000 × 110 / 115 = 239,130.43, which is 4.348 % less.
    "a falling index": "estatio index_adjustment method=FRANCE base_value=250000.00 "
    "base_index=115.0 next_index=110.0 levelling_percent=100 allow_decrease=true "
    "-> percentage=-4.348 value=239130.43",
    # 111.1 × 1.234 / 122.2 is a factor of 1.1219…, a percentage of 12.2; half of it is 6.1.
    "an index on another base": "estatio index_adjustment method=ITALY base_value=250000.00 "
    "base_index=122.2 next_index=111.1 rebase_factor=1.234 levelling_percent=50 "
    "-> percentage=12.2 value=265250.00",
    # 1.345 × 1.234
    "two links between bases": 'estatio index_rebase bases=[{"start":"1990-01-01"},'
    '{"start":"2000-01-01","factor":"1.345"},{"start":"2010-01-01","factor":"1.234"}] '
    "from_date=1995-01-01 to_base=2010 -> factor=1.65973",
    # A credit of 3 that an earlier step took to 1 goes back to 3, where the base is its floor.
    "a floor below zero": "estatio index_floor "
    "method=BASE_INDEX_ALLOW_DECREASE_BASE_AS_FLOOR_FRANCE previous_base_value=-3.00 "
    "previous_indexed_value=-2.00 previous_effective_value=-1.00 previous_settled_value=null "
    "new_indexed_value=null -> base_value=-3.00 effective_value=-3.00",
    # The new base is above what the index makes of it, and may fall.
    "a new base that may fall": "estatio index_floor method=BASE_INDEX_ALLOW_DECREASE "
    "previous_base_value=12.34 previous_indexed_value=13.45 previous_effective_value=13.45 "
    "new_base_value=23.45 new_indexed_value=12.34 -> base_value=23.45 effective_value=12.34",
    # 60 % of 5.7 % is 3.42 %, of which 3 % are allowed.
    "a share and a limit": "documentation_pages index_adjustment rent=2000 "
    "cpi_change_percent=5.7 share_percent=60 maximum_percent=3 "
    "-> uncapped_percent=3.42 applied_percent=3 new_rent=2060.00",
    "a revision by a percentage": "OCA/contract stepped_rent price=100 variation_percent=15 "
    "from_date=2018-02-01 -> new_price=115",
    # 300 × 23.32 for three months and 300 × 23.39 for nine: 1,749 + 5,262.75.
    "a year from April": "mvj index_adjustment base_amount_per_year=300 index_2024=2332 "
    "index_2025=2339 index_base=100 cycle=APRIL_TO_MARCH "
    'range=["2026-01-01","2026-12-31"] -> value=7011.75',
    # Its second quarter alone, at 300 × 23.39 a year.
    "a part of a year": "mvj index_adjustment base_amount_per_year=300 index_2024=2332 "
    "index_2025=2339 index_base=100 cycle=APRIL_TO_MARCH "
    'range=["2026-04-01","2026-06-30"] -> value=1754.25',
    # 249,840 × 2017 / 1977 = 254,894.93 to the cent, and four fifths of that.
    "a discount on an indexed amount": "mvj index_adjustment base_amount_per_year=249840 "
    "base_index=1977 current_index=2017 discount_percent=20 "
    'discount_range=["2020-01-01","2025-12-31"] range=["2022-01-01","2022-12-31"] '
    "-> value=203915.9440",
    # The rent year from April 2017 has the mean of 2016.
    "the index of a day": "mvj index_adjustment rent_cycle=APRIL_TO_MARCH the_date=2018-01-01 "
    "-> value=1913",
    # 3,000 a month, 100 a day: 20 days are invoiced, and 10 remain (A53).
    "a lease that ends in a billed month": "Estatio credit frequency=MONTHLY_IN_ADVANCE "
    "annual_value=36000 term_start=2026-04-11 terminated=2026-04-20 "
    "-> amount=-1000.00 effective_period=2026-04-21/2026-05-01",
    # A quarter of 13,200, of which a quarter of 12,000 is billed before 1 May.
    "a run that reaches a new value": "Estatio price_history frequency=QUARTERLY_IN_ADVANCE "
    "base_value=12000 indexed_value=13200 indexed_effective=2026-05-01 "
    "period=2026-01-01/2026-04-01 run_until=2026-05-02 -> amount=3300.00",
    "a run that does not": "Estatio price_history frequency=QUARTERLY_IN_ADVANCE "
    "base_value=12000 indexed_value=13200 indexed_effective=2026-05-01 "
    "period=2026-01-01/2026-04-01 run_until=2026-05-01 -> amount=3000.00",
}
"""Cases that follow from what they state, each of a system."""


# -------------------------------------------------------------------------------- settlements

HOUSE: Final = (
    'units=[{"id":"a","values":{"area":"30"}},{"id":"b","values":{"area":"60"}}] '
    'occupancies=[{"id":"a","unit":"a","to":"2026-03-31","persons":"2"},'
    '{"id":"b","unit":"b","persons":"1"}] '
)
POOL: Final = 'pools=[{"id":"p","amount":"90.00","parts":[{"key":"KEY"}]}] '


def _settlement(text: str) -> Case:
    said, _, expected = text.partition(" -> ")
    kind, *fields = said.split()
    given = _fields(" ".join(fields))
    return {
        "id": "made up",
        "kind": kind,
        "country": given.pop("country", "DE"),
        "currency": "EUR",
        "rounding": given.pop("printed", "").replace("_", " "),
        "checks": True,
        "input": given,
        "expected": _fields(expected),
    }


SETTLEMENTS: Final = {
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


def _cases() -> dict[str, Case]:
    systems = {name: _of_system(text) for name, text in SYSTEMS.items()}
    invoiced = "2000.00 for 2026-04-11/2026-05-01"
    systems["a lease that ends in a billed month"]["input"]["already_invoiced"] = invoiced
    examples = {name: _example(text) for name, text in EXAMPLES.items()}
    return examples | systems | {name: _settlement(text) for name, text in SETTLEMENTS.items()}


CASES: Final = _cases()


def _judged(case: Case) -> Verdict:
    return judge(case, {"peer": case.get("peer", "")})


@pytest.mark.parametrize("name", CASES)
def test_a_case_that_follows_passes(name: str) -> None:
    assert PASSED == _judged(CASES[name])


def _figures(case: Case) -> list[str]:
    if "expected" in case:
        return [f"expected/{name}" for name in case["expected"]]
    printed = ("monthly_printed", "calculated_pct_printed", "amount_left", "trigger_index_printed")
    found = [name for name in case if name.startswith("expected_") and case[name] is not None]
    return [*found, *(f"extra/{name}" for name in printed if name in (case["extra"] or {}))]


def _wrong(value: Any) -> Any:  # noqa: ANN401
    """Return a figure, or the first of several, with another digit."""
    if isinstance(value, dict):
        first = next(iter(value))
        return {**value, first: _wrong(value[first])}
    if isinstance(value, list):
        return [_wrong(value[0]), *value[1:]]
    return f"{value[:-1]}{(int(value[-1]) + 3) % 10}"


@pytest.mark.parametrize(
    ("name", "path"), [(name, path) for name, case in CASES.items() for path in _figures(case)]
)
def test_one_wrong_digit_fails_a_case(name: str, path: str) -> None:
    case = deepcopy(CASES[name])
    *way, last = path.split("/")
    there = case[way[0]] if way else case
    there[last] = _wrong(there[last])

    assert "failed" == _judged(case).outcome


def test_a_contradiction_is_named_by_its_field_and_not_by_its_figure() -> None:
    """106.7 to 113 is 5.9 %: printed as 5.6 it is none of ours; printed as 5.9 it is no error."""
    said = _judged(_example("from_index=106.7 to_index=113 checks=false -> percentage=5.6"))
    kept = _judged(_example("from_index=106.7 to_index=113 checks=false -> percentage=5.9"))

    reason = "contradicts itself: percentage: expected 5.6, got 5.9"
    assert Verdict("not_expressible", reason) == said
    assert "failed" == kept.outcome


def test_a_failure_names_the_conventions_that_were_not_read() -> None:
    verdict = _judged(_example("x/given_pct=1 x/moon=full -> percentage=2"))

    assert "percentage: expected 2, got 1 (not read: moon)" == verdict.reason


def test_an_index_that_is_missing_leads_to_no_figure() -> None:
    case = deepcopy(CASES["a falling index"])
    case["input"]["next_index"] = None
    nothing = {**case, "expected": {"percentage": None, "value": None}}

    assert ("passed", "failed") == (_judged(nothing).outcome, _judged(case).outcome)


def test_a_kind_without_a_judge_is_not_expressible() -> None:
    assert "not_expressible" == _judged(_settlement("moon x=1 -> y=1")).outcome


def test_cents_that_are_left_over_may_be_another_ones() -> None:
    """0.03 by 1 : 1 is 0.02 and 0.01 for either; two cents more are none of ours."""
    text = 'allocation amount=0.03 weights=["1","1"] -> shares='

    assert PASSED == _judged(_settlement(text + '["0.01","0.02"]'))
    assert "failed" == _judged(_settlement(text + '["0.00","0.03"]')).outcome


def test_what_is_refused_passes_where_that_is_expected() -> None:
    text = 'allocation amount=1.00 weights=["0","0"] -> '

    assert PASSED == _judged(_settlement(text + "refused=yes"))
    assert "failed" == _judged(_settlement(text + "sum=1.00")).outcome
