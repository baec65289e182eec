"""Record batches of leases in, record batches of bills out: the figures of each lease alone."""

import pickle
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given

import rentbilling as rb
from rentbilling import errors
from rentbilling.portfolio import (
    ADJUSTMENT_SCHEMA,
    BILL_SCHEMA,
    LINE_SCHEMA,
    NOTICE_SCHEMA,
    PROBLEM_SCHEMA,
    BillRecordBatches,
    leases_from_arrow,
    leases_to_arrow,
)
from rentbilling.portfolio.runs import batch_runs
from rentbilling.portfolio.runs.bill_batches import BillRows, refuse_too_wide
from rentbilling.records import read_json
from rentbilling.testing import (
    a_bill,
    a_lease,
    a_line,
    a_one_time_item,
    a_plan,
    a_rent,
    an_item,
    strategies,
)
from rentbilling.testing.strategies import BillingRun
from tests.portfolio.bulk_rows import (
    NPI,
    bad_payload,
    bills_in_full,
    bills_of_rows,
    several_leases,
    tables_are_valid,
    without_nulls,
)
from tests.support.rows import rows

YEAR = "2026-01-01/2026-12-31"
NEXT = "2027-01-01/2027-12-31"


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_runs, "bill_batch", lambda *_: None)


def alone(
    leases: Sequence[rb.LeaseTerms],
    period: rb.Period | str,
    policy: rb.BillingPolicy | None = None,
    indices: rb.IndexSeries | None = None,
) -> list[rb.BillingResult]:
    return [rb.bill_period(lease, period, policy=policy, indices=indices) for lease in leases]


def check_equal(found: Any, results: Sequence[rb.BillingResult]) -> None:  # noqa: ANN401 - tables
    assert bills_in_full(results) == bills_of_rows(found.bills)
    assert [
        (row, result.lease_id, notice.code, notice.message, notice.item_id, list(notice.facts))
        for row, result in enumerate(results)
        for notice in result.notices
    ] == [tuple(row.values()) for row in found.notices.to_pylist()]
    assert [
        (row, result.lease_id, read_json(rb.dumps(each, full=True)))
        for row, result in enumerate(results)
        for each in result.adjustments
    ] == [_adjustment(row) for row in found.adjustments.to_pylist()]
    assert 0 == found.problems.num_rows
    assert tables_are_valid(found.bills, found.lines, found.notices, found.adjustments)


def _adjustment(row: dict[str, Any]) -> tuple[int, str | None, Any]:
    lease = row.pop("row"), row.pop("lease_id")
    record = rb.RentAdjustment.model_validate(without_nulls(row))
    return (*lease, read_json(rb.dumps(record, full=True)))


def both_ways(
    leases: Sequence[rb.LeaseTerms],
    period: rb.Period | str,
    policy: rb.BillingPolicy | None = None,
    indices: rb.IndexSeries | None = None,
) -> None:
    """Bill leases as a batch and as records, and hold both against each lease alone."""
    bill = BillRecordBatches(period, policy=policy, indices=indices)
    results = alone(leases, period, policy, indices)
    batch = leases_to_arrow(leases)
    found = bill.billed(batch)

    assert bills_in_full(results) == bills_of_rows(found.bills)
    # Notices quote numbers as they were written, and a column does not say with how many zeros.
    check_equal(found, alone([*leases_from_arrow(batch)], period, policy, indices))
    check_equal(bill.billed(leases), results)


@given(strategies.portfolios(), strategies.asked_periods(), strategies.billing_policies())
def test_a_batch_is_billed_as_each_lease_alone(
    leases: list[rb.LeaseTerms], period: rb.Period, policy: rb.BillingPolicy
) -> None:
    both_ways(leases, period, policy)


@given(strategies.portfolios(), strategies.asked_periods())
def test_a_batch_is_billed_alike_under_the_plain_policy(
    leases: list[rb.LeaseTerms], period: rb.Period
) -> None:
    both_ways(leases, period)


@given(strategies.billing_runs())
def test_plans_are_followed_as_for_a_lease_alone(run: BillingRun) -> None:
    terms, period, indices, policy = run
    plain = [a_lease(lease_id=f"plain-{at}") for at in range(2)]

    both_ways([plain[0], terms, plain[1]], period, policy, indices)


