"""What a caller sends is bounded: every text, every list, and all of them together."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from datetime import date, timedelta
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from rentbilling import InvalidInputError, LeaseTerms, dumps, loads
from rentbilling.interface import (
    ENDPOINTS,
    ChangeLease,
    ChangeRecurringBillItem,
    ChangeTenancy,
    CreateRecurringBillItem,
    CreateRentAdjustmentPlan,
    CreateTenancy,
    LeasePage,
    LeaseRequest,
    RecordPayout,
    RecordProduct,
    check_bounds,
    schema_of,
)
from rentbilling.interface.request import SentRecord
from rentbilling.records import Record, TextBound, write_json
from rentbilling.records.text_limits import A_LONG_TEXT, A_NAME, A_TEXT, A_WORD
from rentbilling.service import Stored
from tests.support import rents
from tests.support.operated import ADDRESS, HOME, Service, money, rent
from tests.support.refusals import faults
from tests.support.rows import rows

PAGE_OF_A_CLIENT: Final = 64 * 2**20
"""Bytes of an answer that the client reads."""
ITEM: Final = {"leaseId": "lease-1", "recurringBillItem": rent()}
PAYOUT: Final = {
    "payoutReason": "Refund",
    "payoutDate": "2026-01-31",
    "gross": money(10),
    "fees": money(1),
    "net": money(9),
}


def told(read: Callable[[], object]) -> list[tuple[str, str, str, str]]:
    return faults(read, InvalidInputError, "path code met expected")


def codes(kind: type[Record], data: object) -> list[tuple[str, str]]:
    return [each[:2] for each in told(lambda: loads(write_json(data), kind))]


def texts_in(data: Any, path: str = "") -> Iterator[tuple[str, Callable[[str], None]]]:  # noqa: ANN401
    """Give each text in some data: its path, and what puts another one in its place."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in pairs:
        joint = "." if path else ""
        place = f"{path}[{key}]" if isinstance(data, list) else f"{path}{joint}{key}"
        if isinstance(value, str):

            def put(other: str, key: Any = key) -> None:  # noqa: ANN401
                data[key] = other

            yield place, put
        elif isinstance(value, (dict, list)):
            yield from texts_in(value, place)


def sent(operation: str) -> dict[str, Any]:
    examples = pytest.importorskip("rentbilling.adapters.http.docs.openapi").examples()
    shown = examples["operations"].get(operation, {})
    return deepcopy({**shown.get("parameters", {}), **shown.get("body", {})})


@rows("operation", ENDPOINTS)
def test_every_text_of_every_operation_is_bounded(operation: str) -> None:
    """Whatever it is, no text of 4,001 characters and none with a NUL gets through, by its path."""
    kind = ENDPOINTS[operation].request
    for bad in ("x" * 4_001, "a\0b"):
        places = [path for path, _ in texts_in(sent(operation))]
        for at, place in enumerate(places):
            data = sent(operation)
            (*_, (_, put)) = [*texts_in(data)][: at + 1]
            put(bad)
            found = codes(kind, data)
            assert place in [path for path, _ in found], (place, found)


@rows("operation", ENDPOINTS)
def test_every_request_is_bounded_by_its_kind(operation: str) -> None:
    assert issubclass(ENDPOINTS[operation].request, SentRecord)


LONG: Final = "x" * 251
LONGER: Final = "x" * 1_001
LONGEST: Final = "x" * 4_001


WORDLESS: Final = {"adjustmentType": "", "adjustmentMonth": 1, "indexMonth": 10}


