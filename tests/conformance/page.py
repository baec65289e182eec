"""The page of the guide that says what of the interface is proven by which test.

It is made of the two registers, `fields` and `sentences`, and of the marks on the tests, and needs
neither the interface's own page nor a run of the tests.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final

from tests.architecture.sources import GUIDE
from tests.conformance.answers import OURS
from tests.conformance.fields import FIELDS, ROWS
from tests.conformance.proving import Proof, proofs
from tests.conformance.sentences import SENTENCES

PAGE: Final = GUIDE / "conformance.md"

_HEAD: Final = """\
# Conformance

Every field of the interface's tables, every operation and every sentence outside them, each with
the tests that prove it. `poe conformance` writes this page from marks on the tests.

Sentences are named by section and number; the table repeats their meaning, not their words. A
number such as T4 is a test of the [list below](#the-tests). Where a test tries fields one by one,
each field is a case of its own. What the interface leaves open points to
[assumptions](assumptions.md).

Most tests ask the service in process, by the function `RentalService.answer`. That the nine
operations answer the same bytes over HTTP on a socket is the test
`test_every_operation_of_the_interface_is_answered_over_a_socket`. The adjustments and effects are
those that a service computes: its day lies in 2027, and no adjustment was sent to it.

The page is tested too (`tests/conformance`):

- It is what the marks on the tests say, and nothing is without a proof.
- The registers that it is made of are the interface's own page: a name, a type, whether a field is
  required, each sentence. That needs the page (`RENTBILLING_INTERFACE`, or beside the outside
  cases).
- Each field is broken in every way: not sent, sent as another type, sent as null, not taken, taken
  whatever it is. Each operation is taken away, and each sentence is broken in one or several ways.
  A breakage that no proof of the row notices is a failing test, and so is a proof of a field or an
  operation that notices none.
"""
_OURS: Final = """\
## Beside the interface

Fields that a caller of the nine operations may see and the interface does not have. Everything else
of ours has paths of its own, or fields that are absent unless used.

| Object | Fields | Where |
|---|---|---|
"""
_WHERE: Final[Mapping[str, str]] = {
    "Tenancy address": "the c/o line that was sent when the tenancy was created",
    "Recurring bill item": "where items are listed, which is an operation of ours",
    "Rent adjustment rule": "the series that an Index rule follows, and conventions (A40)",
}


def page_text() -> str:
    found = proofs()
    tests = dict.fromkeys((proof.file, proof.test, proof.told) for proof in found)
    numbers = {test: f"T{number}" for number, test in enumerate(tests, 1)}
    by_key: dict[str, dict[str, None]] = {}
    for proof in found:
        number = numbers[proof.file, proof.test, proof.told]
        by_key.setdefault(proof.key, {})[number] = None
    parts = [_HEAD, *_fields(by_key), *_rows(by_key), *_sentences(by_key), _ours(), _tests(tests)]
    return "\n".join(parts)


def proven(found: Iterable[Proof]) -> set[str]:
    return {proof.key for proof in found}


def _by(tests: Mapping[str, Mapping[str, None]], key: str) -> str:
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
    lines = ["| Section | No. | What it says | Filled by | Proven by |", "|---|---:|---|---|---|"]
    for each in SENTENCES:
        filled = ", ".join(each.assumptions)
        section = f"`{each.section}`" if "/" in each.section else each.section
        lines.append(
            f"| {section} | {each.number} | {each.told} | {filled} | {_by(tests, each.key)} |"
        )
    yield "\n".join([*lines, ""])


def _ours() -> str:
    lines = [
        f"| {section} | {', '.join(f'`{name}`' for name in names)} | {_WHERE[section]} |"
        for section, names in OURS.items()
    ]
    return _OURS + "\n".join([*lines, ""])


def _tests(tests: Iterable[tuple[str, str, str]]) -> str:
    lines = ["## The tests\n", "| | Test | In | What it holds |", "|---|---|---|---|"]
    for number, (file, test, told) in enumerate(tests, 1):
        where = file.removeprefix("tests/")
        lines.append(f"| T{number} | `{test}` | `{where}` | {told} |")
    return "\n".join([*lines, ""])
