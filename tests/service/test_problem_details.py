"""The answer to an error, for any framework: status and body as RFC 9457 has them."""

import json

from rentbilling import service
from rentbilling.errors import (
    ConflictError,
    InvalidRecordError,
    MissingFactError,
    NotAllowedError,
    NotFoundError,
    Problem,
    RentBillingError,
    UnknownWordError,
    UnsupportedCaseError,
)
from rentbilling.service.problem_details import summary
from tests.support.rows import rows

MISSING = Problem("a", "missing", "is required", "nothing", "a value")
ODD = Problem("b[0]", "odd", "is odd", "1", "2")
ONE = "a: is required (met nothing; expected a value)"


@rows(
    ("error", "status", "slug", "code", "detail"),
    [
        (InvalidRecordError([MISSING]), 400, "invalid-input", "missing", ONE),
        (
            InvalidRecordError([MISSING, ODD]),
            400,
            "invalid-input",
            "missing",
            f"2 problems, the first: {ONE}",
        ),
        (UnknownWordError([ODD]), 400, "invalid-input", "odd", str(ODD)),
        (UnsupportedCaseError("unsupported", case="x"), 400, "unsupported", "unsupported", None),
        (NotAllowedError("archived"), 403, "not-allowed", "archived", None),
        (NotFoundError("unknown_id", kind="lease", id="x"), 404, "not-found", "unknown_id", None),
        (ConflictError("active_lease"), 409, "conflict", "active_lease", None),
        (MissingFactError("missing_index"), 409, "missing-fact", "missing_index", None),
        (
            service.StoreUnavailableError("store_unavailable", reason="busy"),
            503,
            "unavailable",
            "store_unavailable",
            "the database is busy",
        ),
        (service.StoreError("store_failed"), 500, "internal", "internal", service.INTERNAL),
        (RentBillingError("secret"), 500, "internal", "internal", service.INTERNAL),
        (RuntimeError("secret"), 500, "internal", "internal", service.INTERNAL),
    ],
)
def test_an_error_has_its_status_and_its_body(
    error: Exception, status: int, slug: str, code: str, detail: str | None
) -> None:
    """Only invalid input has a list of problems; an internal error says nothing of itself."""
    answer = service.problem(error)
    expected = {
        "type": f"/problems/{slug}",
        "title": service.PROBLEM_KINDS[slug].title,
        "status": status,
        "detail": str(error) if detail is None else detail,
        "code": code,
    }
    if problems := getattr(error, "problems", ()):
        expected["problems"] = [each._asdict() for each in problems]

    assert (status, expected) == (answer.status, answer.body)
    assert expected == json.loads(json.dumps(answer.body))
    below = service.problem(error, mount="https://example.com").body
    assert f"https://example.com/problems/{slug}" == below["type"]


def test_problems_of_which_there_may_be_more_say_so() -> None:
    assert f"1 problems or more, the first: {ONE}" == summary([MISSING], are_all=False)


def test_the_page_of_a_kind_is_its_meaning() -> None:
    kind = service.PROBLEM_KINDS["no-key"]
    page = json.loads(kind.page("/rent"))

    assert ("/problems/no-key", "/rent/problems/no-key") == (kind.type, page["type"])
    assert "r1" == kind.body("missing_key", "said", request_id="r1")["requestId"]
    assert (kind.title, kind.status, kind.meaning) == (
        page["title"],
        page["status"],
        page["meaning"],
    )


def test_a_path_of_a_name_that_a_caller_made_up_is_cut() -> None:
    """400 characters are more than any field has."""
    body = service.problem(InvalidRecordError([MISSING._replace(path="a" * 401)])).body

    assert body["problems"][0]["path"] == "a" * 400 + "…"
    assert body["detail"].startswith("a" * 400 + "…: ")


def test_problems_of_long_names_are_bounded_in_bytes() -> None:
    """Of 400 characters of six bytes each, about 2,500 with the rest, 100 have room in 250,000."""
    long = Problem("\x01" * 400, "odd", "is odd", "1", "2")
    one = len(json.dumps(service.problem(InvalidRecordError([long])).body["problems"][0]))
    listed = service.problem(InvalidRecordError([long] * 1_000)).body["problems"]

    assert 2_400 < one < 2_600
    assert 250_000 // one - 2 <= len(listed) <= 250_000 // one + 2