@rows(
    ("kind", "data", "found"),
    [
        (CreateTenancy, {**HOME, "purpose": LONG}, [("purpose", "too_long")]),
        (CreateTenancy, {**HOME, "purpose": " \u2003"}, [("purpose", "blank")]),
        (CreateTenancy, {**HOME, "purpose": ""}, [("purpose", "empty_text")]),
        (
            CreateTenancy,
            {"purpose": "a\x7f", "address": {**ADDRESS, "city": " ", "co": "b\nc", "zip": 1}},
            [
                ("address.zip", "unknown_field"),
                ("purpose", "control_character"),
                ("address.city", "blank"),
                ("address.co", "control_character"),
            ],
        ),
        (
            CreateTenancy,
            {**HOME, "address": {**ADDRESS, "street_name": LONGER, "floor": LONGER}},
            [("address.street_name", "unknown_field"), ("address.floor", "too_long")],
        ),
        (
            LeaseRequest,
            {"leaseId": "\x85"},
            [("leaseId", "control_character"), ("leaseId", "blank")],
        ),
        (
            RecordProduct,
            {"productKey": LONG, "productName": {"da": "Leje"}},
            [("productKey", "too_long")],
        ),
        (
            RecordProduct,
            {"productKey": "k", "productName": {"da": "a\tb", "en": LONGER}},
            [("productName.en", "too_long"), ("productName.da", "control_character")],
        ),
        (
            CreateRentAdjustmentPlan,
            {"leaseId": "l", "rentAdjustmentPlan": {"rentAdjustmentRules": [WORDLESS]}},
            [
                ("rentAdjustmentPlan.rentAdjustmentRules[0].increments", "no_increments"),
                ("rentAdjustmentPlan.rentAdjustmentRules[0].adjustmentType", "empty_text"),
            ],
        ),
        (RecordPayout, {**PAYOUT, "bankStatement": LONGER}, [("bankStatement", "too_long")]),
        (
            CreateRecurringBillItem,
            {**ITEM, "recurringBillItem": rent(description=LONGEST, productKey="\0")},
            [
                ("recurringBillItem.productKey", "control_character"),
                ("recurringBillItem.description", "too_long"),
            ],
        ),
        (
            ChangeRecurringBillItem,
            {
                "recurringBillItemId": "i",
                "descriptionRecords": [{"value": "\n\t ", "start": "2026-02-01"}],
            },
            [("descriptionRecords[0].value", "blank")],
        ),
        (
            ChangeRecurringBillItem,
            {
                "recurringBillItemId": "i",
                "descriptionRecords": [{"value": "", "start": "2026-02-01"}],
            },
            [("descriptionRecords[0].value", "empty_text")],
        ),
        (
            ChangeTenancy,
            {"tenancyId": "t", "groupId": {"": "a", " ": "b", "c.d": "\x01", LONG: "e"}},
            [
                ("groupId.", "empty_text"),
                ("groupId. ", "blank"),
                ("groupId.c.d", "control_character"),
                (f"groupId.{LONG}", "too_long"),
            ],
        ),
        (
            ChangeTenancy,
            {"tenancyId": "t", "groupId": {str(at): "a" for at in range(1_001)}},
            [("groupId", "too_many")],
        ),
        (
            ChangeLease,
            {"leaseId": "l", "tenantIds": ["a"] * 1_001, "associatedContactIds": ["b", " "]},
            [("tenantIds", "too_many"), ("associatedContactIds[1]", "blank")],
        ),
        (ChangeLease, {"leaseId": "l", "tenantIds": ["x" * 63] * 1_000}, [("", "too_long")]),
        (
            ChangeRecurringBillItem,
            {"recurringBillItemId": "i", "clear": ["description"] * 1_001},
            [("clear", "too_many")],
        ),
    ],
)
def test_what_is_out_of_bounds_is_refused_by_its_place(
    kind: type[Record], data: object, found: list[tuple[str, str]]
) -> None:
    assert found == codes(kind, data)


def test_a_problem_says_what_was_met_and_what_is_expected() -> None:
    data = {**HOME, "purpose": f"{'æ' * 260}\0"}
    with pytest.raises(InvalidInputError) as caught:
        loads(json.dumps(data), CreateTenancy)

    assert [
        f"purpose: has 261 characters (met '{'æ' * 58}…; expected at most 250)",
        (
            "purpose: holds a control character at its place 261 (met '\\x00'; expected a text"
            " without control characters)"
        ),
    ] == [str(each) for each in caught.value.problems]


def test_lists_are_counted_together() -> None:
    """Five rules with 900 increments each: 4,505 entries, and no list has more than 1,000."""
    increments = [{"year": "2027", "percentage": 0.01}] * 900
    rule = {"adjustmentType": "Increment", "adjustmentMonth": 1, "increments": increments}
    data = {"leaseId": "l", "rentAdjustmentPlan": {"rentAdjustmentRules": [rule] * 5}}
    with pytest.raises(InvalidInputError) as caught:
        CreateRentAdjustmentPlan.model_validate(data)

    assert [("", "too_many", "4505", "at most 4000")] == [
        (each.path, each.code, each.met, each.expected)
        for each in caught.value.problems
        if each.code == "too_many"
    ]


