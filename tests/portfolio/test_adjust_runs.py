"""A year's adjustments of a portfolio: the table, and the terms that list and record them (A18)."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given

import rentbilling as rb
from rentbilling.errors import InvalidInputError, InvalidRecordError, MissingIndexError
from rentbilling.portfolio import (
    LEASE_SCHEMA,
    AdjustmentSummary,
    BillRecordBatches,
    TableMapping,
    adjust_portfolio,
    bill_portfolio,
    leases_from_arrow,
    leases_to_arrow,
)
from rentbilling.portfolio.arrow.column_types import NUMBER
from rentbilling.portfolio.leases.leases_by_column import ColumnLeases
from rentbilling.portfolio.runs.adjust_runs import AdjustRecordBatches
from rentbilling.portfolio.runs.bill_batches import AdjustmentRows, NoticeRows
from rentbilling.testing import a_lease, a_one_time_item, a_plan, a_rent, an_index
from rentbilling.testing.strategies.adjusted_leases import Adjusted
from rentbilling.testing.strategies.choices import chosen
from tests.portfolio.bulk_rows import NPI, bad_payload, several_leases
from tests.portfolio.real_leases import both_ways, differing
from tests.portfolio.test_index_plans import SERIES, portfolios
from tests.support.adjusted import ASKED, adjusted_leases
from tests.support.rows import rows

YEAR = "2027-01-01/2027-12-31"
JANUARY = date(2027, 1, 1)
DOUBLED = rb.RentAdjustmentPlan(
    rent_adjustment_rules=(
        rb.RentAdjustmentRule(
            adjustment_type="Increment",
            adjustment_month=1,
            increments=(rb.Increment(year="2026", percentage=1, recurrence="Recurring"),),
        ),
    )
)
YEARS = ("2018-01-01/2023-12-31", "2018-01-01/2026-12-31", "2024", "2025-06-15/2026-01-01")


def recorded(lease: rb.LeaseTerms) -> list[tuple[date, rb.Amount]]:
    (item,) = lease.recurring_bill_items
    return [(each.start, each.value) for each in item.amount_records]


def adjusted(*leases: Any, **options: Any) -> tuple[dict[str, Any], list[rb.LeaseTerms]]:  # noqa: ANN401
    """Return the tables of a run over the year, and its leases as records."""
    tables = adjust_portfolio(leases, YEAR, indices=NPI, **options).to_tables()
    return tables, [*leases_from_arrow(tables["leases"])]


@pytest.mark.parametrize(
    ("rent", "after", "record"),
    [
        # 8,000 × 103/100.
        (a_rent(amount=8000), "8240.00", "8240.00"),
        # 2 × 1,000.10 × 1.03 = 2,060.206, rounded 2,060.21; one unit is half of it.
        (a_rent(amount="1000.10", quantity="2"), "2060.21", "1030.105"),
        # 80 × 12.50 × 1.03 = 1,030.
        (a_rent(amount="12.50", quantity="80"), "1030.00", "12.875"),
        # Half of 250,000,000,000 × 1.03; a whole one has fifteen digits with its cents alone.
        (a_rent(amount="250000000000", quantity="0.5"), "128750000000.00", "257500000000"),
        # 3 × 1,000.10 × 1.03 = 3,090.309, rounded 3,090.31, which has no exact third.
        (a_rent(amount="1000.10", quantity="3"), "3090.31", None),
        # 96,000 a year, billed by the month: 98,880 a year is 8,240 a month.
        (a_rent(amount=96000).evolve(price_per="year"), "8240.00", "98880.00"),
        # 1,024 × 1,000.10 × 1.03 = 1,054,825.472; a 1,024th has 16 digits.
        (a_rent(amount="1000.10", quantity="1024"), "1054825.47", None),
    ],
)
def test_an_adjustment_becomes_the_record_of_one_unit(
    rent: Any,  # noqa: ANN401
    after: str,
    record: str | None,
) -> None:
    lease = a_lease(rent, plans=[a_plan()], lease_id="a")
    columns, alone = both_ways(AdjustRecordBatches(YEAR, indices=NPI), leases_to_arrow([lease]))
    assert set() == differing(columns, alone)
    (row,), (found,) = columns.adjustments.to_pylist(), leases_from_arrow(columns.leases)

    assert Decimal(after) == row["to_period_amount"]["amount"]
    assert len(found.rent_adjustment_plans[0].adjustments) == 1
    expected = [] if record is None else [(JANUARY, rb.Amount(Decimal(record), "DKK"))]
    assert expected == recorded(found)
    without_series = rb.bill_period(found, "2027-02-01/2027-04-30")
    assert rb.bill_period(lease, "2027-02-01/2027-04-30", indices=NPI) == without_series


def test_a_second_run_of_the_year_changes_nothing() -> None:
    lease = a_lease(a_rent(amount=8000), plans=[a_plan()], lease_id="a")
    tables, once = adjusted(lease)
    again, twice = adjusted(*once)

    assert once == twice
    assert tables["adjustments"] == again["adjustments"]


def test_adjustments_that_an_agreed_amount_hides_are_not_left_out() -> None:
    """The rent doubles every January; 9,000 of March 2027 double to 18,000 in 2028 either way.

    2028 listed alone would undo the 16,000 of January 2027 (A18).
    """
    agreed = rb.AmountRecord(value=rb.Amount(9000, "DKK"), start=date(2027, 3, 1))
    rent = a_rent(amount=8000).evolve(amount_records=(agreed,))
    leases = leases_to_arrow([a_lease(rent, plans=[DOUBLED], lease_id="a")])
    run = AdjustRecordBatches("2028")
    for found in both_ways(run, leases):
        assert ["gap"] == found.problems.column("code").to_pylist()
        assert leases.equals(found.leases)
    whole = replace(run, period="2027-01-01/2028-12-31")
    for found in both_ways(whole, leases):
        days = [str(each) for each in found.adjustments.column("adjusted_on").to_pylist()]
        assert ["2027-01-01", "2028-01-01"] == days


def test_a_record_that_a_service_has_stored_is_left_as_it_is() -> None:
    """8,250 was agreed for the day, and not 8,240: a notice says so."""
    agreed = rb.AmountRecord(value=rb.Amount(8250, "DKK"), start=JANUARY)
    rent = a_rent(amount=8000).evolve(amount_records=(agreed,))
    lease = a_lease(rent, plans=[a_plan()], lease_id="a")
    tables, (found,) = adjusted(lease)

    assert found == lease
    assert ["record_differs"] == tables["notices"].column("code").to_pylist()


@pytest.mark.parametrize(
    ("since", "after", "record"),
    [
        # 8,000 × 103/100, of 2 units from the adjustment on or before it.
        ("2026-01-01", 16480, 8240),
        ("2026-07-01", 16480, 8240),
        ("2027-01-01", 16480, 8240),
        ("2027-07-01", 8240, 8240),
    ],
)
def test_quantities_that_change_count_for_what_rules_adjust(
    since: str, after: int, record: int
) -> None:
    two = rb.QuantityRecord(value=2, start=since)
    rent = a_rent(amount=8000).evolve(quantity_records=(two,))
    leases = leases_to_arrow([a_lease(rent, plans=[a_plan()], lease_id="a")])
    columns, alone = both_ways(AdjustRecordBatches(YEAR, indices=NPI), leases)

    assert set() == differing(columns, alone)
    (found,) = columns.adjustments.to_pylist()
    assert after == found["to_period_amount"]["amount"]
    (lease,) = leases_from_arrow(columns.leases)
    assert [(JANUARY, rb.Amount(record, "DKK"))] == recorded(lease)


@given(adjusted_leases)
def test_a_run_gives_what_the_engine_for_single_leases_gives(case: Adjusted) -> None:
    """The same adjustments, notices and terms, from Arrow and from records."""
    terms, series, policy = case
    made = rb.rent_adjustments(terms, ASKED, indices=series, policy=policy)
    adjustments, notices = AdjustmentRows(), NoticeRows()
    adjustments.add(0, terms.lease_id, made)
    notices.add(0, terms.lease_id, made.notices)
    after = rb.adjusted_terms(terms, made, records=True, indices=series, policy=policy)
    for source in ([terms], leases_to_arrow([terms])):
        tables = adjust_portfolio(source, ASKED, indices=series, policy=policy).to_tables()
        assert adjustments.batch().to_pylist() == tables["adjustments"].to_pylist()
        assert notices.batch().to_pylist() == tables["notices"].to_pylist()
        assert [after] == [*leases_from_arrow(tables["leases"], policy=policy)]


def test_a_lease_that_cannot_be_adjusted_comes_out_as_it_was() -> None:
    """No value of October 2026 for the first; the second has no number, the third no such rows."""
    waiting = a_lease(a_rent(), plans=[a_plan()], lease_id="waiting")
    run = adjust_portfolio(
        [waiting, bad_payload(), *several_leases()[:1]], YEAR, indices=an_index({"2025-10": "100"})
    )
    tables = run.to_tables()

    assert [*leases_from_arrow(tables["leases"])] == [waiting, several_leases()[0]]
    codes = dict.fromkeys(tables["problems"].column("code").to_pylist())
    assert ["missing_index", "not_a_number", "missing"] == [*codes]
    assert str(run.summary) == (
        "3 leases: 0 adjusted, 1 unchanged, 2 with problems\n0 adjustments, 0 notices"
    )
    with pytest.raises(MissingIndexError) as refused:
        adjust_portfolio([waiting], YEAR, indices=NPI_OF_2025, on_problem="raise").to_table()
    assert refused.value.__notes__ == ["lease in row 0, waiting"]


NPI_OF_2025 = an_index({"2025-10": "100"}, name="NPI")


@given(portfolios, chosen(lambda choices: [choices.pick(YEARS) for _ in range(2)], 100))
def test_columns_adjust_as_each_lease_alone(
    portfolio: list[rb.LeaseTerms], asked: tuple[str, str]
) -> None:
    """Twice, the second time from the leases that the first run gave."""
    leases: Any = leases_to_arrow(portfolio)
    for period in asked:
        columns, alone = both_ways(AdjustRecordBatches(period, indices=SERIES), leases)
        assert set() == differing(columns, alone)
        leases = columns.leases
        found = columns.summary
        assert alone.summary == replace(
            found, scalar_leases=len(portfolio), scalar_reasons={("records",): [len(portfolio)]}
        )


def test_nothing_of_a_lease_changes_but_what_is_added() -> None:
    """A rent of 8,000 by an index from 100 to 103 is 8,240; no defaults are written (A135)."""
    rent = {
        "product_key": "key:rent",
        "amount": {"amount": Decimal(8000), "currency": "DKK"},
        "vat": {"tax_mode": "exempt"},
        "due_date_rule": {"day_of_period": 1},
        "billing_cycle": {"time_unit": "month", "period_length": 1, "start": 1},
        "started_on": date(2026, 1, 1),
        "first_billing_period_bill_item": {
            "amount": {"amount": Decimal(8000), "currency": "DKK"},
            "due_date": date(2026, 1, 1),
            "accounting_period": {"start": date(2026, 1, 1), "end": date(2026, 1, 31)},
        },
    }
    rule = {"adjustment_type": "Index", "adjustment_month": 1, "index_month": 10}
    plan = {"created": "2025-12-01T00:00:00Z", "rent_adjustment_rules": [rule]}
    # Columns follow the first; a rent cut to whole fives is adjusted alone; the last has no plan.
    odd = {**rule, "index_clause": {"amount_quantum": Decimal(5), "amount_rounding": "down"}}
    plans: list[Any] = [[plan], [{**plan, "rent_adjustment_rules": [odd]}], None]
    given = pa.RecordBatch.from_pylist(
        [
            {"lease_id": str(at), "recurring_bill_items": [rent], "rent_adjustment_plans": each}
            for at, each in enumerate(plans)
        ],
        LEASE_SCHEMA,
    )
    found = AdjustRecordBatches(YEAR, indices=NPI).billed(given)
    rows, before = found.leases.to_pylist(), given.to_pylist()

    assert (2, 1) == (found.summary.adjusted, found.summary.scalar_leases)
    for row in rows[:2]:
        (item,), (own,) = row["recurring_bill_items"], row["rent_adjustment_plans"]
        (record,), (listed,) = item["amount_records"], own["adjustments"]
        assert (JANUARY, Decimal(8240)) == (record["start"], record["value"]["amount"])
        assert (JANUARY, Decimal(8240)) == (
            listed["adjusted_on"],
            listed["to_period_amount"]["amount"],
        )
        item["amount_records"] = own["adjustments"] = None
    assert before == rows


@rows(
    ("amount", "currency", "steps", "codes"),
    [
        # Eight decimals, of which columns have four.
        ("1.5", "XTS", 1, []),
        # 999,999,999.00 × 2 is 1,999,999,998.00, and 365 times that 729,999,999,270.00 a year.
        ("999999999", "DKK", 1, []),
        # 32 times as much is 31,999,999,968.00, and 11,679,999,988,320.00 a year: sixteen digits.
        ("999999999", "DKK", 5, ["amount_too_large"]),
    ],
)
def test_amounts_that_columns_have_no_room_for_are_left(
    amount: str, currency: str, steps: int, codes: list[str]
) -> None:
    """A rent of each day that doubles every year, in a batch with another lease."""
    policy = rb.BillingPolicy(currencies={"XTS": 8})
    daily = rb.BillingCycle(time_unit="Day", period_length=1)
    lease = a_lease(a_rent(amount=amount, billing_cycle=daily), plans=[DOUBLED], lease_id="a")
    data = rb.loads(rb.dumps(lease).replace("DKK", currency), rb.LeaseTerms, policy=policy)
    batch = leases_to_arrow([data, a_lease(lease_id="b")])
    for run in (
        AdjustRecordBatches(f"2027-01-01/{2026 + steps}-12-31", policy=policy),
        BillRecordBatches(f"{2026 + steps}-01", policy=policy, on_problem="table"),
    ):
        columns, alone = both_ways(run, batch)
        assert set() == differing(columns, alone)
        assert codes == columns.problems.column("code").to_pylist()


def test_what_a_record_refuses_is_a_problem_on_columns_too() -> None:
    """Each field of a lease in turn says what no record takes, or nothing."""
    batch = pa.RecordBatch.from_pylist([*_spoilt()], LEASE_SCHEMA)
    for run in (
        AdjustRecordBatches("2026-01-01/2027-12-31", indices=NPI),
        BillRecordBatches("2026-06", indices=NPI, on_problem="table"),
    ):
        columns, alone = both_ways(run, batch)
        assert columns.problems.to_pylist() == alone.problems.to_pylist()
        assert columns.adjustments.to_pylist() == alone.adjustments.to_pylist()


_SPOILT: Any = {
    pa.string(): ("", "x"),
    NUMBER: (Decimal(-1), Decimal("0.00001")),
    pa.int64(): (0, 400),
    pa.date32(): (date(1, 1, 1), date(9999, 12, 31)),
}


def _spoilt() -> Iterator[Any]:
    """Give leases as data, each with one value that is absent or of another kind."""
    rent = a_rent(
        discount=rb.Discount(percentage="0.1", description="d", end_date="2027-01-01"),
        vat_records=[rb.VatRecord(value=rb.Vat("Exempt"), start="2035-01-01")],
        amount_records=[rb.AmountRecord(value=rb.Amount(9000, "DKK"), start="2030-01-01")],
    )
    other = a_rent(
        product_key="key:other",
        discount=rb.Discount(amount=rb.Amount(5, "DKK")),
        quantity_records=[rb.QuantityRecord(value=2, start="2035-01-01")],
        billing_cycle=rb.BillingCycle(time_unit="Day", period_length=28),
    )
    held = rb.Balance(balance_charge_type="deposit", amount=rb.Amount(100, "DKK"))
    lease = a_lease(rent, other, plans=[a_plan(adjustee_ref="recurring-1")]).evolve(
        balances=(held,), one_time_bill_items=(a_one_time_item(),)
    )
    (data,) = leases_to_arrow([lease]).to_pylist()
    for count, (path, kind) in enumerate(_fields(data, pa.struct(LEASE_SCHEMA))):
        for value in (None, *_SPOILT.get(kind, ())):
            row = deepcopy(data) | {"lease_id": f"{count} {value}"}
            inside = reduce(getitem, path[:-1], row)
            inside[path[-1]] = value
            yield row


def _fields(data: Any, kind: Any) -> Iterator[tuple[list[Any], Any]]:  # noqa: ANN401 - any value
    """Give the path and type of everything in data."""
    inside: Any = ()
    if isinstance(data, dict):
        inside = [(name, each, kind.field(name).type) for name, each in data.items()]
    elif isinstance(data, list):
        inside = [(at, each, kind.value_type) for at, each in enumerate(data)]
    for name, each, own in inside:
        yield [name], own
        yield from (([name, *path], found) for path, found in _fields(each, own))


def test_rows_of_a_flat_table_that_cannot_be_read_are_problems() -> None:
    mapping = TableMapping({"id": "id"}, {"amount": "rent", "moved_in": "day"}, {"currency": "DKK"})
    rows = [{"id": "a", "rent": "8000", "day": "2026-01-01"}, {"id": "b", "rent": "?", "day": "?"}]
    run = adjust_portfolio(mapping.leases(rows), YEAR)
    tables = run.to_tables()

    assert ["a"] == tables["leases"].column("lease_id").to_pylist()
    assert {"b"} == {*tables["problems"].column("lease_id").to_pylist()}


def test_leases_that_have_no_columns_come_out_as_they_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a flat table where a cell is not certain, and of columns that fit no Arrow array."""
    leases = [
        a_lease(a_rent(amount=8000), plans=[a_plan()], lease_id=each) for each in ("a", "b", "c")
    ]
    batch, expected = leases_to_arrow(leases), adjusted(*leases)[0]["leases"].to_batches()
    run = AdjustRecordBatches(YEAR, indices=NPI)
    table = ColumnLeases(
        leases_to_arrow([rb.LeaseTerms()] * 3), np.ones(3, np.bool_), leases.__getitem__
    )
    some = ColumnLeases(batch, np.array([False, True, False]), leases.__getitem__)

    assert [
        (each.leases, each.summary.scalar_share) for each in map(run.billed, (table, some))
    ] == [
        (*expected, 1),
        (*expected, Fraction(1, 3)),
    ]
    monkeypatch.setattr("rentbilling.portfolio.runs.collected.lease_form", lambda _: None)
    alone = run.billed(batch)
    assert expected == [alone.leases]
    assert {("types",): [3]} == alone.summary.scalar_reasons


