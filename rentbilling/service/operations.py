"""The operations of the interface and ours: each a function of a request, a store and facts.

Laws: an operation answers from what it is handed and does nothing else: no transport, no input or
output of its own, no clock; a refused operation changes nothing, because it checks before it
writes and its transaction ends with it.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from rentbilling.billing.bill import BillingResult
from rentbilling.records.record import Record
from rentbilling.service.items import (
    change_one_time_bill_item,
    change_recurring_bill_item,
    create_one_time_bill_item,
    create_recurring_bill_item,
    list_one_time_bill_items,
    list_recurring_bill_items,
    retrieve_one_time_bill_item,
    retrieve_recurring_bill_item,
    withdraw_one_time_bill_item,
)
from rentbilling.service.leases import (
    archive_lease,
    change_lease,
    create_lease,
    list_leases,
    list_pending_bills,
    retrieve_lease,
    retrieve_lease_terms,
)
from rentbilling.service.plans import (
    change_rent_adjustment_plan,
    create_rent_adjustment_plan,
    list_rent_adjustment_plans,
    retrieve_rent_adjustment_plan,
)
from rentbilling.service.products import (
    change_product,
    list_payouts,
    list_products,
    record_payout,
    record_product,
    retrieve_payout,
    retrieve_product,
    withdraw_payout,
)
from rentbilling.service.store import Facts, Store
from rentbilling.service.tenancies import (
    archive_tenancy,
    change_tenancy,
    create_tenancy,
    list_tenancies,
    retrieve_tenancy,
)

__all__ = (
    "OPERATIONS",
    "Operation",
    "archive_lease",
    "archive_tenancy",
    "change_lease",
    "change_one_time_bill_item",
    "change_product",
    "change_recurring_bill_item",
    "change_rent_adjustment_plan",
    "change_tenancy",
    "create_lease",
    "create_one_time_bill_item",
    "create_recurring_bill_item",
    "create_rent_adjustment_plan",
    "create_tenancy",
    "list_leases",
    "list_one_time_bill_items",
    "list_payouts",
    "list_pending_bills",
    "list_products",
    "list_recurring_bill_items",
    "list_rent_adjustment_plans",
    "list_tenancies",
    "record_payout",
    "record_product",
    "retrieve_lease",
    "retrieve_lease_terms",
    "retrieve_one_time_bill_item",
    "retrieve_payout",
    "retrieve_product",
    "retrieve_recurring_bill_item",
    "retrieve_rent_adjustment_plan",
    "retrieve_tenancy",
    "withdraw_one_time_bill_item",
    "withdraw_payout",
)

Operation = Callable[[Any, Store, Facts], Record | BillingResult]
"""Takes the request record of its endpoint, and gives its answer."""

OPERATIONS: Final[Mapping[str, Operation]] = MappingProxyType(
    {
        each.__name__: each
        for each in (
            create_recurring_bill_item,
            create_tenancy,
            list_rent_adjustment_plans,
            list_tenancies,
            list_leases,
            retrieve_lease,
            list_products,
            list_payouts,
            list_pending_bills,
            list_recurring_bill_items,
            retrieve_recurring_bill_item,
            list_one_time_bill_items,
            retrieve_one_time_bill_item,
            change_recurring_bill_item,
            create_one_time_bill_item,
            change_one_time_bill_item,
            withdraw_one_time_bill_item,
            create_rent_adjustment_plan,
            retrieve_rent_adjustment_plan,
            change_rent_adjustment_plan,
            retrieve_tenancy,
            change_tenancy,
            archive_tenancy,
            create_lease,
            change_lease,
            archive_lease,
            retrieve_lease_terms,
            record_product,
            retrieve_product,
            change_product,
            record_payout,
            retrieve_payout,
            withdraw_payout,
        )
    }
)
"""The operations by the names of their endpoints, in the same order."""
