"""Adjustments that a service has listed, on columns: as each lease is billed alone."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pyarrow as pa

import rentbilling as rb
from rentbilling.policy import DEFAULT
from rentbilling.portfolio import BillRecordBatches, leases_to_arrow
from rentbilling.portfolio.leases.batches import payloads
from rentbilling.terms import reading_context
from rentbilling.testing import a_lease, a_plan, a_rent, an_index
from tests.portfolio.real_leases import differing
from tests.support.rows import rows

RISING = an_index({f"{year}-10": str(100 + year - 2019) for year in range(2019, 2027)}, name="NPI")
RECENT = an_index({"2024-10": "105", "2025-10": "106"}, name="NPI")


def rent(moved_in: str = "2021-01-15", **changes: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    return a_rent(moved_in=moved_in, amount=8000, **changes)


def kept(*plans: Any, until: str = "2026-01-01", records: bool = True) -> rb.LeaseTerms:  # noqa: ANN401
    """Return a lease as a service keeps it after its adjustments up to a day."""
    lease = a_lease(rent(), plans=[*plans] or [a_plan()], lease_id="kept")
    made = rb.rent_adjustments(lease, f"2021-02-01/{until}", indices=RISING)
    return rb.adjusted_terms(lease, made, records=records, indices=RISING)


def recorded(start: str, amount: str, moved_in: str = "2021-01-15") -> rb.LeaseTerms:
    record = rb.AmountRecord(
        value=rb.Amount(Decimal(amount), "DKK"), start=date.fromisoformat(start)
    )
    return a_lease(rent(moved_in, amount_records=[record]), plans=[a_plan()])


def by_both(
    given: Any,  # noqa: ANN401 - a record batch
    asked: str,
    indices: rb.IndexSeries | None = RISING,
    policy: rb.BillingPolicy = DEFAULT,
) -> tuple[int, Any]:
    """Return how many leases are not billed on columns, and what comes of all, checked alone."""
    run = BillRecordBatches(asked, indices=indices, policy=policy, on_problem="table")
    found = run.billed(given)
    alone = run.billed([*payloads(given, reading_context(policy, exact_texts=True))])
    assert set() == differing(found, alone)
    return found.summary.scalar_leases, found


@rows("records", [True, False])
def test_what_is_listed_is_billed_by_hand(records: bool) -> None:
    """8,000 × 104/103 rounded each year, as in `test_index_plans`: 8,396.05 from January 2026.

    The asked January lists it as it was made: from 8,316.84, up 79.21.
    """
    left, found = by_both(leases_to_arrow([kept(records=records)]), "2026-01")
    (made,) = found.adjustments.to_pylist()

    assert 0 == left
    assert [Decimal("8396.05")] == found.bills.column("total").to_pylist()
    assert ["8316.84", "8396.05", "79.21"] == [
        f"{made[name]['amount']:.2f}"
        for name in ("from_period_amount", "to_period_amount", "period_amount_change")
    ]
    assert ("plan-1", "recurring-1", 1) == (
        *(made[name] for name in ("plan_id", "adjustee_id")),
        len(made["adjustment_rules_effects"]),
    )


def test_a_record_of_an_asked_day_is_the_adjustment() -> None:
    """8,396.05 as the rule makes it of 8,316.84, and no effect of a rule is shown (A18)."""
    left, found = by_both(leases_to_arrow([recorded("2026-01-01", "8396.05")]), "2026-01")
    (made,) = found.adjustments.to_pylist()

    assert (0, []) == (left, made["adjustment_rules_effects"])
    assert Decimal("8396.05") == made["to_period_amount"]["amount"]


NINE = rb.RentAdjustment(adjusted_on="2024-07-01", to_period_amount=rb.Amount(9000, "DKK"))
QUARTERS = an_index({"2023-Q3": "105", "2024-Q3": "106"}, name="NPI")


def nine(**clause: Any) -> rb.LeaseTerms:  # noqa: ANN401 - whatever the clause takes
    """Return a lease whose plan lists 9,000 from July 2024."""
    return a_lease(rent(), plans=[a_plan(clause=rb.IndexClause(**clause), adjustments=[NINE])])


SUMMER = a_plan(percent="0.02", month=7, first_year="2022")


@rows(
    ("left", "lease", "asked", "indices"),
    [
        (0, kept(until="2024-12-31"), "2026-03", RISING),
        (0, kept(until="2024-12-31", records=False), "2025-11-01/2026-02-28", RISING),
        # What is listed needs no value of the index.
        (0, kept(until="2025-12-31"), "2026-03", RECENT),
        (0, kept(), "2026-03", None),
        # A series that is not there is missed when it is first needed.
        (1, kept(), "2027-01", None),
        (0, kept(a_plan(), SUMMER, until="2025-12-31"), "2025-07", RISING),
        (0, recorded("2025-01-01", "8396.05", "2024-06-01"), "2026-03", RECENT),
        # Listed for a day after what is billed.
        (0, kept(), "2024-03", RISING),
        # Of a rule of every half year, points of months without a value may be the same.
        (1, nine(interval_months=6, lag_months=3), "2024-08", RECENT),
        # Quarters, of which the first ones are missing; and what is no whole number of them.
        (0, nine(reference="quarter", index_quarter=3), "2025-03", QUARTERS),
        (1, nine(reference="quarter", interval_months=14, lag_months=2), "2024-08", QUARTERS),
        # Another amount than the rule makes of the day has a notice.
        (1, recorded("2026-01-01", "8396.06"), "2026-01", RISING),
        # A value that an adjustment after those needs is missing.
        (1, kept(until="2024-12-31"), "2028-03", RISING),
    ],
)
def test_which_leases_are_billed_on_columns(
    left: int, lease: rb.LeaseTerms, asked: str, indices: rb.IndexSeries | None
) -> None:
    assert left == by_both(leases_to_arrow([lease]), asked, indices)[0]


def test_a_rule_that_waits_for_a_value_is_left() -> None:
    """Under `missing_index = notice` a rule that lacked a value looks further back later (A33)."""
    batch, waits = (
        leases_to_arrow([kept(until="2024-12-31")]),
        rb.BillingPolicy(missing_index="notice"),
    )

    assert 1 == by_both(batch, "2026-03", RECENT, waits)[0]


def test_a_price_of_nothing_has_its_notice() -> None:
    """Also before its first adjustment (A62)."""
    lease = a_lease(a_rent(moved_in="2026-03-01", amount=0), plans=[a_plan()])
    left, found = by_both(leases_to_arrow([lease]), "2026-03")

    assert (1, ["adjusted_from_zero"]) == (left, found.notices.column("code").to_pylist())


def _set(name: str, value: Any) -> Callable[[dict[str, Any]], None]:  # noqa: ANN401 - a value
    def change(listed: dict[str, Any]) -> None:
        listed[name] = value

    return change


def _set_effect(name: str, value: Any) -> Callable[[dict[str, Any]], None]:  # noqa: ANN401 - a value
    def change(listed: dict[str, Any]) -> None:
        listed["adjustment_rules_effects"][0][name] = value

    return change


KRONER, LONG = {"amount": Decimal(9000), "currency": "DKK"}, Decimal("12345678901.12345")


@rows(
    ("left", "change"),
    [
        (0, _set("id", "made")),
        (1, _set("id", "")),
        (0, _set("year", None)),
        (1, _set("year", "0000")),
        (1, _set("adjusted_on", None)),
        (1, _set("adjusted_on", date(2021, 1, 20))),
        (1, _set("adjusted_on", date(2200, 1, 1))),
        (1, _set("to_period_amount", None)),
        (1, _set("to_period_amount", {"amount": Decimal(9000), "currency": "EUR"})),
        (1, _set("to_period_amount", {"amount": Decimal(9000), "currency": None})),
        (1, _set("to_period_amount", {"amount": Decimal("0.00001"), "currency": "DKK"})),
        (1, _set("to_yearly_amount", {"amount": LONG, "currency": "DKK"})),
        (0, _set("from_period_amount", None)),
        (0, _set("to_balance_amount", KRONER)),
        (0, _set("adjustment_rules_effects", None)),
        (1, _set("adjustment_rules_effects", [None])),
        (0, _set_effect("reasons", ["maximum"])),
        (1, _set_effect("reasons", [None])),
        (1, _set_effect("to_point", "2025-13")),
        # A point that is to be used for the next adjustment is said to be used already.
        (1, _set_effect("to_point", "2025-10")),
        (1, _set_effect("from_year_month", "October")),
        (0, _set_effect("applied_percentage", Decimal("0.123456789012345"))),
        (1, _set_effect("from_index", LONG)),
        (1, _set_effect("from_index", Decimal(1234567890123456))),
    ],
)
def test_what_is_listed_oddly_is_left(left: int, change: Callable[[dict[str, Any]], None]) -> None:
    batch = leases_to_arrow([kept(until="2025-12-31")])
    (row,) = batch.to_pylist()
    change(row["rent_adjustment_plans"][0]["adjustments"][-1])
    changed = pa.RecordBatch.from_pylist([row], batch.schema)

    assert left == by_both(changed, "2026-03")[0]


@rows(
    ("left", "listed"),
    [
        (
            0,
            {"adjusted_on": "2026-01-01", "to_period_amount": rb.Amount(Decimal("8396.05"), "DKK")},
        ),
        # Another amount before it, or after it, than the rule makes of the day.
        (1, {"adjusted_on": "2026-01-01", "to_period_amount": rb.Amount(9000, "DKK")}),
        (
            1,
            {
                "adjusted_on": "2026-01-01",
                "from_period_amount": rb.Amount(8000, "DKK"),
                "to_period_amount": rb.Amount(Decimal("8396.05"), "DKK"),
            },
        ),
        # On another day than those of the rule.
        (1, {"adjusted_on": "2026-01-15", "to_period_amount": rb.Amount(9000, "DKK")}),
    ],
)
def test_what_is_listed_of_an_asked_day_is_what_the_rule_makes(
    left: int, listed: dict[str, Any]
) -> None:
    lease = kept(until="2025-12-31")
    (plan,) = lease.rent_adjustment_plans
    plan = plan.evolve(adjustments=(*plan.adjustments, rb.RentAdjustment(**listed)))
    batch = leases_to_arrow([lease.evolve(rent_adjustment_plans=(plan,))])

    assert left == by_both(batch, "2026-01")[0]


def test_a_day_that_is_listed_twice_is_left() -> None:
    """Twice in a plan it is refused; in two plans of an item the later one counts."""
    lease = kept(a_plan(), SUMMER, until="2025-12-31")
    first, second = lease.rent_adjustment_plans
    other = second.evolve(adjustments=(*second.adjustments, first.adjustments[-1]))
    batch = leases_to_arrow([lease.evolve(rent_adjustment_plans=(first, other))])
    assert 1 == by_both(batch, "2026-03")[0]

    (row,) = leases_to_arrow([kept()]).to_pylist()
    row["rent_adjustment_plans"][0]["adjustments"] *= 2
    assert 1 == by_both(pa.RecordBatch.from_pylist([row], batch.schema), "2026-03")[0]
