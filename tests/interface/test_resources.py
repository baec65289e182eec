"""Tenancies, leases, products and payouts: read and written with every field of the interface."""

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rentbilling import dumps, loads
from rentbilling.errors import InvalidPeriodError, InvalidRecordError
from rentbilling.interface import (
    RECORDS,
    Area,
    Lease,
    LeasePage,
    Payout,
    Product,
    ProductName,
    RoomCount,
    Tenancy,
    TenancyAddress,
    TenancyPage,
    schema_of,
)
from rentbilling.records import Record, fields_of
from tests.conformance import answers
from tests.support.refusals import faults
from tests.support.rows import rows

ARCHIVED = {"archivedAt": "2029-01-02T03:04:05.250000+02:00"}
LEASE: dict[str, Any] = answers.LEASE | ARCHIVED
TENANCY: dict[str, Any] = answers.WHOLE["/tenancies"]["tenancies"][0] | ARCHIVED
ADDRESS: dict[str, Any] = TENANCY["address"]
PRODUCT: dict[str, Any] = answers.WHOLE["/products"]["products"][0]
PAYOUT: dict[str, Any] = answers.WHOLE["/payouts"]["payouts"][0]
WHOLE: Mapping[type[Record], dict[str, Any]] = {
    Lease: LEASE,
    Tenancy: TENANCY,
    TenancyAddress: ADDRESS,
    Product: PRODUCT,
    Payout: PAYOUT,
    ProductName: PRODUCT["productName"],
    RoomCount: TENANCY["roomCounts"][0],
    Area: TENANCY["totalArea"],
    TenancyPage: {"tenancies": [TENANCY]},
    LeasePage: {"leases": [LEASE]},
}
"""Objects with every field that the interface shows."""


def text(data: object) -> str:
    return json.dumps(data, default=float)


def data_of(record: Record) -> Any:  # noqa: ANN401
    return json.loads(dumps(record), parse_float=Decimal)


def refused(kind: type[Record], data: object) -> list[tuple[str, str]]:
    return faults(lambda: loads(text(data), kind))


@rows("kind", WHOLE)
def test_every_field_is_read_and_written(kind: type[Record]) -> None:
    assert WHOLE[kind] == data_of(loads(text(WHOLE[kind]), kind))


@rows("kind", WHOLE)
def test_the_interface_has_no_other_field(kind: type[Record]) -> None:
    assert WHOLE[kind].keys() == {field.wire for field in fields_of(kind)}


@rows("kind", WHOLE)
def test_what_is_written_is_valid_under_its_schema(kind: type[Record]) -> None:
    validator = Draft202012Validator(schema_of(kind.__name__))
    written = json.loads(dumps(loads(text(WHOLE[kind]), kind)))

    assert validator.is_valid(written)
    assert not validator.is_valid({**written, "rent": 1})


@rows("kind", WHOLE)
def test_null_reads_as_absent_and_is_never_written(kind: type[Record]) -> None:
    """Every field that may be absent may be null, for reader and schema (A6)."""
    needed = {field.name for field in fields_of(kind) if field.required}
    names = {field.wire: field.name for field in fields_of(kind)}
    least = {wire: WHOLE[kind][wire] for wire, name in names.items() if name in needed}
    nulls = {**dict.fromkeys(names), **least}
    # An answer has these lists always; a reader takes null for an empty one (A72).
    lists: dict[str, Any] = {wire: [] for wire, name in names.items() if name in kind.sent_lists}
    read = loads(text(nulls), kind)

    assert {**least, **lists} == data_of(read)
    assert loads(text(least), kind) == read
    written = json.loads(text({**nulls, **lists}))
    assert Draft202012Validator(schema_of(kind.__name__)).is_valid(written)


@rows(
    "kind",
    [kind for name, kind in RECORDS.items() if name.endswith("Page")],
)
def test_an_empty_page_says_so(kind: type[Record]) -> None:
    (field,) = fields_of(kind)

    assert f'{{"{field.wire}": []}}' == dumps(kind(**{field.wire: ()}))


