"""The two tables of refusals, for every way in.

`by_kind.toml` has, for each kind of value, what is none; it is tried at every field of that kind
in a lease. `by_rule.txt` has a line for each change of a good record: `changes → outcome`, in TOML,
below a line that names the record and its good fields. `@NAME` stands for an earlier `NAME = …`.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel
from pydantic.alias_generators import to_snake

import rentbilling as rb
from rentbilling.errors import InvalidInputError
from rentbilling.records import fields_of, records_in

RULES = Path(__file__).with_name("by_rule.txt")
RECORDS = records_in(rb.LeaseTerms)


class Row(NamedTuple):
    """A change of a good record, and what comes of it."""

    record: type[BaseModel]
    changes: str
    data: Any
    """The whole record, as JSON with exact numbers."""
    outcome: str

    @property
    def text(self) -> str:
        return json_of(self.data)

    @property
    def path(self) -> str:
        return self.outcome.split(" ")[1]

    @property
    def code(self) -> str:
        return self.outcome.split(" ")[2]

    @property
    def met(self) -> str:
        return self.outcome.split(" ", 3)[3]


def json_of(data: object) -> str:
    """Return JSON with every number as it was written."""
    text = json.dumps(data, default=lambda number: f"@@{number}@@", ensure_ascii=False)
    return re.sub('"@@(.*?)@@"', r"\1", text)


def toml(text: str, names: Mapping[str, str]) -> dict[str, Any]:
    while "@" in text:
        text = re.sub(r"@([A-Z_0-9]+)", lambda found: names[found[1]], text)
    found: dict[str, Any] = tomllib.loads(f"row = {{ {text} }}", parse_float=Decimal)["row"]
    return found


def changed(data: Any, changes: Any) -> Any:  # noqa: ANN401 - JSON is any value
    """Return data with fields changed at any depth; the text `none` is null."""
    if isinstance(changes, dict):
        good = data if isinstance(data, dict) else {}
        return {**good, **{name: changed(good.get(name), each) for name, each in changes.items()}}
    if isinstance(changes, list):
        return [changed(None, each) for each in changes]
    return None if changes == "none" else changes


def lines_of_rules() -> Iterator[tuple[str, Row | None]]:
    """Give every line of the table, with its row where it has one."""
    names: dict[str, str] = {}
    record, good = RECORDS["LeaseTerms"], {}
    for line in RULES.read_text(encoding="utf-8").splitlines():
        changes, arrow, outcome = line.partition(" →")
        if named := re.match(r"^([A-Z_0-9]+) = (.*)$", line):
            names[named[1]] = named[2]
        elif headed := re.match(r"^\[(\w+)\] ?(.*)$", line):
            record, good = RECORDS[headed[1]], toml(headed[2], names)
        if arrow and not line.startswith("#"):
            data = changed(deepcopy(good), toml(changes, names))
            yield line, Row(record, changes, data, outcome.strip())
        else:
            yield line, None


def _named(name: str) -> Any:  # noqa: ANN401 - JSON is any value
    found = re.findall(r"(?m)^([A-Z_0-9]+) = (.*)$", RULES.read_text(encoding="utf-8"))
    return json.loads(json_of(toml(f"it = @{name}", dict(found))["it"]))


DKK, EUR, INDEX, STEP, RENT = map(_named, ("DKK", "EUR", "INDEX", "STEP", "ITEM"))
STEPS = {"adjustmentType": "Increment", "indexMonth": None, "increments": [STEP]}
"""Makes the rule of the table one of increments."""
PLANNED = {"recurringBillItems": [RENT], "rentAdjustmentPlans": [{"rentAdjustmentRules": [INDEX]}]}
"""A lease with a plan."""


def rules(*records: str) -> list[Row]:
    """Return the rows of some records, or all."""
    found = [row for _, row in lines_of_rules() if row and row.outcome]
    return [each for each in found if not records or each.record.__name__ in records]


def refused_rules(*records: str) -> list[Row]:
    """Return the rows that are refused for one thing."""
    return [e for e in rules(*records) if e.outcome != "accepted" and ";" not in e.outcome]


def outcome_of(error: InvalidInputError) -> str:
    told = (f"{each.path or '.'} {each.code} {each.met}" for each in error.problems)
    return f"{type(error).__name__} {'; '.join(told)}"


def snaked(data: Any) -> Any:  # noqa: ANN401 - JSON is any value
    """Return data with the names of Python."""
    if isinstance(data, dict):
        return {to_snake(key): snaked(value) for key, value in data.items()}
    return [snaked(each) for each in data] if isinstance(data, list) else data


def snaked_path(path: str) -> str:
    return ".".join(map(to_snake, path.split(".")))


KINDS: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("by_kind.toml").read_text(encoding="utf-8"), parse_float=Decimal
)


HIDING = {"list", "record"}


class Wrong(NamedTuple):
    """A value that is none of its kind, at every place of that kind in the lease."""

    value: Any
    ways: list[tuple[str | int, ...]]
    kind: str
    """The class of the error."""
    code: str
    deeper: str = ""
    """Where inside the value the problem is."""

    @property
    def paths(self) -> list[str]:
        return [path_of(way) + self.deeper for way in self.ways]

    @property
    def data(self) -> Any:  # noqa: ANN401 - JSON is any value
        data = LEASE
        for way in self.ways:
            data = put(data, way, self.value)
        return data


def put(data: Any, way: tuple[str | int, ...], value: object) -> Any:  # noqa: ANN401
    """Return data with another value at a place."""
    if not way:
        return value
    found = list(data) if isinstance(data, list) else dict(data or {})
    name: Any = way[0]
    found[name] = put(found[name] if len(way) > 1 else None, way[1:], value)
    return found


LEASE: dict[str, Any] = KINDS["lease"]
"""A lease in which every record is, once."""


def places(
    record: type[BaseModel] = rb.LeaseTerms,
    data: Any = None,  # noqa: ANN401
    way: tuple[str | int, ...] = (),
) -> Iterator[tuple[tuple[str | int, ...], str, bool]]:
    """Give every field of every record in the lease: its place, its kind, if it is required."""
    data = LEASE if data is None else data
    for field in fields_of(record):
        here, inner = (*way, field.wire), field.type.innermost
        kind = inner.__name__ if isinstance(inner, type) else "words"
        if field.type.is_list:
            kind = "list"
        elif isinstance(inner, type) and issubclass(inner, BaseModel):
            kind = "record"
        named = KINDS["named"]
        kind = named.get(f"{record.__name__}.{field.name}", named.get(field.name, kind))
        yield here, kind, field.required
        below = data.get(field.wire)
        if isinstance(inner, type) and issubclass(inner, BaseModel) and below:
            deeper = (*here, 0) if field.type.is_list else here
            yield from places(inner, below[0] if field.type.is_list else below, deeper)


def records() -> Iterator[tuple[str | int, ...]]:
    """Give the place of every record, amount and VAT that is in the lease."""
    yield ()
    for way, kind, _ in places():
        at: Any = LEASE
        for name in way:
            at = at[name] if isinstance(name, int) else at.get(name)
        if at and kind in {"record", "Amount", "Vat", "list"}:
            yield (*way, 0) if kind == "list" else way


def path_of(way: tuple[str | int, ...]) -> str:
    return "".join(f"[{e}]" if isinstance(e, int) else f".{e}" for e in way).removeprefix(".")


def wrongs() -> Iterator[Wrong]:
    """Give each wrong value at all fields of its kind; a record or list hides others, so alone."""
    found: dict[str, list[tuple[str | int, ...]]] = {}
    for way, kind, required in places():
        found.setdefault(kind, []).append(way)
        if required:
            yield Wrong(None, [way], "", "missing")
    for kind, ways in found.items():
        for error, codes in KINDS[kind].items():
            for code, values in codes.items():
                for value in values:
                    inner = isinstance(value, dict) and "at" in value
                    what, deeper = (value["is"], value["at"]) if inner else (value, "")
                    for some in [[way] for way in ways] if kind in HIDING else [ways]:
                        yield Wrong(what, some, error, code, deeper)
