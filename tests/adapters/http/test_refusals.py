"""A wrong request is answered with all its problems, an internal error with nothing inside it."""

import logging
import re
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from rentbilling.adapters.http.refusals import (
    problem_schema,
    refusal_of,
    type_pattern,
)
from rentbilling.adapters.stores import MemoryStores
from rentbilling.errors import (
    ConflictError,
    InvalidRecordError,
    MissingIndexError,
    NotAllowedError,
    NotFoundError,
    RentBillingError,
    UnknownWordError,
    UnsupportedCaseError,
)
from rentbilling.interface import Tenancy
from rentbilling.service import Store, Stored, StoreError, StoreUnavailableError
from rentbilling.service.problem_details import INTERNAL, PROBLEM_KINDS, problem
from tests.adapters.http import served
from tests.support.rows import rows

STEP = {"year": "2027", "percentage": 0.03, "recurrence": "OneTime"}


class Failing:
    """Stores that fail: when they are opened, in the middle of an operation, or at its end."""

    def __init__(self, error: Exception, when: str = "opened") -> None:
        self.error, self.when = error, when
        self.inner = MemoryStores()

    @contextmanager
    def _around(self, opened: AbstractContextManager[Store]) -> Generator[Store]:
        if self.when == "opened":
            raise self.error
        with opened as store:
            if self.when == "inside":
                store.add = self._fail  # type: ignore[method-assign, assignment]
            yield store
            if self.when == "at its end":
                raise self.error

    def _fail(self, _kept: Stored[Any]) -> None:
        raise self.error

    def reading(self, owner: str) -> AbstractContextManager[Store]:
        return self._around(self.inner.reading(owner))

    def writing(self, owner: str) -> AbstractContextManager[Store]:
        return self._around(self.inner.writing(owner))


