"""What a caller sends is read as what it says or refused with the place where it is wrong."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from rentbilling.adapters.http import HttpAnswer, Limits
from rentbilling.adapters.http.openapi import examples
from rentbilling.interface.endpoints import ENDPOINTS
from rentbilling.records.json_text import write_json
from tests.adapters.http.served import (
    ADDRESS,
    KEY,
    RENT,
    TENANCY,
    ask,
    check_problem,
    data_of,
    service,
    with_lease,
)

DEEP = b'{"purpose": ' + b"[" * 5_000 + b"]" * 5_000 + b"}"
DEEPEST = b"[" * 900_000
SOUND = json.dumps(TENANCY).encode()


@pytest.mark.parametrize(
    ("body", "code", "paths"),
    [
        (b"", "missing", [""]),
        (b" ", "not_json", [""]),
        (b"{", "not_json", [""]),
        (b"\xff\xfe{\x00}\x00", "not_json", [""]),
        (b'{"purpose": "\xe6"}', "not_json", [""]),
        (SOUND + b"x", "not_json", [""]),
        (SOUND[:-1] + b",}", "not_json", [""]),
        (b"null", "not_an_object", [""]),
        (b"[]", "not_an_object", [""]),
        (b'"text"', "not_an_object", [""]),
        (b"1", "not_an_object", [""]),
        (DEEP, "not_json", [""]),
        (DEEPEST, "not_json", [""]),
        (b'{"purpose": 1e999999, "address": 1}', "not_a_text", ["purpose", "address"]),
        (b'{"purpose": NaN, "address": -Infinity}', "not_finite", ["purpose", "address"]),
        (b'{"purpose": "a", "purpose": "b"}', "duplicate_key", ["purpose", "address"]),
        (
            b'{"purpose": "\\ud800", "address": {}}',
            "not_a_text",
            ["purpose", *(f"address.{name}" for name in ADDRESS)],
        ),
        (b'{"\\ud800": 1, "\\ud800": 2}', "duplicate_key", ["?", "", "purpose", "address"]),
        (b"{}", "missing", ["purpose", "address"]),
        (SOUND[:-1] + b', "x\\u0000y": 1}', "unknown_field", ["x\x00y"]),
        (json.dumps({**TENANCY, "purpose": ""}).encode(), "empty_text", ["purpose"]),
        (json.dumps({**TENANCY, "purpose": None}).encode(), "missing", ["purpose"]),
        (b'{"purpose": ' + b"9" * 5_000 + b"}", "too_many_digits", ["purpose", "address"]),
        (json.dumps({"a": [0] * 20_000}).encode(), "too_many_entries", [""]),
    ],
    ids=lambda value: ascii(value)[:30] if isinstance(value, bytes) else "",
)
def test_a_malformed_body_is_refused(body: bytes, code: str, paths: list[str]) -> None:
    asked = service()

    answer = ask(asked, "POST", "/tenancies", body)

    check_problem(answer, 400, code, *paths)
    assert 201 == ask(asked, "POST", "/tenancies", TENANCY).status


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"amount": 8500}, "amount"),
        ({"amount": {"currency": "DKK", "amount": "8500"}}, "amount.amount"),
        ({"amount": {"currency": "XYZ", "amount": 1}}, "amount.currency"),
        ({"amount": {"currency": "DKK", "amount": 10**15}}, "amount.amount"),
        ({"amount": {"currency": "DKK", "amount": 0.1234567890123456}}, "amount.amount"),
        ({"vat": {"taxMode": "Exclusive", "taxRate": 25}}, "vat.taxRate"),
        ({"vat": {"taxMode": "None"}}, "vat.taxMode"),
        ({"dueDateRule": {"dayOfPeriod": 0}}, "dueDateRule.dayOfPeriod"),
        ({"dueDateRule": {"dayOfPeriod": True}}, "dueDateRule.dayOfPeriod"),
        ({"billingCycle": {"timeUnit": "Moon", "periodLength": 1, "start": 1}}, "billingCycle"),
        ({"startedOn": 0}, "startedOn"),
        ({"startedOn": "2026-01-15T00:00:00Z"}, "startedOn"),
        ({"startedOn": "2026-02-30"}, "startedOn"),
        ({"discount": {}}, "discount"),
        ({"discount": {"percentage": 10}}, "discount.percentage"),
        ({"id": "mine"}, "id"),
        ({"unknown": 1}, "unknown"),
    ],
    ids=lambda value: json.dumps(value)[:40],
)
def test_a_wrong_field_is_refused_by_its_path(change: dict[str, Any], path: str) -> None:
    """Wrong types, huge numbers, unknown words: with the path as the caller spells it (A46)."""
    asked = service()
    lease_id = with_lease(asked)

    body = {"leaseId": lease_id, "recurringBillItem": {**RENT, **change}}
    answer = ask(asked, "POST", "/recurring-bill-items", body)

    assert 400 == answer.status
    (problem, *others) = data_of(answer)["problems"]
    assert [] == others
    assert problem["path"].startswith(f"recurringBillItem.{path}")


@pytest.mark.parametrize(
    ("query", "code", "paths"),
    [
        ("limit=0", "out_of_range", ["limit"]),
        ("limit=101", "out_of_range", ["limit"]),
        ("limit=-1", "out_of_range", ["limit"]),
        ("limit=ten", "not_a_whole_number", ["limit"]),
        ("limit=", "not_a_whole_number", ["limit"]),
        ("limit=1.5", "not_a_whole_number", ["limit"]),
        ("limit=%D9%A1", "not_a_whole_number", ["limit"]),
        ("limit=+5", "not_a_whole_number", ["limit"]),
        ("limit=1_0", "not_a_whole_number", ["limit"]),
        ("limit=" + "9" * 5_000, "not_a_whole_number", ["limit"]),
        ("limit=1&limit=1", "repeated_parameter", ["limit"]),
        ("startingAfter=", "empty_text", ["startingAfter"]),
        ("startingAfter=none", "unknown_cursor", ["startingAfter"]),
        ("startingAfter=%00", "control_character", ["startingAfter"]),
        ("startingAfter=%F0%9F%8F%A0", "unknown_cursor", ["startingAfter"]),
        ("startingAfter=%ff", "not_utf8", ["startingAfter"]),
        ("startingAfter=" + "a" * 5_000, "too_long", ["startingAfter"]),
        ("starting_after=a", "unknown_parameter", ["starting_after"]),
        ("Limit=1", "unknown_parameter", ["Limit"]),
        ("x", "unknown_parameter", ["x"]),
        ("=1", "unknown_parameter", [""]),
        ("%ff=1", "not_utf8", ["%ff"]),
        ("x=1&limit=0&x=2", "unknown_parameter", ["x", "x", "limit"]),
        ("tenancyId=none", "unknown_id", None),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_a_wrong_query_is_refused_by_the_name(
    query: str, code: str, paths: list[str] | None
) -> None:
    """Unknown parameters, repeated ones, limits and cursors that are none (A43)."""
    answer = ask(service(), "GET", f"/leases?{query}")

    if paths is None:
        check_problem(answer, 404, code)
    else:
        check_problem(answer, 400, code, *paths)


@pytest.mark.parametrize("query", ["", "&", "&&limit=10&", "limit=%310"])
def test_a_query_may_be_spelled_in_other_ways(query: str) -> None:
    assert 200 == ask(service(), "GET", f"/leases?{query}").status


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("", ["leaseId", "period"]),
        ("leaseId=a", ["period"]),
        ("period=2026-01-01/2026-01-31", ["leaseId"]),
        ("leaseId=a&period=2026-01", ["period"]),
        ("leaseId=a&period=2026-02-01/2026-01-01", ["period"]),
        ("leaseId=a&period=2026-02-01%2F2026-02-30", ["period"]),
        ("leaseId=a&period=0000-01-01/9999-12-31", ["period"]),
        ("leaseId=a&period=2026-01-01/2026-01-31&limit=1", ["limit"]),
    ],
)
def test_a_wrong_period_is_refused(query: str, paths: list[str]) -> None:
    """Both inputs of pending bills are needed, and the period has its form (A4, A44)."""
    answer = ask(service(), "GET", f"/pending-bills?{query}")

    assert 400 == answer.status
    assert paths == [each["path"] for each in data_of(answer)["problems"]]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/leases/none", 404, "unknown_id"),
        ("/leases/%00", 400, "control_character"),
        ("/leases/%20", 400, "blank"),
        ("/leases/..%2F..%2Fetc", 404, "unknown_id"),
        ("/leases/%F0%9F%8F%A0", 404, "unknown_id"),
        ("/leases/" + "a" * 250, 404, "unknown_id"),
        ("/leases/" + "a" * 251, 400, "too_long"),
        ("/leases/%ff", 400, "not_utf8"),
        ("/leases/%ed%a0%80", 400, "not_utf8"),
        ("/leases/", 404, "unknown_path"),
        ("/leases/a/", 404, "unknown_path"),
        ("/leases//", 404, "unknown_path"),
        ("//leases", 404, "unknown_path"),
        ("/", 404, "unknown_path"),
        ("", 404, "unknown_path"),
        ("leases", 404, "unknown_path"),
        ("*", 404, "unknown_path"),
        ("/LEASES", 404, "unknown_path"),
        ("/leases%2F", 404, "unknown_path"),
        ("/leases/a/b", 404, "unknown_path"),
        ("/leases/a%2Fterms", 404, "unknown_id"),
        ("/é", 404, "unknown_path"),
        ("/\ud800", 404, "unknown_path"),
        ("/" + "a" * 8_000, 414, "address_too_long"),
    ],
    ids=lambda value: ascii(value)[:25],
)
def test_a_wrong_path_is_refused(path: str, status: int, code: str) -> None:
    """Ids that nobody has or can have, that are no UTF-8, paths that the interface has not."""
    answer = service().answer("GET", path, "", {"Authorization": KEY})

    paths = ["leaseId"] if status == 400 else []
    check_problem(answer, status, code, *paths)


def test_an_id_may_hold_a_slash() -> None:
    """`%2F` is part of an id, and not of the path."""
    asked = service(new_id=iter(["a/b", "c/d é", "e"]).__next__)
    with_lease(asked)

    answer = ask(asked, "GET", "/leases/c%2Fd%20%C3%A9")

    assert (200, "c/d é") == (answer.status, data_of(answer)["id"])


def test_a_path_may_be_spelled_with_escapes() -> None:
    """`/%6Ceases` is `/leases`."""
    assert 200 == ask(service(), "GET", "/%6Ceases").status


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "", "É"])
def test_a_method_that_a_path_has_not_is_answered_405(method: str) -> None:
    answer = ask(service(), method, "/leases/id-1")

    check_problem(answer, 405, "unknown_method")
    assert "GET, HEAD, PATCH" == dict(answer.headers)["Allow"]


@pytest.mark.parametrize("path", ["/health", "/openapi.json", "/docs", "/problems/no-key"])
def test_pages_about_the_service_are_only_read(path: str) -> None:
    answer = service().answer("POST", path)

    check_problem(answer, 405, "unknown_method")
    assert "GET, HEAD" == dict(answer.headers)["Allow"]


@pytest.mark.parametrize(
    "said",
    [
        "application/json",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        'application/json; charset="utf-8"',
        "Application/JSON",
        "application/json ; x=y",
    ],
)
def test_json_is_told_in_several_ways(said: str) -> None:
    """Small and capital letters, a charset that is UTF-8, further parameters."""
    answer = ask(service(), "POST", "/tenancies", TENANCY, headers={"Content-Type": said})

    assert 201 == answer.status


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Content-Type": "text/plain"}, "unknown_media_type"),
        ({"Content-Type": ""}, "unknown_media_type"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, "unknown_media_type"),
        ({"Content-Type": "application/jsonx"}, "unknown_media_type"),
        ({"Content-Type": "application/merge-patch+json"}, "unknown_media_type"),
        ({"Content-Type": "multipart/form-data; boundary=x"}, "unknown_media_type"),
        ({"Content-Type": "application/json; charset=latin-1"}, "unknown_charset"),
        ({"Content-Type": "application/json; charset=utf-16"}, "unknown_charset"),
        ({"Content-Encoding": "gzip"}, "unknown_coding"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_what_is_not_said_to_be_json_is_answered_415(headers: dict[str, str], code: str) -> None:
    answer = ask(service(), "POST", "/tenancies", TENANCY, headers=headers)

    check_problem(answer, 415, code)
    assert "application/json" == dict(answer.headers)["Accept"]


def test_a_body_without_a_word_about_it_is_answered_415() -> None:
    answer = service().answer("POST", "/tenancies", "", {"Authorization": KEY}, SOUND)

    check_problem(answer, 415, "missing_media_type")


def test_a_get_with_a_body_is_refused() -> None:
    answer = ask(service(), "GET", "/leases", {"limit": 3})

    check_problem(answer, 400, "unexpected_body", "")


@pytest.mark.parametrize(
    "said",
    [{"Content-Length": "5"}, {"Content-Length": "²"}, {"Transfer-Encoding": "chunked"}],
    ids=str,
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_get_that_is_said_to_have_a_body_is_refused(said: dict[str, str], method: str) -> None:
    asked = service().begin(method, "/leases", "", {"Authorization": KEY, **said})

    assert isinstance(asked, HttpAnswer)
    assert 400 == asked.status


def test_a_get_may_say_that_its_body_is_empty() -> None:
    assert 200 == ask(service(), "GET", "/leases", headers={"Content-Length": "0"}).status


def test_a_field_where_no_body_belongs_is_refused() -> None:
    asked = service()
    lease_id = with_lease(asked)

    answer = ask(asked, "POST", f"/leases/{lease_id}/archive", {"reason": "sold"})

    check_problem(answer, 400, "unknown_field", "reason")


@pytest.mark.parametrize("name", ["leaseId", "lease_id"])
def test_what_stands_in_the_path_does_not_stand_in_the_body(name: str) -> None:
    asked = service()
    lease_id = with_lease(asked)

    answer = ask(asked, "PATCH", f"/leases/{lease_id}", {name: "other"})

    check_problem(answer, 400, "unknown_field", name)


def test_null_in_the_body_is_absent() -> None:
    """Also for what stands in the path (A6)."""
    asked = service()
    lease_id = with_lease(asked)

    answer = ask(asked, "PATCH", f"/leases/{lease_id}", {"leaseId": None, "purpose": "key:shop"})

    assert (200, "key:shop") == (answer.status, data_of(answer)["purpose"])


@pytest.mark.parametrize("name", ["Authorization", "Content-Type", "Content-Encoding"])
def test_a_header_that_stands_twice_is_refused(name: str) -> None:
    pairs = [("Authorization", KEY), ("Content-Type", "application/json"), (name, "x")]
    pairs += [("content-encoding", "x")] if name == "Content-Encoding" else []

    answer = service().answer("POST", "/tenancies", "", pairs, SOUND)

    check_problem(answer, 400, "repeated_header", name.lower())


@pytest.mark.parametrize("size", [1_000, 1_001])
def test_a_body_has_its_limit(size: int) -> None:
    """1,000 bytes are read where that is the limit, 1,001 are not."""
    body = SOUND + b" " * (size - len(SOUND))

    answer = ask(service(Limits(most_bytes=1_000)), "POST", "/tenancies", body)

    if size == 1_000:
        assert 201 == answer.status
    else:
        check_problem(answer, 413, "too_large")


@pytest.mark.parametrize("length", ["1000001", "9" * 40, "10000000"])
def test_a_body_that_is_said_to_be_too_large_is_not_waited_for(length: str) -> None:
    headers = {"Authorization": KEY, "Content-Length": length}

    answer = service().begin("POST", "/tenancies", "", headers)

    assert isinstance(answer, HttpAnswer)
    check_problem(answer, 413, "too_large")


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (
            b'{"purpose": "a", "purpose": "b", "adress": {}, "address": {"city": NaN, "co": 5}}',
            [
                ("purpose", "duplicate_key"),
                ("address.city", "not_finite"),
                ("address.streetName", "missing"),
                ("address.streetNumber", "missing"),
                ("address.postalCode", "missing"),
                ("address.country", "missing"),
                ("address.co", "not_a_text"),
                ("adress", "unknown_field"),
            ],
        ),
        (
            b'{"purpose": " ", "address": 1, "address": 2, "zip": "\\udfff", "zip": 1}',
            [
                ("address", "duplicate_key"),
                ("zip", "duplicate_key"),
                ("zip", "not_a_text"),
                ("zip", "unknown_field"),
                ("purpose", "blank"),
            ],
        ),
        (b"[NaN]", [("[0]", "not_finite")]),
    ],
    ids=["a value", "an object", "a list"],
)
def test_what_is_odd_in_json_is_told_beside_everything_else(
    body: bytes, found: list[tuple[str, str]]
) -> None:
    answer = ask(service(), "POST", "/tenancies", body)

    assert 400 == answer.status
    assert found == [(each["path"], each["code"]) for each in data_of(answer)["problems"]]


def test_what_depends_on_an_odd_value_is_not_judged() -> None:
    amount = '{"currency": "DKK", "amount": 10}'
    body = (
        f'{{"payoutReason": "Refund", "payoutDate": "today", "gross": {amount}, "net": {amount},'
        f' "fees": {amount}, "fees": {amount}}}'
    )
    answer = ask(service(), "POST", "/payouts", body.encode())

    assert [("fees", "duplicate_key"), ("payoutDate", "not_a_date")] == [
        (each["path"], each["code"]) for each in data_of(answer)["problems"]
    ]


def test_what_is_odd_stands_beside_what_stands_in_the_path() -> None:
    answer = ask(
        service(), "PATCH", "/leases/a", b'{"leaseId": "b", "purpose": "c", "purpose": "d", "x": 1}'
    )

    assert [
        ("purpose", "duplicate_key"),
        ("leaseId", "unknown_field"),
        ("x", "unknown_field"),
    ] == [(each["path"], each["code"]) for each in data_of(answer)["problems"]]


@pytest.mark.parametrize("operation", [name for name, each in ENDPOINTS.items() if each.has_body])
def test_an_odd_value_is_refused_in_every_place(operation: str) -> None:
    endpoint = ENDPOINTS[operation]
    body = examples()["operations"][operation]["body"]
    path = "/".join("none" if each.startswith("{") else each for each in endpoint.path.split("/"))
    places = [*places_in(body)]
    for at, (place, _) in enumerate(places):
        changed = deepcopy(body)
        (*_, (_, put)) = [*places_in(changed)][: at + 1]
        put("NaN is here")
        sent = write_json(changed).replace('"NaN is here"', "NaN")
        answer = ask(service(), endpoint.method, path, sent.encode())
        check_problem(answer, 400, "not_finite", place)


def places_in(data: Any, path: str = "") -> Iterator[tuple[str, Callable[[str], None]]]:  # noqa: ANN401
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in pairs:
        joint = "." if path else ""
        place = f"{path}[{key}]" if isinstance(data, list) else f"{path}{joint}{key}"

        def put(other: str, key: Any = key) -> None:  # noqa: ANN401
            data[key] = other

        yield place, put
        if isinstance(value, (dict, list)):
            yield from places_in(value, place)
