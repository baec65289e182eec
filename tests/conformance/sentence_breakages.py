"""How the sentences of the interface are broken, each in one way or in several."""

import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from rentbilling.adapters.http import HttpAnswer
from tests.adapters.http.served import JSON_BODY, KEY, PROBLEM_BODY, data_of
from tests.conformance.breaking import (
    Breakage,
    Call,
    Change,
    answered,
    answering,
    assumed,
    broken,
    dropped,
    not_offering,
    nulled,
    retyped,
    taken,
    taking,
    with_body,
)
from tests.conformance.fields import FIELDS, Field
from tests.conformance.samples import BARE_ITEM, PERIOD, Data

PAGED: Final = ("/rent-adjustment-plans", "/tenancies", "/leases", "/products", "/payouts")
_BY_KEY: Final = MappingProxyType({field.key: field for field in FIELDS})


# ------------------------------------------------------------------------------------- requests


def _any_key(call: Call) -> Call:
    return call._replace(headers={**call.headers, "Authorization": KEY})


def _any_scheme(call: Call) -> Call:
    words = call.headers.get("Authorization", "").split(" ")
    return call._replace(headers={**call.headers, "Authorization": words[-1]})


def _any_type(call: Call) -> Call:
    return call._replace(headers={**call.headers, "Content-Type": JSON_BODY}) if call.body else call


def _any_prefix(call: Call) -> Call:
    return call._replace(path=call.path.removeprefix("/v1"))


def _no_body(call: Call) -> Call:
    headers = {name: value for name, value in call.headers.items() if name != "Content-Type"}
    return call._replace(headers=headers, body=b"") if call.method == "GET" else call


def _without(call: Call, *names: str) -> Call:
    asked = [(name, value) for name, value in parse_qsl(call.query) if name not in names]
    return call._replace(query=urlencode(asked))


def _whole_list(call: Call) -> Call:
    return _without(call, "limit", "startingAfter")


def _no_sorting(call: Call) -> Call:
    return _without(call, "sort")


def _any_period(call: Call) -> Call:
    if call.path != "/pending-bills":
        return call
    return call._replace(query=urlencode({"leaseId": "id-2", "period": PERIOD}))


def _first_lease(call: Call) -> Call:
    return call._replace(path="/leases/id-2") if call.path.startswith("/leases/") else call


def _nothing_there(call: Call) -> Call:
    return call._replace(method="GET", path="/nowhere")


def _speaking(call: Call) -> Call:
    with suppress(OSError):
        socket.create_connection(("127.0.0.1", 9), timeout=0.1).close()
    return call


def _any_item(method: str, path: str, data: Data) -> None:
    if (method, path) == ("POST", "/recurring-bill-items"):
        data["recurringBillItem"] = BARE_ITEM


def _any_discount(method: str, path: str, data: Data) -> None:
    discount = data.get("recurringBillItem", {}).get("discount")
    if (method, path) == ("POST", "/recurring-bill-items") and discount is not None:
        data["recurringBillItem"]["discount"] = {"percentage": 0}


# -------------------------------------------------------------------------------------- answers


def _headed(name: str, value: str, _call: Call, found: HttpAnswer) -> HttpAnswer:
    kept = tuple(each for each in found.headers if each[0] != name)
    return found._replace(headers=(*kept, (name, value)))


def _as_status(before: tuple[int, ...], status: int, _call: Call, found: HttpAnswer) -> HttpAnswer:
    return found._replace(status=status) if found.status in before else found


def _vague(name: str, _call: Call, found: HttpAnswer) -> HttpAnswer:
    if ("Content-Type", PROBLEM_BODY) not in found.headers:
        return found
    return with_body(found, {key: each for key, each in data_of(found).items() if key != name})


def _wrapped(method: str, path: str, data: Data) -> None:
    if (method, path) == ("GET", "/leases/id-2"):
        inner = dict(data)
        data.clear()
        data["lease"] = inner


def _no_empty_lists(data: Any, _section: str, _within: str) -> None:  # noqa: ANN401
    for name in [each for each, value in data.items() if value == []]:
        del data[name]


def _scaled(section: str, name: str) -> Change:
    def change(data: Data, here: str, _within: str) -> None:
        if here == section and data.get(name) is not None:
            data[name] *= 100

    return change


def _more(data: Data, section: str, _within: str) -> None:
    if section == "Line item":
        data["note"] = "one more"


def _all(fields: tuple[Field, ...], of: Callable[[Field], Change]) -> Change:
    changes = [of(field) for field in fields]

    def change(data: Data, section: str, within: str) -> None:
        for each in changes:
            each(data, section, within)

    return change


