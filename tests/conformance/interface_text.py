"""Reading the interface's own page: every field of its tables, every row, every sentence.

The page is data of others and no part of the tree. What is read here is held against `points`,
which names the same fields and sentences without repeating the page: a sentence by its section,
number and digest.
"""

import os
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

AMOUNTS: Final = tuple(
    name
    for what in ("Yearly", "Period", "Balance")
    for name in (f"from{what}Amount", f"to{what}Amount", f"{what.lower()}AmountChange")
)
"""The nine amounts that an adjustment and its effects share."""


class ReadField(NamedTuple):
    """A field as the page tells it."""

    section: str
    name: str
    kind: str
    """Its type, in the words of `KINDS`."""
    need: str
    """Of a request `yes`, `no` or `see rule`; `applicable` where it may be absent; else empty."""

    @property
    def key(self) -> str:
        return f"{self.section}: {self.name}"


class ReadSentence(NamedTuple):
    """A sentence outside tables."""

    section: str
    number: int
    text: str

    @property
    def key(self) -> str:
        return f"{self.section} {self.number}"

    @property
    def digest(self) -> str:
        return sha256(self.text.encode()).hexdigest()[:10]

    @property
    def is_gap(self) -> bool:
        return "not shown" in self.text


class InterfaceText(NamedTuple):
    """All that the page says."""

    fields: tuple[ReadField, ...]
    rows: tuple[str, ...]
    """Rows of tables that are no fields: operations and states."""
    sentences: tuple[ReadSentence, ...]


KINDS: Final = {
    "string": "string",
    "number": "number",
    "integer": "integer",
    "boolean": "boolean",
    "date": "date",
    "date-time": "date-time",
    "Amount object": "amount",
    "VAT object": "vat",
    "object": "object",
    "Lease object": "object",
}
_EFFECT: Final = "Effect of a rule on an adjustment"
_LINE: Final = "Line item fields"
_CELL: Final = re.compile(r"(?<!\\)\|")
_SENTENCE: Final = re.compile(r"(?<=[.])\s+(?=[A-Z])")
_PART: Final = re.compile(r"(?:^|[ ,;:])(?P<name>[a-z][A-Za-z]*) \((?P<kind>[^)]*)\)")


def interface_file() -> Path:
    named = os.environ.get("RENTBILLING_INTERFACE")
    return Path(named or Path(__file__).parents[3] / "shared" / "interface.md")


def read_interface(text: str) -> InterfaceText:
    """Return the fields, rows and sentences of a page in Markdown, in the order of the page."""
    fields: list[ReadField] = []
    rows: list[str] = []
    sentences: list[ReadSentence] = []
    for title, body in _sections(text):
        section, number = title, 0
        for block in _blocks(body):
            if block[0].startswith("|"):
                head, _, *rest = ([cell.strip() for cell in _cells(line)] for line in block)
                if head[0] == "Field":
                    fields += (each for cells in rest for each in _fields(section, head, cells))
                else:
                    rows += (f"{cells[0]} {cells[1]}" for cells in rest)
                continue
            for sentence in _sentences(block):
                number += 1
                sentences.append(ReadSentence(title, number, sentence))
                fields += _told_fields(title, sentence)
                if sentence.startswith(_EFFECT):
                    section = "Effect"
    return InterfaceText(tuple(fields), tuple(rows), tuple(sentences))


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield each heading with what stands below it, up to the next one."""
    parts = re.split(r"^#+ (.+)$", text, flags=re.MULTILINE)[1:]
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        yield re.sub(r" \((as|used|see).*", "", title), body


def _blocks(body: str) -> Iterator[list[str]]:
    """Yield tables and paragraphs, an entry of a list as a paragraph of its own."""
    for paragraph in re.split(r"\n\s*\n|\n(?=- )", body):
        if lines := [line.removeprefix("- ").strip() for line in paragraph.strip().splitlines()]:
            yield lines


def _cells(row: str) -> list[str]:
    return _CELL.split(row.strip())[1:-1]


def _sentences(lines: list[str]) -> list[str]:
    return _SENTENCE.split(" ".join(lines))


def _fields(section: str, head: list[str], cells: list[str]) -> Iterator[ReadField]:
    """Yield the fields of a row, and those that it tells in parentheses."""
    said = dict(zip(head, cells, strict=True))
    kind, inside = said["Type"], said.get("Meaning", said.get("Notes", ""))
    need = said.get("Required", "")
    if "if applicable" in f"{kind} {inside}":
        need = "applicable"
    names = AMOUNTS if cells[0].startswith("the nine amount") else cells[0].split(", ")
    for name in names:
        yield ReadField(section, name, _kind(kind), need)
        for part, of in _parts(inside):
            yield ReadField(section, f"{name}.{part}", of, "")


def _kind(said: str) -> str:
    """Return a type in our words: an array by what it is of."""
    plain = re.split(r"[,(]", said)[0].strip()
    if plain.startswith("array"):
        return "strings" if plain.endswith("of string") else "array"
    return KINDS[plain]


def _parts(inside: str) -> Iterator[tuple[str, str]]:
    for found in _PART.finditer(inside):
        kind = re.split(r"[,;]", found["kind"])[0].strip()
        if kind in KINDS:
            yield found["name"], KINDS[kind]
    if keys := re.search(r"with keys ([a-z, ]+) \(strings\)", inside):
        yield from ((name, "string") for name in keys[1].split(", "))


def _told_fields(title: str, sentence: str) -> Iterator[ReadField]:
    """Yield the fields that a sentence tells: of lines, of answers, in a path."""
    if sentence.startswith(_LINE):
        for name, kind in _parts(sentence):
            yield ReadField("Line item", name, kind, "")
    if sentence.startswith("Response body:"):
        for name, kind in _parts(sentence):
            yield ReadField(f"{title} answer", name, kind, "")
    if listed := re.search(r"object with (\w+), an array of", sentence):
        yield ReadField(f"{title} answer", listed[1], "array", "")
    if found := re.match(r"Path parameter (\w+) \(string, required\)", sentence):
        yield ReadField(title, found[1], "string", "yes")
