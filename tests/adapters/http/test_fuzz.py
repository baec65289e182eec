"""Whatever is sent, something documented is answered, and the next caller is served."""

import json
from typing import Any, Final
from urllib.parse import quote

from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from rentbilling.adapters.http import Limits, RentalService
from rentbilling.adapters.http.problems import PROBLEM_KINDS, problem_schema
from rentbilling.interface import ENDPOINTS, Endpoint
from tests.adapters.http.served import (
    ADDRESS,
    JSON_BODY,
    KEY,
    PROBLEM_BODY,
    READER,
    RENT,
    SECRET,
    STRANGER,
    TENANCY,
    ask,
    service,
    with_lease,
)

DOCUMENTED: Final = {200, 201, *(each.status for each in PROBLEM_KINDS.values())} - {500, 503}
PROBLEM: Final = Draft202012Validator(problem_schema())

RULE: Final[dict[str, Any]] = {
    "id": "r",
    "adjustmentType": "Increment",
    "adjustmentMonth": 1,
    "increments": [{"year": "2027", "percentage": 0.02, "recurrence": "Recurring"}],
}
PLAN: Final = {"adjusteeRef": "id-3", "rentAdjustmentRules": [RULE]}
ONCE: Final = {
    "productKey": "key:fee",
    "amount": {"currency": "DKK", "amount": 100.5},
    "vat": {"taxMode": "Exclusive", "taxRate": 0.25},
    "dueDate": "2026-02-01",
    "accountingPeriod": "2026-02-01/2026-02-28",
}
PAID: Final = {
    "payoutReason": "Payment",
    "payoutDate": "2026-01-31",
    "net": {"currency": "DKK", "amount": 9},
    "fees": {"currency": "DKK", "amount": 1},
    "gross": {"currency": "DKK", "amount": 10},
}
BODIES: Final[tuple[Any, ...]] = (
    TENANCY,
    {"leaseId": "id-2", "recurringBillItem": RENT},
    {"leaseId": "id-2", "oneTimeBillItem": ONCE},
    {"leaseId": "id-2", "rentAdjustmentPlan": PLAN},
    {"operationalState": "Active", "contractStart": "2026-01-15"},
    {"balances": [{"balanceChargeType": "deposit", "amount": {"currency": "DKK", "amount": 3}}]},
    {"address": ADDRESS, "roomCounts": [{"type": "BEDROOM", "count": 2}], "clear": ["unitType"]},
    {"productKey": "key:rent", "productName": {"en": "Rent"}},
    PAID,
    {"tenancyId": "id-1", "purpose": "key:office"},
    {"quantity": 3, "vat": {"taxMode": "Exempt"}, "clear": ["description"]},
    {"endedOn": "2030-12-31", "clear": ["cancelledOn"]},
    {"productName": {"da": "Motion"}, "archived": True, "clear": ["position"]},
)
THERE: Final = {
    "tenancyId": "id-1",
    "leaseId": "id-2",
    "recurringBillItemId": "id-3",
    "oneTimeBillItemId": "id-4",
    "rentAdjustmentPlanId": "id-5",
    "productKey": "key:gym",
    "payoutId": "id-7",
}
"""What there is, by the parameters that ask for it."""


def with_one_of_each() -> RentalService:
    asked = service()
    with_lease(asked, RENT)
    plan = {**PLAN, "rentAdjustmentRules": [{**RULE, "adjustmentMonth": 7}]}
    for path, body in (
        ("/one-time-bill-items", {"leaseId": "id-2", "oneTimeBillItem": ONCE}),
        ("/rent-adjustment-plans", {"leaseId": "id-2", "rentAdjustmentPlan": plan}),
        ("/products", {"productKey": "key:gym", "productName": {"en": "Gym"}}),
        ("/payouts", PAID),
    ):
        created = ask(asked, "POST", path, body)
        assert 201 == created.status, created.body
    return asked


def path_of(endpoint: Endpoint) -> str:
    return endpoint.path.format_map(THERE)


def test_the_bodies_that_are_changed_are_sound() -> None:
    """Each is taken by an operation, and each operation takes one, so that all checks are met."""
    taken: list[str] = []
    for body in BODIES:
        for name, endpoint in ENDPOINTS.items():
            asked = with_one_of_each()
            path = path_of(endpoint)
            if endpoint.has_body and ask(asked, endpoint.method, path, body).status < 400:
                taken.append(name)

    assert [
        "create_tenancy",
        "create_recurring_bill_item",
        "create_one_time_bill_item",
        "create_rent_adjustment_plan",
        "change_lease",
        "change_lease",
        "change_tenancy",
        "record_product",
        "record_payout",
        "create_lease",
        "change_one_time_bill_item",
        "change_recurring_bill_item",
        "change_rent_adjustment_plan",
        "change_product",
    ] == taken
    assert set(taken) == {name for name, each in ENDPOINTS.items() if each.has_body}


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(
        ["", "\ud800", "\0", "2026-01-01", "DKK", 10**15, 10**400, -1, 0, 1e308, 0.1, "id-2"]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)


