"""The document says all that the service does, and only that."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from rentbilling.adapters.http.docs import openapi
from rentbilling.adapters.http.docs.links import links_of
from rentbilling.adapters.http.docs.schemas import parameters_of
from rentbilling.adapters.http.request_limits import Limits
from rentbilling.adapters.http.routing import route_of
from rentbilling.interface import ENDPOINTS, RESOURCES, Endpoint
from rentbilling.records import fields_of
from rentbilling.service import OPERATIONS
from rentbilling.service.problem_details import PROBLEM_KINDS
from tests.adapters.http import sample_session
from tests.adapters.http.served import service
from tests.support.rows import rows

DOCUMENT: Final[dict[str, Any]] = json.loads(openapi.openapi_text())
EACH: Final = pytest.mark.parametrize("endpoint", ENDPOINTS.values(), ids=ENDPOINTS)


def operation_of(endpoint: Endpoint) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["paths"][endpoint.path][endpoint.method.lower()]
    return found


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator({**schema, "components": DOCUMENT["components"]})


def references(data: Any) -> Iterator[str]:  # noqa: ANN401
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "$ref":
                yield value
            elif key not in ("example", "examples"):
                yield from references(value)
    elif isinstance(data, list):
        for each in data:
            yield from references(each)


def test_the_document_says_which_version_it_is() -> None:
    """OpenAPI 3.1, whose schemas are those of draft 2020-12."""
    assert "3.1.0" == DOCUMENT["openapi"]
    assert "https://json-schema.org/draft/2020-12/schema" == DOCUMENT["jsonSchemaDialect"]


def test_every_schema_is_one() -> None:
    """Each component, and that of each parameter, by the schema of draft 2020-12 for schemas."""
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for endpoint in ENDPOINTS.values():
        for parameter in parameters_of(endpoint):
            Draft202012Validator.check_schema(parameter["schema"])


def test_every_reference_leads_somewhere() -> None:
    found = set(references(DOCUMENT))
    known = {
        f"#/components/{kind}/{name}"
        for kind, parts in DOCUMENT["components"].items()
        for name in parts
        if kind != "securitySchemes"
    }

    assert known == found


def test_the_paths_are_those_of_the_table_and_health() -> None:
    found = {
        (path, method): each["operationId"]
        for path, methods in DOCUMENT["paths"].items()
        for method, each in methods.items()
    }
    expected = {(each.path, each.method.lower()): name for name, each in ENDPOINTS.items()}

    assert {**expected, ("/health", "get"): "health"} == found


@EACH
def test_an_operation_is_described_as_in_the_table(endpoint: Endpoint) -> None:
    found = operation_of(endpoint)

    assert [endpoint.resource] == found["tags"]
    assert endpoint.purpose == found["summary"]
    assert endpoint.ours is found.get(openapi.EXTENSION, False)
    assert endpoint.ours is ("the interface does not have it" in found["description"])
    rights = re.findall(r"`([a-z-]+:(?:read|write))`", found["description"])
    assert list(endpoint.rights) == rights


@EACH
def test_parameters_are_what_the_server_reads(endpoint: Endpoint) -> None:
    route = route_of(endpoint, OPERATIONS[endpoint.operation])
    found = operation_of(endpoint).get("parameters", [])
    in_path = [each["name"] for each in found if each["in"] == "path"]
    in_query = {each["name"]: each["schema"] for each in found if each["in"] == "query"}

    assert list(endpoint.in_path) == in_path
    assert route.query == in_query.keys()
    assert all(each["required"] for each in found if each["in"] == "path")
    whole = {name for name, schema in in_query.items() if schema["type"] == "integer"}
    assert route.whole_numbers == whole


@EACH
def test_a_body_has_the_fields_that_are_not_in_the_path(endpoint: Endpoint) -> None:
    body = operation_of(endpoint).get("requestBody")

    assert endpoint.has_body is (body is not None)
    if body is not None:
        name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        fields = {each.wire for each in fields_of(endpoint.request)}
        assert fields - set(endpoint.in_path) == set(
            DOCUMENT["components"]["schemas"][name]["properties"]
        )
        assert "1,000,000 bytes" in body["description"]


@EACH
def test_an_example_is_valid(endpoint: Endpoint) -> None:
    found = operation_of(endpoint)
    content = found["responses"][str(endpoint.status)]["content"]["application/json"]

    validator(content["schema"]).validate(content["example"])
    if endpoint.has_body:
        body = found["requestBody"]["content"]["application/json"]
        validator(body["schema"]).validate(body["example"])
    for each in found.get("parameters", ()):
        if "example" in each:
            validator(each["schema"]).validate(each["example"])
        else:
            assert not each["required"]


def test_the_examples_are_what_the_service_answers() -> None:
    assert sample_session.FILE.read_text(encoding="utf-8") == sample_session.text()


def test_examples_of_problems_are_valid() -> None:
    seen = set()
    responses = DOCUMENT["components"]["responses"]
    for name, response in responses.items():
        content = response["content"]["application/problem+json"]
        for slug, each in content.get("examples", {}).items():
            seen.add(slug)
            validator(content["schema"]).validate(each["value"])
            others = [
                other["content"]["application/problem+json"]["schema"]
                for key, other in responses.items()
                if key != name
            ]
            assert not any(validator(schema).is_valid(each["value"]) for schema in others)

    assert set(openapi.examples()["problems"]) - {"unknown-path", "method-not-allowed"} == seen


@EACH
def test_every_possible_status_is_described(endpoint: Endpoint) -> None:
    """Success once, and each refusal as a problem; 405 and 422 are no answers to an operation."""
    responses = operation_of(endpoint)["responses"]
    refused = [int(status) for status in responses if status != str(endpoint.status)]

    assert openapi.statuses_of(endpoint) == refused
    assert {405, 422}.isdisjoint(refused)
    for status in refused:
        assert {"$ref": f"#/components/responses/Problem{status}"} == responses[str(status)]
        assert status in {each.status for each in PROBLEM_KINDS.values()}


@EACH
def test_a_link_fills_what_it_names(endpoint: Endpoint) -> None:
    example = openapi.examples()["operations"][endpoint.operation]
    for link in links_of(endpoint).values():
        target = ENDPOINTS[link["operationId"]]
        known = {each["name"] for each in parameters_of(target)}
        fields = {each.wire for each in fields_of(target.request)}
        named = link.get("parameters", {})
        assert named.keys() <= known
        assert set(target.in_path) <= named.keys()
        assert link.get("requestBody", {}).keys() <= fields
        for place in (*named.values(), *link.get("requestBody", {}).values()):
            source, _, pointer = place.partition("#/")
            data = example["answer"] if source == "$response.body" else example["body"]
            for step in pointer.split("/"):
                data = data[int(step)] if isinstance(data, list) else data[step]
            assert isinstance(data, str)


def test_a_new_tenancy_leads_to_its_lease_and_its_items() -> None:
    found = links_of(ENDPOINTS["create_tenancy"])

    assert {"leaseId": "$response.body#/leaseId"} == found["retrieve_lease"]["parameters"]
    assert {"leaseId": "$response.body#/leaseId"} == found["create_recurring_bill_item"][
        "requestBody"
    ]
    assert {"leaseId": "$response.body#/leaseId"} == found["list_pending_bills"]["parameters"]
    assert {"tenancyId": "$response.body#/tenancyId"} == found["archive_tenancy"]["parameters"]


def test_a_link_leads_to_what_is_there() -> None:
    product = links_of(ENDPOINTS["record_product"])
    listed = links_of(ENDPOINTS["list_products"])
    withdrawn = links_of(ENDPOINTS["withdraw_one_time_bill_item"])

    assert {"productKey": "$request.body#/productKey"} == product["retrieve_product"]["parameters"]
    assert {"productKey": "$response.body#/products/0/productKey"} == (
        listed["change_product"]["parameters"]
    )
    assert "record_product" not in listed
    assert {"retrieve_lease", "list_one_time_bill_items"} <= withdrawn.keys()
    assert not {"retrieve_one_time_bill_item", "change_one_time_bill_item"} & withdrawn.keys()
    assert {"list_audit_records"} == links_of(ENDPOINTS["withdraw_payout"]).keys()


def test_the_key_is_bare_in_a_header() -> None:
    (scheme,) = DOCUMENT["components"]["securitySchemes"].values()

    assert ("apiKey", "header", "Authorization") == (scheme["type"], scheme["in"], scheme["name"])
    assert [{"apiKey": []}] == DOCUMENT["security"]
    open_to_all = [
        path
        for path, methods in DOCUMENT["paths"].items()
        for each in methods.values()
        if "security" in each
    ]
    assert ["/health"] == open_to_all


def test_the_bounds_are_said() -> None:
    """Those of `Limits` are in the description, and that of a page is in its schema (A43)."""
    said, usual = DOCUMENT["info"]["description"], Limits()

    for bound in (usual.most_bytes, usual.most_query_bytes, usual.most_days):
        assert f"{bound:,}" in said
    schemas = DOCUMENT["components"]["schemas"]
    for endpoint in ENDPOINTS.values():
        if endpoint.page_of:
            (page,) = schemas[endpoint.answer.__name__]["properties"].values()
            assert 100 == page["maxItems"]
    assert 250 == schemas["RecordProduct"]["properties"]["productKey"]["maxLength"]


def test_every_field_and_record_is_explained() -> None:
    for name, schema in DOCUMENT["components"]["schemas"].items():
        assert schema["description"], name
        for field, each in schema["properties"].items():
            assert each.get("description"), (name, field)
    assert not re.findall(r"\(.{0,20}\bA\d{1,2}\b.{0,20}\)", openapi.openapi_text())


def test_every_resource_is_explained() -> None:
    told = [each["name"] for each in DOCUMENT["tags"]]

    assert [*RESOURCES, "service"] == told
    assert all(each["description"].endswith(".") for each in DOCUMENT["tags"])


def test_another_run_makes_the_same_document() -> None:
    code = "from rentbilling.adapters.http.docs.openapi import openapi_text; print(openapi_text())"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONIOENCODING": "utf-8"}
    made = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=True
    )

    assert openapi.openapi_text() == made.stdout.decode().strip()


def test_it_is_served_to_everybody() -> None:
    asked = service()
    first, second = (asked.answer("GET", "/openapi.json") for _ in range(2))

    assert (200, openapi.openapi_text().encode()) == (first.status, first.body)
    assert first.body is second.body
    assert openapi.openapi_document() is openapi.openapi_document()


def parts_of(schema: Any, done: set[str]) -> Iterator[dict[str, Any]]:  # noqa: ANN401
    if isinstance(schema, list):
        for each in schema:
            yield from parts_of(each, done)
    elif isinstance(schema, dict):
        yield schema
        name = schema.get("$ref", "").rpartition("/")[2]
        if name and name not in done:
            done.add(name)
            yield from parts_of(DOCUMENT["components"]["schemas"][name], done)
        for each in schema.get("properties", {}).values():
            yield from parts_of(each, done)
        # What stands beside a reference demands more of what is bounded there.
        demands = () if name else ("anyOf",)
        for key in ("items", "additionalProperties", "propertyNames", *demands):
            yield from parts_of(schema.get(key), done)


def kinds_of(schema: dict[str, Any]) -> list[str]:
    named = schema.get("type", [])
    return [named] if isinstance(named, str) else named


@rows("operation", ENDPOINTS)
def test_everything_that_is_sent_has_its_bounds(operation: str) -> None:
    endpoint = ENDPOINTS[operation]
    told = DOCUMENT["paths"][endpoint.path][endpoint.method.lower()]
    sent = [each["schema"] for each in told.get("parameters", ())]
    sent += [each["schema"] for each in told.get("requestBody", {}).get("content", {}).values()]
    for each in parts_of(sent, {"Amount", "Vat"}):
        kinds = kinds_of(each)
        if "string" in kinds:
            assert {"maxLength", "enum", "format", "pattern"} & each.keys(), each
        if "array" in kinds:
            assert 1_000 == each["maxItems"]
        if "object" in kinds and "properties" not in each:
            assert 1_000 == each["maxProperties"]
            assert 250 == each["propertyNames"]["maxLength"]


@rows("name", ["Lease", "Tenancy", "LeasePage", "LeaseTerms", "PendingBill"])
def test_what_is_only_answered_has_no_such_bounds(name: str) -> None:
    properties = DOCUMENT["components"]["schemas"][name]["properties"]

    assert "maxLength" not in json.dumps(properties)
    assert {100} >= {each["maxItems"] for each in properties.values() if "maxItems" in each}


@rows(
    ("mount", "url"), [("", "/"), ("/", "/"), ("/rent", "/rent"), ("/a%20b/rent/", "/a%20b/rent")]
)
def test_the_server_is_the_host_that_answers(mount: str, url: str) -> None:
    asked = service()
    answer = asked.answer("GET", "/openapi.json", mount=mount)
    again = asked.answer("GET", "/openapi.json", mount=mount)

    (server,) = json.loads(answer.body)["servers"]
    assert url == server["url"]
    assert answer.body == again.body
    assert {**json.loads(answer.body), "servers": []} == {**DOCUMENT, "servers": []}
