"""JSON texts: numbers keep every digit, what is ambiguous is refused, what is written is JSON."""

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from rentbilling import Problem, loads
from rentbilling.errors import InvalidRecordError
from rentbilling.interface import Lease
from rentbilling.records import entries_of, read_json, read_odd_json, with_json_problems, write_json
from tests.support.refusals import faults
from tests.support.rows import rows


def refused(text: str | bytes) -> list[tuple[str, str, str]]:
    return faults(lambda: read_json(text), InvalidRecordError, "path code met")


@rows(
    ("text", "value"),
    [
        ("8500.10", Decimal("8500.10")),
        ("0.30000000000000004", Decimal("0.30000000000000004")),
        ("1e999999", Decimal("1E+999999")),
        ("-0.0", Decimal("-0.0")),
        ("12345678901234567890", 12345678901234567890),
        ("-0", 0),
        ('"\\u00e6\\ud83d\\ude00"', "æ😀"),
        (" [true, false, null] ", [True, False, None]),
        ("{}", {}),
    ],
)
def test_a_value_is_read_as_it_is_written(text: str, value: object) -> None:
    """Numbers with a point or an exponent are decimals, the others whole numbers (A1)."""
    found = read_json(text)

    assert (type(value), str(value)) == (type(found), str(found))


@rows(
    "text",
    ['{"a": "æ"}', '\ufeff{"a": "æ"}', '{"a": "æ"}'.encode(), '\ufeff{"a": "æ"}'.encode()],
    ids=["text", "text with a mark", "bytes", "bytes with a mark"],
)
def test_bytes_are_utf_8_and_a_byte_order_mark_is_no_content(text: str | bytes) -> None:
    assert {"a": "æ"} == read_json(text)


@rows(
    ("text", "code", "met"),
    [
        ("", "not_json", "''"),
        ("{'a': 1}", "not_json", "\"'a': 1}\""),
        ("[1, 2 3]", "not_json", "'3]'"),
        ("[01]", "not_json", "'1]'"),
        ("1 2", "not_json", "'2'"),
        (b'"\xe6"', "not_json", "b'\"\\xe6\"'"),
        ("{" * 60 + "a" * 60, "not_json", f"'{'{' * 20}'"),
        ("1" * 5000, "too_many_digits", f"{'1' * 20}…"),
        ("1e99999999999999999999", "too_many_digits", "1e999999999999999999…"),
        ("[" * 100_000, "not_json", "'…'"),
        ("NaN", "not_finite", "NaN"),
    ],
)
def test_what_is_no_json_is_refused_with_what_was_met(
    text: str | bytes, code: str, met: str
) -> None:
    assert [("", code, met)] == refused(text)


def test_everything_that_is_odd_is_named_at_once_with_its_path() -> None:
    text = (
        '{"a": [-Infinity, 1], "b": {"c": 1, "d": NaN, "c": {"e": "\\ud800"}}, '
        '"f": "\\ud83c\\udfe0", "g\\udfff": 0}'
    )

    assert [
        ("a[0]", "not_finite", "-Infinity"),
        ("b.c", "duplicate_key", "{'e': '\\ud800'}"),
        ("b.c.e", "not_a_text", "'\\ud800'"),
        ("b.d", "not_finite", "NaN"),
        ("", "not_a_text", "'g\\udfff'"),
    ] == faults(lambda: read_json(text), InvalidRecordError, "path code met")


def test_odd_values_are_read_as_something_that_nobody_can_read() -> None:
    """What is not odd stands as it is, so that it can be judged beside them."""
    nines = "9" * 5_000
    text = (
        f'{{"a": [NaN, 1.5], "b": {nines}, "b": 2, "c": "\\ud800", "d": 1e{nines}, "e": -{nines}, '
        '"\\udfff": 1, "f": {"g": "\\u00e6"}}'
    )
    data, problems = read_odd_json(text)

    assert (
        "{'a': [NaN, Decimal('1.5')], 'b': …, 'c': …, 'd': 1e999999999999999999…,"
        " 'e': -9999999999999999999…, 'f': {'g': 'æ'}}"
    ) == repr(data)
    assert [
        ("b", "duplicate_key"),
        ("a[0]", "not_finite"),
        ("b", "too_many_digits"),
        ("c", "not_a_text"),
        ("d", "too_many_digits"),
        ("e", "too_many_digits"),
        ("", "not_a_text"),
    ] == [each[:2] for each in problems]


def test_what_is_odd_under_a_key_that_stands_twice_is_told_too() -> None:
    text = '{"a": {"b": NaN}, "a": {"c": 1, "c": [Infinity]}}'

    assert [
        ("a", "duplicate_key", "{'c': …}"),
        ("a.b", "not_finite", "NaN"),
        ("a.c", "duplicate_key", "[Infinity]"),
        ("a.c[0]", "not_finite", "Infinity"),
    ] == refused(text)


@rows("deep", [60, 500])
def test_keys_that_stand_twice_are_no_way_to_nest_deeper(deep: int) -> None:
    """Each level is given twice: 120 levels, and more than Python's own stack has."""
    text = '{"a": 1, "a": ' * deep + "{}" + "}" * deep

    assert [("", "not_json", "'…'")] == refused(text)


