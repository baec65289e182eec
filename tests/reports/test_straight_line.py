"""Even income over a term: worked out by hand, from published texts, and by law."""

from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from rentbilling import (
    Amount,
    AmountRecord,
    Discount,
    IndexClause,
    IndexSeries,
    LeaseTerms,
    RentAdjustmentPlan,
    RentAdjustmentRule,
    pending_bills,
)
from rentbilling.errors import InvalidPeriodError, MissingFactError
from rentbilling.reports import straight_line
from rentbilling.testing import a_lease, a_rent


def test_ten_years_with_six_free_months_and_two_steps() -> None:
    """30 × 10,000 + 36 × 11,000 + 48 × 12,000 = 1,272,000; a 120th of it is 10,600."""
    rent = a_rent(
        amount=10_000,
        moved_in="2026-01-01",
        discount=Discount(percentage=Decimal(1), end_date="2026-06-30"),
        amount_records=[
            AmountRecord(value=Amount(11000, "DKK"), start="2029-01-01"),
            AmountRecord(value=Amount(12000, "DKK"), start="2032-01-01"),
        ],
    )

    rows = straight_line(a_lease(rent, contract_end="2035-12-31")).rows()

    assert [*rows[0]] == ["month", "currency", "income", "billed", "deferred"]
    assert len(rows) == 120
    assert {row["income"] for row in rows} == {Decimal("10600.00")}
    assert sum(row["billed"] for row in rows) == 1_272_000
    # Six months of income before the first bill; nothing is left at the end.
    assert [row["deferred"] for row in rows[5:7]] == [-63_600, -64_200]
    assert rows[-1]["deferred"] == 0


def test_a_published_year_of_two_rents() -> None:
    """Half a year of 1,800 and half a year of 2,000: 22,800 / 12 = 1,900 a month.

    After six months 600 more is income than is billed (B. Zito, How do straight-line rents work in
    commercial real estate leases, 2020).
    """
    rent = a_rent(
        amount=1800,
        currency="USD",
        moved_in="2020-01-01",
        amount_records=[AmountRecord(value=Amount(2000, "USD"), start="2020-07-01")],
    )

    rows = straight_line(a_lease(rent, contract_end="2020-12-31")).rows()

    assert {row["income"] for row in rows} == {1900}
    assert [rows[at]["deferred"] for at in (0, 5, 11)] == [-100, -600, 0]


def test_a_published_table_of_two_years() -> None:
    """10,000 a month for a year, then 11,000: 252,000 / 24 = 10,500 a month.

    The table says 500 more income than billed after a month, 6,000 after twelve, 5,500 after
    thirteen, nothing after 24 (Simplestudies, Lease accounting for escalating rent payments or rent
    holidays, 2. Example).
    """
    rent = a_rent(
        amount=10_000,
        currency="USD",
        moved_in="2020-01-01",
        amount_records=[AmountRecord(value=Amount(11_000, "USD"), start="2021-01-01")],
    )

    rows = straight_line(a_lease(rent, contract_end="2021-12-31")).rows()

    assert {row["income"] for row in rows} == {10_500}
    assert [rows[at - 1]["deferred"] for at in (1, 12, 13, 24)] == [-500, -6000, -5500, 0]


def test_an_index_is_income_when_it_happens() -> None:
    """1,000 a month; from January 2027 by 110/100, so 100 more in each of its months."""
    rule = RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=1,
        index_month=10,
        index_clause=IndexClause(series="X"),
    )
    rent = a_rent(id="rent", amount=1000, moved_in="2026-01-01")
    plan = RentAdjustmentPlan(adjustee_ref="rent", rent_adjustment_rules=(rule,))
    lease = a_lease(rent, contract_end="2027-12-31", rent_adjustment_plans=[plan])
    series = IndexSeries("X", {"2025-10": 100, "2026-10": 110})

    known, unknown = straight_line(lease, indices=series), straight_line(lease)

    assert {row["income"] for row in unknown.rows()} == {1000}
    assert [row["income"] for row in known.rows()] == [1000] * 12 + [1100] * 12
    assert [row["billed"] for row in known.rows()] == [1000] * 12 + [1100] * 12


