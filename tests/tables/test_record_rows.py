"""Rows of resources, items and plans: one for each, with the columns of its kind."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest

from rentbilling import (
    Amount,
    Discount,
    RecurringBillItem,
    RentAdjustmentPlan,
    dumps,
    interface as api,
)
from rentbilling.tables import Column, PageRecord, Table, TabularRecord, table_of
from rentbilling.tables.record_rows import columns_of
from rentbilling.testing import a_one_time_item, a_plan, a_rent

LEASE = api.Lease(
    id="lease-1",
    tenancy_id="tenancy-1",
    operational_state="Archived",
    tenant_ids=("anna", "the second one"),
    balance=Amount(Decimal("-8500.00"), "DKK"),
    deposit_balance=Amount(Decimal("3300.5"), "EUR"),
    contract_start=date(2026, 1, 15),
    archived_at=datetime(2026, 1, 31, 12, tzinfo=UTC),
)
TENANCY = api.Tenancy(
    id="tenancy-1",
    address=api.TenancyAddress(street_name="Nygade", street_number="7"),
    group_id={"building": "north", "floor": "2"},
    current_lease=LEASE,
    lease_ids=("lease-0", "lease-1"),
    room_counts=(api.RoomCount(type="BEDROOM", count=Decimal(2)), api.RoomCount(type="KITCHEN")),
    total_area=api.Area(value=Decimal("85.5"), unit="SQUARE_METER"),
)
PAGES: tuple[tuple[type[PageRecord], type[TabularRecord]], ...] = (
    (api.TenancyPage, api.Tenancy),
    (api.LeasePage, api.Lease),
    (api.ProductPage, api.Product),
    (api.PayoutPage, api.Payout),
    (api.RecurringBillItemPage, api.LeaseRecurringBillItem),
    (api.OneTimeBillItemPage, api.LeaseOneTimeBillItem),
    (api.RentAdjustmentPlanPage, RentAdjustmentPlan),
)


def said(record: TabularRecord) -> dict[str, Any]:
    """Return what a record's one row says, without what it does not say."""
    (row,) = record.rows()
    return {name: value for name, value in row.items() if value is not None}


def page_of(kind: type[PageRecord], *objects: TabularRecord) -> PageRecord:
    (name,) = kind.model_fields
    return kind(**{name: objects})


def test_a_lease_is_a_row() -> None:
    expected = {
        "id": "lease-1",
        "tenancy_id": "tenancy-1",
        "operational_state": "Archived",
        "tenant_ids": "anna, the second one",
        "balance": Decimal("-8500.00"),
        "balance_currency": "DKK",
        "deposit_balance": Decimal("3300.5"),
        "deposit_balance_currency": "EUR",
        "contract_start": date(2026, 1, 15),
        "archived_at": "2026-01-31T12:00:00+00:00",
    }

    assert expected == said(LEASE)
    assert '"archivedAt": "2026-01-31T12:00:00+00:00"' in dumps(LEASE)


def test_a_tenancy_is_a_row() -> None:
    assert {
        "id": "tenancy-1",
        "address_street_name": "Nygade",
        "address_street_number": "7",
        "group_id": "building=north, floor=2",
        "current_lease_id": "lease-1",
        "lease_ids": "lease-0, lease-1",
        "room_counts": "2 BEDROOM, KITCHEN",
        "total_area_value": Decimal("85.5"),
        "total_area_unit": "SQUARE_METER",
    } == said(TENANCY)
    assert {"id": "bare"} == said(api.Tenancy(id="bare"))


def test_a_product_and_a_payout_are_rows() -> None:
    product = api.Product(
        product_key="key:rent",
        product_name=api.ProductName(da="Husleje"),
        archived=False,
        position=0,
    )
    payout = api.Payout(id="payout-1", net=Amount(980, "DKK"), payout_date=date(2026, 2, 1))

    assert {
        "product_key": "key:rent",
        "product_name_da": "Husleje",
        "archived": False,
        "position": 0,
    } == said(product)
    assert {
        "id": "payout-1",
        "payout_date": date(2026, 2, 1),
        "net": Decimal(980),
        "net_currency": "DKK",
    } == said(payout)


def test_a_recurring_item_is_a_row() -> None:
    """Its VAT, its cycle, its opening period and its discount lie flat, its records are counted.

    A rent of 8500 from 15 January 2026 opens with 17 of 31 days: 4661.29.
    """
    rent = a_rent(
        amount="8500.00", moved_in="2026-01-15", amounts={"2027-01-01": 8700, "2028-01-01": 8900}
    )
    item = api.LeaseRecurringBillItem(
        **{**dict(rent), "discount": Discount(percentage=Decimal("0.10"))}, lease_id="lease-1"
    )
    found = said(item)

    assert {
        "amount": Decimal("8500.00"),
        "amount_currency": "DKK",
        "vat_tax_mode": "Exempt",
        "due_date_rule_day_of_period": 1,
        "billing_cycle_time_unit": "Month",
        "first_billing_period_bill_item_amount": Decimal("4661.29"),
        "first_billing_period_bill_item_accounting_period_start": date(2026, 1, 15),
        "first_billing_period_bill_item_accounting_period_end": date(2026, 1, 31),
        "discount_percentage": Decimal("0.10"),
        "amount_records": 2,
        "vat_records": 0,
        "lease_id": "lease-1",
    }.items() <= found.items()
    assert "discount_amount" not in found
    assert "vat_tax_rate" not in found


def test_an_item_that_knows_no_lease_has_the_same_columns_but_that() -> None:
    names = [column.name for column in columns_of(RecurringBillItem)]

    assert [*names, "lease_id"] == [
        column.name for column in columns_of(api.LeaseRecurringBillItem)
    ]
    assert names == [*a_rent().rows()[0]]


