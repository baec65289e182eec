"""Every public record and result in pydantic and FastAPI: in, out, and in the app's document."""

import asyncio
import json
import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import httpx
import pytest
from fastapi import Body, FastAPI
from jsonschema import Draft202012Validator
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

import rentbilling as rb
from rentbilling.checks import CheckResult, Comparison, PortfolioComparison
from rentbilling.explanations import Explanation
from rentbilling.interface import RECORDS
from rentbilling.records import FieldType, Record, fields_of, read_json
from rentbilling.testing import a_lease, a_plan, a_rent, an_index
from rentbilling.whatif import Forecast, WhatIf, raise_rent
from tests.support.rows import rows

PERIOD: Final = "2026-12-01/2027-01-31"
SERIES: Final = an_index({"2025-10": "100.0", "2026-10": "103.1"})
LEASE: Final = a_lease(
    a_rent(amount="8500.25", vat=rb.Vat("Exclusive", Decimal("0.25"))), plans=[a_plan()]
)
RESULT: Final = rb.bill_period(LEASE, PERIOD, indices=SERIES)
BILL: Final = RESULT.bills[0]

# A value of each class that a field of a record may have, as JSON readers give it.
PLAIN: Final[dict[Any, object]] = {
    rb.Amount: {"currency": "DKK", "amount": 8500.10},
    rb.Vat: {"taxMode": "Exclusive", "taxRate": 0.25},
    rb.Period: "2026-01-01/2026-01-31",
    rb.YearMonth: "2026-01",
    rb.IndexPoint: "2025-10",
    date: "2026-01-01",
    datetime: "2026-01-31T12:00:00Z",
    str: "text",
    int: 1,
    Decimal: 0.5,
    bool: True,
}
# Fields whose values must be certain words, or agree with others.
STATED: Final[dict[str, dict[str, object]]] = {
    "BillingCycle": {"timeUnit": "Month"},
    "Discount": {"percentage": 0.1},
    "Increment": {"year": "2026", "percentage": 0.02},
    "RentAdjustmentRule": {"adjustmentType": "Index", "adjustmentMonth": 1, "indexMonth": 10},
    "NewTenancyAddress": {"country": "DK"},
    "RecordProduct": {"productName": {"en": "Rent"}},
    "Settlement": {"currency": "DKK", "pools": [], "units": []},
    "DegreeDays": {"months": [100] * 8 + [50] * 4},
    "BillSettlement": {"receivedOn": "2026-03-10"},
    "RecordPayout": {"fees": {"currency": "DKK", "amount": 0}},
}


def test_the_first_example_of_the_readme_answers_and_refuses() -> None:
    """A month and two days are periods of a request, and a wrong one is 422 with its sentence."""
    app = FastAPI()

    @app.post("/bills")
    def bills(terms: rb.LeaseTerms, period: rb.Period) -> rb.BillingResult:
        return rb.pending_bills(terms, period)

    async def posted(period: str) -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://app") as client:
            head = {"content-type": "application/json"}
            return await client.post(
                f"/bills?period={period}", content=rb.dumps(LEASE), headers=head
            )

    for period in ("2026-02", "2026-02-01/2026-02-28"):
        assert 10625.31 == asyncio.run(posted(period)).json()["bills"][0]["total"]["amount"]
    wrong = asyncio.run(posted("2026-13"))
    assert 422 == wrong.status_code
    assert "expected 2026, 2026-Q1, 2026-03, 2026-01/2026-03 or YYYY-MM-DD/YYYY-MM-DD" in wrong.text


def sample(kind: Any) -> dict[str, object]:  # noqa: ANN401
    needed = (
        each for each in fields_of(kind) if each.required or each.name in kind.required_on_wire
    )
    found = {each.wire: sample_of(each.type) for each in needed}
    return {**found, **STATED.get(kind.__name__, {})}


def sample_of(known: FieldType) -> object:
    if known.entries is not None:
        return [sample_of(known.entries)] if known.is_list else {"en": "Rent"}
    if get_origin(known.kind) is Literal:
        return get_args(known.kind)[0]
    return PLAIN[known.kind] if known.kind in PLAIN else sample(known.kind)


@cache
def values() -> dict[str, object]:
    """Return a record of every class, and every value and result that is written and read."""
    found: dict[str, object] = {
        name: kind.model_validate(sample(kind)) for name, kind in RECORDS.items()
    }
    adjusted = rb.rent_adjustments(LEASE, PERIOD, indices=SERIES)
    several = (
        *(
            rb.Amount.parse("8500.10 DKK"),
            rb.Vat("Exempt"),
            rb.Period.parse("2026-01-01/2026-01-31"),
        ),
        *(rb.YearMonth(2026, 1), rb.IndexPoint.parse("2025-Q3"), SERIES, RESULT, BILL, adjusted),
        *(BILL.pending_bill_line_items[0], BILL.vat_totals[0]),
        rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")}),
    )
    return {**found, **{type(each).__name__: each for each in several}}


