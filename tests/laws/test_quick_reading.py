"""The law of quick reading: whatever its tables accept, pydantic accepts with the same values.

Payloads of every record are made from its fields, of values that are right and of values that are
nearly right, and those of whole leases are changed in some places.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from decimal import Decimal
from random import Random
from typing import Any, Final, get_args, get_origin

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from rentbilling import Amount, LeaseTerms, Period, Vat, dumps, interface
from rentbilling.errors import InvalidInputError
from rentbilling.records import PLAIN_DATA, FieldType, Record, fields_of, records_in
from rentbilling.records.quick_reader import LEFT, filler_of, reader_of
from rentbilling.settlement import VDI_2067, DegreeDays
from rentbilling.terms import AdjustmentList
from rentbilling.testing.strategies.adjusted_leases import choose_adjusted
from rentbilling.testing.strategies.choices import chosen
from tests.support.rows import rows
from tests.support.strategies import IS_DEEP, leases

KINDS: Final = tuple(records_in(LeaseTerms, AdjustmentList, *vars(interface).values()).values())
QUICK: Final = tuple(kind for kind in KINDS if issubclass(kind, Record) and kind.reads_quickly)
PAYLOADS: Final = 24
"""Payloads of each example."""
CHANGED: Final = 100_000 if IS_DEEP else 100
"""Changed payloads of each record."""

NEAR: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, -1, 2, 13, 2026, 10**15, 10**14, 0.5, 1.0, float("nan"), (1,)),
    *map(Decimal, ("0", "0.00", "-0.0", "1E+3", "1E-20", "NaN", "sNaN", "Infinity", "2.000")),
    *map(Decimal, ("1234567890123456", "1.2345678901234567", "100000000000000", "0.250", "0.25")),
    *("", " ", "x", "æøå", "\ud800", "DKK", "dkk", "XYZ", "Month", "MONTH", "end", "Exempt"),
    *("2026-01-31", "2026-02-30", "20260131", "2026-01", "2026-Q1", "2026-01-31T12:00:00Z"),
    *("2026-01-01/2026-01-31", "2026-01-31/2026-01-01", "recurring-1", "Index", "index"),
    *([], {}, [1], [{}], {"a": "b"}, {"\ud800": "b"}, {1: "b"}, {"a": None}),
    *({"currency": "EUR", "amount": 1}, {"currency": "DKK", "amount": None}),
    *({"taxMode": "exclusive", "taxRate": Decimal("0.250")}, {"taxMode": "Exempt", "taxRate": 1}),
    *({"taxMode": "Exclusive"}, {"tax_mode": "Exempt"}, {"taxMode": "Exempt", "taxRate": None}),
    *({"dayOfPeriod": True}, {"dayOfPeriod": Decimal(1)}, {"timeUnit": "Week"}),
    *(Amount(1, "DKK"), Vat("Exempt"), Period.parse("2026-01-01/2026-01-31")),
)
KEYS: Final = (
    "id",
    "description",
    "quantity",
    "endedOn",
    "ended_on",
    "leaseId",
    "unknown",
    "value",
)

GOOD: Final[dict[type, tuple[Any, ...]]] = {
    Amount: ({"currency": "DKK", "amount": Decimal("8500.00")}, {"currency": "DKK", "amount": 7}),
    Vat: ({"taxMode": "Exclusive", "taxRate": Decimal("0.25")}, {"taxMode": "Exempt"}),
    Period: ("2026-01-01/2026-01-31", "2026-02-01/2026-02-01"),
    Decimal: (Decimal("0.5"), Decimal("0.50"), 1),
    int: (1, 2, 12),
    bool: (True, False),
    str: ("a", "2026", "Index", "æ", "OneTime", "Month", "DKK"),
}
OTHERS: Final = ("2026-01-31", "2026-02-01", "2026-01", "2026-01-31T12:00:00Z", "2025-Q1")


SUMS: Final[dict[type, Any]] = {DegreeDays: json.loads(dumps(VDI_2067), parse_float=Decimal)}
"""Payloads of records whose fields have a sum that is not met by chance."""


def value_for(kind: FieldType, choose: Random) -> Any:  # noqa: ANN401 - JSON is any value
    """Return a value that a field of this type often takes."""
    if choose.random() < 0.01:
        return deepcopy(choose.choice(NEAR))
    if kind.entries is not None:
        few = [value_for(kind.entries, choose) for _ in range(choose.randrange(3))]
        return few if kind.is_list else dict(zip("ab", few, strict=False))
    if get_origin(kind.kind) is not None:
        return choose.choice(get_args(kind.kind))
    if issubclass(kind.kind, Record):
        return payload_of(kind.kind, choose)
    return deepcopy(choose.choice(GOOD.get(kind.kind, OTHERS)))


def payload_of(kind: Any, choose: Random) -> dict[str, Any]:  # noqa: ANN401 - a record class
    """Return a payload with what a record needs, and some other fields."""
    if kind in SUMS and choose.random() < 0.5:
        return deepcopy(SUMS[kind])
    data: dict[str, Any] = {}
    for field in fields_of(kind):
        rarely = 0.15
        if field.required or field.name in kind.required_on_wire or choose.random() < rarely:
            name = field.name if choose.random() < 0.03 else field.wire
            data[name] = value_for(field.type, choose)
    return data


def places(data: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401
    """Yield every object and list in some data with each of its keys."""
    for key in list(data) if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], (dict, list)):
            yield from places(data[key])


def change(data: Any, choose: Random) -> None:  # noqa: ANN401
    """Replace, take away or add a value somewhere."""
    there: Any
    there, key = choose.choice([*places(data)] or [(data, "id")])
    what = choose.random()
    if what < 0.6:
        there[key] = deepcopy(choose.choice(NEAR))
    elif what < 0.8 and (not isinstance(there, dict) or key in there):
        del there[key]
    elif isinstance(there, dict):
        there[choose.choice(KEYS)] = deepcopy(choose.choice(NEAR))


def all_of(value: Any) -> Any:  # noqa: ANN401
    """Return everything that a value is: types, digits, order and fields set."""
    if isinstance(value, Record):
        fields = [(name, all_of(each)) for name, each in vars(value).items()]
        pydantic_s = value.model_extra, value.__pydantic_private__
        return type(value), fields, value.model_fields_set, pydantic_s
    if isinstance(value, tuple):
        return [all_of(each) for each in value]
    return type(value), repr(value)


def by_pydantic(kind: type[Record], data: Any) -> Any:  # noqa: ANN401
    return super(Record, kind).model_validate(data, context=PLAIN_DATA)


def accepted(kind: type[Record], data: Any) -> bool:  # noqa: ANN401
    """Return whether the tables take a payload, and hold it against pydantic then."""
    before = repr(data)
    try:
        quick = reader_of(kind)(data)
    except LEFT:
        return False
    finally:
        assert repr(data) == before
    try:
        slow = by_pydantic(kind, data)
    except (ValidationError, InvalidInputError) as error:
        pytest.fail(f"{kind.__name__} is taken quickly and refused otherwise: {data} {error}")
    assert all_of(slow) == all_of(quick)
    return True


def held_by_hand(kind: type[Record], record: Record) -> bool:
    """Return whether the tables take a record's own fields, and hold that against pydantic."""
    values = {name: getattr(record, name) for name in record.model_fields_set}
    quick = object.__new__(kind)
    try:
        filler_of(kind, plain=False)(values, quick)
    except LEFT:
        return False
    slow = object.__new__(kind)
    slow._read_slowly(values)
    assert all_of(slow) == all_of(quick)
    return True