@pytest.mark.parametrize("when", ["opened", "inside", "at its end"])
@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("password=hunter2 at /etc/secret"),
        KeyError("hunter2"),
        RecursionError("hunter2"),
        MemoryError("hunter2"),
        StoreError("store_failed", reason="hunter2"),
        RentBillingError("hunter2"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_internal_error_shows_nothing_of_its_inside(
    error: Exception, when: str, caplog: pytest.LogCaptureFixture
) -> None:
    stores = Failing(error, when)
    asked = served.service(stores=stores)

    with caplog.at_level(logging.ERROR, "rentbilling.service"):
        answer = served.ask(asked, "POST", "/tenancies", served.TENANCY)

    data = served.check_problem(answer, 500, "internal")
    assert b"hunter2" not in answer.body
    (record,) = caplog.records
    assert data["requestId"] in record.getMessage()
    assert record.exc_info is not None
    assert error is record.exc_info[1]
    # What failed at any point was kept at none.
    with stores.inner.reading("acme") as store:
        assert [] == list(store.page(Tenancy, limit=100))


def test_the_service_goes_on_after_a_fault() -> None:
    stores = Failing(RuntimeError("x"))
    asked = served.service(stores=stores)
    assert 500 == served.ask(asked, "GET", "/leases").status

    stores.when = "never"

    assert 200 == served.ask(asked, "GET", "/leases").status


@rows("when", ["opened", "at its end"])
def test_a_store_out_of_reach_is_answered_503(when: str) -> None:
    error = StoreUnavailableError("store_unavailable", reason="busy")

    answer = served.ask(
        served.service(stores=Failing(error, when)), "POST", "/tenancies", served.TENANCY
    )

    data = served.check_problem(answer, 503, "store_unavailable")
    assert ("1", "the database is busy") == (dict(answer.headers)["Retry-After"], data["detail"])


def test_health_is_that_of_the_store() -> None:
    """200 where keys and store can be read, 503 where one of them cannot."""
    fine = served.service().answer("GET", "/health")
    ill = served.service(stores=Failing(OSError("x"))).answer("GET", "/health")

    assert (200, {"status": "ok"}) == (fine.status, served.data_of(fine))
    said = "nothing can be stored at the moment"
    assert said == served.check_problem(ill, 503, "store_out_of_reach")["detail"]
    full = Failing(StoreUnavailableError("store_unavailable", reason="full"))
    ill = served.service(stores=full).answer("GET", "/health")
    assert f"{said}: the database is full" == served.data_of(ill)["detail"]


@rows(
    ("error", "status", "code"),
    [
        (InvalidRecordError.of("a", "missing", "is required", None, "a value"), 400, "missing"),
        # Unknown words are refused input and a missing fact: what was sent is told first.
        (UnknownWordError.of("a", "unknown_word", "is unknown", 1, "one"), 400, "unknown_word"),
        (UnsupportedCaseError("unsupported", case="x"), 400, "unsupported"),
        (NotAllowedError("archived"), 403, "archived"),
        (NotFoundError("unknown_id", kind="lease", id="x"), 404, "unknown_id"),
        (ConflictError("active_lease", lease="x"), 409, "active_lease"),
        (MissingIndexError("missing_index", series="x"), 409, "missing_index"),
    ],
)
def test_an_error_of_the_core_has_its_status(
    error: RentBillingError, status: int, code: str
) -> None:
    """As A46 says; never 422."""
    refused = refusal_of(error)

    assert (status, code) == (refused.kind.status, refused.code)
    # Any other framework answers the same; the service adds the id of the request.
    told, answer = problem(error, mount="/rent"), refused.answer("r1", 1_000, "/rent")
    assert (status, {**told.body, "requestId": "r1"}) == (told.status, served.data_of(answer))


def test_an_error_that_means_nothing_to_a_caller_is_a_fault() -> None:
    refused = refusal_of(RentBillingError("odd"))

    assert (refused.kind.slug, refused.detail) == ("internal", INTERNAL)


@rows("slug", PROBLEM_KINDS)
def test_a_type_of_problem_can_be_looked_up(slug: str) -> None:
    kind = PROBLEM_KINDS[slug]

    answer = served.service().answer("GET", kind.type)

    told = {"type": kind.type, "title": kind.title, "status": kind.status, "meaning": kind.meaning}
    assert (200, told) == (answer.status, served.data_of(answer))


@rows(
    ("mount", "expected"),
    [
        ("", "/problems/no-key"),
        ("/", "/problems/no-key"),
        ("/rent", "/rent/problems/no-key"),
        ("/rent/", "/rent/problems/no-key"),
        ("rent/v1", "/rent/v1/problems/no-key"),
        ("/with%20blank", "/with%20blank/problems/no-key"),
        # A reference that begins with two slashes would name another host.
        ("//elsewhere.example", "/elsewhere.example/problems/no-key"),
    ],
)
def test_a_type_leads_to_its_page_where_the_service_is_mounted(mount: str, expected: str) -> None:
    asked = served.service()

    refused = served.data_of(asked.answer("GET", "/leases", mount=mount))
    page = served.data_of(asked.answer("GET", "/problems/no-key", mount=mount))

    assert (expected, expected) == (refused["type"], page["type"])
    assert re.search(problem_schema()["properties"]["type"]["pattern"], expected)
    assert re.search(type_pattern([PROBLEM_KINDS["no-key"]]), expected)


@rows("text", ["/problems/no-keys", "problems/no-key", "/problems/", "no-key"])
def test_a_type_that_there_is_not_is_none_of_the_schema(text: str) -> None:
    assert not re.search(problem_schema()["properties"]["type"]["pattern"], text)


def test_a_period_after_the_calendar_is_refused_with_a_plan_too() -> None:
    """An adjusted rent of ten days each, in December 9999, is no internal error (A46)."""
    cycle = {"timeUnit": "Day", "periodLength": 10, "start": 1}
    rule = {"adjustmentType": "Increment", "adjustmentMonth": 1, "increments": [STEP]}
    asked = served.service()
    lease_id = served.with_lease(asked, {**served.RENT, "billingCycle": cycle})
    plan = {"leaseId": lease_id, "rentAdjustmentPlan": {"rentAdjustmentRules": [rule]}}
    assert 201 == served.ask(asked, "POST", "/rent-adjustment-plans", plan).status

    period = "9999-12-01/9999-12-31"
    answer = served.ask(asked, "GET", f"/pending-bills?leaseId={lease_id}&period={period}")

    data = served.check_problem(answer, 400, "unsupported")
    assert "not supported: an accounting period that ends after 9999-12-31" == data["detail"]
