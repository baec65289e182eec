"""Forecasts: bills to a horizon, published and assumed index values kept apart."""

from datetime import date
from decimal import Decimal

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidPeriodError
from rentbilling.testing import a_lease, a_plan, a_rent, an_index, an_item
from rentbilling.whatif import Forecast
from tests.support.rows import rows

INDEX = an_index({"2025-10": 100, "2026-10": 102})
ASSUMED = INDEX.extended(Decimal("0.10"), "2030")
LEASE = a_lease(
    a_rent(amount=1000), an_item(amount=100), plans=[a_plan(adjustee_ref="recurring-1")]
)


def three_years() -> Forecast:
    """Return the forecast of a rent by an index of which one value is assumed."""
    return rb.forecast(LEASE, years=3, indices=ASSUMED)


def test_years_add_up_and_assumptions_stand_apart() -> None:
    """1,000, 1,020 and 1,122 a month; heating of 125 with VAT rests on no index.

    2028: 12 × (1,122 + 125) = 14,964, of which 12 × 1,122 = 13,464 rest on an assumed value.
    """
    assert [
        (2026, "13200.00", "300.00", "13500.00", "0.00"),
        (2027, "13440.00", "300.00", "13740.00", "0.00"),
        (2028, "14664.00", "300.00", "14964.00", "13464.00"),
    ] == [
        (row["year"], *(str(row[name]) for name in ("net", "vat", "gross", "assumed_gross")))
        for row in three_years().rows()
    ]
    assert date(2028, 1, 1) == three_years().assumed_from


def test_before_the_first_assumed_value_nothing_rests_on_one() -> None:
    """The rent of 2027 follows October 2026, which is published, though later values are not."""
    ahead = rb.forecast(LEASE, years=2, indices=ASSUMED)

    assert ["0.00", "0.00"] == [str(row["assumed_gross"]) for row in ahead.rows()]
    assert ahead.assumed_from is None


def test_a_forecast_is_what_billing_the_period_gives() -> None:
    made = three_years()
    billed = rb.bill_period(LEASE, "2026-01-01/2028-12-31", indices=ASSUMED)

    assert billed == made.result
    assert billed.bills == tuple(made)
    assert (billed.adjustments, billed.notices) == (made.adjustments, made.notices)
    assert "2026-01-01/2028-12-31" == str(made.period)
    assert 36 == len(made)


def test_months_and_products_are_told_too() -> None:
    months = {row["month"]: row for row in three_years().monthly().rows()}
    products = three_years().cash_flow(by=("year", "product")).rows()

    assert (Decimal("0.00"), Decimal("1122.00")) == (
        months["2027-12"]["assumed_gross"],
        months["2028-01"]["assumed_gross"],
    )
    assert [("key:rent", "13464.00"), ("key:heating", "0.00")] == [
        (row["product_key"], str(row["assumed_gross"])) for row in products if row["year"] == 2028
    ]


def test_a_forecast_knows_its_lease() -> None:
    made = rb.forecast(a_lease(a_rent(amount=10), lease_id="lease-1"), years=1)

    assert ["lease-1"] == [row["lease_id"] for row in made.cash_flow("lease").rows()]


def test_rents_are_told_from_day_to_day() -> None:
    """The rent of January 2027 is adjusted by a published value, the next by an assumed one."""
    assert [
        ("recurring-1", "2026-01-01", "1000.00", None, False, False),
        ("recurring-1", "2027-01-01", "1020.00", Decimal("0.020000"), True, False),
        ("recurring-1", "2028-01-01", "1122.00", Decimal("0.100000"), True, True),
        ("recurring-2", "2026-01-01", "100.00", None, False, False),
    ] == [
        (
            row["item_id"],
            str(row["from_date"]),
            str(row["amount"]),
            row["change"],
            row["adjusted"],
            row["assumed"],
        )
        for row in three_years().rents().rows()
    ]


def test_other_amounts_and_quantities_change_a_rent_too() -> None:
    rent = a_rent(
        amount=1000, amounts={"2026-03-01": 1100, "2026-04-01": 1100}, quantities={"2026-05-01": 2}
    )

    rows = rb.forecast(a_lease(rent), years=1).rents().rows()

    assert [("2026-01-01", "1000.00"), ("2026-03-01", "1100.00"), ("2026-05-01", "2200.00")] == [
        (str(row["from_date"]), str(row["amount"])) for row in rows
    ]
    assert not any(row["adjusted"] for row in rows)


def test_a_change_from_nothing_has_no_percentage() -> None:
    rows = (
        rb.forecast(a_lease(a_rent(amount=0, amounts={"2026-03-01": 10})), years=1).rents().rows()
    )

    assert [None, None] == [row["change"] for row in rows]


