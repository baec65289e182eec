"""Leases as rows of Arrow: what is written is read again, in every type that says the same."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given

import rentbilling as rb
from rentbilling.errors import InvalidInputError, InvalidPeriodError, InvalidRecordError
from rentbilling.portfolio import (
    LEASE_SCHEMA,
    BillRecordBatches,
    bill_portfolio,
    leases_from_arrow,
    leases_to_arrow,
)
from rentbilling.portfolio.arrow.column_types import NUMBER, shape_of
from rentbilling.portfolio.arrow.schema_checks import check_schema
from rentbilling.portfolio.leases.batches import payloads, row_numbers
from rentbilling.records import PLAIN_DATA
from rentbilling.testing import a_lease, a_plan, a_rent, an_item, strategies
from rentbilling.testing.strategies import BillingRun
from tests.support.refusals import faults, refused
from tests.support.rows import rows

ITEMS = "recurring_bill_items"


def read(table: Any, **choices: Any) -> list[rb.LeaseTerms]:  # noqa: ANN401 - an Arrow table
    return list(leases_from_arrow(table, **choices))


@given(strategies.portfolios())
def test_leases_that_are_written_are_read_again(leases: list[rb.LeaseTerms]) -> None:
    assert leases == read(leases_to_arrow(leases))


@given(strategies.billing_runs())
def test_plans_and_balances_are_read_again(run: BillingRun) -> None:
    """Rules, clauses, listed adjustments and what is ours in them (A56), beside one without."""
    leases = [rb.LeaseTerms(lease_id="none"), run.terms]
    found = read(leases_to_arrow(leases))

    assert leases == found
    assert [rb.dumps(each, full=True) for each in map(_plain, leases)] == [
        rb.dumps(each, full=True) for each in map(_plain, found)
    ]


def _plain(lease: rb.LeaseTerms) -> rb.LeaseTerms:
    """Return a lease as it is read from a batch of its own: numbers without closing zeros."""
    (again,) = read(leases_to_arrow([lease]))
    return again


@given(strategies.portfolios())
def test_a_part_of_a_batch_is_read_as_such(leases: list[rb.LeaseTerms]) -> None:
    batch = leases_to_arrow([*leases, *leases])

    for at in range(len(leases)):
        assert leases[at:] == read(batch.slice(at, len(leases) - at))


def test_the_schema_has_every_field_of_a_lease() -> None:
    """Derived from the records: the columns are their fields, down to the last clause."""
    plans = dict(shape_of(rb.LeaseTerms).parts)["rent_adjustment_plans"].parts[0][1]
    rules = dict(plans.parts)["rent_adjustment_rules"].parts[0][1]

    assert list(rb.LeaseTerms.model_fields) == LEASE_SCHEMA.names
    assert set(rb.RentAdjustmentPlan.model_fields) == {name for name, _ in plans.parts}
    assert set(rb.RentAdjustmentRule.model_fields) == {name for name, _ in rules.parts}
    assert set(rb.IndexClause.model_fields) == {
        name for name, _ in dict(rules.parts)["index_clause"].parts
    }


def test_the_types_of_columns() -> None:
    """Decimals for money, days as date32, structs and lists for records."""
    item = LEASE_SCHEMA.field(ITEMS).type.value_type
    amount = pa.struct([("amount", pa.decimal128(38, 15)), ("currency", pa.string())])

    assert amount == item.field("amount").type
    assert pa.date32() == item.field("started_on").type
    assert pa.int64() == item.field("billing_cycle").type.field("period_length").type
    assert pa.string() == LEASE_SCHEMA.field("lease_id").type
    assert pa.bool_() == _plan_type().field("adjusts_balance").type
    assert pa.string() == _plan_type().field("created").type


def _plan_type() -> Any:  # noqa: ANN401 - an Arrow type
    return LEASE_SCHEMA.field("rent_adjustment_plans").type.value_type


def test_a_number_of_fifteen_decimals_is_kept() -> None:
    """A1: 0.000000000000001 and 999,999,999,999,999 both fit the one type of numbers."""
    item = an_item(amount="999999999999999", quantity="0.000000000000001")

    assert [a_lease(item)] == read(leases_to_arrow([a_lease(item)]))


def test_a_date_time_keeps_its_own_day() -> None:
    """A32 goes by the day on which a plan was created, where that was.

    1 January at 00:30 in Copenhagen is still December in UTC.
    """
    created = datetime(2026, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=1)))
    (found,) = read(leases_to_arrow([a_lease(plans=[a_plan(created=created)])]))

    assert "2026-01-01T00:30:00+01:00" == found.rent_adjustment_plans[0].created.isoformat()  # type: ignore[union-attr]


TABLE = pa.Table.from_batches(
    [
        leases_to_arrow(
            [a_lease(a_rent(discount=None), plans=[a_plan()]), a_lease(lease_id="lease-2")]
        )
    ]
)
LEASES = read(TABLE)


def retyped(schema: Any, path: str, kind: Any) -> Any:  # noqa: ANN401 - Arrow
    """Return a schema with another type of one column, found by its path."""
    return pa.schema([_retyped(field, path.split("."), kind) for field in schema])


def _retyped(field: Any, steps: list[str], new: Any) -> Any:  # noqa: ANN401
    kind = field.type
    if not steps or field.name != steps[0]:
        return field
    if len(steps) == 1:
        return field.with_type(new)
    if pa.types.is_list(kind):
        inner = _retyped(kind.value_field.with_name(steps[0]), steps, new)
        return field.with_type(pa.list_(inner.type))
    return field.with_type(pa.struct([_retyped(each, steps[1:], new) for each in kind]))


@rows(
    ("path", "kind"),
    [
        ("lease_id", pa.large_string()),
        ("lease_id", pa.dictionary(pa.int32(), pa.string())),
        (f"{ITEMS}.amount.amount", pa.decimal128(20, 4)),
        (f"{ITEMS}.amount.amount", pa.decimal256(60, 20)),
        (f"{ITEMS}.billing_cycle.period_length", pa.int8()),
        (f"{ITEMS}.billing_cycle.period_length", pa.uint64()),
        (f"{ITEMS}.started_on", pa.date64()),
        (ITEMS, pa.large_list(LEASE_SCHEMA.field(ITEMS).type.value_type)),
    ],
)
def test_other_types_that_say_the_same_are_read(path: str, kind: Any) -> None:  # noqa: ANN401
    assert LEASES == read(TABLE.cast(retyped(TABLE.schema, path, kind)))


NARROW = pa.decimal32(9, 2) if hasattr(pa, "decimal32") else pa.decimal128(9, 2)
"""A decimal number of 32 bits, where this version of Arrow has it."""


@rows(
    ("array", "expected"),
    [
        (pa.array([8500, None], pa.int16()), [Decimal(8500), None]),
        (pa.array([Decimal("8.50"), None], pa.decimal128(5, 2)), [Decimal("8.50"), None]),
        (pa.array([Decimal(8500), None], pa.decimal128(5, -2)), [Decimal(8500), None]),
        (pa.array([Decimal("8.50"), None], NARROW), [Decimal("8.50"), None]),
        (pa.array([Decimal("8.50"), None], NARROW).slice(1), [None]),
        (
            pa.DictionaryArray.from_arrays([0, None], pa.array([Decimal("8.50")], NARROW)),
            [Decimal("8.50"), None],
        ),
        (pa.array([Decimal("-0.1234"), None], pa.decimal256(60, 4)), [Decimal("-0.1234"), None]),
        (pa.array([Decimal("0.00012"), None], NUMBER), [Decimal("0.00012"), None]),
        (pa.array([Decimal("-8500.10"), None], NUMBER), [Decimal("-8500.10"), None]),
        (
            pa.array([Decimal(1), Decimal("-1E+20"), None], NUMBER).slice(1),
            [Decimal("-1E+20"), None],
        ),
        (
            pa.DictionaryArray.from_arrays([0, 1], pa.array([Decimal("0.5"), None], NUMBER)),
            [Decimal("0.5"), None],
        ),
        (pa.array([Decimal("1E+20"), None], NUMBER), [Decimal("1E+20"), None]),
    ],
)
def test_numbers_are_read_from_every_exact_type(array: Any, expected: list[Decimal | None]) -> None:  # noqa: ANN401
    kind = pa.struct([("quantity", array.type)])
    items = pa.ListArray.from_arrays(
        [0, len(array)], pa.StructArray.from_arrays([array], fields=list(kind))
    )
    batch = pa.RecordBatch.from_arrays([items], names=[ITEMS])
    (payload,) = payloads(batch, PLAIN_DATA)

    assert expected == [item.get("quantity") for item in payload[ITEMS]]


@rows(
    "ids",
    [
        # Of the dictionary of a whole file a part.
        pa.array([f"lease-{at}" for at in range(100)]).dictionary_encode().slice(7, 2),
        pa.array(["a", None, "a text that is longer than a view holds"], pa.string_view()),
    ],
)
def test_texts_are_read_from_dictionaries_and_views(ids: Any) -> None:  # noqa: ANN401 - an array
    batch = pa.RecordBatch.from_arrays([ids], names=["lease_id"])

    assert ids.to_pylist() == [lease.lease_id for lease in read(batch)]


def test_data_frames_are_read() -> None:
    frame = pl.from_arrow(TABLE.select(["lease_id", ITEMS]))
    connection = duckdb.connect()
    connection.register("leases", TABLE.select(["lease_id", ITEMS]))
    result = connection.sql("select * from leases order by lease_id nulls first")
    expected = [each.evolve(rent_adjustment_plans=()) for each in LEASES]

    assert expected == read(frame.to_arrow())
    assert expected == read(result.to_arrow_table())


def test_lists_of_fixed_length_and_views_are_read() -> None:
    (lease, _) = LEASES
    items = leases_to_arrow([lease, lease]).column(ITEMS)
    inside, value = items.flatten(), items.type.value_type
    ends, sizes = pa.array([1, 0], pa.int32()), pa.array([1, 1], pa.int32())
    for listed in (
        pa.FixedSizeListArray.from_arrays(inside, 1),
        pa.ListViewArray.from_arrays(ends, sizes, inside),
        pa.LargeListViewArray.from_arrays(
            ends.cast(pa.int64()), sizes.cast(pa.int64()), inside, type=pa.large_list_view(value)
        ),
    ):
        other = pa.RecordBatch.from_arrays([listed.slice(1)], names=[ITEMS])

        assert [lease.recurring_bill_items] == [each.recurring_bill_items for each in read(other)]


def test_columns_may_stand_in_any_order_or_be_missing() -> None:
    table = TABLE.select([ITEMS, "lease_id"]).append_column("balances", pa.nulls(2))

    assert [each.evolve(rent_adjustment_plans=()) for each in LEASES] == read(table)


def test_null_is_absent_and_an_empty_list_too() -> None:
    """A6: a list that is null, an empty one and none at all."""
    kind = LEASE_SCHEMA.field(ITEMS).type
    items = pa.array([None, []], kind)
    batch = pa.RecordBatch.from_arrays([pa.array(["a", "b"]), items], names=["lease_id", ITEMS])

    assert [rb.LeaseTerms(lease_id="a"), rb.LeaseTerms(lease_id="b")] == read(batch)


def test_a_list_beside_a_null_one_keeps_its_items() -> None:
    batch = leases_to_arrow([LEASES[0], LEASES[1]])
    items = pa.ListArray.from_arrays(
        batch.column(ITEMS).offsets,
        batch.column(ITEMS).values,
        mask=pa.array([True, False]),
    )
    table = pa.table({"lease_id": batch.column("lease_id"), ITEMS: items})

    assert [0, 1] == [len(lease.recurring_bill_items) for lease in read(table)]


REFUSED = [
    (f"{ITEMS}.amount.amount", pa.float64(), "not_exact", "decimal, such as decimal128(38, 15)"),
    (f"{ITEMS}.vat.tax_rate", pa.float32(), "not_exact", "decimal, such as decimal128(38, 15)"),
    (f"{ITEMS}.amount.amount", pa.string(), "wrong_type", "decimal, such as decimal128(38, 15)"),
    (f"{ITEMS}.started_on", pa.timestamp("s", "UTC"), "wrong_type", "date32"),
    (f"{ITEMS}.started_on", pa.string(), "wrong_type", "date32"),
    ("lease_id", pa.int64(), "wrong_type", "string"),
    ("currency", pa.binary(), "wrong_type", "string"),
    (f"{ITEMS}.billing_cycle.start", pa.float32(), "not_exact", "whole numbers"),
    ("rent_adjustment_plans.adjusts_balance", pa.int8(), "wrong_type", "bool"),
    ("rent_adjustment_plans.created", pa.timestamp("us"), "wrong_type", "timestamp with"),
    # With the cast to do.
    ("rent_adjustment_plans.created", pa.timestamp("us"), "wrong_type", "assume_timezone"),
    ("contract_end", pa.timestamp("ns", "UTC"), "wrong_type", "pa.date32()"),
    (ITEMS, pa.string(), "wrong_type", "list"),
    (f"{ITEMS}.vat", pa.string(), "wrong_type", "struct of tax_mode, tax_rate"),
    ("row", pa.float64(), "not_exact", "whole numbers"),
]


@rows(("path", "kind", "code", "expected"), REFUSED)
def test_a_column_of_the_wrong_type_is_refused(
    path: str,
    kind: Any,  # noqa: ANN401 - an Arrow type
    code: str,
    expected: str,
) -> None:
    schema = retyped(LEASE_SCHEMA.append(pa.field("row", pa.int64())), path, kind)
    ((*found, told),) = faults(
        lambda: check_schema(schema), InvalidRecordError, "path code met expected"
    )

    assert [path, code, str(kind)] == found
    assert expected in told


def test_whole_numbers_of_frames_are_read_where_each_is_certain() -> None:
    """Frames write whole numbers beside absent ones as doubles (A110)."""
    rows = leases_to_arrow([LEASES[0], LEASES[0]]).to_pylist()
    schema = retyped(LEASE_SCHEMA, f"{ITEMS}.billing_cycle.start_day", pa.float64())

    def days(second: float) -> list[int | None]:
        for row, day in zip(rows, (None, second), strict=True):
            row[ITEMS][0]["billing_cycle"]["start_day"] = day
        found = read(pa.RecordBatch.from_pylist(rows, schema))
        return [each.recurring_bill_items[0].billing_cycle.start_day for each in found]

    assert [1, 15] == days(15.0)
    for wrong in (1.5, float("inf"), 2.0**53):
        with pytest.raises(InvalidInputError, match=r"start_day.*binary"):
            days(wrong)


def test_columns_without_a_value_may_have_any_type() -> None:
    """Some engines give such a column a type of their own; one with a value is refused as ever."""
    batch = leases_to_arrow([a_lease(lease_id="home")])
    odd = {
        "currency": pa.int32(),
        f"{ITEMS}.description": pa.int32(),
        f"{ITEMS}.discount.percentage": pa.float64(),
        f"{ITEMS}.amount_records": pa.string(),
        "balances": pa.list_(pa.int8()),
    }
    schema = batch.schema
    for path, kind in {**odd, f"{ITEMS}.product_key": pa.int32()}.items():
        schema = retyped(schema, path, kind)
    (row,) = batch.to_pylist()
    row["balances"] = None
    (item,) = row[ITEMS]
    item["amount_records"], key = None, item.pop("product_key")
    bill = BillRecordBatches("2026-03-01/2026-03-31")
    wrong = pa.RecordBatch.from_pylist([row | {ITEMS: [item | {"product_key": 7}]}], schema)
    assert [(f"{ITEMS}.product_key",)] == faults(lambda: bill(wrong), InvalidRecordError, "path")

    schema = retyped(schema, f"{ITEMS}.product_key", pa.string())
    given = pa.RecordBatch.from_pylist([row | {ITEMS: [item | {"product_key": key}]}], schema)
    bills = bill(batch)
    for found in (bill(given), *bill.each([given]), bill_portfolio(given, bill.period).to_table()):
        assert bills.to_pylist() == found.to_pylist()
    table = pa.Table.from_batches([given])
    assert bills.to_pylist() == bill_portfolio(table, bill.period).to_table().to_pylist()
    assert read(batch) == read(given)


def test_every_wrong_column_is_named_at_once() -> None:
    inner = pa.list_(pa.struct([("colour", pa.string())]))
    texts = [("lease_id", pa.string())] * 2
    schema = pa.schema([("rent", pa.float64()), (ITEMS, inner), *texts])
    error = refused(lambda: read(pa.RecordBatch.from_pylist([], schema)), InvalidRecordError)

    assert [
        ("rent", "unknown_field"),
        (f"{ITEMS}.colour", "unknown_field"),
        ("lease_id", "duplicate_column"),
    ] == [(each.path, each.code) for each in error.problems]
    assert str(error).startswith("rent: is not a column of leases (met double; expected")

    flat = pa.RecordBatch.from_pylist([{"id": "a", "rent": 1, "from": 2}])
    (problem,) = refused(lambda: read(flat), InvalidRecordError).problems
    assert ("columns", "id, rent, from") == (problem.path, problem.met)


def test_columns_that_no_lease_has_may_be_ignored() -> None:
    table = TABLE.append_column("tenant", pa.array(["x", "y"]))

    assert LEASES == read(table, extra_columns="ignore")


PART = "first_billing_period_bill_item.accounting_period"
RULE = "rent_adjustment_plans[0].rent_adjustment_rules[0]"
WRONG: list[dict[tuple[str, object], tuple[str, str]]] = [
    {
        ("amount.amount", None): ("amount.amount", "missing"),
        ("billing_cycle.time_unit", "Moon"): ("billing_cycle.time_unit", "unknown_time_unit"),
        ("vat.tax_mode", "Exclusive"): ("vat.tax_rate", "missing_rate"),
        (f"{PART}.end", date(2025, 1, 1)): (PART, "reversed_period"),
        ("started_on", None): ("started_on", "missing"),
    },
    # A1: 16 digits are refused where they stand, not cut.
    {("amount.amount", Decimal("1234567890.1234567")): ("amount.amount", "too_many_digits")},
    {("vat.tax_mode", None): ("vat.tax_mode", "missing")},
    {(f"{PART}.end", None): (PART, "not_a_date")},
    {(f"{PART}.{name}", None): (PART, "not_a_date") for name in ("start", "end")},
]
"""What is changed of the item of a lease, and where and why it is refused."""


@rows("changes", WRONG)
def test_what_is_wrong_with_a_lease_is_said_with_its_row(
    changes: dict[tuple[str, object], tuple[str, str]],
) -> None:
    rows = leases_to_arrow([a_lease()] * 2).to_pylist()
    for place, value in changes:
        *steps, last = place.split(".")
        reduce(getitem, steps, rows[1][ITEMS][0])[last] = value
    table = pa.concat_tables([TABLE, pa.Table.from_pylist(rows, LEASE_SCHEMA)])

    expected = {(f"[3].{ITEMS}[0].{path}", code) for path, code in changes.values()}
    assert expected == {*faults(lambda: read(table))}


def test_a_rule_that_is_refused_is_told_with_its_path() -> None:
    rows = leases_to_arrow([a_lease(plans=[a_plan()])] * 2).to_pylist()
    for row in rows:
        rule = row["rent_adjustment_plans"][0]["rent_adjustment_rules"][0]
        rule |= {"adjustment_month": 13, "index_clause": {"lower_of": [""]}}
    batch = pa.RecordBatch.from_pylist(rows, LEASE_SCHEMA)

    assert f"[0].{RULE}.adjustment_month" in {
        path for path, _ in faults(lambda: read(batch.slice(1)))
    }


def test_amounts_of_private_currencies_are_read() -> None:
    """A2: with the policy that knows them, and refused without."""
    policy = rb.BillingPolicy(currencies={"PTS": 1})
    item = leases_to_arrow([a_lease()]).to_pylist()
    item[0][ITEMS][0]["amount"]["currency"] = "PTS"
    item[0][ITEMS][0]["first_billing_period_bill_item"]["amount"]["currency"] = "PTS"
    batch = pa.RecordBatch.from_pylist(item, LEASE_SCHEMA)
    (found,) = read(batch, policy=policy)

    assert "PTS" == found.recurring_bill_items[0].amount.currency
    with pytest.raises(InvalidInputError, match="is not an ISO 4217 currency code"):
        read(batch)


@rows(
    ("array", "met"),
    [
        (pa.array([3_000_000], pa.int32()).view(pa.date32()), "'3000000 days after 1970-01-01'"),
        (
            pa.array([86_400_001], pa.int64()).view(pa.date64()),
            "'1 days after 1970-01-01, and a part of one'",
        ),
    ],
    ids=["beyond the calendar", "not a whole day"],
)
def test_a_day_that_no_calendar_has_is_refused(array: Any, met: str) -> None:  # noqa: ANN401
    batch = pa.RecordBatch.from_arrays([array], names=["contract_end"])

    assert [("[0].contract_end", met)] == faults(lambda: read(batch), InvalidInputError, "path met")


def test_a_day_of_milliseconds_may_be_null() -> None:
    """Date64 has nulls as every other type."""
    array = pa.array([None, 86_400_000], pa.int64()).view(pa.date64())
    found = read(pa.RecordBatch.from_arrays([array], names=["contract_end"]))

    assert [None, date(1970, 1, 2)] == [lease.contract_end for lease in found]


def test_a_text_that_is_no_unicode_is_refused() -> None:
    ids = pa.array([b"fine", b"\xff", None], pa.binary()).view(pa.string())
    batch = pa.RecordBatch.from_arrays([ids], names=["lease_id"])

    found = [*payloads(batch, PLAIN_DATA)]

    assert [{"lease_id": "fine"}, {"lease_id": "\udcff"}, {}] == found
    with pytest.raises(InvalidInputError, match="is not valid Unicode"):
        read(batch)


@rows(("unit", "count"), [("s", 1), ("ms", 1000), ("us", 10**6), ("ns", 10**9)])
def test_date_times_of_every_unit_are_read(unit: str, count: int) -> None:
    plans = _plans(pa.array([count, None], pa.int64()).view(pa.timestamp(unit, "Europe/Paris")))

    assert [datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), None] == [each.created for each in plans]


def _plans(created: Any) -> list[rb.RentAdjustmentPlan]:  # noqa: ANN401 - an Arrow array
    structs = pa.StructArray.from_arrays([created], names=["created"])
    listed = pa.ListArray.from_arrays([0, len(created)], structs)
    batch = pa.RecordBatch.from_arrays([listed], names=["rent_adjustment_plans"])
    (payload,) = payloads(batch, PLAIN_DATA)
    return [rb.RentAdjustmentPlan.model_validate(each) for each in payload["rent_adjustment_plans"]]


def test_a_date_time_beyond_the_calendar_is_refused() -> None:
    far = pa.array([10**15], pa.int64()).view(pa.timestamp("s", "UTC"))

    with pytest.raises(InvalidInputError, match="microseconds after 1970-01-01"):
        _plans(far)


def test_a_list_of_nothing_but_nulls_is_refused() -> None:
    items = pa.array([[None], []], LEASE_SCHEMA.field(ITEMS).type)
    batch = pa.RecordBatch.from_arrays([items], names=[ITEMS])

    assert [(f"[0].{ITEMS}[0]", "not_an_object")] == faults(lambda: read(batch))


def test_parquet_keeps_leases(tmp_path: Path) -> None:
    """Parquet names what lists hold otherwise, which says nothing."""
    pq.write_table(TABLE, tmp_path / "leases.parquet")

    assert LEASES == read(pq.read_table(tmp_path / "leases.parquet"))


def test_rows_are_numbered_by_their_column_or_from_the_first_one() -> None:
    batch = pa.RecordBatch.from_pydict({"lease_id": ["a", "b"], "row": [7, 3]})

    assert [7, 3] == row_numbers(batch, 100)
    assert [100, 101] == list(row_numbers(batch.select(["lease_id"]), 100))
    assert ["a", "b"] == [lease.lease_id for lease in read(batch)]


def test_a_row_without_a_number_or_of_too_large_a_one_is_refused() -> None:
    without = pa.RecordBatch.from_pydict({"row": pa.array([7, None], pa.int64())})
    rows = pa.array([2**63 - 1, 2**63], pa.uint64())
    batch = pa.RecordBatch.from_arrays([rows], names=["row"])

    assert [2**63 - 1] == row_numbers(batch.slice(0, 1), 0)
    assert [] == row_numbers(batch.slice(0, 0), 0)
    for wrong, said in ((without, "is missing for a lease"), (batch, "is too large a number for")):
        with pytest.raises(InvalidRecordError, match=f"row: {said}"):
            row_numbers(wrong, 0)


def test_midnights_of_a_frame_are_days() -> None:
    """Another time of day is a problem of its lease, and the others are read (A58)."""
    table = pa.table(
        {
            "lease_id": ["a", "b", "c"],
            "contract_end": pa.array([0, None, 86_400], pa.timestamp("s")),
        }
    )
    found = [lease.contract_end for lease in read(table)]

    assert [date(1970, 1, 1), None, date(1970, 1, 2)] == found
    late = table.set_column(1, "contract_end", pa.array([0, 3600, None], pa.timestamp("s")))
    assert [("[1].contract_end", "date_time_for_date", "'1970-01-01 01:00:00'")] == faults(
        lambda: read(late), InvalidPeriodError, "path code met"
    )
