"""A service in memory for unit tests: alike in every run, and nothing but the wire is missing."""

import asyncio
import socket
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from rentbilling import BillingPolicy, testing
from rentbilling.adapters.client import (
    InvalidRequestError,
    ObjectNotFoundError,
    RentalClient,
    RequestNotAllowedError,
    ServiceUnavailableError,
)
from rentbilling.adapters.http import HttpAnswer
from rentbilling.errors import InvalidPeriodError, NotFoundError
from rentbilling.interface import ChangeLease
from tests.support.rows import rows
from tests.testing.test_pytest_assertions import pytest_process, pytest_run


def rent_due(client: RentalClient, lease_id: str, month: str) -> str:
    """Return what is due in a month: the code of somebody who calls the service."""
    bills = client.pending_bills(lease_id, f"{month}-01/{month}-28")
    return ", ".join(str(bill.total) for bill in bills)


def test_a_lease_of_8500_is_due_in_full(rental_client: RentalClient) -> None:
    lease_id = rental_client.create_tenancy(testing.a_tenancy()).lease_id
    rental_client.create_recurring_bill_item(lease_id, testing.a_rent(amount="8500.00"))

    assert "8500.00 DKK" == rent_due(rental_client, lease_id, "2026-02")


def test_the_fixtures_know_each_other(
    rental_service: testing.ServiceInMemory, rental_client: RentalClient
) -> None:
    assert rental_service.client is rental_client
    assert [] == [*rental_client.tenancies()]


def session(service: testing.ServiceInMemory) -> list[str]:
    with service as client:
        made = client.create_tenancy(testing.a_tenancy())
        created = client.create_recurring_bill_item(made.lease_id, testing.a_rent())
        with pytest.raises(ObjectNotFoundError) as caught:
            client.retrieve_lease("lease-9")
        archived = client.archive_lease(made.lease_id)
        bills = client.pending_bills(made.lease_id, "2026-02-01/2026-02-28")
        return [*map(repr, (made, created, archived, bills.bills)), str(caught.value)]


def test_two_runs_say_the_same() -> None:
    """Ids of objects count from 1, those of requests too, and it is noon of 1 January 2026."""
    first, second = session(testing.a_service()), session(testing.a_service())

    assert first == second
    assert "TenancyCreated(tenancy_id='id-1', lease_id='id-2')" == first[0]
    assert "datetime.datetime(2026, 1, 1, 12, 0, tzinfo=datetime.timezone.utc)" in first[2]
    assert "request request-3)" in first[-1]


def test_no_socket_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("a socket was asked for")

    monkeypatch.setattr(socket, "socket", refused)
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:8080")

    assert 5 == len(session(testing.a_service()))


def test_owners_do_not_see_each_other() -> None:
    service = testing.a_service(owner="acme")
    other = service.client_of("other")

    made = service.client.create_tenancy(testing.a_tenancy())
    mine = other.create_tenancy(testing.a_tenancy())

    assert ("id-1", "id-3") == (made.tenancy_id, mine.tenancy_id)
    assert ["id-3"] == [each.id for each in other.tenancies()]
    assert ["id-1"] == [each.id for each in service.client_of("acme").tenancies()]
    with pytest.raises(NotFoundError):
        other.retrieve_lease(made.lease_id)


def test_a_client_has_the_rights_that_it_was_given() -> None:
    reader = testing.a_service().client_of(rights=["*:read"])

    assert [] == [*reader.tenancies()]
    with pytest.raises(RequestNotAllowedError) as caught:
        reader.create_tenancy(testing.a_tenancy())
    assert (403, "missing_right") == (caught.value.status, caught.value.code)


def contract_state(service: testing.ServiceInMemory, start: date) -> str | None:
    client = service.client
    lease_id = client.create_tenancy(testing.a_tenancy()).lease_id
    return client.change_lease(
        ChangeLease(lease_id=lease_id, contract_start=start)
    ).contract_period_state