@cache
def answers() -> dict[str, object]:
    """Return every result that is written, and never read."""
    other = rb.bill_period(LEASE.evolve(rent_adjustment_plans=()), PERIOD)
    compared = rb.compare_bills(RESULT, other)
    working = rb.explain(RESULT)
    several = (
        *(rb.check_bill(BILL), compared, PortfolioComparison([("lease-1", compared)])),
        *(
            working,
            working.parts[0],
            rb.what_if(LEASE, raise_rent("0.02"), period=PERIOD, indices=SERIES),
        ),
        rb.forecast(LEASE, years=1, indices=SERIES),
    )
    return {type(each).__name__: each for each in several}


KINDS: Final[dict[str, Any]] = {
    **RECORDS,
    **{
        each.__name__: each
        for each in (
            *(
                rb.Amount,
                rb.Vat,
                rb.Period,
                rb.YearMonth,
                rb.IndexPoint,
                rb.IndexSeries,
                rb.BillingPolicy,
            ),
            *(
                rb.BillingResult,
                rb.PendingBill,
                rb.PendingBillLineItem,
                rb.VatTotal,
                rb.AdjustmentResult,
            ),
        )
    },
}
WRITTEN: Final[dict[str, Any]] = {
    each.__name__: each
    for each in (
        *(CheckResult, Comparison, PortfolioComparison, Explanation, rb.Working, WhatIf, Forecast),
    )
}


def _echo(kind: Any) -> Callable[..., Any]:  # noqa: ANN401
    def echo(value: Any) -> Any:  # noqa: ANN401
        return value

    echo.__annotations__ = {"value": Annotated[kind, Body()], "return": kind}
    return echo


def _give(name: str, kind: Any) -> Callable[[], Any]:  # noqa: ANN401
    def give() -> Any:  # noqa: ANN401
        return answers()[name]

    give.__annotations__ = {"return": kind}
    return give


@cache
def an_app() -> FastAPI:
    app = FastAPI()
    for name, kind in KINDS.items():
        app.post(f"/{name}")(_echo(kind))
    for name, kind in WRITTEN.items():
        app.get(f"/{name}")(_give(name, kind))
    return app


def asked(method: str, path: str, content: bytes | None = None) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(an_app())
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            head = {"content-type": "application/json"}
            return await client.request(method, path, content=content, headers=head)

    return asyncio.run(ask())


def exact(text: str) -> object:
    return json.loads(text, parse_float=Decimal)


OTHERWISE: Final[dict[str, object]] = {
    "Amount": {"currency": "DKK", "amount": Decimal("8500.1")},
    "Vat": {"taxMode": "Exempt"},
    "Period": "2026-01-01/2026-01-31",
    "YearMonth": "2026-01",
    "IndexPoint": "2025-Q3",
}
"""JSON of what `dumps` writes only within something else."""


def wire(name: str) -> object:
    """Return what `dumps` writes, with all that a result knows."""
    value: Any = values()[name]
    if isinstance(value, (rb.PendingBillLineItem, rb.VatTotal)):
        bill: Any = exact(rb.dumps(BILL, full=True))
        return bill["vatTotals" if isinstance(value, rb.VatTotal) else "pendingBillLineItems"][0]
    if name in OTHERWISE:
        return OTHERWISE[name]
    return exact(rb.dumps(value, full=not isinstance(value, Record)))


def test_everything_is_tried() -> None:
    assert KINDS.keys() == values().keys()
    assert WRITTEN.keys() == answers().keys()


@rows("name", KINDS)
def test_body_and_return_type_are_what_dumps_writes(name: str) -> None:
    given = values()[name]
    sent = TypeAdapter(KINDS[name]).dump_json(given)
    answered = asked("POST", f"/{name}", sent)
    assert 200 == answered.status_code, answered.text
    assert wire(name) == exact(sent.decode()) == exact(answered.text)
    assert given == TypeAdapter(KINDS[name]).validate_python(answered.json())


@rows("name", WRITTEN)
def test_results_that_are_only_written(name: str) -> None:
    answered = asked("GET", f"/{name}")
    assert 200 == answered.status_code, answered.text
    assert answered.json() == TypeAdapter(WRITTEN[name]).dump_python(answers()[name], mode="json")
    with pytest.raises(ValidationError, match="written as JSON, and not read"):
        TypeAdapter(WRITTEN[name]).validate_python(answered.json())


MODE = re.compile("-(Input|Output)$")


