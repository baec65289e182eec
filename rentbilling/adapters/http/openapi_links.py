"""Which operation leads to which: what one answers, another one is asked with.

Law: a link fills every parameter that it names from the answer or the request before it.
What does not live here: the operations (`endpoints`), the document (`openapi`).
"""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from rentbilling.endpoints import ENDPOINTS, Endpoint
from rentbilling.value_schemas import Schema

_ANSWERED: Final = "$response.body#"
_OBJECTS: Final = MappingProxyType(
    {
        "Lease": "leaseId",
        "LeaseRecurringBillItem": "recurringBillItemId",
        "RentAdjustmentPlan": "rentAdjustmentPlanId",
        "Tenancy": "tenancyId",
    }
)
"""Records whose id is a parameter of others."""
_PAGES: Final = MappingProxyType(
    {
        "leases": "leaseId",
        "recurringBillItems": "recurringBillItemId",
        "rentAdjustmentPlans": "rentAdjustmentPlanId",
        "tenancies": "tenancyId",
    }
)
"""Pages whose objects can be asked for or changed one by one."""
_CREATED: Final = MappingProxyType(
    {
        "create_one_time_bill_item": ("list_one_time_bill_items", "oneTimeBillItemId"),
        "create_recurring_bill_item": ("list_recurring_bill_items", "recurringBillItemId"),
        "create_rent_adjustment_plan": ("list_rent_adjustment_plans", "rentAdjustmentPlanId"),
        "record_payout": ("list_payouts", "payoutId"),
        "record_product": ("list_products", "productId"),
    }
)
"""Where what was created is listed, and what its id is called."""


def links_of(endpoint: Endpoint) -> Schema:
    """Return the links of an operation's answer, by their names.

    Args:
        endpoint: The operation.

    Returns:
        Links as OpenAPI writes them.

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
    """Give the ids that an answer tells, each with where it stands."""
    if endpoint.method == "GET" and not endpoint.page_of:
        return
    record = endpoint.answer
    fields = [each.alias or name for name, each in record.model_fields.items()]  # type: ignore[union-attr]
    if record.__name__ in _OBJECTS:
        yield _OBJECTS[record.__name__], f"{_ANSWERED}/id"
        if "leaseId" in fields:
            yield "leaseId", f"{_ANSWERED}/leaseId"
    elif endpoint.page_of:
        (wire,) = fields
        if wire in _PAGES:
            yield _PAGES[wire], f"{_ANSWERED}/{wire}/0/id"
    else:
        yield from ((name, f"{_ANSWERED}/{name}") for name in fields if name.endswith("Id"))
        if "lease_id" in endpoint.request.model_fields:
            yield "leaseId", "$request.body#/leaseId"


def _link(endpoint: Endpoint, known: dict[str, str]) -> Schema:
    """Return the link to an operation, which may need none of what is known."""
    names = [each.alias or name for name, each in endpoint.request.model_fields.items()]
    given = {name: known[name] for name in names if name in known}
    if not given:
        return {}
    link: Schema = {"operationId": endpoint.operation, "description": f"{endpoint.purpose}."}
    outside = {name: given.pop(name) for name in endpoint.in_path if name in given}
    if not endpoint.has_body:
        outside |= given
    elif given:
        link["requestBody"] = given
    return {**link, "parameters": outside} if outside else link
