"""Presets: each makes a rule that gives the worked figures of its country, and none is guessed."""

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import rentbilling as rb
from rentbilling import presets
from rentbilling.presets import PRESETS, preset
from rentbilling.presets.catalogue import COUNTRIES
from rentbilling.presets.clause_preset import ClausePreset, adjustment_years
from tests.support.refusals import Call, refusal_text, refused
from tests.support.rents import amount, opening, rent
from tests.support.rows import rows

READ: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(("index_month", "index_quarter"), int),
    **dict.fromkeys(("minimum_percentage", "maximum_percentage", "amount_quantum"), Decimal),
    "share": Decimal,
    "base_amount": amount,
}


class Worked(NamedTuple):
    """A line of `worked.txt`."""

    preset: ClausePreset
    price: str
    since: str
    series: rb.IndexSeries
    on: str
    due: str
    states: dict[str, Any]


def worked() -> list[Worked]:
    found = []
    for line in Path(__file__).with_name("worked.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            title, price, since, index, expected, *rest = line.split(" | ")
            country, _, words = title.partition(": ")
            name, _, region = words.removesuffix(")").partition(" (")
            on, _, due = expected.partition(": ")
            stated = dict(each.split("=", 1) for each in ", ".join(rest).split(", ") if each)
            known = dict(each.split(":") for each in stated.pop("known", "").split())
            values = dict(each.split() for each in index.split(", "))
            kind: Any = stated.pop("kind", "level")
            base = stated.get("base")
            series = rb.IndexSeries("index", values, base=base, kind=kind, known=known)
            states = {each: READ.get(each, str)(text) for each, text in stated.items()}
            chosen = preset(country, name, region=region or None, on=on)
            found.append(Worked(chosen, price, since, series, on, f"{due} {price[-3:]}", states))
    return found


def lease(price: str, since: str, *rules: rb.RentAdjustmentRule) -> rb.LeaseTerms:
    """Return a lease of one rent, by the month or by the year, adjusted by some rules."""
    days = rb.Period.parse(f"{since[:4]}-01-01/{since[:4]}-12-31")
    cycle = rb.BillingCycle(time_unit="Year")
    if "-" in since:
        days, cycle = days.months[int(since[5:]) - 1], rb.BillingCycle()
    first = opening(str(days), price=price)
    item = rent(price, first_billing_period_bill_item=first, billing_cycle=cycle)
    plan = rb.RentAdjustmentPlan(rent_adjustment_rules=rules)
    return rb.LeaseTerms(recurring_bill_items=(item,), rent_adjustment_plans=(plan,))


WORKED = worked()


@rows("row", WORKED)
def test_a_preset_gives_the_worked_figure(row: Worked) -> None:
    """On the last day up to then on which it adjusts (A33, A34, A35, A40)."""
    rule = row.preset.rule(int(row.on[5:7]), **row.states)
    terms = lease(row.price, row.since, rule)
    made = rb.rent_adjustments(terms, f"{row.since[:4]}-01-01/{row.on}", indices=row.series)

    assert (row.on, row.due) == (f"{made[-1].adjusted_on}", f"{made[-1].to_period_amount}")


def test_every_preset_has_a_worked_figure() -> None:
    proven = {each.preset for each in WORKED}
    missing = [each.label for each in PRESETS if each not in proven]

    assert ["residential, beside a contract (from 2026-04-01)"] == missing


def test_the_lower_of_contract_and_law_is_due() -> None:
    """Signed in April 2027: the contract gives 1,200, the law 8/12 of 3.5 percent: 1,023.33.

    The law counts 4 percent as 3 + 1 / 2; the contract's 20 percent stay its own (A37, A40).
    """
    of_contract = rb.IndexClause(series="contract", lag_months=3, after_limit="carry")
    contract = rb.RentAdjustmentRule(
        adjustment_type="Index", adjustment_month=4, index_clause=of_contract
    )
    law = preset("AT", "residential, beside a contract").rule(4, series="means")
    prices = rb.IndexSeries("contract", {"2027-01": 100, "2028-01": 120})
    means = rb.IndexSeries("means", {"2026": 100, "2027": 104})
    terms = lease("1000.00 EUR", "2027-04", contract, law)
    (made,) = rb.rent_adjustments(terms, "2028", indices=(prices, means))

    assert "1023.33 EUR" == f"{made.to_period_amount}"


# fmt: off
STATED: dict[str, Any] = {
    "index_month": 10, "index_quarter": 2, "start_point": "2020-10", "base": "2015=100",
    "minimum_percentage": Decimal("0.02"), "maximum_percentage": Decimal("0.04"),
}
# fmt: on


@rows("each", PRESETS)
def test_a_preset_is_whole_and_asks_for_what_the_lease_must_state(each: ClausePreset) -> None:
    """What counts from the start of the lease needs the point of its start (A34, A40)."""
    rule = each.rule(4, **{name: STATED[name] for name in each.needs})

    assert rule.by_index
    assert each.clause.basis == rule.clause.basis
    assert each.minimum_percentage in {None, rule.minimum_percentage}
    assert each.maximum_percentage in {None, rule.maximum_percentage}
    assert each.source
    assert each.index
    assert each.says.endswith(".")
    assert (each.valid_from or date.min) < (each.valid_until or date.max)
    if each.clause.basis == "anchored" or each.clause.threshold is not None:
        assert "start_point" in each.needs
    if each.needs:
        asked = [(one.path, one.code) for one in refused(partial(each.rule, 4)).problems]
        assert [(name, "needed_by_preset") for name in each.needs] == asked


def test_no_two_presets_look_alike_and_each_asked_country_has_some() -> None:
    assert len(PRESETS) == len({(each.country, each.label) for each in PRESETS})
    assert " ".join(COUNTRIES) == "DK SE NO FI NL BE LU FR DE AT CH PL ES IT PT GB IE US CA AU IL"


# fmt: off
DK, FR, UP = preset("DK", "residential"), preset("FR", "shops"), preset("PT", "coefficient")
LAG = DK.rule(1, lag_months=3)
WHOLE, IRAV = preset("PT", "coefficient, whole euro"), preset("ES", "IRAV")
PROTECTED = preset("AT", "residential, price-protected", on="2026-04-01")
KRONE = preset("DK", "whole krone").rule(
    1, id="r", maximum_percentage=Decimal("0.04"), series="NPI")


def years(rule: rb.RentAdjustmentRule) -> tuple[str | None, str | None]:
    return rule.first_year, rule.last_year


GIVES: list[tuple[object, Call]] = [
    # A rule is the preset, and what the lease states otherwise; a plain clause is absent.
    (rb.RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10),
     lambda: DK.rule(1)),
    (None, lambda: DK.rule(1).index_clause),
    (("r", Decimal("0.04"), "NPI", Decimal(1)), lambda: (
        KRONE.id, KRONE.maximum_percentage, KRONE.clause.series, KRONE.clause.amount_quantum)),
    # Another way to find the months takes the place of the usual month.
    ((None, 3), lambda: (LAG.index_month, LAG.clause.lag_months)),
    ((3, 6), lambda: (
        FR.rule(7, lag_months=3).clause.lag_months, FR.rule(7, index_month=6).index_month)),
    # Dates become years: from 1 November 2012 on a rent of January begins in 2013.
    (("2013", None), lambda: years(UP.rule(1))), (("2012", None), lambda: years(UP.rule(11))),
    (("2012", "2011"), lambda: (WHOLE.rule(10).last_year, WHOLE.rule(11).last_year)),
    (("2020", "2024"), lambda: years(UP.rule(1, first_year=2020, last_year="2024"))),
    (("2025", "2030"), lambda: years(IRAV.rule(4, last_year=2030))),
    # Both days are included; from 2 June 2020 to 31 May 2021 there is no day in June.
    *((found, partial(adjustment_years, month, date(2020, 6, 1), date(2021, 6, 1)))
      for month, found in ((5, ("2021", "2021")), (6, ("2020", "2021")), (7, ("2020", "2020")))),
    (("2021", "2020"), partial(adjustment_years, 6, date(2020, 6, 2), date(2021, 5, 31))),
    # They are found by country, name, region and day. The IRAV came with 2025.
    (PRESETS, presets.find),
    (["IPC", "IRAV"], lambda: [each.name for each in presets.find("es")]),
    (["IPC"], lambda: [each.name for each in presets.find("ES", on="2024-12-31")]),
    (2, lambda: len(presets.find("ES", on=date(2025, 1, 1)))),
    (["Flanders", "Brussels", "Wallonia"], lambda: [each.region for each in presets.find("BE")]),
    ("yearly mean", lambda: preset("PL").name),
    ("Flanders", lambda: preset("be", "Residential", region="FLANDERS").region),
    (preset("GB", "yearly review"), lambda: preset("UK", "yearly review")),
    (["0.01", "0.02"], lambda: [
        str(preset("AT", "residential, price-protected", on=f"{year}-04-01").maximum_percentage)
        for year in (2026, 2027)]),
]
ANY: Any = preset
REFUSED: list[tuple[str, str, Call]] = [
    ("InvalidRecordError: lag unknown_field", "", lambda: DK.rule(1, lag=3)),
    # No 1 January lies between April and December 2026; at most 1 percent in 2026 alone (A140).
    ("InvalidAdjustmentRuleError: last_year reversed_years", "", lambda: PROTECTED.rule(1)),
    ("InvalidAdjustmentRuleError: last_year outside_preset", "",
     lambda: PROTECTED.rule(4, last_year=2028)),
    ("InvalidAdjustmentRuleError: first_year outside_preset", "",
     lambda: PROTECTED.rule(4, first_year="2025")),
    ("InvalidAdjustmentRuleError: first_year outside_preset", "",
     lambda: IRAV.rule(4, first_year=2024)),
    ("InvalidPeriodError: last_year not_a_year", "", lambda: IRAV.rule(4, last_year=True)),
    ("InvalidRecordError: adjustment_month not_a_whole_number", "",
     lambda: ANY("ES", "IRAV").rule("4")),
    ("InvalidRecordError: name preset_needed",
     "residential (Flanders); residential (Brussels); residential (Wallonia)",
     lambda: preset("BE")),
    # What is unknown is refused with what is known.
    *((f"UnknownWordError: {field} unknown_preset", known, partial(ANY, *asked, **more))
      for asked, more, field, known in (
        (("XX",), {}, "country", "DK; SE; NO"), ((5,), {}, "country", "DK; SE; NO"),
        (("FR", "farms"), {}, "name", "residential; shops; offices"),
        (("ES", 4), {}, "name", "IPC; IRAV"),
        (("BE",), {"region": "Namur"}, "region", "Flanders; Brussels; Wallonia"),
        (("DK",), {"region": "Fyn"}, "region", "none"),
        (("ES", "IRAV"), {"on": "2024-12-31"}, "on", "IRAV (from 2025-01-01)"))),
    ("InvalidPeriodError: on not_a_date", "", lambda: presets.find(on="2025-02-30")),
]
# fmt: on


@rows(("expected", "call"), GIVES)
def test_a_preset_or_its_rule_is(expected: object, call: Call) -> None:
    assert expected == call()


@rows(("expected", "known", "call"), REFUSED)
def test_what_is_wrong_is_refused(expected: str, known: str, call: Call) -> None:
    assert expected == refusal_text(call)
    assert known in (refused(call).problems[0].expected or "")
