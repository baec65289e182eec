"""Services that break what the interface says: one field, one operation or one sentence at a time.

A breakage changes what goes into every service of this process, or what comes out of it; that of a
field does so wherever an object of the field's section stands. `test_breakages` tries the proofs
of the page against them.
"""

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from rentbilling import loads
from rentbilling.adapters.http import HttpAnswer, RentalService
from rentbilling.records import read_json, write_json
from tests.conformance import test_reading
from tests.conformance.fields import FIELDS, Field
from tests.conformance.samples import Data, listed

Change = Callable[[Data, str, str], None]
"""Changes an object in place: the object, its section, and the path at which it stands in that."""


class Call(NamedTuple):
    """A request, as `RentalService.answer` takes it."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes


class Breakage(NamedTuple):
    """A way to break a service, or the reader of its answers."""

    name: str
    broken: Callable[[], AbstractContextManager[None]]
    """Gives what breaks it while it is entered."""
    side: str = "answer"
    """Where it breaks: `answer`, `request` or `reader`."""
    must: bool = True
    """Whether some proof of the row has to notice it."""


LISTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "leases": "Lease",
        "tenancies": "Tenancy",
        "rentAdjustmentPlans": "Rent adjustment plan",
        "products": "Product",
        "payouts": "Payout",
        "bills": "Pending bill",
        "recurringBillItems": "Recurring bill item",
    }
)
"""What stands in the list of each name."""
KEPT_UNDER: Final[Mapping[str, str]] = MappingProxyType(
    {
        "leases": "Lease",
        "tenancies": "Tenancy",
        "rent-adjustment-plans": "Rent adjustment plan",
        "products": "Product",
        "payouts": "Payout",
    }
)
"""What one object is that stands under each path."""
INSIDE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Tenancy: address": "Tenancy address",
        "Tenancy: currentLease": "Lease",
        "Rent adjustment plan: rentAdjustmentRules": "Rent adjustment rule",
        "Rent adjustment plan: adjustments": "Rent adjustment",
        "Rent adjustment: adjustmentRulesEffects": "Effect",
        "Pending bill: pendingBillLineItems": "Line item",
    }
)
"""Fields in which objects of another section stand."""
_OF_KIND: Final = MappingProxyType({"amount": "Amount object", "vat": "VAT object"})
_BY_KEY: Final = MappingProxyType({field.key: field for field in FIELDS})
_ANOTHER: Final[Mapping[str, object]] = MappingProxyType(
    {
        "string": 1,
        "number": "1",
        "integer": "1",
        "boolean": "true",
        "date": "31-01-2026",
        "date-time": "2026-01-31T12:00:00",
        "amount": "8500.00 DKK",
        "vat": 0.25,
        "object": "words",
        "array": "words",
        "strings": [1],
    }
)
"""A value of another type, for each type."""


# ---------------------------------------------------------------------------- changes of objects


def change_all(data: object, section: str, change: Change, within: str = "") -> None:
    """Change an object of a section or a list of them, and then all that stand in them.

    An object that has no section of its own is named by its path within the section.
    """
    if isinstance(data, list):
        for each in data:
            change_all(each, section, change, within)
    elif isinstance(data, dict):
        change(data, section, within)
        for name, value in data.items():
            key = f"{section}: {within}{name}"
            other = INSIDE.get(key)
            if key in _BY_KEY:
                other = _OF_KIND.get(_BY_KEY[key].kind, other)
            if other is None:
                change_all(value, section, change, f"{within}{name}.")
            else:
                change_all(value, other, change)


def _at(field: Field, act: Callable[[Data, str], None]) -> Change:
    """Return what acts on each object that may have a field, with the field's own name."""
    way, dot, last = field.name.rpartition(".")

    def change(data: Data, section: str, within: str) -> None:
        if (section, within) == (field.section, f"{way}{dot}"):
            act(data, last)

    return change


def dropped(field: Field) -> Change:
    return _at(field, lambda data, name: data.pop(name, None))


def retyped(field: Field) -> Change:
    """Return what gives a field a value of another type, where it has one."""
    return _at(
        field, lambda data, name: data.update({name: _ANOTHER[field.kind]} if name in data else {})
    )


def nulled(field: Field) -> Change:
    return _at(field, lambda data, name: data.setdefault(name, None))


def assumed(field: Field, value: object) -> Change:
    return _at(field, lambda data, name: data.update({name: value}))