@given(strategies.portfolios(), strategies.asked_periods())
@pytest.mark.usefixtures("one_by_one")
def test_the_engine_for_single_leases_does_all_alone(
    leases: list[rb.LeaseTerms], period: rb.Period
) -> None:
    both_ways(leases, period)


@given(strategies.portfolios(), strategies.asked_periods())
def test_lines_are_the_lines_of_the_bills(leases: list[rb.LeaseTerms], period: rb.Period) -> None:
    found = BillRecordBatches(period).billed(leases_to_arrow(leases))
    expected = [
        {
            **{name: bill[name] for name in ("row", "lease_id", "due_date", "currency")},
            **{name: line[name] for name in line if name in LINE_SCHEMA.names},
            "period_start": line["accounting_period"]["start"],
            "period_end": line["accounting_period"]["end"],
            "regular_start": (line["regular_period"] or {}).get("start"),
            "regular_end": (line["regular_period"] or {}).get("end"),
            **line["vat"],
        }
        for bill in found.bills.to_pylist()
        for line in bill["lines"]
    ]

    assert expected == found.lines.to_pylist()


def test_a_bill_worked_by_hand() -> None:
    """Moved in on 15 January: 8,500 × 17/31 = 4,661.29; 2.5 units of 100 with 25 % inside.

    2.5 × 100 = 250.00 gross, of which 250 × 25/125 = 50.00 is VAT, 200.00 net.
    """
    lease = a_lease(
        a_rent(amount="8500.00", moved_in="2026-01-15", id="rent"),
        an_item(amount="100.00", quantity="2.5", vat="Inclusive 0.25", moved_in="2025-01-01"),
        lease_id="lease-1",
    )
    bills = BillRecordBatches("2026-01-01/2026-01-31")(leases_to_arrow([lease])).to_pylist()
    (first, second) = bills

    assert ["2026-01-01", "2026-01-15"] == [str(bill["due_date"]) for bill in bills]
    assert (Decimal(200), Decimal(250)) == (first["subtotal"], first["total"])
    assert [(Decimal(50), Decimal(200))] == [
        (each["amount"], each["base"]) for each in first["vat_totals"]
    ]
    assert (Decimal("4661.29"), Decimal("4661.29")) == (second["subtotal"], second["total"])
    assert [("rent", "opening", "1")] == [
        (line["item_id"], line["kind"], line["share"]) for line in second["lines"]
    ]


def test_cash_rounding_is_in_the_table() -> None:
    """A52: 8,500.30 in steps of 0.50 is 8,500.50, so 0.20 is added."""
    policy = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
    lease = a_lease(a_rent(amount="8500.30"))
    bills = BillRecordBatches("2026-02-01/2026-02-28", policy=policy)(leases_to_arrow([lease]))

    assert [Decimal("0.2")] == bills.column("cash_rounding").to_pylist()


def test_each_output_has_its_schema() -> None:
    schemas = {
        "bills": BILL_SCHEMA,
        "lines": LINE_SCHEMA,
        "adjustments": ADJUSTMENT_SCHEMA,
        "notices": NOTICE_SCHEMA,
        "problems": PROBLEM_SCHEMA,
    }
    batch = leases_to_arrow([*several_leases()[:4], a_lease(), a_lease(an_item(quantity=-1))])
    rows: dict[str, int] = {}
    for output, schema in schemas.items():
        bill = BillRecordBatches(NEXT, indices=NPI, output=output)  # type: ignore[arg-type]
        found = bill(batch)
        rows[output] = found.num_rows
        assert schema == bill.schema == found.schema

    # Five leases of twelve months, one with an adjustment, and a credit with a notice (A21).
    assert {"bills": 60, "lines": 60, "adjustments": 1, "notices": 1, "problems": 0} == rows


def test_it_pickles_with_all_that_it_needs() -> None:
    policy = rb.BillingPolicy(vat_rounding="per_line", currencies={"PTS": 1})
    bill = BillRecordBatches(NEXT, indices=NPI, policy=policy, output="lines", on_problem="table")
    batch = leases_to_arrow(several_leases())
    again = pickle.loads(pickle.dumps(bill))

    assert (bill.period, bill.policy, bill.output) == (again.period, again.policy, again.output)
    assert bill(batch) == again(batch)