def test_what_is_just_within_bounds_is_taken() -> None:
    """A word of 250 characters, texts of 1,000 and 4,000, lists of 1,000; a description's lines."""
    address = {**ADDRESS, "streetName": "s" * 1_000, "floor": " "}
    tenancy = CreateTenancy.model_validate({"purpose": "🏠" * 250, "address": address})
    lines = f"a\tb\n{'c' * 3_996}"
    item = CreateRecurringBillItem.model_validate(
        {**ITEM, "recurringBillItem": rent(description=lines)}
    )
    lease = ChangeLease(lease_id="l", tenant_ids=("x" * 61,) * 1_000)

    assert (250, 1_000) == (len(tenancy.purpose), len(tenancy.address.street_name))
    assert lines == item.recurring_bill_item.description
    # 1,000 ids of 61 characters with their quotes, and the lease's own: 63,003 bytes.
    assert 1_000 == len(lease.tenant_ids or ())


def test_it_is_the_same_from_python() -> None:
    item = rents.rent(description="a\0b")
    lease = ChangeLease(lease_id="l", purpose="p")

    assert [("recurring_bill_item.description", "control_character")] == [
        each[:2]
        for each in told(lambda: CreateRecurringBillItem(lease_id="l", recurring_bill_item=item))
    ]
    assert [("primary_tenant_contact_name", "too_long")] == [
        each[:2] for each in told(lambda: lease.evolve(primary_tenant_contact_name=LONGER))
    ]
    assert "q" == lease.evolve(purpose="q").purpose
    assert lease is ChangeLease.model_validate(lease)


def test_parts_of_another_type_are_refused_as_what_they_are() -> None:
    data = {"tenancyId": 5, "groupId": "a", "roomCounts": {"type": "a"}, "address": [LONGEST]}

    assert [
        ("tenancyId", "not_a_text"),
        ("address", "not_an_object"),
        ("groupId", "not_an_object"),
        ("roomCounts", "not_a_list"),
    ] == codes(ChangeTenancy, data)
    assert [("", "not_an_object")] == codes(ChangeTenancy, [data])
    assert [("clear[0]", "unknown_word")] == codes(
        ChangeTenancy, {"tenancyId": "t", "clear": [["groupId"]]}
    )
    with pytest.raises(InvalidInputError):
        ChangeTenancy.model_validate({"tenancyId": "t", "groupId": {5: "a"}})


def test_what_a_service_wrote_is_read_as_it_comes() -> None:
    """However long, and with whatever characters (A50)."""
    lease = {"id": " ", "purpose": "\0" * 10_000, "tenantIds": ["a"] * 2_000}
    page = loads(json.dumps({"leases": [lease]}), LeasePage, from_service=True)

    assert (" ", 10_000, 2_000) == (
        page.leases[0].id,
        len(page.leases[0].purpose or ""),
        len(page.leases[0].tenant_ids),
    )


def test_terms_that_no_service_is_sent_have_no_such_bounds() -> None:
    text = "a\0b" * 5_000
    terms = LeaseTerms(recurring_bill_items=(rents.rent(description=text),))

    assert text == terms.recurring_bill_items[0].description


def records(values: Iterable[object]) -> list[dict[str, Any]]:
    """Return later values of an item, each of a day of its own from January 2027."""
    first = date(2027, 1, 1)
    return [
        {"value": value, "start": f"{first + timedelta(days=at)}"}
        for at, value in enumerate(values)
    ]


def test_an_item_does_not_grow_beyond_what_could_be_created() -> None:
    """After 600 later amounts 600 others would make 1,200 of them; 400 others make 1,000."""
    service = Service()
    lease_id = service.lease(rent())
    item_id = service("list_recurring_bill_items", leaseId=lease_id).recurring_bill_items[0].id
    item, amounts = {"recurringBillItemId": item_id}, records([money(9_000)] * 1_200)

    service("change_recurring_bill_item", item, amountRecords=amounts[:600])
    more = {**item, "amountRecords": amounts[600:]}
    assert [("amountRecords", "too_many")] == service.paths("change_recurring_bill_item", more)
    changed = service("change_recurring_bill_item", item, amountRecords=amounts[600:1_000])
    assert 1_000 == len(changed.amount_records)
    assert changed == service("change_recurring_bill_item", item, amountRecords=amounts[:1_000])