def _of_kind(kind: str) -> tuple[Field, ...]:
    return tuple(field for field in FIELDS if field.kind == kind)


# ------------------------------------------------------------------------------------ the table


def _asked(name: str, before: Callable[[Call], Call]) -> Breakage:
    return Breakage(name, lambda: broken(before))


def _told(name: str, after: Callable[[Call, HttpAnswer], HttpAnswer]) -> Breakage:
    return Breakage(name, lambda: broken(after=after))


def _changed(name: str, change: Change) -> Breakage:
    return Breakage(name, lambda: answered(change))


def _missing(*keys: str) -> tuple[Breakage, ...]:
    return tuple(_changed(f"without {key}", dropped(_BY_KEY[key])) for key in keys)


def _gone(*operations: str) -> tuple[Breakage, ...]:
    return tuple(Breakage(f"no {each}", partial(not_offering, each)) for each in operations)


def _uncomputed(_method: str, _path: str, data: Data) -> None:
    for plan in data.get("rentAdjustmentPlans", ()):
        plan["adjustments"] = []


_APPLICABLE: Final = tuple(
    each for each in FIELDS if each.need == "applicable" and each.key != "Product: productId"
)
_IDS: Final = tuple(
    each
    for each in FIELDS
    if each.kind == "string" and each.name.split(".")[-1].lower().endswith("id")
)
_ANY_KEY: Final = _asked("everybody is let in", _any_key)
_ANY_TYPE: Final = _asked("every media type is taken", _any_type)
_ANY_PREFIX: Final = _asked("every path has a version too", _any_prefix)
_NO_BODY: Final = _asked("a body is passed over", _no_body)
_WHOLE_LIST: Final = _asked("no pages", _whole_list)
_ANY_PERIOD: Final = _asked("inputs may be missing", _any_period)
_NULLED: Final = _changed("null where it does not apply", _all(_APPLICABLE, nulled))

