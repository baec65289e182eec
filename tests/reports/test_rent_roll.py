"""Rents in force on a day: worked out by hand, and equal to the next regular line."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

import rentbilling as rb
from rentbilling.errors import InvalidInputError, RentBillingError, UnknownWordError
from rentbilling.reports import LeasedUnit, lease_figures_on, rent_roll
from rentbilling.testing import a_lease, a_rent
from rentbilling.testing.strategies import billing_policies, recurring_bill_items
from rentbilling.values import decimal_of
from tests.support.plans import TENTHS, by_index, home, lease as indexed, plan

VAT = rb.Vat("Exclusive", "0.25")


def shown(lease: rb.LeaseTerms, *names: str, on: str = "2026-05-10", **more: object) -> list[str]:
    """Return cells of each row as text."""
    rows = rent_roll(lease, on=on, **more).rows()  # type: ignore[arg-type]
    return [" ".join(str(row[name]) for name in names) for row in rows]


QUARTER = a_rent(
    id="office",
    amount="29999.95",
    months=3,
    vat=VAT,
    discount=rb.Discount(percentage=Decimal("0.1"), end_date="2026-12-31"),
)
PARKING = a_rent(id="parking", amount=500, vat=VAT)
DEPOSIT = rb.Balance(balance_charge_type="Deposit", amount=rb.Amount(30000, "DKK"))
EUROS = rb.Balance(balance_charge_type="deposit", amount=rb.Amount(100, "EUR"))
TWO = a_lease(QUARTER, PARKING, balances=[DEPOSIT, EUROS], lease_id="a", contract_end="2028-06-30")


def test_a_row_for_each_cycle_vat_and_currency() -> None:
    """A104: 29,999.95 × 4 = 119,999.80 a year, / 12 = 9,999.98 a month.

    29,999.95 × 0.9 = 26,999.955, billed 26,999.96: 2,999.99 is what the line leaves out.
    """
    names = ("currency", "monthly", "yearly", "rent", "discount", "deposit")

    assert shown(TWO, *names) == [
        "DKK 9999.98 119999.80 29999.95 2999.99 30000.00",
        "DKK 500.00 6000.00 500.00 None None",
        "EUR None None None None 100.00",
    ]
    assert shown(TWO, "cycle", "tax_mode", "tax_rate", "start", "end")[0] == (
        "every 3 months from January Exclusive 0.25 2026-01-01 2028-06-30"
    )
    roll = rent_roll([TWO, a_lease(a_rent(amount=1000), lease_id="b")], on="2026-05-10")
    assert [*roll.rows()[0]][:4] == ["lease_id", "currency", "monthly", "yearly"]
    assert [" ".join(map(str, row.values())) for row in roll.sums().rows()] == [
        "DKK 2 11499.98 137999.80 30000.00",
        "EUR 1 None None 100.00",
    ]
    assert [" ".join(map(str, row.values())) for row in roll.expiries().rows()] == [
        "2028 DKK 1 10499.98 125999.80",
        "None DKK 1 1000.00 12000.00",
    ]


def test_prices_of_a_year_are_not_multiplied() -> None:
    """10,000 a year in twelve bills: 833.33 a period, and 10,000 a year, not 9,999.96 (A65)."""
    lease = a_lease(a_rent(amount=10_000, price_per="year"))

    assert shown(lease, "rent", "monthly", "yearly") == ["833.33 833.33 10000.00"]


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        ("2025-12-31", ["None None None Upcoming"]),
        ("2026-01-01", ["8500.00 None None Active"]),
        ("2026-12-31", ["8500.00 None None Active"]),
        ("2027-01-01", []),
    ],
)
def test_the_first_and_the_last_day(on: str, expected: list[str]) -> None:
    """Before the first day of a lease nothing is in force; after its last one it has no row."""
    lease = a_lease(a_rent(), contract_end="2026-12-31")

    assert shown(lease, "monthly", "deposit", "problem", "status", on=on) == expected


def test_ended_leases_are_left_out_and_their_units_are_vacant() -> None:
    """Also those whose items have all ended, with their deposits; a lease without items stays."""
    ended = a_lease(a_rent(ended_on="2026-02-28"), lease_id="b", balances=[DEPOSIT])
    empty = rb.LeaseTerms(lease_id="c", contract_start="2026-01-01")
    units = [{"lease_id": "b", "unit": "1 left", "tenant": "Hansen", "area": 80}]

    roll = rent_roll([TWO, ended, empty], on="2026-05-10", units=units)

    assert roll.ended == ("b",)
    assert [(row["lease_id"], row["status"]) for row in roll.rows()[2:]] == [
        ("a", "Active"),
        ("c", "Active"),
        (None, None),
    ]
    assert (roll.rows()[-1]["unit"], roll.rows()[-1]["tenant"]) == ("1 left", None)


def test_what_adjusts_next_and_why() -> None:
    """10,000 from 2020 on by a tenth each January: 12,100 in 2022, next on 1 January 2023."""
    lease = indexed(by_index(index_clause=rb.IndexClause(series="NPI")))

    assert shown(
        lease, "rent", "next_adjustment", "adjusted_by", on="2022-05-01", indices=TENTHS
    ) == ["12100.00 2023-01-01 Index NPI"]
    # Without a value the rent is not guessed; the row says what is missing.
    known = rb.IndexSeries("NPI", {"2019-10": 100}, base="2015=100")
    (row,) = rent_roll(lease, on="2022-05-01", indices=known).rows()
    assert (row["rent"], row["monthly"], row["deposit"]) == (None, None, None)
    assert "NPI" in row["problem"]
    assert "2020-10" in row["problem"]


def test_only_what_adjusts_the_rent_counts() -> None:
    """A plan of heating, one that has ended, and a rule of another month are not next."""
    rules = [by_index(), by_index(adjustment_month=7, first_year=2022)]
    plans = [
        plan(rules[0], adjustee_ref="heating"),
        plan(
            by_index(adjustment_month=3, first_year=2021),
            adjustee_ref="rent",
            ended_on="2022-03-31",
        ),
        plan(*rules, adjustee_ref="rent"),
    ]
    lease = rb.LeaseTerms.of(home(id="rent"), home(id="heating", product_key="key:heating"), *plans)

    assert shown(lease, "next_adjustment", "adjusted_by", on="2022-05-01", indices=TENTHS) == [
        "2022-07-01 Index"
    ]


def test_a_listed_adjustment_comes_next() -> None:
    rule = rb.RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10)
    made = rb.RentAdjustment(
        adjusted_on="2027-03-01",
        from_period_amount=rb.Amount(8500, "DKK"),
        to_period_amount=rb.Amount(9000, "DKK"),
    )
    listed = rb.RentAdjustmentPlan(
        adjustee_ref="rent", rent_adjustment_rules=(rule,), adjustments=(made,)
    )
    lease = a_lease(a_rent(id="rent"), rent_adjustment_plans=[listed])

    series = rb.IndexSeries("NPI", {"2025-10": 100, "2026-10": 100})
    assert shown(lease, "next_adjustment", "adjusted_by", indices=series) == ["2027-03-01 listed"]


def test_units_tenants_and_areas() -> None:
    """119,999.80 a year over 80 + 40.5 m² is 995.848… a square metre; a vacant unit has a row."""
    lease = TWO.evolve(balances=())
    units = [
        LeasedUnit(lease_id=TWO.lease_id, unit="1 left", tenant="Hansen", area=80),
        {"lease_id": TWO.lease_id, "unit": "1 right", "tenant": "Hansen", "area": "40.5"},
        {"unit": "2 left", "area": 70},
    ]

    assert shown(lease, "unit", "tenant", "area", "per_area", "yearly", units=units) == [
        "1 left, 1 right Hansen 120.5 995.85 119999.80",
        "1 left, 1 right Hansen 120.5 49.79 6000.00",
        "2 left None 70 None None",
    ]
    # An area is that of all units, or none.
    (one, *_) = shown(lease, "area", "per_area", units=[units[0], {"leaseId": TWO.lease_id}])
    assert one == "None None"


def test_leases_without_ids_are_counted_each() -> None:
    """Two leases of 1,000, of which one has a second rent with VAT: 2 leases, 3,000 a month."""
    rents = a_rent(amount=1000), a_rent(amount=1000, vat=VAT)
    roll = rent_roll([a_lease(rents[0]), a_lease(*rents)], on="2026-05-10")

    for table in (roll.sums(), roll.expiries()):
        (row,) = table.rows()
        assert (row["leases"], row["monthly"]) == (2, Decimal("3000.00"))


def test_a_lease_of_several_that_cannot_be_read_has_a_row() -> None:
    """The others are in the roll and its sums; a lease alone is refused."""
    wrong: dict[str, Any] = {"leaseId": "b", "rent": 1}
    leases: list[rb.LeaseTerms | dict[str, Any]] = [TWO, wrong, {"recurringBillItems": 5}]
    roll = rent_roll(leases, on="2026-05-10")

    assert [(row["lease_id"], row["yearly"]) for row in roll.rows()[3:]] == [
        ("b", None),
        (None, None),
    ]
    assert roll.rows()[3]["problem"].startswith("[1].rent: is not a field")
    assert roll.sums().rows()[0]["yearly"] == Decimal("125999.80")
    with pytest.raises(InvalidInputError, match=r"^rent: is not a field"):
        rent_roll(wrong, on="2026-05-10")


def test_units_that_are_refused() -> None:
    with pytest.raises(UnknownWordError, match="is not the id of a lease"):
        rent_roll(TWO, on="2026-05-10", units=[{"lease_id": "elsewhere"}])
    with pytest.raises(InvalidInputError, match=r"units\[0\]\.area"):
        rent_roll(TWO, on="2026-05-10", units=[{"area": 0}])


@given(recurring_bill_items(), billing_policies())
def test_a_rent_is_the_next_regular_line(
    item: rb.RecurringBillItem, policy: rb.BillingPolicy
) -> None:
    """On the first day of a whole period, the rent less its discount is the line of the period.

    Of a price of a month or a year the lines are differences of running totals (A65).
    """
    lease = rb.LeaseTerms.of(item.evolve(product_key="key:rent"))
    first = item.first_billing_period_bill_item.accounting_period.start
    try:
        result = rb.pending_bills(
            lease, rb.Period(first, first + timedelta(days=800)), policy=policy
        )
    except RentBillingError:
        return
    lines = [line for bill in result for line in bill.raw_lines if line[0].kind == "regular"]
    for figures, start, _ in lines[:3]:
        on = date.fromordinal(start)
        (row,) = rent_roll(lease, on=on, policy=policy).rows()
        due = row["rent"] - (row["discount"] or 0)
        apart = abs(due - decimal_of(figures.base, figures.places))
        assert apart <= (0 if item.price_per == "cycle" else decimal_of(1, figures.places))
        level = lease_figures_on(lease, on, policy=policy).monthly_rent_level
        assert level is not None
        assert level.amount == row["monthly"]


def test_a_printed_rent_roll_fits_a_page_and_has_its_sums() -> None:
    """11 rents of 1,000 a month: 11,000 and 132,000."""
    leases: list[Any] = [a_lease(a_rent(amount=1000), lease_id=f"{n}") for n in range(11)]
    leases += [a_lease(contract_end="2025-12-31"), {"leaseId": "odd", "recurringBillItems": [{}]}]
    unit = {"leaseId": "1", "unit": "2nd floor", "tenant": "Someone with a very long name"}
    roll = rent_roll(leases, on="2026-05-01", units=[{**unit, "area": 80}])
    head, *lines = str(roll).splitlines()

    assert all(100 >= len(line) for line in (head, *lines))
    assert "lease_id  currency  monthly    yearly  cycle        status  unit       tenant" == head
    assert lines[1].endswith("Active  2nd floor  Someone with a very lon…")
    assert "odd: [12].recurringBillItems[0].productKey: is required" in lines[12]
    assert "without 1 lease that ended before the day" in lines
    assert (
        "not printed: per_area, area, start, tax_mode, rent; rows() and to_pandas() have them"
        in lines
    )
    assert ["", *str(roll.sums()).splitlines()] == lines[-3:]
    assert "DKK           11  11000.00  132000.00" == lines[-1]


def test_a_small_rent_roll_is_printed_whole() -> None:
    alone = str(rent_roll(a_lease(a_rent(amount=1000)), on="2026-05-01")).splitlines()

    assert "currency  monthly    yearly     rent  cycle" == alone[0][:43]
    assert "start       status" == alone[0][-18:]
    assert not [line for line in alone if "not printed" in line]
    assert "lease_id  currency" == str(rent_roll([], on="2026-05-01"))[:18]


def test_a_notebook_shows_ten_rows_and_the_sums() -> None:
    leases = [a_lease(a_rent(amount=1000), lease_id=f"L{n}") for n in range(12)]
    html = rent_roll(leases, on="2026-05-01")._repr_html_()

    assert ">L9<" in html
    assert ">L10<" not in html
    assert "and 2 more rows" in html
    assert "12,000.00" in html