def test_the_document_names_each_part_once() -> None:
    document = asked("GET", "/openapi.json").json()
    # With older versions of pydantic, FastAPI names what is read apart from what is written.
    parts = {MODE.sub("", name) for name in document["components"]["schemas"]}
    assert {"Amount", "Vat", "LeaseTerms", "PendingBill", "RentAdjustment"} <= parts
    assert [] == [name for name in parts if "__" in name]
    assert "$defs" not in json.dumps(document)
    for name in RECORDS:
        said = document["paths"][f"/{name}"]["post"]
        body = said["requestBody"]["content"]["application/json"]["schema"]
        answer = said["responses"]["200"]["content"]["application/json"]["schema"]
        assert MODE.sub("", body["$ref"]) == MODE.sub("", answer["$ref"])


@rows("mode", ["validation", "serialization"])
def test_schemas_take_what_is_written(mode: Literal["validation", "serialization"]) -> None:
    """As the parts of one document, which name what they share once, and one alone."""
    adapters = {name: TypeAdapter(kind) for name, kind in KINDS.items()}
    schemas, shared = TypeAdapter.json_schemas(
        [(name, mode, adapter) for name, adapter in adapters.items()]
    )
    schemas["alone", mode] = adapters["LeaseTerms"].json_schema(mode=mode)
    adapters["alone"] = adapters["LeaseTerms"]
    Draft202012Validator.check_schema({**shared, "allOf": [*schemas.values()]})
    wrong = {
        name: each.message
        for (name, _), schema in schemas.items()
        for each in Draft202012Validator({**shared, **schema}).iter_errors(
            adapters[name].dump_python(
                values()["LeaseTerms" if name == "alone" else name], mode="json"
            )
        )
    }

    assert {} == wrong


def test_records_within_models_of_a_caller() -> None:
    class Offer(BaseModel):
        terms: rb.LeaseTerms
        deposit: rb.Amount
        moved_in: rb.Period | None = None

    offer = Offer(terms=LEASE, deposit=rb.Amount.parse("0.1255 DKK"))
    data = offer.model_dump(mode="json")
    assert {"currency": "DKK", "amount": 0.1255} == data["deposit"]
    assert offer == Offer.model_validate(data) == Offer.model_validate_json(offer.model_dump_json())
    assert offer.terms is offer.model_dump()["terms"] or LEASE == Offer(**dict(offer)).terms
    assert {"LeaseTerms", "Amount"} <= Offer.model_json_schema()["$defs"].keys()


def test_numbers_keep_their_digits() -> None:
    text = '{"currency": "DKK", "amount": %s}'
    adapter = TypeAdapter(rb.Amount)
    for digits in ("8500.10", "999999999999.999", "0.000000000000001", "-0.1", "12", "0"):
        amount = rb.Amount.parse(f"{digits} DKK")
        written = adapter.dump_json(amount).decode()
        assert amount == adapter.validate_json(written)
        assert Decimal(digits) == exact(written)["amount"]  # type: ignore[index]
        assert amount.amount == read_json(text % digits)["amount"]
    assert '"amount":12.0' in adapter.dump_json(rb.Amount.parse("12 DKK")).decode()


def test_a_number_that_no_reader_would_keep_is_refused() -> None:
    amount = rb.Amount.unchecked(Decimal("12345678901234567.89"), "DKK")
    with pytest.raises(PydanticSerializationError, match="instead of `dumps`"):
        TypeAdapter(rb.Amount).dump_python(amount, mode="json")


def test_python_mode_keeps_the_values() -> None:
    assert RESULT is TypeAdapter(rb.BillingResult).dump_python(RESULT)
    assert LEASE == rb.LeaseTerms(**LEASE.model_dump(by_alias=False))


@rows(
    ("kind", "data", "said"),
    [
        (rb.Amount, {"currency": "DKK"}, "is no amount"),
        (rb.Amount, {"currency": "DKK", "amount": "much"}, "is not a"),
        (rb.Vat, "Exempt", "is no VAT"),
        (rb.Period, "soon", "is not a period"),
        (rb.BillingResult, {}, "bills: is required"),
        (rb.PendingBillLineItem, {}, "productKey: is required"),
        (rb.VatTotal, {}, "amount: is required"),
    ],
)
def test_what_is_wrong_is_said(kind: Any, data: object, said: str) -> None:  # noqa: ANN401
    with pytest.raises(ValidationError, match=said):
        TypeAdapter(kind).validate_python(data)


def test_full_results_are_read_again_with_all_they_know() -> None:
    text = TypeAdapter(rb.BillingResult).dump_json(RESULT)
    again = rb.loads(text, rb.BillingResult)
    assert (RESULT, RESULT.adjustments) == (again, again.adjustments)
    assert RESULT.policy_fingerprint == again.policy_fingerprint
