"""JSON schemas of bills: the plain form has the interface's fields, the full one also ours (A56).

That every bill as written is valid is proved in `test_schemas`; here, that what is not so is not.
"""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rentbilling import BillingPolicy, Discount, dumps, pending_bills
from rentbilling.billing.wire import BillSchemas
from rentbilling.values import Definitions
from tests.support.rents import day, fee, rent

POLICY = BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
RESULT = pending_bills(
    [
        rent(
            "8499.99",
            quantity=-1,
            description="Rent",
            discount=Discount(percentage=Decimal("0.10"), description="10 % off"),
            ended_on=day("2026-02-10"),
        ),
        fee(),
    ],
    "2026-02-01/2026-02-28",
    policy=POLICY,
)
"""One bill with everything that a bill can have, and the notice of a credit."""

PLAIN: dict[str, Any] = json.loads(dumps(RESULT))
FULL: dict[str, Any] = json.loads(dumps(RESULT, full=True))

Change = Callable[[dict[str, Any]], object]


def faults(data: Any, *, full: bool, bill: bool = False) -> int:  # noqa: ANN401 - any JSON
    """Return how many faults the schema of a form finds with a result, or with a bill alone."""
    parts = Definitions()
    schemas = BillSchemas(parts, full=full)
    schema = {**(schemas.bill() if bill else schemas.result()), "$defs": parts.found}
    Draft202012Validator.check_schema(schema)
    return len(list(Draft202012Validator(schema).iter_errors(data)))


def first(data: dict[str, Any]) -> dict[str, Any]:
    bill: dict[str, Any] = data["bills"][0]
    return bill


def line(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = first(data)["pendingBillLineItems"][0]
    return found


def test_the_sample_has_everything_that_a_bill_can_have() -> None:
    known = {"itemId", "description", "discountText", "regularPeriod", "kind", "share"}

    assert known <= set(line(FULL))
    assert {"cashRounding", "payable"} <= set(first(PLAIN))
    assert [{"quantity": "-1"}] == [notice["facts"] for notice in FULL["notices"]]


def test_a_payer_s_part_names_the_payer_of_its_corrections() -> None:
    """Both are absent from every other bill (A68)."""
    bill = {**first(PLAIN), "payer": "Ann"}
    off = {"corrections": {"vatTotals[0].amount": first(PLAIN)["total"]}}

    assert [0, 0] == [faults({**bill, **more}, full=False, bill=True) for more in ({}, off)]
    others: list[dict[str, Any]] = [
        {"payer": ""},
        {"corrections": {"total": 1}},
        {"corrections": []},
    ]
    for wrong in others:
        assert faults({**bill, **wrong}, full=False, bill=True) > 0
    assert faults({**first(PLAIN), **off}, full=False, bill=True) > 0


def test_each_form_is_valid_under_its_own_schema() -> None:
    for full, data in ((False, PLAIN), (True, FULL)):
        assert 0 == faults(data, full=full)
        assert 0 == faults(first(data), full=full, bill=True)
    assert faults(FULL, full=False) > 0
    assert faults(PLAIN, full=True) > 0


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("bills"),
        lambda data: first(data).pop("dueDate"),
        lambda data: first(data).pop("subtotal"),
        lambda data: first(data).pop("total"),
        lambda data: first(data).pop("vatTotals"),
        lambda data: first(data).pop("pendingBillLineItems"),
        lambda data: first(data).pop("payable"),
        lambda data: first(data).pop("cashRounding"),
        lambda data: first(data).update(state="Draft"),
        lambda data: first(data).update(dueDate="1 February 2026"),
        lambda data: first(data).update(total=8500),
        lambda data: first(data)["vatTotals"][0].pop("amount"),
        lambda data: first(data)["vatTotals"][0].update(vat="Exempt"),
        *(
            lambda data, name=name: line(data).pop(name)
            for name in (
                "productKey",
                "amount",
                "quantity",
                "unitNetPrice",
                "netPrice",
                "vat",
                "accountingPeriod",
            )
        ),
        lambda data: line(data).update(accountingPeriod="2026-02"),
        lambda data: line(data).update(quantity="1"),
        lambda data: line(data).update(price=1),
    ],
)
@pytest.mark.parametrize("full", [False, True])
def test_what_the_interface_has_is_required_and_nothing_else_is_there(
    change: Change, full: bool
) -> None:
    """Cash rounding and what is payable come together or not at all (A52)."""
    data = json.loads(json.dumps(FULL if full else PLAIN))
    change(data)

    assert faults(data, full=full) > 0


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("notices"),
        lambda data: data.update(period="2026"),
        lambda data: data.update(leaseId=7),
        lambda data: data.update(policyFingerprint=None),
        lambda data: first(data)["vatTotals"][0].pop("base"),
        lambda data: line(data).pop("kind"),
        lambda data: line(data).update(kind="refund"),
        lambda data: line(data).pop("share"),
        lambda data: line(data).update(share="1/0"),
        lambda data: line(data).update(share=0.5),
        lambda data: line(data).update(regularPeriod="2026-02-01"),
        lambda data: line(data).update(discountText=10),
        lambda data: data["notices"][0].pop("message"),
        lambda data: data["notices"][0].pop("facts"),
        lambda data: data["notices"][0]["facts"].update(quantity=-1),
        lambda data: data["notices"][0].update(level=1),
    ],
)
def test_what_a_result_knows_has_its_own_form(change: Change) -> None:
    """Kind, share and base in each line and total, notices in any case (A56)."""
    data = json.loads(json.dumps(FULL))
    change(data)

    assert faults(data, full=True) > 0


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("leaseId", None),
        lambda data: data.pop("period"),
        lambda data: data.pop("policyFingerprint"),
        lambda data: data.update(notices=[], leaseId="lease-1"),
        lambda data: line(data).pop("itemId"),
        lambda data: line(data).pop("description"),
        lambda data: line(data).pop("discountText"),
        lambda data: line(data).pop("regularPeriod"),
        lambda data: line(data).update(share="0"),
        lambda data: data["notices"][0].pop("itemId"),
        lambda data: (first(data).pop("payable"), first(data).pop("cashRounding")),
    ],
)
def test_what_a_result_need_not_know_may_be_absent(change: Change) -> None:
    """Nobody gave it, or the line is not of a kind that has it (A6, A56)."""
    data = json.loads(json.dumps(FULL))
    change(data)

    assert 0 == faults(data, full=True)
