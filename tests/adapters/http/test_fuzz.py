"""Whatever is sent, something documented is answered, and the next caller is served."""

import json
from copy import deepcopy
from typing import Final
from urllib.parse import quote

from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from rentbilling.adapters.http import Limits
from rentbilling.adapters.http.docs.openapi import examples
from rentbilling.adapters.http.refusals import problem_schema
from rentbilling.interface import ENDPOINTS, Endpoint
from rentbilling.records import write_json
from rentbilling.service.problem_details import PROBLEM_KINDS
from tests.adapters.http.sample_session import after_the_session
from tests.adapters.http.served import (
    JSON_BODY,
    KEY,
    PROBLEM_BODY,
    READER,
    RENT,
    SECRET,
    STRANGER,
    ask,
    service,
    with_lease,
)

DOCUMENTED: Final = {200, 201, *(each.status for each in PROBLEM_KINDS.values())} - {500, 503}
PROBLEM: Final = Draft202012Validator(problem_schema())

ASKED: Final = examples()["operations"]
BODIES: Final = {
    **{
        name: json.loads(write_json(each["body"])) for name, each in ASKED.items() if "body" in each
    },
    # Again after the session, which has a product and a plan of January already.
    "record_product": {"productKey": "key:gym", "productName": {"en": "Gym"}},
    "create_rent_adjustment_plan": json.loads(
        write_json(ASKED["create_rent_adjustment_plan"]["body"]).replace(
            '"adjustmentMonth": 1', '"adjustmentMonth": 7'
        )
    ),
}
THERE: Final = {
    "tenancyId": "id-2",
    "leaseId": "id-3",
    "recurringBillItemId": "id-4",
    "oneTimeBillItemId": "id-5",
    "rentAdjustmentPlanId": "id-6",
    "productKey": "key:rent",
    "payoutId": "id-8",
}
"""What there is after the session, by the parameters that ask for it."""


def path_of(endpoint: Endpoint) -> str:
    return endpoint.path.format_map(THERE)


def test_the_bodies_that_are_changed_are_sound() -> None:
    """Each operation takes its own, so that all checks are met."""
    assert {name for name, each in ENDPOINTS.items() if each.has_body} == BODIES.keys()
    for name, body in BODIES.items():
        endpoint = ENDPOINTS[name]
        answer = ask(after_the_session(), endpoint.method, path_of(endpoint), body)
        assert endpoint.status == answer.status, answer.body


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
    body = deepcopy(draw(st.sampled_from([*BODIES.values()])))
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
    asked = after_the_session()
    told = [each for each in ENDPOINTS.values() if each.method == "GET"]
    seen = [path_of(each) for each in told if each.operation != "list_pending_bills"]
    before = [ask(asked, "GET", each).body for each in seen]

    answer = ask(asked, endpoint.method, path_of(endpoint), body)

    assert answer.status in DOCUMENTED, answer
    if answer.status >= 400:
        PROBLEM.validate(json.loads(answer.body))
        assert before == [ask(asked, "GET", each).body for each in seen]
