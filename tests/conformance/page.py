"""The page that lists the tests for each field and sentence of the interface.

It is written from the two registers, `fields` and `sentences`, and the marks on the tests. It needs
neither the interface's own page nor a run of the tests.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final

from tests.architecture.sources import ROOT
from tests.conformance.answers import OURS
from tests.conformance.fields import FIELDS, ROWS
from tests.conformance.proving import proofs
from tests.conformance.sentences import SENTENCES

PAGE: Final = ROOT / "tests" / "conformance.md"

_HEAD: Final = """\
# Conformance

This register lists every field, operation and sentence of the interface (the public JSON API that
this package follows), each with the tests that prove it. `poe conformance` writes this page from
marks on the tests.

Sentences are named by section and number; the table gives their meaning in other words. A number
such as T4 is a test of the [list below](#the-tests). If a test checks fields one by one, each field
is a separate case. Gaps of the interface refer to
[assumptions](../rentbilling/guide/registers/assumptions.md).

Most tests call the service in process, by the function `RentalService.answer`.
`test_every_operation_of_the_interface_is_answered_over_a_socket` proves that the nine operations
answer the same bytes over HTTP. The service computes the adjustments and effects itself: its day is
in 2027, and no adjustment was sent to it.

The page is tested too (`tests/conformance`):

- One test compares it with the marks on the tests; every row must have a proof.
- Other tests fail if the registers differ from the interface's own page: in a name, a type, a
  required field or a sentence. They need that page (`RENTBILLING_INTERFACE`).
"""
_OURS: Final = """\
## Extensions of the interface

Fields in answers of the nine operations that the interface does not have. All other extensions have
their own paths, or fields that are absent unless used.

| Object | Fields | Where |
|---|---|---|
"""
_WHERE: Final[Mapping[str, str]] = {
    "Tenancy address": "the c/o line of the request that created the tenancy",
    "Recurring bill item": "where items are listed, which is an extension",
    "Rent adjustment rule": "the series that an Index rule follows, and conventions (A40)",
}


def page_text() -> str:
    """Return the page for the marks of the tests."""
    found = proofs()
    tests = dict.fromkeys((proof.file, proof.test, proof.docstring) for proof in found)
    numbers = {test: f"T{number}" for number, test in enumerate(tests, 1)}
    by_key: dict[str, dict[str, None]] = {}
    for proof in found:
        number = numbers[proof.file, proof.test, proof.docstring]
        by_key.setdefault(proof.key, {})[number] = None
    parts = [_HEAD, *_fields(by_key), *_rows(by_key), *_sentences(by_key), _ours(), _tests(tests)]
    return "\n".join(parts)


def _by(tests: Mapping[str, Mapping[str, None]], key: str) -> str:
    """Return the numbers of the tests that prove a key."""
    return ", ".join(tests.get(key, ())) or "nothing yet"


def _fields(tests: Mapping[str, Mapping[str, None]]) -> Iterator[str]:
    objects = len({each.section for each in FIELDS})
    yield f"## Fields\n\n{len(FIELDS)} fields in {objects} objects.\n"
    for section, fields in groupby(FIELDS, lambda field: field.section):
        lines = [f"### {section}\n", "| Field | Type | Need | Proven by |", "|---|---|---|---|"]
        for field in fields:
            need = "if applicable" if field.need == "applicable" else field.need
            lines.append(f"| `{field.name}` | {field.kind} | {need} | {_by(tests, field.key)} |")
        yield "\n".join([*lines, ""])


def _rows(tests: Mapping[str, Mapping[str, None]]) -> Iterator[str]:
    lines = ["## Operations and states\n", "| Row | Proven by |", "|---|---|"]
    lines += [f"| `{row}` | {_by(tests, row)} |" for row in ROWS]
    yield "\n".join([*lines, ""])


def _sentences(tests: Mapping[str, Mapping[str, None]]) -> Iterator[str]:
    yield f"## Sentences\n\n{len(SENTENCES)} sentences outside tables.\n"
    lines = ["| Section | No. | Meaning | Filled by | Proven by |", "|---|---:|---|---|---|"]
    for each in SENTENCES:
        filled = ", ".join(each.assumptions)
        section = f"`{each.section}`" if "/" in each.section else each.section
        lines.append(
            f"| {section} | {each.number} | {each.meaning} | {filled} | {_by(tests, each.key)} |"
        )
    yield "\n".join([*lines, ""])


def _ours() -> str:
    lines = [
        f"| {section} | {', '.join(f'`{name}`' for name in names)} | {_WHERE[section]} |"
        for section, names in OURS.items()
    ]
    return _OURS + "\n".join([*lines, ""])


def _tests(tests: Iterable[tuple[str, str, str]]) -> str:
    lines = ["## The tests\n", "| | Test | In | What it proves |", "|---|---|---|---|"]
    for number, (file, test, docstring) in enumerate(tests, 1):
        where = file.removeprefix("tests/")
        lines.append(f"| T{number} | `{test}` | `{where}` | {docstring} |")
    return "\n".join([*lines, ""])
