"""The OpenAPI 3.1 document of the service, computed from the table that the server itself reads.

Laws: it has every operation, parameter, field and status, and nothing that the service does not do;
it is the same text each time; its examples are answers of the service.
"""

from functools import cache
from importlib import metadata
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from rentbilling.adapters.http.answers import JSON, KEPT_SECONDS, PROBLEM
from rentbilling.adapters.http.docs.links import links_of
from rentbilling.adapters.http.docs.schemas import (
    PROBLEM_SCHEMA,
    component_schemas,
    parameters_of,
    reference,
)
from rentbilling.adapters.http.preconditions import answers_tag, takes_match
from rentbilling.adapters.http.refusals import type_pattern
from rentbilling.adapters.http.request_limits import Limits
from rentbilling.adapters.http.routing import HEALTH
from rentbilling.interface import ENDPOINTS, MAX_IDEMPOTENCY_KEY, RESOURCES, Endpoint
from rentbilling.records import (
    MOST_IN_A_LIST,
    MOST_IN_ALL_LISTS,
    MOST_LEVELS,
    MOST_OF_A_LONG_TEXT,
    MOST_OF_A_TEXT,
    MOST_OF_A_WORD,
    MOST_OF_ALL_TEXTS,
    read_json,
    sentences,
    write_json,
)
from rentbilling.service import OPERATIONS, PROBLEM_KINDS
from rentbilling.terms import MOST_ENTRIES
from rentbilling.values import DIALECT, Schema

EXTENSION: Final = "x-rentbilling-ours"
"""Marks an operation that the interface does not have."""
_BEYOND: Final = "This operation is an extension: the interface does not have it."
_KEY: Final = "apiKey"
_SERVICE: Final = "service"
_USUAL: Final = Limits()

_RESOURCES: Final = MappingProxyType(
    {
        "audit-records": "Which key changed which object, when, and how.",
        "leases": "Leases: their states, their figures on the day, and their billing terms.",
        "one-time-bill-items": "What is billed once.",
        "payouts": "What was paid out to the owner.",
        "pending-bills": "Bills that are about to fall due, computed at each request.",
        "products": "What is billed for, by its key.",
        "recurring-bill-items": "What is billed in every cycle, such as the rent.",
        "rent-adjustment-plans": "How amounts change over the years, by an index or by increments.",
        "tenancies": "What is let, with its leases.",
    }
)


_FOR_ALL: Final = (
    (
        "Bodies are JSON in UTF-8. Every operation needs an API key, bare in the header"
        " `Authorization`, and the rights that it names."
    ),
    (
        "Amounts are numbers in the currency's main unit with at most 15 significant digits; they"
        " are read and written exactly. Dates are `YYYY-MM-DD`, periods `YYYY-MM-DD/YYYY-MM-DD`"
        " with both ends included."
    ),
    (
        "Fields and parameters that are unknown or repeated are refused by name. A field that is"
        " `null` in a body is absent; in a change it is refused, because `clear` removes a value."
        " An answer leaves out fields without a value."
    ),
    (
        f"In a request, ids, keys and words have at most {MOST_OF_A_WORD:,} characters, names"
        f" and other texts {MOST_OF_A_TEXT:,}, descriptions {MOST_OF_A_LONG_TEXT:,}; a list or"
        f" dictionary has at most {MOST_IN_A_LIST:,} entries, all of them together"
        f" {MOST_IN_ALL_LISTS:,}, and all texts together {MOST_OF_ALL_TEXTS:,} bytes as JSON writes"
        " them. A text has no control characters, but a description may have line breaks (`\\n`)"
        " and tabs; where a text is required, blanks alone are refused."
    ),
    (
        "Lists come in pages of 10 objects, or `limit` of them up to 100, in order of creation. The"
        " next page begins after the last object received: `startingAfter=<its id>`. A page that is"
        " shorter than `limit` is the last one."
    ),
    (
        "A request that is refused is answered with problem details of RFC 9457"
        " (`application/problem+json`), with every problem and its path. `code` is a stable word;"
        " `type` leads to its meaning."
    ),
)
"""Rules of all operations."""
_METHODS: Final = (
    "`HEAD` is answered wherever `GET` is. Other methods get 405, and the header `Allow` names"
    " those that the path has. Every answer has the `X-Request-Id` of the caller, if it is 1 to 64"
    " letters, digits, `-`, `_` or `.`; otherwise a new one."
)


def openapi_text(mount: str = "") -> str:
    """Return the document as a JSON text."""
    # An absolute path, because many tools do not resolve one that is relative to the document.
    # At the root it is OpenAPI's default, which every tool knows.
    server = {"url": mount or "/", "description": "The host that answered with this document."}
    return write_json({**openapi_document(), "servers": [server]})


