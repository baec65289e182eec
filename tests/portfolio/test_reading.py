"""Flat reading and writing: forms of Arrow, rows that no record is, and texts (A1, A57)."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from rentbilling import AmountRecord, BillingPolicy, Discount, LeaseTerms, Period, pending_bills
from rentbilling.policy import DEFAULT
from rentbilling.portfolio.arrow.column_types import LEASE_SCHEMA, NUMBER
from rentbilling.portfolio.arrow.decimals import numbers_of, units_of
from rentbilling.portfolio.kernel.reading import KernelLeases, read_flat
from rentbilling.portfolio.kernel.writing import bill_batch
from rentbilling.portfolio.leases.batches import leases_to_arrow
from rentbilling.testing import a_one_time_item
from tests.portfolio.flat_portfolios import bills_of
from tests.support.rents import amount, day, quarterly, rent, vat
from tests.support.rows import rows

FEBRUARY = Period.parse("2026-02-01/2026-02-28")

FULL = LeaseTerms(
    lease_id="lease-1",
    currency="DKK",
    contract_start=day("2026-01-15"),
    contract_end=day("2030-12-31"),
    recurring_bill_items=(
        rent(
            id="rent",
            description="Rent",
            quantity=Decimal("1.5"),
            vat=vat("Inclusive", "0.25"),
            discount=Discount(
                amount=amount("10"), description="Welcome", end_date=day("2026-12-31")
            ),
            amount_records=(
                AmountRecord(id="first", value=amount("9000.00"), start=day("2026-07-01")),
            ),
        ),
        rent("100.00", id="parking", product_key="key:parking", vat=vat("Exclusive", "0.25")),
    ),
)
"""A lease with everything that the kernel knows."""


def read(batch: Any, policy: BillingPolicy = DEFAULT) -> KernelLeases:  # noqa: ANN401 - a record batch
    found = read_flat(batch, policy)
    assert found is not None
    return found


def edited(edit: Callable[[dict[str, Any]], object]) -> Any:  # noqa: ANN401 - a record batch
    """Return the full lease, with a row of Arrow changed, behind the same lease as it is."""
    rows = leases_to_arrow([FULL, FULL]).to_pylist()
    edit(rows[1])
    return pa.RecordBatch.from_pylist(rows, schema=LEASE_SCHEMA)


def item(**changes: Any) -> Callable[[dict[str, Any]], None]:  # noqa: ANN401
    return lambda row: row["recurring_bill_items"][0].update(changes)


def part(name: str, **changes: Any) -> Callable[[dict[str, Any]], None]:  # noqa: ANN401
    return lambda row: row["recurring_bill_items"][0][name].update(changes)


MONEY = {"amount": Decimal(1), "currency": "EUR"}
NOTHING = {"amount": None, "currency": "DKK"}
OPENING = "first_billing_period_bill_item"
RECORD = {
    "id": None,
    "value": {"amount": Decimal(1), "currency": "DKK"},
    "start": day("2027-01-01"),
}


@rows(
    "edit",
    [
        item(id=""),
        item(id="parking"),
        item(product_key=None),
        item(product_key=""),
        item(amount=None),
        item(amount=NOTHING),
        item(amount={**MONEY, "currency": "ABC"}),
        item(amount={**MONEY, "currency": None}),
        item(amount=MONEY),
        item(vat=None),
        part("vat", tax_mode="Other"),
        part("vat", tax_rate=None),
        item(due_date_rule=None),
        part("due_date_rule", day_of_period=None),
        part("due_date_rule", relative_to="START"),
        item(billing_cycle=None),
        part("billing_cycle", time_unit="Fortnight"),
        part("billing_cycle", period_length=None),
        part("billing_cycle", period_length=2**60),
        part("billing_cycle", start=None),
        item(started_on=None),
        item(**{OPENING: None}),
        part(OPENING, due_date=None),
        part(OPENING, accounting_period=None),
        part(OPENING, amount=MONEY),
        part(OPENING, amount=NOTHING),
        part("discount", amount=None),
        part("discount", amount=MONEY),
        part("discount", amount=NOTHING),
        part("discount", amount={"amount": Decimal(0), "currency": "DKK"}),
        part("discount", amount={"amount": Decimal(-1), "currency": "DKK"}),
        part("discount", percentage=Decimal("0.1")),
        part("discount", amount=None, percentage=Decimal("0.123456")),
        item(amount_records=[{**RECORD, "id": ""}]),
        item(amount_records=[{**RECORD, "start": None}]),
        item(amount_records=[{**RECORD, "value": MONEY}]),
        item(amount_records=[{**RECORD, "value": NOTHING}]),
        item(amount_records=[None]),
        lambda row: row["recurring_bill_items"].append(None),
        lambda row: row.update(lease_id=""),
        lambda row: row.update(currency="EUR"),
        lambda row: row.update(contract_start=day("2031-01-01")),
    ],
)
def test_rows_that_are_left_to_the_scalar_path(edit: Callable[[dict[str, Any]], None]) -> None:
    found = bill_batch(edited(edit), FEBRUARY, DEFAULT)
    assert found is not None

    assert [True, False] == found.done.tolist()


@rows(
    "edit",
    [
        part("vat", tax_mode="INCLUSIVE"),
        part("billing_cycle", time_unit="month", start_day=None),
        part("due_date_rule", relative_to=None),
        item(description=""),
        item(quantity=None, discount=None, amount_records=None),
        item(ended_on=day("2029-12-31"), cancelled_on=day("2029-12-31")),
        lambda row: row.update(lease_id=None, currency=None, contract_start=None),
        lambda row: row.update(contract_end=None),
    ],
)
def test_rows_that_say_the_same_or_less(edit: Callable[[dict[str, Any]], None]) -> None:
    """Words in other letters, and what may be absent, are read (A6, A7)."""
    found = bill_batch(edited(edit), FEBRUARY, DEFAULT)
    assert found is not None

    assert [True, True] == found.done.tolist()


def cast(kind: Any) -> Any:  # noqa: ANN401 - Arrow types
    """Return a type as other programs write it: wide lists and texts, narrow numbers."""
    types = pa.types
    if types.is_struct(kind):
        return pa.struct([pa.field(each.name, cast(each.type)) for each in kind])
    if types.is_list(kind):
        return pa.large_list(cast(kind.value_type))
    if types.is_decimal(kind):
        return pa.decimal128(18, 4)
    if types.is_integer(kind):
        return pa.int32()
    return pa.large_string() if types.is_string(kind) else kind


def test_other_forms_of_the_same_columns() -> None:
    batch = leases_to_arrow([FULL, FULL])
    names = [*reversed(batch.schema.names)]
    columns = [batch.column(name).cast(cast(LEASE_SCHEMA.field(name).type)) for name in names]
    other = pa.RecordBatch.from_arrays(columns, names=names)
    expected, found = (bill_batch(each, FEBRUARY, DEFAULT) for each in (batch, other))
    assert expected is not None
    assert found is not None

    assert [True, True] == found.done.tolist()
    assert expected.bills.equals(found.bills)


def test_columns_that_are_missing_or_of_a_dictionary() -> None:
    batch = leases_to_arrow([FULL])
    ids = batch.column("lease_id").dictionary_encode()
    kept = pa.RecordBatch.from_arrays(
        [ids, batch.column("recurring_bill_items")], names=["lease_id", "recurring_bill_items"]
    )
    items = read(kept).items

    assert ([False], [2]) == (items.rare.tolist(), np.diff(items.lease_offsets).tolist())


@rows(
    ("name", "array"),
    [
        ("lease_id", pa.array([1])),
        ("contract_end", pa.array(["2026-01-01"])),
        ("balances", pa.array([1.5])),
        ("balances", pa.array([[1]])),
        # No Unicode.
        ("lease_id", pa.array([b"\xff"]).cast(pa.string(), safe=False)),
    ],
)
def test_columns_that_the_kernel_does_not_read(name: str, array: Any) -> None:  # noqa: ANN401 - an Arrow array
    batch = pa.RecordBatch.from_arrays([array], names=[name])

    assert read_flat(batch) is None
    assert bill_batch(batch, FEBRUARY, DEFAULT) is None


def test_a_null_list_that_holds_something() -> None:
    items = leases_to_arrow([FULL]).column("recurring_bill_items")
    hidden = pa.ListArray.from_arrays(
        items.offsets, items.values, type=items.type, mask=pa.array([True])
    )
    batch = pa.RecordBatch.from_arrays([hidden], names=["recurring_bill_items"])

    assert [True] == read(batch).items.rare.tolist()


def test_ids_by_place_stand_beside_given_ones() -> None:
    """One lease names its items, the other counts them (A57); texts are those of the records."""
    bare = LeaseTerms(recurring_bill_items=(rent(), rent("1.00"), quarterly()))
    found = bill_batch(leases_to_arrow([FULL, bare]), FEBRUARY, DEFAULT)
    assert found is not None
    ids = [[line["item_id"] for line in lines.as_py()] for lines in found.bills.column("lines")]

    assert [["rent", "parking"], ["recurring-1", "recurring-2"]] == ids
    results = {at: (terms, pending_bills(terms, FEBRUARY)) for at, terms in enumerate((FULL, bare))}
    assert bills_of(results).equals(found.bills)


def test_an_id_that_a_place_could_give_is_left_where_another_item_has_none() -> None:
    """A given id may be the one that a place gives: recurring-2, or one-time-1 (A57)."""
    leases = [
        LeaseTerms(recurring_bill_items=(rent(id=given), rent()))
        for given in ("recurring-3", "recurring-3x", "one-time-7")
    ]
    once = LeaseTerms(
        recurring_bill_items=(rent(id="a"),), one_time_bill_items=(a_one_time_item(),)
    )

    assert [True, False, True, False] == read(leases_to_arrow([*leases, once])).items.rare.tolist()


def test_numbers_of_two_decimals_are_counted_in_hundredths() -> None:
    fine = LeaseTerms(recurring_bill_items=(rent("0.1255"),))

    assert (2, 2) == _scales(leases_to_arrow([FULL]))
    assert (4, 2) == _scales(leases_to_arrow([FULL, fine]))


def _scales(batch: Any) -> tuple[int, int]:  # noqa: ANN401 - a record batch
    items = read(batch).items
    return items.amount_scale, items.quantity_scale


def test_a_private_currency_is_read_under_its_policy() -> None:
    """Without it the lease is left, to be refused by name (A2)."""
    row = edited(lambda row: row.update(currency=None)).to_pylist()[1]
    first = row["recurring_bill_items"][1]
    first["amount"]["currency"] = first[OPENING]["amount"]["currency"] = "PTS"
    batch = pa.RecordBatch.from_pylist([row], schema=LEASE_SCHEMA)
    policy = BillingPolicy(currencies={"PTS": 1})

    assert [True] == read(batch).items.rare.tolist()
    assert [False] == read(batch, policy).items.rare.tolist()
    found = bill_batch(batch, FEBRUARY, policy)
    assert found is not None
    assert ["DKK", "PTS"] == found.bills.column("currency").to_pylist()
    assert Decimal("125.0") == found.bills.column("total")[1].as_py()


def test_a_batch_without_any_known_currency() -> None:
    batch = edited(item(amount={"amount": Decimal(1), "currency": "ABC"})).slice(1)
    first = read(batch)

    assert [True] == first.items.rare.tolist()


@rows(
    ("number", "expected"),
    [
        ("0", 0),
        ("8500.1234", 85001234),
        ("-8500.1234", -85001234),
        ("15000", 150000000),
        ("-15000.0001", -150000001),
        ("9000000000", 90000000000000),
        ("0.00001", None),
        ("15000.00001", None),
        ("123456789012345", None),
        ("-123456789012345", None),
        (None, None),
    ],
)
def test_numbers_in_units_of_four_decimals(number: str | None, expected: int | None) -> None:
    """Of any size that a rent has; finer and larger ones are said not to be such (A1)."""
    value = None if number is None else Decimal(number)
    for others in ([], [Decimal(10**6)]):
        units, right = units_of(pa.array([value, *others], NUMBER))
        assert (expected is not None) == right[0]
        assert expected is None or expected == units[0]


def test_units_become_numbers_again() -> None:
    found = numbers_of(np.array([85000, -5, 0]), 3)

    assert [Decimal("85.000"), Decimal("-0.005"), Decimal(0)] == found.to_pylist()
    assert NUMBER == found.type
