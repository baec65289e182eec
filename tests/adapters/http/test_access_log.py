"""The access log tells who asked for what, and no secret."""

import json
import logging
from typing import Any

import pytest

from tests.adapters.http.served import KEY, RENT, SECRET, TENANCY, ask, service, with_lease


def lines_of(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [
        json.loads(each.getMessage())
        for each in caplog.records
        if each.name == "rentbilling.service.keys"
    ]


def test_a_line_tells_who_asked_for_what(caplog: pytest.LogCaptureFixture) -> None:
    asked = service()
    lease_id = with_lease(asked, RENT)
    with caplog.at_level(logging.INFO, "rentbilling.service.keys"):
        answer = ask(asked, "GET", f"/leases/{lease_id}", headers={"X-Request-Id": "r-1"})

    (line,) = lines_of(caplog)
    assert line.pop("ms") >= 0
    assert {
        "method": "GET",
        "route": "/leases/{leaseId}",
        "status": 200,
        "bytes": len(answer.body),
        "owner": "acme",
        "keyId": "all",
        "requestId": "r-1",
    } == line


@pytest.mark.parametrize(
    ("method", "address", "key", "expected"),
    [
        ("GET", "/leases?limit=0", KEY, ("GET", "/leases", 400, "acme")),
        ("GET", "/leases", "no key", ("GET", "/leases", 401, None)),
        ("GET", "/nowhere/hunter2", KEY, ("GET", None, 404, None)),
        ("DELETE", "/leases", KEY, ("DELETE", None, 405, None)),
        ("HUNTER2", "/leases", KEY, ("other", None, 405, None)),
        ("GET", "/health", "", ("GET", "/health", 200, None)),
    ],
)
def test_a_refusal_has_its_line_too(
    method: str,
    address: str,
    key: str,
    expected: tuple[str, str | None, int, str | None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO, "rentbilling.service.keys"):
        ask(service(), method, address, key=key)

    (line,) = lines_of(caplog)
    assert expected == (line["method"], line.get("route"), line["status"], line.get("owner"))


def test_no_line_tells_a_secret(caplog: pytest.LogCaptureFixture) -> None:
    asked = service()
    with caplog.at_level(logging.DEBUG):
        ask(asked, "POST", "/tenancies", {**TENANCY, "purpose": "hunter2", "hunter3": 1})
        ask(asked, "GET", "/leases?startingAfter=hunter4&hunter5=1")
        ask(asked, "GET", "/leases/hunter6")
        ask(asked, "GET", "/hunter7")
        ask(asked, "GET", "/leases", key="rent_hunter8_" + SECRET)

    assert 5 == len(lines_of(caplog))
    assert "hunter" not in caplog.text
    assert SECRET not in caplog.text


def test_nothing_is_written_where_nobody_listens(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "rentbilling.service.keys"):
        ask(service(), "GET", "/leases")

    assert [] == lines_of(caplog)
