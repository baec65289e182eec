"""Gaps of the interface about the service itself: keys, refusals, bounds, events."""

import json
import socket
import subprocess
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

import pytest

from rentbilling import BillingPolicy, IndexSeries
from rentbilling.adapters.http import HttpAnswer, Limits, RentalService
from rentbilling.adapters.http.docs.openapi import openapi_document, openapi_text
from rentbilling.adapters.http.request_limits import TooManyError
from rentbilling.adapters.http.service import RequestHead
from rentbilling.service import StoreUnavailableError
from rentbilling.service.problem_details import PROBLEM_KINDS
from tests.adapters.http.served import (
    BILLS_ALONE,
    JSON_BODY,
    KEY,
    ask,
    check_problem,
    data_of,
    service,
)
from tests.conformance.proving import proves
from tests.conformance.samples import (
    BARE_ITEM,
    INDEX_RULE,
    RENT,
    TENANCY,
    Data,
    created,
    money,
    planned,
    told,
)
from tests.conformance.test_operations import ASKED, with_one_of_each

ITEMS: Final = "/recurring-bill-items"
YEAR: Final = "/pending-bills?leaseId=id-2&period=2026-01-01/2026-12-31"


# ----------------------------------------------------------------------------------------- keys


@proves("Authentication 3")
def test_no_operation_creates_a_key() -> None:
    """Keys are made and revoked by the operator (A45)."""
    assert [] == [path for path in openapi_document()["paths"] if "key" in path]


# ------------------------------------------------------------------------------------- refusals


