"""The service keeps to its document, whatever is asked that the document allows or forbids.

A short exploration; `poe service` makes thousands of requests over SQLite and PostgreSQL.
"""

from collections.abc import Callable
from copy import deepcopy

import pytest
import schemathesis

from rentbilling.adapters.stores import MemoryStores
from rentbilling.interface import ENDPOINTS
from tests.adapters.http.explored import Document, Exploration, document, documents, explore

ALTERED = "retrieve_lease"
REACHED = ("audit-records", "leases", "pending-bills")
"""Resources that nothing of their own leads to."""


def check_sound(found: Exploration, least: int) -> None:
    assert {} == found.failures
    assert [] == found.errors
    assert least <= found.whole


def test_the_document_is_one_of_openapi() -> None:
    """By the schema of OpenAPI 3.1 for documents, which refuses one that says another thing."""
    schemathesis.openapi.from_dict(document()).validate()
    with pytest.raises(ValueError, match="is not of type"):
        schemathesis.openapi.from_dict({**document(), "info": []}).validate()


def test_bounds_and_odd_requests_are_answered_as_the_document_says() -> None:
    found = explore(
        MemoryStores(),
        document(),
        examples=1,
        phases=("coverage",),
        modes="all",
        seed=1,
        operations=[
            "archive_lease",
            "create_one_time_bill_item",
            "list_leases",
            "list_pending_bills",
        ],
    )

    check_sound(found, 150)
    statuses = {status for _, status in found.answers}
    assert {200, 400, 401, 404, 405, 409, 415} <= statuses


def test_every_operation_is_answered_as_the_document_says() -> None:
    found = explore(
        MemoryStores(),
        documents()["loosened"],
        examples=1,
        phases=("fuzzing", "stateful"),
        modes="all",
        seed=1,
    )

    check_sound(found, 60)
    assert {*ENDPOINTS, "health"} == {operation for operation, _ in found.answers}


def test_sensible_requests_get_through() -> None:
    found = explore(
        MemoryStores(),
        documents()["guided"],
        examples=2,
        phases=("examples", "fuzzing"),
        modes="positive",
        seed=1,
    )

    check_sound(found, 80)
    done = {operation for operation, status in found.answers if status < 300}
    assert {"create_recurring_bill_item", "change_lease", "list_pending_bills"} <= done


@pytest.mark.parametrize("resource", sorted({each.resource for each in ENDPOINTS.values()}))
def test_chains_of_requests_reach_every_operation_of_a_resource(resource: str) -> None:
    operations = {name for name, each in ENDPOINTS.items() if each.resource == resource}
    # What is made of another resource is reached from a tenancy and its lease.
    others = {"archive_tenancy", "create_tenancy", "list_tenancies"}
    found = explore(
        MemoryStores(),
        documents()["guided"],
        examples=10,
        phases=("stateful",),
        modes="positive",
        seed=1,
        operations=sorted(operations | (others if resource in REACHED else set())),
    )

    check_sound(found, 20)
    assert operations <= {operation for operation, _ in found.answers}


def without_a_status(told: Document) -> None:
    del told["paths"]["/leases/{leaseId}"]["get"]["responses"]["404"]


def with_another_type(told: Document) -> None:
    told["components"]["schemas"]["Lease"]["properties"]["id"] = {"type": "number"}


def with_another_media_type(told: Document) -> None:
    content = told["components"]["responses"]["Problem404"]["content"]
    content["application/json"] = content.pop("application/problem+json")


def with_another_header(told: Document) -> None:
    told["components"]["headers"]["X-Rate-Limit"] = {
        "required": True,
        "schema": {"type": "integer"},
    }
    for response in told["components"]["responses"].values():
        response["headers"]["X-Rate-Limit"] = {"$ref": "#/components/headers/X-Rate-Limit"}


def with_an_open_door(told: Document) -> None:
    """Say that the path needs a parameter that the service does not ask for."""
    told["paths"]["/leases/{leaseId}"]["get"]["parameters"].append(
        {"name": "X-Wanted", "in": "header", "required": True, "schema": {"type": "string"}}
    )


@pytest.mark.parametrize(
    ("alter", "check"),
    [
        (without_a_status, "status_code_conformance"),
        (with_another_type, "response_schema_conformance"),
        (with_another_media_type, "content_type_conformance"),
        (with_another_header, "response_headers_conformance"),
        (with_an_open_door, "missing_required_header"),
    ],
)
def test_a_document_that_is_wrong_is_noticed(alter: Callable[[Document], None], check: str) -> None:
    told = deepcopy(document())
    alter(told)
    found = explore(
        MemoryStores(),
        told,
        examples=1,
        phases=("examples", "coverage"),
        modes="all",
        seed=1,
        operations=[ALTERED],
    )

    assert any(f": {check}: " in name for name in found.failures), found
