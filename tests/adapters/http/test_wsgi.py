"""The application of WSGI answers what the service answers."""

import json
import logging
from io import BytesIO
from typing import Any
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

import pytest

from rentbilling.adapters.http import Limits, create_wsgi_app
from rentbilling.adapters.http.service import RentalService
from tests.adapters.http import served
from tests.support.rows import rows

SOUND = json.dumps(served.TENANCY).encode()


def called(
    asked: RentalService,
    method: str,
    path: str,
    body: bytes = b"",
    **environ: Any,  # noqa: ANN401
) -> tuple[int, dict[str, str], bytes]:
    """Return what comes back from the application, whose conduct is judged by the validator."""
    path, _, query = path.partition("?")
    given = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "HTTP_AUTHORIZATION": served.KEY,
        "HTTP_X_REQUEST_ID": "one",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
        **({"CONTENT_TYPE": served.JSON_BODY} if body else {}),
        **environ,
    }
    setup_testing_defaults(given)
    told: list[Any] = []

    def start_response(*start: Any) -> Any:  # noqa: ANN401
        told.extend(start)
        return lambda _data: None

    whole = validator(create_wsgi_app(asked))(given, start_response)
    try:
        answer = b"".join(whole)
    finally:
        whole.close()  # type: ignore[attr-defined]
    return int(told[0][:3]), dict(told[1]), answer


def test_it_answers_what_the_service_answers() -> None:
    asked = served.service()
    lease_id = served.with_lease(asked, served.RENT)
    for method, address in (
        ("GET", f"/leases/{lease_id}"),
        ("HEAD", f"/leases/{lease_id}"),
        ("GET", f"/pending-bills?leaseId={lease_id}&period=2026-01-01/2026-03-31"),
        ("GET", "/leases?limit=0"),
        ("GET", "/none"),
        ("DELETE", "/leases"),
        ("GET", "/health"),
    ):
        expected = served.ask(asked, method, address, headers={"X-Request-Id": "one"})

        found = called(asked, method, address)

        assert (expected.status, dict(expected.headers), expected.body) == found


def test_ids_are_utf_8() -> None:
    """WSGI has paths as Latin-1."""
    asked = served.service(new_id=iter(["a", "é ☃", "b"]).__next__)
    served.with_lease(asked)

    status, _, body = called(asked, "GET", "/leases/é ☃".encode().decode("latin-1"))

    assert (200, "é ☃") == (status, json.loads(body)["id"])


@rows(
    ("mount", "expected"),
    [("", ""), ("/rent", "/rent"), ("/é".encode().decode("latin-1"), "/%C3%A9")],
)
def test_a_type_of_problem_is_below_the_mount(mount: str, expected: str) -> None:
    status, _, body = called(
        served.service(), "GET", "/leases", HTTP_AUTHORIZATION="", SCRIPT_NAME=mount
    )

    assert (401, f"{expected}/problems/no-key") == (status, json.loads(body)["type"])


@rows(
    ("body", "environ", "status"),
    [
        (SOUND, {"CONTENT_LENGTH": "", "wsgi.input_terminated": True}, 201),
        # Without an end the body is none.
        (SOUND, {"CONTENT_LENGTH": ""}, 400),
        (SOUND, {"CONTENT_LENGTH": "5"}, 400),
        (b" " * 1_001, {"CONTENT_LENGTH": "", "wsgi.input_terminated": True}, 413),
        (b" " * 1_001, {}, 413),
        (SOUND, {"CONTENT_TYPE": "text/plain"}, 415),
        (SOUND, {"HTTP_AUTHORIZATION": ""}, 401),
    ],
)
def test_bodies_are_limited(body: bytes, environ: dict[str, Any], status: int) -> None:
    asked = served.service(Limits(most_bytes=1_000))

    assert status == called(asked, "POST", "/tenancies", body, **environ)[0]


def test_no_more_of_a_body_is_read_than_shows_that_it_is_too_large() -> None:
    """Of 100,000 bytes without a length, 1,001."""
    sent = BytesIO(b" " * 100_000)
    terminated: dict[str, Any] = {"CONTENT_LENGTH": "", "wsgi.input_terminated": True}

    called(
        served.service(Limits(most_bytes=1_000)),
        "POST",
        "/tenancies",
        CONTENT_TYPE=served.JSON_BODY,
        **{"wsgi.input": sent, **terminated},
    )

    assert 1_001 == sent.tell()


def test_it_has_its_line_in_the_access_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "rentbilling.access"):
        called(served.service(), "GET", "/leases")

    (record,) = caplog.records
    assert "/leases" == json.loads(record.getMessage())["route"]


def test_a_limit_that_it_would_not_keep_is_refused() -> None:
    with pytest.raises(ValueError, match="per_second is counted by the application of ASGI"):
        create_wsgi_app(served.service(Limits(per_second=5)))
