"""The page for people has all that the document has, and nothing from elsewhere."""

import json
import shlex
from html.parser import HTMLParser
from typing import Final

import pytest

from rentbilling.adapters.http.docs.openapi import openapi_text
from rentbilling.adapters.http.docs.page import docs_html
from rentbilling.adapters.http.docs.page_types import prose, type_words
from rentbilling.interface import ENDPOINTS
from rentbilling.service.problem_details import PROBLEM_KINDS
from rentbilling.values import Schema
from tests.adapters.http.sample_session import STEPS, example_of
from tests.adapters.http.served import KEY, TENANCY, service
from tests.support.rows import rows

_VOID: Final = {"meta", "link", "br"}


class Page(HTMLParser):
    """The tags, links and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []
        self.examples: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in _VOID:
            self.open.append(tag)
        if tag == "pre":
            self.examples.append("")
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            if name in ("href", "src") and value:
                self.links.append(value)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if "pre" in self.open:
            self.examples[-1] += data


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(docs_html())


def test_the_page_is_sound(page: Page) -> None:
    assert [] == page.open
    assert len(page.ids) == len(set(page.ids))
    within = {each[1:] for each in page.links if each.startswith("#")}
    assert within <= set(page.ids)


def test_nothing_comes_from_elsewhere(page: Page) -> None:
    assert {"script", "img", "link", "iframe"}.isdisjoint(page.tags)
    others = {each for each in page.links if not each.startswith("#")}
    assert {"openapi.json", *(each.type[1:] for each in PROBLEM_KINDS.values())} == others
    assert "url(" not in docs_html()


def test_every_operation_record_and_problem_has_its_place(page: Page) -> None:
    schemas = json.loads(openapi_text())["components"]["schemas"]
    expected = {
        *ENDPOINTS,
        *(each.resource for each in ENDPOINTS.values()),
        *(f"record-{name}" for name in schemas),
        *(each.type[1:] for each in PROBLEM_KINDS.values()),
    }

    assert expected <= set(page.ids)


def test_every_field_and_parameter_is_on_the_page(page: Page) -> None:
    document = json.loads(openapi_text())
    names = {
        name for each in document["components"]["schemas"].values() for name in each["properties"]
    }
    names |= {
        each["name"]
        for methods in document["paths"].values()
        for operation in methods.values()
        for each in operation.get("parameters", ())
    }

    assert names <= set(page.texts)


def test_extensions_are_marked(page: Page) -> None:
    ours = sum(each.ours for each in ENDPOINTS.values())

    assert ours + 1 == page.texts.count("beyond the interface")


def test_the_examples_work(page: Page) -> None:
    asked = service()
    for step in (*STEPS, ("create_tenancy", {}, TENANCY)):
        example_of(asked, step)
    calls = [each for each in page.examples if each.startswith("curl ")]
    statuses = {}
    for call in calls:
        words = shlex.split(call.replace("\\\n", ""))[1:]
        method, body, headers, address = "", b"", {}, ""
        while words:
            word = words.pop(0)
            if word == "-X":
                method = words.pop(0)
            elif word == "-H":
                name, _, value = words.pop(0).partition(": ")
                headers[name] = value.replace("$KEY", KEY)
            elif word == "-d":
                body = words.pop(0).encode()
            else:
                address = word.removeprefix("$BASE")
        path, _, query = address.partition("?")
        answer = asked.answer(method or ("POST" if body else "GET"), path, query, headers, body)
        statuses[call] = answer.status

    assert len(ENDPOINTS) + 1 == len(calls)
    refused = {call.split('"')[1]: each for call, each in statuses.items() if each >= 400}
    # What there is already: the product with its key, and the plan that adjusts the same rent.
    assert {"$BASE/products": 409, "$BASE/rent-adjustment-plans": 400} == refused


def test_it_is_readable_in_the_dark_and_on_paper() -> None:
    text = docs_html()

    assert "color-scheme: light dark" in text
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    assert 'name="viewport"' in text


def test_texts_are_escaped() -> None:
    assert "a <code>&lt;b&gt;</code> &amp; &lt;i&gt;" == prose("a `<b>` & <i>")


@rows(
    ("schema", "expected"),
    [
        ({"type": "string", "format": "date", "pattern": "x"}, "date <code>YYYY-MM-DD</code>"),
        ({"type": ["string", "null"], "format": "date-time"}, "date-time with an offset"),
        (
            {"type": "number", "exclusiveMinimum": 0, "maximum": 1200},
            "number, above 0, at most 1,200",
        ),
        (
            {"type": "integer", "minimum": -5, "maximum": 5, "not": {"const": 0}},
            "whole number, −5 to 5, not 0",
        ),
        ({"type": "number", "minimum": 0}, "number, 0 or more"),
        ({"enum": ["a", None]}, "one of <code>a</code>"),
        ({"const": "ok"}, "<code>ok</code>"),
        ({"type": "string", "maxLength": 250}, "text, at most 250 characters"),
        (
            {"anyOf": [{"$ref": "#/components/schemas/Vat"}, {"type": "null"}]},
            '<a href="#record-Vat">Vat</a>',
        ),
        (
            {"type": ["array", "null"], "items": {"type": "boolean"}, "maxItems": 100},
            "list of true or false, at most 100",
        ),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "object of text by name"),
    ],
)
def test_a_type_is_written_in_words(schema: Schema, expected: str) -> None:
    assert expected == type_words(schema)


def test_it_is_served_to_everybody() -> None:
    answer = service().answer("GET", "/docs")

    assert (200, docs_html().encode()) == (answer.status, answer.body)
    policy = dict(answer.headers)["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
