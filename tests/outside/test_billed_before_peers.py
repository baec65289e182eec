"""The judges of what was billed before (A53): what comes back, and that they can say no."""

from collections.abc import Mapping
from copy import deepcopy
from decimal import Decimal
from typing import Any, Final

import pytest

from tests.outside.board import PASSED, Verdict
from tests.outside.folders import judge


def _event(price: str | None, since: str, *, once: str | None = None) -> dict[str, Any]:
    return {
        "sub": 1,
        "date": since,
        "period": "MONTHLY",
        "bcd": 1,
        "recurring_price": price,
        "fixed_price": once,
        "quantity": 1,
        "mode": "IN_ADVANCE",
    }


def _days(amount: str, start: str, end: str = "2026-02-01", rate: str = "31.00") -> dict[str, Any]:
    return {
        "type": "RECURRING",
        "sub": 1,
        "start": start,
        "end": end,
        "amount": amount,
        "rate": rate,
    }


def _back(amount: str, start: str, end: str = "2026-02-01") -> dict[str, Any]:
    plain = _days(amount, start, end)
    return plain | {"type": "REPAIR_ADJ", "sub": None, "rate": None}


def _once(amount: str) -> dict[str, Any]:
    """Return an invoice item that is asked for once, on 1 January."""
    return _days(amount, "2026-01-01") | {"type": "FIXED", "end": None, "rate": None}


def _run(
    events: list[dict[str, Any]],
    earlier: list[dict[str, Any]],
    added: list[dict[str, Any]],
    balance: str,
) -> tuple[str, dict[str, Any]]:
    """Return the case of a run on 11 January."""
    given = {
        "target_date": "2026-01-11",
        "currency": "EUR",
        "events": events,
        "existing_items": earlier,
    }
    expected = {"items": added, "balance": balance} if added else {"no_invoice": True}
    return "Kill Bill", {"kind": "invoice_items", "input": given, "expected": expected}


def _priced(run_until: str, amount: str) -> tuple[str, dict[str, Any]]:
    """Return the case of a quarter whose value is known to be 13,200 a year from 1 May on."""
    given = {
        "frequency": "QUARTERLY_IN_ADVANCE",
        "base_value": "12000",
        "indexed_value": "13200",
        "indexed_effective": "2026-05-01",
        "period": "2026-01-01/2026-04-01",
        "run_until": run_until,
    }
    return "Estatio", {"kind": "price_history", "input": given, "expected": {"amount": amount}}


_JANUARY: Final = _event("31.00", "2026-01-01")
_BILLED: Final = _days("31.00", "2026-01-01")
_ENDS: Final = _event(None, "2026-01-11")

CASES: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    # 31.00 for 31 days: the 21 days from 11 January on come back.
    "an end inside a month that is billed": _run(
        [_JANUARY, _ENDS], [_BILLED], [_back("-21.00", "2026-01-11")], "-21.00"
    ),
    # The same, and 62.00 × 21 / 31 = 42.00 for the new price.
    "another price inside a month that is billed": _run(
        [_JANUARY, _event("62.00", "2026-01-11")],
        [_BILLED],
        [_back("-21.00", "2026-01-11"), _days("42.00", "2026-01-11")],
        "21.00",
    ),
    "another price from the first day on": _run(
        [_JANUARY, _event("40.00", "2026-01-01")],
        [_BILLED],
        [_back("-31.00", "2026-01-01"), _days("40.00", "2026-01-01")],
        "9.00",
    ),
    # Two prices of the same days: the credit takes back the one of its amount, so that the run
    # credits the other.
    "and back again": _run(
        [_JANUARY, _event("40.00", "2026-01-01"), _JANUARY],
        [_days("40.00", "2026-01-01", rate="40.00"), _BILLED, _back("-31.00", "2026-01-01")],
        [_back("-40.00", "2026-01-01"), _days("31.00", "2026-01-01")],
        "-9.00",
    ),
    # Nothing has ended: the five days that were credited are billed anew.
    "a credit without a cause": _run(
        [_JANUARY],
        [_BILLED, _back("-5.00", "2026-01-03", "2026-01-08")],
        [_days("5.00", "2026-01-03", "2026-01-08")],
        "5.00",
    ),
    "what came back already": _run(
        [_JANUARY, _ENDS], [_BILLED, _back("-21.00", "2026-01-11")], [], "0"
    ),
    "a price that is asked for once": _run(
        [_event("31.00", "2026-01-01", once="7.50")], [_once("7.50")], [_BILLED], "31.00"
    ),
    # 3,000 a month, 100 a day: 20 days are invoiced, and 10 remain.
    "a lease that ends inside a month that is billed": (
        "Estatio",
        {
            "kind": "credit",
            "input": {
                "frequency": "MONTHLY_IN_ADVANCE",
                "annual_value": "36000",
                "term_start": "2026-04-11",
                "already_invoiced": "2000.00 for 2026-04-11/2026-05-01",
                "terminated": "2026-04-20",
            },
            "expected": {"amount": "-1000.00", "effective_period": "2026-04-21/2026-05-01"},
        },
    ),
    # A quarter of 13,200, of which a quarter of 12,000 is billed before 1 May.
    "a run that reaches the day on which the value is known": _priced("2026-05-02", "3300.00"),
    "a run that does not": _priced("2026-05-01", "3000.00"),
}