def test_what_is_kept_beyond_its_bounds_may_be_ended() -> None:
    service = Service()
    lease_id = service.lease()
    kept = rents.rent(id="old", description="x" * 5_000)
    service.keep(Stored(kept, "old", lease_id))

    changed = service("change_recurring_bill_item", recurringBillItemId="old", endedOn="2026-12-31")
    more = {"recurringBillItemId": "old", "amountRecords": records([money(1)])}
    assert date(2026, 12, 31) == changed.ended_on
    assert [("description", "too_long")] == service.paths("change_recurring_bill_item", more)


def test_what_is_kept_may_be_checked() -> None:
    item = rents.rent(description="a\0b")
    with pytest.raises(InvalidInputError) as caught:
        check_bounds(LeaseTerms(recurring_bill_items=(rents.rent(), item)))

    check_bounds(rents.rent())
    assert ["recurringBillItems[1].description"] == [each.path for each in caught.value.problems]


def test_a_page_of_the_largest_leases_is_read_by_our_client() -> None:
    service = Service()
    lease_id = service.lease()
    ids = ["é" * 28 + str(at) for at in range(1_000)]
    for change in (
        {"tenantIds": ids},
        {"associatedContactIds": ids},
        {"primaryTenantContactName": "🏠" * 1_000, "purpose": "🏠" * 250},
    ):
        service("change_lease", {"leaseId": lease_id, **change})

    size = len(dumps(service("list_leases")).encode())
    assert 120_000 < size
    assert 100 * size < PAGE_OF_A_CLIENT


def test_a_page_of_the_largest_items_is_read_by_our_client() -> None:
    service = Service()
    lease_id = service.lease(rent())
    item_id = service("list_recurring_bill_items", leaseId=lease_id).recurring_bill_items[0].id
    for change in (
        {"amountRecords": records([money(123456789012345)] * 1_000)},
        {"vatRecords": records([{"taxMode": "ReverseCharge", "taxRate": 0.1234}] * 1_000)},
        {"quantityRecords": records([123456789012345] * 1_000)},
        {"descriptionRecords": records(["\\" * 30] * 1_000)},
    ):
        service("change_recurring_bill_item", {"recurringBillItemId": item_id, **change})

    size = len(dumps(service("list_recurring_bill_items")).encode())
    assert 310_000 < size
    assert 100 * size < PAGE_OF_A_CLIENT


BOUNDS: Final[Mapping[str, TextBound]] = {
    "word": A_WORD,
    "name": A_NAME,
    "text": A_TEXT,
    "long text": A_LONG_TEXT,
}


@rows("bound", BOUNDS.values(), ids=BOUNDS)
@rows(
    "text",
    [
        *("a", " ", "", "\t", "a\tb", "a\nb", "\n", "a\n", "\r", "\x00", "\x1f", "\x7f", "\x80"),
        *("\x9f", "\xa0", " a ", "é", "\u2003", "🏠", "\u200b", "a\u2028b"),
        *("x" * 250, "x" * 251, "x" * 1_000, "x" * 1_001, "x" * 4_000, "x" * 4_001),
    ],
)
def test_schema_and_reader_agree_on_a_text(bound: TextBound, text: str) -> None:
    least = {"minLength": 1} if bound.says_something else {}
    pattern = bound.pattern().removesuffix("$") + r"\Z"
    schema = {**least, "maxLength": bound.most, "pattern": pattern}
    refused = [*bound.faults(text)] or (bound.says_something and not text)

    assert Draft202012Validator(schema).is_valid(text) is (not refused)


def test_the_schema_of_a_request_has_the_bounds_and_that_of_terms_has_none() -> None:
    purpose = schema_of("CreateTenancy")["properties"]["purpose"]
    record = CreateTenancy.model_json_schema()["properties"]["purpose"]

    assert (1, 250, A_WORD.pattern()) == tuple(
        purpose[name] for name in ("minLength", "maxLength", "pattern")
    )
    assert purpose == record
    assert "maxLength" not in json.dumps(schema_of("LeaseTerms"))
    assert "maxItems" not in json.dumps(schema_of("LeaseTerms")["properties"])