@rows(
    ("path", "code", "kept"),
    [
        ("rent", "missing", False),
        ("rent.amount", "missing", False),
        ("rent[1].amount", "missing", False),
        ("rent.amount", "unknown_field", True),
        ("rental", "missing", True),
        ("", "missing", True),
        ("x.rent", "missing", True),
    ],
)
def test_of_an_odd_value_nothing_else_is_told(path: str, code: str, *, kept: bool) -> None:
    odd = Problem("rent", "duplicate_key", "is given twice", "1", "one of them")
    other = Problem(path, code, "is wrong", "2", "3")

    assert ((odd, other) if kept else (odd,)) == with_json_problems([odd], [other])


def test_half_a_character_is_found_however_it_is_written() -> None:
    with pytest.raises(InvalidRecordError):
        read_json('["\ud800"]')

    assert ["æ", "é"] == read_json('["æ", "\\u00e9"]')


@rows(
    ("data", "entries"),
    [({}, 0), ([], 0), ([1, 2], 2), ({"a": [[], {"b": ["c"]}]}, 3)],
)
def test_entries_of_all_lists_are_counted(data: Any, entries: int) -> None:  # noqa: ANN401
    assert entries == entries_of(data)


def test_the_line_and_column_of_what_is_no_json_are_told() -> None:
    with pytest.raises(InvalidRecordError) as caught:
        read_json('{\n  "a": 1\n  "b": 2\n}')

    assert "is not JSON at line 3, column 3" in caught.value.problems[0].message


@rows("deep", [1, 6, 100])
def test_a_text_may_be_nested_deeper_than_any_lease(deep: int) -> None:
    lists = read_json("[" * deep + "]" * deep)
    objects = read_json('{"a":' * deep + "1" + "}" * deep)

    for _ in range(deep - 1):
        (lists,) = lists
    for _ in range(deep):
        objects = objects["a"]
    assert ([], 1) == (lists, objects)


@rows("deep", [101, 500])
def test_a_text_of_more_than_a_hundred_levels_is_refused(deep: int) -> None:
    for text in ("[" * deep + "]" * deep, '{"a":' * deep + "1" + "}" * deep):
        assert [("", "not_json", "'…'")] == refused(text)


@rows("wide", [99, 500])
def test_a_wide_text_is_not_a_deep_one(wide: int) -> None:
    found = read_json(f"[{', '.join(['{}'] * wide)}]")

    assert [{}] * wide == found


def test_every_key_that_stands_twice_is_named() -> None:
    assert [
        ("a", "duplicate_key", "2"),
        ("b", "duplicate_key", "'x'"),
        ("a", "duplicate_key", "3"),
    ] == refused('{"a": 1, "b": 1, "a": 2, "c": 1, "b": "x", "a": 3}')


def test_keys_of_different_objects_may_be_equal() -> None:
    assert [{"a": {"a": 1}}, {"a": 2}] == read_json('[{"a": {"a": 1}}, {"a": 2}]')


DATA: dict[str, Any] = {
    "text": 'A "quoted" text,\n a \\ and Nørregade',
    "amount": Decimal("8500.00"),
    "tiny": Decimal("1E-7"),
    "big": Decimal("1E+3"),
    "whole": -7,
    "yes": True,
    "no": False,
    "nothing": None,
    "day": date(2026, 2, 28),
    "list": [1, [], {}],
    "tuple": ("a",),
}


def test_every_kind_of_value_is_written() -> None:
    assert (
        '{"text": "A \\"quoted\\" text,\\n a \\\\ and Nørregade", "amount": 8500.00, '
        '"tiny": 0.0000001, "big": 1000, "whole": -7, "yes": true, "no": false, '
        '"nothing": null, "day": "2026-02-28", "list": [1, [], {}], "tuple": ["a"]}'
    ) == write_json(DATA)


def test_an_indented_text_has_a_line_for_each_value() -> None:
    assert "\n".join(  # noqa: FLY002 - a line of text for each line
        (
            "{",
            '  "lines": [',
            "    1,",
            "    {",
            '      "a": []',
            "    }",
            "  ],",
            '  "none": {}',
            "}",
        )
    ) == write_json({"lines": [1, {"a": []}], "none": {}}, indent=2)


@rows("indent", [None, 0, 1, 4])
def test_what_was_written_is_read_again(indent: int | None) -> None:
    text = write_json(DATA, indent=indent)

    assert write_json(read_json(text)) == write_json(DATA)
    assert 'A "quoted" text,\n a \\ and Nørregade' == json.loads(text)["text"]


@rows("value", [1.5, {1, 2}, object()])
def test_what_json_has_no_word_for_is_not_written(value: object) -> None:
    """A binary number least of all: it would not be exact (A1)."""
    with pytest.raises(TypeError):
        write_json({"a": [value]})


def test_what_is_odd_is_refused_where_nobody_reads_it() -> None:
    """In a field that a service has beyond what we know, which is passed over otherwise (A50)."""
    with pytest.raises(InvalidRecordError, match="note: is not a finite number"):
        loads('{"id": "lease-1", "note": NaN}', Lease, from_service=True)