def test_batches_one_after_another() -> None:
    """As engines ask that hand over a partition; the leases of each count from 0."""
    batch = leases_to_arrow([a_lease(), a_lease()])
    bill = BillRecordBatches("2026-02-01/2026-02-28")
    found = list(bill.each([batch, batch.slice(1), pa.Table.from_batches([batch, batch])]))

    assert [[0, 1, 0, 0, 1, 2, 3]] == [each.column("row").to_pylist() for each in found]


def test_batches_of_other_columns_are_billed_apart() -> None:
    batch = leases_to_arrow([a_lease()])
    numbered = batch.append_column("row", pa.array([7]))
    bill = BillRecordBatches("2026-02-01/2026-02-28")
    found = list(bill.each([batch, batch, numbered, numbered, batch.slice(1)]))

    assert [[0, 0, 7, 7]] == [each.column("row").to_pylist() for each in found]
    fewer = batch.drop_columns(["balances"])
    assert [[0], [0]] == [each.column("row").to_pylist() for each in bill.each([fewer, batch])]


def test_no_more_leases_are_billed_together_than_a_batch_has() -> None:
    """Two batches of 2,100 leases stay two; two of 2,048 are one."""
    bill = BillRecordBatches("2026-02-01/2026-02-28", output="problems")
    nothing = leases_to_arrow([rb.LeaseTerms()])
    for count, made in ((2100, 2), (2048, 1)):
        batch = nothing.take(pa.array([0] * count))
        assert made == len(list(bill.each([batch, batch])))


def test_parts_of_a_batch_give_what_the_whole_gives() -> None:
    batch = leases_to_arrow(several_leases())
    rows = pa.array(range(10, 10 + batch.num_rows))
    numbered = batch.append_column("row", rows)
    bill = BillRecordBatches(NEXT, indices=NPI)
    whole = pa.Table.from_batches([bill(numbered)])
    parts = pa.Table.from_batches(
        [bill(numbered.slice(at, 1)) for at in range(numbered.num_rows)], BILL_SCHEMA
    )

    assert whole.to_pylist() == parts.to_pylist()
    assert {10, 11, 12, 14, 15} == set(whole.column("row").to_pylist())


def test_numbers_of_rows_need_not_rise() -> None:
    batch = leases_to_arrow([a_lease(), a_lease(a_one_time_item()), a_lease()])
    numbered = batch.append_column("row", pa.array([7, 3, 5]))
    found = BillRecordBatches("2026-02-01/2026-02-28")(numbered)

    assert [7, 3, 5] == found.column("row").to_pylist()


def test_a_first_row_counts_on() -> None:
    found = BillRecordBatches("2026-02-01/2026-02-28").billed(leases_to_arrow([a_lease()]), 8)

    assert [8] == found.bills.column("row").to_pylist()


def test_an_empty_batch_gives_empty_tables() -> None:
    found = BillRecordBatches(YEAR).billed(leases_to_arrow([]))

    assert (0, 0, 0) == (found.bills.num_rows, found.lines.num_rows, found.summary.leases)