def test_balances_are_told_at_the_end_of_each_year() -> None:
    """A deposit of three months follows the rent: 3,060 after two percent."""
    lease = a_lease(
        a_rent(amount=1000),
        plans=[a_plan(adjusts_recurring_bill_item=True, adjusts_balance=True)],
        balances=[rb.Balance(amount=rb.Amount(3000, "DKK"), months=Decimal(3))],
    )

    table = rb.forecast(lease, years=2, start="2026-06-01", indices=ASSUMED).balances()

    assert [
        ("2026-12-31", "3000.00"),
        ("2027-12-31", "3060.00"),
        ("2028-05-31", "3366.00"),
    ] == [(str(row["on"]), str(row["amount"])) for row in table.rows()]


def test_a_forecast_begins_where_asked() -> None:
    made = rb.forecast(a_lease(), years=5, start="2028-02-29")

    assert "2028-02-29/2033-02-27" == str(made.period)


def test_a_forecast_without_assumptions_says_so() -> None:
    made = rb.forecast(a_lease(a_rent(amount=100)), years=1)

    assert made.assumed_from is None
    assert "year  currency      net   vat    gross  assumed_gross" == str(made).splitlines()[0]
    assert 2 == len(str(made).splitlines())
    assert "<Forecast 2026-01-01/2026-12-31, 12 bills, 0 adjustments>" == repr(made)
    assert "adjustments, assumed from 2028-01-01>" in repr(three_years())
    assert "from 2028-01-01 on with assumed index values" in str(three_years())
    assert list(three_years().rows()[0]) == [each.name for each in three_years().columns]


@rows("years", [0, 201, True, "3", 1.5])
def test_years_out_of_range_are_refused(years: object) -> None:
    """A whole number from 1 to 200."""
    with pytest.raises(InvalidPeriodError) as refused:
        rb.forecast(a_lease(), years=years)  # type: ignore[arg-type]

    assert ("years", "a whole number from 1 to 200 such as 3, or relativedelta(months=18)") == (
        refused.value.problems[0].path,
        refused.value.problems[0].expected,
    )


def test_what_cannot_be_forecast_is_refused() -> None:
    with pytest.raises(rb.MissingFactError) as refused:
        rb.forecast(rb.LeaseTerms())
    told = "it is unknown when the lease begins: pass the first day, start="
    assert ("start_unknown", told) == (refused.value.code, str(refused.value))
    with pytest.raises(rb.MissingIndexError):
        rb.forecast(LEASE, years=3, indices=INDEX)
    with pytest.raises(TypeError, match="forecast takes the terms of leases, not 5"):
        rb.forecast(5)  # type: ignore[arg-type]
    with pytest.raises(rb.UnsupportedCaseError):
        rb.forecast(a_lease(), years=200, start="9900-01-01")


def test_an_assumed_value_that_adjusts_nothing_is_told_too() -> None:
    """One percent is below the threshold: the rent of 2028 stays because of what was assumed."""
    waits = a_plan(clause=rb.IndexClause(threshold=Decimal("0.05")))
    series = INDEX.extended(Decimal("0.01"), "2030")

    made = rb.forecast(a_lease(a_rent(amount=8000), plans=[waits]), years=3, indices=series)

    assert ["0.00", "0.00", "96000.00"] == [str(row["assumed_gross"]) for row in made.rows()]
    assert date(2028, 1, 1) == made.assumed_from


def test_an_amount_that_is_agreed_anew_rests_on_nothing() -> None:
    """1,500 agreed from July 2028 to the adjustment of January 2029."""
    rent = a_rent(amount=1000, amounts={"2028-07-01": 1500})

    made = rb.forecast(a_lease(rent, plans=[a_plan()]), years=4, indices=ASSUMED)

    # 6 × 1,122 in 2028; 12 × 1,650 in 2029.
    assert ["0.00", "0.00", "6732.00", "19800.00"] == [
        str(row["assumed_gross"]) for row in made.rows()
    ]
    assert [False, False, True, False, True] == [row["assumed"] for row in made.rents().rows()]


def test_a_period_that_waits_for_its_next_cycle_is_published() -> None:
    """The quarter from January 2028 keeps its price though the rent is adjusted in February."""
    rent = a_rent(amount=3000, months=3)
    lease = a_lease(rent, plans=[a_plan(month=2, index_month=11)])
    series = an_index({"2025-11": 100, "2026-11": 102}).extended(Decimal("0.10"), "2030")
    policy = rb.BillingPolicy(mid_period_change="next_period")

    made = rb.forecast(lease, years=3, indices=series, policy=policy)

    quarters = {row["month"]: row["assumed_gross"] for row in made.monthly().rows()}
    assert (Decimal("0.00"), Decimal("3366.00")) == (quarters["2028-01"], quarters["2028-04"])