class _Failing:
    """Stores that fail when they are opened."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    @contextmanager
    def reading(self, owner: str) -> Generator[Any]:
        raise self._error
        yield owner

    writing = reading


def _slow() -> HttpAnswer:
    of = service()
    begun = of.begin("POST", "/tenancies", "", {"Authorization": KEY, "Content-Type": JSON_BODY})
    assert isinstance(begun, RequestHead)
    return of.too_slow(begun)


def _too_many() -> HttpAnswer:
    of = service()
    begun = of.begin("GET", "/leases", "", {"Authorization": KEY})
    assert isinstance(begun, RequestHead)
    return of.too_many(begun, TooManyError("too_many_at_once", "there are 20 already"))


def _without_index() -> HttpAnswer:
    """Request bills after an adjustment whose index value is missing."""
    of = service(indices={"CPI": IndexSeries("CPI", {"2025-10": "120.0"})})
    told(of, "POST", "/tenancies", TENANCY)
    created(of, RENT)
    planned(of, {"rentAdjustmentRules": [INDEX_RULE]})
    return ask(of, "GET", YEAR.replace("2026", "2027"))


def _active() -> HttpAnswer:
    of = with_one_of_each()
    told(of, "PATCH", "/leases/id-2", {"operationalState": "Active", "contractStart": "2026-01-15"})
    return ask(of, "POST", "/leases/id-2/archive")


def _with_a_key_of_another() -> HttpAnswer:
    of, key = service(), {"Idempotency-Key": "one"}
    assert 201 == ask(of, "POST", "/tenancies", TENANCY, headers=key).status
    return ask(of, "POST", "/tenancies", {**TENANCY, "purpose": "key:other"}, headers=key)


UNKNOWN_LEASE: Final[Data] = {"leaseId": "none", "recurringBillItem": RENT}
REFUSED: Final[Mapping[str, Mapping[str, Callable[[], HttpAnswer]]]] = {
    "invalid-input": {
        "missing": lambda: ask(service(), "POST", "/tenancies", {"address": TENANCY["address"]}),
        "not_json": lambda: ask(service(), "POST", "/tenancies", b"{"),
        "unknown_field": lambda: ask(service(), "POST", "/tenancies", {**TENANCY, "pets": 1}),
        "unknown_parameter": lambda: ask(service(), "GET", "/leases?sort=id"),
        "out_of_range": lambda: ask(service(), "GET", "/leases?limit=0"),
        "unknown_cursor": lambda: ask(service(), "GET", "/leases?startingAfter=none"),
        "unexpected_body": lambda: ask(service(), "GET", "/leases", {"limit": 1}),
    },
    "unsupported": {
        "too_many_lines": lambda: ask(
            with_one_of_each(policy=BillingPolicy(max_lines=5)), "GET", YEAR
        )
    },
    "no-key": {
        "missing_key": lambda: service().answer("GET", "/leases"),
        "unknown_key": lambda: ask(service(), "GET", "/leases", key=f"Bearer {KEY}"),
    },
    "not-allowed": {"missing_right": lambda: ask(service(), "GET", "/leases", key=BILLS_ALONE)},
    "not-found": {
        "unknown_id": lambda: ask(service(), "GET", "/leases/none"),
        "unknown_id ": lambda: ask(service(), "GET", YEAR),
        "unknown_id  ": lambda: ask(service(), "POST", ITEMS, UNKNOWN_LEASE),
    },
    "unknown-path": {"unknown_path": lambda: ask(service(), "GET", "/nothing")},
    "method-not-allowed": {"unknown_method": lambda: ask(service(), "DELETE", "/leases")},
    "slow-body": {"slow_body": _slow},
    "too-many-requests": {"too_many_at_once": _too_many},
    "conflict": {"active_lease": _active},
    "missing-fact": {"missing_index": _without_index},
    "idempotency-key": {"key_reused": _with_a_key_of_another},
    "precondition-failed": {
        "changed_since": lambda: ask(
            with_one_of_each(),
            "PATCH",
            "/leases/id-2",
            {"purpose": "x"},
            headers={"If-Match": '"other"'},
        )
    },
    "too-large": {"too_large": lambda: ask(service(), "POST", "/tenancies", b" " * 1_000_001)},
    "address-too-long": {
        "address_too_long": lambda: ask(service(), "GET", f"/leases/{'1' * 8_000}")
    },
    "media-type": {
        "unknown_media_type": lambda: ask(
            service(), "POST", "/tenancies", TENANCY, headers={"Content-Type": "text/plain"}
        )
    },
    "internal": {
        "internal": lambda: ask(service(stores=_Failing(ValueError("x"))), "GET", "/leases")
    },
    "unavailable": {
        "store_unavailable": lambda: ask(
            service(stores=_Failing(StoreUnavailableError("store_unavailable", reason="busy"))),
            "GET",
            "/leases",
        )
    },
}
"""A call that leads to each kind of refusal, by its code."""


@proves("Errors 1")
@pytest.mark.parametrize(
    ("slug", "code"), [(slug, code) for slug, codes in REFUSED.items() for code in codes]
)
def test_every_kind_of_refusal_is_a_problem_document(slug: str, code: str) -> None:
    """RFC 9457: status, type, title, detail, a stable code, the request's id (A46)."""
    kind = PROBLEM_KINDS[slug]
    answer = REFUSED[slug][code]()
    data = data_of(answer)
    problems = data.get("problems", ())

    check_problem(answer, kind.status, code.strip(), *(each["path"] for each in problems))
    assert (f"/problems/{slug}", kind.title) == (data["type"], data["title"])
    assert (slug == "invalid-input") == bool(problems)
    # What is ours is told to the log alone.
    assert 500 != kind.status or "ValueError" not in answer.body.decode()


@proves("Errors 1")
def test_every_kind_of_refusal_is_tested() -> None:
    """Every kind of the service, and every status of the document, is produced."""
    responses = openapi_document()["components"]["responses"]
    statuses = {int(name.removeprefix("Problem")) for name in responses}

    assert set(PROBLEM_KINDS) == set(REFUSED)
    assert statuses <= {PROBLEM_KINDS[slug].status for slug in REFUSED}
    assert {400, 401, 403, 404, 408, 409, 412, 413, 414, 415, 429, 500, 503} == statuses


# --------------------------------------------------------------------------------------- bounds


def sent(**changes: object) -> HttpAnswer:
    of = service()
    told(of, "POST", "/tenancies", TENANCY)
    return ask(of, "POST", ITEMS, {"leaseId": "id-2", "recurringBillItem": BARE_ITEM | changes})


