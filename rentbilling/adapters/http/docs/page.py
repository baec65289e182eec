"""The reference of all operations as a page in a browser, computed from the document.

Laws: it has the words of the document; it has no script and loads nothing; every text is escaped.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Final
from urllib.parse import quote

from rentbilling.adapters.http.answers import JSON
from rentbilling.adapters.http.docs.openapi import EXTENSION, openapi_document
from rentbilling.adapters.http.docs.page_types import code, prose, record_link, type_words
from rentbilling.interface import ENDPOINTS
from rentbilling.records import JsonData, write_json
from rentbilling.service import PROBLEM_KINDS
from rentbilling.values import Schema

_WIDE: Final = 84
"""Characters up to which a value of an example is on one line."""
_TABLE: Final = '<div class="table"><table>'
_SUCCESS: Final = frozenset(str(each.status) for each in ENDPOINTS.values())


def docs_html() -> str:
    document = openapi_document()
    info = document["info"]
    style = (files("rentbilling.adapters.http.docs") / "page.css").read_text(encoding="utf-8")
    title, summary, version = (escape(info[name]) for name in ("title", "summary", "version"))
    same = 'The same as <a href="openapi.json">OpenAPI 3.1</a>.'
    return "".join(
        (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>\n<style>\n{style}</style></head>\n<body>",
            f'<nav aria-label="Contents"><a class="title" href="#top">{title}</a>',
            *_contents(document),
            f'</nav>\n<main><h1 id="top">{title}</h1>',
            f'<p class="lead">{summary} Version {version}. {same}</p>',
            *(f"<p>{prose(part)}</p>" for part in info["description"].split("\n\n")),
            *_resources(document),
            *_records(document),
            *_problems(),
            "</main></body></html>\n",
        )
    )


def _operations(document: Schema, tag: str) -> Iterator[tuple[str, str, Schema]]:
    """Yield the operations of a resource: those of the interface first."""
    found = [
        (method.upper(), path, each)
        for path, methods in document["paths"].items()
        for method, each in methods.items()
        if tag in each["tags"]
    ]
    yield from sorted(found, key=lambda each: EXTENSION in each[2])


def _contents(document: Schema) -> Iterator[str]:
    for tag in document["tags"]:
        yield f'<h2><a href="#{tag["name"]}">{_titled(tag["name"])}</a></h2><ul>'
        for method, _, each in _operations(document, tag["name"]):
            yield f'<li><span class="method {method}">{method}</span>'
            yield f'<a href="#{each["operationId"]}">{escape(each["summary"])}</a></li>'
        yield "</ul>"
    yield '<h2><a href="#records">Records</a></h2><h2><a href="#problems">Problems</a></h2>'


def _titled(name: str) -> str:
    return escape(name.replace("-", " ").replace("one time", "one-time").capitalize())


def _resources(document: Schema) -> Iterator[str]:
    for tag in document["tags"]:
        yield f'\n<section><h2 id="{tag["name"]}">{_titled(tag["name"])}</h2>'
        yield f'<p class="soft">{prose(tag["description"])}</p>'
        for method, path, each in _operations(document, tag["name"]):
            yield from _operation(document, method, path, each)
        yield "</section>"


def _operation(document: Schema, method: str, path: str, operation: Schema) -> Iterator[str]:
    responses = operation["responses"]
    (status,) = (each for each in responses if each in _SUCCESS)
    content = responses[status]["content"][JSON]
    yield f'\n<article id="{operation["operationId"]}"><h3><span class="method {method}">{method}'
    yield f"</span>{code(path)}"
    if EXTENSION in operation:
        yield '<span class="ours">beyond the interface</span>'
    yield f"</h3><p>{prose(operation['description'])}</p>"
    if parameters := operation.get("parameters"):
        heads = ("Parameter", "In", "Type", "Meaning")
        yield "<h4>Parameters</h4>"
        yield _table(heads, [_parameter(each) for each in parameters])
    if body := operation.get("requestBody"):
        name = body["content"][JSON]["schema"]["$ref"].rpartition("/")[2]
        yield f"<h4>Body: {record_link(name)}</h4>"
        yield _fields(document["components"]["schemas"][name])
    yield f"<h4>Example</h4><pre><code>{_shown(_curl(method, path, operation))}</code></pre>"
    yield f"<h4>Answer: {status}, {type_words(content['schema'])}</h4>"
    yield "<details><summary>Of the example</summary><pre><code>"
    yield f"{_shown(_pretty(content.get('example')))}</code></pre></details>"
    others = [each for each in responses if each not in _SUCCESS]
    links = ", ".join(f'<a href="#problems-{each}">{each}</a>' for each in others)
    yield f'<p class="soft">Otherwise {links}.</p></article>'


def _shown(text: str) -> str:
    """Return a text for use between tags."""
    return escape(text, quote=False)


def _parameter(of: Schema) -> Sequence[str]:
    name = _name(of["name"], required=of["required"])
    return name, of["in"], type_words(of["schema"]), prose(of["description"])


def _name(name: str, *, required: bool) -> str:
    return code(name) + ('<span class="must">required</span>' if required else "")


def _fields(schema: Schema) -> str:
    required = schema.get("required", ())
    rows = [
        (_name(name, required=name in required), type_words(each), prose(each["description"]))
        for name, each in schema["properties"].items()
    ]
    return _table(("Field", "Type", "Meaning"), rows)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are HTML."""
    classes = {"In": "in", "Type": "type"}
    marks = {at: f' class="{classes[head]}"' for at, head in enumerate(heads) if head in classes}
    marks[0] = ' class="name"'
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    lines = (
        "".join(f"<td{marks.get(at, '')}>{cell}</td>" for at, cell in enumerate(row))
        for row in rows
    )
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"{_TABLE}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _records(document: Schema) -> Iterator[str]:
    yield '\n<section><h2 id="records">Records</h2>'
    yield '<p class="soft">Objects of bodies and answers, by name.</p>'
    for name, schema in document["components"]["schemas"].items():
        yield f'\n<article id="record-{escape(name)}"><h3>{escape(name)}</h3>'
        yield "".join(f"<p>{prose(part)}</p>" for part in schema["description"].split("\n\n"))
        yield f"{_fields(schema)}</article>"
    yield "</section>"


