"""The links of the document: which answer has the parameters of which other operation.

Law: a link fills every parameter that it names from the answer or the request before it.
"""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from rentbilling.interface import ENDPOINTS, Endpoint
from rentbilling.records import fields_of
from rentbilling.values import Schema

_ANSWERED: Final = "$response.body#"
_OBJECTS: Final = MappingProxyType(
    {
        "leases": ("leaseId", "id"),
        "one-time-bill-items": ("oneTimeBillItemId", "id"),
        "payouts": ("payoutId", "id"),
        "products": ("productKey", "productKey"),
        "recurring-bill-items": ("recurringBillItemId", "id"),
        "rent-adjustment-plans": ("rentAdjustmentPlanId", "id"),
        "tenancies": ("tenancyId", "id"),
    }
)
"""For each resource the parameter that finds one object, and the field with its value."""
_SENT: Final = ("leaseId", "productKey", "tenancyId")
"""Fields of a request that creates an object which are parameters of later requests."""
_WITHDRAWN: Final = "/withdraw"
_CREATED: Final = MappingProxyType(
    {
        "create_one_time_bill_item": ("list_one_time_bill_items", "oneTimeBillItemId"),
        "create_recurring_bill_item": ("list_recurring_bill_items", "recurringBillItemId"),
        "create_rent_adjustment_plan": ("list_rent_adjustment_plans", "rentAdjustmentPlanId"),
        "record_payout": ("list_payouts", "payoutId"),
        "record_product": ("list_products", "productId"),
    }
)
"""For each operation that creates an object: which one lists it, and the name of its id."""


def links_of(endpoint: Endpoint) -> Schema:
    """Return the links of an operation's answer, by their names.

    Examples:
        >>> links_of(ENDPOINTS["record_payout"])["list_payouts"]["parameters"]
        {'startingAfter': '$response.body#/payoutId'}
    """
    known = dict(_known(endpoint))
    links: Schema = {}
    for each in ENDPOINTS.values():
        if each is not endpoint and (link := _link(each, known)):
            links[each.operation] = link
    if endpoint.operation in _CREATED:
        listed, name = _CREATED[endpoint.operation]
        parameters = {"startingAfter": f"{_ANSWERED}/{name}"}
        after = f"What was created after this one: {ENDPOINTS[listed].purpose.lower()}."
        links[listed] = {"operationId": listed, "description": after, "parameters": parameters}
    return links


def _known(endpoint: Endpoint) -> Iterator[tuple[str, str]]:
    """Yield the ids of an answer, each with its place."""
    is_single = endpoint.method == "GET" and not endpoint.page_of
    if is_single or endpoint.resource not in _OBJECTS:
        return
    parameter, field = _OBJECTS[endpoint.resource]
    fields = [each.wire for each in fields_of(endpoint.answer)]
    if endpoint.page_of:
        yield parameter, f"{_ANSWERED}/{fields[0]}/0/{field}"
    elif field in fields:
        # What was withdrawn cannot be asked for any more.
        if not endpoint.path.endswith(_WITHDRAWN):
            yield parameter, f"{_ANSWERED}/{field}"
        # Its changes, also after it is gone.
        yield "objectId", f"{_ANSWERED}/{field}"
        if "leaseId" in fields:
            yield "leaseId", f"{_ANSWERED}/leaseId"
    else:
        yield from ((name, f"{_ANSWERED}/{name}") for name in fields if name.endswith("Id"))
        sent = [each.wire for each in fields_of(endpoint.request) if each.required]
        yield from ((name, f"$request.body#/{name}") for name in _SENT if name in sent)


def _link(endpoint: Endpoint, known: dict[str, str]) -> Schema:
    """Return the link to an operation, an empty one if no id that is known is its parameter."""
    names = [each.wire for each in fields_of(endpoint.request)]
    given = {name: known[name] for name in names if name in known}
    # No product is recorded twice, so that the key of one leads to no request for another.
    if "productKey" not in endpoint.in_path:
        given.pop("productKey", None)
    if not given:
        return {}
    link: Schema = {"operationId": endpoint.operation, "description": f"{endpoint.purpose}."}
    outside = {name: given.pop(name) for name in endpoint.in_path if name in given}
    if not endpoint.has_body:
        outside |= given
    elif given:
        link["requestBody"] = given
    return {**link, "parameters": outside} if outside else link
