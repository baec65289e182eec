"""Terms in any form: records, JSON data and texts say the same wherever terms are taken."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidInputError
from rentbilling.testing import a_lease, a_rent
from rentbilling.whatif import forecast, raise_rent, what_if
from tests.support.rows import rows

RENT = a_rent(amount=8500, moved_in="2026-01-15")
LEASE = a_lease(RENT)
TEXT = rb.dumps(LEASE)
QUARTER = "2026-01-01/2026-03-31"

FORMS: dict[str, Any] = {
    "lease": LEASE,
    "item": RENT,
    "items": [RENT],
    "items one by one": iter((RENT,)),
    "text": TEXT,
    "bytes": TEXT.encode(),
    "data": json.loads(TEXT),
    "names of Python": LEASE.model_dump(),
    "an item's text": rb.dumps(RENT),
    "an item's data": json.loads(rb.dumps(RENT)),
    "a list of data": [json.loads(rb.dumps(RENT))],
    "a tuple of data": (json.loads(rb.dumps(RENT)),),
    "the body that creates an item": {"recurringBillItem": json.loads(rb.dumps(RENT))},
}


@rows("form", FORMS.values(), ids=FORMS)
def test_every_form_has_the_same_bills(form: Any) -> None:  # noqa: ANN401
    """8500 × 17/31 = 4661.29, and two months of 8500 (A14, A57)."""
    assert ["4661.29", "8500.00", "8500.00"] == [
        f"{bill.total.amount}" for bill in rb.pending_bills(form, QUARTER)
    ]


CALLS: dict[str, Callable[[Any], object]] = {
    "bill_period": lambda given: rb.bill_period(given, QUARTER),
    "what_if": lambda given: str(what_if(given, raise_rent("3%"), period="2026")),
    "what_if of leases": lambda given: str(what_if([given], raise_rent("3%"), period="2026")),
    "forecast": lambda given: str(forecast(given, years=2)),
}


@rows("call", CALLS.values(), ids=CALLS)
def test_data_are_taken_where_terms_are(call: Callable[[Any], object]) -> None:
    assert call(LEASE) == call(json.loads(TEXT))


def test_data_are_read_under_the_policy() -> None:
    """A period's text ends with the day after it, and the currency is private (A2, A4)."""
    policy = rb.BillingPolicy(period_end="excluded", currencies={"XKR": 0})
    data = json.loads(TEXT.replace("2026-01-15/2026-01-31", "2026-01-15/2026-02-01"))

    assert "4661.29" in str(rb.pending_bills(data, "2026-01-01/2026-02-01", policy=policy)[0].total)


def same(call: Callable[[], object], *said: str) -> None:
    """Say that a call is refused with these words."""
    with pytest.raises((InvalidInputError, TypeError)) as refused:
        call()
    for words in said:
        assert words in str(refused.value)


REFUSED: dict[str, tuple[Callable[[], object], tuple[str, ...]]] = {
    "two leases": (
        lambda: rb.pending_bills([LEASE, LEASE], QUARTER),  # type: ignore[list-item]
        ("terms[0]: is a lease in a list of items", "bill_portfolio(leases, period) bills several"),
    ),
    "a number": (
        lambda: rb.pending_bills(5, QUARTER),  # type: ignore[arg-type]
        ("terms: is neither a lease nor an item", "LeaseTerms, items, or the JSON of them"),
    ),
    "bills": (
        lambda: rb.pending_bills(rb.BillingResult(()), QUARTER, already_billed=5),  # type: ignore[arg-type]
        ("already_billed: contains no bills",),
    ),
    "a path": (
        lambda: rb.loads("lease.json"),
        ("is the name of a file and not JSON", "Path('lease.json').read_text(encoding="),
    ),
    "a path to bill": (
        lambda: rb.pending_bills("rents/lease 1.json", QUARTER),
        ("is the name of a file and not JSON",),
    ),
    "a Path": (
        lambda: rb.loads(cast("Any", Path("lease.json"))),
        ('write path.read_text(encoding="utf-8")',),
    ),
    "data": (lambda: rb.loads(cast("Any", {})), ("model_validate reads plain data",)),
    "torn": (lambda: rb.loads("{lease.json"), ("is not JSON at line 1, column 2",)),
    "a word": (lambda: rb.loads("lease"), ("is not JSON at line 1, column 1",)),
    "adjustments of a number": (
        lambda: rb.rent_adjustments(cast("Any", 5), QUARTER),
        ("has no rent adjustment plans", "expected lease terms, or a rent adjustment plan"),
    ),
    "the second lease": (
        lambda: what_if(cast("Any", [LEASE, {"leaseId": 5}]), period="2026"),
        ("[1].leaseId: ",),
    ),
    "many": (
        lambda: rb.pending_bills("[" + ",".join(["{}"] * 10_001) + "]", QUARTER),
        ("has 10001 entries in its lists",),
    ),
}


@rows(("call", "said"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_says_what_makes_terms(call: Callable[[], object], said: tuple[str, ...]) -> None:
    same(call, *said)


def test_no_items_are_a_lease_without_any() -> None:
    assert 0 == len(rb.pending_bills([], QUARTER))
    assert rb.LeaseTerms() == rb.loads("[]")
