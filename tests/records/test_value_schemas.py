"""JSON schemas of single values: one for each kind, true to what the reader takes."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rentbilling import IndexPoint, Period, YearMonth
from rentbilling.records import plain
from rentbilling.values import DIALECT, Definitions, an_object, or_null, vat_schema
from tests.support.rows import rows


def accepts(schema: dict[str, Any], value: Any, parts: Definitions | None = None) -> bool:  # noqa: ANN401
    whole = {**schema, "$defs": {} if parts is None else parts.found}
    Draft202012Validator.check_schema(whole)
    return Draft202012Validator(whole).is_valid(value)


@rows(
    ("kind", "good", "bad"),
    [
        (str, ["", "rent"], [1, None, ["rent"]]),
        (bool, [True, False], [0, 1, "true"]),
        (int, [1, -1, 1.0], [1.5, "1", True]),
        (Decimal, [1, 0.25, -1e3], ["1", None, True]),
        (date, ["2026-02-28"], ["2026-2-28", "2026-02-28T00:00Z", 0, "on 2026-02-28"]),
        (
            datetime,
            ["2026-02-28T12:00:00Z", "2026-02-28T12:00+01:00", "2026-02-28T12:00:00.5-0330"],
            ["2026-02-28", "2026-02-28T12:00:00", "2026-02-28 12:00Z", "2026-02-28T24:00Z", 0],
        ),
        (
            IndexPoint,
            ["2026-02", "2026-Q1", "2026-q4", "2026"],
            ["2026-13", "2026-Q5", "0000", "2026-1", 2026, "2026-02-28", "in 2026"],
        ),
        (YearMonth, ["2026-02", "0001-12"], ["2026-13", "2026", "0000-01", 202602, "2026-02-01"]),
        (
            Period,
            ["2026-01-01/2026-01-31"],
            ["2026-01-01", "2026-01-01/2026-01-31/x", 0, "2026-01/2026-02"],
        ),
    ],
)
def test_a_plain_value_has_the_schema_of_its_kind(
    kind: type, good: list[object], bad: list[object]
) -> None:
    """Texts, numbers, days and periods (A1, A4, A58)."""
    assert [True] * len(good) == [accepts(plain(kind), value) for value in good]
    assert [False] * len(bad) == [accepts(plain(kind), value) for value in bad]


def test_a_value_of_another_kind_has_no_schema() -> None:
    with pytest.raises(KeyError):
        plain(float)


@rows(
    ("schema", "value"),
    [
        (plain(str), "rent"),
        ({"enum": ["start", "end"]}, "start"),
        ({"$ref": "#/$defs/Amount"}, {"currency": "DKK", "amount": 1}),
    ],
)
def test_every_schema_can_take_null_beside_its_own_values(
    schema: dict[str, Any], value: object
) -> None:
    """Null reads as absent (A6); the schema itself is not changed."""
    parts = Definitions()
    parts.amount()
    before = dict(schema)

    assert accepts(or_null(schema), value, parts)
    assert accepts(or_null(schema), None, parts)
    assert not accepts(or_null(schema), ["other"], parts)
    assert before == schema
    assert not accepts(schema, None, parts)


def test_an_object_has_its_fields_and_no_others() -> None:
    fields = {"days": plain(int), "said": plain(str)}
    strict, loose = an_object(fields, ["days"]), an_object(fields, [])

    assert accepts(strict, {"days": 3})
    assert not accepts(strict, {"said": "x"})
    assert not accepts(strict, {"days": 3, "more": 1})
    assert accepts(loose, {})
    assert "required" not in loose


@rows(
    ("value", "right"),
    [
        ({"currency": "DKK", "amount": 8500.00}, True),
        ({"currency": "DKK", "amount": -1}, True),
        ({"currency": "DKK", "amount": "8500.00"}, False),
        ({"currency": "", "amount": 1}, False),
        ({"currency": "DKK"}, False),
        ({"amount": 1}, False),
        ({"currency": "DKK", "amount": 1, "unit": "m2"}, False),
        (8500, False),
    ],
)
def test_an_amount_is_a_number_and_a_code(value: object, right: bool) -> None:
    """Never a text, never a number alone (A1, A2)."""
    parts = Definitions()

    assert right is accepts(parts.amount(), value, parts)


@rows(
    ("value", "right"),
    [
        ({"taxMode": "Exempt"}, True),
        ({"taxMode": "Exempt", "taxRate": None}, True),
        ({"taxMode": "ReverseCharge", "taxRate": 0.25}, True),
        ({"taxMode": "Exclusive", "taxRate": 0.25}, True),
        ({"taxMode": "Inclusive", "taxRate": 0}, True),
        ({"taxMode": "Exclusive"}, False),
        ({"taxMode": "Inclusive", "taxRate": None}, False),
        ({"taxMode": "Exclusive", "taxRate": 25}, False),
        ({"taxMode": "Exclusive", "taxRate": -0.1}, False),
        ({"taxMode": "VAT", "taxRate": 0.25}, False),
        ({"taxRate": 0.25}, False),
        ({}, False),
    ],
)
def test_a_vat_that_is_charged_has_a_rate(value: object, right: bool) -> None:
    """A fraction; the other two modes need none (A5, A27, A28)."""
    parts = Definitions()

    assert right is accepts(vat_schema(parts), value, parts)


def test_a_part_is_defined_once_and_referred_to() -> None:
    parts, made = Definitions(), []

    def make() -> dict[str, Any]:
        made.append(1)
        return {"type": "string"}

    assert {"$ref": "#/$defs/Name"} == parts.defined("Name", make) == parts.defined("Name", make)
    assert ([1], {"Name": {"type": "string"}}) == (made, parts.found)
    assert vat_schema(parts) == vat_schema(parts)
    assert ["Name", "Vat"] == list(parts.found)


def test_a_whole_schema_says_what_it_is_and_has_its_parts() -> None:
    parts = Definitions()
    bare = parts.whole("Text", plain(str))
    priced = parts.whole("Price", parts.amount())

    assert {"$schema": DIALECT, "title": "Text", "type": "string"} == bare
    assert {"$schema", "title", "$ref", "$defs"} == set(priced)
    assert Draft202012Validator(priced).is_valid({"currency": "DKK", "amount": 1})
