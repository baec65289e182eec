"""Writes the pages of the reference, as reStructuredText that autodoc fills in.

Law: what a page says of a name is its docstring; of a record's field, what its JSON schema says.
"""

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from textwrap import indent
from typing import Any, Literal, get_args, get_origin, is_typeddict

from public_names import PAGES, Described, Page, names_of, root_names
from pydantic import BaseModel

from rentbilling.records import fields_of
from rentbilling.records.description import FieldType, RecordField, sentences, words_of

INDEX = """\
API reference
=============

Everything public, with the path it is imported from. The names below are those of ``rentbilling``
itself, which most programs need; the pages describe them together with the other public names of
their package. :doc:`Compatibility </guide/compatibility>` says what may change between releases.

"""


def write_reference(folder: Path) -> None:
    """Write every page of the reference into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in PAGES:
        (folder / f"{page.name}.rst").write_text(page_text(page), encoding="utf-8")
    (folder / "index.rst").write_text(index_text(), encoding="utf-8")


def index_text() -> str:
    """Return the page with the names of `rentbilling`, and the list of pages."""
    parts = [INDEX]
    for page, names in root_names():
        parts.append(f":doc:`{page.title} <{page.name}>`\n")
        parts.append(_summary([Described("rentbilling", name) for name in names]))
    entries = "\n".join(f"   {page.title} <{page.name}>" for page in PAGES)
    parts.append(f".. toctree::\n   :hidden:\n\n{entries}\n")
    return "\n".join(parts)


def page_text(page: Page) -> str:
    """Return a page: what its package is for, a list of its names, then each of them."""
    about = sentences(import_module(page.package).__doc__)
    parts = [page.title, "=" * len(page.title), "", about, ""]
    names = names_of(page)
    parts.append(_summary(names))
    parts.append("\n".join(_entry(each) for each in names))
    return "\n".join(parts)


def _summary(names: list[Described] | tuple[Described, ...]) -> str:
    """Return a table of names, each with the first sentence about it."""
    rows = [".. list-table::", "   :class: names", "   :widths: auto", ""]
    for each in names:
        rows.append(f"   * - :py:obj:`{each.name} <{each.path}>`")
        rows.append(f"     - {_first_sentence(each)}")
    return "\n".join(rows) + "\n"


def _first_sentence(described: Described) -> str:
    value = described.value
    if not (inspect.isroutine(value) or isinstance(value, type)) and not _is_fixture(value):
        return ""
    first = sentences(value.__doc__).partition("\n")[0]
    return first.partition(". ")[0].removesuffix(".") + "."


def _is_fixture(value: object) -> bool:
    return "fixture" in type(value).__name__.lower()


def _entry(described: Described) -> str:
    value = described.value
    if inspect.isroutine(value) or _is_fixture(value):
        return f".. autofunction:: {described.path}\n"
    if not isinstance(value, type):
        return f".. autodata:: {described.path}\n   :no-value:\n"
    if is_typeddict(value):
        return _options(described, value)
    if issubclass(value, BaseModel):
        return _record(described, value)
    bases = "   :show-inheritance:\n" if issubclass(value, Exception) else ""
    return f".. autoclass:: {described.path}\n   :members:\n{bases}"


def _options(described: Described, options: type) -> str:
    """Return a class of options, which autodoc takes for a function."""
    keys = [f".. autoattribute:: {described.path}.{name}\n" for name in options.__annotations__]
    text = f"{inspect.getdoc(options)}\n\n" + "\n".join(keys)
    return f".. py:class:: {described.path}\n\n" + indent(text, "   ") + "\n"


def _record(described: Described, record: type[BaseModel]) -> str:
    names = ", ".join(record.model_fields)
    head = [f".. autoclass:: {described.path}", "   :members:", f"   :exclude-members: {names}", ""]
    words = words_of(record)
    on_wire: tuple[str, ...] = getattr(record, "required_on_wire", ())
    fields = [
        _field(each, words.get(each.wire, ""), required=each.required or each.name in on_wire)
        for each in fields_of(record)
    ]
    return "\n".join(head) + "\n" + indent("\n".join(fields), "   ") + "\n"


def _field(field: RecordField, words: str, *, required: bool) -> str:
    """Return a field: its name and type in Python, its name and type in JSON, its words."""
    default = "" if field.required else f"   :value: {_default(field.default)}\n"
    in_json = ", ".join(_wire_type(field.type, required=required))
    return (
        f".. py:attribute:: {field.name}\n   :type: {_python_type(field.type)}\n{default}\n"
        f"   .. container:: wire\n\n      JSON :wire:`{field.wire}`: {in_json}\n\n"
        + indent(words, "   ")
        + "\n"
    )


def _default(value: object) -> str:
    return "computed" if type(value).__name__ == "PydanticUndefinedType" else repr(value)


def _python_type(known: FieldType) -> str:
    if known.kind is tuple and known.entries is not None:
        name = f"tuple[{_python_type(known.entries)}, ...]"
    elif known.kind is dict and known.entries is not None:
        name = f"dict[str, {_python_type(known.entries)}]"
    elif get_origin(known.kind) is Literal:
        name = "str"
    else:
        name = getattr(known.kind, "__name__", str(known.kind))
    return f"{name} | None" if known.nullable else name


_JSON_TYPES = {
    "str": "string",
    "int": "whole number",
    "Decimal": "number",
    "Fraction": "number",
    "bool": "true or false",
    "date": "string, a date such as 2026-01-31",
    "datetime": "string, a moment such as 2026-01-31T12:00:00Z",
    "Amount": "object with amount and currency",
    "Vat": "object with taxMode and taxRate",
    "Period": "string such as 2026-01-01/2026-01-31",
    "YearMonth": "string such as 2026-01",
}


def _wire_type(known: FieldType, *, required: bool) -> Iterator[str]:
    yield _json_type(known)
    if get_origin(known.kind) is Literal:
        yield "one of " + ", ".join(f"``{word}``" for word in get_args(known.kind))
    if known.nullable:
        yield "or null"
    if required:
        yield "required"


def _json_type(known: FieldType) -> str:
    kind: Any = known.kind
    if kind is tuple and known.entries is not None:
        return f"list of {_json_type(known.entries)}"
    if kind is dict and known.entries is not None:
        return f"object, with values of {_json_type(known.entries)}"
    if get_origin(kind) is Literal:
        return "string"
    name = getattr(kind, "__name__", str(kind))
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return f":py:obj:`{name}`"
    return _JSON_TYPES.get(name, name)