def test_a_plan_is_a_row() -> None:
    found = said(a_plan())

    assert (1, 0) == (found["rent_adjustment_rules"], found["adjustments"])


@pytest.mark.parametrize("kind", [each for _, each in PAGES])
def test_every_field_of_a_record_is_told(kind: type[TabularRecord]) -> None:
    names = [column.name for column in columns_of(kind)]
    begun = [
        max((field for field in kind.model_fields if f"{name}_".startswith(f"{field}_")), key=len)
        for name in names
    ]

    assert [*kind.model_fields] == [*dict.fromkeys(begun)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("page", "kind"), PAGES)
def test_an_empty_page_has_the_columns_of_a_full_one(
    page: type[PageRecord], kind: type[TabularRecord]
) -> None:
    empty = page_of(page)

    assert columns_of(kind) == empty.columns == table_of(kind, []).columns
    assert [] == empty.rows()
    assert [each.name for each in columns_of(kind)] == pa.table(empty).schema.names
    assert [each.name for each in columns_of(kind)] == [*empty.to_pandas().columns]


def test_a_page_has_a_row_for_each_of_its_objects() -> None:
    leases = (LEASE, api.Lease(id="lease-2"))
    page = api.LeasePage(leases=leases)

    assert [*LEASE.rows(), *api.Lease(id="lease-2").rows()] == page.rows()
    assert page.rows() == table_of(api.Lease, iter(leases)).rows()
    assert page.rows() == pa.table(page).to_pylist()
    assert Table(columns_of(api.Lease), [[*row.values()] for row in page.rows()]) == table_of(
        api.Lease, leases
    )
    assert "DKK" == page.to_pandas()["balance_currency"][0]


def test_every_cell_is_of_the_kind_of_its_column() -> None:
    kinds = {
        "text": str,
        "date": date,
        "whole": int,
        "number": Decimal,
        "money": Decimal,
        "flag": bool,
    }
    records = (
        LEASE,
        TENANCY,
        api.Product(product_key="key:rent", archived=True, position=3),
        a_rent(vat="Exclusive 0.25"),
        api.LeaseOneTimeBillItem(**dict(a_one_time_item()), lease_id="lease-1"),
        a_plan(),
    )
    for record in records:
        (row,) = record.rows()
        for column in record.columns:
            value = row[column.name]
            assert value is None or kinds[column.kind] is type(value), (column, value)
        columns = [*record.columns]
        for column, behind in pairwise(columns):
            assert (column.kind == "money") == (behind == Column(f"{column.name}_currency"))


def test_a_notebook_shows_a_page_without_empty_columns() -> None:
    """What nobody says takes no place; how many columns that are stands below.

    A lease has 21 columns. The two say id, state, balance and its currency: 17 are left out.
    """
    one = api.Lease(id="a", operational_state="Draft")
    other = api.Lease(id="<b>", balance=Amount(Decimal("8500.00"), "DKK"))
    page = api.LeasePage(leases=(one, other))

    found = page._repr_html_()

    assert 21 == len(page.columns)
    assert found == table_of(api.Lease, [one, other])._repr_html_()
    assert 4 == found.count("<th ")
    assert "Balance currency" in found
    assert "8,500.00" in found
    assert "&lt;b&gt;" in found
    assert "17 empty columns left out" in found


def test_a_notebook_shows_every_column_of_an_empty_page() -> None:
    assert 21 == api.LeasePage(leases=())._repr_html_().count("<th ")


def test_a_notebook_shows_every_column_where_each_says_something() -> None:
    full = RoomCounts(type="BEDROOM", count=2)

    assert "nothing stands" not in table_of(RoomCounts, [full])._repr_html_()
    assert (
        "1 empty column left out"
        in table_of(RoomCounts, [RoomCounts(type="KITCHEN")])._repr_html_()
    )


class RoomCounts(TabularRecord):
    """A record of two columns."""

    type: str
    count: int | None = None


def test_a_notebook_shows_a_record_field_by_field() -> None:
    found = TENANCY._repr_html_()

    assert "<caption>Tenancy</caption>" in found
    assert "<td>Current lease ID</td><td>lease-1</td>" in found
    assert "<td>Address street name</td><td>Nygade</td>" in found
    assert "Unit type" not in found


def test_a_table_takes_one_kind() -> None:
    with pytest.raises(TypeError, match=r"table_of\(Lease, …\) takes no other kind: .*payout-1"):
        table_of(api.Lease, [LEASE, api.Payout(id="payout-1")])
    with pytest.raises(TypeError, match="takes no other kind"):
        table_of(api.Lease, api.LeasePage(leases=(LEASE,)))  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="takes a kind of record first, such as Lease, not 7"):
        table_of(7, [])  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="takes a kind of record first"):
        table_of(api.Area, [])  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_a_table_waits_for_nobody() -> None:
    async def leases() -> AsyncIterator[api.Lease]:
        yield LEASE

    with pytest.raises(TypeError, match="each async for each in"):
        table_of(api.Lease, leases())  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_a_table_takes_what_is_gone_through_once() -> None:
    def leases() -> Iterator[api.Lease]:
        yield LEASE
        yield api.Lease(id="lease-2")

    assert ["lease-1", "lease-2"] == [row["id"] for row in table_of(api.Lease, leases()).rows()]


def test_rows_change_nothing_about_a_record() -> None:
    assert LEASE == LEASE.evolve(id="lease-1")
    assert {"id": "bare"} == api.Lease(id="bare").model_dump(
        exclude_none=True, exclude_defaults=True
    )
    assert "columns" not in dumps(LEASE)