def test_rents_are_those_in_the_forecast_up_to_their_end() -> None:
    lease = a_lease(
        a_rent(amount=1000, ended_on="2026-06-30"),
        a_rent(amount=2000, moved_in="2029-01-01"),
        a_rent(amount=3000, ended_on="2027-06-30", amounts={"2027-07-01": 1}),
        lease_id="lease-1",
    )

    rows = rb.forecast(lease, years=1, start="2027-01-01").rents().rows()

    assert [("recurring-3", "2027-01-01", "3000.00")] == [
        (row["item_id"], str(row["from_date"]), str(row["amount"])) for row in rows
    ]


def test_billed_changes_of_a_balance_rest_on_the_rents_assumption() -> None:
    """3 × 102 more deposit in January 2028 because of an assumed value."""
    lease = a_lease(
        a_rent(amount=1000),
        plans=[a_plan(adjusts_recurring_bill_item=True, adjusts_balance=True)],
        balances=[rb.Balance(amount=rb.Amount(3000, "DKK"), months=Decimal(3))],
    )
    policy = rb.BillingPolicy(balance_change="once")

    rows = rb.forecast(lease, years=3, indices=ASSUMED, policy=policy).rows()

    # 3 × 20 in 2027 rest on a published value; 12 × 1,122 + 306 in 2028 do not.
    assert ["0.00", "0.00", "13770.00"] == [str(row["assumed_gross"]) for row in rows]


def test_an_item_alone_can_be_forecast() -> None:
    assert Decimal("1200.00") == rb.forecast(a_rent(amount=100), years=1).rows()[0]["gross"]


def test_a_notebook_says_what_is_assumed() -> None:
    assert "from 2028-01-01 on with assumed index values" in three_years()._repr_html_()


LEASES = [
    a_lease(a_rent(amount=1000), plans=[a_plan()], lease_id="A"),
    a_lease(a_rent(amount="900 EUR", moved_in="2026-07-01"), lease_id="B"),
    a_lease(a_rent(amount=500), plans=[a_plan(percent="3%")], lease_id="C"),
]


def test_a_forecast_of_several_leases_adds_them_up() -> None:
    """From January 2026, the first start: 12,000 and 6,000 DKK; 6 × 900 EUR in 2026.

    2028: 12 × 1,122.00 of assumed values, and 12 × 530.45.
    """
    made = rb.forecast(LEASES, years=3, indices=ASSUMED)
    alone = [rb.forecast(each, years=3, start="2026-01-01", indices=ASSUMED) for each in LEASES]

    assert [
        (2026, "DKK", "18000.00", "0.00"),
        (2026, "EUR", "5400.00", "0.00"),
        (2027, "DKK", "18420.00", "0.00"),
        (2027, "EUR", "10800.00", "0.00"),
        (2028, "DKK", "19829.40", "13464.00"),
        (2028, "EUR", "10800.00", "0.00"),
    ] == [
        (row["year"], row["currency"], str(row["gross"]), str(row["assumed_gross"]))
        for row in made.rows()
    ]
    assert tuple(each.result for each in alone) == made.results
    assert sum(map(len, alone)) == len(made)
    assert [row for each in alone for row in each.rents().rows()] == made.rents().rows()
    assert ["A", "A", "A", "B", "C", "C", "C"] == [row["lease_id"] for row in made.rents().rows()]
    assert ["A", "B", "C"] == [row["lease_id"] for row in made.cash_flow("lease").rows()]
    assert date(2028, 1, 1) == made.assumed_from
    assert 4 == len(made.adjustments)
    assert rb.pending_bills(LEASES[0], "2026-02").bills[0] in made


def test_a_forecast_of_no_lease_is_empty() -> None:
    assert [] == rb.forecast([], years=1, start="2026-01-01").rows()


def test_a_lease_of_several_that_is_refused_is_named() -> None:
    with pytest.raises(rb.MissingIndexError) as refused:
        rb.forecast([LEASES[1], LEASES[0].evolve(lease_id=None)], years=3)

    assert ["of the lease number 2"] == refused.value.__notes__


def test_a_missing_value_is_said() -> None:
    lenient = rb.BillingPolicy(missing_index="notice")
    made = rb.forecast(LEASES[::2], years=2, indices=rb.IndexSeries("N", {}), policy=lenient)

    assert "no adjustment is made (missing_index)" in str(made).splitlines()[-1]
