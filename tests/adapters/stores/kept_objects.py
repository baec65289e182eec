"""Objects to keep: small ones, and one of each kind with every field."""

from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from rentbilling import (
    AmountRecord,
    Discount,
    OneTimeBillItem,
    RecurringBillItem,
    RentAdjustmentPlan,
    interface as api,
    rent_adjustments,
)
from rentbilling.service import Store, Stored, Stores
from rentbilling.terms import Balance
from tests.support.plans import TENTHS, by_index, clause, home, lease as adjusted_lease, plan
from tests.support.rents import amount, day, fee, opening, price_from, rent, vat

OWNER = "acme"
MOMENT = datetime(2026, 1, 31, 12, 30, 15, 250_000, tzinfo=UTC)

ODD_TEXTS = (
    "nul \0 nul",
    "tab\tline\nend\x7f",
    "quotes \" and ' and \\ and \\0 and \\u0000",
    "%s %(name)s :name ? $1 {word}",
    "'; DROP TABLE leases; --",
    "Køge Bugt – 京都 – 🏠",
    "é é",
    " leading and trailing ",
    "\ufeff\u2028\u202e",
)
"""Texts on which a careless store breaks, or which it changes."""
ODD_IDS = (*ODD_TEXTS, "\0", "\\0", "\\", "\ud800 half", "0", "None", "x" * 500, "Lease", "lease")
"""The same as ids; and ones that differ in little."""


def lease(name: str, above: str | None = None, **fields: Any) -> Stored[api.Lease]:  # noqa: ANN401
    return Stored(api.Lease(id="any", **fields), name, above)


def fill(store: Store, *names: str, above: str | None = None) -> None:
    for name in names:
        store.add(lease(name, above))


def keep(stores: Stores, *names: str, above: str | None = None, owner: str = OWNER) -> None:
    with stores.writing(owner) as store:
        fill(store, *names, above=above)


def ids(kept: Iterable[Stored[Any]]) -> list[str]:
    return [each.id for each in kept]


def every_id(store: Store, *, limit: int = 7, above: str | None = None) -> list[str]:
    found: list[str] = []
    while True:
        after = found[-1] if found else None
        page = store.page(api.Lease, limit=limit, after=after, belongs_to=above)
        found += ids(page)
        if len(page) < limit:
            return found


def full_item() -> RecurringBillItem:
    return rent(
        "8500.10",
        id="item-1",
        description=ODD_TEXTS[0],
        quantity=Decimal("1.5"),
        vat=vat("Exclusive", "0.25"),
        first_billing_period_bill_item=opening(price="4661.29"),
        discount=Discount(percentage=Decimal("0.125"), end_date=day("2027-06-30")),
        amount_records=(
            price_from("2027-01-01", "8750.05"),
            AmountRecord(value=amount("9000.00"), start=day("2028-01-01")),
        ),
        ended_on=day("2029-12-31"),
    )


def full_plan() -> RentAdjustmentPlan:
    """Return a plan with the adjustments that came of it, in full (A56)."""
    rule = by_index(id="rule-1", most="0.04", index_clause=clause(carried="exact"))
    terms = adjusted_lease(rule, item=home("3333.33"))
    made = tuple(rent_adjustments(terms, "2020-02-01/2022-12-31", indices=TENTHS))
    return plan(rule, id="plan-1", lease_id="lease-1", created=MOMENT, adjustments=made)


def full_tenancy() -> api.Tenancy:
    """Return a tenancy with every field but those that the operations fill in."""
    return api.Tenancy(
        id="tenancy-1",
        address=api.TenancyAddress(
            street="Nygade 7", street_name="Nygade", street_number="7", postal_code="1164", co="京"
        ),
        group_id={"portfolio": "north", "\0": "\0"},
        unit_type="OTHER",
        unit_type_name=ODD_TEXTS[5],
        room_counts=(api.RoomCount(type="BEDROOM", count=Decimal("2.5")),),
        total_area=api.Area(value=Decimal("85.10"), unit="SQUARE_METER"),
        archived_at=MOMENT,
    )


FULL: tuple[Stored[Any], ...] = (
    Stored(full_tenancy(), "tenancy-1"),
    Stored(
        api.Lease(
            id="lease-1",
            tenancy_id="tenancy-1",
            operational_state="Active",
            tenant_ids=("a", "b"),
            balance=amount("-0.05"),
            contract_start=day("2026-01-15"),
        ),
        "lease-1",
        "tenancy-1",
    ),
    Stored(full_item(), "item-1", "lease-1"),
    Stored[OneTimeBillItem](fee("0.10", id="fee-1"), "fee-1", "lease-1"),
    Stored(full_plan(), "plan-1", "lease-1"),
    Stored(
        Balance(
            id="balance-1",
            balance_charge_type="prepaidRent",
            amount=amount("25500.00"),
            months=Decimal("3.0"),
        ),
        "balance-1",
        "lease-1",
    ),
    Stored(
        api.Product(
            product_key="key:rent",
            product_id="product-1",
            product_name=api.ProductName(en="Rent", da="Husleje", de="Ä"),
            archived=False,
            custom=True,
            position=0,
        ),
        "product-1",
        "key:rent",
    ),
    Stored(
        api.Payout(
            id="payout-1",
            payout_reason="Refund",
            payout_date=day("2026-02-28"),
            net=amount("980.50 EUR"),
            fees=amount("1000 JPY"),
            gross=amount("12.345 KWD"),
            bank_statement="REF \\ 7",
        ),
        "payout-1",
    ),
    Stored(
        api.AuditRecord(
            id="audit-1",
            moment=MOMENT,
            key_id="k1",
            operation="change_lease",
            request_id="one",
            object_type="Lease",
            object_id="lease-1",
            before='{"purpose": "\\u0000 a"}',
            after='{"purpose": "æ \\""}',
        ),
        "audit-1",
        "lease-1",
    ),
)
"""One object of each kind, with every sort of field."""
