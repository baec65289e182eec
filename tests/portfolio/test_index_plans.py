"""Index plans on columns: the engine for single leases says what comes of each lease."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa
from hypothesis import given

import rentbilling as rb
from rentbilling.adjustments import LeaseHistories
from rentbilling.errors import RentBillingError
from rentbilling.portfolio import BillRecordBatches, leases_to_arrow
from rentbilling.portfolio.runs.bill_batches import AdjustmentRows
from rentbilling.testing import a_lease, a_one_time_item, a_plan, a_rent, an_index
from rentbilling.testing.strategies.choices import Choices, chosen
from tests.portfolio.bulk_rows import INCLUDED, bills_in_full, bills_of_rows
from tests.portfolio.flat_portfolios import choose_flat_item
from tests.support.rows import rows

SERIES = an_index(
    {
        f"{year}-{month:02}": f"{100 + 3 * (year - 2018) + 7 * month % 5 - month % 3}.{month % 10}"
        for year in range(2018, 2028)
        for month in range(1, 13)
        # A value is missing here and there.
        if (year, month) not in {(2022, 4), (2025, 11)}
    },
    name="NPI",
)
RISING = an_index({f"{year}-10": str(100 + year - 2019) for year in range(2019, 2027)}, name="NPI")


MONTHLY = rb.IndexSeries(
    "NPI", dict.fromkeys(map(str, SERIES.points), "0.002"), kind="monthly_change"
)
RAISED = a_plan()
LATER = a_plan(percent="0.03")
ANCHORED = rb.IndexClause(basis="anchored")
RECORD = rb.AmountRecord(value=rb.Amount(9000, "DKK"), start=date(2023, 1, 1))
JANUARY = RECORD.evolve(start=date(2026, 1, 1))
NOTHING = rb.AmountRecord(value=rb.Amount(0, "DKK"), start=date(2023, 1, 1))
HELD = rb.Balance(amount=rb.Amount(100, "DKK"))
OF_BALANCE: Any = {"adjusts_balance": True, "adjusts_recurring_bill_item": False}
QUARTER = rb.BillingCycle(period_length=3, start=2)
EACH_ITS_OWN = [a_plan(adjustee_ref="b", id="one"), a_plan(adjustee_ref="a", id="two")]
MADE = "2024-01-02T00:00:00Z"
RULELESS = rb.RentAdjustmentPlan()
LISTED = rb.RentAdjustment(adjusted_on=date(2025, 1, 1), to_period_amount=rb.Amount(9000, "DKK"))
RENT_STEPS = a_plan(amount=1200, first_year=2024)


def choose_increments(choices: Choices) -> rb.RentAdjustmentRule:
    """Choose a rule of increments by percentages."""
    years = sorted({2018 + choices.below(10) for _ in range(choices.pick((1, 1, 2, 3)))})
    steps = [
        rb.Increment(
            year=f"{year}",
            percentage=choices.number(("0.02", "0.035", "-0.01", "2")),
            recurrence=choices.pick((None, "Recurring", "Recurring")),
        )
        for year in years
    ]
    return rb.RentAdjustmentRule(
        adjustment_type="Increment",
        adjustment_month=1 + choices.below(12),
        maximum_percentage=Decimal("0.03") if choices.rarely(3) else None,
        increments=tuple(steps),
        index_clause=rb.IndexClause(interval_years=choices.pick((None, None, 2))),
    )


def choose_rule(choices: Choices) -> rb.RentAdjustmentRule:
    """Choose a rule, most often a plain one."""
    if choices.rarely(3):
        return choose_increments(choices)
    limits = choices.pick(((None, None), ("0", "0.04"), (None, "0.02"), ("-0.01", "0.05")))
    clause = choices.pick(
        (
            *(None, None, None, rb.IndexClause(lag_months=3), rb.IndexClause(interval_years=2)),
            *(rb.IndexClause(share=Decimal("0.5")), rb.IndexClause(series="Other")),
            rb.IndexClause(percentage_decimals=1, percentage_rounded="applied", surcharge="0.01"),
            rb.IndexClause(excess_over="0.01", excess_share="0.5", amount_quantum=10),
            rb.IndexClause(amount_quantum=12, amount_per="year", percentage_decimals=2),
            rb.IndexClause(amount_quantum="0.05", amount_per="month"),
            rb.IndexClause(amount_quantum=5, amount_rounding="down"),
            *(rb.IndexClause(basis="anchored"), rb.IndexClause(basis="anchored", lag_months=3)),
            rb.IndexClause(basis="anchored", amount_quantum="0.1"),
        )
    )
    lagged = clause is not None and clause.lag_months is not None
    return rb.RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=1 + choices.below(12),
        index_month=None if lagged else 1 + choices.below(12),
        minimum_percentage=None if limits[0] is None else Decimal(limits[0]),
        maximum_percentage=None if limits[1] is None else Decimal(limits[1]),
        first_year=choices.pick((None, None, None, "2024")),
        last_year=choices.pick((None, None, None, "2025")),
        index_clause=clause,
    )


def choose_item(choices: Choices) -> rb.RecurringBillItem:
    """Choose an item, most often of one unit without records."""
    item = choose_flat_item(choices, choices.pick(("DKK", "EUR", "JPY", "KWD")), None)
    if choices.rarely(4):
        return item
    records = choices.pick(((), (), item.amount_records, None))
    if records is None:
        # On days on which rules adjust, in any order.
        months = {(2019 + choices.below(8), 1 + choices.below(12)) for _ in range(3)}
        records = tuple(
            rb.AmountRecord(
                value=rb.Amount(choices.below(4) * 500, item.amount.currency),
                start=date(year, month, choices.pick((1, 1, 15))),
            )
            for year, month in months
        )
    return item.evolve(quantity=None, amount_records=records)


_CREATED = [
    datetime.fromisoformat(each)
    for each in ("2024-02-01T00:00:00Z", "2024-02-02T00:00:00+02:00", "2025-12-31T23:00:00Z")
]


def choose_lease(choices: Choices) -> rb.LeaseTerms:
    terms = choose_terms(choices)
    return choose_listed(choices, terms) if choices.below(2) else terms


def choose_listed(choices: Choices, terms: rb.LeaseTerms) -> rb.LeaseTerms:
    """List the adjustments up to a day, as a service keeps them, or with a slip of its own."""
    first = choices.pick((date(2018, 1, 1), date(2018, 1, 1), date(2023, 6, 1)))
    last = choices.pick((date(2024, 12, 31), date(2025, 12, 31), date(2026, 6, 30)))
    try:
        made = rb.rent_adjustments(terms, rb.Period(first, last), indices=SERIES, policy=INCLUDED)
        some = [each for each in made if choices.below(4)]
        listed = some if choices.rarely(6) else made
        kept = rb.adjusted_terms(
            terms, listed, records=choices.below(3) > 0, indices=SERIES, policy=INCLUDED
        )
    except RentBillingError:
        return terms
    plans = kept.rent_adjustment_plans
    if choices.rarely(3):
        plans = tuple(choose_slips(choices, plan) for plan in plans)
    return kept.evolve(rent_adjustment_plans=plans)


def choose_slips(choices: Choices, plan: rb.RentAdjustmentPlan) -> rb.RentAdjustmentPlan:
    """Change something of what a plan lists."""
    listed = list(plan.adjustments)
    for at, each in enumerate(listed):
        after, before = each.to_period_amount, each.from_period_amount
        if after is None or before is None:
            continue
        more = rb.Amount(after.amount + choices.number(("1", "0.01")), after.currency)
        (effect, *_) = (*each.adjustment_rules_effects, rb.AdjustmentEffect())
        slips: tuple[dict[str, Any], ...] = (
            *({"to_period_amount": more}, {"from_period_amount": more}),
            {"to_period_amount": rb.Amount(before.amount, before.currency)},
            *({"from_period_amount": None}, {"adjustment_rules_effects": ()}),
            {"adjusted_on": each.adjusted_on.replace(day=15)},
            {"adjusted_on": each.adjusted_on.replace(month=5)},
            {"adjustment_rules_effects": (effect.evolve(to_year_month="2025-10", to_point=None),)},
            {"adjustment_rules_effects": (effect.evolve(to_point="2024-Q4"),)},
            {"to_period_amount": None},
        )
        if choices.below(2):
            listed[at] = each.evolve(**choices.pick(slips))
    if len({each.adjusted_on for each in listed}) < len(listed):
        return plan
    return plan.evolve(adjustments=tuple(reversed(listed) if choices.below(2) else listed))


def choose_terms(choices: Choices) -> rb.LeaseTerms:
    items = tuple(choose_item(choices) for _ in range(choices.pick((1, 1, 2, 3))))
    ids = choices.pick((None, None, "rent"))
    if ids is not None:
        items = tuple(item.evolve(id=f"rent-{at}") for at, item in enumerate(items))
    names = rb.LeaseTerms(recurring_bill_items=items).item_ids
    count = choices.pick((0, 1, 1, 1, 2, len(names)))
    return rb.LeaseTerms(
        lease_id="lease",
        recurring_bill_items=items,
        rent_adjustment_plans=choose_plans(choices, names, count),
        balances=(rb.Balance(amount=rb.Amount(100, "DKK")),) if choices.rarely(3) else (),
    )


def choose_plans(
    choices: Choices, names: Sequence[str], count: int
) -> tuple[rb.RentAdjustmentPlan, ...]:
    """Choose plans, most often of an item each, with ids of their own."""
    refs: list[str | None] = (
        [*names] if choices.below(4) else [choices.pick(names) for _ in range(count)]
    )
    if len(names) == 1 and choices.below(2):
        refs = [None] * count
    known: tuple[list[str | None], ...] = ([None] * 3, ["a", "b", "c"], ["plan-9", None, None])
    ids = choices.pick(known)
    return tuple(
        choose_plan(choices, ref).evolve(id=own)
        for ref, own in zip(refs[:count], ids[:count], strict=False)
    )


def choose_plan(choices: Choices, ref: str | None) -> rb.RentAdjustmentPlan:
    return rb.RentAdjustmentPlan(
        adjustee_ref=ref,
        next_adjustment_date=choices.pick((None, date(2026, 1, 1))),
        created=choices.pick((None, None, *_CREATED)),
        modified=choices.pick((None, *_CREATED[:1])),
        cancelled_on=choices.day(900) if choices.rarely(8) else None,
        ended_on=choices.day(900) if choices.rarely(8) else None,
        cancelled_or_ended_on=choices.day(900) if choices.rarely(8) else None,
        rent_adjustment_rules=() if choices.rarely(8) else (choose_rule(choices),),
    )


portfolios = chosen(
    lambda choices: [
        choose_lease(choices).evolve(lease_id=f"lease-{at}") for at in range(1 + choices.below(6))
    ],
    2500,
)
windows = chosen(
    lambda choices: rb.Period(
        start := date(2019 + choices.below(8), 1 + choices.below(12), 1 + choices.below(28)),
        date.fromordinal(start.toordinal() + choices.pick((0, 27, 30, 89))),
    ),
    100,
)


@given(portfolios, windows)
def test_every_lease_has_the_bills_that_it_has_alone(
    portfolio: list[rb.LeaseTerms], period: rb.Period
) -> None:
    """With adjustments and notices, and refused where it is refused alone."""
    run = BillRecordBatches(period, indices=SERIES, policy=INCLUDED, on_problem="table")
    found = run.billed(leases_to_arrow(portfolio))
    alone, refused = {}, []
    for at, terms in enumerate(portfolio):
        try:
            alone[at] = rb.bill_period(terms, period, indices=SERIES, policy=INCLUDED)
        except RentBillingError:
            refused.append(at)

    assert refused == sorted({row["row"] for row in found.problems.to_pylist()})
    expected = [
        {**bill, "row": at} for at, result in alone.items() for bill in bills_in_full([result])
    ]
    assert expected == bills_of_rows(found.bills)
    adjusted = AdjustmentRows()
    for at, result in alone.items():
        adjusted.add(at, portfolio[at].lease_id, result.adjustments)
    assert adjusted.batch().to_pylist() == found.adjustments.to_pylist()
    noticed = {at: len(result.notices) for at, result in alone.items() if result.notices}
    rows = found.notices.column("row").to_pylist()
    assert noticed == {at: rows.count(at) for at in set(rows)}


def scalar_leases(
    lease: rb.LeaseTerms, asked: str = "2026-03", indices: rb.IndexSeries | None = RISING
) -> int:
    run = BillRecordBatches(asked, indices=indices, on_problem="table")
    return int(run.billed(leases_to_arrow([lease])).summary.scalar_leases)


def old(**changes: Any) -> rb.RecurringBillItem:  # noqa: ANN401 - whatever the record takes
    return a_rent(moved_in="2021-01-15", amount=8000, **changes)


def test_five_years_of_an_index_by_hand() -> None:
    """Each January by the October before it over the one a year earlier, rounded to 0.01.

    8,000 × 102/101 = 8,079.21 in 2022, × 103/102 = 8,158.42 in 2023, and so on to 106/105 in 2026.
    """
    amount = Decimal(8000)
    for year in range(2022, 2027):
        step = amount * (year - 1 - 2019 + 100) / (year - 2 - 2019 + 100)
        amount = step.quantize(Decimal("0.01"))
    run = BillRecordBatches("2026-03", indices=RISING)
    found = run.billed(leases_to_arrow([a_lease(old(), plans=[RAISED])]))

    assert 0 == found.summary.scalar_leases
    assert [amount] == found.bills.column("total").to_pylist()


def test_an_adjustment_of_an_asked_day_by_hand() -> None:
    """October 2025 over October 2024, 106 over 105: of 8,400.00 a month 80.00, 960.00 a year."""
    rent = a_rent(moved_in="2025-01-15", amount=8400, id="home")
    run = BillRecordBatches("2026-01", indices=RISING)
    found = run.billed(leases_to_arrow([a_lease(rent, plans=[a_plan(id="yearly")])]))
    (row,) = found.adjustments.to_pylist()
    (effect,) = row["adjustment_rules_effects"]

    assert (0, "yearly", "home", "2026") == (
        found.summary.scalar_leases,
        *(row[name] for name in ("plan_id", "adjustee_id", "year")),
    )
    assert [8480, 80, 100800, 101760] == [
        row[name]["amount"]
        for name in (
            *("to_period_amount", "period_amount_change"),
            *("from_yearly_amount", "to_yearly_amount"),
        )
    ]
    assert ("rule-1", 105, 106, "2025-10") == (
        effect["rent_adjustment_rule_id"],
        *(effect[name] for name in ("from_index", "to_index", "to_year_month")),
    )


def test_a_plan_adjusts_between_its_creation_and_its_end() -> None:
    """8,000 × 104/103 = 8,077.67 in January 2024 or 2025, or not yet, or no more (A32)."""
    run = BillRecordBatches("2026-03", indices=RISING)
    once = [Decimal("8077.67")]
    wrong = []
    cases: list[tuple[dict[str, Any], list[Decimal]]] = [
        # The whole of January 2024 lies before the second day of it, and 2026 after the end.
        ({"created": "2023-12-31T00:00:00Z", "ended_on": "2024-12-31"}, once),
        ({"created": "2024-01-01T00:00:00Z", "cancelled_on": "2024-01-02"}, once),
        ({"created": MADE, "cancelled_on": "2025-01-01"}, [Decimal(8000)]),
        ({"cancelled_or_ended_on": "2022-01-01"}, [Decimal(8000)]),
    ]
    for own, totals in cases:
        found = run.billed(leases_to_arrow([a_lease(old(), plans=[a_plan(**own)])]))
        if (0, totals) != (found.summary.scalar_leases, found.bills.column("total").to_pylist()):
            wrong.append((own, found.bills.column("total").to_pylist()))

    assert [] == wrong


@rows("name", ["created", "modified"])
def test_a_plan_of_no_moment_is_refused(name: str) -> None:
    batch = leases_to_arrow([a_lease(old(), plans=[RAISED])])
    (row,) = batch.to_pylist()
    row["rent_adjustment_plans"][0][name] = "yesterday"
    run = BillRecordBatches("2026-03", indices=RISING, on_problem="table")
    found = run.billed(pa.RecordBatch.from_pylist([row], batch.schema))

    assert [f"rent_adjustment_plans[0].{name}"] == found.problems.column("path").to_pylist()


def test_what_a_rule_does_is_left_where_an_older_lease_lacks_a_value() -> None:
    """The older one is refused in 2023 for October 2021; of the other that says nothing."""
    values: dict[str, Any] = {
        f"{year}-10": 100 + year - 2019 for year in range(2019, 2027) if year != 2021
    }
    run = BillRecordBatches("2026-01", indices=rb.IndexSeries("NPI", values), on_problem="table")
    newer = a_lease(a_rent(moved_in="2024-03-01"), plans=[RAISED], lease_id="newer")
    older = a_lease(old(), plans=[RAISED], lease_id="older")
    alone, both = (run.billed(leases_to_arrow(each)) for each in ([newer], [newer, older]))

    assert (0, 2) == (alone.summary.scalar_leases, both.summary.scalar_leases)
    assert alone.adjustments.equals(both.adjustments)
    assert 1 == both.summary.with_problems


def test_adjustments_are_in_the_order_of_the_leases() -> None:
    """Of two that go one by one and two that do not: what is of a week has 52 in a year (A38)."""
    weeks = old(billing_cycle=rb.BillingCycle(time_unit="Week", period_length=2))
    days = old(billing_cycle=rb.BillingCycle(time_unit="Day", period_length=5))
    alone_or_not = old(price_per="month"), weeks, old(price_per="month"), days
    leases = [
        a_lease(each, plans=[RAISED], lease_id=f"{at}") for at, each in enumerate(alone_or_not)
    ]
    found = BillRecordBatches("2026-01", indices=RISING).billed(leases_to_arrow(leases))
    rows = found.adjustments.to_pylist()

    assert 2 == found.summary.scalar_leases
    assert ["0", "1", "2", "3"] == [row["lease_id"] for row in rows]
    for row, count in zip(rows, (12, 26, 12, 73), strict=True):
        assert row["to_period_amount"]["amount"] * count == row["to_yearly_amount"]["amount"]


def planned(*plans: rb.RentAdjustmentPlan, **changes: Any) -> rb.LeaseTerms:  # noqa: ANN401 - of a rent
    return a_lease(old(**changes), plans=plans)


@rows(
    "given",
    [
        (planned(RAISED),),
        (planned(RAISED), "2026-01"),
        (planned(a_plan(created=MADE, modified=MADE)),),
        (planned(a_plan(ended_on="2025-07-01")), "2026-01"),
        (a_lease(old(), plans=[a_plan(lease_id="lease-1")], lease_id="lease-1"), "2027-01"),
        (planned(a_plan(minimum=0, maximum="0.01")), "2026-12"),
        (a_lease(old(), a_one_time_item(), plans=[RAISED]), "2026-02"),
        (planned(a_plan(percent="0.03", first_year="2023")),),
        (planned(RAISED, amount_records=[RECORD]),),
        (planned(a_plan(clause=rb.IndexClause(lag_months=3))),),
        # A percentage and an amount that the clause rounds, a year's to the krone.
        (planned(a_plan(clause=rb.IndexClause(percentage_decimals=1, share="0.75"))),),
        (planned(a_plan(clause=rb.IndexClause(surcharge="0.01", amount_quantum="0.5"))),),
        (planned(a_plan(clause=rb.IndexClause(amount_quantum=12, amount_per="year"))),),
        # The first amount times the index over that of the first adjustment; no limit is reached.
        (planned(a_plan(clause=ANCHORED)),),
        (planned(a_plan(clause=ANCHORED, minimum=0, maximum="0.05")),),
        (a_lease(old(id="a"), old(id="b"), plans=[a_plan(adjustee_ref="b")]),),
        (a_lease(old(), old(), plans=[a_plan(adjustee_ref="recurring-2")]),),
        (planned(a_plan(), a_plan(month=7)), "2026-07"),
        (a_lease(old(id="a"), old(id="b"), plans=EACH_ITS_OWN), "2026-01"),
        (a_lease(old(), plans=[RAISED], balances=[rb.Balance(amount=rb.Amount(1, "DKK"))]),),
        # A quarter over the day of an adjustment.
        (planned(RAISED, billing_cycle=QUARTER), "2025-11"),
        # The first increment, on a day that is billed.
        (planned(LATER, billing_cycle=QUARTER), "2026-11"),
        (planned(LATER), "2027-01"),
        # Without a rule a plan adjusts nothing, whatever is beside it.
        (planned(RULELESS),),
        (planned(RULELESS, RAISED), "2026-01"),
        (planned(RULELESS, amount_records=[JANUARY]), "2026-01"),
    ],
)
def test_plain_plans_are_followed_on_columns(given: tuple[Any, ...]) -> None:
    assert 0 == scalar_leases(*given)


def octobers(digits: str = "") -> dict[str, Any]:
    return {f"{year}-10": f"{100 + year - 2019}{digits}" for year in range(2019, 2026)}


@rows(
    "given",
    [
        (planned(RULELESS.evolve(adjustments=[LISTED])),),
        (a_lease(old(), plans=[RULELESS.evolve(**OF_BALANCE)], balances=[HELD]),),
        # An amount record is the adjustment of an asked day.
        (planned(RAISED, amount_records=[JANUARY]), "2026-01"),
        # An index value that a period needs is missing: that of October 2027.
        (planned(RAISED, due_date_rule=rb.DueDateRule(day_of_period=-40)), "2027-12"),
        # A record on a day of the rule, in the month after the asked one; one of nothing.
        (planned(RAISED, billing_cycle=QUARTER, amount_records=[JANUARY]), "2025-11"),
        (planned(RAISED, amount_records=[NOTHING]),),
        # An increment of a day that is billed, after the end of its plan; of an amount.
        (planned(LATER.evolve(ended_on="2026-12-15"), billing_cycle=QUARTER), "2026-11"),
        (planned(RENT_STEPS),),
        # Anchored: what a limit leaves, an agreed amount, another plan, a day that is billed.
        (planned(a_plan(clause=ANCHORED, maximum="0.001")),),
        (planned(a_plan(clause=ANCHORED), amount_records=[RECORD]),),
        (planned(a_plan(clause=ANCHORED), a_plan(month=7)),),
        (planned(a_plan(clause=ANCHORED)), "2026-01"),
        (planned(a_plan(clause=ANCHORED, maximum="0.0123456789")),),
        # Rounded otherwise than half up, and to no minor unit.
        (planned(a_plan(clause=rb.IndexClause(amount_quantum=5, amount_rounding="down"))),),
        (planned(a_plan(clause=rb.IndexClause(amount_quantum="0.001"))),),
        # Two plans that act in one month.
        (planned(a_plan(), a_plan(minimum=0)),),
        (planned(a_plan(clause=rb.IndexClause(series="Other"))),),
        (planned(a_plan(clause=rb.IndexClause(base="2015=100"))),),
        # No series; a provisional value; factors of many digits.
        (planned(RAISED), "2026-03", None),
        (planned(RAISED), "2026-03", rb.IndexSeries("NPI", octobers(), provisional=["2025-10"])),
        (planned(RAISED), "2026-03", rb.IndexSeries("NPI", octobers(".12345678901"))),
        (planned(RAISED), "2026-03", MONTHLY),
        # A plan in a batch without items.
        (rb.LeaseTerms(balances=(HELD,), rent_adjustment_plans=(a_plan(**OF_BALANCE),)),),
    ],
)
def test_other_plans_are_left(given: tuple[Any, ...]) -> None:
    assert 1 == scalar_leases(*given)


def test_plans_of_a_day_are_in_their_order() -> None:
    run = BillRecordBatches("2026-01", indices=RISING)
    lease = a_lease(old(id="a"), old(id="b"), plans=EACH_ITS_OWN)
    found = run.billed(leases_to_arrow([lease])).adjustments.to_pylist()

    assert [("one", "b"), ("two", "a")] == [(row["plan_id"], row["adjustee_id"]) for row in found]


def test_the_factor_of_a_month_by_quarters() -> None:
    """January 2026 by the third quarter of 2025 over that of 2024: 106/105."""
    by_quarter = a_plan(clause=rb.IndexClause(reference="quarter", index_quarter=3))
    values: dict[str, Any] = {f"{year}-Q3": str(100 + year - 2019) for year in range(2019, 2026)}
    series = rb.IndexSeries("NPI", values)
    lease = a_lease(old(), plans=[by_quarter])
    (history,) = LeaseHistories(lease, {"NPI": series}, INCLUDED).items.values()
    assert history.plain is not None
    times, of, _ = history.plain.factor(2026 * 12) or (0, 1, 0)

    assert Fraction(106, 105) == Fraction(times, of)
    assert history.plain.factor(2027 * 12) is None


def test_a_rule_that_is_wrong_is_left() -> None:
    batch = leases_to_arrow([a_lease(old(), plans=[a_plan(minimum=0, maximum="0.01")])])
    (row,) = batch.to_pylist()
    row["rent_adjustment_plans"][0]["rent_adjustment_rules"][0]["minimum_percentage"] = Decimal(1)
    wrong = pa.RecordBatch.from_pylist([row], batch.schema)
    run = BillRecordBatches("2026-03", indices=RISING, on_problem="table").billed(wrong)

    assert (1, 1) == (run.summary.scalar_leases, run.summary.with_problems)
