"""The schemas of the document: of every body, every answer and every part of them, each once.

Law: they are the schemas of the records, with references as OpenAPI writes them and with the
descriptions of the fields.
"""

from functools import partial
from typing import Any, Final

from rentbilling.adapters.http.docs.descriptions import WORDS
from rentbilling.adapters.http.refusals import problem_schema
from rentbilling.billing import BillingResult
from rentbilling.billing.wire import BillSchemas
from rentbilling.interface import ENDPOINTS, MOST_OBJECTS, RECORDS, Endpoint
from rentbilling.records import JsonData, fields_of, record_body, sentences
from rentbilling.values import Definitions, Schema

PROBLEM_SCHEMA: Final = "Problem"
_SENT: Final = "New"
"""Before the name of a record whose form in a request differs from that in an answer (A72)."""
_DEFINITIONS: Final = "#/$defs/"
_COMPONENTS: Final = "#/components/schemas/"


def reference(name: str) -> Schema:
    return {"$ref": f"{_COMPONENTS}{name}"}


def component_schemas() -> Schema:
    """Return the schemas of all bodies and answers with their parts, by name."""
    parts = Definitions(bounded=True)
    for each in ENDPOINTS.values():
        if each.has_body:
            parts.defined(each.request.__name__, partial(_body, each, parts))
    # What is only answered is not sent, and has no bounds; what is sent keeps its own.
    parts.bounded, parts.answered = False, True
    for each in ENDPOINTS.values():
        parts.defined(each.answer.__name__, partial(_answer, each, parts))
    found = {**parts.found, PROBLEM_SCHEMA: problem_schema()}
    return {name: _referring(_described(name, found[name])) for name in sorted(found)}


def _body(endpoint: Endpoint, parts: Definitions) -> Schema:
    """Return the schema of a body: all fields of the request that are not in the path."""
    body = record_body(endpoint.request, parts)
    for name in endpoint.in_path:
        del body["properties"][name]
        body["required"].remove(name)
    return {key: value for key, value in body.items() if key != "required" or value}


def _answer(endpoint: Endpoint, parts: Definitions) -> Schema:
    """Return the schema of an answer, with the greatest length of a page."""
    if endpoint.answer is BillingResult:
        return BillSchemas(parts, full=False).result()
    body = record_body(endpoint.answer, parts)  # type: ignore[arg-type]
    if endpoint.page_of:
        wire = next(iter(body["properties"]))
        body["properties"][wire]["maxItems"] = MOST_OBJECTS
    return body


def _described(name: str, schema: Schema) -> Schema:
    name = name if name in RECORDS else name.removeprefix(_SENT)
    words, kind = WORDS.get(name, {}), RECORDS.get(name)
    properties: Schema = {}
    for wire, each in schema["properties"].items():
        known = "description" in each or wire not in words
        properties[wire] = each if known else {"description": words[wire], **each}
    said = sentences(kind.__doc__) if kind else schema.get("description", words.get("", ""))
    return {**schema, "description": said, "properties": properties}


def _referring(data: JsonData) -> JsonData:
    """Return a schema whose references are those of the document."""
    if isinstance(data, dict):
        return {
            key: value.replace(_DEFINITIONS, _COMPONENTS) if key == "$ref" else _referring(value)
            for key, value in data.items()
        }
    return [_referring(each) for each in data] if isinstance(data, list) else data


def parameters_of(endpoint: Endpoint) -> list[Schema]:
    """Return the parameters of an operation, those of the path first."""
    body = record_body(endpoint.request, Definitions(bounded=True))
    body = _described(endpoint.request.__name__, body)
    in_query = [] if endpoint.has_body else [*body["properties"]]
    names = [*endpoint.in_path, *(name for name in in_query if name not in endpoint.in_path)]
    return [
        _parameter(
            name,
            body["properties"][name],
            in_path=name in endpoint.in_path,
            required=name in body.get("required", ()),
            default=_default(endpoint, name),
        )
        for name in names
    ]


def _parameter(
    name: str, schema: Schema, *, in_path: bool, required: bool, default: object
) -> Schema:
    said = schema.get("description", "")
    bare = _never_null({key: value for key, value in schema.items() if key != "description"})
    if default is not None:
        bare["default"] = default
    place = "path" if in_path else "query"
    return {"name": name, "in": place, "required": required, "description": said, "schema": bare}


def _default(endpoint: Endpoint, name: str) -> object:
    """Return what a parameter is where it is absent, None where it is nothing."""
    known = (each for each in fields_of(endpoint.request) if each.wire == name)
    return next((each.default for each in known if not each.required), None)


def _never_null(schema: Schema) -> Schema:
    kinds: Any = schema.get("type")
    if isinstance(kinds, list):
        (kind,) = (each for each in kinds if each != "null")
        return {**schema, "type": kind}
    return schema