def test_the_clock_stands_still_until_it_is_moved() -> None:
    """A contract from 15 January is upcoming on the 1st, and active from its first day on (A48)."""
    service, start = testing.a_service(), date(2026, 1, 15)

    assert "Upcoming" == contract_state(service, start)
    service.move_on(days=13)
    assert "Upcoming" == contract_state(service, start)
    service.move_on(days=1)
    assert "Active" == contract_state(service, start)
    service.move_to("2026-01-01")
    assert "Upcoming" == contract_state(service, start)


def test_the_day_is_that_of_the_moment_s_own_offset() -> None:
    copenhagen, start = timezone(timedelta(hours=1)), date(2026, 2, 1)
    there = datetime(2026, 2, 1, 0, 30, tzinfo=copenhagen)

    assert "Active" == contract_state(testing.a_service(moment=there), start)
    assert "Upcoming" == contract_state(testing.a_service(moment=there.astimezone(UTC)), start)


@rows(
    ("given", "expected"),
    [
        ("2026-03-01", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        (date(2026, 3, 1), datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("2026-03-01T23:30:00+01:00", datetime(2026, 3, 1, 22, 30, tzinfo=UTC)),
        (datetime(2026, 3, 1, 7, tzinfo=UTC), datetime(2026, 3, 1, 7, tzinfo=UTC)),
    ],
)
def test_a_moment_may_be_given_as_a_day(given: Any, expected: datetime) -> None:  # noqa: ANN401
    assert expected == testing.a_service(moment=given).moment

    service = testing.a_service()
    service.move_to(given)

    assert expected == service.moment
    service.move_on(days=1, hours=2, minutes=3)
    assert expected + timedelta(days=1, hours=2, minutes=3) == service.moment
    assert f"<ServiceInMemory at {service.moment.isoformat()}>" == repr(service)


@rows(
    ("given", "error", "said"),
    [
        (datetime(2026, 3, 1), TypeError, "has an offset"),  # noqa: DTZ001 - that is the point
        ("2026-03-01T12:00:00", TypeError, "has an offset"),
        (7, TypeError, "is a day, a datetime, or the text of one, not 7"),
        ("tomorrow", InvalidPeriodError, "tomorrow"),
    ],
)
def test_a_moment_that_nobody_can_place_is_refused(
    given: Any,  # noqa: ANN401
    error: type[Exception],
    said: str,
) -> None:
    with pytest.raises(error, match=said):
        testing.a_service(moment=given)


def test_a_plan_follows_the_series_that_the_service_was_given() -> None:
    """Without the series the plan is refused, as by a service.

    From October 2025 to October 2026 the index grows by 2 %: 8500.00 is 8670.00 from January 2027.
    """

    def bills(service: testing.ServiceInMemory) -> list[str]:
        with service as client:
            lease_id = client.create_tenancy(testing.a_tenancy()).lease_id
            client.create_recurring_bill_item(lease_id, testing.a_rent(amount="8500.00"))
            client.create_rent_adjustment_plan(lease_id, testing.a_plan())
            found = client.pending_bills(lease_id, "2027-02-01/2027-02-28")
            return [str(bill.total) for bill in found]

    assert ["8670.00 DKK"] == bills(testing.a_service(indices=testing.an_index()))
    with pytest.raises(InvalidRequestError) as caught:
        bills(testing.a_service())
    assert "unknown_series" == caught.value.code


def test_the_policy_is_that_of_service_and_client() -> None:
    """Both write a period up to the first day after it: February has one bill, not two.

    Read with its last day included, `2026-02-01/2026-03-01` would have the bill of 1 March too.
    """
    policy = BillingPolicy(period_end="excluded")
    with testing.a_service(policy=policy) as client:
        lease_id = client.create_tenancy(testing.a_tenancy()).lease_id
        client.create_recurring_bill_item(lease_id, testing.an_item())

        assert 1 == len(client.pending_bills(lease_id, "2026-02-01/2026-03-01"))


def test_a_service_has_its_own_bound_of_days() -> None:
    """A period of 29 days is refused where 28 are the most."""
    with testing.a_service(most_days=28) as client:
        lease_id = client.create_tenancy(testing.a_tenancy()).lease_id

        assert 0 == len(client.pending_bills(lease_id, "2026-02-01/2026-02-28"))
        with pytest.raises(InvalidRequestError):
            client.pending_bills(lease_id, "2026-02-01/2026-03-01")


def test_an_event_loop_has_the_same_service() -> None:
    service = testing.a_service()

    async def found() -> tuple[str, list[str]]:
        async with service as client:
            made = await client.create_tenancy(testing.a_tenancy())
            return made.tenancy_id, [each.id async for each in client.tenancies()]

    created, listed = asyncio.run(found())

    assert "id-1" == created
    assert ["id-1"] == listed == [each.id for each in service.client.tenancies()]


def test_clients_are_closed_at_the_end_and_what_was_created_stays() -> None:
    service = testing.a_service()
    with service as client:
        client.create_tenancy(testing.a_tenancy())

    with pytest.raises(RuntimeError, match="closed"):
        client.create_tenancy(testing.a_tenancy())
    with service as another:
        assert 1 == sum(1 for _ in another.tenancies())


def test_a_transport_of_one_s_own_carries_calls() -> None:
    service = testing.a_service()
    with httpx.Client(transport=service.transport) as http:
        client = RentalClient(service.base_url, service.key(), http=http)
        made = client.create_tenancy(testing.a_tenancy())
        answer = http.get(
            f"{service.base_url}/leases/{made.lease_id}",
            headers={"Authorization": service.key(), "X-Request-Id": "mine"},
        )

    assert (200, "mine") == (answer.status_code, answer.headers["x-request-id"])
    assert made.lease_id == answer.json()["id"]
    assert 200 == service.service.answer("GET", "/health").status


def test_nothing_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    service, calls = testing.a_service(), count(1)

    def broken(*_: object) -> HttpAnswer:
        return HttpAnswer(502, (), b"no", f"call-{next(calls)}")

    monkeypatch.setattr(service.service, "answer", broken)
    with pytest.raises(ServiceUnavailableError):
        service.client.retrieve_lease("lease-1")

    assert 2 == next(calls)


def test_a_service_loads_no_server_and_no_database() -> None:
    script = """
import sys
from rentbilling.testing import a_service
with a_service() as client:
    assert [] == [*client.tenancies()]
parts = ("starlette", "uvicorn", "sqlalchemy", "pandas", "pyarrow", "pytest", "hypothesis")
print([name for name in parts if name in sys.modules])
"""
    finished = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=False, text=True
    )

    assert ("[]", "") == (finished.stdout.strip(), finished.stderr)


FIVE_LINES = """
from rentbilling.testing import a_rent, a_tenancy

def test_the_rent(rental_client):
    lease_id = rental_client.create_tenancy(a_tenancy()).lease_id
    rental_client.create_recurring_bill_item(lease_id, a_rent(amount="8500.00"))
    (bill,) = rental_client.pending_bills(lease_id, "2026-02-01/2026-02-28")
    assert "8500.00 DKK" == str(bill.total)
"""
OWN_FIXTURE = """
import pytest
from rentbilling.testing import a_service

@pytest.fixture
def rental_service():
    return a_service(moment="2026-06-30")

def test_moment(rental_service, rental_client):
    assert rental_service.client is rental_client
    assert rental_service.moment.isoformat() == "2026-06-30T12:00:00+00:00"
"""
WITHOUT_HTTPX = """
import sys
import pytest

sys.modules["httpx"] = None

def test_the_rent(rental_client):
    pass
"""


@pytest.mark.parametrize("test", [FIVE_LINES, OWN_FIXTURE], ids=["five lines", "own fixture"])
def test_the_fixtures_are_there_without_an_import(tmp_path: Path, test: str) -> None:
    assert "1 passed" in pytest_run(tmp_path, test)


def test_without_httpx_the_fixture_says_what_to_install(tmp_path: Path) -> None:
    said = pytest_process(tmp_path, f"{WITHOUT_HTTPX}\ndef test_other():\n    pass\n")

    assert "the client needs httpx: pip install 'rentbilling[client]'" in said
    assert "1 passed, 1 error" in said
