"""Descriptions of records: annotations taken apart, and the words below fields."""

from decimal import Decimal
from typing import Annotated, Literal

from rentbilling import BillingCycle, LeaseTerms, RecurringBillItem
from rentbilling.records import (
    FieldType,
    Record,
    Within,
    fields_of,
    records_in,
    sentences,
    wire_names,
)
from rentbilling.records.description import type_of, words_of
from tests.support.rows import rows

ONE = Within(1, 2)

TYPES = (
    (int, FieldType(int)),
    (Decimal | None, FieldType(Decimal, nullable=True)),
    (Annotated[int, ONE] | None, FieldType(int, nullable=True, notes=(ONE,))),  # pyright: ignore[reportOperatorIssue]
    (Annotated[int | None, ONE], FieldType(int, nullable=True, notes=(ONE,))),
    (tuple[BillingCycle, ...], FieldType(tuple, entries=FieldType(BillingCycle))),
    (dict[str, Annotated[int, ONE]], FieldType(dict, entries=FieldType(int, notes=(ONE,)))),
    (Literal["a", "b"], FieldType(Literal["a", "b"])),
)


class Unwritten(Record):
    """A record without words."""

    some_field: int = 1


@rows(("annotation", "known"), TYPES)
def test_an_annotation_is_taken_apart(annotation: object, known: FieldType) -> None:
    """Readers and None are beside the class."""
    assert known == type_of(annotation)


def test_a_field_says_what_it_is() -> None:
    length = next(each for each in fields_of(BillingCycle) if each.name == "period_length")

    assert ("periodLength", int, False, 1) == (
        length.wire,
        length.type.innermost,
        length.required,
        length.default,
    )
    assert "periodLength" == wire_names(BillingCycle)["period_length"]


def test_records_are_found_inside_each_other_once() -> None:
    """What is no record is passed over."""
    found = records_in(RecurringBillItem, BillingCycle, int)

    assert ["RecurringBillItem", "DueDateRule", "BillingCycle"] == list(found)[:3]
    assert found.keys() < records_in(LeaseTerms).keys()


def test_words_are_the_docstrings_below_the_fields() -> None:
    """Without assumptions."""
    words = words_of(BillingCycle)

    assert "Units in one cycle, 1 or more." == words["periodLength"]
    assert words["startDay"].endswith("a shorter month uses its last day.")
    assert {} == words_of(Unwritten)


def test_a_record_whose_source_is_not_at_hand_has_no_words() -> None:
    made = type("Made", (Record,), {"__module__": "nowhere", "__annotations__": {"field": int}})

    assert {} == words_of(made)


def test_a_docstring_is_read_without_its_sections() -> None:
    """And without references to the register."""
    assert "One.\n\nTwo." == sentences(
        "One (ours, A9).\n\n    Two (A1, A2).\n\n    Args:\n        a"
    )