@proves("Limits 1")
@pytest.mark.parametrize(
    ("number", "code"),
    [
        # Texts, so that the digits are sent as they stand here.
        ("9999999999999.99", None),
        ("99999999999999.99", "too_many_digits"),
        ("0.30000000000000004", "too_many_digits"),
        ("1e999999", "too_many_digits"),
    ],
)
def test_numbers_have_fifteen_digits(number: str, code: str | None) -> None:
    """One digit more is refused and not rounded; huge numbers are refused as quickly (A1)."""
    of = service()
    told(of, "POST", "/tenancies", TENANCY)
    text = json.dumps({"leaseId": "id-2", "recurringBillItem": BARE_ITEM | {"amount": money(7)}})
    body = text.replace('"amount": 7', f'"amount": {number}')
    answer = ask(of, "POST", ITEMS, body.encode())

    if code is None:
        assert 201 == answer.status
    else:
        check_problem(answer, 400, code, "recurringBillItem.amount.amount")


def cycle(length: int, start: int) -> Data:
    return {"billingCycle": {"timeUnit": "Month", "periodLength": length, "start": start}}


@proves("Limits 1")
@pytest.mark.parametrize(
    ("most", "beyond", "path"),
    [
        ({"productKey": "k" * 250}, {"productKey": "k" * 251}, "productKey"),
        ({"description": "d" * 4_000}, {"description": "d" * 4_001}, "description"),
        (cycle(1_200, 12), cycle(1_201, 12), "billingCycle.periodLength"),
        (cycle(1_200, 12), cycle(1_200, 13), "billingCycle.start"),
        (
            {"dueDateRule": {"dayOfPeriod": 36_525}},
            {"dueDateRule": {"dayOfPeriod": 36_526}},
            "dueDateRule.dayOfPeriod",
        ),
        ({"quantity": 0.001}, {"quantity": 0}, "quantity"),
    ],
)
def test_fields_have_a_length_and_bounds(most: Data, beyond: Data, path: str) -> None:
    """One character or one unit beyond what is accepted is refused with the field's path (A46)."""
    answer = sent(**beyond)

    assert (201, 400) == (sent(**most).status, answer.status)
    assert [f"recurringBillItem.{path}"] == [each["path"] for each in data_of(answer)["problems"]]


@proves("Limits 1")
def test_answers_have_a_number_of_lines_and_days() -> None:
    """`max_lines` of the policy, counted before the lines are computed, and `most_days` (A60)."""
    for lines, status in ((12, 200), (11, 400)):
        of = with_one_of_each(policy=BillingPolicy(max_lines=lines))
        assert status == ask(of, "GET", YEAR).status
    for days, status in ((365, 200), (364, 400)):
        of = with_one_of_each(limits=Limits(most_days=days))
        assert status == ask(of, "GET", YEAR).status


@proves("Limits 1")
def test_there_is_no_rate_limit() -> None:
    """There is no rate limit unless the operator sets one, and no answer has a rate header."""
    of = with_one_of_each()
    answers = [ask(of, "GET", "/leases/id-2") for _ in range(500)]

    assert {200} == {each.status for each in answers}
    names = {name.lower() for each in answers for name, _ in each.headers}
    assert [] == [name for name in names if "rate" in name or "retry" in name]
    assert Limits().per_second is None


# --------------------------------------------------------------------------------------- events


class _Silence:
    """Records calls to the outside, and fails them."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def refuse(self, *to: object, **more: object) -> None:
        self.heard.append(f"{to} {more}")
        raise ConnectionRefusedError


@proves("Events 1")
@pytest.mark.parametrize("name", ASKED)
def test_an_operation_sends_nothing(name: str) -> None:
    """During an operation no connection is opened, no packet sent and no program started."""
    of: RentalService = with_one_of_each()
    silence = _Silence()
    address, body = ASKED[name]
    with (
        patch.object(socket.socket, "connect", silence.refuse),
        patch.object(socket.socket, "connect_ex", silence.refuse),
        patch.object(socket.socket, "sendto", silence.refuse),
        patch.object(socket, "getaddrinfo", silence.refuse),
        patch.object(subprocess, "Popen", silence.refuse),
    ):
        answer = ask(of, name.split(maxsplit=1)[0], address, body)

    assert answer.status in (200, 201)
    assert [] == silence.heard


@proves("Events 1")
def test_there_are_no_events() -> None:
    """The document has no webhooks or callbacks, and no request has an address to call."""
    document = json.loads(openapi_text())
    fields = {
        name for each in document["components"]["schemas"].values() for name in each["properties"]
    }

    assert "webhooks" not in document
    assert '"callbacks"' not in openapi_text()
    assert [] == [name for name in fields if name.lower().endswith(("url", "uri", "webhook"))]