def problems_of(*leases: Any, **choices: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - payloads
    bill = BillRecordBatches(YEAR, on_problem="table", **choices)
    rows: list[dict[str, Any]] = bill.billed(leases).problems.to_pylist()
    return rows


def test_a_bad_lease_is_a_row_of_the_problems() -> None:
    leases = [a_lease(lease_id="a"), bad_payload(), a_lease(lease_id="c")]
    found = BillRecordBatches("2026-02-01/2026-02-28", on_problem="table").billed(leases)

    assert [(0, "a"), (2, "c")] == list(
        zip(*(found.bills.column(name).to_pylist() for name in ("row", "lease_id")), strict=True)
    )
    assert [
        {
            "row": 1,
            "lease_id": "bad",
            "code": "not_a_number",
            "path": "recurringBillItems[0].amount.amount",
            "message": "is not a number",
            "met": "'much'",
            "expected": "a number such as 8500.00",
        },
        {
            "row": 1,
            "lease_id": "bad",
            "code": "missing",
            "path": "recurringBillItems[0].billingCycle",
            "message": "is required",
            "met": "nothing",
            "expected": "a BillingCycle",
        },
    ] == found.problems.to_pylist()
    assert (3, 2, 1, 0) == (
        found.summary.leases,
        found.summary.billed,
        found.summary.with_problems,
        found.summary.nothing_due,
    )


def test_a_bad_row_of_arrow_is_a_row_of_the_problems() -> None:
    """With the path of the columns; also for leases that the kernel would take otherwise."""
    rows = leases_to_arrow([a_lease(lease_id=f"lease-{at}") for at in range(3)]).to_pylist()
    rows[1]["recurring_bill_items"][0]["vat"]["tax_mode"] = "Free"
    batch = pa.RecordBatch.from_pylist(rows, leases_to_arrow([]).schema)
    found = BillRecordBatches(YEAR, on_problem="table").billed(batch)

    assert [(1, "unknown_tax_mode", "recurring_bill_items[0].vat.tax_mode")] == [
        (row["row"], row["code"], row["path"]) for row in found.problems.to_pylist()
    ]
    assert {0, 2} == set(found.bills.column("row").to_pylist())


def test_a_missing_index_is_a_problem_of_its_lease() -> None:
    """A41: nothing else stops; what is missing stands in the message."""
    indexed = a_lease(a_rent(), plans=[a_plan()], lease_id="indexed")
    bill = BillRecordBatches(NEXT, on_problem="table")
    (problem,) = bill.billed([indexed, a_lease()]).problems.to_pylist()

    assert {"row": 0, "lease_id": "indexed", "path": "", "met": None, "expected": None} == {
        name: problem[name] for name in ("row", "lease_id", "path", "met", "expected")
    }
    assert "missing_series" == problem["code"]
    assert "2027-01-01" in problem["message"]


def test_too_many_lines_are_a_problem_of_their_lease() -> None:
    """A60: refused before computing."""
    (problem,) = problems_of(a_lease(), policy=rb.BillingPolicy(max_lines=1))

    assert "too_many_lines" == problem["code"]


def test_what_is_no_lease_at_all_is_a_problem() -> None:
    found = problems_of(5, {"leaseId": 5}, {"lease_id": "\udc80"})

    assert ["not_an_object", "not_a_text", "not_a_text"] == [row["code"] for row in found]
    assert [None, None, "\\udc80"] == [row["lease_id"] for row in found]


def test_arithmetic_out_of_bounds_is_a_problem_of_its_lease(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def overflowing(*_: object, **__: object) -> rb.BillingResult:
        raise OverflowError("too large")

    monkeypatch.setattr(batch_runs, "bill_period", overflowing)
    (problem,) = problems_of(a_lease(lease_id="large"))

    assert ("large", "arithmetic", "too large") == (
        problem["lease_id"],
        problem["code"],
        problem["message"],
    )


def test_a_figure_of_more_decimals_than_its_column_is_refused() -> None:
    """16 decimals fit no column; none of the lease's bills stays behind."""
    lease = a_lease(a_one_time_item(amount="1"))
    wide = a_bill(
        a_line(amount=rb.Amount.unchecked(Decimal("1E-16"), "DKK"), net_price=0, unit_net_price=0)
    )
    rows = BillRows()
    rows.add(0, None, rb.bill_period(lease, YEAR))

    with pytest.raises(errors.UnsupportedCaseError, match="in a table"):
        rows.add(1, None, [*rb.bill_period(lease, YEAR), wide])

    assert [0] == rows.batch().column("row").to_pylist()


def test_an_adjustment_of_too_many_digits_is_refused() -> None:
    day = date(2026, 1, 1)
    rent = rb.RentAdjustment(adjusted_on=day, to_period_amount=rb.Amount(8500, "DKK"))
    wide = rb.Amount.unchecked(Decimal("1E+24"), "DKK")

    refuse_too_wide([rent])
    with pytest.raises(errors.UnsupportedCaseError, match="in a table"):
        refuse_too_wide([rb.RentAdjustment.model_construct(adjusted_on=day, to_period_amount=wide)])


def test_a_strict_run_stops_with_the_row() -> None:
    with pytest.raises(errors.InvalidInputError) as refused:
        BillRecordBatches(YEAR).billed([a_lease(), bad_payload()], 40)

    assert "[41].recurringBillItems[0].amount.amount" == refused.value.problems[0].path


def test_a_strict_run_says_the_lease_where_there_is_no_path() -> None:
    indexed = a_lease(a_rent(), plans=[a_plan()], lease_id="indexed")

    with pytest.raises(errors.MissingIndexError) as refused:
        BillRecordBatches(NEXT).billed([a_lease(), indexed])

    assert ["lease in row 1, indexed"] == refused.value.__notes__


@rows(
    ("choices", "kind", "said"),
    [
        ({"period": "2026-13"}, errors.InvalidPeriodError, "is not a period"),
        ({"output": "totals"}, errors.UnknownWordError, "output: is not a known word"),
        ({"on_problem": "skip"}, errors.UnknownWordError, "on_problem: is not a known word"),
        ({"extra_columns": "keep"}, errors.UnknownWordError, "extra_columns: is not a known word"),
        ({"policy": "plain"}, TypeError, "policy"),
        ({"indices": 5}, TypeError, "indices is an IndexSeries"),
    ],
)
def test_what_is_wrong_with_the_run_is_no_problem_of_a_lease(
    choices: dict[str, Any], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        BillRecordBatches(**{"period": YEAR, "on_problem": "table", **choices})


def test_wrong_columns_are_no_problem_of_a_lease() -> None:
    wrong = pa.RecordBatch.from_pydict({"rent": [8500.0]})

    for batch in (wrong, wrong.slice(1)):
        with pytest.raises(errors.InvalidRecordError, match="rent: is not a column of leases"):
            BillRecordBatches(YEAR, on_problem="table")(batch)


def test_half_open_periods_of_a_policy_count_for_payloads_alone() -> None:
    """A4: a payload writes 2026-01-01/2026-02-01 for January; columns have both days."""
    policy = rb.BillingPolicy(period_end="excluded")
    lease = a_lease(a_rent(moved_in="2026-01-01"))
    payload = read_json(rb.dumps(lease, policy=policy))
    bill = BillRecordBatches("2026-01-01/2026-03-01", policy=policy)
    expected = bills_in_full(alone([lease], "2026-01-01/2026-02-28"))

    assert expected == bills_of_rows(bill.billed([payload]).bills)
    assert expected == bills_of_rows(bill(leases_to_arrow([lease])))


def test_the_share_of_single_leases_is_told() -> None:
    rare = a_rent(billing_cycle=rb.BillingCycle(period_length=24))
    batch = leases_to_arrow([a_lease(), a_lease(rare), a_lease(), a_lease()])
    summary = BillRecordBatches(YEAR).billed(batch).summary

    assert (1, 4) == (summary.scalar_leases, summary.leases)
    assert Decimal("0.25") == Decimal(summary.scalar_share.numerator) / 4


def test_a_table_gives_a_table() -> None:
    batch = leases_to_arrow([a_lease(lease_id="home"), a_lease(lease_id="flat")])
    more = leases_to_arrow([a_lease(), a_lease(lease_id="hut")])
    bill = BillRecordBatches("2026-02-01/2026-02-28")
    table = bill(pa.Table.from_batches([batch, more]))

    assert bill(batch) == table.to_batches()[0].slice(0, 2)
    assert [0, 1, 2, 3] == table.column("row").to_pylist()
    assert BILL_SCHEMA.empty_table() == bill(batch.schema.empty_table())


def test_a_data_frame_gives_a_table() -> None:
    batch = leases_to_arrow([a_lease(lease_id="home"), a_lease(lease_id="flat")])
    batches = [batch, leases_to_arrow([a_lease(), a_lease(lease_id="hut")])]
    reader = pa.RecordBatchReader.from_batches(batch.schema, batches)
    bill = BillRecordBatches("2026-02-01/2026-02-28")

    assert bill(pa.Table.from_batches(batches)) == bill(reader)
