"""A request is read, or refused with the place of every problem in it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import pytest

from rentbilling.adapters.http import HttpAnswer, Limits
from rentbilling.adapters.http.docs.openapi import examples
from rentbilling.interface import ENDPOINTS
from rentbilling.records import write_json
from tests.adapters.http.served import (
    ADDRESS,
    JSON_BODY,
    KEY,
    RENT,
    TENANCY,
    ask,
    check_problem,
    data_of,
    service,
    with_lease,
)
from tests.support.rows import rows

DEEP = b'{"purpose": ' + b"[" * 5_000 + b"]" * 5_000 + b"}"
DEEPEST = b"[" * 900_000
SOUND = json.dumps(TENANCY).encode()


BODIES: list[tuple[bytes, str, list[str]]] = [
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
]
"""Bodies of `POST /tenancies`, with the code and the paths of their problems."""

QUERIES: list[tuple[str, str, list[str]]] = [
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
]
"""Queries of `GET /leases`: unknown and repeated parameters, limits and cursors (A43)."""

PATHS: list[tuple[str, int, str]] = [
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
]
"""Ids that no lease has or can have, that are no UTF-8, paths that the interface does not have."""

PERIODS: list[tuple[str, str, list[str]]] = [
    ("", "missing", ["leaseId", "period"]),
    ("leaseId=a", "missing", ["period"]),
    ("period=2026-01-01/2026-01-31", "missing", ["leaseId"]),
    ("leaseId=a&period=2026-13", "not_a_period", ["period"]),
    ("leaseId=a&period=2026-02-01/2026-01-01", "reversed_period", ["period"]),
    ("leaseId=a&period=2026-02-01%2F2026-02-30", "not_a_date", ["period"]),
    ("leaseId=a&period=0000-01-01/9999-12-31", "not_a_date", ["period"]),
    ("leaseId=a&period=2026-01-01/2026-01-31&limit=1", "unknown_parameter", ["limit"]),
]
"""Queries of `GET /pending-bills`: both inputs are needed, and a period has its form (A4, A44)."""

MEDIA_TYPES: dict[str, tuple[str, ...]] = {
    "unknown_media_type": (
        *("text/plain", "", "application/x-www-form-urlencoded", "application/jsonx"),
        *("application/merge-patch+json", "multipart/form-data; boundary=x"),
    ),
    "unknown_charset": (
        *("application/json; charset=latin-1", "application/json; charset=utf-16"),
    ),
}
ARCHIVE: Final = "/leases/id-2/archive"
OTHERS: list[tuple[str, str, object, str, str]] = [
    # A body where none belongs, a field where none belongs, and what is in the path already.
    ("GET", "/leases", {"limit": 3}, "unexpected_body", ""),
    ("GET", f"/leases?{'&'.join(['a=1'] * 101)}", None, "too_many", ""),
    ("POST", ARCHIVE, {"reason": "sold"}, "unknown_field", "reason"),
    ("PATCH", "/leases/id-2", {"leaseId": "other"}, "unknown_field", "leaseId"),
    ("PATCH", "/leases/id-2", {"lease_id": "other"}, "unknown_field", "lease_id"),
]


NO_KEY: Final = {"Authorization": ""}


class Wrong(NamedTuple):
    """A request with its refusal."""

    method: str
    address: str
    status: int
    code: str
    paths: Sequence[str] = ()
    body: object = None
    headers: Mapping[str, str] = MappingProxyType({})
    answered: Mapping[str, str] = MappingProxyType({})
    """Headers of the answer."""


WRONG: list[Wrong] = [
    *(Wrong("POST", "/tenancies", 400, code, paths, body) for body, code, paths in BODIES),
    *(Wrong("GET", f"/leases?{query}", 400, code, paths) for query, code, paths in QUERIES),
    Wrong("GET", "/leases?tenancyId=none", 404, "unknown_id"),
    *(
        Wrong("GET", path, status, code, ["leaseId"] if status == 400 else [])
        for path, status, code in PATHS
    ),
    *(Wrong("GET", f"/pending-bills?{query}", 400, code, paths) for query, code, paths in PERIODS),
    *(
        Wrong(each, "/leases/id-1", 405, "unknown_method", answered={"Allow": "GET, HEAD, PATCH"})
        for each in ("PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "", "É")
    ),
    *(
        Wrong("POST", page, 405, "unknown_method", [], None, NO_KEY, {"Allow": "GET, HEAD"})
        for page in ("/health", "/openapi.json", "/docs", "/problems/no-key")
    ),
    *(
        Wrong("POST", "/tenancies", 415, code, [], TENANCY, headers, {"Accept": JSON_BODY})
        for code, headers in (
            *((code, {"Content-Type": each}) for code in MEDIA_TYPES for each in MEDIA_TYPES[code]),
            ("unknown_coding", {"Content-Encoding": "gzip"}),
        )
    ),
    *(Wrong(method, at, 400, code, [path], body) for method, at, body, code, path in OTHERS),
]


@rows("wrong", WRONG)
def test_a_wrong_request_is_refused_by_its_place(wrong: Wrong) -> None:
    """With the paths as the caller spells them (A46), and the service goes on."""
    asked = service()
    with_lease(asked)

    answer = ask(asked, wrong.method, wrong.address, wrong.body, headers=wrong.headers)

    check_problem(answer, wrong.status, wrong.code, *wrong.paths)
    assert wrong.answered.items() <= dict(answer.headers).items()
    assert 201 == ask(asked, "POST", "/tenancies", TENANCY).status


@rows(
    ("method", "address", "headers"),
    [
        *(("GET", f"/leases?{each}", {}) for each in ("", "&", "&&limit=10&", "limit=%310")),
        # `/%6Ceases` is `/leases`.
        ("GET", "/%6Ceases", {}),
        ("GET", "/leases", {"Content-Length": "0"}),
        # Small and capital letters, a charset that is UTF-8, further parameters.
        ("POST", "/tenancies", {"Content-Type": "application/json"}),
        ("POST", "/tenancies", {"Content-Type": "application/json; charset=utf-8"}),
        ("POST", "/tenancies", {"Content-Type": "application/json;charset=UTF-8"}),
        ("POST", "/tenancies", {"Content-Type": 'application/json; charset="utf-8"'}),
        ("POST", "/tenancies", {"Content-Type": "Application/JSON"}),
        ("POST", "/tenancies", {"Content-Type": "application/json ; x=y"}),
    ],
)
def test_a_request_may_be_spelled_in_other_ways(
    method: str, address: str, headers: dict[str, str]
) -> None:
    body = TENANCY if method == "POST" else None

    answer = ask(service(), method, address, body, headers=headers)

    assert (201 if body else 200) == answer.status


@rows(
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


def test_an_id_may_hold_a_slash() -> None:
    """`%2F` is part of an id, and not of the path."""
    asked = service(new_id=iter(["a/b", "c/d é", "e"]).__next__)
    with_lease(asked)

    answer = ask(asked, "GET", "/leases/c%2Fd%20%C3%A9")

    assert (200, "c/d é") == (answer.status, data_of(answer)["id"])


def test_a_body_without_a_media_type_is_answered_415() -> None:
    answer = service().answer("POST", "/tenancies", "", {"Authorization": KEY}, SOUND)

    check_problem(answer, 415, "missing_media_type")


@rows(
    "declared",
    [{"Content-Length": "5"}, {"Content-Length": "²"}, {"Transfer-Encoding": "chunked"}],
)
@rows("method", ["GET", "HEAD"])
def test_a_get_that_declares_a_body_is_refused(declared: dict[str, str], method: str) -> None:
    answer = service().begin(method, "/leases", "", {"Authorization": KEY, **declared})

    assert isinstance(answer, HttpAnswer)
    assert 400 == answer.status


def test_null_in_the_body_is_absent() -> None:
    """Also for a parameter of the path (A6)."""
    asked = service()
    lease_id = with_lease(asked)

    answer = ask(asked, "PATCH", f"/leases/{lease_id}", {"leaseId": None, "purpose": "key:shop"})

    assert (200, "key:shop") == (answer.status, data_of(answer)["purpose"])


@rows("name", ["Authorization", "Content-Type", "Content-Encoding"])
def test_a_repeated_header_is_refused(name: str) -> None:
    pairs = [("Authorization", KEY), ("Content-Type", "application/json"), (name, "x")]
    pairs += [("content-encoding", "x")] if name == "Content-Encoding" else []

    answer = service().answer("POST", "/tenancies", "", pairs, SOUND)

    check_problem(answer, 400, "repeated_header", name.lower())


@rows("size", [1_000, 1_001])
def test_a_body_has_its_limit(size: int) -> None:
    """1,000 bytes are read where that is the limit, 1,001 are not."""
    body = SOUND + b" " * (size - len(SOUND))

    answer = ask(service(Limits(most_bytes=1_000)), "POST", "/tenancies", body)

    if size == 1_000:
        assert 201 == answer.status
    else:
        check_problem(answer, 413, "too_large")


@rows("length", ["1000001", "9" * 40, "10000000"])
def test_a_body_that_is_said_to_be_too_large_is_not_waited_for(length: str) -> None:
    headers = {"Authorization": KEY, "Content-Length": length}

    answer = service().begin("POST", "/tenancies", "", headers)

    assert isinstance(answer, HttpAnswer)
    check_problem(answer, 413, "too_large")


@rows(
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
def test_problems_of_the_json_text_are_listed_with_all_others(
    body: bytes, found: list[tuple[str, str]]
) -> None:
    answer = ask(service(), "POST", "/tenancies", body)

    assert 400 == answer.status
    assert found == [(each["path"], each["code"]) for each in data_of(answer)["problems"]]


def test_a_value_that_depends_on_an_odd_one_is_not_validated() -> None:
    amount = '{"currency": "DKK", "amount": 10}'
    body = (
        f'{{"payoutReason": "Refund", "payoutDate": "today", "gross": {amount}, "net": {amount},'
        f' "fees": {amount}, "fees": {amount}}}'
    )
    answer = ask(service(), "POST", "/payouts", body.encode())

    assert [("fees", "duplicate_key"), ("payoutDate", "not_a_date")] == [
        (each["path"], each["code"]) for each in data_of(answer)["problems"]
    ]


def test_problems_of_the_json_text_are_listed_with_those_of_the_path() -> None:
    answer = ask(
        service(), "PATCH", "/leases/a", b'{"leaseId": "b", "purpose": "c", "purpose": "d", "x": 1}'
    )

    assert [("purpose", "duplicate_key"), ("leaseId", "unknown_field"), ("x", "unknown_field")] == [
        (each["path"], each["code"]) for each in data_of(answer)["problems"]
    ]


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
