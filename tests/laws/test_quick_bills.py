"""The law of quick bills: what is read at once, the reader that words problems reads the same."""

import json
from copy import deepcopy
from dataclasses import fields
from decimal import Decimal
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

import rentbilling as rb
from benchmarks import wire, workload
from rentbilling.billing import PendingBill
from rentbilling.billing.wire.bill_reader import _Reader
from rentbilling.billing.wire.quick_bills import QuickBills
from rentbilling.errors import InvalidInputError
from rentbilling.records import LEFT
from tests.laws.test_quick_reading import change, places
from tests.support.rows import rows
from tests.support.strategies import Run, runs

CHANGED: Final = 8
"""Changed payloads of each bill."""
NEAR: Final[tuple[Any, ...]] = (
    *("1", "17/31", "1/0", "0/1", "part", "Part", "whole", "2026-01-01", "2026-01-01/2026-01-31"),
    *({"currency": "DKK", "amount": Decimal("1.234")}, {"currency": "JPY", "amount": 1}),
    *({"currency": "DKK", "amount": Decimal("-0.00")}, {"currency": "DKK", "amount": 5, "x": 1}),
    *({"currency": "PTS", "amount": 1}, {"currency": "DKK", "amount": "5"}, [1]),
    *({"taxMode": "Zero"}, {"taxMode": "Exempt", "taxRate": Decimal("0.25")}),
    *([{"percentage": Decimal("0.1"), "takenOff": {"currency": "DKK", "amount": 5}}], Decimal(0)),
    rb.Period.parse("2026-01-01/2026-01-31"),
)
ADDED: Final = (
    "share",
    "regularPeriod",
    "kind",
    "quantity",
    "discounts",
    "cashRounding",
    "payable",
)
ADDED_TOO: Final = ("base", "payer", "corrections", "itemId", "description", "discountText", "x")


def all_of(bill: PendingBill) -> Any:  # noqa: ANN401
    """Return every figure of a bill, with its digits."""
    lines = [
        (repr([(f.name, part(figures, f.name)) for f in fields(figures)]), first, last)
        for figures, first, last in bill.raw_lines
    ]
    totals = [(repr(vat), units, base) for vat, units, base in bill.raw_totals]
    return bill.due, bill.currency, bill.places, lines, totals, bill.sums, bill.payer


def part(figures: Any, name: str) -> Any:  # noqa: ANN401
    value = getattr(figures, name)
    return [getattr(value, each) for each in value.__slots__] if name == "group" else value


def accepted(data: Any, policy: rb.BillingPolicy) -> bool:  # noqa: ANN401
    """Return whether a bill is read at once, and compare it with the other reader then."""
    before = repr(data)
    try:
        quick = QuickBills(policy).bill(data)
    except LEFT:
        return False
    finally:
        assert repr(data) == before
    reader = _Reader(policy)
    slow = reader._looked_at(data, "")
    try:
        reader.finish()
    except InvalidInputError as error:
        pytest.fail(f"taken quickly and refused otherwise: {data} {error}")
    assert slow is not None
    assert all_of(slow) == all_of(quick)
    return True


def parsed(text: str) -> Any:  # noqa: ANN401
    return json.loads(text, parse_float=Decimal)["bills"]


@given(runs, st.booleans(), st.integers(0, 2**64))
def test_changed_bills(run: Run, full: bool, seed: int) -> None:
    choose, policy = Random(seed), run.policy  # noqa: S311
    for bill in parsed(rb.dumps(run.bills, full=full))[:3]:
        assert accepted(bill, policy)
        for _ in range(CHANGED):
            other = deepcopy(bill)
            if choose.random() < 0.5:
                change(other, choose)
            else:
                there = choose.choice([each for each, _ in places(other) if type(each) is dict])
                key = choose.choice((*there, *ADDED, *ADDED_TOO))
                there[key] = deepcopy(choose.choice(NEAR))
            accepted(other, policy)


def test_bills_of_the_workload_are_read_at_once() -> None:
    """Counted, not timed: no bill needs a closer look."""
    year, slow = rb.Period.parse("2026-01-01/2026-12-31"), 0
    results = [rb.pending_bills(wire.lease_terms(each), year) for each in workload.leases(60)]
    for result in results:
        for full in (False, True):
            text = rb.dumps(result, full=full)
            slow += sum(not accepted(each, rb.BillingPolicy()) for each in parsed(text))
            assert rb.loads(text, rb.BillingResult) == result

    assert slow == 0


@rows(
    ("key", "value"),
    [("kind", "whole"), ("share", "1/0"), ("discounts", {}), ("itemId", 7), ("quantity", 0)],
)
def test_odd_lines_are_left(key: str, value: object) -> None:
    text = rb.dumps(rb.pending_bills(wire.lease_terms(workload.lease(1)), "2026-06-01/2026-06-30"))
    bill = parsed(text)[0]
    bill["pendingBillLineItems"][0][key] = value

    assert not accepted(bill, rb.BillingPolicy())
