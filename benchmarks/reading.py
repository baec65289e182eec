"""What terms and bills cost to be read and written, beside the JSON that they are.

Law: the standard library reads and writes the same texts and data in the same turns.
"""

import json
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchmarks import wire, workload
from benchmarks.timing import best_times, in_pieces
from rentbilling import (
    BillingResult,
    LeaseTerms,
    Period,
    dumps,
    loads,
    pending_bills,
)

if TYPE_CHECKING:
    from collections.abc import Callable

PLAN: Final = {
    "adjusteeRef": "recurring-1",
    "created": "2025-11-03T09:30:00Z",
    "rentAdjustmentRules": [
        {
            "adjustmentType": "Index",
            "adjustmentMonth": 1,
            "firstYear": "2027",
            "indexMonth": 10,
            "minimumPercentage": 0,
            "maximumPercentage": 0.04,
        }
    ],
    "adjustments": [],
}
"""A plan by which the first item of a lease follows an index each January."""

_parsed: Final = partial(json.loads, parse_float=Decimal)


def text_with_plan(text: str) -> str:
    """Return the text of a lease with a plan."""
    return json.dumps(json.loads(text) | {"rentAdjustmentPlans": [PLAN]})


def _read_bills(text: str) -> BillingResult:
    return loads(text, BillingResult)


def bill_times(leases: int, rounds: int, period: Period) -> dict[str, float]:
    """Return the times of reading bills and of their JSON alone."""
    results = [pending_bills(wire.lease_terms(each), period) for each in workload.leases(leases)]
    texts = [dumps(each) for each in results]
    work: dict[str, tuple[Callable[..., object], list[Any]]] = {
        "parse_bills": (_parsed, texts),
        "read_bills": (_read_bills, texts),
    }
    return best_times({name: in_pieces(do, things) for name, (do, things) in work.items()}, rounds)


def times(leases: int, rounds: int) -> dict[str, float]:
    """Return the times of reading and writing the terms of leases and their JSON alone."""
    texts = [wire.lease_text(lease) for lease in workload.leases(leases)]
    planned = [text_with_plan(text) for text in texts]
    terms = [loads(text) for text in texts]
    data = [_parsed(text) for text in texts]
    # The standard library cannot write a Decimal, so what it writes was read with doubles.
    written = [json.loads(dumps(each)) for each in terms]
    work: dict[str, tuple[Callable[..., object], list[Any]]] = {
        "parse": (_parsed, texts),
        "read": (loads, texts),
        "validate": (LeaseTerms.model_validate, data),
        "parse_with_plan": (_parsed, planned),
        "read_with_plan": (loads, planned),
        "encode": (json.dumps, written),
        "write": (dumps, terms),
    }
    return best_times({name: in_pieces(do, things) for name, (do, things) in work.items()}, rounds)