def _judged(peer: str, case: Mapping[str, Any]) -> Verdict:
    return judge(case, {"peer": peer})


@pytest.mark.parametrize(("peer", "case"), CASES.values(), ids=CASES)
def test_what_a_peer_corrects_is_what_the_library_corrects(peer: str, case: dict[str, Any]) -> None:
    assert PASSED == _judged(peer, case)


@pytest.mark.parametrize(
    "name", ["an end inside a month that is billed", "another price from the first day on"]
)
def test_a_credit_that_is_a_cent_off_fails(name: str) -> None:
    peer, case = deepcopy(CASES[name])
    (credit,) = (each for each in case["expected"]["items"] if each["type"] == "REPAIR_ADJ")
    credit["amount"] = str(Decimal(credit["amount"]) + Decimal("0.01"))

    assert "failed" == _judged(peer, case).outcome


def test_an_invoice_where_none_is_expected_fails() -> None:
    peer, case = _run([_JANUARY], [], [], "0")

    told = "items: expected none, got RECURRING 1 2026-01-01/2026-02-01 31.00"
    assert Verdict("failed", told) == _judged(peer, case)


def test_a_credit_of_nothing_that_was_billed_fails() -> None:
    peer, case = _run([_JANUARY], [_back("-5.00", "2026-01-03")], [_BILLED], "31.00")

    said = _judged(peer, case)

    assert "failed" == said.outcome
    assert "a credit of nothing that was billed" in said.reason


def test_what_is_measured_is_not_expressible() -> None:
    peer, case = _run([_JANUARY], [], [_BILLED | {"type": "USAGE"}], "31.00")

    assert Verdict("not_expressible", "usage") == _judged(peer, case)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"already_invoiced": "2000.01 for 2026-04-11/2026-05-01"},
            "invoiced: expected 2000.01, got 2000.00",
        ),
        ({"terminated": "2026-04-30"}, "nothing comes back"),
        ({"terminated": "2026-04-19"}, "amount: expected -1000.00, got -1100.00"),
    ],
)
def test_a_lease_that_ends_on_another_day_fails(changes: dict[str, str], reason: str) -> None:
    peer, case = deepcopy(CASES["a lease that ends inside a month that is billed"])
    case["input"] |= changes

    assert Verdict("failed", reason) == _judged(peer, case)


@pytest.mark.parametrize(
    "name",
    [
        "a lease that ends inside a month that is billed",
        "a run that reaches the day on which the value is known",
    ],
)
def test_a_term_that_is_billed_once_has_no_periods(name: str) -> None:
    peer, case = deepcopy(CASES[name])
    case["input"]["frequency"] = "FIXED_IN_ADVANCE"

    said = Verdict("not_expressible", "a term that is billed once has no cycle")
    assert said == _judged(peer, case)