_LISTS: Final[Mapping[str, tuple[Breakage, ...]]] = MappingProxyType(
    {
        f"GET {path} {number}": breakages
        for path, name in zip(
            PAGED,
            ("rentAdjustmentPlans", "tenancies", "leases", "products", "payouts"),
            strict=True,
        )
        for number, breakages in enumerate(
            ((_NO_BODY,), (_WHOLE_LIST,), _missing(f"GET {path} answer: {name}")), 1
        )
    }
)
SENTENCE_BREAKAGES: Final[Mapping[str, tuple[Breakage, ...]]] = MappingProxyType(
    {
        "What the service does 1": (
            _told("answers are no JSON", partial(_headed, "Content-Type", "text/plain")),
        ),
        "What the service does 2": (_asked("nothing is there", _nothing_there),),
        "What the service does 3": _missing("POST /tenancies answer: leaseId"),
        "What the service does 4": _gone("POST /recurring-bill-items"),
        "What the service does 5": _gone(*(f"GET {path}" for path in PAGED)),
        "What the service does 6": _gone("GET /leases/{leaseId}"),
        "What the service does 7": _gone("GET /pending-bills"),
        "What the service does 8": (_ANY_PREFIX,),
        "What the service does 9": (_ANY_TYPE,),
        "What the service does 10": (_ANY_KEY,),
        "Resources and their fields 1": (
            _changed("dates of another form", _all(_of_kind("date"), retyped)),
        ),
        "Resources and their fields 2": (
            _changed("moments without offsets", _all(_of_kind("date-time"), retyped)),
        ),
        "Resources and their fields 3": (_changed("ids are numbers", _all(_IDS, retyped)),),
        "Resources and their fields 4": (_NULLED,),
        "Rent adjustment 1": (
            *_missing("Rent adjustment: adjustmentRulesEffects"),
            Breakage("no adjustment is computed", lambda: answering(_uncomputed)),
        ),
        "Pending bill 1": (
            *_missing("Line item: netPrice", "Line item: accountingPeriod"),
            _changed("one field more", _more),
        ),
        "Gaps in the resource definitions 1": (
            _changed("amounts in hundredths", _scaled("Amount object", "amount")),
            Breakage("any word is taken", lambda: taking(_any_item)),
            _changed("one type of unit", assumed(_BY_KEY["Tenancy: unitType"], "OTHER")),
        ),
        "Gaps in the resource definitions 2": (
            _NULLED,
            _changed("without empty lists", _no_empty_lists),
        ),
        "Gaps in the resource definitions 3": (
            *_missing("Tenancy: groupId"),
            _changed("one type of room", assumed(_BY_KEY["Tenancy: roomCounts.type"], "BEDROOM")),
            _changed("one unit", assumed(_BY_KEY["Tenancy: totalArea.unit"], "SQUARE_METER")),
        ),
        "Gaps in the resource definitions 4": (
            Breakage(
                "cycles start in January",
                lambda: taken(
                    assumed(
                        _BY_KEY["POST /recurring-bill-items: recurringBillItem.billingCycle.start"],
                        1,
                    )
                ),
            ),
            Breakage(
                "any year is taken",
                lambda: taken(assumed(_BY_KEY["Rent adjustment rule: firstYear"], "2027")),
            ),
            Breakage(
                "one adjustee",
                lambda: taken(assumed(_BY_KEY["Rent adjustment plan: adjusteeRef"], "id-3")),
            ),
        ),
        "States and transitions 1": _missing(
            "Lease: operationalState", "Lease: contractPeriodState"
        ),
        "States and transitions 2": _missing("Lease: archivedAt", "Tenancy: archivedAt"),
        "States and transitions 3": (
            _changed("one state", assumed(_BY_KEY["Lease: operationalState"], "Active")),
            _changed("one period", assumed(_BY_KEY["Lease: contractPeriodState"], "Active")),
        ),
        "States and transitions 4": (
            _told("no conflicts", partial(_as_status, (409,), 200)),
            _changed("back to Active", assumed(_BY_KEY["Lease: operationalState"], "Active")),
        ),
        "Endpoints 1": (_ANY_PREFIX, _asked("nothing is there", _nothing_there)),
        "Endpoints 2": (_ANY_KEY,),
        "Endpoints 3": (_WHOLE_LIST,),
        "POST /recurring-bill-items 1": (_ANY_TYPE,),
        "POST /recurring-bill-items 2": (
            Breakage("any discount is taken", lambda: taking(_any_discount)),
        ),
        "POST /recurring-bill-items 3": _missing(
            "POST /recurring-bill-items answer: recurringBillItemId",
            "POST /recurring-bill-items answer: firstDueDate",
        ),
        "POST /tenancies 1": (_ANY_TYPE,),
        "POST /tenancies 2": _missing(
            "POST /tenancies answer: tenancyId", "POST /tenancies answer: leaseId"
        ),
        **_LISTS,
        "GET /leases/{leaseId} 1": (_asked("one lease whatever is asked", _first_lease),),
        "GET /leases/{leaseId} 2": (_NO_BODY,),
        "GET /leases/{leaseId} 3": (Breakage("an object around it", lambda: answering(_wrapped)),),
        "GET /pending-bills 1": (_ANY_PERIOD,),
        "GET /pending-bills 2": _missing("GET /pending-bills answer: bills"),
        "GET /pending-bills 3": (_WHOLE_LIST,),
        "Gaps in the endpoint definitions 1": (
            _told("created is 200", partial(_as_status, (201,), 200)),
            _told("listed is 206", partial(_as_status, (200,), 206)),
            _told("a length of 0", partial(_headed, "Content-Length", "0")),
        ),
        "Gaps in the endpoint definitions 2": (_WHOLE_LIST,),
        "Gaps in the endpoint definitions 3": (_asked("sorting is passed over", _no_sorting),),
        "Gaps in the endpoint definitions 4": (_ANY_PERIOD,),
        "Authentication 1": (_ANY_KEY,),
        "Authentication 2": (_ANY_KEY,),
        "Authentication 3": (_ANY_KEY, _asked("any scheme is taken", _any_scheme)),
        "Events 1": (_asked("a connection for each request", _speaking),),
        "Errors 1": (
            *(
                _told(f"no {name}", partial(_vague, name))
                for name in ("type", "title", "status", "detail", "code", "requestId", "problems")
            ),
            _told("refusals are plain JSON", partial(_headed, "Content-Type", JSON_BODY)),
            *(
                _told(f"{status} is 422", partial(_as_status, (status,), 422))
                # A late body, and too many requests, are seen by the transport (408, 429).
                for status in (400, 401, 403, 404, 405, 409, 413, 414, 415, 500, 503)
            ),
        ),
        "Limits 1": (
            _WHOLE_LIST,
            Breakage("any item is taken", lambda: taking(_any_item)),
            _told("a rate", partial(_headed, "X-RateLimit-Remaining", "1")),
            _told("no bounds of answers", partial(_as_status, (400,), 200)),
        ),
        "Versioning 1": (_ANY_PREFIX,),
        "Versioning 2": (_told("a version is told", partial(_headed, "X-Api-Version", "1")),),
    }
)
"""How each sentence is broken, by its key."""

OF_THE_PAGE: Final = (
    "Rental Management Service Interface 1",
    "Rental Management Service Interface 2",
)
"""Sentences about the interface's page itself, which no service can break."""