def demanded(field: Field) -> Change:
    """Return what makes an object one that is refused where a field is absent."""
    return _at(field, lambda data, name: data.update({"none": 1} if data.get(name) is None else {}))


def of_answer(change: Change, method: str, path: str, data: Data) -> None:
    names = path.strip("/").split("/")
    change(data, f"{method} {path} answer", "")
    for name, value in data.items():
        if name in LISTED and len(data) == 1:
            change_all(value, LISTED[name], change)
            return
    if len(names) > 1 and names[0] in KEPT_UNDER:
        change_all(data, KEPT_UNDER[names[0]], change)


def of_request(change: Change, method: str, path: str, data: Data) -> None:
    name = path.strip("/").split("/")[0]
    if (method, path) in (("POST", "/tenancies"), ("POST", "/recurring-bill-items")):
        change_all(data, f"{method} {path}", change)
        change_all(data.get("recurringBillItem"), "Recurring bill item", change)
    elif name == "rent-adjustment-plans":
        change_all(data.get("rentAdjustmentPlan"), "Rent adjustment plan", change)
    elif name in KEPT_UNDER:
        change_all(data, KEPT_UNDER[name], change)


# ------------------------------------------------------------------------------ broken services


@contextmanager
def broken(
    before: Callable[[Call], Call | HttpAnswer] | None = None,
    after: Callable[[Call, HttpAnswer], HttpAnswer] | None = None,
) -> Generator[None]:
    """Let every service take another request, or give another answer, than is asked or answered."""
    plain = RentalService.answer

    def answer(
        of: RentalService,
        method: str,
        path: str,
        query: str = "",
        headers: Any = (),  # noqa: ANN401
        body: bytes = b"",
        **more: Any,  # noqa: ANN401
    ) -> HttpAnswer:
        asked = Call(method, path, query, dict(headers), body)
        call = asked if before is None else before(asked)
        found = call if isinstance(call, HttpAnswer) else plain(of, *call, **more)
        return found if after is None else after(asked, found)

    # What was listed before is not remembered meanwhile, nor what is listed meanwhile afterwards.
    listed.cache_clear()
    try:
        with patch.object(RentalService, "answer", answer):
            yield
    finally:
        listed.cache_clear()


def answering(act: Callable[[str, str, Data], None]) -> AbstractContextManager[None]:
    """Let every service answer other data to what is not refused: method, path, data."""

    def after(call: Call, found: HttpAnswer) -> HttpAnswer:
        if found.status not in (200, 201):
            return found
        data = read_json(found.body)
        act(call.method, call.path, data)
        return with_body(found, data)

    return broken(after=after)


def taking(act: Callable[[str, str, Data], None]) -> AbstractContextManager[None]:
    """Let every service take other data than what is sent: method, path, data."""

    def before(call: Call) -> Call:
        try:
            data = json.loads(call.body, parse_float=Decimal)
        except ValueError:
            return call
        if not isinstance(data, dict):
            return call
        act(call.method, call.path, data)
        return call._replace(body=write_json(data).encode())

    return broken(before)


@contextmanager
def reading(change: Change) -> Generator[None]:
    """Let what a service answers be read as if it were something else."""

    def changed_loads(text: str, *rest: Any, **more: Any) -> Any:  # noqa: ANN401
        data = json.loads(text, parse_float=Decimal)
        of_answer(change, "GET", "", data)
        return loads(write_json(data), *rest, **more)

    with patch.object(test_reading, "loads", changed_loads):
        yield


def with_body(found: HttpAnswer, data: Any) -> HttpAnswer:  # noqa: ANN401
    body = write_json(data).encode()
    headers = tuple(
        (name, str(len(body)) if name == "Content-Length" else value)
        for name, value in found.headers
    )
    return found._replace(body=body, headers=headers)


def answered(field_change: Change) -> AbstractContextManager[None]:
    return answering(lambda method, path, data: of_answer(field_change, method, path, data))


def taken(field_change: Change) -> AbstractContextManager[None]:
    return taking(lambda method, path, data: of_request(field_change, method, path, data))


def not_offering(operation: str) -> AbstractContextManager[None]:
    method, pattern = operation.split()
    there = pattern.split("/")

    def before(call: Call) -> Call:
        here = call.path.split("/")
        same = call.method == method and len(here) == len(there)
        if same and all(
            name == each or name.startswith("{") for name, each in zip(there, here, strict=True)
        ):
            return call._replace(method="GET", path="/nowhere")
        return call

    return broken(before)