class TestTables:
    """What the tables accept is what pydantic accepts, with the same values, digits and fields."""

    @given(st.integers(0, 2**64))
    def test_payloads_of_every_record(self, seed: int) -> None:
        choose = Random(seed)  # noqa: S311
        for _ in range(PAYLOADS):
            kind: Any = choose.choice(KINDS)
            data = payload_of(kind, choose)
            for _ in range(choose.choice((0, 0, 1, 2))):
                change(data, choose)
            accepted(kind, data)

    @rows("kind", QUICK)
    def test_changed_payloads_of_a_record(self, kind: type[Record]) -> None:
        """In the profile `deep` a hundred thousand of each record."""
        choose = Random(kind.__name__)  # noqa: S311
        for _ in range(CHANGED):
            data = payload_of(kind, choose)
            for _ in range(choose.choice((1, 1, 2))):
                change(data, choose)
            accepted(kind, data)

    @given(leases, st.integers(0, 2**64))
    def test_changed_leases(self, terms: LeaseTerms, seed: int) -> None:
        self.of_changed(terms, Random(seed))  # noqa: S311

    @given(chosen(choose_adjusted, 1400), st.integers(0, 2**64))
    def test_changed_leases_with_plans(self, adjusted: Any, seed: int) -> None:  # noqa: ANN401
        self.of_changed(adjusted.terms, Random(seed))  # noqa: S311

    def of_changed(self, terms: LeaseTerms, choose: Random) -> None:
        data = json.loads(dumps(terms), parse_float=Decimal)
        assert accepted(LeaseTerms, data)
        for _ in range(PAYLOADS // 4):
            other = deepcopy(data)
            for _ in range(choose.choice((1, 1, 2))):
                change(other, choose)
            accepted(LeaseTerms, other)

    @given(leases)
    def test_records_by_hand(self, terms: LeaseTerms) -> None:
        assert held_by_hand(LeaseTerms, terms)
        for item in terms.recurring_bill_items:
            assert held_by_hand(type(item), item)

    def test_every_field_with_every_value_that_is_nearly_right(self) -> None:
        choose = Random(2)  # noqa: S311
        for kind in QUICK:
            bases = (payload_of(kind, choose) for _ in range(400))
            base = next(each for each in bases if accepted(kind, each))
            for field in fields_of(kind):
                for value in (*NEAR, *OTHERS):
                    accepted(kind, {**deepcopy(base), field.wire: deepcopy(value)})

    def test_most_kinds_are_met(self) -> None:
        """A law about nothing would hold: a payload of each record with a table is taken."""
        choose = Random(1)  # noqa: S311
        quick = [kind for kind in KINDS if issubclass(kind, Record) and kind.reads_quickly]
        met = {
            kind
            for kind in quick
            if any(accepted(kind, payload_of(kind, choose)) for _ in range(1200))
        }

        assert {kind.__name__ for kind in quick} == {kind.__name__ for kind in met}
