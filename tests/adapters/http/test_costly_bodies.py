"""What an invalid body costs: each value is read once, and no more problems than are listed."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from benchmarks.timing import count_calls
from rentbilling.adapters.http import HttpAnswer, Limits
from rentbilling.interface import CreateRentAdjustmentPlan
from rentbilling.records import Allowance, Record, fields, fields_of
from rentbilling.terms import AdjustmentEffect, RentAdjustment, RentAdjustmentRule
from rentbilling.values import Amount
from tests.adapters.http.served import RENT, ask, data_of, service, with_lease

MOST_CALLS = 1_000_000
"""Of functions, for a body of a megabyte: about half as many are needed."""
UNKNOWN = {"currency": "ZZZ", "amount": 8500}


def of_amounts(kind: type[Record]) -> dict[str, Any]:
    """Return data with an amount of an unknown currency in each field that takes one."""
    return {each.wire: UNKNOWN for each in fields_of(kind) if each.type.kind is Amount}


def plan(**lists: object) -> tuple[str, str, object]:
    body = {"leaseId": "id-2", "rentAdjustmentPlan": lists}
    return "POST", "/rent-adjustment-plans", body


def item(**lists: object) -> tuple[str, str, object]:
    body = {"leaseId": "id-2", "recurringBillItem": {**RENT, **lists}}
    return "POST", "/recurring-bill-items", body


WRONG = {**of_amounts(RentAdjustment), "adjustedOn": "2027-01-01"}
EFFECT = {each.wire: "" for each in fields_of(AdjustmentEffect)}
BODIES: Mapping[str, tuple[str, str, object]] = {
    "amounts": plan(
        adjustments=[
            {**WRONG, "adjustmentRulesEffects": [of_amounts(AdjustmentEffect)]} for _ in range(900)
        ]
    ),
    "adjustments": plan(adjustments=[WRONG] * 2_000),
    "effects": plan(adjustments=[{"adjustmentRulesEffects": [EFFECT] * 2}] * 990),
    "rules": plan(
        rentAdjustmentRules=[{each.wire: [] for each in fields_of(RentAdjustmentRule)}] * 990
    ),
    "unknown": plan(adjustments=[{f"k{at}": 1 for at in range(70)}] * 990),
    "records": item(
        amountRecords=[{"a": 1, "value": UNKNOWN, "start": 1}] * 990,
        quantityRecords=[{"b": 1, "value": "x", "start": 1}] * 990,
    ),
    "fields": ("POST", "/tenancies", {f"k{at}": 1 for at in range(80_000)}),
    "long names": ("POST", "/tenancies", {f"{'k' * 900}{at}": 1 for at in range(990)}),
    # Six bytes for a character of the answer, which lists the first 400 of each name.
    "escaped names": ("POST", "/tenancies", {"\x01" * 160 + str(at): 1 for at in range(990)}),
    "a long name": ("POST", "/tenancies", {"k" * 990_000: 1}),
    "groups": ("PATCH", "/tenancies/id-1", {"groupId": {f"k{at}": at for at in range(70_000)}}),
}


def sent(name: str) -> tuple[str, str, bytes]:
    """Return the method, the address and the body of a request, a megabyte at most."""
    method, address, data = BODIES[name]
    return method, address, json.dumps(data, separators=(",", ":")).encode()[:1_000_000]


def answered(name: str, limits: Limits | None = None) -> tuple[HttpAnswer, int]:
    """Return the answer to a body, and how many functions were called for it."""
    of = service(limits)
    with_lease(of)
    method, address, body = sent(name)
    answers: list[HttpAnswer] = []
    calls = count_calls(lambda: answers.append(ask(of, method, address, body)))
    return answers[0], calls


@pytest.mark.parametrize("name", BODIES)
def test_an_invalid_body_costs_few_calls(name: str) -> None:
    """Of a megabyte: up to 12.7 s of a processor before, and 0.13 s now."""
    answer, calls = answered(name)

    assert 400 == answer.status
    assert len(answer.body) < 256_000
    assert calls < MOST_CALLS


@pytest.mark.parametrize("name", ["amounts", "effects", "records", "unknown"])
def test_reading_ends_when_there_are_more_problems_than_are_listed(name: str) -> None:
    answer, _ = answered(name, Limits(most_problems=20))
    data = data_of(answer)

    count, said = data["detail"].split(" problems or more, the first: ")
    assert 20 == len(data["problems"])
    assert 20 < int(count) < 100
    assert said.startswith(data["problems"][0]["path"])


def test_each_value_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 adjustments with 9 unknown currencies: 900 amounts, which were read 2,700 times."""
    read: list[object] = []
    usual = fields.amount_from

    def counting(value: object, *given: Any, **named: Any) -> Amount:  # noqa: ANN401
        read.append(value)
        return usual(value, *given, **named)

    monkeypatch.setattr(fields, "amount_from", counting)
    _, _, data = plan(adjustments=[WRONG] * 100)
    body = json.dumps(data).encode()
    of = service()
    with_lease(of)
    answer = ask(of, "POST", "/rent-adjustment-plans", body)

    assert 900 == len(of_amounts(RentAdjustment)) * 100
    assert 900 == len(data_of(answer)["problems"])
    assert 900 == len(read)


def test_without_an_allowance_all_problems_are_found() -> None:
    _, _, data = plan(adjustments=[WRONG] * 100)
    for context, most in ((None, 900), ({}, 900), ({"allowance": Allowance(18)}, 27)):
        with pytest.raises(ValueError, match="ZZZ") as refused:
            CreateRentAdjustmentPlan.model_validate(data, context=context)
        assert most == len(refused.value.problems)  # type: ignore[attr-defined]