@st.composite
def changed(draw: st.DrawFn) -> bytes:
    """Draw a sound body in which one value is replaced, added or left out, anywhere."""
    body = json.loads(json.dumps(draw(st.sampled_from(BODIES))))
    at = body
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = draw(st.sampled_from(keys)) if keys else None
        if key is None or not isinstance(at[key], dict | list) or draw(st.booleans()):
            break
        at = at[key]
    step = draw(st.sampled_from(["replace", "add", "remove", "nothing"]))
    if step == "replace" and key is not None:
        at[key] = draw(anything)
    elif step == "add" and isinstance(at, dict):
        at[draw(st.text(max_size=9))] = draw(anything)
    elif step == "remove" and key is not None:
        del at[key]
    return json.dumps(body).encode("utf-8", "surrogatepass")


bodies = st.one_of(
    changed(),
    changed(),
    anything.map(lambda data: json.dumps(data).encode()),
    anything.map(lambda data: json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")),
    st.binary(max_size=60),
    st.sampled_from([b"", b"{}", b"[" * 3_000, b'{"a":' * 3_000, b" " * 2_001]),
)
ids = st.sampled_from(
    ["id-1", "id-2", "id-3", "none", "%00", "%ff", "..", "a%2Fb"]
) | st.text().map(lambda text: quote(text, safe="", errors="replace"))
texts = st.text(max_size=12)


@st.composite
def paths(draw: st.DrawFn) -> str:
    path: str = draw(st.sampled_from([each.path for each in ENDPOINTS.values()]))
    for name in THERE:
        path = path.replace(f"{{{name}}}", draw(ids) if f"{{{name}}}" in path else "")
    twist = draw(st.sampled_from(["", "", "", "/", "//", "%2F", "?", "#", "\ud800", "é"]))
    return draw(st.sampled_from([path + twist, path + twist, draw(texts)]))


@st.composite
def queries(draw: st.DrawFn) -> str:
    names = st.sampled_from(["limit", "startingAfter", "leaseId", "tenancyId", "period"]) | texts
    values = st.sampled_from(
        ["1", "100", "0", "id-1", "id-2", "2026-01-01/2026-12-31", "9999-12-01/9999-12-31"]
    )
    pairs = draw(st.lists(st.tuples(names, values | texts), max_size=3))
    if draw(st.booleans()):
        pairs = [("leaseId", "id-2"), ("period", draw(values))]
    encode = draw(st.booleans())
    return "&".join(
        f"{quote(name, errors='replace') if encode else name}="
        f"{quote(value, errors='replace') if encode else value}"
        for name, value in pairs
    )


headers = st.fixed_dictionaries(
    {},
    optional={
        "Authorization": st.sampled_from(
            [KEY, KEY, KEY, KEY, READER, STRANGER, "rent_x_" + SECRET, "Bearer " + KEY, ""]
        )
        | texts,
        "Content-Type": st.sampled_from([JSON_BODY, JSON_BODY, JSON_BODY, "text/plain"]) | texts,
        "Content-Length": st.sampled_from(["0", "5", "99999999", "-1", "²"]),
        "Content-Encoding": st.sampled_from(["identity", "gzip"]),
        "X-Request-Id": texts,
    },
)
keyed = headers.map(lambda given: {"Authorization": KEY, "Content-Type": JSON_BODY, **given})
methods = st.sampled_from(["GET", "POST", "PATCH", "HEAD", "DELETE", "OPTIONS"]) | texts
sound_methods = st.sampled_from(["GET", "POST", "PATCH"])


@given(
    method=sound_methods | sound_methods | methods,
    path=paths(),
    query=st.just("") | queries(),
    given_headers=keyed | headers,
    body=st.just(b"") | bodies,
)
def test_whatever_is_sent_something_documented_is_answered(
    method: str, path: str, query: str, given_headers: dict[str, str], body: bytes
) -> None:
    asked = service(Limits(most_bytes=2_000))
    lease_id = with_lease(asked, RENT)

    answer = asked.answer(method, path, query, given_headers, body)

    told = dict(answer.headers)
    assert answer.status in DOCUMENTED, answer
    assert "X-Request-Id" in told
    if method == "HEAD":
        assert b"" == answer.body
    else:
        assert str(len(answer.body)) == told["Content-Length"]
        # Strict UTF-8, and no half characters in it.
        data = json.loads(answer.body.decode())
        json.dumps(data, ensure_ascii=False).encode()
        assert (answer.status >= 400) == (PROBLEM_BODY == told["Content-Type"])
        if answer.status >= 400:
            PROBLEM.validate(data)
    for name, value in answer.headers:
        assert name.isascii()
        assert value.isprintable()
    assert 200 == ask(asked, "GET", f"/leases/{lease_id}").status
    assert 200 == ask(asked, "GET", "/leases?limit=100").status


@given(operation=st.sampled_from(sorted(ENDPOINTS)), body=changed())
def test_a_body_that_is_nearly_sound_is_answered_as_documented(operation: str, body: bytes) -> None:
    endpoint = ENDPOINTS[operation]
    asked = with_one_of_each()
    told = [each for each in ENDPOINTS.values() if each.method == "GET"]
    seen = [path_of(each) for each in told if each.operation != "list_pending_bills"]
    before = [ask(asked, "GET", each).body for each in seen]

    answer = ask(asked, endpoint.method, path_of(endpoint), body)

    assert answer.status in DOCUMENTED, answer
    if answer.status >= 400:
        PROBLEM.validate(json.loads(answer.body))
        assert before == [ask(asked, "GET", each).body for each in seen]
