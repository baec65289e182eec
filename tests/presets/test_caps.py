"""Legal caps: dated rows that limit the rules before them on the days on which they were law."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

import rentbilling as rb
from rentbilling.presets import LEGAL_CAPS, cap_rules, legal_caps, preset
from tests.presets.test_presets import lease
from tests.support.refusals import Call, faults, refusal_text
from tests.support.rows import rows

FIRMS = "commercial, small and medium firms"
FREE, MIDDLE = "residential, free sector", "residential, mid-segment"
PROTECTED = "residential, price-protected"
# fmt: off
CAPPED: list[tuple[str, str, str, str, str, str, str]] = [
    # Net price index of October: 117.7 / 106.7 is +10.3 %, of which 4 count.
    ("DK", "residential", "10000 DKK", "2022-01", "106.7 117.7", "2023-01-01", "10400.00 DKK"),
    # 7,812.13 x 1.04 = 8,124.6152, never rounded up past the law's maximum (A140).
    ("DK", "residential", "7812.13 DKK", "2022-01", "100 106", "2023-01-01", "8124.61 DKK"),
    # ILC of the fourth quarters of 2022 and 2023: +5.22 %, of which 3.5 count.
    ("FR", FIRMS, "2000 EUR", "2023-04", "126.05 132.63", "2024-04-01", "2070.00 EUR"),
    # +3.0 %, of which 2 count in 2023; +5 %, of which 3 count in 2024.
    ("ES", "residential", "400 EUR", "2022-10", "60.030 61.827", "2023-10-01", "408.00 EUR"),
    ("ES", "residential", "400 EUR", "2023-10", "100 105", "2024-10-01", "412.00 EUR"),
    # 36 months at 4 percent a year, not compounded, are 12; 24 months at 2 percent are 4.
    ("IE", "residential", "1200 EUR", "2017-03", "100 130", "2020-03-01", "1344.00 EUR"),
    ("IE", "residential", "1650 EUR", "2021-03", "100 130", "2023-03-01", "1716.00 EUR"),
    # At most 1 percent in 2026 and 2 in 2027.
    ("AT", PROTECTED, "800 EUR", "2025-04", "100 103.5", "2026-04-01", "808.00 EUR"),
    ("AT", PROTECTED, "800 EUR", "2026-04", "100 103.5", "2027-04-01", "816.00 EUR"),
    # The coefficient of 2023 would have been 1.0543.
    ("PT", "all leases", "500 EUR", "2022-01", "100 105.43", "2023-01-01", "510.00 EUR"),
    # 8 percent, of which 3.3, 4.1, 5.5, 4.1 and 4.4 count, and 7.7 and 6.1 in the mid-segment.
    *(("NL", scope, "1000 EUR", f"{year - 1}-07", "100 108", f"{year}-07-01", f"{due}.00 EUR")
      for scope, first, dues in ((FREE, 2022, (1033, 1041, 1055, 1041, 1044)),
                                 (MIDDLE, 2025, (1077, 1061)))
      for year, due in enumerate(dues, first)),
]
# fmt: on


def by_index(month: int, first_year: int, **clause: Any) -> rb.RentAdjustmentRule:  # noqa: ANN401
    """Return a rule that follows the index of three months before, from a year on."""
    clauses = rb.IndexClause(lag_months=3, **clause)
    return rb.RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=month,
        first_year=str(first_year),
        index_clause=clauses,
    )


def due(
    price: str, since: str, values: str, on: str, caps: tuple[rb.RentAdjustmentRule, ...]
) -> str:
    """Return what is due from a day on, by an index and the caps listed after it."""
    start, used = (rb.IndexPoint.parse(day[:7]).shifted(-3) for day in (since, on))
    series = rb.IndexSeries("index", dict(zip((start, used), values.split(), strict=True)))
    rule = by_index(int(on[5:7]), int(on[:4]), start_point=start)
    terms = lease(price, since, rule, *caps)
    (made,) = rb.rent_adjustments(terms, f"{since}-01/{on}", indices=series)
    return str(made.to_period_amount)


def many(terms: rb.LeaseTerms, days: str, **values: object) -> list[str]:
    levels: Any = {name[1:].replace("_", "-"): value for name, value in values.items()}
    made = rb.rent_adjustments(terms, days, indices=rb.IndexSeries("NPI", levels))
    assert rb.explain(made)
    return [str(each.to_period_amount) for each in made]


@rows(("country", "scope", "price", "since", "values", "on", "expected"), CAPPED)
def test_a_cap_limits(
    country: str, scope: str, price: str, since: str, values: str, on: str, expected: str
) -> None:
    """The figures are worked out beside the row (A35, A37, A40)."""
    caps = cap_rules(country, int(on[5:7]), scope=scope)

    assert expected == due(price, since, values, on, caps)
    assert expected != due(price, since, values, on, ())


def test_every_cap_is_whole_limits_once_and_follows_those_of_its_scope() -> None:
    proven = [
        each
        for country, scope, *_, on, _ in CAPPED
        for each in legal_caps(country, on=on)
        if each.scope == scope
    ]

    assert ["bouclier loyer"] == [each.name for each in LEGAL_CAPS if each not in proven]
    assert {"DK", "FR", "ES", "IE", "AT", "PT", "NL"} == {each.country for each in LEGAL_CAPS}
    for each in LEGAL_CAPS:
        assert each.source
        assert each.says.endswith(".")
        assert (each.minimum, each.maximum) != (None, None)
        assert each.first_day < (each.last_day or date.max)
        together = legal_caps(each.country, on=each.first_day)
        assert [each] == [one for one in together if one.scope == each.scope]


# fmt: off
ANCHORED = by_index(1, 2024, basis="anchored", start_point="2022-10")
EXACT = by_index(1, 2023, start_point="2021-10", carried="exact")
LOWEST: Any = replace(legal_caps("DK")[0], minimum=Decimal("0.01"), maximum=None).rule(1)
SHORT = replace(legal_caps("DK")[0], first_day=date(2026, 2, 2), last_day=date(2026, 12, 31))


def years(country: str, month: int) -> list[tuple[str | None, str | None]]:
    return [(each.first_year, each.last_year) for each in cap_rules(country, month)]


GIVES: list[tuple[object, Call]] = [
    # What the Danish cap cut off is lost: 10,400; x 118.3 / 117.7 = 10,453.02, under the cap; in
    # 2025 there is none: x 1.1 = 11,498.32 (A35).
    (["10400.00 DKK", "10453.02 DKK", "11498.32 DKK"], lambda: many(
        lease("10000 DKK", "2022-01", preset("DK", "residential").rule(1), *cap_rules("DK", 1)),
        "2023-01-01/2025-12-31", p2021_10="106.7", p2022_10="117.7", p2023_10="118.3",
        p2024_10="130.13")),
    # A cap is a new base: 1,030 x 115.5 / 110, and not 1,155 (A35).
    (["1030.00 EUR", "1081.50 EUR"], lambda: many(
        lease("1000 EUR", "2023-01", ANCHORED, *cap_rules("ES", 1)), "2024-01-01/2025-12-31",
        p2022_10=100, p2023_10=110, p2024_10="115.5")),
    # A rise below the cap is rounded as ever: 7,968.3726; 8,124.6152 carried exactly is cut.
    ("7968.37 DKK",
     lambda: due("7812.13 DKK", "2022-01", "100 102", "2023-01-01", cap_rules("DK", 1))),
    (["8124.61 DKK"], lambda: many(
        lease("7812.13 DKK", "2022-01", EXACT, *cap_rules("DK", 1)), "2023",
        p2021_10=100, p2022_10=104)),
    (None, lambda: LOWEST.clause.amount_rounding),
    # From 30 September 2022 to 29 September 2024 each month has its day twice (A32).
    *(([found], partial(years, "DK", month)) for month, found in (
        (1, ("2023", "2024")), (9, ("2023", "2024")), (10, ("2022", "2023")),
        (12, ("2022", "2023")))),
    ([True, (None, Decimal("0.04"))], lambda: [cap_rules("DK", 1)[0].only_limits, (
        cap_rules("DK", 1)[0].minimum_percentage, cap_rules("DK", 1)[0].maximum_percentage)]),
    # March 2022 was before the first Spanish cap, April was not; the second is of 2024 alone.
    ([("2023", "2023"), ("2024", "2024")], partial(years, "ES", 3)),
    ([("2022", "2023"), ("2024", "2024")], partial(years, "ES", 4)),
    # Irish rents rise by at most 2 percent a year since December 2021.
    ([("2017", "2020"), ("2022", None)], partial(years, "IE", 12)),
    ("year_simple", lambda: cap_rules("IE", 12)[1].clause.limit_per),
    # Between 2 February and 31 December 2026 there is no 1 January.
    ([None, True], lambda: [SHORT.rule(1), SHORT.rule(3) is not None]),
    # A cap in the index needs no rule.
    ((), partial(cap_rules, "FR", 7, scope="residential")),
    (["bouclier loyer"], lambda: [each.name for each in legal_caps("FR", on="2022-08-01")]),
    ([[], ["4 percent rent cap"], ["4 percent rent cap"], []], lambda: [
        [each.name for each in legal_caps("dk", on=day)]
        for day in ("2022-09-29", "2022-09-30", date(2024, 9, 29), date(2024, 9, 30))]),
    ([(), ()], lambda: [legal_caps("SE"), cap_rules("SE", 1)]),
]
REFUSED: list[tuple[str, str, Call]] = [
    ("UnknownWordError: country unknown_preset", "DK", lambda: legal_caps("Denmark")),
    ("InvalidRecordError: scope scope_needed", f"one of: {FREE}; {MIDDLE}",
     lambda: cap_rules("NL", 7)),
    ("UnknownWordError: scope unknown_scope", "one of: residential",
     lambda: cap_rules("DK", 1, scope="farms")),
    ("UnknownWordError: scope unknown_scope", "one of: none",
     lambda: cap_rules("SE", 1, scope="farms")),
    ("InvalidRecordError: adjustment_month out_of_range", "", lambda: cap_rules("DK", 13)),
]
# fmt: on


@rows(("expected", "call"), GIVES)
def test_a_cap_or_its_rule_is(expected: object, call: Call) -> None:
    assert expected == call()


@rows(("expected", "known", "call"), REFUSED)
def test_what_is_wrong_is_refused(expected: str, known: str, call: Call) -> None:
    assert expected == refusal_text(call)
    assert known in faults(call, fields="expected")[0][0]
