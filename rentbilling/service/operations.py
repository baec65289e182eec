"""The operations of the interface and ours: each a function of a request, a store and a context.

Laws: an operation answers from its arguments and does nothing else: no transport, no input or
output, no clock; a refused operation changes nothing, because it checks before it writes and its
transaction ends with it.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from rentbilling.billing import BillingResult
from rentbilling.interface import ENDPOINTS
from rentbilling.records import Record
from rentbilling.service import audit, items, leases, plans, products, tenancies
from rentbilling.service.store import Context, Store

Operation = Callable[[Any, Store, Context], Record | BillingResult]
"""Takes the request record of its endpoint and returns its answer."""

_MODULES: Final = (audit, items, leases, plans, products, tenancies)
OPERATIONS: Final[Mapping[str, Operation]] = MappingProxyType(
    {name: next(vars(each)[name] for each in _MODULES if name in vars(each)) for name in ENDPOINTS}
)
"""The operations by the names of their endpoints, in the same order."""