@cache
def openapi_document() -> Schema:
    """Return the document as plain data, for a service at the root; do not change it."""
    paths: Schema = {}
    for each in ENDPOINTS.values():
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Rent management service",
            "version": _version(),
            "summary": "Tenancies, leases, what they are billed by, and their pending bills.",
            "description": _description(),
        },
        "jsonSchemaDialect": DIALECT,
        "servers": [{"url": "/"}],
        "security": [{_KEY: []}],
        "tags": [
            *({"name": name, "description": _RESOURCES[name]} for name in RESOURCES),
            {"name": _SERVICE, "description": "The service itself; no key is needed."},
        ],
        "paths": {**paths, HEALTH: {"get": _health()}},
        "components": {
            "schemas": component_schemas(),
            "responses": _problem_responses(),
            "headers": _headers(),
            "securitySchemes": {
                _KEY: {
                    "type": "apiKey",
                    "in": "header",
                    "name": "Authorization",
                    "description": "The key is bare in the header, without a scheme such as"
                    " Bearer. It gives access to the data of one owner, as far as its rights go.",
                }
            },
        },
    }


@cache
def examples() -> Schema:
    """Return examples of each operation and of kinds of problems, from a session of the service."""
    text = (files("rentbilling.adapters.http.docs") / "examples.json").read_bytes()
    data: Schema = read_json(text)
    return data


def _version() -> str:
    try:
        return metadata.version("rentbilling")
    except metadata.PackageNotFoundError:
        return "0"


def _description() -> str:
    bounds = (
        "Bounds, unless the operator of the service has set others:"
        f" {_USUAL.most_bytes:,} bytes and {MOST_ENTRIES:,} entries of lists in a body,"
        f" {MOST_LEVELS} levels of objects and lists,"
        f" {_USUAL.most_query_bytes:,} bytes of path and query,"
        f" {_USUAL.most_days:,} days of a period of pending bills,"
        f" {_USUAL.body_seconds:g} seconds for a body to arrive."
    )
    return "\n\n".join((*_FOR_ALL, bounds, _METHODS))


def _operation(endpoint: Endpoint) -> Schema:
    name = endpoint.operation
    example = examples()["operations"].get(name, {})
    said = [sentences(OPERATIONS[name].__doc__), _needed(endpoint)]
    operation: Schema = {
        "operationId": name,
        "tags": [endpoint.resource],
        "summary": endpoint.purpose,
        "description": " ".join([*said, _BEYOND] if endpoint.ours else said),
    }
    if endpoint.ours:
        operation[EXTENSION] = True
    parameters = parameters_of(endpoint)
    if endpoint.right == "write":
        parameters = [*parameters, _IDEMPOTENCY_KEY]
    if takes_match(endpoint):
        parameters = [*parameters, _IF_MATCH]
    if parameters:
        given = example.get("parameters", {})
        operation["parameters"] = [
            {**each, "example": given[each["name"]]} if each["name"] in given else each
            for each in parameters
        ]
    if endpoint.has_body:
        operation["requestBody"] = {
            "description": f"At most {_USUAL.most_bytes:,} bytes.",
            "required": True,
            "content": _content(endpoint.request.__name__, example, "body"),
        }
    success: Schema = {
        "description": "Created." if endpoint.status == 201 else "Done.",  # noqa: PLR2004
        "headers": _common_headers(
            *(_OF_CHANGES if endpoint.right == "write" else ()),
            *(("ETag",) if answers_tag(endpoint) else ()),
        ),
        "content": _content(endpoint.answer.__name__, example, "answer"),
    }
    if links := links_of(endpoint):
        success["links"] = links
    refused = {str(status): _refused(status) for status in statuses_of(endpoint)}
    return {**operation, "responses": {str(endpoint.status): success, **refused}}


def _needed(endpoint: Endpoint) -> str:
    *others, last = (f"`{right}`" for right in endpoint.rights)
    if not others:
        return f"Needs the right {last}."
    return f"Needs the rights {', '.join(others)} and {last}."


def _content(name: str, example: Schema, part: str) -> Schema:
    shown = {"example": example[part]} if part in example else {}
    return {JSON: {"schema": reference(name), **shown}}


def statuses_of(endpoint: Endpoint) -> list[int]:
    """Return the statuses of an operation's refusals and failures.

    Examples:
        >>> statuses_of(ENDPOINTS["list_payouts"])
        [400, 401, 403, 414, 429, 500, 503]
    """
    found = [*_OF_ALL]
    if endpoint.in_path or {"lease_id", "tenancy_id"} & endpoint.request.model_fields.keys():
        found.append("not-found")
    if endpoint.method != "GET":
        found += ("slow-body", "too-large", "media-type")
    if takes_match(endpoint):
        found.append("precondition-failed")
    if endpoint.operation in _CONFLICTING or endpoint.right == "write":
        found.append("conflict")
    return sorted({PROBLEM_KINDS[each].status for each in found})


_OF_ALL: Final = (
    *("invalid-input", "no-key", "not-allowed", "address-too-long"),
    *("too-many-requests", "internal", "unavailable"),
)
"""Problems that every operation may have."""
_CONFLICTING: Final = ("list_pending_bills",)
"""Operations that only read, but need a fact which can be missing."""