@rows(
    ("kind", "changes"),
    [
        (Lease, {"operationalState": "Suspended", "contractPeriodState": ""}),
        (Lease, {"purpose": "key:møde"}),
        (Tenancy, {"unitType": "HOUSEBOAT", "unitTypeName": ""}),
        (Tenancy, {"roomCounts": [{"type": "SAUNA"}, {"count": 1}]}),
        (Tenancy, {"totalArea": {"unit": "TSUBO"}}),
        (Payout, {"payoutReason": "Correction"}),
    ],
)
def test_words_of_a_service_are_kept(kind: type[Record], changes: dict[str, Any]) -> None:
    """Nobody refuses a whole page for a word that is not known here (A48, A49)."""
    data = {**WHOLE[kind], **changes}

    assert data == data_of(loads(text(data), kind, from_service=True))


@rows("kind", [Lease, Tenancy, Product, Payout])
def test_fields_of_a_newer_service_are_passed_over(kind: type[Record]) -> None:
    """On every level; who reads his own data is told (A50)."""
    data = json.loads(text(WHOLE[kind]))
    newer = {
        **data,
        "rating": 5,
        **{
            name: {**value, "rating": 5}
            for name, value in data.items()
            if isinstance(value, dict)
            and name not in ("groupId", "balance", "depositBalance", "prepaidBalance")
        },
    }

    assert loads(text(data), kind) == loads(json.dumps(newer), kind, from_service=True)
    assert ("rating", "unknown_field") in refused(kind, newer)


@rows(
    ("kind", "changes", "problem"),
    [
        (Lease, {"contractEnd": "2026-01-14"}, ("contractEnd", "reversed_period")),
        (Lease, {"contractStart": "2026-01-15T00:00:00Z"}, ("contractStart", "date_time_for_date")),
        (Lease, {"archivedAt": "2029-01-02T03:04:05"}, ("archivedAt", "not_a_date_time")),
        (Lease, {"tenantIds": "tenant-1"}, ("tenantIds", "not_a_list")),
        (Lease, {"id": 7}, ("id", "not_a_text")),
        (Lease, {"balance": {"currency": "DKK"}}, ("balance.amount", "missing")),
        (Tenancy, {"groupId": {"portfolio": 5}}, ("groupId.portfolio", "not_a_text")),
        (Tenancy, {"roomCounts": [{"count": -1}]}, ("roomCounts[0].count", "out_of_range")),
        (Tenancy, {"totalArea": {"value": -0.5}}, ("totalArea.value", "out_of_range")),
        (Tenancy, {"currentLease": {}}, ("currentLease.id", "missing")),
        (Product, {"position": 1.5}, ("position", "not_a_whole_number")),
        (Product, {"archived": 0}, ("archived", "wrong_value")),
        (Product, {"productName": {"fr": "Loyer"}}, ("productName.fr", "unknown_field")),
        (Payout, {"payoutDate": "1/2/2026"}, ("payoutDate", "not_a_date")),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_path(
    kind: type[Record], changes: dict[str, Any], problem: tuple[str, str]
) -> None:
    assert [problem] == refused(kind, {**WHOLE[kind], **changes})


def test_a_contract_of_one_day_is_a_contract() -> None:
    fields = {"id": "a", "contract_start": "2026-01-15"}

    assert Lease(**fields, contract_end="2026-01-15").contract_end is not None  # type: ignore[arg-type]
    with pytest.raises(InvalidPeriodError):
        Lease(**fields, contract_end="2026-01-14")  # type: ignore[arg-type]


def test_half_a_room_is_a_room() -> None:
    assert Decimal("0.5") == RoomCount(type="OTHER", count=Decimal("0.5")).count
    assert Decimal(0) == Area(value=Decimal(0), unit="SQUARE_METER").value
    with pytest.raises(InvalidRecordError):
        Area(value=Decimal("-0.01"), unit="SQUARE_METER")
