"""For the tests of those who bill: builders, strategies, laws, bills side by side, and a service.

Everything is loaded when it is first used: importing this package loads neither pytest nor
Hypothesis nor the records. Strategies need the extra `testing`, `a_service` the extra `client`.

Law: nothing here decides a figure; what is built, drawn or compared comes from the core.

Examples:
    >>> from rentbilling import pending_bills
    >>> from rentbilling.testing import a_bill, a_line, a_rent, assert_bills_equal
    >>> bills = pending_bills(a_rent(amount="8500.00"), "2026-02-01/2026-02-28")
    >>> expected = a_bill(a_line(amount="8500.00", period="2026-02-01/2026-02-28"))
    >>> assert_bills_equal(expected, bills)
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rentbilling.testing.assertions import (
        assert_bill_consistent as assert_bill_consistent,
        assert_bills_equal as assert_bills_equal,
        assert_matches_golden as assert_matches_golden,
        bill_diff as bill_diff,
    )
    from rentbilling.testing.builders.bills import a_bill as a_bill, a_line as a_line
    from rentbilling.testing.builders.items import (
        a_lease as a_lease,
        a_one_time_item as a_one_time_item,
        a_rent as a_rent,
        a_tenancy as a_tenancy,
        an_item as an_item,
    )
    from rentbilling.testing.builders.plans import a_plan as a_plan, an_index as an_index
    from rentbilling.testing.laws import check_laws as check_laws
    from rentbilling.testing.service_in_memory import (
        ServiceInMemory as ServiceInMemory,
        a_service as a_service,
    )

__all__ = (
    "ServiceInMemory",
    "a_bill",
    "a_lease",
    "a_line",
    "a_one_time_item",
    "a_plan",
    "a_rent",
    "a_service",
    "a_tenancy",
    "an_index",
    "an_item",
    "assert_bill_consistent",
    "assert_bills_equal",
    "assert_matches_golden",
    "bill_diff",
    "check_laws",
)

# Which room owns which names.
_ROOMS: Final = MappingProxyType(
    {
        "builders.items": "a_lease a_one_time_item a_rent a_tenancy an_item",
        "builders.plans": "a_plan an_index",
        "builders.bills": "a_bill a_line",
        "laws": "check_laws",
        "service_in_memory": "ServiceInMemory a_service",
        "assertions": "assert_bill_consistent assert_bills_equal assert_matches_golden bill_diff",
    }
)
_ROOM_OF: Final = MappingProxyType(
    {name: room for room, names in _ROOMS.items() for name in names.split()}
)


def __getattr__(name: str) -> object:
    """Load a public name from the room that owns it."""
    room = _ROOM_OF.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{room}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