def _refused(status: int) -> Schema:
    return {"$ref": f"#/components/responses/{_response_name(status)}"}


def _response_name(status: int) -> str:
    return f"Problem{status}"


def _problem_responses() -> Schema:
    used = {status for each in ENDPOINTS.values() for status in statuses_of(each)}
    return {_response_name(status): _problem_response(status) for status in sorted(used)}


def _problem_response(status: int) -> Schema:
    kinds = [each for each in PROBLEM_KINDS.values() if each.status == status]
    # No path of the document is answered so.
    kinds = [each for each in kinds if each.slug != "unknown-path"]
    shown = examples()["problems"]
    fields = {"type": {"pattern": type_pattern(kinds)}, "status": {"const": status}}
    content: Schema = {"schema": {**reference(PROBLEM_SCHEMA), "properties": fields}}
    if values := {each.slug: {"value": shown[each.slug]} for each in kinds if each.slug in shown}:
        content["examples"] = values
    return {
        "description": " ".join(f"{each.title}. {each.meaning}" for each in kinds),
        "headers": _common_headers(*_OF_STATUS.get(status, ())),
        "content": {PROBLEM: content},
    }


_ALWAYS: Final = (
    "X-Request-Id",
    "Cache-Control",
    "X-Content-Type-Options",
    "Idempotency-Key-Expiry",
)
_OF_STATUS: Final = MappingProxyType(
    {
        PROBLEM_KINDS[slug].status: names
        for slug, names in (
            ("no-key", ("WWW-Authenticate",)),
            ("conflict", ("Retry-After", "Idempotent-Replayed")),
            ("precondition-failed", ("ETag",)),
            ("media-type", ("Accept",)),
            ("too-many-requests", ("Retry-After",)),
            ("unavailable", ("Retry-After",)),
        )
    }
)
"""Headers of some statuses, in addition to those of every answer."""
_OF_CHANGES: Final = ("Idempotent-Replayed",)
_IF_MATCH: Final[Schema] = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "description": "The `ETag` of the object as it was retrieved: if it has changed since, the"
    " answer is 412, and nothing is changed.",
    "schema": {"type": "string", "pattern": '^(\\*|"[!#-~]*")$'},
}
_IDEMPOTENCY_KEY: Final[Schema] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Names the change. The same request with the same key of an owner is carried out"
    f" once, and gets the same answer for {KEPT_SECONDS // 3600} hours.",
    "schema": {"type": "string", "pattern": f"^[!-~]([ -~]{{0,{MAX_IDEMPOTENCY_KEY - 2}}}[!-~])?$"},
}


def _common_headers(*others: str) -> Schema:
    """Return references to the headers of every answer, and to others."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*_ALWAYS, *others)}


def _headers() -> Schema:
    text = {"type": "string"}
    headers: dict[str, tuple[str, dict[str, Any]]] = {
        "X-Request-Id": (
            "The id of the request, also in the log.",
            {**text, "pattern": "^[A-Za-z0-9._-]{1,64}$"},
        ),
        "Cache-Control": ("An answer is for this caller alone.", {"const": "no-store"}),
        "X-Content-Type-Options": ("The media type is the declared one.", {"const": "nosniff"}),
        "Idempotency-Key-Expiry": (
            "Seconds for which the answer to an `Idempotency-Key` is stored.",
            {"const": str(KEPT_SECONDS)},
        ),
        "WWW-Authenticate": ("How to send the key.", text),
        "Accept": ("The media type of bodies.", {"const": JSON}),
        "ETag": (
            "Tag of the object as it is, for `If-Match`.",
            {**text, "pattern": '^"[0-9a-f]{32}"$'},
        ),
        "Idempotent-Replayed": (
            "The answer is that of an earlier call with this `Idempotency-Key`.",
            {"const": "true"},
        ),
        "Retry-After": (
            "Seconds after which to try again.",
            {"type": "integer", "minimum": 1},
        ),
    }
    return {
        name: {"description": said, "required": name in _ALWAYS, "schema": schema}
        for name, (said, schema) in headers.items()
    }


def _health() -> Schema:
    """Return the operation that answers whether the service works, without a key."""
    schema = {
        "type": "object",
        "properties": {"status": {"const": "ok"}},
        "required": ["status"],
        "additionalProperties": False,
    }
    return {
        "operationId": "health",
        "tags": [_SERVICE],
        "summary": "Whether the service can answer",
        "description": "Reads the keys and stores a change, at most once every few seconds."
        f" {_BEYOND}",
        EXTENSION: True,
        "security": [],
        "responses": {
            "200": {
                "description": "Keys can be read, and changes can be stored.",
                "headers": _common_headers(),
                "content": {JSON: {"schema": schema, "example": {"status": "ok"}}},
            },
            **{
                str(PROBLEM_KINDS[slug].status): _refused(PROBLEM_KINDS[slug].status)
                for slug in ("address-too-long", "unavailable")
            },
        },
    }