def test_a_term_that_begins_and_ends_within_months() -> None:
    """A quarter of 3,000 in advance; 15 February to 15 April, 14/28 + 1 + 15/30 = 2 months.

    Of January to March 1.5 of 3 months, 1,500; of April to June 0.5 of 3, 500.
    """
    rent = a_rent(amount=3000, months=3, moved_in="2026-01-01")

    rows = straight_line(a_lease(rent), term="2026-02-15/2026-04-15").rows()

    assert [(str(row["month"])[:7], row["income"], row["billed"]) for row in rows] == [
        ("2026-01", 0, 1500),
        ("2026-02", 500, 0),
        ("2026-03", 1000, 0),
        ("2026-04", 500, 500),
    ]


def test_other_products_are_not_rent() -> None:
    heating = a_rent(id="heating", product_key="key:heating", amount=500, moved_in="2026-01-01")
    rent = a_rent(id="rent", amount=1000, moved_in="2026-01-01")
    lease = a_lease(rent, heating, contract_end="2026-03-31")

    assert {row["income"] for row in straight_line(lease).rows()} == {1000}
    both = straight_line(lease, products=["key:rent", "key:heating"])
    assert {row["income"] for row in both.rows()} == {1500}


def test_several_leases_are_added_up_month_by_month() -> None:
    """Two months of 1,200, the first one free, are 600 each; 500 a month from February on.

    600, 600 + 500 and 500; billed are 0, 1,200 + 500 and 500. 90 a month in euros are apart.
    """
    free = Discount(percentage=Decimal(1), end_date="2026-01-31")
    january = a_rent(amount=1200, moved_in="2026-01-01", discount=free)
    february = a_rent(amount=500, moved_in="2026-02-01")
    euros = a_rent(amount=90, currency="EUR", moved_in="2026-03-01")
    leases = [
        a_lease(january, contract_end="2026-02-28"),
        a_lease(february, contract_end="2026-03-31"),
        a_lease(euros, contract_end="2026-03-31"),
    ]

    rows = [[*row.values()][1:] for row in straight_line(each for each in leases).rows()]

    assert rows == [
        ["DKK", 600, 0, -600],
        ["DKK", 1100, 1700, 0],
        ["DKK", 500, 500, 0],
        ["EUR", 90, 90, 0],
    ]
    with pytest.raises(MissingFactError, match="rents of shop are income: pass the days, term="):
        straight_line([*leases, a_lease(a_rent(), lease_id="shop")])


@pytest.mark.parametrize(
    "lease",
    [
        a_lease(a_rent()),
        LeaseTerms(contract_end="2026-12-31"),
        a_lease(a_rent(moved_in="2026-01-01"), contract_end="2025-12-31"),
    ],
)
def test_a_term_is_needed(lease: LeaseTerms) -> None:
    with pytest.raises(MissingFactError, match=r"rents of .* are income: pass the days, term="):
        straight_line(lease)


def test_a_refused_term_is_named() -> None:
    with pytest.raises(InvalidPeriodError, match=r"^term: is not a period"):
        straight_line(a_lease(a_rent()), term="soon")


@given(st.integers(1, 10**7), st.integers(1, 40), st.sampled_from([1, 3, 12]))
def test_the_income_of_a_term_is_its_rents(cents: int, months: int, cycle: int) -> None:
    amount = Decimal(cents) / 100
    rent = a_rent(amount=amount, months=cycle, moved_in="2026-01-01")
    years, rest = divmod(months, 12)
    lease = a_lease(rent, contract_end=f"{2026 + years}-{rest + 1:02}-17")

    rows = straight_line(lease).rows()

    billed = sum(bill.subtotal.amount for bill in pending_bills(lease, "2025-01-01/2036-12-31"))
    assert sum(row["income"] for row in rows) == billed == sum(row["billed"] for row in rows)
    assert rows[-1]["deferred"] == 0