def test_years_beyond_the_calendar_of_columns_are_adjusted_one_by_one() -> None:
    leases = leases_to_arrow([a_lease(lease_id="a")])

    assert 1 == AdjustRecordBatches("2300").billed(leases).summary.scalar_leases


def test_the_leases_are_a_file_that_is_billed_next(tmp_path: Path) -> None:
    run = adjust_portfolio(several_leases(), YEAR, indices=NPI)
    run.write_parquet(tmp_path / "a.parquet", others={"leases": tmp_path / "leases.parquet"})
    bills = bill_portfolio(tmp_path / "leases.parquet", "2027-03-01/2027-03-31").to_table()

    assert pq.read_table(tmp_path / "a.parquet").num_rows == 1
    expected = bill_portfolio(several_leases(), "2027-03-01/2027-03-31", indices=NPI).to_table()
    assert expected == bills
    assert "another call of adjust_portfolio" in run._repr_html_()


def test_a_run_says_how_far_it_is_and_refuses_what_it_does_not_know() -> None:
    unknown: Any = "perhaps"
    run = adjust_portfolio([], YEAR)

    assert str(run.summary) == "not begun: no lease was adjusted yet"
    assert repr(run) == "<AdjustmentRun 2027-01-01/2027-12-31, not begun>"
    assert run.to_table().num_rows == 0
    assert run.summary == AdjustmentSummary()
    with pytest.raises(InvalidInputError, match="is not a known word"):
        adjust_portfolio([], YEAR, on_problem=unknown)
    with pytest.raises(InvalidRecordError, match="another call of adjust_portfolio"):
        run.to_table()
    with pytest.raises(TypeError, match="1 lease or more"):
        adjust_portfolio([], YEAR, batch_size=0)