def _problems() -> Iterator[str]:
    yield '\n<section><h2 id="problems">Problems</h2>'
    yield '<p class="soft">What <code>type</code> can be.</p>'
    heads = "".join(f'<th scope="col">{each}</th>' for each in ("Status", "Type", "Meaning"))
    yield f"{_TABLE}<thead><tr>{heads}</tr></thead><tbody>"
    seen: set[int] = set()
    for kind in PROBLEM_KINDS.values():
        mark = "" if kind.status in seen else f' id="problems-{kind.status}"'
        seen.add(kind.status)
        yield f'<tr id="{kind.type[1:]}"><td{mark}>{kind.status}</td>'
        yield f'<td class="name"><a href="{kind.type[1:]}">{code(kind.type)}</a></td>'
        yield f"<td>{prose(kind.title)}. {prose(kind.meaning)}</td></tr>"
    yield "</tbody></table></div></section>"


def _curl(method: str, path: str, operation: Schema) -> str:
    given = {each["name"]: each for each in operation.get("parameters", ()) if "example" in each}
    query: list[str] = []
    for name, each in given.items():
        value = str(each["example"])
        if each["in"] == "path":
            path = path.replace(f"{{{name}}}", quote(value, safe=""))
        else:
            query.append(f"{name}={quote(value, safe='/')}")
    address = "?".join((path, "&".join(query))) if query else path
    body = operation.get("requestBody")
    known = method == "GET" or (method == "POST" and body)
    words = ["curl" if known else f"curl -X {method}", f'"$BASE{address}"']
    if operation.get("security") != []:
        words.append('-H "Authorization: $KEY"')
    if body:
        text = _pretty(body["content"][JSON].get("example"))
        words += ['-H "Content-Type: application/json"', f"-d '{text}'"]
    line = " ".join(words)
    if len(line) <= _WIDE:
        return line
    return " ".join(words[:2]) + "".join(f" \\\n  {each}" for each in words[2:])


def _pretty(data: JsonData, level: int = 0, before: int = 0) -> str:
    """Return data as a JSON text with its small values on one line each."""
    text = write_json(data)
    if len(text) + 2 * level + before <= _WIDE or not isinstance(data, (dict, list)):
        return text
    if isinstance(data, dict):
        opening, closing = "{", "}"
        heads = {key: f"{write_json(key)}: " for key in data}
        parts = [
            f"{heads[key]}{_pretty(each, level + 1, len(heads[key]))}" for key, each in data.items()
        ]
    else:
        opening, closing = "[", "]"
        parts = [_pretty(each, level + 1) for each in data]
    inner = "\n" + "  " * (level + 1)
    return f"{opening}{inner}{(',' + inner).join(parts)}\n{'  ' * level}{closing}"
